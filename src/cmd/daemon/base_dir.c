/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/daemon/base_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

enum {
	FOLDER_MODE = 0755,
	LOCK_MODE = 0640,
	OUTPUT_MODE = 0644,
	FIFO_MODE = 0600,
	/* a link is not followed, and a FIFO does not make us wait */
	SAFE = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
};

int base_dir_open(struct base_dir *b, const char *path, struct err *e)
{
	struct stat st;

	*b = (struct base_dir){ .fd = -1, .lock_fd = -1 };
	if (stat(path, &st) && (errno == ENOENT || errno == ENOTDIR))
		return err_set(e, ENOENT, "base '%s' does not exists", path);
	b->fd = open(path, O_DIRECTORY | O_CLOEXEC);
	if (b->fd < 0 && errno == ENOTDIR)
		return err_set(e, ENOTDIR, "base '%s' is not directory", path);
	b->path = realpath(path, NULL);
	if (b->fd >= 0 && b->path)
		return 0;
	err_sys(e, errno, "cannot open base '%s'", path);
	base_dir_close(b);
	return -1;
}

void base_dir_close(struct base_dir *b)
{
	if (b->lock_fd >= 0)
		close(b->lock_fd);
	if (b->fd >= 0)
		close(b->fd);
	free(b->path);
	*b = (struct base_dir){ .fd = -1, .lock_fd = -1 };
}

/* A regular file of ours with one name: no other user can write it, nor is it a file of another
 * folder. */
static int open_own_file(int dir_fd, const char *folder, const char *name, int mode, struct err *e)
{
	int fd = openat(dir_fd, name, O_RDWR | O_CREAT | SAFE, mode);
	struct stat st;

	if (fd < 0)
		return err_sys(e, errno, "cannot open '%s/%s'", folder, name);
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1)
		return fd;
	close(fd);
	return err_set(e, EPERM, "'%s/%s' is no file of ours", folder, name);
}

static int fail_locked(const struct base_dir *b, int fd, const struct flock *held, struct err *e)
{
	char text[16] = "";
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	long pid = held->l_pid;

	/* (of another pid namespace, the kernel does not tell) */
	if (pid <= 0 && n > 0)
		pid = strtol(text, NULL, 10);
	return err_set(e, EBUSY, "another perf daemon (pid %ld) owns %s", pid, b->path);
}

int base_dir_lock(struct base_dir *b, struct err *e)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open_own_file(b->fd, b->path, "lock", LOCK_MODE, e);
	char text[16];
	int len;

	if (fd < 0)
		return -1;
	if (fcntl(fd, F_SETLK, &lock)) {
		int cause = errno;

		if (cause == EAGAIN || cause == EACCES)
			fcntl(fd, F_GETLK, &lock);
		if (cause == EAGAIN || cause == EACCES)
			fail_locked(b, fd, &lock, e);
		else
			err_sys(e, cause, "cannot lock '%s/lock'", b->path);
		close(fd);
		return -1;
	}
	len = snprintf(text, sizeof(text), "%d", (int)getpid());
	if (ftruncate(fd, 0) || rw_pwrite_full(fd, text, (size_t)len, 0)) {
		err_sys(e, errno, "cannot write '%s/lock'", b->path);
		close(fd);
		return -1;
	}
	b->lock_fd = fd;
	return 0;
}

int base_dir_output(int dir_fd, const char *folder, int *fd, struct err *e)
{
	*fd = open_own_file(dir_fd, folder, "output", OUTPUT_MODE, e);
	if (*fd < 0)
		return -1;
	/* (a regular file does not block: what inherits it need not know) */
	if (!ftruncate(*fd, 0) && !fcntl(*fd, F_SETFL, O_APPEND))
		return 0;
	err_sys(e, errno, "cannot empty '%s/output'", folder);
	close(*fd);
	*fd = -1;
	return -1;
}

int base_dir_session(const struct base_dir *b, const char *name, int *fd, struct err *e)
{
	_cleanup_(mem_freep) char *folder = xasprintf("session-%s", name);
	struct stat st;

	if (mkdirat(b->fd, folder, FOLDER_MODE) && errno != EEXIST)
		return err_sys(e, errno, "cannot make '%s/%s'", b->path, folder);
	*fd = openat(b->fd, folder, O_DIRECTORY | SAFE);
	if (*fd < 0)
		return err_sys(e, errno, "cannot open '%s/%s'", b->path, folder);
	if (!fstat(*fd, &st) && st.st_uid == geteuid() && !(st.st_mode & S_IWOTH))
		return 0;
	close(*fd);
	*fd = -1;
	return err_set(e, EPERM, "others can write to '%s/%s'", b->path, folder);
}

int base_dir_fifo(int dir_fd, const char *name, int *fd, struct err *e)
{
	struct stat st;
	int new;

	if (mkfifoat(dir_fd, name, FIFO_MODE) && errno != EEXIST)
		return err_sys(e, errno, "cannot make the fifo '%s'", name);
	new = openat(dir_fd, name, O_RDWR | SAFE);
	if (new < 0)
		return err_sys(e, errno, "cannot open the fifo '%s'", name);
	if (fstat(new, &st) || !S_ISFIFO(st.st_mode) || st.st_uid != geteuid()) {
		close(new);
		return err_set(e, EPERM, "'%s' is no fifo of ours", name);
	}
	if (fd)
		*fd = new;
	else
		close(new);
	return 0;
}
