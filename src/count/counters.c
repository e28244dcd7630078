/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/counters.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/rw.h"
#include "bpf/program_counts.h"
#include "bpf/shared_counts.h"
#include "capture/late_close.h"
#include "sys/cgroup.h"
#include "sys/open_dump.h"
#include "sys/perf_open.h"

enum { ANY_CPU = -1, ANY_TASK = -1, NO_GROUP = -1, READ_HEAD = 3, TRAVEL_EVENTS = 16 };

static void configure_event(struct event *ev, const struct counting_config *cfg,
			    const struct capture_target *target)
{
	struct perf_event_attr *a = &ev->attr;
	bool leads = ev->leader == ev;

	a->sample_type = PERF_SAMPLE_IDENTIFIER;
	a->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (ev->leader->nr_members > 1)
		a->read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	a->sample_period = 0;
	a->freq = 0;
	a->inherit = !cfg->no_inherit;
	if (ev->terms.has_inherit)
		a->inherit = ev->terms.inherit;
	a->disabled = leads;
	a->enable_on_exec = leads && target->workload && !cfg->delayed;
	if (cfg->all_user) {
		a->exclude_kernel = 1;
		a->exclude_user = 0;
	}
	if (cfg->all_kernel) {
		a->exclude_kernel = 0;
		a->exclude_user = 1;
	}
}

void counting_configure(struct event_list *l, const struct counting_config *cfg,
			const struct capture_target *target)
{
	VEC_FOR(&l->events, ev)
		configure_event(*ev, cfg, target);
}

bool counting_is_uncore(const struct event *ev)
{
	char path[512];

	if (!ev->pmu_name || !ev->cpus)
		return false;
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/cpumask", ev->pmu_name);
	return !access(path, F_OK);
}

/* Of sorted numbers. */
static bool in_list(const u32 *list, size_t nr, u32 n)
{
	size_t lo = 0;

	while (lo < nr) {
		size_t mid = lo + (nr - lo) / 2;

		if (list[mid] == n)
			return true;
		if (list[mid] < n)
			lo = mid + 1;
		else
			nr = mid;
	}
	return false;
}

static void choose_cpus(struct counter *c, const struct capture_target *t)
{
	const struct event *ev = c->event;
	bool uncore = counting_is_uncore(ev), any;

	/* one value, without a counter */
	if (ev->kind == EVENT_TOOL) {
		c->nr_tasks = c->nr_cpus = 1;
		c->cpus = XNEW_ARRAY(int, 1);
		c->cpus[0] = t->cpu_wide && t->nr_cpus ? (int)t->cpus[0] : ANY_CPU;
		return;
	}
	c->nr_tasks = t->cpu_wide || uncore ? 1 : t->tasks.nr;
	if (!t->cpu_wide) {
		c->nr_cpus = uncore ? ev->nr_cpus : 1;
		c->cpus = XNEW_ARRAY(int, MAX(c->nr_cpus, (size_t)1));
		for (size_t i = 0; i < c->nr_cpus; i++)
			c->cpus[i] = uncore ? (int)ev->cpus[i] : ANY_CPU;
		return;
	}
	c->cpus = XNEW_ARRAY(int, MAX(t->nr_cpus, (size_t)1));
	for (size_t i = 0; i < t->nr_cpus; i++) {
		if (!ev->cpus || in_list(ev->cpus, ev->nr_cpus, t->cpus[i]))
			c->cpus[c->nr_cpus++] = (int)t->cpus[i];
	}
	any = c->nr_cpus != 0;
	/* -C names others: the kernel finds the unit that these belong to */
	for (size_t i = 0; uncore && !any && i < t->nr_cpus; i++)
		c->cpus[c->nr_cpus++] = (int)t->cpus[i];
}

static void counter_init(struct counter *c, struct event *ev, const struct capture_target *t)
{
	size_t n;

	*c = (struct counter){ .event = ev, .supported = true };
	choose_cpus(c, t);
	n = MAX(c->nr_cpus * c->nr_tasks, (size_t)1);
	c->fds = XNEW_ARRAY(int, n);
	c->values = XNEW_ARRAY(struct count_value, n);
	for (size_t i = 0; i < n; i++)
		c->fds[i] = -1;
}

struct counter_opener {
	struct counting *c;
	const struct capture_open_log *log;
	struct strbuf text;
	struct strbuf *why;
	bool group_broken; /* some counters wait for being opened singly */
	bool reopening; /* they are being */
};

