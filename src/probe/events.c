/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/events.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/mem.h"
#include "base/rw.h"

static const char *const list_files[] = {
	[PROBE_LIST_KERNEL] = "kprobe_events",
	[PROBE_LIST_USER] = "uprobe_events",
};

enum { EVENTS_MAX = 1 << 20 };

/* p, or r with the number of calls that may be under way at once; then ':' GROUP '/' NAME. */
static bool parse_kind(const char *s, size_t len, struct probe_event *out)
{
	const char *end = s + len;
	const char *slash;

	if (*s != 'p' && *s != 'r')
		return false;
	out->is_return = *s++ == 'r';
	while (s < end && isdigit((unsigned char)*s))
		s++;
	if (s == end || *s++ != ':')
		return false;
	slash = memchr(s, '/', (size_t)(end - s));
	if (!slash || slash == s || slash + 1 == end)
		return false;
	out->group = xstrndup(s, (size_t)(slash - s));
	out->name = xstrndup(slash + 1, (size_t)(end - slash - 1));
	return true;
}

/* PATH:0xOFFSET[(0xCOUNTER)][%return] */
static bool parse_user_place(char *s, struct probe_event *out)
{
	char *colon = strrchr(s, ':');
	char *end;

	if (!colon || colon == s)
		return false;
	out->address = strtoull(colon + 1, &end, 0);
	if (end == colon + 1)
		return false;
	if (*end == '(') {
		out->counter = strtoull(end + 1, &end, 0);
		if (*end++ != ')')
			return false;
	}
	if (!strcmp(end, "%return"))
		out->is_return = true;
	else if (*end)
		return false;
	*colon = '\0';
	out->path = xstrdup(s);
	return true;
}

/* [MODULE:]SYMBOL[+OFFSET][%return] or 0xADDRESS */
static bool parse_kernel_place(char *s, struct probe_event *out)
{
	char *mark = strchr(s, '%');
	char *colon;
	char *plus;
	char *end;

	if (mark && !strcmp(mark, "%return")) {
		out->is_return = true;
		*mark = '\0';
	}
	colon = strchr(s, ':');
	if (colon) {
		out->path = xstrndup(s, (size_t)(colon - s));
		s = colon + 1;
	}
	if (!strncmp(s, "0x", 2)) {
		out->address = strtoull(s, &end, 0);
		return !*end;
	}
	plus = strchr(s, '+');
	if (plus) {
		out->address = strtoull(plus + 1, &end, 0);
		if (end == plus + 1 || *end)
			return false;
		*plus = '\0';
	}
	if (!*s)
		return false;
	out->symbol = xstrdup(s);
	return true;
}

bool probe_event_parse(const char *line, enum probe_list list, struct probe_event *out)
{
	_cleanup_(mem_freep) char *place = NULL;
	size_t len = strcspn(line, " \n");
	const char *s = line + len;

	*out = (struct probe_event){ .list = list };
	out->line = xstrndup(line, strcspn(line, "\n"));
	if (!parse_kind(line, len, out))
		return false;
	s += strspn(s, " ");
	len = strcspn(s, " \n");
	place = xstrndup(s, len);
	if (list == PROBE_LIST_USER ? !parse_user_place(place, out)
				    : !parse_kernel_place(place, out))
		return false;
	for (s += len; *s == ' '; s += len) {
		s += strspn(s, " ");
		len = strcspn(s, " \n");
		if (len)
			*VEC_PUSH(&out->args) = xstrndup(s, len);
	}
	return true;
}

void probe_event_release(struct probe_event *event)
{
	free(event->line);
	free(event->group);
	free(event->name);
	free(event->path);
	free(event->symbol);
	VEC_FOR(&event->args, a)
		free(*a);
	vec_free(&event->args);
}

void probe_list_path(const char *root, enum probe_list list, struct strbuf *out)
{
	strbuf_addf(out, "%s/%s", root, list_files[list]);
}

int probe_events_read(const char *root, enum probe_list list, struct probe_events *out,
		      struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	size_t before = out->nr;

	probe_list_path(root, list, &path);
	if (rw_slurp(path.buf, &text, e))
		return -1;
	for (const char *s = text.buf; *s && out->nr < EVENTS_MAX; s += *s == '\n') {
		struct probe_event event;

		if (probe_event_parse(s, list, &event))
			*VEC_PUSH(out) = event;
		else
			probe_event_release(&event);
		s += strcspn(s, "\n");
	}
	if (out->nr > before + 1)
		qsort(out->v + before, out->nr - before, sizeof(*out->v), by_string);
	return 0;
}

void probe_events_release(struct probe_events *events)
{
	VEC_FOR(events, event)
		probe_event_release(event);
	vec_free(events);
}

bool probe_events_have(const struct probe_events *events, const char *group, const char *name)
{
	VEC_FOR(events, event)
		if (!strcmp(event->name, name) && !strcmp(event->group, group))
			return true;
	return false;
}

int probe_list_open(const char *root, enum probe_list list, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	int fd;

	probe_list_path(root, list, &path);
	fd = open(path.buf, O_WRONLY | O_APPEND | O_CLOEXEC);
	return fd >= 0 ? fd : err_sys(e, errno, "cannot open '%s'", path.buf);
}

int probe_list_write(int fd, const char *line, struct err *e)
{
	/* One write is one line to the kernel, whose answer is that of the write. */
	ssize_t n = write(fd, line, strlen(line));

	return n < 0 ? err_sys(e, errno, "the kernel does not take '%s'", line) : 0;
}

bool probe_list_is_full(int code)
{
	/* ENODEV: the kernel has no number left for another tracepoint */
	return code == ENOSPC || code == ENOMEM || code == ENODEV;
}

bool probe_list_refuses_place(int code)
{
	return code == EINVAL || code == EILSEQ || code == ENOENT || code == EBUSY ||
	       code == EADDRNOTAVAIL || code == EOPNOTSUPP;
}
