/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symbols/symtab.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/search.h"
#include "dso/symbols/demangle.h"

/*
 * Another name of a symbol. Which of several mangled names wins depends on what they look like
 * demangled; that is too dear for all of them, so it is found when the symbol is first named.
 */
struct alias {
	u32 index; /* of the symbol; first: searched by it */
	u32 name;
};
VEC_TYPE(alias_vec, struct alias);

enum {
	IS_INNER = 0x80,
	BLOCK = 16, /* symbols whose starts are a cache line */
	FAR = UINT16_MAX, /* a length that does not fit */
	FIRST_NAMES = 64,
};

/* Symbols whose starts have the upper half in common. */
struct symtab_part {
	u64 base;
	u32 first;
};

/* Behind a symbol's start: the end, when it is far away; the symbol that it lies in. */
struct far_end {
	u32 index;
	u64 end;
};
struct nested { /* index first: searched by it */
	u32 index, outer;
};

/* Names as shown, by symbol; open addressing. */
struct shown_name {
	_Atomic(const char *) name; /* NULL = empty; written last */
	u32 index;
};
struct shown_names {
	struct shown_names *smaller; /* readers may still have it; freed with the table */
	u32 mask, nr;
	struct shown_name slots[];
};

struct symtab {
	u32 nr;
	unsigned int flags;
	VEC(struct symtab_part) parts; /* ascending */
	u32 *low; /* lower halves of the starts, ascending in a part, no two equal; blocks are
		     aligned */
	u32 *block; /* low[] of the first symbol of each block */
	void *low_memory;
	u16 *len; /* FAR: in far */
	u32 *name;
	u8 *binding; /* letter, upper case for variables, and IS_INNER */
	VEC(struct far_end) far; /* by index */
	/*
	 * Nearest earlier symbol that reaches beyond this one's start: the chain of symbols around
	 * an address that falls behind a nested one. By index; those that lie in none are left out.
	 */
	VEC(struct nested) nested;
	struct alias_vec aliases; /* by index */
	struct sym_names names;
	char *own_names; /* NULL when shared */
	/* Filled on first use; the lock guards the writers and arena. */
	_Atomic(struct shown_names *) shown;
	pthread_mutex_t lock;
	struct arena arena;
};

static struct symtab none;

struct symtab *symtab_none(void)
{
	return &none;
}

/* Offset of the first name that is not in the file. */
static size_t names_base(const struct sym_name_file *f)
{
	return f->size ? (size_t)f->size + 1 : 0;
}

struct sym_names symtab_builder_names(const struct symtab_builder *b)
{
	return (struct sym_names){
		.mem = b->shared ? b->shared : b->names.buf,
		.mem_size = b->shared ? b->shared_size : b->names.len + 1,
		.file = b->file,
		.plt = b->plt,
	};
}

/* Up to the blank or newline behind it. */
static void read_word(const struct sym_name_file *f, u32 offset, size_t most, struct strbuf *out)
{
	char piece[128];

	while (out->len < most) {
		ssize_t got = rw_pread_full(f->fd, piece,
					    MIN(sizeof(piece), (size_t)(f->size - offset)),
					    f->offset + offset);
		size_t len = 0;

		while ((ssize_t)len < got && !memchr(" \t\n", piece[len], 3))
			len++;
		strbuf_add(out, piece, len);
		if (len < sizeof(piece))
			return;
		offset += (u32)len;
	}
}

/* Of a name that is in a file, `most` bytes: names may all be suffixes of one that is as long as
 * the file. */
static const char *name_begin_at(const struct sym_names *n, u32 offset, size_t most,
				 struct strbuf *tmp)
{
	const struct sym_name_file *f = &n->file;
	size_t base = names_base(f);

	if (offset >= SYM_PLT_NAMES) {
		u32 at = offset - SYM_PLT_NAMES;

		strbuf_reset(tmp);
		if (at < n->plt.size && rw_pread_string(n->plt.fd, n->plt.offset + at,
							MIN(most, (size_t)(n->plt.size - at)), tmp))
			strbuf_adds(tmp, "@plt");
		return tmp->buf;
	}
	if (offset >= base)
		return offset - base < n->mem_size ? n->mem + (offset - base) : "";
	strbuf_reset(tmp);
	if (offset >= f->size)
		return tmp->buf;
	if (f->lines)
		read_word(f, offset, most, tmp);
	else
		rw_pread_string(f->fd, f->offset + offset, MIN(most, (size_t)(f->size - offset)),
				tmp);
	return tmp->buf;
}

