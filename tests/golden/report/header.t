# The description of a recording. The date of the file itself is left out.
=== every feature
sh: perf report --header-only -f -i $DATA/header/all-features.perf.data | sed '/captured on/d'
--- stdout
# ========
# header version : 1
# data offset    : 408
# data size      : 8
# feat offset    : 416
# hostname : box
# os release : 6.1
# perf version : 6.1.0
# arch : x86_64
# nrcpus online : 2
# nrcpus avail : 4
# cpudesc : cpu desc
# cpuid : id,1,2
# total memory : 12345 kB
# cmdline : perf record it\'s a b 
# event : name = cycles, , id = { 100 }, size = 128, { sample_period, sample_freq } = 1000, sample_type = IP|TID|IDENTIFIER, sample_id_all = 1
# event : name = page-faults, , id = { 101 }, type = 1, size = 128, config = 0x2, { sample_period, sample_freq } = 1000, sample_type = IP|TID|IDENTIFIER, sample_id_all = 1
# CPU_TOPOLOGY info available, use -I to display
# NUMA_TOPOLOGY info available, use -I to display
# contains samples with branch stack
# pmu mappings: cpu = 4, software = 1
# group: mygroup{cycles,page-faults}
# contains stat data
# CACHE info available, use -I to display
# time of first sample : 1.500000
# time of last sample : 2.750000
# sample duration :   1250.000 ms
# MEM_TOPOLOGY info available, use -I to display
# clockid frequency: 1000 MHz
# bpf_prog_info 10:
# bpf_prog_info 11:
# btf info of id 5
# compressed : Zstd, level = 1, ratio = 3
# cpu pmu capabilities: branches=32, max_precise=3
# clockid: monotonic (1)
# reference time: 2024-03-28 00:45:29.335160 = 1711586729.335160 (TOD) = 12799.249383892 (monotonic)
# HYBRID_TOPOLOGY info available, use -I to display
# cpu_core pmu capabilities: branches=32
# ibs_op pmu capabilities: not available
# missing features: TRACING_DATA AUXTRACE DIR_FORMAT 
# ========
#

=== every feature with its tables
sh: perf report --header-only -f -I -i $DATA/header/all-features.perf.data | sed '/captured on/d'
--- stdout
# ========
# header version : 1
# data offset    : 408
# data size      : 8
# feat offset    : 416
# hostname : box
# os release : 6.1
# perf version : 6.1.0
# arch : x86_64
# nrcpus online : 2
# nrcpus avail : 4
# cpudesc : cpu desc
# cpuid : id,1,2
# total memory : 12345 kB
# cmdline : perf record it\'s a b 
# event : name = cycles, , id = { 100 }, size = 128, { sample_period, sample_freq } = 1000, sample_type = IP|TID|IDENTIFIER, sample_id_all = 1
# event : name = page-faults, , id = { 101 }, type = 1, size = 128, config = 0x2, { sample_period, sample_freq } = 1000, sample_type = IP|TID|IDENTIFIER, sample_id_all = 1
# sibling sockets : 0-1
# sibling dies    : 0-3
# sibling threads : 0
# sibling threads : 1
# CPU 0: Core ID 0, Die ID 0, Socket ID 0
# CPU 1: Core ID 1, Die ID 0, Socket ID 0
# CPU 2: Core ID 2, Die ID 0, Socket ID 0
# CPU 3: Core ID 3, Die ID 0, Socket ID 0
# node0 meminfo  : total = 1000 kB, free = 500 kB
# node0 cpu list : 0-1
# node1 meminfo  : total = 2000 kB, free = 600 kB
# node1 cpu list : 2-3
# contains samples with branch stack
# pmu mappings: cpu = 4, software = 1
# group: mygroup{cycles,page-faults}
# contains stat data
# CPU cache info:
#  L1 Data                 32K [0-1]
#  L3 Unified            1024K [0-3]
# time of first sample : 1.500000
# time of last sample : 2.750000
# sample duration :   1250.000 ms
# memory nodes (nr 2, block size 0x8000000):
#    0 [4G]: 0-31,64-65
#    1 [256M]: 0,2
# clockid frequency: 1000 MHz
# bpf_prog_info 10:
# bpf_prog_info 11:
# btf info of id 5
# compressed : Zstd, level = 1, ratio = 3
# cpu pmu capabilities: branches=32, max_precise=3
# clockid: monotonic (1)
# reference time: 2024-03-28 00:45:29.335160 = 1711586729.335160 (TOD) = 12799.249383892 (monotonic)
# hybrid cpu system:
# cpu_core cpu list : 0-3
# cpu_atom cpu list : 4-11
# cpu_core pmu capabilities: branches=32
# ibs_op pmu capabilities: not available
# missing features: TRACING_DATA AUXTRACE DIR_FORMAT 
# ========
#

