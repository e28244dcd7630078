/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of bpf/kwork_times, where the kernel asks for work, begins it and ends it: the state
 * machines of analyze/kwork and analyze/kwork_top.
 */
#include "bpf/kwork_times_program.h"

#include "bpf/tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

/* Set before the programs are loaded. */
const volatile bool only_cpus;
const volatile bool waits; /* what nobody asked for counts as without a counterpart */
const volatile bool by_task; /* what CPUs' time went to, in place of rows of work */

struct kwork_times_shared shared;

HASH_MAP(struct kwork_times_key, struct kwork_times_work, 16384) works SEC(".maps");
HASH_MAP(struct kwork_times_key, struct kwork_times_wish, 16384) wishes SEC(".maps");
MAP(BPF_MAP_TYPE_ARRAY, u32, struct kwork_times_cpu, 1) times SEC(".maps"); /* by CPU */
HASH_MAP(struct kwork_times_part, struct kwork_times_task, 65536) parts SEC(".maps");
HASH_MAP(u32, u64, 8192) cpus SEC(".maps"); /* the keys alone count */

static __always_inline bool is_wanted(u32 cpu)
{
	if (!shared.enabled || (only_cpus && !bpf_map_lookup_elem(&cpus, &cpu)))
		return false;
	count(&shared.events);
	return true;
}

/* ------------------------------------------------------------------ rows of work */

static __always_inline void add_length(struct kwork_times_sums *s, u64 from, u64 until)
{
	u64 ns = until - from;

	s->nr++;
	s->total += ns;
	if (ns <= s->max && s->nr > 1)
		return;
	s->max = ns;
	s->max_start = from;
	s->max_end = until;
}

/* Work of workqueues runs on any CPU, whoever asked. */
static __always_inline struct kwork_times_wish *find_wish(struct kwork_times_key key, bool make)
{
	struct kwork_times_wish none = { .since = 0 }, *wish;

	if (key.kind == KWORK_TIMES_WORK)
		key.cpu = 0;
	wish = bpf_map_lookup_elem(&wishes, &key);
	if (wish || !make)
		return wish;
	bpf_map_update_elem(&wishes, &key, &none, BPF_NOEXIST);
	wish = bpf_map_lookup_elem(&wishes, &key);
	if (!wish)
		count(&shared.lost);
	return wish;
}

static __always_inline void forget_wish(struct kwork_times_key key)
{
	if (key.kind != KWORK_TIMES_WORK)
		return;
	key.cpu = 0;
	bpf_map_delete_elem(&wishes, &key);
}

static __always_inline int work_is_asked_for(u32 kind, u64 id)
{
	struct kwork_times_key key = { id, bpf_get_smp_processor_id(), kind };
	u64 now = bpf_ktime_get_ns();
	struct kwork_times_wish *wish;

	if (!is_wanted(key.cpu))
		return 0;
	wish = find_wish(key, true);
	if (!wish)
		return 0;
	if (wish->since && !wish->left) {
		if (waits && wish->again)
			count(&shared.raises);
		wish->again = now;
		return 0;
	}
	if (waits && wish->left)
		count(&shared.raises);
	wish->since = now;
	wish->left = 0;
	return 0;
}

static __always_inline struct kwork_times_work *find_work(const struct kwork_times_key *key)
{
	struct kwork_times_work *work = bpf_map_lookup_elem(&works, key), none = { .began = 0 };

	if (work)
		return work;
	bpf_map_update_elem(&works, key, &none, BPF_NOEXIST);
	work = bpf_map_lookup_elem(&works, key);
	if (!work)
		count(&shared.lost);
	return work;
}

static __always_inline struct kwork_times_work *work_begins(u32 kind, u64 id)
{
	struct kwork_times_key key = { id, bpf_get_smp_processor_id(), kind };
	u64 now = bpf_ktime_get_ns();
	struct kwork_times_wish *wish = NULL;
	struct kwork_times_work *work;

	if (!is_wanted(key.cpu))
		return NULL;
	work = find_work(&key);
	if (!work)
		return NULL;
	if (kind != KWORK_TIMES_IRQ)
		wish = find_wish(key, false);
	if (work->began && !waits)
		count(&shared.entries);
	work->began = now;
	if (wish && wish->since && wish->since <= now)
		add_length(&work->waits, wish->since, now);
	else if (waits)
		count(&shared.entries);
	if (wish && !wish->again) {
		wish->since = wish->left = 0;
		forget_wish(key); /* addresses of work are many */
	} else if (wish) {
		wish->since = wish->again;
		wish->left = 1;
		wish->again = 0;
	}
	return work;
}

static __always_inline int work_ends(u32 kind, u64 id)
{
	struct kwork_times_key key = { id, bpf_get_smp_processor_id(), kind };
	struct kwork_times_work *work;

	if (!is_wanted(key.cpu))
		return 0;
	work = bpf_map_lookup_elem(&works, &key);
	if (!work || !work->began) {
		if (!waits)
			count(&shared.exits);
		return 0;
	}
	add_length(&work->runs, work->began, bpf_ktime_get_ns());
	work->began = 0;
	return 0;
}

/* ------------------------------------------------------------------ time of CPUs */

static __always_inline struct kwork_times_cpu *this_cpu(void)
{
	u32 cpu = bpf_get_smp_processor_id();

	return is_wanted(cpu) ? bpf_map_lookup_elem(&times, &cpu) : NULL;
}

