/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program of bpf/sample_filter, at a perf event: whether a sample is written. With IDS_ALONE it
 * knows no field of the sample but who is interrupted, and needs no type information of the kernel.
 */
#include "bpf/sample_filter_program.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

const volatile struct filter_table table; /* set before the program is loaded */
u64 dropped;

#ifdef IDS_ALONE
static __always_inline u64 sample_field(void *sample __attribute__((unused)),
					u8 field __attribute__((unused)))
{
	return 0;
}
#define SAMPLE(ctx) ((void)(ctx), NULL)
#else
void *bpf_cast_to_kern_ctx(void *ctx) __ksym;

/* clang-format off */
static __always_inline u64 sample_field(void *sample, u8 field)
{
	struct perf_sample_data *data = sample;

	switch (field) {
	case FILTER_IP: return data->ip;
	case FILTER_ID: return data->id;
	case FILTER_PID: return data->tid_entry.pid;
	case FILTER_TID: return data->tid_entry.tid;
	case FILTER_CPU: return data->cpu_entry.cpu;
	case FILTER_TIME: return data->time;
	case FILTER_ADDR: return data->addr;
	case FILTER_PERIOD: return data->period;
	case FILTER_TXN: return data->txn;
	case FILTER_WEIGHT: return data->weight.full;
	case FILTER_PHYS_ADDR: return data->phys_addr;
	case FILTER_CODE_PAGE_SIZE: return data->code_page_size;
	case FILTER_DATA_PAGE_SIZE: return data->data_page_size;
	case FILTER_CGROUP: return data->cgroup;
	case FILTER_DATA_SRC: return data->data_src.val;
	default: return 0;
	}
}
/* clang-format on */
#define SAMPLE(ctx) (((struct bpf_perf_event_data_kern *)bpf_cast_to_kern_ctx(ctx))->data)
#endif

static __always_inline u64 field_value(void *sample, u8 field)
{
	if (field >= FILTER_OF_SAMPLE)
		return sample_field(sample, field);
	return field == FILTER_UID ? (u32)bpf_get_current_uid_gid()
				   : bpf_get_current_uid_gid() >> 32;
}

SEC("perf_event")
int sample_filter(struct bpf_perf_event_data *ctx)
{
	void *sample = SAMPLE(ctx);

	if (filter_matches(&table, field_value, sample))
		return 1;
	__sync_fetch_and_add(&dropped, 1);
	return 0;
}
