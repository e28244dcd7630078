/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
#include "perfdata/attr_text.h"

#include "base/mem.h"

struct bit_name {
	u64 bit;
	const char *name;
};

/* In the order that perf prints them. */
static const struct bit_name sample_bits[] = {
	{ PERF_SAMPLE_IP, "IP" },
	{ PERF_SAMPLE_TID, "TID" },
	{ PERF_SAMPLE_TIME, "TIME" },
	{ PERF_SAMPLE_ADDR, "ADDR" },
	{ PERF_SAMPLE_READ, "READ" },
	{ PERF_SAMPLE_CALLCHAIN, "CALLCHAIN" },
	{ PERF_SAMPLE_ID, "ID" },
	{ PERF_SAMPLE_CPU, "CPU" },
	{ PERF_SAMPLE_PERIOD, "PERIOD" },
	{ PERF_SAMPLE_STREAM_ID, "STREAM_ID" },
	{ PERF_SAMPLE_RAW, "RAW" },
	{ PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ PERF_SAMPLE_REGS_USER, "REGS_USER" },
	{ PERF_SAMPLE_STACK_USER, "STACK_USER" },
	{ PERF_SAMPLE_IDENTIFIER, "IDENTIFIER" },
	{ PERF_SAMPLE_REGS_INTR, "REGS_INTR" },
	{ PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ PERF_SAMPLE_WEIGHT, "WEIGHT" },
	{ PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ PERF_SAMPLE_AUX, "AUX" },
	{ PERF_SAMPLE_CGROUP, "CGROUP" },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
};

static const struct bit_name branch_bits[] = {
	{ PERF_SAMPLE_BRANCH_USER, "USER" },
	{ PERF_SAMPLE_BRANCH_KERNEL, "KERNEL" },
	{ PERF_SAMPLE_BRANCH_HV, "HV" },
	{ PERF_SAMPLE_BRANCH_ANY, "ANY" },
	{ PERF_SAMPLE_BRANCH_ANY_CALL, "ANY_CALL" },
	{ PERF_SAMPLE_BRANCH_ANY_RETURN, "ANY_RETURN" },
	{ PERF_SAMPLE_BRANCH_IND_CALL, "IND_CALL" },
	{ PERF_SAMPLE_BRANCH_ABORT_TX, "ABORT_TX" },
	{ PERF_SAMPLE_BRANCH_IN_TX, "IN_TX" },
	{ PERF_SAMPLE_BRANCH_NO_TX, "NO_TX" },
	{ PERF_SAMPLE_BRANCH_COND, "COND" },
	{ PERF_SAMPLE_BRANCH_CALL_STACK, "CALL_STACK" },
	{ PERF_SAMPLE_BRANCH_IND_JUMP, "IND_JUMP" },
	{ PERF_SAMPLE_BRANCH_CALL, "CALL" },
	{ PERF_SAMPLE_BRANCH_NO_FLAGS, "NO_FLAGS" },
	{ PERF_SAMPLE_BRANCH_NO_CYCLES, "NO_CYCLES" },
	{ PERF_SAMPLE_BRANCH_TYPE_SAVE, "TYPE_SAVE" },
	{ PERF_SAMPLE_BRANCH_HW_INDEX, "HW_INDEX" },
	{ PERF_SAMPLE_BRANCH_PRIV_SAVE, "PRIV_SAVE" },
	{ PERF_SAMPLE_BRANCH_COUNTERS, "COUNTERS" },
};

