/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge: what is told of a section beside its rows, and the exit status that follows. */
#ifndef CMD_DIFF_JUDGE_H
#define CMD_DIFF_JUDGE_H

#include "cmd/diff/diff.h"

enum { EXIT_REFUSED = 255, EXIT_GREW = 1 };

/* Of the last section, on stderr; 0, or the status to exit with. */
int diff_judge(const struct diff_cmd *o, const struct diff *d);
/* A sentence. */
void diff_add_doubt(const struct diff_doubt *b, struct strbuf *out);

#endif
