/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/style_words.h"

#include <errno.h>
#include <string.h>

/* Whether a word of len bytes is in a list "a, b". */
static bool is_known(const char *list, const char *word, size_t len)
{
	for (const char *p = list; *p; p += strspn(p, ", ")) {
		size_t n = strcspn(p, ",");

		if (n == len && !strncmp(p, word, len))
			return true;
		p += n;
	}
	return false;
}

/* Words with commas. */
static int check(const char *what, const char *known, const char *arg, struct err *e)
{
	for (const char *word = arg; *word;
	     word += strcspn(word, ",") + (strchr(word, ',') != NULL)) {
		size_t len = strcspn(word, ",");

		if (!is_known(known, word, len))
			return err_set(e, EINVAL, "unknown %s style: %.*s (%s)", what, (int)len,
				       word, known);
	}
	return 0;
}

int style_parse_lines(const struct opt *o UNUSED, void *target UNUSED, const char *arg, bool unset,
		      struct err *e)
{
	return unset ? 0 : check("addr2line", "libdw, llvm, libbfd, addr2line", arg, e);
}

int style_parse_unwind(const struct opt *o UNUSED, void *target UNUSED, const char *arg, bool unset,
		       struct err *e)
{
	return unset ? 0 : check("unwind", "libdw, libunwind", arg, e);
}
