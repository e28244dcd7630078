/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug information that is small and claims much: many units that share one large table. Which
 * unit has an address that several claim.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "dso/dwarf/units.h"
#include "many.h"

enum { MOST_KIB = 700 << 10 };
enum { UNITS = MANY_OF(20000), TABLE = MANY_OF(1 << 20) };
enum { AT_NAME = 0x03, AT_STMT_LIST = 0x10, AT_RANGES = 0x55 };
enum { FORM_STRP = 0x0e, FORM_SEC_OFFSET = 0x17 };

struct part {
	const char *name;
	struct strbuf bytes;
};

enum { INFO, ABBREV, LINE, RANGES, STR, NAMES, NR_PARTS };

static void add8(struct strbuf *s, u8 v)
{
	strbuf_addch(s, (char)v);
}

static void add32(struct strbuf *s, u32 v)
{
	strbuf_add(s, &v, sizeof(v));
}

static void add_section(struct strbuf *out, u32 name, u32 type, u64 offset, u64 size)
{
	Elf64_Shdr s = { .sh_name = name, .sh_type = type, .sh_offset = offset, .sh_size = size };

	strbuf_add(out, &s, sizeof(s));
}

/* An object of nothing but these sections. */
static void make_object(struct part *parts, struct strbuf *out)
{
	Elf64_Ehdr eh = { .e_type = ET_DYN,
			  .e_machine = EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_ehsize = sizeof(eh),
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = NR_PARTS + 1,
			  .e_shstrndx = NAMES + 1 };
	struct strbuf headers = STRBUF_INIT;

	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	eh.e_ident[EI_VERSION] = EV_CURRENT;
	strbuf_add(out, &eh, sizeof(eh));
	add8(&parts[NAMES].bytes, 0);
	add_section(&headers, 0, SHT_NULL, 0, 0);
	for (int i = 0; i < NR_PARTS; i++) {
		u32 name = (u32)parts[NAMES].bytes.len;

		strbuf_add(&parts[NAMES].bytes, parts[i].name, strlen(parts[i].name) + 1);
		add_section(&headers, name, i == NAMES ? SHT_STRTAB : SHT_PROGBITS, out->len,
			    parts[i].bytes.len);
		strbuf_add(out, parts[i].bytes.buf, parts[i].bytes.len);
	}
	eh.e_shoff = out->len;
	memcpy(out->buf, &eh, sizeof(eh));
	strbuf_add(out, headers.buf, headers.len);
	strbuf_release(&headers);
	for (int i = 0; i < NR_PARTS; i++)
		strbuf_release(&parts[i].bytes);
}

/* A unit of DWARF 4 whose only entry has one attribute, a u32. */
static void add_unit(struct strbuf *out, u32 value)
{
	add32(out, 2 + 4 + 1 + 1 + 4);
	add8(out, 4);
	add8(out, 0);
	add32(out, 0);
	add8(out, 8);
	add8(out, 1);
	add32(out, value);
}

static void add_abbrev(struct strbuf *out, u8 attribute, u8 form)
{
	const u8 bytes[] = { 1, DW_TAG_compile_unit, 0, attribute, form, 0, 0 };

	strbuf_add(out, bytes, sizeof(bytes));
}

static void begin_parts(struct part *parts)
{
	static const char *const names[NR_PARTS] = { ".debug_info", ".debug_abbrev",
						     ".debug_line", ".debug_ranges",
						     ".debug_str",  ".shstrtab" };

	for (int i = 0; i < NR_PARTS; i++)
		parts[i] = (struct part){ names[i], STRBUF_INIT };
}

/* What is not bounded runs into the limits of memory here, or of time of the test. */
static void look_up(struct part *parts)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct strbuf object = STRBUF_INIT;
	struct rusage usage;
	struct dwarf *d;

	add8(&parts[ABBREV].bytes, 0);
	make_object(parts, &object);
	assert_int_equal(elf_open_memory(&f, object.buf, object.len, NULL), 0);
	d = dwarf_open(&f, NULL);
	assert_non_null(d);
	dwarf_unit_of(d, 0x1000);
	assert_int_equal(d->units.nr, UNITS);
	dwarf_close(d);
	strbuf_release(&object);
	getrusage(RUSAGE_SELF, &usage);
	assert_true(usage.ru_maxrss < MOST_KIB);
}

