# perf test on this machine: nothing may fail, and what needs no hardware must work.
=== nothing fails
needs: perf-events
sh: perf test 2>&1 | grep FAILED; perf test | grep -c Ok | grep -c "[2-9][0-9]"
--- stdout
1

=== what every machine has
needs: perf-events
sh: perf test "page-faults" "By period" "FORK" "record, then report" | grep -v ':$' | sed 's/  */ /g'
--- stdout
 3.2: page-faults : Ok
 9.1: By period : Ok
 12.3: FORK : Ok
 22.1: record, then report : Ok

=== as an ordinary user nothing fails either
needs: root
sh: chmod 755 "$TMP" "$HOME"; cp "$(readlink -f "$(command -v perf)")" p; chmod 755 p; HOME=/tmp setpriv --reuid 65534 --regid 65534 --clear-groups ./p test 1-19 | grep FAILED; HOME=/tmp setpriv --reuid 65534 --regid 65534 --clear-groups ./p test 1 | tail -4 | grep -c .
--- stdout
4

=== -r repeats, --junit writes what was found
needs: perf-events
sh: perf test -r 2 --junit=j.xml -s 22 -S "page-faults" 22 | sed 's/  */ /g'; python3 -c 'import xml.etree.ElementTree as x; t=x.parse("j.xml").getroot()[0]; print(t.get("tests"), t.get("failures"), t.get("skipped"), [(c.get("name"), [r.get("message") for r in c]) for c in t])'
--- stdout
 3: Software events :
 3.2: page-faults : Ok
 3: Software events :
 3.2: page-faults : Ok
 22: Commands : Skip (user override)
 22: Commands : Skip (user override)
Wrote junit XML output to j.xml
4 0 2 [('page-faults', []), ('page-faults', []), ('Commands', ['user override']), ('Commands', ['user override'])]

=== -p runs checks at once and tells them in the same order
needs: perf-events
sh: perf test -p -r 2 -s 22 > a; perf test -S -p -r 2 -s 22 > b; grep -o '^ *[0-9.]*:' a > c; grep -o '^ *[0-9.]*:' b | cmp - c; grep -c . c | grep -c '[0-9][0-9]'; grep FAILED a; perf test -p "page-faults" "By period" 1000 | sed 's/  */ /g' | grep -v ':$'; perf test -p --junit=j.xml 9 > /dev/null; python3 -c 'import xml.etree.ElementTree as x; print(x.parse("j.xml").getroot()[0].get("failures"))'
--- stdout
1
 3.2: page-faults : Ok
 9.1: By period : Ok
0

=== --dso reads the symbols of another file
sh: perf test --dso /nonexistent "of --dso" | sed 's/  */ /g'; perf test -v --dso "$(command -v perf)" "of --dso" 2>&1 | grep -c '\.symtab, [1-9][0-9]* symbols'
--- stdout
 18: Symbols of programs :
 18.1: Symbols of this program, or of --dso: FAILED! (cannot open '/nonexistent': No such file or directory)
1

=== wrong options
sh: perf test -r 0 1 2>&1 | head -1; perf test -r abc 2>&1 | head -1; perf test --junit=/nonexistent/j 3 > /dev/null 2>&1; echo $?
--- stdout
-r needs at least one run
 Error: switch `r' expects a numerical value
255

=== --record-ctl measures the workload alone
needs: perf-events
sh: mkfifo ctl ack; perf record -q -e task-clock -c 1000000 -D -1 --control fifo:ctl,ack -o c.data -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exec perf test --record-ctl fifo:ctl,ack -w noploop 1' 2>/dev/null; perf script -F ip,sym -i c.data | grep -c noploop | grep -c "[0-9][0-9]"; perf report --stdio -q -n --sort comm -i c.data | awk '$3 == "sh"'
--- stdout
1

=== --record-ctl without a recorder
sh: mkfifo ctl; for w in fifo:ctl fifo:none fd:1 x; do perf test --record-ctl $w -w noploop 0.1; echo $?; done; perf test --record-ctl fifo:ctl 2>&1 | head -1
--- stdout
255
255
255
255
--record-ctl is for a workload (-w)
--- stderr
error: nobody reads the FIFO 'ctl'
error: cannot open the FIFO 'none': No such file or directory
error: --record-ctl 'fd:1': fifo:CTL-FIFO[,ACK-FIFO] is wanted
error: --record-ctl 'x': fifo:CTL-FIFO[,ACK-FIFO] is wanted

=== workloads as the recorder sees them
needs: perf-events
sh: perf record -q -e dummy -o a.data -- perf test -w named_threads 3; perf script -i a.data --show-task-events | grep -o 'COMM: thread[0-9]' | sort; perf record -q -e dummy -o b.data -- perf test -w context_switch_loop 2; perf script -i b.data --show-task-events | grep -o 'COMM: proc[0-9]' | sort; perf record -q -e task-clock:u -c 1000000 -o c.data -- perf test -w inlineloop; perf report -i c.data --stdio -q -s comm,sym 2>/dev/null | head -1 | grep -o '[a-z]*-[a-z]*  *\[.\] inline_[a-z]*'
--- stdout
COMM: thread1
COMM: thread2
COMM: thread3
COMM: proc1
COMM: proc2
perf-inlineloop  [.] inline_parent

=== jitdump: its function has a name after perf inject -j
needs: perf-events
sh: export PERF_BUILDID_DIR=$PWD/cache; perf record -q -k mono -B -e task-clock -c 1000000 -o a.data -- perf test -w jitdump 400000000; perf inject -j -i a.data -o b.data; perf report -i b.data --stdio -q -s sym | head -1 | grep -o 'jit_workload'
--- stdout
jit_workload

=== callchain: four functions down to a system call
needs: perf-events root cpp
sh: perf record -q -g -e raw_syscalls:sys_enter --filter "id == $(printf '#include <sys/syscall.h>\nSYS_gettid\n' | cpp -P | tail -1)" -o a.data -- perf test -w callchain 2>/dev/null; perf script -i a.data -F ip,sym | grep -o ' callchain_.*' | tr -d ' '
--- stdout
callchain_leaf
callchain_inner
callchain_middle
callchain_outer
