/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a JIT compiler says of its functions besides their names: call frame information, source
 * lines. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rw.h"
#include "dso/dso_internal.h"
#include "dso/files.h"
#include "dso/jit/lines.h"
#include "dso/jit/object.h"
#include "dso/jit/source.h"
#include "dso/jit/jitdump.h"

enum { FRAMES_MAX = 1 << 28 };

/* Of the functions that have some. */
static void collect_frames(const struct jitdump *j, int fd, struct jit_object *o)
{
	_cleanup_(strbuf_releasep) struct strbuf buf = STRBUF_INIT;

	VEC_FOR(&j->codes, c) {
		if (!c->unwind_size || o->moved_frames.len > FRAMES_MAX)
			continue;
		strbuf_reset(&buf);
		strbuf_pad(&buf, '\0', c->unwind_size);
		if (rw_pread_full(fd, buf.buf, c->unwind_size, c->unwind) !=
		    (ssize_t)c->unwind_size)
			continue;
		jit_object_add(o, &(struct jit_object_code){ .size = c->size,
							     .place = c->place,
							     .unwind = buf.buf,
							     .unwind_size = c->unwind_size,
							     .hdr_size = c->unwind_hdr });
	}
}

/* Under lock. */
static void make_frames(struct dso *d, const struct jitdump *j)
{
	struct jit_object o = JIT_OBJECT_INIT;
	_cleanup_(mem_closep) int fd = j->swap ? -1 : jitdump_open(j, NULL);
	struct build_id id;

	o.frames_only = true;
	if (fd >= 0)
		collect_frames(j, fd, &o);
	if (o.moved_frames.len)
		jit_object_write(&o, j->machine, &d->jit_frames, &id);
	jit_object_release(&o);
}

bool dso_open_jit_frames(struct dso *d, struct elf_file *f)
{
	const struct jitdump *j = dso_jitdump(d);
	bool there = false;

	if (!j)
		return false;
	pthread_mutex_lock(&d->lock);
	if (!d->jit_frames.len)
		make_frames(d, j);
	if (d->jit_frames.len)
		there = elf_open_memory(f, d->jit_frames.buf, d->jit_frames.len, NULL) == 0;
	pthread_mutex_unlock(&d->lock);
	return there;
}

/* By symbol of the table: the function, as it was made. */
static const u32 *codes_by_symbol(struct dso *d, const struct jitdump *j, const struct symtab *st)
{
	u32 *codes;

	pthread_mutex_lock(&d->lock);
	if (!d->jit_codes) {
		codes = XNEW_ARRAY(u32, symtab_count(st) + 1);
		/* Backwards: one that moved has its place several times. */
		for (u32 i = (u32)j->codes.nr; i--;) {
			u32 sym = symtab_find(st, j->codes.v[i].place);

			if (sym != SYM_NONE)
				codes[sym] = i;
		}
		d->jit_codes = codes;
	}
	pthread_mutex_unlock(&d->lock);
	return d->jit_codes;
}

static const struct jit_code *code_at(struct dso *d, const struct jitdump *j, u64 place)
{
	const struct symtab *st = dso_symtab(d);
	u32 sym = symtab_find(st, place);

	return sym == SYM_NONE ? NULL : &j->codes.v[codes_by_symbol(d, j, st)[sym]];
}

/* The entry at or before an offset. */
static bool find_line(struct jit_lines *l, u64 offset, struct jit_line *out)
{
	struct jit_line_entry e;
	u64 best = 0;

	while (jit_lines_next(l, &e)) {
		if (e.offset > offset || !e.line || (out->line && e.offset < best))
			continue;
		best = e.offset;
		strbuf_reset(&out->file);
		strbuf_adds(&out->file, e.file);
		out->line = e.line;
	}
	return out->line != 0;
}

bool jit_source_line(struct dso *d, u64 place, struct jit_line *out)
{
	const struct jitdump *j = dso_jitdump(d);
	const struct jit_code *c = j && j->path ? code_at(d, j, place) : NULL;
	_cleanup_(mem_closep) int fd = c && c->nr_lines ? jitdump_open(j, NULL) : -1;
	_cleanup_(strbuf_releasep) struct strbuf buf = STRBUF_INIT;
	struct jit_lines lines;

	strbuf_reset(&out->file);
	out->line = 0;
	if (fd < 0)
		return false;
	strbuf_pad(&buf, '\0', c->lines_size);
	if (rw_pread_full(fd, buf.buf, c->lines_size, c->lines) != (ssize_t)c->lines_size)
		return false;
	lines = (struct jit_lines){ .addr = c->lines_addr, .size = c->size, .swap = j->swap };
	return jit_lines_begin(&lines, buf.buf, c->lines_size, c->nr_lines) &&
	       find_line(&lines, place - c->place, out);
}