const char *sym_name_at(const struct sym_names *n, u32 offset, struct strbuf *tmp)
{
	return name_begin_at(n, offset, LIMIT_SYMBOL_NAME, tmp);
}

void symtab_builder_add(struct symtab_builder *b, u64 start, u64 end, const char *name,
			char binding)
{
	size_t at = names_base(&b->file) + b->names.len;

	if (b->rows.nr >= LIMIT_SYMBOLS || at >= SYM_PLT_NAMES)
		return;
	strbuf_add(&b->names, name, strlen(name) + 1);
	*VEC_PUSH(&b->rows) = (struct sym_row){
		.start = start,
		.end = end,
		.name = (u32)at,
		.binding = binding,
	};
}

void symtab_builder_add_plt(struct symtab_builder *b, u64 start, u64 end, u32 name)
{
	if (b->rows.nr < LIMIT_SYMBOLS)
		*VEC_PUSH(&b->rows) = (struct sym_row){
			.start = start,
			.end = end,
			.name = SYM_PLT_NAMES + name,
			.binding = 'g',
		};
}

u64 symtab_rows_distance(const struct symtab_builder *b, const char *symbol, u64 addr)
{
	_cleanup_(strbuf_releasep) struct strbuf tmp = STRBUF_INIT;
	struct sym_names names = symtab_builder_names(b);

	if (!symbol || !addr)
		return 0;
	VEC_FOR(&b->rows, r)
		if (strcmp(sym_name_at(&names, r->name, &tmp), symbol) == 0)
			return addr - r->start;
	return 0;
}

void symtab_rows_move(struct symtab_builder *b, u64 delta)
{
	if (!delta)
		return;
	VEC_FOR(&b->rows, r) {
		r->start += delta;
		r->end += delta;
	}
}

static void close_names(struct sym_name_file *f)
{
	if (f->size && !f->lines)
		close(f->fd);
	f->size = 0;
}

