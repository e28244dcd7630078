/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options with values of their own kind: call graphs, registers, branches, clocks, rates, sizes.
 */
#include <errno.h>
#include <stdio.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "arch/regs.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/similar.h"
#include "capture/attr.h"
#include "cmd/record/record.h"
#include "perfdata/writer.h"

static bool reg_known(unsigned int bit)
{
	return capture_all_user_regs() >> bit & 1;
}

static int find_reg(const char *name, size_t len)
{
	for (unsigned int i = 0; i < 64; i++) {
		const char *reg = arch_reg_name(NULL, i);

		if (reg_known(i) && strlen(reg) == len && !strncasecmp(reg, name, len))
			return (int)i;
	}
	return -1;
}

static int list_regs(struct err *e)
{
	fputs("available registers: ", stderr);
	for (unsigned int i = 0; i < 64; i++) {
		if (reg_known(i))
			fprintf(stderr, "%s ", arch_reg_name(NULL, i));
	}
	fputc('\n', stderr);
	return err_set(e, EINVAL, "%s", "");
}

static int parse_regs(const char *arg, const char *option, u64 *mask, struct err *e)
{
	if (!arg) {
		*mask = capture_all_user_regs();
		return 0;
	}
	if (!strcmp(arg, "?"))
		return list_regs(e);
	*mask = 0;
	for (const char *p = arg;; p++) {
		size_t len = strcspn(p, ",");
		int bit = find_reg(p, len);

		if (bit < 0)
			return err_set(e, EINVAL,
				       "Unknown register \"%.*s\", check man page or run \"perf "
				       "record %s?\"",
				       (int)len, p, option);
		*mask |= 1ULL << bit;
		p += len;
		if (!*p)
			return 0;
	}
}

int record_parse_intr_regs(const struct opt *o UNUSED, void *target, const char *arg,
			   bool unset UNUSED, struct err *e)
{
	struct record_opts *opts = target;

	return parse_regs(arg, "-I", &opts->sampling.cfg.intr_regs, e);
}

int record_parse_user_regs(const struct opt *o UNUSED, void *target, const char *arg,
			   bool unset UNUSED, struct err *e)
{
	struct record_opts *opts = target;

	return parse_regs(arg, "--user-regs=", &opts->sampling.cfg.user_regs, e);
}

