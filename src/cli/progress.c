/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

static const u64 FIRST_NS = 1000000000, INTERVAL_NS = 100000000;
void progress_init(struct progress *p, const char *title)
{
	*p = (struct progress){ .title = title,
				.next = clock_now() + FIRST_NS,
				.wanted = isatty(STDERR_FILENO) && log_verbosity() >= 0 };
}

void progress_update(void *ctx, u64 done, u64 total)
{
	struct progress *p = ctx;
	if (!p->wanted)
		return;
	u64 now = clock_now();
	if (now < p->next)
		return;
	p->next = now + INTERVAL_NS;
	p->drawn = true;
	if (total)
		fprintf(stderr, "\r%s: %3u%%\033[K", p->title,
			(unsigned int)(100.0 * (double)MIN(done, total) / (double)total));
	else
		fprintf(stderr, "\r%s: %.1f MB\033[K", p->title, (double)done / 1e6);
	fflush(stderr);
}

void progress_finish(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = false;
	p->wanted = false;
}
