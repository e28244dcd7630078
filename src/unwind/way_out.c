/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/way_out.h"

#include <string.h>

#include "arch/x86_insn.h"
#include "base/bits.h"

enum { WAYS_MAX = 64, STEPS_MAX = 2048, STEPS_MORE = 512, RSP = 4, RBP = 5, DEEP = 1 << 24 };

/* Where a register points, or where in memory its old value is: from one of the two as they were at
 * first. */
enum base { BY_SP, BY_FP, BY_NOTHING };

struct stack_place {
	u8 base;
	s64 at; /* numbers of 32 bits, of all steps together */
};

static const struct stack_place nowhere = { BY_NOTHING, 0 };

enum fp_state {
	FP_SAME, /* as at first */
	FP_SAVED, /* what was in memory at first */
	FP_SET, /* points to a place of the stack */
	FP_LOST,
};

/* One way through the code, at an instruction. */
struct way {
	u32 at;
	struct stack_place sp, fp;
	u8 fp_state;
	bool behind_call; /* with nothing but padding in between */
	bool past_call; /* somewhere on the way */
	bool behind_pop; /* of the frame pointer: the frame is gone */
};

struct way_search {
	const u8 *code;
	u32 size;
	bool is64, found, uses_fp, contradicts;
	bool callers_frame; /* the frame pointer may be that of a frame that a caller has begun to
			       make (SBCL) */
	bool through_calls; /* which may never return */
	bool saves_sp; /* below the frame pointer, the caller's stack pointer */
	u32 first, word, steps_left, nr;
	struct cfi_step step;
	struct way ways[WAYS_MAX]; /* to be followed yet */
	u8 seen[WAY_OUT_CODE / 8];
};

static void answer(struct way_search *s, struct cfi_step step)
{
	if (s->found &&
	    (s->step.kind != step.kind || s->step.cfa != step.cfa || s->step.fp != step.fp))
		s->contradicts = true;
	if (!s->found)
		s->steps_left = MIN(s->steps_left, (u32)STEPS_MORE);
	s->found = true;
	s->step = step;
}

/* The frame that a frame pointer stands for. */
static struct cfi_step step_by_fp(const struct way_search *s)
{
	return (struct cfi_step){ .kind = s->saves_sp ? CFI_STEP_FP_AND_SP : CFI_STEP_FP,
				  .cfa = 2 * (s32)s->word,
				  .fp = -2 * (s32)s->word };
}

static bool is_too_deep(struct stack_place at)
{
	return at.at > DEEP || at.at < -DEEP;
}

/* The way is at a return. */
static void answer_return(struct way_search *s, const struct way *w)
{
	struct cfi_step step = { .kind = w->sp.base == BY_SP ? CFI_STEP_SP : CFI_STEP_FP,
				 .cfa = (s32)w->sp.at + (s32)s->word };

	if (w->sp.base == BY_NOTHING || w->fp_state == FP_LOST || w->fp_state == FP_SET ||
	    (w->fp_state == FP_SAVED && (w->fp.base != w->sp.base || is_too_deep(w->fp)))) {
		s->contradicts = true;
		return;
	}
	if (w->fp_state == FP_SAVED)
		step.fp = (s32)w->fp.at - step.cfa;
	answer(s, step);
}

static void follow_later(struct way_search *s, const struct way *w, s64 to)
{
	if (to < 0 || to >= s->size || s->nr == WAYS_MAX)
		return;
	s->ways[s->nr] = *w;
	s->ways[s->nr].at = (u32)to;
	s->ways[s->nr].behind_call = false;
	s->nr++;
}

/* To another function, if it is far and the frame is gone. */
static void jump(struct way_search *s, const struct way *w, s64 to)
{
	if ((to < 0 || to >= s->size) && w->behind_pop)
		answer_return(s, w);
	else
		follow_later(s, w, to);
}

/* A value on the stack becomes the frame pointer. What was pushed on the way is as it was at first.
 */
static void load_fp(struct way *w, struct stack_place from)
{
	w->fp_state = from.base == BY_NOTHING             ? FP_LOST
		      : from.base == BY_SP && from.at < 0 ? FP_SAME
							  : FP_SAVED;
	w->fp = from;
}

static void set_fp(struct way *w, struct stack_place to)
{
	w->fp_state = to.base == BY_NOTHING ? FP_LOST : FP_SET;
	w->fp = to;
}

/* Where the frame pointer points, `more` bytes on. */
static struct stack_place at_fp(const struct way *w, s32 more)
{
	if (w->fp_state == FP_SAME)
		return (struct stack_place){ BY_FP, more };
	if (w->fp_state == FP_SET)
		return (struct stack_place){ w->fp.base, w->fp.at + more };
	return nowhere;
}

