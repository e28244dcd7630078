/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables that can be seen from an address, and those of a unit. */
#include "debug/debug.h"

enum { VARIABLES_MAX = 1 << 14 };

static bool is_variable(const struct dwarf_entry *e)
{
	return e->die.tag == DW_TAG_variable || e->die.tag == DW_TAG_formal_parameter;
}

void debug_variables_in(const struct dwarf_entry *scope, debug_variable_fn *fn, void *ctx)
{
	struct dwarf_entry e;
	struct dwarf_walk w;

	dwarf_walk_begin(&w, scope);
	for (int i = 0; i < VARIABLES_MAX && dwarf_walk_next(&w, false, &e); i++) {
		if (!is_variable(&e))
			continue;
		dwarf_entry_complete(&e);
		fn(ctx, &e);
	}
}

void debug_variables_each(const struct debug_context *c, debug_variable_fn *fn, void *ctx)
{
	for (size_t i = c->own; i < c->nr_scopes; i++)
		debug_variables_in(&c->scopes[i], fn, ctx);
}

static void each_global_below(const struct dwarf_entry *parent, int nest, debug_variable_fn *fn,
			      void *ctx)
{
	struct dwarf_entry e;
	struct dwarf_walk w;

	dwarf_walk_begin(&w, parent);
	while (dwarf_walk_next(&w, false, &e)) {
		if (e.die.tag == DW_TAG_variable) {
			dwarf_entry_complete(&e);
			fn(ctx, &e);
		} else if ((e.die.tag == DW_TAG_namespace || e.die.tag == DW_TAG_module) && nest) {
			each_global_below(&e, nest - 1, fn, ctx);
		}
	}
}

void debug_globals_each(struct debug_unit *u, debug_variable_fn *fn, void *ctx)
{
	struct dwarf_entry root;

	if (dwarf_entry_root(u->full_d, u->full, &root))
		each_global_below(&root, 16, fn, ctx);
}
