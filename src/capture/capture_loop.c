/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recording itself: wait, copy the rings to the file, until something ends it.
 *
 * There is no time-out but while a storm fills small rings (see storm.h): rings wake us at their
 * watermark (half) and are read every few seconds besides, signals come through a signalfd, delays
 * and times of new files through timerfds, the end of measured tasks as hang-up of their events.
 */
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/capture_internal.h"
#include "capture/control.h"
#include "sys/end_signals.h"
#include "sys/perf_open.h"

enum wake_source {
	WAKE_SIGNAL = 1,
	WAKE_TIMER, /* the next start or end of measuring */
	WAKE_SWITCH, /* time for a new file */
	WAKE_TRIGGER,
	WAKE_CONTROL,
	WAKE_BPF, /* a program was loaded */
	WAKE_NEWCOMER, /* a program was executed */
	WAKE_NEWCOMERS_LOOK, /* at what those with another root map */
	WAKE_OFF_CPU, /* a task was off the CPU for long */
	WAKE_SUMS, /* of the shorter times */
	WAKE_ASLEEP, /* look at the stacks of tasks that sleep */
	WAKE_LOOK, /* at what is sampled: whether chains are whole */
	WAKE_SAVE, /* what rings hold that do not fill */
	WAKE_STOP,
	WAKE_CREW, /* a thread failed, or the limit is reached */
	WAKE_FD,
	WAKE_END, /* of a task; its data is another thread's, but the kernel tells only one of the
		     two of it */
};
enum {
	MAX_WAKES = 64,
	SUMS_MS = 1000,
	ASLEEP_MS = 10,
	LOOK_FIRST_MS = 50,
	LOOK_MS = 250,
	SAVE_MS = 5000,
	ONLINE_MS = 1000
};
enum { NEWCOMER_MS = 10, NEWCOMER_LOOKS = 25, NEWCOMER_LATER_MS = 250 };

static int watch(struct capture *c, int fd, enum wake_source source)
{
	struct epoll_event ev = { .events = EPOLLIN };

	ev.data.u64 = (u64)source << 32 | (u32)fd;
	return epoll_ctl(c->epoll_fd, EPOLL_CTL_ADD, fd, &ev) < 0 && errno != EEXIST ? -1 : 0;
}

static int watch_signals(struct capture *c, sigset_t *old)
{
	sigset_t set;

	end_signals_set(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, old);
	c->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->signal_fd < 0 ? -1 : watch(c, c->signal_fd, WAKE_SIGNAL);
}

/* The first event that is about the tasks. */
static size_t first_of_tasks(const struct capture *c)
{
	size_t i = 0;

	while (i + 1 < c->fds.nr_events && c->o.events->events.v[i]->system_wide)
		i++;
	return i;
}

/*
 * One fd per ring is enough to be woken: the kernel wakes everybody who waits for the ring. For
 * tasks that may end, one fd per task and CPU of the first event tells of the end.
 */
static int watch_rings(struct capture *c)
{
	bool tasks = !c->o.target->cpu_wide && !c->o.workload;
	size_t per_event = c->fds.nr_cpus * c->fds.nr_tasks;
	const int *ends = c->fds.fd + first_of_tasks(c) * per_event;

	for (size_t i = 0; !c->ring_threads && i < c->rings.nr; i++) {
		if (watch(c, c->rings.fd[i], WAKE_FD) < 0)
			return -1;
	}
	if (c->ring_threads && watch(c, ring_threads_fd(c->ring_threads), WAKE_CREW) < 0)
		return -1;
	for (size_t i = 0; i < c->trigger_rings.nr; i++) {
		if (watch(c, c->trigger_rings.fd[i], WAKE_TRIGGER) < 0)
			return -1;
	}
	for (size_t i = 0; i < c->bpf_rings.nr; i++) {
		if (watch(c, c->bpf_rings.fd[i], WAKE_BPF) < 0)
			return -1;
	}
	for (size_t i = 0; i < c->stacks.newcomers.rings.nr; i++) {
		if (watch(c, c->stacks.newcomers.rings.fd[i], WAKE_NEWCOMER) < 0)
			return -1;
	}
	if (c->off_cpu && watch(c, off_cpu_samples_fd(c->off_cpu), WAKE_OFF_CPU) < 0)
		return -1;
	if (c->stop_fd >= 0 && watch(c, c->stop_fd, WAKE_STOP) < 0)
		return -1;
	for (size_t i = 0; tasks && i < per_event; i++) {
		if (ends[i] < 0)
			continue;
		if (watch(c, ends[i], c->ring_threads ? WAKE_END : WAKE_FD) < 0)
			return -1;
		c->alive++;
	}
	return 0;
}

