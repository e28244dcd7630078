/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up /proc: what of its kernel's code is copied, and what is left after a failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "capture/kcore.h"

enum { PAGE = 4096, TEXT_PAGES = 3, MODULE_PAGES = 1024 };

#define TEXT 0xffffffff81000000ULL
#define MODULES 0xffffffffc0000000ULL

static char dir[] = "/tmp/kcore-test-XXXXXX";

static const char symbols[] = "ffffffff81000000 T _stext\n"
			      "ffffffff81000100 T start_kernel\n"
			      "ffffffff81001234 T _etext\n"
			      "ffffffff81009000 D jiffies\n"
			      "ffffffffc0002010 t one\t[first]\n"
			      "ffffffffc0004010 t two\t[second]\n"
			      "ffffffffc0300000 d data\t[second]\n"
			      "ffffffffc03fe010 t far\t[third]\n";

static void put(const char *name, const void *data, size_t len)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/%s", dir, name);
	_cleanup_(mem_closep) int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	assert_int_equal(rw_write_full(fd, data, len), 0);
}

/* Two segments; every word of the image is its own address. */
static void put_kcore(void)
{
	size_t size = PAGE * (1 + TEXT_PAGES + MODULE_PAGES);
	_cleanup_(mem_freep) u8 *file = xcalloc(1, size);
	Elf64_Ehdr h = { .e_ident = { ELFMAG0, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			 .e_type = ET_CORE,
			 .e_machine = EM_X86_64,
			 .e_phoff = sizeof(h),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 2 };
	Elf64_Phdr s[] = {
		{ .p_type = PT_LOAD,
		  .p_offset = PAGE,
		  .p_vaddr = TEXT,
		  .p_filesz = TEXT_PAGES * PAGE },
		{ .p_type = PT_LOAD,
		  .p_offset = PAGE * (1 + TEXT_PAGES),
		  .p_vaddr = MODULES,
		  .p_filesz = MODULE_PAGES * PAGE },
	};

	memcpy(file, &h, sizeof(h));
	memcpy(file + sizeof(h), s, sizeof(s));
	for (size_t i = 0; i < ARRAY_SIZE(s); i++) {
		for (u64 at = 0; at < s[i].p_filesz; at += 8) {
			u64 word = s[i].p_vaddr + at;

			memcpy(file + s[i].p_offset + at, &word, sizeof(word));
		}
	}
	put("kcore", file, size);
}

static int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	put("kallsyms", symbols, sizeof(symbols) - 1);
	put("modules", "first 1 0 - Live 0x0\n", 21);
	put_kcore();
	return 0;
}

static void drop(const char *name)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/%s", dir, name);

	unlink(path);
}

static void drop_copy(void)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/kcore_dir", dir);

	drop("kcore_dir/kcore");
	drop("kcore_dir/kallsyms");
	drop("kcore_dir/modules");
	rmdir(path);
}

static int tear_down(void **state)
{
	(void)state;
	drop_copy();
	drop("kcore");
	drop("kallsyms");
	drop("modules");
	return rmdir(dir);
}

static bool copy_exists(void)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/kcore_dir", dir);

	return access(path, F_OK) == 0;
}

static void copies_code_of_kernel_and_modules(void **state)
{
	static const struct {
		u64 from, len;
	} want[] = { { TEXT, 2 * PAGE },
		     { MODULES + 0x2000, 3 * PAGE },
		     { MODULES + 0x3fe000, PAGE } };
	_cleanup_(mem_freep) char *path = xasprintf("%s/kcore_dir/kcore", dir);
	_cleanup_(strbuf_releasep) struct strbuf copy = STRBUF_INIT;
	struct err e = ERR_INIT;
	Elf64_Ehdr h;

	(void)state;
	assert_int_equal(kcore_check(dir, &e), 0);
	assert_int_equal(kcore_copy(dir, dir, &e), 0);
	assert_int_equal(rw_slurp(path, &copy, &e), 0);
	memcpy(&h, copy.buf, sizeof(h));
	assert_int_equal(h.e_type, ET_CORE);
	assert_int_equal(h.e_phnum, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		Elf64_Phdr s;

		memcpy(&s, copy.buf + h.e_phoff + i * sizeof(s), sizeof(s));
		assert_int_equal(s.p_vaddr, want[i].from);
		assert_int_equal(s.p_filesz, want[i].len);
		assert_true(s.p_offset % PAGE == 0 && s.p_offset + s.p_filesz <= copy.len);
		for (u64 at = 0; at < s.p_filesz; at += 8) {
			u64 word;

			memcpy(&word, copy.buf + s.p_offset + at, sizeof(word));
			assert_int_equal(word, s.p_vaddr + at);
		}
	}
	drop_copy();
}

static void copies_texts(void **state)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/kcore_dir/kallsyms", dir);
	_cleanup_(strbuf_releasep) struct strbuf copy = STRBUF_INIT;
	struct stat st;

	(void)state;
	assert_int_equal(kcore_copy(dir, dir, NULL), 0);
	assert_int_equal(rw_slurp(path, &copy, NULL), 0);
	assert_string_equal(copy.buf, symbols);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0400);
	drop_copy();
}

static void leaves_nothing_after_a_failure(void **state)
{
	static const char hidden[] = "0000000000000000 T _stext\n0000000000000000 T _etext\n";
	struct err e = ERR_INIT;

	(void)state;
	put("kallsyms", hidden, sizeof(hidden) - 1);
	assert_int_equal(kcore_copy(dir, dir, &e), -1);
	assert_non_null(strstr(e.hint, "kptr_restrict"));
	assert_false(copy_exists());
	put("kallsyms", symbols, sizeof(symbols) - 1);
	put("kcore", "no core file", 12);
	assert_int_equal(kcore_check(dir, &e), -1);
	assert_int_equal(kcore_copy(dir, dir, &e), -1);
	assert_false(copy_exists());
	drop("kcore");
	assert_int_equal(kcore_check(dir, &e), -1);
	put_kcore();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_code_of_kernel_and_modules),
		cmocka_unit_test(copies_texts),
		cmocka_unit_test(leaves_nothing_after_a_failure),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
