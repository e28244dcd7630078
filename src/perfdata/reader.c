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
#include "base/rw.h"
#include "perfdata/reader.h"
#include "perfdata/stream.h"

static int bad_format(struct perfdata *f, struct err *e)
{
	return err_set(e, EINVAL, "'%s' is no perf.data file", perfdata_name(f));
}

static int read_start(struct perfdata *f, struct err *e)
{
	u64 head[2];
	ssize_t got;

	got = f->regular ? rw_pread_full(f->fd, head, sizeof(head), 0)
			 : reader_input_full(f, (u8 *)head, sizeof(head));
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

int perfdata_open(struct perfdata **out, const struct perfdata_opts *opts, struct err *e)
{
	struct perfdata *f = XNEW(struct perfdata);
	const char *path = opts->path;
	struct stat st;

	/* perf's rule: a pipe on standard input is meant to be read. */
	if (!path || !*path)
		path = !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-"
									 : PERFDATA_DEFAULT_PATH;
	f->fd = f->member_fd = -1;
	f->path = xstrdup(path);
	f->feed = opts->feed;
	f->symbols = (struct strbuf)STRBUF_INIT;
	f->force = opts->force;
	f->no_events_ok = opts->no_events_ok;
	if (reader_open_input(f, e) || read_start(f, e) || reader_find_members(f, e)) {
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

const struct perfdata_info *perfdata_info(const struct perfdata *f)
{
	return &f->info;
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
