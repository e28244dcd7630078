# perf sched with what a recording should not have.
=== a number that is another task's later
sh: python3 $DATA/../tools/make_sched_file.py reuse.data && for c in 'latency -p' 'timehist -s' map; do echo "-- $c"; perf sched -i reuse.data $c 2>&1 | grep -v "idle entire"; done
--- stdin
1000000 comm 5 shell
1000001 comm 7 old
1000000000 switch 0 0 0 5
1001000000 waking 0 5 7
1002000000 switch 0 5 1 7
1002500000 runtime 0 7 500000
1003000000 switch 0 7 64 0
1003000001 exit 7
1004000000 fork 7 5
1004000001 comm 7 new
1005000000 waking 0 5 7
1009000000 switch 0 0 0 7
1009500000 runtime 0 7 500000
1010000000 switch 0 7 1 0
--- stdout
-- latency -p

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  new:7                 |      0.500 ms |        1 | avg:   4.000 ms | max:   4.000 ms | max start:     1.005000 s | max end:     1.009000 s
  old:7                 |      0.500 ms |        1 | avg:   1.000 ms | max:   1.000 ms | max start:     1.001000 s | max end:     1.002000 s
  shell:5               |      0.000 ms |        1 | avg:   0.000 ms | max:   0.000 ms | max start:     0.000000 s | max end:     0.000000 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |      1.000 ms |        3 |
 ---------------------------------------------------

-- timehist -s
Samples do not have callchains.

Runtime summary
                          comm  parent   sched-in     run-time    min-run     avg-run     max-run  stddev  migrations
                                          (count)       (msec)     (msec)      (msec)      (msec)       %
\---------------------------------------------------------------------------------------------------------------------
                      shell[5]      -1          1        2.000      2.000       2.000       2.000    0.00       0
                        new[7]       5          1        1.000      1.000       1.000       1.000    0.00       0

Terminated tasks:
                        old[7]      -1          1        1.000      1.000       1.000       1.000    0.00       0

Idle stats:
    CPU  0 idle for      6.000  msec  ( 60.00%)

    Total number of unique tasks: 3
Total number of context switches: 5
           Total run time (msec):  4.000 
    Total scheduling time (msec): 10.000  (x 16)
-- map
  *A0                                                                   1.000000 secs A0 => shell:5
  *B0                                                                   1.002000 secs B0 => old:7
  *.                                                                    1.003000 secs .  => swapper:0
  *C0                                                                   1.009000 secs C0 => new:7
  *.                                                                    1.010000 secs 

=== switches and wake-ups that come late are put in order; a task goes that did not run there
sh: python3 $DATA/../tools/make_sched_file.py late.data && for c in 'latency -p' 'timehist -s' map; do echo "-- $c"; perf sched -i late.data $c 2>&1 | grep -v "idle entire"; done
--- stdin
1000000 comm 5 a
1000001 comm 7 b
1000000000 switch 0 0 0 5
1002000000 switch 0 5 1 7
round
round
round
1001000000 waking 0 5 7
1001500000 switch 0 5 0 7
1003000000 switch 0 9 1 5
1003100000 switch 1 5 1 7
--- stdout
-- latency -p

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  b:7                   |      0.000 ms |        1 | avg:   0.500 ms | max:   0.500 ms | max start:     1.001000 s | max end:     1.001500 s
  a:5                   |      0.000 ms |        1 | avg:   0.000 ms | max:   0.000 ms | max start:     0.000000 s | max end:     0.000000 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |      0.000 ms |        2 |
 ---------------------------------------------------
  INFO: 200.000% context switch bugs (2 out of 1)

-- timehist -s
Samples do not have callchains.
warning: 2 runs are not of the task that their CPU was switched to before: switches are missing, and these runs are shown as if they had begun at the last one

Runtime summary
                          comm  parent   sched-in     run-time    min-run     avg-run     max-run  stddev  migrations
                                          (count)       (msec)     (msec)      (msec)      (msec)       %
