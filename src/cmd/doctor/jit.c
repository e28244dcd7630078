/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/doctor/jit.h"

#include <stdlib.h>
#include <string.h>

/* The first row whose file begins a name counts. */
static const struct jit jits[] = {
	{ "Node.js", "node", { "--perf-basic-prof", "--perf-prof", "--perf-basic-prof-only-functions" },
	  "node --perf-basic-prof --interpreted-frames-native-stack ...",
	  "V8's code keeps frame pointers", false },
	{ "Node.js", "libnode.so", { "--perf-basic-prof", "--perf-prof" },
	  "node --perf-basic-prof --interpreted-frames-native-stack ...",
	  "V8's code keeps frame pointers", false },
	{ "Java", "libjvm.so", { "-XX:+DumpPerfMapAtExit", "-agentpath:" },
	  "java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit ...",
	  "callers need -XX:+PreserveFramePointer; jcmd PID Compiler.perfmap writes the names of a "
	  "process that runs", false },
	{ "Java", "java", { "-XX:+DumpPerfMapAtExit", "-agentpath:" },
	  "java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit ...",
	  "callers need -XX:+PreserveFramePointer; jcmd PID Compiler.perfmap writes the names of a "
	  "process that runs", false },
	{ "Python", "python3", { "-Xperf", "perf", "perf_jit", "PYTHONPERFSUPPORT=1", "PYTHON_PERF_JIT_SUPPORT=1" },
	  "python3 -X perf ...", "Python 3.12 and later; without it the interpreter's own functions are all that is "
	  "seen", false },
	{ "Python", "libpython3", { "-Xperf", "perf", "perf_jit", "PYTHONPERFSUPPORT=1", "PYTHON_PERF_JIT_SUPPORT=1" },
	  "python3 -X perf ...", "Python 3.12 and later; without it the interpreter's own functions are all that is "
	  "seen", false },
	{ ".NET", "libcoreclr.so", { "DOTNET_PerfMapEnabled=1", "COMPlus_PerfMapEnabled=1" },
	  "DOTNET_PerfMapEnabled=1 dotnet ...", NULL, false },
	{ "Mono", "mono", { "--jitmap" }, "mono --jitmap ...", NULL, false },
	{ "Mono", "libmono", { "--jitmap" }, "mono --jitmap ...", NULL, false },
	{ "LuaJIT", "luajit", { NULL }, NULL, "LuaJIT writes no names for perf; run with -joff to see the "
	  "interpreter instead", false },
	{ "LuaJIT", "libluajit", { NULL }, NULL, "LuaJIT writes no names for perf; switch it off (jit.off()) to "
	  "see the interpreter instead", false },
	{ "Erlang", "beam.smp", { "+JPperf" }, "erl +JPperf true ...", NULL, false },
	{ "Ruby", "libruby", { "--yjit-perf" }, "ruby --yjit --yjit-perf ...",
	  "only YJIT compiles; the interpreter needs nothing", false },
	{ "PHP", "php", { "opcache.jit_debug=16", "opcache.jit_debug=0x10" },
	  "php -d opcache.jit_debug=16 ...", "only with opcache.jit", false },
	{ "Julia", "libjulia", { "ENABLE_JITPROFILING=1" }, "ENABLE_JITPROFILING=1 julia ...", NULL, true },
	{ "QEMU", "qemu-", { "-perfmap", "-jitdump" }, "qemu-... -perfmap ...", NULL, false },
	{ "Wasmtime", "wasmtime", { "--profile=perfmap", "--profile=jitdump", "perfmap", "jitdump" },
	  "wasmtime --profile=perfmap ...", NULL, false },
};

/* Names of threads, which are no files. */
static const struct {
	const char *comm, *file;
} comms[] = {
	{ "node", "node" }, { "MainThread", "node" }, { "java", "libjvm.so" }, { "C2 CompilerThre", "libjvm.so" },
	{ "C1 CompilerThre", "libjvm.so" }, { "python", "python3" }, { "dotnet", "libcoreclr.so" },
	{ "mono", "mono" }, { "luajit", "luajit" }, { "beam.smp", "beam.smp" }, { "erts_sched", "beam.smp" },
	{ "julia", "libjulia" }, { "ruby", "libruby" }, { "php", "php" }, { "qemu-", "qemu-" },
};

const struct jit *jit_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	for (size_t i = 0; i < ARRAY_SIZE(jits); i++) {
		size_t len = strlen(jits[i].file);
		char next = strncmp(base, jits[i].file, len) == 0 ? base[len] : 'x';

		/* "node" is not "node_exporter"; libruby-2.7.so is a libruby */
		if (!next || strchr("0123456789.-", next) || jits[i].file[len - 1] == '-')
			if (strncmp(base, jits[i].file, len) == 0)
				return &jits[i];
	}
	return NULL;
}

const struct jit *jit_of_comm(const char *comm)
{
	for (size_t i = 0; i < ARRAY_SIZE(comms); i++)
		if (strncmp(comm, comms[i].comm, strlen(comms[i].comm)) == 0)
			return jit_of_file(comms[i].file);
	return NULL;
}

const char *jit_told_by(const struct jit *jit, const char *words, size_t size)
{
	for (const char *word = words; word < words + size; word += strlen(word) + 1) {
		for (size_t i = 0; i < ARRAY_SIZE(jit->told_by) && jit->told_by[i]; i++) {
			const char *want = jit->told_by[i];
			size_t len = strlen(want);

			/* a whole word, one with a value, or (NODE_OPTIONS="...") a part */
			if (strncmp(word, want, len) == 0 && (!word[len] || strchr("=:", word[len]) ||
							      want[len - 1] == ':'))
				return want;
			if (want[0] == '-' && strchr(word, '=') && strstr(word, want))
				return want;
		}
	}
	return NULL;
}
