# Branch records in call graphs: --branch-history, -g branch.
=== branches in front of callchains, callers first
argv: perf report --stdio --branch-history -i $DATA/branches/stack.data --symfs $DATA/branches --percent-limit 15
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 12  of event 'cycles'
# Event count (approx.): 12010
#
# Children      Self  Source:Line  Symbol       Shared Object  IPC   [IPC Coverage]
# ........  ........  ...........  ...........  .............  ....................
#
    75.01%     8.33%  walk.c:38    [.] once     walk           -      -            
            |          
             --58.33%--once walk.c:38 (cycles:8)
                       |          
                       |--25.00%--main walk.c:44 (calltrace)
                       |          once walk.c:38 (calltrace)
                       |          
                        --24.99%--loop walk.c:26 (COND_FWD)
                                  loop walk.c:25
                                  |          
                                   --16.65%--loop walk.c:28 (COND_FWD)
                                             loop walk.c:26 (cycles:1)
                                             leaf walk.c:10 (CALL predicted:50.0%)
                                             loop walk.c:29 (cycles:200)

    75.00%    16.66%  walk.c:45    [.] main     walk           -      -            
            |          
            |--58.33%--main walk.c:45 (cycles:59)
            |          loop walk.c:22 (CALL)
            |          once walk.c:38 (cycles:8)
            |          |          
            |          |--25.00%--main walk.c:44 (calltrace)
            |          |          once walk.c:38 (calltrace)
            |          |          
            |           --24.99%--loop walk.c:26 (COND_FWD)
            |                     loop walk.c:25
            |                     |          
            |                      --16.65%--loop walk.c:28 (COND_FWD)
            |                                loop walk.c:26 (cycles:1)
            |                                leaf walk.c:10 (CALL predicted:50.0%)
            |                                loop walk.c:29 (cycles:200)
            |          
             --16.66%--main walk.c:45 (calltrace)

    58.34%    16.68%  walk.c:25    [.] loop     walk           -      -            
            |          
            |--24.99%--loop walk.c:25
            |          |          
            |           --16.65%--loop walk.c:28 (COND_FWD)
            |                     loop walk.c:26 (cycles:1)
            |                     leaf walk.c:10 (CALL predicted:50.0%)
            |                     loop walk.c:29 (cycles:200)
            |          
            |--16.68%--once walk.c:37 (CALL)
            |          main walk.c:45 (cycles:200)
            |          loop walk.c:22 (CALL)
            |          once walk.c:38 (cycles:22)
            |          main walk.c:44 (calltrace)
            |          once walk.c:38 (calltrace)
            |          
             --16.68%--loop walk.c:25 (UNCOND)
                       loop walk.c:29 (cycles:20)

    58.33%     0.00%  walk.c:37    [.] once     walk           -      -            
            |
            ---once walk.c:37 (CALL predicted:85.7%)
               main walk.c:45 (cycles:59)
               loop walk.c:22 (CALL)
               once walk.c:38 (cycles:8)
               |          
               |--25.00%--main walk.c:44 (calltrace)
               |          once walk.c:38 (calltrace)
               |          
                --24.99%--loop walk.c:26 (COND_FWD)
                          loop walk.c:25
                          |          
                           --16.65%--loop walk.c:28 (COND_FWD)
                                     loop walk.c:26 (cycles:1)
                                     leaf walk.c:10 (CALL predicted:50.0%)
                                     loop walk.c:29 (cycles:200)

    58.33%     0.00%  walk.c:22    [.] loop     walk           -      -            
            |
            ---loop walk.c:22 (CALL)
               once walk.c:38 (cycles:8)
               |          
               |--25.00%--main walk.c:44 (calltrace)
               |          once walk.c:38 (calltrace)
               |          
                --24.99%--loop walk.c:26 (COND_FWD)
                          loop walk.c:25
                          |          
                           --16.65%--loop walk.c:28 (COND_FWD)
                                     loop walk.c:26 (cycles:1)
                                     leaf walk.c:10 (CALL predicted:50.0%)
                                     loop walk.c:29 (cycles:200)

    41.67%     0.00%  walk.c:29    [.] loop     walk           -      -            
            |          
            |--24.99%--loop walk.c:29 (cycles:133)
            |          
             --16.68%--loop walk.c:29 (RET)
                       leaf walk.c:12 (cycles:220)
                       loop walk.c:25 (UNCOND)
                       loop walk.c:29 (cycles:20)

    33.35%     8.33%  walk.c:32    [.] loop     walk           -      -            
            |          
             --16.68%--loop walk.c:32 (COND_BWD predicted:50.0%)
                       loop walk.c:25 (cycles:200)
                       once walk.c:38 (RET)
                       loop walk.c:32 (cycles:22)

    33.33%     0.00%  walk.c:12    [.] leaf     walk           -      -            
            |
            ---leaf walk.c:12 (cycles:110)
               loop walk.c:25 (UNCOND)
               loop walk.c:29 (cycles:10)

    33.33%     0.00%  walk.c:10    [.] leaf     walk           -      -            
            |
            ---leaf walk.c:10 (CALL predicted:75.0%)
               |          
                --24.99%--loop walk.c:29 (cycles:133)

    33.33%     8.33%  walk.c:44    [.] main     walk           -      -            
            |          
             --25.00%--main walk.c:44 (calltrace)
                       once walk.c:38 (calltrace)

    33.32%     8.33%  walk.c:26    [.] loop     walk           -      -            
            |          
             --16.66%--loop walk.c:26 (COND_FWD)
                       loop walk.c:25

    33.32%     0.00%  walk.c:28    [.] loop     walk           -      -            
            |          
            |--16.67%--loop walk.c:28 (cycles:2 iter:1 avg_cycles:400)
            |          
             --16.65%--loop walk.c:28 (COND_FWD)
                       loop walk.c:26 (cycles:1)
                       leaf walk.c:10 (CALL predicted:50.0%)
                       loop walk.c:29 (cycles:200)

    25.00%     0.00%  walk.c:11    [.] leaf     walk           -      -            
            |
            ---leaf walk.c:11 (COND_FWD predicted:66.7%)
               leaf walk.c:7 (cycles:3)
               loop walk.c:29 (RET)
               leaf walk.c:12 (cycles:147)
               loop walk.c:25 (UNCOND)
               loop walk.c:29 (cycles:13)

    25.00%     0.00%  walk.c:7     [.] leaf     walk           -      -            
            |
            ---leaf walk.c:7 (cycles:3)
               loop walk.c:29 (RET)
               leaf walk.c:12 (cycles:147)
               loop walk.c:25 (UNCOND)
               loop walk.c:29 (cycles:13)

    25.00%     8.33%  walk.c:27    [.] loop     walk           -      -            
            |          
             --16.67%--loop walk.c:27 (COND_BWD)
                       loop walk.c:26 (cycles:21)

    16.69%     8.34%  walk.c:39    [.] once     walk           -      -            
    16.69%     0.00%  walk.c:15    [.] recurse  walk           -      -            
            |
            ---recurse walk.c:15 (IND_CALL)
               once walk.c:39 (cycles:1)



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== callees first, one row for all
argv: perf report --stdio --branch-history --no-children -s comm -g callee -i $DATA/branches/stack.data --symfs $DATA/branches
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 12  of event 'cycles'
# Event count (approx.): 12010
#
# Overhead  Command
# ........  .......
#
   100.00%  walk   
            |          
            |--25.00%--loop walk.c:22 (CALL)
            |          once walk.c:38 (cycles:16)
            |          once walk.c:37 (CALL)
            |          main walk.c:45 (cycles:134)
            |          |          
            |          |--8.34%--loop walk.c:25 (calltrace)
            |          |          
            |          |--8.33%--loop walk.c:25 (calltrace)
            |          |          
            |           --8.33%--loop walk.c:32 (calltrace)
            |          
            |--16.66%--main walk.c:45 (calltrace)
            |          
            |--8.34%--once walk.c:39 (RET)
            |          recurse walk.c:19 (cycles:1)
            |          recurse walk.c:19 (RET)
            |          leaf walk.c:12 (cycles:400)
            |          leaf walk.c:11 (COND_FWD)
            |          leaf walk.c:7 (cycles:5)
            |          leaf walk.c:10 (CALL)
            |          recurse walk.c:17 (cycles:40)
            |          recurse walk.c:15 (IND_CALL)
            |          once walk.c:39 (cycles:1)
            |          once walk.c:38 (RET)
            |          loop walk.c:32 (cycles:40)
            |          loop walk.c:32 (COND_BWD)
            |          loop walk.c:25 (cycles:1)
            |          loop walk.c:25 (UNCOND)
            |          loop walk.c:29 (cycles:40)
            |          
            |--8.34%--recurse walk.c:18 (COND_FWD)
            |          recurse walk.c:16 (cycles:8)
            |          recurse walk.c:15 (IND_CALL)
            |          once walk.c:39 (cycles:1)
            |          once walk.c:38 (RET)
            |          loop walk.c:32 (cycles:2)
            |          loop walk.c:22 (CALL)
            |          once walk.c:38 (cycles:3)
            |          once walk.c:37 (CALL predicted:0.0%)
            |          main walk.c:45 (cycles:5)
            |          
            |--8.33%--once walk.c:38 (RET)
            |          loop walk.c:32 (cycles:5)
            |          loop walk.c:32 (COND_BWD predicted:0.0%)
            |          loop walk.c:25 (cycles:400)
            |          loop walk.c:25 (COND_BWD)
            |          loop walk.c:28 (cycles:5)
            |          loop walk.c:28 (COND_FWD predicted:0.0%)
            |          loop walk.c:26
            |          loop walk.c:25 (COND_BWD)
            |          loop walk.c:28 (cycles:3)
            |          loop walk.c:27 (COND_BWD)
            |          loop walk.c:26 (cycles:400)
            |          loop walk.c:25 (UNCOND)
            |          loop walk.c:29 (cycles:1)
            |          loop walk.c:29 (RET)
            |          leaf walk.c:12 (cycles:40)
            |          leaf walk.c:11 (COND_FWD)
            |          leaf walk.c:7 (cycles:1)
            |          
            |--8.33%--leaf walk.c:10 (CALL)
            |          loop walk.c:29
            |          loop walk.c:27 (COND_BWD predicted:0.0%)
            |          loop walk.c:26 (cycles:40)
            |          loop walk.c:25 (COND_BWD predicted:0.0%)
            |          loop walk.c:28 (cycles:1)
            |          loop walk.c:26 (COND_FWD)
            |          loop walk.c:25
            |          loop walk.c:22 (CALL)
            |          once walk.c:38 (cycles:2)
            |          once walk.c:37 (CALL)
            |          main walk.c:45 (cycles:8)
            |          
            |--8.33%--main walk.c:44 (calltrace)
            |          
            |--8.33%--loop walk.c:27 (COND_BWD)
            |          loop walk.c:26 (cycles:1)
            |          loop walk.c:25 (COND_BWD predicted:0.0%)
            |          loop walk.c:28 (cycles:1)
            |          loop walk.c:28 (COND_FWD)
            |          loop walk.c:26 (cycles:400)
            |          loop walk.c:25 (UNCOND)
            |          loop walk.c:29 (cycles:1)
            |          loop walk.c:29 (RET predicted:0.0%)
            |          leaf walk.c:12 (cycles:1)
            |          leaf walk.c:10 (CALL)
            |          loop walk.c:29 (cycles:400)
            |          loop walk.c:28 (COND_FWD)
            |          loop walk.c:26 (cycles:2)
            |          loop walk.c:26 (COND_FWD)
            |          loop walk.c:25 (cycles:1)
            |          loop walk.c:22 (CALL)
            |          once walk.c:38
            |          once walk.c:37 (CALL)
            |          main walk.c:45 (cycles:2)
            |          
             --8.33%--loop walk.c:25 (UNCOND)
                       loop walk.c:29
                       loop walk.c:29 (RET)
                       leaf walk.c:12 (cycles:1)
                       leaf walk.c:11 (COND_FWD)
                       leaf walk.c:7 (cycles:1)
                       leaf walk.c:10 (CALL predicted:0.0%)
                       loop walk.c:29 (cycles:1)
                       loop walk.c:28 (COND_FWD)
                       loop walk.c:26 (cycles:1)
                       loop walk.c:26 (COND_FWD)
                       loop walk.c:25 (cycles:1)
                       loop walk.c:22 (CALL)
                       once walk.c:38 (cycles:3)
                       once walk.c:37 (CALL)
                       main walk.c:45 (cycles:1)



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== chains as lines have no counts
argv: perf report --stdio --branch-history --no-children -s comm -g folded,10 -i $DATA/branches/stack.data --symfs $DATA/branches
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 12  of event 'cycles'
# Event count (approx.): 12010
#
# Overhead  Command
# ........  .......
#
   100.00%  walk   
