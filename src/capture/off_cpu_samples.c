/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/off_cpu_samples.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "abi/wall_span.h"
#include "base/clock.h"
#include "base/hash.h"
#include "dso/symbols/kallsyms.h"
#include "sys/cgroup.h"
#include "sys/cpu.h"
#include "sys/perf_clock.h"

enum {
	FLUSH_BYTES = 1 << 20,
	MAX_CGROUPS = 16, /* that are looked at; more than bpf/off_cpu takes */
	SCHEDULER_FRAMES = 8, /* __schedule is among the first so many */
	STACK_MAX = 512 << 10, /* bytes of a stack that are read */
	STACK_FIRST = 16 << 10,
	LOOK_LEAST_NS = 2000000, /* a shorter sleep is over before its stack is read */
	LOOK_MOST = 32, /* at so many stacks at a time */
};

/* Where the kernel's struct pt_regs has the registers of each column of call frame information, and
 * the pc. */
#ifdef __aarch64__
static const u8 pt_regs[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
			      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };
enum { PT_PC = 32, PT_SP = 31, PT_MODE = 33, MODE_MASK = 0x1f, MODE_USER = 0 };
#else
static const u8 pt_regs[] = { 10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0 };
enum { PT_PC = 16, PT_SP = 19, PT_MODE = 17 /* cs */, MODE_MASK = 0xffff, MODE_USER = 0x33 };
#endif

struct code_range {
	u64 from, to;
};

struct off_cpu_samples {
	struct off_cpu *off_cpu;
	const struct event *event;
	struct perf_clock clock;
	struct code_range scheduler[2]; /* __schedule, schedule; empty = unknown */
	struct code_range recent[8]; /* of user space, where addresses were found */
	u32 next_recent;
	u64 astray[256]; /* addresses that are in none */
	bool unwinds;
	u8 *stack; /* of the task that is looked at */
	struct unwind_lane *lane;
	u64 id;
	struct strbuf out;
	/* of one call of off_cpu_samples_write() */
	bool clock_read;
	s64 ahead;
	struct drain *drain;
	struct perfdata_writer *w;
	struct err *e;
};

struct event *off_cpu_samples_add_event(struct event_list *l)
{
	struct event *ev = event_list_add(l, "offcpu-time", PERF_TYPE_SOFTWARE,
					  PERF_COUNT_SW_BPF_OUTPUT);

	ev->off_cpu = true;
	return ev;
}

/* As the other events' are, by the command line. */
static bool unwinds(const struct event *ev, const struct capture_config *cfg)
{
	return cfg->callgraph.mode == EVENT_CG_DWARF && !cfg->callgraph.raw && !cfg->no_unwind &&
	       !ev->attr.exclude_callchain_user;
}

void off_cpu_samples_configure(struct event *ev, const struct capture_config *cfg)
{
	struct perf_event_attr *attr = &ev->attr;
	bool chains = cfg->callgraph.mode != EVENT_CG_UNSET && cfg->callgraph.mode != EVENT_CG_NONE;

	attr->sample_type = (attr->sample_type & PERF_SAMPLE_TIME) | PERF_SAMPLE_IP |
			    PERF_SAMPLE_TID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			    PERF_SAMPLE_CALLCHAIN;
	if (cfg->wall)
		attr->sample_type |= PERF_SAMPLE_RAW;
	attr->freq = 0;
	attr->sample_period = 1;
	attr->branch_sample_type = 0;
	attr->sample_regs_intr = 0;
	attr->sample_regs_user = 0;
	attr->sample_max_stack = cfg->callgraph.max_stack;
	attr->write_backward = 0;
	attr->exclude_callchain_user = cfg->only_kernel_chain || cfg->all_kernel;
	attr->exclude_callchain_kernel = !attr->exclude_callchain_user &&
					 (!chains || cfg->only_user_chain || cfg->all_user);
	/* for readers: they are marked where they end early */
	attr->sample_stack_user = unwinds(ev, cfg) ? cfg->callgraph.stack_size : 0;
}

