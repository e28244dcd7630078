/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/stacks/stacks.h"

#include "base/mem.h"

void capture_stacks_init(struct capture_stacks *s)
{
	newcomers_init(&s->newcomers);
	s->newcomers_fd = -1;
	s->look_fd = -1;
}

static size_t fds_per_event(const struct capture_fds *f)
{
	return f->nr_cpus * f->nr_tasks;
}

/* Samples of an id are those of an event, the first of which has that number. */
static void add_ids(struct capture_stacks *s, const struct capture_fds *f, const u64 *ids,
		    size_t first)
{
	size_t each = fds_per_event(f);

	for (size_t i = 0; i < f->nr_events * each; i++)
		if (f->fd[i] >= 0)
			unwinder_add_id(s->unwinder, ids[i], (u32)(first + i / each));
}

static void make_unwinder(struct capture_stacks *s, const struct capture_stacks_opts *o)
{
	const struct spare_events *spare = &s->choice.spare;
	struct unwinder_opts opts = o->unwinder;

	opts.spares = spare->fds.nr_events ? &spare->list : NULL;
	opts.stands_for = spare->stands_for;
	s->unwinder = unwinder_new(&opts);
	if (!s->unwinder)
		return;
	add_ids(s, o->choice.fds, o->ids, 0);
	add_ids(s, &spare->fds, spare->ids, o->choice.fds->nr_events);
}

void capture_stacks_open(struct capture_stacks *s, const struct capture_stacks_opts *opts)
{
	s->looked = XNEW_ARRAY(u64, opts->nr_flight + 1);
	stack_choice_open(&s->choice, &opts->choice);
	make_unwinder(s, opts);
	if (opts->keeps_files || s->unwinder)
		newcomers_open(&s->newcomers, opts->choice.target, opts->inherit);
}

void capture_stacks_release(struct capture_stacks *s)
{
	unwinder_free(s->unwinder);
	stack_choice_release(&s->choice);
	newcomers_release(&s->newcomers);
	mem_closep(&s->newcomers_fd);
	mem_closep(&s->look_fd);
	free(s->looked);
}

void capture_stacks_begin_file(struct capture_stacks *s)
{
	stack_choice_next_file(&s->choice);
}

void capture_stacks_restart(struct capture_stacks *s)
{
	if (s->unwinder)
		unwinder_restart(s->unwinder);
}

void capture_stacks_tell(struct capture_stacks *s, const struct perf_event_header *h)
{
	if (s->unwinder)
		unwinder_tell(s->unwinder, h);
}

void capture_stacks_file_attr(const struct capture_stacks *s, const struct event *ev,
			      struct perf_event_attr *attr)
{
	if (s->unwinder)
		unwinder_file_attr(s->unwinder, ev, attr);
}

size_t capture_stacks_spare_ids(const struct capture_stacks *s, u32 event, u64 *ids)
{
	const struct spare_events *spare = &s->choice.spare;
	size_t each = fds_per_event(&spare->fds), n = 0;
	long found = spare_events_find(spare, event);

	for (size_t i = 0; found >= 0 && i < each; i++)
		if (spare->fds.fd[(size_t)found * each + i] >= 0)
			ids[n++] = spare->ids[(size_t)found * each + i];
	return n;
}

bool capture_stacks_look_again(const struct capture_stacks *s)
{
	return stack_choice_is_open(&s->choice) ||
	       (s->unwinder && (s->choice.spare.on || !s->choice.spare.fds.nr_events));
}

void stack_reader_open(struct stack_reader *r, const struct capture_stacks *s,
		       const struct capture_rings *rings, struct unwind_rings which)
{
	if (!s->unwinder)
		return;
	r->lane = unwind_lane_new(s->unwinder);
	r->backlog = backlog_new(rings->ring, rings->nr, which.which, which.nr, BACKLOG_LARGE_FILE);
}

void stack_reader_release(struct stack_reader *r)
{
	backlog_free(r->backlog);
	unwind_lane_free(r->lane);
}

bool capture_stacks_begin_round(const struct capture_stacks *s, const struct stack_reader *r,
				struct capture_rings *rings, struct unwind_rings which)
{
	if (!s->unwinder)
		return false;
	for (size_t i = 0; i < which.nr; i++) {
		size_t ring = which.which ? which.which[i] : i;

		rings->made[ring] = backlog_at(r->backlog, rings->ring, ring);
	}
	return unwinder_begin_round(s->unwinder, rings->made, which);
}

void capture_stacks_gather(const struct capture_stacks *s)
{
	if (s->unwinder)
		unwinder_gather(s->unwinder);
}
