/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftrace/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rw.h"
#include "sys/cpu.h"
#include "sys/tracefs.h"

/* Bytes of text that are asked for at once; the kernel gives 8 KB. */
enum { TEXT_SIZE = 1 << 16 };
/* What is read at once, of one CPU or as text: a CPU cannot keep us here. */
enum { MAX_PAGES_AT_ONCE = 4096, MAX_TEXT_AT_ONCE = 16 << 20 };

/* "	field: char data;	offset:16;	size:4080;	signed:1;" */
static int read_layout(struct ftrace_reader *r, const struct ftrace_instance *t, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	unsigned int offset = 0, size = 0;
	const char *data;

	if (sys_tracefs_read(t->root, "events/header_page", &text, e))
		return -1;
	data = strstr(text.buf, " data;");
	if (!data || sscanf(data, " data; offset:%u; size:%u;", &offset, &size) != 2 ||
	    offset < 12 || offset > 64 || size > FTRACE_MAX_PAGE - 64)
		return err_set(e, EINVAL, "'%s/events/header_page' is not understood", t->root);
	r->data_offset = offset;
	r->page_size = offset + size;
	return 0;
}

static int open_cpus(struct ftrace_reader *r, const struct ftrace_instance *t, struct err *e)
{
	u32 *cpus = NULL;
	size_t nr = 0;

	sys_cpus_online(NULL, &cpus, &nr);
	r->polled = xcalloc(nr + 1, sizeof(*r->polled));
	for (size_t i = 0; i < nr; i++) {
		char file[64];

		snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", cpus[i]);
		r->polled[i].events = POLLIN;
		r->polled[i].fd = ftrace_instance_open_file(t, file, e);
		if (r->polled[i].fd < 0)
			break;
		r->nr_cpus++;
	}
	free(cpus);
	return r->nr_cpus == nr ? 0 : -1;
}

int ftrace_reader_open(struct ftrace_reader *r, const struct ftrace_instance *t, bool as_text,
		       struct err *e)
{
	*r = (struct ftrace_reader){ .text_fd = -1 };
	if (read_layout(r, t, e) || open_cpus(r, t, e))
		return -1;
	r->buffer_size = as_text ? TEXT_SIZE : r->page_size;
	r->buffer = xmalloc(r->buffer_size);
	if (!as_text)
		return 0;
	r->text_fd = ftrace_instance_open_file(t, "trace_pipe", e);
	return r->text_fd < 0 ? -1 : 0;
}

void ftrace_reader_close(struct ftrace_reader *r)
{
	for (size_t i = 0; i < r->nr_cpus; i++)
		close(r->polled[i].fd);
	if (r->text_fd >= 0)
		close(r->text_fd);
	free(r->polled);
	free(r->buffer);
	*r = (struct ftrace_reader){ .text_fd = -1 };
}

void ftrace_reader_wait(struct ftrace_reader *r, int other_fd, int timeout_ms)
{
	r->polled[r->nr_cpus] = (struct pollfd){ .fd = other_fd, .events = POLLIN };
	poll(r->polled, (nfds_t)r->nr_cpus + 1, timeout_ms);
}

/* Bytes that were read, 0 = there are no more now, -1 = failed. */
static ssize_t read_some(int fd, void *buffer, size_t size)
{
	ssize_t n;

	do {
		n = read(fd, buffer, size);
	} while (n < 0 && errno == EINTR);
	/* ENODEV: the CPU is gone */
	return n < 0 && (errno == EAGAIN || errno == ENODEV) ? 0 : n;
}

static int drain_text(struct ftrace_reader *r, const struct ftrace_sink *sink, size_t *bytes,
		      struct err *e)
{
	ssize_t n;

	do {
		n = read_some(r->text_fd, r->buffer, r->buffer_size);
		if (n > 0 && !sink->text(sink->ctx, r->buffer, (size_t)n))
			return -1;
		*bytes += n > 0 ? (size_t)n : 0;
	} while (n > 0 && *bytes < MAX_TEXT_AT_ONCE);
	return n < 0 ? err_sys(e, errno, "cannot read the trace") : 0;
}

static int drain_cpu(struct ftrace_reader *r, size_t cpu, const struct ftrace_sink *sink,
		     size_t *bytes, struct err *e)
{
	struct ftrace_record record;
	struct ftrace_page page;
	size_t full = r->page_size / 4 * 3;
	ssize_t n = 0;

	for (u32 i = 0; i < MAX_PAGES_AT_ONCE; i++) {
		n = read_some(r->polled[cpu].fd, r->buffer, r->page_size);
		if (n <= 0)
			break;
		if (!ftrace_page_begin(&page, r->buffer, (size_t)n, r->data_offset))
			continue;
		*bytes += (size_t)(page.end - page.at);
		r->lost += page.lost;
		/* the page that the kernel writes to is not full: there is no more now */
		i = (size_t)(page.end - page.at) < full ? MAX_PAGES_AT_ONCE : i;
		while (ftrace_page_next(&page, &record)) {
			if (!sink->record(sink->ctx, cpu, &record))
				return -1;
		}
	}
	return n < 0 ? err_sys(e, errno, "cannot read the trace of a CPU") : 0;
}

int ftrace_reader_drain(struct ftrace_reader *r, const struct ftrace_sink *sink, size_t *bytes,
			struct err *e)
{
	*bytes = 0;
	if (r->text_fd >= 0)
		return drain_text(r, sink, bytes, e);
	for (size_t i = 0; i < r->nr_cpus; i++) {
		if (drain_cpu(r, i, sink, bytes, e))
			return -1;
	}
	return 0;
}
