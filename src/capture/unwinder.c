/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/unwinder.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/hash.h"
#include "base/map.h"
#include "capture/stack_pages.h"
#include "model/model.h"
#include "perfdata/sample.h"
#include "sys/limits.h"
#include "unwind/objects.h"

enum { EPOCHS = 4 };
enum { RECORD_MAX = 1 << 16, RECORD_USABLE = (1 << 16) - 8 };

/* One event, as the kernel writes its samples and as they are stored. */
struct unwound_event {
	struct sample_layout layout;
	bool stacks; /* its samples have copies */
	bool watched; /* chains by frame pointers, of an event that others may stand in for */
	bool spare;   /* it is one of these others */
	bool file_has_regs; /* its samples have registers in the file ... */
	u64 file_regs;	    /* ... these, of copied_regs; 0 = that there are none */
	u64 copied_regs;
	struct unwind_reg_words regs, regs32;
	u32 max_frames;
	u32 kernel_max; /* frames that the kernel follows by itself */
};

struct id_entry {
	u64 id;
	u32 event;
};

/* A record about mappings that waits for its turn. */
struct pending {
	u64 time;
	size_t offset; /* in bytes */
};

struct unwinder {
	struct unwinder_opts o;
	const struct unwind_abi *abi, *abi32;
	struct sample_layout side; /* of the records about mappings */
	bool timeless; /* they have no time: what comes later is later */
	bool monotonic; /* it is CLOCK_MONOTONIC's */
	struct unwound_event *events;
	size_t nr_events;
	VEC(struct id_entry) ids;
	struct map by_id;
	struct unwind_objects *objects;

	/* the mappings; written by unwinder_gather() under both locks; where there is one lane, its thread alone
	 * gathers, and reads without a lock */
	pthread_rwlock_t model_lock;
	struct dso_table *dsos;
	struct model *model;
	u64 generation; /* counts changes */
	u64 restarts;
	u64 tables; /* of objects, that were begun */
	u64 clock;	/* timeless: the time now */
	u32 epoch;	/* number of the time from a round on, until all that was there then is made */
	u64 latest;	/* time of a record */
	u64 epoch_time[EPOCHS]; /* that at the end of the last epochs */
	u32 nr_lanes;
	pthread_rwlock_t lanes_lock; /* held by each of several lanes while it has numbers of the model; for another model */

	pthread_mutex_t gather_lock;
	u64 *seen; /* by ring: gathered up to here */
	u64 *mark; /* where it ended when the epoch began */
	u64 *made; /* what its lane told last */
	bool held_up; /* it was told in this epoch that one keeps too much */
	VEC(struct pending) pending;
	struct strbuf bytes;
};

/* The user part of a chain that the kernel made by frame pointers. */
struct fp_chain {
	const u64 *v;
	u64 nr;
	bool whole; /* it ends where the frame pointers do */
};

/* A sample on its way from the ring to the output. */
struct stack {
	struct unwind_lane *lane;
	const struct unwound_event *ev;
	const struct perf_event_header *h;
	u64 pos; /* in the ring */
	struct sample smp;
	bool broken; /* it makes no sense */
	struct unwind_job *job; /* NULL: there is nothing to be looked for */
	struct fp_chain fp;
	VEC(u64) chain; /* as it will be: what the kernel gave, a mark, the user frames */
	struct model_site site;
	u64 time;
	struct unwind_source source;
	struct unwind_place wanted; /* an object that has to be read first; object NULL: none */
};

/* What is mapped in [start, end) of a space at times [from, until). */
struct known_region {
	u64 start, end, from, until;
	u64 generation; /* in which that holds */
	u32 space;
	struct unwind_place place; /* at the start */
};

enum { REGIONS = 64, REGION_BITS = 20 };

