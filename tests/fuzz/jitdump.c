/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a JIT compiler writes about its code. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dso/jit/object.h"
#include "dso/jit/jitdump.h"

/* Call frame information as the file may have it. */
static void make_object(const uint8_t *data, size_t size, u64 nr, bool frames_only)
{
	struct jit_object o = JIT_OBJECT_INIT;
	struct strbuf image = STRBUF_INIT;
	struct build_id id;

	o.frames_only = frames_only;
	for (u64 i = 0; i < nr; i++)
		jit_object_add(&o, &(struct jit_object_code){ .name = "f",
							      .size = 5 * i + 1,
							      .unwind = data,
							      .place = 100 * i,
							      .lines = data,
							      .lines_size = (u32)size,
							      .nr_lines = 9,
							      .unwind_size = (u32)size,
							      .hdr_size = (u32)(i % (size + 1)) });
	jit_object_write(&o, 62, &image, &id);
	strbuf_release(&image);
	jit_object_release(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jitdump j = JITDUMP_INIT;
	int fd = memfd_create("jitdump", 0);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	jitdump_read(&j, path, 0, true, NULL);
	for (size_t i = 0; i < j.codes.nr; i++)
		if (j.codes.v[i].name >= j.names.len ||
		    (i && j.codes.v[i].time < j.codes.v[i - 1].time))
			abort();
	jitdump_release(&j);
	make_object(data, size, 1, false);
	make_object(data, size, 3, false);
	make_object(data, size, 3, true);
	close(fd);
	return 0;
}
