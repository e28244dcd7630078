/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/btf.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"

enum {
	DEPTH_MAX = 32, /* unnamed members in each other */
	STEPS_MAX = 12, /* through memory; the kernel takes 16 instructions */
	POINTER_SIZE = 8,
};

static bool is_record(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_STRUCT || btf_kind(t) == BTF_KIND_UNION;
}

static const char *name_of(const struct btf_types *b, const struct btf_type *t)
{
	const char *name = t ? btf_string(b, t->name_off) : "";

	return *name ? name : "(unknown_type)";
}

struct member {
	u32 type;
	u64 bits; /* from the start of the record */
	u32 width; /* of a bit field, else 0 */
};

/* Also of records in it that have no name. */
static bool find_member(const struct btf_types *b, const struct btf_type *t, const char *name,
			int depth, struct member *out)
{
	const struct btf_member *m = (const struct btf_member *)(t + 1);
	bool has_widths = BTF_INFO_KFLAG(t->info);

	for (u32 i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		const char *called = btf_string(b, m[i].name_off);
		u64 at = has_widths ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
		const struct btf_type *inner;

		if (!strcmp(called, name)) {
			*out = (struct member){
				.type = m[i].type,
				.bits = at,
				.width = has_widths ? BTF_MEMBER_BITFIELD_SIZE(m[i].offset) : 0
			};
			return true;
		}
		inner = *called || depth == DEPTH_MAX ? NULL : btf_plain_type(b, m[i].type);
		if (inner && is_record(inner) && find_member(b, inner, name, depth + 1, out)) {
			out->bits += at;
			return true;
		}
	}
	return false;
}

/* ---- a function's parameters ---- */

/* NULL: it is not known, or there are several of the name that differ. */
static const struct btf_type *find_function(const struct btf_types *b, const char *name,
					    struct err *e)
{
	const struct btf_type *found = NULL;

	for (u32 i = 1; i < btf_nr_types(b); i++) {
		const struct btf_type *t = btf_type(b, i);

		if (btf_kind(t) != BTF_KIND_FUNC || strcmp(btf_string(b, t->name_off), name) != 0)
			continue;
		if (found && found->type != t->type) {
			err_set(e, EINVAL,
				"the kernel has several functions '%s' with other parameters",
				name);
			return NULL;
		}
		found = t;
	}
	if (found)
		found = btf_type(b, found->type);
	if (found && btf_kind(found) == BTF_KIND_FUNC_PROTO)
		return found;
	err_set(e, ENOENT, "the kernel's type information (BTF) does not know the function '%s'",
		name);
	return NULL;
}

bool probe_btf_knows(const struct btf_types *b, const char *function)
{
	struct err e = ERR_INIT;

	return find_function(b, function, &e);
}

static const struct btf_param *params_of(const struct btf_type *proto)
{
	return (const struct btf_param *)(proto + 1);
}

static const char *const x86_64_registers[] = { "%di", "%si", "%dx", "%cx", "%r8", "%r9" };
static const char *const arm64_registers[] = { "%x0", "%x1", "%x2", "%x3",
					       "%x4", "%x5", "%x6", "%x7" };

/* Where the nr-th parameter is when the function begins; NULL and *e: not in one register. */
static const char *register_of(const struct btf_types *b, u16 machine, const struct btf_type *proto,
			       u32 nr, struct err *e)
{
	bool is_x86 = machine == EM_X86_64;
	const char *const *names = is_x86 ? x86_64_registers : arm64_registers;
	size_t max = is_x86 ? ARRAY_SIZE(x86_64_registers) : ARRAY_SIZE(arm64_registers);
	const char *name = btf_string(b, params_of(proto)[nr].name_off);

	if (!is_x86 && machine != EM_AARCH64) {
		err_set(e, ENOTSUP, "where parameters are is not known for this machine");
		return NULL;
	}
	/* A structure takes several registers, or none. */
	for (u32 i = 0; i <= nr; i++) {
		const struct btf_type *t = btf_plain_type(b, params_of(proto)[i].type);

		if (!t || is_record(t) || btf_kind(t) == BTF_KIND_FLOAT ||
		    btf_size(b, params_of(proto)[i].type) > POINTER_SIZE) {
			err_set(e, ENOTSUP,
				"the register of '%s' is not known: %s is passed as a whole", name,
				i == nr ? "it" : btf_string(b, params_of(proto)[i].name_off));
			return NULL;
		}
	}
	if (nr < max)
		return names[nr];
	err_set(e, ENOTSUP, "'%s' is passed in memory, not in a register", name);
	return NULL;
}

