# perf report --wall: all the time of threads as a profile.
=== every state, and who ended it: by tracepoints
sh: python3 $DATA/../tools/make_sched_file.py f.data && perf report --wall --stdio -i f.data -s tid,state,waker -F +period && perf report --wall --folded -i f.data -s comm,state,waker
--- stdin
1000000000 fork 7 5
1000000000 comm 7 work
1000000100 comm 8 mate
1000100000 switch 0 5 0 7        # 7 waited 100 us for its first CPU
1000300000 switch 0 7 1 0        # ran 200 us
1000400000 waking 1 8 7          # slept 100 us
1000450000 switch 0 0 0 7        # 50 us in the queue
1000500000 switch 0 7 0 8        # ran 50 us
1000560000 switch 0 8 1 7        # 60 us preempted
1000600000 switch 0 7 2 0        # ran 40 us
1000700000 waking 0 0 7 irq      # 100 us uninterruptible
1000700000 switch 0 0 0 7
1000710000 exit 7
1000711000 switch 0 7 16 0       # ran 11 us
1000800000 switch 0 8 1 0        # that it came back was not recorded
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 11  of event 'wall-clock'
# Event count (approx.): 2311000
# Wall-clock time: 2.311 ms of 3 threads: running 0.361 ms (15.6%), runnable 0.210 ms (9.1%), blocked 0.200 ms (8.7%), unknown 1.540 ms (66.6%)
# Events that contradict the thread's before them: 1; that are earlier: 0.
#
# Overhead        Period      Tid:Command  State                    Woken by   
# ........  ............  ...............  .......................  ...........
#
    34.62%        800000        5::5       unknown                  -          
    32.02%        740000        8:mate     unknown                  -          
    13.02%        301000        7:work     running                  -          
     4.33%        100000        7:work     runnable-new             -          
     4.33%        100000        7:work     blocked-sleep            mate/8     
     4.33%        100000        7:work     blocked-uninterruptible  [interrupt]
     2.60%         60000        7:work     runnable-preempted       -          
     2.60%         60000        8:mate     running                  -          
     2.16%         50000        7:work     runnable-woken           mate/8     


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
:5;unknown;- 800000
mate;unknown;- 740000
work;running;- 301000
work;runnable-new;- 100000
work;blocked-sleep;mate/8 100000
work;blocked-uninterruptible;[interrupt] 100000
mate;running;- 60000
work;runnable-preempted;- 60000
work;runnable-woken;mate/8 50000

