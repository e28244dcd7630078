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
/* That, and how many events were lost, after an analysis: "times are" those of what is left. */
void losses_tell_events(struct session *s, const char *results_are);
/* A line for lost events below a table, if there are any. */
void losses_add_events(struct strbuf *out, struct session *s);

#endif
