# perf sched latency: delays after wake-ups and preemption.
=== a row for each name
argv: perf sched latency -f -i $DATA/sched/switches.data
threads: 1 2 3
--- stdout

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  kworker/2:0-mm_:26    |      0.382 ms |        1 | avg:  85.490 ms | max:  85.490 ms | max start:    21.768315 s | max end:    21.853805 s
  kcompactd0:37         |      0.376 ms |        2 | avg:  51.798 ms | max: 103.132 ms | max start:    21.404463 s | max end:    21.507595 s
  ls:149                |    200.842 ms |        3 | avg:  42.940 ms | max:  96.682 ms | max start:    21.728078 s | max end:    21.824760 s
  sleep:148             |    215.849 ms |        1 | avg:  16.380 ms | max:  16.380 ms | max start:    21.325148 s | max end:    21.341528 s
  sh:(2)                |    730.284 ms |        9 | avg:   7.973 ms | max:  26.679 ms | max start:    22.081375 s | max end:    22.108054 s
  perf:146              |    393.349 ms |        4 | avg:   5.792 ms | max:  21.562 ms | max start:    21.089791 s | max end:    21.111353 s
  rcu_preempt:15        |    421.290 ms |       44 | avg:   4.666 ms | max: 103.099 ms | max start:    21.404581 s | max end:    21.507679 s
  ksoftirqd/1:20        |    123.939 ms |        3 | avg:   2.189 ms | max:   5.959 ms | max start:    22.233621 s | max end:    22.239581 s
  wc:151                |    118.767 ms |        4 | avg:   2.151 ms | max:   5.937 ms | max start:    21.655026 s | max end:    21.660963 s
  sort:150              |     58.063 ms |        3 | avg:   1.215 ms | max:   2.255 ms | max start:    21.624798 s | max end:    21.627054 s
  kworker/u6:1-ev:30    |      0.119 ms |        1 | avg:   0.522 ms | max:   0.522 ms | max start:    21.507337 s | max end:    21.507859 s
  cat:143               |     62.025 ms |        1 | avg:   0.510 ms | max:   0.510 ms | max start:    21.929759 s | max end:    21.930269 s
  kworker/1:1-eve:44    |      1.033 ms |        3 | avg:   0.294 ms | max:   0.489 ms | max start:    21.851465 s | max end:    21.851954 s
  kworker/0:0-eve:7     |      0.766 ms |        2 | avg:   0.215 ms | max:   0.430 ms | max start:    21.767665 s | max end:    21.768095 s
  ksoftirqd/0:14        |      0.263 ms |        1 | avg:   0.130 ms | max:   0.130 ms | max start:    22.005042 s | max end:    22.005172 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |   2327.348 ms |       82 |
 ---------------------------------------------------


=== a row for each task
argv: perf sched -f -i $DATA/sched/switches.data latency -p
threads: 1 2 3
--- stdout

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  kworker/2:0-mm_:26    |      0.382 ms |        1 | avg:  85.490 ms | max:  85.490 ms | max start:    21.768315 s | max end:    21.853805 s
  kcompactd0:37         |      0.376 ms |        2 | avg:  51.798 ms | max: 103.132 ms | max start:    21.404463 s | max end:    21.507595 s
  ls:149                |    200.842 ms |        3 | avg:  42.940 ms | max:  96.682 ms | max start:    21.728078 s | max end:    21.824760 s
  sh:152                |    160.203 ms |        1 | avg:  17.781 ms | max:  17.781 ms | max start:    21.954187 s | max end:    21.971968 s
  sleep:148             |    215.849 ms |        1 | avg:  16.380 ms | max:  16.380 ms | max start:    21.325148 s | max end:    21.341528 s
  sh:147                |    570.082 ms |        8 | avg:   6.747 ms | max:  26.679 ms | max start:    22.081375 s | max end:    22.108054 s
  perf:146              |    393.349 ms |        4 | avg:   5.792 ms | max:  21.562 ms | max start:    21.089791 s | max end:    21.111353 s
  rcu_preempt:15        |    421.290 ms |       44 | avg:   4.666 ms | max: 103.099 ms | max start:    21.404581 s | max end:    21.507679 s
  ksoftirqd/1:20        |    123.939 ms |        3 | avg:   2.189 ms | max:   5.959 ms | max start:    22.233621 s | max end:    22.239581 s
  wc:151                |    118.767 ms |        4 | avg:   2.151 ms | max:   5.937 ms | max start:    21.655026 s | max end:    21.660963 s
  sort:150              |     58.063 ms |        3 | avg:   1.215 ms | max:   2.255 ms | max start:    21.624798 s | max end:    21.627054 s
  kworker/u6:1-ev:30    |      0.119 ms |        1 | avg:   0.522 ms | max:   0.522 ms | max start:    21.507337 s | max end:    21.507859 s
  cat:143               |     62.025 ms |        1 | avg:   0.510 ms | max:   0.510 ms | max start:    21.929759 s | max end:    21.930269 s
  kworker/1:1-eve:44    |      1.033 ms |        3 | avg:   0.294 ms | max:   0.489 ms | max start:    21.851465 s | max end:    21.851954 s
  kworker/0:0-eve:7     |      0.766 ms |        2 | avg:   0.215 ms | max:   0.430 ms | max start:    21.767665 s | max end:    21.768095 s
  ksoftirqd/0:14        |      0.263 ms |        1 | avg:   0.130 ms | max:   0.130 ms | max start:    22.005042 s | max end:    22.005172 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |   2327.348 ms |       82 |
 ---------------------------------------------------


