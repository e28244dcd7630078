# perf lock: waits for locks.
=== by caller, by thread, by lock, with its stacks; nested beginnings, ends without one, waits without end
sh: exec 2>&1; python3 $DATA/../tools/make_lock_file.py f.data && for c in contention 'contention -t' 'contention -l' 'contention -v -E 2' report 'report -t' 'report -c' info; do echo "-- $c"; perf lock --kallsyms $DATA/lock/kallsyms -i f.data $c; done
--- stdin
1 comm 5 cat
1000 begin 0 5 0x10 1 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000620 0xffffffff81000110 0xffffffff81000220
1500 end 0 5 0x10 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000620 0xffffffff81000110 0xffffffff81000220
2000 begin 0 5 0x10 1 0xffffffff81000720 0xffffffff81000330 0xffffffff81000720 0xffffffff81000220 0xffffffff81000620 0xffffffff81000110 0xffffffff81000220
2600 end 0 5 0x10 0 0xffffffff81000720 0xffffffff81000330 0xffffffff81000720 0xffffffff81000220 0xffffffff81000620 0xffffffff81000110 0xffffffff81000220
3000 begin 0 6 0x11 1 0xffffffff81000720 0xffffffff81000330
3700 end 0 6 0x11 0 0xffffffff81000720 0xffffffff81000330
4000 begin 0 6 0x12 1 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720
4800 end 0 6 0x12 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720
5000 begin 0 6 0x13 1 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
5100 begin 0 6 0x13 1 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000220
5900 end 0 6 0x13 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000220
6000 begin 0 7 0x13 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
6200 begin 0 7 0x13 0x21 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
6900 end 0 7 0x13 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
7000 end 0 8 0x13 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
8000 begin 0 8 0x13 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000330 0xffffffff81000110
8100 begin 0 9 0x14 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
9200 end 0 9 0x14 -4 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
9300 begin 0 9 0x14 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000440
9200 end 0 9 0x14 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000440
9400 begin 0 9 0x14 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000440 0xffffffff81000110
9500 end 0 9 0x14 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000440 0xffffffff81000110
9600 begin 0 9 0x14 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000440 0xffffffff81000110
9800 end 0 9 0x14 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000440 0xffffffff81000110
--- stdout
-- contention
 contended   total wait     max wait     avg wait         type   caller

         2      2.00 us      1.10 us      1.00 us        mutex   after_a_very_long_name_indeed+0x10
         2      1.50 us       800 ns       750 ns     spinlock   Unknown
         1       900 ns       900 ns       900 ns     spinlock   after_a_very_long_name_indeed+0x10
         1       600 ns       600 ns       600 ns     spinlock   middle_b+0x20
         1       500 ns       500 ns       500 ns     spinlock   outer_a+0x10
         1       200 ns       200 ns       200 ns        mutex   after_a_very_long_name_indeed+0x10
         1       200 ns       200 ns       200 ns        mutex   deep_d+0x40
         1         0 ns         0 ns         0 ns        mutex   inner_c+0x30
-- contention -t
 contended   total wait     max wait     avg wait          pid   comm

         3      2.40 us       900 ns       800 ns            6   :6
         3      1.50 us      1.10 us       500 ns            9   :9
         2      1.10 us       600 ns       550 ns            5   cat
         1       900 ns       900 ns       900 ns            7   :7
         1         0 ns         0 ns         0 ns            8   :8
-- contention -l
 contended   total wait     max wait     avg wait            address   symbol

         3      1.80 us       900 ns       900 ns   0000000000000013    (spinlock)
         3      1.50 us      1.10 us       500 ns   0000000000000014    (mutex)
         2      1.10 us       600 ns       550 ns   0000000000000010    (spinlock)
         1       800 ns       800 ns       800 ns   0000000000000012    (spinlock)
         1       700 ns       700 ns       700 ns   0000000000000011    (spinlock)
-- contention -v -E 2
 contended   total wait     max wait     avg wait         type   caller

         2      2.00 us      1.10 us      1.00 us        mutex   after_a_very_long_name_indeed+0x10
			0xffffffff81000720  _raw_spin_lock+0x10
			0xffffffff81000720  _raw_spin_lock+0x10
			0xffffffff81000720  _raw_spin_lock+0x10
			0xffffffff81000910  after_a_very_long_name_indeed+0x10
			0xffffffff81000110  outer_a+0x10
         2      1.50 us       800 ns       750 ns     spinlock   Unknown
			0xffffffff81000720  _raw_spin_lock+0x10
			0xffffffff81000330  inner_c+0x30
