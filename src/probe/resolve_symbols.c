/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points that are found by symbols, and what the kernel is told of a place. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rw.h"
#include "probe/resolve_internal.h"

static int no_kallsyms(struct err *e)
{
	return err_set(e, ENOENT,
		       "Failed to load symbols from /proc/kallsyms\n"
		       "Please ensure you can read the /proc/kallsyms symbol addresses.\n"
		       "If /proc/sys/kernel/kptr_restrict is '2', you can not read\n"
		       "kernel symbol addresses even if you are a superuser. Please change\n"
		       "it to '1'. If kptr_restrict is '1', the superuser can read the\n"
		       "symbol addresses.\n"
		       "In that case, please run this command again with sudo.");
}

/* A module's name in kallsyms, of its name or its file: dashes are underscores there. */
static char *kallsyms_module(const char *path)
{
	const char *file = strrchr(path, '/');
	char *name;

	file = file ? file + 1 : path;
	name = xstrndup(file, strcspn(file, "."));
	for (char *s = name; *s; s++)
		if (*s == '-')
			*s = '_';
	return name;
}

static int read_kernel_symbols(struct probe_resolver *r, struct err *e)
{
	const struct probe_resolve_opts *o = &r->o;
	_cleanup_(mem_freep) char *module = o->kind == PROBE_MODULE ? kallsyms_module(o->path)
								    : NULL;
	int bad;

	if (o->kind == PROBE_KERNEL && o->vmlinux)
		bad = probe_symbols_of_vmlinux(o->vmlinux, o->demangle_kernel, &r->symbols, NULL);
	else
		bad = probe_symbols_of_kernel("/proc/kallsyms", module, o->demangle_kernel,
					      &r->symbols, NULL);
	/* A module that is not loaded yet. */
	if (bad && module && strchr(o->path, '/'))
		bad = probe_symbols_of_module(o->path, o->demangle_kernel, &r->symbols, NULL);
	if (!bad)
		return 0;
	if (!module && o->vmlinux)
		return err_set(
			e, ENOENT,
			"Failed to load symbols from %s\nPlease ensure the file is not stripped.",
			o->vmlinux);
	if (!module)
		return no_kallsyms(e);
	return err_set(e, EINVAL, "Failed to get a map for %s", o->path);
}

const struct probe_symbols *probe_resolver_symbols(struct probe_resolver *r, struct err *e)
{
	if (!r->symbols_read) {
		r->symbols_read = true;
		if (r->o.kind != PROBE_USER)
			(void)read_kernel_symbols(r, &r->symbols_problem);
		else if (probe_symbols_of_object(r->dso, r->o.demangle, &r->symbols, NULL))
			err_set(&r->symbols_problem, ENOENT,
				"Failed to load symbols from %s\nPlease ensure the file is not stripped.",
				r->o.path);
	}
	if (!r->symbols_problem.code)
		return &r->symbols;
	if (e)
		*e = r->symbols_problem;
	return NULL;
}

/* "0xfffA-0xfffB\tname" a line. */
static bool is_blacklisted(struct probe_resolver *r, u64 address)
{
	if (!r->blacklist_read) {
		r->blacklist_read = true;
		(void)rw_slurp("/sys/kernel/debug/kprobes/blacklist", &r->blacklist, NULL);
	}
	for (const char *s = r->blacklist.buf; *s; s += *s == '\n') {
		char *end;
		u64 from = strtoull(s, &end, 16);

		if (*end == '-' && address >= from && address < strtoull(end + 1, &end, 16))
			return true;
		s += strcspn(s, "\n");
	}
	return false;
}

void resolve_warn(struct probe_resolver *r, const char *text)
{
	if (r->o.warn)
		r->o.warn(r->o.ctx, text);
}

