/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/tool_records.h"

#include "abi/perf_event.h"
#include "base/bits.h"
#include "base/fmt.h"
#include "base/mem.h"

enum {
	EVENT_UPDATE_FIXED = 40, /* header, type, id, and the room that perf leaves */
	THREAD_COMM = 16,
	BUILD_ID_FIXED = 36, /* header, pid, id, size */
	BUILD_ID_PATH_ALIGN = 64,
	ID_INDEX_MAX = 2000, /* entries in one record of at most 64 KiB */
	CPU_LIST_MAX = 30000,
	SYMBOLS_PIECE = 60000,
};

enum { CPU_MAP_LIST, CPU_MAP_MASK, CPU_MAP_RANGE };

static size_t begin(struct strbuf *out, u32 type)
{
	struct perf_event_header h = { .type = type };
	size_t at = out->len;

	strbuf_add(out, &h, sizeof(h));
	return at;
}

/* Pad to 8 bytes and to at least min, and fill in the size. */
static void end(struct strbuf *out, size_t at, size_t min)
{
	struct perf_event_header h;
	size_t len = MAX(ALIGN_UP(out->len - at, 8), min);

	strbuf_pad(out, '\0', len - (out->len - at));
	memcpy(&h, out->buf + at, sizeof(h));
	h.size = (u16)len;
	memcpy(out->buf + at, &h, sizeof(h));
}

static void add_u64(struct strbuf *out, u64 v)
{
	strbuf_add(out, &v, sizeof(v));
}

static void add_u16(struct strbuf *out, u16 v)
{
	strbuf_add(out, &v, sizeof(v));
}

void record_add_finished_round(struct strbuf *out)
{
	end(out, begin(out, PERF_RECORD_FINISHED_ROUND), 0);
}

void record_add_finished_init(struct strbuf *out)
{
	end(out, begin(out, PERF_RECORD_FINISHED_INIT), 0);
}

void record_add_id_index(struct strbuf *out, const struct id_index_entry *v, size_t nr)
{
	for (size_t done = 0; done < nr; done += ID_INDEX_MAX) {
		size_t n = MIN(nr - done, (size_t)ID_INDEX_MAX);
		size_t at = begin(out, PERF_RECORD_ID_INDEX);

		add_u64(out, n);
		strbuf_add(out, v + done, n * sizeof(*v));
		end(out, at, 0);
	}
}

static size_t begin_update(struct strbuf *out, u64 type, u64 id)
{
	size_t at = begin(out, PERF_RECORD_EVENT_UPDATE);

	add_u64(out, type);
	add_u64(out, id);
	return at;
}

static void add_text_update(struct strbuf *out, u64 type, u64 id, const char *text)
{
	size_t at = begin_update(out, type, id);
	size_t len = MIN(strlen(text), (size_t)32000);

	strbuf_add(out, text, len);
	strbuf_addch(out, '\0');
	end(out, at, EVENT_UPDATE_FIXED + ALIGN_UP(len + 1, 8));
}

void record_add_event_unit(struct strbuf *out, u64 id, const char *unit)
{
	add_text_update(out, UPDATE_UNIT, id, unit);
}

void record_add_event_scale(struct strbuf *out, u64 id, double scale)
{
	size_t at = begin_update(out, UPDATE_SCALE, id);

	strbuf_add(out, &scale, sizeof(scale));
	end(out, at, EVENT_UPDATE_FIXED + 8);
}

void record_add_event_name(struct strbuf *out, u64 id, const char *name)
{
	add_text_update(out, UPDATE_NAME, id, name);
}

/* A range when there are no holes, else a list. */
static void add_cpu_map(struct strbuf *out, const u32 *cpus, size_t nr)
{
	nr = MIN(nr, (size_t)CPU_LIST_MAX);
	if (!nr) {
		add_u16(out, CPU_MAP_LIST);
		add_u16(out, 1);
		add_u16(out, (u16)-1); /* any CPU */
	} else if (cpus[nr - 1] - cpus[0] == nr - 1) {
		add_u16(out, CPU_MAP_RANGE);
		add_u16(out, 0);
		add_u16(out, (u16)cpus[0]);
		add_u16(out, (u16)cpus[nr - 1]);
	} else {
		add_u16(out, CPU_MAP_LIST);
		add_u16(out, (u16)nr);
		for (size_t i = 0; i < nr; i++)
			add_u16(out, (u16)cpus[i]);
	}
}

void record_add_event_cpus(struct strbuf *out, u64 id, const u32 *cpus, size_t nr)
{
	size_t at = begin_update(out, UPDATE_CPUS, id);

	add_cpu_map(out, cpus, nr);
	end(out, at, EVENT_UPDATE_FIXED);
}