=== by other keys
argv: perf sched lat -f -i $DATA/sched/switches.data -s max,runtime
--- stdout

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  kcompactd0:37         |      0.376 ms |        2 | avg:  51.798 ms | max: 103.132 ms | max start:    21.404463 s | max end:    21.507595 s
  rcu_preempt:15        |    421.290 ms |       44 | avg:   4.666 ms | max: 103.099 ms | max start:    21.404581 s | max end:    21.507679 s
  ls:149                |    200.842 ms |        3 | avg:  42.940 ms | max:  96.682 ms | max start:    21.728078 s | max end:    21.824760 s
  kworker/2:0-mm_:26    |      0.382 ms |        1 | avg:  85.490 ms | max:  85.490 ms | max start:    21.768315 s | max end:    21.853805 s
  sh:(2)                |    730.284 ms |        9 | avg:   7.973 ms | max:  26.679 ms | max start:    22.081375 s | max end:    22.108054 s
  perf:146              |    393.349 ms |        4 | avg:   5.792 ms | max:  21.562 ms | max start:    21.089791 s | max end:    21.111353 s
  sleep:148             |    215.849 ms |        1 | avg:  16.380 ms | max:  16.380 ms | max start:    21.325148 s | max end:    21.341528 s
  ksoftirqd/1:20        |    123.939 ms |        3 | avg:   2.189 ms | max:   5.959 ms | max start:    22.233621 s | max end:    22.239581 s
  wc:151                |    118.767 ms |        4 | avg:   2.151 ms | max:   5.937 ms | max start:    21.655026 s | max end:    21.660963 s
  sort:150              |     58.063 ms |        3 | avg:   1.215 ms | max:   2.255 ms | max start:    21.624798 s | max end:    21.627054 s
  kworker/u6:1-ev:30    |      0.119 ms |        1 | avg:   0.522 ms | max:   0.522 ms | max start:    21.507337 s | max end:    21.507859 s
  cat:143               |     62.025 ms |        1 | avg:   0.510 ms | max:   0.510 ms | max start:    21.929759 s | max end:    21.930269 s
  kworker/1:1-eve:44    |      1.033 ms |        3 | avg:   0.294 ms | max:   0.489 ms | max start:    21.851465 s | max end:    21.851954 s
  kworker/0:0-eve:7     |      0.766 ms |        2 | avg:   0.215 ms | max:   0.430 ms | max start:    21.767665 s | max end:    21.768095 s
  ksoftirqd/0:14        |      0.263 ms |        1 | avg:   0.130 ms | max:   0.130 ms | max start:    22.005042 s | max end:    22.005172 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |   2327.348 ms |       82 |
 ---------------------------------------------------