bool resolve_is_probeable(struct probe_resolver *r, const struct probe_symbols *s, const char *name,
			  u64 address)
{
	const char *why = NULL;
	_cleanup_(mem_freep) char *text = NULL;

	if (r->o.kind == PROBE_KERNEL && s->etext && (address <= s->stext || address >= s->etext) &&
	    (address < s->sinit || address >= s->einit))
		why = "out of .text";
	else if (!r->o.vmlinux && is_blacklisted(r, address))
		why = "blacklisted function";
	if (!why)
		return true;
	text = xasprintf("%s is %s, skip it.", name, why);
	resolve_warn(r, text);
	return false;
}

struct probe_place *resolve_add(const struct probe_definition *d, const char *symbol, char *where,
				struct probe_places *out)
{
	struct probe_place *p = VEC_PUSH(out);

	*p = (struct probe_place){ .symbol = symbol ? xstrdup(symbol) : NULL,
				   .where = where,
				   .is_return = d->point.is_return };
	return p;
}

void resolve_raw_args(const struct probe_definition *d, struct probe_place *p)
{
	VEC_FOR(&d->args, a) {
		struct strbuf text = STRBUF_INIT;

		probe_arg_spec_text(a, &text);
		*VEC_PUSH(&p->args) = strbuf_detach(&text);
	}
}

char *resolve_where(const struct probe_resolver *r, const struct probe_symbols *s,
		    const char *symbol, u64 address, u64 offset)
{
	_cleanup_(mem_freep) char *module = NULL;

	switch (r->o.kind) {
	case PROBE_USER:
		return xasprintf("%s:0x%" PRIx64, r->o.path, address + offset);
	case PROBE_MODULE:
		module = kallsyms_module(r->o.path);
		return xasprintf("%s:%s+%" PRIu64, module, symbol, offset);
	default:
		if (s && s->text)
			return xasprintf("_text+%" PRIu64, address + offset - s->text);
		return xasprintf("%s+%" PRIu64, symbol, offset);
	}
}

void resolve_warn_indirect(struct probe_resolver *r, const struct probe_symbol *sym)
{
	_cleanup_(mem_freep) char *text = NULL;
	const char *version = strstr(sym->shown, "@@");

	if (!sym->indirect)
		return;
	text = xasprintf(
		"Warning: The probe function (%.*s) is a GNU indirect function.\n"
		"Consider identifying the final function used at run time and set the probe directly on that.",
		(int)(version ? version - sym->shown : (ptrdiff_t)strlen(sym->shown)), sym->shown);
	resolve_warn(r, text);
}

struct btf_types *resolve_btf(struct probe_resolver *r, const struct probe_definition *d)
{
	const struct probe_point *p = &d->point;
	_cleanup_(mem_freep) char *module = NULL;

	if (r->o.kind == PROBE_USER || r->o.vmlinux || !p->function || p->has_address ||
	    p->offset || p->line || p->lazy || p->file || p->is_return)
		return NULL;
	if (!r->btf_opened) {
		r->btf_opened = true;
		module = r->o.kind == PROBE_MODULE ? kallsyms_module(r->o.path) : NULL;
		r->btf = btf_types_open(r->o.btf_dir, module, NULL);
	}
	return r->btf;
}

/* The kernel wants each name once. Takes "NAME=FETCH" over. */
static void add_unique(struct probe_place *p, char *arg)
{
	size_t len = strcspn(arg, "=");
	char *text = xstrdup(arg);

	for (int nr = 1; nr <= PROBE_ARGS_MAX; nr++) {
		size_t n = strcspn(text, "=") + 1;
		bool used = false;

		VEC_FOR(&p->args, other)
			used |= !strncmp(*other, text, n);
		if (!used)
			break;
		free(text);
		text = xasprintf("%.*s_%d%s", (int)len, arg, nr, arg + len);
	}
	free(arg);
	*VEC_PUSH(&p->args) = text;
}

