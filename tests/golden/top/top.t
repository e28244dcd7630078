# perf top: what is refused, and how. (tests/live/top.py watches programs.)
=== tasks that there are not
argv: perf top -p 999999999
exit: 255
--- stderr
Couldn't create thread/CPU maps: No such process: 999999999

=== words
sh: perf top foo 2>&1 | sed -n 1,2p; echo ${PIPESTATUS[0]}
--- stdout

 Usage: perf top [<options>]
129

=== a number where none is
sh: perf top -d x 2>&1 | head -1; perf top --percent-limit x 2>&1 | head -1; perf top --percentage x 2>&1 | head -1; perf top -F x 2>&1 | head -1; perf top -m x 2>&1 | head -1
--- stdout
 Error: switch `d' expects a numerical value
'x' is not a percentage
'x' is neither relative nor absolute
invalid frequency 'x': a number of Hz, or max
Invalid argument for --mmap_pages/-m

=== an event with a slip
sh: perf top -e cyclse 2>&1 | head -4
--- stdout
event syntax error: 'cyclse'
                     \___ parser error

Hint:	did you mean 'cycles'?

=== how code is shown
sh: for o in "-M foo" "--prefix-strip 2"; do perf top $o 2>&1 | head -2; done
--- stdout
error: the style 'foo' is not one of att, intel
hint: known are att, intel
error: --prefix-strip requires --prefix

=== what cannot be together
sh: for o in "--switch-on x" "--switch-off x" --stitch-lbr; do perf top -e cpu-clock $o 2>&1 | head -1; done
--- stdout
error: switch-on event not found (x)
error: switch-off event not found (x)
error: --stitch-lbr must be used with --call-graph lbr

=== words for callers
sh: for o in dwraf fp,calee; do perf top --call-graph $o 2>&1 | head -2 | sed "s/ known are.*//"; done
--- stdout
callchain: Unknown --call-graph option value: dwraf
hint: did you mean 'dwarf'?
unknown call-graph option 'calee'
hint: did you mean 'callee'?

=== frequency and period
argv: perf top -F 100 -c 1000
exit: 255
--- stderr
cannot set frequency and period at the same time

=== a cgroup without -a
sh: perf top -e cycles -G foo -p 1 2>&1 | head -1
--- stdout
cgroup monitoring only available in system-wide mode

=== settings
sh: perf config top.children=maybe; perf config top.call-graph=foo; echo $?
--- stdout
255
--- stderr
error: top.children is not set: top.children is true or false, not 'maybe'
error: top.call-graph is not set: callchain: Unknown --call-graph option value: foo
hint: known are fp, dwarf, auto, lbr, no

=== what context switches would tell is not made up
sh: perf top -s parallelism -p $$; echo $?
needs: perf-events
--- stdout
255
--- stderr
error: perf top records no context switches: it cannot tell latency or parallelism
