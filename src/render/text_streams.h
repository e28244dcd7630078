/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_streams: view/streams.h as perf diff --stream prints it: pairs, then what is alone. */
#ifndef RENDER_TEXT_STREAMS_H
#define RENDER_TEXT_STREAMS_H

#include "base/strbuf.h"
#include "view/streams.h"

void text_streams_add(struct strbuf *out, const struct view_streams *s);

#endif
