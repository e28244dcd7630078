/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two buffers: the capture fills one while the session reads the other; when the session has read
 * all of its own, they are exchanged.
 */
#include "live/live.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/mem.h"
#include "base/par.h"
#include "base/rw.h"
#include "sys/end_signals.h"

/* A buffer of more than KEPT bytes, grown while the session did not read, is freed when less is
 * needed. */
enum { BACKLOG = 16 << 20, KEPT = 1 << 20 };

static const char name[] = "the running machine";

struct live {
	struct source source; /* first */
	struct live_opts opts;
	struct writer_sink sink;
	struct perfdata_feed feed;
	struct perfdata_writer *writer; /* the capture's */
	struct par_task *thread; /* NULL = it has ended */
	sigset_t old_mask; /* of the caller's thread */
	pthread_mutex_t lock;
	pthread_cond_t filled, taken;
	int readable; /* an eventfd: something is to be read, or nothing more comes */
	struct strbuf in; /* being filled; under lock, with the three flags */
	bool flushed; /* to be read even if there is little in it */
	bool ended; /* nothing more comes */
	bool closed; /* nobody reads any more */
	struct strbuf out; /* being read, from `at` on */
	size_t at;
	struct err err; /* of the capture; code or text when it failed */
	bool failed;
};

/* ------------------------------------------------------------------ the capture's thread */

static void tell_reader(struct live *l)
{
	eventfd_write(l->readable, 1);
	pthread_cond_signal(&l->filled);
}

static int tee(const struct live *l, const struct iovec *iov, int nr)
{
	for (int i = 0; l->opts.tee_fd >= 0 && i < nr; i++)
		if (rw_write_full(l->opts.tee_fd, iov[i].iov_base, iov[i].iov_len))
			return errno;
	return 0;
}

static int take(void *ctx, const struct iovec *iov, int nr)
{
	struct live *l = ctx;
	int code = tee(l, iov, nr);

	pthread_mutex_lock(&l->lock);
	while (l->in.len >= l->opts.backlog && !l->closed) {
		l->flushed = true;
		tell_reader(l);
		pthread_cond_wait(&l->taken, &l->lock);
	}
	/* (once closed, the rest may be dropped: the capture is being stopped) */
	for (int i = 0; i < nr && !l->closed; i++)
		strbuf_add(&l->in, iov[i].iov_base, iov[i].iov_len);
	pthread_mutex_unlock(&l->lock);
	return code;
}

static void flush(void *ctx)
{
	struct live *l = ctx;

	pthread_mutex_lock(&l->lock);
	l->flushed = true;
	if (l->in.len)
		tell_reader(l);
	pthread_mutex_unlock(&l->lock);
}

static void run(void *arg)
{
	struct live *l = arg;
	struct capture *c = l->opts.capture;
	int r = capture_begin(c, l->writer, &l->err);

	if (!r)
		r = capture_run(c, &l->err);
	if (capture_finish(c, r ? NULL : &l->err) < 0)
		r = -1;
	pthread_mutex_lock(&l->lock);
	l->failed = r < 0;
	l->ended = true;
	tell_reader(l);
	pthread_mutex_unlock(&l->lock);
}

/* ------------------------------------------------------------------ the session's thread */

/* False: the capture has ended, and all was read. */
static bool exchange(struct live *l)
{
	struct strbuf empty = l->out;
	bool large = empty.cap > KEPT && empty.len < empty.cap / 4;
	eventfd_t told;

	if (large)
		strbuf_release(&empty);
	pthread_mutex_lock(&l->lock);
	while (!l->ended && !(l->flushed && l->in.len))
		pthread_cond_wait(&l->filled, &l->lock);
	l->out = l->in;
	l->in = empty;
	l->at = 0;
	l->flushed = false;
	strbuf_reset(&l->in);
	if (!l->ended)
		eventfd_read(l->readable, &told);
	pthread_cond_signal(&l->taken);
	pthread_mutex_unlock(&l->lock);
	return l->out.len != 0;
}