/* Every unit would make a row of each byte. */
static void shared_lines(void **state)
{
	static const u8 head[] = { 1, 1, 1, 0, 1, 1, 0, 0 };
	struct part parts[NR_PARTS];
	struct strbuf *line = &parts[LINE].bytes;

	(void)state;
	begin_parts(parts);
	add_abbrev(&parts[ABBREV].bytes, AT_STMT_LIST, FORM_SEC_OFFSET);
	add32(line, 2 + 4 + sizeof(head) + TABLE);
	add8(line, 4);
	add8(line, 0);
	add32(line, sizeof(head));
	strbuf_add(line, head, sizeof(head));
	strbuf_pad(line, 0x10, TABLE);
	for (u32 i = 0; i < UNITS; i++)
		add_unit(&parts[INFO].bytes, 0);
	look_up(parts);
}

static void add_set_address(struct strbuf *out, u32 addr)
{
	static const u8 op[] = { 0, 1 + 8, 2 };

	strbuf_add(out, op, sizeof(op));
	add32(out, addr);
	add32(out, 0);
}

/* Rows in no order: each question goes through all of them, so each is counted as work. */
static void rows_without_order(void **state)
{
	static const u8 head[] = { 1, 1, 1, 0, 1, 1, 0, 'a', 0, 0, 0, 0, 0 };
	static const u8 row[] = { 1 };
	static const u8 end_sequence[] = { 0, 1, 1 };
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct strbuf object = STRBUF_INIT;
	struct part parts[NR_PARTS];
	struct strbuf *line = &parts[LINE].bytes;
	struct dwarf_place place;
	struct dwarf_unit *u;
	struct dwarf *d;

	(void)state;
	begin_parts(parts);
	add_abbrev(&parts[ABBREV].bytes, AT_STMT_LIST, FORM_SEC_OFFSET);
	add8(&parts[ABBREV].bytes, 0);
	add_unit(&parts[INFO].bytes, 0);
	add32(line, 2 + 4 + sizeof(head) + 3 * 11 + 1 + TABLE + sizeof(end_sequence));
	add8(line, 4);
	add8(line, 0);
	add32(line, sizeof(head));
	strbuf_add(line, head, sizeof(head));
	add_set_address(line, 0x1000);
	strbuf_add(line, row, sizeof(row));
	add_set_address(line, 0x800);
	strbuf_pad(line, row[0], TABLE);
	add_set_address(line, 0x2000);
	strbuf_add(line, end_sequence, sizeof(end_sequence));
	make_object(parts, &object);
	assert_int_equal(elf_open_memory(&f, object.buf, object.len, NULL), 0);
	d = dwarf_open(&f, NULL);
	assert_non_null(d);
	u = dwarf_unit_of(d, 0x1000);
	assert_non_null(u);
	for (int i = 0; i < 3; i++) {
		u64 before = d->work_left;

		assert_true(dwarf_line_find(d, u, 0x1000, &place));
		assert_string_equal(place.file, "a");
		assert_true(i == 0 || d->work_left < before);
	}
	d->work_left = 1;
	assert_false(dwarf_line_find(d, u, 0x1000, &place));
	dwarf_close(d);
	strbuf_release(&object);
}

/* Every unit would go through all ranges. */
static void shared_ranges(void **state)
{
	struct part parts[NR_PARTS];

	(void)state;
	begin_parts(parts);
	add_abbrev(&parts[ABBREV].bytes, AT_RANGES, FORM_SEC_OFFSET);
	strbuf_pad(&parts[RANGES].bytes, 0x10, (size_t)8 * TABLE);
	for (u32 i = 0; i < UNITS; i++)
		add_unit(&parts[INFO].bytes, 0);
	look_up(parts);
}

/* Every unit would read all abbreviations. */
static void shared_abbreviations(void **state)
{
	struct part parts[NR_PARTS];

	(void)state;
	begin_parts(parts);
	for (u32 i = 0; i < TABLE / 7; i++)
		add_abbrev(&parts[ABBREV].bytes, AT_NAME, FORM_STRP);
	for (u32 i = 0; i < UNITS; i++)
		add_unit(&parts[INFO].bytes, 0);
	look_up(parts);
}

/* Units that have the same abbreviations have one table; the size of addresses is a part of what it
 * says. */
