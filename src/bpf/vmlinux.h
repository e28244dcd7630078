/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmlinux: what BPF programs (*.bpf.c) need to know of the kernel: names of integers, constants of
 * bpf(2), and of the kernel's structures the members that they read. Where a member is in the
 * running kernel, libbpf finds by its name when the program is loaded (CO-RE), so order and size
 * here mean nothing. A structure that once was another has a second definition: libbpf takes
 * NAME___ANYTHING for NAME.
 *
 * In programs of the kernel only; it stands for the header that other projects generate from a
 * kernel's type information.
 *
 * Source: linux/bpf.h, linux/types.h, Documentation/bpf/libbpf/program_types.rst.
 */
#ifndef BPF_VMLINUX_H
#define BPF_VMLINUX_H

/* The names that libbpf's headers use. */
typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef signed short __s16;
typedef signed int __s32;
typedef signed long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef _Bool bool;
enum { false, true };
#define NULL ((void *)0)

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_STACK_TRACE = 7,
	BPF_MAP_TYPE_CGROUP_ARRAY = 8,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_RINGBUF = 27,
};

enum {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
	BPF_F_USER_STACK = 1 << 8,
	BPF_F_PRESERVE_ELEMS = 1 << 11,
};

#define BPF_F_CURRENT_CPU 0xffffffffULL
#define offsetof(type, member) __builtin_offsetof(type, member)

/* Of programs at raw tracepoints: the arguments of the kernel's TP_PROTO. */
struct bpf_raw_tracepoint_args {
	__u64 args[0];
};

/* Of programs at perf events. */
struct bpf_perf_event_data;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* Of x86. */
struct thread_info {
	u32 status;
};

struct pt_regs {
	unsigned long bx, cx, dx, si, di, bp, r8, r9, r10, orig_ax; /* of x86 */
	u64 regs[31], orig_x0; /* of arm64 */
	s32 syscallno;
};

struct signal_struct {
	struct {
		int counter;
	} live;
};

struct task_struct {
	struct thread_info thread_info;
	void *stack;
	unsigned int flags;
	int pid, tgid;
	unsigned int __state;
	u64 start_time;
	struct signal_struct *signal;
};

struct task_struct___before_5_14 {
	long state;
};

struct irqaction {
	const char *name;
};

struct work_struct {
	void *func;
};

struct mutex {
	struct {
		s64 counter;
	} owner;
};

struct rw_semaphore {
	struct {
		s64 counter;
	} owner;
};

struct perf_sample_data {
	u64 addr, period;
	union {
		u64 full;
	} weight;
	u64 txn;
	union {
		u64 val;
	} data_src;
	u64 ip;
	struct {
		u32 pid, tid;
	} tid_entry;
	u64 time, id;
	struct {
		u32 cpu;
	} cpu_entry;
	u64 phys_addr, cgroup, data_page_size, code_page_size;
};

struct bpf_perf_event_data_kern {
	struct perf_sample_data *data;
};

#pragma clang attribute pop

#endif
