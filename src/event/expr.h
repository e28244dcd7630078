/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event/expr: formulas over counts, the language of metrics:
 *
 *	cond    = or ["if" or "else" cond]
 *	or      = binary operators, weakest first:  |  ^  &  < >  + -  * / %   and unary -
 *	primary = NUMBER | NAME | "#" LITERAL | "(" cond ")" | FUNCTION "(" arguments ")"
 *
 * Functions: min(a, b), max(a, b), d_ratio(a, b) (a / b, 0 where b is 0), source_count(EVENT) (PMUs
 * that its count was summed from), has_event(EVENT) (1 where this machine has it),
 * strcmp_cpuid_str(ID) (1 where the CPU is that model). NAME is an event or another metric:
 * letters, digits and "_.:@?"; '@' stands for the '/' of a PMU's terms; any other character of it
 * has a backslash before it. Bits are those of whole numbers; division by zero has no result.
 *
 * A parsed formula is constant; several threads may use it.
 */
#ifndef EVENT_EXPR_H
#define EVENT_EXPR_H

#include "base/err.h"

struct expr;

/* What a formula asks about. Functions return false when there is no answer. */
struct expr_env {
	void *ctx;
	bool (*value)(void *ctx, const char *name, double *out);
	bool (*sources)(void *ctx, const char *name, double *out);
	bool (*has_event)(void *ctx, const char *name);
	bool (*literal)(void *ctx, const char *name, double *out); /* "#smt_on": "smt_on" */
	bool (*is_cpu)(void *ctx, const char *id);
};

/* NULL and *e when the text is no formula: what is wrong, and at which column. */
struct expr *expr_parse(const char *text, struct err *e);
void expr_free(struct expr *x);
/* false: some value is unknown, or a division by zero. */
bool expr_eval(const struct expr *x, const struct expr_env *env, double *out);
/*
 * Call visit for each name that evaluation may ask a value of, in order of appearance, repeats
 * included; of an "if" whose condition has no name in it, only for the side taken. visit returning
 * false stops.
 */
void expr_names(const struct expr *x, const struct expr_env *env,
		bool (*visit)(void *ctx, const char *name), void *ctx);

#endif
