/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print_err.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"

void err_print(const struct err *e)
{
	fflush(stdout);
	log_error("%s", e->text[0] ? e->text : strerror(e->code));
	if (e->hint[0])
		log_hint("%s", e->hint);
}

bool print_similar(const struct similar *near)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	if (!similar_question(near, &text))
		return false;
	log_hint("%s", text.buf);
	return true;
}

/* Whether stdout is a pipe that nobody reads any more. */
static bool reader_is_gone(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return poll(&out, 1, 0) > 0 && out.revents & POLLERR;
}

int print_finish_stdout(int code)
{
	/* A stream error of an earlier write has lost its errno; the write that fails now has not.
	 */
	bool failed = ferror(stdout) != 0;
	int cause = 0;
	if (fflush(stdout) == EOF) {
		failed = true;
		cause = errno;
	}
	/* Only close() reports the errors of some file systems; the descriptor itself stays open
	 * for whoever still holds it. */
	int copy = dup(STDOUT_FILENO);
	if (copy >= 0 && close(copy) < 0 && !failed) {
		failed = true;
		cause = errno;
	}
	if (!failed)
		return code;
	if (cause == EPIPE || (!cause && reader_is_gone()))
		return code ? code : 1;
	struct err e = ERR_INIT;
	if (cause)
		err_sys(&e, cause, "cannot write to standard output");
	else
		err_set(&e, EIO, "cannot write to standard output");
	log_error("%s", e.text);
	return code ? code : 1;
}
