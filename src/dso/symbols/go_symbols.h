/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * go_symbols: the functions of a Go program from the table of its runtime (go_table.h), which stays
 * in stripped programs.
 */
#ifndef DSO_GO_SYMBOLS_H
#define DSO_GO_SYMBOLS_H

#include "dso/elf/file.h"
#include "dso/symbols/symtab.h"

/*
 * Appends the functions with addresses as places in the file. Does nothing for other programs, and
 * takes of a broken table what lies inside of it.
 */
void go_symbols_read(const struct elf_file *f, struct symtab_builder *b);

#endif
