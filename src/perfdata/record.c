/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/record.h"

#include "base/bits.h"
#include "base/mem.h"
#include "perfdata/swap.h"

/* Takes a body apart from its beginning on. */
struct record_taker {
	const u8 *at, *end;
	size_t needs; /* bytes of the fields so far, there or not */
	u16 misc;
	bool bad;
};

static const u8 *take(struct record_taker *t, size_t size)
{
	const u8 *p = t->at;

	t->needs += size;
	if (t->bad || size > (size_t)(t->end - t->at)) {
		t->bad = true;
		return NULL;
	}
	t->at += size;
	return p;
}

static u64 take64(struct record_taker *t)
{
	const u8 *p = take(t, 8);

	return p ? bits_u64(p) : 0;
}

static u32 take32(struct record_taker *t)
{
	const u8 *p = take(t, 4);

	return p ? bits_u32(p) : 0;
}

static u16 take16(struct record_taker *t)
{
	const u8 *p = take(t, 2);

	return p ? bits_u16(p) : 0;
}

static struct record_name take_name(struct record_taker *t)
{
	size_t left = (size_t)(t->end - t->at);
	struct record_name n = { .text = NULL };

	t->needs++; /* its NUL */
	if (t->bad || !left) {
		t->bad = true;
		return n;
	}
	n.text = (const char *)t->at;
	n.len = strnlen(n.text, left);
	n.terminated = n.len < left;
	t->bad = !n.terminated;
	return n;
}

/* nr elements of some size, as many of them as there are. */
static const u8 *take_array(struct record_taker *t, u64 nr, size_t size, u64 *there)
{
	u64 left = t->bad ? 0 : (u64)(t->end - t->at) / size;

	*there = MIN(nr, left);
	t->bad = t->bad || nr > left;
	return t->at;
}

static void view_mmap(struct record_taker *t, union record_view *v)
{
	v->mmap.pid = take32(t);
	v->mmap.tid = take32(t);
	v->mmap.start = take64(t);
	v->mmap.len = take64(t);
	v->mmap.pgoff = take64(t);
	v->mmap.name = take_name(t);
}

static void view_mmap2(struct record_taker *t, union record_view *v)
{
	enum { ID_ROOM = 24, ID_AT = 4 };
	struct record_mmap *m = &v->mmap;

	m->pid = take32(t);
	m->tid = take32(t);
	m->start = take64(t);
	m->len = take64(t);
	m->pgoff = take64(t);
	if (!t->bad && t->end - t->at >= ID_ROOM && perf_mmap2_has_build_id(t->misc, t->at)) {
		m->build_id_size = t->at[0];
		m->build_id = take(t, ID_ROOM) + ID_AT;
	} else {
		m->maj = take32(t);
		m->min = take32(t);
		m->ino = take64(t);
		m->ino_generation = take64(t);
	}
	m->prot = take32(t);
	m->flags = take32(t);
	m->name = take_name(t);
}

static void view_comm(struct record_taker *t, union record_view *v)
{
	v->comm.pid = take32(t);
	v->comm.tid = take32(t);
	v->comm.name = take_name(t);
}

static void view_task(struct record_taker *t, union record_view *v)
{
	v->task.pid = take32(t);
	v->task.ppid = take32(t);
	v->task.tid = take32(t);
	v->task.ptid = take32(t);
}

static void view_ksymbol(struct record_taker *t, union record_view *v)
{
	v->ksymbol.addr = take64(t);
	v->ksymbol.len = take32(t);
	v->ksymbol.type = take16(t);
	v->ksymbol.flags = take16(t);
	v->ksymbol.name = take_name(t);
}

static void view_cgroup(struct record_taker *t, union record_view *v)
{
	v->cgroup.id = take64(t);
	v->cgroup.path = take_name(t);
}

static void view_namespaces(struct record_taker *t, union record_view *v)
{
	v->namespaces.pid = take32(t);
	v->namespaces.tid = take32(t);
	v->namespaces.nr = take64(t);
	v->namespaces.pairs = take_array(t, v->namespaces.nr, 16, &v->namespaces.nr_there);
}

static void view_switch(struct record_taker *t, union record_view *v)
{
	v->other.pid = take32(t);
	v->other.tid = take32(t);
}

