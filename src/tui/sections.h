/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections: the terminal interface of what is complete when it is shown: the sections of a
 * comparison (perf diff), with their rows searched, ordered, unfolded.
 *
 *     tui_sections_open()
 *     tui_sections_read()          with what reads the recordings
 *     tui_sections_browse()        when all is read, until somebody quits
 *     tui_sections_close()         the terminal is as it was
 *
 * What is written to stderr meanwhile is kept until the screen is closed. One thread, but for
 * read().
 */
#ifndef TUI_SECTIONS_H
#define TUI_SECTIONS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "tui/screen.h"
#include "view/profile.h"

struct tui;
struct code_source; /* tui/code.h */

/* A function of a row, in one of the recordings. */
struct section_code {
	const char *dso, *symbol; /* whole names */
	u32 event, nr_events; /* first of the group, how many */
};

/* All is borrowed. */
struct sections_source {
	void *ctx;
	size_t nr; /* at least one */
	const char *files; /* what is compared, for the title */
	/* Valid until the next one is asked for. */
	const struct view_section *(*section)(void *ctx, size_t i);
	const char *(*event)(void *ctx, size_t i);
	void (*add_header)(void *ctx, struct strbuf *out);
	/* What is to be told of the section that is shown; nothing = nothing. */
	void (*add_note)(void *ctx, struct strbuf *out);
	/* Rows that differ by less percentage points are left out of the next section. */
	double (*limit)(void *ctx, const double *new_limit);
	/* Recordings that may have code of a row's function; their names. */
	size_t nr_codes;
	const char *const *codes;
	/* The function of a row in the n-th of them, of the section's table or (above: the rows
	 * of a level) of its outline; false: it has none. */
	bool (*function)(void *ctx, size_t n, const struct view_rows *level, size_t row,
			 struct section_code *out);
	/* Samples by address of the n-th recording, which may take a while; NULL and *e. */
	const struct code_source *(*code)(void *ctx, size_t n, struct err *e);
};

struct tui_sections;

int tui_sections_open(struct tui_sections **out, const struct screen_colours *colours,
		      struct err *e);
void tui_sections_close(struct tui_sections *s); /* NULL is allowed */
/* read() is called in a thread of its own, while keys are answered. False: somebody quit, and
 * *unwanted became true. */
bool tui_sections_read(struct tui_sections *s, void (*read)(void *ctx, const bool *unwanted),
		       void *ctx);
/* Nothing where somebody quit before. */
void tui_sections_browse(struct tui_sections *s, const struct sections_source *source);

#endif