void symtab_builder_release(struct symtab_builder *b)
{
	vec_free(&b->rows);
	strbuf_release(&b->names);
	close_names(&b->file);
	close_names(&b->plt);
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
	mem_populate(other, nr * sizeof(*other)); /* rows go to all of its pages by turns */
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

enum {
	COMPARED = 4096
}; /* bytes of names at one address: thousands may be there, each very long */

static int prefer_shown(const char *a, const char *b)
{
	size_t ua = strspn(a, "_");
	size_t ub = strspn(b, "_");
	size_t la;
	size_t lb;

	if (ua != ub)
		return ua < ub ? 1 : -1;
	la = strnlen(a, COMPARED);
	lb = strnlen(b, COMPARED);
	return la == lb ? 0 : la > lb ? 1 : -1;
}

/* Positive: a is better, negative: b, by what is cheap to see. */
static int prefer_kind(const struct sym_row *a, const struct sym_row *b)
{
	int d = (a->end != a->start && !a->sizeless) - (b->end != b->start && !b->sizeless);

	if (!d)
		d = (a->end != a->start) - (b->end != b->start);
	if (!d)
		d = (b->binding == 'w') - (a->binding == 'w');
	if (!d)
		d = (a->binding == 'g') - (b->binding == 'g');
	return d;
}

/*
 * Observed order of perf, but for the first: a size of its own beats one that reaches up to the
 * next symbol (a label at a function's begin), that beats none, then not weak, then global, then
 * fewer leading underscores, then the longer name (both of the name as it is shown), then the
 * first.
 */
bool symtab_prefers(const struct sym_row *a, const struct sym_row *b, const struct sym_names *names)
{
	_cleanup_(strbuf_releasep) struct strbuf ta = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf tb = STRBUF_INIT;
	int d = prefer_kind(a, b);

	if (d)
		return d > 0;
	return prefer_shown(name_begin_at(names, a->name, COMPARED, &ta),
			    name_begin_at(names, b->name, COMPARED, &tb)) >= 0;
}

/* What is known of the rows of one address while one of them is chosen. */
struct symbol_choice {
	const struct sym_names *names;
	unsigned int flags;
	bool unread; /* names are in the file, and the choice can wait until one is asked for */
	struct strbuf a, b;
};

/*
 * The names of a file need not be read for the choice where it depends on nothing else: not when
 * sizes differ, since what wins decides on the size, too.
 */
static bool can_wait(const struct symbol_choice *c, const struct sym_row *rows, size_t nr)
{
	if (!c->names->file.size)
		return false;
	for (size_t i = 1; i < nr && rows[i].start == rows[0].start; i++)
		if (rows[i].end != rows[0].end)
			return false;
	return true;
}

/* Whether the choice between two equally good rows must wait until their names are demangled. */
static bool must_wait(struct symbol_choice *c, const struct sym_row *a, const struct sym_row *b)
{
	if (prefer_kind(a, b) != 0 || a->end != b->end)
		return false;
	if (c->unread)
		return true;
	return c->flags & SYMTAB_DEMANGLE &&
	       (is_mangled(name_begin_at(c->names, a->name, COMPARED, &c->a)) ||
		is_mangled(name_begin_at(c->names, b->name, COMPARED, &c->b)));
}

static bool same_name(struct symbol_choice *c, const struct sym_row *a, const struct sym_row *b)
{
	if (c->unread)
		return a->name == b->name;
	return strcmp(sym_name_at(c->names, a->name, &c->a),
		      sym_name_at(c->names, b->name, &c->b)) == 0;
}

/* Keeps one row per address and collects the names that symtab_name() has to choose from. */
static size_t drop_aliases(struct sym_row *rows, size_t nr, const struct sym_names *names,
			   unsigned int flags, struct alias_vec *aliases)
{
	struct symbol_choice c = {
		.names = names, .flags = flags, .a = STRBUF_INIT, .b = STRBUF_INIT
	};
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		struct sym_row *best = kept ? &rows[kept - 1] : NULL;

		/* One behind it has what reaches up to the next symbol, and is better whatever the
		 * names are. */
		if (rows[i].end == rows[i].start && !(flags & SYMTAB_LAST_WINS))
			continue;
		if (!best || best->start != rows[i].start) {
			c.unread = can_wait(&c, rows + i, nr - i);
			rows[kept++] = rows[i];
		} else if (flags & SYMTAB_LAST_WINS) {
			*best = rows[i];
		} else if (must_wait(&c, best, &rows[i])) {
			if (!same_name(&c, best, &rows[i]))
				*VEC_PUSH(aliases) = (struct alias){ (u32)kept - 1, rows[i].name };
		} else if (!symtab_prefers(best, &rows[i], names)) {
			*best = rows[i];
			while (aliases->nr && VEC_LAST(aliases)->index == kept - 1)
				aliases->nr--;
		}
	}
	strbuf_release(&c.a);
	strbuf_release(&c.b);
	return kept;
}

/* A row without size reaches up to the next one. */
static void close_ends(struct sym_row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		u64 after = ALIGN_UP(rows[i].start, 4096) + 4096;

		if (rows[i].end > rows[i].start)
			continue;
		rows[i].sizeless = true;
		if (i + 1 < nr)
			rows[i].end = rows[i + 1].start;
		else
			rows[i].end = after > rows[i].start ? after : UINT64_MAX;
	}
}

/* The part of a symbol. */
static const struct symtab_part *part_of(const struct symtab *st, u32 i)
{
	const struct symtab_part *v = st->parts.v;
	size_t from = 0;
	size_t to = st->parts.nr;

	while (to - from > 1) {
		size_t mid = from + (to - from) / 2;

		if (v[mid].first <= i)
			from = mid;
		else
			to = mid;
	}
	return &v[from];
}

static u64 start_of(const struct symtab *st, u32 i)
{
	return part_of(st, i)->base + st->low[i];
}

static u64 end_of(const struct symtab *st, u32 i)
{
	size_t from = 0;
	size_t to = st->far.nr;

	if (LIKELY(st->len[i] != FAR))
		return start_of(st, i) + st->len[i];
	while (to - from > 1) {
		size_t mid = from + (to - from) / 2;

		if (st->far.v[mid].index <= i)
			from = mid;
		else
			to = mid;
	}
	return st->far.v[from].end;
}

/* Marks labels inside of functions whose size is known. */
static void mark_inner(struct symtab *st, const struct sym_row *rows)
{
	u64 covered = 0;

	for (u32 i = 0; i < st->nr; i++) {
		if (!rows[i].sizeless)
			covered = MAX(covered, rows[i].end);
		else if (rows[i].start < covered)
			st->binding[i] |= IS_INNER;
	}
}

