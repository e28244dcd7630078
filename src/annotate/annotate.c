/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "annotate/annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agg/runs.h"
#include "annotate/bpf.h"
#include "annotate/listing.h"
#include "annotate/objdump.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/par.h"
#include "disasm/disasm.h"
#include "dso/source.h"
#include "dso/symbols/symtab.h"
#include "perfdata/perfdata.h"

enum { RAW_BYTES = 7 /* that objdump shows in a line */ };

struct annotator {
	struct session *s;
	struct annotate_opts o;
	struct source_files *files;
	struct types *types; /* NULL = they were not wanted so far */
	/* the object that was asked for last */
	dso_id dso;
	struct dso_code code;
	enum dso_code_problem problem;
	struct disasm *disasm;
	struct bpf_programs_code bpf; /* of the recording */
	struct bpf_source bpf_source; /* of the object */
	/* annotator_load_ahead(); NULL = nothing is being loaded */
	struct par_task *ahead;
	struct dso *ahead_dso;
	const char *ahead_symbol;
};

struct annotator *annotator_new(struct session *s, const struct annotate_opts *o)
{
	struct annotator *a = XNEW(struct annotator);

	*a = (struct annotator){ .s = s, .o = *o, .code = DSO_CODE_INIT };
	a->files = source_files_new();
	return a;
}

static void load_ahead(void *ctx)
{
	struct annotator *a = ctx;
	const struct symtab *st;
	struct source_frame frame;
	u32 sym;

	disasm_load();
	if (!a->ahead_dso)
		return;
	st = dso_symtab(a->ahead_dso);
	sym = symtab_find_name(st, a->ahead_symbol);
	if (sym != SYM_NONE)
		dso_source(a->ahead_dso, symtab_start(st, sym), &frame, 1);
}

void annotator_load_ahead(struct annotator *a, struct dso *d, const char *symbol)
{
	if (a->o.objdump)
		return;
	a->ahead_dso = d;
	a->ahead_symbol = symbol;
	a->ahead = par_task_beside(load_ahead, a);
}

void annotator_tell_types(struct annotator *a, bool types)
{
	a->o.types = types;
}

static void forget_object(struct annotator *a)
{
	if (a->dso)
		dso_code_close(&a->code);
	disasm_close(a->disasm);
	bpf_source_release(&a->bpf_source);
	a->disasm = NULL;
	a->dso = 0;
	a->code = (struct dso_code)DSO_CODE_INIT;
}

void annotator_free(struct annotator *a)
{
	if (!a)
		return;
	par_task_wait(a->ahead);
	forget_object(a);
	source_files_free(a->files);
	types_free(a->types);
	bpf_code_release(&a->bpf);
	free(a);
}

/* " <name+0x12>" */
static void add_name(void *ctx, u64 addr, struct strbuf *out)
{
	struct annotator *a = ctx;
	size_t from = out->len;
	u64 offset = 0;

	strbuf_adds(out, " <");
	if (!dso_code_name(&a->code, addr, out, &offset)) {
		out->len = from;
		out->buf[from] = '\0';
		return;
	}
	if (offset) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, offset);
	}
	strbuf_addch(out, '>');
}

/* A program that the recording brought along. */
static bool open_bpf(struct annotator *a, struct dso *d)
{
	const struct perfdata_info *info = perfdata_info(session_file(a->s));
	const struct symtab *st = dso_symtab(d);
	const struct bpf_place *place;
	struct dso_code_bytes bytes;

	if (dso_kind(d) != DSO_BPF || !symtab_count(st))
		return false;
	bpf_code_read(&a->bpf, info);
	place = bpf_code_find(&a->bpf, symtab_start(st, 0), symtab_name(st, 0));
	if (!place)
		return false;
	bytes = (struct dso_code_bytes){ place->code, place->at.addr, place->at.size };
	dso_code_lend(d, &a->code, &bytes);
	bpf_source_read(&a->bpf_source, info, place);
	return true;
}

static void open_object(struct annotator *a, dso_id id)
{
	struct dso *d = dso_table_get(session_dsos(a->s), id);

	if (a->dso == id)
		return;
	forget_object(a);
	a->dso = id;
	a->problem = open_bpf(a, d) ? DSO_CODE_THERE : dso_code_open(d, &a->code);
}

