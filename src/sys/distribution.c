/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/distribution.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

static const struct sys_distribution distributions[] = {
	{ "debian", "-dbgsym", "apt-get install ", "https://debuginfod.debian.net" },
	{ "ubuntu", "-dbgsym", "apt-get install ", "https://debuginfod.ubuntu.com" },
	{ "fedora", "", "dnf debuginfo-install ", "https://debuginfod.fedoraproject.org" },
	{ "centos", "", "dnf debuginfo-install ", "https://debuginfod.centos.org" },
	{ "rhel", "", "dnf debuginfo-install ", "https://debuginfod.elfutils.org" },
	{ "opensuse", "-debuginfo", "zypper install ", "https://debuginfod.opensuse.org" },
	{ "suse", "-debuginfo", "zypper install ", "https://debuginfod.opensuse.org" },
	{ "alpine", "-dbg", "apk add ", "https://debuginfod.elfutils.org" },
	{ "arch", NULL, NULL, "https://debuginfod.archlinux.org" },
	{ "", NULL, NULL, "https://debuginfod.elfutils.org" },
};

/* Packages whose debug information goes by another name. */
static const struct {
	const char *package, *debug;
} other_names[] = {
	{ "libc6", "libc6-dbg" },
};

/* The words of KEY= in a text of os-release(5), separated by blanks; false: there is none. */
static bool value_of(const char *text, const char *key, char *out, size_t size)
{
	size_t len = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, len) == 0 && line[len] == '=') {
			const char *from = line + len + 1;
			size_t n;

			from += *from == '"' || *from == '\'';
			n = strcspn(from, "\"'\n");
			snprintf(out, size, "%.*s", (int)MIN(n, size - 1), from);
			return true;
		}
		if (!*line)
			break;
	}
	return false;
}

static const struct sys_distribution *row_of(const char *id)
{
	for (size_t i = 0; i + 1 < ARRAY_SIZE(distributions); i++)
		if (strcmp(distributions[i].id, id) == 0)
			return &distributions[i];
	return NULL;
}

const struct sys_distribution *sys_distribution_find(const char *root)
{
	static const char *const files[] = { "/etc/os-release", "/usr/lib/os-release" };
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const struct sys_distribution *found = NULL;
	char path[PATH_MAX];
	char ids[256];
	char *save = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(files) && !text.len; i++) {
		snprintf(path, sizeof(path), "%s%s", root ? root : "", files[i]);
		rw_slurp(path, &text, NULL);
	}
	if (value_of(text.buf, "ID", ids, sizeof(ids)))
		found = row_of(ids);
	if (!found && value_of(text.buf, "ID_LIKE", ids, sizeof(ids)))
		for (char *id = strtok_r(ids, " ", &save); id && !found;
		     id = strtok_r(NULL, " ", &save))
			found = row_of(id);
	return found ? found : &distributions[ARRAY_SIZE(distributions) - 1];
}

/* Whether a text has a line. */
static bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (const char *at = strstr(text, line); at; at = strstr(at + 1, line))
		if ((at == text || at[-1] == '\n') && (at[len] == '\n' || !at[len]))
			return true;
	return false;
}

/* A file by the name that its package was built with: /lib may be a link to /usr/lib now. */
static bool lists_file(const char *text, const char *path)
{
	char other[PATH_MAX];

	if (has_line(text, path))
		return true;
	if (strncmp(path, "/usr/", 5) == 0)
		return has_line(text, path + 4);
	snprintf(other, sizeof(other), "/usr%s", path);
	return has_line(text, other);
}

bool sys_package_of(const char *root, const char *path, struct strbuf *name)
{
	static const char end[] = ".list";
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	char folder[PATH_MAX];
	char file[PATH_MAX];
	bool found = false;
	struct dirent *de;
	DIR *dir;

	if (path[0] != '/' || !path[1])
		return false;
	snprintf(folder, sizeof(folder), "%s/var/lib/dpkg/info", root ? root : "");
	dir = opendir(folder);
	while (dir && !found && (de = readdir(dir)) != NULL) {
		size_t len = strlen(de->d_name);

		if (len <= strlen(end) || strcmp(de->d_name + len - strlen(end), end) != 0)
			continue;
		strbuf_reset(&text);
		if ((size_t)snprintf(file, sizeof(file), "%s/%s", folder, de->d_name) >=
			    sizeof(file) ||
		    rw_slurp(file, &text, NULL) < 0)
			continue;
		found = lists_file(text.buf, path);
		if (found)
			/* PACKAGE:ARCHITECTURE.list */
			strbuf_add(name, de->d_name,
				   MIN(len - strlen(end), strcspn(de->d_name, ":")));
	}
	if (dir)
		closedir(dir);
	return found;
}

/* Whether a package is installed, of any architecture. */
static bool is_installed(const char *root, const char *package)
{
	char path[PATH_MAX];
	struct utsname host;
	const char *arch = "";

	snprintf(path, sizeof(path), "%s/var/lib/dpkg/info/%s.list", root ? root : "", package);
	if (access(path, F_OK) == 0)
		return true;
	if (uname(&host) == 0)
		arch = strcmp(host.machine, "aarch64") == 0 ? "arm64" : "amd64";
	snprintf(path, sizeof(path), "%s/var/lib/dpkg/info/%s:%s.list", root ? root : "", package,
		 arch);
	return access(path, F_OK) == 0;
}

/* Packages that end in -dbgsym come from an archive of their own (debian-debug, ddebs.ubuntu.com),
 * which most machines do not ask. */
static bool asks_debug_archive(const char *root)
{
	char folder[PATH_MAX];
	bool found = false;
	struct dirent *de;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/var/lib/apt/lists", root ? root : "");
	dir = opendir(folder);
	while (dir && !found && (de = readdir(dir)) != NULL)
		found = strstr(de->d_name, "_Packages") &&
			(strstr(de->d_name, "-debug_") || strstr(de->d_name, "ddebs."));
	if (dir)
		closedir(dir);
	return found;
}

static bool can_install(const char *root, const struct sys_distribution *d, const char *debug)
{
	if (strcmp(d->debug_package, "-dbgsym") != 0)
		return true;
	if (is_installed(root, debug))
		return false; /* and does not have it */
	return !strstr(debug, d->debug_package) || asks_debug_archive(root);
}

bool sys_debug_package_command(const char *root, const char *path, struct strbuf *command)
{
	const struct sys_distribution *d = sys_distribution_find(root);
	_cleanup_(strbuf_releasep) struct strbuf package = STRBUF_INIT;
	_cleanup_(mem_freep) char *debug = NULL;

	if (!d->debug_package || !sys_package_of(root, path, &package))
		return false;
	debug = xasprintf("%s%s", package.buf, d->debug_package);
	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++) {
		if (strcmp(other_names[i].package, package.buf) == 0) {
			free(debug);
			debug = xstrdup(other_names[i].debug);
		}
	}
	if (!can_install(root, d, debug))
		return false;
	strbuf_addf(command, "%s%s", d->install, debug);
	return true;
}
