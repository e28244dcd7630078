/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched map: a line for each switch, a column for each CPU. */
#include "analyze/sched_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fmt.h"
#include "cli/colour.h"
#include "cmd/sched/sched.h"
#include "perfdata/info.h"

enum {
	OUT_SIZE = 64 << 10,
	MAX_COLUMNS =
		1024, /* of CPUs that are not chosen; a line is not much longer than its record */
};

struct map_printer {
	const struct sched_opts *o;
	struct session *session;
	struct sched_map *map;
	const struct tasks *tasks;
	u32 nr_cpus;
	struct number_list cpus, color_cpus, color_pids;
	u64 from, until; /* --time; 0 = to the end */
	VEC(char *) names; /* --task-name */
	bool colour;
	struct strbuf out;
	struct row_writer rows; /* --json and -x */
	u64 switches; /* rows of them */
};

/* Whether only some tasks are in the map. */
static bool chooses_tasks(const struct map_printer *p)
{
	return p->o->rec.pids || p->o->rec.tids;
}

static bool chooses(const struct map_printer *p)
{
	return p->names.nr || chooses_tasks(p);
}

static bool is_chosen(void *ctx, s64 task)
{
	const struct map_printer *p = ctx;
	char buf[16];
	const char *comm;

	if (!chooses(p))
		return true;
	if (task < 0)
		return false;
	if (chooses_tasks(p) &&
	    session_wants_task(p->session, p->tasks->v.v[task].pid, p->tasks->v.v[task].tid))
		return true;
	comm = tasks_comm(p->tasks, (u32)task, buf);
	for (size_t i = 0; i < p->names.nr; i++)
		if (p->o->fuzzy_name ? strstr(comm, p->names.v[i]) != NULL
				     : !strcmp(comm, p->names.v[i]))
			return true;
	return false;
}

/* The escape sequence of a CPU's or a task's colour, NULL = none. */
static const char *colour_of(const struct map_printer *p, u32 cpu, s64 task)
{
	if (!p->colour)
		return NULL;
	if (number_list_has(&p->color_cpus, cpu))
		return "\033[31m";
	if (task >= 0 && number_list_has(&p->color_pids, p->tasks->v.v[task].tid))
		return "\033[34m";
	return NULL;
}

static void add_cpu(struct map_printer *p, u32 cpu, const struct map_switch *s, bool out_of_it)
{
	s64 task = sched_map_current(p->map, cpu);
	bool is_own = cpu == s->cpu;
	char text[8] = { is_own ? '*' : ' ', ' ', ' ', ' ' };
	const char *colour = colour_of(p, cpu, task);

	if (task == MAP_UNKNOWN) {
		strbuf_adds(&p->out, "    ");
		return;
	}
	sched_map_letters(p->map, task, text + 1);
	text[3] = ' ';
	if (p->names.nr &&
	    ((is_own && out_of_it) || (task >= 0 && (!is_chosen(p, task) || text[1] == ' ')))) {
		text[1] = '-';
		text[2] = ' ';
	}
	if (colour)
		strbuf_adds(&p->out, colour);
	strbuf_add(&p->out, text, 4);
	if (colour)
		strbuf_adds(&p->out, "\033[m");
}

static void add_name(struct map_printer *p, const struct map_switch *s)
{
	char letters[3], buf[16];

	sched_map_letters(p->map, s->next, letters);
	strbuf_addf(&p->out, "%s => ", letters);
	if (s->next == MAP_IDLE) {
		strbuf_adds(&p->out, "swapper:0");
		return;
	}
	strbuf_add_escaped(&p->out, tasks_comm(p->tasks, (u32)s->next, buf));
	strbuf_addf(&p->out, ":%d", (s32)p->tasks->v.v[s->next].tid);
}

static void add_line(struct map_printer *p, const struct map_switch *s, bool out_of_it)
{
	struct strbuf *out = &p->out;
	size_t nr_seen;
	const u32 *seen = sched_map_seen(p->map, &nr_seen);
	size_t nr = p->o->compact ? nr_seen : MAX(p->nr_cpus, s->cpu + 1);

	if (!p->cpus.nr)
		nr = MIN(nr, (size_t)MAX_COLUMNS);

	if (!p->o->compact)
		p->nr_cpus = (u32)nr;
	strbuf_adds(out, "  ");
	for (size_t i = 0; i < nr; i++) {
		u32 cpu = p->o->compact ? seen[i] : (u32)i;

		if (!p->cpus.nr || number_list_has(&p->cpus, cpu))
			add_cpu(p, cpu, s, out_of_it);
	}
	if (p->cpus.nr && !number_list_has(&p->cpus, s->cpu)) {
		strbuf_addch(out, '\n');
		return;
	}
	strbuf_adds(out, "  ");
	strbuf_add_u64_width(out, s->time / 1000000000, 5, ' ');
	strbuf_addch(out, '.');
	strbuf_add_u64_width(out, s->time / 1000 % 1000000, 6, '0');
	strbuf_adds(out, " secs ");
	if (!out_of_it && sched_map_introduce(p->map, s->next))
		add_name(p, s);
	if (p->o->compact && s->new_cpu)
		strbuf_addf(out, " (CPU %u)", s->cpu);
	strbuf_addch(out, '\n');
}

