/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open_note: what a command says while its events are opened: details to log_file(), the rest to
 * standard error.
 */
#ifndef SELECTION_OPEN_NOTE_H
#define SELECTION_OPEN_NOTE_H

#include "capture/open.h"

/* For a capture_open_log's note. verbose: how often -v was given; quiet: not even that another
 * event is recorded than was asked for. */
void open_note_tell(int verbose, bool quiet, enum capture_open_note kind, const struct event *ev,
		    const char *text);

#endif
