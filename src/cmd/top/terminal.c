/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal: perf top on a full screen.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "cmd/top/top.h"
#include "live/live.h"
#include "sys/end_signals.h"
#include "text/header.h"
#include "tui/code.h"
#include "tui/recording.h"

static bool is_for_text(const struct top_opts *o)
{
	return o->use_stdio || o->json;
}

void top_terminal_open(struct top *t)
{
	const struct top_opts *o = t->o;
	struct err e = ERR_INIT;

	if (is_for_text(o) || (!o->use_tui && !(o->tui && tui_is_possible())))
		return;
	if (!tui_running_open(&t->tui, &o->colours, &e) || !isatty(STDOUT_FILENO))
		return;
	log_warn("%s", e.text);
	log_hint("%s", e.hint);
}

void top_terminal_close(struct top *t)
{
	if (!t->tui)
		return;
	tui_running_end(t->tui);
	tui_running_close(t->tui);
	t->tui = NULL;
}

/* ---- what views ask for ---- */

static void add_header(void *ctx, struct strbuf *out)
{
	header_text(session_file(((struct top *)ctx)->session), true, false, out);
}

static const struct code_source *find_code(void *ctx, struct err *e UNUSED)
{
	return top_code_source(((struct top *)ctx)->code);
}

static const struct perfdata_event *first_event(const struct top *t)
{
	struct perfdata *f = session_file(t->session);

	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		if (top_is_shown(perfdata_event(f, i)))
			return perfdata_event(f, i);
	return NULL;
}

static bool show_code(struct top *t, const struct address_function *f)
{
	const struct perfdata_event *ev = first_event(t);

	return ev && code_view_open(tui_running_tui(t->tui), top_code_source(t->code), f,
				    (struct code_events){ ev->index, ev->nr_members });
}

static void open_code(void *ctx, const char *symbol)
{
	struct top *t = ctx;
	struct address_function f;
	struct err e = ERR_INIT;

	if (top_code_find(t->code, symbol, &f)) {
		show_code(t, &f);
		return;
	}
	err_set(&e, ENOENT, "'%s' has not been sampled", symbol);
	tui_running_complain(t->tui, &e);
}

void top_terminal_begin(struct top *t)
{
	struct running_source s = { .browse = { .session = t->session,
						.opts = &t->o->profile,
						.columns = &t->columns,
						.agg = t->agg,
						.ctx = t,
						.add_header = add_header,
						.code = find_code },
				    .choice = &t->o->choice,
				    .open_code = open_code };

	tui_running_begin(t->tui, &s);
}

/* ---- what is shown ---- */

/* " 4000 Hz, lost: 0/0 drop: 0/0 (all, 2 CPUs)" */
static void add_note(struct strbuf *out, const struct top *t, const struct top_counts *c)
{
	const struct perfdata_event *ev = first_event(t);
	const struct session_stats *st = session_stats(t->session);

	if (ev && ev->attr.freq)
		strbuf_addf(out, " %llu Hz,", (unsigned long long)ev->attr.sample_freq);
	strbuf_addf(out, " lost: %llu/%llu drop: 0/0 ", (unsigned long long)c->lost,
		    (unsigned long long)st->lost_events);
	top_add_target(out, t);
}

void top_terminal_refresh(struct top *t, const struct top_counts *c)
{
	_cleanup_(strbuf_releasep) struct strbuf note = STRBUF_INIT;
	const struct address_function *f;

	add_note(&note, t, c);
	top_code_source(t->code);
	tui_running_refresh(t->tui, note.buf);
	f = top_code_found(t->code);
	if (f)
		show_code(t, f);
}

/* ---- keys ---- */

static void apply_wish(struct top *t, const struct browse_wish *w)
{
	const struct profile_opts now = t->o->profile;

	t->o->profile = t->typed;
	t->o->profile.agg.verbose = now.agg.verbose != w->verbose;
	t->o->profile.min_samples = now.min_samples;
	t->o->profile.percent_limit = now.percent_limit;
	t->o->profile.relative = now.relative;
	if (w->sort || t->sort) {
		t->o->profile.sort = w->sort ? w->sort : t->sort;
		t->o->profile.fields = NULL;
	}
}

/* Rows by other keys: what was counted by the ones before is gone. */
static int sort_again(struct top *t, const struct browse_wish *w, struct err *e)
{
	struct profile_opts opts = t->o->profile;
	struct profile_columns columns = t->columns;
	struct agg *agg = t->agg;
	bool by_address = profile_needs_addresses(&t->typed);

	apply_wish(t, w);
	t->columns = (struct profile_columns){ .order = STRBUF_INIT };
	t->agg = NULL;
	if (top_settle(t, e) == 0) {
		if (!profile_needs_addresses(&t->o->profile) || by_address) {
			tui_running_end(t->tui);
			profile_columns_release(&columns);
			agg_free(agg);
			return 0;
		}
		err_set(e, EINVAL, "what tells addresses of a function apart is for perf top -s");
	}
	agg_free(t->agg);
	profile_columns_release(&t->columns);
	t->agg = agg;
	t->columns = columns;
	t->o->profile = opts;
	return -1;
}

static void fulfil(struct top *t)
{
	struct browse_wish w = tui_running_wish(t->tui);
	struct err e = ERR_INIT;

	if (sort_again(t, &w, &e) < 0) {
		tui_running_complain(t->tui, &e);
		free(w.sort);
	} else {
		if (w.sort) {
			free(t->sort);
			t->sort = w.sort;
		}
		top_terminal_begin(t);
		t->next = 0;
	}
	free(w.path);
	free(w.time);
}

bool top_terminal_wait(struct top *t, u64 until)
{
	bool soon = false;
	u64 now;

	switch (tui_running_keys(t->tui, &soon)) {
	case RUNNING_OVER:
		return false;
	case RUNNING_AGAIN:
		fulfil(t);
		return true;
	case RUNNING_ON:
		break;
	}
	now = clock_now();
	if (!soon && until > now)
		live_wait_round(t->live, STDIN_FILENO,
				(int)MIN((until - now) / 1000000 + 1, (u64)INT32_MAX));
	return true;
}

void top_terminal_stay(struct top *t)
{
	struct err e = ERR_INIT;
	sigset_t set;

	/* nobody else takes them any more; the screen has a way to end */
	end_signals_set(&set);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	err_set(&e, ESRCH, "what was watched has ended: q quits");
	tui_running_complain(t->tui, &e);
	while (tui_running_stay(t->tui) == RUNNING_AGAIN) {
		struct browse_wish w = tui_running_wish(t->tui);

		free(w.sort);
		err_set(&e, ESRCH,
			"nothing is counted any more: sort by other keys (-s) at the start");
		tui_running_complain(t->tui, &e);
	}
}
