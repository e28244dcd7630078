/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/daemon/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/rw.h"
#include "base/strbuf.h"
#include "cmd/daemon/message.h"
#include "cmd/daemon/sessions.h"
#include "sys/end_signals.h"

enum {
	BACKLOG = 16,
	CLIENT_PATIENCE = 5, /* seconds for a request to come, and for its answer to go */
	MS_PER_MINUTE = 60000,
};

struct server {
	const struct server_opts *o;
	struct sessions sessions;
	struct daemon_settings settings;
	u64 started;
	int socket_fd, watch_fd, signal_fd;
	VEC(int) leaving; /* connections of clients that asked for the end and wait for it */
	bool stopping;
};

/* ---- requests ---- */

static void answer(int fd, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void answer(int fd, const char *fmt, ...)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	size_t sent = 0;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	while (sent < text.len) {
		ssize_t n = send(fd, text.buf + sent, text.len - sent, MSG_NOSIGNAL);

		if (n <= 0)
			return;
		sent += (size_t)n;
	}
}

static u64 minutes_since(u64 start)
{
	return (daemon_now() - start) / MS_PER_MINUTE;
}

static void list_daemon(const struct server *s, int fd, u32 verbose, char sep)
{
	const char *base = s->o->base->path;
	u64 up = minutes_since(s->started);

	if (sep) {
		answer(fd, "%d%cdaemon%c%s%c%s/output%c%s/lock%c%llu\n", (int)getpid(), sep, sep,
		       base, sep, base, sep, base, sep, (unsigned long long)up);
		return;
	}
	answer(fd, "[%d:daemon] base: %s\n", (int)getpid(), base);
	if (verbose)
		answer(fd, "  output:  %s/output\n  lock:    %s/lock\n  up:      %llu minutes\n",
		       base, base, (unsigned long long)up);
}

static void list_session(const struct server *s, const struct daemon_session *one, int fd,
			 const struct daemon_message *m)
{
	_cleanup_(mem_freep) char *at = xasprintf("%s/session-%s", s->o->base->path, one->name);
	u64 up = minutes_since(one->started);
	char sep = m->list.separator;

	if (sep) {
		answer(fd, "%d%c%s%c%s%c%s%c%s/output%c%s/control%c%s/ack%c%llu\n", (int)one->pid,
		       sep, one->name, sep, one->run, sep, at, sep, at, sep, at, sep, at, sep,
		       (unsigned long long)up);
		return;
	}
	answer(fd, "[%d:%s] perf record %s\n", (int)one->pid, one->name, one->run);
	if (m->list.verbose)
		answer(fd,
		       "  base:    %s\n  output:  %s/output\n  control: %s/control\n"
		       "  ack:     %s/ack\n  up:      %llu minutes\n",
		       at, at, at, at, (unsigned long long)up);
}

static void do_list(struct server *s, int fd, const struct daemon_message *m)
{
	list_daemon(s, fd, m->list.verbose, m->list.separator);
	VEC_FOR(&s->sessions.list, one) {
		if (one->pid)
			list_session(s, one, fd, m);
	}
}

static void signal_one(struct server *s UNUSED, int fd, const struct daemon_session *one)
{
	if (session_signal(one, SIGUSR2))
		answer(fd, "signal %d sent to session '%s [%d]'\n", SIGUSR2, one->name,
		       (int)one->pid);
	else
		answer(fd, "FAIL %s (ends)\n", one->name);
}

static void ping_one(struct server *s, int fd, const struct daemon_session *one)
{
	bool lives = session_ping(&s->sessions, one);

	answer(fd, "%s %s\n", lives ? "OK  " : "FAIL", one->name);
}

/* DAEMON_ALL: all that run. */
static void for_sessions(struct server *s, int fd, const char *name,
			 void (*call)(struct server *, int, const struct daemon_session *))
{
	bool all = !strcmp(name, DAEMON_ALL), found = all;

	VEC_FOR(&s->sessions.list, one) {
		if (!one->pid || (!all && strcmp(one->name, name) != 0))
			continue;
		call(s, fd, one);
		found = true;
	}
	if (!found)
		answer(fd, "FAIL %s (not found)\n", name);
}