16.66% main walk.c:45


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== branches by function, without counts
argv: perf report --stdio --no-branch-stack --no-children -g callee,branch -s comm -i $DATA/branches/stack.data --symfs $DATA/branches
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 12  of event 'cycles'
# Event count (approx.): 12010
#
# Overhead  Command
# ........  .......
#
   100.00%  walk   
            |          
            |--41.66%--loop
            |          |          
            |          |--25.00%--once
            |          |          once
            |          |          main
            |          |          loop
            |          |          
            |           --16.65%--loop
            |                     loop
            |                     |          
            |                     |--8.33%--loop
            |                     |          loop
            |                     |          loop
            |                     |          loop
            |                     |          loop
            |                     |          loop
            |                     |          leaf
            |                     |          leaf
            |                     |          loop
            |                     |          loop
            |                     |          loop
            |                     |          loop
            |                     |          loop
            |                     |          loop
            |                     |          once
            |                     |          once
            |                     |          main
            |                     |          
            |                      --8.33%--leaf
            |                                leaf
            |                                leaf
            |                                leaf
            |                                loop
            |                                loop
            |                                loop
            |                                loop
            |                                loop
            |                                loop
            |                                once
            |                                once
            |                                main
            |          
            |--24.99%--main
            |          
            |--16.68%--once
            |          |          
            |          |--8.34%--recurse
            |          |          recurse
            |          |          leaf
            |          |          leaf
            |          |          leaf
            |          |          leaf
            |          |          recurse
            |          |          recurse
            |          |          once
            |          |          once
            |          |          loop
            |          |          loop
            |          |          loop
            |          |          loop
            |          |          loop
            |          |          
            |           --8.33%--loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     loop
            |                     leaf
            |                     leaf
            |                     leaf
            |          
            |--8.34%--recurse
            |          recurse
            |          recurse
            |          once
            |          once
            |          loop
            |          loop
            |          once
            |          once
            |          main
            |          
             --8.33%--leaf
                       loop
                       loop
                       loop
                       loop
                       loop
                       loop
                       loop
                       loop
                       once
                       once
                       main



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a limit of the stack holds for branches and callers
argv: perf report --stdio --branch-history --no-children -s comm -g callee --max-stack 2 -i $DATA/branches/stack.data --symfs $DATA/branches
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 12  of event 'cycles'
# Event count (approx.): 12010
#
# Overhead  Command
# ........  .......
#
   100.00%  walk   
            |          
            |--25.00%--loop walk.c:22 (CALL)
            |          once walk.c:38 (cycles:16)
            |          once walk.c:37 (CALL)
            |          main walk.c:45 (cycles:134)
            |          |          
            |          |--8.34%--loop walk.c:25 (calltrace)
            |          |          
            |          |--8.33%--loop walk.c:25 (calltrace)
            |          |          
            |           --8.33%--loop walk.c:32 (calltrace)
            |          
            |--16.66%--main walk.c:45 (calltrace)
            |          
            |--8.34%--once walk.c:39 (RET)
            |          recurse walk.c:19 (cycles:1)
            |          recurse walk.c:19 (RET)
            |          leaf walk.c:12 (cycles:400)
            |          
            |--8.34%--recurse walk.c:18 (COND_FWD)
            |          recurse walk.c:16 (cycles:8)
            |          recurse walk.c:15 (IND_CALL)
            |          once walk.c:39 (cycles:1)
            |          recurse walk.c:18 (calltrace)
            |          
            |--8.33%--once walk.c:38 (RET)
            |          loop walk.c:32 (cycles:5)
            |          loop walk.c:32 (COND_BWD predicted:0.0%)
            |          loop walk.c:25 (cycles:400)
            |          
            |--8.33%--leaf walk.c:10 (CALL)
            |          loop walk.c:29
            |          loop walk.c:27 (COND_BWD predicted:0.0%)
            |          loop walk.c:26 (cycles:40)
            |          leaf walk.c:8 (calltrace)
            |          loop walk.c:29 (calltrace)
            |          
            |--8.33%--main walk.c:44 (calltrace)
            |          
            |--8.33%--loop walk.c:27 (COND_BWD)
            |          loop walk.c:26 (cycles:1)
            |          loop walk.c:25 (COND_BWD predicted:0.0%)
            |          loop walk.c:28 (cycles:1)
            |          loop walk.c:27 (calltrace)
            |          
             --8.33%--loop walk.c:25 (UNCOND)
                       loop walk.c:29
                       loop walk.c:29 (RET)
                       leaf walk.c:12 (cycles:1)
                       loop walk.c:26 (calltrace)



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== without call graphs
argv: perf report --stdio --branch-history -g none -i $DATA/branches/stack.data --symfs $DATA/branches
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 12  of event 'cycles'
# Event count (approx.): 12010
#
# Children      Self  Source:Line  Symbol       Shared Object  IPC   [IPC Coverage]
# ........  ........  ...........  ...........  .............  ....................
#
    83.34%     8.33%  walk.c:44    [.] main     walk           -      -            
    58.33%     8.33%  walk.c:38    [.] once     walk           -      -            
    16.69%     8.34%  walk.c:39    [.] once     walk           -      -            
    16.68%    16.68%  walk.c:25    [.] loop     walk           -      -            
    16.66%    16.66%  walk.c:45    [.] main     walk           -      -            
     8.34%     8.34%  walk.c:18    [.] recurse  walk           -      -            
     8.33%     8.33%  walk.c:8     [.] leaf     walk           -      -            
     8.33%     0.00%  walk.c:29    [.] loop     walk           -      -            
     8.33%     8.33%  walk.c:26    [.] loop     walk           -      -            
     8.33%     8.33%  walk.c:27    [.] loop     walk           -      -            
     8.33%     8.33%  walk.c:32    [.] loop     walk           -      -            


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== no branches and no callchains
argv: perf report --stdio --branch-history -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
--- stderr
Error:
Selected -g or --branch-history.
But no callchain or branch data.
Did you call 'perf record' without -g or -b?

