/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream: delivering records.
 *
 * Three ways through the bytes. Plain: read straight into the caller's buffer, in pieces that are
 * checked while they are still in the cache. Window: pipes, and files with so many records of odd
 * length that reading around each of them would be slow, go through a buffer of our own.
 * Decompressed: what came out of the last compressed record, straight into the caller's buffer.
 * Of plain ones, long samples can be passed over: a small read per sample costs a fraction of
 * copying 8 kB.
 *
 * A chunk ends behind a record that is not a multiple of 8 long (the next one would lie unaligned)
 * or that has more bytes behind it than its size says.
 */
#include "perfdata/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/limits.h"
#include "base/rw.h"
#include "base/spool.h"
#include "perfdata/feature_load.h"
#include "perfdata/inflate.h"
#include "perfdata/record.h"
#include "perfdata/swap.h"

enum {
	READ_PIECE = 512 << 10, /* small enough to be checked while it is in the cache */
	BUFFER_MIN = 128 << 10,
	WINDOW_SIZE = 1 << 20,
	ODD_AFTER = 256, /* cuts after which a file is read through the window */
	LONG_SAMPLE = 3072, /* shorter ones are read as a whole */
	FRONT_PIECE = 2 * PERFDATA_FRONT, /* there may be a short record before the next long one */
};

void stream_start(struct perfdata *f, u64 at, u64 end)
{
	f->at = at;
	f->data_end = end;
	f->done = false;
	f->payload = 0;
	f->win.start = f->win.end = 0;
	f->win.eof = false;
	if (f->regular)
		f->odd = false;
	f->cuts = 0;
	zstd_stream_free(f->zstd);
	f->zstd = NULL;
	f->inflating = false;
	f->part_len = 0;
	f->inflated_pos = f->inflated_nr = f->deflated = 0;
}

void stream_release(struct perfdata *f)
{
	free(f->win.buf);
	free(f->part);
	zstd_stream_free(f->zstd);
}

/* Nothing behind position at can be read. */
static void give_up(struct perfdata *f, u64 at)
{
	f->done = true;
	if (f->data_end != ~0ULL && f->data_end > at)
		f->damage.truncated_bytes += f->data_end - at;
}

static int reading_fd(const struct perfdata *f)
{
	return f->stream ? f->member_fd : f->fd;
}

/* Records that end a chunk: see above. */
static bool ends_chunk(const struct perf_event_header *h)
{
	return h->size % 8 || h->type == PERF_RECORD_HEADER_TRACING_DATA ||
	       h->type == PERF_RECORD_AUXTRACE || h->type == PERF_RECORD_COMPRESSED ||
	       h->type == PERF_RECORD_COMPRESSED2;
}

static void feed_compressed(struct perfdata *f, const struct perf_event_header *h)
{
	struct record_bytes data;
	union record_view v;

	if (f->inflating) {
		f->damage.skipped_records++; /* compressed data inside compressed data */
		return;
	}
	record_view(h, 0, &v);
	data = v.bytes;
	if (h->type == PERF_RECORD_COMPRESSED2) {
		data = v.compressed2.data;
		data.len = (size_t)MIN(v.compressed2.size, (u64)data.len);
	}
	if (!f->zstd)
		f->zstd = zstd_stream_new();
	if (!f->zstd) {
		f->damage.skipped_records++;
		reader_damage(f, "compressed data cannot be read: built without zstd");
		return;
	}
	zstd_stream_feed(f->zstd, data.at, data.len);
	f->deflated += data.len;
	f->inflating = true;
}

static void user_record(struct perfdata *f, const struct perf_event_header *h)
{
	union record_view v;

	switch (h->type) {
	case PERF_RECORD_FINISHED_ROUND:
		break;
	case PERF_RECORD_AUXTRACE:
		record_view(h, 0, &v);
		f->payload = v.auxtrace.size;
		f->payload_is_trace = false;
		break;
	case PERF_RECORD_HEADER_TRACING_DATA:
		record_view(h, 0, &v);
		f->payload = ALIGN_UP((u64)v.tracing_data, 8);
		f->payload_is_trace = true;
		break;
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
		feed_compressed(f, h);
		break;
	default:
		records_apply(f, h);
	}
}

