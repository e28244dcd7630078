/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso/running: names of addresses in the kernel that runs now, for what is not read from a
 * recording. One thread.
 */
#ifndef DSO_RUNNING_H
#define DSO_RUNNING_H

#include "dso/dso.h"

/* Puts the kernel (number 1) and its modules into an empty table. */
void running_kernel_add(struct dso_table *t);
/* The symbols of what an address is in, *sym the one; NULL: it is in none. */
const struct symtab *running_kernel_find(const struct dso_table *t, u64 ip, u32 *sym);

#endif
