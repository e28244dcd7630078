/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem_keys: sort keys of memory accesses (--mem-mode): the address of the data, what lies there,
 * and how the access went.
 */
#include "agg/private.h"
#include "perfdata/data_src_text.h"

/* Columns of addresses have room for a level, an address and two blanks. */
enum { ADDRESS_WIDTH = 16, PLACE_WIDTH = ADDRESS_WIDTH + 6, LEVEL_WIDTH = 4, CACHELINE = 64 };

/*
 * ---- places: an interned text: digits that order them (see struct place), the letter of the
 * object's symbols, a mark, and what stands behind the level: a name or the address. The level is
 * that of the row's first sample, or the mark: X, the address lies in no mapping; s, in a shared
 * one; '-', neither. ----
 */

/* Cachelines of different files, or of memory of different processes, are different ones. */
struct place {
	u32 maj, min, pid; /* 0 where it does not matter */
	u64 ino;
	u64 shown;
	char mark;
};

enum { PLACE_HEAD = 3 * 8 + 2 * ADDRESS_WIDTH + 2 };

/* A variable with the offset, code without one, else the address. */
static void add_place(struct agg_sample_ctx *c, const struct location *loc, u64 at, u64 shown,
		      struct strbuf *out)
{
	struct dso *d = dso_table_get(session_dsos(c->agg->s), loc->dso);
	const struct symtab *st;
	u64 start;

	if (loc->sym == SYM_NONE) {
		if (shown)
			strbuf_adds(out, "0x");
		strbuf_add_hex_width(out, shown, ADDRESS_WIDTH, '0');
		return;
	}
	st = dso_symtab(d);
	start = symtab_start(st, loc->sym);
	strbuf_adds(out, symtab_name(st, loc->sym));
	if (symtab_is_data(st, loc->sym))
		strbuf_addf(out, "%c0x%llx", at < start ? '-' : '+',
			    (unsigned long long)(at < start ? start - at : at - start));
}

/* As agg_add_verbose() shows it; told only where it will be. */
static char place_letter(struct agg_sample_ctx *c, const struct location *loc)
{
	if (!c->agg->c.verbose || !loc->dso)
		return '!';
	return dso_symtab_origin(dso_table_get(session_dsos(c->agg->s), loc->dso));
}

static u64 place_word(struct agg_sample_ctx *c, const struct place *p, const struct location *loc,
		      u64 at)
{
	enum { SIGN_BIT = 63, WORD = 8 };
	struct strbuf *out = &agg_worker_of(c)->text;

	strbuf_reset(out);
	strbuf_add_hex_width(out, p->maj, WORD, '0');
	strbuf_add_hex_width(out, p->min, WORD, '0');
	strbuf_add_hex_width(out, p->ino, ADDRESS_WIDTH, '0');
	strbuf_add_hex_width(out, p->pid, WORD, '0');
	/* as signed numbers, which puts the kernel first */
	strbuf_add_hex_width(out, p->shown ^ 1ULL << SIGN_BIT, ADDRESS_WIDTH, '0');
	strbuf_addch(out, place_letter(c, loc));
	strbuf_addch(out, p->mark);
	add_place(c, loc, at, p->shown, out);
	return agg_text(c->agg, out->buf, out->len);
}

/* Where data lies: the kernel's mapping takes all that is behind it, but only its symbols are
 * there. */
static void locate(struct agg_sample_ctx *c, u64 addr, struct location *out)
{
	session_locate(c->w, &c->r->site, c->r->sample->cpumode, addr, out);
	if (out->map && out->map->kernel && addr >= out->map->end &&
	    addr - out->map->start >= agg_kernel_size(c->agg, out->map))
		*out = (struct location){ .ip = addr, .addr = addr, .sym = SYM_NONE };
}

static u64 get_symbol_daddr(struct agg_sample_ctx *c)
{
	u64 addr = c->r->sample->addr;
	struct location loc;

	locate(c, addr, &loc);
	return place_word(c, &(struct place){ .shown = addr, .mark = '-' }, &loc, loc.addr);
}

static u64 get_symbol_iaddr(struct agg_sample_ctx *c)
{
	u64 addr = c->r->sample->ip;
	struct location loc;

	locate(c, addr, &loc);
	return place_word(c, &(struct place){ .shown = addr, .mark = '-' }, &loc, loc.addr);
}

static u64 get_dcacheline(struct agg_sample_ctx *c)
{
	enum { MAP_SHARED_FLAG = 1 };
	const struct model_map *map;
	struct place p = { .mark = 'X' };
	struct location loc;

	locate(c, c->r->sample->addr, &loc);
	map = loc.map;
	p.shown = loc.addr & ~(u64)(CACHELINE - 1);
	if (map) {
		bool file = map->ino || map->maj || map->min;

		p.maj = map->maj;
		p.min = map->min;
		p.ino = map->ino;
		p.pid = map->kernel || file ? 0 : c->r->sample->pid;
		p.mark = file && !map->kernel && map->flags & MAP_SHARED_FLAG ? 's' : '-';
	}
	return place_word(c, &p, &loc, p.shown);
}

