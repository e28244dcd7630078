/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf lock contention -b: waits as they happen, summed up in the kernel. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/lock_code.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/map.h"
#include "base/rw.h"
#include "base/vec.h"
#include "bpf/lock_contention.h"
#include "capture/workload.h"
#include "cmd/lock/contention.h"
#include "dso/running.h"
#include "sys/cgroup.h"
#include "sys/end_signals.h"

enum {
	ROUND_MS = 100,
	OWN_FRAMES = 8, /* of the program, and of what calls it */
};

/* A stack that rows name. */
struct live_stack {
	u64 *ips;
	size_t nr, caller; /* caller: which one it is; nr = none */
};

struct live_comm {
	char text[LOCK_CONTENTION_COMM];
};

struct lock_live {
	const struct lock_opts *o;
	const struct lock_filters *filters;
	struct dso_table *dsos;
	const struct symtab *kernel;
	struct lock_code code;
	VEC(struct lock_row) rows; /* chain: number of a stack + 1; task: a name */
	VEC(struct live_stack) stacks;
	VEC(struct live_comm) comms; /* by row's number */
	struct map by_key;
	struct number_list cpus;
	VEC(u64) locks, cgroups;
	VEC(struct lock_contention_delay) delays;
	bool types[LOCK_CONTENTION_FLAGS];
	struct lock_contention *bpf;
};

bool lock_filters_type(const struct lock_filters *f, u32 flags)
{
	for (int i = 0; i < f->types.nr; i++)
		if (lock_type_is(flags, f->types.v[i]))
			return true;
	return !f->types.nr;
}

/* ------------------------------------------------------------------ names */

static void add_place(const struct lock_live *l, u64 ip, struct strbuf *out)
{
	u32 sym;
	const struct symtab *st = running_kernel_find(l->dsos, ip, &sym);

	if (!st) {
		strbuf_addf(out, "%#llx", (unsigned long long)ip);
		return;
	}
	strbuf_adds(out, symtab_name(st, sym));
	strbuf_addf(out, "+%#llx", (unsigned long long)(ip - symtab_start(st, sym)));
}

static const struct live_stack *stack_of(const struct lock_live *l, const struct lock_row *r)
{
	return r->chain ? &l->stacks.v[r->chain - 1] : NULL;
}

static void add_caller(const void *ctx, const struct lock_row *r, struct strbuf *out)
{
	const struct live_stack *s = stack_of(ctx, r);

	if (s && s->caller < s->nr)
		add_place(ctx, s->ips[s->caller], out);
	else
		strbuf_adds(out, "Unknown");
}

static void add_stack(const void *ctx, const struct lock_row *r, const char *sep,
		      struct strbuf *out)
{
	const struct live_stack *s = stack_of(ctx, r);

	for (size_t i = 0; s && i < s->nr; i++) {
		size_t from;

		if (sep)
			strbuf_adds(out, i ? ":" : sep);
		else
			strbuf_addf(out, "\t\t\t%#llx  ", (unsigned long long)s->ips[i]);
		from = out->len;
		add_place(ctx, s->ips[i], out);
		if (sep)
			continue;
		strbuf_escape(out, from);
		strbuf_addch(out, '\n');
	}
}

static bool add_variable(const void *ctx, u64 lock, struct strbuf *out)
{
	const struct lock_live *l = ctx;
	u32 sym = l->kernel ? symtab_find(l->kernel, lock) : SYM_NONE;

	if (sym == SYM_NONE || lock != symtab_start(l->kernel, sym))
		return false;
	strbuf_adds(out, symtab_name(l->kernel, sym));
	return true;
}

/* Of a task that has ended it is not told any more. */
static void read_comm(u32 tid, char comm[LOCK_CONTENTION_COMM])
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/comm", tid);
	if (rw_slurp(path, &text, NULL) < 0)
		snprintf(comm, LOCK_CONTENTION_COMM, ":%u", tid);
	else
		snprintf(comm, LOCK_CONTENTION_COMM, "%.*s", (int)strcspn(text.buf, "\n"),
			 text.buf);
}

static void add_task(const void *ctx, const struct lock_row *r, struct strbuf *out)
{
	const struct lock_live *l = ctx;
	char owner[LOCK_CONTENTION_COMM];

	if (l->o->by_owner && !r->key) {
		strbuf_adds(out, "Unknown");
	} else if (l->o->by_owner) {
		read_comm((u32)r->key, owner);
		strbuf_adds(out, owner);
	} else {
		strbuf_adds(out, l->comms.v[r->number].text);
	}
}

struct cgroup_search {
	u64 id;
	struct strbuf *out;
};

