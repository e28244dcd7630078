/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which tasks a chart shows, and the order of the CPUs. */
#include <stdlib.h>
#include <string.h>

#include "analyze/sched_events.h"
#include "cli/number_list.h"
#include "cmd/timechart/timechart.h"
#include "perfdata/info.h"
#include "perfdata/perfdata.h"

/* ------------------------------------------------------------------ tasks */

/* What a task must have run, or read and written, to be shown: a tenth of it, and again, until
 * there are enough of them. */
enum { MUCH_TIME = 10000000, MUCH_IO = 1 << 20, NEXT = 10 };

/* -p */
static bool is_asked_for(const struct timechart_opts *o, const struct timechart_row *r)
{
	VEC_FOR(&o->processes, word) {
		char *end;
		unsigned long n = strtoul(*word, &end, 10);

		if (!strcmp(*word, r->name) || (**word && !*end && (n == r->number || n == r->pid)))
			return true;
	}
	return false;
}

static void show_from(struct timechart *c, u64 at_least)
{
	c->shown.nr = 0;
	for (u32 i = 0; i < c->tasks.nr; i++)
		if (c->tasks.v[i].total >= at_least && c->tasks.v[i].from <= c->tasks.v[i].until)
			*VEC_PUSH(&c->shown) = i;
}

static int compare_tasks(const void *a, const void *b, void *ctx)
{
	const struct timechart *c = ctx;
	u32 i = *(const u32 *)a, k = *(const u32 *)b;
	const struct timechart_row *x = &c->tasks.v[i], *y = &c->tasks.v[k];
	u32 p = x->pid == (u32)-1 ? x->number : x->pid, q = y->pid == (u32)-1 ? y->number : y->pid;

	if (p != q)
		return p < q ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return i < k ? -1 : i > k;
}

static void choose_tasks(struct timechart *c, const struct timechart_opts *o)
{
	u64 much = c->io ? MUCH_IO : MUCH_TIME;

	if (o->power_only)
		return;
	if (o->processes.nr) {
		for (u32 i = 0; i < c->tasks.nr; i++)
			if (is_asked_for(o, &c->tasks.v[i]) &&
			    c->tasks.v[i].from <= c->tasks.v[i].until)
				*VEC_PUSH(&c->shown) = i;
	} else {
		for (show_from(c, much); much > 0 && c->shown.nr < (size_t)MAX(o->at_least, 0);
		     show_from(c, much))
			much /= NEXT;
	}
	if (c->shown.nr > 1)
		qsort_r(c->shown.v, c->shown.nr, sizeof(*c->shown.v), compare_tasks, c);
}

/* ------------------------------------------------------------------ CPUs */

/* The place of a CPU in such a list ("0,2" "1,3"); those in none come last. */
static void note_places(u32 *place, u32 nr, const struct info_string_list *siblings)
{
	for (u32 i = 0; i < siblings->nr; i++) {
		struct number_list list = { 0 };
		struct err e = ERR_INIT;

		if (number_list_parse(&list, siblings->v[i], "CPUs", &e))
			continue;
		for (u32 cpu = 0; cpu < nr; cpu++)
			if (place[cpu] == UINT32_MAX && number_list_has(&list, cpu))
				place[cpu] = i;
		vec_free(&list);
	}
}

struct cpu_place {
	u32 core, thread, cpu;
};

static int compare_cpus(const void *a, const void *b)
{
	const struct cpu_place *x = a, *y = b;

	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* -t: by socket, then by core. */
static void order_cpus(struct timechart *c, const struct perfdata_info *info)
{
	u32 nr = (u32)c->cpus.nr;
	_cleanup_(mem_freep) u32 *sockets = xmalloc((nr + 1) * sizeof(u32));
	_cleanup_(mem_freep) u32 *cores = xmalloc((nr + 1) * sizeof(u32));
	_cleanup_(mem_freep) struct cpu_place *v = xcalloc(nr + 1, sizeof(*v));

	memset(sockets, 0xff, nr * sizeof(u32));
	memset(cores, 0xff, nr * sizeof(u32));
	note_places(sockets, nr, &info->core_siblings);
	note_places(cores, nr, &info->thread_siblings);
	for (u32 i = 0; i < nr; i++)
		v[i] = (struct cpu_place){ sockets[i], cores[i], i };
	qsort(v, nr, sizeof(*v), compare_cpus);
	for (u32 i = 0; i < nr; i++)
		*VEC_PUSH(&c->cpu_order) = v[i].cpu;
}

void timechart_choose(struct timechart *c, const struct timechart_opts *o)
{
	const struct perfdata_info *info = perfdata_info(session_file(o->rec.session));

	choose_tasks(c, o);
	c->cpu_model = info->cpudesc;
	c->recording = perfdata_path(session_file(o->rec.session));
	if (c->io)
		return;
	timechart_need_cpus(c, MIN(info->cpus_online, (u32)SCHED_MAX_CPUS));
	if (o->topology) {
		order_cpus(c, info);
		return;
	}
	for (u32 i = 0; i < c->cpus.nr; i++)
		*VEC_PUSH(&c->cpu_order) = i;
}
