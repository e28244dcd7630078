/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf test: which checks run, each in a child, and the lines about them. */
#include "cmd/test/test.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/commands.h"

struct test_opts {
	const char *buildid_dir; /* NULL = ~/.debug */
	const char *debugfs_dir;
	const char *skip, *workload, *dso, *junit, *record_control;
	u64 runs;
	int verbose;
	bool no_fork, sequential, parallel, list_workloads;
	const char *objdump; /* as the next: of other perfs' tests, nothing depends on it */
	u64 snippet_lines;
};

static int parse_junit(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
		       struct err *e UNUSED)
{
	*(const char **)target = unset ? NULL : arg ? arg : "test.xml";
	return 0;
}

static const struct opt test_table[] = {
	OPT_STR('s', "skip", struct test_opts, skip, "tests", "tests to skip"),
	OPT_INCR('v', "verbose", struct test_opts, verbose,
		 "be more verbose (show symbol address, etc)"),
	OPT_BOOL('F', "dont-fork", struct test_opts, no_fork, "Do not fork for testcase"),
	OPT_U64('r', "runs-per-test", struct test_opts, runs, "n",
		"Run each test the given number of times, default 1"),
	OPT_BOOL('p', "parallel", struct test_opts, parallel, "Run the tests in parallel"),
	OPT_BOOL('S', "sequential", struct test_opts, sequential,
		 "Run the tests one after another (without -p they always do)"),
	OPT_STR(0, "dso", struct test_opts, dso, "dso", "dso to test"),
	OPT_CALL_F('j', "junit", struct test_opts, junit, "file",
		   "Generate junit XML output, default test.xml", parse_junit, OPT_OPTARG),
	OPT_U64(0, "failure-snippet-lines", struct test_opts, snippet_lines, "n",
		"accepted for scripts: a failure is one line here"),
	OPT_STR(0, "objdump", struct test_opts, objdump, "path",
		"accepted for scripts: no check needs a disassembler"),
	OPT_STR('w', "workload", struct test_opts, workload, "work", "workload to run for testing"),
	OPT_BOOL(0, "list-workloads", struct test_opts, list_workloads,
		 "list the available builtin workloads to use with -w/--workload"),
	OPT_STR(0, "record-ctl", struct test_opts, record_control, "fifo:ctl-fifo[,ack-fifo]",
		"Write enable to the fifo just before running the workload and disable after, with "
		"optional ack from ack-fifo"),
	OPT_END
};

static const char *const test_usage[] = {
	"perf test [<options>] [{list <test-name-fragment>|[<test-name-fragments>|<test-numbers>]}]",
	NULL
};

static const struct self_test *const tables[] = { checks_permissions, checks_counting,
						  checks_sampling,    checks_tracing,
						  checks_symbols,     checks_commands };

typedef VEC(const struct self_test *) test_list;

/* ---- one check ---- */

static u64 now_us(void)
{
	return clock_now() / 1000;
}

struct test_verdict {
	enum test_result result;
	u64 us;
	char reason[256];
};

static struct test_verdict run_here(const struct test_opts *o, const struct self_test *c)
{
	struct test t = { .verbose = o->verbose,
			  .dso = o->dso,
			  .buildid_dir = o->buildid_dir,
			  .debugfs_dir = o->debugfs_dir };
	struct test_verdict v;
	u64 start = now_us();

	sys_limits_read(&t.limits, NULL);
	t.with = c->with;
	v.result = c->run(&t);
	v.us = now_us() - start;
	memcpy(v.reason, t.reason, sizeof(v.reason));
	return v;
}

struct child {
	pid_t pid; /* -1 = there is none */
	int from, error;
};

static struct child child_start(const struct test_opts *o, const struct self_test *c)
{
	struct child child = { .pid = -1 };
	struct test_verdict v;
	int fds[2];

