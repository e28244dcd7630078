/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Archives in memory: written and read again, packed, cut anywhere, damaged, and unpacked into a
 * folder that nothing in them leaves. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "archive/bzip.h"
#include "archive/unpack.h"
#include "base/mem.h"
#include "base/rw.h"

enum { BLOCK = 512 };

struct memory {
	struct byte_source source;
	struct byte_sink sink;
	struct strbuf bytes;
	size_t at, most; /* given at once; 0 = all */
};

static ssize_t give(struct byte_source *s, void *buf, size_t n, struct err *e)
{
	struct memory *m = (struct memory *)(void *)((char *)s - offsetof(struct memory, source));

	(void)e;
	n = MIN(n, m->bytes.len - m->at);
	n = m->most ? MIN(n, m->most) : n;
	memcpy(buf, m->bytes.buf + m->at, n);
	m->at += n;
	return (ssize_t)n;
}

static int take(struct byte_sink *s, const void *buf, size_t n, struct err *e)
{
	struct memory *m = (struct memory *)(void *)((char *)s - offsetof(struct memory, sink));

	(void)e;
	strbuf_add(&m->bytes, buf, n);
	return 0;
}

static struct memory memory_new(void)
{
	return (struct memory){ .source = { give }, .sink = { take }, .bytes = STRBUF_INIT };
}

static void add(struct memory *m, enum tar_kind kind, const char *name, const char *text)
{
	const struct tar_member member = { .kind = kind,
					   .name = name,
					   .target = kind == TAR_FILE ? "" : text,
					   .size = kind == TAR_FILE ? strlen(text) : 0,
					   .mode = 0640,
					   .mtime = 1234567890 };
	struct err e = { 0 };

	if (kind == TAR_FILE)
		assert_int_equal(tar_write_bytes(&m->sink, &member, text, &e), 0);
	else
		assert_int_equal(tar_write_member(&m->sink, &member, &e), 0);
}

/* A name of len bytes. */
static char *long_name(size_t len)
{
	char *name = xmalloc(len + 1);

	for (size_t i = 0; i < len; i++)
		name[i] = i % 50 == 49 ? '/' : (char)('a' + i % 26);
	name[len] = '\0';
	return name;
}

static void expect(struct tar_reader *t, enum tar_kind kind, const char *name, const char *text)
{
	struct tar_member m;
	struct err e = { 0 };
	char buf[64];

	assert_int_equal(tar_next(t, &m, &e), 1);
	assert_int_equal(m.kind, kind);
	assert_string_equal(m.name, name);
	assert_int_equal(m.mode, 0640);
	assert_int_equal(m.mtime, 1234567890);
	if (kind != TAR_FILE) {
		assert_string_equal(m.target, text);
		return;
	}
	assert_int_equal(m.size, strlen(text));
	assert_int_equal(byte_source_fill(&t->data, buf, sizeof(buf), &e), strlen(text));
	assert_memory_equal(buf, text, strlen(text));
}

static void whole_archive(struct byte_source *from, const char *long_one, const char *longer)
{
	struct tar_reader t;
	struct tar_member m;
	struct err e = { 0 };

	tar_reader_init(&t, from);
	expect(&t, TAR_FILE, "a", "one");
	expect(&t, TAR_FILE, long_one, "two");
	assert_int_equal(tar_next(&t, &m, &e), 1); /* whose bytes nobody reads */
	expect(&t, TAR_SYMLINK, "link", longer);
	assert_int_equal(tar_next(&t, &m, &e), 0);
	tar_reader_release(&t);
}

static void written_and_read(void **state)
{
	_cleanup_(mem_freep) char *long_one = long_name(140), *longer = long_name(700);
	static const size_t steps[] = { 0, 1, 7, BLOCK };
	struct memory m = memory_new();
	struct err e = { 0 };

	(void)state;
	add(&m, TAR_FILE, "a", "one");
	add(&m, TAR_FILE, long_one, "two");
	add(&m, TAR_FILE, longer, "skipped");
	add(&m, TAR_SYMLINK, "link", longer);
	assert_int_equal(tar_write_end(&m.sink, &e), 0);
	assert_int_equal(m.bytes.len % BLOCK, 0);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		m.at = 0;
		m.most = steps[i];
		whole_archive(&m.source, long_one, longer);
	}
	strbuf_release(&m.bytes);
}

