/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points that are found by debug information. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/files.h"
#include "probe/debug.h"
#include "probe/resolve_internal.h"

struct debug_info *probe_resolver_debug(struct probe_resolver *r, struct err *e)
{
	if (!r->debug_opened) {
		r->debug_opened = true;
		r->debug = debug_info_open(r->dso, &r->debug_problem);
	}
	if (!r->debug && e)
		*e = r->debug_problem;
	return r->debug;
}

/* Where the kernel's file has _text; 0 = unknown. */
static u64 linked_text(struct probe_resolver *r)
{
	if (!r->text_known) {
		const char *file = r->o.vmlinux;
		struct probe_symbols s;

		r->text_known = true;
		if (!file && dso_symtab(r->dso))
			file = dso_kernel_file(r->dso);
		if (file && !probe_symbols_of_vmlinux(file, false, &s, NULL))
			r->linked_text = s.text;
		if (file)
			probe_symbols_release(&s);
	}
	return r->linked_text;
}

/* As the kernel is told of a place that debug information gives; NULL, told: there cannot be a
 * probe. */
static char *where_of(struct probe_resolver *r, const struct elf_file *runtime,
		      const struct probe_debug_place *p)
{
	const struct probe_symbols *s;
	u64 offset;

	if (r->o.kind == PROBE_USER)
		return elf_file_offset(runtime, p->addr, &offset)
			       ? resolve_where(r, NULL, NULL, offset, 0)
			       : NULL;
	if (r->o.kind == PROBE_MODULE || !linked_text(r))
		return p->function ? resolve_where(r, NULL, p->function, 0, p->offset) : NULL;
	s = probe_resolver_symbols(r, NULL);
	if (s && p->function) {
		u64 address = p->addr - p->offset - linked_text(r) +
			      (s->text ? s->text : linked_text(r));

		if (!resolve_is_probeable(r, s, p->function, address))
			return NULL;
	}
	return xasprintf("_text+%" PRIu64, p->addr - linked_text(r));
}

/* The arguments of a place; what the user named himself must be there. */
static int add_args(struct probe_resolver *r, const struct probe_debug_place *from,
		    struct probe_place *to, struct err *e)
{
	VEC_FOR(&from->args, a) {
		if (a->fetch) {
			*VEC_PUSH(&to->args) = a->name ? xasprintf("%s=%s", a->name, a->fetch)
						       : xstrdup(a->fetch);
			if (a->cut) {
				_cleanup_(mem_freep) char *text = xasprintf(
					"%s exceeds max-bitwidth. Cut down to 64 bits.",
					a->type ? a->type : "");

				resolve_warn(r, text);
			}
		} else if (!a->expanded) {
			bool missing = a->problem && !strncmp(a->problem, "Failed to ", 10);

			return err_set(e, missing ? ENOENT : EINVAL, "%s",
				       a->problem ? a->problem : "");
		}
	}
	return 0;
}

/* Whether all that the user named himself can be fetched. */
static bool is_complete(const struct probe_debug_place *p)
{
	VEC_FOR(&p->args, a)
		if (!a->fetch && !a->expanded)
			return false;
	return true;
}

/* A function may be inlined in many places; where some of its variables are gone, the others are
 * still of use. */
static bool is_left_out(struct probe_resolver *r, const struct probe_debug_places *found,
			const struct probe_debug_place *p)
{
	_cleanup_(mem_freep) char *text = NULL;
	bool others = false;

	if (is_complete(p))
		return false;
	VEC_FOR(&found->v, other)
		others |= is_complete(other);
	if (!others)
		return false;
	text = xasprintf("No probe at %s+%" PRIu64
			 ": not all of the variables can be fetched there.",
			 p->function ? p->function : "", p->offset);
	resolve_warn(r, text);
	return true;
}

static void tell_of_prologue(struct probe_resolver *r, const struct probe_debug_place *p)
{
	_cleanup_(mem_freep) char *text = NULL;

	if (!p->skipped_prologue)
		return;
	text = xasprintf("Target program is compiled without optimization. Skipping prologue.\n"
			 "Probe on address 0x%" PRIx64 " to force probing at the function entry.\n",
			 p->entry);
	resolve_warn(r, text);
}

static int add_places(struct probe_resolver *r, const struct probe_definition *d,
		      const struct probe_debug_places *found, struct probe_places *out,
		      struct err *e)
{
	_cleanup_(elf_close) struct elf_file runtime = ELF_FILE_INIT;

