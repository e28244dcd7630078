/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace/pages: the records in a page of a tracing buffer, as per_cpu/cpuN/trace_pipe_raw hands it
 * out. What a page says of itself is not believed: records end with the page. Thread-safe.
 *
 * Source: events/header_page and events/header_event of tracefs;
 * Documentation/trace/ring-buffer-design.rst.
 */
#ifndef FTRACE_PAGES_H
#define FTRACE_PAGES_H

#include "base/types.h"

/* A page is 64 KiB at most: kernels with large ones, and buffer_subbuf_size_kb. */
enum { FTRACE_MAX_PAGE = 1 << 16 };

struct ftrace_page {
	const u8 *at, *end;
	u64 time; /* of the last record, in ns of the instance's clock */
	u64 lost; /* events before this page that were overwritten; at least one if it is not
		     known how many */
};

struct ftrace_record {
	u64 time;
	const u8 *data; /* of the event, as its format file describes it; of any alignment */
	size_t size;
};

/* data_offset: where records begin, as events/header_page says (16 on machines of 64 bits). false:
 * the page is too short for that. */
bool ftrace_page_begin(struct ftrace_page *p, const void *page, size_t size, size_t data_offset);
/* The next record; false: there is none. */
bool ftrace_page_next(struct ftrace_page *p, struct ftrace_record *r);

#endif
