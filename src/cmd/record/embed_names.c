/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --embed-symbols: names of functions go into what was recorded when it is complete, since only
 * then it is known which. One file gets them at its end. The files of a rotation get them one after
 * the other, beside the recording, which does not wait. A stream is kept while it is written, and
 * they follow it.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/par.h"
#include "base/rw.h"
#include "base/spool.h"
#include "cli/print_err.h"
#include "cmd/record/record.h"

static void tell_failed(struct err *e, const char *path)
{
	err_prefix(e, "no symbols were put into '%s'", path);
	err_print(e);
}

void record_embed_names(const struct record_opts *o)
{
	const char *path = o->output;
	struct err e = ERR_INIT;
	struct stat st;

	/* a device, as /dev/null, cannot be read again */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return;
	if (embed_into(path, &(struct embed_opts){ o->embed, 0, o->sampling.cfg.buildid_dir }, &e))
		tell_failed(&e, path);
}

/* ---- the files of a rotation ---- */

struct embed_line {
	struct embed_opts opts;
	pthread_mutex_t lock;
	VEC(char *) files; /* that wait, oldest first; under lock */
	bool running; /* a task takes them; under lock */
	struct par_task *task;
};

/* NULL: none is left, and no task takes more. */
static char *next_file(struct embed_line *l)
{
	char *file = NULL;

	pthread_mutex_lock(&l->lock);
	if (l->files.nr) {
		file = l->files.v[0];
		memmove(l->files.v, l->files.v + 1, --l->files.nr * sizeof(*l->files.v));
	}
	l->running = file != NULL;
	pthread_mutex_unlock(&l->lock);
	return file;
}

static void embed_files(void *ctx)
{
	enum { POLITE = 10 };
	struct embed_line *l = ctx;
	char *file;

	/* of this thread: what is recorded, and the recording, come first */
	setpriority(PRIO_PROCESS, 0, POLITE);
	while ((file = next_file(l))) {
		struct err e = ERR_INIT;

		/* the oldest files may be gone: --switch-max-files */
		if (embed_into(file, &l->opts, &e) && access(file, F_OK) == 0)
			tell_failed(&e, file);
		free(file);
	}
}

struct embed_line *embed_line_new(const struct record_opts *o)
{
	struct embed_line *l = XNEW(struct embed_line);

	l->opts = (struct embed_opts){ o->embed, 1, o->sampling.cfg.buildid_dir };
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

void embed_line_add(struct embed_line *l, const char *path)
{
	bool start;

	pthread_mutex_lock(&l->lock);
	*VEC_PUSH(&l->files) = xstrdup(path);
	start = !l->running;
	l->running = true;
	pthread_mutex_unlock(&l->lock);
	if (!start)
		return;
	par_task_wait(l->task);
	l->task = par_task_start(embed_files, l);
}

void embed_line_finish(struct embed_line *l)
{
	if (!l)
		return;
	par_task_wait(l->task);
	pthread_mutex_destroy(&l->lock);
	vec_free(&l->files);
	free(l);
}

/* ---- a stream ---- */

enum { PIPE_READ, PIPE_WRITE, PIPE_SIZE = 1 << 20, PIECE = 1 << 18 };

struct kept_stream {
	int to, spool;
	int pipe[2];
	u64 size;
	int write_errno; /* why it did not go on, 0 = it did */
	struct err err; /* of keeping, code 0 = none */
	struct par_task *task;
};

/* What the recorder writes goes to where it was to go, and beside. */
static void pass_on(void *ctx)
{
	struct kept_stream *k = ctx;
	u8 *buf = xmalloc(PIECE);

	for (;;) {
		ssize_t got = read(k->pipe[PIPE_READ], buf, PIECE);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		if (rw_write_full(k->to, buf, (size_t)got)) {
			k->write_errno = errno;
			break;
		}
		if (!k->err.code && spool_add(k->spool, buf, (size_t)got, k->size, &k->err))
			k->err.code = k->err.code ? k->err.code : EIO;
		k->size += (u64)got;
	}
	/* the recorder is told that nobody reads any more */
	mem_closep(&k->pipe[PIPE_READ]);
	free(buf);
}

struct kept_stream *kept_stream_open(int to, struct err *e)
{
	struct kept_stream *k = XNEW(struct kept_stream);

	*k = (struct kept_stream){ .to = to, .spool = spool_open(e), .pipe = { -1, -1 } };
	if (k->spool < 0)
		goto failed;
	if (pipe2(k->pipe, O_CLOEXEC)) {
		err_sys(e, errno, "cannot make a pipe");
		goto failed;
	}
	/* larger is better, but not needed */
	fcntl(k->pipe[PIPE_WRITE], F_SETPIPE_SZ, PIPE_SIZE);
	k->task = par_task_beside(pass_on, k);
	if (k->task)
		return k;
	err_set(e, EAGAIN, "cannot start a thread");
failed:
	mem_closep(&k->pipe[PIPE_READ]);
	mem_closep(&k->pipe[PIPE_WRITE]);
	mem_closep(&k->spool);
	free(k);
	return NULL;
}

int kept_stream_fd(const struct kept_stream *k)
{
	return k->pipe[PIPE_WRITE];
}

void kept_stream_finish(struct kept_stream *k, const struct record_opts *o, bool embed)
{
	_cleanup_(mem_freep) char *path = NULL;

	if (!k)
		return;
	mem_closep(&k->pipe[PIPE_WRITE]);
	par_task_wait(k->task);
	path = xasprintf("/proc/self/fd/%d", k->spool);
	if (embed && o->embed && !k->err.code && !k->write_errno)
		embed_behind(path, k->to,
			     &(struct embed_opts){ o->embed, 0, o->sampling.cfg.buildid_dir },
			     &k->err);
	if (k->err.code)
		tell_failed(&k->err, "-");
	/* the recorder could only tell that nobody took what it wrote */
	if (k->write_errno && k->write_errno != EPIPE)
		log_error("cannot write '-': %s", strerror(k->write_errno));
	mem_closep(&k->spool);
	free(k);
}
