/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "edit/embed.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "perfdata/writer.h"
#include "session/collect.h"

int embed_parse(const char *word, enum embed_what *what, struct err *e)
{
	*what = word ? EMBED_LINES : EMBED_NAMES;
	if (!word || !strcmp(word, "lines"))
		return 0;
	return err_set(e, EINVAL, "'%s' is nothing that --embed-symbols knows: only 'lines'", word);
}

bool embed_has_jit(void)
{
	DIR *dir = opendir("/tmp");
	bool found = false;
	struct dirent *d;

	while (dir && !found && (d = readdir(dir))) {
		unsigned int pid;
		int end = 0;

		found = sscanf(d->d_name, "perf-%u.map%n", &pid, &end) == 1 && end &&
			!d->d_name[end];
	}
	if (dir)
		closedir(dir);
	return found;
}

/* events: is told those of the recording, if it is not NULL. */
static int collect(const struct session_opts *opts, enum embed_what what, struct strbuf *body,
		   struct perfdata_writer *events, struct err *e)
{
	struct session_opts so = *opts;
	struct embedded names = { .arena = { 0 } };
	enum collect_what collected = what == EMBED_JIT     ? COLLECT_JIT
				      : what == EMBED_LINES ? COLLECT_LINES
							    : COLLECT_NAMES;
	struct session *s;
	int r;

	session_collect_opts(&so, collected);
	if (session_open(&s, &so, e))
		return -1;
	r = session_collect(s, collected, &names, e);
	if (!r && names.objects.nr)
		embedded_write(&names, body);
	for (size_t i = 0; events && i < perfdata_nr_events(session_file(s)); i++) {
		const struct perfdata_event *ev = perfdata_event(session_file(s), i);

		writer_add_event(events, &ev->attr, ev->name, ev->ids, ev->nr_ids);
	}
	embedded_release(&names);
	session_close(s);
	return r;
}

int embed_collect(const struct session_opts *opts, enum embed_what what, struct strbuf *body,
		  struct err *e)
{
	return collect(opts, what, body, NULL, e);
}

int embed_into(const char *path, const struct embed_opts *o, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf body = STRBUF_INIT;
	_cleanup_(mem_freep) char *inner = NULL;
	struct session_opts so = { .input = { .path = path, .force = true },
				   .dso = { .buildid_dir = o->buildid_dir },
				   .workers = o->workers };
	struct stat st;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		inner = xasprintf("%s/data", path);
	if (embed_collect(&so, o->what, &body, e))
		return -1;
	return body.len ? perfdata_add_feature(inner ? inner : path, FEAT_SYMBOLS, body.buf,
					       body.len, e)
			: 0;
}

int embed_behind(const char *path, int fd, const struct embed_opts *o, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf body = STRBUF_INIT;
	struct session_opts so = { .input = { .path = path, .force = true },
				   .dso = { .buildid_dir = o->buildid_dir },
				   .workers = o->workers };
	struct perfdata_writer_opts opts = { .fd = fd, .bare = true };
	struct perfdata_writer *w;
	int r;

	if (perfdata_writer_open(&w, &opts, e))
		return -1;
	r = collect(&so, o->what, &body, w, e);
	if (!r)
		r = writer_begin(w, e);
	if (!r && body.len)
		r = writer_feature(w, FEAT_SYMBOLS, body.buf, body.len, e);
	return writer_finish(w, r ? NULL : e) ? -1 : r;
}
