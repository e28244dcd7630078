/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/colours.h"

#include <errno.h>
#include <string.h>

/* perf's names, which are those of S-Lang: the colours of a terminal of 16. */
static const struct {
	const char *name;
	short number;
} colours[] = {
	{ "default", -1 },  { "black", 0 }, { "red", 1 },     { "green", 2 },
	{ "yellow", 3 },    { "blue", 4 },  { "magenta", 5 }, { "cyan", 6 },
	{ "lightgray", 7 }, { "gray", 8 },  { "white", 15 },
};

static int parse_name(const char *text, size_t len, short *out, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(colours); i++) {
		if (strlen(colours[i].name) != len || strncmp(colours[i].name, text, len) != 0)
			continue;
		*out = colours[i].number;
		return 0;
	}
	err_set(e, EINVAL, "'%.*s' is no colour", (int)MIN(len, (size_t)64), text);
	err_hint(e, "black, red, green, yellow, blue, magenta, cyan, white, lightgray, gray or "
		    "default");
	return -1;
}

int tui_parse_colour(const char *value, void *target, struct err *e)
{
	struct screen_colour c = { .given = true };
	size_t len = strcspn(value, ",");
	const char *back = value[len] ? value + len + 1 : "default";

	while (len && value[len - 1] == ' ')
		len--;
	back += strspn(back, " ");
	if (parse_name(value, len, &c.fore, e) < 0 ||
	    parse_name(back, strcspn(back, " "), &c.back, e) < 0)
		return -1;
	*(struct screen_colour *)target = c;
	return 0;
}
