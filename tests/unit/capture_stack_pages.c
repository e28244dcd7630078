/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/stack_pages.h"

enum { PAGES = 6 };

static bool in_memory(const u8 *page, size_t size)
{
	unsigned char seen = 0;

	/* of memory that is in no file it tells whether there is any */
	assert_int_equal(mincore((void *)(uintptr_t)page, size, &seen), 0);
	return seen & 1;
}

static void looked_at(void **state)
{
	struct stack_pages *pages = calloc(1, sizeof(*pages));
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	u8 *stack = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u64 addr = (u64)(uintptr_t)stack;
	u32 pid = (u32)getpid();
	u32 copy;
	struct iovec from = { &pid, sizeof(pid) }, to = { &copy, sizeof(copy) };

	(void)state;
	assert_non_null(pages);
	assert_ptr_not_equal(stack, MAP_FAILED);
	madvise(stack, PAGES * size, MADV_NOHUGEPAGE);
	mprotect(stack + 4 * size, size, PROT_NONE);
	if (process_vm_readv((pid_t)pid, &to, 1, &from, 1, 0) < 0 && (errno == ENOSYS || errno == EPERM))
		skip();
	assert_false(in_memory(stack + 2 * size, size));
	assert_int_equal(stack_pages_look(pages, pid, addr + size + 5, 0), 0);
	assert_int_equal(stack_pages_look(pages, pid, addr + size + 5, 2 * size), 3);
	assert_true(in_memory(stack + size, size) && in_memory(stack + 2 * size, size) &&
		    in_memory(stack + 3 * size, size));
	assert_false(in_memory(stack, size));
	/* once for a place */
	assert_int_equal(stack_pages_look(pages, pid, addr + size, 2 * size), 0);
	/* up to where there is nothing */
	assert_int_equal(stack_pages_look(pages, pid, addr + 3 * size, 3 * size), 1);
	assert_int_equal(stack_pages_look(pages, pid, addr + 4 * size, 2 * size), 0);
	/* at most so much, at no place twice, and not beyond the end of all addresses */
	assert_int_equal(stack_pages_look(pages, pid, addr, UINT64_MAX), 0);
	assert_int_equal(stack_pages_look(pages, pid, UINT64_MAX - 10, 5), 0);
	assert_int_equal(stack_pages_look(pages, 0, addr, size), 0);
	munmap(stack, PAGES * size);
	free(pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
