# --json and -x: what latency, timehist and map found out, for other programs.
=== latency: rows as the table's
argv: perf sched latency -f -i $DATA/sched/switches.data --json -s runtime
threads: 1 2 3
--- stdout
{"schema":"perf sched latency","version":1}
{"type":"task","comm":"sh","nr_tasks":2,"tid":null,"runtime_ns":730284276,"switches":9,"delay_ns":71756675,"max_delay_ns":26678759,"max_delay_start":22.081375727,"max_delay_end":22.108054486}
{"type":"task","comm":"rcu_preempt","nr_tasks":1,"tid":15,"runtime_ns":421289965,"switches":44,"delay_ns":205313124,"max_delay_ns":103098534,"max_delay_start":21.404581021,"max_delay_end":21.507679555}
{"type":"task","comm":"perf","nr_tasks":1,"tid":146,"runtime_ns":393349441,"switches":4,"delay_ns":23166619,"max_delay_ns":21561924,"max_delay_start":21.089791766,"max_delay_end":21.111353690}
{"type":"task","comm":"sleep","nr_tasks":1,"tid":148,"runtime_ns":215849290,"switches":1,"delay_ns":16379736,"max_delay_ns":16379736,"max_delay_start":21.325148923,"max_delay_end":21.341528659}
{"type":"task","comm":"ls","nr_tasks":1,"tid":149,"runtime_ns":200842004,"switches":3,"delay_ns":128819057,"max_delay_ns":96681974,"max_delay_start":21.728078177,"max_delay_end":21.824760151}
{"type":"task","comm":"ksoftirqd/1","nr_tasks":1,"tid":20,"runtime_ns":123939401,"switches":3,"delay_ns":6565632,"max_delay_ns":5959357,"max_delay_start":22.233621668,"max_delay_end":22.239581025}
{"type":"task","comm":"wc","nr_tasks":1,"tid":151,"runtime_ns":118766506,"switches":4,"delay_ns":8603013,"max_delay_ns":5936553,"max_delay_start":21.655026766,"max_delay_end":21.660963319}
{"type":"task","comm":"cat","nr_tasks":1,"tid":143,"runtime_ns":62025169,"switches":1,"delay_ns":509881,"max_delay_ns":509881,"max_delay_start":21.929759613,"max_delay_end":21.930269494}
{"type":"task","comm":"sort","nr_tasks":1,"tid":150,"runtime_ns":58063344,"switches":3,"delay_ns":3646264,"max_delay_ns":2255427,"max_delay_start":21.624798853,"max_delay_end":21.627054280}
{"type":"task","comm":"kworker/1:1-eve","nr_tasks":1,"tid":44,"runtime_ns":1032782,"switches":3,"delay_ns":881987,"max_delay_ns":489251,"max_delay_start":21.851465183,"max_delay_end":21.851954434}
{"type":"task","comm":"kworker/0:0-eve","nr_tasks":1,"tid":7,"runtime_ns":766204,"switches":2,"delay_ns":430463,"max_delay_ns":430463,"max_delay_start":21.767665494,"max_delay_end":21.768095957}
{"type":"task","comm":"kworker/2:0-mm_","nr_tasks":1,"tid":26,"runtime_ns":382200,"switches":1,"delay_ns":85490104,"max_delay_ns":85490104,"max_delay_start":21.768315414,"max_delay_end":21.853805518}
{"type":"task","comm":"kcompactd0","nr_tasks":1,"tid":37,"runtime_ns":375500,"switches":2,"delay_ns":103596017,"max_delay_ns":103131704,"max_delay_start":21.404463495,"max_delay_end":21.507595199}
{"type":"task","comm":"ksoftirqd/0","nr_tasks":1,"tid":14,"runtime_ns":262683,"switches":1,"delay_ns":129784,"max_delay_ns":129784,"max_delay_start":22.005042716,"max_delay_end":22.005172500}
{"type":"task","comm":"kworker/u6:1-ev","nr_tasks":1,"tid":30,"runtime_ns":118947,"switches":1,"delay_ns":522159,"max_delay_ns":522159,"max_delay_start":21.507337164,"max_delay_end":21.507859323}
{"type":"total","runtime_ns":2327347712,"switches":82,"wakeups":70,"unordered":0,"switch_bugs":0,"switches_backwards":0,"lost_events":0,"lost_chunks":0}