/* Go off after so many ms, then (unless 0) every so many. */
static int watch_timer(struct capture *c, int *fd, u64 first_ms, u64 every_ms,
		       enum wake_source source)
{
	struct itimerspec t = {
		.it_value = { .tv_sec = (time_t)(first_ms / 1000),
			      .tv_nsec = (long)(first_ms % 1000 * 1000000) },
		.it_interval = { .tv_sec = (time_t)(every_ms / 1000),
				 .tv_nsec = (long)(every_ms % 1000 * 1000000) },
	};

	if (*fd < 0)
		*fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (*fd < 0 || timerfd_settime(*fd, 0, &t, NULL) < 0)
		return -1;
	return watch(c, *fd, source);
}

static int watch_timers(struct capture *c)
{
	u64 every = c->o.cfg->switch_output.seconds * 1000;
	u64 save = c->o.cfg->round_ms ? c->o.cfg->round_ms : SAVE_MS;
	s64 delay = c->o.cfg->delay_ms;

	if (c->off_cpu && watch_timer(c, &c->sums_fd, SUMS_MS, SUMS_MS, WAKE_SUMS) < 0)
		return -1;
	if (c->off_cpu && off_cpu_samples_unwind(c->off_cpu) && c->stacks.unwinder &&
	    watch_timer(c, &c->asleep_fd, ASLEEP_MS, ASLEEP_MS, WAKE_ASLEEP) < 0)
		return -1;
	/* a recorder that is killed (out of memory, a lost machine) loses what has not been read,
	 * and half a ring can be an hour */
	if (watch_timer(c, &c->save_fd, save, save, WAKE_SAVE) < 0)
		return -1;
	/* rings would wake us after tens of thousands of samples */
	if (capture_stacks_look_again(&c->stacks) &&
	    watch_timer(c, &c->stacks.look_fd, LOOK_FIRST_MS, LOOK_MS, WAKE_LOOK) < 0)
		return -1;
	if (every && watch_timer(c, &c->switch_fd, every, every, WAKE_SWITCH) < 0)
		return -1;
	return delay > 0 ? watch_timer(c, &c->timer_fd, (u64)delay, 0, WAKE_TIMER) : 0;
}

static void on_signal(struct capture *c)
{
	struct signalfd_siginfo si;

	while (read(c->signal_fd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGUSR2) {
			c->switch_wanted |= c->o.cfg->switch_output.on_signal;
			c->snapshot_wanted |= c->aux.kind && c->o.cfg->aux_mode == AUX_SNAPSHOTS;
		} else if (si.ssi_signo != SIGCHLD) {
			c->result.signal = (int)si.ssi_signo;
			c->done = true;
		} else if (c->o.workload && workload_ended(c->o.workload, false)) {
			c->done = true;
		}
	}
}

/* A time to measure begins or ends: from, to, from, to ... */
static void on_delay_over(struct capture *c)
{
	const struct capture_config *cfg = c->o.cfg;
	bool begins = c->next_delay % 2 == 0;
	size_t i = c->next_delay++ / 2;
	u64 wait;

	capture_ioctl(c, NULL, begins ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE);
	capture_tell(c, begins ? "Events enabled" : "Events disabled");
	if (i >= cfg->nr_ranges) {
		mem_closep(&c->timer_fd);
		return;
	}
	if (!begins && i + 1 == cfg->nr_ranges) {
		c->done = true;
		return;
	}
	wait = begins ? cfg->ranges[i].to - cfg->ranges[i].from
		      : cfg->ranges[i + 1].from - cfg->ranges[i].to;
	watch_timer(c, &c->timer_fd, wait, 0, WAKE_TIMER);
}

static void read_timer(int fd)
{
	u64 times;

	(void)!read(fd, &times, sizeof(times));
}