=== hybrid CPU, caches
sh: perf report --header-only -f -I -i $DATA/perfdata/quipper-perf.data.hybrid_topology | sed '/captured on/d'
--- stdout
# ========
# header version : 1
# data offset    : 728
# data size      : 16992
# feat offset    : 17720
# hostname : localhost
# os release : 5.15.140-21013-ge5249718105d
# perf version : 5.15.68
# arch : x86_64
# nrcpus online : 12
# nrcpus avail : 12
# cpudesc : 13th Gen Intel(R) Core(TM) i7-1365U
# cpuid : GenuineIntel,6,186,3
# total memory : 7911756 kB
# cmdline : /usr/bin/perf record -e cycles:ppp -- sleep 1 
# event : name = cpu_core/cycles:ppp/, , id = { 29, 30, 31, 32 }, size = 128, config = 0x400000000, { sample_period, sample_freq } = 4000, sample_type = IP|TID|TIME|ID|PERIOD, read_format = ID, disabled = 1, inherit = 1, freq = 1, enable_on_exec = 1, precise_ip = 3, sample_id_all = 1, exclude_guest = 1
# event : name = cpu_atom/cycles:ppp/, , id = { 33, 34, 35, 36, 37, 38, 39, 40 }, size = 128, config = 0x700000000, { sample_period, sample_freq } = 4000, sample_type = IP|TID|TIME|ID|PERIOD, read_format = ID, disabled = 1, inherit = 1, freq = 1, enable_on_exec = 1, precise_ip = 3, sample_id_all = 1, exclude_guest = 1
# event : name = dummy:HG, , id = { 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52 }, type = 1, size = 128, config = 0x9, { sample_period, sample_freq } = 4000, sample_type = IP|TID|TIME|ID|PERIOD, read_format = ID, inherit = 1, mmap = 1, comm = 1, freq = 1, task = 1, sample_id_all = 1, mmap2 = 1, comm_exec = 1, ksymbol = 1, bpf_event = 1
# sibling sockets : 0-11
# sibling dies    : 0-11
# sibling threads : 0-1
# sibling threads : 2-3
# sibling threads : 4
# sibling threads : 5
# sibling threads : 6
# sibling threads : 7
# sibling threads : 8
# sibling threads : 9
# sibling threads : 10
# sibling threads : 11
# CPU 0: Core ID 0, Die ID 0, Socket ID 0
# CPU 1: Core ID 0, Die ID 0, Socket ID 0
# CPU 2: Core ID 4, Die ID 0, Socket ID 0
# CPU 3: Core ID 4, Die ID 0, Socket ID 0
# CPU 4: Core ID 8, Die ID 0, Socket ID 0
# CPU 5: Core ID 9, Die ID 0, Socket ID 0
# CPU 6: Core ID 10, Die ID 0, Socket ID 0
# CPU 7: Core ID 11, Die ID 0, Socket ID 0
# CPU 8: Core ID 12, Die ID 0, Socket ID 0
# CPU 9: Core ID 13, Die ID 0, Socket ID 0
# CPU 10: Core ID 14, Die ID 0, Socket ID 0
# CPU 11: Core ID 15, Die ID 0, Socket ID 0
# pmu mappings: software = 1, uncore_imc_free_running_1 = 21, uncore_arb_0 = 15, cpu_core = 4, uncore_clock = 17, uncore_imc_1 = 19, uprobe = 6, intel_bts = 8, cpu_atom = 7, cstate_core = 22, uncore_cbox_2 = 13, breakpoint = 5, uncore_arb_1 = 16, uncore_cbox_0 = 11, tracepoint = 2, cstate_pkg = 23, uncore_imc_free_running_0 = 20, uncore_imc_0 = 18, i915 = 24, msr = 10, uncore_cbox_3 = 14, intel_pt = 9, uncore_cbox_1 = 12
# CPU cache info:
#  L1 Data                 48K [0-1]
#  L1 Instruction          32K [0-1]
#  L1 Data                 48K [2-3]
#  L1 Instruction          32K [2-3]
#  L1 Data                 32K [4]
#  L1 Instruction          64K [4]
#  L1 Data                 32K [5]
#  L1 Instruction          64K [5]
#  L1 Data                 32K [6]
#  L1 Instruction          64K [6]
#  L1 Data                 32K [7]
#  L1 Instruction          64K [7]
#  L1 Data                 32K [8]
#  L1 Instruction          64K [8]
#  L1 Data                 32K [9]
#  L1 Instruction          64K [9]
#  L1 Data                 32K [10]
#  L1 Instruction          64K [10]
#  L1 Data                 32K [11]
#  L1 Instruction          64K [11]
#  L2 Unified            1280K [0-1]
#  L2 Unified            1280K [2-3]
#  L2 Unified            2048K [4-7]
#  L2 Unified            2048K [8-11]
#  L3 Unified           12288K [0-11]
# time of first sample : 101.132490
# time of last sample : 101.132592
# sample duration :      0.103 ms
# hybrid cpu system:
# cpu_core cpu list : 0-3
# cpu_atom cpu list : 4-11
# cpu_core pmu capabilities: branches=32, max_precise=3, pmu_name=alderlake_hybrid
# cpu_atom pmu capabilities: branches=32, max_precise=3, pmu_name=alderlake_hybrid
# missing features: TRACING_DATA NUMA_TOPOLOGY BRANCH_STACK GROUP_DESC AUXTRACE STAT MEM_TOPOLOGY CLOCKID DIR_FORMAT BPF_PROG_INFO BPF_BTF COMPRESSED CPU_PMU_CAPS CLOCK_DATA 
# ========
#

