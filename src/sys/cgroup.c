/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <regex.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/compare.h"
#include "base/rw.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum { CGROUP_DEPTH_MAX = 64 };

static bool has_option(const char *opts, size_t len, const char *want)
{
	size_t wlen = strlen(want);

	for (size_t i = 0; i + wlen <= len; i++) {
		bool starts = !i || opts[i - 1] == ',';
		bool ends = i + wlen == len || opts[i + wlen] == ',';

		if (starts && ends && !memcmp(opts + i, want, wlen))
			return true;
	}
	return false;
}

struct mount_line {
	const char *dir, *type, *opts;
	size_t dir_len, type_len, opts_len;
};

/* "device dir type options 0 0" */
static bool split_mount(const char *line, const char *end, struct mount_line *m)
{
	const char *field[4];
	size_t len[4];

	for (size_t i = 0; i < 4; i++) {
		const char *sp = memchr(line, ' ', (size_t)(end - line));

		if (!sp)
			return false;
		field[i] = line;
		len[i] = (size_t)(sp - line);
		line = sp + 1;
	}
	*m = (struct mount_line){ field[1], field[2], field[3], len[1], len[2], len[3] };
	return true;
}

bool sys_cgroup_mount(const char *procfs, char *buf, size_t size, bool *is_v2)
{
	_cleanup_(strbuf_releasep) struct strbuf mounts = STRBUF_INIT;
	char path[PATH_MAX];
	bool found = false;

	snprintf(path, sizeof(path), "%s/mounts", procfs ? procfs : "/proc");
	if (rw_slurp(path, &mounts, NULL))
		return false;
	for (const char *line = mounts.buf; *line;) {
		const char *end = strchrnul(line, '\n');
		struct mount_line m;

		if (split_mount(line, end, &m)) {
			bool v1 = m.type_len == 6 && !memcmp(m.type, "cgroup", 6) &&
				  has_option(m.opts, m.opts_len, "perf_event");
			bool v2 = m.type_len == 7 && !memcmp(m.type, "cgroup2", 7);

			if (v1 || (v2 && !found)) {
				snprintf(buf, size, "%.*s", (int)m.dir_len, m.dir);
				*is_v2 = v2;
				found = true;
			}
			if (v1)
				return true;
		}
		line = *end ? end + 1 : end;
	}
	return found;
}

int sys_cgroup_open(const char *procfs, const char *name, struct err *e)
{
	char mnt[PATH_MAX];
	char path[2 * PATH_MAX];
	bool v2;

	if (!sys_cgroup_mount(procfs, mnt, sizeof(mnt), &v2)) {
		err_set(e, ENOENT, "cannot find cgroup '%s': no cgroup hierarchy is mounted", name);
		err_hint(e, "mount -t cgroup2 none /sys/fs/cgroup");
		return -1;
	}
	while (*name == '/')
		name++;
	snprintf(path, sizeof(path), "%s/%s", mnt, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	if (fd < 0)
		return err_sys(e, errno, "cannot open cgroup '%s'", path);
	return fd;
}

bool sys_cgroup_id(const char *path, u64 *id)
{
	struct {
		struct file_handle fh;
		u64 id;
	} h = { .fh.handle_bytes = sizeof(u64) };
	int mount_id;

	if (name_to_handle_at(AT_FDCWD, path, &h.fh, &mount_id, 0) < 0)
		return false;
	*id = bits_u64(h.fh.f_handle);
	return true;
}

struct cgroup_walk {
	bool (*fn)(void *ctx, const char *path, u64 id);
	void *ctx;
	size_t mnt_len;
	char path[PATH_MAX];
};

static bool walk_dir(struct cgroup_walk *w, size_t len, int depth)
{
	VEC(char *) names = { 0 };
	bool go = true;
	u64 id;

	if (sys_cgroup_id(w->path, &id) &&
	    !w->fn(w->ctx, w->path[w->mnt_len] ? w->path + w->mnt_len : "/", id))
		return false;
	DIR *dir = depth < CGROUP_DEPTH_MAX ? opendir(w->path) : NULL;
	if (!dir)
		return true;
	for (struct dirent *d; (d = readdir(dir));)
		if (d->d_type == DT_DIR && d->d_name[0] != '.')
			*VEC_PUSH(&names) = xstrdup(d->d_name);
	closedir(dir);
	VEC_SORT(&names, by_string);
	VEC_FOR(&names, n) {
		size_t add = strlen(*n) + 1;

		if (go && len + add < sizeof(w->path)) {
			snprintf(w->path + len, sizeof(w->path) - len, "/%s", *n);
			go = walk_dir(w, len + add, depth + 1);
			w->path[len] = '\0';
		}
		free(*n);
	}
	vec_free(&names);
	return go;
}

int sys_cgroup_walk(const char *procfs, bool (*fn)(void *ctx, const char *path, u64 id), void *ctx,
		    struct err *e)
{
	struct cgroup_walk *w = XNEW(struct cgroup_walk);
	bool v2;
	int rc = 0;

	w->fn = fn;
	w->ctx = ctx;
	if (sys_cgroup_mount(procfs, w->path, sizeof(w->path), &v2)) {
		w->mnt_len = strlen(w->path);
		walk_dir(w, w->mnt_len, 0);
	} else {
		rc = err_set(e, ENOENT, "no cgroup hierarchy is mounted");
	}
	free(w);
	return rc;
}

struct cgroup_match {
	VEC(regex_t) patterns;
	struct strbuf names;
};

static int add_patterns(struct cgroup_match *m, const char *list, struct err *e)
{
	for (const char *p = list; *p; p += strspn(p, ",")) {
		size_t len = strcspn(p, ",");
		_cleanup_(mem_freep) char *text = xstrndup(p, len);
		regex_t pattern = { 0 };
		int wrong;

		p += len;
		if (!len)
			continue;
		wrong = regcomp(&pattern, text, REG_NOSUB);
		if (wrong) {
			char why[128];

			regerror(wrong, &pattern, why, sizeof(why));
			return err_set(e, EINVAL, "'%s' is no pattern of cgroups: %s", text, why);
		}
		*VEC_PUSH(&m->patterns) = pattern;
	}
	return 0;
}

static bool match_group(void *ctx, const char *path, u64 id UNUSED)
{
	struct cgroup_match *m = ctx;

	if (!path[1])
		return true;
	VEC_FOR(&m->patterns, p) {
		if (!regexec(p, path + 1, 0, NULL, 0)) {
			strbuf_addf(&m->names, "%s%s", m->names.len ? "," : "", path + 1);
			break;
		}
	}
	return true;
}

char *sys_cgroup_match(const char *procfs, const char *list, struct err *e)
{
	struct cgroup_match m = { .names = STRBUF_INIT };
	int rc;

	if (!strpbrk(list, "^*[$|+?(){}"))
		return NULL;
	rc = add_patterns(&m, list, e);
	if (!rc)
		rc = sys_cgroup_walk(procfs, match_group, &m, e);
	if (!rc && !m.names.len)
		err_set(e, ENOENT, "no cgroup matched: %s", list);
	VEC_FOR(&m.patterns, p)
		regfree(p);
	vec_free(&m.patterns);
	if (rc || !m.names.len) {
		strbuf_release(&m.names);
		return NULL;
	}
	return strbuf_detach(&m.names);
}
