/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 code in objdump's words, from Capstone's operands: what x86_vector does not know. Prefixes
 * are read here: Capstone gets an instruction without those that change nothing, and they are shown
 * in front of it, as objdump does. Sources of names and rules: Intel's manual, volume 2; the
 * documents of GNU as on AT&T syntax (suffixes, order of operands, x87); what objdump 2.40 prints.
 */
#ifdef HAVE_CAPSTONE
#include <elf.h>
#include <stdio.h>

#include "disasm/capstone.h"
#include "disasm/x86_names.h"
#include "disasm/x86_operands.h"

enum { LONGEST = 15, PREFIXES = 14 };
enum { OPSIZE = 0x66, ADDRSIZE = 0x67, LOCK = 0xf0, REPNE = 0xf2, REP = 0xf3 };

struct x86 {
	struct disasm *d;
	const cs_x86 *x;
	struct strbuf *text;
	u64 addr, next; /* of the instruction, and behind it */
	bool is64, intel;
	/* prefixes as they stand there */
	u8 pre[PREFIXES];
	u8 nr_pre;
	u8 nr_opsize;
	u8 rep, seg; /* the last of each, 0 = none */
	bool lock, addrsize;
	u8 rex;
	/* opcode */
	const u8 *p; /* at it, n bytes */
	size_t n;
	u8 map; /* 0, 1 = behind 0f, 2 = others */
	u8 op, modrm;
	bool vector; /* VEX, EVEX or XOP */
	u8 mask, zero; /* EVEX: k register of the mask, 0 = none; and {z} */
	bool carryless; /* pclmulqdq by another name, without its immediate */
	struct insn *out;
	size_t from; /* where the text begins */
};

static bool is_segment(u8 b)
{
	return b == 0x26 || b == 0x2e || b == 0x36 || b == 0x3e || b == 0x64 || b == 0x65;
}

static bool is_prefix(u8 b)
{
	return is_segment(b) || b == OPSIZE || b == ADDRSIZE || b == LOCK || b == REPNE || b == REP;
}

static void read_prefixes(struct x86 *c)
{
	for (; c->n && c->nr_pre < PREFIXES && is_prefix(*c->p); c->p++, c->n--) {
		u8 b = *c->p;

		c->pre[c->nr_pre++] = b;
		c->nr_opsize += b == OPSIZE;
		c->addrsize |= b == ADDRSIZE;
		c->lock |= b == LOCK;
		if (b == REP || b == REPNE)
			c->rep = b;
		else if (is_segment(b))
			c->seg = b;
	}
	if (c->is64 && c->n && (*c->p & 0xf0) == 0x40) {
		c->rex = *c->p++;
		c->n--;
	}
}

static u8 byte_at(const struct x86 *c, size_t i)
{
	return i < c->n ? c->p[i] : 0;
}

static void read_opcode(struct x86 *c)
{
	u8 op = byte_at(c, 0), then = byte_at(c, 1);
	bool new_in_32 = c->is64 || then >> 6 == 3;

	c->op = op;
	c->modrm = then;
	c->vector = ((op == 0xc4 || op == 0xc5 || op == 0x62) && new_in_32) ||
		    (op == 0x8f && (then & 0x1f) >= 8);
	if (c->vector) {
		c->map = 2;
		if (op == 0x62) {
			c->mask = byte_at(c, 3) & 7;
			c->zero = byte_at(c, 3) >> 7;
		}
	} else if (op == 0x0f) {
		c->map = then == 0x38 || then == 0x3a ? 2 : 1;
		c->op = then;
		c->modrm = byte_at(c, 2);
	}
}

static bool wide(const struct x86 *c)
{
	return c->rex & 8;
}

static u8 reg_field(const struct x86 *c)
{
	return c->modrm >> 3 & 7;
}

/* Near branches and what moves on the stack: their size is fixed in 64-bit mode. */
static bool is_fixed_size(const struct x86 *c)
{
	if (c->map == 1)
		return c->op >> 4 == 8;
	if (c->map)
		return false;
	switch (c->op) {
	case 0xc2:
	case 0xc3:
	case 0xe8:
	case 0xe9:
	case 0xeb:
		return true;
	case 0xff:
		return reg_field(c) == 2 || reg_field(c) == 4;
	default:
		return c->op >> 4 == 7;
	}
}

