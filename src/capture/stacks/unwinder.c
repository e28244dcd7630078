/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/stacks/unwinder.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "base/hash.h"
#include "capture/stacks/internal.h"
#include "sys/limits.h"

/* Its copies become callchains. */
static bool has_stacks(const struct event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_STACK_USER && !ev->keeps_copies;
}

/*
 * Samples of an event that stands in for another look as its do. The link register, which tells of
 * a caller that frame pointers miss, is not among what is kept: that caller is in the chain.
 */
static void set_up_file_regs(const struct unwinder *u, size_t i, const struct event *ev,
			     struct unwound_event *out)
{
	size_t nr = u->o.events->events.nr;
	const struct perf_event_attr *as =
		&(out->spare ? u->o.events->events.v[u->o.stands_for[i - nr]] : ev)->attr;

	out->copied_regs = ev->attr.sample_regs_user;
	out->file_has_regs = u->o.keep_regs || (!(as->sample_type & PERF_SAMPLE_STACK_USER) &&
						as->sample_type & PERF_SAMPLE_REGS_USER);
	out->file_regs = u->o.keep_regs ? as->sample_regs_user : 0;
}

/* Of an event and of the one with larger copies that stands in for it. */
static u32 grows_from(const struct unwinder *u, size_t i)
{
	size_t nr = u->o.events->events.nr;
	const struct event *ev = u->o.events->events.v[i < nr ? i : u->o.stands_for[i - nr]];

	return u->o.spares && ev->watched && event_copies_stacks(ev) ? ev->attr.sample_stack_user
								     : 0;
}

static void set_up_events(struct unwinder *u)
{
	size_t nr = u->o.events->events.nr;
	struct sys_limits limits;

	sys_limits_read(&limits, NULL);
	u->nr_events = nr + (u->o.spares ? u->o.spares->events.nr : 0);
	u->events = XNEW_ARRAY(struct unwound_event, u->nr_events);
	for (size_t i = 0; i < u->nr_events; i++) {
		const struct event *ev = i < nr ? u->o.events->events.v[i]
						: u->o.spares->events.v[i - nr];

		u->events[i].spare = i >= nr;
		u->events[i].watched = ev->watched && i < nr && u->o.spares &&
				       !event_copies_stacks(ev);
		u->events[i].grows = grows_from(u, i);
		sample_layout_init(&u->events[i].layout, &ev->attr);
		u->events[i].stacks = has_stacks(ev);
		u->events[i].top = ev->copies_top;
		set_up_file_regs(u, i, ev, &u->events[i]);
		unwind_reg_words_init(&u->events[i].regs, u->abi, ev->attr.sample_regs_user);
		unwind_reg_words_init(&u->events[i].regs32, u->abi32, ev->attr.sample_regs_user);
		u->events[i].max_frames = ev->max_frames ? ev->max_frames : UNWINDER_MAX_FRAMES;
		u->events[i].kernel_max = ev->attr.sample_max_stack ? ev->attr.sample_max_stack
								    : limits.max_stack;
	}
	sample_layout_init(&u->side, &u->o.tracking->attr);
	u->timeless = !u->side.tail_time;
	u->monotonic = u->o.tracking->attr.use_clockid &&
		       u->o.tracking->attr.clockid == CLOCK_MONOTONIC;
}

static void new_model(struct unwinder *u)
{
	struct dso_config live = { .live = true,
				   .plain_maps = u->o.plain_maps,
				   .buildid_dir = u->o.buildid_dir };

	u->dsos = dso_table_new(&live);
	u->model = model_new(u->dsos);
	model_follow_jits(u->model, u->timeless ? MODEL_JITS_TIMELESS : MODEL_JITS_LIVE);
	model_set_jit_times(u->model, u->monotonic);
	u->objects = unwind_objects_new();
	u->generation++;
}

static void free_model(struct unwinder *u)
{
	unwind_objects_free(u->objects);
	model_free(u->model);
	dso_table_free(u->dsos);
}

static void see_from_tails(struct unwinder *u)
{
	for (size_t i = 0; i < u->o.nr_rings; i++)
		u->seen[i] = u->o.rings[i].tail;
}

/* One who waits for the lanes comes before those that begin anew. */
static void init_lanes_lock(struct unwinder *u)
{
	pthread_rwlockattr_t attr;

	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&u->lanes_lock, &attr);
	pthread_rwlockattr_destroy(&attr);
}

