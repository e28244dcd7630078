# perf ftrace: what is wrong with options, before the tracer is looked at.
=== nothing to measure
argv: perf ftrace latency true
exit: 234
--- stderr
Should provide a function or events to measure

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -T, --trace-funcs <func>
                          measure calls of this function

=== a function and events
argv: perf ftrace latency -T schedule -e a:b,c:d true
exit: 234
--- stderr
Please specify either of function or events

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -e, --events <event1,event2>
                          measure from one event to another of the same thread

=== one event
argv: perf ftrace latency -e a:b true
exit: 234
--- stderr
Please specify two events: SYSTEM:NAME,SYSTEM:NAME

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -e, --events <event1,event2>
                          measure from one event to another of the same thread

=== three events
argv: perf ftrace latency -e a:b,c:d,e:f true
exit: 234
--- stderr
Please specify two events: SYSTEM:NAME,SYSTEM:NAME

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -e, --events <event1,event2>
                          measure from one event to another of the same thread

=== two functions in the kernel
argv: perf ftrace latency -b -T schedule -T do_exit true
exit: 234
--- stderr
-b measures one function

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -b, --use-bpf         measure in the kernel, by BPF

=== bounds of no range
argv: perf ftrace latency -T schedule --min-latency 5 true
exit: 234
--- stderr
--min-latency works only with --bucket-range

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

        --min-latency <n>
                          end of the first bucket

=== bounds of no range, the other one
argv: perf ftrace latency -T schedule --max-latency 5 true
exit: 234
--- stderr
--max-latency works only with --bucket-range

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

        --max-latency <n>
                          begin of the last bucket

=== bounds the wrong way round
argv: perf ftrace latency -T schedule --bucket-range 4 --min-latency 20 --max-latency 10 true
exit: 234
--- stderr
--max-latency must be larger than min-latency + bucket-range

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

        --max-latency <n>
                          begin of the last bucket

=== too many buckets
argv: perf ftrace latency -T schedule --bucket-range 1 --max-latency 10000000 true
exit: 234
--- stderr
--max-latency is too many buckets away

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

        --bucket-range <n>
                          width of a bucket in us, or ns with -n; powers of two without

=== an unknown order
argv: perf ftrace profile -s size true
exit: 129
--- stderr
Unknown sort key: size

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -s, --sort <key>      total (default), avg, max, count or name

=== a size without a unit
argv: perf ftrace -m 10 true
exit: 129
--- stderr
'10' is no size of a buffer: a number and B, K, M or G

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -m, --buffer-size <size>
                          size of each CPU's buffer: a number and B, K, M or G

=== a size of nothing
argv: perf ftrace -m 0K true
exit: 129
--- stderr
'0K' is no size of a buffer: a number and B, K, M or G

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -m, --buffer-size <size>
                          size of each CPU's buffer: a number and B, K, M or G

=== an unknown word of the graph
argv: perf ftrace --graph-opts depth=2,foo true
exit: 129
--- stderr
Unknown option name 'foo'

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

        --graph-opts <options>
                          of function_graph: args,retval,retval-hex,retaddr,nosleep-time,noirqs,verbose,tail,thresh=<n>,depth=<n>

=== a word that needs a number
argv: perf ftrace --graph-opts depth true
exit: 129
--- stderr
Option 'depth' takes a number behind '='

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

        --graph-opts <options>
                          of function_graph: args,retval,retval-hex,retaddr,nosleep-time,noirqs,verbose,tail,thresh=<n>,depth=<n>

=== a number that is none
argv: perf ftrace --graph-opts thresh=x true
exit: 129
--- stderr
'x' is no number for 'thresh'

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

        --graph-opts <options>
                          of function_graph: args,retval,retval-hex,retaddr,nosleep-time,noirqs,verbose,tail,thresh=<n>,depth=<n>

=== a word that takes none
argv: perf ftrace --graph-opts verbose=1 true
exit: 129
--- stderr
Option 'verbose' takes no value

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

        --graph-opts <options>
                          of function_graph: args,retval,retval-hex,retaddr,nosleep-time,noirqs,verbose,tail,thresh=<n>,depth=<n>

=== an unknown word of functions
argv: perf ftrace --func-opts stack true
exit: 129
--- stderr
Unknown option name 'stack'

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

        --func-opts <options>
                          of the tracer function: call-graph,irq-info

=== a function without a name
argv: perf ftrace -T '' true
exit: 129
--- stderr
'' is no name of a function

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -T, --trace-funcs <func>
                          trace these functions, by the tracer function

=== a tracer that is not here
argv: perf ftrace -t wakeup true
exit: 255
--- stderr
error: 'wakeup' is no tracer that perf ftrace has: function_graph or function

=== another one in the configuration
sh: printf '[ftrace]\ntracer = wakeup\n' > f; PERF_CONFIG=f perf ftrace true
exit: 255
--- stderr
Please select "function_graph" (default) or "function"
Error in the given config file: wrong config key-value pair ftrace.tracer=wakeup

=== a delay that is none
argv: perf ftrace -D soon true
exit: 129
--- stderr
'soon' is no time in milliseconds

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -D, --delay <n>       ms to wait before tracing after the command began

=== options of latency
argv: perf ftrace latency -h
exit: 129
--- stderr

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -a, --all-cpus        trace all tasks, on all CPUs
    -b, --use-bpf         measure in the kernel, by BPF
    -C, --cpu <cpu>       trace all tasks on these CPUs
    -e, --events <event1,event2>
                          measure from one event to another of the same thread
    -m, --buffer-size <size>
                          size of each CPU's buffer: a number and B, K, M or G
    -n, --use-nsec        show ns in place of us
    -p, --pid <pid>       trace these processes
    -T, --trace-funcs <func>
                          measure calls of this function
    -v, --verbose         be more verbose
        --bucket-range <n>
                          width of a bucket in us, or ns with -n; powers of two without
        --hide-empty      leave out buckets that have nothing
        --inherit         trace children, too
        --max-latency <n>
                          begin of the last bucket
        --min-latency <n>
                          end of the first bucket
        --tid <tid>       trace these threads


=== options of profile
argv: perf ftrace profile -h
exit: 129
--- stderr

 Usage: perf ftrace [<options>] [<command>]
    or: perf ftrace [<options>] -- [<command>] [<options>]
    or: perf ftrace {trace|latency|profile} [<options>] [<command>]
    or: perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]

    -a, --all-cpus        trace all tasks, on all CPUs
    -C, --cpu <cpu>       trace all tasks on these CPUs
    -G, --graph-funcs <func>
                          trace these functions and what they call, by function_graph
    -g, --nograph-funcs <func>
                          leave out these functions and what they call
    -m, --buffer-size <size>
                          size of each CPU's buffer: a number and B, K, M or G
    -N, --notrace-funcs <func>
                          leave out these functions
    -p, --pid <pid>       trace these processes
    -s, --sort <key>      total (default), avg, max, count or name
    -T, --trace-funcs <func>
                          profile these functions
    -v, --verbose         be more verbose
        --graph-opts <options>
                          of function_graph: args,retval,retval-hex,retaddr,nosleep-time,noirqs,verbose,tail,thresh=<n>,depth=<n>
        --inherit         trace children, too
        --tid <tid>       trace these threads


