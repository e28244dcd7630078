/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "archive/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"

enum { COPY = 1 << 16, PARTS_MAX = 256 };

/* "./a//b/" is "a/b"; false: it leads out, or nowhere. */
static bool unpack_name(const char *name, struct strbuf *out)
{
	unsigned int parts = 0;

	strbuf_reset(out);
	if (name[0] == '/')
		return false;
	while (*name) {
		size_t len = strcspn(name, "/");
		bool dots = len && len <= 2 && !memcmp(name, "..", len);

		if (dots && len == 2)
			return false;
		if (len && !dots) {
			if (len > NAME_MAX || ++parts > PARTS_MAX)
				return false;
			if (out->len)
				strbuf_addch(out, '/');
			strbuf_add(out, name, len);
		}
		name += len + (name[len] == '/');
	}
	return out->len > 0;
}

static int count(struct unpacking *u, struct err *e)
{
	if (u->made++ < u->max_made)
		return 0;
	return err_set(e, E2BIG, "the archive has more than %u files and folders", u->max_made);
}

/* The folder that holds a name, made where it is not there; -1 with *e. *leaf: the last part. */
static int open_parent(struct unpacking *u, const char *name, const char **leaf, struct err *e)
{
	int at = fcntl(u->folder, F_DUPFD_CLOEXEC, 0);
	const char *slash, *whole = name;

	for (; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		_cleanup_(mem_freep) char *part = xstrndup(name, (size_t)(slash - name));
		int next = -1;

		if (mkdirat(at, part, 0755) ? errno == EEXIST : !count(u, e))
			next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(at);
		at = next;
	}
	*leaf = name;
	if (at < 0 && u->made <= u->max_made)
		err_sys(e, errno, "cannot make a folder for '%s'", whole);
	return at;
}

static u64 hash_file(const struct stat *st)
{
	return hash_finish(hash_mix(st->st_dev, st->st_ino));
}

static void note_file(struct unpacking *u, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return;
	map_add(&u->by_file, hash_file(&st), (u32)u->files.nr);
	*VEC_PUSH(&u->files) = (struct unpacked_file){ .dev = st.st_dev, .ino = st.st_ino };
}

static bool is_ours(const struct unpacking *u, const struct stat *st)
{
	u32 i;

	for (struct map_probe p = map_first(&u->by_file, hash_file(st));
	     map_next(&u->by_file, &p, &i);)
		if (u->files.v[i].dev == st->st_dev && u->files.v[i].ino == st->st_ino)
			return true;
	return false;
}

void unpacking_release(struct unpacking *u)
{
	map_release(&u->by_file);
	vec_free(&u->files);
}

static int copy_data(struct tar_reader *from, int to, const char *name, struct err *e)
{
	_cleanup_(mem_freep) char *buf = xmalloc(COPY);
	ssize_t got;

	while ((got = from->data.read(&from->data, buf, COPY, e)) > 0)
		if (rw_write_full(to, buf, (size_t)got))
			return err_sys(e, errno, "cannot write '%s'", name);
	return got < 0 ? -1 : 0;
}

static int make_file(struct unpacking *u, int parent, const char *leaf, struct tar_reader *from,
		     const struct tar_member *m, struct err *e)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = m->mtime } };
	struct new_file f;

	if (new_file_open(&f, parent, leaf, 0600))
		return err_sys(e, errno, "cannot make '%s'", m->name);
	if (copy_data(from, f.fd, m->name, e)) {
		new_file_drop(&f);
		return -1;
	}
	futimens(f.fd, times);
	note_file(u, f.fd);
	if (!fchmod(f.fd, m->mode) && !new_file_keep(&f))
		return 0;
	err_sys(e, errno, "cannot make '%s'", m->name);
	new_file_drop(&f);
	return -1;
}

