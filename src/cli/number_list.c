/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/number_list.h"

#include <errno.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/vec.h"

bool number_list_add(struct number_list *l, const char *text)
{
	_cleanup_(mem_freep) u32 *list = NULL;
	size_t nr = 0;

	if (text && !fmt_parse_cpu_list(text, &list, &nr))
		return false;
	for (size_t i = 0; i < nr; i++)
		*VEC_PUSH(l) = list[i];
	return true;
}

int number_list_parse(struct number_list *l, const char *text, const char *what, struct err *e)
{
	if (number_list_add(l, text))
		return 0;
	return err_set(e, EINVAL, "cannot read the list of %s '%s'", what, text);
}

bool number_list_has(const struct number_list *l, u32 n)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i] == n)
			return true;
	return false;
}
