/* SPDX-License-Identifier: GPL-2.0-or-later */
/* python_modules: the texts of scripts/python's modules, made by tools/embed.py when perf
 * is built. */
#ifndef SCRIPT_PYTHON_MODULES_H
#define SCRIPT_PYTHON_MODULES_H

struct python_module {
	const char *name, *text;
};

/* name NULL at the end */
extern const struct python_module python_modules[];

#endif
