# Latency and parallelism; perf 7.3.4 prints the same, bar the closing tip.
=== rows in the order of latency
argv: perf report --stdio --symfs /nothing --latency -i $DATA/report/threads.data -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
# Latency  Children   Latency      Self  Command  Shared Object     Symbol                
# .......  ........  ........  ........  .......  ................  ......................
#
   51.85%    42.85%     0.00%     0.00%  main     made              [.] 0x0000000000401008
   44.44%    28.57%     0.00%     0.00%  main     made              [.] 0x0000000000401108
   35.19%    35.72%     0.00%     0.00%  right    made              [.] 0x0000000000401408
   35.19%    35.72%     0.00%     0.00%  right    made              [.] 0x0000000000401608
   33.33%    21.43%    33.33%    21.43%  main     made              [.] 0x0000000000000108
   24.08%    28.58%    24.08%    28.58%  right    made              [.] 0x0000000000000608
   12.96%    21.43%    12.96%    21.43%  left     made              [.] 0x0000000000000508
   12.96%    21.43%     0.00%     0.00%  left     made              [.] 0x0000000000401408
   12.96%    21.43%     0.00%     0.00%  left     made              [.] 0x0000000000401508
   11.11%     7.14%    11.11%     7.14%  main     made              [.] 0x0000000000000208
   11.11%     7.14%    11.11%     7.14%  right    made              [.] 0x0000000000000508
   11.11%     7.14%     0.00%     0.00%  main     made              [.] 0x0000000000401208
   11.11%     7.14%     0.00%     0.00%  right    made              [.] 0x0000000000401508
    7.41%    14.28%     7.41%    14.28%  main     made              [.] 0x0000000000000308
    7.41%    14.28%     0.00%     0.00%  main     made              [.] 0x0000000000401308


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== and behind the CPU time, unasked
argv: perf report --stdio --symfs /nothing -i $DATA/report/threads.data -g none -s comm
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
# Children  Latency      Self   Latency  Command
# ........  .......  ........  ........  .......
#
    42.85%   51.85%    42.85%    51.85%  main   
    35.72%   35.19%    35.72%    35.19%  right  
    21.43%   12.96%    21.43%    12.96%  left   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== but not where switches were recorded for another reason
argv: perf report --stdio --symfs /nothing -i $DATA/report/threads-switches.data -g none -s comm
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
# Children      Self  Command
# ........  ........  .......
#
    42.85%    42.85%  main   
    35.72%    35.72%  right  
    21.43%    21.43%  left   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== without callers
argv: perf report --stdio --symfs /nothing --no-children --latency -n -s comm,sym -i $DATA/report/threads.data -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
#  Latency  Overhead       Samples  Command  Symbol                
# ........  ........  ............  .......  ......................
#
    33.33%    21.43%             3  main     [.] 0x0000000000000108
    24.08%    28.58%             4  right    [.] 0x0000000000000608
    12.96%    21.43%             3  left     [.] 0x0000000000000508
    11.11%     7.14%             1  main     [.] 0x0000000000000208
    11.11%     7.14%             1  right    [.] 0x0000000000000508
     7.41%    14.28%             2  main     [.] 0x0000000000000308


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== call graphs go by the CPU time
argv: perf report --stdio --symfs /nothing --latency -s comm -i $DATA/report/threads.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
# Latency  Children   Latency      Self  Command
# .......  ........  ........  ........  .......
#
   51.85%    42.85%    51.85%    42.85%  main   
            |
            ---0x401008
               |          
               |--28.57%--0x401108
               |          |          
               |           --7.14%--0x401208
               |          
                --14.28%--0x401308

   35.19%    35.72%    35.19%    35.72%  right  
            |
            ---0x401408
               0x401608
               |          
                --7.14%--0x401508

   12.96%    21.43%    12.96%    21.43%  left   
            |
            ---0x401408
               0x401508



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== threads at the time of a sample
argv: perf report --stdio --symfs /nothing --no-children -s parallelism -i $DATA/report/threads.data -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
# Overhead   Latency  Parallelism
# ........  ........  ...........
#
    42.86%    22.23%            3
    42.85%    66.66%            1
    14.28%    11.11%            2


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== threads as a field
argv: perf report --stdio --symfs /nothing -F parallelism,comm,sample,latency -i $DATA/report/threads-group.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 28  of events ' { cpu-clock, task-clock }'
# Event count (approx.): 21001
#
# Parallelism  Command                   Samples           Latency
# ...........  .......  ........................  ................
#
            1  main                4           4    44.44%  44.44%
            1  right               2           2    22.22%  22.22%
            2  left                1           1     5.56%   5.56%
            2  right               1           1     5.56%   5.56%
            3  left                2           2     7.41%   7.41%
            3  main                2           2     7.41%   7.41%
            3  right               2           2     7.41%   7.41%


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== samples of a number of threads
argv: perf report --stdio --symfs /nothing --parallelism 2-3 --no-children -s comm -i $DATA/report/threads.data -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
# Overhead   Latency  Command
# ........  ........  .......
#
    21.43%    12.97%  right  
    21.43%    12.96%  left   
    14.28%     7.41%  main   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== with shares of these
