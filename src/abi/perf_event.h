/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abi/perf_event: the kernel's perf_event interface as this project knows it: attributes, record
 * types, sample bits, markers. A superset of what any packaged kernel header offers, so that files
 * from newer kernels decode; <linux/perf_event.h> is never included anywhere.
 *
 * Source: perf_event_open(2) and the kernel's UAPI documentation. Numbers are wire format: they
 * never change.
 */
#ifndef ABI_PERF_EVENT_H
#define ABI_PERF_EVENT_H

#include "base/types.h"

enum perf_type_id {
	PERF_TYPE_HARDWARE = 0,
	PERF_TYPE_SOFTWARE = 1,
	PERF_TYPE_TRACEPOINT = 2,
	PERF_TYPE_HW_CACHE = 3,
	PERF_TYPE_RAW = 4,
	PERF_TYPE_BREAKPOINT = 5,
	PERF_TYPE_MAX,
};

enum perf_hw_id {
	PERF_COUNT_HW_CPU_CYCLES,
	PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_CACHE_REFERENCES,
	PERF_COUNT_HW_CACHE_MISSES,
	PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	PERF_COUNT_HW_BRANCH_MISSES,
	PERF_COUNT_HW_BUS_CYCLES,
	PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
	PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	PERF_COUNT_HW_REF_CPU_CYCLES,
	PERF_COUNT_HW_MAX,
};

enum perf_hw_cache_id {
	PERF_COUNT_HW_CACHE_L1D,
	PERF_COUNT_HW_CACHE_L1I,
	PERF_COUNT_HW_CACHE_LL,
	PERF_COUNT_HW_CACHE_DTLB,
	PERF_COUNT_HW_CACHE_ITLB,
	PERF_COUNT_HW_CACHE_BPU,
	PERF_COUNT_HW_CACHE_NODE,
	PERF_COUNT_HW_CACHE_MAX,
};

enum perf_hw_cache_op {
	PERF_COUNT_HW_CACHE_OP_READ,
	PERF_COUNT_HW_CACHE_OP_WRITE,
	PERF_COUNT_HW_CACHE_OP_PREFETCH,
	PERF_COUNT_HW_CACHE_OP_MAX,
};

enum perf_hw_cache_result {
	PERF_COUNT_HW_CACHE_RESULT_ACCESS,
	PERF_COUNT_HW_CACHE_RESULT_MISS,
	PERF_COUNT_HW_CACHE_RESULT_MAX,
};

enum perf_sw_id {
	PERF_COUNT_SW_CPU_CLOCK,
	PERF_COUNT_SW_TASK_CLOCK,
	PERF_COUNT_SW_PAGE_FAULTS,
	PERF_COUNT_SW_CONTEXT_SWITCHES,
	PERF_COUNT_SW_CPU_MIGRATIONS,
	PERF_COUNT_SW_PAGE_FAULTS_MIN,
	PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	PERF_COUNT_SW_ALIGNMENT_FAULTS,
	PERF_COUNT_SW_EMULATION_FAULTS,
	PERF_COUNT_SW_DUMMY,
	PERF_COUNT_SW_BPF_OUTPUT,
	PERF_COUNT_SW_CGROUP_SWITCHES,
	PERF_COUNT_SW_MAX,
};

/* perf_event_attr.sample_type; the order of the fields in a sample is FEATURES of the format, see
 * perfdata/sample.h. */
enum perf_sample_type {
	PERF_SAMPLE_IP = 1U << 0,
	PERF_SAMPLE_TID = 1U << 1,
	PERF_SAMPLE_TIME = 1U << 2,
	PERF_SAMPLE_ADDR = 1U << 3,
	PERF_SAMPLE_READ = 1U << 4,
	PERF_SAMPLE_CALLCHAIN = 1U << 5,
	PERF_SAMPLE_ID = 1U << 6,
	PERF_SAMPLE_CPU = 1U << 7,
	PERF_SAMPLE_PERIOD = 1U << 8,
	PERF_SAMPLE_STREAM_ID = 1U << 9,
	PERF_SAMPLE_RAW = 1U << 10,
	PERF_SAMPLE_BRANCH_STACK = 1U << 11,
	PERF_SAMPLE_REGS_USER = 1U << 12,
	PERF_SAMPLE_STACK_USER = 1U << 13,
	PERF_SAMPLE_WEIGHT = 1U << 14,
	PERF_SAMPLE_DATA_SRC = 1U << 15,
	PERF_SAMPLE_IDENTIFIER = 1U << 16,
	PERF_SAMPLE_TRANSACTION = 1U << 17,
	PERF_SAMPLE_REGS_INTR = 1U << 18,
	PERF_SAMPLE_PHYS_ADDR = 1U << 19,
	PERF_SAMPLE_AUX = 1U << 20,
	PERF_SAMPLE_CGROUP = 1U << 21,
	PERF_SAMPLE_DATA_PAGE_SIZE = 1U << 22,
	PERF_SAMPLE_CODE_PAGE_SIZE = 1U << 23,
	PERF_SAMPLE_WEIGHT_STRUCT = 1U << 24,
};

