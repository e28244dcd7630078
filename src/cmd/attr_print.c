/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/attr_print.h"

#include <stdio.h>

#include "perfdata/attr_text.h"

void attr_print(const struct event *ev)
{
	static const char line[] = "------------------------------------------------------------";
	struct strbuf sb = STRBUF_INIT;
	struct perf_event_attr attr = ev->attr;

	if (!attr.size)
		attr.size = PERF_ATTR_SIZE_VER7;
	attr_text_block(&sb, &attr);
	fprintf(stderr, "%s\nperf_event_attr:\n%s%s\n", line, sb.buf, line);
	strbuf_release(&sb);
}
