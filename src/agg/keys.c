/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/keys.h"

#include <stdlib.h>
#include <strings.h>

#include "agg/ipc.h"
#include "agg/private.h"
#include "base/fmt.h"
#include "perfdata/info.h"

enum { ADDRESS_DIGITS = 16 };

/* ---- small pieces ---- */

static int compare_u64(u64 x, u64 y)
{
	return x == y ? 0 : x < y ? -1 : 1;
}

/* As signed numbers, which puts the kernel first. */
static int compare_addr(u64 x, u64 y)
{
	return x == y ? 0 : (s64)x < (s64)y ? -1 : 1;
}

static int compare_text(struct agg *a, u64 x, u64 y)
{
	return strcmp(intern_str(a->texts, (str_id)x), intern_str(a->texts, (str_id)y));
}

/* What was added since `from` is at most as wide as was asked for; 0 = any width. */
static void cut_to_width(struct strbuf *out, size_t from, u32 width)
{
	if (width && out->len - from > width) {
		out->len = from + width;
		out->buf[out->len] = '\0';
	}
}

static void text_text(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
		      struct strbuf *out)
{
	size_t from = out->len;

	strbuf_adds(out, intern_str(a->texts, (str_id)word));
	cut_to_width(out, from, width);
}

/* As wide as the column, at the end of a line too. */
static void text_padded(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
			struct strbuf *out)
{
	size_t from = out->len;

	text_text(a, e, word, width, out);
	strbuf_pad_from(out, from, width);
}

/* ---- who ran ---- */

static u64 get_comm(struct agg_sample_ctx *c)
{
	return c->r->site.comm;
}

static int compare_comm(struct agg *a, u64 x, u64 y)
{
	const struct model *m = session_model(a->s);

	return strcmp(model_str(m, (str_id)x), model_str(m, (str_id)y));
}

static void text_comm(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
		      struct strbuf *out)
{
	agg_add_left(out, model_str(session_model(a->s), (str_id)word), width);
}

/* perf measures the last name that the thread had. */
static u32 width_comm(struct agg *a, const struct agg_entry *e, u64 word, u32 so_far)
{
	const struct model *m = session_model(a->s);
	str_id guest = model_guest_comm(m, e->first_thread, PERF_RECORD_MISC_GUEST_USER);
	str_id last = guest && word == guest ? guest : model_thread_comm(m, e->first_thread);

	return MAX(so_far, (u32)strlen(model_str(m, last)));
}

/*
 * With room for an address where one would stand in the symbol column. Symbols are only loaded for
 * that where it makes a difference.
 */
static u32 width_dso(struct agg *a, const struct agg_entry *e, u64 word, u32 so_far)
{
	u32 width = MAX(so_far, (u32)strlen(agg_dso_name(a, (dso_id)word)));

	if (width < ADDRESS_DIGITS && !a->c.dsos && !a->c.plain_widths && agg_is_unresolved(a, e))
		width = ADDRESS_DIGITS;
	return width;
}

static u64 get_thread(struct agg_sample_ctx *c)
{
	return c->r->site.thread;
}

/* The group leader stands for the process. */
static u64 get_process(struct agg_sample_ctx *c)
{
	const struct model *m = session_model(c->agg->s);
	u32 pid = model_thread_pid(m, c->r->site.thread);
	u32 leader = model_thread_at(m, pid, pid, c->r->time);

	return leader ? leader : c->r->site.thread;
}

static int compare_thread(struct agg *a, u64 x, u64 y)
{
	const struct model *m = session_model(a->s);
	int d = compare_addr((u64)(s32)model_thread_tid(m, (u32)x),
			     (u64)(s32)model_thread_tid(m, (u32)y));

	return d ? d : compare_u64(x, y);
}

/* "  TID:comm"; the number has at least 7 places. */
static void text_thread(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
			struct strbuf *out)
{
	const struct model *m = session_model(a->s);
	size_t from = out->len;

	strbuf_addf(out, "%7d", (int)model_thread_tid(m, (u32)word)); /* -1: a task that is gone */
	strbuf_addch(out, ':');
	strbuf_adds(out, model_str(m, model_thread_comm(m, (u32)word)));
	strbuf_pad_from(out, from, width);
}

/* ---- code ---- */

static u64 get_dso(struct agg_sample_ctx *c)
{
	const struct sample *s = c->r->sample;

	if (c->agg->has_ignored)
		return session_frame_get(c->agg->s, agg_frame_of(c))->dso;
	if (c->branch)
		return session_dso(c->w, &c->r->site, agg_level_of(c->branch[1]), c->branch[1]);
	return session_dso(c->w, &c->r->site, s->cpumode, s->ip);
}

static u64 dso_of_frame(struct agg *a, frame_id frame)
{
	return session_frame_get(a->s, frame)->dso;
}

static u64 canon_dso(struct agg *a, u64 word)
{
	return agg_same_dso(a, (dso_id)word);
}

