/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/model.h"

#include <stdio.h>

#include "base/bits.h"
#include "base/hash.h"
#include "dso/jit/jitdump.h"
#include "model/private.h"
#include "perfdata/record.h"

struct model *model_new(struct dso_table *dsos)
{
	struct model *m = XNEW(struct model);
	u32 kernel;

	m->dsos = dsos;
	*VEC_PUSH(&m->threads) = (struct thread){ 0 };
	*VEC_PUSH(&m->cgroup_nss) = (struct model_cgroup_ns){ 0 };
	model_proc_new(m, 0, &kernel); /* proc 0, space 0 */
	m->idle = model_touch_thread(m, 0, 0);
	*VEC_PUSH(&m->threads.v[m->idle].comms) =
		(struct comm_change){ .comm = intern_adds(&m->strs, "swapper") };
	guests_add(m);
	return m;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	VEC_FOR(&m->threads, t) {
		vec_free(&t->comms);
		vec_free(&t->cgroup_nss);
	}
	VEC_FOR(&m->procs, p)
		proc_release(p);
	vec_free(&m->threads);
	vec_free(&m->procs);
	vec_free(&m->cgroups);
	vec_free(&m->cgroup_nss);
	map_release(&m->by_cgroup_ns);
	vec_free(&m->jits);
	VEC_FOR(&m->jit_files, f)
		jit_file_release(f);
	vec_free(&m->jit_files);
	vec_free(&m->guests);
	map_release(&m->by_tid);
	intern_release(&m->strs);
	arena_release(&m->arena);
	free(m);
}

/* First life of a tid, 0 = never seen. */
static u32 first_life(const struct model *m, u32 tid)
{
	u32 i;

	for (struct map_probe p = map_first(&m->by_tid, hash_u64(tid));
	     map_next(&m->by_tid, &p, &i);)
		if (m->threads.v[i].tid == tid)
			return i;
	return 0;
}

/* Life of tid at a time, 0 = none; *next = start of the life after it. */
static u32 life_at(const struct model *m, u32 tid, u64 time, u64 *next)
{
	u32 found = 0;

	*next = UINT64_MAX;
	for (u32 i = first_life(m, tid); i; i = m->threads.v[i].next) {
		if (m->threads.v[i].start > time) {
			*next = m->threads.v[i].start;
			break;
		}
		found = i;
	}
	return found;
}

/*
 * A thread that is being reaped has lost its number (0), not yet that of its process: a thread of
 * its own for each process, by a number that no thread has. 0 of process 0 are the idle tasks.
 */
#define REAPED (1U << 31)

static u32 known_tid(u32 pid, u32 tid)
{
	return !tid && pid && pid < REAPED ? REAPED | pid : tid;
}

static u32 shown_tid(u32 tid)
{
	return tid & REAPED && tid != (u32)-1 ? 0 : tid;
}

/* A new life of tid from time on; the lives of a tid are linked in order of time. */
u32 model_add_life(struct model *m, u32 pid, u32 tid, u64 time)
{
	u32 i = (u32)m->threads.nr;
	u32 first = first_life(m, tid);
	struct thread *t = VEC_PUSH(&m->threads);

	*t = (struct thread){ .pid = pid, .tid = tid, .ptid = (u32)-1, .start = time };
	if (!first) {
		map_add(&m->by_tid, hash_u64(tid), i);
		return i;
	}
	if (m->threads.v[first].start > time) {
		/*
		 * Before the known ones: the table's entry stays with the first number, so the
		 * contents change places.
		 */
		struct thread tmp = m->threads.v[first];

		m->threads.v[first] = *t;
		m->threads.v[first].next = i;
		m->threads.v[i] = tmp;
		return first;
	}
	while (m->threads.v[first].next && m->threads.v[m->threads.v[first].next].start <= time)
		first = m->threads.v[first].next;
	t->next = m->threads.v[first].next;
	m->threads.v[first].next = i;
	return i;
}