=== moves to other CPUs begin a wait anew
argv: perf sched lat -f -i $DATA/sched/switches.data -C 1
--- stdout

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  kworker/2:0-mm_:26    |      0.382 ms |        1 | avg:  85.490 ms | max:  85.490 ms | max start:    21.768315 s | max end:    21.853805 s
  kcompactd0:37         |      0.376 ms |        2 | avg:  51.782 ms | max: 103.100 ms | max start:    21.404494 s | max end:    21.507595 s
  ls:149                |    200.842 ms |        3 | avg:  10.842 ms | max:  31.958 ms | max start:    21.580092 s | max end:    21.612050 s
  sh:(2)                |    730.284 ms |        9 | avg:   6.906 ms | max:  26.679 ms | max start:    22.081375 s | max end:    22.108054 s
  perf:146              |    393.349 ms |        4 | avg:   5.780 ms | max:  21.516 ms | max start:    21.089837 s | max end:    21.111353 s
  rcu_preempt:15        |    421.290 ms |       44 | avg:   4.659 ms | max: 103.099 ms | max start:    21.404581 s | max end:    21.507679 s
  ksoftirqd/1:20        |    123.939 ms |        3 | avg:   2.189 ms | max:   5.959 ms | max start:    22.233621 s | max end:    22.239581 s
  wc:151                |    118.767 ms |        4 | avg:   2.151 ms | max:   5.937 ms | max start:    21.655026 s | max end:    21.660963 s
  sort:150              |     58.063 ms |        3 | avg:   1.178 ms | max:   2.255 ms | max start:    21.624798 s | max end:    21.627054 s
  kworker/u6:1-ev:30    |      0.119 ms |        1 | avg:   0.522 ms | max:   0.522 ms | max start:    21.507337 s | max end:    21.507859 s
  cat:143               |     62.025 ms |        1 | avg:   0.439 ms | max:   0.439 ms | max start:    21.929830 s | max end:    21.930269 s
  kworker/1:1-eve:44    |      1.033 ms |        3 | avg:   0.294 ms | max:   0.489 ms | max start:    21.851465 s | max end:    21.851954 s
  kworker/0:0-eve:7     |      0.766 ms |        2 | avg:   0.215 ms | max:   0.430 ms | max start:    21.767665 s | max end:    21.768095 s
  ksoftirqd/0:14        |      0.263 ms |        1 | avg:   0.130 ms | max:   0.130 ms | max start:    22.005042 s | max end:    22.005172 s
  sleep:148             |    215.849 ms |        1 | avg:   0.123 ms | max:   0.123 ms | max start:    21.341405 s | max end:    21.341528 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |   2327.348 ms |       82 |
 ---------------------------------------------------


=== a stream
sh: cat $DATA/sched/switches.data > f.data; perf sched -i f.data latency > file; perf inject -i f.data | perf sched -i - latency | cmp - file && echo same
--- stdout
same

