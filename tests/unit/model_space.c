/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model on a fabricated machine: every question is asked at a time, after everything has been
 * applied, as workers do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "model/model.h"

static u64 record[64];
static struct dso_table *dsos;

static struct perf_event_header *header(u32 type, u16 misc, size_t size)
{
	struct perf_event_header *h = (struct perf_event_header *)record;

	*h = (struct perf_event_header){ .type = type, .misc = misc, .size = (u16)size };
	return h;
}

static void put32(size_t off, u32 v)
{
	memcpy((u8 *)record + off, &v, 4);
}

static void put64(size_t off, u64 v)
{
	memcpy((u8 *)record + off, &v, 8);
}

static void put_name(size_t off, const char *s)
{
	memcpy((u8 *)record + off, s, strlen(s) + 1);
}

static void map_at(struct model *m, u32 pid, u64 start, u64 len, const char *name, u64 time)
{
	memset(record, 0, sizeof(record));
	put32(8, pid);
	put32(12, pid);
	put64(16, start);
	put64(24, len);
	put64(32, 0x1000);
	put32(64, 5);
	put_name(72, name);
	model_apply(m, header(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 128), time);
}

/* With a place in the file, and what the process may do there. */
static void code_at(struct model *m, u64 start, u64 len, u64 pgoff, const char *name, u64 time)
{
	memset(record, 0, sizeof(record));
	put32(8, 7);
	put32(12, 7);
	put64(16, start);
	put64(24, len);
	put64(32, pgoff);
	put32(64, 5);
	put_name(72, name);
	model_apply(m, header(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 128), time);
}

static void comm_at(struct model *m, u32 pid, u32 tid, const char *name, bool exec, u64 time)
{
	memset(record, 0, sizeof(record));
	put32(8, pid);
	put32(12, tid);
	put_name(16, name);
	model_apply(m, header(PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, 40), time);
}

static void fork_at(struct model *m, u32 pid, u32 ppid, u32 tid, u32 ptid, u64 time)
{
	memset(record, 0, sizeof(record));
	put32(8, pid);
	put32(12, ppid);
	put32(16, tid);
	put32(20, ptid);
	model_apply(m, header(PERF_RECORD_FORK, 0, 32), time);
}

static const char *name_at(struct model *m, u32 pid, u64 ip, u64 time)
{
	u32 thread = model_thread_at(m, pid, pid, time);
	const struct model_map *map = model_find_map(m, thread, PERF_RECORD_MISC_USER, ip, time);

	return map ? dso_long_name(dso_table_get(dsos, map->dso)) : "";
}

static u32 space_at(struct model *m, u32 thread, u64 time)
{
	struct model_site site;

	model_site_at(m, model_thread_pid(m, thread), model_thread_tid(m, thread), time, &site);
	return site.space;
}

static const char *comm_name(struct model *m, u32 pid, u32 tid, u64 time)
{
	return model_str(m, model_thread_comm_at(m, model_thread_at(m, pid, tid, time), time));
}

static int setup(void **state)
{
	static const struct dso_config config;

	dsos = dso_table_new(&config);
	*state = model_new(dsos);
	return 0;
}

static int teardown(void **state)
{
	model_free(*state);
	dso_table_free(dsos);
	return 0;
}

static void replaced_mapping(void **state)
{
	struct model *m = *state;
	const struct model_map *map;
	u32 t;

	map_at(m, 7, 0x10000, 0x4000, "/bin/a", 10);
	map_at(m, 7, 0x11000, 0x1000, "/lib/b", 20);
	model_freeze(m);
	t = model_thread_at(m, 7, 7, 15);
	assert_string_equal(name_at(m, 7, 0x11800, 15), "/bin/a");
	assert_string_equal(name_at(m, 7, 0x11800, 20), "/lib/b");
	assert_string_equal(name_at(m, 7, 0x10800, 25), "/bin/a");
	assert_string_equal(name_at(m, 7, 0x12800, 25), "/bin/a");
	assert_string_equal(name_at(m, 7, 0x14000, 25), "");
	assert_string_equal(name_at(m, 7, 0x10800, 5), "");
	map = model_find_map(m, t, PERF_RECORD_MISC_USER, 0x12800, 25);
	assert_int_equal(model_map_ip(map, 0x12800), 0x3800);
	assert_int_not_equal(space_at(m, t, 15), space_at(m, t, 25));
}

