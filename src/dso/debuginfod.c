/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/safe_file.h"
#include "base/vec.h"
#include "dso/dso_internal.h"

/* In a row, after which servers are taken to be out of reach. */
enum { FAILURES_MAX = 3 };

typedef struct debuginfod_client client;
typedef int (*find_fn)(client *c, const unsigned char *id, int id_size, char **path);

/* As in elfutils/debuginfod.h. */
struct library {
	client *(*begin)(void);
	void (*end)(client *c);
	find_fn find[2]; /* by kind */
	void (*set_progress)(client *c, int (*fn)(client *c, long a, long b));
};

static const struct {
	const char *name;
	size_t offset;
} entries[] = {
	{ "debuginfod_begin", offsetof(struct library, begin) },
	{ "debuginfod_end", offsetof(struct library, end) },
	{ "debuginfod_find_debuginfo", offsetof(struct library, find[DEBUGINFOD_DEBUG]) },
	{ "debuginfod_find_executable", offsetof(struct library, find[DEBUGINFOD_PROGRAM]) },
	{ "debuginfod_set_progressfn", offsetof(struct library, set_progress) },
};

/* What was asked for, and the answer. */
struct question {
	struct build_id id;
	enum debuginfod_kind kind;
	bool answered;
	char *path; /* NULL = nobody has it */
};

struct debuginfod {
	struct dso_fetch what;
	pthread_mutex_t lock;
	pthread_cond_t answered;
	VEC(struct question *) questions;
	struct map by_id;
	bool loaded, stopped;
	unsigned int failures; /* in a row */
	struct library lib;
};

struct debuginfod *debuginfod_new(const struct dso_fetch *what)
{
	struct debuginfod *d;

	if (!what->urls)
		return NULL;
	/* the library is told in no other way */
	setenv("DEBUGINFOD_URLS", what->urls, 1);
	d = XNEW(struct debuginfod);
	d->what = *what;
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->answered, NULL);
	return d;
}

