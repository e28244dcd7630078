/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/event_programs.h"

#include <errno.h>
#include <string.h>

#include "bpf/object.h"
#include "sys/perf_open.h"

static bool wants_cpu(const struct event_program_map *m, u32 cpu)
{
	VEC_FOR(&m->cpus, r)
		if (cpu >= r->from && cpu <= r->to)
			return true;
	return false;
}

static const struct event_fds *find_event(const struct event_fds *all, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(all[i].event->name, name))
			return &all[i];
	return NULL;
}

/* On a CPU, which is the target's i-th; -1: it is not there. */
static int fd_on(const struct event_fds *from, u32 cpu, size_t i)
{
	if (!from->cpus)
		return i < from->nr_cpus ? from->fds[i] : -1;
	for (size_t n = 0; n < from->nr_cpus; n++)
		if (from->cpus[n] < 0 || (u32)from->cpus[n] == cpu)
			return from->fds[n];
	return -1;
}

/* By CPU, as a program asks for it. */
static int fill_map(const struct event_program_map *m, const struct event_fds *from,
		    const struct capture_target *t, struct err *e)
{
	int r = 0;

	if (!from) {
		err_set(e, ENOENT,
			"a map of a BPF program is for the event '%s', which there is not",
			m->event);
		err_hint(e, "add -e bpf-output/no-inherit,name=%s/", m->event);
		return -1;
	}
	if (from->event->attr.inherit || t->per_thread || from->nr_tasks > 1)
		return err_set(
			e, EINVAL,
			"the event '%s' is for BPF programs: it wants the term no-inherit (of perf "
			"stat: -i), and a single process or -a",
			m->event);
	for (size_t i = 0; i < t->nr_cpus && !r; i++) {
		int fd = wants_cpu(m, t->cpus[i]) ? fd_on(from, t->cpus[i], i) : -1;

		r = fd < 0 ? 0 : bpf_put_value(m->fd, t->cpus[i], (u64)fd, sizeof(u32));
	}
	return r ? err_sys(e, -r, "the kernel does not give the event '%s' to a BPF program",
			   m->event)
		 : 0;
}

int event_programs_set(const struct event_fds *all, size_t nr, const struct capture_target *t,
		       struct err *e)
{
	for (size_t i = 0; i < nr; i++) {
		const struct event_fds *of = &all[i];
		const struct event_program *p = of->event->program;

		if (!p)
			continue;
		VEC_FOR(&p->maps, m)
			if (fill_map(m, find_event(all, nr, m->event), t, e))
				return -1;
		for (size_t n = 0; n < of->nr_cpus * of->nr_tasks && p->fd >= 0; n++) {
			int r = of->fds[n] < 0 ? 0
					       : sys_perf_ioctl(of->fds[n], PERF_EVENT_IOC_SET_BPF,
								(void *)(uintptr_t)p->fd);

			/* one of its events has it for all of them: it belongs to the point */
			if (r && r != -EEXIST)
				return err_sys(e, -r,
					       "the kernel does not run a BPF program at '%s'",
					       of->event->name);
		}
	}
	return 0;
}
