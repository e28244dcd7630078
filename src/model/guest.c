/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels of virtual machines: one for each process that has a folder of its own, one for all
 * others. What lies where is told by mapping records of the guests' level and by copies of
 * /proc/modules.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/rw.h"
#include "model/private.h"

static struct guest *find_guest(struct model *m, u32 pid)
{
	struct guest *any = NULL;

	VEC_FOR(&m->guests, g) {
		if (g->pid == pid)
			return g;
		if (!g->pid)
			any = g;
	}
	return any;
}

u32 model_guest_proc(const struct model *m, u32 thread, u8 cpumode)
{
	u32 pid = thread ? m->threads.v[thread].pid : 0;
	u32 any = 0;

	if (m->guest_code)
		return model_is_guest_level(cpumode) ? m->threads.v[thread].proc : 0;
	if (cpumode != PERF_RECORD_MISC_GUEST_KERNEL)
		return 0;
	VEC_FOR(&m->guests, g) {
		if (g->pid == pid && pid)
			return g->proc;
		if (!g->pid)
			any = g->proc;
	}
	return any;
}

str_id model_guest_comm(const struct model *m, u32 thread, u8 cpumode)
{
	if (!m->guest_code || !thread || !model_is_guest_level(cpumode))
		return 0;
	return m->procs.v[m->threads.v[thread].proc].guest_comm;
}

/* "[nfs]" at its place, from a line "nfs 323584 0 - Live 0xffffffffc0a45000 ..." */
static void add_module(struct model *m, const struct guest *g, const char *line)
{
	char bare[101];
	char name[sizeof(bare) + 2];
	struct dso_key key = { .name = name, .kind = DSO_GUEST_MODULE, .pid = g->pid };
	struct model_map map = { .t1 = UINT64_MAX, .prot = 4, .kernel = true, .identity = true };
	unsigned long long size;
	unsigned long long addr;

	if (sscanf(line, "%100s %llu %*s %*s %*s 0x%llx", bare, &size, &addr) != 3 || !addr ||
	    !size || addr + size < addr)
		return;
	snprintf(name, sizeof(name), "[%s]", bare);
	map.start = addr;
	map.end = addr + size;
	key.start = map.start;
	key.len = size;
	map.dso = dso_table_add(m->dsos, &key);
	proc_add_map(m, &m->procs.v[g->proc], &map);
}

static void add_modules(struct model *m, const struct guest *g, const struct dso_config *c)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	dso_guest_path(c, g->pid, GUEST_MODULES, &path);
	if (!path.len || input_slurp(path.buf, INPUT_KERNEL, &text, NULL) < 0)
		return;
	for (char *line = text.buf, *next; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		add_module(m, g, line);
	}
}

/* The whole of its kernel is one object, until records and modules say more. */
static void add_guest(struct model *m, u32 pid, const struct dso_config *c)
{
	char name[64] = "[guest.kernel.kallsyms]";
	struct dso_key key = { .name = name, .kind = DSO_GUEST_KERNEL, .pid = pid };
	struct model_map map = {
		.end = UINT64_MAX, .t1 = UINT64_MAX, .prot = 4, .kernel = true, .identity = true
	};
	struct guest g = { .pid = pid };

	if (pid)
		snprintf(name, sizeof(name), "[guest.kernel.kallsyms.%u]", pid);
	model_proc_new(m, pid, &g.proc);
	map.dso = g.kernel = dso_table_add(m->dsos, &key);
	proc_add_map(m, &m->procs.v[g.proc], &map);
	add_modules(m, &g, c);
	*VEC_PUSH(&m->guests) = g;
}

void guests_add(struct model *m)
{
	const struct dso_config *c = dso_table_guests(m->dsos);
	DIR *dir = c && c->guest.mount ? opendir(c->guest.mount) : NULL;
	struct dirent *ent;

	m->guest_code = c && c->guest.code;
	if (c && (c->guest.kallsyms || c->guest.vmlinux))
		add_guest(m, 0, c);
	while (dir && (ent = readdir(dir))) {
		char *end;
		unsigned long pid = strtoul(ent->d_name, &end, 10);

		if (pid && !*end && pid <= INT32_MAX)
			add_guest(m, (u32)pid, c);
	}
	if (dir)
		closedir(dir);
}

void guest_add_map(struct model *m, u32 pid, const char *name, const struct build_id *id,
		   struct model_map *map)
{
	static const char kernel[] = "[guest.kernel.kallsyms";
	struct guest *g = find_guest(m, pid == UINT32_MAX ? 0 : pid);
	struct dso_key key = { .name = name, .kind = DSO_GUEST_MODULE, .build_id = *id };

	if (!g)
		return;
	map->kernel = map->identity = true;
	if (strncmp(name, kernel, strlen(kernel)) == 0) {
		/* It is there already; the record tells where it stood. */
		const char *ref = strchr(name, ']');

		if (ref && ref[1] && map->pgoff)
			dso_table_set_guest_ref(m->dsos, g->kernel, ref + 1, map->pgoff);
		return;
	}
	key.pid = g->pid;
	key.start = map->start;
	key.len = map->end - map->start;
	map->dso = dso_table_add(m->dsos, &key);
	proc_add_map(m, &m->procs.v[g->proc], map);
}
