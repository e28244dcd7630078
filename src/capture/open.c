/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/open.h"

#include <errno.h>
#include <unistd.h>

#include "base/mem.h"
#include "event/fallback.h"
#include "sys/cgroup.h"
#include "sys/open_dump.h"
#include "sys/perf_open.h"

enum { TASK_IS_CPU_WIDE = -1, ALL_CPUS = -1 };

struct event_opener {
	struct event_list *l;
	const struct capture_target *target;
	const struct capture_open_log *log;
	struct capture_fds *fds;
	struct event_fallback fb;
	struct strbuf text; /* of the last fallback */
	struct strbuf *why;
};

static void note(struct event_opener *o, enum capture_open_note kind, const struct event *ev,
		 const char *text)
{
	if (o->log)
		o->log->note(o->log->ctx, kind, ev, text);
}

/* The kernel said err: change something and say that it is worth another try. */
static bool fall_back(struct event_opener *o, struct event *ev, int err)
{
	enum event_fallback_step step = event_fallback_next(&o->fb, ev, err, &o->text);

	if (step == EVENT_FALLBACK_NONE)
		return false;
	note(o, step == EVENT_FALLBACK_CHANGED ? CAPTURE_NOTE_CHANGED : CAPTURE_NOTE_FALLBACK, ev,
	     o->text.buf);
	return true;
}

struct event_spot {
	size_t event, cpu, task;
	pid_t pid;
	int cpu_nr;
	u64 flags;
};

void capture_open_text(char *text, size_t size, const struct capture_open_call *c)
{
	int n = snprintf(text, size, "pid %d  cpu %d  group_fd %d  flags %#x", c->pid, c->cpu,
			 c->group, (unsigned int)(c->flags | PERF_FLAG_FD_CLOEXEC));

	if (n < 0 || (size_t)n >= size)
		return;
	if (c->fd >= 0)
		snprintf(text + n, size - (size_t)n, " = %d", c->fd);
	else
		snprintf(text + n, size - (size_t)n, "\nsys_perf_event_open failed, error %d",
			 c->fd);
}

static int open_one(struct event_opener *o, struct event *ev, const struct event_spot *s)
{
	int group = ev->leader == ev ? -1 : *capture_fd(o->fds, ev->leader->index, s->cpu, s->task);
	char text[128];
	int fd;

	fd = sys_perf_event_open(&ev->attr, s->pid, s->cpu_nr, group, s->flags);
	if (o->log) {
		sys_open_dump(&ev->attr, s->pid, s->cpu_nr, group, s->flags, fd);
		capture_open_text(
			text, sizeof(text),
			&(struct capture_open_call){ s->pid, s->cpu_nr, group, fd, s->flags });
		note(o, CAPTURE_NOTE_OPEN, ev, text);
	}
	return fd;
}

static bool cpu_of_event(const struct event *ev, u32 cpu)
{
	for (size_t i = 0; i < ev->nr_cpus; i++) {
		if (ev->cpus[i] == cpu)
			return true;
	}
	return !ev->cpus;
}

/* Too many at once for the counters. A group whose values are read together stays what it is. */
static bool may_dissolve(const struct event *ev, int err)
{
	const struct event *leader = ev->leader;

	return err == EINVAL && ev != leader && leader->weak_group && !leader->sample_read;
}

/* Mappings, names and forks are told of all CPUs; switches only of those that are asked for. */
static bool is_for_other_cpus(const struct event *ev)
{
	return ev->is_dummy_sideband && ev->attr.mmap && !ev->attr.context_switch;
}

/* With fallbacks: 0 or -errno; *fd stays -1 where there is nothing to be measured any more. */
static int open_spot(struct event_opener *o, struct event *ev, const struct event_spot *s, int *fd)
{
	for (;;) {
		int r = open_one(o, ev, s);

		if (r >= 0) {
			*fd = r;
			return 0;
		}
		/* a thread that ended, a CPU that went offline */
		if (r == -ESRCH && o->fds->nr_tasks > 1)
			return 0;
		if (r == -ENODEV && s->cpu_nr > 0 && ev->kind == EVENT_SOFTWARE)
			return 0;
		if (may_dissolve(ev, -r) || !fall_back(o, ev, -r))
			return r;
		note(o, CAPTURE_NOTE_ATTR, ev, NULL);
	}
}

