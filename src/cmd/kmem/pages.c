/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kmem stat --page: tables of callers and of pages, what was given back, sums by order and
 * type. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/log.h"
#include "base/vec.h"
#include "cli/print_err.h"
#include "cmd/kmem/kmem.h"
#include "dso/dso.h"

enum { SHOWN_ORDERS = 11, SHOWN_TYPES = 5, FLAGS_WIDTH = 9 };

/* Names of GFP flags as a column has them. */
struct flags {
	u32 gfp;
	char *brief, *full;
};

struct page_view {
	const struct kmem_opts *o;
	struct kmem_pages *k;
	VEC(struct flags) flags; /* by gfp */
	size_t width; /* of the widest that is brief */
	u64 by_order[KMEM_ORDERS][KMEM_TYPES]; /* the last for all that follow */
};

/* ------------------------------------------------------------------ names of flags */

/* As perf abbreviates them; others stand without their GFP_. */
static const struct {
	const char *name, *brief;
} abbreviations[] = {
	{ "GFP_TRANSHUGE", "THP" },
	{ "GFP_TRANSHUGE_LIGHT", "THL" },
	{ "GFP_HIGHUSER_MOVABLE", "HUM" },
	{ "GFP_HIGHUSER", "HU" },
	{ "GFP_USER", "U" },
	{ "GFP_KERNEL_ACCOUNT", "KAC" },
	{ "GFP_KERNEL", "K" },
	{ "GFP_NOFS", "NF" },
	{ "GFP_ATOMIC", "A" },
	{ "GFP_NOIO", "NI" },
	{ "GFP_NOWAIT", "NW" },
	{ "GFP_DMA", "D" },
	{ "GFP_DMA32", "D32" },
	{ "__GFP_RECLAIM", "R" },
	{ "__GFP_HIGHMEM", "HM" },
	{ "__GFP_MOVABLE", "M" },
	{ "__GFP_RECLAIMABLE", "RC" },
	{ "__GFP_HIGH", "H" },
	{ "__GFP_ATOMIC", "_A" },
	{ "__GFP_IO", "I" },
	{ "__GFP_FS", "F" },
	{ "__GFP_ZERO", "Z" },
	{ "__GFP_DIRECT_RECLAIM", "DR" },
	{ "__GFP_KSWAPD_RECLAIM", "KR" },
	{ "__GFP_WRITE", "WR" },
	{ "__GFP_NOWARN", "NWR" },
	{ "__GFP_RETRY_MAYFAIL", "R" },
	{ "__GFP_NOFAIL", "NF" },
	{ "__GFP_NORETRY", "NR" },
	{ "__GFP_MEMALLOC", "MA" },
	{ "__GFP_COMP", "C" },
	{ "__GFP_NOMEMALLOC", "NMA" },
	{ "__GFP_HARDWALL", "HW" },
	{ "__GFP_THISNODE", "TN" },
	{ "__GFP_ACCOUNT", "AC" },
};

static void add_brief(struct strbuf *out, const char *full)
{
	while (*full) {
		size_t len = strcspn(full, "|"), i = 0;

		while (i < ARRAY_SIZE(abbreviations) &&
		       (strlen(abbreviations[i].name) != len ||
			strncmp(abbreviations[i].name, full, len) != 0))
			i++;
		if (i < ARRAY_SIZE(abbreviations)) {
			strbuf_adds(out, abbreviations[i].brief);
		} else {
			size_t prefix = !strncmp(full, "__GFP_", MIN(len, (size_t)6)) ? 6 : 0;

			strbuf_add(out, full + prefix, len - MIN(len, prefix));
		}
		full += len;
		if (*full == '|')
			strbuf_addch(out, *full++);
	}
}

static void note_flags(struct page_view *v, u32 gfp)
{
	struct strbuf full = STRBUF_INIT, brief = STRBUF_INIT;

	kmem_pages_add_flags(v->k, gfp, &full);
	add_brief(&brief, full.buf);
	v->width = MAX(v->width, brief.len);
	*VEC_PUSH(&v->flags) = (struct flags){ gfp, xstrdup(brief.buf), xstrdup(full.buf) };
	strbuf_release(&full);
	strbuf_release(&brief);
}

