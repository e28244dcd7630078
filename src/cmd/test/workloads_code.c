/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads whose code has a known shape: inlined, counted, nested, made at run time. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rw.h"
#include "cmd/test/test.h"
#include "cmd/test/workloads.h"

/* ---- inlineloop: functions that are inlined ---- */

static volatile unsigned int inline_value;

static inline __attribute__((always_inline)) void inline_leaf(unsigned int b)
{
	while (!workload_done)
		inline_value += b;
}

static inline __attribute__((always_inline)) void inline_middle(unsigned int b)
{
	inline_leaf(b);
}

static KEPT void inline_parent(unsigned int b)
{
	inline_middle(b);
}

int workload_inlineloop(int argc, const char **argv)
{
	if (!workload_begin(argc, argv))
		return WORKLOAD_WRONG_ARGUMENT;
	prctl(PR_SET_NAME, "perf-inlineloop");
	inline_parent(1);
	return 0;
}

/* ---- deterministic: so many rounds of two instructions, one of them a branch ---- */

static KEPT void deterministic_loop(unsigned int rounds)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("1:\tdecl %0\n\tjnz 1b" : "+r"(rounds) : : "cc");
#elif defined(__aarch64__)
	__asm__ volatile("1:\tsubs %w0, %w0, #1\n\tb.ne 1b" : "+r"(rounds) : : "cc");
#else
	for (volatile unsigned int i = 0; i < rounds; i++)
		continue;
#endif
}

int workload_deterministic(int argc, const char **argv)
{
	unsigned int rounds = 1000000;

	if (!workload_number(argc, argv, 0, 1, UINT32_MAX, &rounds))
		return WORKLOAD_WRONG_ARGUMENT;
	deterministic_loop(rounds);
	return 0;
}

/* ---- callchain: a system call, four functions deep ---- */

static volatile long callchain_value; /* written behind each call, so that it is no jump */

/* The C library's syscall() has no frame: its caller would be missing in chains by frame pointers.
 */
static KEPT void callchain_leaf(void)
{
	/* the frame is there before the call */
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)) : "memory");
#if defined(__x86_64__)
	long number = SYS_gettid;

	__asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
	callchain_value = number;
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_gettid;
	register long result __asm__("x0");

	__asm__ volatile("svc #0" : "=r"(result) : "r"(number) : "memory");
	callchain_value = result;
#else
	callchain_value = syscall(SYS_gettid);
#endif
}

static KEPT void callchain_inner(void)
{
	callchain_leaf();
	callchain_value = 1;
}

static KEPT void callchain_middle(void)
{
	callchain_inner();
	callchain_value = 2;
}

static KEPT void callchain_outer(void)
{
	callchain_middle();
	callchain_value = 3;
}

int workload_callchain(int argc, const char **argv)
{
	unsigned int rounds = 1;

	if (!workload_number(argc, argv, 0, 1, UINT32_MAX, &rounds))
		return WORKLOAD_WRONG_ARGUMENT;
	for (unsigned int i = 0; i < rounds; i++)
		callchain_outer();
	return 0;
}

/* ---- jitdump: a function made at run time, told in jit-PID.dump of this folder ---- */

/*
 * int f(unsigned int rounds): counts down, returns 0x5a. The file's format: the kernel's jitdump
 * specification, which JIT compilers follow.
 */
#if defined(__x86_64__)
static const u8 jit_code[] = { 0xff, 0xcf, 0x75, 0xfc, 0xb8, 0x5a, 0, 0, 0, 0xc3 };
enum { JIT_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
static const u32 jit_code[] = { 0x71000400, 0x54ffffe1, 0x52800b40, 0xd65f03c0 };
enum { JIT_MACHINE = EM_AARCH64 };
#else
static const u8 jit_code[] = { 0 };
enum { JIT_MACHINE = EM_NONE };
#endif

#define JIT_NAME "jit_workload"
enum { JIT_MAGIC = 0x4a695444, JIT_CODE_LOAD = 0, JIT_RESULT = 0x5a };

struct test_jit_file {
	u32 magic, version, header_size, machine, pad, pid;
	u64 time, flags;
	struct {
		u32 id, size;
		u64 time;
		u32 pid, tid;
		u64 vma, address, code_size, index;
	} load;
	char name[sizeof(JIT_NAME)];
	u8 code[sizeof(jit_code)];
} __attribute__((packed));
/* Mapped executable, the file is seen by a recorder. */
static int jit_write(const struct test_jit_file *file)
{
	char path[32];
	void *marker;
	int fd, bad;

	snprintf(path, sizeof(path), "jit-%d.dump", (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0) {
		fprintf(stderr, "error: cannot write '%s': %s\n", path, strerror(errno));
		return -1;
	}
	marker = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
		      0);
	bad = marker == MAP_FAILED || rw_write_full(fd, file, sizeof(*file));
	if (bad)
		fprintf(stderr, "error: cannot write '%s': %s\n", path, strerror(errno));
	close(fd); /* the mapping stays until the end */
	return bad ? -1 : 0;
}

int workload_jitdump(int argc, const char **argv)
{
	struct test_jit_file file = { .magic = JIT_MAGIC,
				      .version = 1,
				      .header_size = 40,
				      .machine = JIT_MACHINE,
				      .pid = (u32)getpid(),
				      .name = JIT_NAME };
	int (*f)(unsigned int);
	unsigned int rounds = 1;
	void *code;

	if (!workload_number(argc, argv, 0, 1, UINT32_MAX, &rounds))
		return WORKLOAD_WRONG_ARGUMENT;
	if (JIT_MACHINE == EM_NONE) {
		fprintf(stderr, "error: jitdump is for x86-64 and arm64\n");
		return 1;
	}
	code = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	memcpy(code, jit_code, sizeof(jit_code));
	if (mprotect(code, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC)) {
		perror("mprotect");
		return 1;
	}
	__builtin___clear_cache((char *)code, (char *)code + sizeof(jit_code));
	memcpy(file.code, jit_code, sizeof(jit_code));
	file.time = clock_now();
	file.load.id = JIT_CODE_LOAD;
	file.load.size = sizeof(file.load) + sizeof(file.name) + sizeof(file.code);
	file.load.time = clock_now();
	file.load.pid = file.pid;
	file.load.tid = (u32)syscall(SYS_gettid);
	file.load.vma = file.load.address = (u64)(uintptr_t)code;
	file.load.code_size = sizeof(file.code);
	if (jit_write(&file))
		return 1;
	memcpy(&f, &code, sizeof(f));
	return f(rounds) == JIT_RESULT ? 0 : 1;
}
