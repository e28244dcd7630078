/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symbols/kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/find_bytes.h"
#include "base/hash.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/mem.h"

enum {
	READ_SIZE = 1 << 18,
	MAX_MODULES = 1 << 16,
};

/* Value of a hex digit plus one, 0 for other bytes. */
static const u8 hex_value[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* Eight digits in lower case at once, behind those that *value holds; false: there are others. */
static bool parse_hex8(const char *p, u64 *value)
{
	const u64 ones = 0x0101010101010101ULL;
	u64 x = bits_u64(p);
	u64 letters = x >> 6 & ones; /* 1 where a letter may be */
	u64 v = (x & ones * 15) + letters * 9;

	/* each byte must be what a digit of that value is */
	if (v + ones * '0' + ((v + ones * 6) >> 4 & ones) * ('a' - '0' - 10) != x ||
	    (v & ones * 0xf0))
		return false;
	v = (v << 4 | v >> 8) & 0x00ff00ff00ff00ffULL;
	v = (v << 8 | v >> 16) & 0x0000ffff0000ffffULL;
	*value = *value << 32 | (u32)(v << 16 | v >> 32);
	return true;
}

bool kallsyms_parse_line(const char *p, const char *end, struct kallsyms_line *l)
{
	const char *start = p;
	const char *tab;
	u64 addr = 0;
	u8 v;

	if (LIKELY(end - p > 16 && parse_hex8(p, &addr) && parse_hex8(p + 8, &addr)))
		p += 16;
	else
		for (addr = 0; p < end && p - start < 17 && (v = hex_value[(u8)*p]) != 0; p++)
			addr = addr << 4 | (v - 1U);
	if (p == start || p - start > 16 || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return false;
	l->addr = addr;
	l->type = p[1];
	l->name = p + 3;
	l->name_len = (size_t)(end - l->name);
	l->module_len = 0;
	l->module = NULL;
	if (end[-1] != ']')
		return true;
	tab = memchr(l->name, '[', l->name_len);
	if (!tab || tab == l->name || (tab[-1] != '\t' && tab[-1] != ' '))
		return true;
	l->name_len = (size_t)(tab - 1 - l->name);
	l->module = tab + 1;
	l->module_len = (size_t)(end - 1 - l->module);
	return l->name_len > 0;
}

static bool is_of_module(const struct kallsyms_part *p, const struct kallsyms_line *l)
{
	return strlen(p->module) == l->module_len &&
	       memcmp(p->module, l->module, l->module_len) == 0;
}

/* Lines of one module stand together, so the last part is almost always the right one. */
static struct kallsyms_part *part_of(struct kallsyms *k, const struct kallsyms_line *l)
{
	struct kallsyms_part *p = &k->parts.v[l->module_len ? k->parts.nr - 1 : 0];
	u64 hash;
	u32 i;

	if (!l->module_len || is_of_module(p, l))
		return p;
	hash = hash_bytes(l->module, l->module_len, 0);
	for (struct map_probe probe = map_first(&k->by_module, hash);
	     map_next(&k->by_module, &probe, &i);)
		if (is_of_module(&k->parts.v[i], l))
			return &k->parts.v[i];
	if (k->parts.nr >= MAX_MODULES)
		return NULL;
	map_add(&k->by_module, hash, (u32)k->parts.nr);
	p = VEC_PUSH(&k->parts);
	*p = (struct kallsyms_part){
		.module = xstrndup(l->module, l->module_len),
		.rows = SYMTAB_BUILDER_INIT,
	};
	return p;
}

/* Text, weak, data and bss symbols; others (absolute, read-only) have no use. */
static bool is_wanted(char type)
{
	switch (type) {
	case 'T':
	case 't':
	case 'W':
	case 'w':
	case 'D':
	case 'd':
	case 'B':
	case 'b':
		return true;
	default:
		return false;
	}
}

static bool is_data(char type)
{
	return type == 'D' || type == 'd' || type == 'B' || type == 'b';
}

static char binding_of(char type)
{
	if (type == 'W' || type == 'w')
		return 'w';
	return type >= 'A' && type <= 'Z' ? 'g' : 'l';
}

static void start(struct kallsyms *k)
{
	*k = (struct kallsyms){ .all_zero = true };
	*VEC_PUSH(&k->parts) = (struct kallsyms_part){
		.module = xstrdup(""),
		.rows = SYMTAB_BUILDER_INIT,
	};
}

/*
 * Takes the lines at [at, end) of text and puts their names behind the names that are at its
 * beginning, which is never behind what has been read, unless they stay in the file. last: the last
 * line may lack its end. Returns where the first line begins that is not complete. in_file: where
 * `at` is.
 */
static const char *take_lines(struct kallsyms *k, char *text, const char *at, const char *end,
			      bool last, u64 in_file)
{
	const char *begin = at;
	char *names = text + k->text_size;

	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		struct kallsyms_line l;
		struct kallsyms_part *part;
		bool ok;

		if (!eol && !last)
			break;
		eol = eol ? eol : end;
		ok = kallsyms_parse_line(at, eol, &l);
		at = eol + 1;
		if (!ok || !is_wanted(l.type))
			continue;
		part = part_of(k, &l);
		if (!part || part->rows.rows.nr >= LIMIT_SYMBOLS)
			continue;
		k->all_zero &= !l.addr;
		*VEC_PUSH(&part->rows.rows) = (struct sym_row){
			.start = l.addr,
			.end = l.addr,
			.name = (u32)(k->file.size ? in_file + (u64)(l.name - begin)
						   : (u64)(names - text)),
			.binding = binding_of(l.type),
			.data = is_data(l.type),
		};
		if (k->file.size)
			continue;
		memmove(names, l.name, l.name_len);
		names[l.name_len] = '\0';
		names += l.name_len + 1;
	}
	k->text_size = (size_t)(names - text);
	return at;
}

/* A whole name: in a line, behind a blank and in front of what ends it. */
static bool has_name(const char *text, size_t len, const char *pattern, size_t pattern_len)
{
	const char *at = text, *end = text + len;

	while ((at = find_bytes(at, (size_t)(end - at), pattern, pattern_len)) != NULL) {
		at += pattern_len;
		if (at == end || *at == '\n' || *at == '\t' || *at == ' ' || *at == '\r')
			return true;
	}
	return false;
}

bool kallsyms_may_have(const char *path, const char *name)
{
	_cleanup_(mem_closep) int fd = input_open(path, INPUT_KERNEL, NULL);
	_cleanup_(mem_freep) char *pattern = xasprintf(" %s", name);
	size_t pattern_len = strlen(pattern), kept = 0;
	_cleanup_(mem_freep) char *text = NULL;
	struct stat st;
	u64 all = 0;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || pattern_len > READ_SIZE / 2)
		return true;
	text = xmalloc(READ_SIZE);
	for (;;) {
		ssize_t got = read(fd, text + kept, READ_SIZE - kept);
		size_t len;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || all > LIMIT_SMALL_FILE)
			return true;
		len = kept + (size_t)got;
		all += (u64)got;
		/* (a name that the buffer ends with may go on, and is then looked at once too
		 * often) */
		if (has_name(text, len, pattern, pattern_len))
			return true;
		if (!got)
			return false;
		kept = MIN(len, pattern_len);
		memmove(text, text + len - kept, kept);
	}
}

