/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/terminal_library.h"

#ifdef CURSES_LINKED

const struct curses *curses_load(struct err *e UNUSED)
{
	static struct curses functions;

#define TAKE(name) functions.name = name;
	CURSES_FUNCTIONS(TAKE)
	functions.window = &stdscr;
	functions.nr_colours = &COLORS;
	return &functions;
}

#else

#include <dlfcn.h>
#include <errno.h>

static bool load(struct curses *c)
{
	void *lib = dlopen("libncursesw.so." CURSES_SONAME, RTLD_LAZY | RTLD_LOCAL);

	if (!lib)
		return false;
#define TAKE(name)                                                                                 \
	*(void **)&c->name = dlsym(lib, #name);                                                    \
	if (!c->name)                                                                              \
		return false;
	CURSES_FUNCTIONS(TAKE)
	c->window = dlsym(lib, "stdscr");
	c->nr_colours = dlsym(lib, "COLORS");
	return c->window && c->nr_colours;
}

const struct curses *curses_load(struct err *e)
{
	static struct curses functions;
	static bool loaded;

	if (loaded || (loaded = load(&functions)))
		return &functions;
	err_set(e, ENOENT, "cannot load the terminal library libncursesw.so." CURSES_SONAME);
	err_hint(e, "install libncursesw" CURSES_SONAME ", or use --stdio");
	return NULL;
}

#endif
