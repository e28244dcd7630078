/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/sample.h"

#include <string.h>

#include "base/bits.h"
#include "base/mem.h"

#define HEADER_SIZE sizeof(struct perf_event_header)
#define VARIABLE_FIELDS                                                                            \
	(~(u64)(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |     \
		PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |      \
		PERF_SAMPLE_PERIOD))

static u16 place(u64 type, u64 bit, u16 *at)
{
	u16 here = *at;

	if (!(type & bit))
		return 0;
	*at = (u16)(here + 8);
	return here;
}

static u16 place_back(u64 type, u64 bit, u16 *back)
{
	if (!(type & bit))
		return 0;
	*back = (u16)(*back + 8);
	return *back;
}

void sample_layout_init(struct sample_layout *l, const struct perf_event_attr *attr)
{
	u64 type = attr->sample_type;
	u16 at = HEADER_SIZE;
	u16 back = 0;

	memset(l, 0, sizeof(*l));
	l->sample_type = type;
	l->read_format = attr->read_format;
	l->branch_sample_type = attr->branch_sample_type;
	l->regs_user = attr->sample_regs_user;
	l->regs_intr = attr->sample_regs_intr;
	l->default_period = attr->sample_period;

	l->identifier = place(type, PERF_SAMPLE_IDENTIFIER, &at);
	l->ip = place(type, PERF_SAMPLE_IP, &at);
	l->tid = place(type, PERF_SAMPLE_TID, &at);
	l->time = place(type, PERF_SAMPLE_TIME, &at);
	l->addr = place(type, PERF_SAMPLE_ADDR, &at);
	l->id = place(type, PERF_SAMPLE_ID, &at);
	l->stream_id = place(type, PERF_SAMPLE_STREAM_ID, &at);
	l->cpu = place(type, PERF_SAMPLE_CPU, &at);
	l->period = place(type, PERF_SAMPLE_PERIOD, &at);
	l->fixed_end = at;
	l->id_pos = l->identifier ? l->identifier : l->id;
	l->has_rest = type & VARIABLE_FIELDS & ~(u64)PERF_SAMPLE_CALLCHAIN;
	l->ends_with_raw = type & PERF_SAMPLE_RAW &&
			   !(type & VARIABLE_FIELDS &
			     ~(u64)(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW));

	if (!attr->sample_id_all)
		return;
	/* The trailer is TID TIME ID STREAM_ID CPU IDENTIFIER: from the end backwards. */
	u16 identifier = place_back(type, PERF_SAMPLE_IDENTIFIER, &back);

	l->tail_cpu = place_back(type, PERF_SAMPLE_CPU, &back);
	l->tail_stream_id = place_back(type, PERF_SAMPLE_STREAM_ID, &back);
	l->tail_id = place_back(type, PERF_SAMPLE_ID, &back);
	l->tail_time = place_back(type, PERF_SAMPLE_TIME, &back);
	l->tail_tid = place_back(type, PERF_SAMPLE_TID, &back);
	if (identifier)
		l->tail_id = identifier;
	l->tail_size = back;
}

/* What is left of a record while its variable fields are taken one by one. */
struct rest {
	const u8 *at;
	const u8 *end;
};

static bool take_u64(struct rest *r, u64 *v)
{
	if (r->end - r->at < 8)
		return false;
	*v = bits_u64(r->at);
	r->at += 8;
	return true;
}

/* n elements of size bytes each; pointer to the first or NULL. */
static const void *take(struct rest *r, u64 n, u64 size)
{
	const u8 *p = r->at;

	if (n > (u64)(r->end - r->at) / size)
		return NULL;
	r->at += n * size;
	return p;
}

static unsigned int read_words(u64 format)
{
	return 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
}

static bool take_read(const struct sample_layout *l, struct rest *r, struct sample *s)
{
	u64 f = l->read_format;

	s->nr_read = 1;
	if (f & PERF_FORMAT_GROUP) {
		if (!take_u64(r, &s->nr_read))
			return false;
	} else {
		s->read = take(r, 1, 8);
		if (!s->read)
			return false;
	}
	if (f & PERF_FORMAT_TOTAL_TIME_ENABLED && !take_u64(r, &s->time_enabled))
		return false;
	if (f & PERF_FORMAT_TOTAL_TIME_RUNNING && !take_u64(r, &s->time_running))
		return false;
	if (f & PERF_FORMAT_GROUP) {
		s->read = take(r, s->nr_read, read_words(f) * 8);
		return s->read != NULL;
	}
	return read_words(f) == 1 || take(r, read_words(f) - 1, 8);
}

