/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/collect.h"

#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "dso/source.h"
#include "dso/symbols/symtab.h"
#include "session/opened.h"

void session_collect_opts(struct session_opts *o, enum collect_what what)
{
	o->max_stack = LIMIT_CHAIN / sizeof(u64);
	o->unwind = true;
	o->by_address = what == COLLECT_LINES;
}

static bool look_at(void *ctx UNUSED, struct session_worker *w, unsigned int worker UNUSED,
		    const struct session_record *r)
{
	enum { FROM, TO, WORDS = 3 };
	const struct sample *s = r->sample;

	session_frame(w, &r->site, s->cpumode, s->ip);
	session_chain(w, &r->site, s);
	for (u64 i = 0; i < s->nr_branch; i++) {
		session_frame(w, &r->site, s->cpumode, s->branch[i * WORDS + FROM]);
		session_frame(w, &r->site, s->cpumode, s->branch[i * WORDS + TO]);
	}
	if (r->event->layout.addr)
		session_frame(w, &r->site, s->cpumode, s->addr);
	return true;
}

static bool is_jit_code(struct session_worker *w, const struct session_record *r, u64 ip)
{
	dso_id id = session_dso(w, &r->site, PERF_RECORD_MISC_USER, ip);

	return id && dso_kind(dso_table_get(w->resolver->dsos, id)) == DSO_PERF_MAP;
}

/* Loads names of JIT code alone. A sample with a copy of its stack is unwound whole: only that
 * tells its callers. */
static bool look_for_jit(void *ctx, struct session_worker *w, unsigned int worker,
			 const struct session_record *r)
{
	const struct sample *s = r->sample;
	bool user = true;

	if (s->user_stack && s->user_stack_size)
		return look_at(ctx, w, worker, r);
	if (s->cpumode == PERF_RECORD_MISC_USER && is_jit_code(w, r, s->ip))
		session_frame(w, &r->site, s->cpumode, s->ip);
	for (u64 i = 0; i < s->nr_chain; i++) {
		u64 ip = s->chain[i];

		if (ip >= PERF_CONTEXT_MAX)
			user = ip == PERF_CONTEXT_USER;
		else if (user && is_jit_code(w, r, ip))
			session_frame(w, &r->site, PERF_RECORD_MISC_USER, ip);
	}
	return true;
}

struct seen_symbol {
	dso_id dso;
	u32 sym;
};

struct gathering {
	struct session *s;
	enum collect_what what;
	struct embedded *out;
	u32 *objects; /* by dso: index in out + 1 */
	struct map seen; /* (dso, symbol) */
	VEC(struct seen_symbol) symbols;
	struct strbuf name;
};

static struct embedded_object *object_of(struct gathering *g, dso_id id)
{
	const struct dso *d = dso_table_get(session_dsos(g->s), id);

	if (!g->objects[id]) {
		*VEC_PUSH(&g->out->objects) = (struct embedded_object){
			.kind = dso_kind(d),
			.pid = dso_pid(d),
			.name = dso_long_name(d),
			.id = *dso_build_id(d),
		};
		g->objects[id] = (u32)g->out->objects.nr;
	}
	return &g->out->objects.v[g->objects[id] - 1];
}

/* Whether another machine may lack the object's names; those of BPF programs are in the records. */
static bool is_wanted(const struct gathering *g, const struct dso *d)
{
	switch (dso_kind(d)) {
	case DSO_USER:
	case DSO_KERNEL:
	case DSO_MODULE:
	case DSO_VDSO:
	case DSO_JITDUMP:
		return g->what != COLLECT_JIT;
	case DSO_PERF_MAP:
		return true;
	default:
		return false;
	}
}

static bool is_seen(const struct gathering *g, dso_id dso, u32 sym)
{
	u32 i;

	for (struct map_probe p = map_first(&g->seen, hash_mix(dso, sym));
	     map_next(&g->seen, &p, &i);)
		if (g->symbols.v[i].dso == dso && g->symbols.v[i].sym == sym)
			return true;
	return false;
}

