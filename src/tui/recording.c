/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/recording.h"

#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tui/report.h"
#include "tui/report_zoom.h"
#include "tui/tui.h"

/* A part is shown so soon, and then while it costs less than a share of the time; each stands
 * longer than the one before, since it has more rows, and changes less. */
enum { FIRST_PART_NS = 60000000, PART_NS = 200000000, PART_SHARE = 8, PART_GROWTH = 3 };

struct tui_recording {
	struct tui tui;
	struct browse browse;
	bool begun;
	u64 began, next; /* CLOCK_MONOTONIC ns; when a part is shown again */
	u64 done, total;
};

bool tui_is_possible(void)
{
	return screen_possible();
}

int tui_recording_open(struct tui_recording **out, const struct screen_colours *colours,
		       struct err *e)
{
	struct tui_recording *r = XNEW(struct tui_recording);

	if (tui_open(&r->tui, colours, e) < 0) {
		free(r);
		return -1;
	}
	*out = r;
	return 0;
}

void tui_recording_close(struct tui_recording *r)
{
	if (!r)
		return;
	tui_close(&r->tui);
	free(r);
}

void tui_recording_begin(struct tui_recording *r, const struct browse_source *s)
{
	r->began = clock_now();
	r->next = r->began + FIRST_PART_NS;
	r->done = r->total = 0;
	r->tui.end = TUI_GOES_ON;
	browse_init(&r->browse, s);
	report_view_open(&r->tui, &r->browse, &report_view_ops);
	r->begun = true;
	tui_step(&r->tui);
}

void tui_recording_progress(void *recording, u64 done, u64 total)
{
	struct tui_recording *r = recording;

	r->done = done;
	r->total = total;
}

/* What has been read by now, so that most of the time is left for reading. */
static void show_part(struct tui_recording *r)
{
	struct err e = ERR_INIT;
	u64 from = clock_now(), percent = browse_percent(&r->browse);

	r->browse.done = r->done;
	r->browse.total = r->total;
	r->tui.redraw |= browse_percent(&r->browse) != percent;
	if (from < r->next)
		return;
	if (browse_take(&r->browse, &e) < 0)
		tui_complain_err(&r->tui, &e);
	tui_changed(&r->tui);
	r->next = MAX(from + PART_NS, clock_now() + (clock_now() - from) * PART_SHARE);
	r->next = MAX(r->next, from + (from - r->began) / PART_GROWTH);
}

bool tui_recording_round(struct tui_recording *r)
{
	show_part(r);
	return tui_step(&r->tui) == TUI_GOES_ON;
}

bool tui_recording_browse(struct tui_recording *r, struct browse_wish *wish, struct err *e)
{
	struct browse *b = &r->browse;

	if (r->tui.end == TUI_GOES_ON) {
		b->complete = true;
		if (browse_take(b, e) < 0)
			return false;
		tui_changed(&r->tui);
		if (browse_nr_events(b) > 1 && r->tui.layers.nr == 1)
			report_choose_event(&r->tui, b);
		tui_run(&r->tui);
	}
	if (r->tui.end != TUI_AGAIN)
		return false;
	*wish = b->wish;
	b->wish = (struct browse_wish){ 0 };
	return true;
}

void tui_recording_end(struct tui_recording *r)
{
	if (!r->begun)
		return;
	while (r->tui.layers.nr)
		tui_pop(&r->tui);
	browse_release(&r->browse);
	r->begun = false;
}

void tui_recording_complain(struct tui_recording *r, const struct err *e)
{
	tui_complain_err(&r->tui, e);
}
