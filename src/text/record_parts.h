/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_parts: what a dump of records and lines of records have in common, behind the name of the
 * type. Names are the caller's to add, as its output needs them.
 */
#ifndef TEXT_RECORD_PARTS_H
#define TEXT_RECORD_PARTS_H

#include "base/strbuf.h"
#include "perfdata/record.h"

/* " 1/2: [0x1000(0x10) @ 0 ...]: r-xp ", of MMAP and MMAP2 */
void text_mapping(struct strbuf *out, const struct perf_event_header *h,
		  const struct record_mmap *r);
/* " OUT preempt  next pid/tid:     1/2    " and a line end; other: of SWITCH_CPU_WIDE */
void text_switch(struct strbuf *out, const struct perf_event_header *h,
		 const struct record_switch *other);
/* " 1/2 - nr_namespaces: 7 [...]" and a line end */
void text_namespaces(struct strbuf *out, const struct record_namespaces *r);
/* " addr ffffffffc0000000 len 16 type 1 flags 0x0 name " */
void text_ksymbol(struct strbuf *out, const struct record_ksymbol *r);

#endif
