/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/watching.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/attr.h"
#include "cli/print_err.h"
#include "program/build_options.h"
#include "selection/open_note.h"
#include "sys/end_signals.h"

static void on_note(void *ctx, enum capture_open_note kind, const struct event *ev,
		    const char *text)
{
	const struct watching *w = ctx;

	if (w->on_note)
		w->on_note(w->ctx, kind, ev, text);
	else
		open_note_tell(w->sampling->verbose, w->sampling->quiet, kind, ev, text);
}

static void on_tell(void *ctx UNUSED, const char *text)
{
	fprintf(stderr, "%s\n", text);
}

int watch_events(const struct watching *w)
{
	struct sampling *s = w->sampling;
	struct capture_open_log log = { .note = on_note, .ctx = (void *)(uintptr_t)w };
	struct capture_opts co = { .cfg = &s->cfg,
				   .events = &s->events,
				   .target = w->target,
				   .workload = w->workload,
				   .version = perf_version,
				   .argv = w->line,
				   .code_notes = sampling_code_notes(s),
				   .log = &log,
				   .tell = on_tell };
	struct live_opts lo = { .tee_fd = w->tee_fd };
	struct strbuf why = STRBUF_INIT;
	struct err e = ERR_INIT;
	struct source *live = NULL;
	int ret = -1;

	co.tracking = capture_configure(&s->events, &s->cfg, w->target);
	lo.capture = capture_new(&co);
	lo.backlog = w->backlog;
	if (capture_prepare(lo.capture, &why, &e) < 0) {
		sampling_print_prepare_error(s, lo.capture, &why, &e);
	} else {
		ret = w->prepared ? w->prepared(w->ctx, lo.capture, &e) : 0;
		if (!ret)
			ret = live_open(&live, &lo, &e);
		if (!ret)
			ret = w->run(w->ctx, lo.capture, live, &e);
		if (ret < 0)
			err_print(&e);
	}
	capture_close_late(lo.capture);
	capture_free(lo.capture);
	strbuf_release(&why);
	return ret;
}

static int add_tracepoints(struct sampling *s, const struct watched_tracepoints *t, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(t->names) && t->names[i]; i++) {
		struct event_error ee = { 0 };

		if (!event_parse(&s->events, t->names[i], &s->env, &ee))
			continue;
		err_set(e, EINVAL, "%s cannot use %s: %s", t->command, t->names[i], ee.text);
		if (geteuid())
			err_hint(e, "tracepoints are root's: sudo %s", t->command);
		else if (t->missing)
			err_hint(e, "%s", t->missing);
		return -1;
	}
	return 0;
}

int watch_tracepoints(struct watching *w, const struct watched_tracepoints *t)
{
	enum { ROUND_MS = 50, RING_PAGES = 512 };
	struct sampling *s = w->sampling;
	struct capture_target target = { 0 };
	struct held_signals held = { 0 };
	struct workload none = { 0 };
	struct err e = ERR_INIT;
	int ret = -1;

	s->cfg.to_pipe = true;
	s->cfg.round_ms = ROUND_MS;
	s->cfg.synth = CAPTURE_SYNTH_TASK;
	s->cfg.mmap_pages = t->pages > 0 ? (u32)t->pages : RING_PAGES;
	sampling_choose_target(s, false, &target);
	if (add_tracepoints(s, t, &e) < 0) {
		err_print(&e);
	} else if (sampling_set_rate(s)) {
		/* it has been told why */
	} else if (sampling_resolve_target(s, &target, &none, NULL, false, &e) < 0) {
		sampling_print_target_error(s, &e);
	} else {
		w->target = &target;
		held_signals_begin(&held, 0);
		ret = watch_events(w) ? -1 : 0;
		w->target = NULL;
	}
	capture_target_release(&target);
	return ret;
}
