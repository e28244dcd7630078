/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One sample as text: the columns in front, then what belongs to the event's type, then its code
 * address or stack. Runs on workers; no printf on the way of an ordinary sample.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arch/regs.h"
#include "base/digits.h"
#include "base/fmt.h"
#include "base/hash.h"
#include "cmd/script/script.h"
#include "perfdata/data_src_text.h"
#include "perfdata/info.h"

#define HAS(p, f) ((p)->fields & FIELD_BIT(f))

#define TASK_FIELDS (FIELD_BIT(COMM) | FIELD_BIT(PID) | FIELD_BIT(TID) | FIELD_BIT(CPU))
/* What few samples have. */
#define DATA_FIELDS                                                                                \
	(FIELD_BIT(ADDR) | FIELD_BIT(DATA_SRC) | FIELD_BIT(WEIGHT) | FIELD_BIT(INS_LAT) |          \
	 FIELD_BIT(RETIRE_LAT))
#define REST_FIELDS                                                                                \
	(FIELD_BIT(IREGS) | FIELD_BIT(UREGS) | FIELD_BIT(BRSTACK) | FIELD_BIT(BRSTACKSYM) |        \
	 FIELD_BIT(BRSTACKOFF) | FIELD_BIT(BRSTACKINSN) | FIELD_BIT(BRSTACKINSNLEN) |              \
	 FIELD_BIT(BPF_OUTPUT) | FIELD_BIT(INSN) | FIELD_BIT(INSNLEN) | FIELD_BIT(PHYS_ADDR) |     \
	 FIELD_BIT(DATA_PAGE_SIZE) | FIELD_BIT(CODE_PAGE_SIZE) | FIELD_BIT(CGROUP))

enum {
	NS_PER_SEC = 1000000000,
};

/* ------------------------------------------------------------------ columns in front */

/* A name from the recording. */
static void add_foreign(const struct script *s, struct strbuf *out, const char *name)
{
	if (s->terminal)
		strbuf_add_escaped(out, name);
	else
		strbuf_add_one_line(out, name);
}

static void add_name(const struct script *s, const char *name, bool aligned, struct strbuf *out)
{
	if (s->o.latency) {
		char cut[9] = { 0 };

		strncpy(cut, name, 8);
		strbuf_add_aligned(out, cut, 8);
	} else {
		strbuf_add_aligned(out, name, aligned ? 16 : 0);
	}
	strbuf_addch(out, ' ');
}

static void add_comm(struct script *s, struct script_worker *sw, bool aligned,
		     const struct session_record *r, u32 tid, struct strbuf *out)
{
	struct strbuf *name = &sw->scratch;
	const char *comm = r->site.comm ? model_str(s->model, r->site.comm) : NULL;

	strbuf_reset(name);
	if (!comm)
		strbuf_addf(name, ":%d", (int)tid);
	else
		add_foreign(s, name, comm);
	add_name(s, name->buf, aligned, out);
}

static void add_s32_width(struct strbuf *out, s32 v, int width)
{
	if (v >= 0)
		strbuf_add_u64_width(out, (u64)v, width, ' ');
	else
		strbuf_addf(out, "%*d", width, v);
}

static void add_pid_tid(u64 fields, u32 pid, u32 tid, struct strbuf *out)
{
	bool want_pid = fields & FIELD_BIT(PID);
	bool want_tid = fields & FIELD_BIT(TID);

	if (want_pid && want_tid) {
		add_s32_width(out, (s32)pid, 5);
		strbuf_addch(out, '/');
		size_t start = out->len;

		add_s32_width(out, (s32)tid, 0);
		if (out->len - start < 5)
			strbuf_pad(out, ' ', 5 - (out->len - start));
		strbuf_addch(out, ' ');
	} else if (want_pid || want_tid) {
		add_s32_width(out, (s32)(want_pid ? pid : tid), 5);
		strbuf_addch(out, ' ');
	}
}

