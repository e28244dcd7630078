/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole commands of this program: what is recorded can be read and shows what ran. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"
#include "cmd/test/test.h"

enum { MAX_OUTPUT = 1 << 20 };

/* A folder that is removed with the recording in it. */
struct folder {
	char path[64], file[96];
};

static bool folder_make(struct test *t, struct folder *f)
{
	snprintf(f->path, sizeof(f->path), "/tmp/perf-test-XXXXXX");
	if (!mkdtemp(f->path)) {
		test_skip(t, "cannot make a folder in /tmp: %s", strerror(errno));
		return false;
	}
	snprintf(f->file, sizeof(f->file), "%s/perf.data", f->path);
	return true;
}

static void folder_remove(struct folder *f)
{
	unlink(f->file);
	rmdir(f->path);
}

/* This program with the arguments (NULL at the end); its stdout and stderr to out. Exit status. */
static int run_self(const struct test *t, struct strbuf *out, const char *const *args)
{
	const char *argv[32] = { "perf" };
	int fds[2], status;
	char buf[4096];
	ssize_t n;
	pid_t pid;

	for (size_t i = 0; args[i] && i + 2 < ARRAY_SIZE(argv); i++)
		argv[i + 1] = args[i];
	fflush(NULL);
	if (pipe2(fds, O_CLOEXEC) || (pid = fork()) < 0)
		return -1;
	if (!pid) {
		int null = open("/dev/null", O_RDONLY);

		dup2(null, 0);
		dup2(fds[1], 1);
		dup2(fds[1], 2);
		setenv("PERF_CONFIG", "/dev/null", 1);
		execv("/proc/self/exe", (char *const *)(void *)argv);
		_exit(127);
	}
	close(fds[1]);
	while ((n = read(fds[0], buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0 && out->len < MAX_OUTPUT)
			strbuf_add(out, buf, (size_t)n);
	}
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	test_note(t, "perf %s ...: exit %d\n%.2000s", args[0],
		  WIFEXITED(status) ? WEXITSTATUS(status) : -1, out->buf);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#define ARGS(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/* Runs; the output must contain the text. */
static enum test_result expect(struct test *t, const char *text, const char *const *args)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	int status = run_self(t, &out, args);

	if (status)
		return test_fail(t, "perf %s: exit status %d", args[0], status);
	return strstr(out.buf, text) ? TEST_OK
				     : test_fail(t, "perf %s does not show '%s'", args[0], text);
}

/* Records a workload; TEST_SKIP where the kernel does not let us. */
static enum test_result record(struct test *t, const struct folder *f, const char *workload,
			       const char *callgraph)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_TASK_CLOCK,
					.exclude_kernel = 1 };
	enum test_result r = TEST_OK;
	int fd = test_open(t, &attr, 0, -1, -1, &r), status;

	if (fd < 0)
		return r;
	close(fd);
	status = run_self(t, &out,
			  ARGS("record", "-o", f->file, "-e", "task-clock:u", "-F", "500",
			       "--call-graph", callgraph, "--", "/proc/self/exe", "test", "-w",
			       workload, "1"));
	return status ? test_fail(t, "perf record: exit status %d", status) : TEST_OK;
}

struct recorded {
	const char *workload, *text, *command, *option;
};

static enum test_result record_and(struct test *t)
{
	const struct recorded *o = t->with;
	struct folder f;
	enum test_result r;

	if (!folder_make(t, &f))
		return TEST_SKIP;
	r = record(t, &f, o->workload, "fp");
	if (r == TEST_OK)
		r = expect(t, o->text, ARGS(o->command, o->option, "-i", f.file));
	folder_remove(&f);
	return r;
}

static enum test_result stat_text(struct test *t)
{
	return expect(t, "CPUs utilized",
		      ARGS("stat", "-e", "task-clock:u", "--", "/proc/self/exe", "test", "-w",
			   "brstack", "1000"));
}

static enum test_result exit_status(struct test *t)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	int status = run_self(t, &out,
			      ARGS("stat", "-e", "task-clock:u", "--", "sh", "-c", "exit 7"));

	return status == 7 ? TEST_OK : test_fail(t, "%d instead of 7", status);
}

static enum test_result hidden_workload(struct test *t)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	int status = run_self(t, &out,
			      ARGS("stat", "-e", "task-clock:u", "--", "/no/such/program"));

	if (!status || !strstr(out.buf, "No such file"))
		return test_fail(t, "exit %d without saying why", status);
	return TEST_OK;
}

#define RECORDED(...)                                                                              \
	.with = &(const struct recorded)                                                           \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
static const struct self_test command_subs[] = {
	{ "record, then report", record_and,
	  RECORDED("noploop", "[.] noploop", "report", "--stdio") },
	{ "record -g, then script", record_and,
	  RECORDED("leafloop", "leafloop+0x", "script", "-F+symoff") },
	{ "record, then header", record_and,
	  RECORDED("brstack", "# cmdline : ", "report", "--header-only") },
	{ "record, then evlist", record_and, RECORDED("brstack", "task-clock:u", "evlist", "-F") },
	{ "stat", stat_text, NULL },
	{ "Exit status of the workload", exit_status, NULL },
	{ "A workload that does not exist", hidden_workload, NULL },
	{ NULL, NULL, NULL }
};

const struct self_test checks_commands[] = { { "Commands", NULL, command_subs },
					     { NULL, NULL, NULL } };
