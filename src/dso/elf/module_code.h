/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * module_code: the code of a kernel module's file as the kernel has it in memory. A module is an
 * object that the kernel links when it loads it; where its sections went is told by the names that
 * the kernel lists for it: each section whose listed names all say the same has a place, the others
 * have none. Calls and addresses in code lead where the names that they refer to are; to what has
 * no known place they lead to address 0. What the kernel changes in code at boot (alternatives,
 * calls of tracers) is as in the file. Of x86-64.
 *
 * Sources: System V gABI (SHT_RELA), x86-64 psABI 4.4. One thread at a time.
 */
#ifndef DSO_MODULE_CODE_H
#define DSO_MODULE_CODE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "dso/elf/file.h"

/* Names with addresses in the kernel's memory. */
struct module_name {
	const char *name;
	u64 addr;
	bool known, several; /* several: at different addresses, so that none is told */
};
struct module_names {
	VEC(struct module_name) v;
	struct map by_name;
	struct arena arena;
};
#define MODULE_NAMES_INIT                                                                          \
	{                                                                                          \
		.v = { 0 }                                                                         \
	}

/* A name, entered if it is not there. */
struct module_name *module_names_enter(struct module_names *n, const char *name);
struct module_name *module_names_find(const struct module_names *n, const char *name);
void module_name_is_at(struct module_name *name, u64 addr);
void module_names_release(struct module_names *n); /* also for _cleanup_ */

struct module_code_opts {
	struct build_id want; /* of the module */
	const struct module_names *own; /* that the kernel lists for the module */
	/* Tells those of other objects that the file refers to. */
	void (*find_others)(void *ctx, struct module_names *others);
	void *ctx;
};

enum module_code_problem {
	MODULE_CODE_OPEN,
	MODULE_CODE_NONE, /* no file, of another kind, or of another machine */
	MODULE_CODE_OTHER, /* its build id is another, or it has none */
	MODULE_CODE_NOWHERE, /* where its sections are is not known */
};

/*
 * *f is an ELF file whose sections have the addresses of memory (0: none), and segments for those
 * with code; *data is its memory, which must outlive it. Both are the caller's to release.
 */
enum module_code_problem module_code_open(struct elf_file *f, void **data, const char *path,
					  const struct module_code_opts *o);

#endif
