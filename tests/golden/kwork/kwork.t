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
sh: perf kwork -f report -i $DATA/sched/switches.data; echo $?; python3 $DATA/../tools/make_kwork_file.py f.data --field vec=number <<< "1 entry 0 1"; perf kwork report -i f.data; echo $?; for w in "-k foo report" "report -s foo" "latency -s runtime" "report -b -i f" "top -b --time 1," "report sleep 1" "timehist -b" "timehist --max-stack -1" "report -x ." "report -x, --json" "report --time x" reprot ""; do perf kwork $w 2>&1 | head -2; done
--- stdout
255
255
  Error: Unknown --event key: `foo'

  Error: Unknown --sort key: `foo'

  Error: Unknown --sort key: `runtime'

error: -b watches the running machine: it takes no -i
error: -b sums up in the kernel: it takes no --time

 Usage: perf kwork report [<options>]
  Error: unknown switch `b'

Error: --max-stack expects a number that is not negative
 Usage: perf kwork timehist [<options>]
 Error: -x: '.' cannot stand between columns: it has something that is in numbers
 Usage: perf kwork report [<options>]
 Error: --json and -x are mutually exclusive.

error: Invalid time string
error: 'reprot' is no word of perf kwork
hint: did you mean 'report'?

 Usage: perf kwork [<options>] {record|report|latency|timehist|top}
--- stderr
error: '$DATA/sched/switches.data' has no events of the work that is asked for
hint: perf kwork record COMMAND records what is needed
error: irq:softirq_raise of 'f.data' has no field 'vec'

=== what the CPUs' time went to: tasks, idle, interrupts and softirqs, each moment once
sh: python3 $DATA/../tools/make_kwork_file.py f.data && for o in '' '-s tid' '-C 1' '-n beta' '--time 0.0015,0.0065' '--json'; do echo "-- $o"; perf kwork top -i f.data $o; done; perf kwork -k irq top -i f.data | head -4
threads: 1 3
--- stdin
500000 comm 10 alpha
500000 comm 11 beta
1000000 switch 0 0 0 10
2000000 switch 1 0 0 11
3000000 switch 0 10 1 0
4000000 entry 0 4
4050000 irq_entry 0 36 disk
4100000 irq_exit 0 36                   # within the softirq
4200000 exit 0 4
4000000 switch 1 11 0 10
5000000 switch 0 0 0 11
6000000 irq_entry 0 36 disk
6100000 irq_exit 0 36
7000000 switch 0 11 0 10
8000000 switch 1 10 0 0
9000000 switch 0 10 1 0
9500000 switch 1 0 0 12
--- stdout
-- 

Total  :     15.500 ms, 2 cpus
%Cpu(s):  21.29% id,   0.97% hi,   0.97% si
%Cpu0   [||||||||||||||||||||||          73.75%]
%Cpu1   [||||||||||||||||||||||||        80.00%]

      PID    %CPU           RUNTIME  COMMAND         
  ----------------------------------------------------
       10  103.33          8.000 ms  alpha           
       11   50.41          3.900 ms  beta            
        0   22.50          1.800 ms  swapper/0       
        0   20.00          1.500 ms  swapper/1       

-- -s tid

Total  :     15.500 ms, 2 cpus
%Cpu(s):  21.29% id,   0.97% hi,   0.97% si
%Cpu0   [||||||||||||||||||||||          73.75%]
%Cpu1   [||||||||||||||||||||||||        80.00%]

      PID    %CPU           RUNTIME  COMMAND         
  ----------------------------------------------------
        0   22.50          1.800 ms  swapper/0       
        0   20.00          1.500 ms  swapper/1       
       10  103.33          8.000 ms  alpha           
       11   50.41          3.900 ms  beta            

-- -C 1

Total  :      7.500 ms, 1 cpus
%Cpu(s):  20.00% id,   0.00% hi,   0.00% si
%Cpu1   [||||||||||||||||||||||||        80.00%]

      PID    %CPU           RUNTIME  COMMAND         
  ----------------------------------------------------
       10   53.33          4.000 ms  alpha           
       11   26.66          2.000 ms  beta            
        0   20.00          1.500 ms  swapper/1       

-- -n beta

Total  :     15.500 ms, 2 cpus
%Cpu(s):  21.29% id,   0.97% hi,   0.97% si
%Cpu0   [|||||||                         23.75%]
%Cpu1   [||||||||                        26.67%]

      PID    %CPU           RUNTIME  COMMAND         
  ----------------------------------------------------
       11   50.41          3.900 ms  beta            

