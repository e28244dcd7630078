# perf timechart --time, -C.
=== tasks and CPUs
sh: exec 2>&1; python3 $DATA/../tools/make_timechart_file.py --online 2 --only switch,wakeup,idle,freq f.data && for o in '' '--time 0.12,0.15' '--time ,0.12' '-C 0' '-C 1'; do echo "-- $o"; perf timechart -i f.data $o && python3 $DATA/../tools/show_timechart.py output.svg; done; perf timechart --time x -i f.data
exit: 255
--- stdin
1000 comm 10 ten
1000 comm 20 twenty
100000000 switch 0 0 0 10
101000000 idle 1 1
120000000 wakeup 0 10 20
130000000 switch 0 10 1 20
131000000 idle 1 -1
136000000 freq 1 2000000
140000000 switch 0 20 2 0
141000000 idle 0 2
150000000 wakeup 1 0 20 irq
150500000 idle 0 -1
151000000 switch 1 0 0 20
160000000 switch 1 20 1 0
--- stdout
-- 
Written 0.1 seconds of trace to output.svg.
1000 x 240
30 cpu 0.00+1000.00 CPU 0
    sample 0.00+500.00 0.0+55.0  10 ten running 30.0 ms
    sample 500.00+166.67 0.0+55.0  20 twenty running 10.0 ms
    c2 683.33+158.33 0.0+55.0  C2 9.5 ms
90 cpu 0.00+1000.00 CPU 1
    c1 16.67+500.00 0.0+55.0  C1 30.0 ms
    sample 850.00+150.00 0.0+55.0  20 twenty running 9.0 ms
180 process 0.00+1000.00 ten:10 (30.0ms)
    sample 0.00+500.00 0.0+25.0  #0 running 30.0 ms
210 process 333.33+666.67 twenty:20 (19.0ms)
    waiting 333.33+166.67 0.0+25.0  #0 waiting 10.0 ms
    sample 500.00+166.67 0.0+25.0  #0 running 10.0 ms
    blocked 666.67+166.67 0.0+25.0  blocked 10.0 ms
    waiting 833.33+16.67 0.0+25.0  #1 waiting 1.0 ms
    sample 850.00+150.00 0.0+25.0  #1 running 9.0 ms
pstate 600.00..1000.00 91.0..91.0  2.00 Ghz
wake 333.33..333.33 205.0..210.0  [10] ten wakes up twenty
wake 833.33..833.33 206.0..210.0  an interrupt or the idle task wakes up twenty
-- --time 0.12,0.15
Written 0.0 seconds of trace to output.svg.
1000 x 240
30 cpu 0.00+1000.00 CPU 0
    sample 0.00+333.33 0.0+55.0  10 ten running 10.0 ms
    sample 333.33+333.33 0.0+55.0  20 twenty running 10.0 ms
    c2 700.00+300.00 0.0+55.0  C2 9.0 ms
90 cpu 0.00+1000.00 CPU 1
    c1 0.00+366.67 0.0+55.0  C1 11.0 ms
180 process 0.00+1000.00 ten:10 (10.0ms)
    sample 0.00+333.33 0.0+25.0  #0 running 10.0 ms
210 process 0.00+1000.00 twenty:20 (10.0ms)
    waiting 0.00+333.33 0.0+25.0  #0 waiting 10.0 ms
    sample 333.33+333.33 0.0+25.0  #0 running 10.0 ms
    blocked 666.67+333.33 0.0+25.0  blocked 10.0 ms
pstate 533.33..1000.00 91.0..91.0  2.00 Ghz
wake 0.00..0.00 205.0..210.0  [10] ten wakes up twenty
-- --time ,0.12
Written 0.0 seconds of trace to output.svg.
1000 x 210
30 cpu 0.00+1000.00 CPU 0
    sample 0.00+1000.00 0.0+55.0  10 ten running 20.0 ms
90 cpu 0.00+1000.00 CPU 1
    c1 50.00+950.00 0.0+55.0  C1 19.0 ms
180 process 0.00+1000.00 ten:10 (20.0ms)
    sample 0.00+1000.00 0.0+25.0  #0 running 20.0 ms
-- -C 0
Written 0.1 seconds of trace to output.svg.
1000 x 240
30 cpu 0.00+1000.00 CPU 0
    sample 0.00+500.00 0.0+55.0  10 ten running 30.0 ms
    sample 500.00+166.67 0.0+55.0  20 twenty running 10.0 ms
    c2 683.33+158.33 0.0+55.0  C2 9.5 ms
90 cpu 0.00+1000.00 CPU 1
180 process 0.00+1000.00 ten:10 (30.0ms)
    sample 0.00+500.00 0.0+25.0  #0 running 30.0 ms
210 process 333.33+516.67 twenty:20 (10.0ms)
    waiting 333.33+166.67 0.0+25.0  #0 waiting 10.0 ms
    sample 500.00+166.67 0.0+25.0  #0 running 10.0 ms
    blocked 666.67+166.67 0.0+25.0  blocked 10.0 ms
    waiting 833.33+16.67 0.0+25.0  #1 waiting 1.0 ms
