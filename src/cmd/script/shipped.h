/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shipped: scripts that are installed with perf: NAME-record and NAME-report, shell scripts that
 * record what the script needs and show what it tells, in EXEC-PATH/scripts/python/bin. Names come
 * from the command line and the folder alone.
 */
#ifndef CMD_SCRIPT_SHIPPED_H
#define CMD_SCRIPT_SHIPPED_H

#include "base/err.h"

/* -l */
void shipped_list(const char *exec_path);
/*
 * record NAME ..., report NAME ..., or NAME ... (both at once). Runs it in place of this program,
 * or with all of it in children. all_cpus: -a was given. The exit code, or -1 with *e.
 */
int shipped_run(const char *exec_path, bool all_cpus, int argc, const char **argv, struct err *e);

#endif
