/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/pmu.h"

#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/fmt.h"
#include "base/rw.h"

enum { PMU_FILES_MAX = 65536, PMU_TEXT_MAX = 4096 };

void pmu_catalog_init(struct pmu_catalog *c, const char *sysfs)
{
	*c = (struct pmu_catalog){ .nr_core = -1 };
	c->dir = xasprintf("%s/bus/event_source/devices", sysfs ? sysfs : "/sys");
}

static void pmu_free(struct pmu *pmu)
{
	VEC_FOR(&pmu->formats, f)
		free(f->name);
	vec_free(&pmu->formats);
	VEC_FOR(&pmu->events, e) {
		free(e->name);
		free(e->terms);
		free(e->unit);
	}
	vec_free(&pmu->events);
	free(pmu->cpus);
	free(pmu->name);
	free(pmu);
}

void pmu_catalog_release(struct pmu_catalog *c)
{
	VEC_FOR(&c->pmus, p)
		pmu_free(*p);
	vec_free(&c->pmus);
	mem_freep(&c->dir);
}

static bool path_of(const struct pmu_catalog *c, char *path, const char *pmu, const char *file)
{
	return (size_t)snprintf(path, PATH_MAX, "%s/%s/%s", c->dir, pmu, file) < PATH_MAX;
}

static bool read_cpus(const struct pmu_catalog *c, struct pmu *pmu, const char *file)
{
	char path[PATH_MAX];
	char line[PMU_TEXT_MAX];

	if (!path_of(c, path, pmu->name, file) || rw_read_line(path, line, sizeof(line)) < 0)
		return false;
	if (line[0] && !fmt_parse_cpu_list(line, &pmu->cpus, &pmu->nr_cpus)) {
		pmu->cpus = NULL;
		pmu->nr_cpus = 0;
	}
	return true;
}

static struct pmu *pmu_open(struct pmu_catalog *c, const char *name)
{
	char path[PATH_MAX];
	u64 type;

	if (name[0] == '.' || strchr(name, '/') || !path_of(c, path, name, "type") ||
	    !rw_read_u64(path, &type) || type > UINT32_MAX)
		return NULL;

	struct pmu *pmu = XNEW(struct pmu);

	pmu->name = xstrdup(name);
	pmu->type = (u32)type;
	pmu->core = !strcmp(name, "cpu");
	if (read_cpus(c, pmu, "cpus")) {
		pmu->core = true;
		/* none of its cores is online: there is nothing to open an event on */
		if (!pmu->nr_cpus) {
			pmu_free(pmu);
			return NULL;
		}
	} else {
		read_cpus(c, pmu, "cpumask");
	}
	*VEC_PUSH(&c->pmus) = pmu;
	return pmu;
}

static struct pmu *pmu_known(struct pmu_catalog *c, const char *name)
{
	VEC_FOR(&c->pmus, p)
		if (!strcmp((*p)->name, name))
			return *p;
	return NULL;
}

struct pmu *pmu_find(struct pmu_catalog *c, const char *name)
{
	struct pmu *pmu = pmu_known(c, name);

	return pmu || c->scanned ? pmu : pmu_open(c, name);
}

/* Core PMUs first, by type (the bigger cores register first); then by name, digits by value:
 * uncore_imc_2 before uncore_imc_10. */