-- --time 0.0015,0.0065

Total  :      4.000 ms, 2 cpus
%Cpu(s):  45.00% id,   1.25% hi,   3.75% si
%Cpu0   [                                 0.00%]
%Cpu1   [|||||||||||||||||||||||||||||| 100.00%]

      PID    %CPU           RUNTIME  COMMAND         
  ----------------------------------------------------
       11  100.00          2.000 ms  beta            
        0   90.00          1.800 ms  swapper/0       

-- --json
{"schema":"perf kwork top","version":1,"cpus":[{"cpu":0,"total_ns":8000000,"idle_ns":1800000,"irq_ns":150000,"softirq_ns":150000,"tasks_ns":5900000,"unknown_ns":0},{"cpu":1,"total_ns":7500000,"idle_ns":1500000,"irq_ns":0,"softirq_ns":0,"tasks_ns":6000000,"unknown_ns":0}],"rows":[{"tid":10,"name":"alpha","total_ns":8000000,"percent":103.333333333333},{"tid":11,"name":"beta","total_ns":3900000,"percent":50.4166666666667},{"tid":0,"name":"swapper/0","total_ns":1800000,"percent":22.5},{"tid":0,"name":"swapper/1","total_ns":1500000,"percent":20}],"skipped":{"raises":0,"entries":0,"exits":0},"lost":0}

Total  :     15.500 ms, 2 cpus
%Cpu(s):  22.26% id,   0.97% hi,   0.00% si
%Cpu0   [||||||||||||||||||||||          73.75%]

=== ends that were lost, switches from a task that did not have the CPU, times that go backwards
sh: python3 $DATA/../tools/make_kwork_file.py f.data && perf kwork top -i f.data
--- stdin
1000000 switch 0 0 0 10
1100000 entry 0 4
2000000 switch 0 10 0 11
3000000 switch 0 12 0 13                # 11 went unseen
3500000 irq_exit 0 36
3100000 irq_entry 0 36 disk
3200000 irq_entry 0 36 disk
3300000 irq_exit 0 36
4000000 switch 0 13 0 10
4100000 entry 0 4
4200000 irq_entry 0 36 disk
4300000 exit 0 4
4400000 irq_exit 0 36
4410000 switch 0 10 0 13
4500000 switch 9999999 10 0 11
--- stdout

Total  :      3.410 ms, 1 cpus
%Cpu(s):   0.00% id,   2.93% hi,   5.87% si
%Cpu0   [||||||||||||||||||              61.88%]

      PID    %CPU           RUNTIME  COMMAND         
  ----------------------------------------------------
       10   35.48          1.210 ms  :10             
       13   26.39          0.900 ms  :13             
  INFO: of CPU 0 29.33% is not known, since switches were not recorded
  INFO: 40.000% skipped events (6 including 0 raise, 4 entry, 2 exit)


=== next to nothing to tell without switches
sh: python3 $DATA/../tools/make_kwork_file.py f.data && perf kwork top -i f.data; echo $?; perf kwork top -s x; echo $?
--- stdin
1000000 entry 0 4
1100000 exit 0 4
--- stdout

Total  :      0.000 ms, 0 cpus
%Cpu(s):   0.00% id,   0.00% hi,   0.00% si

      PID    %CPU           RUNTIME  COMMAND         
  ----------------------------------------------------

