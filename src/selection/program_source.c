/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selection/program_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/run.h"
#include "base/rw.h"
#include "bpf/object.h"

/* Headers of the kernel's source as far as programs for perf include them. */
static const char bpf_header[] =
	"#include <linux/bpf.h>\n"
	"#include <linux/types.h>\n"
	"typedef __u8 u8; typedef __u16 u16; typedef __u32 u32; typedef __u64 u64;\n"
	"typedef __s8 s8; typedef __s16 s16; typedef __s32 s32; typedef __s64 s64;\n";
/* Registers have the kernel's names there, as <bpf/bpf_tracing.h> expects of its headers. */
static const char ptrace_header[] = "#pragma once\n"
				    "#ifndef __KERNEL__\n#define __KERNEL__ 1\n#endif\n"
				    "#include <uapi/linux/bpf.h>\n"
				    "struct pt_regs {\n"
#if defined(__aarch64__)
				    "	u64 regs[31], sp, pc, pstate;\n"
#else
				    "	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;\n"
				    "	unsigned long orig_ax, ip, cs, flags, sp, ss;\n"
#endif
				    "};\n";

/*
 * Its arguments are its environment. The object goes to descriptor 3 (RUN_FD). It removes its own
 * folder, also where perf is killed. Exit 127: there is no such compiler; 126: the kernel's folder
 * is none, whose own build tells how it finds its headers.
 */
static const char script[] =
	"for setting; do export \"$setting\"; done\n"
	"command -v \"$CLANG_EXEC\" >/dev/null || exit 127\n"
	"dir=$(mktemp -d) || exit 1\n"
	"trap 'rm -rf \"$dir\"' EXIT\n"
	"trap 'exit 1' HUP INT TERM\n"
	"mkdir -p \"$dir/include/uapi/linux\" \"$dir/rest\" \"$dir/kbuild\"\n"
	"printf %s \"$BPF_HEADER\" >\"$dir/include/uapi/linux/bpf.h\"\n"
	"printf %s \"$PTRACE_HEADER\" >\"$dir/include/uapi/linux/ptrace.h\"\n"
	/* what is not written here is the machine's: <uapi/NAME> is what others call <NAME> */
	"ln -s /usr/include \"$dir/rest/uapi\"\n"
	"PERF_BPF_INC_OPTIONS=\"-I$dir/include -I$dir/rest -idirafter "
	"/usr/include/$(uname -m)-linux-gnu\"\n"
	"if [ -n \"$KERNEL_DIR\" ]; then\n"
	"	printf '%s\\n' '$(info KERNEL: $(NOSTDINC_FLAGS) $(LINUXINCLUDE))' "
	"'obj-y := none.o' >\"$dir/kbuild/Makefile\"\n"
	"	said=$(make -s -C \"$KERNEL_DIR\" M=\"$dir/kbuild\" $KERNEL_OPTIONS -n none.o)\n"
	"	KERNEL_INC_OPTIONS=$(printf '%s\\n' \"$said\" | sed -n 's/^KERNEL: //p' | head -n 1)\n"
	"	[ -n \"$KERNEL_INC_OPTIONS\" ] || { printf '%s\\n' \"$said\"; exit 126; }\n"
	"	KERNEL_INC_OPTIONS=\"-D__KERNEL__ $KERNEL_INC_OPTIONS\"\n"
	/* what is not absolute among these begins there */
	"	WORKING_DIR=$KERNEL_DIR\n"
	"fi\n"
	"export KERNEL_INC_OPTIONS PERF_BPF_INC_OPTIONS\n"
	"/bin/sh -c \"$COMMAND\" >&3\n";

static const char usual_command[] =
	"\"$CLANG_EXEC\" -D__NR_CPUS__=$NR_CPUS -D__NR_CPUS=$NR_CPUS "
	"-DLINUX_VERSION_CODE=$LINUX_VERSION_CODE $CLANG_OPTIONS $PERF_BPF_INC_OPTIONS "
	"$KERNEL_INC_OPTIONS -Wno-unused-value -Wno-pointer-sign -working-directory "
	"\"$WORKING_DIR\" -c \"$CLANG_SOURCE\" -target bpf $CLANG_EMIT_LLVM -O2 -g -o - "
	"$LLVM_OPTIONS_PIPE";

/* LINUX_VERSION_CODE of the running kernel. */
static u32 kernel_version(void)
{
	struct utsname u;
	u32 major = 0, minor = 0, patch = 0;

	if (!uname(&u))
		sscanf(u.release, "%u.%u.%u", &major, &minor, &patch);
	return (major << 16) + (minor << 8) + MIN(patch, 255);
}

/* "NAME=VALUE", freed by the caller. */
struct environment {
	VEC(char *) words;
};

static void put(struct environment *env, const char *name, const char *value)
{
	*VEC_PUSH(&env->words) = xasprintf("%s=%s", name, value ? value : "");
}

static void put_number(struct environment *env, const char *name, u64 value)
{
	*VEC_PUSH(&env->words) = xasprintf("%s=%llu", name, (unsigned long long)value);
}

