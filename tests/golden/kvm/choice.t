# perf kvm stat report -p, -t.
=== processes and threads
sh: for o in '-p 144' '-t 144' '-p 1' '-t 1' '-p 1 -t 144' '-t x'; do perf kvm -i $DATA/kvm/exits.data stat report $o 2>&1 | sed -n '3,8p'; done
--- stdout
Analyze events for pid(s) 144, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

               cpuid         20    39.22%    10.29%     14.63us    880.30us     58.99us ( +-  73.29% )
                  io         20    39.22%    53.72%     23.52us   5634.70us    307.98us ( +-  91.03% )
Analyze events for tid(s) 144, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

               cpuid         20    39.22%    10.29%     14.63us    880.30us     58.99us ( +-  73.29% )
                  io         20    39.22%    53.72%     23.52us   5634.70us    307.98us ( +-  91.03% )
Analyze events for pid(s) 1, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 


Total Samples:0, Total events handled time:0.00us.
Analyze events for tid(s) 1, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 


Total Samples:0, Total events handled time:0.00us.
Analyze events for pid(s) 1, tid(s) 144, all VCPUs:

             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time 

               cpuid         20    39.22%    10.29%     14.63us    880.30us     58.99us ( +-  73.29% )
                  io         20    39.22%    53.72%     23.52us   5634.70us    307.98us ( +-  91.03% )

