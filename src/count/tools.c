/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/tools.h"

#include <stdlib.h>
#include <unistd.h>

#include "arch/tsc.h"
#include "base/rw.h"

static u64 nr_siblings(const char *file)
{
	sys_strings lists = { 0 };
	u64 n;

	sys_cpu_siblings(NULL, file, &lists);
	n = lists.nr;
	sys_strings_release(&lists);
	return n;
}

static u64 nr_cpus(bool online)
{
	struct sys_topology t;
	u64 n;

	sys_topology_read(&t, NULL);
	n = online ? t.nr_online : t.nr_present;
	sys_topology_release(&t);
	return n;
}

static u64 smt_on(void)
{
	struct strbuf text = STRBUF_INIT;
	bool on;

	if (rw_slurp("/sys/devices/system/cpu/smt/active", &text, NULL))
		return nr_siblings("thread_siblings_list") < nr_cpus(true);
	on = text.buf[0] == '1';
	strbuf_release(&text);
	return on;
}

/* A sensor may be switched off, or be gone: not counted. */
static struct count_value read_sensor(const char *path)
{
	char text[64], *end;
	long long v;

	if (rw_read_line(path, text, sizeof(text)))
		return (struct count_value){ 0 };
	v = strtoll(text, &end, 10);
	return end == text || *end ? (struct count_value){ 0 }
				   : (struct count_value){ (u64)v, 1, 1 };
}

u64 count_tool_level(enum event_tool tool)
{
	switch (tool) {
	case EVENT_TOOL_NUM_CPUS:
		return nr_cpus(false);
	case EVENT_TOOL_NUM_CPUS_ONLINE:
		return nr_cpus(true);
	case EVENT_TOOL_NUM_CORES:
		return nr_siblings("thread_siblings_list");
	case EVENT_TOOL_NUM_DIES:
		return nr_siblings("die_cpus_list");
	case EVENT_TOOL_NUM_PACKAGES:
		return nr_siblings("core_siblings_list");
	case EVENT_TOOL_SMT_ON:
		return smt_on();
	case EVENT_TOOL_TSC_FREQ:
		return arch_tsc_hz();
	case EVENT_TOOL_HAS_PMEM:
		return !access("/sys/firmware/acpi/tables/NFIT", F_OK);
	default:
		return 0;
	}
}

struct count_value count_tool_value(const struct measurement *m, const struct event *ev)
{
	u64 v;

	switch (ev->tool) {
	case EVENT_TOOL_DURATION:
		v = m->end_ns - m->start_ns;
		break;
	case EVENT_TOOL_USER:
		v = m->workload.user_ns;
		break;
	case EVENT_TOOL_SYSTEM:
		v = m->workload.system_ns;
		break;
	case EVENT_TOOL_SENSOR:
		return read_sensor(ev->sensor);
	default:
		return (struct count_value){ count_tool_level(ev->tool), 1, 1 };
	}
	return (struct count_value){ v, v, v };
}
