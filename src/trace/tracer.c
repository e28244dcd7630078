/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a recording can be read at any place, what is needed of a system call's sample is taken out
 * of it as soon as it has been read (struct call_row), and the sample itself is left alone. With
 * callers, and live, samples come whole.
 */
#include "trace/tracer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "perfdata/info.h"
#include "perfdata/record.h"
#include "trace/begun_call.h"
#include "trace/line.h"
#include "trace/paths.h"

enum { OUT_SIZE = 64 << 10, INTERRUPTED_COLUMN = 66 };

/* What an event of the file is to the tracer. */
enum traced_kind {
	EVENT_OTHER, /* a line of its own */
	EVENT_ENTER,
	EVENT_EXIT,
	EVENT_MAJOR_FAULT,
	EVENT_MINOR_FAULT,
	EVENT_RUNTIME,
	EVENT_PROGRAM, /* ENTER and EXIT of bpf/trace_args */
};

struct traced_event {
	enum traced_kind kind;
	const struct tracefmt *format; /* NULL = it is no tracepoint, or has none */
	const struct tracefmt_field *id, *values; /* of system calls; of RUNTIME: its runtime */
	VEC(struct trace_arg) args; /* of other tracepoints, by field */
};

/* What is needed of a sample of a system call. */
struct call_row {
	u32 size; /* of all of it */
	u16 kind; /* enum traced_kind */
	u16 nr_values;
	u64 time;
	u32 pid, tid, cpu;
	u32 compat; /* it is a 32-bit program's */
	u64 id;
	u64 values[TRACE_ARGS]; /* arguments; of EXIT: the result */
};

/* Number of the call that ends, where a signal's handler has returned by rt_sigreturn. */
#define NO_CALL ((u64)-1)

struct tracer {
	struct tracer_opts o;
	struct trace_syscalls *syscalls, *compat; /* NULL = there are no 32-bit programs */
	VEC(struct traced_event) bound; /* by index of the file's event */
	struct trace_tasks tasks;
	struct trace_summary summary;
	struct trace_lookup names;
	struct strbuf out;
	u64 first_time; /* 0 = no sample yet */
	u64 nr_events, nr_lines;
	u32 current; /* the task whose call began last, (u32)-1 = none */
	bool over;
	struct err err; /* found while it runs */
};

/* ------------------------------------------------------------------ events of the file */

static enum traced_kind kind_of(const struct tracer *tr, const struct perfdata_event *ev,
				const struct tracefmt *t)
{
	if (tr->o.by_program && ev->attr.type == PERF_TYPE_SOFTWARE &&
	    ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT)
		return EVENT_PROGRAM;
	if (ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ)
		return EVENT_MAJOR_FAULT;
	if (ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN)
		return EVENT_MINOR_FAULT;
	if (!t)
		return EVENT_OTHER;
	if (!strcmp(tracefmt_system(t), "sched") && !strcmp(tracefmt_name(t), "sched_stat_runtime"))
		return EVENT_RUNTIME;
	if (strcmp(tracefmt_system(t), "raw_syscalls") != 0)
		return EVENT_OTHER;
	return !strcmp(tracefmt_name(t), "sys_enter") ? EVENT_ENTER : EVENT_EXIT;
}

static void bind_fields(struct traced_event *b)
{
	for (size_t i = 0; i < tracefmt_nr_fields(b->format); i++) {
		const struct tracefmt_field *f = tracefmt_field(b->format, i);

		trace_arg_of(VEC_PUSH(&b->args), f->type, f->name);
	}
}

static int bind_event(struct tracer *t, const struct perfdata_event *ev, struct err *e)
{
	const struct tracefmt_set *formats = session_tracefmt(t->o.session);
	struct traced_event *b = VEC_PUSH(&t->bound);

	*b = (struct traced_event){ .kind = EVENT_OTHER };
	if (ev->attr.type == PERF_TYPE_TRACEPOINT && formats)
		b->format = tracefmt_by_id(formats, ev->attr.config);
	b->kind = kind_of(t, ev, b->format);
	if (b->kind == EVENT_ENTER || b->kind == EVENT_EXIT) {
		b->id = tracefmt_find_field(b->format, "id");
		b->values = tracefmt_find_field(b->format, b->kind == EVENT_ENTER ? "args" : "ret");
		if (!b->id || !b->values)
			return err_set(e, EINVAL,
				       "'%s': the format of %s has no fields 'id' and '%s'",
				       perfdata_name(session_file(t->o.session)), ev->name,
				       b->kind == EVENT_ENTER ? "args" : "ret");
	} else if (b->kind == EVENT_RUNTIME) {
		b->values = tracefmt_find_field(b->format, "runtime");
	} else if (b->format) {
		bind_fields(b);
	}
	return 0;
}

