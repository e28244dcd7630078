/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftrace/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"

/* Switches: a file below options/, where it is said, and what is written then and else. */
static const struct {
	const char *file;
	size_t offset;
	const char *on, *off;
} switches[] = {
#define SWITCH(file, member, on, off)                                                              \
	{                                                                                          \
		file, offsetof(struct ftrace_settings, member), on, off                            \
	}
	SWITCH("options/func_stack_trace", call_graph, "1", "0"),
	SWITCH("options/irq-info", irq_info, "1", "0"),
	SWITCH("options/funcgraph-args", args, "1", "0"),
	SWITCH("options/funcgraph-retval", retval, "1", "0"),
	SWITCH("options/funcgraph-retval-hex", retval_hex, "1", "0"),
	SWITCH("options/funcgraph-retaddr", retaddr, "1", "0"),
	SWITCH("options/sleep-time", nosleep_time, "0", "1"),
	SWITCH("options/funcgraph-irqs", noirqs, "0", "1"),
	SWITCH("options/funcgraph-proc", verbose, "1", "0"),
	SWITCH("options/funcgraph-abstime", verbose, "1", "0"),
	SWITCH("options/latency-format", verbose, "1", "0"),
	SWITCH("options/funcgraph-tail", tail, "1", "0"),
	SWITCH("options/function-fork", inherit, "1", "0"),
	SWITCH("options/event-fork", inherit, "1", "0"),
#undef SWITCH
};

static int set_number(struct ftrace_instance *t, const char *file, u64 value, struct err *e)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return ftrace_instance_set(t, file, text, e);
}

/* A new instance has the options of the top folder, so all are set; only what is asked for has to
 * be there. */
static int set_switches(const struct ftrace_settings *s, struct ftrace_instance *t, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(switches); i++) {
		bool on = *((const bool *)s + switches[i].offset);
		const char *file = switches[i].file;

		if (!on && !ftrace_instance_has_own(t, file))
			continue;
		if (!ftrace_instance_has(t, file)) {
			if (!strcmp(file, "options/event-fork"))
				continue;
			return err_set(e, ENOTSUP, "this kernel's tracer has no '%s'", file);
		}
		if (ftrace_instance_set(t, file, on ? switches[i].on : switches[i].off, e))
			return -1;
	}
	return 0;
}

static int add_functions(struct ftrace_instance *t, const char *file,
			 const struct ftrace_names *names, struct err *e)
{
	if (!ftrace_instance_has(t, file))
		return names->nr ? err_set(e, ENOTSUP, "this kernel has no '%s'", file) : 0;
	/* nothing to forget in a folder that is new */
	if (!names->nr && ftrace_instance_is_own(t) && strncmp(file, "set_graph", 9) != 0)
		return 0;
	if (ftrace_instance_set(t, file, "", e))
		return -1;
	VEC_FOR(names, name) {
		char line[LIMIT_SYMBOL_NAME > 4096 ? 4096 : LIMIT_SYMBOL_NAME];
		struct err why = ERR_INIT;

		if ((size_t)snprintf(line, sizeof(line), "%s\n", *name) >= sizeof(line))
			return err_set(e, ENAMETOOLONG, "the name of a function is too long");
		if (!ftrace_instance_add(t, file, line, &why))
			continue;
		if (why.code != EINVAL && why.code != ENOENT)
			return err_set(e, why.code, "%s", why.text);
		err_set(e, why.code, "no function '%s' can be traced", *name);
		err_hint(e, "'perf ftrace -F \"*%s*\"' lists those with such a name", *name);
		return -1;
	}
	return 0;
}

/* Filters of function_graph exist once: those of somebody else would be ours. */
static int set_filters(const struct ftrace_settings *s, struct ftrace_instance *t, struct err *e)
{
	bool graph = !strcmp(s->tracer, "function_graph");

	if (add_functions(t, "set_ftrace_filter", &s->functions, e) ||
	    add_functions(t, "set_ftrace_notrace", &s->not_functions, e))
		return -1;
	if (!graph)
		return 0;
	if (add_functions(t, "set_graph_function", &s->graphs, e) ||
	    add_functions(t, "set_graph_notrace", &s->not_graphs, e) ||
	    set_number(t, "max_graph_depth", s->depth, e))
		return -1;
	return set_number(t, "tracing_thresh", s->thresh, e);
}

