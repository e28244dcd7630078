# perf report on recordings of other machines; the reference prints the same, bar the closing tip.
=== rows of several events
argv: perf report --stdio  --symfs $TMP -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cycles'
# Event count (approx.): 2143535
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    72.18%  perf     [kernel.kallsyms]  [k] 0xffffffff81024874
    19.69%  perf     [kernel.kallsyms]  [k] 0xffffffff81001f5e
     6.80%  perf     [kernel.kallsyms]  [k] 0xffffffff8109954a
     1.04%  perf     [kernel.kallsyms]  [k] 0xffffffff8146f93a
     0.30%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1


# Samples: 14  of event 'instructions'
# Event count (approx.): 922214
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    65.19%  perf     [kernel.kallsyms]  [k] 0xffffffff8146ac0e
    15.91%  perf     [kernel.kallsyms]  [k] 0xffffffff810dc1fc
    15.77%  perf     [kernel.kallsyms]  [k] 0xffffffff811a9f82
     2.43%  perf     [kernel.kallsyms]  [k] 0xffffffff810dadbd
     0.70%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1


# Samples: 12  of event 'cache-references'
# Event count (approx.): 18192
#
# Overhead  Command  Shared Object       Symbol                
# ........  .......  ..................  ......................
#
    82.09%  perf     [kernel.kallsyms]   [k] 0xffffffff810a8073
    11.74%  perf     libc-2.15.so        [.] 0x0000000000036fc0
     3.92%  perf     [kernel.kallsyms]   [k] 0xffffffff81050c96
     1.58%  perf     libpthread-2.15.so  [.] 0x000000000000ece8
     0.40%  perf     [kernel.kallsyms]   [k] 0xffffffff8109d401
     0.18%  perf     [kernel.kallsyms]   [k] 0xffffffff8109d4f1
     0.07%  perf     [kernel.kallsyms]   [k] 0xffffffff81012af1
     0.03%  perf     [kernel.kallsyms]   [k] 0xffffffff8109954a


# Samples: 11  of event 'cache-misses'
# Event count (approx.): 7116
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    73.62%  perf     [kernel.kallsyms]  [k] 0xffffffff811a9f82
    18.70%  perf     [kernel.kallsyms]  [k] 0xffffffff810e38a4
     4.44%  perf     [kernel.kallsyms]  [k] 0xffffffff81001f5e
     1.83%  perf     [kernel.kallsyms]  [k] 0xffffffff810cf869
     1.18%  perf     [kernel.kallsyms]  [k] 0xffffffff810dadbd
     0.17%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1
     0.04%  perf     [kernel.kallsyms]  [k] 0xffffffff8102855b
     0.01%  perf     [kernel.kallsyms]  [k] 0xffffffff810d932b


# Samples: 13  of event 'branches'
# Event count (approx.): 201384
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    64.60%  echo     [kernel.kallsyms]  [k] 0xffffffff811df042
    23.17%  perf     [kernel.kallsyms]  [k] 0xffffffff8104f1b9
     9.82%  perf     [kernel.kallsyms]  [k] 0xffffffff810a1a98
     1.66%  perf     [kernel.kallsyms]  [k] 0xffffffff8146f93b
     0.76%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1


# Samples: 13  of event 'branch-misses'
# Event count (approx.): 15161
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    58.54%  echo     [kernel.kallsyms]  [k] 0xffffffff810bd2fb
    22.08%  perf     [kernel.kallsyms]  [k] 0xffffffff810bc5f2
    13.06%  perf     [kernel.kallsyms]  [k] 0xffffffff811e381c
     3.80%  perf     [kernel.kallsyms]  [k] 0xffffffff811de010
     1.83%  perf     [kernel.kallsyms]  [k] 0xffffffff810bcef1
     0.33%  perf     [kernel.kallsyms]  [k] 0xffffffff8146ec99
     0.22%  perf     [kernel.kallsyms]  [k] 0xffffffff810dadbd
     0.06%  perf     [kernel.kallsyms]  [k] 0xffffffff8146f93a
     0.05%  perf     [kernel.kallsyms]  [k] 0xffffffff8146f93b
     0.03%  perf     [kernel.kallsyms]  [k] 0xffffffff81012af1


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== keys and columns
argv: perf report --stdio --sort comm,dso -n --show-total-period --symfs $TMP -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cycles'
# Event count (approx.): 2143535
#
# Overhead       Samples        Period  Command  Shared Object    
# ........  ............  ............  .......  .................
#
   100.00%            14       2143535  perf     [kernel.kallsyms]


# Samples: 14  of event 'instructions'
# Event count (approx.): 922214
#
# Overhead       Samples        Period  Command  Shared Object    
# ........  ............  ............  .......  .................
#
   100.00%            14        922214  perf     [kernel.kallsyms]


# Samples: 12  of event 'cache-references'
# Event count (approx.): 18192
#
# Overhead       Samples        Period  Command  Shared Object     
# ........  ............  ............  .......  ..................
#
    86.68%            10         15769  perf     [kernel.kallsyms] 
    11.74%             1          2135  perf     libc-2.15.so      
     1.58%             1           288  perf     libpthread-2.15.so


# Samples: 11  of event 'cache-misses'
# Event count (approx.): 7116
#
# Overhead       Samples        Period  Command  Shared Object    
# ........  ............  ............  .......  .................
#
   100.00%            11          7116  perf     [kernel.kallsyms]


# Samples: 13  of event 'branches'
# Event count (approx.): 201384
#
# Overhead       Samples        Period  Command  Shared Object    
# ........  ............  ............  .......  .................
#
    64.60%             1        130086  echo     [kernel.kallsyms]
    35.40%            12         71298  perf     [kernel.kallsyms]


# Samples: 13  of event 'branch-misses'
# Event count (approx.): 15161
#
# Overhead       Samples        Period  Command  Shared Object    
# ........  ............  ............  .......  .................
#
    58.54%             1          8875  echo     [kernel.kallsyms]
    41.46%            12          6286  perf     [kernel.kallsyms]


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a group
argv: perf report --stdio  --symfs $TMP -i $DATA/perfdata/quipper-perf.data.group_desc-4.14
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of events 'anon group { cache-references, branch-misses }'
# Event count (approx.): 189722
#
#         Overhead  Command  Shared Object      Symbol                
# ................  .......  .................  ......................
#
    68.35%   0.00%  echo     ld-2.23.so         [.] 0x000000000001a5f7
    29.21%   0.00%  echo     [kernel.kallsyms]  [k] 0xffffffffb423f8c4
     2.32%   0.00%  echo     [kernel.kallsyms]  [k] 0xffffffffb43bf069
     0.12%   1.21%  perf     [kernel.kallsyms]  [k] 0xffffffffb433b180
     0.01%   0.07%  perf     [kernel.kallsyms]  [k] 0xffffffffb4343bad
     0.00%  75.22%  echo     ld-2.23.so         [.] 0x000000000001b6f0
     0.00%  23.50%  echo     [kernel.kallsyms]  [k] 0xffffffffb4389a66


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== the events of a group one by one
argv: perf report --stdio --no-group --symfs $TMP -i $DATA/perfdata/quipper-perf.data.group_desc-4.14
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 7  of events 'cache-references'
# Event count (approx.): 165909
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    68.35%  echo     ld-2.23.so         [.] 0x000000000001a5f7
    29.21%  echo     [kernel.kallsyms]  [k] 0xffffffffb423f8c4
     2.32%  echo     [kernel.kallsyms]  [k] 0xffffffffb43bf069
     0.12%  perf     [kernel.kallsyms]  [k] 0xffffffffb433b180
     0.01%  perf     [kernel.kallsyms]  [k] 0xffffffffb4343bad