static void on_hangup(struct capture *c, int fd)
{
	epoll_ctl(c->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
	if (c->alive && !--c->alive)
		c->done = true;
}

static void on_look(struct capture *c)
{
	read_timer(c->stacks.look_fd);
	if (!capture_stacks_look_again(&c->stacks))
		mem_closep(&c->stacks.look_fd);
	else if (c->ring_threads)
		ring_threads_look(c->ring_threads);
	c->look_due = c->stacks.look_fd >= 0;
}

/* Their stacks, while they stand still. */
static void look_at_sleepers(struct capture *c)
{
	if (!off_cpu_samples_unwind(c->off_cpu)) {
		mem_closep(&c->asleep_fd);
		return;
	}
	capture_stacks_gather(&c->stacks);
	off_cpu_samples_look(c->off_cpu, c->drain.reader.lane);
}

static void look_at_newcomers(struct capture *c)
{
	if (c->ring_threads)
		ring_threads_look(c->ring_threads);
	c->look_due = true;
}

/* It maps its libraries right away, may end soon, and may map more later. */
static void on_newcomer(struct capture *c)
{
	if (!newcomers_any_elsewhere(&c->stacks.newcomers))
		return;
	c->stacks.newcomers_looks = 0;
	watch_timer(c, &c->stacks.newcomers_fd, NEWCOMER_MS, NEWCOMER_MS, WAKE_NEWCOMERS_LOOK);
	look_at_newcomers(c);
}

static void on_newcomers_look(struct capture *c)
{
	read_timer(c->stacks.newcomers_fd);
	if (++c->stacks.newcomers_looks == NEWCOMER_LOOKS)
		watch_timer(c, &c->stacks.newcomers_fd, NEWCOMER_LATER_MS, NEWCOMER_LATER_MS,
			    WAKE_NEWCOMERS_LOOK);
	look_at_newcomers(c);
}

static void tell_lost_cpus(struct capture *c)
{
	_cleanup_(strbuf_releasep) struct strbuf cpus = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!cpu_watch_lost(&c->cpu_watch, NULL, &cpus))
		return;
	strbuf_addf(&text,
		    "warning: CPU %s went offline: nothing of it is seen from then on, not even "
		    "when it is back",
		    cpus.buf);
	capture_tell(c, text.buf);
}

static void on_save(struct capture *c)
{
	u64 round_ms = c->o.cfg->round_ms;

	read_timer(c->save_fd);
	if (c->ring_threads)
		ring_threads_look(c->ring_threads);
	c->look_due = true;
	c->round_due = round_ms != 0;
	if (!round_ms || ++c->nr_saves % (ONLINE_MS / round_ms + 1) == 0)
		tell_lost_cpus(c);
}

static void on_wake(struct capture *c, const struct epoll_event *ev)
{
	switch ((enum wake_source)(ev->data.u64 >> 32)) {
	case WAKE_SIGNAL:
		on_signal(c);
		break;
	case WAKE_TIMER:
		on_delay_over(c);
		break;
	case WAKE_SWITCH:
		read_timer(c->switch_fd);
		c->switch_wanted = true;
		break;
	case WAKE_TRIGGER:
		c->switch_wanted |= capture_drain_triggers(c);
		break;
	case WAKE_BPF:
		for (size_t i = 0; i < c->bpf_rings.nr; i++)
			bpf_programs_keep_told(&c->bpf, &c->bpf_rings.ring[i]);
		break;
	case WAKE_CONTROL:
		capture_obey(c);
		if (control_fd(c->o.control) < 0)
			epoll_ctl(c->epoll_fd, EPOLL_CTL_DEL, (int)(u32)ev->data.u64, NULL);
		break;
	case WAKE_SUMS:
		read_timer(c->sums_fd);
		c->sums_due = true;
		break;
	case WAKE_ASLEEP:
		read_timer(c->asleep_fd);
		look_at_sleepers(c);
		break;
	case WAKE_LOOK:
		on_look(c);
		break;
	case WAKE_SAVE:
		on_save(c);
		break;
	case WAKE_STOP:
		c->done = true;
		break;
	case WAKE_NEWCOMER:
		on_newcomer(c);
		break;
	case WAKE_NEWCOMERS_LOOK:
		on_newcomers_look(c);
		break;
	case WAKE_OFF_CPU:
		break;
	case WAKE_CREW:
		c->done = true;
		break;
	case WAKE_FD:
	case WAKE_END:
		if (c->ring_threads && ev->events & EPOLLIN)
			ring_threads_look(c->ring_threads);
		if (ev->events & (EPOLLHUP | EPOLLERR))
			on_hangup(c, (int)(u32)ev->data.u64);
		break;
	}
}

/*
 * The kernel tells that a ring is half full to whoever asks first, once; and that was epoll_ctl()
 * for what came before (mappings of a busy machine, while running tasks were described). A ring
 * that is full meanwhile wakes nobody again.
 */
static int read_what_came_before(struct capture *c, struct err *e)
{
	for (size_t i = 0; i < c->bpf_rings.nr; i++)
		bpf_programs_keep_told(&c->bpf, &c->bpf_rings.ring[i]);
	if (c->ring_threads)
		ring_threads_look(c->ring_threads);
	return capture_drain(c, e);
}

