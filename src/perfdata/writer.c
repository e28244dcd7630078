/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/appendix.h"
#include "perfdata/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/log.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "base/vec.h"
#include "perfdata/outbox.h"
#include "perfdata/reader.h"
#include "perfdata/tool_records.h"

enum {
	BUFFER_SIZE = 64 << 10, /* small records are collected up to this */
	STEP = 1 << 20,
	SLACK = 8 << 10, /* what is freed of blocks is whole ones */
	STRING_ALIGN = 64,
};

struct written_event {
	struct perf_event_attr attr;
	char *name;
	u64 *ids;
	size_t nr_ids;
	u64 ids_offset;
};

struct written_feature {
	void *body;
	size_t len;
	bool set;
};

struct perfdata_writer {
	char *path;
	const struct writer_sink *sink; /* NULL = fd */
	int fd;
	bool pipe;
	bool own_fd;
	bool failed; /* the data is cut here: nothing more is appended */
	u32 attr_size;
	VEC(struct written_event) events;
	struct file_section attrs;
	u64 data_offset;
	u64 data_size; /* accepted, the buffer included */
	u64 step[2]; /* ends of whole records in the file, the older at least STEP bytes back */
	u8 *buf;
	size_t buffered;
	struct outbox_opts box_opts;
	struct outbox *box; /* NULL = written at once by the caller */
	struct writer_ratio ratio; /* of an outbox that is gone */
	bool symbols_follow, bare;
	struct written_feature features[FEAT_BITS];
};

static int write_error(struct perfdata_writer *w, struct err *e)
{
	int code = errno;

	err_sys(e, code, "cannot write '%s'", w->path);
	if (code == ENOSPC)
		err_hint(e, "free some space, or write elsewhere with -o FILE");
	return -1;
}

/* Only what a recording consists of: a directory with anything else in it stays. No link is
 * followed: others may have put something there. Closes dir_fd. */