/* By name; no object comes last. */
static int compare_dso(struct agg *a, u64 x, u64 y)
{
	if (!x || !y)
		return compare_u64(!x, !y);
	return strcmp(agg_dso_name(a, (dso_id)x), agg_dso_name(a, (dso_id)y));
}

static void text_dso(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
		     struct strbuf *out)
{
	agg_add_left(out, agg_dso_name(a, (dso_id)word), width);
}

static int compare_signed(struct agg *a UNUSED, u64 x, u64 y)
{
	return compare_addr(x, y);
}

static u64 symbol_of_frame(struct agg *a, frame_id frame)
{
	return agg_caller_symbol(frame, session_frame_get(a->s, frame));
}

static u64 get_frame(struct agg_sample_ctx *c)
{
	return agg_frame_of(c);
}

static u64 frame_itself(struct agg *a UNUSED, frame_id frame)
{
	return frame;
}

static u64 get_symbol(struct agg_sample_ctx *c)
{
	frame_id frame = agg_frame_of(c);

	if (c->branch)
		return symbol_of_frame(c->agg, frame);
	return c->agg->c.join_unnamed ? agg_unnamed_frame(c->agg, agg_worker_of(c), frame) : frame;
}

/* By object and address. */
static int compare_place(struct agg *a, u64 x, u64 y)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)x);
	const struct frame *g = session_frame_get(a->s, (frame_id)y);
	int d = compare_u64(f->sym == SYM_NONE, g->sym == SYM_NONE);

	if (!d && f->sym != SYM_NONE && !a->has_dso_key)
		d = compare_dso(a, f->dso, g->dso);
	if (!d)
		d = compare_addr(agg_symbol_addr(f, x), agg_symbol_addr(g, y));
	if (!d)
		d = compare_dso(a, f->dso, g->dso);
	return d ? d : agg_compare_inlined(f, g);
}

/* Named ones by name, before the others by address. */
static int compare_named(struct agg *a, u64 x, u64 y)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)x);
	const struct frame *g = session_frame_get(a->s, (frame_id)y);
	int d = compare_u64(f->sym == SYM_NONE, g->sym == SYM_NONE);

	if (!d && f->sym != SYM_NONE)
		d = strcmp(agg_symbol_name(a, f), agg_symbol_name(a, g));
	return d ? d : compare_place(a, x, y);
}

/* The same, but keys behind it come before the addresses. */
static int compare_symbol(struct agg *a, u64 x, u64 y)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)x);
	const struct frame *g = session_frame_get(a->s, (frame_id)y);

	if (f->sym == SYM_NONE && g->sym == SYM_NONE)
		return 0;
	return compare_named(a, x, y);
}

/* Ends of branches: by address, in whatever object. */
static int compare_branch_symbol(struct agg *a, u64 x, u64 y)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)x);
	const struct frame *g = session_frame_get(a->s, (frame_id)y);

	if (f->sym != SYM_NONE && g->sym != SYM_NONE && f->addr != g->addr)
		return f->addr < g->addr ? -1 : 1;
	return compare_named(a, x, y);
}

/* The order of strcmp() as far as the first bytes tell it. */
static u64 beginning_of(const char *name)
{
	u64 n = 0;

	for (int shift = 56; shift >= 0 && *name; shift -= 8)
		n |= (u64)(u8)*name++ << shift;
	return n;
}

/* The order of compare_place() and of compare_symbol() as far as a number can tell it. */
static u64 place_of_symbol(struct agg *a, u64 word, bool before)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)word);
	bool named = f->sym != SYM_NONE;

	if (!before)
		return named ? beginning_of(agg_symbol_name(a, f)) >> 1 : KEY_PLACE_SAME;
	if (named && !a->has_dso_key)
		return 0;
	/* signed addresses in order, without their last bit */
	return ((agg_symbol_addr(f, word) ^ 1ULL << 63) >> 1) | (u64)!named << 63;
}

static u64 place_in_name(struct agg *a, u64 word, size_t skip)
{
	return beginning_of(agg_symbol_name(a, session_frame_get(a->s, (frame_id)word)) + skip);
}

/* A symbol, or the mark of a stack that was cut. */
static bool has_name(const struct frame *f)
{
	return f->sym != SYM_NONE || f->inlined;
}

enum { VERBOSE_ADDRESS = 18, VERBOSE_WIDTH = VERBOSE_ADDRESS + 3 };

static char letter_of(struct agg *a, const struct frame *f)
{
	return f->dso ? dso_symtab_origin(dso_table_get(session_dsos(a->s), f->dso)) : '!';
}

