/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/insn.h"

#include "arch/x86_insn.h"
#include "base/mem.h"
#include "dso/files.h"

enum { SLOTS = 32 };

/* The file behind an object; the object of another number takes its place. */
struct file_slot {
	dso_id dso; /* 0 = empty */
	bool there;
	struct elf_file file;
};

struct insns {
	struct file_slot slots[SLOTS];
};

struct insns *insns_new(void)
{
	struct insns *x = XNEW(struct insns);

	for (size_t i = 0; i < SLOTS; i++)
		x->slots[i].file = (struct elf_file)ELF_FILE_INIT;
	return x;
}

static void empty(struct file_slot *s)
{
	if (s->there)
		elf_close(&s->file);
	*s = (struct file_slot){ .file = ELF_FILE_INIT };
}

void insns_free(struct insns *x)
{
	for (size_t i = 0; x && i < SLOTS; i++)
		empty(&x->slots[i]);
	free(x);
}

static const struct elf_file *file_of(struct insns *x, struct dso_table *dsos, dso_id id)
{
	struct file_slot *s = &x->slots[id % SLOTS];

	if (s->dso != id) {
		empty(s);
		s->dso = id;
		s->there = dso_open_runtime(dso_table_get(dsos, id), &s->file);
	}
	return s->there ? &s->file : NULL;
}

size_t insns_read_block(struct insns *x, struct dso_table *dsos, const struct location *loc,
			u8 *bytes, size_t size, bool *is64)
{
	const struct elf_file *f = loc->dso ? file_of(x, dsos, loc->dso) : NULL;
	u64 offset = loc->addr; /* mappings are of the file */

	if (!f || (f->machine != EM_X86_64 && f->machine != EM_386) || offset >= f->size)
		return 0;
	size = MIN(size, (size_t)(f->size - offset));
	*is64 = f->is64;
	return elf_read(f, offset, bytes, size) ? size : 0;
}

size_t insns_read(struct insns *x, struct dso_table *dsos, const struct location *loc, u8 *bytes)
{
	bool is64 = false;
	size_t n = insns_read_block(x, dsos, loc, bytes, X86_INSN_MAX, &is64);

	return n ? x86_insn_length(bytes, n, is64) : 0;
}
