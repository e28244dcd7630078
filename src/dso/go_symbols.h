/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * go_symbols: the functions of a Go program from the table by which its runtime makes stack traces and
 * which stays in stripped programs (.gopclntab). Known are the four forms of Go 1.2 to now: their numbers
 * 0xfffffffb (1.2), 0xfffffffa (1.16), 0xfffffff0 (1.18), 0xfffffff1 (1.20).
 * Source: "Go 1.2 Runtime Symbol Information" (golang.org/s/go12symtab) and package debug/gosym.
 */
#ifndef DSO_GO_SYMBOLS_H
#define DSO_GO_SYMBOLS_H

#include "dso/elf_file.h"
#include "dso/symtab.h"

/*
 * Appends the functions with addresses as places in the file. Does nothing for other programs, and takes of a
 * broken table what lies inside of it.
 */
void go_symbols_read(const struct elf_file *f, struct symtab_builder *b);

#endif
