/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/search.h"
#include "dso/symbols/symtab.h"
#include "types/internal.h"
#include "unwind/cfi.h"

enum { FUNCTION_MAX = 1 << 20 /* bytes */, SIGNATURE_MEMBERS = 1 << 10 };

struct known_function {
	u64 start;
	struct types_insns insns; /* by address */
};

/* What is kept of an object. */
struct types_object {
	dso_id id;
	struct dso *d;
	struct dso_code code;
	bool has_code;
	struct disasm *disasm; /* NULL: the machine is not known */
	struct debug_info *g; /* NULL = none */
	struct cfi *cfi; /* of user objects */
	bool globals_read;
	struct types_globals globals;
	struct map by_start; /* of functions */
	VEC(struct known_function) functions;
};

/* A type as one unit has it. */
struct unit_type {
	struct type_ref ref;
	type_id type;
};

struct type {
	struct types_type shown;
	struct type_ref ref;
	str_id signature;
	bool has_fields;
	VEC(struct types_field) fields;
};

struct types {
	struct dso_table *dsos;
	VEC(struct types_object *) objects;
	struct map by_ref; /* of unit_types */
	VEC(struct unit_type) unit_types;
	struct map by_signature; /* of types */
	VEC(struct type *) types; /* by number, less 1 */
	struct intern texts;
};

struct types *types_new(struct dso_table *dsos)
{
	struct types *t = XNEW(struct types);

	t->dsos = dsos;
	return t;
}

static void free_object(struct types_object *o)
{
	VEC_FOR(&o->functions, f)
		vec_free(&f->insns);
	vec_free(&o->functions);
	map_release(&o->by_start);
	vec_free(&o->globals);
	cfi_free(o->cfi);
	debug_info_close(o->g);
	disasm_close(o->disasm);
	dso_code_close(&o->code);
	free(o);
}

void types_free(struct types *t)
{
	if (!t)
		return;
	VEC_FOR(&t->objects, o)
		free_object(*o);
	vec_free(&t->objects);
	VEC_FOR(&t->types, type) {
		vec_free(&(*type)->fields);
		free(*type);
	}
	vec_free(&t->types);
	vec_free(&t->unit_types);
	map_release(&t->by_ref);
	map_release(&t->by_signature);
	intern_release(&t->texts);
	free(t);
}

/* ------------------------------------------------------------------ objects */

static void open_object(struct types_object *o)
{
	struct err e = ERR_INIT;
	struct disasm_opts opts;

	o->has_code = dso_code_open(o->d, &o->code) == DSO_CODE_THERE;
	opts = (struct disasm_opts){ .machine = o->code.machine,
				     .is64 = o->code.is64,
				     .big_endian = o->code.big_endian };
	if (!o->has_code || !effect_machine_of(o->code.machine) ||
	    disasm_open(&o->disasm, &opts, &e) < 0)
		return;
	if (dso_kind(o->d) == DSO_USER || dso_is_kernel(o->d))
		o->g = debug_info_open(o->d, &e);
	if (o->g && dso_kind(o->d) == DSO_USER && elf_file_is_open(&o->code.file))
		o->cfi = cfi_open(&o->code.file, NULL);
}

static struct types_object *object_of(struct types *t, dso_id id)
{
	struct types_object *o;

	VEC_FOR(&t->objects, it)
		if ((*it)->id == id)
			return *it;
	o = XNEW(struct types_object);
	o->id = id;
	o->d = dso_table_get(t->dsos, id);
	o->code = (struct dso_code)DSO_CODE_INIT;
	open_object(o);
	*VEC_PUSH(&t->objects) = o;
	return o;
}

static void read_globals(struct types_object *o)
{
	if (o->globals_read || !o->g)
		return;
	o->globals_read = true;
	types_globals_read(o->g, &o->globals);
}

/* ------------------------------------------------------------------ types */

static u64 hash_ref(struct type_ref ref)
{
	return hash_mix(hash_u64((u64)(uintptr_t)ref.d), ref.offset);
}

