/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf inject: copies a recording and puts something into it. */
#include <errno.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "recording/recording.h"
#include "edit/edit.h"

enum { EXIT_FAILED = 255 };

/* --vm-time-correlation: not, with dry-run, with changes. */
enum vm_times { VM_TIMES_NONE, VM_TIMES_LOOK, VM_TIMES_CHANGE };

struct inject_opts {
	struct recording rec;
	struct edit_opts edit;
	bool map_ids_hit, map_ids_all; /* as given */
	enum vm_times vm_times;
	const char *guest_mount; /* of use with --guest-data alone */
};

static int parse_unsupported(const struct opt *o, void *target UNUSED, const char *arg UNUSED,
			     bool unset, struct err *e)
{
	return unset ? 0
		     : err_set(e, ENOTSUP,
			       "--%s is not supported yet: recordings of virtual machines are not "
			       "put together",
			       o->long_name);
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

static int parse_embed(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
		       struct err *e)
{
	enum embed_what *what = target;

	*what = EMBED_NOTHING;
	return unset ? 0 : embed_parse(arg, what, e);
}

#define I struct inject_opts

static const struct opt inject_table[] = {
	OPT_BOOL('b', "build-ids", I, edit.build_ids, "Inject build-ids into the output stream"),
	OPT_BOOL(0, "buildid-all", I, edit.build_id_all,
		 "Inject build-ids of all DSOs into the output stream"),
	OPT_STR(0, "known-build-ids", I, edit.known_build_ids, "buildid path [,buildid path...]",
		"build-ids to use for given paths"),
	RECORDING_FILE(I, rec),
	OPT_STR('o', "output", I, edit.output, "file", "output file name"),
	OPT_BOOL('B', "mmap2-buildids", I, map_ids_hit,
		 "Drop unused mmap events, make others mmap2 with build IDs"),
	OPT_BOOL(0, "mmap2-buildid-all", I, map_ids_all,
		 "Rewrite all mmap events as mmap2 events with build IDs"),
	OPT_BOOL(0, "aslr", I, edit.aslr, "Remap virtual memory addresses similar to ASLR"),
	OPT_BOOL(
		's', "sched-stat", I, edit.sched_stat,
		"Merge sched-stat and sched-switch for getting events where and how long tasks slept"),
	OPT_BOOL('j', "jit", I, edit.jit, "merge jitdump files into perf.data file"),
	OPT_BOOL(0, "one-object", I, edit.one_object,
		 "with --jit: one object for each process instead of one for each function"),
	OPT_BOOL(0, "convert-callchain", I, edit.convert_chains,
		 "make callchains of copies of stacks, and drop these"),
	RECORDING_UNWIND_STYLE(I, rec),
	OPT_CALL_F(0, "embed-symbols", I, edit.embed, "lines",
		   "put names of functions (lines: and source lines) into the file", parse_embed,
		   OPT_OPTARG),
	OPT_INCR('v', "verbose", I, rec.verbose, "be more verbose (show build ids, etc)"),
	RECORDING_KERNEL_FILES(I, rec),
	RECORDING_IGNORE_VMLINUX(I, rec),
	RECORDING_FORCE(I, rec),
	OPT_CALL_F(0, "itrace", I, edit.itrace, "opts", "Instruction Tracing options", parse_itrace,
		   OPT_OPTARG),
	OPT_BOOL(0, "strip", I, edit.strip, "strip non-synthesized events (use with --itrace)"),
	OPT_CALL_F(0, "vm-time-correlation", I, vm_times, "opts",
		   "correlate time between VM guests and the host", parse_vm_times, OPT_OPTARG),
	OPT_CALL_F(0, "guest-data", I, guest_mount, "opts",
		   "inject events from a guest perf.data file", parse_unsupported, OPT_OPTARG),
	OPT_STR(0, "guestmount", I, guest_mount, "directory",
		"guest mount directory under which every guest os instance has a subdir"),
	OPT_END
};

static const char *const inject_usage[] = { "perf inject [<options>]", NULL };

static const char *wrong_options(const struct inject_opts *o)
{
	if (o->map_ids_hit && o->map_ids_all)
		return "-B leaves out what --mmap2-buildid-all keeps: only one of them";
	if (o->edit.strip && !o->edit.itrace)
		return "--strip option requires --itrace option";
	if (o->edit.known_build_ids && !o->edit.build_ids && !o->edit.build_id_all &&
	    !o->map_ids_hit && !o->map_ids_all)
		return "--known-build-ids option requires --build-ids or --buildid-all";
	if (o->edit.aslr && (o->edit.jit || o->edit.sched_stat || o->edit.convert_chains ||
			     o->edit.embed || o->map_ids_hit || o->map_ids_all))
		return "--aslr goes with -b and --buildid-all alone: run inject twice, with --aslr last";
	if (o->vm_times && o->edit.output)
		return "Output file name must not be specified for in-place updating";
	if (o->vm_times == VM_TIMES_CHANGE && !o->rec.opts.input.force)
		return "The input file would be updated in place, the --force option is required.";
	if (o->edit.one_object && !o->edit.jit)
		return "--one-object option requires --jit option";
	return NULL;
}

static int inject_run(const struct config *config, int argc, const char **argv)
{
	struct inject_opts o = { .edit = { .tell_losses = losses_tell } };
	struct session_opts *so = &o.rec.opts;
	struct err e = ERR_INIT;
	int r;

	if (recording_configure(&o.rec, config))
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
	o.edit.map_ids = o.map_ids_hit ? MAP_IDS_HIT : o.map_ids_all ? MAP_IDS_ALL : MAP_IDS_NONE;
	o.edit.vm_times = o.vm_times;
	so->input.path = so->input.path && *so->input.path ? so->input.path : "-";
	so->ignore_embedded = o.edit.jit; /* names are not code */
	so->guesses = true;
	so->unwind = o.edit.convert_chains || o.map_ids_hit;
	recording_prepare(&o.rec);
	o.edit.session = *so;
	r = edit_recording(&o.edit, &e);
	recording_close(&o.rec);
	if (r < 0)
		err_print(&e);
	return r ? EXIT_FAILED : 0;
}

const struct command cmd_inject = {
	.name = "inject",
	.summary = "copy a recording and add information to it",
	.usage = inject_usage,
	.opts = inject_table,
	.run = inject_run,
};
