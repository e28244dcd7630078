/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_source: sources of BPF programs, compiled by clang with the conventions of perf's
 * documents: the headers <uapi/linux/bpf.h> and <uapi/linux/ptrace.h> are there, where the kernel's
 * own are not at hand, LINUX_VERSION_CODE and __NR_CPUS__ are those of this machine.
 *
 * A command line of the user's (llvm.clang-bpf-cmd-template) finds in its environment what the
 * usual one does: CLANG_EXEC, CLANG_SOURCE, CLANG_OPTIONS, NR_CPUS, LINUX_VERSION_CODE,
 * PERF_BPF_INC_OPTIONS, KERNEL_INC_OPTIONS, WORKING_DIR, CLANG_EMIT_LLVM, LLVM_OPTIONS_PIPE (its
 * text); it writes the object to its standard output.
 */
#ifndef SELECTION_PROGRAM_SOURCE_H
#define SELECTION_PROGRAM_SOURCE_H

#include "event/event.h"

struct bpf_file;

/* Compiled and opened (bpf/object). NULL: e has what the compiler said, or that there is none. */
struct bpf_file *program_source_open(const char *path, const struct event_compiler *c,
				     struct err *e);

#endif
