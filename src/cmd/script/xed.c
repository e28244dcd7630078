/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/xed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/* As perf calls it: behind "insn:" stand bytes of 64-bit code. */
#define COMMAND "exec xed -F insn: -A -64"

static bool is_installed(const char *name)
{
	const char *dirs = getenv("PATH"), *end;
	bool found = false;

	for (const char *p = dirs ? dirs : ""; *p && !found; p = *end ? end + 1 : end) {
		end = strchrnul(p, ':');
		char *path = xasprintf("%.*s/%s", (int)(end - p), p, name);

		found = access(path, X_OK) == 0;
		free(path);
	}
	return found;
}

FILE *xed_start(struct err *e)
{
	FILE *xed;

	if (!is_installed("xed")) {
		err_set(e, ENOENT, "--xed needs the program 'xed', which is not in PATH");
		err_hint(e, "-F +insn shows the bytes of instructions without it");
		return NULL;
	}
	fflush(stdout);
	xed = popen(COMMAND, "we");
	if (!xed || dup2(fileno(xed), STDOUT_FILENO) < 0) {
		err_sys(e, errno, "cannot start 'xed'");
		if (xed)
			pclose(xed);
		return NULL;
	}
	return xed;
}

void xed_finish(FILE *xed)
{
	int nowhere;

	if (!xed)
		return;
	fflush(stdout);
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere >= 0) {
		dup2(nowhere, STDOUT_FILENO);
		close(nowhere);
	} else {
		close(STDOUT_FILENO);
	}
	pclose(xed);
}
