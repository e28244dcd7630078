/* A program for the tests of perf annotate: gcc -g -O1 -nostdlib -static -fcf-protection=none. */
volatile unsigned long sink;

static inline unsigned long square(unsigned long i)
{
	return i * i; /* inlined */
}

__attribute__((noinline)) unsigned long spin(unsigned long n)
{
	unsigned long s = 0;

	for (unsigned long i = 0; i < n; i++) {
		if (i % 3 == 0)
			s += square(i);
		else
			s ^= i;
	}
	return s;
}

__attribute__((noinline)) unsigned long twice(unsigned long n)
{
	sink += n;
	return spin(n) + spin(n / 2);
}

void _start(void)
{
	for (int k = 0; k < 400; k++)
		sink += twice(100000 + k);
	__asm__ volatile("syscall" : : "a"(60), "D"(0));
}
