/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the result: a file or a stream, as the input is. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bits.h"
#include "edit/pass.h"
#include "perfdata/tool_records.h"

/* Whether path is the input, which cannot be overwritten while it is read. */
static bool is_input(const struct edit *in, const char *path)
{
	struct stat a, b;

	return !perfdata_is_pipe(in->file) && !stat(path, &a) &&
	       !stat(perfdata_path(in->file), &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int output_open(struct edit *in, struct err *e)
{
	struct perfdata_writer_opts o = { .path = in->o->output, .fd = -1, .keep_old = true };

	if (!o.path || !strcmp(o.path, "-"))
		o.path = "-";
	in->to_stream = !strcmp(o.path, "-");
	if (in->to_stream && isatty(STDOUT_FILENO)) {
		err_set(e, EINVAL, "refusing to write binary data to a terminal");
		err_hint(e, "name a file with -o, or pipe the output into another perf");
		return -1;
	}
	if (!in->to_stream && is_input(in, o.path))
		return err_set(e, EINVAL,
			       "'%s' cannot be read and written at once: name another file with -o",
			       o.path);
	for (size_t i = 0; i < perfdata_nr_events(in->file); i++)
		o.attr_size = MAX(o.attr_size, perfdata_event(in->file, i)->attr_size);
	/* only a file has an end that must be written; SIGQUIT still ends the program at once */
	if (!in->to_stream)
		held_signals_begin(&in->held, SIGQUIT);
	return perfdata_writer_open(&in->w, &o, e);
}

bool output_stops(struct edit *in)
{
	in->stopped = in->stopped || (in->held.on && end_signals_waiting());
	return in->stopped;
}

/* Whether the record is a piece of the feature SYMBOLS, or says that these come later. */
static bool is_symbols_update(const struct perf_event_header *h)
{
	union record_view v;

	record_view(h, 0, &v);
	return v.event_update.type == UPDATE_SYMBOLS;
}

bool output_keeps(const struct edit *in, const struct perf_event_header *h)
{
	switch (h->type) {
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
	case PERF_RECORD_HEADER_ATTR:
	case PERF_RECORD_HEADER_EVENT_TYPE:
	case PERF_RECORD_HEADER_TRACING_DATA:
		return false;
	case PERF_RECORD_HEADER_FEATURE:
	case PERF_RECORD_HEADER_BUILD_ID:
		/* the header has those that came before it */
		return in->to_stream && in->begun;
	case PERF_RECORD_EVENT_UPDATE:
		return !is_symbols_update(h);
	case PERF_RECORD_SAMPLE:
		return !in->o->strip;
	default:
		return true;
	}
}

bool output_changes(const struct edit *in, const struct perf_event_header *h)
{
	return in->aslr ||
	       (in->maps && (h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2));
}

/* Whether the feature is not copied but made anew, or left out. */
static bool is_made_anew(const struct edit *in, unsigned int feature)
{
	switch (feature) {
	case FEAT_EVENT_DESC:
		return in->o->convert_chains || in->aslr;
	case FEAT_SYMBOLS:
		return in->symbols.len != 0 || in->aslr;
	case FEAT_BPF_PROG_INFO:
		return in->aslr; /* it has addresses of code */
	case FEAT_TRACING_DATA:
	case FEAT_BUILD_ID:
	case FEAT_AUXTRACE: /* offsets in the file */
	case FEAT_DIR_FORMAT: /* it becomes one file */
	case FEAT_COMPRESSED: /* it is not, any more */
		return true;
	default:
		return false;
	}
}

static int write_tracing_data(struct edit *in, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf rest = STRBUF_INIT;
	const void *blob;
	size_t size;

	if (in->traced)
		return 0;
	perfdata_tracing_data(in->file, &blob, &size);
	in->traced = size != 0;
	if (in->aslr) {
		tracing_data_strip(blob, size, &rest);
		blob = rest.buf;
		size = rest.len;
	}
	return size ? writer_feature(in->w, FEAT_TRACING_DATA, blob, size, e) : 0;
}

static int write_features(struct edit *in, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf body = STRBUF_INIT;
	int r = write_tracing_data(in, e);

	in->symbols_told = in->symbols.len || info_has(perfdata_info(in->file), FEAT_SYMBOLS);
	ids_take_header(in);
	ids_feature(&in->ids, &body);
	if (!r && body.len)
		r = writer_feature(in->w, FEAT_BUILD_ID, body.buf, body.len, e);
	for (unsigned int i = 1; i < FEAT_BITS && !r; i++)
		if (!is_made_anew(in, i) && perfdata_feature_body(in->file, i, &body))
			r = writer_feature(in->w, i, body.buf, body.len, e);
	if (!r && (in->o->convert_chains || in->aslr) &&
	    info_has(perfdata_info(in->file), FEAT_EVENT_DESC)) {
		strbuf_reset(&body);
		writer_event_desc(in->w, &body);
		r = writer_feature(in->w, FEAT_EVENT_DESC, body.buf, body.len, e);
	}
	if (!r && in->symbols.len)
		r = writer_feature(in->w, FEAT_SYMBOLS, in->symbols.buf, in->symbols.len, e);
	if (r || !in->aux_index.len)
		return r;
	strbuf_reset(&body);
	feature_add_u64(&body, in->aux_index.len / 16);
	strbuf_add(&body, in->aux_index.buf, in->aux_index.len);
	return writer_feature(in->w, FEAT_AUXTRACE, body.buf, body.len, e);
}

static int begin(struct edit *in, struct err *e)
{
	for (size_t i = 0; i < perfdata_nr_events(in->file); i++) {
		const struct perfdata_event *ev = perfdata_event(in->file, i);
		struct perf_event_attr attr = ev->attr;

		if (in->o->convert_chains)
			chains_convert_attr(&attr);
		if (in->aslr)
			aslr_convert_attr(&attr);
		writer_add_event(in->w, &attr, ev->name, ev->ids, ev->nr_ids);
	}
	in->begun = true;
	if (writer_begin(in->w, e))
		return -1;
	return in->to_stream ? write_features(in, e) : 0;
}

int output_write(struct edit *in, const void *records, size_t len, struct err *e)
{
	if (!in->begun && begin(in, e))
		return -1;
	if (in->to_stream && write_tracing_data(in, e))
		return -1;
	return len ? writer_append(in->w, records, len, e) : 0;
}

/* Writes names of functions that a stream told only at its end. */
static int write_late_symbols(struct edit *in, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf body = STRBUF_INIT;

	if (in->symbols_told || in->aslr || !perfdata_feature_body(in->file, FEAT_SYMBOLS, &body))
		return 0;
	return writer_feature(in->w, FEAT_SYMBOLS, body.buf, body.len, e);
}

int output_finish(struct edit *in, struct err *e)
{
	struct perfdata_writer *w = in->w;
	int r = output_write(in, NULL, 0, e);

	if (!r && !in->to_stream)
		r = write_features(in, e);
	else if (!r)
		r = write_late_symbols(in, e);
	in->w = NULL;
	if (writer_finish(w, r ? NULL : e))
		r = -1;
	return r;
}
