/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls by number and architecture, and their arguments as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "trace/args.h"
#include "trace/groups.h"

static const char *comm_of(void *ctx, u32 tid)
{
	return tid == 42 ? ctx : NULL;
}

static const char *path_of(void *ctx __attribute__((unused)), u32 pid, s32 fd)
{
	return pid == 7 && fd == 3 ? "/etc/\033[1m" : NULL;
}

static struct trace_lookup names = { .comm = comm_of, .path = path_of };

static struct trace_syscalls *calls;

static int set_up(void **state __attribute__((unused)))
{
	names.ctx = (void *)(uintptr_t) "ls";
	calls = trace_syscalls_new(TRACE_X86_64);
	return 0;
}

static int tear_down(void **state __attribute__((unused)))
{
	trace_syscalls_free(calls);
	return 0;
}

static void expect(u64 nr, const u64 *args, const char *text)
{
	struct strbuf out = STRBUF_INIT;
	struct trace_call c = { .syscall = trace_syscall(calls, nr), .args = args, .pid = 7 };

	trace_call_add(&out, &c, &names);
	assert_string_equal(out.buf, text);
	strbuf_release(&out);
}

#define EXPECT(nr, text, ...) expect(nr, (const u64[TRACE_ARGS]){ __VA_ARGS__ }, text)

static void shows_arguments_by_type(void **state __attribute__((unused)))
{
	EXPECT(0, "read(fd: 3</etc/\\x1b[1m>, buf: 0x10, count: 5)", 3, 16, 5);
	EXPECT(0, "read(count: -1)", 0, 0, UINT64_MAX);
	EXPECT(7, "poll(nfds: 1, timeout_msecs: -1)", 0, 1, 0xffffffff);
	EXPECT(62, "kill(pid: 42 (ls), sig: TERM)", 42, 15);
	EXPECT(62, "kill(pid: -1, sig: RT_32)", UINT32_MAX, 64);
	EXPECT(83, "mkdir(pathname: 0x1, mode: IRUGO|IXUGO|ISVTX|IWUSR)", 1, 01755);
	EXPECT(257, "openat(dfd: CWD, filename: 0x1, flags: RDONLY|CLOEXEC)", (u64)-100, 1,
	       02000000);
	EXPECT(257, "openat(dfd: CWD, flags: RDWR|CREAT, mode: IRUSR|IWUSR)", 0xffffff9c, 0, 0102,
	       0600);
	EXPECT(257, "openat(dfd: CWD, flags: RDWR|WRONLY|0x20)", (u64)-100, 0, 0x23, 7);
}

/* trace.show_zeros: flags of nothing and pointers to nothing are something to read. */
static void shows_zeros(void **state __attribute__((unused)))
{
	names.zeros = true;
	EXPECT(10, "mprotect(start: 0x10, len: 0, prot: NONE)", 16, 0, 0);
	EXPECT(62, "kill(pid: 0, sig: 0)", 0, 0);
	EXPECT(230, "clock_nanosleep(which_clock: REALTIME, flags: 0, rqtp: NULL, rmtp: NULL)", 0,
	       0, 0, 0);
	EXPECT(90, "chmod(filename: NULL, mode: 0)", 0, 0);
	names.zeros = false;
}

