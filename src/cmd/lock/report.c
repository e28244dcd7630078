/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf lock report, perf lock info: locks, and tasks that waited for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "cli/print_err.h"
#include "cmd/lock/lock.h"
#include "cmd/row_form.h"

enum { NAME_WIDTH = 20, NAME_CUT = 16 };

struct lock_report {
	struct session *session;
	struct lock_waits *waits;
	struct lock_columns columns;
	bool by_task;
};

static void add_name(const struct lock_report *p, const struct lock_row *r, struct strbuf *out)
{
	char buf[16];

	if (p->by_task)
		strbuf_adds(out, tasks_comm(lock_waits_tasks(p->waits), r->task, buf));
	else
		lock_add_name(out, p->session, p->waits, r);
}

static void add_row(const struct lock_report *p, const struct lock_row *r, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	add_name(p, r, &name);
	strbuf_escape(&name, 0);
	if (name.len >= NAME_WIDTH)
		strbuf_addf(out, "%*s%.*s... ", NAME_WIDTH - NAME_CUT - 3, "", NAME_CUT, name.buf);
	else
		strbuf_addf(out, "%*s ", NAME_WIDTH, name.buf);
	lock_add_numbers(out, &p->columns, r);
	strbuf_addch(out, '\n');
}

static void add_to(struct lock_row *sum, const struct lock_row *r)
{
	sum->contended += r->contended;
	sum->acquired += r->acquired;
	sum->at_once += r->at_once;
	sum->bad |= r->bad;
	sum->total += r->total;
	sum->min = MIN(sum->min, r->min);
	sum->max = MAX(sum->max, r->max);
}

/* -c: locks that the same place wants are one row. Returns how many rows are left. */
static size_t combine(const struct lock_report *p, struct lock_row *rows, size_t nr)
{
	struct strbuf names = STRBUF_INIT;
	size_t *at = XNEW_ARRAY(size_t, nr + 1), left = 0;
	struct map by_name = { .nr = 0 };

	for (size_t n = 0; n < nr; n++) {
		struct lock_row row = rows[n];
		size_t from = names.len;
		u64 hash;
		u32 i;
		bool known = false;

		add_name(p, &row, &names);
		strbuf_addch(&names, '\0');
		hash = hash_bytes(names.buf + from, names.len - from, 0);
		for (struct map_probe m = map_first(&by_name, hash);
		     !known && map_next(&by_name, &m, &i);)
			if ((known = !strcmp(names.buf + at[i], names.buf + from)))
				add_to(&rows[i], &row);
		if (known) {
			names.len = from;
			continue;
		}
		at[left] = from;
		map_add(&by_name, hash, (u32)left);
		rows[left++] = row;
	}
	map_release(&by_name);
	strbuf_release(&names);
	free(at);
	return left;
}

/* Of lockdep's events: how many rows have a bad sequence, and of what (before -c). */
static void add_bad(const struct lock_report *p, const struct lock_row *rows, size_t nr,
		    struct strbuf *out)
{
	static const char *const names[LOCKDEP_EVENTS] = { "acquire", "acquired", "contended",
							   "release" };
	const u64 *by_event = lock_waits_bad(p->waits);
	size_t bad = 0;

	for (size_t i = 0; i < nr; i++)
		bad += rows[i].bad;
	if (!bad)
		return;
	strbuf_addf(out,
		    "\n=== output for debug===\n\nbad: %zu, total: %zu\nbad rate: %.2f %%\n"
		    "histogram of events caused bad sequence\n",
		    bad, nr, 100.0 * (double)bad / (double)nr);
	for (size_t i = 0; i < LOCKDEP_EVENTS; i++)
		strbuf_addf(out, " %10s: %llu\n", names[i], (unsigned long long)by_event[i]);
}

/* Rows of locks that somebody got, at most so many. */
static void print_rows(const struct lock_report *p, const struct lock_opts *o,
		       const struct lock_row *rows, size_t nr)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT, name = STRBUF_INIT;
	struct row_writer w = { .separator = NULL };
	bool as_rows = o->json || o->separator;
	int shown = 0;

	if (as_rows) {
		row_writer_init(&w, &out, o->separator, "perf lock report");
	} else if (!o->rec.quiet) {
		strbuf_addf(&out, "%*s ", NAME_WIDTH, "Name");
		lock_add_titles(&out, &p->columns);
		strbuf_adds(&out, "\n\n");
	}
	for (size_t i = 0; i < nr && (o->entries <= 0 || shown < o->entries); i++) {
		if (!rows[i].acquired && !rows[i].at_once)
			continue;
		shown++;
		if (!as_rows) {
			add_row(p, &rows[i], &out);
			continue;
		}
		strbuf_reset(&name);
		add_name(p, &rows[i], &name);
		row_begin(&w, p->by_task ? "task" : "lock");
		row_string(&w, "name", name.buf);
		lock_put_numbers(&w, &rows[i]);
		row_end(&w);
	}
	if (as_rows)
		lock_put_total(&w, p->session, p->waits);
	else if (!o->rec.quiet)
		add_bad(p, rows, nr, &out);
	fwrite(out.buf, 1, out.len, as_rows ? stdout : LOCK_OUTPUT);
	row_writer_release(&w);
}

