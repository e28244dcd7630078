/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A way of perf inject (the first byte) and any bytes as a perf.data file: what is written is a
 * bounded multiple of what was read.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cmd/commands.h"

enum { TIMES = 16, ANYWAY = 4 << 20 };

static const char *const ways[][3] = {
	{ NULL },
	{ "-b" },
	{ "-j" },
	{ "-s" },
	{ "-b", "-j" },
	{ "--buildid-all" },
	{ "--convert-callchain" },
	{ "--aslr" },
	{ "-B" },
	{ "--mmap2-buildid-all" },
	{ "--itrace=i" },
	{ "--embed-symbols" },
};

static int file_of(const void *bytes, size_t size, int wanted)
{
	int fd = memfd_create("fuzz", 0);

	if (fd < 0 || (size && write(fd, bytes, size) != (ssize_t)size) ||
	    dup2(fd, wanted) != wanted)
		abort();
	close(fd);
	return wanted;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc UNUSED, char ***argv UNUSED)
{
	mem_setup();
	log_set_verbosity(-1);
	/* one that writes without end ends soon */
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ .rlim_cur = 1U << 30, .rlim_max = 1U << 30 });
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { INPUT = 100, OUTPUT = STDOUT_FILENO };
	struct config config = { .nr = 0 };
	const char *argv[8] = { "inject", "--kallsyms", "/dev/null", "-i", "/proc/self/fd/100" };
	int argc = 5;

	if (!size)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(ways[0]) && ways[data[0] % ARRAY_SIZE(ways)][i]; i++)
		argv[argc++] = ways[data[0] % ARRAY_SIZE(ways)][i];
	file_of(data + 1, size - 1, INPUT);
	file_of(NULL, 0, OUTPUT);
	cmd_inject.run(&config, argc, argv);
	/* compressed records grow by what the compressor's format allows */
	if (!memmem(data, size, "(\xb5/\xfd", 4) &&
	    lseek(OUTPUT, 0, SEEK_END) > (off_t)(TIMES * size + ANYWAY))
		abort();
	close(INPUT);
	return 0;
}