int kallsyms_read(struct kallsyms *k, const char *path, bool named, struct err *e)
{
	_cleanup_(mem_closep) int fd = input_open(path, INPUT_KERNEL | (named ? INPUT_PIPE : 0), e);
	struct stat st;
	size_t cap = 4 * READ_SIZE;
	size_t len = 0; /* names, then a line whose end has not been read yet */
	size_t all = 0;
	char *text;

	*k = (struct kallsyms){ 0 };
	if (fd < 0)
		return -1;
	start(k);
	/* (What the kernel makes while it is read has no size.) */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size < LIMIT_SMALL_FILE)
		k->file = (struct sym_name_file){ .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0),
						  .size = (u32)st.st_size,
						  .lines = true };
	if (k->file.fd < 0)
		k->file.size = 0;
	/* What an ordinary kernel has; of what is not used no memory is touched. */
	VEC_GROW(&k->parts.v[0].rows.rows, 1 << 17);
	text = xmalloc(cap);
	for (;;) {
		const char *rest;
		ssize_t got;

		if (cap - len < READ_SIZE) {
			cap += 2 * READ_SIZE;
			text = xrealloc_array(text, cap, 1);
		}
		got = read(fd, text + len, READ_SIZE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || all > LIMIT_SMALL_FILE) {
			int error = got < 0 ? errno : EFBIG;

			free(text);
			kallsyms_release(k);
			return err_sys(e, error, "cannot read '%s'", path);
		}
		if (!got)
			break;
		all += (size_t)got;
		rest = take_lines(k, text, text + k->text_size, text + len + got, false,
				  all - (len - k->text_size) - (size_t)got);
		len += (size_t)got;
		len -= (size_t)(rest - text);
		memmove(text + k->text_size, rest, len);
		len += k->text_size;
	}
	take_lines(k, text, text + k->text_size, text + len, true, all - (len - k->text_size));
	k->text = xrealloc_array(text, k->text_size + 1, 1);
	k->text[k->text_size] = '\0';
	return 0;
}

void kallsyms_lend_names(const struct kallsyms *k, struct kallsyms_part *part)
{
	part->rows.shared = k->text;
	part->rows.shared_size = k->text_size;
	part->rows.file = k->file;
}

bool kallsyms_useless(const struct kallsyms *k, const char *path, const char *hint, struct err *e)
{
	if (!k->all_zero)
		return false;
	if (k->parts.nr < 2 && (!k->parts.nr || !k->parts.v[0].rows.rows.nr))
		err_set(e, 1, "no symbols in '%s'", path);
	else
		err_set(e, 1, "addresses in '%s' are hidden%s", path, hint);
	return true;
}

void kallsyms_release(struct kallsyms *k)
{
	VEC_FOR(&k->parts, p) {
		free((char *)(uintptr_t)p->module);
		symtab_builder_release(&p->rows);
	}
	vec_free(&k->parts);
	map_release(&k->by_module);
	free(k->text);
	if (k->file.size)
		close(k->file.fd);
	*k = (struct kallsyms){ 0 };
}
