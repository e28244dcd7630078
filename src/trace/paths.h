/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/paths: files of descriptors of processes that run now, as /proc has them. What it says is
 * true when it is read: of a descriptor that the trace has seen opened there is no path, for it may
 * be another file's by now. One thread.
 */
#ifndef TRACE_PATHS_H
#define TRACE_PATHS_H

#include "base/types.h"

struct trace_paths;

/*
 * follows: all calls that give descriptors of a process to other files are told here, so that a
 * path stays true until then. Otherwise it is read again each time.
 */
struct trace_paths *trace_paths_new(bool follows);
void trace_paths_free(struct trace_paths *p);
/* NULL = not known. It stays until the next call. */
const char *trace_path(struct trace_paths *p, u32 pid, s32 fd);
/* The descriptor is another file's from now on, or none's. */
void trace_path_changed(struct trace_paths *p, u32 pid, s32 fd);
/* It has executed a program, or ended. */
void trace_paths_forget(struct trace_paths *p, u32 pid);

#endif
