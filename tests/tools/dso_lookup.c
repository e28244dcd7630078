/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso_lookup FILE: all symbols of FILE ("START END BINDING NAME" per line), addresses as file
 * offsets. With a second argument "-": reads hexadecimal addresses from standard input and prints
 * "ADDRESS NAME+0xOFFSET" or "ADDRESS [unknown]" for each. A pid as third argument looks at
 * /tmp/perf-PID.map. For comparing with nm and other readers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/dso.h"

static enum dso_kind kind_of(const char *name)
{
	if (strncmp(name, "[kernel", 7) == 0)
		return DSO_KERNEL;
	if (strstr(name, ".ko") || (name[0] == '[' && strcmp(name, "[vdso]") != 0))
		return DSO_MODULE;
	return dso_kind_of_name(name);
}

static void look_up(const struct symtab *st)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin)) {
		u64 addr = strtoull(line, NULL, 16);
		u32 i = symtab_find(st, addr);

		if (i == SYM_NONE)
			printf("%" PRIx64 " [unknown]\n", addr);
		else
			printf("%" PRIx64 " %s+0x%" PRIx64 "\n", addr, symtab_name(st, i),
			       addr - symtab_start(st, i));
	}
}

int main(int argc, char **argv)
{
	const char *symfs = getenv("SYMFS");
	const char *vmlinux = getenv("VMLINUX");
	const struct dso_config config = { .symfs = symfs, .vmlinux = vmlinux };
	struct dso_table *t = dso_table_new(&config);
	struct dso_key key = { 0 };
	struct dso *d;
	const struct symtab *st;

	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE [-] [PID]\n", argv[0]);
		return 129;
	}
	key.name = argv[1];
	key.kind = kind_of(argv[1]);
	key.pid = argc > 3 ? (u32)strtoul(argv[3], NULL, 10) : 0;
	d = dso_table_get(t, dso_table_add(t, &key));
	st = dso_symtab(d);
	if (dso_symtab_problem(d))
		fprintf(stderr, "%s: %s\n", argv[1], dso_symtab_problem(d));
	if (argc > 2) {
		look_up(st);
	} else {
		for (u32 i = 0; i < symtab_count(st); i++) {
			struct symbol s = symtab_symbol(st, i);

			printf("%" PRIx64 " %" PRIx64 " %c %s\n", s.start, s.end, s.binding,
			       s.name);
		}
	}
	dso_table_free(t);
	return 0;
}
