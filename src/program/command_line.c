/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/command_line.h"

#include <unistd.h>

#include "base/mem.h"

const char **command_line_words(int argc, const char **argv)
{
	const char **line = xcalloc((size_t)argc + 2, sizeof(*line));
	static char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	line[0] = "perf";
	if (n > 0) {
		self[n] = '\0';
		line[0] = self;
	}
	for (int i = 0; i < argc; i++)
		line[i + 1] = argv[i];
	return line;
}
