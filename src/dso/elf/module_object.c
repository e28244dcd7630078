/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf/module_object.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/limits.h"
#include "base/mem.h"
#include "dso/elf/unpack.h"

enum { FIRST_ADDRESS = 1 << 16, PAGE = 4096 };

/* Relocations that debug information has: a plain address of so many bytes. */
static const struct {
	u16 machine, type, bytes;
} kinds[] = {
	{ EM_X86_64, R_X86_64_64, 8 },      { EM_X86_64, R_X86_64_32, 4 },
	{ EM_X86_64, R_X86_64_32S, 4 },     { EM_AARCH64, R_AARCH64_ABS64, 8 },
	{ EM_AARCH64, R_AARCH64_ABS32, 4 },
};

static unsigned int bytes_of(u16 machine, u32 type)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].machine == machine && kinds[i].type == type)
			return kinds[i].bytes;
	return 0;
}

/* A module file in memory, whatever it is packed with. */
static bool read_whole(struct module_object *m, const char *path)
{
	struct elf_file f = ELF_FILE_INIT;
	bool ok;

	if (unpack_elf_file(path, &m->f, &m->data) < 0)
		return false;
	if (m->data)
		return true;
	f = m->f;
	m->f = (struct elf_file)ELF_FILE_INIT;
	m->data = f.size < LIMIT_FEATURE ? xmalloc(f.size + 1) : NULL;
	ok = m->data && elf_read(&f, 0, m->data, f.size) &&
	     !elf_open_memory(&m->f, m->data, f.size, NULL);
	elf_close(&f);
	return ok;
}

static void lay_out(struct elf_file *f)
{
	u64 at = FIRST_ADDRESS;

	for (u32 i = 0; i < f->nr_sections; i++) {
		struct elf_section *s = &f->sections[i];

		s->addr = 0;
		if (!(s->flags & SHF_ALLOC) || s->size > LIMIT_FEATURE)
			continue;
		s->addr = at;
		at += (s->size + PAGE) / PAGE * PAGE;
	}
}

/* The symbols that relocations of a section refer to. */
struct symbols {
	u8 *bytes;
	u64 nr;
	size_t size; /* of one */
};

/* Address of a symbol; names of sections stand for their beginning. */
static u64 symbol_address(const struct elf_file *f, const struct symbols *t, u64 index)
{
	struct elf_symbol sym;

	if (index >= t->nr)
		return 0;
	elf_symbol_decode(f, t->bytes + index * t->size, &sym);
	return sym.value + (sym.shndx < f->nr_sections ? f->sections[sym.shndx].addr : 0);
}

static void relocate(struct module_object *m, const struct elf_section *rela,
		     const struct symbols *t)
{
	const struct elf_file *f = &m->f;
	const struct elf_section *s = &f->sections[rela->info];
	_cleanup_(mem_freep) u8 *rows = elf_section_data(f, rela);
	u64 nr = rows ? rela->size / sizeof(Elf64_Rela) : 0;

	if (!elf_section_present(f, s) || s->flags & SHF_COMPRESSED)
		return;
	for (u64 i = 0; i < nr; i++) {
		Elf64_Rela r;
		unsigned int bytes;
		u64 value;

		memcpy(&r, rows + i * sizeof(r), sizeof(r));
		bytes = bytes_of(f->machine, (u32)ELF64_R_TYPE(r.r_info));
		if (!bytes || r.r_offset > s->size || s->size - r.r_offset < bytes)
			continue;
		value = symbol_address(f, t, ELF64_R_SYM(r.r_info)) + (u64)r.r_addend;
		memcpy((u8 *)m->data + s->offset + r.r_offset, &value, bytes);
	}
}

static void relocate_debug_sections(struct module_object *m, const struct elf_section *symtab,
				    const struct symbols *t)
{
	for (u32 i = 0; i < m->f.nr_sections; i++) {
		const struct elf_section *s = &m->f.sections[i];

		if (s->type == SHT_RELA &&
		    &m->f.sections[s->link < m->f.nr_sections ? s->link : 0] == symtab &&
		    s->info < m->f.nr_sections &&
		    !strncmp(m->f.sections[s->info].name, ".debug_", strlen(".debug_")))
			relocate(m, s, t);
	}
}

static void read_functions(struct module_object *m, const struct elf_section *symtab,
			   const struct symbols *t)
{
	const struct elf_file *f = &m->f;
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	for (u64 i = 0; i < t->nr && symtab->link < f->nr_sections; i++) {
		struct elf_symbol sym;

		elf_symbol_decode(f, t->bytes + i * t->size, &sym);
		strbuf_reset(&name);
		if (ELF64_ST_TYPE(sym.info) != STT_FUNC || sym.shndx >= f->nr_sections ||
		    !elf_string(f, &f->sections[symtab->link], sym.name, &name) || !name.len)
			continue;
		*VEC_PUSH(&m->functions) = (struct module_symbol){
			arena_strdup(&m->arena, name.buf), symbol_address(f, t, i)
		};
	}
	VEC_SORT(&m->functions, by_string);
}

bool module_object_open(struct module_object *m, const char *path, const struct build_id *want)
{
	const struct elf_section *symtab;
	struct symbols t = { 0 };
	struct build_id id;

	*m = (struct module_object){ .f = ELF_FILE_INIT };
	if (!read_whole(m, path) || m->f.type != ET_REL || !m->f.is64 || m->f.swap ||
	    !elf_section_by_name(&m->f, ".debug_info"))
		return false;
	if (want->size && (!elf_build_id(&m->f, &id) || !build_id_equal(&id, want)))
		return false;
	symtab = elf_section_by_type(&m->f, SHT_SYMTAB);
	t.bytes = symtab ? elf_section_data(&m->f, symtab) : NULL;
	if (!t.bytes)
		return false;
	t.size = elf_symbol_size(&m->f);
	t.nr = MIN(symtab->size / t.size, (u64)LIMIT_SYMBOLS);
	lay_out(&m->f);
	relocate_debug_sections(m, symtab, &t);
	read_functions(m, symtab, &t);
	free(t.bytes);
	return true;
}

void module_object_release(struct module_object *m)
{
	elf_close(&m->f);
	free(m->data);
	arena_release(&m->arena);
	vec_free(&m->functions);
	*m = (struct module_object){ .f = ELF_FILE_INIT };
}

bool module_object_find(const struct module_object *m, const char *function, u64 *vaddr)
{
	size_t lo = 0;

	for (size_t hi = m->functions.nr; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(m->functions.v[mid].name, function) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Static functions of several files may share a name. */
	if (lo == m->functions.nr || strcmp(m->functions.v[lo].name, function) != 0 ||
	    (lo + 1 < m->functions.nr && strcmp(m->functions.v[lo + 1].name, function) == 0))
		return false;
	*vaddr = m->functions.v[lo].vaddr;
	return true;
}
