/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/limits.h"
#include "base/rw.h"
#include "dso/symbols/embedded.h"
#include "perfdata/info.h"
#include "session/lbr.h"
#include "session/opened.h"
#include "session/ref_chains.h"

enum { DEFAULT_MAX_STACK = 127 };

static u32 default_max_stack(void)
{
	u64 v;

	if (rw_read_u64("/proc/sys/kernel/perf_event_max_stack", &v) && v > 0 && v < LIMIT_CHAIN)
		return (u32)v;
	return DEFAULT_MAX_STACK;
}

unsigned int session_wanted_workers(void)
{
	const char *env = getenv("PERF_WORKERS");
	u64 n;

	if (env && fmt_parse_u64(env, &n) && n > 0 && n <= 256)
		return (unsigned int)n;
	return 0;
}

static void learn_formats(struct session *s)
{
	const void *blob;
	size_t size;

	if (s->formats_tried)
		return;
	perfdata_tracing_data(s->file, &blob, &size);
	if (!blob || !size)
		return;
	s->formats_tried = true;
	if (tracefmt_set_from_blob(&s->formats, blob, size, NULL) < 0)
		s->formats = NULL;
}

static bool is_all_zero(const u8 *bytes, size_t size)
{
	while (size && !bytes[size - 1])
		size--;
	return !size;
}

/* When a file was last written; 0 = it is none. */
static s64 written_at(const struct session *s)
{
	struct stat st;

	return !stat(perfdata_path(s->file), &st) && S_ISREG(st.st_mode) ? st.st_mtime : 0;
}

/* Names that came with the recording. */
static void learn_embedded(struct session *s)
{
	_cleanup_(strbuf_releasep) struct strbuf body = STRBUF_INIT;
	struct embedded *names;

	if (s->opts.ignore_embedded || s->embedded_tried ||
	    !perfdata_feature_body(s->file, FEAT_SYMBOLS, &body))
		return;
	s->embedded_tried = true;
	names = embedded_read(body.buf, body.len, perfdata_is_foreign_endian(s->file),
			      &s->embedded_error);
	if (names)
		dso_table_set_embedded(s->dsos, names);
}

void session_learn(struct session *s)
{
	const struct perfdata_info *info = perfdata_info(s->file);

	for (; s->nr_build_ids < info->nr_build_ids; s->nr_build_ids++) {
		const struct info_build_id *b = &info->build_ids[s->nr_build_ids];
		struct build_id id = { .size = MIN(b->size, (u8)DSO_BUILD_ID_MAX) };

		memcpy(id.bytes, b->id, id.size);
		if (is_all_zero(id.bytes, id.size))
			continue; /* some programs write zeros for an object without a build id */
		dso_table_set_build_id(s->dsos, b->path, &id,
				       (b->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
					       PERF_RECORD_MISC_KERNEL);
	}
	dso_table_set_machine(s->dsos, &(struct dso_machine){ .hostname = info->hostname,
							      .release = info->osrelease,
							      .arch = info->arch,
							      .written = written_at(s) });
	learn_embedded(s);
	/* Parsing thousands of formats takes a while: those of a file are parsed on first use. */
	if (s->source->ops->tells_late)
		learn_formats(s);
}

/* A file that was named must be there; what is found by itself need not be. */
static int check_named(const char *path, struct err *e)
{
	if (path && access(path, R_OK))
		return err_sys(e, errno, "invalid file '%s'", path);
	return 0;
}

/* The copy of the recorded kernel's (record --kcore), NULL = none. */
static char *find_recorded_kallsyms(const struct perfdata *file)
{
	const char *dir = perfdata_directory(file);
	char *path = dir ? xasprintf("%s/kcore_dir/kallsyms", dir) : NULL;

	if (path && access(path, R_OK)) {
		free(path);
		path = NULL;
	}
	return path;
}

/* Size of the data to be resolved, 0 = unknown. Live data comes slowly: small caches are enough. */
static u64 expected_bytes(const struct session *s)
{
	if (s->source->ops->endless)
		return 1;
	return s->source->ops->tells_late ? 0 : perfdata_data_size(s->file);
}

struct resolver *session_new_resolver(struct session *s)
{
	const struct session_opts *o = &s->opts;
	struct resolver *r = XNEW(struct resolver);

	resolver_init(r, s->model, s->dsos, o->max_stack ? o->max_stack : default_max_stack(),
		      expected_bytes(s));
	r->keep_outermost = o->keep_outermost;
	r->by_address = o->by_address;
	r->notes = o->branch_notes;
	r->guesses = o->guesses;
	r->inlines = o->inlines;
	r->inlines_of_all = o->inlines_of_all;
	r->drop_unresolved = o->drop_unresolved;
	r->drop_unmapped = o->drop_unmapped;
	return r;
}

static int check_guests(const struct dso_guest *g, struct err *e)
{
	const char *files[] = { g->kallsyms, g->vmlinux, g->modules, g->mount };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (check_named(files[i], e) < 0)
			return -1;
		if (files[i] && g->code)
			return err_set(e, EINVAL,
				       "'%s' says what a guest's code is, and --guest-code that it "
				       "is its process's: name one of them",
				       files[i]);
	}
	return 0;
}

