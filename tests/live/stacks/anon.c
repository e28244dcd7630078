/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stacks of compiled languages are seldom like. Arguments: what, milliseconds of CPU time.
 * jit: code in memory alone, without frame pointer, unwind tables or a name, which calls back; above its
 * caller's address it leaves what earlier calls wrote. hole: a thread with a frame of several pages that it does not
 * use. push, push-0: assembly that pushes data without telling its unwind tables. x86-64. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* push %rbp; sub $512,%rsp; xor %ebp,%ebp; call *%rdi; add $512,%rsp; pop %rbp; ret */
static const uint8_t code[] = { 0x55, 0x48, 0x81, 0xec, 0, 2, 0, 0, 0x31, 0xed, 0xff, 0xd7, 0x48, 0x81, 0xc4, 0, 2, 0, 0,
				0x5d, 0xc3 };
typedef void call_fn(void (*what)(void));

static volatile long sink;
static clock_t end;
static call_fn *volatile call;
static void (*volatile step)(int depth);

__attribute__((noinline)) static void leaf(void)
{
	for (int i = 0; i < 30000; i++)
		sink += i;
	sink++;
}

__attribute__((noinline)) static void litter(int depth)
{
	volatile long mine[4] = { depth };

	if (depth)
		step(depth - 1);
	sink += mine[0];
}

__attribute__((noinline)) static void in_jit(void)
{
	step(8);
	call(leaf);
	sink++;
}

__attribute__((noinline)) static void below_hole(void)
{
	char unused[5 * 4096];

	__asm__ volatile("" : : "r"(unused));
	leaf();
	sink++;
}

/* pushes(what): pushes it, and its caller's %rbx, which its tables leave out as well */
void pushes(long what);
__asm__(".type pushes, @function\n"
	"pushes:\n"
	"	.cfi_startproc\n"
	"	push %rbx\n"
	"	push %rdi\n"
	"	mov $30000, %ecx\n"
	"1:	dec %ecx\n"
	"	jnz 1b\n"
	"	pop %rdi\n"
	"	pop %rbx\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size pushes, .-pushes\n");

__attribute__((noinline)) static void pushing(long what)
{
	pushes(what);
	sink++;
}

static void *thread(void *arg)
{
	while (clock() < end)
		below_hole();
	return arg;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "jit";
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t t;

	if (memory == MAP_FAILED)
		return 1;
	memcpy(memory, code, sizeof(code));
	call = (call_fn *)(uintptr_t)memory;
	step = litter;
	end = clock() + (argc > 2 ? atoi(argv[2]) : 1000) * (CLOCKS_PER_SEC / 1000);
	if (!strcmp(what, "hole")) {
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
		return 0;
	}
	while (clock() < end) {
		if (!strncmp(what, "push", 4))
			pushing(strcmp(what, "push") ? 0 : 0x12345678);
		else
			in_jit();
	}
	return 0;
}
