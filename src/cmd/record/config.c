/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config: what `perf record` takes from the configuration.
 */
#include <stdio.h>
#include <string.h>

#include "base/similar.h"
#include "cmd/record/record.h"

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
	CONFIG_ROW("call-graph.record-mode", CONFIG_CALL, R, sampling.usual_callgraph,
		   sampling_set_callgraph),
	CONFIG_ROW("record.call-graph", CONFIG_CALL, R, sampling.usual_callgraph,
		   sampling_set_callgraph),
	{ "call-graph.dump-size", CONFIG_CALL, 0, sampling_set_dump_size },
	CONFIG_ROW("buildid.dir", CONFIG_STR, R, sampling.cfg.buildid_dir, NULL),
	CONFIG_ROW("core.close-late", CONFIG_BOOL, R, close_late, NULL),
	CONFIG_ROW("core.moved-text", CONFIG_BOOL, R, sampling.cfg.moved_text, NULL),
	CONFIG_ROW("record.debuginfod", CONFIG_STR, R, debuginfod, NULL),
	{ "record.aio", CONFIG_CALL, 0, parse_aio },
	{ "record.build-id", CONFIG_CALL, 0, parse_build_id },
	CONFIG_END
};
