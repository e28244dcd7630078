/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config: the reader of configuration files; see config.h for the format.
 */
#include "cli/config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"

enum { END = -1 };

struct config_parser {
	struct config *config;
	const char *at, *end;
	int line;
	struct strbuf section; /* with its subsection, empty before the first */
	struct setting_place *place; /* what config_write() looks for, or NULL */
};

/* Where in a text a setting is, or would be added. */
struct setting_place {
	const char *key; /* in full, and the part before the last dot */
	const char *section;
	const char *start, *end; /* from the name to the value's last character; NULL = not there */
	const char *section_end; /* end of the last line of the section; NULL = no such section */
};

void config_release(struct config *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->settings[i].key);
		free(c->settings[i].value);
	}
	free(c->settings);
	*c = (struct config){ .nr = 0 };
}

static struct config_setting *find_setting(const struct config *c, const char *key)
{
	for (size_t i = 0; i < c->nr; i++) {
		if (!strcmp(c->settings[i].key, key))
			return &c->settings[i];
	}
	return NULL;
}

const char *config_get(const struct config *c, const char *key)
{
	const struct config_setting *s = find_setting(c, key);
	return s ? s->value : NULL;
}

void config_set(struct config *c, const char *key, const char *value)
{
	struct config_setting *s = find_setting(c, key);
	if (s) {
		free(s->value);
		s->value = xstrdup(value);
		return;
	}
	if (c->nr >= CONFIG_MAX_SETTINGS)
		return;
	c->settings = xrealloc_array(c->settings, c->nr + 1, sizeof(*c->settings));
	c->settings[c->nr++] = (struct config_setting){ xstrdup(key), xstrdup(value) };
}

/* The next character; CR before LF is dropped. */
static int next_char(struct config_parser *p)
{
	if (p->at < p->end && *p->at == '\r' && p->at + 1 < p->end && p->at[1] == '\n')
		p->at++;
	if (p->at >= p->end)
		return END;
	return (u8)*p->at++;
}

static bool is_name_char(int c)
{
	return c != END && (isalnum(c) || c == '-' || c == '_');
}

/* Parses "sub"] behind "[section ". */
static bool parse_subsection(struct config_parser *p)
{
	int c;
	while ((c = next_char(p)) == ' ' || c == '\t')
		;
	if (c != '"')
		return false;
	strbuf_addch(&p->section, '.');
	while ((c = next_char(p)) != '"') {
		if (c == '\\')
			c = next_char(p);
		if (c == END || c == '\n' || !c)
			return false;
		strbuf_addch(&p->section, (char)c);
	}
	return next_char(p) == ']';
}

/* Parses section] behind '['. */
static bool parse_section(struct config_parser *p)
{
	int c;
	strbuf_reset(&p->section);
	while ((c = next_char(p)) != ']') {
		if (c == ' ' || c == '\t')
			return p->section.len && parse_subsection(p);
		/* perf names the line behind a section that has no end. */
		if (c == '\n')
			p->line++;
		if (!is_name_char(c) && c != '.')
			return false;
		strbuf_addch(&p->section, (char)tolower(c));
	}
	return p->section.len != 0;
}

/* One character behind a backslash; false: none that the format knows. */
static bool parse_escape(struct config_parser *p, struct strbuf *value)
{
	static const char names[] = "tbn\\\"", means[] = "\t\b\n\\\"";
	int c = next_char(p);
	const char *found = c > 0 ? strchr(names, c) : NULL;
	if (c == '\n')
		p->line++;
	else if (found)
		strbuf_addch(value, means[found - names]);
	return c == '\n' || found;
}

