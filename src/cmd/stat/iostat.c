/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat --iostat: traffic of the PCIe root ports of Intel servers. Each I/O stack has a unit
 * uncore_iio_N that counts; on each die it serves one root port, which the unit's file dieN names
 * (Documentation/ABI/testing/sysfs-devices-mapping).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rw.h"
#include "cmd/stat/stat.h"
#include "event/pmu.h"

enum { UNITS_MAX = 256, DIES_MAX = 64, COUNTS = 4, BYTES_OF_COUNT = 4 };

struct port {
	u32 domain, bus;
	u32 unit, die;
};

struct stat_ports {
	VEC(struct port) v; /* in the order in which they are shown */
	char wrong[64]; /* the file that names no port */
};

static const struct {
	const char *terms;
	const char *label;
} counts[COUNTS] = {
	{ "event=0x83,umask=0x04,ch_mask=0xF,fc_mask=0x07", "Inbound Read(MB)" },
	{ "event=0x83,umask=0x01,ch_mask=0xF,fc_mask=0x07", "Inbound Write(MB)" },
	{ "event=0xc0,umask=0x04,ch_mask=0xF,fc_mask=0x07", "Outbound Read(MB)" },
	{ "event=0xc0,umask=0x01,ch_mask=0xF,fc_mask=0x07", "Outbound Write(MB)" },
};

static int hex_digits(const char *s, size_t most, u32 *value)
{
	size_t n = strspn(s, "0123456789abcdefABCDEF");

	*value = n && n <= most ? (u32)strtoul(s, NULL, 16) : 0;
	return n && n <= most ? (int)n : -1;
}

/* "DOMAIN:BUS" in hexadecimal digits. */
static bool parse_port(const char *s, size_t len, struct port *p)
{
	int n = hex_digits(s, 8, &p->domain), k;

	if (n < 0 || s[n] != ':')
		return false;
	k = hex_digits(s + n + 1, 2, &p->bus);
	return k > 0 && (size_t)(n + 1 + k) == len;
}

/* All ports of a unit. false: a file is wrong. */
static bool read_unit(const struct stat_opts *o, u32 unit)
{
	struct stat_ports *ports = o->ports;
	char path[512], line[64];

	for (u32 die = 0; die < DIES_MAX; die++) {
		struct port p = { .unit = unit, .die = die };

		if ((size_t)snprintf(path, sizeof(path), "%s/devices/uncore_iio_%u/die%u",
				     o->env.sysfs ? o->env.sysfs : "/sys", unit,
				     die) >= sizeof(path) ||
		    rw_read_line(path, line, sizeof(line)))
			continue;
		if (!parse_port(line, strlen(line), &p)) {
			snprintf(ports->wrong, sizeof(ports->wrong), "iio_%u; die%u", unit, die);
			return false;
		}
		*VEC_PUSH(&ports->v) = p;
	}
	return true;
}

int stat_iostat_read(struct stat_opts *o, struct err *e)
{
	struct pmu_catalog pmus;
	bool good = true, any = false;

	stat_iostat_free(o->ports);
	o->ports = XNEW(struct stat_ports);
	pmu_catalog_init(&pmus, o->env.sysfs);
	for (u32 unit = 0; unit < UNITS_MAX && good; unit++) {
		char name[32];

		snprintf(name, sizeof(name), "uncore_iio_%u", unit);
		if (!pmu_find(&pmus, name))
			break;
		any = true;
		good = read_unit(o, unit);
	}
	pmu_catalog_release(&pmus);
	if (!any)
		return err_set(e, ENODEV, "Unsupported uncore pmu configuration");
	if (!good)
		return err_set(e, EINVAL, "Invalid mapping data: %s", o->ports->wrong);
	return o->ports->v.nr ? 0 : err_set(e, ENODEV, "the units uncore_iio name no root ports");
}

static const struct port *find_port(const struct stat_ports *all, const struct port *p)
{
	VEC_FOR(&all->v, it)
		if (it->domain == p->domain && it->bus == p->bus)
			return it;
	return NULL;
}

