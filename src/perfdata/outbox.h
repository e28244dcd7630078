/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outbox: writing behind: blocks of records on their way to a file descriptor, compressed if
 * wanted, by threads of their own, in the order in which they came. For the writer only.
 *
 * Compressed data becomes PERF_RECORD_COMPRESSED records (type 81), each of them a zstd frame of
 * its own: it can be decoded by itself, and the readers of the kernel's perf take it too. A record
 * is never empty when it is decoded (they would refuse it) and never gives more than OUTBOX_BLOCK
 * bytes.
 *
 * One thread adds. An error of the descriptor is kept and told from then on; what was written whole
 * before it counts as written. Format: doc/format/perf.data.md.
 */
#ifndef PERFDATA_OUTBOX_H
#define PERFDATA_OUTBOX_H

#include <sys/uio.h>

#include "base/types.h"
#include "perfdata/writer.h"

enum { OUTBOX_BLOCK = WRITER_MAX_SQUEEZED };

struct outbox_opts {
	int fd;
	int level; /* of zstd, 1..22; 0 = do not compress */
	unsigned int workers; /* 0 = everything in the caller's thread */
	unsigned int blocks; /* on their way at most, at least 1 */
};

struct outbox;

bool outbox_can_compress(void); /* whether that is built in */
/* NULL: compression is asked for and not built in. */
struct outbox *outbox_new(const struct outbox_opts *opts);
/* Drains first. */
void outbox_free(struct outbox *o);

/* Whole records; squeeze: may be compressed. 0, or the errno of an earlier write. */
int outbox_add(struct outbox *o, const struct iovec *iov, int nr, bool squeeze);
/* Send what has been added. */
int outbox_send(struct outbox *o);
/* Send it and wait until all is written. */
int outbox_drain(struct outbox *o);
/* Bytes written so far. Exact after outbox_drain(). */
u64 outbox_written(const struct outbox *o);
/* Bytes given to the compressor, and what became of them; exact after outbox_drain(). */
void outbox_ratio(const struct outbox *o, u64 *original, u64 *compressed);

#endif
