/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf: arguments of the kernel's functions by its own type information (BTF, /sys/kernel/btf),
 * where there is no debug information: at the entry of a function its parameters are in the
 * registers of the calling convention, and BTF has their types with the places of members. It knows
 * nothing of other places in a function, and of no other variables.
 *
 * One thread. Source: the psABIs of x86-64 and AArch64.
 */
#ifndef PROBE_BTF_H
#define PROBE_BTF_H

#include "base/err.h"
#include "base/vec.h"
#include "btf/btf.h"
#include "probe/point.h"

/* EM_... of the running machine. */
#if defined(__x86_64__)
enum { PROBE_BTF_OURS = 62 };
#elif defined(__aarch64__)
enum { PROBE_BTF_OURS = 183 };
#else
enum { PROBE_BTF_OURS = 0 };
#endif

/* Whether the function's parameters are known: parts of functions that the compiler has split have
 * none, and of several of the same name it is not known which is meant. */
bool probe_btf_knows(const struct btf_types *b, const char *function);

typedef VEC(char *) probe_btf_args;
/*
 * What the kernel's probe events fetch ("size=%dx:u64") for an argument of a probe at the entry of
 * `function`, appended to out; several for $params and $vars. machine: EM_... of elf.h. ENOENT:
 * BTF does not know the function, or it has no such parameter or member; EINVAL, ENOTSUP: it cannot
 * be fetched.
 */
int probe_btf_fetch(const struct btf_types *b, u16 machine, const char *function,
		    const struct probe_arg_spec *spec, probe_btf_args *out, struct err *e);

#endif
