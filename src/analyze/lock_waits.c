/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/lock_waits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lock_code.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "dso/dso.h"

/* A task and a lock. */
struct lock_wait {
	u64 lock;
	u64 since;
	u32 task;
	u32 row; /* of what it counts for; NO_ROW = it is not wanted */
	bool on;
	u8 state; /* enum lockdep_state */
	u64 depth; /* how often it is held, in the states of readers */
};
enum { NO_ROW = 0xffffffffU };

/* What is known of a chain. */
struct lock_chain {
	bool looked_at;
	u64 key; /* of its frames behind those that are skipped; 0 = there are none */
	u32 caller; /* which frame it is; NO_ROW = none */
};

struct lock_waits {
	struct lock_waits_opts o;
	struct session *session;
	struct analyze *analyze;
	struct tasks tasks;
	VEC(struct lock_wait) waits;
	struct map by_wait;
	VEC(struct lock_row) rows;
	struct map by_key;
	VEC(struct lock_chain) chains; /* by chain_id */
	const struct dso *kernel; /* whose code it is; NULL = not looked for yet */
	struct lock_code code;
	u64 unmatched;
	struct intern names;
	u64 bad[LOCKDEP_EVENTS];
};

/* ------------------------------------------------------------------ types */

static const struct {
	u32 flags;
	const char *name;
} lock_types[] = {
	{ 0, "semaphore" },
	{ LOCK_SPIN, "spinlock" },
	{ LOCK_SPIN | LOCK_READER, "rwlock:R" },
	{ LOCK_SPIN | LOCK_WRITER, "rwlock:W" },
	{ LOCK_READER, "rwsem:R" },
	{ LOCK_WRITER, "rwsem:W" },
	{ LOCK_RT, "rtmutex" },
	{ LOCK_RT | LOCK_READER, "rwlock-rt:R" },
	{ LOCK_RT | LOCK_WRITER, "rwlock-rt:W" },
	{ LOCK_PERCPU | LOCK_READER, "pcpu-sem:R" },
	{ LOCK_PERCPU | LOCK_WRITER, "pcpu-sem:W" },
	{ LOCK_MUTEX, "mutex" },
	{ LOCK_MUTEX | LOCK_SPIN, "mutex" },
};

const char *lock_type(u32 flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(lock_types); i++)
		if (lock_types[i].flags == flags)
			return lock_types[i].name;
	return "unknown";
}

static bool is_type(const char *name, const char *text)
{
	size_t len = strlen(text);

	return !strncmp(name, text, len) && (!name[len] || name[len] == ':');
}

bool lock_type_exists(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(lock_types); i++)
		if (is_type(lock_types[i].name, text))
			return true;
	return false;
}

bool lock_type_is(u32 flags, const char *text)
{
	return is_type(lock_type(flags), text);
}

/* ------------------------------------------------------------------ chains */

static bool is_code_of_locks(struct lock_waits *w, const struct frame *f)
{
	struct dso *dso;

	if (f->cpumode != PERF_RECORD_MISC_KERNEL || f->sym == SYM_NONE)
		return false;
	dso = dso_table_get(session_dsos(w->session), f->dso);
	if (!w->kernel && dso == dso_table_kernel(session_dsos(w->session))) {
		w->kernel = dso;
		lock_code_find(&w->code, dso_symtab(dso));
	}
	return dso == w->kernel && lock_code_has(&w->code, f->at);
}

static const struct lock_chain *look_at(struct lock_waits *w, chain_id chain)
{
	const frame_id *frames;
	struct lock_chain *c;
	size_t nr = 0;

	while (w->chains.nr <= chain)
		*VEC_PUSH(&w->chains) = (struct lock_chain){ .looked_at = false };
	c = &w->chains.v[chain];
	if (c->looked_at)
		return c;
	*c = (struct lock_chain){ .looked_at = true, .caller = NO_ROW };
	frames = chain ? session_chain_frames(w->session, chain, &nr) : NULL;
	for (size_t i = w->o.stack_skip; frames && i < nr; i++) {
		const struct frame *f = session_frame_get(w->session, frames[i]);

		if (is_code_of_locks(w, f))
			continue;
		if (c->caller == NO_ROW)
			c->caller = (u32)i;
		c->key = hash_u64(c->key + frames[i]);
	}
	return c;
}