static int bind_events(struct tracer *t, struct err *e)
{
	const struct perfdata *file = session_file(t->o.session);

	while (t->bound.nr < perfdata_nr_events(file))
		if (bind_event(t, perfdata_event(file, t->bound.nr), e))
			return -1;
	return 0;
}

/* NULL: of no known event. A stream tells events while it is read. */
static const struct traced_event *bound_of(struct tracer *t, const struct perfdata_event *ev)
{
	if (!ev)
		return NULL;
	if (ev->index >= t->bound.nr && (t->err.code || bind_events(t, &t->err)))
		return NULL;
	return ev->index < t->bound.nr ? &t->bound.v[ev->index] : NULL;
}

/* ------------------------------------------------------------------ rows of system calls */

/* args[6] of unsigned long, of whichever size and byte order. */
static u16 load_args(const struct tracefmt_field *f, const u8 *raw, u32 size, u64 *values)
{
	struct tracefmt_field one = *f;
	u32 step = f->element_size ? f->element_size : 8;
	u16 nr = 0;

	if (LIKELY(step == 8 && !(f->flags & TRACEFMT_SWAPPED) && f->offset <= size &&
		   size - f->offset >= TRACE_ARGS * sizeof(u64))) {
		memcpy(values, raw + f->offset, TRACE_ARGS * sizeof(u64));
		return TRACE_ARGS;
	}
	one.flags &= ~(unsigned int)(TRACEFMT_ARRAY | TRACEFMT_SIGNED);
	one.size = one.element_size = step;
	for (; nr < TRACE_ARGS && nr * step + step <= f->size; nr++) {
		one.offset = f->offset + nr * step;
		values[nr] = 0;
		if (!tracefmt_u64(&one, raw, size, &values[nr]))
			break;
	}
	for (u16 i = nr; i < TRACE_ARGS; i++)
		values[i] = 0;
	return nr;
}

/* false: the sample is broken. */
static bool fill_row(const struct traced_event *b, const u8 *raw, u32 size, struct call_row *row)
{
	row->kind = (u16)b->kind;
	row->compat = 0; /* the tracepoint does not tell */
	if (!tracefmt_u64(b->id, raw, size, &row->id))
		return false;
	if (b->kind == EVENT_ENTER)
		return load_args(b->values, raw, size, row->values) > 0;
	return tracefmt_u64(b->values, raw, size, &row->values[0]);
}

static enum session_extract extract_row(void *ctx, const struct perfdata_event *ev,
					const struct perf_event_header *h, void *room)
{
	const struct tracer *t = ctx;
	const struct traced_event *b = &t->bound.v[ev->index];
	const struct sample_layout *l = &ev->layout;
	const u8 *at = (const u8 *)h, *raw;
	struct call_row *row = room;
	u32 size;

	if ((b->kind != EVENT_ENTER && b->kind != EVENT_EXIT) || t->o.skips || t->o.show_sample)
		return EXTRACT_WHOLE;
	if (!sample_find_raw(l, h, &raw, &size) || !fill_row(b, raw, size, row))
		return EXTRACT_WHOLE;
	row->size = b->kind == EVENT_ENTER ? sizeof(*row) : offsetof(struct call_row, values[1]);
	row->time = bits_u64(at + l->time);
	row->cpu = l->cpu ? bits_u32(at + l->cpu) : (u32)-1;
	row->pid = bits_u32(at + l->tid);
	row->tid = bits_u32(at + l->tid + 4);
	return EXTRACT_KEPT;
}

/* ------------------------------------------------------------------ lines */

static bool flush(struct tracer *t, size_t at_most)
{
	if (t->out.len > at_most) {
		if (!t->o.write(t->o.ctx, t->out.buf, t->out.len))
			t->over = true;
		strbuf_reset(&t->out);
	}
	return !t->over;
}

static void end_line(struct tracer *t)
{
	t->nr_lines++;
	if (t->o.max_events && t->nr_lines >= t->o.max_events)
		t->over = true;
	if (t->out.len >= OUT_SIZE && !flush(t, 0))
		t->over = true;
}

