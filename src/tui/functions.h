/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * functions: the terminal interface of perf annotate: a list of the functions that have samples,
 * and above it the code of one of them.
 *
 *     tui_functions_open()
 *     tui_functions_round()        in session_consumer.round: keys are answered
 *     tui_functions_browse()       when all is read, until somebody quits
 *     tui_functions_close()        the terminal is as it was
 *
 * What is written to stderr meanwhile is kept until the screen is closed. One thread.
 */
#ifndef TUI_FUNCTIONS_H
#define TUI_FUNCTIONS_H

#include "tui/code.h"

/* All is borrowed. */
struct functions_source {
	const struct code_source *code;
	const struct code_events *events; /* an event or a group each */
	size_t nr_events; /* at least one */
	double percent_limit; /* functions with less are not listed */
};

struct tui_functions;

int tui_functions_open(struct tui_functions **out, const struct screen_colours *colours,
		       struct err *e);
void tui_functions_close(struct tui_functions *f); /* NULL is allowed */
/* session_opts.progress */
void tui_functions_progress(void *functions, u64 done, u64 total);
/* False: reading shall stop, since somebody quit. */
bool tui_functions_round(struct tui_functions *f);
/* Begins with the code of the heaviest function. Nothing where somebody quit before. */
void tui_functions_browse(struct tui_functions *f, const struct functions_source *s);

#endif
