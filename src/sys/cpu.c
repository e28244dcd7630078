/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/cpu.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/rw.h"

enum { CACHE_INDEXES_MAX = 16 };

static const char *root_or(const char *sysfs)
{
	return sysfs ? sysfs : "/sys";
}

static int read_at(const char *sysfs, char *out, size_t size, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
static int read_at(const char *sysfs, char *out, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int n = snprintf(path, sizeof(path), "%s/devices/system/", root_or(sysfs));

	if (n < 0 || (size_t)n >= sizeof(path))
		return -1;
	va_start(ap, fmt);
	vsnprintf(path + n, sizeof(path) - (size_t)n, fmt, ap);
	va_end(ap);
	return rw_read_line(path, out, size);
}

int sys_cpu_list(const char *sysfs, const char *file, u32 **list, size_t *nr, struct err *e)
{
	char line[8192];

	*list = NULL;
	*nr = 0;
	if (read_at(sysfs, line, sizeof(line), "%s", file) < 0)
		return err_sys(e, errno, "cannot read '%s/devices/system/%s'", root_or(sysfs),
			       file);
	if (!line[0])
		return 0;
	if (!fmt_parse_cpu_list(line, list, nr))
		return err_set(e, EINVAL, "'%s/devices/system/%s' is no list", root_or(sysfs),
			       file);
	return 0;
}

static void sysconf_cpus(u32 **list, size_t *nr)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	*nr = n > 0 ? (size_t)n : 1;
	*list = XNEW_ARRAY(u32, *nr);
	for (size_t i = 0; i < *nr; i++)
		(*list)[i] = (u32)i;
}

void sys_cpus_online(const char *sysfs, u32 **list, size_t *nr)
{
	if (!sys_cpu_list(sysfs, "cpu/online", list, nr, NULL) && *nr)
		return;
	free(*list);
	sysconf_cpus(list, nr);
}

static s32 topology_id(const char *sysfs, u32 cpu, const char *file)
{
	char line[32];
	char *end;

	if (read_at(sysfs, line, sizeof(line), "cpu/cpu%u/topology/%s", cpu, file) < 0)
		return -1;
	long v = strtol(line, &end, 10);
	return end == line || v < 0 || v > INT32_MAX ? -1 : (s32)v;
}

static bool list_has(const u32 *list, size_t nr, u32 x)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i] == x)
			return true;
	return false;
}

static void set_nodes(struct sys_topology *t, const char *sysfs)
{
	sys_nodes nodes = { 0 };

	sys_nodes_read(sysfs, &nodes);
	VEC_FOR(&nodes, n) {
		_cleanup_(mem_freep) u32 *list = NULL;
		size_t nr;

		if (!n->cpulist[0] || !fmt_parse_cpu_list(n->cpulist, &list, &nr))
			continue;
		VEC_FOR(&t->cpus, c)
			if (list_has(list, nr, c->cpu))
				c->node = (s32)n->node;
	}
	sys_nodes_release(&nodes);
}

void sys_topology_read(struct sys_topology *t, const char *sysfs)
{
	_cleanup_(mem_freep) u32 *present = NULL;
	_cleanup_(mem_freep) u32 *online = NULL;
	size_t nr_present, nr_online;

	*t = (struct sys_topology){ 0 };
	sys_cpus_online(sysfs, &online, &nr_online);
	if (sys_cpu_list(sysfs, "cpu/present", &present, &nr_present, NULL) || !nr_present) {
		free(present);
		nr_present = nr_online;
		present = XNEW_ARRAY(u32, nr_present);
		memcpy(present, online, nr_present * sizeof(*present));
	}
	t->nr_present = (u32)nr_present;
	t->nr_online = (u32)nr_online;
	for (size_t i = 0; i < nr_present; i++) {
		struct sys_cpu *c = VEC_PUSH(&t->cpus);

		*c = (struct sys_cpu){ .cpu = present[i], .node = -1 };
		c->online = list_has(online, nr_online, present[i]);
		c->core = topology_id(sysfs, c->cpu, "core_id");
		c->cluster = topology_id(sysfs, c->cpu, "cluster_id");
		c->die = topology_id(sysfs, c->cpu, "die_id");
		c->socket = topology_id(sysfs, c->cpu, "physical_package_id");
	}
	set_nodes(t, sysfs);
}

void sys_topology_release(struct sys_topology *t)
{
	vec_free(&t->cpus);
}

const struct sys_cpu *sys_topology_cpu(const struct sys_topology *t, u32 cpu)
{
	if (cpu < t->cpus.nr && t->cpus.v[cpu].cpu == cpu)
		return &t->cpus.v[cpu];
	for (size_t i = 0; i < t->cpus.nr; i++)
		if (t->cpus.v[i].cpu == cpu)
			return &t->cpus.v[i];
	return NULL;
}