/* Of rows of callers: which flags there are, how many allocations of which order and type. */
static void collect(struct page_view *v)
{
	VEC(struct flags) all = { .v = NULL };
	size_t nr;
	const struct kmem_page_row *rows = kmem_pages_callers(v->k, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct kmem_page_row *r = &rows[i];

		*VEC_PUSH(&all) = (struct flags){ .gfp = r->gfp };
		v->by_order[r->order][MIN(r->type, (u32)KMEM_TYPES - 1)] += v->o->live ? r->live
										       : r->hits;
	}
	VEC_SORT(&all, by_u32);
	VEC_FOR(&all, f)
		if (f == all.v || f[-1].gfp != f->gfp)
			note_flags(v, f->gfp);
	vec_free(&all);
}

static const struct flags *flags_of(const struct page_view *v, u32 gfp)
{
	struct flags key = { .gfp = gfp };

	return bsearch(&key, v->flags.v, v->flags.nr, sizeof(key), by_u32);
}

static void print_legend(const struct page_view *v)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_adds(&out, "#\n# GFP flags\n# ---------\n");
	VEC_FOR(&v->flags, f)
		strbuf_addf(&out, "# %08x: %*s: %s\n", f->gfp, (int)v->width, f->brief, f->full);
	strbuf_addch(&out, '\n');
	kmem_flush(&out);
	strbuf_release(&out);
}

/* ------------------------------------------------------------------ order of rows */

#define KEY(name, value)                                                                           \
	static u64 by_##name(const struct kmem_page_row *r)                                        \
	{                                                                                          \
		return value;                                                                      \
	}
KEY(page, r->page)
KEY(site, r->address)
KEY(bytes, r->hits << r->order)
KEY(hits, r->hits)
KEY(order, r->order)
KEY(type, r->type)
KEY(gfp, r->gfp)

static const struct {
	const char *name;
	kmem_page_key key;
} sort_keys[] = {
	{ "page", by_page },   { "callsite", by_site }, { "bytes", by_bytes }, { "hit", by_hits },
	{ "order", by_order }, { "migtype", by_type },  { "gfp", by_gfp },
};

