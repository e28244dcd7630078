/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/running.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "tui/report.h"
#include "tui/report_rows.h"

/* What was shown in the last minute is kept: no more than so many rows and pairs of rows and chains
 * in all, of each moment so many pairs. */
enum { KEPT_SECONDS = 60, KEPT_SIZE = 1 << 16, KEPT_PAIRS = 1 << 10 };

struct moment {
	struct snapshot *snapshot;
	char *note;
	u64 at; /* CLOCK_MONOTONIC ns */
};

struct tui_running {
	struct browse browse; /* first: what the keys of its view find this by */
	struct tui tui;
	struct running_source source;
	struct tui_view_ops ops;
	VEC(struct moment) moments; /* the latest is the last */
	size_t shown; /* one of them, if there are some */
	bool paused;
	bool stale; /* numbers have changed since it was shown */
	struct strbuf moment; /* "paused, 4 s ago" */
};

/* ---- moments ---- */

static void forget_moment(struct tui_running *r, size_t i)
{
	struct moment *m = &r->moments.v[i];

	snapshot_free(m->snapshot);
	free(m->note);
	memmove(m, m + 1, (r->moments.nr - i - 1) * sizeof(*m));
	r->moments.nr--;
}

static size_t size_of_moments(const struct tui_running *r)
{
	size_t size = 0;

	VEC_FOR(&r->moments, m) {
		struct snapshot_size s = snapshot_size(m->snapshot);

		size += s.rows + s.pairs;
	}
	return size;
}

/* The latest stays, which is the one that is shown. Where they are large, every other one does. */
static void forget_moments(struct tui_running *r, u64 now)
{
	while (r->moments.nr > 1 && now - r->moments.v->at > KEPT_SECONDS * 1000000000ULL)
		forget_moment(r, 0);
	while (r->moments.nr > 1 && size_of_moments(r) > KEPT_SIZE)
		for (size_t i = 0; i + 1 < r->moments.nr; i++)
			forget_moment(r, i);
	r->shown = r->moments.nr - 1;
}

static void show_moment(struct tui_running *r)
{
	const struct moment *m = &r->moments.v[r->shown];
	struct err e = ERR_INIT;

	strbuf_reset(&r->moment);
	if (r->paused)
		strbuf_addf(&r->moment, "paused, %llu s ago",
			    (unsigned long long)((clock_now() - m->at) / 1000000000));
	r->browse.moment = r->paused ? r->moment.buf : NULL;
	r->browse.note = m->note;
	r->stale = false;
	if (browse_lend(&r->browse, m->snapshot, &e) < 0)
		tui_complain_err(&r->tui, &e);
	tui_changed(&r->tui);
}

void tui_running_refresh(struct tui_running *r, const char *note)
{
	u64 now = clock_now();

	if (r->paused)
		return;
	*VEC_PUSH(&r->moments) = (struct moment){ snapshot_take(r->source.browse.agg),
						  xstrdup(note), now };
	r->shown = r->moments.nr - 1;
	show_moment(r);
	if (r->shown)
		snapshot_thin(r->moments.v[r->shown - 1].snapshot, KEPT_PAIRS);
	forget_moments(r, now);
}

void tui_running_renew(struct tui_running *r, struct session_renewal *renewal)
{
	struct snapshot **v = XNEW_ARRAY(struct snapshot *, r->moments.nr + 1);

	for (size_t i = 0; i < r->moments.nr; i++)
		v[i] = r->moments.v[i].snapshot;
	browse_renew(&r->browse, renewal);
	agg_renew(r->source.browse.agg, renewal, v, r->moments.nr);
	r->stale = r->moments.nr != 0;
	free(v);
}

/* ---- what keys do ---- */

static struct tui_running *running_of(const struct report_view *v)
{
	return (struct tui_running *)v->b;
}

static void pause_it(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_running *r = running_of(view);

	if (!r->moments.nr)
		return;
	r->paused = !r->paused;
	r->shown = r->moments.nr - 1;
	show_moment(r);
	tui_say(t, r->paused ? "paused: < and > show what was before; p goes on"
			     : "goes on: the next refresh shows what is now");
}

static void go_in_time(struct tui *t, void *view, const struct key *k)
{
	struct tui_running *r = running_of(view);
	bool back = k->code == '<';

	if (!r->moments.nr)
		return;
	if (back ? !r->shown : r->shown + 1 == r->moments.nr) {
		tui_say(t, back ? "nothing older is kept" : "this is the latest: p goes on");
		return;
	}
	r->paused = true;
	r->shown += back ? -1 : 1;
	show_moment(r);
}

static void toggle_zero(struct tui *t, void *view, const struct key *k UNUSED)
{
	bool *zero = &running_of(view)->source.choice->zero;

	*zero = !*zero;
	tui_say(t,
		*zero ? "each refresh begins anew" : "what was seen before counts less and less");
}

static void toggle_kernel(struct tui *t, void *view, const struct key *k UNUSED)
{
	bool *hide = &running_of(view)->source.choice->hide_kernel;

	*hide = !*hide;
	tui_say(t, *hide ? "samples in the kernel are left out from now on"
			 : "samples in the kernel are taken");
}

