/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of this machine may stand for what was recorded. Build ids prove; where there are none, the
 * header's facts speak against it (another release, architecture or host) or for it (doc/names.md).
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/rw.h"
#include "dso/dso_internal.h"

/* Names of uname() and the ELF machines of code that runs there. */
static const struct {
	const char *prefix;
	u16 machines[2];
} archs[] = {
	{ "x86_64", { EM_X86_64, EM_386 } }, { "i386", { EM_386, EM_X86_64 } },
	{ "i486", { EM_386, EM_X86_64 } },   { "i586", { EM_386, EM_X86_64 } },
	{ "i686", { EM_386, EM_X86_64 } },   { "aarch64", { EM_AARCH64, EM_ARM } },
	{ "arm64", { EM_AARCH64, EM_ARM } }, { "armv8", { EM_AARCH64, EM_ARM } },
	{ "arm", { EM_ARM, EM_ARM } },       { "ppc", { EM_PPC64, EM_PPC } },
	{ "s390", { EM_S390, EM_S390 } },    { "riscv", { EM_RISCV, EM_RISCV } },
	{ "mips", { EM_MIPS, EM_MIPS } },    { "sparc", { EM_SPARCV9, EM_SPARC } },
};

/* Row of archs, its size for what is not in there. */
static size_t find_arch(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (strncmp(name, archs[i].prefix, strlen(archs[i].prefix)) == 0)
			return i;
	return ARRAY_SIZE(archs);
}

static bool runs(size_t arch, u16 machine)
{
	return archs[arch].machines[0] == machine || archs[arch].machines[1] == machine;
}

/* A 32-bit program calls the same kernel by another name. */
static bool is_same_arch(const char *a, const char *b)
{
	size_t x = find_arch(a), y = find_arch(b);

	if (x == ARRAY_SIZE(archs) || y == ARRAY_SIZE(archs))
		return strcmp(a, b) == 0;
	return runs(x, archs[y].machines[0]) && runs(y, archs[x].machines[0]);
}

void dso_table_set_machine(struct dso_table *t, const struct dso_machine *m)
{
	struct utsname here;

	t->machine = *m;
	t->relation = MACHINE_UNKNOWN;
	if (uname(&here) < 0)
		return;
	t->other_arch = m->arch && !is_same_arch(m->arch, here.machine);
	t->other_release = m->release && strcmp(m->release, here.release) != 0;
	if (t->other_arch || (m->hostname && strcmp(m->hostname, here.nodename) != 0))
		t->relation = MACHINE_OTHER;
	else if (m->hostname)
		t->relation = MACHINE_THIS;
}

const struct build_id *dso_kernel_id(const struct dso_table *t)
{
	static const struct build_id none;

	if (t->kernel)
		return dso_build_id(t->kernel);
	return t->of_kernel ? &t->of_kernel->id : &none;
}

bool build_id_of_kernel(struct build_id *id)
{
	_cleanup_(strbuf_releasep) struct strbuf notes = STRBUF_INIT;

	return !rw_slurp("/sys/kernel/notes", &notes, NULL) &&
	       build_id_from_notes(notes.buf, notes.len, id);
}

bool dso_is_running_kernel(const struct dso_table *t, const struct build_id *recorded)
{
	struct build_id id;

	if (t->foreign)
		return false;
	/* A chroot without /sys cannot tell: then it is not proven. */
	if (recorded->size)
		return build_id_of_kernel(&id) && build_id_equal(&id, recorded);
	return !t->other_arch && !t->other_release;
}

bool dso_may_be_local(const struct dso *d)
{
	const struct dso_table *t = d->table;

	if (d->kind == DSO_USER || d->kind == DSO_PERF_MAP || d->kind == DSO_JITDUMP)
		return t->relation != MACHINE_OTHER;
	return dso_is_running_kernel(t, dso_kernel_id(t));
}

void dso_assume(struct dso *d)
{
	d->assumed = d->table->relation != MACHINE_THIS;
}

bool dso_machine_runs(const struct dso_table *t, u16 elf_machine)
{
	size_t arch = t->machine.arch ? find_arch(t->machine.arch) : ARRAY_SIZE(archs);

	return arch == ARRAY_SIZE(archs) || runs(arch, elf_machine);
}

bool dso_runs_here(u16 elf_machine)
{
	struct utsname here;
	size_t arch = uname(&here) < 0 ? ARRAY_SIZE(archs) : find_arch(here.machine);

	return arch == ARRAY_SIZE(archs) || runs(arch, elf_machine);
}

const char *dso_machine_name(u16 elf_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (archs[i].machines[0] == elf_machine)
			return archs[i].prefix;
	return NULL;
}

u16 dso_kernel_machine(const struct dso_table *t)
{
	struct utsname here = { 0 };
	size_t arch;

	if (!t->machine.arch)
		uname(&here);
	arch = find_arch(t->machine.arch ? t->machine.arch : here.machine);
	return arch < ARRAY_SIZE(archs) ? archs[arch].machines[0] : EM_NONE;
}

const char *dso_kernel_release(const struct dso_table *t, struct utsname *running)
{
	const char *release = t->machine.release;

	/* a name, not a path */
	if (release)
		return *release && *release != '.' && !strchr(release, '/') ? release : NULL;
	if (uname(running) < 0 || !dso_is_running_kernel(t, dso_kernel_id(t)))
		return NULL;
	return running->release;
}

enum { SLACK = 1 }; /* s: what the kernel tells of times is rounded */

/* When a process of this machine began, s since 1970; 0 = there is none of that number. */
static s64 start_of(u32 pid)
{
	enum { FIELDS_BEFORE_START = 20 }; /* counted from the one behind the name */
	_cleanup_(strbuf_releasep) struct strbuf stat = STRBUF_INIT;
	struct timespec up, now;
	char path[32];
	const char *p;
	s64 ticks;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (rw_slurp(path, &stat, NULL) < 0 || !(p = strrchr(stat.buf, ')')) ||
	    clock_gettime(CLOCK_BOOTTIME, &up) < 0 || clock_gettime(CLOCK_REALTIME, &now) < 0)
		return 0;
	for (int i = 0; i < FIELDS_BEFORE_START && p; i++)
		p = strchr(p + 1, ' ');
	if (!p)
		return 0;
	ticks = (s64)strtoull(p, NULL, 10);
	return now.tv_sec - up.tv_sec + ticks / sysconf(_SC_CLK_TCK);
}

bool dso_is_later_process(const struct dso_table *t, u32 pid)
{
	s64 start = t->machine.written ? start_of(pid) : 0;

	return start > t->machine.written + SLACK;
}

const char *dso_map_objection(const struct dso_table *t, u32 pid, const char *path)
{
	struct stat st;
	s64 start;

	if (t->config.force || stat(path, &st) < 0)
		return NULL;
	if (t->relation == MACHINE_OTHER)
		return "is of a process of this machine, the recording is another's";
	start = start_of(pid);
	if (!start)
		return NULL;
	if (t->machine.written && start > t->machine.written + SLACK)
		return st.st_mtime + SLACK >= start
			       ? "is of a process that began after the recording"
			       : NULL;
	return st.st_mtime + SLACK < start ? "is older than its process" : NULL;
}
