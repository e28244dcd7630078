/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters of samples: what texts mean, what is wrong with others, and the programs, run by a small
 * machine. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "bpf/sample_filter.h"
#include "bpf/sample_filter_program.h"

enum { DATA_AT = 8, IP_AT = 0, SRC_AT = 8, SAMPLE_BYTES = 16, MAX = 512 };

static bool parses(struct sample_filter *f, const char *text)
{
	struct err e = ERR_INIT;

	if (!sample_filter_parse(f, text, &e))
		return true;
	assert_true(e.text[0]);
	return false;
}

static void test_texts(void **state UNUSED)
{
	struct sample_filter f;

	assert_true(parses(&f, " period>=0x10 ,cpu==1||cpu == 2"));
	assert_int_equal(f.nr, 3);
	assert_int_equal(f.conditions[0].op, BPF_JGE);
	assert_int_equal(f.conditions[0].value, 16);
	assert_false(f.conditions[0].or_next);
	assert_true(f.conditions[1].or_next);
	assert_int_equal(f.conditions[1].term, f.conditions[2].term);
	assert_true(parses(&f, "ip < 1 && ip > 2"));
	assert_false(f.conditions[0].or_next);
	assert_true(parses(&f, "mem_op == store"));
	assert_int_equal(f.conditions[0].value, 4);
	assert_true(parses(&f, "mem_op & 3"));
	assert_int_equal(f.conditions[0].op, BPF_JSET);
}

static void test_mistakes(void **state UNUSED)
{
	static const char *const wrong[] = { "", ",", "ip", "ip ==", "ip == x", "ip = 1", "ips == 1", "ip == 1,",
					     "ip == 1 ip == 2", "ip == 1 ||", "ip == -1", "ip == 1x", "mem_op == l1",
					     "ip == 1 && ip == 2 || ip == 3", "ip == 18446744073709551616" };
	char many[SAMPLE_FILTER_CONDITIONS * 8 + 16] = "";
	struct sample_filter f;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_false(parses(&f, wrong[i]));
	for (size_t i = 0; i < SAMPLE_FILTER_CONDITIONS; i++)
		strcat(many, i ? ",ip==1" : "ip==1");
	assert_true(parses(&f, many));
	assert_false(parses(&f, strcat(many, ",ip==1")));
}

struct machine {
	u64 r[11];
	u64 dropped;
	struct {
		u64 nothing;
		const u8 *data;
	} context;
};

static bool jumps(u8 op, u64 a, u64 b)
{
	switch (op) {
	case BPF_JA: return true;
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JGT: return a > b;
	case BPF_JGE: return a >= b;
	case BPF_JLT: return a < b;
	case BPF_JLE: return a <= b;
	case BPF_JSET: return a & b;
	default: fail_msg("jump 0x%x", op); return false;
	}
}

static void compute(struct machine *m, const struct bpf_insn *i)
{
	u64 by = BPF_SRC(i->code) == BPF_X ? m->r[i->src_reg] : (u64)i->imm;
	u64 *to = &m->r[i->dst_reg];

	switch (BPF_OP(i->code)) {
	case BPF_MOV: *to = by; break;
	case BPF_AND: *to &= by; break;
	case BPF_OR: *to |= by; break;
	case BPF_LSH: *to <<= by; break;
	case BPF_RSH: *to >>= by; break;
	default: fail_msg("operation 0x%x", i->code);
	}
}

static void load(struct machine *m, const struct bpf_insn *i)
{
	const u8 *from = (const u8 *)(uintptr_t)m->r[i->src_reg] + i->off;
	size_t size = BPF_SIZE(i->code) == BPF_DW ? 8 : BPF_SIZE(i->code) == BPF_W ? 4 : 2;

	m->r[i->dst_reg] = 0;
	memcpy(&m->r[i->dst_reg], from, size);
}

/* Runs until the end; the call gives what the kernel's cast gives, the address of the map's value is that of the count. */
static u64 run(struct machine *m, const struct bpf_insn *insns, size_t nr)
{
	for (size_t at = 0; at < nr; at++) {
		const struct bpf_insn *i = &insns[at];

		if (i->code == (BPF_JMP | BPF_EXIT))
			return m->r[R0];
		if (i->code == (BPF_JMP | BPF_CALL)) {
			m->r[R0] = i->src_reg == BPF_PSEUDO_KFUNC_CALL ? (u64)(uintptr_t)&m->context
								       : 7ULL << 32 | 5;
		} else if (BPF_CLASS(i->code) == BPF_JMP) {
			if (jumps(BPF_OP(i->code), m->r[i->dst_reg], m->r[i->src_reg]))
				at += (size_t)i->off;
		} else if (i->code == (BPF_LD | BPF_IMM | BPF_DW)) {
			m->r[i->dst_reg] = i->src_reg ? (u64)(uintptr_t)&m->dropped
						      : (u32)i->imm | (u64)(u32)insns[at + 1].imm << 32;
			at++;
		} else if (BPF_CLASS(i->code) == BPF_LDX) {
			load(m, i);
		} else if (BPF_CLASS(i->code) == BPF_STX) {
			m->dropped += m->r[i->src_reg];
		} else {
			compute(m, i);
		}
	}
	fail_msg("no end");
	return 0;
}

