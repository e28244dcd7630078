/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/groups: which system calls words of -e mean: names, globs, and groups of calls that belong
 * together, in the words of strace: file, desc, network, process, signal, memory, ipc, string.
 */
#ifndef TRACE_GROUPS_H
#define TRACE_GROUPS_H

#include "trace/syscall.h"

/* Whether a call has that name, matches the glob, or is in the group ("file", "%file"). */
bool trace_call_is(const struct trace_syscall *s, const char *word);
/* Whether any call of the architecture is meant. */
bool trace_word_is_call(struct trace_syscalls *t, const char *word);

#endif
