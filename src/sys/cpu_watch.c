/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/cpu_watch.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/mem.h"

static u64 folder_of(const char *sysfs, u32 cpu)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%u/topology", sysfs ? sysfs : "/sys",
		 cpu);
	return stat(path, &st) < 0 ? 0 : st.st_ino;
}

void cpu_watch_begin(struct cpu_watch *w, const char *sysfs, const u32 *cpus, size_t nr)
{
	cpu_watch_release(w);
	w->rows = XNEW_ARRAY(struct cpu_watch_row, nr);
	w->nr = nr;
	for (size_t i = 0; i < nr; i++)
		w->rows[i] = (struct cpu_watch_row){ cpus[i], folder_of(sysfs, cpus[i]) };
}

bool cpu_watch_lost(struct cpu_watch *w, const char *sysfs, struct strbuf *out)
{
	size_t lost = 0;

	for (size_t i = 0; i < w->nr; i++) {
		struct cpu_watch_row *row = &w->rows[i];

		if (!row->folder || folder_of(sysfs, row->cpu) == row->folder)
			continue;
		strbuf_addf(out, "%s%u", lost++ ? "," : "", row->cpu);
		row->folder = 0;
	}
	return lost;
}

void cpu_watch_release(struct cpu_watch *w)
{
	free(w->rows);
	*w = (struct cpu_watch){ 0 };
}
