/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/features.h"

#include <time.h>

#include "capture/note_id.h"

static bool feature_build_id(struct feature_ctx *ctx, struct strbuf *body)
{
	struct touched *t = ctx->touched;
	size_t before = body->len;

	if (!t)
		return false;
	VEC_FOR(&t->objects, o) {
		struct perf_event_header h = { .misc = o->cpumode };
		const char *name = intern_str(&t->names, o->name);
		size_t padded = ALIGN_UP(strlen(name) + 1, 64);
		u8 id[24] = { 0 };

		if (!o->hit || !o->build_id_size)
			continue;
		h.misc |= PERF_RECORD_MISC_BUILD_ID_SIZE;
		h.size = (u16)(sizeof(h) + 4 + sizeof(id) + padded);
		memcpy(id, o->build_id, o->build_id_size);
		id[20] = o->build_id_size;
		strbuf_add(body, &h, sizeof(h));
		feature_add_u32(body, (u32)-1);
		strbuf_add(body, id, sizeof(id));
		strbuf_adds(body, name);
		strbuf_pad(body, '\0', padded - strlen(name));
	}
	return body->len > before;
}

static bool feature_version(struct feature_ctx *ctx, struct strbuf *body)
{
	feature_add_string(body, ctx->version);
	return true;
}

static bool feature_cmdline(struct feature_ctx *ctx, struct strbuf *body)
{
	u32 n = 0;

	while (ctx->argv[n])
		n++;
	feature_add_u32(body, n);
	for (u32 i = 0; i < n; i++)
		feature_add_string(body, ctx->argv[i]);
	return true;
}

static bool feature_event_desc(struct feature_ctx *ctx, struct strbuf *body)
{
	writer_event_desc(ctx->writer, body);
	/* of no events: what counts without them */
	return bits_u32(body->buf) != 0;
}

static bool feature_branch_stack(struct feature_ctx *ctx, struct strbuf *body UNUSED)
{
	return ctx->cfg->branch != 0;
}

static bool feature_group_desc(struct feature_ctx *ctx, struct strbuf *body)
{
	u32 n = 0;

	VEC_FOR(&ctx->events->events, ev)
		n += (*ev)->leader == *ev && (*ev)->nr_members > 1;
	if (!n)
		return false;
	feature_add_u32(body, n);
	VEC_FOR(&ctx->events->events, ev) {
		if ((*ev)->leader != *ev || (*ev)->nr_members < 2)
			continue;
		feature_add_string(body, (*ev)->group_name ? (*ev)->group_name : "{anon_group}");
		feature_add_u32(body, (*ev)->index);
		feature_add_u32(body, (*ev)->nr_members);
	}
	return true;
}

static bool feature_sample_time(struct feature_ctx *ctx, struct strbuf *body)
{
	feature_add_u64(body, ctx->stats->first_time);
	feature_add_u64(body, ctx->stats->last_time);
	return true;
}

static bool feature_clockid(struct feature_ctx *ctx, struct strbuf *body)
{
	struct timespec ts;

	if (!ctx->cfg->use_clockid || clock_getres(ctx->cfg->clockid, &ts) < 0)
		return false;
	feature_add_u64(body, (u64)ts.tv_sec * 1000000000ULL + (u64)ts.tv_nsec);
	return true;
}

static bool feature_clock_data(struct feature_ctx *ctx, struct strbuf *body)
{
	if (!ctx->cfg->use_clockid)
		return false;
	feature_add_u32(body, 1);
	feature_add_u32(body, (u32)ctx->cfg->clockid);
	feature_add_u64(body, ctx->wall_ns);
	feature_add_u64(body, ctx->clock_ns);
	return true;
}

static bool feature_dir_format(struct feature_ctx *ctx, struct strbuf *body)
{
	enum { DIRECTORY_VERSION = 1 };

	if (ctx->directory)
		feature_add_u64(body, DIRECTORY_VERSION);
	return ctx->directory;
}

enum { COMPRESSED_VERSION = 1, COMPRESSED_ZSTD = 1 };

static bool feature_compressed(struct feature_ctx *ctx, struct strbuf *body)
{
	struct writer_ratio r = ctx->ratio;

	if (!r.level)
		return false;
	feature_add_u32(body, COMPRESSED_VERSION);
	feature_add_u32(body, COMPRESSED_ZSTD);
	feature_add_u32(body, (u32)r.level);
	feature_add_u32(body,
			r.compressed ? (u32)((r.original + r.compressed / 2) / r.compressed) : 0);
	/* what readers must have room for, per record */
	feature_add_u32(body, (u32)MAX(ctx->ring_size, (size_t)WRITER_MAX_SQUEEZED));
	return true;
}

static bool feature_bpf_prog_info(struct feature_ctx *ctx, struct strbuf *body)
{
	bpf_programs_write(ctx->bpf, body);
	return true;
}

static bool feature_bpf_btf(struct feature_ctx *ctx, struct strbuf *body)
{
	bpf_programs_write_types(ctx->bpf, body);
	return true;
}

