/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As perf's terminal view shows it: jumps with arrows, addresses where they lead to. */
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "render/annotation.h"

enum {
	WIDTH_NUMBER = 7,
	WIDTH_PERIOD = 12,
	WIDTH_IPC = 6,
	WIDTH_CYCLES = 12,
	WIDTH_LEAST_MOST = 25
};

static u32 mnemonic_len(const struct view_line *line)
{
	return (u32)strcspn(line->text, " \t");
}

struct annotation_columns annotation_view_columns(const struct annotation_out *out,
						  const struct view_annotation *v)
{
	struct annotation_columns c = { 0 };
	u64 last = out->addresses ? v->start + v->size + out->moved : v->size;
	u32 most = 0;

	c.numbers = v->nr_events * (out->column == ANNOTATION_PERIOD ? WIDTH_PERIOD : WIDTH_NUMBER);
	c.target = annotation_hex_digits(last);
	for (size_t i = 0; i < v->nr_lines; i++) {
		if (!v->lines[i].is_code)
			continue;
		c.mnemonic = MAX(c.mnemonic, mnemonic_len(&v->lines[i]));
		most = MAX(most, v->lines[i].nr_jumps);
		if (v->lines[i].branches && v->lines[i].branches->timed)
			c.cycles = out->least_most ? WIDTH_LEAST_MOST : WIDTH_CYCLES;
	}
	c.numbers += c.cycles;
	if (out->jump_counts)
		for (c.jumps = 2; most >= 10; most /= 10)
			c.jumps++;
	c.address = c.target + c.jumps;
	while (out->no_source && c.first < v->nr_lines && !v->lines[c.first].is_code)
		c.first++;
	return c;
}

static const char *column_name(const struct annotation_out *out)
{
	static const char *const names[] = { "Percent", "Samples", "Period" };

	return names[out->column];
}

static void add_numbers(struct annotation_out *out, const struct view_annotation *v,
			const struct view_line *line)
{
	struct strbuf *t = &out->text;
	u32 width = out->column == ANNOTATION_PERIOD ? WIDTH_PERIOD : WIDTH_NUMBER;

	for (u32 i = 0; i < v->nr_events; i++) {
		double percent = annotation_percent(out, v, line, i);
		struct view_line_count c = line->counts ? line->counts[i]
							: (struct view_line_count){ 0 };

		if (!line->counts)
			strbuf_pad(t, ' ', width);
		else if (out->column == ANNOTATION_PERCENT)
			strbuf_addf(t, "%6.2f ", percent);
		else if (out->column == ANNOTATION_SAMPLES)
			strbuf_addf(t, "%6llu ", (unsigned long long)c.nr);
		else
			strbuf_addf(t, "%11llu ", (unsigned long long)c.period);
	}
}

/* Behind the numbers: instructions per cycle up to a branch, and how many cycles that took. */
static void add_cycles(struct annotation_out *out, const struct annotation_columns *c,
		       const struct view_line *line)
{
	const struct view_line_branches *b = line->branches;
	_cleanup_(strbuf_releasep) struct strbuf cycles = STRBUF_INIT;

	if (!c->cycles)
		return;
	if (!b || !b->timed || !b->cycles) {
		strbuf_pad(&out->text, ' ', c->cycles);
		return;
	}
	if (out->least_most)
		strbuf_addf(&cycles, "%llu(%llu/%llu)", (unsigned long long)(b->cycles / b->timed),
			    (unsigned long long)b->least, (unsigned long long)b->most);
	else
		strbuf_add_u64(&cycles, b->cycles / b->timed);
	strbuf_addf(&out->text, "%5.2f %*s ", (double)b->insns / (double)b->cycles,
		    (int)c->cycles - WIDTH_IPC - 1, cycles.buf);
}

static void add_column_names(struct annotation_out *out, const struct annotation_columns *c)
{
	size_t from = out->text.len;

	strbuf_adds(&out->text, column_name(out));
	strbuf_pad(&out->text, ' ', from + c->numbers - c->cycles - out->text.len);
	if (c->cycles)
		strbuf_addf(&out->text, "%*s %*s ", WIDTH_IPC - 1, "IPC",
			    (int)c->cycles - WIDTH_IPC - 1,
			    out->least_most ? "Cycle(min/max)" : "Cycle");
}

static bool shows_address(const struct annotation_out *out, const struct view_line *line)
{
	if (out->addresses || out->offset_level >= 3)
		return true;
	/* as perf: with bytes, jumps and calls do not make addresses shown */
	if (out->raw)
		return false;
	return (out->offset_level >= 1 && line->nr_jumps) ||
	       (out->offset_level >= 2 && line->flow == VIEW_FLOW_CALL);
}

