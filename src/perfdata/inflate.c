/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/inflate.h"

#include <stdlib.h>

#include "base/mem.h"

#ifdef HAVE_ZSTD

#include <zstd.h>

enum { WINDOW_LOG_MAX = 27 }; /* what zstd -22 may need: 128 MiB */

struct zstd_stream {
	ZSTD_DStream *d;
	ZSTD_inBuffer in;
	bool more; /* the last call filled its output: there may be more without input */
	u8 buf[1 << 16];
};

struct zstd_stream *zstd_stream_new(void)
{
	struct zstd_stream *z = xmalloc(sizeof(*z));

	*z = (struct zstd_stream){ .d = ZSTD_createDStream() };
	if (!z->d || ZSTD_isError(ZSTD_initDStream(z->d)) ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(z->d, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
		zstd_stream_free(z);
		return NULL;
	}
	return z;
}

void zstd_stream_free(struct zstd_stream *z)
{
	if (!z)
		return;
	ZSTD_freeDStream(z->d);
	free(z);
}

void zstd_stream_feed(struct zstd_stream *z, const void *data, size_t len)
{
	len = MIN(len, sizeof(z->buf));
	memcpy(z->buf, data, len);
	z->in = (ZSTD_inBuffer){ .src = z->buf, .size = len };
}

ssize_t zstd_stream_read(struct zstd_stream *z, void *out, size_t size)
{
	ZSTD_outBuffer o = { .dst = out, .size = size };

	while (o.pos < size && (z->in.pos < z->in.size || z->more)) {
		size_t in_before = z->in.pos, out_before = o.pos;
		size_t r = ZSTD_decompressStream(z->d, &o, &z->in);

		if (ZSTD_isError(r)) {
			z->in.pos = z->in.size;
			z->more = false;
			return -1;
		}
		z->more = o.pos == o.size;
		if (z->in.pos == in_before && o.pos == out_before)
			break;
	}
	return (ssize_t)o.pos;
}

#else

struct zstd_stream *zstd_stream_new(void)
{
	return NULL;
}

void zstd_stream_free(struct zstd_stream *z)
{
	(void)z;
}

void zstd_stream_feed(struct zstd_stream *z, const void *data, size_t len)
{
	(void)z;
	(void)data;
	(void)len;
}

ssize_t zstd_stream_read(struct zstd_stream *z, void *out, size_t size)
{
	(void)z;
	(void)out;
	(void)size;
	return -1;
}

#endif
