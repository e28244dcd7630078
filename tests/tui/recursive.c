/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All of its time in the third call of again(), which the others are in. */
volatile unsigned long sum;

void again(int depth)
{
	for (int i = 0; !depth && i < 100000000; i++)
		sum += i;
	if (depth)
		again(depth - 1);
}

int main(void)
{
	again(2);
	return 0;
}
