/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/digits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "text/frame_cache.h"
#include "dso/source.h"

enum {
	SYMBOL_SETS = 1 << 13,
	SYMBOL_WAYS = 2,
	TEXT_STEP = 32,
	GAP_SIZE = 1 << 30, /* of addresses without a symbol are remembered at once */
	NEAR_SHIFT = 8, /* addresses of a block of that size have a set in common */
	PLAIN_FORM = FORM_CHAIN | FORM_SYM | FORM_SYMOFF | FORM_DSO | FORM_KERNEL_PATH,
};

enum symbol_flags {
	SYMBOL_EXACT = 1 << 0, /* holds for the address at start + size alone */
	SYMBOL_FAR = 1 << 1, /* its line is put together piece by piece: parts are too long, or
				escaped */
};

/* What addresses in an object have in common: a symbol, or that there is none. */
struct symbol_slot {
	u64 start; /* of the symbol, or of the addresses without one */
	const char *name; /* as shown, not escaped */
	u32 size; /* from start on */
	dso_id dso; /* 0 = empty */
	u32 sym;
	u16 len; /* of the name */
	u16 flags;
};

/* A cache line. New addresses come in at the end, and a hit moves one to the front. */
struct frame_set {
	struct symbol_slot ways[SYMBOL_WAYS];
};

/* " (/path/of/object)" */
struct dso_text {
	char *text; /* NULL = not made yet; TEXT_STEP bytes behind it may be read */
	size_t len;
};

struct frames {
	struct frames_opts o;
	struct frame_set *sets;
	void *sets_memory;
	VEC(struct dso_text) dsos; /* by dso */
	struct texts *texts; /* NULL until a form needs it */
};

struct frames *frames_new(const struct frames_opts *o)
{
	struct frames *f = XNEW(struct frames);

	f->o = *o;
	f->sets_memory = xcalloc(SYMBOL_SETS + 1, sizeof(*f->sets));
	f->sets = (struct frame_set *)ALIGN_UP((uintptr_t)f->sets_memory, sizeof(*f->sets));
	return f;
}

void frames_free(struct frames *f)
{
	if (!f)
		return;
	VEC_FOR(&f->dsos, d)
		free(d->text);
	vec_free(&f->dsos);
	texts_free(f->texts);
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
		strbuf_add_one_line(out, name);
}

void frame_add_symbol(struct strbuf *out, struct dso_table *dsos, const struct location *loc,
		      unsigned int form)
{
	const char *mark = form & FORM_GUESS ? " [guess]" : "";

	if (loc->sym == SYM_NONE) {
		strbuf_addf(out, "[unknown]%s", mark);
		return;
	}
	const struct symtab *st = dso_symtab(dso_table_get(dsos, loc->dso));

	add_name(out, symtab_name(st, loc->sym), form);
	strbuf_adds(out, mark);
	if (form & FORM_SYMOFF) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, loc->addr - symtab_start(st, loc->sym));
	}
}

/* The object's name, NULL = unknown. */
static const char *frame_dso_name(const struct dso *d, unsigned int form)
{
	/* as perf has it: the path of a module is that of its build id */
	if (d && dso_kind(d) == DSO_MODULE && !dso_build_id(d)->size && !(form & FORM_KERNEL_PATH))
		return dso_short_name(d);
	if (d && form & FORM_KERNEL_PATH && dso_kind(d) == DSO_KERNEL && dso_kernel_file(d))
		return dso_kernel_file(d);
	return d ? dso_long_name(d) : NULL;
}

void frame_add_dso(struct strbuf *out, struct dso_table *dsos, const struct location *loc,
		   unsigned int form)
{
	const struct dso *d = dso_table_get(dsos, loc->dso);
	const char *name = frame_dso_name(d, form);

	strbuf_addch(out, '(');
	add_name(out, name ? name : "[unknown]", form);
	if (form & FORM_DSOFF && d) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, loc->addr);
	}
	strbuf_addch(out, ')');
}

/* place NULL: the object has no debug information. */
static void add_place(struct frames *f, const struct location *loc,
		      const struct source_frame *place, unsigned int form, struct strbuf *out)
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

/* A function that was inlined at the address: as perf shows it, by its distance from the real one.
 */
static void add_inlined(struct frames *f, const struct location *loc,
			const struct source_frame *place, unsigned int form, struct strbuf *out)
{
	add_address(out, loc, form);
	if (form & FORM_SYM) {
		strbuf_addch(out, ' ');
		add_name(out, place->function, form);
	}
	if (form & FORM_SYM && form & FORM_SYMOFF && loc->sym != SYM_NONE) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, loc->addr - symtab_start(dso_symtab(dso_table_get(f->o.dsos,
										      loc->dso)),
							     loc->sym));
	}
	if (form & FORM_SRCLINE)
		add_place(f, loc, place, form, out);
	strbuf_adds(out, " (inlined)\n");
}

