/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/timeline.h"

#include <stdio.h>
#include <string.h>

#include "render/timeline_page.h"

struct timeline_format {
	const char *ending;
	void (*begin)(struct timeline_writer *w);
	void (*span)(struct timeline_writer *w, const struct timeline_span *s,
		     const struct timeline_task *task, const struct timeline_task *by);
	void (*waiting)(struct timeline_writer *w, u64 time, u32 nr); /* NULL = not written */
	void (*end)(struct timeline_writer *w, const struct timeline_end *end,
		    const struct timeline_task *tasks, size_t nr_tasks);
};

static const char *const state_names[TIMELINE_STATES] = {
	[TIMELINE_RUNNING] = "running",         [TIMELINE_WOKEN] = "waits for a CPU",
	[TIMELINE_PREEMPTED] = "preempted",     [TIMELINE_SLEEPING] = "sleeping",
	[TIMELINE_BLOCKED] = "uninterruptible", [TIMELINE_STOPPED] = "stopped",
};

/* ------------------------------------------------------------------ trace events */

/* The process whose threads are the CPUs: that of the idle tasks. */
enum { CPUS_PID = 0, US_DIGITS = 3 };

static void begin_event(struct json *j, const char *phase, u32 pid, u32 tid, const char *name)
{
	json_object(j, NULL, JSON_TIGHT);
	json_string(j, "ph", phase);
	json_u64(j, "pid", pid);
	json_u64(j, "tid", tid);
	json_string(j, "name", name);
}

static u32 process_of(const struct timeline_task *t)
{
	return t->pid == (u32)-1 ? t->tid : t->pid;
}

static void json_begin(struct timeline_writer *w)
{
	json_init(&w->json, w->out);
	json_object(&w->json, NULL, JSON_LINES);
	json_string(&w->json, "displayTimeUnit", "ns");
	json_array(&w->json, "traceEvents", JSON_LINES);
}

static void json_slice(struct json *j, const struct timeline_span *s, u32 pid, u32 tid,
		       const char *name)
{
	begin_event(j, "X", pid, tid, name);
	json_decimal(j, "ts", s->from, US_DIGITS);
	json_decimal(j, "dur", s->until - s->from, US_DIGITS);
}

/* An arrow from who woke a task up to where the task gets its CPU. */
static void json_flow(struct timeline_writer *w, const struct timeline_span *s,
		      const struct timeline_task *task, const struct timeline_task *by)
{
	struct json *j = &w->json;

	w->nr_flows++;
	begin_event(j, "s", process_of(by), by->tid, "wake-up");
	json_string(j, "cat", "sched");
	json_u64(j, "id", w->nr_flows);
	json_decimal(j, "ts", s->from, US_DIGITS);
	json_end(j);
	begin_event(j, "f", process_of(task), task->tid, "wake-up");
	json_string(j, "cat", "sched");
	json_string(j, "bp", "e");
	json_u64(j, "id", w->nr_flows);
	json_decimal(j, "ts", s->until, US_DIGITS);
	json_end(j);
}

static void json_span(struct timeline_writer *w, const struct timeline_span *s,
		      const struct timeline_task *task, const struct timeline_task *by)
{
	struct json *j = &w->json;

	w->nr++;
	if (s->state == TIMELINE_RUNNING) {
		json_slice(j, s, CPUS_PID, s->cpu, task->comm);
		json_object(j, "args", JSON_TIGHT);
		json_u64(j, "pid", process_of(task));
		json_u64(j, "tid", task->tid);
		json_end(j);
		json_end(j);
	}
	json_slice(j, s, process_of(task), task->tid, state_names[s->state]);
	json_object(j, "args", JSON_TIGHT);
	if (s->state == TIMELINE_RUNNING)
		json_u64(j, "cpu", s->cpu);
	if (s->goes_on)
		json_bool(j, "goes on", true);
	if (by) {
		json_string(j, "woken by", by->comm);
		json_u64(j, "woken by tid", by->tid);
	}
	json_end(j);
	json_end(j);
	if (by && !s->goes_on)
		json_flow(w, s, task, by);
}

