/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "archive/bzip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/par.h"
#include "base/rw.h"

#ifdef HAVE_BZIP2
#include <bzlib.h>
#endif

enum {
	LEVEL = 9, /* blocks of 900 kB */
	PIECE = 4 * 900 * 1000,
	PACKED = PIECE + PIECE / 100 + 600, /* what bzip2 may make of it at worst */
	WORKERS = 16, /* 8 MB each for the compressor */
	INPUT = 1 << 16,
};

struct bzip_piece {
	char *plain, *packed;
	size_t plain_len, packed_len; /* packed_len 0: it could not be compressed */
};

struct bzip_writer {
	struct byte_sink sink;
	int fd;
	const char *name;
	struct err failure; /* the first; of the line's threads until there is one */
	bool failed; /* atomic: failure is set */
	struct par_line *line;
	struct bzip_piece *pieces;
	size_t nr;
	struct bzip_piece *current; /* NULL = none is being filled */
};

struct bzip_reader {
	struct byte_source source;
	struct byte_source *from;
	char *input;
	size_t at, len; /* of input */
	bool plain, begun, ended;
#ifdef HAVE_BZIP2
	bz_stream z;
	bool open; /* inside of a stream */
#endif
};

#ifdef HAVE_BZIP2
static void compress_piece(void *ctx UNUSED, void *job)
{
	struct bzip_piece *p = job;
	unsigned int len = PACKED;

	p->packed_len = 0;
	if (BZ2_bzBuffToBuffCompress(p->packed, &len, p->plain, (unsigned int)p->plain_len, LEVEL,
				     0, 0) == BZ_OK)
		p->packed_len = len;
}

static void write_piece(void *ctx, void *job)
{
	struct bzip_writer *w = ctx;
	const struct bzip_piece *p = job;

	if (w->failure.code)
		return;
	if (!p->packed_len)
		err_set(&w->failure, ENOMEM, "cannot compress '%s': not enough memory", w->name);
	else if (rw_write_full(w->fd, p->packed, p->packed_len))
		err_sys(&w->failure, errno, "cannot write '%s'", w->name);
	__atomic_store_n(&w->failed, w->failure.code != 0, __ATOMIC_RELEASE);
}

static int bzip_write(struct byte_sink *sink, const void *buf, size_t n, struct err *e)
{
	struct bzip_writer *w = (struct bzip_writer *)sink;

	for (const char *from = buf; n;) {
		size_t part;

		if (!w->current) {
			w->current = par_line_take(w->line);
			w->current->plain_len = 0;
		}
		part = MIN(n, PIECE - w->current->plain_len);
		memcpy(w->current->plain + w->current->plain_len, from, part);
		w->current->plain_len += part;
		from += part;
		n -= part;
		if (w->current->plain_len == PIECE) {
			par_line_put(w->line);
			w->current = NULL;
		}
	}
	if (!__atomic_load_n(&w->failed, __ATOMIC_ACQUIRE))
		return 0;
	if (e)
		*e = w->failure;
	return -1;
}

struct bzip_writer *bzip_writer_new(int fd, const char *name, struct err *e UNUSED)
{
	static const struct par_line_ops ops = { .work = compress_piece, .finish = write_piece };
	struct bzip_writer *w = XNEW(struct bzip_writer);
	struct par *par = par_new(0);
	unsigned int workers = MIN(par_workers(par), WORKERS);
	_cleanup_(mem_freep) void **jobs = NULL;

	par_free(par);
	w->sink.write = bzip_write;
	w->fd = fd;
	w->name = name;
	w->nr = workers + 1;
	w->pieces = XNEW_ARRAY(struct bzip_piece, w->nr);
	jobs = XNEW_ARRAY(void *, w->nr);
	for (size_t i = 0; i < w->nr; i++) {
		w->pieces[i].plain = xmalloc(PIECE);
		w->pieces[i].packed = xmalloc(PACKED);
		jobs[i] = &w->pieces[i];
	}
	w->line = par_line_new(workers, jobs, w->nr, &ops, w);
	return w;
}

