/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process: its objects, its JIT compiler, its namespaces, and the recording that will show it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "capture/target.h"
#include "cli/words.h"
#include "cmd/doctor/doctor.h"
#include "cmd/doctor/object.h"
#include "cmd/doctor/program.h"
#include "dso/jit/runtimes.h"
#include "sys/proc.h"

enum { OBJECTS_MAX = 512, FREQUENCY = 999, FEW_FUNCTIONS = 4 };

/* What the recording must be able to do. */
struct needs {
	u32 kept, lost; /* objects by their frame pointers */
	u32 no_tables; /* objects that can be unwound neither way */
	bool jit, jitdump; /* code that a compiler makes while it runs; its names are in
			      jit-PID.dump */
	const struct jit_runtime
		*untold; /* a compiler that could name its code, and was not told to; NULL = none */
	const struct jit_runtime
		*frameless; /* one that was not told to keep frame pointers; NULL = none */
	bool other_user;
	VEC(char *) told; /* files, by mount namespace and path */
};

static void needs_release(struct needs *n)
{
	VEC_FOR(&n->told, t)
		free(*t);
	vec_free(&n->told);
}

struct doctor_process {
	pid_t pid;
	const struct machine_facts *facts;
	struct findings *out;
	struct needs *needs;
	struct sys_proc proc;
	struct dso_table *dsos;
	struct strbuf words; /* command line and environment, a NUL behind each */
	VEC(char *) paths; /* of mapped code, in the order of addresses */
	bool anonymous_code;
};

static bool is_known(const struct doctor_process *p, const char *path)
{
	VEC_FOR(&p->paths, known)
		if (strcmp(*known, path) == 0)
			return true;
	return false;
}

static bool read_maps(struct doctor_process *p)
{
	struct sys_maps_iter it;
	struct sys_map m;

	if (!sys_proc_maps(&p->proc, p->pid, &it))
		return false;
	while (sys_maps_next(&it, &m)) {
		if (!(m.prot & SYS_MAP_EXEC))
			continue;
		if (!m.path[0] || strncmp(m.path, "/dev/zero", 9) == 0 ||
		    strncmp(m.path, "/memfd:", 7) == 0)
			p->anonymous_code = true;
		else if (m.path[0] == '/' && p->paths.nr < OBJECTS_MAX && !is_known(p, m.path))
			*VEC_PUSH(&p->paths) = xstrdup(m.path);
	}
	return true;
}

static void read_words(struct doctor_process *p)
{
	static const char *const files[] = { "cmdline", "environ" };
	char path[64];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", p->pid, files[i]);
		rw_slurp(path, &p->words, NULL);
		if (p->words.len && p->words.buf[p->words.len - 1])
			strbuf_addch(&p->words, '\0');
	}
}

/* ---- the program ---- */

