/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat: the events that are counted: those asked for, the default ones, sets by option, and
 * what other options make of the list.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/commas.h"
#include "base/rw.h"
#include "cli/print_err.h"
#include "cmd/stat/stat.h"
#include "count/metrics.h"
#include "count/ports.h"
#include "event/pmu.h"

static const char *sysfs_of(const struct stat_opts *o)
{
	return o->count.env.sysfs ? o->count.env.sysfs : "/sys";
}

static bool has_pmu_event(const struct stat_opts *o, const char *pmu, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/bus/event_source/devices/%s/events/%s", sysfs_of(o), pmu,
		 name);
	return !access(path, F_OK);
}

static bool has_core_event(const struct stat_opts *o, const char *name)
{
	static const char *const pmus[] = { "cpu", "cpu_core", "cpu_atom" };

	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++) {
		if (has_pmu_event(o, pmus[i], name))
			return true;
	}
	return false;
}

/* what: the line that says whose events these are when they cannot be set up. */
static int add_events(struct stat_opts *o, const char *text, const char *what)
{
	struct event_error ee = { 0 };
	struct strbuf out = STRBUF_INIT;
	const char *end;

	if (!event_parse(&o->count.events, text, &o->count.env, &ee))
		return 0;
	ee.column = 0;
	event_error_print(text, &ee, &out);
	/* the user did not write them: no advice on how to write events */
	end = strstr(out.buf, "Run 'perf list'");
	fprintf(stderr, "%s\n%.*s", what, end ? (int)(end - out.buf) : (int)out.len, out.buf);
	strbuf_release(&out);
	return STAT_EXIT_INVALID;
}

/* What perf counts when nothing is asked for, and with -d, -dd, -ddd. */
static int add_default_events(struct stat_opts *o)
{
	static const char *const details[] = {
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
		("L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"
		 "iTLB-load-misses"),
		"L1-dcache-prefetches,L1-dcache-prefetch-misses",
	};
	struct strbuf text = STRBUF_INIT;
	int ret = 0;

	if (!o->count.events.events.nr) {
		bool wide = o->count.system_wide || o->count.cpus;

		strbuf_addf(&text, "%s,context-switches,cpu-migrations,page-faults,cycles",
			    wide ? "cpu-clock" : "task-clock");
		if (has_core_event(o, "stalled-cycles-frontend"))
			strbuf_adds(&text, ",stalled-cycles-frontend");
		if (has_core_event(o, "stalled-cycles-backend"))
			strbuf_adds(&text, ",stalled-cycles-backend");
		strbuf_adds(&text, ",instructions,branches,branch-misses");
		ret = add_events(o, text.buf, "Cannot set up the default events");
	}
	for (int i = 0; i < o->detail && i < (int)ARRAY_SIZE(details) && !ret; i++)
		ret = add_events(o, details[i], "Cannot set up the events of -d");
	strbuf_release(&text);
	return ret;
}

/* --guests. Names that the user wrote stay; of the default events they tell where these count. */
static void set_guests(struct stat_opts *o, size_t nr_named)
{
	struct event_list *l = &o->count.events;

	if (o->guests == GUESTS_USUAL)
		return;
	event_list_set_guests(l, o->guests);
	for (size_t i = nr_named; i < l->events.nr; i++) {
		struct strbuf name = STRBUF_INIT;

		if (l->events.v[i]->pmu_name)
			continue;
		event_attr_name(&l->events.v[i]->attr, &name);
		free(l->events.v[i]->name);
		l->events.v[i]->name = strbuf_detach(&name);
	}
}

/* -T: what a processor with transactional memory can count of it. */
static int add_transaction_events(struct stat_opts *o)
{
	bool full = has_pmu_event(o, "cpu", "cycles-ct") && has_pmu_event(o, "cpu", "el-start");

	return add_events(o,
			  full ? "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/,"
				 "cpu/el-start/,cpu/cycles-ct/}"
			       : "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/}",
			  "Cannot set up transaction events");
}

static int add_iostat_events(struct stat_opts *o)
{
	struct strbuf text = STRBUF_INIT;
	int ret;

	count_ports_events(o->count.ports, &text);
	ret = add_events(o, text.buf, "Cannot set up the events of --iostat");
	strbuf_release(&text);
	return ret;
}