# Samples: 6  of event 'branch-misses'
# Event count (approx.): 23813
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    75.22%  echo     ld-2.23.so         [.] 0x000000000001b6f0
    23.50%  echo     [kernel.kallsyms]  [k] 0xffffffffb4389a66
     1.21%  perf     [kernel.kallsyms]  [k] 0xffffffffb433b180
     0.07%  perf     [kernel.kallsyms]  [k] 0xffffffffb4343bad


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== separated columns
argv: perf report --stdio -t, --sort comm,dso --symfs $TMP -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead,Command      ,Shared Object  
 35.47% ,ro_sample.out,libro_sample.so
 32.92% ,ro_sample.out,ld-2.30.so     
 22.65% ,ro_sample.out,libc-2.30.so   
 8.97%  ,ro_sample.out,[unknown]      


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== quiet
sh: perf report --stdio -q --sort dso --symfs $TMP -i $DATA/perfdata/autofdo-ro_sample.perf | sed 's/$/|/'
--- stdout
    35.47%  libro_sample.so |
    32.92%  ld-2.30.so      |
    22.65%  libc-2.30.so    |
     8.97%  [unknown]       |
|
|

=== fields
argv: perf report --stdio -F overhead,sample,period,overhead_sys,overhead_us,dso --symfs $TMP -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead       Samples        Period       sys       usr  Shared Object   
# ........  ............  ............  ........  ........  ................
#
    35.47%             2        187034     0.00%    35.47%  libro_sample.so 
    32.92%             8        173608     0.00%    32.92%  ld-2.30.so      
    22.65%             1        119426     0.00%    22.65%  libc-2.30.so    
     8.97%             2         47289     8.97%     0.00%  [unknown]       


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== fixed widths
argv: perf report --stdio -w 0,5,20 --symfs $TMP -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead  Comma  Shared Object         Symbol                
# ........  .....  ....................  ......................
#
    22.65%  ro_sa  libc-2.30.so          [.] 0x0000000000082ccf
    18.40%  ro_sa  ld-2.30.so            [.] 0x000000000000bc92
    18.07%  ro_sa  libro_sample.so       [.] 0x00000000000006b6
    17.40%  ro_sa  libro_sample.so       [.] 0x00000000000006a0
    14.30%  ro_sa  ld-2.30.so            [.] 0x000000000000d6ba
     8.97%  ro_sa  [unknown]             [k] 0xffffffffa4c01250
     0.22%  ro_sa  ld-2.30.so            [.] 0x0000000000001090


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== one object
argv: perf report --stdio -d ld-2.30.so --symfs $TMP -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
# dso: ld-2.30.so
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead  Command        Symbol                
# ........  .............  ......................
#
    18.40%  ro_sample.out  [.] 0x000000000000bc92
    14.30%  ro_sample.out  [.] 0x000000000000d6ba
     0.22%  ro_sample.out  [.] 0x0000000000001090


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== one object, relative
argv: perf report --stdio -d ld-2.30.so --percentage relative --symfs $TMP -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
# dso: ld-2.30.so
#
# Total Lost Samples: 0
#
# Samples: 8  of event 'cycles:u'
# Event count (approx.): 173608
#
# Overhead  Command        Symbol                
# ........  .............  ......................
#
    55.89%  ro_sample.out  [.] 0x000000000000bc92
    43.43%  ro_sample.out  [.] 0x000000000000d6ba
     0.68%  ro_sample.out  [.] 0x0000000000001090


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== lost samples
argv: perf report --stdio --sort comm --symfs $TMP -i $DATA/perfdata/quipper-perf.data.lost_samples-4.4
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 2
#
# Samples: 191  of events 'anon group { cycles:pp, instructions:pp, branch-instructions:pp }'
# Event count (approx.): 3820573
#
#                 Overhead  Command
# ........................  .......
#
   100.00% 100.00% 100.00%  echo   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== limit
argv: perf report --stdio --percent-limit 10 --symfs $TMP -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead  Command        Shared Object     Symbol                
# ........  .............  ................  ......................
#
    22.65%  ro_sample.out  libc-2.30.so      [.] 0x0000000000082ccf
    18.40%  ro_sample.out  ld-2.30.so        [.] 0x000000000000bc92
    18.07%  ro_sample.out  libro_sample.so   [.] 0x00000000000006b6
    17.40%  ro_sample.out  libro_sample.so   [.] 0x00000000000006a0
    14.30%  ro_sample.out  ld-2.30.so        [.] 0x000000000000d6ba


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== time quantum
argv: perf report --stdio --sort time --ns --time-quantum 10us --symfs $TMP -i $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 2  of event 'cycles'
# Event count (approx.): 2
#
# Overhead  Time            
# ........  ................
#
    50.00%  1056482.24690000
    50.00%  1056482.24880000


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== rows below rows
argv: perf report --stdio --hierarchy -n -g none --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
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
#       Overhead       Samples  Command / Shared Object / Symbol
# ............................  ................................
#
   100.00%            10        elf    
      100.00%            10        elf             
          26.02%             3        [.] 0x000000000000051c
          18.33%             2        [.] 0x0000000000000523
          15.24%             1        [.] 0x0000000000000513
          14.14%             1        [.] 0x00000000000004ed
          11.98%             1        [.] 0x0000000000000518
           8.96%             1        [.] 0x00000000000004fa
           5.34%             1        [.] 0x00000000000004f7


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

=== rows below rows, limited
argv: perf report --stdio --hierarchy --percent-limit 10 -g caller,20 --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 10  of event 'cycles:HG'
# Event count (approx.): 13028002
#
#       Overhead  Command / Shared Object / Symbol
# ..............  ................................
#
   100.00%        elf    
      100.00%        elf             
          26.02%        [.] 0x000000000000051c
            |
            ---0
               0x400428
               0x7f434ce81ec4
               0x40052f
               0x40051c

          18.33%        [.] 0x0000000000000523
          15.24%        [.] 0x0000000000000513
          14.14%        [.] 0x00000000000004ed
          11.98%        [.] 0x0000000000000518


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

=== branches
sh: perf report --stdio --symfs $TMP -i $DATA/perfdata/quipper-perf.data.branch-4.14 | head -30
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 416  of event 'cycles:ppp'
# Event count (approx.): 416
#
# Overhead  Command  Source Shared Object  Source Symbol           Target Symbol           Basic Block Cycles
# ........  .......  ....................  ......................  ......................  ..................
#
     6.97%  perf     [unknown]             [H] 0000000000000000    [H] 0000000000000000    -                 
     2.40%  perf     [kernel.kallsyms]     [k] 0xffffffffb420a473  [k] 0xffffffffb420a3e3  1                 
     1.20%  echo     ld-2.23.so            [.] 0x000000000001a5c2  [.] 0x000000000001b990  4                 
     1.20%  perf     [kernel.kallsyms]     [k] 0xffffffffb42086e7  [k] 0xffffffffb42087e7  1                 
     1.20%  perf     [kernel.kallsyms]     [k] 0xffffffffb420a407  [k] 0xffffffffb420a470  2                 
     0.96%  perf     [kernel.kallsyms]     [k] 0xffffffffb42087ec  [k] 0xffffffffb4207e31  1                 
     0.96%  perf     [kernel.kallsyms]     [k] 0xffffffffb4208e16  [k] 0xffffffffb42071e3  1                 
     0.96%  perf     [kernel.kallsyms]     [k] 0xffffffffb420a583  [k] 0xffffffffb4208df7  2                 
     0.96%  perf     [kernel.kallsyms]     [k] 0xffffffffb420b219  [k] 0xffffffffb420a550  6                 
     0.96%  perf     [kernel.kallsyms]     [k] 0xffffffffb420bd59  [k] 0xffffffffb4208e00  1                 
     0.96%  perf     [kernel.kallsyms]     [k] 0xffffffffb4518af6  [k] 0xffffffffb4518b21  1                 
     0.96%  perf     [kernel.kallsyms]     [k] 0xffffffffb4518b1f  [k] 0xffffffffb4518af3  1                 
     0.96%  perf     [kernel.kallsyms]     [k] 0xffffffffb4518b25  [k] 0xffffffffb42086e2  1                 
     0.72%  echo     ld-2.23.so            [.] 0x00000000000097db  [.] 0x00000000000097e6  2                 
     0.72%  echo     ld-2.23.so            [.] 0x00000000000097f6  [.] 0x0000000000009708  2                 
     0.72%  echo     ld-2.23.so            [.] 0x0000000000010da6  [.] 0x0000000000010db9  1                 
     0.72%  echo     ld-2.23.so            [.] 0x0000000000010db7  [.] 0x0000000000010dd8  1                 
     0.72%  echo     ld-2.23.so            [.] 0x0000000000010dbf  [.] 0x000000000001a580  1                 
     0.72%  echo     ld-2.23.so            [.] 0x0000000000010dc6  [.] 0x0000000000010db0  1                 