void sys_strings_release(sys_strings *s)
{
	VEC_FOR(s, p)
		free(*p);
	vec_free(s);
}

static bool strings_have(const sys_strings *s, const char *text)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!strcmp(s->v[i], text))
			return true;
	return false;
}

void sys_cpu_siblings(const char *sysfs, const char *file, sys_strings *out)
{
	_cleanup_(mem_freep) u32 *online = NULL;
	size_t nr;

	sys_cpus_online(sysfs, &online, &nr);
	for (size_t i = 0; i < nr; i++) {
		char line[8192];

		if (read_at(sysfs, line, sizeof(line), "cpu/cpu%u/topology/%s", online[i], file) <
		    0)
			continue;
		if (!strings_have(out, line))
			*VEC_PUSH(out) = xstrdup(line);
	}
}

static u64 meminfo_kb(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

void sys_nodes_read(const char *sysfs, sys_nodes *out)
{
	_cleanup_(mem_freep) u32 *list = NULL;
	size_t nr;

	if (sys_cpu_list(sysfs, "node/online", &list, &nr, NULL))
		return;
	for (size_t i = 0; i < nr; i++) {
		_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;
		struct sys_node *n = VEC_PUSH(out);
		char path[PATH_MAX];
		char line[8192];

		*n = (struct sys_node){ .node = list[i] };
		snprintf(path, sizeof(path), "%s/devices/system/node/node%u/meminfo",
			 root_or(sysfs), list[i]);
		if (!rw_slurp(path, &sb, NULL)) {
			n->mem_total_kb = meminfo_kb(sb.buf, "MemTotal:");
			n->mem_free_kb = meminfo_kb(sb.buf, "MemFree:");
		}
		bool ok = !read_at(sysfs, line, sizeof(line), "node/node%u/cpulist", list[i]);
		n->cpulist = xstrdup(ok ? line : "");
	}
}

void sys_nodes_release(sys_nodes *n)
{
	VEC_FOR(n, p)
		free(p->cpulist);
	vec_free(n);
}

static u32 cache_number(const char *sysfs, u32 cpu, u32 index, const char *file)
{
	char line[32];

	if (read_at(sysfs, line, sizeof(line), "cpu/cpu%u/cache/index%u/%s", cpu, index, file) < 0)
		return 0;
	return (u32)strtoul(line, NULL, 10);
}

static char *cache_text(const char *sysfs, u32 cpu, u32 index, const char *file)
{
	char line[4096];

	if (read_at(sysfs, line, sizeof(line), "cpu/cpu%u/cache/index%u/%s", cpu, index, file) < 0)
		return xstrdup("");
	return xstrdup(line);
}

static void cache_release(struct sys_cache *c)
{
	free(c->type);
	free(c->size);
	free(c->map);
}

static bool cache_same(const struct sys_cache *a, const struct sys_cache *b)
{
	return a->level == b->level && a->line_size == b->line_size && a->sets == b->sets &&
	       a->ways == b->ways && !strcmp(a->type, b->type) && !strcmp(a->size, b->size) &&
	       !strcmp(a->map, b->map);
}

static void add_cache(const char *sysfs, u32 cpu, u32 index, sys_caches *out)
{
	struct sys_cache c = {
		.level = cache_number(sysfs, cpu, index, "level"),
		.line_size = cache_number(sysfs, cpu, index, "coherency_line_size"),
		.sets = cache_number(sysfs, cpu, index, "number_of_sets"),
		.ways = cache_number(sysfs, cpu, index, "ways_of_associativity"),
		.type = cache_text(sysfs, cpu, index, "type"),
		.size = cache_text(sysfs, cpu, index, "size"),
		.map = cache_text(sysfs, cpu, index, "shared_cpu_list"),
	};

	VEC_FOR(out, have) {
		if (cache_same(have, &c)) {
			cache_release(&c);
			return;
		}
	}
	*VEC_PUSH(out) = c;
}

void sys_caches_read(const char *sysfs, sys_caches *out)
{
	_cleanup_(mem_freep) u32 *online = NULL;
	size_t nr;

	sys_cpus_online(sysfs, &online, &nr);
	for (size_t i = 0; i < nr; i++) {
		for (u32 k = 0; k < CACHE_INDEXES_MAX; k++) {
			char line[32];

			if (read_at(sysfs, line, sizeof(line), "cpu/cpu%u/cache/index%u/level",
				    online[i], k) < 0)
				break;
			add_cache(sysfs, online[i], k, out);
		}
	}
}

void sys_caches_release(sys_caches *c)
{
	VEC_FOR(c, p)
		cache_release(p);
	vec_free(c);
}
