/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/source.h"

enum {
	FRAME_SETS = 1 << 14,
	FRAME_WAYS = 2,
	FRAME_TEXT_MAX = 3 << 20, /* bytes of texts kept; then the cache starts over */
};

/* What is looked at for every frame of every sample: one and a half fit in a cache line. */
struct slot {
	u64 ip;
	u64 valid_from;
	struct frame_text *text; /* NULL = empty */
	u32 space;
	u32 batch;   /* 0 = any, else only in this one: no mapping was found */
	u32 use;     /* the lower of a set goes first */
	u8 cpumode;
	u16 form;
};

struct frames {
	struct frames_opts o;
	struct arena arena;
	struct slot *slots; /* FRAME_SETS * FRAME_WAYS */
	struct strbuf scratch;
	u32 clock;
};

struct frames *frames_new(const struct frames_opts *o)
{
	struct frames *f = XNEW(struct frames);

	f->o = *o;
	f->slots = XNEW_ARRAY(struct slot, FRAME_SETS * FRAME_WAYS);
	f->scratch = (struct strbuf)STRBUF_INIT;
	return f;
}

void frames_free(struct frames *f)
{
	if (!f)
		return;
	arena_release(&f->arena);
	strbuf_release(&f->scratch);
	free(f->slots);
	free(f);
}

bool frames_may_stop(const struct frames *f)
{
	return f->o.nr_stop > 0;
}

static void add_name(struct strbuf *out, const char *name, unsigned int form)
{
	if (form & FORM_ESCAPE)
		strbuf_add_escaped(out, name);
	else
		strbuf_adds(out, name);
}

void frame_add_symbol(struct strbuf *out, struct dso_table *dsos, const struct location *loc,
		      unsigned int form)
{
	if (loc->sym == SYM_NONE) {
		strbuf_adds(out, "[unknown]");
		return;
	}
	const struct symtab *st = dso_symtab(dso_table_get(dsos, loc->dso));

	add_name(out, symtab_name(st, loc->sym), form);
	if (form & FORM_SYMOFF) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, loc->addr - symtab_start(st, loc->sym));
	}
}

void frame_add_dso(struct strbuf *out, struct dso_table *dsos, const struct location *loc,
		   unsigned int form)
{
	const struct dso *d = dso_table_get(dsos, loc->dso);

	strbuf_addch(out, '(');
	const char *name = d ? dso_long_name(d) : "[unknown]";

	/* as perf has it: the path of a module is that of its build id */
	if (d && dso_kind(d) == DSO_MODULE && !dso_build_id(d)->size)
		name = dso_short_name(d);
	if (d && form & FORM_KERNEL_PATH && dso_kind(d) == DSO_KERNEL && dso_kernel_file(d))
		name = dso_kernel_file(d);
	add_name(out, name, form);
	if (form & FORM_DSOFF && d) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, loc->addr);
	}
	strbuf_addch(out, ')');
}

/* place NULL: the object has no debug information. */
static void add_place(struct frames *f, const struct location *loc, const struct source_frame *place,
		      unsigned int form)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&f->scratch, "\n  ");
	if (place && place->file)
		source_add_place(&text, place, f->o.full_source_path);
	else
		strbuf_addf(&text, "%s[%llx]", dso_short_name(dso_table_get(f->o.dsos, loc->dso)),
			    (unsigned long long)loc->addr);
	add_name(&f->scratch, text.buf, form);
}

static void add_address(struct strbuf *out, const struct location *loc, unsigned int form)
{
	if (form & FORM_CHAIN)
		strbuf_addch(out, '\t');
	if (!(form & FORM_NO_IP))
		strbuf_add_hex_width(out, form & FORM_CHAIN ? loc->addr : loc->ip, 16, ' ');
}

/* A function that was inlined at the address: as perf shows it, by its distance from the real one. */
static void add_inlined(struct frames *f, const struct location *loc, const struct source_frame *place,
			unsigned int form)
{
	struct strbuf *out = &f->scratch;

	add_address(out, loc, form);
	if (form & FORM_SYM) {
		strbuf_addch(out, ' ');
		add_name(out, place->function, form);
	}
	if (form & FORM_SYM && form & FORM_SYMOFF && loc->sym != SYM_NONE) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, loc->addr - symtab_start(dso_symtab(dso_table_get(f->o.dsos, loc->dso)),
							     loc->sym));
	}
	if (form & FORM_SRCLINE)
		add_place(f, loc, place, form);
	strbuf_adds(out, " (inlined)\n");
}

