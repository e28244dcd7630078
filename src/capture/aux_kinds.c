/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/aux_kinds.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "sys/limits.h"

enum {
	SAMPLE_DEFAULT = 4096, SAMPLE_MAX = 60 << 10, /* the rest of a record's 64 KB is for its other fields */
	AREA_DEFAULT = 4 << 20, AREA_UNPRIVILEGED = 128 << 10,
	AREA_QUARTER = 4,
	SPE_INTERVAL = 1024, /* where the PMU does not tell its minimum */
};

struct aux_kind {
	const char *prefix; /* of the PMU's name */
	u32 type;	    /* of AUXTRACE_INFO */
	bool tsc;	    /* its clock is the CPU's counter */
	void (*defaults)(struct event *ev, const struct capture_config *cfg, struct pmu_catalog *pmus,
			 const struct pmu *pmu);
	size_t (*describe)(const struct aux_facts *f, u64 *words); /* NULL = not known */
};

static u64 mask_of(const struct pmu *pmu, const char *format)
{
	const struct pmu_format *f = pmu_find_format(pmu, format);

	return f && f->word == PMU_CONFIG ? f->mask : 0;
}

/* Unless the user chose. */
static void set_default(struct event *ev, const struct pmu *pmu, const char *format, u64 value)
{
	const struct pmu_format *f = pmu_find_format(pmu, format);

	if (f && f->word == PMU_CONFIG && !(ev->config_given & f->mask))
		pmu_format_set(f, value, &ev->attr);
}

/* The given value, or the nearest lower one of those that the bits of caps/FILE (in hexadecimal) say. */
static u64 nearest(struct pmu_catalog *pmus, const struct pmu *pmu, const char *file, u64 value)
{
	u64 valid;

	if (!pmu_cap_hex(pmus, pmu, file, &valid))
		return 0;
	while (value && !(valid >> value & 1))
		value--;
	return value;
}

static void pt_defaults(struct event *ev, const struct capture_config *cfg, struct pmu_catalog *pmus,
			const struct pmu *pmu)
{
	enum { PERIOD = 3 };
	u64 mtc = 0, psb = 0;

	ev->attr.exclude_guest &= ev->guest_given;
	set_default(ev, pmu, "tsc", 1);
	set_default(ev, pmu, "pt", 1);
	set_default(ev, pmu, "branch", 1);
	if (pmu_cap(pmus, pmu, "mtc", &mtc) && mtc) {
		set_default(ev, pmu, "mtc", 1);
		set_default(ev, pmu, "mtc_period", nearest(pmus, pmu, "mtc_periods", PERIOD));
		/* a sample must hold a synchronisation packet */
		if (cfg->aux_mode != AUX_SAMPLES && pmu_cap(pmus, pmu, "psb_cyc", &psb) && psb)
			set_default(ev, pmu, "psb_period", nearest(pmus, pmu, "psb_periods", PERIOD));
	}
}

static void spe_defaults(struct event *ev, const struct capture_config *cfg, struct pmu_catalog *pmus,
			 const struct pmu *pmu)
{
	u64 interval = 0;

	set_default(ev, pmu, "ts_enable", 1);
	if (cfg->period || ev->terms.has_period)
		return;
	if (!pmu_cap(pmus, pmu, "min_interval", &interval) || !interval)
		interval = SPE_INTERVAL;
	ev->attr.sample_period = interval;
}

static size_t clock_words(const struct aux_facts *f, u64 *w)
{
	enum { CAP_TIME_ZERO = 1 << 4 };
	bool known = f->page->capabilities & CAP_TIME_ZERO;

	w[0] = f->pmu->type;
	w[1] = known ? f->page->time_shift : 0;
	w[2] = known ? f->page->time_mult : 0;
	w[3] = known ? f->page->time_zero : 0;
	w[4] = known;
	return 5;
}

/* Ticks of the counter and of the crystal that drives it. */
static void crystal(u64 *numerator, u64 *denominator)
{
	*numerator = *denominator = 0;
#if defined(__x86_64__)
	{
		enum { CRYSTAL_LEAF = 0x15 };
		unsigned int a, b, c, d;

		if (__get_cpuid(CRYSTAL_LEAF, &a, &b, &c, &d)) {
			*numerator = b;
			*denominator = a;
		}
	}
#endif
}

