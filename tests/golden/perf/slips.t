# Slips of the pen, and the line that puts them right: the error as perf has it, then what was meant.
=== a command
argv: perf recrod
exit: 1
--- stderr contains
perf: 'recrod' is not a perf-command. See 'perf --help'.
Did you mean this?
	record

=== a command, in capitals
argv: perf Report
exit: 1
--- stderr contains
perf: 'Report' is not a perf-command. See 'perf --help'.
Did you mean this?
	report

=== a command of the kernel's perf
argv: perf mem
exit: 1
--- stderr contains
error: this perf has no command 'mem' yet

=== another, with help
argv: perf help c2c
exit: 1
--- stderr contains
error: this perf has no command 'c2c' yet

=== an option of perf
argv: perf --debg
exit: 129
--- stderr contains
Unknown option: --debg
hint: did you mean '--debug'?

=== an option without its dash
argv: perf record --callgraph dwarf true
exit: 129
--- stderr contains
  Error: unknown option `callgraph'
hint: did you mean '--call-graph'?

=== an option with one dash
argv: perf record -call-graph dwarf true
exit: 129
--- stderr contains
invalid period 'all-graph'
hint: did you mean '--call-graph'?

=== a negated option
argv: perf report --no-childrn
exit: 129
--- stderr contains
  Error: unknown option `no-childrn'
hint: did you mean '--no-children'?

=== an option of stat
argv: perf stat --interval-prnt 100 true
exit: 129
--- stderr contains
  Error: unknown option `interval-prnt'
hint: did you mean '--interval-print'?

=== an option of script
argv: perf script --filds comm
exit: 129
--- stderr contains
  Error: unknown option `filds'
hint: did you mean '--fields'?

=== a hardware event
argv: perf stat -e cyclse true
exit: 129
--- stderr contains
event syntax error: 'cyclse'
                     \___ parser error
Hint:	did you mean 'cycles'?

=== a software event
argv: perf stat -e contxt-switches true
exit: 129
--- stderr contains
event syntax error: 'contxt-switches'
                     \___ parser error
Hint:	did you mean 'context-switches'?

=== an event with an underscore
argv: perf record -e task_clock true
exit: 129
--- stderr contains
event syntax error: 'task_clock'
                     \___ parser error
Hint:	did you mean 'task-clock'?

=== an event of a group
argv: perf stat -e {cycles,instrctions} true
exit: 129
--- stderr contains
event syntax error: '{cycles,instrctions}'
Hint:	did you mean 'instructions'?

=== an event with a modifier
argv: perf stat -e branch-mises:u true
exit: 129
--- stderr contains
event syntax error: 'branch-mises:u'
Hint:	did you mean 'branch-misses'?

=== an event of a cache
argv: perf stat -e L1-dcache-lod-misses true
exit: 129
--- stderr contains
event syntax error: 'L1-dcache-lod-misses'
Hint:	did you mean 'L1-dcache-load-misses'?