const struct frame *lock_waits_caller(struct lock_waits *w, chain_id chain)
{
	u32 caller = look_at(w, chain)->caller;
	size_t nr;

	return caller == NO_ROW
		       ? NULL
		       : session_frame_get(w->session,
					   session_chain_frames(w->session, chain, &nr)[caller]);
}

/* ------------------------------------------------------------------ the machine */

enum { BEGIN_LOCK, BEGIN_FLAGS };
static const struct analyze_field begin_fields[] = {
	[BEGIN_LOCK] = { .names = { "lock_addr" } },
	[BEGIN_FLAGS] = { .names = { "flags" } },
	{ .names = { NULL } },
};
enum { LOCKDEP_LOCK, LOCKDEP_FLAGS, LOCKDEP_NAME };
static const struct analyze_field lockdep_fields[] = {
	[LOCKDEP_LOCK] = { .names = { "lockdep_addr" } },
	[LOCKDEP_FLAGS] = { .names = { "flags" }, .optional = true }, /* of lock_acquire */
	[LOCKDEP_NAME] = { .names = { "name" }, .kind = ANALYZE_STRING },
	{ .names = { NULL } },
};
enum { END_LOCK };
static const struct analyze_field end_fields[] = {
	[END_LOCK] = { .names = { "lock_addr" } },
	{ .names = { NULL } },
};

static struct lock_wait *find_wait(struct lock_waits *w, u32 task, u64 lock, bool add)
{
	u64 hash = hash_u64(lock ^ (u64)task << 40);
	struct lock_wait *wait;
	u32 i;

	for (struct map_probe p = map_first(&w->by_wait, hash); map_next(&w->by_wait, &p, &i);) {
		wait = &w->waits.v[i];
		if (wait->task == task && wait->lock == lock)
			return wait;
	}
	if (!add)
		return NULL;
	map_add(&w->by_wait, hash, (u32)w->waits.nr);
	wait = VEC_PUSH(&w->waits);
	*wait = (struct lock_wait){ .task = task, .lock = lock };
	return wait;
}

static u32 find_row(struct lock_waits *w, u64 key, const struct analyze_row *r, u32 task, u32 flags)
{
	u64 hash = hash_u64(key);
	u32 i;

	for (struct map_probe p = map_first(&w->by_key, hash); map_next(&w->by_key, &p, &i);)
		if (w->rows.v[i].key == key)
			return i;
	i = (u32)w->rows.nr;
	map_add(&w->by_key, hash, i);
	*VEC_PUSH(&w->rows) = (struct lock_row){ .key = key,
						 .number = i,
						 .lock = r->values[BEGIN_LOCK],
						 .flags = flags,
						 .task = task,
						 .chain = r->chain,
						 .min = UINT64_MAX };
	return i;
}

/* The same stack may want several locks: those of one type are a row. */
static u64 key_of(struct lock_waits *w, const struct analyze_row *r, u32 task)
{
	const char *type = lock_type((u32)r->values[BEGIN_FLAGS]);

	switch (w->o.by) {
	case LOCK_BY_TASK:
		return task;
	case LOCK_BY_LOCK:
		return r->values[BEGIN_LOCK];
	case LOCK_BY_CALLER:
		break;
	}
	return hash_bytes(type, strlen(type), look_at(w, r->chain)->key);
}

static void take_begin(void *ctx, const struct analyze_row *r)
{
	struct lock_waits *w = ctx;
	u32 task = tasks_find_in(&w->tasks, r->pid, r->tid);
	u64 lock = r->values[BEGIN_LOCK];
	struct lock_wait *wait = find_wait(w, task, lock, true);

	if (wait->on)
		return;
	wait->on = true;
	wait->since = r->time;
	wait->row = NO_ROW;
	if (w->o.wants && !w->o.wants(w->o.ctx, r, lock, (u32)r->values[BEGIN_FLAGS]))
		return;
	wait->row = find_row(w, key_of(w, r, task), r, task, (u32)r->values[BEGIN_FLAGS]);
	w->rows.v[wait->row].contended++;
}

static void count_wait(struct lock_row *row, u64 ns)
{
	row->acquired++;
	row->total += ns;
	row->min = MIN(row->min, ns);
	row->max = MAX(row->max, ns);
}

static void take_end(void *ctx, const struct analyze_row *r)
{
	struct lock_waits *w = ctx;
	u32 task = tasks_find_in(&w->tasks, r->pid, r->tid);
	struct lock_wait *wait = find_wait(w, task, r->values[END_LOCK], false);

	if (!wait || !wait->on) {
		w->unmatched++;
		return;
	}
	wait->on = false;
	if (wait->row != NO_ROW && r->time >= wait->since)
		count_wait(&w->rows.v[wait->row], r->time - wait->since);
}