/* Whether one 66 is a part of the instruction. */
static bool uses_opsize(const struct x86 *c)
{
	if (c->map)
		return !(c->map == 1 && (c->op >> 4 == 8 || (c->op == 0x05 || c->op == 0x0b))) &&
		       !(wide(c) && c->map == 1 && c->op == 0x1f);
	if (wide(c) || (c->is64 && is_fixed_size(c)))
		return false;
	if (c->op < 0x40)
		return (c->op & 7) == 1 || (c->op & 7) == 3 || (c->op & 7) == 5;
	switch (c->op) {
	case 0xb0 ... 0xb7:
	case 0x80:
	case 0x84:
	case 0x86:
	case 0x88:
	case 0x8a:
	case 0xc0:
	case 0xc3:
	case 0xc6:
	case 0xd0:
	case 0xd2:
	case 0xd8 ... 0xdf:
	case 0xf4:
	case 0xf6:
		return false;
	default:
		return true;
	}
}

static bool is_string_op(const struct x86 *c)
{
	return !c->map && ((c->op >= 0x6c && c->op <= 0x6f) || (c->op >= 0xa4 && c->op <= 0xa7) ||
			   (c->op >= 0xaa && c->op <= 0xaf));
}

/* Whether REP or REPNE is a part of the opcode. */
static bool rep_is_opcode(const struct x86 *c)
{
	return c->map || (c->op == 0x90 && c->rep == REP) ||
	       ((c->op == 0xc6 || c->op == 0xc7) && c->modrm == 0xf8);
}

/* Segments that addresses are relative to: in 64-bit mode only FS and GS. */
static bool uses_segment(const struct x86 *c, u8 seg)
{
	return seg == c->seg && (seg == 0x64 || seg == 0x65 || !c->is64);
}

static const char *segment_name(u8 seg)
{
	switch (seg) {
	case 0x26:
		return "es";
	case 0x2e:
		return "cs";
	case 0x36:
		return "ss";
	case 0x3e:
		return "ds";
	case 0x64:
		return "fs";
	default:
		return "gs";
	}
}

/* The instruction without prefixes that change nothing, decoded; false: none that is known. */
static bool decode(struct x86 *c)
{
	u8 bytes[LONGEST + 1];
	const u8 *p = bytes;
	size_t len = 0, dropped;
	bool opsize = c->nr_opsize && uses_opsize(c);
	size_t rest;
	u64 at;

	if (c->addrsize)
		bytes[len++] = ADDRSIZE;
	if (c->seg && uses_segment(c, c->seg))
		bytes[len++] = c->seg;
	if (opsize)
		bytes[len++] = OPSIZE;
	if (c->lock)
		bytes[len++] = LOCK;
	if (c->rep && rep_is_opcode(c))
		bytes[len++] = c->rep;
	dropped = c->nr_pre - len;
	if (c->rex)
		bytes[len++] = c->rex;
	rest = MIN(c->n, (size_t)LONGEST - len);
	memcpy(bytes + len, c->p, rest);
	len += rest;
	at = c->addr + dropped;
	if (!c->d->lib->disasm_iter(c->d->handle, &p, &len, &at, c->d->insn))
		return false;
	c->out->len = (u8)(dropped + c->d->insn->size);
	c->next = c->addr + c->out->len;
	c->x = &c->d->insn->detail->x86;
	return c->out->len <= LONGEST;
}

static void word(struct x86 *c, const char *s)
{
	strbuf_adds(c->text, s);
	strbuf_addch(c->text, ' ');
}

static bool is_indirect(const struct x86 *c)
{
	return !c->map && c->op == 0xff && (reg_field(c) == 2 || reg_field(c) == 4);
}

static bool is_conditional(const struct x86 *c)
{
	return (!c->map && c->op >> 4 == 7) || (c->map == 1 && c->op >> 4 == 8);
}

static bool has_memory(const struct x86 *c)
{
	for (u8 i = 0; i < c->x->op_count; i++)
		if (c->x->operands[i].type == X86_OP_MEM)
			return true;
	return false;
}

static bool is_bound(const struct x86 *c)
{
	return c->rep == REPNE && (is_fixed_size(c) || c->op == 0xff) && !c->vector &&
	       (!c->map || c->op >> 4 == 8);
}

