/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What effect.c shares with effect_x86.c and effect_arm64.c. */
#ifndef DISASM_EFFECT_MACHINES_H
#define DISASM_EFFECT_MACHINES_H

#include "disasm/capstone.h"
#include "disasm/effect.h"

/* The instruction that the library decoded last; out->insn is filled in. False: nothing is known.
 */
bool x86_effect(struct disasm *d, const struct effect_machine *m, struct effect *out);
bool arm64_effect(struct disasm *d, const struct effect_machine *m, struct effect *out);

/* Registers that the library says are written; number: of DWARF, or EFFECT_NO_REG. */
static inline u32 effect_written(struct disasm *d, s8 (*number)(unsigned int reg))
{
	cs_regs read, write;
	u8 nr_read = 0, nr_write = 0;
	u32 written = 0;

	if (d->lib->regs_access(d->handle, d->insn, read, &nr_read, write, &nr_write))
		return ~0U;
	for (u8 i = 0; i < nr_write; i++)
		if (number(write[i]) >= 0)
			written |= 1U << number(write[i]);
	return written;
}

#endif