/* ---- the way to a value ---- */

struct btf_walk {
	const struct btf_types *b;
	const struct probe_arg_spec *spec;
	const char *reg;
	bool is_place; /* in memory, at `add` behind what the steps lead to; else the register's
			  value */
	s64 add;
	s64 steps[STEPS_MAX];
	u32 nr_steps;
	u32 type;
	struct member bits; /* width 0: it is no bit field */
	struct strbuf name; /* of the last member */
};

static int follow_pointer(struct btf_walk *w, const struct btf_type *pointer, struct err *e)
{
	w->type = pointer->type;
	if (w->is_place && w->nr_steps == STEPS_MAX)
		return err_set(e, ENOTSUP, "the way to '%s' goes through too many pointers",
			       w->name.buf);
	if (w->is_place)
		w->steps[w->nr_steps++] = w->add;
	w->is_place = true;
	w->add = 0;
	return 0;
}

static int go_to_member(struct btf_walk *w, const char *owner, const char *name, bool arrow,
			struct err *e)
{
	const struct btf_type *t = btf_plain_type(w->b, w->type);
	struct member m;

	if (t && btf_kind(t) == BTF_KIND_PTR) {
		if (!arrow)
			return err_set(e, EINVAL, "Semantic error: %s must be referred by '->'",
				       name);
		if (follow_pointer(w, t, e))
			return -1;
		t = btf_plain_type(w->b, w->type);
	} else if (t && is_record(t) && arrow) {
		return err_set(e, EINVAL, "Semantic error: %s must be referred by '.'", name);
	}
	if (!t || !is_record(t))
		return err_set(e, EINVAL, "%s is not a data structure nor a union.", owner);
	if (!find_member(w->b, t, name, 0, &m))
		return err_set(e, ENOENT, "%s(type:%s) has no member %s.", owner, name_of(w->b, t),
			       name);
	w->bits = m;
	w->bits.bits = m.bits % 8;
	w->add += (s64)(m.bits / 8);
	w->type = m.type;
	return 0;
}

static int go_to_element(struct btf_walk *w, const char *owner, s64 index, struct err *e)
{
	const struct btf_type *t = btf_plain_type(w->b, w->type);
	u64 size;
	s64 bytes;

	w->bits.width = 0;
	if (t && btf_kind(t) == BTF_KIND_PTR) {
		if (follow_pointer(w, t, e))
			return -1;
	} else if (t && btf_kind(t) == BTF_KIND_ARRAY) {
		w->type = btf_array_of(t)->type;
	} else {
		return err_set(e, EINVAL, "%s is not an array nor a pointer.", owner);
	}
	size = btf_size(w->b, w->type);
	if (!size || __builtin_mul_overflow((s64)size, index, &bytes) || bytes > INT32_MAX ||
	    bytes < INT32_MIN)
		return err_set(e, EINVAL, "Failed to get the type of %s.", owner);
	w->add += bytes;
	return 0;
}

/* "->NAME", ".NAME" and "[NUMBER]" as perf probe has checked them. */
static int follow_path(struct btf_walk *w, const char *path, struct err *e)
{
	while (*path) {
		_cleanup_(mem_freep) char *owner = xstrdup(w->name.buf);
		char *end;
		bool arrow = *path == '-';
		int r;

		if (*path == '[') {
			long long index = strtoll(path + 1, &end, 0);

			r = go_to_element(w, owner, index, e);
			path = *end ? end + 1 : end;
		} else {
			size_t len = strcspn(path += 1 + arrow, ".[-");

			strbuf_reset(&w->name);
			strbuf_add(&w->name, path, len);
			path += len;
			r = go_to_member(w, owner, w->name.buf, arrow, e);
		}
		if (r)
			return -1;
	}
	return 0;
}