static void remove_parts(int dir_fd)
{
	DIR *dir = dir_fd < 0 ? NULL : fdopendir(dir_fd);
	const struct dirent *d;

	if (!dir && dir_fd >= 0)
		close(dir_fd);
	while (dir && (d = readdir(dir))) {
		if (!strncmp(d->d_name, "kcore_dir", 9)) {
			remove_parts(openat(dir_fd, d->d_name,
					    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
			unlinkat(dir_fd, d->d_name, AT_REMOVEDIR);
		} else if (!strncmp(d->d_name, "data", 4) || !strcmp(d->d_name, "kcore") ||
			   !strcmp(d->d_name, "kallsyms") || !strcmp(d->d_name, "modules")) {
			unlinkat(dir_fd, d->d_name, 0);
		}
	}
	if (dir)
		closedir(dir);
}

/* Whether what lies there gives way to a new recording. */
static bool is_kept(int folder, const char *leaf)
{
	struct stat st;

	if (fstatat(folder, leaf, &st, AT_SYMLINK_NOFOLLOW))
		return false;
	/* What another user has put there is moved, whatever it is: it is neither followed nor
	 * written to. */
	if (is_foreign(&st))
		return true;
	/* (a link to nothing is a name for the new file) */
	if (S_ISLNK(st.st_mode) && fstatat(folder, leaf, &st, 0))
		return false;
	return S_ISDIR(st.st_mode) || (S_ISREG(st.st_mode) && st.st_size);
}

int perfdata_keep_old(const char *path, struct err *e)
{
	const char *leaf;
	_cleanup_(mem_closep) int folder = folder_of(AT_FDCWD, path, &leaf);
	_cleanup_(mem_freep) char *old = xasprintf("%s.old", leaf);
	struct stat st, before;

	if (folder < 0 || !*leaf || !is_kept(folder, leaf))
		return 0;
	/* a file and a directory cannot take each other's place */
	if (!fstatat(folder, old, &before, AT_SYMLINK_NOFOLLOW) && S_ISDIR(before.st_mode)) {
		remove_parts(openat(folder, old, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
		unlinkat(folder, old, AT_REMOVEDIR);
	} else if (!fstatat(folder, leaf, &st, 0) && S_ISDIR(st.st_mode)) {
		unlinkat(folder, old, 0);
	}
	if (renameat(folder, leaf, folder, old))
		return err_sys(e, errno, "cannot rename '%s' to '%s.old'", path, path);
	return 0;
}

static int open_target(struct perfdata_writer *w, const struct perfdata_writer_opts *opts,
		       struct err *e)
{
	if (opts->sink) {
		w->sink = opts->sink;
		w->pipe = true;
		return 0;
	}
	if (opts->fd >= 0 && !opts->path) {
		w->fd = opts->fd;
		w->pipe = true;
		return 0;
	}
	if (!strcmp(w->path, "-")) {
		w->fd = STDOUT_FILENO;
		w->pipe = true;
		return 0;
	}
	if (opts->keep_old && perfdata_keep_old(w->path, e))
		return -1;
	w->fd = output_file_open(w->path, O_CREAT | O_RDWR | O_TRUNC, 0600, e);
	if (w->fd < 0)
		return -1;
	w->own_fd = true;
	return 0;
}

int perfdata_writer_open(struct perfdata_writer **out, const struct perfdata_writer_opts *opts,
			 struct err *e)
{
	struct perfdata_writer *w = XNEW(struct perfdata_writer);

	w->path = xstrdup(opts->path ? opts->path : opts->fd >= 0 ? "-" : "perf.data");
	w->fd = -1;
	w->attr_size = opts->attr_size;
	w->buf = xmalloc(BUFFER_SIZE);
	w->symbols_follow = opts->symbols_follow;
	w->bare = opts->bare;
	w->ratio.level = opts->level;
	w->box_opts = (struct outbox_opts){ .level = opts->level,
					    .workers = opts->behind,
					    .blocks = opts->blocks ? opts->blocks
								   : 2 * opts->behind };
	if (open_target(w, opts, e)) {
		writer_discard(w);
		return -1;
	}
	*out = w;
	return 0;
}

void writer_discard(struct perfdata_writer *w)
{
	if (!w)
		return;
	outbox_free(w->box);
	if (w->own_fd)
		mem_closep(&w->fd);
	VEC_FOR(&w->events, ev) {
		free(ev->name);
		free(ev->ids);
	}
	vec_free(&w->events);
	for (size_t i = 0; i < FEAT_BITS; i++)
		free(w->features[i].body);
	free(w->buf);
	free(w->path);
	free(w);
}

u32 writer_add_event(struct perfdata_writer *w, const struct perf_event_attr *attr,
		     const char *name, const u64 *ids, size_t nr_ids)
{
	struct written_event *ev = VEC_PUSH(&w->events);

	*ev = (struct written_event){ .attr = *attr, .name = xstrdup(name), .nr_ids = nr_ids };
	if (nr_ids) {
		ev->ids = XNEW_ARRAY(u64, nr_ids);
		memcpy(ev->ids, ids, nr_ids * sizeof(*ids));
	}
	return (u32)w->events.nr - 1;
}

/* Older readers refuse attrs longer than they know, so no longer than the events need. */
static u32 needed_attr_size(const struct perfdata_writer *w)
{
	u32 size = PERF_ATTR_SIZE_VER7;

	VEC_FOR(&w->events, ev)
		if (ev->attr.config3 || ev->attr.config4)
			size = PERF_ATTR_SIZE_VER9;
	return size;
}

static void add_attr(const struct perfdata_writer *w, struct strbuf *out,
		     const struct written_event *ev)
{
	struct perf_event_attr attr = ev->attr;

	attr.size = w->attr_size;
	strbuf_add(out, &attr, w->attr_size);
}

static u64 first_id(const struct perfdata_writer *w)
{
	return w->events.nr && w->events.v[0].nr_ids ? w->events.v[0].ids[0] : 0;
}

/* All of iov (which it changes). -1 with errno. */
static int put(struct perfdata_writer *w, struct iovec *v, int n)
{
	if (w->sink) {
		errno = w->sink->write(w->sink->ctx, v, n);
		return errno ? -1 : 0;
	}
	for (int i = 0; i < n;) {
		ssize_t done = writev(w->fd, v + i, n - i);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		for (; i < n && (size_t)done >= v[i].iov_len; i++)
			done -= (ssize_t)v[i].iov_len;
		if (i < n) {
			v[i].iov_base = (u8 *)v[i].iov_base + done;
			v[i].iov_len -= (size_t)done;
		}
	}
	return 0;
}

static int begin_pipe(struct perfdata_writer *w, struct err *e)
{
	struct iovec iov;
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	u64 head[2] = { PERFDATA_MAGIC2, PIPE_HEADER_BYTES };

	strbuf_add(&out, head, sizeof(head));
	VEC_FOR(&w->events, ev) {
		size_t room = (RECORD_MAX - 8 - sizeof(struct perf_event_header) - w->attr_size) /
			      8;
		size_t nr = MIN(ev->nr_ids, room);
		struct perf_event_header h = {
			.type = PERF_RECORD_HEADER_ATTR,
			.size = (u16)(sizeof(h) + w->attr_size + nr * 8),
		};

		strbuf_add(&out, &h, sizeof(h));
		add_attr(w, &out, ev);
		strbuf_add(&out, ev->ids, nr * 8);
	}
	if (w->symbols_follow)
		record_add_symbols(&out, first_id(w), NULL, 0);
	w->data_size = out.len - PIPE_HEADER_BYTES;
	iov = (struct iovec){ out.buf, out.len };
	return put(w, &iov, 1) ? write_error(w, e) : 0;
}

static int begin_file(struct perfdata_writer *w, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct file_header h = { .magic = PERFDATA_MAGIC2, .size = sizeof(h) };

	strbuf_add(&out, &h, sizeof(h));
	VEC_FOR(&w->events, ev) {
		ev->ids_offset = out.len;
		strbuf_add(&out, ev->ids, ev->nr_ids * 8);
	}
	w->attrs.offset = out.len;
	VEC_FOR(&w->events, ev) {
		struct file_section ids = { ev->ids_offset, ev->nr_ids * 8 };

		add_attr(w, &out, ev);
		strbuf_add(&out, &ids, sizeof(ids));
	}
	w->attrs.size = out.len - w->attrs.offset;
	w->data_offset = out.len;
	h.attr_size = w->attr_size + sizeof(struct file_section);
	h.attrs = w->attrs;
	h.data.offset = w->data_offset;
	memcpy(out.buf, &h, sizeof(h));
	if (rw_write_full(w->fd, out.buf, out.len))
		return write_error(w, e);
	return 0;
}

bool writer_can_compress(void)
{
	return outbox_can_compress();
}

int writer_begin(struct perfdata_writer *w, struct err *e)
{
	if (!w->attr_size)
		w->attr_size = needed_attr_size(w);
	w->attr_size = MIN(w->attr_size, (u32)sizeof(struct perf_event_attr));
	if (!w->bare && (w->pipe ? begin_pipe(w, e) : begin_file(w, e)))
		return -1;
	if (!w->box_opts.level && !w->box_opts.workers)
		return 0;
	w->box_opts.fd = w->fd;
	w->box = outbox_new(&w->box_opts);
	if (!w->box)
		return err_set(e, ENOTSUP, "compression is not built in");
	return 0;
}

/* The end of the last whole record between two places of the data, the first of which begins one.
 */
static u64 whole_records(const struct perfdata_writer *w, u64 from, u64 most)
{
	struct {
		struct perf_event_header h;
		u64 trace; /* PERF_RECORD_AUXTRACE: bytes behind it */
	} r;

	while (from < most && most - from >= sizeof(r) &&
	       rw_pread_full(w->fd, &r, sizeof(r), w->data_offset + from) == sizeof(r)) {
		u64 size = r.h.size;

		if (r.h.type == PERF_RECORD_AUXTRACE)
			size += MIN(r.trace, most);
		if (r.h.size < sizeof(r.h) || size > most - from)
			break;
		from += size;
	}
	return from;
}

/* The data ends with the last whole record that was written. */
static int data_failed(struct perfdata_writer *w, u64 good_size, struct err *e)
{
	off_t at;

	write_error(w, e);
	w->failed = true;
	w->buffered = 0;
	w->data_size = good_size;
	if (w->pipe)
		return -1;
	at = lseek(w->fd, 0, SEEK_CUR);
	if (at > 0 && (u64)at > w->data_offset)
		w->data_size = whole_records(w, good_size, (u64)at - w->data_offset);
	if (!ftruncate(w->fd, (off_t)(w->data_offset + w->data_size)))
		lseek(w->fd, 0, SEEK_END);
	return -1;
}

/* All until here is in the file now. */
static void note_step(struct perfdata_writer *w, u64 end)
{
	if (end - w->step[1] < STEP)
		return;
	w->step[0] = w->step[1];
	w->step[1] = end;
}

/* What other threads have met when they wrote. */
static int box_result(struct perfdata_writer *w, int code, struct err *e)
{
	if (!code)
		return 0;
	if (w->failed)
		return err_set(e, EIO, "cannot write '%s' any more", w->path);
	errno = code;
	w->failed = true;
	return write_error(w, e);
}

int writer_flush(struct perfdata_writer *w, struct err *e)
{
	size_t n = w->buffered;

	if (w->box)
		return box_result(w, outbox_send(w->box), e);
	if (w->sink)
		w->sink->flush(w->sink->ctx);
	if (w->failed || !n)
		return 0;
	w->buffered = 0;
	if (rw_write_full(w->fd, w->buf, n))
		return data_failed(w, w->data_size - n, e);
	note_step(w, w->data_size);
	return 0;
}

int writer_drain(struct perfdata_writer *w, struct err *e)
{
	return w->box ? box_result(w, outbox_drain(w->box), e) : writer_flush(w, e);
}

int writer_append_data(struct perfdata_writer *w, const struct iovec *iov, int nr, struct err *e)
{
	if (w->box)
		return box_result(w, outbox_add(w->box, iov, nr, true), e);
	return writer_appendv(w, iov, nr, e);
}

int writer_append(struct perfdata_writer *w, const void *data, size_t len, struct err *e)
{
	struct iovec iov = { .iov_base = (void *)(uintptr_t)data, .iov_len = len };

	return writer_appendv(w, &iov, 1, e);
}

/* The buffer, then all of iov, with as few calls as the kernel lets us. */
static int write_all(struct perfdata_writer *w, const struct iovec *iov, int nr)
{
	struct iovec v[8];
	int n = 0;

	if (w->buffered)
		v[n++] = (struct iovec){ .iov_base = w->buf, .iov_len = w->buffered };
	for (int i = 0; i < nr; i++)
		v[n++] = iov[i];
	return put(w, v, n);
}

int writer_appendv(struct perfdata_writer *w, const struct iovec *iov, int nr, struct err *e)
{
	enum { AT_ONCE = 7 }; /* and the buffer */
	size_t len = 0;
	u64 good = w->data_size - w->buffered;

	if (w->box)
		return box_result(w, outbox_add(w->box, iov, nr, false), e);
	if (w->failed)
		return err_set(e, EIO, "cannot write '%s' any more", w->path);
	for (int i = 0; i < nr; i++)
		len += iov[i].iov_len;
	if (!w->pipe && len <= BUFFER_SIZE - w->buffered) {
		for (int i = 0; i < nr; i++) {
			memcpy(w->buf + w->buffered, iov[i].iov_base, iov[i].iov_len);
			w->buffered += iov[i].iov_len;
		}
		w->data_size += len;
		return 0;
	}
	for (int i = 0; i < nr; i += AT_ONCE) {
		if (write_all(w, iov + i, MIN(nr - i, AT_ONCE)))
			return data_failed(w, good, e);
		w->buffered = 0;
	}
	w->data_size += len;
	note_step(w, w->data_size);
	return 0;
}

u64 writer_data_offset(const struct perfdata_writer *w)
{
	return w->data_offset;
}

u64 writer_data_size(const struct perfdata_writer *w)
{
	return w->data_size + (w->box ? outbox_written(w->box) : 0);
}

struct writer_ratio writer_ratio(const struct perfdata_writer *w)
{
	struct writer_ratio r = w->ratio;

	if (w->box)
		outbox_ratio(w->box, &r.original, &r.compressed);
	return r;
}

bool writer_is_pipe(const struct perfdata_writer *w)
{
	return w->pipe;
}

static int pipe_build_ids(struct perfdata_writer *w, const u8 *body, size_t len, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	for (size_t off = 0; len - off >= sizeof(struct perf_event_header);) {
		struct perf_event_header h;
		size_t at = out.len;

		memcpy(&h, body + off, sizeof(h));
		if (h.size < sizeof(h) || h.size > len - off)
			break;
		strbuf_add(&out, body + off, h.size);
		h.type = PERF_RECORD_HEADER_BUILD_ID;
		memcpy(out.buf + at, &h, sizeof(h));
		off += h.size;
	}
	return out.len ? writer_append(w, out.buf, out.len, e) : 0;
}

static int pipe_tracing_data(struct perfdata_writer *w, const void *body, size_t len, struct err *e)
{
	static const u8 zeros[8];
	struct {
		struct perf_event_header h;
		u32 size;
	} rec = {
		.h = { .type = PERF_RECORD_HEADER_TRACING_DATA, .size = sizeof(rec) },
		.size = (u32)ALIGN_UP(len, 8), /* the padding is counted */
	};
	struct iovec iov[] = {
		{ &rec, sizeof(rec) },
		{ (void *)(uintptr_t)body, len },
		{ (void *)(uintptr_t)zeros, ALIGN_UP(len, 8) - len },
	};

	return writer_appendv(w, iov, ARRAY_SIZE(iov), e);
}

static int pipe_symbols(struct perfdata_writer *w, const void *body, size_t len, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	record_add_symbols(&out, first_id(w), body, len);
	return writer_append(w, out.buf, out.len, e);
}

static int pipe_feature(struct perfdata_writer *w, enum perfdata_feature feature, const void *body,
			size_t len, struct err *e)
{
	struct {
		struct perf_event_header h;
		u64 feature;
	} rec = { .h = { .type = PERF_RECORD_HEADER_FEATURE }, .feature = feature };
	struct iovec iov[] = { { &rec, sizeof(rec) }, { (void *)(uintptr_t)body, len } };

	if (feature == FEAT_BUILD_ID)
		return pipe_build_ids(w, body, len, e);
	if (feature == FEAT_TRACING_DATA)
		return pipe_tracing_data(w, body, len, e);
	if (feature == FEAT_SYMBOLS)
		return pipe_symbols(w, body, len, e);
	if (sizeof(rec) + len > UINT16_MAX || appendix_has(feature))
		return 0; /* there is no form for it in a stream that every perf reads */
	rec.h.size = (u16)(sizeof(rec) + len);
	return writer_appendv(w, iov, ARRAY_SIZE(iov), e);
}

int writer_feature(struct perfdata_writer *w, enum perfdata_feature feature, const void *body,
		   size_t len, struct err *e)
{
	struct written_feature *f = &w->features[feature];

	if (w->pipe)
		return pipe_feature(w, feature, body, len, e);
	free(f->body);
	f->body = len ? xmalloc(len) : NULL;
	if (len)
		memcpy(f->body, body, len);
	f->len = len;
	f->set = true;
	return 0;
}

static bool is_full(int code)
{
	return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

/*
 * The disk is full: what the machine's BPF programs consist of gives way first. Anybody may have
 * loaded them, they are often larger than all records, and samples outside of them can be read
 * without. Whether there was any.
 */
static bool drop_bpf_programs(struct perfdata_writer *w)
{
	static const enum perfdata_feature dropped[] = { FEAT_BPF_PROG_INFO, FEAT_BPF_BTF };
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(dropped); i++) {
		struct written_feature *f = &w->features[dropped[i]];

		if (!f->set || f->len <= sizeof(u32)) /* their number: none */
			continue;
		f->set = false;
		any = true;
	}
	if (any)
		log_warn("no room for the machine's BPF programs: '%s' is without them", w->path);
	return any;
}

/*
 * Then the last records give way to the other features, without which what is before them
 * could hardly be understood. False: no records are known that could, or they would not be enough.
 */
static bool make_room(struct perfdata_writer *w, size_t need)
{
	u64 most = w->data_size > need + SLACK ? w->data_size - need - SLACK : 0;

	/* blocks of compressed data and of traces have places that others know */
	if (w->box || w->ratio.level || w->features[FEAT_AUXTRACE].set || !most ||
	    w->step[0] >= w->data_size)
		return false;
	w->data_size = whole_records(w, w->step[0], MAX(most, w->step[0]));
	return !ftruncate(w->fd, (off_t)(w->data_offset + w->data_size));
}

/* The table and the bodies behind the data. 0 or an errno. */
static int put_features(struct perfdata_writer *w, struct file_header *h, size_t *len)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	_cleanup_(mem_freep) struct appendix *more = XNEW(struct appendix);
	u64 base = w->data_offset + w->data_size;
	u64 at = base;
	int code;

	for (unsigned int i = 0; i < FEAT_BITS; i++)
		if (w->features[i].set && !appendix_has(i))
			at += sizeof(struct file_section);
	for (unsigned int i = 0; i < FEAT_BITS; i++) {
		struct file_section s = { at, w->features[i].len };

		if (!w->features[i].set || appendix_has(i))
			continue;
		bits_set(h->features, i);
		strbuf_add(&out, &s, sizeof(s));
		at += s.size;
	}
	for (unsigned int i = 0; i < FEAT_BITS; i++) {
		const struct written_feature *f = &w->features[i];

		if (f->set && appendix_has(i))
			appendix_add(more, &out, base, i, f->body, f->len);
		else if (f->set && f->len)
			strbuf_add(&out, f->body, f->len);
	}
	appendix_finish(more, &out);
	*len = out.len;
	if (!rw_pwrite_full(w->fd, out.buf, out.len, base))
		return 0;
	code = errno;
	memset(h->features, 0, sizeof(h->features));
	(void)!ftruncate(w->fd, (off_t)base);
	return code;
}

static int write_features(struct perfdata_writer *w, struct file_header *h, struct err *e)
{
	size_t len;
	int first = put_features(w, h, &len), code = first;

	if (is_full(code) && drop_bpf_programs(w))
		code = put_features(w, h, &len);
	if (is_full(code) && make_room(w, len))
		code = put_features(w, h, &len);
	if (!first || (!code && w->failed))
		return 0; /* what the data has lost has been told */
	errno = first;
	return write_error(w, e);
}

static int finish_file(struct perfdata_writer *w, struct err *e)
{
	struct file_header h = {
		.magic = PERFDATA_MAGIC2,
		.size = sizeof(h),
		.attr_size = w->attr_size + sizeof(struct file_section),
		.attrs = w->attrs,
	};
	int r = writer_flush(w, e);

	if (write_features(w, &h, r ? NULL : e))
		r = -1;
	h.data = (struct file_section){ w->data_offset, w->data_size };
	if (rw_pwrite_full(w->fd, &h, sizeof(h), 0) && !r)
		r = write_error(w, e);
	if (close(w->fd) && !r)
		r = write_error(w, e);
	w->own_fd = false;
	return r;
}

/* From here on the caller writes; what was written is known. */
static int close_outbox(struct perfdata_writer *w, struct err *e)
{
	int code = outbox_drain(w->box), r;

	w->data_size += outbox_written(w->box);
	w->ratio = writer_ratio(w);
	outbox_free(w->box);
	w->box = NULL;
	r = w->failed ? 0 : box_result(w, code, e); /* told once */
	if (code && !w->pipe) /* no half record stays behind */
		(void)!ftruncate(w->fd, (off_t)(w->data_offset + w->data_size));
	return r;
}

int writer_finish(struct perfdata_writer *w, struct err *e)
{
	int r = 0;

	if (w->box && close_outbox(w, e)) {
		r = -1;
		e = NULL;
	}
	if (!w->pipe && w->data_offset)
		r = finish_file(w, e) ? -1 : r;
	else
		r = writer_flush(w, e) ? -1 : r;
	writer_discard(w);
	return r;
}

void feature_add_u32(struct strbuf *body, u32 v)
{
	strbuf_add(body, &v, sizeof(v));
}

void feature_add_u64(struct strbuf *body, u64 v)
{
	strbuf_add(body, &v, sizeof(v));
}

void feature_add_string(struct strbuf *body, const char *s)
{
	size_t len = strlen(s) + 1;
	size_t padded = ALIGN_UP(len, STRING_ALIGN);

	feature_add_u32(body, (u32)padded);
	strbuf_add(body, s, len);
	strbuf_pad(body, '\0', padded - len);
}

void writer_event_desc(const struct perfdata_writer *w, struct strbuf *body)
{
	feature_add_u32(body, (u32)w->events.nr);
	feature_add_u32(body, w->attr_size);
	VEC_FOR(&w->events, ev) {
		add_attr(w, body, ev);
		feature_add_u32(body, (u32)ev->nr_ids);
		feature_add_string(body, ev->name);
		strbuf_add(body, ev->ids, ev->nr_ids * 8);
	}
}
