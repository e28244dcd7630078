/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields as members of an object: doc/json.md. Keys are the names of fields; addresses, and
 * whatever else may need all 64 bits, are strings ("0x12").
 */
#include "arch/regs.h"
#include "perfdata/data_src_text.h"
#include "perfdata/info.h"
#include "text/print.h"

enum { NS_DIGITS = 9 };

/* ------------------------------------------------------------------ task, CPU, time */

void json_machine_pid(const struct sample_print *x, struct json *j)
{
	const struct machine_id *m = machines_find(&x->t->machines, x->r->sample->id);

	if (m)
		json_s64(j, "machine_pid", m->pid);
}

void json_vcpu(const struct sample_print *x, struct json *j)
{
	const struct machine_id *m = machines_find(&x->t->machines, x->r->sample->id);

	if (m)
		json_s64(j, "vcpu", m->vcpu);
}

void json_comm(const struct sample_print *x, struct json *j)
{
	json_string(j, "comm", comm_of(x));
}

void json_pid(const struct sample_print *x, struct json *j)
{
	json_s64(j, "pid", (s32)x->r->sample->pid);
}

void json_tid(const struct sample_print *x, struct json *j)
{
	json_s64(j, "tid", (s32)x->r->sample->tid);
}

void json_cpu(const struct sample_print *x, struct json *j)
{
	json_s64(j, "cpu", (s32)x->r->sample->cpu);
}

void json_misc(const struct sample_print *x, struct json *j)
{
	struct strbuf *text = &x->tw->scratch;

	strbuf_reset(text);
	add_misc(x->r->h, text);
	json_string(j, "misc", text->buf);
}

void json_time_of_day(const struct sample_print *x, struct json *j)
{
	json_decimal(j, "tod", x->r->time + (u64)x->t->clock_offset, NS_DIGITS);
}

void json_time(const struct sample_print *x, struct json *j)
{
	json_decimal(j, "time", shown_time(x), NS_DIGITS);
}

/* ------------------------------------------------------------------ values */

void json_period(const struct sample_print *x, struct json *j)
{
	json_u64(j, "period", x->r->sample->period);
}

void json_event(const struct sample_print *x, struct json *j)
{
	json_string(j, "event", x->r->event->name);
}

/* A field of a tracepoint; nothing where it does not lie in the sample. */
static void json_trace_field(const struct sample_print *x, const struct tracefmt_field *f,
			     struct json *j)
{
	const struct sample *smp = x->r->sample;
	struct strbuf *text = &x->tw->scratch;
	const char *data;
	size_t len;
	u64 v;

	if (f->flags & TRACEFMT_STRING) {
		if (!tracefmt_bytes(f, smp->raw, smp->raw_size, &data, &len))
			return;
		strbuf_reset(text);
		strbuf_add(text, data, strnlen(data, len));
		json_string(j, f->name, text->buf);
	} else if (f->flags & (TRACEFMT_ARRAY | TRACEFMT_DYNAMIC | TRACEFMT_REL_DYNAMIC)) {
		strbuf_reset(text);
		tracefmt_print_field(x->plan->format, f, smp->raw, smp->raw_size, text);
		json_string(j, f->name, text->buf);
	} else if (tracefmt_u64(f, smp->raw, smp->raw_size, &v)) {
		if (f->flags & TRACEFMT_POINTER)
			json_hex(j, f->name, v);
		else if (f->flags & TRACEFMT_SIGNED)
			json_s64(j, f->name, (s64)v);
		else
			json_u64(j, f->name, v);
	}
}

void json_trace(const struct sample_print *x, struct json *j)
{
	const struct tracefmt *format = x->plan->format;
	struct strbuf *text = &x->tw->scratch;

	strbuf_reset(text);
	if (!add_trace(x, text))
		return;
	json_string(j, "trace", text->buf);
	json_object(j, "args", JSON_TIGHT);
	for (size_t i = 0; i < tracefmt_nr_fields(format); i++)
		if (!(tracefmt_field(format, i)->flags & TRACEFMT_COMMON))
			json_trace_field(x, tracefmt_field(format, i), j);
	json_end(j);
}

void json_addr(const struct sample_print *x, struct json *j)
{
	u64 addr = x->r->sample->addr;

	json_hex(j, "addr", addr);
	if (sample_addr_has_symbol(&x->r->event->attr))
		frames_add_json(x->tw->frames, x->w, &x->r->site, level_of(addr), addr,
				x->plan->form, "target", j);
}

void json_data_src(const struct sample_print *x, struct json *j)
{
	struct strbuf *text = &x->tw->scratch;

	strbuf_reset(text);
	data_src_add_all(text, x->r->sample->data_src);
	json_object(j, "data_src", JSON_TIGHT);
	json_hex(j, "value", x->r->sample->data_src);
	json_string(j, "text", text->buf);
	json_end(j);
}

void json_weight(const struct sample_print *x, struct json *j)
{
	json_u64(j, "weight", x->r->sample->weight);
}

void json_ins_lat(const struct sample_print *x, struct json *j)
{
	json_u64(j, "ins_lat", x->r->sample->ins_lat);
}

void json_retire_lat(const struct sample_print *x, struct json *j)
{
	json_u64(j, "retire_lat", x->r->sample->p_stage_cyc);
}

static void json_regs(const struct sample_print *x, const char *key, u64 abi, const u64 *regs,
		      u64 mask, struct json *j)
{
	const char *arch = perfdata_info(x->t->file)->arch;

	if (!regs)
		return;
	json_object(j, key, JSON_TIGHT);
	json_u64(j, "abi", abi);
	for (; mask; regs++, mask &= mask - 1)
		json_hex(j, arch_reg_name(arch, (unsigned int)__builtin_ctzll(mask)), *regs);
	json_end(j);
}