\---------------------------------------------------------------------------------------------------------------------
                          a[5]      -1          3        2.000      0.000       0.666       1.500   66.14       0
                         :9[9]      -1          1        1.000      1.000       1.000       1.000    0.00       0

Terminated tasks:
<no terminated tasks>

Idle stats:

    Total number of unique tasks: 2
Total number of context switches: 5
           Total run time (msec):  3.000 
    Total scheduling time (msec):  3.100  (x 16)
-- map
  *A0                                                                   1.000000 secs A0 => a:5
  *B0                                                                   1.001500 secs B0 => b:7
  *B0                                                                   1.002000 secs 
  *A0                                                                   1.003000 secs 
   A0 *B0                                                               1.003100 secs 

=== lost chunks of events
sh: python3 $DATA/../tools/make_sched_file.py lost.data && for c in 'latency -p' 'timehist -s' map; do echo "-- $c"; perf sched -i lost.data $c 2>&1 | grep -v "idle entire"; done
--- stdin
1000001 comm 7 b
1000000000 switch 0 0 0 5
1001000000 waking 0 5 7
1001000001 lost 1000
1001000002 lost 24
1002000000 switch 0 5 1 7
1003000000 switch 0 7 1 0
--- stdout
-- latency -p
warning: 1024 events were lost while recording: times are those of what is left

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  b:7                   |      0.000 ms |        1 | avg:   1.000 ms | max:   1.000 ms | max start:     1.001000 s | max end:     1.002000 s
  :5:5                  |      0.000 ms |        1 | avg:   0.000 ms | max:   0.000 ms | max start:     0.000000 s | max end:     0.000000 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |      0.000 ms |        2 |
 ---------------------------------------------------
  INFO: 14628.571% lost events (1024 out of 7, in 2 chunks)

-- timehist -s
Samples do not have callchains.
warning: 1024 events were lost while recording: times are those of what is left

Runtime summary
                          comm  parent   sched-in     run-time    min-run     avg-run     max-run  stddev  migrations
                                          (count)       (msec)     (msec)      (msec)      (msec)       %
\---------------------------------------------------------------------------------------------------------------------
                         :5[5]      -1          1        2.000      2.000       2.000       2.000    0.00       0
                          b[7]      -1          1        1.000      1.000       1.000       1.000    0.00       0

Terminated tasks:
<no terminated tasks>

Idle stats:

    Total number of unique tasks: 2
Total number of context switches: 3
           Total run time (msec):  3.000 
    Total scheduling time (msec):  3.000  (x 16)
-- map
warning: 1024 events were lost while recording: times are those of what is left
  *A0                                                                   1.000000 secs A0 => :5:5
  *B0                                                                   1.002000 secs B0 => b:7
  *.                                                                    1.003000 secs .  => swapper:0
  INFO: 14628.571% lost events (1024 out of 7, in 2 chunks)

=== a CPU of which no kernel has so many
sh: python3 $DATA/../tools/make_sched_file.py cpu.data && for c in 'latency -p' timehist map; do echo "-- $c"; perf sched -i cpu.data $c 2>&1 | grep -v "idle entire"; done
--- stdin
1000001 comm 7 b
1000000000 switch 4294967294 0 0 7
1003000000 switch 4294967294 7 1 0
1003000000 migrate 0 7 7 0 4294967290
--- stdout
-- latency -p

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  b:7                   |      0.000 ms |        1 | avg:   0.000 ms | max:   0.000 ms | max start:     0.000000 s | max end:     0.000000 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |      0.000 ms |        1 |
 ---------------------------------------------------

-- timehist
Samples do not have callchains.
warning: 2 switches are left out: no kernel has CPUs of their numbers
           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
\--------------- ------  ------------------------------  ---------  ---------  ---------
-- map
warning: 2 switches are left out: no kernel has CPUs of their numbers

