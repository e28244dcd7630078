/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso_internal: what the files of this module share and others do not see.
 */
#ifndef DSO_DSO_INTERNAL_H
#define DSO_DSO_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "dso/dso.h"
#include "dso/kallsyms.h"
#include "dso/symtab.h"

struct dso {
	struct dso_table *table;
	const char *key_name; /* as recorded; names are in the table's arena */
	const char *long_name, *short_name;
	struct build_id build_id;
	enum dso_kind kind;
	u32 pid;
	u64 start, len;
	/* Loading: symtab is published last; problem is set before and never changes afterwards. */
	pthread_mutex_t lock;
	_Atomic(struct symtab *) symtab;
	const char *problem;
};

struct dso_table {
	struct dso_config config;
	struct arena arena; /* names; the adding thread only */
	VEC(struct dso *) dsos; /* id - 1 */
	struct map by_key;
	const char *ref_symbol; /* recorded kernel's reference symbol, NULL = unknown */
	u64 ref_addr;
	/* kallsyms, parsed when the first kernel address is looked up. */
	pthread_mutex_t kernel_lock;
	bool kallsyms_tried;
	struct kallsyms kallsyms;
	struct err kallsyms_error;
	pthread_mutex_t problems_lock;
	struct arena problems; /* texts of dso_symtab_problem() */
};

/* Flags for symtab_build() from the options. */
unsigned int dso_symtab_flags(const struct dso_table *t, bool kernel);
/* Notes why symbols are missing (the first reason stays). */
void dso_problem(struct dso *d, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Loaders, by kind; called once per dso under its lock. Never NULL. */
struct symtab *dso_load_user(struct dso *d);
struct symtab *dso_load_vdso(struct dso *d);
struct symtab *dso_load_perf_map(struct dso *d);
struct symtab *dso_load_kernel(struct dso *d);
struct symtab *dso_load_module(struct dso *d);

#endif