struct scan {
	size_t whole; /* bytes of good records */
	u32 nr; /* of these */
	bool cut; /* nothing may follow them in this chunk */
	bool bad; /* what follows them is no record */
	struct perf_event_header head; /* of that */
};

/* Check, swap and apply the records in buf[0, len). */
static struct scan scan_records(struct perfdata *f, u8 *buf, size_t len)
{
	struct scan s = { 0 };
	size_t off = 0;

	while (len - off >= sizeof(struct perf_event_header)) {
		struct perf_event_header *h = (void *)(buf + off);

		if (UNLIKELY(f->swap))
			swap_header(h);
		if (UNLIKELY(h->size < sizeof(*h))) {
			s.bad = true;
			s.head = *h;
			break;
		}
		if (h->size > len - off) {
			if (UNLIKELY(f->swap))
				swap_header(h); /* it is read again, with its rest */
			break;
		}
		if (UNLIKELY(f->swap))
			swap_record(f, h);
		off += h->size;
		s.nr++;
		if (UNLIKELY(h->type >= PERF_RECORD_MAX || !h->type || h->size % 8)) {
			if (h->type >= PERF_RECORD_USER_TYPE_START)
				user_record(f, h);
			else if (h->type >= PERF_RECORD_MAX || !h->type)
				damage_unknown_record(f, h);
			s.cut = ends_chunk(h);
			if (s.cut)
				break;
		}
	}
	s.whole = off;
	return s;
}

static void bad_record(struct perfdata *f, const struct perf_event_header *h)
{
	const char *name = record_type_name(h->type);

	f->damage.skipped_records++;
	f->first_is_end = !f->damage.first[0] || f->only_unknown;
	reader_damage(f, "no record at offset 0x%llx: %s (%u) event of %u bytes",
		      (unsigned long long)f->at, name ? name : "unknown", h->type, h->size);
	give_up(f, f->at);
}

static void cut_record(struct perfdata *f, u64 there)
{
	if (there) {
		f->first_is_end = !f->damage.first[0] || f->only_unknown;
		reader_damage(f,
			      f->pipe ? "the stream ends within the record at offset 0x%llx"
				      : "the last record, at offset 0x%llx, is cut",
			      (unsigned long long)f->at);
	}
	f->damage.truncated_bytes += there;
	f->done = true;
}

/* The whole records of s are the chunk's; false: it ends behind them. */
static bool take_scanned(struct perfdata *f, const struct scan *s, struct perfdata_chunk *c)
{
	c->len += s->whole;
	f->at += s->whole;
	if (s->bad)
		bad_record(f, &s->head);
	else if (s->cut)
		f->odd = ++f->cuts > ODD_AFTER;
	return !s->bad && !s->cut;
}

/* Straight from a file; whole records at f->at. 1 with something in *c, 0 = nothing more, -1. */
static int read_plain(struct perfdata *f, u8 *buf, size_t size, struct perfdata_chunk *c,
		      struct err *e)
{
	c->pos = f->pipe ? f->at - PIPE_HEADER_BYTES : f->at;
	while (f->at < f->data_end) {
		u64 want = MIN((u64)(size - c->len), MIN(f->data_end - f->at, (u64)READ_PIECE));
		ssize_t got = rw_pread_full(reading_fd(f), buf + c->len, want, f->at);
		struct scan s;

		if (got < 0)
			return err_sys(e, errno, "cannot read '%s'", f->path);
		s = scan_records(f, buf + c->len, (size_t)got);
		if (!take_scanned(f, &s, c))
			break;
		if (s.whole)
			continue;
		if (c->len && (u64)got == want && f->at + want < f->data_end)
			return 1; /* the caller's buffer is full */
		cut_record(f, (u64)got);
		break;
	}
	if (f->at >= f->data_end && !f->payload)
		f->done = true;
	return c->len != 0;
}

