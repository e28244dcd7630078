/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk: the callers of an interrupted function from its registers and a copy of its stack.
 *
 * A caller is proven by a rule of the object's call frame information or, where the code has none,
 * by the instructions that it will leave by (way_out.h) together with the instruction in front of
 * the return address. Where there is neither, the frame pointer is followed, if it leads
 * anywhere: from there on all frames are guesses.
 *
 * One walk is a loop without allocation; what is found out
 * about an address is remembered by the caller of unwind_walk(), behind the lookup function. Half
 * of the time of a walk is waiting for memory, so several are done side by side: while one waits
 * the others go on. Threads: a walk touches only what it is given.
 */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include "base/hash.h"
#include "unwind/cfi.h"
#include "unwind/stack.h"
#include "unwind/trampoline.h"

/* The rule of an address, or what calls return to there; any of them may be missing. */
struct unwind_rule {
	bool has_rule;
	const struct cfi_rule *rule; /* NULL: there is none, or it was not asked for yet */
	struct cfi *cfi; /* of the object */
	u64 offset; /* of the address, in the object's file */
	const struct trampoline *trampoline; /* begins one byte behind */
};

/* What is known of the code at an address. */
struct unwind_code {
	bool mapped; /* the address is in some object */
	struct cfi_step step; /* what the rule comes to; CFI_STEP_RULE: look at it */
	struct unwind_rule *rule; /* NULL: nothing of that; valid until the next question */
};
typedef void unwind_lookup_fn(void *ctx, u64 pc, struct unwind_code *out);

/* What code without a rule tells of itself. */
struct unwind_code_reader {
	/* How the code at pc, which was called or interrupted there, finds its caller; see
	 * way_out_find(). */
	bool (*way_out)(void *ctx, const struct unwind_abi *abi, u64 pc, bool called,
			struct cfi_step *out);
	/* See way_out_leaves_by_sp(). */
	bool (*leaves_soon)(void *ctx, const struct unwind_abi *abi, u64 pc);
	/* Whether code may return to an address: it stands behind a call, or in memory that a JIT
	 * compiler filled. */
	bool (*returns_to)(void *ctx, u64 ra);
};

/* Addresses that lie in one object for the whole of a walk. */
struct unwind_span {
	u64 start, len; /* len 0: none */
	u64 shift; /* from these addresses to those in the object */
	u32 object; /* its number; 0: nothing of it is remembered */
};
/* Sets the job's span to one with this address; false: no object is there. ctx: that of lookup. */
typedef bool unwind_find_span_fn(void *ctx, u64 pc);

/*
 * What a thread remembers of an address in an object, wherever that is mapped. A walk looks here
 * itself and asks for all that needs more than a step; two of them are one line of a CPU's cache.
 */
struct unwind_known {
	u64 addr;
	u32 object; /* 0 = empty: all bytes are 0 */
	bool is_full, has_rule; /* for the one who fills it */
	struct cfi_step step; /* CFI_STEP_RULE: ask */
} __attribute__((aligned(32)));
enum { UNWIND_KNOWN = 1 << 13 };

/* Where an address has its place. */
static inline u32 unwind_known_at(u32 object, u64 addr)
{
	return (u32)(hash_mix(object, addr) % UNWIND_KNOWN);
}

/*
 * Have `known` tell of addresses, where a step is all that there is to tell. Half of the time of
 * such a question is waiting for memory: here several are asked side by side, of jobs with the same
 * `known`. ctx: that of lookup.
 */
struct unwind_address {
	void *ctx;
	u64 pc;
};
typedef void unwind_learn_fn(const struct unwind_address *addresses, size_t nr);

/*
 * Where a walk through a thread's stack came by. Most of that is the same in the thread's next
 * sample, so the CPU can fetch all of it at once, rather than each piece when the one before it has
 * come. What stands there is read all the same.
 */
struct unwind_trail {
	u32 tid;
	u32 nr;
	struct unwind_trace {
		u64 ra_at, fp_at; /* words of the stack */
		u32 known; /* number among those that are known */
	} traces[256];
};

enum unwind_end {
	UNWIND_COMPLETE, /* the outermost frame says that it is one */
	UNWIND_TRUNCATED, /* the copy of the stack ends before the stack does */
	UNWIND_FULL, /* there was no room for more frames */
	UNWIND_NO_RULE, /* code without call frame information or frame pointer */
	UNWIND_UNMAPPED, /* a return address outside of all objects */
	UNWIND_BROKEN, /* a rule needs what is not known, or the stack makes no progress */
	UNWIND_OTHER_STACK, /* a signal handler with a stack of its own interrupted the last frame
			     */
	UNWIND_GUESSED, /* however it ended, frames are guesses: see unwind_job.guessed */
	UNWIND_ABSENT, /* for callers: truncated, since the kernel found no memory to copy further
			  on */
	UNWIND_NR_ENDS,
};

/* A walk: what is given, and what came of it. */
struct unwind_job {
	const struct unwind_abi *abi;
	struct unwind_regs regs;
	struct unwind_stack stack;
	void *ctx; /* of lookup */
	const struct unwind_code_reader *code; /* NULL: code without rules is not looked at */
	const struct unwind_known *known; /* UNWIND_KNOWN of them, NULL = none */
	unwind_learn_fn *learn; /* with known, as are the next two */
	const struct unwind_span *span;
	unwind_find_span_fn *find_span;
	struct unwind_trail *trail; /* may be another thread's; NULL = none */
	u32 tid; /* with trail */
	u64 *pcs;
	size_t max, nr; /* of pcs: room, frames */
	size_t guessed; /* that many frames are proven, those behind them are not; 0 = all are */
	u64 sp; /* of the last frame */
	enum unwind_end end;
};

enum { UNWIND_SIDE_BY_SIDE = 8 };

/*
 * Fills pcs of each job, the interrupted address first. Callers are given by the address of the
 * call's last byte (the return address less one), so that a call at the end of a function counts to
 * it; what a signal interrupted, and the trampoline that the handler returns to, by the address
 * itself. At most UNWIND_SIDE_BY_SIDE jobs.
 */
void unwind_walk(struct unwind_job *jobs, size_t nr, unwind_lookup_fn *lookup);

#endif
