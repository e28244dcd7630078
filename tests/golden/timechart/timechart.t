# perf timechart: what tasks and CPUs did when, as SVG and as JSON.
=== runs, waits, wake-ups, blocked, idle states, frequencies, a new name, what goes on at the end
sh: exec 2>&1; python3 $DATA/../tools/make_timechart_file.py --online 2 --only switch,wakeup,idle,freq f.data && perf timechart -i f.data && python3 $DATA/../tools/show_timechart.py output.svg && perf timechart -T --highlight twenty -i f.data -o t.svg && python3 $DATA/../tools/show_timechart.py t.svg | grep -v waiting && perf timechart -P -i f.data -w 500 -o p.svg && python3 $DATA/../tools/show_timechart.py p.svg
threads: 1 2 3
--- stdin
1000 comm 10 ten
1000 comm 20 twenty
1000 comm 30 thirty
100000000 switch 0 0 0 10
101000000 idle 1 1
120000000 wakeup 0 10 20
130000000 switch 0 10 1 20
131000000 idle 1 -1
135000000 wakeup 1 0 10 irq
136000000 freq 1 2000000
140000000 switch 0 20 2 0
141000000 idle 0 2
150000000 wakeup 1 0 20 irq
150500000 idle 0 -1
151000000 switch 1 0 0 20
155000000 wakeup 1 20 30
156000000 freq 1 3000000
157000000 freq 0 1000000
159000000 switch 1 20 0x100 30
180000000 switch 1 30 1 10
200000000 comm 10 neu
205000000 idle 0 9
220000000 switch 1 10 16 0
221000000 idle 1 3
--- stdout
Written 0.1 seconds of trace to output.svg.
1000 x 300
30 cpu 0.00+1000.00 CPU 0
    sample 0.00+247.93 0.0+55.0  10 ten running 30.0 ms
    sample 247.93+82.64 0.0+55.0  20 twenty running 10.0 ms
    c2 338.84+78.51 0.0+55.0  C2 9.5 ms
    c6 867.77+132.23 0.0+55.0  C9 16.0 ms
90 cpu 0.00+1000.00 CPU 1
    c1 8.26+247.93 0.0+55.0  C1 30.0 ms
    sample 421.49+66.12 0.0+55.0  20 twenty running 8.0 ms
    sample 487.60+173.55 0.0+55.0  30 thirty running 21.0 ms
    sample 661.16+165.29 0.0+55.0  10 ten running 20.0 ms
    sample 826.45+165.29 0.0+55.0  10 neu running 20.0 ms
180 process 0.00+826.45 ten:10 (50.0ms)
    sample 0.00+247.93 0.0+25.0  #0 running 30.0 ms
    WAITING 289.26+371.90 0.0+25.0  #1 waiting 45.0 ms
    sample 661.16+165.29 0.0+25.0  #1 running 20.0 ms
210 process 826.45+173.55 neu:10 (20.0ms)
    sample 826.45+165.29 0.0+25.0  #1 running 20.0 ms
240 process 165.29+834.71 twenty:20 (18.0ms)
    waiting 165.29+82.64 0.0+25.0  #0 waiting 10.0 ms
    sample 247.93+82.64 0.0+25.0  #0 running 10.0 ms
    blocked 330.58+82.64 0.0+25.0  blocked 10.0 ms
    waiting 413.22+8.26 0.0+25.0  #1 waiting 1.0 ms
    sample 421.49+66.12 0.0+25.0  #1 running 8.0 ms
    WAITING 487.60+512.40 0.0+25.0  #0 waiting 62.0 ms
270 process 454.55+545.45 thirty:30 (21.0ms)
    waiting 454.55+33.06 0.0+25.0  #1 waiting 4.0 ms
    sample 487.60+173.55 0.0+25.0  #1 running 21.0 ms
