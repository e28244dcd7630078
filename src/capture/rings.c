/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/rings.h"

#include <errno.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/limits.h"
#include "sys/perf_open.h"

/*
 * Bytes of a ring when nothing is asked for. 512 KiB (perf's default, and what the default mlock
 * budget of 516 KiB allows) lost 12 % of a 2 x 50 kHz load; memory of all rings together is kept
 * below RINGS_TOTAL on machines with many CPUs.
 */
enum {
	RING_DEFAULT = 512 << 10,
	RING_LARGE = 2 << 20,
	RING_STACKS = 8 << 20, /* a thousand samples of 8 KB, 100 ms at 10 kHz */
	RING_DEEP = 8 << 20, /* 60 ms of a million system calls a second */
	RING_SMALLEST = 32 << 10,
	RINGS_TOTAL = 256 << 20,
	RINGS_DEEP_TOTAL = 64 << 20, /* they are made whenever a trace begins */
};

struct mapping {
	const struct capture_fds *fds;
	const struct event_list *events;
	enum rings_of which;
	const struct rings_opts *opts;
};

/* Join all events of this column to its ring; map the first. */
static int map_column(struct capture_rings *r, const struct mapping *m, size_t cpu, size_t task)
{
	const struct capture_fds *f = m->fds;
	bool one_task = m->opts->per_thread;
	size_t t0 = one_task ? task : 0, t1 = one_task ? task + 1 : f->nr_tasks;
	struct ring *ring = &r->ring[r->nr];
	int owner = -1, aux = -1;

	for (size_t ev = 0; ev < f->nr_events; ev++) {
		if (m->events->events.v[ev]->attr.write_backward != (m->which == RINGS_BACKWARD))
			continue;
		for (size_t t = t0; t < t1; t++) {
			int fd = *capture_fd(f, ev, cpu, t);
			int err;

			if (fd < 0)
				continue;
			if (owner < 0)
				err = m->which == RINGS_BACKWARD
					      ? ring_map_backward(ring, fd, r->data_size)
					      : ring_map(ring, fd, r->data_size);
			else
				err = sys_perf_ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT,
						     (void *)(intptr_t)owner);
			if (err)
				return err;
			if (owner < 0)
				owner = fd;
			if (aux < 0 && m->events->events.v[ev] == m->opts->aux)
				aux = fd;
		}
	}
	if (owner >= 0) {
		r->cpu[r->nr] = m->opts->cpus ? (s32)m->opts->cpus[cpu] : -1;
		r->aux_fd[r->nr] = aux;
		r->fd[r->nr++] = owner;
	}
	return 0;
}

static int map_all(struct capture_rings *r, const struct mapping *m)
{
	for (size_t cpu = 0; cpu < m->fds->nr_cpus; cpu++) {
		size_t columns = m->opts->per_thread ? m->fds->nr_tasks : 1;

		for (size_t task = 0; task < columns; task++) {
			int err = map_column(r, m, cpu, task);

			if (err)
				return err;
		}
	}
	return 0;
}

static void unmap_all(struct capture_rings *r)
{
	for (size_t i = 0; i < r->nr; i++)
		ring_unmap(&r->ring[i]);
	r->nr = 0;
}

static size_t largest_useful(size_t nr, const struct rings_opts *o)
{
	struct sys_limits limits;
	size_t size = o->large_samples ? RING_STACKS : RING_LARGE;

	sys_limits_read(&limits, NULL);
	if (!limits.cap_ipc_lock && limits.paranoid > -1)
		return RING_DEFAULT;
	while (size > RING_DEFAULT && size * nr > RINGS_TOTAL)
		size /= 2;
	while (o->deep && size < RING_DEEP && size * 2 * nr <= RINGS_DEEP_TOTAL)
		size *= 2;
	return size;
}

int capture_rings_map(struct capture_rings *r, const struct capture_fds *f,
		      const struct event_list *events, enum rings_of which,
		      const struct rings_opts *opts, struct err *e)
{
	struct mapping m = { .fds = f, .events = events, .which = which, .opts = opts };
	size_t nr = f->nr_cpus * (opts->per_thread ? f->nr_tasks : 1);
	int err;

	*r = (struct capture_rings){ .ring = XNEW_ARRAY(struct ring, nr ? nr : 1),
				     .fd = XNEW_ARRAY(int, nr ? nr : 1),
				     .aux_fd = XNEW_ARRAY(int, nr ? nr : 1),
				     .cpu = XNEW_ARRAY(s32, nr ? nr : 1),
				     .head = XNEW_ARRAY(u64, nr ? nr : 1),
				     .made = XNEW_ARRAY(u64, nr ? nr : 1) };
	r->data_size = opts->pages ? (size_t)opts->pages * (size_t)sysconf(_SC_PAGESIZE)
				   : largest_useful(nr, opts);
	for (;;) {
		err = map_all(r, &m);
		if (!err)
			return 0;
		unmap_all(r);
		if (opts->pages || r->data_size <= RING_SMALLEST ||
		    (err != -EPERM && err != -ENOMEM))
			break;
		r->data_size /= 2;
	}
	return err_sys(e, -err, "cannot map the ring buffers");
}

void capture_rings_unmap(struct capture_rings *r)
{
	unmap_all(r);
	free(r->ring);
	free(r->fd);
	free(r->aux_fd);
	free(r->cpu);
	free(r->head);
	free(r->made);
	*r = (struct capture_rings){ 0 };
}
