/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selection/program_events.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/run.h"
#include "bpf/object.h"

/* ------------------------------------------------------------------ sources */

/* To a new file of that name. */
static int compile(const char *source, const char *object, struct err *e)
{
	enum { MAX_TEXT = 64 << 10, NOT_FOUND = 127 };
	static const char script[] =
		"command -v clang >/dev/null || exit 127\n"
		"exec clang -O2 -g -target bpf -Wno-unused-value -Wno-pointer-sign "
		"-idirafter \"/usr/include/$(uname -m)-linux-gnu\" -c \"$1\" -o \"$2\"";
	const char *argv[] = { "/bin/sh", "-c", script, "sh", source, object, NULL };
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const struct run_opts o = { .max = MAX_TEXT, .with_errors = true };
	int r = run_for_output(argv, &o, &text);

	if (!r)
		return 0;
	if (r == NOT_FOUND) {
		err_set(e, ENOENT, "cannot compile '%s': there is no clang", source);
		err_hint(e, "install clang, or compile it elsewhere and name the object file");
		return -1;
	}
	return err_set(e, EINVAL, "clang does not compile '%s'%s%s", source, text.len ? ":\n" : "",
		       text.len ? text.buf : "");
}

static struct bpf_file *load_source(const char *path, struct err *e)
{
	char object[] = "/tmp/perf-bpf-XXXXXX";
	int fd = access(path, R_OK) ? -1 : mkostemp(object, O_CLOEXEC);
	struct bpf_file *f = NULL;

	if (fd < 0) {
		err_sys(e, errno, "cannot compile '%s'", path);
		return NULL;
	}
	close(fd);
	if (!compile(path, object, e))
		f = bpf_file_load(object, e);
	if (!f && e && e->code != ENOENT && strstr(e->text, object))
		err_prefix(e, "'%s' is compiled, but", path);
	unlink(object);
	return f;
}

/* A descriptor that stays when the file's are closed; -1 and *e. */
static int keep(int fd, struct err *e)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	return copy < 0 ? err_sys(e, errno, "cannot keep a BPF program") : copy;
}

/* ------------------------------------------------------------------ settings */

static int add_map(const struct bpf_file *f, const char *text, struct event_program *p,
		   struct err *e)
{
	static const char begin[] = "map:", option[] = ".event=";
	const char *name = text + strlen(begin);
	const char *dot = strstr(text, option);
	_cleanup_(mem_freep) char *map = NULL;
	struct bpf_file_map found;
	int fd;

	if (strncmp(text, begin, strlen(begin)) != 0 || !dot || dot <= name ||
	    !dot[strlen(option)]) {
		err_set(e, EINVAL, "'%s' is no setting of BPF programs", text);
		err_hint(e, "map:NAME.event=EVENT gives an event to a map");
		return -1;
	}
	map = xstrndup(name, (size_t)(dot - name));
	if (!bpf_file_find_map(f, map, &found))
		return err_set(e, ENOENT, "the BPF programs have no map '%s'", map);
	if (found.type != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
		return err_set(e, EINVAL, "the map '%s' is no perf event array", map);
	fd = keep(found.fd, e);
	if (fd < 0)
		return -1;
	*VEC_PUSH(&p->maps) = (struct event_program_map){ fd, xstrdup(dot + strlen(option)) };
	return 0;
}

static int add_maps(const struct bpf_file *f, const char *settings, struct event_program *p,
		    struct err *e)
{
	while (*settings) {
		size_t n = strcspn(settings, ",");
		_cleanup_(mem_freep) char *one = xstrndup(settings, n);

		if (add_map(f, one, p, e))
			return -1;
		settings += n + (settings[n] == ',');
	}
	return 0;
}

/* ------------------------------------------------------------------ sections */

static const char *behind(const char *section, const char *word)
{
	size_t n = strlen(word);

	return strncmp(section, word, n) ? NULL : section + n;
}

/* What -e would call the place of a section; false: it has none. */
static bool section_event(const char *s, struct strbuf *out)
{
	static const struct {
		const char *begin, *event;
	} rows[] = {
		{ "kprobe/", "kprobe:" },
		{ "kretprobe/", "kretprobe:" },
		{ "uprobe/", "uprobe:" },
		{ "uretprobe/", "uretprobe:" },
	};
	const char *rest = behind(s, "tracepoint/");

	if (!rest)
		rest = behind(s, "tp/");
	if (rest && strchr(rest, '/')) {
		size_t n = strcspn(rest, "/");

		strbuf_addf(out, "%.*s:%s", (int)n, rest, rest + n + 1);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		rest = behind(s, rows[i].begin);
		if (rest && *rest) {
			strbuf_addf(out, "%s%s", rows[i].event, rest);
			return true;
		}
	}
	rest = behind(s, "exec=");
	if (rest && strchr(rest, ';')) {
		size_t n = strcspn(rest, ";");

		strbuf_addf(out, "uprobe:\"%.*s\":%s", (int)n, rest, rest + n + 1);
		return true;
	}
	if (strchr(s, '/') || (!strchr(s, ':') && !strchr(s, '=')))
		return false;
	strbuf_addf(out, "%s%s", strchr(s, '=') ? "kprobe:" : "", s);
	return true;
}

/* The events of a program, appended to l. */
static int add_events(const struct event_env *env, struct bpf_file *f, size_t i,
		      struct event_list *l, struct err *e)
{
	struct bpf_file_program program = bpf_file_program(f, i);
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct event_error ee = { 0 };
	size_t first = l->events.nr;
	int link;

	if (strchr(program.section, ' '))
		return err_set(e, ENOTSUP,
			       "the section '%s' asks for arguments, which programs do not get yet",
			       program.section);
	if (!section_event(program.section, &text)) {
		struct event *ev = event_list_add(l, program.name, PERF_TYPE_SOFTWARE,
						  PERF_COUNT_SW_DUMMY);

		ev->program = XNEW(struct event_program);
		ev->program->fd = -1;
		ev->program->link = link = bpf_file_attach_link(f, i, e);
		return link < 0 ? -1 : 0;
	}
	if (event_parse(l, text.buf, env, &ee)) {
		err_set(e, EINVAL, "the section '%s': %s", program.section, ee.text);
		if (ee.help[0])
			err_hint(e, "%.*s", (int)strcspn(ee.help, "\n"), ee.help);
		return -1;
	}
	for (size_t at = first; at < l->events.nr; at++) {
		struct event_program *p = XNEW(struct event_program);

		l->events.v[at]->program = p;
		p->link = -1;
		p->fd = keep(program.fd, e);
		if (p->fd < 0)
			return -1;
	}
	return 0;
}

int program_events_load(const struct event_env *env, const char *path, const char *settings,
			struct event_list *out, struct err *e)
{
	size_t n = strlen(path), first = out->events.nr;
	struct bpf_file *f = path[n - 1] == 'c' ? load_source(path, e) : bpf_file_load(path, e);
	int r = f ? 0 : -1;

	for (size_t i = 0; !r && i < bpf_file_nr_programs(f); i++)
		r = add_events(env, f, i, out, e);
	if (!r && out->events.nr > first)
		r = add_maps(f, settings, out->events.v[first]->program, e);
	bpf_file_free(f);
	return r;
}
