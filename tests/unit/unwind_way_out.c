/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where code keeps its return address, by its instructions alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unwind/way_out.h"

struct row {
	const char *what;
	const char *code;
	u32 size, at;
	bool called, is32;
	int kind; /* CFI_STEP_RULE: nothing is found */
	s32 cfa, fp;
};

#define CODE(bytes) .code = (bytes), .size = sizeof(bytes) - 1

#define SBCL_CALL_SET "\xff\xd0\x48\x0f\x42\xe3\x48\x8b\xe5\xf8\x5d\xc3"
#define SBCL_CALL "\x48\x83\xec\x10\x48\x89\x2c\x24\x48\x8b\xec" SBCL_CALL_SET
/* pop 8(%rbp); lea -16(%rbp),%rsp; mov %rbp,%rsp; clc; pop %rbp; ret */
#define SBCL_BEGIN "\x8f\x45\x08\x48\x8d\x65\xf0\x48\x8b\xe5\xf8\x5d\xc3"

static const struct row rows[] = {
	{ "add $8,%rsp; ret", CODE("\x48\x83\xc4\x08\xc3"), .kind = CFI_STEP_SP, .cfa = 16 },
	{ "the same behind a call", CODE("\xff\xd1\x48\x83\xc4\x08\xc3"), .at = 2, .called = true,
	  .kind = CFI_STEP_SP, .cfa = 16 },
	{ "add $24,%rsp; pop %rbx; pop %rbp; ret", CODE("\x48\x83\xc4\x18\x5b\x5d\xc3"),
	  .kind = CFI_STEP_SP, .cfa = 48, .fp = -16 },
	{ "before push %rbp; mov %rsp,%rbp; sub; leave; ret",
	  CODE("\x55\x48\x89\xe5\x48\x83\xec\x40\xc9\xc3"), .kind = CFI_STEP_SP, .cfa = 8 },
	{ "behind push %rbp", CODE("\x55\x48\x89\xe5\x48\x83\xec\x40\xc9\xc3"), .at = 1,
	  .kind = CFI_STEP_SP, .cfa = 16, .fp = -16 },
	{ "behind mov %rsp,%rbp", CODE("\x55\x48\x89\xe5\x48\x83\xec\x40\xc9\xc3"), .at = 4,
	  .kind = CFI_STEP_FP, .cfa = 16, .fp = -16 },
	{ "mov %rbp,%rsp; pop %rbp; what is popped then does not matter",
	  CODE("\x48\x89\xec\x5d\x41\x5a\xc2\x08\x00"), .kind = CFI_STEP_FP, .cfa = 16, .fp = -16 },
	{ "jump back to the end", CODE("\x48\x83\xc4\x18\xc3\xe8\x01\x01\x01\x01\xeb\xf4"),
	  .at = 10, .called = true, .kind = CFI_STEP_SP, .cfa = 32 },
	{ "a jump to another function", CODE("\x48\x83\xc4\x18\x5d\xe9\x01\x01\x01\x01"),
	  .kind = CFI_STEP_SP, .cfa = 40, .fp = -16 },
	{ "two ways that agree", CODE("\x74\x05\x48\x83\xc4\x08\xc3\x58\xc3"), .kind = CFI_STEP_SP,
	  .cfa = 16 },
	{ "two ways that do not", CODE("\x74\x05\x48\x83\xc4\x08\xc3\xc3"), .kind = CFI_STEP_RULE },
	{ "a call that does not return, before the next function",
	  CODE("\xe8\x01\x01\x01\x01\x0f\x1f\x00\x55\x5d\xc3"), .at = 5, .called = true,
	  .kind = CFI_STEP_RULE },
	{ "a jump that leads anywhere", CODE("\xff\xe0\xc3"), .kind = CFI_STEP_RULE },
	{ "the same, with a variable below the frame pointer", CODE("\x48\x8b\x45\xf8\xff\xe0\xc3"),
	  .kind = CFI_STEP_FP, .cfa = 16, .fp = -16 },
	{ "something above it may be a field of an object", CODE("\x48\x8b\x45\x08\xff\xe0\xc3"),
	  .kind = CFI_STEP_RULE },
	{ "HotSpot's interpreter", CODE("\x49\xba\1\2\3\4\5\6\7\0\x41\xff\x24\xda"),
	  .kind = CFI_STEP_FP_AND_SP, .cfa = 16, .fp = -16 },
	{ "HotSpot's interpreter before it returns",
	  CODE("\x48\x8b\x5d\xf8\xc9\x5e\x48\x8b\xe3\xff\xe6"), .kind = CFI_STEP_FP_AND_SP,
	  .cfa = 16, .fp = -16 },
	{ "V8: a test, a jump elsewhere, then a frame whose end pops what is not known",
	  CODE("\xf6\x43\x35\x01\x0f\x85\x72\x8c\xe2\x1f\x55\x48\x89\xe5\x56\x48\x89\xec\x5d\xc2\x10\x00"),
	  .kind = CFI_STEP_SP, .cfa = 8 },
	{ "V8: behind its frame, before calls that do not return and what follows them",
	  CODE("\x48\x89\x45\xd8\x70\x05\x48\x89\xec\x5d\xc3\x41\xff\x55\xc8\x58\x58\xc3"),
	  .kind = CFI_STEP_FP, .cfa = 16, .fp = -16 },
	{ "a frame behind a call is another function's",
	  CODE("\xe8\x01\x01\x01\x01\x90\x53\x5b\x55\x48\x89\xe5\xc9\xc2\x08\x00"),
	  .kind = CFI_STEP_RULE },
	{ "a stack pointer from elsewhere", CODE("\x48\x89\xcc\xc3"), .kind = CFI_STEP_RULE },
	{ "aligned, but by a frame pointer again", CODE("\x48\x83\xe4\xe0\xc9\xc3"),
	  .kind = CFI_STEP_FP, .cfa = 16, .fp = -16 },
	{ "what the callee pops the caller knows", CODE("\x58\xc2\x08\x00"),
	  .kind = CFI_STEP_RULE },
	{ "a frame pointer that is lost", CODE("\x48\x89\xc5\xc3"), .kind = CFI_STEP_RULE },
	{ "mov 16(%rsp),%rbp; add $24,%rsp; ret", CODE("\x48\x8b\x6c\x24\x10\x48\x83\xc4\x18\xc3"),
	  .kind = CFI_STEP_SP, .cfa = 32, .fp = -16 },
	{ "32 bits: add $12,%esp; pop %ebp; ret", CODE("\x83\xc4\x0c\x5d\xc3"), .is32 = true,
	  .kind = CFI_STEP_SP, .cfa = 20, .fp = -8 },
	{ "numbers that together are beyond 32 bits",
	  CODE("\x48\x81\xc4\xff\xff\xff\0\x48\x81\xc4\xff\xff\xff\x7f\xc3"),
	  .kind = CFI_STEP_RULE },
	{ "a frame pointer from far away", CODE("\x48\x8b\xac\x24\xff\xff\xff\x7f\xc3"),
	  .kind = CFI_STEP_RULE },
	{ "16 bits of the stack pointer", CODE("\x66\x81\xc4\x08\0\xc3"), .kind = CFI_STEP_RULE },
	{ "a call by 16 bits", CODE("\x66\xe8\0\0\xc3"), .is32 = true, .kind = CFI_STEP_RULE },
	{ "call of what follows, with a prefix, to learn where it is",
	  CODE("\x2e\xe8\0\0\0\0\x58\xc3"), .kind = CFI_STEP_SP, .cfa = 8 },
	{ "an address of 16 bits", CODE("\x67\x8b\x44\x24\xc3"), .is32 = true, .kind = CFI_STEP_SP,
	  .cfa = 4 },
	{ "vmovups -8(%rbp),%ymm8", CODE("\xc5\x7c\x10\x45\xf8\xff\xe0"), .kind = CFI_STEP_FP,
	  .cfa = 16, .fp = -16 },
	{ "vmovups -8(%r13),%ymm8", CODE("\xc4\x41\x7c\x10\x45\xf8\xff\xe0"),
	  .kind = CFI_STEP_RULE },
	/* sub $16,%rsp; mov %rbp,(%rsp); mov %rsp,%rbp; call *%rax; cmovb %rbx,%rsp; mov %rbp,%rsp;
	   clc; pop %rbp; ret */
	{ "SBCL, before a call", CODE(SBCL_CALL), .kind = CFI_STEP_FP, .cfa = 16, .fp = -16 },
	{ "before the new frame is set", CODE(SBCL_CALL), .at = 8, .kind = CFI_STEP_FP, .cfa = 16,
	  .fp = -16 },
	{ "behind it the caller's frame is further away", CODE(SBCL_CALL), .at = 11,
	  .kind = CFI_STEP_RULE },
	{ "behind the call", CODE(SBCL_CALL), .at = 13, .called = true, .kind = CFI_STEP_FP,
	  .cfa = 16, .fp = -16 },
	{ "SBCL, where the return address is not in the frame yet", CODE(SBCL_BEGIN),
	  .kind = CFI_STEP_RULE },
	{ "behind it", CODE(SBCL_BEGIN), .at = 3, .kind = CFI_STEP_FP, .cfa = 16, .fp = -16 },
	{ "before an argument of the frame, too", CODE("\x48\x8b\x45\xe8" SBCL_CALL_SET),
	  .kind = CFI_STEP_RULE },
	{ "cut off", CODE("\x48\x83\xc4"), .kind = CFI_STEP_RULE },
	{ "nothing", CODE(""), .kind = CFI_STEP_RULE },
};