static void text_symbol(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
			struct strbuf *out)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)word);
	size_t from = out->len, name;
	u64 addr;

	if (a->c.verbose)
		agg_add_verbose(e->code.addr, letter_of(a, f), out);
	strbuf_add(out, (const char[]){ '[', agg_level_letter(e->level), ']', ' ' }, 4);
	name = out->len;
	if (has_name(f)) {
		strbuf_adds(out, agg_symbol_name(a, f));
		if (agg_is_data(a, f) && e->code.addr >= f->addr) {
			strbuf_addf(out, "+0x%llx", (unsigned long long)(e->code.addr - f->addr));
			return;
		}
	} else {
		addr = agg_symbol_addr(f, word);
		if (addr)
			strbuf_add(out, "0x", 2);
		strbuf_add_hex16(out, addr);
	}
	/* Names of code are cut to a width that was asked for, addresses and variables are not; nor
	 * is a name where no place is left for it. */
	if (has_name(f) && width >= name - from)
		cut_to_width(out, from, width);
}

static u32 width_symbol(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 so_far)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)word);
	size_t len = ADDRESS_DIGITS + 2;

	if (has_name(f))
		len = strlen(agg_symbol_name(a, f)) + (a->c.verbose ? VERBOSE_WIDTH : 0);
	return MAX(so_far, (u32)len + 4);
}

/* Rows without a symbol are many, and all ask for as much as an address, or less. */
static u32 width_symbol_of_row(struct agg *a, const struct agg_entry *e, u64 word, u32 so_far)
{
	bool unnamed = e->code.state == CODE_UNNAMED && !a->c.branches;

	return unnamed && so_far >= ADDRESS_DIGITS + 6 ? so_far : width_symbol(a, e, word, so_far);
}

static u64 size_of_frame(struct agg *a, frame_id frame)
{
	const struct frame *f = session_frame_get(a->s, frame);
	const struct symtab *st;

	if (f->sym == SYM_NONE)
		return 0;
	st = dso_symtab(dso_table_get(session_dsos(a->s), f->dso));
	return symtab_end(st, f->sym) - symtab_start(st, f->sym);
}

static u64 get_symbol_size(struct agg_sample_ctx *c)
{
	return size_of_frame(c->agg, agg_frame_of(c));
}

static u64 get_dso_size(struct agg_sample_ctx *c)
{
	const struct sample *s = c->r->sample;
	u64 ip = c->branch ? c->branch[1] : s->ip;
	const struct model_map *map = model_find_map(session_model(c->agg->s), c->r->site.thread,
						     c->branch ? agg_level_of(ip) : s->cpumode, ip,
						     c->r->time);

	if (map && map->kernel)
		return agg_kernel_size(c->agg, map);
	return map ? map->end - map->start : 0;
}

static int compare_larger_last(struct agg *a UNUSED, u64 x, u64 y)
{
	return compare_u64(x, y);
}

static int compare_larger_first(struct agg *a UNUSED, u64 x, u64 y)
{
	return compare_u64(y, x);
}

static void text_right(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word, u32 width,
		       struct strbuf *out)
{
	strbuf_add_u64_width(out, word, (int)width, ' ');
}

static void text_size(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
		      struct strbuf *out)
{
	if (word)
		text_right(a, e, word, width, out);
	else
		strbuf_add_aligned(out, "unknown", (int)width);
}

/* perf's column does not grow. */
static u32 width_header(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word UNUSED,
			u32 so_far)
{
	return so_far;
}

static void text_left_number(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word,
			     u32 width, struct strbuf *out)
{
	size_t from = out->len;

	strbuf_add_u64(out, word);
	strbuf_pad_from(out, from, width);
}

/* Of all samples of the row, where the word is that of each. */
static void text_sum(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
		     struct strbuf *out)
{
	text_left_number(a, e, word * agg_value(a, e, 0, AGG_SAMPLES), width, out);
}

static u64 get_parent(struct agg_sample_ctx *c)
{
	return agg_parent_of(c->agg, agg_worker_of(c), c);
}

static int compare_parent(struct agg *a, u64 x, u64 y)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)x);
	const struct frame *g = session_frame_get(a->s, (frame_id)y);

	if (!x || !y)
		return compare_u64(!x, !y); /* [other] is last */
	return strcmp(agg_symbol_name(a, f), agg_symbol_name(a, g));
}

static void text_parent(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
			struct strbuf *out)
{
	agg_add_left(out,
		     word ? agg_symbol_name(a, session_frame_get(a->s, (frame_id)word)) : "[other]",
		     width);
}

static u64 get_addr(struct agg_sample_ctx *c)
{
	return c->branch ? c->branch[1] : c->r->sample->ip;
}

static void text_hex(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word, u32 width,
		     struct strbuf *out)
{
	size_t from = out->len;

	if (word)
		strbuf_adds(out, "0x");
	strbuf_add_hex(out, word);
	strbuf_pad_from(out, from, width);
}

/* ---- where and when ---- */

enum { NOWHERE = 0xffffffffU };

static u64 get_cpu(struct agg_sample_ctx *c)
{
	return c->r->sample->cpu;
}

static u64 get_parallelism(struct agg_sample_ctx *c)
{
	return c->parallelism;
}

static void text_cpu(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word, u32 width,
		     struct strbuf *out)
{
	size_t from = out->len;

	if (word == NOWHERE)
		strbuf_adds(out, "-001");
	else
		strbuf_add_u64_width(out, word, width ? (int)MIN(width, 3U) : 3, '0');
	strbuf_pad_from(out, from, width);
}