	fflush(NULL);
	if (pipe(fds)) {
		child.error = errno;
		return child;
	}
	child.from = fds[0];
	child.pid = fork();
	child.error = errno;
	if (!child.pid) {
		close(fds[0]);
		v = run_here(o, c);
		fflush(NULL);
		_exit(rw_write_full(fds[1], &v, sizeof(v)) ? 1 : 0);
	}
	close(fds[1]);
	if (child.pid < 0)
		close(fds[0]);
	else if (o->verbose > 0)
		fprintf(stderr, "test child forked, pid %d\n", child.pid);
	return child;
}

/* The child sends its verdict through a pipe; without one it has crashed. */
static struct test_verdict child_finish(const struct child *child)
{
	struct test_verdict v = { .result = TEST_FAIL };
	int status = 0;

	if (child->pid < 0) {
		snprintf(v.reason, sizeof(v.reason), "cannot fork: %s", strerror(child->error));
		return v;
	}
	if (rw_read_full(child->from, &v, sizeof(v)) != (ssize_t)sizeof(v))
		v = (struct test_verdict){ .result = TEST_FAIL };
	close(child->from);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFSIGNALED(status)) {
		v.result = TEST_FAIL;
		snprintf(v.reason, sizeof(v.reason), "crashed: %s", strsignal(WTERMSIG(status)));
	}
	v.reason[sizeof(v.reason) - 1] = '\0';
	return v;
}

static void print_verdict(const struct test_verdict *v)
{
	static const char *const words[] = { "Ok", "FAILED!", "Skip" };

	printf(" %s", words[-(int)v->result]);
	if (v->result != TEST_OK && *v->reason)
		printf(" (%s)", v->reason);
	printf("\n");
}

struct test_tally {
	unsigned int ok, skip, fail;
	test_results results; /* for --junit */
	struct queue *ahead; /* -p: NULL = one after another */
};

/* ---- -p: some checks run ahead of the one whose line is due ---- */

struct queue {
	VEC(const struct self_test *) checks;
	VEC(struct child) children;
	size_t next; /* the check whose line is due */
	size_t at_once;
	bool filling; /* checks are collected, nothing is printed */
};

static struct test_verdict queue_next(const struct test_opts *o, struct queue *q)
{
	while (q->children.nr < q->checks.nr && q->children.nr < q->next + q->at_once) {
		struct child child = child_start(o, q->checks.v[q->children.nr]);

		*VEC_PUSH(&q->children) = child;
	}
	return child_finish(&q->children.v[q->next++]);
}

static void note_result(struct test_tally *n, const char *title, const char *name,
			const struct test_verdict *v)
{
	*(v->result == TEST_OK ? &n->ok : v->result == TEST_SKIP ? &n->skip : &n->fail) += 1;
	*VEC_PUSH(&n->results) = (struct test_case){
		.title = title,
		.name = name,
		.result = v->result,
		.us = v->us,
		.reason = xstrdup(v->reason),
	};
}

/* sub: number of the subtest, 0 = the check has none. */
static void run_one(const struct test_opts *o, const struct self_test *c, const char *title,
		    unsigned int sub, struct test_tally *n)
{
	bool verbose = o->verbose > 0;
	struct child child;
	struct test_verdict v;

	if (n->ahead && n->ahead->filling) {
		*VEC_PUSH(&n->ahead->checks) = c;
		return;
	}
	if (verbose) {
		printf("\n");
		fflush(stdout);
		fprintf(stderr, "--- start ---\n");
	}
	fflush(stdout);
	if (o->no_fork) {
		v = run_here(o, c);
	} else if (n->ahead) {
		v = queue_next(o, n->ahead);
	} else {
		child = child_start(o, c);
		v = child_finish(&child);
	}
	if (verbose) {
		if (!o->no_fork)
			fprintf(stderr, "test child finished with %d\n", (int)v.result);
		fprintf(stderr, "---- end ----\n");
		if (sub)
			printf("%s subtest %u:", title, sub);
		else
			printf("%s:", title);
	}
	print_verdict(&v);
	fflush(stdout);
	note_result(n, title, c->name, &v);
}