=== latency: values between separators, which are no part of a name; delays by length
argv: perf sched latency -f -i $DATA/sched/switches.data -p -H -x : -s runtime
--- stdout
# type:comm:nr_tasks:tid:runtime_ns:switches:delay_ns:max_delay_ns:max_delay_start:max_delay_end
task:sh:1:147:570081736:8:53975887:26678759:22.081375727:22.108054486
task:rcu_preempt:1:15:421289965:44:205313124:103098534:21.404581021:21.507679555
task:perf:1:146:393349441:4:23166619:21561924:21.089791766:21.111353690
task:sleep:1:148:215849290:1:16379736:16379736:21.325148923:21.341528659
task:ls:1:149:200842004:3:128819057:96681974:21.728078177:21.824760151
task:sh:1:152:160202540:1:17780788:17780788:21.954187996:21.971968784
task:ksoftirqd/1:1:20:123939401:3:6565632:5959357:22.233621668:22.239581025
task:wc:1:151:118766506:4:8603013:5936553:21.655026766:21.660963319
task:cat:1:143:62025169:1:509881:509881:21.929759613:21.930269494
task:sort:1:150:58063344:3:3646264:2255427:21.624798853:21.627054280
task:kworker/1.1-eve:1:44:1032782:3:881987:489251:21.851465183:21.851954434
task:kworker/0.0-eve:1:7:766204:2:430463:430463:21.767665494:21.768095957
task:kworker/2.0-mm_:1:26:382200:1:85490104:85490104:21.768315414:21.853805518
task:kcompactd0:1:37:375500:2:103596017:103131704:21.404463495:21.507595199
task:ksoftirqd/0:1:14:262683:1:129784:129784:22.005042716:22.005172500
task:kworker/u6.1-ev:1:30:118947:1:522159:522159:21.507337164:21.507859323
# type:from_us:to_us:count
delays:0:1:2
delays:32:64:1
delays:64:128:2
delays:128:256:15
delays:256:512:31
delays:512:1024:6
delays:1024:2048:2
delays:2048:4096:4
delays:4096:8192:3
delays:8192:16384:7
delays:16384:32768:5
delays:65536:131072:4
# type:runtime_ns:switches:wakeups:unordered:switch_bugs:switches_backwards:lost_events:lost_chunks
total:2327347712:82:70:0:0:0:0:0

