/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shared.h"

struct inner {
	int x;
	char tag[8];
	unsigned char uc[4];
};
enum color { RED, GREEN };
typedef unsigned int my_uint;
struct outer {
	struct inner in;
	struct inner *p;
	int arr[4];
	unsigned int a:3, b:5;
	long long ll:40;
	_Bool flag;
	enum color col;
	const char *name;
	struct outer *next;
	double d;
	union { int ua; char ub; };
};
static int counter = 3;
int global_var;
extern int other_global;
char text[16] = "hello";
struct outer gouter;
int other(int a);

static inline int twice(int v)
{
	int r = v * 2;

	r += counter;
	return r;
}

int leaf(int a, const char *name, struct outer *o, struct outer byval)
{
	int local = a + 1;
	my_uint mu = (my_uint)local;
	float f = 1.5f;
	volatile int vol[3] = { 1, 2, 3 };

	counter += local;
	if (a > 2) {
		long inside = a * 3;
		int local = 7;

		counter += (int)inside + local;
		o->arr[2] = counter;
	}
	{
		static int stat_in;

		stat_in++;
	}
	return local + o->arr[1] + (int)strlen(name) + byval.arr[0] + (int)mu + (int)f + vol[1] + twice(a);
}

__attribute__((noinline)) void nothing(void)
{
	asm volatile("");
}

int ptrs(int **pp, char **argv, void *vp, int (*fn)(int), char (*pa)[8], enum color c, char ch, unsigned char uch, short s, _Bool b, double d, struct inner *arr)
{
	return **pp + argv[0][0] + !vp + fn(3) + (*pa)[0] + c + ch + uch + s + b + (int)d + arr[1].x;
}

int main(int argc, char **argv)
{
	struct outer o;
	int k = argc;
	int *pk = &k;
	char pa[8] = "abc";
	struct inner arr[3];

	memset(&o, 0, sizeof(o));
	memset(arr, 0, sizeof(arr));
	o.name = argv[0];
	nothing();
	for (int i = 0; i < 3; i++)
		counter += leaf(i, argv[0], &o, o) + in_header(i);
	gouter = o;
	printf("%d %d\n", counter + other_global, other(k) + ptrs(&pk, argv, &o, other, &pa, GREEN, 'c', 'd', 4, 1, 2.0, arr));
	return twice(argc) > 100;
}
