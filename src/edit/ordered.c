/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies records in order of time. FINISHED_ROUND records may stay where they come: in this order
 * everything before them has arrived.
 */
#include <errno.h>

#include "edit/pass.h"

struct pass {
	struct edit *in;
	struct err *e;
	bool failed;
};

static bool failed(struct pass *p)
{
	p->failed = true;
	return false;
}

static bool is_mapping(u32 type)
{
	return type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2;
}

static bool take_record(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
			const struct session_record *r, struct strbuf *out)
{
	struct pass *p = ctx;
	struct edit *in = p->in;
	bool taken = false;

	if (r->again || !output_keeps(in, r->h))
		return true;
	if (r->h->type == PERF_RECORD_AUXTRACE) {
		err_set(p->e, ENOTSUP,
			"recordings with AUX area data (Intel PT, ...) cannot be put in order yet");
		return failed(p);
	}
	if (in->jits && jits_before(in, r->time, out, p->e))
		return failed(p);
	if (in->jits && is_mapping(r->h->type) && jits_take(in, r, out, &taken, p->e))
		return failed(p);
	if (taken)
		return true;
	in->records++;
	if (in->mark && r->h->type == PERF_RECORD_SAMPLE && r->sample)
		ids_mark(in, session_dso(w, &r->site, r->sample->cpumode, r->sample->ip), out);
	if (output_changes(in, r->h)) {
		if (in->aslr)
			aslr_put(in, r->h, out);
		else
			maps_put(in, r->h, out);
		return true;
	}
	if (r->h->type == PERF_RECORD_SAMPLE && r->sample) {
		if (in->sched) {
			sched_sample(in->sched, r, out);
			return true;
		}
		if (in->o->convert_chains) {
			chains_convert(r, out);
			return true;
		}
	}
	strbuf_add(out, r->h, r->h->size);
	return true;
}

static bool write_text(void *ctx, const char *text, size_t len)
{
	struct pass *p = ctx;

	if (output_write(p->in, text, len, p->e))
		return failed(p);
	return !output_stops(p->in);
}

int order_records(struct edit *in, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf rest = STRBUF_INIT;
	struct pass p = { .in = in, .e = e };
	/* Stacks can be converted side by side; the other edits depend on the samples before. */
	bool side_by_side = in->o->convert_chains && !in->jits && !in->sched && !in->mark &&
			    !in->maps && !in->aslr;
	struct session_consumer c = { .order = SESSION_ORDERED,
				      .all_records = true,
				      .ctx = &p,
				      .serial = !side_by_side,
				      .record = take_record,
				      .emit = write_text };

	if (session_run(in->s, &c, e) || p.failed)
		return -1;
	if (!in->jits || in->stopped)
		return 0;
	if (jits_before(in, UINT64_MAX, &rest, e))
		return -1;
	return output_write(in, rest.buf, rest.len, e);
}
