/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording/fetching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "sys/end_signals.h"

enum { FIRST_MS = 1000, STEP_MS = 200 };

static u64 now_ms(void)
{
	return clock_now() / 1000000;
}

/* Under lock. */
static void wipe(struct fetching *f)
{
	if (f->drawn)
		fputs("\r\033[K", stderr);
	f->drawn = false;
}

static bool show_progress(void *ctx, const char *name, u64 done, u64 total)
{
	struct fetching *f = ctx;
	u64 now = now_ms();

	/* a recorder's file is complete by now: this is what may be left out */
	if (end_signals_waiting())
		return false;
	if (!f->terminal)
		return true;
	pthread_mutex_lock(&f->lock);
	if (now >= f->next) {
		const char *slash = strrchr(name, '/');
		_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;

		f->next = now + STEP_MS;
		f->drawn = true;
		strbuf_adds(&line, "\r\033[KAsking debuginfod for ");
		strbuf_add_escaped(&line, slash ? slash + 1 : name);
		if (done)
			strbuf_addf(&line, ": %.1f", (double)done / 1e6);
		if (done && total >= done)
			strbuf_addf(&line, " of %.1f", (double)total / 1e6);
		strbuf_adds(&line, done ? " MB" : "");
		fputs(line.buf, stderr);
	}
	pthread_mutex_unlock(&f->lock);
	return true;
}

static void show_result(void *ctx, const struct dso_fetched *r)
{
	struct fetching *f = ctx;

	pthread_mutex_lock(&f->lock);
	wipe(f);
	switch (r->state) {
	case DSO_FETCH_DONE:
		log_info("debuginfod: got '%s'", r->name);
		break;
	case DSO_FETCH_ABSENT:
		log_info("debuginfod: no server has '%s'", r->name);
		break;
	case DSO_FETCH_FAILED:
		log_info("debuginfod: cannot get '%s': %s", r->name, strerror(r->code));
		break;
	case DSO_FETCH_GIVEN_UP:
		log_warn("debuginfod: cannot get '%s' from %s: %s; nothing more is asked for",
			 r->name, f->urls, strerror(r->code));
		break;
	case DSO_FETCH_NO_LIBRARY:
		log_warn("debuginfod is not asked: there is no libdebuginfod.so.1");
		log_hint("install the package libdebuginfod1, or unset DEBUGINFOD_URLS");
		break;
	case DSO_FETCH_NO_CACHE:
		log_warn(
			"debuginfod is not asked: root does not write to '%s', which other users can change",
			r->name);
		log_hint("name a folder of root's own: DEBUGINFOD_CACHE_PATH=DIR");
		break;
	}
	pthread_mutex_unlock(&f->lock);
}

void fetching_init(struct fetching *f, const char *urls, struct dso_fetch *out)
{
	if (urls && !strcmp(urls, "system"))
		urls = getenv("DEBUGINFOD_URLS");
	if (urls && !urls[strspn(urls, " ")])
		urls = NULL;
	*f = (struct fetching){ .urls = urls,
				.next = now_ms() + FIRST_MS,
				.terminal = isatty(STDERR_FILENO) };
	pthread_mutex_init(&f->lock, NULL);
	*out = (struct dso_fetch){
		.urls = urls,
		.progress = show_progress,
		.told = show_result,
		.ctx = f,
	};
}

void fetching_finish(struct fetching *f)
{
	wipe(f);
	pthread_mutex_destroy(&f->lock);
}
