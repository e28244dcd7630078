/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules for entries of procedure linkage tables that have no call frame information. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unwind/plt.h"

enum { ADDR = 0x1000, ENTRY = 16, NR_ENTRIES = 3, SIZE = NR_ENTRIES * ENTRY };

/* What lies on the stack at an address, in bytes; 0 = no rule. */
static s64 depth(const struct plt *p, u64 addr)
{
	const struct cfi_rule *rule = plt_find(p, addr);

	return rule ? rule->cfa.value : 0;
}

static struct plt read_plt(const char *name, u16 machine, const u8 code[SIZE])
{
	struct elf_section s = { .name = name,
				 .type = SHT_PROGBITS,
				 .flags = SHF_ALLOC | SHF_EXECINSTR,
				 .addr = ADDR,
				 .size = SIZE };
	struct elf_file f = { .fd = -1,
			      .mem = code,
			      .size = SIZE,
			      .is64 = machine != EM_386,
			      .machine = machine,
			      .sections = &s,
			      .nr_sections = 1 };
	struct plt p;

	plt_read(&p, &f);
	return p;
}

static void fill(u8 code[SIZE], const u8 *head, const u8 *entry, size_t entry_size)
{
	memset(code, 0x90, SIZE);
	if (head)
		memcpy(code, head, 2);
	for (size_t i = !!head; i < NR_ENTRIES; i++)
		memcpy(code + i * ENTRY, entry, entry_size);
}

static void lazy_entries_push(void **state UNUSED)
{
	static const u8 head[] = { 0xff, 0x35 }, head386[] = { 0xff, 0xb3 };
	/* jmp *slot(%rip); push $nr */
	static const u8 plain[] = { 0xff, 0x25, 1, 2, 3, 4, 0x68, 0, 0, 0, 0 };
	/* endbr64; push $nr */
	static const u8 tracked[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0 };
	u8 code[SIZE];
	struct plt p;

	fill(code, head, plain, sizeof(plain));
	p = read_plt(".plt", EM_X86_64, code);
	assert_int_equal(depth(&p, ADDR), 16);
	assert_int_equal(depth(&p, ADDR + 6), 24);
	assert_int_equal(depth(&p, ADDR + ENTRY), 8);
	assert_int_equal(depth(&p, ADDR + ENTRY + 10), 8);
	assert_int_equal(depth(&p, ADDR + ENTRY + 11), 16);
	assert_int_equal(depth(&p, ADDR + 2 * ENTRY + 6), 8);
	assert_int_equal(depth(&p, ADDR + SIZE), 0);
	assert_int_equal(depth(&p, ADDR - 1), 0);

	fill(code, head, tracked, sizeof(tracked));
	p = read_plt(".plt", EM_X86_64, code);
	assert_int_equal(depth(&p, ADDR + ENTRY + 8), 8);
	assert_int_equal(depth(&p, ADDR + ENTRY + 9), 16);

	fill(code, head386, plain, sizeof(plain));
	p = read_plt(".plt", EM_386, code);
	assert_int_equal(depth(&p, ADDR), 8);
	assert_int_equal(depth(&p, ADDR + ENTRY + 6), 4);
	assert_int_equal(depth(&p, ADDR + ENTRY + 11), 8);
}

/* Static programs, .plt.sec, .plt.got: nothing but a jump; entries may be of 8 bytes. */
static void other_entries_only_jump(void **state UNUSED)
{
	static const u8 jump[] = { 0xff, 0x25, 1, 2, 3, 4, 0x66, 0x90,
				   0xff, 0x25, 1, 2, 3, 4, 0x66, 0x90 };
	u8 code[SIZE];
	struct plt p;

	fill(code, NULL, jump, sizeof(jump));
	p = read_plt(".plt", EM_X86_64, code);
	for (u64 at = 0; at < SIZE; at++)
		assert_int_equal(depth(&p, ADDR + at), 8);
	p = read_plt(".plt.sec", EM_X86_64, code);
	assert_int_equal(depth(&p, ADDR + 15), 8);
	p = read_plt(".text", EM_X86_64, code);
	assert_int_equal(depth(&p, ADDR), 0);
}

static void arm64_has_the_address_in_a_register(void **state UNUSED)
{
	u8 code[SIZE] = { 0 };
	struct plt p = read_plt(".plt", EM_AARCH64, code);
	const struct cfi_rule *rule = plt_find(&p, ADDR + ENTRY);

	assert_non_null(rule);
	assert_int_equal(rule->cfa.nr, 0);
	assert_int_equal(rule->cfa.value, 0);
	p = read_plt(".plt", EM_RISCV, code);
	assert_null(plt_find(&p, ADDR + ENTRY));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lazy_entries_push),
		cmocka_unit_test(other_entries_only_jump),
		cmocka_unit_test(arm64_has_the_address_in_a_register),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
