/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples with copies of stacks become samples with callchains.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "capture/stacks/internal.h"

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
	for (struct map_probe p = map_first(&u->by_id, hash_u64(id));
	     map_next(&u->by_id, &p, &i);) {
		if (u->ids.v[i].id == id)
			return &u->events[u->ids.v[i].event];
	}
	return &u->events[0];
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

/* Whether the frame that a call at pc was made from is where the frame pointer says. */
static bool keeps_frame_pointer(const struct stack *s, u64 pc)
{
	const struct unwind_job *job = s->job;
	const s32 word = job->abi->word;
	struct unwind_code code = { 0 };
	struct cfi_step step;

	unwind_source_lookup(job->ctx, pc, &code);
	step = code.step;
	if (!(code.rule && code.rule->has_rule) &&
	    !job->code->way_out(job->ctx, job->abi, pc + 1, true, &step))
		return false;
	return (step.kind == CFI_STEP_FP || step.kind == CFI_STEP_FP_AND_SP) &&
	       step.cfa == 2 * word && step.fp == -2 * word;
}

/* How many of the frames are proven, of which the first nr are, since the code of each keeps frame
 * pointers. */
static size_t proven_by_fp(const struct stack *s, size_t nr, size_t all)
{
	while (nr < all && nr && keeps_frame_pointer(s, s->job->pcs[nr - 1]))
		nr++;
	return nr;
}