static const struct clock_name {
	const char *name;
	clockid_t id;
} clock_names[] = {
	{ "monotonic", CLOCK_MONOTONIC },
	{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
	{ "realtime", CLOCK_REALTIME },
	{ "boottime", CLOCK_BOOTTIME },
	{ "tai", CLOCK_TAI },
	{ "mono", CLOCK_MONOTONIC },
	{ "raw", CLOCK_MONOTONIC_RAW },
	{ "real", CLOCK_REALTIME },
	{ "boot", CLOCK_BOOTTIME },
};

int record_parse_clockid(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			 struct err *e)
{
	struct record_opts *opts = target;
	const char *name = arg;
	u64 number;

	opts->sampling.cfg.use_clockid = !unset;
	if (unset)
		return 0;
	if (fmt_parse_u64(arg, &number) && number <= CLOCK_TAI) {
		opts->sampling.cfg.clockid = (s32)number;
		return 0;
	}
	if (!strncasecmp(name, "CLOCK_", 6))
		name += 6;
	for (size_t i = 0; i < ARRAY_SIZE(clock_names); i++) {
		if (!strcasecmp(name, clock_names[i].name)) {
			opts->sampling.cfg.clockid = clock_names[i].id;
			return 0;
		}
	}
	const char *names[ARRAY_SIZE(clock_names)];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		names[i] = clock_names[i].name;
	err_set(e, EINVAL, "unknown clockid %s, check man page", arg);
	similar_hint_of(name, names, ARRAY_SIZE(names), e);
	return -1;
}

/* 4096, 0x1000, 4K */
static bool parse_bytes(const char *text, u64 *bytes)
{
	char *end;

	if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
		return fmt_parse_size(text, bytes);
	*bytes = strtoull(text, &end, 16);
	return !*end && end > text + 2;
}

int record_parse_flush(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
		       struct err *e)
{
	struct record_opts *opts = target;

	opts->sampling.cfg.mmap_flush = 0;
	if (unset || fmt_parse_u64(arg, &opts->sampling.cfg.mmap_flush) ||
	    fmt_parse_size(arg, &opts->sampling.cfg.mmap_flush))
		return 0;
	return err_set(e, EINVAL, "invalid size '%s': bytes, or with B, K, M or G", arg);
}

int record_parse_affinity(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			  struct err *e)
{
	static const char *const modes[] = { [CAPTURE_AFFINITY_SYS] = "sys",
					     [CAPTURE_AFFINITY_NODE] = "node",
					     [CAPTURE_AFFINITY_CPU] = "cpu" };
	struct record_opts *opts = target;

	opts->sampling.cfg.affinity = CAPTURE_AFFINITY_SYS;
	for (size_t i = 0; !unset && i < ARRAY_SIZE(modes); i++) {
		if (strcasecmp(arg, modes[i]) != 0)
			continue;
		opts->sampling.cfg.affinity = (enum capture_affinity)i;
		return 0;
	}
	return unset ? 0 : err_set(e, EINVAL, "invalid affinity '%s': node, cpu or sys", arg);
}

/* "10-20,30-40": rising and apart. */
static int parse_ranges(const char *arg, struct record_opts *opts, struct err *e)
{
	u64 last = 0;

	opts->ranges.nr = 0;
	for (const char *p = arg;;) {
		size_t len = strcspn(p, ",");
		char text[48];
		char *dash;
		struct capture_range r;

		snprintf(text, sizeof(text), "%.*s", (int)MIN(len, sizeof(text) - 1), p);
		dash = strchr(text, '-');
		if (dash)
			*dash = '\0';
		if (!dash || !fmt_parse_u64(text, &r.from) || !fmt_parse_u64(dash + 1, &r.to) ||
		    r.from >= r.to || r.to > INT32_MAX || (opts->ranges.nr && r.from <= last))
			return err_set(e, EINVAL,
				       "invalid delay '%s': milliseconds, -1, or ranges that rise "
				       "and do not touch, like 10-20,30-40",
				       arg);
		*VEC_PUSH(&opts->ranges) = r;
		last = r.to;
		if (!p[len])
			break;
		p += len + 1;
	}
	opts->sampling.cfg.delay_ms = (s64)opts->ranges.v[0].from;
	return 0;
}

int record_parse_delay(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		       struct err *e)
{
	struct record_opts *opts = target;
	u64 ms;

	if (!strcmp(arg, "-1")) {
		opts->sampling.cfg.delay_ms = -1;
		return 0;
	}
	if (strchr(arg, '-'))
		return parse_ranges(arg, opts, e);
	if (!fmt_parse_u64(arg, &ms) || ms > INT32_MAX)
		return err_set(e, EINVAL, "invalid delay '%s': milliseconds, or -1", arg);
	opts->sampling.cfg.delay_ms = (s64)ms;
	return 0;
}

int record_parse_synth(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
		       struct err *e)
{
	static const struct {
		const char *name;
		unsigned int bits;
	} kinds[] = { { "no", 0 },
		      { "all", CAPTURE_SYNTH_ALL },
		      { "task", CAPTURE_SYNTH_TASK },
		      { "mmap", CAPTURE_SYNTH_TASK | CAPTURE_SYNTH_MMAP },
		      { "cgroup", CAPTURE_SYNTH_CGROUP } };
	struct record_opts *opts = target;

	opts->sampling.cfg.synth = unset ? 0 : opts->sampling.cfg.synth;
	if (unset)
		return 0;
	opts->sampling.cfg.synth = 0;
	for (const char *p = arg;;) {
		size_t len = strcspn(p, ","), i = 0;

		while (i < ARRAY_SIZE(kinds) &&
		       (strlen(kinds[i].name) != len || strncmp(kinds[i].name, p, len)))
			i++;
		if (i == ARRAY_SIZE(kinds))
			return err_set(e, EINVAL, "Invalid synth option: %s", arg);
		opts->sampling.cfg.synth |= kinds[i].bits;
		if (!p[len])
			return 0;
		p += len + 1;
	}
}

int record_parse_max_size(const struct opt *o UNUSED, void *target, const char *arg,
			  bool unset UNUSED, struct err *e)
{
	struct record_opts *opts = target;

	if (!fmt_parse_size(arg, &opts->sampling.cfg.max_size))
		return err_set(e, EINVAL, "invalid size '%s': bytes, or with B, K, M or G", arg);
	return 0;
}

int record_parse_level(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
		       struct err *e)
{
	enum { DEFAULT_LEVEL = 1, MAX_LEVEL = 22 };
	struct record_opts *opts = target;
	u64 level = DEFAULT_LEVEL;

	/* -z=5 is what the manual page seems to say */
	if (arg && *arg == '=')
		arg++;
	if (arg && !fmt_parse_u64(arg, &level))
		return err_set(e, EINVAL, "invalid compression level '%s': 1 to %d", arg,
			       MAX_LEVEL);
	/* before the recording that is there already is put aside */
	if (!unset && !writer_can_compress())
		return err_set(e, ENOTSUP, "this build cannot compress: it has no zstd");
	opts->level = unset ? 0 : (int)MIN(level ? level : DEFAULT_LEVEL, (u64)MAX_LEVEL);
	return 0;
}

int record_parse_aio(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
		     struct err *e)
{
	enum { MAX_BLOCKS = 4 };
	struct record_opts *opts = target;
	u64 n = 1;

	if (arg && !fmt_parse_u64(arg, &n))
		return err_set(e, EINVAL, "invalid number of blocks '%s': 1 to %d", arg,
			       MAX_BLOCKS);
	opts->aio = unset ? 0 : (unsigned int)MIN(n ? n : 1, (u64)MAX_BLOCKS);
	return 0;
}

struct switch_unit {
	char letter;
	u64 factor;
};

static bool parse_unit(const char *arg, const struct switch_unit *units, size_t nr, u64 *value)
{
	size_t len = strlen(arg);
	char digits[24];

	for (size_t i = 0; len > 1 && len < sizeof(digits) && i < nr; i++) {
		if (arg[len - 1] != units[i].letter)
			continue;
		snprintf(digits, sizeof(digits), "%.*s", (int)len - 1, arg);
		return fmt_parse_u64(digits, value) &&
		       !__builtin_mul_overflow(*value, units[i].factor, value);
	}
	return false;
}

/* signal | SIZE with its unit | TIME with its unit */
int record_parse_switch(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			struct err *e)
{
	static const struct switch_unit sizes[] = {
		{ 'B', 1 }, { 'K', 1 << 10 }, { 'M', 1 << 20 }, { 'G', 1 << 30 }
	};
	static const struct switch_unit times[] = {
		{ 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }
	};
	enum { MAX_SECONDS = 3600 * 24 * 3650 };
	struct record_opts *opts = target;
	struct capture_switch *sw = &opts->sampling.cfg.switch_output;

	*sw = (struct capture_switch){ 0 };
	opts->switch_text = unset ? NULL : arg ? arg : "signal";
	if (unset)
		return 0;
	if (!strcmp(opts->switch_text, "signal")) {
		sw->on_signal = true;
		return 0;
	}
	if (parse_unit(arg, sizes, ARRAY_SIZE(sizes), &sw->size) ||
	    (parse_unit(arg, times, ARRAY_SIZE(times), &sw->seconds) && sw->seconds < MAX_SECONDS))
		return 0;
	return err_set(
		e, EINVAL,
		"invalid --switch-output '%s': signal, a size with B, K, M or G, or a time with "
		"s, m, h or d",
		arg);
}

int record_parse_debuginfod(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			    struct err *e UNUSED)
{
	struct record_opts *opts = target;

	opts->debuginfod = unset ? NULL : arg ? arg : "system";
	return 0;
}

/* [e][SIZE]: e = also at the end */
int record_parse_snapshot(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			  struct err *e)
{
	struct capture_config *cfg = &((struct record_opts *)target)->sampling.cfg;

	cfg->aux_mode = unset ? AUX_WHOLE : AUX_SNAPSHOTS;
	cfg->aux_last_snapshot = !unset && arg && *arg == 'e';
	cfg->aux_snapshot_size = 0;
	if (unset || !arg)
		return 0;
	arg += cfg->aux_last_snapshot;
	if (*arg && (!parse_bytes(arg, &cfg->aux_snapshot_size) || !cfg->aux_snapshot_size))
		return err_set(e, EINVAL, "invalid snapshot '%s': e, a number of bytes, or both",
			       arg);
	return 0;
}

int record_parse_aux_sample(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			    struct err *e)
{
	enum { USUAL = 4096 };
	struct capture_config *cfg = &((struct record_opts *)target)->sampling.cfg;
	u64 size = unset ? 0 : USUAL;

	if (!unset && arg && (!parse_bytes(arg, &size) || !size || size > UINT32_MAX))
		return err_set(e, EINVAL, "invalid size '%s' of AUX area samples", arg);
	cfg->aux_sample_size = (u32)size;
	return 0;
}

int record_parse_threads(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			 struct err *e UNUSED)
{
	struct record_opts *opts = target;

	opts->threads = unset ? NULL : arg ? arg : "";
	return 0;
}

int record_parse_embed(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
		       struct err *e)
{
	enum embed_what *what = target;

	*what = EMBED_NOTHING;
	return unset ? 0 : embed_parse(arg, what, e);
}

int record_parse_unsupported(const struct opt *o, void *target, const char *arg UNUSED, bool unset,
			     struct err *e UNUSED)
{
	struct record_opts *opts = target;

	if (!unset)
		opts->unsupported = o->long_name;
	return 0;
}

int record_parse_trigger(const struct opt *o UNUSED, void *target, const char *arg,
			 bool unset UNUSED, struct err *e)
{
	struct record_opts *opts = target;
	struct event_args args = { 0 };

	return event_args_add(&args, &opts->triggers, &opts->sampling.env, arg, e);
}
