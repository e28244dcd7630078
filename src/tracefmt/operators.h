/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * operators: what the operators of a print fmt compute, for the compiler, which folds constants,
 * and for the printer. All arithmetic is unsigned, of 64 bits.
 */
#ifndef TRACEFMT_OPERATORS_H
#define TRACEFMT_OPERATORS_H

#include "tracefmt/program.h"

enum node_op {
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_SHL,
	OP_SHR,
	OP_LT,
	OP_GT,
	OP_LE,
	OP_GE,
	OP_EQ,
	OP_NE,
	OP_BAND,
	OP_BXOR,
	OP_BOR,
	OP_AND,
	OP_OR,
	OP_NOT,
	OP_INV,
	OP_NEG,
};

static inline u64 program_unary(u8 op, u64 v)
{
	return op == OP_NOT ? !v : op == OP_INV ? ~v : (u64)0 - v;
}

/* Masks; the sign is not extended. */
static inline u64 program_cast(const struct print_node *n, u64 v)
{
	if (!n->size || n->size == 8)
		return v;
	return v & ((1ULL << (8 * n->size)) - 1);
}

/* Division by zero gives 0. */
static inline u64 program_binary(u8 op, u64 l, u64 r)
{
	switch (op) {
	case OP_ADD:
		return l + r;
	case OP_SUB:
		return l - r;
	case OP_MUL:
		return l * r;
	case OP_DIV:
		return r ? l / r : 0;
	case OP_MOD:
		return r ? l % r : 0;
	case OP_SHL:
		return l << (r & 63);
	case OP_SHR:
		return l >> (r & 63);
	case OP_LT:
		return l < r;
	case OP_GT:
		return l > r;
	case OP_LE:
		return l <= r;
	case OP_GE:
		return l >= r;
	case OP_EQ:
		return l == r;
	case OP_NE:
		return l != r;
	case OP_BAND:
		return l & r;
	case OP_BOR:
		return l | r;
	case OP_AND:
		return l && r;
	case OP_OR:
		return l || r;
	default: /* xor */
		return 0;
	}
}

#endif