static bool take_cgroup(void *ctx, const char *path, u64 id)
{
	struct cgroup_search *s = ctx;

	if (id != s->id)
		return true;
	strbuf_adds(s->out, path);
	return false;
}

static void add_cgroup(const void *ctx UNUSED, const struct lock_row *r, struct strbuf *out)
{
	struct cgroup_search s = { r->key, out };
	size_t before = out->len;

	sys_cgroup_walk(NULL, take_cgroup, &s, NULL);
	if (out->len == before)
		strbuf_addf(out, "cgroup:%llu", (unsigned long long)r->key);
}

const struct lock_names lock_live_names = {
	.caller = add_caller,
	.stack = add_stack,
	.variable = add_variable,
	.task = add_task,
	.cgroup = add_cgroup,
};

/* ------------------------------------------------------------------ rows */

/* Functions between the place that waits and the program. */
static bool is_of_program(const char *name)
{
	static const char *const begin[] = {
		"bpf_prog_",     "bpf_trace_run",          "bpf_trampoline",
		"bpf_get_stack", "__bpf_trace_contention", "__traceiter_contention"
	};

	for (size_t i = 0; i < ARRAY_SIZE(begin); i++)
		if (!strncmp(name, begin[i], strlen(begin[i])))
			return true;
	return false;
}

/* How many of the first frames are not of the stack that wanted the lock. */
static size_t first_frame(const struct lock_live *l, const u64 *ips, size_t nr)
{
	size_t first = 0;

	for (size_t i = 0; i < MIN(nr, (size_t)OWN_FRAMES); i++) {
		u32 sym;
		const struct symtab *st = running_kernel_find(l->dsos, ips[i], &sym);

		if (st && is_of_program(symtab_name(st, sym)))
			first = i + 1;
	}
	return first;
}

static bool stack_is_wanted(const struct lock_live *l, const u64 *ips, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		u32 sym;
		const struct symtab *st = running_kernel_find(l->dsos, ips[i], &sym);

		for (int w = 0; st && w < l->filters->callers.nr; w++)
			if (strstr(symtab_name(st, sym), l->filters->callers.v[w]))
				return true;
	}
	return !l->filters->callers.nr;
}

/* Of the frames that are not the locks' own; *caller: the first of them. */
static u64 hash_stack(const struct lock_live *l, const u64 *ips, size_t nr, size_t skip,
		      size_t *caller)
{
	u64 hash = 0;

	*caller = nr;
	for (size_t i = skip; i < nr; i++) {
		if (lock_code_has(&l->code, ips[i]))
			continue;
		if (*caller == nr)
			*caller = i;
		hash = hash_u64(hash + ips[i]);
	}
	return hash;
}

static struct lock_row *find_row(struct lock_live *l, u64 key, const char *type)
{
	u64 hash = hash_bytes(type, strlen(type), key);
	u32 i;

	for (struct map_probe p = map_first(&l->by_key, hash); map_next(&l->by_key, &p, &i);)
		if (l->rows.v[i].key == key && !strcmp(lock_type(l->rows.v[i].flags), type))
			return &l->rows.v[i];
	map_add(&l->by_key, hash, (u32)l->rows.nr);
	*VEC_PUSH(&l->rows) =
		(struct lock_row){ .key = key, .number = (u32)l->rows.nr - 1, .min = UINT64_MAX };
	return &l->rows.v[l->rows.nr - 1];
}

static void take_row(void *ctx, const struct lock_contention_row *r)
{
	struct lock_live *l = ctx;
	size_t first = first_frame(l, r->stack, r->nr), skip = (size_t)l->o->stack_skip, caller;
	size_t nr = MIN(r->nr - first, (size_t)l->o->max_stack);
	const u64 *ips = r->stack + first;
	bool by_stack = lock_by_of(l->o) == LOCK_CONTENTION_BY_STACK;
	struct lock_row *row;
	size_t rows = l->rows.nr;
	u64 hash;

	if (!r->sums.count || !stack_is_wanted(l, ips, nr))
		return;
	hash = hash_stack(l, ips, nr, skip > first ? skip - first : 0, &caller);
	row = find_row(l, by_stack ? hash : r->key.id, lock_type(r->key.flags));
	if (l->rows.nr > rows) {
		row->lock = r->key.id;
		row->flags = r->key.flags;
		memcpy(VEC_PUSH(&l->comms)->text, r->sums.comm, sizeof(r->sums.comm));
		if (by_stack && nr) {
			*VEC_PUSH(&l->stacks) = (struct live_stack){ XNEW_ARRAY(u64, nr), nr,
								     caller };
			memcpy(VEC_LAST(&l->stacks)->ips, ips, nr * sizeof(*ips));
			row->chain = (u32)l->stacks.nr;
		}
	}
	row->contended += r->sums.count;
	row->acquired += r->sums.count;
	row->total += r->sums.total;
	row->min = MIN(row->min, r->sums.least);
	row->max = MAX(row->max, r->sums.most);
}

