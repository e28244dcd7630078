/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chart for other programs: as JSON, and as rows of values. */
#include "base/json.h"
#include "render/rows.h"
#include "render/timechart.h"

/* What lanes are called, and in their shapes the value. */
struct lane_name {
	const char *lane, *value;
};
static const struct lane_name task_lanes[TIMECHART_TASK_LANES] = {
	[TIMECHART_TASK] = { "states", "cpu" },
};
static const struct lane_name cpu_lanes[TIMECHART_CPU_LANES] = {
	[TIMECHART_CPU_RUNNING] = { "running", NULL }, /* a task's row */
	[TIMECHART_CPU_IDLE] = { "idle", "state" },
	[TIMECHART_CPU_FREQUENCY] = { "frequency", "khz" },
};
/* Those of calls that failed are in the same arrays. */
static const struct lane_name io_lanes[TIMECHART_IO_KINDS] = {
	[TIMECHART_IO_READ] = { "read", "fd" },       [TIMECHART_IO_WRITE] = { "write", "fd" },
	[TIMECHART_IO_RECEIVE] = { "receive", "fd" }, [TIMECHART_IO_SEND] = { "send", "fd" },
	[TIMECHART_IO_SYNC] = { "sync", "fd" },       [TIMECHART_IO_POLL] = { "poll", "fd" },
};
static const char *const ways[TIMECHART_WAYS] = {
	[TIMECHART_RUNNING] = "running_ns",
	[TIMECHART_WAITING] = "waiting_ns",
	[TIMECHART_BLOCKED] = "blocked_ns",
};

static void add_task_of(struct json *j, const struct timechart *c, u32 row)
{
	json_u64(j, "tid", c->tasks.v[row].number);
	json_string(j, "name", c->tasks.v[row].name);
}

static void add_stack(struct json *j, const struct timechart_drawing *d, u32 stack)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!stack)
		return;
	d->add_stack(d->ctx, stack, &text);
	json_string(j, "stack", text.buf);
}

static void add_shape(struct json *j, const struct timechart_drawing *d,
		      const struct timechart_shape *s, const char *value)
{
	json_object(j, NULL, JSON_TIGHT);
	json_u64(j, "from", s->from);
	json_u64(j, "until", s->until);
	if (s->value != TIMECHART_SEVERAL && value)
		json_u64(j, value, s->value);
	else if (s->value != TIMECHART_SEVERAL)
		add_task_of(j, d->chart, s->value);
	if (s->bytes)
		json_u64(j, "bytes", s->bytes);
	if (s->error)
		json_s64(j, "error", s->error);
	if (s->nr > 1)
		json_u64(j, "spans", s->nr);
	if (s->goes_on)
		json_bool(j, "goes_on", true);
	add_stack(j, d, s->stack);
}

static void add_lane(struct json *j, const struct timechart_drawing *d,
		     const struct timechart_row *row, unsigned int lane, const char *value,
		     bool has_ways)
{
	VEC_FOR(&row->lanes[lane], s) {
		add_shape(j, d, s, value);
		for (size_t i = 0; i < TIMECHART_WAYS && has_ways; i++)
			if (s->times[i])
				json_u64(j, ways[i], s->times[i]);
		if (!has_ways && s->nr > 1)
			json_u64(j, "busy_ns", s->times[0]);
		json_end(j);
		d->flush(d->ctx, j->out);
	}
}

static void add_cpu(struct json *j, const struct timechart_drawing *d,
		    const struct timechart_row *row)
{
	json_object(j, NULL, JSON_TIGHT);
	json_u64(j, "cpu", row->number);
	for (unsigned int lane = 0; lane < TIMECHART_CPU_LANES; lane++) {
		json_array(j, cpu_lanes[lane].lane, JSON_LINES);
		add_lane(j, d, row, lane, cpu_lanes[lane].value, false);
		json_end(j);
	}
	json_end(j);
}

