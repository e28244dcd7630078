/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/xml.h"

#include "base/glyph.h"

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}

void xml_add_text(struct strbuf *out, const char *s)
{
	while (*s) {
		const char *name = entity(*s);
		struct glyph g = glyph_at(s);

		if (name)
			strbuf_adds(out, name);
		else if (g.wrong || (g.control && *s != '\n') || g.code == 0xfffe ||
			 g.code == 0xffff)
			strbuf_addf(out, g.code > 0xff ? "\\u%04x" : "\\x%02x", g.code);
		else
			strbuf_add(out, s, g.len);
		s += g.len;
	}
}
