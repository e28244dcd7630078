/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selection/event_args.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bpf/sample_filter.h"
#include "capture/aux_kinds.h"
#include "probe/in_place.h"
#include "selection/call_names.h"
#include "selection/program_events.h"

#define C struct event_compiler

static const struct config_row compiler_config[] = {
	CONFIG_ROW("llvm.clang-path", CONFIG_STR, C, clang, NULL),
	CONFIG_ROW("llvm.clang-opt", CONFIG_STR, C, options, NULL),
	CONFIG_ROW("llvm.clang-bpf-cmd-template", CONFIG_STR, C, command, NULL),
	CONFIG_ROW("llvm.kbuild-dir", CONFIG_STR, C, kernel_dir, NULL),
	CONFIG_ROW("llvm.kbuild-opts", CONFIG_STR, C, kernel_options, NULL),
	CONFIG_ROW("llvm.opts", CONFIG_STR, C, llc_options, NULL),
	CONFIG_ROW("llvm.dump-obj", CONFIG_BOOL, C, keeps_object, NULL),
	CONFIG_END
};

void event_args_init(struct event_env *env, const struct config *config)
{
	config_apply(config, compiler_config, &env->compiler);
	env->load_programs = program_events_load;
	env->debugfs = config->debugfs_dir;
	env->buildid_dir = config_get(config, "buildid.dir");
	env->make_probes = probe_in_place;
}

int event_args_add(struct event_args *a, struct event_list *l, const struct event_env *env,
		   const char *arg, struct err *e)
{
	size_t first = l->events.nr;
	struct event_error ee = { 0 };
	struct strbuf text = STRBUF_INIT;

	if (!event_parse(l, arg, env, &ee)) {
		a->last_event = first;
		return 0;
	}
	event_error_print(arg, &ee, &text);
	fputs(text.buf, stderr);
	strbuf_release(&text);
	return err_set(e, EINVAL, "%s", "");
}

/* joint: what stands between two of an event, with their brackets */
static void add_filter(struct event *ev, const char *text, const char *before, const char *joint,
		       const char *behind)
{
	char *both;

	if (!ev->filter) {
		ev->filter = xstrdup(text);
		return;
	}
	both = xasprintf("%s%s%s%s%s", before, ev->filter, joint, text, behind);
	free(ev->filter);
	ev->filter = both;
}

int event_args_filter(const struct event_args *a, struct event_list *l, const char *text,
		      const char *missing, struct err *e)
{
	size_t nr = l->events.nr;

	if (!nr || l->events.v[nr - 1]->kind != EVENT_TRACEPOINT)
		return err_set(e, EINVAL, "%s", missing);
	for (size_t i = a->last_event; i < nr; i++) {
		struct event *ev = l->events.v[i];

		if (ev->kind != EVENT_TRACEPOINT)
			continue;
		add_filter(ev, text, "(", ") && (", ")");
		ev->names = &call_names;
	}
	return 0;
}

int event_args_sample_filter(const struct event_args *a, struct event_list *l, const char *text,
			     struct err *e)
{
	struct event *last = l->events.v[l->events.nr - 1];
	struct sample_filter f;

	for (size_t i = a->last_event; i < l->events.nr; i++)
		if (l->events.v[i]->kind != EVENT_TRACEPOINT && !aux_kind_of(l->events.v[i]))
			add_filter(l->events.v[i], text, "", ", ", "");
	return sample_filter_parse(&f, last->filter, e);
}

void event_args_address_filter(struct event_list *l, const char *text)
{
	add_filter(l->events.v[l->events.nr - 1], text, "", ", ", "");
}

int event_args_cgroup(struct event_list *l, const char *list, struct err *e)
{
	const char *p = list;
	bool single = !strchr(list, ',');

	if (!l->events.nr)
		return err_set(e, EINVAL, "must define events before cgroups");
	VEC_FOR(&l->events, ev) {
		size_t len = strcspn(p, ",");

		if (len && !(single && (*ev)->cgroup)) {
			free((*ev)->cgroup);
			(*ev)->cgroup = xstrndup(p, len);
		}
		if (single)
			continue;
		if (!p[len])
			break;
		p += len + 1;
	}
	return 0;
}
