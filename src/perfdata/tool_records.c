/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/tool_records.h"

#include "abi/perf_event.h"
#include "base/bits.h"
#include "base/fmt.h"
#include "base/mem.h"

enum {
	BUILD_ID_FIXED = 36, /* header, pid, id, size */
	BUILD_ID_PATH_ALIGN = 64,
	SYMBOLS_PIECE = 60000, /* bytes in one record of at most 64 KiB */
};

enum { CPU_MAP_LIST, CPU_MAP_MASK, CPU_MAP_RANGE };

static void add_u64(struct strbuf *out, u64 v)
{
	strbuf_add(out, &v, sizeof(v));
}

void record_add_symbols(struct strbuf *out, u64 id, const void *body, size_t size)
{
	size_t done = 0;

	do {
		size_t n = MIN(size - done, (size_t)SYMBOLS_PIECE);
		size_t len = ALIGN_UP(sizeof(struct perf_event_header) + 4 * sizeof(u64) + n, 8);
		struct perf_event_header h = { .type = PERF_RECORD_EVENT_UPDATE, .size = (u16)len };
		size_t at = out->len;

		strbuf_add(out, &h, sizeof(h));
		add_u64(out, UPDATE_SYMBOLS);
		add_u64(out, id);
		add_u64(out, size);
		add_u64(out, done);
		if (n)
			strbuf_add(out, (const u8 *)body + done, n);
		strbuf_pad(out, '\0', at + len - out->len);
		done += n;
	} while (done < size);
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
