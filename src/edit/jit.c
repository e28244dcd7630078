/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of JIT compilers that write jit-PID.dump: each function becomes a mapping of an ELF object,
 * from the time on when it was made. The mapping that announces the dump is left out.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "edit/pass.h"
#include "dso/jit/object.h"
#include "dso/jit/jitdump.h"
#include "perfdata/record.h"

enum { CODE_MAX = 1 << 28 };

/* An object that has been written. */
struct jit_file {
	char *path;
	struct build_id id;
	u64 ino;
	u32 maj, min;
	u64 place; /* of its only function */
};

/* Where a function is in an object. */
struct jit_place {
	u64 dumped; /* the place it has in the dump */
	u64 place;
	struct jit_file file; /* its own; path NULL = the one of all */
};

/* One compiler. */
struct edit_jit {
	const struct jitdump *dump;
	struct jit_clock clock;
	dso_id dso;
	u32 pid, tid;
	size_t next; /* of its codes */
	int fd; /* of the dump */
	char *folder;
	struct jit_file whole; /* of all functions; path NULL = one each */
	struct map by_place; /* in the dump */
	VEC(struct jit_place) places;
};

struct edit_jits {
	VEC(struct edit_jit) jits;
	u64 due; /* time of the next function */
	u64 mappings, files, failures;
	bool seen; /* a dump was mapped */
};

struct edit_jits *jits_new(void)
{
	struct edit_jits *j = XNEW(struct edit_jits);

	j->due = UINT64_MAX;
	return j;
}

void jits_free(struct edit_jits *js)
{
	if (!js)
		return;
	VEC_FOR(&js->jits, j) {
		mem_closep(&j->fd);
		free(j->folder);
		free(j->whole.path);
		map_release(&j->by_place);
		VEC_FOR(&j->places, p)
			free(p->file.path);
		vec_free(&j->places);
	}
	vec_free(&js->jits);
	free(js);
}

static int write_object(struct jit_file *f, const struct strbuf *image, struct err *e)
{
	const char *leaf;
	_cleanup_(mem_closep) int folder = folder_of(AT_FDCWD, f->path, &leaf);
	struct new_file file = { .fd = -1 };
	struct stat st;

	if (!new_file_open(&file, folder, leaf, 0644) &&
	    !rw_write_full(file.fd, image->buf, image->len) && !fstat(file.fd, &st) &&
	    !new_file_keep(&file)) {
		f->ino = st.st_ino;
		f->maj = major(st.st_dev);
		f->min = minor(st.st_dev);
		return 0;
	}
	err_sys(e, errno, "cannot write '%s'", f->path);
	new_file_drop(&file);
	return -1;
}

/* Fills in the function's code and unwind table from the dump; buf holds them. */
static void load_code(const struct edit_jit *j, const struct jit_code *c, struct strbuf *buf,
		      struct jit_object_code *out)
{
	bool has_code = c->bytes && c->size <= CODE_MAX;

	*out = (struct jit_object_code){ .name = j->dump->names.buf + c->name, .size = c->size };
	strbuf_reset(buf);
	strbuf_pad(buf, '\0', (has_code ? c->size : 0) + c->unwind_size);
	if (has_code && rw_pread_full(j->fd, buf->buf, c->size, c->bytes) == (ssize_t)c->size)
		out->code = buf->buf;
	has_code = has_code && out->code;
	/* an unwind table of the other byte order cannot be adapted */
	if (!c->unwind_size || j->dump->swap)
		return;
	out->unwind = buf->buf + (has_code ? c->size : 0);
	if (rw_pread_full(j->fd, (void *)(uintptr_t)out->unwind, c->unwind_size, c->unwind) !=
	    (ssize_t)c->unwind_size)
		return;
	out->unwind_size = c->unwind_size;
	out->hdr_size = c->unwind_hdr;
}

/* Its source lines; buf holds them. */
static void load_lines(const struct edit_jit *j, const struct jit_code *c, struct strbuf *buf,
		       struct jit_object_code *out)
{
	if (!c->nr_lines || j->dump->swap)
		return;
	strbuf_reset(buf);
	strbuf_pad(buf, '\0', c->lines_size);
	if (rw_pread_full(j->fd, buf->buf, c->lines_size, c->lines) != (ssize_t)c->lines_size)
		return;
	out->lines = buf->buf;
	out->lines_size = c->lines_size;
	out->nr_lines = c->nr_lines;
	out->lines_addr = c->lines_addr;
}

static struct jit_place *find_place(struct edit_jit *j, u64 dumped)
{
	u32 i;

	for (struct map_probe p = map_first(&j->by_place, hash_u64(dumped));
	     map_next(&j->by_place, &p, &i);)
		if (j->places.v[i].dumped == dumped)
			return &j->places.v[i];
	return NULL;
}

