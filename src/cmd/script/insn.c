/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/insn.h"

#include "arch/x86_insn.h"
#include "base/mem.h"
#include "dso/files.h"

enum { SLOTS = 32 };

/* The file behind an object; the object of another number takes its place. */
struct slot {
	dso_id dso; /* 0 = empty */
	bool there;
	struct elf_file file;
};

struct insns {
	struct slot slots[SLOTS];
};

struct insns *insns_new(void)
{
	struct insns *x = XNEW(struct insns);

	for (size_t i = 0; i < SLOTS; i++)
		x->slots[i].file = (struct elf_file)ELF_FILE_INIT;
	return x;
}

static void empty(struct slot *s)
{
	if (s->there)
		elf_close(&s->file);
	*s = (struct slot){ .file = ELF_FILE_INIT };
}

void insns_free(struct insns *x)
{
	for (size_t i = 0; x && i < SLOTS; i++)
		empty(&x->slots[i]);
	free(x);
}

static const struct elf_file *file_of(struct insns *x, struct dso_table *dsos, dso_id id)
{
	struct slot *s = &x->slots[id % SLOTS];

	if (s->dso != id) {
		empty(s);
		s->dso = id;
		s->there = dso_open_runtime(dso_table_get(dsos, id), &s->file);
	}
	return s->there ? &s->file : NULL;
}

size_t insns_read(struct insns *x, struct dso_table *dsos, const struct location *loc, u8 *bytes)
{
	const struct elf_file *f = loc->dso ? file_of(x, dsos, loc->dso) : NULL;
	size_t n = X86_INSN_MAX;
	u64 offset;

	if (!f || (f->machine != EM_X86_64 && f->machine != EM_386) ||
	    !elf_file_offset(f, loc->addr, &offset) || offset >= f->size)
		return 0;
	n = MIN(n, (size_t)(f->size - offset));
	if (!elf_read(f, offset, bytes, n))
		return 0;
	return x86_insn_length(bytes, n, f->is64);
}