static struct stack_place at_sp(const struct way *w, s32 more)
{
	return (struct stack_place){ w->sp.base, w->sp.at + more };
}

/* False: the way ends, with an answer. */
static bool pop(struct way_search *s, struct way *w, unsigned int reg)
{
	if (reg == RBP && w->sp.base == BY_FP && w->sp.at == 0) {
		answer(s, step_by_fp(s));
		s->nr = 0; /* that is certain */
		return false;
	}
	if (reg == RBP)
		load_fp(w, w->sp);
	w->behind_pop = reg == RBP;
	if (reg == RSP)
		w->sp.base = BY_NOTHING;
	w->sp.at += (s32)s->word;
	return true;
}

/* An operand in memory by the stack or frame pointer and a number, or one of these registers. */
struct code_operand {
	bool is_reg, by_sp, by_fp; /* of memory: on which base */
	u8 reg; /* the other operand; 8 and up are none of the two */
	u8 rm;
	s32 disp;
};

static struct code_operand operand_of(const struct x86_insn *i, const u8 *p)
{
	u8 modrm = p[i->modrm], mod = modrm >> 6, rm = modrm & 7;
	struct code_operand o = { .is_reg = mod == 3,
				  .reg = (u8)((modrm >> 3 & 7) | (i->rex & 4) << 1),
				  .rm = (u8)(rm | (i->rex & 1) << 3) };
	const u8 *disp = p + i->modrm + 1;

	if (i->short_address)
		return o; /* by none of the two that could be followed */
	if (mod == 1 || mod == 2) {
		o.by_fp = o.rm == RBP;
		o.by_sp = rm == RSP && !(i->rex & 1) && *disp == 0x24;
		disp += rm == RSP;
		o.disp = mod == 1 ? (s8)*disp : (s32)bits_u32(disp);
	} else if (mod == 0) {
		o.by_sp = rm == RSP && !(i->rex & 1) && *disp == 0x24;
	}
	return o;
}

/* Arithmetic with a number: adds to the stack pointer, or makes it unknown. */
static void add_number(struct way *w, const struct code_operand *o, const struct x86_insn *i,
		       const u8 *p)
{
	const u8 *end = p + i->len;
	s32 by;

	if (!o->is_reg || o->rm != RSP || (o->reg & 7) == 7)
		return;
	if (i->narrow || ((o->reg & 7) != 0 && (o->reg & 7) != 5)) {
		w->sp = nowhere; /* aligned, say */
		return;
	}
	by = i->op == 0x83 ? (s8)end[-1] : (s32)bits_u32(end - 4);
	w->sp.at += (o->reg & 7) == 0 ? by : -(s64)by;
}

static struct stack_place value_of(const struct way *w, u8 reg)
{
	return reg == RSP ? w->sp : reg == RBP ? at_fp(w, 0) : nowhere;
}

static void put(struct way *w, u8 reg, struct stack_place value)
{
	if (reg == RSP)
		w->sp = value;
	else if (reg == RBP)
		set_fp(w, value);
}

/* Instructions with ModRM that may change one of the two registers. */
static void look_at_operands(struct way *w, const struct x86_insn *i, const u8 *p)
{
	struct code_operand o = operand_of(i, p);

	switch (i->op) {
	case 0x81:
	case 0x83:
		add_number(w, &o, i, p);
		return;
	case 0x8d: /* lea */
		put(w, o.reg,
		    i->narrow ? nowhere
		    : o.by_sp ? at_sp(w, o.disp)
		    : o.by_fp ? at_fp(w, o.disp)
			      : nowhere);
		return;
	case 0x89: /* mov to the second */
		if (o.is_reg)
			put(w, o.rm, i->narrow ? nowhere : value_of(w, o.reg));
		return;
	case 0x8b:
		if (o.is_reg && !i->narrow)
			put(w, o.reg, value_of(w, o.rm));
		else if (o.reg == RBP && o.by_sp && !i->narrow)
			load_fp(w, at_sp(w, o.disp));
		else
			put(w, o.reg, nowhere);
		return;
	case 0x87: /* xchg */
	case 0xc1:
	case 0xd1:
	case 0xd3:
	case 0xf7:
		if (o.is_reg && o.rm == RSP)
			w->sp = nowhere;
		return;
	default:
		/* add and its like, to the first or to the second operand; not cmp */
		if (i->op < 0x38 && (i->op & 7) == 1 && o.is_reg && o.rm == RSP)
			w->sp = nowhere;
		if (i->op < 0x38 && (i->op & 7) == 3 && o.reg == RSP)
			w->sp = nowhere;
		return;
	}
}

