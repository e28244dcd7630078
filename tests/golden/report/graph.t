# Call graphs in all their forms; the reference prints the same, bar the closing tip.
=== default
argv: perf report --stdio --percent-limit 20 --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Children      Self  Command  Shared Object     Symbol                
# ........  ........  .......  ................  ......................
#
   100.00%     0.00%  elf      [unknown]         [.] 0000000000000000
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               |          
               |--28.44%--0x400517
               |          
                --26.02%--0x40051c

   100.00%     0.00%  elf      elf               [.] 0x0000000000400428
            |
            ---0x400428
               0x7f434ce81ec4
               0x40052f
               |          
               |--28.44%--0x400517
               |          
                --26.02%--0x40051c

   100.00%     0.00%  elf      libc-2.19.so      [.] 0x00007f434ce81ec4
            |
            ---0x7f434ce81ec4
               0x40052f
               |          
               |--28.44%--0x400517
               |          
                --26.02%--0x40051c

   100.00%     0.00%  elf      elf               [.] 0x000000000040052f
            |
            ---0x40052f
               |          
               |--28.44%--0x400517
               |          
                --26.02%--0x40051c

    28.44%     0.00%  elf      elf               [.] 0x0000000000400517
            |
            ---0x400517

    26.02%    26.02%  elf      elf               [.] 0x000000000000051c
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               0x40051c

    26.02%     0.00%  elf      elf               [.] 0x000000000040051c
            |
            ---0x40051c



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== callers above
argv: perf report --stdio --no-children -g caller --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Overhead  Command  Shared Object     Symbol                
# ........  .......  ................  ......................
#
    26.02%  elf      elf               [.] 0x000000000000051c
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               0x40051c

    18.33%  elf      elf               [.] 0x0000000000000523
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               0x400523

    15.24%  elf      elf               [.] 0x0000000000000513
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               0x400513

    14.14%  elf      elf               [.] 0x00000000000004ed
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               0x400517
               0x4004ed

    11.98%  elf      elf               [.] 0x0000000000000518
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               0x400518

     8.96%  elf      elf               [.] 0x00000000000004fa
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               0x400517
               0x4004fa

     5.34%  elf      elf               [.] 0x00000000000004f7
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               0x400517
               0x4004f7



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== callees above
argv: perf report --stdio --no-children -g callee,20 --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Overhead  Command  Shared Object     Symbol                
# ........  .......  ................  ......................
#
    26.02%  elf      elf               [.] 0x000000000000051c
            |
            ---0x40051c
               0x40052f
               0x7f434ce81ec4
               0x400428
               0

    18.33%  elf      elf               [.] 0x0000000000000523
    15.24%  elf      elf               [.] 0x0000000000000513
    14.14%  elf      elf               [.] 0x00000000000004ed
    11.98%  elf      elf               [.] 0x0000000000000518
     8.96%  elf      elf               [.] 0x00000000000004fa
     5.34%  elf      elf               [.] 0x00000000000004f7


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== fractal
argv: perf report --stdio --no-children -g fractal,20,callee --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Overhead  Command  Shared Object     Symbol                
# ........  .......  ................  ......................
#
    26.02%  elf      elf               [.] 0x000000000000051c
            |
            ---0x40051c
               0x40052f
               0x7f434ce81ec4
               0x400428
               0

    18.33%  elf      elf               [.] 0x0000000000000523
            |
            ---0x400523
               0x40052f
               0x7f434ce81ec4
               0x400428
               0

    15.24%  elf      elf               [.] 0x0000000000000513
            |
            ---0x400513
               0x40052f
               0x7f434ce81ec4
               0x400428
               0

    14.14%  elf      elf               [.] 0x00000000000004ed
            |
            ---0x4004ed
               0x400517
               0x40052f
               0x7f434ce81ec4
               0x400428
               0

    11.98%  elf      elf               [.] 0x0000000000000518
            |
            ---0x400518
               0x40052f
               0x7f434ce81ec4
               0x400428
               0

     8.96%  elf      elf               [.] 0x00000000000004fa
            |
            ---0x4004fa
               0x400517
               0x40052f
               0x7f434ce81ec4
               0x400428
               0

     5.34%  elf      elf               [.] 0x00000000000004f7
            |
            ---0x4004f7
               0x400517
               0x40052f
               0x7f434ce81ec4
               0x400428
               0



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== fractal with a rest
argv: perf report --stdio --no-children -g fractal,60,callee --sort comm --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Overhead  Command
# ........  .......
#
   100.00%  elf    


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== flat
argv: perf report --stdio --no-children -g flat,10 --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Overhead  Command  Shared Object     Symbol                
# ........  .......  ................  ......................
#
    26.02%  elf      elf               [.] 0x000000000000051c
           26.02%
                0x40051c
                0x40052f
                0x7f434ce81ec4
                0x400428
                0

    18.33%  elf      elf               [.] 0x0000000000000523
           18.33%
                0x400523
                0x40052f
                0x7f434ce81ec4
                0x400428
                0

    15.24%  elf      elf               [.] 0x0000000000000513
           15.24%
                0x400513
                0x40052f
                0x7f434ce81ec4
                0x400428
                0

    14.14%  elf      elf               [.] 0x00000000000004ed
           14.14%
                0x4004ed
                0x400517
                0x40052f
                0x7f434ce81ec4
                0x400428
                0

    11.98%  elf      elf               [.] 0x0000000000000518
           11.98%
                0x400518
                0x40052f
                0x7f434ce81ec4
                0x400428
                0

     8.96%  elf      elf               [.] 0x00000000000004fa
     5.34%  elf      elf               [.] 0x00000000000004f7


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== folded by count
argv: perf report --stdio --no-children -g folded,0,callee,count --sort comm --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Overhead  Command
# ........  .......
#
   100.00%  elf    