static void add_address(struct annotation_out *out, const struct view_annotation *v,
			const struct annotation_columns *c, const struct view_line *line)
{
	struct strbuf *t = &out->text;
	u64 addr = out->addresses ? line->addr + out->moved : line->addr - v->start;

	strbuf_addch(t, ' ');
	if (!shows_address(out, line)) {
		strbuf_pad(t, ' ', c->address + 2);
		return;
	}
	if (c->jumps && line->nr_jumps)
		strbuf_addf(t, "%*u ", (int)c->jumps - 1, line->nr_jumps);
	else
		strbuf_pad(t, ' ', c->jumps);
	strbuf_add_hex_width(t, addr, (int)c->target, ' ');
	strbuf_adds(t, ": ");
}

static const char *arrow(const struct view_line *line)
{
	switch (line->flow) {
	case VIEW_FLOW_JUMP:
		if (!line->target_inside)
			return "→ ";
		return line->target > line->addr ? "↓ " : "↑ ";
	case VIEW_FLOW_CALL:
		return "→ ";
	case VIEW_FLOW_RETURN:
		return "← ";
	case VIEW_FLOW_ON:
		break;
	}
	return "  ";
}

/* The operand that is an address, by its name: "mov sink,%rax". */
static bool add_named_data(const struct view_line *line, const char *ops, size_t len,
			   struct strbuf *text)
{
	const char *end = NULL, *start;

	for (const char *p = ops; p + 6 <= ops + len; p++)
		if (!strncmp(p, "(%rip)", 6))
			end = p + 6;
	if (!line->data_name || !end || line->flow != VIEW_FLOW_ON)
		return false;
	for (start = end; start > ops && start[-1] != ',';)
		start--;
	strbuf_add(text, ops, (size_t)(start - ops));
	strbuf_add_escaped(text, line->data_name);
	strbuf_add(text, end, (size_t)(ops + len - end));
	return true;
}

static void add_escaped_part(struct strbuf *text, const char *s, size_t len)
{
	_cleanup_(strbuf_releasep) struct strbuf part = STRBUF_INIT;

	strbuf_add(&part, s, len);
	strbuf_add_escaped(text, part.buf);
}

static void add_operands(const struct annotation_out *out, const struct view_annotation *v,
			 const struct view_line *line, struct strbuf *text)
{
	const char *ops = line->text + MIN((size_t)line->operands, strlen(line->text));
	size_t len = strlen(ops);

	/* as perf: with addresses, names do not stand in place of operands */
	if (out->addresses) {
		strbuf_add_escaped(text, ops);
		return;
	}
	if (line->flow == VIEW_FLOW_JUMP && line->target_inside) {
		strbuf_add_hex(text, line->target - v->start);
		return;
	}
	if (line->flow == VIEW_FLOW_CALL && line->has_target && line->target_name) {
		strbuf_add_escaped(text, line->target_name);
		return;
	}
	/* the comment on a call through a slot alone tells who is called */
	if (line->comment && line->comment >= line->operands && line->flow != VIEW_FLOW_CALL)
		len = line->comment - line->operands;
	while (len && ops[len - 1] == ' ')
		len--;
	if (!add_named_data(line, ops, len, text))
		add_escaped_part(text, ops, len);
}

static void add_insn(const struct annotation_out *out, const struct view_annotation *v,
		     const struct annotation_columns *c, const struct view_line *line,
		     struct strbuf *text)
{
	u32 len = mnemonic_len(line);
	const char *rest = line->text + len;

	/* what they would address, if they did, tells nothing */
	if (!strncmp(line->text, "nop", 3) && !out->addresses) {
		strbuf_adds(text, "nop");
		return;
	}

	strbuf_addf(text, "%.*s", (int)len, line->text);
	if (!*rest)
		return;
	strbuf_pad(text, ' ', c->mnemonic - len + 1);
	/* prefixes are words in front of the mnemonic */
	while (*rest == ' ')
		rest++;
	if ((size_t)(rest - line->text) < line->operands)
		strbuf_add_escaped(text, rest);
	else
		add_operands(out, v, line, text);
}

static void add_padded(struct strbuf *out, const char *text, size_t width)
{
	size_t len = strlen(text);

	strbuf_adds(out, text);
	if (len < width)
		strbuf_pad(out, ' ', width - len);
}