static void add_time(struct tracer *t, u64 time, bool known)
{
	u64 from = t->o.full_time ? 0 : t->first_time;

	if (!t->o.no_time)
		trace_line_time(&t->out, time > from ? time - from : 0, known);
}

static void add_head(struct tracer *t, const struct trace_task *task, u64 time, bool known)
{
	add_time(t, time, known);
	if (t->o.show_cpu)
		trace_line_cpu(&t->out, task->cpu);
}

static void add_duration(struct tracer *t, u64 ns, bool known)
{
	if (!t->o.no_duration)
		trace_line_duration(&t->out, ns, known);
}

static void add_task(struct tracer *t, const struct trace_task *task)
{
	if (!t->o.no_task)
		trace_line_task(&t->out, task, !t->o.no_comm);
}

static struct trace_call call_of(const struct trace_task *task)
{
	return (struct trace_call){ .syscall = task->syscall,
				    .args = task->args,
				    .pid = task->pid,
				    .begin = { task->read, task->nr_read } };
}

/* Whether a call is printed of which it is not known yet how it ends. */
static bool prints_begun(const struct tracer *t)
{
	return t->o.lines && !t->o.failures && !t->o.min_time && !t->o.min_stack &&
	       !t->o.nr_touched;
}

/* The call that began last is still running while something else is to be told. */
static void print_interrupted(struct tracer *t)
{
	struct trace_task *task;
	struct trace_call c;
	size_t from;

	if (t->current == (u32)-1 || !prints_begun(t))
		return;
	task = &t->tasks.v.v[t->current];
	if (!task->syscall || task->interrupted)
		return;
	c = call_of(task);
	add_head(t, task, task->start, true);
	add_duration(t, 0, false);
	add_task(t, task);
	from = t->out.len;
	trace_call_add(&t->out, &c, &t->names);
	strbuf_pad_from(&t->out, from, INTERRUPTED_COLUMN);
	strbuf_adds(&t->out, " ...\n");
	task->interrupted = true;
	end_line(t);
}

static void add_result(struct tracer *t, size_t from, const struct trace_call *c, s64 result)
{
	strbuf_pad_from(&t->out, from, t->o.result_column);
	strbuf_add(&t->out, " = ", 3);
	trace_result_add(&t->out, c, result, &t->names);
	strbuf_addch(&t->out, '\n');
}

static void add_continued(struct tracer *t, const struct trace_syscall *s)
{
	strbuf_adds(&t->out, " ... [continued]: ");
	strbuf_adds(&t->out, s->name);
	strbuf_adds(&t->out, "())");
}

/* A call that returns. */
struct call_end {
	const struct trace_syscall *syscall;
	bool began; /* the tracer has seen it begin */
	u64 time;
	s64 result;
	struct trace_memory memory;
};

static void print_call(struct tracer *t, struct trace_task *task, const struct call_end *end)
{
	struct trace_call c = call_of(task);
	struct trace_lookup names = t->names;
	bool began = end->began;
	s64 result = end->result;
	size_t from;

	c.syscall = end->syscall;
	c.end = end->memory;
	if (!began)
		c.args = NULL;

	/* what /proc has of a descriptor by now is not what was not open then */
	if (result == -EBADF)
		names.path = NULL;

	add_head(t, task, task->start, began);
	add_duration(t, end->time > task->start ? end->time - task->start : 0, began);
	add_task(t, task);
	from = t->out.len;
	if (began && !task->interrupted)
		trace_call_add(&t->out, &c, &names);
	else
		add_continued(t, c.syscall);
	add_result(t, from, &c, result);
}

static void print_no_return(struct tracer *t, const struct trace_task *task)
{
	struct trace_call c = call_of(task);
	size_t from;

	add_head(t, task, task->start, true);
	add_duration(t, 0, false);
	add_task(t, task);
	from = t->out.len;
	trace_call_add(&t->out, &c, &t->names);
	strbuf_pad_from(&t->out, from, t->o.result_column);
	strbuf_adds(&t->out, " = ?\n");
	end_line(t);
}

/* ------------------------------------------------------------------ system calls */

static struct trace_task *task_of(struct tracer *t, u32 pid, u32 tid, u32 cpu)
{
	u32 i = trace_task_find(&t->tasks, pid, tid);
	struct trace_task *task = &t->tasks.v.v[i];

