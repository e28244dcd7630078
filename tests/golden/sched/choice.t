# perf sched wakers, timeline: -C, -p, -t; timeline --json, -x.
=== wakers
sh: for o in '-t 15' '-p 149,150' '-C 2' '-t 15 -C 0'; do echo "-- $o"; perf sched wakers -x, $o -i $DATA/sched/switches.data; done
--- stdout
-- -t 15
# type,comm,by_comm,count,slept_ns,longest_ns
wakeups,rcu_preempt,,42,704278584,107600806
# type,sleeps,unknown,lost_events,lost_chunks
total,42,0,0,0
-- -p 149,150
# type,comm,by_comm,count,slept_ns,longest_ns
wakeups,sort,ls,1,240812031,240812031
# type,sleeps,unknown,lost_events,lost_chunks
total,1,0,0,0
-- -C 2
# type,comm,by_comm,count,slept_ns,longest_ns
wakeups,perf,sh,1,68253638,68253638
wakeups,rcu_preempt,,9,64579533,22205465
wakeups,sh,sh,1,57275607,57275607
# type,sleeps,unknown,lost_events,lost_chunks
total,11,0,0,0
-- -t 15 -C 0
# type,comm,by_comm,count,slept_ns,longest_ns
wakeups,rcu_preempt,,20,466562226,107600806
# type,sleeps,unknown,lost_events,lost_chunks
total,20,0,0,0

=== timeline: rows
sh: exec 2>&1; for o in '--json -t 149' '-x , -t 148 --time 21.3,21.5' '--json -p 150 -C 1'; do echo "-- $o"; perf sched timeline $o -i $DATA/sched/switches.data; done; perf sched timeline --json out.html -i $DATA/sched/switches.data; perf sched timeline --json -x,; perf sched timeline -t x --json -i $DATA/sched/switches.data
exit: 255
--- stdout
-- --json -t 149
{"schema":"perf sched timeline","version":1}
{"type":"span","state":"woken","from_ns":21580092703,"until_ns":21612050238,"comm":"sh","tid":149,"pid":149,"cpu":1,"by_tid":147,"goes_on":false}
{"type":"span","state":"running","from_ns":21612050238,"until_ns":21683706557,"comm":"ls","tid":149,"pid":149,"cpu":1,"by_tid":null,"goes_on":false}
{"type":"span","state":"preempted","from_ns":21683706557,"until_ns":21683886105,"comm":"ls","tid":149,"pid":149,"cpu":1,"by_tid":null,"goes_on":false}
{"type":"span","state":"running","from_ns":21683886105,"until_ns":21728078177,"comm":"ls","tid":149,"pid":149,"cpu":1,"by_tid":null,"goes_on":false}
{"type":"span","state":"preempted","from_ns":21728078177,"until_ns":21824760151,"comm":"ls","tid":149,"pid":149,"cpu":0,"by_tid":null,"goes_on":false}
{"type":"span","state":"running","from_ns":21824760151,"until_ns":21909698660,"comm":"ls","tid":149,"pid":149,"cpu":0,"by_tid":null,"goes_on":false}
{"type":"total","spans":6,"missing_switches":0,"odd_switches":0,"lost_events":0,"lost_chunks":0}
-- -x , -t 148 --time 21.3,21.5
# type,state,from_ns,until_ns,comm,tid,pid,cpu,by_tid,goes_on
span,woken,21325148923,21341528659,sh,148,148,1,147,0
span,running,21341528659,21500000000,sleep,148,148,1,,1
# type,spans,missing_switches,odd_switches,lost_events,lost_chunks
total,2,0,0,0,0
-- --json -p 150 -C 1
{"schema":"perf sched timeline","version":1}
{"type":"span","state":"woken","from_ns":21624798853,"until_ns":21627054280,"comm":"sh","tid":150,"pid":150,"cpu":0,"by_tid":147,"goes_on":false}
{"type":"span","state":"preempted","from_ns":21659514055,"until_ns":21659795876,"comm":"sh","tid":150,"pid":150,"cpu":0,"by_tid":null,"goes_on":false}
{"type":"span","state":"sleeping","from_ns":21660963319,"until_ns":21901775350,"comm":"sort","tid":150,"pid":150,"cpu":null,"by_tid":null,"goes_on":false}
{"type":"span","state":"woken","from_ns":21901775350,"until_ns":21902884366,"comm":"sort","tid":150,"pid":150,"cpu":1,"by_tid":149,"goes_on":false}
{"type":"span","state":"running","from_ns":21902884366,"until_ns":21927417316,"comm":"sort","tid":150,"pid":150,"cpu":1,"by_tid":null,"goes_on":false}
{"type":"total","spans":5,"missing_switches":0,"odd_switches":0,"lost_events":0,"lost_chunks":0}
error: --json and -x print rows: they take no file
 Error: --json and -x are mutually exclusive.

 Usage: perf sched timeline [<options>] [FILE.html|FILE.json]

    -C, --cpu <cpu>       list of cpus to show
    -p, --pid <pid[,pid...]>
                          show only tasks of these processes
    -t, --tid <tid[,tid...]>
                          show only these tasks
    -x, --field-separator <separator>
                          print these values with a separator between them
        --json            print an object for each line (doc/json.md)
        --time <str>      Time span for analysis (start,stop)

error: cannot read the list of threads 'x'

