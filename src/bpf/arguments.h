/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arguments: instructions in front of a BPF program that hand it values of the place where it runs:
 * the program is a function (registers, error, value, ...). The values are what a probe fetches,
 * in the kernel's words ("%di", "+8(%si):u32", "+u0(+16(%di)):s64"); error is 0, or 1 with all
 * values 0 where memory could not be read. Thread-safe.
 *
 * Source: the kernel's Documentation/trace/kprobetrace.rst and Documentation/bpf/.
 */
#ifndef BPF_ARGUMENTS_H
#define BPF_ARGUMENTS_H

#include <linux/bpf.h>

#include "base/err.h"
#include "base/vec.h"

/* As many as registers are left for them. */
enum { BPF_ARGUMENTS_MAX = 3 };

VEC_TYPE(bpf_insns, struct bpf_insn);

/*
 * fetches: "[NAME=]FETCH[:TYPE]". user: memory is that of a process. -1: there are too many, or one
 * is of a kind that programs cannot get (strings, bit fields, arrays).
 */
int bpf_arguments_code(char *const *fetches, size_t nr, bool user, struct bpf_insns *out,
		       struct err *e);

#endif
