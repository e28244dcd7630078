# perf kwork -p, -t: work while some tasks had the CPU.
=== who was interrupted; who raised it does not matter
sh: python3 $DATA/../tools/make_kwork_file.py f.data && for o in 'report' 'report -t 10' 'latency -t 10' 'latency -p 11' 'timehist -p 11' 'top -t 11'; do echo "-- $o"; perf kwork $o -x, -i f.data; done; perf kwork report -b -p 1
exit: 255
--- stdin
1000 switch 0 0 0 10
2000 irq_entry 0 36 disk
2500 raise 0 4
2600 irq_exit 0 36
3000 switch 0 10 1 11
3200 entry 0 4
3900 exit 0 4
4000 irq_entry 0 36 disk
4900 irq_exit 0 36
5000 switch 0 11 1 10
5100 raise 0 1
5300 entry 0 1
5600 exit 0 1
6000 switch 0 10 1 0
--- stdout
-- report
# type,kind,name,number,cpu,nr,total_ns,max_ns,max_start_ns,max_end_ns
work,irq,disk,36,0,2,1500,900,4000,4900
work,softirq,BLOCK,4,0,1,700,700,3200,3900
work,softirq,TIMER,1,0,1,300,300,5300,5600
# type,span_ns,skipped_raises,skipped_entries,skipped_exits,lost_events
total,3600,0,0,0,0
-- report -t 10
# type,kind,name,number,cpu,nr,total_ns,max_ns,max_start_ns,max_end_ns
work,irq,disk,36,0,1,600,600,2000,2600
work,softirq,TIMER,1,0,1,300,300,5300,5600
# type,span_ns,skipped_raises,skipped_entries,skipped_exits,lost_events
total,3600,0,0,0,0
-- latency -t 10
# type,kind,name,number,cpu,nr,total_ns,max_ns,max_start_ns,max_end_ns
work,softirq,TIMER,1,0,1,200,200,5100,5300
# type,span_ns,skipped_raises,skipped_entries,skipped_exits,lost_events
total,3600,0,1,0,0
-- latency -p 11
# type,kind,name,number,cpu,nr,total_ns,max_ns,max_start_ns,max_end_ns
work,softirq,BLOCK,4,0,1,700,700,2500,3200
# type,span_ns,skipped_raises,skipped_entries,skipped_exits,lost_events
total,3600,0,1,0,0
-- timehist -p 11
# type,kind,name,number,cpu,start_ns,end_ns,waited_ns
run,softirq,BLOCK,4,0,3200,3900,700
run,irq,disk,36,0,4000,4900,
# type,span_ns,skipped_raises,skipped_entries,skipped_exits,lost_events
total,3600,0,0,0,0
-- top -t 11
# type,cpu,total_ns,idle_ns,irq_ns,softirq_ns,tasks_ns,unknown_ns
cpu,0,5000,0,1500,1000,400,0
# type,tid,name,total_ns,percent
task,11,:11,400,8.00
# type,skipped_raises,skipped_entries,skipped_exits,lost_events
total,0,0,0,0
--- stderr
error: -b sums up in the kernel: it takes no -p and -t

=== names of stacks are escaped in text, and as they are in JSON
sh: printf 'ffffffff81000000 T _text\nffffffff81000100 T odd\33"name\nffffffff81000200 T end\n' >k; python3 $DATA/../tools/make_kwork_file.py f.data && for o in '' --json '-x,'; do perf kwork timehist -g --kallsyms k $o -i f.data | tail -n +2 | grep odd; done
--- stdin
1000 entry 0 1 @ 0xffffffff81000110 0xffffffff81000220
3000 exit 0 1
--- stdout
          0.000001           0.000003  [0000]  (s)TIMER:1                           0.002               odd\x1b"name <- end
{"type":"run","kind":"softirq","name":"TIMER","number":1,"cpu":0,"start_ns":1000,"end_ns":3000,"waited_ns":null,"stack":"odd\u001b\"name <- end"}
run,softirq,TIMER,1,0,1000,3000,,odd\x1b"name <- end