=== branches by kind
argv: perf report --stdio -s mispredict,in_tx,abort,dso_to --symfs $TMP -i $DATA/perfdata/quipper-perf.data.branch-4.14
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 416  of event 'cycles:ppp'
# Event count (approx.): 416
#
# Overhead  Branch Mispredicted  Branch in transaction  Transaction abort  Target Shared Object
# ........  ...................  .....................  .................  ....................
#
    73.56%  N                    .                      .                  [kernel.kallsyms]   
    14.42%  N                    .                      .                  ld-2.23.so          
     6.97%  N                    .                      .                  [unknown]           
     4.09%  Y                    .                      .                  [kernel.kallsyms]   
     0.48%  Y                    .                      .                  libc-2.23.so        
     0.48%  Y                    .                      .                  ld-2.23.so          


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== no branches
argv: perf report --stdio --no-branch-stack --sort comm --symfs $TMP -i $DATA/perfdata/quipper-perf.data.branch-4.14
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:ppp'
# Event count (approx.): 2668332
#
# Overhead  Command
# ........  .......
#
    99.85%  echo   
     0.15%  perf   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== more columns
argv: perf report --stdio -F +period,pid -s comm,dso -i $DATA/perfdata/autofdo-ro_sample.perf --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead        Period      Pid:Command        Command        Shared Object   
# ........  ............  .....................  .............  ................
#
    35.47%        187034   902132:ro_sample.out  ro_sample.out  libro_sample.so 
    32.92%        173608   902132:ro_sample.out  ro_sample.out  ld-2.30.so      
    22.65%        119426   902132:ro_sample.out  ro_sample.out  libc-2.30.so    
     8.97%         47289   902132:ro_sample.out  ro_sample.out  [unknown]       


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a separator that numbers have, too
sh: perf report --stdio -q -g none --no-children -n -t 0 -i $DATA/report/threads.data --symfs /nowhere
--- stdout
 28.58% 0 24.08% 0 4          0right  0made         0[.] .x.............6.8
 21.43% 0 33.33% 0 3          0main   0made         0[.] .x.............1.8
 21.43% 0 12.96% 0 3          0left   0made         0[.] .x.............5.8
 14.28% 0 7.41%  0 2          0main   0made         0[.] .x.............3.8
 7.14%  0 11.11% 0 1          0main   0made         0[.] .x.............2.8
 7.14%  0 11.11% 0 1          0right  0made         0[.] .x.............5.8



=== history of branches without branch records: no notes
sh: perf report --stdio -q -g folded --no-children --branch-history -i $DATA/report/threads.data --symfs /nowhere | head -n 4
--- stdout
    28.58%    24.08%  made[608]    [.] 0x0000000000000608  made              -      -            
28.58% 0x401608;0x401408
    28.57%    24.07%  made[508]    [.] 0x0000000000000508  made              -      -            
21.43% 0x401508;0x401408

=== callers among the keys: left out where there are none, N/A where they are not wanted
sh: for f in threads.data threads-group.data; do for how in --children --no-children; do perf report --stdio -q -g none $how --no-group -s overhead_children,comm -i $DATA/report/$f | head -n 1; done; done
--- stdout
    42.85%   51.85%    42.85%    51.85%  main   
    42.85%    51.85%       N/A  main   
    42.85%    51.85%  main   
    42.85%    51.85%       N/A  main   

=== offsets in symbols
argv: perf report --stdio -q -g none --no-branch-stack -s symoff,dso -i $DATA/branches/stack.data --symfs $DATA/branches
threads: 1 2
--- stdout
    75.01%     0.00%  [.] main+0x15     walk         
    49.99%     0.00%  [.] once+0x15     walk         
    16.66%    16.66%  [.] main+0xe      walk         
     8.34%     8.34%  [.] loop+0x20     walk         
     8.34%     8.34%  [.] once+0x3d     walk         
     8.34%     8.34%  [.] recurse+0x12  walk         
     8.34%     0.00%  [.] once+0x33     walk         
     8.33%     8.33%  [.] leaf+0xa      walk         
     8.33%     8.33%  [.] loop+0x22     walk         
     8.33%     8.33%  [.] once+0x17     walk         
     8.33%     0.00%  [.] loop+0x61     walk         
     8.33%     8.33%  [.] loop+0x29     walk         
     8.33%     8.33%  [.] loop+0x44     walk         
     8.33%     8.33%  [.] loop+0x4f     walk         
     8.33%     8.33%  [.] main+0x18     walk         



=== offsets in symbols, of callers, where there are none
argv: perf report --stdio -q -g folded -s comm,symoff -i $DATA/report/threads.data --symfs /nowhere
threads: 1 2
--- stdout
    42.85%   51.85%     0.00%     0.00%  main     [.] 0x0000000000000008
21.43% 0x401008;0x401108
14.28% 0x401008;0x401308
7.14% 0x401008;0x401108;0x401208
    35.72%   35.19%     0.00%     0.00%  right    [.] 0x0000000000000408
28.58% 0x401408;0x401608
7.14% 0x401408;0x401608;0x401508
    35.72%   35.19%    28.58%    24.08%  right    [.] 0x0000000000000608
28.58% 0x401408;0x401608
7.14% 0x401608;0x401508
    28.57%   44.44%    21.43%    33.33%  main     [.] 0x0000000000000108
21.43% 0x401008;0x401108
7.14% 0x401108;0x401208
    21.43%   12.96%    21.43%    12.96%  left     [.] 0x0000000000000508
21.43% 0x401408;0x401508
    21.43%   12.96%     0.00%     0.00%  left     [.] 0x0000000000000408
21.43% 0x401408;0x401508
    14.28%    7.41%    14.28%     7.41%  main     [.] 0x0000000000000308
14.28% 0x401008;0x401308
     7.14%   11.11%     7.14%    11.11%  main     [.] 0x0000000000000208
7.14% 0x401008;0x401108;0x401208
     7.14%   11.11%     7.14%    11.11%  right    [.] 0x0000000000000508
7.14% 0x401408;0x401608;0x401508



=== columns wider than any text
sh: perf report --stdio -q -g none -w 60,3 -i $DATA/report/threads.data --symfs /nowhere -F overhead,comm | tr ' ' .
--- stdout
........................................................42.85%..mai
........................................................35.72%..rig
........................................................21.43%..lef



=== columns of other architectures: where they are asked for as fields
argv: perf report --stdio -g none -F p_stage_cyc -i $DATA/report/threads.data --symfs /nowhere
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'cpu-clock'
# Event count (approx.): 14001
#
# Pipeline Stage Cycle
# ....................
#
  0                   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== narrow columns cut names
argv: perf report --stdio -n -w 4,5,6 -s comm,dso -i $DATA/perfdata/autofdo-ro_sample.perf --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead  Samples  Comman  Shared Object  
# ........  .......  ......  ...............
#
   35.47%       2    ro_sam  libro_sample.so
   32.92%       8    ro_sam  ld-2.30.so     
   22.65%       1    ro_sam  libc-2.30.so   
   8.97%        2    ro_sam  [unknown]      


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== from an event on
argv: perf report --stdio --no-children -s comm --switch-on cycles:pp -i $DATA/perfdata/quipper-perf.data.lost_samples-4.4
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 2
#
# Samples: 190  of events 'anon group { cycles:pp, instructions:pp, branch-instructions:pp }'
# Event count (approx.): 3800570
#
#                 Overhead  Command
# ........................  .......
#
   100.00% 100.00% 100.00%  echo   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== only between two events, with these
argv: perf report --stdio -s comm --switch-on branch-instructions:pp --switch-off cycles:pp --show-on-off-events -i $DATA/perfdata/quipper-perf.data.lost_samples-4.4
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 2
#
# Samples: 34  of events 'anon group { cycles:pp, instructions:pp, branch-instructions:pp }'
# Event count (approx.): 680102
#
#                 Overhead  Command
# ........................  .......
#
   100.00% 100.00% 100.00%  echo   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a word selects symbols
