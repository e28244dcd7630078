/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/dump.h"

#include <inttypes.h>

#include "base/bits.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "perfdata/record.h"
#include "perfdata/tool_records.h"
#include "text/record_parts.h"

typedef unsigned long long ull;

struct dump {
	struct strbuf *out;
	const struct perfdata *f;
	enum dump_style style;
	const struct dump_input *in;
	union record_view v;
};

/* Up to its NUL, or as far as the record goes. */
static void put_text(struct dump *d, const char *text, size_t len)
{
	_cleanup_(mem_freep) char *s = text ? xstrndup(text, len) : NULL;

	if (s)
		strbuf_add_escaped(d->out, s);
}

static void put_name(struct dump *d, const struct record_name *name)
{
	put_text(d, name->text, name->len);
}

static void mmap_text(struct dump *d)
{
	text_mapping(d->out, d->in->h, &d->v.mmap);
	put_name(d, &d->v.mmap.name);
	strbuf_addch(d->out, '\n');
}

static void lost_text(struct dump *d)
{
	strbuf_addf(d->out, ": id:%llu: lost:%llu\n", (ull)d->v.lost.id, (ull)d->v.lost.lost);
}

static void lost_samples_text(struct dump *d)
{
	struct sample_id id = { .id = (u64)-1 };

	if (d->in->event)
		sample_id_decode(&d->in->event->layout, d->in->h, &id);
	strbuf_addf(d->out, ": id:%llu: lost samples :%llu%s\n", (ull)id.id, (ull)d->v.lost_samples,
		    d->in->h->misc & PERF_RECORD_MISC_LOST_SAMPLES_BPF ? " (BPF)" : "");
}

static void comm_text(struct dump *d)
{
	const struct record_comm *r = &d->v.comm;

	strbuf_addf(d->out, "%s: ", d->in->h->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "");
	put_name(d, &r->name);
	strbuf_addf(d->out, ":%d/%d\n", (s32)r->pid, (s32)r->tid);
}

static void task_text(struct dump *d)
{
	const struct record_task *r = &d->v.task;

	strbuf_addf(d->out, "(%d:%d):(%d:%d)\n", (s32)r->pid, (s32)r->tid, (s32)r->ppid,
		    (s32)r->ptid);
}

static void unhandled(struct dump *d)
{
	strbuf_adds(d->out, ": unhandled!\n");
}

static void report_unhandled(struct dump *d)
{
	if (d->style == DUMP_REPORT)
		strbuf_adds(d->out, ": unhandled!\n");
}

static void read_text(struct dump *d)
{
	static const struct {
		u64 format;
		const char *title;
	} counts[] = {
		{ PERF_FORMAT_TOTAL_TIME_ENABLED, "... time enabled :" },
		{ PERF_FORMAT_TOTAL_TIME_RUNNING, "... time running :" },
		{ PERF_FORMAT_ID, "... id           :" },
		{ PERF_FORMAT_LOST, "... lost         :" },
	};
	const struct record_read *r = &d->v.read;
	const struct perfdata_event *ev = d->in->event;
	u64 format = ev ? ev->layout.read_format : 0;
	size_t at = 0;

	strbuf_addf(d->out, ": %d %d ", (s32)r->pid, (s32)r->tid);
	strbuf_add_escaped(d->out, ev ? ev->name : "");
	strbuf_addf(d->out, " %llu\n", (ull)record_word(&r->counts, at++));
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (format & counts[i].format)
			strbuf_addf(d->out, "%s %llu\n", counts[i].title,
				    (ull)record_word(&r->counts, at++));
	if (d->style == DUMP_SCRIPT)
		unhandled(d);
}

static void aux_text(struct dump *d)
{
	const struct record_aux *r = &d->v.aux;

	strbuf_addf(d->out, " offset: %#llx size: %#llx flags: %#llx [%s%s%s]\n", (ull)r->offset,
		    (ull)r->size, (ull)r->flags, r->flags & PERF_AUX_FLAG_TRUNCATED ? "T" : "",
		    r->flags & PERF_AUX_FLAG_OVERWRITE ? "O" : "",
		    r->flags & PERF_AUX_FLAG_PARTIAL ? "P" : "");
}

