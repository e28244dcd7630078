/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/record_parts.h"

#include "base/fmt.h"
#include "base/mem.h"

typedef unsigned long long ull;

void text_mapping(struct strbuf *out, const struct perf_event_header *h,
		  const struct record_mmap *r)
{
	enum { READ = 1, WRITE = 2, EXEC = 4, SHARED = 1 };

	strbuf_addf(out, " %d/%d: [%#llx(%#llx) @ %#llx", (int)r->pid, (int)r->tid, (ull)r->start,
		    (ull)r->len, (ull)r->pgoff);
	if (h->type == PERF_RECORD_MMAP) {
		strbuf_addf(out, "]: %c ", h->misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
		return;
	}
	if (r->build_id) {
		strbuf_adds(out, " <");
		fmt_build_id(out, r->build_id, r->build_id_size);
		strbuf_addch(out, '>');
	} else {
		strbuf_addf(out, " %02x:%02x %llu %llu", r->maj, r->min, (ull)r->ino,
			    (ull)r->ino_generation);
	}
	strbuf_addf(out, "]: %c%c%c%c ", r->prot & READ ? 'r' : '-', r->prot & WRITE ? 'w' : '-',
		    r->prot & EXEC ? 'x' : '-', r->flags & SHARED ? 's' : 'p');
}

void text_switch(struct strbuf *out, const struct perf_event_header *h,
		 const struct record_switch *other)
{
	bool away = h->misc & PERF_RECORD_MISC_SWITCH_OUT;
	const char *way = !away                                           ? "IN         "
			  : h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "OUT preempt"
									  : "OUT        ";

	strbuf_addf(out, " %s", way);
	if (h->type == PERF_RECORD_SWITCH_CPU_WIDE)
		strbuf_addf(out, "  %s pid/tid: %5d/%-5d", away ? "next" : "prev", (int)other->pid,
			    (int)other->tid);
	strbuf_addch(out, '\n');
}

void text_namespaces(struct strbuf *out, const struct record_namespaces *r)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };

	strbuf_addf(out, " %d/%d - nr_namespaces: %llu\n\t\t[", (int)r->pid, (int)r->tid,
		    (ull)r->nr);
	for (u64 i = 0; i < r->nr_there; i++) {
		if (i && i % 4 == 0)
			strbuf_adds(out, "\n\t\t ");
		strbuf_addf(out, "%llu/%s: %llu/%#llx%s", (ull)i,
			    i < ARRAY_SIZE(names) ? names[i] : "unknown", (ull)r->v[i].dev,
			    (ull)r->v[i].ino, i + 1 < r->nr_there ? ", " : "");
	}
	strbuf_adds(out, "]\n");
}

void text_ksymbol(struct strbuf *out, const struct record_ksymbol *r)
{
	strbuf_addf(out, " addr %llx len %u type %u flags 0x%x name ", (ull)r->addr, r->len,
		    r->type, r->flags);
}
