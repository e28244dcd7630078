/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selection/open_note.h"

#include <stdio.h>

#include "base/log.h"
#include "perfdata/attr_text.h"

static void print_attr(const struct event *ev)
{
	static const char line[] = "------------------------------------------------------------";
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;
	struct perf_event_attr attr = ev->attr;

	if (!attr.size)
		attr.size = PERF_ATTR_SIZE_VER7;
	attr_text_block(&sb, &attr);
	fprintf(log_file(), "%s\nperf_event_attr:\n%s%s\n", line, sb.buf, line);
}

void open_note_tell(int verbose, bool quiet, enum capture_open_note kind, const struct event *ev,
		    const char *text)
{
	switch (kind) {
	case CAPTURE_NOTE_ATTR:
		if (verbose >= 2 || log_shows(LOG_OPENING))
			print_attr(ev);
		break;
	case CAPTURE_NOTE_OPEN:
		if (verbose >= 2 || log_shows(LOG_OPENING))
			fprintf(log_file(), "sys_perf_event_open: %s\n", text);
		break;
	case CAPTURE_NOTE_AGAIN:
		if (verbose >= 2)
			fprintf(log_file(), "%s\n", text);
		break;
	case CAPTURE_NOTE_FALLBACK:
		if (verbose >= 1)
			fprintf(log_file(), "%s\n", text);
		break;
	case CAPTURE_NOTE_CHANGED:
		if (!quiet)
			fprintf(stderr, "%s\n", text);
		break;
	}
}
