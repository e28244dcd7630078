# perf kwork: interrupts, softirqs and work of the kernel.
=== each class; softirqs that are asked for again, work of another CPU, what has no counterpart
sh: python3 $DATA/../tools/make_kwork_file.py f.data && for c in 'report -S' latency timehist; do echo "-- $c"; perf kwork $c -i f.data; done
--- stdin
1000000 irq_entry 0 36 virtio1-req.0
1004000 irq_exit 0 36
1005000 raise 0 4
1006000 entry 0 4
1010000 exit 0 4
1011000 raise 0 7
1012000 raise 0 7
1013000 entry 0 7
1014000 exit 0 7
1015000 entry 0 7
1016000 exit 0 7
1020000 raise 1 1
1021000 raise 1 1
1022000 raise 1 1
1023000 entry 1 1
1024000 exit 1 1
1030000 raise 1 1
1032000 entry 1 1
1035000 exit 1 1
1040000 activate 0 0x100 0x50
1050000 start 1 0x100 0x50
1070000 end 1 0x100 0x50
1080000 end 1 0x200 0x60
1090000 start 1 0x200 0x60
1095000 start 1 0x200 0x60
1100000 irq_entry 1 36 virtio1-req.0
1103000 irq_exit 1 36
--- stdout
-- report -S

  Kwork Name                     | Cpu  | Total Runtime | Count     | Max runtime   | Max runtime start   | Max runtime end     |
 --------------------------------------------------------------------------------------------------------------------------------
  (w)0x50                        | 0001 |      0.020 ms |         1 |      0.020 ms |          0.001050 s |          0.001070 s |
  virtio1-req.0:36               | 0000 |      0.004 ms |         1 |      0.004 ms |          0.001000 s |          0.001004 s |
  (s)BLOCK:4                     | 0000 |      0.004 ms |         1 |      0.004 ms |          0.001006 s |          0.001010 s |
  (s)TIMER:1                     | 0001 |      0.004 ms |         2 |      0.003 ms |          0.001032 s |          0.001035 s |
  virtio1-req.0:36               | 0001 |      0.003 ms |         1 |      0.003 ms |          0.001100 s |          0.001103 s |
  (s)SCHED:7                     | 0000 |      0.002 ms |         2 |      0.001 ms |          0.001013 s |          0.001014 s |
 --------------------------------------------------------------------------------------------------------------------------------
  Total count            :         8
  Total runtime   (msec) :     0.037 (35.922% load average)
  Total time span (msec) :     0.103
 --------------------------------------------------------------------------------------------------------------------------------
  INFO: 11.111% skipped events (3 including 0 raise, 2 entry, 1 exit)

-- latency

  Kwork Name                     | Cpu  | Avg delay     | Count     | Max delay     | Max delay start     | Max delay end       |
 --------------------------------------------------------------------------------------------------------------------------------
  (w)0x50                        | 0001 |      0.010 ms |         1 |      0.010 ms |          0.001040 s |          0.001050 s |
  (s)SCHED:7                     | 0000 |      0.003 ms |         2 |      0.003 ms |          0.001012 s |          0.001015 s |
  (s)TIMER:1                     | 0001 |      0.003 ms |         2 |      0.003 ms |          0.001020 s |          0.001023 s |
  (s)BLOCK:4                     | 0000 |      0.001 ms |         1 |      0.001 ms |          0.001005 s |          0.001006 s |
 --------------------------------------------------------------------------------------------------------------------------------
  INFO: 22.222% skipped events (6 including 2 raise, 4 entry, 0 exit)

-- timehist
 Runtime start      Runtime end        Cpu     Kwork name                      Runtime     Delaytime 
                                               (TYPE)NAME:NUM                  (msec)      (msec)    
 -----------------  -----------------  ------  ------------------------------  ----------  ----------
          0.001000           0.001004  [0000]  virtio1-req.0:36                     0.004             
          0.001006           0.001010  [0000]  (s)BLOCK:4                           0.004       0.001 
          0.001013           0.001014  [0000]  (s)SCHED:7                           0.001       0.002 
          0.001015           0.001016  [0000]  (s)SCHED:7                           0.001       0.003 
          0.001023           0.001024  [0001]  (s)TIMER:1                           0.001       0.003 
          0.001032           0.001035  [0001]  (s)TIMER:1                           0.003       0.002 
          0.001050           0.001070  [0001]  (w)0x50                              0.020       0.010 
          0.001100           0.001103  [0001]  virtio1-req.0:36                     0.003             

