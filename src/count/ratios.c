/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/ratios.h"

#include <string.h>

#define CACHE(type, op, result) ((u64)(type) | (u64)(op) << 8 | (u64)(result) << 16)
#define LOADS(type) CACHE(type, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS)
#define MISSES(type) CACHE(type, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS)

/* Counts that others are measured against. */
static const struct {
	u32 type;
	u64 config;
	enum ratio_base base;
} bases[] = {
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, RATIO_CLOCK },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, RATIO_CLOCK },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, RATIO_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, RATIO_BRANCHES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, RATIO_CACHE_REFS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, RATIO_STALLED_FRONT },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, RATIO_STALLED_BACK },
	{ PERF_TYPE_HW_CACHE, LOADS(PERF_COUNT_HW_CACHE_L1D), RATIO_L1D },
	{ PERF_TYPE_HW_CACHE, LOADS(PERF_COUNT_HW_CACHE_L1I), RATIO_L1I },
	{ PERF_TYPE_HW_CACHE, LOADS(PERF_COUNT_HW_CACHE_LL), RATIO_LL },
	{ PERF_TYPE_HW_CACHE, LOADS(PERF_COUNT_HW_CACHE_DTLB), RATIO_DTLB },
	{ PERF_TYPE_HW_CACHE, LOADS(PERF_COUNT_HW_CACHE_ITLB), RATIO_ITLB },
};

/* The same for events that only their PMU's name tells. */
static const struct {
	const char *name;
	enum ratio_base base;
} named_bases[] = {
	{ "cpu/cycles-t/", RATIO_CYCLES_IN_TX },
	{ "msr/aperf/", RATIO_APERF },
};

/* Above which a share is worth a look, by enum view_alarm; perf's. */
struct limits {
	double percent[VIEW_ALARM_BAD + 1];
};
static const struct limits front_limits = { { [VIEW_ALARM_LOW] = 10, 30, 50 } };
static const struct limits back_limits = { { [VIEW_ALARM_LOW] = 20, 50, 75 } };
static const struct limits miss_limits = { { [VIEW_ALARM_LOW] = 5, 10, 20 } };

/* When a ratio is shown, as in perf; it is 0 where there is nothing to divide by. */
enum known_when { BASE_NOT_ZERO, BASE_THERE, NOT_ZERO, ALWAYS };

/* The ratio that belongs to a count: value * factor / base. */
static const struct rule {
	u32 type;
	u64 config;
	enum ratio_base base;
	double factor;
	enum view_number form;
	const char *label;
	const char *unknown_label; /* NULL = the same */
	enum known_when known;
	const struct limits *limits; /* NULL = none */
} rules[] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, RATIO_CLOCK, 1, VIEW_FIXED3, "GHz", "Ghz",
	  BASE_NOT_ZERO },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, RATIO_CYCLES, 1, VIEW_FIXED2,
	  "insn per cycle", NULL, BASE_NOT_ZERO },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, RATIO_CYCLES, 100,
	  VIEW_PERCENT2, "frontend cycles idle", NULL, NOT_ZERO, &front_limits },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, RATIO_CYCLES, 100,
	  VIEW_PERCENT2, "backend cycles idle", NULL, ALWAYS, &back_limits },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, RATIO_BRANCHES, 100, VIEW_PERCENT2,
	  "of all branches", NULL, BASE_THERE, &miss_limits },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, RATIO_CACHE_REFS, 100, VIEW_PERCENT3,
	  "of all cache refs", NULL, BASE_THERE },
	{ PERF_TYPE_HW_CACHE, MISSES(PERF_COUNT_HW_CACHE_L1D), RATIO_L1D, 100, VIEW_PERCENT2,
	  "of all L1-dcache accesses", NULL, BASE_THERE, &miss_limits },
	{ PERF_TYPE_HW_CACHE, MISSES(PERF_COUNT_HW_CACHE_L1I), RATIO_L1I, 100, VIEW_PERCENT2,
	  "of all L1-icache accesses", NULL, BASE_THERE, &miss_limits },
	{ PERF_TYPE_HW_CACHE, MISSES(PERF_COUNT_HW_CACHE_LL), RATIO_LL, 100, VIEW_PERCENT2,
	  "of all LL-cache accesses", NULL, BASE_THERE, &miss_limits },
	{ PERF_TYPE_HW_CACHE, MISSES(PERF_COUNT_HW_CACHE_DTLB), RATIO_DTLB, 100, VIEW_PERCENT2,
	  "of all dTLB cache accesses", NULL, BASE_THERE, &miss_limits },
	{ PERF_TYPE_HW_CACHE, MISSES(PERF_COUNT_HW_CACHE_ITLB), RATIO_ITLB, 100, VIEW_PERCENT2,
	  "of all iTLB cache accesses", NULL, BASE_THERE, &miss_limits },
};

