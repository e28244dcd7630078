/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_sums: one consumer for the running machine and for recordings, to compare the two: samples
 * by command, object, symbol and callers.
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

#include "analyze/sched_latency.h"
#include "analyze/sched_timehist.h"
#include "base/hash.h"
#include "base/map.h"
#include "capture/attr.h"
#include "dso/dso.h"
#include "live/live.h"
#include "session/session.h"
#include "sys/end_signals.h"
#include "text/chain_lines.h"

struct key {
	str_id comm;
	frame_id frame;
	chain_id chain;
};

struct sum {
	struct key key;
	u64 period, samples;
};

/* Of one worker. */
struct sums {
	struct map map;
	VEC(struct sum) v;
};

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
	struct sums *sums; /* by worker */
	unsigned int nr;
	u64 rounds, inversions, last_time, worst_delay, delays, nr_delays;
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

static struct sum *sum_of(struct sums *s, const struct key *k)
{
	u64 hash = hash_bytes(k, sizeof(*k), 0);
	u32 i;

	for (struct map_probe p = map_first(&s->map, hash); map_next(&s->map, &p, &i);)
		if (!memcmp(&s->v.v[i].key, k, sizeof(*k)))
			return &s->v.v[i];
	map_add(&s->map, hash, (u32)s->v.nr);
	*VEC_PUSH(&s->v) = (struct sum){ .key = *k };
	return VEC_LAST(&s->v);
}

static void add_sample(struct watcher *t, struct session_worker *w, unsigned int worker,
		       const struct session_record *r)
{
	struct key k = { .comm = r->site.comm };
	struct sum *sum;

	k.frame = session_frame(w, &r->site, r->sample->cpumode, r->sample->ip);
	k.chain = session_chain(w, &r->site, r->sample);
	sum = sum_of(&t->sums[worker], &k);
	sum->period += r->sample->period;
	sum->samples++;
}

static bool on_sample(void *ctx, struct session_worker *w, unsigned int worker,
		      const struct session_record *r)
{
	add_sample(ctx, w, worker, r);
	return true;
}

static bool on_record(void *ctx, struct session_worker *w, unsigned int worker,
		      const struct session_record *r, struct strbuf *out UNUSED)
{
	struct watcher *t = ctx;
	u64 now = t->o->input ? 0 : now_ns();

	t->inversions += r->time < t->last_time;
	t->last_time = r->time;
	if (now > r->time && r->time) {
		t->worst_delay = MAX(t->worst_delay, now - r->time);
		t->delays += now - r->time;
		t->nr_delays++;
	}
	add_sample(t, w, worker, r);
	return true;
}

/* ------------------------------------------------------------------ rounds */

static void replace(struct sums *s, struct sums *by)
{
	map_release(&s->map);
	vec_free(&s->v);
	*s = *by;
}

/* Half of everything, and what is nothing then is forgotten. */
static void decay(struct sums *s)
{
	struct sums left = { 0 };

	VEC_FOR(&s->v, sum) {
		if (sum->samples < 2)
			continue;
		*sum_of(&left, &sum->key) = (struct sum){ sum->key, sum->period / 2,
							  sum->samples / 2 };
	}
	replace(s, &left);
}

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

static void tell_memory(const struct watcher *t)
{
	const struct session_stats *st = session_stats(t->session);
	struct mallinfo2 heap = mallinfo2();
	struct timespec cpu;
	u64 rows = 0;

	for (unsigned int i = 0; i < t->nr; i++)
		rows += t->sums[i].v.nr;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	fprintf(stderr,
		"%4llu s: %llu KB, %llu samples, %llu rows, %u threads, %u objects, %llu renewals, %llu "
		"lost, %llu late, %zu KB of heap, %.2f s of CPU\n",
		(unsigned long long)t->second, (unsigned long long)rss_kb(),
		(unsigned long long)st->nr_samples, (unsigned long long)rows,
		model_nr_threads(session_model(t->session)),
		dso_table_count(session_dsos(t->session)), (unsigned long long)st->renewals,
		(unsigned long long)st->lost_events, (unsigned long long)st->out_of_order,
		(heap.uordblks + heap.hblkhd) / 1024,
		(double)cpu.tv_sec + (double)cpu.tv_nsec / 1e9);
}

static bool on_round(void *ctx, const struct session_round *r UNUSED)
{
	struct watcher *t = ctx;
	u64 second = (now_ns() - t->begun) / 1000000000;

	t->rounds++;
	if (t->o->input || second == t->second)
		return true;
	t->second = second;
	for (unsigned int i = 0; t->o->decay && i < t->nr; i++)
		decay(&t->sums[i]);
	if (t->o->decay)
		tell_memory(t);
	t->over = t->o->seconds && second >= t->o->seconds;
	return !t->over;
}

