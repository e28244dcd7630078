/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Effects of aarch64 instructions. Source: Arm's architecture reference manual, part C6. */
#ifdef HAVE_CAPSTONE
#include <string.h>

#include "disasm/effect_machines.h"

enum { FP = 29, LR = 30, SP = 31, OPERANDS = 8 };

static s8 number(unsigned int reg)
{
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (s8)(reg - ARM64_REG_X0);
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (s8)(reg - ARM64_REG_W0);
	switch (reg) {
	case ARM64_REG_X29:
		return FP;
	case ARM64_REG_X30:
		return LR;
	case ARM64_REG_SP:
	case ARM64_REG_WSP:
		return SP;
	default:
		return EFFECT_NO_REG;
	}
}

static bool is_word(unsigned int reg)
{
	return number(reg) >= 0 && !(reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30) &&
	       reg != ARM64_REG_WSP;
}

static s8 whole(const cs_arm64 *x, u8 i)
{
	return i < x->op_count && x->operands[i].type == ARM64_OP_REG && is_word(x->operands[i].reg)
		       ? number(x->operands[i].reg)
		       : EFFECT_NO_REG;
}

/* Bytes of one register that is loaded or stored. */
static u8 bytes_of(const char *name, const cs_arm64 *x)
{
	size_t len = strlen(name);
	unsigned int reg = x->op_count ? x->operands[0].reg : 0;

	if (len && name[len - 1] == 'b')
		return 1;
	if (len && name[len - 1] == 'h')
		return 2;
	if (len > 2 && !strcmp(name + len - 2, "sw"))
		return 4;
	if (reg >= ARM64_REG_Q0 && reg <= ARM64_REG_Q31)
		return 16;
	if ((reg >= ARM64_REG_S0 && reg <= ARM64_REG_S31) ||
	    (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30) || reg == ARM64_REG_WZR)
		return 4;
	if (is_word(reg) || reg == ARM64_REG_XZR || (reg >= ARM64_REG_D0 && reg <= ARM64_REG_D31))
		return 8;
	return 0;
}

static bool is_pair(const char *name)
{
	return !strncmp(name, "ldp", 3) || !strncmp(name, "stp", 3) || !strncmp(name, "ldnp", 4) ||
	       !strncmp(name, "stnp", 4);
}

static void set_memory(const cs_arm64 *x, u8 i, const char *name, struct effect *out)
{
	const cs_arm64_op *op = &x->operands[i];
	struct effect_memory *m = &out->memory;

	m->there = true;
	m->base = is_word(op->mem.base) ? number(op->mem.base) : EFFECT_NO_REG;
	m->other = m->base < 0;
	if (op->mem.index != ARM64_REG_INVALID) {
		m->index = number(op->mem.index);
		m->other |= m->index < 0;
	}
	m->scale = op->shift.type == ARM64_SFT_LSL && op->shift.value < 8
			   ? (u8)(1U << op->shift.value)
			   : 1;
	m->disp = op->mem.disp;
	m->size = bytes_of(name, x);
	if (is_pair(name))
		m->size = (u8)(2 * m->size);
	if (!x->writeback || m->base < 0)
		return;
	/* The base moves: by what stands in the brackets, or behind them. */
	out->kind = EFFECT_PUSH;
	out->dst = m->base;
	out->number = -(s64)m->disp;
	out->written |= 1U << m->base;
	if (i + 1 < x->op_count && x->operands[i + 1].type == ARM64_OP_IMM)
		out->number = -x->operands[i + 1].imm;
	else if (i + 1 < x->op_count)
		out->kind = EFFECT_NONE;
}

static bool first_is_read(unsigned int id, const char *name)
{
	switch (id) {
	case ARM64_INS_CMP:
	case ARM64_INS_CMN:
	case ARM64_INS_TST:
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
	case ARM64_INS_BR:
	case ARM64_INS_BLR:
	case ARM64_INS_RET:
		return true;
	default:
		return !strncmp(name, "str", 3) || !strncmp(name, "stur", 4) ||
		       !strncmp(name, "stp", 3);
	}
}