static size_t pt_describe(const struct aux_facts *f, u64 *w)
{
	enum { SWITCHES_OF_ALL_TASKS = 3 };
	u64 ratio = 0, event_trace = 0;
	size_t n = clock_words(f, w);

	pmu_file_number(f->pmus, f->pmu, "max_nonturbo_ratio", &ratio);
	pmu_cap(f->pmus, f->pmu, "event_trace", &event_trace);
	w[n++] = mask_of(f->pmu, "tsc");
	w[n++] = mask_of(f->pmu, "noretcomp");
	w[n++] = f->switches ? SWITCHES_OF_ALL_TASKS : 0;
	w[n++] = f->snapshots;
	w[n++] = f->per_cpu;
	w[n++] = mask_of(f->pmu, "mtc");
	w[n++] = mask_of(f->pmu, "mtc_period");
	crystal(&w[n], &w[n + 1]);
	n += 2;
	w[n++] = mask_of(f->pmu, "cyc");
	w[n++] = ratio;
	w[n++] = 0; /* bytes of the address filter, which would follow */
	w[n++] = event_trace;
	return n;
}

static size_t bts_describe(const struct aux_facts *f, u64 *w)
{
	size_t n = clock_words(f, w);

	w[n++] = f->snapshots;
	return n;
}

static size_t spe_describe(const struct aux_facts *f, u64 *w)
{
	w[0] = f->pmu->type;
	w[1] = f->per_cpu;
	return 2;
}

static const struct aux_kind kinds[] = {
	{ "intel_pt", 1, true, pt_defaults, pt_describe },
	{ "intel_bts", 2, true, NULL, bts_describe },
	{ "arm_spe_", 4, false, spe_defaults, spe_describe },
	{ "cs_etm", 3, false, NULL, NULL },
	{ "hisi_ptt", 6, false, NULL, NULL },
};

const struct aux_kind *aux_kind_of(const struct event *ev)
{
	for (size_t i = 0; ev->pmu_name && i < ARRAY_SIZE(kinds); i++) {
		if (!strncmp(ev->pmu_name, kinds[i].prefix, strlen(kinds[i].prefix)))
			return &kinds[i];
	}
	return NULL;
}

struct event *aux_event_of(const struct event_list *l)
{
	VEC_FOR(&l->events, ev) {
		if (aux_kind_of(*ev))
			return *ev;
	}
	return NULL;
}

/* Bytes of AUX area that the event's samples carry; a term says more than the option. */
static u32 sample_size(const struct event *ev, const struct event *aux, const struct capture_config *cfg)
{
	if (ev == aux)
		return 0;
	if (ev->terms.has_aux_sample_size)
		return ev->terms.aux_sample_size;
	return aux && ev->leader == aux ? cfg->aux_sample_size : 0;
}

/* Without the option terms alone sample. */
static bool any_sampled(const struct event_list *l, const struct event *aux, const struct capture_config *cfg)
{
	VEC_FOR(&l->events, ev) {
		if (sample_size(*ev, aux, cfg))
			return true;
	}
	return false;
}

static int check_sizes(const struct event_list *l, const struct capture_config *cfg, struct err *e)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE);

	if (cfg->aux_mode == AUX_SNAPSHOTS && any_sampled(l, aux_event_of(l), cfg))
		return err_set(e, EINVAL, "--snapshot and --aux-sample cannot be used together");
	if (cfg->aux_sample_size > SAMPLE_MAX)
		return err_set(e, EINVAL, "an AUX area sample has at most %d bytes", SAMPLE_MAX);
	VEC_FOR(&l->events, ev) {
		if ((*ev)->terms.aux_sample_size > SAMPLE_MAX)
			return err_set(e, EINVAL, "an AUX area sample has at most %d bytes", SAMPLE_MAX);
	}
	if (cfg->aux_pages && cfg->aux_snapshot_size > cfg->aux_pages * page)
		return err_set(e, EINVAL, "a snapshot of %llu bytes is larger than the AUX area (-m ,%u)",
			       (unsigned long long)cfg->aux_snapshot_size, cfg->aux_pages);
	if (cfg->aux_pages == 1 && cfg->aux_mode == AUX_WHOLE)
		return err_set(e, EINVAL, "an AUX area has at least 2 pages (-m ,2)");
	return 0;
}