=== timehist: switches, wake-ups, moves
sh: perf sched timehist -f -i $DATA/sched/switches.data --json -wMP --show-prio | head -20
--- stdout
{"schema":"perf sched timehist","version":1}
{"type":"switch","time":20.905049632,"cpu":0,"comm":"perf","tid":146,"pid":146,"wait_ns":null,"delay_ns":null,"run_ns":null,"pre_migration_ns":0,"unannounced":false,"state":"R","prio":120,"next_comm":"kworker/0:0","next_tid":7}
{"type":"switch","time":20.905885840,"cpu":0,"comm":"kworker/0:0-eve","tid":7,"pid":7,"wait_ns":null,"delay_ns":0,"run_ns":836208,"pre_migration_ns":0,"unannounced":false,"state":"I","prio":120,"next_comm":"perf","next_tid":146}
{"type":"switch","time":20.943525570,"cpu":2,"comm":"<idle>","tid":0,"pid":0,"wait_ns":null,"delay_ns":null,"run_ns":null,"pre_migration_ns":0,"unannounced":false,"state":"I","prio":120,"next_comm":"rcu_preempt","next_tid":15}
{"type":"switch","time":20.943742393,"cpu":2,"comm":"rcu_preempt","tid":15,"pid":15,"wait_ns":null,"delay_ns":0,"run_ns":216823,"pre_migration_ns":0,"unannounced":false,"state":"I","prio":120,"next_comm":"swapper/2","next_tid":0}
{"type":"wakeup","time":20.978277697,"cpu":0,"comm":"perf-exec","tid":147,"pid":147,"by_comm":"perf","by_tid":146,"by_pid":146}
{"type":"migration","time":20.987487158,"cpu":0,"comm":"perf-exec","tid":147,"pid":147,"by_comm":"perf","by_tid":146,"by_pid":146,"from_cpu":0,"to_cpu":2}
{"type":"switch","time":20.987872052,"cpu":2,"comm":"<idle>","tid":0,"pid":0,"wait_ns":216823,"delay_ns":0,"run_ns":44129659,"pre_migration_ns":0,"unannounced":false,"state":"I","prio":120,"next_comm":"perf-exec","next_tid":147}
{"type":"switch","time":21.021538128,"cpu":0,"comm":"perf","tid":146,"pid":146,"wait_ns":836208,"delay_ns":0,"run_ns":115652288,"pre_migration_ns":0,"unannounced":false,"state":"S","prio":120,"next_comm":"swapper/0","next_tid":0}
{"type":"wakeup","time":21.027327032,"cpu":0,"comm":"rcu_preempt","tid":15,"pid":15,"by_comm":"<idle>","by_tid":0,"by_pid":0}
{"type":"migration","time":21.027369535,"cpu":0,"comm":"rcu_preempt","tid":15,"pid":15,"by_comm":"<idle>","by_tid":0,"by_pid":0,"from_cpu":2,"to_cpu":0}
{"type":"switch","time":21.027486049,"cpu":0,"comm":"<idle>","tid":0,"pid":0,"wait_ns":null,"delay_ns":0,"run_ns":5947921,"pre_migration_ns":0,"unannounced":false,"state":"I","prio":120,"next_comm":"rcu_preempt","next_tid":15}
{"type":"switch","time":21.027571907,"cpu":0,"comm":"rcu_preempt","tid":15,"pid":15,"wait_ns":83743656,"delay_ns":159017,"run_ns":85858,"pre_migration_ns":42503,"unannounced":false,"state":"I","prio":120,"next_comm":"swapper/0","next_tid":0}
{"type":"wakeup","time":21.039365246,"cpu":0,"comm":"rcu_preempt","tid":15,"pid":15,"by_comm":"<idle>","by_tid":0,"by_pid":0}
{"type":"switch","time":21.051045565,"cpu":0,"comm":"<idle>","tid":0,"pid":0,"wait_ns":85858,"delay_ns":0,"run_ns":23473658,"pre_migration_ns":0,"unannounced":false,"state":"I","prio":120,"next_comm":"rcu_preempt","next_tid":15}
{"type":"switch","time":21.051642056,"cpu":0,"comm":"rcu_preempt","tid":15,"pid":15,"wait_ns":23473658,"delay_ns":11680319,"run_ns":596491,"pre_migration_ns":0,"unannounced":false,"state":"I","prio":120,"next_comm":"swapper/0","next_tid":0}
{"type":"wakeup","time":21.052137886,"cpu":2,"comm":"rcu_preempt","tid":15,"pid":15,"by_comm":"perf-exec","by_tid":147,"by_pid":147}
{"type":"switch","time":21.061696277,"cpu":0,"comm":"<idle>","tid":0,"pid":0,"wait_ns":596491,"delay_ns":0,"run_ns":10054221,"pre_migration_ns":0,"unannounced":false,"state":"I","prio":120,"next_comm":"rcu_preempt","next_tid":15}
{"type":"switch","time":21.061794394,"cpu":0,"comm":"rcu_preempt","tid":15,"pid":15,"wait_ns":10054221,"delay_ns":9558391,"run_ns":98117,"pre_migration_ns":0,"unannounced":false,"state":"I","prio":120,"next_comm":"swapper/0","next_tid":0}
{"type":"wakeup","time":21.061986861,"cpu":2,"comm":"rcu_preempt","tid":15,"pid":15,"by_comm":"perf-exec","by_tid":147,"by_pid":147}
--- stderr
Samples do not have callchains.

