/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/constants: names of the constants that arguments of system calls consist of, in sets
 * (SET_OPEN: those of O_*). Made of the machine's headers when perf is built, by constants.txt;
 * they are those of the kernel's UAPI, nearly all the same on each architecture.
 */
#ifndef TRACE_CONSTANTS_H
#define TRACE_CONSTANTS_H

#include "base/strbuf.h"
#include "trace/constants_made.h"

/* What the constant of that value is called, NULL = it has no name. */
const char *trace_constant(enum trace_set set, u64 value);
/* The same; full: as in the headers ("O_CREAT"). */
const char *trace_constant_text(enum trace_set set, u64 value, bool full);
/* The other way: by the name that it is shown with ("CREAT") or has in the headers ("O_CREAT"). */
bool trace_constant_find(enum trace_set set, const char *name, size_t len, u64 *value);
/* The i-th, as in the headers, NULL = there are no more. */
const char *trace_constant_name(enum trace_set set, size_t i);
/*
 * "A|B|0x400": the names of bits, and what is left of them as a number. Of a constant of several
 * bits its name stands in place of theirs. between: nothing stands in out yet (false), or it must
 * be separated. Whether something was added: it is not for 0. full: names as in the headers.
 */
bool trace_flags_add(struct strbuf *out, enum trace_set set, u64 value, bool between, bool full);

/* "CHLD", "RTMIN", "RT_2", full: "SIGCHLD"; false: there is no signal of that number, and nothing
 * has been added. */
bool trace_signal_add(struct strbuf *out, u64 number, bool full);

#endif
