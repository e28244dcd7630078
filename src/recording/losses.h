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
/* What of the file could not be read, if anything. */
void losses_tell_damage(struct perfdata *f);

#endif
