/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sample says, and its event. */
#include <string.h>

#include "arch/regs.h"
#include "perfdata/data_src_text.h"
#include "perfdata/info.h"
#include "text/print.h"

void text_period(const struct sample_print *x, struct strbuf *out)
{
	if (out->cap < out->len + DIGITS_ROOM + 2)
		strbuf_grow(out, DIGITS_ROOM + 2);
	char *p = digits_put_width(out->buf + out->len, x->r->sample->period, 10);

	memcpy(p, " ", 2);
	out->len = (size_t)(p + 1 - out->buf);
}

void text_event(const struct sample_print *x, struct strbuf *out)
{
	size_t len = x->plan->label_len;

	if (len >= LABEL_ROOM) {
		strbuf_add(out, x->plan->label, len);
		return;
	}
	if (out->cap < out->len + LABEL_ROOM)
		strbuf_grow(out, LABEL_ROOM);
	memcpy(out->buf + out->len, x->plan->label, LABEL_ROOM);
	out->len += len;
}

/* Kinds of branches (call, return) come from decoded hardware traces alone: an empty column. */
void text_flags(const struct sample_print *x UNUSED, struct strbuf *out)
{
	strbuf_pad(out, ' ', 24);
}

static bool print_symbol(void *ctx, u64 addr, bool with_offset, struct strbuf *out)
{
	const struct sample_print *x = ctx;
	struct location loc;

	frames_locate(x->tw->frames, x->w, &x->r->site, PERF_RECORD_MISC_KERNEL, addr, &loc);
	if (loc.sym == SYM_NONE)
		return false;
	frame_add_symbol(out, x->t->dsos, &loc, with_offset ? FORM_SYMOFF : 0);
	return true;
}

bool add_trace(const struct sample_print *x, struct strbuf *out)
{
	const struct tracefmt_print_ctx ctx = { .sym = print_symbol,
						.sym_ctx = (void *)(uintptr_t)x };
	const struct sample *smp = x->r->sample;

	if (!x->plan->format || !smp->raw)
		return false;
	tracefmt_print(x->plan->format, smp->raw, smp->raw_size, &ctx, out);
	return true;
}

/* What out has from `from` on is a part of a line. */
static void keep_in_line(const struct sample_print *x, struct strbuf *out, size_t from)
{
	const char *text = out->buf + from;
	struct strbuf *copy = &x->tw->scratch;
	size_t len = out->len - from;

	if (x->t->o.escape) {
		strbuf_escape(out, from);
		return;
	}
	if (!memchr(text, '\n', len) && !memchr(text, '\r', len))
		return;
	strbuf_reset(copy);
	strbuf_add(copy, text, len);
	out->len = from;
	strbuf_add_one_line(out, copy->buf);
}

void text_trace(const struct sample_print *x, struct strbuf *out)
{
	size_t start = out->len;

	if (add_trace(x, out) && !x->plan->plain_trace)
		keep_in_line(x, out, start);
}

bool sample_addr_has_symbol(const struct perf_event_attr *a)
{
	if (a->type == PERF_TYPE_SOFTWARE)
		return a->config == PERF_COUNT_SW_PAGE_FAULTS ||
		       a->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       a->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS &&
	       a->sample_period == 1;
}

void text_addr(const struct sample_print *x, struct strbuf *out)
{
	u64 addr = x->r->sample->addr;

	strbuf_add_hex_width(out, addr, 16, ' ');
	if (sample_addr_has_symbol(&x->r->event->attr))
		frames_add(x->tw->frames, x->w, &x->r->site, level_of(addr), addr, x->plan->form,
			   out);
}

void text_data_src(const struct sample_print *x, struct strbuf *out)
{
	u64 v = x->r->sample->data_src;
	int *width = &x->t->mem_width;

	strbuf_add_hex_width(out, v, 16, ' ');
	strbuf_addch(out, ' ');
	size_t start = out->len;

	data_src_add_all(out, v);
	int len = (int)(out->len - start);

	if (len < *width)
		strbuf_pad(out, ' ', (size_t)(*width - len));
	else
		*width = len;
}

void text_weight(const struct sample_print *x, struct strbuf *out)
{
	strbuf_add_u64_width(out, x->r->sample->weight, 16, ' ');
}

void text_ins_lat(const struct sample_print *x, struct strbuf *out)
{
	strbuf_add_u64_width(out, x->r->sample->ins_lat, 16, ' ');
}

