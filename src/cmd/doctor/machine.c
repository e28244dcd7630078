/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/doctor/machine.h"

#include <errno.h>
#include <string.h>

#include "cli/words.h"
#include "unwind/abi.h"
#include "unwind/frame_pointers.h"

/* linux/capability.h */
enum {
	CAP_IPC_LOCK = 14,
	CAP_SYS_PTRACE = 19,
	CAP_SYS_ADMIN = 21,
	CAP_SYSLOG = 34,
	CAP_PERFMON = 38,
	CAP_BPF = 39
};
enum { DEFAULT_MAX_STACK = 127, DEFAULT_RATE = 4000, DEFAULT_MLOCK_KB = 516 };

static bool has_cap(const struct machine_facts *f, int cap)
{
	return f->caps >> cap & 1;
}

/* What goes before a command that needs root. */
static const char *as_root(const struct machine_facts *f)
{
	if (!f->limits.first_user_ns)
		return "(outside of this user namespace, as root) ";
	return f->limits.root ? "" : f->no_sudo ? "(as root) " : "sudo ";
}

/* "NAME=VALUE NAME=VALUE" of /proc/sys/kernel, set by whatever is installed. */
static void mend_sysctl(const struct machine_facts *f, struct finding *row, const char *settings)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!f->no_sysctl) {
		for (const char *at = settings; *at; at += strspn(at, " ")) {
			size_t len = strcspn(at, " ");

			strbuf_addf(&text, " kernel.%.*s", (int)len, at);
			at += len;
		}
		finding_mend(row, "%ssysctl%s", as_root(f), text.buf);
		return;
	}
	for (const char *at = settings; *at; at += strspn(at, " ")) {
		size_t name = strcspn(at, "="), len = strcspn(at, " ");

		strbuf_addf(&text, "%secho %.*s >/proc/sys/kernel/%.*s", text.len ? "; " : "",
			    (int)(len - name - 1), at + name + 1, (int)name, at);
		at += len;
	}
	finding_mend(row, "%s%s", f->limits.root ? "" : "(as root) ", text.buf);
}

/*
 * What the kernel's limits want for everything to be measured, with names: one answer, wherever the
 * question comes up. At level 2 and above addresses are hidden from those without CAP_SYSLOG, too.
 */
static void mend_limits(const struct machine_facts *f, struct finding *row)
{
	bool paranoid = !f->limits.cap_perfmon && f->limits.paranoid > -1;
	bool kptr = f->names_hidden && f->limits.kptr_restrict > (f->limits.cap_syslog ? 1 : 0);

	if (paranoid || kptr)
		mend_sysctl(f, row,
			    paranoid && kptr ? "perf_event_paranoid=-1 kptr_restrict=0"
			    : paranoid       ? "perf_event_paranoid=-1"
					     : "kptr_restrict=0");
}

static void mend_seccomp(struct finding *row)
{
	finding_mend(
		row,
		"start the container with --cap-add PERFMON --security-opt seccomp=unconfined (docker, "
		"podman), or the service without SystemCallFilter= (systemd)");
}

static void check_proc(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->proc && f->own_proc)
		return;
	if (f->proc) {
		row = findings_add(out, "proc", FINDING_WRONG, "/proc is another pid namespace's");
		finding_means(row, "what runs before a recording begins has no names in it, and no "
				   "program can be looked at here");
		finding_mend(
			row,
			"mount -t proc proc /proc (in a mount namespace: unshare --mount-proc)");
		return;
	}
	row = findings_add(out, "proc", FINDING_WRONG, "/proc is not mounted");
	finding_means(
		row,
		"the kernel's limits, its names and the processes that run cannot be read: what runs before "
		"a recording begins has no names in it");
	finding_mend(row, "%smount -t proc proc /proc", as_root(f));
}

