/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints, probes, BPF, control groups: kernel facilities besides perf events themselves. */
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "cmd/test/test.h"
#include "sys/cgroup.h"
#include "sys/perf_open.h"
#include "sys/proc.h"
#include "sys/tracefs.h"
#include "tracefmt/tracefmt.h"

#define PMU_DIR "/sys/bus/event_source/devices/"

enum { ENOUGH_FORMATS = 200 };

/* The tracefs root, or the skip. */
static bool find_tracefs(struct test *t, char *root, size_t size)
{
	u64 id;

	if (!sys_tracefs_find(t->debugfs_dir, NULL, root, size)) {
		test_skip(t, "tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing");
		return false;
	}
	if (sys_tracefs_id(root, "sched", "sched_switch", &id) == -EACCES) {
		test_skip(t, "'%s' is not readable for this user", root);
		return false;
	}
	return true;
}

static enum test_result tracefs_readable(struct test *t)
{
	char root[4096];

	if (!find_tracefs(t, root, sizeof(root)))
		return TEST_SKIP;
	test_note(t, "%s", root);
	return TEST_OK;
}

static enum test_result count_tracepoint(struct test *t)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	enum test_result r = TEST_OK;
	char root[4096];
	u64 id, n;
	int fd, err;

	if (!find_tracefs(t, root, sizeof(root)))
		return TEST_SKIP;
	err = sys_tracefs_id(root, "raw_syscalls", "sys_enter", &id);
	if (err)
		return test_skip(t, "no raw_syscalls:sys_enter: %s", strerror(-err));
	attr.config = id;
	fd = test_open(t, &attr, 0, -1, -1, &r);
	if (fd < 0)
		return r;
	for (int i = 0; i < 10; i++)
		syscall(SYS_getppid);
	n = test_count(fd);
	close(fd);
	return n >= 10 ? TEST_OK : test_fail(t, "%llu for 10 system calls", (unsigned long long)n);
}

/* Formats of the system, until enough were read. */
static bool read_formats(struct test *t, const char *root, const char *system,
			 struct tracefmt_set *set)
{
	sys_names names = { 0 };
	bool good = true;

	sys_tracefs_list(root, system, &names);
	VEC_FOR(&names, name) {
		_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
		struct err e = ERR_INIT;

		if (tracefmt_set_count(set) >= ENOUGH_FORMATS)
			break;
		if (sys_tracefs_format(root, system, *name, &text, &e))
			continue; /* not an event, or gone again */
		if (tracefmt_set_add(set, system, text.buf, text.len, &e)) {
			test_fail(t, "%s:%s: %.150s", system, *name, e.text);
			good = false;
			break;
		}
	}
	sys_names_release(&names);
	return good;
}

static enum test_result tracepoint_formats(struct test *t)
{
	struct tracefmt_set *set;
	sys_names systems = { 0 };
	enum test_result r = TEST_OK;
	char root[4096];

	if (!find_tracefs(t, root, sizeof(root)))
		return TEST_SKIP;
	set = tracefmt_set_new();
	sys_tracefs_list(root, NULL, &systems);
	VEC_FOR(&systems, system) {
		if (!read_formats(t, root, *system, set)) {
			r = TEST_FAIL;
			break;
		}
	}
	test_note(t, "%zu formats read", tracefmt_set_count(set));
	if (r == TEST_OK && !tracefmt_set_count(set))
		r = test_fail(t, "no tracepoint found below '%s'", root);
	sys_names_release(&systems);
	tracefmt_set_free(set);
	return r;
}

/* A probe that is opened through its PMU; the event is closed again at once. */
static enum test_result open_probe(struct test *t, const char *pmu, const char *type_file,
				   const char *where, u64 offset)
{
	struct perf_event_attr attr = { .sample_period = 1 };
	enum test_result r = TEST_OK;
	u64 type;
	int fd;

	if (!rw_read_u64(type_file, &type))
		return test_skip(t, "this kernel has no %ss", pmu);
	attr.type = (u32)type;
	attr.config1 = (u64)(uintptr_t)where;
	attr.config2 = offset;
	fd = test_open(t, &attr, 0, -1, -1, &r);
	if (fd >= 0)
		close(fd);
	return r;
}

static enum test_result kprobes(struct test *t)
{
	return open_probe(t, "kprobe", PMU_DIR "kprobe/type", "schedule", 0);
}

static enum test_result uprobes(struct test *t)
{
	char path[4096];
	u64 offset;

	if (!sys_proc_own_file((const void *)(uintptr_t)uprobes, path, sizeof(path), &offset))
		return test_fail(t, "the program's own file is not in /proc/self/maps");
	return open_probe(t, "uprobe", PMU_DIR "uprobe/type", path, offset);
}

static enum test_result bpf_programs(struct test *t)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_TRACEPOINT,
		.insn_cnt = ARRAY_SIZE(insns),
		.insns = (u64)(uintptr_t)insns,
		.license = (u64)(uintptr_t) "GPL",
	};
	int fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	if (fd < 0 && errno == EPERM)
		return test_skip(t, "not permitted: needs CAP_BPF and CAP_PERFMON");
	if (fd < 0 && errno == ENOSYS)
		return test_skip(t, "this kernel has no bpf()");
	if (fd < 0)
		return test_fail(t, "a program cannot be loaded: %s", strerror(errno));
	close(fd);
	return TEST_OK;
}

static enum test_result kernel_btf(struct test *t)
{
	return access("/sys/kernel/btf/vmlinux", R_OK)
		       ? test_skip(t, "no /sys/kernel/btf/vmlinux: %s", strerror(errno))
		       : TEST_OK;
}

static enum test_result control_groups(struct test *t)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_TASK_CLOCK };
	struct err e = ERR_INIT;
	int dir = sys_cgroup_open(NULL, "/", &e), fd;

	if (dir < 0)
		return test_skip(t, "%.200s", e.text);
	fd = sys_perf_event_open(&attr, dir, 0, -1, PERF_FLAG_PID_CGROUP);
	close(dir);
	if (fd == -EACCES || fd == -EPERM)
		return test_skip(t, "not permitted: kernel.perf_event_paranoid is %d",
				 t->limits.paranoid);
	if (fd < 0)
		return test_skip(t, "the hierarchy cannot be measured: %s", strerror(-fd));
	close(fd);
	return TEST_OK;
}

static const struct self_test tracepoint_subs[] = {
	{ "tracefs", tracefs_readable, NULL },
	{ "Counting system calls", count_tracepoint, NULL },
	{ "Formats of this kernel's events", tracepoint_formats, NULL },
	{ NULL, NULL, NULL }
};

static const struct self_test probe_subs[] = { { "kprobe", kprobes, NULL },
					       { "uprobe", uprobes, NULL },
					       { NULL, NULL, NULL } };

static const struct self_test bpf_subs[] = { { "Programs", bpf_programs, NULL },
					     { "Types of the kernel (BTF)", kernel_btf, NULL },
					     { NULL, NULL, NULL } };

const struct self_test checks_tracing[] = { { "Tracepoints", NULL, tracepoint_subs },
					    { "Probes", NULL, probe_subs },
					    { "BPF", NULL, bpf_subs },
					    { "Control groups", control_groups, NULL },
					    { NULL, NULL, NULL } };
