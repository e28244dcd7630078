/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_debug: what an ELF file says about its separate debug information.
 */
#ifndef DSO_ELF_DEBUG_H
#define DSO_ELF_DEBUG_H

#include "dso/elf/file.h"

/* .gnu_debuglink: file name (fresh memory) and CRC; NULL when there is none. */
char *elf_debuglink(const struct elf_file *f, u32 *crc);
/* Whether the bytes of a file have that CRC-32 (the one of zlib). */
bool elf_file_has_crc(const struct elf_file *f, u32 crc);

/*
 * The file that the link of f, which lies at path, leads to: beside it, in .debug/ there, or below
 * /usr/lib/debug; of the same build id, or with the sum of the link. *where: its path.
 */
bool elf_open_debuglink(const struct elf_file *f, const char *path, struct elf_file *found,
			struct strbuf *where);

/*
 * Mini debug information: an xz-compressed ELF file in .gnu_debugdata with the symbols that .dynsym
 * lacks. *data is fresh memory that must outlive *inner. false when there is none, it is broken, or
 * the program was built without liblzma.
 */
bool elf_mini_debug(const struct elf_file *f, struct elf_file *inner, void **data);

#endif
