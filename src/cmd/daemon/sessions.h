/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/sessions: the recorders that a daemon runs, each `perf record --control=fifo:control,ack
 * RUN` in a folder of its own. What happens to them is told on stdout, with the time. One thread,
 * which collects its children by sessions_reap() alone.
 */
#ifndef CMD_DAEMON_SESSIONS_H
#define CMD_DAEMON_SESSIONS_H

#include "base/vec.h"
#include "cmd/daemon/base_dir.h"
#include "cmd/daemon/settings.h"

struct daemon_session {
	char *name, *run;
	char *next; /* what to run when this one has ended; NULL: the same */
	pid_t pid; /* 0: does not run */
	u64 started; /* monotonic ms */
	u64 kill_at; /* monotonic ms; 0: was not told to end */
	bool wanted; /* stands in the configuration */
};

struct sessions {
	const struct base_dir *base;
	const char *perf; /* the program to run */
	VEC(struct daemon_session) list;
};

u64 daemon_now(void); /* monotonic ms */
/* "[2026-11-22 13:12:23.851487] text" on stdout. */
void daemon_log(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * Make it so that what the settings ask for runs, and nothing else: sessions that ended by
 * themselves run again, those that are not wanted or have other words are told to end, which takes
 * its time.
 */
void sessions_apply(struct sessions *s, const struct daemon_settings *settings);
void sessions_end_all(struct sessions *s);
/* After a SIGCHLD: notes which recorders have ended, and starts those that waited for that. */
void sessions_reap(struct sessions *s);
/* Kill those that did not end in time. The next time to do this in ms from now, -1 = none. */
int sessions_enforce(struct sessions *s);
size_t sessions_running(const struct sessions *s);
void sessions_release(struct sessions *s);

/* false: it has ended, or is about to. */
bool session_signal(const struct daemon_session *one, int number);
/* Ask its recorder for a sign of life; waits for it up to two seconds. */
bool session_ping(const struct sessions *s, const struct daemon_session *one);

#endif
