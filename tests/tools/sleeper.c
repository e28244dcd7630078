/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sleeper: sleeps in functions with known names, for the tests of the time off the CPU.
 *
 *	sleeper TIMES SHORT_MS LONG_MS
 *
 * TIMES times SHORT_MS in short_sleep(), meanwhile a child once LONG_MS in long_sleep(). The system call is made in
 * the functions themselves, which keep frame pointers, so that the innermost frame has their name.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile long result; /* no tail calls */

static inline __attribute__((always_inline)) void sleep_ms(long ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	long r;

#if defined(__x86_64__)
	__asm__ volatile("syscall" : "=a"(r) : "0"((long)SYS_nanosleep), "D"(&t), "S"(0L)
			 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = SYS_nanosleep;
	register long x0 __asm__("x0") = (long)&t;
	register long x1 __asm__("x1") = 0;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1) : "memory");
	r = x0;
#else
	r = nanosleep(&t, NULL);
#endif
	result = r;
}

__attribute__((noinline)) void short_sleep(long ms);
void short_sleep(long ms)
{
	sleep_ms(ms);
}

__attribute__((noinline)) void long_sleep(long ms);
void long_sleep(long ms)
{
	sleep_ms(ms);
}

int main(int argc, char **argv)
{
	long times = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
	long short_ms = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
	long long_ms = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
	pid_t child = long_ms ? fork() : -1;

	if (!child) {
		long_sleep(long_ms);
		return 0;
	}
	for (long i = 0; i < times; i++)
		short_sleep(short_ms);
	if (child > 0)
		waitpid(child, NULL, 0);
	return 0;
}
