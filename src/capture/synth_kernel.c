/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own part of the existing state: text, modules, BPF programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/rw.h"
#include "capture/synth.h"

enum {
	KALLSYMS_HEAD = 4096, /* _stext and _text are among the first symbols */
	KERNEL_TASK = -1,
};

/* "ffffffff81000000 T _text\n": the address of one of the names in a text of whole lines. */
static bool find_symbol(const char *text, const char *name, u64 *addr)
{
	size_t len = strlen(name);

	for (const char *p = text; (p = strstr(p, name)); p += len) {
		const char *line = p;

		if (p < text + 3 || p[-1] != ' ' || (p[len] != '\n' && p[len] != '\t' && p[len]))
			continue;
		while (line > text && line[-1] != '\n')
			line--;
		*addr = strtoull(line, NULL, 16);
		return true;
	}
	return false;
}

/* "  01000000-02209987 : Kernel code" */
static bool iomem_text_size(const char *path, u64 *size)
{
	struct strbuf sb = STRBUF_INIT;
	const char *p = NULL;
	u64 from = 0, to = 0;

	if (!rw_slurp(path, &sb, NULL))
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

bool synth_kernel_range(const char *kallsyms, const char *iomem, u64 *start, u64 *len,
			const char **ref_symbol)
{
	char head[KALLSYMS_HEAD + 1];
	struct strbuf all = STRBUF_INIT;
	u64 end;
	ssize_t n;
	int fd;

	kallsyms = kallsyms ? kallsyms : "/proc/kallsyms";
	fd = open(kallsyms, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = rw_read_full(fd, head, KALLSYMS_HEAD);
	close(fd);
	if (n <= 0)
		return false;
	head[n] = '\0';
	*ref_symbol = "_text";
	if (find_symbol(head, "_text", start) || find_symbol(head, "_stext", start)) {
		if (!*start)
			return false;
		if (iomem_text_size(iomem ? iomem : "/proc/iomem", len))
			return true;
	}
	/* another layout: the whole table then */
	if (rw_slurp(kallsyms, &all, NULL) < 0 ||
	    !(find_symbol(all.buf, "_text", start) || find_symbol(all.buf, "_stext", start)) ||
	    !*start) {
		strbuf_release(&all);
		return false;
	}
	*len = find_symbol(all.buf, "_etext", &end) && end > *start ? end - *start : ~0ULL - *start;
	strbuf_release(&all);
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
	const char *ref;
	u64 start, len;
	char name[64];

	if (!synth_kernel_range(NULL, NULL, &start, &len, &ref)) {
		s->kernel_hidden = true;
		return 0;
	}
	note_id_of_kernel(NULL, &id);
	snprintf(name, sizeof(name), "[kernel.kallsyms]%s", ref);
	add_kernel_map(s, start, len, start, name, &id);
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
			snprintf(path, size, "/lib/modules/%s/%.*s", release, (int)(colon - line), line);
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

/* The start of the kernel's struct bpf_prog_info, bpf(2); later fields are not needed. */
struct prog_info {
	u32 type, id;
	u8 tag[8];
	u32 jited_prog_len, xlated_prog_len;
	u64 jited_prog_insns, xlated_prog_insns, load_time;
	u32 created_by_uid, nr_map_ids;
	u64 map_ids;
	char name[16];
	u32 ifindex, gpl_compatible;
	u64 netns_dev, netns_ino;
	u32 nr_jited_ksyms, nr_jited_func_lens;
	u64 jited_ksyms, jited_func_lens;
};

enum { BPF_CMD_PROG_NEXT = 11, BPF_CMD_PROG_FD = 13, BPF_CMD_INFO = 15, MAX_SUBPROGS = 4096 };

static long bpf_call(int cmd, void *attr, size_t size)
{
	return syscall(SYS_bpf, cmd, attr, size);
}

static bool bpf_next(u32 after, u32 *id)
{
	u32 attr[4] = { after };

	if (bpf_call(BPF_CMD_PROG_NEXT, attr, sizeof(attr)) < 0)
		return false;
	*id = attr[1];
	return true;
}

static bool bpf_info(int fd, struct prog_info *info)
{
	struct {
		u32 fd, len;
		u64 info;
	} attr = { (u32)fd, sizeof(*info), (u64)(uintptr_t)info };

	return !bpf_call(BPF_CMD_INFO, &attr, sizeof(attr));
}

/* bpf_prog_TAG_NAME, one per sub-program; sub-programs have F as name without BTF. */
static void add_program(struct synth *s, int fd)
{
	struct prog_info info = { 0 }, with = { 0 };
	u64 addrs[MAX_SUBPROGS];
	u32 lens[MAX_SUBPROGS];
	char name[64];
	int n;

	if (!bpf_info(fd, &info))
		return;
	with.nr_jited_ksyms = MIN(info.nr_jited_ksyms, (u32)MAX_SUBPROGS);
	with.nr_jited_func_lens = MIN(info.nr_jited_func_lens, (u32)MAX_SUBPROGS);
	with.jited_ksyms = (u64)(uintptr_t)addrs;
	with.jited_func_lens = (u64)(uintptr_t)lens;
	if (!bpf_info(fd, &with))
		return;
	n = snprintf(name, sizeof(name), "bpf_prog_");
	for (int i = 0; i < 8; i++)
		n += snprintf(name + n, sizeof(name) - (size_t)n, "%02x", info.tag[i]);
	for (u32 i = 0; i < with.nr_jited_ksyms && i < with.nr_jited_func_lens; i++) {
		bool sub = with.nr_jited_ksyms > 1 && i > 0;

		if (!addrs[i])
			continue;
		info.name[sizeof(info.name) - 1] = '\0';
		snprintf(name + n, sizeof(name) - (size_t)n, "_%s", sub ? "F" : info.name);
		records_ksymbol(&s->rec, addrs[i], lens[i], 1, name);
	}
	records_bpf_event(&s->rec, info.id, info.tag);
}

int synth_bpf(struct synth *s, struct err *e)
{
	u32 id = 0;

	if (s->cfg->no_bpf)
		return 0;
	while (bpf_next(id, &id)) {
		u32 attr[4] = { id };
		long fd = bpf_call(BPF_CMD_PROG_FD, attr, sizeof(attr));

		if (fd < 0)
			continue;
		add_program(s, (int)fd);
		close((int)fd);
		if (synth_flush(s, e) < 0)
			return -1;
	}
	return 0;
}