static int freeze_path(const struct stat_opts *o, char *path, size_t size)
{
	return snprintf(path, size, "%s/devices/cpu/freeze_on_smi", sysfs_of(o));
}

/* 0, or the exit code after a line. */
static int set_freeze(const struct stat_opts *o, char value)
{
	char path[512];
	int fd, r;

	freeze_path(o, path, sizeof(path));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	r = fd < 0 ? -1 : rw_write_full(fd, &value, 1);
	if (fd >= 0)
		close(fd);
	if (!r)
		return 0;
	fprintf(stderr, "error: cannot write '%s': %s\n", path, strerror(errno));
	return STAT_EXIT_FAILED;
}

/* --smi-cost: APERF goes on in management interrupts; the cores' counters are made to stand still.
 */
static int add_smi_events(struct stat_opts *o)
{
	struct strbuf value = STRBUF_INIT;
	char path[512];
	bool frozen;
	int ret;

	freeze_path(o, path, sizeof(path));
	if (rw_slurp(path, &value, NULL)) {
		fprintf(stderr, "freeze_on_smi is not supported.\n");
		return STAT_EXIT_INVALID;
	}
	frozen = value.buf[0] == '1';
	strbuf_release(&value);
	if (!has_pmu_event(o, "msr", "aperf") || !has_pmu_event(o, "msr", "smi")) {
		fprintf(stderr, "error: --smi-cost needs the events msr/aperf/ and msr/smi/\n");
		return STAT_EXIT_INVALID;
	}
	if (!o->metric_only_given)
		o->count.metric_only = true;
	ret = frozen ? 0 : set_freeze(o, '1');
	o->unfreeze = !ret && !frozen;
	return ret ? ret
		   : add_events(o, "{msr/aperf/,msr/smi/,cycles}",
				"Cannot set up the events of --smi-cost");
}

void stat_events_restore(struct stat_opts *o)
{
	if (o->unfreeze)
		set_freeze(o, '0');
	o->unfreeze = false;
}

/* "atom" of cpu_atom; NULL: not of one kind of cores. */
static const char *cores_of(const struct event *ev)
{
	return ev->pmu_name && !strncmp(ev->pmu_name, "cpu_", 4) ? ev->pmu_name + 4 : NULL;
}

/* The kind of cores that a group counts on: software and tool events go where the others are. */
static const char *cores_of_group(const struct event_list *l, const struct event *leader)
{
	for (size_t i = 0; i < l->events.nr; i++)
		if (l->events.v[i]->leader == leader && cores_of(l->events.v[i]))
			return cores_of(l->events.v[i]);
	return NULL;
}

/* --cputype: only the cores of one kind. Groups stay whole or go, none mixes kinds of cores. */
static void keep_cores(struct event_list *l, const char *cputype)
{
	bool *goes = XNEW_ARRAY(bool, l->events.nr + 1);
	size_t n = 0;

	for (size_t i = 0; i < l->events.nr; i++) {
		const struct event *ev = l->events.v[i];
		const char *kind = ev->leader->nr_members > 1 ? cores_of_group(l, ev->leader)
							      : cores_of(ev);

		goes[i] = kind && strcmp(kind, cputype);
	}
	for (size_t i = 0; i < l->events.nr; i++)
		if (goes[i])
			event_free(l->events.v[i]);
		else
			l->events.v[n++] = l->events.v[i];
	l->events.nr = n;
	free(goes);
}

/* The group's name as it is shown: nothing at all is the root. */
static char *cgroup_name(const char *p, size_t len)
{
	if (!len)
		return xstrdup("/");
	return len > 1 && *p == '/' ? xstrndup(p + 1, len - 1) : xstrndup(p, len);
}

/* Does the name p[0..len) stand in the list before p? */
static bool name_seen(const char *list, const char *p, size_t len)
{
	const char *name = len ? p : "/";

	len = len ? len : 1;
	while (list < p) {
		size_t n = strcspn(list, ",");
		const char *other = n ? list : "/";

		if ((n ? n : 1) == len && !strncmp(other, name, len))
			return true;
		list += n + 1;
	}
	return false;
}