static void add_segment_prefix(struct x86 *c, u8 seg)
{
	if (seg == c->seg && uses_segment(c, seg) && has_memory(c))
		return;
	if (seg == 0x3e && is_indirect(c))
		word(c, "notrack");
	else if (c->intel || !(is_conditional(c) && (seg == 0x2e || seg == 0x3e)))
		word(c, segment_name(seg));
}

static void add_rep(struct x86 *c)
{
	bool compares = (c->op & 0xf6) == 0xa6; /* cmps, scas */

	if (rep_is_opcode(c))
		return;
	if (is_bound(c))
		word(c, "bnd");
	else if (c->rep == REPNE)
		word(c, "repnz");
	else
		word(c, is_string_op(c) && !compares ? "rep" : "repz");
}

/* Prefixes that the text of the instruction itself does not show. */
static void add_prefixes(struct x86 *c)
{
	u8 opsizes = c->nr_opsize - (c->nr_opsize && uses_opsize(c));

	for (u8 i = 0; i < c->nr_pre; i++) {
		u8 b = c->pre[i];

		if (b == OPSIZE && opsizes) {
			word(c, "data16");
			opsizes--;
		} else if (b == LOCK) {
			word(c, "lock");
		} else if (b == c->rep) {
			add_rep(c);
		} else if (is_segment(b)) {
			add_segment_prefix(c, b);
		} else if (b == ADDRSIZE && !has_memory(c) && !is_string_op(c)) {
			word(c, c->is64 ? "addr32" : "addr16");
		}
	}
	if (wide(c) && c->is64 && is_fixed_size(c))
		word(c, "rex.W");
}

/* ------------------------------------------------------------------ operands */

static void add_reg_name(struct x86 *c, unsigned int reg)
{
	if (!c->intel)
		strbuf_addch(c->text, '%');
	if (reg == X86_REG_ST0)
		strbuf_adds(c->text, "st");
	else
		strbuf_adds(c->text, c->d->lib->reg_name(c->d->handle, reg));
}

static void add_signed(struct x86 *c, s64 v)
{
	if (v < 0)
		strbuf_addch(c->text, '-');
	strbuf_adds(c->text, "0x");
	strbuf_add_hex(c->text, v < 0 ? -(u64)v : (u64)v);
}

static u64 mask_of(u8 size)
{
	return size >= 8 || !size ? ~0ULL : (1ULL << 8 * size) - 1;
}

static void add_immediate(struct x86 *c, u64 v)
{
	if (!c->intel)
		strbuf_addch(c->text, '$');
	strbuf_adds(c->text, "0x");
	strbuf_add_hex(c->text, v);
}

static const char *pointer_of(u8 size)
{
	switch (size) {
	case 1:
		return "BYTE PTR ";
	case 2:
		return "WORD PTR ";
	case 4:
		return "DWORD PTR ";
	case 6:
		return "FWORD PTR ";
	case 8:
		return "QWORD PTR ";
	case 10:
		return "TBYTE PTR ";
	case 16:
		return "XMMWORD PTR ";
	case 32:
		return "YMMWORD PTR ";
	case 64:
		return "ZMMWORD PTR ";
	default:
		return "";
	}
}

static bool is_sized_memory(const struct x86 *c)
{
	return !c->vector && c->map == 0 ? c->op != 0x8d : !x86_has_no_size(c->d->insn->id);
}

/* 64-bit code can name an index register that is none. */
static bool has_no_index_named(const struct x86 *c, const x86_op_mem *m)
{
	u8 sib = c->x->sib;

	return m->index == X86_REG_INVALID && c->x->encoding.modrm_offset &&
	       (c->x->modrm & 7) == 4 && c->x->modrm >> 6 != 3 && !(c->x->rex & 2) && !c->vector &&
	       (sib >> 6 != 0 || ((sib & 7) != 4 && m->base != X86_REG_INVALID));
}

static bool has_displacement(const struct x86 *c, const x86_op_mem *m)
{
	bool none = m->base == X86_REG_INVALID && m->index == X86_REG_INVALID;

	return m->disp || none || (c->x->encoding.modrm_offset && c->x->encoding.disp_size) ||
	       m->base == X86_REG_INVALID;
}

