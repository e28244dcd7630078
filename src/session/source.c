/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the kinds that are recordings. perfdata knows their formats; here is what they can do.
 */
#include "session/source.h"

#include "base/mem.h"

static int read_records(struct source *s, void *buf, size_t size, bool fronts,
			struct perfdata_chunk *c, struct err *e)
{
	return (fronts ? perfdata_read_fronts : perfdata_read)(s->tables, buf, size, c, e);
}

static ssize_t read_at(const struct source *s, void *buf, size_t size, u64 pos)
{
	return perfdata_pread(s->tables, buf, size, pos);
}

static void rewind_file(struct source *s)
{
	perfdata_rewind(s->tables);
}

static void close_recording(struct source *s)
{
	perfdata_close(s->tables);
	free(s);
}

/* A directory is one, too: its members come one after the other, and only the first can be read
 * again, which perfdata tells by chunk (in_file). */
static const struct source_ops file_ops = {
	.name = "file",
	.read = read_records,
	.read_at = read_at,
	.rewind = rewind_file,
	.close = close_recording,
};

static const struct source_ops stream_ops = {
	.name = "stream",
	.read = read_records,
	.close = close_recording,
	.tells_late = true,
	.by_round = true,
};

int source_open(struct source **out, const struct perfdata_opts *opts, struct err *e)
{
	struct perfdata *f;
	struct source *s;

	if (perfdata_open(&f, opts, e) < 0)
		return -1;
	s = XNEW(struct source);
	s->tables = f;
	s->ops = perfdata_is_pipe(f) ? &stream_ops : &file_ops;
	*out = s;
	return 0;
}

void source_close(struct source *s)
{
	if (s)
		s->ops->close(s);
}
