/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks that are longer than their copy: memory of this process that looks like one, with frame pointers. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/stack_rest.h"

enum { PAGES = 4, COPY = 0x200, MAX = 8, CODE = 0x400000, FAR = 0x900000 };

static size_t page;
static u64 *stack;
static u8 copy[COPY];
static struct unwind_source source;
static u64 pcs[MAX];

/* Nothing is known of code, but that it is some. */
static bool find(void *ctx, u64 pc, struct unwind_place *out)
{
	(void)ctx;
	*out = (struct unwind_place){ .addr = pc };
	return pc >= CODE && pc < 2 * FAR;
}

static u64 *at(size_t offset)
{
	return stack + offset / sizeof(*stack);
}

static void frame(size_t offset, size_t next, u64 ra)
{
	at(offset)[0] = next ? (u64)(uintptr_t)at(next) : 0;
	at(offset)[1] = ra;
}

static int setup(void **state)
{
	u64 probe;
	struct iovec from = { &page, sizeof(page) }, to = { &probe, sizeof(probe) };

	(void)state;
	page = (size_t)sysconf(_SC_PAGESIZE);
	stack = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		return 1;
	madvise(stack, PAGES * page, MADV_NOHUGEPAGE);
	mprotect(at((PAGES - 1) * page), page, PROT_NONE);
	if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) < 0)
		return errno == ENOSYS || errno == EPERM ? 0 : 1;
	source.objects = unwind_objects_new();
	source.cache = unwind_cache_new();
	source.find = find;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	if (source.cache) {
		unwind_cache_free(source.cache);
		unwind_objects_free(source.objects);
	}
	munmap(stack, PAGES * page);
	return 0;
}

/* The walk in the copy alone. */
static struct unwind_job begin(size_t max)
{
	const struct unwind_abi *abi = unwind_abi_find("x86_64", false);
	struct unwind_job job = { .abi = abi, .pcs = pcs, .max = max,
				  .regs = { .valid = 1ULL << abi->sp | 1ULL << abi->fp, .pc = CODE } };

	memset(stack, 0, COPY);
	frame(0x10, 0x100, CODE + 0x10);
	frame(0x100, page + 0x10, CODE + 0x20);
	memcpy(copy, stack, COPY);
	unwind_cache_clear(source.cache);
	unwind_source_give(&source, &job);
	job.stack = (struct unwind_stack){ .bytes = copy, .addr = (u64)(uintptr_t)stack, .size = COPY };
	job.regs.v[abi->sp] = job.stack.addr;
	job.regs.v[abi->fp] = (u64)(uintptr_t)at(0x10);
	/* a register that points just above the copy is a frame's, farther it might be anything */
	at(0x100)[0] = job.stack.addr + COPY + 0x10;
	memcpy(copy, stack, COPY);
	frame(COPY + 0x10, page + 0x10, CODE + 0x30);
	frame(page + 0x10, page + 0x100, CODE + 0x40);
	frame(page + 0x100, 2 * page, CODE + 0x50);
	unwind_walk(&job, 1, unwind_source_lookup);
	assert_int_equal(job.nr, 3);
	assert_int_equal(job.end, UNWIND_TRUNCATED);
	return job;
}

static void goes_on(void **state)
{
	struct stack_rest rest = { 0 };
	struct unwind_job job;

	(void)state;
	if (!source.cache)
		skip();
	job = begin(6);
	stack_rest_walk(&rest, &job, (u32)getpid());
	assert_int_equal(job.end, UNWIND_FULL);
	assert_int_equal(job.nr, 6);
	assert_int_equal(pcs[2], CODE + 0x20 - 1);
	assert_int_equal(pcs[3], CODE + 0x30 - 1);
	assert_int_equal(pcs[5], CODE + 0x50 - 1);
	assert_int_equal(job.stack.size, COPY);
	assert_ptr_equal(job.stack.bytes, copy);

	/* where it was called the last one has called something else meanwhile */
	job = begin(6);
	at(0x100)[1] = CODE + 0x28;
	stack_rest_walk(&rest, &job, (u32)getpid());
	assert_int_equal(job.end, UNWIND_FULL);
	stack_rest_release(&rest);
}

static void stays(void **state)
{
	struct stack_rest rest = { 0 };
	struct unwind_job job;

	(void)state;
	if (!source.cache)
		skip();
	/* another function is there now */
	job = begin(6);
	at(0x100)[1] = FAR;
	stack_rest_walk(&rest, &job, (u32)getpid());
	assert_int_equal(job.end, UNWIND_TRUNCATED);
	assert_int_equal(job.nr, 3);
	/* nobody */
	job = begin(6);
	stack_rest_walk(&rest, &job, 0);
	assert_int_equal(job.nr, 3);
	/* what it leads to is no code, or nothing */
	job = begin(6);
	at(page + 0x10)[1] = 5;
	stack_rest_walk(&rest, &job, (u32)getpid());
	assert_int_equal(job.end, UNWIND_TRUNCATED);
	assert_int_equal(job.nr, 3);
	job = begin(6);
	at(page + 0x10)[1] = 0;
	stack_rest_walk(&rest, &job, (u32)getpid());
	assert_int_equal(job.end, UNWIND_TRUNCATED);
	assert_int_equal(job.nr, 3);
	/* the end of the stack */
	job = begin(6);
	job.stack.addr = (u64)(uintptr_t)at((PAGES - 1) * page) - COPY;
	job.sp = job.stack.addr + 0x108 + 8;
	job.needs = job.stack.addr + COPY + 0x10;
	memcpy(at((PAGES - 1) * page) - COPY / 8, copy, COPY);
	stack_rest_walk(&rest, &job, (u32)getpid());
	assert_int_equal(job.nr, 3);
	assert_int_equal(job.end, UNWIND_BROKEN);
	/* the end of all addresses */
	job = begin(6);
	job.stack.addr = UINT64_MAX - COPY;
	stack_rest_walk(&rest, &job, (u32)getpid());
	assert_int_equal(job.nr, 3);
	stack_rest_release(&rest);
}

/* Of memory that is in no file it tells whether there is any. */
static bool in_memory(size_t offset)
{
	unsigned char seen = 0;

	assert_int_equal(mincore(at(offset), page, &seen), 0);
	return seen & 1;
}

static void unused_pages(void **state)
{
	struct stack_rest rest = { 0 };
	struct unwind_job job;

	(void)state;
	if (!source.cache)
		skip();
	job = begin(6);
	madvise(at(page), 2 * page, MADV_DONTNEED);
	assert_false(in_memory(page) || in_memory(2 * page));
	stack_rest_walk(&rest, &job, (u32)getpid());
	assert_int_equal(job.end, UNWIND_TRUNCATED);
	assert_true(in_memory(page) && in_memory(2 * page));
	/* also where there is no call to know the function by */
	job = begin(6);
	madvise(at(page), 2 * page, MADV_DONTNEED);
	job.nr = 1;
	stack_rest_walk(&rest, &job, (u32)getpid());
	assert_int_equal(job.nr, 1);
	assert_true(in_memory(page) && in_memory(2 * page));
	stack_rest_release(&rest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goes_on),
		cmocka_unit_test(stays),
		cmocka_unit_test(unused_pages),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
