/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What AUXTRACE_INFO records say of the hardware that made a trace, in the form of perf's -D.
 *
 * Source of the layouts: doc/format/perf.data.md.
 */
#include "text/dump.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "perfdata/feature_view.h"
#include "perfdata/record.h"

enum { TYPE_PT = 1, TYPE_BTS, TYPE_CORESIGHT, TYPE_SPE, TYPE_PTT = 6 };
enum { CPU_HEAD_BYTES = 24 };

/* One word: what stands before it, spaces included, and how it is shown. */
struct line {
	const char *label;
	enum { DECIMAL, UNSIGNED, HEX, HEX_0X, HEX_SHORT } form; /* 0x0, or only 0 */
};

static void put_lines(struct strbuf *out, struct feature_view *v, const struct line *line,
		      size_t nr)
{
	for (size_t i = 0; i < nr && view_left(v) >= 8; i++) {
		u64 word = view_u64(v);

		strbuf_adds(out, line[i].label);
		if (line[i].form == DECIMAL)
			strbuf_addf(out, "%" PRId64 "\n", (s64)word);
		else if (line[i].form == UNSIGNED)
			strbuf_addf(out, "%" PRIu64 "\n", word);
		else
			strbuf_addf(out, "%s%" PRIx64 "\n",
				    line[i].form == HEX_0X || (line[i].form == HEX_SHORT && word)
					    ? "0x"
					    : "",
				    word);
	}
}

static void put_pt(struct strbuf *out, struct feature_view *v)
{
	static const struct line fixed[] = {
		{ "  PMU Type            ", DECIMAL },   { "  Time Shift          ", UNSIGNED },
		{ "  Time Multiplier     ", UNSIGNED },  { "  Time Zero           ", UNSIGNED },
		{ "  Cap Time Zero       ", DECIMAL },   { "  TSC bit             ", HEX_SHORT },
		{ "  NoRETComp bit       ", HEX_SHORT }, { "  Have sched_switch   ", DECIMAL },
		{ "  Snapshot mode       ", DECIMAL },   { "  Per-cpu maps        ", DECIMAL },
		{ "  MTC bit             ", HEX_SHORT }, { "  MTC freq bits       ", HEX_SHORT },
		{ "  TSC:CTC numerator   ", UNSIGNED },  { "  TSC:CTC denominator ", UNSIGNED },
		{ "  CYC bit             ", HEX_SHORT }, { "  Max non-turbo ratio ", UNSIGNED },
	};
	_cleanup_(mem_freep) char *filter = NULL;
	const void *text;
	u64 len;

	put_lines(out, v, fixed, ARRAY_SIZE(fixed));
	if (view_left(v) < 8)
		return;
	len = view_u64(v);
	strbuf_addf(out, "  Filter string len.  %" PRIu64 "\n", len);
	if (len >= view_left(v) && len)
		return;
	text = len ? view_bytes(v, MIN(ALIGN_UP(len + 1, 8), view_left(v))) : NULL;
	filter = xstrndup(text ? text : "", (size_t)len);
	strbuf_adds(out, "  Filter string       ");
	strbuf_add_escaped(out, filter);
	strbuf_addch(out, '\n');
	if (view_left(v) >= 8)
		strbuf_addf(out, "  Cap Event Trace     %d\n", view_u64(v) != 0);
}

static void put_bts(struct strbuf *out, struct feature_view *v)
{
	static const struct line lines[] = {
		{ "  PMU Type           ", DECIMAL },  { "  Time Shift         ", UNSIGNED },
		{ "  Time Multiplier    ", UNSIGNED }, { "  Time Zero          ", UNSIGNED },
		{ "  Cap Time Zero      ", DECIMAL },  { "  Snapshot mode      ", DECIMAL },
	};

	put_lines(out, v, lines, ARRAY_SIZE(lines));
}

/*
 * What is told of one CPU: a magic number, the CPU, the number of parameters, and they; those that
 * came later than this program are left out.
 */
static void put_cpu(struct strbuf *out, struct feature_view *v, const struct line head[3],
		    const struct line *line, size_t nr)
{
	struct feature_view peek = *v;
	u64 given;

	view_bytes(&peek, 2 * sizeof(u64));
	given = view_u64(&peek);
	put_lines(out, v, head, 3);
	put_lines(out, v, line, (size_t)MIN(given, (u64)nr));
	for (; given > nr && view_left(v) >= sizeof(u64); given--)
		view_u64(v);
}