/* Parses a value, up to the comment or the end of the line, which are not consumed. */
static bool parse_value(struct config_parser *p, struct strbuf *value)
{
	bool quoted = false, blank = false;
	for (;;) {
		int c = next_char(p);
		if (c == END || c == '\n') {
			p->at -= c == '\n';
			return !quoted;
		}
		if (!quoted && (c == '#' || c == ';')) {
			p->at--;
			return true;
		}
		if (!quoted && isspace(c)) {
			blank = value->len != 0;
			continue;
		}
		if (blank)
			strbuf_addch(value, ' ');
		blank = false;
		if (c == '"')
			quoted = !quoted;
		else if (c == '\\' ? !parse_escape(p, value) : !c)
			return false;
		else if (c != '\\')
			strbuf_addch(value, (char)c);
	}
}

/* Called behind each section and setting: notes where p->place is. */
static void note_place(struct config_parser *p, const char *key, const char *start)
{
	struct setting_place *place = p->place;
	if (!place || strcmp(place->section, p->section.buf))
		return;
	const char *end = start ? start : p->at;
	/* A value may go on in further lines; a comment behind it is not its part. */
	if (start) {
		end = p->at;
		while (end > start && isspace((u8)end[-1]))
			end--;
	}
	if (key && !strcmp(key, place->key)) {
		place->start = start;
		place->end = end;
	}
	place->section_end = p->at;
	while (place->section_end < p->end && *place->section_end != '\n')
		place->section_end++;
}

/* Parses a setting whose first letter is c. */
static bool parse_setting(struct config_parser *p, int c)
{
	const char *start = p->at - 1;
	_cleanup_(strbuf_releasep) struct strbuf key = STRBUF_INIT, value = STRBUF_INIT;
	if (!p->section.len || !isalpha(c))
		return false;
	strbuf_addf(&key, "%s.", p->section.buf);
	for (; is_name_char(c); c = next_char(p))
		strbuf_addch(&key, (char)tolower(c));
	while (c == ' ' || c == '\t')
		c = next_char(p);
	if (c != '=' || !parse_value(p, &value))
		return false;
	config_set(p->config, key.buf, value.buf);
	note_place(p, key.buf, start);
	return true;
}

static int parse_text(struct config *c, const char *text, size_t len, const char *path,
		      struct setting_place *place, struct err *e)
{
	struct config_parser p = { .config = c,
				   .at = text,
				   .end = text + len,
				   .line = 1,
				   .section = STRBUF_INIT,
				   .place = place };
	bool good = true;
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		p.at += 3;
	for (int ch; good && (ch = next_char(&p)) != END;) {
		if (ch == '\n') {
			p.line++;
		} else if (ch == '#' || ch == ';') {
			while (p.at < p.end && *p.at != '\n')
				p.at++;
		} else if (!isspace(ch)) {
			good = ch == '[' ? parse_section(&p) : parse_setting(&p, ch);
			if (good && ch == '[')
				note_place(&p, NULL, NULL);
		}
	}
	strbuf_release(&p.section);
	return good ? 0 : err_set(e, EINVAL, "bad config file line %d in %s", p.line, path);
}

int config_parse(struct config *c, const char *text, size_t len, const char *path, struct err *e)
{
	return parse_text(c, text, len, path, NULL, e);
}

/* The error of a file that is there but cannot be read; 0: it is passed over silently. */
static int why_unread(const char *path, struct err *e)
{
	struct stat st;
	switch (e->code) {
	case ENOENT:
	case ENOTDIR:
	case EINVAL: /* /dev/null is how one turns configuration off; a pipe could keep us waiting
		      */
		return 0;
	case EACCES:
		/* In another user's home (sudo -u) not even stat() tells whether there is a file.
		 */
		if (stat(path, &st) && errno == EACCES)
			return 0;
		break;
	case EPERM:
		return err_set(e, EPERM, "File %s not owned by current user or root, ignoring it.",
			       path);
	}
	return err_sys(e, e->code, "cannot read config file '%s'", path);
}

/* The text of a file and whose it is; `path` is its name in messages. */
static int read_text(struct strbuf *out, int fd, const char *path, struct stat *found,
		     struct err *e)
{
	ssize_t n;

