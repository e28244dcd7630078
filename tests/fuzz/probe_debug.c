/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What probes ask of debug information: functions, variables and their places, types, members,
 * lines.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "probe/debug.h"

static void ask_for_places(struct debug_info *g, const char *text)
{
	const struct probe_debug_opts o = { .max_places = 16 };
	struct probe_debug_places places;
	struct probe_definition d;

	if (probe_definition_parse(text, &d, NULL) < 0)
		return;
	probe_debug_find(g, &d.point, &d.args, &o, &places, NULL);
	probe_debug_places_release(&places);
	probe_definition_release(&d);
}

static void ask_for_variables(struct debug_info *g, const char *text, bool ranges)
{
	const struct probe_debug_vars_opts v = { .externs = true, .ranges = ranges };
	const struct probe_debug_opts o = { .max_places = 16 };
	struct probe_debug_vars_vec vars;
	struct probe_definition d;

	if (probe_definition_parse(text, &d, NULL) < 0)
		return;
	probe_debug_vars(g, &d.point, &v, &o, &vars, NULL);
	probe_debug_vars_release(&vars);
	probe_definition_release(&d);
}

static void ask_for_lines(struct debug_info *g, const char *text)
{
	struct probe_debug_lines lines;
	struct probe_line_range r;

	if (probe_line_range_parse(text, &r, NULL) < 0)
		return;
	probe_debug_lines(g, &r, &lines, NULL);
	probe_debug_lines_release(&lines);
	probe_line_range_release(&r);
}

static void ask(struct debug_info *g)
{
	static const char *const points[] = {
		"* $vars",
		"fn a o->in.tag[1]:string o->a o->b o->ll o->next->next->arr[2] counter",
		"fn:2 $params",
		"fn+3 o.x grid[1][2] big text:string",
		"s.c:9 o->in.x:x8",
		"twice v r",
		"fn%return $retval",
	};
	struct probe_point p;

	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		ask_for_places(g, points[i]);
	ask_for_variables(g, "*", false);
	ask_for_variables(g, "fn", true);
	ask_for_lines(g, "fn");
	ask_for_lines(g, "s.c");
	ask_for_lines(g, "@");
	for (u64 addr = 0x1000; addr < 0x1100; addr += 7)
		if (probe_debug_point_at(g, addr, false, &p))
			probe_point_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(mem_closep) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	const struct dso_config c = { .buildid_dir = "/nonexistent" };
	struct dso_key key = { .kind = DSO_USER };
	struct debug_info *g;
	struct dso_table *t;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	key.name = path;
	t = dso_table_new(&c);
	g = debug_info_open(dso_table_get(t, dso_table_add(t, &key)), NULL);
	if (g)
		ask(g);
	debug_info_close(g);
	dso_table_free(t);
	return 0;
}
