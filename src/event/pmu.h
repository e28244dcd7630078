/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event/pmu: the PMUs that the kernel describes under /sys/bus/event_source/devices: their type
 * numbers, the meaning of config bits (format/), named events (events/), and the CPUs to open them
 * on. Read lazily, kept until pmu_catalog_release(). One thread.
 *
 * Source: Documentation/ABI/testing/sysfs-bus-event_source-devices*.
 */
#ifndef EVENT_PMU_H
#define EVENT_PMU_H

#include "abi/perf_event.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum pmu_word { PMU_CONFIG, PMU_CONFIG1, PMU_CONFIG2, PMU_CONFIG3, PMU_CONFIG4, PMU_WORD_MAX };

struct pmu_format {
	char *name;
	enum pmu_word word;
	u64 mask; /* bits of the word; the value's bits fill them from the lowest up */
};

struct pmu_event {
	char *name;
	char *terms; /* "event=0x3c,umask=0x1" */
	char *unit; /* NULL = none */
	double scale; /* 1.0 = none */
	bool per_pkg;
	bool snapshot; /* value is a level, not a sum */
};

struct pmu {
	char *name;
	u32 type;
	bool core; /* counts on the cores: named "cpu", or with a cpus file */
	u32 *cpus; /* cpus or cpumask file, NULL = all */
	size_t nr_cpus;
	bool loaded; /* formats and events were read */
	VEC(struct pmu_format) formats; /* by name */
	VEC(struct pmu_event) events; /* by name */
};

struct pmu_catalog {
	char *dir; /* .../bus/event_source/devices */
	VEC(struct pmu *) pmus; /* those met so far; all, by name, after pmu_catalog_scan() */
	bool scanned;
	int nr_core; /* core PMUs, -1 = not yet counted */
};

/* sysfs NULL = /sys. Reads nothing yet. */
void pmu_catalog_init(struct pmu_catalog *c, const char *sysfs);
void pmu_catalog_release(struct pmu_catalog *c);
/* Make all PMUs known, sorted by name with numbers by value. */
void pmu_catalog_scan(struct pmu_catalog *c);
/* The PMU of exactly this name, NULL if absent. */
struct pmu *pmu_find(struct pmu_catalog *c, const char *name);
/* More than one kind of core: plain hardware events must be opened on each. */
bool pmu_is_hybrid(struct pmu_catalog *c);
/* Does a PMU name fit what the user wrote: a glob, or a name whose instance number (_0) is left
 * out; leading "uncore_" optional. */
bool pmu_name_matches(const char *pmu, const char *pattern);

/* Read formats and events. */
void pmu_load(struct pmu_catalog *c, struct pmu *pmu);
const struct pmu_format *pmu_find_format(const struct pmu *pmu, const char *name);
const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name);
/* Largest value the format holds. */
u64 pmu_format_max(const struct pmu_format *f);
/* Replace the format's bits in attr's config words by value (upper bits of value are dropped). */
void pmu_format_set(const struct pmu_format *f, u64 value, struct perf_event_attr *attr);
/* caps/FILE of a PMU as a number ("max_precise", "branches"); false if absent. */
bool pmu_cap(struct pmu_catalog *c, const struct pmu *pmu, const char *file, u64 *value);
/* The same of a file with a hexadecimal number; a file beside type and caps. */
bool pmu_cap_hex(struct pmu_catalog *c, const struct pmu *pmu, const char *file, u64 *value);
bool pmu_file_number(struct pmu_catalog *c, const struct pmu *pmu, const char *file, u64 *value);
/* A file beside type and caps ("cpu0/trcidr/trcidr0") with a number in this base. */
bool pmu_file_in_base(struct pmu_catalog *c, const struct pmu *pmu, const char *file, int base,
		      s64 *value);
/* "config:0-7,32-35" -> word and mask; false if malformed. */
bool pmu_format_parse(const char *text, enum pmu_word *word, u64 *mask);

#endif
