# perf test on this machine: nothing may fail, and what needs no hardware must work.
=== nothing fails
needs: perf-events
sh: perf test 2>&1 | grep FAILED; perf test | grep -c Ok | grep -c "[2-9][0-9]"
--- stdout
1

=== what every machine has
needs: perf-events
sh: perf test "page-faults" "By period" "FORK" "record, then report" | grep -v ':$' | sed 's/  */ /g'
--- stdout
 3.2: page-faults : Ok
 9.1: By period : Ok
 12.3: FORK : Ok
 22.1: record, then report : Ok

=== as an ordinary user nothing fails either
needs: root
sh: chmod 755 "$TMP" "$HOME"; cp "$(readlink -f "$(command -v perf)")" p; chmod 755 p; HOME=/tmp setpriv --reuid 65534 --regid 65534 --clear-groups ./p test 1-19 | grep FAILED; HOME=/tmp setpriv --reuid 65534 --regid 65534 --clear-groups ./p test 1 | tail -4 | grep -c .
--- stdout
4
