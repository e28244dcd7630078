# Files of a few bytes, made by tests/tools/make_small_file.py, in the byte order of both kinds of machines.
=== header features that perf 6.1 does not know
sh: for o in '' --big; do python3 $DATA/../tools/make_small_file.py f.data $o -f 31=u32:1,u32:2,str:branches,str:32,str:max_precise,str:3,str:cpu -f 33=u32:62,u32:5 -f 34=u32:64; perf report -i f.data --header-only | sed '/^# [a-z]* *:\|^# cpu\|^#  *e_\|^# cache\|^# e_/!d; /captured on/d'; done
--- stdout
# hostname : box
# cpu pmu capabilities: branches=32, max_precise=3
# e_machine : 62
#   e_flags : 5
# cacheline size: 64
# hostname : box
# cpu pmu capabilities: branches=32, max_precise=3
# e_machine : 62
#   e_flags : 5
# cacheline size: 64

=== one that is too short
sh: python3 $DATA/../tools/make_small_file.py f.data -f 34=u16:64; perf report -i f.data --header-only | grep cacheline
--- stdout
# cacheline size: 0
--- stderr
warning: 'f.data': header feature CLN_SIZE is broken

=== words, names and lists of records
sh: for o in '' --big; do python3 $DATA/../tools/make_small_file.py f.data $o -r 15=u32:7,u32:8 -r 11=u64:1,u64:2,u64:1 -r 19=u64:5,name:/user.slice -r 79=u64:1,u64:2,u64:3,u64:4,u64:5,u8:1,u8:0 -r 74=u16:0,u16:2,u16:1,u16:3 -r 73=u64:1,u64:9,name:sleeper,u64:0; perf report -i f.data -D | sed '/^Aggregated/Q; /PERF_RECORD\|^\.\.\. [A-Z]/!d'; done
--- stdout
-1 -1 0xf8 [0x10]: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:     7/8    
-1 -1 0x108 [0x20]: PERF_RECORD_AUX offset: 0x1 size: 0x2 flags: 0x1 [T]
-1 -1 0x128 [0x20]: PERF_RECORD_CGROUP cgroup: 5 /user.slice
-1 -1 0x148 [0x38]: PERF_RECORD_TIME_CONV
... Time Shift      1
... Time Muliplier  2
... Time Zero       3
... Time Cycles     4
... Time Mask       0x5
... Cap Time Zero   1
... Cap Time Short  0
-1 -1 0x180 [0x10]: PERF_RECORD_CPU_MAP: 1,3
-1 -1 0x190 [0x28]: PERF_RECORD_THREAD_MAP nr: 1 thread: 9
-1 -1 0x1b8 [0x8]: PERF_RECORD_FINISHED_ROUND
-1 -1 0xf8 [0x10]: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:     7/8    
-1 -1 0x108 [0x20]: PERF_RECORD_AUX offset: 0x1 size: 0x2 flags: 0x1 [T]
-1 -1 0x128 [0x20]: PERF_RECORD_CGROUP cgroup: 5 /user.slice
-1 -1 0x148 [0x38]: PERF_RECORD_TIME_CONV
... Time Shift      1
... Time Muliplier  2
... Time Zero       3
... Time Cycles     4
... Time Mask       0x5
... Cap Time Zero   1
... Cap Time Short  0
-1 -1 0x180 [0x10]: PERF_RECORD_CPU_MAP: 1,3
-1 -1 0x190 [0x28]: PERF_RECORD_THREAD_MAP nr: 1 thread: 9
-1 -1 0x1b8 [0x8]: PERF_RECORD_FINISHED_ROUND

