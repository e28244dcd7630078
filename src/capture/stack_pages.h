/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stack_pages: parts of stacks that the kernel could not copy, since the program has not used them yet (a
 * large frame) or they are swapped out. The kernel copies what is mapped: a look at such a page, which is
 * what reading the process's memory is, has it mapped, to the page of zeros if nothing was ever in it, so
 * that the next copy of this stack goes on behind it. The program notices nothing. One thread.
 */
#ifndef CAPTURE_STACK_PAGES_H
#define CAPTURE_STACK_PAGES_H

#include "base/types.h"

enum { STACK_PAGES_MET = 256 };

struct stack_pages {
	/* places that were looked at; by hash, the later one takes the place */
	struct {
		u32 pid;
		u64 page;
	} met[STACK_PAGES_MET];
};

/*
 * Look at [addr, addr + size) of a process, up to where it has no memory; at a place only once, as long as not too
 * many others are met. Without the right to read the process's memory nothing happens. Returns how many pages it saw.
 */
size_t stack_pages_look(struct stack_pages *p, u32 pid, u64 addr, u64 size);

#endif