argv: perf report --stdio main -s sym -i $DATA/perfdata/autofdo-ro_sample.perf --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead  Symbol
# ........  ......
#


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr
warning: no row has a symbol with 'main' in its name
hint: nor is there a recording of this name

=== all events side by side
argv: perf report --stdio --group -s comm,dso -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4 --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 77  of events 'cycles, instructions, cache-references, cache-misses, branches, branch-misses'
# Event count (approx.): 3307602
#
#                                         Overhead  Command  Shared Object     
# ................................................  .......  ..................
#
   100.00% 100.00%  86.68% 100.00%  35.40%  41.46%  perf     [kernel.kallsyms] 
     0.00%   0.00%  11.74%   0.00%   0.00%   0.00%  perf     libc-2.15.so      
     0.00%   0.00%   1.58%   0.00%   0.00%   0.00%  perf     libpthread-2.15.so
     0.00%   0.00%   0.00%   0.00%  64.60%  58.54%  echo     [kernel.kallsyms] 


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a hierarchy, separated
argv: perf report --stdio --hierarchy -n -t : -s comm,dso -i $DATA/perfdata/autofdo-ro_sample.perf --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead:     Samples:Command / Shared Object
# ........:............:.......................
#
 100.00%: 13         :ro_sample.out
    35.47% : 2          :libro_sample.so
    32.92% : 8          :ld-2.30.so     
    22.65% : 1          :libc-2.30.so   
    8.97%  : 2          :[unknown]      


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a hierarchy with symbols: what is known of branches is below all
argv: perf report --stdio --hierarchy -s dso,symbol -i $DATA/perfdata/autofdo-ro_sample.perf --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
#       Overhead  Shared Object / Symbol / IPC   [IPC Coverage]
# ..............  .............................................
#
    35.47%        libro_sample.so 
       18.07%        [.] 0x00000000000006b6
          18.07%        -      -            
       17.40%        [.] 0x00000000000006a0
          17.40%        -      -            
    32.92%        ld-2.30.so      
       18.40%        [.] 0x000000000000bc92
          18.40%        -      -            
       14.30%        [.] 0x000000000000d6ba
          14.30%        -      -            
        0.22%        [.] 0x0000000000001090
           0.22%        -      -            
    22.65%        libc-2.30.so    
       22.65%        [.] 0x0000000000082ccf
          22.65%        -      -            
     8.97%        [unknown]       
        8.97%        [k] 0xffffffffa4c01250
           8.97%        -      -            


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a hierarchy with symbols, two keys at one level
argv: perf report --stdio --hierarchy -s '{dso,symbol}' -i $DATA/perfdata/autofdo-ro_sample.perf --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
#    Overhead  Shared Object+Symbol / IPC   [IPC Coverage]
# ...........  ...........................................
#
    22.65%     libc-2.30.so      [.] 0x0000000000082ccf
       22.65%     -      -            
    18.40%     ld-2.30.so        [.] 0x000000000000bc92
       18.40%     -      -            
    18.07%     libro_sample.so   [.] 0x00000000000006b6
       18.07%     -      -            
    17.40%     libro_sample.so   [.] 0x00000000000006a0
       17.40%     -      -            
    14.30%     ld-2.30.so        [.] 0x000000000000d6ba
       14.30%     -      -            
     8.97%     [unknown]         [k] 0xffffffffa4c01250
        8.97%     -      -            
     0.22%     ld-2.30.so        [.] 0x0000000000001090
        0.22%     -      -            


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== ends of branches
argv: perf report --stdio -s addr_from,addr_to --percent-limit 1 -i $DATA/perfdata/quipper-perf.data.branch-4.14 --symfs /nothing
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 416  of event 'cycles:ppp'
# Event count (approx.): 416
#
# Overhead  Source Address          Target Address        
# ........  ......................  ......................
#
     6.97%  [k] 0000000000000000    [k] 0000000000000000
     2.88%  [k] 0xffffffffb420a473  [k] 0xffffffffb420a3e3
     1.92%  [k] 0xffffffffb420a407  [k] 0xffffffffb420a470
     1.68%  [.] 0x000000000001a5c2  [.] 0x000000000001b990
     1.44%  [k] 0xffffffffb4208e16  [k] 0xffffffffb42071e3
     1.20%  [k] 0xffffffffb4207e4c  [k] 0xffffffffb4207e58
     1.20%  [k] 0xffffffffb4207e5d  [k] 0xffffffffb42087f1
     1.20%  [k] 0xffffffffb42086b9  [k] 0xffffffffb42086c3
     1.20%  [k] 0xffffffffb42086dd  [k] 0xffffffffb4518aed
     1.20%  [k] 0xffffffffb42086e7  [k] 0xffffffffb42087e7
     1.20%  [k] 0xffffffffb42087ec  [k] 0xffffffffb4207e31
     1.20%  [k] 0xffffffffb4208812  [k] 0xffffffffb4208dd4
     1.20%  [k] 0xffffffffb4208df2  [k] 0xffffffffb420b1ef
     1.20%  [k] 0xffffffffb4208dfb  [k] 0xffffffffb420bca9
     1.20%  [k] 0xffffffffb420a56b  [k] 0xffffffffb420a582
     1.20%  [k] 0xffffffffb420a583  [k] 0xffffffffb4208df7
     1.20%  [k] 0xffffffffb420b219  [k] 0xffffffffb420a550
     1.20%  [k] 0xffffffffb420bce6  [k] 0xffffffffb420bd57
     1.20%  [k] 0xffffffffb420bd59  [k] 0xffffffffb4208e00
     1.20%  [k] 0xffffffffb4518af6  [k] 0xffffffffb4518b21
     1.20%  [k] 0xffffffffb4518b06  [k] 0xffffffffb4518b1c
     1.20%  [k] 0xffffffffb4518b1f  [k] 0xffffffffb4518af3
     1.20%  [k] 0xffffffffb4518b25  [k] 0xffffffffb42086e2


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== where branches lead
argv: perf report --stdio -s sym,comm --percent-limit 1.5 -i $DATA/perfdata/quipper-perf.data.branch-4.14 --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 416  of event 'cycles:ppp'
# Event count (approx.): 416
#
# Overhead  Symbol                  Command
# ........  ......................  .......
#
     6.97%  [k] 0000000000000000    perf   
     2.88%  [k] 0xffffffffb420a3e3  perf   
     2.64%  [k] 0xffffffffb420a470  perf   
     1.92%  [.] 0x000078e429412990  echo   
     1.68%  [.] 0x000078e429411580  echo   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== by source line, of objects that are not here
