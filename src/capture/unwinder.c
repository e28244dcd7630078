/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/unwinder.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/hash.h"
#include "base/map.h"
#include "dso/jitdump.h"
#include "model/model.h"
#include "perfdata/sample.h"
#include "sys/limits.h"
#include "unwind/objects.h"

enum { RECORD_MAX = 1 << 16, RECORD_USABLE = (1 << 16) - 8 };

/* One event, as the kernel writes its samples and as they are stored. */
struct unwound_event {
	struct sample_layout layout;
	bool stacks; /* its samples have copies */
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
	struct unwound_event *events;
	size_t nr_events;
	VEC(struct id_entry) ids;
	struct map by_id;
	struct unwind_objects *objects;

	/* the mappings; written by unwinder_gather() under both locks */
	pthread_rwlock_t model_lock;
	struct dso_table *dsos;
	struct model *model;
	u64 generation; /* counts changes */
	u64 restarts;
	u64 clock;	/* timeless: the time now */

	pthread_mutex_t gather_lock;
	u64 *seen; /* by ring: gathered up to here */
	VEC(struct pending) pending;
	struct strbuf bytes;
};

struct unwind_lane {
	struct unwinder *u;
	struct unwind_cache *cache;
	struct unwind_stats stats;
	struct strbuf out;
	VEC(u64) chain;
	struct model_site site; /* of the latest sample */
	u32 pid, tid;
	u64 generation; /* in which the site is valid */
	u64 restarts;	/* seen: the cache is of that state */
	u64 time;	/* of the sample being unwound */
	bool patient;	/* it is left when it needs an object that has not been read */
	struct unwind_place wanted; /* which one; object NULL: none */
	u64 record[RECORD_MAX / 8]; /* one that wraps in its ring */
};

/* Its copies become callchains. */
static bool has_stacks(const struct event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_STACK_USER && !ev->keeps_copies;
}

static void set_up_events(struct unwinder *u)
{
	const struct event_list *l = u->o.events;
	struct sys_limits limits;

	sys_limits_read(&limits, NULL);
	u->nr_events = l->events.nr;
	u->events = XNEW_ARRAY(struct unwound_event, u->nr_events);
	for (size_t i = 0; i < u->nr_events; i++) {
		const struct event *ev = l->events.v[i];

		sample_layout_init(&u->events[i].layout, &ev->attr);
		u->events[i].stacks = has_stacks(ev);
		u->events[i].max_frames = ev->attr.sample_max_stack ? ev->attr.sample_max_stack :
								      UNWINDER_MAX_FRAMES;
		u->events[i].kernel_max = ev->attr.sample_max_stack ? ev->attr.sample_max_stack :
								      limits.max_stack;
	}
	sample_layout_init(&u->side, &u->o.tracking->attr);
	u->timeless = !u->side.tail_time;
}

