/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf inject: copies a recording and puts something into it. */
#include "cmd/inject/inject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/log.h"
#include "base/spool.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/dso_settings.h"
#include "cmd/losses.h"
#include "cmd/style_words.h"

enum { EXIT_FAILED = 255 };

/* Options of others, and what of theirs is missing here. */
static const struct {
	const char *option, *why;
} missing[] = {
	{ "guest-data", "recordings of virtual machines are not put together" },
};

static int parse_unsupported(const struct opt *o, void *target UNUSED, const char *arg UNUSED,
			     bool unset, struct err *e)
{
	size_t i = 0;

	if (unset)
		return 0;
	while (strcmp(missing[i].option, o->long_name) != 0)
		i++;
	return err_set(e, ENOTSUP, "--%s is not supported yet: %s", o->long_name, missing[i].why);
}

/* Letters; behind some a number with a unit, behind others flags. */
static bool is_itrace(const char *text)
{
	static const char letters[] = "iybcrxwpoIedfmMtagGlLsqAZT", numbers[] = "iygGlLs",
			  flags[] = "ed";

	while (*text) {
		char c = *text++;

		if (!strchr(letters, c) && c != ',' && c != ' ')
			return false;
		if (strchr(numbers, c) && *text >= '0' && *text <= '9') {
			text += strspn(text, "0123456789");
			text += *text == 'n' || *text == 'u' || *text == 'm'
					? 2 * (text[1] == 's')
					: *text == 't' || *text == 'i';
		}
		while (strchr(flags, c) && (*text == '+' || *text == '-') && text[1])
			text += 2;
	}
	return true;
}

/* What is to be made of hardware traces: asked before it is known whether there are any. */
static int parse_itrace(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			struct err *e)
{
	if (arg && !is_itrace(arg))
		return err_set(e, EINVAL, "Bad Instruction Tracing options '%s'", arg);
	*(bool *)target = !unset;
	return 0;
}

/* What follows "dry-run" is for the decoder of a trace. */
static int parse_vm_times(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			  struct err *e UNUSED)
{
	static const char dry[] = "dry-run";
	bool is_dry = arg && !strncmp(arg, dry, strlen(dry));

	*(enum vm_times *)target = unset ? VM_TIMES_NONE : is_dry ? VM_TIMES_LOOK : VM_TIMES_CHANGE;
	return 0;
}

#define I struct inject_opts
#define UNSUPPORTED(l, a, h) OPT_CALL_F(0, l, I, unsupported, a, h, parse_unsupported, OPT_OPTARG)

static const struct opt inject_table[] = {
	OPT_BOOL('b', "build-ids", I, build_ids, "Inject build-ids into the output stream"),
	OPT_BOOL(0, "buildid-all", I, build_id_all,
		 "Inject build-ids of all DSOs into the output stream"),
	OPT_STR(0, "known-build-ids", I, known_build_ids, "buildid path [,buildid path...]",
		"build-ids to use for given paths"),
	OPT_STR('i', "input", I, input, "file", "input file name"),
	OPT_STR('o', "output", I, output, "file", "output file name"),
	OPT_BOOL('B', "mmap2-buildids", I, map_ids_hit,
		 "Drop unused mmap events, make others mmap2 with build IDs"),
	OPT_BOOL(0, "mmap2-buildid-all", I, map_ids_all,
		 "Rewrite all mmap events as mmap2 events with build IDs"),
	OPT_BOOL(0, "aslr", I, aslr, "Remap virtual memory addresses similar to ASLR"),
	OPT_BOOL(
		's', "sched-stat", I, sched_stat,
		"Merge sched-stat and sched-switch for getting events where and how long tasks slept"),
	OPT_BOOL('j', "jit", I, jit, "merge jitdump files into perf.data file"),
	OPT_BOOL(0, "one-object", I, one_object,
		 "with --jit: one object for each process instead of one for each function"),
	OPT_BOOL(0, "convert-callchain", I, convert_chains,
		 "make callchains of copies of stacks, and drop these"),
	OPT_CALL(0, "unwind-style", I, verbose, "unwind style",
		 "accepted for scripts: perf finds callers by itself", style_parse_unwind),
	OPT_CALL_F(0, "embed-symbols", I, embed, "lines",
		   "put names of functions (lines: and source lines) into the file", embed_parse,
		   OPT_OPTARG),
	OPT_INCR('v', "verbose", I, verbose, "be more verbose (show build ids, etc)"),
	OPT_STR('k', "vmlinux", I, dso.vmlinux, "file", "vmlinux pathname"),
	OPT_BOOL(0, "ignore-vmlinux", I, dso.ignore_vmlinux, "don't load vmlinux even if found"),
	OPT_STR(0, "kallsyms", I, dso.kallsyms, "file", "kallsyms pathname"),
	OPT_BOOL('f', "force", I, force, "don't complain, do it"),
	OPT_CALL_F(0, "itrace", I, itrace, "opts", "Instruction Tracing options", parse_itrace,
		   OPT_OPTARG),
	OPT_BOOL(0, "strip", I, strip, "strip non-synthesized events (use with --itrace)"),
	OPT_CALL_F(0, "vm-time-correlation", I, vm_times, "opts",
		   "correlate time between VM guests and the host", parse_vm_times, OPT_OPTARG),
	UNSUPPORTED("guest-data", "opts", "inject events from a guest perf.data file"),
	OPT_STR(0, "guestmount", I, guest_mount, "directory",
		"guest mount directory under which every guest os instance has a subdir"),
	OPT_END
};

