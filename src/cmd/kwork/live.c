/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/kwork/live.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/sched_events.h"
#include "base/clock.h"
#include "base/rw.h"
#include "bpf/kwork_times.h"
#include "capture/workload.h"
#include "cli/number_list.h"
#include "dso/running.h"
#include "sys/cpu.h"
#include "sys/end_signals.h"

enum { ROUND_MS = 100 };

struct softirq {
	char name[16];
};

struct kwork_live {
	const struct kwork_live_opts *o;
	struct kwork_times *bpf;
	struct dso_table *dsos;
	struct intern names;
	VEC(struct softirq) softirqs; /* by number */
	VEC(struct kwork_row) rows;
	VEC(struct kwork_top_part) parts;
	VEC(struct kwork_top_cpu) cpus;
	struct tasks tasks;
	u64 began, ended;
};

/* ------------------------------------------------------------------ names */

/* The kernel lists them by number: "  HI:  3  1". */
static void read_softirqs(struct kwork_live *l)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const char *line;

	if (rw_slurp("/proc/softirqs", &text, NULL) < 0)
		return;
	line = strchr(text.buf, '\n');
	for (; line && line[1]; line = strchr(line + 1, '\n')) {
		const char *name = line + 1 + strspn(line + 1, " ");

		snprintf(VEC_PUSH(&l->softirqs)->name, sizeof(struct softirq), "%.*s",
			 (int)strcspn(name, ":\n"), name);
	}
}

static void add_function(const struct kwork_live *l, u64 function, struct strbuf *out)
{
	u32 sym;
	const struct symtab *st = running_kernel_find(l->dsos, function, &sym);

	if (st)
		strbuf_adds(out, symtab_name(st, sym));
	else
		strbuf_addf(out, "%#llx", (unsigned long long)function);
}

void kwork_live_add_name(const struct kwork_live *l, const struct kwork_row *row,
			 struct strbuf *out)
{
	if (row->class == KWORK_WORKQUEUE)
		add_function(l, row->function, out);
	else if (row->class == KWORK_IRQ)
		strbuf_adds(out, intern_str(&l->names, row->name));
	else if (row->id < l->softirqs.nr)
		strbuf_adds(out, l->softirqs.v[row->id].name);
}

/* ------------------------------------------------------------------ results */

static struct kwork_sums sums_of(const struct kwork_times_sums *s)
{
	return (struct kwork_sums){ s->nr, s->total, s->max, s->max_start, s->max_end };
}

static void take_work(void *ctx, const struct kwork_times_key *key,
		      const struct kwork_times_work *work)
{
	static const enum kwork_class classes[KWORK_TIMES_KINDS] = {
		[KWORK_TIMES_IRQ] = KWORK_IRQ,
		[KWORK_TIMES_SOFTIRQ] = KWORK_SOFTIRQ,
		[KWORK_TIMES_WORK] = KWORK_WORKQUEUE,
	};
	struct kwork_live *l = ctx;

	*VEC_PUSH(&l->rows) = (struct kwork_row){
		.class = classes[key->kind],
		.cpu = key->cpu,
		.number = (u32)l->rows.nr - 1,
		.id = key->id,
		.function = work->function,
		.name = intern_add(&l->names, work->name, strnlen(work->name, sizeof(work->name))),
		.runs = sums_of(&work->runs),
		.waits = sums_of(&work->waits),
	};
}

static void take_task(void *ctx, const struct kwork_times_part *part,
		      const struct kwork_times_task *task)
{
	struct kwork_live *l = ctx;
	u32 number = tasks_find(&l->tasks, part->tid);

	if (part->cpu >= l->cpus.nr)
		return;
	if (part->tid)
		l->tasks.v.v[number].comm = intern_add(&l->tasks.names, task->comm,
						       strnlen(task->comm, sizeof(task->comm)));
	*VEC_PUSH(&l->parts) = (struct kwork_top_part){ number, part->cpu, task->runtime };
}

static int read_results(struct kwork_live *l, struct err *e)
{
	struct kwork_times_cpu c;

	if (!l->o->by_task)
		return kwork_times_read(l->bpf, take_work, l, e);
	for (u32 cpu = 0; kwork_times_read_cpu(l->bpf, cpu, &c); cpu++)
		*VEC_PUSH(&l->cpus) = (struct kwork_top_cpu){ c.total, c.irq, c.softirq,
							      c.unknown };
	return kwork_times_read_tasks(l->bpf, take_task, l, e);
}

