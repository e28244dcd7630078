/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched wakers: who woke up whom, in which code, and how long the sleeps were that ended so.
 */
#include "analyze/sched_wakers.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "cmd/sched/sched.h"
#include "text/chain_lines.h"

typedef unsigned long long ull;

/* Rows of equal names and code are one. */
struct waker_line {
	const char *sleeper, *waker; /* names */
	struct sched_waker_row row;
};

struct wakers {
	struct sched_opts *o;
	struct sched_wakers *w;
	struct chain_lines *chains; /* NULL = not wanted */
	VEC(struct waker_line) lines;
	struct arena names;
	struct strbuf out, text;
	struct row_writer rows;
};

/* ------------------------------------------------------------------ lines */

static const char *name_of(struct wakers *w, u32 task)
{
	char buf[16];

	return task == SCHED_INTERRUPT
		       ? "<interrupt>"
		       : arena_strdup(&w->names, tasks_comm(sched_wakers_tasks(w->w), task, buf));
}

static int by_names(const void *a, const void *b)
{
	const struct waker_line *x = a, *y = b;
	int c = strcmp(x->sleeper, y->sleeper);

	c = c ? c : strcmp(x->waker, y->waker);
	return c ? c : (x->row.chain > y->row.chain) - (x->row.chain < y->row.chain);
}

static int longest_first(const void *a, const void *b)
{
	const struct waker_line *x = a, *y = b;

	if (x->row.ns != y->row.ns)
		return x->row.ns < y->row.ns ? 1 : -1;
	return by_names(a, b);
}

static void make_lines(struct wakers *w)
{
	size_t nr, kept = 0;
	const struct sched_waker_row *rows = sched_wakers_rows(w->w, &nr);

	for (size_t i = 0; i < nr; i++)
		*VEC_PUSH(&w->lines) = (struct waker_line){ name_of(w, rows[i].sleeper),
							    name_of(w, rows[i].waker), rows[i] };
	VEC_SORT(&w->lines, by_names);
	for (size_t i = 0; i < w->lines.nr; i++) {
		const struct waker_line *l = &w->lines.v[i];
		struct waker_line *last = kept ? &w->lines.v[kept - 1] : NULL;

		if (!last || by_names(last, l)) {
			w->lines.v[kept++] = *l;
			continue;
		}
		last->row.nr += l->row.nr;
		last->row.ns += l->row.ns;
		last->row.longest = MAX(last->row.longest, l->row.longest);
	}
	w->lines.nr = kept;
	VEC_SORT(&w->lines, longest_first);
}

static const char *stack_of(struct wakers *w, const struct waker_line *l)
{
	strbuf_reset(&w->text);
	if (w->chains && l->row.chain)
		chain_lines_add(w->chains, l->row.chain, &w->text);
	return w->text.len ? w->text.buf : NULL;
}

/* ------------------------------------------------------------------ forms */

static void add_name(struct strbuf *out, const char *before, const char *name)
{
	size_t from;

	strbuf_adds(out, before);
	from = out->len;
	strbuf_add_escaped(out, name);
	strbuf_pad(out, ' ', 16 - MIN(out->len - from, (size_t)16));
}

static void print_table(struct wakers *w)
{
	struct sched_wakers_totals t = sched_wakers_totals(w->w);

	strbuf_addf(&w->out, " %-16s  %-16s  %9s  %13s  %12s  %12s\n", "Sleeper", "Woken by",
		    "Times", "Slept ms", "Mean ms", "Longest ms");
	VEC_FOR(&w->lines, l) {
		const char *stack = stack_of(w, l);

		add_name(&w->out, " ", l->sleeper);
		add_name(&w->out, "  ", l->waker);
		strbuf_addf(&w->out, "  %9llu  %13.3f  %12.3f  %12.3f\n", (ull)l->row.nr,
			    (double)l->row.ns / 1e6, (double)l->row.ns / 1e6 / (double)l->row.nr,
			    (double)l->row.longest / 1e6);
		if (stack)
			strbuf_addf(&w->out, "     %s\n", stack);
	}
	strbuf_addf(&w->out, "\n %llu sleeps", (ull)t.sleeps);
	if (t.unknown)
		strbuf_addf(&w->out,
			    "; of %llu wake-ups the recording does not tell when the "
			    "sleep began",
			    (ull)t.unknown);
	strbuf_addch(&w->out, '\n');
}

