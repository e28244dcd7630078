/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program/exec_path: the folder with the scripts and modules that are installed with perf.
 */
#ifndef PROGRAM_EXEC_PATH_H
#define PROGRAM_EXEC_PATH_H

/*
 * Where installed scripts and modules are: PERF_EXEC_PATH, else where perf is installed; where
 * nothing is installed and the program was not moved from where it was built, the sources above it.
 */
const char *program_exec_path(void);

#endif
