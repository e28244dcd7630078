# perf kvm stat report: why virtual machines were left.
=== recorded on an AMD processor: 20 writes to a port, 20 times cpuid, 10 writes to memory
argv: perf kvm -i $DATA/kvm/exits.data stat report -f
--- stdout


Analyze events for all VMs, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

               cpuid         20    39.22%    10.29%     14.63us    880.30us     58.99us ( +-  73.29% )
                  io         20    39.22%    53.72%     23.52us   5634.70us    307.98us ( +-  91.03% )
                 npf         11    21.57%    35.99%     33.57us   2236.08us    375.09us ( +-  58.53% )

Total Samples:51, Total events handled time:11465.48us.


=== where: a write to memory that is not there
sh: for e in mmio ioport msr; do perf kvm -i $DATA/kvm/exits.data stat report -f --event $e; done
--- stdout


Analyze events for all VMs, all VCPUs:

         MMIO Access    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

           0xa0000:W         10   100.00%   100.00%     18.44us    386.49us     58.94us ( +-  61.84% )

Total Samples:10, Total events handled time:589.35us.



Analyze events for all VMs, all VCPUs:

      IO Port Access    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

          0x3f8:POUT         20   100.00%   100.00%     18.55us   5524.40us    296.99us ( +-  92.64% )

Total Samples:20, Total events handled time:5939.72us.



Analyze events for all VMs, all VCPUs:

          MSR Access    Samples  Samples%     Time%    Min Time    Max Time         Avg time 


Total Samples:0, Total events handled time:0.00us.


=== each kind of event, with its way to count time
sh: python3 $DATA/../tools/make_kvm_file.py f.data && for e in vmexit mmio ioport msr; do echo "-- $e"; perf kvm -i f.data stat report --event $e; done
--- stdin
1000000 exit 0 5 0x72
1001000 entry 0 5 0
1010000 exit 0 5 0x7b
1013000 pio 0 5 1 0x3f8
1020000 entry 0 5 0
1030000 exit 0 5 0x7b
1033000 pio 0 5 0 0x3f9
1050000 entry 0 5 0
1060000 exit 0 5 0x400
1061000 mmio 0 5 0 0xa0000
1063000 mmio 0 5 1 0xa0000
1070000 entry 0 5 0
1080000 exit 0 5 0x400
1085000 mmio 0 5 2 0xa0008
1100000 entry 0 5 0
1110000 exit 0 5 0x7c
1111000 msr 0 5 0 0x10
1120000 entry 0 5 0
1130000 exit 0 5 0x7c
1134000 msr 0 5 1 0x11
1150000 entry 0 5 0
1160000 exit 1 5 0x72
1200000 entry 1 6 1
1300000 exit 0 6 0x72
1310000 entry 0 6 1
1330000 exit 0 6 0x78
--- stdout
-- vmexit


Analyze events for all VMs, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

                  io          2    28.57%    30.00%     10.00us     20.00us     15.00us ( +-  33.33% )
                0x7c          2    28.57%    30.00%     10.00us     20.00us     15.00us ( +-  33.33% )
               0x400          2    28.57%    30.00%     10.00us     20.00us     15.00us ( +-  33.33% )
               cpuid          1    14.29%    10.00%     10.00us     10.00us     10.00us ( +-   0.00% )

Total Samples:7, Total events handled time:100.00us.

-- mmio


Analyze events for all VMs, all VCPUs:

         MMIO Access    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

           0xa0000:R          1    50.00%    16.67%      3.00us      3.00us      3.00us ( +-   0.00% )
           0xa0008:W          1    50.00%    83.33%     15.00us     15.00us     15.00us ( +-   0.00% )

Total Samples:2, Total events handled time:18.00us.

-- ioport


Analyze events for all VMs, all VCPUs:

      IO Port Access    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

          0x3f8:POUT          1    50.00%    29.17%      7.00us      7.00us      7.00us ( +-   0.00% )
           0x3f9:PIN          1    50.00%    70.83%     17.00us     17.00us     17.00us ( +-   0.00% )

Total Samples:2, Total events handled time:24.00us.

-- msr


