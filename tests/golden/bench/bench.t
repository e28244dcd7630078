# perf bench: lists and wrong input; tests/live/bench.t runs the benchmarks.
=== the collections
argv: perf bench
--- stdout
Usage: 
	perf bench [<common options>] <collection> <benchmark> [<options>]

        # List of all available benchmark collections:

         sched: Scheduler and IPC benchmarks
       syscall: System call benchmarks
           mem: Memory access benchmarks
          numa: NUMA scheduling and MM benchmarks
         futex: Futex stressing benchmarks
         epoll: Epoll stressing benchmarks
     internals: Perf-internals benchmarks
    breakpoint: Breakpoint benchmarks
        uprobe: uprobe benchmarks
           all: All benchmarks


=== a collection
argv: perf bench sched
--- stdout

        # List of available benchmarks for collection 'sched':

     messaging: Benchmark for scheduling and IPC
          pipe: Benchmark for pipe() between two processes
seccomp-notify: Benchmark for seccomp user notify
           all: Run all scheduler benchmarks


=== help of a collection is its list
argv: perf bench syscall -h
--- stdout

        # List of available benchmarks for collection 'syscall':

         basic: Benchmark for basic getppid(2) calls
       getpgid: Benchmark for getpgid(2) calls
          fork: Benchmark for fork(2) calls
        execve: Benchmark for execve(2) calls
           all: Run all syscall benchmarks


=== options of a benchmark
argv: perf bench sched pipe -h
exit: 129
--- stdout
# Running 'sched/pipe' benchmark:
--- stderr

 Usage: perf bench sched pipe <options>

    -G, --cgroups <SEND,RECV>
                          Put sender and receivers in given cgroups
    -l, --loop <n>        Specify number of loops
    -n, --nonblocking     Use non-blocking operations
    -s, --write-size <n>  Bytes that are handed over at once (default: 4)
    -T, --threaded        Specify threads/process based task setup


=== unknown collection
argv: perf bench foo
exit: 1
--- stderr
Unknown collection: 'foo'

=== unknown benchmark
argv: perf bench mem foo
exit: 1
--- stderr
Unknown benchmark: 'foo' for collection 'mem'

=== unknown format
argv: perf bench -f xml sched pipe
exit: 129
--- stderr
Unknown format descriptor: 'xml'
hint: --format=default or --format=simple

=== no repetition
argv: perf bench -r 0 sched pipe
exit: 129
--- stderr
Invalid repeat option: Must specify a positive value

=== what is no option
argv: perf bench sched pipe extra
exit: 129
--- stdout
# Running 'sched/pipe' benchmark:
--- stderr
error: 'sched pipe' has no argument 'extra'

=== not a number
argv: perf bench sched pipe -l abc
exit: 129
--- stdout
# Running 'sched/pipe' benchmark:
--- stderr
 Error: switch `l' expects a numerical value
 Usage: perf bench sched pipe <options>

    -l, --loop <n>        Specify number of loops

=== not a size
argv: perf bench mem memcpy -s lots
exit: 1
--- stdout
# Running 'mem/memcpy' benchmark:
--- stderr
Invalid size:lots

=== a size that does not fit into 64 bits
argv: perf bench mem memcpy -s 99999999999TB
exit: 1
--- stdout
# Running 'mem/memcpy' benchmark:
--- stderr
Invalid size:99999999999TB

=== unknown function
sh: perf bench mem memset -f foo | head -4
--- stdout
# Running 'mem/memset' benchmark:
Unknown function: foo
Available functions:
	default ... Default memset() provided by glibc

=== wakers that do not divide the threads
argv: perf bench futex wake-parallel -t 4 -w 3
exit: 1
--- stdout
# Running 'futex/wake-parallel' benchmark:
--- stderr
perf: Must be perfectly divisible

=== more threads than there can be
argv: perf bench futex hash -t 100000000
exit: 1
--- stdout
# Running 'futex/hash' benchmark:
--- stderr
perf: pthread_create: Resource temporarily unavailable

=== nothing to wake
argv: perf bench futex wake -w 0
exit: 1
--- stdout
# Running 'futex/wake' benchmark:
--- stderr
perf: the number of threads to wake at once must not be 0

=== no descriptors
argv: perf bench epoll ctl -f 0
exit: 1
--- stdout
# Running 'epoll/ctl' benchmark:
--- stderr
perf: the number of file descriptors must be from 1 to 1048576

=== more events than allowed
argv: perf bench internals evlist-open-close -n 100001
exit: 1
--- stdout
# Running 'internals/evlist-open-close' benchmark:
--- stderr
perf: the number of events must be from 1 to 100000

=== an unknown event
argv: perf bench internals evlist-open-close -e foo
exit: 129
--- stdout
# Running 'internals/evlist-open-close' benchmark:
--- stderr
event syntax error: 'foo'
                     \___ parser error
Run 'perf list' for a list of valid events

=== an unknown user
argv: perf bench internals evlist-open-close -u no_such_user
exit: 1
--- stdout
# Running 'internals/evlist-open-close' benchmark:
--- stderr
error: unknown user 'no_such_user'

=== a process that does not exist
argv: perf bench internals evlist-open-close -p 99999999
exit: 1
--- stdout
# Running 'internals/evlist-open-close' benchmark:
--- stderr
error: no such process: 99999999

=== not a list of CPUs
argv: perf bench numa mem -p 1 -C a
exit: 1
--- stdout
# Running 'numa/mem' benchmark:

 # Running main, "perf bench numa numa-mem -p 1 -C a"
--- stderr
perf: a number of the options is too large, or -C or -M is no list

=== too many processes
argv: perf bench numa mem -p 99999
exit: 1
--- stdout
# Running 'numa/mem' benchmark:

 # Running main, "perf bench numa numa-mem -p 99999"
--- stderr
perf: a number of the options is too large, or -C or -M is no list

=== a CPU that there is not
sh: perf bench numa mem -p 1 -t 1 -C 65535 -q 2>&1 | sed 's/only [0-9]* CPUs/only N CPUs/' | head -8
--- stdout
# Running 'numa/mem' benchmark:

 # Running main, "perf bench numa numa-mem -p 1 -t 1 -C 65535 -q"

Test not applicable, system has only N CPUs.

 Usage: perf bench numa mem [<options>]


