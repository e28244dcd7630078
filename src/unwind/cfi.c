/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/cfi.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/search.h"
#include "base/vec.h"
#include "dso/dwarf/reader.h"
#include "dso/elf/unpack.h"
#include "unwind/cfi_entry.h"
#include "unwind/cfi_program.h"
#include "unwind/go_frames.h"
#include "unwind/plt.h"

/* Of one object: functions, rows that were looked at and kept (16 bytes each), bytes of rules. */
enum { PAGE_BITS = 11, PAGES_MAX = 1 << 20 };
/* Bytes of instructions that are run again for whole rules. */
enum { REMADE_MAX = 1 << 28 };
/* Places of expressions are kept in 31 bits. */
enum { SECTION_MAX = INT32_MAX };
enum { FUNCTIONS_MAX = 1 << 24, ROWS_SEEN_MAX = 1 << 27, ROWS_MAX = 1 << 24, RULES_MAX = 1 << 27 };

struct fde_index {
	u64 start, len; /* virtual addresses */
	u64 offset; /* in the section */
};

/* From an offset in a function on: a step, or (CFI_STEP_RULE) the rule of the number step.cfa. */
struct cfi_row {
	u32 offset;
	struct cfi_step step;
};

/* A compiled function. */
struct cfi_function {
	u64 start, len;
	u64 offset; /* of its FDE; in a table of Go: its number */
	u32 nr_rows;
	u32 section;
	const struct cfi_row *rows;
};

enum cfi_source { EH_FRAME, DEBUG_FRAME, NR_SECTIONS, GO_TABLE = NR_SECTIONS, NR_SOURCES };

struct cfi {
	const struct unwind_abi *abi;
	struct cfi_section sections[NR_SECTIONS];
	struct dwarf_section eh_frame; /* a large one's pages */
	int fd; /* of its file; -1: there is no such */
	struct go_table go; /* nr 0: there is none */
	struct elf_segment *segments;
	u32 nr_segments;
	struct plt plt;
	/* .eh_frame_hdr: pairs of (address, FDE), both relative to hdr_addr, sorted */
	u8 *hdr;
	const u8 *table;
	u64 nr_table, hdr_addr;
	/* where in the table the addresses of each page (PAGE_BITS) begin: a search through all of
	 * it waits for memory ten times */
	u32 *pages;
	u64 nr_pages, first_page;
	/* by place in the table: the function, NULL = not yet; set once, so that readers need no
	 * lock */
	_Atomic(const struct cfi_function *) *compiled;
	atomic_bool has_compiled; /* and what it is found by */
	/* what is not in such a table: all FDEs by address, made when first needed */
	struct fde_index *index[NR_SECTIONS];
	size_t nr_index[NR_SECTIONS];
	bool indexed[NR_SECTIONS];
	/* compiled so far; all of it under lock */
	pthread_mutex_t lock;
	struct arena arena;
	struct map by_place, by_content;
	VEC(const struct cfi_function *) functions; /* that are found by_place; in the arena */
	VEC(const struct cfi_rule *) rules;
	VEC(struct cfi_row) rows; /* of the function being compiled */
	u64 wanted; /* cfi_find(): an offset in a function ... */
	const struct cfi_rule *found; /* ... and its rule */
	u64 remade;
	u64 rows_seen, nr_rows, rule_bytes;
};

/* To be read when it is needed: of a large one that is a part. */
static bool read_later(struct cfi *c, const struct elf_file *f, const struct elf_section *s)
{
	enum { LARGE = 1 << 16 };

	if (s->size < LARGE || s->size > SECTION_MAX)
		return false;
	c->fd = dwarf_section_file(f);
	return c->fd >= 0 && dwarf_section_open_plain(&c->eh_frame, f, c->fd, s);
}

