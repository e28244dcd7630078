/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render/annotation: annotated functions as perf annotate prints them: text with source lines
 * numbered (--stdio), text as its terminal view has it (--stdio2), JSON for programs. One table of
 * functions each, called in order: begin(), function() for each, end(). They append to out->text,
 * which the caller writes out and empties whenever it likes.
 */
#ifndef RENDER_ANNOTATION_H
#define RENDER_ANNOTATION_H

#include "base/json.h"
#include "base/strbuf.h"
#include "view/annotation.h"

enum annotation_column { ANNOTATION_PERCENT, ANNOTATION_SAMPLES, ANNOTATION_PERIOD };

struct annotation_out {
	struct strbuf text;
	enum annotation_column column;
	bool global; /* percentages are of all that was looked at, not of the function */
	bool hits; /* of samples, not of periods */
	bool coloured;
	bool raw; /* with the bytes of instructions */
	bool places; /* source lines at instructions, and a summary of them */
	bool full_paths;
	/* of the terminal view */
	bool no_source;
	bool line_numbers, jump_counts, addresses;
	u64 moved; /* added to addresses: where the code lay when it ran */
	bool least_most; /* cycles with the least and the most of them */
	bool no_arrows; /* from jumps to their targets: screens draw them */
	u8 offset_level; /* addresses in front: 0 = none, 1 = where jumps lead to, 2 = and of calls,
			    3 = all */
	struct json json;
};

struct annotation_ops {
	void (*begin)(struct annotation_out *out);
	void (*function)(struct annotation_out *out, const struct view_annotation *v);
	void (*end)(struct annotation_out *out);
};

/* The terminal view line by line, for screens: how wide its columns are, and one of its lines. */
struct annotation_columns {
	u32 numbers; /* all columns of numbers together */
	u32 address; /* of the addresses, with what is in front of them */
	u32 target; /* of an address alone */
	u32 cycles; /* of IPC and cycles, a part of numbers; 0 = not shown */
	u32 jumps; /* counts of jumps and a blank, 0 = not shown */
	u32 mnemonic; /* the longest */
	size_t first; /* line that is shown */
};
struct annotation_columns annotation_view_columns(const struct annotation_out *out,
						  const struct view_annotation *v);
/* Where the arrows of jumps stand. */
u32 annotation_view_arrows(const struct annotation_columns *c);
/* Appends a line without its end; false: it is not shown. */
bool annotation_view_line(struct annotation_out *out, const struct view_annotation *v,
			  const struct annotation_columns *c, size_t line);

extern const struct annotation_ops annotation_stdio_ops;
extern const struct annotation_ops annotation_view_ops;
extern const struct annotation_ops annotation_json_ops;

/* ---- for the files of this module */

/* JSON: from the start to what the object consists of, parts that others have, too, and the end. */
void annotation_json_begin(struct annotation_out *out);
void annotation_json_events(struct json *j, const struct view_annotation_event *events, u32 nr);
void annotation_json_counts(struct json *j, const struct view_line_count *counts, u32 nr);
void annotation_json_end(struct annotation_out *out);
/* "local period" */
void annotation_add_percent_type(const struct annotation_out *out, struct strbuf *text);
/* What a line has of an event's function or of all, in percent. */
double annotation_percent(const struct annotation_out *out, const struct view_annotation *v,
			  const struct view_line *line, u32 event);
/* Of source lines with more than so much of an event, for the summary and places. */
#define ANNOTATION_NOTABLE 0.5
void annotation_add_summary(struct annotation_out *out, const struct view_annotation *v);
u32 annotation_hex_digits(u64 v);

#endif