static void add_att_memory(struct x86 *c, const x86_op_mem *m)
{
	bool none = m->base == X86_REG_INVALID && m->index == X86_REG_INVALID;
	bool riz = has_no_index_named(c, m);

	if (none && !riz) {
		strbuf_adds(c->text, "0x");
		strbuf_add_hex(c->text, (u64)m->disp & (c->is64 ? ~0ULL : 0xffffffff));
		return;
	}
	if (has_displacement(c, m))
		add_signed(c, m->disp);
	strbuf_addch(c->text, '(');
	if (m->base != X86_REG_INVALID)
		add_reg_name(c, m->base);
	if (m->index != X86_REG_INVALID || riz) {
		strbuf_addch(c->text, ',');
		if (riz)
			strbuf_adds(c->text, c->is64 ? "%riz" : "%eiz");
		else
			add_reg_name(c, m->index);
		if (c->x->addr_size > 2) {
			strbuf_addch(c->text, ',');
			strbuf_add_u64(c->text, riz ? 1U << (c->x->sib >> 6) : (u64)m->scale);
		}
	}
	strbuf_addch(c->text, ')');
}

static void add_intel_memory(struct x86 *c, const x86_op_mem *m)
{
	bool none = m->base == X86_REG_INVALID && m->index == X86_REG_INVALID;
	bool riz = has_no_index_named(c, m);

	if (none && !riz) {
		if (m->segment == X86_REG_INVALID)
			strbuf_adds(c->text, "ds:");
		strbuf_adds(c->text, "0x");
		strbuf_add_hex(c->text, (u64)m->disp & (c->is64 ? ~0ULL : 0xffffffff));
		return;
	}
	strbuf_addch(c->text, '[');
	if (m->base != X86_REG_INVALID)
		add_reg_name(c, m->base);
	if (m->index != X86_REG_INVALID || riz) {
		if (m->base != X86_REG_INVALID)
			strbuf_addch(c->text, '+');
		if (riz)
			strbuf_adds(c->text, c->is64 ? "riz" : "eiz");
		else
			add_reg_name(c, m->index);
		if (c->x->addr_size > 2)
			strbuf_addf(c->text, "*%u", riz ? 1U << (c->x->sib >> 6) : (u32)m->scale);
	}
	if (m->base == X86_REG_RIP || m->base == X86_REG_EIP) {
		strbuf_adds(c->text, "+0x");
		strbuf_add_hex(c->text, (u64)m->disp);
	} else if (has_displacement(c, m)) {
		if (m->disp >= 0)
			strbuf_addch(c->text, '+');
		add_signed(c, m->disp);
	}
	strbuf_addch(c->text, ']');
}

static void add_memory(struct x86 *c, const cs_x86_op *op)
{
	const x86_op_mem *m = &op->mem;

	if (c->intel && is_sized_memory(c))
		strbuf_adds(c->text, pointer_of(x86_memory_size(c->d->insn->id, op->size)));
	if (m->segment != X86_REG_INVALID && c->seg && uses_segment(c, c->seg)) {
		add_reg_name(c, m->segment);
		strbuf_addch(c->text, ':');
	}
	if (c->intel)
		add_intel_memory(c, m);
	else
		add_att_memory(c, m);
	if (op->avx_bcast != X86_AVX_BCAST_INVALID) {
		static const u8 times[] = { 0, 2, 4, 8, 16 };

		strbuf_addf(c->text, "{1to%u}",
			    times[MIN((size_t)op->avx_bcast, sizeof(times) - 1)]);
	}
	if (m->base == X86_REG_RIP || m->base == X86_REG_EIP) {
		c->out->has_data = true;
		c->out->data = c->next + (u64)m->disp;
		if (m->base == X86_REG_EIP)
			c->out->data &= 0xffffffff;
	}
}

/* Immediates are as wide as what they are used with. */
static u8 immediate_size(const struct x86 *c)
{
	u8 size = 0;

	if (!c->map && (c->op == 0x68 || c->op == 0x6a)) /* push */
		return c->nr_opsize ? 2 : c->is64 ? 8 : 4;
	for (u8 i = 0; i < c->x->op_count; i++) {
		const cs_x86_op *op = &c->x->operands[i];

		if (op->type != X86_OP_IMM && (op->size > size))
			size = op->size;
	}
	if (!c->map && (c->op == 0xc2 || c->op == 0xca || c->op == 0xc8))
		return 2;
	if (c->map || size > 8 || (c->op & 0xfe) == 0xc0 || c->op == 0xcd || c->op == 0xc6)
		return 1;
	return size;
}

static bool is_shift_by_one(const struct x86 *c)
{
	return !c->map && (c->op == 0xd0 || c->op == 0xd1);
}