/* --for-each-cgroup: all events once for every name. */
static void expand_cgroups(struct stat_opts *o)
{
	struct event_list copy;
	const char *p = o->each_cgroup;

	event_list_init(&copy);
	for (;;) {
		size_t len = strcspn(p, ",");
		size_t first = copy.events.nr;

		if (!name_seen(o->each_cgroup, p, len))
			event_list_append_copy(&copy, &o->count.events);
		for (size_t i = first; i < copy.events.nr; i++) {
			free(copy.events.v[i]->cgroup);
			copy.events.v[i]->cgroup = cgroup_name(p, len);
		}
		if (!p[len])
			break;
		p += len + 1;
	}
	event_list_release(&o->count.events);
	o->count.events = copy;
}

/* What no counter is needed for cannot be in a group, nor lead one. */
static void ungroup_tools(struct event_list *l)
{
	for (size_t i = 0; i < l->events.nr; i++) {
		struct event *tool = l->events.v[i], *group = tool->leader, *next = NULL;
		u32 members = group->nr_members;

		if (tool->kind != EVENT_TOOL || members < 2)
			continue;
		for (size_t k = 0; k < l->events.nr; k++) {
			struct event *ev = l->events.v[k];

			if (ev->leader != group || ev == tool)
				continue;
			next = next ? next : ev;
			ev->leader = next;
		}
		if (next != group) {
			next->group_name = group->group_name;
			group->group_name = NULL;
		}
		next->nr_members = members - 1;
		tool->leader = tool;
		tool->nr_members = 1;
	}
}

/* Which events BPF counts. They are in no group: each is shared with others by itself. */
static int choose_bpf(struct stat_opts *o)
{
	struct event_list *l = &o->count.events;
	bool any = false, may = !o->recording && !o->programs.nr;

	VEC_FOR(&l->events, ev) {
		(*ev)->bpf_counter |= o->by_bpf || (may && o->bpf_names &&
						    commas_have(o->bpf_names, (*ev)->name));
		if ((*ev)->kind == EVENT_TOOL || counting_is_uncore(*ev))
			(*ev)->bpf_counter = false;
		any |= (*ev)->bpf_counter;
	}
	if (!any)
		return 0;
	VEC_FOR(&l->events, ev) {
		(*ev)->leader = *ev;
		(*ev)->nr_members = 1;
	}
	if (may)
		return 0;
	fprintf(stderr, "error: %s\n",
		o->recording ? "what BPF counts (--bpf-counters, modifier b) cannot be recorded"
			     : "-b and --bpf-counters cannot be used together");
	return STAT_EXIT_FAILED;
}

static int add_metrics(struct stat_opts *o)
{
	_cleanup_(strbuf_releasep) struct strbuf told = STRBUF_INIT;
	struct err e = ERR_INIT;
	enum metrics_result r = count_metrics_prepare(&o->count, &told, &e);

	if (told.len)
		fputs(told.buf, stderr);
	else if (r == METRICS_FAILED)
		err_print(&e);
	return r == METRICS_OK ? 0 : r == METRICS_FAILED ? STAT_EXIT_FAILED : STAT_EXIT_NO_TOPDOWN;
}

int stat_events_prepare(struct stat_opts *o)
{
	int ret = add_metrics(o);
	size_t nr_named = o->count.events.events.nr;

	if (ret)
		return ret;
	if (o->count.ports)
		ret = add_iostat_events(o);
	else if (o->transaction)
		ret = add_transaction_events(o);
	else if (o->smi_cost)
		ret = add_smi_events(o);
	else if (!o->null_run)
		ret = add_default_events(o);
	if (ret)
		return ret;
	set_guests(o, nr_named);
	if (o->cputype)
		keep_cores(&o->count.events, o->cputype);
	if (o->group)
		event_list_group(&o->count.events, 0, o->count.events.events.nr, NULL);
	ungroup_tools(&o->count.events);
	ret = choose_bpf(o);
	if (!ret && o->each_cgroup)
		expand_cgroups(o);
	return ret;
}