argv: perf report --stdio --symfs /nothing --parallelism 2,4 --percentage relative --latency --no-children -s comm -i $DATA/report/threads.data -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 2  of event 'cpu-clock'
# Event count (approx.): 2000
#
#  Latency  Overhead  Command
# ........  ........  .......
#
    50.00%    50.00%  left   
    50.00%    50.00%  right  


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a key named latency is the only column
argv: perf report --stdio --symfs /nothing --no-children -s comm,latency -i $DATA/report/threads.data -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
#  Latency  Command
# ........  .......
#
    12.96%  left   
    51.85%  main   
    35.19%  right  


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== columns in their order
argv: perf report --stdio --symfs /nothing -F latency,overhead,latency_children,overhead_children,sym -i $DATA/report/threads.data -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
#  Latency  Overhead  Latency  Children  Symbol                
# ........  ........  .......  ........  ......................
#
    33.33%    21.43%   33.33%    21.43%  [.] 0x0000000000000108
    24.08%    28.58%   24.08%    28.58%  [.] 0x0000000000000608
    24.07%    28.57%   24.07%    28.57%  [.] 0x0000000000000508
    11.11%     7.14%   11.11%     7.14%  [.] 0x0000000000000208
     7.41%    14.28%    7.41%    14.28%  [.] 0x0000000000000308
     0.00%     0.00%   51.85%    42.85%  [.] 0x0000000000401008
     0.00%     0.00%   48.15%    57.15%  [.] 0x0000000000401408
     0.00%     0.00%   44.44%    28.57%  [.] 0x0000000000401108
     0.00%     0.00%   35.19%    35.72%  [.] 0x0000000000401608
     0.00%     0.00%   24.07%    28.57%  [.] 0x0000000000401508
     0.00%     0.00%   11.11%     7.14%  [.] 0x0000000000401208
     0.00%     0.00%    7.41%    14.28%  [.] 0x0000000000401308


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== columns of members side by side
argv: perf report --stdio --symfs /nothing --latency -s comm -i $DATA/report/threads-group.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 28  of events ' { cpu-clock, task-clock }'
# Event count (approx.): 21001
#
#          Latency          Overhead  Command
# ................  ................  .......
#
    51.85%  51.85%    42.85%  42.86%  main   
    35.19%  35.19%    35.72%  35.71%  right  
    12.96%  12.96%    21.43%  21.43%  left   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== levels
argv: perf report --stdio --symfs /nothing -H --latency -s comm,parallelism -i $DATA/report/threads-group.data --no-group
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of events 'cpu-clock'
# Event count (approx.): 14001
#
#     Latency  Overhead  Command / Parallelism
# .....................  .....................
#
    51.85%    42.85%     main   
       44.44%    28.57%     1
        7.41%    14.28%     3
    35.19%    35.72%     right  
       22.22%    14.28%     1
        7.41%    14.29%     3
        5.56%     7.14%     2
    12.96%    21.43%     left   
        7.41%    14.28%     3
        5.56%     7.14%     2


