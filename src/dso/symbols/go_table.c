/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symbols/go_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/elf/relative.h"

enum {
	GO_HEADER = 8, /* bytes before the first word */
	FIELD = 4,
	/* fields of a description, behind the address */
	NAME = 0,
	STACK = 3,
	FILES = 4,
	LINES = 5,
	NR_PCDATA = 6,
	UNIT = 7,
	PCDATA_INLINED = 2,
	FUNCDATA_INLINED = 3,
	/* all tables of values are read that often, and a bit */
	WORK_TIMES = 64,
	WORK_MORE = 1 << 24,
};

/* How a version arranges its table: which words of the header tell what, -1 = none does. */
struct go_form {
	u32 magic;
	s8 text; /* where the code begins; functions are told from there, as u32; -1: addresses */
	s8 names; /* place of the names; -1: they are told from the table's begin */
	s8 units; /* where something else follows: numbers of files, by unit; -1: there are no units
		   */
	s8 files; /* place of the files' names */
	s8 values; /* place of the tables of values; -1: as names */
	s8 functions; /* place of the functions; -1: behind the number of them */
	u8 words;
	u8 traits; /* the field with id and flags, and how many funcdata there are; 0: not known */
	struct go_inlined_form inlined;
};

static const struct go_form forms[] = {
	{ 0xfffffff1, 2, 3, 4, 5, 6, 7, 8, 9, { 16, 4, 8 } },
	{ 0xfffffff0, 2, 3, 4, 5, 6, 7, 8, 8, { 20, 12, 16 } },
	{ 0xfffffffa, -1, 2, 3, 4, 5, 6, 7, 8, { 0 } },
	{ 0xfffffffb, -1, -1, -1, -1, -1, -1, 1, 0, { 0 } },
};

static u32 u32_at(const struct go_table *t, u64 place)
{
	u32 v;

	memcpy(&v, t->data + place, sizeof(v));
	return t->swap ? __builtin_bswap32(v) : v;
}

static u64 word_at(const struct go_table *t, u64 place, u32 size)
{
	u64 v;

	if (size != 8)
		return u32_at(t, place);
	memcpy(&v, t->data + place, sizeof(v));
	return t->swap ? __builtin_bswap64(v) : v;
}

static bool holds(const struct go_table *t, u64 place, u64 size)
{
	return place <= t->size && t->size - place >= size;
}

/* What the form's word says, or where the table begins. */
static u64 part(const struct go_table *t, s8 word)
{
	return word < 0 ? 0 : t->words[word];
}

/* Bytes of an address in the list of functions. */
static u32 step_of(const struct go_table *t)
{
	return t->form->text >= 0 ? FIELD : t->word;
}

static u64 first_function(const struct go_table *t)
{
	return t->form->functions < 0 ? GO_HEADER + (u64)t->word : t->words[t->form->functions];
}

/* The header at the begin of t->data; false: it is none. */
static bool read_header(struct go_table *t)
{
	const u8 *p = t->data;

	t->form = NULL;
	if (t->size < GO_HEADER)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (u32_at(t, 0) == forms[i].magic)
			t->form = &forms[i];
	/* two zeros, the instructions' alignment, the size of addresses */
	if (!t->form || p[4] || p[5] || (p[6] != 1 && p[6] != 2 && p[6] != 4) ||
	    (p[7] != 4 && p[7] != 8))
		return false;
	t->quantum = p[6];
	t->word = p[7];
	if ((t->size - GO_HEADER) / t->word < t->form->words)
		return false;
	for (u32 i = 0; i < t->form->words; i++)
		t->words[i] = word_at(t, GO_HEADER + (u64)i * t->word, t->word);
	return true;
}

struct go_wanted {
	u64 addr, value;
	bool found;
};

static bool is_wanted(void *ctx, u64 addr, u64 value)
{
	struct go_wanted *w = ctx;

	w->found = addr == w->addr;
	w->value = value;
	return !w->found;
}

/* Where the code begins: in the table, unless the dynamic linker fills it in, or nothing does. */
static u64 text_of(const struct go_table *t, const struct elf_file *f)
{
	s8 word = t->form->text;
	const struct elf_section *text;
	struct go_wanted w;

	if (word < 0)
		return 0;
	w = (struct go_wanted){ .addr = t->addr + GO_HEADER + (u64)word * t->word };
	elf_relative_each(f, is_wanted, &w);
	if (w.found)
		return w.value;
	text = elf_section_by_name(f, ".text");
	return t->words[word] || !text ? t->words[word] : text->addr;
}