pstate 471.07..1000.00 67.7..67.7  1000 Mhz
pstate 297.52..462.81 109.3..109.3  2.00 Ghz
pstate 462.81..1000.00 91.0..91.0  3.00 Ghz
wake 165.29..165.29 205.0..240.0  [10] ten wakes up twenty
wake 289.26..289.26 176.0..180.0  an interrupt or the idle task wakes up ten
wake 413.22..413.22 236.0..240.0  an interrupt or the idle task wakes up twenty
wake 454.55..454.55 265.0..270.0  [20] twenty wakes up thirty
Written 0.1 seconds of trace to t.svg.
1000 x 300
30 cpu 0.00+1000.00 CPU 0
    sample 0.00+247.93 0.0+55.0  10 ten running 30.0 ms
    sample_hi 247.93+82.64 0.0+55.0  20 twenty running 10.0 ms
90 cpu 0.00+1000.00 CPU 1
    sample_hi 421.49+66.12 0.0+55.0  20 twenty running 8.0 ms
    sample 487.60+173.55 0.0+55.0  30 thirty running 21.0 ms
    sample 661.16+165.29 0.0+55.0  10 ten running 20.0 ms
    sample 826.45+165.29 0.0+55.0  10 neu running 20.0 ms
180 process 0.00+826.45 ten:10 (50.0ms)
    sample 0.00+247.93 0.0+25.0  #0 running 30.0 ms
    sample 661.16+165.29 0.0+25.0  #1 running 20.0 ms
210 process 826.45+173.55 neu:10 (20.0ms)
    sample 826.45+165.29 0.0+25.0  #1 running 20.0 ms
240 process 165.29+834.71 twenty:20 (18.0ms)
    sample_hi 247.93+82.64 0.0+25.0  #0 running 10.0 ms
    blocked 330.58+82.64 0.0+25.0  blocked 10.0 ms
    sample_hi 421.49+66.12 0.0+25.0  #1 running 8.0 ms
270 process 454.55+545.45 thirty:30 (21.0ms)
    sample 487.60+173.55 0.0+25.0  #1 running 21.0 ms
wake 165.29..165.29 205.0..240.0  [10] ten wakes up twenty
wake 289.26..289.26 176.0..180.0  an interrupt or the idle task wakes up ten
wake 413.22..413.22 236.0..240.0  an interrupt or the idle task wakes up twenty
wake 454.55..454.55 265.0..270.0  [20] twenty wakes up thirty
Written 0.1 seconds of trace to p.svg.
500 x 180
30 cpu 0.00+500.00 CPU 0
    sample 0.00+123.97 0.0+55.0  10 ten running 30.0 ms
    sample 123.97+41.32 0.0+55.0  20 twenty running 10.0 ms
    c2 169.42+39.26 0.0+55.0  C2 9.5 ms
    c6 433.88+66.12 0.0+55.0  C9 16.0 ms
90 cpu 0.00+500.00 CPU 1
    c1 4.13+123.97 0.0+55.0  C1 30.0 ms
    sample 210.74+33.06 0.0+55.0  20 twenty running 8.0 ms
    sample 243.80+86.78 0.0+55.0  30 thirty running 21.0 ms
    sample 330.58+82.64 0.0+55.0  10 ten running 20.0 ms
    sample 413.22+82.64 0.0+55.0  10 neu running 20.0 ms
pstate 235.54..500.00 67.7..67.7  1000 Mhz
pstate 148.76..231.41 109.3..109.3  2.00 Ghz
pstate 231.41..500.00 91.0..91.0  3.00 Ghz

