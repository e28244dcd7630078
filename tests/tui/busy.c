/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Three quarters of its time in heavy(), a quarter in light(), both called by work(). */
#include <unistd.h>

volatile unsigned long sum;

__attribute__((noinline)) void heavy(void)
{
	for (int i = 0; i < 3000000; i++)
		sum += i;
}

__attribute__((noinline)) void light(void)
{
	for (int i = 0; i < 1000000; i++)
		sum ^= i;
}

__attribute__((noinline)) void work(void)
{
	heavy();
	light();
}

int main(void)
{
	alarm(120);
	for (;;)
		work();
}
