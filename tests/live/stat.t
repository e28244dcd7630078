# perf stat: what needs real time to pass. (Where the machine is busy with others, more of it.)
=== what is counted behind a delay is divided by the time behind it
needs: root
sh: for s in "400 0.6" "1500 2" "4500 6" "12000 16"; do perf stat -x, -a -D ${s% *} -e cpu-clock sleep ${s#* } 2>&1 | awk -F, -v n=$(getconf _NPROCESSORS_ONLN) '$3 == "cpu-clock" { print $7, ($6 > 0.6 * n && $6 < 1.1 * n) ? "all" : $0 }' | tee out | grep -q all && break; done; cat out
--- stdout
CPUs utilized all

=== what is counted in an interval is divided by its time, the last one's too, and those of a second run
needs: root
sh: perf stat -x, -a -r 2 -I 100 -e cpu-clock sleep 0.25 2>&1 | awk -F, '$4 == "cpu-clock" { t = $1 < last ? 0 : last; d = $1 - t; last = $1; n++; print (d > 0.01 && ($8 * d * 1000 < 0.9 * $2 || $8 * d * 1000 > 1.1 * $2)) ? $0 : "as told" }' | sort -u
--- stdout
as told

=== many counters of CPUs are read there, or from where perf is
needs: root /sys/kernel/tracing/events/syscalls/sys_enter_sched_setaffinity
sh: events=$(printf 'cpu-clock,%.0s' {1..16}); for o in --affinity --no-affinity; do perf stat -x, -o n -e syscalls:sys_enter_sched_setaffinity "$(command -v perf)" stat $o -a -e ${events%,} true 2>&1 >/dev/null | grep -c seconds; awk -F, -v many=$(getconf _NPROCESSORS_ONLN) '/setaffinity/ { print (o == "--no-affinity" ? $1 == 0 : $1 > 0 || many == 1) ? "as asked" : $0 }' o=$o n; done
--- stdout
1
as asked
1
as asked

=== a filter is for all tracepoints of the last -e: of a list, a group, a glob
needs: root /sys/kernel/tracing/events/syscalls/sys_enter_lseek
sh: for e in syscalls:sys_enter_read,syscalls:sys_enter_write '{syscalls:sys_enter_read,syscalls:sys_enter_write}' 'syscalls:sys_enter_read,cpu-clock,syscalls:sys_enter_wri*'; do perf stat -x, -e syscalls:sys_enter_openat -e "$e" --filter 'fd == 77' true 2>&1 | awk -F, '/openat/ { print ($1 > 0), $3 } /read|write/ { print $1, $3 }' | sort; done
--- stdout
0 syscalls:sys_enter_read
0 syscalls:sys_enter_write
1 syscalls:sys_enter_openat
0 syscalls:sys_enter_read
0 syscalls:sys_enter_write
1 syscalls:sys_enter_openat
0 syscalls:sys_enter_read
0 syscalls:sys_enter_write
0 syscalls:sys_enter_writev
1 syscalls:sys_enter_openat

=== a parenthesis without its partner, which the kernel calls a file that is not there, has a caret, too
needs: root /sys/kernel/tracing/events/syscalls/sys_enter_lseek
argv: perf stat -e syscalls:sys_enter_read --filter '(fd == 1' true
exit: 255
--- stderr
failed to set filter "(fd == 1" on event syscalls:sys_enter_read with 2 (No such file or directory)
  (fd == 1
  ^ ')' is missing
hint: a filter is FIELD OPERATOR VALUE with == != < <= > >= & or ~ 'GLOB', joined by && and ||