int bzip_writer_finish(struct bzip_writer *w, struct err *e)
{
	int r;

	if (w->current)
		par_line_put(w->line);
	par_line_free(w->line);
	r = w->failure.code ? -1 : 0;
	if (r && e)
		*e = w->failure;
	for (size_t i = 0; i < w->nr; i++) {
		free(w->pieces[i].plain);
		free(w->pieces[i].packed);
	}
	free(w->pieces);
	free(w);
	return r;
}

/* One step of the decompressor into buf: bytes made, 0 for none yet, -1. */
static ssize_t unpack_step(struct bzip_reader *r, void *buf, size_t n, struct err *e)
{
	int state;

	if (!r->open) {
		r->z = (bz_stream){ 0 };
		if (BZ2_bzDecompressInit(&r->z, 0, 0) != BZ_OK)
			return err_set(e, ENOMEM, "not enough memory to decompress");
		r->open = true;
	}
	r->z.next_in = r->input + r->at;
	r->z.avail_in = (unsigned int)(r->len - r->at);
	r->z.next_out = buf;
	r->z.avail_out = (unsigned int)MIN(n, 1U << 30);
	n = r->z.avail_out;
	state = BZ2_bzDecompress(&r->z);
	r->at = r->len - r->z.avail_in;
	n -= r->z.avail_out;
	if (state == BZ_STREAM_END) {
		BZ2_bzDecompressEnd(&r->z);
		r->open = false;
	} else if (state != BZ_OK) {
		return err_set(e, EINVAL, "the archive is damaged: bzip2 cannot decompress it");
	}
	return (ssize_t)n;
}

static bool within_stream(const struct bzip_reader *r)
{
	return r->open;
}

static void unpack_end(struct bzip_reader *r)
{
	if (r->open)
		BZ2_bzDecompressEnd(&r->z);
}
#else
struct bzip_writer *bzip_writer_new(int fd UNUSED, const char *name UNUSED, struct err *e)
{
	err_set(e, ENOSYS, "this perf was built without libbz2");
	return NULL;
}

int bzip_writer_finish(struct bzip_writer *w UNUSED, struct err *e UNUSED)
{
	return 0;
}

static ssize_t unpack_step(struct bzip_reader *r UNUSED, void *buf UNUSED, size_t n UNUSED,
			   struct err *e)
{
	err_set(e, ENOSYS, "this perf was built without libbz2");
	err_hint(e, "unpack it with bunzip2 first");
	return -1;
}

static bool within_stream(const struct bzip_reader *r UNUSED)
{
	return false;
}

static void unpack_end(struct bzip_reader *r UNUSED)
{
}
#endif

struct byte_sink *bzip_writer_sink(struct bzip_writer *w)
{
	return &w->sink;
}

static int refill(struct bzip_reader *r, struct err *e)
{
	ssize_t got;

	if (r->at < r->len || r->ended)
		return 0;
	got = byte_source_fill(r->from, r->input, INPUT, e);
	if (got < 0)
		return -1;
	r->at = 0;
	r->len = (size_t)got;
	r->ended = !got;
	if (!r->begun)
		r->plain = got < 4 || memcmp(r->input, "BZh", 3) != 0;
	r->begun = true;
	return 0;
}

static ssize_t bzip_read(struct byte_source *source, void *buf, size_t n, struct err *e)
{
	struct bzip_reader *r = (struct bzip_reader *)source;

	for (;;) {
		ssize_t made;

		if (refill(r, e))
			return -1;
		if (r->plain) {
			n = MIN(n, r->len - r->at);
			memcpy(buf, r->input + r->at, n);
			r->at += n;
			return (ssize_t)n;
		}
		if (r->ended && within_stream(r))
			return err_set(e, EINVAL, "the archive ends too early");
		if (r->ended)
			return 0;
		made = unpack_step(r, buf, n, e);
		if (made)
			return made;
	}
}

struct bzip_reader *bzip_reader_new(struct byte_source *from)
{
	struct bzip_reader *r = XNEW(struct bzip_reader);

	r->source.read = bzip_read;
	r->from = from;
	r->input = xmalloc(INPUT);
	return r;
}

struct byte_source *bzip_reader_source(struct bzip_reader *r)
{
	return &r->source;
}

void bzip_reader_free(struct bzip_reader *r)
{
	if (!r)
		return;
	unpack_end(r);
	free(r->input);
	free(r);
}
