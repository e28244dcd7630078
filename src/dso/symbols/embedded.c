/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symbols/embedded.h"

#include <errno.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/compare.h"
#include "base/hash.h"
#include "base/intern.h"
#include "dso/dso_internal.h"

enum { VERSION = 1, ID_BYTES = 20 };
/* Bytes that the smallest of each takes. */
enum { OBJECT_MIN = 64, SYMBOL_SIZE = 24, PLACE_MIN = 16, FRAME_SIZE = 20, CODE_SIZE = 40 };

static void put32(struct strbuf *out, u32 v)
{
	strbuf_add(out, &v, sizeof(v));
}

static void put64(struct strbuf *out, u64 v)
{
	strbuf_add(out, &v, sizeof(v));
}

/* ---- writing ---- */

/* Strings once each; numbers are offsets in the blob, 0 = none. */
struct name_blob {
	struct strbuf bytes;
	struct intern names;
	VEC(u32) offsets; /* by number of names */
};

static u32 name_offset(struct name_blob *b, const char *name)
{
	str_id id;

	if (!b->offsets.nr) {
		*VEC_PUSH(&b->offsets) = 0;
		strbuf_addch(&b->bytes, '\0');
	}
	id = name ? intern_adds(&b->names, name) : 0;
	if (id == b->offsets.nr) {
		*VEC_PUSH(&b->offsets) = (u32)b->bytes.len;
		strbuf_add(&b->bytes, name, strlen(name) + 1);
	}
	return b->offsets.v[id];
}

static void write_object(const struct embedded_object *o, struct name_blob *names,
			 struct strbuf *out)
{
	u8 id[ID_BYTES + 4] = { 0 };

	memcpy(id, o->id.bytes, MIN(o->id.size, (u8)ID_BYTES));
	id[ID_BYTES] = MIN(o->id.size, (u8)ID_BYTES);
	put32(out, (u32)o->kind);
	put32(out, o->pid);
	put32(out, name_offset(names, o->name));
	put32(out, o->tsc);
	strbuf_add(out, id, sizeof(id));
	put64(out, o->first_time);
	put32(out, (u32)o->symbols.nr);
	put32(out, (u32)o->places.nr);
	put32(out, (u32)o->codes.nr);
	put32(out, 0);
	VEC_FOR(&o->symbols, s) {
		put64(out, s->start);
		put64(out, s->end);
		put32(out, name_offset(names, s->name));
		put32(out, s->binding | (u32)s->flags << 8);
	}
	VEC_FOR(&o->places, p) {
		put64(out, p->addr);
		put32(out, p->nr);
		put32(out, 0);
		for (u32 i = 0; i < p->nr; i++) {
			const struct source_frame *f = &p->frames[i];

			put32(out, name_offset(names, f->raw));
			put32(out, name_offset(names, f->dir));
			put32(out, name_offset(names, f->comp_dir));
			put32(out, name_offset(names, f->file));
			put32(out, f->line);
		}
	}
	VEC_FOR(&o->codes, c) {
		put64(out, c->time);
		put64(out, c->addr);
		put64(out, c->size);
		put64(out, c->place);
		put32(out, name_offset(names, o->code_names.v[c->name]));
		put32(out, 0);
	}
}

void embedded_write(const struct embedded *e, struct strbuf *body)
{
	struct name_blob names = { .bytes = STRBUF_INIT };
	struct strbuf objects = STRBUF_INIT;
	u32 symbols = 0, places = 0;

	name_offset(&names, NULL);
	VEC_FOR(&e->objects, o) {
		write_object(o, &names, &objects);
		symbols += (u32)(o->symbols.nr + o->codes.nr);
		places += (u32)o->places.nr;
	}
	put32(body, VERSION);
	put32(body, (u32)e->objects.nr);
	put32(body, symbols);
	put32(body, places);
	put64(body, names.bytes.len);
	strbuf_add(body, names.bytes.buf, names.bytes.len);
	strbuf_add(body, objects.buf, objects.len);
	strbuf_release(&names.bytes);
	intern_release(&names.names);
	vec_free(&names.offsets);
	strbuf_release(&objects);
}

