# perf report --stdio on recordings whose objects are not on this machine: no symbol depends on it.
=== default
argv: perf report --stdio -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4 --symfs /nonexistent
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cycles'
# Event count (approx.): 2143535
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    72.18%  perf     [kernel.kallsyms]  [k] 0xffffffff81024874
    19.69%  perf     [kernel.kallsyms]  [k] 0xffffffff81001f5e
     6.80%  perf     [kernel.kallsyms]  [k] 0xffffffff8109954a
     1.04%  perf     [kernel.kallsyms]  [k] 0xffffffff8146f93a
     0.30%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1


# Samples: 14  of event 'instructions'
# Event count (approx.): 922214
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    65.19%  perf     [kernel.kallsyms]  [k] 0xffffffff8146ac0e
    15.91%  perf     [kernel.kallsyms]  [k] 0xffffffff810dc1fc
    15.77%  perf     [kernel.kallsyms]  [k] 0xffffffff811a9f82
     2.43%  perf     [kernel.kallsyms]  [k] 0xffffffff810dadbd
     0.70%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1


# Samples: 12  of event 'cache-references'
# Event count (approx.): 18192
#
# Overhead  Command  Shared Object       Symbol                
# ........  .......  ..................  ......................
#
    82.09%  perf     [kernel.kallsyms]   [k] 0xffffffff810a8073
    11.74%  perf     libc-2.15.so        [.] 0x0000000000036fc0
     3.92%  perf     [kernel.kallsyms]   [k] 0xffffffff81050c96
     1.58%  perf     libpthread-2.15.so  [.] 0x000000000000ece8
     0.40%  perf     [kernel.kallsyms]   [k] 0xffffffff8109d401
     0.18%  perf     [kernel.kallsyms]   [k] 0xffffffff8109d4f1
     0.07%  perf     [kernel.kallsyms]   [k] 0xffffffff81012af1
     0.03%  perf     [kernel.kallsyms]   [k] 0xffffffff8109954a


# Samples: 11  of event 'cache-misses'
# Event count (approx.): 7116
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    73.62%  perf     [kernel.kallsyms]  [k] 0xffffffff811a9f82
    18.70%  perf     [kernel.kallsyms]  [k] 0xffffffff810e38a4
     4.44%  perf     [kernel.kallsyms]  [k] 0xffffffff81001f5e
     1.83%  perf     [kernel.kallsyms]  [k] 0xffffffff810cf869
     1.18%  perf     [kernel.kallsyms]  [k] 0xffffffff810dadbd
     0.17%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1
     0.04%  perf     [kernel.kallsyms]  [k] 0xffffffff8102855b
     0.01%  perf     [kernel.kallsyms]  [k] 0xffffffff810d932b


# Samples: 13  of event 'branches'
# Event count (approx.): 201384
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    64.60%  echo     [kernel.kallsyms]  [k] 0xffffffff811df042
    23.17%  perf     [kernel.kallsyms]  [k] 0xffffffff8104f1b9
     9.82%  perf     [kernel.kallsyms]  [k] 0xffffffff810a1a98
     1.66%  perf     [kernel.kallsyms]  [k] 0xffffffff8146f93b
     0.76%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1


# Samples: 13  of event 'branch-misses'
# Event count (approx.): 15161
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    58.54%  echo     [kernel.kallsyms]  [k] 0xffffffff810bd2fb
    22.08%  perf     [kernel.kallsyms]  [k] 0xffffffff810bc5f2
    13.06%  perf     [kernel.kallsyms]  [k] 0xffffffff811e381c
     3.80%  perf     [kernel.kallsyms]  [k] 0xffffffff811de010
     1.83%  perf     [kernel.kallsyms]  [k] 0xffffffff810bcef1
     0.33%  perf     [kernel.kallsyms]  [k] 0xffffffff8146ec99
     0.22%  perf     [kernel.kallsyms]  [k] 0xffffffff810dadbd
     0.06%  perf     [kernel.kallsyms]  [k] 0xffffffff8146f93a
     0.05%  perf     [kernel.kallsyms]  [k] 0xffffffff8146f93b
     0.03%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== sorted by other keys, with numbers of samples
