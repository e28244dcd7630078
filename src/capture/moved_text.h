/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/moved_text: programs that laid a copy of their code over it, in memory for huge pages,
 * before the recording began: which part of which file was there. The records say so before they
 * tell of that memory, and readers keep the file (model/moved_text.c).
 */
#ifndef CAPTURE_MOVED_TEXT_H
#define CAPTURE_MOVED_TEXT_H

#include "sys/proc.h"

/* What came before in the mappings of one process; zero bytes at its begin. */
struct moved_text {
	struct sys_map file; /* the latest of a file; path: a view into the same text */
	u64 end; /* of what belongs to it, without a gap; 0 = none */
};

/*
 * The next mapping, in their order. True: memory in place of code of a file that is mapped right
 * before it, where the file's headers have code; *was is that, as it would be in the list.
 */
bool moved_text_next(struct moved_text *t, s32 pid, const struct sys_map *m, struct sys_map *was);

#endif
