/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/schedstat.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/features.h"
#include "base/bits.h"
#include "base/fmt.h"
#include "perfdata/feature_view.h"
#include "perfdata/info.h"
#include "perfdata/writer.h"

enum {
	VALUES_15 = 36, /* of a domain, in versions 15 and 16 */
	DOMAINS_MAX = 64, /* of a CPU; what says more is broken */
	CPUS_MAX = 8192,
	READ_SIZE = 1 << 18,
	/* in a record, behind its header: time, CPU, version, number of the domain; values */
	CPU_AT = 8,
	VERSION_AT = 12,
	DOMAIN_AT = 14,
	VALUES_AT = 16,
};

void schedstat_cpu_release(struct schedstat_cpu *c)
{
	VEC_FOR(&c->domains, d) {
		free(d->name);
		free(d->cpus);
	}
	vec_free(&c->domains);
}

void schedstat_release(struct schedstat *s)
{
	VEC_FOR(&s->cpus, c)
		schedstat_cpu_release(c);
	vec_free(&s->cpus);
}

u32 schedstat_domain_values(u32 version)
{
	return version < SCHEDSTAT_NEWEST ? VALUES_15 : SCHEDSTAT_DOMAIN_VALUES;
}

static struct schedstat_cpu *find_cpu(const struct schedstat *s, u32 cpu)
{
	VEC_FOR(&s->cpus, c)
		if (c->cpu == cpu)
			return c;
	return NULL;
}

static struct schedstat_domain *find_domain(const struct schedstat_cpu *c, u32 number)
{
	VEC_FOR(&c->domains, d)
		if (d->number == number)
			return d;
	return NULL;
}

/* ------------------------------------------------------------------ text */

/* "00000000,0000000f" as "0-3". */
static char *cpus_of_mask(const char *mask)
{
	struct strbuf out = STRBUF_INIT;
	VEC(u32) list = { .v = NULL };
	u32 cpu = 0;

	for (size_t i = strlen(mask); i > 0; i--) {
		char c = mask[i - 1];
		u32 digit = (u32)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);

		if (!isxdigit((unsigned char)c))
			continue;
		for (u32 bit = 0; bit < 4; bit++, cpu++)
			if (digit >> bit & 1)
				*VEC_PUSH(&list) = cpu;
	}
	fmt_cpu_list(&out, list.v, list.nr);
	vec_free(&list);
	return strbuf_detach(&out);
}

static char *next_word(char **at)
{
	return strtok_r(NULL, " \t", at);
}

static bool parse_domain(const struct schedstat *s, struct schedstat_cpu *c, const char *first,
			 char **at)
{
	struct schedstat_domain *d;
	const char *word;

	if (!c || c->domains.nr == DOMAINS_MAX)
		return false;
	d = VEC_PUSH(&c->domains);
	*d = (struct schedstat_domain){ .number = (u32)strtoul(first + strlen("domain"), NULL,
							       10) };
	if (s->version >= SCHEDSTAT_NEWEST && (word = next_word(at)))
		d->name = xstrdup(word);
	word = next_word(at);
	d->cpus = cpus_of_mask(word ? word : "");
	for (u32 i = 0; i < schedstat_domain_values(s->version); i++) {
		word = next_word(at);
		if (!word)
			return false;
		d->values[i] = (u32)strtoull(word, NULL, 10);
	}
	return true;
}

static bool parse_cpu(struct schedstat *s, const char *first, char **at)
{
	struct schedstat_cpu *c = VEC_PUSH(&s->cpus);

	*c = (struct schedstat_cpu){ .cpu = (u32)strtoul(first + strlen("cpu"), NULL, 10) };
	for (u32 i = 0; i < SCHEDSTAT_CPU_VALUES; i++) {
		const char *word = next_word(at);

		if (!word)
			return false;
		c->values[i] = strtoull(word, NULL, 10);
	}
	return true;
}