static void shows_what_depends_on_others(void **state __attribute__((unused)))
{
	EXPECT(9, "mmap(len: 4096, prot: READ, flags: PRIVATE|ANONYMOUS)", 0, 4096, 1, 0x22, 5, 6);
	EXPECT(9, "mmap(len: 4096, prot: READ, flags: SHARED, fd: 4, off: 0x1000)", 0, 4096, 1, 1,
	       4, 4096);
	EXPECT(41, "socket(family: INET, type: STREAM|CLOEXEC, protocol: TCP)", 2, 02000001, 6);
	EXPECT(41, "socket(family: NETLINK, type: RAW, protocol: XFRM)", 16, 3, 6);
	EXPECT(54, "setsockopt(fd: 5, level: SOCKET, optname: REUSEADDR, optval: 0x9, optlen: 4)",
	       5, 1, 2, 9, 4);
	EXPECT(54, "setsockopt(fd: 5, level: TCP, optname: NODELAY, optval: 0x9, optlen: 4)", 5, 6,
	       1, 9, 4);
	EXPECT(54, "setsockopt(fd: 5, level: IPV6, optname: V6ONLY, optval: 0x9, optlen: 4)", 5, 41,
	       26, 9, 4);
	EXPECT(55, "getsockopt(fd: 5, level: IP, optname: TTL)", 5, 0, 2);
	EXPECT(55, "getsockopt(fd: 5, level: IP, optname: MCAST_BLOCK_SOURCE)", 5, 0, 43);
	EXPECT(55, "getsockopt(fd: 5, level: TCP, optname: INFO)", 5, 6, 11);
	EXPECT(55, "getsockopt(fd: 5, level: TCP, optname: 3000)", 5, 6, 3000);
	EXPECT(95, "umask(mask: 022)", 022);
	EXPECT(334, "rseq(rseq: 0x9, rseq_len: 32, sig: 0x53053053)", 9, 32, 0, 0x53053053);
	EXPECT(72, "fcntl(fd: 5, cmd: SETFD, arg: CLOEXEC)", 5, 2, 1);
	EXPECT(72, "fcntl(fd: 5, cmd: SETOWN, arg: 42 (ls))", 5, 8, 42);
	EXPECT(72, "fcntl(fd: 5, cmd: GETFD)", 5, 1, 99);
	EXPECT(157, "prctl(option: SET_PDEATHSIG, arg2: KILL)", 1, 9, 7, 7, 7);
	EXPECT(202, "futex(uaddr: 0x9, op: WAKE|PRIVATE_FLAG, val: 1)", 9, 129, 1, 2, 3, 4);
	EXPECT(16, "ioctl(fd: 5, cmd: TCGETS, arg: 0x9)", 5, 0x5401, 9);
	EXPECT(16, "ioctl(fd: 5, cmd: (READ|WRITE, 0xff, 0xff, 0x3fff))", 5, UINT32_MAX);
}

static void shows_unknown_calls(void **state __attribute__((unused)))
{
	EXPECT(100000, "syscall_100000(arg0: 0x1, arg2: 0x3)", 1, 0, 3);
	EXPECT((u64)-1, "syscall_-1()", 0);
	for (u64 nr = 1000; nr < 20000; nr++)
		assert_non_null(trace_syscall(calls, nr)->name);
}

static void expect_result(u64 nr, s64 result, const char *text)
{
	struct strbuf out = STRBUF_INIT;
	struct trace_call c = { .syscall = trace_syscall(calls, nr) };

	trace_result_add(&out, &c, result, &names);
	assert_string_equal(out.buf, text);
	strbuf_release(&out);
}

static void shows_results(void **state __attribute__((unused)))
{
	expect_result(0, 17, "17");
	expect_result(9, 0x1000, "0x1000");
	expect_result(7, 0, "0 (Timeout)");
	expect_result(7, 1, "1");
	expect_result(61, 42, "42 (ls)");
	expect_result(61, 0, "0");
	expect_result(0, -2, "-1 ENOENT (No such file or directory)");
	expect_result(35, -516, "-1 ERESTART_RESTARTBLOCK (interrupted by a signal)");
	expect_result(0, -4000, "-1 (error 4000)");
	expect_result(0, -5000, "-5000");
	expect_result(72, 2, "2");
}

static void knows_architectures(void **state __attribute__((unused)))
{
	struct trace_syscalls *i386 = trace_syscalls_new(TRACE_I386);
	struct trace_syscalls *arm64 = trace_syscalls_new(TRACE_ARM64);
	enum trace_arch arch;

	assert_string_equal(trace_syscall(i386, 5)->name, "open");
	assert_false(trace_syscall(i386, 90)->known); /* mmap() has one argument there */
	assert_string_equal(trace_syscall(arm64, 56)->name, "openat");
	assert_string_equal(trace_syscall(arm64, 435)->name, "clone3");
	assert_true(trace_arch_parse("i686", &arch) && arch == TRACE_I386);
	assert_false(trace_arch_parse("s390x", &arch));
	trace_syscalls_free(i386);
	trace_syscalls_free(arm64);
}

static void knows_groups(void **state __attribute__((unused)))
{
	assert_true(trace_call_is(trace_syscall(calls, 257), "file"));
	assert_true(trace_call_is(trace_syscall(calls, 257), "%desc"));
	assert_true(trace_call_is(trace_syscall(calls, 257), "open*"));
	assert_false(trace_call_is(trace_syscall(calls, 257), "open"));
	assert_false(trace_call_is(trace_syscall(calls, 0), "file"));
	assert_true(trace_call_is(trace_syscall(calls, 41), "network"));
	assert_true(trace_word_is_call(calls, "signal"));
	assert_false(trace_word_is_call(calls, "sched:sched_switch"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_arguments_by_type),
		cmocka_unit_test(shows_zeros),
		cmocka_unit_test(shows_what_depends_on_others),
		cmocka_unit_test(shows_unknown_calls),
		cmocka_unit_test(shows_results),
		cmocka_unit_test(knows_architectures),
		cmocka_unit_test(knows_groups),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
