/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * secure: a program that may do more than who started it (AT_SECURE: perf with file capabilities,
 * the way the kernel's documentation gives users access). Their environment must not choose what
 * code runs with that, nor where it writes. What is executed loses such capabilities by itself.
 * Called before there are threads.
 */
#ifndef BASE_SECURE_H
#define BASE_SECURE_H

#include "base/err.h"

/* First of all: forgets the variables that name files of ours. -1: set-user-ID or set-group-ID,
 * which would give a shell with these rights to everybody who records one. */
int secure_start(struct err *e);
/* Before code of the user's runs in this process: gives up what it may do more. Nothing otherwise.
 */
int secure_drop(struct err *e);

#endif
