/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render/latency: histograms and tables of times as text, appended to out.
 */
#ifndef RENDER_LATENCY_H
#define RENDER_LATENCY_H

#include "base/strbuf.h"
#include "view/latency.h"

void render_histogram(const struct view_histogram *h, struct strbuf *out);
/* Names are escaped. */
void render_function_times(const struct view_function_time *rows, size_t nr, struct strbuf *out);

#endif
