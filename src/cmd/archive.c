/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf archive: the objects of a recording in one file, for reports on another machine. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "archive/bzip.h"
#include "archive/tar.h"
#include "archive/unpack.h"
#include "base/compare.h"
#include "base/fmt.h"
#include "base/input.h"
#include "base/intern.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "recording/recorded_ids.h"
#include "recording/recording.h"
#include "dso/build_id_cache.h"
#include "sys/end_signals.h"

struct archive_opts {
	struct recording rec;
	bool all, unpack;
	const char *exclude;
};

#define O struct archive_opts
static const struct opt archive_table[] = {
	OPT_BOOL('a', "all", O, all, "pack the recording, too"),
	OPT_BOOL(0, "unpack", O, unpack, "unpack an archive: objects into the build-id cache"),
	OPT_STR(0, "exclude-buildids", O, exclude, "file", "leave out the build ids in this file"),
	RECORDING_FORCE(O, rec), OPT_END
};
#undef O

static const char *const archive_usage[] = { "perf archive [<options>] [<file>]", NULL };

static const char symbols_name[] = "perf.symbols.tar.bz2";

/* Packing */

struct packer {
	const char *cache;
	struct byte_sink *to;
	size_t missing;
};

VEC_TYPE(names, char *);

static void names_release(struct names *n)
{
	VEC_FOR(n, name)
		free(*name);
	vec_free(n);
}

/* The files in a folder, sorted. */
static void list_files(int folder, struct names *out)
{
	int own = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	DIR *d = own < 0 ? NULL : fdopendir(own);

	if (!d) {
		if (own >= 0)
			close(own);
		return;
	}
	rewinddir(d);
	for (struct dirent *ent; (ent = readdir(d));)
		if (ent->d_name[0] != '.')
			*VEC_PUSH(out) = xstrdup(ent->d_name);
	closedir(d);
	VEC_SORT(out, by_string);
}

/*
 * Nothing is written of what is no file. What is written has the size of what is read, and what
 * bzip2 adds: each object comes once.
 */
static int pack_fd(struct byte_sink *to, const char *name, int fd, struct err *e)
{
	struct tar_member m = { .kind = TAR_FILE, .name = name, .target = "" };
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	m.size = (u64)st.st_size;
	m.mode = st.st_mode & 0777;
	m.mtime = st.st_mtime;
	return tar_write_file(to, &m, fd, e);
}

/* One of the objects: what claims to be larger than objects are is missing, not the rest. */
static int pack_object_fd(struct packer *p, const char *name, int fd, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) || (u64)st.st_size < LIMIT_OBJECT)
		return pack_fd(p->to, name, fd, e);
	p->missing++;
	log_warn("%s: left out: larger than %llu GB", name, LIMIT_OBJECT >> 30);
	return 0;
}

/* p: of objects; NULL: of a recording. */
static int pack_folder(struct packer *p, struct byte_sink *to, const char *path, int folder,
		       struct err *e)
{
	struct names files = { 0 };
	int r = 0;

