# perf record on this machine, and what report and script make of it. (-o: stdout is a pipe here, to
# which record would write the recording.)
=== a program is sampled and shows in the report
needs: perf-events
sh: perf record -q -o perf.data -F 999 -e cpu-clock -g -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' 2>err; cat err >&2; perf report --stdio --no-children -g none --sort comm 2>/dev/null | grep -v '^#' | grep -v '^$' | head -1
--- stdout regex
 +\d+\.\d\d%  sh +

=== closing lines
needs: perf-events
argv: perf record -e cpu-clock -o x.data true
--- stderr regex
\[ perf record: Woken up \d+ times to write data \]
\[ perf record: Captured and wrote \d+\.\d\d\d MB x\.data( \(\d+ samples\))? \]

=== the workload's exit status is passed on
needs: perf-events
sh: perf record -q -o perf.data -e cpu-clock sh -c 'exit 7'
exit: 7
--- stderr any

=== a workload killed by a signal
needs: perf-events
sh: (exec perf record -q -o perf.data -e cpu-clock sh -c 'kill -9 $$') 2>/dev/null; echo $?; perf script >/dev/null && echo readable
--- stdout
137
readable
--- stderr any

=== a workload that does not exist
needs: perf-events
argv: perf record -o perf.data -e cpu-clock ./no-such-program
exit: 255
--- stderr contains
no-such-program

=== an existing file is kept as .old
needs: perf-events
sh: perf record -q -o perf.data -e cpu-clock true; cp perf.data first; perf record -q -o perf.data -e cpu-clock true; cmp first perf.data.old && stat -c %a perf.data
--- stdout
600

=== a pipe from record to script and to report
needs: perf-events
sh: perf record -q -e cpu-clock -c 100000 -o - -- sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done' 2>/dev/null | perf script -i - -F comm | sort | uniq -c | awk '$1 > 5 { print $2 }' | grep -x sh
--- stdout
sh

=== context switches, counted one by one
needs: perf-events
sh: perf record -q -o perf.data -e context-switches -c 1 -- sh -c 'sleep 0.01; sleep 0.01' 2>/dev/null; perf script -F comm,event | awk '{ n++ } END { print (n >= 2) }'
--- stdout
1

=== a tracepoint with its arguments
needs: perf-events tracefs
sh: perf record -q -o perf.data -e sched:sched_process_exec -- sh -c /bin/true 2>/dev/null; perf script -F comm,event,trace | grep -c 'true.*sched:sched_process_exec: filename=/bin/true pid=[0-9]* old_pid=[0-9]*'
--- stdout
1
--- stderr any

=== a tracepoint filter
needs: perf-events tracefs
sh: perf record -q -o perf.data -e sched:sched_process_exec --filter 'filename ~ "*ls"' -- sh -c '/bin/true; /bin/ls >/dev/null; /bin/true' 2>/dev/null; perf script -F trace | grep -o 'filename=[^ ]*'
--- stdout
filename=/bin/ls
--- stderr any

=== a whole machine, and a running process
needs: perf-events
sh: sleep 300 & p=$!; perf record -q -a -F 99 -e cpu-clock -o all.data -- sleep 0.2 && perf record -q -p $p -e cs -o p.data -- sleep 0.1; echo $?; kill $p; perf evlist -i all.data; perf evlist -i p.data
--- stdout
0
cpu-clock
dummy:HG
cs
--- stderr any

=== record stops when it is told to, and the file is whole
needs: perf-events
sh: perf record -q -o perf.data -a -e cpu-clock -F 99 2>/dev/null & p=$!; for i in {1..999}; do [ -s perf.data ] && break; sleep 0.1; done; sleep 0.5; kill -INT $p; wait $p; perf script -F comm >/dev/null && echo whole
--- stdout
whole

=== a recorder that is killed: what was written can be read
needs: perf-events
sh: perf record -q -o perf.data -a -e cpu-clock -F 999 -m 4 2>/dev/null & p=$!; for i in {1..999}; do [ $(perf script -F comm 2>/dev/null | wc -l) -gt 9 ] && break; sleep 0.1; done; kill -9 $p; wait $p 2>/dev/null; perf script -F comm 2>/dev/null | awk 'END { print (NR > 9) }'
--- stdout
1
--- stderr any

=== the reference reads our file and shows the same rows
needs: perf-events reference-perf
sh: perf record -q -o perf.data -F 999 -e cpu-clock -g -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done' 2>/dev/null; show() { $1 report --stdio -g none --sort comm,dso -i perf.data 2>/dev/null | grep -v '^#'; }; show perf > ours; show /usr/bin/perf > theirs; cmp ours theirs && awk 'END { print (NR > 2) }' ours
--- stdout
1

=== a full disk
needs: perf-events
sh: perf record -q -e cpu-clock -o /dev/full -- true 2>err; [ $? != 0 ] && head -1 err
--- stdout contains
/dev/full


=== samples without a time: tasks have the name that they had there in the file
needs: perf-events
sh: perf record -q --per-thread -e task-clock -c 1000000 -o t.data sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exec bash -c "i=0; while [ \$i -lt 20000 ]; do i=\$((i+1)); done"' && perf evlist -v -i t.data | grep -c TIME; perf script -F comm -i t.data | tr -d ' ' | sort -u | grep -v perf-exec
--- stdout
0
bash
sh

=== whoever starts us does not want to hear of his children
needs: perf-events
sh: for i in 1 2 3 4 5 6 7 8 9 10; do python3 -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])' "$(type -P perf)" record -q -o p.data -e cpu-clock -g sh -c 'exit 7'; echo $?; done | uniq
--- stdout
7
--- stderr any

=== a limit of the frequency that cannot be read
needs: mount-namespace perf-events
sh: unshare -m sh -c 'mount --bind /dev/null /proc/sys/kernel/perf_event_max_sample_rate && exec "$@"' x perf record -e cpu-clock -F 1000000000 -o p.data true 2>&1 | grep -c Lowering; perf evlist -F -i p.data
--- stdout regex
1|0
cpu-clock: sample_freq=\d{1,6}

=== in a pid namespace with another's /proc, whose numbers are other processes'
needs: mount-namespace perf-events
sh: unshare -fp perf record -o p.data -e cpu-clock sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' 2>err; grep -o "another pid namespace" err || cat err; perf script -i p.data --show-task-events | grep -c 'COMM: '; perf script -i p.data -F comm | grep -v perf-exec | sort -u | sed 's/ //g'
--- stdout
another pid namespace
0
sh