static void ways_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];
		struct way_out_code code = { (const u8 *)r->code, r->size, r->at, !r->is32 };
		struct cfi_step step = { .kind = CFI_STEP_RULE };
		bool found = way_out_find(code, r->called, &step);

		if (found != (r->kind != CFI_STEP_RULE))
			fail_msg("%s: %sfound", r->what, found ? "" : "not ");
		if (found && ((int)step.kind != r->kind || step.cfa != r->cfa || step.fp != r->fp))
			fail_msg("%s: kind %u, cfa %d, fp %d", r->what, step.kind, step.cfa,
				 step.fp);
	}
}

static bool leaves_by_sp(const char *code, u32 size)
{
	return way_out_leaves_by_sp((struct way_out_code){ (const u8 *)code, size, 0, true });
}

/* As __builtin_eh_return() does, with less than two calls before it. */
static void leaving_by_sp(void **state)
{
	static const char end[] = "\x48\x89\xcc\xc3",
			  one[] = "\xe8\1\2\3\4\x75\x70\x48\x89\xcc\xc3";
	static const char two[] = "\xe8\1\2\3\4\xe8\1\2\3\4\x48\x89\xcc\xc3",
			  plain[] = "\x48\x8d\x65\xd8\xc3";

	(void)state;
	assert_true(leaves_by_sp(end, sizeof(end) - 1));
	assert_true(leaves_by_sp(one, sizeof(one) - 1));
	assert_false(leaves_by_sp(two, sizeof(two) - 1));
	assert_false(leaves_by_sp(plain, sizeof(plain) - 1));
	assert_false(leaves_by_sp(end, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_out),
		cmocka_unit_test(leaving_by_sp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