static void set_placeholder(struct model *m, u32 thread)
{
	char name[16];

	snprintf(name, sizeof(name), ":%d", (int)shown_tid(m->threads.v[thread].tid));
	m->threads.v[thread].placeholder = intern_adds(&m->strs, name);
}

/* The process a thread belongs to: its leader's, made when it is not known. */
static u32 leader_proc(struct model *m, u32 pid, u32 tid, u64 time)
{
	u64 next;
	u32 leader;
	u32 proc;

	if (pid != tid) {
		leader = life_at(m, pid, time, &next);
		if (!leader)
			leader = model_touch_thread(m, pid, pid);
		return m->threads.v[leader].proc;
	}
	model_proc_new(m, pid, &proc);
	return proc;
}

/* Threads that are gone have lost their number, some not yet that of their process: one for all. */
static u32 pid_of_gone(u32 pid, u32 tid)
{
	return tid == (u32)-1 ? (u32)-1 : pid;
}

static u32 find_or_add(struct model *m, u32 pid, u32 tid, u64 time)
{
	u64 next;
	u32 t = life_at(m, tid = known_tid(pid, tid), time, &next);
	u32 proc;

	pid = pid_of_gone(pid, tid);
	if (t && (m->threads.v[t].pid == pid || pid == (u32)-1))
		return t;
	if (t && m->threads.v[t].pid == (u32)-1) {
		m->threads.v[t].pid = pid;
		return t;
	}
	if (t) /* the tid now belongs to another process, which no record told */
		t = model_add_life(m, pid, tid, time);
	else
		t = model_add_life(m, pid, tid, 0);
	set_placeholder(m, t);
	proc = leader_proc(m, pid, tid, time);
	m->threads.v[t].proc = proc;
	return t;
}

u32 model_touch_thread(struct model *m, u32 pid, u32 tid)
{
	return find_or_add(m, pid, tid, 0);
}

static str_id comm_at(const struct thread *t, u64 time, u64 *t0, u64 *t1)
{
	size_t i = t->comms.nr;

	while (i && t->comms.v[i - 1].time > time) {
		*t1 = MIN(*t1, t->comms.v[i - 1].time);
		i--;
	}
	if (!i)
		return t->placeholder;
	*t0 = MAX(*t0, t->comms.v[i - 1].time);
	return t->comms.v[i - 1].comm;
}

static void set_comm(struct thread *t, str_id comm, u64 time)
{
	struct comm_change *last = t->comms.nr ? VEC_LAST(&t->comms) : NULL;

	if (last && last->time >= time) {
		last->comm = comm;
		return;
	}
	if (last && last->comm == comm)
		return;
	*VEC_PUSH(&t->comms) = (struct comm_change){ .time = time, .comm = comm };
}

/* ---- side-band records ---- */

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

enum { PROT_EXEC_FLAG = 4 };

/* What a user mapping's name says about its object. Memory without code has no perf-PID.map. */
static void set_user_dso(struct model *m, u32 pid, const char *name, const struct build_id *id,
			 struct model_map *map)
{
	enum { MAP_HUGETLB_FLAG = 0x40000 };
	struct dso_key key = { .name = name, .build_id = *id, .pid = pid };

	key.kind = map->flags & MAP_HUGETLB_FLAG ? DSO_PERF_MAP : dso_kind_of_name(name);
	if (map->prot & PROT_EXEC_FLAG && !id->size && dso_table_is_jit_memory(m->dsos, name, pid))
		key.kind = DSO_PERF_MAP;
	map->identity = key.kind == DSO_PERF_MAP;
	if (map->identity)
		key.build_id.size = 0;
	if (map->identity && !(map->prot & PROT_EXEC_FLAG))
		key.kind = DSO_UNKNOWN_CODE;
	/* 64-bit processes have theirs near the stack */
	key.is32 = key.kind == DSO_VDSO && map->end <= 1ULL << 32;
	/* kernels before 3.16 tell its address for its offset */
	if (key.kind == DSO_VDSO && map->pgoff == map->start)
		map->pgoff = 0;
	map->dso = dso_table_add(m->dsos, &key);
}

