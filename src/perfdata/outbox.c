/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/outbox.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "abi/perf_event.h"
#include "base/mem.h"
#include "base/par.h"
#include "base/rw.h"
#include "base/strbuf.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

enum {
	RECORD_BODY = 65528 - sizeof(struct perf_event_header), /* header.size is a u16 */
	SMALLEST_PIECE = 32 << 10, /* fits into a record however badly it compresses */
};

/* First data that may be compressed, then data that may not. */
struct outbox_block {
	u8 *squeeze;
	size_t squeeze_len;
	struct strbuf plain;
	struct strbuf packed; /* records made of squeeze */
#ifdef HAVE_ZSTD
	ZSTD_CCtx *zstd;
	size_t piece; /* bytes that went into the last record */
#endif
};

struct outbox {
	struct outbox_opts opts;
	struct par_line *line;
	struct outbox_block *blocks;
	struct outbox_block *current; /* NULL = none taken */
	atomic_int error;
	_Atomic u64 written, original, compressed;
};

bool outbox_can_compress(void)
{
#ifdef HAVE_ZSTD
	return true;
#else
	return false;
#endif
}

#ifdef HAVE_ZSTD

static bool squeezer_init(struct outbox_block *b, int level)
{
	b->zstd = ZSTD_createCCtx();
	b->piece = OUTBOX_BLOCK;
	return b->zstd &&
	       !ZSTD_isError(ZSTD_CCtx_setParameter(b->zstd, ZSTD_c_compressionLevel, level));
}

static void squeezer_release(struct outbox_block *b)
{
	ZSTD_freeCCtx(b->zstd);
}

/* One record from up to b->piece bytes; returns how many it took. */
static size_t squeeze_piece(struct outbox_block *b, const u8 *from, size_t len)
{
	struct perf_event_header h = { .type = PERF_RECORD_COMPRESSED };
	size_t n, at = b->packed.len;

	strbuf_grow(&b->packed, sizeof(h) + RECORD_BODY);
	for (;;) {
		len = MIN(len, b->piece);
		n = ZSTD_compress2(b->zstd, b->packed.buf + at + sizeof(h), RECORD_BODY, from, len);
		if (!ZSTD_isError(n))
			break;
		if (b->piece <= SMALLEST_PIECE) /* it would have to fit */
			return 0;
		b->piece /= 2;
	}
	/* room for twice as much: try that next time */
	if (n < RECORD_BODY / 3 && len == b->piece && b->piece < OUTBOX_BLOCK)
		b->piece *= 2;
	h.size = (u16)(sizeof(h) + n);
	memcpy(b->packed.buf + at, &h, sizeof(h));
	b->packed.len = at + h.size;
	return len;
}

#else

static bool squeezer_init(struct outbox_block *b UNUSED, int level UNUSED)
{
	return false;
}

static void squeezer_release(struct outbox_block *b UNUSED)
{
}

static size_t squeeze_piece(struct outbox_block *b UNUSED, const u8 *from UNUSED, size_t len UNUSED)
{
	return 0;
}

#endif

static void work(void *ctx, void *job)
{
	struct outbox *o = ctx;
	struct outbox_block *b = job;
	size_t done = 0;

	while (o->opts.level && done < b->squeeze_len) {
		size_t n = squeeze_piece(b, b->squeeze + done, b->squeeze_len - done);

		if (!n) {
			atomic_store(&o->error, ENOMEM);
			return;
		}
		done += n;
	}
}

static bool put(struct outbox *o, const void *data, size_t len)
{
	if (!len)
		return true;
	if (rw_write_full(o->opts.fd, data, len)) {
		atomic_store(&o->error, errno);
		return false;
	}
	atomic_fetch_add(&o->written, len);
	return true;
}

