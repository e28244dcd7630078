/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/crew.h"

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

struct crew_member {
	struct crew *crew;
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

struct crew {
	struct capture *c;
	struct crew_member *members;
	size_t nr;
	struct perfdata_writer **writers; /* by ring */
	int tell_fd;
	_Atomic u64 written; /* roughly, for config.max_size */
	u64 bytes;
	struct writer_ratio ratio;
};

static int open_files(struct crew *crew, const struct crew_opts *opts, struct err *e)
{
	for (size_t i = 0; i < crew->c->rings.nr; i++) {
		_cleanup_(mem_freep) char *path = xasprintf("%s/data.%zu", opts->directory, i);
		struct perfdata_writer_opts w = {
			.path = path, .fd = -1, .bare = true, .level = opts->level
		};

		if (perfdata_writer_open(&crew->writers[i], &w, e) < 0 ||
		    writer_begin(crew->writers[i], e) < 0)
			return -1;
	}
	return 0;
}

static int watch(struct crew_member *m, int fd, u32 what)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u32 = what };

	return epoll_ctl(m->epoll_fd, EPOLL_CTL_ADD, fd, &ev);
}

static int set_up(struct crew_member *m, struct crew *crew, const struct layout_thread *place)
{
	*m = (struct crew_member){ .crew = crew, .place = place, .err = ERR_INIT };
	m->drain.layout = crew->c->drain.layout;
	m->drain.timeless = crew->c->drain.timeless;
	m->drain.nr_timeless = crew->c->drain.nr_timeless;
	m->drain.touched = crew->c->drain.touched ? &m->touched : NULL;
	m->touched.keeps_files = crew->c->o.keeps_files;
	m->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	m->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	m->look_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (m->epoll_fd < 0 || m->stop_fd < 0 || m->look_fd < 0)
		return -1;
	return watch(m, m->stop_fd, STOP) < 0 ? -1 : watch(m, m->look_fd, LOOK);
}

struct crew *crew_new(struct capture *c, const struct crew_opts *opts, struct err *e)
{
	struct crew *crew = XNEW(struct crew);
	const struct capture_rings *r = &c->rings;

	crew->c = c;
	crew->nr = opts->layout->threads.nr;
	crew->ratio.level = opts->level;
	crew->tell_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	crew->members = XNEW_ARRAY(struct crew_member, crew->nr);
	crew->writers = XNEW_ARRAY(struct perfdata_writer *, r->nr ? r->nr : 1);
	if (crew->tell_fd < 0)
		goto fail;
	for (size_t i = 0; i < crew->nr; i++) {
		if (set_up(&crew->members[i], crew, &opts->layout->threads.v[i]) < 0)
			goto fail;
	}
	for (size_t i = 0; i < r->nr; i++) {
		struct crew_member *m = &crew->members[layout_reader_of(opts->layout, r->cpu[i])];

		*VEC_PUSH(&m->rings) = i;
		if (watch(m, r->fd[i], (u32)i) < 0)
			goto fail;
	}
	for (size_t i = 0; i < crew->nr; i++) {
		struct crew_member *m = &crew->members[i];

		stack_reader_open(&m->drain.reader, &c->stacks, r,
				  (struct unwind_rings){ m->rings.v, m->rings.nr });
	}
	if (open_files(crew, opts, e) == 0)
		return crew;
	crew_free(crew);
	return NULL;
fail:
	err_sys(e, errno, "cannot watch the events");
	crew_free(crew);
	return NULL;
}

int crew_fd(const struct crew *crew)
{
	return crew->tell_fd;
}

static void wake(int fd)
{
	u64 one = 1;

	(void)!write(fd, &one, sizeof(one));
}

static void tell(struct crew *crew)
{
	wake(crew->tell_fd);
}

void crew_look(struct crew *crew)
{
	for (size_t i = 0; i < crew->nr; i++)
		wake(crew->members[i].look_fd);
}

