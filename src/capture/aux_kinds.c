/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/aux_kinds.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/log.h"
#include "capture/address_filter.h"
#include "capture/aux_coresight.h"
#include "perfdata/writer.h"
#include "sys/cpu_id.h"
#include "sys/limits.h"

enum {
	SAMPLE_MAX = 60 << 10, /* the rest of a record's 64 KB is for its other fields */
	AREA_DEFAULT = 4 << 20,
	AREA_UNPRIVILEGED = 128 << 10,
	AREA_QUARTER = 4,
	SPE_INTERVAL = 4096, /* where the PMU does not tell its minimum */
};

/* What defaults depend on. */
struct aux_choice {
	const struct capture_config *cfg;
	const struct capture_target *target;
	struct pmu_catalog *pmus;
	const struct pmu *pmu;
};

struct aux_kind {
	const char *prefix; /* of the PMU's name */
	u32 type; /* of AUXTRACE_INFO */
	bool tsc; /* its clock is the CPU's counter */
	bool switches; /* the context switches of all tasks are recorded beside it */
	bool text_poke; /* changes of the kernel's code are recorded where its code is traced */
	bool watermark; /* the kernel is told when to wake us */
	bool no_snapshots;
	void (*defaults)(struct event *ev, const struct aux_choice *c);
	/* what samples and the event that gets records about tasks need, NULL = as others */
	void (*samples)(struct event *ev, struct event *tracking,
			const struct capture_target *target);
	int (*describe)(const struct aux_facts *f, struct strbuf *words, struct err *e);
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

/* The given value, or the nearest lower one of those that the bits of caps/FILE (in hexadecimal)
 * say. */
static u64 nearest(struct pmu_catalog *pmus, const struct pmu *pmu, const char *file, u64 value)
{
	u64 valid;

	if (!pmu_cap_hex(pmus, pmu, file, &valid))
		return 0;
	while (value && !(valid >> value & 1))
		value--;
	return value;
}

static void pt_defaults(struct event *ev, const struct aux_choice *c)
{
	enum { PERIOD = 3 };
	struct pmu_catalog *pmus = c->pmus;
	const struct pmu *pmu = c->pmu;
	u64 mtc = 0, psb = 0;

	ev->attr.exclude_guest &= ev->guest_given;
	set_default(ev, pmu, "tsc", 1);
	set_default(ev, pmu, "pt", 1);
	set_default(ev, pmu, "branch", 1);
	if (pmu_cap(pmus, pmu, "mtc", &mtc) && mtc) {
		set_default(ev, pmu, "mtc", 1);
		set_default(ev, pmu, "mtc_period", nearest(pmus, pmu, "mtc_periods", PERIOD));
		/* a sample must hold a synchronisation packet */
		if (c->cfg->aux_mode != AUX_SAMPLES && pmu_cap(pmus, pmu, "psb_cyc", &psb) && psb)
			set_default(ev, pmu, "psb_period",
				    nearest(pmus, pmu, "psb_periods", PERIOD));
	}
}

static void spe_defaults(struct event *ev, const struct aux_choice *c)
{
	u64 interval = 0;

	if (!c->target->per_thread)
		set_default(ev, c->pmu, "ts_enable", 1);
	if (c->cfg->period || ev->terms.has_period)
		return;
	if (!pmu_cap(c->pmus, c->pmu, "min_interval", &interval) || !interval)
		interval = SPE_INTERVAL;
	ev->attr.sample_period = interval;
}

static void coresight_defaults(struct event *ev, const struct aux_choice *c)
{
	/* only they tell whose trace it is, and when */
	if (c->target->per_thread)
		return;
	set_default(ev, c->pmu, "contextid", 1);
	set_default(ev, c->pmu, "timestamp", 1);
}

static void timed_samples(struct event *ev, struct event *tracking,
			  const struct capture_target *target)
{
	if (target->per_thread)
		return;
	ev->attr.sample_type |= PERF_SAMPLE_CPU;
	tracking->attr.sample_type |= PERF_SAMPLE_CPU;
}

static void spe_samples(struct event *ev, struct event *tracking,
			const struct capture_target *target)
{
	enum { ADDRESSES = 1 << 1 }; /* pa_enable */

	timed_samples(ev, tracking, target);
	ev->attr.sample_type |= PERF_SAMPLE_DATA_SRC;
	if (ev->attr.config & ADDRESSES)
		ev->attr.sample_type |= PERF_SAMPLE_PHYS_ADDR;
	tracking->attr.context_switch = !target->per_thread;
}

static void coresight_samples(struct event *ev, struct event *tracking,
			      const struct capture_target *target UNUSED)
{
	ev->attr.sample_type |= PERF_SAMPLE_CPU;
	tracking->attr.context_switch = 1;
}

static void clock_words(const struct aux_facts *f, struct strbuf *words)
{
	enum { CAP_TIME_ZERO = 1 << 4 };
	bool known = f->page->capabilities & CAP_TIME_ZERO;

	feature_add_u64(words, f->pmu->type);
	feature_add_u64(words, known ? f->page->time_shift : 0);
	feature_add_u64(words, known ? f->page->time_mult : 0);
	feature_add_u64(words, known ? f->page->time_zero : 0);
	feature_add_u64(words, known);
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

/* Its length, and it with the NUL and what fills up the last word. */
static void filter_words(const char *filter, struct strbuf *words)
{
	static const char zeros[sizeof(u64)];
	size_t len = filter ? strlen(filter) : 0;

	feature_add_u64(words, len);
	if (!len)
		return;
	strbuf_add(words, filter, len);
	strbuf_add(words, zeros, ALIGN_UP(len + 1, sizeof(u64)) - len);
}

static int pt_describe(const struct aux_facts *f, struct strbuf *words, struct err *e UNUSED)
{
	enum { SWITCHES_OF_ALL_TASKS = 3 };
	u64 ratio = 0, event_trace = 0, numerator, denominator;

	clock_words(f, words);
	crystal(&numerator, &denominator);
	pmu_file_number(f->pmus, f->pmu, "max_nonturbo_ratio", &ratio);
	pmu_cap(f->pmus, f->pmu, "event_trace", &event_trace);
	feature_add_u64(words, mask_of(f->pmu, "tsc"));
	feature_add_u64(words, mask_of(f->pmu, "noretcomp"));
	feature_add_u64(words, f->switches ? SWITCHES_OF_ALL_TASKS : 0);
	feature_add_u64(words, f->snapshots);
	feature_add_u64(words, f->per_cpu);
	feature_add_u64(words, mask_of(f->pmu, "mtc"));
	feature_add_u64(words, mask_of(f->pmu, "mtc_period"));
	feature_add_u64(words, numerator);
	feature_add_u64(words, denominator);
	feature_add_u64(words, mask_of(f->pmu, "cyc"));
	feature_add_u64(words, ratio);
	filter_words(f->ev->filter, words);
	feature_add_u64(words, event_trace);
	return 0;
}

static int bts_describe(const struct aux_facts *f, struct strbuf *words, struct err *e UNUSED)
{
	clock_words(f, words);
	feature_add_u64(words, f->snapshots);
	return 0;
}

static bool on_cpu(const struct pmu *pmu, u32 cpu)
{
	for (size_t i = 0; i < pmu->nr_cpus; i++) {
		if (pmu->cpus[i] == cpu)
			return true;
	}
	return !pmu->cpus;
}

/* Readers before 6.13 know it alone. */
static int spe_describe_old(const struct aux_facts *f, struct strbuf *words)
{
	feature_add_u64(words, f->pmu->type);
	feature_add_u64(words, 0);
	return 0;
}

static int spe_describe(const struct aux_facts *f, struct strbuf *words, struct err *e UNUSED)
{
	enum { VERSION = 2, HEADER_WORDS = 4, CPU_WORDS = 4 };
	const u64 magic = 0x1010101010101010ULL, none = ~0ULL;
	u64 interval = 0, events = 0;

	if (f->kernel < SYS_KERNEL(6, 13))
		return spe_describe_old(f, words);
	pmu_cap(f->pmus, f->pmu, "min_interval", &interval);
	pmu_cap_hex(f->pmus, f->pmu, "event_filter", &events);
	feature_add_u64(words, VERSION);
	feature_add_u64(words, HEADER_WORDS);
	feature_add_u64(words, f->pmu->type);
	feature_add_u64(words, f->nr_cpus);
	for (size_t i = 0; i < f->nr_cpus; i++) {
		bool here = on_cpu(f->pmu, f->cpus[i]);

		feature_add_u64(words, magic);
		feature_add_u64(words, f->cpus[i]);
		feature_add_u64(words, CPU_WORDS);
		feature_add_u64(words, sys_cpu_midr(f->sysfs, f->cpus[i]));
		feature_add_u64(words, here ? f->pmu->type : none);
		feature_add_u64(words, here ? interval : 0);
		feature_add_u64(words, here ? events : 0);
	}
	return 0;
}

static int ptt_describe(const struct aux_facts *f, struct strbuf *words, struct err *e UNUSED)
{
	feature_add_u64(words, f->pmu->type);
	return 0;
}

static const struct aux_kind kinds[] = {
	{ .prefix = "intel_pt",
	  .type = 1,
	  .tsc = true,
	  .switches = true,
	  .text_poke = true,
	  .watermark = true,
	  .defaults = pt_defaults,
	  .samples = timed_samples,
	  .describe = pt_describe },
	{ .prefix = "intel_bts",
	  .type = 2,
	  .tsc = true,
	  .switches = true,
	  .watermark = true,
	  .samples = timed_samples,
	  .describe = bts_describe },
	{ .prefix = "arm_spe_",
	  .type = 4,
	  .defaults = spe_defaults,
	  .samples = spe_samples,
	  .describe = spe_describe },
	{ .prefix = "cs_etm",
	  .type = 3,
	  .defaults = coresight_defaults,
	  .samples = coresight_samples,
	  .describe = coresight_describe },
	{ .prefix = "hisi_ptt", .type = 6, .no_snapshots = true, .describe = ptt_describe },
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
static u32 sample_size(const struct event *ev, const struct event *aux,
		       const struct capture_config *cfg)
{
	if (ev == aux)
		return 0;
	if (ev->terms.has_aux_sample_size)
		return ev->terms.aux_sample_size;
	return aux && ev->leader == aux ? cfg->aux_sample_size : 0;
}

/* Without the option terms alone sample. */
static bool any_sampled(const struct event_list *l, const struct event *aux,
			const struct capture_config *cfg)
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
			return err_set(e, EINVAL, "an AUX area sample has at most %d bytes",
				       SAMPLE_MAX);
	}
	if (cfg->aux_pages && cfg->aux_snapshot_size > cfg->aux_pages * page)
		return err_set(e, EINVAL,
			       "a snapshot of %llu bytes is larger than the AUX area (-m ,%u)",
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
	if (aux_kind_of(aux)->no_snapshots && cfg->aux_mode == AUX_SNAPSHOTS)
		return err_set(e, EINVAL, "No AUX area tracing to snapshot");
	VEC_FOR(&l->events, p) {
		if (*p != aux && aux_kind_of(*p))
			return !strcmp(aux->pmu_name, (*p)->pmu_name)
				       ? err_set(e, EINVAL, "There may be only one %s event",
						 aux->pmu_name)
				       : err_set(e, EINVAL, "%s and %s may not be used together",
						 aux->pmu_name, (*p)->pmu_name);
	}
	if (cfg->aux_sample_size && !any_sampled(l, aux, cfg))
		return err_set(
			e, EINVAL,
			"AUX area sampling requires an AUX area event group leader plus other "
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
		if (ev->attr.aux_sample_size && ev->leader == ev && ev->nr_members == 1 &&
		    aux->leader == aux) {
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

bool aux_wants_switches(const struct event *ev)
{
	return aux_kind_of(ev)->switches;
}

bool aux_wants_text_poke(const struct event *ev)
{
	return aux_kind_of(ev)->text_poke;
}

void aux_configure(struct event *ev, struct event *tracking, const struct capture_config *cfg,
		   const struct capture_target *target)
{
	const struct aux_kind *kind = aux_kind_of(ev);
	struct perf_event_attr *attr = &ev->attr;
	struct pmu_catalog pmus;
	struct pmu *pmu;

	attr->sample_type &= ~(u64)(PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
				    PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_INTR |
				    PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr->branch_sample_type = 0;
	attr->sample_regs_intr = attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	attr->sample_max_stack = 0;
	attr->write_backward = 0;
	attr->freq = 0;
	attr->sample_period = ev->terms.has_period ? ev->terms.period
			      : cfg->period        ? cfg->period
						   : 1;
	if (kind->watermark && cfg->aux_mode == AUX_WHOLE)
		attr->aux_watermark = (u32)MIN(aux_area_size(cfg) / AREA_QUARTER,
					       (size_t)UINT32_MAX);
	pmu_catalog_init(&pmus, NULL);
	pmu = pmu_find(&pmus, ev->pmu_name);
	if (pmu && kind->defaults) {
		struct aux_choice choice = {
			.cfg = cfg, .target = target, .pmus = &pmus, .pmu = pmu
		};

		pmu_load(&pmus, pmu);
		kind->defaults(ev, &choice);
	}
	pmu_catalog_release(&pmus);
	if (kind->samples)
		kind->samples(ev, tracking, target);
	tracking->attr.context_switch &= !cfg->no_switch_events;
}

/* As the kernel takes it. */
static int resolve_filter(struct event *ev, struct pmu_catalog *pmus, const struct pmu *pmu,
			  struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	u64 most = 0;
	int nr;

	pmu_file_number(pmus, pmu, "nr_addr_filters", &most);
	if (!most)
		return err_set(e, ENOTSUP, "'%s' has no address filters (--filter)", ev->pmu_name);
	nr = address_filter_resolve(ev->filter, &out, e);
	if (nr < 0)
		return -1;
	if ((u64)nr > most)
		return err_set(e, EINVAL, "'%s' has %llu address filters, not %d", ev->pmu_name,
			       (unsigned long long)most, nr);
	free(ev->filter);
	ev->filter = nr ? strbuf_detach(&out) : NULL;
	if (nr)
		log_info("Address filter: %s", ev->filter);
	return 0;
}

int aux_prepare(struct event *ev, const struct capture_target *target, struct err *e)
{
	struct pmu_catalog pmus;
	struct aux_facts f = {
		.pmus = &pmus, .ev = ev, .cpus = target->cpus, .nr_cpus = target->nr_cpus
	};
	struct pmu *pmu;
	int r = 0;

	pmu_catalog_init(&pmus, NULL);
	pmu = pmu_find(&pmus, ev->pmu_name);
	if (pmu && ev->filter)
		r = resolve_filter(ev, &pmus, pmu, e);
	if (pmu && !r && aux_kind_of(ev)->describe == coresight_describe) {
		pmu_load(&pmus, pmu);
		f.pmu = pmu;
		r = coresight_choose_sink(ev, &pmus, pmu, e);
		r = r < 0 ? r : coresight_check(&f, e);
	}
	pmu_catalog_release(&pmus);
	return r;
}

int aux_describe(const struct aux_kind *kind, const struct aux_facts *f, u32 *type,
		 struct strbuf *words, struct err *e)
{
	enum { ROOM = (1 << 16) - 16 - 8 };

	*type = kind->type;
	if (kind->describe(f, words, e) < 0)
		return -1;
	if (words->len > ROOM)
		return err_set(
			e, E2BIG,
			"the description of %zu CPUs does not fit into a record (choose some by -C)",
			f->nr_cpus);
	return 0;
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