static int open_disasm(struct annotator *a, struct err *e)
{
	struct disasm_opts o = { .machine = a->code.machine,
				 .is64 = a->code.is64,
				 .big_endian = a->code.big_endian,
				 .syntax = a->o.intel ? DISASM_INTEL : DISASM_ATT,
				 .name = add_name,
				 .ctx = a };

	return a->disasm ? 0 : disasm_open(&a->disasm, &o, e);
}

/* ------------------------------------------------------------------ code */

static enum view_flow flow_of(enum insn_kind kind)
{
	static const enum view_flow flows[] = { [INSN_PLAIN] = VIEW_FLOW_ON,
						[INSN_JUMP] = VIEW_FLOW_JUMP,
						[INSN_CALL] = VIEW_FLOW_CALL,
						[INSN_RETURN] = VIEW_FLOW_RETURN };

	return flows[kind];
}

/* The name alone, kept. */
static const char *keep_name(struct annotator *a, struct annotation *n, u64 addr)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	add_name(a, addr, &name);
	return name.len > 3 ? arena_strndup(&n->arena, name.buf + 2, name.len - 3) : NULL;
}

static void set_facts(struct annotator *a, struct annotation *n, struct view_line *line,
		      const struct insn *in)
{
	const struct view_annotation *v = &n->view;

	line->flow = flow_of(in->kind);
	line->operands = (u8)MIN(in->operands, (size_t)UINT8_MAX);
	line->comment = (u16)MIN(in->comment, (size_t)UINT16_MAX);
	line->has_target = in->has_target;
	line->target = in->target;
	line->target_inside = in->has_target && in->target - v->start < v->size;
	if (in->kind == INSN_CALL)
		line->target_name = in->has_target ? dso_code_function(&a->code, in->target) : NULL;
	else if (in->has_target && !line->target_inside)
		line->target_name = keep_name(a, n, in->target);
	line->has_data = in->has_data;
	line->data = in->data;
	if (in->has_data)
		line->data_name = keep_name(a, n, in->data);
}

/* The rest of an instruction whose bytes do not fit into a line. */
static void add_more_bytes(struct listing *l, u64 addr, const u8 *bytes, u8 len)
{
	for (u8 at = RAW_BYTES; at < len; at += RAW_BYTES) {
		struct view_line *line = listing_code(l, addr + at, "");

		line->goes_on = true;
		line->bytes = bytes + at;
		line->len = (u8)MIN(len - at, RAW_BYTES);
	}
}

/* The type of what it accesses, where that is known. */
static const char *data_type(struct annotator *a, struct annotation *n, u64 shown)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct types_access access;
	u64 addr;

	if (!a->o.types || !dso_code_addr(&a->code, shown, &addr))
		return NULL;
	if (!a->types)
		a->types = types_new(session_dsos(a->s));
	types_of(a->types, a->dso, addr, &access);
	if (access.found != TYPES_KNOWN || access.fused)
		return NULL;
	types_add_place(a->types, &access, &text);
	return arena_strdup(&n->arena, text.buf);
}

static void add_insn(struct annotator *a, struct listing *l, const struct insn *in, const u8 *bytes,
		     const char *text)
{
	struct view_line *line;
	u64 addr;

	if (a->bpf_source.lines.nr)
		listing_bpf_place(l, bpf_source_find(&a->bpf_source, in->addr));
	else if (dso_code_addr(&a->code, in->addr, &addr))
		listing_place(l, addr);
	line = listing_code(l, in->addr, text);
	line->bytes = bytes;
	line->len = a->o.raw ? (u8)MIN(in->len, RAW_BYTES) : in->len;
	set_facts(a, l->n, line, in);
	line->data_type = data_type(a, l->n, in->addr);
	if (a->o.raw)
		add_more_bytes(l, in->addr, bytes, in->len);
}

static void disassemble(struct annotator *a, struct listing *l, const u8 *bytes, size_t size)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct insn in;

	for (size_t at = 0; at < size; at += in.len) {
		strbuf_reset(&text);
		disasm_one(a->disasm, bytes + at, size - at, l->n->view.start + at, &in, &text);
		add_insn(a, l, &in, bytes + at, text.buf);
	}
}

