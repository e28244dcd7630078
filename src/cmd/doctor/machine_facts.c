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
#include "dso/debuginfod.h"
#include "sys/perf_open.h"
#include "sys/proc.h"
#include "sys/tracefs.h"
#include "unwind/frame_pointers.h"

static int try_open(u32 type, u64 config)
{
	struct perf_event_attr attr = {
		.type = type, .config = config, .exclude_kernel = 1, .exclude_hv = 1, .disabled = 1
	};
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

	rw_slurp("/proc/self/status", &status, NULL);
	f->caps = status_value(status.buf, "\nCapEff:", 16, geteuid() ? 0 : ~0ULL);
	f->seccomp = (int)status_value(status.buf, "\nSeccomp:", 10, (u64)-1);
}

/* Whether the root of the process tree, or a thread of the kernel, sees other mounts than we do. */
static bool has_own_files(bool own_pids)
{
	struct stat ours, first;

	/* thread 2 of the first pid namespace is the kernel's (kthreadd) */
	return !stat("/proc/self/ns/mnt", &ours) &&
	       !stat(own_pids ? "/proc/1/ns/mnt" : "/proc/2/ns/mnt", &first) &&
	       ours.st_ino != first.st_ino;
}

/* Namespaces make a container; a file or a cgroup's name may stay when nothing else is left of one.
 */
static void read_container(struct machine_facts *f)
{
	static const struct {
		const char *file, *word, *name;
	} kinds[] = {
		{ "/.dockerenv", "docker", "docker" },
		{ "/run/.containerenv", "libpod", "podman" },
		{ NULL, "kubepods", "kubernetes" },
		{ NULL, "lxc", "lxc" },
		{ NULL, "containerd", "containerd" },
		{ "/run/systemd/container", NULL, "systemd" },
	};
	_cleanup_(strbuf_releasep) struct strbuf cgroup = STRBUF_INIT;

	f->own_pids = !sys_in_first_ns(NULL, "pid");
	f->own_files = has_own_files(f->own_pids);
	rw_slurp("/proc/self/cgroup", &cgroup, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !f->container_by[0]; i++)
		if ((kinds[i].file && access(kinds[i].file, F_OK) == 0) ||
		    (kinds[i].word && strstr(cgroup.buf, kinds[i].word)))
			snprintf(f->container_by, sizeof(f->container_by), "%s", kinds[i].name);
}

/* Whether a program can be started by its name, also where root alone has its folder in $PATH. */
static bool is_program(const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	const char *env = getenv("PATH");
	char all[8192];

	snprintf(all, sizeof(all), "%s:/usr/sbin:/sbin", env ? env : "/usr/bin:/bin");
	for (const char *at = all; *at; at += strcspn(at, ":"), at += *at == ':') {
		strbuf_reset(&path);
		strbuf_addf(&path, "%.*s/%s", (int)strcspn(at, ":"), at, name);
		if (access(path.buf, X_OK) == 0)
			return true;
	}
	return false;
}

static void read_debuginfod(struct machine_facts *f)
{
	enum { PATIENCE_MS = 2000 };
	const char *urls = getenv("DEBUGINFOD_URLS");

	f->debuginfod_set = urls && urls[strspn(urls, " ")];
	if (!f->debuginfod_set)
		return;
	f->debuginfod_installed = debuginfod_is_installed();
	if (f->debuginfod_installed)
		f->debuginfod = sys_servers_reach(urls, PATIENCE_MS);
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

static void read_tracefs(struct machine_facts *f, const char *debugfs_dir)
{
	char path[512];

	if (!sys_tracefs_find(debugfs_dir, "/proc", f->tracefs, sizeof(f->tracefs))) {
		/* Ordinary users do not see whether it is mounted below a folder that is closed to
		 * them. */
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
	static const char *const files[] = { "/sys/hypervisor/type",
					     "/sys/class/dmi/id/product_name" };
	static const char *const makers[] = { "KVM", "QEMU",           "Virtual",     "VMware",
					      "HVM", "Compute Engine", "Standard PC", "xen",
					      "EC2", "Droplet",        "Firecracker" };
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
	frame_pointers_read(&elf, NULL, FP_CLOSE_LOOK, &fp);
	return (int)frame_pointers_verdict(&fp);
}

void machine_facts_read(struct machine_facts *f, const char *debugfs_dir)
{
	struct rlimit files;
	struct utsname host;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	*f = (struct machine_facts){ 0 };
	f->proc = access("/proc/self/status", R_OK) == 0;
	f->own_proc = sys_proc_is_ours(NULL);
	if (readlink("/proc/self/exe", f->self, sizeof(f->self) - 1) < 0)
		f->self[0] = '\0';
	f->no_sudo = !is_program("sudo");
	f->no_sysctl = !is_program("sysctl");
	f->no_setcap = !is_program("setcap");
	sys_limits_read(&f->limits, NULL);
	f->open_self = try_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	read_status(f);
	read_container(f);
	read_kernel_names(f);
	read_tracefs(f, debugfs_dir);
	read_pmu(f);
	read_hypervisor(f);
	read_lockdown(f);
	f->nmi_watchdog = read_int("/proc/sys/kernel/nmi_watchdog", -1);
	f->btf = access("/sys/kernel/btf/vmlinux", R_OK) == 0;
	read_debuginfod(f);
	f->debug_files = access("/usr/lib/debug/.build-id", X_OK) == 0;
	if (!uname(&host))
		snprintf(f->arch, sizeof(f->arch), "%.31s", host.machine);
	f->libc_frames = judge_libc();
	f->open_files = getrlimit(RLIMIT_NOFILE, &files) ? 0 : (u64)files.rlim_max;
	f->cpus = cpus > 0 ? (u32)cpus : 1;
	f->distribution = sys_distribution_find(NULL);
}