void debuginfod_free(struct debuginfod *d)
{
	if (!d)
		return;
	VEC_FOR(&d->questions, q) {
		free((*q)->path);
		free(*q);
	}
	vec_free(&d->questions);
	map_release(&d->by_id);
	pthread_cond_destroy(&d->answered);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

static void tell(const struct debuginfod *d, const struct dso_fetched *f)
{
	if (d->what.told)
		d->what.told(d->what.ctx, f);
}

static void *open_library(void)
{
#ifdef STATIC_PROGRAM
	return NULL;
#else
	return dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
}

bool debuginfod_is_installed(void)
{
	void *handle = open_library();

	if (handle)
		dlclose(handle);
	return handle != NULL;
}

/* Where the library keeps what it gets: see debuginfod_find_debuginfo(3). In fresh memory; NULL:
 * nowhere. */
static char *library_cache(void)
{
	const char *named = getenv("DEBUGINFOD_CACHE_PATH"), *xdg = getenv("XDG_CACHE_HOME"),
		   *home = getenv("HOME");
	_cleanup_(mem_freep) char *old = xasprintf("%s/.debuginfod_client_cache", home ? home : "");

	if (named && *named)
		return xstrdup(named);
	if (home && !access(old, F_OK))
		return xstrdup(old);
	if (xdg && *xdg)
		return xasprintf("%s/debuginfod_client", xdg);
	return home ? xasprintf("%s/.cache/debuginfod_client", home) : NULL;
}

/* The library opens what lies there under names that are known beforehand. */
static bool may_write_cache(const struct debuginfod *d)
{
	_cleanup_(mem_freep) char *path = library_cache();
	struct err why = ERR_INIT;
	_cleanup_(mem_closep) int folder = path ? folder_trusted(path, false, &why) : -1;

	if (!path || folder >= 0 || why.code != EPERM)
		return true;
	tell(d, &(struct dso_fetched){ .state = DSO_FETCH_NO_CACHE, .name = path });
	return false;
}

/* Under lock. The library stays loaded: it must not go while a thread of its own runs. */
static bool load_library(struct debuginfod *d)
{
	void *handle;

	if (d->loaded)
		return !d->stopped;
	d->loaded = true;
	if (!may_write_cache(d)) {
		d->stopped = true;
		return false;
	}
	handle = open_library();
	for (size_t i = 0; handle && i < ARRAY_SIZE(entries); i++) {
		void *fn = dlsym(handle, entries[i].name);

		if (!fn)
			handle = NULL;
		else
			memcpy((char *)&d->lib + entries[i].offset, &fn, sizeof(fn));
	}
	if (!handle) {
		d->stopped = true;
		tell(d, &(struct dso_fetched){ .state = DSO_FETCH_NO_LIBRARY });
	}
	return handle != NULL;
}

/* The library calls back in the thread that asks. */
static _Thread_local struct {
	const struct debuginfod *d;
	const char *name;
	bool too_large;
} asking;

static int show_progress(client *c UNUSED, long done, long total)
{
	const struct debuginfod *d = asking.d;

	/* what a server sends without end does not fill the disk */
	asking.too_large = MAX(done, total) >= (long)LIMIT_OBJECT;
	if (asking.too_large)
		return 1;
	if (!d || !d->what.progress)
		return 0;
	return !d->what.progress(d->what.ctx, asking.name, done < 0 ? 0 : (u64)done,
				 total < 0 ? 0 : (u64)total);
}

/* 0 and the path, or a negative errno. Without the lock. */
static int ask(struct debuginfod *d, const struct question *q, const char *name, char **path)
{
	client *c = d->lib.begin();
	int fd;

	*path = NULL;
	if (!c)
		return -ENOMEM;
	asking.d = d;
	asking.name = name;
	asking.too_large = false;
	d->lib.set_progress(c, show_progress);
	fd = d->lib.find[q->kind](c, q->id.bytes, q->id.size, path);
	d->lib.end(c);
	asking.d = NULL;
	if (fd < 0)
		return asking.too_large ? -EFBIG : fd;
	close(fd);
	return *path ? 0 : -ENOENT;
}

/* Under lock: what a failure means for the next questions. */
static void note_answer(struct debuginfod *d, int code, const char *name)
{
	struct dso_fetched f = { .name = name, .code = -code };

	if (code && code != -ENOENT) {
		f.state = DSO_FETCH_FAILED;
		/* Nobody wants to wait for the time-out again and again. */
		if (!d->stopped && (++d->failures == FAILURES_MAX || code == -ETIME)) {
			d->stopped = true;
			f.state = DSO_FETCH_GIVEN_UP;
		}
	} else {
		d->failures = 0;
		f.state = code ? DSO_FETCH_ABSENT : DSO_FETCH_DONE;
	}
	tell(d, &f);
}

/* Under lock; NULL: nobody has asked yet. */
static struct question *find_question(struct debuginfod *d, const struct build_id *id,
				      enum debuginfod_kind kind, u64 hash)
{
	u32 i;

	for (struct map_probe p = map_first(&d->by_id, hash); map_next(&d->by_id, &p, &i);) {
		struct question *q = d->questions.v[i];

		if (q->kind == kind && build_id_equal(&q->id, id))
			return q;
	}
	return NULL;
}

static struct question *new_question(struct debuginfod *d, const struct build_id *id,
				     enum debuginfod_kind kind, u64 hash)
{
	struct question *q = XNEW(struct question);

	q->id = build_id_unpadded(id); /* as servers know it */
	q->kind = kind;
	map_add(&d->by_id, hash, (u32)d->questions.nr);
	*VEC_PUSH(&d->questions) = q;
	return q;
}

bool debuginfod_find(struct debuginfod *d, const struct build_id *id, enum debuginfod_kind kind,
		     const char *name, struct strbuf *path)
{
	u64 hash = hash_bytes(id->bytes, id->size, kind);
	struct question *q;
	char *found;
	int code;

	if (!d || !id->size)
		return false;
	pthread_mutex_lock(&d->lock);
	q = find_question(d, id, kind, hash);
	if (!q) {
		q = new_question(d, id, kind, hash);
		if (load_library(d)) {
			pthread_mutex_unlock(&d->lock);
			code = ask(d, q, name, &found);
			pthread_mutex_lock(&d->lock);
			q->path = found;
			note_answer(d, code, name);
		}
		q->answered = true;
		pthread_cond_broadcast(&d->answered);
	}
	while (!q->answered)
		pthread_cond_wait(&d->answered, &d->lock);
	if (q->path) {
		strbuf_reset(path);
		strbuf_adds(path, q->path);
	}
	pthread_mutex_unlock(&d->lock);
	return q->path != NULL;
}
