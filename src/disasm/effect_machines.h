/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What effect.c shares with effect_x86.c and effect_arm64.c. */
#ifndef DISASM_EFFECT_MACHINES_H
#define DISASM_EFFECT_MACHINES_H

#include "disasm/capstone.h"
#include "disasm/effect.h"

/* The instruction that the library decoded last; out->insn is filled in. False: nothing is known.
 */
bool x86_effect(struct disasm *d, struct effect *out);
bool arm64_effect(struct disasm *d, struct effect *out);

/* Registers that the library says are written; number: of DWARF, or EFFECT_NO_REG. */
u32 effect_written(struct disasm *d, s8 (*number)(unsigned int reg));

#endif
