/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks this program's own stack, through libc and a signal frame; glibc's backtrace() is the
 * oracle. */
#include <execinfo.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <ucontext.h>

#include <cmocka.h>

#include "base/mem.h"
#include "unwind/call_site.h"
#include "unwind/expr.h"
#include "unwind/walk.h"

enum { MAX = 64, OBJECTS = 64 };

struct object {
	u64 start, end, offset;
	struct cfi *cfi;
};

static struct object objects[OBJECTS];
static size_t nr_objects;

static int add_object(struct dl_phdr_info *info, size_t size, void *ctx)
{
	const char *path = info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;

	(void)size;
	(void)ctx;
	for (int i = 0; i < info->dlpi_phnum && nr_objects < OBJECTS; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		struct object *o = &objects[nr_objects];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || elf_open(&f, path, NULL) < 0)
			continue;
		*o = (struct object){ .start = info->dlpi_addr + p->p_vaddr,
				      .offset = p->p_offset,
				      .cfi = cfi_open(&f, NULL) };
		o->end = o->start + p->p_filesz;
		elf_close(&f);
		f = (struct elf_file)ELF_FILE_INIT;
		nr_objects++;
	}
	return 0;
}

static bool follow_all; /* rules without what they come to */

static void lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	static struct unwind_rule found;

	(void)ctx;
	*out = (struct unwind_code){ 0 };
	for (size_t i = 0; i < nr_objects; i++) {
		const struct object *o = &objects[i];

		if (pc < o->start || pc >= o->end)
			continue;
		out->mapped = true;
		found = (struct unwind_rule){ .cfi = o->cfi, .offset = pc - o->start + o->offset };
		found.has_rule = o->cfi && cfi_find_step(o->cfi, found.offset, &out->step);
		out->rule = found.has_rule ? &found : NULL;
		if (follow_all)
			out->step.kind = CFI_STEP_RULE;
	}
}

static size_t walk(const struct unwind_abi *abi, const struct unwind_regs *regs,
		   const struct unwind_stack *stack, unwind_lookup_fn *fn, void *ctx, u64 *pcs,
		   size_t max, enum unwind_end *end)
{
	struct unwind_job job = {
		.abi = abi, .regs = *regs, .stack = *stack, .ctx = ctx, .pcs = pcs, .max = max
	};

	unwind_walk(&job, 1, fn);
	*end = job.end;
	return job.nr;
}

static struct {
	u64 pcs[MAX];
	size_t nr;
	enum unwind_end end;
	void *oracle[MAX];
	int nr_oracle;
} got;

static void start_regs(const struct unwind_abi *abi, const ucontext_t *uc, struct unwind_regs *regs)
{
	u64 words[40] = { 0 };
	struct unwind_reg_words where = { 0 };

#if defined(__x86_64__)
	static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI,
				     REG_RDI, REG_RBP, REG_RSP, REG_RIP };
	static const int high[] = { REG_R8,  REG_R9,  REG_R10, REG_R11,
				    REG_R12, REG_R13, REG_R14, REG_R15 };

	for (int i = 0; i < 9; i++)
		words[i] = (u64)uc->uc_mcontext.gregs[order[i]];
	for (int i = 0; i < 8; i++)
		words[9 + i] = (u64)uc->uc_mcontext.gregs[high[i]];
	assert_true(unwind_regs_from_sample(&where, abi, 0xff01ff, words, regs));
#elif defined(__aarch64__)
	memcpy(words, uc->uc_mcontext.regs, 31 * sizeof(u64));
	words[31] = uc->uc_mcontext.sp;
	words[32] = uc->uc_mcontext.pc;
	assert_true(unwind_regs_from_sample(&where, abi, 0x1ffffffff, words, regs));
#endif
}

static void *stack_top;
extern void *__libc_stack_end; /* of the dynamic loader: the stack pointer at _start */

static const struct unwind_abi *own_abi(void)
{
	struct utsname host;

	return uname(&host) ? NULL : unwind_abi_find(host.machine, false);
}

/* By words and unchecked: there are gaps between variables that sanitizers watch. */
static __attribute__((noinline, no_sanitize("address"))) void copy_stack(u64 *to, u64 addr,
									 u64 size)
{
	const volatile u64 *from = (const volatile u64 *)(uintptr_t)addr;

	for (u64 i = 0; i < size / sizeof(u64); i++)
		to[i] = from[i];
}

static struct unwind_known known[UNWIND_KNOWN];
static size_t learned;
static struct unwind_span span; /* of one of the objects; their numbers begin with 1 */

static bool find_span(void *ctx, u64 pc)
{
	(void)ctx;
	for (size_t i = 0; i < nr_objects; i++) {
		const struct object *o = &objects[i];

		if (pc < o->start || pc >= o->end)
			continue;
		span = (struct unwind_span){ .start = o->start,
					     .len = o->end - o->start,
					     .shift = o->offset - o->start,
					     .object = (u32)i + 1 };
		return true;
	}
	return false;
}

