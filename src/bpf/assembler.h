/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/assembler: BPF programs written as const tables of lines, one instruction each, so that the
 *build needs no compiler for BPF. Labels, maps and values that are known only when the program is
 *loaded are numbers in the table; bpf_assemble() puts in what they stand for.
 *
 *	static const struct bpf_line lines[] = {
 *		ASM_LOAD(DW, R1, R6, 0),
 *		ASM_IFI(JEQ, R1, 0, OUT),
 *		...
 *		ASM_LABEL(OUT),
 *		ASM_MOVI(R0, 1),
 *		ASM_EXIT(),
 *	};
 *
 * Registers: R0 result, R1..R5 arguments (lost by calls), R6..R9 kept, FP end of the 512 bytes of
 *stack.
 *
 * Source: Documentation/bpf/standardization/instruction-set.rst, linux/bpf.h.
 */
#ifndef BPF_ASSEMBLER_H
#define BPF_ASSEMBLER_H

#include <linux/bpf.h>

#include "base/err.h"

enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FP };

enum bpf_line_kind {
	BPF_LINE_PLAIN,
	BPF_LINE_LABEL, /* no instruction; ref = its number */
	BPF_LINE_JUMP, /* ref = the label */
	BPF_LINE_MAP, /* two instructions; ref = the map */
	BPF_LINE_SHARED, /* two: the address of byte imm of the only element of array map ref */
	BPF_LINE_VALUE, /* two; ref = the value */
};

struct bpf_line {
	u8 kind, ref;
	u8 code, dst, src;
	s16 off;
	s32 imm;
};

#define ASM_LINE(c, d, s, o, i, ...)                                                               \
	{                                                                                          \
		.code = (c), .dst = (d), .src = (s), .off = (o), .imm = (i), __VA_ARGS__           \
	}
#define ASM_MOV(d, s) ASM_LINE(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define ASM_MOVI(d, i) ASM_LINE(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define ASM_OP(op, d, s) ASM_LINE(BPF_ALU64 | BPF_##op | BPF_X, d, s, 0, 0)
#define ASM_OPI(op, d, i) ASM_LINE(BPF_ALU64 | BPF_##op | BPF_K, d, 0, 0, i)
/* d = *(size *)(s + o), *(size *)(d + o) = s, *(size *)(d + o) = i; size: B H W DW */
#define ASM_LOAD(size, d, s, o) ASM_LINE(BPF_LDX | BPF_MEM | BPF_##size, d, s, o, 0)
#define ASM_STORE(size, d, o, s) ASM_LINE(BPF_STX | BPF_MEM | BPF_##size, d, s, o, 0)
#define ASM_STOREI(size, d, o, i) ASM_LINE(BPF_ST | BPF_MEM | BPF_##size, d, 0, o, i)
/* *(u64 *)(d + o) += s, at once for all CPUs */
#define ASM_ATOMIC_ADD(d, o, s) ASM_LINE(BPF_STX | BPF_XADD | BPF_DW, d, s, o, 0)
#define ASM_CALL(fn) ASM_LINE(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##fn)
#define ASM_EXIT() ASM_LINE(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define ASM_LABEL(l) ASM_LINE(0, 0, 0, 0, 0, .kind = BPF_LINE_LABEL, .ref = (l))
#define ASM_GOTO(l) ASM_LINE(BPF_JMP | BPF_JA, 0, 0, 0, 0, .kind = BPF_LINE_JUMP, .ref = (l))
#define ASM_IF(op, d, s, l)                                                                        \
	ASM_LINE(BPF_JMP | BPF_##op | BPF_X, d, s, 0, 0, .kind = BPF_LINE_JUMP, .ref = (l))
#define ASM_IFI(op, d, i, l)                                                                       \
	ASM_LINE(BPF_JMP | BPF_##op | BPF_K, d, 0, 0, i, .kind = BPF_LINE_JUMP, .ref = (l))
#define ASM_MAP(d, m)                                                                              \
	ASM_LINE(BPF_LD | BPF_IMM | BPF_DW, d, BPF_PSEUDO_MAP_FD, 0, 0, .kind = BPF_LINE_MAP,      \
		 .ref = (m))
#define ASM_SHARED(d, m, at)                                                                       \
	ASM_LINE(BPF_LD | BPF_IMM | BPF_DW, d, BPF_PSEUDO_MAP_VALUE, 0, (s32)(at),                 \
		 .kind = BPF_LINE_SHARED, .ref = (m))
#define ASM_VALUE(d, v)                                                                            \
	ASM_LINE(BPF_LD | BPF_IMM | BPF_DW, d, 0, 0, 0, .kind = BPF_LINE_VALUE, .ref = (v))

enum { BPF_LABELS_MAX = 64 };

/* What the numbers in a table stand for; arrays as long as the table's numbers are large. */
struct bpf_meanings {
	const int *maps; /* descriptors */
	const u64 *values;
};

/*
 * The table as instructions; *nr: how many. -1: more than max, or a label that is missing or there
 * twice (mistakes in the table).
 */
int bpf_assemble(const struct bpf_line *lines, size_t nr_lines, const struct bpf_meanings *m,
		 struct bpf_insn *out, size_t max, size_t *nr);

#endif
