/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/synth: describes what exists before recording starts: the kernel and its modules, BPF
 * programs, cgroups, tasks with their names, namespaces and maps. Records go to a sink as they are
 * made, so memory stays small with many thousand tasks. One thread.
 *
 * Sources: proc(5), bpf(2), Documentation/ABI/testing/procfs-*; record formats as in
 * capture/records.h.
 */
#ifndef CAPTURE_SYNTH_H
#define CAPTURE_SYNTH_H

#include "base/err.h"
#include "base/map.h"
#include "capture/bpf_programs.h"
#include "capture/note_id.h"
#include "capture/config.h"
#include "capture/records.h"
#include "capture/target.h"

struct synth_file {
	u64 ino;
	u32 maj, min;
	struct note_id id;
};

struct synth {
	const struct capture_config *cfg;
	struct records rec;
	/* Takes rec.out's bytes, whole records; the buffer is empty afterwards. */
	int (*flush)(void *ctx, const void *data, size_t len, struct err *e);
	void *ctx;
	struct sys_proc proc;
	bool workload_runs; /* it and its children are described as they are now */
	bool data_maps; /* maps that are not executable too */
	VEC(struct synth_file) files;
	struct map file_map;
	u64 timed_out; /* processes whose maps are not all there */
	bool kernel_hidden; /* kallsyms shows no addresses */
};

bool synth_init(struct synth *s, const struct capture_config *cfg, size_t trailer, bool data_maps);
void synth_release(struct synth *s);

int synth_kernel(struct synth *s, struct err *e);
int synth_modules(struct synth *s, struct err *e);
/* What bpf keeps of the programs that are loaded. */
int synth_bpf(struct synth *s, struct bpf_programs *bpf, struct err *e);
int synth_cgroups(struct synth *s, struct err *e);
/* CPU-wide: every task; else those of the target (a workload that does not run yet: its name). */
int synth_tasks(struct synth *s, const struct capture_target *t, struct err *e);
int synth_flush(struct synth *s, struct err *e);

#endif