static u32 known_at(u64 pc)
{
	return find_span(NULL, pc) ? unwind_known_at(span.object, pc + span.shift) : 0;
}

static void learn(const struct unwind_address *addresses, size_t nr)
{
	assert_in_range(nr, 1, UNWIND_SIDE_BY_SIDE);
	for (size_t i = 0; i < nr; i++) {
		u64 pc = addresses[i].pc;
		struct unwind_code code;

		lookup(addresses[i].ctx, pc, &code);
		assert_true(find_span(NULL, pc));
		known[known_at(pc)] = (struct unwind_known){ .addr = pc + span.shift,
							     .object = span.object,
							     .step = code.step };
		learned++;
	}
}

/* Whether two of the addresses have one place in known, where each drives the other out. */
static bool have_one_place(void)
{
	for (size_t i = 0; i < got.nr; i++)
		for (size_t k = 0; k < i; k++)
			if (known_at(got.pcs[i]) == known_at(got.pcs[k]) &&
			    got.pcs[i] != got.pcs[k])
				return true;
	return false;
}

/* Several at once are as each alone, also where some end before others. trail: NULL = nothing is
 * remembered. */
static void side_by_side(const struct unwind_abi *abi, const struct unwind_regs *regs,
			 const struct unwind_stack *stack, struct unwind_trail *trail)
{
	struct unwind_job jobs[UNWIND_SIDE_BY_SIDE];
	u64 pcs[UNWIND_SIDE_BY_SIDE][MAX];

	for (size_t i = 0; i < UNWIND_SIDE_BY_SIDE; i++)
		jobs[i] = (struct unwind_job){ .abi = abi,
					       .regs = *regs,
					       .stack = *stack,
					       .known = trail ? known : NULL,
					       .learn = learn,
					       .span = &span,
					       .find_span = find_span,
					       .trail = trail,
					       .tid = 1,
					       .pcs = pcs[i],
					       .max = i % 2 ? MAX : i };
	unwind_walk(jobs, UNWIND_SIDE_BY_SIDE, lookup);
	for (size_t i = 0; i < UNWIND_SIDE_BY_SIDE; i++) {
		assert_int_equal(jobs[i].nr, MIN(got.nr, jobs[i].max));
		assert_memory_equal(pcs[i], got.pcs, jobs[i].nr * sizeof(u64));
		assert_int_equal(jobs[i].end, jobs[i].nr == got.nr ? got.end : UNWIND_FULL);
	}
}

/* The same with what earlier walks met, and where they came by; that may be wrong. */
static void with_memory(const struct unwind_abi *abi, const struct unwind_regs *regs,
			const struct unwind_stack *stack)
{
	static struct unwind_trail trail;
	size_t before;

	side_by_side(abi, regs, stack, NULL);
	side_by_side(abi, regs, stack, &trail);
	before = learned;
	side_by_side(abi, regs, stack, &trail);
	if (follow_all || abi->link_register)
		return;
	if (!have_one_place())
		assert_int_equal(learned, before);
	assert_int_equal(trail.tid, 1);
	assert_in_range(trail.nr, 1, MAX);
	trail.nr = ARRAY_SIZE(trail.traces);
	for (u32 i = 0; i < trail.nr; i++)
		trail.traces[i] = (struct unwind_trace){ stack->addr * i, ~(u64)i, i };
	side_by_side(abi, regs, stack, &trail);
}

/* Both walks from one place. */
static __attribute__((noinline)) void take(void)
{
	const struct unwind_abi *abi = own_abi();
	_cleanup_(mem_freep) u64 *copy = NULL;
	struct unwind_stack stack = { 0 };
	struct unwind_regs regs;
	ucontext_t uc;

	getcontext(&uc);
	start_regs(abi, &uc, &regs);
	stack.addr = regs.v[abi->sp];
	stack.size = (u64)(uintptr_t)stack_top - stack.addr;
	copy = xmalloc(stack.size);
	copy_stack(copy, stack.addr, stack.size);
	stack.bytes = (const u8 *)copy;
	got.nr = walk(abi, &regs, &stack, lookup, NULL, got.pcs, MAX, &got.end);
	got.nr_oracle = backtrace(got.oracle, MAX);
	with_memory(abi, &regs, &stack);
}

static int compare(const void *a, const void *b)
{
	if (!got.nr)
		take();
	return *(const int *)a - *(const int *)b;
}

/* The innermost frames differ (take() itself, what a sanitizer puts around backtrace()); callers
 * are given by their call's last byte. */
static void check_against_oracle(u64 trampoline)
{
	size_t more = (size_t)got.nr_oracle - got.nr;

	assert_true(got.nr > 4);
	assert_true((size_t)got.nr_oracle >= got.nr);
	assert_int_equal(got.end, UNWIND_COMPLETE);
	for (size_t i = 1; i < got.nr; i++) {
		u64 want = (u64)(uintptr_t)got.oracle[i + more];

		if (got.pcs[i] == want) /* the trampoline and what was interrupted */
			assert_true(trampoline-- > 0);
		else
			assert_int_equal(got.pcs[i], want - 1);
	}
	assert_int_equal(trampoline, 0);
}