=== an unknown key
argv: perf sched latency -s foo
exit: 129
--- stderr
  Error: Unknown --sort key: `foo'


 Usage: perf sched latency [<options>]

    -C, --CPU <n>         CPU to profile on
    -H, --histogram       show CPU wait latency distribution histogram
    -p, --pids            latency stats per pid instead of per comm
    -s, --sort <key[,key2...]>
                          sort by key(s): runtime, switch, avg, max
    -t, --tid <tid[,tid...]>
                          only these tasks, a row for each
    -x, --field-separator <separator>
                          print these values with a separator between them
        --heat-map        show the delays of each length over time
        --hist-mode <log|linear>
                          latency bucket mode (log or linear, default: log)
        --json            print an object for each line (doc/json.md)
        --process <pid[,pid...]>
                          only tasks of these processes
        --queue           show how many tasks waited for a CPU, and when
        --time <str>      Time span for analysis (start,stop)


=== no such events
sh: perf sched latency -f -i $DATA/report/threads.data; echo $?; perf sched timehist -f -i $DATA/report/threads.data; echo $?; perf sched map -f -i $DATA/report/threads.data; echo $?
--- stdout
255
255
255
--- stderr
error: '$DATA/report/threads.data' has no samples of sched:sched_switch
hint: perf sched record COMMAND records what is needed
error: '$DATA/report/threads.data' has no samples of sched:sched_switch
hint: perf sched record COMMAND records what is needed
error: '$DATA/report/threads.data' has no samples of sched:sched_switch
hint: perf sched record COMMAND records what is needed

=== no such file
argv: perf sched latency -i nosuch.data
exit: 255
--- stderr
error: failed to open 'nosuch.data': No such file or directory
hint: try 'perf record' first

=== a slip
argv: perf sched timehst
exit: 129
--- stderr
error: 'timehst' is no word of perf sched
hint: did you mean 'timehist'?

 Usage: perf sched [<options>] {record|latency|map|replay|script|timehist|timeline|wakers|top|stats}

    -D, --dump-raw-trace  dump raw trace in ASCII
    -f, --force           don't complain, do it
    -i, --input <file>    input file name
    -v, --verbose         be more verbose (show symbol address, etc)


=== an unknown subcommand
argv: perf sched foo
exit: 129
--- stderr
error: 'foo' is no word of perf sched

 Usage: perf sched [<options>] {record|latency|map|replay|script|timehist|timeline|wakers|top|stats}

    -D, --dump-raw-trace  dump raw trace in ASCII
    -f, --force           don't complain, do it
    -i, --input <file>    input file name
    -v, --verbose         be more verbose (show symbol address, etc)


=== a word too many
argv: perf sched latency foo
exit: 129
--- stderr

 Usage: perf sched latency [<options>]

    -C, --CPU <n>         CPU to profile on
    -H, --histogram       show CPU wait latency distribution histogram
    -p, --pids            latency stats per pid instead of per comm
    -s, --sort <key[,key2...]>
                          sort by key(s): runtime, switch, avg, max
    -t, --tid <tid[,tid...]>
                          only these tasks, a row for each
    -x, --field-separator <separator>
                          print these values with a separator between them
        --heat-map        show the delays of each length over time
        --hist-mode <log|linear>
                          latency bucket mode (log or linear, default: log)
        --json            print an object for each line (doc/json.md)
        --process <pid[,pid...]>
                          only tasks of these processes
        --queue           show how many tasks waited for a CPU, and when
        --time <str>      Time span for analysis (start,stop)


=== delays by length, each twice the one before or in equal steps; only a part of the recording
sh: for o in -H '--hist-mode linear' '-H --time ,21.3' '-H --time 21.3,21.5'; do echo "$o"; perf sched latency -f $o -i $DATA/sched/switches.data | sed -n '/TOTAL/p;/CPU Wait/,$p'; done
--- stdout
-H
  TOTAL:                |   2327.348 ms |       82 |
 CPU Wait Latency Distribution Histogram (between snapshots) (total samples: 82)
 -------------------------------------------------------------------
  Latency Range    |      Count |    Pct | Histogram Graph
 -------------------------------------------------------------------
  < 1 us           |          2 |   2.4% | #
  32 - 64 us       |          1 |   1.2% | #
  64 - 128 us      |          2 |   2.4% | #
  128 - 256 us     |         15 |  18.3% | #######
  256 - 512 us     |         31 |  37.8% | ###############
  512 - 1024 us    |          6 |   7.3% | ##
  1 - 2 ms         |          2 |   2.4% | #
  2 - 4 ms         |          4 |   4.9% | #
  4 - 8 ms         |          3 |   3.7% | #
  8 - 16 ms        |          7 |   8.5% | ###
  16 - 32 ms       |          5 |   6.1% | ##
  64 - 128 ms      |          4 |   4.9% | #
 -------------------------------------------------------------------
--hist-mode linear
  TOTAL:                |   2327.348 ms |       82 |
 CPU Wait Latency Distribution Histogram (between snapshots) (total samples: 82)
 -------------------------------------------------------------------
  Latency Range    |      Count |    Pct | Histogram Graph
 -------------------------------------------------------------------
  < 100 us         |          3 |   3.7% | #
  100 - 200 us     |          8 |   9.8% | ###
  200 - 300 us     |         19 |  23.2% | #########
  300 - 400 us     |         13 |  15.9% | ######
  400 - 500 us     |          7 |   8.5% | ###
  500 - 600 us     |          3 |   3.7% | #
  600 - 700 us     |          3 |   3.7% | #
  800 - 900 us     |          1 |   1.2% | #
  1.1 - 1.2 ms     |          1 |   1.2% | #
  1.8 - 1.9 ms     |          1 |   1.2% | #
  >= 2.1 ms        |         23 |  28.0% | ###########
 -------------------------------------------------------------------
-H --time ,21.3
  TOTAL:                |    501.771 ms |       13 |
 CPU Wait Latency Distribution Histogram (between snapshots) (total samples: 13)
 -------------------------------------------------------------------
  Latency Range    |      Count |    Pct | Histogram Graph
 -------------------------------------------------------------------
  < 1 us           |          2 |  15.4% | ######
  32 - 64 us       |          1 |   7.7% | ###
  128 - 256 us     |          2 |  15.4% | ######
  256 - 512 us     |          3 |  23.1% | #########
  512 - 1024 us    |          1 |   7.7% | ###
  8 - 16 ms        |          3 |  23.1% | #########
  16 - 32 ms       |          1 |   7.7% | ###
 -------------------------------------------------------------------
-H --time 21.3,21.5
  TOTAL:                |    111.234 ms |        5 |
 CPU Wait Latency Distribution Histogram (between snapshots) (total samples: 5)
 -------------------------------------------------------------------
  Latency Range    |      Count |    Pct | Histogram Graph
 -------------------------------------------------------------------
  128 - 256 us     |          1 |  20.0% | ########
  256 - 512 us     |          3 |  60.0% | ########################
  8 - 16 ms        |          1 |  20.0% | ########
 -------------------------------------------------------------------

=== a wrong way to count delays, a wrong part
sh: for o in '--hist-mode flat' '--time x' '--time 22,21'; do perf sched latency -f $o -i $DATA/sched/switches.data 2>&1; echo $?; done
--- stdout
Invalid --hist-mode 'flat', expected 'log' or 'linear'
 Usage: perf sched latency [<options>]

        --hist-mode <log|linear>
                          latency bucket mode (log or linear, default: log)
129
error: Invalid time string
255
error: Invalid time string
255

=== times cut to microseconds and stretched to seconds
sh: for n in '1 500' '20 1'; do python3 $DATA/../tools/stretch_time.py $n <$DATA/sched/switches.data >s.data; perf sched latency -f -H -i s.data | sed -n '/Latency Range/,$p'; perf sched latency -f --hist-mode linear -i s.data | sed -n '/Latency Range/,$p'; done
--- stdout
  Latency Range    |      Count |    Pct | Histogram Graph
 -------------------------------------------------------------------
  < 1 us           |         50 |  61.0% | ########################
  1 - 2 us         |          7 |   8.5% | ###
  2 - 4 us         |          2 |   2.4% | #
  4 - 8 us         |          4 |   4.9% | #
  8 - 16 us        |          3 |   3.7% | #
  16 - 32 us       |          5 |   6.1% | ##
  32 - 64 us       |          7 |   8.5% | ###
  128 - 256 us     |          4 |   4.9% | #
 -------------------------------------------------------------------
  Latency Range    |      Count |    Pct | Histogram Graph
 -------------------------------------------------------------------
  < 100 us         |         78 |  95.1% | ######################################
  100 - 200 us     |          2 |   2.4% | #
  200 - 300 us     |          2 |   2.4% | #
 -------------------------------------------------------------------
  Latency Range    |      Count |    Pct | Histogram Graph
 -------------------------------------------------------------------
  < 1 us           |          2 |   2.4% | #
  1 - 2 ms         |          1 |   1.2% | #
  2 - 4 ms         |          9 |  11.0% | ####
  4 - 8 ms         |         31 |  37.8% | ###############
  8 - 16 ms        |         13 |  15.9% | ######
  16 - 32 ms       |          2 |   2.4% | #
  32 - 64 ms       |          4 |   4.9% | #
  64 - 128 ms      |          3 |   3.7% | #
  128 - 256 ms     |          5 |   6.1% | ##
  256 - 512 ms     |          5 |   6.1% | ##
  512 - 1024 ms    |          3 |   3.7% | #
  >= 1.05 s        |          4 |   4.9% | #
 -------------------------------------------------------------------
  Latency Range    |      Count |    Pct | Histogram Graph
 -------------------------------------------------------------------
  < 100 us         |          2 |   2.4% | #
  1.1 - 1.2 ms     |          1 |   1.2% | #
  >= 2.1 ms        |         79 |  96.3% | ######################################
 -------------------------------------------------------------------

=== --hist is no abbreviation of two
sh: perf sched latency -i $DATA/sched/switches.data --hist > a; perf sched latency -i $DATA/sched/switches.data --histogram > b; perf sched latency -i $DATA/sched/switches.data > c; cmp a b && wc -l < a; cmp -s a c || echo differs
--- stdout
41
differs

