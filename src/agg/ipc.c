/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/ipc.h"

#include "agg/private.h"
#include "arch/x86_insn.h"
#include "dso/files.h"

enum {
	CYCLES_SHIFT = 4,
	CYCLES_MASK = 0xffff,
	FUNCTION_MAX = 1 << 20, /* bytes of code that are looked at */
};

struct ipc_block {
	dso_id dso;
	u32 sym;
	u64 start, end; /* in the object */
	u64 cycles, nr;
};

VEC_TYPE(ipc_blocks, struct ipc_block);

struct PER_THREAD ipc_table {
	struct ipc_blocks rows;
	struct map by_end;
};

struct ipc_function {
	dso_id dso;
	u64 start; /* of the symbol */
	u64 size, ends; /* instructions; those that end a block */
	u64 insns, cycles; /* of all blocks */
};

struct ipc {
	struct agg *a;
	struct ipc_table *workers;
	unsigned int nr_workers;
	VEC(struct ipc_function) functions;
	struct map by_start;
};

struct ipc *ipc_new(struct agg *a)
{
	struct ipc *x = XNEW(struct ipc);

	x->a = a;
	x->nr_workers = session_workers(a->s);
	x->workers = XNEW_PER_THREAD(struct ipc_table, x->nr_workers);
	return x;
}

void ipc_free(struct ipc *x)
{
	if (!x)
		return;
	for (unsigned int i = 0; i < x->nr_workers; i++) {
		vec_free(&x->workers[i].rows);
		map_release(&x->workers[i].by_end);
	}
	free(x->workers);
	vec_free(&x->functions);
	map_release(&x->by_start);
	free(x);
}

static u64 block_hash(const struct ipc_block *b)
{
	return hash_finish(hash_mix(hash_mix(b->dso, b->sym), b->end));
}

/* What begins earlier takes the place of what begins later. */
static void add_block(struct ipc_table *t, const struct ipc_block *b)
{
	u64 h = block_hash(b);
	u32 i;

	for (struct map_probe p = map_first(&t->by_end, h); map_next(&t->by_end, &p, &i);) {
		struct ipc_block *row = &t->rows.v[i];

		if (row->dso != b->dso || row->sym != b->sym || row->end != b->end)
			continue;
		if (b->start < row->start) {
			*row = *b;
		} else if (b->start == row->start) {
			row->cycles += b->cycles;
			row->nr += b->nr;
		}
		return;
	}
	map_add(&t->by_end, h, (u32)t->rows.nr);
	*VEC_PUSH(&t->rows) = *b;
}

void ipc_add(struct ipc *x, struct session_worker *w, const struct session_record *r)
{
	struct ipc_table *t = &x->workers[session_worker_number(w)];
	const struct sample *s = r->sample;

	if (!s->nr_branch || !(s->branch[2] >> CYCLES_SHIFT & CYCLES_MASK))
		return;
	for (u64 i = 0; i + 1 < s->nr_branch; i++) {
		const u64 *branch = s->branch + 3 * i, *older = branch + 3;
		u64 cycles = branch[2] >> CYCLES_SHIFT & CYCLES_MASK;
		struct location end, start;

		if (!cycles)
			continue;
		session_locate(w, &r->site, agg_level_of(branch[0]), branch[0], &end);
		if (!end.dso || end.sym == SYM_NONE)
			continue;
		session_locate(w, &r->site, agg_level_of(older[1]), older[1], &start);
		if (start.dso == end.dso && start.sym == end.sym && start.addr <= end.addr)
			add_block(t, &(struct ipc_block){ .dso = end.dso,
							  .sym = end.sym,
							  .start = start.addr,
							  .end = end.addr,
							  .cycles = cycles,
							  .nr = 1 });
	}
}

static struct ipc_function *function_at(const struct ipc *x, dso_id dso, u64 start, u64 h)
{
	u32 i;

	for (struct map_probe p = map_first(&x->by_start, h); map_next(&x->by_start, &p, &i);)
		if (x->functions.v[i].dso == dso && x->functions.v[i].start == start)
			return &x->functions.v[i];
	return NULL;
}