#define KERNEL_NAME "[kernel.kallsyms]"

static void add_kernel_map(struct model *m, const char *name, const struct build_id *id,
			   struct model_map *map)
{
	struct dso_key key = { .build_id = *id, .start = map->start, .len = map->end - map->start };

	map->kernel = true;
	map->identity = true;
	if (starts_with(name, KERNEL_NAME)) {
		const char *ref = name + strlen(KERNEL_NAME);

		key.name = KERNEL_NAME;
		key.kind = DSO_KERNEL;
		if (*ref && map->pgoff)
			dso_table_set_kernel_ref(m->dsos, ref, map->pgoff);
	} else {
		key.name = name;
		key.kind = DSO_MODULE;
	}
	map->dso = dso_table_add(m->dsos, &key);
	proc_add_map(m, &m->procs.v[0], map);
	if (key.kind == DSO_KERNEL)
		m->kernel_main = arena_dup(&m->arena, map, sizeof(*map));
}

/* The compiler maps the file that it writes, as a sign. */
static void add_jit(struct model *m, u32 pid, u32 proc, const char *name, u64 time)
{
	struct dso_key key = { .name = name, .kind = DSO_JITDUMP, .pid = pid };
	const struct jitdump *dump;
	u32 named_pid;
	struct jit *j;
	dso_id dso;

	if (!jitdump_is_name(name, &named_pid))
		return;
	if (m->live_jits == MODEL_JITS_NAMES)
		dso_table_follow_dump(m->dsos, pid, name);
	else if (m->live_jits)
		jit_files_add(m, pid, proc, name, time);
	if (m->live_jits)
		return;
	dso = dso_table_add(m->dsos, &key);
	VEC_FOR(&m->jits, known)
		if (known->proc == proc && known->dso == dso)
			return;
	dump = dso_jitdump(dso_table_get(m->dsos, dso));
	j = VEC_PUSH(&m->jits);
	*j = (struct jit){ .proc = proc,
			   .dso = dso,
			   .unreadable = !dump || dump->pid != named_pid };
	if (!j->unreadable)
		j->clock = jit_clock_of(dump, time, m->jit_times);
}

static void add_code(struct model *m, const struct jit *j, const struct jit_code *c, u64 time)
{
	struct model_map map = { .start = c->addr,
				 .end = c->addr + c->size,
				 .pgoff = c->place,
				 .t0 = time,
				 .t1 = UINT64_MAX,
				 .dso = j->dso,
				 .prot = PROT_EXEC_FLAG | 1 };

	proc_add_map(m, &m->procs.v[j->proc], &map);
}

static void advance_jit(struct model *m, struct jit *j, u64 time)
{
	const struct jitdump *dump;

	if (j->unreadable)
		return;
	dump = dso_jitdump(dso_table_get(m->dsos, j->dso));
	for (; j->next < dump->codes.nr; j->next++) {
		const struct jit_code *c = &dump->codes.v[j->next];
		u64 t0 = jit_clock_time(&j->clock, c);

		if (t0 > time)
			break;
		add_code(m, j, c, t0);
	}
}

/* Memory is mapped before there is code in it: what is known without an exact time belongs on top.
 */
static void renew_inexact(struct model *m, u32 proc, const struct model_map *under)
{
	VEC_FOR(&m->jits, j) {
		const struct jitdump *dump;

		if ((!j->clock.timeless && !j->clock.shift) || j->unreadable || j->proc != proc ||
		    under->dso == j->dso)
			continue;
		dump = dso_jitdump(dso_table_get(m->dsos, j->dso));
		for (size_t i = 0; i < j->next; i++) {
			const struct jit_code *c = &dump->codes.v[i];

			if (c->addr < under->end && c->addr + c->size > under->start)
				add_code(m, j, c, under->t0);
		}
	}
}