static int compare_pmus(const void *a, const void *b)
{
	const struct pmu *x = *(struct pmu *const *)a;
	const struct pmu *y = *(struct pmu *const *)b;

	if (x->core != y->core)
		return x->core ? -1 : 1;
	if (x->core && x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return strverscmp(x->name, y->name);
}

void pmu_catalog_scan(struct pmu_catalog *c)
{
	if (c->scanned)
		return;
	c->scanned = true;

	DIR *dir = opendir(c->dir);

	if (!dir)
		return;
	for (struct dirent *d; (d = readdir(dir)) && c->pmus.nr < PMU_FILES_MAX;)
		if (!pmu_known(c, d->d_name))
			pmu_open(c, d->d_name);
	closedir(dir);
	VEC_SORT(&c->pmus, compare_pmus);
}

bool pmu_is_hybrid(struct pmu_catalog *c)
{
	if (c->nr_core < 0) {
		/* One core PMU named cpu, or none at all: no need to look at every PMU. */
		c->nr_core = pmu_find(c, "cpu") ? 1 : 0;
		if (!c->nr_core) {
			pmu_catalog_scan(c);
			VEC_FOR(&c->pmus, p)
				c->nr_core += (*p)->core;
		}
	}
	return c->nr_core > 1;
}

/* The end of an instance's name: "_0", "_12", or an address of at least three hex digits. */
static bool is_instance(const char *s)
{
	size_t digits;
	size_t hex;

	if (*s++ != '_')
		return false;
	digits = strspn(s, "0123456789");
	hex = strspn(s, "0123456789abcdef");
	return (digits && !s[digits]) || (hex >= 3 && !s[hex]);
}

bool pmu_name_matches(const char *pmu, const char *pattern)
{
	size_t n = strlen(pattern);

	if (strpbrk(pattern, "*?[") && !fnmatch(pattern, pmu, 0))
		return true;
	if (!strncmp(pmu, "uncore_", 7) && strncmp(pattern, "uncore_", 7))
		pmu += 7;
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, pmu, 0);
	return !strncmp(pmu, pattern, n) && (!pmu[n] || is_instance(pmu + n));
}

bool pmu_format_parse(const char *text, enum pmu_word *word, u64 *mask)
{
	static const char *const words[] = { "config", "config1", "config2", "config3", "config4" };
	size_t len = strcspn(text, ":");
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i]) == len && !memcmp(words[i], text, len)) {
			*word = (enum pmu_word)i;
			found = true;
		}
	}
	if (!found || text[len] != ':')
		return false;
	*mask = 0;
	for (const char *s = text + len; *s == ':' || *s == ',';) {
		char *end;
		unsigned long lo = strtoul(s + 1, &end, 10);
		unsigned long hi = lo;

		if (end == s + 1)
			return false;
		s = end;
		if (*s == '-') {
			hi = strtoul(s + 1, &end, 10);
			if (end == s + 1)
				return false;
			s = end;
		}
		if (lo > hi || hi > 63)
			return false;
		*mask |= (hi - lo == 63 ? ~0ULL : (1ULL << (hi - lo + 1)) - 1) << lo;
		if (*s && *s != ',')
			return false;
	}
	return true;
}

u64 pmu_format_max(const struct pmu_format *f)
{
	int bits = __builtin_popcountll(f->mask);

	return bits == 64 ? ~0ULL : (1ULL << bits) - 1;
}

static u64 *config_word(struct perf_event_attr *attr, enum pmu_word word)
{
	switch (word) {
	case PMU_CONFIG1:
		return &attr->config1;
	case PMU_CONFIG2:
		return &attr->config2;
	case PMU_CONFIG3:
		return &attr->config3;
	case PMU_CONFIG4:
		return &attr->config4;
	default:
		return &attr->config;
	}
}

void pmu_format_set(const struct pmu_format *f, u64 value, struct perf_event_attr *attr)
{
	u64 *word = config_word(attr, f->word);
	u64 bits = 0;

	for (int b = 0; b < 64; b++) {
		if (f->mask >> b & 1) {
			bits |= (value & 1) << b;
			value >>= 1;
		}
	}
	*word = (*word & ~f->mask) | bits;
}

static void add_format(struct pmu *pmu, const char *path, const char *name)
{
	struct pmu_format f = { 0 };
	char line[PMU_TEXT_MAX];

	if (rw_read_line(path, line, sizeof(line)) < 0 || !pmu_format_parse(line, &f.word, &f.mask))
		return;
	f.name = xstrdup(name);
	*VEC_PUSH(&pmu->formats) = f;
}

static bool has_suffix(const char *s, const char *suffix)
{
	size_t a = strlen(s);
	size_t b = strlen(suffix);

	return a > b && !strcmp(s + a - b, suffix);
}

