/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the data goes: one file, or one after the other with the time in their names.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cmd/record/record.h"

enum { US_PER_CENTI = 10000, CENTIS = 100 };

/*
 * NAME.YYYYMMDDhhmmsscc: perf's names have hundredths of seconds. Two files of one hundredth get
 * different names all the same.
 */
static char *stamped_name(struct record_output *out)
{
	struct timeval tv;
	struct tm tm;
	char stamp[32];
	time_t sec;
	u64 now;

	gettimeofday(&tv, NULL);
	now = (u64)tv.tv_sec * CENTIS + (u64)tv.tv_usec / US_PER_CENTI;
	now = MAX(now, out->last_stamp + 1);
	out->last_stamp = now;
	sec = (time_t)(now / CENTIS);
	localtime_r(&sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", &tm);
	return xasprintf("%s.%s%02u", out->path, stamp, (unsigned int)(now % CENTIS));
}

/* The finished file gets its name for good, and the oldest one goes if there are too many. */
int record_output_stamp(struct record_output *out, struct err *e)
{
	char *name = stamped_name(out);

	if (rename(out->path, name)) {
		err_sys(e, errno, "cannot rename '%s' to '%s'", out->path, name);
		free(name);
		return -1;
	}
	if (!out->quiet)
		fprintf(stderr, "[ perf record: Dump %s ]\n", name);
	*VEC_PUSH(&out->names) = name;
	if (!out->max_files || out->names.nr <= out->max_files)
		return 0;
	unlink(out->names.v[0]);
	free(out->names.v[0]);
	memmove(out->names.v, out->names.v + 1, (out->names.nr - 1) * sizeof(*out->names.v));
	out->names.nr--;
	return 0;
}

/* PATH/data; the directory is fresh. */
static int open_directory(const struct record_output *out, struct perfdata_writer **w,
			  struct perfdata_writer_opts *opts, struct err *e)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/data", out->path);
	struct stat st;

	if (perfdata_keep_old(out->path, e) < 0)
		return -1;
	if (!lstat(out->path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		unlink(out->path);
	if (mkdir(out->path, 0700))
		return err_sys(e, errno, "cannot make directory '%s'", out->path);
	opts->path = path;
	return perfdata_writer_open(w, opts, e);
}

int record_output_open(struct record_output *out, bool first, struct perfdata_writer **w,
		       struct err *e)
{
	struct perfdata_writer_opts opts = out->writer;

	opts.fd = -1;
	if (out->directory)
		return open_directory(out, w, &opts, e);
	opts.path = out->path;
	if (out->kept) {
		opts.path = NULL;
		opts.fd = kept_stream_fd(out->kept);
	}
	/* only what was there before this recording is kept */
	opts.keep_old = first;
	return perfdata_writer_open(w, &opts, e);
}

void record_output_release(struct record_output *out)
{
	VEC_FOR(&out->names, name)
		free(*name);
	vec_free(&out->names);
}

void record_warn_switch_size(const struct record_output *out, u64 size, size_t ring_size)
{
	if (size && size < ring_size / 2 && !out->quiet)
		fprintf(stderr,
			"WARNING: switch-output data size lower than wakeup kernel buffer size "
			"(%zuK) "
			"expect bigger perf.data sizes\n",
			ring_size / 2 / 1024);
}

void record_say_switching(const struct record_output *out, const struct capture_result *r)
{
	if (!out->quiet)
		fprintf(stderr, "[ perf record: dump data: Woken up %llu times ]\n",
			(unsigned long long)r->wakeups);
}