	task->cpu = cpu;
	return task;
}

static bool is_wanted(const struct tracer *t, const struct trace_syscall *s)
{
	return t->o.syscalls && (!t->o.wants || t->o.wants(t->o.ctx, s));
}

static const struct trace_syscall *call_of_row(struct tracer *t, const struct call_row *r)
{
	return trace_syscall(r->compat && t->compat ? t->compat : t->syscalls, r->id);
}

static struct trace_task *begin_call(struct tracer *t, const struct trace_syscall *s,
				     const struct call_row *r, const struct trace_memory *m)
{
	struct trace_task *task = task_of(t, r->pid, r->tid, r->cpu);

	task->syscall = s;
	task->start = r->time;
	task->interrupted = false;
	memcpy(task->args, r->values, sizeof(task->args));
	trace_task_read(task, m->pieces, m->size);
	return task;
}

static void take_enter(struct tracer *t, const struct call_row *r, const struct trace_memory *m)
{
	const struct trace_syscall *s = call_of_row(t, r);
	struct trace_task *task;

	if (!is_wanted(t, s)) {
		/* no line tells of it */
		if (trace_paths_want(t->o.paths, s))
			begin_call(t, s, r, m)->interrupted = true;
		return;
	}
	print_interrupted(t);
	task = begin_call(t, s, r, m);
	task->nr_events++;
	t->current = (u32)(task - t->tasks.v.v);
	if (s->result == RESULT_NONE) {
		if (prints_begun(t))
			print_no_return(t, task);
		task->interrupted = true;
	}
}

/* What a call has changed about descriptors. */
static void follow_paths(struct tracer *t, const struct trace_task *task,
			 const struct call_end *end)
{
	struct trace_call c = call_of(task);

	c.end = end->memory;
	if (t->o.paths && c.syscall)
		trace_paths_follow(t->o.paths, &c, end->result);
}

/* The end of a call that is looked at for what it does to descriptors alone. */
static void end_unseen(struct tracer *t, const struct call_row *r, const struct call_end *end)
{
	struct trace_task *task;

	if (!trace_paths_want(t->o.paths, end->syscall))
		return;
	task = task_of(t, r->pid, r->tid, r->cpu);
	if (task->syscall == end->syscall)
		follow_paths(t, task, end);
	task->syscall = NULL;
	task->interrupted = false;
}

static bool is_printed(const struct tracer *t, u64 time, s64 result, size_t nr_frames)
{
	return t->o.lines && (!t->o.failures || trace_failed(result)) && time >= t->o.min_time &&
	       nr_frames >= t->o.min_stack;
}

/* Where it comes from, if callers are wanted. */
struct whole_sample {
	struct session_worker *w;
	const struct session_record *r;
};

/* Whether it has to do with one of the files that are asked for. */
static bool is_touched(struct tracer *t, const struct trace_task *task, const struct call_end *end)
{
	struct trace_call c = call_of(task);

	c.syscall = end->syscall;
	c.end = end->memory;
	for (size_t i = 0; end->began && i < t->o.nr_touched; i++)
		if (trace_call_touches(&c, t->o.touched[i], &t->names))
			return true;
	return !t->o.nr_touched;
}

static bool is_handler_end(const struct trace_syscall *s)
{
	return !strcmp(s->name, "rt_sigreturn") || !strcmp(s->name, "sigreturn");
}

/* The end of rt_sigreturn tells no number: the call counts, and as in perf 6.1 its line is that of
 * a call which another one interrupts. */
static void end_of_handler(struct tracer *t, const struct call_row *r)
{
	u32 i = trace_task_get(&t->tasks, r->tid);
	struct trace_task *task = i != (u32)-1 ? &t->tasks.v.v[i] : NULL;

	if (!task || !task->syscall || !is_handler_end(task->syscall))
		return;
	task->nr_events++;
	if (t->o.sums && !t->o.nr_touched)
		trace_summary_add(&t->summary, i, task->syscall,
				  r->time > task->start ? r->time - task->start : 0, 0);
}