argv: perf report --stdio -s srcline,srcfile --no-children -i $DATA/perfdata/autofdo-ro_sample.perf --symfs $TMP
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead  Source:Line           Source File
# ........  ....................  ...........
#
    22.65%  libc-2.30.so[82ccf]   
    18.40%  ld-2.30.so[bc92]      
    18.07%  libro_sample.so[6b6]  
    17.40%  libro_sample.so[6a0]  
    14.30%  ld-2.30.so[d6ba]      
     8.97%  ??:0                  
     0.22%  ld-2.30.so[1090]      


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== by source line, of callers
argv: perf report --stdio -s sym,srcline --children -g caller -i $DATA/perfdata/simpleperf-perf_g_fp.data --symfs $TMP
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
# Children      Self  Symbol                  Source:Line        
# ........  ........  ......................  ...................
#
   100.00%     0.00%  [.] 0000000000000000    ??:0
            |
            ---0x400428
               0x7f434ce81ec4
               0x40052f
               |          
               |--28.44%--0x400517
               |          |          
               |          |--14.14%--0x4004ed
               |          |          
               |          |--8.96%--0x4004fa
               |          |          
               |           --5.34%--0x4004f7
               |          
               |--26.02%--0x40051c
               |          
               |--18.33%--0x400523
               |          
               |--15.24%--0x400513
               |          
                --11.98%--0x400518

   100.00%     0.00%  [.] 0x0000000000400428  elf[428]
            |
            ---0x7f434ce81ec4
               0x40052f
               |          
               |--28.44%--0x400517
               |          |          
               |          |--14.14%--0x4004ed
               |          |          
               |          |--8.96%--0x4004fa
               |          |          
               |           --5.34%--0x4004f7
               |          
               |--26.02%--0x40051c
               |          
               |--18.33%--0x400523
               |          
               |--15.24%--0x400513
               |          
                --11.98%--0x400518

   100.00%     0.00%  [.] 0x00007f434ce81ec4  libc-2.19.so[21ec4]
            |
            ---0x40052f
               |          
               |--28.44%--0x400517
               |          |          
               |          |--14.14%--0x4004ed
               |          |          
               |          |--8.96%--0x4004fa
               |          |          
               |           --5.34%--0x4004f7
               |          
               |--26.02%--0x40051c
               |          
               |--18.33%--0x400523
               |          
               |--15.24%--0x400513
               |          
                --11.98%--0x400518

   100.00%     0.00%  [.] 0x000000000040052f  elf[52f]
            |          
            |--28.44%--0x400517
            |          |          
            |          |--14.14%--0x4004ed
            |          |          
            |          |--8.96%--0x4004fa
            |          |          
            |           --5.34%--0x4004f7
            |          
            |--26.02%--0x40051c
            |          
            |--18.33%--0x400523
            |          
            |--15.24%--0x400513
            |          
             --11.98%--0x400518

    28.44%     0.00%  [.] 0x0000000000400517  elf[517]
            |          
            |--14.14%--0x4004ed
            |          
            |--8.96%--0x4004fa
            |          
             --5.34%--0x4004f7

    26.02%    26.02%  [.] 0x000000000000051c  elf[51c]
            |
            ---0x400428
               0x7f434ce81ec4
               0x40052f
               0x40051c

    26.02%     0.00%  [.] 0x000000000040051c  elf[51c]
    18.33%    18.33%  [.] 0x0000000000000523  elf[523]
            |
            ---0x400428
               0x7f434ce81ec4
               0x40052f
               0x400523

    18.33%     0.00%  [.] 0x0000000000400523  elf[523]
    15.24%    15.24%  [.] 0x0000000000000513  elf[513]
            |
            ---0x400428
               0x7f434ce81ec4
               0x40052f
               0x400513

    15.24%     0.00%  [.] 0x0000000000400513  elf[513]
    14.14%    14.14%  [.] 0x00000000000004ed  elf[4ed]
            |
            ---0x400428
               0x7f434ce81ec4
               0x40052f
               0x400517
               0x4004ed

    14.14%     0.00%  [.] 0x00000000004004ed  elf[4ed]
    11.98%    11.98%  [.] 0x0000000000000518  elf[518]
            |
            ---0x400428
               0x7f434ce81ec4
               0x40052f
               0x400518

    11.98%     0.00%  [.] 0x0000000000400518  elf[518]
     8.96%     8.96%  [.] 0x00000000000004fa  elf[4fa]
            |
            ---0x400428
               0x7f434ce81ec4
               0x40052f
               0x400517
               0x4004fa

     8.96%     0.00%  [.] 0x00000000004004fa  elf[4fa]
     5.34%     5.34%  [.] 0x00000000000004f7  elf[4f7]
            |
            ---0x400428
               0x7f434ce81ec4
               0x40052f
               0x400517
               0x4004f7

     5.34%     0.00%  [.] 0x00000000004004f7  elf[4f7]


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

=== by lines of branches
argv: perf report --stdio -b -s srcline_from,srcline_to --percent-limit 1 -i $DATA/perfdata/quipper-perf.data.branch-4.14 --symfs $TMP
threads: 1 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 416  of event 'cycles:ppp'
# Event count (approx.): 416
#
# Overhead  From Source:Line                     To Source:Line                     
# ........  ...................................  ...................................
#
     6.97%  ??:0                                 ??:0                               
     2.88%  [kernel.kallsyms][ffffffffb420a473]  [kernel.kallsyms][ffffffffb420a3e3]
     1.92%  [kernel.kallsyms][ffffffffb420a407]  [kernel.kallsyms][ffffffffb420a470]
     1.68%  ld-2.23.so[1a5c2]                    ld-2.23.so[1b990]                  
     1.44%  [kernel.kallsyms][ffffffffb4208e16]  [kernel.kallsyms][ffffffffb42071e3]
     1.20%  [kernel.kallsyms][ffffffffb4207e4c]  [kernel.kallsyms][ffffffffb4207e58]
     1.20%  [kernel.kallsyms][ffffffffb4207e5d]  [kernel.kallsyms][ffffffffb42087f1]
     1.20%  [kernel.kallsyms][ffffffffb42086b9]  [kernel.kallsyms][ffffffffb42086c3]
     1.20%  [kernel.kallsyms][ffffffffb42086dd]  [kernel.kallsyms][ffffffffb4518aed]
     1.20%  [kernel.kallsyms][ffffffffb42086e7]  [kernel.kallsyms][ffffffffb42087e7]
     1.20%  [kernel.kallsyms][ffffffffb42087ec]  [kernel.kallsyms][ffffffffb4207e31]
     1.20%  [kernel.kallsyms][ffffffffb4208812]  [kernel.kallsyms][ffffffffb4208dd4]
     1.20%  [kernel.kallsyms][ffffffffb4208df2]  [kernel.kallsyms][ffffffffb420b1ef]
     1.20%  [kernel.kallsyms][ffffffffb4208dfb]  [kernel.kallsyms][ffffffffb420bca9]
     1.20%  [kernel.kallsyms][ffffffffb420a56b]  [kernel.kallsyms][ffffffffb420a582]
     1.20%  [kernel.kallsyms][ffffffffb420a583]  [kernel.kallsyms][ffffffffb4208df7]
     1.20%  [kernel.kallsyms][ffffffffb420b219]  [kernel.kallsyms][ffffffffb420a550]
     1.20%  [kernel.kallsyms][ffffffffb420bce6]  [kernel.kallsyms][ffffffffb420bd57]
     1.20%  [kernel.kallsyms][ffffffffb420bd59]  [kernel.kallsyms][ffffffffb4208e00]
     1.20%  [kernel.kallsyms][ffffffffb4518af6]  [kernel.kallsyms][ffffffffb4518b21]
     1.20%  [kernel.kallsyms][ffffffffb4518b06]  [kernel.kallsyms][ffffffffb4518b1c]
     1.20%  [kernel.kallsyms][ffffffffb4518b1f]  [kernel.kallsyms][ffffffffb4518af3]
     1.20%  [kernel.kallsyms][ffffffffb4518b25]  [kernel.kallsyms][ffffffffb42086e2]


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== cgroup namespaces
argv: perf report --stdio -s comm,cgroup_id -i $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 2  of event 'cycles'
# Event count (approx.): 2
#
# Overhead  Command  cgroup id (dev/inode)
# ........  .......  .....................
#
    50.00%  perf     3/0xeffffffb
    50.00%  sleep    3/0xeffffffb


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== cgroup namespaces, none recorded
argv: perf report --stdio -q -s cgroup_id -i $DATA/perfdata/quipper-perf.data.branch-4.14
--- stdout
   100.00%  0/0x0



=== verbose: addresses and where symbols are from
sh: perf report --stdio -v --symfs $TMP -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4 | sed -n '9,30p'
threads: 1 2 3
--- stdout
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    72.18%  perf     [kernel.kallsyms]  0xffffffff81024874 ! [k] 0xffffffff81024874
    19.69%  perf     [kernel.kallsyms]  0xffffffff81001f5e ! [k] 0xffffffff81001f5e
     6.80%  perf     [kernel.kallsyms]  0xffffffff8109954a ! [k] 0xffffffff8109954a
     1.04%  perf     [kernel.kallsyms]  0xffffffff8146f93a ! [k] 0xffffffff8146f93a
     0.30%  perf     [kernel.kallsyms]  0xffffffff81012af1 ! [k] 0xffffffff81012af1


