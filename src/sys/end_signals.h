/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/end_signals: the signals that would end this process, and what must not be cut short by them.
 * However many come, and whenever: a file is completed, or it is removed. SIGKILL alone is
 * stronger.
 *
 * Those signals are SIGINT, SIGTERM, SIGHUP, SIGQUIT, and those of timers and limits (SIGALRM,
 * SIGXCPU, ...). Who started us may want some of them ignored (nohup), and that stays; but shells
 * also have programs in the background ignore SIGINT, and scripts end recorders by it, so SIGINT
 * and SIGTERM always count.
 */
#ifndef SYS_END_SIGNALS_H
#define SYS_END_SIGNALS_H

#include <signal.h>

#include "base/types.h"

void end_signals_set(sigset_t *set);
/* All of them, for a child that is to be as if we had never touched them; those that are ignored
 * stay so. */
void end_signals_reset(void);

/* Does one wait (because it is held)? It goes on to wait. What takes long and can be given up asks.
 */
bool end_signals_waiting(void);

/* They wait, from begin to end; threads that are started meanwhile do not take them either. */
struct held_signals {
	sigset_t held, before;
	bool on;
};

/* but: is not held, 0 = all are. */
void held_signals_begin(struct held_signals *h, int but);
/* Those that wait are taken; one of them, 0 = there was none. */
int held_signals_take(const struct held_signals *h);
/* What waits still, happens now. */
void held_signals_end(struct held_signals *h);

/* End by this signal, as if nobody had heard it; what is in stdio's buffers is written. No core of
 * this process is dumped: it is not what went wrong. */
_Noreturn void end_by_signal(int number);

/* From begin to end the file is removed if such a signal comes, which then ends the process. One
 * file at a time. */
void unfinished_file_begin(const char *path);
void unfinished_file_end(void);

#endif
