/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor: what the files of perf doctor share: its options, and who looks at what.
 */
#ifndef CMD_DOCTOR_DOCTOR_H
#define CMD_DOCTOR_DOCTOR_H

#include "base/err.h"
#include "cmd/doctor/findings.h"
#include "cmd/doctor/machine.h"
#include "recording/recording.h"

struct doctor_opts {
	struct recording rec;
	const char *pid;
	const char *debugfs_dir; /* see sys_tracefs_find() */
	bool json;
	int verbose;
};

/* Processes that run: "PID[,PID...]". */
int doctor_processes(const char *list, const struct machine_facts *facts, struct findings *out,
		     struct err *e);
/* A program that is loaded for it and ended before its first own instruction. */
int doctor_command(int argc, const char **argv, const struct machine_facts *facts,
		   struct findings *out, struct err *e);
/* The recording of o->rec, which the caller closes. */
int doctor_capture(struct doctor_opts *o, struct findings *out, struct err *e);

#endif