struct sample_read_value sample_read_at(const struct sample_layout *l, const struct sample *s,
					u64 i)
{
	u64 f = l->read_format;
	struct sample_read_value v = { 0 };
	const u8 *p = s->read;

	if (!p || i >= s->nr_read)
		return v;
	if (f & PERF_FORMAT_GROUP)
		p += i * read_words(f) * 8;
	v.value = bits_u64(p);
	p += 8;
	if (!(f & PERF_FORMAT_GROUP))
		p += 8 * (!!(f & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			  !!(f & PERF_FORMAT_TOTAL_TIME_RUNNING));
	if (f & PERF_FORMAT_ID) {
		v.id = bits_u64(p);
		p += 8;
	}
	if (f & PERF_FORMAT_LOST)
		v.lost = bits_u64(p);
	return v;
}

static bool take_branch(const struct sample_layout *l, struct rest *r, struct sample *s)
{
	if (!take_u64(r, &s->nr_branch))
		return false;
	if (l->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX && !take_u64(r, &s->branch_hw_idx))
		return false;
	s->branch = take(r, s->nr_branch, sizeof(struct perf_branch_entry));
	if (!s->branch)
		return false;
	if (!(l->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS))
		return true;
	s->branch_counters = take(r, s->nr_branch, 8);
	return s->branch_counters != NULL;
}

static bool take_regs(struct rest *r, u64 mask, u64 *abi, const u64 **regs)
{
	if (!take_u64(r, abi))
		return false;
	if (*abi == PERF_SAMPLE_REGS_ABI_NONE)
		return true;
	*regs = take(r, bits_count(mask), 8);
	return *regs != NULL;
}

static bool take_stack(struct rest *r, struct sample *s)
{
	u64 size, dyn;

	if (!take_u64(r, &size))
		return false;
	s->user_stack = r->at;
	if (!size)
		return true;
	/* The copied area ends on a word, else everything behind it is out of step. */
	s->user_stack = size % 8 ? NULL : take(r, size, 1);
	if (!s->user_stack || !take_u64(r, &dyn))
		return false;
	s->user_stack_size = MIN(dyn, size);
	return true;
}

static bool take_weight(const struct sample_layout *l, struct rest *r, struct sample *s)
{
	u64 w;

	if (!take_u64(r, &w))
		return false;
	s->weight = w;
	if (l->sample_type & PERF_SAMPLE_WEIGHT_STRUCT) {
		s->weight = (u32)w;
		s->ins_lat = (u16)(w >> 32);
		s->p_stage_cyc = (u16)(w >> 48);
	}
	return true;
}

/* Fields behind RAW: rare, so out of the way of the hot path. */
static __attribute__((noinline)) bool take_rare(const struct sample_layout *l, struct rest *r,
						struct sample *s)
{
	u64 t = l->sample_type;

	if (t & PERF_SAMPLE_BRANCH_STACK && !take_branch(l, r, s))
		return false;
	if (t & PERF_SAMPLE_REGS_USER && !take_regs(r, l->regs_user, &s->user_abi, &s->user_regs))
		return false;
	if (t & PERF_SAMPLE_STACK_USER && !take_stack(r, s))
		return false;
	if (t & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT) && !take_weight(l, r, s))
		return false;
	if (t & PERF_SAMPLE_DATA_SRC && !take_u64(r, &s->data_src))
		return false;
	if (t & PERF_SAMPLE_TRANSACTION && !take_u64(r, &s->transaction))
		return false;
	if (t & PERF_SAMPLE_REGS_INTR && !take_regs(r, l->regs_intr, &s->intr_abi, &s->intr_regs))
		return false;
	if (t & PERF_SAMPLE_PHYS_ADDR && !take_u64(r, &s->phys_addr))
		return false;
	if (t & PERF_SAMPLE_CGROUP && !take_u64(r, &s->cgroup))
		return false;
	if (t & PERF_SAMPLE_DATA_PAGE_SIZE && !take_u64(r, &s->data_page_size))
		return false;
	if (t & PERF_SAMPLE_CODE_PAGE_SIZE && !take_u64(r, &s->code_page_size))
		return false;
	if (t & PERF_SAMPLE_AUX) {
		if (!take_u64(r, &s->aux_size))
			return false;
		s->aux = take(r, s->aux_size, 1);
		return s->aux != NULL;
	}
	return true;
}

