/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kwork report, perf kwork latency: a row for each piece of work on each CPU. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print_err.h"
#include "cmd/kwork/kwork.h"
#include "cmd/row_form.h"

enum { RULE = 128 };

typedef u64 (*kwork_value)(const struct kwork_sums *s);

/* One of both commands. */
struct kwork_form {
	const char *name, *title, *longest;
	bool waits;
	const char *usual; /* keys */
	const char *names[3]; /* of keys */
	kwork_value values[3];
	u64 (*shown)(const struct kwork_sums *s);
};

struct kwork_order {
	const struct kwork_form *form;
	struct kwork_keys by;
};

static u64 total(const struct kwork_sums *s)
{
	return s->total;
}

static u64 average(const struct kwork_sums *s)
{
	return s->nr ? s->total / s->nr : 0;
}

static u64 longest(const struct kwork_sums *s)
{
	return s->max;
}

static u64 count(const struct kwork_sums *s)
{
	return s->nr;
}

static const struct kwork_form report = {
	.name = "perf kwork report",
	.title = "Total Runtime",
	.longest = "runtime",
	.usual = "runtime,max,count",
	.names = { "runtime", "max", "count" },
	.values = { total, longest, count },
	.shown = total,
};
static const struct kwork_form latency = {
	.name = "perf kwork latency",
	.title = "Avg delay",
	.longest = "delay",
	.waits = true,
	.usual = "avg,max,count",
	.names = { "avg", "max", "count" },
	.values = { average, longest, count },
	.shown = average,
};

static const struct kwork_sums *sums_of(const struct kwork_form *form, const struct kwork_row *r)
{
	return form->waits ? &r->waits : &r->runs;
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct kwork_row *x = a, *y = b;
	const struct kwork_order *o = ctx;

	for (size_t i = 0; i < o->by.nr; i++) {
		kwork_value value = o->form->values[o->by.v[i]];
		u64 u = value(sums_of(o->form, x)), v = value(sums_of(o->form, y));

		if (u != v)
			return u < v ? 1 : -1;
	}
	return (x->number > y->number) - (x->number < y->number);
}

static void add_rule(struct strbuf *out)
{
	strbuf_addch(out, ' ');
	strbuf_pad(out, '-', RULE);
	strbuf_addch(out, '\n');
}

static void add_head(struct strbuf *out, const struct kwork_form *form)
{
	char max[4][32];

	snprintf(max[0], sizeof(max[0]), "Max %s", form->longest);
	snprintf(max[1], sizeof(max[1]), "Max %s start", form->longest);
	snprintf(max[2], sizeof(max[2]), "Max %s end", form->longest);
	strbuf_addf(out, "\n  %-30s | %-4s | %-13s | %-9s | %-13s | %-19s | %-19s |\n",
		    "Kwork Name", "Cpu", form->title, "Count", max[0], max[1], max[2]);
	add_rule(out);
}

static void add_row(const struct kwork_source *s, const struct kwork_form *form,
		    const struct kwork_row *r, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	const struct kwork_sums *sums = sums_of(form, r);

	kwork_add_work(s, r, &name);
	strbuf_addf(out,
		    "  %-30s | %04u | %10.3f ms | %9llu | %10.3f ms | %10llu.%06llu s | "
		    "%10llu.%06llu s |\n",
		    name.buf, r->cpu, (double)form->shown(sums) / 1e6, (unsigned long long)sums->nr,
		    (double)sums->max / 1e6, SECONDS(sums->max_start), SECONDS(sums->max_end));
}

static void add_summary(struct strbuf *out, const struct kwork_sums *all,
			const struct kwork_totals *t)
{
	u64 span = t->last - t->first;

	strbuf_addf(out,
		    "  Total count            : %9llu\n"
		    "  Total runtime   (msec) : %9.3f (%.3f%% load average)\n"
		    "  Total time span (msec) : %9.3f\n",
		    (unsigned long long)all->nr, (double)all->total / 1e6,
		    span ? 100.0 * (double)all->total / (double)span : 0, (double)span / 1e6);
	add_rule(out);
}

/* One of both commands, and its rows. */
struct kwork_table {
	const struct kwork_cmd *c;
	const struct kwork_form *form;
	struct kwork_source source;
	struct kwork_row *rows;
	size_t nr;
};

