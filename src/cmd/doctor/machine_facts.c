/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
#include "cmd/doctor/machine.h"
#include "sys/perf_open.h"
#include "sys/proc.h"
#include "sys/tracefs.h"
#include "unwind/frame_pointers.h"

static int try_open(u32 type, u64 config)
{
	struct perf_event_attr attr = { .type = type, .config = config, .exclude_kernel = 1,
					.exclude_hv = 1, .disabled = 1 };
	int fd = sys_perf_event_open(&attr, 0, -1, -1, 0);

	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

static int read_int(const char *path, int missing)
{
	char line[32];

	return rw_read_line(path, line, sizeof(line)) < 0 ? missing : (int)strtol(line, NULL, 10);
}

/* Number behind a key of /proc/self/status. */
static u64 status_value(const char *status, const char *key, int base, u64 missing)
{
	const char *at = strstr(status, key);

	return at ? strtoull(at + strlen(key), NULL, base) : missing;
}

static void read_status(struct machine_facts *f)
{
	_cleanup_(strbuf_releasep) struct strbuf status = STRBUF_INIT;
	const char *at;
	char map[64];

	rw_slurp("/proc/self/status", &status, NULL);
	f->caps = status_value(status.buf, "\nCapEff:", 16, geteuid() ? 0 : ~0ULL);
	f->seccomp = (int)status_value(status.buf, "\nSeccomp:", 10, (u64)-1);
	at = strstr(status.buf, "\nNSpid:\t");
	f->inner_pids = at && memchr(at + 8, '\t', strcspn(at + 8, "\n"));
	if (rw_read_line("/proc/self/uid_map", map, sizeof(map)) == 0) {
		unsigned int inside = 0;
		unsigned int outside = 0;
		unsigned int count = 0;

		f->inner_users = sscanf(map, "%u %u %u", &inside, &outside, &count) == 3 &&
				 (inside || outside || count != UINT32_MAX);
	}
}

static void read_container(struct machine_facts *f)
{
	static const char *const files[] = { "/.dockerenv", "/run/.containerenv",
					     "/run/systemd/container" };
	static const char *const words[] = { "docker", "kubepods", "libpod", "lxc", "containerd" };
	_cleanup_(strbuf_releasep) struct strbuf cgroup = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(files) && !f->container; i++) {
		f->container = access(files[i], F_OK) == 0;
		if (f->container)
			snprintf(f->container_by, sizeof(f->container_by), "%s", files[i]);
	}
	rw_slurp("/proc/self/cgroup", &cgroup, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(words) && !f->container; i++) {
		f->container = strstr(cgroup.buf, words[i]) != NULL;
		if (f->container)
			snprintf(f->container_by, sizeof(f->container_by), "cgroup of %s", words[i]);
	}
}

/* The first address of kallsyms that is none of per-CPU data; all zero when they are hidden. */
static void read_kernel_names(struct machine_facts *f)
{
	_cleanup_(mem_fclosep) FILE *file = fopen("/proc/kallsyms", "re");
	char line[256];

	f->kallsyms = file && fgets(line, sizeof(line), file);
	f->names_hidden = true;
	for (int i = 0; f->kallsyms && f->names_hidden && i < 4096; i++) {
		f->names_hidden = strtoull(line, NULL, 16) == 0;
		if (!fgets(line, sizeof(line), file))
			break;
	}
}

static void read_tracefs(struct machine_facts *f)
{
	char path[512];

	if (!sys_tracefs_find("/proc", f->tracefs, sizeof(f->tracefs))) {
		/* Ordinary users do not see whether it is mounted below a folder that is closed to them. */
		f->tracefs[0] = '\0';
		if (access("/sys/kernel/tracing", X_OK) && errno == EACCES)
			snprintf(f->tracefs, sizeof(f->tracefs), "/sys/kernel/tracing");
		return;
	}
	snprintf(path, sizeof(path), "%s/events", f->tracefs);
	f->tracefs_readable = access(path, R_OK | X_OK) == 0;
}

