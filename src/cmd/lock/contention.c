/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf lock contention: who waited for locks, by caller, task or lock. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/print_err.h"
#include "cli/words.h"
#include "cmd/lock/lock.h"
#include "dso/dso.h"

enum { TYPE_WIDTH = 12, TYPE_INDENT = 2 };

/* Of a chain: whether a function of -S is in it. */
enum { CHAIN_NEW, CHAIN_WANTED, CHAIN_LEFT_OUT };

struct contention {
	const struct lock_opts *o;
	struct session *session; /* NULL: it is not open yet */
	struct lock_waits *waits;
	struct lock_columns columns;
	struct number_list pids, tids;
	struct words types, locks, callers; /* words of -Y, -L, -S */
	VEC(u8) chains; /* by chain_id */
	FILE *out;
};

/* ------------------------------------------------------------------ what is wanted */

/* Text of words with commas between them, which is changed. */
static void split(struct words *w, char *text)
{
	char *save = NULL;

	for (char *word = strtok_r(text, ", ", &save); word; word = strtok_r(NULL, ", ", &save))
		words_add(w, word);
}

static bool is_of_type(const struct contention *c, u32 flags)
{
	for (int i = 0; i < c->types.nr; i++)
		if (lock_type_is(flags, c->types.v[i]))
			return true;
	return !c->types.nr;
}

static bool is_lock(const struct contention *c, u64 lock)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	bool named = false;

	for (int i = 0; i < c->locks.nr; i++) {
		char *end;
		u64 number = strtoull(c->locks.v[i], &end, 16);

		if (!*end && number == lock)
			return true;
		if (!name.len && !named)
			named = lock_add_variable(&name, c->o->rec.session, lock);
		if (named && !strcmp(name.buf, c->locks.v[i]))
			return true;
	}
	return !c->locks.nr;
}

static bool chain_has(const struct contention *c, chain_id chain)
{
	struct session *s = c->o->rec.session;
	size_t nr = 0;
	const frame_id *frames = chain ? session_chain_frames(s, chain, &nr) : NULL;

	for (size_t i = 0; frames && i < nr; i++) {
		const struct frame *f = session_frame_get(s, frames[i]);
		const struct symtab *st =
			f->dso ? dso_symtab(dso_table_get(session_dsos(s), f->dso)) : NULL;

		if (!st || f->sym == SYM_NONE)
			continue;
		for (int w = 0; w < c->callers.nr; w++)
			if (strstr(symtab_name(st, f->sym), c->callers.v[w]))
				return true;
	}
	return false;
}

static bool is_of_caller(struct contention *c, chain_id chain)
{
	if (!c->callers.nr)
		return true;
	while (c->chains.nr <= chain)
		*VEC_PUSH(&c->chains) = CHAIN_NEW;
	if (c->chains.v[chain] == CHAIN_NEW)
		c->chains.v[chain] = chain_has(c, chain) ? CHAIN_WANTED : CHAIN_LEFT_OUT;
	return c->chains.v[chain] == CHAIN_WANTED;
}

static bool wants(void *ctx, const struct analyze_row *r, u64 lock, u32 flags)
{
	struct contention *c = ctx;

	return (!c->pids.nr || number_list_has(&c->pids, r->pid)) &&
	       (!c->tids.nr || number_list_has(&c->tids, r->tid)) && is_of_type(c, flags) &&
	       is_lock(c, lock) && is_of_caller(c, r->chain);
}

/* ------------------------------------------------------------------ text */

static void add_stack(const struct contention *c, struct strbuf *out, chain_id chain,
		      const char *sep)
{
	struct session *s = c->o->rec.session;
	size_t nr = 0;
	const frame_id *frames = chain ? session_chain_frames(s, chain, &nr) : NULL;

	for (size_t i = 0; frames && i < nr; i++) {
		const struct frame *f = session_frame_get(s, frames[i]);

		if (sep)
			strbuf_adds(out, i ? ":" : sep);
		else
			strbuf_addf(out, "\t\t\t%#llx  ", (unsigned long long)f->ip);
		lock_add_frame(out, s, f);
		if (!sep)
			strbuf_addch(out, '\n');
	}
}

static void add_row(const struct contention *c, const struct lock_row *r, struct strbuf *out)
{
	const struct tasks *tasks = lock_waits_tasks(c->waits);
	char buf[16];

	lock_add_numbers(out, &c->columns, r);
	if (c->o->by_task) {
		strbuf_addf(out, " %*d   ", TYPE_WIDTH - 1, (int)tasks->v.v[r->task].tid);
		strbuf_add_escaped(out, tasks_comm(tasks, r->task, buf));
	} else if (c->o->by_lock) {
		strbuf_addf(out, "  %016llx   ", (unsigned long long)r->lock);
		lock_add_variable(out, c->o->rec.session, r->lock);
		strbuf_addf(out, " (%s)", lock_type(r->flags));
	} else {
		strbuf_addf(out, "%*s%*s   ", TYPE_INDENT, "", TYPE_WIDTH - TYPE_INDENT,
			    lock_type(r->flags));
		lock_add_caller(out, c->o->rec.session, c->waits, r->chain);
	}
	strbuf_addch(out, '\n');
	if (c->o->rec.verbose > 0 && !c->o->by_task && !c->o->by_lock)
		add_stack(c, out, r->chain, NULL);
}

static void add_titles(const struct contention *c, struct strbuf *out)
{
	lock_add_titles(out, &c->columns);
	if (c->o->by_task)
		strbuf_addf(out, "%*s   comm\n\n", TYPE_WIDTH, "pid");
	else if (c->o->by_lock)
		strbuf_adds(out, "           address   symbol\n\n");
	else
		strbuf_addf(out, "%*s   caller\n\n", TYPE_WIDTH, "type");
}

