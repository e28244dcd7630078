/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/object.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/vec.h"
#include "bpf/library.h"
#include "bpf/object_bytes.h"
#include "bpf/old_conventions.h"

struct bpf_file {
	char *path;
	struct strbuf bytes;
	struct bpf_object *object;
	struct old_maps old_maps;
	VEC(struct bpf_program *) programs;
	VEC(struct bpf_insns)
	before; /* instructions in front of each of these; none = none has any */
	VEC(struct bpf_link *) links;
};

/* That libbpf is loading, in this thread. */
static _Thread_local const struct bpf_file *loading;

static int wrong(const struct bpf_file *f, struct err *e, const char *what)
{
	err_set(e, EINVAL, "cannot load '%s': %s", f->path, what);
	err_hint(e, "compile it with 'clang -O2 -g -target bpf -c PROG.c -o PROG.o'");
	return -1;
}

static int read_file(struct bpf_file *f, const char *path, struct err *e)
{
	_cleanup_(mem_closep) int fd = input_open(path, 0, e);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && st.st_size > BPF_FILE_BYTES)
		return err_set(e, EFBIG, "cannot load '%s': it is larger than %d MB", f->path,
			       BPF_FILE_BYTES >> 20);
	return rw_slurp_fd(fd, f->path, &f->bytes, e);
}

/* Bytes that the kernel will need for it, roughly. */
static u64 map_bytes(const struct bpf_map *map)
{
	u64 entry = (u64)bpf_map__key_size(map) + bpf_map__value_size(map);
	u64 nr = bpf_map__max_entries(map);

	switch (bpf_map__type(map)) {
	case BPF_MAP_TYPE_RINGBUF:
		return nr;
	case BPF_MAP_TYPE_PERCPU_ARRAY:
	case BPF_MAP_TYPE_PERCPU_HASH:
	case BPF_MAP_TYPE_LRU_PERCPU_HASH:
		entry *= (u64)sysconf(_SC_NPROCESSORS_CONF);
		break;
	default:
		break;
	}
	return nr && entry > UINT64_MAX / nr ? UINT64_MAX : entry * nr;
}

static int check_maps(const struct bpf_file *f, struct err *e)
{
	const u64 limit = (u64)BPF_FILE_MAP_MB << 20;
	struct bpf_map *map = NULL;
	u64 bytes = 0;
	size_t nr = 0;

	while ((map = bpf_object__next_map(f->object, map)) != NULL) {
		u64 more = map_bytes(map);

		if (++nr > BPF_FILE_PARTS)
			return err_set(e, E2BIG, "cannot load '%s': it has more than %d maps",
				       f->path, BPF_FILE_PARTS);
		if (more > limit || (bytes += more) > limit)
			return err_set(e, E2BIG, "cannot load '%s': its maps take more than %d MB",
				       f->path, BPF_FILE_MAP_MB);
		if (bpf_map__pin_path(map))
			bpf_map__set_pin_path(map, NULL);
	}
	return 0;
}

/* Sections that only perf knows: SYSTEM:NAME is a tracepoint, [NAME=]FUNCTION a probe. */
static enum bpf_prog_type type_of_section(const char *section)
{
	return strchr(section, ':') && !strchr(section, '=') ? BPF_PROG_TYPE_TRACEPOINT
							     : BPF_PROG_TYPE_KPROBE;
}

static int find_programs(struct bpf_file *f, struct err *e)
{
	struct bpf_program *p = NULL;

	while ((p = bpf_object__next_program(f->object, p)) != NULL) {
		*VEC_PUSH(&f->programs) = p;
		if (bpf_program__type(p) == BPF_PROG_TYPE_UNSPEC)
			bpf_program__set_type(p, type_of_section(bpf_program__section_name(p)));
	}
	if (!f->programs.nr)
		return wrong(f, e, "it has no BPF program");
	if (f->programs.nr > BPF_FILE_PARTS)
		return err_set(e, E2BIG, "cannot load '%s': it has more than %d programs", f->path,
			       BPF_FILE_PARTS);
	return 0;
}

