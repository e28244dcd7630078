/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
#include "arch/x86_insn.h"

/* What follows an opcode. */
enum operand {
	NONE,
	M,   /* ModRM */
	B,   /* 1 byte */
	W,   /* 2 bytes */
	Z,   /* 2 or 4 bytes, by operand size */
	J,   /* like Z, in 64-bit mode always 4 */
	V,   /* like Z, 8 with REX.W */
	O,   /* an address */
	E,   /* 3 bytes */
	F,   /* far pointer: Z and 2 bytes; not in 64-bit mode */
	MB,  /* ModRM and those */
	MZ,
	MTB, /* ModRM and B where its register field is 0 or 1 */
	MTZ,
	X,   /* a prefix or the way to another map */
};

static const u8 map0[256] = {
	/* 00 */ M, M, M, M, B, Z, NONE, NONE, M, M, M, M, B, Z, NONE, X,
	/* 10 */ M, M, M, M, B, Z, NONE, NONE, M, M, M, M, B, Z, NONE, NONE,
	/* 20 */ M, M, M, M, B, Z, X, NONE, M, M, M, M, B, Z, X, NONE,
	/* 30 */ M, M, M, M, B, Z, X, NONE, M, M, M, M, B, Z, X, NONE,
	/* 40 */ NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
	/* 50 */ NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
	/* 60 */ NONE, NONE, M, M, X, X, X, X, Z, MZ, B, MB, NONE, NONE, NONE, NONE,
	/* 70 */ B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	/* 80 */ MB, MZ, MB, MB, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 90 */ NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, F, NONE, NONE, NONE, NONE, NONE,
	/* a0 */ O, O, O, O, NONE, NONE, NONE, NONE, B, Z, NONE, NONE, NONE, NONE, NONE, NONE,
	/* b0 */ B, B, B, B, B, B, B, B, V, V, V, V, V, V, V, V,
	/* c0 */ MB, MB, W, NONE, M, M, MB, MZ, E, NONE, W, NONE, NONE, B, NONE, NONE,
	/* d0 */ M, M, M, M, B, B, NONE, NONE, M, M, M, M, M, M, M, M,
	/* e0 */ B, B, B, B, B, B, B, B, J, J, F, B, NONE, NONE, NONE, NONE,
	/* f0 */ X, NONE, X, X, NONE, NONE, MTB, MTZ, NONE, NONE, NONE, NONE, NONE, NONE, M, M,
};

/* Behind 0f; 38 and 3a lead on, 0f is 3DNow. */
static const u8 map1[256] = {
	/* 00 */ M, M, M, M, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, M, NONE, MB,
	/* 10 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 20 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 30 */ NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, X, NONE, X, NONE, NONE, NONE, NONE, NONE,
	/* 40 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 50 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 60 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 70 */ MB, MB, MB, MB, M, M, M, NONE, M, M, M, M, M, M, M, M,
	/* 80 */ J, J, J, J, J, J, J, J, J, J, J, J, J, J, J, J,
	/* 90 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* a0 */ NONE, NONE, NONE, M, MB, M, NONE, NONE, NONE, NONE, NONE, M, MB, M, M, M,
	/* b0 */ M, M, M, M, M, M, M, M, M, M, MB, M, M, M, M, M,
	/* c0 */ M, M, MB, M, MB, MB, MB, M, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
	/* d0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* e0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* f0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
};

struct decoder {
	const u8 *p;
	size_t n, at; /* at > n: the bytes did not suffice */
	bool is64, word, short_address, rex_w;
	struct x86_insn insn;
};

static u8 byte_at(const struct decoder *d, size_t at)
{
	return at < d->n ? d->p[at] : 0;
}

static u8 next(struct decoder *d)
{
	return byte_at(d, d->at++);
}

/* ModRM, SIB and displacement. */
static void skip_modrm(struct decoder *d)
{
	u8 modrm = next(d);
	unsigned int mod = modrm >> 6, rm = modrm & 7;

	d->insn.modrm = (u8)(d->at - 1);

	if (mod == 3)
		return;
	if (d->short_address && !d->is64) {
		d->insn.short_address = true;
		d->at += mod == 2 || (!mod && rm == 6) ? 2 : mod;
		return;
	}
	if (rm == 4)
		rm = next(d) & 7; /* the base: 5 is none where mod is 0 */
	d->at += mod == 2 || (!mod && rm == 5) ? 4 : mod;
}

static void skip_operands(struct decoder *d, enum operand what)
{
	unsigned int z = d->word && !d->rex_w ? 2 : 4;
	bool tests = (byte_at(d, d->at) >> 3 & 7) < 2;

	if (what == M || what >= MB)
		skip_modrm(d);
	switch (what) {
	case B:
	case MB:
		d->at += 1;
		break;
	case MTB:
		d->at += tests;
		break;
	case W:
		d->at += 2;
		break;
	case E:
		d->at += 3;
		break;
	case Z:
	case MZ:
		d->at += z;
		break;
	case MTZ:
		d->at += tests ? z : 0;
		break;
	case J:
		d->at += d->is64 ? 4 : z;
		break;
	case V:
		d->at += d->rex_w ? 8 : z;
		break;
	case O:
		d->at += d->is64 ? d->short_address ? 4 : 8 : d->short_address ? 2 : 4;
		break;
	case F:
		d->at = d->is64 ? d->n + 1 : d->at + z + 2;
		break;
	case NONE:
	case M:
	case X:
		break;
	}
}

