/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/record.h"

#include "base/bits.h"
#include "base/mem.h"
#include "perfdata/feature_view.h"
#include "perfdata/swap.h"

enum { RECORD_TEXT_BYTES = 16 };

/* Takes a body apart from its beginning on and fills a view. */
struct record_taker {
	struct feature_view body;
	u8 *view;
	size_t at; /* in the view */
	size_t needs; /* bytes of the fields so far, there or not, up to the first that may be
			 missing */
	u64 count; /* the last u64: how many elements the list behind it has */
	bool *rest; /* '?' has come; it says here whether what follows is there */
	u16 misc;
};

static const void *take(struct record_taker *t, size_t size)
{
	t->needs += t->rest ? 0 : size;
	return view_bytes(&t->body, size);
}

/* Room for the next member of the view. */
static void *member(struct record_taker *t, size_t size, size_t align)
{
	void *p = t->view + ALIGN_UP(t->at, align);

	t->at = ALIGN_UP(t->at, align) + size;
	return p;
}

static void take_word(struct record_taker *t, size_t size)
{
	const void *p = take(t, size);
	void *to = member(t, size, size);

	if (!p)
		return;
	memcpy(to, p, size);
	if (size == sizeof(t->count))
		memcpy(&t->count, p, size);
}

static void take_text(struct record_taker *t, size_t size)
{
	char *to = member(t, size, 1);

	memcpy(to, t->body.at, (size_t)MIN((u64)size, view_left(&t->body)));
	take(t, size);
}

static void take_name(struct record_taker *t)
{
	struct record_name *n = member(t, sizeof(*n), _Alignof(struct record_name));
	size_t left = (size_t)view_left(&t->body);

	t->needs++; /* its NUL */
	if (left) {
		n->text = (const char *)t->body.at;
		n->len = strnlen(n->text, left);
		n->terminated = n->len < left;
	}
	t->body.bad |= !n->terminated;
}

static void take_rest(struct record_taker *t)
{
	struct record_bytes *b = member(t, sizeof(*b), _Alignof(struct record_bytes));

	*b = (struct record_bytes){ t->body.at, (size_t)view_left(&t->body) };
	t->body.at += b->len;
}

/* Elements of some size, as many of them as there are. */
static void take_list(struct record_taker *t, u64 nr, size_t size)
{
	const void **v = member(t, sizeof(*v), _Alignof(void *));
	u64 *there = member(t, sizeof(*there), _Alignof(u64));

	*v = t->body.at;
	*there = MIN(nr, view_left(&t->body) / size);
	t->body.bad |= nr > *there;
	t->body.at += *there * size;
}

static size_t letter_size(char letter)
{
	switch (letter) {
	case 'q':
		return 8;
	case 'd':
		return 4;
	case 'w':
		return 2;
	case 'b':
		return 1;
	default:
		return RECORD_TEXT_BYTES;
	}
}

static const char *take_shaped_list(struct record_taker *t, const char *shape)
{
	size_t size = 0;

	for (shape++; *shape != ')'; shape++)
		size += letter_size(*shape);
	take_list(t, t->count, size);
	return shape;
}

static void take_shape(struct record_taker *t, const char *shape)
{
	for (; shape && *shape; shape++) {
		switch (*shape) {
		case 's':
			take_name(t);
			break;
		case '*':
		case 'Q':
			take_rest(t);
			break;
		case '(':
			shape = take_shaped_list(t, shape);
			break;
		case '?':
			if (t->body.bad)
				return;
			t->rest = member(t, sizeof(*t->rest), 1);
			break;
		case 'c':
			take_text(t, RECORD_TEXT_BYTES);
			break;
		default:
			take_word(t, letter_size(*shape));
		}
	}
	if (!t->rest)
		return;
	*t->rest = !t->body.bad;
	t->body.bad = false;
}

/* Behind the page offset: the build id or the inode, then the name. */
static void take_mmap2(struct record_taker *t, union record_view *v)
{
	enum { ID_ROOM = 24, ID_AT = 4 };
	struct record_mmap *m = &v->mmap;
	bool has_id = view_left(&t->body) >= ID_ROOM &&
		      perf_mmap2_has_build_id(t->misc, t->body.at);
	const u8 *id = take(t, ID_ROOM), *access = take(t, 8);

	if (has_id) {
		m->build_id_size = id[0];
		m->build_id = id + ID_AT;
	} else if (id) {
		m->maj = bits_u32(id);
		m->min = bits_u32(id + 4);
		m->ino = bits_u64(id + 8);
		m->ino_generation = bits_u64(id + 16);
	}
	m->prot = access ? bits_u32(access) : 0;
	m->flags = access ? bits_u32(access + 4) : 0;
	take_name(t);
}

static void take_text_poke(struct record_taker *t, union record_view *v)
{
	take_list(t, (u64)v->text_poke.old_len + v->text_poke.new_len, 1);
}

