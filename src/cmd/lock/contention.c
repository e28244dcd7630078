/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf lock contention: who waited for locks, by caller, task or lock. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print_err.h"
#include "cmd/lock/contention.h"
#include "cmd/row_form.h"
#include "dso/dso.h"

enum { TYPE_WIDTH = 12, TYPE_INDENT = 2, FORM_NAMES = 3 };

/* What rows are called: each in --json, all in the text, and their values with -x. */
static const struct {
	const char *type, *title;
	const char *names[FORM_NAMES];
} forms[] = {
	[LOCK_CONTENTION_BY_TASK] = { "task", "         pid   comm", { "pid", "comm" } },
	[LOCK_CONTENTION_BY_OWNER] = { "owner", "         pid   owner", { "pid", "owner" } },
	[LOCK_CONTENTION_BY_LOCK] = { "lock",
				      "           address   symbol",
				      { "address", "symbol", "type" } },
	[LOCK_CONTENTION_BY_CGROUP] = { "cgroup", "  cgroup", { "cgroup" } },
	[LOCK_CONTENTION_BY_STACK] = { "caller",
				       "        type   caller",
				       { "type", "caller", "stacktrace" } },
};

/* Of a chain: whether a function of -S is in it. */
enum { CHAIN_NEW, CHAIN_WANTED, CHAIN_LEFT_OUT };

struct contention {
	const struct lock_opts *o;
	struct lock_waits *waits; /* one of both */
	struct lock_live *live;
	const struct lock_names *names;
	const void *names_ctx;
	struct lock_columns columns;
	struct lock_filters filters;
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

static bool is_lock(const struct contention *c, u64 lock)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	bool named = false;

	for (int i = 0; i < c->filters.locks.nr; i++) {
		char *end;
		u64 number = strtoull(c->filters.locks.v[i], &end, 16);

		if (!*end && number == lock)
			return true;
		if (!name.len && !named)
			named = lock_add_variable(&name, c->o->rec.session, lock);
		if (named && !strcmp(name.buf, c->filters.locks.v[i]))
			return true;
	}
	return !c->filters.locks.nr;
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
		for (int w = 0; w < c->filters.callers.nr; w++)
			if (strstr(symtab_name(st, f->sym), c->filters.callers.v[w]))
				return true;
	}
	return false;
}

static bool is_of_caller(struct contention *c, chain_id chain)
{
	if (!c->filters.callers.nr)
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

	return lock_filters_type(&c->filters, flags) && is_lock(c, lock) &&
	       is_of_caller(c, r->chain);
}

/* ------------------------------------------------------------------ names in a recording */

static void add_caller(const void *ctx, const struct lock_row *r, struct strbuf *out)
{
	const struct contention *c = ctx;

	lock_add_caller(out, c->o->rec.session, c->waits, r->chain);
}

static void add_stack(const void *ctx, const struct lock_row *r, const char *sep,
		      struct strbuf *out)
{
	const struct contention *c = ctx;
	struct session *s = c->o->rec.session;
	size_t nr = 0;
	const frame_id *frames = r->chain ? session_chain_frames(s, r->chain, &nr) : NULL;

	for (size_t i = 0; frames && i < nr; i++) {
		const struct frame *f = session_frame_get(s, frames[i]);
		size_t from;

		if (sep)
			strbuf_adds(out, i ? ":" : sep);
		else
			strbuf_addf(out, "\t\t\t%#llx  ", (unsigned long long)f->ip);
		from = out->len;
		lock_add_frame(out, s, f);
		if (sep)
			continue;
		strbuf_escape(out, from);
		strbuf_addch(out, '\n');
	}
}

static bool add_variable(const void *ctx, u64 lock, struct strbuf *out)
{
	const struct contention *c = ctx;

	return lock_add_variable(out, c->o->rec.session, lock);
}

static void add_task(const void *ctx, const struct lock_row *r, struct strbuf *out)
{
	const struct contention *c = ctx;
	char buf[16];

	strbuf_adds(out, tasks_comm(lock_waits_tasks(c->waits), r->task, buf));
}

static const struct lock_names recorded_names = {
	.caller = add_caller,
	.stack = add_stack,
	.variable = add_variable,
	.task = add_task,
};

static int tid_of(const struct contention *c, const struct lock_row *r)
{
	return c->live ? (int)r->key : (int)lock_waits_tasks(c->waits)->v.v[r->task].tid;
}

/* ------------------------------------------------------------------ text */

static bool by_caller(const struct contention *c)
{
	return lock_by_of(c->o) == LOCK_CONTENTION_BY_STACK;
}

/* What one of the names' functions adds, escaped for a terminal. */
static void add_name(const struct contention *c,
		     void (*add)(const void *ctx, const struct lock_row *r, struct strbuf *out),
		     const struct lock_row *r, struct strbuf *out)
{
	size_t from = out->len;

	add(c->names_ctx, r, out);
	strbuf_escape(out, from);
}

