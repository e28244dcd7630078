/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/daemon/sessions.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rw.h"
#include "base/strbuf.h"
#include "cli/words.h"

enum {
	ACK_PATIENCE = 2000, /* ms */
	READY_PATIENCE = 2000, /* ms until a recorder has made up its mind about SIGUSR2 */
	READY_STEP = 10, /* ms */
	END_PATIENCE =
		30000, /* ms from SIGTERM to SIGKILL: the rest of a recording is to be written */
	EXIT_NO_PROGRAM = 127,
};

u64 daemon_now(void)
{
	return clock_now() / 1000000;
}

void daemon_log(const char *fmt, ...)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT, shown = STRBUF_INIT;
	struct timeval now;
	struct tm tm;
	char day[32];
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	strbuf_add_escaped(&shown, text.buf);
	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &tm);
	strftime(day, sizeof(day), "%Y-%m-%d %H:%M:%S", &tm);
	printf("[%s.%06ld] %s\n", day, (long)now.tv_usec, shown.buf);
	fflush(stdout);
}

/* ---- starting ---- */

static const char run_words[] = "its run";

struct start {
	int folder, output;
	struct words words;
	char *text; /* what the words point into */
	pid_t parent;
};

/* In the child: nothing but this folder, and the daemon's end is its end. */
static void become_recorder(const struct start *st)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (fchdir(st->folder) || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(st->output, STDOUT_FILENO) < 0 || dup2(st->output, STDERR_FILENO) < 0)
		_exit(EXIT_NO_PROGRAM);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != st->parent)
		_exit(EXIT_NO_PROGRAM);
	execv(st->words.v[0], (char *const *)st->words.v);
	fprintf(stderr, "cannot run '%s': %s\n", st->words.v[0], strerror(errno));
	_exit(EXIT_NO_PROGRAM);
}

static int prepare(const struct sessions *s, const struct daemon_session *one, struct start *st,
		   struct err *e)
{
	_cleanup_(mem_freep) char *folder = xasprintf("session-%s", one->name);

	st->text = xstrdup(one->run);
	words_add(&st->words, s->perf);
	words_add(&st->words, "record");
	words_add(&st->words, "--control=fifo:control,ack");
	if (words_split(&st->words, st->text, run_words, e) ||
	    base_dir_session(s->base, one->name, &st->folder, e) ||
	    base_dir_output(st->folder, folder, &st->output, e) ||
	    base_dir_fifo(st->folder, "control", NULL, e) ||
	    base_dir_fifo(st->folder, "ack", NULL, e))
		return -1;
	return 0;
}

static void start_session(const struct sessions *s, struct daemon_session *one)
{
	struct start st = { .folder = -1, .output = -1, .parent = getpid() };
	struct err e = ERR_INIT;

	one->kill_at = 0;
	if (!prepare(s, one, &st, &e)) {
		one->pid = fork();
		if (!one->pid)
			become_recorder(&st);
		one->started = daemon_now();
		if (one->pid < 0)
			err_sys(&e, errno, "fork");
	}
	if (e.text[0]) {
		one->pid = 0;
		daemon_log("reconfig: cannot run session '%s': %s", one->name, e.text);
	} else {
		daemon_log("reconfig: running session [%s:%d]: %s", one->name, (int)one->pid,
			   one->run);
	}
	if (st.folder >= 0)
		close(st.folder);
	if (st.output >= 0)
		close(st.output);
	words_release(&st.words);
	free(st.text);
}

/* ---- ending ---- */

static void end_session(struct daemon_session *one)
{
	if (!one->pid || one->kill_at)
		return;
	kill(one->pid, SIGTERM);
	/* One that was stopped would not hear of it. */
	kill(one->pid, SIGCONT);
	one->kill_at = daemon_now() + END_PATIENCE;
}

static void release_session(struct daemon_session *one)
{
	free(one->name);
	free(one->run);
	free(one->next);
}

/* Forget those that have ended and are not wanted. */
static void drop_unwanted(struct sessions *s)
{
	size_t kept = 0;

	VEC_FOR(&s->list, one) {
		if (one->wanted || one->pid)
			s->list.v[kept++] = *one;
		else
			release_session(one);
	}
	s->list.nr = kept;
}

void sessions_end_all(struct sessions *s)
{
	VEC_FOR(&s->list, one) {
		one->wanted = false;
		end_session(one);
	}
	drop_unwanted(s);
}

static void use_next(struct daemon_session *one)
{
	if (!one->next)
		return;
	free(one->run);
	one->run = one->next;
	one->next = NULL;
}