static void additional_mapping_keeps_space(void **state)
{
	struct model *m = *state;
	u32 t;

	map_at(m, 7, 0x10000, 0x1000, "/bin/a", 10);
	map_at(m, 7, 0x20000, 0x1000, "/lib/b", 20);
	model_freeze(m);
	t = model_thread_at(m, 7, 7, 15);
	assert_int_equal(space_at(m, t, 15), space_at(m, t, 25));
	assert_int_equal(model_last_map_change(m, t, PERF_RECORD_MISC_USER), 20);
}

static void fork_and_exec(void **state)
{
	struct model *m = *state;

	comm_at(m, 7, 7, "shell", false, 0);
	map_at(m, 7, 0x10000, 0x1000, "/bin/sh", 0);
	fork_at(m, 8, 7, 8, 7, 100);
	map_at(m, 7, 0x20000, 0x1000, "/lib/late", 150);
	comm_at(m, 8, 8, "ls", true, 200);
	map_at(m, 8, 0x10000, 0x1000, "/bin/ls", 201);
	model_freeze(m);
	assert_string_equal(comm_name(m, 8, 8, 150), "shell");
	assert_string_equal(comm_name(m, 8, 8, 250), "ls");
	assert_string_equal(name_at(m, 8, 0x10000, 150), "/bin/sh");
	assert_string_equal(name_at(m, 8, 0x20000, 160), ""); /* mapped after the fork */
	assert_string_equal(name_at(m, 8, 0x10000, 200), "/bin/sh"); /* inside execve() */
	assert_string_equal(name_at(m, 8, 0x10000, 250), "/bin/ls");
	assert_string_equal(name_at(m, 7, 0x20000, 160), "/lib/late");
}

static void reused_pid(void **state)
{
	struct model *m = *state;

	fork_at(m, 9, 1, 9, 1, 100);
	comm_at(m, 9, 9, "first", true, 110);
	map_at(m, 9, 0x10000, 0x1000, "/bin/first", 110);
	fork_at(m, 9, 2, 9, 2, 500);
	comm_at(m, 9, 9, "second", true, 510);
	model_freeze(m);
	assert_string_equal(comm_name(m, 9, 9, 400), "first");
	assert_string_equal(comm_name(m, 9, 9, 600), "second");
	assert_string_equal(name_at(m, 9, 0x10000, 400), "/bin/first");
	assert_string_equal(name_at(m, 9, 0x10000, 600), "");
	assert_int_not_equal(model_thread_at(m, 9, 9, 400), model_thread_at(m, 9, 9, 600));
}

static void threads_share_mappings(void **state)
{
	struct model *m = *state;
	u32 t;

	map_at(m, 7, 0x10000, 0x1000, "/bin/a", 1);
	fork_at(m, 7, 7, 70, 7, 10);
	map_at(m, 7, 0x20000, 0x1000, "/lib/b", 20);
	model_freeze(m);
	t = model_thread_at(m, 7, 70, 30);
	assert_non_null(model_find_map(m, t, PERF_RECORD_MISC_USER, 0x20000, 30));
	assert_int_equal(space_at(m, t, 30), space_at(m, model_thread_at(m, 7, 7, 30), 30));
}

/* A thread's parent is the thread that made it, not the process of that. */
static void parents(void **state)
{
	struct model *m = *state;

	fork_at(m, 100, 1, 100, 1, 10);
	fork_at(m, 100, 100, 101, 100, 20);
	fork_at(m, 100, 100, 102, 101, 30);
	fork_at(m, 200, 100, 200, 102, 40);
	assert_int_equal(model_thread_ptid(m, model_thread_at(m, 100, 100, 50)), 1);
	assert_int_equal(model_thread_ptid(m, model_thread_at(m, 100, 101, 50)), 100);
	assert_int_equal(model_thread_ptid(m, model_thread_at(m, 100, 102, 50)), 101);
	assert_int_equal(model_thread_ptid(m, model_thread_at(m, 200, 200, 50)), 102);
}

static void site_intervals(void **state)
{
	struct model *m = *state;
	struct model_site s;

	comm_at(m, 7, 7, "one", false, 10);
	comm_at(m, 7, 7, "two", false, 20);
	model_freeze(m);
	model_site_at(m, 7, 7, 15, &s);
	assert_int_equal(s.t0, 10);
	assert_int_equal(s.t1, 20);
	assert_string_equal(model_str(m, s.comm), "one");
	model_site_at(m, 99, 99, 15, &s);
	assert_int_equal(s.thread, 0);
	model_site_at(m, 0, 0, 15, &s);
	assert_string_equal(model_str(m, s.comm), "swapper");
}

