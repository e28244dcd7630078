/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf/module_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "dso/elf/unpack.h"

enum { NAME_LONGEST = 512 };

/* ------------------------------------------------------------------ names */

struct module_name *module_names_find(const struct module_names *n, const char *name)
{
	u64 hash = hash_bytes(name, strlen(name), 0);
	u32 i;

	for (struct map_probe p = map_first(&n->by_name, hash); map_next(&n->by_name, &p, &i);)
		if (!strcmp(n->v.v[i].name, name))
			return &n->v.v[i];
	return NULL;
}

struct module_name *module_names_enter(struct module_names *n, const char *name)
{
	struct module_name *found = module_names_find(n, name);

	if (found)
		return found;
	map_add(&n->by_name, hash_bytes(name, strlen(name), 0), (u32)n->v.nr);
	*VEC_PUSH(&n->v) = (struct module_name){ .name = arena_strdup(&n->arena, name) };
	return VEC_LAST(&n->v);
}

void module_name_is_at(struct module_name *name, u64 addr)
{
	name->several |= name->known && name->addr != addr;
	name->known = true;
	name->addr = addr;
}

void module_names_release(struct module_names *n)
{
	vec_free(&n->v);
	map_release(&n->by_name);
	arena_release(&n->arena);
}

static bool place_of(const struct module_names *n, const char *name, u64 *addr)
{
	const struct module_name *found = module_names_find(n, name);

	if (!found || !found->known || found->several)
		return false;
	*addr = found->addr;
	return true;
}

/* ------------------------------------------------------------------ the file */

struct module {
	struct elf_file *f;
	u8 *bytes; /* of the whole file */
	u8 *symbols;
	u64 nr_symbols;
	const struct elf_section *names;
	const struct module_code_opts *o;
	struct module_names others;
};

/* Whatever it is packed with. */
static bool read_whole(struct elf_file *f, void **data, const char *path)
{
	struct elf_file plain;
	bool ok;

	if (unpack_elf_file(path, f, data) < 0)
		return false;
	if (*data)
		return true;
	plain = *f;
	*f = (struct elf_file)ELF_FILE_INIT;
	*data = plain.size < LIMIT_FEATURE ? xmalloc(plain.size + 1) : NULL;
	ok = *data && elf_read(&plain, 0, *data, plain.size) &&
	     !elf_open_memory(f, *data, plain.size, NULL);
	elf_close(&plain);
	return ok;
}

static bool read_symbols(struct module *m)
{
	const struct elf_section *table = elf_section_by_type(m->f, SHT_SYMTAB);

	if (!table || table->link >= m->f->nr_sections)
		return false;
	m->names = &m->f->sections[table->link];
	if (!elf_section_present(m->f, m->names))
		return false;
	m->symbols = elf_section_data(m->f, table);
	m->nr_symbols = MIN(table->size / sizeof(Elf64_Sym), (u64)LIMIT_SYMBOLS);
	return m->symbols != NULL;
}

/* False: there is none of that number. A name that is longer than any in a kernel is left out. */
static bool symbol_at(const struct module *m, u64 i, struct elf_symbol *sym, struct strbuf *name)
{
	const char *text = (const char *)m->bytes + m->names->offset;
	size_t most, len;

	if (i >= m->nr_symbols)
		return false;
	elf_symbol_decode(m->f, m->symbols + i * sizeof(Elf64_Sym), sym);
	strbuf_reset(name);
	if (sym->name >= m->names->size)
		return true;
	most = (size_t)MIN(m->names->size - sym->name, (u64)NAME_LONGEST);
	len = strnlen(text + sym->name, most);
	strbuf_add(name, text + sym->name, len < most ? len : 0);
	return true;
}

static struct elf_section *section_of(const struct module *m, const struct elf_symbol *sym)
{
	struct elf_section *s;

	if (!sym->shndx || sym->shndx >= m->f->nr_sections)
		return NULL;
	s = &m->f->sections[sym->shndx];
	return s->flags & SHF_ALLOC ? s : NULL;
}

/* Whether a name is that of one symbol of the file: static functions may share one. */
static void count_names(const struct module *m, struct module_names *counted)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct elf_symbol sym;

	for (u64 i = 0; symbol_at(m, i, &sym, &name); i++)
		if (name.len && section_of(m, &sym))
			module_name_is_at(module_names_enter(counted, name.buf),
					  (u64)sym.shndx << 32 | (u32)sym.value);
}

static void place_sections(struct module *m)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	_cleanup_(mem_freep) bool *broken = XNEW_ARRAY(bool, m->f->nr_sections + 1);
	_cleanup_(module_names_release) struct module_names counted = MODULE_NAMES_INIT;
	struct elf_symbol sym;
	u64 addr, once;

	for (u32 i = 0; i < m->f->nr_sections; i++)
		m->f->sections[i].addr = 0;
	count_names(m, &counted);
	for (u64 i = 0; symbol_at(m, i, &sym, &name); i++) {
		struct elf_section *s = section_of(m, &sym);

		if (!s || !name.len || !place_of(&counted, name.buf, &once) ||
		    !place_of(m->o->own, name.buf, &addr))
			continue;
		broken[sym.shndx] |= s->addr && s->addr != addr - sym.value;
		s->addr = addr - sym.value;
	}
	for (u32 i = 0; i < m->f->nr_sections; i++)
		if (broken[i])
			m->f->sections[i].addr = 0;
}

