# perf kvm stat COMMAND: perf stat of virtual machines, the host, or both. Which events count is seen in the attributes.
=== what is counted, by the options in front
needs: perf-events
sh: for o in '' --host '--host --no-guest'; do perf kvm $o stat -x, true 2>&1 | cut -d, -f3 | head -2; perf kvm $o stat -x, -e cs,cs:H,cs:u true 2>&1 | cut -d, -f3 | tr '\n' ' '; echo; done
--- stdout
task-clock:G
context-switches:G
cs cs:H cs:u 
task-clock:HG
context-switches:HG
cs cs:H cs:u 
task-clock
context-switches
cs cs:H cs:u 

=== by perf stat itself
needs: perf-events
sh: for g in no only too; do perf stat --guests $g -x, true 2>&1 | cut -d, -f3 | head -1; done; perf stat --guests both true 2>&1 | head -1
--- stdout
task-clock
task-clock:G
task-clock:HG
--guests: 'no', 'only' or 'too', not 'both'

=== no command
sh: perf kvm stat 2>&1 | head -3
--- stdout

 Usage: perf kvm stat {record|report|live} [<options>]
    or: perf kvm [--host] [--guest] stat [<options of perf stat>] [<command>]