2 waits are not counted: they ended, but where they began is not recorded
-- report
                Name   acquired  contended     avg wait   total wait     max wait     min wait 

 after_a_very_lon...          3          3       500 ns      1.50 us      1.10 us       200 ns 
        outer_a+0x10          2          2       550 ns      1.10 us       600 ns       500 ns 
 after_a_very_lon...          2          3       900 ns      1.80 us       900 ns       900 ns 
             Unknown          1          1       700 ns       700 ns       700 ns       700 ns 
             Unknown          1          1       800 ns       800 ns       800 ns       800 ns 
-- report -t
                Name   acquired  contended     avg wait   total wait     max wait     min wait 

                  :6          3          3       800 ns      2.40 us       900 ns       700 ns 
                  :9          3          3       500 ns      1.50 us      1.10 us       200 ns 
                 cat          2          2       550 ns      1.10 us       600 ns       500 ns 
                  :7          1          1       900 ns       900 ns       900 ns       900 ns 
-- report -c
                Name   acquired  contended     avg wait   total wait     max wait     min wait 

 after_a_very_lon...          5          6       660 ns      3.30 us      1.10 us       200 ns 
        outer_a+0x10          2          2       550 ns      1.10 us       600 ns       500 ns 
             Unknown          2          2       750 ns      1.50 us       800 ns       700 ns 
-- info
 Thread ID: comm
         5: cat
         6: :6
         7: :7
         8: :8
         9: :9

Address of instance: name of class
 0x11: Unknown
 0x12: Unknown
 0x13: after_a_very_long_name_indeed+0x10
 0x14: after_a_very_long_name_indeed+0x10
 0x10: outer_a+0x10

=== types of locks
sh: exec 2>&1; python3 $DATA/../tools/make_lock_file.py f.data && perf lock -i f.data contention -l -k avg_wait -F avg_wait
--- stdin
1000 begin 0 5 0x1000 0x0
1100 end 0 5 0x1000 0
2000 begin 0 5 0x1001 0x1
2101 end 0 5 0x1001 0
3000 begin 0 5 0x1002 0x2
3102 end 0 5 0x1002 0
4000 begin 0 5 0x1003 0x3
4103 end 0 5 0x1003 0
5000 begin 0 5 0x1004 0x4
5104 end 0 5 0x1004 0
6000 begin 0 5 0x1005 0x5
6105 end 0 5 0x1005 0
7000 begin 0 5 0x1006 0x6
7106 end 0 5 0x1006 0
8000 begin 0 5 0x1007 0x8
8107 end 0 5 0x1007 0
9000 begin 0 5 0x1008 0xa
9108 end 0 5 0x1008 0
10000 begin 0 5 0x1009 0xc
10109 end 0 5 0x1009 0
11000 begin 0 5 0x100a 0x12
11110 end 0 5 0x100a 0
12000 begin 0 5 0x100b 0x14
12111 end 0 5 0x100b 0
13000 begin 0 5 0x100c 0x20
13112 end 0 5 0x100c 0
14000 begin 0 5 0x100d 0x21
14113 end 0 5 0x100d 0
15000 begin 0 5 0x100e 0x40
15114 end 0 5 0x100e 0
--- stdout
    avg wait            address   symbol

      114 ns   000000000000100e    (unknown)
      113 ns   000000000000100d    (mutex)
      112 ns   000000000000100c    (mutex)
      111 ns   000000000000100b    (pcpu-sem:W)
      110 ns   000000000000100a    (pcpu-sem:R)
      109 ns   0000000000001009    (rwlock-rt:W)
      108 ns   0000000000001008    (rwlock-rt:R)
      107 ns   0000000000001007    (rtmutex)
      106 ns   0000000000001006    (unknown)
      105 ns   0000000000001005    (rwlock:W)
      104 ns   0000000000001004    (rwsem:W)
      103 ns   0000000000001003    (rwlock:R)
      102 ns   0000000000001002    (rwsem:R)
      101 ns   0000000000001001    (spinlock)
      100 ns   0000000000001000    (semaphore)