/* ---- reading ---- */

struct embedded_cursor {
	const u8 *at, *end;
	const char *names;
	u64 names_size;
	bool swap, bad;
	struct arena *arena;
};

static const u8 *take(struct embedded_cursor *c, size_t n)
{
	const u8 *p = c->at;

	if (c->bad || (size_t)(c->end - c->at) < n) {
		c->bad = true;
		return NULL;
	}
	c->at += n;
	return p;
}

static u32 take32(struct embedded_cursor *c)
{
	const u8 *p = take(c, 4);
	u32 v = p ? bits_u32(p) : 0;

	return c->swap ? __builtin_bswap32(v) : v;
}

static u64 take64(struct embedded_cursor *c)
{
	const u8 *p = take(c, 8);
	u64 v = p ? bits_u64(p) : 0;

	return c->swap ? __builtin_bswap64(v) : v;
}

/* NULL for none. The blob ends in a NUL. */
static const char *take_name(struct embedded_cursor *c)
{
	u32 offset = take32(c);

	if (offset >= c->names_size) {
		c->bad = true;
		return NULL;
	}
	return offset ? c->names + offset : NULL;
}

/* A count of what takes at least so many bytes each. */
static u32 checked(struct embedded_cursor *c, u32 nr, size_t size)
{
	if (nr > (size_t)(c->end - c->at) / size)
		c->bad = true;
	return c->bad ? 0 : nr;
}

static void read_symbols(struct embedded_cursor *c, struct embedded_object *o, u32 nr)
{
	nr = checked(c, nr, SYMBOL_SIZE);
	if (nr)
		VEC_GROW(&o->symbols, nr);
	for (u32 i = 0; i < nr; i++) {
		struct embedded_symbol s = { .start = take64(c), .end = take64(c) };
		u32 kind;

		s.name = take_name(c);
		kind = take32(c);
		s.binding = (u8)kind;
		s.flags = (u8)(kind >> 8);
		if (s.name && s.end > s.start)
			*VEC_PUSH(&o->symbols) = s;
	}
}

static void read_places(struct embedded_cursor *c, struct embedded_object *o, u32 nr)
{
	nr = checked(c, nr, PLACE_MIN);
	for (u32 i = 0; i < nr && !c->bad; i++) {
		struct embedded_place p = { .addr = take64(c), .nr = take32(c) };
		struct source_frame *frames;

		take32(c);
		p.nr = checked(c, p.nr, FRAME_SIZE);
		if (!p.nr || p.nr > SOURCE_FRAMES_MAX) {
			c->bad |= p.nr != 0;
			continue;
		}
		frames = arena_zalloc(c->arena, p.nr * sizeof(*frames));
		for (u32 f = 0; f < p.nr; f++) {
			frames[f].raw = take_name(c);
			frames[f].dir = take_name(c);
			frames[f].comp_dir = take_name(c);
			frames[f].file = take_name(c);
			frames[f].line = take32(c);
		}
		p.frames = frames;
		*VEC_PUSH(&o->places) = p;
	}
}

static void read_codes(struct embedded_cursor *c, struct embedded_object *o, u32 nr)
{
	nr = checked(c, nr, CODE_SIZE);
	for (u32 i = 0; i < nr; i++) {
		struct jit_code code = {
			.time = take64(c), .addr = take64(c), .size = take64(c), .place = take64(c)
		};
		const char *name = take_name(c);

		take32(c);
		if (!name || !code.size || code.addr + code.size < code.addr ||
		    code.place + code.size < code.place)
			continue;
		code.name = (u32)o->code_names.nr;
		*VEC_PUSH(&o->code_names) = name;
		*VEC_PUSH(&o->codes) = code;
	}
}

