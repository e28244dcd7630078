/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/sleeps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dso/kallsyms.h"
#include "sys/cgroup.h"
#include "sys/cpu.h"
#include "sys/perf_clock.h"

enum {
	FLUSH_BYTES = 1 << 20,
	MAX_CGROUPS = 16, /* that are looked at; more than bpf/off_cpu takes */
	SCHEDULER_FRAMES = 8, /* __schedule is among the first so many */
};

struct code_range {
	u64 from, to;
};

struct sleeps {
	struct off_cpu *off_cpu;
	const struct event *event;
	struct perf_clock clock;
	struct code_range scheduler[2]; /* __schedule, schedule; empty = unknown */
	u64 id;
	struct strbuf out;
	/* of one call of sleeps_write() */
	bool clock_read;
	s64 ahead;
	struct drain *drain;
	struct perfdata_writer *w;
	struct err *e;
};

struct event *sleeps_add_event(struct event_list *l)
{
	struct event *ev = event_list_add(l, "offcpu-time", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT);

	ev->off_cpu = true;
	return ev;
}

void sleeps_configure(struct event *ev, const struct capture_config *cfg)
{
	struct perf_event_attr *attr = &ev->attr;
	bool chains = cfg->callgraph.mode != EVENT_CG_UNSET && cfg->callgraph.mode != EVENT_CG_NONE;

	attr->sample_type = (attr->sample_type & PERF_SAMPLE_TIME) | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
	attr->freq = 0;
	attr->sample_period = 1;
	attr->branch_sample_type = 0;
	attr->sample_regs_intr = 0;
	attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	attr->sample_max_stack = cfg->callgraph.max_stack;
	attr->write_backward = 0;
	attr->exclude_callchain_user = cfg->only_kernel_chain || cfg->all_kernel;
	attr->exclude_callchain_kernel = !attr->exclude_callchain_user &&
					 (!chains || cfg->only_user_chain || cfg->all_user);
}

/* The code of two functions, from /proc/kallsyms, which is in the order of addresses. */
static void find_scheduler(struct code_range ranges[2])
{
	static const char *const names[2] = { "__schedule", "schedule" };
	char text[512];
	FILE *f = fopen("/proc/kallsyms", "re");
	int open = -1;

	while (f && fgets(text, sizeof(text), f)) {
		struct kallsyms_line l;

		if (!kallsyms_parse_line(text, text + strcspn(text, "\n"), &l))
			break;
		if (open >= 0 && l.addr > ranges[open].from) {
			ranges[open].to = l.addr;
			open = -1;
		}
		for (int i = 0; i < 2; i++) {
			if (kallsyms_line_is(&l, names[i])) {
				ranges[i].from = l.addr;
				open = i;
			}
		}
		if (open < 0 && ranges[0].to && ranges[1].to)
			break;
	}
	if (f)
		fclose(f);
}

static bool in_scheduler(const struct sleeps *s, u64 ip)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->scheduler); i++) {
		if (ip >= s->scheduler[i].from && ip < s->scheduler[i].to)
			return true;
	}
	return false;
}

/* Everybody sleeps in the scheduler: who called it matters. */
static struct off_cpu_stack without_scheduler(const struct sleeps *s, struct off_cpu_stack k)
{
	size_t skip = 0;

	for (size_t i = 0; i < k.nr && i < SCHEDULER_FRAMES; i++) {
		if (in_scheduler(s, k.ips[i]))
			skip = i + 1;
	}
	return skip < k.nr ? (struct off_cpu_stack){ k.ips + skip, k.nr - skip } : k;
}

/* Control groups restrict what is measured only if every event has one. */
static int open_cgroups(const struct event_list *l, int *fds, size_t *nr, struct err *e)
{
	const char *last = NULL;

	*nr = 0;
	VEC_FOR(&l->events, p) {
		const struct event *ev = *p;

		if (!ev->cgroup && !ev->is_dummy_sideband && !ev->off_cpu)
			return 0;
	}
	VEC_FOR(&l->events, p) {
		const char *name = (*p)->cgroup;

		if (!name || (last && !strcmp(name, last)))
			continue;
		if (*nr == MAX_CGROUPS)
			return err_set(e, E2BIG, "the time off the CPU cannot be measured in so many control groups");
		fds[*nr] = sys_cgroup_open(NULL, name, e);
		if (fds[*nr] < 0)
			return -1;
		++*nr;
		last = name;
	}
	return 0;
}

static int start(struct sleeps *s, const struct event_list *events, const struct capture_config *cfg,
		 const struct capture_target *target, struct err *e)
{
	int cgroups[MAX_CGROUPS];
	struct off_cpu_opts opts = {
		.threshold = cfg->off_cpu_threshold,
		.frames = cfg->callgraph.max_stack,
		.kernel_stacks = !s->event->attr.exclude_callchain_kernel,
		.tids = target->cpu_wide ? NULL : target->tasks.v,
		.nr_tids = target->cpu_wide ? 0 : target->tasks.nr,
		.children = s->event->attr.inherit,
		.cgroups = cgroups,
	};
	u32 *online;
	size_t nr_online;
	int r;

	r = perf_clock_open(&s->clock, cfg->use_clockid ? &cfg->clockid : NULL);
	if (r < 0)
		return err_sys(e, -r, "cannot open an event that tells the time of samples");
	sys_cpus_online(NULL, &online, &nr_online);
	free(online);
	if (target->cpu_wide && target->nr_cpus != nr_online) {
		opts.cpus = target->cpus;
		opts.nr_cpus = target->nr_cpus;
	}
	if (opts.kernel_stacks)
		find_scheduler(s->scheduler);
	r = open_cgroups(events, cgroups, &opts.nr_cgroups, e);
	if (!r) {
		s->off_cpu = off_cpu_new(&opts, e);
		r = s->off_cpu ? 0 : -1;
	}
	for (size_t i = 0; i < opts.nr_cgroups; i++)
		close(cgroups[i]);
	return r;
}