static u32 width_cpu(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word, u32 so_far)
{
	return word == NOWHERE || word < 1000 ? so_far : MAX(so_far, 4U);
}

static u64 get_socket(struct agg_sample_ctx *c)
{
	const struct perfdata_info *info = perfdata_info(session_file(c->agg->s));
	u32 cpu = c->r->sample->cpu;

	return info->cpus && cpu < info->cpus_avail ? info->cpus[cpu].socket : NOWHERE;
}

static void text_socket(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word, u32 width,
			struct strbuf *out)
{
	size_t from = out->len;

	if (word == NOWHERE) {
		strbuf_pad(out, ' ', width > 4 ? width - 4 : 0);
		strbuf_adds(out, "-001");
		return;
	}
	strbuf_pad(out, ' ', width > 3 ? width - 3 : 0);
	strbuf_add_u64_width(out, word, 3, '0');
	strbuf_pad_from(out, from, width);
}

static u64 get_time(struct agg_sample_ctx *c)
{
	return c->r->time / c->agg->c.time_quantum * c->agg->c.time_quantum;
}

static void text_time(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
		      struct strbuf *out)
{
	size_t from = out->len;

	fmt_time(out, word, a->c.ns ? 9 : 6);
	cut_to_width(out, from, width);
}

static u32 width_time(struct agg *a, const struct agg_entry *e UNUSED, u64 word UNUSED, u32 so_far)
{
	return MAX(so_far, a->c.ns ? 16U : 12U);
}

static u64 get_cgroup(struct agg_sample_ctx *c)
{
	return c->r->sample->cgroup;
}

static const char *cgroup_name(struct agg *a, u64 id)
{
	const char *name = id ? model_cgroup(session_model(a->s), id) : NULL;

	return name ? name : id ? "unknown" : "N/A";
}

static int compare_cgroup(struct agg *a UNUSED, u64 x, u64 y)
{
	return compare_u64(x, y);
}

static void text_cgroup(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width UNUSED,
			struct strbuf *out)
{
	strbuf_adds(out, cgroup_name(a, word));
}

static u64 get_cgroup_ns(struct agg_sample_ctx *c)
{
	return model_cgroup_ns_at(session_model(c->agg->s), c->r->site.thread, c->r->time);
}

static int compare_cgroup_ns(struct agg *a, u64 x, u64 y)
{
	struct model_cgroup_ns n = model_cgroup_ns(session_model(a->s), (u32)x);
	struct model_cgroup_ns o = model_cgroup_ns(session_model(a->s), (u32)y);
	int d = compare_u64(o.dev, n.dev);

	return d ? d : compare_u64(o.ino, n.ino);
}

static void text_cgroup_ns(struct agg *a, const struct agg_entry *e UNUSED, u64 word,
			   u32 width UNUSED, struct strbuf *out)
{
	struct model_cgroup_ns ns = model_cgroup_ns(session_model(a->s), (u32)word);

	strbuf_addf(out, "%llu/0x%llx", (unsigned long long)ns.dev, (unsigned long long)ns.ino);
}

/* ---- what the event says ---- */

/* never cut */
static void text_ipc(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
		     struct strbuf *out)
{
	size_t from = out->len;

	if (a->ipc)
		ipc_text(a->ipc, (frame_id)word, out);
	else
		strbuf_adds(out, a->c.branches ? "-" : "-      -");
	strbuf_pad_from(out, from, width);
}

static u64 get_transaction(struct agg_sample_ctx *c)
{
	return c->r->sample->transaction;
}

static void text_transaction(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word,
			     u32 width, struct strbuf *out)
{
	/* by bit of PERF_SAMPLE_TRANSACTION */
	static const char *const names[] = { "EL",    "TX",  "SYNC",      "ASYNC",
					     "RETRY", "CON", "CAP-WRITE", "CAP-READ" };
	enum { SYNC_OR_ASYNC = 0xc, ABORT_SHIFT = 32 };
	size_t from = out->len;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (word >> i & 1)
			strbuf_addf(out, "%s ", names[i]);
	if (word && !(word & SYNC_OR_ASYNC))
		strbuf_adds(out, "NEITHER ");
	if (word >> ABORT_SHIFT) {
		strbuf_addch(out, ':');
		strbuf_add_hex(out, word >> ABORT_SHIFT);
	}
	strbuf_pad_from(out, from, width);
}

/* as perf, whatever the text is */
static u32 width_transaction(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word,
			     u32 so_far)
{
	return word ? MAX(so_far, 32U) : so_far;
}

