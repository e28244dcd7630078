/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of a row of perf lock, and the names of code and locks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cmd/lock/lock.h"
#include "dso/dso.h"
#include "model/model.h"

static u64 contended(const struct lock_row *r)
{
	return r->contended;
}

static u64 acquired(const struct lock_row *r)
{
	return r->acquired + r->at_once;
}

static u64 wait_total(const struct lock_row *r)
{
	return r->total;
}

static u64 wait_max(const struct lock_row *r)
{
	return r->max;
}

static u64 wait_min(const struct lock_row *r)
{
	return r->acquired ? r->min : 0;
}

static u64 avg_wait(const struct lock_row *r)
{
	return r->acquired ? r->total / r->acquired : 0;
}

static const struct lock_column columns[] = {
	{ "acquired", "acquired", 10, false, acquired },
	{ "contended", "contended", 10, false, contended },
	{ "avg_wait", "avg wait", 12, true, avg_wait },
	{ "wait_total", "total wait", 12, true, wait_total },
	{ "wait_max", "max wait", 12, true, wait_max },
	{ "wait_min", "min wait", 12, true, wait_min },
};

static const struct lock_column *find_column(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (!strcmp(columns[i].key, key))
			return &columns[i];
	return NULL;
}

static void add_column(struct lock_columns *c, const struct lock_column *column)
{
	for (size_t i = 0; i < c->nr; i++)
		if (c->v[i] == column)
			return;
	c->v[c->nr++] = column;
}

int lock_parse_columns(struct lock_columns *c, const char *fields, const char *key, struct err *e)
{
	_cleanup_(mem_freep) char *copy = xstrdup(fields);
	char *save = NULL;

	c->by = find_column(key);
	if (!c->by)
		return err_set(e, EINVAL, "Unknown compare key: %s", key);
	for (char *word = strtok_r(copy, ", ", &save); word; word = strtok_r(NULL, ", ", &save)) {
		const struct lock_column *column = find_column(word);

		if (!column)
			return err_set(e, EINVAL, "Unknown output field: %s", word);
		add_column(c, column);
	}
	add_column(c, c->by);
	return 0;
}

void lock_add_titles(struct strbuf *out, const struct lock_columns *c)
{
	for (size_t i = 0; i < c->nr; i++)
		strbuf_addf(out, "%*s ", c->v[i]->width, c->v[i]->title);
}

/* "1.50 us": in the unit in which it has up to three digits before the point. */
static void add_time(struct strbuf *out, int width, u64 ns)
{
	/* in single precision, as perf rounds it */
	static const struct {
		float ns;
		const char *name;
	} units[] = {
		{ 1e3F, "us" }, { 1e6F, "ms" }, { 1e9F, "s " }, { 60e9F, "m " }, { 3600e9F, "h " }
	};
	size_t i = 0;

	if (ns < 1000) {
		strbuf_addf(out, "%*llu ns ", width - 3, (unsigned long long)ns);
		return;
	}
	while (i + 1 < ARRAY_SIZE(units) && (float)ns >= units[i + 1].ns)
		i++;
	strbuf_addf(out, "%*.2f %s ", width - 3, (double)((float)ns / units[i].ns), units[i].name);
}

void lock_add_numbers(struct strbuf *out, const struct lock_columns *c, const struct lock_row *r)
{
	for (size_t i = 0; i < c->nr; i++) {
		u64 value = c->v[i]->value(r);

		if (c->v[i]->is_time)
			add_time(out, c->v[i]->width, value);
		else
			strbuf_addf(out, "%*llu ", c->v[i]->width, (unsigned long long)value);
	}
}

void lock_put_numbers(struct row_writer *w, const struct lock_row *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		char name[24];

		snprintf(name, sizeof(name), "%s%s", columns[i].key,
			 columns[i].is_time ? "_ns" : "");
		if (columns[i].is_time && !r->acquired)
			row_null(w, name);
		else
			row_u64(w, name, columns[i].value(r));
	}
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct lock_row *x = a, *y = b;
	const struct lock_columns *c = ctx;
	u64 u = c->by->value(x), v = c->by->value(y);

	return u != v ? (u < v) - (u > v) : (x->number > y->number) - (x->number < y->number);
}

