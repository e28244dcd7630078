/* gcc -g -O2 -nostdlib -static -fno-asynchronous-unwind-tables -Wl,--build-id=none -ffile-prefix-map=$PWD=. -o list list.c */
struct point {
	int x, y;
};
struct node {
	struct node *next;
	long key;
	struct point at;
	char name[8];
	union {
		int i;
		float f;
	};
	unsigned int seen : 1, weight : 7;
};

struct node nodes[3];
long found;

__attribute__((noinline)) long look_up(struct node *n, long key)
{
	long s = 0;

	for (; n; n = n->next)
		if (n->key == key)
			s += n->at.y + n->name[key & 7];
	return s;
}

__attribute__((noinline)) void count(long by)
{
	found += by;
}

void _start(void)
{
	nodes[0].next = &nodes[1];
	nodes[0].i = 1;
	count(look_up(nodes, 2));
	__asm__ volatile("syscall" : : "a"(60), "D"(0) : "rcx", "r11", "memory");
}
