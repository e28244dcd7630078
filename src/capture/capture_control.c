/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of the control channel.
 */
#include "base/strbuf.h"
#include "capture/capture_internal.h"
#include "capture/control.h"

/* The middle comes from the other end of the channel: it must not drive a terminal. */
static void tell_of(struct capture *c, const char *before, const char *foreign, const char *after)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, before);
	strbuf_add_escaped(&text, foreign);
	strbuf_adds(&text, after);
	capture_tell(c, text.buf);
}

static const struct event *event_named(const struct capture *c, const char *name)
{
	VEC_FOR(&c->o.events->events, ev) {
		if (!strcmp((*ev)->name, name))
			return *ev;
	}
	return NULL;
}

static void set_enabled(struct capture *c, const char *name, bool on)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
	const struct event *ev = NULL;

	if (!*name) {
		capture_ioctl(c, NULL, request);
		capture_tell(c, on ? "Events enabled" : "Events disabled");
		return;
	}
	ev = event_named(c, name);
	if (ev) {
		capture_ioctl(c, ev, request);
		tell_of(c, "Event ", name, on ? " enabled" : " disabled");
	} else {
		tell_of(c, "failed: can't find '", name, "' event");
	}
}

static void do_enable(struct capture *c, const char *arg)
{
	set_enabled(c, arg, true);
}

static void do_disable(struct capture *c, const char *arg)
{
	set_enabled(c, arg, false);
}

static void do_evlist(struct capture *c, const char *arg)
{
	static const struct {
		const char *arg;
		enum capture_list what;
	} lists[] = { { "", CAPTURE_LIST_NAMES },
		      { "-v", CAPTURE_LIST_ALL },
		      { "-g", CAPTURE_LIST_GROUPS },
		      { "-F", CAPTURE_LIST_FREQ } };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (strcmp(arg, lists[i].arg) != 0)
			continue;
		if (c->o.list)
			c->o.list(c->o.tell_ctx, lists[i].what);
		return;
	}
	capture_tell(c, "failed: wrong command");
}

static void do_snapshot(struct capture *c, const char *arg UNUSED)
{
	if (c->aux.kind && c->o.cfg->aux_mode == AUX_SNAPSHOTS)
		c->snapshot_wanted = true;
	else if (c->flight.nr && c->o.next_file)
		c->switch_wanted = true;
	else
		capture_tell(c,
			     "failed: no snapshot without -S, or --overwrite and --switch-output");
}

static void do_stop(struct capture *c, const char *arg UNUSED)
{
	c->done = true;
}

static void do_ping(struct capture *c UNUSED, const char *arg UNUSED)
{
}

static const struct control_command {
	const char *name;
	void (*run)(struct capture *c, const char *arg);
	bool takes_arg;
} commands[] = {
	{ "enable", do_enable, true }, { "disable", do_disable, true },
	{ "evlist", do_evlist, true }, { "snapshot", do_snapshot, false },
	{ "stop", do_stop, false },    { "ping", do_ping, false },
};

static void obey_line(struct capture *c, const char *line)
{
	size_t len = strcspn(line, " ");
	const char *arg = line + len;

	arg += strspn(arg, " ");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct control_command *cmd = &commands[i];

		if (strlen(cmd->name) != len || strncmp(cmd->name, line, len) != 0 ||
		    (*arg && !cmd->takes_arg))
			continue;
		cmd->run(c, arg);
		control_ack(c->o.control);
		return;
	}
	tell_of(c, "failed: unknown control command '", line, "'");
}

void capture_obey(struct capture *c)
{
	char line[CONTROL_LINE_MAX];

	while (control_next(c->o.control, line))
		obey_line(c, line);
	if (control_fd(c->o.control) < 0)
		capture_tell(c, "the control channel was closed: recording goes on without it");
}
