/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate: a function's code, disassembled and with its source between, and the samples that fell
 * on each instruction: what `perf annotate` shows, as a view (view/annotation.h).
 *
 * An annotator keeps what functions of one object share: its file, the disassembler, source files.
 * One thread at a time.
 */
#ifndef ANNOTATE_ANNOTATE_H
#define ANNOTATE_ANNOTATE_H

#include "agg/addresses.h"
#include "dso/code.h"
#include "types/types.h"
#include "view/annotation.h"

struct annotate_opts {
	bool types; /* of what instructions access are told, where they are known */
	bool no_source; /* no lines of source files */
	bool skip_empty; /* events of a group that have no samples at all have no column */
	bool raw; /* bytes of instructions are shown, which may take several lines */
	bool intel; /* syntax of x86 */
	const char *objdump; /* a program that is to print the instructions; NULL = none */
	const char *style; /* what its -M gets, NULL = nothing */
	const char *prefix; /* put before paths of source files, NULL = none */
	u32 prefix_strip; /* how many of their folders are taken away first */
};

/* What is annotated: a function by one event or group. */
struct annotate_request {
	const struct addresses *counts;
	const struct address_function *function;
	const struct perfdata_event *leader; /* the members of its group follow it */
	u32 nr_events;
};

enum annotate_problem {
	ANNOTATE_DONE,
	ANNOTATE_NO_CODE, /* see `code` */
	ANNOTATE_UNREADABLE, /* the file has no bytes for the function */
	ANNOTATE_NO_DISASSEMBLER, /* see *e */
};

/* -M: 0, and o->intel is set; -1: perf knows no such style, and no --objdump was named to ask. */
int annotate_check_style(struct annotate_opts *o, struct err *e);

struct annotator;
struct annotation;

struct annotator *annotator_new(struct session *s, const struct annotate_opts *o);
void annotator_free(struct annotator *a);
/*
 * Loads what the text of a function will need in a thread, so that annotate() finds it: the
 * disassembler and, of an object (NULL = not known yet), debug information around the function of
 * that name. At most once, by any thread, before the first annotate().
 */
void annotator_load_ahead(struct annotator *a, struct dso *d, const char *symbol);
/* Otherwise than its options said. */
void annotator_tell_types(struct annotator *a, bool types);
/*
 * NULL: there is no annotation, *problem tells why; with ANNOTATE_NO_CODE, *code does. The caller
 * frees it; it lives no longer than the annotator.
 */
struct annotation *annotate(struct annotator *a, const struct annotate_request *r,
			    enum annotate_problem *problem, enum dso_code_problem *code,
			    struct err *e);
const struct view_annotation *annotation_view(const struct annotation *n);
void annotation_free(struct annotation *n);

#endif
