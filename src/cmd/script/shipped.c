/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/shipped.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/mem.h"
#include "base/similar.h"
#include "base/rw.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd/commands.h"

static const char record_suffix[] = "-record";
static const char report_suffix[] = "-report";

VEC_TYPE(words, const char *);

/* ------------------------------------------------------------------ the folder */

static char *path_of(const char *exec_path, const char *name, const char *suffix)
{
	return xasprintf("%s/scripts/python/bin/%s%s", exec_path, name, suffix);
}

/* The rest of the script's line "# KEY: ..."; "" when it has none. */
static void read_note(const char *path, const char *key, struct strbuf *out)
{
	FILE *f = fopen(path, "re");
	_cleanup_(mem_freep) char *line = NULL;
	size_t size = 0;
	ssize_t n;

	while (f && (n = getline(&line, &size, f)) > 0) {
		const char *p = line;

		if (*p != '#' || p[1] == '!')
			continue;
		p += 1 + strspn(p + 1, " \t");
		if (strncmp(p, key, strlen(key)) || p[strlen(key)] != ':')
			continue;
		p += strlen(key) + 1;
		p += strspn(p, " \t");
		strbuf_add(out, p, strcspn(p, "\r\n"));
		break;
	}
	if (f)
		fclose(f);
}

/* Prints a script and frees its name. */
static void print_script(const char *exec_path, char *name)
{
	_cleanup_(mem_freep) char *path = path_of(exec_path, name, report_suffix);
	_cleanup_(strbuf_releasep) struct strbuf args = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf about = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;

	read_note(path, "args", &args);
	read_note(path, "description", &about);
	strbuf_adds(&line, name);
	if (args.len) {
		strbuf_addch(&line, ' ');
		strbuf_add_escaped(&line, args.buf);
	}
	printf("  %-36s ", line.buf);
	strbuf_reset(&line);
	strbuf_add_escaped(&line, about.buf);
	puts(line.buf);
	free(name);
}

typedef VEC(char *) script_names;

static void collect_names(const char *folder, script_names *names)
{
	const size_t suffix = strlen(report_suffix);
	DIR *d = opendir(folder);

	for (struct dirent *e; d && (e = readdir(d));) {
		size_t len = strlen(e->d_name);

		if (len > suffix && !strcmp(e->d_name + len - suffix, report_suffix))
			*VEC_PUSH(names) = xstrndup(e->d_name, len - suffix);
	}
	if (d)
		closedir(d);
}

static void suggest_script(const char *folder, const char *typed, struct err *e)
{
	script_names names = { 0 };
	struct similar near;

	similar_init(&near, typed);
	collect_names(folder, &names);
	VEC_FOR(&names, name) {
		similar_offer(&near, *name);
		free(*name);
	}
	vec_free(&names);
	similar_hint(&near, e);
}

void shipped_list(const char *exec_path)
{
	_cleanup_(mem_freep) char *folder = xasprintf("%s/scripts/python/bin", exec_path);
	script_names names = { 0 };

	collect_names(folder, &names);
	if (!names.nr) {
		fprintf(stderr, "no scripts in '%s'\n", folder);
		return;
	}
	qsort(names.v, names.nr, sizeof(*names.v), by_string);
	printf("List of available trace scripts:\n");
	VEC_FOR(&names, name)
		print_script(exec_path, *name);
	vec_free(&names);
}

/* ------------------------------------------------------------------ running */

/* Scripts call "perf": it shall be this one. */
static void prepare_environment(const char *exec_path)
{
	const char *path = getenv("PATH");
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	setenv("PERF_EXEC_PATH", exec_path, 1);
	self[n > 0 ? n : 0] = '\0';
	char *slash = strrchr(self, '/');

	if (!slash)
		return;
	*slash = '\0';
	_cleanup_(mem_freep) char *longer = xasprintf("%s%s%s", self, path && *path ? ":" : "",
						      path ? path : "");

	setenv("PATH", longer, 1);
}

/* The option that a word names, with its value in the next word. */
static bool value_follows(const char *word)
{
	const char *end = strchr(word, '=');

	if (!strncmp(word, "--", 2)) {
		for (const struct opt *o = cmd_record.opts; !end && o->type != OPT_TYPE_END; o++)
			if (*o->long_name && !strcmp(o->long_name, word + 2))
				return opt_takes_word(o);
		return false;
	}
	for (const char *p = word + 1; *p; p++) {
		const struct opt *o = opts_find_short(cmd_record.opts, *p);

		if (o && opt_takes_word(o))
			return !p[1];
	}
	return false;
}

/* Whether there is a command behind the options of perf record. */
static bool has_command(int argc, const char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "--"))
			return i + 1 < argc;
		if (argv[i][0] != '-' || !argv[i][1])
			return true;
		if (value_follows(argv[i]))
			i++;
	}
	return false;
}

/* Arguments that must be given: "<comm>" in the script's line of arguments. */
static int required_args(const char *report)
{
	_cleanup_(strbuf_releasep) struct strbuf args = STRBUF_INIT;
	int nr = 0;

	read_note(report, "args", &args);
	for (const char *p = args.buf; (p = strchr(p, '<')); p++)
		nr++;
	return nr;
}

