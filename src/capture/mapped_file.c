/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/mapped_file.h"

#include <stdio.h>

#include "base/input.h"
#include "sys/proc.h"

static int open_range(s32 pid, u64 start, u64 end)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", pid, (unsigned long long)start,
		 (unsigned long long)end);
	return input_open(path, 0, NULL);
}

int mapped_file_open(s32 pid, u64 start, u64 end)
{
	struct sys_maps_iter it;
	struct sys_proc proc;
	struct sys_map m;
	int fd = pid > 0 ? open_range(pid, start, end) : -1;

	if (fd >= 0 || pid <= 0 || !sys_proc_init(&proc, NULL))
		return fd;
	/* A part of it has other rights by now. */
	if (sys_proc_maps(&proc, pid, &it)) {
		while (fd < 0 && sys_maps_next(&it, &m))
			if (m.ino && m.start < end && m.end > start)
				fd = open_range(pid, m.start, m.end);
	}
	sys_proc_release(&proc);
	return fd;
}
