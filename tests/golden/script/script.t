# perf script: what is expected here was compared with perf 6.1 on the same files.
=== plain samples
argv: perf script -f --symfs . -i $DATA/perfdata/autofdo-ro_sample.perf
threads: 1 2 3
--- stdout
   ro_sample.out 902132 174565.036711:          1 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132 174565.036728:          1 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132 174565.036734:          3 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132 174565.036739:         20 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132 174565.036744:        142 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132 174565.036749:       1006 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132 174565.036755:       6943 cycles:u:  ffffffffa4c01250 [unknown] ([unknown])
   ro_sample.out 902132 174565.036787:      40346 cycles:u:  ffffffffa4c01250 [unknown] ([unknown])
   ro_sample.out 902132 174565.036863:      75401 cycles:u:      7fedfd0426ba [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132 174565.037305:      97034 cycles:u:      7fedfd040c92 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132 174565.037497:      91762 cycles:u:      7fedfd0306a0 [unknown] (/usr/local/google/home/shenhan/copt2/libro_sample.so)
   ro_sample.out 902132 174565.037579:      95272 cycles:u:      7fedfd0306b6 [unknown] (/usr/local/google/home/shenhan/copt2/libro_sample.so)
   ro_sample.out 902132 174565.037672:     119426 cycles:u:      7fedfcebfccf [unknown] (/usr/lib/x86_64-linux-gnu/libc-2.30.so)

=== stacks of a tracepoint
sh: perf script -f --symfs . -i $DATA/script/sched-stacks.data | head -40
threads: 1 2
--- stdout
bash  4552 [001]  3089.079504: sched:sched_switch: prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=R+ ==> next_comm=perf next_pid=4551 next_prio=120
	ffffffff821f8b58 [unknown] ([kernel.kallsyms])
	ffffffff821f96d5 [unknown] ([kernel.kallsyms])
	ffffffff815e8d31 [unknown] ([kernel.kallsyms])
	ffffffff815f3840 [unknown] ([kernel.kallsyms])
	ffffffff81355977 [unknown] ([kernel.kallsyms])
	ffffffff81356624 [unknown] ([kernel.kallsyms])
	ffffffff813569e5 [unknown] ([kernel.kallsyms])
	ffffffff821ed511 [unknown] ([kernel.kallsyms])
	ffffffff81000130 [unknown] ([kernel.kallsyms])
	           d4353 [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6)

bash  4552 [001]  3089.079668: sched:sched_switch: prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=S ==> next_comm=bash next_pid=4554 next_prio=120
	ffffffff821f8b58 [unknown] ([kernel.kallsyms])
	ffffffff821f94c3 [unknown] ([kernel.kallsyms])
	ffffffff8135e643 [unknown] ([kernel.kallsyms])
	ffffffff8135eccc [unknown] ([kernel.kallsyms])
	ffffffff821ed511 [unknown] ([kernel.kallsyms])
	ffffffff81000130 [unknown] ([kernel.kallsyms])
	           d3bd3 [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6)

bash  4552 [001]  3089.081213: sched:sched_switch: prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
	ffffffff821f8b58 [unknown] ([kernel.kallsyms])
	ffffffff821f94c3 [unknown] ([kernel.kallsyms])
	ffffffff8135e643 [unknown] ([kernel.kallsyms])
	ffffffff8135eccc [unknown] ([kernel.kallsyms])
	ffffffff821ed511 [unknown] ([kernel.kallsyms])
	ffffffff81000130 [unknown] ([kernel.kallsyms])
	           d3bd3 [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6)

bash  4555 [000]  3089.083611: sched:sched_switch: prev_comm=bash prev_pid=4555 prev_prio=120 prev_state=R+ ==> next_comm=migration/0 next_pid=18 next_prio=0
	ffffffff821f8b58 [unknown] ([kernel.kallsyms])
	ffffffff821f96d5 [unknown] ([kernel.kallsyms])
	ffffffff8146580f [unknown] ([kernel.kallsyms])
	ffffffff813a524a [unknown] ([kernel.kallsyms])
	ffffffff816c3685 [unknown] ([kernel.kallsyms])
	ffffffff816c4e96 [unknown] ([kernel.kallsyms])
	ffffffff816c5ee4 [unknown] ([kernel.kallsyms])
	ffffffff821ed511 [unknown] ([kernel.kallsyms])
	ffffffff81000130 [unknown] ([kernel.kallsyms])

=== fields, old spelling of the option too
sh: perf script -f --symfs . -i $DATA/script/sched-stacks.data -F comm,pid,tid,cpu,time,event | head -3; perf script --symfs . -i $DATA/script/sched-stacks.data -f time,event,trace | head -2
threads: 1 2
--- stdout
            bash  4552/4552  [001]  3089.079504: sched:sched_switch: 
            bash  4552/4552  [001]  3089.079668: sched:sched_switch: 
            bash  4552/4552  [001]  3089.081213: sched:sched_switch: 
 3089.079504: sched:sched_switch: prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=R+ ==> next_comm=perf next_pid=4551 next_prio=120
 3089.079668: sched:sched_switch: prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=S ==> next_comm=bash next_pid=4554 next_prio=120
--- stderr
'trace' not valid for hardware events. Ignoring.
'trace' not valid for software events. Ignoring.
'trace' not valid for hardware-cache events. Ignoring.
'trace' not valid for unknown events. Ignoring.
'trace' not valid for unknown events. Ignoring.
'trace' not valid for unknown events. Ignoring.
'trace' not valid for unknown events. Ignoring.

=== group samples stand for one sample of each member
argv: perf script -f --symfs . -i $DATA/script/group.data
--- stdout
            bash  4831  3102.541671:     261170   cpu-clock:      7fdde2f0462a [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
            bash  4831  3102.541671:          9 page-faults:      7fdde2f0462a [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
            bash  4831  3102.541919:     248651   cpu-clock:      7fdde2f004ce [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
            bash  4831  3102.541919:         18 page-faults:      7fdde2f004ce [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
            bash  4831  3102.542169:     249642   cpu-clock:      7fdde2ef8bc7 [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
            bash  4831  3102.542169:         32 page-faults:      7fdde2ef8bc7 [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
            bash  4831  3102.542422:     250373   cpu-clock:  ffffffff813fdbd5 [unknown] ([kernel.kallsyms])
            bash  4831  3102.542422:         37 page-faults:  ffffffff813fdbd5 [unknown] ([kernel.kallsyms])
            bash  4831  3102.542669:     250424   cpu-clock:      56012d6480fa [unknown] (/usr/bin/bash)
            bash  4831  3102.542669:         38 page-faults:      56012d6480fa [unknown] (/usr/bin/bash)
            bash  4831  3102.544335:     288521   cpu-clock:  ffffffff813a2413 [unknown] ([kernel.kallsyms])
            bash  4831  3102.544335:         23 page-faults:  ffffffff813a2413 [unknown] ([kernel.kallsyms])
            bash  4831  3102.545692:     249652   cpu-clock:  ffffffff81690a15 [unknown] ([kernel.kallsyms])
            bash  4831  3102.545692:         23 page-faults:  ffffffff81690a15 [unknown] ([kernel.kallsyms])
            bash  4831  3102.548176:     264553   cpu-clock:  ffffffff8135687c [unknown] ([kernel.kallsyms])
            bash  4831  3102.548176:         36 page-faults:  ffffffff8135687c [unknown] ([kernel.kallsyms])
            bash  4831  3102.549505:     258675   cpu-clock:  ffffffff815a1421 [unknown] ([kernel.kallsyms])
            bash  4831  3102.549505:         32 page-faults:  ffffffff815a1421 [unknown] ([kernel.kallsyms])

=== branches
sh: perf script -f --symfs . -F ip,brstack -i $DATA/perfdata/quipper-perf.data.branch-4.14 | head -2; perf script -f --symfs . -F +brstacksym,+misc -i $DATA/perfdata/quipper-perf.data.branch-4.14 | head -1
--- stdout
 ffffffffb42071f2 0xffffffffb4208e16/0xffffffffb42071e3/P/-/-/4/  0xffffffffb420b684/0xffffffffb4208e00/P/-/-/2/  0xffffffffb420b66c/0xffffffffb420b683/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/  0x0/0x0/P/-/-/0/ 
 ffffffffb42071f2 0xffffffffb4208e16/0xffffffffb42071e3/P/-/-/5/  0xffffffffb420bd59/0xffffffffb4208e00/P/-/-/25/  0xffffffffb420bce6/0xffffffffb420bd57/M/-/-/27/  0xffffffffb4208dfb/0xffffffffb420bca9/P/-/-/3/  0xffffffffb420a583/0xffffffffb4208df7/P/-/-/2/  0xffffffffb420a56b/0xffffffffb420a582/P/-/-/251/  0xffffffffb420b219/0xffffffffb420a550/P/-/-/9/  0xffffffffb4208df2/0xffffffffb420b1ef/P/-/-/24/  0xffffffffb4208812/0xffffffffb4208dd4/P/-/-/31/  0xffffffffb4207e5d/0xffffffffb42087f1/P/-/-/4/  0xffffffffb4207e4c/0xffffffffb4207e58/P/-/-/111/  0xffffffffb42087ec/0xffffffffb4207e31/P/-/-/22/  0xffffffffb42086e7/0xffffffffb42087e7/M/-/-/1/  0xffffffffb4518b25/0xffffffffb42086e2/P/-/-/24/  0xffffffffb4518af6/0xffffffffb4518b21/M/-/-/8/  0xffffffffb4518b1f/0xffffffffb4518af3/P/-/-/21/  0xffffffffb4518b06/0xffffffffb4518b1c/M/-/-/6/  0xffffffffb42086dd/0xffffffffb4518aed/P/-/-/31/  0xffffffffb42086b9/0xffffffffb42086c3/M/-/-/15/  0xffffffffb420a49a/0xffffffffb420868c/P/-/-/33/  0xffffffffb420a485/0xffffffffb420a48c/M/-/-/38/  0xffffffffb420a3ee/0xffffffffb420a478/M/-/-/7/  0xffffffffb420a473/0xffffffffb420a3e3/P/-/-/1/  0xffffffffb420a407/0xffffffffb420a470/P/-/-/12/  0xffffffffb420a473/0xffffffffb420a3e3/P/-/-/20/  0xffffffffb420a407/0xffffffffb420a470/M/-/-/4/  0xffffffffb420a473/0xffffffffb420a3e3/P/-/-/38/  0xffffffffb420a25d/0xffffffffb420a470/M/-/-/34/  0xffffffffb420a240/0xffffffffb420a247/M/-/-/28/  0xffffffffb420a227/0xffffffffb420a233/M/-/-/2/  0xffffffffb4341def/0xffffffffb420a225/P/-/-/27/  0xffffffffb4341da5/0xffffffffb4341de2/M/-/-/15/ 
            perf  5805 K     12631.245939:          1 cycles:ppp:  ffffffffb42071f2 [unknown] ([kernel.kallsyms])[unknown]([kernel.kallsyms])/[unknown]([kernel.kallsyms])/P/-/-/4/ [unknown]([kernel.kallsyms])/[unknown]([kernel.kallsyms])/P/-/-/2/ [unknown]([kernel.kallsyms])/[unknown]([kernel.kallsyms])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ [unknown]([unknown])/[unknown]([unknown])/P/-/-/0/ 

=== registers
sh: perf script -f --symfs . -F ip,uregs -G -i $DATA/perfdata/simpleperf-perf_g_fp.data | head -2
--- stdout
           400513
           4004ed
--- stderr
Warning:
Processed 143 events and lost 1 chunks!

Check IO/CPU overload!


=== namespaces and tasks
sh: perf script -f --symfs . --show-namespace-events --show-task-events -i $DATA/script/namespaces.data | head -12
--- stdout
       perf-exec     0     0.000000: PERF_RECORD_COMM: perf-exec:4793/4793
       perf-exec     0     0.000000: PERF_RECORD_NAMESPACES 4793/4793 - nr_namespaces: 7
		[0/net: 4/0xeffffff9, 1/uts: 4/0xeffffffe, 2/ipc: 4/0xefffffff, 3/pid: 4/0xeffffffc, 
		 4/user: 4/0xeffffffd, 5/mnt: 4/0xeffffff8, 6/cgroup: 4/0xeffffffb]
            bash  4793  3101.448126: PERF_RECORD_COMM exec: bash:4793/4793
            bash  4793  3101.449426: PERF_RECORD_FORK(4795:4795):(4793:4793)
            bash  4793  3101.449445: PERF_RECORD_NAMESPACES 4795/4795 - nr_namespaces: 7
		[0/net: 4/0xeffffff9, 1/uts: 4/0xeffffffe, 2/ipc: 4/0xefffffff, 3/pid: 4/0xeffffffc, 
		 4/user: 4/0xeffffffd, 5/mnt: 4/0xeffffff8, 6/cgroup: 4/0xeffffffb]
              ls  4795  3101.449676: PERF_RECORD_COMM exec: ls:4795/4795
              ls  4795  3101.450131:    2004008 cpu-clock:ppp:      7f3ace97fd64 [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
              ls  4795  3101.450605: PERF_RECORD_EXIT(4795:4795):(4793:4793)

=== switches
sh: perf script -f --symfs . --show-switch-events --ns -i $DATA/script/switches.data | head -6
--- stdout
         swapper     0 [000]  3100.282593301: PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid:  4782/4784 
            perf  4784 [000]  3100.282597236: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:     0/0    
            perf  4784 [000]  3100.282620161: PERF_RECORD_SWITCH_CPU_WIDE OUT          next pid/tid:     0/0    
         swapper     0 [000]  3100.282621442: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:  4782/4784 
         swapper     0 [000]  3100.283514675: PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid:    15/15   
     rcu_preempt    15 [000]  3100.283517519: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:     0/0    

=== lost records
sh: perf script -f --symfs . --show-lost-events -i $DATA/perfdata/simpleperf-perf_g_fp.data | grep RECORD
--- stdout
elf 26083 [002] 558393.440577: PERF_RECORD_LOST lost 590
--- stderr
Warning:
Processed 143 events and lost 1 chunks!

Check IO/CPU overload!


=== relative times
sh: for o in --reltime --deltatime '--deltatime --ns'; do perf script -f --symfs . $o -i $DATA/perfdata/autofdo-ro_sample.perf | head -3; done
--- stdout
   ro_sample.out 902132     0.000000:          1 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132     0.000017:          1 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132     0.000023:          3 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132     0.000000:          1 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132     0.000017:          1 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132     0.000005:          3 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132     0.000000000:          1 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132     0.000017761:          1 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)
   ro_sample.out 902132     0.000005333:          3 cycles:u:      7fedfd036090 [unknown] (/usr/lib/x86_64-linux-gnu/ld-2.30.so)

=== filters
sh: f=$DATA/perfdata/quipper-perf.data.callgraph-3.8; for o in '--comms perf' '-C 2' '--pid 10447' '-G --dsos [vdso]' '--time 10%/10'; do perf script -f --symfs . $o -i $f | grep -c 'cycles:'; done
threads: 1 3
--- stdout
16
570
15
15
155

=== a share of the time that is no number
argv: perf script -f --symfs . -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 --time nan%
exit: 255
--- stderr
error: Invalid time string

=== a stream
sh: perf script -f --symfs . -i - < $DATA/perfdata/quipper-perf.data.piped.header_feautres_group_desc-6.8 | head -4; cat $DATA/perfdata/quipper-perf.data.piped.header_feautres_group_desc-6.8 | perf script -f --symfs . | wc -l
--- stdout
            echo 3762587 1117680.204319:          1       cycles:u:      7f6c7a2204d0 [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
            echo 3762587 1117680.204334:          1       cycles:u:      7f6c7a2204d0 [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
            echo 3762587 1117680.204335:          1 instructions:u:      7f6c7a2204d0 [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
            echo 3762587 1117680.204338:          3       cycles:u:      7f6c7a2204d0 [unknown] (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
21

=== one file per event
sh: cp $DATA/script/group.data x.data; perf script -f --symfs . --per-event-dump -i x.data; wc -l x.data.*.dump
--- stdout
[ perf script: Wrote 0.001 MB x.data.cpu-clock.dump (9 samples) ]
[ perf script: Wrote 0.001 MB x.data.page-faults.dump (9 samples) ]
   9 x.data.cpu-clock.dump
   9 x.data.page-faults.dump
  18 total

=== a field that the samples do not have
argv: perf script -f --symfs . -F cpu -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 255
--- stderr
error: Samples for 'cycles:u' event do not have CPU attribute set. Cannot print 'cpu' field.

=== an unknown field
sh: perf script -F nosuch 2>&1 | head -1
--- stdout
Invalid field requested.

=== no such file
argv: perf script -i nosuch.data
exit: 255
--- stderr
error: failed to open 'nosuch.data': No such file or directory
hint: try 'perf record' first

=== --switch-off alone leaves out everything from there on
argv: perf script -f --symfs . --switch-off sched:sched_switch -i $DATA/script/sched-stacks.data

=== --switch-on with an event that is not in the file
argv: perf script -f --switch-on nosuch -i $DATA/script/sched-stacks.data
exit: 255
--- stderr
error: switch-on event not found (nosuch)
hint: use 'perf evlist' to see the available event names

=== a kallsyms file that is not there
argv: perf script -f --kallsyms ./nosuch -i $DATA/script/sched-stacks.data
exit: 255
--- stderr
error: invalid file './nosuch': No such file or directory

=== what only traces tell: no sample is shown
argv: perf script --graph-function main -i $DATA/script/sched-stacks.data

=== options of other perfs without a meaning
sh: for o in '--unwind-style libdw,libunwind' '--addr2line-style llvm'; do perf script $o -F comm -i $DATA/script/sched-stacks.data | head -1; done; perf script --unwind-style foo -i none 2>&1 | head -1; perf inject --unwind-style libdw,x -i none 2>&1 | head -1
--- stdout
            bash 
            bash 
unknown unwind style: foo (libdw, libunwind)
unknown unwind style: x (libdw, libunwind)

=== counts of perf stat record
argv: perf script -i $DATA/perfdata/made-stat.data
threads: 1 3
--- stdout
CPU   THREAD             VAL             ENA             RUN            TIME EVENT
  0       -1      1000000000      1000000000      1000000000      1000000000 task-clock
  1       -1       500000000      1000000000      1000000000      1000000000 task-clock
  2       -1       333333333      1000000000      1000000000      1000000000 task-clock
  3       -1       250000000      1000000000      1000000000      1000000000 task-clock
  0       -1      3000000000      1000000000      1000000000      1000000000 cycles
  1       -1      1500000000      1000000000      1000000000      1000000000 cycles
  2       -1      1000000000      1000000000      1000000000      1000000000 cycles
  3       -1       750000000      1000000000      1000000000      1000000000 cycles
  0       -1      1000000000      1000000000       500000000      1000000000 instructions
  1       -1       500000000      1000000000       500000000      1000000000 instructions
  2       -1       333333333      1000000000       500000000      1000000000 instructions
  3       -1       250000000      1000000000       500000000      1000000000 instructions
  0       -1               0               0               0      1000000000 branches
  1       -1               0               0               0      1000000000 branches
  2       -1               0               0               0      1000000000 branches
  3       -1               0               0               0      1000000000 branches
  0       -1      2000000000      2000000000      2000000000      2000000000 task-clock
  1       -1      1000000000      2000000000      2000000000      2000000000 task-clock
  2       -1       666666666      2000000000      2000000000      2000000000 task-clock
  3       -1       500000000      2000000000      2000000000      2000000000 task-clock
  0       -1      6000000000      2000000000      2000000000      2000000000 cycles
  1       -1      3000000000      2000000000      2000000000      2000000000 cycles
  2       -1      2000000000      2000000000      2000000000      2000000000 cycles
  3       -1      1500000000      2000000000      2000000000      2000000000 cycles
  0       -1      4000000000      2000000000      1000000000      2000000000 instructions
  1       -1      2000000000      2000000000      1000000000      2000000000 instructions
  2       -1      1333333333      2000000000      1000000000      2000000000 instructions
  3       -1      1000000000      2000000000      1000000000      2000000000 instructions
  0       -1               0               0               0      2000000000 branches
  1       -1               0               0               0      2000000000 branches
  2       -1               0               0               0      2000000000 branches
  3       -1               0               0               0      2000000000 branches

=== counts of perf stat record, big-endian
argv: perf script -i $DATA/perfdata/made-stat-big.data
threads: 1 3
--- stdout
CPU   THREAD             VAL             ENA             RUN            TIME EVENT
  0       -1      1000000000      1000000000      1000000000      1000000000 task-clock
  1       -1       500000000      1000000000      1000000000      1000000000 task-clock
  2       -1       333333333      1000000000      1000000000      1000000000 task-clock
  3       -1       250000000      1000000000      1000000000      1000000000 task-clock
  0       -1      3000000000      1000000000      1000000000      1000000000 cycles
  1       -1      1500000000      1000000000      1000000000      1000000000 cycles
  2       -1      1000000000      1000000000      1000000000      1000000000 cycles
  3       -1       750000000      1000000000      1000000000      1000000000 cycles
  0       -1      1000000000      1000000000       500000000      1000000000 instructions
  1       -1       500000000      1000000000       500000000      1000000000 instructions
  2       -1       333333333      1000000000       500000000      1000000000 instructions
  3       -1       250000000      1000000000       500000000      1000000000 instructions
  0       -1               0               0               0      1000000000 branches
  1       -1               0               0               0      1000000000 branches
  2       -1               0               0               0      1000000000 branches
  3       -1               0               0               0      1000000000 branches
  0       -1      2000000000      2000000000      2000000000      2000000000 task-clock
  1       -1      1000000000      2000000000      2000000000      2000000000 task-clock
  2       -1       666666666      2000000000      2000000000      2000000000 task-clock
  3       -1       500000000      2000000000      2000000000      2000000000 task-clock
  0       -1      6000000000      2000000000      2000000000      2000000000 cycles
  1       -1      3000000000      2000000000      2000000000      2000000000 cycles
  2       -1      2000000000      2000000000      2000000000      2000000000 cycles
  3       -1      1500000000      2000000000      2000000000      2000000000 cycles
  0       -1      4000000000      2000000000      1000000000      2000000000 instructions
  1       -1      2000000000      2000000000      1000000000      2000000000 instructions
  2       -1      1333333333      2000000000      1000000000      2000000000 instructions
  3       -1      1000000000      2000000000      1000000000      2000000000 instructions
  0       -1               0               0               0      2000000000 branches
  1       -1               0               0               0      2000000000 branches
  2       -1               0               0               0      2000000000 branches
  3       -1               0               0               0      2000000000 branches

=== source lines of what is not here
sh: perf script --symfs $TMP -F ip,srcline -i $DATA/perfdata/autofdo-ro_sample.perf | head -4
--- stdout
     7fedfd036090
  ld-2.30.so[1090]
     7fedfd036090
  ld-2.30.so[1090]

=== source lines need addresses
argv: perf script -F sym,srcline -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 255
--- stderr
error: Display of source line number requested but sample IP is not
selected. Hence, no address to lookup the source line number.

=== instructions of objects that are not here
sh: perf script --symfs $TMP -F ip,insn,insnlen -i $DATA/perfdata/autofdo-ro_sample.perf | head -2
--- stdout
     7fedfd036090 ilen: 0
     7fedfd036090 ilen: 0

=== lines of source, when they change; of files that are there
sh: $DATA/../tools/make_jit_file.py . && for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "line $i"; done > first.js && printf '\t12 \033[31m\r' >> first.js && perf script -G -F ip,sym,srccode | head -4 | cat -v; head -11 first.js > f && mv f first.js; perf script -G -F ip,srccode | head -3; rm first.js; mkfifo first.js; perf script -G -F ip,srccode | grep -c '|'; perf script -F sym,srccode
threads: 1 2
exit: 255
--- stdout
            10010 first
|10       line 10
            10020 first
|12       	12 ^[[31m^M
            10010
|10       line 10
            10020
0
--- stderr
error: Display of source line number requested but sample IP is not
selected. Hence, no address to lookup the source line number.

=== source lines of a kernel that was loaded elsewhere, from its vmlinux
sh: $DATA/../tools/make_kernel_file.py . && perf script -k $DATA/elf/tinyvmlinux -F ip,sym,symoff,srcline; for i in 1 2 3 4 5 6; do echo "is $i"; done > tinyvmlinux.c; perf script -k $DATA/elf/tinyvmlinux -F ip,srccode | grep '|'; perf report --stdio -q -k $DATA/elf/tinyvmlinux -s sym,srcline,srcfile | grep c:6
threads: 1 2
--- stdout
 ffffffff91000000 _text+0x0
  tinyvmlinux.c:11
 ffffffff9100000a _text+0xa
  tinyvmlinux.c:12
 ffffffff9100000b schedule+0x0
  tinyvmlinux.c:6
 ffffffff91000014 schedule+0x9
  tinyvmlinux.c:6
 ffffffff9100001a schedule+0xf
  tinyvmlinux.c:17
 ffffffff9100001f schedule+0x14
  tinyvmlinux.c:18
 ffffffff91001000 [unknown]
  [kernel.kallsyms][ffffffff91001000]
|6        is 6
    28.57%  [k] schedule            tinyvmlinux.c:6                      tinyvmlinux.c

=== a program for source lines may be named: it is not started
sh: printf '#!/bin/sh\ntouch started\n' > tool && chmod +x tool && $DATA/../tools/make_kernel_file.py . && perf script --addr2line ./tool -k $DATA/elf/tinyvmlinux -F ip,srcline | head -2; perf report --addr2line ./tool --stdio -q -k $DATA/elf/tinyvmlinux -s srcline | head -1; ls started
exit: 2
--- stdout
 ffffffff91000000
  tinyvmlinux.c:11
    28.57%  tinyvmlinux.c:6
--- stderr
ls: cannot access 'started': No such file or directory

=== of which virtual machine and virtual CPU; its tasks are not the host's
sh: $DATA/../tools/make_guest_file.py . --machines; perf script -F comm,tid,machine_pid,vcpu,misc,ip --show-task-events; perf script -F +vcpu | cut -c-60; perf script -F machine_pid,comm
threads: 1 2 3
--- stdout
            qemu     7       PERF_RECORD_COMM: qemu:7/7
            host    42       PERF_RECORD_COMM: host:42/42
VM:    7 VCPU:001            guest    42 G     PERF_RECORD_COMM: guest:42/42
            host    42 U                400010
VM:    7 VCPU:000             qemu     7 G                400010
VM:    7 VCPU:001             qemu     7 g                400010
            qemu     7 U                400010
            host    42     0.000001:       1000 cpu-clock:HG
VCPU:000             qemu     7     0.000001:       1000 cpu
VCPU:001             qemu     7     0.000001:       1000 cpu
            qemu     7     0.000001:       1000 cpu-clock:HG
            host 
VM:    7             qemu 
VM:    7             qemu 
            qemu 

=== kernels of virtual machines: moved or not, modules, a folder for each; never the host's code at that address
sh: for how in '' --silent; do $DATA/../tools/make_guest_file.py . $how; perf script --guestkallsyms kallsyms --guestmodules modules --guestmount guests -F comm,ip,sym,symoff,dso,misc; done; perf report --stdio -q -s dso,sym
threads: 1 2 3
--- stdout
            qemu G      ffffffff82000105 do_idle+0x5 ([guest.kernel.kallsyms])
            qemu G      ffffffff82000210 vmx_exit+0x10 ([guest.kernel.kallsyms])
            qemu G      ffffffffc0a00004 nfs_read+0x4 ([nfs])
            qemu g                400010 [unknown] ([unknown])
            qemu U                400010 [unknown] (/nonexistent/qemu)
            qemu g                400010 [unknown] ([unknown])
           other G      ffffffff81001005 do_idle+0x5 ([guest.kernel.kallsyms.8888])
           other G      ffffffffc0a00004 nfs_read+0x4 ([nfs])
            qemu G      ffffffff8200000b _text+0xb ([guest.kernel.kallsyms])
            qemu G      ffffffff81000105 do_idle+0x5 ([guest.kernel.kallsyms])
            qemu G      ffffffff81000210 vmx_exit+0x10 ([guest.kernel.kallsyms])
            qemu G      ffffffffc0a00004 nfs_read+0x4 ([nfs])
            qemu g                400010 [unknown] ([unknown])
            qemu U                400010 [unknown] (/nonexistent/qemu)
            qemu g                400010 [unknown] ([unknown])
           other G      ffffffff81001005 do_idle+0x5 ([guest.kernel.kallsyms.8888])
           other G      ffffffffc0a00004 nfs_read+0x4 ([nfs])
            qemu G      ffffffff8100000b _text+0xb ([guest.kernel.kallsyms])
    22.22%  [unknown]         [g] 0xffffffffc0a00004
    22.22%  [unknown]         [u] 0x0000000000400010
    11.11%  qemu              [.] 0x0000000000000010
    11.11%  [unknown]         [g] 0xffffffff8100000b
    11.11%  [unknown]         [g] 0xffffffff81000105
    11.11%  [unknown]         [g] 0xffffffff81000210
    11.11%  [unknown]         [g] 0xffffffff81001005



=== the same without files, with a kernel file, with files that are not there
sh: $DATA/../tools/make_guest_file.py . && perf script -F ip,sym,dso | head -1; perf script --guestvmlinux $DATA/elf/tinyvmlinux -F ip,sym,symoff,dso | tail -1;  perf script --guestmodules none; perf script --guestkallsyms none
exit: 255
--- stdout
 ffffffff82000105 [unknown] ([unknown])
 ffffffff8200000b schedule+0x0 ([guest.kernel.kallsyms])
--- stderr
error: invalid file 'none': No such file or directory
error: invalid file 'none': No such file or directory

=== a file named for the kernel's names that has none
sh: $DATA/../tools/make_kernel_file.py . && echo text >text && printf '0000000000000000 T _text\n' >hidden; for o in "-k text" "--kallsyms text" "--kallsyms hidden" "--kallsyms ." "--kallsyms /dev/null"; do perf script $o -F ip,sym | head -1; done
--- stdout
 ffffffff91000000 [unknown]
 ffffffff91000000 [unknown]
 ffffffff91000000 [unknown]
 ffffffff91000000 [unknown]
 ffffffff91000000 [unknown]
--- stderr
warning: the kernel has no names: 'text': not an ELF file
warning: the kernel has no names: no symbols in 'text'
warning: the kernel has no names: addresses in 'hidden' are hidden, see sysctl kernel.kptr_restrict
warning: the kernel has no names: '.' is a directory

=== a kernel file without debug information or symbols: those of the file that its link names
sh: $DATA/../tools/make_kernel_file.py . && objcopy --only-keep-debug $DATA/elf/tinyvmlinux v.debug && objcopy --strip-debug --add-gnu-debuglink=v.debug $DATA/elf/tinyvmlinux v && objcopy --strip-all --add-gnu-debuglink=v.debug $DATA/elf/tinyvmlinux bare && mkdir .debug && for f in v ./bare; do perf script -k $f -F ip,sym,srcline | head -2; done; mv v.debug .debug; perf script -k $PWD/bare -F ip,sym,srcline | head -2; echo other >>.debug/v.debug; perf script -k bare -F ip,sym,srcline | head -2
needs: objcopy
--- stdout
 ffffffff91000000 _text
  tinyvmlinux.c:11
 ffffffff91000000 _text
  tinyvmlinux.c:11
 ffffffff91000000 _text
  tinyvmlinux.c:11
 ffffffff91000000 [unknown]
  [kernel.kallsyms][ffffffff91000000]
--- stderr
warning: the kernel has no names: no symbols in 'bare'

=== a link with the name of the file that it is in does not mean that file
sh: $DATA/../tools/make_kernel_file.py . && printf '\4\0\0\0\4\0\0\0\3\0\0\0GNU\0abcd' >note && mkdir -p .debug && objcopy --add-section .note.gnu.build-id=note --set-section-flags .note.gnu.build-id=readonly $DATA/elf/tinyvmlinux .debug/v; for o in --strip-debug --strip-all; do objcopy $o --add-gnu-debuglink=.debug/v .debug/v v; perf script -k v -F ip,sym,srcline | head -2; done
needs: objcopy
--- stdout
 ffffffff91000000 _text
  tinyvmlinux.c:11
 ffffffff91000000 _text
  tinyvmlinux.c:11

