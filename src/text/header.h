/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * header: the description of a recording that report and script print with --header,
 * --header-only and -I: machine, command line, events, topology.
 */
#ifndef TEXT_HEADER_H
#define TEXT_HEADER_H

#include "base/strbuf.h"
#include "perfdata/perfdata.h"

/*
 * The whole text, lines beginning with "#". full: with the long tables (-I), else they are only
 * mentioned. For a stream the features are known once it is read: call it after that.
 * Text from the file has its control characters escaped when escape is set (for terminals).
 */
void header_text(const struct perfdata *f, bool full, bool escape, struct strbuf *out);

#endif
