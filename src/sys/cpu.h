/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/cpu: which CPUs and memory nodes there are and how they belong together. One thread per
 * object.
 *
 * Sources: Documentation/ABI/stable/sysfs-devices-system-cpu, sysfs-devices-node.
 */
#ifndef SYS_CPU_H
#define SYS_CPU_H

#include "base/err.h"
#include "base/vec.h"

struct sys_cpu {
	u32 cpu;
	bool online;
	/* ids from topology/, -1 = unknown (or offline) */
	s32 core, cluster, die, socket, node;
};

struct sys_topology {
	VEC(struct sys_cpu) cpus; /* one per present CPU, by number */
	u32 nr_present;
	u32 nr_online;
};

/* sysfs NULL = /sys. Never fails altogether: without sysfs, sysconf()'s CPUs without ids. */
void sys_topology_read(struct sys_topology *t, const char *sysfs);
void sys_topology_release(struct sys_topology *t);
/* NULL if there is no such CPU. */
const struct sys_cpu *sys_topology_cpu(const struct sys_topology *t, u32 cpu);

/*
 * The numbers in a list file below sysfs/devices/system ("cpu/online", "cpu/possible",
 * "node/online"): sorted, the caller frees *list. -1: no such file or no list.
 */
int sys_cpu_list(const char *sysfs, const char *file, u32 **list, size_t *nr, struct err *e);
/* Online CPUs; falls back to sysconf(). The caller frees *list. */
void sys_cpus_online(const char *sysfs, u32 **list, size_t *nr);

typedef VEC(char *) sys_strings;
void sys_strings_release(sys_strings *s);
/*
 * The distinct texts of cpuN/topology/FILE over the online CPUs in order of first appearance:
 * "core_siblings_list", "die_cpus_list", "thread_siblings_list".
 */
void sys_cpu_siblings(const char *sysfs, const char *file, sys_strings *out);

struct sys_node {
	u32 node;
	u64 mem_total_kb, mem_free_kb;
	char *cpulist; /* "0-3,8-11" */
};
typedef VEC(struct sys_node) sys_nodes;
void sys_nodes_read(const char *sysfs, sys_nodes *out);
void sys_nodes_release(sys_nodes *n);

/* One cpuN/cache/indexM directory. */
struct sys_cache {
	u32 level, line_size, sets, ways;
	char *type; /* "Data", "Instruction", "Unified" */
	char *size; /* "48K" */
	char *map; /* shared_cpu_list */
};
typedef VEC(struct sys_cache) sys_caches;
/* The distinct caches of the present CPUs, by CPU, then index. */
void sys_caches_read(const char *sysfs, sys_caches *out);
void sys_caches_release(sys_caches *c);

#endif