=== switch records and samples: samples share the time that was measured
sh: python3 $DATA/../tools/make_switch_file.py f.data --chain && perf report --wall --stdio -g none --no-children -i f.data -s tid,state,sym -F +period
--- stdin
1000000000 comm 7/7 work
1000000000 in 7/7
1000100000 sample 7/7 1 1;2      # 100 us
1000400000 sample 7/7 1 3;2      # 300 us
1000500000 out 7/7               # 100 us, for the next sample
1000700000 in 7/7
1000750000 sample 7/7 1 1;2      # and 50 us more
1000800000 out 7/7 preempt       # 50 us for no sample
1000900000 in 7/7
1001000000 out 7/7
1001100000 exit 7/7
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 8  of event 'wall-clock'
# Event count (approx.): 1001099999
# Wall-clock time: 1.001 s of 1 thread: running 0.001 s (0.1%), runnable 0.000 s (0.0%), blocked 0.000 s (0.0%), unknown 1.000 s (99.9%)
# No wake-ups are recorded: blocked goes on until the thread ran.
#
# Overhead        Period      Tid:Command  State               Symbol                
# ........  ............  ...............  ..................  ......................
#
    99.89%     999999999        7:work     unknown             [.] [unknown]
     0.03%        300000        7:work     running             [.] 0x0000000000401308
     0.03%        300000        7:work     blocked             [.] [no stack]
     0.02%        250000        7:work     running             [.] 0x0000000000401108
     0.01%        150000        7:work     running             [.] [not sampled]
     0.01%        100000        7:work     runnable-preempted  [.] [no stack]


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== what is lost, goes back in time, has another thread's number
sh: python3 $DATA/../tools/make_sched_file.py f.data && perf report --wall --stdio -i f.data -s tid,state,waker -F +period
--- stdin
1000000000 comm 7 work
1000000000 switch 0 5 1 7
1000100000 switch 0 7 1 0
1000150000 lost 3                # 7 may have run since
1000300000 switch 0 0 0 7
1000400000 switch 0 7 1 0
1000450000 switch 0 0 0 7
round
round
round
1000350000 switch 0 7 1 0        # too late to be put in order
1000500000 switch 0 7 1 0        # that it came back was not recorded
1000600000 fork 7 5              # another one
1000700000 switch 0 5 1 7
1000800000 switch 0 7 64 0
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 9  of event 'wall-clock'
# Event count (approx.): 1600000
# Wall-clock time: 1.600 ms of 3 threads: running 0.300 ms (18.8%), runnable 0.100 ms (6.2%), blocked 0.050 ms (3.1%), unknown 1.150 ms (71.9%)
# Of blocked, 0.050 ms end without a recorded wake-up: until the thread ran.
# Events were lost in 1 places: what threads did around them is unknown.
# Events that contradict the thread's before them: 2; that are earlier: 0.
#
# Overhead        Period      Tid:Command  State          Woken by 
# ........  ............  ...............  .............  .........
#
    50.00%        800000        5::5       unknown        -        
    21.88%        350000        7:work     unknown        -        
    12.50%        200000        7:work     running        -        
     6.25%        100000        7::7       running        -        
     6.25%        100000        7::7       runnable-new   -        
     3.12%         50000        7:work     blocked-sleep  [unknown]


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr
warning: 3 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

=== times and CPUs
sh: python3 $DATA/../tools/make_sched_file.py f.data && for o in '--time 1.00005,1.00025' '-C 1' '-C 0'; do echo "-- $o"; perf report --wall --stdio -q -i f.data -s tid,state,cpu -F period,tid,state,cpu $o; perf report --wall --json -i f.data $o | grep '"ns"'; done
--- stdin
1000000000 comm 7 work
1000000000 switch 0 5 1 7
1000100000 switch 0 7 1 0
1000200000 switch 1 0 0 7
1000300000 switch 1 7 1 0
1000400000 switch 1 0 0 7
1000450000 switch 1 7 1 0
--- stdout
-- --time 1.00005,1.00025
        200001        5::5       unknown        000
        100000        7:work     blocked-sleep  000


				"ns": 300001,
-- -C 1
        250000        7:work     running        001
        100000        7:work     blocked-sleep  001


				"ns": 350000,
-- -C 0
        450000        5::5       unknown        000
        100000        7:work     blocked-sleep  000


				"ns": 550000,

