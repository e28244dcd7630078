/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/kwork_top.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/sched_events.h"
#include "base/hash.h"
#include "perfdata/info.h"

enum kwork_top_handler { HANDLER_IRQ, HANDLER_SOFTIRQ, HANDLERS };

/* What a CPU does, since the last switch. */
struct stint {
	bool known; /* there was a switch */
	u32 tid;
	u64 since;
	u64 began[HANDLERS]; /* 0 = none runs */
	u64 spent[HANDLERS];
	u64 irq_before; /* spent in interrupts before the softirq began */
};

/* Rows of the table of events. */
enum { SWITCH, IRQ_ENTRY, IRQ_EXIT, SOFTIRQ_ENTRY, SOFTIRQ_EXIT, NR_EVENTS };

struct kwork_top {
	struct kwork_top_opts o;
	struct session *session;
	struct analyze *analyze;
	struct tasks tasks;
	VEC(struct kwork_top_part) parts;
	struct map by_part;
	VEC(struct kwork_top_cpu) cpus;
	VEC(struct stint) stints; /* by CPU */
	struct kwork_totals totals;
};

static struct kwork_top_part *find_part(struct kwork_top *t, u32 task, u32 cpu)
{
	u64 hash = hash_u64((u64)cpu << 32 | task);
	u32 i;

	for (struct map_probe p = map_first(&t->by_part, hash); map_next(&t->by_part, &p, &i);)
		if (t->parts.v[i].task == task && t->parts.v[i].cpu == cpu)
			return &t->parts.v[i];
	map_add(&t->by_part, hash, (u32)t->parts.nr);
	*VEC_PUSH(&t->parts) = (struct kwork_top_part){ .task = task, .cpu = cpu };
	return &t->parts.v[t->parts.nr - 1];
}

/* NULL: the event does not count. */
static struct stint *find_stint(struct kwork_top *t, const struct analyze_row *r)
{
	if (r->cpu >= SCHED_MAX_CPUS || r->time < t->o.from || (t->o.until && r->time > t->o.until))
		return NULL;
	while (t->stints.nr <= r->cpu) {
		*VEC_PUSH(&t->stints) = (struct stint){ .known = false };
		*VEC_PUSH(&t->cpus) = (struct kwork_top_cpu){ .total = 0 };
	}
	return &t->stints.v[r->cpu];
}

static void end_stint(struct kwork_top *t, const struct stint *st, const struct analyze_row *r)
{
	struct kwork_top_cpu *cpu = &t->cpus.v[r->cpu];
	u64 ns = r->time - st->since;
	/* handlers took no more than there was, also where times go back */
	u64 irq = MIN(st->spent[HANDLER_IRQ], ns);
	u64 softirq = MIN(st->spent[HANDLER_SOFTIRQ], ns - irq);

	cpu->total += ns;
	cpu->irq += irq;
	cpu->softirq += softirq;
	find_part(t, tasks_find(&t->tasks, st->tid), r->cpu)->runtime += ns - irq - softirq;
}

/* Another task leaves the CPU than got it at the switch before. */
static void add_unknown(struct kwork_top *t, const struct stint *st, const struct analyze_row *r)
{
	struct kwork_top_cpu *cpu = &t->cpus.v[r->cpu];
	u64 ns = r->time >= st->since ? r->time - st->since : 0;

	cpu->total += ns;
	cpu->unknown += ns;
}

static void take_switch(void *ctx, const struct analyze_row *r)
{
	struct kwork_top *t = ctx;
	struct stint *st = find_stint(t, r);

	if (!st)
		return;
	/* handlers end before the CPU goes to another task: their ends were lost */
	t->totals.entries += (st->began[HANDLER_IRQ] != 0) + (st->began[HANDLER_SOFTIRQ] != 0);
	if (st->known && r->time >= st->since && st->tid == (u32)r->values[SWITCH_PREV_PID]) {
		end_stint(t, st, r);
	} else if (st->known) {
		t->totals.entries++;
		add_unknown(t, st, r);
	}
	*st = (struct stint){ .known = true,
			      .tid = (u32)r->values[SWITCH_NEXT_PID],
			      .since = r->time };
}

/* Interrupts lie within a softirq or outside of it: the end of this one was lost. */
static void drop_irq(struct kwork_top *t, struct stint *st)
{
	t->totals.entries += st->began[HANDLER_IRQ] != 0;
	st->began[HANDLER_IRQ] = 0;
}

