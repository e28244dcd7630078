/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/fallback.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/bits.h"
#include "sys/perf_open.h"

enum { NOFILE_WANTED = 1 << 20, PRECISE_HIGHEST = 3 };

/* Which part of the attr a bit lives in. */
enum attr_part { PART_FLAGS, PART_SAMPLE, PART_READ, PART_BRANCH, PART_AUX_ACTION };

/* perf_event_attr.flags bits, as in abi/perf_event.h */
#define FLAG(n) (1ULL << (n))

/* Newest first, with the kernel that brought it. */
static const struct feature {
	const char *text; /* as perf names it with -vv */
	enum attr_part part;
	u64 bits;
	u64 instead; /* older bits of the same part that do nearly the same */
} features[] = {
	{ "deferred callchain support", PART_FLAGS, FLAG(38) | FLAG(39), 0 }, /* 6.19 */
	{ "aux action support", PART_AUX_ACTION, 7, 0 }, /* 6.13 */
	{ "branch counters support", PART_BRANCH, PERF_SAMPLE_BRANCH_COUNTERS, 0 }, /* 6.8 */
	{ "branch privilege support", PART_BRANCH, PERF_SAMPLE_BRANCH_PRIV_SAVE, 0 }, /* 6.1 */
	{ "PERF_FORMAT_LOST support", PART_READ, PERF_FORMAT_LOST, 0 }, /* 6.0 */
	{ "weight struct support", PART_SAMPLE, PERF_SAMPLE_WEIGHT_STRUCT,
	  PERF_SAMPLE_WEIGHT }, /* 5.12 */
	{ "build_id", PART_FLAGS, FLAG(34), 0 }, /* 5.12 */
	{ "code page size", PART_SAMPLE, PERF_SAMPLE_CODE_PAGE_SIZE, 0 }, /* 5.11 */
	{ "data page size", PART_SAMPLE, PERF_SAMPLE_DATA_PAGE_SIZE, 0 }, /* 5.11 */
	{ "text_poke", PART_FLAGS, FLAG(33), 0 }, /* 5.9 */
	{ "cgroup", PART_FLAGS, FLAG(32), 0 }, /* 5.7 */
	{ "cgroup samples", PART_SAMPLE, PERF_SAMPLE_CGROUP, 0 }, /* 5.7 */
	{ "branch HW index support", PART_BRANCH, PERF_SAMPLE_BRANCH_HW_INDEX, 0 }, /* 5.7 */
	{ "aux_output", PART_FLAGS, FLAG(31), 0 }, /* 5.4 */
	{ "bpf_event", PART_FLAGS, FLAG(30), 0 }, /* 5.1 */
	{ "ksymbol", PART_FLAGS, FLAG(29), 0 }, /* 5.1 */
	{ "namespaces", PART_FLAGS, FLAG(28), 0 }, /* 4.12 */
	{ "write_backward", PART_FLAGS, FLAG(27), 0 }, /* 4.7 */
	{ "context_switch", PART_FLAGS, FLAG(26), 0 }, /* 4.3 */
	{ "use_clockid", PART_FLAGS, FLAG(25), 0 }, /* 4.1 */
	{ "mmap2", PART_FLAGS, FLAG(23), 0 }, /* 3.16 */
};

static u64 part_get(const struct perf_event_attr *a, enum attr_part part)
{
	switch (part) {
	case PART_SAMPLE:
		return a->sample_type;
	case PART_READ:
		return a->read_format;
	case PART_BRANCH:
		return a->branch_sample_type;
	case PART_AUX_ACTION:
		return a->aux_action;
	default:
		return a->flags;
	}
}

static void part_set(struct perf_event_attr *a, enum attr_part part, u64 bits)
{
	switch (part) {
	case PART_SAMPLE:
		a->sample_type = bits;
		break;
	case PART_READ:
		a->read_format = bits;
		break;
	case PART_BRANCH:
		a->branch_sample_type = bits;
		break;
	case PART_AUX_ACTION:
		a->aux_action = (u32)bits;
		break;
	default:
		a->flags = bits;
	}
}