static __always_inline void add_runtime(u32 tid, u64 ns)
{
	struct kwork_times_part part = { tid, bpf_get_smp_processor_id() };
	struct kwork_times_task *task = bpf_map_lookup_elem(&parts, &part), none = { .runtime = 0 };

	if (!task) {
		bpf_map_update_elem(&parts, &part, &none, BPF_NOEXIST);
		task = bpf_map_lookup_elem(&parts, &part);
	}
	if (!task) {
		count(&shared.lost);
		return;
	}
	task->runtime += ns;
	bpf_get_current_comm(task->comm, sizeof(task->comm));
}

/* Interrupts lie within a softirq or outside of it: the end of this one was not seen. */
static __always_inline void drop_irq(struct kwork_times_cpu *c)
{
	if (c->began[KWORK_TIMES_IRQ])
		count(&shared.entries);
	c->began[KWORK_TIMES_IRQ] = 0;
}

static __always_inline int handler_begins(u32 kind)
{
	struct kwork_times_cpu *c = this_cpu();

	if (!c)
		return 0;
	if (c->began[kind])
		count(&shared.entries);
	c->began[kind] = bpf_ktime_get_ns();
	if (kind == KWORK_TIMES_SOFTIRQ) {
		drop_irq(c);
		c->irq_before = c->spent[KWORK_TIMES_IRQ];
	}
	return 0;
}

static __always_inline int handler_ends(u32 kind)
{
	struct kwork_times_cpu *c = this_cpu();
	u64 ns;

	if (!c)
		return 0;
	if (!c->began[kind]) {
		count(&shared.exits);
		return 0;
	}
	ns = bpf_ktime_get_ns() - c->began[kind];
	/* interrupts within a softirq are not its own time */
	if (kind == KWORK_TIMES_SOFTIRQ) {
		drop_irq(c);
		ns -= c->spent[KWORK_TIMES_IRQ] - c->irq_before;
	}
	c->began[kind] = 0;
	c->spent[kind] += ns;
	return 0;
}

SEC("tp_btf/sched_switch")
int kwork_task_switches(u64 *ctx)
{
	struct task_struct *prev = (void *)ctx[1], *next = (void *)ctx[2];
	struct kwork_times_cpu *c = this_cpu();
	u64 now = bpf_ktime_get_ns(), ns, irq, softirq;
	u32 tid = (u32)BPF_CORE_READ(prev, pid);

	if (!c)
		return 0;
	if (c->known) {
		ns = now - c->since;
		irq = c->spent[KWORK_TIMES_IRQ] < ns ? c->spent[KWORK_TIMES_IRQ] : ns;
		softirq = c->spent[KWORK_TIMES_SOFTIRQ] < ns - irq ? c->spent[KWORK_TIMES_SOFTIRQ]
								   : ns - irq;
		c->total += ns;
		if (c->tid == tid) {
			c->irq += irq;
			c->softirq += softirq;
			add_runtime(tid, ns - irq - softirq);
		} else {
			c->unknown += ns;
			count(&shared.entries);
		}
	}
	c->known = 1;
	c->tid = (u32)BPF_CORE_READ(next, pid);
	c->since = now;
	c->began[0] = c->began[1] = c->spent[0] = c->spent[1] = 0;
	return 0;
}

/* ------------------------------------------------------------------ events */

SEC("tp_btf/irq_handler_entry")
int kwork_irq_begins(u64 *ctx)
{
	struct irqaction *action = (void *)ctx[1];
	struct kwork_times_work *work;

	if (by_task)
		return handler_begins(KWORK_TIMES_IRQ);
	work = work_begins(KWORK_TIMES_IRQ, (u32)ctx[0]);
	if (work && !work->name[0])
		bpf_probe_read_kernel_str(work->name, sizeof(work->name),
					  BPF_CORE_READ(action, name));
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int kwork_irq_ends(u64 *ctx)
{
	return by_task ? handler_ends(KWORK_TIMES_IRQ) : work_ends(KWORK_TIMES_IRQ, (u32)ctx[0]);
}

SEC("tp_btf/softirq_raise")
int kwork_softirq_is_asked_for(u64 *ctx)
{
	return work_is_asked_for(KWORK_TIMES_SOFTIRQ, (u32)ctx[0]);
}

SEC("tp_btf/softirq_entry")
int kwork_softirq_begins(u64 *ctx)
{
	if (by_task)
		return handler_begins(KWORK_TIMES_SOFTIRQ);
	work_begins(KWORK_TIMES_SOFTIRQ, (u32)ctx[0]);
	return 0;
}

SEC("tp_btf/softirq_exit")
int kwork_softirq_ends(u64 *ctx)
{
	return by_task ? handler_ends(KWORK_TIMES_SOFTIRQ)
		       : work_ends(KWORK_TIMES_SOFTIRQ, (u32)ctx[0]);
}

SEC("tp_btf/workqueue_activate_work")
int kwork_work_is_asked_for(u64 *ctx)
{
	return work_is_asked_for(KWORK_TIMES_WORK, ctx[0]);
}

SEC("tp_btf/workqueue_execute_start")
int kwork_work_begins(u64 *ctx)
{
	struct work_struct *w = (void *)ctx[0];
	struct kwork_times_work *work = work_begins(KWORK_TIMES_WORK, ctx[0]);

	if (work)
		work->function = (u64)BPF_CORE_READ(w, func);
	return 0;
}

SEC("tp_btf/workqueue_execute_end")
int kwork_work_ends(u64 *ctx)
{
	return work_ends(KWORK_TIMES_WORK, ctx[0]);
}
