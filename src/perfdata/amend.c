/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes in the header of a file that is complete. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/limits.h"
#include "base/rw.h"
#include "perfdata/reader.h"
#include "perfdata/writer.h"

/* Everything behind the data: the table of features, and their bodies. */
struct tail {
	struct file_header h;
	u64 at;
	struct strbuf bodies[FEAT_BITS];
};

static int read_tail(struct tail *t, int fd, const char *path, struct err *e)
{
	u64 at;

	if (rw_pread_full(fd, &t->h, sizeof(t->h), 0) != sizeof(t->h) || t->h.magic != PERFDATA_MAGIC2 ||
	    t->h.size != sizeof(t->h) || !t->h.data.size)
		return err_set(e, EINVAL, "'%s' is not a finished recording", path);
	at = t->at = t->h.data.offset + t->h.data.size;
	for (unsigned int i = 0; i < FEAT_BITS; i++) {
		struct file_section s;

		if (!bits_test(t->h.features, i))
			continue;
		if (rw_pread_full(fd, &s, sizeof(s), at) != sizeof(s) || s.size > LIMIT_FEATURE)
			return err_set(e, EINVAL, "the header of '%s' is broken", path);
		at += sizeof(s);
		strbuf_pad(&t->bodies[i], '\0', s.size);
		if (rw_pread_full(fd, t->bodies[i].buf, s.size, s.offset) != (ssize_t)s.size)
			return err_set(e, EINVAL, "the header of '%s' is broken", path);
	}
	return 0;
}

/* The header comes last: without its bits what stands behind the data is not looked at. */
static int write_tail(struct tail *t, int fd, const char *path, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	u64 at = t->at;

	for (unsigned int i = 0; i < FEAT_BITS; i++)
		if (bits_test(t->h.features, i))
			at += sizeof(struct file_section);
	for (unsigned int i = 0; i < FEAT_BITS; i++) {
		struct file_section s = { at, t->bodies[i].len };

		if (!bits_test(t->h.features, i))
			continue;
		strbuf_add(&out, &s, sizeof(s));
		at += s.size;
	}
	for (unsigned int i = 0; i < FEAT_BITS; i++)
		strbuf_add(&out, t->bodies[i].buf, t->bodies[i].len);
	if (rw_pwrite_full(fd, out.buf, out.len, t->at) || ftruncate(fd, (off_t)(t->at + out.len)) ||
	    rw_pwrite_full(fd, &t->h, sizeof(t->h), 0))
		return err_sys(e, errno, "cannot write '%s'", path);
	return 0;
}

int perfdata_add_feature(const char *path, unsigned int feature, const void *body, size_t len,
			 struct err *e)
{
	_cleanup_(mem_closep) int fd = open(path, O_RDWR | O_CLOEXEC);
	struct tail *t;
	int r;

	if (fd < 0)
		return err_sys(e, errno, "cannot write '%s'", path);
	t = XNEW(struct tail);
	for (unsigned int i = 0; i < FEAT_BITS; i++)
		t->bodies[i] = (struct strbuf)STRBUF_INIT;
	r = read_tail(t, fd, path, e);
	if (!r) {
		strbuf_reset(&t->bodies[feature]);
		strbuf_add(&t->bodies[feature], body, len);
		bits_set(t->h.features, feature);
		r = write_tail(t, fd, path, e);
	}
	for (unsigned int i = 0; i < FEAT_BITS; i++)
		strbuf_release(&t->bodies[i]);
	free(t);
	return r;
}
