/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two machines have in common; each has a file of its own. */
#include "disasm/effect.h"

#include <elf.h>

#include "base/mem.h"

#ifdef HAVE_CAPSTONE
#include "disasm/capstone.h"
#include "disasm/effect_machines.h"

/* Registers as the psABIs number them; a call may change those that its caller has to save. */
static const struct {
	u16 elf;
	struct effect_machine m;
	bool (*effect)(struct disasm *d, const struct effect_machine *m, struct effect *out);
} machines[] = {
	{ EM_X86_64,
	  { .nr_regs = 16, .stack = 7, .result = 0, .word = 8, .entry_frame = 8, .lost = 0x0f37 },
	  x86_effect },
	{ EM_386,
	  { .nr_regs = 8, .stack = 4, .result = 0, .word = 4, .entry_frame = 4, .lost = 0x07 },
	  x86_effect },
	{ EM_AARCH64,
	  { .nr_regs = 32, .stack = 31, .result = 0, .word = 8, .lost = 0x4007ffff },
	  arm64_effect },
};

const struct effect_machine *effect_machine_of(u16 elf_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == elf_machine)
			return &machines[i].m;
	return NULL;
}

static bool find_effect(struct disasm *d, struct effect *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == d->o.machine)
			return machines[i].effect(d, &machines[i].m, out);
	return false;
}

bool effect_of(struct disasm *d, const u8 *p, size_t n, u64 addr, struct effect *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u64 at = addr;

	*out = (struct effect){ .dst = EFFECT_NO_REG, .src = EFFECT_NO_REG, .name = "" };
	out->memory.base = out->memory.index = EFFECT_NO_REG;
	disasm_one(d, p, n, addr, &out->insn, &text);
	if (!out->insn.bad && disasm_need_capstone(d) &&
	    d->lib->disasm_iter(d->handle, &p, &n, &at, d->insn) &&
	    d->insn->size == out->insn.len && find_effect(d, out)) {
		out->name = d->lib->insn_name(d->handle, d->insn->id);
		if (!out->name)
			out->name = "";
		return true;
	}
	out->kind = EFFECT_NONE;
	out->written = ~0U;
	out->memory = (struct effect_memory){ .base = EFFECT_NO_REG, .index = EFFECT_NO_REG };
	return false;
}

#else

const struct effect_machine *effect_machine_of(u16 elf_machine UNUSED)
{
	return NULL;
}

bool effect_of(struct disasm *d UNUSED, const u8 *p UNUSED, size_t n UNUSED, u64 addr UNUSED,
	       struct effect *out)
{
	*out = (struct effect){ .name = "", .written = ~0U, .insn = { .len = 1, .bad = true } };
	return false;
}

#endif