static void view_lost(struct record_taker *t, union record_view *v)
{
	v->lost.id = take64(t);
	v->lost.lost = take64(t);
}

static void view_bpf_event(struct record_taker *t, union record_view *v)
{
	v->bpf_event.type = take16(t);
	v->bpf_event.flags = take16(t);
	v->bpf_event.id = take32(t);
}

static void view_text_poke(struct record_taker *t, union record_view *v)
{
	u64 there;

	v->text_poke.addr = take64(t);
	v->text_poke.old_len = take16(t);
	v->text_poke.new_len = take16(t);
	v->text_poke.bytes = take_array(t, (u64)v->text_poke.old_len + v->text_poke.new_len, 1,
					&there);
	v->text_poke.there = (size_t)there;
}

static void view_deferred(struct record_taker *t, union record_view *v)
{
	v->deferred.cookie = take64(t);
	v->deferred.nr = take64(t);
	v->deferred.ips = take_array(t, v->deferred.nr, 8, &v->deferred.nr_there);
}

static void view_lost_samples(struct record_taker *t, union record_view *v)
{
	v->lost.lost = take64(t);
}

static void view_throttle(struct record_taker *t, union record_view *v)
{
	v->throttle.time = take64(t);
	v->throttle.id = take64(t);
	v->throttle.stream_id = take64(t);
}

static void view_aux(struct record_taker *t, union record_view *v)
{
	v->aux.offset = take64(t);
	v->aux.size = take64(t);
	v->aux.flags = take64(t);
}

static void view_hw_id(struct record_taker *t, union record_view *v)
{
	v->hw_id = take64(t);
}

static void view_auxtrace(struct record_taker *t, union record_view *v)
{
	v->auxtrace.size = take64(t);
	v->auxtrace.offset = take64(t);
	v->auxtrace.reference = take64(t);
	v->auxtrace.idx = take32(t);
	v->auxtrace.tid = take32(t);
	v->auxtrace.cpu = take32(t);
}

static void view_stat(struct record_taker *t, union record_view *v)
{
	v->stat.id = take64(t);
	v->stat.cpu = take32(t);
	v->stat.thread = take32(t);
	v->stat.value = take64(t);
	v->stat.enabled = take64(t);
	v->stat.running = take64(t);
}

static void view_stat_round(struct record_taker *t, union record_view *v)
{
	v->stat_round.type = take64(t);
	v->stat_round.time = take64(t);
}