static void flush(struct map_printer *p)
{
	if (p->out.len < OUT_SIZE)
		return;
	fwrite(p->out.buf, 1, p->out.len, stdout);
	strbuf_reset(&p->out);
}

/* tid and name of the task that had the CPU, or has it from then on; 0 is a CPU's idle task. */
static void row_task(struct map_printer *p, s64 task, const char *comm, const char *tid)
{
	char buf[16];

	row_string(&p->rows, comm, task < 0 ? "swapper" : tasks_comm(p->tasks, (u32)task, buf));
	row_s64(&p->rows, tid, task < 0 ? 0 : (s32)p->tasks->v.v[task].tid);
}

static bool is_within(const struct map_printer *p, u64 time)
{
	return time >= p->from && (!p->until || time <= p->until);
}

static void put_switch(void *ctx, const struct map_switch *s)
{
	struct map_printer *p = ctx;

	if (!is_within(p, s->time) || (!is_chosen(p, s->prev) && !is_chosen(p, s->next)))
		return;
	if (p->cpus.nr && !number_list_has(&p->cpus, s->cpu))
		return;
	row_begin(&p->rows, "switch");
	row_time(&p->rows, "time", s->time);
	row_u64(&p->rows, "cpu", s->cpu);
	row_task(p, s->prev, "prev_comm", "prev_tid");
	row_task(p, s->next, "next_comm", "next_tid");
	row_end(&p->rows);
	p->switches++;
	flush(p);
}

static void put_total(struct map_printer *p)
{
	row_begin(&p->rows, "total");
	row_u64(&p->rows, "switches", p->switches);
	row_u64(&p->rows, "odd_switches", sched_map_odd(p->map));
	sched_row_losses(&p->rows, p->session);
	row_end(&p->rows);
}

static void print_switch(void *ctx, const struct map_switch *s)
{
	struct map_printer *p = ctx;

	if (!is_within(p, s->time))
		return;
	if (chooses(p)) {
		/* when it got the CPU is not in the map */
		if (!s->new_cpu && is_chosen(p, s->prev))
			add_line(p, s, true);
		if (is_chosen(p, s->next))
			add_line(p, s, false);
	} else {
		add_line(p, s, false);
	}
	flush(p);
}

static int parse_list(struct number_list *l, const char *text, const char *what, struct err *e)
{
	if (!number_list_add(l, text))
		return err_set(e, EINVAL, "failed to get %s map from %s", what, text);
	return 0;
}

static void parse_names(struct map_printer *p, const char *text)
{
	_cleanup_(mem_freep) char *copy = text ? xstrdup(text) : NULL;
	char *save = NULL;

	for (char *word = copy ? strtok_r(copy, ",", &save) : NULL; word;
	     word = strtok_r(NULL, ",", &save))
		*VEC_PUSH(&p->names) = xstrdup(word);
}

static int run(struct map_printer *p, struct sched_opts *o, struct err *e)
{
	struct sched_map_opts mo = { .on_switch = sched_rows_wanted(o) ? put_switch : print_switch,
				     .ctx = p };

	if (parse_list(&p->cpus, o->cpus, "cpus", e) ||
	    parse_list(&p->color_cpus, o->color_cpus, "color_cpus", e) ||
	    parse_list(&p->color_pids, o->color_pids, "thread", e))
		return -1;
	if (recording_parse_window(o->time, &p->from, &p->until, e))
		return -1;
	parse_names(p, o->task_name);
	if (chooses(p))
		mo.wants = is_chosen;
	p->colour = colour_wanted(COLOUR_AUTO);
	if (sched_open(o, NULL, e))
		return -1;
	p->session = o->rec.session;
	if (sched_map_new(&p->map, p->session, &mo, e))
		return -1;
	p->tasks = sched_map_tasks(p->map);
	p->nr_cpus = MIN(perfdata_info(session_file(p->session))->cpus_avail, (u32)SCHED_MAX_CPUS);
	return sched_map_run(p->map, e);
}

int sched_map_main(struct sched_opts *o)
{
	struct map_printer p = { .o = o, .out = STRBUF_INIT };
	struct err e = ERR_INIT;
	int r;

	if (sched_rows_wanted(o) &&
	    sched_rows_init(&p.rows, &p.out, o, "perf sched map", sched_map_table, sched_map_usage))
		return EXIT_USAGE;
	r = run(&p, o, &e);
	if (!r && sched_rows_wanted(o))
		put_total(&p);
	else if (!r)
		losses_add_events(&p.out, p.session);
	fwrite(p.out.buf, 1, p.out.len, stdout);
	if (!r) {
		losses_tell_events(p.session, "times are");
		sched_tell_odd(sched_map_odd(p.map));
	}
	sched_map_free(p.map);
	row_writer_release(&p.rows);
	strbuf_release(&p.out);
	vec_free(&p.cpus);
	vec_free(&p.color_cpus);
	vec_free(&p.color_pids);
	VEC_FOR(&p.names, n)
		free(*n);
	vec_free(&p.names);
	return r ? sched_fail(&e) : 0;
}
