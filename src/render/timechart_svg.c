/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where things are is as in other perfs: the legend on top, a strip for each CPU, one for each
 * task. In a strip, shapes of many spans have a height for each thing: the share of the time that
 * it took.
 */
#include "render/timechart.h"

#include <math.h>
#include <stdio.h>

#include "base/xml.h"

#define MS 1000000ULL
enum {
	SLOT = 30, /* a task's strip and the space below it; a CPU has two, and one is on top */
	TASK_HEIGHT = 25,
	CPU_HEIGHT = 55,
	LONG_WAIT_MS = 10, /* waits for a CPU beyond this have a colour of their own */
	DEEPEST = 6, /* idle states that have colours */
	LEGEND_WIDTH = 900,
	MAX_TICKS = 100,
	PER_TICK = 10, /* thin lines for a thick one */
	CHAR_WIDTH = 7, /* of labels, about: pixels */
};

static const char style[] =
	"<defs>\n"
	"  <style type=\"text/css\">\n"
	"    <![CDATA[\n"
	"      rect.page     { fill:rgb(255,255,255); }\n"
	"      rect.process  { fill:rgb(180,180,180); fill-opacity:0.6; }\n"
	"      rect.process2 { fill:rgb(180,180,180); fill-opacity:0.6; }\n"
	"      rect.process3 { fill:rgb(180,180,180); fill-opacity:0.5; }\n"
	"      rect.sample   { fill:rgb( 40, 90,230); fill-opacity:0.85; }\n"
	"      rect.sample_hi{ fill:rgb(255,128,  0); fill-opacity:0.9; }\n"
	"      rect.error    { fill:rgb(255,  0,  0); fill-opacity:0.6; }\n"
	"      rect.net      { fill:rgb(  0,128,  0); fill-opacity:0.6; }\n"
	"      rect.disk     { fill:rgb(  0,  0,255); fill-opacity:0.6; }\n"
	"      rect.sync     { fill:rgb(128,128,  0); fill-opacity:0.6; }\n"
	"      rect.poll     { fill:rgb(  0,128,128); fill-opacity:0.3; }\n"
	"      rect.blocked  { fill:rgb(235, 60, 60); fill-opacity:0.75; }\n"
	"      rect.waiting  { fill:rgb(234,214,  0); fill-opacity:0.85; }\n"
	"      rect.WAITING  { fill:rgb(255,170, 30); fill-opacity:0.85; }\n"
	"      rect.cpu      { fill:rgb(192,192,192); fill-opacity:0.2; stroke-width:0.5; "
	"stroke:rgb(128,128,128); }\n"
	"      rect.c0       { fill:rgb(255,235,235); fill-opacity:0.6; }\n"
	"      rect.c1       { fill:rgb(255,214,214); fill-opacity:0.6; }\n"
	"      rect.c2       { fill:rgb(255,172,172); fill-opacity:0.6; }\n"
	"      rect.c3       { fill:rgb(255,130,130); fill-opacity:0.6; }\n"
	"      rect.c4       { fill:rgb(255, 88, 88); fill-opacity:0.6; }\n"
	"      rect.c5       { fill:rgb(255, 44, 44); fill-opacity:0.6; }\n"
	"      rect.c6       { fill:rgb(255,  0,  0); fill-opacity:0.6; }\n"
	"      line.pstate   { stroke:rgb(230,160,  0); stroke-opacity:0.9; stroke-width:1.5; }\n"
	"      line.wake     { stroke:rgb( 20,160, 20); stroke-opacity:0.8; stroke-width:0.6; }\n"
	"      circle.wake   { fill:rgb( 20,160, 20); }\n"
	"      line.thin     { stroke:rgb(225,225,225); stroke-width:0.5; }\n"
	"      line.thick    { stroke:rgb(180,180,180); stroke-width:0.8; }\n"
	"      text          { font-family:sans-serif; font-size:12px; fill:rgb(0,0,0); }\n"
	"      text.label    { paint-order:stroke; stroke:rgb(255,255,255); stroke-width:3px; "
	"stroke-opacity:0.8; }\n"
	"      text.small    { font-size:9px; fill:rgb(90,90,90); }\n"
	"      text.on       { font-size:10px; fill:rgb(255,255,255); }\n"
	"    ]]>\n"
	"  </style>\n"
	"</defs>\n";

