/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/stack_rest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/mem.h"

/* How the frame of a function lies on the stack, as far as that is told in a few words. */
struct layout {
	bool known, has_rule;
	struct cfi_step step;
};

static struct layout layout_at(struct unwind_source *src, u64 ra)
{
	struct unwind_code code = { 0 };
	struct layout l = { 0 };

	unwind_source_lookup(src, ra - 1, &code);
	l.has_rule = code.rule && code.rule->has_rule;
	l.step = code.step;
	l.known = code.mapped && (!l.has_rule || code.step.kind == CFI_STEP_SP || code.step.kind == CFI_STEP_FP);
	return l;
}

/* Two return addresses that the same function may have left at the same place. */
static bool may_be_one_function(struct unwind_source *src, u64 a, u64 b)
{
	enum { LONGEST = 1 << 16 };
	struct layout x, y;

	if (a == b)
		return true;
	if ((a > b ? a - b : b - a) > LONGEST)
		return false;
	x = layout_at(src, a);
	y = layout_at(src, b);
	return x.known && y.known && x.has_rule == y.has_rule &&
	       (!x.has_rule || (x.step.kind == y.step.kind && x.step.cfa == y.step.cfa && x.step.fp == y.step.fp));
}

enum above {
	ABOVE_READ,
	ABOVE_NOTHING, /* the process has no memory there */
	ABOVE_UNKNOWN,
};

/* Whose stack it is. call: where the return address lies of the call that the outermost function was found in, 0 = none. */
struct place {
	struct unwind_job *job;
	const struct unwind_stack *copy;
	u32 pid;
	u64 call;
};

/* Memory of the process from an address of its stack on, as far as there is some. */
static enum above read_piece(const struct place *p, u64 from, u64 size, u8 *into, u64 *got)
{
	const unsigned int word = p->job->abi->word;
	u64 now = 0, then;
	/* what cannot be read ends it, so the call comes first */
	struct iovec here[2], there[2];
	ssize_t all, first;

	if (!p->pid || from + size < from)
		return ABOVE_UNKNOWN;
	first = p->call ? word : 1;
	here[0] = (struct iovec){ .iov_base = &now, .iov_len = (size_t)first };
	there[0] = (struct iovec){ .iov_base = (void *)(uintptr_t)(p->call ? p->call : from), .iov_len = (size_t)first };
	here[1] = (struct iovec){ .iov_base = into, .iov_len = size };
	there[1] = (struct iovec){ .iov_base = (void *)(uintptr_t)from, .iov_len = size };
	all = process_vm_readv((pid_t)p->pid, here, 2, there, 2, 0);
	if (p->call ? all == first : all < 0 && errno == EFAULT)
		return ABOVE_NOTHING;
	if (all <= first)
		return ABOVE_UNKNOWN;
	*got = (u64)(all - first);
	if (p->call && (!unwind_stack_word(p->copy, p->call, word, &then) ||
			!may_be_one_function(p->job->ctx, then, now)))
		return ABOVE_UNKNOWN;
	return ABOVE_READ;
}

/* The copy and what is above it, up to `size` bytes altogether or to where the process has no memory, for the job. */
static enum above read_rest(struct stack_rest *r, const struct place *p, u64 size)
{
	const struct unwind_stack *copy = p->copy;
	enum above above;
	u64 got;

	if (r->room < size) {
		free(r->bytes);
		r->bytes = XNEW_ARRAY(u8, size);
		r->room = size;
	}
	above = read_piece(p, copy->addr + copy->size, size - copy->size, r->bytes + copy->size, &got);
	if (above != ABOVE_READ)
		return above;
	memcpy(r->bytes, copy->bytes, copy->size);
	p->job->stack = (struct unwind_stack){ .bytes = r->bytes, .addr = copy->addr, .size = copy->size + got };
	return ABOVE_READ;
}

