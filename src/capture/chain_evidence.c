/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/chain_evidence.h"

#include <stddef.h>

#include "dso/elf_file.h"
#include "dso/files.h"

enum { AGE = 8192, ENTRY_SIZE = 256 };

void chain_evidence_release(struct chain_evidence *e)
{
	vec_free(&e->objects);
}

void chain_evidence_clear(struct chain_evidence *e)
{
	e->objects.nr = 0;
	e->looked = e->broken = 0;
}

static u64 entry_of(struct dso *object)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	u64 vaddr = 0, offset = 0;

	if (dso_kind(object) != DSO_USER || !dso_open_runtime(object, &f) || !f.is64 || f.swap ||
	    !elf_read(&f, offsetof(Elf64_Ehdr, e_entry), &vaddr, sizeof(vaddr)) || !vaddr ||
	    !elf_file_offset(&f, vaddr, &offset))
		return 0;
	return offset;
}

struct object_evidence *chain_evidence_of(struct chain_evidence *e, dso_id dso, struct dso *object)
{
	struct object_evidence *o;

	while (e->objects.nr <= dso)
		*VEC_PUSH(&e->objects) = (struct object_evidence){ .object = NULL };
	o = &e->objects.v[dso];
	if (!o->object && object) {
		o->object = object;
		o->entry = entry_of(object);
	}
	return o;
}

bool chain_evidence_is_entry(const struct object_evidence *o, u64 addr)
{
	return o->entry && addr >= o->entry && addr - o->entry < ENTRY_SIZE;
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
