/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording/recorded_ids.h"

#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "perfdata/info.h"

struct dso_hits {
	struct session *s;
	bool **seen; /* per worker, by dso */
	size_t *nr;
};

static bool count_hit(void *ctx, struct session_worker *w, unsigned int worker,
		      const struct session_record *r)
{
	struct dso_hits *h = ctx;
	struct location at;

	session_resolve(w, &r->site, r->sample->cpumode, r->sample->ip, &at);
	if (!at.dso)
		return true;
	if (at.dso >= h->nr[worker]) {
		size_t nr = MAX(at.dso + 1, h->nr[worker] * 2);

		h->seen[worker] = xrealloc_array(h->seen[worker], nr, sizeof(bool));
		memset(h->seen[worker] + h->nr[worker], 0, nr - h->nr[worker]);
		h->nr[worker] = nr;
	}
	h->seen[worker][at.dso] = true;
	return true;
}

/* By number of dso, which is the order in which the objects appear in the file. */
static int find_hits(struct session *s, bool **hit, struct err *e)
{
	unsigned int workers = session_workers(s);
	struct dso_hits h = {
		.s = s,
		.seen = XNEW_ARRAY(bool *, workers),
		.nr = XNEW_ARRAY(size_t, workers),
	};
	struct session_consumer c = { .order = SESSION_UNORDERED, .ctx = &h, .sample = count_hit };
	int r = session_run(s, &c, e);
	size_t nr = dso_table_count(session_dsos(s)) + 1;

	*hit = XNEW_ARRAY(bool, nr);
	for (unsigned int w = 0; w < workers; w++) {
		for (size_t i = 0; i < MIN(nr, h.nr[w]); i++)
			(*hit)[i] = (*hit)[i] || h.seen[w][i];
		free(h.seen[w]);
	}
	free(h.seen);
	free(h.nr);
	return r;
}

static void add_hit_names(struct session *s, const bool *hit, struct intern *names)
{
	const struct dso_table *t = session_dsos(s);

	for (dso_id i = 1; i <= dso_table_count(t); i++)
		if (hit[i])
			intern_adds(names, dso_long_name(dso_table_get(t, i)));
}

static void add_id(struct recorded_ids *out, const char *path, const u8 *bytes, size_t size)
{
	struct recorded_id *r = VEC_PUSH(out);

	*r = (struct recorded_id){ .path = xstrdup(path),
				   .id.size = (u8)MIN(size, DSO_BUILD_ID_MAX) };
	memcpy(r->id.bytes, bytes, r->id.size);
}

/* Paths, and paths with ids: containers have files of their own of the same name. */
struct listed {
	struct intern paths, files;
};

/* Whether it is listed already. An object of unknown id is any of that path. */
static bool is_listed(struct listed *l, const char *path, const u8 *id, size_t size)
{
	_cleanup_(strbuf_releasep) struct strbuf file = STRBUF_INIT;
	bool known;

	fmt_build_id(&file, id, size);
	strbuf_adds(&file, path);
	known = size ? intern_find(&l->files, file.buf) != 0 : intern_find(&l->paths, path) != 0;
	intern_adds(&l->files, file.buf);
	intern_adds(&l->paths, path);
	return known;
}

/* The list in the header, each file once, into listed; hit NULL = all of it. */
static void add_header_ids(struct session *s, const bool *hit, struct listed *listed,
			   struct recorded_ids *out)
{
	const struct perfdata_info *info = perfdata_info(session_file(s));
	struct intern hits = { 0 };

	if (hit)
		add_hit_names(s, hit, &hits);
	for (u32 i = 0; i < info->nr_build_ids; i++) {
		const struct info_build_id *b = &info->build_ids[i];

		if (is_listed(listed, b->path, b->id, b->size))
			continue;
		if (!hit || intern_find(&hits, b->path))
			add_id(out, b->path, b->id, b->size);
	}
	intern_release(&hits);
}

int recorded_ids_read(struct session *s, bool with_hits, struct recorded_ids *out, struct err *e)
{
	struct perfdata *f = session_file(s);
	const struct perfdata_info *info = perfdata_info(f);
	struct dso_table *t = session_dsos(s);
	_cleanup_(mem_freep) bool *hit = NULL;
	struct listed listed = { 0 };

	/* Traces of the CPU tell only when they are decoded what ran. */
	if (info_has(info, FEAT_AUXTRACE) && info_has(info, FEAT_BUILD_ID))
		with_hits = false;
	if (with_hits || perfdata_is_pipe(f) || !info_has(info, FEAT_BUILD_ID)) {
		if (find_hits(s, &hit, e))
			return -1;
	}
	add_header_ids(s, hit, &listed, out);
	for (dso_id i = 1; hit && i <= dso_table_count(t); i++) {
		const struct dso *d = dso_table_get(t, i);

		if (hit[i] && !is_listed(&listed, dso_long_name(d), dso_build_id(d)->bytes,
					 dso_build_id(d)->size))
			add_id(out, dso_long_name(d), dso_build_id(d)->bytes,
			       dso_build_id(d)->size);
	}
	intern_release(&listed.paths);
	intern_release(&listed.files);
	return 0;
}

void recorded_ids_release(struct recorded_ids *ids)
{
	VEC_FOR(ids, i)
		free(i->path);
	vec_free(ids);
}