static bool take_raw(struct rest *r, struct sample *s)
{
	if (r->end - r->at < 4)
		return false;
	s->raw_size = bits_u32(r->at);
	r->at += 4;
	s->raw = take(r, s->raw_size, 1);
	/* The kernel pads so that the next field is aligned; anything else is a broken record. */
	return s->raw && (s->raw_size + 4) % 8 == 0;
}

#define RARE_FIELDS                                                                                \
	(VARIABLE_FIELDS & ~(u64)(PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW))

bool sample_decode(const struct sample_layout *l, const struct perf_event_header *h,
		   struct sample *s)
{
	const u8 *base = (const u8 *)h;
	u64 t = l->sample_type;

	mem_clear(s, sizeof(*s));
	s->branch_hw_idx = (u64)-1;
	s->misc = h->misc;
	s->cpumode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	s->pid = s->tid = s->cpu = (u32)-1;
	s->id = s->stream_id = (u64)-1;
	s->period = l->default_period;
	if (UNLIKELY(h->size < l->fixed_end))
		return false;
	if (l->ip)
		s->ip = bits_u64(base + l->ip);
	if (l->tid) {
		s->pid = bits_u32(base + l->tid);
		s->tid = bits_u32(base + l->tid + 4);
	}
	if (l->time)
		s->time = bits_u64(base + l->time);
	if (l->addr)
		s->addr = bits_u64(base + l->addr);
	if (l->id_pos)
		s->id = bits_u64(base + l->id_pos);
	if (l->stream_id)
		s->stream_id = bits_u64(base + l->stream_id);
	if (l->cpu)
		s->cpu = bits_u32(base + l->cpu);
	if (l->period)
		s->period = bits_u64(base + l->period);
	if (!(t & VARIABLE_FIELDS))
		return true;

	struct rest r = { .at = base + l->fixed_end, .end = base + h->size };

	if (t & PERF_SAMPLE_READ && !take_read(l, &r, s))
		return false;
	if (t & PERF_SAMPLE_CALLCHAIN) {
		if (!take_u64(&r, &s->nr_chain))
			return false;
		s->chain = take(&r, s->nr_chain, 8);
		if (!s->chain)
			return false;
	}
	if (t & PERF_SAMPLE_RAW && !take_raw(&r, s))
		return false;
	return !(t & RARE_FIELDS) || take_rare(l, &r, s);
}

/* What samples with heads may have: a callchain, registers and a copy of the stack, then single
 * words. */
#define LAST_WORDS                                                                                 \
	((u64)(PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC |             \
	       PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |              \
	       PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE))