static void note_overlaps(struct symtab *st, const struct sym_row *rows)
{
	VEC(u32) around = { 0 }; /* symbols that may reach further, the innermost last */

	for (u32 i = 0; i < st->nr; i++) {
		u64 start = rows[i].start;

		while (around.nr && rows[*VEC_LAST(&around)].end <= start)
			around.nr--;
		if (around.nr)
			*VEC_PUSH(&st->nested) = (struct nested){ i, *VEC_LAST(&around) };
		*VEC_PUSH(&around) = i;
	}
	vec_free(&around);
}

/* Takes over the rows, which are in order. */
static void fill(struct symtab *st, const struct sym_row *rows)
{
	u32 nr = st->nr;

	st->low_memory = xmalloc((nr + 2 * BLOCK) * sizeof(*st->low));
	st->low = (u32 *)ALIGN_UP((uintptr_t)st->low_memory, BLOCK * sizeof(*st->low));
	st->block = XNEW_ARRAY(u32, nr / BLOCK + 1);
	st->len = XNEW_ARRAY(u16, nr);
	st->name = XNEW_ARRAY(u32, nr);
	st->binding = XNEW_ARRAY(u8, nr);
	for (u32 i = 0; i < nr; i++) {
		u64 base = rows[i].start >> 32 << 32;
		u64 len = rows[i].end - rows[i].start;

		if (!st->parts.nr || VEC_LAST(&st->parts)->base != base)
			*VEC_PUSH(&st->parts) = (struct symtab_part){ base, i };
		if (len >= FAR)
			*VEC_PUSH(&st->far) = (struct far_end){ i, rows[i].end };
		st->low[i] = (u32)rows[i].start;
		if (i % BLOCK == 0)
			st->block[i / BLOCK] = st->low[i];
		st->len[i] = (u16)MIN(len, (u64)FAR);
		st->name[i] = rows[i].name;
		st->binding[i] = (u8)rows[i].binding;
		if (rows[i].data)
			st->binding[i] = (u8)toupper(st->binding[i]);
	}
	mark_inner(st, rows);
	note_overlaps(st, rows);
}

struct symtab *symtab_build(struct symtab_builder *b, unsigned int flags)
{
	struct alias_vec aliases = { 0 };
	struct sym_names names = symtab_builder_names(b);
	struct symtab *st;
	size_t nr = b->rows.nr;

	if (!nr) {
		symtab_builder_release(b);
		return &none;
	}
	sort_rows(b->rows.v, nr);
	/* Before the choice among aliases, as perf does: the last of several without size gets one.
	 */
	close_ends(b->rows.v, nr);
	nr = drop_aliases(b->rows.v, nr, &names, flags, &aliases);

	st = XNEW(struct symtab);
	st->nr = (u32)nr;
	st->flags = flags;
	st->aliases = aliases;
	fill(st, b->rows.v);
	st->names = names;
	b->file.size = b->plt.size = 0;
	if (!b->shared) {
		size_t size = b->names.len + 1;

		st->names.mem = st->own_names = xrealloc_array(strbuf_detach(&b->names), size, 1);
	}
	pthread_mutex_init(&st->lock, NULL);
	vec_free(&b->rows);
	return st;
}

void symtab_free(struct symtab *st)
{
	if (!st || st == &none)
		return;
	for (struct shown_names *t = st->shown, *smaller; t; t = smaller) {
		smaller = t->smaller;
		free(t);
	}
	free(st->low_memory);
	free(st->block);
	free(st->len);
	free(st->name);
	free(st->binding);
	vec_free(&st->parts);
	vec_free(&st->far);
	vec_free(&st->nested);
	vec_free(&st->aliases);
	free(st->own_names);
	close_names(&st->names.file);
	close_names(&st->names.plt);
	pthread_mutex_destroy(&st->lock);
	arena_release(&st->arena);
	free(st);
}

u32 symtab_count(const struct symtab *st)
{
	return st->nr;
}

static u32 outer_of(const struct symtab *st, u32 i)
{
	size_t from = search_below_u32(st->nested.v, st->nested.nr, sizeof(struct nested), i);

	return from < st->nested.nr && st->nested.v[from].index == i ? st->nested.v[from].outer
								     : SYM_NONE;
}

/*
 * The innermost symbol that holds addr, from i outwards. Labels inside of functions count only for
 * addresses that belong to no function.
 */
