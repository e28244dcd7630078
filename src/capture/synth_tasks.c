/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks, maps and cgroups of the existing state.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/bits.h"
#include "base/clock.h"
#include "base/compare.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/par.h"
#include "capture/mapped_file.h"
#include "capture/moved_text.h"
#include "capture/synth.h"
#include "sys/cgroup.h"

enum { FLUSH_BYTES = 64 * 1024 };

bool synth_init(struct synth *s, const struct capture_config *cfg, size_t trailer, bool data_maps)
{
	*s = (struct synth){ .cfg = cfg,
			     .rec = { .out = STRBUF_INIT, .trailer = trailer },
			     .data_maps = data_maps };
	return sys_proc_init(&s->proc, NULL);
}

void synth_release(struct synth *s)
{
	strbuf_release(&s->rec.out);
	sys_proc_release(&s->proc);
	vec_free(&s->files);
	map_release(&s->file_map);
}

int synth_flush(struct synth *s, struct err *e)
{
	int r = s->rec.out.len ? s->flush(s->ctx, s->rec.out.buf, s->rec.out.len, e) : 0;

	strbuf_reset(&s->rec.out);
	return r;
}

static int flush_if_large(struct synth *s, struct err *e)
{
	return s->rec.out.len >= FLUSH_BYTES ? synth_flush(s, e) : 0;
}

/* Of a file that was removed or replaced since it was mapped. */
static void id_of_mapped(pid_t pid, const struct sys_map *m, struct note_id *id)
{
	_cleanup_(mem_closep) int fd = mapped_file_open(pid, m->start, m->end);

	if (fd >= 0)
		note_id_from_fd(fd, id);
}

/* Each file's build id is read once, however many processes map it. */
static const struct note_id *file_build_id(struct synth *s, const struct sys_map *m, pid_t pid)
{
	u64 h = hash_u64(m->ino ^ (u64)m->maj << 52 ^ (u64)m->min << 40);
	struct synth_file f = { .ino = m->ino, .maj = m->maj, .min = m->min };
	u32 i;

	for (struct map_probe p = map_first(&s->file_map, h); map_next(&s->file_map, &p, &i);) {
		struct synth_file *known = &s->files.v[i];

		if (known->ino == m->ino && known->maj == m->maj && known->min == m->min)
			return &known->id;
	}
	if (!note_id_from_path(m->path, pid, m->ino, &f.id))
		id_of_mapped(pid, m, &f.id);
	map_add(&s->file_map, h, (u32)s->files.nr);
	*VEC_PUSH(&s->files) = f;
	return &VEC_LAST(&s->files)->id;
}

static void add_map(struct synth *s, const struct sys_map *m, pid_t pid)
{
	/* SYS_MAP_* are the values of PROT_* */
	struct records_map r = {
		.pid = pid,
		.tid = pid,
		.addr = m->start,
		.len = m->end - m->start,
		.pgoff = m->pgoff,
		.maj = m->maj,
		.min = m->min,
		.ino = m->ino,
		.prot = m->prot,
		.flags = m->shared ? MAP_SHARED : MAP_PRIVATE,
		.data = !(m->prot & SYS_MAP_EXEC),
		.cpumode = PERF_RECORD_MISC_USER,
		.name = m->path[0] ? m->path : "//anon",
	};

	if (s->cfg->build_ids && m->ino && m->path[0] == '/') {
		const struct note_id *id = file_build_id(s, m, pid);

		if (id->size) {
			r.build_id = id->data;
			r.build_id_size = id->size;
		}
	}
	records_mmap2(&s->rec, &r);
}

static u64 now_ms(void)
{
	return clock_now() / 1000000;
}

