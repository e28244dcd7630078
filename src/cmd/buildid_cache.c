/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf buildid-cache: adds, lists and removes copies of objects by build id. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rw.h"
#include "capture/kcore.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "recording/recorded_ids.h"
#include "recording/recording.h"
#include "dso/build_id_cache.h"
#include "dso/debuginfod.h"
#include "dso/elf/file.h"
#include "dso/kcore_cache.h"
#include "sys/end_signals.h"
#include "sys/mount_ns.h"

VEC_TYPE(file_lists, const char *);

struct cache_opts {
	struct file_lists add, remove, purge, update;
	const char *kcore;
	struct recording rec; /* of --missing */
	bool purge_all, list;
	int target_ns;
	const char *debuginfod; /* URLs, NULL = not asked */
};

static int parse_list(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
		      struct err *e UNUSED)
{
	struct file_lists *l = target;

	if (unset)
		l->nr = 0;
	else
		*VEC_PUSH(l) = arg;
	return 0;
}

static int parse_debuginfod(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			    struct err *e UNUSED)
{
	*(const char **)target = unset ? NULL : arg ? arg : "system";
	return 0;
}

#define O struct cache_opts
static const struct config_row cache_config[] = {
	CONFIG_ROW("buildid-cache.debuginfod", CONFIG_STR, O, debuginfod, NULL), CONFIG_END
};

static const struct opt cache_table[] = {
	OPT_CALL('a', "add", O, add, "file list", "file(s) to add", parse_list),
	OPT_CALL('r', "remove", O, remove, "file list", "file(s) to remove", parse_list),
	OPT_CALL('p', "purge", O, purge, "file list", "file(s) to remove (remove old caches too)",
		 parse_list),
	OPT_BOOL('P', "purge-all", O, purge_all, "purge all cached files"),
	OPT_BOOL('l', "list", O, list, "list all cached files"),
	OPT_STR('M', "missing", O, rec.opts.input.path, "file",
		"to find missing build ids in the cache"),
	OPT_STR('k', "kcore", O, kcore, "file", "kcore file to add"),
	RECORDING_FORCE(O, rec),
	OPT_CALL('u', "update", O, update, "file list", "file(s) to update", parse_list),
	OPT_INCR('v', "verbose", O, rec.verbose, "be more verbose"),
	OPT_INT(0, "target-ns", O, target_ns, "n", "target pid for namespace context"),
	OPT_CALL_F(0, "debuginfod", O, debuginfod, "debuginfod urls",
		   "Enable debuginfod data retrieval from DEBUGINFOD_URLS or specified urls",
		   parse_debuginfod, OPT_OPTARG),
	OPT_END
};
#undef O

static const char *const cache_usage[] = { "perf buildid-cache [<options>]", NULL };

struct cache {
	const char *dir;
	pid_t target_ns;
	struct debuginfod *remote;
	unsigned int failures;
};

/* One file of the command line. */
struct named_file {
	char *path; /* as its namespace knows it, without links */
	int fd;
	struct build_id id;
	struct strbuf hex;
};

static void named_file_release(struct named_file *f)
{
	free(f->path);
	if (f->fd >= 0)
		close(f->fd);
	strbuf_release(&f->hex);
}

/* Where the namespace has the file, open in f->fd. */
static int find_file(struct cache *c, const char *name, struct named_file *f, struct err *e)
{
	_cleanup_(mem_freep) char *cwd = name[0] == '/' ? xstrdup("") : getcwd(NULL, 0);
	_cleanup_(mem_freep) char *full = xasprintf("%s/%s", cwd ? cwd : "", name);
	struct mount_ns ns;
	int code = 0;

	if (mount_ns_enter(&ns, c->target_ns, e))
		return -1;
	f->path = realpath(full, NULL);
	if (f->path)
		f->fd = input_open(f->path, 0, NULL);
	if (f->fd < 0)
		code = errno;
	if (mount_ns_leave(&ns, e))
		return -1;
	return code ? err_sys(e, code, "cannot open '%s'", name) : 0;
}

static int open_file(struct cache *c, const char *name, struct named_file *f, struct err *e)
{
	_cleanup_(elf_close) struct elf_file elf = ELF_FILE_INIT;
	int own;

	*f = (struct named_file){ .fd = -1, .hex = STRBUF_INIT };
	if (find_file(c, name, f, e))
		return -1;
	own = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0)
		return err_sys(e, errno, "cannot open '%s'", name);
	if (elf_open_fd(&elf, own, name, e))
		return -1;
	if (!elf_build_id(&elf, &f->id))
		return err_set(e, ENOENT, "'%s' has no build id", name);
	fmt_build_id(&f->hex, f->id.bytes, f->id.size);
	return 0;
}

static int add_file(struct cache *c, const struct named_file *f, struct err *e)
{
	struct build_id_cache_object o = {
		.name = f->path, .id = f->id, .fd = f->fd, .remote = c->remote
	};

	return build_id_cache_add(c->dir, &o, e);
}

