/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/event.h"
#include "base/event_names.h"
#include "event/names.h"

void event_list_init(struct event_list *l)
{
	*l = (struct event_list){ 0 };
}

void event_probe_release(struct event_probe *p)
{
	if (p->remove)
		p->remove(p);
	free(p->name);
	free(p->tracefs);
	free(p->group);
	free(p->tracepoint);
}

static void free_program(struct event_program *p)
{
	if (!p)
		return;
	if (p->fd >= 0)
		close(p->fd);
	if (p->link >= 0)
		close(p->link);
	VEC_FOR(&p->maps, m) {
		close(m->fd);
		free(m->event);
		vec_free(&m->cpus);
	}
	vec_free(&p->maps);
	free(p);
}

void event_free(struct event *ev)
{
	if (!ev)
		return;
	if (ev->probe)
		event_probe_release(ev->probe);
	free(ev->probe);
	free_program(ev->program);
	free(ev->name);
	free(ev->group_name);
	free(ev->pmu_name);
	free(ev->cpus);
	free(ev->unit);
	free(ev->sensor);
	free(ev->tp_system);
	free(ev->tp_name);
	free(ev->tracefs);
	free(ev->filter);
	free(ev->cgroup);
	free(ev->driver_config);
	free(ev);
}

void event_list_release(struct event_list *l)
{
	VEC_FOR(&l->events, ev)
		event_free(*ev);
	vec_free(&l->events);
}

struct event *event_list_add(struct event_list *l, const char *name, u32 type, u64 config)
{
	struct event *ev = XNEW(struct event);

	ev->name = name ? xstrdup(name) : NULL;
	ev->kind = type == PERF_TYPE_HARDWARE     ? EVENT_HARDWARE
		   : type == PERF_TYPE_TRACEPOINT ? EVENT_TRACEPOINT
		   : type == PERF_TYPE_HW_CACHE   ? EVENT_CACHE
		   : type == PERF_TYPE_RAW        ? EVENT_RAW
		   : type == PERF_TYPE_BREAKPOINT ? EVENT_BREAKPOINT
		   : type == PERF_TYPE_SOFTWARE   ? EVENT_SOFTWARE
						  : EVENT_PMU;
	ev->attr.type = type;
	ev->attr.config = config;
	ev->scale = 1.0;
	ev->index = (u32)l->events.nr;
	ev->leader = ev;
	ev->nr_members = 1;
	*VEC_PUSH(&l->events) = ev;
	return ev;
}

static char *copy_text(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

/* The copy takes nothing back. */
static void copy_probe(const struct event *from, struct event *ev)
{
	const struct event_probe *p = from->probe;

	if (!p)
		return;
	ev->probe = XNEW(struct event_probe);
	*ev->probe = *p;
	ev->probe->remove = NULL;
	ev->probe->name = copy_text(p->name);
	ev->probe->tracefs = copy_text(p->tracefs);
	ev->probe->group = copy_text(p->group);
	ev->probe->tracepoint = copy_text(p->tracepoint);
}

static struct event *copy_event(const struct event *from)
{
	struct event *ev = XNEW(struct event);

	*ev = *from;
	ev->name = copy_text(from->name);
	ev->group_name = copy_text(from->group_name);
	ev->pmu_name = copy_text(from->pmu_name);
	ev->unit = copy_text(from->unit);
	ev->sensor = copy_text(from->sensor);
	ev->tp_system = copy_text(from->tp_system);
	ev->tracefs = copy_text(from->tracefs);
	ev->tp_name = copy_text(from->tp_name);
	ev->filter = copy_text(from->filter);
	ev->cgroup = copy_text(from->cgroup);
	ev->driver_config = copy_text(from->driver_config);
	copy_probe(from, ev);
	ev->program = NULL;
	if (from->cpus) {
		ev->cpus = XNEW_ARRAY(u32, from->nr_cpus ? from->nr_cpus : 1);
		for (size_t i = 0; i < from->nr_cpus; i++)
			ev->cpus[i] = from->cpus[i];
	}
	return ev;
}

/* Where the leader is in its list. */
static size_t position(const struct event_list *l, const struct event *ev)
{
	size_t i = 0;

	while (i < l->events.nr && l->events.v[i] != ev)
		i++;
	return i;
}

void event_list_append_copy(struct event_list *l, const struct event_list *from)
{
	size_t first = l->events.nr;

	for (size_t i = 0; i < from->events.nr; i++) {
		struct event *ev = copy_event(from->events.v[i]);

		ev->index = (u32)l->events.nr;
		*VEC_PUSH(&l->events) = ev;
	}
	for (size_t i = 0; i < from->events.nr; i++)
		l->events.v[first + i]->leader =
			l->events.v[first + position(from, from->events.v[i]->leader)];
}

void event_list_group(struct event_list *l, size_t first, size_t nr, const char *name)
{
	if (!nr)
		return;

	struct event *leader = l->events.v[first];

	for (size_t i = first; i < first + nr; i++) {
		l->events.v[i]->leader = leader;
		l->events.v[i]->nr_members = 1;
	}
	leader->nr_members = (u32)nr;
	free(leader->group_name);
	leader->group_name = name ? xstrdup(name) : NULL;
}

int event_guests_parse(enum event_guests *g, const char *word, struct err *e)
{
	static const char *const words[] = {
		[GUESTS_NO] = "no", [GUESTS_ONLY] = "only", [GUESTS_TOO] = "too"
	};

	for (size_t i = GUESTS_NO; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i], word) != 0)
			continue;
		*g = (enum event_guests)i;
		return 0;
	}
	return err_set(e, EINVAL, "--guests: 'no', 'only' or 'too', not '%s'", word);
}

