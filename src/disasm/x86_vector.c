/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disasm/x86_vector.h"

#include <string.h>

#include "arch/x86_insn.h"
#include "disasm/x86_operands.h"
#include "disasm/x86_vector_table.h"

struct vector {
	struct x86_bytes bytes; /* what is not read yet */
	const u8 *start;
	struct insn *out;
	struct strbuf *text;
	size_t from;
	bool intel;
	/* prefix */
	bool evex, broadcast, zero;
	u8 map, prefix, w, length; /* 0: xmm, 1: ymm, 2: zmm */
	u8 mask;
	u8 r, x, b, r2, v; /* bits that ModRM's numbers are extended by; v: a whole number */
	u8 v2;
	u8 op, modrm;
	struct x86_address mem; /* (a displacement of one byte is not scaled yet) */
	u8 immediate;
	const char *rounding; /* NULL = none */
};

static u8 next(struct vector *c)
{
	return x86_next(&c->bytes);
}

/* ------------------------------------------------------------------ decoding */

static bool read_evex(struct vector *c)
{
	u8 a = next(c), b = next(c), d = next(c);

	c->evex = true;
	c->r = ~a >> 7 & 1;
	c->x = ~a >> 6 & 1;
	c->b = ~a >> 5 & 1;
	c->r2 = ~a >> 4 & 1;
	c->map = a & 7;
	c->w = b >> 7;
	c->v = ~b >> 3 & 15;
	c->prefix = b & 3;
	c->zero = d >> 7;
	c->length = d >> 5 & 3;
	c->broadcast = d >> 4 & 1;
	c->v2 = ~d >> 3 & 1;
	c->mask = d & 7;
	return (b & 4) && !(a & 8) && (c->length < 3 || c->broadcast) && c->map >= 1 && c->map <= 3;
}

static bool read_vex(struct vector *c, u8 first)
{
	u8 a = next(c), b;

	c->r = ~a >> 7 & 1;
	if (first == 0xc5) {
		c->map = 1;
		b = a;
	} else {
		c->x = ~a >> 6 & 1;
		c->b = ~a >> 5 & 1;
		c->map = a & 31;
		b = next(c);
		c->w = b >> 7;
	}
	c->v = ~b >> 3 & 15;
	c->length = b >> 2 & 1;
	c->prefix = b & 3;
	return c->map >= 1 && c->map <= 3;
}

/* Prefixes of the kind that stands in front of VEX and EVEX. */
static bool read_prefix(struct vector *c)
{
	for (;;) {
		u8 b = next(c);

		if (b == 0x64 || b == 0x65)
			c->mem.segment = b == 0x64 ? "fs" : "gs";
		else if (b == 0x67)
			c->mem.narrow = true;
		else if (b == 0x62)
			return read_evex(c);
		else
			return (b == 0xc4 || b == 0xc5) && read_vex(c, b);
	}
}

/* ------------------------------------------------------------------ text */

static void pad(struct vector *c)
{
	size_t len = c->text->len - c->from;

	strbuf_pad(c->text, ' ', len < 6 ? 7 - len : 1);
	c->out->operands = c->text->len - c->from;
}

static void percent(struct vector *c)
{
	if (!c->intel)
		strbuf_addch(c->text, '%');
}

static void add_vector(struct vector *c, unsigned int number, u8 length)
{
	static const char letters[] = "xyz?";

	percent(c);
	strbuf_addf(c->text, "%cmm%u", letters[length & 3], number);
}

static void add_mask_reg(struct vector *c, unsigned int number)
{
	percent(c);
	strbuf_addf(c->text, "k%u", number & 7);
}

static void add_general(struct vector *c, u8 number, bool wide)
{
	x86_add_general(c->text, number, wide ? 8 : 4, true, c->intel);
}

static const char *pointer_of(unsigned int size)
{
	static const char *const names[] = { "BYTE",    "WORD",    "DWORD",  "QWORD",
					     "XMMWORD", "YMMWORD", "ZMMWORD" };

	return size ? names[MIN((size_t)__builtin_ctz(size), ARRAY_SIZE(names) - 1)] : "";
}

/* Bytes in memory, without regard to one element for all. */
static unsigned int memory_size(const struct vector *c, u8 memory)
{
	unsigned int whole = 16U << c->length;

	switch (memory) {
	case HALF:
		return whole / 2;
	case QUARTER:
		return whole / 4;
	case EIGHTH:
		return whole / 8;
	case B1:
	case B2:
	case B4:
	case B8:
	case B16:
	case B32:
		return 1U << (memory - B1);
	case BW:
		return c->w ? 8 : 4;
	default:
		return whole;
	}
}