static void read_section(struct cfi *c, enum cfi_source nr, const struct elf_file *f,
			 const char *name)
{
	const struct elf_section *s = f ? elf_section_by_name(f, name) : NULL;
	struct cfi_section *out = &c->sections[nr];
	u64 room = UNPACK_ROOM;

	if (!s || out->data)
		return;
	*out = (struct cfi_section){ .addr = s->addr,
				     .debug = nr == DEBUG_FRAME,
				     .swap = f->swap,
				     .word = f->is64 ? 8 : 4 };
	if (nr == EH_FRAME && read_later(c, f, s)) {
		out->pages = &c->eh_frame;
		out->data = c->eh_frame.data;
		out->size = c->eh_frame.size;
		return;
	}
	out->data = unpack_section(f, s, &room, &out->size);
	if (out->data && out->size > SECTION_MAX) {
		free(out->data);
		out->data = NULL;
	}
}

static void read_table(struct cfi *c, const struct elf_file *f)
{
	enum { VERSION = 1, ENC_UDATA4 = 0x03, ENC_DATAREL_SDATA4 = 0x3b, HEAD = 4 };
	const struct elf_section *s = elf_section_by_name(f, ".eh_frame_hdr");
	struct dwarf_reader r;
	u8 ptr_enc, nr_enc, table_enc;

	if (!s || !c->sections[EH_FRAME].data)
		return;
	c->hdr = elf_section_data(f, s);
	if (!c->hdr || s->size < HEAD)
		return;
	r = (struct dwarf_reader){ .p = c->hdr, .end = c->hdr + s->size, .swap = f->swap };
	if (dwarf_bytes(&r, 1) != VERSION)
		return;
	ptr_enc = (u8)dwarf_bytes(&r, 1);
	nr_enc = (u8)dwarf_bytes(&r, 1);
	table_enc = (u8)dwarf_bytes(&r, 1);
	/* The only form that linkers write; everything else is indexed by ourselves. */
	if ((ptr_enc & 0x0f) != 0x0b || nr_enc != ENC_UDATA4 || table_enc != ENC_DATAREL_SDATA4)
		return;
	dwarf_skip(&r, 4);
	c->nr_table = dwarf_bytes(&r, 4);
	if (r.bad || c->nr_table > (u64)(r.end - r.p) / 8) {
		c->nr_table = 0;
		return;
	}
	c->table = r.p;
	c->hdr_addr = s->addr;
}

struct cfi *cfi_open(const struct elf_file *runtime, const struct elf_file *debug)
{
	const struct elf_file *f = runtime ? runtime : debug;
	const struct unwind_abi *abi = NULL;
	struct cfi *c;

	if (f && f->machine == EM_X86_64)
		abi = unwind_abi_find("x86_64", false);
	else if (f && f->machine == EM_386)
		abi = unwind_abi_find("i386", true);
	else if (f && f->machine == EM_AARCH64)
		abi = unwind_abi_find("aarch64", false);
	if (!abi)
		return NULL;
	c = XNEW(struct cfi);
	c->abi = abi;
	c->fd = -1;
	pthread_mutex_init(&c->lock, NULL);
	if (runtime) {
		read_section(c, EH_FRAME, runtime, ".eh_frame");
		read_table(c, runtime);
		plt_read(&c->plt, runtime);
	}
	for (int i = 0; i < 2; i++) {
		read_section(c, DEBUG_FRAME, i ? debug : runtime, ".debug_frame");
		read_section(c, DEBUG_FRAME, i ? debug : runtime, ".zdebug_frame");
	}
	if (!c->sections[DEBUG_FRAME].data && runtime)
		go_table_open(&c->go, runtime);
	if (!c->sections[EH_FRAME].data && !c->sections[DEBUG_FRAME].data && !c->go.nr) {
		cfi_free(c);
		return NULL;
	}
	c->nr_segments = f->nr_segments;
	c->segments = XNEW_ARRAY(struct elf_segment, c->nr_segments);
	if (c->nr_segments)
		memcpy(c->segments, f->segments, c->nr_segments * sizeof(*c->segments));
	return c;
}

