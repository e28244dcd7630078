/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/jit/perf_map.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/rw.h"
#include "dso/owned_file.h"

/* A hex number of at most 16 digits; moves *p behind it. */
static bool parse_hex(const char **p, const char *end, u64 *value)
{
	const char *s = *p;
	const char *digits;
	u64 v = 0;

	if (end - s > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		s += 2;
	digits = s;
	for (; s < end && s - digits < 16; s++) {
		char c = *s;

		if (c >= '0' && c <= '9')
			v = v << 4 | (u64)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v << 4 | (u64)((c | 0x20) - 'a' + 10);
		else
			break;
	}
	*p = s;
	*value = v;
	return s != digits;
}

/* Between two columns: one blank in most files, several or tabs in some. */
static bool skip_blanks(const char **p, const char *end)
{
	const char *s = *p;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	if (s == *p)
		return false;
	*p = s;
	return true;
}

static void parse_line(struct symtab_builder *b, const char *p, const char *end)
{
	u64 start;
	u64 size;
	size_t at = b->names.len;
	const char *nul;

	if (!parse_hex(&p, end, &start) || !skip_blanks(&p, end))
		return;
	if (!parse_hex(&p, end, &size) || !skip_blanks(&p, end))
		return;
	if (p < end && end[-1] == '\r')
		end--;
	nul = memchr(p, '\0', (size_t)(end - p));
	if (nul)
		end = nul;
	if (p == end || b->rows.nr >= LIMIT_SYMBOLS)
		return;
	strbuf_add(&b->names, p, (size_t)(end - p));
	strbuf_addch(&b->names, '\0');
	*VEC_PUSH(&b->rows) = (struct sym_row){
		.start = start,
		.end = start + size >= start ? start + size : UINT64_MAX,
		.name = (u32)at,
		.binding = 'g',
	};
}

void perf_map_parse(struct symtab_builder *b, const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));

		eol = eol ? eol : end;
		parse_line(b, text, eol);
		text = eol + 1;
	}
}

int perf_map_read(struct symtab_builder *b, const char *path, bool force, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u64 size = 0;
	_cleanup_(mem_closep) int fd = owned_file_open(path, force, &size, e);
	ssize_t got;

	if (fd < 0)
		return -1;
	/* A JIT may still be writing: take what is there now, up to the limit. */
	size = MIN(size, (u64)LIMIT_PERF_MAP);
	strbuf_grow(&text, size);
	got = rw_read_full(fd, text.buf, size);
	if (got < 0)
		return err_sys(e, errno, "cannot read '%s'", path);
	perf_map_parse(b, text.buf, (size_t)got);
	return 0;
}