/* Wherever it ends before its end: an error, but between members. */
static void cut(void **state)
{
	struct memory m = memory_new();
	struct err e = { 0 };

	(void)state;
	add(&m, TAR_FILE, "a", "one");
	assert_int_equal(m.bytes.len, 2 * BLOCK);
	for (size_t len = m.bytes.len - 1; len > 0; len -= 73 % len + 1) {
		struct tar_reader t;
		struct tar_member member;
		int r;

		m.bytes.len = len;
		m.at = 0;
		tar_reader_init(&t, &m.source);
		r = tar_next(&t, &member, &e);
		assert_int_equal(r, len < BLOCK ? -1 : 1);
		if (r > 0)
			assert_int_equal(tar_next(&t, &member, &e), -1);
		tar_reader_release(&t);
	}
	strbuf_release(&m.bytes);
}

/* A byte of its head that is another one: the sum does not fit. */
static void damaged(void **state)
{
	struct memory m = memory_new();

	(void)state;
	add(&m, TAR_FILE, "a", "one");
	for (size_t i = 0; i < BLOCK; i += 37) {
		struct tar_reader t;
		struct tar_member member;
		struct err e = { 0 };

		m.bytes.buf[i] ^= 1;
		m.at = 0;
		tar_reader_init(&t, &m.source);
		assert_int_equal(tar_next(&t, &member, &e), -1);
		assert_int_equal(e.code, EINVAL);
		tar_reader_release(&t);
		m.bytes.buf[i] ^= 1;
	}
	strbuf_release(&m.bytes);
}

/* A file that becomes shorter meanwhile is an error, one that grows is cut. */
static void files(void **state)
{
	struct tar_member member = { .kind = TAR_FILE, .name = "f", .target = "", .size = 6 };
	struct memory m = memory_new();
	struct err e = { 0 };
	char path[] = "/tmp/archive-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0 && !unlink(path) && !rw_write_full(fd, "inside", 6));
	assert_int_equal(tar_write_file(&m.sink, &member, fd, &e), 0);
	assert_int_equal(m.bytes.len, 2 * BLOCK);
	assert_memory_equal(m.bytes.buf + BLOCK, "inside", 7);
	member.size = 2;
	assert_int_equal(tar_write_file(&m.sink, &member, fd, &e), 0);
	assert_memory_equal(m.bytes.buf + 3 * BLOCK, "in\0", 4);
	member.size = 7;
	assert_int_equal(tar_write_file(&m.sink, &member, fd, &e), -1);
	close(fd);
	strbuf_release(&m.bytes);
}

/* What is not compressed is given as it is. */
static void packed(void **state)
{
	struct memory m = memory_new();
	struct err e = { 0 };
	_cleanup_(mem_freep) char *text = xmalloc(3 << 20), *got = xmalloc(3 << 20);
	char path[] = "/tmp/archive-XXXXXX";
	int fd = mkstemp(path);
	struct bzip_writer *w = bzip_writer_new(fd, path, &e);
	struct fd_source file;
	struct bzip_reader *r;

	(void)state;
	assert_int_equal(unlink(path), 0);
	for (size_t i = 0; i < 3 << 20; i++)
		text[i] = (char)(i * i >> 7);
	if (w) {
		assert_int_equal(bzip_writer_sink(w)->write(bzip_writer_sink(w), text, 3 << 20, &e),
				 0);
		assert_int_equal(bzip_writer_finish(w, &e), 0);
		assert_true(lseek(fd, 0, SEEK_CUR) < 3 << 20 && lseek(fd, 0, SEEK_SET) == 0);
		fd_source_init(&file, fd, path);
		r = bzip_reader_new(&file.source);
		assert_int_equal(byte_source_fill(bzip_reader_source(r), got, 3 << 20, &e),
				 3 << 20);
		assert_memory_equal(got, text, 3 << 20);
		bzip_reader_free(r);
	}
	close(fd);
	strbuf_add(&m.bytes, text, 1000);
	r = bzip_reader_new(&m.source);
	assert_int_equal(byte_source_fill(bzip_reader_source(r), got, 2000, &e), 1000);
	assert_memory_equal(got, text, 1000);
	bzip_reader_free(r);
	strbuf_release(&m.bytes);
}