static void render(struct frames *f, const struct location *loc, unsigned int form,
		   struct strbuf *out)
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

static bool is_stop(const struct frames *f, const struct symbol_slot *s)
{
	return f->o.nr_stop && s->sym != SYM_NONE &&
	       bsearch(&s->name, f->o.stop, f->o.nr_stop, sizeof(s->name), by_string);
}

/* ------------------------------------------------------------------ symbols */

static inline bool slot_holds(const struct symbol_slot *s, dso_id dso, u64 addr)
{
	u64 distance = addr - s->start;

	return s->dso == dso &&
	       (UNLIKELY(s->flags & SYMBOL_EXACT) ? distance == s->size : distance < s->size);
}

static inline struct frame_set *find_set(const struct frames *f, dso_id dso, u64 addr)
{
	u64 h = (addr >> NEAR_SHIFT ^ (u64)dso << 33) * 0x9e3779b97f4a7c15ULL;

	return &f->sets[(h >> 40) % SYMBOL_SETS];
}

void frames_find(const struct frames *f, struct code_line *line)
{
	line->set = find_set(f, line->dso, line->addr);
	__builtin_prefetch(line->set);
}

static void resolve(const struct frames *f, dso_id dso, u64 addr, struct symbol_slot *out)
{
	const struct symtab *st = dso_symtab(dso_table_get(f->o.dsos, dso));
	u64 from, until, start;
	size_t len;

	*out = (struct symbol_slot){ .dso = dso,
				     .sym = symtab_find_around(st, addr, &from, &until),
				     .name = "[unknown]" };
	if (out->sym == SYM_NONE) {
		/* remember the gap around the address, at most GAP_SIZE of it */
		from = MAX(from, addr / GAP_SIZE * GAP_SIZE);
		until = MIN(until - from, (u64)GAP_SIZE) + from;
	}
	start = from;
	if (out->sym != SYM_NONE) {
		out->name = symtab_name(st, out->sym);
		start = symtab_start(st, out->sym);
	}
	len = strlen(out->name);
	out->start = start;
	out->size = (u32)MIN(until - start, (u64)UINT32_MAX);
	out->len = (u16)len;
	if (from != start) {
		out->size = (u32)(addr - start);
		out->flags = SYMBOL_EXACT;
	}
	if (addr - start >= UINT32_MAX || len > UINT16_MAX ||
	    out->name[strcspn(out->name, "\n\r")]) {
		out->start = addr;
		out->size = 0;
		out->flags = SYMBOL_EXACT | SYMBOL_FAR;
	}
}

static inline const struct symbol_slot *symbol_at(struct frames *f, struct frame_set *set,
						  dso_id dso, u64 addr)
{
	struct symbol_slot *ways = set->ways;
	struct symbol_slot s = ways[0];

	if (LIKELY(slot_holds(&s, dso, addr)))
		return &ways[0];
	if (slot_holds(&ways[1], dso, addr)) {
		ways[0] = ways[1];
		ways[1] = s;
		return &ways[0];
	}
	resolve(f, dso, addr, &ways[1]);
	return &ways[1];
}

/* ------------------------------------------------------------------ lines */

static __attribute__((noinline)) const struct dso_text *make_dso_text(struct frames *f, dso_id dso,
								      unsigned int form)
{
	while (f->dsos.nr <= dso)
		*VEC_PUSH(&f->dsos) = (struct dso_text){ 0 };
	const struct location loc = { .dso = dso };
	struct dso_text *d = &f->dsos.v[dso];
	struct strbuf text = STRBUF_INIT;

	strbuf_addch(&text, ' ');
	frame_add_dso(&text, f->o.dsos, &loc, form & FORM_KERNEL_PATH);
	d->len = text.len;
	strbuf_pad(&text, '\0', TEXT_STEP);
	d->text = strbuf_detach(&text);
	return d;
}

static inline const struct dso_text *dso_text(struct frames *f, dso_id dso, unsigned int form)
{
	if (LIKELY(dso < f->dsos.nr && f->dsos.v[dso].text))
		return &f->dsos.v[dso];
	return make_dso_text(f, dso, form);
}