enum { EXTENDED_TYPE_SHIFT = 32 };

/* On machines with several kinds of cores the upper half of config names the kind. */
static u64 plain_config(const struct perf_event_attr *attr)
{
	bool generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;

	return generic ? attr->config & (((u64)1 << EXTENDED_TYPE_SHIFT) - 1) : attr->config;
}

/* Counts of different levels are not compared: cycles:u is no base of instructions. */
static u32 context_of(const struct perf_event_attr *attr)
{
	return (u32)(attr->exclude_user | attr->exclude_kernel << 1 | attr->exclude_hv << 2 |
		     attr->exclude_host << 3 | attr->exclude_idle << 4);
}

static struct ratio_value *find(const struct ratio_set *s, enum ratio_base base, u32 context)
{
	VEC_FOR(&s->values, v) {
		if (v->base == base && (base == RATIO_CLOCK || v->context == context))
			return v;
	}
	return NULL;
}

static double mean_of(const struct ratio_set *s, enum ratio_base base, u32 context)
{
	const struct ratio_value *v = find(s, base, context);

	return v ? v->mean.mean : 0;
}

/* "cpu/cycles-t/u" is "cpu/cycles-t/" with a modifier. */
static bool is_named(const char *name, const char *wanted)
{
	return name && !strncmp(name, wanted, strlen(wanted));
}

static enum ratio_base base_of(const struct perf_event_attr *attr, const char *name)
{
	u64 config = plain_config(attr);

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		if (bases[i].type == attr->type && bases[i].config == config)
			return bases[i].base;
	}
	for (size_t i = 0; i < ARRAY_SIZE(named_bases); i++) {
		if (is_named(name, named_bases[i].name))
			return named_bases[i].base;
	}
	return RATIO_NONE;
}

bool ratio_is_base(const struct perf_event_attr *attr, const char *name)
{
	return base_of(attr, name) != RATIO_NONE;
}

void ratio_set_add(struct ratio_set *s, const struct perf_event_attr *attr, const char *name,
		   double value)
{
	enum ratio_base base = base_of(attr, name);
	u32 context = context_of(attr);
	struct ratio_value *v;

	if (base == RATIO_NONE)
		return;
	v = find(s, base, context);
	if (!v) {
		v = VEC_PUSH(&s->values);
		*v = (struct ratio_value){ .base = base, .context = context };
	}
	moments_add(&v->mean, value);
}

void ratio_set_release(struct ratio_set *s)
{
	vec_free(&s->values);
}

bool ratio_is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static struct view_ratio known(enum view_number form, double value, const char *label)
{
	return (struct view_ratio){ .known = true, .form = form, .value = value, .label = label };
}

static enum view_alarm alarm_of(const struct limits *limits, double percent)
{
	enum view_alarm alarm = VIEW_ALARM_NONE;

	for (int i = VIEW_ALARM_LOW; limits && i <= VIEW_ALARM_BAD; i++)
		if (percent > limits->percent[i])
			alarm = (enum view_alarm)i;
	return alarm;
}

static size_t by_rule(const struct ratio_set *s, const struct rule *r, u32 context, double value,
		      struct view_ratio *out)
{
	double base = mean_of(s, r->base, context);
	double ratio = base != 0 ? value * r->factor / base : 0;
	const bool shown[] = {
		[BASE_NOT_ZERO] = base != 0,
		[BASE_THERE] = find(s, r->base, context) != NULL,
		[NOT_ZERO] = ratio != 0,
		[ALWAYS] = true,
	};

	if (shown[r->known])
		*out = known(r->form, ratio, r->label);
	else
		*out = (struct view_ratio){ .label = r->unknown_label ? r->unknown_label
								      : r->label };
	out->alarm = alarm_of(r->limits, out->value);
	return 1;
}