static int refuse(const struct bpf_file *f, struct err *e, int code)
{
	enum { LIBBPF_OWN_CODES = 4000 };

	err_sys(e, code < LIBBPF_OWN_CODES ? code : EINVAL,
		"cannot load '%s': the kernel does not take it", f->path);
	if (code == EPERM)
		err_hint(e, "it needs root, or the capabilities CAP_BPF and CAP_PERFMON");
	else
		bpf_library_hint(e);
	return -1;
}

/* Called for programs whose sections libbpf does not know. */
static int put_before(struct bpf_program *p, struct bpf_prog_load_opts *opts UNUSED,
		      long cookie UNUSED)
{
	_cleanup_(mem_freep) struct bpf_insn *all = NULL;
	size_t nr = bpf_program__insn_cnt(p), more = 0;

	for (size_t i = 0; loading && i < loading->before.nr; i++) {
		const struct bpf_insns *code = &loading->before.v[i];

		if (loading->programs.v[i] != p || !code->nr)
			continue;
		more = code->nr;
		all = xrealloc_array(NULL, nr + more, sizeof(*all));
		memcpy(all, code->v, more * sizeof(*all));
		memcpy(all + more, bpf_program__insns(p), nr * sizeof(*all));
	}
	return more ? bpf_program__set_insns(p, all, nr + more) : 0;
}

/* libbpf asks before it loads such a program. */
static int hear_of_programs(struct err *e)
{
	static bool done;
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = put_before);
	int r = done ? 0 : libbpf_register_prog_handler(NULL, BPF_PROG_TYPE_UNSPEC, 0, &opts);

	if (r < 0)
		return err_sys(e, -r, "libbpf does not take sections of perf's own");
	done = true;
	return 0;
}

static int open_checked(struct bpf_file *f, struct err *e)
{
	const char *slash = strrchr(f->path, '/');
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = slash ? slash + 1 : f->path);

	if (hear_of_programs(e))
		return -1;
	f->object = bpf_object__open_mem(f->bytes.buf, f->bytes.len, &opts);
	if (!f->object) {
		err_set(e, EINVAL, "cannot load '%s': libbpf does not take it", f->path);
		bpf_library_hint(e);
		return -1;
	}
	return check_maps(f, e) < 0 || find_programs(f, e) < 0 ? -1 : 0;
}

/*
 * libbpf reads damaged type information where there is no memory (1.1 does): a process of its own
 * tries the file first. What it has loaded ends with it. False: it did not survive that.
 */
static bool survives(struct bpf_file *f)
{
	enum { FINE, REFUSED = 3, SECONDS = 20 };
	static const int deadly[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM };
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		const struct rlimit no_core = { 0, 0 };
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		setrlimit(RLIMIT_CORE, &no_core);
		dup2(null, STDERR_FILENO);
		for (size_t i = 0; i < ARRAY_SIZE(deadly); i++)
			signal(deadly[i], SIG_DFL);
		alarm(SECONDS);
		_exit(open_checked(f, NULL) == 0 && bpf_object__load(f->object) == 0 ? FINE
										     : REFUSED);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid < 0 || (WIFEXITED(status) &&
			   (WEXITSTATUS(status) == FINE || WEXITSTATUS(status) == REFUSED));
}

static int open_file(struct bpf_file *f, const char *path, struct err *e)
{
	const char *bad;

	if (read_file(f, path, e) < 0)
		return -1;
	bad = object_bytes_wrong(&f->bytes);
	if (bad)
		return wrong(f, e, bad);
	if (bpf_library_load(e) < 0 || old_conventions_take(&f->bytes, &f->old_maps, e) < 0) {
		err_prefix(e, "cannot load '%s'", f->path);
		return -1;
	}
	if (!survives(f))
		return wrong(f, e, "the file is damaged");
	return open_checked(f, e);
}

