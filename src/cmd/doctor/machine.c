/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/doctor/machine.h"

#include <errno.h>
#include <string.h>

#include "unwind/abi.h"
#include "unwind/frame_pointers.h"

/* linux/capability.h */
enum { CAP_IPC_LOCK = 14, CAP_SYS_PTRACE = 19, CAP_SYS_ADMIN = 21, CAP_SYSLOG = 34, CAP_PERFMON = 38,
       CAP_BPF = 39 };
enum { DEFAULT_MAX_STACK = 127, DEFAULT_RATE = 4000, USUAL_RATE = 100000, DEFAULT_MLOCK_KB = 516 };

static bool has_cap(const struct machine_facts *f, int cap)
{
	return f->caps >> cap & 1;
}

/* What goes before a command that needs root. */
static const char *as_root(const struct machine_facts *f)
{
	return f->limits.root ? "" : "sudo ";
}

static void check_open(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (!f->open_self) {
		findings_add(out, "perf-events", FINDING_OK, "this user may measure its own processes");
		return;
	}
	row = findings_add(out, "perf-events", FINDING_WRONG, "perf_event_open: %s",
			   strerror(f->open_self));
	if (!f->limits.perf_present || f->open_self == ENOSYS) {
		finding_means(row, f->seccomp > 0 ? "a filter of system calls hides perf events" :
						    "this kernel was built without CONFIG_PERF_EVENTS");
		if (f->seccomp > 0)
			finding_mend(row, "docker run --cap-add PERFMON --security-opt seccomp=unconfined ...");
	} else if (f->seccomp > 0 && (f->limits.cap_perfmon || f->limits.paranoid <= 2)) {
		finding_means(row, "permissions would allow it: the filter of system calls (seccomp) of this "
				   "container or service does not");
		finding_mend(row, "docker run --cap-add PERFMON --security-opt seccomp=unconfined ...");
	} else {
		finding_means(row, "nothing can be measured");
		finding_mend(row, "%ssysctl kernel.perf_event_paranoid=1", as_root(f));
	}
}

static void check_paranoid(const struct machine_facts *f, struct findings *out)
{
	int level = f->limits.paranoid;
	struct finding *row;

	if (f->limits.cap_perfmon || level <= -1) {
		row = findings_add(out, "paranoid", FINDING_OK, "kernel.perf_event_paranoid is %d%s", level,
				   f->limits.cap_perfmon ? ", which does not bind this user" : "");
		finding_means(row, "kernel, whole CPUs and tracepoints can be measured");
		return;
	}
	row = findings_add(out, "paranoid", level >= 2 ? FINDING_WRONG : FINDING_NOTE,
			   "kernel.perf_event_paranoid is %d", level);
	if (level >= 3)
		finding_means(row, "on kernels that know this level nothing can be measured without CAP_PERFMON");
	else if (level == 2)
		finding_means(row, "only user space of own processes: no kernel functions in profiles, no -a");
	else if (level == 1)
		finding_means(row, "own processes with their kernel side: no -a, no tracepoint data");
	else
		finding_means(row, "all but the data of tracepoints");
	finding_mend(row, "%ssysctl kernel.perf_event_paranoid=-1", as_root(f));
}

static void check_capabilities(const struct machine_facts *f, struct findings *out)
{
	static const struct {
		int cap;
		const char *name;
	} caps[] = {
		{ CAP_SYS_ADMIN, "sys_admin" }, { CAP_PERFMON, "perfmon" }, { CAP_BPF, "bpf" },
		{ CAP_SYS_PTRACE, "sys_ptrace" }, { CAP_SYSLOG, "syslog" }, { CAP_IPC_LOCK, "ipc_lock" },
	};
	_cleanup_(strbuf_releasep) struct strbuf names = STRBUF_INIT;
	struct finding *row;

	for (size_t i = 0; i < ARRAY_SIZE(caps); i++)
		if (has_cap(f, caps[i].cap))
			strbuf_addf(&names, " %s", caps[i].name);
	if (f->limits.cap_perfmon) {
		row = findings_add(out, "capabilities", FINDING_OK, "of those that matter:%s", names.buf);
		finding_means(row, "processes of other users and whole CPUs can be measured");
		return;
	}
	row = findings_add(out, "capabilities", FINDING_NOTE, "of those that matter:%s",
			   names.len ? names.buf : " none");
	finding_means(row, "CAP_PERFMON would allow everything whatever perf_event_paranoid says");
	finding_mend(row, "sudo setcap cap_perfmon,cap_sys_ptrace,cap_syslog=ep $(command -v perf)");
}