/* Instructions are also held against the cycles in which nothing was issued. */
static size_t add_stalled(const struct ratio_set *s, u32 context, double value,
			  struct view_ratio *out)
{
	double front = mean_of(s, RATIO_STALLED_FRONT, context);
	double back = mean_of(s, RATIO_STALLED_BACK, context);
	double stalled = MAX(front, back);

	if (stalled == 0 || value == 0)
		return 0;
	*out = known(VIEW_FIXED2, stalled / value, "stalled cycles per insn");
	return 1;
}

static size_t rate(const struct ratio_set *s, double value, struct view_ratio *out)
{
	static const char *const labels[] = { "/sec", "K/sec", "M/sec", "G/sec" };
	const struct ratio_value *clock = find(s, RATIO_CLOCK, 0);
	double per_second;
	size_t i = 0;

	*out = (struct view_ratio){ .known = false };
	if (!clock)
		return 1;
	per_second = clock->mean.mean != 0 ? value * 1e9 / clock->mean.mean : 0;
	for (; i + 1 < ARRAY_SIZE(labels) && per_second > 1000; i++)
		per_second /= 1000;
	*out = known(VIEW_FIXED3, per_second, labels[i]);
	out->rate = true;
	return 1;
}

static size_t in_transactions(const struct ratio_set *s, u32 context, double value,
			      struct view_ratio *out)
{
	double cycles = mean_of(s, RATIO_CYCLES, context);

	if (cycles != 0)
		*out = known(VIEW_PERCENT2, 100 * value / cycles, "transactional cycles");
	return 1;
}

/* value: cycles in transactions that were committed. */
static size_t aborted(const struct ratio_set *s, u32 context, double value, struct view_ratio *out)
{
	double cycles = mean_of(s, RATIO_CYCLES, context);
	double all = mean_of(s, RATIO_CYCLES_IN_TX, context);

	if (cycles != 0)
		*out = known(VIEW_PERCENT2, 100 * (MAX(all, value) - value) / cycles,
			     "aborted cycles");
	return 1;
}

static size_t per_elision(const struct ratio_set *s, u32 context, double value,
			  struct view_ratio *out)
{
	double all = mean_of(s, RATIO_CYCLES_IN_TX, context);

	if (value != 0)
		*out = known(VIEW_WHOLE8, all / value, "cycles / elision");
	return 1;
}

/* value: management interrupts; the core's cycles stand still in them, APERF does not. */
static size_t smi_cost(const struct ratio_set *s, u32 context, double value, struct view_ratio *out)
{
	double aperf = mean_of(s, RATIO_APERF, context);
	double cycles = mean_of(s, RATIO_CYCLES, context);

	if (aperf == 0 || cycles == 0)
		return 1;
	out[0] = known(VIEW_PERCENT1, 100 * (aperf - cycles) / aperf, "SMI cycles%");
	out[1] = known(VIEW_WHOLE4, value, "SMI#");
	out[1].same_line = true;
	return 2;
}

static const struct {
	const char *name;
	size_t (*compute)(const struct ratio_set *s, u32 context, double value,
			  struct view_ratio *out);
} named_rules[] = {
	{ "cpu/cycles-t/", in_transactions },
	{ "cpu/cycles-ct/", aborted },
	{ "cpu/el-start/", per_elision },
	{ "msr/smi/", smi_cost },
};

size_t ratio_compute(const struct ratio_set *s, const struct perf_event_attr *attr,
		     const char *name, double value, double seconds, struct view_ratio *out)
{
	u32 context = context_of(attr);
	u64 config = plain_config(attr);
	size_t n;

	if (ratio_is_clock(attr)) {
		*out = known(VIEW_FIXED3, seconds > 0 ? value / 1e9 / seconds : 0, "CPUs utilized");
		out->rate = true;
		return 1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (rules[i].type != attr->type || rules[i].config != config)
			continue;
		n = by_rule(s, &rules[i], context, value, out);
		if (attr->type == PERF_TYPE_HARDWARE && config == PERF_COUNT_HW_INSTRUCTIONS)
			n += add_stalled(s, context, value, out + n);
		return n;
	}
	for (size_t i = 0; i < ARRAY_SIZE(named_rules); i++) {
		if (!is_named(name, named_rules[i].name))
			continue;
		*out = (struct view_ratio){ .known = false };
		return named_rules[i].compute(s, context, value, out);
	}
	return rate(s, value, out);
}