static void itrace_start_text(struct dump *d)
{
	strbuf_addf(d->out, " pid: %u tid: %u\n", d->v.other.pid, d->v.other.tid);
}

static void switch_text(struct dump *d)
{
	text_switch(d->out, d->in->h, &d->v.other);
}

static void namespaces_text(struct dump *d)
{
	text_namespaces(d->out, &d->v.namespaces);
}

static void ksymbol_text(struct dump *d)
{
	text_ksymbol(d->out, &d->v.ksymbol);
	put_name(d, &d->v.ksymbol.name);
	strbuf_addch(d->out, '\n');
}

static void bpf_event_text(struct dump *d)
{
	const struct record_bpf_event *r = &d->v.bpf_event;

	strbuf_addf(d->out, " type %u, flags %u, id %u\n", r->type, r->flags, r->id);
}

static void cgroup_text(struct dump *d)
{
	strbuf_addf(d->out, " cgroup: %llu ", (ull)d->v.cgroup.id);
	put_name(d, &d->v.cgroup.path);
	strbuf_addch(d->out, '\n');
}

static void poke_bytes(struct dump *d, const char *title, const u8 *p, size_t len)
{
	strbuf_addf(d->out, "            %s bytes:", title);
	for (size_t i = 0; i < len; i++)
		strbuf_addf(d->out, " %02x", p[i]);
	strbuf_addch(d->out, '\n');
}

static void text_poke_text(struct dump *d)
{
	const struct record_text_poke *r = &d->v.text_poke;
	bool has_old = r->there >= r->old_len;
	bool has_new = r->there >= (size_t)r->old_len + r->new_len;

	strbuf_addf(d->out, " %llx  old len %u new len %u\n", (ull)r->addr, r->old_len, r->new_len);
	poke_bytes(d, "Old", r->bytes, has_old ? r->old_len : 0);
	poke_bytes(d, "New", has_new ? r->bytes + r->old_len : NULL, has_new ? r->new_len : 0);
}

static void aux_output_hw_id_text(struct dump *d)
{
	strbuf_addf(d->out, " hw_id: %#llx\n", (ull)d->v.hw_id);
}

static void callchain_deferred_text(struct dump *d)
{
	const struct record_deferred *r = &d->v.deferred;
	struct sample_id id = { .pid = (u32)-1, .tid = (u32)-1 };

	if (d->in->event)
		sample_id_decode(&d->in->event->layout, d->in->h, &id);
	strbuf_addf(d->out, "(IP, 0x%x): %d/%d: %#llx\n", d->in->h->misc, (s32)id.pid, (s32)id.tid,
		    (ull)r->cookie);
	if (r->nr_there)
		strbuf_addf(d->out, "... FP chain: nr:%llu\n", (ull)r->nr_there);
	for (u64 i = 0; i < r->nr_there; i++)
		strbuf_addf(d->out, "..... %2llu: %016llx\n", (ull)i,
			    (ull)bits_u64(r->ips + i * 8));
}

static void line_end(struct dump *d)
{
	strbuf_addch(d->out, '\n');
}

static void id_index_text(struct dump *d)
{
	const struct record_id_index *r = &d->v.id_index;

	strbuf_addf(d->out, " nr: %llu\n", (ull)r->nr);
	for (u64 i = 0; i < r->nr_there; i++) {
		const struct record_event_id *id = &r->v[i];

		strbuf_addf(d->out, " ... id: %llu  idx: %llu  cpu: %" PRId64 "  tid: %" PRId64,
			    (ull)id->id, (ull)id->idx, id->cpu, id->tid);
		if (r->has_guests)
			strbuf_addf(d->out, "  machine_pid: %" PRId64 "  vcpu: %" PRId64,
				    r->guests[i].pid, r->guests[i].vcpu);
		strbuf_addch(d->out, '\n');
	}
}

