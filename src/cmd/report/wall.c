/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wall: `perf report --wall`: samples become spans of threads' time (analyze/wall.h) before they
 * are summed up.
 */
#include "cmd/report/report.h"

int report_wall_check(const struct report_opts *o)
{
	const struct {
		bool given;
		const char *option;
	} others[] = {
		{ o->mem_mode, "mem-mode" },
		{ o->branch_stack > 0, "branch-stack" },
		{ o->branch_history, "branch-history" },
		{ o->total_cycles, "total-cycles" },
		{ o->threads, "threads" },
		{ event_switch_used(&o->switches), "switch-on" },
		{ o->profile.latency, "latency" },
		{ o->profile.agg.parallelism != NULL, "parallelism" },
		{ o->rec.opts.ref_chains, "show-ref-call-graph" },
	};

	for (size_t i = 0; o->wall && i < ARRAY_SIZE(others); i++)
		if (others[i].given)
			return opts_usage_error(report_table, report_usage, "wall",
						"--wall shows all the time of threads: it cannot "
						"be used together with --%s",
						others[i].option);
	return 0;
}

void report_wall_prepare(struct report_opts *o)
{
	if (!o->wall)
		return;
	o->profile.agg.wall = true;
	o->branch_stack = 0;
	o->group = GROUP_NONE;
	o->rec.opts.tell_left_out = true; /* what threads did begins before */
	if (!o->profile.sort && !o->profile.fields)
		o->profile.sort = o->folded ? "comm,state" : "comm,state,dso,sym";
}

void report_wall_summarise(struct report_opts *o, const struct wall *x)
{
	const struct wall_sums *s = wall_sums(x);
	struct view_wall *v = &o->wall_view;

	*v = (struct view_wall){ .threads = s->threads,
				 .wakeups = s->wakeups,
				 .unwoken = s->unwoken,
				 .guessed = s->guessed,
				 .losses = s->losses,
				 .contradictions = s->contradictions,
				 .backwards = s->backwards,
				 .idle_samples = s->idle,
				 .other_samples = s->others };
	_Static_assert(SPAN_NR_STATES <= ARRAY_SIZE(v->states), "there is room for all");
	for (u32 i = 0; i < SPAN_NR_STATES; i++) {
		u64 ns = s->ns[i];

		v->total += ns;
		*(i == SPAN_RUNNING   ? &v->running
		  : i < SPAN_SLEEPING ? &v->runnable
		  : i < SPAN_UNKNOWN  ? &v->blocked
				      : &v->unknown) += ns;
		if (!ns)
			continue;
		v->states[v->nr].state = span_state_name((enum span_state)i);
		v->states[v->nr++].ns = ns;
	}
	o->profile.wall = v;
}
