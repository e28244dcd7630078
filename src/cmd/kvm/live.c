/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kvm stat live: the table of the running machine, again and again. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cmd/keyboard.h"
#include "cmd/kvm/kvm.h"
#include "cmd/watching.h"

struct kvm_live {
	struct kvm_opts *o;
	struct keyboard keyboard;
	struct sampling sampling;
	struct session *session;
	struct kvm_exits *exits;
	u64 due; /* ns, CLOCK_MONOTONIC; 0 = not yet */
	u64 lost; /* events, until the lap before */
	int laps;
	bool screen;
};

static void add_time(struct strbuf *out)
{
	struct timespec now;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strbuf_addf(out, "%02d:%02d:%02d.%06ld", tm.tm_hour, tm.tm_min, tm.tm_sec,
		    now.tv_nsec / 1000);
}

static bool write_out(struct strbuf *out)
{
	bool written = fwrite(out->buf, 1, out->len, stdout) == out->len && !fflush(stdout);

	strbuf_release(out);
	return written;
}

/* What was counted so far. */
static bool show(struct kvm_live *l)
{
	struct strbuf out = STRBUF_INIT;

	if (l->screen)
		strbuf_adds(&out, "\033[H\033[J");
	if (!l->o->json && !l->o->separator)
		add_time(&out);
	kvm_add_table(&out, l->o, l->exits);
	if (l->keyboard.terminal)
		strbuf_addf(
			&out,
			"Sorted by %s, every %d s. Keys: s other sort key, v virtual CPU, d delay, "
			"q quit\n",
			kvm_key_name(l->o), l->o->delay);
	return write_out(&out);
}

static bool end_lap(struct kvm_live *l)
{
	u64 lost = session_stats(l->session)->lost_events;
	bool shown = show(l);

	kvm_exits_begin_lap(l->exits);
	if (lost > l->lost)
		log_warn("%llu events were lost (-m makes larger buffers)",
			 (unsigned long long)(lost - l->lost));
	l->lost = lost;
	l->laps++;
	return shown && (l->o->laps <= 0 || l->laps < l->o->laps);
}

static void ask_vcpu(struct kvm_live *l)
{
	char line[32], *end;
	unsigned long n;

	if (!keyboard_ask(&l->keyboard, "virtual CPU, nothing for all", line, sizeof(line)))
		return;
	n = strtoul(line, &end, 10);
	if (*end || n > INT32_MAX)
		return;
	l->o->vcpu = *line ? (int)n : -1;
	kvm_exits_choose_vcpu(l->exits, l->o->vcpu);
	kvm_exits_begin_lap(l->exits); /* its numbers are those of others, too */
}

static void ask_delay(struct kvm_live *l, u64 now)
{
	u64 delay = (u64)l->o->delay;

	keyboard_ask_number(&l->keyboard, "display delay in seconds", &delay, 1);
	l->o->delay = (int)delay;
	l->due = now + delay * 1000000000;
}

/* False: to be quit. */
static bool take_keys(struct kvm_live *l, u64 now)
{
	char key;

	while (keyboard_next(&l->keyboard, &key)) {
		switch (key) {
		case 'q':
		case 'Q':
		case KEYBOARD_END:
			return false;
		case 's':
			kvm_next_key(l->o);
			break;
		case 'v':
			ask_vcpu(l);
			break;
		case 'd':
			ask_delay(l, now);
			break;
		default:
			continue;
		}
		if (!show(l))
			return false;
	}
	return true;
}

/* Machines may be quiet for long, so that the time of events says nothing about a lap's end. */
static bool on_round(void *ctx, u64 until UNUSED)
{
	struct kvm_live *l = ctx;
	u64 now = clock_now();
	bool on = true;

	if (!take_keys(l, now))
		return false;
	/* what was before the first round is not known whole */
	if (!l->due)
		kvm_exits_begin_lap(l->exits);
	else if (now < l->due)
		return true;
	else
		on = end_lap(l);
	l->due = now + (u64)l->o->delay * 1000000000;
	return on;
}

/* --duration: one that took long. That a machine had nothing to do is none. */
static void on_long(void *ctx, const struct kvm_long *took)
{
	const struct kvm_live *l = ctx;
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct strbuf out = STRBUF_INIT;
	size_t nr;

	kvm_exits_rows(l->exits, &nr);
	kvm_exits_add_name(l->exits, took->key, &name);
	if (!strcasecmp(name.buf, "hlt") || l->o->json || l->o->separator)
		return;
	strbuf_addf(&out, "%llu VM %u, vcpu %u: %s event took %lluusec\n",
		    (unsigned long long)took->time, took->pid, took->vcpu, name.buf,
		    (unsigned long long)(took->length / 1000));
	write_out(&out);
}

static int run(void *ctx, struct capture *c UNUSED, struct source *live, struct err *e)
{
	struct kvm_live *l = ctx;
	struct session_opts so = { .source = live };
	struct kvm_exits_opts ko = {
		.what = l->o->what,
		.vcpu = l->o->vcpu,
		.longer = l->o->duration * 1000,
		.on_long = l->o->long_ones ? on_long : NULL,
		.on_round = on_round,
		.ctx = l,
	};
	int ret;

	if (session_open(&l->session, &so, e) < 0)
		return -1;
	ret = kvm_exits_new(&l->exits, l->session, &ko, e);
	if (!ret)
		ret = kvm_exits_run(l->exits, e);
	if (live_wait(live, e) < 0)
		ret = -1;
	kvm_exits_free(l->exits);
	session_close(l->session);
	return ret;
}

static int watch_machine(struct kvm_live *l, const char *const *line)
{
	static const char *const uses[] = {
		[KVM_MMIO] = "kvm:kvm_mmio", [KVM_IOPORT] = "kvm:kvm_pio", [KVM_MSR] = "kvm:kvm_msr"
	};
	const struct watched_tracepoints t = {
		.command = "perf kvm stat live",
		.names = { "kvm:kvm_entry", "kvm:kvm_exit",
			   l->o->what == KVM_VMEXIT ? NULL : uses[l->o->what] },
		.missing = "the kernel has it once a module for virtual machines is there: "
			   "modprobe kvm_amd, modprobe kvm_intel",
		.pages = l->o->pages,
	};
	struct watching w = {
		.sampling = &l->sampling, .line = line, .tee_fd = -1, .run = run, .ctx = l
	};

	l->sampling.system_wide = l->o->system_wide || (!l->o->rec.pids && !l->o->rec.tids);
	l->sampling.pids = l->o->rec.pids;
	l->sampling.tids = l->o->rec.tids;
	l->sampling.cpus = l->o->cpus;
	return watch_tracepoints(&w, &t) ? KVM_FAILED : 0;
}

int kvm_live_main(const struct config *config, struct kvm_opts *o, const char *const *line)
{
	struct kvm_live l = { .o = o,
			      .screen = !o->json && !o->separator && isatty(STDOUT_FILENO) };
	int ret;

	if (o->delay <= 0)
		return opts_usage_error(kvm_live_table, kvm_live_usage, "display",
					" Error: the delay is a number of seconds\n");
	event_args_init(&l.sampling.env, config);
	event_list_init(&l.sampling.events);
	signal(SIGPIPE, SIG_IGN);
	if (l.screen)
		keyboard_open(&l.keyboard);
	ret = watch_machine(&l, line);
	keyboard_close(&l.keyboard);
	sampling_release(&l.sampling);
	return ret;
}
