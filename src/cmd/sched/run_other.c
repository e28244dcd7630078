/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched record, perf sched script: other commands with arguments made here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/vec.h"
#include "cmd/commands.h"
#include "cmd/sched/sched.h"
#include "sys/tracefs.h"

VEC_TYPE(arguments, const char *);

static void add(struct arguments *a, const char *word)
{
	*VEC_PUSH(a) = word;
}

static int run(const char *name, const struct config *config, struct arguments *a)
{
	int r = command_find(name)->run(config, (int)a->nr, a->v);

	vec_free(a);
	return r;
}

/* What the analyses need. Not every kernel has all of them. */
static const struct recorded_event {
	const char *name;
	bool needed; /* record tells when it is missing */
} recorded_events[] = {
	{ "sched:sched_switch", true },        { "sched:sched_stat_wait", false },
	{ "sched:sched_stat_sleep", false },   { "sched:sched_stat_iowait", false },
	{ "sched:sched_stat_runtime", false }, { "sched:sched_process_fork", true },
	{ "sched:sched_wakeup_new", true },    { "sched:sched_migrate_task", true },
};

static bool has_event(const char *root, const char *name)
{
	const char *colon = strchr(name, ':');
	char system[32];
	u64 id;

	snprintf(system, sizeof(system), "%.*s", (int)(colon - name), name);
	return root && !sys_tracefs_id(root, system, colon + 1, &id);
}

int sched_record_main(const struct config *config, int argc, const char **argv)
{
	static const char *const begin[] = { "record", "-a", "-R", "-m", "1024", "-c", "1" };
	struct arguments a = { .v = NULL };
	char buf[4096];
	const char *root = sys_tracefs_find(config->debugfs_dir, NULL, buf, sizeof(buf)) ? buf
											 : NULL;

	for (size_t i = 0; i < ARRAY_SIZE(begin); i++)
		add(&a, begin[i]);
	for (size_t i = 0; i < ARRAY_SIZE(recorded_events); i++) {
		if (!recorded_events[i].needed && !has_event(root, recorded_events[i].name))
			continue;
		add(&a, "-e");
		add(&a, recorded_events[i].name);
	}
	add(&a, "-e");
	add(&a,
	    has_event(root, "sched:sched_waking") ? "sched:sched_waking" : "sched:sched_wakeup");
	for (int i = 1; i < argc; i++)
		add(&a, argv[i]);
	return run("record", config, &a);
}

static void add_input(struct arguments *a, const struct sched_opts *o)
{
	if (o->rec.opts.input.path) {
		add(a, "-i");
		add(a, o->rec.opts.input.path);
	}
	if (o->rec.opts.input.force)
		add(a, "-f");
}

int sched_script_main(const struct config *config, const struct sched_opts *o, int argc,
		      const char **argv)
{
	struct arguments a = { .v = NULL };

	add(&a, "script");
	add_input(&a, o);
	for (int i = 1; i < argc; i++)
		add(&a, argv[i]);
	return run("script", config, &a);
}

void sched_dump(const struct config *config, const struct sched_opts *o)
{
	struct arguments a = { .v = NULL };

	add(&a, "report");
	add(&a, "-D");
	add_input(&a, o);
	run("report", config, &a);
}
