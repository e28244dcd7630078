# Who woke up whom.
=== table
argv: perf sched wakers -i $DATA/sched/switches.data
threads: 1 2 3
--- stdout
 Sleeper           Woken by              Times       Slept ms       Mean ms    Longest ms
 perf              sh                        2        879.854       439.927       811.601
 kworker/0:0-eve   <interrupt>               1        861.780       861.780       861.780
 rcu_preempt       <interrupt>              42        704.279        16.769       107.601
 kcompactd0        <interrupt>               1        514.962       514.962       514.962
 ksoftirqd/1       <interrupt>               1        381.351       381.351       381.351
 kworker/1:1-eve   <interrupt>               2        301.515       150.758       178.367
 sh                ls                        1        253.808       253.808       253.808
 sort              ls                        1        240.812       240.812       240.812
 sh                sleep                     1        215.354       215.354       215.354
 wc                sort                      2        154.209        77.104       147.879
 sh                sh                        1         57.276        57.276        57.276
 sh                sort                      1         16.084        16.084        16.084
 sh                wc                        1          8.463         8.463         8.463

 57 sleeps; of 8 wake-ups it is not known when the sleep began, or whether there was one

=== rows
argv: sh -c 'perf sched wakers --json -i $DATA/sched/switches.data | sed -n "1,3p;\$p"'
--- stdout
{"schema":"perf sched wakers","version":1}
{"type":"wakeups","comm":"perf","by_comm":"sh","count":2,"slept_ns":879854406,"longest_ns":811600768}
{"type":"wakeups","comm":"kworker/0:0-eve","by_comm":null,"count":1,"slept_ns":861779654,"longest_ns":861779654}
{"type":"total","sleeps":57,"unknown":8,"lost_events":0,"lost_chunks":0}

=== lines for a flame graph, whose sum is that of the table but for what is less than a microsecond
argv: sh -c 'perf sched wakers --folded -i $DATA/sched/switches.data | awk "{ n += \$NF } NR < 4 { print } END { print n }"'
--- stdout
sh;perf 879854
<interrupt>;kworker/0:0-eve 861779
<interrupt>;rcu_preempt 704278
4589739

=== two forms
argv: perf sched wakers --folded --json -i $DATA/sched/switches.data
exit: 129
--- stderr
Error: --folded is a form of its own
 Usage: perf sched wakers [<options>]

        --folded          print lines of stacks and microseconds, for flamegraph.pl

=== no such events
argv: perf sched wakers -i $DATA/report/wall.data
exit: 255
--- stderr
error: '$DATA/report/wall.data' has no samples of sched:sched_switch
hint: perf sched record COMMAND records what is needed
