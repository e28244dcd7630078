/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
#include "unwind/expr.h"

#include "dso/dwarf/reader.h"

enum {
	OP_ADDR = 0x03, OP_DEREF = 0x06, OP_CONST1U = 0x08, OP_CONST1S = 0x09, OP_CONST2U = 0x0a,
	OP_CONST2S = 0x0b, OP_CONST4U = 0x0c, OP_CONST4S = 0x0d, OP_CONST8U = 0x0e,
	OP_CONST8S = 0x0f, OP_CONSTU = 0x10, OP_CONSTS = 0x11, OP_DUP = 0x12, OP_DROP = 0x13,
	OP_OVER = 0x14, OP_PICK = 0x15, OP_SWAP = 0x16, OP_ROT = 0x17, OP_ABS = 0x19, OP_AND = 0x1a,
	OP_DIV = 0x1b, OP_MINUS = 0x1c, OP_MOD = 0x1d, OP_MUL = 0x1e, OP_NEG = 0x1f, OP_NOT = 0x20,
	OP_OR = 0x21, OP_PLUS = 0x22, OP_PLUS_UCONST = 0x23, OP_SHL = 0x24, OP_SHR = 0x25,
	OP_SHRA = 0x26, OP_XOR = 0x27, OP_BRA = 0x28, OP_EQ = 0x29, OP_GE = 0x2a, OP_GT = 0x2b,
	OP_LE = 0x2c, OP_LT = 0x2d, OP_NE = 0x2e, OP_SKIP = 0x2f, OP_LIT0 = 0x30, OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70, OP_BREG31 = 0x8f, OP_BREGX = 0x92, OP_DEREF_SIZE = 0x94, OP_NOP = 0x96,
};

enum { DEPTH = 64, STEPS_MAX = 1000 };

struct eval {
	const struct unwind_abi *abi;
	const struct unwind_regs *regs;
	const struct unwind_stack *stack;
	const u8 *code;
	struct dwarf_reader r;
	u64 v[DEPTH];
	unsigned int nr;
	bool bad;
};

static void push(struct eval *e, u64 v)
{
	if (e->nr == DEPTH)
		e->bad = true;
	else
		e->v[e->nr++] = v;
}

static u64 pop(struct eval *e)
{
	if (!e->nr) {
		e->bad = true;
		return 0;
	}
	return e->v[--e->nr];
}

static u64 pick(struct eval *e, u64 depth)
{
	if (depth >= e->nr) {
		e->bad = true;
		return 0;
	}
	return e->v[e->nr - 1 - depth];
}

static void push_register(struct eval *e, u64 column)
{
	s64 offset = dwarf_sleb(&e->r);

	if (column >= e->abi->nr_regs || !(e->regs->valid >> column & 1))
		e->bad = true;
	else
		push(e, e->regs->v[column] + (u64)offset);
}

static void deref(struct eval *e, u64 size)
{
	u64 v = 0;

	if (size > 8 || !unwind_stack_word(e->stack, pop(e), (unsigned int)size, &v))
		e->bad = true;
	push(e, v);
}

static void jump(struct eval *e)
{
	s64 by = dwarf_signed(&e->r, 2);

	if (by < e->code - e->r.p || by > e->r.end - e->r.p)
		e->bad = true;
	else
		e->r.p += by;
}

static void rotate(struct eval *e)
{
	u64 a = pop(e);
	u64 b = pop(e);
	u64 c = pop(e);

	push(e, a);
	push(e, c);
	push(e, b);
}

static u64 binary(struct eval *e, u8 op, u64 a, u64 b)
{
	switch (op) {
	case OP_AND:
		return a & b;
	case OP_DIV:
		e->bad |= !b;
		if (!b || (s64)b == -1)
			return 0 - a;
		return (u64)((s64)a / (s64)b);
	case OP_MINUS:
		return a - b;
	case OP_MOD:
		e->bad |= !b;
		return b ? a % b : 0;
	case OP_MUL:
		return a * b;
	case OP_OR:
		return a | b;
	case OP_PLUS:
		return a + b;
	case OP_SHL:
		return b < 64 ? a << b : 0;
	case OP_SHR:
		return b < 64 ? a >> b : 0;
	case OP_SHRA:
		return (u64)((s64)a >> (b < 64 ? b : 63));
	case OP_XOR:
		return a ^ b;
	case OP_EQ:
		return a == b;
	case OP_GE:
		return (s64)a >= (s64)b;
	case OP_GT:
		return (s64)a > (s64)b;
	case OP_LE:
		return (s64)a <= (s64)b;
	case OP_LT:
		return (s64)a < (s64)b;
	case OP_NE:
		return a != b;
	default:
		e->bad = true;
		return 0;
	}
}

