# perf stat record and report: counts kept in a file and summed up later.
=== intervals
argv: perf stat report -i $DATA/perfdata/made-stat.data
--- stderr
#           time             counts unit events
     1.000000000            2083.33 msec task-clock                       #    2.083 CPUs utilized          
     1.000000000         6250000000      cycles                           #    3.000 GHz                    
     1.000000000         4166666666      instructions                     #    0.67  insn per cycle           (50.00%)
     1.000000000    <not supported>      branches                                                    
     2.000000000            2083.33 msec task-clock                       #    2.083 CPUs utilized          
     2.000000000         6250000000      cycles                           #    3.000 GHz                    
     2.000000000        12500000000      instructions                     #    2.00  insn per cycle           (50.00%)
     2.000000000    <not supported>      branches                                                    

=== per CPU
argv: perf stat report -i $DATA/perfdata/made-stat.data -A
--- stderr
#           time CPU                    counts unit events
     1.000000000 CPU0                  1000.00 msec task-clock                       #    1.000 CPUs utilized          
     1.000000000 CPU1                   500.00 msec task-clock                       #    0.500 CPUs utilized          
     1.000000000 CPU2                   333.33 msec task-clock                       #    0.333 CPUs utilized          
     1.000000000 CPU3                   250.00 msec task-clock                       #    0.250 CPUs utilized          
     1.000000000 CPU0               3000000000      cycles                           #    3.000 GHz                    
     1.000000000 CPU1               1500000000      cycles                           #    3.000 GHz                    
     1.000000000 CPU2               1000000000      cycles                           #    3.000 GHz                    
     1.000000000 CPU3                750000000      cycles                           #    3.000 GHz                    
     1.000000000 CPU0               2000000000      instructions                     #    0.67  insn per cycle           (50.00%)
     1.000000000 CPU1               1000000000      instructions                     #    0.67  insn per cycle           (50.00%)
     1.000000000 CPU2                666666666      instructions                     #    0.67  insn per cycle           (50.00%)
     1.000000000 CPU3                500000000      instructions                     #    0.67  insn per cycle           (50.00%)
     1.000000000 CPU0          <not supported>      branches                                                    
     1.000000000 CPU1          <not supported>      branches                                                    
     1.000000000 CPU2          <not supported>      branches                                                    
     1.000000000 CPU3          <not supported>      branches                                                    
     2.000000000 CPU0                  1000.00 msec task-clock                       #    1.000 CPUs utilized          
     2.000000000 CPU1                   500.00 msec task-clock                       #    0.500 CPUs utilized          
     2.000000000 CPU2                   333.33 msec task-clock                       #    0.333 CPUs utilized          
     2.000000000 CPU3                   250.00 msec task-clock                       #    0.250 CPUs utilized          
     2.000000000 CPU0               3000000000      cycles                           #    3.000 GHz                    
     2.000000000 CPU1               1500000000      cycles                           #    3.000 GHz                    
     2.000000000 CPU2               1000000000      cycles                           #    3.000 GHz                    
     2.000000000 CPU3                750000000      cycles                           #    3.000 GHz                    
     2.000000000 CPU0               6000000000      instructions                     #    2.00  insn per cycle           (50.00%)
     2.000000000 CPU1               3000000000      instructions                     #    2.00  insn per cycle           (50.00%)
     2.000000000 CPU2               2000000000      instructions                     #    2.00  insn per cycle           (50.00%)
     2.000000000 CPU3               1500000000      instructions                     #    2.00  insn per cycle           (50.00%)
     2.000000000 CPU0          <not supported>      branches                                                    
     2.000000000 CPU1          <not supported>      branches                                                    
     2.000000000 CPU2          <not supported>      branches                                                    
     2.000000000 CPU3          <not supported>      branches                                                    

