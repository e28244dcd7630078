/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records that stand before and behind the samples: ids, existing state, losses.
 */
#include <unistd.h>

#include "capture/capture_internal.h"
#include "capture/records.h"
#include "capture/synth.h"
#include "sys/limits.h"

enum { ANY = -1 };

static void add_id_index(struct capture *c, struct records *r)
{
	const struct capture_target *t = c->o.target;
	VEC(struct records_id) out = { 0 };
	size_t i = 0;

	for (size_t ev = 0; ev < c->fds.nr_events; ev++) {
		bool everybody = t->cpu_wide || c->o.events->events.v[ev]->system_wide;

		for (size_t cpu = 0; cpu < c->fds.nr_cpus; cpu++) {
			for (size_t task = 0; task < c->fds.nr_tasks; task++, i++) {
				if (c->fds.fd[i] < 0)
					continue;
				*VEC_PUSH(&out) = (struct records_id){
					.id = c->ids[i],
					.idx = t->per_thread ? task : cpu,
					.cpu = t->per_thread ? (u64)(s64)ANY : t->cpus[cpu],
					.tid = everybody ? (u64)(s64)ANY : (u64)t->tasks.v[task],
				};
			}
		}
	}
	records_id_index(r, out.v, out.nr);
	vec_free(&out);
}

static u64 first_id(const struct capture *c, size_t ev)
{
	size_t per_event = c->fds.nr_cpus * c->fds.nr_tasks;

	for (size_t i = 0; i < per_event; i++) {
		if (c->fds.fd[ev * per_event + i] >= 0)
			return c->ids[ev * per_event + i];
	}
	return 0;
}

/* What the attributes do not say: unit, scale, CPUs; in a stream also the names. */
static void add_event_updates(struct capture *c, struct records *r)
{
	for (size_t ev = 0; ev < c->fds.nr_events; ev++) {
		const struct event *event = c->o.events->events.v[ev];
		u64 id = first_id(c, ev);

		if (event->unit && event->unit[0])
			records_event_update_text(r, UPDATE_UNIT, id, event->unit);
		if (event->scale != 1.0 && event->scale != 0.0)
			records_event_update_scale(r, id, event->scale);
		if (event->cpus && event->nr_cpus)
			records_event_update_cpus(r, id, event->cpus, event->nr_cpus);
		if (writer_is_pipe(c->w))
			records_event_update_text(r, UPDATE_NAME, id, event->name);
	}
}

static void add_thread_map(struct capture *c, struct records *r, struct sys_proc *proc)
{
	const struct capture_target *t = c->o.target;
	size_t nr = t->cpu_wide ? 1 : t->tasks.nr;
	s32 *pids = XNEW_ARRAY(s32, nr ? nr : 1);
	char(*comms)[16] = xcalloc(nr ? nr : 1, sizeof(*comms));

	if (t->cpu_wide)
		pids[0] = ANY;
	for (size_t i = 0; i < nr && !t->cpu_wide; i++) {
		pids[i] = t->tasks.v[i];
		/* the waiting workload's name means nothing */
		if (!t->workload)
			sys_proc_comm(proc, pids[i], comms[i], sizeof(comms[i]));
	}
	records_thread_map(r, pids, (const char(*)[16])comms, nr);
	free(pids);
	free(comms);
}

/* Synthesised map records are also what samples will be looked up in. */
static void learn_record(struct capture *c, const struct perf_event_header *h)
{
	if (c->drain.touched && (h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2))
		touched_add_map(c->drain.touched, h);
	capture_stacks_tell(&c->stacks, h);
}

static int learn_records(void *ctx, const void *data, size_t len, struct err *e UNUSED)
{
	struct capture *c = ctx;
	const u8 *p = data;

	for (size_t at = 0; at < len;) {
		const struct perf_event_header *h = (const void *)(p + at);

		learn_record(c, h);
		if (h->size < sizeof(*h))
			break;
		at += h->size;
	}
	return 0;
}

static int take_records(void *ctx, const void *data, size_t len, struct err *e)
{
	struct capture *c = ctx;

	learn_records(ctx, data, len, e);
	return writer_append(c->w, data, len, e);
}

static int add_auxtrace_info(struct capture *c, struct records *r, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf words = STRBUF_INIT;
	const struct event *ev = aux_event_of(c->o.events);
	struct pmu_catalog pmus;
	struct aux_facts f = { .pmus = &pmus,
			       .ev = ev,
			       .page = c->rings.ring[0].page,
			       .cpus = c->o.target->cpus,
			       .nr_cpus = c->o.target->nr_cpus,
			       .snapshots = c->o.cfg->aux_mode == AUX_SNAPSHOTS,
			       .per_cpu = !c->o.target->per_thread,
			       .kernel = sys_kernel_version() };
	struct pmu *pmu;
	int ret = 0;
	u32 type;

	VEC_FOR(&c->o.events->events, other)
		f.switches |= (*other)->attr.context_switch;
	pmu_catalog_init(&pmus, NULL);
	pmu = pmu_find(&pmus, ev->pmu_name);
	if (pmu) {
		pmu_load(&pmus, pmu);
		f.pmu = pmu;
		ret = aux_describe(c->aux.kind, &f, &type, &words, e);
		if (!ret)
			records_auxtrace_info(r, type, &words);
	}
	pmu_catalog_release(&pmus);
	return ret;
}

