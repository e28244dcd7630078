/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/records: building the records that describe what existed before recording began, byte for
 * byte as the kernel would have written them. Pure: bytes into a strbuf.
 *
 * Every kernel-type record ends with a sample_id trailer of zero bytes (time 0 = before
 * everything); its size follows from the events' sample_type. Names are cut to PATH_MAX. Format:
 * doc/format/perf.data.md, perf_event_open(2).
 */
#ifndef CAPTURE_RECORDS_H
#define CAPTURE_RECORDS_H

#include "abi/perf_event.h"
#include "base/strbuf.h"
#include "perfdata/record.h"

struct records {
	struct strbuf out;
	size_t last; /* where the latest record begins in out */
	size_t trailer; /* bytes of the sample_id trailer */
};

/* Bytes of the trailer for this sample_type. */
size_t records_trailer_size(u64 sample_type);

struct records_map {
	s32 pid, tid;
	u64 addr, len, pgoff;
	u32 maj, min, prot, flags; /* flags: MAP_SHARED / MAP_PRIVATE */
	u64 ino;
	bool data; /* not executable */
	u16 cpumode;
	const u8 *build_id; /* NULL = none: device and inode are written */
	u8 build_id_size;
	const char *name;
};

void records_mmap(struct records *r, const struct records_map *m);
void records_mmap2(struct records *r, const struct records_map *m);
/* The latest record is an MMAP or MMAP2 after which others are missing. */
void records_mark_timeout(struct records *r);
void records_comm(struct records *r, s32 pid, s32 tid, const char *comm);
void records_fork(struct records *r, s32 pid, s32 ppid, s32 tid, s32 ptid);
struct records_ns {
	u64 dev, ino;
};
void records_namespaces(struct records *r, s32 pid, s32 tid, const struct records_ns *ns, u64 nr);
void records_cgroup(struct records *r, u64 id, const char *path);
void records_ksymbol(struct records *r, u64 addr, u32 len, u16 type, const char *name);
void records_bpf_event(struct records *r, u32 id, const u8 tag[8]);

/* Tool records, without trailer. */
struct records_id {
	u64 id, idx, cpu, tid;
};
void records_id_index(struct records *r, const struct records_id *ids, size_t nr);
void records_thread_map(struct records *r, const s32 *pids, const char (*comms)[16], size_t nr);
void records_cpu_map(struct records *r, const u32 *cpus, size_t nr);
void records_event_update_text(struct records *r, enum event_update what, u64 id, const char *text);
void records_event_update_scale(struct records *r, u64 id, double scale);
void records_event_update_cpus(struct records *r, u64 id, const u32 *cpus, size_t nr);
/* What the trace in AUX areas is. */
void records_auxtrace_info(struct records *r, u32 type, const struct strbuf *words);
void records_time_conv(struct records *r, const struct perf_event_mmap_page *page);
void records_empty(struct records *r, u32 type); /* FINISHED_ROUND, FINISHED_INIT */
/* Of perf stat record; aggregation in the file's numbering, interval in ms (0 = none). */
void records_stat_config(struct records *r, u64 aggregation, bool scale, u64 interval);
struct records_stat {
	u64 id;
	u32 cpu, thread; /* cpu (u32)-1 = any; thread: index into the THREAD_MAP */
	u64 value, enabled, running;
};
void records_stat(struct records *r, const struct records_stat *v);
/* The values before it belong together. time: ns since the start; final: nothing follows. */
void records_stat_round(struct records *r, bool final, u64 time);
/* LOST_SAMPLES of one event: the trailer carries its id (sample_type has ID or IDENTIFIER). misc:
 * PERF_RECORD_MISC_LOST_SAMPLES_BPF when a filter has dropped them, 0 when there was no room. */
void records_lost_samples(struct records *r, u16 misc, u64 sample_type, u64 id, u64 lost);

#endif
