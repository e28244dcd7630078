/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files: the ELF files behind an object, for readers of other sections than symbols (unwind tables,
 * lines). Searched as for symbols: process root, --symfs, build-id cache; the build id must fit.
 * The caller closes with elf_close(). Any thread.
 */
#ifndef DSO_FILES_H
#define DSO_FILES_H

#include "base/strbuf.h"
#include "dso/elf/file.h"

/* The object as it was mapped; of the vdso, this kernel's or the cached one. False: not there. */
bool dso_open_runtime(struct dso *d, struct elf_file *f);
/* Where a program begins, in its file; 0 = nowhere, or that is not known. What begins there is
 * hardly longer. */
u64 dso_entry(struct dso *d);
enum { DSO_ENTRY_SIZE = 256 };
/* Separate debug information; runtime: the object, NULL when it is not there. path gets where it
 * was found, NULL = not wanted. */
bool dso_open_debug(struct dso *d, const struct elf_file *runtime, struct elf_file *f,
		    struct strbuf *path);

/*
 * Call frame information of a JIT compiler's code as an object: offsets in it are places in the
 * dump (jitdump.h). It lives as long as the dso table. False: the dump has none.
 */
bool dso_open_jit_frames(struct dso *d, struct elf_file *f);

#endif
