/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page that shows a timeline: timeline.html, with "@DATA@" and "@SPANS@" where the data come.
 */
#ifndef RENDER_TIMELINE_PAGE_H
#define RENDER_TIMELINE_PAGE_H

extern const char timeline_page[];

#endif