int session_open(struct session **out, const struct session_opts *opts, struct err *e)
{
	struct session *s = XNEW(struct session);
	struct dso_config dso;

	s->opts = *opts;
	s->source = opts->source;
	if (check_named(opts->dso.vmlinux, e) < 0 || check_named(opts->dso.kallsyms, e) < 0 ||
	    check_guests(&opts->dso.guest, e) < 0 ||
	    (!s->source && source_open(&s->source, &opts->input, e) < 0) ||
	    filter_init(&s->filter, opts, s->source, e) < 0) {
		session_close(s);
		return -1;
	}
	s->file = s->source->tables;
	dso = opts->dso;
	dso.live = dso.live || s->source->ops->endless;
	s->recorded_kallsyms = find_recorded_kallsyms(s->file);
	if (!dso.kallsyms && !dso.vmlinux)
		dso.kallsyms = s->recorded_kallsyms;
	s->dsos = dso_table_new(&dso);
	s->model = model_new(s->dsos);
	if (s->source->ops->endless)
		model_follow_jits(s->model, MODEL_JITS_NAMES);
	s->resolver = session_new_resolver(s);
	stacks_init(&s->stacks, s->dsos);
	s->par = par_new(opts->workers ? opts->workers : session_wanted_workers());
	s->nr_workers = par_workers(s->par);
	s->workers = XNEW_PER_THREAD(struct session_worker, s->nr_workers);
	for (unsigned int i = 0; i < s->nr_workers; i++)
		worker_init(&s->workers[i], s->resolver, &s->stacks, i);
	session_learn(s);
	if (opts->stitch_lbr)
		s->workers[0].lbr = s->lbr = lbr_stacks_new(perfdata_info(s->file));
	if (opts->ref_chains)
		s->ref_chains = ref_chains_new();
	*out = s;
	return 0;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	for (unsigned int i = 0; i < s->nr_workers; i++)
		worker_release(&s->workers[i]);
	free(s->workers);
	lbr_stacks_free(s->lbr);
	ref_chains_free(s->ref_chains);
	par_free(s->par);
	if (s->model) {
		resolver_release(s->resolver);
		free(s->resolver);
		stacks_release(&s->stacks);
	}
	model_free(s->model);
	if (s->dsos)
		dso_table_free(s->dsos);
	free(s->recorded_kallsyms);
	tracefmt_set_free(s->formats);
	filter_release(&s->filter);
	deferred_release(&s->deferred);
	source_close(s->source);
	free(s);
}

struct perfdata *session_file(struct session *s)
{
	return s->file;
}

struct model *session_model(struct session *s)
{
	return s->model;
}

struct dso_table *session_dsos(struct session *s)
{
	return s->dsos;
}

const struct tracefmt_set *session_tracefmt(struct session *s)
{
	learn_formats(s);
	return s->formats;
}

const struct err *session_embedded_error(const struct session *s)
{
	return s->embedded_error.code ? &s->embedded_error : NULL;
}

unsigned int session_workers(const struct session *s)
{
	return s->nr_workers;
}

struct par *session_par(struct session *s)
{
	return s->par;
}

const struct session_stats *session_stats(const struct session *s)
{
	return &s->stats;
}