int stat_iostat_select(struct stat_opts *o, const char *list, struct err *e)
{
	struct stat_ports chosen = { 0 };

	for (const char *s = list; *s;) {
		size_t n = strcspn(s, ",");
		const struct port *found;
		struct port p = { 0 };

		if (!n) {
			s++;
			continue;
		}
		if (!parse_port(s, n, &p)) {
			fprintf(stderr,
				"Unrecognized root port format: %.*s\n"
				"Please use the following format:\n\t [domain]:[bus]\n"
				"\t for example: 0000:3d\n",
				(int)n, s);
		} else {
			found = find_port(o->ports, &p);
			if (!found)
				fprintf(stderr, "Root port %04x:%02x were not found\n", p.domain,
					p.bus);
			else if (!find_port(&chosen, &p))
				*VEC_PUSH(&chosen.v) = *found;
		}
		s += n;
	}
	vec_free(&o->ports->v);
	*o->ports = chosen;
	return chosen.v.nr ? 0 : err_set(e, ENODEV, "Requested root ports were not found");
}

void stat_iostat_list(const struct stat_opts *o)
{
	VEC_FOR(&o->ports->v, p)
		fprintf(stderr, "S%u-uncore_iio_%u<%04x:%02x>\n", p->die, p->unit, p->domain,
			p->bus);
}

static bool has_unit(const struct stat_ports *ports, u32 unit)
{
	VEC_FOR(&ports->v, p)
		if (p->unit == unit)
			return true;
	return false;
}

void stat_iostat_events(const struct stat_opts *o, struct strbuf *text)
{
	for (u32 unit = 0; unit < UNITS_MAX; unit++) {
		if (!has_unit(o->ports, unit))
			continue;
		strbuf_adds(text, text->len ? ",{" : "{");
		for (size_t i = 0; i < COUNTS; i++)
			strbuf_addf(text, "%suncore_iio_%u/%s/", i ? "," : "", unit,
				    counts[i].terms);
		strbuf_addch(text, '}');
	}
}

size_t stat_iostat_nr(const struct stat_opts *o)
{
	return o->ports->v.nr;
}

/* The unit's n-th CPU is on its n-th die. */
static void fill_ratio(const struct stat_run *s, const struct port *p, size_t event,
		       struct view_ratio *r)
{
	const struct counter *c = &s->counters.all.v[event];
	const struct event *ev = c->event;
	const struct stat_cell *cell;

	if (p->die >= ev->nr_cpus)
		return;
	cell = stat_cell_of_cpu(s, event, ev->cpus[p->die]);
	if (!c->supported || !cell || cell->running.mean == 0 || cell->enabled.mean == 0)
		return;
	r->known = true;
	r->value = cell->value.mean * BYTES_OF_COUNT / (1 << 20);
}

static bool is_first_of(const struct event *ev, u32 unit)
{
	char name[32];

	snprintf(name, sizeof(name), "uncore_iio_%u", unit);
	return ev->pmu_name && !strcmp(ev->pmu_name, name);
}

void stat_iostat_rows(const struct stat_run *s, struct arena *a, struct view_count *rows)
{
	const struct stat_ports *ports = s->opts->ports;
	u32 nr = 0;

	VEC_FOR(&ports->v, p) {
		struct view_ratio ratios[COUNTS] = { 0 };
		size_t first = 0;
		char name[32];

		snprintf(name, sizeof(name), "%04x:%02x", p->domain, p->bus);
		while (first < s->counters.all.nr &&
		       !is_first_of(s->counters.all.v[first].event, p->unit))
			first++;
		for (size_t i = 0; i < COUNTS; i++) {
			ratios[i] = (struct view_ratio){ .form = VIEW_WHOLE8,
							 .label = counts[i].label };
			if (first + i < s->counters.all.nr)
				fill_ratio(s, p, first + i, &ratios[i]);
		}
		*rows++ = (struct view_count){
			.owner = arena_dup(a, name, strlen(name) + 1),
			.group = nr++,
			.name = "",
			.unit = "",
			.ratios = arena_dup(a, ratios, sizeof(ratios)),
			.nr_ratios = COUNTS,
		};
	}
}

void stat_iostat_free(struct stat_ports *ports)
{
	if (ports)
		vec_free(&ports->v);
	free(ports);
}