/* An opcode of a map that VEX, EVEX or XOP name; wide: XOP's map 10 has 4 bytes behind. */
static void skip_encoded(struct decoder *d, unsigned int map)
{
	u8 op = next(d);

	if (map == 1)
		skip_operands(d, map1[op]);
	else
		skip_operands(d, map == 3 || map == 8 ? MB : map == 10 ? MZ : M);
}

/* VEX, EVEX and XOP; false: it is the old instruction of that opcode. */
static bool skip_vector(struct decoder *d, u8 op)
{
	u8 payload = byte_at(d, d->at);
	bool is_new = d->is64 || payload >> 6 == 3;

	if (op == 0x8f ? (payload & 0x1f) < 8 : !is_new)
		return false;
	d->word = d->rex_w = false; /* operands behind are of one size */
	if (d->is64)
		d->insn.rex = 0x40 | (payload >> 5 ^ 7); /* R, X and B, the other way round */
	switch (op) {
	case 0xc5:
		d->insn.rex &= 0x44; /* there is R alone */
		d->at += 1;
		skip_encoded(d, 1);
		return true;
	case 0xc4:
	case 0x8f:
		d->at += 2;
		skip_encoded(d, payload & 0x1f);
		return true;
	case 0x62:
		d->at += 3;
		skip_encoded(d, payload & 7);
		return true;
	default:
		return false;
	}
}

static void skip_opcode(struct decoder *d, u8 op)
{
	if ((op == 0xc4 || op == 0xc5 || op == 0x62 || op == 0x8f) && skip_vector(d, op)) {
		d->insn.map = X86_MAP_OTHER;
		return;
	}
	d->insn.op = op;
	if (op != 0x0f) {
		skip_operands(d, map0[op]);
		return;
	}
	op = next(d);
	d->insn.map = 1;
	d->insn.op = op;
	if (op == 0x38 || op == 0x3a) {
		d->insn.map = X86_MAP_OTHER;
		next(d);
		skip_operands(d, op == 0x38 ? M : MB);
		return;
	}
	skip_operands(d, map1[op]);
}

/* Behind prefixes; 0 where the bytes do not suffice. */
static u8 first_opcode(struct decoder *d)
{
	u8 op;

	for (op = next(d); op != 0x0f && map0[op] == X; op = next(d)) {
		d->word |= op == 0x66;
		d->short_address |= op == 0x67;
		if (d->at > d->n)
			return 0;
	}
	if (d->is64 && op >> 4 == 4) {
		d->rex_w = op & 8;
		d->insn.rex = op;
		op = next(d);
	}
	return op;
}

struct x86_insn x86_insn_parse(const u8 *p, size_t n, bool is64)
{
	struct decoder d = { .p = p, .n = n < X86_INSN_MAX ? n : X86_INSN_MAX, .is64 = is64 };
	u8 op = first_opcode(&d);

	skip_opcode(&d, op);
	d.insn.narrow = d.word && !d.rex_w;
	d.insn.len = d.at <= d.n ? (u8)d.at : 0;
	return d.insn;
}

unsigned int x86_insn_length(const u8 *p, size_t n, bool is64)
{
	return x86_insn_parse(p, n, is64).len;
}

/* Behind 0f; modrm: the byte that follows. */
static bool is_branch1(u8 op, u8 modrm)
{
	switch (op) {
	case 0x01: /* vmlaunch, vmresume */
		return modrm == 0xc2 || modrm == 0xc3;
	case 0x05: /* syscall, sysret, sysenter, sysexit */
	case 0x07:
	case 0x34:
	case 0x35:
		return true;
	default:
		return op >> 4 == 8;
	}
}

bool x86_insn_is_branch(const u8 *p, size_t n, bool is64)
{
	struct decoder d = { .p = p, .n = n < X86_INSN_MAX ? n : X86_INSN_MAX, .is64 = is64 };
	u8 op = first_opcode(&d);
	u8 then = byte_at(&d, d.at);

	if (d.at > d.n)
		return false;
	switch (op) {
	case 0x0f:
		return is_branch1(then, byte_at(&d, d.at + 1));
	case 0xff: /* calls and jumps */
		return (then >> 3 & 7) >= 2 && (then >> 3 & 7) <= 5;
	case 0x9a:
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xcc:
	case 0xcd:
	case 0xce:
	case 0xcf:
		return true;
	default:
		return op >> 4 == 7 || (op >= 0xe0 && op <= 0xe3) || (op >= 0xe8 && op <= 0xeb);
	}
}
