/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disasm/x86_common.h"

#include <string.h>

#include "arch/x86_insn.h"
#include "disasm/x86_operands.h"

enum common_operand {
	NONE,
	REG, /* of ModRM */
	RM, /* register or memory */
	LOW, /* the register in the opcode's last bits */
	ACC, /* al, ax, eax, rax */
	CL,
	ONE, /* shown in Intel's syntax alone */
	IMM,
	XREG, /* xmm */
	XRM,
};

enum { OPSIZE = 0x66, REPNE = 0xf2, REP = 0xf3 };

struct common {
	const struct disasm_opts *o;
	struct x86_bytes bytes;
	const u8 *start;
	u64 addr;
	struct insn *out;
	struct strbuf *text;
	size_t from;
	bool intel;
	/* prefixes */
	u8 nr_opsize, rep, rex;
	bool cs, notrack;
	u8 op, modrm;
	struct x86_address mem;
	/* the instruction, operands in Intel's order */
	u8 operands[3];
	u8 size, rm_size; /* bytes, of registers and of RM */
	u64 imm;
	bool broken; /* not one of ours after all */
};

static bool is_wide(const struct common *c)
{
	return c->rex & 8;
}

static bool has_memory(const struct common *c)
{
	return c->modrm < 0xc0;
}

static u8 reg_field(const struct common *c)
{
	return c->modrm >> 3 & 7;
}

static u64 mask(u64 v, u8 size)
{
	return size >= 8 ? v : v & ((1ULL << 8 * size) - 1);
}

/* ------------------------------------------------------------------ reading */

/* False: prefixes that Capstone's way has to look at. */
static bool read_prefixes(struct common *c)
{
	for (;;) {
		u8 b = x86_next(&c->bytes);

		switch (b) {
		case OPSIZE:
			c->nr_opsize++;
			break;
		case REPNE:
		case REP:
			if (c->rep)
				return false;
			c->rep = b;
			break;
		case 0x2e:
			if (c->cs)
				return false;
			c->cs = true;
			break;
		case 0x3e:
			if (c->notrack)
				return false;
			c->notrack = true;
			break;
		case 0x64:
		case 0x65:
			if (c->mem.segment)
				return false;
			c->mem.segment = b == 0x64 ? "fs" : "gs";
			break;
		case 0x40 ... 0x4f:
			c->rex = b;
			c->op = x86_next(&c->bytes);
			return true;
		default:
			c->op = b;
			return true;
		}
	}
}

static void read_modrm(struct common *c)
{
	c->modrm = x86_next(&c->bytes);
	if (has_memory(c))
		x86_read_address(&c->bytes, c->modrm, c->rex & 1, c->rex & 2, &c->mem);
	c->broken |= c->mem.names_no_index;
}

static u64 read_imm(struct common *c, u8 size)
{
	u64 v;

	if (size == 1)
		return (u64)(s64)(s8)x86_next(&c->bytes);
	if (size == 2) {
		v = x86_next(&c->bytes);
		return v | (u64)x86_next(&c->bytes) << 8;
	}
	v = (u64)x86_next_s32(&c->bytes);
	if (size == 8)
		v = (v & 0xffffffff) | (u64)x86_next_s32(&c->bytes) << 32;
	return v;
}

/* ------------------------------------------------------------------ text */

static void pad(struct common *c)
{
	size_t len = c->text->len - c->from;

	strbuf_pad(c->text, ' ', len < 6 ? 7 - len : 1);
	c->out->operands = c->text->len - c->from;
}

static void add_pointer(struct common *c)
{
	static const char *const names[] = { "BYTE PTR ", "WORD PTR ", "DWORD PTR ", "QWORD PTR ",
					     "XMMWORD PTR " };

	if (c->rm_size)
		strbuf_adds(c->text, names[__builtin_ctz(c->rm_size) & 7]);
}

static void add_memory(struct common *c)
{
	if (c->intel)
		add_pointer(c);
	x86_add_address(c->text, &c->mem, c->intel);
	c->out->has_data = c->mem.base == X86_ON_RIP;
}

