/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symbols/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

enum {
	MAX_MANGLED = 1 << 16, /* longer names are shown as they are, */
	MAX_SHOWN = 1 << 16, /* and so are those that would become longer */
};

#ifdef HAVE_LIBIBERTY
/*
 * libiberty calls xmalloc(), xstrdup() and this one; its own copy would bring its xmalloc() along,
 * which clashes with ours.
 */
void *xrealloc(void *old, size_t size);
void *xrealloc(void *old, size_t size)
{
	return xrealloc_array(old, size, 1);
}

/*
 * Substitutions let a mangled name of 300 bytes stand for gigabytes of text. The demanglers hand
 * their text out piece by piece, so the callback can leave them when it becomes too much; they keep
 * their state on the stack.
 */
struct bounded {
	struct strbuf text;
	int options; /* here, since a local variable may be lost by longjmp() */
	jmp_buf too_long;
};

static void take_piece(const char *piece, size_t len, void *opaque)
{
	struct bounded *b = opaque;

	if (b->text.len + len > MAX_SHOWN)
		longjmp(b->too_long, 1);
	strbuf_add(&b->text, piece, len);
}

/* C++ and Rust, tried in the order of libiberty's own cplus_demangle(). */
static char *demangle_native(const char *name, bool params)
{
	struct bounded *b = XNEW(struct bounded);
	char *shown = NULL;

	*b = (struct bounded){ .text = STRBUF_INIT,
			       .options = params ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS };
	if (!setjmp(b->too_long)) {
		bool ok = rust_demangle_callback(name, b->options, take_piece, b);

		if (!ok) {
			strbuf_reset(&b->text);
			ok = cplus_demangle_v3_callback(name, b->options, take_piece, b);
		}
		if (ok)
			shown = strbuf_detach(&b->text);
	}
	strbuf_release(&b->text);
	free(b);
	return shown;
}

static char *demangle_d(const char *name)
{
	return name[2] >= '0' && name[2] <= '9' ? dlang_demangle(name, DMGL_NO_OPTS) : NULL;
}

/* A PLT entry's name: that of its function, and a mark. */
static char *demangle_plt(const char *name, size_t len, bool params)
{
	static const char mark[] = "@plt";
	_cleanup_(mem_freep) char *bare = NULL;
	_cleanup_(mem_freep) char *shown = NULL;

	bare = xstrndup(name, len - strlen(mark));
	shown = demangle_native(bare, params);
	return shown ? xasprintf("%s%s", shown, mark) : NULL;
}
#else
static char *demangle_native(const char *name, bool params)
{
	(void)name;
	(void)params;
	return NULL;
}

static char *demangle_d(const char *name)
{
	(void)name;
	return NULL;
}

static char *demangle_plt(const char *name, size_t len, bool params)
{
	(void)name;
	(void)len;
	(void)params;
	return NULL;
}
#endif

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* camlModule__Sub__name_123 is Module.Sub.name_123; $xx is a character by its code. */
static char *demangle_ocaml(const char *name)
{
	struct strbuf out = STRBUF_INIT;

	for (const char *p = name + 4; *p; p++) {
		if (p[0] == '_' && p[1] == '_') {
			strbuf_addch(&out, '.');
			p++;
		} else if (p[0] == '$' && hex_digit(p[1]) > 0 && hex_digit(p[2]) >= 0) {
			strbuf_addch(&out, (char)(hex_digit(p[1]) << 4 | hex_digit(p[2])));
			p += 2;
		} else {
			strbuf_addch(&out, *p);
		}
	}
	return strbuf_detach(&out);
}

/* Java virtual machine specification, 4.3.2. */
static const char *java_type(char c)
{
	switch (c) {
	case 'B':
		return "byte";
	case 'C':
		return "char";
	case 'D':
		return "double";
	case 'F':
		return "float";
	case 'I':
		return "int";
	case 'J':
		return "long";
	case 'S':
		return "short";
	case 'V':
		return "void";
	case 'Z':
		return "boolean";
	default:
		return NULL;
	}
}

/* "java/lang/String" up to the semicolon, with dots; NULL when there is none. */
static const char *add_java_class(struct strbuf *out, const char *p)
{
	for (; *p != ';'; p++) {
		if (!*p)
			return NULL;
		strbuf_addch(out, *p == '/' ? '.' : *p);
	}
	return p + 1;
}

static const char *add_java_params(struct strbuf *out, const char *p)
{
	bool first = true;

	while (*p != ')') {
		size_t dims = strspn(p, "[");

		p += dims;
		if (!first)
			strbuf_adds(out, ", ");
		first = false;
		if (*p == 'L')
			p = add_java_class(out, p + 1);
		else if (!*p || *p == ')')
			return NULL;
		else if (java_type(*p))
			strbuf_adds(out, java_type(*p++));
		else
			strbuf_addch(out, *p++);
		if (!p)
			return NULL;
		while (dims--)
			strbuf_adds(out, "[]");
	}
	return p;
}

/* Lpackage/Class;method(Ljava/lang/Object;I)V is package.Class.method(java.lang.Object, int). */
static char *demangle_java(const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	const char *p = add_java_class(&out, name + 1);
	size_t len = p ? strcspn(p, "(/;") : 0;

	if (!len || p[len] != '(')
		return NULL;
	if (*p != '<') /* <init> */
		strbuf_addch(&out, '.');
	strbuf_add(&out, p, len + 1);
	if (!add_java_params(&out, p + len + 1))
		return NULL;
	strbuf_addch(&out, ')');
	return strbuf_detach(&out);
}

char *demangle(const char *name, bool params)
{
	size_t len;

	if (!is_mangled(name))
		return NULL;
	len = strnlen(name, MAX_MANGLED);
	if (len == MAX_MANGLED)
		return NULL;
	if (name[0] == 'c')
		return demangle_ocaml(name);
	if (name[0] == 'L')
		return demangle_java(name);
	if (name[1] == 'D')
		return demangle_d(name);
	if (len > 4 && strcmp(name + len - 4, "@plt") == 0)
		return demangle_plt(name, len, params);
	return demangle_native(name, params);
}