static void toggle_user(struct tui *t, void *view, const struct key *k UNUSED)
{
	bool *hide = &running_of(view)->source.choice->hide_user;

	*hide = !*hide;
	tui_say(t, *hide ? "samples in user space are left out from now on"
			 : "samples in user space are taken");
}

static bool take_number(struct tui *t, const char *answer, u64 least, u64 *out)
{
	u64 v;

	if (!answer || !*answer)
		return false;
	if (fmt_parse_u64(answer, &v) && v >= least && v <= INT32_MAX) {
		*out = v;
		return true;
	}
	tui_complain(t, "'%s' is not a number from %llu on", answer, (unsigned long long)least);
	return false;
}

static void delay_is(struct tui *t, void *ctx, const char *answer)
{
	take_number(t, answer, 1, &running_of(ctx)->source.choice->delay);
}

static void ask_delay(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_question q = {
		.text = "Seconds between refreshes: ", .done = delay_is, .ctx = view
	};

	tui_ask(t, &q);
}

static void count_is(struct tui *t, void *ctx, const char *answer)
{
	struct report_view *v = ctx;

	if (take_number(t, answer, 0, &v->b->source.opts->min_samples))
		show_moment(running_of(v));
}

static void ask_count(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_question q = {
		.text = "Only rows with so many samples: ", .done = count_is, .ctx = view
	};

	tui_ask(t, &q);
}

static void symbol_is(struct tui *t UNUSED, void *ctx, const char *answer)
{
	struct tui_running *r = running_of(ctx);

	if (answer && *answer)
		r->source.open_code(r->source.browse.ctx, answer);
}

static void ask_symbol(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_question q = {
		.text = "Code of the function: ", .done = symbol_is, .ctx = view
	};

	tui_ask(t, &q);
}

/* clang-format off */
static const struct key_row running_keys[] = {
	{ { 'p' }, "p", "pause, and go on; it is counted meanwhile, too", pause_it },
	{ { '<', '>' }, "< >", "what was shown before, back to a minute ago, and after that", go_in_time },
	{ { 'z' }, "z", "begin anew at each refresh, or not", toggle_zero },
	{ { 'D' }, "D", "seconds between refreshes", ask_delay },
	{ { 'N' }, "N", "show rows with so many samples only", ask_count },
	{ { 'K' }, "K", "leave out samples in the kernel, or take them", toggle_kernel },
	{ { 'U' }, "U", "leave out samples in user space, or take them", toggle_user },
	{ { 's' }, "s", "code of a function by its name", ask_symbol },
	{ .name = NULL },
};
/* clang-format on */

/* ---- from the beginning to the end ---- */

int tui_running_open(struct tui_running **out, const struct screen_colours *colours, struct err *e)
{
	struct tui_running *r = XNEW(struct tui_running);

	r->moment = (struct strbuf)STRBUF_INIT;
	r->ops = report_view_ops;
	r->ops.title = "Top";
	r->ops.more_keys = running_keys;
	if (tui_open(&r->tui, colours, e) < 0) {
		free(r);
		return -1;
	}
	*out = r;
	return 0;
}

void tui_running_begin(struct tui_running *r, const struct running_source *s)
{
	r->source = *s;
	r->paused = r->stale = false;
	r->tui.end = TUI_GOES_ON;
	browse_init(&r->browse, &s->browse);
	r->browse.complete = r->browse.goes_on = true;
	report_view_open(&r->tui, &r->browse, &r->ops);
	tui_step(&r->tui);
}

void tui_running_end(struct tui_running *r)
{
	while (r->tui.layers.nr)
		tui_pop(&r->tui);
	browse_release(&r->browse);
	while (r->moments.nr)
		forget_moment(r, r->moments.nr - 1);
	vec_free(&r->moments);
}

void tui_running_close(struct tui_running *r)
{
	if (!r)
		return;
	tui_close(&r->tui);
	strbuf_release(&r->moment);
	free(r);
}

enum running_end tui_running_keys(struct tui_running *r, bool *soon)
{
	if (r->stale)
		show_moment(r);
	switch (tui_step(&r->tui)) {
	case TUI_AGAIN:
		return RUNNING_AGAIN;
	case TUI_GOES_ON:
		*soon = tui_idle(&r->tui);
		return RUNNING_ON;
	default:
		return RUNNING_OVER;
	}
}

enum running_end tui_running_stay(struct tui_running *r)
{
	return tui_run(&r->tui) == TUI_AGAIN ? RUNNING_AGAIN : RUNNING_OVER;
}

struct browse_wish tui_running_wish(struct tui_running *r)
{
	struct browse_wish wish = r->browse.wish;

	r->browse.wish = (struct browse_wish){ 0 };
	r->tui.end = TUI_GOES_ON;
	return wish;
}

void tui_running_complain(struct tui_running *r, const struct err *e)
{
	tui_complain_err(&r->tui, e);
}

struct tui *tui_running_tui(struct tui_running *r)
{
	return &r->tui;
}
