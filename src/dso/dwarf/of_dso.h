/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso_dwarf: the files with an object's debug information, and the debug information: of the object
 * itself, of a file apart (by build id, link or name, or from a server), of a kernel module as if
 * it were linked; with what dwz moved out and what the compiler left in .dwo files. Any thread.
 */
#ifndef DSO_DSO_DWARF_H
#define DSO_DSO_DWARF_H

#include "dso/dwarf/dwarf.h"
#include "dso/elf/file.h"
#include "dso/elf/module_object.h"

struct dso_dwarf {
	struct dwarf *dwarf; /* NULL = none was found */
	struct elf_file object; /* as it is mapped; may not be open */
	struct elf_file
		debug; /* with the debug information, where that is apart; may not be open */
	struct module_object module; /* of a kernel module */
};

/* False: there is no debug information (object may be open). Close after either. The dso outlives
 * it. */
bool dso_dwarf_open(struct dso *d, struct dso_dwarf *w);
/* The file that the debug information is in. */
const struct elf_file *dso_dwarf_file(const struct dso_dwarf *w);
/*
 * Where debug information has an address of the dso's address space: of an object by its segments,
 * of a module (m) by the function that is there. False: nowhere.
 */
bool dso_dwarf_vaddr(struct dso *d, const struct module_object *m,
		     const struct elf_segment *segments, u32 nr_segments, u64 addr, u64 *vaddr);
/* The reverse, of a module's function that begins at vaddr: where the kernel has it. False: it is
 * not known by a name of its own. */
bool dso_dwarf_module_addr(struct dso *d, const struct module_object *m, u64 vaddr, u64 *addr);
void dso_dwarf_close(struct dso_dwarf *w);

#endif
