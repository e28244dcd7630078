/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing where others have a say, as far as one user can see it; tests/live/other_user.py has the
 * rest. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "archive/unpack.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"

static char top[] = "/tmp/safe-file-XXXXXX";

static int enter(void **state)
{
	(void)state;
	return !mkdtemp(top) || chdir(top) ? -1 : 0;
}

static int leave(void **state)
{
	_cleanup_(mem_freep) char *command = xasprintf("rm -rf %s", top);

	(void)state;
	return chdir("/") || system(command);
}

static void put(const char *name, const char *text)
{
	_cleanup_(mem_closep) int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0 && !rw_write_full(fd, text, strlen(text)));
}

static void is(const char *name, const char *text)
{
	_cleanup_(strbuf_releasep) struct strbuf found = STRBUF_INIT;

	assert_int_equal(rw_slurp(name, &found, NULL), 0);
	assert_string_equal(found.buf, text);
}

/* Written under another name; the old file's other name keeps its contents. */
static void whole_or_not(void **state)
{
	struct new_file f;

	(void)state;
	put("kept", "old");
	assert_int_equal(link("kept", "name"), 0);
	assert_int_equal(new_file_open(&f, AT_FDCWD, "name", 0644), 0);
	assert_int_equal(rw_write_full(f.fd, "new", 3), 0);
	is("name", "old");
	assert_int_equal(new_file_keep(&f), 0);
	new_file_drop(&f);
	is("name", "new");
	is("kept", "old");
	assert_int_equal(new_file_open(&f, AT_FDCWD, "name", 0644), 0);
	new_file_drop(&f);
	is("name", "new");
	assert_int_equal(access(f.temp, F_OK), -1);
}

static int open_output(const char *name, int flags, struct err *e)
{
	int fd = output_file_open(name, flags, 0644, e);

	if (fd >= 0)
		assert_int_equal(rw_write_full(fd, "out", 3), 0);
	return fd < 0 ? -1 : close(fd);
}

static void outputs(void **state)
{
	enum { EMPTY = O_WRONLY | O_CREAT | O_TRUNC, MORE = O_WRONLY | O_CREAT | O_APPEND };
	struct err e = ERR_INIT;
	struct stat before, after;

	(void)state;
	put("a", "what was there");
	assert_int_equal(stat("a", &before), 0);
	assert_int_equal(open_output("a", EMPTY, &e), 0);
	assert_int_equal(stat("a", &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	is("a", "out");
	assert_int_equal(open_output("a", MORE, &e), 0);
	is("a", "outout");
	/* a second name */
	assert_int_equal(link("a", "b"), 0);
	assert_int_equal(open_output("b", MORE, &e), -1);
	assert_int_equal(e.code, EPERM);
	assert_int_equal(open_output("b", EMPTY, &e), 0);
	is("a", "outout");
	is("b", "out");
	/* links of ours: one after the other, to nothing, in a ring */
	assert_int_equal(mkdir("d", 0755), 0);
	assert_int_equal(symlink("d/link", "l1"), 0);
	assert_int_equal(symlink("../new", "d/link"), 0);
	assert_int_equal(open_output("l1", EMPTY, &e), 0);
	is("new", "out");
	assert_int_equal(symlink("ring", "ring"), 0);
	assert_int_equal(open_output("ring", EMPTY, &e), -1);
	assert_int_equal(e.code, ELOOP);
	assert_int_equal(open_output("d", EMPTY, &e), -1);
	assert_int_equal(e.code, EISDIR);
	assert_int_equal(open_output("", EMPTY, &e), -1);
	assert_int_equal(open_output("d/", EMPTY, &e), -1);
	assert_int_equal(open_output("none/x", EMPTY, &e), -1);
	assert_int_equal(e.code, ENOENT);
	assert_int_equal(open_output("absent", O_RDWR, &e), -1);
	assert_int_equal(open_output("/dev/null", EMPTY, &e), 0);
}

static void folders(void **state)
{
	struct err e = ERR_INIT;
	_cleanup_(mem_closep) int here = open(".", O_PATH | O_DIRECTORY);
	_cleanup_(mem_closep) int made = folder_below(here, "x/y//z", true);
	int fd;

	(void)state;
	assert_true(made >= 0);
	assert_int_equal(faccessat(here, "x/y/z", F_OK, 0), 0);
	assert_int_equal(folder_below(here, "x/none", false), -1);
	assert_int_equal(symlink("x", "way"), 0);
	assert_int_equal(folder_below(here, "way/y", true), -1);
	/* The last part may be a link of somebody we trust; what counts is where it leads. */
	fd = folder_trusted("way/y/z", false, &e);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(folder_trusted("way/new/one", false, &e), -1);
	assert_int_equal(e.code, ENOENT);
	fd = folder_trusted("way/new/one", true, &e);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(access("x/new/one", F_OK), 0);
}

static ssize_t no_bytes(struct byte_source *s UNUSED, void *buf UNUSED, size_t n UNUSED,
			struct err *e UNUSED)
{
	return 0;
}

static void folders_of_archives(void **state)
{
	struct byte_source none = { .read = no_bytes };
	struct unpack_rules rules = { .mode = 0755 };
	struct tar_member m = { .kind = TAR_FILE, .name = "1/2/3/4/f", .target = "" };
	_cleanup_(mem_closep) int here = open(".", O_RDONLY | O_DIRECTORY);
	struct unpacking u = { .folder = here, .max_made = 4 };
	struct err e = ERR_INIT;
	struct tar_reader t;

	(void)state;
	tar_reader_init(&t, &none);
	assert_int_equal(unpack_member(&u, &t, &m, &rules, &e), -1);
	assert_string_equal(e.text, "the archive has more than 4 files and folders");
	assert_int_equal(access("1/2/3", F_OK), 0);
	assert_int_equal(access("1/2/3/4/f", F_OK), -1);
	tar_reader_release(&t);
	unpacking_release(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_or_not),
		cmocka_unit_test(outputs),
		cmocka_unit_test(folders),
		cmocka_unit_test(folders_of_archives),
	};

	return cmocka_run_group_tests_name("base_safe_file", tests, enter, leave);
}
