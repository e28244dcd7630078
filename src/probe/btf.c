/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/btf.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/btf.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"

enum {
	BTF_FILE_BYTES = 256 << 20,
	TYPES_MAX = 1 << 24,
	HOPS_MAX = 32, /* typedefs and qualifiers of a type; unnamed members in each other */
	STEPS_MAX = 12, /* through memory; the kernel takes 16 instructions */
	POINTER_SIZE = 8,
};

/* One blob; ids and offsets of strings go on where those of its base end. */
struct btf_part {
	struct strbuf bytes;
	u32 first_id, strings_from; /* what belongs to the parts before it */
	const char *strings;
	u32 strings_len;
};

struct probe_btf {
	struct btf_part parts[2]; /* the kernel's, a module's */
	size_t nr_parts;
	VEC(const struct btf_type *) types; /* by id; 0 is void */
};

/* ---- reading ---- */

static const char *string_at(const struct probe_btf *b, u32 offset)
{
	for (size_t i = b->nr_parts; i-- > 0;) {
		const struct btf_part *p = &b->parts[i];

		if (offset >= p->strings_from)
			return offset - p->strings_from < p->strings_len
				       ? p->strings + (offset - p->strings_from)
				       : "";
	}
	return "";
}

static u32 kind_of(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

static bool read_types(struct probe_btf *b, const struct btf_part *p, const struct btf_header *h)
{
	const char *s = p->bytes.buf + h->hdr_len + h->type_off;
	size_t left = h->type_len;

	while (left) {
		struct btf_type t;
		long tail;

		if (left < sizeof(t) || b->types.nr >= TYPES_MAX)
			return false;
		memcpy(&t, s, sizeof(t));
		tail = btf_tail(kind_of(&t), BTF_INFO_VLEN(t.info));
		if (tail < 0 || (size_t)tail > left - sizeof(t))
			return false;
		*VEC_PUSH(&b->types) = (const struct btf_type *)(const void *)s;
		s += sizeof(t) + (size_t)tail;
		left -= sizeof(t) + (size_t)tail;
	}
	return true;
}

static int read_part(struct probe_btf *b, const char *path, struct err *e)
{
	struct btf_part *p = &b->parts[b->nr_parts];
	const struct btf_part *base = b->nr_parts ? p - 1 : NULL;
	struct btf_header h;
	size_t len;

	p->bytes = (struct strbuf)STRBUF_INIT;
	b->nr_parts++;
	if (rw_slurp(path, &p->bytes, e))
		return -1;
	len = p->bytes.len;
	p->strings_from = base ? base->strings_from + base->strings_len : 0;
	if (len < sizeof(h) || len > BTF_FILE_BYTES)
		return err_set(e, EINVAL, "'%s' is no type information", path);
	memcpy(&h, p->bytes.buf, sizeof(h));
	if (h.magic != BTF_MAGIC || h.hdr_len < sizeof(h) || h.hdr_len > len || h.hdr_len % 4 ||
	    h.type_off % 4 || h.type_off > len - h.hdr_len ||
	    h.type_len > len - h.hdr_len - h.type_off || h.str_off > len - h.hdr_len ||
	    h.str_len > len - h.hdr_len - h.str_off || !h.str_len ||
	    p->bytes.buf[h.hdr_len + h.str_off + h.str_len - 1])
		return err_set(e, EINVAL, "'%s' is no type information", path);
	p->strings = p->bytes.buf + h.hdr_len + h.str_off;
	p->strings_len = h.str_len;
	return read_types(b, p, &h) ? 0 : err_set(e, EINVAL, "'%s' is damaged", path);
}

struct probe_btf *probe_btf_open(const char *dir, const char *module, struct err *e)
{
	struct probe_btf *b = XNEW(struct probe_btf);
	const char *names[] = { "vmlinux", module };

	*VEC_PUSH(&b->types) = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(names) && names[i]; i++) {
		_cleanup_(mem_freep) char *path = xasprintf("%s/%s", dir ? dir : "/sys/kernel/btf",
							    names[i]);

		if (read_part(b, path, e)) {
			probe_btf_free(b);
			return NULL;
		}
	}
	return b;
}

void probe_btf_free(struct probe_btf *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr_parts; i++)
		strbuf_release(&b->parts[i].bytes);
	vec_free(&b->types);
	free(b);
}

/* ---- types ---- */

static const struct btf_type *type_at(const struct probe_btf *b, u32 id)
{
	return id < b->types.nr ? b->types.v[id] : NULL;
}

