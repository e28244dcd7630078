/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared.h"
int other_global = 5;
static int counter = 100;

static int helper(int z)
{
	counter += z;
	return counter;
}

int other(int a)
{
	int r = helper(a);

	r += in_header(a);
	return r;
}