/* A record of which some is there, where the file has all of it: a sample that can be passed over
 * now. */
static bool is_passed(const struct perfdata *f, const u8 *record, size_t there)
{
	const struct perf_event_header *h = (const void *)record;

	return there >= PERFDATA_FRONT && h->type == PERF_RECORD_SAMPLE && h->size >= LONG_SAMPLE &&
	       h->size % 8 == 0 && f->at + h->size <= MIN(f->data_end, f->file_size);
}

/*
 * What read_plain() does, but of long samples only their fronts are read. Reads are short behind
 * one of these, and longer from one to the next when there are others.
 */
static int read_fronts(struct perfdata *f, u8 *buf, size_t size, struct perfdata_chunk *c,
		       struct err *e)
{
	size_t want = FRONT_PIECE;

	c->fronts = true;
	c->pos = f->at;
	while (f->at < f->data_end) {
		u64 room = MIN((u64)(size - c->len), f->data_end - f->at);
		ssize_t got = rw_pread_full(reading_fd(f), buf + c->len, MIN(room, (u64)want),
					    f->at);
		u8 *record;
		struct scan s;

		if (got < 0)
			return err_sys(e, errno, "cannot read '%s'", f->path);
		c->read += (size_t)got;
		s = scan_records(f, buf + c->len, (size_t)got);
		if (!take_scanned(f, &s, c))
			break;
		record = buf + c->len;
		if (is_passed(f, record, (size_t)got - s.whole)) {
			u32 len = ((const struct perf_event_header *)(const void *)record)->size;

			if (len > size - c->len)
				return 1; /* the caller's buffer is full */
			c->len += len;
			f->at += len;
			want = FRONT_PIECE;
			continue;
		}
		if (!s.whole && (size_t)got == room) {
			if (c->len && room < f->data_end - f->at)
				return 1;
			cut_record(f, (u64)got);
			break;
		}
		if (!s.whole && (size_t)got < MIN(room, (u64)want)) {
			cut_record(f, (u64)got);
			break;
		}
		want = MIN(want * 4, (size_t)READ_PIECE);
	}
	if (f->at >= f->data_end && !f->payload)
		f->done = true;
	return c->len != 0;
}