/* Through typedefs and qualifiers; NULL: void, or damaged. */
static const struct btf_type *resolve(const struct probe_btf *b, u32 id)
{
	for (int hop = 0; hop < HOPS_MAX; hop++) {
		const struct btf_type *t = type_at(b, id);

		if (!t)
			return NULL;
		switch (kind_of(t)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case 18: /* a tag of a type */
			id = t->type;
			break;
		default:
			return t;
		}
	}
	return NULL;
}

static const struct btf_array *array_of(const struct btf_type *t)
{
	return (const struct btf_array *)(t + 1);
}

/* 0: unknown. */
static u64 size_of(const struct probe_btf *b, u32 id)
{
	u64 nr = 1;

	for (int hop = 0; hop < HOPS_MAX; hop++) {
		const struct btf_type *t = resolve(b, id);

		if (!t)
			return 0;
		switch (kind_of(t)) {
		case BTF_KIND_PTR:
			return nr * POINTER_SIZE;
		case BTF_KIND_ARRAY:
			if (__builtin_mul_overflow(nr, (u64)array_of(t)->nelems, &nr) ||
			    nr > INT32_MAX)
				return 0;
			id = array_of(t)->type;
			break;
		case BTF_KIND_INT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_KIND_FLOAT:
		case BTF_ENUM64:
			return nr * t->size;
		default:
			return 0;
		}
	}
	return 0;
}

static bool is_record(const struct btf_type *t)
{
	return kind_of(t) == BTF_KIND_STRUCT || kind_of(t) == BTF_KIND_UNION;
}

static const char *name_of(const struct probe_btf *b, const struct btf_type *t)
{
	const char *name = t ? string_at(b, t->name_off) : "";

	return *name ? name : "(unknown_type)";
}

struct member {
	u32 type;
	u64 bits; /* from the start of the record */
	u32 width; /* of a bit field, else 0 */
};

/* Also of records in it that have no name. */
static bool find_member(const struct probe_btf *b, const struct btf_type *t, const char *name,
			int depth, struct member *out)
{
	const struct btf_member *m = (const struct btf_member *)(t + 1);
	bool has_widths = BTF_INFO_KFLAG(t->info);

	for (u32 i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		const char *called = string_at(b, m[i].name_off);
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
		inner = *called || depth == HOPS_MAX ? NULL : resolve(b, m[i].type);
		if (inner && is_record(inner) && find_member(b, inner, name, depth + 1, out)) {
			out->bits += at;
			return true;
		}
	}
	return false;
}

/* ---- a function's parameters ---- */

/* NULL: it is not known, or there are several of the name that differ. */
static const struct btf_type *find_function(const struct probe_btf *b, const char *name,
					    struct err *e)
{
	const struct btf_type *found = NULL;

