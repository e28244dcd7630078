/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_other: a command that is another command with arguments made here: perf sched record, perf
 * kmem record, sched -D. In this process; what they return is the exit status.
 */
#ifndef CMD_RUN_OTHER_H
#define CMD_RUN_OTHER_H

#include "cli/words.h"
#include "recording/recording.h"

/* line->v[0] names the command. Releases line. */
int run_other(const struct config *config, struct words *line);
/* perf script, with -i and -f as given to r, and argv without its first word. */
int run_other_script(const struct config *config, const struct recording *r, int argc,
		     const char **argv);
/* perf report -D, with -i and -f as given to r. */
void run_other_dump(const struct config *config, const struct recording *r);

/* An event to record: the first of the names that the kernel has. */
struct recorded_event {
	const char
		*names[2]; /* "system:name", then what other kernels have in its place, or NULL */
	bool needed; /* record tells when the kernel has none of them; else it is left out */
	bool told; /* and that is told */
	const char *option; /* of record, behind the event; NULL = none */
};
/* Whether the kernel has "system:name", as far as it may be looked at. */
bool kernel_has_event(const struct config *config, const char *name);
/*
 * perf record: the words of begin (NULL at the end, "record" is not among them), -e for each row of
 * events (the last has no name), and argv without its first word, which is the subcommand.
 */
int run_record(const struct config *config, const char *const *begin,
	       const struct recorded_event *events, int argc, const char **argv);

#endif