struct lock_row *lock_live_rows(struct lock_live *l, size_t *nr)
{
	*nr = l->rows.nr;
	return l->rows.v;
}

/* ------------------------------------------------------------------ what is asked for */

static void find_objects(struct lock_live *l)
{
	l->dsos = dso_table_new(&l->o->rec.opts.dso);
	running_kernel_add(l->dsos);
	l->kernel = dso_symtab(dso_table_get(l->dsos, 1));
	lock_code_find(&l->code, l->kernel);
}

/* Of an address or the name of a variable, as option has it. */
static int find_lock(const struct lock_live *l, const char *option, const char *word, u64 *lock,
		     struct err *e)
{
	char *end;
	u32 sym;

	*lock = strtoull(word, &end, 16);
	if (!*end && *word)
		return 0;
	sym = l->kernel ? symtab_find_name(l->kernel, word) : SYM_NONE;
	if (sym == SYM_NONE)
		return err_set(e, ENOENT, "%s: the kernel has no variable '%s'", option, word);
	*lock = symtab_start(l->kernel, sym);
	return 0;
}

static int find_locks(struct lock_live *l, struct err *e)
{
	for (int i = 0; i < l->filters->locks.nr; i++)
		if (find_lock(l, "-L", l->filters->locks.v[i], VEC_PUSH(&l->locks), e))
			return -1;
	return 0;
}

/* "100us@rtnl_mutex". */
static int add_delay(struct lock_live *l, const char *text, struct err *e)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = { { "@", 1 }, { "ns@", 1 }, { "us@", 1000 }, { "ms@", 1000000 } };
	struct lock_contention_delay *d = VEC_PUSH(&l->delays);
	char *end;
	u64 n = strtoull(text, &end, 10);
	size_t i = 0;

	while (i < ARRAY_SIZE(units) && strncmp(end, units[i].name, strlen(units[i].name)) != 0)
		i++;
	if (*text < '0' || *text > '9' || i == ARRAY_SIZE(units))
		return err_set(e, EINVAL, "-J: '%s' is not like 100us@LOCK: ns, us or ms", text);
	if (!n || n > LOCK_CONTENTION_LONGEST / units[i].ns)
		return err_set(e, EINVAL, "-J: '%s' is none, or longer than 10ms", text);
	if (l->delays.nr > LOCK_CONTENTION_DELAYS)
		return err_set(e, EINVAL, "-J: not more than %d locks", LOCK_CONTENTION_DELAYS);
	d->ns = n * units[i].ns;
	return find_lock(l, "-J", end + strlen(units[i].name), &d->lock, e);
}

static int find_delays(struct lock_live *l, struct err *e)
{
	for (int i = 0; i < l->o->delays.nr; i++) {
		_cleanup_(mem_freep) char *words = xstrdup(l->o->delays.v[i]);
		char *save = NULL;

		for (char *w = strtok_r(words, ", ", &save); w; w = strtok_r(NULL, ", ", &save))
			if (add_delay(l, w, e))
				return -1;
	}
	return 0;
}

static int find_cgroups(struct lock_live *l, struct err *e)
{
	_cleanup_(mem_freep) char *names = xstrdup(l->o->cgroups ? l->o->cgroups : "");
	char *save = NULL, mount[4096], path[8192];
	bool is_v2;
	u64 id;

	if (l->o->cgroups && !sys_cgroup_mount(NULL, mount, sizeof(mount), &is_v2))
		return err_set(e, ENOENT, "-G: no hierarchy of cgroups is mounted");
	for (char *n = strtok_r(names, ",", &save); n; n = strtok_r(NULL, ",", &save)) {
		snprintf(path, sizeof(path), "%s/%s", mount, n);
		if (!sys_cgroup_id(path, &id))
			return err_set(e, ENOENT, "-G: there is no cgroup '%s'", n);
		*VEC_PUSH(&l->cgroups) = id;
	}
	return 0;
}

enum lock_contention_by lock_by_of(const struct lock_opts *o)
{
	return o->by_owner    ? LOCK_CONTENTION_BY_OWNER
	       : o->by_cgroup ? LOCK_CONTENTION_BY_CGROUP
	       : o->by_task   ? LOCK_CONTENTION_BY_TASK
	       : o->by_lock   ? LOCK_CONTENTION_BY_LOCK
			      : LOCK_CONTENTION_BY_STACK;
}