static bool exe_path(const struct doctor_process *p, char *out, size_t size)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", p->pid);
	n = readlink(link, out, size - 1);
	out[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* The name of a program that only starts another one, which is not there yet; NULL: it is none. */
static const char *wrapper_name(const char *exe)
{
	static const char *const wrappers[] = { "env",     "sh",      "dash",    "bash",
						"busybox", "sudo",    "time",    "nice",
						"taskset", "timeout", "numactl", "setpriv",
						"strace",  "xargs",   "ionice",  "nohup",
						"stdbuf",  "chrt",    "unshare", "docker" };
	const char *slash = strrchr(exe, '/');

	for (size_t i = 0; slash && i < ARRAY_SIZE(wrappers); i++)
		if (strcmp(slash + 1, wrappers[i]) == 0)
			return wrappers[i];
	return NULL;
}

/* ---- objects ---- */

/* What many libraries have in common: whether they have names, and which stacks they allow. */
static const char *object_group(const struct object_facts *o, enum fp_verdict fp)
{
	if (!object_has_tables(o) && fp != FP_KEPT && fp != FP_UNKNOWN)
		return o->symbols ? "files with symbols, in which stacks end"
				  : "stripped files in which stacks end";
	if (fp == FP_LOST || fp == FP_MIXED)
		return o->symbols
			       ? "files with symbols and unwind tables, not all with frame pointers"
			       : "stripped files with unwind tables, not all with frame pointers";
	return o->symbols ? "files with symbols, with frame pointers or unwind tables"
			  : "stripped files, with frame pointers or unwind tables";
}

/* Processes of one program share most of their files: each is told once. */
static bool was_told(struct doctor_process *p, const char *path)
{
	_cleanup_(strbuf_releasep) struct strbuf key = STRBUF_INIT;
	u64 dev = 0, ino = 0;

	sys_proc_ns(&p->proc, p->pid, "mnt", &dev, &ino);
	strbuf_addf(&key, "%llu:%s", (unsigned long long)ino, path);
	VEC_FOR(&p->needs->told, t)
		if (!strcmp(*t, key.buf))
			return true;
	*VEC_PUSH(&p->needs->told) = strbuf_detach(&key);
	return false;
}

static void tell_object(struct doctor_process *p, const char *path, bool matters)
{
	struct dso_key key = { .name = path, .kind = DSO_USER, .pid = (u32)p->pid };
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf mend = STRBUF_INIT;
	struct object_facts o;
	struct finding *row;
	enum fp_verdict fp;

	object_facts_read(dso_table_get(p->dsos, dso_table_add(p->dsos, &key)), &o);
	if (!o.readable) {
		row = findings_add(p->out, "object", FINDING_WRONG, "cannot be read");
		finding_about(row, path);
		row->group = "files that cannot be read";
		finding_means(row,
			      "the file was removed or replaced, or may not be read: no names");
		return;
	}
	fp = frame_pointers_verdict(&o.fp);
	p->needs->kept += fp == FP_KEPT;
	p->needs->lost += fp == FP_LOST || fp == FP_MIXED;
	p->needs->no_tables += !object_has_tables(&o) && fp != FP_KEPT && fp != FP_UNKNOWN;
	object_facts_text(&o, &text);
	/* A launcher's few functions are not what is profiled. */
	matters = matters && o.fp.framed + o.fp.frameless >= FEW_FUNCTIONS;
	row = findings_add(p->out, "object",
			   o.symbols ? FINDING_OK
			   : matters ? FINDING_WRONG
				     : FINDING_NOTE,
			   "%s", text.buf);
	row->group = object_group(&o, fp);
	finding_about(row, path);
	if (o.symbols)
		return;
	finding_means(row, "static functions show as the exported one before them or as addresses");
	if (object_mend_symbols(path, &o.build_id, &mend))
		finding_mend(row, "%s", mend.buf);
}

static void tell_wrapper(struct doctor_process *p, const char *name)
{
	struct finding *row = findings_add(p->out, "wrapper", FINDING_NOTE,
					   "%s starts other programs, which were not looked at",
					   name);

	finding_means(row, "give the program itself, or -p PID while it runs");
	p->out->partly = true;
}

/* ---- JIT compilers ---- */

static bool has_map_file(const struct doctor_process *p)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root/tmp/perf-%d.map", p->pid, p->pid);
	if (access(path, R_OK) == 0)
		return true;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", p->pid);
	return access(path, R_OK) == 0;
}

/* A compiler that keeps frame pointers only if it is told to: what it calls, and is called by, is
 * lost without. */
static void tell_jit_frames(struct doctor_process *p, const struct jit_runtime *jit)
{
	struct finding *row;

	if (jit_keeps_frames(jit, p->words.buf, p->words.len))
		return;
	row = findings_add(p->out, "jit-frames", FINDING_WRONG, "%s was started without %s",
			   jit->name, jit->frames);
	finding_means(
		row,
		"its code keeps no frame pointers and has no unwind tables: callers of it cannot be followed");
	finding_mend(row, "%s %s ...", jit->files[0], jit->frames);
	p->needs->frameless = jit;
}

static void tell_jit(struct doctor_process *p)
{
	const struct jit_runtime *jit = NULL;
	const char *told;
	struct finding *row;
	bool map_file = has_map_file(p);
	bool old = false;

	VEC_FOR(&p->paths, path) {
		if (!jit)
			jit = jit_of_file(*path);
		old |= jit && jit_is_too_old(jit, *path);
	}
	p->needs->jit |= p->anonymous_code || (jit && !old);
	if (!jit && !p->anonymous_code)
		return;
	if (!jit) {
		row = findings_add(p->out, "jit", map_file ? FINDING_OK : FINDING_NOTE,
				   "code in memory without a file%s",
				   map_file ? ", named by perf-PID.map" : "");
		if (!map_file)
			finding_means(
				row,
				"made by a compiler that perf does not know; it has names if the "
				"program writes /tmp/perf-PID.map or jit-PID.dump");
		return;
	}
	told = jit_told_by(jit, p->words.buf, p->words.len);
	p->needs->jitdump = told && (jit->jitdump || strcmp(told, "--perf-prof") == 0 ||
				     strstr(told, "jitdump") || strstr(told, "JIT") ||
				     strcmp(told, "perf_jit") == 0);
	if (told || map_file) {
		row = findings_add(p->out, "jit", FINDING_OK, "%s tells the names of its code (%s)",
				   jit->name, told ? told : "perf-PID.map");
	} else if (old) {
		row = findings_add(p->out, "jit", FINDING_NOTE,
				   "%s before 3.%u cannot name its functions", jit->name,
				   jit->since);
		finding_means(row, "the interpreter's own functions are all that is seen");
		return;
	} else {
		row = findings_add(p->out, "jit", FINDING_WRONG, "%s was not told to name its code",
				   jit->name);
		p->needs->untold = jit;
		if (jit->mend)
			finding_mend(row, "%s", jit->mend);
	}
	if (jit->means)
		finding_means(row, "%s", jit->means);
	tell_jit_frames(p, jit);
}