static void check_container(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->seccomp > 0) {
		row = findings_add(out, "seccomp", f->open_self ? FINDING_WRONG : FINDING_OK,
				   f->open_self ? "system calls are filtered" :
						  "system calls are filtered, but perf_event_open is not");
		if (f->open_self)
			finding_means(row, "see perf-events");
	} else {
		findings_add(out, "seccomp", FINDING_OK, "system calls are not filtered");
	}
	if (!f->container && !f->inner_pids && !f->inner_users) {
		findings_add(out, "container", FINDING_OK, "not in a container");
		return;
	}
	row = findings_add(out, "container", FINDING_NOTE, "in a container: %s",
			   f->container ? f->container_by :
			   f->inner_pids ? "a pid namespace of its own" : "a user namespace of its own");
	finding_means(row, "only this container's processes have names here; perf outside of it sees "
			   "the processes in it, with symbols");
}

static void check_kernel_names(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->kallsyms && !f->names_hidden) {
		findings_add(out, "kernel-names", FINDING_OK, "kernel addresses can be read (kptr_restrict %d)",
			     f->limits.kptr_restrict);
		return;
	}
	row = findings_add(out, "kernel-names", FINDING_WRONG, "kernel addresses are hidden "
			   "(kptr_restrict %d, perf_event_paranoid %d)", f->limits.kptr_restrict,
			   f->limits.paranoid);
	finding_means(row, "kernel functions will have no names");
	if (f->limits.kptr_restrict >= 2 || f->limits.root)
		finding_mend(row, "%ssysctl kernel.kptr_restrict=0", as_root(f));
	else
		finding_mend(row, "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1");
}

static void check_tracefs(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->tracefs_readable) {
		findings_add(out, "tracefs", FINDING_OK, "%s can be read", f->tracefs);
		return;
	}
	if (!f->tracefs[0] && f->limits.root) {
		findings_add(out, "tracefs", FINDING_OK, "not mounted; perf mounts it when it needs it");
		return;
	}
	if (!f->tracefs[0]) {
		row = findings_add(out, "tracefs", FINDING_WRONG, "not mounted");
		finding_mend(row, "sudo mount -t tracefs nodev /sys/kernel/tracing");
	} else {
		row = findings_add(out, "tracefs", FINDING_NOTE, "%s cannot be read by this user", f->tracefs);
		finding_mend(row, "sudo mount -o remount,mode=755 /sys/kernel/tracing");
	}
	finding_means(row, "no tracepoints: sched, block, syscalls and perf trace need them");
}

static void check_pmu(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (!f->open_pmu) {
		findings_add(out, "pmu", FINDING_OK, "the CPU's counters work (%s)",
			     f->pmu[0] ? f->pmu : "hardware events");
		return;
	}
	row = findings_add(out, "pmu", FINDING_NOTE, "no hardware events: %s%s", strerror(f->open_pmu),
			   f->pmu[0] ? "" : ", the kernel has no CPU PMU");
	if (f->open_pmu == EACCES || f->open_pmu == EPERM) {
		finding_means(row, "permission is missing, see paranoid and seccomp");
	} else if (f->hypervisor[0]) {
		finding_means(row, "a virtual machine (%s) whose host passes no counters on; a clock is "
				   "sampled instead of cycles, and cannot see where interrupts are off",
			      f->hypervisor);
		finding_mend(row, "qemu -cpu host,pmu=on (on the host)");
	} else {
		finding_means(row, "a clock is sampled instead of cycles; the kernel's log says why "
				   "(dmesg | grep -i pmu)");
	}
}

