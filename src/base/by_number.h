/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * by_number: things put in order by a number that each has, digit by digit.
 */
#ifndef BASE_BY_NUMBER_H
#define BASE_BY_NUMBER_H

#include <stddef.h>

#include "base/types.h"

struct numbered {
	u64 number;
	const void *thing;
};

/* The largest first; those with the same number stay in their order. spare: room for nr more. */
void by_number_sort(struct numbered *v, size_t nr, struct numbered *spare);

#endif
