# perf bench: every benchmark, briefly.
=== sched messaging
argv: perf bench sched messaging -g 1 -l 2
--- stdout regex
# Running 'sched/messaging' benchmark:
# 20 sender and receiver processes per group
# 1 groups == 40 processes run

     Total time: \d+\.\d{3} \[sec\]

=== sched messaging with threads and pipes, simple
argv: perf bench -f simple sched messaging -t -p -g 1 -l 2
--- stdout regex
\d+\.\d{3}

=== sched pipe
sh: for o in "" -T; do perf bench sched pipe -l 50 $o; done
--- stdout regex
# Running 'sched/pipe' benchmark:
# Executed 50 pipe operations between two processes

     Total time: \d+\.\d{3} \[sec\]

 +\d+\.\d{6} usecs/op
 +\d+ ops/sec
# Running 'sched/pipe' benchmark:
# Executed 50 pipe operations between two threads

     Total time: \d+\.\d{3} \[sec\]

 +\d+\.\d{6} usecs/op
 +\d+ ops/sec

=== sched pipe without blocking, of more than a pipe holds
sh: for o in -n "-n -T" "-s 100000" "-n -s 100000"; do timeout 60 perf bench -f simple sched pipe -l 20 $o || echo failed; done
--- stdout regex
\d+\.\d{3}
\d+\.\d{3}
\d+\.\d{3}
\d+\.\d{3}

=== sched pipe in control groups
needs: root
sh: m=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts); [ -n "$m" ] && ! grep -q ' cgroup .*perf_event' /proc/mounts || m=; if [ -n "$m" ] && mkdir $m/perf-bench-$$.a $m/perf-bench-$$.b 2>/dev/null; then perf bench -f simple sched pipe -l 20 -G perf-bench-$$.a,perf-bench-$$.b; rmdir $m/perf-bench-$$.a $m/perf-bench-$$.b; else echo 0.000; fi
--- stdout regex
\d+\.\d{3}

=== sched pipe, wrong control groups and sizes
sh: for o in "-G a" "-G a," "-G a,b,c" "-s 0"; do perf bench -f simple sched pipe -l 1 $o; echo $?; done 2>&1
--- stdout
it should have two cgroup names: a
129
it should have two cgroup names: a,
129
it should have two cgroup names: a,b,c
129
--write-size must be in 1..2147483647
129

=== the name of a benchmark's task
needs: perf-events
sh: perf record -q -e dummy -o d.data perf bench -f simple sched messaging -g 1 -l 1 && perf script -i d.data --show-task-events | grep -c 'PERF_RECORD_COMM: sched-messaging'
--- stdout regex
\d+\.\d{3}
1

=== sched seccomp-notify
sh: perf bench sched seccomp-notify -l 50 && perf bench -f simple sched seccomp-notify -l 50 -s
--- stdout regex
# Running 'sched/seccomp-notify' benchmark:
# Executed 50 system calls

     Total time: \d+\.\d{3} \[sec\]

 +\d+\.\d{6} usecs/op
 +\d+ ops/sec
\d+\.\d{3}

=== syscall
sh: for b in basic getpgid fork execve; do perf bench syscall $b -l 5 | sed -n '2p;$p'; done
--- stdout regex
# Executed 5 getppid\(\) calls
 +\d+ ops/sec
# Executed 5 getpgid\(\) calls
 +\d+ ops/sec
# Executed 5 fork\(\) calls
 +\d+ ops/sec
# Executed 5 execve\(\) calls
 +\d+ ops/sec

=== mem
sh: for b in memcpy memset; do perf bench mem $b -s 64KB -f default -l 3; perf bench -f simple mem $b -s 1001b | tail -1; done
--- stdout regex
# Running 'mem/memcpy' benchmark:
# function 'default' \(Default memcpy\(\) provided by glibc\)
# Copying 64KB bytes ...

 +\d+\.\d{6} [GMK]B/sec
