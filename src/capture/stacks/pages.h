/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stacks/pages: the kernel copies a stack up to the first page that is not in memory: of a
 * large frame that the program has not used, or swapped out. To read such a page makes the kernel
 * map it (the page of zeros if nothing was ever in it), so that the next copies of that stack go on
 * behind it. What is read is not looked at: the task has run since the sample was taken. Any
 * thread.
 */
#ifndef CAPTURE_STACK_PAGES_H
#define CAPTURE_STACK_PAGES_H

#include "base/types.h"

/* A byte of each page of [from, to), at most 32 of them. False: the process has no memory at
 * `from`. */
bool stack_pages_touch(u32 pid, u64 from, u64 to);

#endif