/* clang-format off */
const struct record_type record_types[PERF_RECORD_HEADER_MAX] = {
	[PERF_RECORD_MMAP] = { "MMAP", "ddqqqs", true },
	[PERF_RECORD_LOST] = { "LOST", "qq" },
	[PERF_RECORD_COMM] = { "COMM", "dds", true },
	[PERF_RECORD_EXIT] = { "EXIT", "dddd?q", true },
	[PERF_RECORD_THROTTLE] = { "THROTTLE", "qqq" },
	[PERF_RECORD_UNTHROTTLE] = { "UNTHROTTLE", "qqq" },
	[PERF_RECORD_FORK] = { "FORK", "dddd?q", true },
	[PERF_RECORD_READ] = { "READ", "ddQ" },
	[PERF_RECORD_SAMPLE] = { "SAMPLE" },
	[PERF_RECORD_MMAP2] = { "MMAP2", "ddqqq", true, take_mmap2, swap_mmap2 },
	[PERF_RECORD_AUX] = { "AUX", "qqq" },
	[PERF_RECORD_ITRACE_START] = { "ITRACE_START", "dd" },
	[PERF_RECORD_LOST_SAMPLES] = { "LOST_SAMPLES", "q" },
	[PERF_RECORD_SWITCH] = { "SWITCH" },
	[PERF_RECORD_SWITCH_CPU_WIDE] = { "SWITCH_CPU_WIDE", "dd" },
	[PERF_RECORD_NAMESPACES] = { "NAMESPACES", "ddq(qq)", true },
	[PERF_RECORD_KSYMBOL] = { "KSYMBOL", "qdwws", true },
	[PERF_RECORD_BPF_EVENT] = { "BPF_EVENT", "wwd", true },
	[PERF_RECORD_CGROUP] = { "CGROUP", "qs", true },
	[PERF_RECORD_TEXT_POKE] = { "TEXT_POKE", "qww", true, take_text_poke },
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = { "AUX_OUTPUT_HW_ID", "q" },
	[PERF_RECORD_CALLCHAIN_DEFERRED] = { "CALLCHAIN_DEFERRED", "qq(q)" },
	[PERF_RECORD_HEADER_ATTR] = { "ATTR", "*", .swap = swap_attr },
	[PERF_RECORD_HEADER_EVENT_TYPE] = { "EVENT_TYPE", "q" },
	[PERF_RECORD_HEADER_TRACING_DATA] = { "TRACING_DATA", "d" },
	[PERF_RECORD_HEADER_BUILD_ID] = { "BUILD_ID", "d" },
	[PERF_RECORD_FINISHED_ROUND] = { "FINISHED_ROUND" },
	[PERF_RECORD_ID_INDEX] = { "ID_INDEX", "q(qqqq)?(qq)" },
	[PERF_RECORD_AUXTRACE_INFO] = { "AUXTRACE_INFO", "ddQ" },
	[PERF_RECORD_AUXTRACE] = { "AUXTRACE", "qqqddd" },
	[PERF_RECORD_AUXTRACE_ERROR] = { "AUXTRACE_ERROR", "ddddddqq?ccccdd" },
	[PERF_RECORD_THREAD_MAP] = { "THREAD_MAP", "q(qc)" },
	[PERF_RECORD_CPU_MAP] = { "CPU_MAP", "*", .swap = swap_cpu_map },
	[PERF_RECORD_STAT_CONFIG] = { "STAT_CONFIG", "q(qq)" },
	[PERF_RECORD_STAT] = { "STAT", "qddqqq" },
	[PERF_RECORD_STAT_ROUND] = { "STAT_ROUND", "qq" },
	[PERF_RECORD_EVENT_UPDATE] = { "EVENT_UPDATE", "qq*", .swap = swap_event_update },
	[PERF_RECORD_TIME_CONV] = { "TIME_CONV", "qqq?qqbb" },
	[PERF_RECORD_HEADER_FEATURE] = { "FEATURE", "q*" },
	[PERF_RECORD_COMPRESSED] = { "COMPRESSED", "*" },
	[PERF_RECORD_FINISHED_INIT] = { "FINISHED_INIT" },
	[PERF_RECORD_COMPRESSED2] = { "COMPRESSED2", "q*" },
	[PERF_RECORD_BPF_METADATA] = { "BPF_METADATA" },
	[PERF_RECORD_SCHEDSTAT_CPU] = { "SCHEDSTAT_CPU" },
	[PERF_RECORD_SCHEDSTAT_DOMAIN] = { "SCHEDSTAT_DOMAIN" },
};
/* clang-format on */

static bool take_record(struct record_taker *t, u32 type, union record_view *v)
{
	const struct record_type *row = type < PERF_RECORD_HEADER_MAX ? &record_types[type] : NULL;

	memset(v, 0, sizeof(*v));
	if (!row || !row->shape)
		return false;
	t->view = (u8 *)v;
	take_shape(t, row->shape);
	if (row->take)
		row->take(t, v);
	return !t->body.bad;
}

bool record_view(const struct perf_event_header *h, size_t tail, union record_view *v)
{
	size_t len = h->size - sizeof(*h);
	const u8 *body = (const u8 *)(h + 1);
	struct record_taker t = { .body = { .at = body, .end = body + len }, .misc = h->misc };

	if (tail <= len)
		t.body.end -= tail;
	return take_record(&t, h->type, v);
}

size_t record_least_size(const struct perf_event_header *h)
{
	const u8 *body = (const u8 *)(h + 1);
	struct record_taker t = { .body = { .at = body, .end = body }, .misc = h->misc };
	union record_view v;

	take_record(&t, h->type, &v);
	return sizeof(*h) + t.needs;
}
