/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe baseline, empty, trace_printk: calls of usleep(1000) as they are, with a probe on the
 * function that runs an empty BPF program, and with one that writes a line into the trace buffer;
 * empty_ret, trace_printk_ret: the same where the function returns.
 *
 * Sources: the PMU "uprobe" of Documentation/ABI (config1: path, config2: offset), bpf(2),
 * Documentation/bpf/standardization/instruction-set.rst.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "cmd/bench/measure.h"
#include "sys/perf_open.h"
#include "sys/proc.h"

struct uprobe_opts {
	u64 loops;
};

static const struct uprobe_opts uprobe_defaults = { .loops = 1000 };

static const struct opt uprobe_table[] = {
	OPT_U64('l', "loop", struct uprobe_opts, loops, "n", "Specify number of loops"), OPT_END
};

static const char *const uprobe_usage[] = { "perf bench uprobe <options>", NULL };

#define INSN(c, d, s, o, i)                                                                        \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })

static const struct bpf_insn empty_program[] = {
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0), /* return 0 */
	INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
};

/* bpf_trace_printk("hit", 4): the text is put on the stack; its bytes in the order of this CPU. */
static const struct bpf_insn printk_program[] = {
	INSN(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -8,
	     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0x00746968 : 0x68697400),
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0),
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8),
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, 4),
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_trace_printk),
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0),
	INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
};

static int load_program(const struct bpf_insn *insns, size_t nr)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.insn_cnt = (u32)nr,
		.insns = (u64)(uintptr_t)insns,
		.license = (u64)(uintptr_t) "GPL",
	};
	int fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	if (fd < 0)
		bench_die("cannot load a BPF program");
	return fd;
}

/* What a probe runs. */
struct bench_probe {
	const struct bpf_insn *insns; /* NULL = there is no probe */
	size_t nr;
	bool at_return;
};

/* A probe on usleep() of this process that runs the program; its fd. */
static int attach(int program, bool at_return)
{
	struct perf_event_attr attr = { .sample_period = 1 };
	void *function = dlsym(RTLD_DEFAULT, "usleep");
	char path[4096];
	u64 type, offset = 0;
	int fd;

	if (!rw_read_u64("/sys/bus/event_source/devices/uprobe/type", &type))
		bench_die_text("this kernel has no uprobes");
	if (!function || !sys_proc_own_file(function, path, sizeof(path), &offset))
		bench_die_text("cannot find usleep()");
	attr.type = (u32)type;
	attr.config = at_return; /* format/retprobe: config:0 */
	attr.config1 = (u64)(uintptr_t)path;
	attr.config2 = offset;
	fd = sys_perf_event_open(&attr, getpid(), -1, -1, 0);
	if (fd < 0) {
		errno = -fd;
		bench_die("cannot probe usleep()");
	}
	if (sys_perf_ioctl(fd, PERF_EVENT_IOC_SET_BPF, (void *)(uintptr_t)program))
		bench_die_text("cannot attach the BPF program");
	return fd;
}

static u64 measure(u64 loops)
{
	u64 start = clock_now();

	for (u64 i = 0; i < loops; i++)
		usleep(1000);
	return clock_now() - start;
}

static int uprobe_run(const struct bench_ctx *ctx, const struct uprobe_opts *o,
		      const struct bench_probe *p)
{
	double ops = (double)o->loops;
	int program = -1, probe = -1;
	long usecs, base = 0;

	if (!o->loops)
		bench_die_text("the number of loops must not be 0");
	if (p->insns) {
		base = (long)(measure(o->loops) / 1000);
		program = load_program(p->insns, p->nr);
		probe = attach(program, p->at_return);
	}
	usecs = (long)(measure(o->loops) / 1000);
	if (p->insns) {
		close(probe);
		close(program);
	}
	if (ctx->simple) {
		printf("%ld.%03ld\n", usecs / 1000000, usecs / 1000 % 1000);
		return 0;
	}
	printf("# Executed %lu usleep(1000) calls\n", o->loops);
	printf(" %14s: %ld usecs", "Total time", usecs);
	if (p->insns)
		printf(" %+ld to baseline", usecs - base);
	printf("\n\n %.3f usecs/op", (double)usecs / ops);
	if (p->insns)
		printf(" %.3f usecs/op to baseline", (double)(usecs - base) / ops);
	printf("\n");
	return 0;
}

static int baseline_run(const struct bench_ctx *ctx, void *opts)
{
	return uprobe_run(ctx, opts, &(struct bench_probe){ .insns = NULL });
}

#define PROBE_RUN(function, program, ret)                                                          \
	static int function(const struct bench_ctx *ctx, void *opts)                               \
	{                                                                                          \
		return uprobe_run(ctx, opts,                                                       \
				  &(struct bench_probe){ program, ARRAY_SIZE(program), ret });     \
	}

PROBE_RUN(empty_run, empty_program, false)
PROBE_RUN(printk_run, printk_program, false)
PROBE_RUN(empty_ret_run, empty_program, true)
PROBE_RUN(printk_ret_run, printk_program, true)

BENCHMARK(bench_uprobe_baseline, "baseline", "Baseline libc usleep(1000) call", uprobe_table,
	  uprobe_usage, uprobe_defaults, baseline_run);
BENCHMARK(bench_uprobe_empty, "empty", "Attach empty BPF prog to uprobe on usleep", uprobe_table,
	  uprobe_usage, uprobe_defaults, empty_run);
BENCHMARK(bench_uprobe_printk, "trace_printk", "Attach trace_printk BPF prog to uprobe on usleep",
	  uprobe_table, uprobe_usage, uprobe_defaults, printk_run);
BENCHMARK(bench_uprobe_empty_ret, "empty_ret", "Attach empty BPF prog to uretprobe on usleep",
	  uprobe_table, uprobe_usage, uprobe_defaults, empty_ret_run);
BENCHMARK(bench_uprobe_printk_ret, "trace_printk_ret",
	  "Attach trace_printk BPF prog to uretprobe on usleep", uprobe_table, uprobe_usage,
	  uprobe_defaults, printk_ret_run);