/* ------------------------------------------------------------------ lockdep's events */

/* Of a task and a lock. Readers may have it several times. */
enum lockdep_state {
	STATE_UNKNOWN, /* or the task has nothing to do with the lock */
	STATE_WANTED,
	STATE_WAITS,
	STATE_HELD,
	STATE_READS, /* wanted to read: it has it, unless it is told to wait */
	STATE_READER_WAITS,
	STATE_READ, /* had to read, or as it was free */
};

/* What happens: lock_acquire by its flags (1: if it is free, 2: to read), and the other events. */
enum lockdep_step {
	STEP_ACQUIRE,
	STEP_TRY,
	STEP_READ,
	STEP_TRY_READ,
	STEP_ACQUIRED,
	STEP_CONTENDED,
	STEP_RELEASE,
};
enum { LOCKDEP_FLAGS_TRY_READ = 3 };

/* Those that are not here are bad. */
static const struct lockdep_move {
	u8 state, step, next;
	s8 at_once, depth; /* to add */
	bool begins, ends; /* a wait */
} lockdep_moves[] = {
	{ STATE_UNKNOWN, STEP_ACQUIRE, STATE_WANTED },
	{ STATE_UNKNOWN, STEP_TRY, STATE_READ, .at_once = 1, .depth = 1 },
	{ STATE_UNKNOWN, STEP_READ, STATE_READS, .at_once = 1, .depth = 1 },
	{ STATE_UNKNOWN, STEP_TRY_READ, STATE_READ, .at_once = 1, .depth = 1 },
	{ STATE_UNKNOWN, STEP_ACQUIRED, STATE_UNKNOWN },
	{ STATE_UNKNOWN, STEP_CONTENDED, STATE_UNKNOWN },
	{ STATE_UNKNOWN, STEP_RELEASE, STATE_UNKNOWN },
	{ STATE_WANTED, STEP_ACQUIRED, STATE_HELD, .at_once = 1 },
	{ STATE_WANTED, STEP_CONTENDED, STATE_WAITS, .begins = true },
	{ STATE_WAITS, STEP_ACQUIRED, STATE_HELD, .ends = true },
	{ STATE_HELD, STEP_RELEASE, STATE_UNKNOWN },
	{ STATE_READS, STEP_READ, STATE_READS, .at_once = 1, .depth = 1 },
	{ STATE_READS, STEP_TRY_READ, STATE_READ, .at_once = 1, .depth = 1 },
	{ STATE_READS, STEP_ACQUIRED, STATE_READ },
	{ STATE_READS, STEP_CONTENDED, STATE_READER_WAITS, .at_once = -1, .begins = true },
	{ STATE_READS, STEP_RELEASE, STATE_READ, .depth = -1 },
	{ STATE_READER_WAITS, STEP_ACQUIRED, STATE_READ, .ends = true },
	{ STATE_READ, STEP_READ, STATE_READS, .at_once = 1, .depth = 1 },
	{ STATE_READ, STEP_TRY_READ, STATE_READ, .at_once = 1, .depth = 1 },
	{ STATE_READ, STEP_RELEASE, STATE_READ, .depth = -1 },
};

static const struct lockdep_move *find_move(u8 state, enum lockdep_step step)
{
	for (size_t i = 0; i < ARRAY_SIZE(lockdep_moves); i++)
		if (lockdep_moves[i].state == state && lockdep_moves[i].step == step)
			return &lockdep_moves[i];
	return NULL;
}

static void make_move(struct lock_wait *wait, struct lock_row *row, u64 time,
		      const struct lockdep_move *m)
{
	row->at_once += (u64)(s64)m->at_once;
	wait->depth += (u64)(s64)m->depth;
	wait->state = m->next == STATE_READ && !wait->depth ? STATE_UNKNOWN : m->next;
	if (m->begins) {
		row->contended++;
		wait->since = time;
	}
	if (m->ends && time >= wait->since)
		count_wait(row, time - wait->since);
}

