/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comes over a control channel, in pieces; and layouts of reading threads. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "capture/control.h"
#include "capture/layout.h"

/* Lines must be those of the text, in order, less those that are too long. */
static void check_lines(struct control *c, const char **at, const char *end)
{
	char line[CONTROL_LINE_MAX];

	while (control_next(c, line)) {
		size_t len = strlen(line);
		const char *eol = memchr(*at, '\n', (size_t)(end - *at));

		while (eol && eol - *at >= CONTROL_LINE_MAX) {
			*at = eol + 1;
			eol = memchr(*at, '\n', (size_t)(end - *at));
		}
		if (!eol || len > (size_t)(eol - *at) || strncmp(line, *at, len) != 0)
			abort();
		*at = eol + 1;
	}
}

static void channel(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data;
	int fd[2];
	struct control c;
	char spec[32];

	if (pipe2(fd, O_NONBLOCK) < 0)
		abort();
	snprintf(spec, sizeof(spec), "fd:%d", fd[0]);
	if (control_open(&c, spec, NULL) < 0)
		abort();
	for (size_t done = 0; done < size;) {
		size_t piece = MIN(size - done, (size_t)(data[done] * 9 + 1));

		if (write(fd[1], data + done, piece) != (ssize_t)piece)
			break;
		done += piece;
		check_lines(&c, &at, (const char *)data + size);
	}
	close(fd[1]);
	check_lines(&c, &at, (const char *)data + size);
	check_lines(&c, &at, (const char *)data + size);
	control_close(&c);
	close(fd[0]);
}

/* Every CPU has a reader that is there. */
static void threads(const char *spec)
{
	static const u32 cpus[] = { 0, 1, 2, 5 };
	struct sys_topology t = { 0 };
	struct layout l;

	for (u32 i = 0; i < 6; i++)
		*VEC_PUSH(&t.cpus) =
			(struct sys_cpu){ .cpu = i, .online = i != 3, .core = (s32)i / 2 };
	if (layout_parse(&l, spec, &t, cpus, ARRAY_SIZE(cpus), NULL) == 0) {
		for (size_t i = 0; i < ARRAY_SIZE(cpus); i++)
			if (!l.threads.nr || layout_reader_of(&l, (s32)cpus[i]) >= l.threads.nr)
				abort();
		layout_release(&l);
	}
	vec_free(&t.cpus);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data, size);

	channel(data, size);
	threads(text);
	return 0;
}
