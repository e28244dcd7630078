/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of the kernels of virtual machines, from copies of their files. */
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/dso_internal.h"
#include "dso/elf/file.h"
#include "dso/elf/symbols.h"

void dso_guest_path(const struct dso_config *c, u32 pid, enum dso_guest_file file,
		    struct strbuf *path)
{
	const char *const given[] = {
		[GUEST_KALLSYMS] = c->guest.kallsyms, [GUEST_MODULES] = c->guest.modules
	};
	static const char *const names[] = {
		[GUEST_KALLSYMS] = "kallsyms", [GUEST_MODULES] = "modules"
	};

	strbuf_reset(path);
	if (pid && c->guest.mount)
		strbuf_addf(path, "%s/%u/proc/%s", c->guest.mount, pid, names[file]);
	else if (!pid && given[file])
		strbuf_adds(path, given[file]);
}

/* Under kernel_lock: the file's tables, which are read once. */
static struct guest_kallsyms *tables_of(struct dso_table *t, const char *path)
{
	struct guest_kallsyms *g;

	VEC_FOR(&t->guests, known)
		if (strcmp((*known)->path, path) == 0)
			return *known;
	g = XNEW(struct guest_kallsyms);
	g->path = xstrdup(path);
	*VEC_PUSH(&t->guests) = g;
	if (kallsyms_read(&g->kallsyms, path, false, &g->error) == 0 &&
	    !kallsyms_useless(&g->kallsyms, path, ": copy it as root of the guest", &g->error))
		VEC_FOR(&g->kallsyms.parts, p)
			kallsyms_lend_names(&g->kallsyms, p);
	return g;
}

/* The kernel's rows, or those of a module with its name in brackets. */
static struct kallsyms_part *part_of(struct guest_kallsyms *g, const struct dso *d)
{
	const char *name = d->kind == DSO_GUEST_MODULE ? d->short_name + (d->short_name[0] == '[')
						       : "";
	size_t len = strcspn(name, "]");

	if (g->error.code)
		return NULL;
	VEC_FOR(&g->kallsyms.parts, p)
		if (strlen(p->module) == len && memcmp(p->module, name, len) == 0)
			return p;
	return NULL;
}

static bool read_vmlinux(struct dso *d, struct symtab_builder *b)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	const char *path = d->table->config.guest.vmlinux;
	struct err e = ERR_INIT;

	if (elf_open(&f, path, &e) < 0) {
		dso_problem(d, "%s", e.text);
		return false;
	}
	elf_symbols_read(&f, elf_symbols_kind(&f), &f, ELF_SPACE_MEMORY, b);
	if (!b->rows.nr)
		dso_problem(d, "no symbols in '%s'", path);
	return b->rows.nr > 0;
}

static struct symtab *of_vmlinux(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;

	if (!read_vmlinux(d, &b))
		return symtab_none();
	d->origin = 'V';
	symtab_rows_move(&b, symtab_rows_distance(&b, d->ref_symbol, d->ref_addr));
	return symtab_build(&b, dso_symtab_flags(d->table, true));
}

struct symtab *dso_load_guest(struct dso *d)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct symtab *st = symtab_none();
	struct dso_table *t = d->table;
	struct guest_kallsyms *g;
	struct kallsyms_part *part;

	if (d->kind == DSO_GUEST_KERNEL && !d->pid && t->config.guest.vmlinux)
		return of_vmlinux(d);
	dso_guest_path(&t->config, d->pid, GUEST_KALLSYMS, &path);
	if (!path.len) {
		dso_problem(d, "no kallsyms of the guest was given");
		return st;
	}
	d->origin = 'g';
	pthread_mutex_lock(&t->kernel_lock);
	g = tables_of(t, path.buf);
	part = part_of(g, d);
	if (part && part->rows.rows.nr) {
		/* One object per part: the rows are given away. */
		symtab_rows_move(&part->rows,
				 symtab_rows_distance(&part->rows, d->ref_symbol, d->ref_addr));
		st = symtab_build(&part->rows, dso_symtab_flags(t, true));
	} else {
		dso_problem(d, "%s",
			    g->error.code ? g->error.text : "it is not in the guest's kallsyms");
	}
	pthread_mutex_unlock(&t->kernel_lock);
	return st;
}
