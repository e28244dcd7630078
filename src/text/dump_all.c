/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/dump_all.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "text/dump.h"
#include "text/stats.h"

struct dump_run {
	struct session *s;
	FILE *to;
	bool branches; /* what counts are the branches of samples */
	u64 *counts; /* by event */
	size_t nr;
};

static bool dump_one(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
		     const struct session_record *r, struct strbuf *out)
{
	struct dump_run *d = ctx;
	struct dump_input in = { .h = r->h, .pos = r->pos, .event = r->event, .sample = r->sample };
	struct dso_table *dsos = session_dsos(d->s);
	dso_id dso;

	if (!r->again)
		dump_record(out, session_file(d->s), DUMP_REPORT, &in);
	if (!r->sample || r->left_out == LEFT_OUT_BY_TIME)
		return true;
	if (r->event->index < d->nr && !r->left_out)
		__atomic_fetch_add(&d->counts[r->event->index],
				   d->branches ? r->sample->nr_branch : 1, __ATOMIC_RELAXED);
	dso = session_dso(w, &r->site, r->sample->cpumode, r->sample->ip);
	dump_site(out, model_str(session_model(d->s), r->site.comm), r->sample->tid,
		  dso ? dso_long_name(dso_table_get(dsos, dso)) : NULL);
	return true;
}

static bool write_text(void *ctx, const char *text, size_t len)
{
	struct dump_run *d = ctx;

	return fwrite(text, 1, len, d->to) == len;
}

int dump_all(struct session *s, bool branches, FILE *to, struct err *e)
{
	struct dump_run d = { .s = s, .to = to, .branches = branches, .nr = LIMIT_EVENTS };
	struct session_consumer c = { .order = SESSION_ORDERED,
				      .all_records = true,
				      .ctx = &d,
				      .record = dump_one,
				      .emit = write_text };
	_cleanup_(strbuf_releasep) struct strbuf stats = STRBUF_INIT;
	int ret;

	d.counts = XNEW_ARRAY(u64, d.nr);
	ret = session_run(s, &c, e);
	if (!ret) {
		stats_add(&stats, s, d.counts, NULL, true);
		write_text(&d, stats.buf, stats.len);
	}
	free(d.counts);
	return ret;
}
