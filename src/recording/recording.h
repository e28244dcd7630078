/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording: a recording opened as the user asked for it: by options and by the configuration, with
 * debug information from servers and a line about the progress. What a command does that reads one:
 *
 *	struct foo_opts { struct recording rec; ... };
 *	static const struct opt foo_table[] = { RECORDING_INPUT(struct foo_opts, rec), ... };
 *
 *	if (recording_configure(&o.rec, config))
 *		return 255;
 *	argc = opts_parse(foo_table, &o, ...);
 *	...
 *	if (!recording_open(&o.rec, &e) && !session_run(o.rec.session, &consumer, &e))
 *		recording_tell(&o.rec);
 *	recording_close(&o.rec);
 *
 * One thread. Who reads only the header opens rec.opts.input with perfdata_open().
 */
#ifndef RECORDING_RECORDING_H
#define RECORDING_RECORDING_H

#include "cli/command.h"
#include "cli/progress.h"
#include "cli/task_choice.h"
#include "recording/fetching.h"
#include "recording/losses.h"
#include "session/session.h"

struct recording {
	struct session_opts opts; /* what rows and configuration say; the command adds its own */
	const char *pids, *tids; /* of tasks that are wanted: session_wants_task() */
	const char *debuginfod; /* URLs; NULL = those of the environment */
	bool moved_text; /* core.moved-text */
	int verbose; /* -v */
	bool quiet; /* -q */
	bool nameless; /* the command shows no names: servers are not asked for them */
	const char *progress; /* title of a line while it takes long, unless quiet; NULL = none */
	struct task_choice tasks; /* of pids and tids, after recording_choose_tasks() */
	/* after recording_open() */
	struct session *session;
	struct fetching fetching;
	struct progress bar;
	bool prepared;
};

/* Rows of a table of options; S has the struct recording as its member m. */
#define RECORDING_FILE(S, m) OPT_STR('i', "input", S, m.opts.input.path, "file", "input file name")
#define RECORDING_FORCE(S, m) OPT_BOOL('f', "force", S, m.opts.input.force, "don't complain, do it")
#define RECORDING_INPUT(S, m) RECORDING_FILE(S, m), RECORDING_FORCE(S, m)
#define RECORDING_VERBOSE(S, m)                                                                    \
	OPT_INCR('v', "verbose", S, m.verbose, "be more verbose (show symbol address, etc)")
#define RECORDING_KERNEL_FILES(S, m)                                                               \
	OPT_STR('k', "vmlinux", S, m.opts.dso.vmlinux, "file", "vmlinux pathname"),                \
		OPT_STR(0, "kallsyms", S, m.opts.dso.kallsyms, "file", "kallsyms pathname")
#define RECORDING_IGNORE_VMLINUX(S, m)                                                             \
	OPT_BOOL(0, "ignore-vmlinux", S, m.opts.dso.ignore_vmlinux,                                \
		 "don't load vmlinux even if found")
#define RECORDING_MODULES(S, m)                                                                    \
	OPT_BOOL('m', "modules", S, m.opts.dso.load_modules,                                       \
		 "load module symbols - WARNING: use only with -k and LIVE kernel")
#define RECORDING_SYMFS(S, m)                                                                      \
	OPT_STR(0, "symfs", S, m.opts.dso.symfs, "directory",                                      \
		"Look for files with symbols relative to this directory")
/* Where names of virtual machines' kernels come from; dso: the member's struct dso_config. */
#define RECORDING_GUESTS(S, dso)                                                                   \
	OPT_STR(0, "guestmount", S, dso.guest.mount, "directory",                                  \
		"guest mount directory under which every guest os instance has a subdir"),         \
		OPT_STR(0, "guestvmlinux", S, dso.guest.vmlinux, "file",                           \
			"file saving guest os vmlinux"),                                           \
		OPT_STR(0, "guestkallsyms", S, dso.guest.kallsyms, "file",                         \
			"file saving guest os /proc/kallsyms"),                                    \
		OPT_STR(0, "guestmodules", S, dso.guest.modules, "file",                           \
			"file saving guest os /proc/modules"),                                     \
		OPT_BOOL(0, "guest-code", S, dso.guest.code,                                       \
			 "Guest code can be found in hypervisor process")
