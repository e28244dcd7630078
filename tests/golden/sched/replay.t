# perf sched replay: threads do what the tasks did.
=== tasks, wake-ups, rounds
sh: python3 $DATA/../tools/make_sched_file.py replay.data && perf sched -i replay.data replay -r 3 | sed -E 's/[0-9]+ nsecs/N nsecs/; /^#/s/[0-9]+\.[0-9]+/N/g'
--- stdin
1000001 comm 7 b
1000002 comm 8 c
1000000000 switch 0 0 0 7
1001000000 switch 0 7 1 0
1003000000 switch 0 0 0 7
1003000100 switch 1 0 0 8
1003500000 waking 0 7 8
1004000000 switch 0 7 1 0
1005000000 waking 1 8 7
1005000100 waking 1 8 7
1006000000 switch 1 8 0 0
1006000100 switch 0 0 0 7
1006500000 switch 0 7 1 0
--- stdout
run measurement overhead: N nsecs
sleep measurement overhead: N nsecs
the run test took N nsecs
the sleep test took N nsecs
nr_run_events:        8
nr_sleep_events:      12
nr_wakeup_events:     2
multi-target wakeups: 1
task      0 (           swapper/0:         0), nr_events: 7
task      1 (                   b:         7), nr_events: 8
task      2 (           swapper/1:         0), nr_events: 3
task      3 (                   c:         8), nr_events: 4
------------------------------------------------------------
#1  : N, ravg: N, cpu: N / N
#2  : N, ravg: N, cpu: N / N
#3  : N, ravg: N, cpu: N / N

=== without end
sh: printf '1 comm 7 b\n1000000000 switch 0 0 0 7\n1000100000 switch 0 7 1 0\n' | python3 $DATA/../tools/make_sched_file.py replay.data && for n in 0 -1; do perf sched -i replay.data replay -r $n | grep -m 20 -c '^#'; done
--- stdout
20
20

=== no switches
argv: perf sched replay -f -i $DATA/report/threads.data
exit: 255
--- stderr
error: '$DATA/report/threads.data' has no samples of sched:sched_switch
hint: perf sched record COMMAND records what is needed