/* --json and -x */
static void add_values(const struct kwork_table *t, struct strbuf *out)
{
	_cleanup_(row_writer_release) struct row_writer w;

	row_document_init(&w, out, t->c->separator, t->form->name);
	if (t->c->json)
		row_u64(&w, "span_ns", t->source.totals.last - t->source.totals.first);
	row_array(&w, "rows");
	for (size_t i = 0; i < t->nr; i++) {
		const struct kwork_sums *s = sums_of(t->form, &t->rows[i]);

		row_begin(&w, "work");
		kwork_put_work(&t->source, &t->rows[i], &w);
		row_u64(&w, "nr", s->nr);
		row_u64(&w, "total_ns", s->total);
		row_u64(&w, "max_ns", s->max);
		row_u64(&w, "max_start_ns", s->max_start);
		row_u64(&w, "max_end_ns", s->max_end);
		row_end(&w);
	}
	kwork_put_total(&w, &t->source);
}

static void add_text(const struct kwork_table *t, struct strbuf *out)
{
	struct kwork_sums all = { .nr = 0 };

	add_head(out, t->form);
	for (size_t i = 0; i < t->nr; i++) {
		const struct kwork_sums *s = sums_of(t->form, &t->rows[i]);

		add_row(&t->source, t->form, &t->rows[i], out);
		all.nr += s->nr;
		all.total += s->total;
	}
	add_rule(out);
	if (t->c->summary)
		add_summary(out, &all, &t->source.totals);
	kwork_add_losses(out, &t->source);
	strbuf_addch(out, '\n');
}

static void print(const struct kwork_table *t)
{
	struct strbuf out = STRBUF_INIT;

	if (t->c->json || t->c->separator)
		add_values(t, &out);
	else
		add_text(t, &out);
	fwrite(out.buf, 1, out.len, stdout);
	strbuf_release(&out);
}

static int read_source(struct kwork_table *t, struct kwork_cmd *c, struct err *e)
{
	struct kwork_opts o = { .waits = t->form->waits };
	struct kwork_source *s = &t->source;

	if (c->use_bpf) {
		if (kwork_watch(s, c, o.waits, false, e))
			return -1;
		t->rows = kwork_live_rows(s->live, &t->nr);
		return 0;
	}
	s->k = kwork_open(c, &o, e);
	s->session = c->rec.session;
	if (!s->k || kwork_run(s->k, e))
		return -1;
	t->rows = kwork_rows(s->k, &t->nr);
	s->totals = kwork_totals(s->k);
	return 0;
}

/* Leaves those that are to be shown. */
static void choose_rows(struct kwork_table *t)
{
	size_t left = 0;

	for (size_t i = 0; i < t->nr; i++)
		if (sums_of(t->form, &t->rows[i])->nr &&
		    kwork_is_named(t->c, &t->source, &t->rows[i]))
			t->rows[left++] = t->rows[i];
	t->nr = left;
}

static int run(struct kwork_cmd *c, const struct kwork_form *form, const struct opt *table,
	       const char *const *usage)
{
	struct kwork_order order = { .form = form };
	struct kwork_table t = { .c = c, .form = form };
	struct err e = ERR_INIT;
	int r;

	if (row_form_check(c->json, c->separator, table, usage))
		return EXIT_USAGE;
	if (kwork_parse_sort(&order.by, c->sort ? c->sort : form->usual, form->names,
			     ARRAY_SIZE(form->names), &e))
		return opts_usage_error(table, usage, NULL, "%s", e.text);
	r = read_source(&t, c, &e);
	if (r) {
		err_print(&e);
	} else {
		choose_rows(&t);
		if (t.nr > 1)
			qsort_r(t.rows, t.nr, sizeof(*t.rows), compare_rows, &order);
		print(&t);
		kwork_tell_losses(&t.source);
	}
	kwork_free(t.source.k);
	kwork_live_free(t.source.live);
	return r ? KWORK_FAILED : 0;
}

int kwork_report_main(struct kwork_cmd *c)
{
	return run(c, &report, kwork_report_table, kwork_report_usage);
}

int kwork_latency_main(struct kwork_cmd *c)
{
	return run(c, &latency, kwork_latency_table, kwork_latency_usage);
}