/* Of each byte of the code, and of the one behind it, how many instructions begin before it. NULL:
 * the code cannot be read. To be freed. */
static u32 *count_before(struct ipc *x, dso_id dso, u64 start, size_t size)
{
	struct elf_file f = ELF_FILE_INIT;
	u32 *before = NULL;
	u8 *code = NULL;
	bool there = dso_open_runtime(dso_table_get(session_dsos(x->a->s), dso), &f);
	size_t next = 0; /* where an instruction begins */

	if (there && (f.machine == EM_X86_64 || f.machine == EM_386) && start < f.size) {
		code = XNEW_ARRAY(u8, size + 1);
		if (size <= f.size - start && elf_read(&f, start, code, size))
			before = XNEW_ARRAY(u32, size + 1);
		for (size_t at = 0; before && at < size; at++) {
			before[at + 1] = before[at] + (at == next);
			if (at == next) /* what is no instruction is the last that is counted */
				next += x86_insn_length(code + at, size - at, f.is64);
		}
	}
	if (there)
		elf_close(&f);
	free(code);
	return before;
}

/* Blocks of one function: rows[0..nr). */
static void add_function(struct ipc *x, const struct ipc_block *rows, size_t nr)
{
	const struct symtab *st = dso_symtab(dso_table_get(session_dsos(x->a->s), rows->dso));
	struct ipc_function fn = { .dso = rows->dso, .start = symtab_start(st, rows->sym) };
	u64 size = MIN(symtab_end(st, rows->sym) - fn.start, (u64)FUNCTION_MAX);
	u32 *before = count_before(x, fn.dso, fn.start, (size_t)size);

	if (!before)
		return;
	fn.size = before[size];
	for (size_t i = 0; i < nr; i++) {
		u64 from = rows[i].start - fn.start, to = rows[i].end - fn.start;

		if (to >= size)
			continue;
		fn.insns += rows[i].nr * (before[to + 1] - before[from]);
		fn.cycles += rows[i].cycles;
		fn.ends++;
	}
	free(before);
	map_add(&x->by_start, hash_finish(hash_mix(fn.dso, fn.start)), (u32)x->functions.nr);
	*VEC_PUSH(&x->functions) = fn;
}

static int compare_blocks(const void *p, const void *q)
{
	const struct ipc_block *a = p, *b = q;

	if (a->dso != b->dso)
		return a->dso < b->dso ? -1 : 1;
	return a->sym < b->sym ? -1 : a->sym > b->sym;
}

/* Objects that were mapped under several numbers are one; then blocks become functions. */
void ipc_finish(struct ipc *x)
{
	struct ipc_table all = { 0 };
	size_t nr;

	for (unsigned int i = 0; i < x->nr_workers; i++)
		VEC_FOR(&x->workers[i].rows, row) {
			row->dso = agg_same_dso(x->a, row->dso);
			add_block(&all, row);
		}
	if (all.rows.nr)
		qsort(all.rows.v, all.rows.nr, sizeof(*all.rows.v), compare_blocks);
	for (size_t i = 0; i < all.rows.nr; i += nr) {
		for (nr = 1;
		     i + nr < all.rows.nr && !compare_blocks(&all.rows.v[i], &all.rows.v[i + nr]);)
			nr++;
		add_function(x, &all.rows.v[i], nr);
	}
	vec_free(&all.rows);
	map_release(&all.by_end);
}

void ipc_text(struct ipc *x, frame_id frame, struct strbuf *out)
{
	const struct frame *f = session_frame_get(x->a->s, frame);
	const struct ipc_function *fn = NULL;
	dso_id dso = f->dso ? agg_same_dso(x->a, f->dso) : 0;

	if (!dso || f->sym == SYM_NONE) {
		strbuf_addch(out, '-');
		return;
	}
	fn = function_at(x, dso, f->addr, hash_finish(hash_mix(dso, f->addr)));
	strbuf_addf(out, "%.2f  [%5.1f%%]",
		    fn && fn->cycles ? (double)fn->insns / (double)fn->cycles : 0.0,
		    fn && fn->size ? 100.0 * (double)fn->ends / (double)fn->size : 0.0);
}
