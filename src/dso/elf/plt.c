/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf/plt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/mem.h"
#include "dso/elf/symbols.h"

enum {
	MAX_SLOTS = 1 << 22,
	MAX_PLT_SIZE = 64 << 20,
	RELOCATIONS_AT_ONCE = 1024,
	DYNAMIC_MAX = 128, /* entries of .dynamic; ordinary ones have 40 */
	SYMBOLS_AT_ONCE = 256,
	PIECES = 32,
};

/* A relocation that fills a slot with the address of a function. */
struct plt_slot {
	u64 got; /* address of the slot */
	u64 target; /* of an IFUNC resolver, when there is no symbol */
	u32 sym; /* index in .dynsym, 0 = none */
	u32 name; /* offset in the builder's names of the target's symbol, NO_NAME = not found */
	bool lazy; /* JUMP_SLOT or IRELATIVE: an entry of .plt proper */
};

enum { NO_NAME = 0xffffffff };

VEC_TYPE(slot_vec, struct plt_slot);

/* What tables look like on each machine. */
struct plt_shape {
	u16 machine;
	u32 jump_slot, glob_dat, irelative; /* relocation types */
	u32 header, entry; /* bytes, where entries are not decoded */
};

static const struct plt_shape shapes[] = {
	{ EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE, 16, 16 },
	{ EM_386, R_386_JMP_SLOT, R_386_GLOB_DAT, R_386_IRELATIVE, 16, 16 },
	{ EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_IRELATIVE, 32, 16 },
	{ EM_ARM, R_ARM_JUMP_SLOT, R_ARM_GLOB_DAT, R_ARM_IRELATIVE, 20, 12 },
	{ EM_RISCV, R_RISCV_JUMP_SLOT, R_RISCV_64, R_RISCV_IRELATIVE, 32, 16 },
	{ EM_S390, R_390_JMP_SLOT, R_390_GLOB_DAT, R_390_IRELATIVE, 32, 32 },
};

struct symbol_piece {
	u32 no; /* + 1; 0 = empty */
	u8 bytes[SYMBOLS_AT_ONCE * sizeof(Elf64_Sym)];
};

struct plt_reading {
	const struct elf_file *f;
	const struct plt_shape *shape;
	struct symtab_builder *b;
	struct slot_vec slots; /* by got */
	const struct elf_section *dynsym, *dynstr; /* NULL = there is none */
	struct symbol_piece *pieces; /* of .dynsym, direct-mapped */
};

static u64 elf_word(const struct elf_file *f, const void *p)
{
	return f->is64 ? elf_u64(f, p) : elf_u32(f, p);
}

/* The word at an address of the file's image: the addend of a relocation without one. */
static u64 word_in_file(const struct elf_file *f, u64 addr)
{
	u8 word[8];
	u64 offset;

	if (!elf_file_offset(f, addr, &offset) || !elf_read(f, offset, word, f->is64 ? 8 : 4))
		return 0;
	return elf_word(f, word);
}

/*
 * How many relocations at the beginning of a table fill no slot with a function: linkers put those
 * that only move a pointer first, often millions, and count them.
 */
static u64 relative_relocations(const struct elf_file *f, const struct elf_section *s)
{
	const struct elf_section *dynamic = elf_section_by_type(f, SHT_DYNAMIC);
	size_t word = f->is64 ? 8 : 4;
	u8 piece[DYNAMIC_MAX * sizeof(Elf64_Dyn)];
	u64 count = 0;
	bool is_table = false;

	if (!dynamic || !elf_section_present(f, dynamic) || dynamic->size > sizeof(piece) ||
	    !elf_read(f, dynamic->offset, piece, dynamic->size))
		return 0;
	for (u64 at = 0; at + 2 * word <= dynamic->size; at += 2 * word) {
		u64 tag = elf_word(f, piece + at);
		u64 value = elf_word(f, piece + at + word);

		if (tag == DT_RELACOUNT || tag == DT_RELCOUNT)
			count = value;
		else if (tag == DT_RELA || tag == DT_REL)
			is_table = value == s->addr;
	}
	return is_table ? count : 0;
}

