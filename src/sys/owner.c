/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/proc.h"

/* The pid namespace that we are in; 0 = unknown. */
static u64 pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) ? 0 : (u64)st.st_ino;
}

void sys_owner_name(const char *word, struct strbuf *out)
{
	u64 start = 0;

	(void)sys_proc_start(NULL, (u32)getpid(), &start);
	strbuf_addf(out, "perf_%d_%" PRIu64 "_%" PRIu64 "_%s", getpid(), start, pid_namespace(),
		    word);
}

bool sys_owner_is_gone(const char *name)
{
	u64 start, ns, now;
	u32 pid;
	int end = 0;

	if (sscanf(name, "perf_%" SCNu32 "_%" SCNu64 "_%" SCNu64 "_%n", &pid, &start, &ns, &end) !=
		    3 ||
	    !end || !start || !ns || ns != pid_namespace() || !sys_proc_is_ours(NULL))
		return false;
	return !sys_proc_start(NULL, pid, &now) || now != start;
}