static void add_symbol(struct gathering *g, const struct frame *f)
{
	struct dso *d = dso_table_get(session_dsos(g->s), f->dso);
	const struct symtab *st = dso_symtab(d);
	struct symbol sym = symtab_symbol(st, f->sym);
	struct embedded_symbol *out;

	if (is_seen(g, f->dso, f->sym))
		return;
	map_add(&g->seen, hash_mix(f->dso, f->sym), (u32)g->symbols.nr);
	*VEC_PUSH(&g->symbols) = (struct seen_symbol){ f->dso, f->sym };
	symtab_raw_name(st, f->sym, &g->name);
	out = VEC_PUSH(&object_of(g, f->dso)->symbols);
	*out = (struct embedded_symbol){ .start = sym.start,
					 .end = sym.end,
					 .binding = (u8)sym.binding,
					 .name = arena_strdup(&g->out->arena, g->name.buf) };
	if (symtab_is_data(st, f->sym))
		out->flags |= EMBEDDED_DATA;
	if (symtab_is_label(st, f->sym))
		out->flags |= EMBEDDED_LABEL;
}

static void add_place(struct gathering *g, const struct frame *f)
{
	struct dso *d = dso_table_get(session_dsos(g->s), f->dso);
	struct source_frame frames[SOURCE_FRAMES_MAX];
	size_t nr = dso_source(d, f->at, frames, ARRAY_SIZE(frames));

	if (!nr || (nr == 1 && !frames[0].file))
		return;
	*VEC_PUSH(&object_of(g, f->dso)->places) = (struct embedded_place){
		.addr = f->at,
		.nr = (u32)nr,
		.frames = arena_dup(&g->out->arena, frames, nr * sizeof(*frames)),
	};
}

/* Adds those functions of a JIT compiler that were seen, with their times, instead of symbols. */
static void add_codes(struct gathering *g, dso_id id)
{
	struct embedded_object *o = object_of(g, id);
	const struct jitdump *j = dso_jitdump(dso_table_get(session_dsos(g->s), id));
	const struct symtab *st = dso_symtab(dso_table_get(session_dsos(g->s), id));

	o->symbols.nr = 0;
	if (!j)
		return;
	o->first_time = j->first_time;
	o->tsc = j->tsc;
	VEC_FOR(&j->codes, c) {
		u32 sym = symtab_find(st, c->place);
		struct jit_code *copy;

		if (sym == SYM_NONE || !is_seen(g, id, sym))
			continue;
		copy = VEC_PUSH(&o->codes);
		*copy = *c;
		copy->name = (u32)o->code_names.nr;
		*VEC_PUSH(&o->code_names) = j->names.buf + c->name;
	}
}

static void gather(struct gathering *g)
{
	u32 nr = session_nr_frames(g->s);

	for (frame_id i = 1; i <= nr; i++) {
		const struct frame *f = session_frame_get(g->s, i);

		if (!f->dso || f->sym == SYM_NONE || f->inlined ||
		    !is_wanted(g, dso_table_get(session_dsos(g->s), f->dso)))
			continue;
		add_symbol(g, f);
		if (g->what == COLLECT_LINES)
			add_place(g, f);
	}
	for (dso_id id = 1; id <= dso_table_count(session_dsos(g->s)); id++)
		if (g->objects[id] &&
		    dso_kind(dso_table_get(session_dsos(g->s), id)) == DSO_JITDUMP)
			add_codes(g, id);
}

static int cmp_object(const void *a, const void *b)
{
	const struct embedded_object *x = a, *y = b;
	int d = strcmp(x->name, y->name);

	if (!d)
		d = (int)x->kind - (int)y->kind;
	if (!d)
		d = (x->pid > y->pid) - (x->pid < y->pid);
	return d ? d : memcmp(x->id.bytes, y->id.bytes, sizeof(x->id.bytes));
}

/* Numbers of frames depend on timing: never sort by them. */
static void put_in_order(struct embedded *out)
{
	VEC_FOR(&out->objects, o) {
		VEC_SORT(&o->symbols, by_u64);
		VEC_SORT(&o->places, by_u64);
	}
	VEC_SORT(&out->objects, cmp_object);
}

int session_collect(struct session *s, enum collect_what what, struct embedded *out, struct err *e)
{
	struct session_consumer c = { .order = SESSION_UNORDERED,
				      .sample = what == COLLECT_JIT ? look_for_jit : look_at };
	struct gathering g = { .s = s, .what = what, .out = out, .name = STRBUF_INIT };

	if (session_run(s, &c, e))
		return -1;
	g.objects = XNEW_ARRAY(u32, dso_table_count(session_dsos(s)) + 1);
	gather(&g);
	put_in_order(out);
	free(g.objects);
	map_release(&g.seen);
	vec_free(&g.symbols);
	strbuf_release(&g.name);
	return 0;
}
