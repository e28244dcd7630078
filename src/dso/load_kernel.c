/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of the kernel and its modules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rw.h"
#include "dso/dso_internal.h"

/* Whether the recorded kernel may be the running one. */
static bool is_running_kernel(const struct dso *d)
{
	_cleanup_(strbuf_releasep) struct strbuf notes = STRBUF_INIT;
	struct build_id id;

	if (!d->build_id.size || rw_slurp("/sys/kernel/notes", &notes, NULL) < 0)
		return true;
	if (!build_id_from_notes(notes.buf, notes.len, &id))
		return true;
	return id.size == d->build_id.size && memcmp(id.bytes, d->build_id.bytes, id.size) == 0;
}

static void relocate(struct dso_table *t)
{
	u64 delta = 0;

	if (!t->ref_symbol || !t->ref_addr)
		return;
	VEC_FOR(&t->kallsyms.parts.v[0].rows.rows, r)
		if (strcmp(t->kallsyms.text + r->name, t->ref_symbol) == 0)
			delta = t->ref_addr - r->start;
	if (!delta)
		return;
	VEC_FOR(&t->kallsyms.parts.v[0].rows.rows, r) {
		r->start += delta;
		r->end += delta;
	}
}

/* Under kernel_lock. */
static void parse_kallsyms(struct dso_table *t)
{
	const char *path = t->config.kallsyms ? t->config.kallsyms : "/proc/kallsyms";

	t->kallsyms_tried = true;
	if (kallsyms_read(&t->kallsyms, path, &t->kallsyms_error) < 0)
		return;
	if (t->kallsyms.all_zero)
		err_set(&t->kallsyms_error, 1,
			"addresses in '%s' are hidden (see kernel.kptr_restrict)", path);
	else
		relocate(t);
}

static struct symtab *from_kallsyms(struct dso *d, const char *module, size_t module_len)
{
	struct dso_table *t = d->table;
	struct symtab *st = symtab_none();

	pthread_mutex_lock(&t->kernel_lock);
	if (!t->kallsyms_tried)
		parse_kallsyms(t);
	if (t->kallsyms_error.code) {
		dso_problem(d, "%s", t->kallsyms_error.text);
		goto out;
	}
	VEC_FOR(&t->kallsyms.parts, p) {
		if (strlen(p->module) != module_len || memcmp(p->module, module, module_len) != 0)
			continue;
		p->rows.shared = t->kallsyms.text;
		p->rows.shared_size = t->kallsyms.text_size;
		st = symtab_build(&p->rows, dso_symtab_flags(t, true));
		break;
	}
out:
	pthread_mutex_unlock(&t->kernel_lock);
	return st;
}

struct symtab *dso_load_kernel(struct dso *d)
{
	if (!d->table->config.kallsyms && !is_running_kernel(d)) {
		dso_problem(d, "the recorded kernel is not the running one");
		return symtab_none();
	}
	return from_kallsyms(d, "", 0);
}

struct symtab *dso_load_module(struct dso *d)
{
	const char *name = d->short_name + (d->short_name[0] == '[');

	return from_kallsyms(d, name, strcspn(name, "]"));
}