/* Variables by the kernel's types; what a $vars or $params cannot have is left out. */
static int add_args(struct probe_resolver *r, const struct probe_definition *d, const char *symbol,
		    struct probe_place *p, struct err *e)
{
	if (!probe_definition_needs_debug(d)) {
		resolve_raw_args(d, p);
		return 0;
	}
	VEC_FOR(&d->args, a) {
		probe_btf_args args = { 0 };
		struct strbuf text = STRBUF_INIT;
		int bad = 0;

		if (a->variable) {
			bad = probe_btf_fetch(r->btf, PROBE_BTF_OURS, symbol, a, &args, e);
		} else {
			probe_arg_spec_text(a, &text);
			*VEC_PUSH(&args) = strbuf_detach(&text);
		}
		VEC_FOR(&args, one)
			add_unique(p, *one);
		vec_free(&args);
		if (bad)
			return -1;
	}
	return 0;
}

/* Of many functions, those whose parameters are not known are left out. */
static bool has_parameters(struct probe_resolver *r, const struct probe_definition *d,
			   const char *symbol)
{
	_cleanup_(mem_freep) char *text = NULL;

	if (!r->btf || !probe_is_pattern(d->point.function) || !probe_definition_needs_debug(d) ||
	    probe_btf_knows(r->btf, symbol))
		return true;
	text = xasprintf("%s has no parameters in the kernel's type information, skip it.", symbol);
	resolve_warn(r, text);
	return false;
}

static int add_symbol(struct probe_resolver *r, const struct probe_definition *d,
		      const struct probe_symbols *s, const struct probe_symbol *sym,
		      struct probe_places *out, struct err *e)
{
	u64 offset = d->point.offset;
	struct probe_place *place;

	if (offset && offset >= sym->size)
		return err_set(e, ENOENT, "Offset %" PRId64 " is bigger than the size of %s",
			       (s64)offset, d->point.function);
	if (r->o.kind != PROBE_USER && !resolve_is_probeable(r, s, sym->name, sym->address))
		return 0;
	if (!has_parameters(r, d, sym->name))
		return 0;
	resolve_warn_indirect(r, sym);
	place = resolve_add(d, sym->name, resolve_where(r, s, sym->name, sym->address, offset),
			    out);
	place->offset = offset;
	place->called = xstrdup(sym->shown);
	return add_args(r, d, sym->name, place, e);
}

/* Functions of that name; of linkage tables where plt. */
static int by_symbols(struct probe_resolver *r, const struct probe_definition *d,
		      const struct probe_symbols *s, bool plt, struct probe_places *out,
		      struct err *e)
{
	bool pattern = probe_is_pattern(d->point.function);
	u64 last = UINT64_MAX;
	u32 found = 0;

	VEC_FOR(&s->v, sym) {
		if (sym->data || sym->plt != plt || sym->address == last ||
		    !probe_symbol_is(sym, d->point.function, pattern))
			continue;
		last = sym->address;
		if (r->o.max_places && ++found > r->o.max_places)
			return err_set(e, E2BIG, "Too many functions matched in %s",
				       resolve_target(r));
		if (add_symbol(r, d, s, sym, out, e))
			return -1;
	}
	if (found && !out->nr)
		return err_set(e, ENOENT, "%s", "");
	return 0;
}

const char *resolve_target(const struct probe_resolver *r)
{
	return r->o.kind == PROBE_KERNEL ? "kernel" : r->o.path;
}

int resolve_by_symbols(struct probe_resolver *r, const struct probe_definition *d, bool plt_too,
		       struct probe_places *out, struct err *e)
{
	const struct probe_symbols *s = probe_resolver_symbols(r, e);
	const char *function = d->point.function ? d->point.function : "";

	if (!s)
		return -1;
	if (d->point.function) {
		if (by_symbols(r, d, s, false, out, e))
			return -1;
		if (!out->nr && plt_too && !probe_is_pattern(function) &&
		    by_symbols(r, d, s, true, out, e))
			return -1;
	}
	return out->nr ? 0
		       : err_set(e, ENOENT, "Failed to find symbol %s in %s", function,
				 resolve_target(r));
}
