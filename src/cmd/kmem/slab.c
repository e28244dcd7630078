/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kmem stat --slab: tables of call sites and of objects, and their sums. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/print_err.h"
#include "cmd/kmem/kmem.h"
#include "dso/dso.h"
#include "model/model.h"

enum { NAME_WIDTH = 34 };

static int compare_u64(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

static double wasted(u64 requested, u64 allocated)
{
	return allocated ? 100.0 - 100.0 * (double)requested / (double)allocated : 0;
}

static int by_ptr(const struct kmem_slab_row *a, const struct kmem_slab_row *b)
{
	return compare_u64(a->key, b->key);
}

static int by_callsite(const struct kmem_slab_row *a, const struct kmem_slab_row *b)
{
	return compare_u64(a->site, b->site);
}

static int by_bytes(const struct kmem_slab_row *a, const struct kmem_slab_row *b)
{
	return compare_u64(a->allocated, b->allocated);
}

static int by_hit(const struct kmem_slab_row *a, const struct kmem_slab_row *b)
{
	return compare_u64(a->hits, b->hits);
}

static int by_pingpong(const struct kmem_slab_row *a, const struct kmem_slab_row *b)
{
	return compare_u64(a->pingpong, b->pingpong);
}

static int by_frag(const struct kmem_slab_row *a, const struct kmem_slab_row *b)
{
	double x = wasted(a->requested, a->allocated), y = wasted(b->requested, b->allocated);

	return (x > y) - (x < y);
}

static const struct {
	const char *name;
	kmem_compare compare;
} sort_keys[] = {
	{ "ptr", by_ptr }, { "callsite", by_callsite }, { "bytes", by_bytes },
	{ "hit", by_hit }, { "pingpong", by_pingpong }, { "frag", by_frag },
};

static bool has_key(const struct kmem_table *t, kmem_compare compare)
{
	for (size_t i = 0; i < t->nr; i++)
		if (t->by[i] == compare)
			return true;
	return false;
}

int kmem_parse_sort(struct kmem_table *t, const char *keys, struct err *e)
{
	_cleanup_(mem_freep) char *copy = xstrdup(keys);
	char *save = NULL;

	for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		size_t i = 0;

		while (i < ARRAY_SIZE(sort_keys) && strcmp(sort_keys[i].name, word) != 0)
			i++;
		if (i == ARRAY_SIZE(sort_keys))
			return err_set(e, EINVAL, "Unknown slab --sort key: '%s'", word);
		if (!has_key(t, sort_keys[i].compare))
			t->by[t->nr++] = sort_keys[i].compare;
	}
	return 0;
}

struct order {
	const struct kmem_table *table;
	bool callers; /* which have no address */
};

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct kmem_slab_row *x = a, *y = b;
	const struct order *o = ctx;

	for (size_t i = 0; i < o->table->nr; i++) {
		int r = o->callers && o->table->by[i] == by_ptr ? 0 : o->table->by[i](x, y);

		if (r)
			return -r;
	}
	return compare_u64(x->key, y->key);
}

/* "name+offset", or the address. */
static void add_site(struct strbuf *out, struct session *s, u64 site, u64 time)
{
	const struct model_map *map = model_find_map(session_model(s), 0, PERF_RECORD_MISC_KERNEL,
						     site, time);
	const struct symtab *st = map ? dso_symtab(dso_table_get(session_dsos(s), map->dso)) : NULL;
	u64 at = map ? model_map_ip(map, site) : 0;
	u32 sym = st ? symtab_find(st, at) : SYM_NONE;

	if (sym == SYM_NONE) {
		strbuf_addf(out, "%#llx", (unsigned long long)site);
		return;
	}
	strbuf_add_escaped(out, symtab_name(st, sym));
	strbuf_addf(out, "+%llx", (unsigned long long)(at - symtab_start(st, sym)));
}

static void add_rule(struct strbuf *out)
{
	strbuf_pad(out, '-', KMEM_RULE);
	strbuf_addch(out, '\n');
}

static void add_row(struct strbuf *out, const struct kmem_opts *o, bool callers,
		    const struct kmem_slab_row *r, u64 time)
{
	size_t from;

	strbuf_addch(out, ' ');
	from = out->len;
	if (callers && !o->raw_ip)
		add_site(out, o->rec.session, r->key, time);
	else
		strbuf_addf(out, "%#llx", (unsigned long long)r->key);
	if (out->len - from < NAME_WIDTH)
		strbuf_pad(out, ' ', NAME_WIDTH - (out->len - from));
	strbuf_addf(out, " | %9llu/%-5llu | %9llu/%-5llu | %8llu | %9llu | %6.3f%%\n",
		    (unsigned long long)r->allocated, (unsigned long long)(r->allocated / r->hits),
		    (unsigned long long)r->requested, (unsigned long long)(r->requested / r->hits),
		    (unsigned long long)r->hits, (unsigned long long)r->pingpong,
		    wasted(r->requested, r->allocated));
}

/* Rows of a table in their order. */
static struct kmem_slab_row *sorted(const struct kmem_opts *o, struct kmem_slab *k,
				    enum kmem_which which, size_t *nr)
{
	static const struct kmem_table usual = { .nr = 3, .by = { by_frag, by_hit, by_bytes } };
	const struct kmem_table *t = &o->tables[which];
	bool callers = which == KMEM_CALLERS;
	struct order order = { .table = t->nr ? t : &usual, .callers = callers };
	struct kmem_slab_row *rows = callers ? kmem_slab_callers(k, nr) : kmem_slab_objects(k, nr);

	if (*nr > 1)
		qsort_r(rows, *nr, sizeof(*rows), compare_rows, &order);
	return rows;
}