struct svg {
	const struct timechart_drawing *d;
	const struct timechart *c;
	struct strbuf *out;
	double scale; /* pixels per ns */
	u32 *slot_of; /* by task: its place among those that are shown, + 1; 0 = it is not */
	u32 height, first_task; /* pixels */
};

/* ------------------------------------------------------------------ parts */

static double x_of(const struct svg *v, u64 time)
{
	return (double)(time - v->c->from) * v->scale;
}

static u32 cpu_y(u32 place)
{
	return SLOT + 2 * SLOT * place;
}

static u32 task_y(const struct svg *v, u32 place)
{
	return v->first_task + SLOT * place;
}

/* A number with no more digits than are needed. */
static void add_number(struct strbuf *out, double n)
{
	char buf[32];
	int len = snprintf(buf, sizeof(buf), "%.4f", n);

	while (len > 1 && buf[len - 1] == '0')
		len--;
	if (buf[len - 1] == '.')
		len--;
	strbuf_add(out, buf, (size_t)len);
}

static void add_attr(struct strbuf *out, const char *name, double n)
{
	strbuf_addf(out, " %s=\"", name);
	add_number(out, n);
	strbuf_addch(out, '"');
}

/* Without its end: "/>", or '>', a title and "</rect>". */
static void begin_rect(struct svg *v, const char *class, double x, double width, double y,
		       double height)
{
	strbuf_adds(v->out, "<rect");
	add_attr(v->out, "x", x);
	add_attr(v->out, "width", width);
	add_attr(v->out, "y", y);
	add_attr(v->out, "height", height);
	strbuf_addf(v->out, " class=\"%s\"", class);
}

static void add_time(struct strbuf *out, u64 ns)
{
	if (ns < 1000)
		strbuf_addf(out, "%llu ns", (unsigned long long)ns);
	else if (ns < MS)
		strbuf_addf(out, "%.1f us", (double)ns / 1e3);
	else
		strbuf_addf(out, "%.1f ms", (double)ns / 1e6);
}

static void add_bytes(struct strbuf *out, u64 bytes)
{
	if (bytes >= 1 << 20)
		strbuf_addf(out, "%.1f Mbytes", (double)bytes / (1 << 20));
	else if (bytes >= 1 << 10)
		strbuf_addf(out, "%.1f Kbytes", (double)bytes / (1 << 10));
	else
		strbuf_addf(out, "%llu bytes", (unsigned long long)bytes);
}

static void add_stack(struct svg *v, u32 stack, const char *title)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!stack)
		return;
	v->d->add_stack(v->d->ctx, stack, &text);
	strbuf_addf(v->out, "\n%s:\n", title);
	xml_add_text(v->out, text.buf);
}

static void end_title(struct svg *v, const char *element)
{
	strbuf_addf(v->out, "</title></%s>\n", element);
	v->d->flush(v->d->ctx, v->out);
}

/* A label that begins at x, or further left where it would not fit. */
static void add_label(struct svg *v, double x, u32 y, const struct strbuf *text)
{
	double room = v->d->width - (double)CHAR_WIDTH * (double)text->len;

	strbuf_adds(v->out, "<text class=\"label\"");
	add_attr(v->out, "x", MAX(0.0, MIN(x, room)));
	strbuf_addf(v->out, " y=\"%u.5\">", y + 12);
	xml_add_text(v->out, text->buf);
	strbuf_adds(v->out, "</text>\n");
}

/* ------------------------------------------------------------------ around it */