static u32 find_around(const struct symtab *st, u64 addr, u32 i)
{
	u32 label = SYM_NONE;

	for (; i != SYM_NONE; i = outer_of(st, i)) {
		if (addr >= end_of(st, i))
			continue;
		if (!(st->binding[i] & IS_INNER))
			return i;
		if (label == SYM_NONE)
			label = i;
	}
	return label;
}

/* The last of n ascending numbers that is not above key, of which the first is none; no branch. */
static u32 last_below(const u32 *v, u32 n, u32 key)
{
	const u32 *base = v;

	while (n > 1) {
		u32 half = n / 2;

		base += base[half] <= key ? half : 0;
		n -= half;
	}
	return (u32)(base - v);
}

/* The last symbol of a part, which ends before to, that does not start above low; SYM_NONE = none
 * there. */
static u32 find_in_part(const struct symtab *st, u32 first, u32 to, u32 low)
{
	u32 from_block = (first + BLOCK - 1) / BLOCK;
	u32 to_block = (to + BLOCK - 1) / BLOCK;

	if (low < st->low[first])
		return SYM_NONE;
	if (from_block < to_block && st->block[from_block] <= low) {
		first = from_block + last_below(st->block + from_block, to_block - from_block, low);
		first *= BLOCK;
		to = MIN(to, first + BLOCK);
	} else {
		to = MIN(to, from_block * BLOCK);
	}
	return first + last_below(st->low + first, to - first, low);
}

/* The last symbol that does not start above addr, SYM_NONE = all do. */
static u32 last_start(const struct symtab *st, u64 addr)
{
	const struct symtab_part *v = st->parts.v;
	size_t from = 0;
	size_t after = st->parts.nr; /* the first part above addr */
	u32 i = SYM_NONE;

	while (from < after) {
		size_t mid = from + (after - from) / 2;

		if (v[mid].base <= addr)
			from = mid + 1;
		else
			after = mid;
	}
	if (!after)
		return SYM_NONE;
	u32 to = after < st->parts.nr ? v[after].first : st->nr;
	u32 first = v[after - 1].first;

	if (v[after - 1].base == addr >> 32 << 32)
		i = find_in_part(st, first, to, (u32)addr);
	else
		i = to - 1;
	return i == SYM_NONE && first ? first - 1 : i;
}

u32 symtab_find(const struct symtab *st, u64 addr)
{
	u32 i = last_start(st, addr);

	if (i == SYM_NONE)
		return SYM_NONE;
	if (LIKELY(!st->nested.nr))
		return addr < end_of(st, i) ? i : SYM_NONE;
	return find_around(st, addr, i);
}

/* The furthest end of symbol i and of those that it lies in. */
static u64 furthest_end(const struct symtab *st, u32 i)
{
	u64 end = 0;

	for (; i != SYM_NONE; i = outer_of(st, i))
		end = MAX(end, end_of(st, i));
	return end;
}

u32 symtab_find_around(const struct symtab *st, u64 addr, u64 *from, u64 *until)
{
	u32 i = last_start(st, addr);
	u64 next = i + 1 < st->nr ? start_of(st, i + 1) : UINT64_MAX;

	_Static_assert((u32)(SYM_NONE + 1) == 0, "the first symbol follows none");
	if (i == SYM_NONE) {
		*from = 0;
		*until = next;
		return SYM_NONE;
	}
	u64 end = end_of(st, i);

	if (addr < end && (!st->nested.nr || !(st->binding[i] & IS_INNER))) {
		*from = start_of(st, i);
		*until = MIN(end, next);
		return i;
	}
	u32 around = st->nested.nr ? find_around(st, addr, i) : SYM_NONE;

	*from = around == SYM_NONE ? furthest_end(st, i) : addr;
	*until = around == SYM_NONE ? next : addr + 1;
	return around;
}

u32 symtab_find_before(const struct symtab *st, u64 addr)
{
	u32 i = symtab_find(st, addr);

	return i == SYM_NONE ? last_start(st, addr) : i;
}

u64 symtab_start(const struct symtab *st, u32 index)
{
	return index < st->nr ? start_of(st, index) : 0;
}

u64 symtab_end(const struct symtab *st, u32 index)
{
	return index < st->nr ? end_of(st, index) : 0;
}

/*
 * A piece of a file of names, or all of them. In a text they lie in the order of the symbols;
 * linkers put those of an object in any order, and whoever asks for all of them would read a few
 * bytes at a time.
 */
enum { WINDOW = 1 << 16, ALL_NAMES = 16 << 20 };

