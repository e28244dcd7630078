/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kwork top: what the CPUs' time went to, by task. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/kwork_top.h"
#include "base/log.h"
#include "base/vec.h"
#include "cli/print_err.h"
#include "cmd/kwork/kwork.h"
#include "cmd/row_form.h"

enum { BAR = 30 };

/* A task; of idle, one for each CPU. */
struct top_row {
	u32 task, tid, cpu;
	u64 runtime;
	double rate; /* of a CPU's time */
};

enum { KEY_RATE, KEY_RUNTIME, KEY_TID, KEYS };
static const char *const key_names[KEYS] = { "rate", "runtime", "tid" };

struct top_view {
	const struct kwork_cmd *c;
	struct kwork_top *t; /* of a recording */
	struct kwork_source source;
	const struct tasks *tasks;
	const struct kwork_top_part *parts;
	size_t nr_parts;
	const struct kwork_top_cpu *cpus;
	size_t nr_cpus;
	VEC(struct top_row) rows;
	VEC(u64) busy, idle; /* by CPU: of the tasks that are shown; ns */
};

static void add_name(struct strbuf *out, const struct top_view *v, const struct top_row *r)
{
	char buf[16];

	if (r->tid)
		strbuf_adds(out, tasks_comm(v->tasks, r->task, buf));
	else
		strbuf_addf(out, "swapper/%u", r->cpu);
}

static bool is_shown(const struct top_view *v, const struct top_row *r)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	/* (-b makes no choice) */
	if (v->source.session &&
	    !session_wants_task(v->source.session, v->tasks->v.v[r->task].pid, r->tid))
		return false;
	if (!v->c->name)
		return true;
	add_name(&name, v, r);
	return !strcmp(name.buf, v->c->name);
}

/* ------------------------------------------------------------------ rows */

