/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/shared_counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "bpf/library.h"
#include "bpf/shared_counts.skel.h"
#include "sys/cpu.h"
#include "sys/perf_open.h"

enum {
	BPF_FILE_SYSTEM = 0xcafe4a11, /* statfs.f_type */
	ATTR_MAP_ENTRIES = 256, /* different events at the same time */
	PRESERVE_ELEMS = 1 << 11, /* BPF_F_PRESERVE_ELEMS: descriptors outlive who put them there */
	TEST_RUN_ON_CPU = 1 << 0,
};

struct shared_counts {
	struct shared_counts_bpf *bpf;
	u32 nr, nr_cpus; /* counters; CPUs that there may ever be */
	u32 *online;
	size_t nr_online;
	int attr_map; /* -1: nothing is shared, */
	char alone[160]; /* and why */
	u64 epoch; /* the last one; 1: the one that the exec of a workload begins */
	struct program_count *values; /* room for what the kernel gives: one for each CPU */
};

static const char doing[] = "count by BPF";

static int refuse(struct err *e, int code, const char *what)
{
	return bpf_refuse(e, code, doing, what);
}

/* ------------------------------------------------------------------ who shares finds whom */

static bool has_shape(int map, u32 type, u32 key, u32 value)
{
	struct bpf_map_info info = { 0 };
	u32 size = sizeof(info);

	return !bpf_obj_get_info_by_fd(map, &info, &size) && info.type == type &&
	       info.key_size == key && info.value_size == value;
}

/* The pinned map; it is made if there is none. */
static int open_attr_map(const char *path, struct err *e)
{
	int made, map = bpf_obj_get(path);

	if (map < 0 && errno == ENOENT) {
		made = bpf_map_create(BPF_MAP_TYPE_HASH, "perf_attr_map",
				      sizeof(struct perf_event_attr), sizeof(u32), ATTR_MAP_ENTRIES,
				      NULL);
		if (made < 0)
			return refuse(e, errno, "the kernel does not take a map");
		if (!bpf_obj_pin(made, path))
			return made;
		close(made);
		if (errno == EEXIST)
			map = bpf_obj_get(path); /* another perf was quicker */
	}
	if (map < 0)
		return err_sys(e, errno, "cannot open the map of shared counters '%s'", path);
	if (has_shape(map, BPF_MAP_TYPE_HASH, sizeof(struct perf_event_attr), sizeof(u32)))
		return map;
	close(map);
	err_set(e, EINVAL, "'%s' is no map of shared counters of this version", path);
	err_hint(e, "choose another path with --bpf-attr-map");
	return -1;
}

/* Where the user has named no place, sharing is not worth an error. */
static int find_sharers(struct shared_counts *s, const char *path, struct err *e)
{
	struct statfs fs;
	struct err why = ERR_INIT;

	if (!path && (statfs("/sys/fs/bpf", &fs) || (u32)fs.f_type != BPF_FILE_SYSTEM)) {
		snprintf(s->alone, sizeof(s->alone), "/sys/fs/bpf is no BPF file system");
		return 0;
	}
	s->attr_map = open_attr_map(path ? path : SHARED_COUNTS_ATTR_MAP, &why);
	if (s->attr_map >= 0)
		return 0;
	if (!path) {
		snprintf(s->alone, sizeof(s->alone), "%.*s", (int)sizeof(s->alone) - 1, why.text);
		return 0;
	}
	*e = why;
	if (why.code == EINVAL && !why.hint[0])
		err_hint(e, "it has to be in a BPF file system: mount -t bpf bpf /sys/fs/bpf");
	return -1;
}

/* The descriptors that somebody else uses now; -1: nobody. */
static int descriptors_of_others(const struct shared_counts *s, const struct perf_event_attr *attr)
{
	u32 id;
	int map;

	if (s->attr_map < 0 || bpf_map_lookup_elem(s->attr_map, attr, &id))
		return -1;
	map = bpf_map_get_fd_by_id(id);
	if (map < 0)
		return -1;
	if (has_shape(map, BPF_MAP_TYPE_PERF_EVENT_ARRAY, sizeof(u32), sizeof(u32)))
		return map;
	close(map);
	return -1;
}