/* Functions of the kernel whose code is looked for: one, or those of a beginning that lie together.
 */
struct wanted_code {
	const char *name;
	bool beginning;
	struct code_range *range;
};

static bool is_wanted(const struct wanted_code *w, const struct kallsyms_line *l)
{
	size_t len = strlen(w->name);

	return w->beginning ? l->name_len >= len && !memcmp(l->name, w->name, len)
			    : kallsyms_line_is(l, w->name);
}

/* The line begins a range, ends it, or neither. Whether the range is complete. */
static bool look_for(const struct wanted_code *w, const struct kallsyms_line *l)
{
	struct code_range *r = w->range;

	if (r->to)
		return true;
	if (is_wanted(w, l))
		r->from = w->beginning && r->from ? r->from : l->addr;
	else if (r->from && l->addr > r->from)
		r->to = l->addr;
	return r->to;
}

/* From /proc/kallsyms, which is in the order of addresses. */
static void find_code(const struct wanted_code *wanted, size_t nr)
{
	char text[512];
	FILE *f = fopen("/proc/kallsyms", "re");
	size_t found = 0;

	while (f && found < nr && fgets(text, sizeof(text), f)) {
		struct kallsyms_line l;

		if (!kallsyms_parse_line(text, text + strcspn(text, "\n"), &l) || l.module)
			break;
		found = 0;
		for (size_t i = 0; i < nr; i++)
			found += look_for(&wanted[i], &l);
	}
	if (f)
		fclose(f);
}

/* What is asked of the kernel's code: whose frames say nothing, and where interrupts begin. */
static void find_kernel_code(struct off_cpu_samples *s, struct off_cpu_opts *opts)
{
	enum { ENTRIES_LIE_TOGETHER = 0x100 }; /* bytes */
	struct code_range common = { 0 }, vectors = { 0 };
	const struct wanted_code wanted[] = {
		{ "__schedule", false, &s->scheduler[0] },
		{ "schedule", false, &s->scheduler[1] },
		/* (x86 alone has these) */
		{ "asm_common_interrupt", false, &common },
		{ "asm_sysvec_", true, &vectors },
	};

	find_code(wanted, opts->wall ? ARRAY_SIZE(wanted) : 2);
	opts->interrupts_from = vectors.from;
	opts->interrupts_to = vectors.to;
	if (common.from < vectors.from && vectors.from - common.from < ENTRIES_LIE_TOGETHER)
		opts->interrupts_from = common.from;
}

static bool in_scheduler(const struct off_cpu_samples *s, u64 ip)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->scheduler); i++) {
		if (ip >= s->scheduler[i].from && ip < s->scheduler[i].to)
			return true;
	}
	return false;
}

/* Everybody sleeps in the scheduler: who called it matters. */
static struct off_cpu_stack without_scheduler(const struct off_cpu_samples *s,
					      struct off_cpu_stack k)
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
			return err_set(
				e, E2BIG,
				"the time off the CPU cannot be measured in so many control groups");
		fds[*nr] = sys_cgroup_open(NULL, name, e);
		if (fds[*nr] < 0)
			return -1;
		++*nr;
		last = name;
	}
	return 0;
}

static int start(struct off_cpu_samples *s, const struct event_list *events,
		 const struct capture_config *cfg, const struct capture_target *target,
		 struct err *e)
{
	int cgroups[MAX_CGROUPS];
	struct off_cpu_opts opts = {
		.threshold = cfg->off_cpu_threshold,
		.frames = cfg->callgraph.max_stack,
		.kernel_stacks = !s->event->attr.exclude_callchain_kernel,
		.wall = cfg->wall,
		.registers = unwinds(s->event, cfg),
		.tids = target->cpu_wide ? NULL : target->tasks.v,
		.nr_tids = target->cpu_wide ? 0 : target->tasks.nr,
		.children = s->event->attr.inherit,
		.cgroups = cgroups,
	};
	u32 *online;
	size_t nr_online;
	int r;

