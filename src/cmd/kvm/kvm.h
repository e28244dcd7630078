/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kvm: options of perf kvm, and what its files have in common. The state machine is
 * analyze/kvm_exits. */
#ifndef CMD_KVM_KVM_H
#define CMD_KVM_KVM_H

#include "analyze/kvm_exits.h"
#include "cli/command.h"
#include "recording/recording.h"
#include "render/rows.h"

enum { KVM_FAILED = 255 };

typedef int (*kvm_compare)(const struct kvm_exits_row *a, const struct kvm_exits_row *b);

struct kvm_opts {
	struct recording rec;
	const char *output; /* -o in front of the word */
	bool host, guest;
	/* stat */
	enum kvm_what what;
	kvm_compare by; /* NULL: by number */
	int vcpu; /* -1: all */
	bool stdio, json;
	const char *separator; /* -x */
	/* stat live */
	bool system_wide; /* rec.pids, rec.tids and cpus: of what is recorded */
	const char *cpus;
	int delay, laps, pages; /* s; 0: as it goes */
	u64 duration; /* us, of --duration */
	bool long_ones; /* --duration was given */
};

/* options.c; The file that perf kvm reads and writes when none is named. */
const char *kvm_file(const struct kvm_opts *o);
extern const char *const kvm_report_usage[], *const kvm_live_usage[];
extern const struct opt kvm_report_table[], kvm_live_table[];
/* What rows are sorted by, as -k calls it; the next of its words. */
const char *kvm_key_name(const struct kvm_opts *o);
void kvm_next_key(struct kvm_opts *o);
/* report.c: the table of what was counted so far; its rows get into another order. */
void kvm_add_table(struct strbuf *out, const struct kvm_opts *o, struct kvm_exits *k);
/* All of them: what the command returns. */
int kvm_report_main(struct kvm_opts *o);
int kvm_live_main(const struct config *config, struct kvm_opts *o, const char *const *line);

#endif