Analyze events for all VMs, all VCPUs:

          MSR Access    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

              0x10:R          1    50.00%    36.00%      9.00us      9.00us      9.00us ( +-   0.00% )
              0x11:W          1    50.00%    64.00%     16.00us     16.00us     16.00us ( +-   0.00% )

Total Samples:2, Total events handled time:25.00us.


=== reasons are of the processor that the event names; on VMX the upper half of a reason is not a part of it
sh: python3 $DATA/../tools/make_kvm_file.py f.data --isa 1 && perf kvm -i f.data stat report
--- stdin
1000 entry 0 5 0
2000 exit 0 5 0x8000000a
3000 entry 0 5 0
4000 exit 0 5 12
6000 entry 0 5 0
7000 exit 0 5 99
9000 entry 0 5 0
--- stdout


Analyze events for all VMs, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

                 HLT          1    33.33%    40.00%      2.00us      2.00us      2.00us ( +-   0.00% )
                0x63          1    33.33%    40.00%      2.00us      2.00us      2.00us ( +-   0.00% )
               CPUID          1    33.33%    20.00%      1.00us      1.00us      1.00us ( +-   0.00% )

Total Samples:3, Total events handled time:5.00us.


=== arm64: a trap is told by its class
sh: python3 $DATA/../tools/make_kvm_file.py f.data --arm64 && perf kvm -i f.data stat report
--- stdin
1000 entry 0 5 0
2000 exit 0 5 2 0x24
5000 entry 0 5 0
6000 exit 0 5 0 0
7000 entry 0 5 0
8000 exit 0 5 2 0x3f
9000 entry 0 5 0
--- stdout


Analyze events for all VMs, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

                 IRQ          1    33.33%    20.00%      1.00us      1.00us      1.00us ( +-   0.00% )
            DABT_LOW          1    33.33%    60.00%      3.00us      3.00us      3.00us ( +-   0.00% )
                TRAP          1    33.33%    20.00%      1.00us      1.00us      1.00us ( +-   0.00% )

Total Samples:3, Total events handled time:5.00us.


=== some of it, by other keys, and as an object
sh: python3 $DATA/../tools/make_kvm_file.py f.data && for o in '--vcpu 1' '-p 6,9' '-k time' '-k max_t' '--time 0.000012,' --json; do echo "-- $o"; perf kvm -i f.data stat report $o; done
--- stdin
1000 entry 0 5 0
1500 entry 1 6 1
2000 exit 0 5 0x72
3000 entry 0 5 0
4000 exit 0 5 0x72
7000 entry 0 5 0
8000 exit 1 6 0x7b
10500 entry 1 6 1
15000 exit 1 6 0x7b
17500 entry 1 6 1
20000 exit 1 6 0x78
22600 entry 1 6 1
--- stdout
-- --vcpu 1


Analyze events for all VMs, VCPU 1:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

                  io          2    66.67%    65.79%      2.50us      2.50us      2.50us ( +-   0.00% )
                 hlt          1    33.33%    34.21%      2.60us      2.60us      2.60us ( +-   0.00% )

Total Samples:3, Total events handled time:7.60us.

-- -p 6,9


Analyze events for pid(s) 6,9, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

                  io          2    66.67%    65.79%      2.50us      2.50us      2.50us ( +-   0.00% )
                 hlt          1    33.33%    34.21%      2.60us      2.60us      2.60us ( +-   0.00% )

Total Samples:3, Total events handled time:7.60us.

-- -k time


Analyze events for all VMs, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

                 hlt          1    20.00%    22.41%      2.60us      2.60us      2.60us ( +-   0.00% )
                  io          2    40.00%    43.10%      2.50us      2.50us      2.50us ( +-   0.00% )
               cpuid          2    40.00%    34.48%      1.00us      3.00us      2.00us ( +-  50.00% )

Total Samples:5, Total events handled time:11.60us.

-- -k max_t


Analyze events for all VMs, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

               cpuid          2    40.00%    34.48%      1.00us      3.00us      2.00us ( +-  50.00% )
                 hlt          1    20.00%    22.41%      2.60us      2.60us      2.60us ( +-   0.00% )
                  io          2    40.00%    43.10%      2.50us      2.50us      2.50us ( +-   0.00% )