/* Instructions in objdump's words. What they do (jump, call, data) is known from our own decoding,
 * and is left out where that finds another length. */
static void list_objdump(struct annotator *a, struct listing *l, const struct objdump *d,
			 const u8 *bytes, size_t size)
{
	_cleanup_(strbuf_releasep) struct strbuf own = STRBUF_INIT;
	u64 start = l->n->view.start;

	for (size_t i = 0; i < d->insns.nr; i++) {
		u64 addr = d->insns.v[i].addr;
		size_t at = (size_t)(addr - start);
		size_t end = i + 1 < d->insns.nr ? (size_t)(d->insns.v[i + 1].addr - start) : size;
		const char *text = d->text.buf + d->insns.v[i].text;
		struct insn in = { .addr = addr };

		strbuf_reset(&own);
		if (a->disasm)
			disasm_one(a->disasm, bytes + at, size - at, addr, &in, &own);
		if (in.len != end - at)
			in = (struct insn){ .addr = addr,
					    .len = (u8)MIN(end - at, (size_t)UINT8_MAX) };
		if (strcmp(own.buf, text) != 0) {
			in.operands = strcspn(text, " \t");
			in.operands += strspn(text + in.operands, " \t");
			in.comment = strchr(text, '#') && in.comment ? strcspn(text, "#") : 0;
		}
		add_insn(a, l, &in, bytes + at, text);
	}
}

/* ------------------------------------------------------------------ jumps and counts */

/* The line of the instruction that holds an address; NULL: none. */
static struct view_line *line_at(struct annotation *n, const u32 *code, size_t nr, u64 addr)
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (n->lines.v[code[mid]].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &n->lines.v[code[lo - 1]] : NULL;
}

static void count_jumps(struct annotation *n, const u32 *code, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct view_line *line = &n->lines.v[code[i]], *to;

		if (line->flow != VIEW_FLOW_JUMP || !line->target_inside)
			continue;
		to = line_at(n, code, nr, line->target);
		if (to && to->addr == line->target)
			to->nr_jumps++;
	}
}

static void count_samples(struct annotator *a, struct annotation *n,
			  const struct annotate_request *r, const u32 *code, size_t nr)
{
	for (size_t i = 0; i < r->function->nr; i++) {
		const struct address_row *row = &r->counts->rows.v[r->function->first + i];
		u32 event = row->event - r->leader->index;
		struct view_line *line = NULL;
		u64 shown;

		if (event >= r->nr_events)
			continue;
		event = n->columns[event];
		if (dso_code_shown(&a->code, row->addr, &shown))
			line = line_at(n, code, nr, shown);
		if (!line)
			continue;
		if (!line->counts)
			line->counts = arena_zalloc(&n->arena,
						    n->view.nr_events * sizeof(*line->counts));
		struct view_line_count *c = (struct view_line_count *)&line->counts[event];

		c->nr += row->nr;
		c->period += row->period;
	}
}

/* The line of an address in the object, as for line_at(). */
static struct view_line *line_of(struct annotator *a, struct annotation *n, const u32 *code,
				 size_t nr, u64 addr)
{
	u64 shown;

	return dso_code_shown(&a->code, addr, &shown) ? line_at(n, code, nr, shown) : NULL;
}

/* Instructions from one line to another. */
static u64 insns_between(const struct view_line *from, const struct view_line *to)
{
	u64 nr = 0;

	for (const struct view_line *line = from; line <= to; line++)
		nr += line->is_code && !line->goes_on;
	return nr;
}

static void add_cycles(struct view_line_branches *b, const struct run_row *run, u64 insns)
{
	if (!b->timed || run->least < b->least)
		b->least = run->least;
	b->most = MAX(b->most, run->most);
	b->timed += run->timed;
	b->cycles += run->cycles;
	b->insns += run->timed * insns;
}