static const char *const inject_usage[] = { "perf inject [<options>]", NULL };

static struct session_opts session_opts(const struct inject_opts *o)
{
	struct session_opts so = {
		.input = { .path = o->input && *o->input ? o->input : "-", .force = o->force },
		.dso = o->dso,
	};

	so.dso.force = o->force;
	so.ignore_embedded = o->jit; /* names are not code */
	so.guesses = true;
	so.unwind = o->convert_chains || o->map_ids == MAP_IDS_HIT;
	return so;
}

static int open_reading(struct inject *in, struct session **s, struct err *e)
{
	struct session_opts so = session_opts(in->o);

	if (session_open(s, &so, e))
		return -1;
	if (perfdata_is_foreign_endian(session_file(*s)))
		return err_set(e, ENOTSUP,
			       "'%s' was written by a machine of the other byte order, in which "
			       "nothing can be written here",
			       perfdata_path(session_file(*s)));
	return 0;
}

static int find_ids(struct inject *first, struct err *e)
{
	return ids_find(first, first->o->build_id_all, e);
}

/* What goes into the header must be known before the header is written, and what is hit before it
 * is copied. */
static int read_ahead(struct inject *in, int (*find)(struct inject *first, struct err *e),
		      struct err *e)
{
	struct inject first = { .o = in->o, .ids = in->ids, .maps = in->maps, .aslr = in->aslr };
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

static bool has_stacks(const struct inject *in)
{
	for (size_t i = 0; i < perfdata_nr_events(in->file); i++)
		if (chains_has_stacks(&perfdata_event(in->file, i)->attr))
			return true;
	return false;
}

/* --convert-callchain wants copies of stacks; where they are callchains already, it copies the
 * recording. */
static int check_stacks(const struct inject *in, struct err *e)
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
static bool is_directory(const struct inject *in)
{
	struct stat st;

	return !perfdata_is_pipe(in->file) && !stat(perfdata_path(in->file), &st) &&
	       S_ISDIR(st.st_mode);
}

/* Without traces there is nothing to decode, as with any perf. */
static int check_traces(const struct inject *in, struct err *e)
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
static int change_vm_times(const struct inject *in, struct err *e)
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

static int prepare_aslr(struct inject *in, struct err *e)
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

static int copy(struct inject *in, struct err *e)
{
	const struct inject_opts *o = in->o;
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
	if (o->embed) {
		struct session_opts so = session_opts(o);

		if (embed_collect(&so, o->embed, &in->symbols, e))
			return -1;
	}
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

static int inject(const struct inject_opts *o, struct err *e)
{
	struct inject in = { .o = o, .symbols = STRBUF_INIT, .aux_index = STRBUF_INIT };
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
	if (!r && o->convert_chains)
		losses_tell(in.s);
	if (in.stopped)
		log_warn("interrupted: '%s' has only a part of the recording", o->output);
	if (!r)
		log_info("%llu records, %zu build ids", (unsigned long long)in.records,
			 in.ids.ids.nr);
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

/* What comes through a pipe can be read but once, and names must be known before it is copied. */
struct aside {
	int spool;
	char path[32]; /* of the input, when it lies there */
};

static int put_aside(struct aside *a, const char **path, bool force, struct err *e)
{
	const char *name = *path && **path ? *path : "-";
	bool standard = !strcmp(name, "-");
	struct stat st;
	u64 end = 0;
	int fd, r;

	if (standard ? fstat(STDIN_FILENO, &st) : stat(name, &st))
		return 0; /* told when it is opened */
	if (S_ISDIR(st.st_mode) ||
	    (S_ISREG(st.st_mode) && (!standard || !lseek(STDIN_FILENO, 0, SEEK_CUR))))
		return 0;
	fd = standard ? STDIN_FILENO : input_open(name, INPUT_PIPE | (force ? 0 : INPUT_OWNED), e);
	if (fd < 0)
		return -1;
	a->spool = spool_open(e);
	r = a->spool < 0 ? -1 : spool_fill(a->spool, fd, 0, &end, e);
	if (!standard)
		close(fd);
	if (!r && !end)
		return err_set(e, EINVAL, "no data on '%s'", name);
	snprintf(a->path, sizeof(a->path), "/proc/self/fd/%d", a->spool);
	*path = a->path;
	return r;
}

static const char *wrong_options(const struct inject_opts *o)
{
	if (o->map_ids_hit && o->map_ids_all)
		return "-B leaves out what --mmap2-buildid-all keeps: only one of them";
	if (o->strip && !o->itrace)
		return "--strip option requires --itrace option";
	if (o->known_build_ids && !o->build_ids && !o->build_id_all && !o->map_ids_hit &&
	    !o->map_ids_all)
		return "--known-build-ids option requires --build-ids or --buildid-all";
	if (o->aslr && (o->jit || o->sched_stat || o->convert_chains || o->embed ||
			o->map_ids_hit || o->map_ids_all))
		return "--aslr goes with -b and --buildid-all alone: run inject twice, with --aslr last";
	if (o->vm_times && o->output)
		return "Output file name must not be specified for in-place updating";
	if (o->vm_times == VM_TIMES_CHANGE && !o->force)
		return "The input file would be updated in place, the --force option is required.";
	if (o->one_object && !o->jit)
		return "--one-object option requires --jit option";
	return NULL;
}

static int inject_run(const struct config *config, int argc, const char **argv)
{
	struct inject_opts o = { 0 };
	struct aside aside = { .spool = -1 };
	struct err e = ERR_INIT;
	int r;

	if (dso_settings_apply(config, &o.dso))
		return EXIT_FAILED;
	argc = opts_parse(inject_table, &o, argc, argv, inject_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc)
		return opts_usage_error(inject_table, inject_usage, NULL, "%s", "");
	if (wrong_options(&o)) {
		log_error("%s", wrong_options(&o));
		return EXIT_FAILED;
	}
	log_set_verbosity(o.verbose);
	o.map_ids = o.map_ids_hit ? MAP_IDS_HIT : o.map_ids_all ? MAP_IDS_ALL : MAP_IDS_NONE;
	r = o.embed || o.map_ids_hit || o.aslr ? put_aside(&aside, &o.input, o.force, &e) : 0;
	if (!r)
		r = inject(&o, &e);
	mem_closep(&aside.spool);
	if (!r)
		return 0;
	err_print(&e);
	return EXIT_FAILED;
}

const struct command cmd_inject = {
	.name = "inject",
	.summary = "copy a recording and add information to it",
	.usage = inject_usage,
	.opts = inject_table,
	.run = inject_run,
};
