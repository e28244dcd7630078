/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * go_lines: source lines and inlined calls of a Go program without debug information, from the
 * table of its runtime (go_table.h). Inlined calls are known of programs from Go 1.18 on: where
 * they are described is told by the runtime's data about the program, in which it is looked for by
 * what it must point to. Source: as go_table.h. One thread at a time.
 */
#ifndef DSO_GO_LINES_H
#define DSO_GO_LINES_H

#include "dso/elf/file.h"

struct go_lines;

/* NULL: f is no Go program. f is not needed afterwards; what is read later comes from the same
 * file, and bytes that f was opened with must stay. */
struct go_lines *go_lines_open(const struct elf_file *f);
void go_lines_close(struct go_lines *l); /* NULL is allowed */

/* Strings live as long as the lines. */
struct go_frame {
	const char *function; /* NULL: unknown */
	const char *file; /* NULL: unknown */
	u32 line;
};

/*
 * The frames at an address of the program, the innermost inlined call first, the function itself
 * last. 0: no function is there.
 */
size_t go_lines_find(struct go_lines *l, u64 vaddr, struct go_frame *out, size_t max);

#endif