static void add_task(struct json *j, const struct timechart_drawing *d,
		     const struct timechart_row *row)
{
	bool io = d->chart->io;
	const struct lane_name *lanes = io ? io_lanes : task_lanes;

	json_object(j, NULL, JSON_TIGHT);
	json_u64(j, "tid", row->number);
	if (row->pid != (u32)-1)
		json_u64(j, "pid", row->pid);
	json_string(j, "name", row->name);
	json_u64(j, io ? "bytes" : "running_ns", row->total);
	json_u64(j, "from", row->from);
	json_u64(j, "until", row->until);
	for (unsigned int lane = 0; lane < (io ? TIMECHART_IO_KINDS : TIMECHART_TASK_LANES);
	     lane++) {
		json_array(j, lanes[lane].lane, JSON_LINES);
		add_lane(j, d, row, lane, lanes[lane].value, !io);
		if (io)
			add_lane(j, d, row, lane + TIMECHART_IO_KINDS, lanes[lane].value, false);
		json_end(j);
	}
	json_end(j);
}

static void add_wake(struct json *j, const struct timechart_drawing *d,
		     const struct timechart_wake *w)
{
	json_object(j, NULL, JSON_TIGHT);
	json_u64(j, "time", w->time);
	add_task_of(j, d->chart, w->row);
	if (w->by != TIMECHART_NOBODY) {
		json_object(j, "by", JSON_TIGHT);
		add_task_of(j, d->chart, w->by);
		json_end(j);
	}
	if (w->nr > 1)
		json_u64(j, "times", w->nr);
	add_stack(j, d, w->stack);
	json_end(j);
	d->flush(d->ctx, j->out);
}

void timechart_add_json(struct strbuf *out, const struct timechart_drawing *d)
{
	const struct timechart *c = d->chart;
	struct json j;

	json_init(&j, out);
	json_object(&j, NULL, JSON_LINES);
	json_string(&j, "schema", "perf timechart");
	json_u64(&j, "version", 1);
	json_string(&j, "recording", c->recording);
	json_u64(&j, "from", c->from);
	json_u64(&j, "until", c->until);
	json_u64(&j, "spans", c->nr_spans);
	json_u64(&j, "resolution_ns", c->resolution);
	json_u64(&j, "wakeups_resolution_ns", c->wake_resolution);
	json_u64(&j, "wakeups_left_out", c->wakes_left_out);
	json_array(&j, "cpus", JSON_LINES);
	VEC_FOR(&c->cpu_order, cpu)
		add_cpu(&j, d, &c->cpus.v[*cpu]);
	json_end(&j);
	json_array(&j, "tasks", JSON_LINES);
	VEC_FOR(&c->shown, task)
		add_task(&j, d, &c->tasks.v[*task]);
	json_end(&j);
	json_array(&j, "wakeups", JSON_LINES);
	VEC_FOR(&c->wakes, w)
		add_wake(&j, d, w);
	json_end(&j);
	json_end(&j);
	strbuf_addch(out, '\n');
	d->flush(d->ctx, out);
}

/* ------------------------------------------------------------------ rows of values */

static void put_task(struct row_writer *w, const struct timechart_row *task)
{
	row_u64(w, "tid", task->number);
	row_string(w, "name", task->name);
}

static void put_stack(struct row_writer *w, const struct timechart_drawing *d, u32 stack)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (stack)
		d->add_stack(d->ctx, stack, &text);
	row_string(w, "stack", text.buf);
}

static void put_value(struct row_writer *w, const char *name, u32 value)
{
	if (value == TIMECHART_SEVERAL)
		row_null(w, name);
	else
		row_u64(w, name, value);
}

/* What all shapes have. */
static void begin_shape(struct row_writer *w, const char *type, const struct timechart_shape *s)
{
	row_begin(w, type);
	row_u64(w, "from", s->from);
	row_u64(w, "until", s->until);
	row_u64(w, "spans", s->nr);
}

static void end_shape(struct row_writer *w, const struct timechart_drawing *d,
		      const struct timechart_shape *s)
{
	put_stack(w, d, s->stack);
	row_end(w);
	d->flush(d->ctx, w->out);
}

