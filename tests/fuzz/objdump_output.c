/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program that --objdump names may print: the code's address and size, then any text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/objdump.h"
#include "base/bits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct objdump d = OBJDUMP_INIT;
	struct objdump_code c = { 0 };
	struct strbuf text = STRBUF_INIT;

	if (size < 10)
		return 0;
	c.start = bits_u64(data);
	c.size = bits_u16(data + 8);
	strbuf_add(&text, data + 10, size - 10);
	objdump_parse(&d, text.buf, &c);
	for (size_t i = 0; i < d.insns.nr; i++) {
		const struct objdump_insn *in = &d.insns.v[i];

		if (in->addr - c.start >= c.size || (i && in->addr <= in[-1].addr) ||
		    in->text + strlen(d.text.buf + in->text) >= d.text.len)
			abort();
	}
	objdump_release(&d);
	strbuf_release(&text);
	return 0;
}
