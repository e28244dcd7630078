/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/compare.h"
#include "base/limits.h"
#include "base/rw.h"

enum { DENTS_SIZE = 32 << 10, READ_CHUNK = 16 << 10 };

bool sys_proc_init(struct sys_proc *p, const char *procfs)
{
	*p = (struct sys_proc){ .buf = STRBUF_INIT };
	p->dirfd = open(procfs ? procfs : "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->dirfd < 0)
		return false;
	p->dents = xmalloc(DENTS_SIZE);
	return true;
}

void sys_proc_release(struct sys_proc *p)
{
	mem_closep(&p->dirfd);
	strbuf_release(&p->buf);
	mem_freep(&p->dents);
}

/* The whole file into p->buf. /proc files are read in as few calls as possible. */
static bool slurp(struct sys_proc *p, const char *path)
{
	_cleanup_(mem_closep) int fd = openat(p->dirfd, path, O_RDONLY | O_CLOEXEC);

	strbuf_reset(&p->buf);
	if (fd < 0)
		return false;
	for (;;) {
		if (p->buf.cap < p->buf.len + READ_CHUNK)
			strbuf_grow(&p->buf, READ_CHUNK);
		ssize_t n = read(fd, p->buf.buf + p->buf.len, p->buf.cap - p->buf.len - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		p->buf.len += (size_t)n;
		p->buf.buf[p->buf.len] = '\0';
		if (!n || p->buf.len > LIMIT_SMALL_FILE)
			return true;
	}
}

static bool parse_pid(const char *s, pid_t *pid)
{
	u32 v = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || v > INT32_MAX / 10)
			return false;
		v = v * 10 + (u32)(*s - '0');
	}
	*pid = (pid_t)v;
	return true;
}

/* struct linux_dirent64: u64 ino, s64 off, u16 reclen, u8 type, name */
enum { DENT_RECLEN = 16, DENT_NAME = 19 };

static bool list_numbers(struct sys_proc *p, const char *path, sys_pids *out)
{
	_cleanup_(mem_closep) int fd = openat(p->dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	out->nr = 0;
	if (fd < 0)
		return false;
	for (;;) {
		long n = syscall(SYS_getdents64, fd, p->dents, DENTS_SIZE);

		if (n < 0)
			return false;
		if (!n)
			break;
		for (long at = 0; at < n; at += bits_u16(p->dents + at + DENT_RECLEN)) {
			pid_t pid;

			if (parse_pid(p->dents + at + DENT_NAME, &pid))
				*VEC_PUSH(out) = pid;
		}
	}
	VEC_SORT(out, by_s32);
	return true;
}

bool sys_proc_pids(struct sys_proc *p, sys_pids *out)
{
	return list_numbers(p, ".", out);
}

bool sys_proc_tids(struct sys_proc *p, pid_t pid, sys_pids *out)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/task", pid);
	return list_numbers(p, path, out);
}

/* The kernel writes newline as \n and backslash as \\ in "Name:". */
static void copy_name(const char *from, char *to, size_t size)
{
	size_t n = 0;

	for (; *from && *from != '\n' && n + 1 < size; from++) {
		char c = *from;

		if (c == '\\' && (from[1] == '\\' || from[1] == 'n'))
			c = *++from == 'n' ? '\n' : '\\';
		to[n++] = c;
	}
	to[n] = '\0';
}

/* Start of the value behind "\nKEY:" and blanks. */
static const char *status_value(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = text; line && *line;) {
		if (!strncmp(line, key, len) && line[len] == ':')
			return line + len + 1 + strspn(line + len + 1, " \t");
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return NULL;
}

static u32 status_number(const char *text, const char *key)
{
	const char *v = status_value(text, key);

	return v ? (u32)strtoul(v, NULL, 10) : 0;
}

bool sys_proc_task(struct sys_proc *p, pid_t pid, pid_t tid, struct sys_task *t)
{
	char path[64];
	const char *name;

	snprintf(path, sizeof(path), "%d/task/%d/status", pid, tid);
	if (!slurp(p, path))
		return false;
	name = status_value(p->buf.buf, "Name");
	if (!name)
		return false;
	*t = (struct sys_task){ .tid = tid };
	copy_name(name, t->comm, sizeof(t->comm));
	t->pid = (pid_t)status_number(p->buf.buf, "Tgid");
	t->ppid = (pid_t)status_number(p->buf.buf, "PPid");
	t->uid = status_number(p->buf.buf, "Uid");
	t->kernel_thread = !status_value(p->buf.buf, "VmPeak");
	return true;
}

bool sys_proc_comm(struct sys_proc *p, pid_t pid, char *comm, size_t size)
{
	char path[64];

	comm[0] = '\0';
	snprintf(path, sizeof(path), "%d/comm", pid);
	if (!slurp(p, path))
		return false;
	snprintf(comm, size, "%.*s", (int)strcspn(p->buf.buf, "\n"), p->buf.buf);
	return true;
}