/* Everyone on his own. Returns the number of the first of them: they are opened again. */
static size_t dissolve(struct event_opener *o, struct event *leader)
{
	size_t per_event = o->fds->nr_cpus * o->fds->nr_tasks;

	strbuf_reset(&o->text);
	strbuf_addf(&o->text, "Weak group for %s/%u failed", leader->name, leader->nr_members);
	note(o, CAPTURE_NOTE_FALLBACK, leader, o->text.buf);
	VEC_FOR(&o->l->events, p) {
		struct event *ev = *p;

		if (ev->leader != leader)
			continue;
		for (size_t i = 0; i < per_event; i++)
			mem_closep(&o->fds->fd[ev->index * per_event + i]);
		ev->attr.disabled = leader->attr.disabled;
		ev->attr.enable_on_exec = leader->attr.enable_on_exec;
		ev->leader = ev;
		ev->nr_members = 1;
	}
	return leader->index;
}

/* *next: the event to go on with. */
static int open_event(struct event_opener *o, size_t index, size_t *next, struct err *e)
{
	struct event *ev = o->l->events.v[index];
	const struct capture_target *t = o->target;
	bool everybody = t->cpu_wide || ev->system_wide;
	size_t tasks = everybody ? 1 : o->fds->nr_tasks;
	struct event_spot s = { .event = index };
	int cgroup_fd = -1;
	size_t opened = 0;
	int r = 0;

	event_fallback_prepare(&o->fb, ev);
	if (ev->cgroup) {
		cgroup_fd = sys_cgroup_open(NULL, ev->cgroup, e);
		if (cgroup_fd < 0)
			return -1;
		s.flags = PERF_FLAG_PID_CGROUP;
	}
	note(o, CAPTURE_NOTE_ATTR, ev, NULL);
	for (s.cpu = 0; s.cpu < o->fds->nr_cpus && !r; s.cpu++) {
		s.cpu_nr = t->per_thread ? ALL_CPUS : (int)t->cpus[s.cpu];
		if (!t->per_thread && !cpu_of_event(ev, t->cpus[s.cpu]))
			continue;
		if (!t->per_thread && s.cpu >= t->nr_cpus && !is_for_other_cpus(ev))
			continue;
		for (s.task = 0; s.task < tasks && !r; s.task++) {
			int *fd = capture_fd(o->fds, index, s.cpu, s.task);

			s.pid = cgroup_fd >= 0 ? cgroup_fd
				: everybody    ? TASK_IS_CPU_WIDE
					       : t->tasks.v[s.task];
			r = open_spot(o, ev, &s, fd);
			opened += *fd >= 0;
		}
	}
	if (cgroup_fd >= 0)
		close(cgroup_fd);
	if (!r && !opened)
		r = -ESRCH;
	*next = index + 1;
	if (!r)
		return 0;
	if (may_dissolve(ev, -r)) {
		*next = dissolve(o, ev->leader);
		return 0;
	}
	event_open_strerror(&o->fb, ev, -r, o->why);
	return err_sys(e, -r, "cannot open event '%s'", ev->name);
}

int capture_open(struct capture_fds *fds, struct event_list *l, const struct capture_target *t,
		 const struct capture_open_log *log, struct strbuf *why, struct err *e)
{
	struct event_opener o = {
		.l = l, .target = t, .log = log, .fds = fds, .why = why, .text = STRBUF_INIT
	};
	size_t n;
	int r = 0;

	*fds = (struct capture_fds){
		.nr_events = l->events.nr,
		.nr_cpus = t->per_thread ? 1 : t->nr_cpus + (t->cpu_wide ? t->nr_other_cpus : 0),
		.nr_tasks = t->cpu_wide ? 1 : t->tasks.nr,
	};
	n = fds->nr_events * fds->nr_cpus * fds->nr_tasks;
	fds->fd = XNEW_ARRAY(int, n ? n : 1);
	for (size_t i = 0; i < n; i++)
		fds->fd[i] = -1;
	event_fallback_init(&o.fb, t->cpu_wide);
	for (size_t i = 0; i < l->events.nr; i++)
		l->events.v[i]->index = (u32)i;
	for (size_t i = 0; i < l->events.nr && !r;)
		r = open_event(&o, i, &i, e);
	strbuf_release(&o.text);
	return r;
}

void capture_fds_ioctl(const struct capture_fds *f, size_t event, unsigned long request)
{
	size_t per_event = f->nr_cpus * f->nr_tasks;

	for (size_t i = event * per_event; i < (event + 1) * per_event; i++)
		if (f->fd[i] >= 0)
			sys_perf_ioctl(f->fd[i], request, NULL);
}

void capture_fds_release(struct capture_fds *f)
{
	for (size_t i = 0; f->fd && i < f->nr_events * f->nr_cpus * f->nr_tasks; i++) {
		if (f->fd[i] >= 0)
			close(f->fd[i]);
	}
	free(f->fd);
	*f = (struct capture_fds){ 0 };
}