=== timehist: the same runs in text, JSON and between separators
sh: T="perf sched timehist -f -i $DATA/sched/switches.data"; $T 2>/dev/null | awk '/^ +[0-9.]+ \[/ { print $NF }' >text; $T -x, 2>/dev/null | awk -F, '/^switch/ { printf "%d.%03d\n", int($9 / 1000000), int($9 / 1000) % 1000 }' >values; $T --json 2>/dev/null | sed -n 's/.*"run_ns":\([0-9a-z]*\).*/\1/p' | awk '{ printf "%d.%03d\n", int($1 / 1000000), int($1 / 1000) % 1000 }' >rows; cmp text values; cmp text rows; wc -l <rows
--- stdout
137

=== timehist: sums of tasks
argv: perf sched timehist -f -i $DATA/sched/switches.data -s -x,
--- stdout
# type,comm,tid,pid,parent,terminated,runs,run_ns,min_run_ns,mean_run_ns,max_run_ns,uncertainty_percent,wait_ns,delay_ns,migrations
task,kworker/0:0-eve,7,7,2,0,2,1263866,427658,631933,836208,32.33,862210117,430463,0
task,ksoftirqd/0,14,14,2,0,1,185978,185978,185978,185978,0.00,0,129784,0
task,rcu_preempt,15,15,2,0,44,399171892,83805,9072088,113400136,41.65,909591708,205158594,5
task,ksoftirqd/1,20,20,2,0,3,124044388,132538,41348129,123637200,99.51,387494053,6382429,0
task,kworker/2:0-mm_,26,26,2,0,1,154530,154530,154530,154530,0.00,0,85490104,0
task,kworker/u6:1-ev,30,30,2,0,1,103254,103254,103254,103254,0.00,0,522159,0
task,kcompactd0,37,37,2,0,2,201021,84356,100510,116665,16.07,515426651,103596017,1
task,kworker/1:1-eve,44,44,2,0,3,552734,130474,184244,239057,17.02,302120610,881987,0
task,cat,143,143,1,0,1,61951288,61951288,61951288,61951288,0.00,0,509881,1
task,perf,146,146,145,0,4,431785018,0,107946254,230174969,44.05,902746375,22055761,1
task,sh,147,147,146,1,8,570168124,628188,71271015,337959970,56.33,595365253,53673244,3
task,sleep,148,148,147,1,1,215796641,215796641,215796641,215796641,0.00,0,16379736,1
task,ls,149,149,147,1,3,200786900,44192072,66928966,84938509,17.93,96861522,31957535,1
task,sort,150,150,147,1,3,58160168,1167443,19386722,32459775,48.45,242202868,3364443,1
task,wc,151,151,147,1,4,119049451,487057,29762362,107132638,86.83,156875026,8175355,0
task,sh,152,152,147,1,1,160210633,160210633,160210633,160210633,0.00,0,17780788,0
# type,cpu,idle_ns
idle,0,643847853
idle,1,235185394
idle,2,463002249
# type,span_ns,cpus,odd_switches,unannounced,switches_backwards,lost_events,lost_chunks
total,1347239538,3,0,0,0,0,0
--- stderr
Samples do not have callchains.

