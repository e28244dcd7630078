/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies records in the order of the file, with the data behind some of them. */
#include <stdlib.h>

#include "edit/pass.h"

enum { BUFFER_SIZE = 1 << 19 };

/* Copies the trace behind an AUXTRACE record: what the file has of it, whatever size the record
 * claims. */
static int copy_payload(struct edit *in, void *buf, u64 record_size, struct err *e)
{
	u64 at = writer_data_offset(in->w) + writer_data_size(in->w) - record_size;
	u64 place[2] = { at, record_size };
	ssize_t got;

	strbuf_add(&in->aux_index, place, sizeof(place));
	while ((got = perfdata_read_payload(in->file, buf, BUFFER_SIZE, e)) > 0) {
		if (writer_append(in->w, buf, (size_t)got, e))
			return -1;
	}
	return (int)got;
}

static int write_changed(struct edit *in, const struct perf_event_header *h, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	if (in->aslr)
		aslr_put(in, h, &out);
	else
		maps_put(in, h, &out);
	in->records += out.len != 0;
	return out.len ? output_write(in, out.buf, out.len, e) : 0;
}

static int copy_chunk(struct edit *in, u8 *bytes, size_t len, struct err *e)
{
	size_t from = 0, at = 0;
	u32 type = 0;
	u64 size = 0;

	while (at < len) {
		const struct perf_event_header *h = (const void *)(bytes + at);
		size_t next = at + h->size;
		bool kept = output_keeps(in, h); /* writing what is before it may change that */

		type = h->type;
		size = h->size;
		if (kept && !output_changes(in, h)) {
			in->records++;
		} else {
			if (at > from && output_write(in, bytes + from, at - from, e))
				return -1;
			if (kept && write_changed(in, h, e))
				return -1;
			from = next;
		}
		at = next;
	}
	if (at > from && output_write(in, bytes + from, at - from, e))
		return -1;
	if (type != PERF_RECORD_AUXTRACE)
		return 0;
	return copy_payload(in, bytes, size, e);
}

int copy_records(struct edit *in, struct err *e)
{
	u8 *buf = xmalloc(BUFFER_SIZE);
	struct perfdata_chunk c;
	int got;

	while ((got = perfdata_read(in->file, buf, BUFFER_SIZE, &c, e)) > 0)
		if (copy_chunk(in, buf, c.len, e)) {
			got = -1;
			break;
		} else if (output_stops(in)) {
			got = 0;
			break;
		}
	free(buf);
	return got;
}
