/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns in front of a line: task, CPU, time. No printf on the way of an ordinary sample.
 */
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "text/print.h"

enum {
	NS_PER_SEC = 1000000000,
};

static void add_name(const struct sample_text *t, const char *name, bool aligned,
		     struct strbuf *out)
{
	if (t->o.latency) {
		char cut[9] = { 0 };

		strncpy(cut, name, 8);
		strbuf_add_aligned(out, cut, 8);
	} else {
		strbuf_add_aligned(out, name, aligned ? 16 : 0);
	}
	strbuf_addch(out, ' ');
}

const char *comm_of(const struct sample_print *x)
{
	if (x->comm)
		return x->comm;
	return x->r->site.comm ? model_str(x->t->model, x->r->site.comm) : NULL;
}

static void add_comm(const struct sample_print *x, struct strbuf *out)
{
	struct strbuf *name = &x->tw->scratch;
	const char *comm = comm_of(x);

	strbuf_reset(name);
	if (!comm)
		strbuf_addf(name, ":%d", (int)x->r->sample->tid);
	else
		add_foreign(x->t, name, comm);
	add_name(x->t, name->buf, x->plan->task_fields & TASK_ALIGNED, out);
}

static void add_s32_width(struct strbuf *out, s32 v, int width)
{
	if (v >= 0)
		strbuf_add_u64_width(out, (u64)v, width, ' ');
	else
		strbuf_addf(out, "%*d", width, v);
}

static void add_pid_tid(const struct sample_print *x, struct strbuf *out)
{
	const struct sample *smp = x->r->sample;

	if (HAS(x, PID) && HAS(x, TID)) {
		add_s32_width(out, (s32)smp->pid, 5);
		strbuf_addch(out, '/');
		size_t start = out->len;

		add_s32_width(out, (s32)smp->tid, 0);
		if (out->len - start < 5)
			strbuf_pad(out, ' ', 5 - (out->len - start));
		strbuf_addch(out, ' ');
	} else if (HAS(x, PID) || HAS(x, TID)) {
		add_s32_width(out, (s32)(HAS(x, PID) ? smp->pid : smp->tid), 5);
		strbuf_addch(out, ' ');
	}
}

static void add_cpu(const struct sample_print *x, struct strbuf *out)
{
	u32 cpu = x->r->sample->cpu;

	if (x->t->o.latency) {
		add_s32_width(out, (s32)cpu, 3);
		strbuf_addch(out, ' ');
		return;
	}
	strbuf_addch(out, '[');
	if ((s32)cpu >= 0)
		strbuf_add_u64_width(out, cpu, 3, '0');
	else
		strbuf_addf(out, "%03d", (int)cpu);
	strbuf_add(out, "] ", 2);
}

static void add_task(const struct sample_print *x, struct strbuf *out)
{
	if (HAS(x, COMM))
		add_comm(x, out);
	add_pid_tid(x, out);
	if (HAS(x, CPU))
		add_cpu(x, out);
}

/* Command, process, thread and CPU, which most samples have in common with one shortly before. */
void text_task(const struct sample_print *x, struct strbuf *out)
{
	const struct sample *smp = x->r->sample;

	if (UNLIKELY(x->comm)) {
		add_task(x, out);
		return;
	}
	struct task_text *t = &x->tw->tasks[hash_u64((u64)smp->tid << 32 | smp->cpu) % TASK_TEXTS];

	if (t->tid == smp->tid && t->cpu == smp->cpu && t->pid == smp->pid &&
	    t->comm == x->r->site.comm && t->fields == x->plan->task_fields && t->len) {
		if (out->cap < out->len + sizeof(t->text) + 1)
			strbuf_grow(out, sizeof(t->text));
		memcpy(out->buf + out->len, t->text, sizeof(t->text));
		out->len += t->len;
		out->buf[out->len] = '\0';
		return;
	}
	size_t start = out->len;

	add_task(x, out);
	if (out->len - start > sizeof(t->text))
		return;
	t->comm = x->r->site.comm;
	t->pid = smp->pid;
	t->tid = smp->tid;
	t->cpu = smp->cpu;
	t->fields = x->plan->task_fields;
	t->len = (u32)(out->len - start);
	memcpy(t->text, out->buf + start, t->len);
}