static void take_exit(struct tracer *t, const struct call_row *r, const struct trace_memory *m,
		      const struct whole_sample *whole)
{
	const struct trace_syscall *s = call_of_row(t, r);
	struct call_end end = {
		.syscall = s, .time = r->time, .result = (s64)r->values[0], .memory = *m
	};
	_cleanup_(strbuf_releasep) struct strbuf stack = STRBUF_INIT;
	struct trace_stacks so = { t->o.max_stack, t->o.kernel_stacks };
	struct trace_task *task;
	bool touched;
	u64 time;
	size_t nr = 0;

	if (r->id == NO_CALL) {
		end_of_handler(t, r);
		return;
	}
	if (!is_wanted(t, s)) {
		end_unseen(t, r, &end);
		return;
	}
	task = task_of(t, r->pid, r->tid, r->cpu);
	task->nr_events++;
	end.began = task->syscall == s;
	if (!end.began)
		task->interrupted = false;
	time = end.began && r->time > task->start ? r->time - task->start : 0;
	touched = is_touched(t, task, &end);
	if (t->o.sums && touched)
		trace_summary_add(&t->summary, (u32)(task - t->tasks.v.v), s, time, end.result);
	if (whole && t->o.stacks && t->o.lines)
		nr = trace_line_stack(&stack, t->o.session, whole->w, whole->r, &so);
	if (touched && is_printed(t, time, end.result, nr) && (end.began || !t->o.min_time)) {
		print_call(t, task, &end);
		strbuf_add(&t->out, stack.buf, stack.len);
		end_line(t);
	}
	if (end.began)
		follow_paths(t, task, &end);
	task->syscall = NULL;
	task->interrupted = false;
}

static bool take_row(void *ctx, const void *extract)
{
	static const struct trace_memory none;
	struct tracer *t = ctx;
	const struct call_row *r = extract;

	if (!t->first_time)
		t->first_time = r->time;
	t->nr_events++;
	if (r->kind == EVENT_ENTER)
		take_enter(t, r, &none);
	else
		take_exit(t, r, &none, NULL);
	return !t->over && !t->err.code;
}

/* ------------------------------------------------------------------ other events */

static void add_field(struct tracer *t, const struct traced_event *b, size_t i,
		      const struct sample *smp, bool *between)
{
	const struct tracefmt_field *f = tracefmt_field(b->format, i);
	struct trace_arg *a = &b->args.v[i];
	const char *text;
	size_t len, pid_len = 3;
	u64 v = 0;
	bool is_text = f->flags & TRACEFMT_STRING;

	if (f->flags & TRACEFMT_COMMON)
		return;
	if (!is_text && !(f->flags & (TRACEFMT_ARRAY | TRACEFMT_DYNAMIC | TRACEFMT_REL_DYNAMIC)) &&
	    (!tracefmt_u64(f, smp->raw, smp->raw_size, &v) || (!v && !a->zero)))
		return;
	if (*between)
		strbuf_add(&t->out, ", ", 2);
	*between = true;
	strbuf_adds(&t->out, f->name);
	strbuf_add(&t->out, ": ", 2);
	if (is_text) {
		strbuf_addch(&t->out, '"');
		if (tracefmt_bytes(f, smp->raw, smp->raw_size, &text, &len)) {
			_cleanup_(mem_freep) char *copy = xstrndup(text, strnlen(text, len));

			strbuf_add_escaped(&t->out, copy);
		}
		strbuf_addch(&t->out, '"');
		return;
	}
	if (f->flags & (TRACEFMT_ARRAY | TRACEFMT_DYNAMIC | TRACEFMT_REL_DYNAMIC)) {
		if (!t->o.bit_lists ||
		    !tracefmt_print_bit_list(b->format, f, smp->raw, smp->raw_size, &t->out))
			tracefmt_print_field(b->format, f, smp->raw, smp->raw_size, &t->out);
		return;
	}
	if (a->len >= pid_len && !strcmp(a->name + a->len - pid_len, "pid"))
		a->kind = KIND_PID;
	trace_value_add(&t->out, a, v, smp->pid, &t->names);
}

static void add_event(struct tracer *t, const struct traced_event *b,
		      const struct session_record *r)
{
	const struct tracefmt_print_ctx ctx = { .bit_lists = t->o.bit_lists };
	const struct sample *smp = r->sample;
	bool between = false, whole = false;

	strbuf_add_escaped(&t->out, r->event->name);
	strbuf_addch(&t->out, '(');
	if (b->format && t->o.print_fmt) {
		tracefmt_print(b->format, smp->raw, smp->raw_size, &ctx, &t->out);
		whole = true;
	} else if (b->format && trace_begins_call(b->format)) {
		whole = trace_begun_call_add(&t->out, b->format, t->syscalls, smp->raw,
					     smp->raw_size, smp->pid, &t->names);
	}
	for (size_t i = 0; !whole && i < b->args.nr; i++)
		add_field(t, b, i, smp, &between);
	strbuf_adds(&t->out, ")\n");
}

