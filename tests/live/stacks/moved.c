/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that copies its code into other memory and lays that over the place where it was, as it is done for
 * huge pages: moved HOW MS; HOW: no, mremap (made elsewhere, moved there), fixed (made there), memfd. Runs for so
 * many milliseconds of CPU time. What copies is in libc while the code is away.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile long sink;

__attribute__((noinline)) static void inner(void)
{
	for (int i = 0; i < 10000; i++)
		sink += i;
}

__attribute__((noinline)) static void outer(void)
{
	inner();
	sink++;
}

static char *own_code(size_t *len)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[4400], perms[8];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %7s", &from, &to, perms) != 3 || perms[2] != 'x' ||
		    (unsigned long)outer < from || (unsigned long)outer >= to)
			continue;
		fclose(f);
		*len = to - from;
		return (char *)from;
	}
	exit(2);
}

static void move_code(const char *how)
{
	size_t len;
	char *code = own_code(&len), *copy;
	int fd = -1, flags = MAP_PRIVATE | MAP_ANONYMOUS;

	if (!strcmp(how, "memfd")) {
		fd = memfd_create("text", 0);
		if (fd < 0 || write(fd, code, len) != (ssize_t)len)
			exit(2);
		if (mmap(code, len, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
			exit(2);
		return;
	}
	copy = mmap(NULL, len, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (copy == MAP_FAILED)
		exit(2);
	memcpy(copy, code, len);
	if (mprotect(copy, len, PROT_READ | PROT_EXEC))
		exit(2);
	if (!strcmp(how, "mremap") && mremap(copy, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, code) == MAP_FAILED)
		exit(2);
	/* the same place executable once more: the kernel tells of that */
	if (!strcmp(how, "fixed") && (mremap(copy, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, code) == MAP_FAILED ||
				      mprotect(code, len, PROT_READ | PROT_WRITE | PROT_EXEC) ||
				      mprotect(code, len, PROT_READ | PROT_EXEC)))
		exit(2);
}

int main(int argc, char **argv)
{
	clock_t end;

	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "no") != 0)
		move_code(argv[1]);
	end = clock() + atol(argv[2]) * (CLOCKS_PER_SEC / 1000);
	while (clock() < end)
		outer();
	return 0;
}
