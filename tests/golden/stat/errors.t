# perf stat: what is said about wrong options, targets, events and files.
=== an unknown event
argv: perf stat -e nosuch true
exit: 129
--- stderr contains
event syntax error: 'nosuch'
                     \___ parser error

=== a program that does not exist
argv: perf stat -n ./nosuch
exit: 255
--- stderr
Workload failed: No such file or directory

=== a filter without a tracepoint
argv: perf stat --filter x>1 true
exit: 129
--- stderr contains
--filter option should follow a -e tracepoint or HW tracer option

=== a cgroup without events
argv: perf stat -G foo true
exit: 129
--- stderr contains
must define events before cgroups

=== rows per core of a command
argv: perf stat --per-core -e cs true
exit: 234
--- stderr
both cgroup and no-aggregation modes only available in system-wide mode

 Usage: perf stat [<options>] [<command>]

    -G, --cgroup <name>   monitor event in cgroup name only
    -A, --no-aggr         disable CPU count aggregation
    -a, --all-cpus        system-wide collection from all CPUs
        --for-each-cgroup <name>
                          expand events for each cgroup

=== a number of runs below 0
argv: perf stat -r -1 true
exit: 234
--- stderr
Run count must be a positive number

 Usage: perf stat [<options>] [<command>]

    -r, --repeat <n>      repeat command and print average + stddev (max: 100, forever: 0)

=== a count of intervals without intervals
argv: perf stat --interval-count 2 true
exit: 234
--- stderr contains
interval-count option should be used together with interval-print.

=== a time that is too short
argv: perf stat --timeout 5 true
exit: 234
--- stderr contains
timeout must be >= 10ms.

=== two outputs
argv: perf stat -o x --log-fd 2 true
exit: 234
--- stderr contains
cannot use both --output and --log-fd

=== an output that cannot be made
argv: perf stat -n -o nosuch/x true
exit: 255
--- stderr
failed to create output file: No such file or directory

=== a descriptor that is not open
argv: perf stat -n --log-fd 77 true
exit: 234
--- stderr
Failed opening logfd: Bad file descriptor

=== a list of CPUs that is none
argv: perf stat -n -C x true
exit: 234
--- stderr contains
failed to parse CPUs map: No such file or directory

=== no such process
argv: perf stat -n -p 4194999
exit: 234
--- stderr contains
Problems finding threads of monitor

=== separated values and JSON at once
argv: perf stat -n -x, -j true
exit: 234
--- stderr contains
-x and -j options cannot be used together

=== a control descriptor that is none
argv: perf stat -n --control fd:x true
exit: 129
--- stderr contains
--control: 'x' is no descriptor

=== a control descriptor that is not open
argv: perf stat -n --control fd:99 true
exit: 129
--- stderr contains
--control: descriptor 99 is not open

=== a control fifo that is not there
argv: perf stat -n --control fifo:nosuch true
exit: 129
--- stderr contains
--control: cannot open 'nosuch': No such file or directory

=== a file where answers would go
sh: echo kept > file; mkfifo ctl; perf stat -n --control fifo:ctl,file true 2>&1 | head -1; cat file
--- stdout
--control: 'file' is no fifo
kept

=== no metrics of an unknown CPU
argv: perf stat -M IPC true
env: PERF_CPUID=GenuineIntel-6-0-0
exit: 255
--- stderr
Cannot find metric or group `IPC'
hint: there are no metrics for this model of CPU (GenuineIntel-6-0-0)

=== a level that there is not
sh: perf stat --topdown --td-level 3 true 2>&1 | head -1
--- stdout
there are top-down levels 1 and 2 (0: both)

=== a command before that fails
argv: perf stat -n --pre false true
exit: 255
--- stderr
error: the command of --pre failed

=== a cache level that is none
argv: perf stat -n --per-cache=foo true
exit: 129
--- stderr
Cache level must be of form L[1-4], or l[1-4]

 Usage: perf stat [<options>] [<command>]

        --per-cache[=<cache level>]
                          aggregate counts per instance of a cache (L1 to L4; default: the last level)

=== a kind of cores that is not there
argv: perf stat -n --cputype ../cpu true
exit: 129
--- stderr contains
--cputype ../cpu is not supported!

=== ports that nobody counts
argv: perf stat -n --iostat true
exit: 129
--- stderr contains
Unsupported uncore pmu configuration

=== no command that can be repeated
argv: perf stat -e cs --no-multiplex -a
exit: 234
--- stderr contains
--no-multiplex needs a command that it can run again, and no -I

=== a full disk
argv: perf stat -n -o /dev/full true
exit: 255
--- stderr
error: cannot write the counts to '/dev/full': No space left on device

=== a command that comes in pieces, one that is too long, one that is none
sh: mkfifo c; perf stat -n -x, --control fifo:c sleep 30 & exec 5>c; printf 'ev' >&5; sleep 0.1; printf 'list\nen' >&5; sleep 0.1; printf 'able\n%02000d\nno such\nst' 0 >&5; sleep 0.1; printf 'op\n' >&5; wait $!
--- stderr
Events enabled
failed: unknown control command 'no such'
sleep: Terminated

=== stopped by --control
sh: mkfifo c; perf stat -n -x, --control fifo:c sleep 30 & sleep 0.2; echo stop >c; wait $!
--- stderr
sleep: Terminated

=== --control for one event
sh: mkfifo c; perf stat -D -1 -o /dev/null -e dummy:u --control fifo:c sleep 30 & exec 5>c; printf 'enable dummy:u\ndisable  dummy:u\nenable nosuch\nstop\n' >&5; wait $!
--- stderr
Events disabled
Event dummy:u enabled
Event dummy:u disabled
failed: can't find 'nosuch' event
sleep: Terminated

