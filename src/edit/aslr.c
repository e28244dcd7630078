/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --aslr: replaces addresses, so that a recording does not tell where a machine keeps what. The
 * memory that any process has mapped is cut into areas without gaps; each area gets another
 * address, and addresses move with their area. One outside of all areas becomes 0. Symbols are
 * found as before: functions keep their place in their files. What would tell addresses or contents
 * of memory is left out.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/compare.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/search.h"
#include "edit/pass.h"
#include "perfdata/record.h"

enum {
	BUFFER_SIZE = 1 << 19,
	AREA_GAP = 0x1000,
	/* places in records where new addresses are written: of mappings, of others */
	AT_START = 16,
	AT_LEN = 24,
	AT_PGOFF = 32,
	KSYMBOL_AT = 8,
	DEFERRED_CHAIN = 24
};

#define KERNEL_HALF (1ULL << 63)
#define KERNEL_TO 0xffff800010000000ULL
#define LOW_END (1ULL << 32) /* mappings of 32-bit processes stay below it */
#define LOW_TO 0x200000ULL
#define HIGH_TO (0x7f00ULL << 32)

#define LEFT_OUT                                                                                   \
	(PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |                        \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_AUX)

struct area {
	u64 start; /* first: searched by it */
	u64 last, to;
};

struct edit_aslr {
	VEC(struct area) areas; /* by address, apart */
	u64 cut; /* samples that lost something */
};

struct edit_aslr *aslr_new(void)
{
	return XNEW(struct edit_aslr);
}

void aslr_free(struct edit_aslr *a)
{
	if (a)
		vec_free(&a->areas);
	free(a);
}

static void add_area(struct edit_aslr *a, u64 start, u64 len)
{
	u64 last = len - 1 > UINT64_MAX - start ? UINT64_MAX : start + len - 1;

	if (len)
		*VEC_PUSH(&a->areas) = (struct area){ .start = start & ~(u64)(AREA_GAP - 1),
						      .last = last | (AREA_GAP - 1) };
}

static u8 level_of(const struct perf_event_header *h)
{
	return h->misc & PERF_RECORD_MISC_CPUMODE_MASK;
}

static bool is_guest(u8 level)
{
	return level == PERF_RECORD_MISC_GUEST_KERNEL || level == PERF_RECORD_MISC_GUEST_USER;
}

/* Some recordings give the kernel's mapping the start 0: its first symbol tells where it begins. */
static bool begins_at_zero(u64 start, u64 pgoff)
{
	return start < KERNEL_HALF && pgoff >= KERNEL_HALF;
}

static void note_record(struct edit_aslr *a, const struct perf_event_header *h)
{
	bool is_map = h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2;
	union record_view v;
	u64 start, len, pgoff;

	if ((!is_map && h->type != PERF_RECORD_KSYMBOL) || !record_view(h, 0, &v))
		return;
	if (!is_map) {
		add_area(a, v.ksymbol.addr, v.ksymbol.len);
		return;
	}
	if (is_guest(level_of(h)))
		return;
	start = v.mmap.start;
	len = v.mmap.len;
	pgoff = v.mmap.pgoff;
	if (level_of(h) != PERF_RECORD_MISC_KERNEL) {
		add_area(a, start, len);
		return;
	}
	if (begins_at_zero(start, pgoff))
		add_area(a, pgoff, len ? len - MIN(len, pgoff - start) : UINT64_MAX);
	else
		add_area(a, start, len ? len : UINT64_MAX);
}

/* Areas that touch become one; then each gets a place. */
static void place_areas(struct edit_aslr *a)
{
	u64 low = LOW_TO, high = HIGH_TO, kernel = KERNEL_TO;
	size_t nr = 0;

	VEC_SORT(&a->areas, by_u64);
	VEC_FOR(&a->areas, r) {
		struct area *before = nr ? &a->areas.v[nr - 1] : NULL;

		if (before && (before->last == UINT64_MAX || r->start <= before->last + 1))
			before->last = MAX(before->last, r->last);
		else
			a->areas.v[nr++] = *r;
	}
	a->areas.nr = nr;
	VEC_FOR(&a->areas, r) {
		u64 *next = r->start >= KERNEL_HALF ? &kernel : r->start < LOW_END ? &low : &high;
		u64 size = r->last - r->start;

		/* an area up to the end of memory cannot be moved up */
		r->to = *next > UINT64_MAX - size ? UINT64_MAX - size : *next;
		*next = size > UINT64_MAX - AREA_GAP - r->to ? r->to : r->to + size + 1 + AREA_GAP;
	}
}

