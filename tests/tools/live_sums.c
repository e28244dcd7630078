/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_sums: one consumer for the running machine and for recordings, to compare the two: samples
 * by command, object, symbol and callers, as agg accumulates them; live with a snapshot of them each
 * second, as a top takes one.
 *
 *	live_sums [-a | -C CPUS | -p PIDS | -t TIDS] [-e EVENT] [-F HZ] [-g MODE] [-r MS] [-m PAGES]
 *		  [-s SECONDS] [-S BYTES] [-T FILE] [-D] [-o] [COMMAND [ARG]...]
 *	live_sums -L [-a | ...] -e EVENT... -c 1 [-T FILE] [COMMAND [ARG]...]
 *	live_sums -i FILE [-o | -L | -H [-I]]
 *
 * -T FILE: a copy of the stream goes there. -S BYTES: session_opts.renew_slack. -D: sums decay as in a top, and once a second a line
 * tells how much memory is used. -o: by an ordered consumer, which checks the order. -L: the
 * analyser of perf sched latency in place of these; -H: that of perf sched timehist, with stacks; -I: as
 * that has it. Sums go to standard output, the last line of
 * standard error tells of losses.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "agg/snapshot.h"
#include "analyze/sched_latency.h"
#include "analyze/sched_timehist.h"
#include "capture/attr.h"
#include "dso/dso.h"
#include "live/live.h"
#include "session/session.h"
#include "sys/end_signals.h"
#include "text/chain_lines.h"

struct options {
	const char *event, *cpus, *pids, *tids, *input, *tee;
	struct capture_config cfg;
	u64 seconds, slack;
	bool everywhere, decay, ordered, latency, timehist, idle;
	const char *const *command;
};

struct watcher {
	const struct options *o;
	struct session *session;
	struct agg *agg;
	u64 rounds, inversions, worst_inversion, last_time, worst_delay, delays, nr_delays;
	u64 begun, second; /* ns, s */
	bool over;
};

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/* ------------------------------------------------------------------ sums */

static const char *const key_names[] = { "comm", "dso", "symbol" };

/* The first nr keys. */
static struct agg_config config_of(size_t nr)
{
	struct agg_config c = { .nr_keys = nr, .nr_sort = 2, .socket = -1, .time_quantum = 1 };

	for (size_t k = 0; k < nr; k++)
		c.keys[k] = agg_key_find(key_names[k], strlen(key_names[k]));
	c.sort[0] = (struct agg_sort){ .index = AGG_OVERHEAD };
	c.sort[1] = (struct agg_sort){ .is_key = true };
	return c;
}

/* NULL: told. */
static struct agg *rows_of(const struct snapshot *s, const struct agg_config *c)
{
	struct err e = ERR_INIT;
	struct agg *rows = NULL;

	if (snapshot_rows(&rows, s, c, &e) < 0)
		fprintf(stderr, "error: %s\n", e.text);
	return rows;
}

static bool on_samples(void *ctx, struct session_worker *w, unsigned int worker,
		       const struct session_record *r, size_t nr)
{
	return agg_samples(((struct watcher *)ctx)->agg, w, worker, r, nr);
}

static bool on_record(void *ctx, struct session_worker *w, unsigned int worker,
		      const struct session_record *r, struct strbuf *out UNUSED)
{
	struct watcher *t = ctx;
	u64 now = t->o->input ? 0 : now_ns();

	if (r->time < t->last_time) {
		t->inversions++;
		t->worst_inversion = MAX(t->worst_inversion, t->last_time - r->time);
	}
	t->last_time = r->time;
	if (now > r->time && r->time) {
		t->worst_delay = MAX(t->worst_delay, now - r->time);
		t->delays += now - r->time;
		t->nr_delays++;
	}
	return agg_samples(t->agg, w, worker, r, 1);
}

/* ------------------------------------------------------------------ rounds */

static u64 rss_kb(void)
{
	unsigned long long size, pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f) {
		(void)!fscanf(f, "%llu %llu", &size, &pages);
		fclose(f);
	}
	return pages * (u64)sysconf(_SC_PAGESIZE) / 1024;
}