/* ---- which checks ---- */

static void all_tests(test_list *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		for (const struct self_test *c = tables[i]; c->name; c++)
			*VEC_PUSH(out) = c;
	}
}

static bool contains(const char *text, const char *part)
{
	return strcasestr(text, part) != NULL;
}

/* "7" or "3-5". */
static bool parse_range(const char *word, unsigned long *from, unsigned long *to)
{
	char *end;

	if (!isdigit((unsigned char)*word))
		return false;
	*from = *to = strtoul(word, &end, 10);
	if (*end == '-' && isdigit((unsigned char)end[1]))
		*to = strtoul(end + 1, &end, 10);
	return !*end;
}

/* Does one word mean the number-th check (from 1)? */
static bool word_matches(const char *word, const struct self_test *c, unsigned long number)
{
	unsigned long from, to;

	if (parse_range(word, &from, &to))
		return number >= from && number <= to;
	if (contains(c->name, word))
		return true;
	for (const struct self_test *s = c->subs; s && s->name; s++) {
		if (contains(s->name, word))
			return true;
	}
	return false;
}

static bool wanted(const struct self_test *c, unsigned long number, int argc, const char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (word_matches(argv[i], c, number))
			return true;
	}
	return argc == 0;
}

/* Is a subtest meant, when its check was chosen by words? By number or by the check's name: all. */
static bool sub_wanted(const struct self_test *c, const struct self_test *s, unsigned long number,
		       int argc, const char **argv)
{
	unsigned long from, to;

	for (int i = 0; i < argc; i++) {
		if (parse_range(argv[i], &from, &to)
			    ? number >= from && number <= to
			    : contains(c->name, argv[i]) || contains(s->name, argv[i]))
			return true;
	}
	return argc == 0;
}

static bool skipped(const char *list, const struct self_test *c, unsigned long number)
{
	_cleanup_(mem_freep) char *copy = xstrdup(list ? list : "");
	char *rest = copy, *word;

	while ((word = strsep(&rest, ",")) != NULL) {
		if (*word && word_matches(word, c, number))
			return true;
	}
	return false;
}

static int list_tests(const test_list *all, int argc, const char **argv)
{
	for (size_t i = 0; i < all->nr; i++) {
		const struct self_test *c = all->v[i];
		unsigned int sub = 0;

		if (!wanted(c, i + 1, argc, argv))
			continue;
		printf("%3zu: %s\n", i + 1, c->name);
		for (const struct self_test *s = c->subs; s && s->name; s++)
			printf("%3zu:%1u: %s\n", i + 1, ++sub, s->name);
	}
	return 0;
}

static int name_width(const test_list *all)
{
	size_t width = 0;

	VEC_FOR(all, c) {
		width = MAX(width, strlen((*c)->name));
		for (const struct self_test *s = (*c)->subs; s && s->name; s++)
			width = MAX(width, strlen(s->name) + 2);
	}
	return (int)width;
}

static void run_subs(const struct test_opts *o, const struct self_test *c, unsigned long number,
		     int width, int argc, const char **argv, struct test_tally *n)
{
	unsigned int sub = 0;

	for (const struct self_test *s = c->subs; s->name; s++) {
		sub++;
		if (!sub_wanted(c, s, number, argc, argv))
			continue;
		if (!n->ahead || !n->ahead->filling)
			printf("%3lu.%1u: %-*s:", number, sub, width - 2, s->name);
		run_one(o, s, c->name, sub, n);
	}
}

static void run_check(const struct test_opts *o, const struct self_test *c, unsigned long number,
		      int width, int argc, const char **argv, struct test_tally *n)
{
	static const struct test_verdict override = { TEST_SKIP, 0, "user override" };
	bool silent = n->ahead && n->ahead->filling;

	if (!silent)
		printf("%3lu: %-*s:", number, width, c->name);
	if (skipped(o->skip, c, number)) {
		if (silent)
			return;
		print_verdict(&override);
		note_result(n, c->name, c->name, &override);
	} else if (c->subs) {
		if (!silent)
			printf("\n");
		run_subs(o, c, number, width, argc, argv, n);
	} else {
		run_one(o, c, c->name, 0, n);
	}
}

