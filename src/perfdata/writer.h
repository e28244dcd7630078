/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer: writing perf.data, as a file or as a stream, which goes to a file descriptor or a sink.
 *
 * Life: perfdata_writer_open(), add events, writer_begin() (writes the header, ids, attrs; in a
 * pipe the HEADER_ATTR records), any number of writer_append() with whole records, features with
 * writer_feature() (files: kept and written at the end; pipe: written at once as HEADER_FEATURE
 * records, so before data), writer_finish() (patches sizes, writes the feature table). A file whose
 * writer was killed has data size 0 and is still readable.
 *
 * The target is created with mode 0600; an existing one is renamed to NAME.old first (record's
 * rule). Disk full: calls return -1 with the errno; writer_finish() still makes the file
 * consistent as far as it got: whole records, the last of which give way to the features if need
 * be. One thread calls; with opts.behind others compress and write, and an error of theirs is told
 * by the next call.
 */
#ifndef PERFDATA_WRITER_H
#define PERFDATA_WRITER_H

#include <sys/uio.h>

#include "abi/features.h"
#include "abi/perf_event.h"
#include "base/err.h"
#include "base/strbuf.h"

struct perfdata_writer;

/* Most bytes that a compressed record decompresses to. */
enum { WRITER_MAX_SQUEEZED = 512 << 10 };

/*
 * Where a stream goes that no file descriptor takes (another thread of this program): the bytes in
 * their order, whole records with what belongs to them (AUXTRACE). Called by the writer's thread.
 */
struct writer_sink {
	int (*write)(void *ctx, const struct iovec *iov, int nr); /* 0 or an errno */
	void (*flush)(void *ctx); /* a round is complete: nothing may follow for a while */
	void *ctx;
};

struct perfdata_writer_opts {
	const struct writer_sink *sink; /* a stream goes there; path names it in errors. No level,
					 * nor threads behind. NULL = none */
	const char *path; /* "-" = standard output as a pipe stream */
	int fd; /* >= 0: write a pipe stream here instead of path */
	bool keep_old; /* rename an existing file to .old */
	u32 attr_size; /* bytes of attr to write; 0 = PERF_ATTR_SIZE_VER7, or as many as the
			* events need */
	int level; /* zstd for writer_append_data(), 1..22; 0 = none */
	unsigned int behind; /* threads that compress and write; 0 = the caller does */
	unsigned int
		blocks; /* with behind: blocks of data on their way at most, 0 = 2 per thread */
	bool symbols_follow; /* a stream: SYMBOLS will come at its end */
	bool bare; /* records alone, without a header: a data file of a directory */
};

/* Whether this build has what opts.level asks for. */
bool writer_can_compress(void);

/* An earlier recording (file or directory) at path becomes path.old, in place of an older one; so
 * does whatever another user has put there. Anything else is left alone. */
int perfdata_keep_old(const char *path, struct err *e);
int perfdata_writer_open(struct perfdata_writer **out, const struct perfdata_writer_opts *opts,
			 struct err *e);
/* Before begin. name is for EVENT_DESC; ids are copied. Returns the event's index. */
u32 writer_add_event(struct perfdata_writer *w, const struct perf_event_attr *attr,
		     const char *name, const u64 *ids, size_t nr_ids);
int writer_begin(struct perfdata_writer *w, struct err *e);
/* Bytes of whole records, unmodified. iov form: both halves of a wrapped ring in one call. */
int writer_append(struct perfdata_writer *w, const void *data, size_t len, struct err *e);
int writer_appendv(struct perfdata_writer *w, const struct iovec *iov, int nr, struct err *e);
/* The same for what the kernel wrote: may be compressed. */
int writer_append_data(struct perfdata_writer *w, const struct iovec *iov, int nr, struct err *e);
/* Small records are collected before they are written to a file; this writes them out. Pipes are
 * never kept waiting. */
int writer_flush(struct perfdata_writer *w, struct err *e);
/* Returns when everything is written, including what other threads write. */
int writer_drain(struct perfdata_writer *w, struct err *e);
/* Where the data begins in the file, after begin; 0 in a stream. */
u64 writer_data_offset(const struct perfdata_writer *w);
/* Data bytes written so far. */
u64 writer_data_size(const struct perfdata_writer *w);
/* Bytes before and after compression; exact after writer_drain(). level 0 = none. */
struct writer_ratio {
	int level;
	u64 original, compressed;
};
struct writer_ratio writer_ratio(const struct perfdata_writer *w);
/*
 * A feature section with this body (may be empty: a flag feature). In a pipe TRACING_DATA, BUILD_ID
 * and SYMBOLS become the records that carry them there; a body too long for a record is left out.
 */
int writer_feature(struct perfdata_writer *w, enum perfdata_feature feature, const void *body,
		   size_t len, struct err *e);
bool writer_is_pipe(const struct perfdata_writer *w);
/* Body of EVENT_DESC for the events added, after begin. */
void writer_event_desc(const struct perfdata_writer *w, struct strbuf *body);
/* Close; frees w in every case. */
int writer_finish(struct perfdata_writer *w, struct err *e);
/* Give up: frees w and leaves what is written as it is. */
void writer_discard(struct perfdata_writer *w);

/*
 * Puts a feature of the appendix (perfdata/appendix.h) into a finished file of this machine's byte
 * order, in place of what it had of that feature. -1: the file is none, or cannot be written.
 */
int perfdata_add_feature(const char *path, unsigned int feature, const void *body, size_t len,
			 struct err *e);

/* Pieces of feature bodies: strings padded to 64 as perf does. */
void feature_add_string(struct strbuf *body, const char *s);
void feature_add_u32(struct strbuf *body, u32 v);
void feature_add_u64(struct strbuf *body, u64 v);

#endif