static void check_counters(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->open_pmu)
		return;
	if (f->nmi_watchdog <= 0) {
		findings_add(out, "counters", FINDING_OK, "the watchdog takes none of them");
		return;
	}
	row = findings_add(out, "counters", FINDING_NOTE, "the watchdog for hard lockups takes one");
	finding_means(row, "groups of events that need all counters are not counted, others take turns earlier");
	finding_mend(row, "%ssysctl kernel.nmi_watchdog=0", as_root(f));
}

static void check_max_stack(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;
	u32 max = f->limits.max_stack;

	row = findings_add(out, "max-stack", max < DEFAULT_MAX_STACK ? FINDING_WRONG : FINDING_OK,
			   "callchains have up to %u frames", max);
	finding_means(row, "deeper stacks lose their outermost frames: recursion, Java, Python; "
			   "sysctl kernel.perf_event_max_stack takes larger numbers while nothing is recorded");
	if (max < DEFAULT_MAX_STACK)
		finding_mend(row, "%ssysctl kernel.perf_event_max_stack=%d", as_root(f), DEFAULT_MAX_STACK);
}

static void check_mlock(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->limits.cap_ipc_lock || f->limits.paranoid < 0) {
		findings_add(out, "mlock", FINDING_OK, "ring buffers of any size");
		return;
	}
	row = findings_add(out, "mlock", f->limits.mlock_kb < DEFAULT_MLOCK_KB ? FINDING_WRONG : FINDING_OK,
			   "%llu kB of ring buffers per CPU", (unsigned long long)f->limits.mlock_kb);
	finding_means(row, "larger buffers (-m), which keep bursts of samples, are refused");
	if (f->limits.mlock_kb < DEFAULT_MLOCK_KB)
		finding_mend(row, "%ssysctl kernel.perf_event_mlock_kb=%d", as_root(f), DEFAULT_MLOCK_KB);
}

static void check_rate(const struct machine_facts *f, struct findings *out)
{
	u32 rate = f->limits.max_sample_rate;
	struct finding *row;

	if (rate >= DEFAULT_RATE) {
		row = findings_add(out, "sample-rate", FINDING_OK, "up to %u samples per second and CPU", rate);
		finding_means(row, "the kernel lowers it when sampling takes more than %u %% of the time",
			      f->limits.cpu_time_max_percent);
		return;
	}
	row = findings_add(out, "sample-rate", FINDING_WRONG, "only %u samples per second and CPU", rate);
	finding_means(row, "the kernel lowered kernel.perf_event_max_sample_rate, since samples took too long: "
			   "the default rate of %d is refused or throttled", DEFAULT_RATE);
	finding_mend(row, "%ssysctl kernel.perf_event_max_sample_rate=%d", as_root(f), USUAL_RATE);
}

static void check_open_files(const struct machine_facts *f, struct findings *out)
{
	enum { FEW_PER_CPU = 16 };
	struct finding *row;

	if (f->open_files >= (u64)f->cpus * FEW_PER_CPU + 256) {
		findings_add(out, "open-files", FINDING_OK, "up to %llu", (unsigned long long)f->open_files);
		return;
	}
	row = findings_add(out, "open-files", FINDING_WRONG, "at most %llu",
			   (unsigned long long)f->open_files);
	finding_means(row, "every event needs one for each of the %u CPUs", f->cpus);
	finding_mend(row, "ulimit -Hn 1048576 (as root, before perf)");
}