static u64 get_phys_daddr(struct agg_sample_ctx *c)
{
	const struct location none = { .sym = SYM_NONE };
	u64 addr = c->r->sample->phys_addr;

	return place_word(c, &(struct place){ .shown = addr, .mark = '-' }, &none, addr);
}

static const char *place_text(struct agg *a, u64 word, char *mark)
{
	const char *text = intern_str(a->texts, (str_id)word);

	if (strlen(text) <= PLACE_HEAD)
		return "";
	*mark = text[PLACE_HEAD - 1];
	return text + PLACE_HEAD;
}

/* The address that a place was made of. */
static u64 shown_of(const char *text)
{
	char digits[ADDRESS_WIDTH + 1] = { 0 };

	memcpy(digits, text - 2 - ADDRESS_WIDTH, ADDRESS_WIDTH);
	return strtoull(digits, NULL, ADDRESS_WIDTH) ^ 1ULL << 63;
}

static int compare_place(struct agg *a, u64 x, u64 y)
{
	return strcmp(intern_str(a->texts, (str_id)x), intern_str(a->texts, (str_id)y));
}

static bool is_address(const char *text)
{
	return !strncmp(text, "0x", 2) || (*text == '0' && strlen(text) == ADDRESS_WIDTH);
}

static void add_place_text(struct agg *a, char level, u64 word, u32 width, struct strbuf *out)
{
	char mark = '-';
	size_t from = out->len;
	const char *text = place_text(a, word, &mark);

	strbuf_addf(out, "[%c] ", level);
	strbuf_adds(out, text);
	/* (variables, which have an offset, and addresses are not cut) */
	if (width && out->len - from > width && !is_address(text) && !strstr(text, "+0x"))
		out->len = from + width;
	out->buf[out->len] = '\0';
}

/* With -v what stands before the level; returns what is left of the width. */
static u32 add_verbose_place(struct agg *a, u64 word, u32 width, struct strbuf *out)
{
	char mark;
	const char *text = place_text(a, word, &mark);
	size_t from = out->len;

	if (a->c.verbose && *text)
		agg_add_verbose(shown_of(text), text[-2], out);
	return width > out->len - from + LEVEL_WIDTH ? width - (u32)(out->len - from) : 0;
}

static void text_place(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
		       struct strbuf *out)
{
	width = add_verbose_place(a, word, width, out);
	add_place_text(a, agg_level_letter(e->level), word, width, out);
}

/* As wide as the column, which cuts it, other than places that may have names. */
static void text_phys(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
		      struct strbuf *out)
{
	size_t from = out->len;

	add_place_text(a, agg_level_letter(e->level), word, width, out);
	if (width && out->len - from > width)
		out->len = from + width;
	out->buf[out->len] = '\0';
	strbuf_pad_from(out, from, width);
}

static void text_line(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
		      struct strbuf *out)
{
	char mark = '-';

	place_text(a, word, &mark);
	width = add_verbose_place(a, word, width, out);
	add_place_text(a, mark == '-' ? agg_level_letter(e->level) : mark, word, width, out);
}

static u64 get_dso_daddr(struct agg_sample_ctx *c)
{
	struct location loc;

	locate(c, c->r->sample->addr, &loc);
	return loc.dso;
}

static u64 canon_dso(struct agg *a, u64 word)
{
	return agg_same_dso(a, (dso_id)word);
}

/* Backwards by name, as perf orders them. */
static int compare_dso(struct agg *a, u64 x, u64 y)
{
	if (!x || !y)
		return x ? 1 : y ? -1 : 0;
	return strcmp(agg_dso_name(a, (dso_id)y), agg_dso_name(a, (dso_id)x));
}

static void text_dso(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
		     struct strbuf *out)
{
	agg_add_left(out, agg_dso_name(a, (dso_id)word), width);
}

/* ---- how it went: groups of bits of data_src, see struct perf_mem_data_src ---- */

enum {
	LEVEL_SHIFT = 5,
	LEVEL_BITS = 14,
	SNOOP_SHIFT = 19,
	SNOOP_BITS = 5,
	LOCK_SHIFT = 24,
	LOCK_BITS = 2,
	TLB_SHIFT = 26,
	TLB_BITS = 7,
	LEVEL_NUMBER_SHIFT = 33,
	LEVEL_NUMBER_BITS = 4,
	REMOTE_SHIFT = 37,
	REMOTE_BITS = 1,
	SNOOPX_SHIFT = 38,
	SNOOPX_BITS = 2,
	BLOCK_SHIFT = 40,
	BLOCK_BITS = 3,
	HOPS_SHIFT = 43,
	HOPS_BITS = 3,
};

#define PART(name) (((1ULL << name##_BITS) - 1) << name##_SHIFT)

static u64 get_mem(struct agg_sample_ctx *c)
{
	return c->r->sample->data_src &
	       (PART(LEVEL) | PART(LEVEL_NUMBER) | PART(REMOTE) | PART(HOPS));
}

static u64 get_snoop(struct agg_sample_ctx *c)
{
	return c->r->sample->data_src & (PART(SNOOP) | PART(SNOOPX));
}

