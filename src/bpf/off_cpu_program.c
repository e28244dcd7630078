/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
#include "bpf/off_cpu_program.h"

/* Bits of a task's state: interruptible and uninterruptible sleep (S and D of ps), dead. */
enum { STATE_SLEEPS = 1 | 2, STATE_DEAD = 0x80 };

/* Arguments of sched_switch (preempt, prev, next, prev's state) and of task_newtask (task, ...). */
enum { ARG_PREEMPT = 0, ARG_PREV = 8, ARG_NEXT = 16, ARG_STATE = 24, ARG_CHILD = 0 };

/* On the program's stack. */
enum {
	AT_TID = -8,	  /* key of maps */
	AT_USER = -16,	  /* hash of the stack */
	AT_KERNEL = -24,
	AT_TASK = -56,	  /* struct off_cpu_task */
	AT_TOLD = -104,	  /* struct off_cpu_told ... */
	AT_KEY = AT_TOLD + (int)offsetof(struct off_cpu_told, key), /* ... and the key in it */
	AT_SUM = -128,	  /* struct off_cpu_sum */
	AT_ASLEEP = AT_SUM - (int)sizeof(struct off_cpu_asleep),
};
_Static_assert(sizeof(struct off_cpu_task) == 32 && sizeof(struct off_cpu_told) == 48 &&
	       sizeof(struct off_cpu_sum) == 24, "room on the stack");

enum label {
	WAKES, OUT, DIES, OLD_TASK, ANY_TID, ANY_CPU, ANY_CGROUP,
	NO_KERNEL, USER_WORD, USER_HASHED, USER_KEPT, KERNEL_WORD, KERNEL_HASHED, KERNEL_KEPT,
	STATE_KNOWN, STATE_READ, SLEPT, SUM_UP, SUM_ODD, SUM_FIND, SUM_NEW, NO_REGS, NOT_KNOWN,
};

#define SHARED(field) offsetof(struct off_cpu_shared, field)
#define TASK(field) ((int)offsetof(struct off_cpu_task, field))
#define TOLD(field) (AT_TOLD + (int)offsetof(struct off_cpu_told, field))
#define KEY(field) (AT_KEY + (int)offsetof(struct off_cpu_key, field))
#define SUM(field) ((int)offsetof(struct off_cpu_sum, field))
#define ASLEEP(field) (AT_ASLEEP + (int)offsetof(struct off_cpu_asleep, field))
#define KNOWN(field) ((int)offsetof(struct off_cpu_known, field))

/* reg = FP + at */
#define ADDRESS(reg, at) ASM_MOV(reg, FP), ASM_OPI(ADD, reg, at)
#define COUNT(field)                                                                              \
	ASM_SHARED(R1, OFF_CPU_SHARED, SHARED(field)), ASM_MOVI(R2, 1), ASM_ATOMIC_ADD(R1, 0, R2)
#define LOOKUP(map, key) ASM_MAP(R1, map), ADDRESS(R2, key), ASM_CALL(map_lookup_elem)
/* 4 bytes of a struct task_struct */
#define READ_MEMBER(to, task, member)                                                             \
	ASM_STOREI(DW, FP, to, 0), ADDRESS(R1, to), ASM_MOVI(R2, 4), ASM_MOV(R3, task),           \
	ASM_VALUE(R4, member), ASM_OP(ADD, R3, R4), ASM_CALL(probe_read_kernel)
#define NEXT_UNLESS(value, label) ASM_VALUE(R1, value), ASM_IFI(JEQ, R1, 0, label)

/*
 * The stack with these flags: to the scratch memory (R9), its hash to the program's stack at `at`, the frames under
 * the hash into the map of stacks. Goes on at `none` if there is no such stack.
 */
