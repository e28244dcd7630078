/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_samples: makes the samples and records of the entries of a batch: reads them from the file if
 * they were left there, decodes them, finds their process and callchain.
 */
#include "base/mem.h"
#include "perfdata/record.h"
#include "session/branches.h"
#include "session/lbr.h"
#include "session/ref_chains.h"
#include "session/run.h"

static inline const struct perfdata_event *event_of(const struct session *s,
						    struct session_worker *w,
						    const struct perf_event_header *h)
{
	if (LIKELY(h->type == PERF_RECORD_SAMPLE))
		return known_events_of(&w->events, s->file, h);
	return h->type < PERF_RECORD_USER_TYPE_START ? perfdata_event_of(s->file, h) : NULL;
}

/* pid and tid in the body or trailer of a record that is no sample. */
static void record_site(struct session_worker *w, const struct session_record *rec,
			struct site *site)
{
	union record_view v;
	struct sample_id id;

	*site = (struct site){ .time = rec->time, .changed = UINT32_MAX };
	switch (rec->h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
		record_view(rec->h, 0, &v);
		/* these records all begin with pid and tid, as COMM does */
		worker_site(w, v.comm.pid, v.comm.tid, rec->time, site);
		return;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		if (record_view(rec->h, 0, &v))
			worker_site(w, v.task.pid, v.task.tid, rec->time, site);
		return;
	default:
		if (rec->event && sample_id_decode(&rec->event->layout, rec->h, &id) &&
		    id.tid != (u32)-1)
			worker_site(w, id.pid, id.tid, rec->time, site);
		return;
	}
}

/* Make the record that of one counter; false when none of its counters moved. */
static bool take_member(const struct run *r, const struct rec_index *i, struct session_record *rec,
			struct sample *smp)
{
	const struct counter_member *m = &r->counters.members.v[i->member - 1];

	rec->again = m->again;
	if (!m->event)
		return false;
	rec->event = m->event;
	smp->id = m->id;
	smp->period = m->period;
	return true;
}

/* A record at pos, if the worker's window has all of it. */
static const struct perf_event_header *in_window(const struct session_worker *w, u64 pos)
{
	const struct perf_event_header *h;
	u64 off = pos - w->window_pos;

	if (pos < w->window_pos || off % 8 || off + sizeof(*h) > w->window_len)
		return NULL;
	h = (const struct perf_event_header *)(const void *)(w->window + w->window_from + off);
	return off + h->size <= w->window_len ? h : NULL;
}

/* Bytes of the window behind what was read last: there is room for one more piece if they hold any
 * sample. */
static size_t window_room(const struct session_worker *w)
{
	return WINDOW_SIZE - MIN(ALIGN_UP(w->window_from + w->window_len, 8), (size_t)WINDOW_SIZE);
}

/*
 * How much to read for some samples: up to where a gap between them is large. The last one's length
 * is not known yet: the longest so far is taken.
 */
static size_t window_wanted(const struct session_worker *w, const struct rec_index *i,
			    const struct rec_index *end, size_t room)
{
	u64 to = i->at + w->longest;

	for (const struct rec_index *j = i + 1; j < end && !j->kept && j->at >= i->at; j++) {
		if (j->at > to + WINDOW_GAP || j->at + w->longest > i->at + room)
			break;
		to = j->at + w->longest;
	}
	return (size_t)(to - i->at);
}

/* Reads the record and what is wanted behind it; at: where in the window. */
static const struct perf_event_header *read_window(const struct run *r, struct session_worker *w,
						   const struct rec_index *i,
						   const struct rec_index *end, size_t at)
{
	size_t want = w->longest ? window_wanted(w, i, end, WINDOW_SIZE - at) : UINT16_MAX;

	if (!w->window)
		w->window = xmalloc(WINDOW_SIZE);
	for (;;) {
		ssize_t got = source_read_at(r->s->source, w->window + at, want, i->at);
		const struct perf_event_header *h;

		w->window_pos = i->at;
		w->window_from = at;
		w->window_len = got > 0 ? (size_t)got : 0;
		h = in_window(w, i->at);
		if (h || want >= UINT16_MAX)
			return h;
		want = UINT16_MAX; /* longer than all before it */
	}
}