static void new_model(struct unwinder *u)
{
	static const struct dso_config live = { .live = true };

	u->dsos = dso_table_new(&live);
	u->model = model_new(u->dsos);
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

struct unwinder *unwinder_new(const struct unwinder_opts *opts)
{
	struct unwinder *u;
	struct utsname host;
	bool any = false;

	VEC_FOR (&opts->events->events, ev)
		any |= has_stacks(*ev);
	if (!any || uname(&host) || !unwind_abi_find(host.machine, false))
		return NULL;
	u = XNEW(struct unwinder);
	u->o = *opts;
	u->abi = unwind_abi_find(host.machine, false);
	u->abi32 = unwind_abi_find(host.machine, true);
	u->bytes = (struct strbuf)STRBUF_INIT;
	u->seen = XNEW_ARRAY(u64, opts->nr_rings ? opts->nr_rings : 1);
	see_from_tails(u);
	pthread_rwlock_init(&u->model_lock, NULL);
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
	pthread_mutex_destroy(&u->gather_lock);
	vec_free(&u->pending);
	strbuf_release(&u->bytes);
	vec_free(&u->ids);
	map_release(&u->by_id);
	free(u->events);
	free(u->seen);
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
	/* what was gathered ahead belongs to the new state too */
	see_from_tails(u);
}

static bool about_mappings(u32 type)
{
	return type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_FORK ||
	       type == PERF_RECORD_COMM;
}

/* Code that a JIT compiler makes is found by frame pointers; its dump is for names. */
static bool is_jitdump(const struct perf_event_header *h)
{
	enum { MMAP2_NAME = 72 };
	u32 pid;
	const char *name = (const char *)h + MMAP2_NAME;

	return h->type == PERF_RECORD_MMAP2 && h->size > MMAP2_NAME &&
	       memchr(name, 0, h->size - MMAP2_NAME) && jitdump_is_name(name, &pid);
}

static void apply(struct unwinder *u, const struct perf_event_header *h, u64 time)
{
	bool kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	bool is_map = h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2;

	if (!about_mappings(h->type) || (is_map && (kernel || is_jitdump(h))))
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
	pthread_rwlock_wrlock(&u->model_lock);
	VEC_FOR (&u->pending, p)
		apply(u, (const void *)(u->bytes.buf + p->offset), p->time);
	model_freeze(u->model);
	__atomic_store_n(&u->generation, u->generation + 1, __ATOMIC_RELEASE);
	pthread_rwlock_unlock(&u->model_lock);
	u->pending.nr = 0;
	strbuf_reset(&u->bytes);
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
	l->cache = unwind_cache_new();
	l->out = (struct strbuf)STRBUF_INIT;
	return l;
}

void unwind_lane_free(struct unwind_lane *l)
{
	if (!l)
		return;
	unwind_cache_free(l->cache);
	strbuf_release(&l->out);
	vec_free(&l->chain);
	free(l);
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

/* Whose stack it is; a thread that nobody told of has its process's mappings. */
static void find_site(struct unwind_lane *l, u32 pid, u32 tid)
{
	struct unwinder *u = l->u;

	if (l->pid == pid && l->tid == tid && l->time >= l->site.t0 && l->time < l->site.t1 &&
	    l->generation == __atomic_load_n(&u->generation, __ATOMIC_ACQUIRE))
		return;
	pthread_rwlock_rdlock(&u->model_lock);
	model_site_at(u->model, pid, tid, l->time, &l->site);
	if (!l->site.thread)
		model_site_at(u->model, pid, pid, l->time, &l->site);
	l->generation = u->generation;
	pthread_rwlock_unlock(&u->model_lock);
	l->pid = pid;
	l->tid = tid;
}

static bool find_place(void *ctx, u64 pc, struct unwind_place *out)
{
	const struct unwind_lane *l = ctx;
	struct unwinder *u = l->u;
	const struct model_map *map;

	pthread_rwlock_rdlock(&u->model_lock);
	map = model_find_map(u->model, l->site.thread, PERF_RECORD_MISC_USER, pc, l->time);
	if (map && !model_map_is_code(map))
		map = NULL;
	if (map)
		*out = (struct unwind_place){ .dso = map->dso,
					      .object = dso_table_get(u->dsos, map->dso),
					      .addr = model_map_ip(map, pc),
					      .valid_from = map->t0 };
	pthread_rwlock_unlock(&u->model_lock);
	return map != NULL;
}

/* The user part of a chain that the kernel made by frame pointers. */
struct fp_chain {
	const u64 *v;
	u64 nr;
	bool whole; /* it ends where the frame pointers do */
};

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

/* Returns whether there were more frames than are known. */
static bool count(struct unwind_lane *l, const struct sample *smp, enum unwind_end end, bool mended)
{
	bool cut = end == UNWIND_TRUNCATED && sample_stack_is_full(smp);

	l->stats.stacks++;
	l->stats.mended += mended;
	if (mended)
		return false;
	l->stats.cut += cut;
	l->stats.full += end == UNWIND_FULL;
	l->stats.incomplete += !cut && end != UNWIND_COMPLETE && end != UNWIND_FULL;
	return cut || end == UNWIND_FULL;
}

/* The user frames of a sample behind what the chain holds; at most max, and the marks. False: an object has to
 * be read first. */
static bool add_callers(struct unwind_lane *l, const struct unwound_event *ev,
			const struct sample *smp, const struct fp_chain *fp, size_t max)
{
	struct unwinder *u = l->u;
	bool is32 = smp->user_abi == PERF_SAMPLE_REGS_ABI_32;
	const struct unwind_abi *abi = is32 ? u->abi32 : u->abi;
	struct unwind_source source = { .objects = u->objects, .cache = l->cache,
					.find = find_place, .ctx = l };
	struct unwind_stack stack = { .bytes = smp->user_stack, .size = smp->user_stack_size };
	struct unwind_regs regs;
	enum unwind_end end;
	u64 *found;
	size_t nr, more;

	if (!smp->user_regs || !abi ||
	    !unwind_regs_from_sample(abi, ev->layout.regs_user, smp->user_regs, &regs))
		return true;
	l->time = u->timeless ? __atomic_load_n(&u->clock, __ATOMIC_RELAXED) : smp->time;
	find_site(l, smp->pid, smp->tid);
	source.space = l->site.space;
	source.time = l->time;
	source.unread = l->patient ? &l->wanted : NULL;
	stack.addr = regs.v[abi->sp];
	VEC_GROW(&l->chain, max + 2);
	*VEC_PUSH(&l->chain) = PERF_CONTEXT_USER;
	found = l->chain.v + l->chain.nr;
	nr = unwind_walk(abi, &regs, &stack, unwind_source_lookup, &source, found, max, &end);
	if (l->wanted.object)
		return false;
	more = end == UNWIND_COMPLETE ? nr : continue_by_fp(found, nr, max, fp);
	l->chain.nr += more;
	if (count(l, smp, end, more > nr && fp->whole))
		*VEC_PUSH(&l->chain) = PERF_CONTEXT_USER;
	return true;
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

static bool add_sample(struct unwind_lane *l, const struct unwound_event *ev,
		       const struct perf_event_header *h)
{
	const u8 *start = (const u8 *)h, *end = start + h->size;
	size_t at = l->out.len, room;
	struct perf_event_header new = *h;
	struct fp_chain fp;
	struct sample smp;
	struct parts p;
	u64 nr;

	if (!sample_decode(&ev->layout, h, &smp) || !smp.chain || !smp.user_stack) {
		l->stats.broken++;
		return true;
	}
	p = parts_of(&smp);
	room = RECORD_USABLE - (size_t)(p.stack - start) - (size_t)(end - p.stack_end);
	fp = fp_chain_of(&smp, ev->kernel_max);
	/* without registers there is only that */
	nr = fp.v && smp.user_regs ? (u64)(fp.v - 1 - smp.chain) : smp.nr_chain;
	l->chain.nr = 0;
	VEC_GROW(&l->chain, nr);
	if (nr)
		memcpy(l->chain.v, smp.chain, nr * 8);
	l->chain.nr = nr;
	if (room >= 3 * 8 &&
	    !add_callers(l, ev, &smp, &fp, MIN((size_t)ev->max_frames, room / 8 - 2)))
		return false;
	nr = l->chain.nr;
	strbuf_add(&l->out, start, (size_t)(p.chain - start));
	strbuf_add(&l->out, &nr, sizeof(nr));
	strbuf_add(&l->out, l->chain.v, nr * 8);
	strbuf_add(&l->out, p.chain_end, (size_t)(p.regs - p.chain_end));
	if (l->u->o.keep_regs)
		strbuf_add(&l->out, p.regs, (size_t)(p.stack - p.regs));
	strbuf_add(&l->out, p.stack_end, (size_t)(end - p.stack_end));
	new.size = (u16)(l->out.len - at);
	memcpy(l->out.buf + at, &new, sizeof(new));
	return true;
}

static bool add_record(struct unwind_lane *l, const struct ring *r, u64 pos, u16 size)
{
	struct iovec piece[2];
	const struct perf_event_header *h;
	const struct unwound_event *ev = NULL;

	if (ring_pieces(r, pos, pos + size, piece) == 2) {
		ring_copy(r, pos, l->record, size);
		h = (const void *)l->record;
	} else {
		h = piece[0].iov_base;
	}
	if (h->type == PERF_RECORD_SAMPLE)
		ev = event_of(l->u, h);
	if (ev && ev->stacks)
		return add_sample(l, ev, h);
	strbuf_add(&l->out, h, size);
	return true;
}

/* Have the CPU fetch what the walk through the next sample is going to need, while this one is done. */
static void look_ahead(const struct ring *r, u64 pos, u64 to)
{
	enum { LINE = 64, MOST_WALKS = 2048 };
	u64 end = MIN(to, pos + MOST_WALKS);

	for (; pos < end; pos += LINE)
		__builtin_prefetch(r->data + (pos & r->mask));
}

u64 unwind_lane_make(struct unwind_lane *l, const struct ring *r, u64 from, u64 to,
		     bool patient)
{
	u64 pos = from;

	if (l->restarts != l->u->restarts)
		unwind_cache_clear(l->cache);
	l->restarts = l->u->restarts;
	l->patient = patient;
	while (pos < to) {
		u16 size = header_at(r, pos).size;

		look_ahead(r, pos + size, to);
		if (!add_record(l, r, pos, size))
			break;
		pos += size;
	}
	return pos;
}

bool unwind_lane_is_waiting(const struct unwind_lane *l)
{
	return l->wanted.object != NULL;
}

u64 unwind_lane_object_size(const struct unwind_lane *l)
{
	struct stat st;

	return stat(dso_long_name(l->wanted.object), &st) ? 0 : (u64)st.st_size;
}

void unwind_lane_read_object(struct unwind_lane *l)
{
	unwind_objects_open(l->u->objects, &l->wanted);
	l->wanted.object = NULL;
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