static void finish(void *ctx, void *job)
{
	struct outbox *o = ctx;
	struct outbox_block *b = job;
	bool packed = o->opts.level != 0;

	if (!atomic_load(&o->error) &&
	    put(o, packed ? b->packed.buf : (void *)b->squeeze,
		packed ? b->packed.len : b->squeeze_len) &&
	    put(o, b->plain.buf, b->plain.len) && packed) {
		atomic_fetch_add(&o->original, b->squeeze_len);
		atomic_fetch_add(&o->compressed, b->packed.len);
	}
	b->squeeze_len = 0;
	strbuf_reset(&b->plain);
	strbuf_reset(&b->packed);
}

struct outbox *outbox_new(const struct outbox_opts *opts)
{
	static const struct par_line_ops ops = { .work = work, .finish = finish };
	struct outbox *o = XNEW(struct outbox);
	void **jobs;
	bool ok = true;

	o->opts = *opts;
	o->opts.blocks = MAX(opts->blocks, 1U);
	o->blocks = XNEW_ARRAY(struct outbox_block, o->opts.blocks);
	jobs = XNEW_ARRAY(void *, o->opts.blocks);
	for (unsigned int i = 0; i < o->opts.blocks; i++) {
		o->blocks[i] = (struct outbox_block){ .plain = STRBUF_INIT, .packed = STRBUF_INIT };
		o->blocks[i].squeeze = xmalloc(OUTBOX_BLOCK);
		ok &= !opts->level || squeezer_init(&o->blocks[i], opts->level);
		jobs[i] = &o->blocks[i];
	}
	if (ok)
		o->line = par_line_new(opts->workers, jobs, o->opts.blocks, &ops, o);
	free(jobs);
	if (ok)
		return o;
	outbox_free(o);
	return NULL;
}

void outbox_free(struct outbox *o)
{
	if (!o)
		return;
	if (o->line)
		outbox_drain(o);
	par_line_free(o->line);
	for (unsigned int i = 0; i < o->opts.blocks; i++) {
		free(o->blocks[i].squeeze);
		strbuf_release(&o->blocks[i].plain);
		strbuf_release(&o->blocks[i].packed);
		squeezer_release(&o->blocks[i]);
	}
	free(o->blocks);
	free(o);
}

int outbox_send(struct outbox *o)
{
	struct outbox_block *b = o->current;

	if (b && (b->squeeze_len || b->plain.len)) {
		o->current = NULL;
		par_line_put(o->line);
	}
	return atomic_load(&o->error);
}

static struct outbox_block *current(struct outbox *o)
{
	if (!o->current)
		o->current = par_line_take(o->line);
	return o->current;
}

int outbox_add(struct outbox *o, const struct iovec *iov, int nr, bool squeeze)
{
	struct outbox_block *b = current(o);
	size_t len = 0;

	for (int i = 0; i < nr; i++)
		len += iov[i].iov_len;
	if (squeeze && (b->plain.len || len > OUTBOX_BLOCK - b->squeeze_len)) {
		outbox_send(o);
		b = current(o);
	}
	for (int i = 0; i < nr; i++) {
		const u8 *from = iov[i].iov_base;
		size_t left = iov[i].iov_len;

		while (squeeze && left) {
			size_t n = MIN(left, OUTBOX_BLOCK - b->squeeze_len);

			memcpy(b->squeeze + b->squeeze_len, from, n);
			b->squeeze_len += n;
			from += n;
			left -= n;
			if (left) { /* larger than a block altogether */
				outbox_send(o);
				b = current(o);
			}
		}
		strbuf_add(&b->plain, from, left);
	}
	if (b->plain.len > OUTBOX_BLOCK)
		outbox_send(o);
	return atomic_load(&o->error);
}

int outbox_drain(struct outbox *o)
{
	outbox_send(o);
	par_line_drain(o->line);
	return atomic_load(&o->error);
}

u64 outbox_written(const struct outbox *o)
{
	return atomic_load(&((struct outbox *)(uintptr_t)o)->written);
}

void outbox_ratio(const struct outbox *o, u64 *original, u64 *compressed)
{
	struct outbox *m = (struct outbox *)(uintptr_t)o;

	*original = atomic_load(&m->original);
	*compressed = atomic_load(&m->compressed);
}
