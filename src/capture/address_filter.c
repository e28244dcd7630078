/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/address_filter.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/dso.h"
#include "dso/symbols/symtab.h"

enum { SHOWN = 4, CHOICE_GLOBAL = -1, CHOICE_ONLY = 0 };

/* A number or a symbol, or all of the object. */
struct filter_place {
	bool given, whole, number;
	u64 value;
	char name[256];
	int choice; /* of several symbols, from 1 on */
};

struct address_filter {
	const struct action *action;
	struct filter_place start, end;
	char file[PATH_MAX]; /* "" = the kernel */
};

static const struct action {
	const char *word, *passed; /* how the kernel calls it */
	bool region; /* has a size in any case */
} actions[] = {
	{ "filter", "filter", true },
	{ "start", "start", false },
	{ "stop", "stop", false },
	/* what has a size */
	{ "tracestop", "stop", true },
};

/* The object whose symbols are asked for. */
struct object {
	const struct address_filter *f;
	struct dso_table *dsos;
	const struct symtab *st;
};

static const char *skip_space(const char *p)
{
	return p + strspn(p, " \t\n");
}

/* The word at *p in buf; false: it is too long. */
static bool take_word(const char **p, const char *ends, char *buf, size_t size)
{
	size_t len = strcspn(*p, ends);

	if (!len || len >= size)
		return false;
	memcpy(buf, *p, len);
	buf[len] = '\0';
	*p += len;
	return true;
}

static bool take_number(const char **p, struct filter_place *out)
{
	char *end;

	errno = 0;
	out->number = true;
	out->value = strtoull(*p, &end, 0);
	*p = end;
	return !errno && (!*end || strchr(" \t\n,/@", *end));
}

static bool take_choice(const char **p, struct filter_place *out)
{
	const char *s = skip_space(*p);
	char *end;
	long n;

	if (*s != '#')
		return true;
	s++;
	if (strchr("0gG", *s)) {
		out->choice = CHOICE_GLOBAL;
		*p = s + 1;
		return *s;
	}
	n = strtol(s, &end, 10);
	out->choice = (int)n;
	*p = end;
	return n > 0 && n < INT_MAX;
}

static bool take_place(const char **p, struct filter_place *out)
{
	out->given = true;
	if (isdigit((unsigned char)**p))
		return take_number(p, out);
	if (!take_word(p, " \t\n", out->name, sizeof(out->name)))
		return false;
	out->whole = !strcmp(out->name, "*");
	return take_choice(p, out);
}

/* One filter; *p: behind it. */
static bool take_filter(const char **p, struct address_filter *f)
{
	char word[16];

	*f = (struct address_filter){ .file = "" };
	if (!take_word(p, " \t\n", word, sizeof(word)))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		if (!strcmp(word, actions[i].word))
			f->action = &actions[i];
	}
	*p = skip_space(*p);
	if (!f->action || !take_place(p, &f->start))
		return false;
	*p = skip_space(*p);
	if (**p == '/') {
		*p = skip_space(*p + 1);
		if (!take_place(p, &f->end))
			return false;
		*p = skip_space(*p);
	}
	if (**p == '@') {
		*p = skip_space(*p + 1);
		if (!take_word(p, " \t\n,", f->file, sizeof(f->file)))
			return false;
	}
	return true;
}

static bool open_object(struct object *o, const struct address_filter *f)
{
	static const struct dso_config config = { .live = true };
	struct dso_key key = { .name = f->file[0] ? f->file : "[kernel.kallsyms]",
			       .kind = f->file[0] ? DSO_USER : DSO_KERNEL };

	if (o->dsos)
		return true;
	o->dsos = dso_table_new(&config);
	o->st = dso_symtab(dso_table_get(o->dsos, dso_table_add(o->dsos, &key)));
	return symtab_count(o->st);
}

static bool is_named(const struct object *o, u32 i, const char *name, struct strbuf *tmp)
{
	if (!strcmp(symtab_name(o->st, i), name))
		return true;
	symtab_raw_name(o->st, i, tmp);
	return tmp->len && !strcmp(tmp->buf, name);
}

static int tell_choices(const struct object *o, const char *name, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf tmp = STRBUF_INIT, list = STRBUF_INIT;
	unsigned int nr = 0;

	for (u32 i = 0; i < symtab_count(o->st); i++) {
		struct symbol s;

		if (!is_named(o, i, name, &tmp) || ++nr > SHOWN)
			continue;
		s = symtab_symbol(o->st, i);
		strbuf_addf(&list, ", #%u %#" PRIx64 " %c", nr, s.start, s.binding);
		if (i)
			strbuf_addf(&list, " behind %s", symtab_name(o->st, i - 1));
	}
	err_set(e, EINVAL, "%u symbols with the name '%s'%s", nr, name, list.buf + (list.len > 0));
	err_hint(e, "'%s #2' is the second, '%s #g' the global one", name, name);
	return -1;
}

