/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel module's file: laid out, relocated, its functions and lines looked up. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "dso/dwarf/dwarf.h"
#include "dso/elf/module_code.h"
#include "dso/elf/module_object.h"
#include "dso/elf/unpack.h"

static void find_others(void *ctx, struct module_names *others)
{
	(void)ctx;
	for (size_t i = 0; i < others->v.nr; i += 2)
		module_name_is_at(&others->v.v[i], 0xffffffff81000000 + i);
}

/* Its code, of a module that may have any of its names anywhere. */
static void link_code(const char *path)
{
	static const char *const names[] = { "mod_inner", "mod_cold", "state", "fn", "f" };
	_cleanup_(module_names_release) struct module_names own = MODULE_NAMES_INIT;
	struct module_code_opts o = { .own = &own, .find_others = find_others };
	struct elf_file f = ELF_FILE_INIT;
	void *data = NULL;
	u8 byte;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		module_name_is_at(module_names_enter(&own, names[i]),
				  0xffffffffc0000000 + i * 4096);
	if (unpack_elf_file(path, &f, &data) == 0)
		elf_build_id(&f, &o.want);
	elf_close(&f);
	free(data);
	if (module_code_open(&f, &data, path, &o) == MODULE_CODE_OPEN)
		for (u32 i = 0; i < f.nr_segments; i++)
			elf_read(&f, f.segments[i].offset + f.segments[i].filesz - 1, &byte, 1);
	elf_close(&f);
	free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct build_id any;
	struct module_object m;
	char path[64];
	int fd = memfd_create("module", MFD_CLOEXEC);

	if (fd < 0 || rw_write_full(fd, data, size))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (module_object_open(&m, path, &any)) {
		struct dwarf *d = dwarf_open(&m.f, NULL);
		struct dwarf_place place;
		u64 vaddr;

		for (size_t i = 0; d && i < m.functions.nr && i < 16; i++) {
			struct dwarf_unit *u;

			if (!module_object_find(&m, m.functions.v[i].name, &vaddr))
				continue;
			u = dwarf_unit_of(d, vaddr);
			if (u)
				dwarf_line_find(d, u, vaddr, &place);
		}
		dwarf_close(d);
	}
	module_object_release(&m);
	link_code(path);
	close(fd);
	return 0;
}
