/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/cfi_program.h"

#include "dso/dwarf/reader.h"

/* Instructions: the upper two bits, or 0 and the lower six. */
enum {
	CFA_ADVANCE_LOC = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,
	CFA_NOP = 0x00,
	CFA_SET_LOC = 0x01,
	CFA_ADVANCE_LOC1 = 0x02,
	CFA_ADVANCE_LOC2 = 0x03,
	CFA_ADVANCE_LOC4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME_VALUE = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER_STATE = 0x0a,
	CFA_RESTORE_STATE = 0x0b,
	CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_REGISTER = 0x0d,
	CFA_DEF_CFA_OFFSET = 0x0e,
	CFA_DEF_CFA_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10,
	CFA_OFFSET_EXTENDED_SF = 0x11,
	CFA_DEF_CFA_SF = 0x12,
	CFA_DEF_CFA_OFFSET_SF = 0x13,
	CFA_VAL_OFFSET = 0x14,
	CFA_VAL_OFFSET_SF = 0x15,
	CFA_VAL_EXPRESSION = 0x16,
	CFA_NEGATE_RA_STATE = 0x2d, /* aarch64; elsewhere GNU_window_save */
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

enum { REMEMBER_MAX = 32, PROGRAM_STEPS_MAX = 1 << 20 };

struct cfi_machine {
	const struct cfi_section *s;
	const struct cfi_cie *cie;
	const struct unwind_abi *abi;
	struct dwarf_reader r;
	struct cfi_state now, initial;
	struct cfi_state *stack; /* REMEMBER_MAX of them, not cleared */
	unsigned int depth;
	u64 pc; /* offset in the function */
	cfi_row_fn *row; /* NULL while the CIE's instructions run */
	void *ctx;
	u64 fde_start;
	bool bad;
};

static s32 to_s32(struct cfi_machine *m, s64 v)
{
	if (v != (s32)v)
		m->bad = true;
	return (s32)v;
}

/* Where a column's rule is kept; a place of no meaning for columns that are not followed. */
static struct cfi_reg *rule_of(struct cfi_machine *m, u64 column, struct cfi_reg *scratch)
{
	return column < m->abi->nr_regs ? &m->now.regs[column] : scratch;
}

static void set_rule(struct cfi_machine *m, u64 column, u8 kind, s64 value)
{
	struct cfi_reg scratch;

	*rule_of(m, column, &scratch) =
		(struct cfi_reg){ .column = (u8)column, .kind = kind, .value = to_s32(m, value) };
}

static void restore_rule(struct cfi_machine *m, u64 column)
{
	if (column < m->abi->nr_regs)
		m->now.regs[column] = m->initial.regs[column];
}

/* An expression: its place in the section and its length. */
static s32 read_block(struct cfi_machine *m, u16 *len)
{
	u64 n = dwarf_uleb(&m->r);
	s32 at = to_s32(m, m->r.p - m->s->data);

	if (n > UINT16_MAX)
		m->bad = true;
	*len = (u16)n;
	dwarf_skip(&m->r, n);
	return at;
}

static void set_expression(struct cfi_machine *m, u64 column, u8 kind)
{
	struct cfi_reg scratch;
	struct cfi_reg *reg = rule_of(m, column, &scratch);

	*reg = (struct cfi_reg){ .column = (u8)column, .kind = kind };
	reg->value = read_block(m, &reg->len);
}

/* A factored offset. Products that overflow become wrong values, which to_s32() may refuse. */
static s64 factored(const struct cfi_machine *m, u64 v)
{
	return (s64)(v * (u64)m->cie->data_align);
}

static void set_cfa(struct cfi_machine *m, u64 reg, s64 offset)
{
	if (reg >= m->abi->nr_regs)
		m->bad = true;
	m->now.cfa.kind = CFI_REGISTER;
	m->now.cfa.len = 0;
	m->now.cfa.reg = (u8)reg;
	m->now.cfa.value = to_s32(m, offset);
}

static void advance(struct cfi_machine *m, u64 delta)
{
	if (!m->row || !delta)
		return;
	if (m->cie->code_align > UINT16_MAX || delta > UINT32_MAX) {
		m->bad = true;
		return;
	}
	m->row(m->ctx, m->pc, &m->now);
	m->pc += delta * m->cie->code_align;
}

static void set_loc(struct cfi_machine *m)
{
	u64 to = dwarf_bytes(&m->r, m->cie->word);

	/* Only plain addresses: compilers do not use it. */
	if (m->cie->encoding || to < m->fde_start + m->pc) {
		m->bad = true;
		return;
	}
	if (m->row && to > m->fde_start + m->pc) {
		m->row(m->ctx, m->pc, &m->now);
		m->pc = to - m->fde_start;
	}
}

static void remember(struct cfi_machine *m)
{
	if (m->depth == REMEMBER_MAX)
		m->bad = true;
	else
		m->stack[m->depth++] = m->now;
}

static void restore(struct cfi_machine *m)
{
	if (!m->depth)
		m->bad = true;
	else
		m->now = m->stack[--m->depth];
}

/* Instructions that define the CFA; false: another one. */
static bool step_cfa(struct cfi_machine *m, u8 op)
{
	struct dwarf_reader *r = &m->r;
	u64 reg;

	switch (op) {
	case CFA_DEF_CFA:
		reg = dwarf_uleb(r);
		set_cfa(m, reg, (s64)dwarf_uleb(r));
		return true;
	case CFA_DEF_CFA_SF:
		reg = dwarf_uleb(r);
		set_cfa(m, reg, factored(m, (u64)dwarf_sleb(r)));
		return true;
	case CFA_DEF_CFA_REGISTER:
		set_cfa(m, dwarf_uleb(r), m->now.cfa.value);
		return true;
	case CFA_DEF_CFA_OFFSET:
		set_cfa(m, m->now.cfa.reg, (s64)dwarf_uleb(r));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		set_cfa(m, m->now.cfa.reg, factored(m, (u64)dwarf_sleb(r)));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		m->now.cfa.kind = CFI_VAL_EXPR;
		m->now.cfa.value = read_block(m, &m->now.cfa.len);
		return true;
	default:
		return false;
	}
}

/* Instructions that say where a register is; false: another one. */
static bool step_register(struct cfi_machine *m, u8 op)
{
	struct dwarf_reader *r = &m->r;
	u64 reg;

	switch (op) {
	case CFA_OFFSET_EXTENDED:
	case CFA_VAL_OFFSET:
	case CFA_OFFSET_EXTENDED_SF:
	case CFA_VAL_OFFSET_SF:
	case CFA_REGISTER:
	case CFA_GNU_NEGATIVE_OFFSET:
		break;
	case CFA_UNDEFINED:
		set_rule(m, dwarf_uleb(r), CFI_UNDEFINED, 0);
		return true;
	case CFA_SAME_VALUE:
		set_rule(m, dwarf_uleb(r), CFI_SAME, 0);
		return true;
	case CFA_RESTORE_EXTENDED:
		restore_rule(m, dwarf_uleb(r));
		return true;
	case CFA_EXPRESSION:
		set_expression(m, dwarf_uleb(r), CFI_EXPR);
		return true;
	case CFA_VAL_EXPRESSION:
		set_expression(m, dwarf_uleb(r), CFI_VAL_EXPR);
		return true;
	default:
		return false;
	}
	reg = dwarf_uleb(r);
	if (op == CFA_OFFSET_EXTENDED)
		set_rule(m, reg, CFI_OFFSET, factored(m, dwarf_uleb(r)));
	else if (op == CFA_GNU_NEGATIVE_OFFSET)
		set_rule(m, reg, CFI_OFFSET, factored(m, -dwarf_uleb(r)));
	else if (op == CFA_VAL_OFFSET)
		set_rule(m, reg, CFI_VAL_OFFSET, factored(m, dwarf_uleb(r)));
	else if (op == CFA_OFFSET_EXTENDED_SF)
		set_rule(m, reg, CFI_OFFSET, factored(m, (u64)dwarf_sleb(r)));
	else if (op == CFA_VAL_OFFSET_SF)
		set_rule(m, reg, CFI_VAL_OFFSET, factored(m, (u64)dwarf_sleb(r)));
	else
		set_rule(m, reg, CFI_REGISTER, (s64)dwarf_uleb(r));
	return true;
}

static void step_other(struct cfi_machine *m, u8 op)
{
	struct dwarf_reader *r = &m->r;

	switch (op) {
	case CFA_NOP:
		break;
	case CFA_SET_LOC:
		set_loc(m);
		break;
	case CFA_ADVANCE_LOC1:
		advance(m, dwarf_bytes(r, 1));
		break;
	case CFA_ADVANCE_LOC2:
		advance(m, dwarf_bytes(r, 2));
		break;
	case CFA_ADVANCE_LOC4:
		advance(m, dwarf_bytes(r, 4));
		break;
	case CFA_REMEMBER_STATE:
		remember(m);
		break;
	case CFA_RESTORE_STATE:
		restore(m);
		break;
	case CFA_NEGATE_RA_STATE:
		m->now.cfa.flags ^= CFI_RULE_RA_SIGNED;
		break;
	case CFA_GNU_ARGS_SIZE:
		dwarf_uleb(r);
		break;
	default:
		m->bad = true;
	}
}

static bool run(struct cfi_machine *m, const u8 *program, const u8 *end)
{
	m->r = (struct dwarf_reader){ .p = program, .end = end, .swap = m->s->swap };
	for (u32 steps = 0; m->r.p < end; steps++) {
		u8 op = *m->r.p++;

		if (steps == PROGRAM_STEPS_MAX)
			return false;
		switch (op & 0xc0) {
		case CFA_ADVANCE_LOC:
			advance(m, op & 0x3f);
			break;
		case CFA_OFFSET:
			set_rule(m, op & 0x3f, CFI_OFFSET, factored(m, dwarf_uleb(&m->r)));
			break;
		case CFA_RESTORE:
			restore_rule(m, op & 0x3f);
			break;
		default:
			if (!step_cfa(m, op) && !step_register(m, op))
				step_other(m, op);
		}
		if (m->bad || m->r.bad)
			return false;
	}
	return true;
}

bool cfi_program_run(const struct cfi_section *s, const struct cfi_fde *fde,
		     const struct unwind_abi *abi, cfi_row_fn *row, void *ctx)
{
	struct cfi_state stack[REMEMBER_MAX];
	struct cfi_machine m = { .s = s,
				 .cie = &fde->cie,
				 .abi = abi,
				 .ctx = ctx,
				 .stack = stack,
				 .fde_start = fde->start };

	m.now.cfa.kind = CFI_UNDEFINED;
	m.now.cfa.flags = fde->cie.signal ? CFI_RULE_SIGNAL : 0;
	m.now.cfa.debug_frame = s->debug;
	for (unsigned int i = 0; i < UNWIND_REGS; i++)
		m.now.regs[i].column = (u8)i;
	if (!run(&m, fde->cie.program, fde->cie.end))
		return false;
	m.initial = m.now;
	m.row = row;
	if (!run(&m, fde->program, fde->end))
		return false;
	row(ctx, m.pc, &m.now);
	return true;
}
