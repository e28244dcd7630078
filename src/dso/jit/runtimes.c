/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/jit/runtimes.h"

#include <stdlib.h>
#include <string.h>

#define JAVA_FLAGS "-XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit"

/* By the first row of which a file fits (length_of_file()). */
static const struct jit_runtime jits[] = {
	{ "Node.js",
	  { "node", "libnode.so" },
	  { "--perf-basic-prof", "--perf-prof", "--perf-basic-prof-only-functions" },
	  "node --perf-basic-prof --interpreted-frames-native-stack ...",
	  "V8's code keeps frame pointers",
	  .flags = "--perf-basic-prof --interpreted-frames-native-stack" },
	{ "Java",
	  { "java", "libjvm.so" },
	  { "-XX:+DumpPerfMapAtExit", "-agentpath:" },
	  "java " JAVA_FLAGS " ...",
	  "callers need -XX:+PreserveFramePointer; jcmd PID Compiler.perfmap writes the names of a "
	  "process that runs",
	  .flags = JAVA_FLAGS,
	  .frames = "-XX:+PreserveFramePointer" },
	{ "Python",
	  { "python3", "libpython3" },
	  { "-Xperf", "perf", "perf_jit", "PYTHONPERFSUPPORT=1", "PYTHON_PERF_JIT_SUPPORT=1" },
	  "python3 -X perf ...",
	  "without it the interpreter's own functions are all that is seen",
	  .flags = "-X perf",
	  .since = 12 },
	{ ".NET",
	  { "libcoreclr.so" },
	  { "DOTNET_PerfMapEnabled=1", "COMPlus_PerfMapEnabled=1" },
	  "DOTNET_PerfMapEnabled=1 dotnet ...",
	  .variable = "DOTNET_PerfMapEnabled=1" },
	{ "Mono", { "mono", "libmono" }, { "--jitmap" }, "mono --jitmap ...", .flags = "--jitmap" },
	{ "LuaJIT",
	  { "luajit", "libluajit" },
	  { NULL },
	  NULL,
	  "LuaJIT writes no names for perf; switch it off (-joff, jit.off()) to see the "
	  "interpreter instead" },
	{ "Erlang", { "beam.smp" }, { "+JPperf" }, "erl +JPperf true ..." },
	{ "Ruby",
	  { "libruby" },
	  { "--yjit-perf" },
	  "ruby --yjit --yjit-perf ...",
	  "only YJIT compiles; the interpreter needs nothing" },
	{ "PHP",
	  { "php" },
	  { "opcache.jit_debug=16", "opcache.jit_debug=0x10" },
	  "php -d opcache.jit_debug=16 ...",
	  "only with opcache.jit",
	  .flags = "-d opcache.jit_debug=16" },
	{ "Julia",
	  { "libjulia" },
	  { "ENABLE_JITPROFILING=1" },
	  "ENABLE_JITPROFILING=1 julia ...",
	  .jitdump = true,
	  .variable = "ENABLE_JITPROFILING=1" },
	{ "QEMU",
	  { "qemu-" },
	  { "-perfmap", "-jitdump" },
	  "qemu-... -perfmap ...",
	  .flags = "-perfmap" },
	{ "Wasmtime",
	  { "wasmtime" },
	  { "--profile=perfmap", "--profile=jitdump", "perfmap", "jitdump" },
	  "wasmtime --profile=perfmap ..." },
};

/* Names of threads, which are no files. */
static const struct {
	const char *comm, *file;
} comms[] = {
	{ "node", "node" },
	{ "MainThread", "node" },
	{ "java", "libjvm.so" },
	{ "C2 CompilerThre", "libjvm.so" },
	{ "C1 CompilerThre", "libjvm.so" },
	{ "python", "python3" },
	{ "dotnet", "libcoreclr.so" },
	{ "mono", "mono" },
	{ "luajit", "luajit" },
	{ "beam.smp", "beam.smp" },
	{ "erts_sched", "beam.smp" },
	{ "julia", "libjulia" },
	{ "ruby", "libruby" },
	{ "php", "php" },
	{ "qemu-", "qemu-" },
};

static const char *without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The length of that of the runtime's files with which a file's name begins; 0 = with none. What
 * follows may be a version (libruby-2.7.so), but no other word (node_exporter). */
static size_t length_of_file(const struct jit_runtime *jit, const char *base)
{
	for (size_t i = 0; i < ARRAY_SIZE(jit->files) && jit->files[i]; i++) {
		size_t len = strlen(jit->files[i]);

		if (strncmp(base, jit->files[i], len) == 0 &&
		    (!base[len] || strchr("0123456789.-", base[len]) ||
		     jit->files[i][len - 1] == '-'))
			return len;
	}
	return 0;
}

const struct jit_runtime *jit_of_file(const char *path)
{
	const char *base = without_folders(path);

	for (size_t i = 0; i < ARRAY_SIZE(jits); i++)
		if (length_of_file(&jits[i], base))
			return &jits[i];
	return NULL;
}

bool jit_is_too_old(const struct jit_runtime *jit, const char *path)
{
	const char *base = without_folders(path);
	size_t len = length_of_file(jit, base);

	return jit->since && len && base[len] == '.' && base[len + 1] >= '0' &&
	       base[len + 1] <= '9' && strtoul(base + len + 1, NULL, 10) < jit->since;
}

const struct jit_runtime *jit_of_comm(const char *comm)
{
	for (size_t i = 0; i < ARRAY_SIZE(comms); i++)
		if (strncmp(comm, comms[i].comm, strlen(comms[i].comm)) == 0)
			return jit_of_file(comms[i].file);
	return NULL;
}

/* A whole word, one with a value, or (NODE_OPTIONS="...") a part. */
static bool is_told(const char *word, const char *want)
{
	size_t len = strlen(want);

	if (strncmp(word, want, len) == 0 &&
	    (!word[len] || strchr("=:", word[len]) || want[len - 1] == ':'))
		return true;
	return want[0] == '-' && strchr(word, '=') && strstr(word, want);
}

const char *jit_told_by(const struct jit_runtime *jit, const char *words, size_t size)
{
	for (const char *word = words; word < words + size; word += strlen(word) + 1)
		for (size_t i = 0; i < ARRAY_SIZE(jit->told_by) && jit->told_by[i]; i++)
			if (is_told(word, jit->told_by[i]))
				return jit->told_by[i];
	return NULL;
}

bool jit_keeps_frames(const struct jit_runtime *jit, const char *words, size_t size)
{
	if (!jit->frames)
		return true;
	for (const char *word = words; word < words + size; word += strlen(word) + 1)
		if (word[0] == '@' || is_told(word, jit->frames))
			return true;
	return false;
}
