/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as kallsyms, as perf-PID.map and as a mangled name. */
#include <stdint.h>

#include "base/mem.h"
#include "dso/demangle.h"
#include "dso/kallsyms.h"
#include "dso/perf_map.h"
#include "dso/symtab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kallsyms kallsyms = { .text = NULL };
	kallsyms_parse(&kallsyms, xstrndup((const char *)data, size), strnlen((const char *)data, size));
	VEC_FOR(&kallsyms.parts, part) {
		part->rows.shared = kallsyms.text;
		part->rows.shared_size = kallsyms.text_size;
		symtab_free(symtab_build(&part->rows, SYMTAB_DEMANGLE));
	}
	kallsyms_release(&kallsyms);

	struct symtab_builder builder = { .names = STRBUF_INIT };
	perf_map_parse(&builder, (const char *)data, size);
	symtab_free(symtab_build(&builder, SYMTAB_LAST_WINS));
	symtab_builder_release(&builder);

	_cleanup_(mem_freep) char *name = xstrndup((const char *)data, size);
	if (is_mangled(name))
		free(demangle(name, true));
	return 0;
}
