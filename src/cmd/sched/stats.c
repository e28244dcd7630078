/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched stats: the scheduler's own counters while a command ran, as /proc/schedstat has them.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyze/schedstat.h"
#include "base/fmt.h"
#include "base/rw.h"
#include "capture/features.h"
#include "capture/workload.h"
#include "cmd/row_form.h"
#include "cmd/sched/sched.h"
#include "perfdata/info.h"
#include "program/build_options.h"
#include "sys/end_signals.h"

enum { WIDTH = 100, NAME_COLUMNS = 65, MOST_FILES = 2 };

static const char counters_path[] = "/proc/schedstat";
static const char switch_path[] = "/proc/sys/kernel/sched_schedstats";

/* ------------------------------------------------------------------ rows */

struct stats_row {
	const char *name, *meaning; /* %s: the kind of balancing */
	int share_of; /* a CPU's: value that it is a part of, -1 = of none */
	bool rate; /* a domain's: how many jiffies from one to the next */
	u32 until, since; /* versions, 0 = all */
};

static const struct stats_row cpu_rows[SCHEDSTAT_CPU_VALUES] = {
	{ "yld_count", "sched_yield() count", -1 },
	{ "array_exp", "Legacy counter can be ignored", -1 },
	{ "sched_count", "schedule() called", -1 },
	{ "sched_goidle", "schedule() left the processor idle", STAT_SCHEDULES },
	{ "ttwu_count", "try_to_wake_up() was called", -1 },
	{ "ttwu_local", "try_to_wake_up() was called to wake up the local cpu", STAT_WAKEUPS },
	{ "rq_cpu_time", "total runtime by tasks on this processor (in jiffies)", -1 },
	{ "run_delay", "total waittime by tasks on this processor (in jiffies)", STAT_RUN_NS },
	{ "pcount", "total timeslices run on this cpu", -1 },
};

/* Of each kind of balancing. */
static const struct stats_row balance_rows[] = {
	{ "%s_lb_count", "load_balance() count on cpu %s", .rate = true },
	{ "%s_lb_balanced", "load_balance() found balanced on cpu %s", .rate = true },
	{ "%s_lb_failed", "load_balance() move task failed on cpu %s", .rate = true },
	{ "%s_lb_imbalance", "imbalance on cpu %s", .until = 16 },
	{ "%s_lb_imbalance_load", "imbalance in load on cpu %s", .since = 17 },
	{ "%s_lb_imbalance_util", "imbalance in utilization on cpu %s", .since = 17 },
	{ "%s_lb_imbalance_task", "imbalance in number of tasks on cpu %s", .since = 17 },
	{ "%s_lb_imbalance_misfit", "imbalance in misfit tasks on cpu %s", .since = 17 },
	{ "%s_lb_gained", "pull_task() count on cpu %s" },
	{ "%s_lb_hot_gained", "pull_task() when target task was cache-hot on cpu %s" },
	{ "%s_lb_nobusyq", "load_balance() failed to find busier queue on cpu %s", .rate = true },
	{ "%s_lb_nobusyg", "load_balance() failed to find busier group on cpu %s", .rate = true },
};
enum { LB_COUNT, LB_BALANCED, LB_FAILED };

static bool is_in_version(const struct stats_row *row, u32 version)
{
	return (!row->until || version <= row->until) && version >= row->since;
}

/* The kinds of balancing, in the order of their values. */
enum { NR_KINDS = 3 };
static const char *const *kinds_of(u32 version)
{
	/* in version 16 the first two changed places */
	static const char *const old_kinds[NR_KINDS] = { "idle", "busy", "newidle" };
	static const char *const kinds[NR_KINDS] = { "busy", "idle", "newidle" };

	return version < 16 ? old_kinds : kinds;
}

