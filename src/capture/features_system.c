/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Features that describe the machine.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/compare.h"
#include "base/rw.h"
#include "capture/features.h"
#include "sys/cpu_id.h"

#define PMU_DIR "/sys/bus/event_source/devices"
#define NODE_DIR "/sys/devices/system/node"

enum { MAX_MEMORY_BLOCKS = 1 << 20, MAX_NODES = 1024 };

bool feature_hostname(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	struct utsname u;

	uname(&u);
	feature_add_string(body, u.nodename);
	return true;
}

bool feature_osrelease(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	struct utsname u;

	uname(&u);
	feature_add_string(body, u.release);
	return true;
}

bool feature_arch(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	struct utsname u;

	uname(&u);
	feature_add_string(body, u.machine);
	return true;
}

bool feature_nrcpus(struct feature_ctx *ctx, struct strbuf *body)
{
	feature_add_u32(body, ctx->topology.nr_present);
	feature_add_u32(body, ctx->topology.nr_online);
	return true;
}

/* Value behind "key\t: " of the first line with that key; blanks at both ends cut. */
static bool proc_value(const char *path, const char *key, char *out, size_t size)
{
	char text[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : rw_read_full(fd, text, sizeof(text) - 1);
	char *p, *end;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	p = strstr(text, key);
	p = p ? strchr(p, ':') : NULL;
	if (!p)
		return false;
	p += 1 + strspn(p + 1, " \t");
	end = strchrnul(p, '\n');
	while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	snprintf(out, size, "%.*s", (int)(end - p), p);
	return true;
}

bool feature_cpudesc(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	static const char *const keys[] = { "model name", "Processor", "uarch" };
	char value[256];

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (proc_value("/proc/cpuinfo", keys[i], value, sizeof(value))) {
			feature_add_string(body, value);
			return true;
		}
	}
	return false;
}

bool feature_cpuid(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	struct sys_cpu_id id;
	char text[64];

	if (sys_cpu_id_x86(&id))
		snprintf(text, sizeof(text), "%s,%u,%u,%u", id.vendor, id.family, id.model,
			 id.stepping);
	else if (!sys_cpu_id_midr(text, sizeof(text)))
		return false;
	feature_add_string(body, text);
	return true;
}

bool feature_total_mem(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	char value[64];

	if (!proc_value("/proc/meminfo", "MemTotal", value, sizeof(value)))
		return false;
	feature_add_u64(body, strtoull(value, NULL, 10));
	return true;
}

static void add_siblings(struct strbuf *body, const char *file)
{
	sys_strings s = { 0 };

	sys_cpu_siblings(NULL, file, &s);
	feature_add_u32(body, (u32)s.nr);
	VEC_FOR(&s, text)
		feature_add_string(body, *text);
	sys_strings_release(&s);
}

bool feature_cpu_topology(struct feature_ctx *ctx, struct strbuf *body)
{
	const struct sys_topology *t = &ctx->topology;
	bool dies = access("/sys/devices/system/cpu/cpu0/topology/die_cpus_list", R_OK) == 0;

	add_siblings(body, "core_siblings_list");
	add_siblings(body, "thread_siblings_list");
	VEC_FOR(&t->cpus, c) {
		feature_add_u32(body, (u32)c->core);
		feature_add_u32(body, (u32)c->socket);
	}
	if (!dies)
		return true;
	add_siblings(body, "die_cpus_list");
	VEC_FOR(&t->cpus, c)
		feature_add_u32(body, (u32)c->die);
	return true;
}

bool feature_numa(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	sys_nodes nodes = { 0 };
	bool any;

	sys_nodes_read(NULL, &nodes);
	any = nodes.nr != 0;
	feature_add_u32(body, (u32)nodes.nr);
	VEC_FOR(&nodes, n) {
		feature_add_u32(body, n->node);
		feature_add_u64(body, n->mem_total_kb);
		feature_add_u64(body, n->mem_free_kb);
		feature_add_string(body, n->cpulist);
	}
	sys_nodes_release(&nodes);
	return any;
}

static int compare_caches(const void *a, const void *b)
{
	const struct sys_cache *x = a, *y = b;

	return (int)x->level - (int)y->level;
}

bool feature_cache(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	sys_caches caches = { 0 };
	bool any;

	sys_caches_read(NULL, &caches);
	any = caches.nr != 0;
	/* stable for these few: qsort of glibc merges */
	VEC_SORT(&caches, compare_caches);
	feature_add_u32(body, 1);
	feature_add_u32(body, (u32)caches.nr);
	VEC_FOR(&caches, c) {
		feature_add_u32(body, c->level);
		feature_add_u32(body, c->line_size);
		feature_add_u32(body, c->sets);
		feature_add_u32(body, c->ways);
		feature_add_string(body, c->type);
		feature_add_string(body, c->size);
		feature_add_string(body, c->map);
	}
	sys_caches_release(&caches);
	return any;
}

