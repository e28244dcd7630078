/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/close_later.h"

enum { FAR = 200 };

static void make_pipe(int fds[2])
{
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
}

static int move_up(int fd, int least)
{
	int to = fcntl(fd, F_DUPFD_CLOEXEC, least);

	assert_true(to >= least);
	close(fd);
	return to;
}

/* The program that hands over: keeps nothing but go, and ends when told. */
static _Noreturn void child(const int *given, size_t nr, const int *others, size_t nr_others,
			    int go)
{
	char c;
	bool ok = sys_close_later(given, nr);

	for (size_t i = 0; i < nr; i++)
		close(given[i]);
	for (size_t i = 0; i < nr_others; i++)
		close(others[i]);
	while (read(go, &c, 1) > 0)
		continue;
	_exit(ok ? 0 : 1);
}

static bool at_end(int fd, int timeout)
{
	struct pollfd p = { .fd = fd };

	return poll(&p, 1, timeout) == 1 && p.revents & POLLHUP;
}

/* What is handed over is kept until the program has ended, and then closed; everything else is
 * closed at once, wherever it stands among the numbers. */
static void closes_behind_the_end(void **state)
{
	int low[2], between[2], high[2], above[2], go[2];
	int status;
	pid_t pid;

	(void)state;
	make_pipe(low);
	make_pipe(between);
	make_pipe(high);
	make_pipe(above);
	make_pipe(go);
	high[1] = move_up(high[1], FAR);
	above[1] = move_up(above[1], FAR + 1);

	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		/* not in order */
		const int given[] = { high[1], low[1] }, others[] = { between[1], above[1] };

		close(go[1]);
		child(given, 2, others, 2, go[0]);
	}
	close(low[1]);
	close(between[1]);
	close(high[1]);
	close(above[1]);
	close(go[0]);
	assert_true(at_end(between[0], -1));
	assert_true(at_end(above[0], -1));
	assert_false(at_end(low[0], 0));
	assert_false(at_end(high[0], 0));
	close(go[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_true(at_end(low[0], -1));
	assert_true(at_end(high[0], -1));
	close(low[0]);
	close(between[0]);
	close(high[0]);
	close(above[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closes_behind_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