/* Another name of what was made before. 0: left out. */
static int make_hardlink(struct unpacking *u, int parent, const char *leaf,
			 const struct tar_member *m, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf target = STRBUF_INIT;
	_cleanup_(mem_freep) char *above = NULL;
	_cleanup_(mem_closep) int from = -1;
	const char *from_leaf;
	struct stat st;

	if (!unpack_name(m->target, &target)) {
		err_set(e, EINVAL, "'%s' is a link that leads elsewhere", m->name);
		return 0;
	}
	from_leaf = strrchr(target.buf, '/');
	from_leaf = from_leaf ? from_leaf + 1 : target.buf;
	above = xstrndup(target.buf, (size_t)(from_leaf - target.buf));
	from = folder_below(u->folder, above, false);
	if (from < 0 || fstatat(from, from_leaf, &st, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(st.st_mode) || !is_ours(u, &st)) {
		err_set(e, EINVAL, "'%s' is a link to '%s', which is no file of this archive",
			m->name, m->target);
		return 0;
	}
	if (unlinkat(parent, leaf, 0) && errno != ENOENT)
		return err_sys(e, errno, "cannot replace '%s'", m->name);
	return linkat(from, from_leaf, parent, leaf, 0)
		       ? err_sys(e, errno, "cannot make '%s'", m->name)
		       : 1;
}

static int make_symlink(int parent, const char *leaf, const struct tar_member *m, struct err *e)
{
	if (unlinkat(parent, leaf, 0) && errno != ENOENT)
		return err_sys(e, errno, "cannot replace '%s'", m->name);
	return symlinkat(m->target, parent, leaf) ? err_sys(e, errno, "cannot make '%s'", m->name)
						  : 1;
}

static int make_folder(int parent, const char *leaf, const struct tar_member *m, struct err *e)
{
	struct stat st;

	if (!mkdirat(parent, leaf, 0755))
		return 1;
	if (errno == EEXIST && !fstatat(parent, leaf, &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISDIR(st.st_mode))
		return 1;
	return err_sys(e, errno, "cannot make '%s'", m->name);
}

/* What the rules say of a member by its names alone. name: as it will be below the folder. */
static bool is_allowed(const struct tar_member *m, const struct unpack_rules *rules,
		       struct strbuf *name, struct err *e)
{
	if (!unpack_name(m->name, name))
		err_set(e, EINVAL, "'%s' leads out of the archive", m->name);
	else if (!rules->hidden && (name->buf[0] == '.' || strstr(name->buf, "/.")))
		err_set(e, EINVAL, "'%s' is a hidden file", m->name);
	else if (m->kind == TAR_OTHER ||
		 (m->kind == TAR_SYMLINK &&
		  (!rules->link_allowed || !rules->link_allowed(name->buf, m->target))))
		err_set(e, EINVAL, "'%s' is no file%s%s", m->name,
			m->target[0] ? " but leads to " : "", m->target);
	else
		return true;
	return false;
}

int unpack_member(struct unpacking *u, struct tar_reader *from, const struct tar_member *m,
		  const struct unpack_rules *rules, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	_cleanup_(mem_closep) int parent = -1;
	struct tar_member made = *m;
	const char *leaf;
	struct stat st;

	if (!is_allowed(m, rules, &name, e))
		return 0;
	if (count(u, e))
		return -1;
	parent = open_parent(u, name.buf, &leaf, e);
	if (parent < 0)
		return -1;
	if (m->kind == TAR_FOLDER)
		return make_folder(parent, leaf, m, e);
	if (!fstatat(parent, leaf, &st, AT_SYMLINK_NOFOLLOW) &&
	    (!rules->replace || S_ISDIR(st.st_mode)))
		return err_set(e, EEXIST, "'%s' exists", name.buf);
	if (m->kind == TAR_SYMLINK)
		return make_symlink(parent, leaf, m, e);
	if (m->kind == TAR_HARDLINK)
		return make_hardlink(u, parent, leaf, m, e);
	made.mode &= rules->mode;
	return make_file(u, parent, leaf, from, &made, e) ? -1 : 1;
}