/* ------------------------------------------------------------------ relocations */

/* Whether the code of a section is known to be somewhere. */
static bool has_code(const struct elf_file *f, const struct elf_section *s)
{
	return s->flags & SHF_EXECINSTR && s->addr && s->type == SHT_PROGBITS &&
	       !(s->flags & SHF_COMPRESSED) && elf_section_present(f, s);
}

static const struct elf_section *code_of(const struct elf_file *f, const struct elf_section *rela)
{
	const struct elf_section *s = rela->info < f->nr_sections ? &f->sections[rela->info] : NULL;

	return rela->type == SHT_RELA && s && has_code(f, s) ? s : NULL;
}

/* The address of a symbol, 0 = not known. */
static u64 address_of(const struct module *m, u64 symbol)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	const struct elf_section *s;
	struct elf_symbol sym;
	u64 addr = 0;

	if (!symbol_at(m, symbol, &sym, &name))
		return 0;
	s = section_of(m, &sym);
	if (s)
		return s->addr ? s->addr + sym.value : 0;
	return sym.shndx == SHN_UNDEF && place_of(&m->others, name.buf, &addr) ? addr : 0;
}

static void relocate_one(struct module *m, const struct elf_section *s, const Elf64_Rela *r)
{
	u32 type = (u32)ELF64_R_TYPE(r->r_info);
	bool relative = type == R_X86_64_PC32 || type == R_X86_64_PLT32;
	u64 size = type == R_X86_64_64 ? 8 : 4;
	u64 value = address_of(m, ELF64_R_SYM(r->r_info));

	if (!relative && type != R_X86_64_32S && type != R_X86_64_32 && type != R_X86_64_64)
		return;
	if (r->r_offset > s->size || s->size - r->r_offset < size)
		return;
	if (value)
		value += (u64)r->r_addend;
	else if (relative) /* from the end of the instruction, of which 4 bytes may follow, to 0 */
		value = r->r_addend >= -8 && r->r_addend < -4 ? (u64)r->r_addend : (u64)-4;
	if (relative)
		value -= s->addr + r->r_offset;
	memcpy(m->bytes + s->offset + r->r_offset, &value, size);
}

/* Each relocation of code, by what is to be done with it. */
static void each_relocation(struct module *m,
			    void (*take)(struct module *m, const struct elf_section *s,
					 const Elf64_Rela *r))
{
	for (u32 i = 0; i < m->f->nr_sections; i++) {
		const struct elf_section *rela = &m->f->sections[i];
		const struct elf_section *s = code_of(m->f, rela);
		_cleanup_(mem_freep) u8 *rows = s ? elf_section_data(m->f, rela) : NULL;
		u64 nr = rows ? rela->size / sizeof(Elf64_Rela) : 0;

		for (u64 k = 0; k < nr; k++) {
			Elf64_Rela r;

			memcpy(&r, rows + k * sizeof(r), sizeof(r));
			take(m, s, &r);
		}
	}
}

static void enter_other(struct module *m, const struct elf_section *s UNUSED, const Elf64_Rela *r)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct elf_symbol sym;

	if (symbol_at(m, ELF64_R_SYM(r->r_info), &sym, &name) && sym.shndx == SHN_UNDEF && name.len)
		module_names_enter(&m->others, name.buf);
}

static bool make_segments(struct elf_file *f)
{
	free(f->segments);
	f->segments = XNEW_ARRAY(struct elf_segment, f->nr_sections + 1);
	f->nr_segments = 0;
	for (u32 i = 0; i < f->nr_sections; i++) {
		const struct elf_section *s = &f->sections[i];

		if (has_code(f, s))
			f->segments[f->nr_segments++] = (struct elf_segment){ .type = PT_LOAD,
									      .flags = PF_R | PF_X,
									      .offset = s->offset,
									      .vaddr = s->addr,
									      .filesz = s->size,
									      .memsz = s->size };
	}
	return f->nr_segments > 0;
}

static enum module_code_problem link_code(struct module *m)
{
	if (!read_symbols(m))
		return MODULE_CODE_NOWHERE;
	place_sections(m);
	if (!make_segments(m->f))
		return MODULE_CODE_NOWHERE;
	each_relocation(m, enter_other);
	m->o->find_others(m->o->ctx, &m->others);
	each_relocation(m, relocate_one);
	return MODULE_CODE_OPEN;
}

enum module_code_problem module_code_open(struct elf_file *f, void **data, const char *path,
					  const struct module_code_opts *o)
{
	struct module m = { .f = f, .o = o, .others = MODULE_NAMES_INIT };
	enum module_code_problem problem;
	struct build_id id;

	*f = (struct elf_file)ELF_FILE_INIT;
	*data = NULL;
	if (!read_whole(f, data, path) || f->type != ET_REL || !f->is64 || f->swap ||
	    f->machine != EM_X86_64)
		return MODULE_CODE_NONE;
	if (!o->want.size || !elf_build_id(f, &id) || !build_id_equal(&id, &o->want))
		return MODULE_CODE_OTHER;
	m.bytes = *data;
	problem = link_code(&m);
	free(m.symbols);
	module_names_release(&m.others);
	return problem;
}
