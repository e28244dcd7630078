/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/secure.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/* (libc and the loader forget their own, such as LD_PRELOAD and TMPDIR.) */
static const char *const forgotten[] = {
	"PERF_EXEC_PATH", "PERF_PYTHON", "PERF_CONFIG", "PERF_BUILDID_DIR", "PERF_DEBUGFS_DIR",
	"PERF_TEST_ATTR", "PERF_PAGER",  "PAGER",       "DEBUGINFOD_URLS",  "DEBUGINFOD_CACHE_PATH",
};

int secure_start(struct err *e)
{
	if (!getauxval(AT_SECURE))
		return 0;
	if (getuid() != geteuid() || getgid() != getegid()) {
		err_set(e, EPERM, "perf does not run set-user-ID or set-group-ID");
		err_hint(
			e,
			"give it capabilities instead: setcap cap_perfmon,cap_sys_ptrace,cap_syslog=ep PERF");
		return -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(forgotten); i++)
		unsetenv(forgotten[i]);
	return 0;
}

int secure_drop(struct err *e)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	if (getauxval(AT_SECURE) && syscall(SYS_capset, &head, none))
		return err_sys(e, errno, "cannot give up capabilities before a script runs");
	return 0;
}
