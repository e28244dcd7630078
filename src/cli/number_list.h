/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number_list: CPUs, threads, ... that an option names: "1,5-7". One thread.
 */
#ifndef CLI_NUMBER_LIST_H
#define CLI_NUMBER_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/types.h"

/* Zero bytes: empty. Release with vec_free(). */
struct number_list {
	size_t nr, cap;
	u32 *v;
};

/* Appends the numbers of text (NULL: none). false: it is no such list. */
bool number_list_add(struct number_list *l, const char *text);
/* The same with an error message; what: "threads". */
int number_list_parse(struct number_list *l, const char *text, const char *what, struct err *e);
bool number_list_has(const struct number_list *l, u32 n);

#endif
