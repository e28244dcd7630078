/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that copy their code into other memory, for huge pages, and lay it over the place where
 * it was: that memory stands for the file that was mapped there. What is told of it is left out
 * (doc/compatibility.md has the rule).
 */
#include <string.h>

#include "model/private.h"

enum { EXEC = 4, HUGETLB = 0x40000 };

static bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Memory of no file that anybody reads code from. */
static bool is_plain_memory(const struct model_map *map, const char *name)
{
	return map->flags & HUGETLB || starts_with(name, "//anon") ||
	       starts_with(name, "/anon_hugepage") || starts_with(name, "/memfd:") ||
	       starts_with(name, "[anon");
}

static bool is_code_of_file(const struct model *m, const struct model_map *map)
{
	return map->prot & EXEC && !map->identity && !map->kernel &&
	       dso_kind(dso_table_get(m->dsos, map->dso)) == DSO_USER;
}

dso_id moved_text_program(const struct model *m, u32 proc)
{
	while (!m->procs.v[proc].program && !m->procs.v[proc].execed && m->procs.v[proc].parent)
		proc = m->procs.v[proc].parent;
	return m->procs.v[proc].program;
}

void moved_text_exec(struct proc *p)
{
	p->program = 0;
	p->execed = true;
}

/* Libraries come and go, and their places are taken by others; a program stays where it is. */
bool moved_text_is(const struct model *m, u32 proc, const struct model_map *map, const char *name)
{
	const struct model_map *under;
	u32 pid = m->procs.v[proc].pid;

	if (!(map->prot & EXEC) || !is_plain_memory(map, name) ||
	    !dso_table_wants_moved_text(m->dsos))
		return false;
	under = proc_find_now(m, proc, map->start, map->t0);
	return under && map->end <= under->end && is_code_of_file(m, under) &&
	       under->dso == moved_text_program(m, proc) &&
	       !dso_table_has_jit_code(m->dsos, pid, map->start, map->end);
}

/* One place further in file and memory. */
static bool continues(const struct model_map *a, const struct model_map *b)
{
	return a->dso == b->dso && b->pgoff - a->pgoff == b->start - a->start;
}

/* Memory between two parts of a file, both of which are where they would be with the part between
 * them. */
static void fill_gap(struct model *m, struct proc *p, const struct model_map *map)
{
	size_t at = proc_live_from(p, map->start); /* map itself */
	const struct model_map *before, *gap;
	struct model_map part;

	if (at < 2)
		return;
	gap = p->live.v[at - 1];
	before = p->live.v[at - 2];
	if (!gap->identity || !(gap->prot & EXEC) || gap->end != map->start ||
	    before->end != gap->start || !continues(before, map) ||
	    dso_table_has_jit_code(m->dsos, p->pid, gap->start, gap->end))
		return;
	part = *before;
	part.pgoff = before->pgoff + (gap->start - before->start);
	part.start = gap->start;
	part.end = gap->end;
	part.t0 = map->t0;
	proc_add_map(m, p, &part);
}

void moved_text_note(struct model *m, u32 proc, const struct model_map *map)
{
	struct proc *p = &m->procs.v[proc];

	if (!is_code_of_file(m, map) || !dso_table_wants_moved_text(m->dsos))
		return;
	if (!p->program)
		p->program = map->dso;
	fill_gap(m, p, map);
}
