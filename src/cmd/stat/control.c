/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --control: another program enables and disables the counters through a descriptor or a fifo.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rw.h"
#include "cmd/stat/stat.h"

static int parse_fds(struct stat_control *c, const char *spec, struct err *e)
{
	char *end;
	long fd = strtol(spec, &end, 10), ack = -1;

	if (end == spec || fd < 0 || fd > INT32_MAX)
		return err_set(e, EINVAL, "invalid --control descriptor in 'fd:%s'", spec);
	if (*end == ',') {
		const char *second = end + 1;

		ack = strtol(second, &end, 10);
		if (end == second || ack < 0 || ack > INT32_MAX)
			return err_set(e, EINVAL, "invalid --control descriptor in 'fd:%s'", spec);
	}
	if (*end)
		return err_set(e, EINVAL, "invalid --control descriptor in 'fd:%s'", spec);
	c->fd = (int)fd;
	c->ack_fd = (int)ack;
	if (fcntl(c->fd, F_GETFD) < 0 || (ack >= 0 && fcntl(c->ack_fd, F_GETFD) < 0))
		return err_sys(e, errno, "cannot use --control 'fd:%s'", spec);
	fcntl(c->fd, F_SETFD, FD_CLOEXEC);
	return 0;
}

static int open_fifos(struct stat_control *c, const char *spec, struct err *e)
{
	size_t len = strcspn(spec, ",");
	char *path = xstrndup(spec, len);

	c->owned = true;

	/* read and write: a fifo without a writer would be at its end at once */
	c->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (c->fd < 0)
		err_sys(e, errno, "cannot open fifo '%s'", path);
	free(path);
	if (c->fd < 0)
		return -1;
	if (spec[len]) {
		c->ack_fd = open(spec + len + 1, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		if (c->ack_fd < 0)
			return err_sys(e, errno, "cannot open fifo '%s'", spec + len + 1);
	}
	return 0;
}

int stat_control_open(struct stat_control *c, const char *spec, struct err *e)
{
	if (!strncmp(spec, "fd:", 3))
		return parse_fds(c, spec + 3, e);
	if (!strncmp(spec, "fifo:", 5))
		return open_fifos(c, spec + 5, e);
	return err_set(e, EINVAL, "--control takes 'fd:N[,N]' or 'fifo:PATH[,PATH]', not '%s'", spec);
}

void stat_control_close(struct stat_control *c)
{
	/* those of fd: are the caller's, and the next run's */
	if (!c->owned)
		return;
	mem_closep(&c->fd);
	mem_closep(&c->ack_fd);
}

static void list_events(const struct stat_run *s)
{
	VEC_FOR(&s->opts->events.events, ev)
		fprintf(stderr, "%s\n", (*ev)->name);
}

static bool obey(struct stat_control *c, struct stat_run *s, const char *word)
{
	if (!strcmp(word, "enable"))
		counting_enable(&s->counters);
	else if (!strcmp(word, "disable"))
		counting_disable(&s->counters);
	else if (!strncmp(word, "evlist", 6))
		list_events(s);
	else if (strcmp(word, "stop") && strcmp(word, "ping"))
		return true;
	if (!strcmp(word, "enable") || !strcmp(word, "disable"))
		fprintf(stderr, "Events %sd\n", word);
	if (c->ack_fd >= 0)
		rw_write_full(c->ack_fd, "ack\n", 4);
	return strcmp(word, "stop") != 0;
}

bool stat_control_handle(struct stat_control *c, struct stat_run *s)
{
	char text[128];
	ssize_t n = read(c->fd, text, sizeof(text) - 1);
	bool go_on = true;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n <= 0) {
		/* nobody is there any more: go on without */
		c->fd = -1;
		return true;
	}
	text[n] = '\0';
	for (char *word = text; *word && go_on;) {
		size_t len = strcspn(word, "\n");
		bool more = word[len] != '\0';

		word[len] = '\0';
		go_on = obey(c, s, word);
		word += len + more;
	}
	return go_on;
}
