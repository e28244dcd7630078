/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This program is built with frame pointers (meson.build); what it is linked with need not be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "unwind/frame_pointers.h"

static void own_program(void **state)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct frame_pointers fp;

	(void)state;
	assert_int_equal(elf_open(&f, "/proc/self/exe", NULL), 0);
	frame_pointers_read(&f, NULL, FP_CLOSE_LOOK, &fp);
	assert_true(fp.with_cfi > 100);
	assert_true(fp.covered_percent > 80);
	assert_true(fp.looked_at > 100 && fp.framed + fp.frameless <= fp.looked_at);
	assert_true(fp.framed > 50);
	assert_true(frame_pointers_verdict(&fp) == FP_KEPT ||
		    frame_pointers_verdict(&fp) == FP_MIXED);
}

/* A few of the functions tell the same of how many there are and how much of the code they are. */
static void a_glance(void **state)
{
	enum { FEW = 32 };
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct frame_pointers all, few;

	(void)state;
	assert_int_equal(elf_open(&f, "/proc/self/exe", NULL), 0);
	frame_pointers_read(&f, NULL, FP_CLOSE_LOOK, &all);
	frame_pointers_read(&f, NULL, FEW, &few);
	assert_true(few.looked_at > 0 && few.looked_at <= FEW);
	assert_int_equal(few.with_cfi, all.with_cfi);
	assert_true(few.covered_percent > 80);
}

static void verdicts(void **state)
{
	struct frame_pointers fp = { 0 };

	(void)state;
	assert_int_equal(frame_pointers_verdict(&fp), FP_UNKNOWN);
	assert_int_equal(frame_pointers_percent(&fp), 0);
	fp = (struct frame_pointers){ .framed = 90, .frameless = 10 };
	assert_int_equal(frame_pointers_verdict(&fp), FP_KEPT);
	fp.frameless = 11;
	assert_int_equal(frame_pointers_verdict(&fp), FP_MIXED);
	fp = (struct frame_pointers){ .framed = 10, .frameless = 90 };
	assert_int_equal(frame_pointers_verdict(&fp), FP_LOST);
	fp = (struct frame_pointers){ .framed = 0xffffffff, .frameless = 0 };
	assert_int_equal(frame_pointers_percent(&fp), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_program),
		cmocka_unit_test(a_glance),
		cmocka_unit_test(verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