void record_add_symbols(struct strbuf *out, u64 id, const void *body, size_t size)
{
	size_t done = 0;

	do {
		size_t n = MIN(size - done, (size_t)SYMBOLS_PIECE);
		size_t at = begin_update(out, UPDATE_SYMBOLS, id);

		add_u64(out, size);
		add_u64(out, done);
		if (n)
			strbuf_add(out, (const u8 *)body + done, n);
		end(out, at, 0);
		done += n;
	} while (done < size);
}

void record_add_cpu_map(struct strbuf *out, const u32 *cpus, size_t nr)
{
	size_t at = begin(out, PERF_RECORD_CPU_MAP);

	add_cpu_map(out, cpus, nr);
	end(out, at, 0);
}

void record_add_thread_map(struct strbuf *out, const u64 *tids, const char *const *comms,
			   size_t nr)
{
	size_t at = begin(out, PERF_RECORD_THREAD_MAP);

	nr = MIN(nr, (size_t)2700);
	add_u64(out, nr);
	for (size_t i = 0; i < nr; i++) {
		size_t len = comms ? strnlen(comms[i], THREAD_COMM - 1) : 0;

		add_u64(out, tids[i]);
		strbuf_add(out, comms ? comms[i] : "", len);
		strbuf_pad(out, '\0', THREAD_COMM - len);
	}
	end(out, at, 0);
}

void record_add_time_conv(struct strbuf *out, const struct time_conv *tc)
{
	size_t at = begin(out, PERF_RECORD_TIME_CONV);

	add_u64(out, tc->shift);
	add_u64(out, tc->mult);
	add_u64(out, tc->zero);
	add_u64(out, tc->cycles);
	add_u64(out, tc->mask);
	strbuf_addch(out, (char)tc->cap_user_time_zero);
	strbuf_addch(out, (char)tc->cap_user_time_short);
	end(out, at, 0);
}

void feature_add_build_id(struct strbuf *body, u16 misc, s32 pid, const u8 *id, size_t size,
			  const char *path)
{
	static const u8 zeros[24];
	size_t len = MIN(strlen(path), (size_t)32000);
	size_t padded = ALIGN_UP(len + 1, BUILD_ID_PATH_ALIGN);
	struct perf_event_header h = {
		.misc = misc | PERF_RECORD_MISC_BUILD_ID_SIZE,
		.size = (u16)(BUILD_ID_FIXED + padded),
	};

	size = MIN(size, (size_t)20);
	strbuf_add(body, &h, sizeof(h));
	strbuf_add(body, &pid, sizeof(pid));
	strbuf_add(body, id, size);
	strbuf_add(body, zeros, 20 - size);
	strbuf_addch(body, (char)size);
	strbuf_add(body, zeros, 3);
	strbuf_add(body, path, len);
	strbuf_pad(body, '\0', padded - len);
}

enum { CPU_MAP_MAX = 1 << 16 };

struct cpu_set {
	u32 *cpus;
	size_t nr;
	bool any;
};

static void add_cpu(struct cpu_set *s, u32 cpu)
{
	if (cpu == (u16)-1)
		s->any = true;
	else if (s->nr < CPU_MAP_MAX)
		s->cpus[s->nr++] = cpu;
}

/* {u16 number of words, u16 bytes of a word}, words at an aligned place (of the kind's struct) */
static bool mask_cpus(struct cpu_set *s, const u8 *p, size_t len)
{
	u32 word = bits_u16(p + 4), bits = bits_u16(p + 2) * word * 8;
	size_t at = word == 8 ? 10 : 6;

	if (word != 4 && word != 8)
		return false;
	for (u32 i = 0; i < bits && at + i / 8 < len; i++)
		if (p[at + i / 8] >> (i % 8) & 1)
			add_cpu(s, i);
	return true;
}

bool record_cpu_map_text(struct strbuf *out, const void *body, size_t len)
{
	_cleanup_(mem_freep) u32 *cpus = NULL;
	struct cpu_set s = { 0 };
	const u8 *p = body;
	u32 kind, n;

	if (len < 6)
		return false;
	cpus = s.cpus = XNEW_ARRAY(u32, CPU_MAP_MAX);
	kind = bits_u16(p);
	n = bits_u16(p + 2);
	if (kind == CPU_MAP_LIST) {
		for (u32 i = 0; i < n && 4 + 2 * (size_t)i + 2 <= len; i++)
			add_cpu(&s, bits_u16(p + 4 + (size_t)i * 2));
	} else if (kind == CPU_MAP_MASK) {
		if (!mask_cpus(&s, p, len))
			return false;
	} else if (kind == CPU_MAP_RANGE && len >= 8) {
		s.any = p[2] != 0;
		for (u32 i = bits_u16(p + 4), last = bits_u16(p + 6); i <= last; i++)
			add_cpu(&s, i);
	} else {
		return false;
	}
	if (s.any)
		strbuf_adds(out, s.nr ? "-1," : "-1");
	fmt_cpu_list(out, s.cpus, s.nr);
	return true;
}
