# perf sched map: which task each CPU has.
=== all CPUs
argv: perf sched map -f -i $DATA/sched/switches.data
threads: 1 2 3
--- stdout
  *A0              20.905049 secs A0 => kworker/0:0-eve:7
  *B0              20.905885 secs B0 => perf:146
   B0     *C0      20.943525 secs C0 => rcu_preempt:15
   B0     *.       20.943742 secs .  => swapper:0
   B0     *D0      20.987872 secs D0 => perf-exec:147
  *.       D0      21.021538 secs 
  *C0      D0      21.027486 secs 
  *.       D0      21.027571 secs 
  *C0      D0      21.051045 secs 
  *.       D0      21.051642 secs 
  *C0      D0      21.061696 secs 
  *.       D0      21.061794 secs 
  *C0      D0      21.062044 secs 
   C0 *B0  D0      21.111353 secs 
  *.   B0  D0      21.127712 secs 
  *C0  B0  D0      21.144826 secs 
  *.   B0  D0      21.144978 secs 
  *C0  B0  D0      21.163712 secs 
  *.   B0  D0      21.163834 secs 
  *C0  B0  D0      21.192061 secs 
  *.   B0  D0      21.192452 secs 
  *C0  B0  D0      21.199627 secs 
  *.   B0  D0      21.199786 secs 
  *C0  B0  D0      21.307702 secs 
  *.   B0  D0      21.307822 secs 
  *C0  B0  D0      21.312693 secs 
   C0  B0 *.       21.325832 secs 
   C0 *E0  .       21.341528 secs E0 => sh:148
  *.   E0  .       21.360324 secs 
  *C0  E0  .       21.379015 secs 
  *.   E0  .       21.379133 secs 
  *C0  E0  .       21.404000 secs 
  *.   E0  .       21.404120 secs 
  *F0  E0  .       21.507595 secs F0 => kcompactd0:37
  *C0  E0  .       21.507679 secs 
  *.   E0  .       21.507763 secs 
   .   E0 *G0      21.507859 secs G0 => kworker/u6:1-ev:30
   .   E0 *.       21.507962 secs 
  *C0  E0  .       21.515460 secs 
  *.   E0  .       21.515617 secs 
  *C0  E0  .       21.523023 secs 
  *.   E0  .       21.523118 secs 
  *C0  E0  .       21.531479 secs 
  *.   E0  .       21.531699 secs 
  *C0  E0  .       21.541038 secs 
  *.   E0  .       21.541184 secs 
  *C0  E0  .       21.556933 secs 
  *.   E0  .       21.557034 secs 
   .  *.   .       21.557325 secs 
   .   .  *D0      21.557504 secs D0 => sh:147
  *C0  .   D0      21.571581 secs 
  *.   .   D0      21.571797 secs 
  *C0  .   D0      21.586070 secs 
  *.   .   D0      21.586268 secs 
  *C0  .   D0      21.611649 secs 
  *.   .   D0      21.611804 secs 
   .  *H0  D0      21.612050 secs H0 => sh:149
  *C0  H0  D0      21.623652 secs 
  *.   H0  D0      21.623798 secs 
  *C0  H0  D0      21.626785 secs 
  *I0  H0  D0      21.627054 secs I0 => sh:150
   I0  H0 *.       21.655662 secs 
  *C0  H0  .       21.659514 secs 
  *I0  H0  .       21.659795 secs 
  *J0  H0  .       21.660963 secs J0 => sh:151
   J0 *C0  .       21.683706 secs 
   J0 *H0  .       21.683886 secs H0 => ls:149
   J0 *K0  .       21.728078 secs K0 => kworker/1:1-eve:44
   J0 *L0  .       21.728317 secs L0 => ksoftirqd/1:20
   J0  L0 *C0      21.740405 secs 
  *A0  L0  C0      21.768095 secs 
  *J0  L0  C0      21.768523 secs J0 => wc:151
  *.   L0  C0      21.769010 secs 
  *H0  L0  C0      21.824760 secs 
   H0 *K0  C0      21.851954 secs 
   H0 *L0  C0      21.852137 secs 
   H0 *.   C0      21.852270 secs 
   H0  .  *M0      21.853805 secs M0 => kworker/2:0-mm_:26
   H0  .  *C0      21.853960 secs 
   H0  .  *.       21.854095 secs 
   H0  .  *C0      21.876920 secs 
   H0  .  *.       21.877626 secs 
   H0  .  *C0      21.885624 secs 
   H0  .  *.       21.885778 secs 
   H0  .  *C0      21.891952 secs 
   H0  .  *.       21.892114 secs 
   H0  .  *C0      21.895865 secs 
   H0 *I0  C0      21.902884 secs I0 => sort:150
   H0  I0 *.       21.907092 secs 
  *.   I0  .       21.909698 secs 
   .   I0 *D0      21.909937 secs 
   .   I0 *.       21.911098 secs 
   .   I0 *C0      21.915365 secs 
   .   I0 *.       21.915509 secs 
  *J0  I0  .       21.917268 secs 
   J0  I0 *C0      21.918878 secs 
   J0  I0 *.       21.919163 secs 
  *.   I0  .       21.920365 secs 
   .   I0 *C0      21.923570 secs 
   .  *D0  C0      21.927417 secs 
   .  *.   C0      21.928045 secs 
  *J0  .   C0      21.928554 secs 
   J0 *N0  C0      21.930269 secs N0 => cat:143
  *D0  N0  C0      21.936887 secs 
   D0  N0 *.       21.947957 secs 
   D0  N0 *C0      21.951914 secs 
   D0  N0 *.       21.952105 secs 
   D0  N0 *C0      21.971862 secs 
   D0  N0 *O0      21.971968 secs O0 => sh:152
   D0 *.   O0      21.992220 secs 
   D0 *C0  O0      21.997347 secs 
  *P0  C0  O0      22.005172 secs P0 => ksoftirqd/0:14
  *D0  C0  O0      22.005358 secs 
  *F0  C0  O0      22.023106 secs 
  *D0  C0  O0      22.023222 secs 
  *.   C0  O0      22.024100 secs 
   .  *.   O0      22.030175 secs 
   .  *K0  O0      22.030621 secs 
   .  *.   O0      22.030751 secs 
   .  *C0  O0      22.060102 secs 
   .  *.   O0      22.060215 secs 
   .  *C0  O0      22.079342 secs 
   .  *.   O0      22.079520 secs 
   .  *C0  O0      22.107532 secs 
   .  *.   O0      22.107750 secs 
  *D0  .   O0      22.108054 secs 
   D0 *C0  O0      22.131587 secs 
   D0 *.   O0      22.131709 secs 
   D0  .  *.       22.132179 secs 
   D0 *C0  .       22.151586 secs 
   D0 *.   .       22.151778 secs 
  *.   .   .       22.153405 secs 
   .  *B0  .       22.153623 secs 
   .   B0 *C0      22.155390 secs 
   .  *L0  C0      22.239581 secs 
   .  *B0  C0      22.239855 secs 
   .   B0 *.       22.252289 secs 