=== lengths of time
sh: exec 2>&1; python3 $DATA/../tools/make_lock_file.py f.data && perf lock -i f.data contention -l -k wait_max -F wait_max && perf lock -i f.data contention -l -k wait_max -F wait_max -x ,
--- stdin
1000 begin 0 5 0x1 1
1001 end 0 5 0x1 0
1002 begin 0 5 0x3e7 1
2001 end 0 5 0x3e7 0
2002 begin 0 5 0x3e8 1
3002 end 0 5 0x3e8 0
3003 begin 0 5 0x5dc 1
4503 end 0 5 0x5dc 0
4504 begin 0 5 0x1869f 1
104503 end 0 5 0x1869f 0
104504 begin 0 5 0x3b9ac9ff 1
1000104503 end 0 5 0x3b9ac9ff 0
1000104504 begin 0 5 0xdbcac8e00 1
60000104504 end 0 5 0xdbcac8e00 0
60000104505 begin 0 5 0xe33e22200 1
121000104505 end 0 5 0xe33e22200 0
121000104506 begin 0 5 0x35d792f8800 1
3821000104506 end 0 5 0x35d792f8800 0
3821000104507 begin 0 5 0x51dac207a000 1
93821000104507 end 0 5 0x51dac207a000 0
--- stdout
    max wait            address   symbol

    25.00 h    000051dac207a000    (spinlock)
     1.03 h    0000035d792f8800    (spinlock)
     1.02 m    0000000e33e22200    (spinlock)
    59.00 s    0000000dbcac8e00    (spinlock)
     1.00 s    000000003b9ac9ff    (spinlock)
   100.00 us   000000000001869f    (spinlock)
     1.50 us   00000000000005dc    (spinlock)
     1.00 us   00000000000003e8    (spinlock)
      999 ns   00000000000003e7    (spinlock)
        1 ns   0000000000000001    (spinlock)
# output: max wait, address, symbol, type
90000000000000, 51dac207a000, , spinlock
3700000000000, 35d792f8800, , spinlock
61000000000, e33e22200, , spinlock
59000000000, dbcac8e00, , spinlock
999999999, 3b9ac9ff, , spinlock
99999, 1869f, , spinlock
1500, 5dc, , spinlock
1000, 3e8, , spinlock
999, 3e7, , spinlock
1, 1, , spinlock

=== some of them
sh: exec 2>&1; python3 $DATA/../tools/make_lock_file.py f.data && for o in '-Y rwsem' '-Y mutex,rwsem:R' '-L 0x20' '-L the_lock,0x30' '-S middle' '-C 1' '-p 6' '--tid 5,6' '-E 1' '--time 0.0000055,' '--max-stack 3' '--stack-skip 4'; do echo "-- $o"; perf lock --kallsyms $DATA/lock/kallsyms -i f.data contention -x ';' $o; done
--- stdin
1000 begin 0 5 0x10 2 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000110
2000 end 0 5 0x10 0
3000 begin 1 6 0x20 4 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000220 0xffffffff81000110
5000 end 1 6 0x20 0
6000 begin 0 7 0x30 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000330 0xffffffff81000220
9000 end 0 7 0x30 0
10000 begin 0 5 0xffffffff81000f00 1
14000 end 0 5 0xffffffff81000f00 0
--- stdout
-- -Y rwsem
# output: contended; total wait; max wait; avg wait; type; caller
1; 2000; 2000; 2000; rwsem:W; middle_b+0x20
1; 1000; 1000; 1000; rwsem:R; outer_a+0x10
-- -Y mutex,rwsem:R
# output: contended; total wait; max wait; avg wait; type; caller
1; 3000; 3000; 3000; mutex; inner_c+0x30
1; 1000; 1000; 1000; rwsem:R; outer_a+0x10
-- -L 0x20
# output: contended; total wait; max wait; avg wait; type; caller
1; 2000; 2000; 2000; rwsem:W; middle_b+0x20
-- -L the_lock,0x30
# output: contended; total wait; max wait; avg wait; type; caller
1; 3000; 3000; 3000; mutex; inner_c+0x30
-- -S middle
# output: contended; total wait; max wait; avg wait; type; caller
1; 3000; 3000; 3000; mutex; inner_c+0x30
1; 2000; 2000; 2000; rwsem:W; middle_b+0x20
-- -C 1
# output: contended; total wait; max wait; avg wait; type; caller
1; 2000; 2000; 2000; rwsem:W; middle_b+0x20
-- -p 6
# output: contended; total wait; max wait; avg wait; type; caller
1; 2000; 2000; 2000; rwsem:W; middle_b+0x20
-- --tid 5,6
# output: contended; total wait; max wait; avg wait; type; caller
1; 4000; 4000; 4000; spinlock; Unknown
1; 2000; 2000; 2000; rwsem:W; middle_b+0x20
1; 1000; 1000; 1000; rwsem:R; outer_a+0x10
-- -E 1
# output: contended; total wait; max wait; avg wait; type; caller
1; 4000; 4000; 4000; spinlock; Unknown
-- --time 0.0000055,
# output: contended; total wait; max wait; avg wait; type; caller
1; 4000; 4000; 4000; spinlock; Unknown
1; 3000; 3000; 3000; mutex; inner_c+0x30
-- --max-stack 3
# output: contended; total wait; max wait; avg wait; type; caller
1; 4000; 4000; 4000; spinlock; Unknown
1; 3000; 3000; 3000; mutex; Unknown
1; 2000; 2000; 2000; rwsem:W; Unknown
1; 1000; 1000; 1000; rwsem:R; Unknown
-- --stack-skip 4
# output: contended; total wait; max wait; avg wait; type; caller
1; 4000; 4000; 4000; spinlock; Unknown
1; 3000; 3000; 3000; mutex; middle_b+0x20
1; 2000; 2000; 2000; rwsem:W; outer_a+0x10
1; 1000; 1000; 1000; rwsem:R; Unknown