static void note(struct counter_opener *o, enum capture_open_note kind, const struct event *ev,
		 const char *text)
{
	if (o->log)
		o->log->note(o->log->ctx, kind, ev, text);
}

/* The spot of one perf_event_open(). */
struct counter_spot {
	struct counter *counter;
	size_t cpu, task;
	int cgroup_fd;
};

static int *leader_fd(struct counter_opener *o, const struct counter_spot *s)
{
	struct counter *leader = &o->c->all.v[s->counter->event->leader->index];

	/* nearly always on the same CPUs */
	if (s->cpu < leader->nr_cpus && leader->cpus[s->cpu] == s->counter->cpus[s->cpu])
		return &leader->fds[s->cpu * leader->nr_tasks + s->task];
	for (size_t i = 0; i < leader->nr_cpus; i++) {
		if (leader->cpus[i] == s->counter->cpus[s->cpu])
			return &leader->fds[i * leader->nr_tasks + s->task];
	}
	return NULL;
}

static int open_once(struct counter_opener *o, const struct counter_spot *s, pid_t pid)
{
	struct event *ev = s->counter->event;
	int cpu = s->counter->cpus[s->cpu];
	int group = NO_GROUP;
	u64 flags = s->cgroup_fd >= 0 ? PERF_FLAG_PID_CGROUP : 0;
	char text[128];
	int fd;

	if (ev->leader != ev) {
		const int *leader = leader_fd(o, s);

		group = leader ? *leader : NO_GROUP;
	}
	fd = sys_perf_event_open(&ev->attr, pid, cpu, group, flags);
	sys_open_dump(&ev->attr, pid, cpu, group, flags, fd);
	if (!o->log)
		return fd;
	capture_open_text(text, sizeof(text),
			  &(struct capture_open_call){ pid, cpu, group, fd, flags });
	note(o, CAPTURE_NOTE_OPEN, ev, text);
	return fd;
}

/* A fallback that keeps the event what it is; a clock in place of cycles would be no count. */
static bool fall_back(struct counter_opener *o, struct event *ev, int err)
{
	bool precise = ev->precise_max && ev->attr.precise_ip;

	if (!precise && err != EACCES && err != EPERM && err != EINVAL && err != E2BIG &&
	    err != EMFILE)
		return false;
	if (event_fallback_next(&o->c->fallback, ev, err, &o->text) != EVENT_FALLBACK_QUIET)
		return false;
	note(o, CAPTURE_NOTE_FALLBACK, ev, o->text.buf);
	note(o, CAPTURE_NOTE_ATTR, ev, NULL);
	return true;
}

/* Too many at once for the counters; EBADF: the leader is not open here. */
static bool group_refused(const struct event *ev, int err)
{
	bool member = ev->leader != ev;

	if (!ev->leader->weak_group || ev->leader->nr_members < 2)
		return false;
	if (member)
		return err == EINVAL || err == EBADF;
	/* nobody asked for the group of a metric's events: it must not hide what each of them is */
	return ev->metric_group && counting_means_unsupported(err);
}

/* A member by itself. */
static void leave_group(struct event *ev, const struct event *leader)
{
	struct perf_event_attr *a = &ev->attr;

	a->read_format &= ~(u64)(PERF_FORMAT_GROUP | PERF_FORMAT_ID);
	a->disabled = leader->attr.disabled;
	a->enable_on_exec = leader->attr.enable_on_exec;
	ev->leader = ev;
	ev->nr_members = 1;
}

/* Everyone on his own; all are opened again when the others are open. */
static void break_group(struct counter_opener *o, struct event *leader)
{
	u32 nr = leader->nr_members;

	strbuf_reset(&o->text);
	strbuf_addf(&o->text, "Weak group for %s/%u failed", leader->name, nr);
	note(o, CAPTURE_NOTE_FALLBACK, leader, o->text.buf);
	VEC_FOR(&o->c->all, c) {
		if (c->event->leader != leader)
			continue;
		leave_group(c->event, leader);
		c->supported = true;
		c->opened = false;
		c->reopen = true;
	}
	o->group_broken = true;
}