static void through_libc(void **state)
{
	int v[] = { 3, 2, 1 };

	(void)state;
	got.nr = 0;
	qsort(v, 3, sizeof(*v), compare);
	check_against_oracle(0);
}

static void all_registers(void **state)
{
	follow_all = true;
	through_libc(state);
	follow_all = false;
}

static size_t repeated_pcs(void)
{
	size_t nr = 0;

	for (size_t i = 1; i < got.nr; i++)
		nr += got.pcs[i] == got.pcs[i - 1];
	return nr;
}

static __attribute__((noinline)) int call_again(int n)
{
	if (n)
		n = call_again(n - 1);
	else
		take();
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

/* The same return address several times in a row. */
static void recursion(void **state)
{
	(void)state;
	got.nr = 0;
	assert_int_equal(call_again(5), 6);
	check_against_oracle(0);
	assert_in_range(repeated_pcs(), 1, 4);
}

#if defined(__x86_64__)
/*
 * Calls itself n times, then last(). Its frame is found by rbx, which it got back from those that
 * it called: unlike the frame pointer and the stack pointer, nothing but the rules tells where.
 */
void frames_by_rbx(long n, void (*last)(void));
__asm__(".text\n"
	".type frames_by_rbx, @function\n"
	"frames_by_rbx:\n"
	".cfi_startproc\n"
	"push %rbx\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset rbx, -16\n"
	"mov %rsp, %rbx\n"
	".cfi_def_cfa_register rbx\n"
	"sub $48, %rsp\n"
	"dec %rdi\n"
	"js 1f\n"
	"call frames_by_rbx\n"
	"jmp 2f\n"
	"1: call *%rsi\n"
	"2: mov %rbx, %rsp\n"
	".cfi_def_cfa_register rsp\n"
	"pop %rbx\n"
	".cfi_def_cfa_offset 8\n"
	".cfi_restore rbx\n"
	"ret\n"
	".cfi_endproc\n"
	".size frames_by_rbx, . - frames_by_rbx\n");

/* rbx is another one in here. */
static __attribute__((noinline)) void last_of_frames(void)
{
	u64 other = 1;

	__asm__ volatile("mov %0, %%rbx" : : "r"(other) : "rbx");
	take();
	__asm__ volatile("" : : : "memory");
}

static void saved_registers(void **state)
{
	(void)state;
	got.nr = 0;
	frames_by_rbx(3, last_of_frames);
	check_against_oracle(0);
	assert_int_equal(repeated_pcs(), 2);
}
#else
static void saved_registers(void **state)
{
	(void)state;
	skip();
}
#endif

static void on_signal(int sig)
{
	(void)sig;
	take();
}

static void through_signal(void **state)
{
	(void)state;
	got.nr = 0;
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	signal(SIGUSR1, SIG_DFL);
	check_against_oracle(2);
}

static void cut_stack(void **state)
{
	void *top = stack_top;
	int v[] = { 3, 2, 1 };

	(void)state;
	got.nr = 0;
	stack_top = (u8 *)__builtin_frame_address(0) - 16;
	qsort(v, 3, sizeof(*v), compare);
	stack_top = top;
	assert_int_equal(got.end, UNWIND_TRUNCATED);
	assert_true(got.nr > 0 && got.nr < (size_t)got.nr_oracle);
}

/* 0x1000: behind the instruction that pops the frame pointer; its caller, at 0x2000, has a frame
 * pointer. */
static void epilogue_lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	static struct unwind_rule found;
	static const struct cfi_step steps[] = {
		{ .kind = CFI_STEP_SP, .cfa = 16, .fp = -32 },
		{ .kind = CFI_STEP_FP, .cfa = 16 },
		{ .kind = CFI_STEP_OUTERMOST },
	};
	const struct cfi_rule *const *rules = ctx;
	int i = pc == 0x1000 ? 0 : pc == 0x1fff ? 1 : 2;

	found = (struct unwind_rule){ .has_rule = true, .rule = rules[i], .cfi = objects[0].cfi };
	*out = (struct unwind_code){ .rule = &found, .mapped = true };
	/* rules of arm64 come to no steps */
	if (!follow_all && !own_abi()->link_register)
		out->step = steps[i];
}