static void note_end(struct sessions *s, struct daemon_session *one, int status)
{
	bool told = one->kill_at != 0;

	if (WIFSIGNALED(status))
		daemon_log("session '%s' killed (signal %d)", one->name, WTERMSIG(status));
	else
		daemon_log("session '%s' exited, status=%d", one->name, WEXITSTATUS(status));
	one->pid = 0;
	one->kill_at = 0;
	use_next(one);
	if (told && one->wanted)
		start_session(s, one);
}

void sessions_reap(struct sessions *s)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		VEC_FOR(&s->list, one) {
			if (one->pid == pid) {
				note_end(s, one, status);
				break;
			}
		}
	}
	drop_unwanted(s);
}

int sessions_enforce(struct sessions *s)
{
	u64 now = daemon_now();
	int wait = -1;

	VEC_FOR(&s->list, one) {
		int left = END_PATIENCE;

		if (!one->pid || !one->kill_at)
			continue;
		if (one->kill_at <= now) {
			kill(one->pid, SIGKILL);
			one->kill_at = now + END_PATIENCE;
		} else {
			left = (int)(one->kill_at - now);
		}
		wait = wait < 0 ? left : MIN(wait, left);
	}
	return wait;
}

size_t sessions_running(const struct sessions *s)
{
	size_t nr = 0;

	VEC_FOR(&s->list, one)
		nr += one->pid != 0;
	return nr;
}

void sessions_release(struct sessions *s)
{
	VEC_FOR(&s->list, one)
		release_session(one);
	vec_free(&s->list);
}

/* ---- following the configuration ---- */

static struct daemon_session *find_session(struct sessions *s, const char *name)
{
	VEC_FOR(&s->list, one) {
		if (!strcmp(one->name, name))
			return one;
	}
	return NULL;
}

static void apply_one(struct sessions *s, const struct session_setting *set)
{
	struct daemon_session *one = find_session(s, set->name);

	if (!one) {
		one = VEC_PUSH(&s->list);
		*one = (struct daemon_session){ .name = xstrdup(set->name),
						.run = xstrdup(set->run) };
	}
	one->wanted = true;
	free(one->next);
	one->next = strcmp(one->run, set->run) != 0 ? xstrdup(set->run) : NULL;
	if (!one->pid) {
		use_next(one);
		start_session(s, one);
	} else if (one->next) {
		end_session(one);
	}
}

void sessions_apply(struct sessions *s, const struct daemon_settings *settings)
{
	VEC_FOR(&s->list, one)
		one->wanted = false;
	VEC_FOR(&settings->sessions, set)
		apply_one(s, set);
	VEC_FOR(&s->list, one) {
		if (!one->wanted)
			end_session(one);
	}
	drop_unwanted(s);
}

/* ---- talking to them ---- */

/* Whether a signal would do what its receiver has planned for it: one that has just begun would die
 * of it. */
static bool signal_is_planned(pid_t pid, int number)
{
	static const char *const lines[] = { "SigBlk:\t", "SigIgn:\t", "SigCgt:\t" };
	_cleanup_(mem_freep) char *path = xasprintf("/proc/%d/status", (int)pid);
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u64 set = 0;

	if (rw_slurp(path, &text, NULL))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const char *at = strstr(text.buf, lines[i]);

		if (at)
			set |= strtoull(at + strlen(lines[i]), NULL, 16);
	}
	return set >> (number - 1) & 1;
}

bool session_signal(const struct daemon_session *one, int number)
{
	u64 end = daemon_now() + READY_PATIENCE;

	if (!one->pid || one->kill_at)
		return false;
	while (!signal_is_planned(one->pid, number) && daemon_now() < end)
		poll(NULL, 0, READY_STEP);
	return !kill(one->pid, number);
}

static bool wait_for_ack(int fd)
{
	u64 end = daemon_now() + ACK_PATIENCE;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char text[64];

	for (;;) {
		u64 now = daemon_now();
		ssize_t n;

		if (now >= end || poll(&p, 1, (int)(end - now)) <= 0)
			return false;
		n = read(fd, text, sizeof(text));
		if (n > 0)
			return n >= 3 && !strncmp(text, "ack", 3);
	}
}

bool session_ping(const struct sessions *s, const struct daemon_session *one)
{
	static const char ping[] = "ping\n";
	_cleanup_(mem_closep) int folder = -1, control = -1, ack = -1;
	char old[64];

	if (!one->pid || base_dir_session(s->base, one->name, &folder, NULL) ||
	    base_dir_fifo(folder, "control", &control, NULL) ||
	    base_dir_fifo(folder, "ack", &ack, NULL))
		return false;
	/* Answers that came too late are not to this question. */
	while (read(ack, old, sizeof(old)) > 0)
		;
	return write(control, ping, sizeof(ping) - 1) == (ssize_t)sizeof(ping) - 1 &&
	       wait_for_ack(ack);
}