=== which tasks: by number, by name, enough of them; -t
sh: exec 2>&1; python3 $DATA/../tools/make_timechart_file.py --online 4 --cores '1,3;0,2/3;1;0' --only switch f.data && for o in '-n 1' '-n 4' '-n 99' '-p 11' '-p ten -p twelve' '-p nobody' '-t -n 1'; do echo "-- $o"; perf timechart $o -i f.data -o o.svg && python3 $DATA/../tools/show_timechart.py o.svg --plain | grep -E '^[0-9]+ (process|cpu)'; done
threads: 1 2 3
--- stdin
1000 comm 10 ten
1000 comm 11 eleven
1000 comm 12 twelve
1000 comm 13 thirteen
1000 fork 14 10
100000000 switch 0 0 0 10
120000000 switch 0 10 1 11
125000000 switch 0 11 1 12
130000000 switch 0 12 1 13
130000500 switch 0 13 1 14
131000500 switch 0 14 1 0
--- stdout
-- -n 1
Written 0.0 seconds of trace to o.svg.
30 cpu 0.00+1000.00 CPU 0
90 cpu 0.00+1000.00 CPU 1
150 cpu 0.00+1000.00 CPU 2
210 cpu 0.00+1000.00 CPU 3
300 process 0.00+1000.00 ten:10 (20.0ms)
-- -n 4
Written 0.0 seconds of trace to o.svg.
30 cpu 0.00+1000.00 CPU 0
90 cpu 0.00+1000.00 CPU 1
150 cpu 0.00+1000.00 CPU 2
210 cpu 0.00+1000.00 CPU 3
300 process 0.00+1000.00 ten:10 (20.0ms)
330 process 645.15+354.85 eleven:11 (5.0ms)
360 process 806.44+193.56 twelve:12 (5.0ms)
390 process 967.74+32.26 ten:14 (1.0ms)
-- -n 99
Written 0.0 seconds of trace to o.svg.
30 cpu 0.00+1000.00 CPU 0
90 cpu 0.00+1000.00 CPU 1
150 cpu 0.00+1000.00 CPU 2
210 cpu 0.00+1000.00 CPU 3
300 process 0.00+1000.00 ten:10 (20.0ms)
330 process 645.15+354.85 eleven:11 (5.0ms)
360 process 806.44+193.56 twelve:12 (5.0ms)
390 process 967.73+32.27 thirteen:13 (0.0ms)
420 process 967.74+32.26 ten:14 (1.0ms)
-- -p 11
Written 0.0 seconds of trace to o.svg.
30 cpu 0.00+1000.00 CPU 0
90 cpu 0.00+1000.00 CPU 1
150 cpu 0.00+1000.00 CPU 2
210 cpu 0.00+1000.00 CPU 3
300 process 645.15+354.85 eleven:11 (5.0ms)
-- -p ten -p twelve
Written 0.0 seconds of trace to o.svg.
30 cpu 0.00+1000.00 CPU 0
90 cpu 0.00+1000.00 CPU 1
150 cpu 0.00+1000.00 CPU 2
210 cpu 0.00+1000.00 CPU 3
300 process 0.00+1000.00 ten:10 (20.0ms)
330 process 806.44+193.56 twelve:12 (5.0ms)
360 process 967.74+32.26 ten:14 (1.0ms)
-- -p nobody
Written 0.0 seconds of trace to o.svg.
30 cpu 0.00+1000.00 CPU 0
90 cpu 0.00+1000.00 CPU 1
150 cpu 0.00+1000.00 CPU 2
210 cpu 0.00+1000.00 CPU 3
-- -t -n 1
Written 0.0 seconds of trace to o.svg.
30 cpu 0.00+1000.00 CPU 3
90 cpu 0.00+1000.00 CPU 1
150 cpu 0.00+1000.00 CPU 0
210 cpu 0.00+1000.00 CPU 2
300 process 0.00+1000.00 ten:10 (20.0ms)

