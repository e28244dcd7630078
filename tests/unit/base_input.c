// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/input.h"
#include "base/mem.h"

struct place {
	char dir[32];
	char path[96];
};

static const char *at(struct place *p, const char *name)
{
	snprintf(p->path, sizeof(p->path), "%s/%s", p->dir, name);
	return p->path;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static int set_up(void **state)
{
	struct place *p = XNEW(struct place);

	snprintf(p->dir, sizeof(p->dir), "/tmp/base_input.XXXXXX");
	*state = p;
	return mkdtemp(p->dir) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct place *p = *state;
	_cleanup_(mem_freep) char *command = xasprintf("rm -rf '%s'", p->dir);
	int r = system(command);

	free(p);
	return r;
}

static void refused(const char *path, unsigned int flags, int code, const char *text)
{
	struct err e = ERR_INIT;

	assert_int_equal(input_open(path, flags, &e), -1);
	assert_int_equal(e.code, code);
	assert_non_null(strstr(e.text, text));
	assert_int_equal(input_open(path, flags, NULL), -1);
	assert_int_equal(errno, code);
}

static void accepted(const char *path, unsigned int flags)
{
	_cleanup_(mem_closep) int fd = input_open(path, flags, NULL);

	assert_true(fd >= 0);
}

static void kinds_of_files(void **state)
{
	struct place *p = *state;
	struct strbuf text = STRBUF_INIT;

	write_file(at(p, "file"), "text");
	accepted(p->path, 0);
	assert_int_equal(input_slurp(p->path, 0, &text, NULL), 0);
	assert_string_equal(text.buf, "text");
	strbuf_release(&text);
	assert_int_equal(symlink("file", at(p, "link")), 0);
	accepted(p->path, INPUT_OWNED);
	refused(at(p, "none"), 0, ENOENT, "cannot open");
	refused(p->dir, INPUT_PIPE, EISDIR, "is a directory");
	refused("/dev/zero", INPUT_PIPE | INPUT_KERNEL, EINVAL, "is not a regular file");
	refused("/dev/null", 0, EINVAL, "is not a regular file");
	accepted("/dev/null", INPUT_PIPE);
	refused("/proc/self/maps", 0, EINVAL, "is made by the kernel");
	accepted("/proc/self/maps", INPUT_KERNEL | INPUT_OWNED);
}

/* Opening this one would wait. */
static void fifo_without_writer(void **state)
{
	struct place *p = *state;
	_cleanup_(mem_closep) int writer = -1;

	assert_int_equal(mkfifo(at(p, "fifo"), 0600), 0);
	assert_int_equal(symlink("fifo", at(p, "link")), 0);
	refused(p->path, 0, EINVAL, "is not a regular file");
	writer = open(p->path, O_RDWR | O_CLOEXEC);
	assert_true(writer >= 0);
	accepted(p->path, INPUT_PIPE);
}

/* Nothing answers for this device, which is found out by opening it alone. */
static void device_is_not_opened(void **state)
{
	struct place *p = *state;

	if (mknod(at(p, "device"), S_IFCHR | 0600, makedev(511, 65000)))
		skip();
	assert_int_equal(symlink("device", at(p, "link")), 0);
	refused(p->path, INPUT_PIPE, EINVAL, "is not a regular file");
}

static void file_of_another_user(void **state)
{
	struct place *p = *state;

	if (geteuid())
		skip();
	write_file(at(p, "theirs"), "text");
	assert_int_equal(chown(p->path, 65534, 65534), 0);
	refused(p->path, INPUT_OWNED, EPERM, "belongs to another user");
	accepted(p->path, 0);
	assert_int_equal(mkfifo(at(p, "fifo"), 0600), 0);
	assert_int_equal(chown(p->path, 65534, 65534), 0);
	refused(p->path, INPUT_OWNED | INPUT_PIPE, EPERM, "belongs to another user");
}

/* A link in a container's root must not lead to a file of the machine. */
static void links_stay_below_a_root(void **state)
{
	struct place *p = *state;
	_cleanup_(mem_freep) char *path = NULL;
	struct strbuf text = STRBUF_INIT;
	int ready[2];
	char byte;

	if (geteuid())
		skip();
	write_file(at(p, "outside"), "outside");
	assert_int_equal(mkdir(at(p, "root"), 0755), 0);
	assert_int_equal(mkdir(at(p, "root/tmp"), 0755), 0);
	assert_int_equal(symlink("/file", at(p, "root/tmp/inner")), 0);
	write_file(at(p, "root/file"), "inside");
	path = xasprintf("%s/root/escape", p->dir);
	assert_int_equal(symlink(at(p, "outside"), path), 0);
	free(path);
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();

	if (!pid) {
		if (!chroot(at(p, "root")))
			(void)!write(ready[1], "x", 1);
		close(ready[1]);
		for (;;)
			pause();
	}
	close(ready[1]);
	bool changed = read(ready[0], &byte, 1) == 1;

	close(ready[0]);
	path = xasprintf("/proc/%d/root/tmp/inner", pid);
	int inner = changed ? input_slurp(path, 0, &text, NULL) : 0;

	free(path);
	path = xasprintf("/proc/%d/root/escape", pid);
	int escape = input_open(path, 0, NULL);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (!changed)
		skip();
	assert_int_equal(inner, 0);
	assert_string_equal(text.buf, "inside");
	assert_int_equal(escape, -1);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(kinds_of_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(fifo_without_writer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(device_is_not_opened, set_up, tear_down),
		cmocka_unit_test_setup_teardown(file_of_another_user, set_up, tear_down),
		cmocka_unit_test_setup_teardown(links_stay_below_a_root, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