struct unwind_lane {
	struct unwinder *u;
	struct unwind_cache *cache;
	struct known_region regions[REGIONS];
	struct unwind_stats stats;
	struct strbuf out;
	struct stack stacks[UNWIND_SIDE_BY_SIDE]; /* of samples that are unwound side by side */
	struct unwind_job jobs[UNWIND_SIDE_BY_SIDE];
	size_t nr_stacks, nr_jobs;
	struct model_site site; /* of the latest sample */
	u32 pid, tid;
	u64 generation; /* in which the site is valid */
	u64 restarts;	/* seen: the cache is of that state */
	u64 tables;	/* the evidence is of the objects of that one */
	pthread_mutex_t evidence_lock;
	struct chain_evidence evidence;
	struct stack_pages pages;
	u64 seen;	/* stacks that might have been looked at for that */
	struct stack chain_end; /* of a chain that is looked at */
	bool patient;	/* it stops before a sample that needs an object that has not been read */
	struct unwind_place wanted; /* which one; object NULL: none */
	u64 record[RECORD_MAX / 8]; /* one that wraps in its ring */
};

/* Its copies become callchains. */
static bool has_stacks(const struct event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_STACK_USER && !ev->keeps_copies;
}

/*
 * Samples of an event that stands in for another look as its do. The link register, which tells of a caller that
 * frame pointers miss, is not among what is kept: that caller is in the chain.
 */
static void set_up_file_regs(const struct unwinder *u, size_t i, const struct event *ev, struct unwound_event *out)
{
	size_t nr = u->o.events->events.nr;
	const struct perf_event_attr *as =
		&(out->spare ? u->o.events->events.v[u->o.stands_for[i - nr]] : ev)->attr;

	out->copied_regs = ev->attr.sample_regs_user;
	out->file_has_regs = out->spare ? (as->sample_type & PERF_SAMPLE_REGS_USER) != 0 : u->o.keep_regs;
	out->file_regs = u->o.keep_regs ? as->sample_regs_user : 0;
}

static void set_up_events(struct unwinder *u)
{
	size_t nr = u->o.events->events.nr;
	struct sys_limits limits;

	sys_limits_read(&limits, NULL);
	u->nr_events = nr + (u->o.spares ? u->o.spares->events.nr : 0);
	u->events = XNEW_ARRAY(struct unwound_event, u->nr_events);
	for (size_t i = 0; i < u->nr_events; i++) {
		const struct event *ev = i < nr ? u->o.events->events.v[i] : u->o.spares->events.v[i - nr];

		u->events[i].spare = i >= nr;
		u->events[i].watched = ev->watched && i < nr && u->o.spares;
		sample_layout_init(&u->events[i].layout, &ev->attr);
		u->events[i].stacks = has_stacks(ev);
		set_up_file_regs(u, i, ev, &u->events[i]);
		unwind_reg_words_init(&u->events[i].regs, u->abi, ev->attr.sample_regs_user);
		unwind_reg_words_init(&u->events[i].regs32, u->abi32, ev->attr.sample_regs_user);
		u->events[i].max_frames = ev->max_frames ? ev->max_frames : UNWINDER_MAX_FRAMES;
		u->events[i].kernel_max = ev->attr.sample_max_stack ? ev->attr.sample_max_stack :
								      limits.max_stack;
	}
	sample_layout_init(&u->side, &u->o.tracking->attr);
	u->timeless = !u->side.tail_time;
	u->monotonic = u->o.tracking->attr.use_clockid && u->o.tracking->attr.clockid == CLOCK_MONOTONIC;
}

