/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched top: how long tasks of the running machine wait for a CPU, again and again. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "cmd/sched/sched.h"
#include "cmd/watching.h"

/* How late an event may come; of the screen: lines that are no rows, and rows of what is no screen.
 */
enum { HEAD_LINES = 4, USUAL_ENTRIES = 20, NAME_WIDTH = 24 };

struct sched_top {
	const struct sched_opts *o;
	struct sampling sampling;
	struct session *session;
	struct sched_latency *latency;
	struct latency_order order;
	u64 began; /* of this lap, ns on the events' clock */
	u64 since; /* the same on this program's; 0 = not yet */
	int laps;
	u64 lost; /* events, until the lap before */
	bool screen;
};

/* ------------------------------------------------------------------ a lap's text */

static size_t nr_entries(const struct sched_top *t)
{
	struct winsize w;

	if (t->o->entries > 0)
		return (size_t)t->o->entries;
	if (!t->screen || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || w.ws_row <= HEAD_LINES + 1)
		return USUAL_ENTRIES;
	return w.ws_row - HEAD_LINES - 1U;
}

static double ms(u64 ns)
{
	return (double)ns / 1e6;
}

static double share(u64 ns, u64 of)
{
	return of ? 100.0 * (double)ns / (double)of : 0;
}

static void add_row(struct strbuf *out, const struct sched_top *t,
		    const struct sched_latency_row *r, u64 length)
{
	size_t from = out->len;

	strbuf_adds(out, "  ");
	sched_add_task(out, sched_latency_tasks(t->latency), r);
	strbuf_pad_from(out, from, NAME_WIDTH + 2);
	strbuf_addf(out, "  %7.2f%% %9llu %12.3f %12.3f ", share(r->runtime, length),
		    (unsigned long long)r->switches,
		    r->switches ? ms(r->delay) / (double)r->switches : 0, ms(r->max_delay));
	if (r->waits)
		strbuf_addf(out, "%12.3f\n", ms(r->waits));
	else
		strbuf_addf(out, "%12s\n", "-");
}

static void add_text(struct strbuf *out, const struct sched_top *t,
		     const struct sched_latency_row *rows, size_t nr, u64 length)
{
	struct sched_latency_totals n = sched_latency_totals(t->latency);
	u64 lost = session_stats(t->session)->lost_events - t->lost;

	if (t->screen)
		strbuf_adds(out, "\033[H\033[J");
	strbuf_addf(out, "%.3f s, %llu switches, %llu wake-ups", (double)length / 1e9,
		    (unsigned long long)n.switches, (unsigned long long)n.wakeups);
	if (lost)
		strbuf_addf(out, ", %llu events were lost (-m makes larger buffers)",
			    (unsigned long long)lost);
	strbuf_addf(out, "\n\n  %-*s  %8s %9s %12s %12s %12s\n", NAME_WIDTH, "Task", "CPU",
		    "Switches", "Avg delay ms", "Max delay ms", "Waits now ms");
	for (size_t i = 0; i < MIN(nr, nr_entries(t)); i++)
		add_row(out, t, &rows[i], length);
	if (!t->screen)
		strbuf_addch(out, '\n');
}

static void add_json(struct strbuf *out, const struct sched_top *t,
		     const struct sched_latency_row *rows, size_t nr, u64 until, u64 length)
{
	const struct tasks *tasks = sched_latency_tasks(t->latency);
	struct sched_latency_totals n = sched_latency_totals(t->latency);
	struct json j;
	char buf[16];

	json_init(&j, out);
	json_object(&j, NULL, JSON_TIGHT);
	json_string(&j, "schema", "perf sched top");
	json_u64(&j, "version", 1);
	json_u64(&j, "time_ns", until);
	json_u64(&j, "length_ns", length);
	json_u64(&j, "switches", n.switches);
	json_u64(&j, "wakeups", n.wakeups);
	json_u64(&j, "lost", session_stats(t->session)->lost_events - t->lost);
	json_array(&j, "tasks", JSON_TIGHT);
	for (size_t i = 0; i < (t->o->entries > 0 ? MIN(nr, (size_t)t->o->entries) : nr); i++) {
		const struct sched_latency_row *r = &rows[i];

		json_object(&j, NULL, JSON_TIGHT);
		json_string(&j, "comm", tasks_comm(tasks, r->task, buf));
		json_u64(&j, "nr_tasks", r->nr_tasks);
		if (r->nr_tasks == 1)
			json_u64(&j, "tid", tasks->v.v[r->task].tid);
		json_u64(&j, "runtime_ns", r->runtime);
		json_u64(&j, "switches", r->switches);
		json_u64(&j, "delay_ns", r->delay);
		json_u64(&j, "max_delay_ns", r->max_delay);
		json_u64(&j, "waits_ns", r->waits);
		json_end(&j);
	}
	json_end(&j);
	json_end(&j);
	strbuf_addch(out, '\n');
}

