/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BPF programs from tables: where jumps lead, what stands for maps, fields and values, mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bpf/assembler.h"
#include "bpf/off_cpu_program.h"

enum { BACK, FRONT, MISSING };
enum { MAX = 16 };

static const int maps[] = { 7, 9 };
static const u64 values[] = { 0x1122334455667788ULL };
static const struct bpf_meanings meanings = { maps, values };

static void test_jumps(void **state UNUSED)
{
	static const struct bpf_line lines[] = {
		ASM_LABEL(BACK), /* 0 */
		ASM_IFI(JEQ, R1, 3, FRONT), /* 0 */
		ASM_MAP(R2, 1), /* 1, 2 */
		ASM_IF(JGT, R1, R2, BACK), /* 3 */
		ASM_LABEL(FRONT),
		ASM_EXIT(), /* 4 */
	};
	struct bpf_insn out[MAX];
	size_t nr;

	assert_int_equal(bpf_assemble(lines, ARRAY_SIZE(lines), &meanings, out, MAX, &nr), 0);
	assert_int_equal(nr, 5);
	assert_int_equal(out[0].off, 3);
	assert_int_equal(out[0].imm, 3);
	assert_int_equal(out[3].off, -4);
	assert_int_equal(out[3].src_reg, R2);
	assert_int_equal(out[4].code, BPF_JMP | BPF_EXIT);
}

static void test_meanings(void **state UNUSED)
{
	static const struct bpf_line lines[] = {
		ASM_MAP(R1, 1),
		ASM_SHARED(R2, 0, 40),
		ASM_VALUE(R3, 0),
	};
	struct bpf_insn out[MAX];
	size_t nr;

	assert_int_equal(bpf_assemble(lines, ARRAY_SIZE(lines), &meanings, out, MAX, &nr), 0);
	assert_int_equal(nr, 6);
	assert_int_equal(out[0].src_reg, BPF_PSEUDO_MAP_FD);
	assert_int_equal(out[0].imm, 9);
	assert_int_equal(out[2].src_reg, BPF_PSEUDO_MAP_VALUE);
	assert_int_equal(out[2].imm, 7);
	assert_int_equal(out[3].imm, 40);
	assert_int_equal(out[4].imm, 0x55667788);
	assert_int_equal(out[5].imm, 0x11223344);
}

static void test_mistakes(void **state UNUSED)
{
	static const struct bpf_line nowhere[] = { ASM_GOTO(MISSING), ASM_EXIT() };
	static const struct bpf_line twice[] = { ASM_LABEL(BACK), ASM_EXIT(), ASM_LABEL(BACK) };
	static const struct bpf_line room[] = { ASM_VALUE(R1, 0), ASM_EXIT() };
	struct bpf_insn out[MAX];
	size_t nr;

	assert_int_equal(bpf_assemble(nowhere, 2, &meanings, out, MAX, &nr), -1);
	assert_int_equal(bpf_assemble(twice, 3, &meanings, out, MAX, &nr), -1);
	assert_int_equal(bpf_assemble(room, 2, &meanings, out, 2, &nr), -1);
	assert_int_equal(bpf_assemble(room, 2, &meanings, out, 3, &nr), 0);
}

/* Every label of the real programs is there, every number has a meaning. */
static void test_off_cpu(void **state UNUSED)
{
	static const int all_maps[OFF_CPU_NR_MAPS];
	static const u64 all_values[OFF_CPU_NR_VALUES];
	const struct bpf_meanings m = { all_maps, all_values };
	const struct {
		const struct bpf_line *lines;
		size_t nr;
	} programs[] = { { off_cpu_switch, off_cpu_switch_lines },
			 { off_cpu_fork, off_cpu_fork_lines } };

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		struct bpf_insn out[512];
		size_t nr;

		assert_int_equal(bpf_assemble(programs[i].lines, programs[i].nr, &m, out, 512, &nr),
				 0);
		assert_int_equal(out[nr - 1].code, BPF_JMP | BPF_EXIT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_meanings),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_off_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
