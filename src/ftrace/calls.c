/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftrace/calls.h"

#include <errno.h>
#include <string.h>

#include "base/hash.h"
#include "dso/symbols/kallsyms.h"
#include "sys/tracefs.h"

/* What stands before a function's first traced instruction is at most that long. */
enum { MAX_ENTRY = 64 };

static const struct tracefmt *read_format(struct tracefmt_set *set, const char *root,
					  const char *system, const char *name, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (sys_tracefs_format(root, system, name, &text, e) ||
	    tracefmt_set_add(set, system, text.buf, text.len, e))
		return NULL;
	return tracefmt_by_name(set, system, name);
}

/* ------------------------------------------------------------------ calls */

int ftrace_calls_open(struct ftrace_calls *c, const char *root, struct err *e)
{
	const struct tracefmt *t;

	*c = (struct ftrace_calls){ .formats = tracefmt_set_new() };
	t = read_format(c->formats, root, "ftrace", "funcgraph_exit", e);
	if (!t)
		return err_set(e, e->code, "cannot read what function_graph records: %s",
			       e->text[0] ? e->text : "no such format");
	c->id = tracefmt_id(t);
	c->type = tracefmt_find_field(t, "common_type");
	c->function = tracefmt_find_field(t, "func");
	c->begin = tracefmt_find_field(t, "calltime");
	c->end = tracefmt_find_field(t, "rettime");
	if (!c->type || !c->function || !c->begin || !c->end)
		return err_set(e, ENOTSUP, "this kernel's function_graph does not record times");
	return 0;
}

void ftrace_calls_close(struct ftrace_calls *c)
{
	tracefmt_set_free(c->formats);
	*c = (struct ftrace_calls){ .formats = NULL };
}

bool ftrace_calls_take(const struct ftrace_calls *c, const struct ftrace_record *r, u64 *function,
		       u64 *ns)
{
	u64 type, begin, end;

	if (!tracefmt_u64(c->type, r->data, r->size, &type) || type != c->id ||
	    !tracefmt_u64(c->function, r->data, r->size, function) ||
	    !tracefmt_u64(c->begin, r->data, r->size, &begin) ||
	    !tracefmt_u64(c->end, r->data, r->size, &end))
		return false;
	/* clocks of two CPUs may differ by some ns */
	*ns = end > begin ? end - begin : 0;
	return true;
}

/* ------------------------------------------------------------------ functions */

void ftrace_functions_add(struct ftrace_functions *f, u64 addr, u64 ns)
{
	u64 hash = hash_u64(addr);
	u32 i;

	for (struct map_probe p = map_first(&f->by_addr, hash); map_next(&f->by_addr, &p, &i);) {
		if (f->all.v[i].addr == addr) {
			durations_add(&f->all.v[i].calls, ns);
			return;
		}
	}
	if (f->all.nr >= FTRACE_MAX_FUNCTIONS)
		return;
	map_add(&f->by_addr, hash, (u32)f->all.nr);
	*VEC_PUSH(&f->all) = (struct ftrace_function){ .addr = addr };
	durations_add(&VEC_LAST(&f->all)->calls, ns);
}

static int by_addr(const void *a, const void *b)
{
	u64 x = ((const struct ftrace_function *)a)->addr,
	    y = ((const struct ftrace_function *)b)->addr;

	return x < y ? -1 : x > y;
}

