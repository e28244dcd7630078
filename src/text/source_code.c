/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/source_code.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/input.h"
#include "base/map.h"
#include "base/rw.h"
#include "base/vec.h"
#include "dso/source.h"

enum {
	FILE_MAX = 16 << 20, /* bytes of a file that is shown */
	TEXTS_MAX = 128 << 20, /* bytes kept of all of them, with the places of their lines */
	SHOWN_MAX = 4096, /* bytes shown of a line */
	NUMBER_WIDTH = 8,
	PLACE_SLOTS = 1 << 14,
};

struct source_text {
	char *path;
	bool tried;
	char *text; /* NULL: not read, or cannot be */
	u32 size;
	u32 *lines; /* where they begin; one more than there are */
	u32 nr_lines;
};

/* File number (0 = unknown) and line of an address in an object. */
struct line_place {
	u64 addr;
	dso_id dso; /* 0 = empty */
	u32 file, line;
};

/* What was shown for a thread last. */
struct shown {
	u32 file, line;
};

struct source_code {
	VEC(struct source_text) files; /* number - 1 */
	struct map by_path;
	size_t kept; /* bytes, see TEXTS_MAX */
	struct line_place *places; /* direct-mapped */
	VEC(struct shown) threads;
};

struct source_code *source_code_new(void)
{
	struct source_code *c = XNEW(struct source_code);

	c->places = XNEW_ARRAY(struct line_place, PLACE_SLOTS);
	return c;
}

static void forget_text(struct source_text *f)
{
	free(f->text);
	free(f->lines);
	f->text = NULL;
	f->lines = NULL;
	f->tried = false;
}

void source_code_free(struct source_code *c)
{
	if (!c)
		return;
	VEC_FOR(&c->files, f) {
		forget_text(f);
		free(f->path);
	}
	vec_free(&c->files);
	map_release(&c->by_path);
	free(c->places);
	vec_free(&c->threads);
	free(c);
}

/* ------------------------------------------------------------------ files */

static u32 file_number(struct source_code *c, const char *path)
{
	u64 h = hash_bytes(path, strlen(path), 0);
	u32 i;

	for (struct map_probe p = map_first(&c->by_path, h); map_next(&c->by_path, &p, &i);)
		if (strcmp(c->files.v[i].path, path) == 0)
			return i + 1;
	i = (u32)c->files.nr;
	*VEC_PUSH(&c->files) = (struct source_text){ .path = xstrdup(path) };
	map_add(&c->by_path, h, i);
	return i + 1;
}

static void find_lines(struct source_text *f)
{
	const char *end = f->text + f->size;
	u32 nr = 1;

	for (const char *p = f->text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		nr++;
	f->lines = XNEW_ARRAY(u32, nr + 1);
	f->nr_lines = 0;
	for (const char *p = f->text; p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		f->lines[f->nr_lines++] = (u32)(p - f->text);
		p = stop ? stop + 1 : end;
	}
	f->lines[f->nr_lines] = f->size;
}

static void read_text(struct source_text *f)
{
	int fd = input_open(f->path, 0, NULL);
	struct stat st;
	ssize_t n;

	f->tried = true;
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_size > 0 && st.st_size <= FILE_MAX) {
		f->text = xmalloc((size_t)st.st_size);
		n = rw_read_full(fd, f->text, (size_t)st.st_size);
		f->size = n > 0 ? (u32)n : 0;
		find_lines(f);
	}
	close(fd);
}

/* A line without its end; NULL: there is no such line. */
static const char *line_of(struct source_code *c, u32 file, u32 line, size_t *len)
{
	struct source_text *f = &c->files.v[file - 1];

	if (!f->tried) {
		if (c->kept > TEXTS_MAX) {
			VEC_FOR(&c->files, other)
				forget_text(other);
			c->kept = 0;
		}
		read_text(f);
		if (f->text)
			c->kept += f->size + (f->nr_lines + 1) * sizeof(*f->lines);
	}
	if (!f->text || !line || line > f->nr_lines)
		return NULL;
	const char *start = f->text + f->lines[line - 1];

	*len = strnlen(start,
		       MIN((size_t)(f->lines[line] - f->lines[line - 1]), (size_t)SHOWN_MAX));
	if (*len && start[*len - 1] == '\n')
		--*len;
	return start;
}

/* ------------------------------------------------------------------ places */

static struct line_place find_place(struct source_code *c, struct dso_table *dsos,
				    const struct location *loc)
{
	struct line_place p = { .addr = loc->addr, .dso = loc->dso };
	struct source_frame frame;
	struct strbuf path = STRBUF_INIT;

	if (dso_source(dso_table_get(dsos, loc->dso), loc->addr, &frame, 1) && frame.file &&
	    frame.line) {
		source_add_file(&path, &frame, true);
		if (path.len < PATH_MAX) {
			p.file = file_number(c, path.buf);
			p.line = frame.line;
		}
	}
	strbuf_release(&path);
	return p;
}

bool source_code_find(struct source_code *c, struct dso_table *dsos, const struct location *loc,
		      struct source_line *out)
{
	struct line_place *p = &c->places[hash_u64(loc->addr ^ (u64)loc->dso << 40) % PLACE_SLOTS];

	if (!loc->dso)
		return false;
	if (p->dso != loc->dso || p->addr != loc->addr)
		*p = find_place(c, dsos, loc);
	*out = (struct source_line){ .file = p->file, .line = p->line };
	if (!p->file)
		return false;
	out->path = c->files.v[p->file - 1].path;
	out->text = line_of(c, p->file, p->line, &out->len);
	return out->text;
}

void source_code_add(struct source_code *c, struct dso_table *dsos, u32 thread,
		     const struct location *loc, bool escape, struct strbuf *out)
{
	struct source_line l;

	while (c->threads.nr <= thread)
		*VEC_PUSH(&c->threads) = (struct shown){ 0 };
	struct shown *last = &c->threads.v[thread];

	if (!source_code_find(c, dsos, loc, &l) || (last->file == l.file && last->line == l.line))
		return;
	*last = (struct shown){ l.file, l.line };
	strbuf_addf(out, "|%-*u ", NUMBER_WIDTH, l.line);
	if (escape) {
		struct strbuf line = STRBUF_INIT;

		strbuf_add(&line, l.text, l.len && l.text[l.len - 1] == '\r' ? l.len - 1 : l.len);
		strbuf_add_escaped_lines(out, line.buf);
		strbuf_release(&line);
	} else {
		strbuf_add(out, l.text, l.len);
	}
	strbuf_addch(out, '\n');
}