static void tell_others(const struct shared_counts *s, const struct perf_event_attr *attr, int map)
{
	struct bpf_map_info info = { 0 };
	u32 size = sizeof(info);

	if (s->attr_map >= 0 && !bpf_obj_get_info_by_fd(map, &info, &size))
		bpf_map_update_elem(s->attr_map, attr, &info.id, BPF_ANY);
}

/* ------------------------------------------------------------------ counters */

/* One counter on all CPUs. 0 or an errno. */
static int open_counter(const struct shared_counts *s, int map, const struct perf_event_attr *attr)
{
	int failed = ENODEV;
	bool any = false;

	for (size_t i = 0; i < s->nr_online; i++) {
		struct perf_event_attr a = *attr;
		int fd = sys_perf_event_open(&a, -1, (int)s->online[i], -1, 0);

		if (fd < 0) {
			failed = -fd;
			continue;
		}
		any |= !bpf_map_update_elem(map, &s->online[i], &fd, BPF_ANY);
		close(fd);
	}
	return any ? 0 : failed;
}

/* -1 and *e. */
static int find_or_open(const struct shared_counts *s, const struct perf_event_attr *attr,
			struct err *e)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = PRESERVE_ELEMS);
	int r, map = descriptors_of_others(s, attr);

	if (map >= 0)
		return map;
	map = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "perf_counter", sizeof(u32),
			     sizeof(u32), s->nr_cpus, &opts);
	if (map < 0)
		return refuse(e, errno, "the kernel does not take a map");
	r = open_counter(s, map, attr);
	if (!r) {
		tell_others(s, attr, map);
		return map;
	}
	close(map);
	return err_sys(e, r, "cannot %s", doing);
}

int shared_counts_put(struct shared_counts *s, u32 counter, const struct perf_event_attr *attr,
		      struct err *e)
{
	_cleanup_(mem_closep) int map = -1;

	/* another perf that begins at the same time finds what this one opens */
	if (s->attr_map >= 0)
		flock(s->attr_map, LOCK_EX);
	map = find_or_open(s, attr, e);
	if (s->attr_map >= 0)
		flock(s->attr_map, LOCK_UN);
	if (map < 0)
		return -1;
	if (bpf_map_update_elem(bpf_map__fd(s->bpf->maps.counters), &counter, &map, BPF_ANY))
		return refuse(e, errno, "the kernel does not take a map of counters");
	return 0;
}

/* ------------------------------------------------------------------ programs */

static int put_owners(const struct shared_counts *s, const struct shared_counts_opts *o)
{
	int r = 0;

	for (u64 i = 0; i < o->nr_tids && !r; i++)
		r = bpf_map_update_elem(bpf_map__fd(s->bpf->maps.tids), &o->tids[i], &i, BPF_ANY);
	for (u64 i = 0; i < o->nr_cgroups && !r; i++) {
		u64 owner = i + 1;

		r = bpf_map_update_elem(bpf_map__fd(s->bpf->maps.cgroups), &o->cgroups[i], &owner,
					BPF_ANY);
	}
	return r;
}