static void add_slots(struct plt_reading *p, const struct elf_section *s)
{
	const struct elf_file *f = p->f;
	bool rela = s->type == SHT_RELA;
	size_t word = f->is64 ? 8 : 4;
	size_t entsize = rela ? 3 * word : 2 * word;
	u64 nr = elf_section_present(f, s) ? s->size / entsize : 0;
	u64 first = nr > RELOCATIONS_AT_ONCE ? relative_relocations(f, s) : 0;
	u8 piece[RELOCATIONS_AT_ONCE * sizeof(Elf64_Rela)];

	for (u64 i = first; i < nr && p->slots.nr < MAX_SLOTS; i++) {
		u64 in_piece = (i - first) % RELOCATIONS_AT_ONCE;
		const u8 *r = piece + in_piece * entsize;

		if (!in_piece && !elf_read(f, s->offset + i * entsize, piece,
					   MIN(nr - i, RELOCATIONS_AT_ONCE) * entsize))
			return;
		u64 info = elf_word(f, r + word);
		u32 type = f->is64 ? (u32)info : (u32)info & 0xff;
		struct plt_slot slot = { .name = NO_NAME };

		if (type != p->shape->jump_slot && type != p->shape->glob_dat &&
		    type != p->shape->irelative)
			continue;
		slot.got = elf_word(f, r);
		slot.lazy = type != p->shape->glob_dat;
		if (type != p->shape->irelative)
			slot.sym = f->is64 ? (u32)(info >> 32) : (u32)info >> 8;
		else
			slot.target = rela ? elf_word(f, r + 2 * word) : word_in_file(f, slot.got);
		*VEC_PUSH(&p->slots) = slot;
	}
}

static int target_cmp(const void *a, const void *b)
{
	const struct plt_slot *x = *(struct plt_slot *const *)a;
	const struct plt_slot *y = *(struct plt_slot *const *)b;

	return x->target < y->target ? -1 : x->target > y->target;
}

/* First of n slots whose target has file offset addr or more. */
static size_t first_target(struct plt_slot **v, size_t n, u64 addr)
{
	size_t from = 0;

	while (from < n) {
		size_t mid = from + (n - from) / 2;

		if (v[mid]->target < addr)
			from = mid + 1;
		else
			n = mid;
	}
	return from;
}

/* Gives the IRELATIVE slots the name that their resolver is shown under. */
static void name_targets(struct plt_reading *p)
{
	VEC(struct plt_slot *) wanted = { 0 };
	VEC(const struct sym_row *) best = { 0 };
	struct sym_names names = symtab_builder_names(p->b);

	VEC_FOR(&p->slots, s) {
		u64 offset;

		if (!s->target)
			continue;
		s->target = elf_file_offset(p->f, s->target, &offset) ? offset : s->target;
		*VEC_PUSH(&wanted) = s;
		*VEC_PUSH(&best) = NULL;
	}
	VEC_SORT(&wanted, target_cmp);
	if (wanted.nr) {
		VEC_FOR(&p->b->rows, r) {
			size_t i = first_target(wanted.v, wanted.nr, r->start);

			if (i == wanted.nr || wanted.v[i]->target != r->start)
				continue;
			if (!best.v[i] || !symtab_prefers(best.v[i], r, &names))
				best.v[i] = r;
		}
	}
	for (size_t i = 0; i < wanted.nr; i++) {
		/* Several slots may have one target: the first of them was found above. */
		size_t first = first_target(wanted.v, wanted.nr, wanted.v[i]->target);

		if (best.v[first])
			wanted.v[i]->name = best.v[first]->name;
	}
	vec_free(&wanted);
	vec_free(&best);
}

static const struct plt_slot *slot_at(const struct plt_reading *p, u64 got)
{
	struct plt_slot key = { .got = got };

	if (!p->slots.nr)
		return NULL;
	return bsearch(&key, p->slots.v, p->slots.nr, sizeof(key), by_u64);
}

/* A symbol of .dynsym; few of many are asked for, those of one table mostly stand together. */
static bool read_symbol(struct plt_reading *p, u32 index, struct elf_symbol *out)
{
	size_t entsize = elf_symbol_size(p->f);
	u64 nr = p->dynsym->size / entsize;
	u32 no = index / SYMBOLS_AT_ONCE;
	struct symbol_piece *piece;

	if (!p->pieces)
		p->pieces = XNEW_ARRAY(struct symbol_piece, PIECES);
	piece = &p->pieces[no % PIECES];
	if (piece->no != no + 1) {
		u64 from = (u64)no * SYMBOLS_AT_ONCE;

		piece->no = 0;
		if (!elf_read(p->f, p->dynsym->offset + from * entsize, piece->bytes,
			      MIN(nr - from, SYMBOLS_AT_ONCE) * entsize))
			return false;
		piece->no = no + 1;
	}
	elf_symbol_decode(p->f, piece->bytes + index % SYMBOLS_AT_ONCE * entsize, out);
	return true;
}

