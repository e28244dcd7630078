/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as notes with a build id, and as an ELF file whose notes have one. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/rw.h"
#include "capture/note_id.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t aligns[] = { 0, 1, 4, 8 };
	struct note_id id;

	for (size_t i = 0; i < ARRAY_SIZE(aligns); i++) {
		if (note_id_from_notes(data, size, aligns[i], &id) &&
		    (!id.size || id.size > NOTE_ID_MAX))
			abort();
	}
	int fd = memfd_create("fuzz", 0);
	if (fd < 0 || rw_write_full(fd, data, size))
		abort();
	if (note_id_from_fd(fd, &id) && (!id.size || id.size > NOTE_ID_MAX))
		abort();
	close(fd);
	return 0;
}
