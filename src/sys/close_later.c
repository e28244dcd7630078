/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/close_later.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compare.h"
#include "base/mem.h"

enum { OLD_FILES_MAX = 1 << 20, SLOW_NS = 2000000, PAUSE_NS = 1000000 };
#define NO_END UINT32_MAX

/* Kernels before 5.9 are asked for one after the other. */
static void close_range_of(u32 first, u32 last)
{
#ifdef SYS_close_range
	if (!syscall(SYS_close_range, first, last, 0))
		return;
#endif
	for (u32 fd = first; fd < OLD_FILES_MAX && fd <= last; fd++)
		close((int)fd);
}

/* The kernel holds a lock that whoever opens such an event needs, too: between two slow ones it is
 * left to others, who can open dozens meanwhile. */
static void close_kindly(int fd)
{
	static const struct timespec pause = { .tv_nsec = PAUSE_NS };
	u64 begin = clock_now();

	close(fd);
	if (clock_now() - begin > SLOW_NS)
		nanosleep(&pause, NULL);
}

/* In the new process, which has one thread: system calls alone. keep is sorted. */
static _Noreturn void wait_and_close(int parent, const int *keep, size_t nr)
{
	sigset_t none;
	u32 next = 0;
	char c;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	prctl(PR_SET_NAME, "perf-close");
	for (size_t i = 0; i < nr; i++) {
		u32 fd = (u32)keep[i];

		if (fd > next)
			close_range_of(next, fd - 1);
		next = fd + 1;
	}
	close_range_of(next, NO_END);
	/* no file system is to be busy for us; where there is no root, it stays where it is */
	if (!chdir("/"))
		next = 0;
	while (read(parent, &c, 1) < 0 && errno == EINTR)
		continue;
	for (size_t i = 0; i < nr; i++)
		close_kindly(keep[i]);
	_exit(0);
}

bool sys_close_later(const int *fds, size_t nr)
{
	_cleanup_(mem_freep) int *keep = XNEW_ARRAY(int, nr + 1);
	int pair[2];
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC) < 0)
		return false;
	for (size_t i = 0; i < nr; i++)
		keep[i] = fds[i];
	keep[nr] = pair[0];
	qsort(keep, nr + 1, sizeof(*keep), by_s32);
	pid = fork();
	if (!pid)
		wait_and_close(pair[0], keep, nr + 1);
	close(pair[0]);
	if (pid > 0)
		return true; /* pair[1] tells of our end */
	close(pair[1]);
	return false;
}