=== columns and keys
sh: exec 2>&1; python3 $DATA/../tools/make_lock_file.py f.data && for o in '-k wait_min' '-F wait_min' '-F contended,acquired -k avg_wait' '-k contended -t'; do echo "-- $o"; perf lock --kallsyms $DATA/lock/kallsyms -i f.data contention $o; done; perf lock --kallsyms $DATA/lock/kallsyms -i f.data report -F acquired -k wait_max
--- stdin
1000 begin 0 5 0x10 2
2000 end 0 5 0x10 0
3000 begin 0 5 0x10 2
5000 end 0 5 0x10 0
--- stdout
-- -k wait_min
 contended   total wait     max wait     avg wait     min wait         type   caller

         2      3.00 us      2.00 us      1.50 us      1.00 us      rwsem:R   Unknown
-- -F wait_min
    min wait   total wait         type   caller

     1.00 us      3.00 us      rwsem:R   Unknown
-- -F contended,acquired -k avg_wait
 contended   acquired     avg wait         type   caller

         2          2      1.50 us      rwsem:R   Unknown
-- -k contended -t
 contended   total wait     max wait     avg wait          pid   comm

         2      3.00 us      2.00 us      1.50 us            5   :5
                Name   acquired     max wait 

             Unknown          2      2.00 us 

=== samples without callers, events that were lost
sh: exec 2>&1; python3 $DATA/../tools/make_lock_file.py f.data && perf lock -i f.data contention; python3 $DATA/../tools/make_lock_file.py g.data --plain <<< '1000 begin 0 5 0x10 2'; perf lock -i g.data contention
--- stdin
1000 begin 0 5 0x10 2
2000 end 0 5 0x10 0
2500 end 0 5 0x10 0
3000 lost 9
--- stdout
 contended   total wait     max wait     avg wait         type   caller

         1      1.00 us      1.00 us      1.00 us      rwsem:R   Unknown
warning: 9 events were lost while recording: waits are those of what is left
 contended   total wait     max wait     avg wait         type   caller

         1         0 ns         0 ns         0 ns      rwsem:R   Unknown

=== written to a file
sh: exec 2>&1; python3 $DATA/../tools/make_lock_file.py f.data && perf lock -i f.data contention --output out && cat out; perf lock -i f.data contention --output /nowhere/out; echo $?
--- stdin
1000 begin 0 5 0x10 2
2000 end 0 5 0x10 0
--- stdout
 contended   total wait     max wait     avg wait         type   caller

         1      1.00 us      1.00 us      1.00 us      rwsem:R   Unknown
error: cannot write '/nowhere/out': No such file or directory
255