struct unwinder *unwinder_new(const struct unwinder_opts *opts)
{
	struct unwinder *u;
	struct utsname host;
	bool any = false;

	VEC_FOR(&opts->events->events, ev)
		any |= has_stacks(*ev);
	any |= opts->spares != NULL;
	if (!any || uname(&host) || !unwind_abi_find(host.machine, false))
		return NULL;
	u = XNEW(struct unwinder);
	u->o = *opts;
	u->abi = unwind_abi_find(host.machine, false);
	u->abi32 = unwind_abi_find(host.machine, true);
	u->bytes = (struct strbuf)STRBUF_INIT;
	u->seen = XNEW_ARRAY(u64, opts->nr_rings ? opts->nr_rings : 1);
	u->mark = XNEW_ARRAY(u64, opts->nr_rings ? opts->nr_rings : 1);
	u->made = XNEW_ARRAY(u64, opts->nr_rings ? opts->nr_rings : 1);
	see_from_tails(u);
	pthread_rwlock_init(&u->model_lock, NULL);
	init_lanes_lock(u);
	pthread_mutex_init(&u->gather_lock, NULL);
	set_up_events(u);
	new_model(u);
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	free_model(u);
	pthread_rwlock_destroy(&u->model_lock);
	pthread_rwlock_destroy(&u->lanes_lock);
	pthread_mutex_destroy(&u->gather_lock);
	vec_free(&u->pending);
	strbuf_release(&u->bytes);
	vec_free(&u->ids);
	map_release(&u->by_id);
	free(u->events);
	free(u->seen);
	free(u->mark);
	free(u->made);
	free(u);
}

void unwinder_add_id(struct unwinder *u, u64 id, u32 event)
{
	map_add(&u->by_id, hash_u64(id), (u32)u->ids.nr);
	*VEC_PUSH(&u->ids) = (struct id_entry){ .id = id, .event = event };
}

void unwinder_file_attr(const struct unwinder *u, const struct event *ev,
			struct perf_event_attr *out)
{
	*out = ev->attr;
	if (!has_stacks(ev))
		return;
	out->sample_type &= ~(u64)PERF_SAMPLE_STACK_USER;
	out->exclude_callchain_user = 0;
	if (ev->copies_top)
		out->sample_stack_user = 0;
	else
		out->sample_max_stack = ev->max_frames;
	if (u->o.keep_regs)
		return;
	out->sample_type &= ~(u64)PERF_SAMPLE_REGS_USER;
	out->sample_regs_user = 0;
}

/* ---- mappings ---- */

void unwinder_restart(struct unwinder *u)
{
	free_model(u);
	new_model(u);
	u->restarts++;
	u->tables++;
	/* what was gathered ahead belongs to the new state too */
	see_from_tails(u);
}

static bool about_mappings(u32 type)
{
	return type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_FORK ||
	       type == PERF_RECORD_COMM || type == PERF_RECORD_EXIT;
}

static void apply(struct unwinder *u, const struct perf_event_header *h, u64 time)
{
	bool kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	bool is_map = h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2;

	if (!about_mappings(h->type) || (is_map && kernel))
		return;
	model_apply(u->model, h, time);
}

void unwinder_tell(struct unwinder *u, const struct perf_event_header *h)
{
	apply(u, h, 0);
	u->generation++;
}
static void keep(struct unwinder *u, const struct ring *r, u64 pos, u16 size)
{
	size_t at = u->bytes.len;
	const struct perf_event_header *h;

	strbuf_grow(&u->bytes, size);
	ring_copy(r, pos, u->bytes.buf + at, size);
	u->bytes.len += size;
	h = (const void *)(u->bytes.buf + at);
	*VEC_PUSH(&u->pending) = (struct pending){
		.time = u->timeless ? u->clock : sample_record_time(&u->side, h), .offset = at
	};
}

/* Returns where it came to; stops at what is no record. */
static u64 look_through(struct unwinder *u, const struct ring *r, u64 from, u64 to)
{
	u64 pos = from;

	while (pos != to) {
		struct perf_event_header h = header_at(r, pos);

		/* the memory is another CPU's still; most samples are of one size */
		__builtin_prefetch(r->data + ((pos + 4ULL * h.size) & r->mask));
		if (h.size < sizeof(h) || h.size & 7 || h.size > to - pos)
			return to;
		if (UNLIKELY(about_mappings(h.type)))
			keep(u, r, pos, h.size);
		pos += h.size;
	}
	return pos;
}