static bool parse_line(struct schedstat *s, char *line)
{
	char *at = NULL;
	const char *word = strtok_r(line, " \t", &at);
	const char *number;

	if (!word)
		return true;
	if (!strncmp(word, "domain", 6))
		return parse_domain(s, s->cpus.nr ? VEC_LAST(&s->cpus) : NULL, word, &at);
	if (!strncmp(word, "cpu", 3))
		return parse_cpu(s, word, &at);
	number = next_word(&at);
	if (!strcmp(word, "version"))
		s->version = number ? (u32)strtoul(number, NULL, 10) : 0;
	if (!strcmp(word, "timestamp"))
		s->time = number ? strtoull(number, NULL, 10) : 0;
	return true;
}

static int check_version(u32 version, const char *what, struct err *e)
{
	if (version >= SCHEDSTAT_OLDEST && version <= SCHEDSTAT_NEWEST)
		return 0;
	return err_set(e, ENOTSUP, "%s has counters of version %u; those known are %d to %d", what,
		       version, SCHEDSTAT_OLDEST, SCHEDSTAT_NEWEST);
}

int schedstat_parse(struct schedstat *s, const char *text, struct err *e)
{
	_cleanup_(mem_freep) char *copy = xstrdup(text);
	char *at = NULL;

	for (char *line = strtok_r(copy, "\n", &at); line; line = strtok_r(NULL, "\n", &at)) {
		bool is_counters = !strncmp(line, "cpu", 3);

		if (is_counters && check_version(s->version, "/proc/schedstat", e))
			return -1;
		if (!parse_line(s, line))
			return err_set(e, EINVAL, "cannot read /proc/schedstat at '%s'", line);
	}
	return check_version(s->version, "/proc/schedstat", e);
}

/* ------------------------------------------------------------------ records */

static void add_u16(struct strbuf *out, u16 v)
{
	strbuf_add(out, &v, sizeof(v));
}

static void add_u32(struct strbuf *out, u32 v)
{
	strbuf_add(out, &v, sizeof(v));
}

static void add_u64(struct strbuf *out, u64 v)
{
	strbuf_add(out, &v, sizeof(v));
}

static void add_head(struct strbuf *out, u32 type, size_t body, const struct schedstat *s, u32 cpu,
		     u32 domain)
{
	add_u32(out, type);
	add_u16(out, 0);
	add_u16(out, (u16)ALIGN_UP(sizeof(struct perf_event_header) + VALUES_AT + body, 8));
	add_u64(out, s->time);
	add_u32(out, cpu);
	add_u16(out, (u16)s->version);
	add_u16(out, (u16)domain);
}

void schedstat_add_records(const struct schedstat *s, struct strbuf *out)
{
	u32 nr = schedstat_domain_values(s->version);

	VEC_FOR(&s->cpus, c) {
		add_head(out, PERF_RECORD_SCHEDSTAT_CPU, 48, s, c->cpu, 0);
		for (u32 i = 0; i < SCHEDSTAT_CPU_VALUES; i++) {
			if (i < STAT_RUN_NS)
				add_u32(out, (u32)c->values[i]);
			else
				add_u64(out, c->values[i]);
		}
		VEC_FOR(&c->domains, d) {
			add_head(out, PERF_RECORD_SCHEDSTAT_DOMAIN, nr * sizeof(u32), s, c->cpu,
				 d->number);
			for (u32 i = 0; i < nr; i++)
				add_u32(out, d->values[i]);
			if (nr % 2)
				add_u32(out, 0);
		}
	}
}

