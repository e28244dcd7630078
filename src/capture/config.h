/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/config: what is to be recorded, free of any command line. The command fills it; capture
 * only reads it. Zero bytes mean "nothing special" for every field but freq.
 */
#ifndef CAPTURE_CONFIG_H
#define CAPTURE_CONFIG_H

#include "event/event.h"

enum {
	CAPTURE_DEFAULT_FREQ = 4000, /* Hz */
};

/* Which existing state is described in the file before the first sample. */
enum capture_synth {
	CAPTURE_SYNTH_TASK = 1 << 0,
	CAPTURE_SYNTH_MMAP = 1 << 1,
	CAPTURE_SYNTH_CGROUP = 1 << 2,
	CAPTURE_SYNTH_ALL = 7,
};

/* A time in which the events are enabled, in ms from the start. */
struct capture_range {
	u64 from, to;
};

/* On which CPUs the reading thread runs while it reads a ring. */
enum capture_affinity { CAPTURE_AFFINITY_SYS, CAPTURE_AFFINITY_NODE, CAPTURE_AFFINITY_CPU };

/* What becomes of the trace in an AUX area: all of it is recorded; what is there at a signal;
 * pieces of it in the samples of other events. */
enum capture_aux { AUX_WHOLE, AUX_SNAPSHOTS, AUX_SAMPLES };

/* When a new file is begun; zero bytes = never. */
struct capture_switch {
	bool on_signal; /* SIGUSR2 */
	u64 size; /* bytes of data, 0 = does not matter */
	u64 seconds; /* 0 = does not matter */
};

struct capture_config {
	/* rate */
	u64 freq; /* Hz; used when period is 0 */
	u64 period; /* events per sample; 0 = by frequency */
	bool rate_given; /* the user chose it: overrides the events' own default period */
	bool strict_freq; /* a frequency that the kernel refuses is an error */
	bool no_samples; /* -n */

	/* stacks */
	struct event_stacks callgraph; /* of events whose terms say nothing */
	bool no_unwind; /* as raw, for the events' own terms too */
	bool only_kernel_chain; /* --kernel-callchains: user part left out */
	bool only_user_chain; /* --user-callchains */

	/* fields of a sample */
	bool no_time, time_given;
	bool period_field; /* -P */
	bool cpu_field; /* --sample-cpu */
	bool addr; /* -d */
	bool data_src, data_maps; /* parts of it: --sample-mem-info, --data-mmap */
	bool phys_addr, data_page_size, code_page_size;
	bool weight, transaction, raw;
	bool identifier;
	bool stat; /* -s: values per thread */
	bool running_time; /* enabled/running times in READ */
	u64 intr_regs, user_regs; /* masks in the kernel's numbering */
	u64 branch; /* PERF_SAMPLE_BRANCH_*, 0 = none */

	/* side records */
	bool switch_events, namespaces, cgroups, no_bpf, build_ids;
	const char *buildid_dir; /* see dso_config */
	bool moved_text; /* code that a program laid elsewhere over itself is still its file's */
	bool text_poke; /* changes of the kernel's code */

	/* AUX areas, if an event fills one */
	enum capture_aux aux_mode;
	u32 aux_pages; /* of each, 0 = chosen by us */
	u32 aux_sample_size; /* bytes, of samples of the events in its group */
	u64 aux_snapshot_size; /* bytes, 0 = all */
	bool aux_last_snapshot; /* at the end */
	bool no_switch_events; /* that decoders want are not added */

	bool wall; /* with off_cpu: all the time of threads, see bpf/off_cpu.h */
	bool off_cpu; /* the time off the CPU, too ... */
	u64 off_cpu_threshold; /* ... each block of so many ns by itself */

	/* scope and behaviour */
	bool all_user, all_kernel;
	bool no_inherit;
	bool no_buffering;
	bool use_clockid;
	s32 clockid;
	s64 delay_ms; /* 0 = at once, -1 = never enabled by us, else after so many ms */
	const struct capture_range *ranges; /* delay_ms is the first one's start; rising, apart */
	size_t nr_ranges; /* 0 = from delay_ms to the end */
	bool overwrite; /* the rings keep the latest records, written when a file is finished; with
			 * round_ms of samples alone, and in each round */
	bool tail_synth; /* the existing state is described at the end of a file */
	struct capture_switch switch_output;
	bool to_pipe; /* output is a stream: events need ids in every sample */
	u64 round_ms; /* of a live source: the rings are read that often, and a round ends even if
		       * they were empty; 0 = when they fill */
	unsigned int synth; /* enum capture_synth bits */
	unsigned int synth_threads; /* that read /proc, 0 = one */
	u64 map_timeout_ms; /* to read the maps of one process, 0 = any time */
	enum capture_affinity affinity;
	u64 mmap_flush; /* a ring with fewer bytes is left alone, but for the end */
	u32 mmap_pages; /* data pages per ring, 0 = chosen by us */
	bool deep_rings; /* then: for events as frequent as system calls */
	u64 max_size; /* stop at so many bytes of data, 0 = no limit */
};

#endif