/* 0, or the errno that ends everything. */
static int open_spot(struct counter_opener *o, const struct counter_spot *s)
{
	struct counter *c = s->counter;
	struct event *ev = c->event;
	const struct capture_target *t = o->c->target;
	pid_t pid = s->cgroup_fd >= 0                     ? s->cgroup_fd
		    : t->cpu_wide || c->cpus[s->cpu] >= 0 ? ANY_TASK
							  : t->tasks.v[s->task];
	int r;

	note(o, CAPTURE_NOTE_ATTR, ev, NULL);
	do {
		r = open_once(o, s, pid);
	} while (r < 0 && fall_back(o, ev, -r));
	if (r >= 0) {
		c->fds[s->cpu * c->nr_tasks + s->task] = r;
		c->opened = true;
		return 0;
	}
	/* a thread that ended meanwhile; a CPU that went offline */
	if (r == -ESRCH && c->nr_tasks > 1)
		return 0;
	if (r == -ENODEV && c->opened)
		return 0;
	if (group_refused(ev, -r)) {
		break_group(o, ev->leader);
		return 0;
	}
	if (!counting_means_unsupported(-r) || (ev->leader == ev && ev->nr_members > 1))
		return -r;
	c->supported = false;
	strbuf_reset(&o->text);
	strbuf_addf(&o->text, "Warning:\n%s event is not supported by the kernel.", ev->name);
	note(o, CAPTURE_NOTE_FALLBACK, ev, o->text.buf);
	return 0;
}

static int open_on_cpu(struct counter_opener *o, struct counter *c, size_t cpu, struct err *e)
{
	struct counter_spot s = { .counter = c, .cpu = cpu, .cgroup_fd = -1 };
	int r = 0;

	if (c->event->cgroup) {
		s.cgroup_fd = sys_cgroup_open(NULL, c->event->cgroup, e);
		if (s.cgroup_fd < 0)
			return -1;
	}
	for (; s.task < c->nr_tasks && c->supported && c->reopen == o->reopening && !r; s.task++)
		r = open_spot(o, &s);
	mem_closep(&s.cgroup_fd);
	if (!r)
		return 0;
	event_open_strerror(&o->c->fallback, c->event, r, o->why);
	return err_sys(e, r, "cannot open event '%s'", c->event->name);
}

static void note_reopening(struct counter_opener *o, const struct event *ev)
{
	strbuf_reset(&o->text);
	strbuf_addf(&o->text, "reopening weak %s", ev->name);
	note(o, CAPTURE_NOTE_AGAIN, ev, o->text.buf);
}

/* The places of c->cpus that belong to a column, from *first on. CPUs are in order; what counts
 * outside the cores belongs to no task's column. */
static size_t places_of(const struct counter *c, int cpu, size_t *first)
{
	size_t lo = 0, hi = c->nr_cpus;

	*first = 0;
	if (cpu == ANY_CPU)
		return c->nr_cpus;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->cpus[mid] < cpu)
			lo = mid + 1;
		else
			hi = mid;
	}
	*first = lo;
	return lo < c->nr_cpus && c->cpus[lo] == cpu;
}

/* Column by column: all events of a CPU, then the next CPU, so that their times begin together. */
static int open_column(struct counter_opener *o, int cpu, struct err *e)
{
	VEC_FOR(&o->c->all, c) {
		size_t first, nr;

		if (c->event->kind == EVENT_TOOL || c->event->left_out || c->event->bpf_counter)
			continue;
		nr = places_of(c, cpu, &first);
		for (size_t i = first; i < first + nr; i++) {
			if (!c->supported || c->reopen != o->reopening)
				continue;
			if (c->reopen)
				note_reopening(o, c->event);
			if (open_on_cpu(o, c, i, e) < 0)
				return -1;
		}
	}
	return 0;
}

static int open_columns(struct counter_opener *o, struct err *e)
{
	const struct capture_target *t = o->c->target;

	if (!t->cpu_wide)
		return open_column(o, ANY_CPU, e);
	for (size_t i = 0; i < t->nr_cpus; i++) {
		if (open_column(o, (int)t->cpus[i], e))
			return -1;
	}
	return 0;
}

static void close_counter(struct counter *c)
{
	for (size_t i = 0; i < c->nr_cpus * c->nr_tasks; i++)
		mem_closep(&c->fds[i]);
}

/* What groups that the kernel refused have left open, then their events one by one. */
static int reopen_broken(struct counter_opener *o, struct err *e)
{
	VEC_FOR(&o->c->all, c)
		if (c->reopen)
			close_counter(c);
	o->reopening = true;
	return open_columns(o, e);
}

static bool same_cpus(const struct counter *a, const struct counter *b)
{
	return a->nr_cpus == b->nr_cpus &&
	       (!a->nr_cpus || !memcmp(a->cpus, b->cpus, a->nr_cpus * sizeof(*a->cpus)));
}

