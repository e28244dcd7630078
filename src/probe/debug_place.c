/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that debug information names, and those that users ask for. */
#include <string.h>

#include "probe/debug_internal.h"

static bool path_fits(const char *path, const char *asked)
{
	size_t len = strlen(path);
	size_t want = strlen(asked);

	if (want > len || strcmp(path + len - want, asked) != 0)
		return false;
	return want == len || asked[0] == '/' || path[len - want - 1] == '/';
}

void probe_place_path(const struct dwarf_place *p, struct strbuf *out)
{
	const char *file = p->file;

	/* a relative directory that is comp_dir does not lie in comp_dir */
	if (file[0] != '/' && p->dir && p->dir[0] && !(p->in_comp_dir && p->dir[0] != '/')) {
		const char *dir = p->dir;

		while (dir[0] == '.' && dir[1] == '/')
			dir += 2;
		if (strcmp(dir, ".") != 0)
			strbuf_addf(out, "%s/", dir);
	}
	strbuf_adds(out, file);
}

void probe_place_full(const struct dwarf_place *p, struct strbuf *out)
{
	bool absolute = p->file[0] == '/' || (p->dir && p->dir[0] == '/');

	if (!absolute && p->comp_dir)
		strbuf_addf(out, "%s/", p->comp_dir);
	probe_place_path(p, out);
}

bool probe_place_fits(const struct dwarf_place *p, const char *asked)
{
	struct strbuf path = STRBUF_INIT;
	bool fits;

	probe_place_full(p, &path);
	fits = path_fits(path.buf, asked);
	strbuf_release(&path);
	return fits;
}
