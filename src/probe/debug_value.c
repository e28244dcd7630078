/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments of probes: a variable by name, a way through its members, and the type by which the
 * kernel shows it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "dso/symbols/symtab.h"
#include "probe/debug_internal.h"

enum { FIELDS_MAX = 64 };

/* What is being built. */
struct build {
	const struct debug_context *c;
	const struct probe_arg_spec *spec;
	struct debug_value v;
	struct dwarf_entry type; /* of v, as it is written */
	bool has_type; /* else void */
	u32 dimensions; /* of an array that were used up */
	u32 own_derefs; /* those of the variable itself */
	const struct dwarf_entry *bits; /* the bit field that it is */
	struct dwarf_entry member;
	u64 member_at;
	struct strbuf name; /* of the last member */
	struct strbuf problem;
};

static bool fail(struct build *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
static bool fail(struct build *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_reset(&b->problem);
	strbuf_vaddf(&b->problem, fmt, ap);
	va_end(ap);
	return false;
}

static bool fail_location(struct build *b, int error, const char *name)
{
	if (error == -ENOENT)
		return fail(b,
			    "Failed to find the location of the '%s' variable at this address.\n"
			    " Perhaps it has been optimized out.\n"
			    " Use -V with the --range option to show '%s' location range.",
			    name, name);
	return fail(b, "Sorry, we don't support this variable location yet.");
}

static const char *type_name(struct build *b)
{
	struct dwarf_entry t = b->type;
	const char *name = b->has_type && debug_type_strip(&t) ? dwarf_entry_name(&t) : NULL;

	return name ? name : "(unknown_type)";
}

static const char *const x86_64_names[] = { "%ax",  "%dx",  "%cx",  "%bx", "%si",  "%di",
					    "%bp",  "%sp",  "%r8",  "%r9", "%r10", "%r11",
					    "%r12", "%r13", "%r14", "%r15" };
static const char *const i386_names[] = { "%ax", "%cx", "%dx", "%bx", "%sp", "%bp", "%si", "%di" };
static const char *const arm64_names[] = {
	"%x0",  "%x1",  "%x2",  "%x3",  "%x4",  "%x5",  "%x6",  "%x7",  "%x8",  "%x9",  "%x10",
	"%x11", "%x12", "%x13", "%x14", "%x15", "%x16", "%x17", "%x18", "%x19", "%x20", "%x21",
	"%x22", "%x23", "%x24", "%x25", "%x26", "%x27", "%x28", "%x29", "%x30", "%sp",
};

/* Name of a register in the kernel's probe events, with '%'; NULL: it has none. */
static const char *register_name(u16 machine, u64 nr)
{
	static const struct {
		u16 machine;
		const char *const *names;
		size_t nr;
	} tables[] = {
		{ EM_X86_64, x86_64_names, ARRAY_SIZE(x86_64_names) },
		{ EM_386, i386_names, ARRAY_SIZE(i386_names) },
		{ EM_AARCH64, arm64_names, ARRAY_SIZE(arm64_names) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (tables[i].machine == machine)
			return nr < tables[i].nr ? tables[i].names[nr] : NULL;
	return NULL;
}

/* ---- finding the variable ---- */

struct wanted_member {
	const char *name;
	bool found;
	struct dwarf_entry entry;
};

static void look_for(void *ctx, const struct dwarf_entry *var)
{
	struct wanted_member *w = ctx;
	const char *name = dwarf_entry_name(var);

	/* Of a declaration and its definition, the latter. */
	if ((w->found && !w->entry.declaration) || !name || strcmp(name, w->name) != 0)
		return;
	w->found = true;
	w->entry = *var;
}

static bool find_in_scopes(const struct debug_context *c, size_t from, size_t to,
			   struct wanted_member *w)
{
	for (size_t i = to; i > from && !w->found; i--)
		debug_variables_in(&c->scopes[i - 1], look_for, w);
	return w->found;
}

/* The function's own first, then what is inlined there, what is around it, and the unit's. */
static bool find_variable(const struct debug_context *c, const char *name, struct dwarf_entry *out)
{
	struct wanted_member w = { .name = name };
	size_t inner = c->own + 1;
	struct debug_unit *u;

	while (inner < c->nr_scopes && c->scopes[inner].die.tag != DW_TAG_inlined_subroutine)
		inner++;
	if (!find_in_scopes(c, c->own, inner, &w) && !find_in_scopes(c, inner, c->nr_scopes, &w) &&
	    !find_in_scopes(c, 0, c->own, &w)) {
		u = debug_info_unit_of(c->g, c->addr);
		if (u)
			debug_globals_each(u, look_for, &w);
	}
	*out = w.entry;
	return w.found;
}

/* ---- on the way through members ---- */

static bool is_pointer(u16 tag)
{
	return tag == DW_TAG_pointer_type;
}

static bool is_reference(u16 tag)
{
	return tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

/* v is a pointer: go to what it points to. */
static bool follow_pointer(struct build *b)
{
	struct debug_value *v = &b->v;

	if (v->base == DEBUG_NUMBER)
		return fail_location(b, -ENOTSUP, "");
	if (!v->is_place) {
		v->is_place = true;
		return true;
	}
	if (v->nr_derefs == DEBUG_DEREFS_MAX)
		return fail_location(b, -ENOTSUP, "");
	v->derefs[v->nr_derefs++] = v->add;
	v->add = 0;
	return true;
}

static bool go_to_pointee(struct build *b, const struct dwarf_entry *pointer)
{
	b->has_type = dwarf_entry_type(pointer, &b->type);
	b->dimensions = 0;
	return follow_pointer(b);
}

/* Through references, which are pointers that the user does not write. */
static bool follow_references(struct build *b, struct dwarf_entry *t)
{
	for (int hop = 0; hop < DWARF_HOPS; hop++) {
		*t = b->type;
		if (!b->has_type || !debug_type_strip(t) || !is_reference(t->die.tag))
			return true;
		if (!go_to_pointee(b, t))
			return false;
	}
	return true;
}

static bool go_to_member(struct build *b, const char *owner, const char *name, bool arrow)
{
	struct dwarf_entry t;
	u64 at;

	if (!follow_references(b, &t))
		return false;
	if (!b->has_type || !debug_type_strip(&t))
		return fail(b, "Failed to get the type of %s.", owner);
	if (is_pointer(t.die.tag)) {
		if (!arrow)
			return fail(b, "Semantic error: %s must be referred by '->'", name);
		if (!go_to_pointee(b, &t))
			return false;
		t = b->type;
		if (!b->has_type || !debug_type_strip(&t))
			return fail(b, "Failed to get the type of %s.", owner);
	} else if (debug_type_is_record(t.die.tag) && arrow) {
		return fail(b, "Semantic error: %s must be referred by '.'", name);
	}
	if (!debug_type_is_record(t.die.tag))
		return fail(b, "%s is not a data structure nor a union.", owner);
	if (!b->v.is_place)
		return fail(b, "Structure on a register is not supported yet.");
	if (!debug_type_member(&t, name, &b->member, &at))
		return fail(b, "%s(type:%s) has no member %s.", owner, type_name(b), name);
	b->v.add = debug_plus(b->v.add, at);
	b->member_at = at;
	b->bits = b->member.bit_size.class == DWARF_CONSTANT ? &b->member : NULL;
	b->has_type = dwarf_entry_type(&b->member, &b->type);
	b->dimensions = 0;
	return true;
}

static bool go_to_element(struct build *b, const char *owner, s64 index)
{
	struct dwarf_entry t, element;
	u64 size;

	if (!follow_references(b, &t))
		return false;
	if (!b->has_type || !debug_type_strip(&t))
		return fail(b, "Failed to get the type of %s.", owner);
	b->bits = NULL;
	if (is_pointer(t.die.tag)) {
		if (!debug_type_resolve(&t, &element) || !debug_type_size(&element, &size))
			return fail(b, "Failed to get the type of %s.", owner);
		if (!go_to_pointee(b, &t))
			return false;
	} else if (t.die.tag == DW_TAG_array_type) {
		if (!b->v.is_place)
			return fail(b, "Structure on a register is not supported yet.");
		if (!debug_type_element_size(&t, b->dimensions + 1, &size))
			return fail(b, "Failed to get the type of %s.", owner);
		if (++b->dimensions >= debug_type_dimensions(&t)) {
			b->has_type = dwarf_entry_type(&t, &b->type);
			b->dimensions = 0;
		}
	} else {
		return fail(b, "%s is not a data structure nor a union.", owner);
	}
	b->v.add = debug_plus(b->v.add, (u64)index * size);
	return true;
}

/* The next name of an expression, into *name; *arrow: "->" stands before it. */
static bool next_name(const char **p, struct strbuf *name, bool *arrow)
{
	const char *s = *p;
	size_t len;

	*arrow = s[0] == '-' && s[1] == '>';
	s += *arrow ? 2 : 1;
	len = strcspn(s, ".[-");
	strbuf_reset(name);
	strbuf_add(name, s, len);
	*p = s + len;
	return len != 0;
}

static bool follow_path(struct build *b, const char *path)
{
	struct strbuf owner = STRBUF_INIT;
	bool fine = true;

	strbuf_adds(&owner, b->name.buf);
	for (int i = 0; fine && *path; i++) {
		bool arrow;

		if (i == FIELDS_MAX) {
			fine = fail_location(b, -ENOTSUP, "");
		} else if (*path == '[') {
			char *end;
			long long index = strtoll(path + 1, &end, 0);

			fine = *end == ']' ? go_to_element(b, owner.buf, index)
					   : fail(b, "Array index must be a number.");
			path = *end ? end + 1 : end;
		} else if (!next_name(&path, &b->name, &arrow)) {
			fine = fail(b, "Argument parse error: a name is missing");
		} else {
			fine = go_to_member(b, owner.buf, b->name.buf, arrow);
			strbuf_reset(&owner);
			strbuf_adds(&owner, b->name.buf);
		}
	}
	strbuf_release(&owner);
	return fine;
}

/* ---- writing it down ---- */

/*
 * A place in memory of the object. Of a program, the kernel counts from where its code would be
 * mapped if the file were mapped as a whole.
 */
static void add_address(const struct debug_context *c, u64 addr, s64 add, struct strbuf *out)
{
	const struct elf_file *f = elf_file_is_open(&c->g->files.object) ? &c->g->files.object
									 : &c->g->files.debug;
	const struct symtab *st;
	struct strbuf name = STRBUF_INIT;
	u64 offset;
	u32 i;

	if (!c->g->is_kernel && elf_file_offset(f, c->addr, &offset)) {
		strbuf_addf(out, "@+0x%llx",
			    (unsigned long long)(addr + (u64)add - (c->addr - offset)));
		return;
	}
	st = debug_info_symbols(c->g);
	i = symtab_find(st, addr);
	if (i != SYM_NONE) {
		symtab_raw_name(st, i, &name);
		strbuf_addf(out, "@%s%+lld", name.buf,
			    (long long)(addr - symtab_start(st, i) + (u64)add));
	} else {
		strbuf_addf(out, "@0x%llx", (unsigned long long)(addr + (u64)add));
	}
	strbuf_release(&name);
}

/* Wraps what is in out: memory at a number behind it. */
static void wrap(struct strbuf *out, s64 add, bool user)
{
	char *inner = strbuf_detach(out);

	*out = (struct strbuf)STRBUF_INIT;
	strbuf_addf(out, "%c%s%llu(%s)", add < 0 ? '-' : '+', user ? "u" : "",
		    add < 0 ? 0 - (unsigned long long)add : (unsigned long long)add, inner);
	free(inner);
}

static bool write_value(struct build *b, struct strbuf *out)
{
	const struct debug_value *v = &b->v;
	u32 nr = v->nr_derefs;
	s64 steps[DEBUG_DEREFS_MAX + 1];
	const char *reg = v->base == DEBUG_REGISTER ? register_name(b->c->g->machine, v->v) : NULL;
	u32 i = 0;

	memcpy(steps, v->derefs, nr * sizeof(*steps));
	if (v->is_place)
		steps[nr++] = v->add;
	else if (v->add && v->base != DEBUG_NUMBER)
		return fail_location(b, -ENOTSUP, "");
	if (v->base == DEBUG_NUMBER) {
		strbuf_addf(out, "\\%lld", (long long)(v->v + (u64)v->add));
	} else if (v->base == DEBUG_ADDRESS) {
		if (!nr)
			return fail_location(b, -ENOTSUP, "");
		add_address(b->c, v->v, steps[i++], out);
	} else if (reg) {
		strbuf_adds(out, reg);
	} else {
		return fail(b,
			    "Mapping for the register number %llu missing on this architecture.\n"
			    "Sorry, we don't support this variable location yet.",
			    (unsigned long long)v->v);
	}
	for (; i < nr; i++)
		wrap(out, steps[i], b->spec->user && i >= b->own_derefs);
	return true;
}

/* Where in what is around it a bit field is, as the kernel counts: from the lowest bit of a
 * little-endian word. */
static bool add_bits(struct build *b, u64 size, struct strbuf *type)
{
	const struct dwarf_entry *m = b->bits;
	u64 width = m->bit_size.v;
	u64 shift;

	if (m->byte_size.class == DWARF_CONSTANT)
		size = m->byte_size.v;
	if (!size || size > sizeof(u64) || !width || width > 64)
		return fail(b, "Failed to get the offset of %s.", b->name.buf);
	if (m->bit_offset.class == DWARF_CONSTANT) {
		shift = size * 8 - m->bit_offset.v - width;
	} else {
		u64 first = m->data_bit_offset.class == DWARF_CONSTANT ? m->data_bit_offset.v : 0;
		u64 before = first / (size * 8) * size;

		/* Of a packed one, which lies across words. */
		if (first - before * 8 + width > size * 8)
			before = first / 8;
		b->v.add = debug_plus(b->v.add, before);
		shift = first - before * 8;
	}
	while (size < sizeof(u64) && (shift + width > size * 8 || (size & (size - 1))))
		size++;
	if (shift > 64 || shift + width > size * 8)
		return fail(b, "Failed to get the offset of %s.", b->name.buf);
	strbuf_addf(type, ":b%llu@%llu/%llu", (unsigned long long)width, (unsigned long long)shift,
		    (unsigned long long)size * 8);
	return true;
}

/* sign: 'u', 's' or 'x'; 0: as the type has it. */
static bool add_basic_type(struct build *b, char sign, struct strbuf *type,
			   struct probe_debug_arg *arg)
{
	struct dwarf_entry t = b->type;
	u64 size;

	if (!b->has_type || !debug_type_strip(&t) || t.die.tag == DW_TAG_array_type)
		return true;
	if (b->bits)
		return debug_type_size(&t, &size)
			       ? add_bits(b, size, type)
			       : fail(b, "Failed to get the offset of %s.", b->name.buf);
	/* The kernel takes a word where nothing is said, as a pointer is one. */
	if (!debug_type_size(&t, &size) || !size ||
	    (is_pointer(t.die.tag) && !t.byte_size.class && !sign))
		return true;
	if (!sign)
		sign = t.encoding == DW_ATE_signed || t.encoding == DW_ATE_signed_char ? 's' : 'x';
	if (size > sizeof(u64)) {
		arg->cut = true;
		arg->type = xstrdup(type_name(b));
		size = sizeof(u64);
	}
	if (size & (size - 1))
		strbuf_addf(type, ":b%llu@0/%d", (unsigned long long)size * 8, size < 4 ? 32 : 64);
	else
		strbuf_addf(type, ":%c%llu", sign, (unsigned long long)size * 8);
	return true;
}

static bool make_string(struct build *b)
{
	struct dwarf_entry t, element;
	const char *name = b->name.buf;

	if (!follow_references(b, &t))
		return false;
	if (!b->has_type || !debug_type_strip(&t) ||
	    (!is_pointer(t.die.tag) && t.die.tag != DW_TAG_array_type))
		return fail(b, "Failed to cast into string: %s(%s) is not a pointer nor array.",
			    name, type_name(b));
	if (!debug_type_resolve(&t, &element) || element.die.tag != DW_TAG_base_type ||
	    (element.encoding != DW_ATE_signed_char && element.encoding != DW_ATE_unsigned_char))
		return fail(b, "Failed to cast into string: %s is not (unsigned) char *.", name);
	return !is_pointer(t.die.tag) || go_to_pointee(b, &t);
}

static bool is_string_type(const char *type)
{
	return strcmp(type, "string") == 0 || strcmp(type, "ustring") == 0;
}

static bool write_all(struct build *b, struct strbuf *out, struct probe_debug_arg *arg)
{
	const char *cast = b->spec->type;
	struct strbuf type = STRBUF_INIT;
	bool fine = true;

	if (cast && is_string_type(cast))
		fine = make_string(b);
	if (!cast || (strchr("usx", cast[0]) && cast[0] && !cast[1]))
		fine = fine && add_basic_type(b, cast ? cast[0] : 0, &type, arg);
	else
		strbuf_addf(&type, ":%s", cast);
	fine = fine && write_value(b, out);
	strbuf_adds(out, type.buf);
	strbuf_release(&type);
	return fine;
}

/* The kernel's name of an argument: the last member's, or the variable's and the type's. */
static char *make_name(const struct probe_arg_spec *spec, const char *member, bool is_chain)
{
	char *name;

	if (spec->name)
		return xstrdup(spec->name);
	name = is_chain || !spec->type ? xstrdup(member) : xasprintf("%s_%s", member, spec->type);
	for (char *s = name; *s; s++)
		if (!((*s | 32) >= 'a' && (*s | 32) <= 'z') && !(*s >= '0' && *s <= '9'))
			*s = '_';
	return name;
}

/* The kernel wants each name once. */
static char *make_unique(char *name, const struct probe_debug_args *others)
{
	char *unique = xstrdup(name);

	for (int nr = 1; nr <= PROBE_ARGS_MAX; nr++) {
		bool used = false;

		VEC_FOR(others, o)
			used |= o->name && strcmp(o->name, unique) == 0;
		if (!used)
			break;
		free(unique);
		unique = xasprintf("%s_%d", name, nr);
	}
	free(name);
	return unique;
}

static bool build(struct build *b, const struct dwarf_entry *var, const char *path,
		  struct strbuf *out, struct probe_debug_arg *arg)
{
	int ret = debug_locate(b->c, var, &b->v);

	if (ret < 0)
		return fail_location(b, ret, b->name.buf);
	b->has_type = dwarf_entry_type(var, &b->type);
	b->own_derefs = b->v.nr_derefs + b->v.is_place;
	/* What is in several places is only seen as a whole. */
	if (b->v.in_pieces && *path)
		return fail_location(b, -ENOTSUP, "");
	return follow_path(b, path) && write_all(b, out, arg);
}

static void add_variable(const struct debug_context *c, const struct probe_arg_spec *spec,
			 bool expanded, const struct dwarf_entry *var, struct probe_debug_args *out)
{
	const char *path = spec->expression + strcspn(spec->expression, ".[-");
	struct probe_debug_arg arg = { .expanded = expanded };
	struct build b = { .c = c, .spec = spec, .name = STRBUF_INIT, .problem = STRBUF_INIT };
	struct strbuf text = STRBUF_INIT;
	struct dwarf_entry found;
	bool fine;

	strbuf_add(&b.name, spec->expression, (size_t)(path - spec->expression));
	if (!var && find_variable(c, b.name.buf, &found))
		var = &found;
	fine = var ? build(&b, var, path, &text, &arg) : fail_location(&b, -ENOENT, b.name.buf);
	arg.name = make_name(spec, b.name.buf, *path != '\0');
	if (!spec->name)
		arg.name = make_unique(arg.name, out);
	if (fine)
		arg.fetch = strbuf_detach(&text);
	else
		arg.problem = strbuf_detach(&b.problem);
	*VEC_PUSH(out) = arg;
	strbuf_release(&text);
	strbuf_release(&b.name);
	strbuf_release(&b.problem);
}

struct expansion {
	const struct debug_context *c;
	const struct probe_arg_spec *spec;
	struct probe_debug_args *out;
	size_t first; /* of those that it added */
	bool params;
};

static void add_expanded(void *ctx, const struct dwarf_entry *var)
{
	struct expansion *x = ctx;
	const char *name = dwarf_entry_name(var);
	struct probe_arg_spec spec = { .expression = NULL,
				       .user = x->spec->user,
				       .variable = true };

	if (!name || !*name || (x->params && var->die.tag != DW_TAG_formal_parameter) ||
	    x->out->nr >= PROBE_ARGS_MAX)
		return;
	for (size_t i = x->first; i < x->out->nr; i++)
		if (strcmp(x->out->v[i].name, name) == 0)
			return;
	spec.expression = xstrdup(name);
	add_variable(x->c, &spec, true, NULL, x->out);
	free(spec.expression);
}

void probe_value_make(const struct debug_context *c, const struct probe_arg_spec *spec,
		      struct probe_debug_args *out)
{
	bool params = strcmp(spec->expression, "$params") == 0;
	struct expansion x = {
		.c = c, .spec = spec, .out = out, .first = out->nr, .params = params
	};
	struct strbuf text = STRBUF_INIT;

	if (!spec->variable) {
		probe_arg_spec_text(spec, &text);
		*VEC_PUSH(out) = (struct probe_debug_arg){ .fetch = strbuf_detach(&text) };
	} else if (params || strcmp(spec->expression, "$vars") == 0) {
		debug_variables_each(c, add_expanded, &x);
	} else {
		add_variable(c, spec, false, NULL, out);
	}
}
