/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: rules for names: patterns (probe_match()) with "!" before what is not wanted, "&" and "|"
 * between them ("&" binds tighter), and parentheses. Source: perf-probe(1), "FILTER PATTERN".
 */
#ifndef PROBE_FILTER_H
#define PROBE_FILTER_H

#include "base/types.h"

struct probe_filter;

/* NULL: the text is none; *at: what is wrong begins there, counted from 0. */
struct probe_filter *probe_filter_new(const char *text, size_t *at);
void probe_filter_free(struct probe_filter *f); /* NULL is allowed */
bool probe_filter_match(const struct probe_filter *f, const char *name);

#endif