static unsigned int element_size(const struct vector *c, u8 memory)
{
	return memory == FULL32 || (memory == FULLW && !c->w) ? 4 : 8;
}

static bool can_broadcast(u8 memory)
{
	return memory == FULL32 || memory == FULL64 || memory == FULLW;
}

static void add_memory(struct vector *c, u8 memory)
{
	unsigned int size = memory_size(c, memory), element = element_size(c, memory);
	bool one = c->broadcast && can_broadcast(memory);

	if (c->mem.is_disp8 && c->evex)
		c->mem.disp *= one ? element : size;
	if (c->intel)
		strbuf_addf(c->text, "%s %s ", pointer_of(one ? element : size),
			    one ? "BCST" : "PTR");
	x86_add_address(c->text, &c->mem, c->intel);
	if (one && !c->intel)
		strbuf_addf(c->text, "{1to%u}", size / element);
	if (c->mem.base == X86_ON_RIP)
		c->out->has_data = true; /* where is known with the length */
}

static u8 length_of(unsigned int bytes)
{
	return bytes <= 16 ? 0 : bytes == 32 ? 1 : 2;
}

/* A register or memory, by ModRM. */
static void add_rm(struct vector *c, const struct vector_insn *v)
{
	unsigned int number = (c->modrm & 7U) | (unsigned int)c->b << 3 | (unsigned int)c->x << 4;

	if (c->modrm < 0xc0)
		add_memory(c, v->memory);
	else if (v->form == RG)
		add_general(c, (u8)(number & 15), v->memory == BW && c->w);
	else if (v->form == RK)
		add_mask_reg(c, number);
	else
		add_vector(c, number, length_of(memory_size(c, v->memory)));
}

static void add_decorations(struct vector *c)
{
	if (!c->mask)
		return;
	strbuf_adds(c->text, c->intel ? "{" : "{%");
	strbuf_addf(c->text, "k%u}%s", c->mask, c->zero ? "{z}" : "");
}

static void add_operand(struct vector *c, const struct vector_insn *v, char which)
{
	unsigned int reg = (c->modrm >> 3 & 7U) | (unsigned int)c->r << 3 |
			   (unsigned int)c->r2 << 4;

	switch (which) {
	case 'R':
		add_vector(c, reg, c->length);
		break;
	case 'V':
		add_vector(c, c->v | (unsigned int)c->v2 << 4, c->length);
		break;
	case 'K':
		add_mask_reg(c, reg);
		break;
	case 'I':
		strbuf_addf(c->text, "%s0x%x", c->intel ? "" : "$", c->immediate);
		break;
	default:
		add_rm(c, v);
		break;
	}
}

/* In Intel's order. */
static const char *operands_of(u8 form)
{
	static const char *const texts[] = {
		[RVM] = "RVM", [RM] = "RM",   [MR] = "MR",   [RVMI] = "RVMI", [RMI] = "RMI",
		[VMI] = "VMI", [MRI] = "MRI", [KVM] = "KVM", [KVMI] = "KVM",  [KM] = "KM",
		[RK] = "RM",   [RG] = "RM",   [RMV] = "RM",  [RVMX] = "RVM",
	};

	return texts[form];
}

/* The name, with what W or a predicate choose. False: the predicate has no name. */
static bool add_name(struct vector *c, const struct vector_insn *v)
{
	static const char *const predicates[] = {
		"eq", "lt", "le", NULL, "neq", "nlt", "nle", NULL
	};
	const char *bar = strchr(v->name, '|'), *second = bar ? strchr(bar + 1, '|') : NULL;
	const char *predicate = c->immediate < 8 ? predicates[c->immediate & 7] : NULL;
	size_t stem = bar ? (size_t)(bar - v->name) : strlen(v->name);
	bool named = v->form == KVMI && predicate;

	strbuf_add(c->text, v->name, named ? strlen("vpcmp") : stem);
	if (named) {
		strbuf_adds(c->text, predicate);
		if (v->name[strlen("vpcmp")] == 'u')
			strbuf_addch(c->text, 'u');
	}
	if (second && c->w)
		strbuf_adds(c->text, second + 1);
	else if (second)
		strbuf_add(c->text, bar + 1, (size_t)(second - bar - 1));
	return named;
}

