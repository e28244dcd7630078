/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections of debug information read in pieces, in any order, and forgotten in between. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rw.h"
#include "dso/dwarf/section.h"
#include "dso/elf/unpack.h"

enum { SIZE = (5 << 20) + 12345, PAGE = 4096, READS = 400, NAMES_AT = 512 };

struct given {
	u8 *plain;
	struct elf_file f;
	struct dwarf_section s;
	int fd;
};

/* Bytes that deflate makes about half of. */
static u8 *make_bytes(void)
{
	u8 *bytes = xmalloc(SIZE);
	u32 x = 1;

	for (size_t i = 0; i < SIZE; i++) {
		x = x * 1664525 + 1013904223;
		bytes[i] = (u8)(i % 7 < 3 ? i / 977 : x >> 28);
	}
	return bytes;
}

/* An object with one section of debug information. broken: in the middle. */
static void make_file(int fd, const u8 *plain, bool packed, bool broken)
{
	static const char names[] = "\0.debug_info\0.shstrtab";
	Elf64_Chdr head = { .ch_type = ELFCOMPRESS_ZLIB, .ch_size = SIZE, .ch_addralign = 1 };
	uLongf size = compressBound(SIZE);
	u8 *zlib = xmalloc(size);
	Elf64_Shdr sh[3] = { { 0 } };
	Elf64_Ehdr eh = { .e_type = ET_DYN,
			  .e_machine = EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_ehsize = sizeof(eh),
			  .e_shentsize = sizeof(*sh),
			  .e_shnum = 3,
			  .e_shstrndx = 2,
			  .e_shoff = sizeof(eh) };
	u64 at = NAMES_AT + sizeof(names);

	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	eh.e_ident[EI_VERSION] = EV_CURRENT;
	assert_int_equal(compress(zlib, &size, plain, SIZE), Z_OK);
	if (broken)
		memset(zlib + size / 2, 0xff, 1000);
	sh[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = at, .sh_size = SIZE
	};
	if (packed) {
		sh[1].sh_flags = SHF_COMPRESSED;
		sh[1].sh_size = sizeof(head) + size;
		assert_int_equal(pwrite(fd, &head, sizeof(head), (off_t)at), sizeof(head));
		assert_int_equal(pwrite(fd, zlib, size, (off_t)(at + sizeof(head))), size);
	} else {
		assert_int_equal(pwrite(fd, plain, SIZE, (off_t)at), SIZE);
	}
	sh[2] = (Elf64_Shdr){ .sh_name = 13,
			      .sh_type = SHT_STRTAB,
			      .sh_offset = NAMES_AT,
			      .sh_size = sizeof(names) };
	assert_int_equal(pwrite(fd, names, sizeof(names), NAMES_AT), sizeof(names));
	assert_int_equal(pwrite(fd, &eh, sizeof(eh), 0), sizeof(eh));
	assert_int_equal(pwrite(fd, sh, sizeof(sh), sizeof(eh)), sizeof(sh));
	free(zlib);
}

static void begin(struct given *g, bool packed, bool broken)
{
	char path[] = "/tmp/perf-unit-section-XXXXXX";
	int fd = mkstemp(path);
	u64 room = UNPACK_ROOM;

	assert_true(fd >= 0);
	unlink(path);
	g->plain = make_bytes();
	make_file(fd, g->plain, packed, broken);
	assert_int_equal(elf_open_fd(&g->f, fd, "object", NULL), 0);
	g->fd = dwarf_section_file(&g->f);
	assert_true(g->fd >= 0);
	assert_true(dwarf_section_open(&g->s, &g->f, g->fd, "info", "", &room) > 0);
	assert_int_equal(g->s.size, SIZE);
}

static void end(struct given *g)
{
	dwarf_section_close(&g->s);
	elf_close(&g->f);
	close(g->fd);
	free(g->plain);
}

static void read_around(struct given *g)
{
	u32 x = 7;

	for (int i = 0; i < READS; i++) {
		u64 at, size;

		x = x * 1664525 + 1013904223;
		at = (x >> 4) % SIZE;
		size = MIN((u64)(x >> 20), SIZE - at);
		assert_true(dwarf_section_need(&g->s, at, size));
		assert_memory_equal(g->s.data + at, g->plain + at, size);
		assert_true(size == 0 || g->s.kept > 0);
		if (i % 8 == 7)
			dwarf_section_forget(&g->s);
	}
	assert_true(dwarf_section_need(&g->s, SIZE - 1, 100));
	assert_int_equal(g->s.data[SIZE - 1], g->plain[SIZE - 1]);
	assert_false(dwarf_section_need(&g->s, SIZE, 1));
}

static void plain_pages(void **state)
{
	struct given g;
	u8 copy[100];

	(void)state;
	begin(&g, false, false);
	read_around(&g);
	dwarf_section_forget(&g.s);
	assert_int_equal(g.s.kept, 0);
	assert_true(dwarf_section_can_copy(&g.s) &&
		    dwarf_section_copy(&g.s, 4090, copy, sizeof(copy)));
	assert_memory_equal(copy, g.plain + 4090, sizeof(copy));
	assert_int_equal(g.s.kept, 0);
	end(&g);
}

/* A page in the middle costs no more memory than a step of unpacking. */
static void packed_pages(void **state)
{
	struct given g;

	(void)state;
	begin(&g, true, false);
	assert_true(dwarf_section_need(&g.s, 3 << 20, 1));
	assert_true(g.s.kept <= 32);
	assert_true(dwarf_section_need(&g.s, 1 << 20, 1));
	assert_true(g.s.kept <= 64);
	assert_memory_equal(g.s.data + (1 << 20), g.plain + (1 << 20), PAGE);
	assert_memory_equal(g.s.data + (3 << 20), g.plain + (3 << 20), PAGE);
	dwarf_section_forget(&g.s);
	assert_int_equal(g.s.kept, 0);
	read_around(&g);
	/* What is asked for again and again is not unpacked for ever: it stays. */
	assert_true(unpack_work(g.s.stream) < 8ULL * SIZE);
	dwarf_section_forget(&g.s);
	assert_true(g.s.kept > 0);
	end(&g);
}

static void broken_stream(void **state)
{
	struct given g;

	(void)state;
	begin(&g, true, true);
	assert_false(dwarf_section_need(&g.s, SIZE - 1, 1));
	for (int i = 0; i < 3; i++) {
		assert_true(dwarf_section_need(&g.s, 1 << 20, PAGE));
		assert_memory_equal(g.s.data + (1 << 20), g.plain + (1 << 20), PAGE);
		assert_true(dwarf_section_need(&g.s, 1000, PAGE));
		assert_memory_equal(g.s.data + 1000, g.plain + 1000, PAGE);
		assert_false(dwarf_section_need(&g.s, SIZE - 1, 1));
		dwarf_section_forget(&g.s);
	}
	end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_pages),
		cmocka_unit_test(packed_pages),
		cmocka_unit_test(broken_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
