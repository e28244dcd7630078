/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "edit/edit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/log.h"
#include "base/spool.h"
#include "edit/pass.h"

static int open_reading(struct edit *in, struct session **s, struct err *e)
{
	if (session_open(s, &in->o->session, e))
		return -1;
	if (perfdata_is_foreign_endian(session_file(*s)))
		return err_set(e, ENOTSUP,
			       "'%s' was written by a machine of the other byte order, in which "
			       "nothing can be written here",
			       perfdata_path(session_file(*s)));
	return 0;
}

static int find_ids(struct edit *first, struct err *e)
{
	return ids_find(first, first->o->build_id_all, e);
}

/* A reading before the one that copies: finds what goes into the header, or which mappings have
 * samples. */
static int read_ahead(struct edit *in, int (*find)(struct edit *first, struct err *e),
		      struct err *e)
{
	struct edit first = { .o = in->o, .ids = in->ids, .maps = in->maps, .aslr = in->aslr };
	int r = open_reading(&first, &first.s, e);

	if (r) {
		session_close(first.s);
		return r;
	}
	first.file = session_file(first.s);
	r = find(&first, e);
	in->ids = first.ids;
	session_close(first.s);
	return r;
}

static bool has_stacks(const struct edit *in)
{
	for (size_t i = 0; i < perfdata_nr_events(in->file); i++)
		if (chains_has_stacks(&perfdata_event(in->file, i)->attr))
			return true;
	return false;
}

/* --convert-callchain needs copies of stacks; a recording in which they are callchains already is
 * copied. */
static int check_stacks(const struct edit *in, struct err *e)
{
	if (has_stacks(in))
		return 0;
	for (size_t i = 0; i < perfdata_nr_events(in->file); i++) {
		const struct perf_event_attr *attr = &perfdata_event(in->file, i)->attr;

		if (attr->sample_stack_user && (attr->sample_type & PERF_SAMPLE_CALLCHAIN)) {
			log_warn("the stacks of '%s' are callchains already: it is copied as it is",
				 perfdata_path(in->file));
			return 0;
		}
	}
	err_set(e, EINVAL, "'%s' has no copies of stacks with callchains", perfdata_path(in->file));
	err_hint(e, "perf record --call-graph dwarf,SIZE,raw makes them");
	return -1;
}

/* Files of a directory have no common rounds. */
static bool is_directory(const struct edit *in)
{
	struct stat st;

	return !perfdata_is_pipe(in->file) && !stat(perfdata_path(in->file), &st) &&
	       S_ISDIR(st.st_mode);
}

/* Without traces there is nothing to decode, as with any perf. */
static int check_traces(const struct edit *in, struct err *e)
{
	if (!in->o->itrace)
		return 0;
	if (perfdata_is_pipe(in->file))
		return err_set(e, ENOTSUP,
			       "--itrace needs a file: of a stream it is not known whether it has "
			       "hardware traces");
	if (info_has(perfdata_info(in->file), FEAT_AUXTRACE))
		return err_set(e, ENOTSUP,
			       "--itrace is not supported yet: hardware traces are not decoded");
	if (in->o->strip)
		log_warn("--strip leaves no samples: '%s' has no hardware traces",
			 perfdata_path(in->file));
	return 0;
}

/* Times of traces are changed in place: without traces there is nothing to do. */
static int change_vm_times(const struct edit *in, struct err *e)
{
	if (perfdata_is_pipe(in->file))
		return err_set(e, ENOTSUP, "--vm-time-correlation needs a file");
	if (info_has(perfdata_info(in->file), FEAT_AUXTRACE))
		return err_set(
			e, ENOTSUP,
			"--vm-time-correlation is not supported yet: hardware traces are not "
			"decoded");
	return 0;
}

static int prepare_aslr(struct edit *in, struct err *e)
{
	if (info_has(perfdata_info(in->file), FEAT_AUXTRACE))
		return err_set(e, ENOTSUP, "--aslr does not change addresses in hardware traces");
	if (has_stacks(in)) {
		err_set(e, ENOTSUP,
			"--aslr would leave out copies of stacks, and with them the callers");
		err_hint(e,
			 "perf inject --convert-callchain makes callchains of them: do that first");
		return -1;
	}
	in->aslr = aslr_new();
	return read_ahead(in, aslr_find, e);
}