=== some of it
sh: python3 $DATA/../tools/make_kwork_file.py f.data && for o in '-k irq report' '-k softirq,workqueue report' '-k workqueue latency' 'report -C 1' 'report -n TIMER' 'report -n disk' 'report -s count,max' 'report --time 0.001022,0.001035' 'timehist -n BLOCK' 'lat -s max'; do echo "-- $o"; perf kwork $o -i f.data | grep -v '^ --\|^$\|Kwork'; done
--- stdin
1000000 irq_entry 0 36 disk
1004000 irq_exit 0 36
1005000 raise 0 4
1006000 entry 0 4
1010000 exit 0 4
1011000 raise 0 7
1012000 raise 0 7
1013000 entry 0 7
1014000 exit 0 7
1015000 entry 0 7
1016000 exit 0 7
1020000 raise 1 1
1021000 raise 1 1
1022000 raise 1 1
1023000 entry 1 1
1024000 exit 1 1
1030000 raise 1 1
1032000 entry 1 1
1035000 exit 1 1
1040000 activate 0 0x100 0x50
1050000 start 1 0x100 0x50
1070000 end 1 0x100 0x50
1080000 end 1 0x200 0x60
1090000 start 1 0x200 0x60
1095000 start 1 0x200 0x60
1100000 irq_entry 1 36 disk
1103000 irq_exit 1 36
--- stdout
-- -k irq report
  disk:36                        | 0000 |      0.004 ms |         1 |      0.004 ms |          0.001000 s |          0.001004 s |
  disk:36                        | 0001 |      0.003 ms |         1 |      0.003 ms |          0.001100 s |          0.001103 s |
-- -k softirq,workqueue report
  (w)0x50                        | 0001 |      0.020 ms |         1 |      0.020 ms |          0.001050 s |          0.001070 s |
  (s)BLOCK:4                     | 0000 |      0.004 ms |         1 |      0.004 ms |          0.001006 s |          0.001010 s |
  (s)TIMER:1                     | 0001 |      0.004 ms |         2 |      0.003 ms |          0.001032 s |          0.001035 s |
  (s)SCHED:7                     | 0000 |      0.002 ms |         2 |      0.001 ms |          0.001013 s |          0.001014 s |
  INFO: 11.111% skipped events (3 including 0 raise, 2 entry, 1 exit)
-- -k workqueue latency
  (w)0x50                        | 0001 |      0.010 ms |         1 |      0.010 ms |          0.001040 s |          0.001050 s |
  INFO: 7.407% skipped events (2 including 0 raise, 2 entry, 0 exit)
-- report -C 1
  (w)0x50                        | 0001 |      0.020 ms |         1 |      0.020 ms |          0.001050 s |          0.001070 s |
  (s)TIMER:1                     | 0001 |      0.004 ms |         2 |      0.003 ms |          0.001032 s |          0.001035 s |
  disk:36                        | 0001 |      0.003 ms |         1 |      0.003 ms |          0.001100 s |          0.001103 s |
  INFO: 11.111% skipped events (3 including 0 raise, 2 entry, 1 exit)
-- report -n TIMER
  (s)TIMER:1                     | 0001 |      0.004 ms |         2 |      0.003 ms |          0.001032 s |          0.001035 s |
  INFO: 11.111% skipped events (3 including 0 raise, 2 entry, 1 exit)
-- report -n disk
  disk:36                        | 0000 |      0.004 ms |         1 |      0.004 ms |          0.001000 s |          0.001004 s |
  disk:36                        | 0001 |      0.003 ms |         1 |      0.003 ms |          0.001100 s |          0.001103 s |
  INFO: 11.111% skipped events (3 including 0 raise, 2 entry, 1 exit)