static void add_legend(struct svg *v)
{
	static const struct legend {
		const char *name, *class;
		u32 x;
	} tasks[] = {
		{ "Running", "sample", 0 },
		{ "Idle", "c1", 100 },
		{ "Deeper Idle", "c3", 200 },
		{ "Deepest Idle", "c6", 350 },
		{ "Sleeping", "process2", 550 },
		{ "Waiting for cpu", "waiting", 650 },
		{ "Blocked on IO", "blocked", 800 },
	}, io[] = {
		{ "Disk", "disk", 0 },  { "Network", "net", 100 }, { "Sync", "sync", 200 },
		{ "Poll", "poll", 300 }, { "Error", "error", 400 },
	};
	const struct legend *l = v->c->io ? io : tasks;

	/* nearer to each other where it is narrow */
	bool narrow = v->d->width < LEGEND_WIDTH;
	double scale = narrow ? (double)v->d->width / LEGEND_WIDTH : 1;

	strbuf_adds(v->out, "<g>\n");
	for (size_t i = 0; i < (v->c->io ? ARRAY_SIZE(io) : ARRAY_SIZE(tasks)); i++) {
		begin_rect(v, l[i].class, l[i].x * scale, 12.5, 0, 12.5);
		strbuf_addf(v->out, "/>\n<text%s", narrow ? " class=\"small\"" : "");
		add_attr(v->out, "x", l[i].x * scale + (narrow ? 14 : 17.5));
		strbuf_addf(v->out, " y=\"11\">%s</text>\n", l[i].name);
	}
	strbuf_adds(v->out, "</g>\n");
}

static void add_axis_time(struct strbuf *out, u64 ns)
{
	static const struct {
		u64 ns;
		const char *name;
	} units[] = { { 1000 * MS, "s" }, { MS, "ms" }, { 1000, "us" }, { 1, "ns" } };
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(units) && ns % units[i].ns)
		i++;
	if (ns)
		strbuf_addf(out, "%llu %s", (unsigned long long)(ns / units[i].ns), units[i].name);
	else
		strbuf_adds(out, "0");
}

/* A line at each power of ten of which there are not too many: each 10 ms of up to a second. */
static void add_ticks(struct svg *v)
{
	u64 length = v->c->until - v->c->from, step = 1;
	double next_label = -1;

	while (length / step > MAX_TICKS)
		step *= PER_TICK;
	for (u64 i = 0; i <= length / step; i++) {
		double x = (double)(i * step) * v->scale;
		bool thick = i % PER_TICK == 0;

		strbuf_addf(v->out, "<line class=\"%s\"", thick ? "thick" : "thin");
		add_attr(v->out, "x1", x);
		strbuf_adds(v->out, " y1=\"15\"");
		add_attr(v->out, "x2", x);
		strbuf_addf(v->out, " y2=\"%u\"/>\n", v->height);
		if ((!thick && length / step >= 2 * PER_TICK) || x < next_label ||
		    x > v->d->width - 40.0)
			continue;
		strbuf_adds(v->out, "<text class=\"small\"");
		add_attr(v->out, "x", x + 2);
		strbuf_adds(v->out, " y=\"26\">");
		add_axis_time(v->out, i * step);
		strbuf_adds(v->out, "</text>\n");
		next_label = x + 50;
	}
}

/* What the picture does not show one by one. */
static bool has_remark(const struct timechart *c)
{
	return c->resolution || c->wake_resolution;
}

static void add_remark(struct svg *v)
{
	const struct timechart *c = v->c;

	if (!has_remark(c))
		return;
	strbuf_addf(v->out, "<text class=\"small\" x=\"0\" y=\"%u\">", v->height - 4);
	if (c->resolution) {
		strbuf_addf(v->out,
			    "%llu spans are drawn as %zu shapes: together where they are within ",
			    (unsigned long long)c->nr_spans, c->nr_shapes);
		add_time(v->out, c->resolution);
		strbuf_adds(v->out, " (the height of a colour is its share of the time). ");
	}
	if (c->wake_resolution) {
		strbuf_adds(v->out, "Wake-ups between the same two tasks: one line where within ");
		add_time(v->out, c->wake_resolution);
		strbuf_adds(v->out, ". ");
	}
	if (c->wakes_left_out)
		strbuf_addf(v->out, "%llu wake-ups are left out.",
			    (unsigned long long)c->wakes_left_out);
	strbuf_adds(v->out, "</text>\n");
}

/* ------------------------------------------------------------------ CPUs */

