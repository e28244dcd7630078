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

/*
 * The copy and what is above it, up to `size` bytes altogether or to where the process has no memory. call: where the
 * return address lies of the call that the outermost function was found in, 0 = there is none.
 */
static enum above read_rest(struct stack_rest *r, const struct unwind_job *job, const struct unwind_stack *copy, u32 pid,
		      u64 call, u64 size, struct unwind_stack *out)
{
	const unsigned int word = job->abi->word;
	u64 end = copy->addr + copy->size, now = 0, then;
	/* what cannot be read ends it, so the call comes first */
	struct iovec here[2], there[2];
	ssize_t got;

	if (!pid || copy->addr + size < copy->addr)
		return ABOVE_UNKNOWN;
	if (r->room < size) {
		free(r->bytes);
		r->bytes = XNEW_ARRAY(u8, size);
		r->room = size;
	}
	here[0] = (struct iovec){ .iov_base = &now, .iov_len = call ? word : 1 };
	there[0] = (struct iovec){ .iov_base = (void *)(uintptr_t)(call ? call : end), .iov_len = here[0].iov_len };
	here[1] = (struct iovec){ .iov_base = r->bytes + copy->size, .iov_len = size - copy->size };
	there[1] = (struct iovec){ .iov_base = (void *)(uintptr_t)end, .iov_len = here[1].iov_len };
	got = process_vm_readv((pid_t)pid, here, 2, there, 2, 0);
	if (call ? got == (ssize_t)word : got < 0 && errno == EFAULT)
		return ABOVE_NOTHING;
	if (!call || got < (ssize_t)word || !unwind_stack_word(copy, call, word, &then) ||
	    !may_be_one_function(job->ctx, then, now))
		return ABOVE_UNKNOWN;
	memcpy(r->bytes, copy->bytes, copy->size);
	*out = (struct unwind_stack){ .bytes = r->bytes, .addr = copy->addr, .size = copy->size + (u64)got - word };
	return ABOVE_READ;
}

static bool leads_nowhere(const struct unwind_job *job)
{
	return job->end == UNWIND_UNMAPPED || job->end == UNWIND_BROKEN || job->end == UNWIND_NO_RULE ||
	       job->by_zero;
}

void stack_rest_walk(struct stack_rest *r, struct unwind_job *job, u32 pid)
{
	static const u32 sizes[] = { 24 << 10, 64 << 10, STACK_REST_MAX };
	const struct unwind_source *src = job->ctx;
	struct unwind_stack copy = job->stack;
	u64 call = job->nr > 1 ? job->sp - job->abi->word : 0;
	enum above above = ABOVE_READ;
	size_t nr = job->nr;

	for (size_t i = 0; i < ARRAY_SIZE(sizes) && job->end == UNWIND_TRUNCATED; i++) {
		if (sizes[i] <= copy.size)
			continue;
		above = read_rest(r, job, &copy, pid, call, sizes[i], &job->stack);
		if (above != ABOVE_READ || (src->unread && src->unread->object))
			break;
		unwind_walk(job, 1, unwind_source_lookup);
	}
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
	*r = (struct stack_rest){ 0 };
}