#define TAKE_STACK(flags, at, none, WORD, HASHED, KEPT)                                           \
	ASM_MOV(R1, R6), ASM_MOV(R2, R9), ASM_OPI(ADD, R2, 8),                                  \
	ASM_VALUE(R3, OFF_CPU_STACK_BYTES), ASM_MOVI(R4, flags), ASM_CALL(get_stack),            \
	ASM_IFI(JSLE, R0, 0, none),                                                               \
	ASM_STORE(DW, R9, 0, R0),                                                                 \
	ASM_MOVI(R1, 0), ASM_MOV(R4, R0), ASM_VALUE(R5, OFF_CPU_HASH_FACTOR),                    \
	ASM_LABEL(WORD),                                                                          \
	ASM_IF(JGE, R1, R0, HASHED),                                                              \
	ASM_MOV(R2, R9), ASM_OP(ADD, R2, R1), ASM_LOAD(DW, R3, R2, 8),                           \
	ASM_OP(XOR, R4, R3), ASM_OP(MUL, R4, R5),                                                 \
	ASM_MOV(R3, R4), ASM_OPI(RSH, R3, 32), ASM_OP(XOR, R4, R3),                              \
	ASM_OPI(ADD, R1, 8),                                                                      \
	ASM_IFI(JLT, R1, OFF_CPU_FRAMES * 8, WORD),                                               \
	ASM_LABEL(HASHED),                                                                        \
	ASM_STORE(DW, FP, at, R4),                                                                \
	LOOKUP(OFF_CPU_STACKS, at),                                                               \
	ASM_IFI(JNE, R0, 0, KEPT),                                                                \
	ASM_MAP(R1, OFF_CPU_STACKS), ADDRESS(R2, at), ASM_MOV(R3, R9), ASM_MOVI(R4, BPF_ANY),    \
	ASM_CALL(map_update_elem),                                                               \
	ASM_IFI(JEQ, R0, 0, KEPT),                                                                \
	ASM_STOREI(DW, FP, at, 0),                                                                \
	COUNT(lost_stacks),                                                                       \
	ASM_LABEL(KEPT)