=== per core
argv: perf stat report -i $DATA/perfdata/made-stat.data --per-core
--- stderr
#           time core            cpus             counts unit events
     1.000000000 S0-D0-C0           1            1000.00 msec task-clock                       #    1.000 CPUs utilized          
     1.000000000 S0-D0-C0           1         3000000000      cycles                           #    3.000 GHz                    
     1.000000000 S0-D0-C0           1         2000000000      instructions                     #    0.67  insn per cycle           (50.00%)
     1.000000000 S0-D0-C0           1    <not supported>      branches                                                    
     1.000000000 S0-D0-C1           1             500.00 msec task-clock                       #    0.500 CPUs utilized          
     1.000000000 S0-D0-C1           1         1500000000      cycles                           #    3.000 GHz                    
     1.000000000 S0-D0-C1           1         1000000000      instructions                     #    0.67  insn per cycle           (50.00%)
     1.000000000 S0-D0-C1           1    <not supported>      branches                                                    
     1.000000000 S1-D0-C0           1             333.33 msec task-clock                       #    0.333 CPUs utilized          
     1.000000000 S1-D0-C0           1         1000000000      cycles                           #    3.000 GHz                    
     1.000000000 S1-D0-C0           1          666666666      instructions                     #    0.67  insn per cycle           (50.00%)
     1.000000000 S1-D0-C0           1    <not supported>      branches                                                    
     1.000000000 S1-D0-C1           1             250.00 msec task-clock                       #    0.250 CPUs utilized          
     1.000000000 S1-D0-C1           1          750000000      cycles                           #    3.000 GHz                    
     1.000000000 S1-D0-C1           1          500000000      instructions                     #    0.67  insn per cycle           (50.00%)
     1.000000000 S1-D0-C1           1    <not supported>      branches                                                    
     2.000000000 S0-D0-C0           1            1000.00 msec task-clock                       #    1.000 CPUs utilized          
     2.000000000 S0-D0-C0           1         3000000000      cycles                           #    3.000 GHz                    
     2.000000000 S0-D0-C0           1         6000000000      instructions                     #    2.00  insn per cycle           (50.00%)
     2.000000000 S0-D0-C0           1    <not supported>      branches                                                    
     2.000000000 S0-D0-C1           1             500.00 msec task-clock                       #    0.500 CPUs utilized          
     2.000000000 S0-D0-C1           1         1500000000      cycles                           #    3.000 GHz                    
     2.000000000 S0-D0-C1           1         3000000000      instructions                     #    2.00  insn per cycle           (50.00%)
     2.000000000 S0-D0-C1           1    <not supported>      branches                                                    
     2.000000000 S1-D0-C0           1             333.33 msec task-clock                       #    0.333 CPUs utilized          
     2.000000000 S1-D0-C0           1         1000000000      cycles                           #    3.000 GHz                    
     2.000000000 S1-D0-C0           1         2000000000      instructions                     #    2.00  insn per cycle           (50.00%)
     2.000000000 S1-D0-C0           1    <not supported>      branches                                                    
     2.000000000 S1-D0-C1           1             250.00 msec task-clock                       #    0.250 CPUs utilized          
     2.000000000 S1-D0-C1           1          750000000      cycles                           #    3.000 GHz                    
     2.000000000 S1-D0-C1           1         1500000000      instructions                     #    2.00  insn per cycle           (50.00%)
     2.000000000 S1-D0-C1           1    <not supported>      branches                                                    

=== per socket, as separated values
argv: perf stat report -i $DATA/perfdata/made-stat.data --per-socket -x,
--- stderr
     1.000000000,S0,2,1500.00,msec,task-clock,2000000000,100.00,1.500,CPUs utilized
     1.000000000,S0,2,4500000000,,cycles,2000000000,100.00,3.000,GHz
     1.000000000,S0,2,3000000000,,instructions,1000000000,50.00,0.67,insn per cycle
     1.000000000,S0,1,<not supported>,,branches,0,100.00,,
     1.000000000,S1,2,583.33,msec,task-clock,2000000000,100.00,0.583,CPUs utilized
     1.000000000,S1,2,1750000000,,cycles,2000000000,100.00,3.000,GHz
     1.000000000,S1,2,1166666666,,instructions,1000000000,50.00,0.67,insn per cycle
     1.000000000,S1,1,<not supported>,,branches,0,100.00,,
     2.000000000,S0,2,1500.00,msec,task-clock,2000000000,100.00,1.500,CPUs utilized
     2.000000000,S0,2,4500000000,,cycles,2000000000,100.00,3.000,GHz
     2.000000000,S0,2,9000000000,,instructions,1000000000,50.00,2.00,insn per cycle
     2.000000000,S0,1,<not supported>,,branches,0,100.00,,
     2.000000000,S1,2,583.33,msec,task-clock,2000000000,100.00,0.583,CPUs utilized
     2.000000000,S1,2,1750000000,,cycles,2000000000,100.00,3.000,GHz
     2.000000000,S1,2,3500000000,,instructions,1000000000,50.00,2.00,insn per cycle
     2.000000000,S1,1,<not supported>,,branches,0,100.00,,

