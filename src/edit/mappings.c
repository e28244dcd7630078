/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MMAP records become MMAP2 records with a build id (-B, --mmap2-buildid-all): the recorded one,
 * else that of the file that exists now. -B leaves out mappings without samples. Those of the
 * kernel, which have no room for a build id, are copied.
 */
#include <sys/mman.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/map.h"
#include "base/search.h"
#include "capture/note_id.h"
#include "edit/pass.h"
#include "dso/jit/jitdump.h"
#include "perfdata/record.h"

/* Where an MMAP2 differs from an MMAP: file, prot and flags before the name. */
enum { AT_FILE = 40, FILE_BYTES = 24, AT_ID = 4, MMAP2_MORE = 32 };

/* Addresses with a sample. */
struct hit {
	u64 start, end;
};

struct hits {
	VEC(struct hit) ranges;
	struct map seen; /* start -> place in ranges */
	struct dso_seen dsos;
};

struct edit_maps {
	struct hits hits; /* sorted, none lies in another */
	bool whole_files; /* of a file that was hit all mappings are kept */
	struct intern hit_files;
	struct intern names; /* of objects */
	VEC(struct build_id) ids; /* by number of names; size 0 = none is known */
	u64 kept, left_out;
};

static void add_hit(struct hits *h, u64 start, u64 end)
{
	u64 hash = hash_mix(start, end);
	u32 i;

	for (struct map_probe p = map_first(&h->seen, hash); map_next(&h->seen, &p, &i);)
		if (h->ranges.v[i].start == start && h->ranges.v[i].end == end)
			return;
	map_add(&h->seen, hash, (u32)h->ranges.nr);
	*VEC_PUSH(&h->ranges) = (struct hit){ start, end };
}

static void note_address(struct hits *h, struct session_worker *w, const struct site *site, u64 ip)
{
	struct code_place place;

	session_place(w, site, PERF_RECORD_MISC_USER, ip, &place);
	if (!place.map || place.map->kernel)
		return;
	add_hit(h, place.map->start, place.map->end);
	dso_seen_add(&h->dsos, place.dso);
}

static bool note_sample(void *ctx, struct session_worker *w, unsigned int worker,
			const struct session_record *r)
{
	enum { FROM, TO, WORDS = 3 };
	struct hits *h = &((struct hits *)ctx)[worker];
	const struct sample *s = r->sample;
	bool user = s->cpumode == PERF_RECORD_MISC_USER;

	if (user)
		note_address(h, w, &r->site, s->ip);
	if (r->event->layout.addr)
		note_address(h, w, &r->site, s->addr);
	for (u64 i = 0; i < s->nr_chain; i++) {
		if (s->chain[i] >= PERF_CONTEXT_MAX)
			user = s->chain[i] == PERF_CONTEXT_USER;
		else if (user)
			note_address(h, w, &r->site, s->chain[i]);
	}
	for (u64 i = 0; i < s->nr_branch; i++) {
		note_address(h, w, &r->site, s->branch[i * WORDS + FROM]);
		note_address(h, w, &r->site, s->branch[i * WORDS + TO]);
	}
	return true;
}