int kmem_parse_page_sort(struct kmem_table *t, const char *keys, struct err *e)
{
	_cleanup_(mem_freep) char *copy = xstrdup(keys);
	char *save = NULL;

	for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		size_t i = 0, has = 0;

		while (i < ARRAY_SIZE(sort_keys) && strcmp(sort_keys[i].name, word) != 0)
			i++;
		if (i == ARRAY_SIZE(sort_keys))
			return err_set(e, EINVAL, "Unknown page --sort key: '%s'", word);
		while (has < t->nr_pages && t->pages_by[has] != sort_keys[i].key)
			has++;
		if (has == t->nr_pages)
			t->pages_by[t->nr_pages++] = sort_keys[i].key;
	}
	return 0;
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	static const kmem_page_key rest[] = { by_site, by_gfp, by_order, by_type, by_page };
	const struct kmem_table *t = ctx;

	for (size_t i = 0; i < t->nr_pages; i++) {
		u64 x = t->pages_by[i](a), y = t->pages_by[i](b);

		if (x != y)
			return x < y ? 1 : -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rest); i++) {
		u64 x = rest[i](a), y = rest[i](b);

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* Rows of a table in their order; with --live what is given back is none of their hits. */
static struct kmem_page_row *sorted(const struct page_view *v, enum kmem_which which, size_t *nr)
{
	static const struct kmem_table usual = { .nr_pages = 2, .pages_by = { by_bytes, by_hits } };
	const struct kmem_table *t = &v->o->tables[which];
	struct kmem_page_row *rows = which == KMEM_CALLERS ? kmem_pages_callers(v->k, nr)
							   : kmem_pages_pages(v->k, nr);
	size_t kept = 0;

	for (size_t i = 0; v->o->live && i < *nr; i++) {
		if (!rows[i].live)
			continue;
		rows[kept] = rows[i];
		rows[kept++].hits = rows[i].live;
	}
	if (v->o->live)
		*nr = kept;
	if (*nr > 1)
		qsort_r(rows, *nr, sizeof(*rows), compare_rows, (void *)(t->nr_pages ? t : &usual));
	return rows;
}

/* ------------------------------------------------------------------ text */

static const struct {
	const char *column; /* of the rows */
	const char *title; /* of the table by order */
} type_names[][KMEM_TYPES] = {
	[KMEM_TYPES_TODAY] = { { "UNMOVABL", "Unmovable" },
			       { "MOVABLE", "Movable" },
			       { "RECLAIM", "Reclaimable" },
			       { "HIGHATOM", "Highatomic" },
			       { "CMA/ISLT", "CMA/Isolated" } },
	[KMEM_TYPES_OLD] = { { "UNMOVABL", "Unmovable" },
			     { "RECLAIM", "Reclaimable" },
			     { "MOVABLE", "Movable" },
			     { "RESERVED", "Reserved" },
			     { "CMA/ISLT", "CMA/Isolated" } },
};

static const char *type_of(const struct page_view *v, u32 type)
{
	const char *name = type < KMEM_TYPES ? type_names[kmem_pages_types(v->k)][type].column
					     : NULL;

	return name ? name : "UNKNOWN";
}

static u64 kilobytes(u64 bytes)
{
	return bytes / 1024;
}

static void add_site(struct strbuf *out, const struct page_view *v, const struct kmem_page_row *r)
{
	const struct frame *f = r->site ? session_frame_get(v->o->rec.session, r->site) : NULL;
	const struct symtab *st;

	if (!f) {
		strbuf_adds(out, "[unknown]");
		return;
	}
	st = f->sym == SYM_NONE || v->o->raw_ip
		     ? NULL
		     : dso_symtab(dso_table_get(session_dsos(v->o->rec.session), f->dso));
	if (!st) {
		strbuf_addf(out, "%#llx", (unsigned long long)r->address);
		return;
	}
	strbuf_adds(out, symtab_name(st, f->sym));
	strbuf_addf(out, "+%llx", (unsigned long long)(f->at - symtab_start(st, f->sym)));
}

static void add_row(struct strbuf *out, const struct page_view *v, bool pages,
		    const struct kmem_page_row *r)
{
	size_t from;

	if (pages && kmem_pages_by_address(v->k))
		strbuf_addf(out, " %016llx |", (unsigned long long)r->page);
	else if (pages)
		strbuf_addf(out, " %16llu |", (unsigned long long)r->page);
	strbuf_addf(out, " %16llu | %9llu | %5u | %8s | %-*s | ",
		    (unsigned long long)kilobytes((r->hits * KMEM_PAGE_SIZE) << r->order),
		    (unsigned long long)r->hits, r->order, type_of(v, r->type),
		    (int)MAX(v->width, (size_t)FLAGS_WIDTH), flags_of(v, r->gfp)->brief);
	from = out->len;
	add_site(out, v, r);
	strbuf_escape(out, from);
	strbuf_addch(out, '\n');
}

static void print_table(const struct page_view *v, enum kmem_which which)
{
	const struct kmem_table *t = &v->o->tables[which];
	bool pages = which == KMEM_OBJECTS;
	int width = (int)MAX(v->width, (size_t)FLAGS_WIDTH);
	struct strbuf out = STRBUF_INIT;
	size_t nr, shown;
	const struct kmem_page_row *rows = sorted(v, which, &nr);

	shown = t->lines < 0 ? nr : MIN(nr, (size_t)t->lines);
	kmem_add_rule(&out);
	if (pages)
		strbuf_addf(&out, " %-16s |", kmem_pages_by_address(v->k) ? "Page" : "PFN");
	strbuf_addf(&out, " %5s alloc (KB) | Hits      | Order | Mig.type | %-*s | Callsite\n",
		    v->o->live ? "Live" : "Total", width, "GFP flags");
	kmem_add_rule(&out);
	for (size_t i = 0; i < shown; i++) {
		add_row(&out, v, pages, &rows[i]);
		if (out.len > 1 << 16)
			kmem_flush(&out);
	}
	if (shown < nr)
		strbuf_addf(&out,
			    "%s ...              | ...       | ...   | ...      | %-*s | ...\n",
			    pages ? " ...              |" : "", width, "...");
	kmem_add_rule(&out);
	kmem_flush(&out);
	strbuf_release(&out);
}

static void add_sums(struct strbuf *out, const char *title, const struct kmem_page_sums *s)
{
	strbuf_addf(out, "%-30s: %16llu   [ %16llu KB ]\n", title, (unsigned long long)s->nr,
		    (unsigned long long)kilobytes(s->bytes));
}

static void add_orders(struct strbuf *out, const struct page_view *v)
{
	size_t orders = SHOWN_ORDERS;

	for (size_t o = SHOWN_ORDERS; o < KMEM_ORDERS; o++)
		for (size_t type = 0; type < KMEM_TYPES; type++)
			orders = v->by_order[o][type] ? o + 1 : orders;
	strbuf_adds(out, "\nOrder");
	for (size_t type = 0; type < SHOWN_TYPES; type++)
		strbuf_addf(out, "  %12s", type_names[kmem_pages_types(v->k)][type].title);
	strbuf_adds(out, "\n-----");
	for (size_t type = 0; type < SHOWN_TYPES; type++)
		strbuf_adds(out, "  ------------");
	strbuf_addch(out, '\n');
	for (size_t o = 0; o < orders; o++) {
		strbuf_addf(out, "%5zu", o);
		for (size_t type = 0; type < SHOWN_TYPES; type++) {
			if (v->by_order[o][type])
				strbuf_addf(out, "  %12llu",
					    (unsigned long long)v->by_order[o][type]);
			else
				strbuf_addf(out, "  %12c", '.');
		}
		strbuf_addch(out, '\n');
	}
}

static struct kmem_page_sums only_allocated(const struct kmem_page_totals *t)
{
	return (struct kmem_page_sums){ t->allocs.nr - t->failed.nr - t->freed.nr,
					t->allocs.bytes - t->failed.bytes - t->freed.bytes };
}

static void print_totals(const struct page_view *v)
{
	const struct kmem_page_totals *t = kmem_pages_totals(v->k);
	struct kmem_page_sums only = only_allocated(t);
	struct strbuf out = STRBUF_INIT;

	strbuf_adds(&out, "\nSUMMARY (page allocator)\n========================\n");
	add_sums(&out, "Total allocation requests", &t->allocs);
	add_sums(&out, "Total free requests", &t->frees);
	strbuf_addch(&out, '\n');
	add_sums(&out, "Total alloc+freed requests", &t->freed);
	add_sums(&out, "Total alloc-only requests", &only);
	add_sums(&out, "Total free-only requests", &t->free_only);
	strbuf_addch(&out, '\n');
	add_sums(&out, "Total allocation failures", &t->failed);
	add_orders(&out, v);
	kmem_flush(&out);
	strbuf_release(&out);
}

/* ------------------------------------------------------------------ --json and -x */

static void put_rows(struct row_writer *w, const struct page_view *v, enum kmem_which which)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const struct kmem_table *t = &v->o->tables[which];
	size_t nr;
	const struct kmem_page_row *rows = sorted(v, which, &nr);

	for (size_t i = 0; i < (t->lines < 0 ? nr : MIN(nr, (size_t)t->lines)); i++) {
		const struct kmem_page_row *r = &rows[i];

		strbuf_reset(&text);
		row_begin(w, which == KMEM_CALLERS ? "caller" : "page");
		if (which == KMEM_OBJECTS) {
			strbuf_addf(&text, "%#llx", (unsigned long long)r->page);
			row_string(w, "page", text.buf);
			strbuf_reset(&text);
		}
		add_site(&text, v, r);
		row_string(w, "callsite", r->site ? text.buf : NULL);
		row_u64(w, "hits", r->hits);
		row_u64(w, "bytes", (r->hits * KMEM_PAGE_SIZE) << r->order);
		row_u64(w, "order", r->order);
		row_string(w, "type", type_of(v, r->type));
		row_string(w, "gfp_flags", flags_of(v, r->gfp)->full);
		row_end(w);
		if (w->out->len > 1 << 16)
			kmem_flush(w->out);
	}
}

