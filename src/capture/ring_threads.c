/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/ring_threads.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "capture/capture_internal.h"

enum { MAX_WAKES = 64, STOP = ~0U, LOOK = STOP - 1 };

struct ring_thread {
	struct ring_threads *all;
	const struct layout_thread *place;
	pthread_t thread;
	bool started;
	int epoll_fd, stop_fd;
	int look_fd; /* another wants this one's rings to be read now */
	VEC(size_t) rings; /* which of the capture's */
	struct drain drain;
	struct touched touched;
	u64 wakeups;
	struct err err; /* why it ended early */
	bool failed;
};

struct ring_threads {
	struct capture *c;
	struct ring_thread *members;
	size_t nr;
	struct perfdata_writer **writers; /* by ring */
	int tell_fd;
	_Atomic u64 written; /* roughly, for config.max_size */
	u64 bytes;
	struct writer_ratio ratio;
};

static int open_files(struct ring_threads *all, const struct ring_threads_opts *opts, struct err *e)
{
	for (size_t i = 0; i < all->c->rings.nr; i++) {
		_cleanup_(mem_freep) char *path = xasprintf("%s/data.%zu", opts->directory, i);
		struct perfdata_writer_opts w = {
			.path = path, .fd = -1, .bare = true, .level = opts->level
		};

		if (perfdata_writer_open(&all->writers[i], &w, e) < 0 ||
		    writer_begin(all->writers[i], e) < 0)
			return -1;
	}
	return 0;
}

static int watch(struct ring_thread *m, int fd, u32 what)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u32 = what };

	return epoll_ctl(m->epoll_fd, EPOLL_CTL_ADD, fd, &ev);
}

static int set_up(struct ring_thread *m, struct ring_threads *all,
		  const struct layout_thread *place)
{
	*m = (struct ring_thread){ .all = all, .place = place, .err = ERR_INIT };
	m->drain.layout = all->c->drain.layout;
	m->drain.timeless = all->c->drain.timeless;
	m->drain.nr_timeless = all->c->drain.nr_timeless;
	m->drain.touched = all->c->drain.touched ? &m->touched : NULL;
	m->touched.keeps_files = all->c->o.keeps_files;
	m->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	m->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	m->look_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (m->epoll_fd < 0 || m->stop_fd < 0 || m->look_fd < 0)
		return -1;
	return watch(m, m->stop_fd, STOP) < 0 ? -1 : watch(m, m->look_fd, LOOK);
}

struct ring_threads *ring_threads_new(struct capture *c, const struct ring_threads_opts *opts,
				      struct err *e)
{
	struct ring_threads *all = XNEW(struct ring_threads);
	const struct capture_rings *r = &c->rings;

	all->c = c;
	all->nr = opts->layout->threads.nr;
	all->ratio.level = opts->level;
	all->tell_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	all->members = XNEW_ARRAY(struct ring_thread, all->nr);
	all->writers = XNEW_ARRAY(struct perfdata_writer *, r->nr ? r->nr : 1);
	if (all->tell_fd < 0)
		goto fail;
	for (size_t i = 0; i < all->nr; i++) {
		if (set_up(&all->members[i], all, &opts->layout->threads.v[i]) < 0)
			goto fail;
	}
	for (size_t i = 0; i < r->nr; i++) {
		struct ring_thread *m = &all->members[layout_reader_of(opts->layout, r->cpu[i])];

		*VEC_PUSH(&m->rings) = i;
		if (watch(m, r->fd[i], (u32)i) < 0)
			goto fail;
	}
	for (size_t i = 0; i < all->nr; i++) {
		struct ring_thread *m = &all->members[i];

		stack_reader_open(&m->drain.reader, &c->stacks, r,
				  (struct unwind_rings){ m->rings.v, m->rings.nr });
	}
	if (open_files(all, opts, e) == 0)
		return all;
	ring_threads_free(all);
	return NULL;
fail:
	err_sys(e, errno, "cannot watch the events");
	ring_threads_free(all);
	return NULL;
}

int ring_threads_fd(const struct ring_threads *all)
{
	return all->tell_fd;
}

static void wake(int fd)
{
	u64 one = 1;

	(void)!write(fd, &one, sizeof(one));
}

static void tell(struct ring_threads *all)
{
	wake(all->tell_fd);
}

void ring_threads_look(struct ring_threads *all)
{
	for (size_t i = 0; i < all->nr; i++)
		wake(all->members[i].look_fd);
}

static int drain_member(struct ring_thread *m, struct err *e)
{
	struct ring_threads *all = m->all;
	u64 max = all->c->o.cfg->max_size;

	if (capture_look_ahead(all->c, &m->drain, m->rings.v, m->rings.nr))
		ring_threads_look(all);
	VEC_FOR(&m->rings, i) {
		struct perfdata_writer *w = all->writers[*i];
		u64 before = writer_data_size(w);
		bool any = false;

		if (capture_drain_ring(all->c, &m->drain, w, *i, &any, e) < 0 ||
		    writer_flush(w, e) < 0)
			return -1;
		if (atomic_fetch_add(&all->written, writer_data_size(w) - before) >= max && max)
			tell(all);
	}
	return 0;
}