	s->unwinds = opts.registers;
	r = perf_clock_open(&s->clock, cfg->use_clockid ? &cfg->clockid : NULL);
	if (r < 0)
		return err_sys(e, -r, "cannot open an event that tells the time of samples");
	sys_cpus_online(NULL, &online, &nr_online);
	free(online);
	if (target->cpu_wide && target->nr_cpus != nr_online) {
		opts.cpus = target->cpus;
		opts.nr_cpus = target->nr_cpus;
	}
	if (opts.kernel_stacks || opts.wall)
		find_kernel_code(s, &opts);
	r = open_cgroups(events, cgroups, &opts.nr_cgroups, e);
	if (!r) {
		s->off_cpu = off_cpu_new(&opts, e);
		r = s->off_cpu ? 0 : -1;
	}
	for (size_t i = 0; i < opts.nr_cgroups; i++)
		close(cgroups[i]);
	return r;
}

struct off_cpu_samples *off_cpu_samples_new(const struct event_list *events,
					    const struct capture_config *cfg,
					    const struct capture_target *target, struct err *e)
{
	struct off_cpu_samples *s = XNEW(struct off_cpu_samples);

	s->clock.fd = -1;
	s->out = (struct strbuf)STRBUF_INIT;
	VEC_FOR(&events->events, ev) {
		if ((*ev)->off_cpu)
			s->event = *ev;
	}
	if (start(s, events, cfg, target, e) < 0) {
		off_cpu_samples_free(s);
		return NULL;
	}
	return s;
}

void off_cpu_samples_free(struct off_cpu_samples *s)
{
	if (!s)
		return;
	off_cpu_free(s->off_cpu);
	free(s->stack);
	perf_clock_close(&s->clock);
	strbuf_release(&s->out);
	free(s);
}

void off_cpu_samples_set_id(struct off_cpu_samples *s, u64 id)
{
	s->id = id;
}

int off_cpu_samples_fd(const struct off_cpu_samples *s)
{
	return off_cpu_fd(s->off_cpu);
}

void off_cpu_samples_enable(struct off_cpu_samples *s, bool on)
{
	off_cpu_enable(s->off_cpu, on);
}

struct off_cpu_losses off_cpu_samples_losses(const struct off_cpu_samples *s)
{
	return off_cpu_losses(s->off_cpu);
}

static void add(struct off_cpu_samples *s, u64 word)
{
	strbuf_add(&s->out, &word, sizeof(word));
}

static void add_pair(struct off_cpu_samples *s, u32 low, u32 high)
{
	add(s, (u64)high << 32 | low);
}

static void add_stack(struct off_cpu_samples *s, u64 context, struct off_cpu_stack stack)
{
	if (!stack.nr)
		return;
	add(s, context);
	strbuf_add(&s->out, stack.ips, stack.nr * sizeof(*stack.ips));
}

/* The kinds in files, by enum off_cpu_kind and off_cpu_waker. */
static void add_span(struct off_cpu_samples *s, const struct off_cpu_block *b)
{
	static const u8 kinds[] = {
		[OFF_CPU_RUNS] = WALL_SPAN_RUNNING,
		[OFF_CPU_NEW] = WALL_SPAN_NEW,
		[OFF_CPU_PREEMPTED] = WALL_SPAN_PREEMPTED,
		[OFF_CPU_WOKEN] = WALL_SPAN_WOKEN,
		[OFF_CPU_SLEEPS] = WALL_SPAN_SLEEPING,
		[OFF_CPU_UNINTERRUPTIBLE] = WALL_SPAN_UNINTERRUPTIBLE,
		[OFF_CPU_STOPPED] = WALL_SPAN_STOPPED,
		[OFF_CPU_UNKNOWN] = WALL_SPAN_UNKNOWN,
	};
	static const u8 wakers[] = {
		[OFF_CPU_NOBODY] = WALL_SPAN_NOBODY,
		[OFF_CPU_NOT_TOLD] = WALL_SPAN_NOT_TOLD,
		[OFF_CPU_INTERRUPT] = WALL_SPAN_INTERRUPT,
		[OFF_CPU_THREAD] = WALL_SPAN_THREAD,
	};
	struct wall_span span = { .kind = kinds[MIN(b->kind, (u32)OFF_CPU_UNKNOWN)],
				  .waker = wakers[MIN(b->waker, (u32)OFF_CPU_THREAD)],
				  .waker_pid = b->waker_pid,
				  .waker_tid = b->waker_tid };
	u32 size = sizeof(span);

	memcpy(span.waker_comm, b->waker_comm, sizeof(span.waker_comm));
	strbuf_add(&s->out, &size, sizeof(size));
	strbuf_add(&s->out, &span, sizeof(span));
}

