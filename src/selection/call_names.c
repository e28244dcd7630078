/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selection/call_names.h"

#include <string.h>
#include <sys/utsname.h>

#include "base/similar.h"
#include "trace/constants.h"
#include "trace/syscall.h"

/* The argument's constants; SET_NONE: it has none, or it is none. */
static enum trace_set set_of(const struct event *ev, const char *field)
{
	static const char begin[] = "sys_enter_";
	struct trace_syscalls *all;
	const struct trace_syscall *call = NULL;
	enum trace_set set = SET_NONE;
	enum trace_arch arch;
	struct utsname u;

	if (!ev->tp_system || strcmp(ev->tp_system, "syscalls") != 0 ||
	    strncmp(ev->tp_name, begin, strlen(begin)) != 0 || uname(&u) ||
	    !trace_arch_parse(u.machine, &arch))
		return SET_NONE;
	all = trace_syscalls_new(arch);
	for (size_t i = 0; (call = trace_syscall_at(all, i)) != NULL; i++)
		if (!strcmp(call->name, ev->tp_name + strlen(begin)))
			break;
	for (size_t i = 0; call && i < call->nr_args; i++)
		if (call->args[i].len == strlen(field) &&
		    !memcmp(call->args[i].name, field, call->args[i].len))
			set = call->args[i].set;
	trace_syscalls_free(all);
	return set;
}

static bool find(const struct event *ev, const char *field, const char *name, size_t len,
		 s64 *value)
{
	u64 found;

	if (!trace_constant_find(set_of(ev, field), name, len, &found))
		return false;
	*value = (s64)found;
	return true;
}

static void offer(const struct event *ev, const char *field, struct similar *near)
{
	enum trace_set set = set_of(ev, field);
	const char *name;

	for (size_t i = 0; (name = trace_constant_name(set, i)) != NULL; i++)
		similar_offer(near, name);
}

const struct event_names call_names = { find, offer };
