/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/constants.h"

#include <string.h>

#include "base/bits.h"

/* Without pointers, which the loader would write to when perf starts: places in constant_text. */
struct constant_row {
	u64 value;
	u32 name; /* as it is shown */
	u32 full; /* in the headers */
};

#define TRACE_CONSTANTS_ROWS
#include "trace/constants_made.h"

#define SET_FOR(set, row)                                                                          \
	for (const struct constant_row *row = &constant_rows[set_rows[set]],                       \
				       *row##_end = &constant_rows[set_rows[(set) + 1]];           \
	     row < row##_end; row++)

static const char *text_of(const struct constant_row *row, bool full)
{
	return constant_text + (full ? row->full : row->name);
}

const char *trace_constant_text(enum trace_set set, u64 value, bool full)
{
	SET_FOR(set, row)
	if (row->value == value)
		return text_of(row, full);
	return NULL;
}

const char *trace_constant(enum trace_set set, u64 value)
{
	return trace_constant_text(set, value, false);
}

const char *trace_constant_name(enum trace_set set, size_t i)
{
	SET_FOR(set, row)
	if (!i--)
		return text_of(row, true);
	return NULL;
}

static bool is_text(const char *text, const char *name, size_t len)
{
	return !strncmp(text, name, len) && !text[len];
}

bool trace_constant_find(enum trace_set set, const char *name, size_t len, u64 *value)
{
	SET_FOR(set, row)
	{
		if (!is_text(text_of(row, true), name, len) &&
		    !is_text(text_of(row, false), name, len))
			continue;
		*value = row->value;
		return true;
	}
	return false;
}

/* Bits that belong to constants of several, all of whose bits are there. */
static u64 joint_bits(enum trace_set set, u64 value)
{
	u64 joint = 0;

	SET_FOR(set, row)
	if ((row->value & (row->value - 1)) && (value & row->value) == row->value)
		joint |= row->value;
	return joint;
}

bool trace_flags_add(struct strbuf *out, enum trace_set set, u64 value, bool between, bool full)
{
	u64 joint = joint_bits(set, value), left = value;

	SET_FOR(set, row)
	{
		bool several = row->value & (row->value - 1);

		if (!row->value || (value & row->value) != row->value ||
		    (!several && (joint & row->value)))
			continue;
		if (between)
			strbuf_addch(out, '|');
		strbuf_adds(out, text_of(row, full));
		between = true;
		left &= ~row->value;
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
