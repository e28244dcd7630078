/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/capture.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/compare.h"
#include "capture/attr.h"
#include "capture/capture_internal.h"
#include "capture/event_programs.h"
#include "capture/features.h"
#include "capture/late_close.h"
#include "capture/note_id.h"
#include "sys/perf_open.h"

struct capture *capture_new(const struct capture_opts *opts)
{
	struct capture *c = XNEW(struct capture);

	event_list_init(&c->bpf_events);
	capture_stacks_init(&c->stacks);
	c->aux.index = (struct strbuf)STRBUF_INIT;
	c->o = *opts;
	if (opts->cfg->affinity != CAPTURE_AFFINITY_SYS)
		sys_topology_read(&c->topology, NULL);
	c->signal_fd = -1;
	c->timer_fd = -1;
	c->switch_fd = -1;
	c->sums_fd = -1;
	c->asleep_fd = -1;
	c->epoll_fd = -1;
	c->save_fd = -1;
	c->stop_fd = opts->cfg->round_ms ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
	return c;
}

void capture_free(struct capture *c)
{
	if (!c)
		return;
	ring_threads_free(c->ring_threads);
	off_cpu_samples_free(c->off_cpu);
	capture_filters_release(&c->filters);
	stack_reader_release(&c->drain.reader);
	aux_areas_unmap(&c->aux);
	capture_rings_unmap(&c->rings);
	capture_rings_unmap(&c->flight);
	capture_rings_unmap(&c->trigger_rings);
	capture_rings_unmap(&c->bpf_rings);
	capture_stacks_release(&c->stacks);
	mem_closep(&c->save_fd);
	mem_closep(&c->stop_fd);
	capture_fds_release(&c->fds);
	capture_fds_release(&c->trigger_fds);
	capture_fds_release(&c->bpf_fds);
	event_list_release(&c->bpf_events);
	bpf_programs_release(&c->bpf);
	touched_release(&c->touched);
	sys_topology_release(&c->topology);
	vec_free(&c->timeless);
	free(c->ids);
	free(c->lost);
	free(c->enabled);
	mem_closep(&c->signal_fd);
	mem_closep(&c->timer_fd);
	mem_closep(&c->switch_fd);
	mem_closep(&c->sums_fd);
	mem_closep(&c->asleep_fd);
	mem_closep(&c->epoll_fd);
	cpu_watch_release(&c->cpu_watch);
	free(c);
}

void capture_stop(struct capture *c)
{
	u64 once = 1;

	(void)!write(c->stop_fd, &once, sizeof(once));
}

void capture_close_late(struct capture *c)
{
	size_t each = c->fds.nr_cpus * c->fds.nr_tasks;
	struct late_close late;

	late_close_begin(&late, c->o.events);
	for (size_t i = 0; i < c->fds.nr_events; i++)
		late_close_add(&late, c->o.events->events.v[i], c->fds.fd + i * each, each);
	late_close_end(&late);
}

static size_t nr_fds(const struct capture *c)
{
	return c->fds.nr_events * c->fds.nr_cpus * c->fds.nr_tasks;
}

static int read_ids(struct capture *c, struct err *e)
{
	c->ids = XNEW_ARRAY(u64, nr_fds(c) ? nr_fds(c) : 1);
	c->lost = XNEW_ARRAY(u64, nr_fds(c) ? nr_fds(c) : 1);
	c->enabled = XNEW_ARRAY(bool, c->fds.nr_events + 1);
	for (size_t i = 0; i < nr_fds(c); i++) {
		int r = c->fds.fd[i] < 0
				? 0
				: sys_perf_ioctl(c->fds.fd[i], PERF_EVENT_IOC_ID, &c->ids[i]);

		if (r)
			return err_sys(e, -r, "cannot ask for the id of an event");
	}
	return 0;
}

static int map_rings(struct capture *c, struct err *e)
{
	struct rings_opts opts = { .pages = c->o.cfg->mmap_pages,
				   .per_thread = c->o.target->per_thread,
				   .deep = c->o.cfg->deep_rings,
				   .aux = aux_event_of(c->o.events) };

	VEC_FOR(&c->o.events->events, ev)
		opts.large_samples |= (*ev)->attr.sample_stack_user != 0 || (*ev)->watched;
	if (!opts.per_thread)
		opts.cpus = c->o.target->cpus;
	if (capture_rings_map(&c->rings, &c->fds, c->o.events, RINGS_FORWARD, &opts, e) < 0 ||
	    (opts.aux && aux_areas_map(&c->aux, &c->rings, opts.aux, c->o.cfg, c->o.target, e) < 0))
		return -1;
	c->result.aux_size = c->aux.size;
	/* one budget for both */
	if (c->rings.nr)
		opts.pages = (u32)(c->rings.data_size / (size_t)sysconf(_SC_PAGESIZE));
	return capture_rings_map(&c->flight, &c->fds, c->o.events, RINGS_BACKWARD, &opts, e);
}

