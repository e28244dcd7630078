# Delays and tasks that wait, over time.
=== text
argv: perf sched latency --heat-map --queue -i $DATA/sched/switches.data
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


 Delays by length, over time
 -------------------------------------------------------------
  64 - 128 ms      |                  #         **
  32 - 64 ms       |
  16 - 32 ms       |       *              *         *   #
  8 - 16 ms        |   * #        *     #    *
  4 - 8 ms         |                     * *                *
  2 - 4 ms         |                      #        **
  1 - 2 ms         |                              **
  512 - 1024 us    | *                **   *     **
  256 - 512 us     |        #*  *  #   *  #* ##  *#@ *** *# *
  128 - 256 us     |    *    *   *     #*   #    # **# *
  64 - 128 us      |                                  #
  32 - 64 us       |     *
  16 - 32 us       |
  8 - 16 us        |
  4 - 8 us         |
  2 - 4 us         |
  1 - 2 us         |
  < 1 us           | **
 -------------------------------------------------------------
  from 20.905049 s, a column is 33.554 ms; '@' is up to 5 delays, each shade before half of that or less

 Tasks that waited for a CPU, on all CPUs together
 -------------------------------------------------------------------------------------
  Tasks            |       Time ms |    Pct | Share of the time
 -------------------------------------------------------------------------------------
  0                |       901.881 |  66.9% | ##########################
  1                |       235.372 |  17.5% | ######
  2                |       209.520 |  15.6% | ######
  3                |         0.466 |   0.0% | #

 Over time
 --------------------------------------------------------------
  3                |                  .       .
  2                |               =@@# .+=: **@*: :.   #
  1                | : *.#*+::  .*.:  .=##=+.=# #*=+#:::-.: +
  0                | #@##*####@@####  -#+=####   ###*###+##@#+
 --------------------------------------------------------------
  from 20.905049 s, a column is 33.554 ms; '@' is up to 33.554 ms, each shade before half of that or less

=== rows: as many delays and ns as there are in the text
argv: sh -c 'perf sched latency -x, -H --heat-map --queue -i $DATA/sched/switches.data | awk -F, "/^delays,/ { a += \$4 } /^delays_at/ { b += \$6 } /^queue_at/ { c += \$6 } END { print a, b, c }"'
--- stdout
82 82 1347239538

=== objects
argv: sh -c 'perf sched latency --json --heat-map --queue -i $DATA/sched/switches.data | grep _at | sed -n "1,2p;\$p"'
--- stdout
{"type":"delays_at","from":20.905049632,"to":20.938604064,"from_us":0,"to_us":1,"count":1}
{"type":"delays_at","from":20.905049632,"to":20.938604064,"from_us":512,"to_us":1024,"count":1}
{"type":"queue_at","from":22.247226912,"to":22.280781344,"from_tasks":0,"to_tasks":1,"ns":5062258}

=== of one CPU
argv: perf sched latency --queue -C 0 -i $DATA/sched/switches.data
exit: 129
--- stderr
Error: --queue is of all CPUs, -C of one
 Usage: perf sched latency [<options>]

        --queue           show how many tasks waited for a CPU, and when
