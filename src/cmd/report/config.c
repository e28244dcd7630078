/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config: what `perf report` takes from the configuration. The texts of errors are perf's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"
#include "cmd/report/report.h"

static int parse_percent_limit(const char *value, void *target, struct err *e)
{
	struct report_opts *o = target;
	char *end;
	double limit = strtod(value, &end);

	if (end == value || *end || !(limit >= 0))
		return err_set(e, EINVAL, "'%s' is not a percentage", value);
	o->profile.percent_limit = limit;
	o->graph.min_percent = limit;
	return 0;
}

static int parse_percentage(const char *value, void *target, struct err *e)
{
	return profile_parse_percentage(value, target, e);
}

static int wrong_word(const char *what, const char *value, const char *const *words, size_t nr,
		      struct err *e)
{
	err_set(e, EINVAL, "Invalid callchain %s: %s", what, value);
	similar_hint_of(value, words, nr, e);
	return -1;
}

static int parse_print_type(const char *value, void *target, struct err *e)
{
	static const char *const styles[] = { "graph", "fractal", "flat", "folded" };

	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		if (strcmp(value, styles[i]))
			continue;
		*(enum text_tree_style *)target = (enum text_tree_style)i;
		return 0;
	}
	return wrong_word("mode", value, styles, ARRAY_SIZE(styles), e);
}

static int parse_order(const char *value, void *target, struct err *e)
{
	static const char *const words[] = { "caller", "callee" };
	enum graph_order *order = target;

	if (!strcmp(value, "caller"))
		*order = ORDER_CALLER;
	else if (!strcmp(value, "callee"))
		*order = ORDER_CALLEE;
	else
		return wrong_word("order", value, words, ARRAY_SIZE(words), e);
	return 0;
}

static int parse_key(const char *value, void *target, struct err *e)
{
	static const char *const words[] = { "function", "address", "srcline" };
	struct graph_opts *g = target;

	if (strcmp(value, "function") && strcmp(value, "address") && strcmp(value, "srcline"))
		return wrong_word("sort key", value, words, ARRAY_SIZE(words), e);
	g->address = !strcmp(value, "address");
	g->lines = !strcmp(value, "srcline");
	return 0;
}

static int parse_threshold(const char *value, void *target, struct err *e)
{
	char *end;
	double v = strtod(value, &end);

	if (end == value || *end || !(v >= 0))
		return err_set(e, EINVAL, "Invalid callchain threshold: %s", value);
	*(double *)target = v;
	return 0;
}

static int parse_print_limit(const char *value, void *target, struct err *e)
{
	char *end;
	unsigned long v;

	errno = 0;
	v = strtoul(value, &end, 10);
	if (end == value || *end || errno || v > UINT32_MAX)
		return err_set(e, EINVAL, "Invalid callchain print limit: %s", value);
	*(u32 *)target = (u32)v;
	return 0;
}

#define R struct report_opts

const struct config_row report_config[] = {
	CONFIG_ROW("call-graph.print-type", CONFIG_CALL, R, graph.style, parse_print_type),
	CONFIG_ROW("call-graph.order", CONFIG_CALL, R, graph.order, parse_order),
	CONFIG_ROW("call-graph.sort-key", CONFIG_CALL, R, graph, parse_key),
	CONFIG_ROW("call-graph.threshold", CONFIG_CALL, R, graph.min_percent, parse_threshold),
	CONFIG_ROW("call-graph.print-limit", CONFIG_CALL, R, graph.limit, parse_print_limit),
	CONFIG_ROW("hist.percentage", CONFIG_CALL, R, profile.relative, parse_percentage),
	CONFIG_ROW("report.children", CONFIG_BOOL, R, profile.children, NULL),
	CONFIG_ROW("report.group", CONFIG_BOOL, R, group, NULL),
	CONFIG_ROW("report.percent-limit", CONFIG_CALL, R, rec /* the whole */,
		   parse_percent_limit),
	CONFIG_ROW("report.skip-empty", CONFIG_BOOL, R, profile.skip_empty, NULL),
	CONFIG_ROW("tui.report", CONFIG_BOOL, R, tui, NULL),
	TUI_COLOUR_ROWS(R, colours),
	CONFIG_ROW("report.sort_order", CONFIG_STR, R, profile.usual_sort, NULL),
	CONFIG_END
};