/* Make at least want bytes available in the window; false at the end of the input. */
static int window_fill(struct perfdata *f, size_t want, struct err *e)
{
	struct window *w = &f->win;

	if (!w->buf)
		w->buf = xmalloc(WINDOW_SIZE);
	while (w->end - w->start < want && !w->eof) {
		u64 pos = f->at + (w->end - w->start);
		size_t room;
		ssize_t got;

		if (w->start && WINDOW_SIZE - w->start < want) {
			memmove(w->buf, w->buf + w->start, w->end - w->start);
			w->end -= w->start;
			w->start = 0;
		}
		room = WINDOW_SIZE - w->end;
		if (f->regular) {
			room = (size_t)MIN((u64)room, f->data_end - pos);
			got = rw_pread_full(reading_fd(f), w->buf + w->end, room, pos);
		} else {
			got = reader_input(f, w->buf + w->end, room);
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(e, errno, "cannot read '%s'", f->path);
		if (!got)
			w->eof = true;
		w->end += (size_t)got;
	}
	return 0;
}

static struct perf_event_header peek(const struct perfdata *f, size_t off)
{
	struct perf_event_header h;

	memcpy(&h, f->win.buf + f->win.start + off, sizeof(h));
	if (f->swap)
		swap_header(&h);
	return h;
}

/* Bytes of whole records in the window that may go into one chunk of at most max bytes. */
static size_t window_whole(const struct perfdata *f, size_t max)
{
	size_t avail = MIN(f->win.end - f->win.start, max);
	size_t off = 0;

	while (avail - off >= sizeof(struct perf_event_header)) {
		struct perf_event_header h = peek(f, off);

		if (h.size < sizeof(h) || h.size > avail - off)
			break;
		off += h.size;
		if (ends_chunk(&h))
			break;
	}
	return off;
}

static void window_drop(struct perfdata *f, size_t n)
{
	f->win.start += n;
	f->at += n;
	if (f->win.start == f->win.end)
		f->win.start = f->win.end = 0;
}

/* Through the window, never waiting once there is something to deliver. */
static int read_window(struct perfdata *f, u8 *buf, size_t size, struct perfdata_chunk *c,
		       struct err *e)
{
	struct window *w = &f->win;
	size_t need = sizeof(struct perf_event_header);
	struct scan s;

	c->pos = f->pipe ? f->at - PIPE_HEADER_BYTES : f->at;
	if (window_fill(f, need, e))
		return -1;
	if (w->end - w->start >= need) {
		struct perf_event_header head = peek(f, 0);

		need = head.size;
		if (need < sizeof(head)) {
			bad_record(f, &head);
			return 0;
		}
		if (window_fill(f, need, e))
			return -1;
	}
	if (w->end - w->start < need) {
		cut_record(f, w->end - w->start);
		return 0;
	}
	c->len = window_whole(f, size);
	memcpy(buf, w->buf + w->start, c->len);
	s = scan_records(f, buf, c->len);
	c->len = s.whole;
	window_drop(f, s.whole);
	return c->len != 0;
}

/* Copy (or with dst NULL pass over) n bytes of payload; returns how many there were. */
static s64 take_payload(struct perfdata *f, u8 *dst, u64 n, struct err *e)
{
	u64 done = 0;

	if (f->regular) {
		/* also right for the window: what it holds is read again if it is needed */
		u64 there = MIN(n, f->data_end - f->at);
		ssize_t got = (ssize_t)MIN(there, (u64)INT64_MAX);

		if (dst)
			got = rw_pread_full(reading_fd(f), dst, there, f->at);
		if (got < 0)
			return err_sys(e, errno, "cannot read '%s'", f->path);
		f->win.start = f->win.end = 0;
		f->win.eof = false;
		f->at += (u64)got;
		return got;
	}
	while (done < n) {
		size_t have;

		if (window_fill(f, 1, e))
			return -1;
		have = (size_t)MIN((u64)(f->win.end - f->win.start), n - done);
		if (!have)
			break;
		if (dst)
			memcpy(dst + done, f->win.buf + f->win.start, have);
		window_drop(f, have);
		done += have;
	}
	return (s64)done;
}

/* The bytes behind a TRACING_DATA record are kept, once; those behind AUXTRACE are not. */
static int pass_payload(struct perfdata *f, struct err *e)
{
	u64 n = f->payload;
	u8 *blob = NULL;
	s64 got;

	f->payload = 0;
	if (f->payload_is_trace && !f->trace_blob && !info_has(&f->info, FEAT_TRACING_DATA) &&
	    n <= LIMIT_FEATURE && (!f->regular || n <= f->data_end - f->at))
		blob = xmalloc(n);
	got = take_payload(f, blob, n, e);
	if (got < 0) {
		free(blob);
		return -1;
	}
	if ((u64)got < n) {
		f->damage.truncated_bytes += n - (u64)got;
		reader_damage(f, "the data behind a record is cut");
	}
	if (blob) {
		f->trace_blob = blob;
		f->trace_size = (size_t)got;
		bits_set(f->info.present, FEAT_TRACING_DATA);
		f->tables_dirty = true;
	}
	return 0;
}

/* Whether compressed data makes more of itself than a recorder's can. */
static bool is_bomb(const struct perfdata *f)
{
	return f->inflated_pos > LIMIT_INFLATED + LIMIT_INFLATED_RATIO * f->deflated ||
	       f->inflated_nr > LIMIT_INFLATED_RECORDS + LIMIT_RECORDS_RATIO * f->deflated;
}

/* What the last compressed record holds, after the rest of the one before. */
static int read_inflated(struct perfdata *f, u8 *buf, size_t size, struct perfdata_chunk *c)
{
	size_t have = f->part_len;
	struct scan s;
	ssize_t got;

	if (!f->part)
		f->part = xmalloc(RECORD_MAX);
	memcpy(buf, f->part, have);
	f->part_len = 0;
	got = zstd_stream_read(f->zstd, buf + have, size - have);
	if (got < 0) {
		f->damage.skipped_records++;
		reader_damage(f, "compressed data is broken");
		f->inflating = false;
		f->done = true;
		return 0;
	}
	if (!got)
		f->inflating = false;
	have += (size_t)got;
	c->pos = f->inflated_pos;
	/* Only kernel records are ever compressed, and they are aligned. */
	s = scan_records(f, buf, have);
	c->len = s.whole;
	f->inflated_pos += s.whole;
	f->inflated_nr += s.nr;
	f->payload = 0;
	if (s.bad || s.cut) {
		bad_record(f, &s.head);
		f->inflating = false;
		return c->len != 0;
	}
	if (is_bomb(f)) {
		reader_damage(
			f,
			"compressed data makes more of itself than a recorder's can: the rest is left out");
		f->inflating = false;
		f->done = true;
		return c->len != 0;
	}
	f->part_len = have - s.whole;
	memcpy(f->part, buf + s.whole, f->part_len);
	return c->len != 0;
}

/* Open the next member of a directory; false when there is none. */
static bool next_member(struct perfdata *f)
{
	while (f->stream < f->members.nr) {
		const char *path = f->members.v[f->stream++];
		struct err e = ERR_INIT;
		int fd = reader_open_member(f, path, &e);
		struct stat st;

		mem_closep(&f->member_fd);
		if (fd < 0 || fstat(fd, &st)) {
			reader_damage(f, "%s",
				      e.code ? e.text : "a member of the folder cannot be read");
			mem_closep(&fd);
			continue;
		}
		f->member_fd = fd;
		stream_start(f, 0, (u64)st.st_size);
		return true;
	}
	return false;
}

static u64 perfdata_payload(const struct perfdata *f)
{
	return f->payload_is_trace ? 0 : f->payload;
}

ssize_t perfdata_read_payload(struct perfdata *f, void *buf, size_t size, struct err *e)
{
	u64 n = MIN((u64)size, perfdata_payload(f));
	s64 got = n ? take_payload(f, buf, n, e) : 0;

	if (got < 0)
		return -1;
	f->payload -= (u64)got;
	if ((u64)got < n) {
		f->damage.truncated_bytes += f->payload;
		reader_damage(f, "the data behind a record is cut");
		f->payload = 0;
	}
	return got;
}

static int read_some(struct perfdata *f, void *buf, size_t size, bool fronts,
		     struct perfdata_chunk *c, struct err *e)
{
	if (f->inflating)
		return read_inflated(f, buf, size, c);
	if (f->payload && pass_payload(f, e))
		return -1;
	c->in_file = f->regular && !f->pipe && !f->swap && !f->stream;
	if (f->odd)
		return read_window(f, buf, size, c, e);
	return fronts && c->in_file ? read_fronts(f, buf, size, c, e)
				    : read_plain(f, buf, size, c, e);
}

ssize_t perfdata_pread(const struct perfdata *f, void *buf, size_t size, u64 pos)
{
	return rw_pread_full(f->fd, buf, size, pos);
}

/* From here on the input is read from a file that has all of the rest, at the same positions. */
static int put_aside(struct perfdata *f, struct err *e)
{
	size_t have = f->win.end - f->win.start;
	int fd = f->feed ? err_set(e, ESPIPE, "'%s' has no end", f->path) : spool_open(e);
	u64 end;

	if (fd < 0)
		return -1;
	if (spool_add(fd, f->win.buf + f->win.start, have, f->at, e) ||
	    spool_fill(fd, f->fd, f->at + have, &end, e)) {
		close(fd);
		return -1;
	}
	close(f->fd);
	f->fd = fd;
	f->regular = true;
	f->file_size = f->data_end = end;
	f->win.start = f->win.end = 0;
	f->win.eof = false;
	return 0;
}

/* Bytes that stand behind a record. */
static u64 payload_of(const struct perf_event_header *h, const u8 *record, bool swap)
{
	u64 n = h->type == PERF_RECORD_AUXTRACE              ? bits_u64(record + sizeof(*h))
		: h->type == PERF_RECORD_HEADER_TRACING_DATA ? bits_u32(record + sizeof(*h))
							     : 0;

	if (swap)
		n = h->type == PERF_RECORD_AUXTRACE ? __builtin_bswap64(n)
						    : __builtin_bswap32((u32)n);
	return MIN(ALIGN_UP(n, 8), (u64)INT64_MAX);
}

/* Take the pieces of SYMBOLS among the records in buf; bytes passed over, 0 = there is no more. */
static u64 take_symbols(struct perfdata *f, const u8 *buf, size_t len, u8 *record)
{
	enum { HEAD = sizeof(struct perf_event_header) + 8 };
	u64 at = 0;

	while (at + HEAD <= len) {
		struct perf_event_header h;

		memcpy(&h, buf + at, sizeof(h));
		if (f->swap)
			swap_header(&h);
		if (h.size < sizeof(h))
			return 0;
		if (h.type == PERF_RECORD_EVENT_UPDATE) {
			if (h.size > len - at)
				break;
			memcpy(record, &h, sizeof(h));
			memcpy(record + sizeof(h), buf + at + sizeof(h), h.size - sizeof(h));
			if (f->swap)
				swap_record(f, (void *)record);
			records_apply_symbols(f, (const void *)record);
		}
		at += h.size + payload_of(&h, buf + at, f->swap);
	}
	return at;
}

/* Names that stand behind all samples are wanted before them. */
static int find_symbols(struct perfdata *f, struct err *e)
{
	u64 at, step = 1;
	u8 *buf;

	f->symbols_sought = true;
	if (!f->regular && put_aside(f, e))
		return -1;
	buf = xmalloc(READ_PIECE + RECORD_MAX);
	for (at = f->at + f->payload; step && at < f->data_end && !info_has(&f->info, FEAT_SYMBOLS);
	     at += step) {
		ssize_t got = rw_pread_full(f->fd, buf,
					    (size_t)MIN(f->data_end - at, (u64)READ_PIECE), at);

		step = got > 0 ? take_symbols(f, buf, (size_t)got, buf + READ_PIECE) : 0;
	}
	free(buf);
	if (!info_has(&f->info, FEAT_SYMBOLS))
		reader_damage(f, "the stream ends before the names that it should carry");
	return 0;
}

static int read_chunk(struct perfdata *f, void *buf, size_t size, bool fronts,
		      struct perfdata_chunk *c, struct err *e)
{
	int r = 0;

	if (size < BUFFER_MIN)
		return err_set(e, EINVAL, "a buffer of %zu bytes is too small", size);
	while (!r) {
		if (f->done && !f->inflating && !next_member(f))
			break;
		*c = (struct perfdata_chunk){ .stream = f->stream };
		r = read_some(f, buf, size, fronts, c, e);
		if (!c->fronts)
			c->read = c->len;
		if (r > 0 && f->symbols_follow && !f->symbols_sought && find_symbols(f, e))
			return -1;
	}
	if (f->tables_dirty)
		events_find_names(f);
	return r;
}

int perfdata_read(struct perfdata *f, void *buf, size_t size, struct perfdata_chunk *c,
		  struct err *e)
{
	return read_chunk(f, buf, size, false, c, e);
}

int perfdata_read_fronts(struct perfdata *f, void *buf, size_t size, struct perfdata_chunk *c,
			 struct err *e)
{
	return read_chunk(f, buf, size, true, c, e);
}