/* Each run of code between two branches counts for all lines from its first to its last. */
static void count_branches(struct annotator *a, struct annotation *n,
			   const struct annotate_request *r, const u32 *code, size_t nr)
{
	struct view_line_branches *all;
	size_t first, nr_runs;
	u64 ran = 0;

	if (!r->counts->runs || !nr)
		return;
	nr_runs = runs_of(r->counts->runs, r->function->dso, r->function->sym, &first);
	if (!nr_runs)
		return;
	/* by line; `ran` is first the difference to the line before, and summed up below */
	all = arena_zalloc(&n->arena, (n->lines.nr + 1) * sizeof(*all));
	for (size_t i = first; i < first + nr_runs; i++) {
		const struct run_row *run = &r->counts->runs->rows.v[i];
		struct view_line *from = line_of(a, n, code, nr, run->start);
		struct view_line *to = line_of(a, n, code, nr, run->end);

		if (!from || !to)
			continue;
		all[from - n->lines.v].ran += run->nr;
		all[from - n->lines.v].entered += run->nr;
		all[to - n->lines.v + 1].ran -= run->nr;
		all[to - n->lines.v].taken += run->nr;
		all[to - n->lines.v].predicted += run->predicted;
		if (run->timed)
			add_cycles(&all[to - n->lines.v], run, insns_between(from, to));
	}
	for (size_t i = 0; i < n->lines.nr; i++) {
		ran += all[i].ran;
		all[i].ran = ran;
		if (ran && n->lines.v[i].is_code)
			n->lines.v[i].branches = &all[i];
	}
}

static void count(struct annotator *a, struct annotation *n, const struct annotate_request *r)
{
	_cleanup_(mem_freep) u32 *code = XNEW_ARRAY(u32, n->lines.nr + 1);
	size_t nr = 0;

	for (size_t i = 0; i < n->lines.nr; i++)
		if (n->lines.v[i].is_code)
			code[nr++] = (u32)i;
	count_jumps(n, code, nr);
	count_samples(a, n, r, code, nr);
	count_branches(a, n, r, code, nr);
}

/* ------------------------------------------------------------------ head */

/* Of a group without a name recorders write a name. */
static const char *group_name(const struct perfdata_event *leader)
{
	const char *name = leader->group_name;

	return name && strcmp(name, "{anon_group}") != 0 ? name : "anon group";
}

static struct address_total total_of(const struct addresses *counts, u32 index)
{
	return index < counts->totals.nr ? counts->totals.v[index] : (struct address_total){ 0 };
}

static void set_events(struct annotator *a, struct annotation *n, const struct annotate_request *r)
{
	struct perfdata *f = session_file(a->s);
	u32 nr = 0;

	n->events = XNEW_ARRAY(struct view_annotation_event, r->nr_events);
	n->columns = arena_zalloc(&n->arena, r->nr_events * sizeof(*n->columns));
	for (u32 i = 0; i < r->nr_events; i++) {
		u32 index = r->leader->index + i;
		const struct perfdata_event *ev = perfdata_event(f, index);
		struct address_total own = addresses_of(r->counts, r->function, index);
		struct address_total all = total_of(r->counts, index);

		if (a->o.skip_empty && !all.nr)
			continue;
		n->columns[i] = nr;
		n->events[nr++] = (struct view_annotation_event){
			.name = ev->name,
			.frequency = ev->attr.freq ? ev->attr.sample_freq : 0,
			.nr = own.nr,
			.period = own.period,
			.total_nr = all.nr,
			.total_period = all.period
		};
	}
	n->view.events = n->events;
	n->view.nr_events = nr;
}

/* "anon group { cycles, instructions }" */
static void set_group(struct annotation *n, const struct annotate_request *r)
{
	struct strbuf group = STRBUF_INIT;

	if (n->view.nr_events < 2)
		return;
	if (r->leader->nr_members > 1)
		strbuf_addf(&group, "%s { ", group_name(r->leader));
	for (u32 i = 0; i < n->view.nr_events; i++)
		strbuf_addf(&group, "%s%s", i ? ", " : "", n->events[i].name);
	if (r->leader->nr_members > 1)
		strbuf_adds(&group, " }");
	n->view.group = n->group = strbuf_detach(&group);
}