/* ---- namespaces and permission ---- */

static bool same_ns(struct doctor_process *p, const char *name)
{
	u64 dev[2];
	u64 ino[2];

	return !sys_proc_ns(&p->proc, p->pid, name, &dev[0], &ino[0]) ||
	       !sys_proc_ns(&p->proc, getpid(), name, &dev[1], &ino[1]) ||
	       (dev[0] == dev[1] && ino[0] == ino[1]);
}

static void tell_place(struct doctor_process *p)
{
	bool mnt = same_ns(p, "mnt");
	bool pid = same_ns(p, "pid");
	struct finding *row;

	if (mnt && pid)
		return;
	row = findings_add(p->out, "namespaces", FINDING_NOTE, "it has %s%s%s of its own",
			   mnt ? "" : "files", !mnt && !pid ? " and " : "",
			   pid ? "" : "process ids");
	finding_means(
		row,
		"its files are read below /proc/PID/root while it runs; record keeps them for later in the "
		"build-id cache, unless -B or -N is given, and with --embed-symbols names of JIT compilers, too");
}

static bool tell_owner(struct doctor_process *p)
{
	const struct sys_limits *l = &p->facts->limits;
	struct sys_task t;
	struct finding *row;

	if (!sys_proc_task(&p->proc, p->pid, p->pid, &t) || t.uid == geteuid() || l->cap_perfmon)
		return false;
	row = findings_add(p->out, "owner", FINDING_WRONG, "it belongs to another user (uid %u)",
			   t.uid);
	finding_means(row, "only that user, root or CAP_PERFMON may measure it");
	return p->needs->other_user = true;
}

static int look_at(struct doctor_process *p, struct err *e)
{
	char exe[4096];
	const char *wrapper;
	bool seen = read_maps(p);
	bool other = tell_owner(p);

	if (!seen && !other)
		return err_set(e, ESRCH, "cannot read the mappings of process %d", p->pid);
	read_words(p);
	exe_path(p, exe, sizeof(exe));
	wrapper = wrapper_name(exe);
	VEC_FOR(&p->paths, path)
		if (!was_told(p, *path))
			tell_object(p, *path, !wrapper && strcmp(*path, exe) == 0);
	if (wrapper)
		tell_wrapper(p, wrapper);
	tell_jit(p);
	tell_place(p);
	return 0;
}

/* Numbers of processes mean nothing in a /proc that is not there, or another pid namespace's. */
static int need_proc(const struct machine_facts *facts, struct err *e)
{
	if (facts->proc && facts->own_proc)
		return 0;
	err_set(e, ENOENT, "programs cannot be looked at: /proc is %s",
		facts->proc ? "another pid namespace's" : "not mounted");
	err_hint(e, facts->proc ? "a /proc of its own helps (unshare --mount-proc)"
				: "mount -t proc proc /proc");
	return -1;
}

static int look_at_pid(pid_t pid, const struct machine_facts *facts, struct needs *needs,
		       struct findings *out, struct err *e)
{
	struct dso_config config = { .buildid_dir = facts->buildid_dir };
	struct doctor_process p = {
		.pid = pid, .facts = facts, .out = out, .needs = needs, .words = STRBUF_INIT
	};
	int r;

	if (!sys_proc_init(&p.proc, NULL))
		return err_sys(e, errno, "cannot open '/proc'");
	p.dsos = dso_table_new(&config);
	r = look_at(&p, e);
	dso_table_free(p.dsos);
	sys_proc_release(&p.proc);
	strbuf_release(&p.words);
	VEC_FOR(&p.paths, path)
		free(*path);
	vec_free(&p.paths);
	return r;
}

/* ---- the command ---- */

