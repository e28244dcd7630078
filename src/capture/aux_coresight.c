/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/aux_coresight.h"

#include <errno.h>

#include "perfdata/writer.h"
#include "sys/limits.h"

#define MAGIC_ETM3 0x3030303030303030ULL /* ETMv3 and PTM */
#define MAGIC_ETM4 0x4040404040404040ULL
#define MAGIC_ETE 0x5050505050505050ULL

enum {
	VERSION_IDS_HERE = 1, /* the description tells each unit's trace id */
	VERSION_IDS_LATER = 2, /* records AUX_OUTPUT_HW_ID do */
	/* a unit's trace id as long as nobody else gave it one: even numbers, below those that are
	   reserved */
	FIRST_ID = 0x10,
	ID_STEP = 2,
	IDS = 48,
	ETE_ARCHITECTURE = 0x5a13,
	ARCHITECTURE_BITS = 0xffff,
	CONTEXT_ID_32_BITS = 4,
};

/* Bits of attr.config, the same on all kernels (format/). */
enum {
	CONFIG_BROADCAST = 8,
	CONFIG_CYCLES = 12,
	CONFIG_CONTEXT1 = 14,
	CONFIG_CONTEXT2 = 15,
	CONFIG_TIMESTAMP = 28,
	CONFIG_RETURN_STACK = 29,
};

/* What they set in TRCCONFIGR. */
static const struct {
	u8 config;
	u32 trcconfigr;
} config_bits[] = {
	{ CONFIG_BROADCAST, 1U << 3 },  { CONFIG_CYCLES, 1U << 4 },
	{ CONFIG_CONTEXT1, 1U << 6 },   { CONFIG_CONTEXT2, 1U << 7 | 1U << 15 },
	{ CONFIG_TIMESTAMP, 1U << 11 }, { CONFIG_RETURN_STACK, 1U << 12 },
};

/* Registers in the order of the description, behind control register and trace id. */
static const char *const etm3_files[] = { "mgmt/etmccer", "mgmt/etmidr" };
static const char *const etm4_files[] = {
	"trcidr/trcidr0", "trcidr/trcidr1",     "trcidr/trcidr2",
	"trcidr/trcidr8", "mgmt/trcauthstatus",
};

/* A register of a CPU's trace unit. */
static bool read_register(const struct aux_facts *f, u32 cpu, const char *file, u64 *value)
{
	char path[64];
	s64 v = 0;
	bool there;

	snprintf(path, sizeof(path), "cpu%u/%s", cpu, file);
	there = pmu_file_in_base(f->pmus, f->pmu, path, 16, &v);
	*value = (u64)v;
	return there;
}

/* The magic number of the CPU's kind of unit, 0 = it has none. */
static u64 unit_of(const struct aux_facts *f, u32 cpu)
{
	u64 v;

	if (read_register(f, cpu, "mgmt/trcdevarch", &v) &&
	    (v & ARCHITECTURE_BITS) == ETE_ARCHITECTURE)
		return MAGIC_ETE;
	if (read_register(f, cpu, "trcidr/trcidr0", &v))
		return MAGIC_ETM4;
	return read_register(f, cpu, "mgmt/etmccer", &v) ? MAGIC_ETM3 : 0;
}

int coresight_choose_sink(struct event *ev, struct pmu_catalog *pmus, const struct pmu *pmu,
			  struct err *e)
{
	const struct pmu_format *format = pmu_find_format(pmu, "sinkid");
	char file[128];
	s64 id;

	if (!ev->driver_config)
		return 0;
	snprintf(file, sizeof(file), "sinks/%s", ev->driver_config);
	if (strchr(ev->driver_config, '/') || !pmu_file_in_base(pmus, pmu, file, 16, &id)) {
		err_set(e, ENOENT, "Couldn't find sink \"%s\" on event %s", ev->driver_config,
			ev->name);
		err_hint(e, "an appropriate sink is chosen if none is named");
		return -1;
	}
	if (format)
		pmu_format_set(format, (u64)id, &ev->attr);
	else
		ev->attr.config2 |= (u64)id;
	return 0;
}

static bool wants(const struct aux_facts *f, int bit)
{
	return f->ev->attr.config >> bit & 1;
}