/*
 * HotSpot's interpreter goes from one bytecode's piece of code to the next by movabs $table, %r10;
 * jmp *(%r10,%rbx,8), and has a frame that the frame pointer tells of all the time. What calls it
 * from compiled code lays the arguments on the stack before (an adapter does), and has told where
 * the stack was: below the saved frame pointer.
 */
static bool is_hotspot_dispatch(const struct way_search *s, u32 end)
{
	static const u8 movabs[] = { 0x49, 0xba }, jump[] = { 0x41, 0xff, 0x24, 0xda };
	const u8 *p = s->code + end;

	return end >= 14 && !memcmp(p - 14, movabs, sizeof(movabs)) &&
	       !memcmp(p - sizeof(jump), jump, sizeof(jump));
}

/* ff: increments, calls, jumps, push. False: the way ends. */
static bool look_at_group5(struct way_search *s, struct way *w, u8 modrm)
{
	switch (modrm >> 3 & 7) {
	case 2:
		w->behind_call = w->past_call = true;
		return s->through_calls;
	case 6:
		w->sp.at -= (s32)s->word;
		return true;
	case 0:
	case 1:
		return true;
	case 4:
		s->saves_sp |= w->fp_state == FP_SAME && is_hotspot_dispatch(s, w->at);
		s->uses_fp |= s->saves_sp;
		return false;
	default:
		return false;
	}
}

/* Where it returns: leave; pop %rsi; mov %rbx,%rsp; jmp *%rsi, by what lay below the saved frame
 * pointer. */
static bool is_hotspot_return(const struct way_search *s, u32 at)
{
	static const u8 code[][6] = { { 0x5e, 0x48, 0x8b, 0xe3, 0xff, 0xe6 },
				      { 0x5e, 0x48, 0x89, 0xdc, 0xff, 0xe6 } };

	return s->size - at >= sizeof(code[0]) &&
	       (!memcmp(s->code + at, code[0], sizeof(code[0])) ||
		!memcmp(s->code + at, code[1], sizeof(code[1])));
}

/*
 * SBCL's callers make the frame of what they call: they save their frame pointer, set it to the new
 * frame and call. The return address comes to lie in that frame by the first instruction of what is
 * called (pop 8(%rbp)), and the caller has its frame pointer back behind the call, where cmovb
 * %rbx, %rsp drops values. Until that pop, what lies in the new frame is of an earlier call.
 */
static void leave_sbcl_call(struct way_search *s, struct way *w)
{
	s->callers_frame |= w->fp_state == FP_SAME;
	w->sp = at_fp(w, 2 * (s32)s->word);
	w->fp_state = FP_SAME;
}

static bool is_sbcl_drop(const struct x86_insn *i, const u8 *p)
{
	return i->map == 1 && i->op == 0x42 && i->rex == 0x48 && p[i->modrm] == 0xe3;
}

static void pop_to_memory(struct way_search *s, struct way *w, const struct x86_insn *i,
			  const u8 *p)
{
	struct code_operand o = operand_of(i, p);

	s->callers_frame |= w->sp.base == BY_SP && w->sp.at == 0 && w->fp_state == FP_SAME &&
			    !o.is_reg && o.by_fp && o.disp == (s32)s->word;
	w->sp.at += (s32)s->word;
}

/* Of the map behind 0f. False: the way ends. */
static bool look_at_map1(struct way_search *s, struct way *w, const struct x86_insn *i, const u8 *p)
{
	if (i->op >> 4 == 8)
		follow_later(s, w, (s64)w->at + (s32)bits_u32(p + i->len - 4));
	else if (i->op == 0xa0 || i->op == 0xa8) /* push fs, gs */
		w->sp.at -= (s32)s->word;
	else if (i->op == 0xa1 || i->op == 0xa9)
		w->sp.at += (s32)s->word;
	/* ud2, sysret, sysenter, sysexit */
	return i->op != 0x0b && i->op != 0x07 && i->op != 0x34 && i->op != 0x35;
}

static bool is_padding(const struct x86_insn *i)
{
	return (i->map == 1 && i->op == 0x1f) || (i->map == 0 && i->op == 0x90);
}

/* What a function begins with: the call before did not return. */
static bool is_begin(const struct x86_insn *i, const u8 *p)
{
	bool endbr = i->map == 1 && i->op == 0x1e && i->modrm &&
		     (p[i->modrm] == 0xfa || p[i->modrm] == 0xfb);

	return endbr || (i->map == 0 && !i->rex && i->op == (0x50 | RBP));
}

