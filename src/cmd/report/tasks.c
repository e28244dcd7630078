/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasks: --stats, --tasks and --mmaps: what is in the file besides samples.
 */
#include <stdio.h>
#include <stdlib.h>

#include "abi/perf_event.h"
#include "base/bits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cmd/report/report.h"
#include "perfdata/info.h"
#include "perfdata/record.h"
#include "text/stats.h"

/* ---- --stats ---- */

VEC_TYPE(counts_vec, u64);

struct stats_run {
	struct counts_vec *samples; /* by worker: by event */
	struct counts_vec lost; /* samples that LOST_SAMPLES records tell of, by event */
};

static void count(struct counts_vec *counts, u32 event, u64 nr)
{
	while (counts->nr <= event)
		*VEC_PUSH(counts) = 0;
	counts->v[event] += nr;
}

static bool count_sample(void *ctx, struct session_worker *w UNUSED, unsigned int worker,
			 const struct session_record *r)
{
	struct stats_run *run = ctx;

	count(&run->samples[worker], r->event->index, 1);
	return true;
}

static bool count_other(void *ctx, const struct session_record *r)
{
	struct stats_run *run = ctx;
	union record_view v;

	if (r->h->type == PERF_RECORD_LOST_SAMPLES && r->event && record_view(r->h, 0, &v))
		count(&run->lost, r->event->index, v.lost_samples);
	return true;
}

static void print_stats(struct session *s, const u64 *samples, const u64 *lost, bool skip_empty)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	stats_add(&text, s, samples, lost, skip_empty);
	fwrite(text.buf, 1, text.len, stdout);
}

int report_stats(struct session *s, bool skip_empty, struct err *e)
{
	unsigned int workers = session_workers(s);
	struct stats_run run = { .samples = XNEW_ARRAY(struct counts_vec, workers) };
	struct session_consumer c = { .order = SESSION_UNORDERED,
				      .ctx = &run,
				      .sample = count_sample,
				      .other = count_other,
				      .all_records = true };
	int ret = session_run(s, &c, e);
	size_t nr = perfdata_nr_events(session_file(s));
	u64 *sum = XNEW_ARRAY(u64, nr + 1);

	for (unsigned int w = 0; w < workers; w++) {
		for (size_t i = 0; i < run.samples[w].nr && i < nr; i++)
			sum[i] += run.samples[w].v[i];
		vec_free(&run.samples[w]);
	}
	while (run.lost.nr < nr)
		*VEC_PUSH(&run.lost) = 0;
	if (!ret)
		print_stats(s, sum, run.lost.v, skip_empty);
	vec_free(&run.lost);
	free(sum);
	free(run.samples);
	return ret;
}

/* ---- --tasks, --mmaps ---- */

enum { TASK_BUCKETS = 256, MAP_INDENT = 32 };

struct task {
	u32 thread;
	u32 tid;
	u32 child, last_child, next; /* places in the list + 1, 0 = none */
	bool linked;
};

struct task_list {
	struct session *s;
	struct task *v; /* sorted as perf's thread table is walked: by tid % 256, then tid */
	size_t nr;
	u32 first, last;
	bool mmaps;
};

static int compare_tasks(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->tid % TASK_BUCKETS != y->tid % TASK_BUCKETS)
		return x->tid % TASK_BUCKETS < y->tid % TASK_BUCKETS ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* A number that was used again stands once, as it was last. */
static void keep_last_lives(struct task_list *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->nr; i++)
		if (i + 1 == l->nr || l->v[i].tid != l->v[i + 1].tid)
			l->v[kept++] = l->v[i];
	l->nr = kept;
}

/* Place + 1 of a thread, 0 = none. */
static u32 find_task(const struct task_list *l, u32 tid)
{
	struct task key = { .tid = tid, .thread = UINT32_MAX };
	size_t lo = 0, hi = l->nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (compare_tasks(&l->v[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && l->v[lo - 1].tid == tid ? (u32)lo : 0;
}

/* Parents come into their lists before their children do, whoever is met first. */
static void link_task(struct task_list *l, u32 place, u32 depth)
{
	struct task *t = &l->v[place - 1];
	u32 ptid = model_thread_ptid(session_model(l->s), t->thread);
	u32 parent = ptid == (u32)-1 ? 0 : find_task(l, ptid);
	u32 *last = &l->last;
	u32 *first = &l->first;

	if (t->linked)
		return;
	t->linked = true;
	if (parent && parent != place && depth < 1000) {
		link_task(l, parent, depth + 1);
		first = &l->v[parent - 1].child;
		last = &l->v[parent - 1].last_child;
	}
	if (*last)
		l->v[*last - 1].next = place;
	else
		*first = place;
	*last = place;
}

static void print_maps(struct session *s, u32 thread, u32 depth)
{
	const struct model_map **maps = NULL;
	size_t nr = model_maps_at(session_model(s), thread, UINT64_MAX - 1, &maps);

	for (size_t i = 0; i < nr; i++) {
		const struct model_map *m = maps[i];
		const struct dso *d = dso_table_get(session_dsos(s), m->dso);
		_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

		strbuf_add_escaped(&name, dso_kind(d) == DSO_VDSO ? "[vdso]" : dso_long_name(d));
		printf("%*s%llx-%llx %c%c%c%c %08llx %llu %s\n", (int)(MAP_INDENT + depth), "",
		       (unsigned long long)m->start, (unsigned long long)m->end,
		       m->prot & 1 ? 'r' : '-', m->prot & 2 ? 'w' : '-', m->prot & 4 ? 'x' : '-',
		       m->flags & 1 ? 's' : 'p',
		       (unsigned long long)(dso_kind(d) == DSO_VDSO ? 0 : m->pgoff),
		       (unsigned long long)m->ino, name.buf);
	}
	free((void *)maps);
}

static void print_tasks(const struct task_list *l, u32 first, u32 depth)
{
	const struct model *m = session_model(l->s);

	for (u32 i = first; i; i = l->v[i - 1].next) {
		const struct task *t = &l->v[i - 1];
		_cleanup_(strbuf_releasep) struct strbuf comm = STRBUF_INIT;

		strbuf_add_escaped(&comm, model_str(m, model_thread_comm(m, t->thread)));
		printf("  %8d %8d %8d |%*s%s\n", (int)model_thread_pid(m, t->thread), (int)t->tid,
		       (int)model_thread_ptid(m, t->thread), (int)depth, "", comm.buf);
		if (l->mmaps)
			print_maps(l->s, t->thread, depth);
		if (depth < 1000)
			print_tasks(l, t->child, depth + 1);
	}
}

int report_tasks(struct session *s, bool mmaps, struct err *e)
{
	const struct model *m = session_model(s);
	struct session_consumer c = { .order = SESSION_UNORDERED };
	struct task_list l = { .s = s, .mmaps = mmaps };
	u32 nr;

	if (session_run(s, &c, e) < 0)
		return -1;
	nr = model_nr_threads(m);
	l.v = XNEW_ARRAY(struct task, nr + 1);
	for (u32 i = 1; i <= nr; i++)
		if (model_thread_tid(m, i) !=
		    (u32)-1) /* what was gone already when it was told of */
			l.v[l.nr++] = (struct task){ .thread = i, .tid = model_thread_tid(m, i) };
	qsort(l.v, l.nr, sizeof(*l.v), compare_tasks);
	keep_last_lives(&l);
	for (u32 i = 1; i <= l.nr; i++)
		link_task(&l, i, 0);
	printf("# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	print_tasks(&l, l.first, 0);
	free(l.v);
	return 0;
}