static void on_renew(void *ctx, struct session_renewal *r)
{
	struct watcher *t = ctx;

	for (unsigned int i = 0; i < t->nr; i++) {
		struct sums left = { 0 };

		VEC_FOR(&t->sums[i].v, sum) {
			struct key k = { .comm = session_renewed_name(r, sum->key.comm),
					 .frame = session_renewed_frame(r, sum->key.frame),
					 .chain = session_renewed_chain(r, sum->key.chain) };
			struct sum *to = sum_of(&left, &k);

			to->period += sum->period;
			to->samples += sum->samples;
		}
		replace(&t->sums[i], &left);
	}
}

/* ------------------------------------------------------------------ text */

static void add_frame(struct strbuf *out, struct session *s, frame_id id)
{
	const struct frame *f = session_frame_get(s, id);
	struct dso *d = dso_table_get(session_dsos(s), f->dso);

	strbuf_addf(out, "%s ", d ? dso_short_name(d) : "[unknown]");
	if (f->inlined)
		strbuf_addf(out, "%s", f->inlined);
	else if (f->sym != SYM_NONE)
		strbuf_addf(out, "%s", symtab_name(dso_symtab(d), f->sym));
	else
		strbuf_addf(out, "%#llx", (unsigned long long)f->addr);
}

static char *text_of(struct session *s, const struct key *k)
{
	struct strbuf out = STRBUF_INIT;
	size_t nr;
	const frame_id *frames = session_chain_frames(s, k->chain, &nr);

	strbuf_addf(&out, "%s;", model_str(session_model(s), k->comm));
	add_frame(&out, s, k->frame);
	for (size_t i = 0; i < nr; i++) {
		strbuf_adds(&out, ";");
		add_frame(&out, s, frames[i]);
	}
	return strbuf_detach(&out);
}

struct line {
	char *text;
	u64 period, samples;
};

static int by_text(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static void print_sums(struct watcher *t)
{
	VEC(struct line) lines = { 0 };
	struct line *last = NULL;

	for (unsigned int i = 0; i < t->nr; i++)
		VEC_FOR(&t->sums[i].v, sum)
			*VEC_PUSH(&lines) = (struct line){ text_of(t->session, &sum->key),
							   sum->period, sum->samples };
	if (lines.nr)
		VEC_SORT(&lines, by_text);
	VEC_FOR(&lines, l) {
		if (last && !strcmp(last->text, l->text)) {
			last->period += l->period;
			last->samples += l->samples;
			l->samples = 0;
		} else {
			last = l;
		}
	}
	VEC_FOR(&lines, l) {
		if (l->samples)
			printf("%llu %llu %s\n", (unsigned long long)l->samples,
			       (unsigned long long)l->period, l->text);
		free(l->text);
	}
	vec_free(&lines);
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
		"delay-ms %llu mean-ms %llu\n",
		(unsigned long long)st->nr_samples, (unsigned long long)st->lost_events,
		(unsigned long long)st->bad_samples, (unsigned long long)st->out_of_order,
		(unsigned long long)t->rounds, (unsigned long long)st->renewals,
		(unsigned long long)t->inversions, (unsigned long long)t->worst_delay / 1000000,
		(unsigned long long)(t->delays / 1000000 / MAX(t->nr_delays, (u64)1)));
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
		.ctx = t, .sample = on_sample, .round = on_round, .renew = on_renew
	};
	struct err e = ERR_INIT;
	int r = 0;

	if (t->o->latency)
		return watch_latency(t, so, live);
	if (t->o->timehist)
		return watch_timehist(t, so, live);
	if (t->o->ordered) {
		c.order = SESSION_ORDERED;
		c.serial = true;
		c.record = on_record;
	}
	if (session_open(&t->session, so, &e) < 0)
		return fail(&e);
	t->nr = session_workers(t->session);
	t->sums = XNEW_ARRAY(struct sums, t->nr);
	t->begun = now_ns();
	if (session_run(t->session, &c, &e) < 0)
		r = fail(&e);
	if (live && live_wait(live, &e) < 0 && !t->over)
		r = fail(&e);
	print_sums(t);
	print_losses(t);
	for (unsigned int i = 0; i < t->nr; i++)
		replace(&t->sums[i], &(struct sums){ 0 });
	free(t->sums);
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
