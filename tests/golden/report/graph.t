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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

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
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

=== callees of a function are its own
sh: printf 'ffffffff81000000 T _text\nffffffff821ed000 T do_syscall\nffffffff821f8000 T __schedule\nffffffff821f9000 T schedule\nffffffff821fa000 T end\n' >k; perf report --stdio --no-children -g callee,0.5,count -s comm,symbol --kallsyms k --ignore-callees '^do_sys|^sched' -i $DATA/script/sched-stacks.data --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 25  of event 'sched:sched_switch'
# Event count (approx.): 25
#
# Overhead  Command  Symbol          IPC   [IPC Coverage]
# ........  .......  ..............  ....................
#
    52.00%  bash     [k] do_syscall  -      -            
            |
            ---do_syscall
               _text
               |          
               |--7--0x7fc9203d5bd3
               |          
               |--5--0x7fc9203d6ad7
               |          
                --1--0x7fc9203d6353

    48.00%  gzip     [k] do_syscall  -      -            
            |
            ---do_syscall
               _text
               |          
               |--5--0x564dca67a330
               |          
               |--2--0x564dca67a313
               |          
               |--1--0x564dca680c4a
               |          0x12824848949ff
               |          
               |--1--0x564dca67a433
               |          
               |--1--0x564dca679f7d
               |          
               |--1--0x564dca679f61
               |          
                --1--0x7f7263f442ad



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== coloured without a word: always
sh: for o in --stdio-color '--stdio-color -n' '--stdio-color never' --stdio-color=never; do perf report --stdio -s comm -g none $o -i $DATA/script/sched-stacks.data --symfs /nothing | tr '\033' '^' | grep -c '\^\[31m'; true; done
--- stdout
2
2
0
0

=== coloured
sh: perf report --stdio --stdio-color always --percent-limit 5 -i $DATA/script/sched-stacks.data --symfs /nothing | tr '\033' '^'
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 25  of event 'sched:sched_switch'
# Event count (approx.): 25
#
# Children      Self  Trace output                                                                                                     
# ........  ........  .................................................................................................................
#
  ^[31m  20.00%^[m  ^[31m  20.00%^[m  prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
            |
            ---0x7fc9203d5bd3
               0xffffffff81000130
               0xffffffff821ed511
               0xffffffff8135eccc
               0xffffffff8135e643
               0xffffffff821f94c3
               0xffffffff821f8b58

  ^[31m  20.00%^[m  ^[31m  20.00%^[m  prev_comm=gzip prev_pid=4560 prev_prio=120 prev_state=R ==> next_comm=memfd:sealed-91 next_pid=3025 next_prio=120
            |          
            |--^[31m12.00%^[m--0x564dca67a330
            |          0xffffffff81000e06
            |          0xffffffff821f39f0
            |          0xffffffff821f94c3
            |          0xffffffff821f8b58
            |          
            |--^[32m4.00%^[m--0x564dca679f7d
            |          0xffffffff81000e06
            |          0xffffffff821f39f0
            |          0xffffffff821f94c3
            |          0xffffffff821f8b58
            |          
             --^[32m4.00%^[m--0x12824848949ff
                       0x564dca680c4a
                       0xffffffff81000e06
                       0xffffffff821f39f0
                       0xffffffff821f94c3
                       0xffffffff821f8b58

  ^[31m  16.00%^[m  ^[31m  16.00%^[m  prev_comm=gzip prev_pid=4560 prev_prio=120 prev_state=R ==> next_comm=memfd:sealed-91 next_pid=3351 next_prio=120
            |          
            |--^[31m8.00%^[m--0x564dca67a330
            |          0xffffffff81000e06
            |          0xffffffff821f39f0
            |          0xffffffff821f94c3
            |          0xffffffff821f8b58
            |          
            |--^[32m4.00%^[m--0x564dca67a433
            |          0xffffffff81000e06
            |          0xffffffff821f39f0
            |          0xffffffff821f94c3
            |          0xffffffff821f8b58
            |          
             --^[32m4.00%^[m--0x564dca67a313
                       0xffffffff81000e06
                       0xffffffff821f39f0
                       0xffffffff821f94c3
                       0xffffffff821f8b58



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== by address
sh: printf 'ffffffff81000000 T _text\nffffffff821ed000 T do_syscall\nffffffff821f8000 T __schedule\nffffffff821f9000 T schedule\nffffffff821fa000 T end\n' >k; perf report --stdio --no-children -g caller,address -s comm,symbol --kallsyms k -i $DATA/script/sched-stacks.data --symfs /nothing
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 25  of event 'sched:sched_switch'
# Event count (approx.): 25
#
# Overhead  Command  Symbol          IPC   [IPC Coverage]
# ........  .......  ..............  ....................
#
    52.00%  bash     [k] __schedule  -      -            
            |          
            |--28.00%--0x7fc9203d5bd3
            |          _text +304
            |          do_syscall +1297
            |          _text +3534028
            |          _text +3532355
            |          schedule +1219
            |          __schedule +2904
            |          
            |--20.00%--0x7fc9203d6ad7
            |          _text +304
            |          do_syscall +1297
            |          _text +7102180
            |          _text +7098006
            |          _text +7091845
            |          _text +3822154
            |          _text +4610063
            |          schedule +1749
            |          __schedule +2904
            |          
             --4.00%--0x7fc9203d6353
                       _text +304
                       do_syscall +1297
                       _text +3500517
                       _text +3499556
                       _text +3496311
                       _text +6240320
                       _text +6196529
                       schedule +1749
                       __schedule +2904

    48.00%  gzip     [k] __schedule  -      -            
            |          
            |--20.00%--0x564dca67a330
            |          _text +3590
            |          do_syscall +27120
            |          schedule +1219
            |          __schedule +2904
            |          
            |--8.00%--0x564dca67a313
            |          _text +3590
            |          do_syscall +27120
            |          schedule +1219
            |          __schedule +2904
            |          
            |--4.00%--0x564dca67a433
            |          _text +3590
            |          do_syscall +27120
            |          schedule +1219
            |          __schedule +2904
            |          
            |--4.00%--0x564dca679f7d
            |          _text +3590
            |          do_syscall +27120
            |          schedule +1219
            |          __schedule +2904
            |          
            |--4.00%--0x564dca679f61
            |          _text +3590
            |          do_syscall +27120
            |          schedule +1219
            |          __schedule +2904
            |          
            |--4.00%--0x7f7263f442ad
            |          _text +304
            |          do_syscall +1755
            |          _text +4281409
            |          schedule +1219
            |          __schedule +2904
            |          
             --4.00%--0x12824848949ff
                       0x564dca680c4a
                       _text +3590
                       do_syscall +27120
                       schedule +1219
                       __schedule +2904



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