static struct jit_place *add_place(struct edit_jit *j, u64 dumped, u64 place)
{
	map_add(&j->by_place, hash_u64(dumped), (u32)j->places.nr);
	*VEC_PUSH(&j->places) = (struct jit_place){ .dumped = dumped, .place = place };
	return VEC_LAST(&j->places);
}

/* Writes all functions into one object. */
static int make_whole(struct edit *in, struct edit_jit *j, struct err *e)
{
	struct jit_object o = JIT_OBJECT_INIT;
	struct strbuf buf = STRBUF_INIT, lines = STRBUF_INIT, image = STRBUF_INIT;
	int r;

	VEC_FOR(&j->dump->codes, c) {
		struct jit_object_code code;
		u64 place;

		if (find_place(j, c->place))
			continue; /* it moved */
		load_code(j, c, &buf, &code);
		load_lines(j, c, &lines, &code);
		place = jit_object_add(&o, &code);
		if (place)
			add_place(j, c->place, place);
		else
			in->jits->failures++;
	}
	jit_object_write(&o, j->dump->machine, &image, &j->whole.id);
	j->whole.path = xasprintf("%s/jitted-%u.so", j->folder, j->dump->pid);
	r = write_object(&j->whole, &image, e);
	in->jits->files++;
	strbuf_release(&buf);
	strbuf_release(&lines);
	strbuf_release(&image);
	jit_object_release(&o);
	return r;
}

/* Writes one function into an object of its own. */
static int make_single(struct edit *in, struct edit_jit *j, const struct jit_code *c,
		       struct jit_file *f, struct err *e)
{
	struct jit_object o = JIT_OBJECT_INIT;
	struct strbuf buf = STRBUF_INIT, lines = STRBUF_INIT, image = STRBUF_INIT;
	struct jit_object_code code;
	int r = 0;

	load_code(j, c, &buf, &code);
	load_lines(j, c, &lines, &code);
	f->path = xasprintf("%s/jitted-%u-%llu.so", j->folder, j->dump->pid,
			    (unsigned long long)c->index);
	f->place = jit_object_add(&o, &code);
	if (f->place) {
		jit_object_write(&o, j->dump->machine, &image, &f->id);
		r = write_object(f, &image, e);
		in->jits->files++;
	} else {
		in->jits->failures++;
	}
	strbuf_release(&buf);
	strbuf_release(&lines);
	strbuf_release(&image);
	jit_object_release(&o);
	return r;
}

static void put_u32(struct strbuf *out, u32 v)
{
	strbuf_add(out, &v, sizeof(v));
}

static void put_u64(struct strbuf *out, u64 v)
{
	strbuf_add(out, &v, sizeof(v));
}

/* The sample_id trailer of the kernel's records, as the first event has it. */
static void put_trailer(struct edit *in, const struct edit_jit *j, u64 time, struct strbuf *out)
{
	const struct sample_layout *l = &perfdata_event(in->file, 0)->layout;
	u32 task[2] = { j->pid, j->tid };

	strbuf_pad(out, '\0', l->tail_size);
	if (l->tail_time)
		memcpy(out->buf + out->len - l->tail_time, &time, sizeof(time));
	if (l->tail_tid)
		memcpy(out->buf + out->len - l->tail_tid, task, sizeof(task));
}

static void put_mapping(struct edit *in, const struct edit_jit *j, const struct jit_code *c,
			const struct jit_file *f, u64 place, u64 time, struct strbuf *out)
{
	struct perf_event_header h = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER };
	size_t at = out->len, len = strlen(f->path) + 1;

	strbuf_add(out, &h, sizeof(h));
	put_u32(out, j->pid);
	put_u32(out, j->tid);
	put_u64(out, c->addr);
	put_u64(out, c->size);
	put_u64(out, place);
	put_u32(out, f->maj);
	put_u32(out, f->min);
	put_u64(out, f->ino);
	put_u64(out, 0);
	put_u32(out, PROT_EXEC);
	put_u32(out, MAP_SHARED);
	strbuf_add(out, f->path, len);
	strbuf_pad(out, '\0', (size_t)(ALIGN_UP(len, 8) - len));
	put_trailer(in, j, time, out);
	h.size = (u16)(out->len - at);
	memcpy(out->buf + at, &h, sizeof(h));
	in->records++;
}

static int put_code(struct edit *in, struct edit_jit *j, u64 time, struct strbuf *out,
		    struct err *e)
{
	const struct jit_code *c = &j->dump->codes.v[j->next++];
	struct jit_place *p = find_place(j, c->place);
	const struct jit_file *f = &j->whole;

	if (!f->path) {
		if (!p) {
			struct jit_file single = { .path = NULL };
			int r = make_single(in, j, c, &single, e);

			p = add_place(j, c->place, single.place);
			p->file = single;
			if (r)
				return -1;
			if (p->place)
				ids_set(&in->ids, single.path, PERF_RECORD_MISC_USER, &single.id);
		}
		f = &p->file;
	}
	if (!p || !p->place)
		return 0;
	in->jits->mappings++;
	put_mapping(in, j, c, f, p->place, time, out);
	return 0;
}

