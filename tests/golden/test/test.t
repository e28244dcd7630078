# perf test: what is listed and chosen. What the checks say depends on the machine: tests/live/test.t.
=== the list
argv: perf test list
--- stdout
  1: Permission to measure
  1:1: User space of own processes
  1:2: Kernel side of own processes
  1:3: Whole CPUs (-a, -C)
  1:4: Processes of other users
  2: Limits of this user
  2:1: Memory of ring buffers (mlock)
  2:2: Open files
  2:3: Sampling rate
  3: Software events
  3:1: task-clock
  3:2: page-faults
  3:3: context-switches
  4: Hardware events
  4:1: cycles
  4:2: instructions
  4:3: branches
  4:4: L1-dcache-loads
  5: Groups are read at once
  6: Children are counted
  7: Watchpoint
  7:1: Read Only Watchpoint
  7:2: Write Only Watchpoint
  7:3: Read / Write Watchpoint
  7:4: Execution
  8: Parse event definition strings
  8:1: Events
  8:2: Wrong events are refused
  9: Sampling
  9:1: By period
  9:2: By frequency
  9:3: Kernel side too
  9:4: Hardware counter overflow
  9:5: Precise (PEBS, IBS, SPE)
 10: Clocks for sample times
 10:1: monotonic
 10:2: monotonic_raw
 10:3: boottime
 10:4: realtime
 10:5: tai
 11: Call chains
 11:1: By frame pointers
 11:2: Registers and copies of the stack
 11:3: Branch stack
 12: Side records
 12:1: COMM
 12:2: MMAP2
 12:3: FORK
 12:4: SWITCH
 13: What this kernel knows
 13:1: Overwritable ring buffers (4.7)
 13:2: BPF programs and their symbols (5.1)
 13:3: Control groups of samples (5.7)
 13:4: Changes of kernel code (5.9)
 13:5: Build ids in MMAP2 (5.12)
 13:6: Lost samples per event (6.0)
 14: Tracepoints
 14:1: tracefs
 14:2: Counting system calls
 14:3: Formats of this kernel's events
 15: Probes
 15:1: kprobe
 15:2: uprobe
 16: BPF
 16:1: Programs
 16:2: Types of the kernel (BTF)
 17: Control groups
 18: Symbols of programs
 18:1: Symbols of this program, or of --dso
 18:2: Build id of this program
 18:3: Build id of the vdso
 19: Symbols of the kernel
 19:1: kallsyms
 19:2: Build id of the kernel
 19:3: Memory of the kernel (kcore)
 20: Folders
 20:1: Build id cache
 20:2: Maps of JIT compilers
 21: Libraries
 21:1: zstd
 21:2: lzma
 22: Commands
 22:1: record, then report
 22:2: record -g, then script
 22:3: record, then header
 22:4: record, then evlist
 22:5: stat
 22:6: Exit status of the workload
 22:7: A workload that does not exist

=== part of a name, and of a subtest's
argv: perf test list probe WATCH
--- stdout
  7: Watchpoint
  7:1: Read Only Watchpoint
  7:2: Write Only Watchpoint
  7:3: Read / Write Watchpoint
  7:4: Execution
 15: Probes
 15:1: kprobe
 15:2: uprobe

=== numbers and ranges
argv: perf test list 2 5-6
--- stdout
  2: Limits of this user
  2:1: Memory of ring buffers (mlock)
  2:2: Open files
  2:3: Sampling rate
  5: Groups are read at once
  6: Children are counted

=== no such test
argv: perf test nosuch
--- stderr
warning: no test has this number or name
hint: 'perf test list' lists them

=== number 0
argv: perf test 0
--- stderr
warning: no test has this number or name
hint: 'perf test list' lists them

=== a check without privilege
argv: perf test "event definition"
--- stdout
  8: Parse event definition strings        :
  8.1: Events                              : Ok
  8.2: Wrong events are refused            : Ok

=== a subtest by its name, in this process
argv: perf test -F "wrong events"
--- stdout
  8: Parse event definition strings        :
  8.2: Wrong events are refused            : Ok

=== skipped by number and name
argv: perf test 5-6 -s 5,children
--- stdout
  5: Groups are read at once               : Skip (user override)
  6: Children are counted                  : Skip (user override)

=== the child and the verdict with -v
sh: perf test -v grammar nosuch 8 -s 8; perf test -v "wrong events" 2>&1 | sed 's/pid [0-9]*/pid N/'
--- stdout
  8: Parse event definition strings        : Skip (user override)
  8: Parse event definition strings        :
  8.2: Wrong events are refused            :
\--- start ---
test child forked, pid N
test child finished with 0
\---- end ----
Parse event definition strings subtest 2: Ok

=== workloads
argv: perf test --list-workloads
--- stdout
noploop
thloop
named_threads
leafloop
sqrtloop
brstack
datasym
landlock
traploop
inlineloop
jitdump
context_switch_loop
deterministic
callchain

=== a workload that ends by itself
argv: perf test -w brstack 1000

=== more workloads that end by themselves
sh: for w in "named_threads 25 100" "thloop 1 3" "context_switch_loop 3" "deterministic 10" callchain jitdump; do perf test -w $w || echo $w; done; ls | sed 's/[0-9][0-9]*/N/'; od -An -tx1 -j 96 -N 12 jit-*.dump
--- stdout
jit-N.dump
 6a 69 74 5f 77 6f 72 6b 6c 6f 61 64

=== jitdump where nothing can be written
sh: mkdir d; cd d; rmdir ../d; perf test -w jitdump 2>&1 | sed 's/[0-9][0-9]*/N/'
--- stdout
error: cannot write 'jit-N.dump': No such file or directory

=== wrong arguments of these
sh: for w in "named_threads 0" "named_threads 26" "inlineloop x" "context_switch_loop x" "deterministic 0" "callchain 1.5" "jitdump 0"; do perf test -w $w; echo $?; done 2>&1
--- stdout
error: '0' is not a number from 1 to 25
255
error: '26' is not a number from 1 to 25
255
error: 'x' is not a number from 0 to 1000000
255
error: 'x' is not a number from 0 to 4294967295
255
error: '0' is not a number from 1 to 4294967295
255
error: '1.5' is not a number from 1 to 4294967295
255
error: '0' is not a number from 1 to 4294967295
255

=== a workload's wrong argument
argv: perf test -w noploop soon
exit: 255
--- stderr
error: 'soon' is not a number from 0 to 1000000

=== more threads than allowed
argv: perf test -w thloop 1 99999999
exit: 255
--- stderr
error: '99999999' is not a number from 0 to 10000

=== unknown workload
argv: perf test -w foo
exit: 255
--- stderr
No workload found: foo
hint: 'perf test --list-workloads' names them

=== a workload is asked for and not named
argv: perf test -w
exit: 129
--- stderr
 Error: switch `w' requires a value
 Usage: perf test [<options>] [{list <test-name-fragment>|[<test-name-fragments>|<test-numbers>]}]

    -w, --workload <work>
                          workload to run for testing

=== a part of a second
sh: for t in 0.05 .5 1. 1.2.3; do perf test -w noploop $t; echo $?; done 2>&1
--- stdout
0
error: '.5' is not a number from 0 to 1000000
255
0
error: '1.2.3' is not a number from 0 to 1000000
255

=== symbols of this program, a line for each, by which scripts tell whether perf has them
sh: perf test -vv -F Symbols 2>&1 | grep -o "[[:space:]]\(noploop\|thfunc\|test_loop\)$" | sort
--- stdout
 noploop
 test_loop
 thfunc

