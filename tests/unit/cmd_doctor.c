/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf doctor's checks on made-up machines; what it recognises of JIT compilers; its quoting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cli/words.h"
#include "cmd/doctor/machine.h"
#include "cmd/doctor/object.h"
#include "dso/jit/runtimes.h"
#include "perfdata/info.h"
#include "unwind/frame_pointers.h"

/* A bare machine on which everything works, seen by root. */
static struct machine_facts good_machine(void)
{
	return (struct machine_facts){
		.limits = { .paranoid = 2,
			    .max_sample_rate = 100000,
			    .mlock_kb = 516,
			    .max_stack = 127,
			    .perf_present = true,
			    .root = true,
			    .cap_perfmon = true,
			    .cap_ipc_lock = true,
			    .cap_syslog = true,
			    .first_user_ns = true },
		.proc = true,
		.own_proc = true,
		.caps = ~0ULL,
		.kallsyms = true,
		.tracefs = "/sys/kernel/tracing",
		.tracefs_readable = true,
		.pmu = "cpu",
		.btf = true,
		.debug_files = true,
		.lockdown = "none",
		.arch = "x86_64",
		.libc_frames = FP_LOST,
		.open_files = 1 << 20,
		.cpus = 8,
		.distribution = sys_distribution_find("/nonexistent"),
	};
}

static const struct finding *find(const struct findings *f, const char *check)
{
	VEC_FOR(&f->rows, row)
		if (strcmp(row->check, check) == 0)
			return row;
	return NULL;
}

static void expect(const struct machine_facts *facts, const char *check, enum finding_state state,
		   const char *mend)
{
	struct findings f = { 0 };
	const struct finding *row;

	machine_check(facts, &f);
	row = find(&f, check);
	if (!row)
		fail_msg("no %s", check);
	if (row->state != state ||
	    (mend ? !row->mend || !strstr(row->mend, mend) : row->mend != NULL))
		fail_msg("%s: state %d, '%s', mend '%s'", check, row->state, row->value,
			 row->mend ? row->mend : "");
	findings_release(&f);
}

static void nothing_wrong(void **state)
{
	struct machine_facts facts = good_machine();
	struct findings f = { 0 };

	(void)state;
	machine_check(&facts, &f);
	VEC_FOR(&f.rows, row)
		if (row->state != FINDING_OK)
			fail_msg("%s: %s", row->check, row->value);
	findings_release(&f);
}

static void one_thing_wrong(void **state)
{
	struct machine_facts m;

	(void)state;
	m = good_machine();
	m.limits.cap_perfmon = m.limits.root = false;
	m.caps = 0;
	expect(&m, "paranoid", FINDING_WRONG, "sudo sysctl kernel.perf_event_paranoid=-1");
	expect(&m, "capabilities", FINDING_NOTE, "setcap");
	m.limits.paranoid = -1;
	expect(&m, "paranoid", FINDING_OK, NULL);
	m = good_machine();
	m.seccomp = 2;
	expect(&m, "seccomp", FINDING_OK, NULL);
	m.open_self = EPERM;
	expect(&m, "perf-events", FINDING_WRONG, "seccomp=unconfined");
	expect(&m, "seccomp", FINDING_WRONG, NULL);
	m = good_machine();
	m.open_self = ENOSYS;
	expect(&m, "perf-events", FINDING_WRONG, NULL);
	m = good_machine();
	m.names_hidden = true;
	m.limits.kptr_restrict = 2;
	expect(&m, "kernel-names", FINDING_WRONG, "kptr_restrict=0");
	m = good_machine();
	m.limits.max_sample_rate = 1000;
	expect(&m, "sample-rate", FINDING_WRONG, "max_sample_rate=100000");
	m.limits.max_stack = 64;
	expect(&m, "max-stack", FINDING_WRONG, "max_stack=127");
	m.nmi_watchdog = 1;
	expect(&m, "counters", FINDING_NOTE, "nmi_watchdog=0");
	m.open_pmu = ENOENT;
	m.pmu[0] = '\0';
	snprintf(m.hypervisor, sizeof(m.hypervisor), "KVM");
	expect(&m, "pmu", FINDING_NOTE, NULL);
	snprintf(m.lockdown, sizeof(m.lockdown), "confidentiality");
	expect(&m, "lockdown", FINDING_WRONG, NULL);
	m.debug_files = false;
	expect(&m, "debuginfod", FINDING_NOTE, "DEBUGINFOD_URLS=https://");
	m.open_files = 64;
	expect(&m, "open-files", FINDING_WRONG, "ulimit");
	snprintf(m.arch, sizeof(m.arch), "vax");
	expect(&m, "unwinder", FINDING_NOTE, NULL);
}