/* Name, size and members: what makes types of two units one. */
static void add_signature(const struct types_object *o, struct type_ref ref, u64 size,
			  struct strbuf *out)
{
	struct dwarf_entry type, m;
	struct dwarf_walk w;

	type_add_name(ref, out);
	strbuf_addf(out, "%c%u %" PRIu64, '\1', o->id, size);
	if (!type_ref_read(ref, &type) || !type.die.children)
		return;
	dwarf_walk_begin(&w, &type);
	for (int i = 0; i < SIGNATURE_MEMBERS && dwarf_walk_next(&w, false, &m); i++) {
		const char *name = dwarf_entry_name(&m);
		u64 at = 0;

		if (m.die.tag != DW_TAG_member && m.die.tag != DW_TAG_inheritance)
			continue;
		debug_member_place(&m, &at);
		strbuf_addf(out, " %s@%" PRIu64, name ? name : "", at);
	}
}

static const char *keep_text(struct types *t, const struct strbuf *text)
{
	return intern_str(&t->texts, intern_add(&t->texts, text->buf ? text->buf : "", text->len));
}

static type_id new_type(struct types *t, const struct types_object *o, struct type_ref ref,
			u64 size, str_id signature)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct type *type = XNEW(struct type);

	type_add_name(ref, &name);
	type->ref = ref;
	type->signature = signature;
	type->shown = (struct types_type){ keep_text(t, &name), o->id, size };
	*VEC_PUSH(&t->types) = type;
	return (type_id)t->types.nr;
}

static type_id number_of(struct types *t, const struct types_object *o, struct type_ref ref)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct dwarf_entry e;
	type_id id = 0;
	str_id signature;
	u64 size = 0;
	u32 i;

	for (struct map_probe p = map_first(&t->by_ref, hash_ref(ref));
	     map_next(&t->by_ref, &p, &i);)
		if (type_ref_equal(t->unit_types.v[i].ref, ref))
			return t->unit_types.v[i].type;
	if (type_ref_read(ref, &e))
		debug_type_size(&e, &size);
	add_signature(o, ref, size, &text);
	signature = intern_add(&t->texts, text.buf, text.len);
	for (struct map_probe p = map_first(&t->by_signature, hash_u64(signature));
	     !id && map_next(&t->by_signature, &p, &i);)
		if (t->types.v[i]->signature == signature)
			id = i + 1;
	if (!id) {
		id = new_type(t, o, ref, size, signature);
		map_add(&t->by_signature, hash_u64(signature), id - 1);
	}
	map_add(&t->by_ref, hash_ref(ref), (u32)t->unit_types.nr);
	*VEC_PUSH(&t->unit_types) = (struct unit_type){ ref, id };
	return id;
}

const struct types_type *types_get(const struct types *t, type_id type)
{
	return &t->types.v[type - 1]->shown;
}

/* ------------------------------------------------------------------ functions */

/* An address of the object as debug information has it. */
static bool vaddr_of(const struct types_object *o, u64 addr, u64 *vaddr)
{
	return o->g && dso_dwarf_vaddr(o->d, &o->g->files.module, o->g->files.object.segments,
				       o->g->files.object.nr_segments, addr, vaddr);
}

static void look_at(struct types *t, struct types_object *o, u64 start, u64 end,
		    struct types_insns *out)
{
	size_t size = (size_t)MIN(end - start, (u64)FUNCTION_MAX);
	_cleanup_(mem_freep) u8 *bytes = xmalloc(size + 1);
	struct types_function f = { .code = &o->code,
				    .disasm = o->disasm,
				    .machine = effect_machine_of(o->code.machine),
				    .g = o->g,
				    .globals = &o->globals,
				    .cfi = o->cfi,
				    .bytes = bytes,
				    .start = start };

	if (!dso_code_shown(&o->code, start, &f.shown))
		return;
	f.size = dso_code_read(&o->code, f.shown, bytes, size);
	if (vaddr_of(o, start, &f.vaddr)) {
		/* (a module's variables are moved by sections) */
		f.has_globals = dso_kind(o->d) != DSO_MODULE;
		read_globals(o);
		types_places_read(&f);
	} else {
		f.g = NULL;
	}
	types_flow(&f, out);
	vec_free(&f.places);
	VEC_FOR(out, in)
		if (in->access.found == TYPES_KNOWN) {
			in->access.type = number_of(t, o, in->place.type);
			in->access.vague = in->place.vague;
			in->access.offset = in->place.vague ? 0 : (u64)in->place.at;
		}
}