/* The entry of a function that has a symbol; its name is left in the file where that is possible.
 */
static void add_named(struct plt_reading *p, u32 symbol, u64 offset, u64 size)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct elf_symbol sym;

	if (!read_symbol(p, symbol, &sym) || !sym.name || sym.name >= p->dynstr->size)
		return;
	if (p->b->plt.size) {
		symtab_builder_add_plt(p->b, offset, offset + size, sym.name);
		return;
	}
	if (!elf_string(p->f, p->dynstr, sym.name, &name) || !name.len)
		return;
	strbuf_adds(&name, "@plt");
	symtab_builder_add(p->b, offset, offset + size, name.buf, 'g');
}

static void add_entry(struct plt_reading *p, const struct plt_slot *s, u64 offset, u64 size)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	if (p->dynsym && s->sym && s->sym < p->dynsym->size / elf_symbol_size(p->f)) {
		add_named(p, s->sym, offset, size);
		return;
	}
	if (s->name != NO_NAME) {
		_cleanup_(strbuf_releasep) struct strbuf tmp = STRBUF_INIT;
		struct sym_names names = symtab_builder_names(p->b);

		strbuf_adds(&name, sym_name_at(&names, s->name, &tmp));
	} else {
		strbuf_addf(&name, "*ABS*+0x%" PRIx64, s->target);
	}
	strbuf_adds(&name, "@plt");
	symtab_builder_add(p->b, offset, offset + size, name.buf, 'g');
}

/* The address of the slot through which an x86 entry jumps, 0 = not such an entry. */
static u64 x86_slot(const struct elf_file *f, const u8 *code, size_t size, u64 addr, u64 got_base)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const u8 endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
	static const u8 mov_r11[] = {
		0x4c, 0x8b, 0x1d
	}; /* of lld's -z retpolineplt, which jumps there later */
	size_t at = 0;
	u64 disp;

	if (size >= 4 && (memcmp(code, endbr64, 4) == 0 || memcmp(code, endbr32, 4) == 0))
		at += 4;
	if (size >= 7 && f->machine == EM_X86_64 && memcmp(code, mov_r11, sizeof(mov_r11)) == 0)
		return addr + 7 + (u64)(s64)(s32)elf_u32(f, code + 3);
	if (at < size && code[at] == 0xf2) /* bnd */
		at++;
	if (size < at + 6 || code[at] != 0xff)
		return 0;
	disp = elf_u32(f, code + at + 2);
	if (f->machine == EM_X86_64)
		return code[at + 1] == 0x25 ? addr + at + 6 + (u64)(s64)(s32)disp : 0;
	if (code[at + 1] == 0x25) /* jmp *ABS */
		return disp;
	return code[at + 1] == 0xa3 ? (u32)(got_base + disp) : 0; /* jmp *disp(%ebx) */
}

struct x86_table {
	struct plt_reading *p;
	const struct elf_section *section;
	const u8 *code;
	u64 got; /* address that 32-bit position independent entries count from */
};

static const struct plt_slot *x86_slot_of(const struct x86_table *t, u64 at)
{
	const struct elf_section *s = t->section;
	u64 slot = at < s->size
			   ? x86_slot(t->p->f, t->code + at, s->size - at, s->addr + at, t->got)
			   : 0;

	return slot ? slot_at(t->p, slot) : NULL;
}

/* Linkers do not always tell: entries of static programs, which are for IFUNCs alone, are short. */
static u64 x86_entry_size(const struct x86_table *t)
{
	enum { SHORT = 8, USUAL = 16 };

	if (t->section->entsize == SHORT || t->section->entsize == USUAL)
		return t->section->entsize;
	return x86_slot_of(t, 0) && x86_slot_of(t, SHORT) ? SHORT : USUAL;
}