static void epilogue(void **state)
{
	const struct unwind_abi *abi = own_abi();
	const size_t size = sizeof(struct cfi_rule) + 2 * sizeof(struct cfi_reg);
	_cleanup_(mem_freep) struct cfi_rule *popped = xcalloc(1, size);
	_cleanup_(mem_freep) struct cfi_rule *caller = xcalloc(1, size);
	_cleanup_(mem_freep) struct cfi_rule *outermost = xcalloc(1, size);
	const struct cfi_rule *rules[] = { popped, caller, outermost };
	const u64 words[] = { 0, 0x2000, 0, 0, 0x3000, 0 };
	struct unwind_stack stack = { .bytes = (const u8 *)words,
				      .addr = 0x7000,
				      .size = sizeof(words) };
	struct unwind_regs regs = { .valid = 1ULL << abi->sp | 1ULL << abi->fp, .pc = 0x1000 };
	enum unwind_end end;
	u64 pcs[4];

	(void)state;
	popped->cfa =
		(struct cfi_cfa){ .kind = CFI_REGISTER, .reg = abi->sp, .nr = 2, .value = 16 };
	popped->regs[0] = (struct cfi_reg){ .column = abi->fp, .kind = CFI_OFFSET, .value = -32 };
	popped->regs[1] = (struct cfi_reg){ .column = abi->ra, .kind = CFI_OFFSET, .value = -8 };
	caller->cfa =
		(struct cfi_cfa){ .kind = CFI_REGISTER, .reg = abi->fp, .nr = 1, .value = 16 };
	caller->regs[0] = (struct cfi_reg){ .column = abi->ra, .kind = CFI_OFFSET, .value = -8 };
	outermost->cfa = caller->cfa;
	outermost->regs[0] = (struct cfi_reg){ .column = abi->ra, .kind = CFI_UNDEFINED };
	regs.v[abi->sp] = 0x7000;
	regs.v[abi->fp] = 0x7018;
	assert_int_equal(walk(abi, &regs, &stack, epilogue_lookup, rules, pcs, 4, &end), 3);
	assert_int_equal(end, UNWIND_COMPLETE);
	assert_int_equal(pcs[1], 0x1fff);
	assert_int_equal(pcs[2], 0x2fff);
}

/* A handler at 0x1000 that musl's or Go's code at 0x5000 called; it interrupted 0x3000. */
static void trampoline_lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	static const u8 code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };

	static struct unwind_rule found;

	found = (struct unwind_rule){ .has_rule = pc == 0x1000,
				      .rule = pc == 0x1000 ? ctx : NULL,
				      .cfi = objects[0].cfi };
	if (pc == 0x4fff)
		found.trampoline = trampoline_find(EM_X86_64, code, sizeof(code));
	*out = (struct unwind_code){ .mapped = true, .rule = &found };
	if (found.rule)
		out->step = (struct cfi_step){ .kind = CFI_STEP_SP, .cfa = 8 };
}

static void trampolines(void **state)
{
	enum { RBP = 40 + 80, RSP = 40 + 120, RIP = 40 + 128 };
	const struct unwind_abi *abi = unwind_abi_find("x86_64", false);
	_cleanup_(mem_freep) struct cfi_rule *handler = xcalloc(1, sizeof(struct cfi_rule) +
									   sizeof(struct cfi_reg));
	u64 words[40] = { 0x5000 };
	struct unwind_stack stack = { .bytes = (const u8 *)words,
				      .addr = 0x7000,
				      .size = sizeof(words) };
	struct unwind_regs regs = { .valid = 1ULL << abi->sp, .pc = 0x1000 };
	enum unwind_end end;
	u64 pcs[4];

	(void)state;
	if (!objects[0].cfi || cfi_abi(objects[0].cfi) != abi)
		skip();
	handler->cfa =
		(struct cfi_cfa){ .kind = CFI_REGISTER, .reg = abi->sp, .nr = 1, .value = 8 };
	handler->regs[0] = (struct cfi_reg){ .column = abi->ra, .kind = CFI_OFFSET, .value = -8 };
	words[1 + RBP / 8] = 0x7110;
	words[0x118 / 8] = 0x6000;
	words[1 + RSP / 8] = 0x7100;
	words[1 + RIP / 8] = 0x3000;
	regs.v[abi->sp] = 0x7000;
	assert_int_equal(walk(abi, &regs, &stack, trampoline_lookup, handler, pcs, 4, &end), 3);
	assert_int_equal(pcs[1], 0x5000);
	assert_int_equal(pcs[2], 0x3000);

	/* in the trampoline's system call, whose address is behind its last instruction */
	regs.pc = 0x5009;
	regs.v[abi->sp] = 0x7008;
	assert_int_equal(walk(abi, &regs, &stack, trampoline_lookup, handler, pcs, 4, &end), 2);
	assert_int_equal(pcs[0], 0x5009);
	assert_int_equal(pcs[1], 0x3000);
	assert_null(trampoline_find(EM_X86_64, (const u8 *)"\x48\xc7\xc0\x0e\0\0\0\x0f\x05", 9));
	assert_null(trampoline_find(
		EM_AARCH64,
		trampoline_find(EM_X86_64, (const u8 *)"\xb8\x0f\0\0\0\x0f\x05", 7)->code, 9));
}

