/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view/annotation: a function's code with the samples that fell on it: lines as objdump lists them
 * (headings, source, instructions), counts by event. All strings are borrowed from the maker and
 * not escaped.
 */
#ifndef VIEW_ANNOTATION_H
#define VIEW_ANNOTATION_H

#include "base/types.h"

struct view_line_count {
	u64 nr, period;
};

/* What branch records tell of an instruction: how often it ran, a branch led to it, and the branch
 * that it is was taken, as predicted. */
struct view_line_branches {
	u64 ran, entered, taken, predicted;
	/* of the branch: how often the cycles since the branch before it were recorded, all of
	 * them, and all instructions between the two */
	u64 timed, cycles, insns;
	u64 least, most; /* cycles that were recorded once */
};

/* How an instruction goes on. */
enum view_flow { VIEW_FLOW_ON, VIEW_FLOW_JUMP, VIEW_FLOW_CALL, VIEW_FLOW_RETURN };

/* A source line: the innermost at an address. */
struct view_line_place {
	const char *file; /* the whole path; NULL = unknown */
	u32 line;
};

struct view_line {
	const char *text; /* without blanks around */
	u32 number; /* as perf numbers lines: those of a source file from where it was named last */
	bool is_code;
	bool is_source; /* text of a source file, whose line is place's */
	/* of code */
	bool goes_on; /* more bytes of the instruction above: text is empty */
	u64 addr; /* as shown */
	u8 len;
	const u8 *bytes;
	u8 operands; /* where they begin in text */
	u16 comment; /* where "# ADDRESS <NAME>" begins, 0 = there is none */
	enum view_flow flow;
	bool has_target; /* jumps and calls: of a fixed address */
	bool target_inside; /* and that is in this function */
	u64 target;
	const char *target_name; /* "name+0x12"; NULL = unknown */
	bool has_data;
	u64 data;
	const char *data_name;
	u32 nr_jumps; /* jumps of this function that lead here */
	const char *data_type; /* what it accesses: "struct node +0x8 (key)"; NULL = not known */
	struct view_line_place place;
	const struct view_line_count *counts; /* of each event; NULL = no samples */
	const struct view_line_branches *branches; /* NULL = none is known to have run it */
};

struct view_annotation_event {
	const char *name;
	u64 frequency; /* 0 = sampled by period */
	u64 nr, period; /* of the function */
	u64 total_nr, total_period; /* of all that was looked at */
};

struct view_annotation {
	const char *symbol; /* as perf names it */
	const char *dso, *dso_short;
	const char *build_id; /* in hexadecimal; NULL = not known */
	const char *machine; /* "x86_64"; "" = another */
	u64 start, size; /* as shown */
	u32 process; /* whose memory the code was read from, as it is now; 0 = it is the recorded */
	bool cut; /* the function is larger than what is shown of it */
	const struct view_annotation_event *events;
	u32 nr_events; /* more than one: a group */
	const char *group; /* the group's name with its events; NULL = no group */
	const struct view_line *lines;
	size_t nr_lines;
};

#endif
