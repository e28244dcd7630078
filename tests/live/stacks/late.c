/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program without a library, compiled with frame pointers, which maps the code of clobber.so when there is a file
 * `go`, and calls it from then on; with -DJIT it copies that into memory of no file. Runs until it is killed.
 */
enum { READ = 0, OPEN = 2, MMAP = 9, ACCESS = 21, TEXT = 0x1000, SIZE = 0x1000 };
enum { PROT_READ = 1, PROT_WRITE = 2, PROT_EXEC = 4, PRIVATE = 2, ANONYMOUS = 32 };

static volatile long sink;

__attribute__((noinline)) static long call(long nr, long a, long b, long c, long d, long e)
{
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = 0;
	long r = nr;

	__asm__ volatile("syscall" : "+a"(r) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return r;
}

/* What stands behind the headers of the library. */
static long load(void)
{
	long fd, code;

	if (call(ACCESS, (long)"go", 0, 0, 0, 0))
		return 0;
	fd = call(OPEN, (long)"clobber.so", 0, 0, 0, 0);
#ifdef JIT
	code = call(MMAP, 0, TEXT + SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, PRIVATE | ANONYMOUS, -1);
	call(READ, fd, code, TEXT + SIZE, 0, 0);
#else
	code = call(MMAP, 0, TEXT + SIZE, PROT_READ | PROT_EXEC, PRIVATE, fd);
#endif
	return code < 0 && code > -4096 ? 0 : code;
}

__attribute__((noinline)) static void framed(void)
{
	for (int i = 0; i < 30000; i++)
		sink += i;
	sink++;
}

__attribute__((noinline)) static void run(long code)
{
	if (code)
		((void (*)(void))(code + TEXT))();
	else
		framed();
	sink++;
}

__attribute__((noreturn, used)) static void begin(void)
{
	long code = 0;

	for (;;) {
		if (!code)
			code = load();
		run(code);
	}
}

/* As the C library's: no caller, no frame. */
__asm__(".globl _start\n"
	"_start:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined rip\n"
	"	xor	%ebp, %ebp\n"
	"	and	$-16, %rsp\n"
	"	call	begin\n"
	"	hlt\n"
	"	.cfi_endproc\n");