/* The term to switch off, NULL = all that is asked for can be done. */
static const char *missing(const struct aux_facts *f, u32 cpu, u64 unit)
{
	u64 id0, id2;

	if (unit == MAGIC_ETM3)
		return wants(f, CONFIG_CONTEXT1) || wants(f, CONFIG_CONTEXT2) ? "contextid"
		       : wants(f, CONFIG_TIMESTAMP)                           ? "timestamp"
									      : NULL;
	read_register(f, cpu, "trcidr/trcidr0", &id0);
	read_register(f, cpu, "trcidr/trcidr2", &id2);
	if (wants(f, CONFIG_CONTEXT1) && (id2 >> 5 & 0x1f) != CONTEXT_ID_32_BITS)
		return "contextid1";
	/* the virtual one is CONTEXTIDR_EL2 if VMIDOPT says so */
	if (wants(f, CONFIG_CONTEXT2) &&
	    (!(id2 >> 29 & 3) || (id2 >> 10 & 0x1f) < CONTEXT_ID_32_BITS))
		return "contextid2";
	return wants(f, CONFIG_TIMESTAMP) && !(id0 >> 24 & 0x1f) ? "timestamp" : NULL;
}

int coresight_check(const struct aux_facts *f, struct err *e)
{
	for (size_t i = 0; i < f->nr_cpus; i++) {
		u32 cpu = f->cpus[i];
		u64 unit = unit_of(f, cpu);
		const char *term = unit ? missing(f, cpu, unit) : NULL;

		if (!unit)
			return err_set(
				e, ENODEV,
				"cs_etm: Not found on CPU %u. Check hardware and firmware support "
				"and that all Coresight drivers are loaded",
				cpu);
		if (term)
			return err_set(e, ENOTSUP,
				       "cs_etm: %s is not supported on CPU %u (%s), disable with "
				       "cs_etm/%s=0/",
				       term, cpu, unit == MAGIC_ETM3 ? "ETMv3" : "ETMv4 or ETE",
				       term);
	}
	return 0;
}

/* Does the kernel give units their trace ids, and tell them in AUX_OUTPUT_HW_ID records? */
static bool ids_announced(const struct aux_facts *f)
{
	return f->kernel >= SYS_KERNEL(6, 3);
}

/* The control register as the driver will set it. */
static u64 control(const struct aux_facts *f, u64 unit)
{
	u64 value = 0;

	if (unit == MAGIC_ETM3)
		return f->ev->attr.config;
	for (size_t i = 0; i < ARRAY_SIZE(config_bits); i++)
		value |= wants(f, config_bits[i].config) ? config_bits[i].trcconfigr : 0;
	return value;
}

static void describe_unit(const struct aux_facts *f, u32 cpu, struct strbuf *words)
{
	u64 unit = unit_of(f, cpu), devarch, number, value;
	bool old = unit == MAGIC_ETM3, with_source = ids_announced(f) && !old;
	const char *const *files = old ? etm3_files : etm4_files;
	size_t nr = old ? ARRAY_SIZE(etm3_files) : ARRAY_SIZE(etm4_files);
	char path[64];
	s64 source;

	number = 2 + nr + (unit == MAGIC_ETE) + with_source;
	feature_add_u64(words, unit);
	feature_add_u64(words, cpu);
	feature_add_u64(words, number);
	feature_add_u64(words, control(f, unit));
	feature_add_u64(words, FIRST_ID + (u64)(ids_announced(f) ? cpu % IDS : cpu) * ID_STEP);
	for (size_t i = 0; i < nr; i++) {
		read_register(f, cpu, files[i], &value);
		feature_add_u64(words, value);
	}
	if (unit == MAGIC_ETE) {
		read_register(f, cpu, "mgmt/trcdevarch", &devarch);
		feature_add_u64(words, devarch);
	}
	if (with_source) {
		snprintf(path, sizeof(path), "cpu%u/ts_source", cpu);
		feature_add_u64(words, pmu_file_in_base(f->pmus, f->pmu, path, 10, &source)
					       ? (u64)source
					       : ~0ULL);
	}
}

int coresight_describe(const struct aux_facts *f, struct strbuf *words, struct err *e UNUSED)
{
	feature_add_u64(words, ids_announced(f) ? VERSION_IDS_LATER : VERSION_IDS_HERE);
	feature_add_u64(words, (u64)f->pmu->type << 32 | f->nr_cpus);
	feature_add_u64(words, f->snapshots);
	for (size_t i = 0; i < f->nr_cpus; i++)
		describe_unit(f, f->cpus[i], words);
	return 0;
}