static void put_spe(struct strbuf *out, struct feature_view *v)
{
	enum { OLD_WORDS = 2 };
	static const struct line old[] = {
		{ "  PMU Type           :", DECIMAL },
		{ "  Per CPU mmaps      :", DECIMAL },
	};
	static const struct line whole[] = {
		{ "  Header version     :", DECIMAL },
		{ "  Header size        :", DECIMAL },
		{ "  PMU type v2        :", DECIMAL },
		{ "  CPU number         :", DECIMAL },
	};
	static const struct line head[] = {
		{ "    Magic            :", HEX_0X },
		{ "    CPU #            :", DECIMAL },
		{ "    Num of params    :", DECIMAL },
	};
	static const struct line cpu[] = {
		{ "    MIDR             :", HEX_0X },
		{ "    PMU Type         :", DECIMAL },
		{ "    Min Interval     :", DECIMAL },
		{ "    Event Filter     :", HEX_0X },
	};

	if (view_left(v) <= OLD_WORDS * sizeof(u64)) {
		put_lines(out, v, old, ARRAY_SIZE(old));
		return;
	}
	put_lines(out, v, whole, ARRAY_SIZE(whole));
	while (view_left(v) >= CPU_HEAD_BYTES)
		put_cpu(out, v, head, cpu, ARRAY_SIZE(cpu));
}

/* Parameters of a trace unit. */
static const struct line etm3_lines[] = {
	{ "\tETMCR\t\t\t       ", HEX },
	{ "\tETMTRACEIDR\t\t       ", HEX },
	{ "\tETMCCER\t\t\t       ", HEX },
	{ "\tETMIDR\t\t\t       ", HEX },
};
#define ETM4_LINES                                                                                 \
	{ "\tTRCCONFIGR\t\t       ", HEX }, { "\tTRCTRACEIDR\t\t       ", HEX },                   \
		{ "\tTRCIDR0\t\t\t       ", HEX }, { "\tTRCIDR1\t\t\t       ", HEX },              \
		{ "\tTRCIDR2\t\t\t       ", HEX }, { "\tTRCIDR8\t\t\t       ", HEX },              \
	{                                                                                          \
		"\tTRCAUTHSTATUS\t\t       ", HEX                                                  \
	}
static const struct line etm4_lines[] = {
	ETM4_LINES,
	{ "\tTS_SOURCE\t\t       ", DECIMAL },
};
static const struct line ete_lines[] = {
	ETM4_LINES,
	{ "\tTRCDEVARCH                     ", HEX },
	{ "\tTS_SOURCE                      ", DECIMAL },
};

static const struct {
	u64 magic;
	const struct line *lines;
	size_t nr;
	size_t nr_old; /* in version 0, which does not tell how many there are */
} units[] = {
	{ 0x3030303030303030ULL, etm3_lines, ARRAY_SIZE(etm3_lines), ARRAY_SIZE(etm3_lines) },
	{ 0x4040404040404040ULL, etm4_lines, ARRAY_SIZE(etm4_lines), ARRAY_SIZE(etm4_lines) - 1 },
	{ 0x5050505050505050ULL, ete_lines, ARRAY_SIZE(ete_lines), 0 },
	{ 0, NULL, 0, 0 }, /* others */
};

static void put_coresight(struct strbuf *out, struct feature_view *v)
{
	static const struct line whole[] = {
		{ "\tHeader version\t\t       ", HEX },
		{ "\tPMU type/num cpus\t       ", HEX },
		{ "\tSnapshot\t\t       ", HEX },
	};
	static const struct line head[] = {
		{ "\tMagic number\t\t       ", HEX },
		{ "\tCPU\t\t\t       ", DECIMAL },
		{ "\tNR_TRC_PARAMS\t\t       ", HEX },
	};

	struct feature_view version = *v;
	bool old = view_left(v) >= sizeof(u64) && view_u64(&version) == 0;

	put_lines(out, v, whole, ARRAY_SIZE(whole));
	while (view_left(v) >= CPU_HEAD_BYTES) {
		struct feature_view peek = *v;
		u64 magic = view_u64(&peek);
		size_t i = 0;

		while (i < ARRAY_SIZE(units) - 1 && units[i].magic != magic)
			i++;
		if (!old) {
			put_cpu(out, v, head, units[i].lines, units[i].nr);
			continue;
		}
		if (!units[i].nr_old)
			return;
		put_lines(out, v, head, ARRAY_SIZE(head) - 1);
		put_lines(out, v, units[i].lines, units[i].nr_old);
	}
}

static void put_ptt(struct strbuf *out, struct feature_view *v)
{
	static const struct line lines[] = { { "  PMU Type           ", DECIMAL } };

	put_lines(out, v, lines, ARRAY_SIZE(lines));
}

static void (*const kinds[])(struct strbuf *out, struct feature_view *v) = {
	[TYPE_PT] = put_pt,   [TYPE_BTS] = put_bts, [TYPE_CORESIGHT] = put_coresight,
	[TYPE_SPE] = put_spe, [TYPE_PTT] = put_ptt,
};

void dump_aux_info(struct strbuf *out, const struct record_auxtrace_info *r)
{
	struct feature_view v = { .at = r->words.at, .end = r->words.at + r->words.len };

	strbuf_addf(out, " type: %u\n", r->type);
	if (r->type < ARRAY_SIZE(kinds) && kinds[r->type])
		kinds[r->type](out, &v);
}