static void check_open(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (!f->open_self) {
		findings_add(out, "perf-events", FINDING_OK,
			     "this user may measure its own processes");
		return;
	}
	row = findings_add(out, "perf-events", FINDING_WRONG, "perf_event_open: %s",
			   strerror(f->open_self));
	if ((f->proc && !f->limits.perf_present) || f->open_self == ENOSYS) {
		finding_means(row, f->seccomp > 0
					   ? "a filter of system calls hides perf events"
					   : "this kernel was built without CONFIG_PERF_EVENTS");
		if (f->seccomp > 0)
			mend_seccomp(row);
	} else if (f->seccomp > 0 && (f->limits.cap_perfmon || f->limits.paranoid <= 2)) {
		finding_means(
			row,
			"permissions would allow it: the filter of system calls (seccomp) of this "
			"container or service does not");
		mend_seccomp(row);
	} else {
		finding_means(row, "nothing can be measured");
		mend_limits(f, row);
	}
}

static void check_paranoid(const struct machine_facts *f, struct findings *out)
{
	int level = f->limits.paranoid;
	struct finding *row;

	if (f->limits.cap_perfmon || level <= -1) {
		row = findings_add(out, "paranoid", FINDING_OK,
				   "kernel.perf_event_paranoid is %d%s", level,
				   f->limits.cap_perfmon ? ", which does not bind this user" : "");
		finding_means(row, "kernel, whole CPUs and tracepoints can be measured");
		return;
	}
	row = findings_add(out, "paranoid", level >= 2 ? FINDING_WRONG : FINDING_NOTE,
			   "kernel.perf_event_paranoid is %d", level);
	if (level >= 3)
		finding_means(
			row,
			"on kernels that know this level nothing can be measured without CAP_PERFMON");
	else if (level == 2)
		finding_means(
			row,
			"only user space of own processes: no kernel functions in profiles, no -a");
	else if (level == 1)
		finding_means(row,
			      "own processes with their kernel side: no -a, no tracepoint data");
	else
		finding_means(row, "all but the data of tracepoints");
	mend_limits(f, row);
}

static void check_capabilities(const struct machine_facts *f, struct findings *out)
{
	static const struct {
		int cap;
		const char *name;
	} caps[] = {
		{ CAP_SYS_ADMIN, "sys_admin" },
		{ CAP_PERFMON, "perfmon" },
		{ CAP_BPF, "bpf" },
		{ CAP_SYS_PTRACE, "sys_ptrace" },
		{ CAP_SYSLOG, "syslog" },
		{ CAP_IPC_LOCK, "ipc_lock" },
	};
	_cleanup_(strbuf_releasep) struct strbuf names = STRBUF_INIT;
	struct finding *row;

	for (size_t i = 0; i < ARRAY_SIZE(caps); i++)
		if (has_cap(f, caps[i].cap))
			strbuf_addf(&names, " %s", caps[i].name);
	if (f->limits.cap_perfmon) {
		row = findings_add(out, "capabilities", FINDING_OK, "of those that matter:%s",
				   names.buf);
		finding_means(row, "processes of other users and whole CPUs can be measured");
		return;
	}
	if (!f->limits.first_user_ns) {
		row = findings_add(out, "capabilities", FINDING_NOTE,
				   "those of a user namespace of its own");
		finding_means(
			row,
			"they count inside of it alone: the kernel's limits bind this user as any other "
			"without CAP_PERFMON, root's uid included");
		return;
	}
	row = findings_add(out, "capabilities", FINDING_NOTE, "of those that matter:%s",
			   names.len ? names.buf : " none");
	finding_means(row, "CAP_PERFMON would allow everything whatever perf_event_paranoid says");
	if (f->no_setcap)
		return;
	strbuf_reset(&names);
	words_quote(&names, f->self[0] ? f->self : "perf");
	finding_mend(row, "%ssetcap cap_perfmon,cap_sys_ptrace,cap_syslog=ep %s", as_root(f),
		     names.buf);
}