static const char *choose_graph(const struct needs *n, struct findings *out)
{
	struct finding *row;

	if (!n->lost && !n->kept) {
		row = findings_add(out, "call-graph", FINDING_NOTE,
				   "none of its objects tells: --call-graph auto");
		finding_means(row, "the recorder looks at them when it meets them");
		return "--call-graph auto";
	}
	if (!n->lost) {
		row = findings_add(out, "call-graph", FINDING_OK, "frame pointers will do: -g");
		finding_means(row, "every object that makes frames keeps them");
		return "-g";
	}
	row = findings_add(out, "call-graph", n->no_tables ? FINDING_NOTE : FINDING_OK,
			   "frame pointers break in %u of %u objects: --call-graph %s", n->lost,
			   n->lost + n->kept, n->kept ? "auto" : "dwarf");
	if (n->no_tables)
		finding_means(row, "%u objects have neither: stacks end in them", n->no_tables);
	else if (n->kept)
		finding_means(row, "unwind tables are used where frame pointers are not kept");
	else
		finding_means(
			row,
			"unwind tables are there; frame pointers are used where code has none");
	if (n->kept)
		return "--call-graph auto";
	/* without a size larger copies take over where stacks are longer */
	return "--call-graph dwarf";
}

/* What is made while the program runs cannot be judged before. */
static void tell_jit_callers(struct findings *out)
{
	struct finding *row = findings_add(
		out, "jit-callers", FINDING_NOTE,
		"code that is compiled while the program runs seldom has unwind tables");

	finding_means(
		row,
		"where its instructions do not tell its callers, these are guesses, which perf report "
		"--guessed-callers shows; perf doctor FILE tells how many");
	out->partly = true;
}

static void make_command(const struct machine_facts *facts, const struct needs *n,
			 struct findings *out, struct strbuf *cmd)
{
	u32 rate = facts->limits.max_sample_rate;
	const char *graph = choose_graph(n, out);

	if (n->other_user)
		strbuf_adds(cmd, "sudo ");
	strbuf_addf(cmd, "perf record -e %s%s -F %u %s", facts->open_pmu ? "cpu-clock" : "cycles",
		    n->other_user || sys_may_profile_kernel(&facts->limits) ? "" : ":u",
		    rate && rate < FREQUENCY ? rate : (u32)FREQUENCY, graph);
	if (n->jit && strcmp(graph, "-g") != 0)
		tell_jit_callers(out);
	if (n->jitdump)
		strbuf_adds(cmd, " -k mono");
}

int doctor_processes(const char *list, const struct machine_facts *facts, struct findings *out,
		     struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf cmd = STRBUF_INIT;
	struct capture_target target = { 0 };
	_cleanup_(needs_release) struct needs needs = { 0 };
	int r = need_proc(facts, e);

	if (r == 0)
		r = capture_target_pids(&target, list, e);
	VEC_FOR(&target.groups, pid)
		if (r == 0)
			r = look_at_pid(*pid, facts, &needs, out, e);
	capture_target_release(&target);
	if (r < 0)
		return -1;
	machine_check_permission(facts, out);
	make_command(facts, &needs, out, &cmd);
	strbuf_addf(&cmd, " -p %s -- sleep 10", list);
	out->mode = "target";
	out->subject = xstrdup(list);
	out->record = strbuf_detach(&cmd);
	return 0;
}

/* What makes the compiler name its code, where the command names it itself: not a script that it
 * runs. */
static const char *flags_of(const struct jit_runtime *jit, const char *program)
{
	return jit && jit_of_file(program) == jit ? jit->flags : NULL;
}

int doctor_command(int argc, const char **argv, const struct machine_facts *facts,
		   struct findings *out, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf cmd = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf words = STRBUF_INIT;
	_cleanup_(needs_release) struct needs needs = { 0 };
	const char *flags;
	pid_t pid;
	int r;

	if (need_proc(facts, e) < 0 || program_load(argv, &pid, e) < 0)
		return -1;
	r = look_at_pid(pid, facts, &needs, out, e);
	program_end(pid);
	if (r < 0)
		return -1;
	machine_check_permission(facts, out);
	if (needs.untold && needs.untold->variable)
		strbuf_addf(&cmd, "%s ", needs.untold->variable);
	make_command(facts, &needs, out, &cmd);
	strbuf_adds(&cmd, " -- ");
	flags = flags_of(needs.untold, argv[0]);
	if (!flags && flags_of(needs.frameless, argv[0]))
		flags = needs.frameless->frames;
	for (int i = 0; i < argc; i++) {
		strbuf_adds(&words, i ? " " : "");
		words_quote(&words, argv[i]);
		words_quote(&cmd, argv[i]);
		if (!i && flags)
			strbuf_addf(&cmd, " %s", flags);
		strbuf_adds(&cmd, i + 1 < argc ? " " : "");
	}
	out->mode = "target";
	out->subject = strbuf_detach(&words);
	out->record = strbuf_detach(&cmd);
	return 0;
}
