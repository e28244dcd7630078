/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefmt/filter: conditions on the fields of a tracepoint (--filter), in the kernel's language
 * and a little more: FIELD OPERATOR VALUE, joined by && and ||, in parentheses, with ! for not.
 * More than the kernel takes are names of values, which the format has (__print_symbolic(),
 * __print_flags()) or the caller knows, and strings without quotes; both are written as the kernel
 * wants them.
 *
 * The kernel judges: what is not understood here is passed on as it stands. Source:
 * Documentation/trace/events.rst, "Filtering events".
 */
#ifndef TRACEFMT_FILTER_H
#define TRACEFMT_FILTER_H

#include "base/similar.h"
#include "tracefmt/tracefmt.h"

/* The first thing in a filter that seems wrong. */
struct tracefmt_filter_error {
	size_t at; /* byte of the text */
	bool no_field; /* what is there is no field of the event */
	char text[160]; /* "no such field" */
	struct similar near; /* names that could be meant */
	char typed[SIMILAR_MAX]; /* that near is about */
};

/* Names of values that the format does not have. */
struct tracefmt_more_names {
	bool (*find)(void *ctx, const struct tracefmt_field *f, const char *name, size_t len,
		     s64 *value);
	/* All names of the field's values. */
	void (*offer)(void *ctx, const struct tracefmt_field *f, struct similar *near);
	void *ctx;
};

/* Appends the filter to out as the kernel takes it. more: NULL = none. False, and *e: out is the
 * text as it was. */
bool tracefmt_filter(const struct tracefmt *t, const char *text,
		     const struct tracefmt_more_names *more, struct strbuf *out,
		     struct tracefmt_filter_error *e);

#endif
