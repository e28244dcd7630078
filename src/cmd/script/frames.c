/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/source.h"

enum {
	FRAME_SETS = 1 << 13,
	FRAME_WAYS = 4,
	RING_SIZE = 2 << 20,
	UNIT = 8, /* bytes; texts begin at multiples of it */
};

/* What is looked at for every frame of every sample. */
struct slot {
	u64 addr;
	dso_id dso; /* 0 = empty */
	u32 text;   /* units written before it */
};

/* A cache line. New addresses come in at the end, and a hit moves one to the front. */
struct frame_set {
	struct slot ways[FRAME_WAYS];
};

/*
 * Texts lie in a ring: the oldest one is overwritten, and the slot that knows it sees that from its
 * age. One that is asked for shortly before is written again.
 */
struct frames {
	struct frames_opts o;
	struct frame_set *sets;
	void *sets_memory;
	u8 *ring;
	u32 written; /* units, from the start; modulo 2^32 */
	struct strbuf scratch;
	struct frame_text *large; /* does not fit into the ring */
};

struct frames *frames_new(const struct frames_opts *o)
{
	struct frames *f = XNEW(struct frames);

	f->o = *o;
	f->sets_memory = xcalloc(1, (FRAME_SETS + 1) * sizeof(*f->sets));
	f->sets = (struct frame_set *)ALIGN_UP((uintptr_t)f->sets_memory, sizeof(*f->sets));
	f->ring = xmalloc(RING_SIZE + FRAMES_SLACK);
	f->scratch = (struct strbuf)STRBUF_INIT;
	return f;
}

void frames_free(struct frames *f)
{
	if (!f)
		return;
	strbuf_release(&f->scratch);
	free(f->large);
	free(f->ring);
	free(f->sets_memory);
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
		      unsigned int form, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	strbuf_adds(out, "\n  ");
	if (place && place->file)
		source_add_place(&text, place, f->o.full_source_path);
	else
		strbuf_addf(&text, "%s[%llx]", dso_short_name(dso_table_get(f->o.dsos, loc->dso)),
			    (unsigned long long)loc->addr);
	add_name(out, text.buf, form);
}

static void add_address(struct strbuf *out, const struct location *loc, unsigned int form)
{
	if (!(form & FORM_CHAIN))
		return;
	strbuf_addch(out, '\t');
	strbuf_add_hex_width(out, loc->addr, 16, ' ');
}

/* A function that was inlined at the address: as perf shows it, by its distance from the real one. */
static void add_inlined(struct frames *f, const struct location *loc, const struct source_frame *place,
			unsigned int form, struct strbuf *out)
{
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
		add_place(f, loc, place, form, out);
	strbuf_adds(out, " (inlined)\n");
}