=== an event with terms
argv: perf record -e cpu-clok/period=1000/ true
exit: 129
--- stderr contains
event syntax error: 'cpu-clok/period=1000/'
                     \___ Cannot find PMU `cpu-clok'. Missing kernel support?
Hint:	did you mean 'cpu-clock'?

=== a term of an event
argv: perf record -e cpu-clock/perod=1000/ true
exit: 129
--- stderr contains
event syntax error: 'cpu-clock/perod=1000/'
Hint:	did you mean 'period'?

=== a tracepoint
argv: perf record -e sched:sched_swich true
needs: tracefs
exit: 129
--- stderr contains
event syntax error: 'sched:sched_swich'
                     \___ unknown tracepoint
Hint:	did you mean 'sched:sched_switch'?

=== a tracepoint's system
argv: perf stat -e shced:sched_switch true
needs: tracefs
exit: 129
--- stderr contains
event syntax error: 'shced:sched_switch'
                     \___ unknown tracepoint
Hint:	did you mean 'sched:sched_switch'?

=== a tracepoint without its system
argv: perf stat -e sched_switch true
needs: tracefs
exit: 129
--- stderr contains
event syntax error: 'sched_switch'
                     \___ parser error
Hint:	did you mean 'sched:sched_switch'?

=== a pattern of tracepoints
argv: perf stat -e sched:*swich* true
needs: tracefs
exit: 129
--- stderr contains
event syntax error: 'sched:*swich*'
                     \___ unknown tracepoint
Hint:	no tracepoint of this kernel fits 'sched:*swich*'

=== a field of a filter
argv: perf record -e sched:sched_switch --filter prev_pidd==1 true
needs: tracefs
needs: root
exit: 255
--- stderr contains
error: failed to set filter "prev_pidd==1" on event sched:sched_switch with 22 (Invalid argument)
  prev_pidd==1
  ^ no such field
hint: sched:sched_switch has no field 'prev_pidd': did you mean 'prev_pid'? it has prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio

=== a field of a filter, counted
argv: perf stat -e sched:sched_switch --filter prev_pid>0&&next_com==x true
needs: tracefs
needs: root
exit: 255
--- stderr contains
failed to set filter "prev_pid>0&&next_com==x" on event sched:sched_switch with 22 (Invalid argument)
  prev_pid>0&&next_com==x
              ^ no such field
hint: sched:sched_switch has no field 'next_com': did you mean 'next_comm'? it has prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio

=== an operator of a filter
argv: perf stat -e sched:sched_switch --filter prev_pid=>0 true
needs: tracefs
needs: root
exit: 255
--- stderr contains
failed to set filter "prev_pid=>0" on event sched:sched_switch with 22 (Invalid argument)
  prev_pid=>0
          ^ an operator is missing here: ==, !=, <, <=, >, >=, & or ~
hint: a filter is FIELD OPERATOR VALUE with == != < <= > >= & or ~ 'GLOB', joined by && and ||

=== a value of a filter
argv: perf record -e sched:sched_switch --filter prev_state==Q||prev_pid==1 true
needs: tracefs
needs: root
exit: 255
--- stderr contains
  prev_state==Q||prev_pid==1
              ^ prev_state has no value of that name, and it is no number

=== names of values and strings without quotes in a filter
argv: perf stat -e sched:sched_switch --filter prev_state==D||prev_comm~kwork* true
needs: tracefs
needs: root
exit: 0
--- stderr contains
sched:sched_switch

=== a way to find callers
argv: perf record --call-graph dwraf true
exit: 129
--- stderr contains
callchain: Unknown --call-graph option value: dwraf
hint: did you mean 'dwarf'? known are fp, dwarf, auto, lbr, no

=== a kind of branches
argv: perf record -j ind_cal true
exit: 129
--- stderr contains
unknown branch filter ind_cal, check man page
hint: did you mean 'ind_call'? known are u, k, hv, any, any_call, any_ret, ind_call, ind_jmp, abort_tx, in_tx, no_tx, cond, call_stack, stack, call, no_flags, no_cycles, save_type, hw_index, priv, counter

=== a clock
argv: perf record -k monotnic true
exit: 129
--- stderr contains
unknown clockid monotnic, check man page
hint: did you mean 'monotonic'? known are monotonic, monotonic_raw, realtime, boottime, tai, mono, raw, real, boot

=== a process
argv: perf record -o x.data -p 4194999
exit: 255
--- stderr contains
Couldn't create thread/CPU maps: No such process: 4194999

=== a process to count
argv: perf stat -p 4194999
exit: 234
--- stderr contains
Problems finding threads of monitor: no such process: 4194999

=== a thread
argv: perf record -o x.data -t 4194999
exit: 255
--- stderr contains
Couldn't create thread/CPU maps: No such thread: 4194999

=== a thread to count
argv: perf stat -t 4194999
exit: 255
--- stderr contains
error: no such thread: 4194999

=== a metric
argv: perf stat -M tma_frontend true
env: PERF_CPUID=GenuineIntel-6-8F-8
exit: 255
--- stderr contains
Cannot find metric or group `tma_frontend'
hint: did you mean 'tma_frontend_bound'?

