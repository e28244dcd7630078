/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug information: units, abbreviations, ranges, line tables, inlined functions, from memory and
 * from a file, of which parts are read. The file is also its own .dwo or (if it has an index) .dwp.
 */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/dwarf/dwarf.h"

struct input {
	const uint8_t *data;
	size_t size;
};

static bool find_split(void *ctx, const char *comp_dir, const char *name, struct elf_file *out)
{
	const struct input *in = ctx;

	(void)comp_dir;
	(void)name;
	return elf_open_memory(out, in->data, in->size, NULL) == 0;
}

static void look_up(const struct elf_file *f, struct input *in)
{
	const struct dwarf_inline *inlines[DWARF_INLINE_DEPTH];
	struct dwarf_place place;
	struct dwarf *d = dwarf_open(f, NULL);

	if (d)
		dwarf_look_for_split(d, find_split, in);
	for (u64 addr = 0; d && addr < 0x2000; addr += 7) {
		struct dwarf_unit *u = dwarf_unit_of(d, addr);

		if (!u)
			continue;
		dwarf_line_find(d, u, addr, &place);
		for (size_t i = dwarf_inline_find(d, u, addr, inlines, DWARF_INLINE_DEPTH); i > 0;
		     i--)
			dwarf_line_file(d, u, inlines[i - 1]->call_file, &place);
	}
	dwarf_close(d);
}

static void look_up_in_file(struct input *in)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, in->data, in->size) != (ssize_t)in->size) {
		mem_closep(&fd);
		return;
	}
	if (elf_open_fd(&f, fd, "fuzz", NULL) == 0)
		look_up(&f, in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct input in = { data, size };

	if (elf_open_memory(&f, data, size, NULL) < 0)
		return 0;
	look_up(&f, &in);
	look_up_in_file(&in);
	return 0;
}
