/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample: decoding of PERF_RECORD_SAMPLE and of the sample_id trailer of other records.
 *
 * A struct sample_layout is compiled once per event from its attr; decoding then costs a few loads.
 * A struct sample borrows everything from the record's bytes: it is valid while those are. All
 * lengths are checked against the record here and nowhere later. Thread-safe (no state).
 * Field order: perf_event_open(2), "PERF_RECORD_SAMPLE".
 */
#ifndef PERFDATA_SAMPLE_H
#define PERFDATA_SAMPLE_H

#include "abi/perf_event.h"
#include "base/bits.h"

struct sample_layout {
	u64 sample_type;
	u64 read_format;
	u64 branch_sample_type;
	u64 regs_user;
	u64 regs_intr;
	u64 default_period; /* of samples that carry none: the attr's */
	/* byte offsets in the record of the fixed fields, 0 = not there */
	u16 identifier, ip, tid, time, addr, id, stream_id, cpu, period;
	u16 fixed_end; /* where READ or the first variable field starts */
	u16 id_pos; /* IDENTIFIER or ID: where to read the event's id in a sample, 0 = none */
	/* offsets back from the end of other records (sample_id_all), 0 = not there */
	u16 tail_time, tail_tid, tail_id, tail_cpu, tail_stream_id;
	u16 tail_size; /* bytes of the trailer; 0 without sample_id_all */
	bool has_rest; /* samples have other variable fields than a callchain */
	bool ends_with_raw; /* a callchain and RAW are all variable fields that samples may have */
};

void sample_layout_init(struct sample_layout *l, const struct perf_event_attr *attr);

struct sample_read_value {
	u64 value, id, lost;
};

struct sample {
	u64 ip, time, addr, id, stream_id, period;
	u32 pid, tid, cpu; /* (u32)-1 when the sample does not say */
	u16 misc;
	u8 cpumode;
	/* set by a reader: */
	bool unwound : 1; /* user frames were found in a copy of the stack, now or while recording
			   */
	bool cut : 1; /* the copy ended before the stack: PERF_CONTEXT_USER is the chain's last word
		       */
	bool absent : 1; /* since the rest of the stack was not in memory: it is there twice */
	bool whole : 1; /* the unwinder knows that the frames reach the thread's start */
	bool made : 1; /* the chain is in memory of the reader, which put branch records into it */
	bool guessed : 1; /* callers of it are, or were, guesses */
	bool deferred : 1; /* the user part is in another record: its cookie is chain[nr_chain + 1]
			    */
	/* PERF_SAMPLE_READ: nr_read values of 1..3 words; decode one with sample_read_at() */
	u64 time_enabled, time_running;
	const u8 *read; /* first value */
	u64 nr_read;
	const u64 *chain; /* callchain with context markers, NULL = none */
	u64 nr_chain;
	const u8 *raw;
	u32 raw_size;
	u32 guess_at; /* set by a reader: where in chain the mark is that what follows are guesses
			 (capture/stacks/unwinder.h), 0 = none */
	const u64 *branch; /* nr_branch * 3 words: struct perf_branch_entry */
	u64 nr_branch;
	u64 branch_hw_idx; /* (u64)-1 when absent */
	const u64 *branch_counters; /* nr_branch words, NULL = none */
	u64 user_abi;
	const u64 *user_regs; /* one word per bit of layout->regs_user, NULL when abi is NONE */
	const u8 *user_stack; /* with STACK_USER never NULL, but see the size */
	u64 user_stack_size; /* bytes copied: dyn_size */
	u64 weight; /* var1 */
	u16 ins_lat, p_stage_cyc; /* var2, var3 of WEIGHT_STRUCT */
	u64 data_src, transaction;
	u64 intr_abi;
	const u64 *intr_regs;
	u64 phys_addr, cgroup, data_page_size, code_page_size;
	const u8 *aux;
	u64 aux_size;
};