static void set_head(struct annotator *a, struct annotation *n, const struct annotate_request *r)
{
	struct dso *d = dso_table_get(session_dsos(a->s), r->function->dso);
	_cleanup_(strbuf_releasep) struct strbuf id = STRBUF_INIT;

	/* (of the running machine symbols come and go) */
	n->view.symbol = arena_strdup(&n->arena, symtab_name(dso_symtab(d), r->function->sym));
	n->view.dso = dso_long_name(d);
	n->view.dso_short = dso_short_name(d);
	n->view.process = a->code.process;
	if (dso_build_id(d)->size) {
		fmt_build_id(&id, dso_build_id(d)->bytes, dso_build_id(d)->size);
		n->view.build_id = arena_strdup(&n->arena, id.buf);
	}
	set_events(a, n, r);
	set_group(n, r);
}

/* Where the function is, as shown; false: nowhere. */
static bool find_range(struct annotator *a, struct annotation *n, const struct annotate_request *r)
{
	const struct symtab *st = dso_symtab(dso_table_get(session_dsos(a->s), r->function->dso));
	u64 start = symtab_start(st, r->function->sym), end = symtab_end(st, r->function->sym);

	if (end <= start || !dso_code_shown(&a->code, start, &n->view.start))
		return false;
	n->view.size = end - start;
	n->view.cut = n->view.size > ANNOTATE_MAX_BYTES;
	return true;
}

static void list(struct annotator *a, struct annotation *n, const struct annotate_request *r,
		 const u8 *bytes, size_t size, const struct objdump *d)
{
	struct listing l = { .n = n,
			     .o = &a->o,
			     .dso = dso_table_get(session_dsos(a->s), r->function->dso),
			     .code = &a->code,
			     .files = a->files,
			     .function = STRBUF_INIT,
			     .tmp = STRBUF_INIT };
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	u64 offset;

	if (!dso_code_name(&a->code, n->view.start, &name, &offset))
		strbuf_adds(&name, n->view.symbol);
	listing_begin(&l, name.buf, n->view.start);
	if (d->insns.nr)
		list_objdump(a, &l, d, bytes, size);
	else
		disassemble(a, &l, bytes, size);
	listing_release(&l);
	dso_code_forget_names(&a->code);
}

struct annotation *annotate(struct annotator *a, const struct annotate_request *r,
			    enum annotate_problem *problem, enum dso_code_problem *code,
			    struct err *e)
{
	_cleanup_(objdump_release) struct objdump d = OBJDUMP_INIT;
	struct annotation *n;
	size_t size;
	u8 *bytes;

	open_object(a, r->function->dso);
	*code = a->problem;
	*problem = a->problem ? ANNOTATE_NO_CODE : ANNOTATE_NO_DISASSEMBLER;
	if (a->problem || (open_disasm(a, e) < 0 && !a->o.objdump))
		return NULL;
	n = XNEW(struct annotation);
	*problem = ANNOTATE_UNREADABLE;
	if (!find_range(a, n, r)) {
		annotation_free(n);
		return NULL;
	}
	size = (size_t)MIN(n->view.size, (u64)ANNOTATE_MAX_BYTES);
	bytes = arena_alloc(&n->arena, size);
	size = dso_code_read(&a->code, n->view.start, bytes, size);
	if (!size) {
		annotation_free(n);
		return NULL;
	}
	if (a->o.objdump) {
		struct objdump_code c = { &a->code, bytes, n->view.start, size };

		*problem = ANNOTATE_NO_DISASSEMBLER;
		*e = (struct err)ERR_INIT;
		if (objdump_run(&d, &a->o, &c, e) < 0) {
			annotation_free(n);
			return NULL;
		}
	}
	set_head(a, n, r);
	list(a, n, r, bytes, size, &d);
	if (!a->o.objdump && disasm_check(a->disasm, e) < 0) {
		*problem = ANNOTATE_NO_DISASSEMBLER;
		annotation_free(n);
		return NULL;
	}
	count(a, n, r);
	n->view.lines = n->lines.v;
	n->view.nr_lines = n->lines.nr;
	*problem = ANNOTATE_DONE;
	return n;
}

const struct view_annotation *annotation_view(const struct annotation *n)
{
	return &n->view;
}

void annotation_free(struct annotation *n)
{
	if (!n)
		return;
	arena_release(&n->arena);
	vec_free(&n->lines);
	free(n->events);
	free(n->group);
	free(n);
}
