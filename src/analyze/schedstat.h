/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedstat: the scheduler's counters of each CPU and of each of its domains, as the kernel's
 * /proc/schedstat has them (Documentation/scheduler/sched-stats.rst, versions 15 to 17), and as
 * they are in a perf.data: a record for each CPU and domain, twice, and the domains' names in the
 * header feature CPU_DOMAIN_INFO.
 */
#ifndef ANALYZE_SCHEDSTAT_H
#define ANALYZE_SCHEDSTAT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "perfdata/perfdata.h"

enum {
	SCHEDSTAT_OLDEST = 15,
	SCHEDSTAT_NEWEST = 17, /* more kinds of imbalance; domains have names */
	SCHEDSTAT_CPU_VALUES = 9,
	SCHEDSTAT_DOMAIN_VALUES = 45,
};

/* Values of a CPU. */
enum {
	STAT_YIELDS,
	STAT_EXPIRED,
	STAT_SCHEDULES,
	STAT_GOES_IDLE,
	STAT_WAKEUPS,
	STAT_LOCAL_WAKEUPS,
	STAT_RUN_NS, /* the first of 64 bits; those before have 32 */
	STAT_DELAY_NS,
	STAT_SLICES,
};

struct schedstat_domain {
	u32 number; /* 0 = the smallest */
	char *name; /* NULL = not told */
	char *cpus; /* "0-3", NULL = not told */
	u32 values[SCHEDSTAT_DOMAIN_VALUES]; /* in the order of the version */
};

struct schedstat_cpu {
	u32 cpu;
	u64 values[SCHEDSTAT_CPU_VALUES];
	VEC(struct schedstat_domain) domains;
};

/* All counters at one time. Zero bytes are an empty one. */
struct schedstat {
	u32 version;
	u64 time; /* jiffies */
	VEC(struct schedstat_cpu) cpus;
};

void schedstat_release(struct schedstat *s);
u32 schedstat_domain_values(u32 version);
/* The text of /proc/schedstat. */
int schedstat_parse(struct schedstat *s, const char *text, struct err *e);
/* As records. */
void schedstat_add_records(const struct schedstat *s, struct strbuf *out);
/* As body of the feature. */
void schedstat_add_domains(const struct schedstat *s, struct strbuf *body);
/* Those of a recording: at its beginning and at its end. */
int schedstat_read(struct perfdata *f, struct schedstat *first, struct schedstat *last,
		   struct err *e);
/* What happened from first on: last becomes the difference. CPUs and domains that first does not
 * have are left out. */
void schedstat_subtract(struct schedstat *last, const struct schedstat *first);
/* Mean of all CPUs, in out; numbers are cut. Domains: of those CPUs that have them. */
void schedstat_mean(const struct schedstat *s, struct schedstat_cpu *out);
void schedstat_cpu_release(struct schedstat_cpu *c);

#endif