/* A name upright or along the strip, as there is room. */
static void add_name_on(struct svg *v, const char *name, double x, double width, u32 y)
{
	double length = CHAR_WIDTH * (double)strlen(name);

	if (width < 8 || length > 3 * CPU_HEIGHT)
		return;
	if (length + 4 <= width) {
		strbuf_adds(v->out, "<text class=\"on\" text-anchor=\"middle\"");
		add_attr(v->out, "x", x + width / 2);
		strbuf_addf(v->out, " y=\"%u\">", y + CPU_HEIGHT / 2 + 3);
	} else {
		double size = MIN(10.0, MIN(width, (CPU_HEIGHT - 4) / length * 10));

		strbuf_addf(v->out,
			    "<text class=\"on\" style=\"font-size:%.1fpx\" transform=\"translate(",
			    size);
		add_number(v->out, x + width / 2 - size / 3);
		strbuf_addf(v->out, ",%u) rotate(90)\">", y + 3);
	}
	xml_add_text(v->out, name);
	strbuf_adds(v->out, "</text>\n");
}

static void add_run(struct svg *v, const struct timechart_shape *s, u32 y)
{
	double x = x_of(v, s->from), width = x_of(v, s->until) - x;
	u64 length = s->until - s->from;
	double share = length ? MIN(1.0, (double)s->times[0] / (double)length) : 1;
	const struct timechart_row *task = s->value == TIMECHART_SEVERAL ? NULL
									 : &v->c->tasks.v[s->value];

	begin_rect(v, s->marked ? "sample_hi" : "sample", x, width, y + CPU_HEIGHT * (1 - share),
		   CPU_HEIGHT * share);
	strbuf_adds(v->out, "><title>");
	if (task) {
		strbuf_addf(v->out, "%u ", task->number);
		xml_add_text(v->out, task->name);
		strbuf_adds(v->out, " running ");
	} else {
		strbuf_adds(v->out, "running ");
	}
	add_time(v->out, s->times[0]);
	if (s->nr > 1) {
		strbuf_addf(v->out, " in %u spans of ", s->nr);
		add_time(v->out, length);
	}
	add_stack(v, s->stack, "Switched because");
	end_title(v, "rect");
	if (task && s->nr == 1)
		add_name_on(v, task->name, x, width, y);
}

static void add_idle(struct svg *v, const struct timechart_shape *s, u32 y)
{
	double x = x_of(v, s->from), width = x_of(v, s->until) - x;
	u64 length = s->until - s->from;
	double share = length ? MIN(1.0, (double)s->times[0] / (double)length) : 1;
	char class[8];

	snprintf(class, sizeof(class), "c%u",
		 s->value == TIMECHART_SEVERAL ? 1 : MIN(s->value, (u32)DEEPEST));
	begin_rect(v, class, x, width, y, CPU_HEIGHT * share);
	strbuf_adds(v->out, "><title>");
	if (s->value == TIMECHART_SEVERAL)
		strbuf_adds(v->out, "idle ");
	else
		strbuf_addf(v->out, "C%u ", s->value);
	add_time(v->out, s->times[0]);
	if (s->nr > 1) {
		strbuf_addf(v->out, " in %u spans of ", s->nr);
		add_time(v->out, length);
	}
	end_title(v, "rect");
	if (s->nr > 1 || width < 16)
		return;
	strbuf_adds(v->out, "<text class=\"small\"");
	add_attr(v->out, "x", x + 2);
	strbuf_addf(v->out, " y=\"%u\">C%u</text>\n", y + CPU_HEIGHT - 4, s->value);
}

static void add_frequency(struct svg *v, const struct timechart_shape *s, u32 y, u32 most)
{
	double x = x_of(v, s->from);
	double at = y + 1 + CPU_HEIGHT * (1 - (most ? (double)s->value / most : 0));
	char text[32];

	if (s->value > 1000000)
		snprintf(text, sizeof(text), "%.2f Ghz", s->value / 1e6);
	else
		snprintf(text, sizeof(text), "%u Mhz", s->value / 1000);
	strbuf_adds(v->out, "<line");
	add_attr(v->out, "x1", x);
	add_attr(v->out, "x2", x_of(v, s->until));
	add_attr(v->out, "y1", at);
	add_attr(v->out, "y2", at);
	strbuf_addf(v->out, " class=\"pstate\"><title>%s%s", s->nr > 1 ? "about " : "", text);
	end_title(v, "line");
	if ((x_of(v, s->until) - x) < 60)
		return;
	strbuf_adds(v->out, "<text class=\"small label\"");
	add_attr(v->out, "x", x + 2);
	add_attr(v->out, "y", at < y + 12 ? at + 9 : at - 2);
	strbuf_addf(v->out, ">%s</text>\n", text);
}