=== calls that have not returned
argv: perf report --stdio -g caller --no-children -s comm -i $DATA/branches/lbr.data --symfs $DATA/branches
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 30  of event 'cycles'
# Event count (approx.): 30034
#
# Overhead  Command
# ........  .......
#
   100.00%  walk   
            |          
            |--83.33%--main
            |          once
            |          |          
            |          |--39.99%--loop
            |          |          |          
            |          |           --3.34%--leaf
            |          |          
            |           --23.32%--recurse
            |                     |          
            |                      --10.00%--recurse
            |          
            |--10.00%--recurse
            |          recurse
            |          recurse
            |          |          
            |          |--6.67%--recurse
            |          |          
            |           --3.34%--leaf
            |          
             --6.67%--once
                       recurse
                       recurse
                       recurse



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== and those that the CPU has forgotten
argv: perf report --stdio -g caller --no-children -s comm --stitch-lbr -i $DATA/branches/lbr.data --symfs $DATA/branches
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 30  of event 'cycles'
# Event count (approx.): 30034
#
# Overhead  Command
# ........  .......
#
   100.00%  walk   
            |          
            |--93.33%--main
            |          once
            |          |          
            |          |--39.99%--loop
            |          |          |          
            |          |           --3.34%--leaf
            |          |          
            |           --33.32%--recurse
            |                     |          
            |                      --20.00%--recurse
            |                                |          
            |                                 --10.00%--recurse
            |                                           |          
            |                                            --6.67%--recurse
            |          
            |--3.34%--once
            |          recurse
            |          recurse
            |          recurse
            |          
             --3.34%--recurse
                       recurse
                       recurse
                       leaf