struct sleeps *sleeps_new(const struct event_list *events, const struct capture_config *cfg,
			  const struct capture_target *target, struct err *e)
{
	struct sleeps *s = XNEW(struct sleeps);

	s->clock.fd = -1;
	s->out = (struct strbuf)STRBUF_INIT;
	VEC_FOR(&events->events, ev) {
		if ((*ev)->off_cpu)
			s->event = *ev;
	}
	if (start(s, events, cfg, target, e) < 0) {
		sleeps_free(s);
		return NULL;
	}
	return s;
}

void sleeps_free(struct sleeps *s)
{
	if (!s)
		return;
	off_cpu_free(s->off_cpu);
	perf_clock_close(&s->clock);
	strbuf_release(&s->out);
	free(s);
}

void sleeps_set_id(struct sleeps *s, u64 id)
{
	s->id = id;
}

int sleeps_fd(const struct sleeps *s)
{
	return off_cpu_fd(s->off_cpu);
}

void sleeps_enable(struct sleeps *s, bool on)
{
	off_cpu_enable(s->off_cpu, on);
}

struct off_cpu_losses sleeps_losses(const struct sleeps *s)
{
	return off_cpu_losses(s->off_cpu);
}

static void add(struct sleeps *s, u64 word)
{
	strbuf_add(&s->out, &word, sizeof(word));
}

static void add_pair(struct sleeps *s, u32 low, u32 high)
{
	add(s, (u64)high << 32 | low);
}

static void add_stack(struct sleeps *s, u64 context, struct off_cpu_stack stack)
{
	if (!stack.nr)
		return;
	add(s, context);
	strbuf_add(&s->out, stack.ips, stack.nr * sizeof(*stack.ips));
}

/* The fields are those of sleeps_configure(), and an id. */
static void add_sample(struct sleeps *s, const struct off_cpu_block *b, u64 time, u16 cpumode,
		       struct off_cpu_stack kernel, struct off_cpu_stack user)
{
	u64 type = s->event->attr.sample_type;
	size_t at = s->out.len;
	struct perf_event_header h = { .type = PERF_RECORD_SAMPLE, .misc = cpumode };
	u64 first = kernel.nr ? kernel.ips[0] : user.nr ? user.ips[0] : 0;

	strbuf_add(&s->out, &h, sizeof(h));
	if (type & PERF_SAMPLE_IDENTIFIER)
		add(s, s->id);
	add(s, first);
	add_pair(s, (u32)b->pid, (u32)b->tid);
	if (type & PERF_SAMPLE_TIME)
		add(s, time);
	if (type & PERF_SAMPLE_ID)
		add(s, s->id);
	add_pair(s, b->cpu, 0);
	add(s, b->time);
	add(s, kernel.nr + !!kernel.nr + user.nr + !!user.nr);
	add_stack(s, PERF_CONTEXT_KERNEL, kernel);
	add_stack(s, PERF_CONTEXT_USER, user);
	h.size = (u16)(s->out.len - at);
	memcpy(s->out.buf + at, &h, sizeof(h));
	drain_note_sample(s->drain, cpumode, b->pid, first, type & PERF_SAMPLE_TIME ? time : 0);
}

static int flush(struct sleeps *s)
{
	int r = s->out.len ? writer_append(s->w, s->out.buf, s->out.len, s->e) : 0;

	strbuf_reset(&s->out);
	return r;
}

static u64 now_ns(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000ULL + (u64)ts.tv_nsec;
}

static int take_block(void *ctx, const struct off_cpu_block *b)
{
	struct sleeps *s = ctx;
	const struct perf_event_attr *attr = &s->event->attr;
	struct off_cpu_stack kernel = without_scheduler(s, b->kernel);
	struct off_cpu_stack user = attr->exclude_callchain_user ? (struct off_cpu_stack){ 0 } : b->user;
	u64 now;

	if (!s->clock_read && !perf_clock_ahead(&s->clock, &s->ahead))
		return err_set(s->e, EIO, "cannot read the time of samples");
	s->clock_read = true;
	now = now_ns() + (u64)s->ahead;
	add_sample(s, b, b->sum ? now : MIN(now, b->end + (u64)s->ahead),
		   kernel.nr ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, kernel, user);
	return s->out.len >= FLUSH_BYTES ? flush(s) : 0;
}

int sleeps_write(struct sleeps *s, bool sums, struct drain *d, struct perfdata_writer *w, bool *any,
		 struct err *e)
{
	s->clock_read = false;
	s->drain = d;
	s->w = w;
	s->e = e;
	if (off_cpu_read(s->off_cpu, sums, take_block, s) < 0 || flush(s) < 0)
		return -1;
	*any |= s->clock_read;
	return 0;
}
