/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/annotate/screen.h"

#include <unistd.h>

#include "base/log.h"
#include "tui/recording.h"

static bool is_for_text(const struct annotate_cmd *o)
{
	return o->use_stdio || o->use_stdio2 || o->json || o->dump || o->out.places ||
	       o->data_type || o->type_stat || o->insn_stat;
}

bool annotate_screen_open(struct annotate_cmd *o)
{
	struct err e = ERR_INIT;

	if (is_for_text(o) || (!o->use_tui && !(o->tui && tui_is_possible())))
		return false;
	if (tui_functions_open(&o->screen, &o->colours, &e) == 0) {
		o->rec.progress = NULL;
		o->rec.opts.progress = tui_functions_progress;
		o->rec.opts.progress_ctx = o->screen;
		return true;
	}
	/* (perf prints where standard output is no terminal, whatever was asked for) */
	if (isatty(STDOUT_FILENO)) {
		log_warn("%s", e.text);
		log_hint("%s", e.hint);
	}
	return false;
}

void annotate_screen_close(struct annotate_cmd *o)
{
	tui_functions_close(o->screen);
	o->screen = NULL;
}
