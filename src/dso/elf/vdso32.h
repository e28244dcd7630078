/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vdso32: the vdso that this kernel maps into 32-bit processes. Their system calls and returns from
 * signals lie in it, so that without it their stacks have neither names nor unwind tables there.
 */
#ifndef DSO_VDSO32_H
#define DSO_VDSO32_H

#include "base/strbuf.h"

/* Appends its image; false: this kernel or machine has none. Any thread; starts a process, which
 * maps it and ends. */
bool vdso32_read(struct strbuf *out);

#endif
