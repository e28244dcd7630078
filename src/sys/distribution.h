/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/distribution: which distribution a root file system holds, which package a file came with,
 * and what installs that package's debug information. Everything is read from files; no program is
 * run. Thread-safe.
 *
 * Sources: os-release(5), dpkg-query(1) (/var/lib/dpkg/info/PACKAGE.list),
 * apt (/var/lib/apt/lists).
 */
#ifndef SYS_DISTRIBUTION_H
#define SYS_DISTRIBUTION_H

#include "base/strbuf.h"

struct sys_distribution {
	const char *id; /* of os-release(5) */
	const char *debug_package; /* what a package is followed by: "-dbgsym"; NULL = unknown */
	const char *install; /* the command before the package's name */
	const char *debuginfod; /* its public server of debug information */
};

/* root NULL = this machine's. Never NULL: what is not known has a row of its own. */
const struct sys_distribution *sys_distribution_find(const char *root);
/* Name of the package that owns a file; false: none, or the packages' files are not known. */
bool sys_package_of(const char *root, const char *path, struct strbuf *name);
/* The one command that installs debug information for a file, as root; false: not known, the
 * package is installed already, or apt does not ask the archive that has it. */
bool sys_debug_package_command(const char *root, const char *path, struct strbuf *command);

#endif
