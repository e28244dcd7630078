/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perf daemon takes from configuration files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/daemon/base_dir.h"
#include "cmd/daemon/settings.h"

static char folder[] = "/tmp/unit-daemon-XXXXXX";

static void write_config(const char *text)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/config", folder);
	_cleanup_(mem_fclosep) FILE *f = fopen(path, "we");

	assert_non_null(f);
	fputs(text, f);
}

/* 0 or -1 as daemon_settings_read(); the error's text in *e. */
static int read_config(const char *text, struct daemon_settings *s, struct err *e)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/config", folder);
	struct daemon_files f;
	int r;

	write_config(text);
	assert_int_equal(daemon_files_find(&f, path, e), 0);
	r = daemon_settings_read(s, &f, e);
	daemon_files_release(&f);
	return r;
}

static void sessions_in_order(void **state UNUSED)
{
	struct daemon_settings s;
	struct err e = ERR_INIT;

	assert_int_equal(read_config("[session-b]\nrun = -e  a -- 'x  y'\n[daemon]\nbase = /b\n"
				     "[session-A.1]\nrun = one\n[session-b]\nrun = two # no\n"
				     "[session \"c\"]\nrun = no\n[other]\nrun = no\n",
				     &s, &e),
			 0);
	assert_string_equal(s.base, "/b");
	assert_int_equal(s.sessions.nr, 2);
	assert_string_equal(s.sessions.v[0].name, "b");
	assert_string_equal(s.sessions.v[0].run, "two");
	assert_string_equal(s.sessions.v[1].name, "a.1");
	assert_string_equal(s.sessions.v[1].run, "one");
	daemon_settings_release(&s);
}

static void wrong_files(void **state UNUSED)
{
	static const char *const texts[] = {
		"[session-]\nrun = a\n",
		"[session-a \"/\"]\nrun = a\n",
		"[session-a \" \"]\nrun = a\n",
		"[daemon]\nbase = /b\n[session-a]\nrun = a\nwrong[\n",
		("[session-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]\nrun = a\n"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct daemon_settings s;
		struct err e = ERR_INIT;

		assert_int_equal(read_config(texts[i], &s, &e), -1);
		assert_true(e.text[0]);
		daemon_settings_release(&s);
	}
}

/* What stands before a wrong line is enough to find the daemon that shall be stopped. */
static void base_of_wrong_file(void **state UNUSED)
{
	struct daemon_settings s;
	struct err e = ERR_INIT;

	assert_int_equal(read_config("[daemon]\nbase = /b\nwrong[\n", &s, &e), -1);
	assert_string_equal(s.base, "/b");
	daemon_settings_release(&s);
}

/* Nothing is opened through a link, and no fifo is taken for one that is none. */
static void foreign_files(void **state UNUSED)
{
	struct base_dir b;
	struct err e = ERR_INIT;
	int fd = -1, other = -1;

	assert_int_equal(base_dir_open(&b, folder, &e), 0);
	assert_int_equal(symlinkat("/tmp", b.fd, "session-link"), 0);
	assert_int_equal(base_dir_session(&b, "link", &fd, &e), -1);
	assert_int_equal(unlinkat(b.fd, "session-link", 0), 0);
	assert_int_equal(base_dir_session(&b, "one", &fd, &e), 0);
	assert_int_equal(base_dir_fifo(fd, "ack", NULL, &e), 0);
	assert_int_equal(base_dir_fifo(fd, "ack", NULL, &e), 0);
	assert_int_equal(base_dir_output(fd, "one", &other, &e), 0);
	assert_int_equal(base_dir_fifo(fd, "output", NULL, &e), -1);
	assert_int_equal(base_dir_output(fd, "one", &other, &e), 0);
	assert_int_equal(unlinkat(fd, "output", 0), 0);
	assert_int_equal(mkfifoat(fd, "output", 0600), 0);
	assert_int_equal(base_dir_output(fd, "one", &other, &e), -1);
	assert_int_equal(fchmod(fd, 0777), 0);
	assert_int_equal(base_dir_session(&b, "one", &other, &e), -1);
	assert_int_equal(unlinkat(fd, "output", 0), 0);
	assert_int_equal(unlinkat(fd, "ack", 0), 0);
	assert_int_equal(unlinkat(b.fd, "session-one", AT_REMOVEDIR), 0);
	close(fd);
	base_dir_close(&b);
}

static int make_folder(void **state UNUSED)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state UNUSED)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/config", folder);

	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_in_order),
		cmocka_unit_test(wrong_files),
		cmocka_unit_test(base_of_wrong_file),
		cmocka_unit_test(foreign_files),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