static void put_cpu_lane(struct row_writer *w, const struct timechart_drawing *d,
			 const struct timechart_row *cpu, unsigned int lane)
{
	const struct lane_name *l = &cpu_lanes[lane];

	VEC_FOR(&cpu->lanes[lane], s) {
		begin_shape(w, l->lane, s);
		row_u64(w, "cpu", cpu->number);
		row_u64(w, "busy_ns", s->nr > 1 ? s->times[0] : s->until - s->from);
		if (l->value) {
			put_value(w, l->value, s->value);
		} else if (s->value != TIMECHART_SEVERAL) {
			put_task(w, &d->chart->tasks.v[s->value]);
		} else {
			row_null(w, "tid");
			row_null(w, "name");
		}
		end_shape(w, d, s);
	}
}

static void put_states(struct row_writer *w, const struct timechart_drawing *d,
		       const struct timechart_row *task)
{
	VEC_FOR(&task->lanes[TIMECHART_TASK], s) {
		begin_shape(w, task_lanes[TIMECHART_TASK].lane, s);
		put_task(w, task);
		put_value(w, task_lanes[TIMECHART_TASK].value, s->value);
		for (size_t i = 0; i < TIMECHART_WAYS; i++)
			row_u64(w, ways[i], s->times[i]);
		end_shape(w, d, s);
	}
}

static void put_calls(struct row_writer *w, const struct timechart_drawing *d,
		      const struct timechart_row *task, unsigned int lane)
{
	const struct lane_name *l = &io_lanes[lane % TIMECHART_IO_KINDS];

	VEC_FOR(&task->lanes[lane], s) {
		begin_shape(w, l->lane, s);
		put_task(w, task);
		put_value(w, l->value, s->value);
		row_u64(w, "bytes", s->bytes);
		row_s64(w, "error", s->error);
		row_u64(w, "busy_ns", s->nr > 1 ? s->times[0] : s->until - s->from);
		end_shape(w, d, s);
	}
}

static void put_wake(struct row_writer *w, const struct timechart_drawing *d,
		     const struct timechart_wake *wake)
{
	const struct timechart *c = d->chart;

	row_begin(w, "wakeup");
	row_u64(w, "time", wake->time);
	row_u64(w, "times", wake->nr);
	put_task(w, &c->tasks.v[wake->row]);
	if (wake->by == TIMECHART_NOBODY) {
		row_null(w, "by_tid");
		row_null(w, "by_name");
	} else {
		row_u64(w, "by_tid", c->tasks.v[wake->by].number);
		row_string(w, "by_name", c->tasks.v[wake->by].name);
	}
	put_stack(w, d, wake->stack);
	row_end(w);
	d->flush(d->ctx, w->out);
}

void timechart_add_rows(struct strbuf *out, const struct timechart_drawing *d,
			const char *separator)
{
	const struct timechart *c = d->chart;
	struct row_writer w;

	row_writer_init(&w, out, separator, "perf timechart");
	VEC_FOR(&c->cpu_order, cpu)
		for (unsigned int lane = 0; lane < TIMECHART_CPU_LANES; lane++)
			put_cpu_lane(&w, d, &c->cpus.v[*cpu], lane);
	VEC_FOR(&c->shown, task) {
		if (!c->io)
			put_states(&w, d, &c->tasks.v[*task]);
		for (unsigned int lane = 0; c->io && lane < TIMECHART_IO_LANES; lane++)
			put_calls(&w, d, &c->tasks.v[*task], lane);
	}
	VEC_FOR(&c->wakes, wake)
		put_wake(&w, d, wake);
	row_begin(&w, "total");
	row_u64(&w, "from", c->from);
	row_u64(&w, "until", c->until);
	row_u64(&w, "spans", c->nr_spans);
	row_u64(&w, "resolution_ns", c->resolution);
	row_u64(&w, "wakeups_resolution_ns", c->wake_resolution);
	row_u64(&w, "wakeups_left_out", c->wakes_left_out);
	row_end(&w);
	d->flush(d->ctx, out);
	row_writer_release(&w);
}