static void add_cpu(const struct script *s, u32 cpu, struct strbuf *out)
{
	if (s->o.latency) {
		add_s32_width(out, (s32)cpu, 3);
		strbuf_addch(out, ' ');
		return;
	}
	strbuf_addch(out, '[');
	if ((s32)cpu >= 0)
		strbuf_add_u64_width(out, cpu, 3, '0');
	else
		strbuf_addf(out, "%03d", (int)cpu);
	strbuf_add(out, "] ", 2);
}

static void add_misc(const struct perf_event_header *h, struct strbuf *out)
{
	static const char modes[] = { ' ', 'K', 'U', 'H', 'G', 'g' };
	size_t start = out->len;
	unsigned int mode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode && mode < sizeof(modes))
		strbuf_addch(out, modes[mode]);
	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (h->misc & PERF_RECORD_MISC_MMAP_DATA)
			strbuf_addch(out, 'M');
		break;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
		if (h->misc & PERF_RECORD_MISC_COMM_EXEC)
			strbuf_addch(out, h->type == PERF_RECORD_COMM ? 'E' : 'F');
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (h->misc & PERF_RECORD_MISC_SWITCH_OUT) {
			strbuf_addch(out, 'S');
			if (h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
				strbuf_addch(out, 'p');
		}
		break;
	default:
		break;
	}
	if (out->len - start < 6)
		strbuf_pad(out, ' ', 6 - (out->len - start));
}

static void add_tod(const struct script *s, u64 time, struct strbuf *out)
{
	u64 ns = time + (u64)s->clock_offset;
	time_t seconds = (time_t)(ns / NS_PER_SEC);
	struct tm tm;
	char date[64];

	if (!localtime_r(&seconds, &tm) || !strftime(date, sizeof(date), "%F %H:%M:%S", &tm))
		return;
	strbuf_adds(out, date);
	strbuf_addch(out, '.');
	if (s->o.ns)
		strbuf_add_u64_width(out, ns % NS_PER_SEC, 9, '0');
	else
		strbuf_add_u64_width(out, ns % NS_PER_SEC / 1000, 6, '0');
	strbuf_addch(out, ' ');
}

/* --reltime, --deltatime */
static u64 relative_time(struct script *s, u64 time)
{
	u64 now = time;

	if (s->o.reltime) {
		if (!s->first_time)
			s->first_time = time;
		return time - s->first_time;
	}
	time = s->last_time ? time - s->last_time : 0;
	s->last_time = now;
	return time;
}

static void add_time(struct script *s, struct script_worker *sw, u64 time, struct strbuf *out)
{
	struct second_text *t = &sw->second;

	if (UNLIKELY(s->o.reltime || s->o.deltatime))
		time = relative_time(s, time);
	u64 second = time / NS_PER_SEC;
	u32 rest = (u32)(time % NS_PER_SEC);

	if (UNLIKELY(!t->len || t->second != second)) {
		char *end = digits_put_width(t->text, second, 5);

		*end++ = '.';
		t->len = (u32)(end - t->text);
		t->second = second;
	}
	if (out->cap < out->len + 2 * DIGITS_ROOM)
		strbuf_grow(out, 2 * DIGITS_ROOM);
	char *p = out->buf + out->len;

	memcpy(p, t->text, sizeof(t->text));
	p = digits_put6(p + t->len, rest / 1000);
	if (s->o.ns) {
		*p++ = (char)('0' + rest % 1000 / 100);
		p = digits_put2(p, rest % 100);
	}
	memcpy(p, ": ", 3);
	out->len = (size_t)(p + 2 - out->buf);
}

/* Command, process, thread and CPU, which most samples have in common with one shortly before. */
static void add_task(struct script *s, struct script_worker *sw, const struct task_key *key,
		     const struct session_record *r, struct strbuf *out)
{
	u64 fields = key->fields;
	struct task_text *t = &sw->tasks[hash_u64((u64)key->tid << 32 | key->cpu) % TASK_TEXTS];

	if (t->len && !memcmp(&t->key, key, sizeof(*key))) {
		if (out->cap < out->len + sizeof(t->text) + 1)
			strbuf_grow(out, sizeof(t->text));
		memcpy(out->buf + out->len, t->text, sizeof(t->text));
		out->len += t->len;
		out->buf[out->len] = '\0';
		return;
	}
	size_t start = out->len;

	if (fields & FIELD_BIT(COMM))
		add_comm(s, sw, fields & TASK_ALIGNED, r, key->tid, out);
	add_pid_tid(fields, key->pid, key->tid, out);
	if (fields & FIELD_BIT(CPU))
		add_cpu(s, key->cpu, out);
	if (out->len - start > sizeof(t->text))
		return;
	t->key = *key;
	t->len = (u32)(out->len - start);
	memcpy(t->text, out->buf + start, t->len);
}

