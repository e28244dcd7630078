/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/limits.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

/* capability bits, linux/capability.h */
enum { CAP_BIT_IPC_LOCK = 14, CAP_BIT_SYS_ADMIN = 21, CAP_BIT_SYSLOG = 34, CAP_BIT_PERFMON = 38 };

static bool read_number(const char *procfs, const char *name, long *value)
{
	char path[PATH_MAX];
	char line[64];
	char *end;

	snprintf(path, sizeof(path), "%s/sys/kernel/%s", procfs, name);
	if (rw_read_line(path, line, sizeof(line)) < 0)
		return false;
	long v = strtol(line, &end, 10);
	if (end == line)
		return false;
	*value = v;
	return true;
}

static u32 read_u32(const char *procfs, const char *name, u32 fallback)
{
	long v;

	if (!read_number(procfs, name, &v) || v < 0 || v > (long)UINT32_MAX)
		return fallback;
	return (u32)v;
}

/* CapEff of this process; all bits for root when /proc is not readable. */
static u64 effective_caps(const char *procfs)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/self/status", procfs);
	if (!rw_slurp(path, &sb, NULL)) {
		const char *at = strstr(sb.buf, "\nCapEff:");

		if (at)
			return strtoull(at + 8, NULL, 16);
	}
	return geteuid() == 0 ? ~0ULL : 0;
}

bool sys_in_first_ns(const char *procfs, const char *kind)
{
	static const struct {
		const char *kind;
		u32 inode;
	} first[] = { { "cgroup", 0xeffffffb }, { "pid", 0xeffffffc }, { "user", 0xeffffffd } };
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/self/ns/%s", procfs ? procfs : "/proc", kind);
	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		if (!strcmp(first[i].kind, kind))
			return stat(path, &st) || st.st_ino == first[i].inode;
	return true;
}

void sys_limits_read(struct sys_limits *l, const char *procfs)
{
	long v = 0;

	if (!procfs)
		procfs = "/proc";
	*l = (struct sys_limits){ 0 };
	l->perf_present = read_number(procfs, "perf_event_paranoid", &v);
	l->paranoid = l->perf_present ? (int)v : SYS_PARANOID_UNKNOWN;
	l->kptr_restrict = read_number(procfs, "kptr_restrict", &v) ? (int)v : 0;
	l->max_sample_rate = read_u32(procfs, "perf_event_max_sample_rate", 100000);
	l->mlock_kb = read_u32(procfs, "perf_event_mlock_kb", 516);
	l->max_stack = read_u32(procfs, "perf_event_max_stack", 127);
	l->cpu_time_max_percent = read_u32(procfs, "perf_cpu_time_max_percent", 25);

	l->first_user_ns = sys_in_first_ns(procfs, "user");

	u64 caps = l->first_user_ns ? effective_caps(procfs) : 0;

	l->root = l->first_user_ns && geteuid() == 0;
	l->cap_perfmon = caps >> CAP_BIT_PERFMON & 1 || caps >> CAP_BIT_SYS_ADMIN & 1;
	l->cap_ipc_lock = caps >> CAP_BIT_IPC_LOCK & 1;
	l->cap_syslog = caps >> CAP_BIT_SYSLOG & 1;
}

bool sys_may_profile_kernel(const struct sys_limits *l)
{
	return l->cap_perfmon || l->paranoid <= 1;
}

bool sys_may_profile_cpus(const struct sys_limits *l)
{
	return l->cap_perfmon || l->paranoid <= 0;
}

u32 sys_kernel_version(void)
{
	unsigned int major, minor;
	struct utsname u;

	return !uname(&u) && sscanf(u.release, "%5u.%5u", &major, &minor) == 2
		       ? SYS_KERNEL(major, minor)
		       : 0;
}

u64 sys_nofile(void)
{
	struct rlimit rl;

	return getrlimit(RLIMIT_NOFILE, &rl) ? 0 : (u64)rl.rlim_cur;
}

u64 sys_raise_nofile(u64 want)
{
	struct rlimit rl;

	if (getrlimit(RLIMIT_NOFILE, &rl))
		return 0;
	if (rl.rlim_max < want) {
		struct rlimit more = { .rlim_cur = want, .rlim_max = want };

		if (!setrlimit(RLIMIT_NOFILE, &more))
			return want;
	}
	if (rl.rlim_cur < rl.rlim_max) {
		rl.rlim_cur = rl.rlim_max;
		setrlimit(RLIMIT_NOFILE, &rl);
	}
	return sys_nofile();
}