static void do_signal(struct server *s, int fd, const struct daemon_message *m)
{
	if (m->signal.number != SIGUSR2)
		answer(fd, "FAIL signal %d (only %d is sent)\n", m->signal.number, SIGUSR2);
	else
		for_sessions(s, fd, m->signal.name, signal_one);
}

static void do_ping(struct server *s, int fd, const struct daemon_message *m)
{
	for_sessions(s, fd, m->ping.name, ping_one);
}

static void begin_end(struct server *s)
{
	s->stopping = true;
	sessions_end_all(&s->sessions);
}

/* The client learns that it is done when the connection is closed. */
static void do_stop(struct server *s, int fd, const struct daemon_message *m UNUSED)
{
	*VEC_PUSH(&s->leaving) = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	begin_end(s);
}

static void (*const requests[])(struct server *s, int fd, const struct daemon_message *m) = {
	[DAEMON_LIST] = do_list,
	[DAEMON_SIGNAL] = do_signal,
	[DAEMON_STOP] = do_stop,
	[DAEMON_PING] = do_ping,
};

/* Without this check every user who can reach the socket could end what runs here. */
static bool may_ask(int fd)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) &&
	       (!who.uid || who.uid == geteuid());
}

static void serve_client(struct server *s)
{
	_cleanup_(mem_closep) int fd = accept4(s->socket_fd, NULL, NULL, SOCK_CLOEXEC);
	struct timeval patience = { .tv_sec = CLIENT_PATIENCE };
	struct daemon_message m;

	if (fd < 0)
		return;
	if (!may_ask(fd)) {
		answer(fd, "FAIL the daemon is another user's\n");
		return;
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (recv(fd, &m, sizeof(m), MSG_WAITALL) != (ssize_t)sizeof(m) ||
	    m.request >= ARRAY_SIZE(requests)) {
		daemon_log("a request that is none was left out");
		return;
	}
	if (m.request == DAEMON_SIGNAL)
		m.signal.name[sizeof(m.signal.name) - 1] = '\0';
	else if (m.request == DAEMON_PING)
		m.ping.name[sizeof(m.ping.name) - 1] = '\0';
	requests[m.request](s, fd, &m);
}

/* ---- the configuration ---- */

static bool same_base(const struct server *s, const struct daemon_settings *new)
{
	const char *was = s->settings.base, *is = new->base;

	return s->o->fixed_base || (was && is && !strcmp(was, is));
}

static void read_settings_again(struct server *s)
{
	struct daemon_settings new;
	struct err e = ERR_INIT;

	if (daemon_settings_read(&new, s->o->files, &e))
		daemon_log("reconfig: %s; nothing is changed", e.text);
	else if (!same_base(s, &new))
		daemon_log(
			"reconfig: can't redefine base while the daemon runs; nothing is changed");
	else
		sessions_apply(&s->sessions, &new);
	daemon_settings_release(&new);
}

static const char *file_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* Editors write a file anew, or put another in its place: its folder sees both. */
static bool settings_changed(const struct server *s)
{
	_Alignas(struct inotify_event) char buf[4096];
	bool changed = false;
	ssize_t n;

	while ((n = read(s->watch_fd, buf, sizeof(buf))) > 0) {
		const struct inotify_event *ev;

		for (char *p = buf; p < buf + n; p += sizeof(*ev) + ev->len) {
			ev = (const struct inotify_event *)(const void *)p;
			changed |= (ev->mask & IN_Q_OVERFLOW) != 0;
			for (size_t i = 0; i < s->o->files->nr && ev->len; i++)
				changed |= !strcmp(ev->name, file_name(s->o->files->path[i]));
		}
	}
	return changed;
}

static int watch_settings(struct server *s, struct err *e)
{
	s->watch_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (s->watch_fd < 0)
		return err_sys(e, errno, "cannot watch the config file: inotify_init");
	for (size_t i = 0; i < s->o->files->nr; i++) {
		const char *path = s->o->files->path[i];
		size_t len = (size_t)(file_name(path) - path);
		_cleanup_(mem_freep) char *folder = xstrndup(path, len);

		if (inotify_add_watch(s->watch_fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) < 0)
			return err_sys(e, errno, "cannot watch '%s'", folder);
	}
	return 0;
}

/* ---- beginning and end ---- */

/* We are in the base folder. What stands in the way of the name is of no other daemon: we have the
 * lock. */
static int open_socket(struct server *s, struct err *e)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = DAEMON_SOCKET };
	mode_t mask = umask(S_IRWXG | S_IRWXO);
	int r = 0;

	s->socket_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->socket_fd < 0)
		r = err_sys(e, errno, "socket");
	else if (unlink(DAEMON_SOCKET) && errno != ENOENT)
		r = err_sys(e, errno, "cannot remove '%s/%s'", s->o->base->path, DAEMON_SOCKET);
	else if (bind(s->socket_fd, (struct sockaddr *)&address, sizeof(address)) ||
		 listen(s->socket_fd, BACKLOG))
		r = err_sys(e, errno, "cannot listen at '%s/%s'", s->o->base->path, DAEMON_SOCKET);
	umask(mask);
	return r;
}

