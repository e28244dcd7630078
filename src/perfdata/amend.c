/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features that are added to a file that is complete. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "perfdata/appendix.h"
#include "perfdata/reader.h"
#include "perfdata/writer.h"

static int check_finished(int fd, const char *path, struct err *e)
{
	struct file_header h;

	if (rw_pread_full(fd, &h, sizeof(h), 0) != sizeof(h) || h.magic != PERFDATA_MAGIC2 ||
	    h.size != sizeof(h) || !h.data.size)
		return err_set(e, EINVAL, "'%s' is not a finished recording", path);
	return 0;
}

/* The bodies of an appendix without one feature. */
static int keep_others(const struct appendix *old, unsigned int feature, int fd,
		       struct appendix *now, struct strbuf *out)
{
	for (size_t i = 0; i < old->nr; i++) {
		const struct appendix_entry *o = &old->entries[i];
		_cleanup_(strbuf_releasep) struct strbuf body = STRBUF_INIT;

		if (o->feature == feature)
			continue;
		if (o->size > LIMIT_FEATURE)
			return -1;
		strbuf_pad(&body, '\0', o->size);
		if (rw_pread_full(fd, body.buf, o->size, o->offset) != (ssize_t)o->size)
			return -1;
		appendix_add(now, out, old->start, (unsigned int)o->feature, body.buf, o->size);
	}
	return 0;
}

int perfdata_add_feature(const char *path, unsigned int feature, const void *body, size_t len,
			 struct err *e)
{
	_cleanup_(mem_closep) int fd = output_file_open(path, O_RDWR, 0, e);
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	_cleanup_(mem_freep) struct appendix *old = XNEW(struct appendix),
					     *now = XNEW(struct appendix);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st))
		return err_sys(e, errno, "cannot write '%s'", path);
	if (check_finished(fd, path, e))
		return -1;
	appendix_read(old, fd, (u64)st.st_size, false);
	if (keep_others(old, feature, fd, now, &out))
		return err_set(e, EINVAL, "the header of '%s' is broken", path);
	appendix_add(now, &out, old->start, feature, body, len);
	appendix_finish(now, &out);
	if (rw_pwrite_full(fd, out.buf, out.len, old->start) ||
	    ftruncate(fd, (off_t)(old->start + out.len)))
		return err_sys(e, errno, "cannot write '%s'", path);
	return 0;
}
