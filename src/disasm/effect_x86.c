/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Effects of x86 instructions. Capstone tells operands; which of them are written is taken from it
 * only where this file knows the instruction to read them alone: otherwise the first operand counts
 * as written. Source: Intel's manual, volume 2.
 */
#ifdef HAVE_CAPSTONE
#include <elf.h>

#include "disasm/effect_machines.h"

enum { RBP = 6, EBP = 5 };
enum { BIT_AX = 1, BIT_DX = 2, BIT_CX = 4, BIT_SI = 16, BIT_DI = 32 };

/* clang-format off */
#define OLD(nr, l, h, w, e, r, bytes) \
	[X86_REG_##l] = { nr, 1 }, h [X86_REG_##w] = { nr, 2 }, [X86_REG_##e] = { nr, 4 }, \
	[X86_REG_##r] = { nr, bytes },
#define HIGH(nr, h) [X86_REG_##h] = { nr, 1 },
#define NEW(nr, r) \
	[X86_REG_##r##B] = { nr, 1 }, [X86_REG_##r##W] = { nr, 2 }, [X86_REG_##r##D] = { nr, 4 }, \
	[X86_REG_##r] = { nr, 8 },

/* By number of x86_64; bytes 0: not followed. */
static const struct { u8 nr, bytes; } regs[X86_REG_ENDING] = {
	OLD(0, AL, HIGH(0, AH), AX, EAX, RAX, 8)
	OLD(1, DL, HIGH(1, DH), DX, EDX, RDX, 8)
	OLD(2, CL, HIGH(2, CH), CX, ECX, RCX, 8)
	OLD(3, BL, HIGH(3, BH), BX, EBX, RBX, 8)
	OLD(4, SIL, , SI, ESI, RSI, 8)
	OLD(5, DIL, , DI, EDI, RDI, 8)
	OLD(6, BPL, , BP, EBP, RBP, 8)
	OLD(7, SPL, , SP, ESP, RSP, 8)
	NEW(8, R8) NEW(9, R9) NEW(10, R10) NEW(11, R11)
	NEW(12, R12) NEW(13, R13) NEW(14, R14) NEW(15, R15)
};
/* clang-format on */

static s8 number64(unsigned int reg)
{
	return reg < X86_REG_ENDING && regs[reg].bytes ? (s8)regs[reg].nr : EFFECT_NO_REG;
}

/* The psABI of i386 has another order. */
static s8 number32(unsigned int reg)
{
	static const s8 of[] = { 0, 2, 1, 3, 6, 7, 5, 4 };
	s8 nr = number64(reg);

	return nr >= 0 && nr < 8 ? of[nr] : EFFECT_NO_REG;
}

struct x86_state {
	const cs_x86 *x;
	unsigned int id;
	u8 word;
	s8 stack; /* pointer */
	s8 (*number)(unsigned int reg);
	struct effect *out;
};

/* A whole register that is followed. */
static s8 whole(const struct x86_state *s, u8 i)
{
	const cs_x86_op *op = &s->x->operands[i];

	if (i >= s->x->op_count || op->type != X86_OP_REG || op->reg >= X86_REG_ENDING ||
	    regs[op->reg].bytes != s->word)
		return EFFECT_NO_REG;
	return s->number(op->reg);
}

/* A register of an address; *other: one that is not followed. */
static s8 address_reg(const struct x86_state *s, unsigned int reg, bool *other)
{
	if (reg == X86_REG_INVALID)
		return EFFECT_NO_REG;
	if (reg >= X86_REG_ENDING || regs[reg].bytes != s->word) {
		*other |= reg != X86_REG_RIZ && reg != X86_REG_EIZ;
		return EFFECT_NO_REG;
	}
	return s->number(reg);
}

static void set_memory(const struct x86_state *s, const cs_x86_op *op)
{
	struct effect_memory *m = &s->out->memory;

	if (m->there) {
		m->several = true;
		return;
	}
	m->there = true;
	m->size = op->size;
	m->disp = op->mem.disp;
	m->scale = (u8)op->mem.scale;
	m->segment = op->mem.segment == X86_REG_FS || op->mem.segment == X86_REG_GS;
	if (op->mem.base == X86_REG_RIP) {
		m->fixed = true;
		m->disp = (s64)(s->out->insn.addr + s->out->insn.len + (u64)op->mem.disp);
	} else {
		m->base = address_reg(s, op->mem.base, &m->other);
		m->index = address_reg(s, op->mem.index, &m->other);
		m->fixed = op->mem.base == X86_REG_INVALID && op->mem.index == X86_REG_INVALID;
	}
}

/* Those that name memory and leave it alone. */
static bool touches_no_memory(unsigned int id)
{
	switch (id) {
	case X86_INS_NOP:
	case X86_INS_PREFETCH:
	case X86_INS_PREFETCHNTA:
	case X86_INS_PREFETCHT0:
	case X86_INS_PREFETCHT1:
	case X86_INS_PREFETCHT2:
	case X86_INS_PREFETCHW:
		return true;
	default:
		return false;
	}
}

/* The first operand is read, not written. */
static bool only_reads(unsigned int id)
{
	switch (id) {
	case X86_INS_CMP:
	case X86_INS_TEST:
	case X86_INS_BT:
	case X86_INS_PUSH:
	case X86_INS_CALL:
	case X86_INS_JMP:
	case X86_INS_UCOMISS:
	case X86_INS_UCOMISD:
	case X86_INS_COMISS:
	case X86_INS_COMISD:
	case X86_INS_NOP:
		return true;
	default:
		return false;
	}
}

static bool writes_all_operands(unsigned int id)
{
	return id == X86_INS_XCHG || id == X86_INS_XADD || id == X86_INS_MULX ||
	       id == X86_INS_CMPXCHG;
}

static void set_written(struct disasm *d, const struct x86_state *s)
{
	u32 written = effect_written(d, s->number);

	for (u8 i = 0; i < s->x->op_count; i++) {
		const cs_x86_op *op = &s->x->operands[i];
		s8 nr = op->type == X86_OP_REG ? s->number(op->reg) : EFFECT_NO_REG;

		if (nr >= 0 && ((i == 0 && !only_reads(s->id)) || writes_all_operands(s->id) ||
				(op->access & CS_AC_WRITE)))
			written |= 1U << nr;
	}
	s->out->written |= written;
}

/* "rep movsq": what they go over, and what they count with. */
static bool is_string(const struct x86_state *s)
{
	u8 op = s->x->opcode[0];

	return (op >= 0x6c && op <= 0x6f) || (op >= 0xa4 && op <= 0xa7) ||
	       (op >= 0xaa && op <= 0xaf);
}

/* What leaves this code for a while, or does more than its operands tell. */
static bool is_beyond(const struct disasm *d, unsigned int id)
{
	const cs_detail *detail = d->insn->detail;

	for (u8 i = 0; i < detail->groups_count; i++)
		if (detail->groups[i] == X86_GRP_INT || detail->groups[i] == X86_GRP_VM ||
		    detail->groups[i] == X86_GRP_PRIVILEGE)
			return true;
	return id == X86_INS_SYSCALL || id == X86_INS_SYSENTER || id == X86_INS_CPUID ||
	       id == X86_INS_XBEGIN || id == X86_INS_ENTER;
}

static void set_dst(struct x86_state *s, enum effect_kind kind, s8 src, s64 number)
{
	s8 dst = whole(s, 0);

	if (dst < 0)
		return;
	s->out->kind = kind;
	s->out->dst = dst;
	s->out->src = src;
	s->out->number = number;
}

static void set_move(struct x86_state *s)
{
	const cs_x86_op *from = &s->x->operands[1];

	if (s->x->op_count < 2)
		return;
	if (from->type == X86_OP_REG && whole(s, 1) >= 0)
		set_dst(s, EFFECT_COPY, whole(s, 1), 0);
	else if (from->type == X86_OP_IMM)
		set_dst(s, EFFECT_CONSTANT, EFFECT_NO_REG, from->imm);
	else if (from->type == X86_OP_MEM)
		set_dst(s, EFFECT_LOAD, EFFECT_NO_REG, 0);
}

/* The address that the two are together. */
static void set_sum_of_two(struct x86_state *s)
{
	struct effect_memory *m = &s->out->memory;

	if (whole(s, 0) < 0 || whole(s, 0) == whole(s, 1))
		return;
	m->there = true;
	m->scale = 1;
	m->base = whole(s, 0);
	m->index = whole(s, 1);
	set_dst(s, EFFECT_ADDRESS, EFFECT_NO_REG, 0);
}

static void set_sum(struct x86_state *s, bool subtract)
{
	const cs_x86_op *by = &s->x->operands[1];

	if (s->x->op_count == 2 && by->type == X86_OP_REG && !subtract && whole(s, 1) >= 0)
		set_sum_of_two(s);
	else if (s->x->op_count == 2 && by->type == X86_OP_IMM)
		set_dst(s, EFFECT_ADD, whole(s, 0),
			(s64)(subtract ? 0 - (u64)by->imm : (u64)by->imm));
}

static void move_stack(struct x86_state *s, s64 by)
{
	s->out->stack = !s->out->memory.there;
	s->out->kind = EFFECT_PUSH;
	s->out->dst = s->stack;
	s->out->number = by;
	s->out->written |= 1U << s->stack;
}

/* mov %rbp,%rsp; pop %rbp */
static void set_leave(struct x86_state *s)
{
	s->out->kind = EFFECT_ADD;
	s->out->dst = s->stack;
	s->out->src = s->word == 8 ? RBP : EBP;
	s->out->number = s->word;
	s->out->stack = true;
	s->out->written |= 1U << s->out->dst | 1U << s->out->src;
}

static void set_kind(struct x86_state *s)
{
	switch (s->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
		set_move(s);
		break;
	case X86_INS_LEA:
		set_dst(s, EFFECT_ADDRESS, EFFECT_NO_REG, 0);
		break;
	case X86_INS_ADD:
		set_sum(s, false);
		break;
	case X86_INS_SUB:
		set_sum(s, true);
		break;
	case X86_INS_PUSH:
		if (!s->x->op_count || s->x->operands[0].size == s->word ||
		    s->x->operands[0].type == X86_OP_IMM)
			move_stack(s, s->word);
		break;
	case X86_INS_POP:
		if (s->x->op_count && s->x->operands[0].size == s->word && whole(s, 0) != s->stack)
			move_stack(s, -(s64)s->word);
		break;
	case X86_INS_PUSHFQ:
		move_stack(s, 8);
		break;
	case X86_INS_POPFQ:
		move_stack(s, -8);
		break;
	case X86_INS_LEAVE:
		set_leave(s);
		break;
	case X86_INS_CALL:
	case X86_INS_RET:
		s->out->stack = !s->out->memory.there;
		break;
	default:
		break;
	}
}

bool x86_effect(struct disasm *d, const struct effect_machine *m, struct effect *out)
{
	bool is64 = d->o.machine == EM_X86_64;
	struct x86_state s = { .x = &d->insn->detail->x86,
			       .id = d->insn->id,
			       .word = m->word,
			       .stack = m->stack,
			       .number = is64 ? number64 : number32,
			       .out = out };

	for (u8 i = 0; i < s.x->op_count; i++)
		if (s.x->operands[i].type == X86_OP_MEM && !touches_no_memory(s.id))
			set_memory(&s, &s.x->operands[i]);
	if (is_beyond(d, s.id)) {
		out->written = ~0U;
		return true;
	}
	set_kind(&s);
	/* (the stack pointer is back where it was behind a call) */
	if (s.id == X86_INS_CALL) {
		out->written = m->lost;
		return true;
	}
	set_written(d, &s);
	if (is_string(&s))
		out->written |= is64 ? BIT_AX | BIT_CX | BIT_SI | BIT_DI : ~0U;
	return true;
}
#endif