void script_add_machine(const struct script *s, u64 fields, u64 id, struct strbuf *out)
{
	const struct machine_id *m = machines_find(&s->machines, id);

	if (!m)
		return;
	if (fields & FIELD_BIT(MACHINE_PID))
		strbuf_addf(out, "VM:%5d ", m->pid);
	if (fields & FIELD_BIT(VCPU))
		strbuf_addf(out, "VCPU:%03d ", m->vcpu);
}

void script_add_start(struct script *s, struct script_worker *sw, const struct session_record *r,
		      const struct line_start *start, struct strbuf *out)
{
	u64 fields = start->fields;
	bool aligned = !(start->chain && fields & FIELD_BIT(IP));

	if (start->comm) {
		if (fields & FIELD_BIT(COMM)) {
			strbuf_reset(&sw->scratch);
			add_foreign(s, &sw->scratch, start->comm);
			add_name(s, sw->scratch.buf, aligned, out);
		}
		add_pid_tid(fields, start->pid, start->tid, out);
		if (fields & FIELD_BIT(CPU))
			add_cpu(s, start->cpu, out);
	} else {
		const struct task_key key = {
			.comm = r->site.comm,
			.pid = start->pid,
			.tid = start->tid,
			.cpu = start->cpu,
			.fields = (fields & TASK_FIELDS) | (aligned ? TASK_ALIGNED : 0),
		};

		add_task(s, sw, &key, r, out);
	}
	if (fields & FIELD_BIT(MISC))
		add_misc(r->h, out);
	if (fields & FIELD_BIT(TOD))
		add_tod(s, start->time, out);
	if (fields & FIELD_BIT(TIME))
		add_time(s, sw, start->time, out);
}

/* ------------------------------------------------------------------ columns of the event */

/* Events whose address is that of code or data with a symbol. */
static bool addr_has_symbol(const struct perf_event_attr *a)
{
	if (a->type == PERF_TYPE_SOFTWARE)
		return a->config == PERF_COUNT_SW_PAGE_FAULTS ||
		       a->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       a->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS &&
	       a->sample_period == 1;
}

/* Addresses without a level of their own: the upper half is the kernel's. */
static u8 level_of(u64 addr)
{
	return (s64)addr < 0 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

static void add_addr(struct session_worker *w, struct script_worker *sw, const struct event_plan *p,
		     const struct session_record *r, struct strbuf *out)
{
	strbuf_add_hex_width(out, r->sample->addr, 16, ' ');
	if (!addr_has_symbol(&r->event->attr))
		return;
	frames_add(sw->frames, w, &r->site, level_of(r->sample->addr), r->sample->addr, p->form,
		   out);
}

static void add_data_src(struct script *s, u64 v, struct strbuf *out)
{
	strbuf_add_hex_width(out, v, 16, ' ');
	strbuf_addch(out, ' ');
	size_t start = out->len;

	data_src_add_all(out, v);
	int len = (int)(out->len - start);

	if (len < s->mem_width)
		strbuf_pad(out, ' ', (size_t)(s->mem_width - len));
	else
		s->mem_width = len;
}

/* Latin-1 letters count as characters, as in the kernel's tables; not on a terminal. */
static bool is_character(const struct script *s, u8 c)
{
	return (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && !s->terminal);
}

/* bpf-output: 8 bytes a line, in hexadecimal and as characters; then the text, if it is one. */
static void add_bpf_output(const struct script *s, const u8 *raw, u32 size, struct strbuf *out)
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
					  : is_character(s, raw[i]) ? (char)raw[i]
								    : '.');
		strbuf_addch(out, '\n');
	}
	while (text < size && is_character(s, raw[text]))
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