static void render(struct frames *f, const struct location *loc, unsigned int form, struct strbuf *out)
{
	struct source_frame places[SOURCE_FRAMES_MAX];
	struct dso *d = dso_table_get(f->o.dsos, loc->dso);
	size_t nr = 0;
	size_t base = 0;

	if (d && form & (FORM_SRCLINE | FORM_INLINE))
		nr = dso_source(d, loc->addr, places, ARRAY_SIZE(places));
	for (; form & FORM_INLINE && base + 1 < nr; base++)
		add_inlined(f, loc, &places[base], form, out);
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
		add_place(f, loc, nr ? &places[base] : NULL, form, out);
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

static u32 units(size_t len)
{
	return (u32)(ALIGN_UP(sizeof(struct frame_text) + len, UNIT) / UNIT);
}

static struct frame_text *text_at(const struct frames *f, u32 text)
{
	return (struct frame_text *)(void *)(f->ring + (size_t)text * UNIT % RING_SIZE);
}

/* Units that were written since the text began; as long as they are fewer than the ring has, it is there. */
static u32 age(const struct frames *f, const struct slot *s)
{
	return f->written - s->text;
}

/* Room for a text in the ring. */
static u32 reserve(struct frames *f, u32 nr)
{
	u32 rest = RING_SIZE / UNIT - f->written % (RING_SIZE / UNIT);
	u32 at = f->written + (nr > rest ? rest : 0);

	/* the count of units starts over: what is older would look young */
	if (at + nr < f->written)
		memset(f->sets, 0, FRAME_SETS * sizeof(*f->sets));
	f->written = at + nr;
	return at;
}

struct frame_set *frames_find(const struct frames *f, dso_id dso, u64 addr, unsigned int form)
{
	u64 h = (addr ^ ((u64)dso << 40) ^ ((u64)form << 55)) * 0x9e3779b97f4a7c15ULL;
	struct frame_set *set = &f->sets[(h >> 40) % FRAME_SETS];

	__builtin_prefetch(set);
	return set;
}

void frames_prefetch(const struct frames *f, const struct frame_set *set, dso_id dso, u64 addr)
{
	for (const struct slot *s = set->ways; s < set->ways + FRAME_WAYS; s++)
		if (s->addr == addr && s->dso == dso) {
			const char *t = (const char *)text_at(f, s->text);

			__builtin_prefetch(t);
			__builtin_prefetch(t + 64);
			return;
		}
}

static void locate(const struct frames *f, dso_id dso, u64 addr, struct location *out)
{
	*out = (struct location){ .dso = dso, .addr = addr, .sym = SYM_NONE };
	if (dso)
		out->sym = symtab_find(dso_symtab(dso_table_get(f->o.dsos, dso)), addr);
}

static const struct frame_text *make_text(struct frames *f, struct slot *s, dso_id dso, u64 addr,
					  unsigned int form)
{
	struct frame_text *t;
	struct location loc;

	locate(f, dso, addr, &loc);
	strbuf_reset(&f->scratch);
	render(f, &loc, form, &f->scratch);
	if (f->scratch.len < RING_SIZE / 16) {
		*s = (struct slot){ addr, dso, reserve(f, units(f->scratch.len)) };
		t = text_at(f, s->text);
	} else {
		free(f->large);
		f->large = t = xmalloc(sizeof(*t) + f->scratch.len + FRAMES_SLACK);
	}
	t->len = (u32)f->scratch.len;
	t->sym = loc.sym;
	t->form = (u16)form;
	t->stop = is_stop(f, &loc);
	memcpy(t->text, f->scratch.buf, f->scratch.len);
	return t;
}

/* A text that would be overwritten soon moves to the front of the ring. */
static void renew(struct frames *f, struct slot *s)
{
	const struct frame_text *old = text_at(f, s->text);
	u32 nr = units(old->len);
	u32 at;

	if (age(f, s) + 2 * RING_SIZE / 16 / UNIT >= RING_SIZE / UNIT)
		return; /* what is reserved may be where it lies */
	at = reserve(f, nr);
	memcpy(text_at(f, at), old, sizeof(*old) + old->len);
	s->text = at;
}

const struct frame_text *frames_get(struct frames *f, struct frame_set *set, dso_id dso, u64 addr,
				    unsigned int form)
{
	struct slot *ways = set->ways;

	for (size_t i = 0; i < FRAME_WAYS; i++) {
		struct slot *s = &ways[i];

		if (s->addr != addr || s->dso != dso || age(f, s) > RING_SIZE / UNIT ||
		    text_at(f, s->text)->form != (u16)form)
			continue;
		if (age(f, s) > RING_SIZE / UNIT / 4 * 3)
			renew(f, s);
		u32 text = s->text;

		if (i) {
			struct slot swap = ways[i - 1];

			ways[i - 1] = *s;
			*s = swap;
		}
		return text_at(f, text);
	}
	for (size_t i = 0; i < FRAME_WAYS; i++)
		if (!ways[i].dso || age(f, &ways[i]) > RING_SIZE / UNIT)
			return make_text(f, &ways[i], dso, addr, form);
	return make_text(f, &ways[FRAME_WAYS - 1], dso, addr, form);
}

void frames_add_unmapped(struct frames *f, u64 ip, unsigned int form, struct strbuf *out)
{
	const struct location loc = { .addr = ip, .sym = SYM_NONE };

	render(f, &loc, form, out);
}

bool frames_add(struct frames *f, struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		unsigned int form, struct strbuf *out)
{
	struct code_place place;

	session_place(w, site, cpumode, ip, &place);
	if (!place.dso) {
		frames_add_unmapped(f, ip, form, out);
		return false;
	}
	const struct frame_text *t = frames_get(f, frames_find(f, place.dso, place.addr, form),
						place.dso, place.addr, form);

	strbuf_add(out, t->text, t->len);
	return t->stop;
}

void frames_locate(struct frames *f, struct session_worker *w, const struct site *site, u8 cpumode,
		   u64 ip, struct location *out)
{
	struct code_place place;

	session_place(w, site, cpumode, ip, &place);
	*out = (struct location){ .ip = ip, .addr = place.addr, .dso = place.dso, .map = place.map,
				  .sym = SYM_NONE };
	if (place.dso)
		out->sym = frames_get(f, frames_find(f, place.dso, place.addr, 0), place.dso, place.addr,
				      0)->sym;
}