static void add_xmm(struct common *c, unsigned int number)
{
	strbuf_adds(c->text, c->intel ? "xmm" : "%xmm");
	strbuf_add_u64(c->text, number);
}

static void add_operand(struct common *c, u8 operand)
{
	unsigned int reg = reg_field(c) | (c->rex & 4 ? 8U : 0), low = c->rex & 1 ? 8U : 0;

	switch (operand) {
	case REG:
		x86_add_general(c->text, reg, c->size, c->rex, c->intel);
		break;
	case LOW:
		x86_add_general(c->text, low | (c->op & 7U), c->size, c->rex, c->intel);
		break;
	case ACC:
		x86_add_general(c->text, 0, c->size, false, c->intel);
		break;
	case CL:
		x86_add_general(c->text, 1, 1, false, c->intel);
		break;
	case ONE:
		strbuf_addch(c->text, '1');
		break;
	case IMM:
		strbuf_adds(c->text, c->intel ? "0x" : "$0x");
		strbuf_add_hex(c->text, c->imm);
		break;
	case XREG:
		add_xmm(c, reg);
		break;
	default:
		if (has_memory(c))
			add_memory(c);
		else if (operand == XRM)
			add_xmm(c, low | (c->modrm & 7U));
		else
			x86_add_general(c->text, low | (c->modrm & 7U), c->rm_size, c->rex,
					c->intel);
		break;
	}
}

static void add_operands(struct common *c)
{
	u8 nr = 0;
	bool first = true;

	while (nr < ARRAY_SIZE(c->operands) && c->operands[nr])
		nr++;
	for (u8 k = 0; k < nr; k++) {
		u8 operand = c->operands[c->intel ? k : nr - 1 - k];

		if (operand == ONE && !c->intel)
			continue;
		if (!first)
			strbuf_addch(c->text, ',');
		first = false;
		add_operand(c, operand);
	}
}

static const char *size_letter(u8 size)
{
	return size == 1 ? "b" : size == 2 ? "w" : size == 4 ? "l" : "q";
}

/* With its operands; of memory alone a letter tells how much of it is meant. */
static bool add(struct common *c, const char *name)
{
	bool sized = false;

	if (c->broken || c->bytes.broken)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(c->operands); i++)
		sized |= c->operands[i] == REG || c->operands[i] == ACC || c->operands[i] == XREG;
	strbuf_adds(c->text, name);
	if (!c->intel && !sized && c->operands[0] == RM && has_memory(c) && c->rm_size)
		strbuf_adds(c->text, size_letter(c->rm_size));
	if (c->operands[0]) {
		pad(c);
		add_operands(c);
	}
	return true;
}

static bool add_two(struct common *c, const char *name, enum common_operand first,
		    enum common_operand second)
{
	c->operands[0] = (u8)first;
	c->operands[1] = (u8)second;
	return add(c, name);
}

/* A name that no letter follows. */
static bool add_unsized(struct common *c, const char *name)
{
	if (c->broken || c->bytes.broken)
		return false;
	strbuf_adds(c->text, name);
	pad(c);
	add_operands(c);
	return true;
}

static const char *const conditions[] = { "o", "no", "b", "ae", "e", "ne", "be", "a",
					  "s", "ns", "p", "np", "l", "ge", "le", "g" };

static bool add_branch(struct common *c, const char *name, const char *condition, bool is_short)
{
	u64 distance = read_imm(c, is_short ? 1 : 4);

	if (c->rex || c->bytes.broken)
		return false;
	c->out->kind = *name == 'c' ? INSN_CALL : INSN_JUMP;
	c->out->conditional = *condition;
	c->out->has_target = true;
	c->out->target = c->addr + (u64)(c->bytes.p - c->start) + distance;
	strbuf_adds(c->text, name);
	strbuf_adds(c->text, condition);
	pad(c);
	strbuf_add_hex(c->text, c->out->target);
	if (c->o->name)
		c->o->name(c->o->ctx, c->out->target, c->text);
	return true;
}

