/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disasm/x86_operands.h"

static s32 next_s32(struct x86_bytes *b)
{
	u32 v = x86_next(b);

	v |= (u32)x86_next(b) << 8;
	v |= (u32)x86_next(b) << 16;
	v |= (u32)x86_next(b) << 24;
	return (s32)v;
}

void x86_read_address(struct x86_bytes *b, u8 modrm, bool ext_base, bool ext_index,
		      struct x86_address *out)
{
	u8 mod = modrm >> 6, rm = modrm & 7, base = ext_base ? 8 : 0;

	out->base = rm | base;
	out->index = X86_NO_REG;
	out->scale = 1;
	if (rm == 4) {
		u8 sib = x86_next(b);

		rm = sib & 7;
		out->base = rm | base;
		out->index = (u8)((sib >> 3 & 7) | (ext_index ? 8 : 0));
		out->scale = (u8)(1 << (sib >> 6));
		if (!mod && rm == 5)
			out->base = X86_NO_REG;
		if (out->index == 4) {
			out->index = X86_NO_REG;
			out->names_no_index = out->scale > 1 ||
					      (rm != 4 && out->base != X86_NO_REG);
		}
	} else if (!mod && rm == 5) {
		out->base = X86_ON_RIP;
	}
	if (mod == 2 || (!mod && rm == 5)) {
		out->has_disp = true;
		out->disp = next_s32(b);
	} else if (mod == 1) {
		out->has_disp = out->is_disp8 = true;
		out->disp = (s8)x86_next(b);
	}
}

void x86_add_general(struct strbuf *text, unsigned int number, u8 size, bool rex, bool intel)
{
	static const char *const names[][16] = {
		{ "%al", "%cl", "%dl", "%bl", "%spl", "%bpl", "%sil", "%dil", "%r8b", "%r9b",
		  "%r10b", "%r11b", "%r12b", "%r13b", "%r14b", "%r15b" },
		{ "%ax", "%cx", "%dx", "%bx", "%sp", "%bp", "%si", "%di", "%r8w", "%r9w", "%r10w",
		  "%r11w", "%r12w", "%r13w", "%r14w", "%r15w" },
		{ "%eax", "%ecx", "%edx", "%ebx", "%esp", "%ebp", "%esi", "%edi", "%r8d", "%r9d",
		  "%r10d", "%r11d", "%r12d", "%r13d", "%r14d", "%r15d" },
		{ "%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi", "%r8", "%r9",
		  "%r10", "%r11", "%r12", "%r13", "%r14", "%r15" },
	};
	static const char *const high[] = { "%ah", "%ch", "%dh", "%bh" };
	const char *name = size == 1 && !rex && number >= 4 && number < 8
				   ? high[number - 4]
				   : names[__builtin_ctz(size | 8) & 3][number & 15];

	strbuf_adds(text, intel ? name + 1 : name);
}

static void add_signed(struct strbuf *text, s64 v)
{
	strbuf_adds(text, v < 0 ? "-0x" : "0x");
	strbuf_add_hex(text, v < 0 ? -(u64)v : (u64)v);
}

static void add_base(struct strbuf *text, const struct x86_address *a, bool intel)
{
	if (a->base == X86_ON_RIP)
		strbuf_adds(text, (a->narrow ? "%eip" : "%rip") + intel);
	else if (a->base != X86_NO_REG)
		x86_add_general(text, a->base, a->narrow ? 4 : 8, true, intel);
}

static void add_att(struct strbuf *text, const struct x86_address *a)
{
	if (a->base == X86_NO_REG && a->index == X86_NO_REG) {
		strbuf_adds(text, "0x");
		strbuf_add_hex(text, (u64)a->disp);
		return;
	}
	if (a->has_disp)
		add_signed(text, a->disp);
	strbuf_addch(text, '(');
	add_base(text, a, false);
	if (a->index != X86_NO_REG) {
		strbuf_addch(text, ',');
		x86_add_general(text, a->index, a->narrow ? 4 : 8, true, false);
		strbuf_addch(text, ',');
		strbuf_addch(text, (char)('0' + a->scale));
	}
	strbuf_addch(text, ')');
}

static void add_intel(struct strbuf *text, const struct x86_address *a)
{
	if (a->base == X86_NO_REG && a->index == X86_NO_REG) {
		strbuf_adds(text, a->segment ? "0x" : "ds:0x");
		strbuf_add_hex(text, (u64)a->disp);
		return;
	}
	strbuf_addch(text, '[');
	add_base(text, a, true);
	if (a->index != X86_NO_REG) {
		if (a->base != X86_NO_REG)
			strbuf_addch(text, '+');
		x86_add_general(text, a->index, a->narrow ? 4 : 8, true, true);
		strbuf_addch(text, '*');
		strbuf_addch(text, (char)('0' + a->scale));
	}
	if (a->base == X86_ON_RIP) {
		strbuf_adds(text, "+0x");
		strbuf_add_hex(text, (u64)a->disp);
	} else if (a->has_disp) {
		if (a->disp >= 0)
			strbuf_addch(text, '+');
		add_signed(text, a->disp);
	}
	strbuf_addch(text, ']');
}

void x86_add_address(struct strbuf *text, const struct x86_address *a, bool intel)
{
	if (a->segment) {
		strbuf_adds(text, intel ? "" : "%");
		strbuf_adds(text, a->segment);
		strbuf_addch(text, ':');
	}
	if (intel)
		add_intel(text, a);
	else
		add_att(text, a);
}

void x86_add_data(const struct disasm_opts *o, size_t from, struct insn *out, struct strbuf *text)
{
	strbuf_adds(text, "        # ");
	out->comment = text->len - 2 - from;
	strbuf_add_hex(text, out->data);
	if (o->name)
		o->name(o->ctx, out->data, text);
}
