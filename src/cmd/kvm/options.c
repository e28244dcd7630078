/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the words of perf kvm stat, and the file that all of perf kvm is about. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/kvm/kvm.h"

const char *kvm_file(const struct kvm_opts *o)
{
	if (o->rec.opts.input.path && *o->rec.opts.input.path)
		return o->rec.opts.input.path;
	if (o->output)
		return o->output;
	return !o->host ? "perf.data.guest" : o->guest ? "perf.data.kvm" : "perf.data.host";
}

static int parse_event(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		       struct err *e)
{
	static const char *const words[] = { [KVM_VMEXIT] = "vmexit",
					     [KVM_MMIO] = "mmio",
					     [KVM_IOPORT] = "ioport",
					     [KVM_MSR] = "msr" };
	struct kvm_opts *k = target;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i], arg) != 0)
			continue;
		k->what = (enum kvm_what)i;
		return 0;
	}
	return err_set(e, EINVAL, "Unknown report event:%s (vmexit, mmio, ioport, msr)\n", arg);
}

static int by_mean(const struct kvm_exits_row *a, const struct kvm_exits_row *b)
{
	return (a->mean > b->mean) - (a->mean < b->mean);
}

static int by_total(const struct kvm_exits_row *a, const struct kvm_exits_row *b)
{
	return (a->total > b->total) - (a->total < b->total);
}

static int by_max(const struct kvm_exits_row *a, const struct kvm_exits_row *b)
{
	return (a->max > b->max) - (a->max < b->max);
}

static int by_min(const struct kvm_exits_row *a, const struct kvm_exits_row *b)
{
	return (a->min > b->min) - (a->min < b->min);
}

/* Other names of a key are behind the usual one. */
static const struct {
	const char *name;
	kvm_compare by;
} keys[] = {
	{ "sample", NULL },    { "percent_sample", NULL },   { "time", by_mean },
	{ "mean_t", by_mean }, { "percent_time", by_total }, { "max_t", by_max },
	{ "min_t", by_min },
};

const char *kvm_key_name(const struct kvm_opts *o)
{
	size_t i = 0;

	while (keys[i].by != o->by)
		i++;
	return keys[i].name;
}

void kvm_next_key(struct kvm_opts *o)
{
	size_t i = ARRAY_SIZE(keys) - 1;

	while (keys[i].by != o->by)
		i--;
	o->by = keys[(i + 1) % ARRAY_SIZE(keys)].by;
}

static int parse_key(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		     struct err *e)
{
	struct kvm_opts *k = target;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(keys[i].name, arg) != 0)
			continue;
		k->by = keys[i].by;
		return 0;
	}
	return err_set(e, EINVAL,
		       "Unknown compare key:%s (sample, time, percent_time, max_t, min_t)\n", arg);
}

static int parse_duration(const struct opt *o UNUSED, void *target, const char *arg,
			  bool unset UNUSED, struct err *e)
{
	struct kvm_opts *k = target;
	char *end;

	errno = 0;
	k->duration = strtoull(arg, &end, 10);
	k->long_ones = true;
	if (errno || end == arg || *end || *arg == '-' || k->duration > UINT64_MAX / 1000)
		return err_set(e, EINVAL, "cannot read the duration '%s': microseconds\n", arg);
	return 0;
}

/* The option's target is all of them. */
#define ALL_OF rec
_Static_assert(offsetof(struct kvm_opts, ALL_OF) == 0, "parsers get the options themselves");
#define K struct kvm_opts
#define SHARED_ROWS                                                                                \
	OPT_CALL_F(0, "event", K, ALL_OF, "report event",                                          \
		   "event for reporting: vmexit, mmio (x86 only), ioport (x86 only), msr (x86 "    \
		   "only)",                                                                        \
		   parse_event, OPT_NONEG),                                                        \
		OPT_INT(0, "vcpu", K, vcpu, "n", "vcpu id to report"),                             \
		OPT_CALL_F('k', "key", K, ALL_OF, "sort-key",                                      \
			   "key for sorting: sample(sort by samples number) time (sort by avg "    \
			   "time), percent_time, max_t, min_t",                                    \
			   parse_key, OPT_NONEG),                                                  \
		OPT_BOOL(0, "json", K, json, "print an object for each table"),                    \
		OPT_STR('x', "field-separator", K, separator, "separator",                         \
			"print values with this between them (doc/cmd/kvm.md)")

const struct opt kvm_report_table[] = {
	SHARED_ROWS,
	OPT_STR('p', "pid", K, rec.pids, "pid", "analyze events only for given process id(s)"),
	OPT_STR('t', "tid", K, rec.tids, "tid", "analyze events only for given thread id(s)"),
	OPT_STR('C', "cpu", K, rec.opts.cpus, "cpu", "only events of these CPUs"),
	OPT_BOOL(0, "stdio", K, stdio, "print a table, as it is always done"),
	RECORDING_TIME(K, rec),
	RECORDING_INPUT(K, rec),
	RECORDING_VERBOSE(K, rec),
	OPT_END,
};

const struct opt kvm_live_table[] = {
	SHARED_ROWS,
	OPT_STR('p', "pid", K, rec.pids, "pid", "record events on existing process id"),
	OPT_STR('t', "tid", K, rec.tids, "tid", "record events on existing thread id"),
	OPT_STR('C', "cpu", K, cpus, "cpu", "record events on these CPUs"),
	OPT_BOOL('a', "all-cpus", K, system_wide, "system-wide collection from all CPUs"),
	OPT_INT('d', "display", K, delay, "n", "time in seconds between display updates"),
	OPT_INT('n', "iterations", K, laps, "n", "end after so many tables"),
	OPT_INT('m', "mmap-pages", K, pages, "pages", "number of mmap data pages"),
	OPT_CALL_F(0, "duration", K, ALL_OF, "n",
		   "show events other than HLT (x86 only) that take longer than duration usecs",
		   parse_duration, OPT_NONEG),
	OPT_END,
};

const char *const kvm_report_usage[] = { "perf kvm stat report [<options>]", NULL };
const char *const kvm_live_usage[] = { "perf kvm stat live [<options>]", NULL };