=== the first format, few features
sh: perf report --header-only -f -i $DATA/perfdata/simpleperf-perf_g_fp.data | sed '/captured on/d'
--- stdout
# ========
# header version : 1
# data offset    : 552
# data size      : 18072
# feat offset    : 18624
# os release : 3.13.0-76-generic
# arch : x86_64
# cmdline : /ssd/android/aosp_master/out/host/linux-x86/bin/simpleperf record --call-graph dwarf -p 26083 -o perf_g_fp.data sleep 0.0001 
# missing features: TRACING_DATA HOSTNAME VERSION NRCPUS CPUDESC CPUID TOTAL_MEM EVENT_DESC CPU_TOPOLOGY NUMA_TOPOLOGY BRANCH_STACK PMU_MAPPINGS GROUP_DESC AUXTRACE STAT CACHE SAMPLE_TIME MEM_TOPOLOGY CLOCKID DIR_FORMAT BPF_PROG_INFO BPF_BTF COMPRESSED CPU_PMU_CAPS CLOCK_DATA HYBRID_TOPOLOGY PMU_CAPS 
# ========
#

=== a stream
sh: perf report --header-only -f -i $DATA/perfdata/linux-perf-data-sleep.compressed.pipe.data | sed '/captured on/d'
--- stdout
# ========
# header version : 1
# data offset    : 0
# data size      : 0
# feat offset    : 0
# ========
#
# hostname : ip-172-31-24-76
# os release : 6.5.0-1024-aws
# perf version : 6.5.13
# arch : aarch64
# nrcpus online : 16
# nrcpus avail : 16
# cpuid : 0x00000000410fd080
# total memory : 32791336 kB
# cmdline : /usr/bin/perf record -z -o - -k monotonic -- sleep 1 
# event : name = cycles:P, , id = { 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54 }, size = 136, { sample_period, sample_freq } = 4000, sample_type = IP|TID|TIME|ID|PERIOD, read_format = ID|LOST, disabled = 1, inherit = 1, mmap = 1, comm = 1, freq = 1, enable_on_exec = 1, task = 1, precise_ip = 3, sample_id_all = 1, mmap2 = 1, comm_exec = 1, use_clockid = 1, ksymbol = 1, bpf_event = 1, clockid = 1
# CPU_TOPOLOGY info available, use -I to display
# NUMA_TOPOLOGY info available, use -I to display
# pmu mappings: armv8_pmuv3_0 = 10, software = 1, uprobe = 9, breakpoint = 5, tracepoint = 2, kprobe = 8
# time of first sample : 0.000000
# time of last sample : 0.000000
# sample duration :      0.000 ms
# MEM_TOPOLOGY info available, use -I to display
# clockid frequency: 1000 MHz
# compressed : Zstd, level = 1, ratio = 0
# clockid: monotonic (1)
# reference time: 2026-01-04 16:46:58.014657 = 1767545218.014657 (TOD) = 405.068949598 (monotonic)
# armv8_pmuv3_0 pmu capabilities: slots=0x00000000, bus_slots=0x00000000, bus_width=0x00000000

=== a pipe on standard input is read without -i
sh: cat $DATA/perfdata/quipper-perf.data.piped.header_features-4.16 | perf report --header-only | sed '/captured on/d' | head -12
--- stdout
# ========
# header version : 1
# data offset    : 0
# data size      : 0
# feat offset    : 0
# ========
#
# hostname : instance-1
# os release : 4.4.0-116-generic
# perf version : 4.16.rc5.g3032f8
# arch : x86_64
# nrcpus online : 2

=== a file on standard input
sh: perf report --header-only -i - < $DATA/perfdata/autofdo-ro_sample.perf | sed '/captured on/d' | head -12
--- stdout
# ========
# header version : 1
# data offset    : 792
# data size      : 1384
# feat offset    : 2176
# hostname : shenhan6.svl.corp.google.com
# os release : 5.6.14-2rodete5-amd64
# perf version : 5.6.14
# arch : x86_64
# nrcpus online : 72
# nrcpus avail : 72
# cpudesc : Intel(R) Xeon(R) Gold 6154 CPU @ 3.00GHz