static bool add_indirect(struct common *c, enum insn_kind kind)
{
	if (is_wide(c) || c->broken || c->bytes.broken)
		return false;
	c->rm_size = 8;
	c->out->kind = kind;
	if (c->notrack)
		strbuf_adds(c->text, "notrack ");
	strbuf_adds(c->text, kind == INSN_CALL ? "call" : "jmp");
	pad(c);
	if (!c->intel)
		strbuf_addch(c->text, '*');
	add_operand(c, RM);
	return true;
}

/* ------------------------------------------------------------------ opcodes of one byte */

static const char *const arithmetic[] = { "add", "or", "adc", "sbb", "and", "sub", "xor", "cmp" };

/* add to cmp, of registers and memory, and with an immediate and the accumulator */
static bool add_arithmetic(struct common *c)
{
	const char *name = arithmetic[c->op >> 3];

	switch (c->op & 7) {
	case 0:
	case 1:
		read_modrm(c);
		return add_two(c, name, RM, REG);
	case 2:
	case 3:
		read_modrm(c);
		return add_two(c, name, REG, RM);
	default:
		c->imm = mask(read_imm(c, MIN(c->size, (u8)4)), c->size);
		return add_two(c, name, ACC, IMM);
	}
}

static bool add_immediate_group(struct common *c)
{
	read_modrm(c);
	c->imm = mask(read_imm(c, c->op == 0x81 ? MIN(c->size, (u8)4) : 1), c->size);
	return add_two(c, arithmetic[reg_field(c)], RM, IMM);
}

static bool add_shift(struct common *c)
{
	static const char *const names[] = {
		"rol", "ror", "rcl", "rcr", "shl", "shr", NULL, "sar"
	};
	const char *name;

	read_modrm(c);
	name = names[reg_field(c)];
	if (!name)
		return false;
	if (c->op >= 0xd0)
		return add_two(c, name, RM, c->op >= 0xd2 ? CL : ONE);
	c->imm = mask(read_imm(c, 1), 1);
	return add_two(c, name, RM, IMM);
}

/* test, not, neg, mul, imul, div, idiv */
static bool add_unary_group(struct common *c)
{
	static const char *const names[] = { "test", NULL,   "not", "neg",
					     "mul",  "imul", "div", "idiv" };

	read_modrm(c);
	if (reg_field(c) == 1)
		return false;
	if (reg_field(c))
		return add_two(c, names[reg_field(c)], RM, NONE);
	c->imm = mask(read_imm(c, MIN(c->size, (u8)4)), c->size);
	return add_two(c, names[0], RM, IMM);
}

static bool add_last_group(struct common *c)
{
	read_modrm(c);
	if (reg_field(c) < 2)
		return add_two(c, reg_field(c) ? "dec" : "inc", RM, NONE);
	if (c->op == 0xfe || c->nr_opsize)
		return false;
	switch (reg_field(c)) {
	case 2:
		return add_indirect(c, INSN_CALL);
	case 4:
		return add_indirect(c, INSN_JUMP);
	case 6:
		c->rm_size = 8;
		c->operands[0] = RM;
		return !is_wide(c) && add_unsized(c, "push");
	default:
		return false;
	}
}

static bool add_stack(struct common *c)
{
	c->size = 8;
	if (is_wide(c) || c->nr_opsize)
		return false;
	if (c->op <= 0x5f)
		return add_two(c, c->op < 0x58 ? "push" : "pop", LOW, NONE);
	c->imm = read_imm(c, c->op == 0x6a ? 1 : 4);
	return add_two(c, "push", IMM, NONE);
}

static bool add_move(struct common *c)
{
	if (c->op >= 0xb0 && c->op <= 0xbf) {
		c->imm = mask(read_imm(c, c->size), c->size);
		return add_two(c, c->size == 8 ? "movabs" : "mov", LOW, IMM);
	}
	read_modrm(c);
	if (c->op >= 0xc6) {
		c->imm = mask(read_imm(c, MIN(c->size, (u8)4)), c->size);
		return !reg_field(c) && add_two(c, "mov", RM, IMM);
	}
	return c->op < 0x8a ? add_two(c, "mov", RM, REG) : add_two(c, "mov", REG, RM);
}