static bool print_symbol(void *ctx, u64 addr, bool with_offset, struct strbuf *out);

struct symbol_ctx {
	struct script *s;
	struct session_worker *w;
	struct script_worker *sw;
	const struct site *site;
};

static bool print_symbol(void *ctx, u64 addr, bool with_offset, struct strbuf *out)
{
	struct symbol_ctx *c = ctx;
	struct location loc;

	frames_locate(c->sw->frames, c->w, c->site, PERF_RECORD_MISC_KERNEL, addr, &loc);
	if (loc.sym == SYM_NONE)
		return false;
	frame_add_symbol(out, c->s->dsos, &loc, with_offset ? FORM_SYMOFF : 0);
	return true;
}

static void add_trace(struct script *s, struct session_worker *w, struct script_worker *sw,
		      const struct event_plan *p, const struct session_record *r,
		      struct strbuf *out)
{
	struct symbol_ctx sc = { s, w, sw, &r->site };
	const struct tracefmt_print_ctx ctx = { .sym = print_symbol, .sym_ctx = &sc };

	if (!p->format || !r->sample->raw)
		return;
	struct strbuf *text = &sw->scratch;

	strbuf_reset(text);
	tracefmt_print(NULL, p->format, r->sample->raw, r->sample->raw_size, &ctx, text);
	if (s->terminal)
		strbuf_add_escaped(out, text->buf);
	else if (!memchr(text->buf, '\n', text->len) && !memchr(text->buf, '\r', text->len))
		strbuf_add(out, text->buf, text->len);
	else
		strbuf_add_one_line(out, text->buf);
}

