/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/stacks/chain_evidence.h"

#include "dso/elf/file.h"
#include "dso/files.h"
#include "dso/symbols/go_table.h"

enum { AGE = 1024 };

static void free_starts(struct chain_evidence *e)
{
	VEC_FOR(&e->objects, o)
		vec_free(&o->starts);
}

void chain_evidence_release(struct chain_evidence *e)
{
	free_starts(e);
	vec_free(&e->objects);
}

void chain_evidence_forget_objects(struct chain_evidence *e)
{
	free_starts(e);
	e->objects.nr = 0;
}

void chain_evidence_begin_anew(struct chain_evidence *e, bool of_copies)
{
	e->looked = e->broken = 0;
	e->of_copies = of_copies;
}

struct object_evidence *chain_evidence_of(struct chain_evidence *e, dso_id dso, struct dso *object)
{
	struct object_evidence *o;

	while (e->objects.nr <= dso)
		*VEC_PUSH(&e->objects) = (struct object_evidence){ .object = NULL };
	o = &e->objects.v[dso];
	if (!o->object && object) {
		o->object = object;
		o->entry = dso_entry(object);
	}
	return o;
}

bool chain_evidence_is_entry(const struct object_evidence *o, u64 addr)
{
	return o->entry && addr >= o->entry && addr - o->entry < DSO_ENTRY_SIZE;
}

static void read_starts(struct object_evidence *o)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	_cleanup_(go_table_release) struct go_table t = { .nr = 0 };
	struct go_function fn;

	if (!dso_open_runtime(o->object, &f) || !go_table_open(&t, &f))
		return;
	for (u64 i = 0; i < t.nr; i++) {
		u64 offset;

		if (go_table_function(&t, i, &fn) && go_function_flags(&t, &fn) & GO_TOP_FRAME &&
		    elf_file_offset(&f, fn.start, &offset))
			*VEC_PUSH(&o->starts) =
				(struct evidence_range){ offset, offset + (fn.end - fn.start) };
	}
}

bool chain_evidence_is_start(struct object_evidence *o, u64 addr)
{
	if (!o->starts_read && dso_kind(o->object) == DSO_USER)
		read_starts(o);
	o->starts_read = true;
	VEC_FOR(&o->starts, r)
		if (addr >= r->from && addr < r->to)
			return true;
	return false;
}

void chain_evidence_count(struct chain_evidence *e, bool broken)
{
	if (e->looked == AGE) {
		e->looked /= 2;
		e->broken /= 2;
	}
	e->looked++;
	e->broken += broken;
}

void chain_evidence_merge(struct chain_evidence *e, const struct chain_evidence *from)
{
	e->looked += from->looked;
	e->broken += from->broken;
	e->samples += from->samples;
	for (size_t i = 0; i < from->objects.nr; i++) {
		const struct object_evidence *b = &from->objects.v[i];
		struct object_evidence *a = chain_evidence_of(e, (dso_id)i, NULL);

		if (b->object) {
			a->object = b->object;
			a->entry = b->entry;
		}
		a->breaks += b->breaks;
		a->callers += b->callers;
		a->agree += b->agree;
		a->ends += b->ends;
	}
}