Total Samples:5, Total events handled time:11.60us.

-- --time 0.000012,


Analyze events for all VMs, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

                 hlt          1   100.00%   100.00%      2.60us      2.60us      2.60us ( +-   0.00% )

Total Samples:1, Total events handled time:2.60us.

-- --json
{"schema":"perf kvm stat","version":1,"event":"vmexit","nr":5,"total_ns":11600,"rows":[{"name":"cpuid","nr":2,"total_ns":4000,"min_ns":1000,"max_ns":3000,"mean_ns":2000.0,"uncertainty_percent":50.00},{"name":"io","nr":2,"total_ns":5000,"min_ns":2500,"max_ns":2500,"mean_ns":2500.0,"uncertainty_percent":0.00},{"name":"hlt","nr":1,"total_ns":2600,"min_ns":2600,"max_ns":2600,"mean_ns":2600.0,"uncertainty_percent":0.00}]}

=== times that go backwards, an exit after an exit, entries without exits, events that were lost
sh: python3 $DATA/../tools/make_kvm_file.py f.data && perf kvm -i f.data stat report
--- stdin
1000 entry 0 5 0
2000 entry 0 5 0
3000 exit 0 5 0x72
4000 exit 0 5 0x7b
6000 entry 0 5 0
7000 entry 0 5 0
8000 lost 3
--- stdout


Analyze events for all VMs, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

                  io          1   100.00%   100.00%      2.00us      2.00us      2.00us ( +-   0.00% )

Total Samples:1, Total events handled time:2.00us.

--- stderr
warning: 3 events were lost while recording: sums are those of what is left

=== no such events, a field that is missing, wrong words
sh: perf kvm -i $DATA/sched/switches.data stat report -f; echo $?; python3 $DATA/../tools/make_kvm_file.py f.data --field exit_reason=why < /dev/null; python3 $DATA/../tools/make_kvm_file.py f.data --field exit_reason=why <<< "1000 exit 0 5 7"; perf kvm -i f.data stat report; echo $?; for w in "stat reprot" stats "stat report --event x" "stat report -k x" "stat live -d 0" "stat live --duration x" "stat report -p x"; do perf kvm $w 2>&1 | head -2; done
--- stdout
255
255
error: failed to open 'perf.data.guest': No such file or directory
hint: try 'perf record' first
error: 'stats' is no word of perf kvm
hint: did you mean 'stat'?
Unknown report event:x (vmexit, mmio, ioport, msr)

Unknown compare key:x (sample, time, percent_time, max_t, min_t)

 Error: the delay is a number of seconds
 Usage: perf kvm stat live [<options>]
cannot read the duration 'x': microseconds

error: cannot read the list of processes 'x'
--- stderr
error: '$DATA/sched/switches.data' has no samples of kvm:kvm_exit
hint: perf kvm stat record COMMAND records what is needed
error: kvm:kvm_exit of 'f.data' has no field 'exit_reason'

=== a profile of virtual machines: the names of files
sh: perf kvm report 2>&1 | head -1; perf kvm --host report 2>&1 | head -1; perf kvm --host --no-guest buildid-list 2>&1 | head -1; perf kvm diff 2>&1 | head -1
--- stdout
error: failed to open 'perf.data.guest': No such file or directory
error: failed to open 'perf.data.kvm': No such file or directory
error: failed to open 'perf.data.host': No such file or directory
error: failed to open 'perf.data.guest.old': No such file or directory

=== values between separators, one CPU's events
sh: perf kvm -i $DATA/kvm/exits.data stat report -x, -k time; perf kvm -i $DATA/kvm/exits.data stat report -C 0 -x ';' | tail -1; perf kvm stat report -x -- 2>&1 | head -1
--- stdout
# type,name,nr,total_ns,min_ns,max_ns,mean_ns,uncertainty_percent
vmexit,npf,11,4126034,33570,2236081,375094.0,58.53
vmexit,io,20,6159686,23515,5634700,307984.3,91.03
vmexit,cpuid,20,1179759,14632,880305,58988.0,73.29
# type,nr,total_ns
total,51,11465479
total;51;11465479
 Error: -x: '--' cannot stand between columns: it has something that is in numbers

