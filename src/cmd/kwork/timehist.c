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

static void add_line(struct timehist_lines *t, const struct kwork_row *row, u64 end)
{
	strbuf_reset(&t->name);
	kwork_add_work(t->c, t->k, row, &t->name);
	strbuf_addf(&t->out, " %10llu.%06llu  %10llu.%06llu  [%04u]  %-30s  %10.3f  ",
		    SECONDS(row->began), SECONDS(end), row->cpu, t->name.buf,
		    (double)(end - row->began) / 1e6);
	if (row->waited == KWORK_UNKNOWN)
		strbuf_addf(&t->out, "%10s \n", "");
	else
		strbuf_addf(&t->out, "%10.3f \n", (double)row->waited / 1e6);
}

static void add_json(struct timehist_lines *t, const struct kwork_row *row, u64 end)
{
	struct json j;

	json_init(&j, &t->out);
	json_object(&j, NULL, JSON_TIGHT);
	kwork_add_json(t->c, t->k, row, &j);
	json_u64(&j, "start_ns", row->began);
	json_u64(&j, "end_ns", end);
	if (row->waited != KWORK_UNKNOWN)
		json_u64(&j, "waited_ns", row->waited);
	json_end(&j);
	strbuf_addch(&t->out, '\n');
}

static void on_run(void *ctx, const struct kwork_row *row, u64 end)
{
	struct timehist_lines *t = ctx;

	if (!kwork_is_named(t->c, t->k, row))
		return;
	if (t->c->json)
		add_json(t, row, end);
	else
		add_line(t, row, end);
	if (t->out.len > FLUSH)
		flush(&t->out);
}

static void begin(struct timehist_lines *t)
{
	struct json j;

	if (!t->c->json) {
		add_head(&t->out);
		return;
	}
	kwork_begin_json(&j, &t->out, "perf kwork timehist");
	json_end(&j);
	strbuf_addch(&t->out, '\n');
}

int kwork_timehist_main(struct kwork_cmd *c)
{
	struct timehist_lines t = { .c = c };
	struct kwork_opts o = { .on_run = on_run, .ctx = &t };
	struct err e = ERR_INIT;
	int r;

	t.k = kwork_open(c, &o, &e);
	if (t.k)
		begin(&t);
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
