/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that came with a recording; the first byte tells the byte order. */
#include <stdint.h>
#include <stdlib.h>

#include "dso/symbols/embedded.h"
#include "dso/dso.h"

/* Every object of a table, as a recording with the same names would have them. */
static void look_up(struct embedded *e)
{
	struct dso_config config = { .symfs = "/nonexistent" };
	struct dso_table *t = dso_table_new(&config);
	struct source_frame frames[SOURCE_FRAMES_MAX];

	VEC_FOR(&e->objects, o)
		if (o->kind <= DSO_JITDUMP)
			dso_table_add(t, &(struct dso_key){ .name = o->name,
							    .kind = o->kind,
							    .pid = o->pid,
							    .build_id = o->id });
	dso_table_set_embedded(t, e);
	for (dso_id id = 1; id <= dso_table_count(t); id++) {
		struct dso *d = dso_table_get(t, id);
		const struct symtab *st = dso_symtab(d);
		const struct embedded_object *o = dso_embedded(d);

		for (u32 i = 0; i < symtab_count(st); i++)
			if (symtab_find(st, symtab_start(st, i)) == SYM_NONE || !symtab_name(st, i))
				abort();
		for (size_t i = 0; o && i < o->places.nr; i++)
			dso_source(d, o->places.v[i].addr, frames, SOURCE_FRAMES_MAX);
	}
	dso_table_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct embedded *e = size ? embedded_read(data + 1, size - 1, data[0] & 1, NULL) : NULL;

	if (e)
		look_up(e);
	return 0;
}