static bool add_multiply(struct common *c)
{
	read_modrm(c);
	c->imm = mask(read_imm(c, c->op == 0x6b ? 1 : MIN(c->size, (u8)4)), c->size);
	c->operands[2] = IMM;
	return add_two(c, "imul", REG, RM);
}

/* What widens the accumulator. */
static bool add_widening(struct common *c)
{
	static const char *const att[][3] = { { "cbtw", "cwtl", "cltq" },
					      { "cwtd", "cltd", "cqto" } };
	static const char *const intel[][3] = { { "cbw", "cwde", "cdqe" },
						{ "cwd", "cdq", "cqo" } };
	u8 i = c->size == 2 ? 0 : c->size == 4 ? 1 : 2;

	return add(c, c->intel ? intel[c->op & 1][i] : att[c->op & 1][i]);
}

static bool add_lea(struct common *c)
{
	read_modrm(c);
	c->rm_size = 0;
	return has_memory(c) && add_two(c, "lea", REG, RM);
}

static bool add_sign_extension(struct common *c)
{
	read_modrm(c);
	c->rm_size = 4;
	return is_wide(c) && add_two(c, c->intel ? "movsxd" : "movslq", REG, RM);
}

static bool add_return(struct common *c)
{
	c->out->kind = INSN_RETURN;
	return !c->rex && !c->nr_opsize && add(c, "ret");
}

static bool is_of_bytes(const struct common *c)
{
	switch (c->op & 0xfe) {
	case 0x80:
	case 0x84:
	case 0x86:
	case 0x88:
	case 0x8a:
	case 0xa8:
	case 0xc0:
	case 0xc6:
	case 0xd0:
	case 0xd2:
	case 0xf6:
	case 0xfe:
		return !(c->op & 1);
	default:
		return (c->op >= 0xb0 && c->op < 0xb8) || (c->op < 0x40 && !(c->op & 1));
	}
}

static bool add_simple(struct common *c)
{
	switch (c->op) {
	case 0x84:
	case 0x85:
		read_modrm(c);
		return add_two(c, "test", RM, REG);
	case 0x86:
	case 0x87:
		read_modrm(c);
		return add_two(c, "xchg", RM, REG);
	case 0x90:
		if (c->rex)
			return false;
		return c->nr_opsize ? add_two(c, "xchg", ACC, ACC) : add(c, "nop");
	case 0x98:
	case 0x99:
		return add_widening(c);
	case 0xa8:
	case 0xa9:
		c->imm = mask(read_imm(c, MIN(c->size, (u8)4)), c->size);
		return add_two(c, "test", ACC, IMM);
	case 0xc9:
		return !c->rex && !c->nr_opsize && add(c, "leave");
	default:
		return false;
	}
}

static bool one_byte(struct common *c)
{
	if (is_of_bytes(c)) {
		if (c->nr_opsize)
			return false;
		c->size = c->rm_size = 1;
	}
	switch (c->op) {
	case 0x00 ... 0x3f:
		return (c->op & 7) < 6 && add_arithmetic(c);
	case 0x50 ... 0x5f:
	case 0x68:
	case 0x6a:
		return add_stack(c);
	case 0x63:
		return add_sign_extension(c);
	case 0x69:
	case 0x6b:
		return add_multiply(c);
	case 0x70 ... 0x7f:
		return !c->nr_opsize && add_branch(c, "j", conditions[c->op & 15], true);
	case 0x80:
	case 0x81:
	case 0x83:
		return add_immediate_group(c);
	case 0x88 ... 0x8b:
	case 0xb0 ... 0xbf:
	case 0xc6:
	case 0xc7:
		return add_move(c);
	case 0x8d:
		return add_lea(c);
	case 0xc0:
	case 0xc1:
	case 0xd0 ... 0xd3:
		return add_shift(c);
	case 0xc3:
		return add_return(c);
	case 0xe8:
		return !c->nr_opsize && add_branch(c, "call", "", false);
	case 0xe9:
	case 0xeb:
		return !c->nr_opsize && add_branch(c, "jmp", "", c->op == 0xeb);
	case 0xf6:
	case 0xf7:
		return add_unary_group(c);
	case 0xfe:
	case 0xff:
		return add_last_group(c);
	default:
		return add_simple(c);
	}
}