static const struct stats_part {
	const char *title;
	struct stats_row rows[3];
} domain_parts[] = {
	{ " <Category active_load_balance()> ",
	  { { "alb_count", "active_load_balance() count" },
	    { "alb_failed", "active_load_balance() move task failed" },
	    { "alb_pushed", "active_load_balance() successfully moved a task" } } },
	{ " <Category sched_balance_exec()> ",
	  { { "sbe_count", "sbe_count is not used" },
	    { "sbe_balanced", "sbe_balanced is not used" },
	    { "sbe_pushed", "sbe_pushed is not used" } } },
	{ " <Category sched_balance_fork()> ",
	  { { "sbf_count", "sbf_count is not used" },
	    { "sbf_balanced", "sbf_balanced is not used" },
	    { "sbf_pushed", "sbf_pushed is not used" } } },
	{ " <Wakeup Info> ",
	  { { "ttwu_wake_remote", "try_to_wake_up() awoke a task that last ran on a diff cpu" },
	    { "ttwu_move_affine", "try_to_wake_up() moved task because cache-cold on own cpu" },
	    { "ttwu_move_balance", "try_to_wake_up() started passive balancing" } } },
};

/* What is shown, of one recording or of two beside each other. */
struct stats_view {
	struct schedstat *s[MOST_FILES];
	size_t nr;
	bool verbose;
	bool for_programs; /* --json or -x: rows instead of text */
	struct strbuf out;
	struct row_writer rows;
};

static void view_init(struct stats_view *v, const struct sched_opts *o)
{
	v->out = (struct strbuf)STRBUF_INIT;
	v->verbose = o->rec.verbose;
	v->for_programs = sched_rows_wanted(o);
	if (v->for_programs)
		row_writer_init(&v->rows, &v->out, o->separator, "perf sched stats");
}

static void add_line(struct stats_view *v, const char *title)
{
	size_t len = strlen(title), left = (WIDTH - len) / 2;

	strbuf_pad(&v->out, '-', left);
	strbuf_adds(&v->out, title);
	strbuf_pad(&v->out, '-', WIDTH - len - left);
	strbuf_addch(&v->out, '\n');
}

static void add_change(struct stats_view *v, double from, double to)
{
	strbuf_addf(&v->out, "  |%9.2f%% |", from != 0 ? (to - from) / from * 100 : 0.0);
}

static double part_of(u64 value, u64 whole)
{
	return whole ? (double)value / (double)whole : 0;
}

static void add_name(struct stats_view *v, const struct stats_row *row, const char *kind)
{
	const char *form = v->verbose ? row->meaning : row->name;
	const char *at = kind ? strstr(form, "%s") : NULL;
	const char *word = v->verbose && kind && !strcmp(kind, "newidle") ? "newly idle" : kind;
	size_t from = v->out.len;

	if (at) {
		strbuf_add(&v->out, form, (size_t)(at - form));
		strbuf_adds(&v->out, word);
		form = at + 2;
	}
	strbuf_adds(&v->out, form);
	strbuf_pad_from(&v->out, from, NAME_COLUMNS);
	strbuf_addch(&v->out, ':');
}

static void add_counts(struct stats_view *v, const u64 *counts)
{
	strbuf_add_u64_width(&v->out, counts[0], 12, ' ');
	if (v->nr < 2)
		return;
	strbuf_addf(&v->out, ",%11llu", (unsigned long long)counts[1]);
	add_change(v, (double)counts[0], (double)counts[1]);
}

/* ------------------------------------------------------------------ CPUs */

static void add_cpu(struct stats_view *v, const struct schedstat_cpu *const *cpus)
{
	strbuf_addf(&v->out, "%-65s%13s", "DESC", v->nr > 1 ? "COUNT1" : "COUNT");
	strbuf_adds(&v->out, v->nr > 1 ? "      COUNT2   PCT_CHANGE    PCT_CHANGE1 PCT_CHANGE2\n"
				       : "   PCT_CHANGE\n");
	add_line(v, "");
	for (size_t i = 0; i < ARRAY_SIZE(cpu_rows); i++) {
		const struct stats_row *row = &cpu_rows[i];
		u64 counts[MOST_FILES] = { cpus[0]->values[i], v->nr > 1 ? cpus[1]->values[i] : 0 };

		add_name(v, row, NULL);
		add_counts(v, counts);
		for (size_t k = 0; row->share_of >= 0 && k < v->nr; k++)
			strbuf_addf(&v->out, k ? ",%10.2f%%" : "  (%9.2f%%",
				    100 * part_of(counts[k], cpus[k]->values[row->share_of]));
		strbuf_adds(&v->out, row->share_of >= 0 ? " )\n" : "\n");
	}
	add_line(v, "");
}