/* Decode a whole SAMPLE record (native endian, size already known to be inside its buffer). False
 * when a field does not fit in the record; *s is then undefined. */
bool sample_decode(const struct sample_layout *l, const struct perf_event_header *h,
		   struct sample *s);
/* Whether the copy of the stack is as long as was asked for, so that the stack may go on behind it.
 * With STACK_USER only. */
static inline bool sample_stack_is_full(const struct sample *s)
{
	return s->user_stack_size == bits_u64(s->user_stack - 8);
}

/* Whether samples have nothing but fixed fields, a callchain, registers and a copy of the stack,
 * and single words. */
bool sample_layout_is_plain(const struct sample_layout *l);
/* The fixed fields that most readers need of such a sample; they are kept where the record is not.
 */
struct sample_head {
	u64 ip, period;
	u32 cpu;
	u16 misc;
};
/* Whether the variable fields of such a sample fit, as far as the first `there` bytes tell; false:
 * not so far. */
bool sample_rest_fits(const struct sample_layout *l, const struct perf_event_header *h,
		      size_t there);
/* False when the record is broken, or its first `there` bytes (at least the fixed fields) do not
 * tell. */
static inline bool sample_head_decode(const struct sample_layout *l,
				      const struct perf_event_header *h, size_t there,
				      struct sample_head *head)
{
	const u8 *base = (const u8 *)h;

	if (UNLIKELY(h->size < l->fixed_end))
		return false;
	if (l->has_rest) {
		if (UNLIKELY(!sample_rest_fits(l, h, there)))
			return false;
	} else if (l->sample_type & PERF_SAMPLE_CALLCHAIN) {
		size_t room = (size_t)h->size - l->fixed_end;

		if (UNLIKELY(room < 8 || bits_u64(base + l->fixed_end) > (room - 8) / 8))
			return false;
	}
	head->misc = h->misc;
	head->ip = l->ip ? bits_u64(base + l->ip) : 0;
	head->cpu = l->cpu ? bits_u32(base + l->cpu) : (u32)-1;
	head->period = l->period ? bits_u64(base + l->period) : l->default_period;
	return true;
}
/*
 * Where a sample's raw data are. False: ask sample_decode(), for the record is broken or has other
 * variable fields than a callchain and these.
 */
static inline bool sample_find_raw(const struct sample_layout *l, const struct perf_event_header *h,
				   const u8 **raw, u32 *size)
{
	const u8 *at = (const u8 *)h + l->fixed_end;
	size_t room = (size_t)h->size - l->fixed_end;

	if (UNLIKELY(!l->ends_with_raw || h->size < l->fixed_end))
		return false;
	if (l->sample_type & PERF_SAMPLE_CALLCHAIN) {
		if (UNLIKELY(room < 8 || bits_u64(at) > (room - 8) / 8))
			return false;
		room -= 8 + bits_u64(at) * 8;
		at += 8 + bits_u64(at) * 8;
	}
	if (UNLIKELY(room < 4 || bits_u32(at) > room - 4 || (bits_u32(at) + 4) % 8))
		return false;
	*raw = at + 4;
	*size = bits_u32(at);
	return true;
}
/* Sets all fields to "not in the sample", before the few that are known of a sample whose head
 * alone was kept. */
void sample_of_nothing(struct sample *s);

struct sample_read_value sample_read_at(const struct sample_layout *l, const struct sample *s,
					u64 i);

/* Time of any record: 0 when it carries none. */
u64 sample_record_time(const struct sample_layout *l, const struct perf_event_header *h);

struct sample_id {
	u64 time, id, stream_id;
	u32 pid, tid, cpu; /* (u32)-1 when absent */
};
/* Trailer of a non-sample kernel record; false when the record has none or is too short. */
bool sample_id_decode(const struct sample_layout *l, const struct perf_event_header *h,
		      struct sample_id *id);

#endif