bool sys_proc_maps(struct sys_proc *p, pid_t pid, struct sys_maps_iter *it)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/maps", pid);
	if (!slurp(p, path))
		return false;
	it->at = p->buf.buf;
	return true;
}

static bool hex(char **at, char stop, u64 *value)
{
	char *s = *at;
	u64 v = 0;

	for (;; s++) {
		u32 d;

		if (*s >= '0' && *s <= '9')
			d = (u32)(*s - '0');
		else if (*s >= 'a' && *s <= 'f')
			d = (u32)(*s - 'a' + 10);
		else
			break;
		v = v << 4 | d;
	}
	if (s == *at || *s != stop)
		return false;
	*at = s + 1;
	*value = v;
	return true;
}

static u64 decimal(char **at)
{
	u64 v = 0;

	for (; **at >= '0' && **at <= '9'; (*at)++)
		v = v * 10 + (u64)(**at - '0');
	return v;
}

static bool parse_line(char *s, struct sys_map *m)
{
	u64 maj, min;

	if (!hex(&s, '-', &m->start) || !hex(&s, ' ', &m->end) || strnlen(s, 5) < 5)
		return false;
	m->prot = (s[0] == 'r' ? SYS_MAP_READ : 0U) | (s[1] == 'w' ? SYS_MAP_WRITE : 0U) |
		  (s[2] == 'x' ? SYS_MAP_EXEC : 0U);
	m->shared = s[3] == 's';
	s += 5;
	if (!hex(&s, ' ', &m->pgoff) || !hex(&s, ':', &maj) || !hex(&s, ' ', &min))
		return false;
	m->maj = (u32)maj;
	m->min = (u32)min;
	m->ino = decimal(&s);
	m->path = s + strspn(s, " ");
	return true;
}

bool sys_maps_next(struct sys_maps_iter *it, struct sys_map *m)
{
	while (*it->at) {
		char *line = it->at;
		char *end = strchrnul(line, '\n');

		it->at = *end ? end + 1 : end;
		*end = '\0';
		if (parse_line(line, m))
			return true;
	}
	return false;
}

bool sys_proc_ns(struct sys_proc *p, pid_t pid, const char *name, u64 *dev, u64 *ino)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "%d/ns/%s", pid, name);
	if (fstatat(p->dirfd, path, &st, 0))
		return false;
	*dev = st.st_dev;
	*ino = st.st_ino;
	return true;
}

bool sys_proc_is_ours(const char *procfs)
{
	char path[PATH_MAX], self[32];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/self", procfs ? procfs : "/proc");
	n = readlink(path, self, sizeof(self) - 1);
	if (n <= 0)
		return true;
	self[n] = '\0';
	return strtol(self, NULL, 10) == getpid();
}

bool sys_proc_own_file(const void *address, char *path, size_t size, u64 *offset)
{
	u64 at = (u64)(uintptr_t)address;
	struct sys_maps_iter it;
	struct sys_proc proc;
	struct sys_map m;
	bool found = false;

	if (!sys_proc_init(&proc, NULL))
		return false;
	if (sys_proc_maps(&proc, getpid(), &it)) {
		while (!found && sys_maps_next(&it, &m))
			found = m.start <= at && at < m.end && *m.path == '/';
	}
	if (found) {
		snprintf(path, size, "%s", m.path);
		*offset = at - m.start + m.pgoff;
	}
	sys_proc_release(&proc);
	return found;
}

/* What is behind the name in /proc/PID/stat; NULL: it is gone. */
static const char *read_stat(const char *procfs, u32 pid, char *text, size_t size)
{
	char path[4096];
	const char *behind;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/%u/stat", procfs ? procfs : "/proc", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	len = read(fd, text, size - 1);
	close(fd);
	text[MAX(len, 0)] = '\0';
	/* the name, in parentheses, may be any text */
	behind = strrchr(text, ')');
	return behind ? behind + 1 : NULL;
}

bool sys_proc_terminal(const char *procfs, u32 pid, u32 *parent, s32 *terminal)
{
	char text[1024], state;
	const char *behind = read_stat(procfs, pid, text, sizeof(text));

	return behind && sscanf(behind, " %c %u %*d %*d %d", &state, parent, terminal) == 3;
}

bool sys_proc_start(const char *procfs, u32 pid, u64 *ticks)
{
	enum { BEFORE = 19 }; /* fields between the name and it */
	char text[1024];
	const char *s = read_stat(procfs, pid, text, sizeof(text));

	for (int i = 0; s && i <= BEFORE; i++)
		s = strchr(s, ' ') ? strchr(s, ' ') + 1 : NULL;
	return s && sscanf(s, "%" SCNu64, ticks) == 1;
}