static void render(struct frames *f, const struct location *loc, unsigned int form)
{
	struct source_frame places[SOURCE_FRAMES_MAX];
	struct strbuf *out = &f->scratch;
	struct dso *d = dso_table_get(f->o.dsos, loc->dso);
	size_t nr = 0;
	size_t base = 0;

	strbuf_reset(out);
	if (d && form & (FORM_SRCLINE | FORM_INLINE))
		nr = dso_source(d, loc->addr, places, ARRAY_SIZE(places));
	for (; form & FORM_INLINE && base + 1 < nr; base++)
		add_inlined(f, loc, &places[base], form);
	add_address(out, loc, form);
	if (form & FORM_SYM) {
		strbuf_addch(out, ' ');
		frame_add_symbol(out, f->o.dsos, loc, form);
	}
	if (form & (FORM_DSO | FORM_DSOFF)) {
		strbuf_addch(out, ' ');
		frame_add_dso(out, f->o.dsos, loc, form);
	}
	if (form & FORM_SRCLINE && d)
		add_place(f, loc, nr ? &places[base] : NULL, form);
	if (form & FORM_CHAIN)
		strbuf_addch(out, '\n');
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_stop(const struct frames *f, const struct location *loc)
{
	if (!f->o.nr_stop || loc->sym == SYM_NONE)
		return false;
	const char *name = symtab_name(dso_symtab(dso_table_get(f->o.dsos, loc->dso)), loc->sym);

	return bsearch(&name, f->o.stop, f->o.nr_stop, sizeof(name), by_name) != NULL;
}

static void start_over(struct frames *f)
{
	arena_release(&f->arena);
	memset(f->slots, 0, FRAME_SETS * FRAME_WAYS * sizeof(*f->slots));
}

static struct slot *find_set(const struct frames *f, u32 space, u64 ip, unsigned int form)
{
	u64 h = (ip ^ ((u64)space << 40) ^ ((u64)form << 54)) * 0x9e3779b97f4a7c15ULL;

	return &f->slots[(h >> 40) % FRAME_SETS * FRAME_WAYS];
}

static u32 space_of(const struct site *site, u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL ? 0 : site->space;
}

void frames_prefetch(const struct frames *f, const struct site *site, u8 cpumode, u64 ip,
		     unsigned int form)
{
	const struct slot *set = find_set(f, space_of(site, cpumode), ip, form);

	__builtin_prefetch(set);
	__builtin_prefetch((const char *)set + 64);
}

static struct frame_text *make_text(struct frames *f, struct session_worker *w,
				    const struct site *site, u8 cpumode, u64 ip, unsigned int form)
{
	struct location loc;

	session_locate(w, site, cpumode, ip, &loc);
	render(f, &loc, form);
	if (f->arena.used > FRAME_TEXT_MAX)
		start_over(f);
	struct frame_text *t = arena_alloc(&f->arena, sizeof(*t) + f->scratch.len);

	t->loc = loc;
	t->len = (u32)f->scratch.len;
	t->stop = is_stop(f, &loc);
	memcpy(t->text, f->scratch.buf, f->scratch.len);
	return t;
}

const struct frame_text *frames_get(struct frames *f, struct session_worker *w,
				    const struct site *site, u8 cpumode, u64 ip,
				    unsigned int form)
{
	u32 space = space_of(site, cpumode);
	struct slot *set = find_set(f, space, ip, form);
	struct slot *victim = set;
	u32 batch = (u32)session_batch_number(w);

	for (struct slot *s = set; s < set + FRAME_WAYS; s++) {
		if (s->ip == ip && s->space == space && s->cpumode == cpumode &&
		    s->form == (u16)form && s->text && site->time >= s->valid_from &&
		    (!s->batch || s->batch == batch)) {
			s->use = ++f->clock;
			return s->text;
		}
		if (s->use < victim->use)
			victim = s;
	}
	struct frame_text *t = make_text(f, w, site, cpumode, ip, form);

	*victim = (struct slot){ .ip = ip, .valid_from = t->loc.valid_from, .text = t,
				 .space = space, .batch = t->loc.map ? 0 : batch,
				 .use = ++f->clock, .cpumode = cpumode, .form = (u16)form };
	return t;
}