int lock_report_main(struct lock_opts *o)
{
	struct lock_report p = { .by_task = o->by_task };
	struct lock_waits_opts wo = { .by = o->by_task ? LOCK_BY_TASK : LOCK_BY_LOCK,
				      .chains = !o->by_task,
				      .lockdep = true };
	struct lock_row *rows;
	struct err e = ERR_INIT;
	size_t nr;

	if (row_form_check(o->json, o->separator, lock_report_table, lock_report_usage))
		return EXIT_USAGE;
	if (lock_parse_columns(&p.columns,
			       o->fields
				       ? o->fields
				       : "acquired,contended,avg_wait,wait_total,wait_max,wait_min",
			       o->key ? o->key : "acquired", &e) ||
	    !(p.waits = lock_run(o, &wo, &e))) {
		err_print(&e);
		return LOCK_FAILED;
	}
	p.session = o->rec.session;
	rows = lock_waits_rows(p.waits, &nr);
	if (o->combine && !o->by_task)
		nr = combine(&p, rows, nr);
	lock_sort(&p.columns, rows, nr);
	print_rows(&p, o, rows, nr);
	lock_tell(p.session, p.waits);
	lock_waits_free(p.waits);
	return 0;
}

/* ------------------------------------------------------------------ info */

static int compare_tids(const void *a, const void *b)
{
	const struct analyze_task *const *x = a, *const *y = b;

	return ((*x)->tid > (*y)->tid) - ((*x)->tid < (*y)->tid);
}

/* rows NULL: as text; so for locks. */
static void add_tasks(struct strbuf *out, struct row_writer *rows, const struct lock_waits *w)
{
	const struct tasks *tasks = lock_waits_tasks(w);
	const struct analyze_task **v = XNEW_ARRAY(const struct analyze_task *, tasks->v.nr + 1);
	char buf[16];

	for (size_t i = 0; i < tasks->v.nr; i++)
		v[i] = &tasks->v.v[i];
	if (tasks->v.nr > 1)
		qsort(v, tasks->v.nr, sizeof(*v), compare_tids);
	if (!rows)
		strbuf_addf(out, "%10s: comm\n", "Thread ID");
	for (size_t i = 0; i < tasks->v.nr; i++) {
		if (rows) {
			row_begin(rows, "thread");
			row_s64(rows, "tid", (s32)v[i]->tid);
			row_string(rows, "comm", tasks_comm(tasks, (u32)(v[i] - tasks->v.v), buf));
			row_end(rows);
			continue;
		}
		strbuf_addf(out, "%10d: ", (int)v[i]->tid);
		strbuf_add_escaped(out, tasks_comm(tasks, (u32)(v[i] - tasks->v.v), buf));
		strbuf_addch(out, '\n');
	}
	free(v);
}

struct named_lock {
	char *name;
	u64 lock;
};

static int compare_locks(const void *a, const void *b)
{
	const struct named_lock *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	return r ? r : (x->lock > y->lock) - (x->lock < y->lock);
}

static void add_locks(struct strbuf *out, struct row_writer *writer, struct session *s,
		      struct lock_waits *w)
{
	size_t nr;
	const struct lock_row *rows = lock_waits_rows(w, &nr);
	struct named_lock *v = XNEW_ARRAY(struct named_lock, nr + 1);
	struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		strbuf_reset(&name);
		lock_add_name(&name, s, w, &rows[i]);
		v[i] = (struct named_lock){ xstrdup(name.buf), rows[i].lock };
	}
	if (nr > 1)
		qsort(v, nr, sizeof(*v), compare_locks);
	if (!writer)
		strbuf_adds(out, "Address of instance: name of class\n");
	for (size_t i = 0; i < nr; i++) {
		if (writer) {
			strbuf_reset(&name);
			strbuf_addf(&name, "%#llx", (unsigned long long)v[i].lock);
			row_begin(writer, "lock");
			row_string(writer, "address", name.buf);
			row_string(writer, "name", v[i].name);
			row_end(writer);
		} else {
			strbuf_addf(out, " %#llx: ", (unsigned long long)v[i].lock);
			strbuf_add_escaped(out, v[i].name);
			strbuf_addch(out, '\n');
		}
		free(v[i].name);
	}
	strbuf_release(&name);
	free(v);
}

int lock_info_main(struct lock_opts *o)
{
	struct lock_waits_opts wo = { .by = LOCK_BY_LOCK, .chains = true, .lockdep = true };
	struct strbuf out = STRBUF_INIT;
	struct row_writer writer = { .separator = NULL };
	struct row_writer *rows = o->json || o->separator ? &writer : NULL;
	struct lock_waits *w;
	struct err e = ERR_INIT;
	bool both = !o->map && !o->by_task;

	if (row_form_check(o->json, o->separator, lock_info_table, lock_info_usage))
		return EXIT_USAGE;
	w = lock_run(o, &wo, &e);
	if (!w) {
		err_print(&e);
		return LOCK_FAILED;
	}
	if (rows)
		row_writer_init(rows, &out, o->separator, "perf lock info");
	if (o->by_task || both)
		add_tasks(&out, rows, w);
	if (both && !rows)
		strbuf_addch(&out, '\n');
	if (o->map || both)
		add_locks(&out, rows, o->rec.session, w);
	if (rows)
		lock_put_total(rows, o->rec.session, w);
	fwrite(out.buf, 1, out.len, rows ? stdout : LOCK_OUTPUT);
	row_writer_release(&writer);
	strbuf_release(&out);
	lock_tell(o->rec.session, w);
	lock_waits_free(w);
	return 0;
}
