/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfdata: reading perf.data in all its forms: file, pipe stream (from a pipe or saved in a file),
 * directory, zstd-compressed, foreign-endian, 32-bit, attrs of any size, truncated, unfinished.
 *
 * perfdata_open() reads the header (file) or as much of the stream as is needed to know that it is
 * one (pipe). perfdata_read() then delivers the records in file order, native-endian and
 * decompressed, whole records only, every header.size checked. Records that describe the file
 * itself (HEADER_ATTR, HEADER_FEATURE, EVENT_UPDATE, HEADER_TRACING_DATA, HEADER_BUILD_ID,
 * ID_INDEX, ...) are applied to the tables below while reading *and* delivered.
 *
 * What is broken is skipped and counted (struct perfdata_damage), never fatal unless nothing of the
 * file can be used. One thread at a time reads; the tables may be read by others while no
 * perfdata_read() runs (for a file, events and ids do not change after perfdata_open()).
 *
 * Format: doc/format/perf.data.md.
 */
#ifndef PERFDATA_PERFDATA_H
#define PERFDATA_PERFDATA_H

#include "base/err.h"
#include "perfdata/sample.h"

struct perfdata;
struct perfdata_info; /* header features in decoded form: perfdata/info.h */

struct perfdata_event {
	u32 index;
	struct perf_event_attr attr; /* zero-extended or cut to our size */
	u32 attr_size; /* as in the file */
	struct sample_layout layout;
	const char *name; /* as perf shows it: from the file, else derived; never NULL */
	const char *unit; /* NULL = none */
	double scale; /* 1.0 = none */
	const u64 *ids;
	size_t nr_ids;
	u32 leader; /* index of the group leader, its own index when ungrouped */
	u32 nr_members; /* of the group, leader included; 1 = ungrouped */
	const char *group_name; /* NULL = none */
	const char *cpus; /* CPU list text from EVENT_UPDATE, NULL = all */
};

struct perfdata_damage {
	u64 truncated_bytes; /* data that should be there but is not */
	u64 skipped_records; /* malformed or of an impossible size */
	u64 unknown_records; /* of a type this version does not know */
	bool unfinished; /* the writer never wrote its data size */
	char first[256]; /* text of the first problem, "" = none */
};

/* Records too short for their fields, or with a name or list that has no end. */
struct perfdata_malformed {
	u64 nr;
	struct perf_event_header first; /* of them */
	u64 pos; /* where that is, in the file */
};

/* Bytes of a stream that come from another thread of this program, as read(2) gives them. */
struct perfdata_feed {
	ssize_t (*read)(void *ctx, void *buf, size_t size);
	void *ctx;
};

struct perfdata_opts {
	const char *path; /* "-" = standard input */
	const struct perfdata_feed *
		feed; /* read in place of path, which then only names it in messages; NULL = none */
	bool force; /* read files of other users, too */
	bool no_events_ok; /* a recording of counters may have none */
};

int perfdata_open(struct perfdata **out, const struct perfdata_opts *opts, struct err *e);
void perfdata_close(struct perfdata *f);

const char *perfdata_path(const struct perfdata *f);
/* The path for messages: "standard input" for "-". */
const char *perfdata_name(const struct perfdata *f);
/* The directory that holds the recording, NULL = it is one file. */
const char *perfdata_directory(const struct perfdata *f);
bool perfdata_is_pipe(const struct perfdata *f);
/* A descriptor of the file that is read (of a folder: its "data"), for rw_pread_full(), also when
 * another file has its path by now. The caller closes it. -1 with errno. */
int perfdata_dup(const struct perfdata *f);
bool perfdata_is_foreign_endian(const struct perfdata *f);
/* Bytes of all data streams, 0 when unknown (pipe); for progress. */
u64 perfdata_data_size(const struct perfdata *f);

size_t perfdata_nr_events(const struct perfdata *f);
const struct perfdata_event *perfdata_event(const struct perfdata *f, size_t i);
/* Whether samples of an event have one of these fields (PERF_SAMPLE_*). */
bool perfdata_has_sample_type(const struct perfdata *f, u64 fields);
/* Whether any event has a leader; a stream tells that later than its events. */
bool perfdata_has_groups(const struct perfdata *f);
/* The event of a record: by id when there are several, else the only one; NULL = unknown id. */
const struct perfdata_event *perfdata_event_of(const struct perfdata *f,
					       const struct perf_event_header *h);
const struct perfdata_event *perfdata_event_by_id(const struct perfdata *f, u64 id);
const struct perfdata_info *perfdata_info(const struct perfdata *f);
const struct perfdata_damage *perfdata_damage(const struct perfdata *f);
/* Whether data is missing that its writer finished: not so where the writer was killed. */
bool perfdata_is_cut(const struct perfdata *f);
/* Adds records that could not be read to the damage. Not beside perfdata_read(). */
void perfdata_add_malformed(struct perfdata *f, const struct perfdata_malformed *m);

struct perfdata_chunk {
	size_t len; /* bytes of whole records put into the caller's buffer */
	u64 pos; /* file offset of the first record, as -D prints it (position in the stream for
		  * pipes and decompressed data); records of a chunk are contiguous there */
	u32 stream; /* 0, or the number of the data file in a directory */
	bool in_file; /* perfdata_pread() gives the same bytes again */
	bool fronts; /* long samples are not there as a whole: perfdata_read_fronts() */
	size_t read; /* bytes that were read for it */
};

/*
 * Deliver the next records into buf (8-byte aligned, size >= 128 KiB). 1 with *c filled, 0 at the
 * end, -1 with *e on an I/O error. A file without rounds of its own (directory members) is
 * delivered one stream after the other. Calling it again after the end returns 0.
 */
int perfdata_read(struct perfdata *f, void *buf, size_t size, struct perfdata_chunk *c,
		  struct err *e);
/*
 * The same for callers that need only the first PERFDATA_FRONT bytes of long samples (copies of
 * stacks): what follows these is not read where it can be passed over, and is undefined in buf.
 * Records have the same places in buf as after perfdata_read().
 */
enum { PERFDATA_FRONT = 512 };
int perfdata_read_fronts(struct perfdata *f, void *buf, size_t size, struct perfdata_chunk *c,
			 struct err *e);
/*
 * Bytes that stand behind the last record of the chunk just read and belong to it (AUXTRACE). They
 * can be taken piece by piece before the next perfdata_read(), which passes over what is left.
 * read: bytes put into buf, less than size only at the end; -1 with *e.
 */
ssize_t perfdata_read_payload(struct perfdata *f, void *buf, size_t size, struct err *e);
/*
 * Bytes of a chunk that is in_file, at a position of its own. Any thread, also beside
 * perfdata_read(). The file may have been changed meanwhile: check what matters again. Bytes
 * read, -1 on error.
 */
ssize_t perfdata_pread(const struct perfdata *f, void *buf, size_t size, u64 pos);
/* Start over from the first record; files only (false for a pipe). */
bool perfdata_rewind(struct perfdata *f);

#endif