static void read_x86_table(struct plt_reading *p, const struct elf_section *s)
{
	const struct elf_section *got = elf_section_by_name(p->f, ".got.plt");
	_cleanup_(mem_freep) u8 *code = elf_section_data(p->f, s);
	struct x86_table t = { .p = p, .section = s, .code = code };
	bool first = true;
	u64 entry;

	got = got ? got : elf_section_by_name(p->f, ".got");
	t.got = got ? got->addr : 0;
	if (!code)
		return;
	entry = x86_entry_size(&t);
	for (u64 at = 0; at + 6 <= s->size; at += entry) {
		const struct plt_slot *found = x86_slot_of(&t, at);

		/* The first entry calls the dynamic linker; with IBT all of .plt do. */
		if (found)
			add_entry(p, found, s->offset + at, MIN(entry, s->size - at));
		else if (first)
			symtab_builder_add(p->b, s->offset + at, s->offset + s->size, s->name, 'l');
		first = false;
	}
}

static void read_ordered_table(struct plt_reading *p, const struct elf_section *s)
{
	u64 nr = 0;
	u64 at = p->shape->header;
	u64 entry;

	VEC_FOR(&p->slots, slot)
		nr += slot->lazy;
	if (!nr || s->size <= at)
		return;
	/* Longer than usual with branch protection. */
	entry = (s->size - at) / nr;
	entry = entry < p->shape->entry ? p->shape->entry : entry & ~3ULL;
	symtab_builder_add(p->b, s->offset, s->offset + at, s->name, 'l');
	VEC_FOR(&p->slots, slot) {
		if (!slot->lazy)
			continue;
		if (at + entry > s->size)
			return;
		add_entry(p, slot, s->offset + at, entry);
		at += entry;
	}
}

static void read_tables(struct plt_reading *p)
{
	static const char *const names[] = { ".plt", ".plt.sec", ".plt.got", ".plt.bnd", ".iplt" };
	bool x86 = p->f->machine == EM_X86_64 || p->f->machine == EM_386;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct elf_section *s = elf_section_by_name(p->f, names[i]);

		if (!s || s->size > MAX_PLT_SIZE || !(s->flags & SHF_EXECINSTR))
			continue;
		if (x86)
			read_x86_table(p, s);
		else if (i == 0)
			read_ordered_table(p, s);
	}
}

static void find_dynsym(struct plt_reading *p)
{
	const struct elf_section *s = elf_section_by_type(p->f, SHT_DYNSYM);

	if (!s || s->link >= p->f->nr_sections || !elf_section_present(p->f, s) ||
	    !elf_section_present(p->f, &p->f->sections[s->link]))
		return;
	p->dynsym = s;
	p->dynstr = &p->f->sections[s->link];
}

/* False: the machine's tables are not known, or there is no slot. */
static bool read_slots(struct plt_reading *p)
{
	const struct elf_file *f = p->f;
	u64 read = 0;

	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if (shapes[i].machine == f->machine)
			p->shape = &shapes[i];
	if (!p->shape || (f->type != ET_EXEC && f->type != ET_DYN))
		return false;
	for (u32 i = 0; i < f->nr_sections && read <= f->size; i++) {
		const struct elf_section *s = &f->sections[i];

		if ((s->type != SHT_RELA && s->type != SHT_REL) || !(s->flags & SHF_ALLOC))
			continue;
		/* Sections that overlap would let a small file ask for endless work. */
		read += s->size;
		if (read <= f->size)
			add_slots(p, s);
	}
	if (!p->slots.nr)
		return false;
	VEC_SORT(&p->slots, by_u64);
	find_dynsym(p);
	return true;
}

void elf_plt_read(const struct elf_file *f, struct symtab_builder *b)
{
	struct plt_reading p = { .f = f, .b = b };

	if (read_slots(&p)) {
		if (p.dynstr)
			elf_symbols_leave_names(f, p.dynstr, &b->plt);
		name_targets(&p);
		read_tables(&p);
	}
	free(p.pieces);
	vec_free(&p.slots);
}

/* ------------------------------------------------------------------ slots by name */

enum {
	VERSIONS_MAX = 4096, /* of a table; libstdc++ has 60 */
	VERSION_HIDDEN = 0x8000, /* not the one that linkers take */
};

struct elf_got {
	struct plt_reading p; /* b is NULL */
	bool is_read;
};