int aux_check(const struct event_list *l, const struct capture_config *cfg, struct err *e)
{
	const struct event *aux = aux_event_of(l);

	if (!aux && cfg->aux_mode == AUX_SNAPSHOTS)
		return err_set(e, EINVAL, "No AUX area tracing to snapshot");
	if (!aux && (cfg->aux_sample_size || any_sampled(l, NULL, cfg)))
		return err_set(e, EINVAL, "No AUX area event to sample");
	if (!aux)
		return 0;
	if (!aux_kind_of(aux)->describe)
		return err_set(e, ENOTSUP, "AUX area tracing by '%s' is not supported yet", aux->pmu_name);
	if (aux->filter)
		return err_set(e, ENOTSUP, "address filters ('%s') are not supported yet", aux->name);
	VEC_FOR(&l->events, p) {
		if (*p != aux && aux_kind_of(*p))
			return err_set(e, EINVAL, "%s and %s may not be used together", aux->pmu_name,
				       (*p)->pmu_name);
	}
	if (cfg->aux_sample_size && !any_sampled(l, aux, cfg))
		return err_set(e, EINVAL, "AUX area sampling requires an AUX area event group leader plus other "
			       "events to which to add samples");
	return check_sizes(l, cfg, e);
}

/* Before all others, as decoders find it in perf's files. */
static void move_to_front(struct event_list *l, const struct event *leader)
{
	struct event **sorted = XNEW_ARRAY(struct event *, l->events.nr);
	size_t n = 0;

	VEC_FOR(&l->events, ev) {
		if ((*ev)->leader == leader)
			sorted[n++] = *ev;
	}
	VEC_FOR(&l->events, ev) {
		if ((*ev)->leader != leader)
			sorted[n++] = *ev;
	}
	memcpy(l->events.v, sorted, n * sizeof(*sorted));
	free(sorted);
	for (size_t i = 0; i < n; i++)
		l->events.v[i]->index = (u32)i;
}

void aux_arrange(struct event_list *l, struct capture_config *cfg)
{
	struct event *aux = aux_event_of(l);

	if (!aux)
		return;
	VEC_FOR(&l->events, p) {
		struct event *ev = *p;

		ev->attr.aux_sample_size = sample_size(ev, aux, cfg);
		/* the kernel wants them in one group */
		if (ev->attr.aux_sample_size && ev->leader == ev && ev->nr_members == 1 && aux->leader == aux) {
			ev->leader = aux;
			aux->nr_members++;
		}
	}
	if (any_sampled(l, aux, cfg))
		cfg->aux_mode = AUX_SAMPLES;
	move_to_front(l, aux->leader);
}

size_t aux_area_size(const struct capture_config *cfg)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = page;
	struct sys_limits limits;

	if (cfg->aux_pages)
		return cfg->aux_pages * page;
	while (size < cfg->aux_snapshot_size)
		size *= 2;
	if (cfg->aux_snapshot_size)
		return size;
	sys_limits_read(&limits, NULL);
	return limits.cap_ipc_lock || limits.paranoid < 0 ? AREA_DEFAULT : AREA_UNPRIVILEGED;
}

void aux_configure(struct event *ev, const struct capture_config *cfg)
{
	const struct aux_kind *kind = aux_kind_of(ev);
	struct perf_event_attr *attr = &ev->attr;
	struct pmu_catalog pmus;
	struct pmu *pmu;

	attr->sample_type &= ~(u64)(PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK |
				    PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr->branch_sample_type = 0;
	attr->sample_regs_intr = attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	attr->sample_max_stack = 0;
	attr->write_backward = 0;
	attr->freq = 0;
	attr->sample_period = ev->terms.has_period ? ev->terms.period : cfg->period ? cfg->period : 1;
	if (cfg->aux_mode == AUX_WHOLE)
		attr->aux_watermark = (u32)MIN(aux_area_size(cfg) / AREA_QUARTER, (size_t)UINT32_MAX);
	pmu_catalog_init(&pmus, NULL);
	pmu = pmu_find(&pmus, ev->pmu_name);
	if (pmu && kind->defaults) {
		pmu_load(&pmus, pmu);
		kind->defaults(ev, cfg, &pmus, pmu);
	}
	pmu_catalog_release(&pmus);
}

size_t aux_describe(const struct aux_kind *kind, const struct aux_facts *f, u32 *type, u64 words[AUX_INFO_WORDS])
{
	*type = kind->type;
	return kind->describe(f, words);
}

u64 aux_reference(const struct aux_kind *kind)
{
	struct timespec ts = { 0 };

#if defined(__x86_64__)
	if (kind->tsc)
		return __builtin_ia32_rdtsc();
#endif
	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return kind->tsc ? 0 : (u64)ts.tv_sec * 1000000000ULL + (u64)ts.tv_nsec;
}
