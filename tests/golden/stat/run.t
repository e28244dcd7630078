# perf stat without counters: layout, exit codes, order of what is run.
=== the time of a command
sh: perf stat -n true 2>&1 | sed 's/[0-9]\.[0-9]\{9\}/N/'
--- stdout

 Performance counter stats for 'true':

       N seconds time elapsed

       N seconds user
       N seconds sys



=== its exit code
argv: perf stat -n -x, sh -c 'exit 7'
exit: 7

=== a signal ends it
argv: perf stat -n -x, sh -c 'kill -9 $$'
exit: 137
--- stderr
sh: Killed

=== a time limit ends it
argv: perf stat -n -x, --timeout 120 sleep 30
--- stderr
sleep: Terminated

=== commands before and after, repeated
argv: perf stat -n -x, -r 2 --pre 'echo a' --post 'echo b' echo run
--- stdout
a
run
b
a
run
b

=== repeated: mean and deviation
sh: perf stat -n -r 3 true 2>&1 | sed 's/ *[0-9]*\.[0-9]*/ N/g'
--- stdout

 Performance counter stats for 'true' (3 runs):

 N +- N seconds time elapsed  ( +- N% )


=== to a file, then behind it
sh: perf stat -n -o x true; perf stat -n -o x --append true; grep -c 'started on' x; grep -c elapsed x
--- stdout
2
2

=== JSON to a file is nothing but that
sh: perf stat -j -o x -e dummy true; head -c 1 x; echo
needs: perf-events
--- stdout
{
=== nothing
argv: perf stat -n --quiet true

=== another descriptor
sh: perf stat -n --log-fd 5 true 5>x; grep -c elapsed x
--- stdout
1

=== an event that never counts
needs: perf-events
argv: perf stat -x, -e dummy true
--- stderr regex
0,,dummy,[0-9]+,100\.00,,

=== the same as JSON
needs: perf-events
argv: perf stat -j -e dummy true
--- stderr regex
\\{"counter-value" : "0\.000000", "unit" : "", "event" : "dummy", "event-runtime" : [0-9]+, "pcnt-running" : 100\.00, "metric-value" : 0\.000000, "metric-unit" : "\(null\)"\}

=== as text
needs: perf-events
sh: perf stat -e dummy true 2>&1 | sed -n 4p | cat -A
--- stdout
                 0      dummy                                                              $

=== an interval
needs: perf-events
sh: perf stat -e dummy -I 100000 true 2>&1 | sed 's/^ *[0-9]*\.[0-9]* /T /'
--- stdout
#           time             counts unit events
T                  0      dummy                                                              

=== delayed, and never enabled
needs: perf-events
sh: perf stat -x, -D -1 -e dummy true
--- stderr
Events disabled
<not counted>,,dummy,0,100.00,,

=== enabled by another program
needs: perf-events
sh: mkfifo ctl ack; (echo enable > ctl; head -n 1 ack > got; echo stop > ctl) & perf stat -a -x, -D -1 --control fifo:ctl,ack -e dummy sleep 20 2>&1 | grep -v Terminated | sed 's/,[0-9]*,100/,T,100/'; wait; cat got
--- stdout
Events disabled
Events enabled
0,,dummy,T,100.00,,
ack

=== Ctrl-C ends the counting of all CPUs
needs: perf-events
sh: timeout -s INT 1 perf stat -a -x, -e dummy 2>&1 | sed 's/,[0-9]*,100/,T,100/'
--- stdout
0,,dummy,T,100.00,,

=== levels of the machine have no rates
sh: perf stat -e task-clock,num_cpus,tool/num_cpus_online/ true 2>&1 | grep num_cpus | grep -c '#'; perf stat record -o f -e task-clock,num_cpus true 2>&1 | grep num_cpus | grep -c '#'; perf stat report -i f 2>&1 | grep num_cpus | grep -c '#'; perf stat report -i f 2>&1 | grep -c ' num_cpus *$'
needs: perf-events
--- stdout
0
0
0
1

=== what needs no counter
sh: perf stat -x, -e num_cpus_online,duration_time true 2>&1 | sed "s/^$(nproc --all),/N,/; s/[0-9]*,ns,duration_time,[0-9]*/N,ns,duration_time,N/"
--- stdout
N,,num_cpus_online,1,100.00,,
N,ns,duration_time,N,100.00,,

=== what needs no counter leaves its group
needs: perf-events
sh: perf stat -e '{duration_time,dummy,cpu-clock}' true 2>&1 | grep -c '<not'
exit: 1
--- stdout
0

=== rows per cache and cluster
needs: /sys/devices/system/cpu/online
needs: perf-events
needs: root
sh: for how in per-cache=L1 per-cluster; do perf stat -x, -a --$how -e dummy true 2>&1 | sed 's/,[0-9]*,100.00/,N,100.00/; s/[0-9][0-9]*/N/g; q'; done
--- stdout
SN-DN-LN-IDN,N,N,,dummy,N,N.N,,
SN-DN-CLSN,N,N,,dummy,N,N.N,,

=== attributes for tests of attributes
needs: perf-events
sh: mkdir d; PERF_TEST_ATTR=d perf stat -i -e dummy:u true 2>/dev/null; cat d/event-1-9-* | grep -E '^(cpu|flags|type|config|read_format|disabled|inherit|exclude_.*|enable_on_exec)=' | grep -v '=0$'
--- stdout
cpu=-1
flags=8
type=1
config=9
read_format=3
disabled=1
exclude_kernel=1
exclude_hv=1
enable_on_exec=1
exclude_guest=1

=== a plan without a run
needs: perf-events
argv: perf stat --plan -e '{cs,faults},duration_time'
--- stderr

 Plan:

   no counter needed: {cs,faults}, duration_time

 No event that is supported needs a counter.

=== a plan before the run
needs: perf-events
sh: perf stat --plan -e cs echo hello 2>&1 | head -8 | sed 's/[0-9]\+ /N /'
--- stdout

 Plan:

   no counter needed: cs

 No event that is supported needs a counter.
hello


=== one run is enough
needs: perf-events
sh: perf stat --no-multiplex -x, -e dummy,cpu-clock echo run 2>&1 | grep -c run
--- stdout
1