static void add_cpu(struct svg *v, const struct timechart_row *row, u32 y, u32 most)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	begin_rect(v, "cpu", 0, v->d->width, y, CPU_HEIGHT);
	strbuf_addf(v->out, "><title>CPU %u", row->number);
	if (v->c->cpu_model) {
		strbuf_adds(v->out, ": ");
		xml_add_text(v->out, v->c->cpu_model);
	}
	end_title(v, "rect");
	VEC_FOR(&row->lanes[TIMECHART_CPU_IDLE], s)
		add_idle(v, s, y);
	VEC_FOR(&row->lanes[TIMECHART_CPU_RUNNING], s)
		add_run(v, s, y);
	VEC_FOR(&row->lanes[TIMECHART_CPU_FREQUENCY], s)
		add_frequency(v, s, y, most);
	strbuf_addf(&name, "CPU %u", row->number);
	add_label(v, 10, y, &name);
}

static void add_cpus(struct svg *v)
{
	u32 most = 0;

	VEC_FOR(&v->c->cpus, row)
		VEC_FOR(&row->lanes[TIMECHART_CPU_FREQUENCY], s)
			most = MAX(most, s->value);
	for (u32 i = 0; i < v->c->cpu_order.nr; i++)
		add_cpu(v, &v->c->cpus.v[v->c->cpu_order.v[i]], cpu_y(i), most);
}

/* ------------------------------------------------------------------ tasks */

static const struct {
	const char *verb, *why;
} ways[] = {
	[TIMECHART_RUNNING] = { "running", "Switched because" },
	[TIMECHART_WAITING] = { "waiting", "Waiting since" },
	[TIMECHART_BLOCKED] = { "blocked", "Blocked on" },
};

static const char *class_of(const struct timechart_shape *s, size_t way)
{
	switch (way) {
	case TIMECHART_RUNNING:
		return s->marked ? "sample_hi" : "sample";
	case TIMECHART_WAITING:
		return s->nr == 1 && s->times[way] > LONG_WAIT_MS * MS ? "WAITING" : "waiting";
	default:
		return "blocked";
	}
}

static void add_way_title(struct svg *v, const struct timechart_shape *s, size_t way)
{
	strbuf_adds(v->out, "><title>");
	if (s->value != TIMECHART_SEVERAL)
		strbuf_addf(v->out, "#%u ", s->value);
	strbuf_addf(v->out, "%s ", ways[way].verb);
	add_time(v->out, s->times[way]);
	if (s->nr > 1) {
		strbuf_adds(v->out, " of ");
		add_time(v->out, s->until - s->from);
		strbuf_addf(v->out, ", %u spans", s->nr);
	}
	add_stack(v, s->stack, ways[way].why);
	end_title(v, "rect");
}

static void add_task_shape(struct svg *v, const struct timechart_shape *s, u32 y)
{
	double x = x_of(v, s->from), width = x_of(v, s->until) - x, low = y + TASK_HEIGHT;
	u64 length = s->until - s->from;

	for (size_t way = 0; way < TIMECHART_WAYS; way++) {
		double share = length ? (double)s->times[way] / (double)length : 1;

		/* a run of no length is one, too */
		if (!s->times[way] && (way != TIMECHART_RUNNING || length))
			continue;
		low -= MIN(1.0, share) * TASK_HEIGHT;
		begin_rect(v, class_of(s, way), x, width, MAX(low, (double)y),
			   MIN(1.0, share) * TASK_HEIGHT);
		add_way_title(v, s, way);
	}
}

static void add_task(struct svg *v, const struct timechart_row *row, u32 y)
{
	begin_rect(v, "process", x_of(v, row->from), x_of(v, row->until) - x_of(v, row->from), y,
		   TASK_HEIGHT);
	strbuf_adds(v->out, "/>\n");
	VEC_FOR(&row->lanes[TIMECHART_TASK], s)
		add_task_shape(v, s, y);
}

