/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/fmt.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"

bool fmt_parse_u64(const char *s, u64 *value)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*value = strtoull(s, &end, 0);
	return !*end && !errno;
}

bool fmt_parse_size(const char *s, u64 *bytes)
{
	static const char units[] = "bkmgt";
	char *end;
	const char *unit;
	unsigned int shift;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*bytes = strtoull(s, &end, 10);
	if (errno)
		return false;
	if (!*end)
		return true;
	unit = strchr(units, tolower((unsigned char)*end));
	if (!unit || end[1])
		return false;
	shift = 10 * (unsigned int)(unit - units);
	if (*bytes > UINT64_MAX >> shift)
		return false;
	*bytes <<= shift;
	return true;
}

bool fmt_parse_time_ns(const char *s, u64 *ns)
{
	u64 sec = 0;
	u64 frac = 0;
	int digits = 0;
	bool any = false;

	s += strspn(s, " ");
	for (; isdigit((unsigned char)*s); s++, any = true)
		sec = sec > (UINT64_MAX - 9) / 10 ? UINT64_MAX : sec * 10 + (u64)(*s - '0');
	if (*s == '.') {
		for (s++; isdigit((unsigned char)*s); s++, any = true)
			if (digits < 9) {
				frac = frac * 10 + (u64)(*s - '0');
				digits++;
			}
	}
	if (*s || !any)
		return false;
	if (sec > UINT64_MAX / 1000000000 - 1) {
		*ns = UINT64_MAX;
		return true;
	}
	for (; digits < 9; digits++)
		frac *= 10;
	*ns = sec * 1000000000 + frac;
	return true;
}

static bool parse_cpu(const char **s, u32 *cpu)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)**s))
		return false;
	errno = 0;
	v = strtoul(*s, &end, 10);
	if (errno || v >= LIMIT_CPUS)
		return false;
	*s = end;
	*cpu = (u32)v;
	return true;
}

bool fmt_parse_cpu_list(const char *s, u32 **list, size_t *nr)
{
	VEC(u32) cpus = { 0 };
	size_t out = 0;

	for (;;) {
		u32 from;
		u32 to;

		if (!parse_cpu(&s, &from))
			goto bad;
		to = from;
		if (*s == '-') {
			s++;
			if (!parse_cpu(&s, &to) || to < from)
				goto bad;
		}
		/* many large ranges that name the same CPUs again */
		if (cpus.nr + (to - from) >= LIMIT_CPUS)
			goto bad;
		for (u32 c = from; c <= to; c++)
			*VEC_PUSH(&cpus) = c;
		if (!*s || *s == '\n')
			break;
		if (*s++ != ',')
			goto bad;
		if (!*s)
			break; /* as `tr '\n' ,` leaves it */
	}
	VEC_SORT(&cpus, by_u32);
	for (size_t i = 0; i < cpus.nr; i++)
		if (!out || cpus.v[out - 1] != cpus.v[i])
			cpus.v[out++] = cpus.v[i];
	*list = cpus.v;
	*nr = out;
	return true;
bad:
	vec_free(&cpus);
	return false;
}

void fmt_cpu_list(struct strbuf *out, const u32 *list, size_t nr)
{
	for (size_t i = 0; i < nr;) {
		size_t j = i;

		while (j + 1 < nr && list[j + 1] == list[j] + 1)
			j++;
		if (i)
			strbuf_addch(out, ',');
		strbuf_add_u64(out, list[i]);
		if (j > i) {
			strbuf_addch(out, '-');
			strbuf_add_u64(out, list[j]);
		}
		i = j + 1;
	}
}

void fmt_time(struct strbuf *out, u64 ns, int digits)
{
	strbuf_add_u64(out, ns / 1000000000);
	strbuf_addch(out, '.');
	if (digits == 9)
		strbuf_add_u64_width(out, ns % 1000000000, 9, '0');
	else
		strbuf_add_u64_width(out, ns % 1000000000 / 1000, 6, '0');
}

void fmt_build_id(struct strbuf *out, const u8 *id, size_t size)
{
	for (size_t i = 0; i < size; i++)
		strbuf_add_hex_width(out, id[i], 2, '0');
}
