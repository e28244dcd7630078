/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug information that is small and claims much: many units that share one large table. */
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
#include "dso/dwarf.h"

enum { MOST_KIB = 700 << 10 };
enum { UNITS = 20000, TABLE = 1 << 20 };
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
	Elf64_Ehdr eh = { .e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			  .e_ehsize = sizeof(eh), .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = NR_PARTS + 1, .e_shstrndx = NAMES + 1 };
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
	static const char *const names[NR_PARTS] = { ".debug_info", ".debug_abbrev", ".debug_line",
						     ".debug_ranges", ".debug_str", ".shstrtab" };

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared_lines),
		cmocka_unit_test(shared_ranges),
		cmocka_unit_test(shared_abbreviations),
		cmocka_unit_test(shared_string),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