/* The waker at the bottom, its functions up to the one that wakes, and whom it woke; us. */
static void print_folded(struct wakers *w)
{
	VEC_FOR(&w->lines, l) {
		const char *stack;

		if (l->row.ns < 1000)
			continue;
		stack = stack_of(w, l);
		chain_lines_add_part(&w->out, l->waker);
		if (stack)
			strbuf_addf(&w->out, ";%s", stack);
		strbuf_addch(&w->out, ';');
		chain_lines_add_part(&w->out, l->sleeper);
		strbuf_addf(&w->out, " %llu\n", (ull)(l->row.ns / 1000));
	}
}

static void print_rows(struct wakers *w)
{
	struct sched_wakers_totals t = sched_wakers_totals(w->w);

	VEC_FOR(&w->lines, l) {
		row_begin(&w->rows, "wakeups");
		row_string(&w->rows, "comm", l->sleeper);
		row_string(&w->rows, "by_comm", l->row.waker == SCHED_INTERRUPT ? NULL : l->waker);
		row_u64(&w->rows, "count", l->row.nr);
		row_u64(&w->rows, "slept_ns", l->row.ns);
		row_u64(&w->rows, "longest_ns", l->row.longest);
		if (w->chains)
			row_string(&w->rows, "stack", stack_of(w, l));
		row_end(&w->rows);
	}
	row_begin(&w->rows, "total");
	row_u64(&w->rows, "sleeps", t.sleeps);
	row_u64(&w->rows, "unknown", t.unknown);
	sched_row_losses(&w->rows, w->o->rec.session);
	row_end(&w->rows);
}

/* ------------------------------------------------------------------ the command */

static int run(struct wakers *w, struct sched_wakers_opts *wo, struct err *e)
{
	struct sched_opts *o = w->o;

	if (sched_open(o, NULL, e))
		return -1;
	wo->chains = o->call_graph &&
		     perfdata_has_sample_type(session_file(o->rec.session), PERF_SAMPLE_CALLCHAIN);
	if (wo->chains)
		w->chains = chain_lines_new(
			&(struct chain_lines_opts){ .session = o->rec.session,
						    .between = o->folded ? ";" : " <- ",
						    .most = o->folded ? 0 : (size_t)o->max_stack,
						    .folded = o->folded });
	if (sched_wakers_new(&w->w, o->rec.session, wo, e) || sched_wakers_run(w->w, e))
		return -1;
	make_lines(w);
	if (sched_rows_wanted(o))
		print_rows(w);
	else if (o->folded)
		print_folded(w);
	else
		print_table(w);
	return 0;
}

int sched_wakers_main(struct sched_opts *o)
{
	struct wakers w = { .o = o, .out = STRBUF_INIT, .text = STRBUF_INIT };
	struct sched_wakers_opts wo = { 0 };
	struct err e = ERR_INIT;
	int r;

	if (o->folded && sched_rows_wanted(o))
		return opts_usage_error(sched_wakers_table, sched_wakers_usage, "folded",
					"Error: --folded is a form of its own\n");
	if (sched_rows_wanted(o) && sched_rows_init(&w.rows, &w.out, o, "perf sched wakers",
						    sched_wakers_table, sched_wakers_usage))
		return EXIT_USAGE;
	if (recording_parse_window(o->time, &wo.from, &wo.until, &e))
		return sched_fail(&e);
	r = run(&w, &wo, &e);
	fwrite(w.out.buf, 1, w.out.len, stdout);
	if (!r)
		losses_tell_events(o->rec.session, "sleeps are");
	chain_lines_free(w.chains);
	sched_wakers_free(w.w);
	row_writer_release(&w.rows);
	vec_free(&w.lines);
	arena_release(&w.names);
	strbuf_release(&w.text);
	strbuf_release(&w.out);
	return r ? sched_fail(&e) : 0;
}
