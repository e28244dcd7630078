/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symtab.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "dso/demangle.h"

struct symtab {
	u32 nr;
	unsigned int flags;
	u64 *start; /* ascending, no two equal */
	u64 *end;
	u32 *name;
	char *binding;
	/*
	 * Nearest earlier symbol that reaches beyond this one's start, SYM_NONE if none: the chain of
	 * symbols around an address that falls behind a nested one. NULL when nothing overlaps.
	 */
	u32 *outer;
	const char *names;
	size_t names_size;
	char *own_names; /* NULL when shared */
	/* Names as shown, by symbol, filled on first use; the lock guards the writers and arena. */
	_Atomic(const char *) *shown;
	pthread_mutex_t lock;
	struct arena arena;
};

static struct symtab none;

struct symtab *symtab_none(void)
{
	return &none;
}

void symtab_builder_add(struct symtab_builder *b, u64 start, u64 end, const char *name,
			char binding)
{
	size_t at = b->names.len;

	if (b->rows.nr >= LIMIT_SYMBOLS || at >= UINT32_MAX)
		return;
	strbuf_add(&b->names, name, strlen(name) + 1);
	*VEC_PUSH(&b->rows) = (struct sym_row){
		.start = start,
		.end = end,
		.name = (u32)at,
		.binding = binding,
	};
}

void symtab_builder_release(struct symtab_builder *b)
{
	vec_free(&b->rows);
	strbuf_release(&b->names);
}

/* Stable sort by start: counting sort byte by byte, skipping bytes that are the same everywhere. */
static void sort_rows(struct sym_row *rows, size_t nr)
{
	_cleanup_(mem_freep) struct sym_row *other = NULL;
	struct sym_row *from = rows;
	struct sym_row *to;
	bool sorted = true;
	u64 differ = 0;

	for (size_t i = 1; i < nr; i++) {
		sorted &= rows[i - 1].start <= rows[i].start;
		differ |= rows[i].start ^ rows[0].start;
	}
	if (sorted)
		return;
	other = XNEW_ARRAY(struct sym_row, nr);
	to = other;
	for (unsigned int shift = 0; shift < 64; shift += 8) {
		size_t at[256] = { 0 };
		size_t sum = 0;
		struct sym_row *swap;

		if (!(differ >> shift & 0xff))
			continue;
		for (size_t i = 0; i < nr; i++)
			at[from[i].start >> shift & 0xff]++;
		for (size_t i = 0; i < 256; i++) {
			size_t n = at[i];

			at[i] = sum;
			sum += n;
		}
		for (size_t i = 0; i < nr; i++)
			to[at[from[i].start >> shift & 0xff]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != rows)
		memcpy(rows, from, nr * sizeof(*rows));
}

static size_t leading_underscores(const char *s)
{
	return strspn(s, "_");
}

/*
 * Which of two names for one address is shown; a comes first in the file. Observed order of perf:
 * a size beats none, then not weak, then global, then fewer leading underscores, then the longer
 * name, then the first.
 */
static bool first_wins(const struct sym_row *a, const struct sym_row *b, const char *names)
{
	const char *na = names + a->name;
	const char *nb = names + b->name;
	size_t ua;
	size_t ub;
	size_t la;
	size_t lb;

	if ((a->end == a->start) != (b->end == b->start))
		return a->end != a->start;
	if ((a->binding == 'w') != (b->binding == 'w'))
		return b->binding == 'w';
	if ((a->binding == 'g') != (b->binding == 'g'))
		return a->binding == 'g';
	ua = leading_underscores(na);
	ub = leading_underscores(nb);
	if (ua != ub)
		return ua < ub;
	la = strlen(na);
	lb = strlen(nb);
	return la >= lb;
}

static size_t drop_aliases(struct sym_row *rows, size_t nr, const char *names, unsigned int flags)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		if (kept && rows[kept - 1].start == rows[i].start) {
			bool last = flags & SYMTAB_LAST_WINS;

			if (last || !first_wins(&rows[kept - 1], &rows[i], names))
				rows[kept - 1] = rows[i];
		} else {
			rows[kept++] = rows[i];
		}
	}
	return kept;
}

static void close_ends(struct sym_row *rows, size_t nr)
{
	for (size_t i = 0; i + 1 < nr; i++)
		if (rows[i].end <= rows[i].start)
			rows[i].end = rows[i + 1].start;
	if (nr && rows[nr - 1].end <= rows[nr - 1].start) {
		u64 end = ALIGN_UP(rows[nr - 1].start, 4096) + 4096;

		rows[nr - 1].end = end > rows[nr - 1].start ? end : UINT64_MAX;
	}
}