static void add_insn(struct vector *c, const struct vector_insn *v)
{
	bool named = add_name(c, v);
	const char *operands = v->form == KVMI && !named ? "KVMI" : operands_of(v->form);
	size_t nr = strlen(operands);

	pad(c);
	if (c->rounding && !c->intel)
		strbuf_addf(c->text, "%s,", c->rounding);
	for (size_t i = 0; i < nr; i++) {
		size_t k = c->intel ? i : nr - 1 - i;

		if (i)
			strbuf_addch(c->text, ',');
		add_operand(c, v, operands[k]);
		if (!k)
			add_decorations(c);
	}
	if (c->rounding && c->intel)
		strbuf_adds(c->text, c->rounding);
}

/* ------------------------------------------------------------------ masks */

static const char *mask_letter(const struct vector *c, const struct mask_insn *m)
{
	static const char *const of_regs[] = { "w", "b", "", "d", "", "", "", "q" };
	static const char *const others[] = { "w", "b", "", "", "q", "d", "", "" };
	static const char *const unpack[] = { "wd", "bw", "", "", "dq", "", "", "" };
	u8 i = (u8)(c->prefix | c->w << 2);

	if (m->form == K_KI)
		return c->prefix != P66 ? "" : m->op & 1 ? c->w ? "q" : "d" : c->w ? "w" : "b";
	if (m->form == K_REG || m->form == REG_K)
		return of_regs[i];
	return !strcmp(m->name, "kunpck") ? unpack[i] : others[i];
}

static void add_mask_operand(struct vector *c, const struct mask_insn *m, u8 i)
{
	u8 reg = c->modrm >> 3 & 7, rm = c->modrm & 7;
	bool wide = c->prefix == PF2 && c->w;
	static const struct vector_insn sizes[] = {
		{ .memory = B2 }, { .memory = B1 }, { .memory = B8 }, { .memory = B4 }
	};

	if (i == 0 && m->form == REG_K)
		add_general(c, (u8)(reg | c->r << 3), wide);
	else if (i == 0 && m->form != MEM_K)
		add_mask_reg(c, reg);
	else if (m->form == K_KK && i == 1)
		add_mask_reg(c, c->v);
	else if (m->form == K_KI && i == 2)
		strbuf_addf(c->text, "%s0x%x", c->intel ? "" : "$", c->immediate);
	else if (m->form == MEM_K && i == 1)
		add_mask_reg(c, reg);
	else if (c->modrm < 0xc0)
		add_memory(c, sizes[(c->prefix == P66) | c->w << 1].memory);
	else if (m->form == K_REG)
		add_general(c, (u8)(rm | c->b << 3), wide);
	else
		add_mask_reg(c, rm);
}

static bool add_masks(struct vector *c)
{
	for (size_t k = 0; k < ARRAY_SIZE(mask_insns); k++) {
		const struct mask_insn *m = &mask_insns[k];
		u8 nr = m->form == K_KK || m->form == K_KI ? 3 : 2;
		bool memory = m->form == K_MEM || m->form == MEM_K;

		if (m->map != c->map || m->op != c->op || m->length != c->length ||
		    (c->modrm < 0xc0 && !memory) || (m->form == MEM_K && c->modrm >= 0xc0) ||
		    !*mask_letter(c, m))
			continue;
		if (m->form == K_KI)
			c->immediate = next(c);
		strbuf_adds(c->text, m->name);
		strbuf_adds(c->text, mask_letter(c, m));
		pad(c);
		for (u8 i = 0; i < nr; i++) {
			if (i)
				strbuf_addch(c->text, ',');
			add_mask_operand(c, m, c->intel ? i : (u8)(nr - 1 - i));
		}
		return true;
	}
	return false;
}

/* ------------------------------------------------------------------ all */

static const struct vector_insn *find(const struct vector *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(vector_insns); i++) {
		const struct vector_insn *v = &vector_insns[i];

		if (v->op == c->op && v->map == c->map && v->prefix == c->prefix &&
		    (v->w == ANY || v->w == c->w) && (v->ext < 0 || v->ext == (c->modrm >> 3 & 7)))
			return v;
	}
	return NULL;
}

static bool has_immediate(u8 form)
{
	return form == RVMI || form == RMI || form == VMI || form == MRI || form == KVMI;
}