	if (fstat(fd, found))
		return err_sys(e, errno, "cannot read config file '%s'", path);
	if (found->st_size > CONFIG_MAX_FILE)
		return err_set(e, EFBIG, "config file '%s' is larger than 1 MB", path);
	strbuf_grow(out, (size_t)found->st_size);
	n = rw_read_full(fd, out->buf, (size_t)found->st_size);
	if (n < 0)
		return err_sys(e, errno, "cannot read config file '%s'", path);
	out->len = (size_t)n;
	out->buf[n] = '\0';
	return 0;
}

static char *user_path(void)
{
	const char *home = getenv("HOME");
	return home && home[0] ? xasprintf("%s/.perfconfig", home) : NULL;
}

char *config_path(enum config_files which, const char *system_path)
{
	const char *named = getenv("PERF_CONFIG");
	if (which == CONFIG_SYSTEM)
		return xstrdup(system_path);
	return which == CONFIG_DEFAULT && named ? xstrdup(named) : user_path();
}

int config_read(struct config *c, const char *path, bool check_owner, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(mem_closep) int fd = input_open(
		path, INPUT_KERNEL | (check_owner ? INPUT_OWNED : 0), e);
	struct stat st;
	if (fd < 0)
		return why_unread(path, e);
	if (read_text(&text, fd, path, &st, e))
		return -1;
	return config_parse(c, text.buf, text.len, path, e);
}

/* An error is printed and does not stop the command. */
static void read_file(struct config *c, const char *path, bool check_owner)
{
	struct err e = ERR_INIT;
	if (config_read(c, path, check_owner, &e))
		fprintf(stderr, "%s\n", e.text);
}

void config_load(struct config *c, enum config_files which, const char *system_path)
{
	_cleanup_(mem_freep) char *path = config_path(which, system_path);
	bool both = which == CONFIG_DEFAULT && !getenv("PERF_CONFIG");
	if (both)
		read_file(c, system_path, false);
	if (path)
		read_file(c, path, both);
}

/* ---- changing a file ---- */

bool config_key_valid(const char *key)
{
	const char *first = strchr(key, '.'), *last = strrchr(key, '.');
	if (!first || first == key || !isalpha((u8)last[1]))
		return false;
	for (const char *c = key; c < first; c++) {
		if (!is_name_char((u8)*c))
			return false;
	}
	for (const char *c = first; c < last; c++) {
		if (*c == '\n')
			return false;
	}
	for (const char *c = last + 1; *c; c++) {
		if (!is_name_char((u8)*c))
			return false;
	}
	return true;
}

char *config_key_normal(const char *key)
{
	char *normal = xstrdup(key);
	char *first = strchr(normal, '.'), *last = strrchr(normal, '.');
	for (char *c = normal; *c; c++) {
		if (!first || c < first || c > last)
			*c = (char)tolower((u8)*c);
	}
	return normal;
}

static void add_quoted(struct strbuf *out, const char *text)
{
	static const char names[] = "tbn\\\"", means[] = "\t\b\n\\\"";
	for (; *text; text++) {
		const char *found = strchr(means, *text);
		if (found)
			strbuf_addch(out, '\\');
		strbuf_addch(out, found ? names[found - means] : *text);
	}
}

/* In quotes where the reader would drop or change something. */
static void add_value(struct strbuf *out, const char *value)
{
	size_t len = strlen(value);
	bool plain = !strpbrk(value, "#;\"\\\t\b\n\r\v\f") && !strstr(value, "  ") &&
		     value[0] != ' ' && (!len || value[len - 1] != ' ');
	if (!plain)
		strbuf_addch(out, '"');
	add_quoted(out, value);
	if (!plain)
		strbuf_addch(out, '"');
}

/* [section] or [section "sub"] of a key's part before its last dot. */
static void add_section(struct strbuf *out, const char *section)
{
	const char *dot = strchr(section, '.');
	if (!dot) {
		strbuf_addf(out, "[%s]\n", section);
		return;
	}
	strbuf_addf(out, "[%.*s \"", (int)(dot - section), section);
	for (const char *c = dot + 1; *c; c++) {
		if (*c == '"' || *c == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *c);
	}
	strbuf_adds(out, "\"]\n");
}

