/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as the argument of -e, on a machine without PMUs and on a made-up one with two kinds of
 * cores, an uncore unit and a few tracepoints.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "event/event.h"

static const struct {
	const char *path, *content;
} files[] = {
	{ "bus/event_source/devices/cpu_core/type", "4" },
	{ "bus/event_source/devices/cpu_core/cpus", "0-3" },
	{ "bus/event_source/devices/cpu_core/format/event", "config:0-7,32-35" },
	{ "bus/event_source/devices/cpu_core/format/ldlat", "config1:0-15" },
	{ "bus/event_source/devices/cpu_core/events/mem-loads", "event=0xcd,ldlat=3" },
	{ "bus/event_source/devices/cpu_core/events/loop", "loop" },
	{ "bus/event_source/devices/cpu_core/events/param", "event=?" },
	{ "bus/event_source/devices/cpu_atom/type", "10" },
	{ "bus/event_source/devices/cpu_atom/cpus", "4-7" },
	{ "bus/event_source/devices/cpu_atom/format/event", "config:0-7" },
	{ "bus/event_source/devices/uncore_imc_0/type", "30" },
	{ "bus/event_source/devices/uncore_imc_0/cpumask", "0" },
	{ "bus/event_source/devices/uncore_imc_0/events/read", "event=4" },
	{ "bus/event_source/devices/uncore_imc_0/format/event", "config:0-7" },
	{ "events/sched/sched_switch/id", "314" },
	{ "events/sched/sched_wakeup/id", "315" },
	{ "events/skb/kfree_skb/id", "16" },
};

static char root[] = "/tmp/perf-fuzz-event-XXXXXX";

static void cleanup(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(mem_freep) char *path = xasprintf("%s/%s", root, files[i].path);

		unlink(path);
		for (char *s; (s = strrchr(path, '/')) > path + sizeof(root) - 2;) {
			*s = '\0';
			rmdir(path);
		}
	}
}

static void make_tree(void)
{
	if (!mkdtemp(root))
		abort();
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(mem_freep) char *path = xasprintf("%s/%s", root, files[i].path);

		for (char *s = strchr(path + 1, '/'); s; s = strchr(s + 1, '/')) {
			*s = '\0';
			mkdir(path, 0700);
			*s = '/';
		}
		int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (fd < 0 || rw_write_full(fd, files[i].content, strlen(files[i].content)))
			abort();
		close(fd);
	}
	atexit(cleanup);
}

static void parse(const char *text, const char *dir)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct event_env env = { .sysfs = dir, .tracefs = dir };
	struct event_error error = { .column = 0 };
	struct event_list list;

	event_list_init(&list);
	if (event_parse(&list, text, &env, &error))
		event_error_print(text, &error, &out);
	VEC_FOR(&list.events, ev)
		if (!(*ev)->name || (*ev)->leader->nr_members < 1)
			abort();
	event_list_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data, size);
	static bool made;

	if (!made)
		make_tree();
	made = true;
	parse(text, "/nonexistent");
	parse(text, root);
	return 0;
}