=== calls: bytes, errors, merged ones, those that go on, those of which one end is missing
sh: exec 2>&1; python3 $DATA/../tools/make_timechart_file.py --only enter_read,exit_read,enter_write,exit_write,enter_recvfrom,exit_recvfrom,enter_sendto,exit_sendto,enter_poll,exit_poll,enter_epoll_wait,exit_epoll_wait,enter_fsync,exit_fsync f.data && perf timechart -i f.data -o o.svg && python3 $DATA/../tools/show_timechart.py o.svg && for o in '--io-skip-eagain' '--io-merge-dist 200us' '--io-min-time 0' '--io-min-time 5ms -n 1'; do echo "-- $o"; perf timechart $o -i f.data -o t.svg 2>/dev/null; python3 $DATA/../tools/show_timechart.py t.svg >t.txt; python3 $DATA/../tools/show_timechart.py o.svg | diff - t.txt; done; perf timechart --io-min-time 3x -i f.data
threads: 1 2 3
exit: 129
--- stdin
1000 comm 10 ten
1000 comm 20 twenty
100000000 enter 0 10 read 3
110000000 exit 0 10 read 1000
120000000 enter 0 10 read 3
120100000 exit 0 10 read 5000
120100500 enter 0 10 read 3
120200000 exit 0 10 read 7000
130000000 enter 0 10 write 4
131000000 exit 0 10 write 3000
131100000 enter 0 10 write 4
132000000 exit 0 10 write -11
133000000 enter 0 10 write 4
134000000 exit 0 10 write -5
140000000 enter 0 10 fsync 4
145000000 exit 0 10 fsync 0
150000000 enter 0 10 recvfrom 5
155000000 exit 0 10 recvfrom 1500
156000000 enter 0 10 sendto 5
157000000 exit 0 10 sendto 2500
160000000 enter 0 10 poll 140000
180000000 exit 0 10 poll 1
181000000 enter 0 10 epoll_wait 6
191000000 exit 0 10 epoll_wait 0
150000000 enter 1 20 read 5
170000000 exit 1 20 write 5
180000000 exit 1 20 write 5
200000000 enter 1 20 sendto 5
201000000 enter 1 20 read 5
202000000 exit 1 20 read 2000000
210000000 enter 1 20 read 5
215000000 enter 0 10 read 3
220000000 ended 10
--- stdout
warning: 4 calls are left out: they began or ended where nothing was recorded
Written 0.1 seconds of trace to o.svg.
1000 x 120
30 process3 0.00+791.30 ten:10 (19.5 Kbytes)
    disk 0.00+86.96 0.0+6.0  read fd=3 error=0 merges=0, 1000 bytes in 10.0 ms
    disk 173.91+9.57 0.0+8.1  read fd=3 error=0 merges=1, 11.7 Kbytes in 199.5 us
    disk 260.87+8.70 18.1+6.9  write fd=4 error=0 merges=0, 2.9 Kbytes in 1.0 ms
    error 270.43+8.70 22.5+2.5  write fd=4 error=-11 merges=0, 900.0 us
    error 286.96+8.70 22.5+2.5  write fd=4 error=-5 merges=0, 1.0 ms
    sync 347.83+43.48 22.5+2.5  sync fd=4 error=0 merges=0, 5.0 ms
    net 434.78+43.48 0.0+6.3  receive fd=5 error=0 merges=0, 1.5 Kbytes in 5.0 ms
    net 486.96+8.70 18.3+6.7  send fd=5 error=0 merges=0, 2.4 Kbytes in 1.0 ms
    poll 521.74+173.91 22.5+2.5  poll error=0 merges=0, 20.0 ms
    poll 704.35+86.96 22.5+2.5  poll fd=6 error=0 merges=0, 10.0 ms
60 process3 878.26+121.74 twenty:20 (1.9 Mbytes)
    disk 878.26+8.70 0.0+12.5  read fd=5 error=0 merges=0, 1.9 Mbytes in 1.0 ms
    disk 956.52+43.48 0.0+1.2  read fd=5 error=0 merges=0, 5.0 ms, goes on