void model_advance(struct model *m, u64 time)
{
	VEC_FOR(&m->jits, j)
		advance_jit(m, j, time);
}

void model_set_jit_times(struct model *m, bool comparable)
{
	m->jit_times = comparable;
}

static void note_damage(struct model_jits *out, const struct jitdump *dump)
{
	if (!dump || !dump->damaged)
		return;
	if (!out->damaged++) {
		out->damaged_at = dump->damaged;
		out->damaged_file = dump->path;
	}
}

struct model_jits model_jits(const struct model *m)
{
	struct model_jits out = { .reason = NULL };

	VEC_FOR(&m->jits, j) {
		struct dso *d = dso_table_get(m->dsos, j->dso);

		out.read += !j->unreadable;
		out.unreadable += j->unreadable;
		out.timeless += j->clock.timeless && !j->unreadable;
		note_damage(&out, j->unreadable ? NULL : dso_jitdump(d));
		if (!j->unreadable || out.reason)
			continue;
		dso_symtab(d); /* finds out why */
		out.reason = dso_symtab_problem(d);
		if (!out.reason)
			out.reason = "it has no code, or that of another process";
	}
	return out;
}

/*
 * Number 0 stands for the idle tasks, until mappings or other names are told of it: then the
 * recorder was in a pid namespace, and it stands for all tasks outside, which nothing tells apart.
 * What one of them maps or is called says nothing of a sample.
 */
static void forget_idle(struct model *m, u64 time)
{
	struct thread *t = &m->threads.v[m->idle];

	if (!t->placeholder)
		set_placeholder(m, m->idle);
	set_comm(&m->threads.v[m->idle], m->threads.v[m->idle].placeholder, time);
}

static void add_mapping(struct model *m, u16 misc, u32 pid, u32 tid, const char *name,
			const struct build_id *id, struct model_map *map)
{
	u32 thread, proc;

	if (map->end <= map->start)
		map->end = map->start > UINT64_MAX - 1 ? UINT64_MAX : map->end;
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		if (map->end == map->start)
			map->end = UINT64_MAX; /* length 0: to the end of memory */
		add_kernel_map(m, name, id, map);
		return;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		guest_add_map(m, pid, name, id, map);
		return;
	case PERF_RECORD_MISC_GUEST_USER:
	case PERF_RECORD_MISC_HYPERVISOR:
		return;
	default:
		break;
	}
	if (map->end <= map->start)
		return;
	if (!pid) {
		forget_idle(m, map->t0);
		return;
	}
	thread = find_or_add(m, pid, tid, map->t0);
	proc = m->threads.v[thread].proc;
	if (moved_text_is(m, proc, map, name))
		return;
	set_user_dso(m, pid, name, id, map);
	proc_add_map(m, &m->procs.v[proc], map);
	moved_text_note(m, proc, map);
	if (map->identity && m->jits.nr)
		renew_inexact(m, proc, map);
	if (map->prot & PROT_EXEC_FLAG)
		add_jit(m, pid, proc, name, map->t0);
}

static void apply_mmap(struct model *m, const struct perf_event_header *h,
		       const union record_view *v, u64 time)
{
	const struct record_mmap *r = &v->mmap;
	struct build_id id = { .size = r->build_id_size };
	struct model_map map = {
		.start = r->start,
		.end = r->len > UINT64_MAX - r->start ? UINT64_MAX : r->start + r->len,
		.pgoff = r->pgoff,
		.t0 = time,
		.t1 = UINT64_MAX,
		.maj = r->maj,
		.min = r->min,
		.ino = r->ino,
		.ino_generation = r->ino_generation,
		.prot = r->prot,
		.flags = r->flags,
	};

	if (r->build_id)
		memcpy(id.bytes, r->build_id, id.size);
	if (h->type == PERF_RECORD_MMAP)
		map.prot = h->misc & PERF_RECORD_MISC_MMAP_DATA ? 0 : PROT_EXEC_FLAG;
	add_mapping(m, h->misc, r->pid, r->tid, r->name.text, &id, &map);
}