/* From who woke it up, where that is shown, else a mark above the task's strip. */
static void add_wake(struct svg *v, const struct timechart_wake *w)
{
	u32 to = v->slot_of[w->row], by = w->by == TIMECHART_NOBODY ? 0 : v->slot_of[w->by];
	const struct timechart_row *waker = w->by == TIMECHART_NOBODY ? NULL
								      : &v->c->tasks.v[w->by];
	double x = x_of(v, w->time);
	u32 y1, y2;

	if (!to)
		return;
	y2 = task_y(v, to - 1);
	y1 = y2 - 4;
	if (by && by < to)
		y1 = task_y(v, by - 1) + TASK_HEIGHT;
	if (by > to) {
		y1 = task_y(v, by - 1);
		y2 += TASK_HEIGHT;
	}
	if (by == to)
		return;
	strbuf_adds(v->out, "<g><title>");
	if (waker) {
		strbuf_addf(v->out, "[%u] ", waker->number);
		xml_add_text(v->out, waker->name);
	} else {
		strbuf_adds(v->out, "an interrupt or the idle task");
	}
	strbuf_adds(v->out, " wakes up ");
	xml_add_text(v->out, v->c->tasks.v[w->row].name);
	if (w->nr > 1)
		strbuf_addf(v->out, ", %u times", w->nr);
	add_stack(v, w->stack, "From");
	strbuf_adds(v->out, "</title><line class=\"wake\"");
	add_attr(v->out, "x1", x);
	strbuf_addf(v->out, " y1=\"%u\"", y1);
	add_attr(v->out, "x2", x);
	strbuf_addf(v->out, " y2=\"%u\"/>", y2);
	if (by) {
		strbuf_adds(v->out, "<circle class=\"wake\"");
		add_attr(v->out, "cx", x);
		strbuf_addf(v->out, " cy=\"%u\" r=\"1.2\"/>", y2);
	}
	strbuf_adds(v->out, "</g>\n");
	v->d->flush(v->d->ctx, v->out);
}

/* ------------------------------------------------------------------ calls */

static const struct {
	const char *class, *verb;
	bool upper; /* in the strip's upper half, else in the lower one */
	bool counts; /* bytes: they are the shape's height */
} io_kinds[TIMECHART_IO_KINDS] = {
	[TIMECHART_IO_READ] = { "disk", "read", true, true },
	[TIMECHART_IO_WRITE] = { "disk", "write", false, true },
	[TIMECHART_IO_RECEIVE] = { "net", "receive", true, true },
	[TIMECHART_IO_SEND] = { "net", "send", false, true },
	[TIMECHART_IO_SYNC] = { "sync", "sync", false, false },
	[TIMECHART_IO_POLL] = { "poll", "poll", false, false },
};

/* (log2() would load the mathematical library each time that perf starts.) */
static double logarithm(u64 v)
{
	int exponent = 63 - __builtin_clzll(v | 1);
	double m = (double)v / (double)(1ULL << exponent); /* 1 .. 2 */
	double y = (m - 1) / (m + 1), power = y, sum = 0;

	for (int n = 1; n < 25; n += 2, power *= y * y)
		sum += power / n;
	return exponent + 2 * sum * M_LOG2E;
}

/* The more bytes, the higher: half of the strip for the most of any shape, by their logarithm. */
static double io_height(const struct timechart_shape *s, u64 most)
{
	const double half = TASK_HEIGHT / 2.0;

	return s->bytes ? MAX(half / 10, half * logarithm(s->bytes + 1) / logarithm(most + 1))
			: half / 10;
}

/* behind: where the one before it ends, in pixels; and this one. */
static void add_call(struct svg *v, const struct timechart_shape *s, unsigned int lane, u32 y,
		     u64 most, double *behind)
{
	unsigned int kind = lane % TIMECHART_IO_KINDS;
	bool failed = lane >= TIMECHART_IO_KINDS;
	u64 end = MIN(timechart_end(v->c, s), v->c->until);
	double x = MAX(x_of(v, s->from), *behind), height = TASK_HEIGHT / 10.0;

	*behind = MAX(*behind, x_of(v, end));
	if (io_kinds[kind].counts && !failed)
		height = io_height(s, most);
	begin_rect(v, failed ? "error" : io_kinds[kind].class, x, *behind - x,
		   io_kinds[kind].upper ? y : y + TASK_HEIGHT - height, height);
	strbuf_addf(v->out, "><title>%s ", io_kinds[kind].verb);
	if (s->value != TIMECHART_SEVERAL)
		strbuf_addf(v->out, "fd=%u ", s->value);
	strbuf_addf(v->out, "error=%d merges=%u, ", s->error, s->nr - 1);
	if (io_kinds[kind].counts && !failed && !s->goes_on) {
		add_bytes(v->out, s->bytes);
		strbuf_adds(v->out, " in ");
	}
	add_time(v->out, s->times[0]);
	if (s->goes_on)
		strbuf_adds(v->out, ", goes on");
	add_stack(v, s->stack, "Called by");
	end_title(v, "rect");
}