-- --io-skip-eagain
6d5
<     error 270.43+8.70 22.5+2.5  write fd=4 error=-11 merges=0, 900.0 us
-- --io-merge-dist 200us
-- --io-min-time 0
4c4
<     disk 173.91+9.57 0.0+8.1  read fd=3 error=0 merges=1, 11.7 Kbytes in 199.5 us
\---
>     disk 173.91+1.74 0.0+8.1  read fd=3 error=0 merges=1, 11.7 Kbytes in 199.5 us
6c6
<     error 270.43+8.70 22.5+2.5  write fd=4 error=-11 merges=0, 900.0 us
\---
>     error 270.43+7.83 22.5+2.5  write fd=4 error=-11 merges=0, 900.0 us
-- --io-min-time 5ms -n 1
1,14c1,3
< 1000 x 120
< 30 process3 0.00+791.30 ten:10 (19.5 Kbytes)
<     disk 0.00+86.96 0.0+6.0  read fd=3 error=0 merges=0, 1000 bytes in 10.0 ms
<     disk 173.91+9.57 0.0+8.1  read fd=3 error=0 merges=1, 11.7 Kbytes in 199.5 us
<     disk 260.87+8.70 18.1+6.9  write fd=4 error=0 merges=0, 2.9 Kbytes in 1.0 ms
<     error 270.43+8.70 22.5+2.5  write fd=4 error=-11 merges=0, 900.0 us
<     error 286.96+8.70 22.5+2.5  write fd=4 error=-5 merges=0, 1.0 ms
<     sync 347.83+43.48 22.5+2.5  sync fd=4 error=0 merges=0, 5.0 ms
<     net 434.78+43.48 0.0+6.3  receive fd=5 error=0 merges=0, 1.5 Kbytes in 5.0 ms
<     net 486.96+8.70 18.3+6.7  send fd=5 error=0 merges=0, 2.4 Kbytes in 1.0 ms
<     poll 521.74+173.91 22.5+2.5  poll error=0 merges=0, 20.0 ms
<     poll 704.35+86.96 22.5+2.5  poll fd=6 error=0 merges=0, 10.0 ms
< 60 process3 878.26+121.74 twenty:20 (1.9 Mbytes)
<     disk 878.26+8.70 0.0+12.5  read fd=5 error=0 merges=0, 1.9 Mbytes in 1.0 ms
\---
> 1000 x 90
> 30 process3 878.26+121.74 twenty:20 (1.9 Mbytes)
>     disk 878.26+43.48 0.0+12.5  read fd=5 error=0 merges=0, 1.9 Mbytes in 1.0 ms
--io-min-time: '3x' is no time, as 500, 10us or 1ms

 Usage: perf timechart [<options>] {record}

        --io-min-time <time>
                          all IO faster than min-time will visually appear longer

=== names with markup; JSON
sh: exec 2>&1; python3 $DATA/../tools/make_timechart_file.py --online 1 --only switch,wakeup f.data && perf timechart -i f.data && grep -c 'a&lt;b&gt;&amp;' output.svg && python3 $DATA/../tools/show_timechart.py output.svg && perf timechart --json -i f.data
threads: 1 2 3
--- stdin
1000 comm 10 a<b>&"c
1000 comm 11 ]]>
100000000 switch 0 0 0 10
120000000 wakeup 0 10 11
130000000 switch 0 10 1 11
135000000 switch 0 11 1 0
--- stdout
Written 0.0 seconds of trace to output.svg.
4
1000 x 180
30 cpu 0.00+1000.00 CPU 0
    sample 0.00+857.14 0.0+55.0  10 a<b>&"c running 30.0 ms
    sample 857.14+142.86 0.0+55.0  11 ]]> running 5.0 ms
120 process 0.00+1000.00 a<b>&"c:10 (30.0ms)
    sample 0.00+857.14 0.0+25.0  #0 running 30.0 ms
150 process 571.43+428.57 ]]>:11 (5.0ms)
    waiting 571.43+285.71 0.0+25.0  #0 waiting 10.0 ms
    sample 857.14+142.86 0.0+25.0  #0 running 5.0 ms