# Samples: 14  of event 'instructions'
# Event count (approx.): 922214
#
# Overhead  Command  Shared Object      Symbol                
# ........  .......  .................  ......................
#
    65.19%  perf     [kernel.kallsyms]  0xffffffff8146ac0e ! [k] 0xffffffff8146ac0e
    15.91%  perf     [kernel.kallsyms]  0xffffffff810dc1fc ! [k] 0xffffffff810dc1fc
    15.77%  perf     [kernel.kallsyms]  0xffffffff811a9f82 ! [k] 0xffffffff811a9f82
     2.43%  perf     [kernel.kallsyms]  0xffffffff810dadbd ! [k] 0xffffffff810dadbd
     0.70%  perf     [kernel.kallsyms]  0xffffffff81012af1 ! [k] 0xffffffff81012af1

--- stderr
no symbols of '[kernel.kallsyms]': the recorded kernel is not this one, and no copy of its symbols is in the build-id cache
no symbols of '/lib64/libc-2.15.so': cannot open '/lib64/libc-2.15.so'
no symbols of '/lib64/libpthread-2.15.so': cannot open '/lib64/libpthread-2.15.so'

=== verbose: callers as the process sees them
sh: perf report --stdio -v -g none --symfs $TMP -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 | sed -n '9,12p; /ath9k.ko/p; /chrome .*\[\.\]/p' | head -40
threads: 1 2 3
--- stdout
# Children      Self  Command         Shared Object                                                              Symbol                
# ........  ........  ..............  .........................................................................  ......................
#
    15.74%     0.00%  swapper         [kernel.kallsyms]                                                          0xffffffff96609cda ! [k] 0xffffffff96609cda
    11.53%     0.00%  chrome          [unknown]                                                                  0                  ! [.] 0000000000000000
     6.14%     0.00%  chrome          [unknown]                                                                  0x8b48078948fb8948 ! [.] 0x8b48078948fb8948
     3.96%     0.00%  chrome          [unknown]                                                                  0x5f19e794028      ! [.] 0x000005f19e794028
     3.56%     0.00%  chrome          /opt/google/chrome/chrome                                                  0x7fe8d056e6a0     ! [.] 0x00007fe8d056e6a0
     2.58%     0.00%  chrome          /opt/google/chrome/chrome                                                  0x7fe8cdee5a20     ! [.] 0x00007fe8cdee5a20
     1.74%     0.00%  Compositor      /opt/google/chrome/chrome                                                  0x7fe8d056d960     ! [.] 0x00007fe8d056d960
     1.63%     0.00%  Compositor      /opt/google/chrome/chrome                                                  0x7fe8d05e1290     ! [.] 0x00007fe8d05e1290
     1.45%     0.00%  chrome          /opt/google/chrome/chrome                                                  0x7fe8cce29e10     ! [.] 0x00007fe8cce29e10
     1.45%     0.00%  chrome          [unknown]                                                                  0x7fe8ca076500     ! [.] 0x00007fe8ca076500
     1.26%     0.00%  chrome          /opt/google/chrome/chrome                                                  0x7fe8d0797e70     ! [.] 0x00007fe8d0797e70
     1.26%     0.00%  chrome          [unknown]                                                                  0x8b4818ec8348f024 ! [.] 0x8b4818ec8348f024
     1.20%     0.00%  chrome          [unknown]                                                                  0x200000004        ! [.] 0x0000000200000004
     1.20%     0.00%  chrome          [unknown]                                                                  0x7fff6e0354d8     ! [.] 0x00007fff6e0354d8
     1.17%     0.00%  chrome          /opt/google/chrome/chrome                                                  0x7fe8d0794620     ! [.] 0x00007fe8d0794620
     1.17%     0.00%  chrome          [unknown]                                                                  0x90ffdd8951e90789 ! [.] 0x90ffdd8951e90789
     1.15%     0.00%  chrome          [unknown]                                                                  0x2045c064e960     ! [.] 0x00002045c064e960
     1.14%     0.00%  chrome          [unknown]                                                                  0x9967a8327be2ba00 ! [.] 0x9967a8327be2ba00
     0.98%     0.00%  chrome          [unknown]                                                                  0xfffffffc00000002 ! [.] 0xfffffffc00000002
     0.89%     0.00%  chrome          [unknown]                                                                  0x8ec8348fb894853  ! [.] 0x08ec8348fb894853
     0.88%     0.00%  chrome          /opt/google/chrome/chrome                                                  0x7fe8d0ef88ff     ! [.] 0x00007fe8d0ef88ff
     0.84%     0.00%  chrome          [unknown]                                                                  0x7fe8d30bcfa0     ! [.] 0x00007fe8d30bcfa0
     0.84%     0.00%  chrome          [unknown]                                                                  0x2045c055eba0     ! [.] 0x00002045c055eba0
     0.75%     0.00%  Compositor      /opt/google/chrome/chrome                                                  0x7fe8d1c762c0     ! [.] 0x00007fe8d1c762c0
     0.74%     0.00%  chrome          [unknown]                                                                  0x7365757165527469 ! [.] 0x7365757165527469
     0.73%     0.00%  swapper         /lib/modules/3.8.11/kernel/drivers/net/wireless-3.4/ath/ath9k/ath9k.ko     0xffffffffc015a331 K [k] 0xffffffffc015a331
     0.72%     0.00%  chrome          [unknown]                                                                  0xfffffffc00b99c10 ! [.] 0xfffffffc00b99c10
     0.71%     0.00%  chrome          [unknown]                                                                  0x300000004        ! [.] 0x0000000300000004
     0.70%     0.00%  Compositor      /opt/google/chrome/chrome                                                  0x7fe8cce29e10     ! [.] 0x00007fe8cce29e10
     0.65%     0.00%  chrome          [unknown]                                                                  0x5f19e79c268      ! [.] 0x000005f19e79c268
     0.61%     0.00%  chrome          [unknown]                                                                  0x1                ! [.] 0x0000000000000001
     0.58%     0.00%  Compositor      /opt/google/chrome/chrome                                                  0x7fe8d0dbffc0     ! [.] 0x00007fe8d0dbffc0
     0.54%     0.00%  chrome          /lib64/libpthread-2.15.so                                                  0x7fe8caf75dbc     ! [.] 0x00007fe8caf75dbc
     0.53%     0.53%  chrome          /opt/google/chrome/chrome                                                  0x3b4ed03          ! [.] 0x0000000003b4ed03
     0.53%     0.00%  chrome          /opt/google/chrome/chrome                                                  0x7fe8cf9c5d03     ! [.] 0x00007fe8cf9c5d03
     0.49%     0.00%  chrome          [unknown]                                                                  0x1f00000020       ! [.] 0x0000001f00000020
     0.48%     0.00%  chrome          [unknown]                                                                  0x5f19e79c028      ! [.] 0x000005f19e79c028