/* Rights in a user namespace do not reach the kernel's limits; files alone make no container. */
static void namespaces(void **state)
{
	struct machine_facts m = good_machine();

	(void)state;
	snprintf(m.container_by, sizeof(m.container_by), "docker");
	expect(&m, "container", FINDING_OK, NULL);
	m.own_pids = true;
	expect(&m, "container", FINDING_NOTE, NULL);
	m = good_machine();
	m.limits = (struct sys_limits){ .paranoid = 2,
					.max_sample_rate = 100000,
					.mlock_kb = 516,
					.max_stack = 127,
					.perf_present = true };
	expect(&m, "capabilities", FINDING_NOTE, NULL);
	expect(&m, "paranoid", FINDING_WRONG, "outside of this user namespace");
	expect(&m, "bpf", FINDING_NOTE, NULL);
	expect(&m, "container", FINDING_NOTE, NULL);
}

/* One answer to all that the kernel's limits forbid, by programs that are there. */
static void mends_agree(void **state)
{
	static const char both[] =
		"sudo sysctl kernel.perf_event_paranoid=-1 kernel.kptr_restrict=0";
	struct machine_facts m = good_machine();

	(void)state;
	m.limits.cap_perfmon = m.limits.cap_syslog = m.limits.root = false;
	m.caps = 0;
	m.names_hidden = true;
	m.limits.kptr_restrict = 1;
	m.open_self = EACCES;
	expect(&m, "perf-events", FINDING_WRONG, both);
	expect(&m, "paranoid", FINDING_WRONG, both);
	expect(&m, "kernel-names", FINDING_WRONG, both);
	/* at level 2 the level hides them */
	m.limits.kptr_restrict = 0;
	expect(&m, "kernel-names", FINDING_WRONG, "sudo sysctl kernel.perf_event_paranoid=-1");
	snprintf(m.self, sizeof(m.self), "/opt/my tools/perf");
	expect(&m, "capabilities", FINDING_NOTE, "=ep '/opt/my tools/perf'");
	m.no_setcap = m.no_sudo = m.no_sysctl = true;
	expect(&m, "capabilities", FINDING_NOTE, NULL);
	expect(&m, "paranoid", FINDING_WRONG,
	       "(as root) echo -1 >/proc/sys/kernel/perf_event_paranoid");
}

static void debuginfod(void **state)
{
	struct machine_facts m = good_machine();

	(void)state;
	m.debuginfod_set = true;
	expect(&m, "debuginfod", FINDING_WRONG, NULL);
	m.debuginfod_installed = true;
	m.debuginfod = SERVER_NOT_REACHED;
	expect(&m, "debuginfod", FINDING_WRONG, "unset DEBUGINFOD_URLS");
	m.debuginfod = SERVER_UNKNOWN;
	expect(&m, "debuginfod", FINDING_NOTE, NULL);
	m.debuginfod = SERVER_REACHED;
	expect(&m, "debuginfod", FINDING_OK, NULL);
}

/* Without /proc nothing is said of what it alone tells. */
static void no_proc(void **state)
{
	struct machine_facts m = good_machine();
	struct findings f = { 0 };

	(void)state;
	m.proc = false;
	expect(&m, "proc", FINDING_WRONG, "mount -t proc");
	machine_check(&m, &f);
	assert_null(find(&f, "paranoid"));
	assert_null(find(&f, "kernel-names"));
	assert_non_null(find(&f, "perf-events"));
	findings_release(&f);
}

static void jits(void **state)
{
	static const char told[] = "node\0--perf-basic-prof\0x.js\0";
	static const char options[] =
		"node\0x.js\0NODE_OPTIONS=--max-old-space-size=9 --perf-prof\0";
	static const char silent[] = "node\0x.js\0--perfx\0";
	const struct jit_runtime *node = jit_of_file("/usr/bin/node");

	(void)state;
	assert_non_null(node);
	assert_null(jit_of_file("/usr/bin/node_exporter"));
	assert_string_equal(jit_of_file("/usr/lib/jvm/lib/server/libjvm.so")->name, "Java");
	assert_string_equal(jit_of_file("/usr/bin/python3.12")->name, "Python");
	assert_string_equal(jit_of_comm("C2 CompilerThre")->name, "Java");
	assert_null(jit_of_comm("bash"));
	/* a program and its library are one runtime */
	assert_ptr_equal(jit_of_file("/usr/lib/libnode.so.108"), node);
	assert_ptr_equal(jit_of_file("/usr/bin/java"), jit_of_comm("java"));
	assert_ptr_equal(jit_of_file("/lib/libluajit-5.1.so.2"), jit_of_file("/usr/bin/luajit"));
	assert_null(jit_of_file("/usr/bin/javac"));
	assert_string_equal(jit_told_by(node, told, sizeof(told) - 1), "--perf-basic-prof");
	assert_string_equal(jit_told_by(node, options, sizeof(options) - 1), "--perf-prof");
	assert_null(jit_told_by(node, silent, sizeof(silent) - 1));
	assert_null(jit_told_by(node, "", 0));
	assert_true(jit_is_too_old(jit_of_file("/usr/bin/python3.9"), "/usr/bin/python3.9"));
	assert_true(jit_is_too_old(jit_of_file("/lib/libpython3.11.so.1.0"),
				   "/lib/libpython3.11.so.1.0"));
	assert_false(jit_is_too_old(jit_of_file("/usr/bin/python3.12"), "/usr/bin/python3.12"));
	assert_false(jit_is_too_old(jit_of_file("/usr/bin/python3"), "/usr/bin/python3"));
	assert_false(jit_is_too_old(node, "/usr/bin/node.1"));
}