static void add_lock(const struct contention *c, const struct lock_row *r, struct strbuf *out)
{
	size_t from = out->len;

	c->names->variable(c->names_ctx, r->lock, out);
	strbuf_escape(out, from);
}

static void add_row(const struct contention *c, const struct lock_row *r, struct strbuf *out)
{
	const struct lock_names *n = c->names;

	lock_add_numbers(out, &c->columns, r);
	switch (lock_by_of(c->o)) {
	case LOCK_CONTENTION_BY_TASK:
	case LOCK_CONTENTION_BY_OWNER:
		strbuf_addf(out, " %*d   ", TYPE_WIDTH - 1, tid_of(c, r));
		add_name(c, n->task, r, out);
		break;
	case LOCK_CONTENTION_BY_LOCK:
		strbuf_addf(out, "  %016llx   ", (unsigned long long)r->lock);
		add_lock(c, r, out);
		strbuf_addf(out, " (%s)", lock_type(r->flags));
		break;
	case LOCK_CONTENTION_BY_CGROUP:
		strbuf_addch(out, ' ');
		add_name(c, n->cgroup, r, out);
		break;
	case LOCK_CONTENTION_BY_STACK:
		strbuf_addf(out, "%*s%*s   ", TYPE_INDENT, "", TYPE_WIDTH - TYPE_INDENT,
			    lock_type(r->flags));
		add_name(c, n->caller, r, out);
		break;
	}
	strbuf_addch(out, '\n');
	if (c->o->rec.verbose > 0 && by_caller(c))
		n->stack(c->names_ctx, r, NULL, out);
}

/* -x */
static void add_csv_stack(const struct contention *c, const struct lock_row *r, struct strbuf *out)
{
	const char *sep = c->o->separator;
	size_t names = out->len + strlen(sep);

	c->names->stack(c->names_ctx, r, sep, out);
	if (names < out->len)
		strbuf_escape(out, names);
}

static void add_csv_row(const struct contention *c, const struct lock_row *r, struct strbuf *out)
{
	const struct lock_names *n = c->names;
	const char *sep = c->o->separator;

	for (size_t i = 0; i < c->columns.nr; i++)
		strbuf_addf(out, "%llu%s ", (unsigned long long)c->columns.v[i]->value(r), sep);
	switch (lock_by_of(c->o)) {
	case LOCK_CONTENTION_BY_TASK:
	case LOCK_CONTENTION_BY_OWNER:
		strbuf_addf(out, "%d%s ", tid_of(c, r), sep);
		add_name(c, n->task, r, out);
		break;
	case LOCK_CONTENTION_BY_LOCK:
		strbuf_addf(out, "%llx%s ", (unsigned long long)r->lock, sep);
		add_lock(c, r, out);
		strbuf_addf(out, "%s %s", sep, lock_type(r->flags));
		break;
	case LOCK_CONTENTION_BY_CGROUP:
		add_name(c, n->cgroup, r, out);
		break;
	case LOCK_CONTENTION_BY_STACK:
		strbuf_addf(out, "%s%s ", lock_type(r->flags), sep);
		add_name(c, n->caller, r, out);
		if (c->o->rec.verbose > 0)
			add_csv_stack(c, r, out);
		break;
	}
	strbuf_addch(out, '\n');
}

static void add_csv_titles(const struct contention *c, struct strbuf *out)
{
	const char *const *names = forms[lock_by_of(c->o)].names;
	const char *sep = c->o->separator;

	strbuf_adds(out, "# output: ");
	for (size_t i = 0; i < c->columns.nr; i++)
		strbuf_addf(out, "%s%s ", c->columns.v[i]->title, sep);
	for (size_t i = 0; i < FORM_NAMES && names[i]; i++)
		if (strcmp(names[i], "stacktrace") != 0 || c->o->rec.verbose > 0)
			strbuf_addf(out, "%s%s%s", i ? sep : "", i ? " " : "", names[i]);
	strbuf_addch(out, '\n');
}

/* --json: a text that one of the names' functions makes, or null. */
static void put_text(struct row_writer *w, const char *name, struct strbuf *text)
{
	row_string(w, name, text->len ? text->buf : NULL);
	strbuf_reset(text);
}

static void put_row(const struct contention *c, const struct lock_row *r, struct row_writer *w)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	enum lock_contention_by by = lock_by_of(c->o);

	row_begin(w, forms[by].type);
	switch (by) {
	case LOCK_CONTENTION_BY_TASK:
	case LOCK_CONTENTION_BY_OWNER:
		row_s64(w, "tid", tid_of(c, r));
		c->names->task(c->names_ctx, r, &text);
		put_text(w, "comm", &text);
		break;
	case LOCK_CONTENTION_BY_LOCK:
		strbuf_addf(&text, "%#llx", (unsigned long long)r->lock);
		put_text(w, "address", &text);
		c->names->variable(c->names_ctx, r->lock, &text);
		put_text(w, "symbol", &text);
		row_string(w, "lock_type", lock_type(r->flags));
		break;
	case LOCK_CONTENTION_BY_CGROUP:
		c->names->cgroup(c->names_ctx, r, &text);
		put_text(w, "cgroup", &text);
		break;
	case LOCK_CONTENTION_BY_STACK:
		row_string(w, "lock_type", lock_type(r->flags));
		c->names->caller(c->names_ctx, r, &text);
		put_text(w, "caller", &text);
		c->names->stack(c->names_ctx, r, "", &text);
		put_text(w, "stack", &text);
		break;
	}
	lock_put_numbers(w, r);
	row_end(w);
}