#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== nothing to put together
sh: perf report --stdio -q --no-branch-stack --no-children -g none --stitch-lbr -s comm -i $DATA/branches/stack.data --symfs $DATA/branches 2>&1 >/dev/null
--- stdout
Warning:
Can't find LBR callchain. Switch off --stitch-lbr.
Please apply --call-graph lbr when recording.

=== rows of branches, and their kinds
argv: perf report --stdio -s dso_from,symbol_to -i $DATA/branches/stack.data --symfs $DATA/branches
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 56  of event 'cycles'
# Event count (approx.): 56
#
# Overhead  Source Shared Object  Target Symbol  IPC   [IPC Coverage]
# ........  ....................  .............  ....................
#
    58.93%  walk                  [.] loop       0.07  [ 21.1%]      
    19.64%  walk                  [.] once       0.83  [  9.1%]      
    14.29%  walk                  [.] leaf       1.83  [ 28.6%]      
     7.14%  walk                  [.] recurse    0.22  [ 27.3%]      


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

#
# Branch Statistics:
#
COND_FWD:   7.1%
    COND:   7.1%
    CALL:  73.2%
     RET:  19.6%
\\ no newline at end

=== columns of ends with names
argv: perf report --stdio -q -s addr_from,addr_to,srcline_from -i $DATA/branches/stack.data --symfs $DATA/branches --percent-limit 5
--- stdout
    12.50%  [.] once+0x10   [.] loop        walk.c:38       
    12.50%  [.] main+0x10   [.] once        walk.c:45       
     8.93%  [.] loop+0x52   [.] loop+0x44   walk.c:26       
     7.14%  [.] leaf+0x8    [.] leaf+0xe    walk.c:7        
     7.14%  [.] leaf+0x11   [.] loop+0x61   walk.c:12       
     7.14%  [.] loop+0x42   [.] loop+0x54   walk.c:26       
     7.14%  [.] loop+0x57   [.] loop+0x31   walk.c:28       
     7.14%  [.] loop+0x63   [.] loop+0x31   walk.c:29       
     5.36%  [.] loop+0x22   [.] loop+0x3a   walk.c:25       
     5.36%  [.] loop+0x30   [.] once+0x15   walk.c:32       
     5.36%  [.] loop+0x5c   [.] leaf        walk.c:29       



