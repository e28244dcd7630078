/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A perf that was built without ncurses: there is no screen. */
#include <errno.h>

#include "tui/functions.h"
#include "tui/recording.h"

bool tui_is_built(void)
{
	return false;
}

bool tui_is_possible(void)
{
	return false;
}

static int refuse(struct err *e)
{
	err_set(e, ENOTSUP, "this perf was built without a terminal interface (ncurses)");
	err_hint(e, "install libncurses-dev and build it again");
	return -1;
}

/* ---- perf report's ---- */

int tui_recording_open(struct tui_recording **out UNUSED, struct err *e)
{
	return refuse(e);
}

void tui_recording_close(struct tui_recording *r UNUSED)
{
}

void tui_recording_begin(struct tui_recording *r UNUSED, const struct browse_source *s UNUSED)
{
}

void tui_recording_progress(void *recording UNUSED, u64 done UNUSED, u64 total UNUSED)
{
}

bool tui_recording_round(struct tui_recording *r UNUSED)
{
	return true;
}

bool tui_recording_browse(struct tui_recording *r UNUSED, struct browse_wish *wish UNUSED,
			  struct err *e UNUSED)
{
	return false;
}

void tui_recording_end(struct tui_recording *r UNUSED)
{
}

void tui_recording_complain(struct tui_recording *r UNUSED, const struct err *e UNUSED)
{
}

/* ---- perf annotate's ---- */

int tui_functions_open(struct tui_functions **out UNUSED, struct err *e)
{
	return refuse(e);
}

void tui_functions_close(struct tui_functions *f UNUSED)
{
}

void tui_functions_progress(void *functions UNUSED, u64 done UNUSED, u64 total UNUSED)
{
}

bool tui_functions_round(struct tui_functions *f UNUSED)
{
	return true;
}

void tui_functions_browse(struct tui_functions *f UNUSED, const struct functions_source *s UNUSED)
{
}