static ssize_t give(void *ctx, void *buf, size_t size)
{
	struct live *l = ctx;
	size_t n;

	if (l->at == l->out.len && !exchange(l))
		return 0;
	n = MIN(size, l->out.len - l->at);
	memcpy(buf, l->out.buf + l->at, n);
	l->at += n;
	return (ssize_t)n;
}

static int read_records(struct source *s, void *buf, size_t size, bool fronts UNUSED,
			struct perfdata_chunk *c, struct err *e)
{
	return perfdata_read(s->tables, buf, size, c, e);
}

bool live_wait_round(struct source *s, int fd, int ms)
{
	struct live *l = (struct live *)s;
	struct pollfd fds[] = { { .fd = l->readable, .events = POLLIN },
				{ .fd = fd, .events = POLLIN } };

	if (l->at < l->out.len)
		return true;
	return poll(fds, ARRAY_SIZE(fds), ms) > 0 && fds[0].revents;
}

int live_wait(struct source *s, struct err *e)
{
	struct live *l = (struct live *)s;

	if (l->thread) {
		pthread_mutex_lock(&l->lock);
		l->closed = true;
		pthread_cond_signal(&l->taken);
		pthread_mutex_unlock(&l->lock);
		capture_stop(l->opts.capture);
		par_task_wait(l->thread);
		l->thread = NULL;
	}
	if (!l->failed)
		return 0;
	if (e)
		*e = l->err;
	return -1;
}

static void close_live(struct source *s)
{
	struct live *l = (struct live *)s;

	live_wait(s, NULL);
	pthread_sigmask(SIG_SETMASK, &l->old_mask, NULL);
	perfdata_close(s->tables);
	strbuf_release(&l->in);
	strbuf_release(&l->out);
	mem_closep(&l->readable);
	pthread_cond_destroy(&l->filled);
	pthread_cond_destroy(&l->taken);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static const struct source_ops live_ops = {
	.name = "live",
	.read = read_records,
	.close = close_live,
	.tells_late = true,
	.by_round = true,
	.endless = true,
};

/* The signals that end a capture are for its thread: one delivered to this thread would be lost. */
static void block_signals(struct live *l)
{
	sigset_t set;

	end_signals_set(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, &l->old_mask);
}

static int start(struct live *l, struct err *e)
{
	struct perfdata_writer_opts to = { .sink = &l->sink, .path = name, .fd = -1 };
	struct perfdata_opts from = { .feed = &l->feed, .path = name };
	struct err capture_err = ERR_INIT;

	if (perfdata_writer_open(&l->writer, &to, e) < 0)
		return -1;
	l->thread = par_task_beside(run, l);
	if (!l->thread) {
		writer_discard(l->writer);
		return err_set(e, EAGAIN, "cannot start a thread that reads the rings");
	}
	if (perfdata_open(&l->source.tables, &from, e) == 0)
		return 0;
	if (live_wait(&l->source, &capture_err) < 0 && e)
		*e = capture_err;
	return -1;
}

int live_open(struct source **out, const struct live_opts *opts, struct err *e)
{
	struct live *l = XNEW(struct live);

	l->source.ops = &live_ops;
	l->opts = *opts;
	if (!l->opts.backlog)
		l->opts.backlog = BACKLOG;
	l->sink = (struct writer_sink){ take, flush, l };
	l->feed = (struct perfdata_feed){ give, l };
	l->in = l->out = (struct strbuf)STRBUF_INIT;
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->filled, NULL);
	pthread_cond_init(&l->taken, NULL);
	l->readable = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	block_signals(l);
	if (l->readable < 0 || start(l, e) < 0) {
		if (l->readable < 0)
			err_sys(e, errno, "cannot watch the rings");
		close_live(&l->source);
		return -1;
	}
	*out = &l->source;
	return 0;
}