static void add_operand(struct x86 *c, const cs_x86_op *op)
{
	switch (op->type) {
	case X86_OP_REG:
		if (is_indirect(c) && !c->intel)
			strbuf_addch(c->text, '*');
		add_reg_name(c, op->reg);
		break;
	case X86_OP_IMM:
		if (is_shift_by_one(c)) {
			strbuf_addch(c->text, '1');
			break;
		}
		add_immediate(c, (u64)op->imm & mask_of(immediate_size(c)));
		break;
	case X86_OP_MEM:
		if (is_indirect(c) && !c->intel)
			strbuf_addch(c->text, '*');
		add_memory(c, op);
		break;
	default:
		break;
	}
}

/* A mask's register is an operand of Capstone's, behind the first. */
static bool is_mask(const struct x86 *c, u8 i)
{
	const cs_x86_op *op = &c->x->operands[i];

	return c->mask && i == 1 && op->type == X86_OP_REG &&
	       op->reg == (x86_reg)(X86_REG_K0 + c->mask);
}

static void add_operand_with_mask(struct x86 *c, u8 i)
{
	add_operand(c, &c->x->operands[i]);
	if (i || !c->mask)
		return;
	strbuf_adds(c->text, c->intel ? "{" : "{%");
	strbuf_addf(c->text, "k%u}%s", c->mask, c->zero ? "{z}" : "");
}

static bool keeps_order(const struct x86 *c)
{
	bool as_written = !c->map && (c->op == 0xc8 || c->op == 0x62); /* enter, bound */

	/* Capstone has the operands of xchg with rax the other way round */
	if (!c->map && c->op >> 3 == 0x90 >> 3)
		return !c->intel;
	return c->intel || as_written;
}

static void add_rounding(struct x86 *c)
{
	static const char *const names[] = { "", "{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}" };

	if (c->x->avx_rm && c->x->avx_rm < ARRAY_SIZE(names))
		strbuf_addf(c->text, "%s,", names[c->x->avx_rm]);
	else if (c->x->avx_sae)
		strbuf_adds(c->text, "{sae},");
}

static bool hides(const struct x86 *c, u8 i)
{
	const cs_x86_op *op = &c->x->operands[i];

	if (is_mask(c, i))
		return true;
	/* a shift by 1 that has no byte of its own for it */
	if (is_shift_by_one(c) && i == 1)
		return !c->intel;
	/* the predicate of a comparison is a part of its name */
	return op->type == X86_OP_IMM &&
	       (c->carryless || x86_has_predicate(c->d->insn->mnemonic, c->d->insn->id));
}

/* What SSE's blends take from %xmm0. */
static bool has_hidden_mask(const struct x86 *c)
{
	unsigned int id = c->d->insn->id;

	return id == X86_INS_PBLENDVB || id == X86_INS_BLENDVPS || id == X86_INS_BLENDVPD ||
	       id == X86_INS_SHA256RNDS2;
}

static void add_hidden_mask(struct x86 *c)
{
	if (has_hidden_mask(c) && c->x->op_count == 2)
		strbuf_adds(c->text, c->intel ? ",xmm0" : "%xmm0,");
}

static void add_operands(struct x86 *c)
{
	u8 nr = c->x->op_count;
	bool first = true;

	if (!c->intel) {
		add_rounding(c);
		add_hidden_mask(c);
	}
	for (u8 k = 0; k < nr; k++) {
		u8 i = keeps_order(c) ? k : nr - 1 - k;

		if (hides(c, i))
			continue;
		if (!first)
			strbuf_addch(c->text, ',');
		first = false;
		add_operand_with_mask(c, i);
	}
	if (c->intel)
		add_hidden_mask(c);
}

/* ------------------------------------------------------------------ mnemonics */

static char size_letter(u8 size)
{
	switch (size) {
	case 1:
		return 'b';
	case 2:
		return 'w';
	case 4:
		return 'l';
	case 8:
		return 'q';
	default:
		return 0;
	}
}

static void add_letter(struct x86 *c, u8 size)
{
	char letter = size_letter(size);

	if (letter)
		strbuf_addch(c->text, letter);
}

static bool is_general(const struct x86 *c, u8 i)
{
	const cs_x86_op *op = &c->x->operands[i];

	return op->type == X86_OP_REG && x86_is_general(op->reg);
}

