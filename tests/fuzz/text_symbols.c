/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as kallsyms, from a pipe and from a file, as perf-PID.map and as a mangled name. */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/symbols/demangle.h"
#include "dso/symbols/kallsyms.h"
#include "dso/jit/perf_map.h"
#include "dso/symbols/symtab.h"

static void look_up(struct kallsyms *k)
{
	VEC_FOR(&k->parts, part) {
		struct symtab *st;

		kallsyms_lend_names(k, part);
		st = symtab_build(&part->rows, SYMTAB_DEMANGLE);
		for (u32 i = 0; i < symtab_count(st); i++)
			symtab_symbol(st, i);
		symtab_free(st);
	}
	kallsyms_release(k);
}

static void look_up_in(int fd)
{
	struct kallsyms k;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (kallsyms_read(&k, path, true, NULL) == 0)
		look_up(&k);
}

static void look_up_in_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size)
		look_up_in(fd);
	mem_closep(&fd);
}

/* As much as a pipe takes at once. */
static void look_up_in_pipe(const uint8_t *data, size_t size)
{
	enum { ROOM = 1 << 16 };
	int ends[2];

	if (pipe(ends) < 0)
		return;
	size = size < ROOM ? size : ROOM;
	if (write(ends[1], data, size) == (ssize_t)size) {
		mem_closep(&ends[1]);
		look_up_in(ends[0]);
	}
	mem_closep(&ends[1]);
	mem_closep(&ends[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	look_up_in_pipe(data, size);
	look_up_in_file(data, size);

	struct symtab_builder builder = { .names = STRBUF_INIT };
	perf_map_parse(&builder, (const char *)data, size);
	symtab_free(symtab_build(&builder, SYMTAB_LAST_WINS));
	symtab_builder_release(&builder);

	_cleanup_(mem_freep) char *name = xstrndup((const char *)data, size);
	if (is_mangled(name))
		free(demangle(name, true));
	return 0;
}
