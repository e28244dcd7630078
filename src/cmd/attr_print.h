/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attr_print: an event's attr on stderr before it is opened, as -vv shows it.
 */
#ifndef CMD_ATTR_PRINT_H
#define CMD_ATTR_PRINT_H

#include "event/event.h"

void attr_print(const struct event *ev);

#endif