static int by_time(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->offset < y->offset ? -1 : 1;
}

static void apply_pending(struct unwinder *u)
{
	if (!u->pending.nr)
		return;
	VEC_SORT(&u->pending, by_time);
	u->latest = MAX(u->latest, VEC_LAST(&u->pending)->time);
	pthread_rwlock_wrlock(&u->model_lock);
	VEC_FOR(&u->pending, p)
		apply(u, (const void *)(u->bytes.buf + p->offset), p->time);
	model_freeze(u->model);
	__atomic_store_n(&u->generation, u->generation + 1, __ATOMIC_RELEASE);
	pthread_rwlock_unlock(&u->model_lock);
	u->pending.nr = 0;
	strbuf_reset(&u->bytes);
}

/* What JIT compilers have written by now, of code that may be in samples up to now. */
static void read_jits(struct unwinder *u)
{
	if (!model_has_jits(u->model))
		return;
	pthread_rwlock_wrlock(&u->model_lock);
	if (model_read_jits(u->model)) {
		model_freeze(u->model);
		__atomic_store_n(&u->generation, u->generation + 1, __ATOMIC_RELEASE);
	}
	pthread_rwlock_unlock(&u->model_lock);
}

/* Whether those that have ended are worth the work. */
static bool many_ended(const struct unwinder *u)
{
	enum { ENDED_MIN = 512 };
	u32 ended = model_nr_ended(u->model);

	return !u->o.keep_ended && ended >= ENDED_MIN && ended >= model_nr_threads(u->model) / 2;
}

/* The records of the epoch before last are older than all samples that are left. */
static void forget_ended(struct unwinder *u)
{
	struct model *old = u->model;

	u->epoch++;
	u->epoch_time[u->epoch % EPOCHS] = u->latest;
	model_set_epoch(old, u->epoch);
	if (u->epoch < EPOCHS || !many_ended(u))
		return;
	pthread_rwlock_wrlock(&u->lanes_lock);
	pthread_rwlock_wrlock(&u->model_lock);
	u->model = model_survivors(old, u->epoch - 2, u->epoch_time[(u->epoch - 2) % EPOCHS]);
	model_free(old);
	__atomic_store_n(&u->generation, u->generation + 1, __ATOMIC_RELEASE);
	u->restarts++; /* spaces have other numbers */
	pthread_rwlock_unlock(&u->model_lock);
	pthread_rwlock_unlock(&u->lanes_lock);
}

/* Whether all that was in the rings when the epoch began has been made. */
static bool has_made_epoch(const struct unwinder *u)
{
	for (size_t i = 0; i < u->o.nr_rings; i++)
		if (u->made[i] < u->mark[i])
			return false;
	return true;
}

bool unwinder_begin_round(struct unwinder *u, const u64 *made, struct unwind_rings own)
{
	size_t nr = own.which ? own.nr : u->o.nr_rings;
	bool held_up;

	pthread_mutex_lock(&u->gather_lock);
	for (size_t i = 0; i < nr; i++) {
		size_t ring = own.which ? own.which[i] : i;

		u->made[ring] = made ? made[ring] : u->mark[ring];
	}
	held_up = !has_made_epoch(u) && !u->held_up && many_ended(u);
	u->held_up |= held_up;
	if (has_made_epoch(u)) {
		forget_ended(u);
		for (size_t i = 0; i < u->o.nr_rings; i++)
			u->mark[i] = ring_head(&u->o.rings[i]);
		u->held_up = false;
	}
	pthread_mutex_unlock(&u->gather_lock);
	return held_up;
}

u32 unwinder_nr_threads(const struct unwinder *u)
{
	return model_nr_threads(u->model);
}

void unwinder_gather(struct unwinder *u)
{
	pthread_mutex_lock(&u->gather_lock);
	__atomic_store_n(&u->clock, u->clock + 1, __ATOMIC_RELAXED);
	for (size_t i = 0; i < u->o.nr_rings; i++) {
		const struct ring *r = &u->o.rings[i];

		u->seen[i] = look_through(u, r, u->seen[i], ring_head(r));
	}
	apply_pending(u);
	read_jits(u);
	pthread_mutex_unlock(&u->gather_lock);
}

void unwinder_gather_still(struct unwinder *u, const struct ring *r, u64 from, u64 to)
{
	pthread_mutex_lock(&u->gather_lock);
	look_through(u, r, from, to);
	apply_pending(u);
	pthread_mutex_unlock(&u->gather_lock);
}