argv: perf report --stdio -n -s comm,dso -i $DATA/perfdata/quipper-perf.data.lost_samples-4.4 --symfs /nonexistent
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 2
#
# Samples: 191  of events 'anon group { cycles:pp, instructions:pp, branch-instructions:pp }'
# Event count (approx.): 3820573
#
#                 Overhead                               Samples  Command  Shared Object     
# ........................  ....................................  .......  ..................
#
    64.95%  57.50%  50.00%            63          46           7  echo     [kernel.kallsyms] 
    22.68%  36.25%  42.86%            22          29           6  echo     ld-2.23.so        
     6.19%   6.25%   7.14%             6           5           1  echo     libc-2.23.so      
     3.09%   0.00%   0.00%             3           0           0  echo     [unknown]         
     2.06%   0.00%   0.00%             2           0           0  echo     libpthread-2.23.so
     1.03%   0.00%   0.00%             1           0           0  echo     coreutils         


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== callers first, only the largest
argv: perf report --stdio --no-children -G --percent-limit 5 -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 --symfs /nonexistent
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 1K of event 'cycles'
# Event count (approx.): 291177942
#
# Overhead  Command         Shared Object            Symbol                
# ........  ..............  .......................  ......................
#
     6.66%  swapper         [kernel.kallsyms]        [k] 0xffffffff9661da49


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== folded
argv: perf report --stdio --no-children -g folded,5 -s comm -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 --symfs /nonexistent
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 1K of event 'cycles'
# Event count (approx.): 291177942
#
# Overhead  Command       
# ........  ..............
#
    55.44%  chrome        
    19.92%  Compositor    
    19.25%  swapper       
     1.33%  shill         
     0.97%  kworker/0:1   
     0.54%  x11vnc        
     0.38%  sleep         
     0.35%  kworker/3:0   
     0.34%  kworker/2:2   
     0.33%  powerd        
     0.30%  kworker/1:0   
     0.26%  metrics_daemon
     0.23%  perf          
     0.14%  D-Bus thread  
     0.11%  kworker/u:1   
     0.06%  sshd          
     0.04%  Watchdog      


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== counts of records
argv: perf report --stats -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
--- stdout

Aggregated stats:
           TOTAL events:       3798
            MMAP events:       1793  (47.2%)
            COMM events:        229  ( 6.0%)
            EXIT events:          6  ( 0.2%)
            FORK events:          2  ( 0.1%)
          SAMPLE events:       1768  (46.6%)
cycles stats:
          SAMPLE events:       1768

=== header only
sh: perf report --header-only -i $DATA/perfdata/quipper-perf.data.group_desc-4.14 | grep -v '^# captured on'
--- stdout
# ========
# header version : 1
# data offset    : 424
# data size      : 4648
# feat offset    : 5072
# hostname : localhost
# os release : 4.14.18
# perf version : 
# arch : x86_64
# nrcpus online : 4
# nrcpus avail : 4
# cpudesc : Intel(R) Core(TM) m7-6Y75 CPU @ 1.20GHz
# cpuid : GenuineIntel,6,78,3
# total memory : 16299868 kB
# cmdline : /usr/bin/perf record -e {cache-references,branch-misses} -o /tmp/perf.data.group_desc-4.14 -- echo Hello, World! 
# event : name = cache-references, , id = { 150, 151, 152, 153 }, size = 112, config = 0x2, { sample_period, sample_freq } = 4000, sample_type = IP|TID|TIME|ID|PERIOD, read_format = ID, disabled = 1, inherit = 1, mmap = 1, comm = 1, freq = 1, enable_on_exec = 1, task = 1, sample_id_all = 1, exclude_guest = 1, mmap2 = 1, comm_exec = 1
# event : name = branch-misses, , id = { 154, 155, 156, 157 }, size = 112, config = 0x5, { sample_period, sample_freq } = 4000, sample_type = IP|TID|TIME|ID|PERIOD, read_format = ID, inherit = 1, freq = 1, sample_id_all = 1, exclude_guest = 1
# CPU_TOPOLOGY info available, use -I to display
# pmu mappings: intel_pt = 6, uncore_arb = 12, cstate_pkg = 14, breakpoint = 5, uncore_cbox_1 = 11, power = 8, cpu = 4, software = 1, uncore_imc = 9, uncore_cbox_0 = 10, cstate_core = 13, tracepoint = 2, msr = 7
# group: {cache-references,branch-misses}
# CACHE info available, use -I to display
# missing features: TRACING_DATA NUMA_TOPOLOGY BRANCH_STACK AUXTRACE STAT SAMPLE_TIME MEM_TOPOLOGY CLOCKID DIR_FORMAT BPF_PROG_INFO BPF_BTF COMPRESSED CPU_PMU_CAPS CLOCK_DATA HYBRID_TOPOLOGY PMU_CAPS 
# ========
#

=== a separator
argv: perf report --stdio -t , -s comm,dso,pid -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4 --symfs /nonexistent
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cycles'
# Event count (approx.): 2143535
#
# Overhead,Command,Shared Object    ,    Pid:Command
 100.00%,perf   ,[kernel.kallsyms],   4337:echo   


# Samples: 14  of event 'instructions'
# Event count (approx.): 922214
#
# Overhead,Command,Shared Object    ,    Pid:Command
 100.00%,perf   ,[kernel.kallsyms],   4337:echo   


# Samples: 12  of event 'cache-references'
# Event count (approx.): 18192
#
# Overhead,Command,Shared Object     ,    Pid:Command
 86.68% ,perf   ,[kernel.kallsyms] ,   4337:echo   
 11.74% ,perf   ,libc-2.15.so      ,   4337:echo   
 1.58%  ,perf   ,libpthread-2.15.so,   4337:echo   


# Samples: 11  of event 'cache-misses'
# Event count (approx.): 7116
#
# Overhead,Command,Shared Object    ,    Pid:Command
 100.00%,perf   ,[kernel.kallsyms],   4337:echo   