# Samples: 14  of event 'task-clock'
# Event count (approx.): 7000
#
#     Latency  Overhead  Command / Parallelism
# .....................  .....................
#
    51.85%    42.86%     main   
       44.44%    28.57%     1
        7.41%    14.29%     3
    35.19%    35.71%     right  
       22.22%    14.29%     1
        7.41%    14.29%     3
        5.56%     7.14%     2
    12.96%    21.43%     left   
        7.41%    14.29%     3
        5.56%     7.14%     2


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== separated values
argv: perf report --stdio --symfs /nothing -t, -s comm,parallelism -i $DATA/report/threads-group.data --no-group
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of events 'cpu-clock'
# Event count (approx.): 14001
#
# Overhead, Latency,Command,Parallelism
 28.57% , 44.44% ,main   ,          1
 14.29% , 7.41%  ,right  ,          3
 14.28% , 22.22% ,right  ,          1
 14.28% , 7.41%  ,left   ,          3
 14.28% , 7.41%  ,main   ,          3
 7.14%  , 5.56%  ,left   ,          2
 7.14%  , 5.56%  ,right  ,          2


# Samples: 14  of event 'task-clock'
# Event count (approx.): 7000
#
# Overhead, Latency,Command,Parallelism
 28.57% , 44.44% ,main   ,          1
 14.29% , 22.22% ,right  ,          1
 14.29% , 7.41%  ,left   ,          3
 14.29% , 7.41%  ,main   ,          3
 14.29% , 7.41%  ,right  ,          3
 7.14%  , 5.56%  ,left   ,          2
 7.14%  , 5.56%  ,right  ,          2


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== callers' objects alone
argv: perf report --stdio --symfs /nothing --latency -s comm,dso -i $DATA/report/latency.data -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 231  of event 'cpu-clock'
# Event count (approx.): 924000000
#
# Latency  Children   Latency      Self  Command  Shared Object    
# .......  ........  ........  ........  .......  .................
#
   46.52%    26.41%    38.24%    21.21%  phases   phases           
   42.58%    23.38%     0.00%     0.00%  phases   [unknown]        
   33.90%    36.36%    33.11%    35.50%  pair     phases           
   18.00%    36.36%    17.21%    35.06%  four     phases           
    9.86%     6.06%     9.86%     6.06%  phases   [kernel.kallsyms]
    2.37%     1.30%     0.00%     0.00%  phases   [netfs]          
    0.79%     1.30%     0.79%     1.30%  four     [kernel.kallsyms]
    0.79%     0.87%     0.79%     0.87%  pair     [kernel.kallsyms]
    0.79%     0.43%     0.00%     0.00%  phases   [9p]             
    0.79%     0.43%     0.00%     0.00%  phases   [9pnet]          
    0.79%     0.43%     0.00%     0.00%  phases   [9pnet_virtio]   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a recording of the reference