static void thread_map_text(struct dump *d)
{
	const struct record_thread_map *r = &d->v.thread_map;

	strbuf_addf(d->out, " nr: %llu thread%s: ", (ull)r->nr, r->nr > 1 ? "s" : "");
	for (u64 i = 0; i < r->nr_there; i++)
		strbuf_addf(d->out, "%s%" PRId64, i ? ", " : "", (s64)r->v[i].tid);
	strbuf_addch(d->out, '\n');
	report_unhandled(d);
}

static void cpu_map_line(struct dump *d)
{
	strbuf_adds(d->out, ": ");
	record_cpu_map_text(d->out, d->v.bytes.at, d->v.bytes.len);
	strbuf_addch(d->out, '\n');
	report_unhandled(d);
}

static void stat_config_text(struct dump *d)
{
	static const char *const terms[] = { "aggr_mode", "interval ", "scale    " };
	/* perf keeps the values by their tag and prints them in this order */
	static const u8 order[] = { 0, 2, 1 };
	const struct record_stat_config *r = &d->v.stat_config;
	u64 values[ARRAY_SIZE(terms)] = { 0 };

	if (d->style == DUMP_SCRIPT)
		return;
	strbuf_addch(d->out, '\n');
	for (u64 i = 0; i < r->nr_there; i++)
		if (r->v[i].tag < ARRAY_SIZE(values))
			values[r->v[i].tag] = r->v[i].value;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		strbuf_addf(d->out, "... %s %llu\n", terms[order[i]], (ull)values[order[i]]);
	unhandled(d);
}

static void stat_text(struct dump *d)
{
	const struct record_stat *r = &d->v.stat;

	if (d->style == DUMP_SCRIPT)
		return;
	strbuf_addch(d->out, '\n');
	strbuf_addf(d->out, "... id %llu, cpu %d, thread %d\n", (ull)r->id, (s32)r->cpu,
		    (s32)r->thread);
	strbuf_addf(d->out, "... value %llu, enabled %llu, running %llu\n", (ull)r->value,
		    (ull)r->enabled, (ull)r->running);
	unhandled(d);
}

static void stat_round_text(struct dump *d)
{
	const struct record_stat_round *r = &d->v.stat_round;

	if (d->style == DUMP_SCRIPT)
		return;
	strbuf_addch(d->out, '\n');
	strbuf_addf(d->out, "... time %llu, type %s\n", (ull)r->time,
		    r->type ? "FINAL" : "INTERVAL");
	unhandled(d);
}

static void event_update_text(struct dump *d)
{
	const struct record_event_update *r = &d->v.event_update;
	const struct record_bytes *body = &r->body;

	strbuf_addf(d->out, "\n... id:    %llu\n... ", (ull)r->id);
	if (r->type == UPDATE_UNIT || r->type == UPDATE_NAME) {
		strbuf_adds(d->out, r->type == UPDATE_UNIT ? "unit:  " : "name:  ");
		put_text(d, (const char *)body->at, body->len);
	} else if (r->type == UPDATE_SCALE) {
		double scale = 0;

		if (body->len >= sizeof(scale))
			memcpy(&scale, body->at, sizeof(scale));
		strbuf_addf(d->out, "scale: %f", scale);
	} else if (r->type == UPDATE_CPUS) {
		record_cpu_map_text(d->out, body->at, body->len);
	} else {
		strbuf_adds(d->out, "unknown type");
	}
	strbuf_addch(d->out, '\n');
}

static void time_conv_text(struct dump *d)
{
	const struct record_time_conv *r = &d->v.time_conv;

	strbuf_addf(d->out, "\n... Time Shift      %llu\n", (ull)r->shift);
	strbuf_addf(d->out, "... Time Muliplier  %llu\n", (ull)r->mult);
	strbuf_addf(d->out, "... Time Zero       %llu\n", (ull)r->zero);
	if (r->has_cycles) {
		strbuf_addf(d->out, "... Time Cycles     %llu\n", (ull)r->cycles);
		strbuf_addf(d->out, "... Time Mask       %#llx\n", (ull)r->mask);
		strbuf_addf(d->out, "... Cap Time Zero   %d\n", r->cap_time_zero);
		strbuf_addf(d->out, "... Cap Time Short  %d\n", r->cap_time_short);
	}
	unhandled(d);
}

