# perf record -e: event texts that are refused, and what is said; the columns are those of perf 6.1.
=== a word that is no event
argv: perf record -e cycles,nosuch true
exit: 129
--- stderr
event syntax error: 'cycles,nosuch'
                            \___ parser error
Run 'perf list' for a list of valid events

 Usage: perf record [<options>] [<command>]
    or: perf record [<options>] -- <command> [<options>]

    -e, --event <event>   event selector. use 'perf list' to list available events

=== a modifier twice
argv: perf record -e cycles:uu true
exit: 129
--- stderr
event syntax error: 'cycles:uu'
                            \___ Bad modifier
Run 'perf list' for a list of valid events

 Usage: perf record [<options>] [<command>]
    or: perf record [<options>] -- <command> [<options>]

    -e, --event <event>   event selector. use 'perf list' to list available events

=== a tracepoint that is not there
needs: tracefs
argv: perf record -e sched:nosuch true
exit: 129
--- stderr
event syntax error: 'sched:nosuch'
                     \___ unknown tracepoint

Error:	File /sys/kernel/tracing/events/sched/nosuch not found.
Hint:	Perhaps this kernel misses some CONFIG_ setting to enable this feature?.

Run 'perf list' for a list of valid events

 Usage: perf record [<options>] [<command>]
    or: perf record [<options>] -- <command> [<options>]

    -e, --event <event>   event selector. use 'perf list' to list available events

=== a PMU that is not there
argv: perf record -e nosuch/event=1/ true
exit: 129
--- stderr
event syntax error: 'nosuch/event=1/'
                     \___ Cannot find PMU `nosuch'. Missing kernel support?
Run 'perf list' for a list of valid events

 Usage: perf record [<options>] [<command>]
    or: perf record [<options>] -- <command> [<options>]

    -e, --event <event>   event selector. use 'perf list' to list available events

=== a word where a number belongs
argv: perf record -e cpu-clock/period=abc/ true
exit: 129
--- stderr
event syntax error: '..ock/period=abc/'
                                  \___ expected numeric value
Run 'perf list' for a list of valid events

 Usage: perf record [<options>] [<command>]
    or: perf record [<options>] -- <command> [<options>]

    -e, --event <event>   event selector. use 'perf list' to list available events

=== a group without its end
argv: perf record -e {cpu-clock,cs true
exit: 129
--- stderr
event syntax error: '{cpu-clock,cs'
                     \___ missing '}'
Run 'perf list' for a list of valid events

 Usage: perf record [<options>] [<command>]
    or: perf record [<options>] -- <command> [<options>]

    -e, --event <event>   event selector. use 'perf list' to list available events

=== an eBPF program
argv: perf record -e ./kca_from.c/map:channel.event=evt/ -a -- sleep 1
exit: 129
--- stderr
event syntax error: './kca_from.c/map:channel.event=evt/'
                     \___ cannot compile './kca_from.c': No such file or directory
Run 'perf list' for a list of valid events

 Usage: perf record [<options>] [<command>]
    or: perf record [<options>] -- <command> [<options>]

    -e, --event <event>   event selector. use 'perf list' to list available events

=== a point in a program that is not there
argv: perf record -e uprobe:/nonexistent/prog:main true
exit: 129
--- stderr contains
\___ cannot find '/nonexistent/prog': No such file or directory

=== a point without a function
argv: perf stat -e cs,uprobe:/bin/true true
exit: 129
--- stderr contains
event syntax error: 'cs,uprobe:/bin/true'
                               \___ uprobe:PATH:FUNCTION is expected

=== arguments without an end
argv: perf trace -e 'uprobe:/bin/true:main(a' true
exit: 129
--- stderr contains
\___ ')' is missing behind the arguments