/* Nothing but a suffix tells how much memory is meant. */
static bool wants_suffix(const struct x86 *c, const cs_x86_op **memory)
{
	bool shift = !c->map && (c->op == 0xd2 || c->op == 0xd3); /* by %cl */

	*memory = NULL;
	for (u8 i = 0; i < c->x->op_count; i++) {
		if (is_general(c, i) && !(shift && i == 1))
			return false;
		if (c->x->operands[i].type == X86_OP_MEM)
			*memory = &c->x->operands[i];
	}
	return *memory && x86_takes_suffix(c->d->insn->id);
}

static const char *last_word(const char *s)
{
	const char *blank = strrchr(s, ' ');

	return blank ? blank + 1 : s;
}

static u8 size_of(const struct x86 *c, u8 i)
{
	return i < c->x->op_count ? c->x->operands[i].size : 0;
}

/* Which halves are multiplied is told by the name. */
static bool add_carryless(struct x86 *c)
{
	unsigned int id = c->d->insn->id;
	const char *v = id == X86_INS_VPCLMULQDQ ? "v" : "";
	s64 imm;

	if ((id != X86_INS_PCLMULQDQ && id != X86_INS_VPCLMULQDQ) || !c->x->op_count)
		return false;
	imm = c->x->operands[c->x->op_count - 1].imm;
	if (imm & ~0x11LL)
		return false;
	c->carryless = true;
	strbuf_addf(c->text, "%spclmul%sq%sqdq", v, imm & 1 ? "h" : "l", imm & 0x10 ? "h" : "l");
	return true;
}

static bool is_narrow_push(const struct x86 *c)
{
	return !c->map && (c->op == 0x68 || c->op == 0x6a) && c->nr_opsize;
}

static void add_att_mnemonic(struct x86 *c)
{
	unsigned int id = c->d->insn->id;
	const char *name = last_word(c->d->insn->mnemonic);
	const cs_x86_op *memory;

	switch (id) {
	case X86_INS_MOVZX:
	case X86_INS_MOVSX:
		strbuf_adds(c->text, id == X86_INS_MOVZX ? "movz" : "movs");
		add_letter(c, size_of(c, 1));
		add_letter(c, size_of(c, 0));
		return;
	case X86_INS_MOVSXD:
		strbuf_adds(c->text, "movs");
		add_letter(c, 4);
		add_letter(c, size_of(c, 0));
		return;
	default:
		break;
	}
	if (add_carryless(c))
		return;
	/* to or from a general register of 64 bits */
	if (id == X86_INS_MOVD && wide(c))
		name = "movq";
	strbuf_adds(c->text, x86_att_name(name));
	if (wants_suffix(c, &memory))
		add_letter(c, memory->size);
	else if (is_narrow_push(c))
		strbuf_addch(c->text, 'w');
}

static void add_intel_mnemonic(struct x86 *c)
{
	if (!add_carryless(c))
		strbuf_adds(c->text, x86_intel_name(last_word(c->d->insn->mnemonic)));
	if (is_narrow_push(c))
		strbuf_addch(c->text, 'w');
}

static void add_mnemonic(struct x86 *c)
{
	if (c->intel)
		add_intel_mnemonic(c);
	else
		add_att_mnemonic(c);
	if (is_conditional(c) && !c->intel && (c->seg == 0x2e || c->seg == 0x3e))
		strbuf_adds(c->text, c->seg == 0x2e ? ",pn" : ",pt");
}

/* The column of the operands. */
static void pad(struct x86 *c)
{
	size_t len = c->text->len - c->from;

	strbuf_pad(c->text, ' ', len < 6 ? 7 - len : 1);
	c->out->operands = c->text->len - c->from;
}

/* ------------------------------------------------------------------ branches */

static bool is_direct(const struct x86 *c)
{
	return is_conditional(c) ||
	       (!c->map && ((c->op >= 0xe0 && c->op <= 0xe3) || c->op == 0xe8 || c->op == 0xe9 ||
			    c->op == 0xeb || (c->op == 0xc7 && c->modrm == 0xf8)));
}

static void set_kind(struct x86 *c)
{
	struct insn *out = c->out;

	if (c->vector)
		return;
	if (is_direct(c) || is_indirect(c)) {
		bool call = !c->map && (c->op == 0xe8 || (c->op == 0xff && reg_field(c) == 2));

		out->kind = call ? INSN_CALL : INSN_JUMP;
		out->conditional = is_conditional(c) || (!c->map && c->op >> 2 == 0xe0 >> 2);
	} else if (!c->map && (c->op == 0xc2 || c->op == 0xc3)) {
		out->kind = INSN_RETURN;
	}
}

