# perf sched latency, map: of some tasks, CPUs and a part of the time only.
=== tasks, processes, the time
sh: python3 $DATA/../tools/make_sched_file.py f.data && for o in 'latency -t 7' 'latency --process 8,9' 'latency -t 7,8 -x,' 'map -C 1' 'map -t 7' 'map -p 8' 'map --time 1.0025,' 'map --json --time 1.0005,1.002 -t 8' 'latency -t x' 'map -p 1-'; do echo "-- $o"; perf sched $o -i f.data 2>&1; done
threads: 1 3
exit: 255
--- stdin
1000000000 comm 7 seven
1000000000 comm 8 eight
1000000000 comm 9 nine
1000000000 switch 0 0 0 7
1001000000 waking 0 7 8
1001500000 switch 1 0 0 8
1002000000 switch 0 7 0 9
1002500000 switch 1 8 1 0
1003000000 switch 0 9 1 7
1004000000 switch 0 7 1 0
--- stdout
-- latency -t 7

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  seven:7               |      0.000 ms |        2 | avg:   0.500 ms | max:   1.000 ms | max start:     1.002000 s | max end:     1.003000 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |      0.000 ms |        2 |
 ---------------------------------------------------

-- latency --process 8,9

 -------------------------------------------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------------------------------------------
  eight:8               |      0.000 ms |        1 | avg:   0.500 ms | max:   0.500 ms | max start:     1.001000 s | max end:     1.001500 s
  nine:9                |      0.000 ms |        1 | avg:   0.000 ms | max:   0.000 ms | max start:     0.000000 s | max end:     0.000000 s
 -----------------------------------------------------------------------------------------------------------------
  TOTAL:                |      0.000 ms |        2 |
 ---------------------------------------------------

-- latency -t 7,8 -x,
# type,comm,nr_tasks,tid,runtime_ns,switches,delay_ns,max_delay_ns,max_delay_start,max_delay_end
task,seven,1,7,0,2,1000000,1000000,1.002000000,1.003000000
task,eight,1,8,0,1,500000,500000,1.001000000,1.001500000
# type,runtime_ns,switches,wakeups,unordered,switch_bugs,switches_backwards,lost_events,lost_chunks
total,0,3,1,0,0,0,0,0
-- map -C 1
      
  *B0       1.001500 secs B0 => eight:8
   B0 
  *.        1.002500 secs .  => swapper:0
   .  
   .  
-- map -t 7
  *A0                                                                   1.000000 secs A0 => seven:7
  *                                                                     1.002000 secs 
  *A0  .                                                                1.003000 secs 
  *.   .                                                                1.004000 secs 
-- map -p 8
      *A0                                                               1.001500 secs A0 => eight:8
      *.                                                                1.002500 secs 
-- map --time 1.0025,
   C0 *.                                                                1.002500 secs .  => swapper:0
  *A0  .                                                                1.003000 secs 
  *.   .                                                                1.004000 secs 
-- map --json --time 1.0005,1.002 -t 8
{"schema":"perf sched map","version":1}
{"type":"switch","time":1.001500000,"cpu":1,"prev_comm":"swapper","prev_tid":0,"next_comm":"eight","next_tid":8}
{"type":"total","switches":1,"odd_switches":0,"lost_events":0,"lost_chunks":0}
-- latency -t x
error: cannot read the list of threads 'x'
-- map -p 1-
error: cannot read the list of processes '1-'