/* The first function at or behind an address. */
static size_t first_from(const struct ftrace_functions *f, u64 addr)
{
	size_t low = 0, high = f->all.nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (f->all.v[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void name_by(struct ftrace_functions *f, u64 *found, const struct kallsyms_line *l)
{
	if (!l->addr || !strchr("tTwW", l->type))
		return;
	for (size_t i = first_from(f, l->addr);
	     i < f->all.nr && f->all.v[i].addr - l->addr < MAX_ENTRY; i++) {
		struct ftrace_function *fn = &f->all.v[i];

		/* of several at the same address the first, as the kernel does */
		if (fn->name && found[i] >= l->addr)
			continue;
		free(fn->name);
		if (l->module)
			fn->name = xasprintf("%.*s [%.*s]", (int)l->name_len, l->name,
					     (int)l->module_len, l->module);
		else
			fn->name = xstrndup(l->name, l->name_len);
		found[i] = l->addr;
	}
}

void ftrace_functions_name(struct ftrace_functions *f, const char *kallsyms)
{
	_cleanup_(mem_freep) u64 *found = xcalloc(f->all.nr + 1, sizeof(*found));

	VEC_SORT(&f->all, by_addr);
	map_clear(&f->by_addr);
	for (const char *line = kallsyms, *end; *line; line = *end ? end + 1 : end) {
		struct kallsyms_line l;

		end = strchrnul(line, '\n');
		if (kallsyms_parse_line(line, end, &l))
			name_by(f, found, &l);
	}
	for (size_t i = 0; i < f->all.nr; i++) {
		struct ftrace_function *fn = &f->all.v[i];

		if (!fn->name)
			fn->name = xasprintf("0x%llx", (unsigned long long)fn->addr);
		map_add(&f->by_addr, hash_u64(fn->addr), (u32)i);
	}
}

void ftrace_functions_release(struct ftrace_functions *f)
{
	VEC_FOR(&f->all, fn)
		free(fn->name);
	vec_free(&f->all);
	map_release(&f->by_addr);
}

/* ------------------------------------------------------------------ pairs of events */

int ftrace_pairs_open(struct ftrace_pairs *p, const char *root, const char *const names[2],
		      struct err *e)
{
	*p = (struct ftrace_pairs){ .formats = tracefmt_set_new() };
	for (size_t i = 0; i < 2; i++) {
		const char *colon = strchr(names[i], ':');
		_cleanup_(mem_freep) char *system = NULL;
		const struct tracefmt *t = NULL;

		if (colon) {
			system = xstrndup(names[i], (size_t)(colon - names[i]));
			t = tracefmt_by_name(p->formats, system, colon + 1);
			t = t ? t : read_format(p->formats, root, system, colon + 1, NULL);
		}
		if (!t) {
			err_set(e, ENOENT, "there is no event '%s'", names[i]);
			err_hint(e, "it is SYSTEM:NAME; 'perf list tracepoint' has them");
			return -1;
		}
		p->ids[i] = tracefmt_id(t);
		p->type = tracefmt_find_field(t, "common_type");
		p->pid = tracefmt_find_field(t, "common_pid");
		if (!p->type || !p->pid)
			return err_set(e, EINVAL, "the format of '%s' is not understood", names[i]);
	}
	return 0;
}

void ftrace_pairs_close(struct ftrace_pairs *p)
{
	tracefmt_set_free(p->formats);
	vec_free(&p->waiting);
	vec_free(&p->begun);
	map_release(&p->by_task);
}

void ftrace_pairs_take(struct ftrace_pairs *p, size_t cpu, const struct ftrace_record *r)
{
	u64 type, tid;

	if (!tracefmt_u64(p->type, r->data, r->size, &type) ||
	    !tracefmt_u64(p->pid, r->data, r->size, &tid) ||
	    (type != p->ids[0] && type != p->ids[1]))
		return;
	*VEC_PUSH(&p->waiting) = (struct ftrace_pair_event){
		.time = r->time,
		.task = (u32)tid ? (u32)tid : (u64)(cpu + 1) << 32,
		.second = type == p->ids[1],
	};
}

static int by_time(const void *a, const void *b)
{
	const struct ftrace_pair_event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (int)x->second - (int)y->second;
}

/* Its last first event; time 0 = there is none, or it has had its second one. */
static struct ftrace_pair_event *begun_by(struct ftrace_pairs *p, u64 task)
{
	u64 hash = hash_u64(task);
	u32 i;

	for (struct map_probe m = map_first(&p->by_task, hash); map_next(&p->by_task, &m, &i);) {
		if (p->begun.v[i].task == task)
			return &p->begun.v[i];
	}
	map_add(&p->by_task, hash, (u32)p->begun.nr);
	*VEC_PUSH(&p->begun) = (struct ftrace_pair_event){ .task = task };
	return VEC_LAST(&p->begun);
}

void ftrace_pairs_tell(struct ftrace_pairs *p, u64 until, void (*fn)(void *ctx, u64 ns), void *ctx)
{
	bool same = p->ids[0] == p->ids[1];
	size_t kept = 0;

	VEC_SORT(&p->waiting, by_time);
	VEC_FOR(&p->waiting, ev) {
		struct ftrace_pair_event *begun;

		if (ev->time >= until) {
			p->waiting.v[kept++] = *ev;
			continue;
		}
		begun = begun_by(p, ev->task);
		if (ev->second && begun->time) {
			fn(ctx, ev->time - begun->time);
			begun->time = 0;
		}
		if (!ev->second || same)
			begun->time = ev->time;
	}
	p->waiting.nr = kept;
}