static int take_record(struct schedstat *first, struct schedstat *last,
		       const struct perf_event_header *h, struct err *e)
{
	const u8 *body = (const u8 *)(h + 1);
	bool is_cpu = h->type == PERF_RECORD_SCHEDSTAT_CPU;
	u32 version, cpu, nr, domain;
	struct schedstat *s;
	struct schedstat_cpu *c;

	if (h->size < sizeof(*h) + VALUES_AT)
		return err_set(e, EINVAL, "a record of the scheduler's counters is too short");
	version = body[VERSION_AT] | (u32)body[VERSION_AT + 1] << 8;
	domain = body[DOMAIN_AT] | (u32)body[DOMAIN_AT + 1] << 8;
	cpu = bits_u32(body + CPU_AT);
	if (check_version(version, "the recording", e))
		return -1;
	nr = schedstat_domain_values(version);
	if (h->size < sizeof(*h) + VALUES_AT + (is_cpu ? 48 : nr * sizeof(u32)))
		return err_set(e, EINVAL, "a record of the scheduler's counters is too short");
	s = !first->version || first->time == bits_u64(body) ? first : last;
	if (s->version && s->time != bits_u64(body))
		schedstat_release(s); /* only the last ones count */
	s->time = bits_u64(body);
	s->version = version;
	c = find_cpu(s, cpu);
	if (!is_cpu) {
		if (!c || c->domains.nr == DOMAINS_MAX)
			return 0;
		*VEC_PUSH(&c->domains) = (struct schedstat_domain){ .number = domain };
		memcpy(VEC_LAST(&c->domains)->values, body + VALUES_AT, nr * sizeof(u32));
		return 0;
	}
	if (c || s->cpus.nr == CPUS_MAX)
		return err_set(e, EINVAL, "CPU %u has its counters twice at one time", cpu);
	c = VEC_PUSH(&s->cpus);
	*c = (struct schedstat_cpu){ .cpu = cpu };
	for (u32 i = 0; i < SCHEDSTAT_CPU_VALUES; i++)
		c->values[i] = i < STAT_RUN_NS
				       ? bits_u32(body + VALUES_AT + i * 4)
				       : bits_u64(body + VALUES_AT + (size_t)STAT_RUN_NS * 4 +
						  (i - STAT_RUN_NS) * 8);
	return 0;
}

/* ------------------------------------------------------------------ names of domains */

/* "0-1,8" as a mask of hexadecimal digits; the kernel's own text of it is not kept. */
static void add_mask(struct strbuf *body, const char *cpus)
{
	_cleanup_(mem_freep) u32 *list = NULL;
	struct strbuf text = STRBUF_INIT;
	size_t nr = 0, nr_digits;

	if (!fmt_parse_cpu_list(cpus, &list, &nr))
		nr = 0;
	nr_digits = nr ? list[nr - 1] / 4 + 1 : 1;
	for (size_t digit = nr_digits; digit > 0; digit--) {
		u32 v = 0;

		for (size_t i = 0; i < nr; i++)
			if (list[i] / 4 == digit - 1)
				v |= 1U << list[i] % 4;
		strbuf_add_hex(&text, v);
	}
	feature_add_string(body, text.buf);
	strbuf_release(&text);
}

void schedstat_add_domains(const struct schedstat *s, struct strbuf *body)
{
	u32 most = 0;

	VEC_FOR(&s->cpus, c)
		most = MAX(most, (u32)c->domains.nr);
	feature_add_u32(body, s->version);
	feature_add_u32(body, most);
	VEC_FOR(&s->cpus, c) {
		feature_add_u32(body, c->cpu);
		feature_add_u32(body, (u32)c->domains.nr);
		VEC_FOR(&c->domains, d) {
			feature_add_u32(body, d->number);
			if (s->version >= SCHEDSTAT_NEWEST)
				feature_add_string(body, d->name ? d->name : "");
			add_mask(body, d->cpus);
			feature_add_string(body, d->cpus);
		}
	}
}

static void take_name(struct schedstat_cpu *c, u32 number, const char *name, const char *cpus)
{
	struct schedstat_domain *d = c ? find_domain(c, number) : NULL;

	if (!d || d->cpus)
		return;
	d->name = name && *name ? xstrdup(name) : NULL;
	d->cpus = xstrdup(cpus);
}

static void take_domains(struct schedstat *s, const struct strbuf *body)
{
	struct feature_view v = { .at = (const u8 *)body->buf,
				  .end = (const u8 *)body->buf + body->len };
	u32 version = view_u32(&v);

	view_u32(&v); /* most domains of a CPU */
	while (view_left(&v)) {
		u32 cpu = view_u32(&v), nr = view_u32(&v);

		for (u32 i = 0; i < nr && !v.bad; i++) {
			u32 number = view_u32(&v);
			const char *name = version >= SCHEDSTAT_NEWEST ? view_string(&v) : NULL;
			const char *cpus;

			view_string(&v); /* as a mask */
			cpus = view_string(&v);
			if (!v.bad)
				take_name(find_cpu(s, cpu), number, name, cpus);
		}
	}
}