static void take_event(struct tracer *t, struct session_worker *w, const struct traced_event *b,
		       const struct session_record *r)
{
	_cleanup_(strbuf_releasep) struct strbuf stack = STRBUF_INIT;
	struct trace_stacks so = { t->o.max_stack, true };
	struct trace_task *task;
	size_t nr = 0;

	if (!t->o.lines)
		return;
	print_interrupted(t);
	task = task_of(t, r->sample->pid, r->sample->tid, r->sample->cpu);
	if (t->o.stacks)
		nr = trace_line_stack(&stack, t->o.session, w, r, &so);
	if (nr < t->o.min_stack)
		return;
	add_head(t, task, r->time, true);
	if (t->o.syscalls)
		add_duration(t, 0, false);
	add_task(t, task);
	add_event(t, b, r);
	strbuf_add(&t->out, stack.buf, stack.len);
	end_line(t);
}

/* The address that a fault was at: "/usr/bin/ls@0x1200 (d.)", or the number. */
static void add_data_place(struct tracer *t, struct session_worker *w,
			   const struct session_record *r)
{
	char level = r->sample->cpumode == PERF_RECORD_MISC_USER ? '.' : 'k', type = '?';
	struct code_place at;
	const struct dso *d;

	session_place(w, &r->site, PERF_RECORD_MISC_USER, r->sample->addr, &at);
	d = at.dso ? dso_table_get(session_dsos(t->o.session), at.dso) : NULL;
	if (d) {
		strbuf_add_escaped(&t->out, dso_long_name(d));
		strbuf_adds(&t->out, "@0x");
		strbuf_add_hex(&t->out, at.map ? model_map_ip(at.map, r->sample->addr)
					       : r->sample->addr + at.shift);
		type = at.map && at.map->prot & PROT_EXEC ? 'x' : 'd';
	} else {
		strbuf_adds(&t->out, "0x");
		strbuf_add_hex(&t->out, r->sample->addr);
	}
	strbuf_addf(&t->out, " (%c%c)\n", type, level);
}

static void take_fault(struct tracer *t, struct session_worker *w, const struct traced_event *b,
		       const struct session_record *r)
{
	struct trace_task *task = task_of(t, r->sample->pid, r->sample->tid, r->sample->cpu);
	struct trace_stacks so = { t->o.max_stack, true };
	struct location at;

	if (!t->o.lines)
		return;
	session_resolve(w, &r->site, r->sample->cpumode, r->sample->ip, &at);
	add_head(t, task, r->time, true);
	add_duration(t, 0, true);
	add_task(t, task);
	strbuf_adds(&t->out, b->kind == EVENT_MAJOR_FAULT ? "majfault [" : "minfault [");
	trace_line_code(&t->out, t->o.session, &at);
	strbuf_adds(&t->out, "] => ");
	add_data_place(t, w, r);
	if (t->o.stacks)
		trace_line_stack(&t->out, t->o.session, w, r, &so);
	end_line(t);
}

static void take_runtime(struct tracer *t, const struct traced_event *b,
			 const struct session_record *r)
{
	u64 ns = 0;

	if (b->values && tracefmt_u64(b->values, r->sample->raw, r->sample->raw_size, &ns))
		task_of(t, r->sample->pid, r->sample->tid, r->sample->cpu)->runtime += ns;
}

static void show_sample(struct tracer *t, const struct session_record *r)
{
	const struct trace_task *task = task_of(t, r->sample->pid, r->sample->tid, r->sample->cpu);

	strbuf_addf(&t->out, "%22s ", r->event->name);
	trace_line_time(&t->out, r->time, true);
	strbuf_add_escaped(&t->out, task->comm);
	strbuf_addf(&t->out, " %u/%u [%u]\n", task->pid, task->tid, task->cpu);
}

static void count_sample(struct tracer *t, const struct session_record *r)
{
	if (!t->first_time)
		t->first_time = r->time;
	t->nr_events++;
	if (t->o.show_sample)
		show_sample(t, r);
}

