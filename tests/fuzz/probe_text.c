/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as what perf probe reads: definitions, ranges of lines, filters, lists of the kernel,
 * kept points. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "probe/events.h"
#include "probe/filter.h"
#include "probe/kept.h"
#include "probe/names.h"
#include "probe/point.h"

static void read_definition(const char *text)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	static const struct probe_events none = { 0 };
	struct probe_definition d;
	struct err e = ERR_INIT;

	if (probe_definition_parse(text, &d, &e)) {
		if (!e.code || !e.text[0])
			abort();
		return;
	}
	if (d.args.nr > PROBE_ARGS_MAX || (d.kept && !d.event))
		abort();
	(void)probe_definition_needs_debug(&d);
	probe_point_text(&d.point, &out);
	VEC_FOR(&d.args, a)
		probe_arg_spec_text(a, &out);
	strbuf_reset(&out);
	probe_base_name(&d, "main", &out);

	struct probe_name_wish wish = { .group = "g",
					.base = out.buf,
					.is_return = d.point.is_return };

	if (!probe_make_name(&wish, &none, &name, &e) && !probe_is_name(name.buf))
		abort();
	probe_definition_release(&d);
}

static void read_filter(const char *text)
{
	size_t at = 0;
	struct probe_filter *f = probe_filter_new(text, &at);

	if (f)
		(void)probe_filter_match(f, "some_function");
	else if (at > strlen(text))
		abort();
	probe_filter_free(f);
}

static void read_kept(const char *text)
{
	_cleanup_(strbuf_releasep) struct strbuf first = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf second = STRBUF_INIT;
	struct probe_kept_vec kept = { 0 };

	probe_kept_parse(text, &kept);
	VEC_FOR(&kept, k)
		(void)probe_kept_is(k, "sdt_*", "n*");
	probe_kept_text(&kept, &first);
	probe_kept_release(&kept);
	/* What was understood once is understood in the same way. */
	probe_kept_parse(first.buf, &kept);
	probe_kept_text(&kept, &second);
	probe_kept_release(&kept);
	if (strcmp(first.buf, second.buf) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data, size);
	struct probe_line_range range;

	read_definition(text);
	read_filter(text);
	read_kept(text);
	if (!probe_line_range_parse(text, &range, NULL)) {
		if (range.start > range.end)
			abort();
		probe_line_range_release(&range);
	}
	for (int i = 0; i < 2; i++) {
		struct probe_event event;

		if (probe_event_parse(text, i ? PROBE_LIST_USER : PROBE_LIST_KERNEL, &event) &&
		    (!event.group || !event.name || (i && !event.path)))
			abort();
		probe_event_release(&event);
	}
	return 0;
}