static void apply_comm(struct model *m, const struct perf_event_header *h,
		       const union record_view *v, u64 time)
{
	const struct record_comm *r = &v->comm;
	struct thread *t;
	u32 thread;

	if (!r->pid && !starts_with(r->name.text, "swapper")) {
		forget_idle(m, time);
		return;
	}
	thread = find_or_add(m, r->pid, r->tid, time);
	t = &m->threads.v[thread];
	set_comm(t, intern_adds(&m->strs, r->name.text), time);
	if (h->misc & PERF_RECORD_MISC_COMM_EXEC)
		moved_text_exec(&m->procs.v[t->proc]);
}

static void apply_fork(struct model *m, const struct perf_event_header *h UNUSED,
		       const union record_view *v, u64 time)
{
	u64 t0 = 0;
	u64 t1 = UINT64_MAX;
	u64 next;
	u32 pid, ppid, tid, ptid;
	u32 parent, child, proc;
	str_id comm;

	pid = v->task.pid;
	ppid = v->task.ppid;
	tid = known_tid(pid, v->task.tid);
	ptid = v->task.ptid;
	parent = find_or_add(m, ppid, ptid, time);
	child = life_at(m, tid, time, &next);
	if (!child || m->threads.v[child].start < time || m->threads.v[child].pid != pid)
		child = model_add_life(m, pid, tid, time);
	m->threads.v[child].ptid = ptid;
	comm = comm_at(&m->threads.v[parent], time, &t0, &t1);
	if (comm != m->threads.v[parent].placeholder)
		set_comm(&m->threads.v[child], comm, time);
	else
		set_placeholder(m, child);
	if (pid == ppid) {
		m->threads.v[child].proc = m->threads.v[parent].proc;
		return;
	}
	if (m->threads.v[child].proc && m->procs.v[m->threads.v[child].proc].pid == pid &&
	    m->threads.v[child].start == 0 && time == 0)
		return; /* synthesised, and known already */
	if (pid != tid) {
		proc = leader_proc(m, pid, tid, time);
		m->threads.v[child].proc = proc;
		return;
	}
	model_proc_new(m, pid, &proc);
	m->procs.v[proc].parent = m->threads.v[parent].proc;
	m->procs.v[proc].fork_time = time;
	m->procs.v[proc].last_change = time;
	m->procs.v[proc].changed = ++m->map_changes;
	/* A synthesised parent says nothing about the child's mappings: they are told one by one.
	 */
	if (!time || m->procs.v[proc].parent == proc)
		m->procs.v[proc].parent = 0;
	m->threads.v[child].proc = proc;
}

static void apply_exit(struct model *m, const struct perf_event_header *h UNUSED,
		       const union record_view *v, u64 time)
{
	u64 next;
	struct thread *t;

	t = &m->threads.v[life_at(m, v->task.tid, time, &next)];
	if (!t->tid || t->pid != v->task.pid || t->ended)
		return;
	t->ended = m->epoch + 1;
	m->nr_ended++;
}

static void apply_ksymbol(struct model *m, const struct perf_event_header *h UNUSED,
			  const union record_view *v, u64 time)
{
	enum { UNREGISTER = 1 };
	const struct record_ksymbol *r = &v->ksymbol;
	struct model_map map = { .start = r->addr,
				 .end = r->addr + r->len,
				 .t0 = time,
				 .t1 = UINT64_MAX,
				 .kernel = true,
				 .identity = true,
				 .prot = PROT_EXEC_FLAG };

	if (map.end <= map.start)
		return;
	if (r->flags & UNREGISTER) {
		proc_remove_map(m, &m->procs.v[0], map.start, map.end, time);
		return;
	}
	map.dso = dso_table_add_ksymbol(m->dsos, r->name.text, map.start, map.end - map.start);
	proc_add_map(m, &m->procs.v[0], &map);
}