static u64 get_tlb(struct agg_sample_ctx *c)
{
	return c->r->sample->data_src & PART(TLB);
}

static u64 get_locked(struct agg_sample_ctx *c)
{
	enum { NOT_KNOWN = 1 };

	if (!(c->r->event->attr.sample_type & PERF_SAMPLE_DATA_SRC))
		return (u64)NOT_KNOWN << LOCK_SHIFT;
	return c->r->sample->data_src & PART(LOCK);
}

static u64 get_blocked(struct agg_sample_ctx *c)
{
	return c->r->sample->data_src & PART(BLOCK);
}

/* By the old, coarse levels first. */
static int compare_mem(struct agg *a UNUSED, u64 x, u64 y)
{
	u64 p = x & PART(LEVEL), q = y & PART(LEVEL);

	if (p != q)
		return p < q ? -1 : 1;
	return x == y ? 0 : x < y ? -1 : 1;
}

static int compare_larger_first(struct agg *a UNUSED, u64 x, u64 y)
{
	return x == y ? 0 : x > y ? -1 : 1;
}

/* Padded, and never cut. */
static void add_words(void (*add)(struct strbuf *, u64), u64 word, u32 width, struct strbuf *out)
{
	size_t from = out->len;

	add(out, word);
	strbuf_pad_from(out, from, width);
}

/* Cut, and never padded. */
static void add_short_words(void (*add)(struct strbuf *, u64), u64 word, u32 width,
			    struct strbuf *out)
{
	size_t from = out->len;

	add(out, word);
	if (!width || out->len - from <= width)
		return;
	out->len = from + width;
	out->buf[out->len] = '\0';
}

#define TEXT_OF(part)                                                                              \
	static void text_##part(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word,  \
				u32 width, struct strbuf *out)                                     \
	{                                                                                          \
		add_words(data_src_add_##part, word, width, out);                                  \
	}

TEXT_OF(level)
TEXT_OF(snoop)
TEXT_OF(tlb)

static void text_lock(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word, u32 width,
		      struct strbuf *out)
{
	add_short_words(data_src_add_lock, word, width, out);
}

static void text_block(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word, u32 width,
		       struct strbuf *out)
{
	add_short_words(data_src_add_block, word, width, out);
}

static u64 get_data_page_size(struct agg_sample_ctx *c)
{
	return c->r->sample->data_page_size;
}

/* Symbols have room for an address before them. */
static u32 width_place(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 so_far)
{
	char mark = '-';
	const char *name = place_text(a, word, &mark);

	if (is_address(name))
		return so_far;
	return MAX(so_far, (u32)strcspn(name, "+-") + PLACE_WIDTH);
}

static u32 width_line(struct agg *a, const struct agg_entry *e, u64 word, u32 so_far)
{
	u32 width = width_place(a, e, word, 0);

	return width ? MAX(so_far, width + 1) : so_far;
}

static u32 width_daddr_dso(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 so_far)
{
	if (!word && !a->c.plain_widths)
		return MAX(so_far, (u32)ADDRESS_WIDTH);
	return MAX(so_far, (u32)strlen(agg_dso_name(a, (dso_id)word)));
}

#define PLACE(n, h, g, t, wid)                                                                     \
	{                                                                                          \
		.name = (n), .header = (h), .flags = KEY_MEMORY | KEY_SYMBOL | KEY_OF_TEXTS,       \
		.min_width = PLACE_WIDTH, .get = (g), .compare = compare_place, .text = (t),       \
		.width = (wid)                                                                     \
	}
#define BITS(n, h, w, g, cmp, t)                                                                   \
	{                                                                                          \
		.name = (n), .header = (h), .flags = KEY_MEMORY, .min_width = (w), .get = (g),     \
		.compare = (cmp), .text = (t)                                                      \
	}

const struct agg_key agg_mem_keys[] = {
	PLACE("symbol_daddr", "Data Symbol", get_symbol_daddr, text_place, width_place),
	{ .name = "dso_daddr",
	  .header = "Data Object",
	  .flags = KEY_MEMORY,
	  .get = get_dso_daddr,
	  .canon = canon_dso,
	  .compare = compare_dso,
	  .text = text_dso,
	  .width = width_daddr_dso },
	BITS("locked", "Locked", 6, get_locked, compare_larger_first, text_lock),
	BITS("tlb", "TLB access", 22, get_tlb, NULL, text_tlb),
	BITS("mem", "Memory access", 24, get_mem, compare_mem, text_level),
	BITS("snoop", "Snoop", 12, get_snoop, NULL, text_snoop),
	PLACE("dcacheline", "Data Cacheline", get_dcacheline, text_line, width_line),
	PLACE("symbol_iaddr", "Code Symbol", get_symbol_iaddr, text_place, width_place),
	PLACE("phys_daddr", "Data Physical Address", get_phys_daddr, text_phys, width_place),
	BITS("data_page_size", "Data Page Size", 22, get_data_page_size, compare_larger_first,
	     agg_text_page_size),
	BITS("blocked", "Blocked", 10, get_blocked, NULL, text_block),
	{ .name = NULL },
};