static bool drop(struct perf_event_attr *a, const struct feature *f)
{
	u64 have = part_get(a, f->part);

	if (!(have & f->bits))
		return false;
	part_set(a, f->part, (have & ~f->bits) | f->instead);
	if (!a->use_clockid)
		a->clockid = 0;
	return true;
}

/* Does the kernel know the feature's bits? Only EINVAL and E2BIG say that it does not. */
static bool kernel_knows(const struct feature *f)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.disabled = 1,
	};

	if (f->part == PART_AUX_ACTION)
		return true; /* belongs to AUX events; a dummy cannot tell */
	if (f->part == PART_BRANCH) {
		a.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	}
	/* Several flags are one feature; the first of them is enough to know. */
	part_set(&a, f->part, part_get(&a, f->part) | (f->bits & (~f->bits + 1)));
	if (a.use_clockid)
		a.clockid = 1; /* CLOCK_MONOTONIC */

	int fd = sys_perf_event_open(&a, 0, -1, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd != -EINVAL && fd != -E2BIG;
}

/* One pass over the table; a kernel without perf events at all is told as one, not as 20 misses. */
static void probe(struct event_fallback *fb)
{
	fb->probed = true;
	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		if (!kernel_knows(&features[i]))
			fb->missing |= 1ULL << i;
}

/* Only a refusal makes them interesting. */
static void know_limits(struct event_fallback *fb)
{
	if (!fb->limits_known)
		sys_limits_read(&fb->limits, NULL);
	fb->limits_known = true;
}

void event_fallback_init(struct event_fallback *fb, bool cpu_wide)
{
	*fb = (struct event_fallback){ .cpu_wide = cpu_wide };
}

void event_fallback_prepare(const struct event_fallback *fb, struct event *ev)
{
	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		if (fb->missing >> i & 1)
			drop(&ev->attr, &features[i]);
	if (fb->guest_dropped_type == (u64)ev->attr.type + 1)
		ev->attr.exclude_guest = ev->attr.exclude_host = 0;

	bool is_pmu = ev->kind == EVENT_HARDWARE || ev->kind == EVENT_CACHE ||
		      ev->kind == EVENT_RAW || ev->kind == EVENT_PMU;

	if (ev->precise_max && is_pmu && !fb->counting)
		ev->attr.precise_ip = PRECISE_HIGHEST;
}

/* Add a modifier letter to an event's name where perf puts it: cycles:u, cpu/event=1/u. */
static void event_name_add_modifier(struct event *ev, char modifier)
{
	const char *mods = strrchr(ev->name, '/');
	char *name;

	if (!mods && ev->kind == EVENT_TRACEPOINT) {
		mods = strchr(ev->name, ':');
		mods = mods ? strchr(mods + 1, ':') : NULL;
	} else if (!mods && ev->kind == EVENT_BREAKPOINT) {
		mods = NULL;
	} else if (!mods) {
		mods = strchr(ev->name, ':');
	}
	name = xasprintf("%s%s%c", ev->name, mods ? "" : ":", modifier);
	free(ev->name);
	ev->name = name;
}

static bool to_user(struct event_fallback *fb, struct event *ev, struct strbuf *text)
{
	struct perf_event_attr *a = &ev->attr;

	if (fb->limits.paranoid <= 1 || a->exclude_kernel || a->exclude_user)
		return false;
	strbuf_addf(text,
		    "kernel.perf_event_paranoid=%d, trying to fall back to excluding kernel and "
		    "hypervisor  samples",
		    fb->limits.paranoid);
	a->exclude_kernel = 1;
	a->exclude_hv = 1;
	if (!ev->is_dummy_sideband && ev->name)
		event_name_add_modifier(ev, 'u');
	return true;
}

