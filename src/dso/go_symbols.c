/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/go_symbols.h"

#include <string.h>

#include "base/limits.h"
#include "base/mem.h"

enum {
	GO_HEADER = 8, /* bytes before the first word */
	GO_WORDS = 8,
	RELA_AT_ONCE = 1024,
};

/* How a version arranges its table: which words of the header tell what, -1 = none does. */
struct go_form {
	u32 magic;
	s8 text;       /* where the code begins; functions are told from there, as u32; -1: addresses */
	s8 names;      /* place of the names; -1: they are told from the table's begin */
	s8 names_end;  /* where something else follows */
	s8 functions;  /* place of the functions; -1: behind the number of them */
	u8 words;
};

static const struct go_form forms[] = {
	{ 0xfffffff1, 2, 3, 4, 7, 8 },
	{ 0xfffffff0, 2, 3, 4, 7, 8 },
	{ 0xfffffffa, -1, 2, 3, 6, 7 },
	{ 0xfffffffb, -1, -1, -1, -1, 1 },
};

struct go_table {
	const struct elf_file *f;
	const struct go_form *form;
	const u8 *data; /* from the header to the end of the section */
	u64 size, addr;
	u32 word; /* bytes of an address in it */
	u64 words[GO_WORDS];
	u64 text;
};

static u64 read_word(const struct go_table *t, const u8 *p, u32 size)
{
	return size == 8 ? elf_u64(t->f, p) : elf_u32(t->f, p);
}

/* The header at the begin of t->data; false: it is none. */
static bool read_header(struct go_table *t)
{
	const u8 *p = t->data;

	t->form = NULL;
	if (t->size < GO_HEADER)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (elf_u32(t->f, p) == forms[i].magic)
			t->form = &forms[i];
	/* two zeros, the instructions' alignment, the size of addresses */
	if (!t->form || p[4] || p[5] || (p[6] != 1 && p[6] != 2 && p[6] != 4) || (p[7] != 4 && p[7] != 8))
		return false;
	t->word = p[7];
	if ((t->size - GO_HEADER) / t->word < t->form->words)
		return false;
	for (u32 i = 0; i < t->form->words; i++)
		t->words[i] = read_word(t, p + GO_HEADER + (u64)i * t->word, t->word);
	return true;
}

/* What the dynamic linker would put at an address; false: it leaves it alone. No byte is in two sections. */
static bool find_relocation(const struct elf_file *f, u64 addr, u64 *value)
{
	Elf64_Rela entries[RELA_AT_ONCE];
	u64 left = f->size;

	for (u32 i = 0; f->is64 && i < f->nr_sections; i++) {
		const struct elf_section *s = &f->sections[i];

		if (s->type != SHT_RELA || !elf_section_present(f, s) || s->size > left)
			continue;
		left -= s->size;
		for (u64 at = 0; s->size - at >= sizeof(*entries);) {
			u64 n = MIN((s->size - at) / sizeof(*entries), RELA_AT_ONCE);

			if (!elf_read(f, s->offset + at, entries, n * sizeof(*entries)))
				break;
			for (u64 k = 0; k < n; k++) {
				if (elf_u64(f, &entries[k].r_offset) != addr)
					continue;
				*value = elf_u64(f, &entries[k].r_addend);
				return true;
			}
			at += n * sizeof(*entries);
		}
	}
	return false;
}

/* Where the code begins: in the table, unless that is left to the dynamic linker or to nobody. */
static u64 text_of(const struct go_table *t)
{
	const struct elf_section *text;
	s8 word = t->form->text;
	u64 value;

	if (word < 0)
		return 0;
	if (find_relocation(t->f, t->addr + GO_HEADER + (u64)word * t->word, &value))
		return value;
	text = elf_section_by_name(t->f, ".text");
	return t->words[word] || !text ? t->words[word] : text->addr;
}

/* Copies all names behind those of b; their first's offset in the table, and in b. false: no room. */
static bool take_names(const struct go_table *t, struct symtab_builder *b, u64 *from, u64 *end, u64 *base)
{
	*from = t->form->names < 0 ? 0 : t->words[t->form->names];
	*end = t->size;
	if (t->form->names_end >= 0 && t->words[t->form->names_end] > *from)
		*end = MIN(t->words[t->form->names_end], t->size);
	*base = (b->file.size ? (u64)b->file.size + 1 : 0) + b->names.len;
	if (*from >= *end || *base + (*end - *from) >= SYM_PLT_NAMES)
		return false;
	strbuf_add(&b->names, t->data + *from, *end - *from);
	strbuf_addch(&b->names, '\0');
	return true;
}

/* Places of functions and of their descriptions, in turns; after the last, the end of the code. */
static void read_functions(const struct go_table *t, struct symtab_builder *b)
{
	u32 step = t->form->text >= 0 ? 4 : t->word;
	u64 at = t->form->functions < 0 ? GO_HEADER + t->word : t->words[t->form->functions];
	/* what descriptions are told from */
	u64 origin = t->form->functions < 0 ? 0 : at;
	u64 nr, from, end, base;

	if (at > t->size || t->size - at < step || !take_names(t, b, &from, &end, &base))
		return;
	nr = MIN(t->words[0], (t->size - at - step) / (2ULL * step));
	for (u64 i = 0; i < nr && b->rows.nr < LIMIT_SYMBOLS; i++) {
		const u8 *p = t->data + at + i * 2 * step;
		u64 start = read_word(t, p, step) + t->text;
		u64 limit = read_word(t, p + 2 * step, step) + t->text;
		u64 place = origin + read_word(t, p + step, step) + step;
		u64 name, offset;

		if (limit <= start || place > t->size || t->size - place < 4)
			continue;
		name = from + elf_u32(t->f, t->data + place);
		if (name >= end || !t->data[name] || !elf_file_offset(t->f, start, &offset))
			continue;
		*VEC_PUSH(&b->rows) = (struct sym_row){
			.start = offset,
			.end = offset + (limit - start) >= offset ? offset + (limit - start) : UINT64_MAX,
			.name = (u32)(base + (name - from)),
			.binding = 'g',
		};
	}
}

/* The table begins with the section, or somewhere in it. */
static bool read_section(const struct elf_file *f, const struct elf_section *s, bool anywhere,
			 struct symtab_builder *b)
{
	_cleanup_(mem_freep) u8 *data = elf_section_data(f, s);
	const u32 step = 8;

	for (u64 at = 0; data && at < s->size && (at == 0 || anywhere); at += step) {
		struct go_table t = { .f = f, .data = data + at, .size = s->size - at, .addr = s->addr + at };

		if (!read_header(&t))
			continue;
		t.text = text_of(&t);
		read_functions(&t, b);
		return true;
	}
	return false;
}

void go_symbols_read(const struct elf_file *f, struct symtab_builder *b)
{
	/* A foreign linker puts the table of a position independent program into the last of these. */
	static const struct {
		const char *name;
		bool anywhere;
	} places[] = {
		{ ".gopclntab", false },
		{ ".data.rel.ro.gopclntab", false },
		{ ".data.rel.ro", true },
	};

	if (!elf_section_by_name(f, ".go.buildinfo") && !elf_section_by_name(f, places[0].name))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct elf_section *s = elf_section_by_name(f, places[i].name);

		if (s && read_section(f, s, places[i].anywhere, b))
			return;
	}
}