/* ------------------------------------------------------------------ domains */

static void add_domain_row(struct stats_view *v, const struct stats_row *row, const char *kind,
			   const u64 *counts)
{
	add_name(v, row, kind);
	add_counts(v, counts);
	for (size_t k = 0; row->rate && k < v->nr; k++)
		strbuf_addf(&v->out, k ? ",%12.2f" : "  $%12.2f",
			    part_of(v->s[k]->time, counts[k]));
	strbuf_adds(&v->out, row->rate ? " $\n" : "\n");
}

static void counts_at(const struct stats_view *v, const struct schedstat_domain *const *d,
		      size_t at, u64 *counts)
{
	for (size_t k = 0; k < v->nr; k++)
		counts[k] = d[k]->values[at];
}

/* What follows from the others: balancing that moved tasks, and how many each time. */
static void add_successes(struct stats_view *v, const char *kind, const u64 *successes,
			  const u64 *gained)
{
	static const struct stats_row count = { "*%s_lb_success_count",
						"*load_balance() success count on cpu %s" };
	static const struct stats_row pulled = {
		"*%s_lb_avg_pulled", "*avg task pulled per successful lb attempt (cpu %s)"
	};
	double mean[MOST_FILES] = { part_of(gained[0], successes[0]),
				    part_of(gained[1], successes[1]) };

	add_domain_row(v, &count, kind, successes);
	add_name(v, &pulled, kind);
	strbuf_addf(&v->out, "%12.2f", mean[0]);
	if (v->nr > 1) {
		strbuf_addf(&v->out, ",%11.2f", mean[1]);
		add_change(v, mean[0], mean[1]);
	}
	strbuf_addch(&v->out, '\n');
}

/* All of a kind of balancing; where the next one's values begin. */
static size_t add_balancing(struct stats_view *v, const struct schedstat_domain *const *d,
			    const char *kind, size_t at)
{
	u64 successes[MOST_FILES] = { 0 }, gained[MOST_FILES] = { 0 }, counts[MOST_FILES] = { 0 };
	char title[32];

	snprintf(title, sizeof(title), " <Category %s> ", kind);
	add_line(v, title);
	for (size_t k = 0; k < v->nr; k++)
		successes[k] = d[k]->values[at + LB_COUNT] - d[k]->values[at + LB_BALANCED] -
			       d[k]->values[at + LB_FAILED];
	for (size_t i = 0; i < ARRAY_SIZE(balance_rows); i++) {
		const struct stats_row *row = &balance_rows[i];

		if (!is_in_version(row, v->s[0]->version))
			continue;
		counts_at(v, d, at++, counts);
		if (!strcmp(row->name, "%s_lb_gained"))
			memcpy(gained, counts, sizeof(gained));
		add_domain_row(v, row, kind, counts);
	}
	add_successes(v, kind, successes, gained);
	return at;
}

static void add_domain(struct stats_view *v, const struct schedstat_domain *const *d)
{
	const char *const *kinds = kinds_of(v->s[0]->version);
	u64 counts[MOST_FILES] = { 0 };
	size_t at = 0;

	strbuf_addf(&v->out, "%-65s%13s", "DESC", v->nr > 1 ? "COUNT1" : "COUNT");
	strbuf_adds(&v->out, v->nr > 1 ? "      COUNT2   PCT_CHANGE     AVG_JIFFIES1 AVG_JIFFIES2\n"
				       : "    AVG_JIFFIES\n");
	for (size_t i = 0; i < NR_KINDS; i++)
		at = add_balancing(v, d, kinds[i], at);
	for (size_t i = 0; i < ARRAY_SIZE(domain_parts); i++) {
		add_line(v, domain_parts[i].title);
		for (size_t k = 0; k < ARRAY_SIZE(domain_parts[i].rows); k++) {
			counts_at(v, d, at++, counts);
			add_domain_row(v, &domain_parts[i].rows[k], NULL, counts);
		}
	}
	add_line(v, "");
}

