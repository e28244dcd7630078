/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/watching.h"

#include <stdio.h>

#include "capture/attr.h"
#include "cli/print_err.h"
#include "program/build_options.h"
#include "selection/open_note.h"

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