static void add_target(struct x86 *c)
{
	u64 target = (u64)c->x->operands[0].imm;

	if (!c->is64)
		target &= 0xffffffff;
	c->out->has_target = true;
	c->out->target = target;
	strbuf_add_hex(c->text, target);
	if (c->d->o.name)
		c->d->o.name(c->d->o.ctx, target, c->text);
}

/* ------------------------------------------------------------------ kinds of their own */

/* Moves of strings: both ends are shown, with their segments. */
static void add_string_end(struct x86 *c, bool destination, u8 size)
{
	const char *seg = destination ? "es" : c->seg ? segment_name(c->seg) : "ds";
	const char *reg = destination ? "di" : "si";
	const char *width = c->is64 ? c->addrsize ? "e" : "r" : c->addrsize ? "" : "e";

	if (c->intel)
		strbuf_addf(c->text, "%s%s:[%s%s]", pointer_of(size), seg, width, reg);
	else
		strbuf_addf(c->text, "%%%s:(%%%s%s)", seg, width, reg);
}

static void add_string_reg(struct x86 *c, u8 size)
{
	const char *name = size == 1 ? "al" : size == 2 ? "ax" : size == 4 ? "eax" : "rax";

	strbuf_addf(c->text, "%s%s", c->intel ? "" : "%", name);
}

static void add_string_port(struct x86 *c)
{
	strbuf_adds(c->text, c->intel ? "dx" : "(%dx)");
}

enum string_end { END_SOURCE, END_DESTINATION, END_REG, END_PORT };

static void add_string_operand(struct x86 *c, enum string_end end, u8 size)
{
	switch (end) {
	case END_SOURCE:
	case END_DESTINATION:
		add_string_end(c, end == END_DESTINATION, size);
		break;
	case END_REG:
		add_string_reg(c, size);
		break;
	case END_PORT:
		add_string_port(c);
		break;
	}
}

static void add_string_op(struct x86 *c)
{
	/* operands in AT&T's order; whether its name tells their size */
	static const struct {
		u8 op;
		bool suffix;
		const char *name;
		enum string_end first, second;
	} ops[] = {
		{ 0x6c, true, "ins", END_PORT, END_DESTINATION },
		{ 0x6e, true, "outs", END_SOURCE, END_PORT },
		{ 0xa4, true, "movs", END_SOURCE, END_DESTINATION },
		{ 0xa6, true, "cmps", END_DESTINATION, END_SOURCE },
		{ 0xaa, false, "stos", END_REG, END_DESTINATION },
		{ 0xac, false, "lods", END_SOURCE, END_REG },
		{ 0xae, false, "scas", END_DESTINATION, END_REG },
	};
	u8 size = !(c->op & 1) ? 1 : wide(c) ? 8 : c->nr_opsize ? 2 : 4;

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (ops[i].op != (c->op & 0xfe))
			continue;
		strbuf_adds(c->text, ops[i].name);
		if (ops[i].suffix && !c->intel)
			add_letter(c, size);
		pad(c);
		add_string_operand(c, c->intel ? ops[i].second : ops[i].first, size);
		strbuf_addch(c->text, ',');
		add_string_operand(c, c->intel ? ops[i].first : ops[i].second, size);
		return;
	}
}

/* Operands of x87 instructions on registers: none, the register, both ways with the top. */
static void add_x87_regs(struct x86 *c, enum x87_operands how)
{
	char reg[8];
	const char *percent = c->intel ? "" : "%";
	bool top_first = (how == X87_TOP_REG) != c->intel;

	snprintf(reg, sizeof(reg), "st(%u)", c->modrm & 7U);
	if (how == X87_NONE)
		return;
	pad(c);
	if (how == X87_REG)
		strbuf_addf(c->text, "%s%s", percent, reg);
	else
		strbuf_addf(c->text, "%s%s,%s%s", percent, top_first ? "st" : reg, percent,
			    top_first ? reg : "st");
}

