/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selection/program_events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "bpf/object.h"
#include "probe/in_place.h"
#include "selection/program_settings.h"
#include "selection/program_source.h"

/* ------------------------------------------------------------------ sections */

/* What a section of perf's own says. */
struct probe_section {
	char *exec, *module;
	const char *point, *args; /* "" = none; in the section's text */
};

static void section_release(struct probe_section *s)
{
	free(s->exec);
	free(s->module);
}

static const char *behind(const char *section, const char *word)
{
	size_t n = strlen(word);

	return strncmp(section, word, n) ? NULL : section + n;
}

/* OPTION "=" VALUE, n bytes of it in front of a ';'. */
static int read_option(const char *s, size_t n, struct probe_section *out, struct err *e)
{
	_cleanup_(mem_freep) char *text = xstrndup(s, n);
	const char *value;

	if ((value = behind(text, "exec=")) && *value && !out->exec)
		out->exec = xstrdup(value);
	else if ((value = behind(text, "module=")) && *value && !out->module)
		out->module = xstrdup(value);
	else if (strcmp(text, "inlines=yes") && strcmp(text, "force=yes") &&
		 strcmp(text, "force=no"))
		return err_set(e, EINVAL, "'%s' is no option of a program's section", text);
	return 0;
}

static int read_probe(const char *section, struct probe_section *out, struct err *e)
{
	const char *s = section;
	size_t n;

	for (; s[n = strcspn(s, ";\n")]; s += n + 1)
		if (n && read_option(s, n, out, e))
			return -1;
	out->point = s;
	out->args = s + strcspn(s, " ");
	out->args += strspn(out->args, " ");
	if (out->exec && out->module)
		return err_set(e, EINVAL, "a point is in a program or in a module of the kernel");
	return *s && *s != ' ' ? 0 : err_set(e, EINVAL, "it names no function");
}

/* "uprobe:PATH:NAME=FUNCTION(ARG,...)", and the like. */
static int probe_event(const char *section, struct strbuf *out, bool *has_args, struct err *e)
{
	static const char back[] = "%return";
	_cleanup_(section_release) struct probe_section s = { NULL };
	size_t n;
	bool is_return;

	if (read_probe(section, &s, e))
		return -1;
	n = strcspn(s.point, " ");
	is_return = n > strlen(back) && behind(s.point + n - strlen(back), back);
	if (is_return)
		n -= strlen(back);
	strbuf_addf(out, "%s%sprobe:", s.exec ? "u" : "k", is_return ? "ret" : "");
	if (s.exec)
		strbuf_addf(out, "\"%s\":", s.exec);
	else if (s.module)
		strbuf_addf(out, "%s:", s.module);
	strbuf_addf(out, "%.*s", (int)n, s.point);
	*has_args = *s.args != '\0';
	strbuf_adds(out, *has_args ? "(" : "");
	for (const char *a = s.args; *a;) {
		n = strcspn(a, " ");
		strbuf_addf(out, "%.*s", (int)n, a);
		a += n + strspn(a + n, " ");
		strbuf_addch(out, *a ? ',' : ')');
	}
	return 0;
}

/* What -e would call the place of a section, "" = it has none. */
static int section_event(const char *s, struct strbuf *out, bool *has_args, struct err *e)
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
	size_t n = strcspn(s, " ;");

	*has_args = false;
	if (!rest)
		rest = behind(s, "tp/");
	if (rest && strchr(rest, '/')) {
		n = strcspn(rest, "/");
		strbuf_addf(out, "%.*s:%s", (int)n, rest, rest + n + 1);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		rest = behind(s, rows[i].begin);
		if (rest && *rest) {
			strbuf_addf(out, "%s%s", rows[i].event, rest);
			return 0;
		}
	}
	if (memchr(s, '=', n))
		return probe_event(s, out, has_args, e);
	if (!memchr(s, '/', n) && memchr(s, ':', n))
		strbuf_adds(out, s);
	return 0;
}

/* ------------------------------------------------------------------ events */

/* The events of a program: so many from the first one on. */
struct program_part {
	size_t first, nr;
};

/* Instructions that hand the program what its events fetch. */
static int put_arguments(struct bpf_file *f, size_t i, const struct event_list *l,
			 const struct program_part *part, struct err *e)
{
	const struct event_probe *p = l->events.v[part->first]->probe;
	struct probe_event fetches;
	struct bpf_insns code = { 0 };
	int r;

	if (part->nr != 1 || !p)
		return err_set(e, ENOTSUP,
			       "it names %zu places, each with values of its own, for one program",
			       part->nr);
	r = probe_in_place_fetches(p, &fetches, e);
	if (!r)
		r = bpf_arguments_code(fetches.args.v, fetches.args.nr, p->is_user, &code, e);
	if (!r)
		bpf_file_put_before(f, i, &code);
	vec_free(&code);
	probe_event_release(&fetches);
	return r;
}

/* The places of a program, as events that have no program yet. */
static int add_events(const struct event_env *env, struct bpf_file *f, size_t i,
		      struct event_list *l, struct program_part *part, struct err *e)
{
	struct bpf_file_program program = bpf_file_program(f, i);
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct event_error ee = { 0 };
	bool has_args;
	int r = section_event(program.section, &text, &has_args, e);

	part->first = l->events.nr;
	if (!r && !text.len)
		event_list_add(l, program.name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	else if (!r && event_parse(l, text.buf, env, &ee)) {
		const char *hint = behind(ee.help, "Hint:\t");

		r = err_set(e, EINVAL, "%s", ee.text);
		if (hint)
			err_hint(e, "%.*s", (int)strcspn(hint, "\n"), hint);
	}
	part->nr = l->events.nr - part->first;
	if (!r && has_args)
		r = put_arguments(f, i, l, part, e);
	if (r)
		err_prefix(e, "the section '%s'", program.section);
	return r;
}

/* The program of a file that is loaded, for its events; they keep it when the file is closed. */
static int give_program(struct bpf_file *f, size_t i, const struct event_list *l,
			const struct program_part *part, struct err *e)
{
	for (size_t at = part->first; at < part->first + part->nr; at++) {
		struct event *ev = l->events.v[at];
		struct event_program *p = ev->program = XNEW(struct event_program);

		p->fd = p->link = -1;
		if (ev->kind != EVENT_TRACEPOINT) {
			p->link = bpf_file_attach_link(f, i, e);
			return p->link < 0 ? -1 : 0;
		}
		p->fd = fcntl(bpf_file_program(f, i).fd, F_DUPFD_CLOEXEC, 0);
		if (p->fd < 0)
			return err_sys(e, errno, "cannot keep a BPF program");
	}
	return 0;
}

int program_events_load(const struct event_env *env, const char *path, const char *settings,
			struct event_list *out, struct err *e)
{
	size_t n = strlen(path), first = out->events.nr, nr;
	struct bpf_file *f = path[n - 1] == 'c' ? program_source_open(path, &env->compiler, e)
						: bpf_file_open(path, path, e);
	VEC(struct program_part) parts = { 0 };
	int r = f ? 0 : -1;

	nr = f ? bpf_file_nr_programs(f) : 0;
	for (size_t i = 0; !r && i < nr; i++)
		r = add_events(env, f, i, out, VEC_PUSH(&parts), e);
	if (!r)
		r = bpf_file_load(f, e);
	for (size_t i = 0; !r && i < nr; i++)
		r = give_program(f, i, out, &parts.v[i], e);
	if (!r && out->events.nr > first)
		r = program_settings_apply(f, settings, out->events.v[first]->program, e);
	vec_free(&parts);
	bpf_file_free(f);
	return r;
}