=== verbose: ends of branches
sh: perf report --stdio -v --symfs $TMP -i $DATA/perfdata/quipper-perf.data.branch-4.14 | sed -n '9,32p'
threads: 1 2 3
--- stdout
# Overhead  Command  Source Shared Object  Source Symbol           Target Symbol           Basic Block Cycles
# ........  .......  ....................  ......................  ......................  ..................
#
     6.97%  perf     [unknown]             0                  ! [H] 0000000000000000  0                  ! [H] 0000000000000000  -                 
     2.40%  perf     [kernel.kallsyms]     0xffffffffb420a473 ! [k] 0xffffffffb420a473  0xffffffffb420a3e3 ! [k] 0xffffffffb420a3e3  1                 
     1.20%  echo     /lib64/ld-2.23.so     0x1a5c2            ! [.] 0x000000000001a5c2  0x1b990            ! [.] 0x000000000001b990  4                 
     1.20%  perf     [kernel.kallsyms]     0xffffffffb42086e7 ! [k] 0xffffffffb42086e7  0xffffffffb42087e7 ! [k] 0xffffffffb42087e7  1                 
     1.20%  perf     [kernel.kallsyms]     0xffffffffb420a407 ! [k] 0xffffffffb420a407  0xffffffffb420a470 ! [k] 0xffffffffb420a470  2                 
     0.96%  perf     [kernel.kallsyms]     0xffffffffb42087ec ! [k] 0xffffffffb42087ec  0xffffffffb4207e31 ! [k] 0xffffffffb4207e31  1                 
     0.96%  perf     [kernel.kallsyms]     0xffffffffb4208e16 ! [k] 0xffffffffb4208e16  0xffffffffb42071e3 ! [k] 0xffffffffb42071e3  1                 
     0.96%  perf     [kernel.kallsyms]     0xffffffffb420a583 ! [k] 0xffffffffb420a583  0xffffffffb4208df7 ! [k] 0xffffffffb4208df7  2                 
     0.96%  perf     [kernel.kallsyms]     0xffffffffb420b219 ! [k] 0xffffffffb420b219  0xffffffffb420a550 ! [k] 0xffffffffb420a550  6                 
     0.96%  perf     [kernel.kallsyms]     0xffffffffb420bd59 ! [k] 0xffffffffb420bd59  0xffffffffb4208e00 ! [k] 0xffffffffb4208e00  1                 
     0.96%  perf     [kernel.kallsyms]     0xffffffffb4518af6 ! [k] 0xffffffffb4518af6  0xffffffffb4518b21 ! [k] 0xffffffffb4518b21  1                 
     0.96%  perf     [kernel.kallsyms]     0xffffffffb4518b1f ! [k] 0xffffffffb4518b1f  0xffffffffb4518af3 ! [k] 0xffffffffb4518af3  1                 
     0.96%  perf     [kernel.kallsyms]     0xffffffffb4518b25 ! [k] 0xffffffffb4518b25  0xffffffffb42086e2 ! [k] 0xffffffffb42086e2  1                 
     0.72%  echo     [kernel.kallsyms]     0xffffffffb437af0a ! [k] 0xffffffffb437af0a  0xffffffffb437aede ! [k] 0xffffffffb437aede  2                 
     0.72%  echo     [kernel.kallsyms]     0xffffffffb43d096b ! [k] 0xffffffffb43d096b  0xffffffffb43d0954 ! [k] 0xffffffffb43d0954  2                 
     0.72%  echo     /lib64/ld-2.23.so     0x97db             ! [.] 0x00000000000097db  0x97e6             ! [.] 0x00000000000097e6  2                 
     0.72%  echo     /lib64/ld-2.23.so     0x97f6             ! [.] 0x00000000000097f6  0x9708             ! [.] 0x0000000000009708  2                 
     0.72%  echo     /lib64/ld-2.23.so     0x10da6            ! [.] 0x0000000000010da6  0x10db9            ! [.] 0x0000000000010db9  1                 
     0.72%  echo     /lib64/ld-2.23.so     0x10db7            ! [.] 0x0000000000010db7  0x10dd8            ! [.] 0x0000000000010dd8  1                 
     0.72%  echo     /lib64/ld-2.23.so     0x10dbf            ! [.] 0x0000000000010dbf  0x1a580            ! [.] 0x000000000001a580  1                 
     0.72%  echo     /lib64/ld-2.23.so     0x10dc6            ! [.] 0x0000000000010dc6  0x10db0            ! [.] 0x0000000000010db0  1                 
--- stderr
no symbols of '[kernel.kallsyms]': the recorded kernel is not this one, and no copy of its symbols is in the build-id cache
no symbols of '/lib64/ld-2.23.so': cannot open '/lib64/ld-2.23.so'
no symbols of '/lib64/libc-2.23.so': cannot open '/lib64/libc-2.23.so'

=== verbose: branches by symbol and object
sh: perf report --stdio -v -s sym,dso --symfs $TMP -i $DATA/perfdata/quipper-perf.data.branch-4.14 | sed -n '9,60p' | grep -B2 -A2 /lib64
threads: 1 2 3
--- stdout
     2.88%  0xffffffffb420a3e3 ! [k] 0xffffffffb420a3e3  [kernel.kallsyms]  
     2.64%  0xffffffffb420a470 ! [k] 0xffffffffb420a470  [kernel.kallsyms]  
     1.92%  0x78e429412990     ! [.] 0x000078e429412990  /lib64/ld-2.23.so  
     1.68%  0x78e429411580     ! [.] 0x000078e429411580  /lib64/ld-2.23.so  
     1.44%  0xffffffffb42071e3 ! [k] 0xffffffffb42071e3  [kernel.kallsyms]  
     1.44%  0xffffffffb4208e00 ! [k] 0xffffffffb4208e00  [kernel.kallsyms]  
--
     0.96%  0xffffffffb42c6a7b ! [k] 0xffffffffb42c6a7b  [kernel.kallsyms]  
     0.96%  0xffffffffb43d0954 ! [k] 0xffffffffb43d0954  [kernel.kallsyms]  
     0.72%  0x78e429400708     ! [.] 0x000078e429400708  /lib64/ld-2.23.so  
     0.72%  0x78e4294007a4     ! [.] 0x000078e4294007a4  /lib64/ld-2.23.so  
     0.72%  0x78e4294007e6     ! [.] 0x000078e4294007e6  /lib64/ld-2.23.so  
     0.72%  0x78e429407d96     ! [.] 0x000078e429407d96  /lib64/ld-2.23.so  
     0.72%  0x78e429407db0     ! [.] 0x000078e429407db0  /lib64/ld-2.23.so  
     0.72%  0x78e429407db9     ! [.] 0x000078e429407db9  /lib64/ld-2.23.so  
     0.72%  0x78e429407dc4     ! [.] 0x000078e429407dc4  /lib64/ld-2.23.so  
     0.72%  0x78e429407dd8     ! [.] 0x000078e429407dd8  /lib64/ld-2.23.so  
     0.72%  0xffffffffb420a225 ! [k] 0xffffffffb420a225  [kernel.kallsyms]  
     0.72%  0xffffffffb420a233 ! [k] 0xffffffffb420a233  [kernel.kallsyms]  
--
     0.72%  0xffffffffb437af03 ! [k] 0xffffffffb437af03  [kernel.kallsyms]  
     0.72%  0xffffffffb4389c4f ! [k] 0xffffffffb4389c4f  [kernel.kallsyms]  
     0.48%  0x78e429400560     ! [.] 0x000078e429400560  /lib64/ld-2.23.so  
     0.48%  0x78e4294005d0     ! [.] 0x000078e4294005d0  /lib64/ld-2.23.so  
     0.48%  0x78e4294009b0     ! [.] 0x000078e4294009b0  /lib64/ld-2.23.so  
--- stderr
no symbols of '[kernel.kallsyms]': the recorded kernel is not this one, and no copy of its symbols is in the build-id cache
no symbols of '/lib64/ld-2.23.so': cannot open '/lib64/ld-2.23.so'
no symbols of '/lib64/libc-2.23.so': cannot open '/lib64/libc-2.23.so'

=== hierarchy: equally heavy rows without a symbol by address
sh: perf report --stdio --hierarchy -g none --no-children --symfs $TMP -i $DATA/perfdata/quipper-perf.data.armv7-3.4 | grep -B1 -A1 000d180
threads: 1 2 3
--- stdout
           0.02%        [.] 0x000000000000d030
           0.02%        [.] 0x000000000000d180
           0.02%        [.] 0x000000000000d5e4

=== --group of a stream that tells its groups late
sh: perf report --stdio --group -g none --symfs $TMP -i $DATA/perfdata/quipper-perf.data.piped.header_feautres_group_desc-6.8 | grep 'of event'
--- stdout
# Samples: 21  of events 'anon group { cycles:u, instructions:u }'

=== callers by object alone
sh: perf report --stdio -s comm,dso -g none --symfs $TMP -i $DATA/perfdata/simpleperf-perf_g_fp.data
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
# Children      Self  Command  Shared Object   
# ........  ........  .......  ................
#
   100.00%   100.00%  elf      elf             
   100.00%     0.00%  elf      libc-2.19.so    
   100.00%     0.00%  elf      [unknown]       


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr
warning: 590 events were lost in 1 chunks while recording: a larger buffer (record -m) or a lower rate (-F) helps

