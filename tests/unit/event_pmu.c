/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "event/event.h"
#include "event/names.h"
#include "event/pmu.h"
#include "sysfs_tree.h"

static struct event_list list;
static struct event_error ee;
static struct event_env env;
static char *root;

static void use(const char *machine)
{
	event_list_init(&list);
	root = tree_unpack(machine);
	env = (struct event_env){ .sysfs = root, .tracefs = root };
}

static int teardown(void **state)
{
	(void)state;
	event_list_release(&list);
	tree_remove(root);
	return 0;
}

static struct event **parse(const char *text, size_t expected)
{
	size_t before = list.events.nr;

	if (event_parse(&list, text, &env, &ee))
		fail_msg("'%s': %s", text, ee.text);
	if (list.events.nr != before + expected)
		fail_msg("'%s': %zu events", text, list.events.nr - before);
	return list.events.v + before;
}

struct expected {
	const char *text;
	u32 type;
	u64 config, config1, config2;
};

static void check(const struct expected *x, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct event *ev = *parse(x[i].text, 1);

		if (ev->attr.type != x[i].type || ev->attr.config != x[i].config ||
		    ev->attr.config1 != x[i].config1 || ev->attr.config2 != x[i].config2)
			fail_msg("%s: type %u config %#llx,%#llx,%#llx", x[i].text, ev->attr.type,
				 (unsigned long long)ev->attr.config,
				 (unsigned long long)ev->attr.config1,
				 (unsigned long long)ev->attr.config2);
		assert_string_equal(ev->name, x[i].text);
	}
}

/* All cores of one kind were switched off: their file of CPUs is empty then. */
static void kind_of_core_offline(void **state)
{
	char path[PATH_MAX];
	const struct event *ev;
	FILE *f;

	(void)state;
	use("intel-hybrid");
	snprintf(path, sizeof(path), "%s/bus/event_source/devices/cpu_atom/cpus", root);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("\n", f);
	fclose(f);
	ev = *parse("cycles", 1);
	assert_int_equal(ev->attr.type, PERF_TYPE_HARDWARE);
	assert_string_equal(ev->name, "cycles");
	assert_int_equal(event_parse(&list, "cpu_atom/cycles/", &env, &ee), -1);
}

static void format_texts(void **state)
{
	enum pmu_word word;
	u64 mask;

	(void)state;
	assert_true(pmu_format_parse("config:0-7,32-35", &word, &mask));
	assert_true(word == PMU_CONFIG && mask == 0xf000000ff);
	assert_true(pmu_format_parse("config2:63", &word, &mask));
	assert_true(word == PMU_CONFIG2 && mask == 1ULL << 63);
	assert_true(pmu_format_parse("config1:0-63", &word, &mask));
	assert_true(word == PMU_CONFIG1 && mask == ~0ULL);
	assert_false(pmu_format_parse("config", &word, &mask));
	assert_false(pmu_format_parse("config9:1", &word, &mask));
	assert_false(pmu_format_parse("config:7-0", &word, &mask));
	assert_false(pmu_format_parse("config:0-64", &word, &mask));
	assert_false(pmu_format_parse("config:x", &word, &mask));
	assert_false(pmu_format_parse("", &word, &mask));
}

static void name_patterns(void **state)
{
	(void)state;
	assert_true(pmu_name_matches("uncore_imc_0", "uncore_imc"));
	assert_true(pmu_name_matches("uncore_imc_12", "imc"));
	assert_true(pmu_name_matches("arm_cmn_40c0000", "arm_cmn"));
	assert_true(pmu_name_matches("uncore_imc_3", "uncore_imc_[0-3]"));
	assert_true(pmu_name_matches("uncore_imc_3", "unc*"));
	assert_false(pmu_name_matches("uncore_imc_free_running_0", "uncore_imc"));
	assert_false(pmu_name_matches("cpu_atom", "cpu"));
}

