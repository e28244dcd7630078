/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "annotate/annotate.h"
#include "base/mem.h"
#include "base/similar.h"

int annotate_check_style(struct annotate_opts *o, struct err *e)
{
	static const char *const words[] = { "att", "intel" };

	o->intel = o->style && !strcmp(o->style, "intel");
	if (o->objdump || !o->style || o->intel || !strcmp(o->style, "att"))
		return 0;
	err_set(e, EINVAL, "the style '%s' is not one of att, intel", o->style);
	similar_hint_of(o->style, words, ARRAY_SIZE(words), e);
	return -1;
}
