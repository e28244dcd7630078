/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point: where a dynamic tracepoint is to be put and what it shall tell, as the user writes it:
 *
 *	[[GROUP:]EVENT=]FUNC[@SRC][:RLN|+OFFSET|%return|;PATTERN] [ARG ...]
 *	[[GROUP:]EVENT=]SRC:LINE [ARG ...]
 *	[[GROUP:]EVENT=]SRC;PATTERN [ARG ...]
 *	[[GROUP:]EVENT=]0xADDRESS [ARG ...]
 *	%[GROUP:]EVENT[@OBJECT] [ARG ...]	a static or a kept point; also sdt_PROVIDER:EVENT
 *
 * ARG: [NAME=]EXPRESSION[:TYPE][@user]. Words end at blanks; there is no quoting, but '\' before
 * one of
 * "=@+:;%" takes its meaning from it. Source: perf-probe(1), "PROBE SYNTAX" and "LINE SYNTAX".
 *
 * Errors carry perf's text ("Semantic error :..."), with EINVAL; E2BIG where there are too many
 * arguments. No function keeps the text that it is given. Nothing here looks at a file. Thread-safe
 * per object.
 */
#ifndef PROBE_POINT_H
#define PROBE_POINT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum { PROBE_ARGS_MAX = 128 };

/* All strings belong to the point and are NULL where the user said nothing. */
struct probe_point {
	char *function; /* a pattern where it has '*', '?' or '['; "0x..." for an address */
	char *file; /* "" for "FUNC@" */
	int line; /* of the file; with a function counted from its first line; 0 = none */
	u64 offset; /* bytes behind the function's start */
	bool is_return;
	char *lazy; /* a pattern for source lines, in which blanks do not count */
	bool has_address;
	u64 address; /* absolute; function is its text */
};

/* One argument. What is fetched without debug information ("%di", "+8(%sp)", "@sym", "$retval") is
 * raw. */
struct probe_arg_spec {
	char *name; /* NULL: not given */
	char *expression; /* without name, type and "@user"; "$vars" and "$params" stand for many */
	char *type; /* behind ':', NULL: not given */
	bool user; /* "@user": in memory of the process */
	bool variable; /* a variable, or a chain "a->b[1].c" from one; "$vars", "$params" */
};
VEC_TYPE(probe_arg_specs, struct probe_arg_spec);

struct probe_definition {
	char *group, *event; /* NULL: to be made up */
	bool kept; /* %EVENT: a static point or a kept one; the point is empty */
	char *object; /* %EVENT@OBJECT, else NULL */
	struct probe_point point;
	struct probe_arg_specs args;
};

/* On failure d is released already. */
int probe_definition_parse(const char *text, struct probe_definition *d, struct err *e);
void probe_definition_release(struct probe_definition *d);
/* Whether debug information is needed: for an argument, a line or a pattern. */
bool probe_definition_needs_debug(const struct probe_definition *d);

/*
 * The part behind "(on " of a list: "main", "main+4", "main%return", "main:3@src/x.c",
 * "@src/x.c:10". As perf 6.1 writes it: of a path of more than 30 characters, whole parts at its
 * end alone.
 */
void probe_point_text(const struct probe_point *p, struct strbuf *out);
void probe_point_release(struct probe_point *p);

/* "NAME=EXPRESSION:TYPE" as the kernel's probe events have it, for what is raw. */
void probe_arg_spec_text(const struct probe_arg_spec *a, struct strbuf *out);

/* FUNC[@SRC][:RLN[+NUM|-RLN2]] or SRC[:LINE[+NUM|-LINE2]], of --line. */
struct probe_line_range {
	char *function, *file; /* one of them, or both */
	int start, end; /* with a function counted from its first line; end INT_MAX: as far as it
			   goes */
};

int probe_line_range_parse(const char *text, struct probe_line_range *r, struct err *e);
void probe_line_range_release(struct probe_line_range *r);

/* Whether a name can be one of an event or a group: a C identifier. */
bool probe_is_name(const char *s);
/* Whether a function is a pattern for many. */
bool probe_is_pattern(const char *s);
/* The pattern of names: '*', '?', classes with '!' and ranges, '\' before what is meant as it is.
 */
bool probe_match(const char *pattern, const char *s);
/* The same; blanks count in neither of the two. */
bool probe_match_lazy(const char *pattern, const char *line);

#endif
