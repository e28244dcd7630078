/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "archive/tar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

enum {
	BLOCK = 512,
	COPY = 1 << 16,
	LONG_MAX_LEN = 8192, /* bytes of a name that does not fit */
	PAX_MAX = 1 << 20, /* bytes of an extended header */
	HEADERS_MAX = 16, /* of one member */
	SIZE_DIGITS = 11,
};

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, target[100];
	char magic[6], version[2], owner[32], group[32], major[8], minor[8], prefix[155],
		unused[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a tar header is one block");

static const char types[] = {
	[TAR_FILE] = '0',
	[TAR_FOLDER] = '5',
	[TAR_SYMLINK] = '2',
	[TAR_HARDLINK] = '1',
};

static u32 padding(u64 size)
{
	return (u32)((BLOCK - size % BLOCK) % BLOCK);
}

/* All bytes added, those of the sum itself as blanks. */
static u32 header_sum(const struct header *h)
{
	const u8 *p = (const u8 *)h;
	u32 sum = 0;

	for (size_t i = 0; i < BLOCK; i++) {
		bool own = i >= offsetof(struct header, sum) && i < offsetof(struct header, type);

		sum += own ? ' ' : p[i];
	}
	return sum;
}

/* Writing */

static int write_header(struct byte_sink *to, const struct tar_member *m, char type, struct err *e)
{
	static const char ustar[] = "ustar";
	size_t len = MIN(strlen(m->name), sizeof(((struct header *)NULL)->name));
	size_t target_len = MIN(strlen(m->target), sizeof(((struct header *)NULL)->target));
	struct header h = { .type = type, .version = { '0', '0' } };

	memcpy(h.name, m->name, len);
	memcpy(h.target, m->target, target_len);
	memcpy(h.magic, ustar, sizeof(ustar));
	memcpy(h.owner, "root", 5);
	memcpy(h.group, "root", 5);
	snprintf(h.mode, sizeof(h.mode), "%07o", m->mode & 0777);
	snprintf(h.uid, sizeof(h.uid), "%07o", 0);
	snprintf(h.gid, sizeof(h.gid), "%07o", 0);
	if (m->size >> (3 * SIZE_DIGITS))
		return err_set(e, EFBIG, "'%s' is too large for an archive", m->name);
	snprintf(h.size, sizeof(h.size), "%011llo", (unsigned long long)m->size);
	snprintf(h.mtime, sizeof(h.mtime), "%011llo",
		 (unsigned long long)(m->mtime < 0 ? 0 : m->mtime) & 077777777777);
	snprintf(h.sum, sizeof(h.sum), "%06o", header_sum(&h));
	h.sum[7] = ' ';
	return to->write(to, &h, sizeof(h), e);
}

static int write_padded(struct byte_sink *to, const void *data, size_t size, struct err *e)
{
	static const char zeros[BLOCK];

	return to->write(to, data, size, e) || to->write(to, zeros, padding(size), e) ? -1 : 0;
}

/* GNU's record for a name that does not fit into a header. */
static int write_long(struct byte_sink *to, char type, const char *name, struct err *e)
{
	struct tar_member m = { .name = "././@LongLink", .target = "", .size = strlen(name) + 1 };

	return write_header(to, &m, type, e) || write_padded(to, name, m.size, e) ? -1 : 0;
}

int tar_write_member(struct byte_sink *to, const struct tar_member *m, struct err *e)
{
	if (strlen(m->target) > sizeof(((struct header *)NULL)->target) &&
	    write_long(to, 'K', m->target, e))
		return -1;
	if (strlen(m->name) > sizeof(((struct header *)NULL)->name) &&
	    write_long(to, 'L', m->name, e))
		return -1;
	return write_header(to, m, types[m->kind], e);
}

int tar_write_bytes(struct byte_sink *to, const struct tar_member *m, const void *data,
		    struct err *e)
{
	return tar_write_member(to, m, e) || write_padded(to, data, m->size, e) ? -1 : 0;
}

int tar_write_file(struct byte_sink *to, const struct tar_member *m, int fd, struct err *e)
{
	static const char zeros[BLOCK];
	_cleanup_(mem_freep) char *buf = xmalloc(COPY);

	if (tar_write_member(to, m, e))
		return -1;
	for (u64 at = 0; at < m->size;) {
		ssize_t got = rw_pread_full(fd, buf, (size_t)MIN(m->size - at, COPY), at);

		if (got < 0)
			return err_sys(e, errno, "cannot read '%s'", m->name);
		if (!got)
			return err_set(e, EAGAIN, "'%s' became shorter while it was read", m->name);
		if (to->write(to, buf, (size_t)got, e))
			return -1;
		at += (u64)got;
	}
	return to->write(to, zeros, padding(m->size), e);
}

int tar_write_end(struct byte_sink *to, struct err *e)
{
	static const char zeros[2 * BLOCK];

	return to->write(to, zeros, sizeof(zeros), e);
}

/* Reading */

static ssize_t member_read(struct byte_source *source, void *buf, size_t n, struct err *e)
{
	struct tar_reader *t = CONTAINER_OF(source, struct tar_reader, data);
	ssize_t got;

	if (!t->left)
		return 0;
	got = t->from->read(t->from, buf, (size_t)MIN(t->left, n), e);
	if (!got)
		return err_set(e, EINVAL, "the archive ends too early");
	if (got > 0)
		t->left -= (u64)got;
	return got;
}

void tar_reader_init(struct tar_reader *t, struct byte_source *from)
{
	*t = (struct tar_reader){
		.data.read = member_read,
		.from = from,
		.name = STRBUF_INIT,
		.target = STRBUF_INIT,
	};
}

void tar_reader_release(struct tar_reader *t)
{
	strbuf_release(&t->name);
	strbuf_release(&t->target);
}

/* What is left of the current member and the bytes that fill its last block. */
static int skip_member(struct tar_reader *t, struct err *e)
{
	char buf[8 * BLOCK];
	ssize_t got;

	t->left += t->pad;
	t->pad = 0;
	while ((got = member_read(&t->data, buf, sizeof(buf), e)) > 0)
		;
	return got < 0 ? -1 : 0;
}

/* Octal digits, or with the top bit set a number of bytes; false: neither. */
static bool read_number(const char *field, size_t size, u64 *value)
{
	size_t i = 0;

	*value = 0;
	if ((u8)field[0] == 0x80) {
		for (i = 1; i < size; i++) {
			if (*value >> 55)
				return false;
			*value = *value << 8 | (u8)field[i];
		}
		return true;
	}
	while (i < size && field[i] == ' ')
		i++;
	for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
		*value = *value << 3 | (u64)(field[i] - '0');
	return i == size || !field[i] || field[i] == ' ';
}

static void set_text(struct strbuf *to, const char *field, size_t size)
{
	strbuf_reset(to);
	strbuf_add(to, field, strnlen(field, size));
}

/* The bytes of the current member as text; longer ones than max are an error. */
static int read_text(struct tar_reader *t, size_t max, struct strbuf *out, struct err *e)
{
	char buf[BLOCK];
	ssize_t got;

	if (t->left > max)
		return err_set(e, EINVAL, "the archive is damaged: a name is too long");
	strbuf_reset(out);
	while ((got = member_read(&t->data, buf, sizeof(buf), e)) > 0)
		strbuf_add(out, buf, (size_t)got);
	return got < 0 ? -1 : 0;
}

/* What records in front of a member say of it. */
struct overrides {
	bool name, target, size;
	u64 size_value;
};

static void pax_value(struct tar_reader *t, struct overrides *o, const char *key, size_t key_len,
		      const char *value, size_t len)
{
	if (key_len == 4 && !memcmp(key, "path", 4)) {
		set_text(&t->name, value, len);
		o->name = true;
	} else if (key_len == 8 && !memcmp(key, "linkpath", 8)) {
		set_text(&t->target, value, len);
		o->target = true;
	} else if (key_len == 4 && !memcmp(key, "size", 4)) {
		o->size_value = strtoull(value, NULL, 10);
		o->size = true;
	}
}

/* Lines "LENGTH KEY=VALUE\n", where the length counts the whole line. */
static int read_pax(struct tar_reader *t, struct overrides *o, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (read_text(t, PAX_MAX, &text, e))
		return -1;
	for (size_t at = 0; at < text.len;) {
		char *line = text.buf + at;
		char *key, *equals;
		u64 len = strtoull(line, &key, 10);

		if (*key != ' ' || len > text.len - at || (size_t)(key - line) + 1 >= len ||
		    line[len - 1] != '\n')
			return err_set(e, EINVAL, "the archive is damaged: wrong extended header");
		key++;
		equals = memchr(key, '=', (size_t)(line + len - key));
		if (!equals)
			return err_set(e, EINVAL, "the archive is damaged: wrong extended header");
		line[len - 1] = '\0';
		pax_value(t, o, key, (size_t)(equals - key), equals + 1,
			  (size_t)(line + len - 1 - (equals + 1)));
		at += len;
	}
	return 0;
}

static int read_long(struct tar_reader *t, struct strbuf *out, struct err *e)
{
	if (read_text(t, LONG_MAX_LEN, out, e))
		return -1;
	/* The terminating zero belongs to it. */
	out->len = strlen(out->buf);
	return 0;
}

static enum tar_kind kind_of(char type)
{
	switch (type) {
	case '\0':
	case '0':
	case '7':
		return TAR_FILE;
	case '1':
		return TAR_HARDLINK;
	case '2':
		return TAR_SYMLINK;
	case '5':
		return TAR_FOLDER;
	default:
		return TAR_OTHER;
	}
}

static int read_member(struct tar_reader *t, const struct header *h, const struct overrides *o,
		       struct tar_member *m, struct err *e)
{
	u64 mode, mtime;

	if (!o->name) {
		strbuf_reset(&t->name);
		if (!memcmp(h->magic, "ustar", 6) && h->prefix[0]) {
			set_text(&t->name, h->prefix, sizeof(h->prefix));
			strbuf_addch(&t->name, '/');
		}
		strbuf_add(&t->name, h->name, strnlen(h->name, sizeof(h->name)));
	}
	if (!o->target)
		set_text(&t->target, h->target, sizeof(h->target));
	*m = (struct tar_member){
		.kind = kind_of(h->type),
		.name = t->name.buf,
		.target = t->target.buf,
	};
	if (!read_number(h->mode, sizeof(h->mode), &mode))
		return err_set(e, EINVAL, "the archive is damaged: wrong mode of '%s'", m->name);
	m->mode = (u32)mode & 0777;
	if (read_number(h->mtime, sizeof(h->mtime), &mtime))
		m->mtime = (s64)mtime;
	if (o->size)
		t->left = o->size_value;
	if (t->left >> 62)
		return err_set(e, EINVAL, "the archive is damaged: wrong size of '%s'", m->name);
	if (m->kind != TAR_FILE && m->kind != TAR_OTHER)
		t->left = 0; /* says how large the target is, at most */
	t->pad = padding(t->left);
	m->size = t->left;
	return 1;
}

/* A block of zeros ends an archive, and so does the end of its bytes. */
static int read_header(struct tar_reader *t, struct header *h, struct err *e)
{
	ssize_t got;
	u64 sum;

	if (skip_member(t, e))
		return -1;
	got = byte_source_fill(t->from, h, sizeof(*h), e);
	if (got <= 0)
		return (int)got;
	if (got < BLOCK)
		return err_set(e, EINVAL, "the archive ends too early");
	if (!h->name[0] && !h->magic[0] && header_sum(h) == sizeof(h->sum) * ' ')
		return 0;
	if (!read_number(h->sum, sizeof(h->sum), &sum) || sum != header_sum(h))
		return err_set(e, EINVAL, "no tar archive, or a damaged one");
	if (!read_number(h->size, sizeof(h->size), &t->left) || t->left >> 62)
		return err_set(e, EINVAL, "the archive is damaged: a wrong size");
	t->pad = padding(t->left);
	return 1;
}

int tar_next(struct tar_reader *t, struct tar_member *m, struct err *e)
{
	struct overrides o = { .name = false };

	for (unsigned int i = 0; i < HEADERS_MAX; i++) {
		struct header h;
		int r = read_header(t, &h, e);

		if (r <= 0)
			return r;
		switch (h.type) {
		case 'L':
			r = read_long(t, &t->name, e);
			o.name = true;
			break;
		case 'K':
			r = read_long(t, &t->target, e);
			o.target = true;
			break;
		case 'x':
			r = read_pax(t, &o, e);
			break;
		case 'g': /* of all members: nothing that matters here */
			r = 0;
			break;
		default:
			return read_member(t, &h, &o, m, e);
		}
		if (r < 0)
			return -1;
	}
	return err_set(e, EINVAL, "the archive is damaged: too many headers in a row");
}