/* A pipe in a variable would be a word: its text is put in place of its name. */
static char *command_with(const char *command, const char *pipe)
{
	static const char name[] = "$LLVM_OPTIONS_PIPE";
	const char *at = strstr(command, name);

	return at ? xasprintf("%.*s%s%s", (int)(at - command), command, pipe, at + strlen(name))
		  : xstrdup(command);
}

static void describe(struct environment *env, const char *source, const struct event_compiler *c)
{
	_cleanup_(mem_freep) char *full = realpath(source, NULL);
	_cleanup_(mem_freep) char *here = getcwd(NULL, 0);
	_cleanup_(mem_freep) char *llc =
		c->llc_options ? xasprintf("| llc -march=bpf %s -filetype=obj -o -", c->llc_options)
			       : xstrdup("");
	_cleanup_(mem_freep) char *command = command_with(c->command ? c->command : usual_command,
							  llc);
	put(env, "CLANG_EXEC", c->clang ? c->clang : "clang");
	put(env, "CLANG_OPTIONS", c->options);
	put(env, "CLANG_SOURCE", full ? full : source);
	put(env, "CLANG_EMIT_LLVM", c->llc_options ? "-emit-llvm" : "");
	put(env, "WORKING_DIR", here);
	put(env, "KERNEL_DIR", c->kernel_dir);
	put(env, "KERNEL_OPTIONS", c->kernel_options);
	put(env, "COMMAND", command);
	put_number(env, "NR_CPUS", (u64)sysconf(_SC_NPROCESSORS_CONF));
	put_number(env, "LINUX_VERSION_CODE", kernel_version());
	put(env, "BPF_HEADER", bpf_header);
	put(env, "PTRACE_HEADER", ptrace_header);
}

static int run_compiler(const struct environment *env, int object, struct strbuf *said)
{
	enum { MAX_TEXT = 64 << 10 };
	const struct run_opts o = { .fd = object, .max = MAX_TEXT, .with_errors = true };
	VEC(const char *) argv = { 0 };
	int r;

	*VEC_PUSH(&argv) = "/bin/sh";
	*VEC_PUSH(&argv) = "-c";
	*VEC_PUSH(&argv) = script;
	*VEC_PUSH(&argv) = "sh";
	VEC_FOR(&env->words, word)
		*VEC_PUSH(&argv) = *word;
	*VEC_PUSH(&argv) = NULL;
	r = run_for_output(argv.v, &o, said);
	vec_free(&argv);
	return r;
}

/* To the file that is open as object. */
static int compile(const char *source, int object, const struct event_compiler *c, struct err *e)
{
	enum { NO_KERNEL = 126, NOT_FOUND = 127 };
	_cleanup_(strbuf_releasep) struct strbuf said = STRBUF_INIT;
	struct environment env = { .words = { 0 } };
	int r;

	describe(&env, source, c);
	r = run_compiler(&env, object, &said);
	VEC_FOR(&env.words, word)
		free(*word);
	vec_free(&env.words);
	if (!r)
		return 0;
	if (r == NOT_FOUND) {
		err_set(e, ENOENT, "cannot compile '%s': there is no %s", source,
			c->clang ? c->clang : "clang");
		err_hint(e, "install clang, or compile it elsewhere and name the object file");
		return -1;
	}
	if (r == NO_KERNEL)
		err_set(e, EINVAL, "'%s' does not tell where the kernel's headers are%s%s",
			c->kernel_dir, said.len ? ":\n" : "", said.len ? said.buf : "");
	else
		err_set(e, EINVAL, "clang does not compile '%s'%s%s", source, said.len ? ":\n" : "",
			said.len ? said.buf : "");
	if (!c->kernel_dir && said.len && strstr(said.buf, "file not found"))
		err_hint(e, "llvm.kbuild-dir in ~/.perfconfig names the kernel's build folder");
	return -1;
}

/* FILE.o beside the source, as a user wants it (llvm.dump-obj). */
static int keep_object(const char *source, const char *object, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf bytes = STRBUF_INIT;
	_cleanup_(mem_freep) char *path = xstrdup(source);
	FILE *f;
	bool fine;

	path[strlen(path) - 1] = 'o';
	if (rw_slurp(object, &bytes, e))
		return -1;
	f = fopen(path, "we");
	fine = f && fwrite(bytes.buf, 1, bytes.len, f) == bytes.len;
	if (f && fclose(f))
		fine = false;
	return fine ? 0 : err_sys(e, errno, "cannot write '%s'", path);
}

struct bpf_file *program_source_open(const char *path, const struct event_compiler *c,
				     struct err *e)
{
	_cleanup_(mem_closep) int object = memfd_create("perf-bpf", MFD_CLOEXEC);
	_cleanup_(mem_freep) char *name = xasprintf("/proc/self/fd/%d", object);

	if (access(path, R_OK) || object < 0) {
		err_sys(e, errno, "cannot compile '%s'", path);
		return NULL;
	}
	if (compile(path, object, c, e) || (c->keeps_object && keep_object(path, name, e)))
		return NULL;
	return bpf_file_open(name, path, e);
}