static int cmp_hit(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

static void hits_release(struct hits *h)
{
	vec_free(&h->ranges);
	vec_free(&h->dsos);
	map_release(&h->seen);
}

/* To unwind copies of stacks other parts of a file are needed than those with samples: whole_files.
 */
int maps_find(struct edit *in, struct err *e)
{
	unsigned int workers = session_workers(in->s);
	struct hits *of_worker = XNEW_ARRAY(struct hits, workers);
	struct session_consumer c = { .order = SESSION_UNORDERED,
				      .ctx = of_worker,
				      .sample = note_sample };
	struct hits *all = &in->maps->hits;
	int r = session_run(in->s, &c, e);

	for (unsigned int w = 0; w < workers; w++) {
		struct hits *of = &of_worker[w];

		VEC_FOR(&of->ranges, h)
			add_hit(all, h->start, h->end);
		for (dso_id id = 1; id < of->dsos.nr; id++)
			if (of->dsos.v[id])
				intern_adds(&in->maps->hit_files,
					    dso_long_name(dso_table_get(session_dsos(in->s), id)));
		hits_release(of);
	}
	free(of_worker);
	VEC_SORT(&all->ranges, cmp_hit);
	for (size_t i = 0; i < perfdata_nr_events(in->file); i++)
		in->maps->whole_files |= chains_has_stacks(&perfdata_event(in->file, i)->attr);
	return r;
}

/* Whether the mapping, or what later ones left of it, has samples. */
static bool was_hit(const struct edit_maps *m, const char *name, u64 start, u64 end)
{
	const struct hits *h = &m->hits;
	size_t from;

	if (m->whole_files && intern_find(&m->hit_files, name))
		return true;

	from = start ? search_up_to(h->ranges.v, h->ranges.nr, sizeof(*h->ranges.v), start - 1) : 0;
	for (; from < h->ranges.nr && h->ranges.v[from].start < end; from++)
		if (h->ranges.v[from].end <= end)
			return true;
	return false;
}

/* The build id of a file, the same for all its mappings. */
static const struct build_id *id_of(struct edit *in, const char *name)
{
	struct edit_maps *m = in->maps;
	str_id number = intern_adds(&m->names, name);
	struct build_id *id;

	while (m->ids.nr < number)
		*VEC_PUSH(&m->ids) = (struct build_id){ 0 };
	if (number < m->ids.nr)
		return &m->ids.v[number];
	id = VEC_PUSH(&m->ids);
	*id = (struct build_id){ 0 };
	ids_lookup(in, name, id);
	return id;
}

static void put_with_id(struct edit *in, const struct perf_event_header *h, const char *name,
			struct strbuf *out)
{
	const struct build_id *id = id_of(in, name);
	bool is_mmap2 = h->type == PERF_RECORD_MMAP2;
	u32 prot = PROT_READ | (h->misc & PERF_RECORD_MISC_MMAP_DATA ? 0 : PROT_EXEC),
	    flags = MAP_PRIVATE;
	size_t rest = is_mmap2 ? AT_FILE + FILE_BYTES : AT_FILE;
	struct perf_event_header head = *h;
	u8 file[FILE_BYTES] = { 0 };

	if (!id->size || (!is_mmap2 && h->size > UINT16_MAX - MMAP2_MORE)) {
		strbuf_add(out, h, h->size);
		return;
	}
	file[0] = id->size;
	memcpy(file + AT_ID, id->bytes, id->size);
	head.type = PERF_RECORD_MMAP2;
	head.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	head.size = (u16)(h->size + (is_mmap2 ? 0 : MMAP2_MORE));
	strbuf_add(out, &head, sizeof(head));
	strbuf_add(out, (const u8 *)h + sizeof(head), AT_FILE - sizeof(head));
	strbuf_add(out, file, sizeof(file));
	if (!is_mmap2) {
		strbuf_add(out, &prot, sizeof(prot));
		strbuf_add(out, &flags, sizeof(flags));
	}
	strbuf_add(out, (const u8 *)h + rest, h->size - rest);
}

void maps_put(struct edit *in, const struct perf_event_header *h, struct strbuf *out)
{
	union record_view v;
	u32 pid;

	if ((h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL ||
	    !record_view(h, 0, &v)) {
		strbuf_add(out, h, h->size);
		return;
	}
	/* the mapping that announces a JIT compiler's dump is kept: by it the code is found */
	if (in->o->map_ids == MAP_IDS_HIT && !jitdump_is_name(v.mmap.name.text, &pid) &&
	    !was_hit(in->maps, v.mmap.name.text, v.mmap.start, v.mmap.start + v.mmap.len)) {
		in->maps->left_out++;
		return;
	}
	in->maps->kept++;
	if (v.mmap.build_id)
		strbuf_add(out, h, h->size);
	else
		put_with_id(in, h, v.mmap.name.text, out);
}

struct edit_maps *maps_new(void)
{
	return XNEW(struct edit_maps);
}

void maps_tell(const struct edit *in)
{
	log_info("%llu mappings, %llu left out", (unsigned long long)in->maps->kept,
		 (unsigned long long)in->maps->left_out);
}

void maps_free(struct edit_maps *m)
{
	if (!m)
		return;
	hits_release(&m->hits);
	intern_release(&m->hit_files);
	intern_release(&m->names);
	vec_free(&m->ids);
	free(m);
}
