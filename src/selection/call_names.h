/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_names: names of flags and other constants for filters of the tracepoints of system calls
 * ("flags & O_CREAT" of syscalls:sys_enter_openat), as perf trace shows them (trace/constants).
 */
#ifndef SELECTION_CALL_NAMES_H
#define SELECTION_CALL_NAMES_H

#include "event/event.h"

extern const struct event_names call_names;

#endif