# Samples: 13  of event 'branches'
# Event count (approx.): 201384
#
# Overhead,Command,Shared Object    ,    Pid:Command
 64.60% ,echo   ,[kernel.kallsyms],   4337:echo   
 35.40% ,perf   ,[kernel.kallsyms],   4337:echo   


# Samples: 13  of event 'branch-misses'
# Event count (approx.): 15161
#
# Overhead,Command,Shared Object    ,    Pid:Command
 58.54% ,echo   ,[kernel.kallsyms],   4337:echo   
 41.46% ,perf   ,[kernel.kallsyms],   4337:echo   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== unknown sort key
argv: perf report --stdio -s bogus -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
exit: 129
--- stderr
Error:
Unknown --sort key: `bogus'
 Usage: perf report [<options>]

    -s, --sort <key[,key2...]>
                          sort by key(s): see the manual page for the list

=== unknown call graph type
argv: perf report --stdio -g bogus
exit: 129
--- stderr
unknown call-graph option 'bogus'
hint: known are graph, fractal, flat, folded, none, caller, callee, function, address, srcline, branch, percent, period, count

 Usage: perf report [<options>]

    -g, --call-graph <print_type,threshold[,print_limit],order,sort_key[,branch],value>
                          Display call graph (stack chain/backtrace): graph|flat|fractal|folded|none, minimum percentage, limit of entries, caller|callee, function|address, branch, percent|period|count. Default: graph,0.5,caller,function,percent

=== callers for an event without callchains
sh: for how in --children --no-children; do perf report --stdio -g folded $how --show-ref-call-graph -s comm,sym -i $DATA/report/threads-bare.data --symfs /nowhere; done | sed -n '/task-clock/,/^$/p'
threads: 1 2
--- stdout
# Samples: 14  of event 'task-clock', show reference callgraph
# Event count (approx.): 7000
#
# Children  Latency      Self   Latency  Command  Symbol                
# ........  .......  ........  ........  .......  ......................
#
    42.86%   51.85%     0.00%     0.00%  main     [.] 0x0000000000401008
21.43% 0x401008;0x401108
14.29% 0x401008;0x401308
7.14% 0x401008;0x401108;0x401208
    35.71%   35.19%     0.00%     0.00%  right    [.] 0x0000000000401408
28.57% 0x401408;0x401608
7.14% 0x401408;0x401608;0x401508
    35.71%   35.19%     0.00%     0.00%  right    [.] 0x0000000000401608
28.57% 0x401608
7.14% 0x401608;0x401508
    28.57%   44.44%     0.00%     0.00%  main     [.] 0x0000000000401108
21.43% 0x401108
7.14% 0x401108;0x401208
    28.57%   24.07%    28.57%    24.07%  right    [.] 0x0000000000000608
28.57% 0x401408;0x401608
    21.43%   33.33%    21.43%    33.33%  main     [.] 0x0000000000000108
21.43% 0x401008;0x401108
    21.43%   12.96%    21.43%    12.96%  left     [.] 0x0000000000000508
21.43% 0x401408;0x401508
    21.43%   12.96%     0.00%     0.00%  left     [.] 0x0000000000401408
21.43% 0x401408;0x401508
    21.43%   12.96%     0.00%     0.00%  left     [.] 0x0000000000401508
21.43% 0x401508
    14.29%    7.41%    14.29%     7.41%  main     [.] 0x0000000000000308
14.29% 0x401008;0x401308
    14.29%    7.41%     0.00%     0.00%  main     [.] 0x0000000000401308
14.29% 0x401308
     7.14%   11.11%     7.14%    11.11%  main     [.] 0x0000000000000208
7.14% 0x401008;0x401108;0x401208
     7.14%   11.11%     7.14%    11.11%  right    [.] 0x0000000000000508
7.14% 0x401408;0x401608;0x401508
     7.14%   11.11%     0.00%     0.00%  main     [.] 0x0000000000401208
7.14% 0x401208
     7.14%   11.11%     0.00%     0.00%  right    [.] 0x0000000000401508
7.14% 0x401508

# Samples: 14  of event 'task-clock', show reference callgraph
# Event count (approx.): 7000
#
# Overhead   Latency  Command  Symbol                
# ........  ........  .......  ......................
#
    28.57%    24.07%  right    [.] 0x0000000000000608
28.57% 0x401608;0x401408
    21.43%    33.33%  main     [.] 0x0000000000000108
21.43% 0x401108;0x401008
    21.43%    12.96%  left     [.] 0x0000000000000508
21.43% 0x401508;0x401408
    14.29%     7.41%  main     [.] 0x0000000000000308
14.29% 0x401308;0x401008
     7.14%    11.11%  main     [.] 0x0000000000000208
7.14% 0x401208;0x401108;0x401008
     7.14%    11.11%  right    [.] 0x0000000000000508
7.14% 0x401508;0x401608;0x401408


=== the file is missing
argv: perf report --stdio
exit: 255
--- stderr
error: failed to open 'perf.data': No such file or directory
hint: try 'perf record' first

=== what was lost stands behind a report that goes to the same place
sh: perf report --stdio -i $DATA/perfdata/simpleperf-perf_g_fp.data --symfs $TMP 2>&1 | tail -n 1
--- stdout
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

