/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/sched_events.h"

#include <string.h>

#define SWITCH_BRIEF                                                                               \
	[SWITCH_PREV_PID] = { .names = { "prev_pid" } },                                           \
	[SWITCH_PREV_STATE] = { .names = { "prev_state" }, .optional = true },                     \
	[SWITCH_NEXT_PID] = { .names = { "next_pid" } }

const struct analyze_field sched_switch_brief_fields[] = {
	SWITCH_BRIEF,
	{ .names = { NULL } },
};

const struct analyze_field sched_switch_fields[] = {
	SWITCH_BRIEF,
	[SWITCH_PREV_PRIO] = { .names = { "prev_prio" }, .optional = true },
	[SWITCH_NEXT_COMM] = { .names = { "next_comm" }, .kind = ANALYZE_STRING, .optional = true },
	{ .names = { NULL } },
};

const struct analyze_field sched_wakeup_fields[] = {
	[WAKEUP_PID] = { .names = { "pid" } },
	[WAKEUP_FLAGS] = { .names = { "common_flags" }, .optional = true },
	{ .names = { NULL } },
};

const struct analyze_field sched_runtime_fields[] = {
	[RUNTIME_PID] = { .names = { "pid" } },
	[RUNTIME_NS] = { .names = { "runtime" } },
	{ .names = { NULL } },
};

const struct analyze_field sched_migrate_fields[] = {
	[MIGRATE_PID] = { .names = { "pid" } },
	[MIGRATE_FROM] = { .names = { "orig_cpu" }, .optional = true },
	[MIGRATE_TO] = { .names = { "dest_cpu" }, .optional = true },
	{ .names = { NULL } },
};

const char sched_record_hint[] = "perf sched record COMMAND records what is needed";

static void note_state(void *ctx, const struct tracefmt_names *n)
{
	struct sched_states *s = ctx;

	if (n->kind != TRACEFMT_NAMES_VALUE || strcmp(n->field->name, "prev_state") != 0 ||
	    n->len != 1 || n->value <= 0 || s->nr == SCHED_MAX_STATES)
		return;
	s->v[s->nr].bit = (u64)n->value;
	s->v[s->nr++].letter = n->text[0];
}

void sched_states_init(struct sched_states *s, const struct tracefmt *format)
{
	static const struct sched_states lasting = {
		.nr = 4, .v = { { 1, 'S' }, { 2, 'D' }, { 4, 'T' }, { 8, 't' } }
	};

	s->nr = 0;
	if (format)
		tracefmt_each_name(format, note_state, s);
	if (!s->nr)
		*s = lasting;
}

char sched_state_letter(const struct sched_states *s, u64 state)
{
	for (size_t i = 0; i < s->nr; i++)
		if (state & s->v[i].bit)
			return s->v[i].letter;
	return 'R';
}