static u64 get_trace(struct agg_sample_ctx *c)
{
	const struct session_record *r = c->r;
	const struct tracefmt_set *set = session_tracefmt(c->agg->s);
	const struct tracefmt *t = set ? tracefmt_by_id(set, r->event->attr.config) : NULL;
	struct strbuf *out = &agg_worker_of(c)->text;
	struct tracefmt_print_ctx ctx = { 0 };

	strbuf_reset(out);
	if (r->event->attr.type != PERF_TYPE_TRACEPOINT || !t)
		strbuf_adds(out, "N/A");
	else if (c->agg->c.raw_trace)
		tracefmt_print_fields(t, r->sample->raw, r->sample->raw_size, out);
	else
		tracefmt_print(t, r->sample->raw, r->sample->raw_size, &ctx, out);
	return agg_text(c->agg, out->buf, out->len);
}

static u64 get_weight(struct agg_sample_ctx *c)
{
	return c->branch ? MAX(c->branch[2] >> 4 & 0xffff, (u64)1) : c->r->sample->weight;
}

static u64 get_ins_lat(struct agg_sample_ctx *c)
{
	return c->r->sample->ins_lat;
}

static u64 get_p_stage_cyc(struct agg_sample_ctx *c)
{
	return c->r->sample->p_stage_cyc;
}

/* ---- branches: {from, to, flags} ---- */

static frame_id branch_frame(struct agg_sample_ctx *c, int end)
{
	return session_frame(c->w, &c->r->site, agg_level_of(c->branch[end]), c->branch[end]);
}

static u64 get_dso_from(struct agg_sample_ctx *c)
{
	return session_frame_get(c->agg->s, branch_frame(c, 0))->dso;
}

static u64 get_dso_to(struct agg_sample_ctx *c)
{
	return session_frame_get(c->agg->s, branch_frame(c, 1))->dso;
}

/* Backwards by name, as perf orders them. */
static int compare_dso_back(struct agg *a, u64 x, u64 y)
{
	return compare_dso(a, y, x);
}

/* perf measures the short name, also where it shows the path. */
static u32 width_branch_dso(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 so_far)
{
	const struct dso *d = dso_table_get(session_dsos(a->s), (dso_id)word);

	/* with -v perf measures the path, if it knows the symbol */
	if (a->c.verbose && word &&
	    symtab_count(dso_symtab(dso_table_get(session_dsos(a->s), (dso_id)word))))
		return MAX(so_far, (u32)strlen(dso_long_name(d)));
	return MAX(so_far, (u32)strlen(word ? dso_short_name(d) : agg_dso_name(a, 0)));
}

static u64 get_symbol_from(struct agg_sample_ctx *c)
{
	return branch_frame(c, 0);
}

static u64 get_symbol_to(struct agg_sample_ctx *c)
{
	return branch_frame(c, 1);
}

static void add_branch_symbol(struct agg *a, u64 word, u64 addr, u32 width, struct strbuf *out)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)word);
	struct agg_entry own = { .level = f->dso ? f->cpumode : PERF_RECORD_MISC_HYPERVISOR,
				 .code = { .addr = addr } };

	text_symbol(a, &own, word, width, out);
}

static void text_symbol_from(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
			     struct strbuf *out)
{
	add_branch_symbol(a, word, e->code.from, width, out);
}

static void text_symbol_to(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
			   struct strbuf *out)
{
	add_branch_symbol(a, word, e->code.to, width, out);
}

/* ---- an end of a branch: interned digits of address and object, then what is shown ---- */

enum { END_HEAD = 16 + 8 };

static u64 branch_end(struct agg_sample_ctx *c, int end)
{
	u64 ip = c->branch[end];
	struct strbuf *out = &agg_worker_of(c)->text;
	struct location loc;

	session_locate(c->w, &c->r->site, agg_level_of(ip), ip, &loc);
	strbuf_reset(out);
	strbuf_add_hex_width(out, loc.addr ^ 1ULL << 63, 16, '0'); /* signed: the kernel first */
	strbuf_add_hex_width(out, loc.dso, 8, '0');
	if (loc.sym != SYM_NONE) {
		const struct symtab *st = dso_symtab(
			dso_table_get(session_dsos(c->agg->s), loc.dso));

		strbuf_adds(out, symtab_name(st, loc.sym));
		if (loc.addr != symtab_start(st, loc.sym))
			strbuf_addf(out, "+%#llx",
				    (unsigned long long)(loc.addr - symtab_start(st, loc.sym)));
	} else {
		strbuf_adds(out, loc.addr ? "0x" : "");
		strbuf_add_hex_width(out, loc.addr, ADDRESS_DIGITS, '0');
	}
	return agg_text(c->agg, out->buf, out->len);
}

static u64 get_addr_from(struct agg_sample_ctx *c)
{
	return branch_end(c, 0);
}

static u64 get_addr_to(struct agg_sample_ctx *c)
{
	return branch_end(c, 1);
}

static dso_id branch_end_dso(struct agg *a, u64 word)
{
	const char *text = intern_str(a->texts, (str_id)word);
	char digits[9] = "";

	if (strlen(text) > END_HEAD)
		memcpy(digits, text + 16, 8);
	return agg_same_dso(a, (dso_id)strtoul(digits, NULL, 16));
}

