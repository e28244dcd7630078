# perf lock: lockdep's events.
=== lockdep's events: free locks, waits, readers, what is out of sequence, what began before the recording
sh: exec 2>&1; sed "s/ESC/$(printf '\033')/" | python3 $DATA/../tools/make_lock_file.py f.data --lockdep && for c in report 'report -c -k contended -F wait_max,contended' 'report -t -q' 'report -E 1 --json' info 'info -m --json' contention; do echo "-- $c"; perf lock -i f.data $c 2>&1 | sed 's/^===/- ===/'; done
--- stdin
1 comm 5 cat
1000 acquire 0 5 0x10 0 rq_lock
1000 acquired 0 5 0x10 rq_lock
1500 release 0 5 0x10 rq_lock
2000 acquire 0 5 0x10 0 rq_lock
2100 contended 0 5 0x10 rq_lock
2600 acquired 0 5 0x10 rq_lock
2700 release 0 5 0x10 rq_lock
2800 acquire 0 6 0x18 0 rq_lock
2900 contended 0 6 0x18 rq_lock
3000 acquired 0 6 0x18 rq_lock
3000 acquire 0 6 0x11 1 &try
3100 release 0 6 0x11 &try
# had twice to read, and after a wait
4000 acquire 0 6 0x12 2 &rd
4010 acquired 0 6 0x12 &rd
4100 acquire 0 6 0x12 3 &rd
4200 release 0 6 0x12 &rd
4300 release 0 6 0x12 &rd
4400 acquire 0 6 0x12 2 &rd
4500 contended 0 6 0x12 &rd
4800 acquired 0 6 0x12 &rd
4900 release 0 6 0x12 &rd
# from before the recording
5000 release 0 7 0x13 a_very_long_name_of_a_lock
5100 acquired 0 7 0x14 b
5200 contended 0 7 0x15 c
# out of sequence: the second and what follows until it is wanted anew is not counted
6000 acquire 0 8 0x20 0 twice
6100 acquire 0 8 0x20 0 twice
6200 acquired 0 8 0x20 twice
6300 release 0 8 0x20 twice
6400 acquire 0 8 0x20 1 twice
6500 contended 0 8 0x20 twice
6600 acquire 0 9 0x28 0 twice
6700 release 0 9 0x28 twice
7000 acquire 0 8 0x21 0 noESC[31m
7100 release 0 8 0x21 noESC[31m
--- stdout
-- report
                Name   acquired  contended     avg wait   total wait     max wait     min wait 

                 &rd          3          1       300 ns       300 ns       300 ns       300 ns 
             rq_lock          2          1       500 ns       500 ns       500 ns       500 ns 
             rq_lock          1          1       100 ns       100 ns       100 ns       100 ns 
                &try          1          0         0 ns         0 ns         0 ns         0 ns 
               twice          1          0         0 ns         0 ns         0 ns         0 ns 

- === output for debug===

bad: 3, total: 10
bad rate: 30.00 %
histogram of events caused bad sequence
    acquire: 1
   acquired: 0
  contended: 0
    release: 2
-- report -c -k contended -F wait_max,contended
                Name     max wait  contended 

             rq_lock       500 ns          2 
                 &rd       300 ns          1 
                &try         0 ns          0 
               twice         0 ns          0 

- === output for debug===

bad: 2, total: 8
bad rate: 25.00 %
histogram of events caused bad sequence
    acquire: 1
   acquired: 0
  contended: 0
    release: 2
-- report -t -q
                  :6          5          2       200 ns       400 ns       300 ns       100 ns 
                 cat          2          1       500 ns       500 ns       500 ns       500 ns 
                  :8          1          0         0 ns         0 ns         0 ns         0 ns 
-- report -E 1 --json
{"schema":"perf lock report","version":1}
{"type":"lock","name":"&rd","acquired":3,"contended":1,"avg_wait_ns":300,"wait_total_ns":300,"wait_max_ns":300,"wait_min_ns":300}
{"type":"total","unmatched":0,"bad_acquire":1,"bad_acquired":0,"bad_contended":0,"bad_release":2,"lost_events":0,"lost_chunks":0}
-- info
 Thread ID: comm
         5: cat
         6: :6
         7: :7
         8: :8
         9: :9

Address of instance: name of class
 0x12: &rd
 0x11: &try
 0x13: a_very_long_name_of_a_lock
 0x14: b
 0x15: c
 0x21: no\x1b[31m
 0x10: rq_lock
 0x18: rq_lock
 0x20: twice
 0x28: twice
-- info -m --json
{"schema":"perf lock info","version":1}
{"type":"lock","address":"0x12","name":"&rd"}
{"type":"lock","address":"0x11","name":"&try"}
{"type":"lock","address":"0x13","name":"a_very_long_name_of_a_lock"}
{"type":"lock","address":"0x14","name":"b"}
{"type":"lock","address":"0x15","name":"c"}
{"type":"lock","address":"0x21","name":"no\u001b[31m"}
{"type":"lock","address":"0x10","name":"rq_lock"}
{"type":"lock","address":"0x18","name":"rq_lock"}
{"type":"lock","address":"0x20","name":"twice"}
{"type":"lock","address":"0x28","name":"twice"}
{"type":"total","unmatched":0,"bad_acquire":1,"bad_acquired":0,"bad_contended":0,"bad_release":2,"lost_events":0,"lost_chunks":0}
-- contention
error: 'f.data' has no samples of lock:contention_begin
hint: perf lock record COMMAND records what is needed; where that is lockdep's events: perf record -c 1 -g -e lock:contention_begin,lock:contention_end COMMAND

=== formats without a field
sh: exec 2>&1; echo '1000 acquire 0 5 0x10 2 one' >list; python3 $DATA/../tools/make_lock_file.py g.data --lockdep --field name=title <list; perf lock -i g.data report; echo $?
--- stdout
error: lock:lock_acquire of 'g.data' has no field 'name'
255

