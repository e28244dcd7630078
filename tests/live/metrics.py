#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf stat -M and --topdown with made-up counts (tests/tools/fake_counters.c) of several CPU models, and
events of made-up units outside the cores (tests/data/sysfs/uncore-pair.tree)."""
import argparse
import json
import os
import pty
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
import leave_nothing

SKYLAKE = ("GenuineIntel-6-55-4", "0x3c=1000000 0x20003c=2000000 0xc0=2000000 0x10e=2500000 0x2c2=2200000 "
           "0x10d=1000 0x20010d=2000 0x19c=500000 0xc5=1000 0xc4=100000 0x300=900000 0x400019c=50000 "
           "0x10401c3=1000 0x40004a3=100000 0x140014a3=50000 0x40a6=0 0x2a6=0 0x4a6=0 0x4c2=0")
SAPPHIRE = ("GenuineIntel-6-8F-8", "0x400=6000000 0x8000=100 0x8100=50 0x8200=20 0x8300=30 0x8400=10 0x8500=40 "
            "0x8600=10 0x8700=20 0x10ad=0 0x3c=1000000 0xc0=3000000")
ZEN4 = ("AuthenticAMD-25-11-1", "0x76=1000000 0xc1=1500000 0x7aa=1800000 0x1000001a0=1200000 0x100001ea0=3000000 "
        "0x1000060a0=0 0xc0=1400000 0xc3=100 0x96=300 0x1060001a0=100000 0xa2d6=50 0x2d6=100 0x1000000c1=0 "
        "0xc2=1000")
ZEN5 = ("AuthenticAMD-26-2-1", "0x76=1000000 0xc1=2000000 0x7aa=2400000 0x1000001a0=1600000 0x100001ea0=4000000 "
        "0x1000060a0=0 0xc0=1400000 0xc3=100 0x96=300 0x1080001a0=100000 0xa2d6=50 0x2d6=100 0x1000000c1=500000 "
        "0xc2=1000")
NEOVERSE_N2 = ("0x00000000410fd490", "0x11=1000000 0x3e=1000000 0x3d=1500000 0x3f=2500000 0x3a=800 0x3b=1000 0x10=0 "
               "0x8=2000000 0x22=4000")
ZEN2 = ("AuthenticAMD-23-31-0", "0xc0=300 0x76=100 0xc2=1000 0xc3=25 0xc1=360")

# Model, words of the command line, values by metric.
CASES = [
    (SKYLAKE, "-M IPC,CPI", {"IPC": 2, "CPI": 0.5}),
    (SKYLAKE, "-M Branches", {"IpBranch": 20, "IpMispredict": 2000}),
    (SKYLAKE, "-M tma_retiring --metric-no-group", {"tma_retiring": 55}),
    (SKYLAKE, "-M topdownl1 --metric-no-merge",
     {"tma_retiring": 55, "tma_frontend_bound": 12.5, "tma_bad_speculation": 7.6,
      "tma_backend_bound": 24.9}),
    (SKYLAKE, "-M tma_memory_bound,tma_fetch_latency,tma_fetch_bandwidth,tma_branch_mispredicts",
     {"tma_memory_bound": 12.45, "tma_fetch_latency": 5, "tma_fetch_bandwidth": 7.5,
      "tma_branch_mispredicts": 3.8}),
    (SAPPHIRE, "-M TopdownL1", {"tma_retiring": 50, "tma_bad_speculation": 25,
                                "tma_frontend_bound": 10, "tma_backend_bound": 15}),
    (SAPPHIRE, "-M TopdownL2", {"tma_heavy_operations": 5, "tma_light_operations": 45,
                                "tma_branch_mispredicts": 20, "tma_machine_clears": 5,
                                "tma_fetch_latency": 5, "tma_fetch_bandwidth": 5,
                                "tma_memory_bound": 10, "tma_core_bound": 5}),
    (ZEN4, "-M PipelineL1", {"frontend_bound": 20, "backend_bound": 50, "bad_speculation": 5,
                             "retiring": 25, "smt_contention": 0}),
    (ZEN4, "-M TopdownL2", {"frontend_bound_latency": 10, "frontend_bound_bandwidth": 10,
                            "backend_bound_memory": 25, "backend_bound_cpu": 25,
                            "bad_speculation_mispredicts": 1.25,
                            "bad_speculation_pipeline_restarts": 3.75,
                            "retiring_fastpath": 25, "retiring_microcode": 0}),
    (ZEN5, "-M PipelineL2", {"frontend_bound_by_latency": 10, "frontend_bound_by_bandwidth": 10,
                             "backend_bound_by_memory": 25, "backend_bound_by_cpu": 25,
                             "bad_speculation_from_mispredicts": 1.25,
                             "bad_speculation_from_pipeline_restarts": 3.75,
                             "retiring_from_fastpath": 18.75, "retiring_from_microcode": 6.25}),
    (ZEN5, "-M retiring_group", {"retiring_from_fastpath": 18.75, "retiring_from_microcode": 6.25}),
    (ZEN5, "-M branch_misprediction_rate,decoder,macro_ops_retired",
     {"branch_misprediction_rate": 10, "macro_ops_per_instruction": 2000000 / 1400000,
      "macro_ops_dispatched": 2400000, "macro_ops_retired": 2000000}),
    (ZEN2, "-M branch_misprediction_ratio,Summary",
     {"branch_misprediction_ratio": 2.5, "IPC": 3, "CPI": 1 / 3}),
    (NEOVERSE_N2, "-M TopdownL1", {"frontend_bound": 20, "backend_bound": 30, "retiring": 40,
                                   "bad_speculation": 10}),
    (NEOVERSE_N2, "-M branch_mpki", {"branch_mpki": 2}),
]

# One counter: the groups of the metrics are dissolved. No counter: that is all there is to say. Model, words, limits, what the output has in it, exit status.
NO_ZEN2 = ("AuthenticAMD-23-31-0", " ".join("0x%x=none" % c for c in (0xc0, 0x76, 0xc2, 0xc3, 0xc1)))
NO_ZEN4 = (ZEN4[0], " ".join(c.split("=")[0] + "=none" for c in ZEN4[1].split()))
SCARCE = [
    (SKYLAKE, "-M IPC,CPI", "FAKE_GROUP_MAX=1", "#     2.00 IPC", 0),
    (SKYLAKE, "-v -M IPC,CPI", "FAKE_GROUP_MAX=1", "Weak group for INST_RETIRED.ANY/2 failed\n", 0),
    (SKYLAKE, "-M topdownl1 --metric-no-merge", "FAKE_GROUP_MAX=2", "#     55.0 %  tma_retiring", 0),
    (SKYLAKE, "-vv -M topdownl1", "FAKE_GROUP_MAX=2", "\nreopening weak UOPS_ISSUED.ANY\n", 0),
    (NO_ZEN2, "-M Summary", "", "No supported events found.\nThe ex_ret_instr event is not supported.\n", 1),
    (NO_ZEN2, "-M Summary -e cs sh -c 'exit 3' --", "", "   <not supported>      ls_not_halted_cyc ", 3),
    (NO_ZEN2, "-a -x, -M Summary", "", "No supported events found.\n", 1),
    (NO_ZEN4, "--topdown", "", "Error:\nTopdown needs hardware counters: none of its events is supported.\n", 22),
]

# Model, words, what the output has in it, exit status.
TEXTS = [
    (SKYLAKE, "-M IPC,CPI",
     "           2000000      INST_RETIRED.ANY                 #     2.00 IPC                    \n"
     "                                                  #     0.50 CPI                    \n", 0),
    (SKYLAKE, "-M tma_retiring", "#     55.0 %  tma_retiring        \n", 0),
    (SKYLAKE, "-j -M tma_retiring", '"metric-unit" : "%  tma_retiring", "metric-threshold" : "good"}', 0),
    (SKYLAKE, "-j -M tma_backend_bound", '"metric-threshold" : "bad"}', 0),
    (SKYLAKE, "-j -M IPC", '"metric-unit" : "IPC"}', 0),
    (SKYLAKE, "-x, -M IPC", "2000000,,INST_RETIRED.ANY,10000000,100.00,2.00,IPC\n", 0),
    (SKYLAKE, "--metric-only -M tma_retiring,IPC",
     "     %  tma_retiring                  IPC \n                55.0                 2.00 \n", 0),
    (SKYLAKE, "--topdown", "%  tma_retiring", 0),
    (SKYLAKE, "--topdown --td-level 0", "%  tma_core_bound", 0),
    (SKYLAKE, "--topdown --td-level 2", "%  tma_core_bound", 0),
    (SKYLAKE, "-I 1000 -M IPC", "INST_RETIRED.ANY                 #     2.00 IPC", 0),
    (SKYLAKE, "-e task-clock -M IPC", "#     2.00 IPC", 0),
    (SKYLAKE, "-M IPC -e cs", "#     2.00 IPC", 0),
    (SKYLAKE, "-a -A -M CPI", "CPU0                  1000000      CPU_CLK_UNHALTED.THREAD          "
     "#     0.50 CPI", 0),
    (SKYLAKE, "--topdown --td-level 3", "there are top-down levels 1 and 2 (0: both)\n", 234),
    (SKYLAKE, "-M nosuch", "Cannot find metric or group `nosuch'\n", 255),
    (SKYLAKE, "-M ''", "Cannot find metric or group `'\n", 255),
    (SKYLAKE, "-M IPC,,CPI", "Cannot find metric or group `'\n", 255),
    (ZEN2, "--topdown", "Topdown requested but the topdown metric groups aren't present.\n", 22),
    (ZEN2, "-M cs_per_second", " cs/sec  cs_per_second", 0),
    (ZEN2, "-M Default", " CPUs  CPUs_utilized", 0),
    (("GenuineIntel-6-0-0", ""), "-M IPC", "no metrics for this model of CPU (GenuineIntel-6-0-0)\n", 255),
]

# Words of stat record, of stat report, what the report has in it.
RECORDED = [
    ("-M IPC,CPI", "", "      INST_RETIRED.ANY                 #     2.00 IPC "),
    ("-M IPC,CPI", "-j", '"metric-unit" : "CPI"}'),
    ("-M IPC", "", "Performance counter stats for '"),
    ("--topdown", "", "UOPS_ISSUED.ANY                  #      7.6 %  tma_bad_speculation"),
    ("--topdown --td-level=0", "", "#     12.4 %  tma_core_bound"),
    ("-aM tma_retiring -e cs --metric-no-merge", "-A", "CPU0                  2200000      UOPS_RETIRED.RETIRE_SLOTS        "
     "#     55.0 %  tma_retiring"),
    ("--metric-no-m --metrics=tma_retiring,IPC", "-x,", ",55.0,%  tma_retiring\n"),
    ("-ddM IPC -e duration_time", "", "#     2.00 IPC "),
    ("-e cs -- true -M nosuch", "", " cs "),
    ("-M IPC", "NO_METRICS", "warning: metric 'IPC' was recorded, but there is none of that name for its CPU "
     "(GenuineIntel-6-0-0)\n"),
]


def check_recorded(args):
    """How many of RECORDED are wrong: metrics are shown again by perf stat report."""
    bad = 0
    for words, report, wanted in RECORDED:
        with tempfile.TemporaryDirectory() as folder:
            data = folder + "/perf.data"
            text, rc = run(args, SKYLAKE, words, "record -o " + data)
            model = "GenuineIntel-6-0-0" if report == "NO_METRICS" else SKYLAKE[0]
            p = subprocess.run([args.perf, "stat", "report", "-i", data, *report.replace("NO_METRICS", "").split()],
                               env=dict(os.environ, LC_ALL="C", PERF_CPUID=model), text=True, capture_output=True,
                               timeout=300, check=False)
        unasked = "warning" in p.stderr and report != "NO_METRICS"
        if rc or p.returncode or wanted not in p.stderr or unasked:
            bad += 1
            print("record %s, report %s: expected %r\n%s%s" % (words, report, wanted, text, p.stderr))
    return bad


# Missed branches and stalled cycles of 100 each, more of the environment, what a terminal shows.
MISSES = "0:4=100 0:0=100 0:5=%d 0:7=%d 0:8=%d"
COLOURED = [
    (MISSES % (5, 10, 20), "", "#    5.00% of all branches"),
    (MISSES % (5, 10, 20), "", "#   10.00% frontend"),
    (MISSES % (5, 10, 20), "", "#   20.00% backend"),
    (MISSES % (6, 11, 21), "", "# \033[33m   6.00%\033[m of all branches        \r\n"),
    (MISSES % (6, 11, 21), "", "# \033[33m  11.00%\033[m frontend"),
    (MISSES % (11, 31, 51), "", "# \033[35m  11.00%\033[m of all branches"),
    (MISSES % (11, 31, 51), "", "# \033[35m  51.00%\033[m backend"),
    (MISSES % (21, 51, 76), "", "# \033[31m  21.00%\033[m of all branches"),
    (MISSES % (21, 51, 76), "", "# \033[31m  76.00%\033[m backend"),
    (MISSES % (21, 51, 76), "NO_COLOR=1", "#   21.00% of all branches"),
    (MISSES % (21, 51, 76), "TERM=dumb", "#   21.00% of all branches"),
    (" ".join("4:" + w for w in SKYLAKE[1].split()), "", "# \033[31m    24.9\033[m %  tma_backend_bound"),
    (" ".join("4:" + w for w in SKYLAKE[1].split()), "", "#     55.0 %  tma_retiring"),
]


def on_terminal(command, env):
    master, slave = pty.openpty()
    with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave):
        os.close(slave)
        text = b""
        try:
            while part := os.read(master, 65536):
                text += part
        except OSError:  # its other end is closed
            pass
    os.close(master)
    return text.decode()


def check_colours(args):
    """How many of COLOURED are wrong, or coloured in a file."""
    bad = 0
    for counters, extra, wanted in COLOURED:
        env = dict(os.environ, LC_ALL="C", PERF_CPUID=SKYLAKE[0], FAKE_COUNTERS=counters, LD_PRELOAD=args.fake,
                   TERM="xterm")
        env.pop("NO_COLOR", None)
        env.update(w.split("=") for w in extra.split())
        events = "cycles,branches,branch-misses,stalled-cycles-frontend,stalled-cycles-backend"
        words = ["-e", events] if counters.startswith("0:") else ["-M", "tma_backend_bound,tma_retiring"]
        text = on_terminal([args.perf, "stat", *words, "true"], env)
        p = subprocess.run([args.perf, "stat", *words, "true"], env=env, text=True, capture_output=True,
                           timeout=300, check=False)
        if wanted not in text or "\033" in p.stderr:
            bad += 1
            print("%s %s: expected %r\n%r\n%r" % (counters, extra, wanted, text, p.stderr))
    return bad


# Words, what the output has in it. The units count for CPU 0.
UNCORE = [
    ("-x, -e uncore_imc/data/", "4000.50,MiB,uncore_imc/data/,"),
    ("-x, -e uncore_imc/data/,cs", "4000.50,MiB,uncore_imc/data/,"),
    ("-x, -e imc/data/,duration_time", "4000.50,MiB,imc/data/,"),
    ("-x, --no-merge -e uncore_imc/data/", "1500.00,MiB,uncore_imc_0/data/,"),
    ("-x, --no-merge -e uncore_imc/data/", "2500.50,MiB,uncore_imc_1/data/,"),
    ("-x, -C 0 -e uncore_imc/data/", "4000.50,MiB,uncore_imc/data/,"),
    ("-e uncore_imc/data/", "Performance counter stats for 'system wide':"),
    ("-e uncore_imc/data/,cs", "Performance counter stats for 'true':"),
]

UNCORE_COUNTERS = ("40:2=3000 41:2=5001 51:0x70f000000483=32000000 51:0x70f000000183=96000000 "
                   "51:0x70f0000004c0=72000000/25 51:0x70f0000001c0=32000000")

# --cputype drops whole groups, whatever leads them.
HYBRID = [
    ("-x, --cputype core -e {cpu_atom/cycles/,duration_time},cs", ",,cs,"),
    ("-x, --cputype core -e {page-faults,cpu_atom/cycles/},{duration_time,cpu_core/cycles/}",
     ",cpu_core/cycles/,"),
]

# Root ports; those of a unit that counts nothing here are empty, and no port is no reason for broken JSON.
IOSTAT = [
    ("-j --iostat=0000:17", '{"port" : "0000:17", "Inbound Read(MB)" : "122", "Inbound Write(MB)" : "366", '
     '"Outbound Read(MB)" : "275", "Outbound Write(MB)" : "122"}\n'),
    ("--iostat -p 1", "error: --iostat counts the whole machine", 255),
    ("--iostat=0000:170", "Unrecognized root port format: 0000:170\n", 129),
    ("--iostat=:17", "Unrecognized root port format: :17\n", 129),
    ("--iostat=0000:17,0:17 -x,", "Outbound Write(MB),\n0000:17,122,366,275,122,\n"),
    ("-j --metric-only -I 10 --interval-count 1 -a -e cs", '}\n'),
]

# The same with made-up sensors (sensors.tree), of perf.
SENSORS = [
    ("stat -e hwmon_coretemp/temp1/ true", "             45.00 'C   hwmon_coretemp/temp1/       "),
    ("stat -e temp_core_0 true", "             -5.50 'C   temp_core_0       "),
    ("stat -e {hwmon_board/fan1/,cs} true", "              1200 rpm  hwmon_board/fan1/       "),
    ("stat -x, -e in0,curr1,power1,power2 true",
     "0.86,V,in0,1,100.00,,\n1.50,A,curr1,1,100.00,,\n15.00,W,power1,1,100.00,,\n25.50,W,power2,1,100.00,,\n"),
    ("stat -x, -e energy1,humidity1,freq1 true",
     "123.46,J,energy1,1,100.00,,\n45.50,%,humidity1,1,100.00,,\n2500,Hz,freq1,1,100.00,,\n"),
    ("stat -x, -e temp1 true",
     "45.00,'C,hwmon_coretemp/temp1/,1,100.00,,\n37.00,'C,hwmon_board/temp1/,1,100.00,,\n"
     "39.00,'C,hwmon_board/temp1/,1,100.00,,\n"),
    ("stat -j -e temp2 true", '{"counter-value" : "-5.500000", "unit" : "\'C", "event" : "temp2", "event-runtime" : 1'),
    ("stat -x, -e temp3,task-clock true", "<not counted>,'C,temp3,0,100.00,,\n"),
    ("stat -x, -a -A -e temp2 true", "CPU0,-5.50,'C,temp2,1,100.00,,\n"),
    ("stat -x, -r 2 -e temp2 true", "-5.50,'C,temp2,0.00%,1,100.00,,\n"),
    ("stat -x, -I 20 -e temp2 sleep 0.03", ",-5.50,'C,temp2,1,100.00,,\n"),
    ("stat record -o /dev/null -e temp2 true", "-5.50 'C   temp2 "),
    ("record -o /dev/null -e temp2 true", "error: event 'temp2' cannot be sampled\n"),
    ("stat -e hwmon_coretemp/temp9/ true", "unknown sensor\n"),
    ("stat -e temp9 true", "parser error\n"),
    ("list hwmon", "  temp_package_id_0 OR temp1                        \n       [Temperature in unit coretemp named "
     "Package id 0. crit=100'C, max=80'C.\n        Unit: hwmon_coretemp]\n"),
    ("list temp2", "  temp_core_0 OR temp2 "),
    ("list --raw-dump hwmon", "curr1 energy1 fan1 freq1 humidity1 in0 power1 power2 temp1 temp1 temp3 temp2 temp1 "),
    ("list -j fan1", '"Unit": "hwmon_board",\n\t"Topic": "hwmon",\n\t"EventName": "fan1",\n'
     '\t"EventType": "Hwmon event",\n\t"ScaleUnit": "1rpm",\n'
     '\t"BriefDescription": "Fan in unit board named fan1. min=600rpm",\n\t"Encoding": "hwmon_board/fan1/"\n'),
]


def check_sensors(args):
    """How many of SENSORS are wrong; stat report shows them from a file, too."""
    here = os.path.dirname(os.path.abspath(__file__))
    if os.geteuid() or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        return 0
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        data = folder + "/perf.data"
        lines = [(words.split(), wanted) for words, wanted in SENSORS]
        lines.append((["stat", "record", "-o", data, "-I", "20", "-e", "temp2", "sleep", "0.03"], "-5.50 'C   temp2"))
        lines.append((["stat", "report", "-x,", "-i", data], ",-5.50,'C,temp2,1,100.00,,\n"))
        for words, wanted in lines:
            p = subprocess.run(["bash", os.path.join(here, "../diff/with_pmus.sh"),
                                os.path.join(here, "../data/sysfs/sensors.tree"), "env", "LC_ALL=C", args.perf, *words],
                               stdin=subprocess.DEVNULL, text=True, capture_output=True, timeout=300, check=False)
            if wanted not in p.stdout + p.stderr:
                bad += 1
                print("%s: exit %d, expected %r\n%s%s" % (words, p.returncode, wanted, p.stdout, p.stderr))
    return bad


def check_machine(args, tree, lines):
    """How many of the lines are wrong; none where no machine can be made up."""
    here = os.path.dirname(os.path.abspath(__file__))
    if os.geteuid() or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        return 0
    bad = 0
    for words, wanted, *status in lines:
        p = subprocess.run(["bash", os.path.join(here, "../diff/with_pmus.sh"),
                            os.path.join(here, "../data/sysfs", tree), "env", "LC_ALL=C",
                            "FAKE_COUNTERS=" + UNCORE_COUNTERS, "LD_PRELOAD=" + args.fake, args.perf,
                            "stat", *words.split(), "true"], stdin=subprocess.DEVNULL, text=True,
                           capture_output=True, timeout=300, check=False)
        objects = [json.loads(line) for line in p.stderr.splitlines() if line.startswith("{")]
        if wanted not in p.stderr or p.returncode != sum(status) or bool(objects) != ("-j" in words):
            bad += 1
            print("%s: exit %d, expected %r\n%s" % (words, p.returncode, wanted, p.stderr))
    return bad


def run(args, model, words, extra, limits=""):
    # events are raw (type 4) with or without a PMU named "cpu", whose type that is
    counters = " ".join("4:" + w for w in model[1].split())
    env = dict(os.environ, LC_ALL="C", PERF_CPUID=model[0], FAKE_COUNTERS=counters, LD_PRELOAD=args.fake)
    env.update(w.split("=") for w in limits.split())
    line = "exec '%s' stat %s %s true" % (args.perf, extra, words)
    p = subprocess.run(["bash", "-c", line], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, timeout=300)
    return p.stderr, p.returncode


def values_of(text):
    found = {}
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        row = json.loads(line)
        if row.get("metric-unit", "(null)") not in ("(null)", ""):
            found[row["metric-unit"].replace("%  ", "")] = row["metric-value"]
    return found


def has_core_pmu_of_other_type():
    try:
        with open("/sys/bus/event_source/devices/cpu/type", encoding="ascii") as f:
            return f.read().strip() != "4"
    except OSError:
        devices = "/sys/bus/event_source/devices"
        return any(os.path.exists("%s/%s/cpus" % (devices, d)) for d in os.listdir(devices))


def main():
    leave_nothing.mark()
    ap = argparse.ArgumentParser()
    ap.add_argument("--perf", required=True)
    ap.add_argument("--fake", required=True)
    args = ap.parse_args()
    args.perf = os.path.abspath(args.perf)
    args.fake = os.path.abspath(args.fake)
    if has_core_pmu_of_other_type():
        print("this machine's core PMU is not of type 4, which the made-up counts are for")
        return 77
    bad = 0
    # With threads on, the made-up counts of both are what one counts: 2 * x / 2.
    for model, words, wanted in CASES:
        text, rc = run(args, model, words, "-j")
        found = values_of(text)
        for name, value in wanted.items():
            if abs(found.get(name, 1e300) - value) > 0.06:
                bad += 1
                print("%s %s: %s is %s, not %g\n%s" % (model[0], words, name, found.get(name), value, text))
        if rc:
            bad += 1
            print("%s %s: exit %d" % (model[0], words, rc))
    texts = [(model, words, "", wanted, status) for model, words, wanted, status in TEXTS]
    for model, words, limits, wanted, status in texts + SCARCE:
        text, rc = run(args, model, words, "", limits)
        if wanted not in text or rc != status:
            bad += 1
            print("%s %s: exit %d, expected %d with %r\n%s" % (model[0], words, rc, status, wanted, text))
    bad += check_recorded(args)
    bad += check_colours(args)
    bad += check_machine(args, "uncore-pair.tree", UNCORE) + check_machine(args, "intel-hybrid.tree", HYBRID)
    bad += check_machine(args, "intel-iio.tree", IOSTAT)
    bad += check_sensors(args)
    tables = (CASES, texts, SCARCE, RECORDED, COLOURED, UNCORE, HYBRID, IOSTAT, SENSORS)
    print("%d command lines, %d wrong" % (sum(len(t) for t in tables), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