=== a recording of a real machine
argv: perf report --wall --stdio -f -i $DATA/sched/switches.data -s comm,state
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 163  of event 'wall-clock'
# Event count (approx.): 16071635911
# Wall-clock time: 16.072 s of 16 threads: running 2.359 s (14.7%), runnable 0.457 s (2.8%), blocked 7.209 s (44.9%), unknown 6.047 s (37.6%)
#
# Overhead  Command          State             
# ........  ...............  ..................
#
     8.39%  kworker/0:0-eve  blocked-sleep     
     6.85%  ksoftirqd/0      unknown           
     6.38%  cat              unknown           
     5.90%  kworker/2:0-mm_  unknown           
     5.47%  perf             blocked-sleep     
     5.12%  ksoftirqd/1      unknown           
     5.12%  kworker/1:1-eve  unknown           
     4.65%  kworker/u6:1-ev  blocked-sleep     
     4.65%  kcompactd0       blocked-sleep     
     4.54%  sh               running           
     4.40%  rcu_preempt      blocked-sleep     
     3.75%  kworker/u6:1-ev  unknown           
     3.75%  kcompactd0       unknown           
     3.43%  sh               blocked-sleep     
     3.27%  kworker/1:1-eve  blocked-sleep     
     2.78%  perf             running           
     2.49%  kworker/2:0-mm_  blocked-sleep     
     2.48%  rcu_preempt      running           
     2.47%  ksoftirqd/1      blocked-sleep     
     1.63%  cat              blocked-sleep     
     1.55%  ksoftirqd/0      blocked-sleep     
     1.50%  sort             blocked-sleep     
     1.34%  sleep            running           
     1.28%  rcu_preempt      runnable-woken    
     1.25%  ls               running           
     0.96%  wc               blocked-sleep     
     0.77%  ksoftirqd/1      running           
     0.74%  wc               running           
     0.60%  ls               runnable-preempted
     0.52%  sh               unknown           
     0.47%  sh               runnable-new      
     0.39%  cat              running           
     0.36%  sort             running           
     0.27%  sh               runnable-woken    
     0.24%  rcu_preempt      unknown           
     0.14%  perf             runnable-woken    
     0.04%  ksoftirqd/1      runnable-woken    
     0.01%  wc               runnable-woken    
     0.01%  kworker/0:0-eve  running           
     0.01%  perf             runnable-preempted
     0.01%  sort             runnable-woken    
     0.00%  kworker/1:1-eve  runnable-woken    
     0.00%  sh               runnable-preempted
     0.00%  kworker/1:1-eve  running           
     0.00%  kcompactd0       runnable-woken    
     0.00%  kworker/0:0-eve  runnable-woken    
     0.00%  wc               runnable-preempted
     0.00%  kcompactd0       running           
     0.00%  ksoftirqd/0      running           
     0.00%  ksoftirqd/1      runnable-preempted
     0.00%  kworker/2:0-mm_  running           
     0.00%  rcu_preempt      runnable-preempted
     0.00%  kworker/u6:1-ev  running           


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== as JSON
sh: perf report --wall --json -f -i $DATA/sched/switches.data -s state | sed -n '/"sections"/,$p'
--- stdout
	"sections": [
		{
			"events": [
				{"name": "wall-clock", "samples": 163, "period": 16071635911}
			],
			"grouped": false,
			"group": null,
			"time": null,
			"wall": {
				"ns": 16071635911,
				"threads": 16,
				"running": 2358552853,
				"runnable": 457029409,
				"blocked": 7209005270,
				"unknown": 6047048379,
				"states": {"running": 2358552853, "runnable-new": 75606805, "runnable-preempted": 99322235, "runnable-woken": 282100369, "blocked-sleep": 7209005270, "unknown": 6047048379},
				"wakeups": true,
				"unwoken": 0,
				"guessed": false,
				"losses": 0,
				"contradictions": 0,
				"backwards": 0,
				"idle_samples": 0,
				"other_samples": 218
			},
			"columns": [
				{"name": "overhead", "header": "Overhead", "unit": "period", "percent": true},
				{"name": "state", "header": "State", "unit": "text"}
			],
			"rows": [
				{"id": 0, "cells": {"overhead": 7209005270, "overhead_percent": 44.8555, "state": "blocked-sleep"}},
				{"id": 1, "cells": {"overhead": 6047048379, "overhead_percent": 37.6256, "state": "unknown"}},
				{"id": 2, "cells": {"overhead": 2358552853, "overhead_percent": 14.6753, "state": "running"}},
				{"id": 3, "cells": {"overhead": 282100369, "overhead_percent": 1.7553, "state": "runnable-woken"}},
				{"id": 4, "cells": {"overhead": 99322235, "overhead_percent": 0.6180, "state": "runnable-preempted"}},
				{"id": 5, "cells": {"overhead": 75606805, "overhead_percent": 0.4704, "state": "runnable-new"}}
			]
		}
	]
}

