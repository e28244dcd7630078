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

/* A line of the output: all rows whose names and code read the same. */
struct waker_line {
	const char *sleeper, *waker; /* names; waker NULL = an interrupt */
	const char *stack; /* the code that woke it up; NULL = not wanted, or not recorded */
	u64 nr, ns, longest;
};

struct wakers {
	struct sched_opts *o;
	struct sched_wakers *w;
	struct chain_lines *chains, *of_interrupts; /* NULL = not wanted */
	VEC(struct waker_line) lines;
	struct arena names;
	struct strbuf out;
	struct row_writer rows;
};

/* ------------------------------------------------------------------ lines */

/* Where the kernel enters an interrupt. Its callers are of the code that was interrupted. */
static bool is_entry(const char *function)
{
	static const char *const begins[] = { "asm_sysvec_", "asm_common_interrupt", "el0t_64_irq",
					      "el1h_64_irq" };

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (!strncmp(function, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static const char *name_of(struct wakers *w, u32 task)
{
	char buf[16];

	return arena_strdup(&w->names, tasks_comm(sched_wakers_tasks(w->w), task, buf));
}

static const char *stack_of(struct wakers *w, const struct sched_waker_row *r)
{
	struct chain_lines *lines = r->waker == SCHED_INTERRUPT ? w->of_interrupts : w->chains;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (lines && r->chain)
		chain_lines_add(lines, r->chain, &text);
	return text.len ? arena_strdup(&w->names, text.buf) : NULL;
}

static int compare_texts(const char *x, const char *y)
{
	return x && y ? strcmp(x, y) : (x != NULL) - (y != NULL);
}

static int by_texts(const void *a, const void *b)
{
	const struct waker_line *x = a, *y = b;
	int c = strcmp(x->sleeper, y->sleeper);

	c = c ? c : compare_texts(x->waker, y->waker);
	return c ? c : compare_texts(x->stack, y->stack);
}

static int longest_first(const void *a, const void *b)
{
	const struct waker_line *x = a, *y = b;

	return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : by_texts(a, b);
}

static void make_lines(struct wakers *w)
{
	size_t nr, kept = 0;
	const struct sched_waker_row *rows = sched_wakers_rows(w->w, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct sched_waker_row *r = &rows[i];
		bool is_task = r->waker != SCHED_INTERRUPT;

		*VEC_PUSH(&w->lines) = (struct waker_line){ .sleeper = name_of(w, r->sleeper),
							    .waker = is_task ? name_of(w, r->waker)
									     : NULL,
							    .stack = stack_of(w, r),
							    .nr = r->nr,
							    .ns = r->ns,
							    .longest = r->longest };
	}
	VEC_SORT(&w->lines, by_texts);
	VEC_FOR(&w->lines, l) {
		struct waker_line *last = kept ? &w->lines.v[kept - 1] : NULL;

		if (!last || by_texts(last, l)) {
			w->lines.v[kept++] = *l;
			continue;
		}
		last->nr += l->nr;
		last->ns += l->ns;
		last->longest = MAX(last->longest, l->longest);
	}
	w->lines.nr = kept;
	VEC_SORT(&w->lines, longest_first);
}

static const char *shown_waker(const struct waker_line *l)
{
	return l->waker ? l->waker : "<interrupt>";
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
		add_name(&w->out, " ", l->sleeper);
		add_name(&w->out, "  ", shown_waker(l));
		strbuf_addf(&w->out, "  %9llu  %13.3f  %12.3f  %12.3f\n", (ull)l->nr,
			    (double)l->ns / 1e6, (double)l->ns / 1e6 / (double)l->nr,
			    (double)l->longest / 1e6);
		if (l->stack)
			strbuf_addf(&w->out, "     %s\n", l->stack);
	}
	strbuf_addf(&w->out, "\n %llu sleeps", (ull)t.sleeps);
	if (t.unknown)
		strbuf_addf(&w->out,
			    "; of %llu wake-ups it is not known when the sleep began, or whether "
			    "there was one",
			    (ull)t.unknown);
	strbuf_addch(&w->out, '\n');
}

/* The waker at the bottom, its functions up to the one that wakes, and whom it woke; us. */
static void print_folded(struct wakers *w)
{
	VEC_FOR(&w->lines, l) {
		if (l->ns < 1000)
			continue;
		strbuf_add_part(&w->out, shown_waker(l), ';');
		if (l->stack)
			strbuf_addf(&w->out, ";%s", l->stack);
		strbuf_addch(&w->out, ';');
		strbuf_add_part(&w->out, l->sleeper, ';');
		strbuf_addf(&w->out, " %llu\n", (ull)(l->ns / 1000));
	}
}

static void print_rows(struct wakers *w)
{
	struct sched_wakers_totals t = sched_wakers_totals(w->w);

	VEC_FOR(&w->lines, l) {
		row_begin(&w->rows, "wakeups");
		row_string(&w->rows, "comm", l->sleeper);
		row_string(&w->rows, "by_comm", l->waker);
		row_u64(&w->rows, "count", l->nr);
		row_u64(&w->rows, "slept_ns", l->ns);
		row_u64(&w->rows, "longest_ns", l->longest);
		if (w->chains)
			row_string(&w->rows, "stack", l->stack);
		row_end(&w->rows);
	}
	row_begin(&w->rows, "total");
	row_u64(&w->rows, "sleeps", t.sleeps);
	row_u64(&w->rows, "unknown", t.unknown);
	sched_row_losses(&w->rows, w->o->rec.session);
	row_end(&w->rows);
}

/* ------------------------------------------------------------------ the command */

static bool wants_task(void *ctx, const struct analyze_task *x)
{
	return session_wants_task(ctx, x->pid, x->tid);
}

static bool wants_cpu(void *ctx, u32 cpu)
{
	return session_wants_cpu(ctx, cpu);
}

static int run(struct wakers *w, struct sched_wakers_opts *wo, struct err *e)
{
	struct sched_opts *o = w->o;

	if (sched_open(o, o->cpus, e))
		return -1;
	wo->wants_task = o->rec.pids || o->rec.tids ? wants_task : NULL;
	wo->wants_cpu = o->cpus ? wants_cpu : NULL;
	wo->ctx = o->rec.session;
	wo->chains = o->call_graph &&
		     perfdata_has_sample_type(session_file(o->rec.session), PERF_SAMPLE_CALLCHAIN);
	if (wo->chains) {
		struct chain_lines_opts co = { .session = o->rec.session,
					       .between = o->folded ? ";" : " <- ",
					       .as_is = sched_rows_wanted(o),
					       .most = o->folded ? 0 : (size_t)o->max_stack,
					       .folded = o->folded };

		w->chains = chain_lines_new(&co);
		co.ends = is_entry;
		w->of_interrupts = chain_lines_new(&co);
	}
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
	struct wakers w = { .o = o, .out = STRBUF_INIT };
	struct sched_wakers_opts wo = { 0 };
	struct err e = ERR_INIT;
	int r;

	if (o->max_stack < 0)
		return opts_usage_error(
			sched_wakers_table, sched_wakers_usage, "max-stack",
			"Error: --max-stack expects a number that is not negative\n");
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
	chain_lines_free(w.of_interrupts);
	sched_wakers_free(w.w);
	row_writer_release(&w.rows);
	vec_free(&w.lines);
	arena_release(&w.names);
	strbuf_release(&w.out);
	return r ? sched_fail(&e) : 0;
}