enum perf_branch_sample_type {
	PERF_SAMPLE_BRANCH_USER = 1U << 0,
	PERF_SAMPLE_BRANCH_KERNEL = 1U << 1,
	PERF_SAMPLE_BRANCH_HV = 1U << 2,
	PERF_SAMPLE_BRANCH_ANY = 1U << 3,
	PERF_SAMPLE_BRANCH_ANY_CALL = 1U << 4,
	PERF_SAMPLE_BRANCH_ANY_RETURN = 1U << 5,
	PERF_SAMPLE_BRANCH_IND_CALL = 1U << 6,
	PERF_SAMPLE_BRANCH_ABORT_TX = 1U << 7,
	PERF_SAMPLE_BRANCH_IN_TX = 1U << 8,
	PERF_SAMPLE_BRANCH_NO_TX = 1U << 9,
	PERF_SAMPLE_BRANCH_COND = 1U << 10,
	PERF_SAMPLE_BRANCH_CALL_STACK = 1U << 11,
	PERF_SAMPLE_BRANCH_IND_JUMP = 1U << 12,
	PERF_SAMPLE_BRANCH_CALL = 1U << 13,
	PERF_SAMPLE_BRANCH_NO_FLAGS = 1U << 14,
	PERF_SAMPLE_BRANCH_NO_CYCLES = 1U << 15,
	PERF_SAMPLE_BRANCH_TYPE_SAVE = 1U << 16,
	PERF_SAMPLE_BRANCH_HW_INDEX = 1U << 17,
	PERF_SAMPLE_BRANCH_PRIV_SAVE = 1U << 18,
	PERF_SAMPLE_BRANCH_COUNTERS = 1U << 19,
};

enum perf_event_read_format {
	PERF_FORMAT_TOTAL_TIME_ENABLED = 1U << 0,
	PERF_FORMAT_TOTAL_TIME_RUNNING = 1U << 1,
	PERF_FORMAT_ID = 1U << 2,
	PERF_FORMAT_GROUP = 1U << 3,
	PERF_FORMAT_LOST = 1U << 4,
};

enum {
	PERF_ATTR_SIZE_VER0 = 64,
	PERF_ATTR_SIZE_VER1 = 72, /* config2 */
	PERF_ATTR_SIZE_VER2 = 80, /* branch_sample_type */
	PERF_ATTR_SIZE_VER3 = 96, /* sample_regs_user, sample_stack_user */
	PERF_ATTR_SIZE_VER4 = 104, /* sample_regs_intr */
	PERF_ATTR_SIZE_VER5 = 112, /* aux_watermark */
	PERF_ATTR_SIZE_VER6 = 120, /* aux_sample_size */
	PERF_ATTR_SIZE_VER7 = 128, /* sig_data */
	PERF_ATTR_SIZE_VER8 = 136, /* config3 */
	PERF_ATTR_SIZE_VER9 = 144, /* config4 */
};

struct perf_event_attr {
	u32 type;
	u32 size;
	u64 config;
	union {
		u64 sample_period;
		u64 sample_freq;
	};
	u64 sample_type;
	u64 read_format;
	union {
		u64 flags; /* the bits below, bit 0 first (little-endian hosts) */
		struct {
			u64 disabled : 1, inherit : 1, pinned : 1, exclusive : 1;
			u64 exclude_user : 1, exclude_kernel : 1, exclude_hv : 1, exclude_idle : 1;
			u64 mmap : 1, comm : 1, freq : 1, inherit_stat : 1;
			u64 enable_on_exec : 1, task : 1, watermark : 1, precise_ip : 2;
			u64 mmap_data : 1, sample_id_all : 1, exclude_host : 1, exclude_guest : 1;
			u64 exclude_callchain_kernel : 1, exclude_callchain_user : 1, mmap2 : 1;
			u64 comm_exec : 1, use_clockid : 1, context_switch : 1, write_backward : 1;
			u64 namespaces : 1, ksymbol : 1, bpf_event : 1, aux_output : 1;
			u64 cgroup : 1, text_poke : 1, build_id : 1, inherit_thread : 1;
			u64 remove_on_exec : 1, sigtrap : 1, defer_callchain : 1, defer_output : 1;
			u64 reserved_flags : 24;
		};
	};
	union {
		u32 wakeup_events;
		u32 wakeup_watermark;
	};
	u32 bp_type;
	union {
		u64 bp_addr;
		u64 kprobe_func;
		u64 uprobe_path;
		u64 config1;
	};
	union {
		u64 bp_len;
		u64 kprobe_addr;
		u64 probe_offset;
		u64 config2;
	};
	u64 branch_sample_type;
	u64 sample_regs_user;
	u32 sample_stack_user;
	s32 clockid;
	u64 sample_regs_intr;
	u32 aux_watermark;
	u16 sample_max_stack;
	u16 reserved2;
	u32 aux_sample_size;
	u32 aux_action; /* bit 0 start paused, 1 pause, 2 resume */
	u64 sig_data;
	u64 config3;
	u64 config4;
};
_Static_assert(sizeof(struct perf_event_attr) == PERF_ATTR_SIZE_VER9, "perf_event_attr layout");

