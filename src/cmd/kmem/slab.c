/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kmem stat --slab: tables of call sites and of objects, and their sums. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/by_number.h"
#include "base/log.h"
#include "cli/print_err.h"
#include "cmd/kmem/kmem.h"
#include "dso/dso.h"
#include "model/model.h"
#include "render/pieces.h"

enum { NAME_WIDTH = 34, ROWS_AHEAD = 8 };

static double wasted(u64 requested, u64 allocated)
{
	return allocated ? 100.0 - 100.0 * (double)requested / (double)allocated : 0;
}

/* A number that is larger where v is. */
static u64 in_order(double v)
{
	u64 bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits >> 63 ? ~bits : bits | 1ULL << 63;
}

#define KEY(name, value)                                                                           \
	static u64 by_##name(const struct kmem_slab_row *callers UNUSED,                           \
			     const struct kmem_slab_row *r)                                        \
	{                                                                                          \
		return value;                                                                      \
	}
KEY(ptr, r->key)
KEY(bytes, r->allocated)
KEY(hit, r->hits)
KEY(pingpong, r->pingpong)
KEY(callsite, callers[r->caller].key)
KEY(frag, in_order(wasted(r->requested, r->allocated)))

static const struct {
	const char *name;
	kmem_key key;
} sort_keys[] = {
	{ "ptr", by_ptr }, { "callsite", by_callsite }, { "bytes", by_bytes },
	{ "hit", by_hit }, { "pingpong", by_pingpong }, { "frag", by_frag },
};

static bool has_key(const struct kmem_table *t, kmem_key key)
{
	for (size_t i = 0; i < t->nr; i++)
		if (t->by[i] == key)
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
		if (!has_key(t, sort_keys[i].key))
			t->by[t->nr++] = sort_keys[i].key;
	}
	return 0;
}

/* As "%#llx". */
static void add_address(struct strbuf *out, u64 address)
{
	if (address)
		strbuf_adds(out, "0x");
	strbuf_add_hex(out, address);
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
		add_address(out, site);
		return;
	}
	strbuf_adds(out, symtab_name(st, sym));
	strbuf_addf(out, "+%llx", (unsigned long long)(at - symtab_start(st, sym)));
}

/* Of all, and on average. */
static void add_bytes(struct strbuf *out, u64 bytes, u32 hits)
{
	size_t from;

	strbuf_adds(out, " | ");
	strbuf_add_u64_width(out, bytes, 9, ' ');
	strbuf_addch(out, '/');
	from = out->len;
	strbuf_add_u64(out, bytes / hits);
	strbuf_pad_from(out, from, 5);
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
		add_address(out, r->key);
	strbuf_escape(out, from);
	strbuf_pad_from(out, from, NAME_WIDTH);
	add_bytes(out, r->allocated, r->hits);
	add_bytes(out, r->requested, r->hits);
	strbuf_adds(out, " | ");
	strbuf_add_u64_width(out, r->hits, 8, ' ');
	strbuf_adds(out, " | ");
	strbuf_add_u64_width(out, r->pingpong, 9, ' ');
	strbuf_adds(out, " | ");
	strbuf_add_fixed(out, wasted(r->requested, r->allocated), 6, 3);
	strbuf_adds(out, "%\n");
}

/* A table, and the order of its rows. */
struct slab_table {
	const struct kmem_slab_row *callers; /* all of them */
	struct numbered *rows;
	struct numbered *spare;
	size_t nr;
	kmem_key by[10];
	size_t nr_keys;
};

static const struct kmem_slab_row *row_at(const struct slab_table *t, size_t i)
{
	return t->rows[i].thing;
}

/* Rows [from, from + nr), which are alike by the keys before `key`. */
static void sort_rows(const struct slab_table *t, size_t from, size_t nr, size_t key)
{
	struct numbered *rows = t->rows + from;

	for (size_t i = 0; i < nr; i++) {
		if (i + ROWS_AHEAD < nr)
			__builtin_prefetch(rows[i + ROWS_AHEAD].thing);
		rows[i].number = t->by[key](t->callers, rows[i].thing);
	}
	by_number_sort(rows, nr, t->spare);
	if (key + 1 == t->nr_keys)
		return;
	for (size_t i = 0, to; i < nr; i = to) {
		for (to = i + 1; to < nr && rows[to].number == rows[i].number;)
			to++;
		if (to - i > 1)
			sort_rows(t, from + i, to - i, key + 1);
	}
}

/* The smallest address first. */
KEY(ptr_upwards, ~r->key)

static void slab_table_init(struct slab_table *t, const struct kmem_opts *o,
			    const struct kmem_slab *k, enum kmem_which which)
{
	static const struct kmem_table usual = { .nr = 3, .by = { by_frag, by_hit, by_bytes } };
	const struct kmem_table *wanted = o->tables[which].nr ? &o->tables[which] : &usual;
	bool callers = which == KMEM_CALLERS;
	const struct kmem_slab_row *rows;
	size_t nr;

	*t = (struct slab_table){ .callers = kmem_slab_callers(k, &nr) };
	rows = callers ? t->callers : kmem_slab_objects(k, &nr);
	t->nr = nr;
	t->rows = XNEW_ARRAY(struct numbered, nr + 1);
	t->spare = XNEW_ARRAY(struct numbered, nr + 1);
	for (size_t i = 0; i < nr; i++)
		t->rows[i].thing = &rows[i];
	for (size_t i = 0; i < wanted->nr; i++)
		if (!callers || wanted->by[i] != by_ptr) /* which they have not */
			t->by[t->nr_keys++] = wanted->by[i];
	t->by[t->nr_keys++] = by_ptr_upwards;
	if (nr > 1)
		sort_rows(t, 0, nr, 0);
}