/* The fields are those of off_cpu_samples_configure(), and an id. */
static void add_sample(struct off_cpu_samples *s, const struct off_cpu_block *b, u64 time,
		       u16 cpumode, struct off_cpu_stack kernel, struct off_cpu_stack user)
{
	/* frame pointers know the place of the call, and guess the rest: with the marks of what was
	 * not there to be copied */
	bool cut = s->unwinds && user.nr && !user.found;
	u64 type = s->event->attr.sample_type;
	size_t at = s->out.len;
	struct perf_event_header h = { .type = PERF_RECORD_SAMPLE, .misc = cpumode };
	u64 first = kernel.nr ? kernel.ips[0] : user.nr ? user.ips[0] : 0;

	user.nr = cut ? 1 : user.nr;
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
	add(s, kernel.nr + !!kernel.nr + user.nr + !!user.nr + 2 * cut);
	add_stack(s, PERF_CONTEXT_KERNEL, kernel);
	add_stack(s, PERF_CONTEXT_USER, user);
	for (int i = 0; i < 2 * cut; i++)
		add(s, PERF_CONTEXT_USER);
	if (type & PERF_SAMPLE_RAW)
		add_span(s, b);
	h.size = (u16)(s->out.len - at);
	memcpy(s->out.buf + at, &h, sizeof(h));
	drain_note_sample(s->drain, cpumode, b->pid, first, type & PERF_SAMPLE_TIME ? time : 0);
}

static int flush(struct off_cpu_samples *s)
{
	int r = s->out.len ? writer_append(s->w, s->out.buf, s->out.len, s->e) : 0;

	strbuf_reset(&s->out);
	return r;
}

static void remember_code(struct off_cpu_samples *s, u64 from, u64 to)
{
	s->recent[s->next_recent++ % ARRAY_SIZE(s->recent)] = (struct code_range){ from, to };
}

/* Memory that is in no file, as JIT compilers' code. */
static bool in_executable_memory(struct off_cpu_samples *s, s32 pid, u64 ip)
{
	char path[32], line[512];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f)) {
		u64 from, to;
		char x;

		found = sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c", &from, &to, &x) == 3 &&
			x == 'x' && ip >= from && ip < to;
		if (found)
			remember_code(s, from, to);
	}
	if (f)
		fclose(f);
	return found;
}

/* Most addresses that frame pointers are led astray to are in no code. */
static bool in_code(struct off_cpu_samples *s, s32 pid, u64 ip)
{
	u64 *astray = &s->astray[hash_mix((u32)pid, ip) % ARRAY_SIZE(s->astray)];

	for (size_t i = 0; i < ARRAY_SIZE(s->recent); i++)
		if (ip >= s->recent[i].from && ip < s->recent[i].to)
			return true;
	if (*astray == ip)
		return false;
	VEC_FOR(&s->drain->touched->maps, m) {
		if (ip < m->start || ip >= m->end)
			continue;
		remember_code(s, m->start, m->end);
		return true;
	}
	if (in_executable_memory(s, pid, ip))
		return true;
	*astray = ip;
	return false;
}

