/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/annotate/options.h"

const char *const annotate_usage[] = { "perf annotate [<options>] [symbol]", NULL };

/* "local-period" and its like; -1: none of them. */
static int take_percent_type(struct annotate_cmd *o, const char *text)
{
	static const char *const words[] = { "local-period", "local-hits", "global-period",
					     "global-hits" };

	for (int i = 0; i < (int)ARRAY_SIZE(words); i++) {
		if (strcmp(text, words[i]))
			continue;
		o->out.global = i >= 2;
		o->out.hits = i & 1;
		return 0;
	}
	return -1;
}

static int parse_percent_type(const struct opt *opt UNUSED, void *target, const char *arg,
			      bool unset UNUSED, struct err *e)
{
	if (take_percent_type(target, arg) == 0)
		return 0;
	return err_set(e, EINVAL,
		       "the type is local or global and period or hits, as in "
		       "local-period");
}

static int parse_colour(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
			struct err *e)
{
	return colour_mode_parse(unset ? "never" : arg ? arg : "always", target, e);
}

static int parse_gtk(const struct opt *opt UNUSED, void *target UNUSED, const char *arg UNUSED,
		     bool unset, struct err *e)
{
	return unset ? 0 : err_set(e, ENOTSUP, "--gtk has no window here: use --stdio or --json");
}

static int parse_percent_limit(const struct opt *opt UNUSED, void *target, const char *arg,
			       bool unset UNUSED, struct err *e)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end || !(v >= 0))
		return err_set(e, EINVAL, "'%s' is not a percentage", arg);
	*(double *)target = v;
	return 0;
}

static int parse_flag_arg(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
			  bool unset, struct err *e UNUSED)
{
	*(bool *)target = !unset;
	return 0;
}

/* --data-type and --data-type=NAME */
static int parse_data_type(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
			   struct err *e UNUSED)
{
	struct annotate_cmd *o = target;

	o->data_type = !unset;
	o->data_type_name = unset ? NULL : arg;
	return 0;
}

#define R struct annotate_cmd

const struct opt annotate_table[] = {
	RECORDING_INPUT(R, rec),
	OPT_STR('d', "dsos", R, addresses.dsos, "dso[,dso...]",
		"only consider symbols in these dsos"),
	OPT_STR('s', "symbol", R, addresses.symbol, "symbol", "symbol to annotate"),
	RECORDING_VERBOSE(R, rec),
	OPT_BOOL('q', "quiet", R, rec.quiet, "do not show any warnings or messages"),
	OPT_BOOL('D', "dump-raw-trace", R, dump, "dump raw trace in ASCII"),
	OPT_BOOL('n', "show-nr-samples", R, show_samples,
		 "Show a column with the number of samples"),
	OPT_BOOL(0, "show-total-period", R, show_period, "Show a column with the sum of periods"),
	OPT_BOOL(0, "show-nr-jumps", R, out.jump_counts,
		 "show in front of each instruction how many jumps lead to it (--stdio2)"),
	OPT_BOOL(0, "stdio", R, use_stdio, "Use the stdio interface"),
	OPT_BOOL(0, "stdio2", R, use_stdio2, "Use the stdio interface, with jumps as arrows"),
	OPT_BOOL(0, "tui", R, use_tui, "Use the TUI interface"),
	OPT_CALL_F(0, "gtk", R, use_gtk, "", "there is none", parse_gtk, OPT_NOARG | OPT_HIDDEN),
	OPT_BOOL(0, "json", R, json, "print the annotated functions as JSON"),
	OPT_CALL_F(0, "stdio-color", R, colour, "mode",
		   "'always' (default), 'never' or 'auto' only applicable to --stdio mode",
		   parse_colour, OPT_OPTARG | OPT_LASTARG_OPT),
	OPT_STR('k', "vmlinux", R, rec.opts.dso.vmlinux, "file", "vmlinux pathname"),
	RECORDING_IGNORE_VMLINUX(R, rec),
	RECORDING_MODULES(R, rec),
	OPT_BOOL('l', "print-line", R, out.places, "print matching source lines (may be slow)"),
	OPT_BOOL('P', "full-paths", R, out.full_paths, "Don't shorten the displayed pathnames"),
	OPT_BOOL(0, "skip-missing", R, skip_missing, "Skip symbols that cannot be annotated"),
	RECORDING_CPUS(R, rec),
	RECORDING_SYMFS(R, rec),
	OPT_BOOL(0, "source", R, source, "Interleave source code with assembly code (default)"),
	OPT_BOOL(0, "asm-raw", R, annotate.raw, "Display raw encoding of assembly instructions"),
	OPT_STR('M', "disassembler-style", R, annotate.style, "disassembler style",
		"Specify disassembler style (e.g. -M intel for intel syntax)"),
	OPT_STR(0, "objdump", R, annotate.objdump, "path",
		"objdump binary to use for disassembly, in place of perf itself"),
	OPT_CALL(0, "addr2line", R, rec, "path",
		 "accepted for scripts: perf reads source lines by itself", opt_ignore),
	OPT_STR(0, "prefix", R, annotate.prefix, "prefix",
		"Add prefix to source file path names in programs (with --prefix-strip)"),
	OPT_STR(0, "prefix-strip", R, prefix_strip, "N",
		"Strip first N entries of source file path name in programs (with --prefix)"),
	OPT_BOOL(0, "group", R, group, "Show event group information together"),
	OPT_BOOL(0, "demangle", R, demangle, "Enable symbol demangling"),
	RECORDING_DEMANGLE_KERNEL(R, rec),
	OPT_CALL(0, "percent-type", R, rec /* the whole */, "local-period",
		 "Set percent type local/global-period/hits", parse_percent_type),
	OPT_CALL(0, "percent-limit", R, percent_limit, "percent",
		 "Don't show functions under that percent", parse_percent_limit),
	OPT_CALL_F(0, "itrace", R, itrace, "opts", "Instruction Tracing options", parse_flag_arg,
		   OPT_OPTARG),
	OPT_BOOL(0, "skip-empty", R, annotate.skip_empty,
		 "Do not display empty (or dummy) events in the output"),
	OPT_BOOL(0, "code-with-type", R, code_with_type,
		 "Tell at instructions of which type of variable the memory is that they access"),
	OPT_CALL_F(0, "data-type", R, rec /* the whole */, "name",
		   "Show the types of variables that instructions access, with their members",
		   parse_data_type, OPT_OPTARG),
	OPT_BOOL(0, "type-stat", R, type_stat, "How far --data-type could tell types, and why not"),
	OPT_BOOL(0, "insn-stat", R, insn_stat, "The same by instruction"),
	OPT_END
};