static int write_all_state(struct capture *c, struct synth *s, struct err *e)
{
	const struct capture_target *t = c->o.target;

	add_id_index(c, &s->rec);
	if (c->rings.nr)
		records_time_conv(&s->rec, c->rings.ring[0].page);
	if (c->aux.kind && add_auxtrace_info(c, &s->rec, e) < 0)
		return -1;
	if (synth_kernel(s, e) < 0 || synth_modules(s, e) < 0)
		return -1;
	add_event_updates(c, &s->rec);
	add_thread_map(c, &s->rec, &s->proc);
	records_cpu_map(&s->rec, t->cpus, t->nr_cpus);
	if (synth_bpf(s, &c->bpf, e) < 0 || synth_cgroups(s, e) < 0 || synth_tasks(s, t, e) < 0)
		return -1;
	records_empty(&s->rec, PERF_RECORD_FINISHED_INIT);
	return synth_flush(s, e);
}

static int describe(struct capture *c,
		    int (*flush)(void *ctx, const void *data, size_t len, struct err *e),
		    struct err *e)
{
	const struct capture_config *cfg = c->o.cfg;
	struct synth s;
	size_t trailer = records_trailer_size(c->o.tracking->attr.sample_type);
	/* where stacks are unwound their addresses come along; the mappings of all tasks are for
	 * who asked for them */
	bool data_maps = c->o.tracking->attr.mmap_data &&
			 (!c->stacks.unwinder || cfg->addr || cfg->data_maps);
	int r;

	if (!synth_init(&s, cfg, trailer, data_maps))
		return err_set(e, 0, "cannot open '/proc'");
	s.workload_runs = c->started;
	s.flush = flush;
	s.ctx = c;
	r = write_all_state(c, &s, e);
	c->result.kernel_hidden = s.kernel_hidden;
	synth_release(&s);
	return r;
}

int capture_write_state(struct capture *c, struct err *e)
{
	u64 before = writer_data_size(c->w);
	int r = describe(c, take_records, e);

	c->state_size = writer_data_size(c->w) - before;
	return r;
}

int capture_learn_state(struct capture *c, struct err *e)
{
	capture_stacks_restart(&c->stacks);
	return describe(c, learn_records, e);
}

/* PERF_FORMAT_LOST is the last word of a single value, of each value in a group. */
static u64 lost_of_fd(const struct event *ev, int fd)
{
	u64 format = ev->attr.read_format;
	u64 v[5] = { 0 };
	ssize_t words = 2 + !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			!!(format & PERF_FORMAT_TOTAL_TIME_RUNNING) + !!(format & PERF_FORMAT_ID);

	if (!(format & PERF_FORMAT_LOST) || format & PERF_FORMAT_GROUP)
		return 0;
	if (read(fd, v, sizeof(v)) != words * 8)
		return 0;
	return v[words - 1];
}

/* Where in the grid of descriptors the first one of the event is. */
static size_t first_open(const struct capture_fds *fds, size_t event)
{
	size_t per_event = fds->nr_cpus * fds->nr_tasks;

	for (size_t i = 0; i < per_event; i++) {
		if (fds->fd[event * per_event + i] >= 0)
			return event * per_event + i;
	}
	return event * per_event;
}

int capture_write_lost(struct capture *c, struct err *e)
{
	struct records r = { .out = STRBUF_INIT };
	size_t i = 0;
	u64 total = 0;
	int ret = 0;

	for (size_t ev = 0; ev < c->fds.nr_events; ev++) {
		const struct event *event = c->o.events->events.v[ev];
		size_t per_event = c->fds.nr_cpus * c->fds.nr_tasks;
		u64 filtered = capture_filters_dropped(&c->filters, ev);

		c->result.filtered += filtered;
		if (filtered)
			records_lost_samples(&r, PERF_RECORD_MISC_LOST_SAMPLES_BPF,
					     event->attr.sample_type,
					     c->ids[first_open(&c->fds, ev)], filtered);
		for (size_t n = 0; n < per_event; n++, i++) {
			u64 lost = c->fds.fd[i] < 0 ? 0 : lost_of_fd(event, c->fds.fd[i]);

			if (lost <= c->lost[i])
				continue;
			lost -= c->lost[i];
			c->lost[i] += lost;
			total += lost;
			records_lost_samples(&r, 0, event->attr.sample_type, c->ids[i], lost);
		}
	}
	/* the same losses seen from both ends; either may have missed some */
	c->result.lost = MAX(total, c->drain.stats.lost);
	if (r.out.len)
		ret = writer_append(c->w, r.out.buf, r.out.len, e);
	strbuf_release(&r.out);
	return ret;
}
