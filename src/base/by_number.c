/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/by_number.h"

#include <string.h>

enum {
	DIGIT_BITS = 8,
	DIGITS = 1 << DIGIT_BITS,
	FEW = 48, /* so many are put into place one by one */
};

static void insert_few(struct numbered *v, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		struct numbered x = v[i];
		size_t at = i;

		for (; at && v[at - 1].number < x.number; at--)
			v[at] = v[at - 1];
		v[at] = x;
	}
}

static void sort_digit(const struct numbered *from, size_t nr, struct numbered *to, int shift)
{
	size_t at[DIGITS] = { 0 }, sum = 0;

	for (size_t i = 0; i < nr; i++)
		at[(from[i].number >> shift) % DIGITS]++;
	for (size_t digit = DIGITS; digit-- > 0;) {
		size_t of_digit = at[digit];

		at[digit] = sum;
		sum += of_digit;
	}
	for (size_t i = 0; i < nr; i++)
		to[at[(from[i].number >> shift) % DIGITS]++] = from[i];
}

void by_number_sort(struct numbered *v, size_t nr, struct numbered *spare)
{
	struct numbered *from = v, *to = spare, *swap;
	u64 differ = 0;

	if (nr <= FEW) {
		insert_few(v, nr);
		return;
	}
	for (size_t i = 1; i < nr; i++)
		differ |= v[i].number ^ v[0].number;
	for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (!((differ >> shift) % DIGITS))
			continue;
		sort_digit(from, nr, to, shift);
		swap = from;
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, nr * sizeof(*v));
}