/* -x */
static void add_csv_row(const struct contention *c, const struct lock_row *r, struct strbuf *out)
{
	const struct tasks *tasks = lock_waits_tasks(c->waits);
	const char *sep = c->o->separator;
	char buf[16];

	for (size_t i = 0; i < c->columns.nr; i++)
		strbuf_addf(out, "%llu%s ", (unsigned long long)c->columns.v[i]->value(r), sep);
	if (c->o->by_task) {
		strbuf_addf(out, "%d%s ", (int)tasks->v.v[r->task].tid, sep);
		strbuf_add_escaped(out, tasks_comm(tasks, r->task, buf));
	} else if (c->o->by_lock) {
		strbuf_addf(out, "%llx%s ", (unsigned long long)r->lock, sep);
		lock_add_variable(out, c->o->rec.session, r->lock);
		strbuf_addf(out, "%s %s", sep, lock_type(r->flags));
	} else {
		strbuf_addf(out, "%s%s ", lock_type(r->flags), sep);
		lock_add_caller(out, c->o->rec.session, c->waits, r->chain);
		if (c->o->rec.verbose > 0)
			add_stack(c, out, r->chain, sep);
	}
	strbuf_addch(out, '\n');
}

static void add_csv_titles(const struct contention *c, struct strbuf *out)
{
	const char *sep = c->o->separator;

	strbuf_adds(out, "# output: ");
	for (size_t i = 0; i < c->columns.nr; i++)
		strbuf_addf(out, "%s%s ", c->columns.v[i]->title, sep);
	if (c->o->by_task)
		strbuf_addf(out, "pid%s comm\n", sep);
	else if (c->o->by_lock)
		strbuf_addf(out, "address%s symbol%s type\n", sep, sep);
	else
		strbuf_addf(out, "type%s caller%s%s\n", sep, c->o->rec.verbose > 0 ? sep : "",
			    c->o->rec.verbose > 0 ? " stacktrace" : "");
}

static void print(struct contention *c)
{
	struct strbuf out = STRBUF_INIT;
	struct lock_row *rows;
	size_t nr;

	rows = lock_waits_rows(c->waits, &nr);
	lock_sort(&c->columns, rows, nr);
	if (c->o->separator)
		add_csv_titles(c, &out);
	else if (!c->o->rec.quiet)
		add_titles(c, &out);
	for (size_t i = 0; i < (c->o->entries > 0 ? MIN(nr, (size_t)c->o->entries) : nr); i++)
		if (c->o->separator)
			add_csv_row(c, &rows[i], &out);
		else
			add_row(c, &rows[i], &out);
	fwrite(out.buf, 1, out.len, c->out);
	strbuf_release(&out);
}

/* ------------------------------------------------------------------ the command */

static int check(struct contention *c, struct err *e)
{
	const struct lock_opts *o = c->o;

	for (int i = 0; i < c->types.nr; i++)
		if (!lock_type_exists(c->types.v[i]))
			return err_set(e, EINVAL, "Unknown lock type: %s", c->types.v[i]);
	if (o->separator && (!*o->separator || strpbrk(o->separator, ".:+")))
		return err_set(e, EINVAL,
			       "-x: '%s' cannot stand between columns: it is empty, or in names",
			       o->separator);
	if (o->stack_skip < 0 || o->max_stack < 1)
		return err_set(e, EINVAL, "--stack-skip and --max-stack are numbers of frames");
	return lock_parse_columns(&c->columns,
				  o->fields ? o->fields : "contended,wait_total,wait_max,avg_wait",
				  o->key ? o->key : "wait_total", e);
}

static int run(struct contention *c, struct lock_opts *o, struct err *e)
{
	struct lock_waits_opts wo = {
		.by = o->by_task   ? LOCK_BY_TASK
		      : o->by_lock ? LOCK_BY_LOCK
				   : LOCK_BY_CALLER,
		.chains = !(o->by_task || o->by_lock) || o->callers,
		.wants = wants,
		.ctx = c,
	};

	if (number_list_parse(&c->pids, o->pids, "processes", e) ||
	    number_list_parse(&c->tids, o->tids, "threads", e) || check(c, e))
		return -1;
	c->out = o->output ? fopen(o->output, "w") : LOCK_OUTPUT;
	if (!c->out)
		return err_set(e, errno, "cannot write '%s': %s", o->output, strerror(errno));
	c->waits = lock_run(o, &wo, e);
	if (!c->waits)
		return -1;
	print(c);
	lock_tell(o->rec.session, c->waits);
	return 0;
}

int lock_contention_main(struct lock_opts *o)
{
	_cleanup_(mem_freep) char *types = xstrdup(o->types ? o->types : "");
	_cleanup_(mem_freep) char *locks = xstrdup(o->locks ? o->locks : "");
	_cleanup_(mem_freep) char *callers = xstrdup(o->callers ? o->callers : "");
	struct contention c = { .o = o };
	struct err e = ERR_INIT;
	int r;

	split(&c.types, types);
	split(&c.locks, locks);
	split(&c.callers, callers);
	r = run(&c, o, &e);
	if (!r && c.out && (fflush(c.out) || ferror(c.out)))
		r = err_set(&e, errno, "cannot write the output: %s", strerror(errno));
	if (c.out && c.out != LOCK_OUTPUT)
		fclose(c.out);
	if (r)
		err_print(&e);
	lock_waits_free(c.waits);
	words_release(&c.types);
	words_release(&c.locks);
	words_release(&c.callers);
	vec_free(&c.pids);
	vec_free(&c.tids);
	vec_free(&c.chains);
	return r ? LOCK_FAILED : 0;
}
