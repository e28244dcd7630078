/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kvm_exits: how often virtual machines were left, why, and how long until their virtual CPUs ran
 * again; or which ports, addresses and registers of devices they used. Any thread, one at a time.
 *
 * A virtual CPU is the thread that runs it. What happens before the first kvm:kvm_entry of a thread
 * is not looked at: only that event says which virtual CPU it is.
 *
 * Times, ns: of an exit, from kvm_exit to kvm_entry. Of a read of memory, from kvm_exit to its
 * event, which comes once the answer is there. Of a write to memory, and of ports and model
 * specific registers, from the event to kvm_entry.
 */
#ifndef ANALYZE_KVM_EXITS_H
#define ANALYZE_KVM_EXITS_H

#include "analyze/analyze.h"

enum kvm_what { KVM_VMEXIT, KVM_MMIO, KVM_IOPORT, KVM_MSR };

struct kvm_exits_row {
	u64 key; /* of kvm_exits_add_name() */
	u64 nr, total, min, max; /* ns */
	double mean, squares; /* of the times, and of their differences to the mean */
};

struct kvm_exits;

/* One that took long. */
struct kvm_long {
	u64 time; /* of its end, ns */
	u64 length; /* ns */
	u64 key;
	u32 pid, vcpu;
};

struct kvm_exits_opts {
	enum kvm_what what;
	s64 vcpu; /* -1: all */
	u64 longer; /* on_long is called for those that took longer, ns */
	void (*on_long)(void *ctx, const struct kvm_long *l);
	bool (*on_round)(void *ctx, u64 until); /* see analyze_machine.round */
	void *ctx;
};

/* -1 with *e: a field is missing, or (not in a stream) there are no such events. */
int kvm_exits_new(struct kvm_exits **out, struct session *s, const struct kvm_exits_opts *o,
		  struct err *e);
void kvm_exits_free(struct kvm_exits *k);
int kvm_exits_run(struct kvm_exits *k, struct err *e);
/* In no order. They are k's, until it counts on. */
const struct kvm_exits_row *kvm_exits_rows(struct kvm_exits *k, size_t *nr);
/* From now on only this one counts; -1: all. */
void kvm_exits_choose_vcpu(struct kvm_exits *k, s64 vcpu);
/* Forgets the rows. */
void kvm_exits_begin_lap(struct kvm_exits *k);
/* "cpuid", "0xa0000:W", ...: names of reasons are those of the recorded kernel, where it has none,
 * the number. */
void kvm_exits_add_name(const struct kvm_exits *k, u64 key, struct strbuf *out);
/* By number; a read comes before a write to the same place. */
int kvm_exits_compare_keys(u64 a, u64 b);
/* In percent of the mean: its standard error. */
double kvm_exits_uncertainty(const struct kvm_exits_row *r);

#endif
