/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * switch context|handler|large MS: works for that time of the CPU on a stack that makecontext() set up, or on that of a signal handler, or
 * behind a large frame of which little is used.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

enum { STACK = 1 << 16 };

static volatile unsigned long sink;
static ucontext_t main_context, other;
static long until;

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static __attribute__((noinline)) void leaf(void)
{
	for (int i = 0; i < 100000; i++)
		sink += (unsigned long)i;
}

static void on_other_stack(void)
{
	while (now_ms() < until)
		leaf();
}

static void on_signal(int sig)
{
	(void)sig;
	leaf();
}

static void handle(void)
{
	stack_t stack = { .ss_sp = malloc(STACK), .ss_size = STACK };
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };

	sigaltstack(&stack, NULL);
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (now_ms() < until)
		leaf();
}

static __attribute__((noinline)) int large(void)
{
	volatile char frame[40000];

	frame[0] = 1;
	while (now_ms() < until)
		leaf();
	return frame[0] == 1 ? 0 : 1;
}

int main(int argc, char **argv)
{
	until = now_ms() + (argc > 2 ? atoi(argv[2]) : 100);
	if (argc > 1 && !strcmp(argv[1], "handler")) {
		handle();
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "large"))
		return large();
	getcontext(&other);
	other.uc_stack.ss_sp = malloc(STACK);
	other.uc_stack.ss_size = STACK;
	other.uc_link = &main_context;
	makecontext(&other, on_other_stack, 0);
	return swapcontext(&main_context, &other);
}
