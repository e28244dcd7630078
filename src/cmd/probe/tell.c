/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perf probe tells. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "cmd/probe/internal.h"

void probe_say(const struct probe_opts *o, const char *fmt, ...)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf safe = STRBUF_INIT;
	va_list ap;

	if (o->quiet)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	strbuf_add_escaped_lines(&safe, text.buf);
	(void)fflush(stdout);
	fprintf(stderr, "%s\n", safe.buf);
}

int probe_fail(const struct probe_opts *o, const char *what, const struct err *e)
{
	if (e->text[0])
		probe_say(o, "%s", e->text);
	if (e->hint[0] && !o->quiet)
		log_hint("%s", e->hint);
	if (o->verbose)
		probe_say(o, "  Error: Failed to %s. Reason: %s (Code: %d)", what,
			  strerror(e->code), -e->code);
	else
		probe_say(o, "  Error: Failed to %s.", what);
	return (256 - e->code) & 255 ? (256 - e->code) & 255 : 1;
}

void probe_explain_list(const char *root, enum probe_list list, bool writing, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	int code = e->code;

	probe_list_path(root, list, &path);
	if (code == ENOENT)
		err_set(e, code,
			"%s does not exist.\nPlease rebuild kernel with CONFIG_%s_EVENTS=y.",
			path.buf, list == PROBE_LIST_USER ? "UPROBE" : "KPROBE");
	else if (code != EACCES && code != EPERM)
		err_set(e, code, "Failed to open %s: %s", path.buf, strerror(code));
	else if (writing)
		err_set(e, code,
			"No permission to write tracefs.\nPlease run this command again with sudo.");
	else
		err_set(e, code,
			"No permission to read tracefs.\n"
			"Please try 'sudo mount -o remount,mode=755 %s/'",
			root);
}

void probe_line_text(const struct probe_line *l, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	strbuf_addf(&name, "%s:%s", l->group, l->name);
	strbuf_adds(out, "  ");
	strbuf_add_aligned(out, name.buf, -20);
	strbuf_adds(out, " (on ");
	probe_point_text(l->point, out);
	if (l->target)
		strbuf_addf(out, " in %s", l->target);
	if (l->args && l->args->len)
		strbuf_addf(out, " with%s", l->args->buf);
	strbuf_addch(out, ')');
}
