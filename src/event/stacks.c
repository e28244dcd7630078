/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of an event's stacks: the value of --call-graph and of the term call-graph=.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/similar.h"
#include "event/event.h"

enum { DEFAULT_COPY = 8192 };

static int parse_copies(const char *rest, struct event_stacks *out, struct err *e)
{
	u64 size = 0;

	while (*rest) {
		_cleanup_(mem_freep) char *word = xstrndup(rest + 1, strcspn(rest + 1, ","));

		if (!strcmp(word, "raw"))
			out->raw = true;
		else if (!fmt_parse_size(word, &size) || !size ||
			 ALIGN_UP(size, 8) > EVENT_STACK_COPY_MAX)
			return err_set(e, EINVAL,
				       "callchain: Incorrect stack dump size (max %d): %s",
				       EVENT_STACK_COPY_MAX, word);
		rest += 1 + strlen(word);
	}
	if (out->raw && out->mode == EVENT_CG_AUTO)
		return err_set(e, EINVAL, "callchain: auto unwinds while recording: not with raw");
	out->stack_size = size ? (u32)ALIGN_UP(size, 8) : DEFAULT_COPY;
	out->grows = !size;
	return 0;
}

/* A number of frames and `defer`, in any order. */
static int parse_frames(const char *rest, struct event_stacks *out, struct err *e)
{
	while (*rest) {
		_cleanup_(mem_freep) char *word = xstrndup(rest + 1, strcspn(rest + 1, ","));
		u64 max = 0;

		if (!strcmp(word, "defer"))
			out->defer = true;
		else if (!fmt_parse_u64(word, &max) || max > UINT16_MAX)
			return err_set(e, EINVAL, "callchain: Incorrect number of frames: %s",
				       word);
		else
			out->max_stack = (u16)max;
		rest += 1 + strlen(word);
	}
	return 0;
}

static int parse_nothing(const char *rest, struct event_stacks *out UNUSED, struct err *e)
{
	return *rest ? err_set(e, EINVAL, "callchain: Unknown --call-graph option value: %s",
			       rest + 1)
		     : 0;
}

static const struct {
	const char *name;
	enum event_callgraph mode;
	int (*rest)(const char *rest, struct event_stacks *out, struct err *e);
} modes[] = {
	{ "fp", EVENT_CG_FP, parse_frames },     { "dwarf", EVENT_CG_DWARF, parse_copies },
	{ "auto", EVENT_CG_AUTO, parse_copies }, { "lbr", EVENT_CG_LBR, parse_nothing },
	{ "no", EVENT_CG_NONE, parse_nothing },
};

const char *event_stacks_word(size_t i)
{
	return i < ARRAY_SIZE(modes) ? modes[i].name : NULL;
}

int event_stacks_parse(const char *text, struct event_stacks *out, struct err *e)
{
	size_t len = strcspn(text, ",");

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (strlen(modes[i].name) != len || strncmp(modes[i].name, text, len) != 0)
			continue;
		*out = (struct event_stacks){ .mode = modes[i].mode };
		return modes[i].rest(text + len, out, e);
	}
	_cleanup_(mem_freep) char *word = xstrndup(text, len);
	const char *names[ARRAY_SIZE(modes)];

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		names[i] = modes[i].name;
	err_set(e, EINVAL, "callchain: Unknown --call-graph option value: %s", text);
	similar_hint_of(word, names, ARRAY_SIZE(names), e);
	return -1;
}