/* ------------------------------------------------------------------ configuration */

static int set_percent_type(const char *value, void *target, struct err *e)
{
	if (take_percent_type(target, value) == 0)
		return 0;
	return err_set(e, EINVAL,
		       "'%s' is not local-period, local-hits, global-period or "
		       "global-hits",
		       value);
}

static int set_offset_level(const char *value, void *target, struct err *e)
{
	char *end;
	unsigned long v = strtoul(value, &end, 10);

	if (end == value || *end)
		return err_set(e, EINVAL, "'%s' is not a number", value);
	*(u8 *)target = (u8)MIN(v, 3UL);
	return 0;
}

/* In the order of the list, the first that there is: Capstone is in this process; LLVM's is not
 * used. */
static int set_disassemblers(const char *value, void *target, struct err *e)
{
	struct annotate_opts *o = target;

	for (const char *p = value; *p; p += strcspn(p, ","), p += *p == ',') {
		size_t len = strcspn(p, ",");

		if (len == strlen("capstone") && !strncmp(p, "capstone", len))
			return 0;
		if (len != strlen("objdump") || strncmp(p, "objdump", len))
			continue;
		if (!o->objdump)
			o->objdump = "objdump";
		return 0;
	}
	return err_set(e, EINVAL, "'%s' names neither capstone nor objdump", value);
}

/* What has no meaning here: perf reads source lines by itself. */
static int ignore_setting(const char *value UNUSED, void *target UNUSED, struct err *e UNUSED)
{
	return 0;
}

const struct config_row annotate_config[] = {
	CONFIG_ROW("annotate.hide_src_code", CONFIG_BOOL, R, hide_source, NULL),
	CONFIG_ROW("annotate.use_offset", CONFIG_BOOL, R, use_offset, NULL),
	CONFIG_ROW("annotate.jump_arrows", CONFIG_BOOL, R, jump_arrows, NULL),
	CONFIG_ROW("annotate.offset_level", CONFIG_CALL, R, out.offset_level, set_offset_level),
	CONFIG_ROW("annotate.show_linenr", CONFIG_BOOL, R, out.line_numbers, NULL),
	CONFIG_ROW("annotate.show_nr_jumps", CONFIG_BOOL, R, out.jump_counts, NULL),
	CONFIG_ROW("annotate.show_minmax_cycle", CONFIG_BOOL, R, out.least_most, NULL),
	CONFIG_ROW("annotate.show_nr_samples", CONFIG_BOOL, R, show_samples, NULL),
	CONFIG_ROW("annotate.show_total_period", CONFIG_BOOL, R, show_period, NULL),
	CONFIG_ROW("annotate.percent_type", CONFIG_CALL, R, rec /* the whole */, set_percent_type),
	CONFIG_ROW("annotate.disassembler_style", CONFIG_STR, R, annotate.style, NULL),
	CONFIG_ROW("annotate.objdump", CONFIG_STR, R, annotate.objdump, NULL),
	CONFIG_ROW("tui.annotate", CONFIG_BOOL, R, tui, NULL),
	TUI_COLOUR_ROWS(R, colours),
	CONFIG_ROW("annotate.disassemblers", CONFIG_CALL, R, annotate, set_disassemblers),
	CONFIG_ROW("annotate.addr2line", CONFIG_CALL, R, rec, ignore_setting),
	CONFIG_ROW("annotate.demangle", CONFIG_BOOL, R, demangle, NULL),
	CONFIG_ROW("annotate.demangle_kernel", CONFIG_BOOL, R, rec.opts.dso.demangle_kernel, NULL),
	CONFIG_END
};
