/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attr_text: the fields of a perf_event_attr as perf prints them: in `evlist -v`, in the header
 * text of reports and in `record -vv`. Only fields that are not zero are shown, and the size.
 */
#ifndef PERFDATA_ATTR_TEXT_H
#define PERFDATA_ATTR_TEXT_H

#include "abi/perf_event.h"
#include "base/strbuf.h"

typedef void (*attr_text_fn)(void *ctx, const char *name, const char *value);
/* "name: value, name: value" with sep between name and value (": " or " = "). */
void attr_text_line(struct strbuf *out, const struct perf_event_attr *attr, const char *sep);
/* The block of record -vv: one "  name   value" line per field, without the dashed lines. */
void attr_text_block(struct strbuf *out, const struct perf_event_attr *attr);

#endif