/* On registers it stands in the place of the length, which is the whole then. */
static bool read_rounding(struct vector *c, const struct vector_insn *v)
{
	static const char *const modes[] = { "{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}" };
	static const char *const rounded[] = { "vadd",  "vsub", "vmul", "vdiv",
					       "vsqrt", "vfm",  "vfnm" };

	c->rounding = !strncmp(v->name, "vmin", 4) || !strncmp(v->name, "vmax", 4) ? "{sae}" : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(rounded); i++)
		if (!strncmp(v->name, rounded[i], strlen(rounded[i])))
			c->rounding = modes[c->length & 3];
	c->length = 2;
	return c->rounding;
}

static bool add_evex(struct vector *c)
{
	const struct vector_insn *v = find(c);

	if (!v || (c->broadcast && !can_broadcast(v->memory)))
		return false;
	if (c->broadcast && c->modrm >= 0xc0 && !read_rounding(c, v))
		return false;
	if ((v->form == RG || v->form == RK || v->form == KM) && c->modrm < 0xc0)
		return false;
	if (has_immediate(v->form))
		c->immediate = next(c);
	add_insn(c, v);
	return true;
}

/* vbroadcasti128 (%rdi),%ymm0 */
static bool add_broadcast128(struct vector *c)
{
	static const struct vector_insn v = { .form = RM, .memory = B16 };

	if (c->map != 2 || c->op != 0x5a || c->prefix != P66 || c->w || c->length != 1 ||
	    c->modrm >= 0xc0)
		return false;
	strbuf_adds(c->text, "vbroadcasti128");
	pad(c);
	add_operand(c, &v, c->intel ? 'R' : 'M');
	strbuf_addch(c->text, ',');
	add_operand(c, &v, c->intel ? 'M' : 'R');
	return true;
}

static bool add_fixed(const u8 *p, size_t n, struct insn *out, struct strbuf *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(fixed_insns); i++) {
		const struct fixed_insn *f = &fixed_insns[i];

		if (n < f->len || memcmp(p, f->bytes, f->len) != 0)
			continue;
		strbuf_adds(text, f->name);
		out->len = f->len;
		return true;
	}
	return false;
}

/* Of shadow stacks: rdssp, incssp, on registers. */
static bool add_shadow_stack(struct vector *c)
{
	bool wide = false, extended = false;
	u8 b, op;

	if (next(c) != 0xf3)
		return false;
	b = next(c);
	if (b >> 4 == 4) {
		wide = b & 8;
		extended = b & 1;
		b = next(c);
	}
	op = next(c);
	c->modrm = next(c);
	if (c->bytes.broken || b != 0x0f ||
	    !((op == 0x1e && c->modrm >> 3 == 0xc8 >> 3) ||
	      (op == 0xae && c->modrm >> 3 == 0xe8 >> 3)))
		return false;
	strbuf_addf(c->text, "%s%c", op == 0x1e ? "rdssp" : "incssp", wide ? 'q' : 'd');
	pad(c);
	add_general(c, (u8)((c->modrm & 7) | (extended ? 8 : 0)), wide);
	c->out->len = (u8)(c->bytes.p - c->start);
	return true;
}

bool x86_vector_text(const u8 *p, size_t n, u64 addr, enum disasm_syntax syntax, struct insn *out,
		     struct strbuf *text)
{
	struct vector c = { .bytes = { .p = p, .end = p + MIN(n, (size_t)X86_INSN_MAX) },
			    .start = p,
			    .out = out,
			    .text = text,
			    .from = text->len,
			    .intel = syntax == DISASM_INTEL };
	bool known;

	if (add_fixed(p, n, out, text))
		return true;
	if (add_shadow_stack(&c))
		return true;
	c.bytes.p = p;
	c.bytes.broken = false;
	if (!read_prefix(&c))
		return false;
	c.op = next(&c);
	c.modrm = next(&c);
	if (c.modrm < 0xc0)
		x86_read_address(&c.bytes, c.modrm, c.b, c.x, &c.mem);
	if (c.bytes.broken)
		return false;
	known = c.evex ? add_evex(&c) : add_masks(&c) || add_broadcast128(&c);
	if (!known || c.bytes.broken) {
		text->len = c.from;
		*out = (struct insn){ .addr = out->addr };
		return false;
	}
	out->len = (u8)(c.bytes.p - p);
	out->data = addr + out->len + (u64)c.mem.disp;
	return true;
}

u8 x86_bad_length(const u8 *p, size_t n, bool is64)
{
	unsigned int len = x86_insn_length(p, n, is64);

	return (u8)(len ? len : 1);
}