/* ------------------------------------------------------------------ the report */

/* The same domain of each recording; false: the second one has none. */
static bool find_domains(const struct stats_view *v, const struct schedstat_cpu *const *cpus,
			 size_t i, const struct schedstat_domain **d)
{
	d[0] = &cpus[0]->domains.v[i];
	if (v->nr < 2)
		return true;
	d[1] = NULL;
	VEC_FOR(&cpus[1]->domains, x)
		if (x->number == d[0]->number)
			d[1] = x;
	return d[1] != NULL;
}

/* A CPU's counters and those of its domains. */
static void add_section(struct stats_view *v, const char *title,
			const struct schedstat_cpu *const *cpus, bool with_cpus)
{
	const struct schedstat_domain *d[MOST_FILES];

	add_line(v, "");
	strbuf_addf(&v->out, "CPU: %s\n", title);
	add_line(v, "");
	add_cpu(v, cpus);
	for (size_t i = 0; i < cpus[0]->domains.nr; i++) {
		if (!find_domains(v, cpus, i, d))
			continue;
		strbuf_addf(&v->out, "CPU: %s | DOMAIN: ", title);
		if (d[0]->name)
			strbuf_add_escaped(&v->out, d[0]->name);
		else
			strbuf_addf(&v->out, "%u", d[0]->number);
		if (with_cpus && d[0]->cpus) {
			strbuf_adds(&v->out, " | DOMAIN_CPUS: ");
			strbuf_add_escaped(&v->out, d[0]->cpus);
		}
		strbuf_addch(&v->out, '\n');
		add_line(v, "");
		add_domain(v, d);
	}
}

static void add_head(struct stats_view *v)
{
	strbuf_adds(&v->out, "Description\n");
	add_line(v, "");
	strbuf_adds(
		&v->out,
		"DESC                          -> Description of the field\n"
		"COUNT                         -> Value of the field\n"
		"PCT_CHANGE                    -> Percent change with corresponding base value\n"
		"AVG_JIFFIES                   -> Avg time in jiffies between two consecutive "
		"occurrence of event\n");
	add_line(v, "");
	strbuf_addf(&v->out, "\n%-65s:%12llu", "Time elapsed (in jiffies)",
		    (unsigned long long)v->s[0]->time);
	if (v->nr > 1)
		strbuf_addf(&v->out, ",%11llu", (unsigned long long)v->s[1]->time);
	strbuf_addch(&v->out, '\n');
}

/* ------------------------------------------------------------------ --json and -x */

/* Whose counter it is: cpu NULL = the mean of all, domain NULL = of the CPU itself. */
struct counter_place {
	const struct schedstat_cpu *cpu;
	const struct schedstat_domain *domain;
};

static void put_counter(struct stats_view *v, const struct counter_place *at, const char *name,
			const u64 *counts)
{
	static const char *const keys[MOST_FILES] = { "count1", "count2" };
	struct row_writer *w = &v->rows;

	row_begin(w, at->domain ? "domain" : "cpu");
	if (at->cpu)
		row_u64(w, "cpu", at->cpu->cpu);
	else
		row_null(w, "cpu");
	if (at->domain) {
		row_u64(w, "domain", at->domain->number);
		row_string(w, "domain_name", at->domain->name);
		row_string(w, "domain_cpus", at->cpu ? at->domain->cpus : NULL);
	}
	row_string(w, "counter", name);
	for (size_t k = 0; k < v->nr; k++)
		row_u64(w, v->nr > 1 ? keys[k] : "count", counts[k]);
	row_end(w);
}

