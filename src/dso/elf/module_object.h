/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * module_object: the file of a kernel module with debug information, as if it were linked. A module
 * is an object that the kernel links when it loads it: each section goes where there is room, and
 * addresses in its debug information are empty places with relocations. Here sections get addresses
 * of their own choosing; which of them code is in, tells the symbol that the kernel knows it by.
 *
 * Sources: System V gABI (SHT_RELA), x86-64 psABI 4.4, ELF for the Arm 64-bit Architecture 5.7.
 * One thread at a time.
 */
#ifndef DSO_MODULE_OBJECT_H
#define DSO_MODULE_OBJECT_H

#include "base/arena.h"
#include "base/vec.h"
#include "dso/elf/file.h"

struct module_symbol {
	const char *name;
	u64 vaddr; /* in the made-up layout */
};

struct module_object {
	struct elf_file f; /* of data */
	void *data;
	struct arena arena; /* names */
	VEC(struct module_symbol) functions; /* by name */
};

/* False: it cannot be read, is no 64-bit object of this byte order, or has no debug information. */
bool module_object_open(struct module_object *m, const char *path, const struct build_id *want);
void module_object_release(struct module_object *m);
/* Address of a function; false: it has none of that name, or several. */
bool module_object_find(const struct module_object *m, const char *function, u64 *vaddr);

#endif