wake 333.33..333.33 205.0..210.0  [10] ten wakes up twenty
wake 833.33..833.33 206.0..210.0  an interrupt or the idle task wakes up twenty
-- -C 1
Written 0.1 seconds of trace to output.svg.
1000 x 240
30 cpu 0.00+1000.00 CPU 0
90 cpu 0.00+1000.00 CPU 1
    c1 16.67+500.00 0.0+55.0  C1 30.0 ms
    sample 850.00+150.00 0.0+55.0  20 twenty running 9.0 ms
180 process 500.00+500.00 ten:10 (0.0ms)
210 process 333.33+666.67 twenty:20 (9.0ms)
    waiting 333.33+166.67 0.0+25.0  #0 waiting 10.0 ms
    blocked 666.67+166.67 0.0+25.0  blocked 10.0 ms
    waiting 833.33+16.67 0.0+25.0  #1 waiting 1.0 ms
    sample 850.00+150.00 0.0+25.0  #1 running 9.0 ms
pstate 600.00..1000.00 91.0..91.0  2.00 Ghz
wake 333.33..333.33 205.0..210.0  [10] ten wakes up twenty
wake 833.33..833.33 206.0..210.0  an interrupt or the idle task wakes up twenty
error: Invalid time string

=== calls: those that began there
sh: exec 2>&1; python3 $DATA/../tools/make_timechart_file.py --online 2 --only enter_read,exit_read f.data && for o in '' '--time 0.115,0.135' '-C 1'; do echo "-- $o"; perf timechart -i f.data $o && python3 $DATA/../tools/show_timechart.py output.svg; done
--- stdin
1000 comm 10 ten
100000000 enter 0 10 read 3
110000000 exit 1 10 read 100
120000000 enter 1 10 read 4
130000000 exit 0 10 read 200
140000000 enter 0 10 read 5
--- stdout
-- 
Written 0.0 seconds of trace to output.svg.
1000 x 90
30 process3 0.00+1000.00 ten:10 (300 bytes)
    disk 0.00+250.00 0.0+10.9  read fd=3 error=0 merges=0, 100 bytes in 10.0 ms
    disk 500.00+250.00 0.0+12.5  read fd=4 error=0 merges=0, 200 bytes in 10.0 ms
-- --time 0.115,0.135
Written 0.0 seconds of trace to output.svg.
1000 x 90
30 process3 250.00+750.00 ten:10 (200 bytes)
    disk 250.00+500.00 0.0+12.5  read fd=4 error=0 merges=0, 200 bytes in 10.0 ms
-- -C 1
Written 0.0 seconds of trace to output.svg.
1000 x 90
30 process3 500.00+500.00 ten:10 (200 bytes)
    disk 500.00+250.00 0.0+12.5  read fd=4 error=0 merges=0, 200 bytes in 10.0 ms

=== as values: shapes and wake-ups, by their kind
sh: for f in states calls; do perf timechart -i $DATA/timechart/$f.data -x, > x; cut -d, -f1 x | sort | uniq -c; awk -F, '!seen[$1]++' x; done
--- stdout
      9 # type
      3 frequency
      3 idle
      6 running
     12 states
      1 total
      4 wakeup
# type,from,until,spans,cpu,busy_ns,tid,name,stack
running,100000000,130000000,1,0,30000000,10,ten,
idle,141000000,150500000,1,0,9500000,2,
frequency,157000000,221000000,1,0,64000000,1000000,
states,100000000,130000000,1,10,ten,0,30000000,0,0,
wakeup,120000000,1,20,twenty,10,ten,
total,100000000,221000000,24,0,0,0
      2 # type
      2 poll
      4 read
      1 receive
      1 send
      1 sync
      1 total
      3 write
# type,from,until,spans,tid,name,fd,bytes,error,busy_ns,stack
read,100000000,110000000,1,10,ten,3,1000,0,10000000,
write,130000000,131000000,1,10,ten,4,3000,0,1000000,
receive,150000000,155000000,1,10,ten,5,1500,0,5000000,
send,156000000,157000000,1,10,ten,5,2500,0,1000000,
sync,140000000,145000000,1,10,ten,4,0,0,5000000,
poll,160000000,180000000,1,10,ten,,0,0,20000000,
total,100000000,215000000,13,0,0,0
--- stderr
warning: 4 calls are left out: they began or ended where nothing was recorded

=== as values: some tasks, a file, and what cannot be
sh: perf timechart -i $DATA/timechart/calls.data -x ';' -n 1 -o x; cut -d';' -f1 x | sort | uniq -c; perf timechart -i $DATA/timechart/calls.data -x . 2>&1 | head -1; perf timechart -i $DATA/timechart/calls.data -x, --json 2>&1 | head -1
--- stdout
      2 # type
      2 read
      1 total
 Error: -x: '.' cannot stand between columns: it has something that is in numbers
 Error: --json and -x are mutually exclusive.
--- stderr
warning: 4 calls are left out: they began or ended where nothing was recorded
Written 0.1 seconds of trace to x.