static void find_parts(struct go_table *t, const struct elf_file *f)
{
	u64 at = first_function(t), step = step_of(t);

	t->text = text_of(t, f);
	t->nr = holds(t, at, step) ? MIN(t->words[0], (t->size - at - step) / (2 * step)) : 0;
	t->names = part(t, t->form->names);
	t->names_end = t->size;
	if (part(t, t->form->units) > t->names)
		t->names_end = MIN(part(t, t->form->units), t->size);
	if (t->names > t->names_end)
		t->names = t->names_end;
	t->work_left = t->size * WORK_TIMES + WORK_MORE;
}

/* The table begins with the section, or somewhere in it. */
static bool read_section(struct go_table *t, const struct elf_file *f, const struct elf_section *s,
			 bool anywhere)
{
	const u32 step = 8;

	t->bytes = elf_section_data(f, s);
	for (u64 at = 0; t->bytes && at < s->size && (at == 0 || anywhere); at += step) {
		t->data = t->bytes + at;
		t->size = s->size - at;
		t->addr = s->addr + at;
		if (!read_header(t))
			continue;
		find_parts(t, f);
		return true;
	}
	go_table_release(t);
	return false;
}

bool go_table_open(struct go_table *t, const struct elf_file *f)
{
	/* A foreign linker puts the table of a position independent program into the last of these.
	 */
	static const struct {
		const char *name;
		bool anywhere;
	} places[] = {
		{ ".gopclntab", false },
		{ ".data.rel.ro.gopclntab", false },
		{ ".data.rel.ro", true },
	};

	*t = (struct go_table){ .swap = f->swap };
	if (!elf_section_by_name(f, ".go.buildinfo") && !elf_section_by_name(f, places[0].name))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct elf_section *s = elf_section_by_name(f, places[i].name);

		if (s && read_section(t, f, s, places[i].anywhere))
			return true;
	}
	return false;
}

void go_table_release(struct go_table *t)
{
	free(t->bytes);
	*t = (struct go_table){ .swap = t->swap };
}

/* ---- functions ---- */

/* In the list: places of functions and of their descriptions, in turns; after the last, the end of
 * the code. */
static u64 start_of(const struct go_table *t, u64 number)
{
	u32 step = step_of(t);

	return word_at(t, first_function(t) + number * 2 * step, step) + t->text;
}

bool go_table_function(const struct go_table *t, u64 number, struct go_function *out)
{
	u64 list = first_function(t);
	u32 step = step_of(t);

	if (number >= t->nr)
		return false;
	out->start = start_of(t, number);
	out->end = start_of(t, number + 1);
	out->place = word_at(t, list + number * 2 * step + step, step);
	/* what descriptions are told from */
	if (t->form->functions >= 0)
		out->place += list;
	out->place += step;
	if (out->end <= out->start || !holds(t, out->place, FIELD))
		return false;
	out->name = t->names + u32_at(t, out->place + NAME * FIELD);
	if (out->name >= t->names_end || !t->data[out->name])
		out->name = 0;
	return true;
}