void cfi_free(struct cfi *c)
{
	if (!c)
		return;
	for (int i = 0; i < NR_SECTIONS; i++) {
		if (!c->sections[i].pages)
			free(c->sections[i].data);
		free(c->index[i]);
	}
	dwarf_section_close(&c->eh_frame);
	if (c->fd >= 0)
		close(c->fd);
	go_table_release(&c->go);
	free(c->segments);
	free(c->pages);
	free((void *)c->compiled);
	free(c->hdr);
	arena_release(&c->arena);
	map_release(&c->by_place);
	map_release(&c->by_content);
	vec_free(&c->functions);
	vec_free(&c->rules);
	vec_free(&c->rows);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

const struct unwind_abi *cfi_abi(const struct cfi *c)
{
	return c->abi;
}

/* ---- where the FDE of an address is ---- */

static int index_cmp(const void *a, const void *b)
{
	const struct fde_index *x = a;
	const struct fde_index *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void make_index(struct cfi *c, enum cfi_source nr)
{
	const struct cfi_section *s = &c->sections[nr];
	VEC(struct fde_index) list = { 0 };
	struct cfi_entry entry;
	struct cfi_cie cie = { 0 };
	u64 cie_at = UINT64_MAX;

	c->indexed[nr] = true;
	/* at once, which is faster than page by page */
	if (s->pages)
		dwarf_section_need(s->pages, 0, s->size);
	for (u64 at = 0; list.nr < FUNCTIONS_MAX && cfi_entry_at(s, at, &entry); at = entry.next) {
		struct cfi_entry cie_entry;
		struct cfi_fde fde;

		if (entry.is_cie)
			continue;
		if (entry.cie != cie_at) {
			if (!cfi_entry_at(s, entry.cie, &cie_entry) || !cie_entry.is_cie ||
			    !cfi_cie_read(s, &cie_entry, &cie))
				continue;
			cie_at = entry.cie;
		}
		if (cfi_fde_range(s, &entry, &cie, &fde))
			*VEC_PUSH(&list) = (struct fde_index){ fde.start, fde.len, at };
	}
	if (list.nr)
		qsort(list.v, list.nr, sizeof(*list.v), index_cmp);
	c->index[nr] = list.v;
	c->nr_index[nr] = list.nr;
}

static bool find_in_index(struct cfi *c, enum cfi_source nr, u64 addr, u64 *offset)
{
	size_t lo;

	if (!c->indexed[nr])
		make_index(c, nr);
	lo = search_up_to(c->index[nr], c->nr_index[nr], sizeof(*c->index[nr]), addr);
	if (!lo || addr - c->index[nr][lo - 1].start >= c->index[nr][lo - 1].len)
		return false;
	*offset = c->index[nr][lo - 1].offset;
	return true;
}

/* A function's entry, or its place in Go's table. */
struct cfi_described {
	struct cfi *c;
	const struct cfi_section *s; /* NULL: Go */
	struct cfi_fde fde;
	struct go_function go;
};

/* Where a function is described; false: what is there makes no sense. */
static bool find_described(struct cfi *c, enum cfi_source nr, u64 offset, struct cfi_described *out)
{
	struct cfi_entry entry;

	out->c = c;
	out->s = nr == GO_TABLE ? NULL : &c->sections[nr];
	if (!out->s)
		return go_table_function(&c->go, offset, &out->go);
	return cfi_entry_at(out->s, offset, &entry) && cfi_fde_read(out->s, &entry, &out->fde);
}

bool cfi_described_rows(const struct cfi_described *fn, cfi_row_fn *row, void *ctx)
{
	if (!fn->s)
		return go_frames_run(&fn->c->go, &fn->go, fn->c->abi, row, ctx);
	return fn->fde.cie.ra == fn->c->abi->ra &&
	       cfi_program_run(fn->s, &fn->fde, fn->c->abi, row, ctx);
}

static void each_in_section(struct cfi *c, enum cfi_source nr, u32 max, cfi_function_fn *fn,
			    void *ctx)
{
	struct cfi_described d = { .c = c, .s = &c->sections[nr] };
	size_t step = c->nr_index[nr] / max + 1;
	struct cfi_entry entry;

	for (size_t i = 0; i < c->nr_index[nr]; i += step)
		if (cfi_entry_at(d.s, c->index[nr][i].offset, &entry) &&
		    cfi_fde_read(d.s, &entry, &d.fde) && d.fde.cie.ra == c->abi->ra)
			fn(ctx, &d, d.fde.start, d.fde.len);
}

static u32 each_of_go(struct cfi *c, u32 max, cfi_function_fn *fn, void *ctx, double *bytes)
{
	struct cfi_described d = { .c = c };
	u64 step = c->go.nr / max + 1;
	struct go_values v;
	u32 total = 0;

	for (u64 i = 0; i < c->go.nr; i++) {
		if (!go_table_function(&c->go, i, &d.go) ||
		    !go_values_begin(&c->go, &d.go, GO_STACK, &v))
			continue;
		total++;
		*bytes += (double)(d.go.end - d.go.start);
		if (i % step == 0)
			fn(ctx, &d, d.go.start, d.go.end - d.go.start);
	}
	return total;
}

static u64 table_value(const struct cfi *c, u64 i, int field)
{
	struct dwarf_reader r = { .p = c->table + i * 8 + field * 4, .swap = c->sections[0].swap };

	r.end = r.p + 4;
	return c->hdr_addr + (u64)dwarf_signed(&r, 4);
}

/* Those that linkers' table lists, without a look at what lies between them. */
static u64 each_in_table(struct cfi *c, u32 max, cfi_function_fn *fn, void *ctx, double *bytes)
{
	struct cfi_described d;
	u64 step = c->nr_table / max + 1;
	double described = 0, room = 0; /* of those looked at; up to the next one */

	for (u64 i = 0; i < c->nr_table; i += step) {
		u64 next = table_value(c, MIN(i + 1, c->nr_table - 1), 0);

		if (!find_described(c, EH_FRAME, table_value(c, i, 1) - c->sections[EH_FRAME].addr,
				    &d))
			continue;
		described += (double)d.fde.len;
		room += (double)(next > d.fde.start ? next - d.fde.start : d.fde.len);
		if (d.fde.cie.ra == c->abi->ra)
			fn(ctx, &d, d.fde.start, d.fde.len);
	}
	/* sizes of functions differ a thousandfold, but where all are described each fills its
	 * room */
	if (step > 1 && room > 0)
		described *= (double)(table_value(c, c->nr_table - 1, 0) - table_value(c, 0, 0)) /
			     room;
	*bytes += described;
	return c->nr_table;
}

static u64 each_in_index(struct cfi *c, enum cfi_source nr, u32 max, cfi_function_fn *fn, void *ctx,
			 double *bytes)
{
	if (!c->indexed[nr])
		make_index(c, nr);
	for (size_t i = 0; i < c->nr_index[nr]; i++)
		*bytes += (double)c->index[nr][i].len;
	each_in_section(c, nr, max, fn, ctx);
	return c->nr_index[nr];
}

u32 cfi_each_function(struct cfi *c, u32 max, cfi_function_fn *fn, void *ctx, double *bytes)
{
	u64 total = 0;

	*bytes = 0;
	for (int nr = 0; nr < NR_SECTIONS; nr++)
		if (c->sections[nr].data)
			total += nr == EH_FRAME && c->nr_table
					 ? each_in_table(c, max, fn, ctx, bytes)
					 : each_in_index(c, nr, max, fn, ctx, bytes);
	return (u32)total + each_of_go(c, max, fn, ctx, bytes);
}

/* Once, when the table is first needed. Entries that are out of order in it are not found. */
static void index_table(struct cfi *c)
{
	u64 first = table_value(c, 0, 0) >> PAGE_BITS,
	    last = table_value(c, c->nr_table - 1, 0) >> PAGE_BITS;
	u64 page = 0;

	c->compiled = XNEW_ARRAY(_Atomic(const struct cfi_function *), c->nr_table);
	c->first_page = first;
	if (last < first || last - first >= PAGES_MAX)
		return;
	c->nr_pages = last - first + 1;
	c->pages = XNEW_ARRAY(u32, c->nr_pages + 1);
	for (u64 i = 0; i < c->nr_table; i++) {
		u64 of = (table_value(c, i, 0) >> PAGE_BITS) - first;

		while (page <= of && page <= c->nr_pages)
			c->pages[page++] = (u32)i;
	}
	while (page <= c->nr_pages)
		c->pages[page++] = (u32)c->nr_table;
}

/* The entries among which the one of an address is: the last up to it. */
static void table_range(const struct cfi *c, u64 addr, u64 *lo, u64 *hi)
{
	u64 page = (addr >> PAGE_BITS) - c->first_page;

	*lo = 0;
	*hi = c->nr_table;
	if (page >= c->nr_pages)
		return;
	*lo = c->pages[page];
	*hi = c->pages[page + 1];
}

static bool search_table(const struct cfi *c, u64 addr, u64 lo, u64 end, u64 *at)
{
	for (u64 hi = end; lo < hi;) {
		u64 mid = lo + (hi - lo) / 2;

		if (table_value(c, mid, 0) <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	*at = lo - 1;
	return lo != 0;
}

static bool find_in_table(const struct cfi *c, u64 addr, u64 *at)
{
	u64 lo, end;

	table_range(c, addr, &lo, &end);
	return search_table(c, addr, lo, end, at);
}

/* ---- rules without the registers that hardly ever matter ---- */

static struct cfi_step step_of(const struct unwind_abi *abi, const struct cfi_state *state)
{
	enum { FAR = 1 << 29 };
	const struct cfi_step all = { .kind = CFI_STEP_RULE };
	const struct cfi_cfa *cfa = &state->cfa;
	const struct cfi_reg *ra = &state->regs[abi->ra], *fp = &state->regs[abi->fp];
	struct cfi_step step = { .cfa = cfa->value };

	if (abi->link_register || abi->word != 8 || cfa->kind != CFI_REGISTER || cfa->flags ||
	    (cfa->reg != abi->sp && cfa->reg != abi->fp) || state->regs[abi->sp].kind != CFI_SAME ||
	    state->regs[0].kind == CFI_OFFSET) /* what that means the walk looks at */
		return all;
	step.kind = cfa->reg == abi->sp ? CFI_STEP_SP : CFI_STEP_FP;
	if (ra->kind == CFI_UNDEFINED)
		step.kind = CFI_STEP_OUTERMOST;
	else if (ra->kind != CFI_OFFSET || ra->value != -abi->word)
		return all;
	if (fp->kind == CFI_SAME)
		return step;
	/* the whole rule tells what is wrong with others */
	if (fp->kind != CFI_OFFSET || !fp->value || fp->value <= -FAR || fp->value >= FAR ||
	    step.kind == CFI_STEP_OUTERMOST)
		return all;
	step.fp = fp->value;
	return step;
}

/* ---- compiling a function ---- */

static u32 intern_rule(struct cfi *c, const struct cfi_state *state)
{
	struct {
		struct cfi_cfa cfa;
		struct cfi_reg regs[UNWIND_REGS];
	} r = { .cfa = state->cfa };
	const struct cfi_rule *found;
	size_t size;
	u32 i;
	u64 h;

	for (u8 col = 0; col < c->abi->nr_regs; col++) {
		if (state->regs[col].kind != CFI_SAME)
			r.regs[r.cfa.nr++] = state->regs[col];
	}
	size = sizeof(r.cfa) + r.cfa.nr * sizeof(*r.regs);
	h = hash_bytes(&r, size, 0);
	for (struct map_probe p = map_first(&c->by_content, h); map_next(&c->by_content, &p, &i);) {
		found = c->rules.v[i];
		if (found->cfa.nr == r.cfa.nr && !memcmp(found, &r, size))
			return i;
	}
	i = (u32)c->rules.nr;
	map_add(&c->by_content, h, i);
	c->rule_bytes += size;
	*VEC_PUSH(&c->rules) = arena_dup(&c->arena, &r, size);
	return i;
}

/* Nearly all rows are steps, which take a tenth of the work of rules. */
static void add_row(void *ctx, u64 offset, const struct cfi_state *state)
{
	struct cfi *c = ctx;
	struct cfi_row *last = c->rows.nr ? &c->rows.v[c->rows.nr - 1] : NULL;
	struct cfi_row row = { .offset = (u32)offset, .step = step_of(c->abi, state) };

	/* Limit: a few megabytes of hostile instructions could make billions of rows. */
	if (c->rows_seen++ >= ROWS_SEEN_MAX || c->nr_rows + c->rows.nr >= ROWS_MAX ||
	    c->rule_bytes >= RULES_MAX || offset > UINT32_MAX)
		return;
	if (row.step.kind == CFI_STEP_RULE)
		row.step.cfa = (s32)intern_rule(c, state);
	if (!last || memcmp(&last->step, &row.step, sizeof(row.step)) != 0)
		*VEC_PUSH(&c->rows) = row;
}

static const struct cfi_function *compile(struct cfi *c, enum cfi_source nr, u64 offset)
{
	struct cfi_function *fn = arena_alloc(&c->arena, sizeof(*fn));
	struct cfi_described d;

	*fn = (struct cfi_function){ .offset = offset, .section = nr };
	c->rows.nr = 0;
	if (!find_described(c, nr, offset, &d))
		return fn;
	fn->start = d.s ? d.fde.start : d.go.start;
	fn->len = d.s ? d.fde.len : d.go.end - d.go.start;
	/* Another return address column than the machine's, or broken: the rows so far count. */
	cfi_described_rows(&d, add_row, c);
	fn->nr_rows = (u32)c->rows.nr;
	c->nr_rows += fn->nr_rows;
	fn->rows = arena_dup(&c->arena, c->rows.v, c->rows.nr * sizeof(*c->rows.v));
	return fn;
}

static const struct cfi_function *function_at(struct cfi *c, enum cfi_source nr, u64 offset)
{
	u64 h = hash_u64(offset * NR_SOURCES + nr);
	const struct cfi_function *fn;
	u32 i;

	for (struct map_probe p = map_first(&c->by_place, h); map_next(&c->by_place, &p, &i);) {
		fn = c->functions.v[i];
		if (fn->offset == offset && fn->section == nr)
			return fn;
	}
	fn = compile(c, nr, offset);
	map_add(&c->by_place, h, (u32)c->functions.nr);
	*VEC_PUSH(&c->functions) = fn;
	return fn;
}

static const struct cfi_function *function_in_table(struct cfi *c, u64 addr)
{
	const struct cfi_function *fn;
	u64 at, offset;

	if (!c->compiled) {
		index_table(c);
		atomic_store_explicit(&c->has_compiled, true, memory_order_release);
	}
	if (!find_in_table(c, addr, &at))
		return NULL;
	fn = atomic_load_explicit(&c->compiled[at], memory_order_relaxed);
	if (!fn) {
		offset = table_value(c, at, 1) - c->sections[EH_FRAME].addr;
		if (offset >= c->sections[EH_FRAME].size)
			return NULL;
		fn = compile(c, EH_FRAME, offset);
		atomic_store_explicit(&c->compiled[at], fn, memory_order_release);
	}
	return fn;
}

/* The function whose entry is the one for an address, if any is; NULL: none. */
static const struct cfi_function *find_function(struct cfi *c, enum cfi_source nr, u64 addr)
{
	u64 offset;

	if (nr == GO_TABLE)
		return go_table_find(&c->go, addr, &offset) ? function_at(c, nr, offset) : NULL;
	if (!c->sections[nr].data)
		return NULL;
	if (nr == EH_FRAME && c->nr_table)
		return function_in_table(c, addr);
	return find_in_index(c, nr, addr, &offset) ? function_at(c, nr, offset) : NULL;
}

/* The row of an address; NULL: none. */
static const struct cfi_row *row_in(const struct cfi_function *fn, u64 addr)
{
	u64 at = addr - fn->start;
	u32 lo = 0;

	if (at >= fn->len)
		return NULL;
	for (u32 hi = fn->nr_rows; lo < hi;) {
		u32 mid = lo + (hi - lo) / 2;

		if (fn->rows[mid].offset <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &fn->rows[lo - 1] : NULL;
}

/* Row and function of an address; under the lock. */
static const struct cfi_row *find_row(struct cfi *c, u64 offset, const struct cfi_function **fn,
				      u64 *addr)
{
	const struct cfi_row *row = NULL;

	if (!elf_segments_vaddr(c->segments, c->nr_segments, offset, addr))
		return NULL;
	for (int nr = 0; nr < NR_SOURCES && !row; nr++) {
		*fn = find_function(c, nr, *addr);
		row = *fn ? row_in(*fn, *addr) : NULL;
	}
	return row;
}

/* Whether the linker's table is all that there is. */
static bool is_table_alone(const struct cfi *c)
{
	return !c->sections[DEBUG_FRAME].data && !c->go.nr;
}

/* The row without the lock, in what is compiled. NULL: it is not known there, or (*is_none) there
 * is none. */
static const struct cfi_row *find_compiled_row(const struct cfi *c, u64 offset, bool *is_none)
{
	const struct cfi_function *fn = NULL;
	const struct cfi_row *row;
	u64 addr, at;
	bool listed;

	*is_none = false;
	if (!atomic_load_explicit(&c->has_compiled, memory_order_acquire) ||
	    !elf_segments_vaddr(c->segments, c->nr_segments, offset, &addr))
		return NULL;
	listed = find_in_table(c, addr, &at);
	if (listed)
		fn = atomic_load_explicit(&c->compiled[at], memory_order_acquire);
	row = fn ? row_in(fn, addr) : NULL;
	*is_none = !row && (fn || !listed) && is_table_alone(c);
	return row;
}

static const struct cfi_rule *find_in_plt(const struct cfi *c, u64 offset)
{
	u64 addr;

	return elf_segments_vaddr(c->segments, c->nr_segments, offset, &addr)
		       ? plt_find(&c->plt, addr)
		       : NULL;
}

static bool find_plt_step(const struct cfi *c, u64 offset, struct cfi_step *out)
{
	const struct cfi_rule *rule = find_in_plt(c, offset);

	if (!rule)
		return false;
	*out = (struct cfi_step){ .kind = CFI_STEP_RULE };
	if (!c->abi->link_register && c->abi->word == 8)
		*out = (struct cfi_step){ .kind = CFI_STEP_SP, .cfa = rule->cfa.value };
	return true;
}

bool cfi_find_step(struct cfi *c, u64 offset, struct cfi_step *out)
{
	bool is_none;
	const struct cfi_row *row = find_compiled_row(c, offset, &is_none);
	const struct cfi_function *fn;
	u64 addr;

	if (LIKELY(row)) {
		*out = row->step;
		return true;
	}
	if (is_none)
		return find_plt_step(c, offset, out);
	pthread_mutex_lock(&c->lock);
	row = find_row(c, offset, &fn, &addr);
	if (row)
		*out = row->step;
	pthread_mutex_unlock(&c->lock);
	return row || find_plt_step(c, offset, out);
}

static void ask_for_page(struct cfi_question *q)
{
	const struct cfi *c = q->c;

	q->fn = NULL;
	q->found = c && atomic_load_explicit(&c->has_compiled, memory_order_acquire) &&
		   elf_segments_vaddr(c->segments, c->nr_segments, q->offset, &q->addr);
	if (q->found && (q->addr >> PAGE_BITS) - c->first_page < c->nr_pages)
		__builtin_prefetch(&c->pages[(q->addr >> PAGE_BITS) - c->first_page]);
}

static void ask_for_table(struct cfi_question *q)
{
	if (!q->found)
		return;
	table_range(q->c, q->addr, &q->lo, &q->hi);
	__builtin_prefetch(q->c->table + (q->lo + q->hi) / 2 * 8);
	__builtin_prefetch(&q->c->compiled[q->lo]);
}

static void ask_for_function(struct cfi_question *q)
{
	u64 at;

	if (q->found && search_table(q->c, q->addr, q->lo, q->hi, &at))
		q->fn = atomic_load_explicit(&q->c->compiled[at], memory_order_acquire);
	if (q->fn)
		__builtin_prefetch(q->fn);
}

static void ask_for_rows(const struct cfi_question *q)
{
	const struct cfi_function *fn = q->fn;

	if (fn)
		__builtin_prefetch(fn->rows + fn->nr_rows / 2);
}

static void answer(struct cfi_question *q)
{
	const struct cfi_row *row = q->fn ? row_in(q->fn, q->addr) : NULL;

	q->found = row != NULL;
	if (row)
		q->step = row->step;
}

void cfi_find_steps(struct cfi_question *q, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		ask_for_page(&q[i]);
	for (size_t i = 0; i < nr; i++)
		ask_for_table(&q[i]);
	for (size_t i = 0; i < nr; i++)
		ask_for_function(&q[i]);
	for (size_t i = 0; i < nr; i++)
		ask_for_rows(&q[i]);
	for (size_t i = 0; i < nr; i++)
		answer(&q[i]);
}

/* The last row up to the wanted offset is the one. */
static void find_wanted(void *ctx, u64 offset, const struct cfi_state *state)
{
	struct cfi *c = ctx;
	u32 rule;

	if (offset > c->wanted || c->rule_bytes >= RULES_MAX)
		return;
	rule = intern_rule(c, state);
	c->found = c->rules.v[rule];
}

static const struct cfi_rule *make_rule(struct cfi *c, const struct cfi_function *fn, u64 addr)
{
	struct cfi_described d;

	c->found = NULL;
	c->wanted = addr - fn->start;
	if (!find_described(c, fn->section, fn->offset, &d) || c->remade > REMADE_MAX)
		return NULL;
	if (d.s)
		c->remade += (u64)(d.fde.end - d.fde.program);
	cfi_described_rows(&d, find_wanted, c);
	return c->found;
}

const struct cfi_rule *cfi_find(struct cfi *c, u64 offset)
{
	const struct cfi_rule *rule = NULL;
	const struct cfi_function *fn;
	const struct cfi_row *row;
	u64 addr;

	pthread_mutex_lock(&c->lock);
	row = find_row(c, offset, &fn, &addr);
	if (row)
		rule = row->step.kind == CFI_STEP_RULE ? c->rules.v[row->step.cfa]
						       : make_rule(c, fn, addr);
	pthread_mutex_unlock(&c->lock);
	return row ? rule : find_in_plt(c, offset);
}

const u8 *cfi_expression(const struct cfi *c, const struct cfi_rule *rule, s32 value)
{
	return c->sections[rule->cfa.debug_frame ? DEBUG_FRAME : EH_FRAME].data + value;
}
