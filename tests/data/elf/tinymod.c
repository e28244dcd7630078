/* A kernel module's file: code in two sections that goes where the kernel has room. */
int outside(int x);
int state = 3;

static __attribute__((noinline)) int mod_inner(int x)
{
	return x * state;
}

__attribute__((section(".text.unlikely"), noinline, cold)) int mod_cold(int x)
{
	return mod_inner(x) + 1;
}

int mod_fn(int x)
{
	return outside(x) + mod_inner(x) + mod_cold(x);
}
