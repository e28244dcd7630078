/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader: opening and closing perf.data, in whatever form it comes. Records: stream.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/rw.h"
#include "perfdata/feature_load.h"
#include "perfdata/reader.h"
#include "perfdata/stream.h"

static const char default_path[] = "perf.data";

static int not_ours(struct err *e, const char *path)
{
	err_set(e, EPERM, "file '%s' not owned by current user or root", path);
	err_hint(e, "use -f to override");
	return -1;
}

/* e is of input_open(). */
static int explain_failure(struct err *e, const char *path)
{
	if (e->code == EPERM)
		return not_ours(e, path);
	if (e->code == EISDIR)
		return err_set(e, EISDIR, "'%s' is no perf.data file", path);
	if (e->code == EINVAL)
		return -1;
	err_sys(e, e->code, "failed to open '%s'", path);
	if (e->code == ENOENT)
		err_hint(e, "try 'perf record' first");
	return -1;
}

/* What a user named may be a pipe; what happens to have the usual name may not. */
static unsigned int wanted_kinds(const struct perfdata *f, const char *path)
{
	return (strcmp(path, default_path) ? INPUT_PIPE : 0) | (f->force ? 0 : INPUT_OWNED);
}

ssize_t reader_input(const struct perfdata *f, void *buf, size_t size)
{
	return f->feed ? f->feed->read(f->feed->ctx, buf, size) : read(f->fd, buf, size);
}