static void tell_memory(const struct watcher *t, u64 rows)
{
	const struct session_stats *st = session_stats(t->session);
	struct mallinfo2 heap = mallinfo2();
	struct timespec cpu;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	fprintf(stderr,
		"%4llu s: %llu KB, %llu samples, %llu rows, %u threads, %u objects, %u with symbols, %llu renewals, %llu "
		"lost, %llu late, %zu KB of heap, %.2f s of CPU\n",
		(unsigned long long)t->second, (unsigned long long)rss_kb(),
		(unsigned long long)st->nr_samples, (unsigned long long)rows,
		model_nr_threads(session_model(t->session)),
		dso_table_count(session_dsos(t->session)), st->objects_loaded,
		(unsigned long long)st->renewals,
		(unsigned long long)st->lost_events, (unsigned long long)st->out_of_order,
		(heap.uordblks + heap.hblkhd) / 1024,
		(double)cpu.tv_sec + (double)cpu.tv_nsec / 1e9);
}

/* What a top does once a second. */
static void refresh(struct watcher *t)
{
	const struct agg_config c = config_of(ARRAY_SIZE(key_names));
	struct snapshot *s = snapshot_take(t->agg);
	struct agg *rows = rows_of(s, &c);

	if (rows && t->o->decay)
		tell_memory(t, snapshot_size(s).rows);
	agg_free(rows);
	snapshot_free(s);
	if (t->o->decay)
		agg_decay(t->agg, 1, 8);
}

static bool on_round(void *ctx, const struct session_round *r UNUSED)
{
	struct watcher *t = ctx;
	u64 second = (now_ns() - t->begun) / 1000000000;

	t->rounds++;
	if (t->o->input || second == t->second)
		return true;
	t->second = second;
	refresh(t);
	t->over = t->o->seconds && second >= t->o->seconds;
	return !t->over;
}

static void on_renew(void *ctx, struct session_renewal *r)
{
	agg_renew(((struct watcher *)ctx)->agg, r, NULL, 0);
}

/* ------------------------------------------------------------------ text */

struct line {
	char *text;
	u64 period, samples, callees;
};

VEC_TYPE(line_vec, struct line);