/* The symbol, or -1. */
static int find(struct object *o, const struct filter_place *p, struct symbol *out, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf tmp = STRBUF_INIT;
	const char *where = o->f->file[0] ? o->f->file : "the kernel";
	int nr = 0;

	if (!open_object(o, o->f))
		return err_set(e, ENOENT,
			       "'%s' has no symbols that can be read, so '%s' is not found", where,
			       p->name);
	for (u32 i = 0; i < symtab_count(o->st); i++) {
		struct symbol s;

		if (!is_named(o, i, p->name, &tmp))
			continue;
		s = symtab_symbol(o->st, i);
		if (p->choice == CHOICE_GLOBAL && s.binding != 'g')
			continue;
		if (!nr++ || nr == p->choice)
			*out = s;
	}
	if (p->choice == CHOICE_ONLY && nr > 1)
		return tell_choices(o, p->name, e);
	if (!nr || nr < p->choice)
		return err_set(e, ENOENT, "%ssymbol '%s' not found in '%s'%s",
			       p->choice == CHOICE_GLOBAL ? "global " : "", p->name, where,
			       nr ? " so many times" : "");
	return 0;
}

/* All of a file, or of the kernel's code. */
static int whole(struct object *o, u64 *from, u64 *until, struct err *e)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	struct stat st;

	if (o->f->file[0]) {
		if (stat(o->f->file, &st) < 0)
			return err_sys(e, errno, "cannot look at '%s'", o->f->file);
		*from = 0;
		*until = (u64)st.st_size;
		return 0;
	}
	if (!open_object(o, o->f))
		return err_set(e, ENOENT,
			       "the kernel has no symbols that can be read (kernel.kptr_restrict)");
	*from = symtab_start(o->st, 0);
	*until = ALIGN_UP(symtab_end(o->st, symtab_count(o->st) - 1), page);
	return 0;
}

static int region(struct object *o, u64 *from, u64 *until, struct err *e)
{
	const struct address_filter *f = o->f;
	struct symbol s;

	if (f->start.whole)
		return whole(o, from, until, e);
	*from = *until = f->start.value;
	if (!f->start.number) {
		if (find(o, &f->start, &s, e) < 0)
			return -1;
		*from = s.start;
		*until = f->action->region ? s.end : s.start;
	}
	if (f->end.number)
		*until = *from + f->end.value;
	else if (f->end.given && find(o, &f->end, &s, e) < 0)
		return -1;
	else if (f->end.given)
		*until = s.end;
	if (*until < *from)
		return err_set(e, EINVAL, "'%s' is before '%s'", f->end.name, f->start.name);
	return 0;
}

static int add_filter(struct address_filter *f, struct strbuf *out, struct err *e)
{
	struct object o = { .f = f };
	u64 from = 0, until = 0;
	char path[PATH_MAX];
	int r;

	if (f->file[0]) {
		if (!realpath(f->file, path))
			return err_sys(e, errno, "cannot find '%s'", f->file);
		memcpy(f->file, path, strlen(path) + 1);
	}
	r = region(&o, &from, &until, e);
	if (o.dsos)
		dso_table_free(o.dsos);
	if (r < 0)
		return -1;
	strbuf_addf(out, "%s%s 0x%" PRIx64, out->len ? "," : "", f->action->passed, from);
	if (f->action->region || (f->end.given && !f->start.whole))
		strbuf_addf(out, "/0x%" PRIx64, until - from);
	if (f->file[0])
		strbuf_addf(out, "@%s", f->file);
	return 0;
}

int address_filter_resolve(const char *text, struct strbuf *out, struct err *e)
{
	const char *p = text + strspn(text, " \t\n,");
	struct address_filter f;
	int nr = 0;

	for (; *p; nr++) {
		if (!take_filter(&p, &f)) {
			err_set(e, EINVAL, "cannot understand the address filter '%s'", text);
			err_hint(
				e,
				"its form is filter|start|stop|tracestop START [/ SIZE] [@FILE]; blanks behind symbols");
			return -1;
		}
		if (add_filter(&f, out, e) < 0) {
			err_prefix(e, "address filter '%s'", text);
			return -1;
		}
		p += strspn(p, " \t\n,");
	}
	return nr;
}