/* Rows, or members of the document. */
static void put_sums(struct row_writer *w, const char *what, const struct kmem_page_sums *s)
{
	if (w->document) {
		json_object(&w->json, what, JSON_TIGHT);
	} else {
		row_begin(w, "sum");
		row_string(w, "of", what);
	}
	row_u64(w, "nr", s->nr);
	row_u64(w, "bytes", s->bytes);
	row_end(w);
}

static void put_totals(struct row_writer *w, const struct kmem_page_totals *t)
{
	struct kmem_page_sums only = only_allocated(t);

	put_sums(w, "allocations", &t->allocs);
	put_sums(w, "frees", &t->frees);
	put_sums(w, "freed", &t->freed);
	put_sums(w, "alloc_only", &only);
	put_sums(w, "free_only", &t->free_only);
	put_sums(w, "failures", &t->failed);
}

static void print_values(const struct page_view *v)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	_cleanup_(row_writer_release) struct row_writer w;
	const struct kmem_page_totals *t = kmem_pages_totals(v->k);

	row_document_init(&w, &out, v->o->separator, "perf kmem stat --page");
	if (v->o->json)
		put_totals(&w, t);
	for (enum kmem_which i = 0; i < KMEM_TABLES; i++) {
		if (!v->o->tables[i].shown)
			continue;
		row_array(&w, i == KMEM_CALLERS ? "callers" : "pages");
		put_rows(&w, v, i);
	}
	row_array(&w, NULL);
	if (!v->o->json)
		put_totals(&w, t);
	row_begin(&w, "total");
	row_u64(&w, "lost", session_stats(v->o->rec.session)->lost_events);
	row_end(&w);
	row_document_end(&w);
	kmem_flush(&out);
}

