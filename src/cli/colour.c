/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/colour.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/pager.h"

int colour_mode_parse(const char *text, enum colour_mode *mode, struct err *e)
{
	if (!text || !strcmp(text, "always"))
		*mode = COLOUR_ALWAYS;
	else if (!strcmp(text, "never"))
		*mode = COLOUR_NEVER;
	else if (!strcmp(text, "auto"))
		*mode = COLOUR_AUTO;
	else
		return err_set(e, EINVAL, "unknown colour mode '%s' (always, never or auto)", text);
	return 0;
}

static bool environment_allows(void)
{
	const char *term = getenv("TERM");
	const char *off = getenv("NO_COLOR");

	return term && strcmp(term, "dumb") != 0 && !(off && off[0]);
}

bool colour_wanted(enum colour_mode mode)
{
	if (mode != COLOUR_AUTO)
		return mode == COLOUR_ALWAYS;
	return environment_allows() && (pager_in_use() || isatty(STDOUT_FILENO));
}

bool colour_terminal(int fd)
{
	return environment_allows() && isatty(fd);
}
