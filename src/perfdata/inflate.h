/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inflate: the compressed part of a perf.data as one byte stream. The only place that knows the
 * library; without it zstd_stream_new() returns NULL.
 */
#ifndef PERFDATA_INFLATE_H
#define PERFDATA_INFLATE_H

#include "base/types.h"

struct zstd_stream;

struct zstd_stream *zstd_stream_new(void);
void zstd_stream_free(struct zstd_stream *z);
/* Take the payload of the next compressed record (copied; the one before must be used up). */
void zstd_stream_feed(struct zstd_stream *z, const void *data, size_t len);
/* Up to size decompressed bytes; 0 = the fed bytes are used up; -1 = they are broken. */
ssize_t zstd_stream_read(struct zstd_stream *z, void *out, size_t size);

#endif