static void hybrid(void **state)
{
	static const struct expected one[] = {
		{ "cpu_core/cpu-cycles/", 4, 0x3c, 0, 0 },
		{ "cpu_core/cycles/", 0, 0x400000000, 0, 0 },
		{ "cpu_atom/instructions/u", 10, 0xc0, 0, 0 },
		{ "cpu_atom/L1-dcache-load-misses/", 3, 0xa00010000, 0, 0 },
		{ "cpu_core/event=0x3c,umask=0x1,cmask=1,inv/", 4, 0x180013c, 0, 0 },
		{ "cpu_core/event=0x3c,frontend=0xffffff/", 4, 0x3c, 0xffffff, 0 },
		{ "cpu_core/mem-loads,ldlat=30/P", 4, 0x1cd, 30, 0 },
		{ "cpu_core/r1a8/", 4, 0x1a8, 0, 0 },
		{ "cpu_core/config=0x1a8,config1=5,config2=6/", 4, 0x1a8, 5, 6 },
		{ "uncore_cbox/event=0x34,umask=8/", 15, 0x834, 0, 0 },
		{ "intel_pt/cyc,psb_period=3/u", 9, 0x3000002, 0, 0 },
		{ "tsc", 11, 0, 0, 0 },
	};
	struct event **v;

	(void)state;
	use("intel-hybrid");
	check(one, ARRAY_SIZE(one));

	v = parse("cycles:u", 2);
	assert_string_equal(v[0]->name, "cpu_core/cycles/u");
	assert_string_equal(v[1]->name, "cpu_atom/cycles/u");
	assert_true(v[0]->attr.config == 0x400000000 && v[1]->attr.config == 0xa00000000);
	assert_int_equal(v[0]->attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(v[0]->nr_cpus, 16);
	assert_int_equal(v[1]->cpus[0], 16);
	v = parse("r1a8", 2);
	assert_int_equal(v[1]->attr.type, 10);
	v = parse("L1-dcache-loads/period=5/k", 2);
	assert_string_equal(v[1]->name, "cpu_atom/L1-dcache-loads,period=5/k");
	assert_true(v[1]->terms.has_period && v[1]->attr.exclude_user);
	v = parse("mem-loads", 2);
	assert_true(v[0]->attr.config == 0x1cd && v[1]->attr.config == 0x5d0);
	v = parse("slots", 1);
	assert_string_equal(v[0]->name, "cpu_core/slots/");
	assert_int_equal((*parse("cs", 1))->attr.type, PERF_TYPE_SOFTWARE);

	/* One group per kind of core. */
	v = parse("{cycles,cs,instructions}:D", 5);
	assert_string_equal(v[2]->name, "cpu_core/instructions/");
	assert_ptr_equal(v[2]->leader, v[0]);
	assert_ptr_equal(v[1]->leader, v[0]);
	assert_int_equal(v[0]->nr_members, 3);
	assert_ptr_equal(v[4]->leader, v[3]);
	assert_true(v[0]->attr.pinned && v[3]->attr.pinned && !v[4]->attr.pinned);

	v = parse("power/energy-pkg/", 1);
	assert_string_equal(v[0]->unit, "Joules");
	assert_true(v[0]->scale > 2.3e-10 && v[0]->scale < 2.4e-10);
	v = parse("uncore_imc_free_running/data_read/", 2);
	assert_string_equal(v[0]->unit, "MiB");
	assert_int_equal(v[0]->attr.type, 21);
	assert_int_equal(v[1]->attr.type, 22);
}

/* Of two named events each says what its count means; one that says nothing leaves the other's. */
static void units_of_two(void **state)
{
	struct event **v;

	(void)state;
	use("intel-uncore");
	assert_int_equal(event_parse(&list, "power/energy-cores,energy-pkg/", &env, &ee), -1);
	assert_non_null(
		strstr(ee.text, "'energy-pkg' has another unit or scale than 'energy-cores'"));
	v = parse("uncore_imc_1/cas_count_read,clockticks/", 1);
	assert_string_equal(v[0]->unit, "MiB");
	assert_true(v[0]->scale < 1e-4);
}

/* Events that stand for very many others, and a scale that is no number. */
static void hostile_events(void **state)
{
	struct strbuf many = STRBUF_INIT;
	const char *names = "abcd";

	(void)state;
	root = tree_unpack(NULL);
	env = (struct event_env){ .sysfs = root, .tracefs = root };
	event_list_init(&list);
	tree_write(root, "bus/event_source/devices/p/type", "9");
	tree_write(root, "bus/event_source/devices/p/events/e", "config=1");
	tree_write(root, "bus/event_source/devices/p/events/e.scale", "nan");
	for (const char *name = names; *name; name++) {
		char path[64];

		strbuf_reset(&many);
		for (int i = 0; i < 900; i++)
			strbuf_addf(&many, "%s%c", i ? "," : "", name == names ? 'e' : name[-1]);
		snprintf(path, sizeof(path), "bus/event_source/devices/p/events/%c", *name);
		tree_write(root, path, many.buf);
	}
	strbuf_release(&many);
	assert_true(parse("p/e/", 1)[0]->scale == 1.0);
	parse("p/a/", 1);
	assert_int_equal(event_parse(&list, "p/d/", &env, &ee), -1);
}

static void uncore(void **state)
{
	static const struct expected one[] = {
		{ "cycles", 0, 0, 0, 0 },
		{ "uncore_imc_1/cas_count_read/", 31, 0xf04, 0, 0 },
		{ "uncore_cha_0/event=0x35,umask=0xc001fe01/", 60, 0xc001fe00000135, 0, 0 },
		{ "cpu/event=0x0e,umask=0x01,inv,cmask=0x01/", 4, 0x180010e, 0, 0 },
		{ "cpu/cycles/", 0, 0, 0, 0 },
		{ "cpu/cpu-cycles/", 4, 0x3c, 0, 0 },
	};
	struct event **v;

	(void)state;
	use("intel-uncore");
	check(one, ARRAY_SIZE(one));
	v = parse("uncore_imc/cas_count_read/", 4);
	assert_string_equal(v[3]->pmu_name, "uncore_imc_10");
	assert_string_equal(v[3]->name, "uncore_imc/cas_count_read/");
	assert_int_equal(v[0]->nr_cpus, 2);
	assert_int_equal(v[0]->cpus[1], 28);
	parse("imc/event=4/", 4);
	parse("cas_count_read", 4);
	parse("uncore_imc_[01]/event=4/", 2);
	v = parse("{mem-loads-aux,mem-loads}:P", 2);
	assert_true(v[1]->precise_max);
	assert_true(v[1]->attr.config1 == 3);
}

static void amd(void **state)
{
	static const struct expected one[] = {
		{ "cpu/event=0x1ff/", 4, 0x1000000ff, 0, 0 },
		{ "cpu/event=0xf76,umask=3/", 4, 0xf00000376, 0, 0 },
		{ "ibs_op/cnt_ctl=1,l3missonly=1/u", 12, 0x90000, 0, 0 },
		{ "amd_df/event=0x3f1f,umask=0xfff/", 13, 0x3f0f00ff1f, 0, 0 },
		{ "amd_l3/event=0x04,umask=0xff,enallcores=1,enallslices=1,threadmask=3/", 14,
		  0x300c0000000ff04, 0, 0 },
		{ "cache-misses", 0, 3, 0, 0 },
		{ "cpu/cache-misses/", 4, 0x964, 0, 0 },
	};

	(void)state;
	use("amd-zen");
	check(one, ARRAY_SIZE(one));
}

static void arm(void **state)
{
	static const struct expected one[] = {
		{ "cycles", 0, 0, 0, 0 },
		{ "cpu_cycles", 8, 0x11, 0, 0 },
		{ "armv8_pmuv3_0/event=0x11,long=1/", 8, 0x11, 1, 0 },
		{ "armv8_pmuv3/event=0x11/", 8, 0x11, 0, 0 },
		{ "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,min_latency=100/", 9,
		  0x200000003, 0, 100 },
		{ "arm_cmn_0/hnf_cache_miss,nodeid=5/", 10, 0x500010005, 0, 0 },
		{ "l1d_cache", 8, 4, 0, 0 },
		{ "events_param/hpm_tlbie,core=3,domain=1/", 44, 0xf80001, 3, 0 },
	};

	(void)state;
	use("arm-neoverse");
	check(one, ARRAY_SIZE(one));
}

static void big_little(void **state)
{
	struct event **v;

	(void)state;
	use("arm-biglittle");
	v = parse("cycles", 2);
	assert_string_equal(v[0]->name, "armv8_cortex_a53/cycles/");
	assert_true(v[1]->attr.config == 0x900000000);
	assert_int_equal(v[1]->nr_cpus, 2);
}

static void bad(const char *text, long column, const char *message)
{
	if (!event_parse(&list, text, &env, &ee))
		fail_msg("'%s' was taken", text);
	if (strcmp(ee.text, message) != 0 || ee.column != column)
		fail_msg("'%s': %ld %s", text, ee.column, ee.text);
}

static void sensors(void **state)
{
	struct event **v;

	(void)state;
	use("sensors");
	v = parse("hwmon_coretemp/temp_package_id_0/,in__3.3v__a_b_,hwmon_b*/FAN1/u", 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(v[i]->kind == EVENT_TOOL && v[i]->tool == EVENT_TOOL_SENSOR &&
			    v[i]->snapshot);
	assert_string_equal(v[0]->unit, "'C");
	assert_true(v[0]->scale == 1e-3 && v[2]->scale == 1);
	assert_string_equal(v[0]->name, "hwmon_coretemp/temp_package_id_0/");
	assert_non_null(strstr(v[1]->sensor, "/class/hwmon/hwmon2/in0_input"));
	assert_string_equal(v[2]->name, "hwmon_b*/FAN1/u");
	v = parse("temp1", 3);
	assert_string_equal(v[0]->name, "hwmon_coretemp/temp1/");
	assert_non_null(strstr(v[1]->sensor, "hwmon2/temp1_input"));
	assert_non_null(strstr(v[2]->sensor, "hwmon10/temp1_input"));
	assert_non_null(strstr((*parse("power1", 1))->sensor, "/power1_average"));
	assert_non_null(strstr((*parse("power2", 1))->sensor, "/power2_input"));
	bad("hwmon_coretemp/temp9/", 15, "unknown sensor");
	bad("hwmon_coretemp/temp1=1/", 15, "unknown sensor");
	bad("hwmon_coretemp//", 0, "unknown sensor");
	bad("pwm1", 0, "parser error");
	bad("temp4", 0, "parser error");
}

static void errors(void **state)
{
	(void)state;
	use("arm-neoverse");
	bad("armv8_pmuv3_0/nosuch/", 14, "unknown term 'nosuch' for pmu 'armv8_pmuv3_0'");
	assert_true(ee.repeated);
	assert_non_null(strstr(ee.help, "valid terms: event,long,rdpmc,config,config1,"));
	bad("armv8_pmuv3_0/event=0x1ffff/", 20, "value too big for format, maximum is 65535");
	bad("armv8_pmuv3_0/event=abc/", 20, "expected numeric value");
	bad("armv8_pmuv3_0/cpu_cycles=3/", 14, "unknown term 'cpu_cycles' for pmu 'armv8_pmuv3_0'");
	bad("events_param/hpm_tlbie/", 13, "Required parameter 'domain' not specified");
	bad("events_param/hpm_tlbie,domain=1/", 13, "Required parameter 'core' not specified");
	bad("armv8_pmuv3_0/cpu_cycles", 13, "parser error");
	bad("armv8_pmuv3_0/cpu_cycles/z", 24, "parser error");
	bad("armv8_pmuv3_0/cpu_cycles,@foo/", 25,
	    "driver configuration '@foo' is not supported by 'armv8_pmuv3_0'");
	bad("nosuch/x/", 0, "Cannot find PMU `nosuch'. Missing kernel support?");
}

/* Descriptions that no kernel should write. */
static void broken_trees(void **state)
{
	(void)state;
	use(NULL);
	tree_write(root, "bus/event_source/devices/a/type", "x");
	tree_write(root, "bus/event_source/devices/b/type", "7");
	tree_write(root, "bus/event_source/devices/b/format/f", "config:0-99");
	tree_write(root, "bus/event_source/devices/b/format/g", "config:0-3");
	tree_write(root, "bus/event_source/devices/b/events/loop", "loop");
	tree_write(root, "bus/event_source/devices/b/events/big", "g=16");
	tree_write(root, "bus/event_source/devices/b/events/junk", "g=1,,");
	tree_write(root, "bus/event_source/devices/b/events/none", "");
	tree_write(root, "bus/event_source/devices/b/cpumask", "oops");
	bad("a/config=1/", 0, "Cannot find PMU `a'. Missing kernel support?");
	bad("b/f=1/", 2, "unknown term 'f' for pmu 'b'");
	bad("b/loop/", 2, "event 'loop' of pmu 'b' refers to itself");
	bad("b/big/", 2, "value too big for format, maximum is 15");
	bad("b/junk/", 2, "cannot read event 'junk' of pmu 'b'");
	bad("loop", 0, "event 'loop' of pmu 'b' refers to itself");
	assert_int_equal((*parse("b/none/", 1))->attr.type, 7);
	assert_null(list.events.v[0]->cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(format_texts),
		cmocka_unit_test(name_patterns),
		cmocka_unit_test_teardown(hybrid, teardown),
		cmocka_unit_test_teardown(kind_of_core_offline, teardown),
		cmocka_unit_test_teardown(uncore, teardown),
		cmocka_unit_test_teardown(units_of_two, teardown),
		cmocka_unit_test_teardown(hostile_events, teardown),
		cmocka_unit_test_teardown(amd, teardown),
		cmocka_unit_test_teardown(arm, teardown),
		cmocka_unit_test_teardown(big_little, teardown),
		cmocka_unit_test_teardown(sensors, teardown),
		cmocka_unit_test_teardown(errors, teardown),
		cmocka_unit_test_teardown(broken_trees, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