static void add_event(struct pmu *pmu, const char *path, const char *name)
{
	struct pmu_event e = { .scale = 1.0 };
	char line[PMU_TEXT_MAX];
	char side[PATH_MAX];

	if (has_suffix(name, ".scale") || has_suffix(name, ".unit") ||
	    has_suffix(name, ".per-pkg") || has_suffix(name, ".snapshot"))
		return;
	if (rw_read_line(path, line, sizeof(line)) < 0)
		return;
	e.name = xstrdup(name);
	e.terms = xstrdup(line);
	snprintf(side, sizeof(side), "%s.scale", path);
	if (!rw_read_line(side, line, sizeof(line))) {
		e.scale = strtod(line, NULL);
		e.scale = isfinite(e.scale) ? e.scale : 1.0;
	}
	snprintf(side, sizeof(side), "%s.unit", path);
	if (!rw_read_line(side, line, sizeof(line)) && line[0])
		e.unit = xstrdup(line);
	snprintf(side, sizeof(side), "%s.per-pkg", path);
	e.per_pkg = !rw_read_line(side, line, sizeof(line)) && line[0] == '1';
	snprintf(side, sizeof(side), "%s.snapshot", path);
	e.snapshot = !rw_read_line(side, line, sizeof(line)) && line[0] == '1';
	*VEC_PUSH(&pmu->events) = e;
}

static void load_dir(const struct pmu_catalog *c, struct pmu *pmu, const char *sub,
		     void (*add)(struct pmu *, const char *, const char *))
{
	char path[PATH_MAX];
	size_t nr = 0;

	if (!path_of(c, path, pmu->name, sub))
		return;

	DIR *dir = opendir(path);
	size_t len = strlen(path);

	if (!dir)
		return;
	for (struct dirent *d; (d = readdir(dir)) && nr < PMU_FILES_MAX; nr++) {
		if (d->d_name[0] == '.' || len + 1 + strlen(d->d_name) >= sizeof(path))
			continue;
		snprintf(path + len, sizeof(path) - len, "/%s", d->d_name);
		add(pmu, path, d->d_name);
	}
	closedir(dir);
}

void pmu_load(struct pmu_catalog *c, struct pmu *pmu)
{
	if (pmu->loaded)
		return;
	pmu->loaded = true;
	load_dir(c, pmu, "format", add_format);
	load_dir(c, pmu, "events", add_event);
	VEC_SORT(&pmu->formats, by_string);
	VEC_SORT(&pmu->events, by_string);
}

const struct pmu_format *pmu_find_format(const struct pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->formats.nr; i++)
		if (!strcmp(pmu->formats.v[i].name, name))
			return &pmu->formats.v[i];
	return NULL;
}

const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->events.nr; i++)
		if (!strcmp(pmu->events.v[i].name, name))
			return &pmu->events.v[i];
	return NULL;
}

bool pmu_file_number(struct pmu_catalog *c, const struct pmu *pmu, const char *file, u64 *value)
{
	char path[PATH_MAX];

	return path_of(c, path, pmu->name, file) && rw_read_u64(path, value);
}

bool pmu_file_in_base(struct pmu_catalog *c, const struct pmu *pmu, const char *file, int base,
		      s64 *value)
{
	char path[PATH_MAX], line[64];
	char *end;

	if (!path_of(c, path, pmu->name, file) || rw_read_line(path, line, sizeof(line)) < 0)
		return false;
	*value = line[0] == '-' ? strtoll(line, &end, base) : (s64)strtoull(line, &end, base);
	return end != line;
}

bool pmu_cap_hex(struct pmu_catalog *c, const struct pmu *pmu, const char *file, u64 *value)
{
	char sub[256];
	s64 v;

	snprintf(sub, sizeof(sub), "caps/%s", file);
	if (!pmu_file_in_base(c, pmu, sub, 16, &v))
		return false;
	*value = (u64)v;
	return true;
}

bool pmu_cap(struct pmu_catalog *c, const struct pmu *pmu, const char *file, u64 *value)
{
	char path[PATH_MAX];
	char sub[256];

	snprintf(sub, sizeof(sub), "caps/%s", file);
	return path_of(c, path, pmu->name, sub) && rw_read_u64(path, value);
}
