/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of workloads, and the end of their time. */
#include "cmd/test/workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

_Atomic(int) workload_done;

static void stop(int sig UNUSED)
{
	workload_done = 1;
}

bool workload_number(int argc, const char **argv, int n, unsigned int least, unsigned int most,
		     unsigned int *out)
{
	char *end;
	unsigned long v;

	if (n >= argc)
		return true;
	v = strtoul(argv[n], &end, 10);
	if (argv[n][0] < '0' || argv[n][0] > '9' || *end || v < least || v > most) {
		fprintf(stderr, "error: '%s' is not a number from %u to %u\n", argv[n], least,
			most);
		return false;
	}
	*out = (unsigned int)v;
	return true;
}

/* The first argument, in microseconds; without one WORKLOAD_SECONDS. False: it is no number of
 * seconds, which is told. */
static bool workload_time(int argc, const char **argv, u64 *us)
{
	const char *text = argc > 0 ? argv[0] : NULL, *at;
	u64 unit = 1000000;

	*us = WORKLOAD_SECONDS * unit;
	if (!text)
		return true;
	*us = 0;
	for (at = text; *at >= '0' && *at <= '9' && *us <= WORKLOAD_MAX_SECONDS * 1000000ULL; at++)
		*us = *us * 10 + (u64)(*at - '0') * 1000000;
	if (*at == '.' && at > text)
		while (*++at >= '0' && *at <= '9')
			*us += (u64)(*at - '0') * (unit /= 10);
	if (at > text && !*at && *us <= WORKLOAD_MAX_SECONDS * 1000000ULL)
		return true;
	fprintf(stderr, "error: '%s' is not a number from 0 to %u\n", text, WORKLOAD_MAX_SECONDS);
	return false;
}

static void workload_alarm(u64 us)
{
	struct itimerval when = { .it_value = { .tv_sec = (time_t)(us / 1000000),
						.tv_usec = (suseconds_t)(us % 1000000) } };

	workload_done = 0;
	signal(SIGALRM, stop);
	signal(SIGINT, stop);
	setitimer(ITIMER_REAL, &when, NULL);
}

bool workload_begin(int argc, const char **argv)
{
	u64 us;

	if (!workload_time(argc, argv, &us))
		return false;
	workload_alarm(us);
	return true;
}
