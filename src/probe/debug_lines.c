/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines that can be probed, and where sources are.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "probe/debug_internal.h"

enum { LINES_MAX = 1 << 22, SOURCE_MAX = 64 << 20 };

struct collect {
	struct debug_info *g;
	struct probe_debug_lines *out;
	struct strbuf path; /* of the file, from the root */
};

static bool is_in_file(const struct collect *c, const struct dwarf_place *place)
{
	struct strbuf path = STRBUF_INIT;
	bool same;

	probe_place_full(place, &path);
	same = strcmp(path.buf, c->path.buf) == 0;
	strbuf_release(&path);
	return same;
}

/* Each address by the line that it begins with; function NULL: of the whole unit. */
static void collect_lines(const struct collect *c, struct debug_unit *u,
			  const struct probe_function *function)
{
	u64 last = 0;
	u64 end;

	for (size_t i = probe_rows_from(u, function, &end);
	     i < u->rows.nr && u->rows.v[i].addr < end; i++) {
		const struct debug_row *row = &u->rows.v[i];
		struct dwarf_place place;

		if (row->end || row->addr == last)
			continue;
		last = row->addr;
		if (function && !probe_function_covers(function, row->addr))
			continue;
		if (c->out->lines.nr < LINES_MAX && probe_line_of(c->g, u, row->addr, &place) &&
		    place.line >= c->out->start && place.line <= c->out->end && place.line &&
		    is_in_file(c, &place))
			*VEC_PUSH(&c->out->lines) = place.line;
	}
}

static void sort_lines(struct probe_debug_lines *l)
{
	size_t to = 0;

	VEC_SORT(&l->lines, by_u32);
	for (size_t i = 0; i < l->lines.nr; i++)
		if (!to || l->lines.v[to - 1] != l->lines.v[i])
			l->lines.v[to++] = l->lines.v[i];
	l->lines.nr = to;
}

static void set_file(struct probe_debug_lines *out, const struct dwarf_place *place)
{
	struct strbuf path = STRBUF_INIT;

	probe_place_path(place, &path);
	out->file = strbuf_detach(&path);
	out->comp_dir = place->comp_dir ? xstrdup(place->comp_dir) : NULL;
}

static void set_range(struct probe_debug_lines *out, const struct probe_line_range *r, u32 first)
{
	out->first = first;
	out->start = first + (u32)r->start;
	out->end = r->end == INT_MAX ? UINT32_MAX : first + (u32)r->end;
}

static void lines_of_function(struct debug_info *g, const struct probe_line_range *r,
			      struct probe_debug_lines *out)
{
	struct probe_functions functions = { 0 };
	struct collect c = { .g = g, .out = out, .path = STRBUF_INIT };

	probe_functions_find(g, r->function, r->file, false, &functions);
	VEC_FOR(&functions, f) {
		struct dwarf_place place;

		if (!dwarf_entry_place(&f->entry, &place))
			continue;
		if (!out->file) {
			set_file(out, &place);
			set_range(out, r, place.line);
			out->function = xstrdup(r->function);
			probe_place_full(&place, &c.path);
		}
		/* Another of the same name has lines of its own. */
		if (place.line == out->first && is_in_file(&c, &place))
			collect_lines(&c, f->unit, f);
	}
	vec_free(&functions);
	strbuf_release(&c.path);
}

static void lines_of_file(struct debug_info *g, const struct probe_line_range *r,
			  struct probe_debug_lines *out)
{
	struct collect c = { .g = g, .out = out, .path = STRBUF_INIT };

	debug_info_read_units(g);
	VEC_FOR(&g->units, it) {
		struct dwarf_place place;

		if (!probe_unit_file(*it, r->file, &place))
			continue;
		if (!out->file) {
			set_file(out, &place);
			set_range(out, r, 0);
			probe_place_full(&place, &c.path);
		}
		collect_lines(&c, *it, NULL);
	}
	strbuf_release(&c.path);
}

int probe_debug_lines(struct debug_info *g, const struct probe_line_range *r,
		      struct probe_debug_lines *out, struct err *e)
{
	*out = (struct probe_debug_lines){ 0 };
	if (r->function)
		lines_of_function(g, r, out);
	else if (r->file)
		lines_of_file(g, r, out);
	sort_lines(out);
	if (!out->lines.nr)
		return err_set(e, ENOENT,
			       r->function && !r->file ? "Specified source line is not found."
						       : "Debuginfo analysis failed.");
	return 0;
}

/* ---- where sources are ---- */

static bool is_readable(const struct strbuf *path)
{
	return access(path->buf, R_OK) == 0;
}

int probe_debug_source(const char *file, const char *comp_dir, const char *source_dir,
		       struct strbuf *path, struct err *e)
{
	const char *rest = file;

	strbuf_reset(path);
	if (!source_dir) {
		if (file[0] != '/' && comp_dir)
			strbuf_addf(path, "%s/", comp_dir);
		strbuf_adds(path, file);
		return is_readable(path) ? 0 : err_sys(e, errno, "Failed to find source file path");
	}
	while (rest && *rest) {
		strbuf_reset(path);
		strbuf_addf(path, "%s%s%s", source_dir, rest[0] == '/' ? "" : "/", rest);
		if (is_readable(path))
			return 0;
		rest = strchr(rest + 1, '/');
	}
	return err_set(e, ENOENT, "Failed to find source file path: No such file or directory");
}

FILE *probe_debug_open_source(const char *path, struct err *e)
{
	int fd = input_open(path, 0, e);
	FILE *source = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || st.st_size > SOURCE_MAX)
		err_set(e, EINVAL, "'%s' is no source file", path);
	else if (!(source = fdopen(fd, "r")))
		err_sys(e, errno, "cannot open '%s'", path);
	if (!source)
		close(fd);
	return source;
}