static bool to_clock(const struct event_fallback *fb, struct event *ev, struct strbuf *text)
{
	struct perf_event_attr *a = &ev->attr;
	struct perf_event_attr shown;
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	/* Upper half of config: the kind of core on hybrid machines. */
	if (a->type != PERF_TYPE_HARDWARE || (u32)a->config != PERF_COUNT_HW_CPU_CYCLES)
		return false;
	a->type = PERF_TYPE_SOFTWARE;
	a->config = fb->cpu_wide ? PERF_COUNT_SW_CPU_CLOCK : PERF_COUNT_SW_TASK_CLOCK;
	a->precise_ip = 0; /* a clock has no precise levels */
	ev->precise_max = false;
	ev->kind = EVENT_SOFTWARE;
	/* record's default event includes guests: no reason to name its stand-in "cpu-clock:HG" */
	shown = *a;
	if (!ev->guest_given && !(a->exclude_user || a->exclude_kernel || a->exclude_hv))
		shown.exclude_guest = 1;
	event_attr_name(&shown, &name);
	strbuf_addf(text, "The %s event is not supported, trying to fall back to %s", ev->name,
		    name.buf);
	free(ev->name);
	ev->name = strbuf_detach(&name);
	return true;
}

static bool lower_precision(struct event *ev, struct strbuf *text)
{
	if (!ev->precise_max || !ev->attr.precise_ip)
		return false;
	ev->attr.precise_ip--;
	ev->precise_max = ev->attr.precise_ip != 0;
	strbuf_addf(text, "decreasing precise_ip by one (%d)", (int)ev->attr.precise_ip);
	return true;
}

/* Bits that the kernel does not know at all. */
static bool drop_missing(struct event_fallback *fb, struct event *ev, struct strbuf *text)
{
	bool any = false;

	if (!fb->probed)
		probe(fb);
	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		if (!(fb->missing >> i & 1) || !drop(&ev->attr, &features[i]))
			continue;
		strbuf_addf(text, "%s%s", any ? ", " : "switching off ", features[i].text);
		any = true;
	}
	return any;
}

