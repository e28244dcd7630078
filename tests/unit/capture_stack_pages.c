/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of a stack that are not in memory: those of this process. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/stacks/pages.h"

enum { PAGES = 6 };

static size_t page;
static u8 *memory;
static bool allowed;

static int setup(void **state)
{
	u64 probe = 0;
	struct iovec from = { &page, sizeof(probe) }, to = { &probe, sizeof(probe) };

	(void)state;
	page = (size_t)sysconf(_SC_PAGESIZE);
	memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		      0);
	if (memory == MAP_FAILED)
		return 1;
	madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
	mprotect(memory + (PAGES - 1) * page, page, PROT_NONE);
	allowed = process_vm_readv(getpid(), &to, 1, &from, 1, 0) > 0;
	return 0;
}

/* Of memory that is in no file it tells whether there is any. */
static bool in_memory(size_t number)
{
	unsigned char seen = 0;

	assert_int_equal(mincore(memory + number * page, page, &seen), 0);
	return seen & 1;
}

static u64 at(size_t number)
{
	return (u64)(uintptr_t)memory + number * page;
}

static void maps_what_is_missing(void **state)
{
	(void)state;
	if (!allowed)
		skip();
	memset(memory, 1, page);
	assert_false(in_memory(1) || in_memory(2) || in_memory(3));
	/* up to the last byte, from anywhere in a page */
	assert_true(stack_pages_touch((u32)getpid(), at(1) + 8, at(2) + 1));
	assert_true(in_memory(1) && in_memory(2));
	assert_false(in_memory(3));
	/* that there is no more behind it is nothing new */
	assert_true(stack_pages_touch((u32)getpid(), at(4), at(PAGES) + page));
}

static void tells_where_nothing_is(void **state)
{
	(void)state;
	if (!allowed)
		skip();
	assert_false(stack_pages_touch((u32)getpid(), at(PAGES - 1), at(PAGES)));
	/* who is gone is not known to have none */
	assert_true(stack_pages_touch(0, at(PAGES - 1), at(PAGES)));
	assert_true(stack_pages_touch(INT32_MAX, at(PAGES - 1), at(PAGES)));
	/* nothing is asked for, or the end of all addresses */
	assert_true(stack_pages_touch((u32)getpid(), at(1), at(1)));
	assert_false(stack_pages_touch((u32)getpid(), UINT64_MAX - 8, UINT64_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_what_is_missing),
		cmocka_unit_test(tells_where_nothing_is),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
