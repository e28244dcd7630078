/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/mapped_file: files that running processes have mapped, whatever became of their names:
 * removed, replaced by an upgrade, or of other mounts. Needs root's privileges
 * (/proc/PID/map_files). Thread-safe.
 */
#ifndef CAPTURE_MAPPED_FILE_H
#define CAPTURE_MAPPED_FILE_H

#include "base/types.h"

/* The file at [start, end) of a process, for the caller to close; -1: it is gone, or may not be
 * read. */
int mapped_file_open(s32 pid, u64 start, u64 end);

#endif