/* ------------------------------------------------------------------ laps */
static bool end_lap(struct sched_top *t, u64 until, u64 length)
{
	struct strbuf out = STRBUF_INIT;
	struct sched_latency_row *rows;
	bool written;
	size_t nr;

	sched_latency_end_lap(t->latency, until);
	nr = sched_latency_rows(t->latency, t->o->by_name, &rows);
	t->order.tasks = sched_latency_tasks(t->latency);
	sched_sort_latencies(rows, nr, &t->order);
	if (t->o->json)
		add_json(&out, t, rows, nr, until, length);
	else
		add_text(&out, t, rows, nr, length);
	free(rows);
	written = fwrite(out.buf, 1, out.len, stdout) == out.len && !fflush(stdout);
	strbuf_release(&out);
	sched_latency_begin_lap(t->latency);
	t->lost = session_stats(t->session)->lost_events;
	t->laps++;
	return written && (t->o->laps <= 0 || t->laps < t->o->laps);
}

/* CPUs (-C) may be quiet for long, so that the time of events says nothing about a lap's end. */
static bool on_round(void *ctx, u64 until)
{
	struct sched_top *t = ctx;
	u64 now = clock_now(), end = MAX(until, t->began);
	bool on = true;

	/* what was before the first round is not known whole */
	if (!t->since)
		sched_latency_begin_lap(t->latency);
	else if (now - t->since < (u64)t->o->delay * 1000000000)
		return true;
	else /* events come later than they happen, at times by less than in the lap before */
		on = end_lap(t, end, MAX(end - t->began, now - t->since));
	t->began = end;
	t->since = now;
	return on;
}

static int run(void *ctx, struct capture *c UNUSED, struct source *live, struct err *e)
{
	struct sched_top *t = ctx;
	struct session_opts so = { .source = live };
	struct sched_latency_opts lo = { .on_round = on_round, .ctx = t };
	int ret;

	if (session_open(&t->session, &so, e) < 0)
		return -1;
	ret = sched_latency_new(&t->latency, t->session, &lo, e);
	if (!ret)
		ret = sched_latency_run(t->latency, e);
	if (live_wait(live, e) < 0)
		ret = -1;
	sched_latency_free(t->latency);
	session_close(t->session);
	return ret;
}

/* ------------------------------------------------------------------ the events */

static int watch_machine(struct sched_top *t, const char *const *line)
{
	const struct watched_tracepoints events = {
		.command = "perf sched top",
		.names = { "sched:sched_switch", "sched:sched_waking", "sched:sched_wakeup_new" },
		.pages = t->o->pages,
	};
	struct watching w = {
		.sampling = &t->sampling, .line = line, .tee_fd = -1, .run = run, .ctx = t
	};

	t->sampling.system_wide = true;
	t->sampling.cpus = t->o->cpus;
	return watch_tracepoints(&w, &events) ? SCHED_FAILED : 0;
}

int sched_top_main(const struct config *config, struct sched_opts *o, const char *const *line)
{
	struct sched_top t = { .o = o, .screen = !o->json && isatty(STDOUT_FILENO) };
	struct err e = ERR_INIT;
	int ret;

	if (o->delay <= 0)
		return opts_usage_error(sched_top_table, sched_top_usage, "delay",
					" Error: the delay is a number of seconds\n");
	if (sched_parse_sort(o->sort ? o->sort : "max,wait,runtime", true, &t.order, &e))
		return opts_usage_error(sched_top_table, sched_top_usage, NULL, "%s\n", e.text);
	t.order.names = o->by_name;
	event_args_init(&t.sampling.env, config);
	event_list_init(&t.sampling.events);
	signal(SIGPIPE, SIG_IGN);
	ret = watch_machine(&t, line);
	sampling_release(&t.sampling);
	return ret;
}
