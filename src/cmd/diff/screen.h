/* SPDX-License-Identifier: GPL-2.0-or-later */
/* screen: perf diff on a terminal: when that is wanted, and what is shown there. */
#ifndef CMD_DIFF_SCREEN_H
#define CMD_DIFF_SCREEN_H

#include "cmd/diff/diff.h"

/* Opens o->screen, if differences are shown there; false: they are not. Where that was asked for in
 * vain, it is told why. */
bool diff_screen_open(struct diff_cmd *o);
/* Nothing where there is none. */
void diff_screen_close(struct diff_cmd *o);
/* read(): in a thread of its own, while keys are answered. False: somebody quit, which it was told.
 */
bool diff_screen_read(struct diff_cmd *o, void (*read)(void *ctx, const bool *unwanted), void *ctx);
/* Until somebody quits. compared: one for each input. */
void diff_screen_browse(struct diff_cmd *o, struct compared *compared,
			const struct diff_input *inputs, size_t nr);
/* What was read for code; nothing where it was not. */
void compared_forget_code(struct compared *r);

#endif