static const struct known_function *function_of(struct types *t, struct types_object *o, u64 start,
						u64 end)
{
	u64 h = hash_u64(start);
	struct known_function f = { .start = start };
	u32 i;

	for (struct map_probe p = map_first(&o->by_start, h); map_next(&o->by_start, &p, &i);)
		if (o->functions.v[i].start == start)
			return &o->functions.v[i];
	look_at(t, o, start, end, &f.insns);
	map_add(&o->by_start, h, (u32)o->functions.nr);
	*VEC_PUSH(&o->functions) = f;
	return VEC_LAST(&o->functions);
}

static const struct types_insn *find_insn(const struct known_function *f, u64 addr)
{
	size_t up_to = search_up_to(f->insns.v, f->insns.nr, sizeof(*f->insns.v), addr);

	return up_to && f->insns.v[up_to - 1].addr == addr ? &f->insns.v[up_to - 1] : NULL;
}

void types_of(struct types *t, dso_id dso, u64 addr, struct types_access *out)
{
	const struct types_insn *in;
	const struct symtab *st;
	struct types_object *o;
	u32 sym;

	*out = (struct types_access){ .found = TYPES_NO_SYMBOL, .insn = "" };
	if (!dso)
		return;
	o = object_of(t, dso);
	st = dso_symtab(o->d);
	sym = symtab_find(st, addr);
	if (sym == SYM_NONE || symtab_end(st, sym) <= symtab_start(st, sym))
		return;
	out->found = TYPES_NO_INSN;
	if (!o->has_code || !o->disasm)
		return;
	in = find_insn(function_of(t, o, symtab_start(st, sym), symtab_end(st, sym)), addr);
	if (in)
		*out = in->access;
}

/* ------------------------------------------------------------------ fields */

static void add_fields(struct types *t, struct type *type, const struct dwarf_entry *record,
		       u32 depth, u64 base);

static void add_field(struct types *t, struct type *type, const struct dwarf_entry *m, u32 depth,
		      u64 base)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct types_field f = { .depth = depth, .type = "" };
	const char *name = dwarf_entry_name(m);
	struct dwarf_entry of;
	bool known;
	u64 at;

	if (!debug_member_place(m, &at))
		return;
	if (m->data_bit_offset.class == DWARF_CONSTANT)
		at = m->data_bit_offset.v / 8;
	f.is_bits = m->bit_size.class != DWARF_NOTHING;
	f.offset = base + at;
	f.name = name ? name : "";
	if (dwarf_entry_type(m, &of)) {
		debug_type_name(&of, DEBUG_TYPE_C, &text);
		f.type = keep_text(t, &text);
	}
	known = debug_type_resolve(m, &of);
	if (known && !debug_type_size(&of, &f.size))
		f.size = 0;
	if (m->bit_size.class == DWARF_CONSTANT && m->data_bit_offset.class == DWARF_CONSTANT)
		f.size = (m->data_bit_offset.v % 8 + m->bit_size.v + 7) / 8;
	*VEC_PUSH(&type->fields) = f;
	if (known && debug_type_is_record(of.die.tag)) {
		size_t own = type->fields.nr - 1;

		add_fields(t, type, &of, depth + 1, f.offset);
		type->fields.v[own].has_members = type->fields.nr > own + 1;
	}
}

static void add_fields(struct types *t, struct type *type, const struct dwarf_entry *record,
		       u32 depth, u64 base)
{
	enum { DEPTH_MAX = 16 };
	struct dwarf_entry m;
	struct dwarf_walk w;

	dwarf_walk_begin(&w, record);
	while (depth < DEPTH_MAX && type->fields.nr < TYPES_FIELDS_MAX &&
	       dwarf_walk_next(&w, false, &m))
		if ((m.die.tag == DW_TAG_member && !m.external) || m.die.tag == DW_TAG_inheritance)
			add_field(t, type, &m, depth, base);
}

