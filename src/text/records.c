/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records that describe the recorded machine, as lines between the samples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fmt.h"
#include "base/hash.h"
#include "base/mem.h"
#include "perfdata/record.h"
#include "text/record_parts.h"
#include "text/print.h"

struct body {
	const struct perf_event_header *h;
	union record_view v;
	const struct sample_print *x;
	struct strbuf *out;
};

/* A name, as far as the record goes. */
static void add_name(const struct body *b, const struct record_name *name)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!name->text)
		return;
	strbuf_add(&text, name->text, name->len);
	add_foreign(b->x->t, b->out, text.buf);
}

static void add_comm(const struct body *b)
{
	const struct record_comm *r = &b->v.comm;

	strbuf_addf(b->out,
		    "PERF_RECORD_COMM%s: ", b->h->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "");
	add_name(b, &r->name);
	strbuf_addf(b->out, ":%d/%d\n", (int)r->pid, (int)r->tid);
}

static void add_task(const struct body *b)
{
	const struct record_task *r = &b->v.task;

	strbuf_addf(b->out, "PERF_RECORD_%s(%d:%d):(%d:%d)\n", record_type_name(b->h->type),
		    (int)r->pid, (int)r->tid, (int)r->ppid, (int)r->ptid);
}

static void add_mmap(const struct body *b)
{
	strbuf_adds(b->out, "PERF_RECORD_MMAP");
	text_mapping(b->out, b->h, &b->v.mmap);
	add_name(b, &b->v.mmap.name);
	strbuf_addch(b->out, '\n');
}

static void add_mmap2(const struct body *b)
{
	strbuf_adds(b->out, "PERF_RECORD_MMAP2");
	text_mapping(b->out, b->h, &b->v.mmap);
	add_name(b, &b->v.mmap.name);
	strbuf_addch(b->out, '\n');
}

static void add_switch(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_%s", record_type_name(b->h->type));
	text_switch(b->out, b->h, &b->v.other);
}

static void add_namespaces(const struct body *b)
{
	strbuf_adds(b->out, "PERF_RECORD_NAMESPACES");
	text_namespaces(b->out, &b->v.namespaces);
}

static void add_ksymbol(const struct body *b)
{
	strbuf_adds(b->out, "PERF_RECORD_KSYMBOL");
	text_ksymbol(b->out, &b->v.ksymbol);
	add_name(b, &b->v.ksymbol.name);
	strbuf_addch(b->out, '\n');
}

static void add_text_poke(const struct body *b)
{
	const struct record_text_poke *r = &b->v.text_poke;

	strbuf_addf(b->out, "PERF_RECORD_TEXT_POKE addr 0x%llx old len %u new len %u\n",
		    (unsigned long long)r->addr, r->old_len, r->new_len);
}

static void add_lost(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_LOST lost %llu\n", (unsigned long long)b->v.lost.lost);
}

static void add_bpf_event(const struct body *b)
{
	const struct record_bpf_event *r = &b->v.bpf_event;

	strbuf_addf(b->out, "PERF_RECORD_BPF_EVENT type %u, flags %u, id %u\n", r->type, r->flags,
		    r->id);
}

static void add_cgroup(const struct body *b)
{
	strbuf_addf(b->out, "PERF_RECORD_CGROUP cgroup: %llu ", (unsigned long long)b->v.cgroup.id);
	add_name(b, &b->v.cgroup.path);
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

static const char *name_task(struct sample_text *t, u32 tid, const struct record_name *name)
{
	struct named_task *task = find_task(t, tid, true);
	size_t len = MIN(name->len, sizeof(task->comm) - 1);

	if (len)
		memcpy(task->comm, name->text, len);
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
	const struct record_deferred *r = &b->v.deferred;
	u64 nr = r->nr_there;
	struct session_record chain = *b->x->r;
	struct sample_print x = *b->x;
	struct sample smp = { .cpumode = PERF_RECORD_MISC_USER };
	u64 *ips = xmalloc((nr + 1) * sizeof(*ips));
	bool marked = nr && bits_u64(r->ips) >= PERF_CONTEXT_MAX;

	strbuf_addf(b->out, "DEFERRED CALLCHAIN [cookie: %llx]\n", (unsigned long long)r->cookie);
	ips[0] = PERF_CONTEXT_USER;
	if (nr)
		memcpy(ips + !marked, r->ips, nr * sizeof(*ips));
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
		return name_task(t, b->v.comm.tid | guest, &b->v.comm.name);
	if (b->h->type == PERF_RECORD_FORK)
		return name_child(t, b->v.task.tid | guest, b->v.task.ptid | guest);
	return guest ? name_of_guest(t, is_mapping(b->h) ? b->v.mmap.tid : tid) : NULL;
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
	struct body b = { .h = r->h, .x = &x, .out = out };

	if (r->h->type == PERF_RECORD_FINISHED_ROUND && show & SHOW_ROUND)
		strbuf_adds(out, t->o.json ? "{\"record\":\"FINISHED_ROUND\"}\n"
					   : "PERF_RECORD_FINISHED_ROUND\n");
	if (!row || !(row->show & show) || !plan)
		return;
	bool has_id = sample_id_decode(&r->event->layout, r->h, &id);

	record_view(r->h, has_id ? r->event->layout.tail_size : 0, &b.v);
	/* most types begin with their task */
	if (!has_id)
		id = (struct sample_id){ .pid = b.v.comm.pid, .tid = b.v.comm.tid };
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