static u32 changed_at(struct model *m, u32 pid, u64 time)
{
	struct model_site s;

	model_site_at(m, pid, pid, time, &s);
	assert_true(s.changed && s.changed <= model_map_changes(m));
	return s.changed;
}

static void changes_of_mappings(void **state)
{
	struct model *m = *state;
	u32 of_parent, of_child, of_other, of_nobody;

	map_at(m, 7, 0x1000, 0x1000, "/bin/a", 10);
	map_at(m, 9, 0x1000, 0x1000, "/bin/a", 10);
	of_parent = changed_at(m, 7, 15);
	of_other = changed_at(m, 9, 15);
	fork_at(m, 8, 7, 8, 7, 20);
	assert_int_equal(changed_at(m, 7, 25), of_parent);
	of_child = changed_at(m, 8, 25);
	assert_true(of_child > of_parent);

	map_at(m, 8, 0x5000, 0x1000, "/bin/b", 30);
	assert_true(changed_at(m, 8, 35) > of_child);
	assert_int_equal(changed_at(m, 7, 35), of_parent);
	of_child = changed_at(m, 8, 35);

	/* what is inherited */
	map_at(m, 7, 0x7000, 0x1000, "/bin/c", 40);
	assert_true(changed_at(m, 7, 45) > of_parent);
	assert_true(changed_at(m, 8, 45) > of_child);
	assert_int_equal(changed_at(m, 9, 45), of_other);

	/* the kernel's are everybody's, also of unknown threads */
	of_nobody = changed_at(m, 99, 45);
	memset(record, 0, sizeof(record));
	put32(8, (u32)-1);
	put64(16, 0xffffffffa0000000);
	put64(24, 0x1000);
	put_name(40, "[module]");
	model_apply(m, header(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, 64), 50);
	assert_true(changed_at(m, 9, 55) > of_other);
	assert_true(changed_at(m, 99, 55) > of_nobody);
}

static void threads_that_are_gone(void **state)
{
	struct model *m = *state;
	u32 t = model_touch_thread(m, 7, (u32)-1);

	assert_int_equal(model_touch_thread(m, 8, (u32)-1), t);
	model_freeze(m);
	assert_int_equal(model_thread_at(m, 7, (u32)-1, 10), t);
	assert_int_equal(model_thread_at(m, 8, (u32)-1, 10), t);
	assert_string_equal(comm_name(m, 7, (u32)-1, 10), ":-1");
}

static void short_records_are_ignored(void **state)
{
	struct model *m = *state;

	memset(record, 0xff, sizeof(record));
	for (u32 type = 0; type < PERF_RECORD_MAX; type++)
		for (u16 size = 8; size <= 72; size += 8)
			model_apply(m, header(type, 0xffff, size), 5);
	model_freeze(m);
	assert_true(model_nr_threads(m) < 100);
}

static const struct model_map *file_at(struct model *m, u64 start, const void *file)
{
	memset(record, 0, sizeof(record));
	put32(8, 7);
	put32(12, 7);
	put64(16, start);
	put64(24, 0x1000);
	memcpy((u8 *)record + 40, file, 24);
	put32(64, 5);
	put_name(72, start & 0x1000 ? "/bin/a" : "/bin/b");
	model_apply(m,
		    header(PERF_RECORD_MMAP2,
			   PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID, 128),
		    10);
	model_freeze(m);
	return model_find_map(m, model_thread_at(m, 7, 7, 20), PERF_RECORD_MISC_USER, start, 20);
}