bool go_table_find(const struct go_table *t, u64 addr, u64 *number)
{
	u64 lo = 0;

	for (u64 hi = t->nr; lo < hi;) {
		u64 mid = lo + (hi - lo) / 2;

		if (start_of(t, mid) <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	*number = lo - 1;
	return lo && addr < start_of(t, lo);
}

const char *go_table_string(const struct go_table *t, u64 place)
{
	return place < t->size ? (const char *)t->data + place : NULL;
}

const char *go_table_name(const struct go_table *t, u64 offset)
{
	u64 place = t->names + offset;

	if (offset >= t->names_end - t->names || (offset && t->data[place - 1]) || !t->data[place])
		return NULL;
	return (const char *)t->data + place;
}

/* A field of a description; false: the table ends before. */
static bool read_field(const struct go_table *t, const struct go_function *fn, u64 field, u32 *out)
{
	u64 place = fn->place + field * FIELD;

	if (!holds(t, place, FIELD))
		return false;
	*out = u32_at(t, place);
	return true;
}

/* Byte of the field with id (0), flags (1) and number of funcdata (3). */
static u8 trait(const struct go_table *t, const struct go_function *fn, u32 byte)
{
	u64 place = fn->place + (u64)t->form->traits * FIELD;

	return t->form->traits && holds(t, place, FIELD) ? t->data[place + byte] : 0;
}

u8 go_function_id(const struct go_table *t, const struct go_function *fn)
{
	return trait(t, fn, 0);
}

u8 go_function_flags(const struct go_table *t, const struct go_function *fn)
{
	return trait(t, fn, 1);
}

const struct go_inlined_form *go_table_inlined_form(const struct go_table *t)
{
	return &t->form->inlined;
}

bool go_function_inlined(const struct go_table *t, const struct go_function *fn, u32 *offset)
{
	u32 nr;

	return t->form->inlined.size && trait(t, fn, 3) > FUNCDATA_INLINED &&
	       read_field(t, fn, NR_PCDATA, &nr) && nr > PCDATA_INLINED &&
	       read_field(t, fn, t->form->traits + 1ULL + nr + FUNCDATA_INLINED, offset) &&
	       *offset != UINT32_MAX;
}

/* ---- values by program counter ---- */

bool go_values_begin(struct go_table *t, const struct go_function *fn, enum go_values_kind kind,
		     struct go_values *out)
{
	static const u8 fields[] = { [GO_STACK] = STACK, [GO_FILES] = FILES, [GO_LINES] = LINES };
	u64 place = part(t, t->form->values);
	u32 offset, nr;

	if (kind == GO_INLINED) {
		if (!t->form->traits || !read_field(t, fn, NR_PCDATA, &nr) ||
		    nr <= PCDATA_INLINED ||
		    !read_field(t, fn, t->form->traits + 1ULL + PCDATA_INLINED, &offset))
			return false;
	} else if (!read_field(t, fn, fields[kind], &offset)) {
		return false;
	}
	place += offset;
	if (!offset || place >= t->size)
		return false;
	*out = (struct go_values){ .t = t, .value = -1 };
	out->r = (struct dwarf_reader){ .p = t->data + place, .end = t->data + t->size };
	return true;
}

bool go_values_next(struct go_values *v)
{
	const u8 *before = v->r.p;
	u32 change = (u32)dwarf_uleb(&v->r), length;
	u64 used;

	if (!change && v->begun)
		return false;
	v->begun = true;
	length = (u32)dwarf_uleb(&v->r);
	used = (u64)(v->r.p - before);
	if (v->r.bad || !length || used > v->t->work_left)
		return false;
	v->t->work_left -= used;
	v->value = (s32)((u32)v->value + (change & 1 ? ~(change >> 1) : change >> 1));
	v->from = v->to;
	v->to += (u64)length * v->t->quantum;
	return true;
}

bool go_values_find(struct go_table *t, const struct go_function *fn, enum go_values_kind kind,
		    u64 offset, s32 *value)
{
	struct go_values v;

	if (!go_values_begin(t, fn, kind, &v))
		return false;
	while (go_values_next(&v)) {
		if (offset >= v.to)
			continue;
		*value = v.value;
		return true;
	}
	return false;
}

/* Of the oldest form, the files' list stands behind that of the functions. */
static const char *listed_file(const struct go_table *t, s32 file)
{
	u64 at = first_function(t) + t->nr * 2 * t->word + t->word;
	u64 list;

	if (t->nr != t->words[0] || !holds(t, at, FIELD))
		return NULL;
	list = u32_at(t, at);
	/* its first entry is how many there are, itself included */
	if (!holds(t, list, FIELD) || file <= 0 || (u32)file >= u32_at(t, list) ||
	    !holds(t, list + (u64)file * FIELD, FIELD))
		return NULL;
	return go_table_string(t, u32_at(t, list + (u64)file * FIELD));
}

const char *go_table_file(const struct go_table *t, const struct go_function *fn, s32 file)
{
	u64 at;
	u32 unit, offset;

	if (t->form->units < 0)
		return listed_file(t, file);
	if (file < 0 || !read_field(t, fn, UNIT, &unit))
		return NULL;
	at = t->words[t->form->units] + ((u64)unit + (u32)file) * FIELD;
	if (!holds(t, at, FIELD))
		return NULL;
	offset = u32_at(t, at);
	return offset == UINT32_MAX ? NULL : go_table_string(t, t->words[t->form->files] + offset);
}
