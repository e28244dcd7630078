/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of what instructions access: an object with any debug information and any code. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/symbols/symtab.h"
#include "types/types.h"

enum { FUNCTIONS = 64, ADDRESSES = 256 };

static void ask(struct types *t, dso_id id, u64 addr)
{
	struct strbuf text = STRBUF_INIT;
	struct types_access access;
	size_t nr;

	types_of(t, id, addr, &access);
	types_add_place(t, &access, &text);
	if (access.found == TYPES_KNOWN) {
		const struct types_field *fields = types_fields(t, access.type, &nr);

		for (size_t i = 0; i < nr; i++)
			if (!fields[i].depth || (i && fields[i].depth > fields[i - 1].depth + 1))
				abort();
	}
	strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(mem_closep) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	const struct dso_config c = { .buildid_dir = "/nonexistent" };
	struct dso_key key = { .kind = DSO_USER };
	const struct symtab *st;
	struct dso_table *dsos;
	struct types *t;
	char path[64];
	dso_id id;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	key.name = path;
	dsos = dso_table_new(&c);
	id = dso_table_add(dsos, &key);
	t = types_new(dsos);
	st = dso_symtab(dso_table_get(dsos, id));
	for (u32 i = 0; i < symtab_count(st) && i < FUNCTIONS; i++)
		for (u64 at = 0; at < ADDRESSES && symtab_start(st, i) + at < symtab_end(st, i);
		     at++)
			ask(t, id, symtab_start(st, i) + at);
	types_free(t);
	dso_table_free(dsos);
	return 0;
}