const struct perf_event_header *run_load_sample(const struct run *r, struct session_worker *w,
						const struct rec_index *i,
						const struct rec_index *end, bool behind)
{
	const struct perf_event_header *h = in_window(w, i->at);

	if (!h)
		h = read_window(r, w, i, end, behind ? WINDOW_SIZE - window_room(w) : 0);
	if (!h || h->type != PERF_RECORD_SAMPLE || h->size < sizeof(*h))
		return NULL;
	w->longest = MAX(w->longest, h->size);
	return h;
}

/* Whether a sample can be read once more later. Not one without a time of its own (it has that of
 * its round), nor one with a copied stack (to unwind it again would take too long). */
static bool can_read_again(const struct run *r, const struct rec_index *i,
			   const struct session_record *rec)
{
	return !i->kept && rec->time && rec->time == i->time && !rec->sample->user_regs &&
	       i->at % SESSION_UNIT == 0 && i->at / SESSION_UNIT <= UINT32_MAX && !r->again;
}

/* Whether the sample is one of those that are decoded together. */
static bool is_ahead(const struct session_worker *w, const struct sample *smp)
{
	return ((uintptr_t)smp - (uintptr_t)w->ahead) / sizeof(*smp) < AHEAD;
}

/* Whether the chain for the consumer differs from the one in the sample: callers or branches are
 * added, or its words are marks. */
static inline bool needs_more(const struct session *s, const struct perfdata_event *ev,
			      const struct sample *smp)
{
	const struct session_opts *o = &s->opts;

	return (o->unwind && smp->user_regs) || s->ref_chains ||
	       (o->lbr && ev->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) ||
	       (o->branches && smp->nr_branch) ||
	       (smp->nr_chain &&
		(ev->attr.sample_stack_user || deferred_waits(smp) ||
		 (s->stacks.some_unwound && smp->chain[smp->nr_chain - 1] == PERF_CONTEXT_USER)));
}

static __attribute__((noinline)) void complete(struct run *r, struct session_worker *w,
					       struct session_record *rec, struct sample *smp)
{
	if (smp->nr_chain)
		deferred_join(w, &r->s->deferred, r->s->opts.deferred_apart, smp);
	/* unwound later, together with the samples that are decoded after it */
	if (r->s->opts.unwind && smp->user_regs && smp->user_stack_size)
		stacks_put_off(w, &rec->event->layout, &rec->site, smp);
	else if (smp->nr_chain)
		stacks_take_stored(w, rec->event, smp);
	if (r->s->opts.unwind && smp->user_regs && !smp->user_stack_size)
		stacks_add_leaf_caller(w, &rec->event->layout, &rec->site, smp);
	if (!is_ahead(w, smp) || smp->nr_branch)
		stacks_walk(w);
	if (rec->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) {
		if (r->s->opts.lbr && smp->nr_chain)
			lbr_take_stack(w, &rec->site, smp);
	} else if (r->s->opts.branches && smp->nr_branch) {
		branches_add_to_chain(w, smp);
	}
	if (UNLIKELY(r->s->ref_chains != NULL))
		ref_chains_take(r->s->ref_chains, rec->event, &rec->site, smp);
}

