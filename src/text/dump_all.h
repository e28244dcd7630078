/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump_all: the text of `report -D` and `annotate -D`: every record in the order it is used, then
 * how many there were of each kind (text/stats.h).
 */
#ifndef TEXT_DUMP_ALL_H
#define TEXT_DUMP_ALL_H

#include <stdio.h>

#include "session/session.h"

/* branches: what is counted of a sample are its branches. */
int dump_all(struct session *s, bool branches, FILE *to, struct err *e);

#endif