enum perf_event_type {
	PERF_RECORD_MMAP = 1,
	PERF_RECORD_LOST = 2,
	PERF_RECORD_COMM = 3,
	PERF_RECORD_EXIT = 4,
	PERF_RECORD_THROTTLE = 5,
	PERF_RECORD_UNTHROTTLE = 6,
	PERF_RECORD_FORK = 7,
	PERF_RECORD_READ = 8,
	PERF_RECORD_SAMPLE = 9,
	PERF_RECORD_MMAP2 = 10,
	PERF_RECORD_AUX = 11,
	PERF_RECORD_ITRACE_START = 12,
	PERF_RECORD_LOST_SAMPLES = 13,
	PERF_RECORD_SWITCH = 14,
	PERF_RECORD_SWITCH_CPU_WIDE = 15,
	PERF_RECORD_NAMESPACES = 16,
	PERF_RECORD_KSYMBOL = 17,
	PERF_RECORD_BPF_EVENT = 18,
	PERF_RECORD_CGROUP = 19,
	PERF_RECORD_TEXT_POKE = 20,
	PERF_RECORD_AUX_OUTPUT_HW_ID = 21,
	PERF_RECORD_CALLCHAIN_DEFERRED = 22,
	PERF_RECORD_MAX,

	/* written by the tool, not the kernel */
	PERF_RECORD_USER_TYPE_START = 64,
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_EVENT_TYPE = 65,
	PERF_RECORD_HEADER_TRACING_DATA = 66,
	PERF_RECORD_HEADER_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_ID_INDEX = 69,
	PERF_RECORD_AUXTRACE_INFO = 70,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_AUXTRACE_ERROR = 72,
	PERF_RECORD_THREAD_MAP = 73,
	PERF_RECORD_CPU_MAP = 74,
	PERF_RECORD_STAT_CONFIG = 75,
	PERF_RECORD_STAT = 76,
	PERF_RECORD_STAT_ROUND = 77,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_TIME_CONV = 79,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_FINISHED_INIT = 82,
	PERF_RECORD_COMPRESSED2 = 83,
	PERF_RECORD_BPF_METADATA = 84,
	PERF_RECORD_SCHEDSTAT_CPU = 85,
	PERF_RECORD_SCHEDSTAT_DOMAIN = 86,
	PERF_RECORD_HEADER_MAX,
};

struct perf_event_header {
	u32 type;
	u16 misc;
	u16 size; /* bytes, this header included */
};

/* perf_event_header.misc */
enum {
	PERF_RECORD_MISC_CPUMODE_MASK = 7,
	PERF_RECORD_MISC_CPUMODE_UNKNOWN = 0,
	PERF_RECORD_MISC_KERNEL = 1,
	PERF_RECORD_MISC_USER = 2,
	PERF_RECORD_MISC_HYPERVISOR = 3,
	PERF_RECORD_MISC_GUEST_KERNEL = 4,
	PERF_RECORD_MISC_GUEST_USER = 5,
	PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT = 1 << 12,
	PERF_RECORD_MISC_MMAP_DATA = 1 << 13,
	PERF_RECORD_MISC_COMM_EXEC = 1 << 13,
	PERF_RECORD_MISC_FORK_EXEC = 1 << 13,
	PERF_RECORD_MISC_SWITCH_OUT = 1 << 13,
	PERF_RECORD_MISC_EXACT_IP = 1 << 14,
	PERF_RECORD_MISC_SWITCH_OUT_PREEMPT = 1 << 14,
	PERF_RECORD_MISC_MMAP_BUILD_ID = 1 << 14,
	PERF_RECORD_MISC_EXT_RESERVED = 1 << 15,
	PERF_RECORD_MISC_BUILD_ID_SIZE = 1 << 15, /* in HEADER_BUILD_ID entries */
	PERF_RECORD_MISC_LOST_SAMPLES_BPF = 1 << 15,
};

/*
 * Whether the 24 bytes that tell the file of an MMAP2 record are a build id (u8 size, 3 bytes of 0,
 * 20 bytes filled up with 0) and not the numbers of an inode (u32 major, minor, u64 inode,
 * generation). The flag alone does not tell: a kernel that serves a recorder with attr.build_id
 * leaves it set in the same record for others, who have not asked and get the inode.
 */
