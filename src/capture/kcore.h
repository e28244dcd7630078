/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/kcore: a copy of the running kernel's code beside a recording (record --kcore), so that
 * what it has patched and generated can be read later.
 *
 * A folder (of a recording: DIR/kcore_dir) holds kallsyms and modules as /proc has them, and kcore,
 * a core file with the text of the kernel and of its modules. Source: elf(5), proc(5).
 */
#ifndef CAPTURE_KCORE_H
#define CAPTURE_KCORE_H

#include "base/err.h"

/* Whether this user may read it; -1: e says why not. proc: "/proc", or a made-up one. */
int kcore_check(const char *proc, struct err *e);
/* Makes the folder, with its files; after an error nothing of it is left. */
int kcore_copy_to(const char *proc, const char *folder, struct err *e);
/* The same into a recording's kcore_dir; dir exists. */
int kcore_copy(const char *proc, const char *dir, struct err *e);

#endif
