/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

enum {
	FRAME_SLOTS = 1 << 15,
	FRAME_TEXT_MAX = 6 << 20, /* bytes of texts kept; then the cache starts over */
};

struct slot {
	u64 ip;
	u64 batch; /* 0 = any, else only in this one: no mapping was found */
	u32 space;
	u8 cpumode;
	u8 form;
	bool used;
	struct frame_text *text;
};

struct frames {
	struct frames_opts o;
	struct arena arena;
	struct slot *slots;
	struct strbuf scratch;
};

struct frames *frames_new(const struct frames_opts *o)
{
	struct frames *f = XNEW(struct frames);

	f->o = *o;
	f->slots = XNEW_ARRAY(struct slot, FRAME_SLOTS);
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
	add_name(out, d ? dso_long_name(d) : "[unknown]", form);
	if (form & FORM_DSOFF && d) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, loc->addr);
	}
	strbuf_addch(out, ')');
}

static void render(struct frames *f, const struct location *loc, unsigned int form)
{
	struct strbuf *out = &f->scratch;

	strbuf_reset(out);
	if (form & FORM_CHAIN)
		strbuf_addch(out, '\t');
	if (!(form & FORM_NO_IP))
		strbuf_add_hex_width(out, form & FORM_CHAIN ? loc->addr : loc->ip, 16, ' ');
	if (form & FORM_SYM) {
		strbuf_addch(out, ' ');
		frame_add_symbol(out, f->o.dsos, loc, form);
	}
	if (form & (FORM_DSO | FORM_DSOFF)) {
		strbuf_addch(out, ' ');
		frame_add_dso(out, f->o.dsos, loc, form);
	}
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
	memset(f->slots, 0, FRAME_SLOTS * sizeof(*f->slots));
}

const struct frame_text *frames_get(struct frames *f, struct session_worker *w,
				    const struct site *site, u8 cpumode, u64 ip,
				    unsigned int form)
{
	u32 space = cpumode == PERF_RECORD_MISC_KERNEL ? 0 : site->space;
	u64 h = hash_u64(ip ^ ((u64)space << 40) ^ ((u64)form << 56));
	struct slot *s = &f->slots[h % FRAME_SLOTS];

	if (s->ip == ip && s->space == space && s->cpumode == cpumode && s->form == (u8)form &&
	    s->used && site->time >= s->text->loc.valid_from &&
	    (!s->batch || s->batch == session_batch_number(w)))
		return s->text;
	if (f->arena.used > FRAME_TEXT_MAX)
		start_over(f);
	struct frame_text *t = arena_alloc(&f->arena, sizeof(*t));

	session_resolve(w, site, cpumode, ip, &t->loc);
	render(f, &t->loc, form);
	t->len = (u32)f->scratch.len;
	t->text = arena_dup(&f->arena, f->scratch.buf, f->scratch.len);
	t->stop = is_stop(f, &t->loc);
	*s = (struct slot){ .ip = ip, .space = space, .cpumode = cpumode, .form = (u8)form,
			    .used = true, .text = t,
			    .batch = t->loc.map ? 0 : session_batch_number(w) };
	return t;
}
