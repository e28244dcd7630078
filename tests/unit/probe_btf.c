/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments by the kernel's type information, of a file that is made up here. */
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi/btf.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "probe/btf.h"

static struct strbuf types = STRBUF_INIT, strings = STRBUF_INIT;
static char dir[] = "/tmp/probe-btf-XXXXXX";
static u32 nr;

static u32 string(const char *s)
{
	u32 at = (u32)strings.len;

	strbuf_add(&strings, s, strlen(s) + 1);
	return at;
}

static void word(u32 n)
{
	strbuf_add(&types, (const char *)&n, sizeof(n));
}

/* Returns its id. */
static u32 type(const char *name, u32 kind, u32 members, u32 size_or_type, bool flag)
{
	word(*name ? string(name) : 0);
	word(kind << 24 | members | (u32)flag << 31);
	word(size_or_type);
	return ++nr;
}

static void member(const char *name, u32 of, u32 offset)
{
	word(*name ? string(name) : 0);
	word(of);
	word(offset);
}

static void param(const char *name, u32 of)
{
	word(*name ? string(name) : 0);
	word(of);
}

static u32 integer(const char *name, u32 size, u32 encoding)
{
	u32 id = type(name, BTF_KIND_INT, 0, size, false);

	word(encoding << 24 | size * 8);
	return id;
}

static void save(const char *name, size_t cut)
{
	struct btf_header h = { .magic = BTF_MAGIC,
				.version = 1,
				.hdr_len = sizeof(h),
				.type_len = (u32)types.len,
				.str_off = (u32)types.len,
				.str_len = (u32)strings.len };
	_cleanup_(mem_freep) char *path = xasprintf("%s/%s", dir, name);
	_cleanup_(strbuf_releasep) struct strbuf all = STRBUF_INIT;
	FILE *f = fopen(path, "w");

	strbuf_add(&all, (const char *)&h, sizeof(h));
	strbuf_add(&all, types.buf, types.len);
	strbuf_add(&all, strings.buf, strings.len);
	assert_non_null(f);
	assert_int_equal(fwrite(all.buf, 1, MIN(all.len, cut), f), MIN(all.len, cut));
	fclose(f);
}

static int make(void **state)
{
	u32 i32, u16t, chr, str, inner, inner_p, list, anonymous, outer, outer_p, alias, proto, row,
		state_t;

	(void)state;
	assert_non_null(mkdtemp(dir));
	strbuf_addch(&strings, '\0');
	i32 = integer("int", 4, BTF_INT_SIGNED);
	u16t = integer("unsigned short", 2, 0);
	chr = integer("char", 1, BTF_INT_CHAR);
	str = type("", BTF_KIND_PTR, 0, chr, false);
	inner = type("inner", BTF_KIND_STRUCT, 4, 8, true);
	member("flags", i32, 3U << 24 | 0); /* 3 bits */
	member("mode", i32, 5U << 24 | 3);
	member("port", u16t, 32);
	member("late", i32, 2U << 24 | 60);
	inner_p = type("", BTF_KIND_PTR, 0, inner, false);
	row = type("", BTF_KIND_ARRAY, 0, 0, false);
	word(i32);
	word(i32);
	word(4);
	anonymous = type("", BTF_KIND_UNION, 2, 16, false);
	member("values", row, 0);
	member("first", i32, 0);
	state_t = type("state", BTF_KIND_ENUM, 0, 4, false);
	outer = type("outer", BTF_KIND_STRUCT, 5, 64, false);
	member("next", nr + 2, 0); /* the pointer that follows */
	member("", anonymous, 64);
	member("in", inner, 192);
	member("name", str, 256);
	member("state", state_t, 320);
	outer_p = type("", BTF_KIND_PTR, 0, outer, false);
	alias = type("outer_t", BTF_KIND_TYPEDEF, 0, outer_p, false);
	list = type("", BTF_KIND_CONST, 0, alias, false);
	proto = type("", BTF_KIND_FUNC_PROTO, 4, i32, false);
	param("o", list);
	param("n", i32);
	param("in", inner_p);
	param("name", str);
	type("work", BTF_KIND_FUNC, 0, proto, false);
	proto = type("", BTF_KIND_FUNC_PROTO, 2, i32, false);
	param("whole", outer);
	param("n", i32);
	type("by_value", BTF_KIND_FUNC, 0, proto, false);
	proto = type("", BTF_KIND_FUNC_PROTO, 7, i32, false);
	for (int i = 0; i < 7; i++) {
		char name[] = { 'a', (char)('0' + i), '\0' };

		param(name, i32);
	}
	type("many", BTF_KIND_FUNC, 0, proto, false);
	type("twice", BTF_KIND_FUNC, 0, proto, false);
	type("twice", BTF_KIND_FUNC, 0, proto - 2, false);
	save("vmlinux", SIZE_MAX);
	return 0;
}

static int drop(void **state)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/vmlinux", dir);

	(void)state;
	unlink(path);
	rmdir(dir);
	strbuf_release(&types);
	strbuf_release(&strings);
	return 0;
}