	if (r->o.kind == PROBE_USER && !dso_open_runtime(r->dso, &runtime))
		return err_set(e, ENOENT, "cannot open '%s'", r->o.path);
	VEC_FOR(&found->v, p) {
		char *where = is_left_out(r, found, p) ? NULL : where_of(r, &runtime, p);
		struct probe_place *place;

		if (!where)
			continue;
		tell_of_prologue(r, p);
		place = resolve_add(d, p->function ? p->function : p->asked, where, out);
		place->offset = p->offset;
		place->called = p->asked ? xstrdup(p->asked) : NULL;
		if (add_args(r, p, place, e))
			return -1;
	}
	return out->nr ? 0 : err_set(e, ENOENT, "%s", "");
}

/* A name that debug information does not know: of code in assembly, or an alias. */
static bool known_to_symbols(struct probe_resolver *r, const struct probe_definition *d,
			     struct probe_places *out)
{
	if (!d->point.function || probe_definition_needs_debug(d))
		return false;
	return !resolve_by_symbols(r, d, false, out, NULL);
}

char *probe_resolver_alias(struct probe_resolver *r, const char *function)
{
	const struct probe_symbols *s = probe_resolver_symbols(r, NULL);
	struct probe_point at = { .function = NULL };
	char *name = NULL;

	if (!s || probe_is_pattern(function))
		return NULL;
	VEC_FOR(&s->v, sym) {
		if (sym->data || sym->plt || !probe_symbol_is(sym, function, false) ||
		    !resolve_point_by_debug(r, sym->address, true, &at))
			continue;
		if (at.function && !at.offset && strcmp(at.function, function) != 0) {
			name = xstrdup(at.function);
			resolve_warn_indirect(r, sym);
		}
		probe_point_release(&at);
		break;
	}
	return name;
}

static int not_found(const struct probe_resolver *r, const struct probe_definition *d,
		     const struct probe_debug_places *found, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const struct probe_point *p = &d->point;

	if (p->is_return && p->function)
		return err_set(e, ENOENT, "Failed to find symbol %s in %s", p->function,
			       resolve_target(r));
	if (!found->shares) {
		probe_point_text(p, &text);
		return err_set(e, ENOENT, "Probe point '%s' not found.", text.buf);
	}
	if (p->function)
		strbuf_addf(&text, "%s:%u", p->function, found->shared_line);
	else
		strbuf_addf(&text, "%s:%u", p->file ? p->file : "", found->shared_line);
	return err_set(
		e, ENOENT,
		"This line is sharing the address with other lines.\nPlease try to probe at %s instead.",
		text.buf);
}

int resolve_by_debug(struct probe_resolver *r, struct debug_info *debug,
		     const struct probe_definition *d, struct probe_places *out, struct err *e)
{
	struct probe_debug_opts opts = { .no_inlines = r->o.no_inlines,
					 .max_places = r->o.max_places,
					 .source_dir = r->o.source_dir };
	struct probe_debug_places found = { .truncated = false };
	struct err why = ERR_INIT;
	int bad = d->point.has_address && (d->point.line || d->point.lazy || d->point.file)
			  ? err_set(&why, ENOENT, "no function")
			  : probe_debug_find(debug, &d->point, &d->args, &opts, &found, &why);

	if (bad && why.code == ENOENT && d->point.function && !found.shares) {
		struct probe_point point = d->point;
		_cleanup_(mem_freep) char *alias = probe_resolver_alias(r, d->point.function);

		point.function = alias;
		probe_debug_places_release(&found);
		if (alias)
			bad = probe_debug_find(debug, &point, &d->args, &opts, &found, &why);
	}
	if (bad && why.code == ENOENT && known_to_symbols(r, d, out)) {
		bad = 0;
	} else if (bad && why.code == ENOENT) {
		not_found(r, d, &found, e);
	} else if (bad) {
		if (e)
			*e = why;
		/* as perf's exit code has it */
		if (e && e->code == ERANGE)
			e->code = ENOENT;
	} else if (found.truncated) {
		bad = err_set(
			e, E2BIG,
			"Too many( > %u) probe point found.\nToo many functions matched in %s",
			r->o.max_places, resolve_target(r));
	} else {
		bad = add_places(r, d, &found, out, e);
	}
	probe_debug_places_release(&found);
	return bad;
}

bool resolve_point_by_debug(struct probe_resolver *r, u64 address, bool is_return,
			    struct probe_point *p)
{
	struct debug_info *debug = probe_resolver_debug(r, NULL);
	u64 linked = address;

	if (!debug)
		return false;
	if (r->o.kind == PROBE_USER) {
		_cleanup_(elf_close) struct elf_file runtime = ELF_FILE_INIT;

		if (!dso_open_runtime(r->dso, &runtime) ||
		    !elf_segments_vaddr(runtime.segments, runtime.nr_segments, address, &linked))
			return false;
	} else {
		const struct probe_symbols *s = probe_resolver_symbols(r, NULL);

		if (!s || !s->text || !linked_text(r))
			return false;
		linked = address - s->text + linked_text(r);
	}
	return probe_debug_point_at(debug, linked, is_return, p);
}
