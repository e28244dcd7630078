/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/diff/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

/* Joined names have a line for each key. */
static void add_name(struct strbuf *out, const char *name)
{
	for (const char *c = name; *c; c += strcspn(c, "\n"), c += *c == '\n') {
		size_t len = strcspn(c, "\n");

		if (len && out->len)
			strbuf_addch(out, ' ');
		strbuf_add(out, c, len);
	}
	strbuf_mask_controls(out, 0);
}

static void tell_growth(const struct diff_growth *g, double limit)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	add_name(&name, g->name);
	if (isnan(g->interval))
		log_error("%s grew by %.2f points, more than %g", name.buf, g->points, limit);
	else
		log_error("%s grew by %.2f +- %.2f points, more than %g", name.buf, g->points,
			  g->interval, limit);
}

void diff_add_doubt(const struct diff_doubt *b, struct strbuf *out)
{
	add_name(out, b->name);
	strbuf_addf(
		out,
		": of its code %.2f %% of the base and %.2f %% of '%s' have no names: functions "
		"that seem to come or go may have been there",
		b->base, b->other, b->file);
}

static void tell_doubt(const struct diff_doubt *b)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	diff_add_doubt(b, &text);
	log_warn("%s", text.buf);
	log_hint("both builds of it are needed: in the build-id cache, or by --symfs");
}

/* Growth that names hide; the status to exit with. */
static int judge_names(const struct diff_cmd *o, const struct diff *d, const struct diff_doubt *b)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	if (!diff_has_names(d)) {
		log_error("no function has a name: --fail-above cannot tell what grew");
		log_hint("record with --embed-symbols, or compare objects with -s dso");
		return EXIT_REFUSED;
	}
	if (!b->name || fabs(b->other - b->base) <= o->fail_above)
		return 0;
	add_name(&name, b->name);
	log_error("%s: functions without names may have grown by more than %g", name.buf,
		  o->fail_above);
	return EXIT_REFUSED;
}

int diff_judge(const struct diff_cmd *o, const struct diff *d)
{
	struct diff_growth worst = diff_worst(d);
	struct diff_doubt doubt = diff_doubt(d);

	fflush(stdout);
	if (doubt.name)
		tell_doubt(&doubt);
	if (!o->fails)
		return 0;
	if (!worst.name || worst.points <= o->fail_above)
		return judge_names(o, d, &doubt);
	tell_growth(&worst, o->fail_above);
	return EXIT_GREW;
}