static void json_waiting(struct timeline_writer *w, u64 time, u32 nr)
{
	struct json *j = &w->json;

	begin_event(j, "C", CPUS_PID, 0, "tasks that wait for a CPU");
	json_decimal(j, "ts", time, US_DIGITS);
	json_object(j, "args", JSON_TIGHT);
	json_u64(j, "tasks", nr);
	json_end(j);
	json_end(j);
}

static void json_name(struct json *j, const char *what, u32 pid, u32 tid, const char *name)
{
	begin_event(j, "M", pid, tid, what);
	json_object(j, "args", JSON_TIGHT);
	json_string(j, "name", name);
	json_end(j);
	json_end(j);
}

static void json_names(struct timeline_writer *w, const struct timeline_end *end,
		       const struct timeline_task *tasks, size_t nr_tasks)
{
	struct json *j = &w->json;
	char cpu[16];

	json_name(j, "process_name", CPUS_PID, 0, "CPUs");
	for (u32 i = 0; i < end->nr_cpus; i++) {
		snprintf(cpu, sizeof(cpu), "CPU %u", i);
		json_name(j, "thread_name", CPUS_PID, i, cpu);
	}
	for (size_t i = 0; i < nr_tasks; i++) {
		const struct timeline_task *t = &tasks[i];

		if (!t->tid)
			continue;
		json_name(j, "thread_name", process_of(t), t->tid, t->comm);
		if (process_of(t) == t->tid)
			json_name(j, "process_name", t->tid, t->tid, t->comm);
	}
	json_end(j);
	json_object(j, "otherData", JSON_TIGHT);
	json_string(j, "recording", end->recording);
	json_u64(j, "lost events", end->lost);
	json_end(j);
	json_end(j);
	strbuf_addch(w->out, '\n');
}

/* ------------------------------------------------------------------ a page */

static void add_varint(struct strbuf *out, u64 v)
{
	for (; v > 127; v >>= 7)
		strbuf_addch(out, (char)(v | 128));
	strbuf_addch(out, (char)v);
}

/* Its end as a difference to the last one's (the sign in the lowest bit), its length, its task,
 * state | 8 if it goes on, and the CPU or who woke it up + 1. */
static void page_span(struct timeline_writer *w, const struct timeline_span *s,
		      const struct timeline_task *task UNUSED, const struct timeline_task *by)
{
	s64 moved;

	if (w->nr == TIMELINE_PAGE_SPANS) {
		w->left_out++;
		return;
	}
	if (!w->nr++)
		w->origin = w->last = s->until;
	moved = (s64)(s->until - w->last);
	w->last = s->until;
	add_varint(&w->spans, (u64)moved << 1 ^ (u64)(moved >> 63));
	add_varint(&w->spans, s->until - s->from);
	add_varint(&w->spans, s->task);
	add_varint(&w->spans, (u64)s->state | (s->goes_on ? 8 : 0));
	if (s->state == TIMELINE_RUNNING)
		add_varint(&w->spans, s->cpu);
	else if (s->state == TIMELINE_WOKEN)
		add_varint(&w->spans, by ? (u64)s->by + 1 : 0);
}

static void add_base64(struct strbuf *out, const struct strbuf *in)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const u8 *p = (const u8 *)in->buf;

	strbuf_grow(out, in->len * 4 / 3 + 4);
	for (size_t i = 0; i < in->len; i += 3) {
		size_t left = in->len - i;
		u32 v = (u32)p[i] << 16 | (left > 1 ? (u32)p[i + 1] << 8 : 0) |
			(left > 2 ? p[i + 2] : 0);

		strbuf_addch(out, digits[v >> 18]);
		strbuf_addch(out, digits[v >> 12 & 63]);
		strbuf_addch(out, left > 1 ? digits[v >> 6 & 63] : '=');
		strbuf_addch(out, left > 2 ? digits[v & 63] : '=');
	}
}

