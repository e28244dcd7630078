/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is left of a model when everything that ended is forgotten. Maps of an ancestor become the
 * process's own, so that nothing hangs on those who are gone.
 */
#include "model/private.h"

struct survival {
	const struct model *from;
	struct model *to;
	u32 epoch; /* threads that ended before are not needed any more */
	u64 time; /* nor is what was mapped before */
	u32 *procs; /* new number of each, 0 = not copied */
};

static bool is_needed(const struct survival *s, const struct thread *t)
{
	return !t->ended || t->ended > s->epoch;
}

static int by_begin(const void *a, const void *b)
{
	const struct model_map *x = *(const struct model_map *const *)a;
	const struct model_map *y = *(const struct model_map *const *)b;

	if (x->t0 != y->t0)
		return x->t0 < y->t0 ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* What an ancestor had when the next one was forked; there from the beginning. */
static void copy_inherited(const struct survival *s, const struct proc *p, u64 time, u32 to)
{
	for (int dead = 0; dead < 2; dead++) {
		const struct map_vec *maps = dead ? &p->dead : &p->live;

		VEC_FOR(maps, map) {
			struct model_map copy = **map;

			if (copy.t0 > time || (dead && time >= copy.t1))
				continue;
			copy.t0 = 0;
			copy.t1 = UINT64_MAX;
			proc_add_map(s->to, &s->to->procs.v[to], &copy);
		}
	}
}

/* Its own mappings once more, in their order: what covers what comes out the same. */
static void copy_own(const struct survival *s, const struct proc *p, u32 to)
{
	VEC(const struct model_map *) maps = { 0 };

	VEC_FOR(&p->live, map)
		*VEC_PUSH(&maps) = *map;
	VEC_FOR(&p->dead, map)
		if ((*map)->t1 > s->time)
			*VEC_PUSH(&maps) = *map;
	VEC_SORT(&maps, by_begin);
	VEC_FOR(&maps, map) {
		struct model_map copy = **map;

		copy.t1 = UINT64_MAX;
		proc_add_map(s->to, &s->to->procs.v[to], &copy);
	}
	vec_free(&maps);
}

static u32 copy_proc(const struct survival *s, u32 proc)
{
	VEC(u32) line = { 0 }; /* from the process to its oldest ancestor */
	u32 to = 0;

	if (!proc || s->procs[proc])
		return s->procs[proc];
	for (u32 p = proc; p; p = s->from->procs.v[p].parent)
		*VEC_PUSH(&line) = p;
	model_proc_new(s->to, s->from->procs.v[proc].pid, &to);
	s->procs[proc] = to;
	while (line.nr > 1) {
		const struct proc *ancestor = &s->from->procs.v[line.v[--line.nr]];

		copy_inherited(s, ancestor, s->from->procs.v[line.v[line.nr - 1]].fork_time, to);
	}
	copy_own(s, &s->from->procs.v[proc], to);
	s->to->procs.v[to].program = moved_text_program(s->from, proc);
	vec_free(&line);
	return to;
}

str_id model_adopt_name(struct model *m, const struct model *from, str_id name)
{
	return name ? intern_adds(&m->strs, intern_str(&from->strs, name)) : 0;
}

static str_id copy_str(const struct survival *s, str_id id)
{
	return model_adopt_name(s->to, s->from, id);
}

static void copy_thread(const struct survival *s, const struct thread *t)
{
	u32 proc = copy_proc(s, t->proc);
	u32 i = model_add_life(s->to, t->pid, t->tid, t->start);
	struct thread *new = &s->to->threads.v[i];

	new->proc = proc;
	new->ptid = t->ptid;
	new->ended = t->ended;
	s->to->nr_ended += t->ended != 0;
	new->placeholder = copy_str(s, t->placeholder);
	VEC_FOR(&t->cgroup_nss, c)
		if (c == VEC_LAST(&t->cgroup_nss) || c[1].time > s->time)
			*VEC_PUSH(&new->cgroup_nss) = (struct cgroup_ns_change){
				c->time, model_cgroup_ns_number(s->to, s->from->cgroup_nss.v[c->ns])
			};
	VEC_FOR(&t->comms, c)
		if (c == VEC_LAST(&t->comms) || c[1].time > s->time)
			*VEC_PUSH(&new->comms) = (struct comm_change){ c->time,
								       copy_str(s, c->comm) };
}

/* What belongs to no thread: the kernel's code, guests' kernels, cgroups. */
static void copy_machine(const struct survival *s)
{
	const struct model *from = s->from;

	/* (code that was unloaded a moment ago would be there for good) */
	VEC_FOR(&from->procs.v[0].live, map)
		proc_add_map(s->to, &s->to->procs.v[0], *map);
	if (from->kernel_main)
		s->to->kernel_main = arena_dup(&s->to->arena, from->kernel_main,
					       sizeof(*from->kernel_main));
	for (size_t i = 0; i < from->guests.nr && i < s->to->guests.nr; i++) {
		copy_own(s, &from->procs.v[from->guests.v[i].proc], s->to->guests.v[i].proc);
		s->to->guests.v[i].kernel = from->guests.v[i].kernel;
	}
	VEC_FOR(&from->cgroups, c)
		*VEC_PUSH(&s->to->cgroups) = (struct cgroup_entry){ c->id, copy_str(s, c->path) };
}

size_t model_size(const struct model *m)
{
	/* bytes of a thread's lists, with what malloc() needs; a process has more of them */
	enum { LISTS = 64 };

	return m->arena.used + m->threads.nr * (sizeof(struct thread) + LISTS) +
	       m->procs.nr * (sizeof(struct proc) + 4 * (size_t)LISTS) +
	       m->cgroups.nr * sizeof(struct cgroup_entry);
}

struct model *model_survivors(const struct model *m, u32 epoch, u64 time)
{
	struct survival s = { .from = m, .to = model_new(m->dsos), .epoch = epoch, .time = time };
	u32 idle = 1;

	s.to->live_jits = m->live_jits;
	s.to->epoch = m->epoch;
	s.to->jit_times = m->jit_times;
	s.procs = XNEW_ARRAY(u32, m->procs.nr);
	copy_machine(&s);
	for (u32 i = idle + 1; i < m->threads.nr; i++)
		if (is_needed(&s, &m->threads.v[i]))
			copy_thread(&s, &m->threads.v[i]);
	/* a leader stands for threads that no record told of */
	for (u32 i = idle + 1; i < m->threads.nr; i++) {
		const struct thread *t = &m->threads.v[i];

		if (t->pid == t->tid && !is_needed(&s, t) && s.procs[t->proc])
			copy_thread(&s, t);
	}
	VEC_FOR(&m->jits, j) {
		if (j->proc && s.procs[j->proc]) {
			*VEC_PUSH(&s.to->jits) = *j;
			VEC_LAST(&s.to->jits)->proc = s.procs[j->proc];
		}
	}
	VEC_FOR(&m->jit_files, f) {
		u32 proc = s.procs[f->proc];

		if (proc)
			*VEC_PUSH(&s.to->jit_files) = jit_file_copy(f, proc, copy_str(&s, f->name));
	}
	model_freeze(s.to);
	free(s.procs);
	return s.to;
}

void model_mark_objects(const struct model *m, u8 *in_use)
{
	VEC_FOR(&m->procs, p) {
		VEC_FOR(&p->live, map)
			in_use[(*map)->dso] = 1;
		VEC_FOR(&p->dead, map)
			in_use[(*map)->dso] = 1;
	}
}

void model_set_epoch(struct model *m, u32 epoch)
{
	m->epoch = epoch;
}

u32 model_nr_ended(const struct model *m)
{
	return m->nr_ended;
}
