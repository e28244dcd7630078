/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/target.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/fmt.h"
#include "sys/cpu.h"

void capture_target_release(struct capture_target *t)
{
	free(t->cpus);
	vec_free(&t->tasks);
	vec_free(&t->groups);
	*t = (struct capture_target){ 0 };
}

static void sort_unique(sys_pids *p)
{
	size_t n = 0;

	VEC_SORT(p, by_s32);
	for (size_t i = 0; i < p->nr; i++) {
		if (!n || p->v[n - 1] != p->v[i])
			p->v[n++] = p->v[i];
	}
	p->nr = n;
}

static int parse_list(const char *list, sys_pids *out, struct err *e)
{
	const char *s = list;

	for (;;) {
		char *end;
		long v;

		errno = 0;
		v = strtol(s, &end, 10);
		if (end == s || v <= 0 || v > INT32_MAX || errno || (*end && *end != ','))
			return err_set(e, EINVAL, "invalid process or thread id in '%s'", list);
		*VEC_PUSH(out) = (pid_t)v;
		if (!*end)
			return 0;
		s = end + 1;
		if (!*s)
			return 0; /* one comma at the end, as `pgrep X | tr '\n' ,` leaves it */
	}
}

int capture_target_pids(struct capture_target *t, const char *list, struct err *e)
{
	struct sys_proc proc;
	sys_pids tids = { 0 };
	int ret = -1;

	if (parse_list(list, &t->groups, e) < 0)
		return -1;
	sort_unique(&t->groups);
	if (!sys_proc_init(&proc, NULL))
		return err_set(e, ENOENT, "cannot open '/proc'");
	VEC_FOR(&t->groups, pid) {
		if (!sys_proc_tids(&proc, *pid, &tids) || !tids.nr) {
			err_set(e, ESRCH, "no such process: %d", *pid);
			goto out;
		}
		VEC_FOR(&tids, tid)
			*VEC_PUSH(&t->tasks) = *tid;
	}
	sort_unique(&t->tasks);
	t->by_pid = true;
	ret = 0;
out:
	vec_free(&tids);
	sys_proc_release(&proc);
	return ret;
}

int capture_target_tids(struct capture_target *t, const char *list, struct err *e)
{
	if (parse_list(list, &t->tasks, e) < 0)
		return -1;
	sort_unique(&t->tasks);
	t->by_tid = true;
	/* Some may be gone, as threads of a pool are; signal 0 only asks, and finds threads, too.
	 */
	VEC_FOR(&t->tasks, tid) {
		if (!kill(*tid, 0) || errno != ESRCH)
			return 0;
	}
	return err_set(e, ESRCH, "no such thread: %d", t->tasks.v[0]);
}

int capture_target_uid(struct capture_target *t, u32 uid, struct err *e)
{
	struct sys_proc proc;
	sys_pids pids = { 0 }, tids = { 0 };
	struct sys_task task;

	if (!sys_proc_init(&proc, NULL))
		return err_set(e, ENOENT, "cannot open '/proc'");
	sys_proc_pids(&proc, &pids);
	VEC_FOR(&pids, pid) {
		if (!sys_proc_task(&proc, *pid, *pid, &task) || task.uid != uid ||
		    !sys_proc_tids(&proc, *pid, &tids))
			continue;
		*VEC_PUSH(&t->groups) = *pid;
		VEC_FOR(&tids, tid)
			*VEC_PUSH(&t->tasks) = *tid;
	}
	vec_free(&pids);
	vec_free(&tids);
	sys_proc_release(&proc);
	t->by_pid = true;
	if (!t->tasks.nr)
		return err_set(e, ESRCH, "user id %u has no processes", uid);
	return 0;
}

static bool cpu_in(const u32 *cpus, size_t nr, u32 cpu)
{
	for (size_t i = 0; i < nr; i++) {
		if (cpus[i] == cpu)
			return true;
	}
	return false;
}

int capture_target_cpus(struct capture_target *t, const char *list, struct err *e)
{
	u32 *online, *asked;
	size_t nr_online, nr_asked;

	sys_cpus_online(NULL, &online, &nr_online);
	free(t->cpus);
	t->cpus = online;
	t->nr_cpus = nr_online;
	if (!list)
		return 0;
	if (!fmt_parse_cpu_list(list, &asked, &nr_asked) || !nr_asked)
		return err_set(e, EINVAL, "invalid list of CPUs '%s'", list);
	for (size_t i = 0; i < nr_asked; i++) {
		if (!cpu_in(online, nr_online, asked[i])) {
			err_set(e, ENODEV, "CPU %u is not online", asked[i]);
			free(asked);
			return -1;
		}
	}
	t->cpus = xrealloc_array(asked, nr_asked + nr_online, sizeof(*asked));
	t->nr_cpus = nr_asked;
	t->nr_other_cpus = 0;
	for (size_t i = 0; i < nr_online; i++)
		if (!cpu_in(t->cpus, nr_asked, online[i]))
			t->cpus[nr_asked + t->nr_other_cpus++] = online[i];
	free(online);
	return 0;
}