bool run_prepare(struct run *r, struct session_worker *w, const struct perf_event_header *h,
		 const struct rec_index *i, struct session_record *rec, struct sample *smp)
{
	mem_clear(rec, sizeof(*rec));
	rec->h = h;
	rec->time = i->time;
	rec->pos = batch_pos(r->now, i);
	rec->event = event_of(r->s, w, h);
	if (h->type != PERF_RECORD_SAMPLE) {
		if (h->size >= sizeof(*h) + 8)
			record_site(w, rec, &rec->site);
		if (r->now->timeless)
			rec->time = 0;
		return true;
	}
	if (!rec->event) {
		w->unknown_id++;
		return false;
	}
	if (!sample_decode(&rec->event->layout, h, smp)) {
		if (!w->bad_samples++ || rec->pos < w->bad_pos) {
			w->bad_pos = rec->pos;
			w->bad_size = h->size;
		}
		return false;
	}
	rec->time = smp->time == UINT64_MAX ? 0 : smp->time;
	if (UNLIKELY(!filter_is_empty(&r->s->filter)))
		rec->left_out = filter_judge(&r->s->filter, rec->time, smp->cpu);
	if (rec->left_out && !r->s->opts.tell_left_out)
		return false;
	if (i->kept && i->member && !take_member(r, i, rec, smp))
		return r->c->all_records && r->c->order == SESSION_ORDERED;
	rec->sample = smp;
	if (r->again)
		rec->tag = (u32)i->time;
	worker_sample_site(w, smp, r->again ? rec->time : i->time, &rec->site);
	rec->in_file = can_read_again(r, i, rec) && !r->s->opts.stitch_lbr &&
		       !r->s->opts.ref_chains;
	if (UNLIKELY(needs_more(r->s, rec->event, smp)))
		complete(r, w, rec, smp);
	return true;
}

bool run_hand_over(struct run *r, struct session_worker *w, size_t nr)
{
	bool go_on = true;

	if (!nr)
		return true;
	stacks_walk(w);
	worker_look_ahead(w, nr);
	if (r->c->samples)
		go_on = r->c->samples(r->c->ctx, w, w->number, w->ahead_rec, nr);
	else
		for (size_t i = 0; i < nr && go_on; i++)
			go_on = r->c->sample(r->c->ctx, w, w->number, &w->ahead_rec[i]);
	if (!go_on)
		__atomic_store_n(&r->stop, true, __ATOMIC_RELAXED);
	return go_on;
}

static bool is_in_kernel(u16 misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

static void load_kernel(void *arg)
{
	dso_symtab(arg);
}

/* Reads the kernel's symbols, on the first call. */
static void begin_kernel(struct run *r)
{
	if (!atomic_load_explicit(&r->kernel_begun, memory_order_relaxed) &&
	    !atomic_exchange(&r->kernel_begun, true))
		r->kernel_task = par_task_beside(load_kernel, dso_table_kernel(r->s->dsos));
}

void run_sample_slice(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct run *r = ctx;
	struct session_worker *w = &r->s->workers[worker];
	const struct rec_index *due = r->due;
	size_t nr = 0; /* decoded, not handed over yet */

	w->ahead_is_bare = false;
	for (size_t i = from; i < to; i++) {
		const struct perf_event_header *h;
		struct sample *smp;

		/* decoded samples point into the window, and a worker has memory for one chain that
		 * it made */
		if (nr == AHEAD ||
		    (nr && !due[i].kept && !in_window(w, due[i].at) &&
		     window_room(w) < UINT16_MAX) ||
		    (nr && w->ahead[nr - 1].made)) {
			if (!run_hand_over(r, w, nr))
				return;
			nr = 0;
		}
		h = due[i].kept ? batch_record(r->now, &due[i])
				: run_load_sample(r, w, &due[i], &due[to], nr != 0);
		if (UNLIKELY(r->pass == PASS_USER) && h && is_in_kernel(h->misc)) {
			begin_kernel(r);
			*VEC_PUSH(&w->put_off) = due[i];
			continue;
		}
		smp = &w->ahead[nr];
		if (!h)
			w->bad_samples++;
		else if (run_prepare(r, w, h, &due[i], &w->ahead_rec[nr], smp))
			nr++;
	}
	run_hand_over(r, w, nr);
}

bool run_takes(struct run *r, u16 misc)
{
	bool in_kernel;

	if (LIKELY(r->pass == PASS_ALL))
		return true;
	in_kernel = is_in_kernel(misc);
	if (r->pass == PASS_USER && in_kernel)
		begin_kernel(r);
	return in_kernel == (r->pass == PASS_KERNEL);
}