/* R6 the record, R7 now, R8 the task that sleeps or wakes, R9 scratch memory */
const struct bpf_line off_cpu_switch[] = {
	ASM_MOV(R6, R1),
	ASM_CALL(ktime_get_ns),
	ASM_MOV(R7, R0),

	/* prev, which is still the current task: does it go to sleep, and is it one of ours? */
	ASM_LOAD(DW, R1, R6, ARG_PREEMPT),
	ASM_IFI(JSET, R1, 0xff, WAKES),
	ASM_CALL(get_current_pid_tgid),
	ASM_STORE(DW, FP, AT_TID, R0), /* the lower half is the tid */
	ASM_OPI(LSH, R0, 32),
	ASM_IFI(JEQ, R0, 0, WAKES), /* the idle task */
	ASM_VALUE(R1, OFF_CPU_STATE_ARG),
	ASM_IFI(JNE, R1, 0, STATE_READ),
	ASM_LOAD(DW, R8, R6, ARG_PREV),
	READ_MEMBER(AT_USER, R8, OFF_CPU_STATE),
	ASM_LOAD(DW, R2, FP, AT_USER),
	ASM_GOTO(STATE_KNOWN),
	ASM_LABEL(STATE_READ),
	ASM_LOAD(DW, R2, R6, ARG_STATE),
	ASM_LABEL(STATE_KNOWN),
	ASM_IFI(JSET, R2, STATE_DEAD, DIES),
	ASM_IFI(JSET, R2, STATE_SLEEPS, SLEPT),
	ASM_GOTO(WAKES),
	ASM_LABEL(SLEPT),
	NEXT_UNLESS(OFF_CPU_ONLY_TIDS, ANY_TID),
	LOOKUP(OFF_CPU_TIDS, AT_TID),
	ASM_IFI(JEQ, R0, 0, WAKES),
	ASM_LABEL(ANY_TID),
	ASM_CALL(get_smp_processor_id),
	ASM_STORE(W, FP, AT_TASK + TASK(cpu), R0),
	NEXT_UNLESS(OFF_CPU_ONLY_CPUS, ANY_CPU),
	LOOKUP(OFF_CPU_CPUS, AT_TASK + TASK(cpu)),
	ASM_IFI(JEQ, R0, 0, WAKES),
	ASM_LABEL(ANY_CPU),
	NEXT_UNLESS(OFF_CPU_ONLY_CGROUPS, ANY_CGROUP),
#define IN_CGROUP(n)                                                                              \
	ASM_MAP(R1, OFF_CPU_CGROUPS), ASM_MOVI(R2, n), ASM_CALL(current_task_under_cgroup),      \
	ASM_IFI(JEQ, R0, 1, ANY_CGROUP)
	IN_CGROUP(0), IN_CGROUP(1), IN_CGROUP(2), IN_CGROUP(3),
	IN_CGROUP(4), IN_CGROUP(5), IN_CGROUP(6), IN_CGROUP(7),
	ASM_GOTO(WAKES),
	ASM_LABEL(ANY_CGROUP),

	/* its stacks; a thread of the kernel has none in user space */
	ASM_STOREI(W, FP, AT_USER, 0),
	LOOKUP(OFF_CPU_SCRATCH, AT_USER),
	ASM_IFI(JEQ, R0, 0, WAKES),
	ASM_MOV(R9, R0),
	TAKE_STACK(BPF_F_USER_STACK, AT_USER, WAKES, USER_WORD, USER_HASHED, USER_KEPT),
	ASM_STOREI(DW, FP, AT_KERNEL, 0),
	NEXT_UNLESS(OFF_CPU_WANT_KERNEL, NO_KERNEL),
	TAKE_STACK(0, AT_KERNEL, NO_KERNEL, KERNEL_WORD, KERNEL_HASHED, KERNEL_KEPT),
	ASM_LABEL(NO_KERNEL),

	/* its registers, for who looks at its stack while it sleeps; before it is known to sleep */
	NEXT_UNLESS(OFF_CPU_WANT_REGS, NO_REGS),
	ASM_CALL(get_current_task_btf),
	ASM_MOV(R1, R0),
	ASM_CALL(task_pt_regs),
	ASM_MOV(R3, R0), ADDRESS(R1, ASLEEP(regs)), ASM_MOVI(R2, OFF_CPU_REGS * 8), ASM_CALL(probe_read_kernel),
	ASM_IFI(JNE, R0, 0, NO_REGS),
	ASM_STORE(DW, FP, ASLEEP(start), R7),
	ASM_MAP(R1, OFF_CPU_ASLEEP), ADDRESS(R2, AT_TID), ADDRESS(R3, AT_ASLEEP), ASM_MOVI(R4, BPF_ANY),
	ASM_CALL(map_update_elem),
	ASM_LABEL(NO_REGS),

	/* remember when and where */
	ASM_CALL(get_current_pid_tgid),
	ASM_OPI(RSH, R0, 32),
	ASM_STORE(W, FP, AT_TASK + TASK(pid), R0),
	ASM_STORE(DW, FP, AT_TASK + TASK(start), R7),
	ASM_LOAD(DW, R1, FP, AT_USER),
	ASM_STORE(DW, FP, AT_TASK + TASK(user), R1),
	ASM_LOAD(DW, R1, FP, AT_KERNEL),
	ASM_STORE(DW, FP, AT_TASK + TASK(kernel), R1),
	ASM_MAP(R1, OFF_CPU_TASKS), ADDRESS(R2, AT_TID), ADDRESS(R3, AT_TASK), ASM_MOVI(R4, BPF_ANY),
	ASM_CALL(map_update_elem),
	ASM_IFI(JEQ, R0, 0, WAKES),
	COUNT(lost_tasks),
	ASM_GOTO(WAKES),

	ASM_LABEL(DIES),
	ASM_MAP(R1, OFF_CPU_TASKS), ADDRESS(R2, AT_TID), ASM_CALL(map_delete_elem),
	ASM_MAP(R1, OFF_CPU_TIDS), ADDRESS(R2, AT_TID), ASM_CALL(map_delete_elem),
	ASM_MAP(R1, OFF_CPU_ASLEEP), ADDRESS(R2, AT_TID), ASM_CALL(map_delete_elem),
	ASM_MAP(R1, OFF_CPU_KNOWN), ADDRESS(R2, AT_TID), ASM_CALL(map_delete_elem),

	/* next: did it sleep? */
	ASM_LABEL(WAKES),
	ASM_LOAD(DW, R8, R6, ARG_NEXT),
	READ_MEMBER(AT_TID, R8, OFF_CPU_PID),
	ASM_LOAD(W, R1, FP, AT_TID),
	ASM_IFI(JEQ, R1, 0, OUT),
	ASM_STORE(W, FP, KEY(tid), R1),
	LOOKUP(OFF_CPU_TASKS, AT_TID),
	ASM_IFI(JEQ, R0, 0, OUT),
	ASM_MOV(R8, R0),
	ASM_LOAD(DW, R1, R8, TASK(start)),
	ASM_IFI(JEQ, R1, 0, OUT),
	ASM_STOREI(DW, R8, TASK(start), 0),
	ASM_STORE(DW, FP, AT_TASK + TASK(start), R1),
	ASM_SHARED(R2, OFF_CPU_SHARED, 0),
	ASM_LOAD(DW, R3, R2, SHARED(enabled)),
	ASM_IFI(JEQ, R3, 0, OUT),
	ASM_LOAD(DW, R3, R2, SHARED(since)),
	ASM_IF(JGE, R1, R3, OLD_TASK),
	ASM_MOV(R1, R3),
	ASM_LABEL(OLD_TASK),
	ASM_IF(JGE, R1, R7, OUT),
	ASM_MOV(R9, R7),
	ASM_OP(SUB, R9, R1), /* how long */
	ASM_STORE(DW, FP, TOLD(end), R7),
	ASM_STORE(DW, FP, TOLD(time), R9),
	ASM_LOAD(DW, R1, R8, TASK(user)),
	ASM_STORE(DW, FP, KEY(user), R1),
	ASM_LOAD(DW, R1, R8, TASK(kernel)),
	ASM_STORE(DW, FP, KEY(kernel), R1),
	ASM_LOAD(W, R1, R8, TASK(pid)),
	ASM_STORE(W, FP, KEY(pid), R1),
	/* a stack that was found while it slept is a better one */
	NEXT_UNLESS(OFF_CPU_WANT_REGS, NOT_KNOWN),
	LOOKUP(OFF_CPU_KNOWN, AT_TID),
	ASM_IFI(JEQ, R0, 0, NOT_KNOWN),
	ASM_LOAD(DW, R1, R0, KNOWN(start)),
	ASM_LOAD(DW, R2, FP, AT_TASK + TASK(start)),
	ASM_IF(JNE, R1, R2, NOT_KNOWN),
	ASM_LOAD(DW, R1, R0, KNOWN(user)),
	ASM_STORE(DW, FP, KEY(user), R1),
	ASM_LABEL(NOT_KNOWN),
	ASM_CALL(get_smp_processor_id),
	ASM_STORE(DW, FP, TOLD(cpu), R0),
	ASM_MOV(R8, R0),
	ASM_VALUE(R1, OFF_CPU_THRESHOLD),
	ASM_IF(JLT, R9, R1, SUM_UP),
	ASM_MAP(R1, OFF_CPU_RING), ADDRESS(R2, AT_TOLD), ASM_MOVI(R3, sizeof(struct off_cpu_told)),
	ASM_MOVI(R4, 0), ASM_CALL(ringbuf_output),
	ASM_IFI(JEQ, R0, 0, OUT),
	COUNT(lost_told),
	ASM_GOTO(OUT),

	/* a short one: R6 the map of sums, R8 the CPU; a task is switched to by one CPU at a time */
	ASM_LABEL(SUM_UP),
	ASM_SHARED(R1, OFF_CPU_SHARED, SHARED(odd)),
	ASM_LOAD(DW, R1, R1, 0),
	ASM_IFI(JNE, R1, 0, SUM_ODD),
	ASM_MAP(R6, OFF_CPU_SUMS),
	ASM_GOTO(SUM_FIND),
	ASM_LABEL(SUM_ODD),
	ASM_MAP(R6, OFF_CPU_SUMS_ODD),
	ASM_LABEL(SUM_FIND),
	ASM_MOV(R1, R6), ADDRESS(R2, AT_KEY), ASM_CALL(map_lookup_elem),
	ASM_IFI(JEQ, R0, 0, SUM_NEW),
	ASM_LOAD(DW, R1, R0, SUM(time)),
	ASM_OP(ADD, R1, R9),
	ASM_STORE(DW, R0, SUM(time), R1),
	ASM_STORE(DW, R0, SUM(end), R7),
	ASM_STORE(DW, R0, SUM(cpu), R8),
	ASM_GOTO(OUT),
	ASM_LABEL(SUM_NEW),
	ASM_STORE(DW, FP, AT_SUM + SUM(time), R9),
	ASM_STORE(DW, FP, AT_SUM + SUM(end), R7),
	ASM_STORE(DW, FP, AT_SUM + SUM(cpu), R8),
	ASM_MOV(R1, R6), ADDRESS(R2, AT_KEY), ADDRESS(R3, AT_SUM), ASM_MOVI(R4, BPF_ANY),
	ASM_CALL(map_update_elem),
	ASM_IFI(JEQ, R0, 0, OUT),
	COUNT(lost_sums),

	ASM_LABEL(OUT),
	ASM_MOVI(R0, 0),
	ASM_EXIT(),
};
const size_t off_cpu_switch_lines = ARRAY_SIZE(off_cpu_switch);

/* A child of one that is measured is measured, too. */
const struct bpf_line off_cpu_fork[] = {
	ASM_MOV(R6, R1),
	ASM_CALL(get_current_pid_tgid),
	ASM_STORE(DW, FP, AT_TID, R0), /* the lower half is the tid */
	LOOKUP(OFF_CPU_TIDS, AT_TID),
	ASM_IFI(JEQ, R0, 0, OUT),
	ASM_LOAD(DW, R8, R6, ARG_CHILD),
	READ_MEMBER(AT_TID, R8, OFF_CPU_PID),
	ASM_STOREI(DW, FP, AT_USER, 1),
	ASM_MAP(R1, OFF_CPU_TIDS), ADDRESS(R2, AT_TID), ADDRESS(R3, AT_USER), ASM_MOVI(R4, BPF_ANY),
	ASM_CALL(map_update_elem),
	ASM_IFI(JEQ, R0, 0, OUT),
	COUNT(lost_tasks),
	ASM_LABEL(OUT),
	ASM_MOVI(R0, 0),
	ASM_EXIT(),
};
const size_t off_cpu_fork_lines = ARRAY_SIZE(off_cpu_fork);
