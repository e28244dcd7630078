# perf sched top: what is wrong with its command line.
=== no delay
sh: perf sched top -d 0; echo $?
--- stdout
129
--- stderr
 Error: the delay is a number of seconds
 Usage: perf sched top [<options>]

    -d, --delay <n>       number of seconds between two tables, default 1

=== a key of rows that does not exist
sh: perf sched top -s max,nosuch 2>&1 | head -3
--- stdout
  Error: Unknown --sort key: `nosuch'



=== a key of laps is none of a recording
sh: perf sched latency -s wait -f -i $DATA/sched/switches.data 2>&1 | head -3
--- stdout
  Error: Unknown --sort key: `wait'



=== a word too many
sh: perf sched top 5 >/dev/null 2>&1; echo $?
--- stdout
129

=== of a recording
sh: perf sched -i $DATA/sched/switches.data top 2>&1 | head -2
--- stdout
 Error: top reads no recording: -i, -f and -D have no place