static void check_container(const struct machine_facts *f, struct findings *out)
{
	const struct {
		bool has;
		const char *name;
	} own[] = { { f->own_pids, "processes" },
		    { f->own_files, "files" },
		    { !f->limits.first_user_ns, "users" } };
	_cleanup_(strbuf_releasep) struct strbuf names = STRBUF_INIT;
	struct finding *row;

	if (f->seccomp > 0) {
		row = findings_add(
			out, "seccomp", f->open_self ? FINDING_WRONG : FINDING_OK,
			f->open_self ? "system calls are filtered"
				     : "system calls are filtered, but perf_event_open is not");
		if (f->open_self)
			finding_means(row, "see perf-events");
	} else {
		findings_add(out, "seccomp", FINDING_OK, "system calls are not filtered");
	}
	if (!f->own_pids && !f->own_files && f->limits.first_user_ns) {
		findings_add(out, "container", FINDING_OK, "not in a container");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (own[i].has)
			strbuf_addf(&names, "%s%s", names.len ? ", " : "", own[i].name);
	if (f->container_by[0] && (f->own_pids || f->own_files))
		strbuf_addf(&names, " (%s)", f->container_by);
	row = findings_add(out, "container", FINDING_NOTE, "namespaces of its own: %s", names.buf);
	finding_means(
		row,
		f->own_pids
			? "only this container's processes have names here; perf outside of it sees "
			  "the processes in it, with symbols"
		: f->own_files ? "files of processes outside are read below /proc/PID/root"
			       : "rights that it gives do not reach the kernel's limits");
}

static void check_kernel_names(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->kallsyms && !f->names_hidden) {
		findings_add(out, "kernel-names", FINDING_OK,
			     "kernel addresses can be read (kptr_restrict %d)",
			     f->limits.kptr_restrict);
		return;
	}
	row = findings_add(out, "kernel-names", FINDING_WRONG,
			   "kernel addresses are hidden "
			   "(kptr_restrict %d, perf_event_paranoid %d)",
			   f->limits.kptr_restrict, f->limits.paranoid);
	finding_means(row, "kernel functions will have no names");
	mend_limits(f, row);
}