struct elf_got *elf_got_new(void)
{
	return XNEW(struct elf_got);
}

void elf_got_free(struct elf_got *g)
{
	if (!g)
		return;
	free(g->p.pieces);
	vec_free(&g->p.slots);
	free(g);
}

/* Where in .dynstr a version of another object is called; 0 = it is none. */
static u32 needed_version(const struct elf_file *f, const struct elf_section *s, u16 version)
{
	u64 at = 0;

	for (u32 budget = VERSIONS_MAX; budget; budget--) {
		Elf64_Verneed need;
		Elf64_Vernaux aux;
		u64 in;

		if (at + sizeof(need) > s->size ||
		    !elf_read(f, s->offset + at, &need, sizeof(need)))
			return 0;
		in = at + elf_u32(f, &need.vn_aux);
		for (u16 nr = elf_u16(f, &need.vn_cnt); nr && budget > 1; nr--, budget--) {
			if (in + sizeof(aux) > s->size ||
			    !elf_read(f, s->offset + in, &aux, sizeof(aux)))
				return 0;
			if (elf_u16(f, &aux.vna_other) == version)
				return elf_u32(f, &aux.vna_name);
			in += elf_u32(f, &aux.vna_next);
		}
		if (!elf_u32(f, &need.vn_next))
			return 0;
		at += elf_u32(f, &need.vn_next);
	}
	return 0;
}

/* The same of a version of this object. */
static u32 own_version(const struct elf_file *f, const struct elf_section *s, u16 version)
{
	u64 at = 0;

	for (u32 budget = VERSIONS_MAX; budget; budget--) {
		Elf64_Verdef def;
		Elf64_Verdaux aux;
		u64 in;

		if (at + sizeof(def) > s->size || !elf_read(f, s->offset + at, &def, sizeof(def)))
			return 0;
		in = at + elf_u32(f, &def.vd_aux);
		if (elf_u16(f, &def.vd_ndx) == version)
			return in + sizeof(aux) <= s->size &&
					       elf_read(f, s->offset + in, &aux, sizeof(aux))
				       ? elf_u32(f, &aux.vda_name)
				       : 0;
		if (!elf_u32(f, &def.vd_next))
			return 0;
		at += elf_u32(f, &def.vd_next);
	}
	return 0;
}

/* "@GLIBC_2.2.5" of another object, "@@VERSION" of its own that linkers take, "@Base" without. */
static void add_version(const struct plt_reading *p, u32 symbol, bool defined, struct strbuf *out)
{
	const struct elf_file *f = p->f;
	const struct elf_section *all = elf_section_by_type(f, SHT_GNU_versym);
	const struct elf_section *needs = elf_section_by_type(f, SHT_GNU_verneed);
	const struct elf_section *own = elf_section_by_type(f, SHT_GNU_verdef);
	u64 at = (u64)symbol * 2;
	u32 name = 0;
	u16 raw, version;

	if (!all || at + 2 > all->size || !elf_read(f, all->offset + at, &raw, 2))
		return;
	raw = elf_u16(f, &raw);
	version = raw & (u16)~VERSION_HIDDEN;
	if (version > 1) {
		name = needs ? needed_version(f, needs, version) : 0;
		if (name)
			defined = false;
		else
			name = own ? own_version(f, own, version) : 0;
		if (!name)
			return;
	}
	strbuf_adds(out, defined && !(raw & VERSION_HIDDEN) ? "@@" : "@");
	if (!name)
		strbuf_adds(out, "Base");
	else
		elf_string(f, p->dynstr, name, out);
}

bool elf_got_name(struct elf_got *g, const struct elf_file *f, u64 addr, struct strbuf *out)
{
	struct plt_reading *p = &g->p;
	const struct plt_slot *slot;
	struct elf_symbol sym;
	size_t from = out->len;

	p->f = f;
	if (!g->is_read) {
		g->is_read = true;
		read_slots(p);
	}
	slot = slot_at(p, addr);
	if (!slot || !slot->sym || !p->dynsym ||
	    slot->sym >= p->dynsym->size / elf_symbol_size(f) || !read_symbol(p, slot->sym, &sym) ||
	    !sym.name || !elf_string(f, p->dynstr, sym.name, out) || out->len == from)
		return false;
	add_version(p, slot->sym, sym.shndx != SHN_UNDEF, out);
	return true;
}