static void flag_of_build_id_on_inode(void **state)
{
	struct model *m = *state;
	const u32 inode[6] = { 8, 1, 1234, 0, 99, 0 };
	const u8 id[24] = { 8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	const struct model_map *map = file_at(m, 0x10000, inode);

	assert_int_equal(map->maj, 8);
	assert_int_equal(map->ino, 1234);
	assert_int_equal(dso_build_id(dso_table_get(dsos, map->dso))->size, 0);
	map = file_at(m, 0x11000, id);
	assert_int_equal(map->maj, 0);
	assert_int_equal(dso_build_id(dso_table_get(dsos, map->dso))->size, 8);
}

/* A machine with every kind of change: forks, a mapping that is replaced, one that comes later. */
static void busy_machine(struct model *m)
{
	map_at(m, 7, 0x10000, 0x4000, "/bin/a", 10);
	map_at(m, 7, 0x20000, 0x1000, "/lib/b", 20);
	fork_at(m, 8, 7, 8, 7, 25);
	map_at(m, 7, 0x11000, 0x1000, "/lib/c", 30);
	map_at(m, 8, 0x18000, 0x2000, "/lib/own", 35);
	map_at(m, 8, 0x12000, 0x1000, "/lib/over", 40);
	fork_at(m, 9, 8, 9, 8, 45);
	map_at(m, 9, 0x16000, 0x1000, "/lib/late", 50);
	map_at(m, 8, 0x18800, 0x400, "/lib/cut", 55);
	map_at(m, 7, 0x30000, 0x1000, "/lib/end", 60);
	model_freeze(m);
}

/* Every answer holds for all of its region: the same question asked there finds the same mapping.
 */
static void regions_hold(void **state)
{
	struct model *m = *state;
	struct model_region r;
	u64 wide = 0;

	busy_machine(m);
	for (u32 pid = 7; pid <= 9; pid++)
		for (u64 time = 46; time < 65; time++)
			for (u64 ip = 0xf800; ip < 0x32000; ip += 0x400) {
				u32 t = model_thread_at(m, pid, pid, time);
				u32 space = space_at(m, t, time);

				model_find_region(m, t, PERF_RECORD_MISC_USER, ip, time, &r);
				assert_true(ip >= r.start && ip < r.end);
				assert_true(time >= r.from && time < r.until);
				wide += r.end - r.start > 1;
				for (u64 when = MAX(46, r.from); when < MIN(65, r.until); when++)
					for (u64 at = MAX(0xf800, (r.start + 0x3ff) & ~0x3ffULL);
					     at < MIN(0x32000, r.end); at += 0x400) {
						if (space_at(m, t, when) != space)
							continue;
						assert_ptr_equal(
							model_find_map(m, t, PERF_RECORD_MISC_USER,
								       at, when),
							r.map);
					}
			}
	assert_true(wide > 1000);
}

static void region_of_nobody(void **state)
{
	struct model *m = *state;
	struct model_region r;

	busy_machine(m);
	model_find_region(m, 0, PERF_RECORD_MISC_USER, 0x10000, 50, &r);
	assert_null(r.map);
	assert_int_equal(r.start, 0);
	model_find_region(m, 1, PERF_RECORD_MISC_HYPERVISOR, 0x10000, 50, &r);
	assert_null(r.map);
}

static void namespaces_at(struct model *m, u32 tid, u64 ino, u64 nr, size_t size, u64 time)
{
	enum { CGROUP_ENTRY = 24 + 6 * 16 };

	memset(record, 0, sizeof(record));
	put32(8, tid);
	put32(12, tid);
	put64(16, nr);
	put64(CGROUP_ENTRY, 4);
	put64(CGROUP_ENTRY + 8, ino);
	model_apply(m, header(PERF_RECORD_NAMESPACES, 0, size), time);
}

static u64 cgroup_ino(struct model *m, u32 tid, u64 time)
{
	u32 t = model_thread_at(m, tid, tid, time);

	return model_cgroup_ns(m, model_cgroup_ns_at(m, t, time)).ino;
}

static void cgroup_namespaces(void **state)
{
	struct model *m = *state;
	u32 ns;

	namespaces_at(m, 7, 100, 7, 136, 10);
	namespaces_at(m, 8, 100, 7, 136, 10);
	namespaces_at(m, 7, 200, 7, 136, 20);
	namespaces_at(m, 7, 300, 6, 136, 30); /* none of cgroups */
	namespaces_at(m, 7, 300, 7, 128, 30); /* ends before */
	model_freeze(m);
	assert_int_equal(cgroup_ino(m, 7, 5), 0);
	assert_int_equal(cgroup_ino(m, 7, 19), 100);
	assert_int_equal(cgroup_ino(m, 7, 20), 200);
	assert_int_equal(cgroup_ino(m, 7, 40), 200);
	assert_int_equal(cgroup_ino(m, 9, 40), 0);
	ns = model_cgroup_ns_at(m, model_thread_at(m, 7, 7, 10), 10);
	assert_int_equal(ns, model_cgroup_ns_at(m, model_thread_at(m, 8, 8, 10), 10));
	assert_int_equal(model_cgroup_ns(m, ns).dev, 4);
}

/* Memory over the program's code stands for that; over a library's, in another program, or beyond
 * it does not. */
static void moved_text(void **state)
{
	struct model *m = *state;

	comm_at(m, 7, 7, "a", true, 5);
	code_at(m, 0x10000, 0x4000, 0x1000, "/bin/a", 10);
	code_at(m, 0x70000, 0x4000, 0x1000, "/lib/b", 10);
	code_at(m, 0x11000, 0x1000, 0, "//anon", 20);
	code_at(m, 0x12000, 0x1000, 0, "/memfd:text (deleted)", 20);
	code_at(m, 0x71000, 0x1000, 0, "//anon", 20);
	code_at(m, 0x13000, 0x2000, 0, "//anon", 20);
	fork_at(m, 8, 7, 8, 8, 25);
	map_at(m, 8, 0x10000, 0x1000, "//anon", 30);
	comm_at(m, 7, 7, "c", true, 40);
	code_at(m, 0x50000, 0x4000, 0x1000, "/bin/c", 50);
	code_at(m, 0x11000, 0x1000, 0, "//anon", 60);
	model_freeze(m);
	assert_string_equal(name_at(m, 7, 0x11800, 25), "/bin/a");
	assert_string_equal(name_at(m, 7, 0x12800, 25), "/bin/a");
	assert_string_equal(name_at(m, 7, 0x71800, 15), "/lib/b");
	assert_string_not_equal(name_at(m, 7, 0x71800, 25), "/lib/b");
	assert_string_not_equal(name_at(m, 7, 0x13800, 25), "/bin/a");
	assert_string_equal(name_at(m, 8, 0x10800, 35), "/bin/a");
	assert_string_equal(name_at(m, 7, 0x11800, 55), "/bin/a");
	assert_string_not_equal(name_at(m, 7, 0x11800, 65), "/bin/a");
}

/* Where nothing is left of what was mapped before, and that has not been sorted yet. */
static void moved_text_over_nothing(void **state)
{
	struct model *m = *state;

	comm_at(m, 7, 7, "a", true, 5);
	code_at(m, 0x70000, 0x4000, 0x1000, "/lib/b", 10);
	code_at(m, 0x10000, 0x4000, 0x1000, "/bin/a", 11);
	comm_at(m, 7, 7, "c", true, 20);
	code_at(m, 0x90000, 0x1000, 0, "//anon", 30);
	model_freeze(m);
	assert_string_equal(name_at(m, 7, 0x10800, 15), "/bin/a");
	assert_string_not_equal(name_at(m, 7, 0x90800, 35), "/bin/a");
}

/* Between two pieces of a file that are where they belong together. */
static void moved_text_between(void **state)
{
	struct model *m = *state;
	const struct model_map *map;

	code_at(m, 0x10000, 0x1000, 0x1000, "/bin/a", 0);
	code_at(m, 0x11000, 0x2000, 0, "//anon", 0);
	code_at(m, 0x13000, 0x1000, 0x4000, "/bin/a", 0);
	code_at(m, 0x20000, 0x1000, 0x1000, "/lib/b", 0);
	code_at(m, 0x21000, 0x2000, 0, "//anon", 0);
	code_at(m, 0x23000, 0x1000, 0x5000, "/lib/b", 0);
	model_freeze(m);
	assert_string_equal(name_at(m, 7, 0x12800, 10), "/bin/a");
	map = model_find_map(m, model_thread_at(m, 7, 7, 10), PERF_RECORD_MISC_USER, 0x12800, 10);
	assert_int_equal(model_map_ip(map, 0x12800), 0x3800);
	assert_string_not_equal(name_at(m, 7, 0x21800, 10), "/lib/b");
}

static void moved_text_is_not_wanted(void **state)
{
	static const struct dso_config config = { .plain_maps = true };
	struct dso_table *before = dsos;
	struct model *m;

	(void)state;
	dsos = dso_table_new(&config);
	m = model_new(dsos);
	code_at(m, 0x10000, 0x4000, 0x1000, "/bin/a", 10);
	code_at(m, 0x11000, 0x1000, 0, "//anon", 20);
	model_freeze(m);
	assert_string_not_equal(name_at(m, 7, 0x11800, 25), "/bin/a");
	model_free(m);
	dso_table_free(dsos);
	dsos = before;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(replaced_mapping),
		TEST(additional_mapping_keeps_space),
		TEST(fork_and_exec),
		TEST(reused_pid),
		TEST(threads_share_mappings),
		TEST(parents),
		TEST(site_intervals),
		TEST(changes_of_mappings),
		TEST(short_records_are_ignored),
		TEST(flag_of_build_id_on_inode),
		TEST(threads_that_are_gone),
		TEST(regions_hold),
		TEST(region_of_nobody),
		TEST(cgroup_namespaces),
		TEST(moved_text),
		TEST(moved_text_between),
		TEST(moved_text_over_nothing),
		TEST(moved_text_is_not_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
