/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tables of stripped Go programs tell: lines, inlined calls, frames. See
 * tests/data/elf/go_tables.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"
#include "dso/symbols/go_lines.h"
#include "unwind/cfi.h"
#include "unwind/frame_pointers.h"

enum { CODE = 0x401000, FRAMES = 8 };

static struct elf_file file;
static struct strbuf bytes;

static void open_file(const char *name)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/elf/%s", getenv("TEST_DATA"), name);

	elf_close(&file);
	strbuf_reset(&bytes);
	assert_int_equal(rw_slurp(path, &bytes, NULL), 0);
	assert_int_equal(elf_open_memory(&file, bytes.buf, bytes.len, NULL), 0);
}

/* "function file:line, ..." */
static const char *frames_at(u64 addr)
{
	static struct strbuf text;
	struct go_frame frames[FRAMES];
	struct go_lines *l = go_lines_open(&file);
	size_t nr = l ? go_lines_find(l, addr, frames, FRAMES) : 0;

	strbuf_reset(&text);
	strbuf_adds(&text, l ? "" : "no table");
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(&text, "%s%s %s:%u", i ? ", " : "",
			    frames[i].function ? frames[i].function : "?",
			    frames[i].file ? frames[i].file : "?", frames[i].line);
	go_lines_close(l);
	return text.buf;
}

static void lines(void **state)
{
	static const char *const files[] = { "go102", "go116", "go118", "go120" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		open_file(files[i]);
		assert_string_equal(frames_at(CODE + 0x50), "main.first /src/first.go:10");
		assert_string_equal(frames_at(CODE + 0x53), "main.first /src/first.go:10");
		assert_string_equal(frames_at(CODE + 0x58), "main.first /src/first.go:12");
		assert_string_equal(frames_at(CODE + 0x5f), "main.first /src/first.go:12");
		assert_string_equal(frames_at(CODE + 0x64), "main.(*T).Second /src/other.go:30");
		assert_string_equal(frames_at(CODE + 0xa6), "runtime.third /src/other.go:20");
		assert_string_equal(frames_at(CODE + 0x4f), "");
		assert_string_equal(frames_at(CODE + 0xc0), "");
	}
	open_file("tiny64.so");
	assert_string_equal(frames_at(0x3b1), "no table");
}

static void inlined_calls(void **state)
{
	static const char *const files[] = { "go118", "go120" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		open_file(files[i]);
		assert_string_equal(frames_at(CODE + 0x54),
				    "main.inner /src/first.go:30, main.middle /src/first.go:20, "
				    "main.first /src/first.go:10");
		assert_string_equal(frames_at(CODE + 0x57),
				    "main.middle /src/first.go:20, main.first /src/first.go:10");
		/* Another function has the same lines, and nothing inlined. */
		assert_string_equal(frames_at(CODE + 0x64), "main.(*T).Second /src/other.go:30");
	}
}

/* The place that inlined calls are told from is believed when what is there makes sense. */
static void broken_calls(void **state)
{
	static const char middle[] = "main.middle";
	char *at;

	(void)state;
	open_file("go120");
	at = memmem(bytes.buf, bytes.len, middle, sizeof(middle));
	assert_non_null(at);
	/* A name of no name: the calls' entries lead nowhere. */
	at[0] = '\0';
	assert_string_equal(frames_at(CODE + 0x54), "main.first /src/first.go:30");
}

static void step(struct cfi *c, u64 offset, enum cfi_step_kind kind, s32 cfa)
{
	struct cfi_step s;

	assert_true(cfi_find_step(c, offset, &s));
	assert_int_equal(s.kind, kind);
	if (kind != CFI_STEP_RULE && kind != CFI_STEP_OUTERMOST)
		assert_int_equal(s.cfa, cfa);
}

static void frames(void **state)
{
	static const char *const files[] = { "go102", "go120" };
	const struct cfi_rule *rule;
	struct frame_pointers fp;
	struct cfi_step none;
	struct cfi *c;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		open_file(files[i]);
		c = cfi_open(&file, NULL);
		assert_non_null(c);
		step(c, 0x1050, CFI_STEP_SP, 8);
		step(c, 0x1054, CFI_STEP_SP, 32);
		step(c, 0x105d, CFI_STEP_SP, 32);
		step(c, 0x105e, CFI_STEP_SP, 8);
		assert_false(cfi_find_step(c, 0x104f, &none));
		assert_false(cfi_find_step(c, 0x10c0, &none));
		rule = cfi_find(c, 0x1058);
		assert_non_null(rule);
		assert_int_equal(rule->cfa.kind, CFI_REGISTER);
		assert_int_equal(rule->cfa.value, 32);
		assert_int_equal(rule->cfa.nr, 1);
		assert_int_equal(rule->regs[0].value, -8);
		/* what writes the stack pointer has its frame where the frame pointer says, what
		 * begins a stack none */
		step(c, 0x1065, i ? CFI_STEP_FP : CFI_STEP_SP, i ? 16 : 32);
		step(c, 0x10b0, i ? CFI_STEP_OUTERMOST : CFI_STEP_SP, 8);
		cfi_free(c);
		frame_pointers_read(&file, NULL, FP_CLOSE_LOOK, &fp);
		assert_int_equal(fp.with_cfi, 3);
	}
	/* another machine's; and 32 bits */
	open_file("go118");
	assert_null(cfi_open(&file, NULL));
	open_file("go116");
	c = cfi_open(&file, NULL);
	assert_non_null(c);
	rule = cfi_find(c, 0x1054);
	assert_non_null(rule);
	assert_int_equal(rule->cfa.value, 28);
	cfi_free(c);
}

/* Every bit of the tables turned once: nothing is read outside of the file. */
static void turned_bits(void **state)
{
	static const char *const files[] = { "go102", "go116", "go118", "go120" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		open_file(files[i]);
		for (size_t at = 0x1200; at < bytes.len; at++) {
			struct cfi_step s;
			struct cfi *c;

			bytes.buf[at] ^= (char)(1 << at % 8);
			frames_at(CODE + 0x54);
			c = cfi_open(&file, NULL);
			if (c)
				cfi_find_step(c, 0x1054, &s);
			cfi_free(c);
			bytes.buf[at] ^= (char)(1 << at % 8);
		}
		assert_string_equal(frames_at(CODE + 0x58), "main.first /src/first.go:12");
	}
}

static int clean_up(void **state)
{
	(void)state;
	elf_close(&file);
	strbuf_release(&bytes);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),        cmocka_unit_test(inlined_calls),
		cmocka_unit_test(broken_calls), cmocka_unit_test(frames),
		cmocka_unit_test(turned_bits),
	};

	file = (struct elf_file)ELF_FILE_INIT;
	bytes = (struct strbuf)STRBUF_INIT;
	return cmocka_run_group_tests(tests, NULL, clean_up);
}