static void read_object(struct embedded_cursor *c, struct embedded *e)
{
	struct embedded_object *o = VEC_PUSH(&e->objects);
	u32 nr_symbols, nr_places, nr_codes;
	const u8 *id;

	*o = (struct embedded_object){ .kind = (enum dso_kind)take32(c), .pid = take32(c) };
	o->name = take_name(c);
	o->tsc = take32(c) != 0;
	id = take(c, ID_BYTES + 4);
	if (id) {
		o->id.size = MIN(id[ID_BYTES], (u8)ID_BYTES);
		memcpy(o->id.bytes, id, o->id.size);
	}
	o->first_time = take64(c);
	nr_symbols = take32(c);
	nr_places = take32(c);
	nr_codes = take32(c);
	take32(c);
	if (!o->name)
		o->name = "";
	read_symbols(c, o, nr_symbols);
	read_places(c, o, nr_places);
	VEC_SORT(&o->places, by_u64);
	read_codes(c, o, nr_codes);
}

struct embedded *embedded_read(const void *body, size_t size, bool swap, struct err *e)
{
	struct embedded *out = XNEW(struct embedded);
	struct embedded_cursor c = {
		.at = body, .end = (const u8 *)body + size, .swap = swap, .arena = &out->arena
	};
	u32 version = take32(&c), nr = take32(&c);

	take64(&c); /* totals, for those who only want these */
	c.names_size = take64(&c);
	if (c.bad || version != VERSION || c.names_size > (size_t)(c.end - c.at) || !c.names_size) {
		embedded_free(out);
		err_set(e, EINVAL,
			version == VERSION || c.bad
				? "the embedded symbols are broken"
				: "the embedded symbols are of an unknown version");
		return NULL;
	}
	/* The body need not outlive this. */
	c.names = arena_dup(&out->arena, c.at, c.names_size);
	c.bad = c.names[c.names_size - 1] != '\0';
	c.at += c.names_size;
	nr = checked(&c, nr, OBJECT_MIN);
	for (u32 i = 0; i < nr && !c.bad; i++)
		read_object(&c, out);
	if (c.bad) {
		embedded_free(out);
		err_set(e, EINVAL, "the embedded symbols are broken");
		return NULL;
	}
	return out;
}

void embedded_release(struct embedded *e)
{
	VEC_FOR(&e->objects, o) {
		vec_free(&o->symbols);
		vec_free(&o->places);
		vec_free(&o->codes);
		vec_free(&o->code_names);
	}
	vec_free(&e->objects);
	arena_release(&e->arena);
}

void embedded_free(struct embedded *e)
{
	if (e)
		embedded_release(e);
	free(e);
}

/* ---- in a table ---- */

static u64 object_hash(enum dso_kind kind, const char *name, u32 pid)
{
	return kind == DSO_PERF_MAP ? hash_u64(pid) : hash_bytes(name, strlen(name), kind);
}

void dso_table_set_embedded(struct dso_table *t, struct embedded *e)
{
	t->embedded = e;
	for (u32 i = 0; i < e->objects.nr; i++) {
		const struct embedded_object *o = &e->objects.v[i];

		map_add(&t->embedded_by_name, object_hash(o->kind, o->name, o->pid), i);
	}
}

bool embedded_has_perf_map(const struct dso_table *t, u32 pid)
{
	if (t->embedded)
		VEC_FOR(&t->embedded->objects, o)
			if (o->kind == DSO_PERF_MAP && o->pid == pid)
				return true;
	return false;
}

const struct embedded_object *dso_embedded(const struct dso *d)
{
	const struct dso_table *t = d->table;
	const struct build_id *id;
	u32 i;

	if (!t->embedded)
		return NULL;
	id = dso_build_id(d);
	for (struct map_probe p =
		     map_first(&t->embedded_by_name, object_hash(d->kind, d->long_name, d->pid));
	     map_next(&t->embedded_by_name, &p, &i);) {
		const struct embedded_object *o = &t->embedded->objects.v[i];

		if (o->kind != d->kind)
			continue;
		if (d->kind == DSO_PERF_MAP ? o->pid != d->pid : strcmp(o->name, d->long_name) != 0)
			continue;
		if (!o->id.size || !id->size || build_id_equal(&o->id, id))
			return o;
	}
	return NULL;
}
