/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/control.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/rw.h"

static const char ack[] = "ack\n";

/* Not read to its end and not blocking: the loop has other things to do. */
static int take_fd(const char *text, int *fd, struct err *e)
{
	u64 n;

	if (!fmt_parse_u64(text, &n) || n > INT32_MAX)
		return err_set(e, EINVAL, "--control: '%s' is no descriptor", text);
	if (fcntl((int)n, F_GETFD) < 0)
		return err_set(e, EBADF, "--control: descriptor %s is not open", text);
	fcntl((int)n, F_SETFD, FD_CLOEXEC);
	*fd = (int)n;
	return 0;
}

static int open_fifo(const char *path, int *fd, struct err *e)
{
	/* for both: a fifo without a writer would be at its end at once */
	int new = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (new < 0)
		return err_sys(e, errno, "--control: cannot open '%s'", path);
	/* answers must not go into a file */
	if (fstat(new, &st) < 0 || !S_ISFIFO(st.st_mode)) {
		close(new);
		return err_set(e, EINVAL, "--control: '%s' is no fifo", path);
	}
	*fd = new;
	return 0;
}

int control_open(struct control *c, const char *spec, struct err *e)
{
	int (*take)(const char *, int *, struct err *) = NULL;
	_cleanup_(mem_freep) char *first = NULL;
	const char *comma;

	*c = (struct control){ .fd = -1, .ack_fd = -1 };
	if (!strncmp(spec, "fd:", 3)) {
		take = take_fd;
		spec += 3;
	} else if (!strncmp(spec, "fifo:", 5)) {
		take = open_fifo;
		spec += 5;
		c->owned = true;
	}
	if (!take || !*spec)
		return err_set(e, EINVAL, "--control takes fd:N[,N] or fifo:PATH[,PATH]");
	comma = strchr(spec, ',');
	first = comma ? xstrndup(spec, (size_t)(comma - spec)) : xstrdup(spec);
	if (take(first, &c->fd, e) < 0 ||
	    (comma && comma[1] && take(comma + 1, &c->ack_fd, e) < 0)) {
		control_close(c);
		return -1;
	}
	return 0;
}

/* Nothing more comes from it, or goes there. */
static void give_up(const struct control *c, int *fd)
{
	if (c->owned && *fd >= 0)
		close(*fd);
	*fd = -1;
}

void control_close(struct control *c)
{
	give_up(c, &c->fd);
	give_up(c, &c->ack_fd);
}

/* true: something was read. One read: a blocking descriptor must not be asked twice. */
static bool fill(struct control *c)
{
	ssize_t n = read(c->fd, c->line + c->len, sizeof(c->line) - c->len);

	if (n > 0)
		c->len += (size_t)n;
	else if (!n || (errno != EAGAIN && errno != EINTR))
		give_up(c, &c->fd);
	return n > 0;
}

/* Take the first line out of what was read; false if it is not whole. */
static bool cut_line(struct control *c, char *out)
{
	const char *end = memchr(c->line, '\n', c->len);
	size_t n = end ? (size_t)(end - c->line) : c->len;

	if (!end) {
		if (c->len == sizeof(c->line)) {
			c->skipping = true;
			c->len = 0;
		}
		return false;
	}
	memcpy(out, c->line, n);
	out[n] = '\0';
	c->len -= n + 1;
	memmove(c->line, end + 1, c->len);
	return true;
}

bool control_next(struct control *c, char *out)
{
	for (;;) {
		while (cut_line(c, out)) {
			bool skip = c->skipping;

			c->skipping = false;
			if (!skip)
				return true;
		}
		if (c->fd < 0 || c->drained || !fill(c)) {
			c->drained = false;
			return false;
		}
		c->drained = true;
	}
}

void control_ack(struct control *c)
{
	if (c->ack_fd >= 0 && rw_write_full(c->ack_fd, ack, sizeof(ack) - 1) && errno != EAGAIN)
		give_up(c, &c->ack_fd);
}