/* The stack of the handler is not the one that was interrupted. */
static void own_stack_of_a_handler(void **state)
{
	enum { RSP = 40 + 120, RIP = 40 + 128 };
	const struct unwind_abi *abi = unwind_abi_find("x86_64", false);
	_cleanup_(mem_freep) struct cfi_rule *handler = xcalloc(1, sizeof(struct cfi_rule) +
									   sizeof(struct cfi_reg));
	u64 words[40] = { 0x5000 };
	struct unwind_stack stack = { .bytes = (const u8 *)words,
				      .addr = 0x7000,
				      .size = sizeof(words) };
	struct unwind_regs regs = { .valid = 1ULL << abi->sp, .pc = 0x1000 };
	const u64 others[] = { 0x7f0000000000, 0x100 };
	enum unwind_end end;
	u64 pcs[4];

	(void)state;
	if (!objects[0].cfi || cfi_abi(objects[0].cfi) != abi)
		skip();
	handler->cfa =
		(struct cfi_cfa){ .kind = CFI_REGISTER, .reg = abi->sp, .nr = 1, .value = 8 };
	handler->regs[0] = (struct cfi_reg){ .column = abi->ra, .kind = CFI_OFFSET, .value = -8 };
	words[1 + RIP / 8] = 0x3000;
	regs.v[abi->sp] = 0x7000;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		words[1 + RSP / 8] = others[i];
		assert_int_equal(walk(abi, &regs, &stack, trampoline_lookup, handler, pcs, 4, &end),
				 3);
		assert_int_equal(end, UNWIND_OTHER_STACK);
		assert_int_equal(pcs[2], 0x3000);
	}
}

/* 0x1000 was called; what is behind 0x2000 has rules if the context says so, what is in front of it
 * never. */
static void begin_lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	static struct unwind_rule found;

	found = (struct unwind_rule){ .has_rule = pc == 0x1000 ||
						  (pc >= 0x2000 && *(const bool *)ctx),
				      .cfi = objects[0].cfi };
	*out = (struct unwind_code){ .mapped = true, .rule = &found };
	if (found.has_rule)
		out->step = (struct cfi_step){ .kind = CFI_STEP_SP, .cfa = 8 };
}

static void where_stacks_begin(void **state)
{
	const struct unwind_abi *abi = unwind_abi_find("x86_64", false);
	/* two arguments */
	u64 words[] = { 0x2000, 2, 0x7100, 0x7108, 0, 0 };
	struct unwind_stack stack = { .bytes = (const u8 *)words,
				      .addr = 0x7000,
				      .size = sizeof(words) };
	struct unwind_regs regs = { .valid = 1ULL << abi->sp | 1ULL << abi->fp, .pc = 0x1000 };
	enum unwind_end end;
	bool in_front = false;
	u64 pcs[4];

	(void)state;
	if (!objects[0].cfi || cfi_abi(objects[0].cfi) != abi)
		skip();
	regs.v[abi->sp] = 0x7000;
	assert_int_equal(walk(abi, &regs, &stack, begin_lookup, &in_front, pcs, 4, &end), 2);
	assert_int_equal(end, UNWIND_COMPLETE);
	words[4] = 1;
	walk(abi, &regs, &stack, begin_lookup, &in_front, pcs, 4, &end);
	assert_int_equal(end, UNWIND_NO_RULE);
	in_front = true;
	assert_int_equal(walk(abi, &regs, &stack, begin_lookup, &in_front, pcs, 4, &end), 2);
	assert_int_equal(end, UNWIND_COMPLETE);
	assert_int_equal(pcs[1], 0x1fff);
	in_front = false;
	words[4] = 0;
	regs.v[abi->fp] = 5;
	walk(abi, &regs, &stack, begin_lookup, &in_front, pcs, 4, &end);
	assert_int_equal(end, UNWIND_NO_RULE);
}

/* 0x100000 has no table; 0x200000, its caller, has one, and nobody called it. */
static void bare_lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	static struct unwind_rule found;

	(void)ctx;
	found = (struct unwind_rule){ .has_rule = pc == 0x1fffff, .cfi = objects[0].cfi };
	*out = (struct unwind_code){ .mapped = pc == 0x1fffff || pc == 0x100000, .rule = &found };
	if (found.has_rule)
		out->step = (struct cfi_step){ .kind = CFI_STEP_OUTERMOST };
}

static struct cfi_step bare_step;
static bool soon, behind_call;

static bool bare_way_out(void *ctx, const struct unwind_abi *abi, u64 pc, bool called,
			 struct cfi_step *out)
{
	(void)ctx;
	(void)abi;
	assert_true(pc == 0x100000 && !called);
	*out = bare_step;
	return bare_step.kind != CFI_STEP_RULE;
}

static bool bare_leaves(void *ctx, const struct unwind_abi *abi, u64 pc)
{
	(void)ctx;
	(void)abi;
	(void)pc;
	return soon;
}