static void take_lockdep(void *ctx, const struct analyze_row *r)
{
	static const u8 steps[LOCKDEP_EVENTS] = {
		[LOCKDEP_ACQUIRED] = STEP_ACQUIRED,
		[LOCKDEP_CONTENDED] = STEP_CONTENDED,
		[LOCKDEP_RELEASE] = STEP_RELEASE,
	};
	struct lock_waits *w = ctx;
	u32 task = tasks_find_in(&w->tasks, r->pid, r->tid);
	u64 lock = r->values[LOCKDEP_LOCK];
	const char *name = analyze_text(r, LOCKDEP_NAME);
	struct lock_wait *wait = find_wait(w, task, lock, true);
	u32 i = find_row(w, w->o.by == LOCK_BY_TASK ? task : lock, r, task, 0);
	struct lock_row *row = &w->rows.v[i];
	const struct lockdep_move *m = find_move(
		wait->state,
		r->kind == LOCKDEP_ACQUIRE
			? (enum lockdep_step)(r->values[LOCKDEP_FLAGS] & LOCKDEP_FLAGS_TRY_READ)
			: (enum lockdep_step)steps[r->kind]);

	if (!row->name && *name)
		row->name = intern_add(&w->names, name, strlen(name));
	if (m) {
		make_move(wait, row, r->time, m);
		return;
	}
	wait->state = STATE_UNKNOWN;
	wait->depth = 0;
	if (!row->bad)
		w->bad[r->kind]++;
	row->bad = true;
}

TASKS_HANDLERS(struct lock_waits)

static const struct analyze_event lock_events[] = {
	{ .own = true,
	  .names = { [LOCKDEP_ACQUIRE] = "lock:lock_acquire",
		     [LOCKDEP_ACQUIRED] = "lock:lock_acquired",
		     [LOCKDEP_CONTENDED] = "lock:lock_contended",
		     [LOCKDEP_RELEASE] = "lock:lock_release" },
	  .fields = lockdep_fields,
	  .take = take_lockdep },
	{ .own = true,
	  .names = { "lock:contention_begin" },
	  .needed = true,
	  .instead = true,
	  .chain = true,
	  .fields = begin_fields,
	  .take = take_begin },
	{ .own = true,
	  .names = { "lock:contention_end" },
	  .needed = true,
	  .instead = true,
	  .fields = end_fields,
	  .take = take_end },
	TASKS_ROWS,
};
static const struct analyze_machine lock_machine = {
	.events = lock_events,
	.nr = ARRAY_SIZE(lock_events),
	.hint = "perf lock record COMMAND records what is needed",
};
/* All but lockdep's. */
static const struct analyze_machine contention_machine = {
	.events = lock_events + 1,
	.nr = ARRAY_SIZE(lock_events) - 1,
	.hint = "perf lock record COMMAND records what is needed; where that is lockdep's events: "
		"perf record -c 1 -g -e lock:contention_begin,lock:contention_end COMMAND",
};

int lock_waits_new(struct lock_waits **out, struct session *s, const struct lock_waits_opts *o,
		   struct err *e)
{
	struct lock_waits *w = XNEW(struct lock_waits);
	struct analyze_opts ao = { .machine = o->lockdep ? &lock_machine : &contention_machine,
				   .ctx = w,
				   .chains = o->chains };

	w->o = *o;
	w->session = s;
	if (analyze_new(&w->analyze, s, &ao, e)) {
		lock_waits_free(w);
		return -1;
	}
	*out = w;
	return 0;
}

void lock_waits_free(struct lock_waits *w)
{
	if (!w)
		return;
	analyze_free(w->analyze);
	tasks_release(&w->tasks);
	vec_free(&w->waits);
	map_release(&w->by_wait);
	vec_free(&w->rows);
	map_release(&w->by_key);
	vec_free(&w->chains);
	intern_release(&w->names);
	free(w);
}

int lock_waits_run(struct lock_waits *w, struct err *e)
{
	return analyze_run(w->analyze, e);
}

struct lock_row *lock_waits_rows(struct lock_waits *w, size_t *nr)
{
	*nr = w->rows.nr;
	return w->rows.v;
}

const struct tasks *lock_waits_tasks(const struct lock_waits *w)
{
	return &w->tasks;
}

u64 lock_waits_unmatched(const struct lock_waits *w)
{
	return w->unmatched;
}

const u64 *lock_waits_bad(const struct lock_waits *w)
{
	return w->o.lockdep && analyze_has(w->analyze, 0) ? w->bad : NULL;
}

const char *lock_waits_name(const struct lock_waits *w, const struct lock_row *r)
{
	return r->name ? intern_str(&w->names, r->name) : NULL;
}