static void check_bpf(const struct machine_facts *f, struct findings *out)
{
	bool may = has_cap(f, CAP_BPF) || has_cap(f, CAP_SYS_ADMIN);
	struct finding *row;

	if (f->btf && may) {
		findings_add(out, "bpf", FINDING_OK, "the kernel has type information (BTF), this user may load "
						     "programs");
		return;
	}
	row = findings_add(out, "bpf", FINDING_NOTE, "%s",
			   !f->btf ? "no /sys/kernel/btf/vmlinux" : "this user may load no BPF programs");
	finding_means(row, "commands that count inside the kernel (record --off-cpu) need "
			   "CONFIG_DEBUG_INFO_BTF and CAP_BPF");
}

static void check_lockdown(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;
	bool all = strcmp(f->lockdown, "confidentiality") == 0;

	if (!f->lockdown[0])
		return;
	if (strcmp(f->lockdown, "none") == 0) {
		findings_add(out, "lockdown", FINDING_OK, "the kernel is not locked down");
		return;
	}
	row = findings_add(out, "lockdown", all ? FINDING_WRONG : FINDING_NOTE, "the kernel is locked down: %s",
			   f->lockdown);
	finding_means(row, all ? "kernel addresses, tracepoints and probes are closed, also to root" :
				 "kernel probes (kprobes by BPF, /proc/kcore) may be refused, also to root");
}

static void check_debug_information(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->debuginfod_set || f->debug_files) {
		findings_add(out, "debuginfod", FINDING_OK, "%s",
			     f->debuginfod_set ? "DEBUGINFOD_URLS is set" :
						 "debug packages are installed in /usr/lib/debug");
		return;
	}
	row = findings_add(out, "debuginfod", FINDING_NOTE, "no debug packages, DEBUGINFOD_URLS is not set");
	finding_means(row, "stripped libraries show only their exported functions, no source lines");
	finding_mend(row, "export DEBUGINFOD_URLS=%s", f->distribution->debuginfod);
}

static void check_unwinder(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (!unwind_abi_find(f->arch, false)) {
		row = findings_add(out, "unwinder", FINDING_NOTE, "none for %s", f->arch);
		finding_means(row, "--call-graph dwarf cannot be resolved here; fp needs programs with frame pointers");
		return;
	}
	if (f->libc_frames == FP_KEPT) {
		row = findings_add(out, "unwinder", FINDING_OK, "libc keeps frame pointers: -g (fp) is the cheapest");
		finding_means(row, "for programs built without: --call-graph dwarf; perf doctor -- CMD tells");
		return;
	}
	row = findings_add(out, "unwinder", FINDING_OK, "libc %s: --call-graph dwarf gives whole stacks",
			   f->libc_frames < 0 ? "is part of perf here" : "keeps no frame pointers");
	finding_means(row, "-g (fp) is cheaper, but loses callers in code without frame pointers; "
			   "perf doctor -- CMD tells what a program needs");
}

typedef void check_fn(const struct machine_facts *f, struct findings *out);

static const struct {
	check_fn *check;
	bool permission; /* recording fails or misses a side without it */
} checks[] = {
	{ check_open, true },
	{ check_paranoid, true },
	{ check_capabilities, false },
	{ check_container, false },
	{ check_lockdown, false },
	{ check_kernel_names, true },
	{ check_tracefs, false },
	{ check_pmu, false },
	{ check_counters, false },
	{ check_max_stack, false },
	{ check_mlock, false },
	{ check_rate, true },
	{ check_open_files, false },
	{ check_bpf, false },
	{ check_debug_information, false },
	{ check_unwinder, false },
};

void machine_check(const struct machine_facts *facts, struct findings *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		checks[i].check(facts, out);
}

void machine_check_permission(const struct machine_facts *facts, struct findings *out)
{
	struct findings all = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		if (checks[i].permission)
			checks[i].check(facts, &all);
	VEC_FOR(&all.rows, row) {
		if (row->state == FINDING_OK)
			continue;
		*VEC_PUSH(&out->rows) = *row;
		*row = (struct finding){ 0 };
	}
	findings_release(&all);
}
