/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pager: long text through $PERF_PAGER, $PAGER or less, only when stdout is a terminal.
 *
 * pager_start() puts the pager behind stdout; pager_wait() ends the output and waits until the
 * reader has quit. Deadly signals wait for the pager too, so that the terminal is left in order.
 * One pager per process, main thread only.
 */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include "base/types.h"

/* --no-pager: pager_start() starts none, nor do perf programs that this one starts. */
void pager_turn_off(void);
/* The program where $PERF_PAGER names none; must stay. */
void pager_use(const char *command);
/* False when there is nothing to start: no terminal, PERF_PAGER empty or "cat", or no less. */
bool pager_start(void);
bool pager_in_use(void);
void pager_wait(void);

#endif
