/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel module's file: laid out, relocated, its functions and lines looked up. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/rw.h"
#include "dso/dwarf/dwarf.h"
#include "dso/elf/module_object.h"

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
	close(fd);
	return 0;
}