/* A sample of a system call. */
static void take_call(struct tracer *t, const struct traced_event *b, struct call_row *row,
		      const struct whole_sample *whole)
{
	const struct sample *smp = whole->r->sample;
	struct trace_memory m = { 0 };
	struct call_head head;

	row->kind = (u16)b->kind;
	if (b->kind != EVENT_PROGRAM) {
		if (!fill_row(b, smp->raw, smp->raw_size, row))
			return;
	} else {
		if (!trace_record_view(smp->raw, smp->raw_size, &head, &m))
			return;
		row->kind = head.kind == CALL_ENTER ? EVENT_ENTER : EVENT_EXIT;
		row->compat = head.flags & CALL_IS_COMPAT;
		row->id = (u64)(s64)(s32)head.nr;
		memcpy(row->values, head.values, sizeof(row->values));
	}
	if (b->kind != EVENT_PROGRAM || is_wanted(t, call_of_row(t, row)))
		count_sample(t, whole->r);
	if (row->kind == EVENT_ENTER)
		take_enter(t, row, &m);
	else
		take_exit(t, row, &m, whole);
}

static void take_sample(struct tracer *t, struct session_worker *w, const struct session_record *r)
{
	const struct traced_event *b = bound_of(t, r->event);
	struct call_row row = {
		.time = r->time, .pid = r->sample->pid, .tid = r->sample->tid, .cpu = r->sample->cpu
	};

	if (!b || r->again || (t->o.skips && t->o.skips(t->o.ctx, r->event)))
		return;
	if (t->o.not_pid && r->sample->pid == t->o.not_pid)
		return;
	if (b->kind == EVENT_ENTER || b->kind == EVENT_EXIT || b->kind == EVENT_PROGRAM) {
		take_call(t, b, &row, &(struct whole_sample){ w, r });
		return;
	}
	count_sample(t, r);
	switch (b->kind) {
	case EVENT_MAJOR_FAULT:
	case EVENT_MINOR_FAULT:
		take_fault(t, w, b, r);
		return;
	case EVENT_RUNTIME:
		take_runtime(t, b, r);
		return;
	default:
		take_event(t, w, b, r);
	}
}

/* ------------------------------------------------------------------ the run */

static void task_ended(struct tracer *t, u32 pid, u32 tid)
{
	if (t->o.ended)
		t->o.ended(t->o.ctx, tid);
	if (t->o.paths && pid == tid)
		trace_paths_forget(t->o.paths, pid);
}

static void take_task_record(struct tracer *t, const struct perf_event_header *h)
{
	union record_view v;

	if (h->type != PERF_RECORD_COMM && h->type != PERF_RECORD_FORK &&
	    h->type != PERF_RECORD_EXIT)
		return;
	if (!record_view(h, 0, &v))
		return;
	if (h->type == PERF_RECORD_COMM)
		trace_task_named(&t->tasks, v.comm.pid, v.comm.tid, v.comm.name.text,
				 v.comm.name.len);
	else if (h->type == PERF_RECORD_FORK)
		trace_task_forked(&t->tasks, v.task.pid, v.task.tid, v.task.ptid);
	else
		task_ended(t, v.task.pid, v.task.tid);
}

/* Where they are missing, so that nobody takes a gap for silence. */
static void take_lost(struct tracer *t, const struct session_record *r)
{
	union record_view v;

	if (t->o.paths)
		trace_paths_lost(t->o.paths);
	/* what ends next may be another call than what has begun */
	VEC_FOR(&t->tasks.v, task)
		task->syscall = NULL;
	t->current = (u32)-1;
	/* the other one is the sum, at the end */
	if (r->h->type != PERF_RECORD_LOST || !t->o.lines || !record_view(r->h, 0, &v))
		return;
	add_time(t, r->time, r->time >= t->first_time);
	trace_line_lost(&t->out, v.lost.lost);
	end_line(t);
}

static bool take_record(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
			const struct session_record *r, struct strbuf *out UNUSED)
{
	struct tracer *t = ctx;

	if (r->h->type == PERF_RECORD_LOST || r->h->type == PERF_RECORD_LOST_SAMPLES)
		take_lost(t, r);
	else if (r->h->type != PERF_RECORD_SAMPLE)
		take_task_record(t, r->h);
	else if (r->sample)
		take_sample(t, w, r);
	return !t->over && !t->err.code;
}

/* Live: what there is is shown. */
static bool end_round(void *ctx, const struct session_round *r UNUSED)
{
	return flush(ctx, 0);
}