/* A group is one thing on each CPU: its events must be counted on the same ones. */
static void split_group(struct counting *c, struct counter *first)
{
	struct event *leader = first->event;
	bool differ = false, any = false;

	VEC_FOR(&c->all, m)
		differ |= m->event->leader == leader && !same_cpus(m, first);
	if (!differ)
		return;
	if (!c->told.len)
		strbuf_adds(&c->told,
			    "WARNING: grouped events cpus do not match, disabling group:\n");
	strbuf_addf(&c->told, "  %s { ", leader->group_name ? leader->group_name : "anon group");
	VEC_FOR(&c->all, m) {
		if (m->event->leader != leader)
			continue;
		strbuf_addf(&c->told, "%s%s", any ? ", " : "", m->event->name);
		any = true;
		if (m != first)
			leave_group(m->event, leader);
	}
	leave_group(leader, leader);
	strbuf_adds(&c->told, " }\n");
}

int counting_open(struct counting *c, struct event_list *l, const struct counting_config *cfg,
		  const struct capture_target *t, const struct capture_open_log *log,
		  struct strbuf *why, struct err *e)
{
	struct counter_opener o = { .c = c, .log = log, .text = STRBUF_INIT, .why = why };
	int r;

	*c = (struct counting){ .target = t, .no_travel = cfg->no_travel, .told = STRBUF_INIT };
	event_fallback_init(&c->fallback, t->cpu_wide);
	c->fallback.counting = true;
	for (size_t i = 0; i < l->events.nr; i++) {
		l->events.v[i]->index = (u32)i;
		event_fallback_prepare(&c->fallback, l->events.v[i]);
		counter_init(VEC_PUSH(&c->all), l->events.v[i], t);
	}
	VEC_FOR(&c->all, counter)
		if (counter->event->nr_members > 1 && counter->event->leader == counter->event)
			split_group(c, counter);
	r = open_columns(&o, e);
	if (!r && o.group_broken)
		r = reopen_broken(&o, e);
	strbuf_release(&o.text);
	return r;
}

void counting_release(struct counting *c)
{
	VEC_FOR(&c->all, counter) {
		close_counter(counter);
		free(counter->fds);
		free(counter->cpus);
		free(counter->values);
	}
	vec_free(&c->all);
	program_counts_free(c->in_programs);
	shared_counts_free(c->shared);
	c->in_programs = NULL;
	c->shared = NULL;
	strbuf_release(&c->told);
}

void counting_close_late(struct counting *c, const struct event_list *l)
{
	struct late_close late;

	late_close_begin(&late, l);
	VEC_FOR(&c->all, counter)
		late_close_add(&late, counter->event, counter->fds,
			       counter->nr_cpus * counter->nr_tasks);
	late_close_end(&late);
}

static int set_filter(const struct counter *counter, char *text)
{
	for (size_t i = 0; i < counter->nr_cpus * counter->nr_tasks; i++) {
		int fd = counter->fds[i];
		int r = fd < 0 ? 0 : sys_perf_ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text);

		if (r)
			return r;
	}
	return 0;
}

int counting_set_filters(struct counting *c, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	VEC_FOR(&c->all, counter) {
		int r;

		if (!counter->event->filter)
			continue;
		strbuf_reset(&text);
		event_filter_text(counter->event, &text);
		r = set_filter(counter, text.buf);
		if (r)
			return event_filter_refused(counter->event, -r, e);
	}
	return 0;
}

/* Called for each place where a leader is open: what is done with it there. */
typedef void place_fn(struct counting *c, struct counter *counter, size_t at,
		      unsigned long request);

static void at_column(struct counting *c, int cpu, place_fn *act, unsigned long request)
{
	VEC_FOR(&c->all, counter) {
		size_t first, nr;

		if (counter->event->leader != counter->event)
			continue;
		nr = places_of(counter, cpu, &first);
		for (size_t i = first * counter->nr_tasks; i < (first + nr) * counter->nr_tasks;
		     i++) {
			if (counter->fds[i] >= 0)
				act(c, counter, i, request);
		}
	}
}

/*
 * The kernel asks a CPU by an interrupt for what is counted there, each time; where there is much
 * to ask, this thread goes to each CPU in turn and back instead. What it may not go to is asked
 * from here.
 */