static void add_regs(const struct script *s, u64 abi, const u64 *regs, u64 mask, struct strbuf *out)
{
	const char *arch = perfdata_info(s->file)->arch;
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

/* ------------------------------------------------------------------ branches */

static const char *branch_type(u64 flags)
{
	static const char *const names[] = {
		"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
		"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
	};
	u64 type = flags >> 20 & 15;

	return type < ARRAY_SIZE(names) ? names[type] : "";
}

static void add_branch_flags(u64 flags, struct strbuf *out)
{
	enum { MISPRED = 1, PREDICTED = 2, IN_TX = 4, ABORT = 8 };

	strbuf_addch(out, '/');
	strbuf_addch(out, flags & MISPRED ? 'M' : flags & PREDICTED ? 'P' : '-');
	strbuf_adds(out, flags & IN_TX ? "/X" : "/-");
	strbuf_adds(out, flags & ABORT ? "/A/" : "/-/");
	strbuf_add_u64(out, flags >> 4 & 0xffff);
	strbuf_addch(out, '/');
	strbuf_adds(out, branch_type(flags));
	strbuf_addch(out, ' ');
}

static void add_branch_end(struct script *s, struct session_worker *w, struct script_worker *sw,
			   const struct event_plan *p, const struct session_record *r,
			   enum script_field how, u64 ip, struct strbuf *out)
{
	bool wants_dso = p->fields & (FIELD_BIT(DSO) | FIELD_BIT(DSOFF));
	struct location loc;

	if (wants_dso || how != FIELD_BRSTACK)
		frames_locate(sw->frames, w, &r->site, level_of(ip), ip, &loc);
	if (how == FIELD_BRSTACKSYM) {
		frame_add_symbol(out, s->dsos, &loc, FORM_SYMOFF | (s->terminal ? FORM_ESCAPE : 0));
	} else {
		u64 shown = ip;

		if (how == FIELD_BRSTACKOFF && loc.map)
			shown = loc.map->kernel ? ip - loc.map->start : loc.addr;
		strbuf_adds(out, "0x");
		strbuf_add_hex(out, shown);
	}
	if (wants_dso)
		frame_add_dso(out, s->dsos, &loc, s->terminal ? FORM_ESCAPE : 0);
}

static void add_branches(struct script *s, struct session_worker *w, struct script_worker *sw,
			 const struct event_plan *p, const struct session_record *r,
			 enum script_field how, struct strbuf *out)
{
	const u64 *b = r->sample->branch;

	for (u64 i = 0; b && i < r->sample->nr_branch; i++, b += 3) {
		if (how != FIELD_BRSTACKSYM)
			strbuf_addch(out, ' ');
		add_branch_end(s, w, sw, p, r, how, b[0], out);
		strbuf_addch(out, '/');
		add_branch_end(s, w, sw, p, r, how, b[1], out);
		add_branch_flags(b[2], out);
	}
}

/* ------------------------------------------------------------------ code */

void script_add_chain(struct session_worker *w, struct script_worker *sw,
		      const struct event_plan *plan, const struct session_record *r,
		      struct strbuf *out)
{
	chains_add(sw->chains, w, r, plan->form | (plan->inlines ? FORM_INLINE : 0), out);
}

/* In place of the user part that stands in a record of its own. */
static void add_cookie(const struct sample *smp, unsigned int form, struct strbuf *out)
{
	if (!smp->deferred)
		return;
	strbuf_addch(out, '\t');
	strbuf_add_hex_width(out, smp->chain[smp->nr_chain + 1], 16, ' ');
	if (form & FORM_SYM)
		strbuf_adds(out, " (cookie)");
	if (form & FORM_DSO)
		strbuf_adds(out, " ([unknown])");
	strbuf_addch(out, '\n');
}

static void add_code(struct session_worker *w, struct script_worker *sw, const struct event_plan *p,
		     const struct session_record *r, struct strbuf *out)
{
	if (p->chain && r->sample->chain) {
		strbuf_addch(out, '\n');
		script_add_chain(w, sw, p, r, out);
		add_cookie(r->sample, p->form, out);
		/* the line break behind the last frame is the sample's own */
		if (out->buf[out->len - 1] == '\n')
			out->len--;
		strbuf_addch(out, '\n');
		return;
	}
	strbuf_addch(out, ' ');
	strbuf_add_hex_width(out, r->sample->ip, 16, ' ');
	frames_add(sw->frames, w, &r->site, r->sample->cpumode, r->sample->ip, p->form, out);
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

/* " ilen: 3 insn: 48 31 ca" */
static void add_insn(struct script *s, struct session_worker *w, struct script_worker *sw,
		     const struct event_plan *p, const struct session_record *r, struct strbuf *out)
{
	u8 bytes[INSN_MAX];
	struct location loc;

	frames_locate(sw->frames, w, &r->site, r->sample->cpumode, r->sample->ip, &loc);
	size_t n = insns_read(sw->insns, s->dsos, &loc, bytes);

	if (HAS(p, INSNLEN)) {
		strbuf_adds(out, " ilen: ");
		strbuf_add_u64(out, n);
	}
	if (!HAS(p, INSN) || !n)
		return;
	strbuf_adds(out, " insn:");
	for (size_t i = 0; i < n; i++) {
		strbuf_addch(out, ' ');
		strbuf_add_hex_width(out, bytes[i], 2, '0');
	}
}

/* What stands behind the code. */
static void add_rest(struct script *s, struct session_worker *w, struct script_worker *sw,
		     const struct event_plan *p, const struct session_record *r, struct strbuf *out)
{
	const struct sample *smp = r->sample;

	if (HAS(p, IREGS))
		add_regs(s, smp->intr_abi, smp->intr_regs, r->event->layout.regs_intr, out);
	if (HAS(p, UREGS))
		add_regs(s, smp->user_abi, smp->user_regs, r->event->layout.regs_user, out);
	if (HAS(p, BRSTACK))
		add_branches(s, w, sw, p, r, FIELD_BRSTACK, out);
	else if (HAS(p, BRSTACKSYM))
		add_branches(s, w, sw, p, r, FIELD_BRSTACKSYM, out);
	else if (HAS(p, BRSTACKOFF))
		add_branches(s, w, sw, p, r, FIELD_BRSTACKOFF, out);
	if (HAS(p, BPF_OUTPUT) && r->event->attr.type == PERF_TYPE_SOFTWARE &&
	    r->event->attr.config == PERF_COUNT_SW_BPF_OUTPUT && smp->raw)
		add_bpf_output(s, smp->raw, smp->raw_size, out);
	if (HAS(p, INSN) || HAS(p, INSNLEN))
		add_insn(s, w, sw, p, r, out);
	if (HAS(p, BRSTACKINSN) || HAS(p, BRSTACKINSNLEN))
		script_add_branch_code(s, w, sw, p, r, out);
	if (HAS(p, PHYS_ADDR))
		strbuf_add_hex_width(out, smp->phys_addr, 16, ' ');
	if (HAS(p, DATA_PAGE_SIZE))
		add_page_size(smp->data_page_size, out);
	if (HAS(p, CODE_PAGE_SIZE))
		add_page_size(smp->code_page_size, out);
	if (HAS(p, CGROUP)) {
		const char *name = model_cgroup(s->model, smp->cgroup);

		strbuf_addch(out, ' ');
		strbuf_adds(out, name ? name : "unknown");
	}
}

static void add_source_code(struct script *s, struct session_worker *w, struct script_worker *sw,
			    const struct session_record *r, struct strbuf *out)
{
	struct location loc;

	frames_locate(sw->frames, w, &r->site, r->sample->cpumode, r->sample->ip, &loc);
	source_code_add(s->source_code, s->dsos, r->site.thread, &loc, s->terminal, out);
}

/* What stands before the code. */
static void add_data(struct script *s, struct session_worker *w, struct script_worker *sw,
		     const struct event_plan *p, const struct session_record *r, struct strbuf *out)
{
	const struct sample *smp = r->sample;

	if (HAS(p, ADDR))
		add_addr(w, sw, p, r, out);
	if (HAS(p, DATA_SRC))
		add_data_src(s, smp->data_src, out);
	if (HAS(p, WEIGHT))
		strbuf_add_u64_width(out, smp->weight, 16, ' ');
	if (HAS(p, INS_LAT))
		strbuf_add_u64_width(out, smp->ins_lat, 16, ' ');
	if (HAS(p, RETIRE_LAT))
		strbuf_add_u64_width(out, smp->p_stage_cyc, 16, ' ');
}

static void add_period(u64 period, struct strbuf *out)
{
	if (out->cap < out->len + DIGITS_ROOM + 2)
		strbuf_grow(out, DIGITS_ROOM + 2);
	char *p = digits_put_width(out->buf + out->len, period, 10);

	memcpy(p, " ", 2);
	out->len = (size_t)(p + 1 - out->buf);
}

void script_add_sample(struct script *s, struct session_worker *w, struct script_worker *sw,
		       const struct event_plan *p, const struct session_record *r,
		       struct strbuf *out)
{
	const struct sample *smp = r->sample;
	const struct line_start start = { .fields = p->fields,
					  .chain = p->chain,
					  .pid = smp->pid,
					  .tid = smp->tid,
					  .cpu = smp->cpu,
					  .time = r->time };

	if (UNLIKELY(p->fields & MACHINE_FIELDS))
		script_add_machine(s, p->fields, smp->id, out);
	script_add_start(s, sw, r, &start, out);
	if (HAS(p, PERIOD))
		add_period(smp->period, out);
	if (HAS(p, EVENT))
		strbuf_add(out, p->label, p->label_len);
	if (HAS(p, FLAGS))
		strbuf_pad(out, ' ', 24);
	if (HAS(p, TRACE))
		add_trace(s, w, sw, p, r, out);
	if (UNLIKELY(p->fields & DATA_FIELDS))
		add_data(s, w, sw, p, r, out);
	if (HAS(p, IP))
		add_code(w, sw, p, r, out);
	if (UNLIKELY(p->fields & REST_FIELDS))
		add_rest(s, w, sw, p, r, out);
	strbuf_addch(out, '\n');
	if (HAS(p, SRCCODE))
		add_source_code(s, w, sw, r, out);
}

bool script_plan_orders(const struct event_plan *p)
{
	return p->fields & (FIELD_BIT(DATA_SRC) | FIELD_BIT(SRCCODE) | FIELD_BIT(METRIC));
}