static void edit_text(struct strbuf *out, const char *old, size_t len,
		      const struct setting_place *p, const char *value)
{
	_cleanup_(strbuf_releasep) struct strbuf setting = STRBUF_INIT;
	const char *end = old + len;
	strbuf_addf(&setting, "%s = ", strrchr(p->key, '.') + 1);
	add_value(&setting, value);
	if (p->start) {
		strbuf_add(out, old, (size_t)(p->start - old));
		strbuf_adds(out, setting.buf);
		strbuf_add(out, p->end, (size_t)(end - p->end));
		return;
	}
	if (p->section_end) {
		strbuf_add(out, old, (size_t)(p->section_end - old));
		strbuf_addf(out, "\n\t%s", setting.buf);
		strbuf_add(out, p->section_end, (size_t)(end - p->section_end));
		if (out->buf[out->len - 1] != '\n')
			strbuf_addch(out, '\n');
		return;
	}
	if (!len)
		strbuf_adds(out, "# this file is auto-generated.\n");
	strbuf_add(out, old, len);
	if (out->buf[out->len - 1] != '\n')
		strbuf_addch(out, '\n');
	add_section(out, p->section);
	strbuf_addf(out, "\t%s\n", setting.buf);
}

/* Writes a new file and renames it, so that nobody reads half of it. It gets the owner of the old
 * one (st; NULL: there was none), where we may set it. */
static bool replace_file(int folder, const char *leaf, const struct strbuf *text,
			 const struct stat *st)
{
	struct new_file f = { .fd = -1 };
	if (!new_file_open(&f, folder, leaf, 0600) &&
	    !(st && fchown(f.fd, st->st_uid, st->st_gid) && errno != EPERM) &&
	    !fchmod(f.fd, st ? st->st_mode & 0777 : 0644) &&
	    !rw_write_full(f.fd, text->buf, text->len) && !new_file_keep(&f))
		return true;
	new_file_drop(&f);
	return false;
}

int config_edit(struct strbuf *out, const char *text, size_t len, const char *path, const char *key,
		const char *value, struct err *e)
{
	_cleanup_(mem_freep) char *normal = config_key_normal(key);
	_cleanup_(mem_freep) char *section = xstrndup(normal,
						      (size_t)(strrchr(normal, '.') - normal));
	struct setting_place place = { .key = normal, .section = section };
	struct config scratch = { .nr = 0 };
	int ret = parse_text(&scratch, text, len, path, &place, e);
	config_release(&scratch);
	if (ret)
		err_prefix(e, "'%s' is not changed", path);
	else
		edit_text(out, text, len, &place, value);
	return ret;
}

int config_write(const char *path, const char *key, const char *value, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf old = STRBUF_INIT, text = STRBUF_INIT;
	_cleanup_(mem_freep) char *leaf = NULL;
	_cleanup_(mem_closep) int folder = output_file_place(path, &leaf, e), fd = -1;
	struct stat st;
	if (folder < 0)
		return e->code == EPERM
			       ? -1
			       : err_sys(e, e->code, "cannot write config file '%s'", path);
	fd = input_open_at(folder, leaf, INPUT_KERNEL, e);
	/* (it is not there yet, or must stay: /dev/null) */
	if (fd < 0 && e->code != ENOENT) {
		err_prefix(e, "cannot write config file '%s'", path);
		return -1;
	}
	if (fd >= 0 && read_text(&old, fd, path, &st, e))
		return -1;
	if (config_edit(&text, old.buf, old.len, path, key, value, e))
		return -1;
	if (!replace_file(folder, leaf, &text, fd < 0 ? NULL : &st))
		return err_sys(e, errno, "cannot write config file '%s'", path);
	return 0;
}
