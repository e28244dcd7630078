/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/abi.h"

#include <elf.h>
#include <string.h>

#include "base/bits.h"

/* Sample registers: AX BX CX DX SI DI BP SP IP ... R8-R15 = 16-23. */
static const s8 x86_64_regs[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8 };
static const s8 i386_regs[] = { 0, 2, 3, 1, 7, 6, 4, 5, 8 };
static const s8 arm64_regs[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
				 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

static const struct unwind_abi abis[] = {
	{ "x86_64", EM_X86_64, 8, ARRAY_SIZE(x86_64_regs), 7, 6, 16, false, 8, x86_64_regs },
	{ "i386", EM_386, 4, ARRAY_SIZE(i386_regs), 4, 5, 8, false, 8, i386_regs },
	{ "aarch64", EM_AARCH64, 8, ARRAY_SIZE(arm64_regs), 31, 29, 30, true, 32, arm64_regs },
};

static const struct abi_machine {
	const char *name, *abi, *abi32;
} machines[] = {
	{ "x86_64", "x86_64", "i386" }, { "x86", "x86_64", "i386" }, { "i386", "i386", "i386" },
	{ "i586", "i386", "i386" },     { "i686", "i386", "i386" },  { "aarch64", "aarch64", NULL },
	{ "arm64", "aarch64", NULL },
};

const struct unwind_abi *unwind_abi_find(const char *machine, bool is32)
{
	const char *want = NULL;

	for (size_t i = 0; machine && i < ARRAY_SIZE(machines); i++)
		if (!strcmp(machine, machines[i].name))
			want = is32 ? machines[i].abi32 : machines[i].abi;
	for (size_t i = 0; want && i < ARRAY_SIZE(abis); i++)
		if (!strcmp(want, abis[i].name))
			return &abis[i];
	return NULL;
}

static u8 word_of(u64 mask, unsigned int reg)
{
	return (u8)bits_count(mask & ((1ULL << reg) - 1));
}

void unwind_reg_words_init(struct unwind_reg_words *m, const struct unwind_abi *abi, u64 mask)
{
	*m = (struct unwind_reg_words){ .abi = abi, .mask = mask };
	if (!abi || !(mask >> abi->pc_reg & 1) || !(mask >> abi->perf_reg[abi->sp] & 1))
		return;
	m->pc = word_of(mask, abi->pc_reg);
	for (u8 i = 0; i < abi->nr_regs; i++) {
		s8 reg = abi->perf_reg[i];

		if (reg < 0 || !(mask >> reg & 1))
			continue;
		m->reg[m->nr].column = i;
		m->reg[m->nr++].word = word_of(mask, (unsigned int)reg);
		m->valid |= 1ULL << i;
	}
}

void unwind_regs_read(const struct unwind_reg_words *m, const u64 *words, struct unwind_regs *out)
{
	for (u8 i = 0; i < m->nr; i++)
		out->v[m->reg[i].column] = words[m->reg[i].word];
	out->valid = m->valid;
	out->pc = words[m->pc];
}

bool unwind_regs_from_sample(struct unwind_reg_words *m, const struct unwind_abi *abi, u64 mask,
			     const u64 *words, struct unwind_regs *out)
{
	if (m->abi != abi || m->mask != mask)
		unwind_reg_words_init(m, abi, mask);
	if (m->valid)
		unwind_regs_read(m, words, out);
	return m->valid != 0;
}
