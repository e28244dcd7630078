/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/pfm.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/cpu_id.h"

#ifdef HAVE_PFM
#include <dlfcn.h>
#include <perfmon/pfmlib_perf_event.h>

/*
 * The library's tables are a megabyte that the loader would have to relocate at every start of
 * perf, so it is loaded when the first event is asked for. (A program without shared libraries has
 * it.)
 */
/* clang-format off */
#define PFM_FUNCTIONS(X) \
	X(initialize) X(strerror) X(get_os_event_encoding) X(get_pmu_info) X(get_event_info) \
	X(get_event_attr_info) X(get_event_next)
/* clang-format on */

static struct {
#define POINTER(name) __typeof__(pfm_##name) *name;
	PFM_FUNCTIONS(POINTER)
} pfm;

#ifdef PFM_LINKED
static bool load(void)
{
#define TAKE(name) pfm.name = pfm_##name;
	PFM_FUNCTIONS(TAKE)
	return true;
}
#else
static bool load(void)
{
	void *lib = dlopen("libpfm.so.4", RTLD_NOW);

	if (!lib)
		return false;
#define TAKE(name)                                                                                 \
	*(void **)&pfm.name = dlsym(lib, "pfm_" #name);                                            \
	if (!pfm.name)                                                                             \
		return false;
	PFM_FUNCTIONS(TAKE)
	return true;
}
#endif

enum { NAME_MAX_LENGTH = 512 };

/* libpfm's names of models. The first that fits counts. */
static const struct {
	const char *cpu, *pmu;
} forced[] = {
	{ "GenuineIntel-6-[45]E-*", "skl" },
	{ "GenuineIntel-6-[89]E-*", "skl" },
	{ "GenuineIntel-6-55-[0-4]", "skx" },
	{ "GenuineIntel-6-55-*", "clx" },
	{ "GenuineIntel-6-7[DE]-*", "icl" },
	{ "GenuineIntel-6-6[AC]-*", "icx" },
	{ "GenuineIntel-6-8F-*", "spr" },
	{ "GenuineIntel-6-CF-*", "spr" },
	{ "GenuineIntel-6-3[CF]-*", "hsw" },
	{ "GenuineIntel-6-4[57F]-*", "bdw" },
	{ "GenuineIntel-6-3D-*", "bdw" },
	{ "AuthenticAMD-23-[012]?-*", "amd64_fam17h_zen1" },
	{ "AuthenticAMD-23-?-*", "amd64_fam17h_zen1" },
	{ "AuthenticAMD-23-*", "amd64_fam17h_zen2" },
	{ "AuthenticAMD-25-[167A]?-*", "amd64_fam19h_zen4" },
	{ "AuthenticAMD-25-*", "amd64_fam19h_zen3" },
	{ "0x*41?fd0c?", "arm_n1" },
	{ "0x*41?fd49?", "arm_n2" },
	{ "0x*41?fd40?", "arm_v1" },
	{ "0x*41?fd4f?", "arm_v2" },
};

static const char *forced_pmu(const char *cpuid)
{
	for (size_t i = 0; i < ARRAY_SIZE(forced); i++)
		if (!fnmatch(forced[i].cpu, cpuid, FNM_CASEFOLD))
			return forced[i].pmu;
	return "none";
}

/* The library can only be told a model by its environment. */
static bool start(struct err *e)
{
	static enum { NOT_YET, WORKS, NO_LIBRARY, NO_TABLES } state;
	char id[128];

	if (state == NO_LIBRARY)
		return err_set(e, ENOENT, "libpfm4 is not installed") == 0;
	if (state == NO_TABLES)
		return err_set(e, ENOTSUP, "libpfm does not know this CPU") == 0;
	if (state == WORKS)
		return true;
	if (!load()) {
		state = NO_LIBRARY;
		return start(e);
	}
	if (getenv("PERF_CPUID") && sys_cpu_id(id, sizeof(id)))
		setenv("LIBPFM_FORCE_PMU", forced_pmu(id), 1);
	state = pfm.initialize() == PFM_SUCCESS ? WORKS : NO_TABLES;
	return start(e);
}

bool pfm_available(void)
{
	return true;
}

int pfm_encode(const char *text, struct pfm_code *out, struct err *e)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg), .cpu = -1 };
	int rc;

	if (!start(e))
		return -1;
	if (strlen(text) >= NAME_MAX_LENGTH)
		return err_set(e, EINVAL, "too long a name of an event");
	rc = pfm.get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (rc != PFM_SUCCESS)
		return err_set(e, EINVAL, "failed to parse event %s : %s", text, pfm.strerror(rc));
	*out = (struct pfm_code){
		.type = attr.type,
		.config = attr.config,
		.config1 = attr.config1,
		.config2 = attr.config2,
		.exclude_user = attr.exclude_user,
		.exclude_kernel = attr.exclude_kernel,
		.exclude_hv = attr.exclude_hv,
		.exclude_guest = attr.exclude_guest,
		.exclude_host = attr.exclude_host,
		.pinned = attr.pinned,
		.exclusive = attr.exclusive,
		.precise = attr.precise_ip,
		.period = attr.freq ? 0 : attr.sample_period,
		.freq = attr.freq ? attr.sample_freq : 0,
		.cpu = arg.cpu,
	};
	return 0;
}

/* An event itself, or each of its unit masks. */
static void visit_event(const pfm_pmu_info_t *pmu, int idx,
			void (*visit)(void *ctx, const struct pfm_event *ev), void *ctx)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	struct pfm_event ev = { .pmu = pmu->name, .pmu_desc = pmu->desc };
	char name[NAME_MAX_LENGTH];
	char desc[2 * NAME_MAX_LENGTH];
	int masks = 0;

	if (pfm.get_event_info(idx, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS)
		return;
	ev.name = name;
	ev.desc = desc;
	for (int i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t a = { .size = sizeof(a) };

		if (pfm.get_event_attr_info(idx, i, PFM_OS_PERF_EVENT_EXT, &a) != PFM_SUCCESS ||
		    a.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s:%s", info.name, a.name);
		snprintf(desc, sizeof(desc), "%s. %s", info.desc, a.desc);
		visit(ctx, &ev);
		masks++;
	}
	if (!masks) {
		snprintf(name, sizeof(name), "%s", info.name);
		snprintf(desc, sizeof(desc), "%s", info.desc);
		visit(ctx, &ev);
	}
}

void pfm_each(void (*visit)(void *ctx, const struct pfm_event *ev), void *ctx)
{
	if (!start(NULL))
		return;
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		/* its generic and raw events are perf's own */
		if (pfm.get_pmu_info((pfm_pmu_t)i, &pmu) != PFM_SUCCESS || !pmu.is_present ||
		    pmu.type == PFM_PMU_TYPE_OS_GENERIC)
			continue;
		for (int k = pmu.first_event; k != -1; k = pfm.get_event_next(k))
			visit_event(&pmu, k, visit, ctx);
	}
}

#else

bool pfm_available(void)
{
	return false;
}

int pfm_encode(const char *text UNUSED, struct pfm_code *out UNUSED, struct err *e)
{
	return err_set(e, ENOTSUP, "this build is without libpfm4");
}

void pfm_each(void (*visit)(void *ctx, const struct pfm_event *ev) UNUSED, void *ctx UNUSED)
{
}

#endif
