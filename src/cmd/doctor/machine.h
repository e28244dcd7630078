/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor/machine: what this machine and this user allow. First facts are collected, then each check
 * of a table looks at the facts alone.
 */
#ifndef CMD_DOCTOR_MACHINE_H
#define CMD_DOCTOR_MACHINE_H

#include "cmd/doctor/findings.h"
#include "sys/distribution.h"
#include "sys/limits.h"
#include "sys/server_reach.h"

struct machine_facts {
	const char *buildid_dir; /* of whom asks, see dso_config */
	struct sys_limits limits;
	bool proc; /* /proc is there */
	bool own_proc; /* and tells of the processes that we know by the same numbers */
	char self[4096]; /* path of this program, "" = unknown */
	u64 caps; /* effective; in a user namespace of its own those count there alone */
	int open_self; /* errno of opening a clock on ourselves, 0 = it works */
	int open_pmu; /* the same of the CPU's cycle counter */
	int seccomp; /* of /proc/self/status: 0 off, 1 strict, 2 filter; -1 unknown */
	bool own_pids, own_files; /* our pid, mount namespace is not the first; users:
				     limits.first_user_ns */
	char container_by[64]; /* the kind of container, as far as files tell; "" = unknown */
	bool names_hidden; /* kernel addresses read as zeros */
	bool kallsyms; /* /proc/kallsyms can be read */
	char tracefs[256]; /* where it is mounted, "" = nowhere */
	bool tracefs_readable;
	char pmu[64]; /* name of the CPU's PMU in sysfs, "" = none */
	char hypervisor[64]; /* what tells of a virtual machine, "" = nothing does */
	int nmi_watchdog; /* kernel.nmi_watchdog, -1 unknown */
	char lockdown[32]; /* the mode in force, "" = unknown */
	bool btf; /* the kernel's types can be read */
	bool debuginfod_set; /* DEBUGINFOD_URLS has a value */
	enum server_reach debuginfod; /* whether one of them answers */
	bool debuginfod_installed; /* the library that asks them is there */
	bool debug_files; /* /usr/lib/debug/.build-id is there */
	char arch[32]; /* of uname */
	int libc_frames; /* enum fp_verdict of our own libc, -1 = not found */
	u64 open_files; /* hard limit */
	u32 cpus;
	bool no_sudo, no_sysctl, no_setcap; /* these programs are not installed */
	const struct sys_distribution *distribution;
};

void machine_facts_read(struct machine_facts *f, const char *debugfs_dir);
/* All checks; true names are in the table in machine.c. */
void machine_check(const struct machine_facts *facts, struct findings *out);
/* For a report about a target: what is wrong with what recording itself needs. */
void machine_check_permission(const struct machine_facts *facts, struct findings *out);

#endif