static int by_text(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* Rows by command, object and symbol, with what they call. */
static void add_rows(struct line_vec *lines, const struct snapshot *s)
{
	struct agg_config c = config_of(ARRAY_SIZE(key_names));
	struct agg *rows;

	c.chains = c.children = true;
	rows = rows_of(s, &c);
	for (size_t i = 0; rows && i < agg_nr_sections(rows); i++) {
		const struct agg_section *v = agg_section(rows, i);

		for (size_t r = 0; r < v->nr_rows; r++) {
			struct agg_sums sums = agg_sums_of(rows, v->rows[r], 0);
			struct strbuf text = STRBUF_INIT;

			for (size_t k = 0; k < c.nr_keys; k++) {
				agg_add_name(rows, k, v->rows[r], &text);
				strbuf_adds(&text, ";");
			}
			*VEC_PUSH(lines) = (struct line){ strbuf_detach(&text), sums.period,
							  sums.nr, sums.acc };
		}
	}
	agg_free(rows);
}

static void add_node(struct line_vec *lines, const struct view_tree *t, u32 node,
		     struct strbuf *path)
{
	const struct view_node *n = &t->nodes.v[node];
	size_t len = path->len;

	for (u32 i = 0; i < n->nr_labels; i++)
		strbuf_addf(path, ";%s", t->labels.v[n->labels + i].text);
	if (n->self_count)
		*VEC_PUSH(lines) = (struct line){ xstrdup(path->buf), n->self, n->self_count, 0 };
	for (u32 c = n->child; c; c = t->nodes.v[c].next)
		add_node(lines, t, c, path);
	path->len = len;
	path->buf[len] = '\0';
}

/* Chains of commands, the innermost first. */
static void add_chains(struct line_vec *lines, const struct snapshot *s)
{
	struct agg_config c = config_of(1);
	struct agg *rows;

	c.chains = c.graphs = true;
	rows = rows_of(s, &c);
	for (size_t i = 0; rows && i < agg_nr_sections(rows); i++) {
		const struct agg_section *v = agg_section(rows, i);
		const struct calltree_opts o = { .total = v->period[0] };

		agg_collect_chains(rows, v->rows, v->nr_rows, 0);
		for (size_t r = 0; r < v->nr_rows; r++) {
			struct strbuf path = STRBUF_INIT;
			struct view_tree tree = { 0 };

			agg_add_name(rows, 0, v->rows[r], &path);
			if (agg_calltree(rows, v->rows[r], &o, &tree))
				add_node(lines, &tree, 0, &path);
			view_tree_release(&tree);
			strbuf_release(&path);
		}
	}
	agg_free(rows);
}

static void print_sums(struct watcher *t)
{
	struct snapshot *s = snapshot_take(t->agg);
	struct line_vec lines = { 0 };
	struct line *last = NULL;

	add_rows(&lines, s);
	add_chains(&lines, s);
	if (lines.nr)
		VEC_SORT(&lines, by_text);
	VEC_FOR(&lines, l) {
		if (last && !strcmp(last->text, l->text)) {
			last->period += l->period;
			last->samples += l->samples;
			last->callees += l->callees;
			l->samples = l->callees = 0;
		} else {
			last = l;
		}
	}
	VEC_FOR(&lines, l) {
		if (l->samples || l->callees)
			printf("%llu %llu %s %llu\n", (unsigned long long)l->samples,
			       (unsigned long long)l->period, l->text,
			       (unsigned long long)l->callees);
		free(l->text);
	}
	vec_free(&lines);
	snapshot_free(s);
}

/* ------------------------------------------------------------------ what is watched */

static int fail(const struct err *e)
{
	fprintf(stderr, "error: %s\n", e->text);
	return 1;
}

static void print_losses(const struct watcher *t)
{
	const struct session_stats *st = session_stats(t->session);

	fprintf(stderr,
		"samples %llu lost %llu bad %llu late %llu rounds %llu renewals %llu inversions %llu "
		"delay-ms %llu mean-ms %llu worst-inversion-us %llu\n",
		(unsigned long long)st->nr_samples, (unsigned long long)st->lost_events,
		(unsigned long long)st->bad_samples, (unsigned long long)st->out_of_order,
		(unsigned long long)t->rounds, (unsigned long long)st->renewals,
		(unsigned long long)t->inversions, (unsigned long long)t->worst_delay / 1000000,
		(unsigned long long)(t->delays / 1000000 / MAX(t->nr_delays, (u64)1)),
		(unsigned long long)t->worst_inversion / 1000);
}

static void print_latency(const struct sched_latency *l)
{
	const struct sched_latency_totals totals = sched_latency_totals(l);
	const struct tasks *tasks = sched_latency_tasks(l);
	struct sched_latency_row *rows;
	size_t nr = sched_latency_rows(l, false, &rows);

	for (size_t i = 0; i < nr; i++) {
		const struct sched_latency_row *r = &rows[i];
		char buf[16];

		printf("%s:%u %llu %llu %llu %llu %llu %llu\n", tasks_comm(tasks, r->task, buf),
		       tasks->v.v[r->task].tid, (unsigned long long)r->runtime,
		       (unsigned long long)r->switches, (unsigned long long)r->delay,
		       (unsigned long long)r->max_delay, (unsigned long long)r->max_start,
		       (unsigned long long)r->max_end);
	}
	free(rows);
	printf("wakeups %llu unordered %llu bugs %llu backwards %llu lost %llu\n",
	       (unsigned long long)totals.wakeups, (unsigned long long)totals.unordered,
	       (unsigned long long)totals.switch_bugs,
	       (unsigned long long)totals.switches_backwards,
	       (unsigned long long)totals.lost_events);
}

static int watch_latency(struct watcher *t, const struct session_opts *so, struct source *live)
{
	const struct sched_latency_opts lo = { .migrations = true };
	struct sched_latency *l = NULL;
	struct err e = ERR_INIT;
	int r = 0;

	if (session_open(&t->session, so, &e) < 0)
		return fail(&e);
	if (sched_latency_new(&l, t->session, &lo, &e) || sched_latency_run(l, &e) ||
	    (live && live_wait(live, &e)))
		r = fail(&e);
	if (l)
		print_latency(l);
	print_losses(t);
	sched_latency_free(l);
	session_close(t->session);
	return r;
}

/* -H: what is printed at once, and what is kept to the end. */
struct switch_printer {
	struct sched_timehist *h;
	struct chain_lines *lines;
	struct strbuf text;
};

static void on_switch(void *ctx, const struct timehist_switch *s)
{
	struct switch_printer *p = ctx;

	strbuf_addf(&p->text, "%llu %u %llu ", (unsigned long long)s->time, s->cpu,
		    (unsigned long long)s->run);
	chain_lines_add(p->lines, s->chain, &p->text);
	strbuf_addch(&p->text, '\n');
}

static void on_renewed_chains(void *ctx)
{
	chain_lines_forget(((struct switch_printer *)ctx)->lines);
}

static void print_idle(struct switch_printer *p)
{
	for (u32 cpu = 0; cpu < sched_timehist_cpus(p->h); cpu++) {
		struct timehist_idle idle = sched_timehist_idle(p->h, cpu);

		for (size_t i = 0; i < idle.nr_chains; i++) {
			strbuf_addf(&p->text, "cpu %u: %llu %llu ", cpu,
				    (unsigned long long)idle.chains[i].time,
				    (unsigned long long)idle.chains[i].nr);
			chain_lines_add(p->lines, idle.chains[i].chain, &p->text);
			strbuf_addch(&p->text, '\n');
		}
	}
	fputs(p->text.buf, stdout);
}

static int watch_timehist(struct watcher *t, const struct session_opts *so, struct source *live)
{
	struct switch_printer p = { .text = STRBUF_INIT };
	const struct sched_timehist_opts ho = {
		.idle = t->o->idle, .chains = true, .on_switch = on_switch, .on_renew = on_renewed_chains, .ctx = &p
	};
	struct err e = ERR_INIT;
	int r = 0;

	if (session_open(&t->session, so, &e) < 0)
		return fail(&e);
	p.lines = chain_lines_new(
		&(struct chain_lines_opts){ .session = t->session, .between = ";" });
	if (sched_timehist_new(&p.h, t->session, &ho, &e) || sched_timehist_run(p.h, &e) ||
	    (live && live_wait(live, &e)))
		r = fail(&e);
	else
		print_idle(&p);
	print_losses(t);
	sched_timehist_free(p.h);
	chain_lines_free(p.lines);
	strbuf_release(&p.text);
	session_close(t->session);
	return r;
}

static int watch(struct watcher *t, const struct session_opts *so, struct source *live)
{
	struct session_consumer c = {
		.ctx = t, .samples = on_samples, .round = on_round, .renew = on_renew
	};
	struct agg_config keys = config_of(ARRAY_SIZE(key_names));
	struct err e = ERR_INIT;
	int r = 0;

	if (t->o->latency)
		return watch_latency(t, so, live);
	if (t->o->timehist)
		return watch_timehist(t, so, live);
	if (t->o->ordered) {
		c.order = SESSION_ORDERED;
		c.samples = NULL;
		c.serial = true;
		c.record = on_record;
	}
	if (session_open(&t->session, so, &e) < 0)
		return fail(&e);
	keys.again = true;
	if (agg_new(&t->agg, t->session, &keys, &e) < 0)
		return fail(&e);
	t->begun = now_ns();
	if (session_run(t->session, &c, &e) < 0)
		r = fail(&e);
	if (live && live_wait(live, &e) < 0 && !t->over)
		r = fail(&e);
	print_sums(t);
	print_losses(t);
	agg_free(t->agg);
	session_close(t->session);
	return r;
}

static int choose_target(const struct options *o, struct capture_target *target,
			 struct workload *workload, struct err *e)
{
	target->cpu_wide = o->everywhere || o->cpus;
	if (capture_target_cpus(target, o->cpus, e) < 0 ||
	    (o->pids && capture_target_pids(target, o->pids, e) < 0) ||
	    (o->tids && capture_target_tids(target, o->tids, e) < 0))
		return -1;
	target->by_pid = o->pids != NULL;
	target->by_tid = o->tids != NULL;
	if (!o->command)
		return 0;
	if (workload_fork(workload, o->command, false, e) < 0)
		return -1;
	if (!target->cpu_wide && !o->pids && !o->tids) {
		*VEC_PUSH(&target->tasks) = workload->pid;
		target->workload = true;
	}
	return 0;
}

static int watch_machine(struct watcher *t, struct options *o)
{
	static const char *const argv[] = { "live_sums", NULL };
	static const struct event_env env = { 0 };
	struct capture_target target = { 0 };
	struct workload workload = { 0 };
	struct event_list events;
	struct event_error ee;
	struct capture_opts co = { .cfg = &o->cfg,
				   .events = &events,
				   .target = &target,
				   .workload = o->command ? &workload : NULL,
				   .version = "7.0.0",
				   .argv = argv };
	struct live_opts lo = { .tee_fd = -1 };
	struct session_opts so = { .renew_slack = o->slack };
	struct held_signals held;
	struct strbuf why = STRBUF_INIT;
	struct err e = ERR_INIT;
	int r = 1;

	event_list_init(&events);
	if (event_parse(&events, o->event, &env, &ee) < 0) {
		fprintf(stderr, "error: %s\n", ee.text);
		goto out;
	}
	if (choose_target(o, &target, &workload, &e) < 0)
		goto failed;
	held_signals_begin(&held, 0);
	co.tracking = capture_configure(&events, &o->cfg, &target);
	lo.capture = capture_new(&co);
	if (o->tee)
		lo.tee_fd = open(o->tee, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (capture_prepare(lo.capture, &why, &e) < 0 || live_open(&so.source, &lo, &e) < 0)
		goto failed;
	r = watch(t, &so, so.source);
	goto out;
failed:
	fail(&e);
out:
	workload_stop(&workload);
	capture_free(lo.capture);
	capture_target_release(&target);
	event_list_release(&events);
	strbuf_release(&why);
	mem_closep(&lo.tee_fd);
	return r;
}

static bool parse(struct options *o, int argc, char **argv)
{
	struct err e = ERR_INIT;
	int c;

	while ((c = getopt(argc, argv, "+aC:p:t:e:F:c:g:r:m:s:S:T:i:DoLHI")) > 0) {
		switch (c) {
		case 'a':
			o->everywhere = true;
			break;
		case 'C':
			o->cpus = optarg;
			break;
		case 'p':
			o->pids = optarg;
			break;
		case 't':
			o->tids = optarg;
			break;
		case 'e':
			o->event = optarg;
			break;
		case 'F':
			o->cfg.freq = strtoull(optarg, NULL, 10);
			break;
		case 'c':
			o->cfg.period = strtoull(optarg, NULL, 10);
			break;
		case 'g':
			if (event_stacks_parse(optarg, &o->cfg.callgraph, &e) < 0)
				return false;
			break;
		case 'r':
			o->cfg.round_ms = strtoull(optarg, NULL, 10);
			break;
		case 'm':
			o->cfg.mmap_pages = (u32)strtoul(optarg, NULL, 10);
			break;
		case 's':
			o->seconds = strtoull(optarg, NULL, 10);
			break;
		case 'S':
			o->slack = strtoull(optarg, NULL, 10);
			break;
		case 'T':
			o->tee = optarg;
			break;
		case 'i':
			o->input = optarg;
			break;
		case 'D':
			o->decay = true;
			break;
		case 'o':
			o->ordered = true;
			break;
		case 'L':
			o->latency = true;
			break;
		case 'H':
			o->timehist = true;
			break;
		case 'I':
			o->idle = true;
			break;
		default:
			return false;
		}
	}
	o->command = optind < argc ? (const char *const *)argv + optind : NULL;
	return true;
}

int main(int argc, char **argv)
{
	struct options o = { .event = "cpu-clock",
			     .cfg = { .freq = 999,
				      .rate_given = true,
				      .synth = CAPTURE_SYNTH_ALL,
				      .to_pipe = true,
				      .round_ms = 100,
				      .build_ids = true,
				      .use_clockid = true,
				      .clockid = CLOCK_MONOTONIC } };
	struct watcher t = { .o = &o };

	if (!parse(&o, argc, argv))
		return 129;
	signal(SIGPIPE, SIG_IGN);
	if (o.input) {
		struct session_opts so = { .input = { .path = o.input } };

		return watch(&t, &so, NULL);
	}
	return watch_machine(&t, &o);
}
