/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kwork timehist: a line for each time that a piece of work ran. */
#include <stdio.h>

#include "base/digits.h"
#include "base/log.h"
#include "cli/print_err.h"
#include "cmd/kwork/kwork.h"
#include "cmd/row_form.h"
#include "text/chain_lines.h"

/* A line shows some frames more than --max-stack says, as the kernel's perf does. */
enum { FLUSH = 1 << 16, EXTRA_FRAMES = 2 };

struct timehist_lines {
	const struct kwork_cmd *c;
	struct kwork_source source;
	struct chain_lines *chains; /* NULL = not shown */
	bool as_rows; /* --json or -x */
	struct row_writer rows;
	struct strbuf out, text;
};

static void flush(struct strbuf *out)
{
	fwrite(out->buf, 1, out->len, stdout);
	strbuf_reset(out);
}

static void add_head(struct strbuf *out)
{
	strbuf_addf(out, " %-17s  %-17s  %-6s  %-30s  %-10s  %-10s\n", "Runtime start",
		    "Runtime end", "Cpu", "Kwork name", "Runtime", "Delaytime");
	strbuf_addf(out, " %-17s  %-17s  %-6s  %-30s  %-10s  %-10s\n", "", "", "", "(TYPE)NAME:NUM",
		    "(msec)", "(msec)");
	strbuf_addf(out, " %.17s  %.17s  %.6s  %.30s  %.10s  %.10s\n", "-----------------",
		    "-----------------", "------", "------------------------------", "----------",
		    "----------");
}

static void add_time(struct strbuf *out, u64 ns)
{
	char digits[DIGITS_ROOM];

	strbuf_addch(out, ' ');
	strbuf_add_u64_width(out, ns / 1000000000, 10, ' ');
	strbuf_addch(out, '.');
	digits_put6(digits, (u32)(ns / 1000 % 1000000));
	strbuf_add(out, digits, 6);
}

static void add_line(struct timehist_lines *t, const struct kwork_row *row, u64 end)
{
	struct strbuf *out = &t->out;

	strbuf_reset(&t->text);
	kwork_add_work(&t->source, row, &t->text);
	add_time(out, row->began);
	strbuf_addch(out, ' ');
	add_time(out, end);
	strbuf_adds(out, "  [");
	strbuf_add_u64_width(out, row->cpu, 4, '0');
	strbuf_adds(out, "]  ");
	strbuf_add_aligned(out, t->text.buf, -30);
	strbuf_adds(out, "  ");
	strbuf_add_fixed(out, (double)(end - row->began) / 1e6, 10, 3);
	strbuf_adds(out, "  ");
	if (row->waited == KWORK_UNKNOWN)
		strbuf_pad(out, ' ', 10);
	else
		strbuf_add_fixed(out, (double)row->waited / 1e6, 10, 3);
	strbuf_addch(out, ' ');
	if (t->chains && row->chain) {
		strbuf_adds(out, "  ");
		chain_lines_add(t->chains, row->chain, out);
	}
	strbuf_addch(out, '\n');
}

static void put_row(struct timehist_lines *t, const struct kwork_row *row, u64 end)
{
	struct row_writer *w = &t->rows;

	row_begin(w, "run");
	kwork_put_work(&t->source, row, w);
	row_u64(w, "start_ns", row->began);
	row_u64(w, "end_ns", end);
	if (row->waited == KWORK_UNKNOWN)
		row_null(w, "waited_ns");
	else
		row_u64(w, "waited_ns", row->waited);
	if (t->chains) {
		strbuf_reset(&t->text);
		if (row->chain)
			chain_lines_add(t->chains, row->chain, &t->text);
		row_string(w, "stack", row->chain ? t->text.buf : NULL);
	}
	row_end(w);
}

static void on_run(void *ctx, const struct kwork_row *row, u64 end)
{
	struct timehist_lines *t = ctx;

	if (!kwork_is_named(t->c, &t->source, row))
		return;
	if (t->as_rows)
		put_row(t, row, end);
	else
		add_line(t, row, end);
	if (t->out.len > FLUSH)
		flush(&t->out);
}

static void on_renew(void *ctx)
{
	const struct timehist_lines *t = ctx;

	if (t->chains)
		chain_lines_forget(t->chains);
}

/* Of a recording that has callers. */
static void show_chains(struct timehist_lines *t)
{
	const struct perfdata *file = session_file(t->c->rec.session);

	/* (a stream tells of its events later) */
	if (!perfdata_is_pipe(file) && !perfdata_has_sample_type(file, PERF_SAMPLE_CALLCHAIN)) {
		log_warn("the recording has no callers (hint: perf kwork record -g)");
		return;
	}
	t->chains = chain_lines_new(
		&(struct chain_lines_opts){ .session = t->c->rec.session,
					    .between = " <- ",
					    .as_is = t->as_rows,
					    .most = (size_t)t->c->max_stack + EXTRA_FRAMES });
}

static int run(struct timehist_lines *t, struct kwork_cmd *c, struct err *e)
{
	struct kwork_opts o = {
		.on_run = on_run, .on_renew = on_renew, .ctx = t, .chains = c->call_graph
	};
	struct kwork_source *s = &t->source;

	s->k = kwork_open(c, &o, e);
	s->session = c->rec.session;
	if (!s->k)
		return -1;
	if (c->call_graph)
		show_chains(t);
	if (t->as_rows)
		row_writer_init(&t->rows, &t->out, c->separator, "perf kwork timehist");
	else
		add_head(&t->out);
	if (kwork_run(s->k, e)) {
		flush(&t->out);
		return -1;
	}
	s->totals = kwork_totals(s->k);
	if (t->as_rows)
		kwork_put_total(&t->rows, s);
	flush(&t->out);
	return 0;
}

int kwork_timehist_main(struct kwork_cmd *c)
{
	struct timehist_lines t = { .c = c, .as_rows = c->json || c->separator };
	struct err e = ERR_INIT;
	int r;

	if (row_form_check(c->json, c->separator, kwork_timehist_table, kwork_timehist_usage))
		return EXIT_USAGE;
	if (c->max_stack < 0)
		return opts_usage_error(
			kwork_timehist_table, kwork_timehist_usage, "max-stack",
			"Error: --max-stack expects a number that is not negative\n");
	r = run(&t, c, &e);
	if (r)
		err_print(&e);
	else
		kwork_tell_losses(&t.source);
	if (t.as_rows && t.source.k)
		row_writer_release(&t.rows);
	strbuf_release(&t.out);
	strbuf_release(&t.text);
	chain_lines_free(t.chains);
	kwork_free(t.source.k);
	return r ? KWORK_FAILED : 0;
}