	list_files(folder, &files);
	VEC_FOR(&files, name) {
		_cleanup_(mem_closep) int fd = openat(
			folder, *name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		_cleanup_(mem_freep) char *member = xasprintf("%s/%s", path, *name);

		if (!r && fd >= 0)
			r = p ? pack_object_fd(p, member, fd, e) : pack_fd(to, member, fd, e);
	}
	names_release(&files);
	return r;
}

/* The link and the folder of an object at "PATH/ID". */
static int pack_entry(struct packer *p, const struct build_id *id, const char *path, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf hex = STRBUF_INIT;
	_cleanup_(mem_freep) char *target = xasprintf("../../%s", path);
	_cleanup_(mem_freep) char *folder = xasprintf("%s/", path);
	_cleanup_(mem_freep) char *name = NULL;
	struct tar_member m = { .kind = TAR_SYMLINK, .target = target, .mode = 0777 };

	fmt_build_id(&hex, id->bytes, id->size);
	m.name = name = xasprintf(".build-id/%.2s/%s", hex.buf, hex.buf + 2);
	m.mtime = time(NULL);
	if (tar_write_member(p->to, &m, e))
		return -1;
	m = (struct tar_member){
		.kind = TAR_FOLDER, .name = folder, .target = "", .mode = 0755, .mtime = m.mtime
	};
	return tar_write_member(p->to, &m, e);
}

/* An object that no recorder has put into the cache, from where it was when it ran. */
static int pack_original(struct packer *p, const struct recorded_id *r, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf hex = STRBUF_INIT;
	int code;
	_cleanup_(mem_closep) int fd = build_id_open_file(r->path, &r->id, &code);
	_cleanup_(mem_closep) int debug = -1;
	_cleanup_(mem_freep) char *path = NULL, *elf = NULL, *debug_from = NULL, *debug_name = NULL;

	if (fd < 0) {
		p->missing++;
		log_warn("%s: neither it nor a copy in the build-id cache has its build id",
			 r->path);
		return 0;
	}
	fmt_build_id(&hex, r->id.bytes, r->id.size);
	path = xasprintf("%s/%s", r->path + 1, hex.buf);
	elf = xasprintf("%s/elf", path);
	if (pack_entry(p, &r->id, path, e) || pack_object_fd(p, elf, fd, e))
		return -1;
	debug_from = xasprintf("/usr/lib/debug/.build-id/%.2s/%s.debug", hex.buf, hex.buf + 2);
	debug_name = xasprintf("%s/debug", path);
	debug = build_id_open_file(debug_from, &r->id, &code);
	return debug < 0 ? 0 : pack_object_fd(p, debug_name, debug, e);
}

static int pack_kallsyms(struct packer *p, const struct recorded_id *r, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf hex = STRBUF_INIT, text = STRBUF_INIT;
	_cleanup_(mem_freep) char *path = NULL, *name = NULL;
	struct build_id_cache_entry now = { .name = r->path, .id = r->id };
	struct tar_member m = { .kind = TAR_FILE, .target = "", .mode = 0644 };

	if (!build_id_cache_entry_is_current(&now) || rw_slurp("/proc/kallsyms", &text, NULL) ||
	    !strncmp(text.buf, "0000000000000000 A", 18)) {
		p->missing++;
		log_warn("%s: no copy of its symbols is in the build-id cache", r->path);
		return 0;
	}
	fmt_build_id(&hex, r->id.bytes, r->id.size);
	path = xasprintf("%s/%s", r->path, hex.buf);
	m.name = name = xasprintf("%s/kallsyms", path);
	m.size = text.len;
	m.mtime = time(NULL);
	if (pack_entry(p, &r->id, path, e))
		return -1;
	return tar_write_bytes(p->to, &m, text.buf, e);
}

static int pack_object(struct packer *p, const struct recorded_id *r, struct err *e)
{
	_cleanup_(mem_freep) char *path = NULL;
	_cleanup_(mem_closep) int folder = build_id_cache_open(p->cache, &r->id, &path);

	if (folder >= 0)
		return pack_entry(p, &r->id, path, e) || pack_folder(p, p->to, path, folder, e) ? -1
												: 0;
	if (r->path[0] == '/')
		return pack_original(p, r, e);
	if (!strcmp(r->path, "[kernel.kallsyms]"))
		return pack_kallsyms(p, r, e);
	p->missing++;
	log_warn("%s: no copy of it is in the build-id cache", r->path);
	return 0;
}

typedef int (*pack_fn)(void *ctx, struct byte_sink *to, struct err *e);

/* A compressed archive of what fn writes. */
static int write_archive(int fd, const char *name, pack_fn fn, void *ctx, struct err *e)
{
	struct bzip_writer *w = bzip_writer_new(fd, name, e);
	struct err second = ERR_INIT;
	int r;

	if (!w)
		return -1;
	r = fn(ctx, bzip_writer_sink(w), e);
	if (!r)
		r = tar_write_end(bzip_writer_sink(w), e);
	return bzip_writer_finish(w, r ? &second : e) || r ? -1 : 0;
}

struct package {
	const char *recording;
	const struct recorded_ids *ids;
	struct packer packer;
	int symbols; /* an archive of its own */
	int file; /* of the recording, or of its folder's "data" */
};

static int pack_symbols(void *ctx, struct byte_sink *to, struct err *e)
{
	struct package *p = ctx;

	p->packer.to = to;
	VEC_FOR(p->ids, id)
		if (pack_object(&p->packer, id, e))
			return -1;
	return 0;
}

static const char *leaf_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The symbols, and the recording, which may be a folder of files. */
static int pack_all(void *ctx, struct byte_sink *to, struct err *e)
{
	struct package *p = ctx;
	_cleanup_(mem_closep) int folder = open(p->recording, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st, read;

	if (pack_fd(to, symbols_name, p->symbols, e))
		return -1;
	if (folder < 0)
		return pack_fd(to, leaf_of(p->recording), p->file, e);
	if (fstatat(folder, "data", &st, AT_SYMLINK_NOFOLLOW) || fstat(p->file, &read) ||
	    st.st_dev != read.st_dev || st.st_ino != read.st_ino)
		return err_set(e, ESTALE, "'%s' became another while it was read", p->recording);
	return pack_folder(NULL, to, leaf_of(p->recording), folder, e);
}

/* Under another name until it is whole. */
static int write_file(const char *name, pack_fn fn, void *ctx, struct err *e)
{
	const char *leaf;
	_cleanup_(mem_closep) int folder = folder_of(AT_FDCWD, name, &leaf);
	struct new_file f;
	int r;

	if (new_file_open(&f, folder, leaf, 0644))
		return err_sys(e, errno, "cannot make '%s'", name);
	_cleanup_(mem_freep) char *temp = xasprintf("%.*s%s", (int)(leaf - name), name, f.temp);

	unfinished_file_begin(temp);
	r = write_archive(f.fd, name, fn, ctx, e);
	if (!r && new_file_keep(&f))
		r = err_sys(e, errno, "cannot make '%s'", name);
	new_file_drop(&f);
	unfinished_file_end();
	return r;
}

/* The first word of each line that is a build id. */
static int exclude_ids(const char *path, struct recorded_ids *ids, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	char *rest = NULL;

	if (rw_slurp(path, &text, e))
		return -1;
	for (char *line = strtok_r(text.buf, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct build_id id;
		size_t kept = 0;

		line[strcspn(line, " \t\r")] = '\0';
		if (!line[0] || line[0] == '#')
			continue;
		if (!build_id_parse(line, &id))
			return err_set(e, EINVAL, "'%s' in '%s' is no build id", line, path);
		for (size_t i = 0; i < ids->nr; i++) {
			if (build_id_equal(&ids->v[i].id, &id))
				free(ids->v[i].path);
			else
				ids->v[kept++] = ids->v[i];
		}
		ids->nr = kept;
	}
	return 0;
}

static const char *hex_of(const struct build_id *id, struct strbuf *hex)
{
	strbuf_reset(hex);
	fmt_build_id(hex, id->bytes, id->size);
	return hex->buf;
}

static int read_ids(struct archive_opts *o, struct package *p, struct recorded_ids *ids,
		    struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf hex = STRBUF_INIT;
	struct recorded_ids all = { 0 };
	struct intern seen = { 0 };
	int r;

	o->rec.opts.input.path = p->recording;
	if (recording_open(&o->rec, e))
		return -1;
	r = recorded_ids_read(o->rec.session, true, &all, e);
	p->file = perfdata_dup(session_file(o->rec.session));
	VEC_FOR(&all, id) {
		/* a second one of this id would be the same object once more */
		if (id->id.size >= 2 && intern_find(&seen, hex_of(&id->id, &hex)) == 0) {
			intern_adds(&seen, hex.buf);
			*VEC_PUSH(ids) = *id;
		} else {
			free(id->path);
		}
	}
	vec_free(&all);
	intern_release(&seen);
	return r || !o->exclude ? r : exclude_ids(o->exclude, ids, e);
}

static void all_name(char *buf, size_t size)
{
	char host[HOST_NAME_MAX + 1] = "", when[32];
	time_t now = time(NULL);
	struct tm tm;

	gethostname(host, sizeof(host) - 1);
	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	snprintf(buf, size, "perf.all-%s-%s.tar.bz2", host, when);
}

static int pack_package(struct package *p, struct err *e)
{
	char name[HOST_NAME_MAX + 64];
	FILE *symbols = tmpfile();
	int r;

	if (!symbols)
		return err_sys(e, errno, "cannot make a temporary file");
	p->symbols = fileno(symbols);
	all_name(name, sizeof(name));
	r = write_archive(p->symbols, symbols_name, pack_symbols, p, e);
	if (!r)
		r = write_file(name, pack_all, p, e);
	fclose(symbols);
	if (!r)
		printf("Now please run:\n\n$ perf archive --unpack %s\n\n"
		       "wherever you need to run 'perf report' on.\n",
		       name);
	return r;
}

static int pack(struct archive_opts *o, const char *recording)
{
	char cache[PATH_MAX] = "";
	struct recorded_ids ids = { 0 };
	struct package p = {
		.recording = recording, .ids = &ids, .packer.cache = cache, .file = -1
	};
	_cleanup_(mem_freep) char *name = xasprintf("%s.tar.bz2", recording);
	struct err e = ERR_INIT;
	int r;

	if (build_id_cache_dir(o->rec.opts.dso.buildid_dir, cache, sizeof(cache)) &&
	    build_id_cache_check(cache, &e)) {
		log_warn("%s", e.text);
		cache[0] = '\0';
	}
	r = read_ids(o, &p, &ids, &e);
	if (!r && !ids.nr) {
		fprintf(stderr, "perf archive: no build-ids found\n");
		r = 1;
	} else if (!r && o->all) {
		r = pack_package(&p, &e);
	} else if (!r) {
		r = write_file(name, pack_symbols, &p, &e);
		if (!r)
			printf("Now please run:\n\n$ tar xvf %s -C ~/.debug\n\n"
			       "wherever you need to run 'perf report' on.\n",
			       name);
	}
	if (r < 0)
		err_print(&e);
	if (!r && p.packer.missing)
		log_warn("%zu of %zu objects are missing in the archive", p.packer.missing, ids.nr);
	mem_closep(&p.file);
	recorded_ids_release(&ids);
	recording_close(&o->rec);
	return r ? 1 : 0;
}

/* Unpacking */

/*
 * A few bytes can stand for any number of zeros. Objects become five times as large, rarely twenty
 * times; what becomes more than that is no archive of perf's, and would fill the disk.
 */
enum { FREE_BYTES = 64 << 20, TIMES_MAX = 100, MADE_MAX = 1 << 16 };

struct unpacker {
	struct unpacking cache, cwd;
	bool named; /* by the user: whatever it is, it is meant */
	bool force;
	size_t objects, left_out;
	u64 packed, unpacked; /* bytes so far */
};

/* Counts what comes from `from`. */
struct metered {
	struct byte_source source;
	struct byte_source *from;
	struct unpacker *u;
};

static ssize_t read_packed(struct byte_source *s, void *buf, size_t n, struct err *e)
{
	struct metered *m = (struct metered *)s;
	ssize_t got = m->from->read(m->from, buf, n, e);

	m->u->packed += got > 0 ? (u64)got : 0;
	return got;
}

static ssize_t read_unpacked(struct byte_source *s, void *buf, size_t n, struct err *e)
{
	struct metered *m = (struct metered *)s;
	ssize_t got = m->from->read(m->from, buf, n, e);

	m->u->unpacked += got > 0 ? (u64)got : 0;
	if (m->u->force || m->u->unpacked <= FREE_BYTES + TIMES_MAX * m->u->packed)
		return got;
	err_set(e, EFBIG, "the archive has %llu MB in %llu kB: more than %d times its size",
		(unsigned long long)m->u->unpacked >> 20,
		(unsigned long long)(m->u->packed + 1023) >> 10, TIMES_MAX);
	err_hint(e, "unpack it with -f if you trust it");
	return -1;
}

static bool is_nested(const struct tar_member *m)
{
	static const char tail[] = ".tar.bz2";
	size_t len = strlen(m->name);

	return m->kind == TAR_FILE && !strchr(m->name, '/') && len > strlen(tail) &&
	       !strcmp(m->name + len - strlen(tail), tail);
}

static int unpack_one(struct unpacker *u, struct unpacking *into, struct tar_reader *t,
		      const struct tar_member *m, const struct unpack_rules *rules, struct err *e)
{
	struct held_signals held = { .on = false };
	struct err why = ERR_INIT;
	int r;

	/* between two members, nothing is half made */
	held_signals_begin(&held, 0);
	r = unpack_member(into, t, m, rules, &why);
	held_signals_end(&held);
	if (r < 0) {
		*e = why;
		return -1;
	}
	if (!r) {
		log_warn("left out: %s", why.text);
		u->left_out++;
	} else if (m->kind == TAR_SYMLINK) {
		u->objects++;
	}
	return 0;
}

static int unpack_object(struct unpacker *u, struct tar_reader *t, const struct tar_member *m,
			 struct err *e)
{
	static const struct unpack_rules rules = {
		.link_allowed = build_id_cache_link_is_sane,
		.replace = true,
		.hidden = true,
		.mode = 0755,
	};

	return unpack_one(u, &u->cache, t, m, &rules, e);
}

static int unpack_nested(struct unpacker *u, struct byte_source *from, struct err *e)
{
	struct bzip_reader *b = bzip_reader_new(from);
	struct metered out = { .source.read = read_unpacked,
			       .from = bzip_reader_source(b),
			       .u = u };
	struct tar_reader t;
	struct tar_member m;
	int r;

	tar_reader_init(&t, &out.source);
	while ((r = tar_next(&t, &m, e)) > 0) {
		r = unpack_object(u, &t, &m, e);
		if (r < 0)
			break;
	}
	tar_reader_release(&t);
	bzip_reader_free(b);
	return r;
}

/* The recording, or the archive of its objects. */
static int unpack_part(struct unpacker *u, struct tar_reader *t, const struct tar_member *m,
		       struct err *e)
{
	const struct unpack_rules rules = { .replace = u->force, .mode = 0644 };
	int r;

	if (is_nested(m))
		return unpack_nested(u, &t->data, e);
	r = unpack_one(u, &u->cwd, t, m, &rules, e);
	if (r < 0 && e->code == EEXIST)
		err_hint(e, "unpack it elsewhere, or replace it with -f");
	return r;
}

/* A package has its parts at the top; objects lie in folders. */
static int unpack_all(struct unpacker *u, struct tar_reader *t, struct err *e)
{
	struct tar_member m;
	int r = tar_next(t, &m, e);
	bool package = r > 0 && !strchr(m.name, '/');

	for (; r > 0; r = tar_next(t, &m, e))
		if (package ? unpack_part(u, t, &m, e) : unpack_object(u, t, &m, e))
			return -1;
	return r;
}

static int unpack_fd(struct unpacker *u, int fd, const char *name, struct err *e)
{
	struct fd_source from;
	struct metered in = { .source.read = read_packed, .from = &from.source, .u = u };
	struct metered out = { .source.read = read_unpacked, .u = u };
	struct bzip_reader *b;
	struct tar_reader t;
	int r;

	fd_source_init(&from, fd, name);
	b = bzip_reader_new(&in.source);
	out.from = bzip_reader_source(b);
	tar_reader_init(&t, &out.source);
	r = unpack_all(u, &t, e);
	tar_reader_release(&t);
	bzip_reader_free(b);
	return r;
}

/* The package that lies in the current folder. */
static char *find_package(struct err *e)
{
	glob_t found = { 0 };
	char *name = NULL;

	if (glob("perf.all-*.tar.bz2", 0, NULL, &found))
		err_set(e, ENOENT, "no perf.all-*.tar.bz2 in this folder");
	else if (found.gl_pathc > 1)
		err_set(e, EINVAL, "more than one perf.all-*.tar.bz2 in this folder");
	else
		name = xstrdup(found.gl_pathv[0]);
	globfree(&found);
	if (!name)
		err_hint(e, "name the archive: perf archive --unpack FILE");
	return name;
}

static int unpack_into(struct unpacker *u, const char *name, const char *cache, struct err *e)
{
	unsigned int found = u->force ? 0 : INPUT_OWNED;
	_cleanup_(mem_closep) int fd = input_open(name, u->named ? INPUT_PIPE : found, e);

	if (fd < 0)
		return -1;
	if (build_id_cache_check(cache, e))
		return -1;
	u->cache.folder = folder_trusted(cache, true, e);
	if (u->cache.folder < 0)
		return -1;
	u->cwd.folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (u->cwd.folder < 0)
		return err_sys(e, errno, "cannot read the current folder");
	return unpack_fd(u, fd, name, e);
}

static int unpack(const struct archive_opts *o, const char *given)
{
	u32 most = o->rec.opts.input.force ? UINT32_MAX : MADE_MAX;
	struct unpacker u = { .cache = { .folder = -1, .max_made = most },
			      .cwd = { .folder = -1, .max_made = most },
			      .named = given != NULL,
			      .force = o->rec.opts.input.force };
	_cleanup_(mem_freep) char *name = NULL;
	char cache[PATH_MAX];
	struct err e = ERR_INIT;
	int r = -1;

	if (!build_id_cache_dir(o->rec.opts.dso.buildid_dir, cache, sizeof(cache))) {
		err_set(&e, ENOENT, "no folder for the build-id cache: HOME is not set");
	} else {
		name = given ? xstrdup(given) : find_package(&e);
		r = name ? unpack_into(&u, name, cache, &e) : -1;
	}
	mem_closep(&u.cache.folder);
	mem_closep(&u.cwd.folder);
	unpacking_release(&u.cache);
	unpacking_release(&u.cwd);
	if (r) {
		err_print(&e);
		return 1;
	}
	printf("%zu object%s unpacked into %s\n", u.objects, u.objects == 1 ? "" : "s", cache);
	return u.left_out ? 1 : 0;
}

static int archive_run(const struct config *config, int argc, const char **argv)
{
	struct archive_opts o = { .rec.nameless = true };

	if (recording_configure(&o.rec, config))
		return 1;

	argc = opts_parse(archive_table, &o, argc, argv, archive_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc > 1)
		return opts_usage_error(archive_table, archive_usage, NULL,
					"only one file can be given\n");
	if (o.unpack && (o.all || o.exclude))
		return opts_usage_error(
			archive_table, archive_usage, "unpack",
			"--unpack and the options for packing exclude each other\n");
	return o.unpack ? unpack(&o, argc ? argv[0] : NULL)
			: pack(&o, argc ? argv[0] : "perf.data");
}

const struct command cmd_archive = {
	.name = "archive",
	.summary = "pack the objects of a recording into one file",
	.usage = archive_usage,
	.opts = archive_table,
	.run = archive_run,
};
