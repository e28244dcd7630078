/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as code of every machine, in both syntaxes. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "disasm/effect.h"

static void add_name(void *ctx, u64 addr, struct strbuf *out)
{
	strbuf_addf(out, " <%s+0x%llx>", (const char *)ctx, (unsigned long long)addr);
}

static void walk(struct disasm *d, const u8 *data, size_t size)
{
	struct strbuf text = STRBUF_INIT;
	struct effect e;
	struct insn in;

	for (size_t at = 0; at < size; at += in.len) {
		strbuf_reset(&text);
		disasm_one(d, data + at, size - at, at, &in, &text);
		if (!in.len || in.len > size - at || !text.len || text.len != strlen(text.buf) ||
		    in.operands > text.len || in.comment > text.len)
			abort();
		if (effect_of(d, data + at, size - at, at, &e) && e.kind != EFFECT_NONE &&
		    (e.dst < 0 || e.dst >= EFFECT_REGS || !(e.written >> e.dst & 1)))
			abort();
		if (e.insn.len != in.len || e.memory.base >= EFFECT_REGS ||
		    e.memory.index >= EFFECT_REGS)
			abort();
	}
	strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u16 machines[] = { EM_X86_64, EM_386, EM_AARCH64, EM_ARM, EM_PPC64, EM_S390 };
	static char name[] = "f";

	for (size_t i = 0; i < 2 * ARRAY_SIZE(machines) && size <= 65536; i++) {
		u16 m = machines[i / 2];
		struct disasm_opts o = { .machine = m,
					 .is64 = m != EM_386 && m != EM_ARM,
					 .big_endian = m == EM_S390,
					 .name = add_name,
					 .ctx = name,
					 .syntax = i & 1 ? DISASM_INTEL : DISASM_ATT };
		struct disasm *d;

		if (disasm_open(&d, &o, NULL) < 0)
			continue;
		walk(d, data, size);
		disasm_close(d);
	}
	return 0;
}