static int load(struct lock_live *l, pid_t command, struct err *e)
{
	const s32 tid = command;
	const struct lock_filters *f = l->filters;
	const struct task_choice *tasks = &l->o->rec.tasks;
	bool all = l->o->all_cpus || l->o->cpus || !task_choice_is_all(tasks);
	struct lock_contention_opts co = {
		.by = lock_by_of(l->o),
		.stacks = f->callers.nr != 0,
		.frames = MIN((u32)l->o->max_stack + OWN_FRAMES, (u32)LOCK_CONTENTION_FRAMES),
		.entries = (u32)l->o->map_entries,
		.types = l->types,
		.pids = (const s32 *)tasks->pids.v,
		.nr_pids = tasks->pids.nr,
		.cpus = l->cpus.v,
		.nr_cpus = l->cpus.nr,
		.locks = l->locks.v,
		.nr_locks = l->locks.nr,
		.cgroups = l->cgroups.v,
		.nr_cgroups = l->cgroups.nr,
		.delays = l->delays.v,
		.nr_delays = l->delays.nr,
	};

	if (tasks->tids.nr) {
		co.tids = (const s32 *)tasks->tids.v;
		co.nr_tids = tasks->tids.nr;
	} else if (command && !all) {
		co.tids = &tid;
		co.nr_tids = 1;
	}
	for (u32 i = 0; i < LOCK_CONTENTION_FLAGS; i++)
		l->types[i] = lock_filters_type(f, i);
	l->bpf = lock_contention_new(&co, e);
	return l->bpf ? 0 : -1;
}

/* ------------------------------------------------------------------ the run */

static int watch(struct lock_live *l, struct workload *w, const struct held_signals *held,
		 struct err *e)
{
	if (load(l, w->pid, e))
		return -1;
	lock_contention_enable(l->bpf, true);
	if (w->pid && workload_start(w, e))
		return err_set(e, e->code, "workload failed: %s", strerror(e->code));
	while (!held_signals_take(held) && !(w->pid && workload_reap(w, false)))
		poll(NULL, 0, ROUND_MS);
	lock_contention_enable(l->bpf, false);
	return lock_contention_read(l->bpf, take_row, l, e);
}

int lock_live_run(struct lock_live **out, const struct lock_opts *o,
		  const struct lock_filters *filters, const char *const *command, struct err *e)
{
	struct lock_live *l = XNEW(struct lock_live);
	struct held_signals held = { .on = false };
	struct workload w = { 0 };
	int r;

	*out = l;
	l->o = o;
	l->filters = filters;
	find_objects(l);
	if (number_list_parse(&l->cpus, o->cpus, "CPUs", e) || find_locks(l, e) ||
	    find_delays(l, e) || find_cgroups(l, e) ||
	    (command && workload_fork(&w, command, false, e)))
		return -1;
	held_signals_begin(&held, 0);
	r = watch(l, &w, &held, e);
	workload_stop(&w);
	held_signals_take(&held);
	held_signals_end(&held);
	return r;
}

void lock_live_put_total(const struct lock_live *l, struct row_writer *w)
{
	struct lock_contention_losses n = lock_contention_losses(l->bpf);

	row_begin(w, "total");
	row_u64(w, "lost_waits", n.waits + n.rows);
	row_u64(w, "lost_stacks", n.stacks);
	row_u64(w, "unowned", n.unowned);
	if (l->delays.nr)
		row_u64(w, "delayed", n.delayed);
	row_end(w);
}

void lock_live_tell(const struct lock_live *l)
{
	struct lock_contention_losses n = lock_contention_losses(l->bpf);

	if (n.waits || n.rows)
		log_warn("%llu waits are not counted: there was no room for them (-M)",
			 (unsigned long long)(n.waits + n.rows));
	if (n.stacks)
		log_warn("%llu stacks are not told: there was no room for them (-M)",
			 (unsigned long long)n.stacks);
	if (l->delays.nr)
		log_warn("%llu times a lock was kept for longer (-J)",
			 (unsigned long long)n.delayed);
	if (n.unowned)
		log_info("%llu waits were for locks that do not tell who has them",
			 (unsigned long long)n.unowned);
}

void lock_live_free(struct lock_live *l)
{
	if (!l)
		return;
	lock_contention_free(l->bpf);
	VEC_FOR(&l->stacks, s)
		free(s->ips);
	vec_free(&l->stacks);
	vec_free(&l->rows);
	vec_free(&l->comms);
	map_release(&l->by_key);
	vec_free(&l->cpus);
	vec_free(&l->locks);
	vec_free(&l->cgroups);
	vec_free(&l->delays);
	dso_table_free(l->dsos);
	free(l);
}