static void put_domain(struct stats_view *v, const struct counter_place *place,
		       const struct schedstat_domain *const *d)
{
	const char *const *kinds = kinds_of(v->s[0]->version);
	u64 counts[MOST_FILES] = { 0 };
	size_t at = 0;

	for (size_t kind = 0; kind < NR_KINDS; kind++)
		for (size_t i = 0; i < ARRAY_SIZE(balance_rows); i++) {
			char name[64];

			if (!is_in_version(&balance_rows[i], v->s[0]->version))
				continue;
			counts_at(v, d, at++, counts);
			snprintf(name, sizeof(name), "%s%s", kinds[kind],
				 balance_rows[i].name + strlen("%s"));
			put_counter(v, place, name, counts);
		}
	for (size_t i = 0; i < ARRAY_SIZE(domain_parts); i++)
		for (size_t k = 0; k < ARRAY_SIZE(domain_parts[i].rows); k++) {
			counts_at(v, d, at++, counts);
			put_counter(v, place, domain_parts[i].rows[k].name, counts);
		}
}

/* cpu: whose these are, NULL = the means. */
static void put_section(struct stats_view *v, const struct schedstat_cpu *cpu,
			const struct schedstat_cpu *const *cpus)
{
	const struct schedstat_domain *d[MOST_FILES];

	for (size_t i = 0; i < ARRAY_SIZE(cpu_rows); i++)
		put_counter(v, &(struct counter_place){ cpu }, cpu_rows[i].name,
			    (u64[MOST_FILES]){ cpus[0]->values[i],
					       v->nr > 1 ? cpus[1]->values[i] : 0 });
	for (size_t i = 0; i < cpus[0]->domains.nr; i++)
		if (find_domains(v, cpus, i, d))
			put_domain(v, &(struct counter_place){ cpu, d[0] }, d);
}

static void put_head(struct stats_view *v)
{
	row_begin(&v->rows, "time");
	for (size_t k = 0; k < v->nr; k++)
		row_u64(&v->rows,
			v->nr < 2 ? "jiffies"
			: k       ? "jiffies2"
				  : "jiffies1",
			v->s[k]->time);
	row_end(&v->rows);
}

/* Of two recordings the means alone: CPUs do not correspond. */
static void print_view(struct stats_view *v, const struct sched_opts *o)
{
	struct schedstat_cpu means[MOST_FILES];
	const struct schedstat_cpu *cpus[MOST_FILES] = { &means[0], &means[1] };

	view_init(v, o);
	for (size_t k = 0; k < v->nr; k++)
		schedstat_mean(v->s[k], &means[k]);
	if (v->for_programs) {
		put_head(v);
		put_section(v, NULL, cpus);
	} else {
		add_head(v);
		add_section(v, "<ALL CPUS SUMMARY>", cpus, false);
	}
	for (size_t i = 0; v->nr == 1 && i < v->s[0]->cpus.nr; i++) {
		char title[16];

		cpus[0] = &v->s[0]->cpus.v[i];
		snprintf(title, sizeof(title), "%u", cpus[0]->cpu);
		if (v->for_programs)
			put_section(v, cpus[0], cpus);
		else
			add_section(v, title, cpus, true);
	}
	fwrite(v->out.buf, 1, v->out.len, stdout);
	strbuf_release(&v->out);
	row_writer_release(&v->rows);
	for (size_t k = 0; k < v->nr; k++)
		schedstat_cpu_release(&means[k]);
}

static int keep_cpus(struct schedstat *s, const char *text, struct err *e)
{
	_cleanup_(mem_freep) u32 *list = NULL;
	size_t nr, kept = 0;

	if (!text)
		return 0;
	if (!fmt_parse_cpu_list(text, &list, &nr))
		return err_set(e, EINVAL, "invalid CPU list '%s'", text);
	VEC_FOR(&s->cpus, c) {
		bool wanted = false;

		for (size_t i = 0; i < nr; i++)
			wanted |= list[i] == c->cpu;
		if (wanted)
			s->cpus.v[kept++] = *c;
		else
			schedstat_cpu_release(c);
	}
	s->cpus.nr = kept;
	return kept ? 0 : err_set(e, EINVAL, "there are no counters of CPUs '%s'", text);
}

