/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render/timechart: a chart of what tasks and CPUs did (view/timechart.h) as a picture in SVG 1.1,
 * as JSON, or as values between separators (doc/json.md). Names are escaped here. One thread.
 */
#ifndef RENDER_TIMECHART_H
#define RENDER_TIMECHART_H

#include "base/strbuf.h"
#include "view/timechart.h"

struct timechart_drawing {
	const struct timechart *chart;
	u32 width; /* of the picture, pixels */
	/* The lines of a stack, one function each. */
	void (*add_stack)(void *ctx, u32 stack, struct strbuf *out);
	/* Now and then: out may be written out and emptied. */
	void (*flush)(void *ctx, struct strbuf *out);
	void *ctx; /* of both */
};

void timechart_add_svg(struct strbuf *out, const struct timechart_drawing *d);
void timechart_add_json(struct strbuf *out, const struct timechart_drawing *d);
/* Rows (render/rows.h), the same in all of a type; separator: NULL = JSON lines. */
void timechart_add_rows(struct strbuf *out, const struct timechart_drawing *d,
			const char *separator);

#endif
