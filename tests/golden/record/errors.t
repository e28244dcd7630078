# perf record: what is said about wrong options, targets, events and files.
=== an unknown event
argv: perf record -e nosuch true
exit: 129
--- stderr contains
event syntax error: 'nosuch'
                     \___ parser error
Run 'perf list' for a list of valid events

=== a program that does not exist
argv: perf record -q -e task-clock:u -o x.data ./nosuch
exit: 255
--- stderr
Failed to collect 'task-clock:u' for the './nosuch' workload: No such file or directory

=== a filter without an event
argv: perf record --filter x>1 true
exit: 129
--- stderr contains
--filter option should follow a -e tracepoint or HW tracer option

=== exclude-perf without a tracepoint
argv: perf record -e task-clock --exclude-perf true
exit: 129
--- stderr contains
--exclude-perf option should follow a -e tracepoint option

=== no such process
argv: perf record -e task-clock -o x.data -p 4194999 true
exit: 255
--- stderr
Couldn't create thread/CPU maps: No such process: 4194999

=== rates
argv: perf record -F 100 -c 100 true
exit: 255
--- stderr
cannot set frequency and period at the same time

=== a rate of nothing
argv: perf record -F 0 true
exit: 255
--- stderr
frequency and count are zero, aborting

=== an unknown clock
argv: perf record -k foo true
exit: 129
--- stderr contains
unknown clockid foo, check man page

=== an unknown branch filter
argv: perf record -j foo true
exit: 129
--- stderr contains
unknown branch filter foo, check man page

=== a stack copy too large
argv: perf record --call-graph dwarf,70000 true
exit: 129
--- stderr contains
callchain: Incorrect stack dump size (max 65528): 70000

=== filters for users without privileges
argv: perf record --setup-filter pin true
exit: 255
--- stderr
error: '--setup-filter' is not supported yet

=== latency of whole CPUs
argv: perf record --latency -a -o x.data true
exit: 255
--- stderr
Failed: latency profiling is not supported with system-wide collection.

=== a fifo as the file
sh: mkfifo f; perf record -e cpu-clock -o f true
exit: 255
--- stderr
error: cannot write a file to the fifo 'f'
hint: '-o - >f' writes a stream there

=== a time that is none
argv: perf record --off-cpu --off-cpu-thresh soon true
exit: 129
--- stderr contains
off-cpu-thresh

=== a place that does not exist
argv: perf record -q -e task-clock:u -o nosuch/perf.data true
exit: 255
--- stderr
error: cannot write 'nosuch/perf.data': No such file or directory

=== a cgroup without all CPUs
argv: perf record -e task-clock -G x true
exit: 129
--- stderr contains
cgroup monitoring only available in system-wide mode

=== dry run
argv: perf record --dry-run -e task-clock true

=== names behind a stream need room for it
sh: TMPDIR=/nonexistent perf record -e task-clock --embed-symbols -o - true | wc -c
--- stdout
0
--- stderr
error: cannot put a stream aside in '/nonexistent': No such file or directory
hint: set TMPDIR to a folder with room for all of it

=== -z in a build without zstd leaves the earlier recording alone
sh: echo old > o.data; perf check -q feature zstd || perf record -z -o o.data true 2> err; rm -f err; cat o.data; ls
--- stdout
old
o.data