/* ------------------------------------------------------------------ the command */

static void print_text(const struct page_view *v)
{
	if (v->o->tables[KMEM_CALLERS].shown || v->o->tables[KMEM_OBJECTS].shown)
		print_legend(v);
	for (enum kmem_which i = 0; i < KMEM_TABLES; i++) {
		if (!v->o->tables[i].shown)
			continue;
		print_table(v, i);
		if (!i && v->o->tables[KMEM_OBJECTS].shown)
			putchar('\n');
	}
	print_totals(v);
}

static void tell(const struct page_view *v)
{
	const struct kmem_page_totals *t = kmem_pages_totals(v->k);

	losses_tell_events(v->o->rec.session, "sums are");
	if (t->odd)
		log_warn("%llu events of orders that there cannot be were left out",
			 (unsigned long long)t->odd);
}

int kmem_pages_main(struct kmem_opts *o)
{
	struct kmem_pages_opts po = { .pages = o->tables[KMEM_OBJECTS].shown };
	struct page_view v = { .o = o };
	struct err e = ERR_INIT;
	int r;

	o->rec.opts.by_address = true;
	r = recording_open(&o->rec, &e) || kmem_pages_new(&v.k, o->rec.session, &po, &e) ||
	    kmem_pages_run(v.k, &e);
	if (r) {
		err_print(&e);
	} else {
		collect(&v);
		if (o->json || o->separator)
			print_values(&v);
		else
			print_text(&v);
		tell(&v);
	}
	VEC_FOR(&v.flags, f) {
		free(f->brief);
		free(f->full);
	}
	vec_free(&v.flags);
	kmem_pages_free(v.k);
	return r ? KMEM_FAILED : 0;
}
