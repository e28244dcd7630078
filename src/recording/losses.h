/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * losses: tells, on stderr after a command's output, of callers and names that are missing, and
 * what would help: copied stacks that end early, code of JIT compilers. With -v each object without
 * symbols.
 */
#ifndef RECORDING_LOSSES_H
#define RECORDING_LOSSES_H

#include "session/session.h"

void losses_tell(struct session *s);

#endif