static void apply_cgroup(struct model *m, const struct perf_event_header *h UNUSED,
			 const union record_view *v, u64 time UNUSED)
{
	*VEC_PUSH(&m->cgroups) = (struct cgroup_entry){
		.id = v->cgroup.id, .path = intern_adds(&m->strs, v->cgroup.path.text)
	};
}

u32 model_cgroup_ns_number(struct model *m, struct model_cgroup_ns ns)
{
	u64 hash = hash_u64(ns.dev ^ hash_u64(ns.ino));
	u32 i;

	for (struct map_probe p = map_first(&m->by_cgroup_ns, hash);
	     map_next(&m->by_cgroup_ns, &p, &i);)
		if (m->cgroup_nss.v[i].dev == ns.dev && m->cgroup_nss.v[i].ino == ns.ino)
			return i;
	i = (u32)m->cgroup_nss.nr;
	*VEC_PUSH(&m->cgroup_nss) = ns;
	map_add(&m->by_cgroup_ns, hash, i);
	return i;
}

/* The kernel adds new kinds at the end. */
static void apply_namespaces(struct model *m, const struct perf_event_header *h UNUSED,
			     const union record_view *v, u64 time)
{
	enum { CGROUP = 6 };
	const struct record_namespaces *r = &v->namespaces;
	struct cgroup_ns_change change = { .time = time };
	struct thread *t;
	u32 thread;

	if (r->nr_there <= CGROUP)
		return;
	change.ns = model_cgroup_ns_number(
		m, (struct model_cgroup_ns){ .dev = r->v[CGROUP].dev, .ino = r->v[CGROUP].ino });
	thread = find_or_add(m, r->pid, r->tid, time);
	t = &m->threads.v[thread];
	if (t->cgroup_nss.nr && VEC_LAST(&t->cgroup_nss)->time >= time)
		VEC_LAST(&t->cgroup_nss)->ns = change.ns;
	else
		*VEC_PUSH(&t->cgroup_nss) = change;
}

/* Of a process in a virtual machine (`perf inject --guest-data`): its numbers are not those of the
 * host. */
static bool is_guest_task(const struct perf_event_header *h)
{
	unsigned int level = h->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return (level == PERF_RECORD_MISC_GUEST_KERNEL || level == PERF_RECORD_MISC_GUEST_USER) &&
	       h->type != PERF_RECORD_MMAP && h->type != PERF_RECORD_MMAP2;
}

/* What each type of record changes. */
static void (*const changes[PERF_RECORD_MAX])(struct model *m, const struct perf_event_header *h,
					      const union record_view *v, u64 time) = {
	[PERF_RECORD_MMAP] = apply_mmap,     [PERF_RECORD_MMAP2] = apply_mmap,
	[PERF_RECORD_COMM] = apply_comm,     [PERF_RECORD_FORK] = apply_fork,
	[PERF_RECORD_EXIT] = apply_exit,     [PERF_RECORD_KSYMBOL] = apply_ksymbol,
	[PERF_RECORD_CGROUP] = apply_cgroup, [PERF_RECORD_NAMESPACES] = apply_namespaces,
};

bool model_apply(struct model *m, const struct perf_event_header *h, u64 time)
{
	union record_view v;
	bool whole;

	model_advance(m, time);
	if (!record_is_sideband(h->type) || is_guest_task(h))
		return true;
	whole = record_view(h, 0, &v);
	/* of namespaces those that are there count, however many there should be */
	if (changes[h->type] && (whole || h->type == PERF_RECORD_NAMESPACES))
		changes[h->type](m, h, &v, time);
	return whole;
}

/* ---- queries ---- */