/* Everybody is everybody but us: what we read would make us do what is traced, without end. */
static int leave_us_out(const struct ftrace_settings *s, struct ftrace_instance *t, struct err *e)
{
	const char *file = s->tracer ? "set_ftrace_notrace_pid" : "set_event_notrace_pid";
	char text[32];

	if (!ftrace_instance_has_own(t, file))
		return 0;
	snprintf(text, sizeof(text), "%d\n", (int)getpid());
	return ftrace_instance_set(t, file, s->tasks ? "" : text, e);
}

static int set_tasks(const struct ftrace_settings *s, struct ftrace_instance *t, struct err *e)
{
	const char *file = s->tracer ? "set_ftrace_pid" : "set_event_pid";
	char text[32];

	if (leave_us_out(s, t, e))
		return -1;
	if (!s->tasks && ftrace_instance_is_own(t))
		return 0;
	if (ftrace_instance_set(t, file, "", e))
		return -1;
	for (size_t i = 0; s->tasks && i < s->tasks->nr; i++) {
		snprintf(text, sizeof(text), "%d\n", (int)s->tasks->v[i]);
		if (ftrace_instance_add(t, file, text, e))
			return -1;
	}
	return 0;
}

/* As words of 32 bits in hexadecimal, the highest first, with commas. */
static int set_cpus(const struct ftrace_settings *s, struct ftrace_instance *t, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u32 most = 0;
	size_t words;
	_cleanup_(mem_freep) u32 *mask = NULL;

	if (!s->cpus)
		return 0;
	for (size_t i = 0; i < s->nr_cpus; i++)
		most = MAX(most, s->cpus[i]);
	words = most / 32 + 1;
	mask = xcalloc(words, sizeof(*mask));
	for (size_t i = 0; i < s->nr_cpus; i++)
		mask[s->cpus[i] / 32] |= 1U << s->cpus[i] % 32;
	for (size_t i = words; i-- > 0;)
		strbuf_addf(&text, i + 1 < words ? ",%08x" : "%x", mask[i]);
	return ftrace_instance_set(t, "tracing_cpumask", text.buf, e);
}

static int enable_events(const struct ftrace_settings *s, struct ftrace_instance *t, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->events) && s->events[i]; i++) {
		char file[PATH_MAX];
		const char *colon = strchr(s->events[i], ':');
		int system = (int)(colon ? colon - s->events[i] : 0);

		if (!colon || strchr(colon + 1, ':') || strchr(s->events[i], '/') ||
		    (size_t)snprintf(file, sizeof(file), "events/%.*s/%s/enable", system,
				     s->events[i], colon + 1) >= sizeof(file) ||
		    !ftrace_instance_has(t, file)) {
			err_set(e, ENOENT, "there is no event '%s'", s->events[i]);
			err_hint(e, "it is SYSTEM:NAME; 'perf list tracepoint' has them");
			return -1;
		}
		if (ftrace_instance_set(t, file, "1", e))
			return -1;
	}
	return 0;
}

int ftrace_settings_apply(const struct ftrace_settings *s, struct ftrace_instance *t, struct err *e)
{
	if (!ftrace_instance_is_own(t) && ftrace_instance_set(t, "trace", "", e))
		return -1;
	if (set_tasks(s, t, e) || set_cpus(s, t, e) ||
	    (s->buffer_bytes &&
	     set_number(t, "buffer_size_kb", (s->buffer_bytes + 1023) / 1024, e)) ||
	    (s->clock && ftrace_instance_set(t, "trace_clock", s->clock, e)))
		return -1;
	if (!s->tracer)
		return set_switches(s, t, e) || enable_events(s, t, e) ? -1 : 0;
	/* some options are there only while their tracer is */
	if (set_filters(s, t, e) || ftrace_instance_set(t, "current_tracer", s->tracer, e))
		return -1;
	return set_switches(s, t, e);
}