/* The text of a form that is made of few parts. */
static inline void add_plain(struct frames *f, const struct symbol_slot *s, dso_id dso, u64 addr,
			     unsigned int form, struct strbuf *out)
{
	const struct dso_text *d = form & FORM_DSO ? dso_text(f, dso, form) : NULL;
	size_t most = 2 * DIGITS_ROOM + 8 + s->len + (d ? d->len + TEXT_STEP : 0);

	if (UNLIKELY(out->cap < out->len + most))
		strbuf_grow(out, most);
	char *p = out->buf + out->len;

	if (form & FORM_CHAIN) {
		*p = '\t';
		p = digits_put_hex16(p + 1, addr);
	}
	if (form & FORM_SYM) {
		*p++ = ' ';
		memcpy(p, s->name, s->len);
		p += s->len;
		if (form & FORM_SYMOFF && s->sym != SYM_NONE) {
			memcpy(p, "+0x", 3);
			p = digits_put_hex(p + 3, addr - s->start);
		}
	}
	if (d) {
		for (size_t i = 0; i < d->len; i += TEXT_STEP)
			memcpy(p + i, d->text + i, TEXT_STEP);
		p += d->len;
	}
	if (form & FORM_CHAIN)
		*p++ = '\n';
	*p = '\0';
	out->len = (size_t)(p - out->buf);
}

static void add_rendered(struct frames *f, const struct symbol_slot *s, u64 addr, unsigned int form,
			 struct strbuf *out)
{
	const struct location loc = { .dso = s->dso, .addr = addr, .ip = addr, .sym = s->sym };
	const struct text_key key = { .addr = addr, .dso = s->dso, .form = (u16)form };
	const char *text;
	size_t len;

	if (!f->texts)
		f->texts = texts_new();
	text = texts_get(f->texts, &key, &len);
	if (text) {
		strbuf_add(out, text, len);
		return;
	}
	size_t start = out->len;

	render(f, &loc, form, out);
	texts_put(f->texts, &key, out->buf + start, out->len - start);
}

static inline void add_line(struct frames *f, const struct symbol_slot *s, u64 addr,
			    unsigned int form, struct strbuf *out)
{
	if (LIKELY(!(form & ~(unsigned int)PLAIN_FORM) && !(s->flags & SYMBOL_FAR)))
		add_plain(f, s, s->dso, addr, form, out);
	else
		add_rendered(f, s, addr, form, out);
}

static __attribute__((noinline)) void add_unmapped_guess(u64 ip, unsigned int form,
							 struct strbuf *out)
{
	strbuf_addf(out, "\t%16llx%s%s\n", (unsigned long long)ip,
		    form & FORM_SYM ? " [unknown] [guess]" : "",
		    form & (FORM_DSO | FORM_DSOFF) ? " ([unknown])" : "");
}

static inline void add_unmapped(u64 ip, unsigned int form, struct strbuf *out)
{
	if (UNLIKELY(form & FORM_GUESS)) {
		add_unmapped_guess(ip, form, out);
		return;
	}
	static const char texts[][TEXT_STEP] = { "", " [unknown]", " ([unknown])",
						 " [unknown] ([unknown])" };
	static const u8 lens[] = { 0, 10, 12, 22 };
	unsigned int i = (form & FORM_SYM ? 1 : 0) + (form & (FORM_DSO | FORM_DSOFF) ? 2 : 0);

	if (out->cap < out->len + 64)
		strbuf_grow(out, 64);
	char *p = out->buf + out->len;

	if (form & FORM_CHAIN) {
		*p = '\t';
		p = digits_put_hex16(p + 1, ip);
	}
	memcpy(p, texts[i], TEXT_STEP);
	p += lens[i];
	if (form & FORM_CHAIN)
		*p++ = '\n';
	*p = '\0';
	out->len = (size_t)(p - out->buf);
}

void frames_add_lines(struct frames *f, struct code_line *lines, u32 nr, struct strbuf *out)
{
	size_t start = out->len;

	for (struct code_line *l = lines; l < lines + nr; l++)
		if (l->dso && slot_holds(&l->set->ways[0], l->dso, l->addr))
			__builtin_prefetch(l->set->ways[0].name);
	for (struct code_line *l = lines; l < lines + nr; l++) {
		l->text = (u32)(out->len - start);
		if (l->dso)
			add_line(f, symbol_at(f, l->set, l->dso, l->addr), l->addr, l->form, out);
		else if (l->form)
			add_unmapped(l->value, l->form, out);
	}
}

