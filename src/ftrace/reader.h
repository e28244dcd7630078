/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace/reader: takes all that is in an instance's buffers: as the kernel's text, or record by
 * record. The one who reads is not woken up for each event, but when a buffer is half full or a
 * time has passed. One thread.
 */
#ifndef FTRACE_READER_H
#define FTRACE_READER_H

#include <poll.h>

#include "ftrace/instance.h"
#include "ftrace/pages.h"

struct ftrace_reader {
	int text_fd; /* trace_pipe; -1 = records are wanted */
	struct pollfd *polled; /* trace_pipe_raw of each CPU; one more at the end, the caller's */
	size_t nr_cpus;
	char *buffer;
	size_t buffer_size, data_offset, page_size;
	u64 lost; /* events that were overwritten before they were read */
};

/* What is read; false: stop. A record with its CPU (0 to nr_cpus - 1), in order of time for each;
 * they are valid until it returns. */
struct ftrace_sink {
	bool (*text)(void *ctx, const char *text, size_t len);
	bool (*record)(void *ctx, size_t cpu, const struct ftrace_record *r);
	void *ctx;
};

/* as_text: of the kernel; else records. */
int ftrace_reader_open(struct ftrace_reader *r, const struct ftrace_instance *t, bool as_text,
		       struct err *e);
void ftrace_reader_close(struct ftrace_reader *r);
/* Wait until there is much to read, the descriptor has something, or the time is over. */
void ftrace_reader_wait(struct ftrace_reader *r, int other_fd, int timeout_ms);
/* What is there now: *bytes, and if these are few, that was all. -1: it cannot be read, or the sink
 * wants to stop
 * (*e untouched). */
int ftrace_reader_drain(struct ftrace_reader *r, const struct ftrace_sink *sink, size_t *bytes,
			struct err *e);

#endif