0
129
--- stderr
warning: 'f.data' has no samples of sched:sched_switch, so there is nothing to tell (hint: perf kwork -k irq,softirq,sched record COMMAND records what is needed)
  Error: Unknown --sort key: `x'

 Usage: perf kwork top [<options>]

    -b, --use-bpf         Use BPF to measure kwork runtime
    -C, --cpu <cpu>       list of cpus to profile
    -i, --input <file>    input file name
    -n, --name <name>     event name to profile
    -p, --pid <pid[,pid...]>
                          only these processes
    -s, --sort <key[,key2...]>
                          sort by key(s): rate, runtime, tid
    -t, --tid <tid[,tid...]>
                          only these threads
    -x, --field-separator <separator>
                          print values with this between them (doc/cmd/kwork.md)
        --json            print JSON
        --time <str>      Time span for analysis (start,stop)


=== as JSON
sh: for o in report latency timehist; do perf kwork $o --json -i $DATA/kwork/kwork.data | head -c 700; echo; done
--- stdout
{"schema":"perf kwork report","version":1,"span_ns":266086,"rows":[{"kind":"irq","name":"disk","number":36,"cpu":1,"nr":15,"total_ns":15675,"max_ns":1087,"max_start_ns":265000,"max_end_ns":266087},{"kind":"irq","name":"disk","number":36,"cpu":0,"nr":15,"total_ns":15630,"max_ns":1084,"max_start_ns":256000,"max_end_ns":257084},{"kind":"softirq","name":"SCHED","number":7,"cpu":1,"nr":5,"total_ns":10085,"max_ns":2029,"max_start_ns":262029,"max_end_ns":264058},{"kind":"softirq","name":"BLOCK","number":4,"cpu":0,"nr":5,"total_ns":10080,"max_ns":2028,"max_start_ns":253028,"max_end_ns":255056},{"kind":"softirq","name":"TIMER","number":1,"cpu":1,"nr":5,"total_ns":10075,"max_ns":2027,"max_start_ns":24
{"schema":"perf kwork latency","version":1,"span_ns":266086,"rows":[{"kind":"softirq","name":"SCHED","number":7,"cpu":1,"nr":5,"total_ns":5080,"max_ns":1028,"max_start_ns":261001,"max_end_ns":262029},{"kind":"softirq","name":"BLOCK","number":4,"cpu":0,"nr":5,"total_ns":5075,"max_ns":1027,"max_start_ns":252001,"max_end_ns":253028},{"kind":"softirq","name":"TIMER","number":1,"cpu":1,"nr":5,"total_ns":5070,"max_ns":1026,"max_start_ns":243001,"max_end_ns":244027},{"kind":"softirq","name":"SCHED","number":7,"cpu":0,"nr":5,"total_ns":5065,"max_ns":1025,"max_start_ns":234001,"max_end_ns":235026},{"kind":"softirq","name":"BLOCK","number":4,"cpu":1,"nr":5,"total_ns":5060,"max_ns":1024,"max_start_ns":
{"schema":"perf kwork timehist","version":1}
{"type":"run","kind":"softirq","name":"TIMER","number":1,"cpu":0,"start_ns":1000,"end_ns":3000,"waited_ns":999}
{"type":"run","kind":"irq","name":"disk","number":36,"cpu":0,"start_ns":4000,"end_ns":5000,"waited_ns":null}
{"type":"run","kind":"softirq","name":"BLOCK","number":4,"cpu":1,"start_ns":10001,"end_ns":12002,"waited_ns":1000}
{"type":"run","kind":"irq","name":"disk","number":36,"cpu":1,"start_ns":13000,"end_ns":14003,"waited_ns":null}
{"type":"run","kind":"softirq","name":"SCHED","number":7,"cpu":0,"start_ns":19002,"end_ns":21004,"waited_ns":1001}
{"type":"run","kind":"irq","name":"disk","number":36,"cpu":0,"start_ns":22000,"end_ns":23006,

=== callers of each piece of work that ran, as text, values and JSON, of a stream too; a recording without any
sh: K=$DATA/lock/kallsyms; python3 $DATA/../tools/make_kwork_file.py f.data && for o in '' '--max-stack 0' '-x ;' --json; do perf kwork timehist -g --kallsyms $K -i f.data $o; done; perf inject -i f.data | perf kwork timehist -g --json --kallsyms $K -i - | md5sum; perf kwork timehist -g --json --kallsyms $K -i f.data | md5sum; perf kwork timehist -g -i $DATA/kwork/kwork.data | tail -1
threads: 1 3
--- stdin
1000 entry 0 1 @ 0xffffffff81000330 0xffffffff81000110 0xffffffff81000220
2000 irq_entry 0 36 disk @ 0xffffffff81000620
2500 irq_exit 0 36
3000 exit 0 1
4000 activate 0 0x100 0x50
5000 start 0 0x100 0x50
6000 end 0 0x100 0x50
--- stdout
 Runtime start      Runtime end        Cpu     Kwork name                      Runtime     Delaytime 
                                               (TYPE)NAME:NUM                  (msec)      (msec)    
 -----------------  -----------------  ------  ------------------------------  ----------  ----------
          0.000002           0.000002  [0000]  disk:36                              0.001               mutex_lock
          0.000001           0.000003  [0000]  (s)TIMER:1                           0.002               inner_c <- outer_a <- middle_b
          0.000005           0.000006  [0000]  (w)0x50                              0.001       0.001 
 Runtime start      Runtime end        Cpu     Kwork name                      Runtime     Delaytime 
                                               (TYPE)NAME:NUM                  (msec)      (msec)    
 -----------------  -----------------  ------  ------------------------------  ----------  ----------
          0.000002           0.000002  [0000]  disk:36                              0.001               mutex_lock
          0.000001           0.000003  [0000]  (s)TIMER:1                           0.002               inner_c <- outer_a
          0.000005           0.000006  [0000]  (w)0x50                              0.001       0.001 
# type;kind;name;number;cpu;start_ns;end_ns;waited_ns;stack
run;irq;disk;36;0;2000;2500;;mutex_lock
run;softirq;TIMER;1;0;1000;3000;;inner_c <- outer_a <- middle_b
run;workqueue;0x50;;0;5000;6000;1000;
# type;span_ns;skipped_raises;skipped_entries;skipped_exits;lost_events
total;5000;0;0;0;0
{"schema":"perf kwork timehist","version":1}
{"type":"run","kind":"irq","name":"disk","number":36,"cpu":0,"start_ns":2000,"end_ns":2500,"waited_ns":null,"stack":"mutex_lock"}
{"type":"run","kind":"softirq","name":"TIMER","number":1,"cpu":0,"start_ns":1000,"end_ns":3000,"waited_ns":null,"stack":"inner_c <- outer_a <- middle_b"}
{"type":"run","kind":"workqueue","name":"0x50","number":null,"cpu":0,"start_ns":5000,"end_ns":6000,"waited_ns":1000,"stack":null}
{"type":"total","span_ns":5000,"skipped_raises":0,"skipped_entries":0,"skipped_exits":0,"lost_events":0}
2bbbef8ef7c7fe25f462dd2a40b8e777  -
2bbbef8ef7c7fe25f462dd2a40b8e777  -
          0.000265           0.000266  [0001]  disk:36                              0.001             
--- stderr
warning: the recording has no callers (hint: perf kwork record -g)

=== values between separators
sh: for o in report latency timehist top; do perf kwork $o -x, -i $DATA/kwork/kwork.data 2>/dev/null | head -4; done; python3 $DATA/../tools/make_kwork_file.py f.data && perf kwork top -x ';' -i f.data
--- stdin
1000000 switch 0 0 0 10
2000000 switch 0 10 1 0
2500000 entry 0 4
2600000 exit 0 4
3000000 switch 0 0 0 11
--- stdout
# type,kind,name,number,cpu,nr,total_ns,max_ns,max_start_ns,max_end_ns
work,irq,disk,36,1,15,15675,1087,265000,266087
work,irq,disk,36,0,15,15630,1084,256000,257084
work,softirq,SCHED,7,1,5,10085,2029,262029,264058
# type,kind,name,number,cpu,nr,total_ns,max_ns,max_start_ns,max_end_ns
work,softirq,SCHED,7,1,5,5080,1028,261001,262029
work,softirq,BLOCK,4,0,5,5075,1027,252001,253028
work,softirq,TIMER,1,1,5,5070,1026,243001,244027
# type,kind,name,number,cpu,start_ns,end_ns,waited_ns
run,softirq,TIMER,1,0,1000,3000,999
run,irq,disk,36,0,4000,5000,
run,softirq,BLOCK,4,1,10001,12002,1000
# type,skipped_raises,skipped_entries,skipped_exits,lost_events
total,0,0,0,0
# type;cpu;total_ns;idle_ns;irq_ns;softirq_ns;tasks_ns;unknown_ns
cpu;0;2000000;900000;0;100000;1000000;0
# type;tid;name;total_ns;percent
task;10;:10;1000000;50.00
task;0;swapper/0;900000;45.00
# type;skipped_raises;skipped_entries;skipped_exits;lost_events
total;0;0;0;0

=== names from a file are escaped once: for a terminal in the text, for JSON there
sh: printf '1000 irq_entry 0 36 d\033[1m\n2000 irq_exit 0 36\n' | python3 $DATA/../tools/make_kwork_file.py f.data && for o in report timehist; do perf kwork $o -i f.data | grep 'd.*1m'; perf kwork $o -x, -i f.data | grep 1m; perf kwork $o --json -i f.data | grep -o '"name":[^,]*'; done
--- stdout
  d\x1b[1m:36                    | 0000 |      0.001 ms |         1 |      0.001 ms |          0.000001 s |          0.000002 s |
work,irq,d\x1b[1m,36,0,1,1000,1000,1000,2000
"name":"d\u001b[1m"
          0.000001           0.000002  [0000]  d\x1b[1m:36                          0.001             
run,irq,d\x1b[1m,36,0,1000,2000,
"name":"d\u001b[1m"

