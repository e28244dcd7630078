# perf lock report, info: -C, -p, --tid, -x.
=== contention's events
sh: exec 2>&1; for o in 'report' 'report --tid 5' 'report -p 6' 'report -C 1' 'report -t -p 6 --tid 7' 'info -t --tid 5' 'info -m -p 6' 'contention -t -p 6 --tid 7'; do echo "-- $o"; perf lock -i $DATA/lock/lock.data $o -x,; done | grep -v assumed; perf lock report -x, --json 2>&1 | head -1; perf lock info -x 5 2>&1 | head -1; perf lock report -p x -i $DATA/lock/lock.data
exit: 255
--- stdout
# output: contended, total wait, max wait, avg wait, pid, comm
13, 11687, 1079, 899, 7, :7
13, 11557, 1069, 889, 6, :6
-- report
# type,name,acquired,contended,avg_wait_ns,wait_total_ns,wait_max_ns,wait_min_ns
lock,entry_SYSCALL_64_after_hwframe+0x56,8,8,874,6992,1049,699
lock,__irqentry_text_start+0x420,8,8,884,7072,1059,709
lock,__irqentry_text_start+0x30,8,8,894,7152,1069,719
lock,__irqentry_text_start+0x420,8,8,904,7232,1079,729
lock,__irqentry_text_start+0x250,8,8,914,7312,1089,739
# type,unmatched,lost_events,lost_chunks
total,0,0,0
-- report --tid 5
# type,name,acquired,contended,avg_wait_ns,wait_total_ns,wait_max_ns,wait_min_ns
lock,entry_SYSCALL_64_after_hwframe+0x56,3,3,849,2547,999,699
lock,__irqentry_text_start+0x420,3,3,879,2637,1029,729
lock,entry_SYSCALL_64_after_hwframe+0x56,3,3,909,2727,1059,759
lock,__irqentry_text_start+0x420,3,3,939,2817,1089,789
lock,entry_SYSCALL_64_after_hwframe+0x56,2,2,894,1788,969,819
# type,unmatched,lost_events,lost_chunks
total,0,0,0
-- report -p 6
# type,name,acquired,contended,avg_wait_ns,wait_total_ns,wait_max_ns,wait_min_ns
lock,__irqentry_text_start+0x420,3,3,859,2577,1009,709
lock,__irqentry_text_start+0x250,3,3,889,2667,1039,739
lock,__irqentry_text_start+0x420,3,3,919,2757,1069,769
lock,__irqentry_text_start+0x250,2,2,874,1748,949,799
lock,__irqentry_text_start+0x420,2,2,904,1808,979,829
# type,unmatched,lost_events,lost_chunks
total,0,0,0
-- report -C 1
# type,unmatched,lost_events,lost_chunks
total,0,0,0
-- report -t -p 6 --tid 7
# type,name,acquired,contended,avg_wait_ns,wait_total_ns,wait_max_ns,wait_min_ns
task,:6,13,13,889,11557,1069,709
task,:7,13,13,899,11687,1079,719
# type,unmatched,lost_events,lost_chunks
total,0,0,0
-- info -t --tid 5
# type,tid,comm
thread,5,:5
# type,unmatched,lost_events,lost_chunks
total,0,0,0
-- info -m -p 6
# type,address,name
lock,0x10,__irqentry_text_start+0x250
lock,0x14,__irqentry_text_start+0x250
lock,0x11,__irqentry_text_start+0x420
lock,0x12,__irqentry_text_start+0x420
lock,0x13,__irqentry_text_start+0x420
# type,unmatched,lost_events,lost_chunks
total,0,0,0
-- contention -t -p 6 --tid 7
 Error: --json and -x are mutually exclusive.
 Error: -x: '5' cannot stand between columns: it has something that is in numbers
error: cannot read the list of processes 'x'

=== lockdep's
sh: exec 2>&1; for o in '' '--tid 5' '--tid 99'; do echo "-- $o"; perf lock -i $DATA/lock/lockdep.data report $o -x ';'; done | grep -v assumed
--- stdout
-- 
# type;name;acquired;contended;avg_wait_ns;wait_total_ns;wait_max_ns;wait_min_ns
lock;&rd;3;1;300;300;300;300
lock;rq_lock;2;1;500;500;500;500
lock;rq_lock;1;1;100;100;100;100
lock;&try;1;0;;;;
lock;twice;1;0;;;;
# type;unmatched;bad_acquire;bad_acquired;bad_contended;bad_release;lost_events;lost_chunks
total;0;1;0;0;2;0;0
-- --tid 5
# type;name;acquired;contended;avg_wait_ns;wait_total_ns;wait_max_ns;wait_min_ns
lock;rq_lock;2;1;500;500;500;500
# type;unmatched;bad_acquire;bad_acquired;bad_contended;bad_release;lost_events;lost_chunks
total;0;0;0;0;0;0;0
-- --tid 99
# type;unmatched;bad_acquire;bad_acquired;bad_contended;bad_release;lost_events;lost_chunks
total;0;0;0;0;0;0;0