static u64 time_of_next(const struct edit_jit *j)
{
	return j->next < j->dump->codes.nr ? jit_clock_time(&j->clock, &j->dump->codes.v[j->next])
					   : UINT64_MAX;
}

int jits_before(struct edit *in, u64 time, struct strbuf *out, struct err *e)
{
	struct edit_jits *js = in->jits;

	while (js->due <= time) {
		struct edit_jit *first = NULL;

		js->due = UINT64_MAX;
		VEC_FOR(&js->jits, j) {
			if (j->next == j->dump->codes.nr)
				continue;
			if (!first || time_of_next(j) < time_of_next(first))
				first = j;
		}
		if (!first)
			return 0;
		js->due = time_of_next(first);
		if (js->due <= time && put_code(in, first, js->due, out, e))
			return -1;
	}
	return 0;
}

/* Objects lie beside the dump; where that is in another mount namespace, in the current folder. */
static char *object_folder(const struct jitdump *dump)
{
	const char *slash = strrchr(dump->path, '/');
	char here[PATH_MAX];

	if (strncmp(dump->path, "/proc/", 6) != 0 && slash && slash > dump->path)
		return xasprintf("%.*s", (int)(slash - dump->path), dump->path);
	return xstrdup(getcwd(here, sizeof(here)) ? here : "/tmp");
}

static int add_jit(struct edit *in, const struct record_mmap *map, u64 time, bool *readable,
		   struct err *e)
{
	struct dso_table *t = session_dsos(in->s);
	struct dso_key key = { .name = map->name.text, .kind = DSO_JITDUMP, .pid = map->pid };
	const struct perf_event_attr *attr = &perfdata_event(in->file, 0)->attr;
	dso_id id = dso_table_add(t, &key); /* the model has added it: found, not made */
	const struct jitdump *dump = dso_jitdump(dso_table_get(t, id));
	struct edit_jit *j;

	VEC_FOR(&in->jits->jits, known)
		if (known->pid == key.pid && known->dso == id)
			return 0;
	*readable = dump != NULL;
	if (!dump) {
		dso_symtab(dso_table_get(t, id)); /* finds out why */
		log_warn("no code of process %u: %s", key.pid,
			 dso_symtab_problem(dso_table_get(t, id))
				 ? dso_symtab_problem(dso_table_get(t, id))
				 : "its jitdump is empty");
		return 0;
	}
	j = VEC_PUSH(&in->jits->jits);
	*j = (struct edit_jit){
		.dump = dump, .dso = id, .pid = map->pid, .tid = map->tid, .fd = -1
	};
	j->clock = jit_clock_of(dump, time, attr->use_clockid && attr->clockid == CLOCK_MONOTONIC);
	if (j->clock.timeless || j->clock.shift)
		log_warn(
			"the times of '%s' are of another clock than the recording's: code that was replaced "
			"may be named wrongly; record -k mono helps",
			map->name.text);
	if (dump->damaged)
		log_warn("'%s' is damaged at byte %llu: code behind that is left out",
			 map->name.text, (unsigned long long)dump->damaged);
	j->folder = object_folder(dump);
	j->fd = jitdump_open(dump, e);
	if (j->fd < 0)
		return -1;
	in->jits->due = 0;
	if (!in->o->one_object)
		return 0;
	if (make_whole(in, j, e))
		return -1;
	ids_set(&in->ids, j->whole.path, PERF_RECORD_MISC_USER, &j->whole.id);
	return 0;
}

int jits_take(struct edit *in, const struct session_record *r, struct strbuf *out, bool *taken,
	      struct err *e)
{
	union record_view v;
	u32 pid;

	*taken = false;
	if (!record_view(r->h, 0, &v) || !jitdump_is_name(v.mmap.name.text, &pid))
		return 0;
	if (r->h->type == PERF_RECORD_MMAP2 && !(v.mmap.prot & PROT_EXEC))
		return 0;
	*taken = in->jits->seen = true;
	/* a mapping whose dump is gone stays: recorded names are found by it */
	if (add_jit(in, &v.mmap, r->time, taken, e))
		return -1;
	return jits_before(in, r->time, out, e);
}

void jits_tell(const struct edit *in)
{
	const struct edit_jits *js = in->jits;

	if (!js->seen) {
		log_warn(
			"no recorded process has mapped a jit-PID.dump file: there is nothing to merge");
		log_hint(
			"node --perf-prof, java with a jitdump agent, python -X perf_jit write one");
	}
	if (js->failures)
		log_warn("%llu functions are too large for an object",
			 (unsigned long long)js->failures);
	log_info("%llu mappings of code of %zu compilers in %llu objects",
		 (unsigned long long)js->mappings, js->jits.nr, (unsigned long long)js->files);
}