static void new_model(struct unwinder *u)
{
	struct dso_config live = { .live = true, .plain_maps = u->o.plain_maps };

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

	VEC_FOR (&opts->events->events, ev)
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

static struct perf_event_header header_at(const struct ring *r, u64 pos)
{
	u64 w = ring_word(r, pos);
	struct perf_event_header h;

	memcpy(&h, &w, sizeof(h));
	return h;
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
	VEC_FOR (&u->pending, p)
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

/* ---- samples ---- */

struct unwind_lane *unwind_lane_new(struct unwinder *u)
{
	struct unwind_lane *l = XNEW(struct unwind_lane);

	l->u = u;
	u->nr_lanes++;
	l->cache = unwind_cache_new();
	l->out = (struct strbuf)STRBUF_INIT;
	for (size_t i = 0; i < UNWIND_SIDE_BY_SIDE; i++)
		l->stacks[i].lane = l;
	l->chain_end.lane = l;
	pthread_mutex_init(&l->evidence_lock, NULL);
	return l;
}

void unwind_lane_free(struct unwind_lane *l)
{
	if (!l)
		return;
	unwind_cache_free(l->cache);
	strbuf_release(&l->out);
	chain_evidence_release(&l->evidence);
	pthread_mutex_destroy(&l->evidence_lock);
	for (size_t i = 0; i < UNWIND_SIDE_BY_SIDE; i++)
		vec_free(&l->stacks[i].chain);
	free(l);
}

/* Objects of before a restart are gone. */
static void renew_evidence(struct unwind_lane *l)
{
	if (l->tables != l->u->tables)
		chain_evidence_forget_objects(&l->evidence);
	l->tables = l->u->tables;
}

void unwind_lane_add_evidence(struct unwind_lane *l, struct chain_evidence *sum)
{
	pthread_mutex_lock(&l->evidence_lock);
	renew_evidence(l);
	chain_evidence_merge(sum, &l->evidence);
	pthread_mutex_unlock(&l->evidence_lock);
}

void unwind_lane_judge_anew(struct unwind_lane *l, bool of_copies)
{
	pthread_mutex_lock(&l->evidence_lock);
	chain_evidence_begin_anew(&l->evidence, of_copies);
	pthread_mutex_unlock(&l->evidence_lock);
}

struct unwind_stats unwind_lane_take_stats(struct unwind_lane *l)
{
	struct unwind_stats s = l->stats;

	l->stats = (struct unwind_stats){ 0 };
	return s;
}

static const struct unwound_event *event_of(const struct unwinder *u,
					    const struct perf_event_header *h)
{
	u16 at = u->events[0].layout.id_pos; /* the same for all events */
	u64 id;
	u32 i;

	if (u->nr_events == 1 || !at || h->size < at + 8)
		return &u->events[0];
	id = bits_u64((const u8 *)h + at);
	for (struct map_probe p = map_first(&u->by_id, hash_u64(id)); map_next(&u->by_id, &p, &i);) {
		if (u->ids.v[i].id == id)
			return &u->events[u->ids.v[i].event];
	}
	return &u->events[0];
}

static void lock_mappings(struct unwinder *u)
{
	if (u->nr_lanes != 1)
		pthread_rwlock_rdlock(&u->model_lock);
}

static void unlock_mappings(struct unwinder *u)
{
	if (u->nr_lanes != 1)
		pthread_rwlock_unlock(&u->model_lock);
}

/* Whose stack it is; a thread that nobody told of has its process's mappings. */
static void find_site(struct unwind_lane *l, u32 pid, u32 tid, u64 time)
{
	struct unwinder *u = l->u;

	if (l->pid == pid && l->tid == tid && time >= l->site.t0 && time < l->site.t1 &&
	    l->generation == __atomic_load_n(&u->generation, __ATOMIC_ACQUIRE))
		return;
	lock_mappings(u);
	model_site_at(u->model, pid, tid, time, &l->site);
	if (!l->site.thread)
		model_site_at(u->model, pid, pid, time, &l->site);
	l->generation = u->generation;
	unlock_mappings(u);
	l->pid = pid;
	l->tid = tid;
}

/* What the model knows around an address; no code there: no object, and end 0. */
static void find_region(struct unwinder *u, const struct stack *s, u64 pc, struct known_region *k)
{
	struct model_region r;

	lock_mappings(u);
	model_find_region(u->model, s->site.thread, PERF_RECORD_MISC_USER, pc, s->time, &r);
	*k = (struct known_region){ .generation = u->generation };
	if (r.map && model_map_is_code(r.map)) {
		k->space = s->site.space;
		k->start = r.start;
		k->end = r.end;
		k->from = r.from;
		k->until = r.until;
		k->place = (struct unwind_place){ .dso = r.map->dso,
						  .object = dso_table_get(u->dsos, r.map->dso),
						  .addr = model_map_ip(r.map, r.start),
						  .valid_from = r.map->t0 };
	}
	unlock_mappings(u);
}

/* New addresses are many, the regions that they are in few. */
static bool find_place(void *ctx, u64 pc, struct unwind_place *out)
{
	const struct stack *s = ctx;
	struct unwind_lane *l = s->lane;
	struct known_region *k = &l->regions[hash_mix(s->site.space, pc >> REGION_BITS) % REGIONS];

	if (pc < k->start || pc >= k->end || k->space != s->site.space || s->time < k->from ||
	    s->time >= k->until || k->generation != __atomic_load_n(&l->u->generation, __ATOMIC_ACQUIRE))
		find_region(l->u, s, pc, k);
	*out = k->place;
	out->addr += pc - k->start;
	return k->end != 0;
}

static struct fp_chain fp_chain_of(const struct sample *smp, u32 max)
{
	struct fp_chain fp = { 0 };

	for (u64 i = 0; i < smp->nr_chain && !fp.v; i++) {
		if (smp->chain[i] == PERF_CONTEXT_USER)
			fp = (struct fp_chain){ .v = smp->chain + i + 1, .nr = smp->nr_chain - i - 1 };
	}
	fp.whole = smp->nr_chain < max;
	return fp;
}

/* How many of the last frames found are the frames up to fp[at], too: return addresses there. */
static size_t common_frames(const u64 *found, size_t nr, const struct fp_chain *fp, size_t at)
{
	size_t n = 0;

	while (n < nr && n < at && fp->v[at - n] - 1 == found[nr - 1 - n])
		n++;
	return n;
}

/*
 * Go on behind the frames found, where the frame pointers know the last of them. In a recursion one
 * place comes again and again: the one with the longest way in common counts.
 */
static size_t continue_by_fp(u64 *found, size_t nr, size_t max, const struct fp_chain *fp)
{
	size_t best = 0, best_at = 0;

	for (size_t at = 1; at < fp->nr; at++) {
		size_t n = common_frames(found, nr, fp, at);

		if (n > best) {
			best = n;
			best_at = at;
		}
	}
	for (size_t at = best_at + 1; best && at < fp->nr && nr < max; at++)
		found[nr++] = fp->v[at] - 1;
	return nr;
}

/* Returns the number of marks: there were more frames than are known. */
static u32 count(struct unwind_lane *l, const struct sample *smp, enum unwind_end end, bool mended)
{
	bool cut = end == UNWIND_TRUNCATED && sample_stack_is_full(smp);
	bool absent = end == UNWIND_TRUNCATED && !cut;

	l->stats.stacks++;
	l->stats.mended += mended;
	if (mended)
		return 0;
	l->stats.cut += cut;
	l->stats.absent += absent;
	l->stats.full += end == UNWIND_FULL;
	l->stats.incomplete += !cut && end != UNWIND_COMPLETE && end != UNWIND_FULL;
	return absent ? 2 : cut || end == UNWIND_FULL;
}

/* Where the parts of a sample are that it is put together from again. */
struct parts {
	const u8 *chain, *chain_end; /* with the count */
	const u8 *regs, *stack, *stack_end; /* with their first words */
};

static struct parts parts_of(const struct sample *smp)
{
	u64 size = bits_u64(smp->user_stack - 8);
	struct parts p = {
		.chain = (const u8 *)smp->chain - 8,
		.chain_end = (const u8 *)(smp->chain + smp->nr_chain),
		.stack = smp->user_stack - 8,
		/* a copy is followed by how much of it is filled */
		.stack_end = smp->user_stack + size + (size ? 8 : 0),
	};

	p.regs = smp->user_regs ? (const u8 *)smp->user_regs - 8 : p.stack - 8;
	return p;
}

/* ---- what they tell of the code ---- */

enum { LOOK_AT_FIRST = 512, LOOK_AT_SHARE = 16, LOOK_AT_CALLERS = 64 };

/* All of the first ones, then a share. */
static bool wants_evidence(struct unwind_lane *l)
{
	return l->seen++ < LOOK_AT_FIRST || l->seen % LOOK_AT_SHARE == 0;
}

/* The object that an address is in, NULL: in none. */
static struct object_evidence *evidence_at(const struct stack *s, u64 pc, struct unwind_place *place)
{
	if (!find_place((void *)(uintptr_t)s, pc, place) || !place->object)
		return NULL;
	return chain_evidence_of(&s->lane->evidence, place->dso, place->object);
}

/* Whether frame pointers know the callers that the tables found. They may skip that of the innermost function. */
static void compare_ways(const struct stack *s, const u64 *pcs, size_t nr)
{
	const struct fp_chain *fp = &s->fp;
	size_t at = 0;

	nr = MIN(nr, (size_t)LOOK_AT_CALLERS);
	for (size_t i = 1; i < nr; i++) {
		bool known = at + 1 < fp->nr && fp->v[at + 1] - 1 == pcs[i];
		struct unwind_place place;
		struct object_evidence *o = i > 1 ? evidence_at(s, pcs[i - 1], &place) : NULL;

		at += known;
		if (o) {
			o->callers++;
			o->agree += known;
		}
		if (!known && i > 1)
			return; /* from there on all is different */
	}
}

/* An end before the thread's start; where it is is the last of the frames that are in an object. */
static void note_end(const struct stack *s, const u64 *pcs, size_t nr)
{
	struct object_evidence *o = NULL;
	struct unwind_place place;

	while (nr && !o)
		o = evidence_at(s, pcs[--nr], &place);
	if (o)
		o->ends++;
}

/* A compiled function that a program begins in has a table that says that somebody called it. */
static bool ends_at_entry(const struct stack *s)
{
	const struct unwind_job *job = s->job;
	struct unwind_place place;
	const struct object_evidence *o;

	if (job->end != UNWIND_UNMAPPED || !job->nr)
		return false;
	o = evidence_at(s, job->pcs[job->nr - 1], &place);
	return o && chain_evidence_is_entry(o, place.addr);
}

static void look_at_stack(struct unwind_lane *l, const struct stack *s, bool ended, bool cut)
{
	const struct unwind_job *job = s->job;
	bool early = !ended && !cut;

	if (s->ev->spare && l->evidence.of_copies)
		chain_evidence_count(&l->evidence, early);
	if (early)
		note_end(s, job->pcs, job->nr);
	if (s->fp.nr > 1 && wants_evidence(l))
		compare_ways(s, job->pcs, job->nr);
}

/* ---- samples, several at a time ---- */

static void set_up_source(struct unwind_lane *l, struct stack *s)
{
	struct unwinder *u = l->u;

	s->time = u->timeless ? __atomic_load_n(&u->clock, __ATOMIC_RELAXED) : s->smp.time;
	find_site(l, s->smp.pid, s->smp.tid, s->time);
	s->site = l->site;
	s->wanted.object = NULL;
	s->source = (struct unwind_source){ .objects = u->objects, .cache = l->cache, .find = find_place,
					    .ctx = s, .space = s->site.space, .time = s->time,
					    .unread = l->patient ? &s->wanted : NULL };
}

/* The walk for the user frames behind what the chain holds; at most max. */
static void add_job(struct unwind_lane *l, struct stack *s, size_t max)
{
	const struct sample *smp = &s->smp;
	bool is32 = smp->user_abi == PERF_SAMPLE_REGS_ABI_32;
	const struct unwind_abi *abi = is32 ? l->u->abi32 : l->u->abi;
	const struct unwind_reg_words *regs = is32 ? &s->ev->regs32 : &s->ev->regs;
	struct unwind_job *job = &l->jobs[l->nr_jobs];

	if (!smp->user_regs || !regs->valid)
		return;
	unwind_regs_read(regs, smp->user_regs, &job->regs);
	set_up_source(l, s);
	VEC_GROW(&s->chain, max + 3);
	*VEC_PUSH(&s->chain) = PERF_CONTEXT_USER;
	job->abi = abi;
	job->stack = (struct unwind_stack){ .bytes = smp->user_stack, .size = smp->user_stack_size,
					    .addr = job->regs.v[abi->sp] };
	unwind_source_give(&s->source, job);
	job->pcs = s->chain.v + s->chain.nr;
	job->max = max;
	s->job = job;
	l->nr_jobs++;
}

static void prepare(struct unwind_lane *l, struct stack *s)
{
	const u8 *start = (const u8 *)s->h;
	struct sample *smp = &s->smp;
	struct parts p;
	size_t room;
	u64 nr;

	s->job = NULL;
	s->broken = !sample_decode(&s->ev->layout, s->h, smp) || !smp->chain || !smp->user_stack;
	if (s->broken)
		return;
	p = parts_of(smp);
	room = RECORD_USABLE - (size_t)(p.stack - start) - (size_t)(start + s->h->size - p.stack_end);
	s->fp = fp_chain_of(smp, s->ev->kernel_max);
	/* without registers there is only that */
	nr = s->fp.v && smp->user_regs ? (u64)(s->fp.v - 1 - smp->chain) : smp->nr_chain;
	s->chain.nr = 0;
	VEC_GROW(&s->chain, nr);
	if (nr)
		memcpy(s->chain.v, smp->chain, nr * 8);
	s->chain.nr = nr;
	if (room >= 4 * 8)
		add_job(l, s, MIN((size_t)s->ev->max_frames, room / 8 - 3));
}

/* The kernel found no memory where the copy ends: so that it does next time. */
static void map_rest(struct unwind_lane *l, const struct stack *s)
{
	u64 asked = bits_u64(s->smp.user_stack - 8), got = s->smp.user_stack_size;

	if (asked > got)
		stack_pages_look(&l->pages, s->smp.pid, s->job->stack.addr + got, asked - got);
}

/* What came of the walk: into the chain, with its marks. */
static void take_frames(struct unwind_lane *l, struct stack *s)
{
	struct unwind_job *job = s->job;
	size_t nr = job->nr;
	u32 marks;

	if (ends_at_entry(s))
		job->end = UNWIND_COMPLETE;
	if (job->end != UNWIND_COMPLETE)
		nr = continue_by_fp(job->pcs, nr, job->max, &s->fp);
	s->chain.nr += nr;
	if (job->end == UNWIND_TRUNCATED && !sample_stack_is_full(&s->smp))
		map_rest(l, s);
	marks = count(l, &s->smp, job->end, nr > job->nr && s->fp.whole);
	look_at_stack(l, s, job->end == UNWIND_COMPLETE || (nr > job->nr && s->fp.whole), marks != 0);
	for (; marks; marks--)
		*VEC_PUSH(&s->chain) = PERF_CONTEXT_USER;
}

/* Whether a chain of frame pointers may end at a place, called: as others do; -1 = there is no telling. */
static int ends_well(const struct stack *s, const struct unwind_place *place, u64 pc, bool called)
{
	const struct object_evidence *o = chain_evidence_of(&s->lane->evidence, place->dso, place->object);
	struct unwind_code code;

	unwind_source_lookup((void *)(uintptr_t)&s->source, pc, &code);
	if (s->wanted.object)
		return -1;
	if (code.step.kind == CFI_STEP_OUTERMOST || chain_evidence_is_entry(o, place->addr))
		return 1;
	/* without tables a function may be the first one of a thread */
	if (!(code.rule && code.rule->has_rule) && dso_kind(place->object) == DSO_USER && called)
		return -1;
	return 0;
}

/* A chain by frame pointers: the last of its frames tells whether it is whole. */
static void look_at_chain(struct unwind_lane *l, const struct unwound_event *ev, const struct perf_event_header *h)
{
	struct stack *s = &l->chain_end;
	struct object_evidence *o = NULL;
	struct unwind_place place;
	size_t nr;
	int well;

	s->ev = ev;
	s->h = h;
	if (!sample_decode(&ev->layout, h, &s->smp) || !s->smp.chain)
		return;
	s->fp = fp_chain_of(&s->smp, ev->kernel_max);
	if (!s->fp.nr || !s->fp.whole)
		return;
	set_up_source(l, s);
	nr = s->fp.nr;
	/* behind where a program begins is what it was given, no return address */
	while (nr && !(o = evidence_at(s, s->fp.v[nr - 1] - (nr > 1), &place)))
		nr--;
	well = nr ? ends_well(s, &place, s->fp.v[nr - 1] - (nr > 1), nr == s->fp.nr && nr > 1) : 0;
	if (well < 0)
		return;
	if (!l->evidence.of_copies)
		chain_evidence_count(&l->evidence, !well);
	if (o && !well)
		o->breaks++;
}

/* Those of the registers that were copied that the file's samples have. */
static void put_regs(struct unwind_lane *l, const struct stack *s, const struct parts *p)
{
	const struct unwound_event *ev = s->ev;
	u64 abi = ev->file_regs ? bits_u64(p->regs) : PERF_SAMPLE_REGS_ABI_NONE;
	const u8 *from = p->regs + sizeof(abi);

	strbuf_add(&l->out, &abi, sizeof(abi));
	for (u64 left = ev->copied_regs; abi && left; left &= left - 1, from += 8)
		if (left & -left & ev->file_regs)
			strbuf_add(&l->out, from, 8);
}

/* False: an object has to be read first. */
static bool put_sample(struct unwind_lane *l, struct stack *s)
{
	const u8 *start = (const u8 *)s->h, *end = start + s->h->size;
	struct perf_event_header new = *s->h;
	size_t at = l->out.len;
	struct parts p;
	u64 nr;

	if (s->broken) {
		l->stats.broken++;
		return true;
	}
	if (s->job && s->wanted.object) {
		l->wanted = s->wanted;
		return false;
	}
	if (s->job)
		take_frames(l, s);
	p = parts_of(&s->smp);
	nr = s->chain.nr;
	strbuf_add(&l->out, start, (size_t)(p.chain - start));
	strbuf_add(&l->out, &nr, sizeof(nr));
	strbuf_add(&l->out, s->chain.v, nr * 8);
	strbuf_add(&l->out, p.chain_end, (size_t)(p.regs - p.chain_end));
	if (s->ev->file_has_regs)
		put_regs(l, s, &p);
	strbuf_add(&l->out, p.stack_end, (size_t)(end - p.stack_end));
	new.size = (u16)(l->out.len - at);
	memcpy(l->out.buf + at, &new, sizeof(new));
	return true;
}

/* In one piece; of what is read together no more than one wraps in the ring. */
static const struct perf_event_header *record_at(struct unwind_lane *l, const struct ring *r, u64 pos,
						 u16 size)
{
	struct iovec piece[2];

	if (ring_pieces(r, pos, pos + size, piece) == 1)
		return piece[0].iov_base;
	ring_copy(r, pos, l->record, size);
	return (const void *)l->record;
}

/* Have the CPU fetch what decoding a sample and the first step from it need. */
static void fetch(const struct perf_event_header *h)
{
	enum { LINE = 64, HEAD = 10 * LINE };
	const u8 *p = (const u8 *)h;

	for (size_t at = LINE; at < MIN((size_t)h->size, (size_t)HEAD); at += LINE)
		__builtin_prefetch(p + at);
	__builtin_prefetch(p + h->size - 8);
}

/* The samples that are unwound side by side, from pos on; returns where what was looked at ends. */
static u64 collect(struct unwind_lane *l, const struct ring *r, u64 pos, u64 to)
{
	l->nr_stacks = l->nr_jobs = 0;
	while (pos < to && l->nr_stacks < UNWIND_SIDE_BY_SIDE) {
		u16 size = header_at(r, pos).size;
		const struct perf_event_header *h = record_at(l, r, pos, size);
		const struct unwound_event *ev = h->type == PERF_RECORD_SAMPLE ? event_of(l->u, h) : NULL;

		l->evidence.samples += ev != NULL;
		if (ev && ev->stacks) {
			struct stack *s = &l->stacks[l->nr_stacks++];

			s->ev = ev;
			s->h = h;
			s->pos = pos;
			fetch(h);
		} else if (ev && ev->watched && wants_evidence(l)) {
			look_at_chain(l, ev, h);
		}
		pos += size;
	}
	for (size_t i = 0; i < l->nr_stacks; i++)
		prepare(l, &l->stacks[i]);
	return pos;
}

/* Everything in [pos, to), with the collected samples as they are now. Returns how far it came. */
static u64 put(struct unwind_lane *l, const struct ring *r, u64 pos, u64 to)
{
	struct stack *next = l->stacks, *end = l->stacks + l->nr_stacks;

	while (pos < to) {
		u16 size = header_at(r, pos).size;

		if (next == end || next->pos != pos) {
			struct iovec piece[2];
			int nr = ring_pieces(r, pos, pos + size, piece);

			for (int i = 0; i < nr; i++)
				strbuf_add(&l->out, piece[i].iov_base, piece[i].iov_len);
		} else if (!put_sample(l, next++)) {
			break;
		}
		pos += size;
	}
	return pos;
}

/* While it has numbers of the model, and adds to the evidence. */
static void begin_work(struct unwind_lane *l)
{
	if (l->u->nr_lanes != 1)
		pthread_rwlock_rdlock(&l->u->lanes_lock);
	pthread_mutex_lock(&l->evidence_lock);
	if (l->restarts != l->u->restarts)
		unwind_cache_clear(l->cache);
	l->restarts = l->u->restarts;
	renew_evidence(l);
}

static void end_work(struct unwind_lane *l)
{
	pthread_mutex_unlock(&l->evidence_lock);
	if (l->u->nr_lanes != 1)
		pthread_rwlock_unlock(&l->u->lanes_lock);
}

u64 unwind_lane_make(struct unwind_lane *l, const struct ring *r, u64 from, u64 to,
		     bool patient)
{
	u64 pos = from;

	begin_work(l);
	l->patient = patient;
	while (pos < to && !l->wanted.object) {
		u64 end = collect(l, r, pos, to);

		unwind_source_meet(l->jobs, l->nr_jobs);
		unwind_walk(l->jobs, l->nr_jobs, unwind_source_lookup);
		pos = put(l, r, pos, end);
		/* an object that a chain ends in, too, is read beside the work */
		if (patient && !l->wanted.object)
			l->wanted = l->chain_end.wanted;
		l->chain_end.wanted.object = NULL;
	}
	end_work(l);
	return pos;
}

void unwind_lane_look(struct unwind_lane *l, const struct ring *r, u64 from, u64 to)
{
	struct unwind_stats before = l->stats;

	begin_work(l);
	l->patient = false;
	for (u64 pos = from; pos < to;) {
		pos = collect(l, r, pos, to);
		unwind_source_meet(l->jobs, l->nr_jobs);
		unwind_walk(l->jobs, l->nr_jobs, unwind_source_lookup);
		for (size_t i = 0; i < l->nr_stacks; i++)
			if (!l->stacks[i].broken && l->stacks[i].job)
				take_frames(l, &l->stacks[i]);
	}
	end_work(l);
	l->stats = before;
}

bool unwind_lane_is_waiting(const struct unwind_lane *l)
{
	return l->wanted.object != NULL;
}

u64 unwind_lane_object_size(const struct unwind_lane *l)
{
	const char *name = dso_long_name(l->wanted.object);
	struct stat st;

	if (*name != '/')
		return 0;
	return stat(name, &st) ? UINT64_MAX : (u64)st.st_size;
}

void unwind_lane_read_object(struct unwind_lane *l)
{
	unwind_objects_open(l->u->objects, &l->wanted);
	l->wanted.object = NULL;
}

size_t unwind_lane_waiting_bytes(const struct unwind_lane *l)
{
	return l->out.len;
}

int unwind_lane_flush(struct unwind_lane *l, struct perfdata_writer *w, struct err *e)
{
	struct iovec iov = { .iov_base = l->out.buf, .iov_len = l->out.len };
	int r = l->out.len ? writer_append_data(w, &iov, 1, e) : 0;

	strbuf_reset(&l->out);
	return r;
}

int unwind_lane_write(struct unwind_lane *l, const struct ring *r, u64 from, u64 to,
		      struct perfdata_writer *w, struct err *e)
{
	unwind_lane_make(l, r, from, to, false);
	return unwind_lane_flush(l, w, e);
}