int schedstat_read(struct perfdata *f, struct schedstat *first, struct schedstat *last,
		   struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf body = STRBUF_INIT;
	_cleanup_(mem_freep) u8 *buf = xmalloc(READ_SIZE);
	struct perfdata_chunk c;
	int got;

	if (perfdata_is_foreign_endian(f))
		return err_set(e, ENOTSUP, "'%s' is of a machine of the other byte order",
			       perfdata_name(f));
	while ((got = perfdata_read(f, buf, READ_SIZE, &c, e)) > 0) {
		for (size_t off = 0; off < c.len;) {
			const struct perf_event_header *h = (const void *)(buf + off);

			if ((h->type == PERF_RECORD_SCHEDSTAT_CPU ||
			     h->type == PERF_RECORD_SCHEDSTAT_DOMAIN) &&
			    take_record(first, last, h, e))
				return -1;
			off += h->size;
		}
	}
	if (got < 0)
		return -1;
	if (!first->version || !last->version || first->version != last->version) {
		err_set(e, EINVAL, "'%s' does not have the scheduler's counters twice",
			perfdata_name(f));
		err_hint(e, "perf sched stats record COMMAND records them");
		return -1;
	}
	if (perfdata_feature_body(f, FEAT_CPU_DOMAIN_INFO, &body))
		take_domains(last, &body);
	return 0;
}

/* ------------------------------------------------------------------ what happened */

void schedstat_subtract(struct schedstat *last, const struct schedstat *first)
{
	u32 nr = schedstat_domain_values(last->version);
	size_t kept = 0;

	last->time -= first->time;
	VEC_FOR(&last->cpus, c) {
		const struct schedstat_cpu *b = find_cpu(first, c->cpu);
		size_t kept_domains = 0;

		for (u32 i = 0; b && i < SCHEDSTAT_CPU_VALUES; i++)
			c->values[i] = i < STAT_RUN_NS ? (u32)(c->values[i] - b->values[i])
						       : c->values[i] - b->values[i];
		for (size_t i = 0; i < c->domains.nr; i++) {
			struct schedstat_domain d = c->domains.v[i];
			const struct schedstat_domain *before = b ? find_domain(b, d.number) : NULL;

			if (!before) {
				free(d.name);
				free(d.cpus);
				continue;
			}
			for (u32 k = 0; k < nr; k++)
				d.values[k] -= before->values[k];
			c->domains.v[kept_domains++] = d;
		}
		c->domains.nr = kept_domains;
		if (b)
			last->cpus.v[kept++] = *c;
		else
			schedstat_cpu_release(c);
	}
	last->cpus.nr = kept;
}

static void mean_of_domain(const struct schedstat *s, struct schedstat_domain *out)
{
	u64 sums[SCHEDSTAT_DOMAIN_VALUES] = { 0 };
	u64 nr = 0;

	VEC_FOR(&s->cpus, c) {
		const struct schedstat_domain *d = find_domain(c, out->number);

		for (u32 i = 0; d && i < SCHEDSTAT_DOMAIN_VALUES; i++)
			sums[i] += d->values[i];
		nr += d != NULL;
	}
	for (u32 i = 0; nr && i < SCHEDSTAT_DOMAIN_VALUES; i++)
		out->values[i] = (u32)(sums[i] / nr);
}

void schedstat_mean(const struct schedstat *s, struct schedstat_cpu *out)
{
	*out = (struct schedstat_cpu){ .cpu = (u32)-1 };
	VEC_FOR(&s->cpus, c) {
		for (u32 i = 0; i < SCHEDSTAT_CPU_VALUES; i++)
			out->values[i] += c->values[i];
		VEC_FOR(&c->domains, d)
			if (!find_domain(out, d->number))
				*VEC_PUSH(&out->domains) = (struct schedstat_domain){
					.number = d->number,
					.name = d->name ? xstrdup(d->name) : NULL
				};
	}
	for (u32 i = 0; s->cpus.nr && i < SCHEDSTAT_CPU_VALUES; i++)
		out->values[i] /= s->cpus.nr;
	VEC_FOR(&out->domains, d)
		mean_of_domain(s, d);
}