const struct types_field *types_fields(struct types *t, type_id id, size_t *nr)
{
	struct type *type = t->types.v[id - 1];
	struct dwarf_entry record;

	if (!type->has_fields && type_ref_read(type->ref, &record))
		add_fields(t, type, &record, 1, 0);
	type->has_fields = true;
	*nr = type->fields.nr;
	return type->fields.v;
}

static bool holds(const struct types_field *f, u64 offset)
{
	return offset >= f->offset && offset - f->offset < f->size;
}

/*
 * Which of the fields [from, nr) of a depth, up to where the record ends, is at an offset. Of
 * several (of a union), the only one that is all of the access. nr: none, or nobody knows which.
 */
static size_t choose_field(const struct types_field *v, size_t from, size_t nr, u64 offset, u8 size)
{
	u32 depth = from < nr ? v[from].depth : 0;
	size_t found = nr, exact = nr;
	u32 nr_found = 0, nr_exact = 0;

	for (size_t i = from; i < nr && v[i].depth >= depth; i++) {
		if (v[i].depth != depth || !holds(&v[i], offset))
			continue;
		found = i;
		nr_found++;
		if (v[i].offset == offset && v[i].size == size && !v[i].has_members &&
		    !v[i].is_bits) {
			exact = i;
			nr_exact++;
		}
	}
	return nr_found == 1 ? found : nr_exact == 1 ? exact : nr;
}

/*
 * Appends the member at an offset: "pt.y"; nothing where none begins or lies there. Of a union's
 * members, that one which alone is as large as the access; else it ends with the union.
 */
static void types_add_field(struct types *t, type_id id, u64 offset, u8 size, struct strbuf *out)
{
	size_t nr;
	const struct types_field *v = types_fields(t, id, &nr);
	size_t at = choose_field(v, 0, nr, offset, size);
	bool dot = false;

	while (at < nr) {
		if (v[at].name[0]) {
			strbuf_addf(out, "%s%s", dot ? "." : "", v[at].name);
			dot = true;
		}
		at = v[at].has_members ? choose_field(v, at + 1, nr, offset, size) : nr;
	}
}

/* ------------------------------------------------------------------ texts */

static const struct {
	const char *name; /* of statistics */
	const char *shown;
} founds[TYPES_NR_FOUND] = {
	[TYPES_KNOWN] = { "ok", NULL },
	[TYPES_STACK] = { "stack_op", "(stack operation)" },
	[TYPES_NO_SYMBOL] = { "no_sym", NULL },
	[TYPES_NO_INSN] = { "no_insn", NULL },
	[TYPES_NO_MEMORY] = { "no_mem_ops", NULL },
	[TYPES_NO_DEBUG] = { "no_dbginfo", NULL },
	[TYPES_NO_FUNCTION] = { "no_function", NULL },
	[TYPES_NO_TYPE] = { "no_typeinfo", NULL },
	[TYPES_NO_VARIABLE] = { "no_var", NULL },
	[TYPES_OUTSIDE] = { "bad_offset", NULL },
	[TYPES_SEGMENT] = { "segment", NULL },
	[TYPES_SEVERAL] = { "several", NULL },
};

const char *types_found_name(enum types_found found)
{
	return founds[found].name;
}

const char *types_name(const struct types *t, const struct types_access *a)
{
	if (a->found == TYPES_KNOWN)
		return types_get(t, a->type)->name;
	return founds[a->found].shown ? founds[a->found].shown : "(unknown)";
}

void types_add_place(struct types *t, const struct types_access *a, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf field = STRBUF_INIT;

	strbuf_adds(out, types_name(t, a));
	if (a->found != TYPES_KNOWN)
		return;
	if (a->vague) {
		strbuf_adds(out, " +? (index)");
		return;
	}
	strbuf_addf(out, " +%#" PRIx64, a->offset);
	types_add_field(t, a->type, a->offset, a->size, &field);
	strbuf_addf(out, " (%s)", field.len ? field.buf : "no field");
}