static void check_tracefs(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->tracefs_readable) {
		findings_add(out, "tracefs", FINDING_OK, "%s can be read", f->tracefs);
		return;
	}
	if (!f->tracefs[0] && f->limits.root) {
		findings_add(out, "tracefs", FINDING_OK,
			     "not mounted; perf mounts it when it needs it");
		return;
	}
	if (!f->tracefs[0]) {
		row = findings_add(out, "tracefs", FINDING_WRONG, "not mounted");
		finding_mend(row, "%smount -t tracefs nodev /sys/kernel/tracing", as_root(f));
	} else {
		row = findings_add(out, "tracefs", FINDING_NOTE, "%s cannot be read by this user",
				   f->tracefs);
		finding_mend(row, "%smount -o remount,mode=755 /sys/kernel/tracing", as_root(f));
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
	row = findings_add(out, "pmu", FINDING_NOTE, "no hardware events: %s%s",
			   strerror(f->open_pmu), f->pmu[0] ? "" : ", the kernel has no CPU PMU");
	if (f->open_pmu == EACCES || f->open_pmu == EPERM) {
		finding_means(row, "permission is missing, see paranoid and seccomp");
	} else if (f->hypervisor[0]) {
		finding_means(
			row,
			"a virtual machine (%s) whose host passes no counters on; a clock is "
			"sampled instead of cycles, and cannot see where interrupts are off (QEMU's host "
			"passes them on with -cpu host,pmu=on)",
			f->hypervisor);
	} else {
		finding_means(row,
			      "a clock is sampled instead of cycles; the kernel's log says why "
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
	row = findings_add(out, "counters", FINDING_NOTE,
			   "the watchdog for hard lockups takes one");
	finding_means(
		row,
		"groups of events that need all counters are not counted, others take turns earlier");
	mend_sysctl(f, row, "nmi_watchdog=0");
}

static void check_max_stack(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;
	u32 max = f->limits.max_stack;

	row = findings_add(out, "max-stack", max < DEFAULT_MAX_STACK ? FINDING_WRONG : FINDING_OK,
			   "callchains have up to %u frames", max);
	finding_means(
		row,
		"deeper stacks lose their outermost frames: recursion, Java, Python; "
		"sysctl kernel.perf_event_max_stack takes larger numbers while nothing is recorded");
	if (max < DEFAULT_MAX_STACK)
		mend_sysctl(f, row, "perf_event_max_stack=127");
}

static void check_mlock(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->limits.cap_ipc_lock || f->limits.paranoid < 0) {
		findings_add(out, "mlock", FINDING_OK, "ring buffers of any size");
		return;
	}
	row = findings_add(
		out, "mlock", f->limits.mlock_kb < DEFAULT_MLOCK_KB ? FINDING_WRONG : FINDING_OK,
		"%llu kB of ring buffers per CPU", (unsigned long long)f->limits.mlock_kb);
	finding_means(row, "larger buffers (-m), which keep bursts of samples, are refused");
	if (f->limits.mlock_kb < DEFAULT_MLOCK_KB)
		mend_sysctl(f, row, "perf_event_mlock_kb=516");
}

static void check_rate(const struct machine_facts *f, struct findings *out)
{
	u32 rate = f->limits.max_sample_rate;
	struct finding *row;

	if (rate >= DEFAULT_RATE) {
		row = findings_add(out, "sample-rate", FINDING_OK,
				   "up to %u samples per second and CPU", rate);
		finding_means(
			row, "the kernel lowers it when sampling takes more than %u %% of the time",
			f->limits.cpu_time_max_percent);
		return;
	}
	row = findings_add(out, "sample-rate", FINDING_WRONG, "only %u samples per second and CPU",
			   rate);
	finding_means(
		row,
		"the kernel lowered kernel.perf_event_max_sample_rate, since samples took too long: "
		"the default rate of %d is refused or throttled",
		DEFAULT_RATE);
	mend_sysctl(f, row, "perf_event_max_sample_rate=100000");
}

static void check_open_files(const struct machine_facts *f, struct findings *out)
{
	enum { FEW_PER_CPU = 16 };
	struct finding *row;

	if (f->open_files >= (u64)f->cpus * FEW_PER_CPU + 256) {
		findings_add(out, "open-files", FINDING_OK, "up to %llu",
			     (unsigned long long)f->open_files);
		return;
	}
	row = findings_add(out, "open-files", FINDING_WRONG, "at most %llu",
			   (unsigned long long)f->open_files);
	finding_means(row, "every event needs one for each of the %u CPUs", f->cpus);
	finding_mend(row, "ulimit -Hn 1048576 (as root, before perf)");
}

static void check_bpf(const struct machine_facts *f, struct findings *out)
{
	bool may = f->limits.first_user_ns && (has_cap(f, CAP_BPF) || has_cap(f, CAP_SYS_ADMIN));
	struct finding *row;

	if (f->btf && may) {
		findings_add(out, "bpf", FINDING_OK,
			     "the kernel has type information (BTF), this user may load "
			     "programs");
		return;
	}
	row = findings_add(out, "bpf", FINDING_NOTE, "%s",
			   !f->btf ? "no /sys/kernel/btf/vmlinux"
				   : "this user may load no BPF programs");
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
	row = findings_add(out, "lockdown", all ? FINDING_WRONG : FINDING_NOTE,
			   "the kernel is locked down: %s", f->lockdown);
	finding_means(
		row,
		all ? "kernel addresses, tracepoints and probes are closed, also to root"
		    : "kernel probes (kprobes by BPF, /proc/kcore) may be refused, also to root");
}

static void check_debuginfod_servers(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (!f->debuginfod_installed) {
		row = findings_add(out, "debuginfod", FINDING_WRONG,
				   "DEBUGINFOD_URLS is set, but there is no "
				   "libdebuginfod.so.1");
		finding_means(row, "no server can be asked without it");
		if (!strcmp(f->distribution->id, "debian") ||
		    !strcmp(f->distribution->id, "ubuntu"))
			finding_mend(row, "%sapt-get install debuginfod", as_root(f));
	} else if (f->debuginfod == SERVER_NOT_REACHED) {
		row = findings_add(out, "debuginfod", FINDING_WRONG,
				   "DEBUGINFOD_URLS is set, but nobody answers there");
		finding_means(row, "reports wait for the servers and then go on without them");
		finding_mend(row,
			     "unset DEBUGINFOD_URLS, or name a server that this machine reaches");
	} else if (f->debuginfod == SERVER_UNKNOWN) {
		findings_add(out, "debuginfod", FINDING_NOTE,
			     "DEBUGINFOD_URLS is set; whether it answers was not tried "
			     "(a proxy, or no http URL)");
	} else {
		findings_add(out, "debuginfod", FINDING_OK,
			     "a server of DEBUGINFOD_URLS can be reached");
	}
}

static void check_debug_information(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (f->debuginfod_set) {
		check_debuginfod_servers(f, out);
		return;
	}
	if (f->debug_files) {
		findings_add(out, "debuginfod", FINDING_OK,
			     "debug packages are installed in /usr/lib/debug");
		return;
	}
	row = findings_add(out, "debuginfod", FINDING_NOTE,
			   "no debug packages, DEBUGINFOD_URLS is not set");
	finding_means(row,
		      "stripped libraries show only their exported functions, no source lines");
	finding_mend(row, "export DEBUGINFOD_URLS=%s", f->distribution->debuginfod);
}

static void check_unwinder(const struct machine_facts *f, struct findings *out)
{
	struct finding *row;

	if (!unwind_abi_find(f->arch, false)) {
		row = findings_add(out, "unwinder", FINDING_NOTE, "none for %s", f->arch);
		finding_means(
			row,
			"--call-graph dwarf cannot be resolved here; fp needs programs with frame pointers");
		return;
	}
	if (f->libc_frames == FP_KEPT) {
		row = findings_add(out, "unwinder", FINDING_OK,
				   "libc keeps frame pointers: -g (fp) is the cheapest");
		finding_means(
			row,
			"for programs built without: --call-graph dwarf; perf doctor -- CMD tells");
		return;
	}
	row = findings_add(out, "unwinder", FINDING_OK,
			   "libc %s: --call-graph dwarf gives whole stacks",
			   f->libc_frames < 0 ? "is part of perf here" : "keeps no frame pointers");
	finding_means(row, "-g (fp) is cheaper, but loses callers in code without frame pointers; "
			   "perf doctor -- CMD tells what a program needs");
}

typedef void check_fn(const struct machine_facts *f, struct findings *out);

static const struct {
	check_fn *check;
	bool permission; /* recording fails or misses a side without it */
	bool from_proc; /* looks at what /proc alone tells */
} checks[] = {
	{ .check = check_proc, .permission = true },
	{ .check = check_open, .permission = true },
	{ .check = check_paranoid, .permission = true, .from_proc = true },
	{ .check = check_capabilities, .from_proc = true },
	{ .check = check_container, .from_proc = true },
	{ .check = check_lockdown },
	{ .check = check_kernel_names, .permission = true, .from_proc = true },
	{ .check = check_tracefs },
	{ .check = check_pmu },
	{ .check = check_counters, .from_proc = true },
	{ .check = check_max_stack, .from_proc = true },
	{ .check = check_mlock, .from_proc = true },
	{ .check = check_rate, .permission = true, .from_proc = true },
	{ .check = check_open_files },
	{ .check = check_bpf, .from_proc = true },
	{ .check = check_debug_information },
	{ .check = check_unwinder, .from_proc = true },
};

static void run_checks(const struct machine_facts *facts, bool permission, struct findings *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		if ((checks[i].permission || !permission) && (facts->proc || !checks[i].from_proc))
			checks[i].check(facts, out);
}

void machine_check(const struct machine_facts *facts, struct findings *out)
{
	run_checks(facts, false, out);
}

void machine_check_permission(const struct machine_facts *facts, struct findings *out)
{
	struct findings all = { 0 };

	run_checks(facts, true, &all);
	VEC_FOR(&all.rows, row) {
		if (row->state == FINDING_OK)
			continue;
		*VEC_PUSH(&out->rows) = *row;
		*row = (struct finding){ 0 };
	}
	findings_release(&all);
}