static u64 moved(const struct edit_aslr *a, u64 addr)
{
	size_t n = search_up_to(a->areas.v, a->areas.nr, sizeof(*a->areas.v), addr);
	const struct area *r = n ? &a->areas.v[n - 1] : NULL;

	return r && addr <= r->last ? addr - r->start + r->to : 0;
}

/* A stream has no header that tells of traces. */
static bool is_of_trace(const struct perf_event_header *h)
{
	return h->type == PERF_RECORD_AUXTRACE || h->type == PERF_RECORD_AUXTRACE_INFO;
}

int aslr_find(struct edit *in, struct err *e)
{
	u8 *buf = xmalloc(BUFFER_SIZE);
	struct perfdata_chunk c;
	bool traces = false;
	int got;

	while ((got = perfdata_read(in->file, buf, BUFFER_SIZE, &c, e)) > 0)
		for (size_t at = 0; at < c.len;) {
			const struct perf_event_header *h = (const void *)(buf + at);

			traces |= is_of_trace(h);
			note_record(in->aslr, h);
			at += h->size;
		}
	free(buf);
	if (traces)
		return err_set(e, ENOTSUP, "--aslr does not change addresses in hardware traces");
	place_areas(in->aslr);
	return got;
}

void aslr_convert_attr(struct perf_event_attr *attr)
{
	attr->sample_type &= ~(u64)LEFT_OUT;
	attr->sample_regs_user = attr->sample_regs_intr = 0;
	attr->sample_stack_user = 0;
	if (attr->type == PERF_TYPE_BREAKPOINT)
		attr->bp_addr = 0;
}

/* ---- samples ---- */

static void add_u64(struct strbuf *out, u64 v)
{
	strbuf_add(out, &v, sizeof(v));
}

static void put_chain(const struct edit_aslr *a, const u64 *ips, u64 nr, bool guest,
		      struct strbuf *out)
{
	for (u64 i = 0; i < nr; i++) {
		u64 ip = bits_u64(ips + i);

		if (ip >= PERF_CONTEXT_MAX) {
			guest = ip <= PERF_CONTEXT_GUEST && ip >= PERF_CONTEXT_GUEST_USER;
			add_u64(out, ip);
		} else {
			add_u64(out, guest ? 0 : moved(a, ip));
		}
	}
}

