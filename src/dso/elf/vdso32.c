/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf/vdso32.h"

#include "base/types.h"

#ifdef __x86_64__
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

/* asm/prctl.h: maps the 32-bit vdso into a process that has none. */
enum { MAP_VDSO_32 = 0x2002, MAX_IMAGE = 64 << 10 };

struct vdso_range {
	u64 start, end;
};

/* "START-END PERMS ... NAME"; false: the line is of another mapping. */
static bool parse_range(const char *line, const char *name, struct vdso_range *out)
{
	const char *end = strchr(line, '\n');
	size_t len = strlen(name);
	char *p;

	if (!end || (size_t)(end - line) < len || memcmp(end - len, name, len) != 0)
		return false;
	out->start = strtoull(line, &p, 16);
	out->end = strtoull(p + 1, NULL, 16);
	return true;
}

/* Mappings of this process that the kernel made for its vdso. */
static size_t own_ranges(struct vdso_range *out, size_t max)
{
	static const char *const names[] = { "[vdso]", "[vvar]", "[vvar_vclock]" };
	_cleanup_(strbuf_releasep) struct strbuf maps = STRBUF_INIT;
	size_t nr = 0;

	if (rw_slurp("/proc/self/maps", &maps, NULL) < 0)
		return 0;
	for (const char *line = maps.buf; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		for (size_t i = 0; i < ARRAY_SIZE(names) && nr < max; i++)
			nr += parse_range(line, names[i], &out[nr]);
	}
	return nr;
}

/* The process may hold no lock but for calls of the kernel: other threads did not come along. */
NORETURN static void map_and_send(const struct vdso_range *own, size_t nr, int to)
{
	static char maps[32 << 10];
	struct vdso_range r = { 0, 0 };
	ssize_t n;
	int fd;

	for (size_t i = 0; i < nr; i++)
		munmap((void *)(uintptr_t)own[i].start, own[i].end - own[i].start);
	if (syscall(SYS_arch_prctl, MAP_VDSO_32, 0UL) <= 0)
		_exit(1);
	fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	for (size_t len = 0; len < sizeof(maps) - 1; len += (size_t)n) {
		n = read(fd, maps + len, sizeof(maps) - 1 - len);
		if (n <= 0)
			break;
	}
	for (const char *line = maps; line && !r.end; line = strchr(line, '\n')) {
		line += *line == '\n';
		parse_range(line, "[vdso]", &r);
	}
	if (!r.end || r.end - r.start > MAX_IMAGE)
		_exit(1);
	_exit(rw_write_full(to, (const void *)(uintptr_t)r.start, r.end - r.start) < 0);
}

static bool receive(pid_t pid, int from, struct strbuf *out)
{
	_cleanup_(mem_freep) char *buf = xmalloc(MAX_IMAGE);
	ssize_t n = rw_read_full(from, buf, MAX_IMAGE);
	int status = -1;

	while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
	if (n <= 0 || status)
		return false;
	strbuf_add(out, buf, (size_t)n);
	return true;
}

bool vdso32_read(struct strbuf *out)
{
	struct vdso_range own[8];
	size_t nr = own_ranges(own, ARRAY_SIZE(own));
	bool ok = false;
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return false;
	/* A fork() whose end sends no signal: a recorder takes that for the end of what it records.
	 */
	pid = (pid_t)syscall(SYS_clone, 0UL, NULL, NULL, NULL, 0UL);
	if (!pid)
		map_and_send(own, nr, fds[1]);
	close(fds[1]);
	if (pid > 0)
		ok = receive(pid, fds[0], out);
	close(fds[0]);
	return ok;
}
#else
bool vdso32_read(struct strbuf *out UNUSED)
{
	return false;
}
#endif