void lock_sort(const struct lock_columns *c, struct lock_row *rows, size_t nr)
{
	if (nr > 1)
		qsort_r(rows, nr, sizeof(*rows), compare_rows, (void *)c);
}

/* ------------------------------------------------------------------ names */

void lock_add_frame(struct strbuf *out, struct session *s, const struct frame *f)
{
	const struct symtab *st = f->dso ? dso_symtab(dso_table_get(session_dsos(s), f->dso))
					 : NULL;

	if (!st || f->sym == SYM_NONE) {
		strbuf_addf(out, "%#llx", (unsigned long long)f->ip);
		return;
	}
	strbuf_adds(out, symtab_name(st, f->sym));
	strbuf_addf(out, "+%#llx", (unsigned long long)(f->at - f->addr));
}

void lock_add_caller(struct strbuf *out, struct session *s, struct lock_waits *w, chain_id chain)
{
	const struct frame *f = lock_waits_caller(w, chain);

	if (f)
		lock_add_frame(out, s, f);
	else
		strbuf_adds(out, "Unknown");
}

void lock_add_name(struct strbuf *out, struct session *s, struct lock_waits *w,
		   const struct lock_row *r)
{
	const char *name = lock_waits_name(w, r);

	if (name)
		strbuf_adds(out, name);
	else
		lock_add_caller(out, s, w, r->chain);
}

bool lock_add_variable(struct strbuf *out, struct session *s, u64 lock)
{
	struct dso *kernel = dso_table_kernel(session_dsos(s));
	const struct model_map *map = model_find_map(session_model(s), 0, PERF_RECORD_MISC_KERNEL,
						     lock, UINT64_MAX);
	const struct symtab *st = kernel ? dso_symtab(kernel) : NULL;
	u64 at = map && dso_table_get(session_dsos(s), map->dso) == kernel ? model_map_ip(map, lock)
									   : lock;
	u32 sym = st ? symtab_find(st, at) : SYM_NONE;

	/* kernels need not tell all variables: what lies behind the beginning of one may be another
	 */
	if (sym == SYM_NONE || at != symtab_start(st, sym))
		return false;
	strbuf_adds(out, symtab_name(st, sym));
	return true;
}

/* ------------------------------------------------------------------ the recording */

struct lock_waits *lock_run(struct lock_opts *o, struct lock_waits_opts *wo, struct err *e)
{
	struct session_opts *so = &o->rec.opts;
	struct lock_waits *w = NULL;

	so->by_address = true;
	so->max_stack = (u32)o->max_stack;
	so->cpus = o->cpus;
	wo->stack_skip = (u32)o->stack_skip;
	if (recording_open(&o->rec, e) || recording_check_cpus(&o->rec, "-C", e) ||
	    lock_waits_new(&w, o->rec.session, wo, e))
		return NULL;
	if (lock_waits_run(w, e)) {
		lock_waits_free(w);
		return NULL;
	}
	return w;
}

void lock_put_total(struct row_writer *w, struct session *s, const struct lock_waits *waits)
{
	static const char *const names[LOCKDEP_EVENTS] = {
		[LOCKDEP_ACQUIRE] = "bad_acquire",
		[LOCKDEP_ACQUIRED] = "bad_acquired",
		[LOCKDEP_CONTENDED] = "bad_contended",
		[LOCKDEP_RELEASE] = "bad_release",
	};
	const u64 *bad = lock_waits_bad(waits);

	row_begin(w, "total");
	row_u64(w, "unmatched", lock_waits_unmatched(waits));
	for (size_t i = 0; bad && i < LOCKDEP_EVENTS; i++)
		row_u64(w, names[i], bad[i]);
	row_u64(w, "lost_events", session_stats(s)->lost_events);
	row_u64(w, "lost_chunks", session_stats(s)->lost_chunks);
	row_end(w);
}

void lock_tell(struct session *s, const struct lock_waits *w)
{
	losses_tell_events(s, "waits are");
	if (lock_waits_unmatched(w))
		log_info("%llu waits are not counted: they ended, but where they began is not "
			 "recorded",
			 (unsigned long long)lock_waits_unmatched(w));
}