static void add_raw(const struct view_line *line, struct strbuf *text)
{
	enum { BYTES_WIDTH = 24 };

	for (u8 i = 0; i < line->len; i++)
		strbuf_addf(text, "%02x ", line->bytes[i]);
	if (line->text[0] && 3U * line->len < BYTES_WIDTH)
		strbuf_pad(text, ' ', BYTES_WIDTH - 3U * line->len);
	strbuf_add_escaped(text, line->text);
}

/* first: in its row is the name of the column, where it has no numbers. */
static void add_code(struct annotation_out *out, const struct view_annotation *v,
		     const struct annotation_columns *c, const struct view_line *line, bool first)
{
	struct strbuf text = STRBUF_INIT;
	bool counted = c->jumps && line->nr_jumps && shows_address(out, line);

	if (first && !line->counts)
		add_column_names(out, c);
	else
		add_numbers(out, v, line);
	if (!first || line->counts)
		add_cycles(out, c, line);
	add_address(out, v, c, line);
	strbuf_adds(&out->text, out->raw ? "  " : arrow(line));
	if (out->raw)
		add_raw(line, &text);
	else
		add_insn(out, v, c, line, &text);
	if (line->data_type) {
		strbuf_adds(&text, "\t\t# data-type: ");
		strbuf_add_escaped(&text, line->data_type);
	}
	add_padded(&out->text, text.buf, c->numbers + c->address + 5 - (counted ? c->jumps : 0));
	strbuf_release(&text);
}

static void add_text(struct annotation_out *out, const struct annotation_columns *c,
		     const struct view_line *line)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_pad(&out->text, ' ', c->numbers + 1);
	if (out->line_numbers)
		strbuf_addf(&out->text, "%-*u ", c->address + 1, line->number);
	else
		strbuf_pad(&out->text, ' ', c->address + 2);
	strbuf_add_escaped(&text, line->text);
	add_padded(&out->text, text.buf, c->numbers + c->address + 1);
	strbuf_release(&text);
}

static void add_count(struct strbuf *text, u64 n)
{
	static const char units[] = { ' ', 'K', 'M', 'G', 'T' };
	size_t unit = 0;

	for (; n >= 1000 && unit + 1 < sizeof(units); n /= 1000)
		unit++;
	strbuf_addf(text, "%llu%c", (unsigned long long)n, units[unit]);
}

static void add_head(struct annotation_out *out, const struct view_annotation *v)
{
	struct strbuf *t = &out->text;
	u64 nr = 0;

	for (u32 i = 0; i < v->nr_events; i++)
		nr += v->events[i].total_nr;
	strbuf_adds(t, "Samples: ");
	add_count(t, nr);
	strbuf_addf(t, " of event%s '", v->group ? "s" : "");
	strbuf_add_escaped(t, v->group ? v->group : v->events[0].name);
	strbuf_addch(t, '\'');
	if (v->events[0].frequency)
		strbuf_addf(t, ", %llu Hz", (unsigned long long)v->events[0].frequency);
	strbuf_addf(t, ", Event count (approx.): %llu, [percent: ",
		    (unsigned long long)v->events[0].total_period);
	annotation_add_percent_type(out, t);
	strbuf_adds(t, "]\n");
	strbuf_add_escaped(t, v->symbol);
	strbuf_adds(t, "() ");
	strbuf_add_escaped(t, v->dso);
	strbuf_addch(t, '\n');
}

u32 annotation_view_arrows(const struct annotation_columns *c)
{
	return c->numbers + 1 + c->address + 2;
}

static void add_blank(struct annotation_out *out, const struct annotation_columns *c, bool first)
{
	if (first)
		add_column_names(out, c);
	else
		strbuf_pad(&out->text, ' ', c->numbers);
	strbuf_pad(&out->text, ' ', c->numbers + 1);
}

bool annotation_view_line(struct annotation_out *out, const struct view_annotation *v,
			  const struct annotation_columns *c, size_t i)
{
	const struct view_line *line = &v->lines[i];
	bool first = i == c->first;

	if (line->is_code)
		add_code(out, v, c, line, first);
	else if (out->no_source)
		return false;
	else if (!line->text[0])
		add_blank(out, c, first);
	else
		add_text(out, c, line);
	return true;
}

static void function_view(struct annotation_out *out, const struct view_annotation *v)
{
	struct annotation_columns c = annotation_view_columns(out, v);

	if (out->places)
		annotation_add_summary(out, v);
	add_head(out, v);
	for (size_t i = 0; i < v->nr_lines; i++)
		if (annotation_view_line(out, v, &c, i))
			strbuf_addch(&out->text, '\n');
}

static void nothing(struct annotation_out *out UNUSED)
{
}

const struct annotation_ops annotation_view_ops = { nothing, function_view, nothing };