wake 571.43..571.43 145.0..150.0  [10] a<b>&"c wakes up ]]>
{
	"schema": "perf timechart",
	"version": 1,
	"recording": "f.data",
	"from": 100000000,
	"until": 135000000,
	"spans": 5,
	"resolution_ns": 0,
	"wakeups_resolution_ns": 0,
	"wakeups_left_out": 0,
	"cpus": [
		{"cpu":0,"running":[
				{"from":100000000,"until":130000000,"tid":10,"name":"a<b>&\"c"},
				{"from":130000000,"until":135000000,"tid":11,"name":"]]>"}
			],"idle":[],"frequency":[]}
	],
	"tasks": [
		{"tid":10,"pid":10,"name":"a<b>&\"c","running_ns":30000000,"from":100000000,"until":135000000,"states":[
				{"from":100000000,"until":130000000,"cpu":0,"running_ns":30000000}
			]},
		{"tid":11,"pid":11,"name":"]]>","running_ns":5000000,"from":120000000,"until":135000000,"states":[
				{"from":120000000,"until":130000000,"cpu":0,"waiting_ns":10000000},
				{"from":130000000,"until":135000000,"cpu":0,"running_ns":5000000}
			]}
	],
	"wakeups": [
		{"time":120000000,"tid":11,"name":"]]>","by":{"tid":10,"name":"a<b>&\"c"}}
	]
}

=== both kinds: tasks, unless calls are asked for
sh: exec 2>&1; python3 $DATA/../tools/make_timechart_file.py --online 1 --only switch,enter_read,exit_read f.data && for o in '' -I; do perf timechart $o -i f.data && python3 $DATA/../tools/show_timechart.py output.svg; done
--- stdin
100000000 switch 0 0 0 10
101000000 enter 0 10 read 3
102000000 exit 0 10 read 77
135000000 switch 0 10 1 0
--- stdout
Written 0.0 seconds of trace to output.svg.
1000 x 150
30 cpu 0.00+1000.00 CPU 0
    sample 0.00+1000.00 0.0+55.0  10 :10 running 35.0 ms
120 process 0.00+1000.00 :10:10 (35.0ms)
    sample 0.00+1000.00 0.0+25.0  #0 running 35.0 ms
Written 0.0 seconds of trace to output.svg.
1000 x 90
30 process3 0.00+1000.00 :10:10 (77 bytes)
    disk 0.00+1000.00 0.0+12.5  read fd=3 error=0 merges=0, 77 bytes in 1.0 ms

=== missing switches, CPUs that no kernel has, times that go backwards
sh: exec 2>&1; python3 $DATA/../tools/make_timechart_file.py --online 1 --only switch,wakeup,idle f.data && perf timechart -i f.data && python3 $DATA/../tools/show_timechart.py output.svg
threads: 1 2 3
--- stdin
100000000 switch 0 0 0 10
110000000 switch 0 12 1 13
115000000 switch 70000 12 1 13
116000000 idle 70000 1
120000000 switch 0 13 1 0
118000000 wakeup 0 10 13
119000000 lost 7
121000000 switch 0 0 0 13
121000000 switch 0 13 2 0
--- stdout
warning: 2 events are left out: of CPUs that no kernel has
warning: 1 times a switch was not recorded: what tasks did between is left out
Written 0.0 seconds of trace to output.svg.
warning: 7 events were lost while recording: times are those of what is left
1000 x 180
30 cpu 0.00+1000.00 CPU 0
    sample 476.19+476.19 0.0+55.0  13 :13 running 10.0 ms
    sample 1000.00+0.00 0.0+55.0  13 :13 running 0 ns
120 process 476.19+523.81 :12:12 (0.0ms)
150 process 476.19+523.81 :13:13 (10.0ms)
    sample 476.19+476.19 0.0+25.0  #0 running 10.0 ms
    sample 1000.00+0.00 0.0+25.0  #0 running 0 ns

=== no events of a chart; no file; -P and -T
sh: exec 2>&1; python3 $DATA/../tools/make_sched_file.py f.data </dev/null; perf timechart -i f.data; echo $?; perf timechart -i none; echo $?; perf timechart -P -T; echo $?; perf timechart record -P -T true; echo $?; ls
--- stdout
error: the recording has none of the events that a chart shows
hint: perf timechart record COMMAND records what is needed
255
error: failed to open 'none': No such file or directory
hint: try 'perf record' first
255
error: -P and -T options cannot be used at the same time.
255
error: -P and -T options cannot be used at the same time.
255
f.data

