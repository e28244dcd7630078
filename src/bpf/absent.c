/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In place of everything that loads BPF programs, where clang, bpftool or libbpf was missing when
 * perf was built. */
#include <errno.h>

#include "bpf/off_cpu.h"
#include "bpf/sample_filter.h"

static void *refuse(struct err *e, const char *what)
{
	err_set(e, ENOTSUP, "cannot %s: this build is without BPF programs", what);
	err_hint(e, "install clang, bpftool and libbpf-dev, and build again");
	return NULL;
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
