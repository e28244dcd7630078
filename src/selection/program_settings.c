/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selection/program_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bpf/object.h"

VEC_TYPE(ranges, struct event_program_range);

struct setting {
	char *map, *what, *keys, *value;
};

static void setting_release(struct setting *s)
{
	free(s->map);
	free(s->what);
	free(s->keys);
	free(s->value);
}

static int not_understood(const char *text, struct err *e)
{
	err_set(e, EINVAL, "'%s' is no setting of BPF programs", text);
	err_hint(e,
		 "map:NAME.event[KEYS]=EVENT gives an event to a map, map:NAME.value[KEYS]=NUMBER "
		 "a number; KEYS is like 0,2-5 or all");
	return -1;
}

/* "map:" NAME "." WHAT ["[" KEYS "]"] "=" VALUE */
static int split(const char *text, struct setting *s, struct err *e)
{
	static const char begin[] = "map:";
	const char *name = text + strlen(begin), *equals = strchr(text, '=');
	const char *dot = equals ? memrchr(text, '.', strcspn(text, "[=")) : NULL;
	const char *open, *close;

	if (strncmp(text, begin, strlen(begin)) != 0 || !dot || dot <= name || !equals[1])
		return not_understood(text, e);
	open = memchr(dot, '[', (size_t)(equals - dot));
	close = open ? equals - 1 : equals;
	if (open && (*close != ']' || close == open + 1))
		return not_understood(text, e);
	s->map = xstrndup(name, (size_t)(dot - name));
	s->what = xstrndup(dot + 1, (size_t)((open ? open : equals) - dot - 1));
	s->keys = open ? xstrndup(open + 1, (size_t)(close - open - 1)) : xstrdup("all");
	s->value = xstrdup(equals + 1);
	return 0;
}

/* "all", or numbers and ranges of them ("3-5", or as perf has it "3...5") with commas. */
static int read_keys(const char *text, u32 nr, struct ranges *out, struct err *e)
{
	const char *s = text;

	if (!strcmp(text, "all")) {
		*VEC_PUSH(out) = (struct event_program_range){ 0, nr - 1 };
		return 0;
	}
	do {
		char *end;
		u64 from = strtoull(s, &end, 0), to = from;
		size_t dots = *end == '-' ? 1 : strncmp(end, "...", 3) ? 0 : 3;

		if (end == s || *s == '-' || *s == '+')
			return err_set(e, EINVAL, "'%s' are no keys of a map", text);
		if (dots) {
			s = end + dots;
			to = strtoull(s, &end, 0);
		}
		if (end == s || (*end && *end != ',') || to < from)
			return err_set(e, EINVAL, "'%s' are no keys of a map", text);
		if (to >= nr)
			return err_set(e, EINVAL, "the map has keys from 0 to %u: '%s'", nr - 1,
				       text);
		*VEC_PUSH(out) = (struct event_program_range){ (u32)from, (u32)to };
		s = end + 1;
	} while (s[-1]);
	return 0;
}

static int give_event(const struct setting *s, const struct bpf_file_map *map, struct ranges *keys,
		      struct event_program *p, struct err *e)
{
	struct event_program_map *m;
	int fd;

	if (map->type != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
		return err_set(e, EINVAL, "the map '%s' is no perf event array", s->map);
	fd = fcntl(map->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return err_sys(e, errno, "cannot keep the map '%s'", s->map);
	m = VEC_PUSH(&p->maps);
	*m = (struct event_program_map){ .fd = fd, .event = xstrdup(s->value) };
	VEC_FOR(keys, r)
		*VEC_PUSH(&m->cpus) = *r;
	return 0;
}

static int give_value(const struct setting *s, const struct bpf_file_map *map, struct ranges *keys,
		      struct event_program *p UNUSED, struct err *e)
{
	bool negative = s->value[0] == '-';
	char *end;
	u64 value;

	if (map->type != BPF_MAP_TYPE_ARRAY || map->key_size != sizeof(u32))
		return err_set(e, EINVAL, "the map '%s' is no array", s->map);
	if (map->value_size > sizeof(u64) || map->value_size & (map->value_size - 1))
		return err_set(e, EINVAL, "the map '%s' has no numbers: its values have %u bytes",
			       s->map, map->value_size);
	errno = 0;
	value = negative ? (u64)strtoll(s->value, &end, 0) : strtoull(s->value, &end, 0);
	if (errno || *end || end == s->value)
		return err_set(e, EINVAL, "'%s' is no number", s->value);
	if (map->value_size < sizeof(u64)) {
		u64 limit = 1ULL << (8 * map->value_size);

		if (negative ? value < -(limit / 2) : value >= limit)
			return err_set(e, ERANGE, "'%s' does not fit into %u bytes", s->value,
				       map->value_size);
	}
	VEC_FOR(keys, r) {
		for (u64 key = r->from; key <= r->to; key++) {
			int code = bpf_put_value(map->fd, (u32)key, value, map->value_size);

			if (code)
				return err_sys(e, -code,
					       "the kernel does not put a number into the map '%s'",
					       s->map);
		}
	}
	return 0;
}

static int apply(const struct bpf_file *f, const char *text, struct event_program *p, struct err *e)
{
	static const struct {
		const char *what;
		int (*give)(const struct setting *s, const struct bpf_file_map *map,
			    struct ranges *keys, struct event_program *p, struct err *e);
	} rows[] = { { "event", give_event }, { "value", give_value } };
	_cleanup_(setting_release) struct setting s = { NULL };
	struct ranges keys = { 0 };
	struct bpf_file_map map;
	int r;

	if (split(text, &s, e))
		return -1;
	if (!bpf_file_find_map(f, s.map, &map))
		return err_set(e, ENOENT, "the BPF programs have no map '%s'", s.map);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strcmp(rows[i].what, s.what) != 0)
			continue;
		r = read_keys(s.keys, map.max_entries, &keys, e);
		if (!r)
			r = rows[i].give(&s, &map, &keys, p, e);
		vec_free(&keys);
		return r;
	}
	return not_understood(text, e);
}

/* Up to the comma behind it, which is in no brackets. */
static size_t setting_span(const char *s)
{
	bool keys = false;
	size_t n = 0;

	for (; s[n] && (keys || s[n] != ','); n++)
		keys = s[n] == '[' || (keys && s[n] != ']');
	return n;
}

int program_settings_apply(const struct bpf_file *f, const char *settings, struct event_program *p,
			   struct err *e)
{
	while (*settings) {
		size_t n = setting_span(settings);
		_cleanup_(mem_freep) char *one = xstrndup(settings, n);

		if (apply(f, one, p, e))
			return -1;
		settings += n + (settings[n] == ',');
	}
	return 0;
}
