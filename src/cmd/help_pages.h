/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help_pages: the manual pages as plain text, generated from doc/cmd/ by tools/mkdocs.py, so that
 * `perf help CMD` works where no manual is installed.
 */
#ifndef CMD_HELP_PAGES_H
#define CMD_HELP_PAGES_H

struct help_page {
	const char *name; /* of the command; NULL at the end of the table */
	const char *text;
};

extern const struct help_page help_pages[];

#endif
