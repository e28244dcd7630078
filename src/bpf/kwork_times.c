/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/kwork_times.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bpf/kwork_times.skel.h"
#include "bpf/library.h"

static const char doing[] = "measure work of the kernel in the kernel";

struct kwork_times {
	struct kwork_times_bpf *bpf;
	struct kwork_times_opts o;
	u64 raises, entries; /* open at the end */
};

static int refuse(struct err *e, int code, const char *what)
{
	return bpf_refuse(e, code, doing, what);
}

/* Programs of what is not asked for cost nothing. */
static void choose_programs(const struct kwork_times_bpf *b, const struct kwork_times_opts *o)
{
	const bool irqs = o->kinds[KWORK_TIMES_IRQ], softirqs = o->kinds[KWORK_TIMES_SOFTIRQ],
		   works = o->kinds[KWORK_TIMES_WORK] && !o->by_task;
	const struct {
		struct bpf_program *program;
		bool wanted;
	} all[] = {
		{ b->progs.kwork_irq_begins, irqs },
		{ b->progs.kwork_irq_ends, irqs },
		{ b->progs.kwork_softirq_is_asked_for, softirqs && !o->by_task },
		{ b->progs.kwork_softirq_begins, softirqs },
		{ b->progs.kwork_softirq_ends, softirqs },
		{ b->progs.kwork_work_is_asked_for, works },
		{ b->progs.kwork_work_begins, works },
		{ b->progs.kwork_work_ends, works },
		{ b->progs.kwork_task_switches, o->by_task },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		bpf_program__set_autoload(all[i].program, all[i].wanted);
}

static int load(struct kwork_times_bpf *b, const struct kwork_times_opts *o, struct err *e)
{
	int r;

	b->rodata->only_cpus = o->cpus != NULL;
	b->rodata->waits = o->waits;
	b->rodata->by_task = o->by_task;
	choose_programs(b, o);
	r = bpf_map__set_max_entries(b->maps.times, o->possible_cpus);
	if (!r)
		r = kwork_times_bpf__load(b);
	if (r < 0)
		return refuse(e, -r, "the kernel does not take the BPF program");
	r = bpf_put_numbers(b->maps.cpus, o->cpus, o->nr_cpus);
	return r < 0 ? refuse(e, -r, "too many CPUs") : 0;
}

static int start(struct kwork_times *t, struct err *e)
{
	int r;

	if ((t->o.by_task && bpf_check_pids(doing, e) < 0) || bpf_check_types(doing, e) < 0)
		return -1;
	t->bpf = kwork_times_bpf__open();
	if (!t->bpf)
		return refuse(e, errno, "libbpf does not take the BPF program");
	if (load(t->bpf, &t->o, e))
		return -1;
	r = kwork_times_bpf__attach(t->bpf);
	return r < 0 ? refuse(e, -r, "the BPF program cannot be attached") : 0;
}

struct kwork_times *kwork_times_new(const struct kwork_times_opts *o, struct err *e)
{
	struct kwork_times *t = XNEW(struct kwork_times);

	t->o = *o;
	if (start(t, e) == 0)
		return t;
	kwork_times_free(t);
	return NULL;
}

void kwork_times_free(struct kwork_times *t)
{
	if (!t)
		return;
	kwork_times_bpf__destroy(t->bpf);
	free(t);
}

void kwork_times_enable(struct kwork_times *t, bool on)
{
	__atomic_store_n(&t->bpf->bss->shared.enabled, on, __ATOMIC_RELEASE);
}

struct kwork_times_shared kwork_times_counts(const struct kwork_times *t)
{
	struct kwork_times_shared s = t->bpf->bss->shared;

	s.raises += t->raises;
	s.entries += t->entries;
	return s;
}

static int count_wishes(struct kwork_times *t, struct err *e)
{
	int map = bpf_map__fd(t->bpf->maps.wishes);
	struct kwork_times_key key, before, *last = NULL;
	struct kwork_times_wish wish;

	t->raises = 0;
	for (; t->o.waits && !bpf_map_get_next_key(map, last, &key); last = &before) {
		before = key;
		if (bpf_map_lookup_elem(map, &key, &wish))
			return refuse(e, errno, "its results cannot be read");
		t->raises += wish.since != 0;
	}
	return 0;
}

int kwork_times_read(struct kwork_times *t,
		     void (*fn)(void *ctx, const struct kwork_times_key *key,
				const struct kwork_times_work *work),
		     void *ctx, struct err *e)
{
	int map = bpf_map__fd(t->bpf->maps.works);
	struct kwork_times_key key, before, *last = NULL;
	struct kwork_times_work work;

	t->entries = 0;
	for (; !bpf_map_get_next_key(map, last, &key); last = &before) {
		before = key;
		if (bpf_map_lookup_elem(map, &key, &work))
			return refuse(e, errno, "its results cannot be read");
		t->entries += !t->o.waits && work.began;
		fn(ctx, &key, &work);
	}
	return count_wishes(t, e);
}

int kwork_times_read_tasks(const struct kwork_times *t,
			   void (*fn)(void *ctx, const struct kwork_times_part *part,
				      const struct kwork_times_task *task),
			   void *ctx, struct err *e)
{
	int map = bpf_map__fd(t->bpf->maps.parts);
	struct kwork_times_part part, before, *last = NULL;
	struct kwork_times_task task;

	for (; !bpf_map_get_next_key(map, last, &part); last = &before) {
		before = part;
		if (bpf_map_lookup_elem(map, &part, &task))
			return refuse(e, errno, "its results cannot be read");
		fn(ctx, &part, &task);
	}
	return 0;
}

bool kwork_times_read_cpu(const struct kwork_times *t, u32 cpu, struct kwork_times_cpu *out)
{
	return cpu < t->o.possible_cpus &&
	       !bpf_map_lookup_elem(bpf_map__fd(t->bpf->maps.times), &cpu, out);
}
