/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In place of everything that loads BPF programs, where clang, bpftool or libbpf was missing when
 * perf was built. */
#include <errno.h>

#include "bpf/call_latency.h"
#include "bpf/kwork_times.h"
#include "bpf/lock_contention.h"
#include "bpf/object.h"
#include "bpf/program_counts.h"
#include "bpf/off_cpu.h"
#include "bpf/sample_filter.h"
#include "bpf/shared_counts.h"
#include "bpf/syscall_stats.h"
#include "bpf/trace_args.h"

static void *refuse(struct err *e, const char *what)
{
	err_set(e, ENOTSUP, "cannot %s: this build is without BPF programs", what);
	err_hint(e, "install clang, bpftool and libbpf-dev, and build again");
	return NULL;
}

struct call_latency *call_latency_new(const struct call_latency_opts *o UNUSED, struct err *e)
{
	return refuse(e, "measure latencies in the kernel");
}

void call_latency_free(struct call_latency *c UNUSED)
{
}

void call_latency_enable(struct call_latency *c UNUSED, bool on UNUSED)
{
}

int call_latency_read(const struct call_latency *c UNUSED, u64 *counts UNUSED,
		      struct call_latency_sums *sums UNUSED, struct err *e UNUSED)
{
	return 0;
}

u64 call_latency_lost(const struct call_latency *c UNUSED)
{
	return 0;
}

struct kwork_times *kwork_times_new(const struct kwork_times_opts *o UNUSED, struct err *e)
{
	return refuse(e, "measure work of the kernel in the kernel");
}

void kwork_times_free(struct kwork_times *t UNUSED)
{
}

void kwork_times_enable(struct kwork_times *t UNUSED, bool on UNUSED)
{
}

struct kwork_times_shared kwork_times_counts(const struct kwork_times *t UNUSED)
{
	return (struct kwork_times_shared){ 0 };
}

int kwork_times_read(struct kwork_times *t UNUSED,
		     void (*fn)(void *ctx, const struct kwork_times_key *key,
				const struct kwork_times_work *work) UNUSED,
		     void *ctx UNUSED, struct err *e UNUSED)
{
	return 0;
}

int kwork_times_read_tasks(const struct kwork_times *t UNUSED,
			   void (*fn)(void *ctx, const struct kwork_times_part *part,
				      const struct kwork_times_task *task) UNUSED,
			   void *ctx UNUSED, struct err *e UNUSED)
{
	return 0;
}

bool kwork_times_read_cpu(const struct kwork_times *t UNUSED, u32 cpu UNUSED,
			  struct kwork_times_cpu *out UNUSED)
{
	return false;
}

struct lock_contention *lock_contention_new(const struct lock_contention_opts *o UNUSED,
					    struct err *e)
{
	return refuse(e, "watch waits for locks in the kernel");
}

void lock_contention_free(struct lock_contention *l UNUSED)
{
}

void lock_contention_enable(struct lock_contention *l UNUSED, bool on UNUSED)
{
}

int lock_contention_read(const struct lock_contention *l UNUSED,
			 void (*fn)(void *ctx, const struct lock_contention_row *row) UNUSED,
			 void *ctx UNUSED, struct err *e UNUSED)
{
	return 0;
}

struct lock_contention_losses lock_contention_losses(const struct lock_contention *l UNUSED)
{
	return (struct lock_contention_losses){ 0 };
}

struct off_cpu *off_cpu_new(const struct off_cpu_opts *opts UNUSED, struct err *e)
{
	return refuse(e, "measure the time off the CPU");
}

void off_cpu_free(struct off_cpu *o UNUSED)
{
}

int off_cpu_fd(const struct off_cpu *o UNUSED)
{
	return -1;
}

void off_cpu_enable(struct off_cpu *o UNUSED, bool on UNUSED)
{
}

int off_cpu_read(struct off_cpu *o UNUSED, bool sums UNUSED,
		 int (*fn)(void *ctx, const struct off_cpu_block *b) UNUSED, void *ctx UNUSED)
{
	return 0;
}

bool off_cpu_look(struct off_cpu *o UNUSED, u64 least UNUSED, size_t most UNUSED,
		  off_cpu_find_fn *fn UNUSED, void *ctx UNUSED)
{
	return false;
}

struct off_cpu_losses off_cpu_losses(const struct off_cpu *o UNUSED)
{
	return (struct off_cpu_losses){ 0 };
}

struct sample_filter_program *sample_filter_load(const struct sample_filter *f, u64 sample_type,
						 const char *event, struct err *e)
{
	struct filter_table table;

	return sample_filter_table(&table, f, sample_type, event, e) < 0
		       ? NULL
		       : refuse(e, "filter samples");
}

int sample_filter_attach(const struct sample_filter_program *p UNUSED, int event_fd UNUSED)
{
	return -ENOTSUP;
}

u64 sample_filter_dropped(const struct sample_filter_program *p UNUSED)
{
	return 0;
}

void sample_filter_free(struct sample_filter_program *p UNUSED)
{
}

struct program_counts *program_counts_new(const u32 *ids UNUSED, size_t nr UNUSED,
					  u32 nr_events UNUSED, struct err *e)
{
	return refuse(e, "count in BPF programs");
}