/* Only a hint: a CPU that went away does not stop the reading. */
static void take_place(const struct layout_cpus *cpus)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t i = 0; i < cpus->nr; i++) {
		if (cpus->v[i] < CPU_SETSIZE)
			CPU_SET(cpus->v[i], &set);
	}
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static void settle(int fd)
{
	u64 times;

	(void)!read(fd, &times, sizeof(times));
}

static void *member_main(void *arg)
{
	struct ring_thread *m = arg;
	struct epoll_event ev[MAX_WAKES];
	bool stop = false;

	take_place(&m->place->runs_on);
	while (!stop) {
		int n = epoll_wait(m->epoll_fd, ev, MAX_WAKES, -1);
		bool data = false, look = false;

		if (n < 0 && errno != EINTR)
			break; /* the rest is read at the end */
		for (int i = 0; i < n; i++) {
			u32 ring = ev[i].data.u32;

			stop |= ring == STOP;
			look |= ring == LOOK;
			data |= ring < LOOK && ev[i].events & EPOLLIN;
			/* the measured task ended: its ring is read once more at the end */
			if (ring < LOOK && ev[i].events & (EPOLLHUP | EPOLLERR))
				epoll_ctl(m->epoll_fd, EPOLL_CTL_DEL, m->all->c->rings.fd[ring],
					  NULL);
		}
		m->wakeups += data;
		if (look)
			settle(m->look_fd);
		if ((data || look || stop) && drain_member(m, &m->err) < 0) {
			m->failed = true;
			tell(m->all);
			break;
		}
	}
	return NULL;
}

int ring_threads_start(struct ring_threads *all, struct err *e)
{
	sigset_t every, old;
	int r = 0;

	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &old);
	for (size_t i = 0; i < all->nr && !r; i++) {
		r = pthread_create(&all->members[i].thread, NULL, member_main, &all->members[i]);
		all->members[i].started = !r;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r ? err_sys(e, r, "cannot start a thread") : 0;
}

static void join_all(struct ring_threads *all)
{
	for (size_t i = 0; i < all->nr; i++) {
		if (all->members[i].started)
			wake(all->members[i].stop_fd);
	}
	for (size_t i = 0; i < all->nr; i++) {
		if (all->members[i].started)
			pthread_join(all->members[i].thread, NULL);
		all->members[i].started = false;
	}
}

static int close_file(struct ring_threads *all, size_t i, struct err *e)
{
	struct perfdata_writer *w = all->writers[i];
	struct writer_ratio ratio;
	int r;

	if (!w)
		return 0;
	all->writers[i] = NULL;
	r = writer_drain(w, e);
	ratio = writer_ratio(w);
	all->bytes += writer_data_size(w);
	all->ratio.original += ratio.original;
	all->ratio.compressed += ratio.compressed;
	return writer_finish(w, r ? NULL : e) < 0 ? -1 : r;
}

int ring_threads_stop(struct ring_threads *all, struct err *e)
{
	struct capture *c = all->c;
	int r = 0;

	join_all(all);
	for (size_t i = 0; i < all->nr; i++) {
		struct ring_thread *m = &all->members[i];

		drain_merge(&c->drain, &m->drain);
		c->result.wakeups += m->wakeups;
		if (m->failed && !r) {
			*e = m->err;
			r = -1;
		}
	}
	for (size_t i = 0; i < c->rings.nr; i++) {
		if (close_file(all, i, r ? NULL : e) < 0)
			r = -1;
	}
	c->result.max_size_reached = !r && c->o.cfg->max_size &&
				     atomic_load(&all->written) >= c->o.cfg->max_size;
	return r;
}

void ring_threads_add_evidence(struct ring_threads *all, struct chain_evidence *sum)
{
	for (size_t i = 0; i < all->nr; i++)
		unwind_lane_add_evidence(all->members[i].drain.reader.lane, sum);
}

void ring_threads_judge_anew(struct ring_threads *all, bool of_copies)
{
	for (size_t i = 0; i < all->nr; i++)
		unwind_lane_judge_anew(all->members[i].drain.reader.lane, of_copies);
}

u64 ring_threads_bytes(const struct ring_threads *all)
{
	return all->bytes;
}

struct writer_ratio ring_threads_ratio(const struct ring_threads *all)
{
	return all->ratio;
}

void ring_threads_free(struct ring_threads *all)
{
	if (!all)
		return;
	join_all(all);
	for (size_t i = 0; i < all->nr; i++) {
		struct ring_thread *m = &all->members[i];

		if (!m->all)
			continue;
		mem_closep(&m->epoll_fd);
		mem_closep(&m->stop_fd);
		mem_closep(&m->look_fd);
		vec_free(&m->rings);
		touched_release(&m->touched);
		stack_reader_release(&m->drain.reader);
	}
	for (size_t i = 0; i < all->c->rings.nr; i++)
		writer_discard(all->writers[i]);
	mem_closep(&all->tell_fd);
	free(all->members);
	free(all->writers);
	free(all);
}