/* Operations that push what stands in the code; false: another one. */
static bool step_constant(struct eval *e, u8 op)
{
	if (op >= OP_LIT0 && op <= OP_LIT31) {
		push(e, op - OP_LIT0);
		return true;
	}
	if (op >= OP_BREG0 && op <= OP_BREG31) {
		push_register(e, op - OP_BREG0);
		return true;
	}
	if (op >= OP_CONST1U && op <= OP_CONST8S) {
		unsigned int size = 1U << ((op - OP_CONST1U) / 2);

		push(e, op & 1 ? (u64)dwarf_signed(&e->r, size) : dwarf_bytes(&e->r, size));
		return true;
	}
	switch (op) {
	case OP_ADDR:
		push(e, dwarf_bytes(&e->r, e->abi->word));
		return true;
	case OP_CONSTU:
		push(e, dwarf_uleb(&e->r));
		return true;
	case OP_CONSTS:
		push(e, (u64)dwarf_sleb(&e->r));
		return true;
	case OP_BREGX:
		push_register(e, dwarf_uleb(&e->r));
		return true;
	default:
		return false;
	}
}

static void step(struct eval *e, u8 op)
{
	u64 a, b;

	switch (op) {
	case OP_DEREF:
		deref(e, e->abi->word);
		break;
	case OP_DEREF_SIZE:
		deref(e, dwarf_bytes(&e->r, 1));
		break;
	case OP_DUP:
		push(e, pick(e, 0));
		break;
	case OP_DROP:
		pop(e);
		break;
	case OP_OVER:
		push(e, pick(e, 1));
		break;
	case OP_PICK:
		push(e, pick(e, dwarf_bytes(&e->r, 1)));
		break;
	case OP_SWAP:
		a = pop(e);
		b = pop(e);
		push(e, a);
		push(e, b);
		break;
	case OP_ROT:
		rotate(e);
		break;
	case OP_ABS:
		a = pop(e);
		push(e, (s64)a < 0 ? 0 - a : a);
		break;
	case OP_NEG:
		push(e, 0 - pop(e));
		break;
	case OP_NOT:
		push(e, ~pop(e));
		break;
	case OP_PLUS_UCONST:
		push(e, pop(e) + dwarf_uleb(&e->r));
		break;
	case OP_BRA:
		if (pop(e))
			jump(e);
		else
			dwarf_skip(&e->r, 2);
		break;
	case OP_SKIP:
		jump(e);
		break;
	case OP_NOP:
		break;
	default:
		b = pop(e);
		a = pop(e);
		push(e, binary(e, op, a, b));
	}
}

bool unwind_expr(const struct unwind_abi *abi, const struct unwind_regs *regs,
		 const struct unwind_stack *stack, const struct unwind_expr *expr, u32 *steps,
		 u64 *result)
{
	struct eval e = { .abi = abi, .regs = regs, .stack = stack, .code = expr->code,
			  .r = { .p = expr->code, .end = expr->code + expr->len } };
	u32 left = MIN(*steps, (u32)STEPS_MAX);

	*steps -= left;
	if (expr->initial)
		push(&e, *expr->initial);
	for (; e.r.p < e.r.end && left && !e.bad && !e.r.bad; left--) {
		u8 op = *e.r.p++;

		if (!step_constant(&e, op))
			step(&e, op);
	}
	*steps += left;
	*result = pop(&e);
	if (abi->word == 4)
		*result &= 0xffffffff;
	return !e.bad && !e.r.bad && e.r.p == e.r.end;
}