static const struct bit_name read_bits[] = {
	{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
	{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
	{ PERF_FORMAT_ID, "ID" },
	{ PERF_FORMAT_GROUP, "GROUP" },
	{ PERF_FORMAT_LOST, "LOST" },
};

/* By bit of attr.flags; precise_ip takes two. */
static const char *const flag_names[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
	"exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
	"task", "watermark", "precise_ip", NULL, "mmap_data", "sample_id_all", "exclude_host",
	"exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2",
	"comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces", "ksymbol",
	"bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap", "defer_callchain", "defer_output",
};

enum { PRECISE_BIT = 15 };

static void add_bits(struct strbuf *out, u64 v, const struct bit_name *names, size_t nr)
{
	bool first = true;

	for (size_t i = 0; i < nr; i++) {
		if (!(v & names[i].bit))
			continue;
		if (!first)
			strbuf_addch(out, '|');
		strbuf_adds(out, names[i].name);
		first = false;
	}
}

/* Names of the bits of a word, "IP|TID"; nothing for bits that perf does not name. */
static void attr_text_sample_type(struct strbuf *out, u64 sample_type)
{
	add_bits(out, sample_type, sample_bits, ARRAY_SIZE(sample_bits));
}

static void attr_text_branch_type(struct strbuf *out, u64 branch_sample_type)
{
	add_bits(out, branch_sample_type, branch_bits, ARRAY_SIZE(branch_bits));
}

static void attr_text_read_format(struct strbuf *out, u64 read_format)
{
	add_bits(out, read_format, read_bits, ARRAY_SIZE(read_bits));
}

struct visit {
	attr_text_fn fn;
	void *ctx;
	struct strbuf value;
};

static void give(struct visit *v, const char *name)
{
	v->fn(v->ctx, name, v->value.buf);
	strbuf_reset(&v->value);
}

static void dec(struct visit *v, const char *name, u64 value)
{
	if (!value)
		return;
	strbuf_add_u64(&v->value, value);
	give(v, name);
}

static void hex(struct visit *v, const char *name, u64 value)
{
	if (!value)
		return;
	strbuf_adds(&v->value, "0x");
	strbuf_add_hex(&v->value, value);
	give(v, name);
}

static void each_flag(struct visit *v, const struct perf_event_attr *a)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(flag_names); i++) {
		if (!flag_names[i])
			continue;
		dec(v, flag_names[i], i == PRECISE_BIT ? a->precise_ip : a->flags >> i & 1);
	}
}

/* One call per shown field, in perf's order; the strings live as long as the call. */
static void attr_text_each(const struct perf_event_attr *a, attr_text_fn fn, void *ctx)
{
	struct visit v = { .fn = fn, .ctx = ctx, .value = STRBUF_INIT };

	dec(&v, "type", a->type);
	strbuf_add_u64(&v.value, a->size);
	give(&v, "size");
	hex(&v, "config", a->config);
	dec(&v, "{ sample_period, sample_freq }", a->sample_period);
	if (a->sample_type) {
		attr_text_sample_type(&v.value, a->sample_type);
		give(&v, "sample_type");
	}
	if (a->read_format) {
		attr_text_read_format(&v.value, a->read_format);
		give(&v, "read_format");
	}
	each_flag(&v, a);
	dec(&v, "{ wakeup_events, wakeup_watermark }", a->wakeup_events);
	dec(&v, "bp_type", a->bp_type);
	hex(&v, "{ bp_addr, config1 }", a->config1);
	hex(&v, "{ bp_len, config2 }", a->config2);
	if (a->branch_sample_type) {
		attr_text_branch_type(&v.value, a->branch_sample_type);
		give(&v, "branch_sample_type");
	}
	hex(&v, "sample_regs_user", a->sample_regs_user);
	dec(&v, "sample_stack_user", a->sample_stack_user);
	if (a->clockid) {
		strbuf_addf(&v.value, "%d", a->clockid);
		give(&v, "clockid");
	}
	hex(&v, "sample_regs_intr", a->sample_regs_intr);
	dec(&v, "aux_watermark", a->aux_watermark);
	dec(&v, "sample_max_stack", a->sample_max_stack);
	dec(&v, "aux_sample_size", a->aux_sample_size);
	dec(&v, "sig_data", a->sig_data);
	dec(&v, "aux_start_paused", a->aux_action & 1);
	dec(&v, "aux_pause", a->aux_action >> 1 & 1);
	dec(&v, "aux_resume", a->aux_action >> 2 & 1);
	hex(&v, "config3", a->config3);
	hex(&v, "config4", a->config4);
	strbuf_release(&v.value);
}

struct attr_line {
	struct strbuf *out;
	const char *sep;
	bool more;
};

static void line_field(void *ctx, const char *name, const char *value)
{
	struct attr_line *l = ctx;

	if (l->more)
		strbuf_adds(l->out, ", ");
	strbuf_adds(l->out, name);
	strbuf_adds(l->out, l->sep);
	strbuf_adds(l->out, value);
	l->more = true;
}

void attr_text_line(struct strbuf *out, const struct perf_event_attr *attr, const char *sep)
{
	struct attr_line l = { .out = out, .sep = sep };

	attr_text_each(attr, line_field, &l);
}

static void block_field(void *ctx, const char *name, const char *value)
{
	struct strbuf *out = ctx;

	strbuf_adds(out, "  ");
	strbuf_add_aligned(out, name, -32);
	strbuf_addch(out, ' ');
	strbuf_adds(out, value);
	strbuf_addch(out, '\n');
}

void attr_text_block(struct strbuf *out, const struct perf_event_attr *attr)
{
	attr_text_each(attr, block_field, out);
}