/* The header of this program in memory, which the linker names: it is built for the machine that it
 * runs on. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

bool feature_e_machine(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	feature_add_u32(body, __ehdr_start.e_machine);
	feature_add_u32(body, __ehdr_start.e_flags);
	return true;
}

bool feature_cln_size(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	sys_caches caches = { 0 };
	u32 size = 0;

	sys_caches_read(NULL, &caches);
	VEC_FOR(&caches, c) {
		if (!size && c->level == 1 && strcmp(c->type, "Instruction") != 0)
			size = c->line_size;
	}
	sys_caches_release(&caches);
	if (size)
		feature_add_u32(body, size);
	return size != 0;
}

/* Number behind prefix in a directory entry's name ("node0", "memory12"). */
static bool entry_number(const char *name, const char *prefix, u64 *nr)
{
	size_t n = strlen(prefix);
	char *end;

	if (strncmp(name, prefix, n) || name[n] < '0' || name[n] > '9')
		return false;
	*nr = strtoull(name + n, &end, 10);
	return !*end;
}

/* The numbers of the entries of dir that begin with prefix, ascending. */
typedef VEC(u64) numbers;

static void list_numbers(const char *path, const char *prefix, u64 limit, numbers *out)
{
	DIR *d = opendir(path);
	struct dirent *de;
	u64 nr;

	out->nr = 0;
	while (d && (de = readdir(d))) {
		if (entry_number(de->d_name, prefix, &nr) && nr < limit)
			*VEC_PUSH(out) = nr;
	}
	if (d)
		closedir(d);
	VEC_SORT(out, by_u64);
}

bool feature_mem_topology(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	numbers nodes = { 0 }, blocks = { 0 };
	char block_size[32], path[64];

	if (rw_read_line("/sys/devices/system/memory/block_size_bytes", block_size,
			 sizeof(block_size)) < 0)
		return false;
	list_numbers(NODE_DIR, "node", MAX_NODES, &nodes);
	feature_add_u64(body, 1);
	feature_add_u64(body, strtoull(block_size, NULL, 16));
	feature_add_u64(body, nodes.nr);
	VEC_FOR(&nodes, node) {
		u64 bits, w = 0;

		snprintf(path, sizeof(path), NODE_DIR "/node%llu", (unsigned long long)*node);
		list_numbers(path, "memory", MAX_MEMORY_BLOCKS, &blocks);
		bits = blocks.nr ? blocks.v[blocks.nr - 1] + 1 : 0;
		feature_add_u64(body, *node);
		feature_add_u64(body, bits);
		feature_add_u64(body, bits); /* the bitmap has its own size */
		for (size_t i = 0; w < (bits + 63) / 64; w++) {
			u64 word = 0;

			for (; i < blocks.nr && blocks.v[i] / 64 == w; i++)
				word |= 1ULL << (blocks.v[i] % 64);
			feature_add_u64(body, word);
		}
	}
	vec_free(&nodes);
	vec_free(&blocks);
	return true;
}

static void set_count(struct strbuf *body, size_t at, u32 n)
{
	memcpy(body->buf + at, &n, sizeof(n));
}

bool feature_pmu_mappings(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	DIR *d = opendir(PMU_DIR);
	struct dirent *de;
	char path[512];
	u64 type;
	u32 n = 0;
	size_t at = body->len;

	feature_add_u32(body, 0);
	while (d && (de = readdir(d))) {
		snprintf(path, sizeof(path), PMU_DIR "/%s/type", de->d_name);
		if (de->d_name[0] == '.' || !rw_read_u64(path, &type))
			continue;
		feature_add_u32(body, (u32)type);
		feature_add_string(body, de->d_name);
		n++;
	}
	if (d)
		closedir(d);
	set_count(body, at, n);
	return n != 0;
}

/* "nr, name value, ..." of PMU_DIR/pmu/caps; how many. */
static u32 add_caps(struct strbuf *body, const char *pmu)
{
	char path[PATH_MAX], value[256];
	size_t at = body->len;
	struct dirent *de;
	u32 n = 0;
	DIR *d;

	snprintf(path, sizeof(path), PMU_DIR "/%s/caps", pmu);
	d = opendir(path);
	if (!d)
		return 0;
	feature_add_u32(body, 0);
	while ((de = readdir(d))) {
		snprintf(path, sizeof(path), PMU_DIR "/%s/caps/%s", pmu, de->d_name);
		if (de->d_name[0] == '.' || rw_read_line(path, value, sizeof(value)) < 0)
			continue;
		feature_add_string(body, de->d_name);
		feature_add_string(body, value);
		n++;
	}
	closedir(d);
	set_count(body, at, n);
	return n;
}

bool feature_cpu_pmu_caps(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	return add_caps(body, "cpu") != 0;
}

bool feature_pmu_caps(struct feature_ctx *ctx UNUSED, struct strbuf *body)
{
	DIR *d = opendir(PMU_DIR);
	size_t at = body->len;
	struct dirent *de;
	u32 n = 0;

	feature_add_u32(body, 0);
	while (d && (de = readdir(d))) {
		size_t before = body->len;

		/* the core PMU has a feature of its own */
		if (de->d_name[0] == '.' || !strcmp(de->d_name, "cpu"))
			continue;
		if (!add_caps(body, de->d_name)) {
			body->len = before;
			continue;
		}
		feature_add_string(body, de->d_name);
		n++;
	}
	if (d)
		closedir(d);
	set_count(body, at, n);
	return true;
}