/* As rw_read_full(). */
static ssize_t input_full(const struct perfdata *f, u8 *buf, size_t n)
{
	size_t done = 0;

	if (!f->feed)
		return rw_read_full(f->fd, buf, n);
	while (done < n) {
		ssize_t got = reader_input(f, buf + done, n - done);

		if (got <= 0)
			return got ? got : (ssize_t)done;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

static int open_input(struct perfdata *f, struct err *e)
{
	struct err why = ERR_INIT;
	struct stat st;

	if (f->feed)
		return 0;
	if (!strcmp(f->path, "-")) {
		f->fd = dup(STDIN_FILENO);
	} else {
		if (!stat(f->path, &st) && S_ISDIR(st.st_mode)) {
			f->directory = f->path;
			f->path = xasprintf("%s/data", f->directory);
		}
		f->fd = input_open(f->path,
				   f->directory ? wanted_kinds(f, default_path)
						: wanted_kinds(f, f->path),
				   &why);
		if (f->fd < 0) {
			explain_failure(&why, f->path);
			if (e)
				*e = why;
			return -1;
		}
	}
	if (f->fd < 0 || fstat(f->fd, &st))
		return err_sys(e, errno, "cannot read '%s'", f->path);
	if (S_ISDIR(st.st_mode))
		return err_set(e, EISDIR, "'%s' is no perf.data file", f->path);
	/* Standard input may be a file: read as one when nothing of it has been taken. */
	f->regular = S_ISREG(st.st_mode) &&
		     (strcmp(f->path, "-") != 0 || !lseek(f->fd, 0, SEEK_CUR));
	f->file_size = f->regular ? (u64)st.st_size : 0;
	f->info.captured = (u64)st.st_mtime;
	if (f->regular && st.st_uid && st.st_uid != geteuid() && !f->force)
		return not_ours(e, f->path);
	if (f->regular && !f->file_size)
		return err_set(e, EINVAL, "zero-sized data ('%s'), nothing to do", f->path);
	return 0;
}

static int bad_format(struct perfdata *f, struct err *e)
{
	return err_set(e, EINVAL, "'%s' is no perf.data file", perfdata_name(f));
}

static int read_start(struct perfdata *f, struct err *e)
{
	u64 head[2];
	ssize_t got;

	got = f->regular ? rw_pread_full(f->fd, head, sizeof(head), 0)
			 : input_full(f, (u8 *)head, sizeof(head));
	if (got < 0)
		return err_sys(e, errno, "cannot read '%s'", f->path);
	if (!got && !f->regular)
		return err_set(e, EINVAL, "no data on '%s'", perfdata_name(f));
	if (got != sizeof(head))
		return bad_format(f, e);
	if (head[0] == __builtin_bswap64(PERFDATA_MAGIC2))
		f->swap = true;
	else if (head[0] != PERFDATA_MAGIC2 && head[0] != PERFDATA_MAGIC1 &&
		 head[0] != __builtin_bswap64(PERFDATA_MAGIC1))
		return bad_format(f, e);
	if (f->swap)
		bits_swap64(head, 2);
	if (head[1] == PIPE_HEADER_BYTES) {
		f->pipe = true;
		stream_start(f, PIPE_HEADER_BYTES, f->regular ? f->file_size : ~0ULL);
		f->all_size = f->regular ? f->file_size - PIPE_HEADER_BYTES : 0;
		f->info.version = 1;
		f->odd = !f->regular;
		return 0;
	}
	if (!f->regular)
		return err_set(
			e, ESPIPE,
			"standard input holds a perf.data file, not a stream: name the file");
	return header_read(f, e);
}

int reader_open_member(const struct perfdata *f, const char *path, struct err *e)
{
	struct err why = ERR_INIT;
	int fd = input_open(path, wanted_kinds(f, default_path), &why);

	if (fd >= 0)
		return fd;
	explain_failure(&why, path);
	*e = why;
	return -1;
}

/* The members of a directory in the order of their numbers: data.0, data.1, ... One that is no file
 * of ours makes the whole suspect. */
static int find_members(struct perfdata *f, struct err *e)
{
	for (unsigned int i = 0; f->directory && i < LIMIT_STRINGS; i++) {
		_cleanup_(mem_freep) char *path = xasprintf("%s/data.%u", f->directory, i);
		struct err why = ERR_INIT;
		struct stat st;

		if (stat(path, &st))
			break;
		int fd = reader_open_member(f, path, &why);

		mem_closep(&fd);
		if (why.code == EPERM || why.code == EINVAL) {
			if (e)
				*e = why;
			return -1;
		}
		*VEC_PUSH(&f->members) = path;
		path = NULL;
		f->all_size += (u64)st.st_size;
	}
	return 0;
}

int perfdata_open(struct perfdata **out, const struct perfdata_opts *opts, struct err *e)
{
	struct perfdata *f = XNEW(struct perfdata);
	const char *path = opts->path;
	struct stat st;

	/* perf's rule: a pipe on standard input is meant to be read. */
	if (!path || !*path)
		path = !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : default_path;
	f->fd = f->member_fd = -1;
	f->path = xstrdup(path);
	f->feed = opts->feed;
	f->symbols = (struct strbuf)STRBUF_INIT;
	f->force = opts->force;
	f->no_events_ok = opts->no_events_ok;
	if (open_input(f, e) || read_start(f, e) || find_members(f, e)) {
		perfdata_close(f);
		return -1;
	}
	f->header_damage = f->damage;
	*out = f;
	return 0;
}

void perfdata_close(struct perfdata *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->events.nr; i++) {
		struct event_box *b = f->events.v[i];

		free(b->ids);
		free(b->name);
		free(b->unit);
		free(b->cpus);
		free(b);
	}
	vec_free(&f->events);
	free(f->ids.slots);
	vec_free(&f->build_ids);
	trace_names_free(f->trace_names);
	free(f->trace_blob);
	stream_release(f);
	strbuf_release(&f->symbols);
	mem_closep(&f->member_fd);
	VEC_FOR(&f->members, m)
		free(*m);
	vec_free(&f->members);
	arena_release(&f->arena);
	mem_closep(&f->fd);
	free(f->directory);
	free(f->path);
	free(f);
}

const char *perfdata_directory(const struct perfdata *f)
{
	return f->directory;
}

const char *perfdata_path(const struct perfdata *f)
{
	return f->directory ? f->directory : f->path;
}

const char *perfdata_name(const struct perfdata *f)
{
	const char *path = perfdata_path(f);

	return strcmp(path, "-") ? path : "standard input";
}

bool perfdata_has_groups(const struct perfdata *f)
{
	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		if (perfdata_event(f, i)->leader != i)
			return true;
	return false;
}

int perfdata_dup(const struct perfdata *f)
{
	return fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
}

bool perfdata_is_pipe(const struct perfdata *f)
{
	return f->pipe;
}

bool perfdata_is_foreign_endian(const struct perfdata *f)
{
	return f->swap;
}

u64 perfdata_data_size(const struct perfdata *f)
{
	return f->all_size;
}

size_t perfdata_nr_events(const struct perfdata *f)
{
	return f->events.nr;
}

const struct perfdata_event *perfdata_event(const struct perfdata *f, size_t i)
{
	return i < f->events.nr ? &f->events.v[i]->ev : NULL;
}

const struct perfdata_info *perfdata_info(const struct perfdata *f)
{
	return &f->info;
}

const struct perfdata_damage *perfdata_damage(const struct perfdata *f)
{
	return &f->damage;
}

bool perfdata_rewind(struct perfdata *f)
{
	if (f->pipe)
		return false;
	f->stream = 0;
	f->damage = f->header_damage;
	stream_start(f, f->header.data.offset, f->header.data.offset + f->header.data.size);
	return true;
}
