/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"

enum { STEPS_MAX = 16, WORD = 8, SAVED = BPF_REG_6 };

/* Where values begin: a register, or a number. Then from an address to what is there, step by
 * step. */
struct fetch {
	u32 reg; /* bytes from the start of the saved registers */
	u64 number;
	bool is_number;
	struct {
		s32 offset;
		bool user;
	} step[STEPS_MAX]; /* the innermost first */
	size_t nr;
	u32 bytes; /* of the value */
	bool is_signed;
};

/* ------------------------------------------------------------------ registers */

/* In the order in which they lie in struct pt_regs, eight bytes each. */
static const char *const registers[] = {
#if defined(__x86_64__)
	"r15", "r14", "r13", "r12", "bp", "bx", "r11", "r10",   "r9", "r8", "ax",
	"cx",  "dx",  "si",  "di",  "",   "ip", "cs",  "flags", "sp", "ss",
#elif defined(__aarch64__)
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",     "x10", "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",    "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",  "pc",  "pstate",
#else
	"",
#endif
};

#if defined(__x86_64__)
static const char result[] = "ax";
static const char *const parameters[] = { "di", "si", "dx", "cx", "r8", "r9" };
#else
static const char result[] = "x0";
static const char *const parameters[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" };
#endif

static bool find_register(const char *name, size_t n, u32 *out)
{
	for (u32 i = 0; n && i < ARRAY_SIZE(registers); i++) {
		if (strlen(registers[i]) != n || strncmp(registers[i], name, n))
			continue;
		*out = i * WORD;
		return true;
	}
	return false;
}

/* ------------------------------------------------------------------ text */

static bool add_step(struct fetch *f, s64 offset, bool user)
{
	if (f->nr == STEPS_MAX || offset != (s32)offset)
		return false;
	f->step[f->nr].offset = (s32)offset;
	f->step[f->nr++].user = user;
	return true;
}

/* "$retval", "$argN", "$stack", "$stackN" */
static bool read_dollar(const char *s, size_t n, bool user, struct fetch *f)
{
	_cleanup_(mem_freep) char *name = xstrndup(s, n);
	u64 i = 0;

	if (!strcmp(name, "retval"))
		return find_register(result, strlen(result), &f->reg);
	if (!strncmp(name, "arg", 3))
		return fmt_parse_u64(name + 3, &i) && i && i <= ARRAY_SIZE(parameters) &&
		       find_register(parameters[i - 1], strlen(parameters[i - 1]), &f->reg);
	if (strncmp(name, "stack", 5) != 0 || !find_register("sp", 2, &f->reg))
		return false;
	if (!name[5])
		return true;
	return fmt_parse_u64(name + 5, &i) && i < 4096 && add_step(f, (s64)i * WORD, user);
}

/* The rest of FETCH behind what is in front of it. */
static bool read_place(const char *s, size_t n, bool user, struct fetch *f)
{
	char *end;

	if (!n)
		return false;
	if (s[0] == '%')
		return find_register(s + 1, n - 1, &f->reg);
	if (s[0] == '$')
		return read_dollar(s + 1, n - 1, user, f);
	if (s[0] == '\\') {
		f->is_number = true;
		f->number = strtoull(s + 1, &end, 0);
		return end == s + n;
	}
	if ((s[0] == '+' || s[0] == '-') && s[n - 1] == ')') {
		bool of_user = user || s[1] == 'u';
		const char *digits = s + 1 + (s[1] == 'u');
		long long offset = strtoll(digits, &end, 0);

		if (end == digits || *end != '(' || offset != (s32)offset)
			return false;
		return read_place(end + 1, (size_t)(s + n - 1 - (end + 1)), user, f) &&
		       add_step(f, s[0] == '-' ? -offset : offset, of_user);
	}
	return false;
}

static bool read_type(const char *type, struct fetch *f)
{
	u64 bits = 0;

	f->bytes = WORD;
	if (!type)
		return true;
	if (!*type || !strchr("usx", *type) || !fmt_parse_u64(type + 1, &bits))
		return false;
	f->is_signed = *type == 's';
	f->bytes = (u32)bits / 8;
	return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool read_fetch(const char *text, bool user, struct fetch *f)
{
	const char *equals = strchr(text, '='), *from = equals ? equals + 1 : text;
	const char *colon = strrchr(from, ':');
	size_t n = colon ? (size_t)(colon - from) : strlen(from);

	*f = (struct fetch){ .bytes = WORD };
	return read_type(colon ? colon + 1 : NULL, f) && read_place(from, n, user, f);
}

/* ------------------------------------------------------------------ code */

static struct bpf_insn *add(struct bpf_insns *out, u8 code, u8 dst, u8 src, s16 off)
{
	struct bpf_insn *insn = VEC_PUSH(out);

	*insn = (struct bpf_insn){ .code = code, .dst_reg = dst, .src_reg = src, .off = off };
	return insn;
}

static void move(struct bpf_insns *out, u8 dst, u8 src)
{
	add(out, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0);
}

static void set(struct bpf_insns *out, u8 dst, s32 number)
{
	add(out, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0)->imm = number;
}

static void set_word(struct bpf_insns *out, u8 dst, u64 number)
{
	add(out, BPF_LD | BPF_IMM | BPF_DW, dst, 0, 0)->imm = (s32)(u32)number;
	add(out, 0, 0, 0, 0)->imm = (s32)(u32)(number >> 32);
}

static s16 slot(size_t i)
{
	return (s16)(-WORD * ((s16)i + 1));
}

/* What is at the address in r3 into r3. */
static void follow(struct bpf_insns *out, const struct fetch *f, size_t step, size_t at)
{
	bool last = step + 1 == f->nr;

	set(out, BPF_REG_0, 0);
	add(out, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_0, slot(at));
	add(out, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0)->imm = f->step[step].offset;
	move(out, BPF_REG_1, BPF_REG_10);
	add(out, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0)->imm = slot(at);
	set(out, BPF_REG_2, last ? (s32)f->bytes : WORD);
	add(out, BPF_JMP | BPF_CALL, 0, 0, 0)->imm = f->step[step].user
							     ? BPF_FUNC_probe_read_user
							     : BPF_FUNC_probe_read_kernel;
	/* to the end, whose place is not known yet */
	add(out, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, -1);
	add(out, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_10, slot(at));
}

/* Of the value in r3, its type's bits alone. */
static void cut(struct bpf_insns *out, const struct fetch *f)
{
	s32 bits = 8 * (WORD - (s32)f->bytes);

	if (!bits)
		return;
	add(out, BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_3, 0, 0)->imm = bits;
	add(out, BPF_ALU64 | (f->is_signed ? BPF_ARSH : BPF_RSH) | BPF_K, BPF_REG_3, 0, 0)->imm =
		bits;
}

static void add_fetch(struct bpf_insns *out, const struct fetch *f, size_t at)
{
	if (f->is_number)
		set_word(out, BPF_REG_3, f->number);
	else
		add(out, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, SAVED, (s16)f->reg);
	for (size_t i = 0; i < f->nr; i++)
		follow(out, f, i, at);
	cut(out, f);
	add(out, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_3, slot(at));
}

static void add_end(struct bpf_insns *out, size_t nr)
{
	enum { BEHIND_FAILURE = 1 + BPF_ARGUMENTS_MAX };
	size_t failed;

	for (size_t i = 0; i < nr; i++)
		add(out, BPF_LDX | BPF_MEM | BPF_DW, (u8)(BPF_REG_3 + i), BPF_REG_10, slot(i));
	set(out, BPF_REG_2, 0);
	add(out, BPF_JMP | BPF_JA, 0, 0, BEHIND_FAILURE);
	failed = out->nr;
	set(out, BPF_REG_2, 1);
	for (size_t i = 0; i < BPF_ARGUMENTS_MAX; i++)
		set(out, (u8)(BPF_REG_3 + i), 0);
	move(out, BPF_REG_1, SAVED);
	for (size_t i = 0; i < failed; i++)
		if (out->v[i].code == (BPF_JMP | BPF_JNE | BPF_K))
			out->v[i].off = (s16)(failed - i - 1);
}

int bpf_arguments_code(char *const *fetches, size_t nr, bool user, struct bpf_insns *out,
		       struct err *e)
{
	if (nr > BPF_ARGUMENTS_MAX)
		return err_set(e, E2BIG, "a BPF program gets %d arguments at most",
			       BPF_ARGUMENTS_MAX);
	move(out, SAVED, BPF_REG_1);
	for (size_t i = 0; i < nr; i++) {
		struct fetch f;

		if (!read_fetch(fetches[i], user, &f))
			return err_set(e, ENOTSUP,
				       "a BPF program gets no arguments of this kind: '%s'",
				       fetches[i]);
		add_fetch(out, &f, i);
	}
	add_end(out, nr);
	return 0;
}