static void read_pmu(struct machine_facts *f)
{
	static const char devices[] = "/sys/bus/event_source/devices";
	struct dirent *de;
	DIR *dir;

	f->open_pmu = try_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	dir = opendir(devices);
	while (dir && !f->pmu[0] && (de = readdir(dir)) != NULL)
		if (!strcmp(de->d_name, "cpu") || !strncmp(de->d_name, "cpu_", 4) ||
		    strstr(de->d_name, "pmuv3") || !strncmp(de->d_name, "armv", 4))
			snprintf(f->pmu, sizeof(f->pmu), "%s", de->d_name);
	if (dir)
		closedir(dir);
}

static void read_hypervisor(struct machine_facts *f)
{
	static const char *const files[] = { "/sys/hypervisor/type", "/sys/class/dmi/id/product_name" };
	static const char *const makers[] = { "KVM", "QEMU", "Virtual", "VMware", "HVM", "Compute Engine",
					      "Standard PC", "xen", "EC2", "Droplet", "Firecracker" };
	_cleanup_(strbuf_releasep) struct strbuf cpuinfo = STRBUF_INIT;
	char line[64];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (rw_read_line(files[i], line, sizeof(line)) < 0)
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(makers); k++)
			if (strstr(line, makers[k])) {
				snprintf(f->hypervisor, sizeof(f->hypervisor), "%s", line);
				return;
			}
	}
	rw_slurp("/proc/cpuinfo", &cpuinfo, NULL);
	if (strstr(cpuinfo.buf, " hypervisor"))
		snprintf(f->hypervisor, sizeof(f->hypervisor), "a hypervisor (cpuinfo)");
}

/* "none [integrity] confidentiality": the one in brackets. */
static void read_lockdown(struct machine_facts *f)
{
	char line[128];
	const char *from;

	if (rw_read_line("/sys/kernel/security/lockdown", line, sizeof(line)) < 0)
		return;
	from = strchr(line, '[');
	if (from)
		snprintf(f->lockdown, sizeof(f->lockdown), "%.*s",
			 (int)MIN(strcspn(from + 1, "]"), sizeof(f->lockdown) - 1), from + 1);
}

static int judge_libc(void)
{
	_cleanup_(elf_close) struct elf_file elf = ELF_FILE_INIT;
	struct frame_pointers fp;
	char path[PATH_MAX];
	u64 offset;

	/* (a program without shared libraries carries the one it was built with) */
	if (!sys_proc_own_file((const void *)(uintptr_t)strtoull, path, sizeof(path), &offset) ||
	    elf_open(&elf, path, NULL) < 0)
		return -1;
	frame_pointers_read(&elf, NULL, &fp);
	return (int)frame_pointers_verdict(&fp);
}

void machine_facts_read(struct machine_facts *f)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct rlimit files;
	struct utsname host;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	*f = (struct machine_facts){ 0 };
	sys_limits_read(&f->limits, NULL);
	f->open_self = try_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	read_status(f);
	read_container(f);
	read_kernel_names(f);
	read_tracefs(f);
	read_pmu(f);
	read_hypervisor(f);
	read_lockdown(f);
	f->nmi_watchdog = read_int("/proc/sys/kernel/nmi_watchdog", -1);
	f->btf = access("/sys/kernel/btf/vmlinux", R_OK) == 0;
	f->unprivileged_bpf = read_int("/proc/sys/kernel/unprivileged_bpf_disabled", -1);
	f->debuginfod_set = urls && *urls;
	f->debug_files = access("/usr/lib/debug/.build-id", X_OK) == 0;
	if (!uname(&host))
		snprintf(f->arch, sizeof(f->arch), "%.31s", host.machine);
	f->libc_frames = judge_libc();
	f->open_files = getrlimit(RLIMIT_NOFILE, &files) ? 0 : (u64)files.rlim_max;
	f->cpus = cpus > 0 ? (u32)cpus : 1;
	f->distribution = sys_distribution_find(NULL);
}