static void add_maps(struct synth *s, pid_t pid)
{
	u64 limit = s->cfg->map_timeout_ms, start = limit ? now_ms() : 0;
	struct moved_text moved = { 0 };
	struct sys_maps_iter it;
	struct sys_map m, was;

	if (!(s->cfg->synth & CAPTURE_SYNTH_MMAP) || !sys_proc_maps(&s->proc, pid, &it))
		return;
	while (sys_maps_next(&it, &m)) {
		/* readers are told by the last record that there is more */
		if (limit && now_ms() - start > limit) {
			records_mark_timeout(&s->rec);
			s->timed_out++;
			return;
		}
		if (s->cfg->moved_text && moved_text_next(&moved, pid, &m, &was))
			add_map(s, &was, pid);
		if (m.prot & SYS_MAP_EXEC || (s->data_maps && m.prot & SYS_MAP_READ))
			add_map(s, &m, pid);
	}
}

static void add_namespaces(struct synth *s, pid_t pid, pid_t tid)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	struct records_ns ns[ARRAY_SIZE(names)] = { { 0 } };

	if (!s->cfg->namespaces)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		sys_proc_ns(&s->proc, tid, names[i], &ns[i].dev, &ns[i].ino);
	records_namespaces(&s->rec, pid, tid, ns, ARRAY_SIZE(names));
}

/* A name of "a:b" keeps its first 15 bytes, as the kernel's own COMM records do. */
static void add_comm(struct synth *s, const struct sys_task *task)
{
	char comm[16];

	snprintf(comm, sizeof(comm), "%s", task->comm);
	records_comm(&s->rec, task->pid, task->tid, comm);
}

static bool add_task(struct synth *s, pid_t pid, pid_t tid)
{
	struct sys_task task;

	if (!sys_proc_task(&s->proc, pid, tid, &task))
		return false;
	if (s->cfg->synth & CAPTURE_SYNTH_TASK) {
		pid_t parent = pid == tid ? task.ppid : pid;

		records_fork(&s->rec, pid, parent, tid, parent);
		add_namespaces(s, pid, tid);
		add_comm(s, &task);
	}
	if (pid == tid && !task.kernel_thread)
		add_maps(s, pid);
	return true;
}

static int add_process(struct synth *s, pid_t pid, struct err *e)
{
	sys_pids tids = { 0 };
	int r = 0;

	if (!sys_proc_tids(&s->proc, pid, &tids) || !add_task(s, pid, pid))
		goto out;
	VEC_FOR(&tids, tid) {
		if (*tid != pid)
			add_task(s, pid, *tid);
	}
	r = flush_if_large(s, e);
out:
	vec_free(&tids);
	return r;
}

enum { SLICE = 32 }; /* processes that one thread describes at a time */

/* Several threads: each describes slices of the processes with buffers of its own. */
struct crowd {
	const sys_pids *pids;
	struct synth *each; /* by worker */
	struct strbuf *text; /* by slice */
};

static int keep_text(void *ctx, const void *data, size_t len, struct err *e UNUSED)
{
	strbuf_add(ctx, data, len);
	return 0;
}

static void describe_slice(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct crowd *c = ctx;
	struct synth *s = &c->each[worker];

	s->ctx = &c->text[from / SLICE];
	for (size_t i = from; i < to; i++)
		add_process(s, c->pids->v[i], NULL);
	synth_flush(s, NULL);
}

static int add_all_parallel(struct synth *s, const sys_pids *pids, struct err *e)
{
	struct par *par = par_new(s->cfg->synth_threads);
	size_t slices = pids->nr / SLICE + 1;
	struct crowd c = { .pids = pids,
			   .each = XNEW_ARRAY(struct synth, par_workers(par)),
			   .text = XNEW_ARRAY(struct strbuf, slices) };
	bool ok = true;
	int r = 0;

	for (size_t i = 0; i < slices; i++)
		c.text[i] = (struct strbuf)STRBUF_INIT;
	for (unsigned int i = 0; i < par_workers(par); i++) {
		ok &= synth_init(&c.each[i], s->cfg, s->rec.trailer, s->data_maps);
		c.each[i].flush = keep_text;
	}
	if (ok)
		par_for(par, pids->nr, SLICE, describe_slice, &c);
	for (size_t i = 0; ok && i < slices && !r; i++)
		r = c.text[i].len ? s->flush(s->ctx, c.text[i].buf, c.text[i].len, e) : 0;
	for (unsigned int i = 0; i < par_workers(par); i++) {
		s->timed_out += c.each[i].timed_out;
		synth_release(&c.each[i]);
	}
	for (size_t i = 0; i < slices; i++)
		strbuf_release(&c.text[i]);
	par_free(par);
	free(c.each);
	free(c.text);
	return ok ? r : err_set(e, 0, "cannot open '/proc'");
}