/* Objects backwards by name, then addresses. */
static int compare_branch_end(struct agg *a, u64 x, u64 y)
{
	int d = compare_dso_back(a, branch_end_dso(a, x), branch_end_dso(a, y));

	return d ? d : compare_text(a, x, y);
}

/* Room for addresses; names are as long as they are. */
static u32 width_branch_end(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 so_far)
{
	const char *text = intern_str(a->texts, (str_id)word);

	if (strlen(text) < END_HEAD || (strncmp(text + END_HEAD, "0x", 2) && text[END_HEAD] != '0'))
		return so_far;
	return MAX(so_far, ADDRESS_DIGITS + 6);
}

static void text_branch_end(struct agg *a, const struct agg_entry *e, u64 word, u32 width UNUSED,
			    struct strbuf *out)
{
	const char *text = intern_str(a->texts, (str_id)word);

	strbuf_addf(out, "[%c] %s", agg_level_letter(e->level),
		    strlen(text) > END_HEAD ? text + END_HEAD : "");
}

/* Bits of the third word of struct perf_branch_entry. */
enum { BRANCH_MISPREDICTED = 1, BRANCH_PREDICTED = 2, BRANCH_IN_TX = 4, BRANCH_ABORT = 8 };

static u64 get_mispredict(struct agg_sample_ctx *c)
{
	return c->branch[2] & (BRANCH_MISPREDICTED | BRANCH_PREDICTED);
}

static void text_mispredict(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word,
			    u32 width, struct strbuf *out)
{
	agg_add_left(out,
		     word & BRANCH_PREDICTED      ? "N"
		     : word & BRANCH_MISPREDICTED ? "Y"
						  : "N/A",
		     width);
}

static u64 get_in_tx(struct agg_sample_ctx *c)
{
	return c->branch[2] & BRANCH_IN_TX;
}

static u64 get_abort(struct agg_sample_ctx *c)
{
	return c->branch[2] & BRANCH_ABORT;
}

static void text_branch_flag(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word,
			     u32 width, struct strbuf *out)
{
	agg_add_left(out, !word ? "." : word == BRANCH_IN_TX ? "T" : "A", width);
}

static u64 get_cycles(struct agg_sample_ctx *c)
{
	return c->branch[2] >> 4 & 0xffff;
}

static void text_cycles(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
			struct strbuf *out)
{
	if (word)
		text_left_number(a, e, word, width, out);
	else
		agg_add_left(out, "-", width);
}

static u64 get_code_page_size(struct agg_sample_ctx *c)
{
	return c->r->sample->code_page_size;
}

#define KEY(n, h, f, w, g, o, c, cmp, t)                                                           \
	{                                                                                          \
		.name = (n), .header = (h), .flags = (f), .min_width = (w), .get = (g),            \
		.of_frame = (o), .canon = (c), .compare = (cmp), .text = (t)                       \
	}