#
# Branch Statistics:
#
COND_FWD:  21.4%
COND_BWD:  19.6%
    COND:  41.1%
  UNCOND:   7.1%
    CALL:  32.1%
IND_CALL:   3.6%
     RET:  16.1%
\\ no newline at end

=== the same rows whoever of many workers makes them, from the first on
sh: show() { PERF_WORKERS=$1 perf report --stdio -b -w 20,20,20,20 -s symbol_from,symbol_to -i $DATA/branches/stack.data --symfs $DATA/branches; }; show 1 >one; for n in 2 3 4 5 6 7 8 9; do show $n >many; cmp one many; done; grep -c '0.07  . 21.1%' one
--- stdout
3

=== recorded on a machine of the other byte order: the same text
sh: make() { python3 $DATA/../tools/make_branch_file.py $DATA/branches/walk $1.data --chain --types --hw-index --group --kernel --samples 30 $2; }; make little; make big --big-endian; head -c 8 big.data; echo; for c in 'report --stdio -b' 'report --stdio --no-branch-stack' 'report --stdio --branch-history' 'report --stats' 'script -F comm,tid,cpu,time,event,period,ip,sym,brstack' 'evlist -v'; do perf $c -i little.data >little; perf $c -i big.data >big; cmp little big && wc -l <big | grep -c '[0-9]'; done
needs: python3 objdump readelf
--- stdout
2ELIFREP
1
1
1
1
1
1
--- stderr any

