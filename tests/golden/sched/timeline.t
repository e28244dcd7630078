# perf sched timeline: what each task did when, as trace events and as a page.
=== states, wake-ups, waits for a CPU
sh: python3 $DATA/../tools/make_sched_file.py f.data && perf sched timeline -i f.data f.json && python3 $DATA/../tools/show_timeline.py f.json
--- stdin
1000000 comm 5 shell
1000001 comm 7 worker
1000000000 switch 0 0 0 5
1001000000 waking 0 5 7
1002000000 switch 0 5 1 7
1003000000 switch 0 7 0 5
1004000000 switch 0 5 2 7
1005000000 switch 0 7 4 0
1006000000 waking 0 0 7
1006500000 waking 0 0 5
1007000000 switch 0 0 0 7
1007400000 exit 7
1007500000 switch 0 7 64 5
1008000000 switch 0 5 2 0
--- stdout
wrote f.json: 13 spans
shell/5 1000000000-1002000000 running on 0
shell/5 1002000000-1003000000 sleeping
shell/5 1003000000-1004000000 running on 0
shell/5 1004000000-1006500000 uninterruptible
shell/5 1006500000-1007500000 waits for a CPU
shell/5 1007500000-1008000000 running on 0
worker/7 1001000000-1002000000 waits for a CPU by 5
worker/7 1002000000-1003000000 running on 0
worker/7 1003000000-1004000000 preempted
worker/7 1004000000-1005000000 running on 0
worker/7 1005000000-1006000000 stopped
worker/7 1006000000-1007000000 waits for a CPU
worker/7 1007000000-1007500000 running on 0
waiting: 1001000000: 1, 1002000000: 0, 1003000000: 1, 1004000000: 0, 1006000000: 1, 1006500000: 2, 1007000000: 1, 1007500000: 0

=== who was interrupted woke nobody up
sh: python3 $DATA/../tools/make_sched_file.py f.data && perf sched timeline -i f.data f.json && python3 $DATA/../tools/show_timeline.py f.json
--- stdin
1000000 comm 5 shell
1000001 comm 7 worker
1000000000 switch 0 7 1 5
1001000000 waking 0 5 7 irq
1002000000 switch 0 5 0 7
1003000000 switch 0 7 1 5
1004000000 waking 0 5 7
1005000000 switch 0 5 0 7
--- stdout
wrote f.json: 9 spans
shell/5 1000000000-1002000000 running on 0
shell/5 1002000000-1003000000 preempted
shell/5 1003000000-1005000000 running on 0
worker/7 1000000000-1001000000 sleeping
worker/7 1001000000-1002000000 waits for a CPU
worker/7 1002000000-1003000000 running on 0
worker/7 1003000000-1004000000 sleeping
worker/7 1004000000-1005000000 waits for a CPU by 5
worker/7 1005000000-1005000000 running on 0, goes on
waiting: 1001000000: 1, 1003000000: 0, 1004000000: 1

=== what is asked for: cut to times, of tasks, of CPUs
sh: python3 $DATA/../tools/make_sched_file.py f.data && for o in '--time 1.0015,1.0025' '-t 7' '-p 5' '-C 1'; do echo "-- $o"; perf sched timeline -i f.data $o f.json && python3 $DATA/../tools/show_timeline.py f.json; done
--- stdin
1000000 comm 5 shell
1000001 comm 7 worker
1000000000 switch 0 0 0 5
1001000000 waking 0 5 7
1002000000 switch 0 5 1 7
1003000000 switch 0 7 0 5
1003000001 switch 1 0 0 7
--- stdout
-- --time 1.0015,1.0025
wrote f.json: 4 spans
shell/5 1001500000-1002000000 running on 0
shell/5 1002000000-1002500000 sleeping, goes on
worker/7 1001500000-1002000000 waits for a CPU by 5
worker/7 1002000000-1002500000 running on 0, goes on
-- -t 7
wrote f.json: 4 spans
worker/7 1001000000-1002000000 waits for a CPU by 5
worker/7 1002000000-1003000000 running on 0
worker/7 1003000000-1003000001 preempted
worker/7 1003000001-1003000001 running on 1, goes on
waiting: 1001000000: 1, 1002000000: 0, 1003000000: 1, 1003000001: 0
-- -p 5
wrote f.json: 3 spans
shell/5 1000000000-1002000000 running on 0
shell/5 1002000000-1003000000 sleeping
shell/5 1003000000-1003000001 running on 0, goes on
waiting: 1001000000: 1, 1002000000: 0, 1003000000: 1, 1003000001: 0
-- -C 1
wrote f.json: 4 spans
shell/5 1002000000-1003000000 sleeping
worker/7 1001000000-1002000000 waits for a CPU by 5
worker/7 1003000000-1003000001 preempted
worker/7 1003000001-1003000001 running on 1, goes on
waiting: 1001000000: 1, 1002000000: 0, 1003000000: 1, 1003000001: 0

=== a switch that was not recorded
sh: python3 $DATA/../tools/make_sched_file.py f.data && perf sched timeline -i f.data f.json && python3 $DATA/../tools/show_timeline.py f.json
--- stdin
1000000 comm 5 shell
1000000000 switch 0 0 0 5
1001000000 switch 0 6 1 7
1002000000 switch 0 7 1 5
1003000000 switch 0 5 1 0
--- stdout
wrote f.json: 4 spans
shell/5 1002000000-1003000000 running on 0
:6/6 1001000000-1003000000 sleeping, goes on
:7/7 1001000000-1002000000 running on 0
:7/7 1002000000-1003000000 sleeping, goes on
--- stderr
warning: 1 times a switch was not recorded: what tasks did between is left out

=== the page has the same spans
sh: perf sched timeline -f -i $DATA/sched/switches.data a.json && perf sched timeline -f -i $DATA/sched/switches.data a.html && python3 $DATA/../tools/show_timeline.py a.json >json.txt; python3 $DATA/../tools/show_timeline.py a.html >html.txt; wc -l <json.txt; cmp json.txt html.txt && echo the same
--- stdout
wrote a.json: 227 spans
wrote a.html: 227 spans
227
the same

=== no name ends the page's script
sh: python3 $DATA/../tools/make_sched_file.py f.data && perf sched timeline -i f.data f.html && grep -c '</script>' f.html && python3 $DATA/../tools/show_timeline.py f.html
--- stdin
1000000 comm 5 </script><b>
1000000000 switch 0 0 0 5
1001000000 switch 0 5 1 0
--- stdout
wrote f.html: 1 spans
3
</script><b>/5 1000000000-1001000000 running on 0

=== neither a page nor JSON
sh: perf sched timeline -f -i $DATA/sched/switches.data out.svg; echo $?; ls
--- stdout
255
--- stderr
error: 'out.svg' ends neither in .html nor in .json

=== no name: a page of this one
sh: perf sched timeline -f -i $DATA/sched/switches.data; ls
--- stdout
wrote sched-timeline.html: 227 spans
sched-timeline.html

=== no events of the scheduler
sh: perf sched timeline -f -i $DATA/report/threads.data out.html; echo $?; ls
--- stdout
255
--- stderr
error: '$DATA/report/threads.data' has no samples of sched:sched_switch
hint: perf sched record COMMAND records what is needed

=== two names
sh: perf sched timeline a.html b.html >/dev/null 2>&1; echo $?
--- stdout
129

