/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syscall_stats [-a] COMMAND [ARG...]: the system calls of a command and its children (-a: of
 * everybody else, too), a line each: call PID TID NR COUNT ERRORS TOTAL LEAST MOST VARIANCE COMM;
 * then its errors: error TID NR ERRNO COUNT; then: lost THREADS ROWS.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf/syscall_stats.h"

static double variance(const struct syscall_stats_row *r)
{
	long double nr = (long double)r->count, total = (long double)r->total;

	return r->count > 1 ? (double)(((long double)r->squares - total * total / nr) / (nr - 1))
			    : 0;
}

static int print_row(void *ctx UNUSED, const struct syscall_stats_row *r)
{
	if (!r->count)
		return 0;
	printf("call %d %d %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.1f %s\n",
	       r->pid, r->tid, r->nr, r->count, r->errors, r->total, r->least, r->most,
	       variance(r), r->comm);
	return 0;
}

static int print_part(void *ctx UNUSED, const struct syscall_stats_part *p)
{
	printf("%s %d %u %u %" PRIu64 "\n", p->is_time ? "time" : "error", p->tid, p->nr, p->part,
	       p->count);
	return 0;
}

int main(int argc, char **argv)
{
	bool all = argc > 1 && !strcmp(argv[1], "-a");
	char **command = argv + 1 + all;
	struct syscall_stats_losses lost;
	struct syscall_stats *s;
	struct err e = ERR_INIT;
	int begin[2];
	s32 pid;

	if (!*command || pipe(begin) < 0)
		return 2;
	pid = fork();
	if (!pid) {
		char c;

		close(begin[1]);
		if (read(begin[0], &c, 1) == 1)
			execvp(command[0], command);
		_exit(127);
	}
	s = syscall_stats_new(
		&(struct syscall_stats_opts){
			.tids = &pid, .nr_tids = !all, .children = true, .not_pid = getpid(),
			.by_error = true, .by_time = true },
		&e);
	if (s)
		syscall_stats_enable(s, true);
	if (!s || write(begin[1], "", 1) != 1) {
		fprintf(stderr, "error: %s\nhint: %s\n", e.text, e.hint);
		close(begin[1]);
		return 1;
	}
	waitpid(pid, NULL, 0);
	syscall_stats_enable(s, false);
	syscall_stats_rows(s, print_row, NULL);
	syscall_stats_parts(s, print_part, NULL);
	lost = syscall_stats_losses(s);
	printf("lost %" PRIu64 " %" PRIu64 "\n", lost.threads, lost.rows);
	syscall_stats_free(s);
	return 0;
}