/* ---- writing it down ---- */

/* The kernel counts bits from the lowest of a word. */
static int add_bits(const struct btf_walk *w, struct strbuf *type, struct err *e)
{
	u64 size = btf_size(w->b, w->type), shift = w->bits.bits, width = w->bits.width;

	while (size && size < 8 && (shift + width > size * 8 || (size & (size - 1))))
		size++;
	if (!size || size > 8 || shift + width > size * 8)
		return err_set(e, ENOTSUP, "Failed to get the offset of %s.", w->name.buf);
	strbuf_addf(type, ":b%llu@%llu/%llu", (unsigned long long)width, (unsigned long long)shift,
		    (unsigned long long)size * 8);
	return 0;
}

/* sign: 'u', 's' or 'x'; 0: as the type has it. */
static int add_basic_type(const struct btf_walk *w, char sign, struct strbuf *type, struct err *e)
{
	const struct btf_type *t = btf_plain_type(w->b, w->type);
	u64 size = btf_size(w->b, w->type);
	u32 kind = t ? btf_kind(t) : BTF_KIND_UNKN;

	if (kind == BTF_KIND_INT && !w->bits.width &&
	    BTF_INT_BITS(*(const u32 *)(t + 1)) != size * 8)
		return err_set(e, ENOTSUP, "Failed to get the offset of %s.", w->name.buf);
	if (w->bits.width)
		return add_bits(w, type, e);
	if (t && (is_record(t) || kind == BTF_KIND_ARRAY) && size > 8)
		return err_set(e, EINVAL, "%s is a whole structure or array: name a member of it.",
			       w->name.buf);
	if (kind == BTF_KIND_PTR && !sign)
		return 0; /* the kernel takes a word where nothing is said */
	if (!sign)
		sign = (kind == BTF_KIND_INT &&
			BTF_INT_ENCODING(*(const u32 *)(t + 1)) & BTF_INT_SIGNED) ||
				       ((kind == BTF_KIND_ENUM || kind == BTF_ENUM64) &&
					BTF_INFO_KFLAG(t->info))
			       ? 's'
		       : kind == BTF_KIND_ENUM ? 'u'
					       : 'x';
	if (!size || size > 8 || (size & (size - 1)))
		return err_set(e, ENOTSUP, "Failed to get the type of %s.", w->name.buf);
	strbuf_addf(type, ":%c%llu", sign, (unsigned long long)size * 8);
	return 0;
}

static bool is_char(const struct btf_types *b, u32 id)
{
	const struct btf_type *t = btf_plain_type(b, id);

	return t && btf_kind(t) == BTF_KIND_INT && t->size == 1;
}

static int make_string(struct btf_walk *w, struct err *e)
{
	const struct btf_type *t = btf_plain_type(w->b, w->type);
	u32 kind = t ? btf_kind(t) : BTF_KIND_UNKN;

	if (kind == BTF_KIND_PTR && is_char(w->b, t->type))
		return follow_pointer(w, t, e);
	if (kind == BTF_KIND_ARRAY && w->is_place && is_char(w->b, btf_array_of(t)->type))
		return 0;
	return err_set(e, EINVAL, "Failed to cast into string: %s is not (unsigned) char *.",
		       w->name.buf);
}

/* Wraps what is in out: memory at a number behind it. */
static void add_step(s64 add, bool user, struct strbuf *out)
{
	_cleanup_(mem_freep) char *inner = strbuf_detach(out);

	*out = (struct strbuf)STRBUF_INIT;
	strbuf_addf(out, "%c%s%lld(%s)", add < 0 ? '-' : '+', user ? "u" : "",
		    add < 0 ? -(long long)add : (long long)add, inner);
}