/* The events that begin a new file: on every CPU, each of them wakes us. */
static int open_triggers(struct capture *c, struct strbuf *why, struct err *e)
{
	static const struct rings_opts opts = { .pages = 1 };
	struct capture_target everything = { .cpu_wide = true };
	int r;

	if (!c->o.triggers)
		return 0;
	if (capture_target_cpus(&everything, NULL, e) < 0)
		return -1;
	r = capture_open(&c->trigger_fds, c->o.triggers, &everything, c->o.log, why, e);
	capture_target_release(&everything);
	if (r < 0)
		return -1;
	return capture_rings_map(&c->trigger_rings, &c->trigger_fds, c->o.triggers, RINGS_FORWARD,
				 &opts, e);
}

/* Of some event the rings have what was long ago. */
static bool keeps_latest(const struct event_list *events)
{
	VEC_FOR(&events->events, ev) {
		if ((*ev)->attr.write_backward)
			return true;
	}
	return false;
}

/*
 * An event on every CPU that wakes us for each BPF program: it may be gone before the end. Not for
 * a stream, whose features come first. Those who may not ask the kernel about programs need none.
 */
static int watch_bpf(struct capture *c, struct err *e)
{
	static const struct rings_opts opts = { .pages = 4 };
	struct capture_target everything = { .cpu_wide = true };
	struct strbuf why = STRBUF_INIT;
	struct event *ev;
	int r;

	if (c->o.cfg->no_bpf || c->o.cfg->to_pipe || geteuid())
		return 0;
	if (capture_target_cpus(&everything, NULL, e) < 0)
		return -1;
	ev = event_list_add(&c->bpf_events, "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	ev->attr.sample_id_all = 1;
	ev->attr.bpf_event = 1;
	ev->attr.watermark = 1;
	ev->attr.wakeup_watermark = 1;
	r = capture_open(&c->bpf_fds, &c->bpf_events, &everything, c->o.log, &why, NULL);
	capture_target_release(&everything);
	strbuf_release(&why);
	if (r < 0) /* a root without the privilege */
		return 0;
	return capture_rings_map(&c->bpf_rings, &c->bpf_fds, &c->bpf_events, RINGS_FORWARD, &opts,
				 e);
}

static void set_off_cpu_id(struct capture *c)
{
	size_t per_event = c->fds.nr_cpus * c->fds.nr_tasks;

	VEC_FOR(&c->o.events->events, ev) {
		for (size_t i = 0; (*ev)->off_cpu && i < per_event; i++) {
			if (c->fds.fd[(*ev)->index * per_event + i] >= 0)
				off_cpu_samples_set_id(c->off_cpu,
						       c->ids[(*ev)->index * per_event + i]);
		}
	}
}

static void open_stacks(struct capture *c)
{
	const struct capture_stacks_opts opts = {
		.choice = { .events = c->o.events,
			    .fds = &c->fds,
			    .target = c->o.target,
			    .ring_size = capture_ring_size(c),
			    .enabled = c->enabled,
			    .code_notes = c->o.code_notes,
			    .tell = c->o.tell,
			    .tell_ctx = c->o.tell_ctx },
		.ids = c->ids,
		.unwinder = { .events = c->o.events,
			      .tracking = c->o.tracking,
			      .keep_regs = c->o.cfg->user_regs != 0,
			      .rings = c->rings.ring,
			      .nr_rings = c->rings.nr,
			      .plain_maps = !c->o.cfg->moved_text,
			      .buildid_dir = c->o.cfg->buildid_dir,
			      .keep_ended = keeps_latest(c->o.events) },
		.keeps_files = c->o.keeps_files,
		.inherit = !c->o.cfg->no_inherit && !c->o.target->per_thread,
		.nr_flight = c->flight.nr,
	};

	capture_stacks_open(&c->stacks, &opts);
	stack_reader_open(&c->drain.reader, &c->stacks, &c->rings,
			  (struct unwind_rings){ NULL, 0 });
}

void capture_gather_evidence(struct capture *c, struct chain_evidence *sum)
{
	if (c->drain.reader.lane)
		unwind_lane_add_evidence(c->drain.reader.lane, sum);
	if (c->drain.reader.lane && c->ring_threads)
		ring_threads_add_evidence(c->ring_threads, sum);
}

static int set_programs(const struct capture *c, struct err *e)
{
	const struct capture_fds *fds = &c->fds;
	struct event_fds *all = XNEW_ARRAY(struct event_fds, MAX(fds->nr_events, (size_t)1));
	int r;

	for (size_t i = 0; i < fds->nr_events; i++)
		all[i] = (struct event_fds){ .event = c->o.events->events.v[i],
					     .fds = capture_fd(fds, i, 0, 0),
					     .nr_cpus = fds->nr_cpus,
					     .nr_tasks = fds->nr_tasks };
	r = event_programs_set(all, fds->nr_events, c->o.target, e);
	free(all);
	return r;
}

int capture_prepare(struct capture *c, struct strbuf *why, struct err *e)
{
	if (capture_open(&c->fds, c->o.events, c->o.target, c->o.log, why, e) < 0 ||
	    capture_filters_set(&c->filters, &c->fds, c->o.events, e) < 0 || set_programs(c, e) < 0)
		return -1;
	if (c->o.cfg->off_cpu) {
		c->off_cpu = off_cpu_samples_new(c->o.events, c->o.cfg, c->o.target, e);
		if (!c->off_cpu)
			return -1;
	}
	if (map_rings(c, e) < 0 || open_triggers(c, why, e) < 0 || watch_bpf(c, e) < 0)
		return -1;
	c->result.ring_size = capture_ring_size(c);
	if (read_ids(c, e) < 0)
		return -1;
	open_stacks(c);
	if (c->off_cpu)
		set_off_cpu_id(c);
	return 0;
}

size_t capture_ring_size(const struct capture *c)
{
	return MAX(c->rings.data_size, c->flight.data_size);
}

bool capture_event_on(const struct capture *c, const struct event *ev, size_t i, u32 *cpu, int *fd)
{
	if (i >= c->o.target->nr_cpus || i >= c->fds.nr_cpus)
		return false;
	*cpu = c->o.target->cpus[i];
	*fd = *capture_fd(&c->fds, ev->index, i, 0);
	return true;
}

static void add_events(struct capture *c)
{
	size_t per_event = c->fds.nr_cpus * c->fds.nr_tasks;
	u64 *ids = XNEW_ARRAY(u64, 2 * per_event + 1);

	for (size_t ev = 0; ev < c->fds.nr_events; ev++) {
		const struct event *event = c->o.events->events.v[ev];
		struct perf_event_attr attr = event->attr;
		size_t n = 0;

		capture_stacks_file_attr(&c->stacks, event, &attr);
		for (size_t i = 0; i < per_event; i++) {
			if (c->fds.fd[ev * per_event + i] >= 0)
				ids[n++] = c->ids[ev * per_event + i];
		}
		n += capture_stacks_spare_ids(&c->stacks, event->index, ids + n);
		writer_add_event(c->w, &attr, event->name, ids, n);
	}
	free(ids);
}

static u64 clock_ns(clockid_t id)
{
	struct timespec ts = { 0 };

	clock_gettime(id, &ts);
	return (u64)ts.tv_sec * 1000000000ULL + (u64)ts.tv_nsec;
}

static int write_features(struct capture *c, bool at_begin, struct err *e)
{
	struct feature_ctx ctx = {
		.cfg = c->o.cfg,
		.events = c->o.events,
		.writer = c->w,
		.stats = &c->result.stats,
		.bpf = &c->bpf,
		.touched = c->o.build_id_section && !at_begin ? &c->touched : NULL,
		.version = c->o.version,
		.argv = c->o.argv,
		.ring_size = capture_ring_size(c),
		.directory = c->ring_threads != NULL,
		.ratio = at_begin ? writer_ratio(c->w) : c->result.ratio,
		.clock_ns = c->clock_ns,
		.wall_ns = c->wall_ns,
	};
	struct chain_evidence sum = { .looked = 0 };
	int r;

	capture_gather_evidence(c, &sum);
	ctx.code_notes = stack_choice_notes(&c->stacks.choice,
					    at_begin || !c->drain.reader.lane ? NULL : &sum);
	chain_evidence_release(&sum);
	/* larger ones take over from others of the same kind: cut stacks are longer than either */
	if (!c->stacks.choice.spare.larger) {
		ctx.copy_size = c->stacks.choice.spare.copy_size;
		spare_events_id_range(&c->stacks.choice.spare, &ctx.first_copy_id,
				      &ctx.last_copy_id);
	}
	if (!c->o.cfg->no_bpf)
		bpf_programs_keep_loaded(&c->bpf);
	sys_topology_read(&ctx.topology, NULL);
	r = features_write(&ctx, c->w, at_begin, e);
	sys_topology_release(&ctx.topology);
	return r;
}

/* One layout for all events; those whose samples have no time, though others' have, are told apart
 * by id. */
static void set_layout(struct capture *c)
{
	size_t per_event = c->fds.nr_cpus * c->fds.nr_tasks;
	u64 all = c->o.tracking->attr.sample_type;

	for (size_t ev = 0; ev < c->fds.nr_events; ev++)
		all |= c->o.events->events.v[ev]->attr.sample_type & PERF_SAMPLE_TIME;
	c->drain.layout = drain_layout_of(all);
	vec_free(&c->timeless);
	for (size_t ev = 0; all & PERF_SAMPLE_TIME && ev < c->fds.nr_events; ev++) {
		for (size_t i = 0; i < per_event; i++)
			if (!(c->o.events->events.v[ev]->attr.sample_type & PERF_SAMPLE_TIME))
				*VEC_PUSH(&c->timeless) = c->ids[ev * per_event + i];
	}
	if (c->timeless.nr)
		qsort(c->timeless.v, c->timeless.nr, sizeof(u64), by_u64);
	c->drain.timeless = c->timeless.v;
	c->drain.nr_timeless = c->timeless.nr;
}

int capture_begin(struct capture *c, struct perfdata_writer *w, struct err *e)
{
	const struct capture_config *cfg = c->o.cfg;

	c->w = w;
	if (cfg->use_clockid) {
		c->clock_ns = clock_ns(cfg->clockid);
		c->wall_ns = clock_ns(CLOCK_REALTIME);
	}
	set_layout(c);
	c->drain.stats = (struct drain_stats){ 0 };
	touched_release(&c->touched);
	c->touched.keeps_files = c->o.keeps_files;
	if (c->o.build_id_section)
		c->drain.touched = &c->touched;
	aux_areas_restart(&c->aux);
	capture_stacks_begin_file(&c->stacks);
	add_events(c);
	if (writer_begin(w, e) < 0)
		return -1;
	if (writer_is_pipe(w) && write_features(c, true, e) < 0)
		return -1;
	if (c->o.ring_threads && !c->ring_threads)
		c->ring_threads = ring_threads_new(c, c->o.ring_threads, e);
	if (c->o.ring_threads && !c->ring_threads)
		return -1;
	if (!cfg->tail_synth) {
		capture_stacks_restart(&c->stacks);
		return capture_write_state(c, e);
	}
	return c->stacks.unwinder ? capture_learn_state(c, e) : 0;
}

/* Objects without a build id from the kernel are asked for theirs now. */
static void complete_build_ids(struct capture *c)
{
	struct touched *t = &c->touched;

	touched_resolve(t, c->o.build_id_all);
	VEC_FOR(&t->objects, o) {
		const char *name = intern_str(&t->names, o->name);
		struct note_id id = { 0 };

		if (!o->hit || o->build_id_size)
			continue;
		if (!strcmp(name, "[vdso]"))
			note_id_of_vdso(&id);
		else if (o->fd >= 0)
			note_id_from_fd(o->fd, &id);
		else if (o->cpumode != PERF_RECORD_MISC_KERNEL)
			note_id_from_path(name, o->pid, 0, &id);
		else if (!strcmp(name, "[kernel.kallsyms]"))
			note_id_of_kernel(NULL, &id);
		o->build_id_size = id.size;
		memcpy(o->build_id, id.data, sizeof(o->build_id));
	}
}

static int write_aux_index(struct capture *c, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf body = STRBUF_INIT;

	aux_areas_feature(&c->aux, &body);
	return body.len ? writer_feature(c->w, FEAT_AUXTRACE, body.buf, body.len, e) : 0;
}

int capture_finish(struct capture *c, struct err *e)
{
	struct perfdata_writer *w = c->w;
	int r = 0;

	if (!w)
		return 0;
	if (c->o.cfg->tail_synth)
		r = capture_write_state(c, e);
	if (c->done && c->o.workload)
		workload_stop(c->o.workload);
	c->w = NULL;
	r |= writer_drain(w, r ? NULL : e);
	c->result.stats = c->drain.stats;
	if (c->off_cpu)
		c->result.off_cpu_lost = off_cpu_samples_losses(c->off_cpu);
	c->result.bytes = writer_data_size(w);
	c->result.ratio = writer_ratio(w);
	if (c->ring_threads) {
		c->result.bytes += ring_threads_bytes(c->ring_threads);
		c->result.ratio.original += ring_threads_ratio(c->ring_threads).original;
		c->result.ratio.compressed += ring_threads_ratio(c->ring_threads).compressed;
	}
	if (!writer_is_pipe(w)) {
		c->w = w;
		if (c->o.build_id_section)
			complete_build_ids(c);
		r |= write_aux_index(c, r ? NULL : e);
		r |= write_features(c, false, r ? NULL : e);
		c->w = NULL;
	}
	return writer_finish(w, r ? NULL : e) < 0 ? -1 : r;
}

const struct capture_result *capture_result(const struct capture *c)
{
	return &c->result;
}

const char *const *capture_code_notes(const struct capture *c)
{
	return c->stacks.choice.all.v;
}

const struct touched *capture_touched(const struct capture *c)
{
	return &c->touched;
}
