/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * info: what the header features of a perf.data say (hostname, topology, build ids, ...), decoded.
 *
 * For a file everything is there after perfdata_open(); for a pipe it fills up while the records
 * are read. `present` tells which features the file has; a feature that is present but broken is
 * present with empty values and counted in perfdata_damage(). Everything belongs to the struct
 * perfdata. Strings come from the file: escape them on a terminal.
 */
#ifndef PERFDATA_INFO_H
#define PERFDATA_INFO_H

#include "abi/features.h"
#include "abi/perf_event.h"

struct info_string_list {
	const char **v;
	u32 nr;
};

struct info_event_desc {
	struct perf_event_attr attr;
	u32 attr_size;
	const char *name;
	const u64 *ids;
	u32 nr_ids;
};

struct info_group {
	const char *name;
	u32 leader, nr_members;
};

struct info_pair {
	const char *name, *value;
};

struct info_pmu {
	u32 type;
	const char *name;
};

struct info_cpu {
	u32 core, socket, die;
};

struct info_numa_node {
	u32 node;
	u64 total_kb, free_kb;
	const char *cpus;
};

struct info_cache {
	u32 level, line_size, sets, ways;
	const char *type, *size, *map;
};

struct info_mem_node {
	u64 node, bits;
	const u64 *set; /* bitmap of memory blocks */
};

struct info_pmu_caps {
	const char *pmu;
	struct info_pair *v;
	u32 nr;
};

struct info_bpf_prog {
	u32 id, type;
	const char *name;
	u8 tag[8];
	const u8 *info; /* bpf_prog_info and its arrays as in the file; NULL: of other byte order */
	u32 info_size, data_size;
	u64 arrays;
};

struct info_btf {
	u32 id, size;
	const u8 *data;
};

struct info_build_id {
	s32 pid; /* -1 = host */
	u16 misc; /* cpumode, PERF_RECORD_MISC_* */
	u8 size; /* bytes of id */
	u8 id[20];
	const char *path; /* "[kernel.kallsyms]" etc. for the kernel */
};

/* E_MACHINE */
struct info_machine {
	u32 machine, flags;
};

/* SYMBOLS: how many there are; places: with source lines */
struct info_symbols {
	u32 objects, symbols, places;
};

/* What a line of info_stacks.code begins with that is not of --call-graph auto, but of a runtime
 * whose compiler keeps no frame pointers. */
#define INFO_STACKS_JIT "jit: "
/* The same of changes in a recording of --call-graph dwarf; and what such lines say where larger
 * copies were given up. */
#define INFO_STACKS_DWARF "dwarf: "
#define INFO_STACKS_BACK "switched back to smaller copies"
#define INFO_STACKS_NO_ROOM "the buffers (-m) had no room"
/* STACKS: those that were unwound while recording, and what the code was found to be like */
struct info_stacks {
	u64 stacks, cut, full, incomplete, mended,
		guessed; /* as struct unwind_stats of the recorder */
	u32 size; /* bytes of a copy */
	struct info_string_list code;
	u64 first_copy_id,
		last_copy_id; /* samples with ids in between had copies, those of the same event
			       * with others frame pointers; 0 = there are none */
};
/* How record --call-graph was asked for stacks that were copied: "auto", or "dwarf". */
const char *info_stacks_way(const struct info_stacks *s);
/* What came of larger copies than stacks began with, for those who would advise them. */
enum info_larger { INFO_LARGER_UNTRIED, INFO_LARGER_NO_BETTER, INFO_LARGER_NO_ROOM };
enum info_larger info_stacks_larger(const struct info_stacks *s);

struct perfdata_info {
	u64 present[FEAT_BITS / 64];
	/* facts of the file itself */
	u32 version; /* as perf prints "header version": 0 = PERFFILE, 1 = PERFILE2 */
	u64 captured; /* mtime of the file, seconds */
	u64 data_offset, data_size, feat_offset;

	const char *hostname, *osrelease, *perf_version, *arch, *cpudesc, *cpuid;
	u32 cpus_avail, cpus_online;
	u64 total_mem_kb;
	struct info_string_list cmdline;
	struct info_event_desc *events;
	u32 nr_events;
	struct info_string_list core_siblings, thread_siblings, die_siblings;
	struct info_cpu *cpus; /* cpus_avail entries, NULL = not in the file */
	bool has_die;
	struct info_numa_node *numa;
	u32 nr_numa;
	struct info_pmu *pmus;
	u32 nr_pmus;
	struct info_group *groups;
	u32 nr_groups;
	struct info_cache *caches;
	u32 nr_caches;
	u64 first_sample_time, last_sample_time;
	u64 mem_block_size;
	struct info_mem_node *mem_nodes;
	u64 nr_mem_nodes;
	u64 clockid_res_ns;
	u64 dir_version;
	struct info_bpf_prog *bpf_progs;
	u32 nr_bpf_progs;
	struct info_btf *btfs;
	u32 nr_btfs;
	u32 comp_type, comp_level, comp_ratio;
	struct info_pmu_caps cpu_caps; /* CPU_PMU_CAPS, pmu "cpu" */
	struct info_pmu_caps *caps; /* PMU_CAPS */
	u32 nr_caps;
	u32 clockid;
	u64 wall_clock_ns, clock_ns;
	struct info_pair *hybrid; /* pmu, cpus */
	u32 nr_hybrid;
	struct info_machine e_machine;
	u32 cln_size;
	struct info_symbols symbols;
	struct info_stacks stacks;
	struct info_build_id *build_ids;
	u32 nr_build_ids;
};

static inline bool info_has(const struct perfdata_info *info, unsigned int feature)
{
	return feature < FEAT_BITS && info->present[feature / 64] >> (feature % 64) & 1;
}

struct perfdata;
struct strbuf;
/* "GROUP_DESC", ...; NULL = unknown. */
const char *perfdata_feature_name(unsigned int feature);
/*
 * The body of a feature as it is in the file, in the file's byte order, in place of what out holds;
 * for copying. false: it is not there or cannot be read. Not for TRACING_DATA, nor for a stream's
 * BUILD_ID, which comes in records.
 */
bool perfdata_feature_body(const struct perfdata *f, unsigned int feature, struct strbuf *out);
/* The tracing data blob (doc/format/perf.data.md), NULL and 0 when the file has none or it has not
 * been read yet (pipe). Belongs to f. */
void perfdata_tracing_data(struct perfdata *f, const void **blob, size_t *size);
/* Appends such a blob less what tells the kernel's addresses (kallsyms, printk formats), or nothing
 * if it is broken. */
void tracing_data_strip(const void *blob, size_t size, struct strbuf *out);

#endif