=== instructions per cycle of where branches went to
argv: perf report --stdio -b -s symbol_from,symbol_to -i $DATA/branches/stack.data --symfs $DATA/branches
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 56  of event 'cycles'
# Event count (approx.): 56
#
# Overhead  Source Symbol  Target Symbol  IPC   [IPC Coverage]
# ........  .............  .............  ....................
#
    39.29%  [.] loop       [.] loop       0.07  [ 21.1%]      
    12.50%  [.] once       [.] loop       0.07  [ 21.1%]      
    12.50%  [.] main       [.] once       0.83  [  9.1%]      
     7.14%  [.] leaf       [.] leaf       1.83  [ 28.6%]      
     7.14%  [.] leaf       [.] loop       0.07  [ 21.1%]      
     5.36%  [.] loop       [.] leaf       1.83  [ 28.6%]      
     5.36%  [.] loop       [.] once       0.83  [  9.1%]      
     3.57%  [.] once       [.] recurse    0.22  [ 27.3%]      
     1.79%  [.] leaf       [.] recurse    0.22  [ 27.3%]      
     1.79%  [.] recurse    [.] leaf       1.83  [ 28.6%]      
     1.79%  [.] recurse    [.] recurse    0.22  [ 27.3%]      
     1.79%  [.] recurse    [.] once       0.83  [  9.1%]      


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