/* What frame pointers found, up to the first address in no code; as it is where mappings are not
 * known here. */
static struct off_cpu_stack in_code_alone(struct off_cpu_samples *s, s32 pid,
					  struct off_cpu_stack user)
{
	if (user.found || !user.nr || !s->drain->touched || !in_code(s, pid, user.ips[0]))
		return user;
	for (size_t i = 1; i < user.nr; i++)
		if (!in_code(s, pid, user.ips[i]))
			user.nr = i;
	return user;
}

static int take_block(void *ctx, const struct off_cpu_block *b)
{
	struct off_cpu_samples *s = ctx;
	const struct perf_event_attr *attr = &s->event->attr;
	struct off_cpu_stack kernel = without_scheduler(s, b->kernel);
	struct off_cpu_stack user = attr->exclude_callchain_user
					    ? (struct off_cpu_stack){ 0 }
					    : in_code_alone(s, b->pid, b->user);
	u64 now;

	if (!s->clock_read && !perf_clock_ahead(&s->clock, &s->ahead))
		return err_set(s->e, EIO, "cannot read the time of samples");
	s->clock_read = true;
	now = clock_now() + (u64)s->ahead;
	add_sample(s, b, b->sum ? now : MIN(now, b->end + (u64)s->ahead),
		   kernel.nr ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, kernel, user);
	return s->out.len >= FLUSH_BYTES ? flush(s) : 0;
}

int off_cpu_samples_write(struct off_cpu_samples *s, bool sums, struct drain *d,
			  struct perfdata_writer *w, bool *any, struct err *e)
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

bool off_cpu_samples_unwind(const struct off_cpu_samples *s)
{
	return s->unwinds;
}

/* Bytes of the task's stack from an address on. */
static u64 read_stack(struct off_cpu_samples *s, s32 tid, u64 from, size_t size)
{
	struct iovec here = { .iov_base = s->stack, .iov_len = size };
	struct iovec there = { .iov_base = (void *)(uintptr_t)from, .iov_len = size };
	ssize_t got = process_vm_readv(tid, &here, 1, &there, 1, 0);

	return got < 0 ? 0 : (u64)got;
}

/* An off_cpu_find_fn. */
static size_t find_frames(void *ctx, const struct off_cpu_sleeper *task, u64 *ips, size_t max)
{
	struct off_cpu_samples *s = ctx;
	struct unwind_task t = { .pid = (u32)task->pid,
				 .tid = (u32)task->tid,
				 .time = clock_now() + (u64)s->ahead };
	enum unwind_end end = UNWIND_TRUNCATED;
	size_t nr = 0;

	if ((task->regs[PT_MODE] & MODE_MASK) != MODE_USER)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(pt_regs); i++) {
		t.regs.v[i] = task->regs[pt_regs[i]];
		t.regs.valid |= 1ULL << i;
	}
	t.regs.pc = task->regs[PT_PC];
	t.stack = (struct unwind_stack){ .bytes = s->stack, .addr = task->regs[PT_SP] };
	for (size_t size = STACK_FIRST; size <= STACK_MAX && end == UNWIND_TRUNCATED; size *= 32) {
		t.stack.size = read_stack(s, task->tid, t.stack.addr, size);
		nr = unwind_lane_walk_task(s->lane, &t, ips, max - 1, &end);
		if (t.stack.size < size)
			break;
	}
	/* more than that is not known */
	if (nr && (end == UNWIND_TRUNCATED || end == UNWIND_FULL))
		ips[nr++] = PERF_CONTEXT_USER;
	return nr;
}

void off_cpu_samples_look(struct off_cpu_samples *s, struct unwind_lane *lane)
{
	if (!s->stack)
		s->stack = xmalloc(STACK_MAX);
	if (!perf_clock_ahead(&s->clock, &s->ahead))
		return;
	s->lane = lane;
	if (!off_cpu_look(s->off_cpu, LOOK_LEAST_NS, LOOK_MOST, find_frames, s))
		s->unwinds = false;
}
