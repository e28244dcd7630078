/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/running.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"

static void add_object(struct dso_table *t, enum dso_kind kind, const char *name)
{
	struct dso_key key = { .name = name, .kind = kind };

	dso_table_add(t, &key);
}

void running_kernel_add(struct dso_table *t)
{
	_cleanup_(strbuf_releasep) struct strbuf modules = STRBUF_INIT;
	char name[256];

	add_object(t, DSO_KERNEL, "[kernel.kallsyms]");
	if (rw_slurp("/proc/modules", &modules, NULL) < 0)
		return;
	for (const char *line = modules.buf; *line;) {
		snprintf(name, sizeof(name), "[%.*s]", (int)strcspn(line, " \n"), line);
		add_object(t, DSO_MODULE, name);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
}

const struct symtab *running_kernel_find(const struct dso_table *t, u64 ip, u32 *sym)
{
	for (dso_id id = 1; id <= dso_table_count(t); id++) {
		const struct symtab *st = dso_symtab(dso_table_get(t, id));

		*sym = st ? symtab_find(st, ip) : SYM_NONE;
		if (*sym != SYM_NONE)
			return st;
	}
	return NULL;
}