#define PLAIN_FIELDS                                                                               \
	(LAST_WORDS | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

bool sample_layout_is_plain(const struct sample_layout *l)
{
	return !(l->sample_type & VARIABLE_FIELDS & ~PLAIN_FIELDS);
}

static u64 last_words(const struct sample_layout *l)
{
	/* two forms of one word */
	u64 t = l->sample_type & PERF_SAMPLE_WEIGHT
			? l->sample_type & ~(u64)PERF_SAMPLE_WEIGHT_STRUCT
			: l->sample_type;

	return bits_count(t & LAST_WORDS);
}

bool sample_rest_fits(const struct sample_layout *l, const struct perf_event_header *h,
		      size_t there)
{
	const u8 *base = (const u8 *)h;
	struct rest r = { .at = base + l->fixed_end, .end = base + MIN(there, (size_t)h->size) };
	u64 nr, abi, size = 0, left, more = last_words(l) * 8;
	const u64 *regs;

	if (l->sample_type & PERF_SAMPLE_CALLCHAIN && (!take_u64(&r, &nr) || !take(&r, nr, 8)))
		return false;
	if (l->sample_type & PERF_SAMPLE_REGS_USER && !take_regs(&r, l->regs_user, &abi, &regs))
		return false;
	if (l->sample_type & PERF_SAMPLE_STACK_USER) {
		if (!take_u64(&r, &size) || size % 8)
			return false;
		more += size ? size + 8 : 0; /* and how much of that was copied */
	}
	left = (u64)(base + h->size - r.at);
	return more <= left && size <= left;
}

void sample_of_nothing(struct sample *s)
{
	mem_clear(s, sizeof(*s));
	s->branch_hw_idx = s->id = s->stream_id = (u64)-1;
	s->pid = s->tid = s->cpu = (u32)-1;
}

/* Bytes in front of the trailer, as far as a record's content tells; 0 = it is at the end. */
static size_t body_size(const struct perf_event_header *h)
{
	enum {
		KSYMBOL_NAME = HEADER_SIZE + 16,
		BPF_EVENT = HEADER_SIZE + 16,
		POKED = HEADER_SIZE + 8
	};
	const u8 *base = (const u8 *)h;
	u16 poked[2]; /* bytes of code, before and after */

	if (h->type == PERF_RECORD_KSYMBOL && h->size > KSYMBOL_NAME)
		return KSYMBOL_NAME + (size_t)ALIGN_UP(strnlen((const char *)base + KSYMBOL_NAME,
							       h->size - KSYMBOL_NAME) +
							       1,
						       8);
	if (h->type == PERF_RECORD_TEXT_POKE && h->size >= POKED + sizeof(poked)) {
		memcpy(poked, base + POKED, sizeof(poked));
		return POKED + (size_t)ALIGN_UP(sizeof(poked) + poked[0] + poked[1], 8);
	}
	return h->type == PERF_RECORD_BPF_EVENT ? BPF_EVENT : 0;
}

/*
 * Where the trailer of a record that is no sample ends. Kernels write a KSYMBOL, BPF_EVENT or
 * TEXT_POKE that is of interest to several recordings with a size that grows from one to the next,
 * so that what was in the buffer before follows the trailer.
 */
static const u8 *trailer_end(const struct sample_layout *l, const struct perf_event_header *h)
{
	size_t body = body_size(h);

	return (const u8 *)h +
	       (body && body + l->tail_size < h->size ? body + l->tail_size : h->size);
}

u64 sample_record_time(const struct sample_layout *l, const struct perf_event_header *h)
{
	const u8 *base = (const u8 *)h;

	if (h->type == PERF_RECORD_SAMPLE) {
		if (!l->time || h->size < l->fixed_end)
			return 0;
		return bits_u64(base + l->time);
	}
	if (!l->tail_time || h->type >= PERF_RECORD_USER_TYPE_START ||
	    h->size < HEADER_SIZE + l->tail_size)
		return 0;
	return bits_u64(trailer_end(l, h) - l->tail_time);
}

bool sample_id_decode(const struct sample_layout *l, const struct perf_event_header *h,
		      struct sample_id *id)
{
	const u8 *end;

	*id = (struct sample_id){
		.id = (u64)-1, .stream_id = (u64)-1, .pid = (u32)-1, .tid = (u32)-1, .cpu = (u32)-1
	};
	if (!l->tail_size || h->type >= PERF_RECORD_USER_TYPE_START ||
	    h->size < HEADER_SIZE + l->tail_size)
		return false;
	end = trailer_end(l, h);
	if (l->tail_tid) {
		id->pid = bits_u32(end - l->tail_tid);
		id->tid = bits_u32(end - l->tail_tid + 4);
	}
	if (l->tail_time)
		id->time = bits_u64(end - l->tail_time);
	if (l->tail_id)
		id->id = bits_u64(end - l->tail_id);
	if (l->tail_stream_id)
		id->stream_id = bits_u64(end - l->tail_stream_id);
	if (l->tail_cpu)
		id->cpu = bits_u32(end - l->tail_cpu);
	return true;
}