static void mends_names(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct build_id id = { .size = 20 };

	(void)state;
	assert_true(object_mend_symbols("/home/me/tool", &id, &out));
	assert_string_equal(out.buf, "build it without -s and do not strip it");
	strbuf_reset(&out);
	assert_true(object_mend_symbols("/memfd:lib (deleted)", &id, &out));
	assert_string_equal(out.buf, "load it from a file: nothing is left of one in memory");
}

static void words(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	(void)state;
	words_quote(&out, "a/b-c=1");
	words_quote(&out, "");
	words_quote(&out, "it's $x");
	assert_string_equal(out.buf, "a/b-c=1'''it'\\''s $x'");
}

static void shown(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct findings f = { .mode = "machine" };
	struct finding *row;

	(void)state;
	row = findings_add(&f, "object", FINDING_WRONG, "%s", "a\"b");
	finding_about(row, "x\x1b[2J");
	finding_mend(row, "mend it");
	findings_print_text(&f, false, &out);
	assert_string_equal(out.buf, "WRONG  object: x\\x1b[2J: a\"b\n       mend: mend it\n\n"
				     "1 thing is wrong.\n");
	strbuf_reset(&out);
	findings_print_json(&f, &out);
	assert_non_null(strstr(
		out.buf, "\"about\": \"x\\u001b[2J\", \"value\": \"a\\\"b\", \"means\": null, "));
	findings_release(&f);
}

/* Many files of one kind are a line, with one command for all of their packages. */
static void shown_in_groups(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	static const char *const files[] = { "/lib/a.so", "/lib/b.so", "/lib/c.so", "/lib/d.so",
					     "/lib/e.so" };
	struct findings f = { .mode = "target" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct finding *row = findings_add(&f, "object", FINDING_NOTE, "%zu %%", i);

		finding_about(row, files[i]);
		finding_means(row, "no names");
		row->group = "stripped files";
		finding_mend(row, i < 3 ? "apt-get install lib%zu-dbgsym" : "build it", i / 2);
	}
	findings_print_text(&f, false, &out);
	assert_string_equal(out.buf,
			    "note   object: 5 stripped files: a.so, b.so, c.so, d.so, ... (-v)\n"
			    "       no names\n"
			    "       mend: apt-get install lib0-dbgsym lib1-dbgsym\n"
			    "       mend: build it\n\n"
			    "Nothing is wrong; 5 notes.\n");
	strbuf_reset(&out);
	findings_print_text(&f, true, &out);
	assert_non_null(strstr(out.buf, "note   object: /lib/b.so: 1 %\n       no names\n"
					"       mend: apt-get install lib0-dbgsym\n"));
	findings_release(&f);
}

/* The last line is true: it tells of notes, and of what was not looked at. */
static void last_line(void **state)
{
	static const struct {
		enum finding_state state;
		bool partly;
		const char *line;
	} rows[] = {
		{ FINDING_OK, false, "\nNothing is wrong.\n" },
		{ FINDING_NOTE, false, "\nNothing is wrong; 1 note.\n" },
		{ FINDING_NOTE, true, "\nNothing is wrong with what was looked at; 1 note.\n" },
		{ FINDING_WRONG, true, "\n1 thing is wrong.\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
		struct findings f = { .mode = "target", .partly = rows[i].partly };

		findings_add(&f, "stacks", rows[i].state, "%s", "x");
		findings_print_text(&f, false, &out);
		assert_non_null(strstr(out.buf, rows[i].line));
		findings_release(&f);
	}
}

/* What says that --call-graph auto chose is not what is said of runtimes. */
static void way(void **state)
{
	const char *notes[] = { INFO_STACKS_JIT "Java was started without x",
				"libc.so.6: 90 % in libc" };
	struct info_stacks s = { .code = { .nr = 0, .v = notes } };

	(void)state;
	assert_string_equal(info_stacks_way(&s), "dwarf");
	s.code.nr = 1;
	assert_string_equal(info_stacks_way(&s), "dwarf");
	s.code.nr = 2;
	assert_string_equal(info_stacks_way(&s), "auto");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_wrong),
		cmocka_unit_test(one_thing_wrong),
		cmocka_unit_test(jits),
		cmocka_unit_test(words),
		cmocka_unit_test(shown),
		cmocka_unit_test(mends_names),
		cmocka_unit_test(namespaces),
		cmocka_unit_test(mends_agree),
		cmocka_unit_test(debuginfod),
		cmocka_unit_test(no_proc),
		cmocka_unit_test(shown_in_groups),
		cmocka_unit_test(last_line),
		cmocka_unit_test(way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
