/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/call_latency.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "bpf/call_latency.skel.h"
#include "bpf/library.h"
#include "sys/cpu.h"

struct call_latency {
	struct call_latency_bpf *bpf;
	struct bpf_link *links[2];
	u32 nr_cpus; /* that there may ever be */
	u32 nr_buckets;
};

static const char doing[] = "measure latencies in the kernel";

static int refuse(struct err *e, int code, const char *what)
{
	return bpf_refuse(e, code, doing, what);
}

static int load(struct call_latency *c, const struct call_latency_opts *o, struct err *e)
{
	struct call_latency_bpf *b = c->bpf;
	bool same = o->events[0] && !strcmp(o->events[0], o->events[1]);
	int r;

	b->rodata->only_tids = o->tids != NULL;
	b->rodata->only_cpus = o->cpus != NULL;
	b->rodata->unit = o->in_ns ? 1 : 1000;
	b->rodata->range = o->range;
	b->rodata->least = o->least;
	b->rodata->nr_buckets = (u32)o->nr;
	bpf_program__set_autoload(b->progs.function_begin, o->function != NULL);
	bpf_program__set_autoload(b->progs.function_end, o->function != NULL);
	bpf_program__set_autoload(b->progs.event_begin, !o->function && !same);
	bpf_program__set_autoload(b->progs.event_end, !o->function && !same);
	bpf_program__set_autoload(b->progs.event_again, !o->function && same);
	bpf_program__set_autoload(b->progs.task_begins, o->tids && o->children);
	r = bpf_map__set_max_entries(b->maps.buckets, (u32)o->nr);
	if (!r)
		r = call_latency_bpf__load(b);
	return r < 0 ? refuse(e, -r, "the kernel does not take the BPF program") : 0;
}

static int fill(const struct call_latency *c, const struct call_latency_opts *o, struct err *e)
{
	int r = bpf_put_numbers(c->bpf->maps.tids, o->tids, o->nr_tids);

	if (r >= 0)
		r = bpf_put_numbers(c->bpf->maps.cpus, o->cpus, o->nr_cpus);
	return r < 0 ? refuse(e, -r, "too many threads or CPUs") : 0;
}

static int attach_event(struct call_latency *c, size_t i, struct bpf_program *program,
			const char *name, struct err *e)
{
	const char *colon = strchr(name, ':');
	_cleanup_(mem_freep) char *system = NULL;

	if (!colon)
		return err_set(e, EINVAL, "'%s' is no event: it is SYSTEM:NAME", name);
	system = xstrndup(name, (size_t)(colon - name));
	c->links[i] = bpf_program__attach_tracepoint(program, system, colon + 1);
	if (c->links[i])
		return 0;
	if (errno == ENOENT)
		return err_set(e, ENOENT, "there is no event '%s'", name);
	return refuse(e, errno, "its program cannot be attached to the event");
}

static int attach_function(struct call_latency *c, const char *name, struct err *e)
{
	struct bpf_program *programs[] = { c->bpf->progs.function_begin,
					   c->bpf->progs.function_end };

	for (size_t i = ARRAY_SIZE(programs); i-- > 0;) {
		c->links[i] = bpf_program__attach_kprobe(programs[i], i == 1, name);
		if (c->links[i])
			continue;
		if (errno == ENOENT && access("/sys/bus/event_source/devices/kprobe", F_OK) < 0) {
			err_set(e, ENOTSUP,
				"cannot measure '%s' in the kernel: this kernel has no kprobes",
				name);
			err_hint(e,
				 "it needs CONFIG_KPROBE_EVENTS; -e measures between tracepoints");
			return -1;
		}
		if (errno == ENOENT || errno == EINVAL || errno == EADDRNOTAVAIL)
			return err_set(e, errno, "no function '%s' can be probed", name);
		return refuse(e, errno, "its program cannot be attached to the function");
	}
	return 0;
}

static int attach(struct call_latency *c, const struct call_latency_opts *o, struct err *e)
{
	struct call_latency_bpf *b = c->bpf;
	int r = call_latency_bpf__attach(b);

	if (r < 0)
		return refuse(e, -r, "the BPF program cannot be attached");
	if (o->function)
		return attach_function(c, o->function, e);
	if (!strcmp(o->events[0], o->events[1]))
		return attach_event(c, 0, b->progs.event_again, o->events[0], e);
	if (attach_event(c, 1, b->progs.event_end, o->events[1], e))
		return -1;
	return attach_event(c, 0, b->progs.event_begin, o->events[0], e);
}

static int start(struct call_latency *c, const struct call_latency_opts *o, struct err *e)
{
	u32 *possible = NULL;
	size_t nr = 0;

	if ((o->tids && bpf_check_pids(doing, e) < 0) || bpf_check_types(doing, e) < 0)
		return -1;
	/* the kernel writes a value for each of them */
	if (sys_cpu_list(NULL, "cpu/possible", &possible, &nr, e))
		return -1;
	c->nr_cpus = nr ? possible[nr - 1] + 1 : 1;
	free(possible);
	c->nr_buckets = (u32)o->nr;
	c->bpf = call_latency_bpf__open();
	if (!c->bpf)
		return refuse(e, errno, "libbpf does not take the BPF program");
	return load(c, o, e) || fill(c, o, e) || attach(c, o, e) ? -1 : 0;
}

struct call_latency *call_latency_new(const struct call_latency_opts *o, struct err *e)
{
	struct call_latency *c = XNEW(struct call_latency);

	if (start(c, o, e) == 0)
		return c;
	call_latency_free(c);
	return NULL;
}

void call_latency_free(struct call_latency *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(c->links); i++) {
		if (c->links[i])
			bpf_link__destroy(c->links[i]);
	}
	call_latency_bpf__destroy(c->bpf);
	free(c);
}

void call_latency_enable(struct call_latency *c, bool on)
{
	__atomic_store_n(&c->bpf->bss->shared.enabled, on, __ATOMIC_RELEASE);
}

u64 call_latency_lost(const struct call_latency *c)
{
	return c->bpf->bss->shared.lost;
}

int call_latency_read(const struct call_latency *c, u64 *counts, struct call_latency_sums *sums,
		      struct err *e)
{
	_cleanup_(mem_freep) struct call_latency_sums *each = xcalloc(c->nr_cpus, sizeof(*each));
	const u32 zero = 0;
	int r = bpf_map_lookup_elem(bpf_map__fd(c->bpf->maps.sums), &zero, each);

	for (u32 i = 0; !r && i < c->nr_buckets; i++)
		r = bpf_map_lookup_elem(bpf_map__fd(c->bpf->maps.buckets), &i, &counts[i]);
	if (r < 0)
		return refuse(e, -r, "its results cannot be read");
	*sums = (struct call_latency_sums){ 0 };
	for (u32 i = 0; i < c->nr_cpus; i++) {
		if (!each[i].count)
			continue;
		if (!sums->count || each[i].least < sums->least)
			sums->least = each[i].least;
		sums->most = MAX(sums->most, each[i].most);
		sums->count += each[i].count;
		sums->total += each[i].total;
	}
	return 0;
}