/* ------------------------------------------------------------------ behind 0f */

/* nopw, nopl: prefixes make them longer. */
static bool add_nop(struct common *c)
{
	for (u8 i = 1; i < c->nr_opsize; i++)
		strbuf_adds(c->text, "data16 ");
	if (c->cs)
		strbuf_adds(c->text, "cs ");
	read_modrm(c);
	return !is_wide(c) && !reg_field(c) && has_memory(c) && !c->mem.segment &&
	       add_two(c, "nop", RM, NONE);
}

/* movzx, movsx */
static bool add_extension(struct common *c)
{
	char name[8] = "movz";

	read_modrm(c);
	c->rm_size = c->op & 1 ? 2 : 1;
	if (c->rm_size == c->size)
		return false;
	name[3] = c->op < 0xb8 ? 'z' : 's';
	strcpy(name + 4, c->intel ? "x" : size_letter(c->rm_size));
	if (!c->intel)
		strcat(name, size_letter(c->size));
	return add_two(c, name, REG, RM);
}

static bool add_conditional(struct common *c)
{
	char name[8] = "cmov";

	read_modrm(c);
	if (c->op < 0x50) {
		strcat(name, conditions[c->op & 15]);
		return add_two(c, name, REG, RM);
	}
	strcpy(name, "set");
	strcat(name, conditions[c->op & 15]);
	c->rm_size = 1;
	c->operands[0] = RM;
	return !c->nr_opsize && !is_wide(c) && !reg_field(c) && add_unsized(c, name);
}

static bool add_bit_test(struct common *c)
{
	static const char *const names[] = { "bt", "bts", "btr", "btc" };

	read_modrm(c);
	if (c->op != 0xba)
		return add_two(c, names[c->op >> 3 & 3], RM, REG);
	c->imm = mask(read_imm(c, 1), 1);
	return reg_field(c) >= 4 && add_two(c, names[reg_field(c) & 3], RM, IMM);
}

enum rm_place { ANYWHERE, MEMORY, REGISTER };

struct sse {
	u8 prefix, op;
	const char *name;
	u8 first, second, third;
	u8 memory; /* bytes of RM in memory */
	u8 where; /* that RM must be */
};

static const struct sse sse_table[] = {
#include "disasm/x86_sse_table.h"
};

static bool add_sse(struct common *c, u8 prefix)
{
	enum rm_place where;

	read_modrm(c);
	where = has_memory(c) ? MEMORY : REGISTER;
	for (size_t i = 0; i < ARRAY_SIZE(sse_table); i++) {
		const struct sse *s = &sse_table[i];

		if (s->op != c->op || s->prefix != prefix || (s->where && s->where != where))
			continue;
		c->size = 4;
		c->rm_size = s->memory;
		if (s->third)
			c->imm = mask(read_imm(c, 1), 1);
		c->operands[0] = s->first;
		c->operands[1] = s->second;
		c->operands[2] = s->third;
		return !is_wide(c) && add_unsized(c, s->name);
	}
	return false;
}

/* movd, movq between xmm and a general register or memory */
static bool add_general_sse(struct common *c)
{
	const char *name = is_wide(c) ? "movq" : "movd";

	read_modrm(c);
	c->rm_size = is_wide(c) ? 8 : 4;
	c->operands[0] = c->op == 0x6e ? XREG : RM;
	c->operands[1] = c->op == 0x6e ? RM : XREG;
	return add_unsized(c, name);
}