static void set_written(struct disasm *d, const cs_arm64 *x, const char *name, struct effect *out)
{
	bool reads = first_is_read(d->insn->id, name);

	out->written |= effect_written(d, number);
	for (u8 i = 0; i < x->op_count && !reads; i++) {
		const cs_arm64_op *op = &x->operands[i];
		bool source = i > 0 && !strncmp(name, "ldr", 3);

		/* of what is not known better, all operands */
		if (op->type == ARM64_OP_REG && number(op->reg) >= 0 && !source &&
		    (i == 0 || out->kind == EFFECT_NONE || (op->access & CS_AC_WRITE)))
			out->written |= 1U << number(op->reg);
	}
}

static void set_dst(const cs_arm64 *x, struct effect *out, enum effect_kind kind, s64 by)
{
	if (whole(x, 0) < 0)
		return;
	out->kind = kind;
	out->dst = whole(x, 0);
	out->src = whole(x, 1);
	out->number = by;
}

/* The address that the two are together, one of them moved to the left. */
static void set_sum_of_two(const cs_arm64 *x, struct effect *out)
{
	const cs_arm64_op *by = &x->operands[2];
	struct effect_memory *m = &out->memory;

	if (whole(x, 0) < 0 || whole(x, 1) < 0 || number(by->reg) < 0 ||
	    (by->shift.type != ARM64_SFT_INVALID && by->shift.type != ARM64_SFT_LSL) ||
	    by->shift.value > 6)
		return;
	m->there = true;
	m->scale = (u8)(1U << (by->shift.type == ARM64_SFT_LSL ? by->shift.value : 0));
	m->base = whole(x, 1);
	m->index = number(by->reg);
	set_dst(x, out, EFFECT_ADDRESS, 0);
}

static void set_sum(const cs_arm64 *x, struct effect *out, bool subtract)
{
	const cs_arm64_op *by = &x->operands[2];
	u64 v;

	if (x->op_count == 3 && by->type == ARM64_OP_REG && !subtract)
		set_sum_of_two(x, out);
	if (x->op_count != 3 || by->type != ARM64_OP_IMM || whole(x, 1) < 0)
		return;
	v = (u64)by->imm << (by->shift.type == ARM64_SFT_LSL ? by->shift.value & 63 : 0);
	set_dst(x, out, EFFECT_ADD, (s64)(subtract ? 0 - v : v));
}

static void set_kind(unsigned int id, const cs_arm64 *x, struct effect *out)
{
	switch (id) {
	case ARM64_INS_MOV:
		if (x->op_count == 2 && whole(x, 1) >= 0)
			set_dst(x, out, EFFECT_COPY, 0);
		break;
	case ARM64_INS_ADD:
		set_sum(x, out, false);
		break;
	case ARM64_INS_SUB:
		set_sum(x, out, true);
		break;
	case ARM64_INS_ADR:
	case ARM64_INS_ADRP:
		if (x->op_count == 2 && x->operands[1].type == ARM64_OP_IMM)
			set_dst(x, out, EFFECT_CONSTANT, x->operands[1].imm);
		break;
	case ARM64_INS_LDR:
	case ARM64_INS_LDUR:
		if (out->memory.there && !x->writeback)
			set_dst(x, out, EFFECT_LOAD, 0);
		break;
	default:
		break;
	}
}

bool arm64_effect(struct disasm *d, const struct effect_machine *m, struct effect *out)
{
	const cs_arm64 *x = &d->insn->detail->arm64;
	unsigned int id = d->insn->id;
	const char *name = d->insn->mnemonic;

	for (u8 i = 0; i < MIN(x->op_count, OPERANDS); i++)
		if (x->operands[i].type == ARM64_OP_MEM && strncmp(name, "prf", 3) != 0)
			set_memory(x, i, name, out);
	if (id == ARM64_INS_BL || id == ARM64_INS_BLR) {
		out->insn.kind = INSN_CALL;
		out->written = m->lost;
		return true;
	}
	if (id == ARM64_INS_SVC || id == ARM64_INS_HVC || id == ARM64_INS_SMC) {
		out->written = ~0U;
		return true;
	}
	out->insn.conditional = id != ARM64_INS_BR && id != ARM64_INS_RET &&
				(id != ARM64_INS_B ||
				 (x->cc != ARM64_CC_INVALID && x->cc != ARM64_CC_AL &&
				  x->cc != ARM64_CC_NV));
	if (id == ARM64_INS_BR)
		out->insn.kind = INSN_JUMP;
	set_kind(id, x, out);
	set_written(d, x, name, out);
	return true;
}
#endif