struct name_window {
	char *text; /* with a NUL behind it */
	size_t size; /* of the room */
	bool all; /* it never moves */
	u32 from;
	size_t len;
};

static void move_window(struct name_window *w, const struct sym_name_file *f, u32 from)
{
	ssize_t got = rw_pread_full(f->fd, w->text, MIN(w->size, (size_t)(f->size - from)),
				    f->offset + from);

	w->from = from;
	w->len = got > 0 ? (size_t)got : 0;
	w->text[w->len] = '\0';
}

/* Bytes of the name there, as far as the window goes. */
static size_t name_len_in(const struct name_window *w, const struct sym_name_file *f, u32 offset)
{
	const char *at = w->text + (offset - w->from), *end = w->text + w->len, *p = at;

	while (p < end && *p && !(f->lines && memchr(" \t\n", *p, 3)))
		p++;
	return (size_t)(p - at);
}

/* sym_name_at() for who asks for one name after the other. */
static const char *next_name(const struct symtab *st, u32 offset, struct name_window *w,
			     struct strbuf *tmp)
{
	const struct sym_name_file *f = &st->names.file;
	size_t len;

	if (offset >= SYM_PLT_NAMES || offset >= f->size)
		return sym_name_at(&st->names, offset, tmp);
	if (w->all)
		return w->text + MIN(offset, w->len);
	if (offset < w->from || offset - w->from >= 2 * w->size) {
		w->from = offset;
		w->len = 0;
		return sym_name_at(&st->names, offset, tmp);
	}
	if (offset - w->from >= w->len || name_len_in(w, f, offset) == w->from + w->len - offset)
		move_window(w, f, offset);
	len = name_len_in(w, f, offset);
	if (len == w->len)
		return sym_name_at(&st->names, offset, tmp);
	strbuf_reset(tmp);
	strbuf_add(tmp, w->text + (offset - w->from), len);
	return tmp->buf;
}

static void note_name(const char *const *names, size_t nr, const char *name, u32 symbol, u32 *found)
{
	for (size_t i = 0; i < nr; i++)
		if (found[i] == SYM_NONE && !strcmp(names[i], name))
			found[i] = symbol;
}

void symtab_find_names(const struct symtab *st, const char *const *names, size_t nr, u32 *found)
{
	_cleanup_(strbuf_releasep) struct strbuf tmp = STRBUF_INIT;
	const struct sym_name_file *f = &st->names.file;
	struct name_window w = { .all = !f->lines && f->size && f->size <= ALL_NAMES };
	size_t alias = 0;

	w.size = w.all ? f->size : WINDOW;
	w.text = xmalloc(w.size + 1);
	if (w.all)
		move_window(&w, f, 0);
	for (size_t i = 0; i < nr; i++)
		found[i] = SYM_NONE;
	for (u32 i = 0; i < st->nr; i++) {
		note_name(names, nr, next_name(st, st->name[i], &w, &tmp), i, found);
		for (; alias < st->aliases.nr && st->aliases.v[alias].index == i; alias++)
			note_name(names, nr, next_name(st, st->aliases.v[alias].name, &w, &tmp), i,
				  found);
	}
	free(w.text);
}

u32 symtab_find_name(const struct symtab *st, const char *name)
{
	u32 found;

	symtab_find_names(st, &name, 1, &found);
	return found;
}

/* First alias of a symbol or of a later one. */
static size_t first_alias(const struct symtab *st, u32 index)
{
	return search_below_u32(st->aliases.v, st->aliases.nr, sizeof(struct alias), index);
}

static char *shown_form(const struct symtab *st, const char *raw)
{
	return st->flags & SYMTAB_DEMANGLE ? demangle(raw, st->flags & SYMTAB_PARAMS) : NULL;
}

/* The name to show, in fresh memory; NULL: the raw one. chosen, if wanted, holds raw and gets the
 * raw form of it. */
static char *choose_name(const struct symtab *st, u32 index, const char *raw, struct strbuf *chosen)
{
	_cleanup_(strbuf_releasep) struct strbuf tmp = STRBUF_INIT;
	char *best = shown_form(st, raw);

	for (size_t i = first_alias(st, index);
	     i < st->aliases.nr && st->aliases.v[i].index == index; i++) {
		const char *other = sym_name_at(&st->names, st->aliases.v[i].name, &tmp);
		char *shown = shown_form(st, other);

		if (prefer_shown(best ? best : raw, shown ? shown : other) < 0) {
			free(best);
			best = shown ? shown : xstrdup(other);
			if (chosen) {
				strbuf_reset(chosen);
				strbuf_adds(chosen, other);
			}
		} else {
			free(shown);
		}
	}
	return best;
}

