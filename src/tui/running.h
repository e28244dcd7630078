/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running: the terminal interface of perf top: the rows of a report that are others every few
 * seconds, and what was shown in the last minute.
 *
 *     tui_running_open()
 *     tui_running_begin()          with an accumulation that goes on
 *     tui_running_refresh()        every few seconds: what has been accumulated by now is shown
 *     tui_running_keys()           in session_consumer.round: keys are answered
 *     tui_running_renew()          in session_consumer.renew
 *     tui_running_end()
 *     tui_running_close()          the terminal is as it was
 *
 * begin to end any number of times. One thread, while no worker is at work.
 */
#ifndef TUI_RUNNING_H
#define TUI_RUNNING_H

#include "tui/browse.h"
#include "tui/screen.h"

struct tui;

/* What keys change beside profile_opts. */
struct running_choice {
	u64 delay; /* seconds between refreshes */
	bool hide_kernel, hide_user; /* samples there are left out */
	bool zero; /* each refresh begins anew */
};

struct running_source {
	struct browse_source browse;
	struct running_choice *choice;
	/* The code of a function by its name, or a message why not. ctx: as of browse. */
	void (*open_code)(void *ctx, const char *symbol);
};

struct tui_running;

int tui_running_open(struct tui_running **out, const struct screen_colours *colours, struct err *e);
void tui_running_close(struct tui_running *r); /* NULL is allowed */
void tui_running_begin(struct tui_running *r, const struct running_source *s);
void tui_running_end(struct tui_running *r);
/* note: what stands behind the event in the title. */
void tui_running_refresh(struct tui_running *r, const char *note);
/*
 * Draws what is to be drawn and answers keys for so long as there are some. What ends it: quit, the
 * terminal is gone, or a wish for other keys, which tui_running_wish() takes. *soon: something is
 * left to be done while no key comes.
 */
enum running_end { RUNNING_ON, RUNNING_OVER, RUNNING_AGAIN };
enum running_end tui_running_keys(struct tui_running *r, bool *soon);
/* After the last round: until somebody quits, or wishes something. */
enum running_end tui_running_stay(struct tui_running *r);
/* All to be freed. */
struct browse_wish tui_running_wish(struct tui_running *r);
/* Numbers change, also those of the accumulation. */
void tui_running_renew(struct tui_running *r, struct session_renewal *renewal);
/* A line that is shown until the next key. */
void tui_running_complain(struct tui_running *r, const struct err *e);
struct tui *tui_running_tui(struct tui_running *r);

#endif