/* Whether this process may have the event at the frequency. */
static bool takes_rate(const struct event *ev, u64 freq)
{
	struct perf_event_attr a = ev->attr;
	int fd;

	a.sample_freq = freq;
	a.disabled = 1;
	a.enable_on_exec = 0;
	fd = sys_perf_event_open(&a, 0, -1, -1, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* 0: the frequency is not what the kernel refuses. */
static u64 highest_rate(const struct event *ev)
{
	u64 low = 1, high = ev->attr.sample_freq;

	if (takes_rate(ev, high) || !takes_rate(ev, low))
		return 0;
	while (low + 1 < high) {
		u64 middle = low + (high - low) / 2;

		if (takes_rate(ev, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * The kernel lowers its limit when interrupts take too long: also between our reading it and now,
 * and in a container that hides it. Nobody asked for just this frequency, or was told already that
 * it may be less.
 */
static bool lower_rate(const struct event_fallback *fb, struct event *ev, struct strbuf *text)
{
	u64 before = ev->attr.sample_freq, rate;

	if (fb->counting || !ev->attr.freq || ev->keeps_rate)
		return false;
	rate = highest_rate(ev);
	if (!rate)
		return false;
	ev->attr.sample_freq = rate;
	strbuf_addf(text,
		    "Lowering the frequency of %s from %llu to %llu Hz: the kernel allows no more "
		    "(kernel.perf_event_max_sample_rate)",
		    ev->name, (unsigned long long)before, (unsigned long long)rate);
	return true;
}

/* PMUs without guest awareness refuse the bits that are set by default. */
static bool drop_guest(struct event_fallback *fb, struct event *ev, struct strbuf *text)
{
	if ((!ev->attr.exclude_guest && !ev->attr.exclude_host) || ev->guest_given)
		return false;
	ev->attr.exclude_guest = ev->attr.exclude_host = 0;
	fb->guest_dropped_type = (u64)ev->attr.type + 1;
	strbuf_addf(text, "switching off exclude_guest, exclude_host%s%s",
		    ev->pmu_name ? " for PMU " : "", ev->pmu_name ? ev->pmu_name : "");
	return true;
}

/* Before 6.12 no kernel puts the values of inherited counters into samples. */
static bool drop_inherit(struct event *ev, struct strbuf *text)
{
	struct perf_event_attr *a = &ev->attr;

	if (!a->inherit || !(a->sample_type & PERF_SAMPLE_READ))
		return false;
	a->inherit = 0;
	strbuf_addf(
		text,
		"event '%s': this kernel cannot sample values of child tasks, they are left out",
		ev->name);
	return true;
}

static bool raise_nofile(struct event_fallback *fb, struct strbuf *text)
{
	u64 before = sys_nofile();
	u64 now;

	if (fb->raised_nofile)
		return false;
	fb->raised_nofile = true;
	now = sys_raise_nofile(NOFILE_WANTED);
	strbuf_addf(text, "raising the limit of open files to %llu", (unsigned long long)now);
	return now > before;
}

enum event_fallback_step event_fallback_next(struct event_fallback *fb, struct event *ev, int err,
					     struct strbuf *text)
{
	bool again = false;

	know_limits(fb);
	strbuf_reset(text);
	switch (err) {
	case EMFILE:
		again = raise_nofile(fb, text);
		break;
	case EACCES:
	case EPERM:
		again = to_user(fb, ev, text);
		break;
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EOPNOTSUPP:
		again = lower_precision(ev, text);
		if (!again && err != EOPNOTSUPP && to_clock(fb, ev, text))
			return EVENT_FALLBACK_CHANGED;
		break;
	case EINVAL:
	case E2BIG:
		again = drop_missing(fb, ev, text);
		if (!again && lower_rate(fb, ev, text))
			return EVENT_FALLBACK_CHANGED;
		again = again || lower_precision(ev, text) || drop_guest(fb, ev, text);
		if (!again && drop_inherit(ev, text))
			return EVENT_FALLBACK_CHANGED;
		break;
	default:
		break;
	}
	return again ? EVENT_FALLBACK_QUIET : EVENT_FALLBACK_NONE;
}

/* Final refusals */

static void say_paranoid(const struct event_fallback *fb, const struct event *ev, int err,
			 struct strbuf *out)
{
	if (err == EPERM)
		strbuf_addf(out, "No permission to enable %s event.\n\n", ev->name);
	strbuf_addf(out,
		    "Access to performance monitoring and observability operations is limited.\n"
		    "Consider adjusting /proc/sys/kernel/perf_event_paranoid setting to open\n"
		    "access to performance monitoring and observability operations for processes\n"
		    "without CAP_PERFMON, CAP_SYS_PTRACE or CAP_SYS_ADMIN Linux capability.\n"
		    "More information can be found at 'Perf events and tool security' document:\n"
		    "https://www.kernel.org/doc/html/latest/admin-guide/perf-security.html\n"
		    "perf_event_paranoid setting is %d:\n"
		    "  -1: Allow use of (almost) all events by all users\n"
		    "      Ignore mlock limit after perf_event_mlock_kb without CAP_IPC_LOCK\n"
		    ">= 0: Disallow raw and ftrace function tracepoint access\n"
		    ">= 1: Disallow CPU event access\n"
		    ">= 2: Disallow kernel profiling\n"
		    "To make the adjusted perf_event_paranoid setting permanent preserve it\n"
		    "in /etc/sysctl.conf (e.g. kernel.perf_event_paranoid = <setting>)\n",
		    fb->limits.paranoid);
}

static bool say_not_supported(const struct event *ev, struct strbuf *out)
{
	const struct perf_event_attr *a = &ev->attr;

	if (a->aux_output) {
		strbuf_addf(out, "%s: PMU Hardware doesn't support 'aux_output' feature\n",
			    ev->name);
	} else if (a->sample_type & PERF_SAMPLE_BRANCH_STACK) {
		strbuf_addf(out,
			    "%s: PMU Hardware or event type doesn't support branch stack "
			    "sampling.\n",
			    ev->name);
	} else if (a->precise_ip) {
		strbuf_addf(out,
			    "%s: The 'precise' request may not be supported. Try removing 'p' "
			    "modifier.\n",
			    ev->name);
	} else if (a->sample_period) {
		strbuf_addf(out,
			    "%s: PMU Hardware doesn't support sampling/overflow-interrupts. Try "
			    "'perf stat'\n",
			    ev->name);
	} else {
		return false;
	}
	return true;
}

/* Counters overflow in NMIs, where no other clock can be read. */
static bool is_nmi_safe(s32 clock)
{
	return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW;
}

static bool say_invalid(const struct event_fallback *fb, const struct event *ev, struct strbuf *out)
{
	const struct perf_event_attr *a = &ev->attr;

	u64 most = fb->limits.max_sample_rate, rate;

	if (a->freq && a->sample_freq <= most) {
		rate = highest_rate(ev);
		most = rate ? rate : most;
	}
	if (a->freq && a->sample_freq > most)
		strbuf_addf(out,
			    "%s: a frequency of %llu Hz is above the maximum of %llu Hz.\n"
			    "The limit can be raised via "
			    "/proc/sys/kernel/perf_event_max_sample_rate.\n",
			    ev->name, (unsigned long long)a->sample_freq, (unsigned long long)most);
	else if (a->use_clockid && !is_nmi_safe(a->clockid))
		strbuf_addf(out,
			    "wrong clockid (%d).\n"
			    "%s: hardware takes times of monotonic and monotonic_raw alone (-k).\n",
			    (int)a->clockid, ev->name);
	else if (!fb->cpu_wide)
		strbuf_addf(
			out,
			"Invalid event (%s) in per-thread mode, enable system wide with '-a'.\n",
			ev->name);
	else
		return false;
	return true;
}

static void say_default(const struct event *ev, int err, struct strbuf *out)
{
	strbuf_addf(out,
		    "The sys_perf_event_open() syscall returned with %d (%s) for event (%s).\n"
		    "/bin/dmesg | grep -i perf may provide additional information.\n\n",
		    err, strerror(err), ev->name);
}

/* What our knowledge of the kernel adds to the plain errno. */
static void say_hint(const struct event_fallback *fb, const struct event *ev, int err,
		     struct strbuf *out)
{
	if (err == ENOSPC && ev->kind == EVENT_BREAKPOINT)
		strbuf_adds(out, "Hint: all hardware breakpoint registers are in use.\n");
	else if (err == EOVERFLOW && ev->attr.sample_max_stack > fb->limits.max_stack)
		strbuf_addf(out,
			    "Hint: the stack depth %u is above /proc/sys/kernel/"
			    "perf_event_max_stack (%u).\n",
			    ev->attr.sample_max_stack, fb->limits.max_stack);
	else if (err == ENOSYS)
		strbuf_adds(out, "Hint: this kernel has no perf events, or a seccomp filter hides "
				 "them.\n");
}

void event_open_strerror(struct event_fallback *fb, const struct event *ev, int err,
			 struct strbuf *out)
{
	bool said = true;

	know_limits(fb);
	switch (err) {
	case EACCES:
	case EPERM:
		say_paranoid(fb, ev, err, out);
		break;
	case ENOENT:
		strbuf_addf(out, "The %s event is not supported.\n", ev->name);
		break;
	case EMFILE:
		strbuf_adds(out, "Too many events are opened.\n"
				 "Probably the maximum number of open file descriptors has been "
				 "reached.\n"
				 "Hint: Try again after reducing the number of events.\n"
				 "Hint: Try increasing the limit with 'ulimit -n <limit>'\n");
		break;
	case ENOMEM:
		said = (ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN) != 0;
		if (said)
			strbuf_addf(out,
				    "Not enough memory to setup event with callchain.\n"
				    "Hint: Try tweaking /proc/sys/kernel/perf_event_max_stack\n"
				    "Hint: Current value: %u\n",
				    fb->limits.max_stack);
		break;
	case ENODEV:
		strbuf_adds(out, "No such device - did you specify an out-of-range profile CPU?\n");
		break;
	case EOPNOTSUPP:
		said = say_not_supported(ev, out);
		break;
	case EINVAL:
		said = say_invalid(fb, ev, out);
		break;
	default:
		said = false;
	}
	if (!said) {
		say_default(ev, err, out);
		say_hint(fb, ev, err, out);
	}
}