/* Opcodes without ModRM that move the stack pointer, or lead elsewhere. False: the way ends. */
static bool look_at_plain(struct way_search *s, struct way *w, const struct x86_insn *i,
			  const u8 *p)
{
	const s32 word = (s32)s->word;
	u8 low = (u8)((i->op & 7) | (i->rex & 1) << 3);

	switch (i->op) {
	case 0x50:
	case 0x51:
	case 0x52:
	case 0x53:
	case 0x54:
	case 0x55:
	case 0x56:
	case 0x57:
	case 0x68:
	case 0x6a:
	case 0x9c:
		w->sp.at -= word;
		return true;
	case 0x58:
	case 0x59:
	case 0x5a:
	case 0x5b:
	case 0x5c:
	case 0x5d:
	case 0x5e:
	case 0x5f:
		return pop(s, w, low);
	case 0x9d:
		w->sp.at += word;
		return true;
	case 0x60:
	case 0x61:
	case 0xc8:
	case 0xbc:
	case 0x94: /* pusha, popa, enter; mov, xchg with the stack pointer */
		if (low == RSP || s->is64 == false || i->op == 0xc8)
			w->sp.base = BY_NOTHING;
		return true;
	case 0xbd:
	case 0x95:
		if (low == RBP)
			w->fp_state = FP_LOST;
		return true;
	case 0xc9:
		w->sp = at_fp(w, 0);
		s->saves_sp |= w->fp_state == FP_SAME && is_hotspot_return(s, w->at);
		return pop(s, w, RBP);
	case 0xc2: /* what it pops besides is the caller's */
		s->contradicts = true;
		return false;
	case 0xc3:
		answer_return(s, w);
		return false;
	case 0xe8:
		w->behind_call = bits_u32(p + i->len - 4) != 0;
		w->past_call = true;
		if (!w->behind_call)
			w->sp.at -= word; /* to learn where it is */
		return s->through_calls || !w->behind_call;
	case 0xe9:
		jump(s, w, (s64)w->at + (s32)bits_u32(p + i->len - 4));
		return false;
	case 0xeb:
		follow_later(s, w, (s64)w->at + (s8)p[i->len - 1]);
		return false;
	case 0xca:
	case 0xcb:
	case 0xcc:
	case 0xcf:
	case 0xea:
	case 0xf4:
		return false;
	default:
		if (i->op >> 4 == 7 || (i->op >= 0xe0 && i->op <= 0xe3))
			follow_later(s, w, (s64)w->at + (s8)p[i->len - 1]);
		return true;
	}
}

/* A variable below the frame pointer. */
static bool uses_fp(const struct way *w, const struct x86_insn *i, const u8 *p)
{
	struct code_operand o = operand_of(i, p);

	return w->fp_state == FP_SAME && !o.is_reg && o.by_fp && o.disp < 0 &&
	       !(i->map == 0 && i->op == 0x8d);
}

/* A branch by 16 bits: where it leads nothing of this function is. */
static bool is_cut_branch(const struct x86_insn *i, bool is64)
{
	return i->narrow && !is64 &&
	       (i->map == 0 ? i->op == 0xe8 || i->op == 0xe9 : i->map == 1 && i->op >> 4 == 8);
}

/*
 * V8's optimised code leaves by call *-N(%r13) where what it assumed is not so: behind its last
 * instruction, from where nothing returns. (Elsewhere such a call is rare, and a way that ends
 * proves nothing wrong.)
 */
static bool is_v8_exit(const struct x86_insn *i, const u8 *p)
{
	return i->len == 4 && p[0] == 0x41 && p[1] == 0xff && p[2] == 0x55 && p[3] >= 0x80;
}

/* push %rbp; mov %rsp,%rbp: a function makes its frame, so that its return address is on top of the
 * stack still. */
static bool makes_frame(const struct way_search *s, const struct way *w)
{
	static const u8 pushes[][4] = { { 0x55, 0x48, 0x89, 0xe5 }, { 0x55, 0x48, 0x8b, 0xec } };

	return s->is64 && !w->past_call && w->sp.base == BY_SP && w->sp.at == 0 &&
	       w->fp_state == FP_SAME && s->size - w->at >= sizeof(pushes[0]) &&
	       (!memcmp(s->code + w->at, pushes[0], sizeof(pushes[0])) ||
		!memcmp(s->code + w->at, pushes[1], sizeof(pushes[1])));
}