void event_list_set_guests(struct event_list *l, enum event_guests g)
{
	VEC_FOR(&l->events, ev) {
		if (g == GUESTS_USUAL || (*ev)->guest_given)
			continue;
		(*ev)->attr.exclude_guest = g == GUESTS_NO;
		(*ev)->attr.exclude_host = g == GUESTS_ONLY;
		(*ev)->guest_given = g == GUESTS_ONLY;
	}
}

static void add_modifiers(const struct perf_event_attr *a, struct strbuf *out)
{
	char mods[10];
	size_t n = 0;
	bool levels = a->exclude_user || a->exclude_kernel || a->exclude_hv;
	bool precise = a->precise_ip != 0;

	if (levels) {
		if (!a->exclude_kernel)
			mods[n++] = 'k';
		if (!a->exclude_user)
			mods[n++] = 'u';
		if (!a->exclude_hv)
			mods[n++] = 'h';
	}
	for (u64 i = 0; i < a->precise_ip; i++)
		mods[n++] = 'p';
	/* That guests are left out goes without saying, unless a level or precision is shown. */
	if (a->exclude_host || (bool)a->exclude_guest == (levels || precise)) {
		if (!a->exclude_host)
			mods[n++] = 'H';
		if (!a->exclude_guest)
			mods[n++] = 'G';
	}
	if (n) {
		strbuf_addch(out, ':');
		strbuf_add(out, mods, n);
	}
}

static void add_breakpoint(const struct perf_event_attr *a, struct strbuf *out)
{
	strbuf_addf(out, "mem:%#llx:", (unsigned long long)a->bp_addr);
	if (a->bp_type & 1)
		strbuf_addch(out, 'r');
	if (a->bp_type & 2)
		strbuf_addch(out, 'w');
	if (a->bp_type & 4)
		strbuf_addch(out, 'x');
}

void event_attr_name(const struct perf_event_attr *attr, struct strbuf *out)
{
	char buf[64];
	const char *name = NULL;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		/* The upper half of config names the PMU on machines with several kinds of cores.
		 */
		name = event_hw_name(attr->config & 0xffffffff);
		strbuf_adds(out, name ? name : "unknown-hardware");
		break;
	case PERF_TYPE_SOFTWARE:
		name = event_sw_name(attr->config);
		strbuf_adds(out, name ? name : "unknown-software");
		break;
	case PERF_TYPE_HW_CACHE:
		strbuf_adds(out, event_cache_name(attr->config & 0xffffffff, buf, sizeof(buf))
					 ? buf
					 : "unknown-ext-hardware-cache-type");
		break;
	case PERF_TYPE_RAW:
		strbuf_addf(out, "raw 0x%llx", (unsigned long long)attr->config);
		break;
	case PERF_TYPE_TRACEPOINT:
		strbuf_adds(out, "unknown tracepoint");
		return;
	case PERF_TYPE_BREAKPOINT:
		add_breakpoint(attr, out);
		break;
	default:
		strbuf_addf(out, "unknown attr type: %u", attr->type);
		return;
	}
	add_modifiers(attr, out);
}