\d+\.\d{6}
# Running 'mem/memset' benchmark:
# function 'default' \(Default memset\(\) provided by glibc\)
# Copying 64KB bytes ...

 +\d+\.\d{6} [GMK]B/sec
\d+\.\d{6}

=== mem in chunks, in huge pages
sh: perf bench -f simple mem memcpy -k 3000 -s 64KB | grep -c '^[0-9]*\.[0-9]*$' | grep -c "[1-9]"; perf bench -f simple mem memset -k 64KB -s 64KB -f default | tail -1; perf bench mem memset -p 2MB -s 1000KB -f default 2>&1 | tail -1
--- stdout regex
1
\d+\.\d{6}
(# Memory allocation failed - maybe size \(1000KB\) is unaligned, or there are too few huge pages\?| +\d+\.\d{6} [GMK]B/sec)

=== mem: wrong values
sh: for o in '-s x' '-k x' '-k 2MB' '-p 8KB' '-l 0'; do perf bench mem memcpy $o; echo $?; done 2>&1 | grep -v '^#'
--- stdout
Invalid size:x
1
Invalid chunk_size:x
1
Invalid chunk_size:2MB
1
Invalid page-size:8KB
1
Invalid number of loops: 0
1

=== mem find_bit
sh: perf bench mem find_bit -i 2 -j 2 | grep -c 'operations .* bits set of'; perf bench mem find_bit -i 2 -j 2 | tail -2
--- stdout regex
78
  Average for_each_set_bit took: \d+\.\d{3} usec \(\+- \d+\.\d{3} usec\)
  Average test_bit loop took:    \d+\.\d{3} usec \(\+- \d+\.\d{3} usec\)

=== mem mmap
sh: perf bench mem mmap -s 64KB -l 3; perf bench -f simple mem mmap -f populate -s 8192 | tail -1
--- stdout regex
# Running 'mem/mmap' benchmark:
# function 'demand' \(Demand loaded mmap\(\)\)
# Copying 64KB bytes ...

 +\d+\.\d{6} [KMG]B/sec
# function 'populate' \(Eagerly populated mmap\(\)\)
# Copying 64KB bytes ...

 +\d+\.\d{6} [KMG]B/sec
\d+\.\d{6}

=== mem mmap in threads, from a random page on
sh: perf bench mem mmap -s 64KB -l 3 -t 3 -f demand; perf bench mem mmap -s 10000 -r 7 -l 50 -f populate | tail -1; perf bench -f simple mem mmap -s 8KB -t 2 -r 3 | tail -1
--- stdout regex
# Running 'mem/mmap' benchmark:
# function 'demand' \(Demand loaded mmap\(\)\)
# Copying 64KB bytes ...

 +\d+\.\d{6} [KMG]B/sec/thread\t\( \+- +\d+\.\d\d% \)
 +\d+\.\d{6} [KMG]B/sec
\d+\.\d{6}

=== mem mmap by cycles
sh: if perf stat -x, -e cycles true 2>&1 | grep -q '^[0-9]'; then perf bench mem mmap -c -f demand | tail -1; perf bench mem mmap -c -t 2 -f demand | tail -1; else printf ' 1.000000 cycles/byte\n 1.000000 cycles/byte/thread\t( +- 0.00%% )\n'; fi
--- stdout regex
 +\d*[1-9]\d*\.\d{6} cycles/byte| +0\.\d*[1-9]\d* cycles/byte
( +\d*[1-9]\d*\.\d{6}| +0\.\d*[1-9]\d*) cycles/byte/thread\t\( \+- +\d+\.\d\d% \)

=== mem mmap: wrong values
sh: for o in '-s x' '-p 8KB' '-l 0' '-t 0' '-f nosuch' '-s 99999TB'; do perf bench mem mmap $o 2>&1 | sed 1d | head -2; done
--- stdout
Invalid size:x
Invalid page-size:8KB
Invalid number of loops: 0
Invalid number of threads: 0
Unknown function: nosuch
Available functions:
# function 'demand' (Demand loaded mmap())
# Copying 99999TB bytes ...

=== futex hash and lock-pi
sh: (perf bench futex hash -t 2 -r 0 -f 4; perf bench futex lock-pi -s -t 2 -r 0 | tail -2) | grep -v '^Futex hashing: '
--- stdout regex
# Running 'futex/hash' benchmark:
Run summary \[PID \d+\]: 2 threads, each operating on 4 \[private\] futexes for 0 secs.

\[thread  0\] futexes: 0x[0-9a-f]+ ... 0x[0-9a-f]+ \[ \d+ ops/sec \]
\[thread  1\] futexes: 0x[0-9a-f]+ ... 0x[0-9a-f]+ \[ \d+ ops/sec \]

Averaged \d+ operations/sec \(\+- \d+\.\d\d%\), total secs = 0
Averaged \d+ operations/sec \(\+- \d+\.\d\d%\), total secs = 0

=== futex wake, wake-parallel, requeue
sh: for b in "wake -w 2" "wake-parallel -w 2" "requeue" "requeue -p"; do perf bench -r 1 futex $b -t 4 | sed 1d; done | grep -v '^Futex hashing: '
--- stdout regex
Run summary \[PID \d+\]: blocking on 4 threads \(at \[private\] futex 0x[0-9a-f]+\), waking up 2 at a time.

\[Run 1\]: Wokeup 4 of 4 threads in \d+\.\d{4} ms
Wokeup 4 of 4 threads in \d+\.\d{4} ms \(\+-0.00%\)
Run summary \[PID \d+\]: blocking on 4 threads \(at \[private\] futex 0x[0-9a-f]+\), 2 threads waking up 2 at a time.

\[Run 1\]: Avg per-thread latency \(waking 2/4 threads\) in \d+\.\d{4} ms \(\+-\d+\.\d\d%\)
Avg per-thread latency \(waking 2/4 threads\) in \d+\.\d{4} ms \(\+-0.00%\)
Run summary \[PID \d+\]: Requeuing 4 threads \(from \[private\] 0x[0-9a-f]+ to 0x[0-9a-f]+\), 1 at a time.

\[Run 1\]: Requeued 4 of 4 threads in \d+\.\d{4} ms
Requeued 4 of 4 threads in \d+\.\d{4} ms \(\+-0.00%\)
Run summary \[PID \d+\]: Requeuing 4 threads \(from \[private\] 0x[0-9a-f]+ to PI 0x[0-9a-f]+\), 1 at a time.

\[Run 1\]: Awoke and Requeued \(\d\+\d\) of 4 threads in \d+\.\d{4} ms
Requeued 4 of 4 threads in \d+\.\d{4} ms \(\+-0.00%\)

=== futex with a table of 16, with the global one, with what the kernel refuses
sh: if perf bench futex hash -t 1 -r 0 -f 4 -b 16 > a 2>&1; then tail -1 a; perf bench futex hash -t 1 -r 0 -f 4 -b 0 | tail -1; else grep -o 'Requesting 16 hash buckets failed' a | sed 's/.*/Futex hashing: 16 hash buckets/'; echo 'Futex hashing: global hash'; fi; for n in 3 99999999999; do perf bench futex wake -b $n -t 2 2>&1 | sed '1d;s/-1.*//'; done
--- stdout
Futex hashing: 16 hash buckets
Futex hashing: global hash
Requesting 3 hash buckets failed: 
perf: prctl(PR_FUTEX_HASH): Invalid argument
Requesting 99999999999 hash buckets failed: 
perf: prctl(PR_FUTEX_HASH): Invalid argument

=== epoll
sh: perf bench epoll wait -t 1 -r 0 -N 1 -E -R; perf bench epoll ctl -t 1 -r 0 -f 3 | tail -3
--- stdout regex
# Running 'epoll/wait' benchmark:
Run summary \[PID \d+\]: 1 threads monitoring on 64 file-descriptors for 0 secs.

\[thread  0\] fdmap: 0x[0-9a-f]+ ... 0x[0-9a-f]+ \[ \d+ ops/sec \]

Averaged \d+ operations/sec \(\+- 0.00%\), total secs = 0
Averaged \d+ ADD operations \(\+- 0.00%\)
Averaged \d+ MOD operations \(\+- 0.00%\)
Averaged \d+ DEL operations \(\+- 0.00%\)

=== internals
needs: perf-events
sh: perf bench internals synthesize -i 2 | grep Average; perf bench internals synthesize -t -I 1 -M 2 | grep -c threads:; perf bench internals kallsyms-parse | tail -1; perf bench internals evlist-open-close -i 2 -n 3 -C 0
--- stdout regex
  Average synthesis took: \d+\.\d{3} usec \(\+- \d+\.\d{3} usec\)
  Average num. events: [1-9]\d*\.\d{3} \(\+- \d+\.\d{3}\)
  Average time per event \d+\.\d{3} usec
  Average data synthesis took: \d+\.\d{3} usec \(\+- \d+\.\d{3} usec\)
  Average num. events: [1-9]\d*\.\d{3} \(\+- \d+\.\d{3}\)
  Average time per event \d+\.\d{3} usec
2
  Average kallsyms__parse took: \d+\.\d{3} ms \(\+- 0.000 ms\)
# Running 'internals/evlist-open-close' benchmark:
  Number of cpus:	1
  Number of threads:	1
  Number of events:	3 \(3 fds\)
  Number of iterations:	2
  Average open-close took: \d+\.\d{3} usec \(\+- \d+\.\d{3} usec\)

=== internals: inject-build-id, pmu-scan
sh: perf bench internals inject-build-id -v -i 1 -m 3 -n 2; perf bench internals pmu-scan -i 2; perf bench internals inject-build-id -m 0 2>&1 | tail -1
--- stdout regex
# Running 'internals/inject-build-id' benchmark:
  Collected \d+ DSOs
  Build-id injection benchmark
  Iteration #1
   Child \d+ exited with 0
  Average build-id injection took: \d+\.\d{3} msec \(\+- 0.000 msec\)
  Average time per event: \d+\.\d{3} usec \(\+- 0.000 usec\)
  Average memory usage: [1-9]\d+ KB \(\+- 0 KB\)
  Build-id-all injection benchmark
  Iteration #1
   Child \d+ exited with 0
  Average build-id-all injection took: \d+\.\d{3} msec \(\+- 0.000 msec\)
  Average time per event: \d+\.\d{3} usec \(\+- 0.000 usec\)
  Average memory usage: [1-9]\d+ KB \(\+- 0 KB\)
# Running 'internals/pmu-scan' benchmark:
Computing performance of sysfs PMU event scan for 2 times
  Average core PMU scanning took: \d+\.\d{3} usec \(\+- \d+\.\d{3} usec\)
  Average PMU scanning took: \d+\.\d{3} usec \(\+- \d+\.\d{3} usec\)
perf: there must be an iteration, and 1 to 10000000 events in each

=== the whole collection
needs: perf-events
sh: perf bench -r 2 breakpoint all | sed '$d'
--- stdout regex
# Running breakpoint/thread benchmark...
# Created/joined 2 threads with 1 breakpoints and 1 parallelism
     Total time: \d+\.\d{3} \[sec\]

 +\d+\.\d{6} usecs/op
 +\d+\.\d{6} usecs/op/cpu

# Running breakpoint/enable benchmark...
# Enabled/disabled breakpoint 2 time with 0 passive and 0 active threads
     Total time: \d+\.\d{3} \[sec\]

 +\d+\.\d{6} usecs/op

=== uprobe: with nothing, and with each kind of probe; none is left behind
needs: tracefs bpf
sh: before=$(ls -d /sys/fs/bpf/* /sys/kernel/tracing/events/*bench* 2>/dev/null); for b in baseline empty trace_printk empty_ret trace_printk_ret; do perf bench uprobe $b -l 3; done | grep -v '^$'; perf bench -f simple uprobe all -l 2 | grep -c '^[0-9]*[.][0-9]*$'; [ "$before" = "$(ls -d /sys/fs/bpf/* /sys/kernel/tracing/events/*bench* 2>/dev/null)" ] || echo left
--- stdout regex
# Running 'uprobe/baseline' benchmark:
# Executed 3 usleep\(1000\) calls
     Total time: \d+ usecs
 +\d+\.\d{3} usecs/op
# Running 'uprobe/empty' benchmark:
# Executed 3 usleep\(1000\) calls
     Total time: \d+ usecs [+-]?\d+ to baseline
 +\d+\.\d{3} usecs/op [+-]?\d+\.\d{3} usecs/op to baseline
# Running 'uprobe/trace_printk' benchmark:
# Executed 3 usleep\(1000\) calls
     Total time: \d+ usecs [+-]?\d+ to baseline
 +\d+\.\d{3} usecs/op [+-]?\d+\.\d{3} usecs/op to baseline
# Running 'uprobe/empty_ret' benchmark:
# Executed 3 usleep\(1000\) calls
     Total time: \d+ usecs [+-]?\d+ to baseline
 +\d+\.\d{3} usecs/op [+-]?\d+\.\d{3} usecs/op to baseline
# Running 'uprobe/trace_printk_ret' benchmark:
# Executed 3 usleep\(1000\) calls
     Total time: \d+ usecs [+-]?\d+ to baseline
 +\d+\.\d{3} usecs/op [+-]?\d+\.\d{3} usecs/op to baseline
5

=== numa mem: several processes, bound to CPUs and to memory
sh: perf bench numa mem -p 3 -t 2 -P 1 -l 2 -s 20 -C 0 -M 0 -q -zZ0 | grep -c 'GB/sec total speed'; perf bench numa mem -p 2 -t 1 -G 1 -P 0 -T 1 -l 1 -s 20 -d | grep -c 'data-total'
--- stdout
1
1

=== numa mem
sh: perf bench numa mem -p 1 -t 2 -G 0 -P 1 -T 1 -L 1 -l 2 -d -B -I -S | sed 1d
--- stdout regex

 # Running main, "perf bench numa numa-mem -p 1 -t 2 -G 0 -P 1 -T 1 -L 1 -l 2 -d -B -I -S"
#
#

 ###
 # 2 tasks will execute \(on \d+ nodes, \d+ CPUs\):
 #          2x     0MB global  shared mem operations
 #          2x     1MB process shared mem operations
 #          2x     1MB thread  local  mem operations
 ###

 ###
 #
 # Startup synchronization: ... # process  0: PID \d+
 threads initialized in \d+\.\d{6} seconds.
 #
(\r #    0.0%  \[0.0 mins\])?
 ###

 main, +\d+\.\d{3}, secs, +runtime-max/thread
 main, +\d+\.\d{3}, secs, +runtime-min/thread
 main, +\d+\.\d{3}, secs, +runtime-avg/thread
 main, +\d+\.\d{3}, %, +spread-runtime/thread
 main, +0.013, GB, +data/thread
 main, +0.025, GB, +data-total
 main, +\d+\.\d{3}, nsecs, +runtime/byte/thread
 main, +\d+\.\d{3}, GB/sec, +thread-speed
 main, +\d+\.\d{3}, GB/sec, +total-speed

=== numa mem ends when the threads are on their nodes
sh: perf bench numa mem -p 1 -t 1 -P 1 -s 50 -zZ0qcmW --thp -1 | tail -10 | cut -c17-
--- stdout contains
secs latency to NUMA-converge
GB/sec total speed
