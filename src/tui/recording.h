/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording: the terminal interface of perf report, as the command uses it:
 *
 *     if (tui_wanted()) ...
 *     tui_recording_open()
 *     tui_recording_begin()        with the accumulation that will be filled
 *     tui_recording_round()        in session_consumer.round: keys are answered, parts are shown
 *     tui_recording_browse()       when all is read, until somebody quits or wishes another reading
 *     tui_recording_end()
 *     tui_recording_close()        the terminal is as it was
 *
 * begin to end any number of times. What is written to stderr while the screen is open is kept and
 * written when it is closed.
 */
#ifndef TUI_RECORDING_H
#define TUI_RECORDING_H

#include "tui/browse.h"
#include "tui/screen.h"

struct tui_recording;

/* Whether this perf has a terminal interface, and standard input and output are a terminal that can
 * be drawn on. */
bool tui_is_possible(void);

int tui_recording_open(struct tui_recording **out, const struct screen_colours *colours,
		       struct err *e);
void tui_recording_close(struct tui_recording *r); /* NULL is allowed */
void tui_recording_begin(struct tui_recording *r, const struct browse_source *s);
/* session_opts.progress */
void tui_recording_progress(void *recording, u64 done, u64 total);
/* False: reading shall stop. */
bool tui_recording_round(struct tui_recording *r);
/* The wish, if the recording is to be read again: to be released by tui_wish_release(). */
bool tui_recording_browse(struct tui_recording *r, struct browse_wish *wish, struct err *e);
void tui_recording_end(struct tui_recording *r);
/* A line that is shown with the next screen. */
void tui_recording_complain(struct tui_recording *r, const struct err *e);

#endif
