/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records that describe the recorded machine, as lines between the samples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fmt.h"
#include "base/hash.h"
#include "base/mem.h"
#include "text/dump.h"
#include "text/print.h"

struct body {
	const struct perf_event_header *h;
	const u8 *p;
	size_t len; /* without the trailer */
	const struct sample_print *x;
	struct strbuf *out;
};

static u32 word32(const struct body *b, size_t at)
{
	return at + 4 <= b->len ? bits_u32(b->p + at) : 0;
}

static u64 word64(const struct body *b, size_t at)
{
	return at + 8 <= b->len ? bits_u64(b->p + at) : 0;
}

static void add_string(const struct body *b, size_t at)
{
	struct strbuf text = STRBUF_INIT;

	if (at >= b->len)
		return;
	strbuf_add(&text, b->p + at, strnlen((const char *)b->p + at, b->len - at));
	add_foreign(b->x->t, b->out, text.buf);
	strbuf_release(&text);
}

static void add_comm(const struct body *b)
{
	strbuf_addf(b->out,
		    "PERF_RECORD_COMM%s: ", b->h->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "");
	add_string(b, 8);
	strbuf_addf(b->out, ":%d/%d\n", (int)word32(b, 0), (int)word32(b, 4));
}

static void add_task(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_%s(%d:%d):(%d:%d)\n",
		    b->h->type == PERF_RECORD_FORK ? "FORK" : "EXIT", (int)word32(b, 0),
		    (int)word32(b, 8), (int)word32(b, 4), (int)word32(b, 12));
}

static void add_mmap(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_MMAP %d/%d: [%#llx(%#llx) @ %#llx]: %c ",
		    (int)word32(b, 0), (int)word32(b, 4), (unsigned long long)word64(b, 8),
		    (unsigned long long)word64(b, 16), (unsigned long long)word64(b, 24),
		    b->h->misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
	add_string(b, 32);
	strbuf_addch(b->out, '\n');
}

static void add_mmap2(const struct body *b)
{
	enum { READ = 1, WRITE = 2, EXEC = 4, SHARED = 1 };
	u32 prot = word32(b, 56);
	u32 flags = word32(b, 60);

	strbuf_addf(b->out, "PERF_RECORD_MMAP2 %d/%d: [%#llx(%#llx) @ %#llx ", (int)word32(b, 0),
		    (int)word32(b, 4), (unsigned long long)word64(b, 8),
		    (unsigned long long)word64(b, 16), (unsigned long long)word64(b, 24));
	if (b->len >= 56 && perf_mmap2_has_build_id(b->h->misc, b->p + 32)) {
		strbuf_addch(b->out, '<');
		fmt_build_id(b->out, b->p + 36, b->p[32]);
		strbuf_addch(b->out, '>');
	} else {
		strbuf_addf(b->out, "%02x:%02x %llu %llu", word32(b, 32), word32(b, 36),
			    (unsigned long long)word64(b, 40), (unsigned long long)word64(b, 48));
	}
	strbuf_addf(b->out, "]: %c%c%c%c ", prot & READ ? 'r' : '-', prot & WRITE ? 'w' : '-',
		    prot & EXEC ? 'x' : '-', flags & SHARED ? 's' : 'p');
	add_string(b, 64);
	strbuf_addch(b->out, '\n');
}

static void add_switch(const struct body *b)
{
	const struct perf_event_header *h = b->h;
	bool out = h->misc & PERF_RECORD_MISC_SWITCH_OUT;
	const char *way = !out                                            ? "IN         "
			  : h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "OUT preempt"
									  : "OUT        ";

	if (h->type == PERF_RECORD_SWITCH) {
		strbuf_addf(b->out, "PERF_RECORD_SWITCH %s\n", way);
		return;
	}
	strbuf_addf(b->out, "PERF_RECORD_SWITCH_CPU_WIDE %s  %s pid/tid: %5d/%-5d\n", way,
		    out ? "next" : "prev", (int)word32(b, 0), (int)word32(b, 4));
}

static void add_namespaces(const struct body *b)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	u64 nr = word64(b, 8);

	strbuf_addf(b->out, "PERF_RECORD_NAMESPACES %d/%d - nr_namespaces: %llu\n\t\t[",
		    (int)word32(b, 0), (int)word32(b, 4), (unsigned long long)nr);
	nr = MIN(nr, b->len / 16);
	for (u64 i = 0; i < nr; i++) {
		if (i && i % 4 == 0)
			strbuf_adds(b->out, "\n\t\t ");
		strbuf_addf(b->out, "%llu/%s: %llu/%#llx%s", (unsigned long long)i,
			    i < ARRAY_SIZE(names) ? names[i] : "unknown",
			    (unsigned long long)word64(b, 16 + i * 16),
			    (unsigned long long)word64(b, 24 + i * 16), i + 1 != nr ? ", " : "]\n");
	}
}