void text_retire_lat(const struct sample_print *x, struct strbuf *out)
{
	strbuf_add_u64_width(out, x->r->sample->p_stage_cyc, 16, ' ');
}

static void add_regs(const struct sample_print *x, u64 abi, const u64 *regs, u64 mask,
		     struct strbuf *out)
{
	const char *arch = perfdata_info(x->t->file)->arch;
	u64 rest = mask;

	if (!regs)
		return;
	strbuf_addf(out, " ABI:%llu ", (unsigned long long)abi);
	for (size_t i = 0; rest; i++, rest &= rest - 1) {
		unsigned int reg = (unsigned int)__builtin_ctzll(rest);

		strbuf_add_aligned(out, arch_reg_name(arch, reg), 5);
		strbuf_adds(out, ":0x");
		strbuf_add_hex(out, regs[i]);
		strbuf_addch(out, ' ');
	}
}

void text_intr_regs(const struct sample_print *x, struct strbuf *out)
{
	const struct sample *smp = x->r->sample;

	add_regs(x, smp->intr_abi, smp->intr_regs, x->r->event->layout.regs_intr, out);
}

void text_user_regs(const struct sample_print *x, struct strbuf *out)
{
	const struct sample *smp = x->r->sample;

	add_regs(x, smp->user_abi, smp->user_regs, x->r->event->layout.regs_user, out);
}

/* Latin-1 letters count as characters, as in the kernel's tables; not on a terminal. */
static bool is_character(const struct sample_text *t, u8 c)
{
	return (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && !t->o.escape);
}

/* bpf-output: 8 bytes a line, in hexadecimal and as characters; then the text, if it is one. */
static void add_bpf_output(const struct sample_text *t, const u8 *raw, u32 size, struct strbuf *out)
{
	enum { PER_LINE = 8 };
	u32 text = 0;

	for (u32 at = 0; at < size; at += PER_LINE) {
		strbuf_addf(out, "%s%04x:", at ? "                  " : "\n      BPF output: ", at);
		for (u32 i = at; i < at + PER_LINE; i++) {
			if (i < size)
				strbuf_addf(out, " %02x", raw[i]);
			else
				strbuf_pad(out, ' ', 3);
		}
		strbuf_pad(out, ' ', 2);
		for (u32 i = at; i < at + PER_LINE; i++)
			strbuf_addch(out, i >= size                 ? ' '
					  : is_character(t, raw[i]) ? (char)raw[i]
								    : '.');
		strbuf_addch(out, '\n');
	}
	while (text < size && is_character(t, raw[text]))
		text++;
	bool is_text = text && text < size;

	for (u32 i = text; i < size && is_text; i++)
		is_text = !raw[i];
	if (is_text) {
		strbuf_adds(out, "      BPF string: \"");
		strbuf_add(out, raw, text);
		strbuf_adds(out, "\"\n");
	}
}

void text_bpf_output(const struct sample_print *x, struct strbuf *out)
{
	const struct perf_event_attr *a = &x->r->event->attr;
	const struct sample *smp = x->r->sample;

	if (a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_BPF_OUTPUT && smp->raw)
		add_bpf_output(x->t, smp->raw, smp->raw_size, out);
}

void text_phys_addr(const struct sample_print *x, struct strbuf *out)
{
	strbuf_add_hex_width(out, x->r->sample->phys_addr, 16, ' ');
}

static void add_page_size(u64 size, struct strbuf *out)
{
	static const char units[] = "BKMGTPE";
	size_t unit = 0;

	strbuf_addch(out, ' ');
	if (!size) {
		strbuf_adds(out, "N/A");
		return;
	}
	for (; size >= 1024 && unit + 2 < sizeof(units); size /= 1024)
		unit++;
	strbuf_add_u64(out, size);
	strbuf_addch(out, units[unit]);
}

void text_data_page_size(const struct sample_print *x, struct strbuf *out)
{
	add_page_size(x->r->sample->data_page_size, out);
}

void text_code_page_size(const struct sample_print *x, struct strbuf *out)
{
	add_page_size(x->r->sample->code_page_size, out);
}

void text_cgroup(const struct sample_print *x, struct strbuf *out)
{
	const char *name = model_cgroup(x->t->model, x->r->sample->cgroup);

	strbuf_addch(out, ' ');
	strbuf_adds(out, name ? name : "unknown");
}
