/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftrace/pages.h"

#include <string.h>

#include "base/bits.h"

/* Of the word behind the page's time: bytes of records, and what was overwritten before them. */
#define COMMIT_SIZE 0xfffffU
#define COMMIT_MISSED (1U << 31)
#define COMMIT_STORED (1U << 30) /* how many were, stands behind the records */

/* Kinds of records; below, the size of an event's data in words. */
enum { KIND_LONG = 0, KIND_PADDING = 29, KIND_TIME_EXTEND = 30, KIND_TIME_STAMP = 31 };
enum { DELTA_BITS = 27, STAMP_BITS = 59 };

static u32 word_at(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

bool ftrace_page_begin(struct ftrace_page *p, const void *page, size_t size, size_t data_offset)
{
	const u8 *bytes = page;
	size_t used;
	u32 commit;

	if (data_offset < 12 || data_offset > size)
		return false;
	memcpy(&p->time, bytes, sizeof(p->time));
	commit = word_at(bytes + 8);
	used = commit & COMMIT_SIZE;
	used = MIN(used, size - data_offset);
	p->at = bytes + data_offset;
	p->end = p->at + used;
	p->lost = !!(commit & COMMIT_MISSED);
	if ((commit & COMMIT_MISSED) && (commit & COMMIT_STORED) &&
	    size - data_offset - used >= sizeof(u64)) {
		u64 nr;

		memcpy(&nr, p->end, sizeof(nr));
		p->lost = nr ? nr : 1;
	}
	return true;
}

/* Padding and times; false: the page ends. */
static bool skip(struct ftrace_page *p, u32 kind, u32 delta)
{
	size_t left = (size_t)(p->end - p->at), size = 8;
	u64 more;

	if (left < 8)
		return false;
	more = word_at(p->at + 4);
	if (kind == KIND_PADDING) {
		/* an event that was discarded; without a delta, the rest of the page is empty */
		size = 4 + (size_t)more;
		if (!delta || more > left - 4)
			return false;
		p->time += delta;
	} else if (kind == KIND_TIME_EXTEND) {
		p->time += (more << DELTA_BITS) + delta;
	} else {
		p->time = (p->time >> STAMP_BITS << STAMP_BITS) | (more << DELTA_BITS) | delta;
	}
	p->at += size;
	return true;
}

bool ftrace_page_next(struct ftrace_page *p, struct ftrace_record *r)
{
	while (p->end - p->at >= 4) {
		u32 head = word_at(p->at), kind = head & 31, delta = head >> 5;
		size_t left = (size_t)(p->end - p->at), front = 4, size = (size_t)kind * 4;

		if (kind >= KIND_PADDING) {
			if (!skip(p, kind, delta))
				break;
			continue;
		}
		if (kind == KIND_LONG) {
			/* its size includes the word that has it */
			size = left < 8 ? 0 : word_at(p->at + 4);
			if (size < 4)
				break;
			size -= 4;
			front = 8;
		}
		if (size > left - front)
			break;
		p->time += delta;
		*r = (struct ftrace_record){ .time = p->time, .data = p->at + front, .size = size };
		/* records are whole words */
		p->at += MIN(front + ((size + 3) & ~(size_t)3), left);
		return true;
	}
	p->at = p->end;
	return false;
}