=== no such events, a field that is missing, wrong words
sh: exec 2>&1; perf lock -i $DATA/sched/switches.data contention -f; echo $?; python3 $DATA/../tools/make_lock_file.py f.data --field flags=what <<< "1000 begin 0 5 1 2"; perf lock -i f.data report; echo $?; for w in "contention -k foo" "contention -F foo" "report -k foo" "contention -Y foo" "contention -x ." "contention -x :" "contention --stack-skip -1" "contention -p x" "contention -b" "contention -b -M -1" "contention -o" "contention --lock-cgroup" contentoin ""; do perf lock -i f.data $w 2>&1 | head -2; done
--- stdout
error: '$DATA/sched/switches.data' has no samples of lock:contention_begin
hint: perf lock record COMMAND records what is needed; where that is lockdep's events: perf record -c 1 -g -e lock:contention_begin,lock:contention_end COMMAND
255
error: lock:contention_begin of 'f.data' has no field 'flags'
255
error: Unknown compare key: foo
error: Unknown output field: foo
error: Unknown compare key: foo
error: Unknown lock type: foo
 Error: -x: '.' cannot stand between columns: it has something that is in numbers
 Usage: perf lock contention [<options>]
error: -x: ':' cannot stand between columns: it is in names
error: --stack-skip and --max-stack are numbers of frames
error: cannot read the list of processes 'x'
error: -b watches the running machine: it takes no -i
error: -b watches the running machine: it takes no -i
error: --lock-owner, --lock-cgroup, -G, -M and -J are of -b: not of a recording
error: --lock-owner, --lock-cgroup, -G, -M and -J are of -b: not of a recording
error: 'contentoin' is no word of perf lock
hint: did you mean 'contention'?

 Usage: perf lock [<options>] {record|report|script|info|contention}