#define RECORDING_DEMANGLE_KERNEL(S, m)                                                            \
	OPT_BOOL(0, "demangle-kernel", S, m.opts.dso.demangle_kernel,                              \
		 "Enable kernel symbol demangling")
#define RECORDING_CPUS(S, m) OPT_STR('C', "cpu", S, m.opts.cpus, "cpu", "list of cpus to profile")
/* Where the letters are free; where they are not, rows of the command's own have long names. */
#define RECORDING_TASKS(S, m)                                                                      \
	OPT_STR('p', "pid", S, m.pids, "pid[,pid...]", "only these processes"),                    \
		OPT_STR('t', "tid", S, m.tids, "tid[,tid...]", "only these threads")
#define RECORDING_TIME(S, m)                                                                       \
	OPT_STR(0, "time", S, m.opts.time, "str", "Time span of interest (start,stop)")
#define RECORDING_STITCH_LBR(S, m)                                                                 \
	OPT_BOOL(0, "stitch-lbr", S, m.opts.stitch_lbr, "Enable LBR callgraph stitching approach")
/* Of other perfs, which choose a library for each. */
#define RECORDING_UNWIND_STYLE(S, m)                                                               \
	OPT_CALL(0, "unwind-style", S, m, "unwind style",                                          \
		 "accepted for scripts: perf finds callers by itself", recording_parse_unwind)
#define RECORDING_LINE_STYLES(S, m)                                                                \
	OPT_CALL(0, "addr2line", S, m, "path",                                                     \
		 "accepted for scripts: perf reads source lines by itself", opt_ignore),           \
		OPT_CALL(0, "addr2line-style", S, m, "addr2line style",                            \
			 "accepted for scripts: perf reads source lines by itself",                \
			 recording_parse_lines)

/* opt_parse_fn: the words of such an option are checked, and nothing is written. */
int recording_parse_lines(const struct opt *o, void *target, const char *arg, bool unset,
			  struct err *e);
int recording_parse_unwind(const struct opt *o, void *target, const char *arg, bool unset,
			   struct err *e);

/* What they take from the configuration: rows for a struct recording. */
extern const struct config_row recording_settings[];
/* Before the options are read. 0, or -1 after telling on stderr which setting is wrong. */
int recording_configure(struct recording *r, const struct config *c);
/* For who opens sessions itself: r->opts are complete then. recording_close() at the end. */
void recording_prepare(struct recording *r);
/* Reads pids and tids, once. recording_close() at the end. */
int recording_choose_tasks(struct recording *r, struct err *e);
/* Does that, and opens r->session. recording_close() is called in any case. */
int recording_open(struct recording *r, struct err *e);
/* The same of another recording as it was before it was opened: anew, with nothing but samples by
 * their addresses (session_opts.by_address), and without a line about the progress. */
int recording_open_addresses(struct recording *r, const struct recording *unread, struct err *e);
/* Whether CPUs, if some were asked for (by `option`), can be chosen: samples say theirs, or are not
 * known yet (a pipe). */
int recording_check_cpus(const struct recording *r, const char *option, struct err *e);
/* START,STOP of --time in ns, for who sees to it by itself (an analysis that needs to know what
 * came before START); text NULL, or what is missing in it: stays as it is. */
int recording_parse_window(const char *text, u64 *from, u64 *until, struct err *e);
/* On stderr, after the output: what is damaged, what was lost, what has no names (losses.h). */
void recording_tell(struct recording *r);
/* An exit status: 0, or RECORDING_CUT where data of the file is missing. What was there has been
 * shown, and recording_tell() said what is not: a script must be able to see it, too. */
#define RECORDING_CUT 255
int recording_close(struct recording *r);

#endif
