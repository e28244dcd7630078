/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a perf.data file: header, features, every record and every sample. */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "perfdata/info.h"
#include "perfdata/perfdata.h"

enum { BUFFER = 1 << 17, MAX_READ = 64 << 20 };

static u64 buffer[BUFFER / sizeof(u64)];

static void decode(const struct perfdata *file, const u8 *bytes, size_t len)
{
	for (size_t at = 0; at < len;) {
		const struct perf_event_header *h = (const void *)(bytes + at);
		const struct perfdata_event *event = perfdata_event_of(file, h);
		struct sample sample;
		struct sample_id id;
		if (event && h->type == PERF_RECORD_SAMPLE)
			(void)sample_decode(&event->layout, h, &sample);
		else if (event)
			(void)sample_id_decode(&event->layout, h, &id);
		at += h->size;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", 0);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct perfdata_opts opts = { .path = path, .force = true };
	struct perfdata *file;
	struct err e = ERR_INIT;
	if (!perfdata_open(&file, &opts, &e)) {
		struct perfdata_chunk chunk;
		size_t total = 0;
		while (total < MAX_READ &&
		       perfdata_read(file, buffer, sizeof(buffer), &chunk, &e) == 1) {
			decode(file, (const u8 *)buffer, chunk.len);
			total += chunk.len;
		}
		perfdata_close(file);
	}
	close(fd);
	return 0;
}