void json_intr_regs(const struct sample_print *x, struct json *j)
{
	const struct sample *smp = x->r->sample;

	json_regs(x, "iregs", smp->intr_abi, smp->intr_regs, x->r->event->layout.regs_intr, j);
}

void json_user_regs(const struct sample_print *x, struct json *j)
{
	const struct sample *smp = x->r->sample;

	json_regs(x, "uregs", smp->user_abi, smp->user_regs, x->r->event->layout.regs_user, j);
}

void json_bytes(const struct sample_print *x, const char *key, const u8 *p, size_t n,
		struct json *j)
{
	struct strbuf *text = &x->tw->scratch;

	strbuf_reset(text);
	for (size_t i = 0; i < n; i++) {
		if (i)
			strbuf_addch(text, ' ');
		strbuf_add_hex_width(text, p[i], 2, '0');
	}
	json_string(j, key, text->buf);
}

void json_bpf_output(const struct sample_print *x, struct json *j)
{
	const struct perf_event_attr *a = &x->r->event->attr;
	const struct sample *smp = x->r->sample;

	if (a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_BPF_OUTPUT && smp->raw)
		json_bytes(x, "bpf-output", smp->raw, smp->raw_size, j);
}

void json_phys_addr(const struct sample_print *x, struct json *j)
{
	json_hex(j, "phys_addr", x->r->sample->phys_addr);
}

void json_data_page_size(const struct sample_print *x, struct json *j)
{
	json_u64(j, "data_page_size", x->r->sample->data_page_size);
}

void json_code_page_size(const struct sample_print *x, struct json *j)
{
	json_u64(j, "code_page_size", x->r->sample->code_page_size);
}

void json_cgroup(const struct sample_print *x, struct json *j)
{
	json_string(j, "cgroup", model_cgroup(x->t->model, x->r->sample->cgroup));
}

/* ------------------------------------------------------------------ code */

void json_code(const struct sample_print *x, struct json *j)
{
	const struct sample *smp = x->r->sample;

	if (!x->plan->chain || !smp->chain) {
		frames_add_json(x->tw->frames, x->w, &x->r->site, smp->cpumode, smp->ip,
				x->plan->form, "at", j);
		return;
	}
	chains_add_json(x->tw->chains, x->w, x->r,
			x->plan->form | (x->plan->inlines ? FORM_INLINE : 0), j);
	if (chains_is_cut(x->tw->chains, smp))
		json_bool(j, "cut", true);
	/* in place of the user part that stands in a record of its own */
	if (smp->deferred)
		json_hex(j, "cookie", smp->chain[smp->nr_chain + 1]);
}

/* Of the sample's own address, whatever the thread showed last. */
void json_source_code(const struct sample_print *x, struct json *j)
{
	struct strbuf *text = &x->tw->scratch;
	struct source_line l;
	struct location loc;

	locate_ip(x, &loc);
	if (!source_code_find(x->t->source_code, x->t->dsos, &loc, &l))
		return;
	strbuf_reset(text);
	strbuf_add(text, l.text, l.len);
	json_object(j, "srccode", JSON_TIGHT);
	json_string(j, "file", l.path);
	json_u64(j, "line", l.line);
	json_string(j, "text", text->buf);
	json_end(j);
}

void json_branch_flags(u64 flags, struct json *j)
{
	static const struct {
		u64 flag;
		const char *key;
	} keys[] = {
		{ PERF_BR_MISPRED, "mispredicted" },
		{ PERF_BR_PREDICTED, "predicted" },
		{ PERF_BR_IN_TX, "in_tx" },
		{ PERF_BR_ABORT, "abort" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (flags & keys[i].flag)
			json_bool(j, keys[i].key, true);
	json_u64(j, "cycles", flags >> 4 & 0xffff);
	if (*branch_type(flags))
		json_string(j, "type", branch_type(flags));
}

static void json_branch(const struct sample_print *x, const u64 *b, struct json *j)
{
	/* brstacksym asks for symbols whatever is shown of other addresses */
	unsigned int form = x->plan->form & ~(unsigned int)FORM_SRCLINE;

	form |= HAS(x, BRSTACKSYM) ? FORM_SYM | FORM_SYMOFF : 0;
	form |= HAS(x, BRSTACKOFF) ? FORM_DSOFF : 0;
	json_object(j, NULL, JSON_TIGHT);
	frames_add_json(x->tw->frames, x->w, &x->r->site, level_of(b[0]), b[0], form, "from", j);
	frames_add_json(x->tw->frames, x->w, &x->r->site, level_of(b[1]), b[1], form, "to", j);
	json_branch_flags(b[2], j);
	json_end(j);
}

void json_branches(const struct sample_print *x, struct json *j)
{
	const struct sample *smp = x->r->sample;

	if (!smp->branch)
		return;
	json_array(j, "brstack", JSON_TIGHT);
	for (u64 i = 0; i < smp->nr_branch; i++)
		json_branch(x, smp->branch + 3 * i, j);
	json_end(j);
}

void json_insn(const struct sample_print *x, struct json *j)
{
	u8 bytes[INSN_MAX];
	struct location loc;

	locate_ip(x, &loc);
	size_t n = insns_read(x->tw->insns, x->t->dsos, &loc, bytes);

	if (n && HAS(x, INSN))
		json_bytes(x, "insn", bytes, n, j);
	if (n && HAS(x, INSNLEN))
		json_u64(j, "insnlen", n);
}