=== callers by object alone: many, of chosen commands
sh: perf report --stdio -s comm,dso -g none --comms shill,swapper --symfs $TMP -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
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
# Children      Self  Command  Shared Object          
# ........  ........  .......  .......................
#
    19.25%    18.80%  swapper  [kernel.kallsyms]      
     1.58%     0.26%  swapper  [ath9k]                
     1.27%     1.21%  shill    libglib-2.0.so.0.3400.3
     1.14%     0.00%  shill    [unknown]              
     0.85%     0.02%  swapper  [ath9k_hw]             
     0.31%     0.14%  swapper  [mac80211]             
     0.11%     0.00%  swapper  [usbnet]               
     0.08%     0.00%  swapper  [nf_conntrack_ipv6]    
     0.06%     0.06%  shill    shill                  
     0.06%     0.06%  shill    [kernel.kallsyms]      
     0.03%     0.03%  swapper  [cfg80211]             
     0.02%     0.00%  swapper  [asix]                 


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== callers that are not accumulated
sh: perf report --stdio -F comm,overhead_children,overhead -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4 | grep -m1 -A3 Children; perf report --stdio -t: -F comm,overhead_children -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4 | grep -m1 N/A
--- stdout
# Command  Children  Overhead
# .......  ........  ........
#
  perf          N/A   100.00%
perf   :     N/A

=== no frames of stacks
sh: for c in 'report --stdio --no-children' 'script -F comm,ip,sym'; do perf $c --max-stack 0 --symfs $TMP -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 | grep -v '^#' | head -3; done
--- stdout
     6.66%  swapper         [kernel.kallsyms]        [k] 0xffffffff9661da49
     1.01%  shill           libglib-2.0.so.0.3400.3  [.] 0x0000000000045c0e
     0.83%  swapper         [kernel.kallsyms]        [k] 0xffffffff967e4548
perf 

perf 

=== no group whose member orders the rows
sh: perf report --stdio --group-sort-idx 1 -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4 2>&1 | head -2
--- stdout
Error:
there is no group of events whose member could order the rows

=== rows by their parent: what has none comes last
argv: perf report --stdio -q --no-branch-stack --no-children -g none -p '^(once|loop)$' -F parent,sym,sample --symfs $DATA/branches -i $DATA/branches/lbr.data
--- stdout
  loop           [.] leaf                1
  loop           [.] loop               11
  once           [.] once                6
  once           [.] recurse             9
  [other]        [.] leaf                1
  [other]        [.] recurse             2



=== relative shares of rows of callers are of the rows that are shown
sh: for k in dso comm,dso; do perf report --stdio -g none -n --percentage relative -s $k --dsos libpthread-2.15.so --percent-limit 20 --symfs $TMP -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 | grep -v '^#$\|^$\|Tip\|display\|\.\.\.'; done
--- stdout
# dso: libpthread-2.15.so
# Total Lost Samples: 0
# Samples: 0  of event 'cycles'
# Event count (approx.): 0
# Children      Self       Samples  Shared Object
# dso: libpthread-2.15.so
# Total Lost Samples: 0
# Samples: 27  of event 'cycles'
# Event count (approx.): 4365365
# Children      Self       Samples  Command       
   198.98%    33.16%            11  Compositor    
   161.23%    60.40%            14  chrome        

=== relative shares of a group are of each event's own
sh: perf report --stdio -n --percentage relative -s sym --dsos ld-2.23.so --symfs $TMP -i $DATA/perfdata/quipper-perf.data.group_desc-4.14 | grep -v '^#$\|^$\|Tip\|display\|\.\.\.'
--- stdout
# Total Lost Samples: 0
# Samples: 2  of events 'anon group { cache-references, branch-misses }'
# Event count (approx.): 131302
#         Overhead                   Samples  Symbol                
   100.00%   0.00%             1           0  [.] 0x000000000001a5f7
     0.00% 100.00%             0           1  [.] 0x000000000001b6f0

=== what stands behind 'none' says nothing
sh: for g in none none,0,callee none,sometimes; do perf report --stdio -q -g $g --symfs $TMP -s sym -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 | cksum; done | sort -u | wc -l
--- stdout
1

=== rows below rows: keys in braces have a level together
sh: D=$DATA/perfdata/autofdo-ro_sample.perf; for k in '{comm,dso},sym' 'pid,{dso,sym}' '{{comm},dso' '{comm dso}sym'; do perf report --stdio --hierarchy -g none --no-children --symfs /nothing -s "$k" --percent-limit 3 -i $D | sed -n '/Overhead/,$p' | grep -v '^#$\|Tip\|^$' | cut -c1-130 | head -7; done; perf report --stdio -t: -g none --no-children --symfs /nothing -s '{comm,dso}' -i $D | sed -n '/Overhead/,$p' | head -3
--- stdout
#    Overhead  Command+Shared Object / Symbol
# ...........  ..............................
    35.47%     ro_sample.out  libro_sample.so 
       18.07%     [.] 0x00000000000006b6
       17.40%     [.] 0x00000000000006a0
    32.92%     ro_sample.out  ld-2.30.so      
       18.40%     [.] 0x000000000000bc92
#    Overhead  Pid:Command / Shared Object+Symbol
# ...........  ..........................................
   100.00%     902132:ro_sample.out
       22.65%     libc-2.30.so      [.] 0x0000000000082ccf
       18.40%     ld-2.30.so        [.] 0x000000000000bc92
       18.07%     libro_sample.so   [.] 0x00000000000006b6
       17.40%     libro_sample.so   [.] 0x00000000000006a0
#    Overhead  Command / Shared Object
# ...........  .......................
   100.00%     ro_sample.out
       35.47%     libro_sample.so 
       32.92%     ld-2.30.so      
       22.65%     libc-2.30.so    
        8.97%     [unknown]       
# Overhead  Command+Shared Object+Symbol
# ........  .....................................................
    22.65%  ro_sample.out  libc-2.30.so      [.] 0x0000000000082ccf
    18.40%  ro_sample.out  ld-2.30.so        [.] 0x000000000000bc92
    18.07%  ro_sample.out  libro_sample.so   [.] 0x00000000000006b6
    17.40%  ro_sample.out  libro_sample.so   [.] 0x00000000000006a0
    14.30%  ro_sample.out  ld-2.30.so        [.] 0x000000000000d6ba
# Overhead:Command      :Shared Object  
 35.47% :ro_sample.out:libro_sample.so
 32.92% :ro_sample.out:ld-2.30.so     

=== equally heavy rows of names that begin alike, one of them another's beginning, and two of the same name
sh: sleep 60 & pid=$!; trap "kill $pid; rm -f /tmp/perf-$pid.map" EXIT; at=$((0x10000)); for n in q p common_beginning_m common_beginning_l common_beginning_k_and_on common_beginning_k common_beginning_j common_beginning_i common_beginning_k_and_off common_beginning_h common_beginning common_begin common_beginning_k_and_so common_beginning_j common_beginning_a common_beginnings common; do printf '%x 10 %s\n' $at $n; at=$((at + 16)); done >/tmp/perf-$pid.map; $DATA/../tools/make_names_file.py x.data map=$pid,0x10000,0x10000,0,//anon comm=$pid,$pid,jit $(for i in $(seq 17); do echo u=$pid,$pid,$((0x10000 + 16 * i - 12)); done); perf report --stdio -q -s comm,sym -i x.data 2>/dev/null
--- stdout
     5.88%  jit      [.] common
     5.88%  jit      [.] common_begin
     5.88%  jit      [.] common_beginning
     5.88%  jit      [.] common_beginning_a
     5.88%  jit      [.] common_beginning_h
     5.88%  jit      [.] common_beginning_i
     5.88%  jit      [.] common_beginning_j
     5.88%  jit      [.] common_beginning_j
     5.88%  jit      [.] common_beginning_k
     5.88%  jit      [.] common_beginning_k_and_off
     5.88%  jit      [.] common_beginning_k_and_on
     5.88%  jit      [.] common_beginning_k_and_so
     5.88%  jit      [.] common_beginning_l
     5.88%  jit      [.] common_beginning_m
     5.88%  jit      [.] common_beginnings
     5.88%  jit      [.] p
     5.88%  jit      [.] q



