/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/touched.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/compare.h"
#include "base/hash.h"
#include "base/input.h"
#include "capture/mapped_file.h"
#include "perfdata/record.h"

enum {
	COMPACT_MAPS = 1 << 16, /* first look for dead processes at so many maps */
	MAX_ANCESTORS = 64,
	KERNEL_PID = -1,
	TRIES_MAX = 16, /* processes that are asked for their file */
	FILES_MAX = 128, /* of a limit of a thousand, as a rule */
};

bool touched_has_other_root(s32 pid)
{
	struct stat root, ours;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root/.", pid);
	if (stat(path, &root) < 0 || stat("/", &ours) < 0)
		return false;
	return root.st_ino != ours.st_ino || root.st_dev != ours.st_dev;
}

/* What the name means to us may be another file than the process has: it has another root, or we
 * have none of that name. */
static bool is_elsewhere(s32 pid, const char *name)
{
	struct stat file;

	return touched_has_other_root(pid) || stat(name, &file) < 0;
}

static int open_as_seen_by(s32 pid, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "/proc/%d/root%s", pid, name) >= (int)sizeof(path))
		return -1;
	return input_open(path, 0, NULL);
}

static void keep_file(struct touched *t, struct touched_object *o, const struct touched_map *m)
{
	const char *name = intern_str(&t->names, o->name);

	if (o->fd >= 0 || t->nr_files >= FILES_MAX || o->pid <= 0 || name[0] != '/' ||
	    !is_elsewhere(o->pid, name))
		return;
	o->fd = open_as_seen_by(o->pid, name);
	if (o->fd < 0)
		o->fd = mapped_file_open(m->pid, m->start, m->end);
	t->nr_files += o->fd >= 0;
}

/* What is known of a mapping's file. */
struct touched_file {
	u16 cpumode;
	s32 pid;
	u8 build_id_size; /* 0 = unknown: any of the name will do */
	const u8 *build_id;
};

static bool is_same_file(const struct touched_object *o, const struct touched_file *s)
{
	return !o->build_id_size || !s->build_id_size ||
	       (o->build_id_size == s->build_id_size &&
		!memcmp(o->build_id, s->build_id, s->build_id_size));
}

static u32 object_of(struct touched *t, const char *name, size_t len,
		     const struct touched_file *seen)
{
	struct touched_object *o;
	u32 *link, number;
	str_id id;

	/* "[kernel.kallsyms]_text": the reference symbol is no part of the name */
	if (len && name[0] == '[' && seen->cpumode == PERF_RECORD_MISC_KERNEL) {
		const char *close = memchr(name, ']', len);

		if (close)
			len = (size_t)(close - name) + 1;
	}
	id = intern_add(&t->names, name, len);
	while (t->by_name.nr <= id)
		*VEC_PUSH(&t->by_name) = 0;
	for (link = &t->by_name.v[id]; *link; link = &t->objects.v[*link - 1].next) {
		if (is_same_file(&t->objects.v[*link - 1], seen))
			break;
	}
	number = *link ? *link - 1 : (u32)t->objects.nr;
	if (!*link) {
		*link = number + 1; /* before the push: it may move what this is in */
		*VEC_PUSH(&t->objects) = (struct touched_object){
			.name = id, .cpumode = seen->cpumode, .pid = seen->pid, .fd = -1
		};
	}
	o = &t->objects.v[number];
	if (!o->build_id_size && seen->build_id_size) {
		o->build_id_size = seen->build_id_size;
		memcpy(o->build_id, seen->build_id, o->build_id_size);
	}
	return number;
}

static u64 page_hash(s32 pid, u64 page)
{
	return hash_u64(page ^ (u64)(u32)pid << 40 ^ (u64)(u32)pid >> 24);
}

void touched_sample_slow(struct touched *t, s32 pid, u64 page)
{
	u64 h = page_hash(pid, page);
	u32 i;

	for (struct map_probe p = map_first(&t->page_map, h); map_next(&t->page_map, &p, &i);) {
		if (t->pages.v[i].page == page && t->pages.v[i].pid == pid)
			return;
	}
	map_add(&t->page_map, h, (u32)t->pages.nr);
	*VEC_PUSH(&t->pages) = (struct touched_page){ .page = page, .pid = pid };
}

void touched_add_fork(struct touched *t, s32 pid, s32 ppid)
{
	if (pid != ppid)
		*VEC_PUSH(&t->forks) = (struct touched_fork){ .pid = pid, .ppid = ppid };
}

void touched_add_exit(struct touched *t, s32 pid)
{
	*VEC_PUSH(&t->exited) = pid;
}

static int compare_maps(const void *a, const void *b)
{
	const struct touched_map *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Mark what the page may belong to in this process; false = nothing there. */
static bool mark_page(struct touched *t, s32 pid, u64 page)
{
	u64 from = page << 12, to = from + 0x1000;
	size_t lo = 0, hi = t->maps.nr;
	bool any = false;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->maps.v[mid].pid < pid)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < t->maps.nr && t->maps.v[lo].pid == pid && t->maps.v[lo].start < to; lo++) {
		if (t->maps.v[lo].end <= from)
			continue;
		t->objects.v[t->maps.v[lo].object].hit = true;
		any = true;
	}
	return any;
}

static bool parent_of(const struct touched *t, s32 pid, s32 *parent)
{
	struct touched_fork key = { .pid = pid };
	const struct touched_fork *f = bsearch(&key, t->forks.v, t->forks.nr, sizeof(key), by_s32);

	if (!f)
		return false;
	*parent = f->ppid;
	return true;
}