3 0x40051c;0x40052f;0x7f434ce81ec4;0x400428;0
2 0x400523;0x40052f;0x7f434ce81ec4;0x400428;0
1 0x400513;0x40052f;0x7f434ce81ec4;0x400428;0
1 0x4004ed;0x400517;0x40052f;0x7f434ce81ec4;0x400428;0
1 0x400518;0x40052f;0x7f434ce81ec4;0x400428;0
1 0x4004fa;0x400517;0x40052f;0x7f434ce81ec4;0x400428;0
1 0x4004f7;0x400517;0x40052f;0x7f434ce81ec4;0x400428;0


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== period
argv: perf report --stdio --no-children -g caller,20,period --sort comm --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Overhead  Command
# ........  .......
#
   100.00%  elf    
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               |          
               |--3705509--0x400517
               |          
                --3389487--0x40051c



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== few frames
argv: perf report --stdio --max-stack 2 -g caller --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Children      Self  Command  Shared Object     Symbol                
# ........  ........  .......  ................  ......................
#
   100.00%     0.00%  elf      [unknown]         [.] 0000000000000000
            |
            ---0
               0x400428

   100.00%     0.00%  elf      elf               [.] 0x0000000000400428
            |
            ---0x400428

    26.02%    26.02%  elf      elf               [.] 0x000000000000051c
            |
            ---0
               0x400428

    18.33%    18.33%  elf      elf               [.] 0x0000000000000523
            |
            ---0
               0x400428

    15.24%    15.24%  elf      elf               [.] 0x0000000000000513
            |
            ---0
               0x400428

    14.14%    14.14%  elf      elf               [.] 0x00000000000004ed
            |
            ---0
               0x400428

    11.98%    11.98%  elf      elf               [.] 0x0000000000000518
            |
            ---0
               0x400428

     8.96%     8.96%  elf      elf               [.] 0x00000000000004fa
            |
            ---0
               0x400428

     5.34%     5.34%  elf      elf               [.] 0x00000000000004f7
            |
            ---0
               0x400428



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== branches per node
argv: perf report --stdio --no-children -g graph,0,2 --sort comm --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Overhead  Command
# ........  .......
#
   100.00%  elf    
            |          
            |--26.02%--0x40051c
            |          0x40052f
            |          0x7f434ce81ec4
            |          0x400428
            |          0
            |          
            |--18.33%--0x400523
            |          0x40052f
            |          0x7f434ce81ec4
            |          0x400428
            |          0



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== accumulated by object
argv: perf report --stdio --sort dso -g none --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Children      Self  Shared Object   
# ........  ........  ................
#
   100.00%   100.00%  elf             
   100.00%     0.00%  libc-2.19.so    
   100.00%     0.00%  [unknown]       


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== system-wide, accumulated
argv: perf report --stdio -g none --percent-limit 8 --symfs $TMP -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 1K of event 'cycles'
# Event count (approx.): 291177942
#
# Children      Self  Command         Shared Object            Symbol                
# ........  ........  ..............  .......................  ......................
#
    15.74%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96609cda
    14.48%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969ae5fa
    14.48%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969ae71c
    14.48%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969aea12
    11.53%     0.00%  chrome          [unknown]                [.] 0000000000000000
     9.73%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96a9e70c
     9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96a96ff9
     9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96eb62ad
     9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96eb6389
     9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96eb6b29


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

=== parent
argv: perf report --stdio --no-children --sort parent -p . -g none --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
# Overhead  Parent symbol
# ........  .............
#
   100.00%  [other]      


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr any

