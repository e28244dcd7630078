/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config: what `perf record` takes from the configuration.
 */
#include <stdio.h>
#include <string.h>

#include "base/similar.h"
#include "cmd/record/record.h"

static int check_mode(const char *mode, struct err *e)
{
	struct record_opts scratch = { .no_buildid = false };

	return record_parse_callgraph(NULL, &scratch, mode, false, e);
}

/* Only says what -g means; the form is that of --call-graph. */
static int parse_mode(const char *value, void *target, struct err *e)
{
	*(const char **)target = value;
	return check_mode(value, e);
}

static int parse_dump_size(const char *value, void *target, struct err *e)
{
	struct record_opts *o = target;

	if (strlen(value) >= sizeof(o->usual_dwarf) - sizeof("dwarf,"))
		return -1;
	snprintf(o->usual_dwarf, sizeof(o->usual_dwarf), "dwarf,%s", value);
	return check_mode(o->usual_dwarf, e);
}

static int parse_build_id(const char *value, void *target, struct err *e)
{
	static const char *const words[] = { "cache", "no-cache", "skip", "mmap" };
	struct record_opts *o = target;

	if (!strcmp(value, "cache")) {
		o->no_buildid_cache = false;
	} else if (!strcmp(value, "no-cache")) {
		o->no_buildid_cache = true;
	} else if (!strcmp(value, "skip")) {
		o->no_buildid = true;
	} else if (!strcmp(value, "mmap")) {
		o->buildid_mmap = true;
		o->buildid_mmap_given = true;
	} else {
		similar_hint_of(value, words, ARRAY_SIZE(words), e);
		return -1;
	}
	return 0;
}

static int parse_aio(const char *value, void *target, struct err *e)
{
	return record_parse_aio(NULL, target, value, false, e);
}

#define R struct record_opts

const struct config_row record_config[] = {
	CONFIG_ROW("call-graph.record-mode", CONFIG_CALL, R, usual_callgraph, parse_mode),
	CONFIG_ROW("record.call-graph", CONFIG_CALL, R, usual_callgraph, parse_mode),
	{ "call-graph.dump-size", CONFIG_CALL, 0, parse_dump_size },
	CONFIG_ROW("core.close-late", CONFIG_BOOL, R, close_late, NULL),
	CONFIG_ROW("core.moved-text", CONFIG_BOOL, R, cfg.moved_text, NULL),
	CONFIG_ROW("record.debuginfod", CONFIG_STR, R, debuginfod, NULL),
	{ "record.aio", CONFIG_CALL, 0, parse_aio },
	{ "record.build-id", CONFIG_CALL, 0, parse_build_id },
	CONFIG_END
};