static void add_ksymbol(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_KSYMBOL addr %llx len %u type %u flags 0x%x name ",
		    (unsigned long long)word64(b, 0), word32(b, 8), word32(b, 12) & 0xffff,
		    word32(b, 12) >> 16);
	add_string(b, 16);
	strbuf_addch(b->out, '\n');
}

static void add_text_poke(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_TEXT_POKE addr 0x%llx old len %u new len %u\n",
		    (unsigned long long)word64(b, 0), word32(b, 8) & 0xffff, word32(b, 8) >> 16);
}

static void add_lost(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_LOST lost %llu\n", (unsigned long long)word64(b, 8));
}

static void add_bpf_event(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_BPF_EVENT type %u, flags %u, id %u\n",
		    word32(b, 0) & 0xffff, word32(b, 0) >> 16, word32(b, 4));
}

static void add_cgroup(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_CGROUP cgroup: %llu ", (unsigned long long)word64(b, 0));
	add_string(b, 8);
	strbuf_addch(b->out, '\n');
}

static struct named_task *find_task(struct sample_text *t, u32 tid, bool add)
{
	u32 i;

	for (struct map_probe p = map_first(&t->task_ids, hash_u64(tid));
	     map_next(&t->task_ids, &p, &i);)
		if (t->tasks.v[i].tid == tid)
			return &t->tasks.v[i];
	if (!add)
		return NULL;
	map_add(&t->task_ids, hash_u64(tid), (u32)t->tasks.nr);
	*VEC_PUSH(&t->tasks) = (struct named_task){ .tid = tid };
	return VEC_LAST(&t->tasks);
}

static const char *name_task(struct sample_text *t, u32 tid, const u8 *name, size_t len)
{
	struct named_task *task = find_task(t, tid, true);

	len = MIN(strnlen((const char *)name, len), sizeof(task->comm) - 1);
	memcpy(task->comm, name, len);
	task->comm[len] = '\0';
	task->unnamed = false;
	return task->comm;
}

/* What virtual machines have written (`perf inject --guest-data`): their tasks' numbers are their
 * own. */
enum { GUEST_TASK = 1U << 30 };

static bool is_of_guest(const struct perf_event_header *h)
{
	unsigned int level = h->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return level == PERF_RECORD_MISC_GUEST_KERNEL || level == PERF_RECORD_MISC_GUEST_USER;
}

static bool is_mapping(const struct perf_event_header *h)
{
	return h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2;
}

static const char *name_of_guest(struct sample_text *t, u32 tid)
{
	struct named_task *task = find_task(t, tid | GUEST_TASK, true);

	if (task->comm[0])
		return task->comm;
	task->unnamed = tid != 0;
	if (task->unnamed)
		snprintf(task->comm, sizeof(task->comm), ":%d", (int)tid);
	else
		memcpy(task->comm, "swapper", sizeof("swapper"));
	return task->comm;
}

/*
 * The name of a new task: its parent's. At the start of a recording tasks are told of in any order,
 * so the parent may not be known yet, or only by its number; then the task is shown by its own.
 */
static const char *name_child(struct sample_text *t, u32 child, u32 parent)
{
	const struct named_task *p = find_task(t, parent, false);
	char comm[16] = { 0 };
	bool unnamed = p ? p->unnamed : (parent & ~GUEST_TASK) != 0;

	if (p && !unnamed)
		memcpy(comm, p->comm, sizeof(comm));
	else if (!unnamed)
		memcpy(comm, "swapper", sizeof("swapper"));
	else
		snprintf(comm, sizeof(comm), ":%d", (int)(child & ~GUEST_TASK));
	struct named_task *task = find_task(t, child, true);

	memcpy(task->comm, comm, sizeof(comm));
	task->unnamed = unnamed;
	return task->comm;
}

/* A user callchain that was taken later, with the fields of a sample of the same event. */
static void add_deferred(const struct body *b)
{
	enum { IPS = 16 };
	u64 nr = MIN(word64(b, 8), (u64)(b->len < IPS ? 0 : (b->len - IPS) / 8));
	struct session_record chain = *b->x->r;
	struct sample_print x = *b->x;
	struct sample smp = { .cpumode = PERF_RECORD_MISC_USER };
	u64 *ips = xmalloc((nr + 1) * sizeof(*ips));
	bool marked = nr && word64(b, IPS) >= PERF_CONTEXT_MAX;

	strbuf_addf(b->out, "DEFERRED CALLCHAIN [cookie: %llx]\n",
		    (unsigned long long)word64(b, 0));
	ips[0] = PERF_CONTEXT_USER;
	if (nr)
		memcpy(ips + !marked, b->p + IPS, nr * sizeof(*ips));
	smp.chain = ips;
	smp.nr_chain = nr + !marked;
	chain.sample = &smp;
	x.r = &chain;
	text_chain(&x, b->out);
	strbuf_addch(b->out, '\n');
	free(ips);
}

