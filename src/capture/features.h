/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/features: the header features: what a reader wants to know about the machine and the
 * recording. One producer per feature in a const table; a producer that has nothing to say leaves
 * its feature out. One thread.
 *
 * Bodies: doc/format/perf.data.md. Numbers come from sysfs and procfs through sys/.
 */
#ifndef CAPTURE_FEATURES_H
#define CAPTURE_FEATURES_H

#include "capture/bpf_programs.h"
#include "capture/config.h"
#include "capture/drain.h"
#include "capture/touched.h"
#include "perfdata/writer.h"
#include "sys/cpu.h"

struct feature_ctx {
	const struct capture_config *cfg;
	const struct event_list *events;
	const struct perfdata_writer *writer;
	const struct drain_stats *stats;
	const struct bpf_programs *bpf; /* asked for already */
	struct touched *touched; /* resolved; NULL = no build ids */
	const char *version; /* of this program */
	const char *const *argv; /* the command line, NULL at the end */
	bool directory; /* the samples are in files of their own */
	struct writer_ratio ratio; /* of compression, of all files */
	size_t ring_size; /* bytes of each ring */
	const char *const
		*code_notes; /* what --call-graph auto found, NULL at the end; NULL = nothing */
	u32 copy_size; /* of stacks, beside those that attributes tell */
	u64 first_copy_id, last_copy_id; /* of samples with these, 0 = none */
	u64 clock_ns, wall_ns; /* both clocks at one moment, for -k */
	struct sys_topology topology;
};

/* When a feature can be written to a stream, whose reader sees it before the data. */
enum feature_when { FEATURE_ANY_TIME, FEATURE_AT_END };

struct feature_producer {
	enum perfdata_feature feature;
	enum feature_when when;
	/* false = leave it out; the body may stay empty (flag features) */
	bool (*produce)(struct feature_ctx *ctx, struct strbuf *body);
};

/* Hand every feature to the writer; at_begin: only those that need no data (streams). */
int features_write(struct feature_ctx *ctx, struct perfdata_writer *w, bool at_begin,
		   struct err *e);

/* Producers by subject. */
bool feature_hostname(struct feature_ctx *ctx, struct strbuf *body);
bool feature_osrelease(struct feature_ctx *ctx, struct strbuf *body);
bool feature_arch(struct feature_ctx *ctx, struct strbuf *body);
bool feature_nrcpus(struct feature_ctx *ctx, struct strbuf *body);
bool feature_cpudesc(struct feature_ctx *ctx, struct strbuf *body);
bool feature_cpuid(struct feature_ctx *ctx, struct strbuf *body);
bool feature_total_mem(struct feature_ctx *ctx, struct strbuf *body);
bool feature_cpu_topology(struct feature_ctx *ctx, struct strbuf *body);
bool feature_numa(struct feature_ctx *ctx, struct strbuf *body);
bool feature_cache(struct feature_ctx *ctx, struct strbuf *body);
bool feature_e_machine(struct feature_ctx *ctx, struct strbuf *body);
bool feature_cln_size(struct feature_ctx *ctx, struct strbuf *body);
bool feature_mem_topology(struct feature_ctx *ctx, struct strbuf *body);
bool feature_pmu_mappings(struct feature_ctx *ctx, struct strbuf *body);
bool feature_cpu_pmu_caps(struct feature_ctx *ctx, struct strbuf *body);
bool feature_pmu_caps(struct feature_ctx *ctx, struct strbuf *body);
bool feature_tracing_data(struct feature_ctx *ctx, struct strbuf *body);

#endif
