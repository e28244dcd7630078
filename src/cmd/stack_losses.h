/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack_losses: tells, on stderr after a command's output, of copied stacks whose callers are not all
 * known, and what would help.
 */
#ifndef CMD_STACK_LOSSES_H
#define CMD_STACK_LOSSES_H

#include "session/session.h"

void stack_losses_tell(struct session *s);

#endif