static void page_data(struct timeline_writer *w, struct strbuf *text,
		      const struct timeline_end *end, const struct timeline_task *tasks,
		      size_t nr_tasks)
{
	struct json j;
	char number[24];

	json_init(&j, text);
	json_object(&j, NULL, JSON_TIGHT);
	json_string(&j, "recording", end->recording);
	/* too many digits for a number of JavaScript; others are relative to it */
	snprintf(number, sizeof(number), "%llu", (unsigned long long)w->origin);
	json_string(&j, "origin", number);
	json_s64(&j, "from", (s64)(end->from - w->origin));
	json_s64(&j, "until", (s64)(end->until - w->origin));
	json_u64(&j, "cpus", end->nr_cpus);
	json_u64(&j, "lost", end->lost);
	json_u64(&j, "leftOut", w->left_out);
	json_u64(&j, "nrSpans", w->nr);
	json_array(&j, "states", JSON_TIGHT);
	for (size_t i = 0; i < TIMELINE_STATES; i++)
		json_string(&j, NULL, state_names[i]);
	json_end(&j);
	json_array(&j, "tasks", JSON_TIGHT);
	for (size_t i = 0; i < nr_tasks; i++) {
		json_array(&j, NULL, JSON_TIGHT);
		json_u64(&j, NULL, process_of(&tasks[i]));
		json_u64(&j, NULL, tasks[i].tid);
		json_string(&j, NULL, tasks[i].comm);
		json_end(&j);
	}
	json_end(&j);
	json_end(&j);
}

/* What stands in front of a mark in the page, then something in its place; returns what is behind.
 */
static const char *fill_in(struct timeline_writer *w, const char *page, const char *mark,
			   const struct strbuf *bytes)
{
	const char *at = strstr(page, mark);

	strbuf_add(w->out, page, (size_t)(at - page));
	add_base64(w->out, bytes);
	return at + strlen(mark);
}

/* All data are base64, so that no name can end the element that they stand in. */
static void page_end(struct timeline_writer *w, const struct timeline_end *end,
		     const struct timeline_task *tasks, size_t nr_tasks)
{
	struct strbuf text = STRBUF_INIT;
	const char *rest;

	page_data(w, &text, end, tasks, nr_tasks);
	rest = fill_in(w, timeline_page, "@DATA@", &text);
	rest = fill_in(w, rest, "@SPANS@", &w->spans);
	strbuf_adds(w->out, rest);
	strbuf_release(&text);
}

/* ------------------------------------------------------------------ interface */

static const struct timeline_format formats[] = {
	{ ".json", json_begin, json_span, json_waiting, json_names },
	{ ".html", NULL, page_span, NULL, page_end },
};

const struct timeline_format *timeline_format_of(const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		size_t n = strlen(formats[i].ending);

		if (len > n && !strcmp(path + len - n, formats[i].ending))
			return &formats[i];
	}
	return NULL;
}

void timeline_begin(struct timeline_writer *w, const struct timeline_format *format,
		    struct strbuf *out)
{
	*w = (struct timeline_writer){ .format = format, .out = out, .spans = STRBUF_INIT };
	if (format->begin)
		format->begin(w);
}

void timeline_span(struct timeline_writer *w, const struct timeline_span *s,
		   const struct timeline_task *task, const struct timeline_task *by)
{
	w->format->span(w, s, task, by);
}

void timeline_waiting(struct timeline_writer *w, u64 time, u32 nr)
{
	if (w->format->waiting)
		w->format->waiting(w, time, nr);
}

void timeline_end(struct timeline_writer *w, const struct timeline_end *end,
		  const struct timeline_task *tasks, size_t nr_tasks)
{
	w->format->end(w, end, tasks, nr_tasks);
}

void timeline_release(struct timeline_writer *w)
{
	strbuf_release(&w->spans);
}