/* How long to sleep, ns, before the rings are looked at again; 0: until an event of epoll. */
static u64 nap_until_next_look(struct capture *c)
{
	u64 fill = 0;

	for (size_t i = 0; !c->ring_threads && i < c->rings.nr; i++)
		fill = MAX(fill, ring_head(&c->rings.ring[i]) - c->rings.ring[i].tail);
	return storm_nap(&c->storm, clock_now(), fill, c->rings.data_size);
}

static int wait_for_events(struct capture *c, struct epoll_event ev[MAX_WAKES], u64 nap)
{
	struct timespec t = { .tv_nsec = (long)nap };

	if (nap)
		nanosleep(&t, NULL);
	return epoll_wait(c->epoll_fd, ev, MAX_WAKES, nap ? 0 : -1);
}

static int record_until_done(struct capture *c, struct err *e)
{
	struct epoll_event ev[MAX_WAKES];
	u64 nap = 0;

	if (read_what_came_before(c, e) < 0)
		return -1;
	while (!c->done) {
		bool data = false, off_cpu = false;
		int n = wait_for_events(c, ev, nap);

		if (n < 0 && errno != EINTR)
			return err_sys(e, errno, "cannot wait for events");
		for (int i = 0; i < n; i++) {
			off_cpu |= ev[i].data.u64 >> 32 == WAKE_OFF_CPU;
			data |= ev[i].data.u64 >> 32 == WAKE_FD && ev[i].events & EPOLLIN;
			on_wake(c, &ev[i]);
		}
		c->result.wakeups += data;
		nap = data || nap ? nap_until_next_look(c) : 0;
		if ((data || nap || off_cpu || c->sums_due || c->look_due) &&
		    capture_drain(c, e) < 0)
			return -1;
		c->look_due = false;
		if (c->snapshot_wanted && capture_aux_snapshot(c, e) < 0)
			return -1;
		if (c->switch_wanted && !c->done && capture_switch(c, e) < 0)
			return -1;
	}
	return 0;
}

static int start(struct capture *c, struct err *e)
{
	s64 delay = c->o.cfg->delay_ms;

	if (delay)
		capture_tell(c, "Events disabled");
	if (!delay && !c->o.target->workload) /* else: enabled by the exec */
		capture_ioctl(c, NULL, PERF_EVENT_IOC_ENABLE);
	for (size_t i = 0; !delay && i < c->fds.nr_events; i++) /* by the exec, else */
		c->enabled[i] = true;
	c->measuring |= !delay;
	if (c->off_cpu && !delay && c->o.target->workload)
		off_cpu_samples_enable(c->off_cpu, true);
	if (c->o.workload && workload_start(c->o.workload, e) < 0)
		return -1;
	/* killed while it waited, before its SIGCHLD could be seen */
	if (c->o.workload && workload_ended(c->o.workload, false))
		c->done = true;
	c->started = true;
	return watch_timers(c) < 0 ? err_sys(e, errno, "cannot set a timer") : 0;
}

int capture_run(struct capture *c, struct err *e)
{
	sigset_t old;
	int r = -1;

	c->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (c->epoll_fd < 0)
		return err_sys(e, errno, "cannot create an epoll instance");
	if (c->o.target->cpu_wide)
		cpu_watch_begin(&c->cpu_watch, NULL, c->o.target->cpus, c->o.target->nr_cpus);
	if (watch_signals(c, &old) < 0 || watch_rings(c) < 0) {
		err_sys(e, errno, "cannot watch the events");
		goto out;
	}
	if (c->o.control && watch(c, control_fd(c->o.control), WAKE_CONTROL) < 0) {
		err_sys(e, errno, "cannot wait for commands of --control");
		err_hint(e, "they come through a fifo, a pipe, a socket or a terminal");
		goto out;
	}
	if ((c->ring_threads && ring_threads_start(c->ring_threads, e) < 0) || start(c, e) < 0)
		goto out;
	r = record_until_done(c, e);
	if (c->asleep_fd >= 0)
		look_at_sleepers(c);
	tell_lost_cpus(c);
	capture_ioctl(c, NULL, PERF_EVENT_IOC_DISABLE);
	if (c->o.workload)
		workload_halt(c->o.workload); /* collected by capture_finish() */
	c->result.wakeups++; /* perf counts the last look too */
	if (c->ring_threads && ring_threads_stop(c->ring_threads, r ? NULL : e) < 0)
		r = -1;
	c->sums_due = true;
	if (!r)
		r = capture_drain(c, e);
	if (!r)
		r = capture_drain_flight(c, e);
	if (!r && c->aux.kind && c->o.cfg->aux_last_snapshot)
		r = aux_areas_snapshot(&c->aux, c->w, e);
	if (!r)
		r = capture_write_lost(c, e);
out:
	sigprocmask(SIG_SETMASK, &old, NULL);
	return r;
}