u32 model_map_changes(const struct model *m)
{
	return m->map_changes + 1;
}

/* The last change of what is looked through for addresses of a process. */
static u32 changed_for(const struct model *m, u32 proc)
{
	u32 last = m->procs.v[0].changed;

	for (; proc; proc = m->procs.v[proc].parent)
		last = MAX(last, m->procs.v[proc].changed);
	VEC_FOR(&m->guests, g)
		last = MAX(last, m->procs.v[g->proc].changed);
	return last + 1;
}

void model_site_at(const struct model *m, u32 pid, u32 tid, u64 time, struct model_site *out)
{
	u64 next;
	u64 s0, s1;
	u32 i = life_at(m, tid = known_tid(pid, tid), time, &next);
	const struct thread *t = &m->threads.v[i];

	pid = pid_of_gone(pid, tid);
	*out = (struct model_site){ .t0 = 0, .t1 = next };
	if (!i || (t->pid != pid && pid != (u32)-1 && t->pid != (u32)-1)) {
		out->t1 = out->t0 = time; /* not cacheable */
		out->changed = changed_for(m, 0);
		return;
	}
	out->thread = i;
	out->changed = changed_for(m, t->proc);
	out->t0 = t->start;
	out->comm = comm_at(t, time, &out->t0, &out->t1);
	out->space = proc_space_at(&m->procs.v[t->proc], time, &s0, &s1);
	out->t0 = MAX(out->t0, s0);
	out->t1 = MIN(out->t1, s1);
}

u32 model_thread_at(const struct model *m, u32 pid, u32 tid, u64 time)
{
	struct model_site s;

	model_site_at(m, pid, tid, time, &s);
	return s.thread;
}

u32 model_thread_pid(const struct model *m, u32 thread)
{
	return m->threads.v[thread].pid;
}

u32 model_thread_tid(const struct model *m, u32 thread)
{
	return shown_tid(m->threads.v[thread].tid);
}

u32 model_thread_ptid(const struct model *m, u32 thread)
{
	return m->threads.v[thread].ptid;
}

str_id model_thread_comm_at(const struct model *m, u32 thread, u64 time)
{
	u64 t0 = 0;
	u64 t1 = UINT64_MAX;

	return comm_at(&m->threads.v[thread], time, &t0, &t1);
}

str_id model_thread_comm(const struct model *m, u32 thread)
{
	return model_thread_comm_at(m, thread, UINT64_MAX);
}

u32 model_nr_threads(const struct model *m)
{
	return (u32)m->threads.nr - 1;
}

const char *model_str(const struct model *m, str_id id)
{
	return intern_str(&m->strs, id);
}

static bool cpumode_is_user(u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_USER;
}

/*
 * The kernel's recorded length ends with its text. Init code lies behind it, up to the last of its
 * symbols; what is further away is nobody's. Narrows a region without a mapping to where the answer
 * is the same.
 */
static const struct model_map *kernel_behind_text(const struct model *m, u64 ip,
						  struct model_region *around)
{
	const struct model_map *main = m->kernel_main;
	struct model_region none = { .end = UINT64_MAX };
	u64 end;

	around = around ? around : &none;
	if (!main || ip < main->start) {
		around->end = main ? MIN(around->end, main->start) : around->end;
		return NULL;
	}
	end = dso_symbols_end(dso_table_get(m->dsos, main->dso));
	around->start = MAX(around->start, main->start);
	if (ip < end) {
		around->end = MIN(around->end, end);
		return main;
	}
	around->start = MAX(around->start, end);
	return NULL;
}

const struct model_map *model_find_map(const struct model *m, u32 thread, u8 cpumode, u64 ip,
				       u64 time)
{
	u32 guest = model_guest_proc(m, thread, cpumode);

	if (cpumode == PERF_RECORD_MISC_KERNEL) {
		const struct model_map *map = proc_find_map(m, 0, ip, time);

		return map ? map : kernel_behind_text(m, ip, NULL);
	}
	if (guest)
		return proc_find_map(m, guest, ip, time);
	if (!cpumode_is_user(cpumode) || !thread)
		return NULL;
	return proc_find_map(m, m->threads.v[thread].proc, ip, time);
}