=== for other programs
sh: python3 $DATA/../tools/make_lock_file.py f.data && for c in 'contention -E 2' 'contention -t' 'contention -l -E 2' 'report -E 2' 'report -t -E 1' info; do perf lock --kallsyms $DATA/lock/kallsyms -i f.data $c --json; done; perf lock -i f.data contention --json -x , >said 2>&1; status=$?; head -n 1 said; exit $status
exit: 129
--- stdin
1 comm 5 cat
1000 begin 0 5 0x10 1 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000620 0xffffffff81000110 0xffffffff81000220
1500 end 0 5 0x10 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000620 0xffffffff81000110 0xffffffff81000220
2000 begin 0 5 0x10 1 0xffffffff81000720 0xffffffff81000330 0xffffffff81000720 0xffffffff81000220 0xffffffff81000620 0xffffffff81000110 0xffffffff81000220
2600 end 0 5 0x10 0 0xffffffff81000720 0xffffffff81000330 0xffffffff81000720 0xffffffff81000220 0xffffffff81000620 0xffffffff81000110 0xffffffff81000220
3000 begin 0 6 0x11 1 0xffffffff81000720 0xffffffff81000330
3700 end 0 6 0x11 0 0xffffffff81000720 0xffffffff81000330
4000 begin 0 6 0x12 1 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720
4800 end 0 6 0x12 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720
5000 begin 0 6 0x13 1 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
5100 begin 0 6 0x13 1 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000220
5900 end 0 6 0x13 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000220
6000 begin 0 7 0x13 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
6200 begin 0 7 0x13 0x21 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
6900 end 0 7 0x13 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
7000 end 0 8 0x13 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
8000 begin 0 8 0x13 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000330 0xffffffff81000110
8100 begin 0 9 0x14 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
9200 end 0 9 0x14 -4 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000110
9300 begin 0 9 0x14 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000440
9200 end 0 9 0x14 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000910 0xffffffff81000440
9400 begin 0 9 0x14 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000440 0xffffffff81000110
9500 end 0 9 0x14 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000440 0xffffffff81000110
9600 begin 0 9 0x14 0x20 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000440 0xffffffff81000110
9800 end 0 9 0x14 0 0xffffffff81000720 0xffffffff81000720 0xffffffff81000720 0xffffffff81000440 0xffffffff81000110
--- stdout
{"schema":"perf lock contention","version":1}
{"type":"caller","lock_type":"mutex","caller":"after_a_very_long_name_indeed+0x10","stack":"_raw_spin_lock+0x10:_raw_spin_lock+0x10:_raw_spin_lock+0x10:after_a_very_long_name_indeed+0x10:outer_a+0x10","acquired":2,"contended":2,"avg_wait_ns":1000,"wait_total_ns":2000,"wait_max_ns":1100,"wait_min_ns":900}
{"type":"caller","lock_type":"spinlock","caller":"Unknown","stack":"_raw_spin_lock+0x10:inner_c+0x30","acquired":2,"contended":2,"avg_wait_ns":750,"wait_total_ns":1500,"wait_max_ns":800,"wait_min_ns":700}
{"type":"total","unmatched":2,"lost_events":0,"lost_chunks":0}
{"schema":"perf lock contention","version":1}
{"type":"task","tid":6,"comm":":6","acquired":3,"contended":3,"avg_wait_ns":800,"wait_total_ns":2400,"wait_max_ns":900,"wait_min_ns":700}
{"type":"task","tid":9,"comm":":9","acquired":3,"contended":3,"avg_wait_ns":500,"wait_total_ns":1500,"wait_max_ns":1100,"wait_min_ns":200}
{"type":"task","tid":5,"comm":"cat","acquired":2,"contended":2,"avg_wait_ns":550,"wait_total_ns":1100,"wait_max_ns":600,"wait_min_ns":500}
{"type":"task","tid":7,"comm":":7","acquired":1,"contended":1,"avg_wait_ns":900,"wait_total_ns":900,"wait_max_ns":900,"wait_min_ns":900}
{"type":"task","tid":8,"comm":":8","acquired":0,"contended":1,"avg_wait_ns":null,"wait_total_ns":null,"wait_max_ns":null,"wait_min_ns":null}
{"type":"total","unmatched":2,"lost_events":0,"lost_chunks":0}
{"schema":"perf lock contention","version":1}
{"type":"lock","address":"0x13","symbol":null,"lock_type":"spinlock","acquired":2,"contended":3,"avg_wait_ns":900,"wait_total_ns":1800,"wait_max_ns":900,"wait_min_ns":900}
{"type":"lock","address":"0x14","symbol":null,"lock_type":"mutex","acquired":3,"contended":3,"avg_wait_ns":500,"wait_total_ns":1500,"wait_max_ns":1100,"wait_min_ns":200}
{"type":"total","unmatched":2,"lost_events":0,"lost_chunks":0}
{"schema":"perf lock report","version":1}
{"type":"lock","name":"after_a_very_long_name_indeed+0x10","acquired":3,"contended":3,"avg_wait_ns":500,"wait_total_ns":1500,"wait_max_ns":1100,"wait_min_ns":200}
{"type":"lock","name":"outer_a+0x10","acquired":2,"contended":2,"avg_wait_ns":550,"wait_total_ns":1100,"wait_max_ns":600,"wait_min_ns":500}
{"type":"total","unmatched":2,"lost_events":0,"lost_chunks":0}
{"schema":"perf lock report","version":1}
{"type":"task","name":":6","acquired":3,"contended":3,"avg_wait_ns":800,"wait_total_ns":2400,"wait_max_ns":900,"wait_min_ns":700}
{"type":"total","unmatched":2,"lost_events":0,"lost_chunks":0}
{"schema":"perf lock info","version":1}
{"type":"thread","tid":5,"comm":"cat"}
{"type":"thread","tid":6,"comm":":6"}
{"type":"thread","tid":7,"comm":":7"}
{"type":"thread","tid":8,"comm":":8"}
{"type":"thread","tid":9,"comm":":9"}
{"type":"lock","address":"0x11","name":"Unknown"}
{"type":"lock","address":"0x12","name":"Unknown"}
{"type":"lock","address":"0x13","name":"after_a_very_long_name_indeed+0x10"}
{"type":"lock","address":"0x14","name":"after_a_very_long_name_indeed+0x10"}
{"type":"lock","address":"0x10","name":"outer_a+0x10"}
{"type":"total","unmatched":2,"lost_events":0,"lost_chunks":0}
 Error: --json and -x are mutually exclusive.

=== delays that cannot be
needs: bpf
sh: for o in 5 20ms@10 0us@10 x@10 1us@no_such_variable 1s@10; do perf lock contention -b -J $o true; done; perf lock contention -J 1us@10 -i $DATA/lock/lock.data; perf lock con -b -J
exit: 129
--- stderr
error: -J: '5' is not like 100us@LOCK: ns, us or ms
error: -J: '20ms@10' is none, or longer than 10ms
error: -J: '0us@10' is none, or longer than 10ms
error: -J: 'x@10' is not like 100us@LOCK: ns, us or ms
error: -J: the kernel has no variable 'no_such_variable'
error: -J: '1s@10' is not like 100us@LOCK: ns, us or ms
error: --lock-owner, --lock-cgroup, -G, -M and -J are of -b: not of a recording
 Error: switch `J' requires a value
 Usage: perf lock contention [<options>]
    or: perf lock contention -b [<options>] [<command>]

    -J, --inject-delay <TIME@LOCK>
                          Make whoever waited for this lock keep it for longer

