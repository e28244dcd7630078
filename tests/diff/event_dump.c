/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_dump: parse each line of stdin as the text of -e and print what it asks for, one line per
 * event, in the words of perf's -vv attr dump. Used by event_attrs.py beside this file.
 *
 *	event_dump [--sysfs DIR] [--count]
 */
#include <stdio.h>
#include <string.h>

#include "event/event.h"

static void field(const char *name, unsigned long long v)
{
	if (v)
		printf(" %s=%llu", name, v);
}

static void hex(const char *name, unsigned long long v)
{
	if (v)
		printf(" %s=%#llx", name, v);
}

static void dump(const struct event *ev)
{
	const struct perf_event_attr *a = &ev->attr;

	printf("attr");
	field("type", a->type);
	hex("config", a->config);
	field("pinned", a->pinned);
	field("exclusive", a->exclusive);
	field("exclude_user", a->exclude_user);
	field("exclude_kernel", a->exclude_kernel);
	field("exclude_hv", a->exclude_hv);
	field("exclude_idle", a->exclude_idle);
	field("precise_ip", a->precise_ip);
	field("exclude_host", a->exclude_host);
	field("exclude_guest", a->exclude_guest);
	field("bp_type", a->bp_type);
	hex("config1", a->config1);
	hex("config2", a->config2);
	hex("config3", a->config3);
	printf("\nname %s\n", ev->name);
}

int main(int argc, char **argv)
{
	struct event_env env = { 0 };
	char line[8192];

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--sysfs") && i + 1 < argc)
			env.sysfs = argv[++i];
		else if (!strcmp(argv[i], "--count"))
			env.counting_command = "perf stat";
	}
	while (fgets(line, sizeof(line), stdin)) {
		struct event_list l;
		struct event_error ee;

		line[strcspn(line, "\n")] = '\0';
		printf("### [%s]\n", line);
		event_list_init(&l);
		if (event_parse(&l, line, &env, &ee)) {
			struct strbuf sb = STRBUF_INIT;

			event_error_print(line, &ee, &sb);
			printf("%s", sb.buf);
			strbuf_release(&sb);
		}
		VEC_FOR(&l.events, ev)
			dump(*ev);
		event_list_release(&l);
	}
	return 0;
}