void program_counts_free(struct program_counts *p UNUSED)
{
}

int program_counts_put(struct program_counts *p UNUSED, u32 event UNUSED, u32 cpu UNUSED,
		       int fd UNUSED)
{
	return -ENOTSUP;
}

int program_counts_attach(struct program_counts *p UNUSED, struct err *e)
{
	refuse(e, "count in BPF programs");
	return -1;
}

void program_counts_enable(struct program_counts *p UNUSED, bool on UNUSED)
{
}

struct program_count program_counts_read(struct program_counts *p UNUSED, u32 event UNUSED,
					 u32 cpu UNUSED)
{
	return (struct program_count){ 0 };
}

struct shared_counts *shared_counts_new(const struct shared_counts_opts *o UNUSED, u32 nr UNUSED,
					struct err *e)
{
	return refuse(e, "count by BPF");
}

void shared_counts_free(struct shared_counts *s UNUSED)
{
}

int shared_counts_put(struct shared_counts *s UNUSED, u32 counter UNUSED,
		      const struct perf_event_attr *attr UNUSED, struct err *e UNUSED)
{
	return -1;
}

int shared_counts_begin(struct shared_counts *s UNUSED, struct err *e UNUSED)
{
	return -1;
}

void shared_counts_enable(struct shared_counts *s UNUSED, bool on UNUSED)
{
}

void shared_counts_update(struct shared_counts *s UNUSED)
{
}

struct program_count shared_counts_read(struct shared_counts *s UNUSED, u32 counter UNUSED,
					u32 owner UNUSED, int cpu UNUSED)
{
	return (struct program_count){ 0 };
}

const char *shared_counts_alone(const struct shared_counts *s UNUSED)
{
	return NULL;
}

u64 shared_counts_lost(const struct shared_counts *s UNUSED)
{
	return 0;
}

struct bpf_file *bpf_file_open(const char *path UNUSED, const char *called UNUSED, struct err *e)
{
	return refuse(e, "load object files");
}

void bpf_file_put_before(struct bpf_file *f UNUSED, size_t i UNUSED,
			 const struct bpf_insns *code UNUSED)
{
}

int bpf_file_load(struct bpf_file *f UNUSED, struct err *e)
{
	refuse(e, "load object files");
	return -1;
}

void bpf_file_free(struct bpf_file *f UNUSED)
{
}

size_t bpf_file_nr_programs(const struct bpf_file *f UNUSED)
{
	return 0;
}

struct bpf_file_program bpf_file_program(const struct bpf_file *f UNUSED, size_t i UNUSED)
{
	return (struct bpf_file_program){ .fd = -1 };
}

bool bpf_file_find_map(const struct bpf_file *f UNUSED, const char *name UNUSED,
		       struct bpf_file_map *map UNUSED)
{
	return false;
}

struct syscall_stats *syscall_stats_new(const struct syscall_stats_opts *o UNUSED, struct err *e)
{
	return refuse(e, "count system calls");
}

void syscall_stats_free(struct syscall_stats *s UNUSED)
{
}

void syscall_stats_enable(struct syscall_stats *s UNUSED, bool on UNUSED)
{
}

void syscall_stats_rows(const struct syscall_stats *s UNUSED,
			int (*fn)(void *ctx, const struct syscall_stats_row *row) UNUSED,
			void *ctx UNUSED)
{
}

void syscall_stats_running(const struct syscall_stats *s UNUSED,
			   int (*fn)(void *ctx, const struct syscall_stats_row *row) UNUSED,
			   void *ctx UNUSED)
{
}

void syscall_stats_parts(const struct syscall_stats *s UNUSED,
			 int (*fn)(void *ctx, const struct syscall_stats_part *part) UNUSED,
			 void *ctx UNUSED)
{
}

struct syscall_stats_losses syscall_stats_losses(const struct syscall_stats *s UNUSED)
{
	return (struct syscall_stats_losses){ 0 };
}

struct trace_args *trace_args_new(const struct trace_args_opts *o UNUSED, struct err *e)
{
	return refuse(e, "read the memory of arguments");
}

void trace_args_free(struct trace_args *t UNUSED)
{
}

int trace_args_rules(struct trace_args *t UNUSED, u32 nr UNUSED,
		     const struct call_rules *rules UNUSED, struct err *e UNUSED)
{
	return -1;
}

int trace_args_events(struct trace_args *t UNUSED, u32 cpu UNUSED, int enter_fd UNUSED,
		      int exit_fd UNUSED, struct err *e UNUSED)
{
	return -1;
}

int trace_args_begin(struct trace_args *t UNUSED, struct err *e UNUSED)
{
	return -1;
}

u64 trace_args_unfollowed(const struct trace_args *t UNUSED)
{
	return 0;
}

int bpf_file_attach_link(struct bpf_file *f UNUSED, size_t i UNUSED, struct err *e UNUSED)
{
	return -1;
}

int bpf_put_value(int map_fd UNUSED, u32 key UNUSED, u64 value UNUSED, u32 bytes UNUSED)
{
	return -ENOTSUP;
}
