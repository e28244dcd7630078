/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/cgroup.h"
#include "sys/cpu.h"
#include "sys/cpu_id.h"
#include "sys/limits.h"
#include "sys/perf_open.h"
#include "sys/proc.h"
#include "sys/tracefs.h"

/* A /proc that takes us for another. */
static void foreign_proc(void **state)
{
	char folder[] = "/tmp/unit-proc-XXXXXX";
	_cleanup_(mem_freep) char *self = NULL;

	(void)state;
	assert_non_null(mkdtemp(folder));
	self = xasprintf("%s/self", folder);
	assert_true(sys_proc_is_ours(folder));
	assert_int_equal(symlink("0", self), 0);
	assert_false(sys_proc_is_ours(folder));
	assert_int_equal(unlink(self), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void cpu_ids_of_headers(void **state)
{
	char id[64];

	(void)state;
	assert_true(sys_cpu_id_of_header("GenuineIntel,6,143,8", id, sizeof(id)));
	assert_string_equal(id, "GenuineIntel-6-8F-8");
	assert_true(sys_cpu_id_of_header("0x00000000413fd0c1", id, sizeof(id)));
	assert_string_equal(id, "0x00000000410fd0c0");
	assert_false(sys_cpu_id_of_header("GenuineIntel,6,143", id, sizeof(id)));
	assert_false(sys_cpu_id_of_header("", id, sizeof(id)));
	assert_false(sys_cpu_id_of_header("AVeryLongNameOfAVendor,6,143,8", id, sizeof(id)));
}

static void maps_lines(void **state)
{
	char text[] =
		"00400000-0040b000 r-xp 00001000 fd:01 131074                     /usr/bin/a b\n"
		"garbage\n"
		"7ffd000-7ffe000 rw-s 00000000 00:00 0 \n"
		"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]";
	struct sys_maps_iter it = { .at = text };
	struct sys_map m;

	(void)state;
	assert_true(sys_maps_next(&it, &m));
	assert_int_equal(m.start, 0x400000);
	assert_int_equal(m.end, 0x40b000);
	assert_int_equal(m.prot, SYS_MAP_READ | SYS_MAP_EXEC);
	assert_int_equal(m.pgoff, 0x1000);
	assert_int_equal(m.maj, 0xfd);
	assert_int_equal(m.min, 1);
	assert_int_equal(m.ino, 131074);
	assert_false(m.shared);
	assert_string_equal(m.path, "/usr/bin/a b");
	assert_true(sys_maps_next(&it, &m));
	assert_true(m.shared);
	assert_string_equal(m.path, "");
	assert_true(sys_maps_next(&it, &m));
	assert_true(m.start == 0xffffffffff600000);
	assert_string_equal(m.path, "[vsyscall]");
	assert_false(sys_maps_next(&it, &m));
}

static void this_process(void **state)
{
	struct sys_proc p;
	sys_pids pids = { 0 };
	struct sys_task t;
	struct sys_maps_iter it;
	struct sys_map m;
	char comm[64];
	bool here = false;
	bool code = false;

	(void)state;
	assert_true(sys_proc_init(&p, NULL));
	assert_true(sys_proc_pids(&p, &pids));
	for (size_t i = 0; i < pids.nr; i++) {
		here |= pids.v[i] == getpid();
		assert_true(!i || pids.v[i - 1] < pids.v[i]);
	}
	assert_true(here);
	assert_true(sys_proc_tids(&p, getpid(), &pids));
	assert_int_equal(pids.nr, 1);
	assert_true(sys_proc_task(&p, getpid(), getpid(), &t));
	assert_int_equal(t.pid, getpid());
	assert_int_equal(t.ppid, getppid());
	assert_false(t.kernel_thread);
	assert_true(sys_proc_comm(&p, getpid(), comm, sizeof(comm)));
	assert_string_equal(comm, t.comm);
	assert_true(sys_proc_maps(&p, getpid(), &it));
	while (sys_maps_next(&it, &m)) {
		u64 at = (u64)(uintptr_t)this_process;

		code |= m.prot & SYS_MAP_EXEC && at >= m.start && at < m.end;
	}
	assert_true(code);
	assert_false(sys_proc_task(&p, -1, -1, &t));
	assert_false(sys_proc_maps(&p, -1, &it));
	vec_free(&pids);
	sys_proc_release(&p);
}

static void write_file(const char *dir, const char *name, const char *text)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void cgroup_mounts(void **state)
{
	char dir[] = "/tmp/perf-cgroup-XXXXXX";
	char buf[256];
	bool v2 = false;

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_file(dir, "mounts", "proc /proc proc rw 0 0\n");
	assert_false(sys_cgroup_mount(dir, buf, sizeof(buf), &v2));
	write_file(dir, "mounts", "c /c/cpu cgroup rw,cpu 0 0\nc /c/two cgroup2 rw 0 0\n");
	assert_true(sys_cgroup_mount(dir, buf, sizeof(buf), &v2));
	assert_string_equal(buf, "/c/two");
	assert_true(v2);
	write_file(dir, "mounts", "c /c/two cgroup2 rw 0 0\nc /c/perf cgroup rw,perf_event 0 0\n");
	assert_true(sys_cgroup_mount(dir, buf, sizeof(buf), &v2));
	assert_string_equal(buf, "/c/perf");
	assert_false(v2);
	_cleanup_(mem_freep) char *path = xasprintf("%s/mounts", dir);
	unlink(path);
	rmdir(dir);
}

static void topology(void **state)
{
	struct sys_topology t;
	u32 *list;
	size_t nr;

	(void)state;
	sys_topology_read(&t, NULL);
	assert_true(t.nr_online >= 1 && t.nr_present >= t.nr_online);
	assert_non_null(sys_topology_cpu(&t, t.cpus.v[0].cpu));
	assert_null(sys_topology_cpu(&t, 1 << 20));
	sys_topology_release(&t);
	/* No sysfs: still some CPU. */
	sys_cpus_online("/nonexistent", &list, &nr);
	assert_true(nr >= 1);
	free(list);
}

static void attr_size(void **state)
{
	struct perf_event_attr a = { .type = 1 };

	(void)state;
	assert_int_equal(sys_attr_size(&a), 128);
	a.config3 = 1;
	assert_int_equal(sys_attr_size(&a), 136);
	a.config4 = 1;
	assert_int_equal(sys_attr_size(&a), 144);
}

static void tracefs_absent(void **state)
{
	sys_names names = { 0 };
	u64 id;

	(void)state;
	assert_int_equal(sys_tracefs_id("/nonexistent", "a", "b", &id), -2);
	assert_int_equal(sys_tracefs_list("/nonexistent", NULL, &names), -2);
	sys_names_release(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(foreign_proc),  cmocka_unit_test(cpu_ids_of_headers),
		cmocka_unit_test(maps_lines),    cmocka_unit_test(this_process),
		cmocka_unit_test(cgroup_mounts), cmocka_unit_test(topology),
		cmocka_unit_test(attr_size),     cmocka_unit_test(tracefs_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
