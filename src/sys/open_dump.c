/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/open_dump.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/safe_file.h"
#include "base/types.h"

/* The fields in perf's order. */
static void put_attr(FILE *f, const struct perf_event_attr *a)
{
	const struct {
		const char *name;
		u64 value;
	} fields[] = {
		{ "type", a->type },
		{ "size", a->size },
		{ "config", a->config },
		{ "sample_period", a->sample_period },
		{ "sample_type", a->sample_type },
		{ "read_format", a->read_format },
		{ "disabled", a->disabled },
		{ "inherit", a->inherit },
		{ "pinned", a->pinned },
		{ "exclusive", a->exclusive },
		{ "exclude_user", a->exclude_user },
		{ "exclude_kernel", a->exclude_kernel },
		{ "exclude_hv", a->exclude_hv },
		{ "exclude_idle", a->exclude_idle },
		{ "mmap", a->mmap },
		{ "comm", a->comm },
		{ "freq", a->freq },
		{ "inherit_stat", a->inherit_stat },
		{ "enable_on_exec", a->enable_on_exec },
		{ "task", a->task },
		{ "watermark", a->watermark },
		{ "precise_ip", a->precise_ip },
		{ "mmap_data", a->mmap_data },
		{ "sample_id_all", a->sample_id_all },
		{ "exclude_host", a->exclude_host },
		{ "exclude_guest", a->exclude_guest },
		{ "exclude_callchain_kernel", a->exclude_callchain_kernel },
		{ "exclude_callchain_user", a->exclude_callchain_user },
		{ "mmap2", a->mmap2 },
		{ "comm_exec", a->comm_exec },
		{ "context_switch", a->context_switch },
		{ "write_backward", a->write_backward },
		{ "namespaces", a->namespaces },
		{ "use_clockid", a->use_clockid },
		{ "wakeup_events", a->wakeup_events },
		{ "bp_type", a->bp_type },
		{ "config1", a->config1 },
		{ "config2", a->config2 },
		{ "branch_sample_type", a->branch_sample_type },
		{ "sample_regs_user", a->sample_regs_user },
		{ "sample_stack_user", a->sample_stack_user },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		fprintf(f, "%s=%llu\n", fields[i].name, (unsigned long long)fields[i].value);
}

void sys_open_dump(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, u64 flags,
		   int fd)
{
	const char *dir = getenv("PERF_TEST_ATTR");
	char name[64], path[PATH_MAX];
	FILE *f;

	if (!dir || fd < 0)
		return;
	snprintf(name, sizeof(name), "event-%u-%llx-%d", attr->type,
		 (unsigned long long)attr->config, fd);
	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return;
	f = output_file_stream(path, NULL);
	if (!f)
		return;
	fprintf(f, "[%s]\nfd=%d\ngroup_fd=%d\ncpu=%d\npid=%d\nflags=%llu\n", name, fd, group_fd,
		cpu, pid, (unsigned long long)(flags | PERF_FLAG_FD_CLOEXEC));
	put_attr(f, attr);
	fclose(f);
}