	for (size_t i = 1; i < b->types.nr; i++) {
		const struct btf_type *t = b->types.v[i];

		if (kind_of(t) != BTF_KIND_FUNC || strcmp(string_at(b, t->name_off), name) != 0)
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
		found = type_at(b, found->type);
	if (found && kind_of(found) == BTF_KIND_FUNC_PROTO)
		return found;
	err_set(e, ENOENT, "the kernel's type information (BTF) does not know the function '%s'",
		name);
	return NULL;
}

static const struct btf_param *params_of(const struct btf_type *proto)
{
	return (const struct btf_param *)(proto + 1);
}

static const char *const x86_64_registers[] = { "%di", "%si", "%dx", "%cx", "%r8", "%r9" };
static const char *const arm64_registers[] = { "%x0", "%x1", "%x2", "%x3",
					       "%x4", "%x5", "%x6", "%x7" };

/* Where the nr-th parameter is when the function begins; NULL and *e: not in one register. */
static const char *register_of(const struct probe_btf *b, u16 machine, const struct btf_type *proto,
			       u32 nr, struct err *e)
{
	bool is_x86 = machine == EM_X86_64;
	const char *const *names = is_x86 ? x86_64_registers : arm64_registers;
	size_t max = is_x86 ? ARRAY_SIZE(x86_64_registers) : ARRAY_SIZE(arm64_registers);
	const char *name = string_at(b, params_of(proto)[nr].name_off);

	if (!is_x86 && machine != EM_AARCH64) {
		err_set(e, ENOTSUP, "where parameters are is not known for this machine");
		return NULL;
	}
	/* A structure takes several registers, or none. */
	for (u32 i = 0; i <= nr; i++) {
		const struct btf_type *t = resolve(b, params_of(proto)[i].type);

		if (!t || is_record(t) || kind_of(t) == BTF_KIND_FLOAT ||
		    size_of(b, params_of(proto)[i].type) > POINTER_SIZE) {
			err_set(e, ENOTSUP,
				"the register of '%s' is not known: %s is passed as a whole", name,
				i == nr ? "it" : string_at(b, params_of(proto)[i].name_off));
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
	const struct probe_btf *b;
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
	const struct btf_type *t = resolve(w->b, w->type);
	struct member m;

	if (t && kind_of(t) == BTF_KIND_PTR) {
		if (!arrow)
			return err_set(e, EINVAL, "Semantic error: %s must be referred by '->'",
				       name);
		if (follow_pointer(w, t, e))
			return -1;
		t = resolve(w->b, w->type);
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
	const struct btf_type *t = resolve(w->b, w->type);
	u64 size;
	s64 bytes;

	w->bits.width = 0;
	if (t && kind_of(t) == BTF_KIND_PTR) {
		if (follow_pointer(w, t, e))
			return -1;
	} else if (t && kind_of(t) == BTF_KIND_ARRAY) {
		w->type = array_of(t)->type;
	} else {
		return err_set(e, EINVAL, "%s is not an array nor a pointer.", owner);
	}
	size = size_of(w->b, w->type);
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
	u64 size = size_of(w->b, w->type), shift = w->bits.bits, width = w->bits.width;

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
	const struct btf_type *t = resolve(w->b, w->type);
	u64 size = size_of(w->b, w->type);
	u32 kind = t ? kind_of(t) : BTF_KIND_UNKN;

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

static bool is_char(const struct probe_btf *b, u32 id)
{
	const struct btf_type *t = resolve(b, id);

	return t && kind_of(t) == BTF_KIND_INT && t->size == 1;
}

static int make_string(struct btf_walk *w, struct err *e)
{
	const struct btf_type *t = resolve(w->b, w->type);
	u32 kind = t ? kind_of(t) : BTF_KIND_UNKN;

	if (kind == BTF_KIND_PTR && is_char(w->b, t->type))
		return follow_pointer(w, t, e);
	if (kind == BTF_KIND_ARRAY && w->is_place && is_char(w->b, array_of(t)->type))
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

static int fetch_param(const struct probe_btf *b, u16 machine, const struct btf_type *proto, u32 nr,
		       const struct probe_arg_spec *spec, probe_btf_args *out, struct err *e)
{
	const struct btf_param *param = &params_of(proto)[nr];
	const char *path = spec->expression + strcspn(spec->expression, ".[-");
	struct btf_walk w = { .b = b, .spec = spec, .type = param->type, .name = STRBUF_INIT };
	bool is_cast = !spec->name && spec->type && !*path; /* as with debug information */
	struct strbuf value = STRBUF_INIT;
	int r;

	strbuf_adds(&w.name, string_at(b, param->name_off));
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
static void fetch_params(const struct probe_btf *b, u16 machine, const struct btf_type *proto,
			 const struct probe_arg_spec *spec, probe_btf_args *out)
{
	for (u32 i = 0; i < BTF_INFO_VLEN(proto->info); i++) {
		struct probe_arg_spec one = { .user = spec->user, .variable = true };

		if (!*string_at(b, params_of(proto)[i].name_off))
			continue;
		one.expression = xstrdup(string_at(b, params_of(proto)[i].name_off));
		(void)fetch_param(b, machine, proto, i, &one, out, NULL);
		free(one.expression);
	}
}

static int no_param(const struct probe_btf *b, const struct btf_type *proto, const char *function,
		    const char *name, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf all = STRBUF_INIT;

	for (u32 i = 0; i < BTF_INFO_VLEN(proto->info); i++)
		strbuf_addf(&all, "%s%s", i ? ", " : "",
			    string_at(b, params_of(proto)[i].name_off));
	err_set(e, ENOENT, "'%s' is no parameter of %s.", name, function);
	err_hint(
		e,
		"without the kernel's debug information there are its parameters alone%s%s, where it begins",
		all.len ? ": " : "", all.buf);
	return -1;
}

int probe_btf_fetch(const struct probe_btf *b, u16 machine, const char *function,
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
		if (!strcmp(string_at(b, params_of(proto)[i].name_off), name))
			return fetch_param(b, machine, proto, i, spec, out, e);
	return no_param(b, proto, function, name, e);
}