/* ------------------------------------------------------------------ counting */

static int snapshot(struct schedstat *s, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (rw_slurp(counters_path, &text, e)) {
		err_hint(e, "the kernel has it if it was built with CONFIG_SCHEDSTATS");
		return -1;
	}
	return schedstat_parse(s, text.buf, e);
}

static bool write_switch(const char *text)
{
	int fd = open(switch_path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, 1) == 1;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Until the command ends or a signal arrives. */
static void await_end(struct workload *w, const struct held_signals *held)
{
	const struct timespec patience = { .tv_nsec = 100000000 };
	sigset_t set = held->held;
	int number = 0;

	sigaddset(&set, SIGCHLD);
	while (!number && !(w->pid && workload_reap(w, false))) {
		number = sigtimedwait(&set, NULL, &patience);
		if (number < 0 || number == SIGCHLD)
			number = 0;
	}
	if (w->pid && !w->reaped)
		workload_stop(w);
}

static int count(struct schedstat *first, struct schedstat *last, struct workload *w,
		 const struct held_signals *held, struct err *e)
{
	if (snapshot(first, e))
		return -1;
	if (w->pid && workload_start(w, e))
		return err_set(e, e->code, "cannot run the command: %s", strerror(e->code));
	await_end(w, held);
	return snapshot(last, e);
}

/* Counts while the command runs; without one until a signal comes. */
static int count_command(struct schedstat *first, struct schedstat *last, const char *const *argv,
			 struct err *e)
{
	struct workload w = { .pid = 0 };
	struct held_signals held;
	struct strbuf was = STRBUF_INIT;
	sigset_t child, before;
	bool switched;
	int r;

	if (argv[0] && workload_fork(&w, argv, false, e))
		return -1;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	held_signals_begin(&held, 0);
	pthread_sigmask(SIG_BLOCK, &child, &before);
	/* most counters stand still unless somebody asks for them */
	switched = !rw_slurp(switch_path, &was, NULL) && was.len && was.buf[0] == '0';
	if (switched && !write_switch("1")) {
		r = err_sys(e, errno, "cannot write '%s'", switch_path);
	} else {
		r = count(first, last, &w, &held, e);
		if (switched)
			write_switch("0");
	}
	if (w.pid && !w.reaped)
		workload_stop(&w);
	strbuf_release(&was);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	held_signals_take(&held);
	held_signals_end(&held);
	return r;
}

/* ------------------------------------------------------------------ recordings */

static int write_features(struct perfdata_writer *w, const struct schedstat *s,
			  const char *const *line, struct err *e)
{
	_cleanup_(bpf_programs_release) struct bpf_programs bpf = { 0 };
	_cleanup_(strbuf_releasep) struct strbuf body = STRBUF_INIT;
	const struct capture_config cfg = { 0 };
	const struct event_list events = { 0 };
	struct feature_ctx ctx = { .bpf = &bpf,
				   .cfg = &cfg,
				   .events = &events,
				   .writer = w,
				   .version = perf_version,
				   .argv = line };
	int r;

	sys_topology_read(&ctx.topology, NULL);
	r = features_write(&ctx, w, true, e);
	sys_topology_release(&ctx.topology);
	schedstat_add_domains(s, &body);
	return r ? r : writer_feature(w, FEAT_CPU_DOMAIN_INFO, body.buf, body.len, e);
}

static int write_recording(const char *path, const struct schedstat *s, const char *const *line,
			   struct err *e)
{
	const struct perfdata_writer_opts wo = { .path = path, .fd = -1, .keep_old = true };
	_cleanup_(strbuf_releasep) struct strbuf records = STRBUF_INIT;
	struct perfdata_writer *w;

	if (perfdata_writer_open(&w, &wo, e))
		return -1;
	schedstat_add_records(&s[0], &records);
	schedstat_add_records(&s[1], &records);
	if (writer_begin(w, e) || writer_append(w, records.buf, records.len, e) ||
	    write_features(w, &s[1], line, e)) {
		writer_discard(w);
		return -1;
	}
	return writer_finish(w, e);
}

/* What happened while it was recorded. */
static int read_recording(const char *path, const struct sched_opts *o, struct schedstat *s,
			  struct err *e)
{
	const struct perfdata_opts po = { .path = path,
					  .force = o->rec.opts.input.force,
					  .no_events_ok = true };
	struct schedstat first = { 0 };
	struct perfdata *f = NULL;
	int r = perfdata_open(&f, &po, e);

	r = r ? r : schedstat_read(f, &first, s, e);
	if (!r) {
		schedstat_subtract(s, &first);
		r = keep_cpus(s, o->cpus, e);
	}
	schedstat_release(&first);
	perfdata_close(f);
	return r;
}

/* ------------------------------------------------------------------ the command */

static int stats_record(const struct sched_opts *o, const char *const *argv, struct err *e)
{
	const char *path = o->output ? o->output : "perf.data";
	struct schedstat s[2] = { { 0 } };
	int r = count_command(&s[0], &s[1], argv, e);

	for (size_t i = 0; !r && i < 2; i++)
		r = keep_cpus(&s[i], o->cpus, e);
	r = r ? r : write_recording(path, s, o->line, e);
	if (!r)
		fprintf(stderr, "[ perf sched stats: Wrote samples to %s ]\n", path);
	schedstat_release(&s[0]);
	schedstat_release(&s[1]);
	return r;
}

static int stats_live(const struct sched_opts *o, const char *const *argv, struct err *e)
{
	struct schedstat first = { 0 }, last = { 0 };
	struct stats_view v = { .s = { &last }, .nr = 1 };
	int r = count_command(&first, &last, argv, e);

	if (!r) {
		schedstat_subtract(&last, &first);
		r = keep_cpus(&last, o->cpus, e);
	}
	if (!r)
		print_view(&v, o);
	schedstat_release(&first);
	schedstat_release(&last);
	return r;
}

/* Of one or two files. */
static int stats_show(const struct sched_opts *o, const char *const *paths, size_t nr,
		      struct err *e)
{
	struct schedstat s[MOST_FILES] = { { 0 } };
	struct stats_view v = { .s = { &s[0], &s[1] }, .nr = nr };
	int r = 0;

	for (size_t i = 0; i < nr && !r; i++)
		r = read_recording(paths[i], o, &s[i], e);
	if (!r && nr > 1 && s[0].version != s[1].version)
		r = err_set(e, EINVAL, "'%s' and '%s' have counters of different versions: %u, %u",
			    paths[0], paths[1], s[0].version, s[1].version);
	if (!r)
		print_view(&v, o);
	schedstat_release(&s[0]);
	schedstat_release(&s[1]);
	return r;
}

int sched_stats_main(const struct sched_opts *o, const char *what, int argc, const char **argv)
{
	static const char *const defaults[] = { "perf.data.old", "perf.data" };
	const char *path = o->rec.opts.input.path;
	struct err e = ERR_INIT;
	int r;

	if (row_form_check(o->json, o->separator, sched_stats_table, sched_stats_usage))
		return EXIT_USAGE;
	if (sched_rows_wanted(o) && !strcmp(what, "record"))
		return opts_usage_error(sched_stats_table, sched_stats_usage, NULL,
					" Error: --json and -x are for report and diff: record "
					"writes a recording\n");
	if (!strcmp(what, "record")) {
		r = stats_record(o, argv, &e);
	} else if (!strcmp(what, "report")) {
		r = stats_show(o, &(const char *){ path && *path ? path : "perf.data" }, 1, &e);
	} else if (!strcmp(what, "diff")) {
		if (argc && argc != MOST_FILES)
			return opts_usage_error(sched_stats_table, sched_stats_usage, NULL,
						" Error: diff takes two files, or none\n");
		r = stats_show(o, argc ? argv : defaults, MOST_FILES, &e);
	} else {
		r = stats_live(o, argv, &e);
	}
	return r ? sched_fail(&e) : 0;
}
