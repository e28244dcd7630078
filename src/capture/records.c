/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/records.h"

#include <limits.h>

#include "base/bits.h"
#include "base/mem.h"

enum {
	MAX_RECORD = 65528, /* u16 size, multiple of 8 */
	CPU_MAP_LIST = 0,
	CPU_MAP_MASK = 1,
};

#define TRAILER_BITS                                                                               \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

size_t records_trailer_size(u64 sample_type)
{
	return 8 * (size_t)bits_count(sample_type & TRAILER_BITS);
}

static size_t begin(struct records *r, u32 type, u16 misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t at = r->out.len;

	r->last = at;
	strbuf_add(&r->out, &h, sizeof(h));
	return at;
}

static void pad8(struct records *r, size_t at)
{
	strbuf_pad(&r->out, '\0', (size_t)(ALIGN_UP(r->out.len - at, 8) - (r->out.len - at)));
}

static void set_size(struct records *r, size_t at)
{
	u16 size = (u16)(r->out.len - at);

	memcpy(r->out.buf + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

static void end(struct records *r, size_t at)
{
	pad8(r, at);
	strbuf_pad(&r->out, '\0', r->trailer);
	set_size(r, at);
}

static void end_tool(struct records *r, size_t at)
{
	pad8(r, at);
	set_size(r, at);
}

static void add_u16(struct records *r, u16 v)
{
	strbuf_add(&r->out, &v, sizeof(v));
}

static void add_u32(struct records *r, u32 v)
{
	strbuf_add(&r->out, &v, sizeof(v));
}

static void add_u64(struct records *r, u64 v)
{
	strbuf_add(&r->out, &v, sizeof(v));
}

/* With its NUL; the caller's end() pads. */
static void add_name(struct records *r, const char *name)
{
	strbuf_add(&r->out, name, strnlen(name, PATH_MAX - 1));
	strbuf_addch(&r->out, '\0');
}

void records_mmap(struct records *r, const struct records_map *m)
{
	u16 misc = m->cpumode | (m->data ? PERF_RECORD_MISC_MMAP_DATA : 0);
	size_t at = begin(r, PERF_RECORD_MMAP, misc);

	add_u32(r, (u32)m->pid);
	add_u32(r, (u32)m->tid);
	add_u64(r, m->addr);
	add_u64(r, m->len);
	add_u64(r, m->pgoff);
	add_name(r, m->name);
	end(r, at);
}

void records_mmap2(struct records *r, const struct records_map *m)
{
	u8 id[20] = { 0 };
	u16 misc = m->cpumode | (m->data ? PERF_RECORD_MISC_MMAP_DATA : 0) |
		   (m->build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
	size_t at = begin(r, PERF_RECORD_MMAP2, misc);

	add_u32(r, (u32)m->pid);
	add_u32(r, (u32)m->tid);
	add_u64(r, m->addr);
	add_u64(r, m->len);
	add_u64(r, m->pgoff);
	if (m->build_id) {
		u8 size = MIN(m->build_id_size, sizeof(id));

		memcpy(id, m->build_id, size);
		add_u32(r, size);
		strbuf_add(&r->out, id, sizeof(id));
	} else {
		add_u32(r, m->maj);
		add_u32(r, m->min);
		add_u64(r, m->ino);
		add_u64(r, 0); /* generation: not told by /proc */
	}
	add_u32(r, m->prot);
	add_u32(r, m->flags);
	add_name(r, m->name);
	end(r, at);
}

void records_mark_timeout(struct records *r)
{
	struct perf_event_header h;

	if (r->out.len < r->last + sizeof(h))
		return;
	memcpy(&h, r->out.buf + r->last, sizeof(h));
	h.misc |= PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT;
	memcpy(r->out.buf + r->last, &h, sizeof(h));
}

void records_comm(struct records *r, s32 pid, s32 tid, const char *comm)
{
	size_t at = begin(r, PERF_RECORD_COMM, 0);

	add_u32(r, (u32)pid);
	add_u32(r, (u32)tid);
	add_name(r, comm);
	end(r, at);
}

void records_fork(struct records *r, s32 pid, s32 ppid, s32 tid, s32 ptid)
{
	/* marked: the maps of the parent are not inherited, they are all listed */
	size_t at = begin(r, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC);

	add_u32(r, (u32)pid);
	add_u32(r, (u32)ppid);
	add_u32(r, (u32)tid);
	add_u32(r, (u32)ptid);
	add_u64(r, 0);
	end(r, at);
}

void records_namespaces(struct records *r, s32 pid, s32 tid, const struct records_ns *ns, u64 nr)
{
	size_t at = begin(r, PERF_RECORD_NAMESPACES, 0);

	add_u32(r, (u32)pid);
	add_u32(r, (u32)tid);
	add_u64(r, nr);
	strbuf_add(&r->out, ns, nr * sizeof(*ns));
	end(r, at);
}

void records_cgroup(struct records *r, u64 id, const char *path)
{
	size_t at = begin(r, PERF_RECORD_CGROUP, 0);

	add_u64(r, id);
	add_name(r, path);
	end(r, at);
}

void records_ksymbol(struct records *r, u64 addr, u32 len, u16 type, const char *name)
{
	size_t at = begin(r, PERF_RECORD_KSYMBOL, 0);

	add_u64(r, addr);
	add_u32(r, len);
	add_u16(r, type);
	add_u16(r, 0);
	add_name(r, name);
	end(r, at);
}

void records_bpf_event(struct records *r, u32 id, const u8 tag[8])
{
	size_t at = begin(r, PERF_RECORD_BPF_EVENT, 0);

	add_u16(r, 1); /* load */
	add_u16(r, 0);
	add_u32(r, id);
	strbuf_add(&r->out, tag, 8);
	end(r, at);
}

void records_id_index(struct records *r, const struct records_id *ids, size_t nr)
{
	size_t per_record = (MAX_RECORD - 16) / sizeof(*ids);

	for (size_t done = 0; done < nr;) {
		size_t n = MIN(nr - done, per_record);
		size_t at = begin(r, PERF_RECORD_ID_INDEX, 0);

		add_u64(r, n);
		strbuf_add(&r->out, ids + done, n * sizeof(*ids));
		end_tool(r, at);
		done += n;
	}
}

void records_thread_map(struct records *r, const s32 *pids, const char (*comms)[16], size_t nr)
{
	size_t per_record = (MAX_RECORD - 16) / 24;
	size_t at = begin(r, PERF_RECORD_THREAD_MAP, 0);

	nr = MIN(nr, per_record);
	add_u64(r, nr);
	for (size_t i = 0; i < nr; i++) {
		add_u64(r, (u64)(s64)pids[i]);
		strbuf_add(&r->out, comms[i], 16);
	}
	end_tool(r, at);
}

/* A list while it is the shorter form, else a bit mask, as perf does. */
static void add_cpus(struct records *r, const u32 *cpus, size_t nr)
{
	u32 max = nr ? cpus[nr - 1] : 0;
	size_t words = max / 64 + 1;

	if (nr * 2 <= words * 8 || nr < 4) {
		add_u16(r, CPU_MAP_LIST);
		add_u16(r, (u16)nr);
		for (size_t i = 0; i < nr; i++)
			add_u16(r, (u16)cpus[i]);
		return;
	}
	add_u16(r, CPU_MAP_MASK);
	add_u16(r, (u16)words);
	add_u16(r, 8); /* bytes of a word */
	add_u16(r, 0);
	for (size_t w = 0, i = 0; w < words; w++) {
		u64 bits = 0;

		for (; i < nr && cpus[i] / 64 == w; i++)
			bits |= 1ULL << (cpus[i] % 64);
		add_u64(r, bits);
	}
}

void records_cpu_map(struct records *r, const u32 *cpus, size_t nr)
{
	size_t at = begin(r, PERF_RECORD_CPU_MAP, 0);

	add_cpus(r, cpus, nr);
	end_tool(r, at);
}

void records_event_update_text(struct records *r, enum event_update what, u64 id, const char *text)
{
	size_t at = begin(r, PERF_RECORD_EVENT_UPDATE, 0);

	add_u64(r, what);
	add_u64(r, id);
	add_name(r, text);
	end_tool(r, at);
}

void records_event_update_scale(struct records *r, u64 id, double scale)
{
	size_t at = begin(r, PERF_RECORD_EVENT_UPDATE, 0);

	add_u64(r, UPDATE_SCALE);
	add_u64(r, id);
	strbuf_add(&r->out, &scale, sizeof(scale));
	end_tool(r, at);
}

void records_event_update_cpus(struct records *r, u64 id, const u32 *cpus, size_t nr)
{
	size_t at = begin(r, PERF_RECORD_EVENT_UPDATE, 0);

	add_u64(r, UPDATE_CPUS);
	add_u64(r, id);
	add_cpus(r, cpus, nr);
	end_tool(r, at);
}

void records_time_conv(struct records *r, const struct perf_event_mmap_page *page)
{
	enum { CAP_USER_TIME_ZERO = 1 << 4, CAP_USER_TIME_SHORT = 1 << 5 };
	size_t at;

	if (!(page->capabilities & CAP_USER_TIME_ZERO))
		return;
	at = begin(r, PERF_RECORD_TIME_CONV, 0);
	add_u64(r, page->time_shift);
	add_u64(r, page->time_mult);
	add_u64(r, page->time_zero);
	add_u64(r, page->time_cycles);
	add_u64(r, page->time_mask);
	strbuf_addch(&r->out, 1);
	strbuf_addch(&r->out, !!(page->capabilities & CAP_USER_TIME_SHORT));
	end_tool(r, at);
}

void records_empty(struct records *r, u32 type)
{
	set_size(r, begin(r, type, 0));
}

void records_stat_config(struct records *r, u64 aggregation, bool scale, u64 interval)
{
	enum { TAG_AGGREGATION, TAG_INTERVAL, TAG_SCALE };
	const u64 words[] = { 3,        TAG_AGGREGATION, aggregation, TAG_INTERVAL,
			      interval, TAG_SCALE,       scale };
	size_t at = begin(r, PERF_RECORD_STAT_CONFIG, 0);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		add_u64(r, words[i]);
	end_tool(r, at);
}

void records_auxtrace_info(struct records *r, u32 type, const struct strbuf *words)
{
	size_t at = begin(r, PERF_RECORD_AUXTRACE_INFO, 0);

	add_u32(r, type);
	add_u32(r, 0);
	strbuf_add(&r->out, words->buf, words->len);
	end_tool(r, at);
}

void records_stat(struct records *r, const struct records_stat *v)
{
	size_t at = begin(r, PERF_RECORD_STAT, 0);

	add_u64(r, v->id);
	add_u32(r, v->cpu);
	add_u32(r, v->thread);
	add_u64(r, v->value);
	add_u64(r, v->enabled);
	add_u64(r, v->running);
	end_tool(r, at);
}

void records_stat_round(struct records *r, bool final, u64 time)
{
	size_t at = begin(r, PERF_RECORD_STAT_ROUND, 0);

	add_u64(r, final);
	add_u64(r, time);
	end_tool(r, at);
}

void records_lost_samples(struct records *r, u16 misc, u64 sample_type, u64 id, u64 lost)
{
	static const u32 order[] = {
		PERF_SAMPLE_TID,       PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
		PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,  PERF_SAMPLE_IDENTIFIER
	};
	size_t at = begin(r, PERF_RECORD_LOST_SAMPLES, misc);

	add_u64(r, lost);
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (sample_type & order[i])
			add_u64(r, order[i] & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? id : 0);
	}
	set_size(r, at);
}
