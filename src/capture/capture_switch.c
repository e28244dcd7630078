/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Going on in a new file: what belongs to the old one is written, it is completed, the next begins.
 */
#include "capture/capture_internal.h"

/* Losses are counted by the kernel from the start; each file tells its own. */
static void reset_result(struct capture *c)
{
	c->result.wakeups = 0;
	c->result.max_size_reached = false;
}

int capture_switch(struct capture *c, struct err *e)
{
	struct perfdata_writer *next = NULL;

	c->switch_wanted = false;
	if (c->o.switching)
		c->o.switching(c->o.tell_ctx, &c->result);
	c->sums_due = true;
	if (capture_drain(c, e) < 0 || capture_drain_flight(c, e) < 0 ||
	    capture_write_lost(c, e) < 0)
		return -1;
	c->switch_wanted = false;
	if (capture_finish(c, e) < 0)
		return -1;
	if (c->o.next_file(c->o.tell_ctx, &c->result, &next, e) < 0)
		return -1;
	reset_result(c);
	return capture_begin(c, next, e);
}
