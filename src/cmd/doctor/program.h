/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor/program: loads a program without running it: the kernel and the dynamic loader map the
 * program and its libraries, and before the program's first own instruction it is held. (Libraries'
 * own constructors have run by then.)
 */
#ifndef CMD_DOCTOR_PROGRAM_H
#define CMD_DOCTOR_PROGRAM_H

#include "base/err.h"

/* *pid is held until program_end(); it also ends with us. */
int program_load(const char *const *argv, pid_t *pid, struct err *e);
void program_end(pid_t pid);

#endif
