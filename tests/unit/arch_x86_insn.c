/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arch/x86_insn.h"

enum { BITS32 = 1, BITS64 = 2 };

/* Lengths as objdump has them; behind each stands more that belongs to the next. */
static const struct {
	const char *bytes;
	unsigned int length, modes;
} insns[] = {
	{ "\x90", 1, BITS32 | BITS64 }, /* nop */
	{ "\x48\x31\xca", 3, BITS64 }, /* xor %rcx,%rdx */
	{ "\x48\x8d\x04\xd5\x00\x00\x00\x00", 8, BITS64 }, /* lea 0x0(,%rdx,8),%rax */
	{ "\xc7\x84\x24\x10\x00\x00\x00\x01\x00\x00\x00", 11,
	  BITS32 | BITS64 }, /* movl $1,16(%esp) */
	{ "\x66\xc7\x45\xfe\x34\x12", 6, BITS32 | BITS64 }, /* movw $0x1234,-2(%ebp) */
	{ "\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10, BITS64 }, /* movabs $...,%rax */
	{ "\xb8\x01\x02\x03\x04", 5, BITS32 | BITS64 }, /* mov $...,%eax */
	{ "\xa1\x01\x02\x03\x04\x05\x06\x07\x08", 9, BITS64 }, /* movabs 0x...,%eax */
	{ "\xa1\x01\x02\x03\x04", 5, BITS32 }, /* mov 0x...,%eax */
	{ "\x67\xa1\x01\x02", 4, BITS32 }, /* addr16 mov */
	{ "\x67\x8b\x47\x04", 4, BITS32 | BITS64 }, /* mov 4(%bx) or 4(%edi) */
	{ "\x67\x8b\x06\x04\x01", 5, BITS32 }, /* mov 0x104,%eax */
	{ "\xf6\xc1\x01", 3, BITS32 | BITS64 }, /* test $1,%cl */
	{ "\xf6\xd1", 2, BITS32 | BITS64 }, /* not %cl */
	{ "\xf7\x05\x00\x00\x00\x00\x01\x00\x00\x00", 10, BITS32 | BITS64 }, /* testl $1,mem */
	{ "\xe8\x01\x02\x03\x04", 5, BITS32 | BITS64 }, /* call */
	{ "\x66\xe8\x01\x02\x03\x04", 6, BITS64 }, /* call, the prefix is ignored */
	{ "\x0f\x84\x01\x02\x03\x04", 6, BITS32 | BITS64 }, /* je */
	{ "\xc8\x10\x00\x01", 4, BITS32 | BITS64 }, /* enter */
	{ "\x9a\x01\x02\x03\x04\x05\x06", 7, BITS32 }, /* lcall */
	{ "\x9a\x01\x02\x03\x04\x05\x06", 0, BITS64 }, /* none */
	{ "\xf3\x0f\x1e\xfa", 4, BITS32 | BITS64 }, /* endbr64 */
	{ "\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 10, BITS64 }, /* cs nopw */
	{ "\x66\x0f\x70\xc0\x44", 5, BITS32 | BITS64 }, /* pshufd */
	{ "\x66\x0f\x38\x00\xc1", 5, BITS32 | BITS64 }, /* pshufb */
	{ "\x66\x0f\x3a\x0f\xc1\x08", 6, BITS32 | BITS64 }, /* palignr */
	{ "\xc5\xf8\x77", 3, BITS32 | BITS64 }, /* vzeroupper */
	{ "\xc4\xe3\x7d\x19\xc1\x01", 6, BITS32 | BITS64 }, /* vextractf128 */
	{ "\xc4\x04\x24", 3, BITS32 }, /* les (%esp),%eax */
	{ "\x62\xf1\xfe\x48\x6f\x46\x01", 7, BITS32 | BITS64 }, /* vmovdqu64 64(%rsi),%zmm0 */
	{ "\x62\x04\x24", 3, BITS32 }, /* bound */
	{ "\x8f\x04\x24", 3, BITS32 | BITS64 }, /* pop (%esp) */
	{ "\x8f\xe8\x78\xc0\xc8\x05", 6, BITS64 }, /* vprotb $5 */
};

static void lengths(void **state)
{
	u8 p[32];

	(void)state;
	for (size_t i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		memset(p, 0x24, sizeof(p));
		memcpy(p, insns[i].bytes, insns[i].length ? insns[i].length : 7);
		if (insns[i].modes & BITS32)
			assert_int_equal(x86_insn_length(p, sizeof(p), false), insns[i].length);
		if (insns[i].modes & BITS64)
			assert_int_equal(x86_insn_length(p, sizeof(p), true), insns[i].length);
	}
}

/* What is cut off is no instruction; nothing is longer than the bytes or the limit. */
static void cut_off(void **state)
{
	u8 prefixes[32];
	u8 *p;

	(void)state;
	memset(prefixes, 0x66, sizeof(prefixes));
	assert_int_equal(x86_insn_length(prefixes, sizeof(prefixes), true), 0);
	assert_int_equal(x86_insn_length(prefixes, 0, true), 0);
	for (size_t i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		for (unsigned int n = 0; n < insns[i].length; n++) {
			p = malloc(n + 1);
			memcpy(p, insns[i].bytes, n);
			assert_int_equal(x86_insn_length(p, n, insns[i].modes & BITS64), 0);
			free(p);
		}
	}
}

static void branches(void **state)
{
	static const struct {
		const char *bytes;
		unsigned int length;
		bool branch;
	} rows[] = {
		{ "\xe8\0\0\0\0", 5, true }, /* call */
		{ "\xff\xd0", 2, true }, /* call *%rax */
		{ "\xff\x30", 2, false }, /* push (%rax) */
		{ "\xff\xc0", 2, false }, /* inc %eax */
		{ "\xeb\0", 2, true }, /* jmp */
		{ "\x3e\xff\xe0", 3, true }, /* notrack jmp *%rax */
		{ "\x75\xf1", 2, true }, /* jne */
		{ "\x0f\x84\0\0\0\0", 6, true }, /* je */
		{ "\x0f\x44\xc3", 3, false }, /* cmove */
		{ "\xe2\xfe", 2, true }, /* loop */
		{ "\xf3\xc3", 2, true }, /* rep ret */
		{ "\x48\xcf", 2, true }, /* iretq */
		{ "\x0f\x05", 2, true }, /* syscall */
		{ "\x0f\x0b", 2, false }, /* ud2 */
		{ "\x0f\x01\xc2", 3, true }, /* vmlaunch */
		{ "\x0f\x01\xc1", 3, false }, /* vmcall */
		{ "\xcc", 1, true }, /* int3 */
		{ "\xf4", 1, false }, /* hlt */
		{ "\x48\x31\xca", 3, false }, /* xor */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(
			x86_insn_is_branch((const u8 *)rows[i].bytes, rows[i].length, true),
			rows[i].branch);
		assert_false(x86_insn_is_branch((const u8 *)rows[i].bytes, 0, true));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths),
		cmocka_unit_test(cut_off),
		cmocka_unit_test(branches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