-- report -s count,max
  (s)TIMER:1                     | 0001 |      0.004 ms |         2 |      0.003 ms |          0.001032 s |          0.001035 s |
  (s)SCHED:7                     | 0000 |      0.002 ms |         2 |      0.001 ms |          0.001013 s |          0.001014 s |
  (w)0x50                        | 0001 |      0.020 ms |         1 |      0.020 ms |          0.001050 s |          0.001070 s |
  disk:36                        | 0000 |      0.004 ms |         1 |      0.004 ms |          0.001000 s |          0.001004 s |
  (s)BLOCK:4                     | 0000 |      0.004 ms |         1 |      0.004 ms |          0.001006 s |          0.001010 s |
  disk:36                        | 0001 |      0.003 ms |         1 |      0.003 ms |          0.001100 s |          0.001103 s |
  INFO: 11.111% skipped events (3 including 0 raise, 2 entry, 1 exit)
-- report --time 0.001022,0.001035
  (s)TIMER:1                     | 0001 |      0.004 ms |         2 |      0.003 ms |          0.001032 s |          0.001035 s |
-- timehist -n BLOCK
                                               (TYPE)NAME:NUM                  (msec)      (msec)    
          0.001006           0.001010  [0000]  (s)BLOCK:4                           0.004       0.001 
-- lat -s max
  (w)0x50                        | 0001 |      0.010 ms |         1 |      0.010 ms |          0.001040 s |          0.001050 s |
  (s)SCHED:7                     | 0000 |      0.003 ms |         2 |      0.003 ms |          0.001012 s |          0.001015 s |
  (s)TIMER:1                     | 0001 |      0.003 ms |         2 |      0.003 ms |          0.001020 s |          0.001023 s |
  (s)BLOCK:4                     | 0000 |      0.001 ms |         1 |      0.001 ms |          0.001005 s |          0.001006 s |
  INFO: 22.222% skipped events (6 including 2 raise, 4 entry, 0 exit)

=== events that were lost, and a stream
sh: python3 $DATA/../tools/make_kwork_file.py f.data && perf inject -i f.data | perf kwork report -i -
--- stdin
1000 entry 0 1
3000 exit 0 1
4000 lost 3
--- stdout

  Kwork Name                     | Cpu  | Total Runtime | Count     | Max runtime   | Max runtime start   | Max runtime end     |
 --------------------------------------------------------------------------------------------------------------------------------
  (s)TIMER:1                     | 0000 |      0.002 ms |         1 |      0.002 ms |          0.000001 s |          0.000003 s |
 --------------------------------------------------------------------------------------------------------------------------------
  INFO: 20.000% lost events (3 out of 15, in 1 chunks)

--- stderr
warning: 3 events were lost while recording: times are those of what is left

=== no such events, a field that is missing, wrong words
sh: perf kwork -f report -i $DATA/sched/switches.data; echo $?; python3 $DATA/../tools/make_kwork_file.py f.data --field vec=number <<< "1 entry 0 1"; perf kwork report -i f.data; echo $?; for w in "-k foo report" "report -s foo" "latency -s runtime" "report -b" "timehist -g" "report --time x" reprot ""; do perf kwork $w 2>&1 | head -2; done
--- stdout
255
255
  Error: Unknown --event key: `foo'

  Error: Unknown --sort key: `foo'

  Error: Unknown --sort key: `runtime'

--use-bpf: not there yet: perf kwork reads recordings, without callers

--call-graph: not there yet: perf kwork reads recordings, without callers

error: Invalid time string
error: 'reprot' is no word of perf kwork
hint: did you mean 'report'?

 Usage: perf kwork [<options>] {record|report|latency|timehist}
--- stderr
error: '$DATA/sched/switches.data' has no events of the work that is asked for
hint: perf kwork record COMMAND records what is needed
error: irq:softirq_raise of 'f.data' has no field 'vec'