/* x87: false: as the others. */
static bool add_x87(struct x86 *c)
{
	struct x87_name name;

	if (c->map || c->op < 0xd8 || c->op > 0xdf)
		return false;
	if (!x87_find(c->op, c->modrm, c->intel, &name))
		return false;
	strbuf_adds(c->text, name.text);
	if (c->modrm < 0xc0) {
		pad(c);
		for (u8 i = 0; i < c->x->op_count; i++) {
			cs_x86_op op = c->x->operands[i];

			if (op.type != X86_OP_MEM)
				continue;
			op.size = name.size;
			add_memory(c, &op);
		}
		return true;
	}
	add_x87_regs(c, name.operands);
	return true;
}

/* The port of in and out in %dx. */
static bool is_port(const struct x86 *c, u8 i)
{
	return !c->map && !c->intel && c->op >= 0xec && c->op <= 0xef &&
	       c->x->operands[i].reg == X86_REG_DX;
}

static bool add_port_op(struct x86 *c)
{
	if (c->map || c->op < 0xec || c->op > 0xef)
		return false;
	strbuf_adds(c->text, c->op < 0xee ? "in" : "out");
	pad(c);
	for (u8 k = 0; k < c->x->op_count; k++) {
		u8 i = c->intel ? k : (u8)(c->x->op_count - 1 - k);
		bool port = is_port(c, i);

		strbuf_adds(c->text, k ? port ? ",(" : "," : port ? "(" : "");
		add_operand(c, &c->x->operands[i]);
		strbuf_adds(c->text, port ? ")" : "");
	}
	return true;
}

/* xlat, and what is called by the size of what it works on. */
static bool add_sized(struct x86 *c)
{
	if (c->map == 1 && c->op == 0x07) {
		strbuf_adds(c->text, "sysret");
		strbuf_addch(c->text, wide(c) ? 'q' : c->intel ? 'd' : 'l');
		return true;
	}
	if (c->map || c->op != 0xd7)
		return false;
	strbuf_adds(c->text, "xlat");
	pad(c);
	const char *seg = c->seg ? segment_name(c->seg) : "ds", *reg = c->is64 ? "rbx" : "ebx";

	if (c->intel)
		strbuf_addf(c->text, "BYTE PTR %s:[%s]", seg, reg);
	else
		strbuf_addf(c->text, "%%%s:(%%%s)", seg, reg);
	return true;
}

static bool add_special(struct x86 *c)
{
	if (is_string_op(c)) {
		add_string_op(c);
		return true;
	}
	/* nop is xchg with itself where a prefix makes it longer */
	if (!c->map && c->op == 0x90 && !(c->rex & 1) && c->nr_opsize && !c->rep) {
		strbuf_adds(c->text, "xchg");
		pad(c);
		strbuf_adds(c->text, c->intel ? "ax,ax" : "%ax,%ax");
		return true;
	}
	if (add_port_op(c) || add_sized(c))
		return true;
	return add_x87(c);
}

/* Capstone 4 takes some index registers of EVEX for vectors, which only gathers have. */
static bool has_wrong_index(const struct x86 *c)
{
	const char *name = c->d->insn->mnemonic;

	for (u8 i = 0; c->vector && c->op == 0x62 && i < c->x->op_count; i++) {
		const cs_x86_op *op = &c->x->operands[i];

		if (op->type == X86_OP_MEM && x86_is_vector(op->mem.index) &&
		    !strstr(name, "gather") && !strstr(name, "scatter"))
			return true;
	}
	return false;
}

bool x86_text(struct disasm *d, const u8 *p, size_t n, u64 addr, struct insn *out,
	      struct strbuf *text)
{
	struct x86 c = { .d = d,
			 .text = text,
			 .addr = addr,
			 .p = p,
			 .n = MIN(n, (size_t)LONGEST),
			 .out = out,
			 .from = text->len };

	c.is64 = d->o.machine == EM_X86_64;
	c.intel = d->o.syntax == DISASM_INTEL;
	read_prefixes(&c);
	read_opcode(&c);
	if (!c.n || !decode(&c) || out->len > n || has_wrong_index(&c))
		return false;
	set_kind(&c);
	add_prefixes(&c);
	if (!add_special(&c)) {
		add_mnemonic(&c);
		if (c.x->op_count) {
			pad(&c);
			if (is_direct(&c) && c.x->operands[0].type == X86_OP_IMM && !c.vector)
				add_target(&c);
			else
				add_operands(&c);
		}
	}
	if (out->has_data)
		x86_add_data(&d->o, c.from, out, text);
	if (!out->operands)
		out->operands = text->len - c.from;
	return true;
}
#endif