static void at_leaders(struct counting *c, place_fn *act, unsigned long request)
{
	const struct capture_target *t = c->target;
	cpu_set_t before, there;
	bool travels;

	if (!t)
		return; /* nothing was opened */
	if (!t->cpu_wide) {
		at_column(c, ANY_CPU, act, request);
		return;
	}
	travels = !c->no_travel && t->nr_cpus > 1 && c->all.nr >= TRAVEL_EVENTS &&
		  !sched_getaffinity(0, sizeof(before), &before);
	for (size_t i = 0; i < t->nr_cpus; i++) {
		if (travels && t->cpus[i] < CPU_SETSIZE) {
			CPU_ZERO(&there);
			CPU_SET(t->cpus[i], &there);
			sched_setaffinity(0, sizeof(there), &there);
		}
		at_column(c, (int)t->cpus[i], act, request);
	}
	if (travels)
		sched_setaffinity(0, sizeof(before), &before);
}

/* Members of a group start and stop with their leader. */
static void ioctl_place(struct counting *c UNUSED, struct counter *counter, size_t at,
			unsigned long request)
{
	sys_perf_ioctl(counter->fds[at], request, NULL);
}

void counting_enable(struct counting *c)
{
	at_leaders(c, ioctl_place, PERF_EVENT_IOC_ENABLE);
	if (c->in_programs)
		program_counts_enable(c->in_programs, true);
	if (c->shared)
		shared_counts_enable(c->shared, true);
}

void counting_enable_uncore(struct counting *c)
{
	VEC_FOR(&c->all, counter) {
		for (size_t i = 0; counting_is_uncore(counter->event) && i < counter->nr_cpus;
		     i++) {
			if (counter->fds[i] >= 0)
				sys_perf_ioctl(counter->fds[i], PERF_EVENT_IOC_ENABLE, NULL);
		}
	}
}

bool counting_enable_named(struct counting *c, const char *name, bool on)
{
	bool found = false;

	VEC_FOR(&c->all, counter) {
		if (strcmp(counter->event->name, name) != 0 || counter->event->bpf_counter)
			continue;
		found = true;
		for (size_t i = 0; i < counter->nr_cpus * counter->nr_tasks; i++) {
			if (counter->fds[i] >= 0)
				sys_perf_ioctl(counter->fds[i],
					       on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
					       NULL);
		}
	}
	return found;
}

void counting_disable(struct counting *c)
{
	if (c->in_programs)
		program_counts_enable(c->in_programs, false);
	if (c->shared)
		shared_counts_enable(c->shared, false);
	at_leaders(c, ioctl_place, PERF_EVENT_IOC_DISABLE);
}

u64 counting_id(const struct counter *c, size_t at)
{
	u64 id = 0;

	if (c->fds[at] < 0 || sys_perf_ioctl(c->fds[at], PERF_EVENT_IOC_ID, &id))
		return 0;
	return id;
}

static void read_single(struct counter *c, size_t at)
{
	struct count_value v;

	if (rw_read_full(c->fds[at], &v, sizeof(v)) == sizeof(v))
		c->values[at] = v;
}

/*
 * The leader gives all members at once: number, times, then (value, id) of each in the order in
 * which they were opened.
 */
static void read_group(struct counting *all, struct counter *leader, size_t at)
{
	size_t words = READ_HEAD + 2 * (size_t)leader->event->nr_members;
	u64 *buf = XNEW_ARRAY(u64, words);
	ssize_t n = rw_read_full(leader->fds[at], buf, words * sizeof(u64));
	size_t filled = n > 0 ? (size_t)n / sizeof(u64) : 0;
	size_t pos = READ_HEAD;
	u32 met = 0;

	for (struct counter *m = leader;
	     filled >= READ_HEAD && m < all->all.v + all->all.nr && met < leader->event->nr_members;
	     m++) {
		if (m->event->leader != leader->event)
			continue;
		met++;
		if (at >= m->nr_cpus * m->nr_tasks || m->fds[at] < 0)
			continue;
		if (pos >= filled || pos >= READ_HEAD + 2 * buf[0])
			break;
		m->values[at] = (struct count_value){ buf[pos], buf[1], buf[2] };
		pos += 2;
	}
	free(buf);
}

static void read_place(struct counting *c, struct counter *counter, size_t at,
		       unsigned long request UNUSED)
{
	if (counter->event->nr_members > 1)
		read_group(c, counter, at);
	else
		read_single(counter, at);
}

void counting_read(struct counting *c)
{
	if (c->in_programs)
		counting_read_programs(c);
	else
		at_leaders(c, read_place, 0);
	if (c->shared)
		counting_read_shared(c);
}
