/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "annotate/listing.h"

#include <string.h>

#include "annotate/bpf.h"
#include "base/mem.h"
#include "dso/symbols/demangle.h"

enum {
	BEFORE = 5, /* lines shown in front of the first of a file */
	TAB = 8,
	TEXT_MAX = 4096,
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

/* Without blanks around, and with blanks for tabs; what ends a text is no part of it. */
static const char *keep_text(struct listing *l, const char *s, size_t len)
{
	size_t column = 0;

	while (len && is_blank(*s)) {
		s++;
		len--;
	}
	while (len && is_blank(s[len - 1]))
		len--;
	strbuf_reset(&l->tmp);
	for (size_t i = 0; i < len && column < TEXT_MAX; i++) {
		size_t plain = i;

		while (i < len && s[i] != '\t' && s[i])
			i++;
		strbuf_add(&l->tmp, s + plain, MIN(i - plain, TEXT_MAX - column));
		column = l->tmp.len;
		if (i < len && column < TEXT_MAX)
			strbuf_pad(&l->tmp, ' ', s[i] ? TAB - column % TAB : 1);
		column = l->tmp.len;
	}
	return arena_strndup(&l->n->arena, l->tmp.buf, l->tmp.len);
}

static struct view_line *add_line(struct listing *l, const char *text, size_t len)
{
	struct view_line *line = VEC_PUSH(&l->n->lines);

	*line = (struct view_line){ .number = l->number++, .text = keep_text(l, text, len) };
	return line;
}

static void add_text(struct listing *l, const char *text)
{
	add_line(l, text, strlen(text));
}

/* "name.part.0" is a piece of the function "name". */
static const char *without_suffix(struct listing *l, const char *symbol)
{
	static const char *const suffixes[] = { ".part.", ".constprop.", ".isra.",
						".cold",  ".lto_priv.",  " [clone " };
	size_t len = strlen(symbol);

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		const char *at = strstr(symbol, suffixes[i]);

		if (at && at > symbol)
			len = MIN(len, (size_t)(at - symbol));
	}
	return arena_strndup(&l->n->arena, symbol, len);
}

void listing_begin(struct listing *l, const char *symbol, u64 start)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	l->symbol = without_suffix(l, symbol);
	for (int i = 0; i < 3; i++)
		add_text(l, "");
	strbuf_addf(&text, "Disassembly of section %s:", dso_code_section(l->code, start));
	add_text(l, text.buf);
	add_text(l, "");
	strbuf_reset(&text);
	strbuf_addf(&text, "%016llx <%s>:", (unsigned long long)start, symbol);
	add_text(l, text.buf);
}

/* ------------------------------------------------------------------ source */

/* objdump's --prefix and --prefix-strip: of absolute paths. */
static void add_path(const struct listing *l, const char *path, struct strbuf *out)
{
	if (l->o->prefix && path[0] == '/') {
		for (u32 i = 0; i < l->o->prefix_strip; i++) {
			const char *slash = strchr(path + 1, '/');

			if (!slash)
				break;
			path = slash;
		}
		strbuf_adds(out, l->o->prefix);
	}
	strbuf_adds(out, path);
}

static struct listed_file *find_listed(struct listing *l, u32 file)
{
	VEC_FOR(&l->listed, f)
		if (f->file == file)
			return f;
	*VEC_PUSH(&l->listed) = (struct listed_file){ .file = file };
	return VEC_LAST(&l->listed);
}

/* Lines up to this one that were not shown yet; one that was is shown again by itself. */
static void add_source(struct listing *l, const char *path, u32 line)
{
	_cleanup_(strbuf_releasep) struct strbuf whole = STRBUF_INIT;
	struct listed_file *f;
	u32 from = line;

	add_path(l, path, &whole);
	f = find_listed(l, source_files_number(l->files, whole.buf));
	if (line == f->last)
		return;
	f->last = line;
	if (line > f->upto) {
		from = line > BEFORE ? line - BEFORE : 1;
		from = MAX(from, f->upto + 1);
		f->upto = line;
	}
	for (u32 i = from; i <= line; i++) {
		size_t len;
		const char *text = source_files_line(l->files, f->file, i, &len);
		struct view_line *out;

		if (!text)
			return;
		out = add_line(l, text, len);
		out->is_source = true;
		out->place = (struct view_line_place){ path, i };
	}
}

/* ------------------------------------------------------------------ places */

/* As objdump has it: names of C++ with their parameters, others with "()". */
static void name_function(const struct source_frame *f, const char *symbol, struct strbuf *out)
{
	const char *raw = f && f->raw ? f->raw : NULL;
	_cleanup_(mem_freep) char *plain = raw && is_mangled(raw) ? demangle(raw, true) : NULL;
	const char *name = plain ? plain : raw ? raw : symbol;

	strbuf_reset(out);
	strbuf_adds(out, name);
	strbuf_adds(out, plain || (!raw && strchr(name, '(')) ? ":" : "():");
}

static void set_file(struct listing *l, const struct source_frame *f)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	source_add_file(&path, f, true);
	if (!l->file || strcmp(l->file, path.buf))
		l->file = arena_strdup(&l->n->arena, path.buf);
}

void listing_place(struct listing *l, u64 addr)
{
	struct source_frame frames[SOURCE_FRAMES_MAX];
	size_t nr = dso_source(l->dso, addr, frames, ARRAY_SIZE(frames));
	bool known = nr && frames[0].file && frames[0].line;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!nr && l->by_symbol) {
		l->file = NULL;
		return;
	}
	l->by_symbol = !nr;
	name_function(nr ? &frames[0] : NULL, l->symbol, &text);
	if (strcmp(text.buf, l->function.buf)) {
		add_text(l, text.buf);
		strbuf_reset(&l->function);
		strbuf_adds(&l->function, text.buf);
		l->line = 0;
	}
	if (!known) {
		l->file = NULL;
		return;
	}
	set_file(l, &frames[0]);
	if (frames[0].line == l->line && frames[0].discriminator == l->discriminator)
		return;
	strbuf_reset(&text);
	strbuf_addf(&text, "%s:%u", l->file, frames[0].line);
	if (frames[0].discriminator)
		strbuf_addf(&text, " (discriminator %u)", frames[0].discriminator);
	/* perf takes absolute paths for what they are, and goes on counting from there */
	if (l->file[0] == '/')
		l->number = frames[0].line;
	else
		add_text(l, text.buf);
	if (!l->o->no_source)
		add_source(l, l->file, frames[0].line);
	l->line = frames[0].line;
	l->discriminator = frames[0].discriminator;
}

void listing_bpf_place(struct listing *l, const struct bpf_line *line)
{
	struct view_line *out;

	if (!line) {
		l->file = NULL;
		return;
	}
	if (l->file == line->file && l->line == line->line)
		return;
	l->file = line->file;
	l->line = line->line;
	if (l->o->no_source || !*line->text)
		return;
	l->number = l->line;
	out = add_line(l, line->text, strnlen(line->text, TEXT_MAX));
	out->is_source = true;
	out->place = (struct view_line_place){ l->file, l->line };
}

struct view_line *listing_code(struct listing *l, u64 addr, const char *text)
{
	struct view_line *line = add_line(l, text, strlen(text));

	line->is_code = true;
	line->addr = addr;
	line->place = (struct view_line_place){ l->file, l->file ? l->line : 0 };
	return line;
}

void listing_release(struct listing *l)
{
	vec_free(&l->listed);
	strbuf_release(&l->function);
	strbuf_release(&l->tmp);
}
