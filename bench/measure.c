/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure FILE COMMAND...: runs a command and writes "STATUS WALL_NS CPU_NS MAXRSS_KB" to FILE. A
 * small program of its own because a child's peak memory counts that of the process that forked it:
 * an interpreter in that place would hide everything below its own 12 MB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long ns(long long sec, long long nsec)
{
	return sec * 1000000000LL + nsec;
}

int main(int argc, char **argv)
{
	struct timespec a, b;
	struct rusage ru;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: measure FILE COMMAND [ARG...]\n");
		return 129;
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	pid_t pid = fork();
	if (pid == 0) {
		/* A program that wants more than the machine has fails instead of stopping it. */
		struct rlimit most = { .rlim_cur = sysconf(_SC_PHYS_PAGES) * 3 / 4 * sysconf(_SC_PAGESIZE) };
		most.rlim_max = most.rlim_cur;
		setrlimit(RLIMIT_AS, &most);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &ru) != pid)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &b);
	FILE *f = fopen(argv[1], "w");
	if (!f)
		return 1;
	fprintf(f, "%d %lld %lld %ld\n",
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
		ns(b.tv_sec - a.tv_sec, b.tv_nsec - a.tv_nsec),
		ns(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec,
		   (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1000LL),
		ru.ru_maxrss);
	return fclose(f) != 0;
}