static int start(struct shared_counts *s, const struct shared_counts_opts *o, struct err *e)
{
	size_t owners = o->nr_tids ? o->nr_tids : 1 + o->nr_cgroups;
	int r;

	if (s->nr > SHARED_COUNTS_COUNTERS)
		return err_set(e, E2BIG, "cannot %s: %d different events are the most", doing,
			       SHARED_COUNTS_COUNTERS);
	if (o->nr_tids > SHARED_COUNTS_THREADS || o->nr_cgroups > SHARED_COUNTS_CGROUPS)
		return err_set(e, E2BIG, "cannot %s: too many threads or cgroups", doing);
	if (bpf_check_pids(doing, e) < 0 || bpf_check_types(doing, e) < 0)
		return -1;
	s->bpf = shared_counts_bpf__open();
	if (!s->bpf)
		return refuse(e, errno, "libbpf does not take the BPF program");
	s->bpf->rodata->nr_counters = s->nr;
	s->bpf->rodata->only_tids = o->nr_tids != 0;
	s->bpf->rodata->by_cgroup = o->nr_cgroups != 0;
	bpf_map__set_max_entries(s->bpf->maps.counters, s->nr);
	bpf_map__set_max_entries(s->bpf->maps.sums, (u32)owners * s->nr);
	/* of whole CPUs alone nothing is to be told apart */
	bpf_program__set_autoload(s->bpf->progs.shared_counts_switch, o->nr_tids || o->nr_cgroups);
	bpf_program__set_autoload(s->bpf->progs.shared_counts_fork, o->children && o->nr_tids);
	bpf_program__set_autoload(s->bpf->progs.shared_counts_exec, o->on_exec && o->nr_tids);
	r = shared_counts_bpf__load(s->bpf);
	if (r < 0)
		return refuse(e, -r, "the kernel does not take the BPF program");
	r = put_owners(s, o);
	return r < 0 ? refuse(e, -r, "too many threads or cgroups")
		     : find_sharers(s, o->attr_map, e);
}

struct shared_counts *shared_counts_new(const struct shared_counts_opts *o, u32 nr, struct err *e)
{
	struct shared_counts *s = XNEW(struct shared_counts);
	u32 *possible = NULL;
	size_t nr_possible = 0;
	int r;

	*s = (struct shared_counts){ .nr = nr, .nr_cpus = 1, .attr_map = -1, .epoch = 1 };
	/* the kernel writes a value for each of them */
	r = sys_cpu_list(NULL, "cpu/possible", &possible, &nr_possible, e);
	if (nr_possible)
		s->nr_cpus = possible[nr_possible - 1] + 1;
	free(possible);
	s->values = xcalloc(s->nr_cpus, sizeof(*s->values));
	sys_cpus_online(NULL, &s->online, &s->nr_online);
	if (!r && !start(s, o, e))
		return s;
	shared_counts_free(s);
	return NULL;
}

void shared_counts_free(struct shared_counts *s)
{
	if (!s)
		return;
	shared_counts_bpf__destroy(s->bpf);
	mem_closep(&s->attr_map);
	free(s->online);
	free(s->values);
	free(s);
}

int shared_counts_begin(struct shared_counts *s, struct err *e)
{
	int r = shared_counts_bpf__attach(s->bpf);

	return r < 0 ? refuse(e, -r, "the BPF program cannot be attached") : 0;
}

void shared_counts_update(struct shared_counts *s)
{
	int program = bpf_program__fd(s->bpf->progs.shared_counts_now);

	for (size_t i = 0; i < s->nr_online; i++) {
		LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = TEST_RUN_ON_CPU, .cpu = s->online[i]);

		bpf_prog_test_run_opts(program, &opts);
	}
}

void shared_counts_enable(struct shared_counts *s, bool on)
{
	u64 *epoch = &s->bpf->bss->state.epoch;

	if (on == (__atomic_load_n(epoch, __ATOMIC_ACQUIRE) != 0))
		return;
	if (!on)
		shared_counts_update(s);
	__atomic_store_n(epoch, on ? ++s->epoch : 0, __ATOMIC_RELEASE);
	if (on)
		shared_counts_update(s);
}

struct program_count shared_counts_read(struct shared_counts *s, u32 counter, u32 owner, int cpu)
{
	u32 at = owner * s->nr + counter;
	struct program_count sum = { 0 };

	if (bpf_map_lookup_elem(bpf_map__fd(s->bpf->maps.sums), &at, s->values))
		return sum;
	for (u32 i = 0; i < s->nr_cpus; i++) {
		if (cpu >= 0 && i != (u32)cpu)
			continue;
		sum.value += s->values[i].value;
		sum.enabled += s->values[i].enabled;
		sum.running += s->values[i].running;
	}
	return sum;
}

const char *shared_counts_alone(const struct shared_counts *s)
{
	return s->alone[0] ? s->alone : NULL;
}

u64 shared_counts_lost(const struct shared_counts *s)
{
	return s->bpf->bss->state.lost;
}