/* What whoever started us has us ignore stays so (nohup), but for what we live by. */
static int open_signals(struct server *s, struct err *e)
{
	static const int needed[] = { SIGCHLD, SIGTERM };
	struct sigaction interrupt;
	sigset_t set;

	end_signals_set(&set);
	/* a daemon in the background is not for the terminal's Ctrl-C */
	if (!sigaction(SIGINT, NULL, &interrupt) && interrupt.sa_handler == SIG_IGN)
		sigdelset(&set, SIGINT);
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		signal(needed[i], SIG_DFL);
		sigaddset(&set, needed[i]);
	}
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	s->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->signal_fd < 0 ? err_sys(e, errno, "signalfd") : 0;
}

static int begin(struct server *s, struct err *e)
{
	const struct base_dir *b = s->o->base;
	_cleanup_(mem_closep) int output = -1;

	if (base_dir_lock(s->o->base, e))
		return -1;
	if (fchdir(b->fd))
		return err_sys(e, errno, "cannot go into '%s'", b->path);
	if (open_signals(s, e) || watch_settings(s, e) || open_socket(s, e))
		return -1;
	if (s->o->background && base_dir_output(b->fd, b->path, &output, e))
		return -1;
	if (output >= 0 && (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0))
		return err_sys(e, errno, "dup2");
	return 0;
}

static void take_signals(struct server *s)
{
	struct signalfd_siginfo si;

	while (read(s->signal_fd, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		if (si.ssi_signo == SIGCHLD)
			sessions_reap(&s->sessions);
		else if (!s->stopping)
			begin_end(s);
	}
}

static void serve(struct server *s)
{
	struct pollfd p[] = {
		{ .fd = s->signal_fd, .events = POLLIN },
		{ .fd = s->watch_fd, .events = POLLIN },
		{ .fd = s->socket_fd, .events = POLLIN },
	};

	while (!s->stopping || sessions_running(&s->sessions)) {
		if (poll(p, ARRAY_SIZE(p), sessions_enforce(&s->sessions)) <= 0)
			continue;
		if (p[0].revents)
			take_signals(s);
		if (p[1].revents && settings_changed(s) && !s->stopping)
			read_settings_again(s);
		if (p[2].revents)
			serve_client(s);
	}
}

int daemon_serve(const struct server_opts *o, struct err *e)
{
	struct server s = {
		.o = o,
		.settings = *o->settings,
		.started = daemon_now(),
		.socket_fd = -1,
		.watch_fd = -1,
		.signal_fd = -1,
		.sessions = { .base = o->base, .perf = o->perf },
	};
	int r = begin(&s, e);

	if (!r) {
		daemon_log("daemon started (pid %d)", (int)getpid());
		sessions_apply(&s.sessions, &s.settings);
		if (o->ready_fd >= 0) {
			rw_write_full(o->ready_fd, "", 1);
			close(o->ready_fd);
		}
		serve(&s);
		unlinkat(o->base->fd, DAEMON_SOCKET, 0);
		daemon_log("daemon exited");
	}
	sessions_release(&s.sessions);
	VEC_FOR(&s.leaving, fd)
		close(*fd);
	vec_free(&s.leaving);
	if (s.socket_fd >= 0)
		close(s.socket_fd);
	if (s.watch_fd >= 0)
		close(s.watch_fd);
	if (s.signal_fd >= 0)
		close(s.signal_fd);
	return r;
}