static int drain_member(struct crew_member *m, struct err *e)
{
	struct crew *crew = m->crew;
	u64 max = crew->c->o.cfg->max_size;

	if (capture_look_ahead(crew->c, &m->drain, m->rings.v, m->rings.nr))
		crew_look(crew);
	VEC_FOR(&m->rings, i) {
		struct perfdata_writer *w = crew->writers[*i];
		u64 before = writer_data_size(w);
		bool any = false;

		if (capture_drain_ring(crew->c, &m->drain, w, *i, &any, e) < 0 ||
		    writer_flush(w, e) < 0)
			return -1;
		if (atomic_fetch_add(&crew->written, writer_data_size(w) - before) >= max && max)
			tell(crew);
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
	struct crew_member *m = arg;
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
				epoll_ctl(m->epoll_fd, EPOLL_CTL_DEL, m->crew->c->rings.fd[ring],
					  NULL);
		}
		m->wakeups += data;
		if (look)
			settle(m->look_fd);
		if ((data || look || stop) && drain_member(m, &m->err) < 0) {
			m->failed = true;
			tell(m->crew);
			break;
		}
	}
	return NULL;
}

int crew_start(struct crew *crew, struct err *e)
{
	sigset_t all, old;
	int r = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (size_t i = 0; i < crew->nr && !r; i++) {
		r = pthread_create(&crew->members[i].thread, NULL, member_main, &crew->members[i]);
		crew->members[i].started = !r;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r ? err_sys(e, r, "cannot start a thread") : 0;
}

static void join_all(struct crew *crew)
{
	for (size_t i = 0; i < crew->nr; i++) {
		if (crew->members[i].started)
			wake(crew->members[i].stop_fd);
	}
	for (size_t i = 0; i < crew->nr; i++) {
		if (crew->members[i].started)
			pthread_join(crew->members[i].thread, NULL);
		crew->members[i].started = false;
	}
}

static int close_file(struct crew *crew, size_t i, struct err *e)
{
	struct perfdata_writer *w = crew->writers[i];
	struct writer_ratio ratio;
	int r;

	if (!w)
		return 0;
	crew->writers[i] = NULL;
	r = writer_drain(w, e);
	ratio = writer_ratio(w);
	crew->bytes += writer_data_size(w);
	crew->ratio.original += ratio.original;
	crew->ratio.compressed += ratio.compressed;
	return writer_finish(w, r ? NULL : e) < 0 ? -1 : r;
}

int crew_stop(struct crew *crew, struct err *e)
{
	struct capture *c = crew->c;
	int r = 0;

	join_all(crew);
	for (size_t i = 0; i < crew->nr; i++) {
		struct crew_member *m = &crew->members[i];

		drain_merge(&c->drain, &m->drain);
		c->result.wakeups += m->wakeups;
		if (m->failed && !r) {
			*e = m->err;
			r = -1;
		}
	}
	for (size_t i = 0; i < c->rings.nr; i++) {
		if (close_file(crew, i, r ? NULL : e) < 0)
			r = -1;
	}
	c->result.max_size_reached = !r && c->o.cfg->max_size &&
				     atomic_load(&crew->written) >= c->o.cfg->max_size;
	return r;
}

void crew_add_evidence(struct crew *crew, struct chain_evidence *sum)
{
	for (size_t i = 0; i < crew->nr; i++)
		unwind_lane_add_evidence(crew->members[i].drain.reader.lane, sum);
}

void crew_judge_anew(struct crew *crew, bool of_copies)
{
	for (size_t i = 0; i < crew->nr; i++)
		unwind_lane_judge_anew(crew->members[i].drain.reader.lane, of_copies);
}

u64 crew_bytes(const struct crew *crew)
{
	return crew->bytes;
}

struct writer_ratio crew_ratio(const struct crew *crew)
{
	return crew->ratio;
}

void crew_free(struct crew *crew)
{
	if (!crew)
		return;
	join_all(crew);
	for (size_t i = 0; i < crew->nr; i++) {
		struct crew_member *m = &crew->members[i];

		if (!m->crew)
			continue;
		mem_closep(&m->epoll_fd);
		mem_closep(&m->stop_fd);
		mem_closep(&m->look_fd);
		vec_free(&m->rings);
		touched_release(&m->touched);
		stack_reader_release(&m->drain.reader);
	}
	for (size_t i = 0; i < crew->c->rings.nr; i++)
		writer_discard(crew->writers[i]);
	mem_closep(&crew->tell_fd);
	free(crew->members);
	free(crew->writers);
	free(crew);
}