static void auxtrace_info_text(struct dump *d)
{
	dump_aux_info(d->out, &d->v.auxtrace_info);
}

static void auxtrace_text(struct dump *d)
{
	const struct record_auxtrace *r = &d->v.auxtrace;

	strbuf_addf(d->out, " size: %#llx  offset: %#llx  ref: %#llx  idx: %u  tid: %d  cpu: %d\n",
		    (ull)r->size, (ull)r->offset, (ull)r->reference, r->idx, (s32)r->tid,
		    (s32)r->cpu);
}

/* A type without text leaves its line open, as perf does: the next record begins with a newline. */
static void (*const texts[PERF_RECORD_HEADER_MAX])(struct dump *d) = {
	[PERF_RECORD_MMAP] = mmap_text,
	[PERF_RECORD_LOST] = lost_text,
	[PERF_RECORD_COMM] = comm_text,
	[PERF_RECORD_EXIT] = task_text,
	[PERF_RECORD_THROTTLE] = report_unhandled,
	[PERF_RECORD_UNTHROTTLE] = report_unhandled,
	[PERF_RECORD_FORK] = task_text,
	[PERF_RECORD_READ] = read_text,
	[PERF_RECORD_MMAP2] = mmap_text,
	[PERF_RECORD_AUX] = aux_text,
	[PERF_RECORD_ITRACE_START] = itrace_start_text,
	[PERF_RECORD_LOST_SAMPLES] = lost_samples_text,
	[PERF_RECORD_SWITCH] = switch_text,
	[PERF_RECORD_SWITCH_CPU_WIDE] = switch_text,
	[PERF_RECORD_NAMESPACES] = namespaces_text,
	[PERF_RECORD_KSYMBOL] = ksymbol_text,
	[PERF_RECORD_BPF_EVENT] = bpf_event_text,
	[PERF_RECORD_CGROUP] = cgroup_text,
	[PERF_RECORD_TEXT_POKE] = text_poke_text,
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = aux_output_hw_id_text,
	[PERF_RECORD_CALLCHAIN_DEFERRED] = callchain_deferred_text,
	[PERF_RECORD_FINISHED_ROUND] = line_end,
	[PERF_RECORD_ID_INDEX] = id_index_text,
	[PERF_RECORD_AUXTRACE_INFO] = auxtrace_info_text,
	[PERF_RECORD_AUXTRACE] = auxtrace_text,
	[PERF_RECORD_AUXTRACE_ERROR] = unhandled,
	[PERF_RECORD_THREAD_MAP] = thread_map_text,
	[PERF_RECORD_CPU_MAP] = cpu_map_line,
	[PERF_RECORD_STAT_CONFIG] = stat_config_text,
	[PERF_RECORD_STAT] = stat_text,
	[PERF_RECORD_STAT_ROUND] = stat_round_text,
	[PERF_RECORD_EVENT_UPDATE] = event_update_text,
	[PERF_RECORD_TIME_CONV] = time_conv_text,
	[PERF_RECORD_FINISHED_INIT] = unhandled,
	[PERF_RECORD_BPF_METADATA] = line_end,
	[PERF_RECORD_SCHEDSTAT_CPU] = line_end,
	[PERF_RECORD_SCHEDSTAT_DOMAIN] = line_end,
};

