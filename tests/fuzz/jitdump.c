/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a JIT compiler writes about its code. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dso/jitdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jitdump j = JITDUMP_INIT;
	int fd = memfd_create("jitdump", 0);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	jitdump_read(&j, path, true, NULL);
	for (size_t i = 0; i < j.codes.nr; i++)
		if (j.codes.v[i].name >= j.names.len || (i && j.codes.v[i].time < j.codes.v[i - 1].time))
			abort();
	jitdump_release(&j);
	close(fd);
	return 0;
}