static bool bare_returns(void *ctx, u64 ra)
{
	(void)ctx;
	(void)ra;
	return behind_call;
}

static const struct unwind_code_reader bare_code = { bare_way_out, bare_leaves, bare_returns };

/* Proven by the code and the call; else a guess by the frame pointer, or nothing. */
static void code_without_rules(void **state)
{
	const struct unwind_abi *abi = unwind_abi_find("x86_64", false);
	u64 words[] = { 1, 2, 0x200000, 0x7030, 0x200000, 0, 0, 0 };
	u64 pcs[8];
	struct unwind_job job = {
		.abi = abi,
		.pcs = pcs,
		.max = 8,
		.code = &bare_code,
		.stack = { .bytes = (const u8 *)words, .addr = 0x7000, .size = sizeof(words) },
		.regs = { .valid = 1ULL << abi->sp | 1ULL << abi->fp, .pc = 0x100000 }
	};

	(void)state;
	if (!objects[0].cfi || cfi_abi(objects[0].cfi) != abi)
		skip();
	job.regs.v[abi->sp] = 0x7000;
	job.regs.v[abi->fp] = 0x7018;
	behind_call = true;
	bare_step = (struct cfi_step){ .kind = CFI_STEP_SP, .cfa = 24 };
	unwind_walk(&job, 1, bare_lookup);
	assert_int_equal(job.nr, 2);
	assert_int_equal(job.guessed, 0);
	assert_int_equal(job.end, UNWIND_COMPLETE);
	assert_int_equal(job.sp, 0x7018);
	bare_step = (struct cfi_step){ .kind = CFI_STEP_FP, .cfa = 16, .fp = -16 };
	unwind_walk(&job, 1, bare_lookup);
	assert_int_equal(job.end, UNWIND_COMPLETE);
	assert_int_equal(job.sp, 0x7028);

	/* an interpreter's frame, whose arguments lie above it; what is no place for it proves
	 * nothing */
	bare_step.kind = CFI_STEP_FP_AND_SP;
	words[2] = 0x7038;
	unwind_walk(&job, 1, bare_lookup);
	assert_int_equal(job.end, UNWIND_COMPLETE);
	assert_int_equal(job.sp, 0x7038);
	words[2] = 0x200000;
	unwind_walk(&job, 1, bare_lookup);
	assert_int_equal(job.end, UNWIND_GUESSED);

	/* it is said to be beyond the copy */
	bare_step = (struct cfi_step){ .kind = CFI_STEP_SP, .cfa = sizeof(words) + 8 };
	unwind_walk(&job, 1, bare_lookup);
	assert_int_equal(job.end, UNWIND_TRUNCATED);
	assert_int_equal(job.nr, 1);

	/* nothing called from there: whatever the frame pointer leads to is a guess */
	behind_call = false;
	bare_step = (struct cfi_step){ .kind = CFI_STEP_SP, .cfa = 24 };
	unwind_walk(&job, 1, bare_lookup);
	assert_int_equal(job.nr, 2);
	assert_int_equal(job.guessed, 1);
	assert_int_equal(job.end, UNWIND_GUESSED);
	/* which has to lead somewhere, and to more than was asked for */
	job.max = 1;
	unwind_walk(&job, 1, bare_lookup);
	assert_int_equal(job.guessed, 0);
	assert_int_equal(job.end, UNWIND_NO_RULE);
	job.max = 8;
	words[4] = 0x12345678;
	unwind_walk(&job, 1, bare_lookup);
	assert_int_equal(job.nr, 1);
	assert_int_equal(job.guessed, 0);
	assert_int_equal(job.end, UNWIND_NO_RULE);
}

/* 0x100000 saves rax, rdx and its return address, as the unwinder of exceptions does. */
static void unwinder_lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	static struct unwind_rule found;

	found = (struct unwind_rule){ .has_rule = true,
				      .cfi = objects[0].cfi,
				      .rule = pc == 0x100000 ? ctx : NULL };
	*out = (struct unwind_code){ .mapped = true, .rule = &found };
	if (pc != 0x100000)
		out->step = (struct cfi_step){ .kind = CFI_STEP_OUTERMOST };
}

