/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_map: /tmp/perf-PID.map, in which JIT compilers list their functions: "START SIZE NAME" per
 * line, hex without 0x (with is tolerated), any order; later lines replace earlier ones.
 */
#ifndef DSO_PERF_MAP_H
#define DSO_PERF_MAP_H

#include "base/err.h"
#include "dso/symbols/symtab.h"

/* Bad lines are skipped. text need not be terminated. */
void perf_map_parse(struct symtab_builder *b, const char *text, size_t size);
/* force: whoever owns the file; otherwise the owner must be root or the effective user. */
int perf_map_read(struct symtab_builder *b, const char *path, bool force, struct err *e);

#endif
