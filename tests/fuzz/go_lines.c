/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines and inlined calls from the table of a Go program's runtime. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/symbols/go_lines.h"

enum { FRAMES = 20, CODE = 0x401000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct go_frame frames[FRAMES];
	struct go_lines *l;
	size_t bytes = 0;

	if (elf_open_memory(&f, data, size, NULL) < 0)
		return 0;
	l = go_lines_open(&f);
	for (u64 addr = CODE; l && addr < CODE + 0x400; addr++) {
		size_t nr = go_lines_find(l, addr, frames, 1 + addr % FRAMES);

		if (nr > 1 + addr % FRAMES)
			abort();
		for (size_t i = 0; i < nr; i++) {
			bytes += frames[i].function ? strlen(frames[i].function) : 0;
			bytes += frames[i].file ? strlen(frames[i].file) : 0;
		}
	}
	go_lines_close(l);
	/* (the strings are looked at) */
	return bytes == SIZE_MAX ? -1 : 0;
}
