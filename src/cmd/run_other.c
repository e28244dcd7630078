/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/run_other.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/pager.h"
#include "cmd/commands.h"
#include "sys/tracefs.h"

static void add_input(struct words *line, const struct recording *r)
{
	if (r->opts.input.path) {
		words_add(line, "-i");
		words_add(line, r->opts.input.path);
	}
	if (r->opts.input.force)
		words_add(line, "-f");
}

int run_other(const struct config *config, struct words *line)
{
	const struct command *c = command_find(line->v[0]);
	int r;

	if ((c->flags & CMD_PAGER) && !(c->flags & CMD_PAGER_LATER))
		pager_start();
	r = c->run(config, line->nr, line->v);
	words_release(line);
	return r;
}

int run_other_script(const struct config *config, const struct recording *r, int argc,
		     const char **argv)
{
	struct words line = { .v = NULL };

	words_add(&line, "script");
	add_input(&line, r);
	for (int i = 1; i < argc; i++)
		words_add(&line, argv[i]);
	return run_other(config, &line);
}

void run_other_dump(const struct config *config, const struct recording *r)
{
	struct words line = { .v = NULL };

	words_add(&line, "report");
	words_add(&line, "-D");
	add_input(&line, r);
	run_other(config, &line);
}

/* 0, or -errno. */
static int look_for(const char *root, const char *name)
{
	const char *colon = strchr(name, ':');
	char system[32];
	u64 id;

	snprintf(system, sizeof(system), "%.*s", (int)(colon - name), name);
	return sys_tracefs_id(root, system, colon + 1, &id);
}

/* Where it may not be looked at, record is to tell that. */
static bool has_event(const char *root, const char *name)
{
	return root && look_for(root, name) != -ENOENT;
}

bool kernel_has_event(const struct config *config, const char *name)
{
	char root[4096];

	return sys_tracefs_find(config->debugfs_dir, NULL, root, sizeof(root)) &&
	       !look_for(root, name);
}

/* NULL: it is left out. */
static const char *name_here(const struct recorded_event *ev, const char *root)
{
	for (size_t i = 0; i < ARRAY_SIZE(ev->names) && ev->names[i]; i++)
		if (has_event(root, ev->names[i]))
			return ev->names[i];
	return ev->needed ? ev->names[0] : NULL;
}

static void tell_left_out(const struct strbuf *names)
{
	if (names->len)
		log_warn("not recorded, since this kernel does not have it:%s", names->buf);
}

int run_record(const struct config *config, const char *const *begin,
	       const struct recorded_event *events, int argc, const char **argv)
{
	_cleanup_(strbuf_releasep) struct strbuf left_out = STRBUF_INIT;
	struct words line = { .v = NULL };
	char buf[4096];
	const char *root = sys_tracefs_find(config->debugfs_dir, NULL, buf, sizeof(buf)) ? buf
											 : NULL;

	words_add(&line, "record");
	for (; *begin; begin++)
		words_add(&line, *begin);
	for (; events->names[0]; events++) {
		const char *name = name_here(events, root);

		if (!name) {
			if (root && events->told)
				strbuf_addf(&left_out, " %s", events->names[0]);
			continue;
		}
		words_add(&line, "-e");
		words_add(&line, name);
		if (events->option)
			words_add(&line, events->option);
	}
	tell_left_out(&left_out);
	for (int i = 1; i < argc; i++)
		words_add(&line, argv[i]);
	return run_other(config, &line);
}
