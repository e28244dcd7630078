/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader: the inside of struct perfdata, shared by the files of this module only.
 */
#ifndef PERFDATA_READER_H
#define PERFDATA_READER_H

#include "abi/features.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "perfdata/info.h"
#include "perfdata/perfdata.h"

#define PERFDATA_MAGIC2 0x32454c4946524550ULL /* "PERFILE2" read by a little-endian host */
#define PERFDATA_MAGIC1 0x454c494646524550ULL /* "PERFFILE" */

enum {
	HEADER_BYTES = 104,
	PIPE_HEADER_BYTES = 16,
	RECORD_MAX = 65536, /* header.size is a u16 */
};

struct file_section {
	u64 offset, size;
};

struct file_header {
	u64 magic, size, attr_size;
	struct file_section attrs, data, event_types;
	u64 features[FEAT_BITS / 64];
};
_Static_assert(sizeof(struct file_header) == HEADER_BYTES, "perf.data header");

/* Event ids to event numbers: open addressing, grows. */
struct id_map {
	struct id_slot {
		u64 id;
		u32 event1; /* event + 1, 0 = empty */
	} * slots;
	u32 mask, nr;
};

struct event_box {
	struct perfdata_event ev; /* first: what callers see */
	u64 *ids;
	char *name, *unit, *cpus;
	bool named; /* by the file, not derived */
};

struct zstd_stream;
struct trace_names;

struct perfdata {
	char *path;
	const struct perfdata_feed *feed; /* NULL = fd */
	int fd;
	bool pipe; /* stream format, wherever it comes from */
	bool regular; /* fd is a regular file: positions can be read */
	bool swap;
	bool force, no_events_ok;
	u64 file_size;
	struct file_header header;
	VEC(struct event_box *) events;
	struct id_map ids;
	struct arena arena;
	struct perfdata_info info;
	VEC(struct info_build_id) build_ids;
	struct perfdata_damage damage;
	bool only_unknown; /* damage.first is of records of unknown types: worse replaces it */
	bool first_is_end; /* ... is of where reading ended: a broken record before replaces it */
	struct perfdata_damage header_damage; /* what opening found: rewinding goes back to it */
	struct trace_names *trace_names;
	struct file_section trace_section; /* where the tracing data lies in a file */
	struct feature_place { /* where the body of a feature is: in the file, or in a stream's
				  memory */
		u64 offset, size;
		const void *body; /* NULL = in the file */
	} places[FEAT_BITS];
	u8 *trace_blob;
	size_t trace_size;
	struct strbuf symbols; /* pieces of that feature, in a stream */
	u64 symbols_size;
	bool symbols_follow, symbols_sought; /* at the end of the stream */
	bool tables_dirty; /* names and groups must be found anew */

	/* where reading is (stream.c) */
	u64 at; /* position of the next byte of the data */
	u64 data_end; /* ~0 = unknown */
	bool done; /* nothing more comes from this file or member */
	bool odd; /* records are taken through the window below */
	u32 cuts;
	struct window {
		u8 *buf; /* NULL until used */
		size_t start, end;
		bool eof;
	} win;
	u64 payload; /* bytes behind the last delivered record that belong to it */
	bool payload_is_trace;
	struct zstd_stream *zstd; /* NULL until the first compressed record */
	bool inflating; /* the last compressed record is not used up */
	u8 *part; /* beginning of a record whose rest is not inflated yet */
	size_t part_len;
	u64 inflated_pos; /* position in the decompressed data */
	u64 inflated_nr, deflated; /* records there; bytes before decompression */
	/* directory: this file, then its members */
	char *directory; /* NULL = none */
	VEC(char *) members;
	int member_fd;
	u32 stream; /* 0 = this file, n = member n - 1 */
	u64 all_size;
};

#define PERFDATA_DEFAULT_PATH "perf.data"

/* input.c */
/* Opens f->path; f->fd, f->directory and what is known of the file. */
int reader_open_input(struct perfdata *f, struct err *e);
/* The members of a directory in the order of their numbers: data.0, data.1, ... -1: one of them is
 * no file of the user's, so none is to be trusted. */
int reader_find_members(struct perfdata *f, struct err *e);
/* A file of the folder that the recording is; -1 and *e: it is not there, or not to be trusted. */
int reader_open_member(const struct perfdata *f, const char *path, struct err *e);
/* The next bytes of an input that is no regular file, as read(2) and as rw_read_full(). */
ssize_t reader_input(const struct perfdata *f, void *buf, size_t size);
ssize_t reader_input_full(const struct perfdata *f, u8 *buf, size_t n);

/* damage.c: tells the first damage, unless one has been told. */
void reader_damage(struct perfdata *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same of a record whose type is not known, which any other damage replaces. */
void damage_unknown_record(struct perfdata *f, const struct perf_event_header *h);

/* header.c: f->fd is at a regular file whose magic has been seen; finds the byte order, reads all
 * but the records. */
int header_read(struct perfdata *f, struct err *e);

/* events.c */
/* attr of attr_size bytes in file byte order; ids in native order, taken over. */
int events_add(struct perfdata *f, const void *attr, u32 attr_size, u64 *ids, size_t nr_ids,
	       struct err *e);
/* Names from the file, which win over names that are derived from the attr, and groups. */
void events_find_names(struct perfdata *f);
/* The name as it is shown: characters that a terminal would obey are escaped here, once. */
void events_set_name(struct event_box *b, const char *name);

/* records.c: apply a record that describes the file (type >= USER_TYPE_START; native order). */
void records_apply(struct perfdata *f, const struct perf_event_header *h);
/* Of an EVENT_UPDATE (native order): only names of functions. */
void records_apply_symbols(struct perfdata *f, const struct perf_event_header *h);

/* swap_record.c: a record of foreign byte order; its header is in native order already. */
void swap_record(const struct perfdata *f, struct perf_event_header *h);

/* names.c: text of an attr as perf names it, into fresh memory. */
char *event_name_derive(const struct perf_event_attr *attr);
/* "system:name" of tracepoints by id, from a tracing data blob. Find takes NULL for none. */
struct trace_names *trace_names_from_blob(const void *blob, size_t size);
const char *trace_names_find(const struct trace_names *t, u64 id);
void trace_names_free(struct trace_names *t);

#endif