static void exec_shell(struct words *w, struct err *e)
{
	*VEC_PUSH(w) = NULL;
	fflush(stdout);
	execv("/bin/sh", (char *const *)(uintptr_t)w->v);
	err_sys(e, errno, "cannot run /bin/sh");
}

static void add_words(struct words *w, int argc, const char **argv)
{
	for (int i = 0; i < argc; i++)
		*VEC_PUSH(w) = argv[i];
}

/* Both scripts at once, the second reads what the first writes. */
static int run_live(struct words *record, struct words *report, struct err *e)
{
	int fds[2];
	int status = 0;

	if (pipe(fds) < 0)
		return err_sys(e, errno, "cannot make a pipe");
	fflush(stdout);
	pid_t recorder = fork();

	if (recorder == 0) {
		dup2(fds[1], STDOUT_FILENO);
		close(fds[0]);
		close(fds[1]);
		exec_shell(record, e);
		_exit(127);
	}
	pid_t reporter = recorder > 0 ? fork() : -1;

	if (reporter == 0) {
		dup2(fds[0], STDIN_FILENO);
		close(fds[0]);
		close(fds[1]);
		exec_shell(report, e);
		_exit(127);
	}
	close(fds[0]);
	close(fds[1]);
	if (recorder < 0 || reporter < 0)
		err_sys(e, errno, "cannot start a process");
	while (reporter > 0 && waitpid(reporter, &status, 0) < 0 && errno == EINTR)
		;
	while (recorder > 0 && waitpid(recorder, NULL, 0) < 0 && errno == EINTR)
		;
	if (recorder < 0 || reporter < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct shipped {
	const char *name;
	char *record, *report;
	bool all_cpus;
};

static int live(const struct shipped *s, int argc, const char **argv, struct err *e)
{
	static const char *const record_options[] = { "-q", "-o", "-" };
	static const char *const report_options[] = { "-i", "-" };
	size_t len = strlen(s->name);
	bool top = len >= 3 && !strcmp(s->name + len - 3, "top");
	int nr_args = top ? argc : required_args(s->report);
	struct words record = { 0 };
	struct words report = { 0 };

	if (nr_args > argc) {
		err_set(e, EINVAL, "'%s' needs arguments", s->name);
		err_hint(e, "perf script -l shows them");
		return -1;
	}
	*VEC_PUSH(&record) = "/bin/sh";
	*VEC_PUSH(&record) = s->record;
	if (s->all_cpus || !has_command(argc - nr_args, argv + nr_args))
		*VEC_PUSH(&record) = "-a";
	add_words(&record, ARRAY_SIZE(record_options), (const char **)(uintptr_t)record_options);
	add_words(&record, argc - nr_args, argv + nr_args);
	*VEC_PUSH(&report) = "/bin/sh";
	*VEC_PUSH(&report) = s->report;
	add_words(&report, nr_args, argv);
	add_words(&report, ARRAY_SIZE(report_options), (const char **)(uintptr_t)report_options);
	int ret = run_live(&record, &report, e);

	vec_free(&record);
	vec_free(&report);
	return ret;
}

static int run_one(const struct shipped *s, bool record, int argc, const char **argv, struct err *e)
{
	struct words w = { 0 };

	*VEC_PUSH(&w) = "/bin/sh";
	*VEC_PUSH(&w) = record ? s->record : s->report;
	if (record && (s->all_cpus || !has_command(argc, argv)))
		*VEC_PUSH(&w) = "-a";
	add_words(&w, argc, argv);
	exec_shell(&w, e);
	vec_free(&w);
	return -1;
}

static int find(struct shipped *s, const char *exec_path, const char *name, struct err *e)
{
	s->name = name;
	s->record = path_of(exec_path, name, record_suffix);
	s->report = path_of(exec_path, name, report_suffix);
	if (!strchr(name, '/') && access(s->record, R_OK) == 0 && access(s->report, R_OK) == 0)
		return 0;
	err_set(e, ENOENT, "couldn't find script '%s' in '%s/scripts'", name, exec_path);
	err_hint(e, "perf script -l lists them; perf script -s FILE runs a script of your own");
	_cleanup_(mem_freep) char *folder = xasprintf("%s/scripts/python/bin", exec_path);
	suggest_script(folder, name, e);
	return -1;
}

int shipped_run(const char *exec_path, bool all_cpus, int argc, const char **argv, struct err *e)
{
	bool record = !strcmp(argv[0], "record") || !strcmp(argv[0], "rec");
	bool report = !strcmp(argv[0], "report") || !strcmp(argv[0], "rep");
	struct shipped s = { .all_cpus = all_cpus };

	if (record || report) {
		argc--;
		argv++;
	}
	if (!argc) {
		err_set(e, EINVAL, "which script?");
		err_hint(e, "perf script -l lists them");
		return -1;
	}
	int ret = find(&s, exec_path, argv[0], e);

	if (ret == 0) {
		prepare_environment(exec_path);
		ret = record || report ? run_one(&s, record, argc - 1, argv + 1, e)
				       : live(&s, argc - 1, argv + 1, e);
	}
	free(s.record);
	free(s.report);
	return ret;
}
