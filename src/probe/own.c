/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/own.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/owner.h"

int probe_own_remove(const char *root, enum probe_list list, const char *group, const char *name,
		     struct err *e)
{
	enum { TRIES = 100 };
	static const struct timespec moment = { .tv_nsec = 10000000 };
	_cleanup_(mem_freep) char *line = xasprintf("-:%s/%s", group, name);
	struct err why = ERR_INIT;
	int fd = probe_list_open(root, list, e);
	int r = fd < 0 ? -1 : probe_list_write(fd, line, &why);

	for (int i = 0; fd >= 0 && r && why.code == EBUSY && i < TRIES; i++) {
		(void)nanosleep(&moment, NULL);
		r = probe_list_write(fd, line, &why);
	}
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && r && e)
		*e = why;
	return r;
}

void probe_own_sweep(const char *root)
{
	for (enum probe_list list = PROBE_LIST_KERNEL; list <= PROBE_LIST_USER; list++) {
		struct probe_events events = { 0 };
		int fd = -1;

		(void)probe_events_read(root, list, &events, NULL);
		VEC_FOR(&events, ev) {
			_cleanup_(mem_freep) char *line = xasprintf("-:%s/%s", ev->group, ev->name);

			if (!sys_owner_is_gone(ev->group))
				continue;
			if (fd < 0)
				fd = probe_list_open(root, list, NULL);
			if (fd >= 0)
				(void)probe_list_write(fd, line, NULL);
		}
		if (fd >= 0)
			close(fd);
		probe_events_release(&events);
	}
}
