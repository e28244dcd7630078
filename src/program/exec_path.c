/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/exec_path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program/build_config.h"

/* The source tree that the running program was built in and is still in; NULL: there is none. */
static const char *source_tree(void)
{
	static const char sure[] = "/scripts/python/Perf-Trace-Util";
	static char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - sizeof(sure));

	for (int up = 0; up < 2 && n > 0; up++) {
		path[n] = '\0';
		n = (ssize_t)(strrchr(path, '/') - path);
	}
	if (n <= 0)
		return NULL;
	memcpy(path + n, sure, sizeof(sure));
	if (access(path, X_OK))
		return NULL;
	path[n] = '\0';
	return path;
}

const char *program_exec_path(void)
{
	const char *env = getenv("PERF_EXEC_PATH"), *sources;

	if (env && *env)
		return env;
	sources = access(PERF_EXEC_PATH "/scripts", F_OK) ? source_tree() : NULL;
	return sources ? sources : PERF_EXEC_PATH;
}
