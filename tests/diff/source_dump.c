/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_dump FILE: reads hexadecimal offsets in an ELF file from stdin and prints what dso_source()
 * says of each: "offset", then a line "function file:line" per frame, the real function as "-".
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "dso/source.h"

int main(int argc, char **argv)
{
	struct dso_config config = { .no_demangle = true };
	struct dso_key key = { .kind = DSO_USER };
	struct source_frame frames[SOURCE_FRAMES_MAX];
	struct strbuf text = STRBUF_INIT;
	struct dso_table *t;
	char line[64];

	if (argc != 2)
		return 2;
	t = dso_table_new(&config);
	key.name = argv[1];
	struct dso *d = dso_table_get(t, dso_table_add(t, &key));

	while (fgets(line, sizeof(line), stdin)) {
		u64 offset = strtoull(line, NULL, 16);
		size_t nr = dso_source(d, offset, frames, SOURCE_FRAMES_MAX);

		printf("%llx\n", (unsigned long long)offset);
		for (size_t i = 0; i < nr; i++) {
			strbuf_reset(&text);
			source_add_place(&text, &frames[i], false);
			printf("%s %s\n", frames[i].function ? frames[i].function : "-", text.buf);
		}
	}
	strbuf_release(&text);
	dso_table_free(t);
	return 0;
}
