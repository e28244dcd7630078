/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream_file: a made-up recording in perf.data's form for pipes, for targets that fuzz what stands
 * inside of its records. See doc/format/perf.data.md.
 */
#ifndef FUZZ_STREAM_FILE_H
#define FUZZ_STREAM_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/rw.h"
#include "base/strbuf.h"
#include "perfdata/bpf_info.h"
#include "perfdata/perfdata.h"

static inline void stream_begin(struct strbuf *s)
{
	u64 size = 16;
	strbuf_add(s, "PERFILE2", 8);
	strbuf_add(s, &size, sizeof(size));
}

/* One record; the body is cut to what its size field can say. */
static inline void stream_record(struct strbuf *s, u32 type, const void *body, size_t len)
{
	struct perf_event_header h = { .type = type };
	len = MIN(len, (size_t)0xfff0 - sizeof(h));
	h.size = (u16)(sizeof(h) + len);
	strbuf_add(s, &h, sizeof(h));
	strbuf_add(s, body, len);
}

/* Read it to its end, at most max bytes of records. */
/* What a header shows of BPF programs. */
static inline void stream_read_programs(const struct perfdata_info *info)
{
	struct strbuf name = STRBUF_INIT;
	struct bpf_function f;

	for (u32 i = 0; i < info->nr_bpf_progs; i++) {
		const struct info_bpf_prog *p = &info->bpf_progs[i];

		for (u32 k = 0; k < bpf_info_functions(p) && k < 64; k++) {
			for (u32 b = 0; b < info->nr_btfs || !b; b++)
				bpf_info_function(p, info->nr_btfs ? &info->btfs[b] : NULL, k, &f,
						  &name);
			strbuf_reset(&name);
		}
	}
	strbuf_release(&name);
}

static inline void stream_read(const struct strbuf *s, size_t max)
{
	static u64 buffer[1 << 14];
	int fd = memfd_create("fuzz", 0);
	char path[64];
	struct perfdata *file;
	struct perfdata_chunk chunk;
	struct err e = ERR_INIT;

	if (fd < 0 || rw_write_full(fd, s->buf, s->len))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct perfdata_opts opts = { .path = path, .force = true };
	if (!perfdata_open(&file, &opts, &e)) {
		size_t total = 0;
		while (total < max && perfdata_read(file, buffer, sizeof(buffer), &chunk, &e) == 1)
			total += chunk.len;
		stream_read_programs(perfdata_info(file));
		perfdata_close(file);
	}
	close(fd);
}

#endif