/* Whether a sample at that address, of an access with that description, matches. */
static bool matches(const char *text, u64 ip, u64 source)
{
	static const struct filter_term ip_term = { .name = "ip", .size = 8 },
					op_term = { .name = "mem_op", .size = 8, .bits = { { 0, 5 } } },
					snoop_term = { .name = "mem_snoop", .size = 8,
						       .bits = { { 19, 5 }, { 38, 2 } } },
					uid_term = { .source = FILTER_UID }, gid_term = { .source = FILTER_GID };
	const struct filter_term *terms[SAMPLE_FILTER_CONDITIONS];
	u32 members[SAMPLE_FILTER_CONDITIONS];
	u64 values[SAMPLE_FILTER_CONDITIONS], kept;
	const int map = 3;
	const struct filter_kernel k = { .cast = 77, .data = DATA_AT, .members = members };
	const struct bpf_meanings meanings = { &map, values };
	struct bpf_line lines[FILTER_LINES_MAX];
	struct bpf_insn insns[MAX];
	u8 sample[SAMPLE_BYTES];
	struct machine m = { .context.data = sample };
	struct sample_filter f;
	const char *word = text;
	size_t nr;

	assert_true(parses(&f, text));
	for (size_t i = 0; i < f.nr; i++) {
		terms[i] = strncmp(word, "mem_s", 5) == 0 ? &snoop_term
			   : *word == 'm'		  ? &op_term
			   : *word == 'u'		  ? &uid_term
			   : *word == 'g'		  ? &gid_term
							  : &ip_term;
		members[i] = *word == 'm' ? SRC_AT : IP_AT;
		values[i] = f.conditions[i].value;
		word += strcspn(word, ",|");
		word += strspn(word, ",| ");
	}
	memcpy(sample + IP_AT, &ip, 8);
	memcpy(sample + SRC_AT, &source, 8);
	assert_int_equal(bpf_assemble(lines, filter_lines(lines, &f, terms, &k), &meanings, insns, MAX, &nr), 0);
	kept = run(&m, insns, nr);
	assert_int_equal(m.dropped, !kept);
	return kept;
}

static void test_programs(void **state UNUSED)
{
	const u64 load_fwd = 2 | 1ULL << 38, store_hit = 4 | 4ULL << 19;

	assert_true(matches("ip == 5", 5, 0));
	assert_false(matches("ip == 5", 6, 0));
	assert_true(matches("ip >= 0xffff000000000000", ~0ULL, 0));
	assert_false(matches("ip >= 0xffff000000000000", 1, 0));
	assert_true(matches("ip > 3, ip < 6", 5, 0));
	assert_false(matches("ip > 3, ip < 6", 7, 0));
	assert_true(matches("ip == 1 || ip == 2, mem_op == load", 2, load_fwd));
	assert_false(matches("ip == 1 || ip == 2, mem_op == load", 3, load_fwd));
	assert_false(matches("ip == 1 || ip == 2, mem_op == load", 1, store_hit));
	assert_true(matches("mem_op == load || mem_op == store", 0, store_hit));
	assert_true(matches("mem_snoop == fwd", 0, load_fwd));
	assert_true(matches("mem_snoop == hit", 0, store_hit));
	assert_false(matches("mem_snoop & miss", 0, store_hit));
	assert_true(matches("uid == 5, gid == 7", 0, 0));
	assert_false(matches("uid != 5", 0, 0));
}

/* Of as many conditions as there may be, each with the most lines. */
static void test_longest(void **state UNUSED)
{
	char text[SAMPLE_FILTER_CONDITIONS * 24] = "";

	for (size_t i = 0; i < SAMPLE_FILTER_CONDITIONS; i++)
		strcat(text, i ? ",mem_snoop & hit" : "mem_snoop & hit");
	assert_true(matches(text, 0, 4ULL << 19));
	assert_false(matches(text, 0, 8ULL << 19));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
