/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

enum {
	LINE_MAX_LENGTH = 240,
	VERIFIER_LINES = 3,
	PID_INIT_INO = 0xEFFFFFFC, /* inode of the initial pid namespace */
};

static _Thread_local struct {
	char first[LINE_MAX_LENGTH], verifier[LINE_MAX_LENGTH];
} said;

/* The text of so many bytes, or its end, with its lines joined and without what terminals obey. */
static void keep(char to[LINE_MAX_LENGTH], const char *text, size_t len)
{
	static const char more[] = "...";
	size_t n = 0;

	if (len >= LINE_MAX_LENGTH) {
		n = strlen(more);
		memcpy(to, more, n);
		text += len - (LINE_MAX_LENGTH - 1 - n);
		len = LINE_MAX_LENGTH - 1 - n;
	}
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n' && n && n + 2 < LINE_MAX_LENGTH)
			to[n++] = ';';
		to[n++] = isprint((unsigned char)text[i]) ? text[i] : ' ';
		if (n + 1 >= LINE_MAX_LENGTH)
			break;
	}
	while (n && (to[n - 1] == ' ' || to[n - 1] == ';'))
		n--;
	to[n] = '\0';
}

/* The verifier's log ends with what was wrong, and how much it had looked at. */
static void keep_verifier(const char *log, const char *end)
{
	static const char statistics[] = "processed ";
	const char *from = end;

	for (int lines = 0; from > log && lines < VERIFIER_LINES; lines++) {
		const char *last = from - 1;

		while (last > log && last[-1] != '\n')
			last--;
		if (!strncmp(last, statistics, strlen(statistics))) {
			end = last;
			lines--;
		}
		from = last;
	}
	keep(said.verifier, from, (size_t)(end - from));
}

static int PRINTF_LIKE(2, 0) listen(enum libbpf_print_level level, const char *format, va_list args)
{
	static const char begin[] = "BEGIN PROG LOAD LOG --\n", end[] = "-- END PROG LOAD LOG";
	_cleanup_(mem_freep) char *text = NULL;
	const char *from, *to;

	if (level != LIBBPF_WARN || vasprintf(&text, format, args) < 0)
		return 0;
	from = strstr(text, begin);
	to = from ? strstr(from, end) : NULL;
	if (to)
		keep_verifier(from + strlen(begin), to);
	else if (!said.first[0])
		keep(said.first, text, strlen(text));
	return 0;
}

void bpf_library_hint(struct err *e)
{
	static const char tag[] = "libbpf: ";
	const char *line = said.first;

	if (!strncmp(line, tag, strlen(tag)))
		line += strlen(tag);
	if (said.verifier[0])
		err_hint(e, "the kernel says: %s", said.verifier);
	else if (line[0])
		err_hint(e, "libbpf says: %s", line);
}

static void forget(void)
{
	said.first[0] = said.verifier[0] = '\0';
}

#ifdef LIBBPF_LINKED
int bpf_library_load(struct err *e UNUSED)
{
	forget();
	libbpf_set_print(listen);
	return 0;
}
#else
struct libbpf libbpf;

static int find_functions(void *lib, struct err *e)
{
#define TAKE(name)                                                                                 \
	*(void **)&libbpf.name = dlsym(lib, #name);                                                \
	if (!libbpf.name)                                                                          \
		return err_set(e, ENOENT, "the installed libbpf has no " #name "()");
	LIBBPF_FUNCTIONS(TAKE)
	return 0;
}

int bpf_library_load(struct err *e)
{
	static bool loaded;
	void *lib;

	forget();
	if (loaded)
		return 0;
	lib = dlopen("libbpf.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!lib) {
		err_set(e, ENOENT, "libbpf cannot be loaded: %s", dlerror());
		err_hint(e, "install libbpf1");
		return -1;
	}
	if (find_functions(lib, e) < 0)
		return -1;
	loaded = true;
	libbpf_set_print(listen);
	return 0;
}
#endif

/* ------------------------------------------------------------------ what programs need */

int bpf_check_pids(const char *doing, struct err *e)
{
	struct stat st;

	if (!stat("/proc/self/ns/pid", &st) && st.st_ino != PID_INIT_INO)
		return err_set(e, ENOTSUP, "cannot %s inside of a pid namespace", doing);
	return 0;
}

int bpf_check_types(const char *doing, struct err *e)
{
	static const char types[] = "/sys/kernel/btf/vmlinux";

	if (access(types, R_OK) < 0) {
		err_sys(e, errno, "cannot %s: cannot open '%s'", doing, types);
		err_hint(e, "it needs a kernel with type information (CONFIG_DEBUG_INFO_BTF)");
		return -1;
	}
	if (bpf_library_load(e) < 0) {
		err_prefix(e, "cannot %s", doing);
		return -1;
	}
	return 0;
}

int bpf_refuse(struct err *e, int code, const char *doing, const char *what)
{
	err_sys(e, code, "cannot %s: %s", doing, what);
	if (code == EPERM || code == EACCES)
		err_hint(e, "it needs root, or the capabilities CAP_BPF and CAP_PERFMON");
	else
		bpf_library_hint(e);
	return -1;
}

int bpf_put_numbers(const struct bpf_map *map, const void *numbers, size_t nr)
{
	const u64 one = 1;
	int r = 0;

	for (size_t i = 0; i < nr && r >= 0; i++)
		r = bpf_map_update_elem(bpf_map__fd(map), (const u32 *)numbers + i, &one, BPF_ANY);
	return r;
}
