/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of a kilobyte, thirty deep, compiled with frame pointers. With -DBARE a program without a
 * library, which runs until it is killed; else the argument is its CPU time in milliseconds. With -DTRASH the
 * innermost function alone, of many, uses the frame pointer for something else. With -DASSEMBLY that calls one that
 * makes no frame. */
static volatile long sink;

#ifdef TRASH
#define FRAMED(n)                                                   \
	__attribute__((noinline, used)) static void framed_##n(int i) \
	{                                                           \
		volatile char room[100];                            \
                                                                    \
		room[i] = n;                                        \
		sink += room[i];                                    \
	}
#define FRAMED_10(n)                                                                                  \
	FRAMED(n##0) FRAMED(n##1) FRAMED(n##2) FRAMED(n##3) FRAMED(n##4) FRAMED(n##5) FRAMED(n##6) \
	FRAMED(n##7) FRAMED(n##8) FRAMED(n##9)
FRAMED_10(1)
FRAMED_10(2)
FRAMED_10(3)

__attribute__((noinline, optimize("omit-frame-pointer"))) static void leaf(void)
{
#ifdef __aarch64__
	__asm__ volatile("mov x29, #30000\n1:\tsubs x29, x29, #1\n\tb.ne 1b" ::: "x29", "cc");
#else
	__asm__ volatile("mov $30000, %%ebp\n1:\tdec %%ebp\n\tjnz 1b" ::: "rbp", "cc");
#endif
	sink++;
}
#elif defined(ASSEMBLY)
void bottom(void);
__asm__(".type bottom, @function\n"
	"bottom:\n"
	"	.cfi_startproc\n"
	"	mov $30000, %ecx\n"
	"1:	dec %ecx\n"
	"	jnz 1b\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size bottom, .-bottom\n");

__attribute__((noinline)) static void leaf(void)
{
	bottom();
	sink++;
}
#else
__attribute__((noinline)) static void leaf(void)
{
	for (int i = 0; i < 30000; i++)
		sink += i;
	sink++;
}
#endif

__attribute__((noinline)) static void deep(int n)
{
	volatile char room[1000];

	room[n] = 1;
	if (n)
		deep(n - 1);
	else
		leaf();
	sink += room[n];
}

#ifdef BARE
void _start(void)
{
	for (;;)
		deep(30);
}
#else
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	clock_t end = clock() + (argc > 1 ? atoi(argv[1]) : 300) * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		deep(30);
	return 0;
}
#endif
