/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/doctor/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

/* The instruction that stops, at the lower end of a word. */
#if defined(__x86_64__) || defined(__i386__)
#define STOP_INSN 0xccUL
#define STOP_MASK 0xffUL
#elif defined(__aarch64__)
#define STOP_INSN 0xd4200000UL
#define STOP_MASK 0xffffffffUL
#endif

NORETURN static void run_child(const char *const *argv, int report)
{
	int err = 0;

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		err = -errno; /* told apart by its sign */
	else
		execvp(argv[0], (char *const *)(uintptr_t)argv);
	if (!err)
		err = errno;
	rw_write_full(report, &err, sizeof(err));
	_exit(127);
}

/* Wait for a stop; false: it ended. */
static bool wait_stop(pid_t pid, int *signal)
{
	int status;

	while (waitpid(pid, &status, __WALL) < 0)
		if (errno != EINTR)
			return false;
	if (!WIFSTOPPED(status))
		return false;
	*signal = WSTOPSIG(status);
	return true;
}

#ifdef STOP_INSN
/* Address of the program's first instruction, as the kernel tells its loader: words are 4 bytes
 * wide in a 32-bit program. 0: unknown. */
static u64 entry_of(pid_t pid)
{
	_cleanup_(strbuf_releasep) struct strbuf auxv = STRBUF_INIT;
	_cleanup_(mem_closep) int fd = -1;
	unsigned char class = ELFCLASS64;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pread(fd, &class, 1, EI_CLASS) != 1)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	if (rw_slurp(path, &auxv, NULL) < 0)
		return 0;
	for (size_t word = class == ELFCLASS32 ? 4 : 8, at = 0; at + 2 * word <= auxv.len;
	     at += 2 * word) {
		u64 type = 0;
		u64 value = 0;

		memcpy(&type, auxv.buf + at, word);
		memcpy(&value, auxv.buf + at + word, word);
		if (type == AT_ENTRY)
			return value;
	}
	return 0;
}

/* From the exec to the first instruction of the program. */
static bool run_loader(pid_t pid)
{
	u64 entry = entry_of(pid);
	int signal = 0;
	long word;

	errno = 0;
	word = entry ? ptrace(PTRACE_PEEKTEXT, pid, (void *)(uintptr_t)entry, NULL) : -1;
	if (!entry || errno)
		return false;
	word = (long)(((unsigned long)word & ~STOP_MASK) | STOP_INSN);
	if (ptrace(PTRACE_POKETEXT, pid, (void *)(uintptr_t)entry, (void *)word) < 0)
		return false;
	do {
		/* what else arrives on the way is the loader's business */
		if (ptrace(PTRACE_CONT, pid, NULL, (void *)(long)signal) < 0 ||
		    !wait_stop(pid, &signal))
			return false;
	} while (signal != SIGTRAP);
	return true;
}
#else
static bool run_loader(pid_t pid UNUSED)
{
	errno = ENOSYS;
	return false;
}
#endif

static int load(const char *const *argv, pid_t pid, int report, struct err *e)
{
	int signal = 0;
	int err = 0;
	bool stopped;

	/* ends with the exec: the descriptor is close-on-exec */
	if (rw_read_full(report, &err, sizeof(err)) == sizeof(err)) {
		if (err > 0)
			return err_sys(e, err, "cannot run '%s'", argv[0]);
		err_sys(e, -err, "cannot hold '%s' before it runs", argv[0]);
		err_hint(e, "start it yourself and use -p PID");
		return -1;
	}
	stopped = wait_stop(pid, &signal);
	if (stopped)
		ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)(long)PTRACE_O_EXITKILL);
	if (stopped && run_loader(pid))
		return 0;
	err_set(e, ENOEXEC, "'%s' could not be loaded up to its first instruction", argv[0]);
	err_hint(e, "start it yourself and use -p PID");
	return -1;
}

int program_load(const char *const *argv, pid_t *pid, struct err *e)
{
	int report[2];
	int r;

	if (pipe2(report, O_CLOEXEC) < 0)
		return err_sys(e, errno, "cannot make a pipe");
	*pid = fork();
	if (!*pid)
		run_child(argv, report[1]);
	close(report[1]);
	r = *pid < 0 ? err_sys(e, errno, "cannot start '%s'", argv[0])
		     : load(argv, *pid, report[0], e);
	close(report[0]);
	if (r < 0 && *pid > 0)
		program_end(*pid);
	return r;
}

void program_end(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
}