enum { STACKS_VERSION = 3 };

static bool feature_stacks(struct feature_ctx *ctx, struct strbuf *body)
{
	const struct unwind_stats *s = &ctx->stats->stacks;
	u32 size = s->stacks ? ctx->copy_size : 0, n = 0;

	while (ctx->code_notes && ctx->code_notes[n])
		n++;
	if (!s->stacks && !n)
		return false;
	VEC_FOR(&ctx->events->events, ev)
		size = MAX(size, (*ev)->copies_top ? 0 : (*ev)->attr.sample_stack_user);
	feature_add_u32(body, STACKS_VERSION);
	feature_add_u32(body, size);
	feature_add_u64(body, s->stacks);
	feature_add_u64(body, s->cut);
	feature_add_u64(body, s->full);
	feature_add_u64(body, s->incomplete);
	feature_add_u64(body, s->mended);
	feature_add_u32(body, n);
	for (u32 i = 0; i < n; i++)
		feature_add_string(body, ctx->code_notes[i]);
	feature_add_u64(body, ctx->first_copy_id);
	feature_add_u64(body, ctx->last_copy_id);
	feature_add_u64(body, s->guessed);
	return true;
}

static const struct feature_producer producers[] = {
	{ FEAT_TRACING_DATA, FEATURE_ANY_TIME, feature_tracing_data },
	{ FEAT_BUILD_ID, FEATURE_AT_END, feature_build_id },
	{ FEAT_HOSTNAME, FEATURE_ANY_TIME, feature_hostname },
	{ FEAT_OSRELEASE, FEATURE_ANY_TIME, feature_osrelease },
	{ FEAT_VERSION, FEATURE_ANY_TIME, feature_version },
	{ FEAT_ARCH, FEATURE_ANY_TIME, feature_arch },
	{ FEAT_NRCPUS, FEATURE_ANY_TIME, feature_nrcpus },
	{ FEAT_CPUDESC, FEATURE_ANY_TIME, feature_cpudesc },
	{ FEAT_CPUID, FEATURE_ANY_TIME, feature_cpuid },
	{ FEAT_TOTAL_MEM, FEATURE_ANY_TIME, feature_total_mem },
	{ FEAT_CMDLINE, FEATURE_ANY_TIME, feature_cmdline },
	{ FEAT_EVENT_DESC, FEATURE_ANY_TIME, feature_event_desc },
	{ FEAT_CPU_TOPOLOGY, FEATURE_ANY_TIME, feature_cpu_topology },
	{ FEAT_NUMA_TOPOLOGY, FEATURE_ANY_TIME, feature_numa },
	{ FEAT_BRANCH_STACK, FEATURE_ANY_TIME, feature_branch_stack },
	{ FEAT_PMU_MAPPINGS, FEATURE_ANY_TIME, feature_pmu_mappings },
	{ FEAT_GROUP_DESC, FEATURE_ANY_TIME, feature_group_desc },
	{ FEAT_CACHE, FEATURE_ANY_TIME, feature_cache },
	{ FEAT_SAMPLE_TIME, FEATURE_AT_END, feature_sample_time },
	{ FEAT_MEM_TOPOLOGY, FEATURE_ANY_TIME, feature_mem_topology },
	{ FEAT_CLOCKID, FEATURE_ANY_TIME, feature_clockid },
	{ FEAT_DIR_FORMAT, FEATURE_ANY_TIME, feature_dir_format },
	{ FEAT_BPF_PROG_INFO, FEATURE_ANY_TIME, feature_bpf_prog_info },
	{ FEAT_BPF_BTF, FEATURE_ANY_TIME, feature_bpf_btf },
	{ FEAT_COMPRESSED, FEATURE_ANY_TIME, feature_compressed },
	{ FEAT_CPU_PMU_CAPS, FEATURE_ANY_TIME, feature_cpu_pmu_caps },
	{ FEAT_CLOCK_DATA, FEATURE_ANY_TIME, feature_clock_data },
	{ FEAT_PMU_CAPS, FEATURE_ANY_TIME, feature_pmu_caps },
	{ FEAT_E_MACHINE, FEATURE_ANY_TIME, feature_e_machine },
	{ FEAT_CLN_SIZE, FEATURE_ANY_TIME, feature_cln_size },
	{ FEAT_STACKS, FEATURE_AT_END, feature_stacks },
};

int features_write(struct feature_ctx *ctx, struct perfdata_writer *w, bool at_begin, struct err *e)
{
	struct strbuf body = STRBUF_INIT;
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(producers) && !r; i++) {
		const struct feature_producer *p = &producers[i];

		if (at_begin && p->when == FEATURE_AT_END)
			continue;
		strbuf_reset(&body);
		if (p->produce(ctx, &body))
			r = writer_feature(w, p->feature, body.buf, body.len, e);
	}
	strbuf_release(&body);
	return r;
}