static void begin_handler(struct kwork_top *t, enum kwork_top_handler which,
			  const struct analyze_row *r)
{
	struct stint *st = find_stint(t, r);

	if (!st)
		return;
	t->totals.entries += st->began[which] != 0;
	st->began[which] = r->time;
	if (which == HANDLER_SOFTIRQ) {
		drop_irq(t, st);
		st->irq_before = st->spent[HANDLER_IRQ];
	}
}

static void end_handler(struct kwork_top *t, enum kwork_top_handler which,
			const struct analyze_row *r)
{
	struct stint *st = find_stint(t, r);
	u64 ns;

	if (!st)
		return;
	if (!st->began[which] || r->time < st->began[which]) {
		t->totals.exits++;
		return;
	}
	ns = r->time - st->began[which];
	/* interrupts within a softirq are not its own time */
	if (which == HANDLER_SOFTIRQ) {
		drop_irq(t, st);
		ns -= st->spent[HANDLER_IRQ] - st->irq_before;
	}
	st->began[which] = 0;
	st->spent[which] += ns;
}

#define HANDLER(name, fn, which, wanted)                                                           \
	static void name(void *ctx, const struct analyze_row *r)                                   \
	{                                                                                          \
		struct kwork_top *t = ctx;                                                         \
                                                                                                   \
		if (t->o.wanted)                                                                   \
			fn(t, which, r);                                                           \
	}
HANDLER(take_irq_entry, begin_handler, HANDLER_IRQ, irqs)
HANDLER(take_irq_exit, end_handler, HANDLER_IRQ, irqs)
HANDLER(take_softirq_entry, begin_handler, HANDLER_SOFTIRQ, softirqs)
HANDLER(take_softirq_exit, end_handler, HANDLER_SOFTIRQ, softirqs)
TASKS_HANDLERS(struct kwork_top)

static const struct analyze_event top_events[] = {
	[SWITCH] = { .names = { "sched:sched_switch" },
		     .fields = sched_switch_brief_fields,
		     .take = take_switch },
	[IRQ_ENTRY] = { .names = { "irq:irq_handler_entry" }, .take = take_irq_entry },
	[IRQ_EXIT] = { .names = { "irq:irq_handler_exit" }, .take = take_irq_exit },
	[SOFTIRQ_ENTRY] = { .names = { "irq:softirq_entry" }, .take = take_softirq_entry },
	[SOFTIRQ_EXIT] = { .names = { "irq:softirq_exit" }, .take = take_softirq_exit },
	TASKS_ROWS,
};
static const struct analyze_machine top_machine = {
	.events = top_events,
	.nr = ARRAY_SIZE(top_events),
};

int kwork_top_new(struct kwork_top **out, struct session *s, const struct kwork_top_opts *o,
		  struct err *e)
{
	struct kwork_top *t = XNEW(struct kwork_top);
	struct analyze_opts ao = { .machine = &top_machine, .ctx = t };

	t->o = *o;
	t->session = s;
	if (analyze_new(&t->analyze, s, &ao, e)) {
		kwork_top_free(t);
		return -1;
	}
	*out = t;
	return 0;
}

void kwork_top_free(struct kwork_top *t)
{
	if (!t)
		return;
	analyze_free(t->analyze);
	tasks_release(&t->tasks);
	vec_free(&t->parts);
	map_release(&t->by_part);
	vec_free(&t->cpus);
	vec_free(&t->stints);
	free(t);
}

int kwork_top_run(struct kwork_top *t, struct err *e)
{
	return analyze_run(t->analyze, e);
}

bool kwork_top_has_switches(const struct kwork_top *t)
{
	return analyze_has(t->analyze, SWITCH);
}

const struct kwork_top_part *kwork_top_parts(const struct kwork_top *t, size_t *nr)
{
	*nr = t->parts.nr;
	return t->parts.v;
}

const struct kwork_top_cpu *kwork_top_cpus(const struct kwork_top *t, size_t *nr)
{
	*nr = t->cpus.nr;
	return t->cpus.v;
}

const struct tasks *kwork_top_tasks(const struct kwork_top *t)
{
	return &t->tasks;
}

struct kwork_totals kwork_top_totals(const struct kwork_top *t)
{
	return t->totals;
}
