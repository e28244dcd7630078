/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kwork timehist: a line for each time that a piece of work ran. */
#include <stdio.h>

#include "cli/print_err.h"
#include "cmd/kwork/kwork.h"

enum { FLUSH = 1 << 16 };

struct timehist_lines {
	const struct kwork_cmd *c;
	struct kwork *k;
	struct strbuf out, name;
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

static void on_run(void *ctx, const struct kwork_row *row, u64 end)
{
	struct timehist_lines *t = ctx;

	if (!kwork_is_named(t->c, t->k, row))
		return;
	strbuf_reset(&t->name);
	kwork_add_work(t->c, t->k, row, &t->name);
	strbuf_addf(&t->out, " %10llu.%06llu  %10llu.%06llu  [%04u]  %-30s  %10.3f  ",
		    SECONDS(row->began), SECONDS(end), row->cpu, t->name.buf,
		    (double)(end - row->began) / 1e6);
	if (row->waited == KWORK_UNKNOWN)
		strbuf_addf(&t->out, "%10s \n", "");
	else
		strbuf_addf(&t->out, "%10.3f \n", (double)row->waited / 1e6);
	if (t->out.len > FLUSH)
		flush(&t->out);
}

int kwork_timehist_main(struct kwork_cmd *c)
{
	struct timehist_lines t = { .c = c };
	struct kwork_opts o = { .on_run = on_run, .ctx = &t };
	struct err e = ERR_INIT;
	int r;

	t.k = kwork_open(c, &o, &e);
	if (t.k)
		add_head(&t.out);
	r = t.k ? kwork_run(t.k, &e) : -1;
	if (r)
		err_print(&e);
	if (t.k)
		flush(&t.out);
	if (!r)
		losses_tell_events(c->rec.session, "times are");
	strbuf_release(&t.out);
	strbuf_release(&t.name);
	kwork_free(t.k);
	return r ? KWORK_FAILED : 0;
}