=== a sort key
argv: perf report -i $DATA/perfdata/autofdo-ro_sample.perf -s symbl
exit: 129
--- stderr contains
Error:
Unknown --sort key: `symbl'
hint: did you mean 'symbol'?

=== a field of report
argv: perf report -i $DATA/perfdata/autofdo-ro_sample.perf -F +srcilne
exit: 129
--- stderr contains
Error:
Unknown --fields key: `srcilne'
hint: did you mean 'srcline'?

=== a kind of call graph
argv: perf report -g callr
exit: 129
--- stderr contains
unknown call-graph option 'callr'
hint: did you mean 'caller'? known are graph, fractal, flat, folded, none, caller, callee, function, address, srcline, branch, percent, period, count

=== a recording
argv: perf report nosuch.data
exit: 255
--- stderr contains
error: failed to open 'nosuch.data': No such file or directory
hint: try 'perf record' first

=== a symbol
argv: perf report -i $DATA/perfdata/autofdo-ro_sample.perf nosuch_symbol
--- stdout any
--- stderr contains
warning: no row has a symbol with 'nosuch_symbol' in its name
hint: nor is there a recording of this name

=== a field of script
argv: perf script -F comm,tidd
exit: 129
--- stderr contains
Invalid field requested.
hint: did you mean 'tid'? known are comm, tid, pid, time, cpu, event,

=== a word of list
argv: perf list softwar
--- stderr contains
warning: no event and no kind of events is called 'softwar'
hint: did you mean 'software'?

=== a tracepoint to list
argv: perf list sched:sched_swich
needs: tracefs
--- stderr contains
warning: no event and no kind of events is called 'sched:sched_swich'
hint: did you mean 'sched:sched_switch'?

=== nothing to list
argv: perf list foo
--- stderr contains
warning: no event and no kind of events is called 'foo'
hint: 'perf list' alone lists all

=== a value of the configuration
argv: perf config report.percent-limit=abc
env: PERF_CONFIG=$TMP/perfconfig
exit: 255
--- stderr contains
error: report.percent-limit is not set: 'abc' is not a percentage

=== a truth of the configuration
argv: perf config report.children=maybe
env: PERF_CONFIG=$TMP/perfconfig
exit: 255
--- stderr contains
error: report.children is not set: 'maybe' is neither yes nor no

=== a word of the configuration
argv: perf config call-graph.record-mode=dwraf
env: PERF_CONFIG=$TMP/perfconfig
exit: 255
--- stderr contains
error: call-graph.record-mode is not set: callchain: Unknown --call-graph option value: dwraf
hint: did you mean 'dwarf'? known are fp, dwarf, auto, lbr, no

=== a section of the configuration
argv: perf config repot.percent-limit=1
env: PERF_CONFIG=$TMP/perfconfig
--- stderr contains
warning: no command reads 'repot.percent-limit'
hint: did you mean 'report.percent-limit'?

=== a subcommand
argv: perf daemon strat
exit: 255
--- stderr contains
failed: unknown command 'strat'
hint: did you mean 'start'? known are start, signal, stop, ping

=== a feature
argv: perf check feature zsdt
exit: 1
--- stderr contains
Unknown feature 'zsdt', please use 'perf version --build-options' to see which ones are available.
hint: did you mean 'zstd'?

=== a benchmark
argv: perf bench mem memcyp
exit: 1
--- stderr contains
Unknown benchmark: 'memcyp' for collection 'mem'
hint: did you mean 'memcpy'?

=== a mode of -g, with its command
argv: perf record -e task-clock:u -o x.data -g dwraf,4096 -- sleep 0
exit: 255
--- stderr contains
Failed to collect 'task-clock:u' for the 'dwraf,4096' workload: No such file or directory
hint: did you mean 'perf record -e task-clock:u -o x.data --call-graph dwarf,4096 -- sleep 0'?

=== a workload
argv: perf test -w noplop
exit: 255
--- stderr contains
No workload found: noplop
hint: did you mean 'noploop'?

