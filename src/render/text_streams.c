/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/text_streams.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 35 };

static void add_head(struct strbuf *out, const struct view_stream *s)
{
	char text[64];

	snprintf(text, sizeof(text), "cycles: %llu, hits: %.2f%%", (unsigned long long)s->cycles,
		 s->percent);
	strbuf_add_aligned(out, text, WIDTH);
}

static void add_frame(struct strbuf *out, const struct view_stream *s, size_t i)
{
	size_t from;

	strbuf_add_aligned(out, i < s->nr ? s->frames[i] : "", WIDTH);
	from = out->len - (i < s->nr ? strlen(s->frames[i]) : 0);
	strbuf_mask_controls(out, from); /* names come from files */
}

static void add_pair(struct strbuf *out, const struct view_stream_pair *p)
{
	static const char line[] = "---------------------------";
	size_t nr = p->base ? p->base->nr : p->other->nr;

	if (p->base)
		add_head(out, p->base);
	if (p->other) {
		strbuf_addf(out, "%*s\t", p->base ? 0 : WIDTH, "");
		add_head(out, p->other);
	}
	/* the line below the base's is one longer where there is a pair */
	strbuf_addf(out, "\n%*s", WIDTH, p->base && p->other ? line : p->base ? line + 1 : "");
	if (p->other)
		strbuf_addf(out, "\t%*s", WIDTH, line + 1);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < nr; i++) {
		if (p->base)
			add_frame(out, p->base, i);
		if (p->other) {
			strbuf_addf(out, "%*s\t", p->base ? 0 : WIDTH, "");
			add_frame(out, p->other, i);
		}
		strbuf_addch(out, '\n');
	}
}

void text_streams_add(struct strbuf *out, const struct view_streams *s)
{
	static const struct {
		const char *title, *pair;
		bool base, other;
	} parts[] = {
		{ "Matched hot streams", "hot chain pair", true, true },
		{ "Hot streams in old perf data only", "hot chain", true, false },
		{ "Hot streams in new perf data only", "hot chain", false, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		unsigned int nr = 0;

		strbuf_addf(out, "%s[ %s ]\n", i ? "\n" : "", parts[i].title);
		for (size_t k = 0; k < s->nr; k++) {
			if ((s->v[k].base != NULL) != parts[i].base ||
			    (s->v[k].other != NULL) != parts[i].other)
				continue;
			strbuf_addf(out, "\n%s %u:\n", parts[i].pair, ++nr);
			add_pair(out, &s->v[k]);
		}
	}
}
