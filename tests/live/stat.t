# perf stat: what needs real time to pass.
=== what is counted behind a delay is divided by the time behind it
needs: root
sh: perf stat -x, -a -D 400 -e cpu-clock sleep 0.6 2>&1 | awk -F, -v n=$(getconf _NPROCESSORS_ONLN) '$3 == "cpu-clock" { print $7, ($6 > 0.6 * n && $6 < 1.1 * n) ? "all" : $0 }'
--- stdout
CPUs utilized all
