/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/ports.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rw.h"
#include "count/cells.h"
#include "event/pmu.h"

enum { UNITS_MAX = 256, DIES_MAX = 64, COUNTS = 4, BYTES_OF_COUNT = 4 };

struct port {
	u32 domain, bus;
	u32 unit, die;
};

struct count_ports {
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
static bool read_unit(const struct count_opts *o, u32 unit)
{
	struct count_ports *ports = o->ports;
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

int count_ports_read(struct count_opts *o, struct err *e)
{
	struct pmu_catalog pmus;
	bool good = true, any = false;

	count_ports_free(o->ports);
	o->ports = XNEW(struct count_ports);
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

static const struct port *find_port(const struct count_ports *all, const struct port *p)
{
	VEC_FOR(&all->v, it)
		if (it->domain == p->domain && it->bus == p->bus)
			return it;
	return NULL;
}

int count_ports_select(struct count_opts *o, const char *list, struct strbuf *told, struct err *e)
{
	struct count_ports chosen = { 0 };

	for (const char *s = list; *s;) {
		size_t n = strcspn(s, ",");
		const struct port *found;
		struct port p = { 0 };

		if (!n) {
			s++;
			continue;
		}
		if (!parse_port(s, n, &p)) {
			strbuf_addf(told,
				    "Unrecognized root port format: %.*s\n"
				    "Please use the following format:\n\t [domain]:[bus]\n"
				    "\t for example: 0000:3d\n",
				    (int)n, s);
		} else {
			found = find_port(o->ports, &p);
			if (!found)
				strbuf_addf(told, "Root port %04x:%02x were not found\n", p.domain,
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

void count_ports_list(const struct count_ports *ports, struct strbuf *out)
{
	VEC_FOR(&ports->v, p)
		strbuf_addf(out, "S%u-uncore_iio_%u<%04x:%02x>\n", p->die, p->unit, p->domain,
			    p->bus);
}

static bool has_unit(const struct count_ports *ports, u32 unit)
{
	VEC_FOR(&ports->v, p)
		if (p->unit == unit)
			return true;
	return false;
}

void count_ports_events(const struct count_ports *ports, struct strbuf *text)
{
	for (u32 unit = 0; unit < UNITS_MAX; unit++) {
		if (!has_unit(ports, unit))
			continue;
		strbuf_adds(text, text->len ? ",{" : "{");
		for (size_t i = 0; i < COUNTS; i++)
			strbuf_addf(text, "%suncore_iio_%u/%s/", i ? "," : "", unit,
				    counts[i].terms);
		strbuf_addch(text, '}');
	}
}

size_t count_ports_nr(const struct count_ports *ports)
{
	return ports->v.nr;
}

/* The unit's n-th CPU is on its n-th die. */
static void fill_ratio(const struct measurement *m, const struct port *p, size_t event,
		       struct view_ratio *r)
{
	const struct counter *c = &m->counters.all.v[event];
	const struct event *ev = c->event;
	const struct count_cell *cell;

	if (p->die >= ev->nr_cpus)
		return;
	cell = cells_of_cpu(m, event, ev->cpus[p->die]);
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

void count_ports_rows(const struct measurement *m, struct arena *a, struct view_count *rows)
{
	const struct count_ports *ports = m->o->ports;
	u32 nr = 0;

	VEC_FOR(&ports->v, p) {
		struct view_ratio ratios[COUNTS] = { 0 };
		size_t first = 0;
		char name[32];

		snprintf(name, sizeof(name), "%04x:%02x", p->domain, p->bus);
		while (first < m->counters.all.nr &&
		       !is_first_of(m->counters.all.v[first].event, p->unit))
			first++;
		for (size_t i = 0; i < COUNTS; i++) {
			ratios[i] = (struct view_ratio){ .form = VIEW_WHOLE8,
							 .label = counts[i].label };
			if (first + i < m->counters.all.nr)
				fill_ratio(m, p, first + i, &ratios[i]);
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

void count_ports_free(struct count_ports *ports)
{
	if (ports)
		vec_free(&ports->v);
	free(ports);
}