=== fields by names of no kernel
sh: for f in prev_pid=gone_pid next_pid=come_pid prev_state=state pid=task; do python3 $DATA/../tools/make_sched_file.py f.data --field $f <<< "1000000000 switch 0 0 0 7"; for c in latency timehist map; do perf sched -i f.data $c > out 2>&1; r=$?; echo "$f $c: $r $(grep -v '^ *$' out | head -1)"; done; done
--- stdout
prev_pid=gone_pid latency: 255 error: sched:sched_switch of 'f.data' has no field 'prev_pid'
prev_pid=gone_pid timehist: 255 Samples do not have callchains.
prev_pid=gone_pid map: 255 error: sched:sched_switch of 'f.data' has no field 'prev_pid'
next_pid=come_pid latency: 255 error: sched:sched_switch of 'f.data' has no field 'next_pid'
next_pid=come_pid timehist: 255 Samples do not have callchains.
next_pid=come_pid map: 255 error: sched:sched_switch of 'f.data' has no field 'next_pid'
prev_state=state latency: 0  -------------------------------------------------------------------------------------------------------------------------------------------
prev_state=state timehist: 0 Samples do not have callchains.
prev_state=state map: 0   *A0                                                                   1.000000 secs A0 => :7:7
pid=task latency: 255 error: sched:sched_waking of 'f.data' has no field 'pid'
pid=task timehist: 255 Samples do not have callchains.
pid=task map: 0   *A0                                                                   1.000000 secs A0 => :7:7

=== switches that go back in time are told: what was before them has been used up
sh: awk 'BEGIN { n = 45000; for (k = 0; k < 2; k++) { for (i = 0; i < n; i++) printf "%d switch 0 %d 0 %d\n", 1000000000 + (k * n + i) * 1000, i % 2 ? 7 : 5, i % 2 ? 5 : 7; print "round\nround\nround" } print "1000500000 switch 0 5 0 7\n1200000000 switch 0 5 0 7" }' | python3 $DATA/../tools/make_sched_file.py back.data && for c in 'timehist -s' latency; do echo "-- $c"; perf sched -i back.data $c 2>&1 | grep -E "go back in time|switches:"; done
--- stdout
-- timehist -s
warning: 1 switches go back in time and are left out
Total number of context switches: 90001
-- latency
  INFO: 1 context switches go back in time and are left out

=== a file that is cut: names of its events stood at its end
argv: sh -c 'head -c 40000 $DATA/sched/switches.data >cut.data; perf sched latency -i cut.data'
exit: 255
--- stderr
error: 'cut.data' has no samples of sched:sched_switch
hint: 'cut.data': the file is cut: 38216 of 63704 bytes of data are there

=== woken up twice: it got a CPU between, which is not recorded; 9 waits from the second one on
sh: printf '%s\n' '1000000000 switch 0 5 0 7' '1001000000 waking 0 7 9' '1500000000 waking 0 7 9' '1500200000 switch 0 7 1 9' '1501000000 switch 0 9 1 5' round round round | python3 $DATA/../tools/make_sched_file.py twice.data && perf sched latency --queue -i twice.data | grep -E ' :?9|INFO|^  [0-9] '; perf sched latency --queue --json -i twice.data | grep '"queue"'; perf sched wakers -i twice.data
--- stdout
  :9:9                  |      0.000 ms |        1 | avg:   0.200 ms | max:   0.200 ms | max start:     1.500000 s | max end:     1.500200 s
  1                |         1.800 |   0.4% | #
  2                |       499.200 |  99.6% | #######################################
  2                | #@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@#
  1                | =                                                          =
  0                |
  INFO: 49.9% of what tasks waited is not certain: that they got a CPU is not recorded,
{"type":"queue","waited_ns":1000200000,"doubtful_ns":499000000}
 Sleeper           Woken by              Times       Slept ms       Mean ms    Longest ms

 0 sleeps; of 1 wake-ups it is not known when the sleep began, or whether there was one