argv: perf report --stdio --symfs /nothing --latency -s comm,sym --percent-limit 1 -i $DATA/report/latency.data -g none --no-inline
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 231  of event 'cpu-clock'
# Event count (approx.): 924000000
#
# Latency  Children   Latency      Self  Command  Symbol                
# .......  ........  ........  ........  .......  ......................
#
   39.42%    21.65%     0.00%     0.00%  phases   [k] 0xbe552274c0854800
   39.42%    21.65%     0.00%     0.00%  phases   [.] 0x00000000004015f0
   39.42%    21.65%     0.00%     0.00%  phases   [.] 0x00000000004016d3
   39.42%    21.65%     0.00%     0.00%  phases   [.] 0x0000000000401c24
   38.63%    21.21%     0.00%     0.00%  phases   [.] 0x0000000000401836
   37.06%    20.35%    37.06%    20.35%  phases   [.] 0x00000000000016d3
   33.90%    36.36%     0.00%     0.00%  pair     [.] 0x000000000040172e
   33.90%    36.36%     0.00%     0.00%  pair     [.] 0x0000000000401780
   33.90%    36.36%     0.00%     0.00%  pair     [.] 0x000000000041242c
   33.11%    35.50%    33.11%    35.50%  pair     [.] 0x000000000000172e
   18.00%    36.36%     0.00%     0.00%  four     [.] 0x00000000004017bf
   18.00%    36.36%     0.00%     0.00%  four     [.] 0x0000000000401811
   18.00%    36.36%     0.00%     0.00%  four     [.] 0x000000000041242c
   17.21%    35.06%    17.21%    35.06%  four     [.] 0x00000000000017bf
    5.52%     3.46%     0.00%     0.00%  phases   [k] 0xffffffff810012a6
    5.52%     3.46%     0.00%     0.00%  phases   [k] 0xffffffff821b9380
    4.73%     2.60%     0.00%     0.00%  phases   [k] 0xffffffff816d44c3
    4.73%     2.60%     0.00%     0.00%  phases   [k] 0xffffffff816dcc31
    4.73%     2.60%     0.00%     0.00%  phases   [k] 0xffffffff816dd4ec
    3.94%     2.16%     3.94%     2.16%  phases   [k] 0xffffffff821c9ebc
    3.94%     2.16%     0.00%     0.00%  phases   [k] 0xffffffff8167cace
    3.55%     2.16%     0.00%     0.00%  phases   [k] 0xffffffff8100012f
    3.55%     2.16%     0.00%     0.00%  phases   [k] 0xffffffff821b0b54
    3.15%     1.73%     0.00%     0.00%  phases   [k] 0xffffffff8134430d
    3.15%     1.73%     0.00%     0.00%  phases   [k] 0xffffffff816d54ec
    2.37%     1.30%     0.00%     0.00%  phases   [k] 0xffffffff8100160a
    2.37%     1.30%     0.00%     0.00%  phases   [k] 0xffffffff813712d8
    2.37%     1.30%     0.00%     0.00%  phases   [k] 0xffffffff813715e7
    2.37%     1.30%     0.00%     0.00%  phases   [k] 0xffffffff8166f3b5
    2.37%     1.30%     0.00%     0.00%  phases   [k] 0xffffffff8167c656
    2.37%     1.30%     0.00%     0.00%  phases   [k] 0xffffffff821b883d
    2.37%     1.30%     0.00%     0.00%  phases   [k] 0xffffffffc0400f81
    2.37%     1.30%     0.00%     0.00%  phases   [.] 0x0000000000401540
    0.79%     1.30%     0.00%     0.00%  four     [k] 0xffffffff8100160a
    0.79%     1.30%     0.00%     0.00%  four     [k] 0xffffffff813712d8
    0.79%     1.30%     0.00%     0.00%  four     [k] 0xffffffff813715e7
    0.79%     1.30%     0.00%     0.00%  four     [k] 0xffffffff821b883d


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== its threads
argv: perf report --stdio --symfs /nothing --no-children -s parallelism,comm -i $DATA/report/latency.data -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 231  of event 'cpu-clock'
# Event count (approx.): 924000000
#
# Overhead   Latency  Parallelism  Command
# ........  ........  ...........  .......
#
    35.50%    32.33%            2  pair   
    32.90%    14.98%            4  four   
    25.54%    46.52%            1  phases 
     1.73%     1.58%            2  phases 
     1.73%     1.05%            3  four   
     1.30%     1.18%            2  four   
     0.87%     1.58%            1  pair   
     0.43%     0.79%            1  four   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== nothing runs beside anything: no column
argv: perf report --stdio --symfs /nothing -s comm -i $DATA/report/threads.data --time 0.0000001,0.0000003 -g none
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 3  of event 'cpu-clock' (time slices: 0.0000001,0.0000003)
# Event count (approx.): 3000
#
# Children      Self  Command
# ........  ........  .......
#
   100.00%   100.00%  main   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a file without switches is refused
argv: perf report --stdio --symfs /nothing -s parallelism -i $DATA/report/memory.data
threads: 1 2 3
exit: 255
--- stderr
error: Use of latency profile or parallelism requires --latency flag during record.

=== --latency of a file without switches
argv: perf report --stdio --symfs /nothing --latency -i $DATA/report/memory.data
threads: 1 2 3
exit: 255
--- stderr
error: Use of latency profile or parallelism requires --latency flag during record.

=== wrong lists
argv: perf report --stdio --symfs /nothing --parallelism 3-1 -i $DATA/report/threads.data
threads: 1 2 3
exit: 255
--- stderr
error: failed to parse parallelism filter list '3-1': numbers as in 1-2,4

=== no thread
argv: perf report --stdio --symfs /nothing --parallelism 0 -i $DATA/report/threads.data
threads: 1 2 3
exit: 255
--- stderr
error: Requested parallelism level 0 is invalid.

