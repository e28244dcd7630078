/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xml: text that may be anything as text of XML 1.0, in elements and in attributes: what has a
 * meaning there is an entity; characters that XML has no way to write, or that could drive a
 * terminal, and bytes that are no UTF-8 are written as \xNN (\uNNNN). Lines stay lines.
 */
#ifndef BASE_XML_H
#define BASE_XML_H

#include "base/strbuf.h"

void xml_add_text(struct strbuf *out, const char *s);

#endif
