/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render/timechart: a chart of what tasks and CPUs did (view/timechart.h) as a picture in SVG 1.1,
 * or as JSON (doc/json.md). Names are escaped here. One thread.
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

#endif
