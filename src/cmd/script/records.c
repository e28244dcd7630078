/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records that describe the recorded machine, as lines between the samples: --show-*-events. */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/fmt.h"
#include "base/hash.h"
#include "base/mem.h"
#include "cmd/script/script.h"

struct body {
	const u8 *p;
	size_t len;
	const struct script *s;
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
	if (b->s->terminal)
		strbuf_add_escaped(b->out, text.buf);
	else
		strbuf_add_one_line(b->out, text.buf);
	strbuf_release(&text);
}

static void add_comm(const struct body *b, u16 misc)
{
	strbuf_addf(b->out,
		    "PERF_RECORD_COMM%s: ", misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "");
	add_string(b, 8);
	strbuf_addf(b->out, ":%d/%d\n", (int)word32(b, 0), (int)word32(b, 4));
}

static void add_task(const struct body *b, const char *name)
{
	strbuf_addf(b->out, "PERF_RECORD_%s(%d:%d):(%d:%d)\n", name, (int)word32(b, 0),
		    (int)word32(b, 8), (int)word32(b, 4), (int)word32(b, 12));
}

static void add_mmap(const struct body *b, u16 misc)
{
	strbuf_addf(b->out, "PERF_RECORD_MMAP %d/%d: [%#llx(%#llx) @ %#llx]: %c ",
		    (int)word32(b, 0), (int)word32(b, 4), (unsigned long long)word64(b, 8),
		    (unsigned long long)word64(b, 16), (unsigned long long)word64(b, 24),
		    misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
	add_string(b, 32);
	strbuf_addch(b->out, '\n');
}

static void add_mmap2(const struct body *b, u16 misc)
{
	enum { READ = 1, WRITE = 2, EXEC = 4, SHARED = 1 };
	u32 prot = word32(b, 56);
	u32 flags = word32(b, 60);

	strbuf_addf(b->out, "PERF_RECORD_MMAP2 %d/%d: [%#llx(%#llx) @ %#llx ", (int)word32(b, 0),
		    (int)word32(b, 4), (unsigned long long)word64(b, 8),
		    (unsigned long long)word64(b, 16), (unsigned long long)word64(b, 24));
	if (b->len >= 56 && perf_mmap2_has_build_id(misc, b->p + 32)) {
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

static void add_switch(const struct body *b, const struct perf_event_header *h)
{
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

static bool wanted(const struct script_opts *o, u32 type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return o->show_task;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return o->show_mmap;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return o->show_switch;
	case PERF_RECORD_NAMESPACES:
		return o->show_namespace;
	case PERF_RECORD_LOST:
		return o->show_lost;
	case PERF_RECORD_FINISHED_ROUND:
		return o->show_round;
	case PERF_RECORD_KSYMBOL:
		return o->show_bpf || o->show_text_poke;
	case PERF_RECORD_BPF_EVENT:
		return o->show_bpf;
	case PERF_RECORD_CGROUP:
		return o->show_cgroup;
	case PERF_RECORD_TEXT_POKE:
		return o->show_text_poke;
	case PERF_RECORD_CALLCHAIN_DEFERRED:
		return !o->merge_chains;
	default:
		return false;
	}
}

static void add_body(const struct body *b, const struct perf_event_header *h)
{
	switch (h->type) {
	case PERF_RECORD_COMM:
		add_comm(b, h->misc);
		break;
	case PERF_RECORD_FORK:
		add_task(b, "FORK");
		break;
	case PERF_RECORD_EXIT:
		add_task(b, "EXIT");
		break;
	case PERF_RECORD_MMAP:
		add_mmap(b, h->misc);
		break;
	case PERF_RECORD_MMAP2:
		add_mmap2(b, h->misc);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		add_switch(b, h);
		break;
	case PERF_RECORD_NAMESPACES:
		add_namespaces(b);
		break;
	case PERF_RECORD_LOST:
		strbuf_addf(b->out, "PERF_RECORD_LOST lost %llu\n",
			    (unsigned long long)word64(b, 8));
		break;
	case PERF_RECORD_KSYMBOL:
		add_ksymbol(b);
		break;
	case PERF_RECORD_BPF_EVENT:
		strbuf_addf(b->out, "PERF_RECORD_BPF_EVENT type %u, flags %u, id %u\n",
			    word32(b, 0) & 0xffff, word32(b, 0) >> 16, word32(b, 4));
		break;
	case PERF_RECORD_CGROUP:
		strbuf_addf(b->out, "PERF_RECORD_CGROUP cgroup: %llu ",
			    (unsigned long long)word64(b, 0));
		add_string(b, 8);
		strbuf_addch(b->out, '\n');
		break;
	case PERF_RECORD_TEXT_POKE:
		add_text_poke(b);
		break;
	default:
		break;
	}
}

static struct script_task *find_task(struct script *s, u32 tid, bool add)
{
	u32 i;

	for (struct map_probe p = map_first(&s->task_ids, hash_u64(tid));
	     map_next(&s->task_ids, &p, &i);)
		if (s->tasks.v[i].tid == tid)
			return &s->tasks.v[i];
	if (!add)
		return NULL;
	map_add(&s->task_ids, hash_u64(tid), (u32)s->tasks.nr);
	*VEC_PUSH(&s->tasks) = (struct script_task){ .tid = tid };
	return VEC_LAST(&s->tasks);
}

static const char *name_task(struct script *s, u32 tid, const u8 *name, size_t len)
{
	struct script_task *t = find_task(s, tid, true);

	len = MIN(strnlen((const char *)name, len), sizeof(t->comm) - 1);
	memcpy(t->comm, name, len);
	t->comm[len] = '\0';
	t->unnamed = false;
	return t->comm;
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

static const char *name_of_guest(struct script *s, u32 tid)
{
	struct script_task *t = find_task(s, tid | GUEST_TASK, true);

	if (t->comm[0])
		return t->comm;
	t->unnamed = tid != 0;
	if (t->unnamed)
		snprintf(t->comm, sizeof(t->comm), ":%d", (int)tid);
	else
		memcpy(t->comm, "swapper", sizeof("swapper"));
	return t->comm;
}

/*
 * The name of a new task: its parent's. At the start of a recording tasks are told of in any order,
 * so the parent may not be known yet, or only by its number; then the task is shown by its own.
 */
static const char *name_child(struct script *s, u32 child, u32 parent)
{
	const struct script_task *p = find_task(s, parent, false);
	char comm[16] = { 0 };
	bool unnamed = p ? p->unnamed : (parent & ~GUEST_TASK) != 0;

	if (p && !unnamed)
		memcpy(comm, p->comm, sizeof(comm));
	else if (!unnamed)
		memcpy(comm, "swapper", sizeof("swapper"));
	else
		snprintf(comm, sizeof(comm), ":%d", (int)(child & ~GUEST_TASK));
	struct script_task *t = find_task(s, child, true);

	memcpy(t->comm, comm, sizeof(comm));
	t->unnamed = unnamed;
	return t->comm;
}

/* A user callchain that was taken later, with the fields of a sample of the same event. */
static void add_deferred(struct session_worker *w, struct script_worker *sw,
			 const struct event_plan *plan, const struct session_record *r,
			 const struct body *b)
{
	enum { IPS = 16 };
	u64 nr = MIN(word64(b, 8), (u64)(b->len < IPS ? 0 : (b->len - IPS) / 8));
	struct session_record chain = *r;
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
	script_add_chain(w, sw, plan, &chain, b->out);
	strbuf_addch(b->out, '\n');
	free(ips);
}

void script_add_record(struct script *s, struct session_worker *w, struct script_worker *sw,
		       const struct event_plan *plan, const struct session_record *r,
		       struct strbuf *out)
{
	if (!wanted(&s->o, r->h->type))
		return;
	if (r->h->type == PERF_RECORD_FINISHED_ROUND) {
		strbuf_adds(out, "PERF_RECORD_FINISHED_ROUND\n");
		return;
	}
	if (!r->event)
		return;
	const struct perf_event_attr *attr = &r->event->attr;
	u64 fields = s->o.fields.type[fields_type(attr)].fields;
	bool chain = attr->sample_type & PERF_SAMPLE_CALLCHAIN && !s->o.hide_chain;
	const char *name = NULL;
	u32 guest = is_of_guest(r->h) ? GUEST_TASK : 0;
	struct sample_id id = { 0 };
	struct body b = {
		.p = (const u8 *)(r->h + 1), .len = r->h->size - sizeof(*r->h), .s = s, .out = out
	};

	if (!sample_id_decode(&r->event->layout, r->h, &id))
		id = (struct sample_id){ .pid = word32(&b, 0), .tid = word32(&b, 4) };
	else if (r->event->layout.tail_size < b.len)
		b.len -= r->event->layout.tail_size;
	if (r->h->type == PERF_RECORD_COMM)
		name = name_task(s, word32(&b, 4) | guest, b.p + 8, b.len > 8 ? b.len - 8 : 0);
	else if (r->h->type == PERF_RECORD_FORK)
		name = name_child(s, word32(&b, 8) | guest, word32(&b, 12) | guest);
	else if (guest)
		name = name_of_guest(s, is_mapping(r->h) ? word32(&b, 4) : id.tid);
	if (!session_wants_cpu(s->session, id.cpu))
		return;
	if (fields & MACHINE_FIELDS)
		script_add_machine(s, fields, id.id, out);
	script_add_start(s, sw, r,
			 &(struct line_start){ .fields = fields,
					       .chain = chain,
					       .pid = id.pid,
					       .tid = id.tid,
					       .cpu = id.cpu,
					       .time = id.time,
					       .comm = name },
			 out);
	if (r->h->type == PERF_RECORD_CALLCHAIN_DEFERRED)
		add_deferred(w, sw, plan, r, &b);
	else
		add_body(&b, r->h);
}