static int add_all(struct synth *s, struct err *e)
{
	sys_pids pids = { 0 };
	int r = 0;

	sys_proc_pids(&s->proc, &pids);
	if (s->cfg->synth_threads > 1)
		r = synth_flush(s, e) ? -1 : add_all_parallel(s, &pids, e);
	for (size_t i = 0; s->cfg->synth_threads <= 1 && i < pids.nr && !r; i++)
		r = add_process(s, pids.v[i], e);
	vec_free(&pids);
	return r;
}

/* Only the name: what a workload maps now is gone when it execs. */
static void add_waiting_workload(struct synth *s, pid_t pid)
{
	struct sys_task task;

	if (!sys_proc_task(&s->proc, pid, pid, &task))
		return;
	add_namespaces(s, pid, pid);
	add_comm(s, &task);
}

struct family {
	pid_t pid, ppid;
};

/* A running workload and its descendants, whose events are measured too. */
static int add_family(struct synth *s, pid_t root, struct err *e)
{
	enum { MAX_DEPTH = 64 };
	VEC(struct family) all = { 0 };
	sys_pids pids = { 0 };
	struct sys_task task;
	int r = 0;

	sys_proc_pids(&s->proc, &pids);
	VEC_FOR(&pids, pid) {
		if (sys_proc_task(&s->proc, *pid, *pid, &task))
			*VEC_PUSH(&all) = (struct family){ .pid = *pid, .ppid = task.ppid };
	}
	VEC_SORT(&all, by_s32);
	for (size_t i = 0; i < all.nr && !r; i++) {
		const struct family *f = &all.v[i];

		for (int depth = 0; f && f->pid != root && depth < MAX_DEPTH; depth++) {
			struct family key = { .pid = f->ppid };

			f = bsearch(&key, all.v, all.nr, sizeof(key), by_s32);
		}
		if (f && f->pid == root)
			r = add_process(s, all.v[i].pid, e);
	}
	vec_free(&all);
	vec_free(&pids);
	return r;
}

int synth_tasks(struct synth *s, const struct capture_target *t, struct err *e)
{
	pid_t last = 0;

	if (!(s->cfg->synth & (CAPTURE_SYNTH_TASK | CAPTURE_SYNTH_MMAP)))
		return 0;
	if (t->cpu_wide)
		return add_all(s, e) || synth_flush(s, e) ? -1 : 0;
	if (t->workload && s->workload_runs)
		return add_family(s, t->tasks.v[0], e) || synth_flush(s, e) ? -1 : 0;
	if (t->workload) {
		add_waiting_workload(s, t->tasks.v[0]);
		return synth_flush(s, e);
	}
	VEC_FOR(&t->tasks, tid) {
		struct sys_task task;

		if (!sys_proc_task(&s->proc, *tid, *tid, &task))
			continue;
		if (task.pid != last && add_process(s, task.pid, e) < 0)
			return -1;
		last = task.pid;
	}
	return synth_flush(s, e);
}

struct cgroup_ctx {
	struct synth *s;
	struct err *e;
	int ret;
};

static bool add_cgroup(void *ctx, const char *path, u64 id)
{
	struct cgroup_ctx *c = ctx;

	records_cgroup(&c->s->rec, id, path);
	c->ret = flush_if_large(c->s, c->e);
	return !c->ret;
}

int synth_cgroups(struct synth *s, struct err *e)
{
	struct cgroup_ctx c = { .s = s, .e = e };

	if (!s->cfg->cgroups || !(s->cfg->synth & CAPTURE_SYNTH_CGROUP))
		return 0;
	/* no hierarchy mounted: nothing to name */
	sys_cgroup_walk(NULL, add_cgroup, &c, NULL);
	return c.ret ? -1 : synth_flush(s, e);
}