bool frames_add(struct frames *f, struct session_worker *w, const struct site *site, u8 cpumode,
		u64 ip, unsigned int form, struct strbuf *out)
{
	struct code_place place;

	session_place(w, site, cpumode, ip, &place);
	if (!place.dso) {
		add_unmapped(ip, form, out);
		return false;
	}
	u64 addr = ip + place.shift;
	const struct symbol_slot *s = symbol_at(f, find_set(f, place.dso, addr), place.dso, addr);

	add_line(f, s, addr, form, out);
	return is_stop(f, s);
}

void frames_locate(struct frames *f, struct session_worker *w, const struct site *site, u8 cpumode,
		   u64 ip, struct location *out)
{
	struct code_place place;

	session_place(w, site, cpumode, ip, &place);
	*out = (struct location){ .ip = ip,
				  .addr = ip + place.shift,
				  .dso = place.dso,
				  .map = place.map,
				  .sym = SYM_NONE };
	if (place.dso)
		out->sym =
			symbol_at(f, find_set(f, place.dso, out->addr), place.dso, out->addr)->sym;
}

/* ------------------------------------------------------------------ objects of JSON */

void json_hex(struct json *j, const char *key, u64 v)
{
	char text[DIGITS_ROOM] = "0x";

	*digits_put_hex(text + 2, v) = '\0';
	json_string(j, key, text);
}

/* place NULL: the object has no debug information. */
static void json_place(const struct frames *f, const struct source_frame *place, struct json *j)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (place && place->file)
		source_add_place(&text, place, f->o.full_source_path);
	json_string(j, "srcline", text.len ? text.buf : NULL);
}

/* Functions that were inlined there, the innermost first. */
static void json_inlined(const struct frames *f, const struct source_frame *places, size_t nr,
			 unsigned int form, struct json *j)
{
	if (nr)
		json_array(j, "inlined", JSON_TIGHT);
	for (size_t i = 0; i < nr; i++) {
		json_object(j, NULL, JSON_TIGHT);
		json_string(j, "sym", places[i].function);
		if (form & FORM_SRCLINE)
			json_place(f, &places[i], j);
		json_end(j);
	}
	if (nr)
		json_end(j);
}

/* What stands behind the address. */
static void json_members(const struct frames *f, const struct location *loc, unsigned int form,
			 struct json *j)
{
	struct source_frame places[SOURCE_FRAMES_MAX];
	struct dso *d = dso_table_get(f->o.dsos, loc->dso);
	const struct symtab *st = loc->sym != SYM_NONE ? dso_symtab(d) : NULL;
	size_t nr = 0, inlined;

	if (d && form & (FORM_SRCLINE | FORM_INLINE))
		nr = dso_source(d, loc->addr, places, ARRAY_SIZE(places));
	inlined = form & FORM_INLINE && nr ? nr - 1 : 0;
	if (form & FORM_SYM)
		json_string(j, "sym", st ? symtab_name(st, loc->sym) : NULL);
	if (form & FORM_SYMOFF && st)
		json_u64(j, "symoff", loc->addr - symtab_start(st, loc->sym));
	if (form & (FORM_DSO | FORM_DSOFF))
		json_string(j, "dso", frame_dso_name(d, form));
	if (form & FORM_DSOFF && d)
		json_hex(j, "dsoff", loc->addr);
	if (form & FORM_SRCLINE)
		json_place(f, nr ? &places[inlined] : NULL, j);
	json_inlined(f, places, inlined, form, j);
	if (form & FORM_GUESS)
		json_bool(j, "guess", true);
}

bool frames_add_json(struct frames *f, struct session_worker *w, const struct site *site,
		     u8 cpumode, u64 ip, unsigned int form, const char *key, struct json *j)
{
	struct text_key kept = { .form = (u16)(form | FORM_JSON) };
	struct location loc = { .sym = SYM_NONE };
	const struct symbol_slot *s;
	struct code_place place;
	const char *text = NULL;
	bool stop = false;
	size_t len = 0, start;

	session_place(w, site, cpumode, ip, &place);
	kept.addr = loc.addr = ip + place.shift;
	kept.dso = loc.dso = place.dso;
	if (loc.dso) {
		s = symbol_at(f, find_set(f, loc.dso, loc.addr), loc.dso, loc.addr);
		loc.sym = s->sym;
		stop = is_stop(f, s);
	}
	json_object(j, key, JSON_TIGHT);
	json_hex(j, "ip", ip);
	if (!f->texts)
		f->texts = texts_new();
	if (loc.dso)
		text = texts_get(f->texts, &kept, &len);
	start = j->out->len;
	if (text)
		strbuf_add(j->out, text, len);
	else
		json_members(f, &loc, form, j);
	if (!text && loc.dso)
		texts_put(f->texts, &kept, j->out->buf + start, j->out->len - start);
	json_end(j);
	return stop;
}