static void renew(void *ctx UNUSED, struct session_renewal *r UNUSED)
{
	/* no numbers of the session are kept */
}

int tracer_run(struct tracer *t, struct err *e)
{
	const struct session_consumer c = { .order = SESSION_ORDERED,
					    .all_records = true,
					    .serial = true,
					    .ctx = t,
					    .record = take_record,
					    .extract = t->o.stacks ? NULL : extract_row,
					    .take = take_row,
					    .round = end_round,
					    .renew = renew };

	if (session_run(t->o.session, &c, e))
		return -1;
	flush(t, 0);
	if (t->err.code) {
		*e = t->err;
		return -1;
	}
	return 0;
}

static const char *name_of_task(void *ctx, u32 tid)
{
	const struct tracer *t = ctx;
	u32 i = trace_task_get(&t->tasks, tid);

	return i != (u32)-1 && t->tasks.v.v[i].comm[0] ? t->tasks.v.v[i].comm : NULL;
}

static const char *path_of_fd(void *ctx, u32 pid, s32 fd)
{
	const struct tracer *t = ctx;

	return trace_path(t->o.paths, pid, fd);
}

static int netlink_of_fd(void *ctx, u32 pid, s32 fd)
{
	const struct tracer *t = ctx;

	return trace_paths_netlink(t->o.paths, pid, fd);
}

static int find_arch(struct session *s, enum trace_arch *arch, struct err *e)
{
	const struct perfdata_info *info = perfdata_info(session_file(s));
	const char *machine = info ? info->arch : NULL;
	struct utsname u;

	/* a stream tells it later: it is most likely this machine's */
	if (!machine && !uname(&u))
		machine = u.machine;
	if (machine && trace_arch_parse(machine, arch))
		return 0;
	return err_set(e, ENOTSUP, "the system calls of %s are not known here",
		       machine ? machine : "this machine");
}

struct tracer *tracer_new(const struct tracer_opts *o, struct err *e)
{
	struct tracer *t;
	enum trace_arch arch;

	if (find_arch(o->session, &arch, e))
		return NULL;
	t = XNEW(struct tracer);
	t->o = *o;
	t->out = (struct strbuf)STRBUF_INIT;
	t->current = (u32)-1;
	t->syscalls = trace_syscalls_new(arch);
	if (arch == TRACE_X86_64)
		t->compat = trace_syscalls_new(TRACE_I386);
	t->summary.by_error = o->by_error;
	t->summary.by_time = o->by_time;
	t->names = (struct trace_lookup){ .ctx = t,
					  .comm = name_of_task,
					  .path = o->paths ? path_of_fd : NULL,
					  .netlink = o->paths ? netlink_of_fd : NULL,
					  .layouts = o->layouts,
					  .plain = o->plain_layouts,
					  .zeros = o->zeros || o->no_arg_names,
					  .no_names = o->no_arg_names,
					  .full_names = o->full_names };
	if (bind_events(t, e)) {
		tracer_free(t);
		return NULL;
	}
	return t;
}

void tracer_free(struct tracer *t)
{
	if (!t)
		return;
	VEC_FOR(&t->bound, b)
		vec_free(&b->args);
	vec_free(&t->bound);
	trace_tasks_release(&t->tasks);
	trace_summary_release(&t->summary);
	trace_syscalls_free(t->syscalls);
	trace_syscalls_free(t->compat);
	strbuf_release(&t->out);
	free(t);
}

const struct trace_tasks *tracer_tasks(const struct tracer *t)
{
	return &t->tasks;
}

struct trace_summary *tracer_summary(struct tracer *t)
{
	return &t->summary;
}

u64 tracer_nr_events(const struct tracer *t)
{
	return t->nr_events;
}

const struct trace_syscall *tracer_syscall(struct tracer *t, u64 nr, bool compat)
{
	return trace_syscall(compat && t->compat ? t->compat : t->syscalls, nr);
}

u32 tracer_add_task(struct tracer *t, u32 pid, u32 tid, const char *comm, u64 nr_events)
{
	u32 i = trace_task_find(&t->tasks, pid, tid);

	if (!t->tasks.v.v[i].comm[0])
		trace_task_named(&t->tasks, pid, tid, comm, strlen(comm));
	t->tasks.v.v[i].nr_events += nr_events;
	t->nr_events += nr_events;
	return i;
}
