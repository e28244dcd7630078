/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/resolve.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/elf/file.h"
#include "probe/debug.h"
#include "probe/resolve_internal.h"

struct probe_resolver *probe_resolver_new(const struct probe_resolve_opts *o)
{
	struct probe_resolver *r = XNEW(struct probe_resolver);
	struct dso_key key = { .name = "[kernel.kallsyms]", .kind = DSO_KERNEL };

	r->o = *o;
	r->blacklist = (struct strbuf)STRBUF_INIT;
	r->config = (struct dso_config){
		.symfs = o->symfs,
		.buildid_dir = o->cache_dir,
		.vmlinux = o->vmlinux,
		.no_demangle = !o->demangle,
		.demangle_kernel = o->demangle_kernel,
		.no_kallsyms = true, /* (probe_resolver_symbols() reads it, with all names) */
		.fetch = o->fetch,
		.live = o->target_ns != 0,
	};
	r->dsos = dso_table_new(&r->config);
	if (o->kind == PROBE_USER) {
		_cleanup_(mem_freep) char *path = o->target_ns ? xasprintf("/proc/%d/root%s",
									   o->target_ns, o->path)
							       : xstrdup(o->path);

		key = (struct dso_key){ .name = o->path,
					.kind = DSO_USER,
					.pid = (u32)o->target_ns };
		(void)build_id_of_file(path, &key.build_id, NULL);
	} else if (o->kind == PROBE_MODULE) {
		r->module_name = strchr(o->path, '/') ? xstrdup(o->path)
						      : xasprintf("[%s]", o->path);
		key = (struct dso_key){ .name = r->module_name, .kind = DSO_MODULE };
	} else if (!o->vmlinux) {
		/* by which the file of an installed debug package is known to be the running
		 * kernel's */
		(void)build_id_of_kernel(&key.build_id);
	}
	r->dso = dso_table_get(r->dsos, dso_table_add(r->dsos, &key));
	return r;
}

void probe_resolver_free(struct probe_resolver *r)
{
	if (!r)
		return;
	debug_info_close(r->debug);
	btf_types_free(r->btf);
	if (r->symbols_read)
		probe_symbols_release(&r->symbols);
	dso_table_free(r->dsos);
	strbuf_release(&r->blacklist);
	free(r->module_name);
	free(r);
}

void probe_places_release(struct probe_places *places)
{
	VEC_FOR(places, p) {
		free(p->symbol);
		free(p->called);
		free(p->where);
		free(p->group);
		free(p->name);
		free(p->object);
		VEC_FOR(&p->args, a)
			free(*a);
		vec_free(&p->args);
	}
	vec_free(places);
}

/* The object of a place in user space, as this process finds it; NULL: it is in the kernel. */
static char *object_path(const struct probe_resolver *r, const struct probe_place *p)
{
	const char *path = r->o.kind == PROBE_USER ? r->o.path : p->object;

	if (!path)
		return NULL;
	return r->o.target_ns ? xasprintf("/proc/%d/root%s", r->o.target_ns, path) : xstrdup(path);
}

int probe_places_run_here(struct probe_resolver *r, const struct probe_places *places,
			  struct err *e)
{
	/* (those of a target are all in one object) */
	size_t nr = r->o.kind == PROBE_USER && places->nr ? 1 : places->nr;

	for (size_t i = 0; i < nr; i++) {
		_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
		_cleanup_(mem_freep) char *path = object_path(r, &places->v[i]);
		const char *machine;

		/* what cannot be read is for the kernel to judge */
		if (!path || elf_open(&f, path, NULL) || dso_runs_here(f.machine))
			continue;
		machine = dso_machine_name(f.machine);
		return err_set(e, ENOEXEC, "'%s' is code of %s, which this machine does not run",
			       path, machine ? machine : "another architecture");
	}
	return 0;
}