/* Between a general register or memory and a floating-point number. */
static bool add_conversion(struct common *c)
{
	static const char *const singles[] = { "cvttss2si", "cvtss2si" };
	static const char *const doubles[] = { "cvttsd2si", "cvtsd2si" };
	bool is_double = c->rep == REPNE;

	read_modrm(c);
	if (c->op != 0x2a) {
		c->rm_size = is_double ? 8 : 4;
		c->operands[0] = REG;
		c->operands[1] = XRM;
		return add_unsized(c, is_double ? doubles[c->op & 1] : singles[c->op & 1]);
	}
	c->operands[0] = XREG;
	c->operands[1] = RM;
	strbuf_adds(c->text, is_double ? "cvtsi2sd" : "cvtsi2ss");
	return add_unsized(c, c->intel || !has_memory(c) ? "" : size_letter(c->rm_size));
}

static bool add_general(struct common *c)
{
	switch (c->op) {
	case 0x05:
		return !c->rex && !c->nr_opsize && add(c, "syscall");
	case 0x0b:
		return !c->rex && !c->nr_opsize && add(c, "ud2");
	case 0x40 ... 0x4f:
	case 0x90 ... 0x9f:
		return add_conditional(c);
	case 0x80 ... 0x8f:
		return !c->nr_opsize && add_branch(c, "j", conditions[c->op & 15], false);
	case 0xa3:
	case 0xab:
	case 0xb3:
	case 0xba:
	case 0xbb:
		return add_bit_test(c);
	case 0xaf:
		read_modrm(c);
		return add_two(c, "imul", REG, RM);
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf:
		return add_extension(c);
	default:
		return false;
	}
}

static bool is_of_sse(u8 op)
{
	return (op >= 0x10 && op < 0x30) || (op > 0x50 && op < 0x80) || op == 0xc6 || op >= 0xd4;
}

static bool two_bytes(struct common *c)
{
	u8 prefix = c->rep ? c->rep : c->nr_opsize ? OPSIZE : 0;

	c->op = x86_next(&c->bytes);
	if (c->op == 0x1f && !c->rep && !c->rex)
		return add_nop(c);
	if (c->cs || c->nr_opsize > 1 || (c->rep && c->nr_opsize))
		return false;
	if (prefix == OPSIZE && (c->op == 0x6e || c->op == 0x7e))
		return add_general_sse(c);
	if (c->rep && (c->op == 0x2a || c->op == 0x2c || c->op == 0x2d))
		return add_conversion(c);
	if (is_of_sse(c->op))
		return add_sse(c, prefix);
	return !c->rep && !(is_wide(c) && c->nr_opsize) && add_general(c);
}

/* ------------------------------------------------------------------ all */

static bool is_common(struct common *c)
{
	if (!read_prefixes(c))
		return false;
	c->size = c->rm_size = is_wide(c) ? 8 : c->nr_opsize ? 2 : 4;
	if (c->notrack && c->op != 0xff)
		return false;
	if (c->op == 0x0f)
		return two_bytes(c);
	if (c->rep || c->cs || c->nr_opsize > 1 || (is_wide(c) && c->nr_opsize))
		return false;
	return one_byte(c) && (!c->notrack || c->out->kind != INSN_PLAIN);
}

bool x86_common_text(const struct disasm_opts *o, const u8 *p, size_t n, u64 addr, struct insn *out,
		     struct strbuf *text)
{
	struct common c = { .o = o,
			    .bytes = { .p = p, .end = p + MIN(n, (size_t)X86_INSN_MAX) },
			    .start = p,
			    .addr = addr,
			    .out = out,
			    .text = text,
			    .from = text->len,
			    .intel = o->syntax == DISASM_INTEL,
			    .modrm = 0xc0 };

	if (!is_common(&c) || c.bytes.broken || (c.mem.segment && !has_memory(&c))) {
		text->len = c.from;
		*out = (struct insn){ .addr = addr };
		return false;
	}
	out->len = (u8)(c.bytes.p - p);
	if (out->has_data)
		out->data = addr + out->len + (u64)c.mem.disp;
	if (!out->operands)
		out->operands = text->len - c.from;
	return true;
}