=== those that switch
argv: perf sched map -f -i $DATA/sched/switches.data --compact
--- stdout
  *A0      20.905049 secs A0 => kworker/0:0-eve:7 (CPU 0)
  *B0      20.905885 secs B0 => perf:146
   B0 *C0      20.943525 secs C0 => rcu_preempt:15 (CPU 2)
   B0 *.       20.943742 secs .  => swapper:0
   B0 *D0      20.987872 secs D0 => perf-exec:147
  *.   D0      21.021538 secs 
  *C0  D0      21.027486 secs 
  *.   D0      21.027571 secs 
  *C0  D0      21.051045 secs 
  *.   D0      21.051642 secs 
  *C0  D0      21.061696 secs 
  *.   D0      21.061794 secs 
  *C0  D0      21.062044 secs 
   C0  D0 *B0      21.111353 secs  (CPU 1)
  *.   D0  B0      21.127712 secs 
  *C0  D0  B0      21.144826 secs 
  *.   D0  B0      21.144978 secs 
  *C0  D0  B0      21.163712 secs 
  *.   D0  B0      21.163834 secs 
  *C0  D0  B0      21.192061 secs 
  *.   D0  B0      21.192452 secs 
  *C0  D0  B0      21.199627 secs 
  *.   D0  B0      21.199786 secs 
  *C0  D0  B0      21.307702 secs 
  *.   D0  B0      21.307822 secs 
  *C0  D0  B0      21.312693 secs 
   C0 *.   B0      21.325832 secs 
   C0  .  *E0      21.341528 secs E0 => sh:148
  *.   .   E0      21.360324 secs 
  *C0  .   E0      21.379015 secs 
  *.   .   E0      21.379133 secs 
  *C0  .   E0      21.404000 secs 
  *.   .   E0      21.404120 secs 
  *F0  .   E0      21.507595 secs F0 => kcompactd0:37
  *C0  .   E0      21.507679 secs 
  *.   .   E0      21.507763 secs 
   .  *G0  E0      21.507859 secs G0 => kworker/u6:1-ev:30
   .  *.   E0      21.507962 secs 
  *C0  .   E0      21.515460 secs 
  *.   .   E0      21.515617 secs 
  *C0  .   E0      21.523023 secs 
  *.   .   E0      21.523118 secs 
  *C0  .   E0      21.531479 secs 
  *.   .   E0      21.531699 secs 
  *C0  .   E0      21.541038 secs 
  *.   .   E0      21.541184 secs 
  *C0  .   E0      21.556933 secs 
  *.   .   E0      21.557034 secs 
   .   .  *.       21.557325 secs 
   .  *D0  .       21.557504 secs D0 => sh:147
  *C0  D0  .       21.571581 secs 
  *.   D0  .       21.571797 secs 
  *C0  D0  .       21.586070 secs 
  *.   D0  .       21.586268 secs 
  *C0  D0  .       21.611649 secs 
  *.   D0  .       21.611804 secs 
   .   D0 *H0      21.612050 secs H0 => sh:149
  *C0  D0  H0      21.623652 secs 
  *.   D0  H0      21.623798 secs 
  *C0  D0  H0      21.626785 secs 
  *I0  D0  H0      21.627054 secs I0 => sh:150
   I0 *.   H0      21.655662 secs 
  *C0  .   H0      21.659514 secs 
  *I0  .   H0      21.659795 secs 
  *J0  .   H0      21.660963 secs J0 => sh:151
   J0  .  *C0      21.683706 secs 
   J0  .  *H0      21.683886 secs H0 => ls:149
   J0  .  *K0      21.728078 secs K0 => kworker/1:1-eve:44
   J0  .  *L0      21.728317 secs L0 => ksoftirqd/1:20
   J0 *C0  L0      21.740405 secs 
  *A0  C0  L0      21.768095 secs 
  *J0  C0  L0      21.768523 secs J0 => wc:151
  *.   C0  L0      21.769010 secs 
  *H0  C0  L0      21.824760 secs 
   H0  C0 *K0      21.851954 secs 
   H0  C0 *L0      21.852137 secs 
   H0  C0 *.       21.852270 secs 
   H0 *M0  .       21.853805 secs M0 => kworker/2:0-mm_:26
   H0 *C0  .       21.853960 secs 
   H0 *.   .       21.854095 secs 
   H0 *C0  .       21.876920 secs 
   H0 *.   .       21.877626 secs 
   H0 *C0  .       21.885624 secs 
   H0 *.   .       21.885778 secs 
   H0 *C0  .       21.891952 secs 
   H0 *.   .       21.892114 secs 
   H0 *C0  .       21.895865 secs 
   H0  C0 *I0      21.902884 secs I0 => sort:150
   H0 *.   I0      21.907092 secs 
  *.   .   I0      21.909698 secs 
   .  *D0  I0      21.909937 secs 
   .  *.   I0      21.911098 secs 
   .  *C0  I0      21.915365 secs 
   .  *.   I0      21.915509 secs 
  *J0  .   I0      21.917268 secs 
   J0 *C0  I0      21.918878 secs 
   J0 *.   I0      21.919163 secs 
  *.   .   I0      21.920365 secs 
   .  *C0  I0      21.923570 secs 
   .   C0 *D0      21.927417 secs 
   .   C0 *.       21.928045 secs 
  *J0  C0  .       21.928554 secs 
   J0  C0 *N0      21.930269 secs N0 => cat:143
  *D0  C0  N0      21.936887 secs 
   D0 *.   N0      21.947957 secs 
   D0 *C0  N0      21.951914 secs 
   D0 *.   N0      21.952105 secs 
   D0 *C0  N0      21.971862 secs 
   D0 *O0  N0      21.971968 secs O0 => sh:152
   D0  O0 *.       21.992220 secs 
   D0  O0 *C0      21.997347 secs 
  *P0  O0  C0      22.005172 secs P0 => ksoftirqd/0:14
  *D0  O0  C0      22.005358 secs 
  *F0  O0  C0      22.023106 secs 
  *D0  O0  C0      22.023222 secs 
  *.   O0  C0      22.024100 secs 
   .   O0 *.       22.030175 secs 
   .   O0 *K0      22.030621 secs 
   .   O0 *.       22.030751 secs 
   .   O0 *C0      22.060102 secs 
   .   O0 *.       22.060215 secs 
   .   O0 *C0      22.079342 secs 
   .   O0 *.       22.079520 secs 
   .   O0 *C0      22.107532 secs 
   .   O0 *.       22.107750 secs 
  *D0  O0  .       22.108054 secs 
   D0  O0 *C0      22.131587 secs 
   D0  O0 *.       22.131709 secs 
   D0 *.   .       22.132179 secs 
   D0  .  *C0      22.151586 secs 
   D0  .  *.       22.151778 secs 
  *.   .   .       22.153405 secs 
   .   .  *B0      22.153623 secs 
   .  *C0  B0      22.155390 secs 
   .   C0 *L0      22.239581 secs 
   .   C0 *B0      22.239855 secs 
   .  *.   B0      22.252289 secs 