static inline bool perf_mmap2_has_build_id(u16 misc, const u8 *file)
{
	enum { HEAD = 4, ID_MAX = 20 };

	if (!(misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || file[0] > ID_MAX)
		return false;
	for (int i = 1; i < HEAD + ID_MAX; i++)
		if (file[i] && (i < HEAD || i >= HEAD + file[0]))
			return false;
	return true;
}

/* Flags of an AUX record. */
enum {
	PERF_AUX_FLAG_TRUNCATED = 1 << 0, /* the area was full */
	PERF_AUX_FLAG_OVERWRITE = 1 << 1,
	PERF_AUX_FLAG_PARTIAL = 1 << 2, /* there are gaps */
	PERF_AUX_FLAG_COLLISION = 1 << 3, /* a sample met another that was not finished */
};

/* Markers inside callchains: values at or above PERF_CONTEXT_MAX (as u64) are no addresses. */
#define PERF_CONTEXT_HV ((u64)-32)
#define PERF_CONTEXT_KERNEL ((u64)-128)
#define PERF_CONTEXT_USER ((u64)-512)
#define PERF_CONTEXT_USER_DEFERRED ((u64)-640)
#define PERF_CONTEXT_GUEST ((u64)-2048)
#define PERF_CONTEXT_GUEST_KERNEL ((u64)-2176)
#define PERF_CONTEXT_GUEST_USER ((u64)-2560)
#define PERF_CONTEXT_MAX ((u64)-4095)

enum {
	PERF_FLAG_FD_NO_GROUP = 1U << 0,
	PERF_FLAG_FD_OUTPUT = 1U << 1,
	PERF_FLAG_PID_CGROUP = 1U << 2,
	PERF_FLAG_FD_CLOEXEC = 1U << 3,
};

/* ioctl numbers: _IO('$', n) and friends, the same on x86_64 and aarch64 */
#define PERF_EVENT_IOC_ENABLE 0x2400UL
#define PERF_EVENT_IOC_DISABLE 0x2401UL
#define PERF_EVENT_IOC_REFRESH 0x2402UL
#define PERF_EVENT_IOC_RESET 0x2403UL
#define PERF_EVENT_IOC_PERIOD 0x40082404UL
#define PERF_EVENT_IOC_SET_OUTPUT 0x2405UL
#define PERF_EVENT_IOC_SET_FILTER 0x40082406UL
#define PERF_EVENT_IOC_ID 0x80082407UL
#define PERF_EVENT_IOC_SET_BPF 0x40042408UL
#define PERF_EVENT_IOC_PAUSE_OUTPUT 0x40042409UL
#define PERF_EVENT_IOC_QUERY_BPF 0xc008240aUL
#define PERF_EVENT_IOC_MODIFY_ATTRIBUTES 0x4008240bUL
enum { PERF_IOC_FLAG_GROUP = 1 };

/* The first page of an event's mmap. */
struct perf_event_mmap_page {
	u32 version;
	u32 compat_version;
	u32 lock;
	u32 index;
	s64 offset;
	u64 time_enabled;
	u64 time_running;
	u64 capabilities; /* bit 2 user_rdpmc, 3 user_time, 4 user_time_zero, 5 user_time_short */
	u16 pmc_width;
	u16 time_shift;
	u32 time_mult;
	u64 time_offset;
	u64 time_zero;
	u32 size;
	u32 reserved_1;
	u64 time_cycles;
	u64 time_mask;
	u8 reserved[116 * 8];
	u64 data_head; /* written by the kernel: load-acquire */
	u64 data_tail; /* written by us: store-release */
	u64 data_offset;
	u64 data_size;
	u64 aux_head;
	u64 aux_tail;
	u64 aux_offset;
	u64 aux_size;
};
_Static_assert(offsetof(struct perf_event_mmap_page, data_head) == 1024, "mmap page layout");

enum {
	PERF_BR_MISPRED = 1 << 0,
	PERF_BR_PREDICTED = 1 << 1,
	PERF_BR_IN_TX = 1 << 2,
	PERF_BR_ABORT = 1 << 3,
};

struct perf_branch_entry {
	u64 from;
	u64 to;
	u64 flags; /* bits 0 mispred, 1 predicted, 2 in_tx, 3 abort, 4-19 cycles, 20-23 type,
		    * 24-25 spec, 26-29 new_type, 30-32 priv */
};

enum perf_sample_regs_abi {
	PERF_SAMPLE_REGS_ABI_NONE,
	PERF_SAMPLE_REGS_ABI_32,
	PERF_SAMPLE_REGS_ABI_64
};

#endif