static size_t read_size(const struct sample_layout *l, const struct sample *s)
{
	u64 f = l->read_format;
	u64 words = 1 + !!(f & PERF_FORMAT_ID) + !!(f & PERF_FORMAT_LOST);

	if (f & PERF_FORMAT_GROUP)
		words = 1 + words * s->nr_read;
	return 8 * (words + !!(f & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(f & PERF_FORMAT_TOTAL_TIME_RUNNING));
}

static void put_branches(const struct edit_aslr *a, const struct sample_layout *l,
			 const struct sample *s, struct strbuf *out)
{
	enum { WORDS = 3 };

	add_u64(out, s->nr_branch);
	if (l->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		add_u64(out, s->branch_hw_idx);
	for (u64 i = 0; i < s->nr_branch * WORDS; i++) {
		u64 word = bits_u64(s->branch + i);

		add_u64(out, i % WORDS == WORDS - 1 ? word : moved(a, word));
	}
	if (l->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS)
		strbuf_add(out, s->branch_counters, s->nr_branch * sizeof(u64));
}

/* What stands behind the branches, less what is left out. */
static void put_rest(const struct sample_layout *l, const struct sample *s, struct strbuf *out)
{
	u64 t = l->sample_type;
	u64 weight = s->weight;

	if (t & PERF_SAMPLE_WEIGHT_STRUCT)
		weight |= (u64)s->ins_lat << 32 | (u64)s->p_stage_cyc << 48;
	const struct {
		u64 bits, value;
	} words[] = {
		{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, weight },
		{ PERF_SAMPLE_DATA_SRC, s->data_src },
		{ PERF_SAMPLE_TRANSACTION, s->transaction },
		{ PERF_SAMPLE_CGROUP, s->cgroup },
		{ PERF_SAMPLE_DATA_PAGE_SIZE, s->data_page_size },
		{ PERF_SAMPLE_CODE_PAGE_SIZE, s->code_page_size },
	};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (t & words[i].bits)
			add_u64(out, words[i].value);
}

static void put_sample(struct edit *in, const struct perf_event_header *h, struct strbuf *out)
{
	const struct perfdata_event *ev = perfdata_event_of(in->file, h);
	const struct edit_aslr *a = in->aslr;
	const struct sample_layout *l;
	struct perf_event_header head = *h;
	size_t from = out->len;
	u8 fixed[256];
	bool guest = is_guest(level_of(h));
	struct sample s;
	u64 word;

	if (!ev || !sample_decode(&ev->layout, h, &s) || ev->layout.fixed_end > sizeof(fixed))
		return; /* its contents are not known */
	l = &ev->layout;
	in->aslr->cut += (l->sample_type & LEFT_OUT) != 0;
	memcpy(fixed, h, l->fixed_end);
	word = guest ? 0 : moved(a, s.ip);
	if (l->ip)
		memcpy(fixed + l->ip, &word, sizeof(word));
	word = guest ? 0 : moved(a, s.addr);
	if (l->addr)
		memcpy(fixed + l->addr, &word, sizeof(word));
	strbuf_add(out, fixed, l->fixed_end);
	if (l->sample_type & PERF_SAMPLE_READ)
		strbuf_add(out, (const u8 *)h + l->fixed_end, read_size(l, &s));
	if (l->sample_type & PERF_SAMPLE_CALLCHAIN) {
		add_u64(out, s.nr_chain);
		put_chain(a, s.chain, s.nr_chain, guest, out);
	}
	if (l->sample_type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(a, l, &s, out);
	put_rest(l, &s, out);
	head.size = (u16)(out->len - from);
	memcpy(out->buf + from, &head, sizeof(head));
}

/* ---- other records ---- */

static void put_word(u8 *record, size_t at, u64 v)
{
	memcpy(record + at, &v, sizeof(v));
}

static bool is_file(const struct record_name *name)
{
	const char *s = name->text;

	return s[0] != '[' && (s[0] != '/' || s[1] != '/');
}

static void put_mapping(const struct edit_aslr *a, const struct perf_event_header *h,
			const struct record_mmap *m, struct strbuf *out)
{
	u8 *p;
	u64 start = m->start;
	bool kernel = level_of(h) == PERF_RECORD_MISC_KERNEL;

	if (is_guest(level_of(h)))
		return;
	strbuf_add(out, h, h->size);
	p = (u8 *)out->buf + out->len - h->size;
	if (kernel && begins_at_zero(start, m->pgoff)) {
		put_word(p, AT_LEN, m->len - MIN(m->len, m->pgoff - start));
		start = m->pgoff;
	}
	put_word(p, AT_START, moved(a, start));
	/* The kernel has the address of its first symbol there, memory without a file one that it
	 * had before. */
	if (kernel && m->pgoff >= KERNEL_HALF)
		put_word(p, AT_PGOFF, moved(a, m->pgoff));
	else if (!kernel && m->pgoff && !is_file(&m->name))
		put_word(p, AT_PGOFF, moved(a, start));
}

/* Features of a stream that hold addresses, or describe the samples as they were. */
static bool has_addresses(const struct perf_event_header *h)
{
	union record_view v;

	record_view(h, 0, &v);
	u64 feature = v.feature.feature;

	return feature == FEAT_SYMBOLS || feature == FEAT_BPF_PROG_INFO ||
	       feature == FEAT_EVENT_DESC;
}

static void put_deferred(const struct edit_aslr *a, const struct perf_event_header *h,
			 const struct record_deferred *r, struct strbuf *out)
{
	const u8 *end = r->ips + r->nr * 8;

	strbuf_add(out, h, DEFERRED_CHAIN);
	put_chain(a, (const u64 *)(const void *)r->ips, r->nr, false, out);
	strbuf_add(out, end, (size_t)((const u8 *)h + h->size - end));
}

/* Broken records are left out: it is not known where they have addresses. */
void aslr_put(struct edit *in, const struct perf_event_header *h, struct strbuf *out)
{
	size_t from = out->len;
	union record_view v;

	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		put_sample(in, h, out);
		return;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (record_view(h, 0, &v))
			put_mapping(in->aslr, h, &v.mmap, out);
		return;
	case PERF_RECORD_HEADER_FEATURE:
		if (!has_addresses(h))
			strbuf_add(out, h, h->size);
		return;
	case PERF_RECORD_TEXT_POKE: /* the kernel's code and where it stands */
		return;
	case PERF_RECORD_CALLCHAIN_DEFERRED:
		if (record_view(h, 0, &v))
			put_deferred(in->aslr, h, &v.deferred, out);
		return;
	case PERF_RECORD_KSYMBOL:
		if (!record_view(h, 0, &v))
			return;
		strbuf_add(out, h, h->size);
		put_word((u8 *)out->buf + from, KSYMBOL_AT, moved(in->aslr, v.ksymbol.addr));
		return;
	default:
		strbuf_add(out, h, h->size);
	}
}

void aslr_tell(const struct edit *in)
{
	if (in->aslr->cut)
		log_warn(
			"%llu samples lost registers, copies of memory or fields of tracepoints, which may hold "
			"addresses",
			(unsigned long long)in->aslr->cut);
	log_info("%zu areas of addresses moved", (size_t)in->aslr->areas.nr);
}