static void tell(const char *what, const struct build_id *id, const char *name, bool ok)
{
	_cleanup_(strbuf_releasep) struct strbuf hex = STRBUF_INIT;

	fmt_build_id(&hex, id->bytes, id->size);
	log_info("%s %s %s: %s", what, hex.buf, name, ok ? "Ok" : "FAIL");
}

static int add_one(struct cache *c, const char *name, struct err *e)
{
	struct named_file f;
	int r = open_file(c, name, &f, e);

	if (!r) {
		r = add_file(c, &f, e);
		tell("Adding", &f.id, name, !r);
	}
	named_file_release(&f);
	return r;
}

static int remove_one(struct cache *c, const char *name, struct err *e)
{
	struct named_file f;
	int r = open_file(c, name, &f, e);

	if (!r) {
		struct err gone = ERR_INIT;

		r = build_id_cache_remove(c->dir, &f.id, &gone);
		tell("Removing", &f.id, name, !r);
		if (r && gone.code == ENOENT) {
			log_warn("%s wasn't in the cache", name);
			r = 0;
		} else if (r) {
			*e = gone;
		}
	}
	named_file_release(&f);
	return r;
}

static int update_one(struct cache *c, const char *name, struct err *e)
{
	struct named_file f;
	int r = open_file(c, name, &f, e);

	if (!r) {
		if (build_id_cache_has(c->dir, &f.id))
			r = build_id_cache_remove(c->dir, &f.id, e);
		if (!r)
			r = add_file(c, &f, e);
		tell("Updating", &f.id, name, !r);
	}
	named_file_release(&f);
	return r;
}

/* All that was ever kept of a path, which may be gone by now. */
static int purge_one(struct cache *c, const char *name, struct err *e)
{
	_cleanup_(mem_freep) char *cwd = name[0] == '/' ? xstrdup("") : getcwd(NULL, 0);
	struct build_id_cache_entries entries = { 0 };
	struct named_file f = { .fd = -1, .hex = STRBUF_INIT };
	int r = 0;

	if (name[0] == '[')
		f.path = xstrdup(name);
	else if (find_file(c, name, &f, NULL))
		f.path = xasprintf("%s%s%s", cwd ? cwd : "", name[0] == '/' ? "" : "/", name);
	build_id_cache_list(c->dir, &entries);
	VEC_FOR(&entries, entry) {
		if (r || strcmp(entry->name, f.path))
			continue;
		r = build_id_cache_remove(c->dir, &entry->id, e);
		tell("Removing", &entry->id, name, !r);
	}
	log_info("Purging %s: %s", name, r ? "FAIL" : "Ok");
	build_id_cache_entries_release(&entries);
	named_file_release(&f);
	return r;
}

typedef int (*file_fn)(struct cache *c, const char *name, struct err *e);

static void one_file(struct cache *c, file_fn fn, const char *name)
{
	struct held_signals held = { .on = false };
	struct err e = ERR_INIT;

	if (!name[0])
		return;
	/* no half entry */
	held_signals_begin(&held, 0);
	if (fn(c, name, &e)) {
		err_print(&e);
		c->failures++;
	}
	held_signals_end(&held);
}

/* Names with commas between them, or the lines of file://LIST. */
static void each_file(struct cache *c, file_fn fn, const struct file_lists *lists)
{
	VEC_FOR(lists, l) {
		static const char mark[] = "file://";
		bool from_file = !strncmp(*l, mark, strlen(mark));
		_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
		struct err e = ERR_INIT;
		char *rest = NULL;

		if (!from_file) {
			strbuf_adds(&text, *l);
		} else if (input_slurp(*l + strlen(mark), INPUT_PIPE, &text, &e)) {
			err_print(&e);
			c->failures++;
		}
		if (!text.len)
			continue;
		for (char *name = strtok_r(text.buf, from_file ? "\n" : ",", &rest); name;
		     name = strtok_r(NULL, from_file ? "\n" : ",", &rest))
			one_file(c, fn, name);
	}
}

static void purge_all(struct cache *c)
{
	struct build_id_cache_entries entries = { 0 };
	unsigned int before = c->failures;
	struct err e = ERR_INIT;

	build_id_cache_list(c->dir, &entries);
	VEC_FOR(&entries, entry) {
		_cleanup_(strbuf_releasep) struct strbuf hex = STRBUF_INIT;
		bool ok = !build_id_cache_remove(c->dir, &entry->id, &e);

		fmt_build_id(&hex, entry->id.bytes, entry->id.size);
		log_info("Removing %s (%s): %s", entry->name, hex.buf, ok ? "Ok" : "FAIL");
		if (!ok) {
			err_print(&e);
			c->failures++;
		}
	}
	if (kcore_cache_purge(c->dir, &e)) {
		err_print(&e);
		c->failures++;
	}
	log_info("Purged all: %s", c->failures == before ? "Ok" : "FAIL");
	build_id_cache_entries_release(&entries);
}