static u64 most_bytes(const struct timechart *c)
{
	u64 most = 0;

	VEC_FOR(&c->shown, i)
		for (unsigned int lane = 0; lane < TIMECHART_IO_KINDS; lane++)
			VEC_FOR(&c->tasks.v[*i].lanes[lane], s)
				most = MAX(most, s->bytes);
	return most;
}

static void add_calls(struct svg *v, const struct timechart_row *row, u32 y, u64 most)
{
	begin_rect(v, "process3", x_of(v, row->from), x_of(v, row->until) - x_of(v, row->from), y,
		   TASK_HEIGHT);
	strbuf_adds(v->out, "/>\n");
	/* what waits is behind what is done meanwhile */
	for (unsigned int lane = TIMECHART_IO_LANES; lane-- > 0;) {
		double behind = 0;

		VEC_FOR(&row->lanes[lane], s)
			add_call(v, s, lane, y, most, &behind);
	}
}

/* ------------------------------------------------------------------ all of it */

static void add_task_label(struct svg *v, const struct timechart_row *row, u32 y)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s:%u (", row->name, row->number);
	if (v->c->io)
		add_bytes(&text, row->total);
	else
		strbuf_addf(&text, "%.1fms", (double)row->total / 1e6);
	strbuf_addch(&text, ')');
	add_label(v, x_of(v, row->from), y, &text);
}

static void add_tasks(struct svg *v)
{
	const struct timechart *c = v->c;
	u64 most = c->io ? most_bytes(c) : 0;

	for (u32 i = 0; i < c->shown.nr; i++) {
		const struct timechart_row *row = &c->tasks.v[c->shown.v[i]];

		if (c->io)
			add_calls(v, row, task_y(v, i), most);
		else
			add_task(v, row, task_y(v, i));
	}
	VEC_FOR(&c->wakes, w)
		add_wake(v, w);
	for (u32 i = 0; i < c->shown.nr; i++)
		add_task_label(v, &c->tasks.v[c->shown.v[i]], task_y(v, i));
}

void timechart_add_svg(struct strbuf *out, const struct timechart_drawing *d)
{
	const struct timechart *c = d->chart;
	_cleanup_(mem_freep) u32 *slot_of = xcalloc(c->tasks.nr + 1, sizeof(*slot_of));
	struct svg v = { .d = d, .c = c, .out = out, .slot_of = slot_of };

	for (u32 i = 0; i < c->shown.nr; i++)
		slot_of[c->shown.v[i]] = i + 1;
	v.scale = d->width / (double)MAX(c->until - c->from, (u64)1);
	v.first_task = c->io ? SLOT : SLOT * (2 * (u32)c->cpu_order.nr + 2);
	v.height = task_y(&v, (u32)c->shown.nr) + (c->io || has_remark(c) ? SLOT : 0);
	strbuf_addf(out,
		    "<?xml version=\"1.0\" standalone=\"no\"?>\n"
		    "<!DOCTYPE svg SYSTEM \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n"
		    "<svg width=\"%u\" height=\"%u\" version=\"1.1\" "
		    "xmlns=\"http://www.w3.org/2000/svg\">\n",
		    d->width, v.height);
	strbuf_adds(out, "<desc>perf timechart of ");
	xml_add_text(out, c->recording);
	strbuf_addf(out, ": %llu ns, %llu spans", (unsigned long long)(c->until - c->from),
		    (unsigned long long)c->nr_spans);
	strbuf_adds(out, "</desc>\n");
	strbuf_adds(out, style);
	begin_rect(&v, "page", 0, d->width, 0, v.height);
	strbuf_adds(out, "/>\n");
	add_ticks(&v);
	add_legend(&v);
	add_cpus(&v);
	add_tasks(&v);
	add_remark(&v);
	strbuf_adds(out, "</svg>\n");
	d->flush(d->ctx, out);
}