/* An address as the user gives it: of user space, the place in the file. */
static int by_address(struct probe_resolver *r, const struct probe_definition *d,
		      struct probe_places *out)
{
	u64 address = d->point.address;
	char *where = r->o.kind == PROBE_USER ? xasprintf("%s:0x%" PRIx64, r->o.path, address)
					      : xasprintf("0x%" PRIx64, address);

	resolve_raw_args(d, resolve_add(d, NULL, where, out));
	return 0;
}

static int no_debug(const struct probe_resolver *r, struct err *e)
{
	if (r->o.kind == PROBE_USER)
		return err_set(e, ENOENT,
			       "The %s file has no debug information.\n"
			       "Rebuild with -g, or install an appropriate debuginfo package.",
			       r->o.path);
	/* (perf's tests know the kernel's case by this text) */
	if (r->o.kind == PROBE_KERNEL)
		err_set(e, ENOENT, "Failed to find the path for the kernel: no debug information");
	else
		err_set(e, ENOENT, "Failed to find the debug information of %s", r->o.path);
	err_hint(
		e, "name the file that has it with %s",
		r->o.kind == PROBE_KERNEL
			? "-k, or install the package of the kernel's debug information (without it there "
			  "are parameters alone, where a function begins)"
			: "-m");
	return -1;
}

int probe_resolve(struct probe_resolver *r, const struct probe_definition *d,
		  struct probe_places *out, struct err *e)
{
	bool needs_debug = probe_definition_needs_debug(d);
	struct debug_info *debug;

	if (d->kept)
		return resolve_kept(r, d, out, e);
	if (d->point.offset > INT64_MAX)
		return err_set(e, ENOENT, "Offset %" PRId64 " is bigger than the size of %s",
			       (s64)d->point.offset, d->point.function);
	if (d->point.has_address && !needs_debug)
		return by_address(r, d, out);
	debug = probe_resolver_debug(r, NULL);
	if (debug)
		return resolve_by_debug(r, debug, d, out, e);
	if (needs_debug && !resolve_btf(r, d))
		return no_debug(r, e);
	return resolve_by_symbols(r, d, true, out, e);
}

void probe_place_text(const struct probe_place *place, const char *group, const char *name,
		      struct strbuf *out)
{
	strbuf_addf(out, "%c:%s/%s %s", place->is_return ? 'r' : 'p', group, name, place->where);
	VEC_FOR(&place->args, a)
		strbuf_addf(out, " %s", *a);
}

/* By symbols alone. */
static void point_by_symbols(struct probe_resolver *r, u64 address, struct probe_point *p)
{
	const struct probe_symbols *s = probe_resolver_symbols(r, NULL);
	const struct probe_symbol *sym = s ? probe_symbols_at(s, address) : NULL;

	if (!sym)
		return;
	p->function = xstrdup(sym->shown);
	p->offset = address - sym->address;
}

void probe_resolver_point_of(struct probe_resolver *r, const struct probe_event *event,
			     struct probe_point *p)
{
	const struct probe_symbols *s;
	u64 address = event->address;

	*p = (struct probe_point){ .is_return = event->is_return };
	if (event->list == PROBE_LIST_USER) {
		if (resolve_point_by_debug(r, address, event->is_return, p))
			return;
		point_by_symbols(r, address, p);
	} else if (event->symbol && !event->path && !strcmp(event->symbol, "_text")) {
		s = probe_resolver_symbols(r, NULL);
		if (s && s->text &&
		    !resolve_point_by_debug(r, s->text + address, event->is_return, p))
			point_by_symbols(r, s->text + address, p);
	} else if (event->symbol) {
		p->function = xstrdup(event->symbol);
		p->offset = address;
	} else {
		point_by_symbols(r, address, p);
	}
	if (!p->function && !p->file) {
		p->function = xasprintf("0x%" PRIx64, address);
		p->offset = 0;
	}
	p->is_return = event->is_return && !p->offset && !p->line;
}