/* kcore of the running kernel: what another file belongs to is not to be found out. */
static int add_kcore(struct cache *c, const char *file, struct err *e)
{
	_cleanup_(mem_freep) char *path = realpath(file, NULL);
	_cleanup_(strbuf_releasep) struct strbuf place = STRBUF_INIT;
	struct build_id id = { 0 };

	if (!path)
		return err_sys(e, errno, "cannot open '%s'", file);
	if (strcmp(path, "/proc/kcore"))
		return err_set(e, EINVAL, "'%s' is not the running kernel's /proc/kcore", file);
	if (!build_id_of_kernel(&id))
		return err_set(e, ENOENT,
			       "cannot read the build id of the running kernel from "
			       "'/sys/kernel/notes'");
	if (kcore_check("/proc", e))
		return -1;
	if (kcore_cache_find(c->dir, &id, "/proc", &place)) {
		log_info("same kcore found in %s", place.buf);
		return 0;
	}
	if (kcore_cache_place(c->dir, &id, &place, e) || kcore_copy_to("/proc", place.buf, e))
		return -1;
	log_info("kcore added to build-id cache directory %s", place.buf);
	return 0;
}

static void print_id(const struct build_id *id, const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	fmt_build_id(&out, id->bytes, id->size);
	strbuf_addch(&out, ' ');
	strbuf_add_escaped(&out, name);
	puts(out.buf);
}

static void list_all(const struct cache *c)
{
	struct build_id_cache_entries entries = { 0 };

	build_id_cache_list(c->dir, &entries);
	VEC_FOR(&entries, entry)
		if (build_id_cache_entry_is_current(entry))
			print_id(&entry->id, entry->name);
	build_id_cache_entries_release(&entries);
}

static int list_missing(const struct cache *c, struct recording *rec, struct err *e)
{
	struct recorded_ids ids = { 0 };
	int r;

	if (recording_open(rec, e))
		return -1;
	r = recorded_ids_read(rec->session, false, &ids, e);
	VEC_FOR(&ids, i)
		if (i->id.size && !build_id_cache_has(c->dir, &i->id))
			print_id(&i->id, i->path);
	losses_tell_damage(session_file(rec->session));
	recorded_ids_release(&ids);
	return r;
}

static int cache_work(struct cache_opts *o, struct debuginfod *remote)
{
	char dir[PATH_MAX];
	struct cache c = { .dir = dir, .target_ns = o->target_ns, .remote = remote };
	struct err e = ERR_INIT;

	if (!build_id_cache_dir(o->rec.opts.dso.buildid_dir, dir, sizeof(dir))) {
		log_error("no folder for the build-id cache: HOME is not set");
		log_hint("name one with 'perf --buildid-dir DIR buildid-cache'");
		return 255;
	}
	if (o->list) {
		list_all(&c);
		return 0;
	}
	if ((o->add.nr || o->remove.nr || o->purge.nr || o->purge_all || o->update.nr ||
	     o->kcore) &&
	    build_id_cache_check(dir, &e)) {
		err_print(&e);
		return 255;
	}
	each_file(&c, add_one, &o->add);
	each_file(&c, remove_one, &o->remove);
	each_file(&c, purge_one, &o->purge);
	if (o->purge_all)
		purge_all(&c);
	if (o->rec.opts.input.path && list_missing(&c, &o->rec, &e)) {
		err_print(&e);
		c.failures++;
	}
	each_file(&c, update_one, &o->update);
	if (o->kcore)
		one_file(&c, add_kcore, o->kcore);
	return c.failures ? 255 : 0;
}

static int cache_main(struct cache_opts *o)
{
	struct fetching fetching;
	struct debuginfod *remote;
	struct dso_fetch fetch;
	int r;

	fetching_init(&fetching, o->debuginfod, &fetch);
	remote = debuginfod_new(&fetch);
	r = cache_work(o, remote);
	debuginfod_free(remote);
	fetching_finish(&fetching);
	int cut = recording_close(&o->rec);

	return r ? r : cut;
}

static int cache_run(const struct config *config, int argc, const char **argv)
{
	struct cache_opts o = { .rec.nameless = true };
	bool asked;
	int r = EXIT_USAGE;

	if (config_apply(config, cache_config, &o) || recording_configure(&o.rec, config))
		return 255;
	argc = opts_parse(cache_table, &o, argc, argv, cache_usage, 0);
	asked = o.add.nr || o.remove.nr || o.purge.nr || o.purge_all || o.rec.opts.input.path ||
		o.update.nr || o.kcore;
	if (o.rec.verbose)
		log_set_verbosity(o.rec.verbose);
	if (argc < 0)
		r = EXIT_USAGE;
	else if (argc || (!asked && !o.list))
		opts_print_usage(cache_table, cache_usage, NULL);
	else if (asked && o.list)
		opts_usage_error(cache_table, cache_usage, NULL, "  Error: -l is exclusive.\n\n");
	else
		r = cache_main(&o);
	vec_free(&o.add);
	vec_free(&o.remove);
	vec_free(&o.purge);
	vec_free(&o.update);
	return r;
}

const struct command cmd_buildid_cache = {
	.name = "buildid-cache",
	.summary = "manage the build-id cache of objects",
	.usage = cache_usage,
	.opts = cache_table,
	.run = cache_run,
	.settings = cache_config,
	.settings_size = sizeof(struct cache_opts),
};