#
# Branch Statistics:
#
COND_FWD:   8.9%
COND_BWD:  39.3%
    COND:  48.2%
    CALL:  32.1%
IND_CALL:   3.6%
     RET:  16.1%
\\ no newline at end

=== instructions per cycle of what is not here
argv: perf report --stdio -b -s dso_to,symbol_to -w 0,0,12 -i $DATA/branches/stack.data --symfs .
threads: 1 2
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 56  of event 'cycles'
# Event count (approx.): 56
#
# Overhead  Target Shared Object  Target Symbo  IPC   [IPC Coverage]
# ........  ....................  ............  ....................
#
    14.29%  walk                  [.] 0x00000000000001a3  -                   
    12.50%  walk                  [.] 0x0000000000000172  -                   
    12.50%  walk                  [.] 0x00000000000001d7  -                   
     8.93%  walk                  [.] 0x00000000000001b6  -                   
     7.14%  walk                  [.] 0x0000000000000144  -                   
     7.14%  walk                  [.] 0x0000000000000152  -                   
     7.14%  walk                  [.] 0x00000000000001c6  -                   
     7.14%  walk                  [.] 0x00000000000001d3  -                   
     5.36%  walk                  [.] 0x00000000000001ac  -                   
     5.36%  walk                  [.] 0x00000000000001ec  -                   
     3.57%  walk                  [.] 0x0000000000000156  -                   
     3.57%  walk                  [.] 0x0000000000000198  -                   
     1.79%  walk                  [.] 0x0000000000000163  -                   
     1.79%  walk                  [.] 0x0000000000000165  -                   
     1.79%  walk                  [.] 0x000000000000020a  -                   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

#
# Branch Statistics:
#
COND_FWD:  21.4%
COND_BWD:  26.8%
    COND:  48.2%
    CALL:  32.1%
IND_CALL:   3.6%
     RET:  16.1%
\\ no newline at end