static void one_table(void **state)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	enum { OTHER = 2, SOME = 4, UNIT_SIZE = 16, ADDR_SIZE_AT = 10 };
	struct strbuf object = STRBUF_INIT;
	struct part parts[NR_PARTS];
	struct dwarf_unit *u[SOME];
	struct dwarf *d;

	(void)state;
	begin_parts(parts);
	add_abbrev(&parts[ABBREV].bytes, AT_RANGES, FORM_SEC_OFFSET);
	add8(&parts[ABBREV].bytes, 0);
	for (u32 i = 0; i < SOME; i++)
		add_unit(&parts[INFO].bytes, 0);
	parts[INFO].bytes.buf[OTHER * UNIT_SIZE + ADDR_SIZE_AT] = 4;
	make_object(parts, &object);
	assert_int_equal(elf_open_memory(&f, object.buf, object.len, NULL), 0);
	d = dwarf_open(&f, NULL);
	assert_non_null(d);
	dwarf_unit_of(d, 0x1000);
	assert_int_equal(d->abbrevs.nr, 0); /* read, and forgotten */
	for (int i = 0; i < SOME; i++) {
		u[i] = dwarf_unit_next(d, i ? u[i - 1]->end : 0);
		assert_non_null(u[i]);
		assert_int_equal(u[i]->addr_size, i == OTHER ? 4 : 8);
	}
	assert_int_equal(d->abbrevs.nr, 2);
	assert_ptr_equal(u[0]->abbrevs, u[1]->abbrevs);
	assert_ptr_equal(u[0]->abbrevs, u[3]->abbrevs);
	assert_ptr_not_equal(u[0]->abbrevs, u[OTHER]->abbrevs);
	assert_int_equal(u[0]->abbrevs->units, 3);
	dwarf_forget_tables(d, u[0]);
	dwarf_forget_tables(d, u[OTHER]);
	assert_int_equal(d->abbrevs.nr, 1);
	assert_int_equal(u[1]->abbrevs->units, 2);
	dwarf_forget_tables(d, u[1]);
	dwarf_forget_tables(d, u[3]);
	assert_int_equal(d->abbrevs.nr, 0);
	assert_int_equal(d->tables, 0);
	dwarf_close(d);
	strbuf_release(&object);
}

/* Every unit would look for the end of one string. */
static void shared_string(void **state)
{
	struct part parts[NR_PARTS];

	(void)state;
	begin_parts(parts);
	add_abbrev(&parts[ABBREV].bytes, AT_NAME, FORM_STRP);
	strbuf_pad(&parts[STR].bytes, 'x', (size_t)64 * TABLE);
	for (u32 i = 0; i < UNITS; i++)
		add_unit(&parts[INFO].bytes, 0);
	look_up(parts);
}

static void no_overlap(void **state)
{
	struct dwarf_ranges r = { 0 };

	(void)state;
	dwarf_ranges_sort(&r);
	assert_int_equal(r.nr, 0);
	*VEC_PUSH(&r) = (struct dwarf_range){ 0x20, 0x30, 1 };
	*VEC_PUSH(&r) = (struct dwarf_range){ 0x10, 0x20, 2 };
	dwarf_ranges_sort(&r);
	assert_int_equal(r.nr, 2);
	assert_int_equal(r.v[0].unit, 2);
	assert_int_equal(r.v[1].unit, 1);
	vec_free(&r);
}

/* The unit of each address, by looking at all ranges. */
static void first_unit(void **state)
{
	enum { SPACE = 200, RANGES_NR = 60, NONE = 1000 };
	u32 random = 1;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct dwarf_ranges r = { 0 };
		u64 want[SPACE];
		size_t i = 0;

		for (int at = 0; at < SPACE; at++)
			want[at] = NONE;
		for (int n = 0; n < RANGES_NR; n++) {
			struct dwarf_range range = {
				.unit = (random = random * 1103515245 + 12345) >> 16 & 15
			};

			range.lo = ((random = random * 1103515245 + 12345) >> 16) % (SPACE - 40);
			range.hi = range.lo + ((random = random * 1103515245 + 12345) >> 16) % 40;
			*VEC_PUSH(&r) = range;
			for (u64 at = range.lo; at < range.hi; at++)
				if (range.unit < want[at])
					want[at] = range.unit;
		}
		dwarf_ranges_sort(&r);
		for (u64 at = 0; at < SPACE; at++) {
			while (i < r.nr && r.v[i].hi <= at)
				i++;
			assert_int_equal(i < r.nr && r.v[i].lo <= at ? r.v[i].unit : NONE,
					 want[at]);
		}
		vec_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared_lines),  cmocka_unit_test(rows_without_order),
		cmocka_unit_test(shared_ranges), cmocka_unit_test(shared_abbreviations),
		cmocka_unit_test(one_table),     cmocka_unit_test(shared_string),
		cmocka_unit_test(no_overlap),    cmocka_unit_test(first_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