static int write_value(struct btf_walk *w, struct strbuf *out, struct err *e)
{
	const char *cast = w->spec->type;
	_cleanup_(strbuf_releasep) struct strbuf type = STRBUF_INIT;
	bool is_string = cast && (!strcmp(cast, "string") || !strcmp(cast, "ustring"));
	bool is_sign = cast && cast[0] && strchr("usx", cast[0]) && !cast[1];

	if (is_string && make_string(w, e))
		return -1;
	if ((!cast || is_sign) && add_basic_type(w, cast ? cast[0] : 0, &type, e))
		return -1;
	if (cast && !is_sign)
		strbuf_addf(&type, ":%s", cast);
	strbuf_adds(out, w->reg);
	for (u32 i = 0; i < w->nr_steps; i++)
		add_step(w->steps[i], w->spec->user, out);
	if (w->is_place)
		add_step(w->add, w->spec->user, out);
	strbuf_adds(out, type.buf);
	return 0;
}

static int fetch_param(const struct btf_types *b, u16 machine, const struct btf_type *proto, u32 nr,
		       const struct probe_arg_spec *spec, probe_btf_args *out, struct err *e)
{
	const struct btf_param *param = &params_of(proto)[nr];
	const char *path = spec->expression + strcspn(spec->expression, ".[-");
	struct btf_walk w = { .b = b, .spec = spec, .type = param->type, .name = STRBUF_INIT };
	bool is_cast = !spec->name && spec->type && !*path; /* as with debug information */
	struct strbuf value = STRBUF_INIT;
	int r;

	strbuf_adds(&w.name, btf_string(b, param->name_off));
	w.reg = register_of(b, machine, proto, nr, e);
	r = w.reg && !follow_path(&w, path, e) ? write_value(&w, &value, e) : -1;
	if (!r)
		*VEC_PUSH(out) = xasprintf("%s%s%s=%s", spec->name ? spec->name : w.name.buf,
					   is_cast ? "_" : "", is_cast ? spec->type : "",
					   value.buf);
	strbuf_release(&value);
	strbuf_release(&w.name);
	return r;
}

/* All that can be fetched. */
static void fetch_params(const struct btf_types *b, u16 machine, const struct btf_type *proto,
			 const struct probe_arg_spec *spec, probe_btf_args *out)
{
	for (u32 i = 0; i < BTF_INFO_VLEN(proto->info); i++) {
		struct probe_arg_spec one = { .user = spec->user, .variable = true };

		if (!*btf_string(b, params_of(proto)[i].name_off))
			continue;
		one.expression = xstrdup(btf_string(b, params_of(proto)[i].name_off));
		(void)fetch_param(b, machine, proto, i, &one, out, NULL);
		free(one.expression);
	}
}

static int no_param(const struct btf_types *b, const struct btf_type *proto, const char *function,
		    const char *name, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf all = STRBUF_INIT;

	for (u32 i = 0; i < BTF_INFO_VLEN(proto->info); i++)
		strbuf_addf(&all, "%s%s", i ? ", " : "",
			    btf_string(b, params_of(proto)[i].name_off));
	err_set(e, ENOENT, "'%s' is no parameter of %s.", name, function);
	err_hint(
		e,
		"without the kernel's debug information there are its parameters alone%s%s, where it begins",
		all.len ? ": " : "", all.buf);
	return -1;
}

int probe_btf_fetch(const struct btf_types *b, u16 machine, const char *function,
		    const struct probe_arg_spec *spec, probe_btf_args *out, struct err *e)
{
	const struct btf_type *proto = find_function(b, function, e);
	_cleanup_(mem_freep) char *name = xstrndup(spec->expression,
						   strcspn(spec->expression, ".[-"));

	if (!proto)
		return -1;
	if (*name == '$') {
		fetch_params(b, machine, proto, spec, out);
		return 0;
	}
	for (u32 i = 0; i < BTF_INFO_VLEN(proto->info); i++)
		if (!strcmp(btf_string(b, params_of(proto)[i].name_off), name))
			return fetch_param(b, machine, proto, i, spec, out, e);
	return no_param(b, proto, function, name, e);
}
