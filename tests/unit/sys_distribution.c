/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packages and distributions of a made-up root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "sys/distribution.h"

static char root[] = "/tmp/distribution-XXXXXX";

static void put(const char *name, const char *text)
{
	_cleanup_(mem_closep) int fd = -1;
	char path[512];

	snprintf(path, sizeof(path), "%s%s", root, name);
	for (char *slash = strchr(path + sizeof(root), '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(rw_write_full(fd, text, strlen(text)), 0);
}

static void drop(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s%s", root, name);
	assert_int_equal(remove(path), 0);
}

static const char coreutils[] = "/var/lib/dpkg/info/coreutils.list";
static const char libc[] = "/var/lib/dpkg/info/libc6:amd64.list";

static const char libc_debug[] = "/var/lib/dpkg/info/libc6-dbg.list";
static const char debug_list[] = "/var/lib/apt/lists/deb.debian.org_debian-debug_main_Packages";

static void packages(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	(void)state;
	put(coreutils, "/.\n/bin\n/bin/ls\n/usr/bin/sort\n");
	put(libc, "/lib/x86_64-linux-gnu/libc.so.6");
	assert_true(sys_package_of(root, "/bin/ls", &text));
	assert_string_equal(text.buf, "coreutils");
	strbuf_reset(&text);
	/* /bin is a link to /usr/bin now, and the other way round */
	assert_true(sys_package_of(root, "/usr/bin/ls", &text));
	assert_true(sys_package_of(root, "/bin/sort", &text));
	strbuf_reset(&text);
	assert_false(sys_package_of(root, "/bin/l", &text));
	assert_false(sys_package_of(root, "bin/ls", &text));
	assert_false(sys_package_of(root, "", &text));
	put("/etc/os-release", "PRETTY_NAME=\"X\"\nID=mint\nID_LIKE=\"ubuntu debian\"\n");
	assert_string_equal(sys_distribution_find(root)->id, "ubuntu");
	/* no archive of such packages is asked */
	assert_false(sys_debug_package_command(root, "/usr/bin/sort", &text));
	put(debug_list, "");
	assert_true(sys_debug_package_command(root, "/usr/bin/sort", &text));
	assert_string_equal(text.buf, "apt-get install coreutils-dbgsym");
	strbuf_reset(&text);
	assert_true(sys_debug_package_command(root, "/usr/lib/x86_64-linux-gnu/libc.so.6", &text));
	assert_string_equal(text.buf, "apt-get install libc6-dbg");
	strbuf_reset(&text);
	/* it is there and does not help */
	put(libc_debug, "/usr/lib/debug/x");
	assert_false(sys_debug_package_command(root, "/usr/lib/x86_64-linux-gnu/libc.so.6", &text));
	assert_false(sys_debug_package_command(root, "/opt/x", &text));
	put("/etc/os-release", "ID='arch'");
	assert_string_equal(sys_distribution_find(root)->id, "arch");
	assert_false(sys_debug_package_command(root, "/usr/bin/sort", &text));
	drop("/etc/os-release");
	assert_string_equal(sys_distribution_find(root)->id, "");
}

static int make_root(void **state)
{
	(void)state;
	return mkdtemp(root) ? 0 : -1;
}

static int drop_root(void **state)
{
	static const char *const rest[] = { coreutils,
					    libc,
					    libc_debug,
					    debug_list,
					    "/var/lib/apt/lists",
					    "/var/lib/apt",
					    "/var/lib/dpkg/info",
					    "/var/lib/dpkg",
					    "/var/lib",
					    "/var",
					    "/etc",
					    "" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rest); i++)
		drop(rest[i]);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(packages, make_root, drop_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