/* Returns the number of marks: there were more frames than are known. */
static u32 count(struct unwind_lane *l, const struct sample *smp, enum unwind_end end)
{
	bool cut = end == UNWIND_TRUNCATED && sample_stack_is_full(smp);
	bool absent = end == UNWIND_TRUNCATED && !cut;

	l->stats.stacks++;
	l->stats.cut += cut;
	l->stats.absent += absent;
	l->stats.full += end == UNWIND_FULL;
	l->stats.guessed += end == UNWIND_GUESSED;
	l->stats.incomplete += !cut && end != UNWIND_COMPLETE && end != UNWIND_FULL &&
			       end != UNWIND_GUESSED;
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

/* ---- samples, several at a time ---- */

/* A walk from where the sample is; NULL = there are no registers. */
static struct unwind_job *begin_job(struct unwind_lane *l, struct stack *s)
{
	const struct sample *smp = &s->smp;
	bool is32 = smp->user_abi == PERF_SAMPLE_REGS_ABI_32;
	const struct unwind_abi *abi = is32 ? l->u->abi32 : l->u->abi;
	const struct unwind_reg_words *regs = is32 ? &s->ev->regs32 : &s->ev->regs;
	struct unwind_job *job = &l->jobs[l->nr_jobs];

	if (!smp->user_regs || !regs->valid)
		return NULL;
	unwind_regs_read(regs, smp->user_regs, &job->regs);
	unwind_lane_set_source(l, s);
	job->abi = abi;
	job->stack = (struct unwind_stack){ .bytes = smp->user_stack,
					    .size = smp->user_stack_size,
					    .addr = job->regs.v[abi->sp] };
	unwind_source_give(&s->source, job);
	s->job = job;
	l->nr_jobs++;
	return job;
}

/* For the user frames behind what the chain holds; at most max. */
static void add_job(struct unwind_lane *l, struct stack *s, size_t max)
{
	struct unwind_job *job = begin_job(l, s);

	if (!job)
		return;
	VEC_GROW(&s->chain, max + 3);
	*VEC_PUSH(&s->chain) = PERF_CONTEXT_USER;
	job->pcs = s->chain.v + s->chain.nr;
	job->max = max;
}

/* For the first callers. */
static void add_top_job(struct unwind_lane *l, struct stack *s)
{
	struct unwind_job *job = s->fp.nr ? begin_job(l, s) : NULL;

	if (!job)
		return;
	job->pcs = l->top[job - l->jobs];
	job->max = TOP_FRAMES;
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
	room = RECORD_USABLE - (size_t)(p.stack - start) -
	       (size_t)(start + s->h->size - p.stack_end);
	s->fp = unwind_lane_fp_chain(smp, s->ev->kernel_max);
	/* without registers there is only that */
	nr = s->fp.v && smp->user_regs && !s->ev->top ? (u64)(s->fp.v - 1 - smp->chain)
						      : smp->nr_chain;
	s->chain.nr = 0;
	VEC_GROW(&s->chain, nr);
	if (nr)
		memcpy(s->chain.v, smp->chain, nr * 8);
	s->chain.nr = nr;
	if (s->ev->top)
		add_top_job(l, s);
	else if (room >= 4 * 8)
		add_job(l, s, MIN((size_t)s->ev->max_frames, room / 8 - 3));
}

/* The walk ended where the kernel found no more memory to copy: the next copies are to go on. */
static void touch_rest(const struct stack *s)
{
	const struct unwind_stack *copy = &s->job->stack;

	/* it was led astray */
	if (!stack_pages_touch(s->smp.pid, copy->addr + copy->size,
			       copy->addr + bits_u64(s->smp.user_stack - 8)))
		s->job->end = UNWIND_BROKEN;
}

/*
 * The caller of an innermost function without a frame: the kernel's chain goes on with that one's
 * caller, since the frame pointer is still (or again) that one's. How many of the frames found are
 * missing in the chain.
 */
static size_t frames_missed(const struct stack *s)
{
	const struct unwind_job *job = s->job;
	size_t nr = job->guessed ? job->guessed : job->nr;
	struct unwind_code code;

	if (!nr || job->pcs[0] != s->fp.v[0])
		return 0;
	for (size_t i = 1; s->fp.nr > 1 && i < nr; i++)
		if (job->pcs[i] + 1 == s->fp.v[1])
			return i - 1;
	unwind_source_lookup((void *)(uintptr_t)&s->source, job->pcs[0], &code);
	return code.step.kind == CFI_STEP_SP && nr > 1;
}

static void add_top(struct stack *s)
{
	size_t n = frames_missed(s), at = (size_t)(s->fp.v + 1 - s->smp.chain);

	if (!n)
		return;
	VEC_GROW(&s->chain, n);
	memmove(s->chain.v + at + n, s->chain.v + at, (s->chain.nr - at) * sizeof(u64));
	for (size_t i = 0; i < n; i++)
		s->chain.v[at + i] = s->job->pcs[1 + i] + 1;
	s->chain.nr += n;
}

/* The frames of the kernel's chain go on where the walk ended early; without proof of their code
 * they are guesses. */
static void mend(struct unwind_lane *l, struct stack *s)
{
	struct unwind_job *job = s->job;
	size_t nr = continue_by_fp(job->pcs, job->nr, job->max, &s->fp), proven;

	if (nr == job->nr)
		return;
	proven = proven_by_fp(s, job->nr, nr);
	job->nr = nr;
	if (proven < nr) {
		job->guessed = proven;
		job->end = UNWIND_GUESSED;
	} else if (s->fp.whole) { /* as far as frame pointers lead */
		job->end = UNWIND_COMPLETE;
		l->stats.mended++;
	}
}

/* What came of the walk: into the chain, with its marks. */
static void take_frames(struct unwind_lane *l, struct stack *s)
{
	struct unwind_job *job = s->job;
	u32 marks;

	if (unwind_evidence_ends_at_entry(s))
		job->end = UNWIND_COMPLETE;
	if (job->end != UNWIND_COMPLETE && job->end != UNWIND_GUESSED)
		mend(l, s);
	s->chain.nr += job->nr;
	if (job->guessed) {
		u64 *first = job->pcs + job->guessed;

		memmove(first + 1, first, (job->nr - job->guessed) * sizeof(*first));
		*first = PERF_CONTEXT_USER;
		s->chain.nr++;
	}
	marks = count(l, &s->smp, job->end);
	unwind_evidence_of_stack(l, s, job->end == UNWIND_COMPLETE, marks != 0);
	for (; marks; marks--)
		*VEC_PUSH(&s->chain) = PERF_CONTEXT_USER;
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
	if (s->job && !s->wanted.object && !s->ev->top && s->job->end == UNWIND_TRUNCATED &&
	    !sample_stack_is_full(&s->smp))
		touch_rest(s);
	if (s->job && s->wanted.object) {
		l->wanted = s->wanted;
		return false;
	}
	if (s->job && s->ev->top)
		add_top(s);
	else if (s->job)
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
static const struct perf_event_header *record_at(struct unwind_lane *l, const struct ring *r,
						 u64 pos, u16 size)
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
		const struct unwound_event *ev = h->type == PERF_RECORD_SAMPLE ? event_of(l->u, h)
									       : NULL;

		l->evidence.samples += ev != NULL;
		if (ev && ev->stacks) {
			struct stack *s = &l->stacks[l->nr_stacks++];

			s->ev = ev;
			s->h = h;
			s->pos = pos;
			fetch(h);
		}
		if (ev && ev->watched && unwind_evidence_is_wanted(l))
			unwind_evidence_of_chain(l, ev, h);
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

u64 unwind_lane_make(struct unwind_lane *l, const struct ring *r, u64 from, u64 to, bool patient)
{
	u64 pos = from;

	begin_work(l);
	l->patient = patient;
	while (pos < to && !l->wanted.object) {
		u64 end = collect(l, r, pos, to);

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
		unwind_walk(l->jobs, l->nr_jobs, unwind_source_lookup);
		for (size_t i = 0; i < l->nr_stacks; i++)
			if (!l->stacks[i].broken && l->stacks[i].job && !l->stacks[i].ev->top)
				take_frames(l, &l->stacks[i]);
	}
	end_work(l);
	l->stats = before;
}

size_t unwind_lane_walk_task(struct unwind_lane *l, const struct unwind_task *t, u64 *pcs,
			     size_t max, enum unwind_end *end)
{
	struct unwind_job job = {
		.abi = l->u->abi, .regs = t->regs, .stack = t->stack, .pcs = pcs, .max = max
	};
	struct stack *s = &l->chain_end;

	begin_work(l);
	l->patient = false;
	s->smp = (struct sample){ .pid = t->pid, .tid = t->tid, .time = t->time };
	unwind_lane_set_source(l, s);
	unwind_source_give(&s->source, &job);
	unwind_walk(&job, 1, unwind_source_lookup);
	s->job = &job;
	*end = job.guessed                        ? UNWIND_NO_RULE
	       : unwind_evidence_ends_at_entry(s) ? UNWIND_COMPLETE
						  : job.end;
	s->job = NULL;
	end_work(l);
	return job.guessed ? job.guessed : job.nr;
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
