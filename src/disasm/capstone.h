/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of disasm share: the library's functions, and text of x86. */
#ifndef DISASM_CAPSTONE_H
#define DISASM_CAPSTONE_H

#include <capstone/capstone.h>

#include "disasm/disasm.h"

/* The library's functions by name. */
/* clang-format off */
#define CAPSTONE_FUNCTIONS(X) \
	X(open) X(close) X(option) X(malloc) X(free) X(disasm_iter) X(reg_name) X(insn_name) X(strerror) \
	X(regs_access)
/* clang-format on */

struct capstone {
#define CAPSTONE_POINTER(name) __typeof__(cs_##name) *name;
	CAPSTONE_FUNCTIONS(CAPSTONE_POINTER)
#undef CAPSTONE_POINTER
};

struct disasm {
	struct disasm_opts o;
	const struct disasm_machine *machine;
	/* From the first instruction on that needs it; NULL before. */
	const struct capstone *lib;
	csh handle;
	cs_insn *insn;
	bool failed; /* there was one, and no library */
};

/* False: there is no Capstone, or it does not know the machine. */
bool disasm_need_capstone(struct disasm *d);

/* An x86 instruction at p as objdump shows it, decoded by Capstone; false: none that is known. */
bool x86_text(struct disasm *d, const u8 *p, size_t n, u64 addr, struct insn *out,
	      struct strbuf *text);

#endif
