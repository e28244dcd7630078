/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/scripts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/run.h"

enum {
	LIST_MAX = 1 << 16,
	PAGE_MAX = 8 << 20, /* of what is printed, more is cut off */
	WORDS_MAX = 64,
};

#define OWN_PROGRAM "/proc/self/exe"

/* The samples themselves, as `perf script` shows them. */
static const struct {
	const char *text;
	const char *fields; /* NULL = the usual ones */
} listings[] = {
	{ "Individual samples", NULL },
	{ "Individual samples with the bytes of their instructions", "+insn" },
	{ "Individual samples with their source lines", "+srcline,+srccode" },
};

void scripts_release(struct scripts *s)
{
	VEC_FOR(&s->names, name)
		free(*name);
	vec_free(&s->names);
	free(s->path);
	free(s->time);
	*s = (struct scripts){ .path = NULL };
}

/* ---- running ---- */

struct script_run {
	VEC(char *) words; /* NULL behind the last */
	struct strbuf output;
	int status, error;
};

static void add_word(struct script_run *r, const char *word)
{
	*VEC_PUSH(&r->words) = xstrdup(word);
}

static void run_it(void *ctx, const bool *unwanted)
{
	struct script_run *r = ctx;
	struct run_opts o = {
		.max = PAGE_MAX, .with_errors = true, .ends_at_max = true, .unwanted = unwanted
	};

	r->status = run_for_output((const char *const *)r->words.v, &o, &r->output);
	r->error = errno;
}

static void add_end(struct script_run *r)
{
	if (r->status < 0 && r->error == EFBIG)
		strbuf_addf(&r->output, "\n(the first %d MB: it prints more)\n", PAGE_MAX >> 20);
	else if (r->status < 0)
		strbuf_addf(&r->output, "cannot be run: %s\n", strerror(r->error));
	else if (r->status)
		strbuf_addf(&r->output, "\n(exit status %d)\n", r->status);
	if (!r->output.len)
		strbuf_adds(&r->output, "(nothing is printed)\n");
}

static void show_output(struct tui *t, void *ctx, bool wanted)
{
	struct script_run *r = ctx;
	_cleanup_(strbuf_releasep) struct strbuf title = STRBUF_INIT;

	if (wanted) {
		add_end(r);
		strbuf_adds(&title, "perf");
		for (size_t i = 1; r->words.v[i]; i++)
			strbuf_addf(&title, " %s", r->words.v[i]);
		tui_page(t, title.buf, r->output.buf);
	}
	VEC_FOR(&r->words, word)
		free(*word);
	vec_free(&r->words);
	strbuf_release(&r->output);
	free(r);
}

/* perf script finds names and code where the screen does. */
static void add_files(struct script_run *r, const struct dso_config *c)
{
	const struct {
		const char *option, *file;
	} files[] = {
		{ "--symfs", c->symfs },
		{ "--vmlinux", c->vmlinux },
		{ "--kallsyms", c->kallsyms },
		{ "--guestmount", c->guest.mount },
		{ "--guestvmlinux", c->guest.vmlinux },
		{ "--guestkallsyms", c->guest.kallsyms },
		{ "--guestmodules", c->guest.modules },
	};
	const struct {
		const char *option;
		bool chosen;
	} choices[] = {
		{ "--ignore-vmlinux", c->ignore_vmlinux },
		{ "--modules", c->load_modules },
		{ "--demangle-kernel", c->demangle_kernel },
		{ "--guest-code", c->guest.code },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i].file) {
			add_word(r, files[i].option);
			add_word(r, files[i].file);
		}
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++)
		if (choices[i].chosen)
			add_word(r, choices[i].option);
}

/* perf script of the recording; the words are added by the caller, who then runs it. */
static struct script_run *new_run(const struct scripts *s)
{
	struct script_run *r = XNEW(struct script_run);

	r->output = (struct strbuf)STRBUF_INIT;
	add_word(r, OWN_PROGRAM);
	add_word(r, "script");
	add_word(r, "-f");
	add_word(r, "-i");
	add_word(r, s->path);
	if (s->time) {
		add_word(r, "--time");
		add_word(r, s->time);
	}
	add_files(r, s->files);
	return r;
}

static void start_run(struct tui *t, struct script_run *r)
{
	struct tui_work work = {
		.what = "running perf script", .run = run_it, .done = show_output, .ctx = r
	};

	*VEC_PUSH(&r->words) = NULL;
	tui_work(t, &work);
}

/* ---- the menu ---- */

static void arguments_are(struct tui *t, void *ctx, const char *answer)
{
	struct scripts *s = ctx;
	_cleanup_(mem_freep) char *copy = answer ? xstrdup(answer) : NULL;
	struct script_run *r;
	char *rest;

	if (!copy)
		return;
	r = new_run(s);
	for (char *word = strtok_r(copy, " ", &rest); word && r->words.nr < WORDS_MAX;
	     word = strtok_r(NULL, " ", &rest))
		add_word(r, word);
	start_run(t, r);
}

static void arguments_chosen(struct tui *t, void *ctx, size_t number UNUSED)
{
	struct tui_question q = { .text = "perf script ", .done = arguments_are, .ctx = ctx };

	tui_ask(t, &q);
}

static void listing_chosen(struct tui *t, void *ctx, size_t number)
{
	struct scripts *s = ctx;
	struct script_run *r = new_run(s);

	if (listings[number].fields) {
		add_word(r, "-F");
		add_word(r, listings[number].fields);
	}
	start_run(t, r);
}

static void script_chosen(struct tui *t, void *ctx, size_t number)
{
	struct scripts *s = ctx;
	struct script_run *r = new_run(s);

	add_word(r, "-s");
	*VEC_PUSH(&r->words) = xasprintf("%s.py", s->names.v[number]);
	start_run(t, r);
}

/* "  NAME [arguments]   what it does": of those that perf script --list tells of. */
static void find_names(struct scripts *s)
{
	static const char *const argv[] = { OWN_PROGRAM, "script", "--list", NULL };
	_cleanup_(strbuf_releasep) struct strbuf list = STRBUF_INIT;
	struct run_opts o = { .max = LIST_MAX };
	char *rest;

	if (run_for_output(argv, &o, &list) != 0)
		return;
	for (char *line = strtok_r(list.buf, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (line[0] == ' ') {
			line += strspn(line, " ");
			*VEC_PUSH(&s->names) = xstrndup(line, strcspn(line, " "));
		}
}

void scripts_open(struct tui *t, struct scripts *s, struct session *recording, const char *time)
{
	const char *path = perfdata_path(session_file(recording));
	struct menu_maker m = { .nr = 0 };

	if (!strcmp(path, "-")) {
		tui_complain(t, "that needs another reading, and standard input is read once");
		return;
	}
	scripts_release(s);
	s->path = xstrdup(path);
	s->time = time ? xstrdup(time) : NULL;
	s->files = dso_table_config(session_dsos(recording));
	find_names(s);
	for (size_t i = 0; i < ARRAY_SIZE(listings); i++)
		menu_add(&m, xstrdup(listings[i].text), listing_chosen, i);
	menu_add(&m, xstrdup("perf script with arguments of your own"), arguments_chosen, 0);
	for (size_t i = 0; i < s->names.nr; i++)
		menu_add(&m, xstrdup(s->names.v[i]), script_chosen, i);
	menu_show(t, "Scripts", &m, s);
}
