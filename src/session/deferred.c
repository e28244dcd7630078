/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * deferred: user callchains that the kernel took later, on the way back to user space: records of
 * their own (CALLCHAIN_DEFERRED), for all samples of the thread whose chains end with the same
 * cookie.
 *
 * The sample_id trailer behind them tells the thread. A file is read for them before the samples
 * are; of a stream each batch has what came until its end.
 */
#include "session/deferred.h"

#include <string.h>

#include "base/hash.h"
#include "perfdata/record.h"
#include "session/worker.h"

enum { BYTES_MAX = 1 << 30, READ_SIZE = 1 << 20 };

void deferred_release(struct deferred *d)
{
	vec_free(&d->chains);
	map_release(&d->by_cookie);
	arena_release(&d->arena);
}

static u64 key_of(u32 tid, u64 cookie)
{
	return hash_u64(hash_mix(cookie, tid));
}

static const struct deferred_chain *deferred_find(const struct deferred *d, u32 tid, u64 cookie)
{
	u32 i;

	for (struct map_probe p = map_first(&d->by_cookie, key_of(tid, cookie));
	     map_next(&d->by_cookie, &p, &i);) {
		if (d->chains.v[i].cookie == cookie && d->chains.v[i].tid == tid)
			return &d->chains.v[i];
	}
	return NULL;
}

static void add(struct deferred *d, const struct perfdata *file, const struct perf_event_header *h)
{
	const struct perfdata_event *ev = perfdata_event_of(file, h);
	struct deferred_chain c = { 0 };
	union record_view v;
	struct sample_id id;

	if (!ev || !sample_id_decode(&ev->layout, h, &id))
		return;
	/* of a record that is cut the addresses that are there are used */
	record_view(h, ev->layout.tail_size, &v);
	c.tid = id.tid;
	c.cookie = v.deferred.cookie;
	c.nr = (u32)v.deferred.nr_there;
	if (deferred_find(d, c.tid, c.cookie) || d->bytes > BYTES_MAX)
		return;
	d->bytes += sizeof(c) + c.nr * sizeof(u64);
	c.ips = arena_dup(&d->arena, v.deferred.ips, c.nr * sizeof(u64));
	map_add(&d->by_cookie, key_of(c.tid, c.cookie), (u32)d->chains.nr);
	*VEC_PUSH(&d->chains) = c;
}

void deferred_add(struct deferred *d, const struct perfdata *file,
		  const struct perf_event_header *h)
{
	if (h->type == PERF_RECORD_CALLCHAIN_DEFERRED)
		add(d, file, h);
}

static bool has_deferred(const struct perfdata *file)
{
	bool any = false;

	for (size_t i = 0; i < perfdata_nr_events(file); i++) {
		const struct perf_event_attr *attr = &perfdata_event(file, i)->attr;

		any |= attr->defer_callchain || attr->defer_output;
	}
	return any;
}

int deferred_read(struct deferred *d, struct source *source, struct err *e)
{
	struct perfdata_chunk chunk;
	u8 *buf;
	int r;

	if (!source->ops->rewind || !has_deferred(source->tables))
		return 0;
	buf = xmalloc(READ_SIZE);
	while ((r = source_read(source, buf, READ_SIZE, false, &chunk, e)) > 0) {
		const struct perf_event_header *h;

		for (size_t at = 0; at < chunk.len; at += h->size) {
			h = (const void *)(buf + at);
			deferred_add(d, source->tables, h);
		}
	}
	free(buf);
	source->ops->rewind(source);
	return r;
}

struct joined *worker_joined(struct session_worker *w, u64 nr)
{
	struct joined *out = &w->joined[w->next_joined++ % JOINED];

	out->nr = 0;
	VEC_GROW(out, nr);
	return out;
}

void deferred_join(struct session_worker *w, const struct deferred *d, bool keep_apart,
		   struct sample *smp)
{
	const struct deferred_chain *c;
	struct joined *out;
	u64 nr = smp->nr_chain;

	if (!deferred_waits(smp))
		return;
	smp->nr_chain = nr - 2;
	if (keep_apart) {
		smp->deferred = true;
		return;
	}
	w->deferred++;
	c = deferred_find(d, smp->tid, smp->chain[nr - 1]);
	if (!c) {
		w->deferred_missing++;
		return;
	}
	out = worker_joined(w, nr + 1 + c->nr);
	memcpy(out->v, smp->chain, (nr - 2) * sizeof(u64));
	nr -= 2;
	if (!c->nr || c->ips[0] < PERF_CONTEXT_MAX)
		out->v[nr++] = PERF_CONTEXT_USER;
	memcpy(out->v + nr, c->ips, c->nr * sizeof(u64));
	smp->chain = out->v;
	smp->nr_chain = nr + c->nr;
}