=== map
sh: perf sched map -f -i $DATA/sched/switches.data --json --task-name ls | head -6; perf sched map -f -i $DATA/sched/switches.data -x ' ' --cpus 1 | tail -4
--- stdout
{"schema":"perf sched map","version":1}
{"type":"switch","time":21.683706557,"cpu":1,"prev_comm":"ls","prev_tid":149,"next_comm":"rcu_preempt","next_tid":15}
{"type":"switch","time":21.683886105,"cpu":1,"prev_comm":"rcu_preempt","prev_tid":15,"next_comm":"ls","next_tid":149}
{"type":"switch","time":21.728078177,"cpu":1,"prev_comm":"ls","prev_tid":149,"next_comm":"kworker/1:1-eve","next_tid":44}
{"type":"switch","time":21.824760151,"cpu":0,"prev_comm":"swapper","prev_tid":0,"next_comm":"ls","next_tid":149}
{"type":"switch","time":21.909698660,"cpu":0,"prev_comm":"ls","prev_tid":149,"next_comm":"swapper","next_tid":0}
switch 22.239581025 1 perf 146 ksoftirqd/1 20
switch 22.239855675 1 ksoftirqd/1 20 perf 146
# type switches odd_switches lost_events lost_chunks
total 33 0 0 0

=== both, no separator, and one that is in numbers
sh: for c in latency timehist map; do perf sched $c -x, --json 2>&1 | head -1; perf sched $c -x '' 2>&1 | head -1; perf sched $c -x . 2>&1 | head -1; done
--- stdout
 Error: --json and -x are mutually exclusive.
 Error: -x needs a separator
 Error: -x: '.' cannot stand between columns: it has something that is in numbers
 Error: --json and -x are mutually exclusive.
 Error: -x needs a separator
 Error: -x: '.' cannot stand between columns: it has something that is in numbers
 Error: --json and -x are mutually exclusive.
 Error: -x needs a separator
 Error: -x: '.' cannot stand between columns: it has something that is in numbers

=== stats: counters of a CPU, of its domains, and the means of two recordings
sh: perf sched stats report -f -i $DATA/sched/stats.1.data --json -C 1 | sed '12,20d' | tail -42; perf sched stats diff -f -x, $DATA/sched/stats.1.data $DATA/sched/stats.2.data | head -16; perf sched stats record --json true 2>&1 | head -1
--- stdout
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"busy_lb_imbalance_load","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"busy_lb_imbalance_util","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"busy_lb_imbalance_task","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"busy_lb_imbalance_misfit","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"busy_lb_gained","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"busy_lb_hot_gained","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"busy_lb_nobusyq","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"busy_lb_nobusyg","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_count","count":4}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_balanced","count":4}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_failed","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_imbalance_load","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_imbalance_util","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_imbalance_task","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_imbalance_misfit","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_gained","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_hot_gained","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_nobusyq","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"idle_lb_nobusyg","count":4}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_count","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_balanced","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_failed","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_imbalance_load","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_imbalance_util","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_imbalance_task","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_imbalance_misfit","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_gained","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_hot_gained","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_nobusyq","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"newidle_lb_nobusyg","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"alb_count","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"alb_failed","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"alb_pushed","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"sbe_count","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"sbe_balanced","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"sbe_pushed","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"sbf_count","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"sbf_balanced","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"sbf_pushed","count":0}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"ttwu_wake_remote","count":17}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"ttwu_move_affine","count":1}
{"type":"domain","cpu":1,"domain":0,"domain_name":"MC","domain_cpus":"0-1","counter":"ttwu_move_balance","count":0}
# type,jiffies1,jiffies2
time,274,846
# type,cpu,counter,count1,count2
cpu,,yld_count,0,0
cpu,,array_exp,0,0
cpu,,sched_count,42,1185
cpu,,sched_goidle,18,571
cpu,,ttwu_count,22,597
cpu,,ttwu_local,13,222
cpu,,rq_cpu_time,49987767,1548139354
cpu,,run_delay,2759439,83550677
cpu,,pcount,26,608
# type,cpu,domain,domain_name,domain_cpus,counter,count1,count2
domain,,0,MC,,busy_lb_count,0,2
domain,,0,MC,,busy_lb_balanced,0,2
domain,,0,MC,,busy_lb_failed,0,0
 Error: --json and -x are for report and diff: record writes a recording