/* One instruction of a way. False: it ends there. */
static bool look_at(struct way_search *s, struct way *w)
{
	const u8 *p = s->code + w->at;
	struct x86_insn i = x86_insn_parse(p, s->size - w->at, s->is64);
	bool behind_call = w->behind_call;

	if (!i.len || (s->seen[w->at / 8] >> w->at % 8 & 1) || (behind_call && is_begin(&i, p)) ||
	    is_cut_branch(&i, s->is64))
		return false;
	s->seen[w->at / 8] |= (u8)(1 << w->at % 8);
	if (makes_frame(s, w)) {
		answer(s, (struct cfi_step){ .kind = CFI_STEP_SP, .cfa = (s32)s->word });
		return false;
	}
	w->at += i.len;
	w->behind_call = behind_call && is_padding(&i);
	w->behind_pop = w->behind_pop && !i.map && i.op == 0xe9;
	if (behind_call && w->at - i.len != s->first && is_sbcl_drop(&i, p))
		leave_sbcl_call(s, w);
	if (i.modrm)
		s->uses_fp |= uses_fp(w, &i, p);
	if (i.map == X86_MAP_OTHER)
		return true;
	if (i.map == 1)
		return look_at_map1(s, w, &i, p);
	if (is_v8_exit(&i, p))
		return false;
	if (i.op == 0xff)
		return look_at_group5(s, w, p[i.modrm]);
	if (i.op == 0x8f)
		pop_to_memory(s, w, &i, p);
	else if (i.modrm)
		look_at_operands(w, &i, p);
	else
		return look_at_plain(s, w, &i, p);
	return true;
}

static void search(struct way_search *s, struct way_out_code code, bool called)
{
	*s = (struct way_search){ .code = code.bytes,
				  .size = MIN(code.size, (u32)WAY_OUT_CODE),
				  .is64 = code.is64,
				  .first = code.at,
				  .word = code.is64 ? 8 : 4,
				  .steps_left = STEPS_MAX,
				  .nr = 1,
				  .through_calls = s->through_calls };
	s->ways[0] = (struct way){ .at = code.at, .behind_call = called, .past_call = called };
	while (s->nr && s->steps_left && !s->contradicts) {
		struct way w = s->ways[--s->nr];

		while (s->steps_left && !s->contradicts && w.at < s->size && look_at(s, &w)) {
			s->steps_left--;
			s->contradicts |= is_too_deep(w.sp);
		}
	}
	s->found &= !s->contradicts && (s->step.kind != CFI_STEP_SP || s->step.cfa >= (s32)s->word);
}

/* Ways without calls first: what stands behind one that never returns is no way of this function.
 */
bool way_out_find(struct way_out_code code, bool called, struct cfi_step *out)
{
	struct way_search s = { .through_calls = false };
	bool uses_fp, callers_frame;

	search(&s, code, called);
	uses_fp = s.uses_fp;
	callers_frame = s.callers_frame;
	if (!s.found) {
		s.through_calls = true;
		search(&s, code, called);
		uses_fp |= s.uses_fp && !s.contradicts;
		callers_frame |= s.callers_frame;
	}
	if (callers_frame)
		return false;
	*out = s.found ? s.step : step_by_fp(&s);
	return s.found || uses_fp;
}

/* A stack pointer that comes neither from itself nor from the frame pointer. */
static bool sets_sp(const struct x86_insn *i, const u8 *p)
{
	struct way w = { .sp = { BY_SP, 0 } };

	if (i->map || !i->modrm || (i->op != 0x89 && i->op != 0x8b && i->op != 0x8d))
		return false;
	look_at_operands(&w, i, p);
	return w.sp.base == BY_NOTHING;
}

bool way_out_leaves_by_sp(struct way_out_code code)
{
	enum { NEAR = 256 };
	unsigned int calls = 0;
	bool set = false;
	s64 at = code.at;

	for (unsigned int n = 0; n < NEAR && at >= 0 && at < code.size && calls < 2; n++) {
		const u8 *p = code.bytes + at;
		struct x86_insn i = x86_insn_parse(p, code.size - (size_t)at, code.is64);

		if (!i.len || is_cut_branch(&i, code.is64))
			return false;
		at += i.len;
		if (i.map)
			continue;
		set |= sets_sp(&i, p);
		if (i.op == 0xc3 || (i.op == 0xff && (p[i.modrm] >> 3 & 7) == 4))
			return set;
		calls += i.op == 0xe8 || (i.op == 0xff && (p[i.modrm] >> 3 & 7) == 2);
		if (i.op == 0xe9)
			at += (s32)bits_u32(p + i.len - 4);
		else if (i.op == 0xeb)
			at += (s8)p[i.len - 1];
	}
	return false;
}