/* All that is fetched, with blanks between; the error where there is one. */
static void fetch(u16 machine, const char *function, const char *arg, struct strbuf *out)
{
	_cleanup_(mem_freep) char *text = xasprintf("f %s", arg);
	struct btf_types *b = btf_types_open(dir, NULL, NULL);
	struct probe_definition d;
	probe_btf_args args = { 0 };
	struct err e = ERR_INIT;

	strbuf_reset(out);
	assert_non_null(b);
	assert_int_equal(probe_definition_parse(text, &d, NULL), 0);
	if (probe_btf_fetch(b, machine, function, d.args.v, &args, &e))
		strbuf_addf(out, "%s", e.text);
	VEC_FOR(&args, one) {
		strbuf_addf(out, "%s%s", out->len ? " " : "", *one);
		free(*one);
	}
	vec_free(&args);
	probe_definition_release(&d);
	btf_types_free(b);
}

static void values(void **state)
{
	static const struct {
		const char *function, *arg, *fetched;
	} cases[] = {
		{ "work", "n", "n=%si:s32" },
		{ "work", "m=n", "m=%si:s32" },
		{ "work", "n:u", "n_u=%si:u32" },
		{ "work", "n:x8", "n_x8=%si:x8" },
		{ "work", "o", "o=%di" },
		{ "work", "o->next", "next=+0(%di)" },
		{ "work", "o->first", "first=+8(%di):s32" },
		{ "work", "o->values[2]", "values=+16(%di):s32" },
		{ "work", "o->next->next->values[-1]", "values=+4(+0(+0(%di))):s32" },
		{ "work", "o->in.port", "port=+28(%di):x16" },
		{ "work", "o->in.flags", "flags=+24(%di):b3@0/32" },
		{ "work", "o->in.mode", "mode=+24(%di):b5@3/32" },
		{ "work", "in->late", "late=+7(%dx):b2@4/32" },
		{ "work", "in[2].port", "port=+20(%dx):x16" },
		{ "work", "o->name:string", "name=+0(+32(%di)):string" },
		{ "work", "name:string", "name_string=+0(%cx):string" },
		{ "work", "name:ustring", "name_ustring=+0(%cx):ustring" },
		{ "work", "name[1]", "name=+1(%cx):x8" },
		{ "work", "o->state", "state=+40(%di):u32" },
		{ "work", "o->next->first@user", "first=+u8(+u0(%di)):s32" },
		{ "work", "$params", "o=%di n=%si:s32 in=%dx name=%cx" },
		{ "many", "a5", "a5=%r9:s32" },
		/* refused */
		{ "many", "a6", "'a6' is passed in memory, not in a register" },
		{ "by_value", "n", "the register of 'n' is not known: whole is passed as a whole" },
		{ "work", "o.first", "Semantic error: first must be referred by '->'" },
		{ "work", "o->in->port", "Semantic error: port must be referred by '.'" },
		{ "work", "o->nix", "o(type:outer) has no member nix." },
		{ "work", "n->x", "n is not a data structure nor a union." },
		{ "work", "n[1]", "n is not an array nor a pointer." },
		{ "work", "o->values",
		  "values is a whole structure or array: name a member of it." },
		{ "work", "n:string", "Failed to cast into string: n is not (unsigned) char *." },
		{ "work", "local", "'local' is no parameter of work." },
		{ "unknown", "n",
		  "the kernel's type information (BTF) does not know the function 'unknown'" },
		{ "twice", "n", "the kernel has several functions 'twice' with other parameters" },
	};
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		fetch(EM_X86_64, cases[i].function, cases[i].arg, &out);
		if (strcmp(out.buf, cases[i].fetched) != 0)
			fail_msg("%s %s: %s", cases[i].function, cases[i].arg, out.buf);
	}
	fetch(EM_AARCH64, "many", "a6", &out);
	assert_string_equal(out.buf, "a6=%x6:s32");
	fetch(EM_S390, "work", "n", &out);
	assert_string_equal(out.buf, "where parameters are is not known for this machine");
}

/* However a file is cut or damaged, it is refused or read; nothing is read behind its end. */
static void damaged(void **state)
{
	struct strbuf copy = STRBUF_INIT;
	size_t whole = sizeof(struct btf_header) + types.len + strings.len;

	(void)state;
	for (size_t cut = 0; cut < whole; cut += 7) {
		save("vmlinux", cut);
		assert_null(btf_types_open(dir, NULL, NULL));
	}
	strbuf_add(&copy, types.buf, types.len);
	for (size_t i = 0; i < copy.len; i += 3) {
		struct strbuf out = STRBUF_INIT;
		struct btf_types *b;

		types.buf[i] ^= (char)(0x55 + i % 7);
		save("vmlinux", SIZE_MAX);
		b = btf_types_open(dir, NULL, NULL);
		if (b) {
			fetch(EM_X86_64, "work", "o->next->in.mode", &out);
			fetch(EM_X86_64, "work", "o->values[3]", &out);
			fetch(EM_X86_64, "work", "$vars", &out);
		}
		btf_types_free(b);
		types.buf[i] = copy.buf[i];
		strbuf_release(&out);
	}
	strbuf_release(&copy);
	save("vmlinux", SIZE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(values), cmocka_unit_test(damaged) };

	return cmocka_run_group_tests(tests, make, drop);
}
