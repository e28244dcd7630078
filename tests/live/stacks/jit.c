/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A JIT compiler by hand: every few milliseconds it makes a function without a frame pointer, which calls
 * what it is given, and tells of it in jit-PID.dump, with call frame information. The argument is its
 * CPU time in milliseconds. x86-64. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LOAD = 0, UNWINDING_INFO = 4, EM_X86_64 = 62, PAGE = 4096, STEP = 64, FUNCTIONS = PAGE / STEP };

/* push %rbp; sub $32,%rsp; xor %ebp,%ebp; call *%rdi; add $32,%rsp; pop %rbp; ret */
static const uint8_t code[] = { 0x55, 0x48, 0x83, 0xec, 0x20, 0x31, 0xed, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x20,
				0x5d, 0xc3 };
/* As it would stand 16 bytes behind the code: CIE, FDE, and an .eh_frame_hdr. */
static const uint8_t frames[] = {
	0x14, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0,
	0x1c, 0, 0, 0, 0x1c, 0, 0, 0, 0xd0, 0xff, 0xff, 0xff, sizeof(code), 0, 0, 0, 0,
	0x41, 0x0e, 16, 0x86, 2, 0x44, 0x0e, 48, 0x48, 0x0e, 16, 0x41, 0x0e, 8, 0,
	1, 0x1b, 3, 0x3b, 0xc4, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0xb8, 0xff, 0xff, 0xff, 0xe0, 0xff, 0xff, 0xff,
};
enum { HDR = 20 };

struct record {
	uint32_t id, size;
	uint64_t time;
};

static int dump;
static uint8_t *memory;
static volatile long sink;

static void put(const void *data, size_t size)
{
	if (write(dump, data, size) != (ssize_t)size)
		exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void begin(void)
{
	struct {
		uint32_t magic, version, size, machine, pad, pid;
		uint64_t time, flags;
	} head = { 0x4a695444, 1, sizeof(head), EM_X86_64, 0, (uint32_t)getpid(), now(), 0 };
	char name[64];

	snprintf(name, sizeof(name), "jit-%d.dump", getpid());
	dump = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
	put(&head, sizeof(head));
	mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0);
	memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(1);
}

typedef void call_fn(void (*what)(void));

static call_fn *make(uint64_t number)
{
	uint8_t *at = memory + number * STEP;
	uint64_t info[] = { sizeof(frames), HDR, sizeof(frames) };
	struct {
		uint32_t pid, tid;
		uint64_t vma, addr, size, index;
	} load = { (uint32_t)getpid(), (uint32_t)getpid(), (uint64_t)at, (uint64_t)at, sizeof(code), number };
	struct record r = { UNWINDING_INFO, sizeof(r) + sizeof(info) + sizeof(frames), now() };
	char name[32] = "";

	snprintf(name, sizeof(name), "made%02d", (int)number);
	memcpy(at, code, sizeof(code));
	put(&r, sizeof(r));
	put(info, sizeof(info));
	put(frames, sizeof(frames));
	r.id = LOAD;
	r.size = (uint32_t)(sizeof(r) + sizeof(load) + strlen(name) + 1 + sizeof(code));
	put(&r, sizeof(r));
	put(&load, sizeof(load));
	put(name, strlen(name) + 1);
	put(code, sizeof(code));
	return (call_fn *)(uintptr_t)at;
}

__attribute__((noinline)) static void leaf(void)
{
	for (int i = 0; i < 30000; i++)
		sink += i;
	sink++;
}

int main(int argc, char **argv)
{
	clock_t total = (argc > 1 ? atoi(argv[1]) : 300) * (CLOCKS_PER_SEC / 1000);
	call_fn *call = NULL;

	begin();
	for (clock_t t = 0; t < total; t = clock()) {
		static long made;

		while (made <= t * (FUNCTIONS - 1) / total)
			call = make((uint64_t)made++);
		call(leaf);
	}
	return 0;
}
