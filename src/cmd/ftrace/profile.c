/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf ftrace profile: how often functions of the kernel are called, and how long that takes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/log.h"
#include "base/rw.h"
#include "cli/print_err.h"
#include "cmd/ftrace/ftrace.h"
#include "ftrace/calls.h"
#include "render/latency.h"

typedef int (*compare_fn)(const void *a, const void *b);

struct call_profile {
	struct ftrace_calls calls;
	struct ftrace_functions functions;
};

/* The larger ones first, equal ones by name. */
#define COMPARE(key, value)                                                                        \
	static int by_##key(const void *a, const void *b)                                          \
	{                                                                                          \
		const struct view_durations *x = &((const struct view_function_time *)a)->calls;   \
		const struct view_durations *y = &((const struct view_function_time *)b)->calls;   \
                                                                                                   \
		if (value(x) != value(y))                                                          \
			return value(x) < value(y) ? 1 : -1;                                       \
		return by_string(a, b);                                                            \
	}
#define TOTAL(d) ((d)->total)
#define MOST(d) ((d)->most)
#define COUNT(d) ((d)->count)
#define AVERAGE(d) ((double)(d)->total / (double)(d)->count)
COMPARE(total, TOTAL)
COMPARE(most, MOST)
COMPARE(count, COUNT)
COMPARE(average, AVERAGE)

static const struct {
	const char *key;
	compare_fn compare;
} orders[] = {
	{ "total", by_total }, { "avg", by_average }, { "max", by_most },
	{ "count", by_count }, { "name", by_string },
};

static compare_fn order_of(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		if (!key || !strcmp(orders[i].key, key))
			return orders[i].compare;
	}
	return NULL;
}

static bool take_call(void *ctx, size_t cpu UNUSED, const struct ftrace_record *r)
{
	struct call_profile *p = ctx;
	u64 function, ns;

	if (ftrace_calls_take(&p->calls, r, &function, &ns))
		ftrace_functions_add(&p->functions, function, ns);
	return true;
}

static int open_format(struct ftrace_job *job, const struct ftrace_instance *t, struct err *e)
{
	return ftrace_calls_open(&((struct call_profile *)job->ctx)->calls, t->root, e);
}

static void print(struct call_profile *p, compare_fn compare)
{
	_cleanup_(strbuf_releasep) struct strbuf symbols = STRBUF_INIT, out = STRBUF_INIT;
	VEC(struct view_function_time) rows = { 0 };

	if (!p->functions.all.nr) {
		fprintf(stderr, "No data found\n");
		return;
	}
	if (rw_slurp("/proc/kallsyms", &symbols, NULL))
		log_warn("functions have no names: /proc/kallsyms cannot be read");
	ftrace_functions_name(&p->functions, symbols.buf);
	VEC_FOR(&p->functions.all, f)
		*VEC_PUSH(&rows) = (struct view_function_time){ .name = f->name,
								.calls = f->calls };
	VEC_SORT(&rows, compare);
	render_function_times(rows.v, rows.nr, &out);
	fwrite(out.buf, 1, out.len, stdout);
	vec_free(&rows);
}

int ftrace_profile(struct ftrace_opts *o, const char *const *command)
{
	struct call_profile p = { .functions = { .all = { 0 } } };
	compare_fn compare = order_of(o->sort);
	struct ftrace_job job = { .o = o,
				  .tracer = "function_graph",
				  .begin = open_format,
				  .sink = { .record = take_call, .ctx = &p },
				  .ctx = &p };
	int r;

	if (!compare)
		return opts_usage_error(ftrace_profile_table, ftrace_usage, "sort",
					"Unknown sort key: %s\n\n", o->sort);
	r = ftrace_run(&job, command);
	if (!r)
		print(&p, compare);
	ftrace_calls_close(&p.calls);
	ftrace_functions_release(&p.functions);
	return r;
}