static void lost_callers(void **state)
{
	const struct unwind_abi *abi = unwind_abi_find("x86_64", false);
	_cleanup_(mem_freep) struct cfi_rule *saves = xcalloc(
		1, sizeof(struct cfi_rule) + 3 * sizeof(struct cfi_reg));
	u64 words[] = { 1, 2, 0x200000, 0 };
	u64 pcs[8];
	struct unwind_job job = {
		.abi = abi,
		.pcs = pcs,
		.max = 8,
		.code = &bare_code,
		.ctx = saves,
		.stack = { .bytes = (const u8 *)words, .addr = 0x7000, .size = sizeof(words) },
		.regs = { .valid = 1ULL << abi->sp | 1ULL << abi->fp, .pc = 0x100000 }
	};

	(void)state;
	if (!objects[0].cfi || cfi_abi(objects[0].cfi) != abi)
		skip();
	saves->cfa = (struct cfi_cfa){ .kind = CFI_REGISTER, .reg = abi->sp, .nr = 3, .value = 24 };
	saves->regs[0] = (struct cfi_reg){ .column = 0, .kind = CFI_OFFSET, .value = -24 };
	saves->regs[1] = (struct cfi_reg){ .column = 1, .kind = CFI_OFFSET, .value = -16 };
	saves->regs[2] = (struct cfi_reg){ .column = abi->ra, .kind = CFI_OFFSET, .value = -8 };
	job.regs.v[abi->sp] = 0x7000;
	soon = false;
	unwind_walk(&job, 1, unwinder_lookup);
	assert_int_equal(job.nr, 2);
	assert_int_equal(job.end, UNWIND_COMPLETE);
	soon = true;
	unwind_walk(&job, 1, unwinder_lookup);
	assert_int_equal(job.nr, 1);
	assert_int_equal(job.end, UNWIND_BROKEN);
}

/* 0x100000 has a rule; its caller at 0x200000 has none of its own. */
static void told_lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	static struct unwind_rule found;

	(void)ctx;
	found = (struct unwind_rule){ .has_rule = true, .cfi = objects[0].cfi };
	*out = (struct unwind_code){ .mapped = pc == 0x100000 || pc == 0x1fffff };
	if (!out->mapped)
		return;
	out->rule = &found;
	out->step = (struct cfi_step){ .kind = pc == 0x1fffff ? CFI_STEP_OUTERMOST : CFI_STEP_SP,
				       .cfa = 8 };
}

/* What lies outside of the copy is not known. */
static void outside(void **state)
{
	const struct unwind_abi *abi = unwind_abi_find("x86_64", false);
	u64 words[2] = { 1, 2 }, value;
	struct unwind_stack stack = { .bytes = (const u8 *)words,
				      .addr = 0x7000,
				      .size = sizeof(words) };
	u64 pcs[8];
	struct unwind_job job = { .abi = abi,
				  .pcs = pcs,
				  .max = 8,
				  .stack = stack,
				  .regs = { .valid = 1ULL << abi->sp | 1ULL << abi->fp,
					    .pc = 0x100000 } };

	(void)state;
	assert_true(unwind_stack_word(&stack, 0x7008, 8, &value) && value == 2);
	assert_true(unwind_stack_word(&stack, 0x700c, 4, &value) && value == 0);
	assert_false(unwind_stack_word(&stack, 0x700c, 8, &value));
	assert_false(unwind_stack_word(&stack, 0x8000, 8, &value));
	assert_false(unwind_stack_word(&stack, UINT64_MAX, 8, &value));
	if (!objects[0].cfi || cfi_abi(objects[0].cfi) != abi)
		skip();
	job.regs.v[abi->sp] = 0x7010;
	unwind_walk(&job, 1, told_lookup);
	assert_int_equal(job.end, UNWIND_TRUNCATED);
}

static void call_sites(void **state)
{
	static const struct {
		u8 code[CALL_SITE_BYTES];
		enum call_kind kind;
		s32 target;
	} cases[] = {
		{ { 0, 0, 0xe8, 0xf0, 0xff, 0xff, 0xff }, CALL_DIRECT, -16 },
		{ { 0, 0, 0, 0, 0, 0xff, 0xd0 }, CALL_INDIRECT, 0 }, /* %rax */
		{ { 0, 0, 0, 0, 0xff, 0x50, 0x08 }, CALL_INDIRECT, 0 }, /* 8(%rax) */
		{ { 0, 0, 0, 0xff, 0x54, 0xc7, 0x08 }, CALL_INDIRECT, 0 }, /* 8(%r15,%rax,8) */
		{ { 0, 0xff, 0x15, 1, 2, 3, 4 }, CALL_INDIRECT, 0 }, /* slot(%rip) */
		{ { 0xff, 0x94, 0x24, 1, 2, 0, 0 }, CALL_INDIRECT, 0 }, /* 513(%rsp) */
		{ { 0xff, 0x14, 0xc5, 1, 2, 3, 4 }, CALL_INDIRECT, 0 }, /* table(,%rax,8) */
		{ { 0, 0, 0, 0, 0, 0xff, 0xe0 }, CALL_NONE, 0 }, /* jmp *%rax */
		{ { 0, 0xe8, 1, 2, 3, 4, 0x90 }, CALL_NONE, 0 },
		{ { 0, 0, 0, 0, 0, 0xff, 0x50 }, CALL_NONE, 0 }, /* its number is missing */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct call_site c = call_site_before(cases[i].code);

		assert_int_equal(c.kind, cases[i].kind);
		if (c.kind == CALL_DIRECT)
			assert_int_equal(c.target, cases[i].target);
	}
}