=== per node, as JSON
argv: perf stat report -i $DATA/perfdata/made-stat.data --per-node -j
--- stderr
{"interval" : 1.000000000, "node" : "N0", "aggregate-number" : 2, "counter-value" : "1500.000000", "unit" : "msec", "event" : "task-clock", "event-runtime" : 2000000000, "pcnt-running" : 100.00, "metric-value" : 1.500000, "metric-unit" : "CPUs utilized"}
{"interval" : 1.000000000, "node" : "N0", "aggregate-number" : 2, "counter-value" : "4500000000.000000", "unit" : "", "event" : "cycles", "event-runtime" : 2000000000, "pcnt-running" : 100.00, "metric-value" : 3.000000, "metric-unit" : "GHz"}
{"interval" : 1.000000000, "node" : "N0", "aggregate-number" : 2, "counter-value" : "3000000000.000000", "unit" : "", "event" : "instructions", "event-runtime" : 1000000000, "pcnt-running" : 50.00, "metric-value" : 0.666667, "metric-unit" : "insn per cycle"}
{"interval" : 1.000000000, "node" : "N0", "aggregate-number" : 1, "counter-value" : "<not supported>", "unit" : "", "event" : "branches", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
{"interval" : 1.000000000, "node" : "N1", "aggregate-number" : 2, "counter-value" : "583.333333", "unit" : "msec", "event" : "task-clock", "event-runtime" : 2000000000, "pcnt-running" : 100.00, "metric-value" : 0.583333, "metric-unit" : "CPUs utilized"}
{"interval" : 1.000000000, "node" : "N1", "aggregate-number" : 2, "counter-value" : "1750000000.000000", "unit" : "", "event" : "cycles", "event-runtime" : 2000000000, "pcnt-running" : 100.00, "metric-value" : 3.000000, "metric-unit" : "GHz"}
{"interval" : 1.000000000, "node" : "N1", "aggregate-number" : 2, "counter-value" : "1166666666.000000", "unit" : "", "event" : "instructions", "event-runtime" : 1000000000, "pcnt-running" : 50.00, "metric-value" : 0.666667, "metric-unit" : "insn per cycle"}
{"interval" : 1.000000000, "node" : "N1", "aggregate-number" : 1, "counter-value" : "<not supported>", "unit" : "", "event" : "branches", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
{"interval" : 2.000000000, "node" : "N0", "aggregate-number" : 2, "counter-value" : "1500.000000", "unit" : "msec", "event" : "task-clock", "event-runtime" : 2000000000, "pcnt-running" : 100.00, "metric-value" : 1.500000, "metric-unit" : "CPUs utilized"}
{"interval" : 2.000000000, "node" : "N0", "aggregate-number" : 2, "counter-value" : "4500000000.000000", "unit" : "", "event" : "cycles", "event-runtime" : 2000000000, "pcnt-running" : 100.00, "metric-value" : 3.000000, "metric-unit" : "GHz"}
{"interval" : 2.000000000, "node" : "N0", "aggregate-number" : 2, "counter-value" : "9000000000.000000", "unit" : "", "event" : "instructions", "event-runtime" : 1000000000, "pcnt-running" : 50.00, "metric-value" : 2.000000, "metric-unit" : "insn per cycle"}
{"interval" : 2.000000000, "node" : "N0", "aggregate-number" : 1, "counter-value" : "<not supported>", "unit" : "", "event" : "branches", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
{"interval" : 2.000000000, "node" : "N1", "aggregate-number" : 2, "counter-value" : "583.333333", "unit" : "msec", "event" : "task-clock", "event-runtime" : 2000000000, "pcnt-running" : 100.00, "metric-value" : 0.583333, "metric-unit" : "CPUs utilized"}
{"interval" : 2.000000000, "node" : "N1", "aggregate-number" : 2, "counter-value" : "1750000000.000000", "unit" : "", "event" : "cycles", "event-runtime" : 2000000000, "pcnt-running" : 100.00, "metric-value" : 3.000000, "metric-unit" : "GHz"}
{"interval" : 2.000000000, "node" : "N1", "aggregate-number" : 2, "counter-value" : "3500000000.000000", "unit" : "", "event" : "instructions", "event-runtime" : 1000000000, "pcnt-running" : 50.00, "metric-value" : 2.000000, "metric-unit" : "insn per cycle"}
{"interval" : 2.000000000, "node" : "N1", "aggregate-number" : 1, "counter-value" : "<not supported>", "unit" : "", "event" : "branches", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}

=== recorded on a machine of the other byte order
sh: perf stat report -i $DATA/perfdata/made-stat.data >a 2>&1; perf stat report -i $DATA/perfdata/made-stat-big.data >b 2>&1; cmp a b && wc -l <b
--- stdout
9

=== nothing counted, to a file
sh: perf stat record -n -o x true 2>/dev/null; perf stat report -i x 2>&1 | sed 's/[0-9]\.[0-9]\{9\}/N/; s/.[^ ]*perf stat/PERF stat/'
--- stdout

 Performance counter stats forPERF stat record -n -o x true':


       N seconds time elapsed


=== through a pipe
needs: perf-events
sh: perf stat record -o - -e dummy true 2>/dev/null | perf stat report -x, 2>&1 | sed 's/,[0-9]*,100/,N,100/'
--- stdout
0,,dummy,N,100.00,,

=== the workload's exit code
sh: perf stat record -n -o x sh -c 'exit 3' 2>/dev/null; echo $?
--- stdout
3

=== a short form of the subcommand
sh: perf stat rec -n -o x true 2>/dev/null && perf stat rep -i x 2>&1 | grep -c elapsed
--- stdout
1

=== a recording of samples
argv: perf stat report -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 255
--- stderr
error: '$DATA/perfdata/autofdo-ro_sample.perf' holds no counts
hint: 'perf stat record' writes such files

=== no file
argv: perf stat report -i nosuch
exit: 255
--- stderr
error: failed to open 'nosuch': No such file or directory
hint: try 'perf record' first

=== repeated runs are not recorded
argv: perf stat record -r 3 -n true
exit: 255
--- stderr
Cannot use -r option with perf stat record.

=== a place that cannot be written
argv: perf stat record -n -o nosuch/x true
exit: 255
--- stderr
error: cannot write 'nosuch/x': No such file or directory

=== a full disk
argv: perf stat record -n -o /dev/full true
exit: 255
--- stderr contains
No space left on device

