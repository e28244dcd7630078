/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/constants.h"

#include <string.h>

#include "base/bits.h"

struct constant_name {
	u64 value;
	const char *name; /* as it is shown; NULL ends a set */
	const char *full; /* in the headers */
};

#define TRACE_CONSTANTS_ROWS
#include "trace/constants_made.h"

const char *trace_constant_text(enum trace_set set, u64 value, bool full)
{
	for (const struct constant_name *n = trace_sets[set]; n && n->name; n++)
		if (n->value == value)
			return full ? n->full : n->name;
	return NULL;
}

const char *trace_constant(enum trace_set set, u64 value)
{
	return trace_constant_text(set, value, false);
}

const char *trace_constant_name(enum trace_set set, size_t i)
{
	const struct constant_name *names = trace_sets[set];

	for (size_t n = 0; names && n < i && names->name; n++)
		names++;
	return names ? names->full : NULL;
}

bool trace_constant_find(enum trace_set set, const char *name, size_t len, u64 *value)
{
	for (const struct constant_name *n = trace_sets[set]; n && n->name; n++) {
		if ((strncmp(n->full, name, len) != 0 || n->full[len]) &&
		    (strncmp(n->name, name, len) != 0 || n->name[len]))
			continue;
		*value = n->value;
		return true;
	}
	return false;
}

/* Bits that belong to constants of several, all of whose bits are there. */
static u64 joint_bits(const struct constant_name *names, u64 value)
{
	u64 joint = 0;

	for (const struct constant_name *n = names; n->name; n++)
		if ((n->value & (n->value - 1)) && (value & n->value) == n->value)
			joint |= n->value;
	return joint;
}

bool trace_flags_add(struct strbuf *out, enum trace_set set, u64 value, bool between, bool full)
{
	const struct constant_name *names = trace_sets[set];
	u64 joint = joint_bits(names, value), left = value;

	for (const struct constant_name *n = names; n->name; n++) {
		bool several = n->value & (n->value - 1);

		if (!n->value || (value & n->value) != n->value || (!several && (joint & n->value)))
			continue;
		if (between)
			strbuf_addch(out, '|');
		strbuf_adds(out, full ? n->full : n->name);
		between = true;
		left &= ~n->value;
	}
	if (!left)
		return value != 0;
	strbuf_adds(out, between ? "|0x" : "0x");
	strbuf_add_hex(out, left);
	return true;
}

bool trace_signal_add(struct strbuf *out, u64 number, bool full)
{
	enum { RTMIN = 32, LAST = 64 };
	const char *name = trace_constant_text(SET_SIGNAL, number, full);

	if (!name && (number < RTMIN || number > LAST))
		return false;
	if (!name && full)
		strbuf_adds(out, "SIG");
	if (name || number == RTMIN)
		strbuf_adds(out, name ? name : "RTMIN");
	else
		strbuf_addf(out, "RT_%u", (unsigned int)number - RTMIN);
	return true;
}