static bool any_link(const char *name UNUSED, const char *target UNUSED)
{
	return true;
}

/* Unpacks everything; how many were made, and left out. */
static void unpack(struct memory *m, int folder, const struct unpack_rules *rules, int counts[2])
{
	struct unpacking u = { .folder = folder, .max_made = 8 };
	struct tar_reader t;
	struct tar_member member;
	struct err e = { 0 };

	m->at = 0;
	counts[0] = counts[1] = 0;
	tar_reader_init(&t, &m->source);
	while (tar_next(&t, &member, &e) > 0) {
		int r = unpack_member(&u, &t, &member, rules, &e);

		assert_true(r >= 0);
		counts[!r]++;
	}
	tar_reader_release(&t);
	unpacking_release(&u);
}

static void unpacked(void **state)
{
	struct unpack_rules rules = { .mode = 0600 };
	struct memory m = memory_new();
	struct err e = { 0 };
	struct stat st;
	char path[] = "/tmp/archive-XXXXXX";
	int counts[2], folder;

	(void)state;
	assert_non_null(mkdtemp(path));
	folder = open(path, O_RDONLY | O_DIRECTORY);
	add(&m, TAR_FILE, "in/a", "one");
	add(&m, TAR_FILE, "../out", "no");
	add(&m, TAR_FILE, "/tmp/archive-out", "no");
	add(&m, TAR_FILE, "in/../../out", "no");
	add(&m, TAR_FILE, ".hidden", "no");
	add(&m, TAR_SYMLINK, "away", "/tmp");
	add(&m, TAR_HARDLINK, "twin", "in/a");
	add(&m, TAR_HARDLINK, "other", "never-made");
	assert_int_equal(tar_write_end(&m.sink, &e), 0);
	unpack(&m, folder, &rules, counts);
	assert_int_equal(counts[0], 2);
	assert_int_equal(counts[1], 6);
	assert_int_equal(fstatat(folder, "in/a", &st, 0), 0);
	assert_int_equal(st.st_size, 3);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(st.st_nlink, 2);
	assert_int_equal(faccessat(folder, "away", F_OK, AT_SYMLINK_NOFOLLOW), -1);

	/* through a link that was allowed nothing is written */
	strbuf_reset(&m.bytes);
	rules.link_allowed = any_link;
	add(&m, TAR_SYMLINK, "way", "in");
	assert_int_equal(tar_write_end(&m.sink, &e), 0);
	unpack(&m, folder, &rules, counts);
	assert_int_equal(counts[0], 1);
	strbuf_reset(&m.bytes);
	add(&m, TAR_FILE, "way/b", "no");
	assert_int_equal(tar_write_end(&m.sink, &e), 0);
	struct unpacking u = { .folder = folder, .max_made = 8 };
	struct tar_reader t;
	struct tar_member member;

	m.at = 0;
	tar_reader_init(&t, &m.source);
	assert_int_equal(tar_next(&t, &member, &e), 1);
	assert_true(unpack_member(&u, &t, &member, &rules, &e) <= 0);
	assert_int_equal(faccessat(folder, "in/b", F_OK, 0), -1);
	tar_reader_release(&t);
	unpacking_release(&u);

	assert_int_equal(unlinkat(folder, "way", 0) | unlinkat(folder, "twin", 0) |
				 unlinkat(folder, "in/a", 0) | unlinkat(folder, "in", AT_REMOVEDIR),
			 0);
	close(folder);
	assert_int_equal(rmdir(path), 0);
	strbuf_release(&m.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_and_read), cmocka_unit_test(cut),
		cmocka_unit_test(damaged),          cmocka_unit_test(files),
		cmocka_unit_test(packed),           cmocka_unit_test(unpacked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