/* Again, in more of the stack; false: an object has to be read first, or who called the sampled function is not known. */
static bool walk_again(const struct place *p)
{
	struct unwind_job *job = p->job;
	const struct unwind_source *src = job->ctx;

	if (src->unread && src->unread->object)
		return false;
	unwind_walk(job, 1, unwind_source_lookup);
	if (p->call || job->nr < 2 || unwind_source_may_call(job->ctx, job->pcs[1] + 1, job->pcs[0]))
		return true;
	job->nr = 1;
	job->end = UNWIND_TRUNCATED;
	job->by_zero = false;
	return false;
}

static bool leads_nowhere(const struct unwind_job *job)
{
	return job->end == UNWIND_UNMAPPED || job->end == UNWIND_BROKEN || job->end == UNWIND_NO_RULE ||
	       job->by_zero;
}

/* In one piece with the copy, as little as leads on. */
static enum above walk_near(struct stack_rest *r, const struct place *p)
{
	static const u32 sizes[] = { 24 << 10, 64 << 10, STACK_REST_MAX };
	struct unwind_job *job = p->job;
	enum above above = ABOVE_READ;

	for (size_t i = 0; i < ARRAY_SIZE(sizes) && job->end == UNWIND_TRUNCATED; i++) {
		if (sizes[i] <= p->copy->size || (job->needs && job->needs - p->copy->addr >= sizes[i]))
			continue;
		above = read_rest(r, p, sizes[i]);
		if (above != ABOVE_READ || !walk_again(p))
			return above == ABOVE_READ ? ABOVE_UNKNOWN : above;
	}
	return above;
}

/* What is needed of the stack farther up: from a little below it, where a frame keeps registers, on. */
static enum above walk_far(struct stack_rest *r, const struct place *p)
{
	enum { WINDOWS = 16, LARGEST = 64 << 10, FIRST = 16 << 10, REGISTERS = 1024 };
	struct unwind_stack windows[WINDOWS], *top = &p->job->stack;
	struct unwind_job *job = p->job;
	enum above above = ABOVE_READ;
	bool goes_on = true;

	if (!r->windows)
		r->windows = XNEW_ARRAY(u8, WINDOWS * LARGEST);
	for (size_t i = 0; i < WINDOWS && goes_on && job->end == UNWIND_TRUNCATED && job->needs; i++) {
		u64 size = i ? LARGEST : FIRST, below = job->needs - (top->addr + top->size);
		struct unwind_stack *w = &windows[i];

		/* or in a gap */
		if (below >= STACK_REST_FAR)
			break;
		*w = (struct unwind_stack){ .bytes = r->windows + i * LARGEST,
					    .addr = job->needs - MIN(below, (u64)REGISTERS) };
		above = read_piece(p, w->addr, size, r->windows + i * LARGEST, &w->size);
		if (above != ABOVE_READ)
			break;
		top->above = w;
		top = w;
		goes_on = walk_again(p);
	}
	return above;
}

void stack_rest_walk(struct stack_rest *r, struct unwind_job *job, u32 pid)
{
	struct unwind_stack copy = job->stack;
	struct place p = { .job = job, .copy = &copy, .pid = pid,
			   .call = job->nr > 1 ? job->sp - job->abi->word : 0 };
	size_t nr = job->nr;
	enum above above = walk_near(r, &p);

	if (above == ABOVE_READ && job->end == UNWIND_TRUNCATED)
		above = walk_far(r, &p);
	job->stack = copy;
	if (leads_nowhere(job)) {
		job->nr = nr;
		job->end = UNWIND_TRUNCATED;
		job->by_zero = false;
	}
	if (above == ABOVE_NOTHING && job->end == UNWIND_TRUNCATED)
		job->end = UNWIND_BROKEN;
}

void stack_rest_release(struct stack_rest *r)
{
	free(r->bytes);
	free(r->windows);
	*r = (struct stack_rest){ 0 };
}