static struct shown_name *shown_slot(struct shown_names *t, u32 index)
{
	u32 at = (u32)hash_u64(index) & t->mask;

	while (atomic_load_explicit(&t->slots[at].name, memory_order_acquire) &&
	       t->slots[at].index != index)
		at = (at + 1) & t->mask;
	return &t->slots[at];
}

static const char *find_shown(struct symtab *st, u32 index)
{
	struct shown_names *t = atomic_load_explicit(&st->shown, memory_order_acquire);
	const struct shown_name *s;
	const char *name;

	if (!t)
		return NULL;
	s = shown_slot(t, index);
	name = atomic_load_explicit(&s->name, memory_order_acquire);
	/* a slot that was found empty may have been taken by another name since */
	return name && s->index == index ? name : NULL;
}

/* Under lock. */
static void add_shown(struct symtab *st, u32 index, const char *name)
{
	struct shown_names *t = st->shown;

	if (!t || t->nr > t->mask / 4 * 3) {
		u32 size = t ? 2 * (t->mask + 1) : FIRST_NAMES;
		struct shown_names *more = xcalloc(1, sizeof(*t) + size * sizeof(t->slots[0]));

		more->smaller = t;
		more->mask = size - 1;
		more->nr = t ? t->nr : 0;
		for (u32 i = 0; t && i <= t->mask; i++)
			if (t->slots[i].name) {
				struct shown_name *to = shown_slot(more, t->slots[i].index);

				to->index = t->slots[i].index;
				to->name = t->slots[i].name;
			}
		atomic_store_explicit(&st->shown, more, memory_order_release);
		t = more;
	}
	struct shown_name *s = shown_slot(t, index);

	s->index = index;
	atomic_store_explicit(&s->name, name, memory_order_release);
	t->nr++;
}

const char *symtab_name(const struct symtab *st, u32 index)
{
	/* The cache of shown names is the only part of a table that changes. */
	struct symtab *cache = (struct symtab *)(uintptr_t)st;
	_cleanup_(strbuf_releasep) struct strbuf tmp = STRBUF_INIT;
	const char *known;
	const char *raw;
	char *fresh;

	if (index >= st->nr)
		return "";
	if (!st->names.file.size && st->name[index] < SYM_PLT_NAMES) {
		raw = sym_name_at(&st->names, st->name[index], &tmp);
		if (!(st->flags & SYMTAB_DEMANGLE) || (!is_mangled(raw) && !st->aliases.nr))
			return raw;
	}
	known = find_shown(cache, index);
	if (known)
		return known;
	raw = sym_name_at(&st->names, st->name[index], &tmp);
	fresh = choose_name(st, index, raw, NULL);
	pthread_mutex_lock(&cache->lock);
	known = find_shown(cache, index);
	if (!known) {
		known = fresh ? fresh : raw;
		if (fresh || raw == tmp.buf)
			known = arena_strdup(&cache->arena, known);
		add_shown(cache, index, known);
	}
	pthread_mutex_unlock(&cache->lock);
	free(fresh);
	return known;
}

void symtab_raw_name(const struct symtab *st, u32 index, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf raw = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf tmp = STRBUF_INIT;

	strbuf_reset(out);
	if (index >= st->nr)
		return;
	strbuf_adds(&raw, sym_name_at(&st->names, st->name[index], &tmp));
	strbuf_adds(out, raw.buf);
	free(choose_name(st, index, raw.buf, out));
}

bool symtab_is_label(const struct symtab *st, u32 index)
{
	return index < st->nr && st->binding[index] & IS_INNER;
}

bool symtab_is_data(const struct symtab *st, u32 index)
{
	return index < st->nr && isupper(st->binding[index] & ~IS_INNER);
}

struct symbol symtab_symbol(const struct symtab *st, u32 index)
{
	if (index >= st->nr)
		return (struct symbol){ .name = "", .binding = 'l' };
	return (struct symbol){
		.start = start_of(st, index),
		.end = end_of(st, index),
		.name = symtab_name(st, index),
		.binding = (char)tolower(st->binding[index] & ~IS_INNER),
	};
}