static void print_table(const struct kmem_opts *o, struct kmem_slab *k, enum kmem_which which)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	const struct kmem_table *t = &o->tables[which];
	bool callers = which == KMEM_CALLERS;
	u64 time = kmem_slab_totals(k).last;
	size_t nr, shown;
	const struct kmem_slab_row *rows = sorted(o, k, which, &nr);

	shown = t->lines < 0 ? nr : MIN(nr, (size_t)t->lines);
	add_rule(&out);
	strbuf_addf(&out,
		    " %-34s | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag\n",
		    callers ? "Callsite" : "Alloc Ptr");
	add_rule(&out);
	for (size_t i = 0; i < shown; i++) {
		add_row(&out, o, callers, &rows[i], time);
		if (out.len > 1 << 16)
			kmem_flush(&out);
	}
	if (shown < nr)
		strbuf_addf(&out,
			    " %-34s | ...             | ...             | ...      | ...       | "
			    "...   \n",
			    "...");
	add_rule(&out);
	kmem_flush(&out);
}

static void print_totals(const struct kmem_slab_totals *t)
{
	printf("\nSUMMARY (SLAB allocator)\n========================\n"
	       "Total bytes requested: %llu\nTotal bytes allocated: %llu\n"
	       "Total bytes freed:     %llu\n",
	       (unsigned long long)t->requested, (unsigned long long)t->allocated,
	       (unsigned long long)t->freed);
	if (t->allocated > t->freed)
		printf("Net total bytes allocated: %llu\n",
		       (unsigned long long)(t->allocated - t->freed));
	printf("Total bytes wasted on internal fragmentation: %lld\n"
	       "Internal fragmentation: %f%%\nCross CPU allocations: %llu/%llu\n",
	       (long long)(t->allocated - t->requested), wasted(t->requested, t->allocated),
	       (unsigned long long)t->cross, (unsigned long long)t->hits);
}

static void add_json_row(struct json *j, const struct kmem_opts *o, bool callers,
			 const struct kmem_slab_row *r, u64 time)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (callers && !o->raw_ip)
		add_site(&text, o->rec.session, r->key, time);
	else
		strbuf_addf(&text, "%#llx", (unsigned long long)r->key);
	json_object(j, NULL, JSON_TIGHT);
	json_string(j, callers ? "callsite" : "ptr", text.buf);
	json_u64(j, "hits", r->hits);
	json_u64(j, "requested", r->requested);
	json_u64(j, "allocated", r->allocated);
	json_u64(j, "pingpong", r->pingpong);
	json_end(j);
}

static void add_json_table(struct json *j, const struct kmem_opts *o, struct kmem_slab *k,
			   enum kmem_which which)
{
	const struct kmem_table *t = &o->tables[which];
	bool callers = which == KMEM_CALLERS;
	size_t nr;
	const struct kmem_slab_row *rows = sorted(o, k, which, &nr);

	json_array(j, callers ? "callers" : "objects", JSON_TIGHT);
	for (size_t i = 0; i < (t->lines < 0 ? nr : MIN(nr, (size_t)t->lines)); i++) {
		add_json_row(j, o, callers, &rows[i], kmem_slab_totals(k).last);
		if (j->out->len > 1 << 16)
			kmem_flush(j->out);
	}
	json_end(j);
}

static void print_json(const struct kmem_opts *o, struct kmem_slab *k)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct kmem_slab_totals t = kmem_slab_totals(k);
	struct json j;

	json_init(&j, &out);
	json_object(&j, NULL, JSON_TIGHT);
	json_string(&j, "schema", "perf kmem stat");
	json_u64(&j, "version", 1);
	json_u64(&j, "hits", t.hits);
	json_u64(&j, "requested", t.requested);
	json_u64(&j, "allocated", t.allocated);
	json_u64(&j, "freed", t.freed);
	json_u64(&j, "cross_cpu", t.cross);
	json_u64(&j, "nodeless", t.nodeless);
	for (enum kmem_which i = 0; i < KMEM_TABLES; i++)
		if (o->tables[i].shown)
			add_json_table(&j, o, k, i);
	json_u64(&j, "lost", session_stats(o->rec.session)->lost_events);
	json_end(&j);
	strbuf_addch(&out, '\n');
	kmem_flush(&out);
}

static void print_text(const struct kmem_opts *o, struct kmem_slab *k,
		       const struct kmem_slab_totals *t)
{
	for (enum kmem_which i = 0; i < KMEM_TABLES; i++)
		if (o->tables[i].shown)
			print_table(o, k, i);
	print_totals(t);
}

static void tell_losses(struct session *s, const struct kmem_slab_totals *t)
{
	losses_tell_events(s, "sums are");
	if (t->nodeless)
		log_warn(
			"%llu allocations ask for memory of a node, but the recording does not say "
			"which nodes their CPUs belong to: they are not among the cross ones",
			(unsigned long long)t->nodeless);
}

int kmem_slab_main(struct kmem_opts *o)
{
	struct kmem_slab *k = NULL;
	struct err e = ERR_INIT;
	struct kmem_slab_totals t;
	int r;

	o->rec.nameless = o->raw_ip || !o->tables[KMEM_CALLERS].shown;
	r = recording_open(&o->rec, &e);
	if (!r)
		r = kmem_slab_new(&k, o->rec.session, &e);
	if (!r)
		r = kmem_slab_run(k, &e);
	if (r) {
		err_print(&e);
		kmem_slab_free(k);
		return KMEM_FAILED;
	}
	t = kmem_slab_totals(k);
	if (o->json)
		print_json(o, k);
	else
		print_text(o, k, &t);
	tell_losses(o->rec.session, &t);
	kmem_slab_free(k);
	return 0;
}