static int compare_parts(const void *a, const void *b)
{
	const struct kwork_top_part *x = a, *y = b;

	return x->task != y->task ? (x->task > y->task) - (x->task < y->task)
				  : (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void add_part(struct top_view *v, const struct kwork_top_part *p)
{
	struct top_row row = { .task = p->task, .tid = v->tasks->v.v[p->task].tid, .cpu = p->cpu };
	u64 total = v->cpus[p->cpu].total;

	if (row.tid ? !is_shown(v, &row) : total == 0)
		return;
	if (row.tid)
		v->busy.v[p->cpu] += p->runtime;
	else
		v->idle.v[p->cpu] += p->runtime;
	if (!row.tid && !is_shown(v, &row))
		return;
	if (!v->rows.nr || !row.tid || VEC_LAST(&v->rows)->task != p->task)
		*VEC_PUSH(&v->rows) = row;
	VEC_LAST(&v->rows)->runtime += p->runtime;
	VEC_LAST(&v->rows)->rate += total ? (double)p->runtime / (double)total : 0;
}

static void collect(struct top_view *v)
{
	VEC(struct kwork_top_part) parts = { .v = NULL };

	for (size_t i = 0; i < v->nr_cpus; i++) {
		*VEC_PUSH(&v->busy) = 0;
		*VEC_PUSH(&v->idle) = 0;
	}
	for (size_t i = 0; i < v->nr_parts; i++)
		*VEC_PUSH(&parts) = v->parts[i];
	VEC_SORT(&parts, compare_parts);
	VEC_FOR(&parts, p)
		add_part(v, p);
	vec_free(&parts);
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct top_row *x = a, *y = b;
	const struct kwork_keys *keys = ctx;

	for (size_t i = 0; i < keys->nr; i++) {
		if (keys->v[i] == KEY_RATE && x->rate != y->rate)
			return x->rate < y->rate ? 1 : -1;
		if (keys->v[i] == KEY_RUNTIME && x->runtime != y->runtime)
			return x->runtime < y->runtime ? 1 : -1;
		if (keys->v[i] == KEY_TID && x->tid != y->tid)
			return x->tid > y->tid ? 1 : -1;
	}
	return x->task != y->task ? (x->task > y->task) - (x->task < y->task)
				  : (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* ------------------------------------------------------------------ text */

static double percent(u64 part, u64 total)
{
	return total ? 100.0 * (double)part / (double)total : 0;
}

/* Of a hundred, to the hundredth below it. */
static double cut(double rate)
{
	return (double)(u64)(rate * 10000 + 1e-6) / 100;
}

static void add_head(struct strbuf *out, const struct top_view *v)
{
	u64 total = 0, idle = 0, irq = 0, softirq = 0;
	unsigned int nr = 0;

	for (size_t i = 0; i < v->nr_cpus; i++) {
		nr += v->cpus[i].total != 0;
		total += v->cpus[i].total;
		idle += v->idle.v[i];
		irq += v->cpus[i].irq;
		softirq += v->cpus[i].softirq;
	}
	strbuf_addf(out, "\nTotal  : %10.3f ms, %u cpus\n", (double)total / 1e6, nr);
	strbuf_addf(out, "%%Cpu(s): %6.2f%% id, %6.2f%% hi, %6.2f%% si\n", percent(idle, total),
		    percent(irq, total), percent(softirq, total));
	for (size_t i = 0; i < v->nr_cpus; i++) {
		u64 all = v->cpus[i].total, busy = v->busy.v[i];
		size_t bar = all ? (size_t)(BAR * (double)busy / (double)all) : 0;

		if (!all)
			continue;
		strbuf_addf(out, "%%Cpu%-4zu[", i);
		strbuf_pad(out, '|', bar);
		strbuf_pad(out, ' ', BAR - bar);
		strbuf_addf(out, " %6.2f%%]\n", percent(busy, all));
	}
	strbuf_addf(out, "\n  %7s  %6s  %16s  %-16s\n  ", "PID", "%CPU", "RUNTIME", "COMMAND");
	strbuf_pad(out, '-', 52);
	strbuf_addch(out, '\n');
}

static void add_text(struct strbuf *out, const struct top_view *v)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	add_head(out, v);
	VEC_FOR(&v->rows, r) {
		strbuf_reset(&name);
		add_name(&name, v, r);
		strbuf_escape(&name, 0);
		strbuf_addf(out, "%9u %7.2f  %13.3f ms  %-16s\n", r->tid, cut(r->rate),
			    (double)r->runtime / 1e6, name.buf);
	}
	for (size_t i = 0; i < v->nr_cpus; i++)
		if (v->cpus[i].unknown)
			strbuf_addf(out,
				    "  INFO: of CPU %zu %.2f%% is not known, since switches were "
				    "not recorded\n",
				    i, percent(v->cpus[i].unknown, v->cpus[i].total));
	kwork_add_losses(out, &v->source);
	strbuf_addch(out, '\n');
}

/* --json and -x */
static void add_values(struct strbuf *out, const struct top_view *v)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	_cleanup_(row_writer_release) struct row_writer w;

	row_document_init(&w, out, v->c->separator, "perf kwork top");
	row_array(&w, "cpus");
	for (size_t i = 0; i < v->nr_cpus; i++) {
		if (!v->cpus[i].total)
			continue;
		row_begin(&w, "cpu");
		row_u64(&w, "cpu", i);
		row_u64(&w, "total_ns", v->cpus[i].total);
		row_u64(&w, "idle_ns", v->idle.v[i]);
		row_u64(&w, "irq_ns", v->cpus[i].irq);
		row_u64(&w, "softirq_ns", v->cpus[i].softirq);
		row_u64(&w, "tasks_ns", v->busy.v[i]);
		row_u64(&w, "unknown_ns", v->cpus[i].unknown);
		row_end(&w);
	}
	row_array(&w, "rows");
	VEC_FOR(&v->rows, r) {
		strbuf_reset(&name);
		add_name(&name, v, r);
		row_begin(&w, "task");
		row_u64(&w, "tid", r->tid);
		row_string(&w, "name", name.buf);
		row_u64(&w, "total_ns", r->runtime);
		if (w.document)
			json_double(&w.json, "percent", 100 * r->rate);
		else
			row_fixed(&w, "percent", 100 * r->rate, 2);
		row_end(&w);
	}
	kwork_put_total(&w, &v->source);
}

static void print(struct top_view *v, struct kwork_keys *keys)
{
	struct strbuf out = STRBUF_INIT;

	collect(v);
	if (v->rows.nr > 1)
		qsort_r(v->rows.v, v->rows.nr, sizeof(*v->rows.v), compare_rows, keys);
	if (v->c->json || v->c->separator)
		add_values(&out, v);
	else
		add_text(&out, v);
	fwrite(out.buf, 1, out.len, stdout);
	strbuf_release(&out);
	vec_free(&v->rows);
	vec_free(&v->busy);
	vec_free(&v->idle);
}

static int read_recording(struct top_view *v, struct kwork_cmd *c, struct err *e)
{
	struct kwork_top_opts o = { .from = 0 };
	bool classes[KWORK_CLASSES];
	const char *word;

	kwork_parse_classes(c->list, classes, &word);
	o.irqs = classes[KWORK_IRQ];
	o.softirqs = classes[KWORK_SOFTIRQ];
	if (kwork_open_recording(c, &o.from, &o.until, e) ||
	    kwork_top_new(&v->t, c->rec.session, &o, e) || kwork_top_run(v->t, e))
		return -1;
	v->source.session = c->rec.session;
	v->source.totals = kwork_top_totals(v->t);
	v->tasks = kwork_top_tasks(v->t);
	v->parts = kwork_top_parts(v->t, &v->nr_parts);
	v->cpus = kwork_top_cpus(v->t, &v->nr_cpus);
	return 0;
}

static int read_machine(struct top_view *v, const struct kwork_cmd *c, struct err *e)
{
	struct kwork_source *s = &v->source;

	if (kwork_watch(s, c, false, true, e))
		return -1;
	v->tasks = kwork_live_tasks(s->live);
	v->parts = kwork_live_parts(s->live, &v->nr_parts);
	v->cpus = kwork_live_cpus(s->live, &v->nr_cpus);
	return 0;
}

int kwork_top_main(struct kwork_cmd *c)
{
	struct kwork_keys keys = { .nr = 0 };
	struct top_view v = { .c = c };
	struct err e = ERR_INIT;
	int r;

	if (row_form_check(c->json, c->separator, kwork_top_table, kwork_top_usage))
		return EXIT_USAGE;
	if (kwork_parse_sort(&keys, c->sort ? c->sort : "rate,runtime", key_names, KEYS, &e))
		return opts_usage_error(kwork_top_table, kwork_top_usage, NULL, "%s", e.text);
	r = c->use_bpf ? read_machine(&v, c, &e) : read_recording(&v, c, &e);
	if (r) {
		err_print(&e);
	} else {
		print(&v, &keys);
		if (v.t && !kwork_top_has_switches(v.t))
			log_warn("'%s' has no samples of sched:sched_switch, so there is nothing "
				 "to tell (hint: perf kwork -k irq,softirq,sched record COMMAND "
				 "records what is needed)",
				 perfdata_name(session_file(c->rec.session)));
		kwork_tell_losses(&v.source);
	}
	kwork_top_free(v.t);
	kwork_live_free(v.source.live);
	return r ? KWORK_FAILED : 0;
}