void model_find_region(const struct model *m, u32 thread, u8 cpumode, u64 ip, u64 time,
		       struct model_region *out)
{
	u32 guest = model_guest_proc(m, thread, cpumode);

	if (cpumode_is_user(cpumode) && thread) {
		proc_find_region(m, m->threads.v[thread].proc, ip, time, out);
	} else if (cpumode == PERF_RECORD_MISC_KERNEL) {
		proc_find_region(m, 0, ip, time, out);
		if (!out->map)
			out->map = kernel_behind_text(m, ip, out);
	} else if (guest) {
		proc_find_region(m, guest, ip, time, out);
	} else {
		*out = (struct model_region){ .end = UINT64_MAX, .until = UINT64_MAX };
	}
}

u32 model_level_space(const struct model *m, u32 thread, u8 cpumode, u64 time)
{
	u32 guest = model_guest_proc(m, thread, cpumode), space;
	u64 t0, t1;

	if (!guest)
		return MODEL_NO_SPACE;
	space = proc_space_at(&m->procs.v[guest], time, &t0, &t1);
	/* the process's own level has that space, too: what lies there is of another level */
	return m->guest_code ? space ^ (u32)cpumode << 28 : space;
}

u64 model_last_map_change(const struct model *m, u32 thread, u8 cpumode)
{
	u64 last = 0;
	u32 proc = cpumode_is_user(cpumode) ? m->threads.v[thread].proc
					    : model_guest_proc(m, thread, cpumode);

	for (;;) {
		const struct proc *p = &m->procs.v[proc];

		last = MAX(last, p->last_change);
		if (!p->parent)
			return last;
		proc = p->parent;
	}
}

static int cmp_map(const void *a, const void *b)
{
	const struct model_map *x = *(const struct model_map *const *)a;
	const struct model_map *y = *(const struct model_map *const *)b;

	return (x->start > y->start) - (x->start < y->start);
}

size_t model_maps_at(const struct model *m, u32 thread, u64 time, const struct model_map ***maps)
{
	VEC(const struct model_map *) out = { 0 };
	u32 proc = m->threads.v[thread].proc;

	for (;;) {
		const struct proc *p = &m->procs.v[proc];

		VEC_FOR(&p->live, l)
			if (time >= (*l)->t0 &&
			    proc_find_map(m, m->threads.v[thread].proc, (*l)->start, time) == *l)
				*VEC_PUSH(&out) = *l;
		VEC_FOR(&p->dead, d)
			if (time >= (*d)->t0 && time < (*d)->t1)
				*VEC_PUSH(&out) = *d;
		if (!p->parent)
			break;
		proc = p->parent;
		time = p->fork_time;
	}
	VEC_SORT(&out, cmp_map);
	*maps = out.v;
	return out.nr;
}

const char *model_cgroup(const struct model *m, u64 id)
{
	for (size_t i = m->cgroups.nr; i; i--)
		if (m->cgroups.v[i - 1].id == id)
			return intern_str(&m->strs, m->cgroups.v[i - 1].path);
	return NULL;
}

u32 model_cgroup_ns_at(const struct model *m, u32 thread, u64 time)
{
	const struct thread *t = &m->threads.v[thread];

	for (size_t i = t->cgroup_nss.nr; i; i--)
		if (t->cgroup_nss.v[i - 1].time <= time)
			return t->cgroup_nss.v[i - 1].ns;
	return 0;
}

struct model_cgroup_ns model_cgroup_ns(const struct model *m, u32 ns)
{
	return m->cgroup_nss.v[ns];
}

str_id model_name(struct model *m, const char *name)
{
	return intern_adds(&m->strs, name);
}