static const struct record_row {
	unsigned int show; /* bits that ask for it */
	void (*text)(const struct body *b);
} rows[PERF_RECORD_MAX] = {
	[PERF_RECORD_COMM] = { SHOW_TASK, add_comm },
	[PERF_RECORD_FORK] = { SHOW_TASK, add_task },
	[PERF_RECORD_EXIT] = { SHOW_TASK, add_task },
	[PERF_RECORD_MMAP] = { SHOW_MMAP, add_mmap },
	[PERF_RECORD_MMAP2] = { SHOW_MMAP, add_mmap2 },
	[PERF_RECORD_SWITCH] = { SHOW_SWITCH, add_switch },
	[PERF_RECORD_SWITCH_CPU_WIDE] = { SHOW_SWITCH, add_switch },
	[PERF_RECORD_NAMESPACES] = { SHOW_NAMESPACE, add_namespaces },
	[PERF_RECORD_LOST] = { SHOW_LOST, add_lost },
	[PERF_RECORD_KSYMBOL] = { SHOW_BPF | SHOW_TEXT_POKE, add_ksymbol },
	[PERF_RECORD_BPF_EVENT] = { SHOW_BPF, add_bpf_event },
	[PERF_RECORD_CGROUP] = { SHOW_CGROUP, add_cgroup },
	[PERF_RECORD_TEXT_POKE] = { SHOW_TEXT_POKE, add_text_poke },
	[PERF_RECORD_CALLCHAIN_DEFERRED] = { SHOW_DEFERRED, add_deferred },
};

/* The name of the record's task where the records so far tell it, else NULL. */
static const char *task_name(struct sample_text *t, const struct body *b, u32 tid)
{
	u32 guest = is_of_guest(b->h) ? GUEST_TASK : 0;

	if (b->h->type == PERF_RECORD_COMM)
		return name_task(t, word32(b, 4) | guest, b->p + 8, b->len > 8 ? b->len - 8 : 0);
	if (b->h->type == PERF_RECORD_FORK)
		return name_child(t, word32(b, 8) | guest, word32(b, 12) | guest);
	return guest ? name_of_guest(t, is_mapping(b->h) ? word32(b, 4) : tid) : NULL;
}

/* The record as an object: the columns in front, its type, and its line's text. */
static void add_object(const struct sample_print *x, const struct record_row *row, struct body *b)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct strbuf *out = b->out;
	struct json j;

	json_init(&j, out);
	json_object(&j, NULL, JSON_TIGHT);
	for (unsigned int i = 0; i < x->plan->nr_json_front; i++)
		x->plan->json[i](x, &j);
	json_string(&j, "record", record_type_name(b->h->type));
	b->out = &text;
	row->text(b);
	b->out = out;
	while (text.len && text.buf[text.len - 1] == '\n')
		text.buf[--text.len] = '\0';
	json_string(&j, "text", text.buf);
	json_end(&j);
	strbuf_addch(out, '\n');
}

void record_text_add(struct sample_text *t, struct session_worker *w,
		     const struct sample_plan *plan, const struct session_record *r,
		     unsigned int show, struct strbuf *out)
{
	const struct record_row *row = r->h->type < PERF_RECORD_MAX ? &rows[r->h->type] : NULL;
	struct sample_id id = { 0 };
	struct session_record line = *r;
	struct sample smp = { 0 };
	struct sample_print x = { .t = t,
				  .tw = &t->workers[session_worker_number(w)],
				  .w = w,
				  .plan = plan,
				  .r = &line };
	struct body b = { .h = r->h,
			  .p = (const u8 *)(r->h + 1),
			  .len = r->h->size - sizeof(*r->h),
			  .x = &x,
			  .out = out };

	if (r->h->type == PERF_RECORD_FINISHED_ROUND && show & SHOW_ROUND)
		strbuf_adds(out, t->o.json ? "{\"record\":\"FINISHED_ROUND\"}\n"
					   : "PERF_RECORD_FINISHED_ROUND\n");
	if (!row || !(row->show & show) || !plan)
		return;
	if (!sample_id_decode(&r->event->layout, r->h, &id))
		id = (struct sample_id){ .pid = word32(&b, 0), .tid = word32(&b, 4) };
	else if (r->event->layout.tail_size < b.len)
		b.len -= r->event->layout.tail_size;
	x.comm = task_name(t, &b, id.tid);
	if (!session_wants_cpu(t->session, id.cpu))
		return;
	smp.id = id.id;
	smp.pid = id.pid;
	smp.tid = id.tid;
	smp.cpu = id.cpu;
	line.sample = &smp;
	line.time = id.time;
	if (t->o.json) {
		add_object(&x, row, &b);
		return;
	}
	for (unsigned int i = 0; i < plan->nr_front; i++)
		plan->steps[i](&x, out);
	row->text(&b);
}
