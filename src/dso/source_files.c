/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/source_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/input.h"
#include "base/map.h"
#include "base/rw.h"
#include "base/vec.h"

enum {
	FILE_MAX = 16 << 20, /* bytes of a file that is shown */
	TEXTS_MAX = 128 << 20, /* bytes kept of all of them, with the places of their lines */
	SHOWN_MAX = 4096, /* bytes shown of a line */
};

struct source_text {
	char *path;
	bool tried;
	char *text; /* NULL: not read, or cannot be */
	u32 size;
	u32 *lines; /* where they begin; one more than there are */
	u32 nr_lines;
};

struct source_files {
	VEC(struct source_text) files; /* number - 1 */
	struct map by_path;
	size_t kept; /* bytes, see TEXTS_MAX */
};

struct source_files *source_files_new(void)
{
	return XNEW(struct source_files);
}

static void forget_text(struct source_text *f)
{
	free(f->text);
	free(f->lines);
	f->text = NULL;
	f->lines = NULL;
	f->tried = false;
}

void source_files_free(struct source_files *c)
{
	if (!c)
		return;
	VEC_FOR(&c->files, f) {
		forget_text(f);
		free(f->path);
	}
	vec_free(&c->files);
	map_release(&c->by_path);
	free(c);
}

u32 source_files_number(struct source_files *c, const char *path)
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

const char *source_files_line(struct source_files *c, u32 file, u32 line, size_t *len)
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

const char *source_files_path(const struct source_files *c, u32 file)
{
	return c->files.v[file - 1].path;
}