static void note_overlaps(struct symtab *st)
{
	bool overlap = false;

	for (u32 i = 1; i < st->nr && !overlap; i++)
		overlap = st->end[i - 1] > st->start[i];
	if (!overlap)
		return;
	st->outer = XNEW_ARRAY(u32, st->nr);
	st->outer[0] = SYM_NONE;
	for (u32 i = 1; i < st->nr; i++) {
		u32 o = i - 1;

		while (o != SYM_NONE && st->end[o] <= st->start[i])
			o = st->outer[o];
		st->outer[i] = o;
	}
}

struct symtab *symtab_build(struct symtab_builder *b, unsigned int flags)
{
	struct symtab *st;
	size_t nr = b->rows.nr;

	if (!nr) {
		symtab_builder_release(b);
		return &none;
	}
	sort_rows(b->rows.v, nr);
	nr = drop_aliases(b->rows.v, nr, b->shared ? b->shared : b->names.buf, flags);
	close_ends(b->rows.v, nr);

	st = XNEW(struct symtab);
	st->nr = (u32)nr;
	st->flags = flags;
	st->start = XNEW_ARRAY(u64, nr);
	st->end = XNEW_ARRAY(u64, nr);
	st->name = XNEW_ARRAY(u32, nr);
	st->binding = XNEW_ARRAY(char, nr);
	for (size_t i = 0; i < nr; i++) {
		st->start[i] = b->rows.v[i].start;
		st->end[i] = b->rows.v[i].end;
		st->name[i] = b->rows.v[i].name;
		st->binding[i] = b->rows.v[i].binding;
	}
	if (b->shared) {
		st->names = b->shared;
		st->names_size = b->shared_size;
	} else {
		st->names_size = b->names.len + 1;
		st->names = st->own_names = strbuf_detach(&b->names);
	}
	pthread_mutex_init(&st->lock, NULL);
	/* Large and zeroed: the kernel hands out its pages only where names are really asked for. */
	st->shown = xcalloc(nr, sizeof(*st->shown));
	vec_free(&b->rows);
	note_overlaps(st);
	return st;
}

void symtab_free(struct symtab *st)
{
	if (!st || st == &none)
		return;
	free(st->start);
	free(st->end);
	free(st->name);
	free(st->binding);
	free(st->outer);
	free(st->own_names);
	free(st->shown);
	pthread_mutex_destroy(&st->lock);
	arena_release(&st->arena);
	free(st);
}

u32 symtab_count(const struct symtab *st)
{
	return st->nr;
}

u32 symtab_find(const struct symtab *st, u64 addr)
{
	const u64 *base = st->start;
	u32 n = st->nr;
	u32 i;

	if (!n || addr < base[0])
		return SYM_NONE;
	/* The last start that is not above addr; the loop body compiles without a branch. */
	while (n > 1) {
		u32 half = n / 2;

		base += base[half] <= addr ? half : 0;
		n -= half;
	}
	i = (u32)(base - st->start);
	if (addr < st->end[i])
		return i;
	if (!st->outer)
		return SYM_NONE;
	do {
		i = st->outer[i];
	} while (i != SYM_NONE && addr >= st->end[i]);
	return i;
}

u64 symtab_start(const struct symtab *st, u32 index)
{
	return index < st->nr ? st->start[index] : 0;
}

u64 symtab_end(const struct symtab *st, u32 index)
{
	return index < st->nr ? st->end[index] : 0;
}

const char *symtab_raw_name(const struct symtab *st, u32 index)
{
	return index < st->nr && st->name[index] < st->names_size ? st->names + st->name[index] : "";
}

const char *symtab_name(const struct symtab *st, u32 index)
{
	/* The cache of shown names is the only part of a table that changes. */
	struct symtab *cache = (struct symtab *)(uintptr_t)st;
	const char *raw = symtab_raw_name(st, index);
	const char *known;
	char *fresh;

	if (index >= st->nr || !(st->flags & SYMTAB_DEMANGLE) || raw[0] != '_')
		return raw;
	known = atomic_load_explicit(&cache->shown[index], memory_order_acquire);
	if (known)
		return known;
	fresh = demangle(raw, st->flags & SYMTAB_PARAMS);
	pthread_mutex_lock(&cache->lock);
	known = atomic_load_explicit(&cache->shown[index], memory_order_relaxed);
	if (!known) {
		known = fresh ? arena_strdup(&cache->arena, fresh) : raw;
		atomic_store_explicit(&cache->shown[index], known, memory_order_release);
	}
	pthread_mutex_unlock(&cache->lock);
	free(fresh);
	return known;
}

struct symbol symtab_symbol(const struct symtab *st, u32 index)
{
	if (index >= st->nr)
		return (struct symbol){ .name = "", .binding = 'l' };
	return (struct symbol){
		.start = st->start[index],
		.end = st->end[index],
		.name = symtab_name(st, index),
		.binding = st->binding[index],
	};
}
