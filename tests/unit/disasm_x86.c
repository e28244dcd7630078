/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "disasm/disasm.h"

static struct disasm *open_x86(u16 machine, enum disasm_syntax syntax)
{
	struct disasm_opts o = { .machine = machine,
				 .is64 = machine == EM_X86_64,
				 .syntax = syntax };
	struct disasm *d = NULL;
	struct err e = ERR_INIT;

	if (disasm_open(&d, &o, &e) < 0) {
		print_message("%s\n", e.text);
		skip();
	}
	return d;
}

static size_t bytes_of(const char *hex, u8 *out)
{
	size_t n = 0;

	for (; hex[2 * n] && n < 16; n++) {
		unsigned int v = 0;

		assert_int_equal(sscanf(hex + 2 * n, "%2x", &v), 1);
		out[n] = (u8)v;
	}
	return n;
}

/* One line of objdump's; how many lines are not as ours. */
static int compare(struct disasm *d, u64 addr, const char *hex, const char *want)
{
	struct strbuf text = STRBUF_INIT;
	struct insn in;
	u8 bytes[16];
	size_t n = bytes_of(hex, bytes);
	int wrong;

	disasm_one(d, bytes, n, addr, &in, &text);
	wrong = strcmp(text.buf, want) != 0 || in.len != n;
	if (wrong)
		print_error("%llx %s (%u): '%s', not '%s'\n", (unsigned long long)addr, hex, in.len,
			    text.buf, want);
	strbuf_release(&text);
	return wrong;
}

static void text_is_objdumps(void **state UNUSED)
{
	struct disasm *att = open_x86(EM_X86_64, DISASM_ATT);
	struct disasm *intel = open_x86(EM_X86_64, DISASM_INTEL);
	_cleanup_(mem_freep) char *path = xasprintf("%s/disasm/x86_64.txt", getenv("TEST_DATA"));
	FILE *f = fopen(path, "r");
	char line[512];
	int nr = 0, wrong = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *save, *addr = strtok_r(line, "\t\n", &save);
		char *hex = strtok_r(NULL, "\t\n", &save), *a = strtok_r(NULL, "\t\n", &save);
		char *b = strtok_r(NULL, "\t\n", &save);

		if (*addr == '#')
			continue;
		assert_non_null(b);
		wrong += compare(att, strtoull(addr, NULL, 16), hex, a);
		wrong += compare(intel, strtoull(addr, NULL, 16), hex, b);
		nr++;
	}
	fclose(f);
	assert_true(nr > 500);
	assert_int_equal(wrong, 0);
	disasm_close(att);
	disasm_close(intel);
}

static void add_name(void *ctx, u64 addr, struct strbuf *out)
{
	strbuf_addf(out, " <%s+0x%llx>", (const char *)ctx, (unsigned long long)addr);
}

static void facts_are_told(void **state UNUSED)
{
	static const struct {
		const char *bytes;
		size_t n;
		struct insn want;
		const char *text;
	} insns[] = {
		{ "\xe8\x0b\x00\x00\x00",
		  5,
		  { .kind = INSN_CALL, .has_target = true, .target = 0x1010 },
		  "call   1010 <f+0x1010>" },
		{ "\x7c\xfe",
		  2,
		  { .kind = INSN_JUMP, .conditional = true, .has_target = true, .target = 0x1000 },
		  "jl     1000 <f+0x1000>" },
		{ "\xeb\x00",
		  2,
		  { .kind = INSN_JUMP, .has_target = true, .target = 0x1002 },
		  "jmp    1002 <f+0x1002>" },
		{ "\xff\xe0", 2, { .kind = INSN_JUMP }, "jmp    *%rax" },
		{ "\xff\x50\x08", 3, { .kind = INSN_CALL }, "call   *0x8(%rax)" },
		{ "\xff\x15\x02\x00\x00\x00",
		  6,
		  { .kind = INSN_CALL, .has_data = true, .data = 0x1008 },
		  "call   *0x2(%rip)        # 1008 <f+0x1008>" },
		{ "\xf3\xc3", 2, { .kind = INSN_RETURN }, "repz ret" },
		{ "\x48\x8b\x05\xf9\xff\xff\xff",
		  7,
		  { .has_data = true, .data = 0x1000 },
		  "mov    -0x7(%rip),%rax        # 1000 <f+0x1000>" },
		{ "\x0f\xff\xc0", 1, { .bad = true }, "(bad)" },
		{ "\x48", 1, { .bad = true }, "(bad)" },
	};
	char name[] = "f";
	struct disasm_opts o = {
		.machine = EM_X86_64, .is64 = true, .name = add_name, .ctx = name
	};
	struct strbuf text = STRBUF_INIT;
	struct disasm *d;
	struct insn in;

	if (disasm_open(&d, &o, NULL) < 0)
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(insns); i++) {
		const struct insn *w = &insns[i].want;

		strbuf_reset(&text);
		disasm_one(d, (const u8 *)insns[i].bytes, insns[i].n, 0x1000, &in, &text);
		assert_string_equal(text.buf, insns[i].text);
		assert_int_equal(in.bad, w->bad);
		assert_true(w->bad || in.len == insns[i].n);
		assert_int_equal(in.kind, w->kind);
		assert_int_equal(in.conditional, w->conditional);
		assert_int_equal(in.has_target, w->has_target);
		assert_int_equal(in.has_data, w->has_data);
		assert_true(!w->has_target || in.target == w->target);
		assert_true(!w->has_data || in.data == w->data);
	}
	strbuf_release(&text);
	disasm_close(d);
}

/* An instruction that goes on behind what there is, or is none, takes what there is at most. */
static void stays_within_bytes(void **state UNUSED)
{
	static const u16 machines[] = { EM_X86_64, EM_386 };
	struct strbuf text = STRBUF_INIT;
	struct insn in;
	u64 seed = 1;

	for (size_t m = 0; m < ARRAY_SIZE(machines); m++) {
		struct disasm *d = open_x86(machines[m], m ? DISASM_INTEL : DISASM_ATT);

		for (int round = 0; round < 100000; round++) {
			u8 bytes[16];
			size_t n = 1 + seed % 16;

			for (size_t i = 0; i < n; i++) {
				seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
				bytes[i] = (u8)(seed >> 33);
			}
			if (round % 2)
				bytes[0] = 0x62;
			u8 *exact = xmalloc(n); /* so that a sanitizer sees what is read behind */

			memcpy(exact, bytes, n);
			strbuf_reset(&text);
			disasm_one(d, exact, n, seed, &in, &text);
			assert_in_range(in.len, 1, n);
			assert_true(text.len > 0 && text.len == strlen(text.buf));
			assert_true(in.operands <= text.len && in.comment <= text.len);
			free(exact);
		}
		disasm_close(d);
	}
	strbuf_release(&text);
}

static void unknown_machines_are_told(void **state UNUSED)
{
	struct disasm_opts o = { .machine = EM_68K };
	struct err e = ERR_INIT;
	struct disasm *d;

	assert_int_equal(disasm_open(&d, &o, &e), -1);
	assert_true(e.text[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_objdumps),
		cmocka_unit_test(facts_are_told),
		cmocka_unit_test(stays_within_bytes),
		cmocka_unit_test(unknown_machines_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
