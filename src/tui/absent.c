/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A perf that was built without ncurses: there is no screen. */
#include <errno.h>

#include "tui/functions.h"
#include "tui/recording.h"
#include "tui/running.h"
#include "tui/sections.h"

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

int tui_recording_open(struct tui_recording **out UNUSED,
		       const struct screen_colours *colours UNUSED, struct err *e)
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

int tui_running_open(struct tui_running **out UNUSED, const struct screen_colours *colours UNUSED,
		     struct err *e)
{
	return refuse(e);
}

void tui_running_close(struct tui_running *r UNUSED)
{
}

void tui_running_begin(struct tui_running *r UNUSED, const struct running_source *s UNUSED)
{
}

void tui_running_end(struct tui_running *r UNUSED)
{
}

void tui_running_refresh(struct tui_running *r UNUSED, const char *note UNUSED)
{
}

enum running_end tui_running_keys(struct tui_running *r UNUSED, bool *soon UNUSED)
{
	return RUNNING_OVER;
}

enum running_end tui_running_stay(struct tui_running *r UNUSED)
{
	return RUNNING_OVER;
}

struct tui *tui_running_tui(struct tui_running *r UNUSED)
{
	return NULL;
}

bool code_view_open(struct tui *t UNUSED, const struct code_source *s UNUSED,
		    const struct address_function *f UNUSED, struct code_events events UNUSED)
{
	return false;
}

struct browse_wish tui_running_wish(struct tui_running *r UNUSED)
{
	return (struct browse_wish){ 0 };
}

void tui_running_renew(struct tui_running *r UNUSED, struct session_renewal *renewal UNUSED)
{
}

void tui_running_complain(struct tui_running *r UNUSED, const struct err *e UNUSED)
{
}

void tui_recording_complain(struct tui_recording *r UNUSED, const struct err *e UNUSED)
{
}

/* ---- perf annotate's ---- */

int tui_functions_open(struct tui_functions **out UNUSED,
		       const struct screen_colours *colours UNUSED, struct err *e)
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

/* ---- perf diff's ---- */

int tui_sections_open(struct tui_sections **out UNUSED, const struct screen_colours *colours UNUSED,
		      struct err *e)
{
	return refuse(e);
}

void tui_sections_close(struct tui_sections *s UNUSED)
{
}

bool tui_sections_read(struct tui_sections *s UNUSED,
		       void (*read)(void *ctx, const bool *unwanted) UNUSED, void *ctx UNUSED)
{
	return false;
}

void tui_sections_browse(struct tui_sections *s UNUSED, const struct sections_source *source UNUSED)
{
}

int code_source_read(struct code_source *s UNUSED, struct session *session UNUSED,
		     const struct annotate_opts *o UNUSED, struct err *e)
{
	return refuse(e);
}

void code_source_release(struct code_source *s UNUSED)
{
}