static void mark_all_pages(struct touched *t)
{
	VEC_SORT(&t->maps, compare_maps);
	VEC_SORT(&t->forks, by_s32);
	VEC_FOR(&t->pages, p) {
		s32 pid = p->pid;

		for (int depth = 0; depth < MAX_ANCESTORS; depth++) {
			if (mark_page(t, pid, p->page) || !t->forks.nr || !parent_of(t, pid, &pid))
				break;
		}
	}
}

/* Drop what belongs to dead processes, after their pages were looked up. */
static void compact(struct touched *t)
{
	size_t n = 0;

	if (!t->exited.nr)
		return;
	mark_all_pages(t);
	VEC_SORT(&t->exited, by_s32);
	VEC_FOR(&t->maps, m) {
		if (!bsearch(&m->pid, t->exited.v, t->exited.nr, sizeof(s32), by_s32))
			t->maps.v[n++] = *m;
	}
	t->maps.nr = n;
	n = 0;
	VEC_FOR(&t->forks, f) {
		if (!bsearch(&f->pid, t->exited.v, t->exited.nr, sizeof(s32), by_s32))
			t->forks.v[n++] = *f;
	}
	t->forks.nr = n;
	t->pages.nr = 0;
	map_clear(&t->page_map);
	t->exited.nr = 0;
	t->last_page = 0;
	t->last_pid = 0;
}

static void add_map(struct touched *t, const struct touched_map *m)
{
	if (t->maps.nr >= COMPACT_MAPS && t->exited.nr > COMPACT_MAPS / 16)
		compact(t);
	*VEC_PUSH(&t->maps) = *m;
}

/* "[vdso]", "[vsyscall]" */
static bool is_of_kernel(const struct record_name *name)
{
	return name->len > 2 && name->text[0] == '[' && name->text[1] == 'v';
}

void touched_add_map(struct touched *t, const struct perf_event_header *h)
{
	struct touched_file seen = { .cpumode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK };
	struct touched_map m;
	union record_view v;
	size_t known;

	if (!record_view(h, 0, &v))
		return;
	m.pid = seen.cpumode == PERF_RECORD_MISC_KERNEL ? KERNEL_PID : (s32)v.mmap.pid;
	m.start = v.mmap.start;
	m.end = m.start + v.mmap.len;
	t->other_code |= seen.cpumode != PERF_RECORD_MISC_KERNEL && !v.mmap.build_id_size &&
			 !is_of_kernel(&v.mmap.name);
	if (v.mmap.name.text[0] == '/' && v.mmap.name.text[1] == '/')
		return; /* "//anon" */
	known = t->objects.nr;
	seen.pid = m.pid;
	seen.build_id_size = v.mmap.build_id_size;
	seen.build_id = v.mmap.build_id;
	m.object = object_of(t, v.mmap.name.text, v.mmap.name.len, &seen);
	if (t->keeps_files && m.object >= known)
		keep_file(t, &t->objects.v[m.object], &m);
	add_map(t, &m);
}

void touched_merge(struct touched *t, struct touched *from)
{
	u32 *number = XNEW_ARRAY(u32, from->objects.nr ? from->objects.nr : 1);

	for (size_t i = 0; i < from->objects.nr; i++) {
		struct touched_object *o = &from->objects.v[i];
		const char *name = intern_str(&from->names, o->name);
		struct touched_object *mine;

		number[i] = object_of(t, name, strlen(name),
				      &(struct touched_file){ .cpumode = o->cpumode,
							      .pid = o->pid,
							      .build_id_size = o->build_id_size,
							      .build_id = o->build_id });
		mine = &t->objects.v[number[i]];
		mine->hit |= o->hit;
		if (mine->fd < 0 && o->fd >= 0) {
			mine->fd = o->fd;
			o->fd = -1;
			t->nr_files++;
		}
	}
	t->other_code |= from->other_code;
	VEC_FOR(&from->maps, m) {
		struct touched_map map = *m;

		map.object = number[m->object];
		*VEC_PUSH(&t->maps) = map;
	}
	VEC_FOR(&from->forks, f)
		*VEC_PUSH(&t->forks) = *f;
	VEC_FOR(&from->pages, p)
		touched_sample_slow(t, p->pid, p->page);
	free(number);
}

void touched_resolve(struct touched *t, bool all)
{
	mark_all_pages(t);
	if (!all)
		return;
	VEC_FOR(&t->objects, o)
		o->hit = true;
}

int touched_open_mapped(const struct touched *t, const struct touched_object *o)
{
	u32 number = (u32)(o - t->objects.v);
	int fd = -1, tries = 0;
	s32 last = 0;

	VEC_FOR(&t->maps, m) {
		if (m->object != number || m->pid == last)
			continue;
		last = m->pid;
		fd = mapped_file_open(m->pid, m->start, m->end);
		if (fd >= 0 || ++tries == TRIES_MAX)
			break;
	}
	return fd;
}

void touched_release(struct touched *t)
{
	bool keeps_files = t->keeps_files;

	VEC_FOR(&t->objects, o)
		if (o->fd >= 0)
			close(o->fd);
	intern_release(&t->names);
	vec_free(&t->objects);
	vec_free(&t->by_name);
	vec_free(&t->maps);
	vec_free(&t->forks);
	vec_free(&t->pages);
	vec_free(&t->exited);
	map_release(&t->page_map);
	*t = (struct touched){ .keeps_files = keeps_files };
}