static size_t nr_shown(const struct contention *c, size_t nr)
{
	return c->o->entries > 0 ? MIN(nr, (size_t)c->o->entries) : nr;
}

static void print_json(struct contention *c, const struct lock_row *rows, size_t nr)
{
	struct strbuf out = STRBUF_INIT;
	struct row_writer w;

	row_writer_init(&w, &out, NULL, "perf lock contention");
	for (size_t i = 0; i < nr_shown(c, nr); i++)
		put_row(c, &rows[i], &w);
	if (c->live)
		lock_live_put_total(c->live, &w);
	else
		lock_put_total(&w, c->o->rec.session, c->waits);
	fwrite(out.buf, 1, out.len, c->out);
	row_writer_release(&w);
	strbuf_release(&out);
}

static void print(struct contention *c)
{
	struct strbuf out = STRBUF_INIT;
	struct lock_row *rows;
	size_t nr;

	rows = c->live ? lock_live_rows(c->live, &nr) : lock_waits_rows(c->waits, &nr);
	lock_sort(&c->columns, rows, nr);
	if (c->o->json) {
		print_json(c, rows, nr);
		return;
	}
	if (c->o->separator) {
		add_csv_titles(c, &out);
	} else if (!c->o->rec.quiet) {
		lock_add_titles(&out, &c->columns);
		strbuf_addf(&out, "%s\n\n", forms[lock_by_of(c->o)].title);
	}
	for (size_t i = 0; i < nr_shown(c, nr); i++)
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

	for (int i = 0; i < c->filters.types.nr; i++)
		if (!lock_type_exists(c->filters.types.v[i]))
			return err_set(e, EINVAL, "Unknown lock type: %s", c->filters.types.v[i]);
	if (o->separator && strpbrk(o->separator, ":+"))
		return err_set(e, EINVAL, "-x: '%s' cannot stand between columns: it is in names",
			       o->separator);
	if (o->stack_skip < 0 || o->max_stack < 1)
		return err_set(e, EINVAL, "--stack-skip and --max-stack are numbers of frames");
	if (!o->live &&
	    (o->by_owner || o->by_cgroup || o->cgroups || o->map_entries || o->delays.nr))
		return err_set(e, EINVAL,
			       "--lock-owner, --lock-cgroup, -G, -M and -J are of -b: not of a "
			       "recording");
	if (o->live && o->rec.opts.input.path)
		return err_set(e, EINVAL, "-b watches the running machine: it takes no -i");
	if (o->map_entries < 0)
		return err_set(e, EINVAL, "-M is a number of entries");
	return lock_parse_columns(&c->columns,
				  o->fields ? o->fields : "contended,wait_total,wait_max,avg_wait",
				  o->key ? o->key : "wait_total", e);
}

static int run_live(struct contention *c, const struct lock_opts *o, struct err *e)
{
	if (lock_live_run(&c->live, o, &c->filters, o->command, e))
		return -1;
	c->names = &lock_live_names;
	c->names_ctx = c->live;
	print(c);
	lock_live_tell(c->live);
	return 0;
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

	if (recording_choose_tasks(&o->rec, e) || check(c, e))
		return -1;
	c->out = o->output ? fopen(o->output, "w") : o->json ? stdout : LOCK_OUTPUT;
	if (!c->out)
		return err_set(e, errno, "cannot write '%s': %s", o->output, strerror(errno));
	if (o->live)
		return run_live(c, o, e);
	c->names = &recorded_names;
	c->names_ctx = c;
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

	if (row_form_check(o->json, o->separator, lock_contention_table, lock_contention_usage))
		return EXIT_USAGE;
	split(&c.filters.types, types);
	split(&c.filters.locks, locks);
	split(&c.filters.callers, callers);
	r = run(&c, o, &e);
	if (!r && c.out && (fflush(c.out) || ferror(c.out)))
		r = err_set(&e, errno, "cannot write the output: %s", strerror(errno));
	if (c.out && c.out != LOCK_OUTPUT && c.out != stdout)
		fclose(c.out);
	if (r)
		err_print(&e);
	lock_waits_free(c.waits);
	lock_live_free(c.live);
	words_release(&c.filters.types);
	words_release(&c.filters.locks);
	words_release(&c.filters.callers);
	vec_free(&c.chains);
	return r ? LOCK_FAILED : 0;
}