struct kwork_row *kwork_live_rows(struct kwork_live *l, size_t *nr)
{
	*nr = l->rows.nr;
	return l->rows.v;
}

struct kwork_totals kwork_live_totals(const struct kwork_live *l)
{
	struct kwork_times_shared s = kwork_times_counts(l->bpf);

	return (struct kwork_totals){ l->began, l->ended, s.raises, s.entries, s.exits };
}

u64 kwork_live_events(const struct kwork_live *l, u64 *lost)
{
	struct kwork_times_shared s = kwork_times_counts(l->bpf);

	*lost = s.lost;
	return s.events;
}

const struct kwork_top_part *kwork_live_parts(const struct kwork_live *l, size_t *nr)
{
	*nr = l->parts.nr;
	return l->parts.v;
}

const struct kwork_top_cpu *kwork_live_cpus(const struct kwork_live *l, size_t *nr)
{
	*nr = l->cpus.nr;
	return l->cpus.v;
}

const struct tasks *kwork_live_tasks(const struct kwork_live *l)
{
	return &l->tasks;
}

/* ------------------------------------------------------------------ the run */
static u32 possible_cpus(void)
{
	u32 *list = NULL, nr = 1;
	size_t n = 0;

	if (!sys_cpu_list(NULL, "cpu/possible", &list, &n, NULL) && n)
		nr = MIN(list[n - 1] + 1, (u32)SCHED_MAX_CPUS);
	free(list);
	return nr;
}

static int load(struct kwork_live *l, struct err *e)
{
	_cleanup_(mem_freep) u32 *owned = NULL;
	struct number_list cpus = { .nr = 0 };
	struct kwork_times_opts o = { .waits = l->o->waits,
				      .by_task = l->o->by_task,
				      .possible_cpus = possible_cpus() };

	if (number_list_parse(&cpus, l->o->cpus, "CPUs", e))
		return -1;
	owned = cpus.v;
	o.kinds[KWORK_TIMES_IRQ] = l->o->classes[KWORK_IRQ];
	o.kinds[KWORK_TIMES_SOFTIRQ] = l->o->classes[KWORK_SOFTIRQ];
	o.kinds[KWORK_TIMES_WORK] = l->o->classes[KWORK_WORKQUEUE];
	o.cpus = cpus.v;
	o.nr_cpus = cpus.nr;
	l->bpf = kwork_times_new(&o, e);
	return l->bpf ? 0 : -1;
}

static int watch(struct kwork_live *l, struct workload *w, const struct held_signals *held,
		 struct err *e)
{
	l->began = clock_now();
	kwork_times_enable(l->bpf, true);
	if (w->pid && workload_start(w, e))
		return err_set(e, e->code, "cannot run '%s': %s", l->o->command[0],
			       strerror(e->code));
	if (!w->pid)
		fputs("Starting trace, Hit <Ctrl+C> to stop and report\n", stderr);
	while (!held_signals_take(held) && !(w->pid && workload_reap(w, false)))
		poll(NULL, 0, ROUND_MS);
	kwork_times_enable(l->bpf, false);
	l->ended = clock_now();
	return 0;
}

int kwork_live_run(struct kwork_live **out, const struct kwork_live_opts *o, struct err *e)
{
	struct kwork_live *l = XNEW(struct kwork_live);
	struct held_signals held = { .on = false };
	struct workload w = { 0 };
	int r;

	*out = l;
	l->o = o;
	l->dsos = dso_table_new(o->dso);
	running_kernel_add(l->dsos);
	read_softirqs(l);
	if (load(l, e) || (o->command && workload_fork(&w, o->command, false, e)))
		return -1;
	held_signals_begin(&held, 0);
	r = watch(l, &w, &held, e);
	workload_stop(&w);
	held_signals_take(&held);
	held_signals_end(&held);
	return r ? r : read_results(l, e);
}

void kwork_live_free(struct kwork_live *l)
{
	if (!l)
		return;
	kwork_times_free(l->bpf);
	dso_table_free(l->dsos);
	intern_release(&l->names);
	vec_free(&l->softirqs);
	vec_free(&l->rows);
	vec_free(&l->parts);
	vec_free(&l->cpus);
	tasks_release(&l->tasks);
	free(l);
}