/* Of which virtual machine a record is; nothing of the host's. */
void text_machine(const struct sample_print *x, struct strbuf *out)
{
	const struct machine_id *m = machines_find(&x->t->machines, x->r->sample->id);

	if (!m)
		return;
	if (HAS(x, MACHINE_PID))
		strbuf_addf(out, "VM:%5d ", m->pid);
	if (HAS(x, VCPU))
		strbuf_addf(out, "VCPU:%03d ", m->vcpu);
}

void add_misc(const struct perf_event_header *h, struct strbuf *out)
{
	static const char modes[] = { ' ', 'K', 'U', 'H', 'G', 'g' };
	unsigned int mode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode && mode < sizeof(modes))
		strbuf_addch(out, modes[mode]);
	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (h->misc & PERF_RECORD_MISC_MMAP_DATA)
			strbuf_addch(out, 'M');
		break;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
		if (h->misc & PERF_RECORD_MISC_COMM_EXEC)
			strbuf_addch(out, h->type == PERF_RECORD_COMM ? 'E' : 'F');
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (h->misc & PERF_RECORD_MISC_SWITCH_OUT) {
			strbuf_addch(out, 'S');
			if (h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
				strbuf_addch(out, 'p');
		}
		break;
	default:
		break;
	}
}

void text_misc(const struct sample_print *x, struct strbuf *out)
{
	size_t start = out->len;

	add_misc(x->r->h, out);
	if (out->len - start < 6)
		strbuf_pad(out, ' ', 6 - (out->len - start));
}

void text_time_of_day(const struct sample_print *x, struct strbuf *out)
{
	u64 ns = x->r->time + (u64)x->t->clock_offset;
	time_t seconds = (time_t)(ns / NS_PER_SEC);
	struct tm tm;
	char date[64];

	if (!localtime_r(&seconds, &tm) || !strftime(date, sizeof(date), "%F %H:%M:%S", &tm))
		return;
	strbuf_adds(out, date);
	strbuf_addch(out, '.');
	if (x->t->o.ns)
		strbuf_add_u64_width(out, ns % NS_PER_SEC, 9, '0');
	else
		strbuf_add_u64_width(out, ns % NS_PER_SEC / 1000, 6, '0');
	strbuf_addch(out, ' ');
}

/* --reltime, --deltatime */
static u64 relative_time(struct sample_text *t, u64 time)
{
	u64 now = time;

	if (t->o.reltime) {
		if (!t->first_time)
			t->first_time = time;
		return time - t->first_time;
	}
	time = t->last_time ? time - t->last_time : 0;
	t->last_time = now;
	return time;
}

u64 shown_time(const struct sample_print *x)
{
	if (UNLIKELY(x->t->o.reltime || x->t->o.deltatime))
		return relative_time(x->t, x->r->time);
	return x->r->time;
}

void text_time(const struct sample_print *x, struct strbuf *out)
{
	struct second_text *last = &x->tw->second;
	u64 time = shown_time(x);
	u64 second = time / NS_PER_SEC;
	u32 rest = (u32)(time % NS_PER_SEC);

	if (UNLIKELY(!last->len || last->second != second)) {
		char *end = digits_put_width(last->text, second, 5);

		*end++ = '.';
		last->len = (u32)(end - last->text);
		last->second = second;
	}
	if (out->cap < out->len + 2 * DIGITS_ROOM)
		strbuf_grow(out, 2 * DIGITS_ROOM);
	char *p = out->buf + out->len;

	memcpy(p, last->text, sizeof(last->text));
	p = digits_put6(p + last->len, rest / 1000);
	if (x->t->o.ns) {
		*p++ = (char)('0' + rest % 1000 / 100);
		p = digits_put2(p, rest % 100);
	}
	memcpy(p, ": ", 3);
	out->len = (size_t)(p + 2 - out->buf);
}
