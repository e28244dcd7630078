/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own part of the existing state: text, modules, BPF programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/mem.h"
#include "base/rw.h"
#include "capture/synth.h"
#include "perfdata/bpf_info.h"

enum {
	KALLSYMS_HEAD = 16384, /* _stext and _text are in front of all but per-CPU symbols */
	KERNEL_TASK = -1,
};

/* "ffffffff81000000 T _text\n": the address of a name in a text whose last line may be cut. */
static bool find_symbol(const char *text, const char *name, u64 *addr)
{
	size_t len = strlen(name);

	for (const char *p = text; (p = strstr(p, name)); p += len) {
		const char *line = p;

		if (p < text + 3 || p[-1] != ' ' || (p[len] != '\n' && p[len] != '\t'))
			continue;
		while (line > text && line[-1] != '\n')
			line--;
		*addr = strtoull(line, NULL, 16);
		return true;
	}
	return false;
}

/* From /proc/iomem: "  01000000-02209987 : Kernel code". */
static bool iomem_text_size(u64 *size)
{
	struct strbuf sb = STRBUF_INIT;
	const char *p = NULL;
	u64 from = 0, to = 0;

	if (!rw_slurp("/proc/iomem", &sb, NULL))
		p = strstr(sb.buf, " : Kernel code");
	if (p) {
		char *end;

		while (p > sb.buf && p[-1] != '\n')
			p--;
		from = strtoull(p, &end, 16);
		to = *end == '-' ? strtoull(end + 1, NULL, 16) : 0;
	}
	strbuf_release(&sb);
	*size = to - from + 1;
	return to > from;
}

/* Reads on, twice as much each time, until one of the names is there. */
static bool read_until(int fd, struct strbuf *text, const char *name, const char *other, u64 *addr)
{
	for (;;) {
		size_t more = MAX(text->len, (size_t)KALLSYMS_HEAD);
		ssize_t n;

		if (find_symbol(text->buf, name, addr) || find_symbol(text->buf, other, addr))
			return true;
		strbuf_grow(text, more);
		n = rw_read_full(fd, text->buf + text->len, more);
		if (n <= 0)
			return false;
		text->len += (size_t)n;
		text->buf[text->len] = '\0';
	}
}

/* Start of the kernel's text from kallsyms, of which no more is read than has to be (the kernel
 * makes it slowly), and its length, from iomem or kallsyms. false: hidden from this user. */
static bool kernel_range(u64 *start, u64 *len)
{
	_cleanup_(mem_closep) int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u64 end;

	if (fd < 0 || !read_until(fd, &text, "_text", "_stext", start) || !*start)
		return false;
	if (iomem_text_size(len))
		return true;
	if (!read_until(fd, &text, "_etext", "_etext", &end) || end <= *start)
		end = ~0ULL;
	*len = end - *start;
	return true;
}

static void add_kernel_map(struct synth *s, u64 start, u64 len, u64 pgoff, const char *name,
			   const struct note_id *id)
{
	struct records_map m = {
		.pid = KERNEL_TASK,
		.tid = 0,
		.addr = start,
		.len = len,
		.pgoff = pgoff,
		.cpumode = PERF_RECORD_MISC_KERNEL,
		.name = name,
	};

	if (s->cfg->build_ids && id->size) {
		m.build_id = id->data;
		m.build_id_size = id->size;
		records_mmap2(&s->rec, &m);
	} else {
		records_mmap(&s->rec, &m);
	}
}

int synth_kernel(struct synth *s, struct err *e)
{
	struct note_id id;
	u64 start, len;

	if (!kernel_range(&start, &len)) {
		s->kernel_hidden = true;
		return 0;
	}
	note_id_of_kernel(NULL, &id);
	add_kernel_map(s, start, len, start, "[kernel.kallsyms]_text", &id);
	return synth_flush(s, e);
}

/* "kernel/fs/ext4/ext4.ko.xz: ..." of modules.dep with '-' and '_' alike. */
static bool is_module_file(const char *path, size_t len, const char *module)
{
	const char *base = memrchr(path, '/', len);
	size_t n = strlen(module);

	base = base ? base + 1 : path;
	if ((size_t)(path + len - base) < n + 3 || strncmp(base + n, ".ko", 3))
		return false;
	for (size_t i = 0; i < n; i++) {
		if ((base[i] == '-' ? '_' : base[i]) != module[i])
			return false;
	}
	return true;
}

static void module_path(const struct strbuf *dep, const char *release, const char *module,
			char *path, size_t size)
{
	const char *line = dep->buf;

	while (*line) {
		const char *colon = strchrnul(line, ':');

		if (is_module_file(line, (size_t)(colon - line), module)) {
			snprintf(path, size, "/lib/modules/%s/%.*s", release, (int)(colon - line),
				 line);
			return;
		}
		line = strchrnul(colon, '\n');
		line += *line == '\n';
	}
	snprintf(path, size, "[%s]", module);
}

/* "ext4 1146880 2 - Live 0xffffffffc0a00000" */
static bool parse_module(char *line, const char **name, u64 *size, u64 *addr)
{
	char *p = strchr(line, ' ');
	char *hex;

	if (!p)
		return false;
	*p = '\0';
	*name = line;
	*size = strtoull(p + 1, &p, 10);
	hex = strstr(p, " 0x");
	if (!hex || *p != ' ')
		return false;
	*addr = strtoull(hex + 3, NULL, 16);
	return *addr && *size;
}

int synth_modules(struct synth *s, struct err *e)
{
	struct strbuf list = STRBUF_INIT, dep = STRBUF_INIT;
	struct utsname u;
	char path[PATH_MAX];
	char *line, *next;

	if (s->kernel_hidden || rw_slurp("/proc/modules", &list, NULL) < 0 || !list.len) {
		strbuf_release(&list);
		return 0;
	}
	uname(&u);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", u.release);
	rw_slurp(path, &dep, NULL);
	for (line = list.buf; *line; line = next) {
		struct note_id id;
		const char *name;
		u64 size, addr;

		next = strchrnul(line, '\n');
		if (*next)
			*next++ = '\0';
		if (!parse_module(line, &name, &size, &addr))
			continue;
		note_id_of_module(NULL, name, &id);
		module_path(&dep, u.release, name, path, sizeof(path));
		add_kernel_map(s, addr, size, 0, path, &id);
	}
	strbuf_release(&list);
	strbuf_release(&dep);
	return synth_flush(s, e);
}

/* A record for each function, then one for the program. */
static void add_program(struct synth *s, const struct info_bpf_prog *p,
			const struct info_btf *types)
{
	for (u32 i = 0; i < bpf_info_functions(p); i++) {
		_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
		struct bpf_function f;

		if (!bpf_info_function(p, types, i, &f, &name))
			break;
		if (f.addr)
			records_ksymbol(&s->rec, f.addr, f.size, 1, name.buf);
	}
	records_bpf_event(&s->rec, p->id, p->tag);
}

int synth_bpf(struct synth *s, struct bpf_programs *bpf, struct err *e)
{
	struct info_bpf_prog program;
	struct info_btf types;
	u32 id = 0;

	if (s->cfg->no_bpf)
		return 0;
	bpf_programs_keep_loaded(bpf);
	while (bpf_programs_next(&id)) {
		if (!bpf_programs_find(bpf, id, &program, &types))
			continue;
		add_program(s, &program, types.size ? &types : NULL);
		if (synth_flush(s, e) < 0)
			return -1;
	}
	return 0;
}
