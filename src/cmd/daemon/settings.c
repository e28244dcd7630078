/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/daemon/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "cli/config.h"
#include "program/build_config.h"

static const char base_key[] = "daemon.base", session_key[] = "session-", run_key[] = ".run";
static const char name_chars[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

static bool add_file(struct daemon_files *f, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;

	if (real)
		f->path[f->nr++] = real;
	return real != NULL;
}

int daemon_files_find(struct daemon_files *f, const char *named, struct err *e)
{
	_cleanup_(mem_freep) char *user = config_path(CONFIG_DEFAULT, PERF_SYSTEM_CONFIG);

	*f = (struct daemon_files){ .nr = 0 };
	if (named) {
		if (!add_file(f, named))
			return err_set(e, errno, "config not found: cannot open '%s': %s", named,
				       strerror(errno));
		return 0;
	}
	if (!getenv("PERF_CONFIG"))
		add_file(f, PERF_SYSTEM_CONFIG);
	f->check_owner = add_file(f, user) && !getenv("PERF_CONFIG");
	if (f->nr)
		return 0;
	err_set(e, ENOENT, "config not found");
	err_hint(
		e,
		"sessions stand in ~/.perfconfig or in the file of --config; see 'perf help daemon'");
	return -1;
}

void daemon_files_release(struct daemon_files *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free(f->path[i]);
	f->nr = 0;
}

/* The name is a part of a folder's, and of messages. */
static int add_session(struct daemon_settings *s, const char *key, const char *run, struct err *e)
{
	const char *name = key + strlen(session_key);
	size_t len = strlen(name), tail = strlen(run_key);
	_cleanup_(strbuf_releasep) struct strbuf shown = STRBUF_INIT;

	strbuf_add_escaped(&shown, key);
	if (len < tail || strcmp(name + len - tail, run_key) != 0) {
		log_warn("'%s' means nothing: a session has the key run alone", shown.buf);
		return 0;
	}
	len -= tail;
	if (!len || len >= DAEMON_NAME_SIZE || strspn(name, name_chars) < len)
		return err_set(e, EINVAL,
			       "'%s' is no name of a session: it takes 1 to %d letters, "
			       "digits, '-', '_' and '.'",
			       shown.buf, DAEMON_NAME_SIZE - 1);
	if (s->sessions.nr >= DAEMON_MAX_SESSIONS)
		return err_set(e, E2BIG, "more than %d sessions", DAEMON_MAX_SESSIONS);
	*VEC_PUSH(&s->sessions) = (struct session_setting){ .name = xstrndup(name, len),
							    .run = xstrdup(run) };
	return 0;
}

static int take_settings(struct daemon_settings *s, const struct config *c, struct err *e)
{
	const char *base = config_get(c, base_key);
	int r = 0;

	if (base)
		s->base = xstrdup(base);
	for (size_t i = 0; i < c->nr; i++) {
		const struct config_setting *set = &c->settings[i];

		if (!strncmp(set->key, session_key, strlen(session_key)) &&
		    add_session(s, set->key, set->value, r ? NULL : e))
			r = -1;
	}
	return r;
}

int daemon_settings_read(struct daemon_settings *s, const struct daemon_files *f, struct err *e)
{
	struct config c = { .nr = 0 };
	int r = 0;

	*s = (struct daemon_settings){ .base = NULL };
	for (size_t i = 0; i < f->nr && !r; i++)
		r = config_read(&c, f->path[i], f->check_owner && i + 1 == f->nr, e);
	if (take_settings(s, &c, r ? NULL : e))
		r = -1;
	config_release(&c);
	return r;
}

void daemon_settings_release(struct daemon_settings *s)
{
	VEC_FOR(&s->sessions, it) {
		free(it->name);
		free(it->run);
	}
	vec_free(&s->sessions);
	free(s->base);
	*s = (struct daemon_settings){ .base = NULL };
}
