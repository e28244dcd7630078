/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/json.h"
#include "render/timechart.h"

/* What lanes of rows are called, and in their shapes the value. */
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