static void run_all(const struct test_opts *o, const test_list *all, int argc, const char **argv,
		    struct test_tally *n)
{
	int width = name_width(all);

	for (size_t i = 0; i < all->nr; i++) {
		if (!wanted(all->v[i], i + 1, argc, argv))
			continue;
		for (u64 run = 0; run < o->runs; run++)
			run_check(o, all->v[i], i + 1, width, argc, argv, n);
	}
}

static int run_tests(const struct test_opts *o, const test_list *all, int argc, const char **argv)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	struct queue q = { .at_once = online > 1 ? (size_t)online : 1 };
	struct test_tally n = { 0 };
	struct err e = ERR_INIT;
	int code = 0;

	/* what a check tells about itself comes in its own time */
	if (o->parallel && !o->sequential && !o->no_fork && o->verbose <= 0) {
		n.ahead = &q;
		q.filling = true;
		run_all(o, all, argc, argv, &n);
		q.filling = false;
	}
	run_all(o, all, argc, argv, &n);
	if (!n.results.nr) {
		struct similar near;

		log_warn("no test has this number or name");
		similar_init(&near, argc == 1 ? argv[0] : "");
		VEC_FOR(all, check)
			similar_offer(&near, (*check)->name);
		if (!print_similar(&near))
			log_hint("'perf test list' lists them");
	}
	if (o->junit && test_junit_write(o->junit, &n.results, &e) < 0) {
		err_print(&e);
		code = 255;
	} else if (o->junit) {
		printf("Wrote junit XML output to %s\n", o->junit);
	}
	VEC_FOR(&n.results, r)
		free(r->reason);
	vec_free(&n.results);
	vec_free(&q.checks);
	vec_free(&q.children);
	return code;
}

/* A workload, and a recorder that measures it alone. */
static int run_workload(const struct test_opts *o, int argc, const char **argv)
{
	struct record_control control;
	struct err e = ERR_INIT;
	int code = 255;

	if (!o->record_control)
		return workload_run(o->workload, argc, argv);
	if (record_control_open(&control, o->record_control, &e) < 0) {
		err_print(&e);
		return code;
	}
	if (record_control_say(&control, "enable", &e) == 0) {
		code = workload_run(o->workload, argc, argv);
		record_control_say(&control, "disable", &e);
	}
	record_control_close(&control);
	if (e.text[0]) {
		err_print(&e);
		code = 255;
	}
	return code;
}

static int test_run(const struct config *config, int argc, const char **argv)
{
	struct test_opts o = { .runs = 1,
			       .buildid_dir = config_get(config, "buildid.dir"),
			       .debugfs_dir = config->debugfs_dir };
	test_list all = { 0 };
	int code;

	argc = opts_parse(test_table, &o, argc, argv, test_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (!o.runs)
		return opts_usage_error(test_table, test_usage, "r",
					"-r needs at least one run\n\n");
	if (o.list_workloads) {
		workload_list();
		return 0;
	}
	if (o.workload)
		return run_workload(&o, argc, argv);
	if (o.record_control)
		return opts_usage_error(test_table, test_usage, "record-ctl",
					"--record-ctl is for a workload (-w)\n\n");
	all_tests(&all);
	if (argc && !strcmp(argv[0], "list"))
		code = list_tests(&all, argc - 1, argv + 1);
	else
		code = run_tests(&o, &all, argc, argv);
	vec_free(&all);
	return code;
}

const struct command cmd_test = {
	.name = "test",
	.summary = "check what works on this machine, and why the rest does not",
	.usage = test_usage,
	.opts = test_table,
	.run = test_run,
};