=== spans that the recorder summed up, with wakers of names
argv: perf report --wall --stdio -g none -f -i $DATA/report/wall.data -s tid,state,waker -F +period
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 40  of event 'wall-clock'
# Event count (approx.): 389495354
# Wall-clock time: 389.495 ms of 4 threads: running 22.351 ms (5.7%), runnable 86.032 ms (22.1%), blocked 281.106 ms (72.2%), unknown 0.007 ms (0.0%)
#
# Children      Self        Period      Tid:Command  State                    Woken by   
# ........  ........  ............  ...............  .......................  ...........
#
    18.18%    18.18%      70801810    25192:sh       blocked-sleep            sh/25303   
    15.72%    15.72%      61211991    25303:sh       runnable-preempted       -          
    15.11%    15.11%      58869170    25192:sh       blocked-sleep            sh/25302   
    13.16%    13.16%      51269704    25303:sh       blocked-sleep            sh/25302   
    12.85%    12.85%      50058747    25306:sleep    blocked-sleep            [interrupt]
    12.84%    12.84%      50017093    25302:sh       blocked-sleep            sleep/25306
     5.03%     5.03%      19572663    25303:sh       running                  -          
     2.05%     2.05%       7966910    25192:sh       runnable-woken           sh/25302   
     1.43%     1.43%       5587981    25303:sh       runnable-new             -          
     1.42%     1.42%       5522935    25302:sh       runnable-new             -          
     0.55%     0.55%       2126224    25192:sh       runnable-woken           sh/25303   
     0.49%     0.49%       1897063    25302:sh       runnable-preempted       -          
     0.36%     0.36%       1398091    25192:sh       running                  -          
     0.30%     0.30%       1159892    25302:sh       runnable-woken           sh/25306   
     0.28%     0.28%       1092188    25306:sleep    running                  -          
     0.09%     0.09%        355462    25192:sh       runnable-preempted       -          
     0.07%     0.07%        287561    25302:sh       running                  -          
     0.02%     0.02%         89074    25302:sh       blocked-uninterruptible  sh/25306   
     0.02%     0.02%         63546    25306:sleep    runnable-new             -          
     0.01%     0.01%         56829    25303:sh       runnable-woken           sh/25302   
     0.01%     0.01%         56787    25306:sleep    runnable-preempted       -          
     0.01%     0.01%         20695    25306:sleep    runnable-woken           [interrupt]
     0.00%     0.00%          6862    25192:sh       unknown                  -          
     0.00%     0.00%          6076    25302:sh       runnable-woken           sleep/25306


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== the same, in a stream
sh: perf inject -f -i $DATA/report/wall.data -o - | perf report --wall --stdio -q -g none -i - -s state -F period,state | grep .
--- stdout
      22350503  running                
      11174462  runnable-new           
      63521303  runnable-preempted     
      11336626  runnable-woken         
     281016524  blocked-sleep          
         89074  blocked-uninterruptible
          6862  unknown                

=== a stream that tells of no switches
sh: perf inject -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -o - | perf report --wall --stdio -q -g none -i - -s state; echo $?
--- stdout
255
--- stderr
error: 'standard input' does not tell when threads did not run

=== nothing tells of switches
sh: cd $DATA/perfdata && perf report --wall -f -i quipper-perf.data.callgraph-3.8
exit: 255
--- stderr
error: 'quipper-perf.data.callgraph-3.8' does not tell when threads did not run
hint: perf record --wall COMMAND records what is needed

=== keys and options that do not fit
sh: for o in '-s state' '-s waker' '--wall -s parallelism' '--wall --mem-mode' '--wall -b' '--wall -T' '--json --folded'; do perf report $o -f -i $DATA/sched/switches.data 2>&1 | grep -E 'rror|hint|wall|folded' | head -3; done
--- stdout
Error:
hint: it is one of 'perf report --wall'
Error:
hint: it is one of 'perf report --wall'
Error:
--wall shows all the time of threads: it cannot be used together with --mem-mode
        --wall            all the time of threads: running, waiting for a CPU, blocked, with who woke them up (see perf record --wall)
--wall shows all the time of threads: it cannot be used together with --branch-stack
        --wall            all the time of threads: running, waiting for a CPU, blocked, with who woke them up (see perf record --wall)
--wall shows all the time of threads: it cannot be used together with --threads
        --wall            all the time of threads: running, waiting for a CPU, blocked, with who woke them up (see perf record --wall)
--json and --folded are two formats: choose one
        --folded          print lines of keys and callers, 'comm;caller;callee weight', as flamegraph.pl reads them