static void slab_table_release(struct slab_table *t)
{
	free(t->rows);
	free(t->spare);
}

/* How many rows of it are to be shown. */
static size_t nr_shown(const struct slab_table *t, const struct kmem_table *wanted)
{
	return wanted->lines < 0 ? t->nr : MIN(t->nr, (size_t)wanted->lines);
}

/* What pieces of a table are made of. */
struct table_text {
	const struct kmem_opts *o;
	const struct slab_table *rows;
	bool callers;
	u64 time;
};

static void make_piece(void *ctx, void *scratch UNUSED, size_t from, size_t to, struct strbuf *out)
{
	const struct table_text *t = ctx;

	for (size_t i = from; i < to; i++) {
		if (i + ROWS_AHEAD < to)
			__builtin_prefetch(row_at(t->rows, i + ROWS_AHEAD));
		add_row(out, t->o, t->callers, row_at(t->rows, i), t->time);
	}
}

static void release_nothing(void *scratch UNUSED)
{
}

static bool write_piece(void *ctx UNUSED, const char *text, size_t len)
{
	return fwrite(text, 1, len, stdout) == len;
}

static void print_table(const struct kmem_opts *o, struct kmem_slab *k, enum kmem_which which)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	const struct kmem_table *t = &o->tables[which];
	bool callers = which == KMEM_CALLERS;
	u64 time = kmem_slab_totals(k).last;
	_cleanup_(slab_table_release) struct slab_table rows;
	size_t shown;

	slab_table_init(&rows, o, k, which);
	shown = nr_shown(&rows, t);
	kmem_add_rule(&out);
	strbuf_addf(&out,
		    " %-34s | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag\n",
		    callers ? "Callsite" : "Alloc Ptr");
	kmem_add_rule(&out);
	kmem_flush(&out);
	pieces_write(&(struct pieces){ .nr_rows = shown,
				       .par = session_par(o->rec.session),
				       .write = write_piece,
				       .ctx = &(struct table_text){ o, &rows, callers, time },
				       .make = make_piece,
				       .release = release_nothing });
	if (shown < rows.nr)
		strbuf_addf(&out,
			    " %-34s | ...             | ...             | ...      | ...       | "
			    "...   \n",
			    "...");
	kmem_add_rule(&out);
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

static void put_rows(struct row_writer *w, const struct kmem_opts *o, const struct kmem_slab *k,
		     enum kmem_which which)
{
	bool callers = which == KMEM_CALLERS;
	_cleanup_(slab_table_release) struct slab_table rows;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	slab_table_init(&rows, o, k, which);
	for (size_t i = 0; i < nr_shown(&rows, &o->tables[which]); i++) {
		const struct kmem_slab_row *r = row_at(&rows, i);

		strbuf_reset(&text);
		if (callers && !o->raw_ip)
			add_site(&text, o->rec.session, r->key, kmem_slab_totals(k).last);
		else
			add_address(&text, r->key);
		row_begin(w, callers ? "caller" : "object");
		row_string(w, callers ? "callsite" : "ptr", text.buf);
		row_u64(w, "hits", r->hits);
		row_u64(w, "requested", r->requested);
		row_u64(w, "allocated", r->allocated);
		row_u64(w, "pingpong", r->pingpong);
		row_end(w);
		if (w->out->len > 1 << 16)
			kmem_flush(w->out);
	}
}

static void put_totals(struct row_writer *w, const struct kmem_slab_totals *t)
{
	row_u64(w, "hits", t->hits);
	row_u64(w, "requested", t->requested);
	row_u64(w, "allocated", t->allocated);
	row_u64(w, "freed", t->freed);
	row_u64(w, "cross_cpu", t->cross);
	row_u64(w, "nodeless", t->nodeless);
}

/* --json and -x */
static void print_values(const struct kmem_opts *o, const struct kmem_slab *k)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	_cleanup_(row_writer_release) struct row_writer w;
	struct kmem_slab_totals t = kmem_slab_totals(k);

	row_document_init(&w, &out, o->separator, "perf kmem stat");
	if (o->json)
		put_totals(&w, &t);
	for (enum kmem_which i = 0; i < KMEM_TABLES; i++) {
		if (!o->tables[i].shown)
			continue;
		row_array(&w, i == KMEM_CALLERS ? "callers" : "objects");
		put_rows(&w, o, k, i);
	}
	row_array(&w, NULL);
	row_begin(&w, "total");
	if (!o->json)
		put_totals(&w, &t);
	row_u64(&w, "lost", session_stats(o->rec.session)->lost_events);
	row_end(&w);
	row_document_end(&w);
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
	if (o->json || o->separator)
		print_values(o, k);
	else
		print_text(o, k, &t);
	tell_losses(o->rec.session, &t);
	kmem_slab_free(k);
	return 0;
}
