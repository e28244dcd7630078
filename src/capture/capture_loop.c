/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recording itself: wait, copy the rings to the file, until something ends it.
 *
 * There is no time-out anywhere: rings wake us at their watermark (half), signals come through a
 * signalfd, the start delay through a timerfd, the end of measured tasks as hang-up of their events.
 */
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "capture/capture_internal.h"
#include "sys/perf_open.h"

enum wake_source { WAKE_SIGNAL = 1, WAKE_TIMER = 2, WAKE_FD = 3 };
enum { MAX_WAKES = 64, DRAIN_PIECE = 128 << 10 };

static int watch(struct capture *c, int fd, enum wake_source source)
{
	struct epoll_event ev = { .events = EPOLLIN };

	ev.data.u64 = (u64)source << 32 | (u32)fd;
	return epoll_ctl(c->epoll_fd, EPOLL_CTL_ADD, fd, &ev) < 0 && errno != EEXIST ? -1 : 0;
}

static int watch_signals(struct capture *c, sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, old);
	c->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->signal_fd < 0 ? -1 : watch(c, c->signal_fd, WAKE_SIGNAL);
}

/*
 * One fd per ring is enough to be woken: the kernel wakes everybody who waits for the ring. For
 * tasks that may end, one fd per task and CPU of the first event tells of the end.
 */
static int watch_rings(struct capture *c)
{
	bool tasks = !c->o.target->cpu_wide && !c->o.workload;
	size_t per_event = c->fds.nr_cpus * c->fds.nr_tasks;

	for (size_t i = 0; i < c->rings.nr; i++) {
		if (watch(c, c->rings.fd[i], WAKE_FD) < 0)
			return -1;
	}
	for (size_t i = 0; tasks && i < per_event; i++) {
		if (c->fds.fd[i] < 0)
			continue;
		if (watch(c, c->fds.fd[i], WAKE_FD) < 0)
			return -1;
		c->alive++;
	}
	return 0;
}

static int watch_delay(struct capture *c)
{
	s64 ms = c->o.cfg->delay_ms;
	struct itimerspec t = { .it_value = { .tv_sec = ms / 1000,
					      .tv_nsec = ms % 1000 * 1000000 } };

	if (ms <= 0)
		return 0;
	c->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (c->timer_fd < 0 || timerfd_settime(c->timer_fd, 0, &t, NULL) < 0)
		return -1;
	return watch(c, c->timer_fd, WAKE_TIMER);
}

/* Group members follow their leader. */
static void for_all_leaders(struct capture *c, unsigned long request)
{
	size_t per_event = c->fds.nr_cpus * c->fds.nr_tasks;

	for (size_t ev = 0; ev < c->fds.nr_events; ev++) {
		const struct event *event = c->o.events->events.v[ev];

		for (size_t i = 0; event->leader == event && i < per_event; i++) {
			int fd = c->fds.fd[ev * per_event + i];

			if (fd >= 0)
				sys_perf_ioctl(fd, request, NULL);
		}
	}
}

/*
 * Hand over in pieces: what is written is free for the kernel again while the rest is still being
 * copied. The scan has just brought a piece into the cache when write() reads it.
 */
static int drain_ring(struct capture *c, struct ring *r, bool *any, struct err *e)
{
	u64 head = ring_head(r);

	*any |= head != r->tail;
	while (r->tail != head) {
		struct iovec iov[2];
		u64 end = drain_scan(&c->drain, r, r->tail, head, r->tail + DRAIN_PIECE);
		int nr = ring_pieces(r, r->tail, end, iov);

		if (nr && writer_append_data(c->w, iov, nr, e) < 0)
			return -1;
		/* what cannot be understood is skipped: the kernel starts afresh at head */
		ring_consume(r, nr ? end : head);
	}
	return 0;
}

static int drain_all(struct capture *c, struct err *e)
{
	static const struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND,
							.size = sizeof(round) };
	u64 max = c->o.cfg->max_size;
	bool any = false;

	for (size_t i = 0; i < c->rings.nr; i++) {
		if (drain_ring(c, &c->rings.ring[i], &any, e) < 0)
			return -1;
	}
	if (any && writer_append(c->w, &round, sizeof(round), e) < 0)
		return -1;
	if (writer_flush(c->w, e) < 0)
		return -1;
	if (max && writer_data_size(c->w) >= max) {
		c->result.max_size_reached = true;
		c->done = true;
	}
	return 0;
}

static void on_signal(struct capture *c)
{
	struct signalfd_siginfo si;

	while (read(c->signal_fd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo != SIGCHLD) {
			c->result.signal = (int)si.ssi_signo;
			c->done = true;
		} else if (c->o.workload && workload_reap(c->o.workload, false)) {
			c->done = true;
		}
	}
}

static void on_delay_over(struct capture *c)
{
	mem_closep(&c->timer_fd);
	for_all_leaders(c, PERF_EVENT_IOC_ENABLE);
	capture_tell(c, "Events enabled");
}

static void on_hangup(struct capture *c, int fd)
{
	epoll_ctl(c->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
	if (c->alive && !--c->alive)
		c->done = true;
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
	case WAKE_FD:
		if (ev->events & (EPOLLHUP | EPOLLERR))
			on_hangup(c, (int)(u32)ev->data.u64);
		break;
	}
}

static int record_until_done(struct capture *c, struct err *e)
{
	struct epoll_event ev[MAX_WAKES];

	while (!c->done) {
		bool data = false;
		int n = epoll_wait(c->epoll_fd, ev, MAX_WAKES, -1);

		if (n < 0 && errno != EINTR)
			return err_sys(e, errno, "cannot wait for events");
		for (int i = 0; i < n; i++) {
			data |= ev[i].data.u64 >> 32 == WAKE_FD && ev[i].events & EPOLLIN;
			on_wake(c, &ev[i]);
		}
		c->result.wakeups += data;
		if (data && drain_all(c, e) < 0)
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
		for_all_leaders(c, PERF_EVENT_IOC_ENABLE);
	if (c->o.workload && workload_start(c->o.workload, e) < 0)
		return -1;
	/* killed while it waited, before its SIGCHLD could be seen */
	if (c->o.workload && workload_reap(c->o.workload, false))
		c->done = true;
	return watch_delay(c) < 0 ? err_sys(e, errno, "cannot set a timer") : 0;
}

int capture_run(struct capture *c, struct err *e)
{
	sigset_t old;
	int r = -1;

	c->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (c->epoll_fd < 0)
		return err_sys(e, errno, "cannot create an epoll instance");
	if (watch_signals(c, &old) < 0 || watch_rings(c) < 0) {
		err_sys(e, errno, "cannot watch the events");
		goto out;
	}
	if (start(c, e) < 0)
		goto out;
	r = record_until_done(c, e);
	for_all_leaders(c, PERF_EVENT_IOC_DISABLE);
	if (c->o.workload)
		workload_stop(c->o.workload);
	c->result.wakeups++; /* perf counts the last look too */
	if (!r)
		r = drain_all(c, e);
	if (!r)
		r = capture_write_lost(c, e);
	c->result.stats = c->drain.stats;
out:
	sigprocmask(SIG_SETMASK, &old, NULL);
	return r;
}