static int copy(struct edit *in, struct err *e)
{
	const struct edit_opts *o = in->o;
	bool ids = o->build_ids || o->build_id_all;
	bool stream = perfdata_is_pipe(in->file);

	if (check_traces(in, e))
		return -1;
	if (ids && !stream && read_ahead(in, find_ids, e))
		return -1;
	if (o->map_ids)
		in->maps = maps_new();
	if (o->map_ids == MAP_IDS_HIT && read_ahead(in, maps_find, e))
		return -1;
	if (o->aslr && prepare_aslr(in, e))
		return -1;
	if (o->embed && embed_collect(&o->session, o->embed, &in->symbols, e))
		return -1;
	if (o->convert_chains && !stream && check_stacks(in, e))
		return -1;
	if (o->jit)
		in->jits = jits_new();
	if (o->sched_stat) {
		in->sched = sched_new(in, e);
		if (!in->sched)
			return -1;
	}
	if (output_open(in, e))
		return -1;
	in->mark = ids && stream;
	if (in->jits || in->sched || in->mark || o->convert_chains || is_directory(in))
		return order_records(in, e);
	return copy_records(in, e);
}

static int edit(const struct edit_opts *o, struct err *e)
{
	struct edit in = { .o = o, .symbols = STRBUF_INIT, .aux_index = STRBUF_INIT };
	int r = -1;

	if (o->known_build_ids && ids_read_known(&in.ids, o->known_build_ids, e))
		goto out;
	if (open_reading(&in, &in.s, e))
		goto out;
	in.file = session_file(in.s);
	if (o->vm_times) {
		r = change_vm_times(&in, e);
		goto out;
	}
	r = copy(&in, e);
	if (!r)
		r = output_finish(&in, e);
	if (perfdata_damage(in.file)->first[0])
		log_warn("%s", perfdata_damage(in.file)->first);
	if (!r && in.jits)
		jits_tell(&in);
	if (!r && in.maps)
		maps_tell(&in);
	if (!r && in.aslr)
		aslr_tell(&in);
	if (!r && o->convert_chains && o->tell_losses)
		o->tell_losses(in.s);
	if (in.stopped)
		log_warn("interrupted: '%s' has only a part of the recording", o->output);
	if (!r)
		log_info("%llu records, %zu build ids", (unsigned long long)in.records,
			 in.ids.ids.nr);
	if (!r && perfdata_is_cut(in.file))
		r = 1;
out:
	if (in.w)
		writer_discard(in.w);
	jits_free(in.jits);
	maps_free(in.maps);
	aslr_free(in.aslr);
	sched_free(in.sched);
	ids_release(&in.ids);
	strbuf_release(&in.symbols);
	strbuf_release(&in.aux_index);
	session_close(in.s);
	if (in.stopped)
		end_by_signal(held_signals_take(&in.held));
	held_signals_end(&in.held);
	return r;
}

/* A pipe can be read only once, but names are needed before the copy: keeps its contents in memory
 * or a file. */
struct aside {
	int spool;
	char path[32]; /* of the input, when it lies there */
};

static int put_aside(struct aside *a, struct perfdata_opts *input, struct err *e)
{
	const char *name = input->path;
	bool standard = !strcmp(name, "-");
	struct stat st;
	u64 end = 0;
	int fd, r;

	if (standard ? fstat(STDIN_FILENO, &st) : stat(name, &st))
		return 0; /* told when it is opened */
	if (S_ISDIR(st.st_mode) ||
	    (S_ISREG(st.st_mode) && (!standard || !lseek(STDIN_FILENO, 0, SEEK_CUR))))
		return 0;
	fd = standard ? STDIN_FILENO
		      : input_open(name, INPUT_PIPE | (input->force ? 0 : INPUT_OWNED), e);
	if (fd < 0)
		return -1;
	a->spool = spool_open(e);
	r = a->spool < 0 ? -1 : spool_fill(a->spool, fd, 0, &end, e);
	if (!standard)
		close(fd);
	if (!r && !end)
		return err_set(e, EINVAL, "no data on '%s'", name);
	snprintf(a->path, sizeof(a->path), "/proc/self/fd/%d", a->spool);
	input->path = a->path;
	return r;
}

int edit_recording(const struct edit_opts *opts, struct err *e)
{
	struct edit_opts o = *opts;
	struct aside aside = { .spool = -1 };
	bool again = o.embed || o.map_ids == MAP_IDS_HIT || o.aslr;
	int r = again ? put_aside(&aside, &o.session.input, e) : 0;

	if (!r)
		r = edit(&o, e);
	mem_closep(&aside.spool);
	return r;
}