static void dump_bytes(struct dump *d)
{
	static const char digits[] = "0123456789abcdef";
	const u8 *p = (const u8 *)d->in->h;
	size_t size = d->in->h->size;

	strbuf_addf(d->out, ".\n. ... raw event: size %zu bytes\n", size);
	for (size_t at = 0; at < size; at += 16) {
		char hex[16 * 3 + 1], text[17];
		size_t n = MIN(size - at, (size_t)16);

		memset(hex, ' ', sizeof(hex));
		memset(text, ' ', sizeof(text));
		for (size_t i = 0; i < n; i++) {
			u8 c = p[at + i];

			hex[3 * i + 1] = digits[c >> 4];
			hex[3 * i + 2] = digits[c & 15];
			text[i] = c >= 0x20 && c < 0x7f ? (char)c : '.';
		}
		strbuf_adds(d->out, ".  ");
		strbuf_add_hex_width(d->out, at, 4, '0');
		strbuf_addch(d->out, ':');
		strbuf_addch(d->out, ' ');
		strbuf_add(d->out, hex, 48);
		strbuf_adds(d->out, "  ");
		strbuf_add(d->out, text, 16);
		strbuf_addch(d->out, '\n');
	}
	strbuf_addch(d->out, '\n');
}

/* CPU and time, as far as the events of the file have them. */
static void dump_stamp(struct dump *d)
{
	const struct perf_event_header *h = d->in->h;
	struct sample_id id = { 0 };
	u64 type = 0;
	size_t nr = perfdata_nr_events(d->f);

	for (size_t i = 0; i < nr; i++)
		type |= perfdata_event(d->f, i)->layout.sample_type;
	if (h->type != PERF_RECORD_SAMPLE && (!nr || !perfdata_event(d->f, 0)->attr.sample_id_all ||
					      (perfdata_is_pipe(d->f) && !d->in->pos))) {
		strbuf_adds(d->out, "-1 -1 ");
		return;
	}
	if (d->in->sample) {
		id.cpu = d->in->sample->cpu;
		id.time = d->in->sample->time;
	} else if (h->type < PERF_RECORD_USER_TYPE_START && d->in->event) {
		sample_id_decode(&d->in->event->layout, h, &id);
	}
	if (type & PERF_SAMPLE_CPU)
		strbuf_addf(d->out, "%u ", id.cpu);
	if (type & PERF_SAMPLE_TIME)
		strbuf_addf(d->out, "%llu ", (ull)id.time);
}

/* The session gives samples with counter values as those of one counter, and puts chains together
 * from branch records; a dump shows what is there. */
static void dump_recorded_sample(struct strbuf *out, const struct perfdata *f,
				 const struct dump_input *in)
{
	struct dump_input plain = *in;
	struct sample smp;

	if (in->event->attr.sample_type & PERF_SAMPLE_READ || in->sample->made) {
		plain.event = perfdata_event_of(f, in->h);
		plain.sample = &smp;
		if (!plain.event || !sample_decode(&plain.event->layout, in->h, &smp))
			plain = *in;
	}
	dump_sample(out, f, &plain);
}

void dump_record(struct strbuf *out, const struct perfdata *f, enum dump_style style,
		 const struct dump_input *in)
{
	const struct perf_event_header *h = in->h;
	struct dump d = { .out = out, .f = f, .style = style, .in = in };
	const char *name = record_type_name(h->type);
	u16 tail = 0;

	if (h->type == PERF_RECORD_COMPRESSED || h->type == PERF_RECORD_COMPRESSED2)
		return;
	if (h->type < PERF_RECORD_USER_TYPE_START && h->type != PERF_RECORD_SAMPLE && in->event)
		tail = in->event->layout.tail_size;
	record_view(h, tail, &d.v);
	strbuf_addf(out, "\n%#llx@", (ull)in->pos);
	strbuf_add_escaped(out, perfdata_is_pipe(f) ? "pipe" : perfdata_path(f));
	strbuf_addf(out, " [%#x]: event: %u\n", h->size, h->type);
	dump_bytes(&d);
	dump_stamp(&d);
	strbuf_addf(out, "%#llx [%#x]: PERF_RECORD_%s", (ull)in->pos, h->size,
		    name ? name : "UNKNOWN");
	if (h->type == PERF_RECORD_SAMPLE && in->sample && in->event)
		dump_recorded_sample(out, f, in);
	else if (name && texts[h->type])
		texts[h->type](&d);
	else if (!name)
		strbuf_addch(out, '\n');
}
