/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of objects: made before and freed after all that is in it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/dso_internal.h"
#include "dso/jit/jitdump.h"
#include "dso/symbols/embedded.h"

/* The build-id cache: that of the other root, the one asked for, that of the user. */
static const char *cache_dir(struct dso_table *t)
{
	_cleanup_(mem_freep) char *path = NULL;
	const char *home = getenv("HOME");

	if (t->config.symfs)
		path = xasprintf("%s/.debug/.build-id", t->symfs);
	else if (t->config.buildid_dir)
		path = xasprintf("%s/.build-id", t->config.buildid_dir);
	else
		path = xasprintf("%s/.debug/.build-id", home ? home : "");
	return arena_strdup(&t->arena, path);
}

struct dso_table *dso_table_new(const struct dso_config *c)
{
	struct dso_table *t = XNEW(struct dso_table);
	const char *symfs = c->symfs ? c->symfs : "";

	t->config = *c;
	t->foreign = symfs[strspn(symfs, "/")] != '\0';
	t->symfs = t->foreign ? symfs : "";
	t->cache_dir = cache_dir(t);
	t->remote = debuginfod_new(&c->fetch);
	pthread_mutex_init(&t->kernel_lock, NULL);
	pthread_mutex_init(&t->problems_lock, NULL);
	pthread_mutex_init(&t->nameless_lock, NULL);
	pthread_mutex_init(&t->vdso32_lock, NULL);
	t->vdso32 = (struct strbuf)STRBUF_INIT;
	return t;
}

void dso_table_free(struct dso_table *t)
{
	if (!t)
		return;
	VEC_FOR(&t->dsos, p) {
		struct dso *d = *p;

		symtab_free(atomic_load(&d->symtab));
		pthread_mutex_destroy(&d->lock);
		pthread_mutex_destroy(&d->debug_lock);
		dso_debug_free(d->debug);
		if (d->jit)
			jitdump_release(d->jit);
		free(d->jit);
		strbuf_release(&d->jit_frames);
		free(d->jit_codes);
		free(d);
	}
	embedded_free(t->embedded);
	map_release(&t->embedded_by_name);
	vec_free(&t->dsos);
	vec_free(&t->build_ids);
	map_release(&t->by_name);
	map_release(&t->by_key);
	arena_release(&t->arena);
	arena_release(&t->problems);
	kallsyms_release(&t->kallsyms);
	VEC_FOR(&t->guests, g) {
		kallsyms_release(&(*g)->kallsyms);
		free((*g)->path);
		free(*g);
	}
	vec_free(&t->guests);
	debuginfod_free(t->remote);
	pthread_mutex_destroy(&t->kernel_lock);
	pthread_mutex_destroy(&t->problems_lock);
	pthread_mutex_destroy(&t->nameless_lock);
	vec_free(&t->nameless);
	pthread_mutex_destroy(&t->vdso32_lock);
	strbuf_release(&t->vdso32);
	free(t);
}

static bool can_load_again(const struct dso *d)
{
	return d->kind == DSO_USER || d->kind == DSO_PERF_MAP || d->kind == DSO_BPF;
}

u32 dso_table_forget_unused(struct dso_table *t, const u8 *in_use)
{
	u32 left = 0;

	for (u32 id = 1; id <= t->dsos.nr; id++) {
		struct dso *d = dso_table_get(t, id);
		struct symtab *st = atomic_load(&d->symtab);

		if (in_use[id] || !st || !can_load_again(d)) {
			left += st != NULL;
			continue;
		}
		dso_forget_nameless(d);
		atomic_store(&d->symtab, NULL);
		symtab_free(st);
		dso_debug_free(d->debug);
		d->debug = NULL;
	}
	return left;
}