/* clang-format off */
const struct record_type record_types[PERF_RECORD_HEADER_MAX] = {
	[PERF_RECORD_MMAP] = { "MMAP", "ddqqq", NULL, true, view_mmap },
	[PERF_RECORD_LOST] = { "LOST", "qq", NULL, false, view_lost },
	[PERF_RECORD_COMM] = { "COMM", "dd", NULL, true, view_comm },
	[PERF_RECORD_EXIT] = { "EXIT", "ddddq", NULL, true, view_task },
	[PERF_RECORD_THROTTLE] = { "THROTTLE", "qqq", NULL, false, view_throttle },
	[PERF_RECORD_UNTHROTTLE] = { "UNTHROTTLE", "qqq", NULL, false, view_throttle },
	[PERF_RECORD_FORK] = { "FORK", "ddddq", NULL, true, view_task },
	[PERF_RECORD_READ] = { "READ", "ddQ" },
	[PERF_RECORD_SAMPLE] = { "SAMPLE" },
	[PERF_RECORD_MMAP2] = { "MMAP2", NULL, swap_mmap2, true, view_mmap2 },
	[PERF_RECORD_AUX] = { "AUX", "qqq", NULL, false, view_aux },
	[PERF_RECORD_ITRACE_START] = { "ITRACE_START", "dd", NULL, false, view_switch },
	[PERF_RECORD_LOST_SAMPLES] = { "LOST_SAMPLES", "q", NULL, false, view_lost_samples },
	[PERF_RECORD_SWITCH] = { "SWITCH" },
	[PERF_RECORD_SWITCH_CPU_WIDE] = { "SWITCH_CPU_WIDE", "dd", NULL, false, view_switch },
	[PERF_RECORD_NAMESPACES] = { "NAMESPACES", "ddQ", NULL, true, view_namespaces },
	[PERF_RECORD_KSYMBOL] = { "KSYMBOL", "qdww", NULL, true, view_ksymbol },
	[PERF_RECORD_BPF_EVENT] = { "BPF_EVENT", "wwd", NULL, true, view_bpf_event },
	[PERF_RECORD_CGROUP] = { "CGROUP", "q", NULL, true, view_cgroup },
	[PERF_RECORD_TEXT_POKE] = { "TEXT_POKE", "qww", NULL, true, view_text_poke },
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = { "AUX_OUTPUT_HW_ID", "q", NULL, false, view_hw_id },
	[PERF_RECORD_CALLCHAIN_DEFERRED] = { "CALLCHAIN_DEFERRED", "Q", NULL, false, view_deferred },
	[PERF_RECORD_HEADER_ATTR] = { "ATTR", NULL, swap_attr },
	[PERF_RECORD_HEADER_EVENT_TYPE] = { "EVENT_TYPE", "q" },
	[PERF_RECORD_HEADER_TRACING_DATA] = { "TRACING_DATA", "d" },
	[PERF_RECORD_HEADER_BUILD_ID] = { "BUILD_ID", "d" },
	[PERF_RECORD_FINISHED_ROUND] = { "FINISHED_ROUND" },
	[PERF_RECORD_ID_INDEX] = { "ID_INDEX", "Q" },
	[PERF_RECORD_AUXTRACE_INFO] = { "AUXTRACE_INFO", "ddQ" },
	[PERF_RECORD_AUXTRACE] = { "AUXTRACE", "qqqdddd", NULL, false, view_auxtrace },
	[PERF_RECORD_AUXTRACE_ERROR] = { "AUXTRACE_ERROR", "ddddddqq" },
	[PERF_RECORD_THREAD_MAP] = { "THREAD_MAP", NULL, swap_thread_map },
	[PERF_RECORD_CPU_MAP] = { "CPU_MAP", NULL, swap_cpu_map },
	[PERF_RECORD_STAT_CONFIG] = { "STAT_CONFIG", "Q" },
	[PERF_RECORD_STAT] = { "STAT", "qddqqq", NULL, false, view_stat },
	[PERF_RECORD_STAT_ROUND] = { "STAT_ROUND", "qq", NULL, false, view_stat_round },
	[PERF_RECORD_EVENT_UPDATE] = { "EVENT_UPDATE", NULL, swap_event_update },
	[PERF_RECORD_TIME_CONV] = { "TIME_CONV", "qqqqq" },
	[PERF_RECORD_HEADER_FEATURE] = { "FEATURE", "q" },
	[PERF_RECORD_COMPRESSED] = { "COMPRESSED" },
	[PERF_RECORD_FINISHED_INIT] = { "FINISHED_INIT" },
	[PERF_RECORD_COMPRESSED2] = { "COMPRESSED2", "q" },
	[PERF_RECORD_BPF_METADATA] = { "BPF_METADATA" },
	[PERF_RECORD_SCHEDSTAT_CPU] = { "SCHEDSTAT_CPU" },
	[PERF_RECORD_SCHEDSTAT_DOMAIN] = { "SCHEDSTAT_DOMAIN" },
};
/* clang-format on */

bool record_view(const struct perf_event_header *h, size_t tail, union record_view *v)
{
	size_t len = h->size - sizeof(*h);
	struct record_taker t = { .at = (const u8 *)(h + 1), .misc = h->misc };

	t.end = t.at + (tail <= len ? len - tail : len);
	*v = (union record_view){ .mmap = { .pid = 0 } };
	if (h->type >= PERF_RECORD_HEADER_MAX || !record_types[h->type].view)
		return false;
	record_types[h->type].view(&t, v);
	return !t.bad;
}

size_t record_least_size(const struct perf_event_header *h)
{
	const u8 *body = (const u8 *)(h + 1);
	struct record_taker t = { .at = body, .end = body, .misc = h->misc };
	union record_view v = { .mmap = { .pid = 0 } };

	if (h->type < PERF_RECORD_HEADER_MAX && record_types[h->type].view)
		record_types[h->type].view(&t, &v);
	return sizeof(*h) + t.needs;
}