static bool evaluates(const struct unwind_abi *abi, const struct unwind_regs *regs, const u8 *code,
		      u16 len, u64 *v)
{
	const struct unwind_expr expr = { .code = code, .len = len };
	struct unwind_stack stack = { 0 };
	u32 steps = UNWIND_EXPR_STEPS;
	bool ok = unwind_expr(abi, regs, &stack, &expr, &steps, v);

	assert_true(steps < UNWIND_EXPR_STEPS);
	return ok;
}

static void expressions(void **state)
{
	/* The PLT's: rsp + 8 + ((rip & 15) >= 11) * 8 */
	static const u8 plt[] = {
		0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22
	};
	static const u8 forever[] = { 0x2f, 0xfd, 0xff };
	static const u8 outside[] = { 0x2f, 0x10, 0x00 };
	static const u8 zero[] = { 0x31, 0x30, 0x1b };
	const struct unwind_abi *abi = unwind_abi_find("x86_64", false);
	struct unwind_regs regs = { .valid = 1 << 7 | 1 << 16 };
	u64 v = 0;

	(void)state;
	regs.v[7] = 1000;
	regs.v[16] = 0x40b;
	assert_true(evaluates(abi, &regs, plt, sizeof(plt), &v));
	assert_int_equal(v, 1016);
	regs.v[16] = 0x406;
	assert_true(evaluates(abi, &regs, plt, sizeof(plt), &v));
	assert_int_equal(v, 1008);
	assert_false(evaluates(abi, &regs, forever, sizeof(forever), &v));
	assert_false(evaluates(abi, &regs, outside, sizeof(outside), &v));
	assert_false(evaluates(abi, &regs, zero, sizeof(zero), &v));
}

/* Questions asked side by side have the answers of those asked one by one; what nobody asked for is
 * not known. */
static void questions(void **state)
{
	enum { STRIDE = 7, ROUNDS = 400 };
	size_t answered = 0;

	(void)state;
	for (size_t i = 0; i < (size_t)ROUNDS * UNWIND_SIDE_BY_SIDE; i += UNWIND_SIDE_BY_SIDE) {
		struct cfi_question q[UNWIND_SIDE_BY_SIDE] = { 0 };

		for (size_t n = 0; n < UNWIND_SIDE_BY_SIDE; n++) {
			const struct object *o = &objects[(i + n) % nr_objects];

			q[n] = (struct cfi_question){
				.c = o->cfi,
				.offset = o->offset + (i + n) * STRIDE % (o->end - o->start)
			};
		}
		cfi_find_steps(q, UNWIND_SIDE_BY_SIDE);
		for (size_t n = 0; n < UNWIND_SIDE_BY_SIDE; n++) {
			struct cfi_step step = { 0 };
			bool found = q[n].c && cfi_find_step(q[n].c, q[n].offset, &step);

			answered += q[n].found;
			assert_true(found || !q[n].found);
			if (q[n].found)
				assert_memory_equal(&q[n].step, &step, sizeof(step));
		}
	}
	assert_true(answered > 0);
}

/* Where registers are is found anew when a sample has others than the one before. */
static void registers_of_events(void **state)
{
	enum { ALL_TO_PC = 0x1ff, SP_AND_PC = 0x180, PC = 0x100 };
	const struct unwind_abi *abi = unwind_abi_find("x86_64", false);
	const u64 words[9] = { 10, 11, 12, 13, 14, 15, 16, 17, 18 };
	struct unwind_reg_words where = { 0 };
	struct unwind_regs regs;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_true(unwind_regs_from_sample(&where, abi, ALL_TO_PC, words, &regs));
		assert_int_equal(regs.v[abi->sp], 17);
		assert_int_equal(regs.pc, 18);
		assert_true(unwind_regs_from_sample(&where, abi, SP_AND_PC, words, &regs));
		assert_int_equal(regs.v[abi->sp], 10);
		assert_int_equal(regs.pc, 11);
		assert_false(regs.valid >> abi->fp & 1);
		assert_false(unwind_regs_from_sample(&where, abi, PC, words, &regs));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(through_libc),        cmocka_unit_test(all_registers),
		cmocka_unit_test(recursion),           cmocka_unit_test(saved_registers),
		cmocka_unit_test(through_signal),      cmocka_unit_test(cut_stack),
		cmocka_unit_test(questions),           cmocka_unit_test(epilogue),
		cmocka_unit_test(trampolines),         cmocka_unit_test(own_stack_of_a_handler),
		cmocka_unit_test(where_stacks_begin),  cmocka_unit_test(code_without_rules),
		cmocka_unit_test(lost_callers),        cmocka_unit_test(outside),
		cmocka_unit_test(registers_of_events), cmocka_unit_test(call_sites),
		cmocka_unit_test(expressions),
	};
	int ret;

	stack_top = __libc_stack_end;
	dl_iterate_phdr(add_object, NULL);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	for (size_t i = 0; i < nr_objects; i++)
		cfi_free(objects[i].cfi);
	return ret;
}