=== chosen ones
sh: F="-f -i $DATA/sched/switches.data"; perf sched map $F --cpus 1 | head; perf sched map $F --cpus 0,2 --compact | head; perf sched map $F --cpus x; echo $?
--- stdout
      
      
      
      
      
      
      
      
      
      
  *A0      20.905049 secs A0 => kworker/0:0-eve:7 (CPU 0)
  *B0      20.905885 secs B0 => perf:146
   B0 *C0      20.943525 secs C0 => rcu_preempt:15 (CPU 2)
   B0 *.       20.943742 secs .  => swapper:0
   B0 *D0      20.987872 secs D0 => perf-exec:147
  *.   D0      21.021538 secs 
  *C0  D0      21.027486 secs 
  *.   D0      21.027571 secs 
  *C0  D0      21.051045 secs 
  *.   D0      21.051642 secs 
255
--- stderr
error: failed to get cpus map from x

=== some tasks
sh: F="-f -i $DATA/sched/switches.data"; perf sched map $F --task-name ls,sort | head; perf sched map $F --task-name s --fuzzy-name | head -5
--- stdout
  *-   -   .       21.660963 secs 
   -  *-   .       21.683706 secs 
   -  *A0  .       21.683886 secs A0 => ls:149
   -  *-   .       21.728078 secs 
  *A0  -   -       21.824760 secs 
   A0 *B0  -       21.902884 secs B0 => sort:150
  *-   B0  .       21.909698 secs 
   .  *-   -       21.927417 secs 
   -   -  *-       21.325832 secs 
   -  *A0  .       21.341528 secs A0 => sh:148
   .  *-   .       21.557325 secs 
   .   .  *B0      21.557504 secs B0 => sh:147
   .  *C0  B0      21.612050 secs C0 => sh:149

=== records as text
sh: perf sched -f -i $DATA/sched/switches.data script | head -3; perf sched -f -i $DATA/sched/switches.data script -F time,event | tail -1
--- stdout
            perf   146 [000]    20.905049:       sched:sched_switch: prev_comm=perf prev_pid=146 prev_prio=120 prev_state=R ==> next_comm=kworker/0:0 next_pid=7 next_prio=120
 kworker/0:0-eve     7 [000]    20.905885:       sched:sched_switch: prev_comm=kworker/0:0 prev_pid=7 prev_prio=120 prev_state=I ==> next_comm=perf next_pid=146 next_prio=120
         swapper     0 [002]    20.943525:       sched:sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rcu_preempt next_pid=15 next_prio=120
   22.254822: sched:sched_stat_runtime: 

