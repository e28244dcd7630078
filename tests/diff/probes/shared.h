/* SPDX-License-Identifier: GPL-2.0-or-later */
static inline int in_header(int n)
{
	int q = n + 4;

	if (q > 5)
		q *= 3;
	return q;
}