struct bpf_file *bpf_file_open(const char *path, const char *called, struct err *e)
{
	struct bpf_file *f = XNEW(struct bpf_file);

	f->path = xstrdup(called);
	f->bytes = (struct strbuf)STRBUF_INIT;
	if (open_file(f, path, e) == 0)
		return f;
	bpf_file_free(f);
	return NULL;
}

void bpf_file_put_before(struct bpf_file *f, size_t i, const struct bpf_insns *code)
{
	while (f->before.nr < f->programs.nr)
		*VEC_PUSH(&f->before) = (struct bpf_insns){ 0 };
	VEC_FOR(code, insn)
		*VEC_PUSH(&f->before.v[i]) = *insn;
}

int bpf_file_load(struct bpf_file *f, struct err *e)
{
	int r;

	loading = f;
	r = bpf_object__load(f->object);
	loading = NULL;
	return r < 0 ? refuse(f, e, -r) : 0;
}

void bpf_file_free(struct bpf_file *f)
{
	if (!f)
		return;
	VEC_FOR(&f->links, link)
		bpf_link__destroy(*link);
	vec_free(&f->links);
	vec_free(&f->programs);
	VEC_FOR(&f->before, code)
		vec_free(code);
	vec_free(&f->before);
	if (f->object)
		bpf_object__close(f->object);
	old_maps_release(&f->old_maps);
	strbuf_release(&f->bytes);
	free(f->path);
	free(f);
}

size_t bpf_file_nr_programs(const struct bpf_file *f)
{
	return f->programs.nr;
}

struct bpf_file_program bpf_file_program(const struct bpf_file *f, size_t i)
{
	const struct bpf_program *p = f->programs.v[i];

	return (struct bpf_file_program){
		.name = bpf_program__name(p),
		.section = bpf_program__section_name(p),
		.fd = bpf_program__fd(p),
	};
}

static int attach(struct bpf_file *f, size_t i, struct err *e)
{
	const struct bpf_program *p = f->programs.v[i];
	struct bpf_link *link = bpf_program__attach(p);
	int code = errno;

	if (link) {
		*VEC_PUSH(&f->links) = link;
		return 0;
	}
	err_sys(e, code, "cannot attach program '%s' of '%s' at '%s'", bpf_program__name(p),
		f->path, bpf_program__section_name(p));
	if (code == EOPNOTSUPP)
		err_hint(e, "its section names no place, as tp/sched/sched_switch does");
	else
		bpf_library_hint(e);
	return -1;
}

int bpf_file_attach_link(struct bpf_file *f, size_t i, struct err *e)
{
	int fd;

	if (attach(f, i, e) < 0)
		return -1;
	fd = fcntl(bpf_link__fd(*VEC_LAST(&f->links)), F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? err_sys(e, errno, "cannot keep a BPF program") : fd;
}

bool bpf_file_find_map(const struct bpf_file *f, const char *name, struct bpf_file_map *map)
{
	const struct bpf_map *m = bpf_object__find_map_by_name(f->object, name);

	VEC_FOR(&f->old_maps, old) {
		if (!strcmp(old->map.name, name)) {
			*map = old->map;
			return true;
		}
	}
	if (!m)
		return false;
	*map = (struct bpf_file_map){
		.name = bpf_map__name(m),
		.type = bpf_map__type(m),
		.key_size = bpf_map__key_size(m),
		.value_size = bpf_map__value_size(m),
		.max_entries = bpf_map__max_entries(m),
		.fd = bpf_map__fd(m),
	};
	return true;
}

int bpf_put_value(int map_fd, u32 key, u64 value, u32 bytes)
{
	u8 number[sizeof(value)] = { 0 };

	for (u32 i = 0; i < bytes && i < sizeof(number); i++) {
		u32 at = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : bytes - 1 - i;

		number[at] = (u8)(value >> (8 * i));
	}
	return bpf_map_update_elem(map_fd, &key, number, BPF_ANY);
}
