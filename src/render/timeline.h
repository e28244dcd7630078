/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render/timeline: a timeline (view/timeline.h) as a file: trace events in JSON, as Perfetto and
 * chrome://tracing read them ("Trace Event Format", Google), or a page of HTML that shows it, needs
 * nothing else and asks nobody.
 *
 * What is written is appended to a strbuf; whoever owns it may write it out and empty it between
 * two calls. One thread.
 */
#ifndef RENDER_TIMELINE_H
#define RENDER_TIMELINE_H

#include "base/json.h"
#include "view/timeline.h"

/* Spans of a page: browsers still move it without a break. */
enum { TIMELINE_PAGE_SPANS = 2000000 };

struct timeline_writer {
	const struct timeline_format *format;
	struct strbuf *out;
	struct json json;
	struct strbuf spans; /* of a page */
	u64 origin, last; /* ns */
	u64 nr, left_out;
	u64 nr_flows;
};

/* The format that a file's name asks for by its ending; NULL = there is none such. */
const struct timeline_format *timeline_format_of(const char *path);
void timeline_begin(struct timeline_writer *w, const struct timeline_format *format,
		    struct strbuf *out);
/* by: of TIMELINE_WOKEN, or NULL. */
void timeline_span(struct timeline_writer *w, const struct timeline_span *s,
		   const struct timeline_task *task, const struct timeline_task *by);
/* So many tasks wait for a CPU from now on. */
void timeline_waiting(struct timeline_writer *w, u64 time, u32 nr);
/* tasks: by the numbers of spans. */
void timeline_end(struct timeline_writer *w, const struct timeline_end *end,
		  const struct timeline_task *tasks, size_t nr_tasks);
void timeline_release(struct timeline_writer *w);

#endif