/* In perf's order: a beginning of a name means the first that fits. */
static const struct agg_key keys[] = {
	KEY("pid", "    Pid:Command", KEY_HEAD | KEY_OF_THREADS, 0, get_thread, NULL, NULL,
	    compare_thread, text_thread),
	{ .name = "comm",
	  .header = "Command",
	  .flags = KEY_HEAD | KEY_SPOT | KEY_WORD_IS_TEXT | KEY_OF_NAMES,
	  .get = get_comm,
	  .compare = compare_comm,
	  .text = text_comm,
	  .width = width_comm },
	{ .name = "dso",
	  .header = "Shared Object",
	  .flags = KEY_OF_CODE | KEY_OF_EQUAL_SYMBOLS | KEY_HEAD | KEY_SPOT | KEY_WORD_IS_TEXT,
	  .get = get_dso,
	  .of_frame = dso_of_frame,
	  .canon = canon_dso,
	  .compare = compare_dso,
	  .text = text_dso,
	  .width = width_dso },
	{ .name = "symbol",
	  .header = "Symbol",
	  .flags = KEY_OF_CODE | KEY_OF_EQUAL_SYMBOLS | KEY_SYMBOL | KEY_HEAD | KEY_SPOT |
		   KEY_OF_FRAMES,
	  .get = get_symbol,
	  .of_frame = symbol_of_frame,
	  .canon = agg_same_symbol,
	  .compare = compare_symbol,
	  .text = text_symbol,
	  .width = width_symbol_of_row,
	  .compare_before = compare_place,
	  .place = place_of_symbol,
	  .place_behind = place_in_name },
	KEY("parent", "Parent symbol", KEY_SYMBOL | KEY_CHAIN | KEY_OF_FRAMES, 0, get_parent, NULL,
	    NULL, compare_parent, text_parent),
	{ .name = "cpu",
	  .header = "CPU",
	  .flags = KEY_HEAD,
	  .get = get_cpu,
	  .text = text_cpu,
	  .width = width_cpu },
	KEY("socket", "Socket", KEY_HEAD, 0, get_socket, NULL, NULL, NULL, text_socket),
	KEY("srcline", "Source:Line",
	    KEY_OF_CODE | KEY_SYMBOL | KEY_ADDRESS | KEY_HEAD | KEY_OF_FRAMES, 0, get_frame,
	    frame_itself, agg_srcline_of, compare_text, text_text),
	KEY("srcfile", "Source File",
	    KEY_OF_CODE | KEY_SYMBOL | KEY_ADDRESS | KEY_HEAD | KEY_OF_FRAMES, 0, get_frame,
	    frame_itself, agg_srcfile_of, compare_text, text_text),
	KEY("local_weight", "Local Weight", 0, 0, get_weight, NULL, NULL, compare_larger_first,
	    text_left_number),
	KEY("weight", "Weight", 0, 12, get_weight, NULL, NULL, compare_larger_first, text_sum),
	{ .name = "transaction",
	  .header = "Transaction",
	  .flags = KEY_ALWAYS_WIDE,
	  .min_width = 27,
	  .get = get_transaction,
	  .compare = compare_larger_first,
	  .text = text_transaction,
	  .width = width_transaction },
	KEY("trace", "Trace output", KEY_FORMATS | KEY_OF_TEXTS, 0, get_trace, NULL, NULL,
	    compare_text, text_text),
	KEY("symbol_size", "Symbol size",
	    KEY_OF_CODE | KEY_OF_EQUAL_SYMBOLS | KEY_SYMBOL | KEY_HEAD, 0, get_symbol_size,
	    size_of_frame, NULL, compare_larger_last, text_size),
	{ .name = "dso_size",
	  .header = "DSO size",
	  .flags = KEY_HEAD,
	  .get = get_dso_size,
	  .compare = compare_larger_last,
	  .text = text_size,
	  .width = width_header },
	KEY("cgroup", "Cgroup", 0, 0, get_cgroup, NULL, NULL, compare_cgroup, text_cgroup),
	KEY("cgroup_id", "cgroup id (dev/inode)", KEY_OF_CGROUP_NS, 0, get_cgroup_ns, NULL, NULL,
	    compare_cgroup_ns, text_cgroup_ns),
	{ .name = "time",
	  .header = "Time",
	  .flags = KEY_HEAD,
	  .get = get_time,
	  .text = text_time,
	  .width = width_time },
	KEY("code_page_size", "Code Page Size", 0, 0, get_code_page_size, NULL, NULL,
	    compare_larger_first, agg_text_page_size),
	KEY("local_ins_lat", "Local INSTR Latency", 0, 0, get_ins_lat, NULL, NULL,
	    compare_larger_first, text_left_number),
	KEY("ins_lat", "INSTR Latency", 0, 0, get_ins_lat, NULL, NULL, compare_larger_first,
	    text_sum),
	KEY("local_p_stage_cyc", "Local Pipeline Stage Cycle", KEY_POWER, 0, get_p_stage_cyc, NULL,
	    NULL, compare_larger_first, text_left_number),
	KEY("p_stage_cyc", "Pipeline Stage Cycle", KEY_POWER, 0, get_p_stage_cyc, NULL, NULL,
	    compare_larger_first, text_left_number),
	KEY("symoff", "Symbol Offset",
	    KEY_OF_CODE | KEY_SYMBOL | KEY_ADDRESS | KEY_HEAD | KEY_OF_FRAMES, 0, get_frame,
	    frame_itself, agg_symbol_offset_of, compare_text, agg_symbol_offset_text),
	KEY("type", "Data Type", KEY_OF_CODE | KEY_SYMBOL | KEY_ADDRESS | KEY_HEAD | KEY_OF_FRAMES,
	    0, get_frame, frame_itself, agg_type_of, compare_text, text_text),
	KEY("typeoff", "Data Type Offset",
	    KEY_OF_CODE | KEY_SYMBOL | KEY_ADDRESS | KEY_HEAD | KEY_OF_FRAMES, 0, get_frame,
	    frame_itself, agg_type_offset_of, compare_text, text_text),
	KEY("typecln", "Data Type Cacheline",
	    KEY_OF_CODE | KEY_SYMBOL | KEY_ADDRESS | KEY_HEAD | KEY_OF_FRAMES, 0, get_frame,
	    frame_itself, agg_type_line_of, compare_text, text_text),
	KEY("addr", "Address", 0, 18, get_addr, NULL, NULL, compare_signed, text_hex),
	/*
	 * perf adds it to symbols: a row for each of them, also where another key shows less. The
	 * blank keeps it from being typed.
	 */
	KEY(AGG_KEY_IPC, "IPC   [IPC Coverage]", KEY_OF_CODE | KEY_SYMBOL | KEY_OF_FRAMES, 0,
	    get_symbol, symbol_of_frame, agg_same_symbol, compare_symbol, text_ipc),
	/* (not to be typed either: its words would not outlast agg_renew()) */
	{ .name = AGG_KEY_CALLERS,
	  .header = "Call Path",
	  .flags = KEY_SYMBOL | KEY_CHAIN,
	  .get = agg_get_callers,
	  .text = agg_text_callers },
	{ .name = "dso_from",
	  .header = "Source Shared Object",
	  .flags = KEY_SYMBOL | KEY_BRANCH,
	  .get = get_dso_from,
	  .canon = canon_dso,
	  .compare = compare_dso_back,
	  .text = text_dso,
	  .width = width_branch_dso },
	{ .name = "dso_to",
	  .header = "Target Shared Object",
	  .flags = KEY_SYMBOL | KEY_BRANCH,
	  .get = get_dso_to,
	  .canon = canon_dso,
	  .compare = compare_dso_back,
	  .text = text_dso,
	  .width = width_branch_dso },
	{ .name = "symbol_from",
	  .header = "Source Symbol",
	  .flags = KEY_SYMBOL | KEY_BRANCH | KEY_OF_FRAMES,
	  .get = get_symbol_from,
	  .canon = agg_same_symbol,
	  .compare = compare_branch_symbol,
	  .text = text_symbol_from,
	  .width = width_symbol },
	{ .name = "symbol_to",
	  .header = "Target Symbol",
	  .flags = KEY_SYMBOL | KEY_BRANCH | KEY_OF_FRAMES,
	  .get = get_symbol_to,
	  .canon = agg_same_symbol,
	  .compare = compare_branch_symbol,
	  .text = text_symbol_to,
	  .width = width_symbol },
	{ .name = "addr_from",
	  .header = "Source Address",
	  .flags = KEY_SYMBOL | KEY_BRANCH | KEY_OF_TEXTS,
	  .get = get_addr_from,
	  .compare = compare_branch_end,
	  .text = text_branch_end,
	  .width = width_branch_end },
	{ .name = "addr_to",
	  .header = "Target Address",
	  .flags = KEY_SYMBOL | KEY_BRANCH | KEY_OF_TEXTS,
	  .get = get_addr_to,
	  .compare = compare_branch_end,
	  .text = text_branch_end,
	  .width = width_branch_end },
	KEY("mispredict", "Branch Mispredicted", KEY_BRANCH, 0, get_mispredict, NULL, NULL, NULL,
	    text_mispredict),
	KEY("abort", "Transaction abort", KEY_BRANCH, 0, get_abort, NULL, NULL, NULL,
	    text_branch_flag),
	KEY("in_tx", "Branch in transaction", KEY_BRANCH, 0, get_in_tx, NULL, NULL, NULL,
	    text_branch_flag),
	KEY("cycles", "Basic Block Cycles", KEY_BRANCH, 0, get_cycles, NULL, NULL,
	    compare_larger_first, text_cycles),
	KEY("srcline_from", "From Source:Line",
	    KEY_SYMBOL | KEY_BRANCH | KEY_ADDRESS | KEY_OF_FRAMES, 0, get_symbol_from, NULL,
	    agg_srcline_of, compare_text, text_padded),
	KEY("srcline_to", "To Source:Line", KEY_SYMBOL | KEY_BRANCH | KEY_ADDRESS | KEY_OF_FRAMES,
	    0, get_symbol_to, NULL, agg_srcline_of, compare_text, text_padded),
	KEY("state", "State", KEY_SPAN | KEY_WORD_IS_TEXT, 0, agg_get_state, NULL, NULL, NULL,
	    agg_text_state),
	KEY("waker", "Woken by", KEY_SPAN | KEY_WORD_IS_TEXT, 0, agg_get_waker, NULL, NULL,
	    agg_compare_waker, agg_text_waker),
	KEY("parallelism", "Parallelism", KEY_HEAD | KEY_PARALLELISM, 0, get_parallelism, NULL,
	    NULL, NULL, text_right),
	KEY("tid", "    Tid:Command", KEY_HEAD | KEY_OF_THREADS, 0, get_thread, NULL, NULL,
	    compare_thread, text_thread),
	KEY("tgid", "   Tgid:Command", KEY_HEAD | KEY_OF_THREADS, 0, get_process, NULL, NULL,
	    compare_thread, text_thread),
};

static const struct agg_key *key_at(size_t i)
{
	return i < ARRAY_SIZE(keys) ? &keys[i] : &agg_mem_keys[i - ARRAY_SIZE(keys)];
}

/* AGG_KEY_IPC and its like have no name that can be typed. */
static bool is_typed(const struct agg_key *key)
{
	return !strchr(key->name, ' ');
}

const struct agg_key *agg_key_find(const char *name, size_t len)
{
	for (size_t i = 0; key_at(i)->name; i++)
		if (strlen(key_at(i)->name) == len && !strncasecmp(key_at(i)->name, name, len))
			return key_at(i);
	for (size_t i = 0; len && key_at(i)->name; i++)
		if (is_typed(key_at(i)) && !strncasecmp(key_at(i)->name, name, len))
			return key_at(i);
	return NULL;
}

const char *agg_key_name(size_t i)
{
	for (size_t k = 0; key_at(k)->name; k++)
		if (is_typed(key_at(k)) && !i--)
			return key_at(k)->name;
	return NULL;
}
