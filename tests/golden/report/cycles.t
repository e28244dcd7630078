# --total-cycles. The text of the first case is, but for "# Samples:", that of perf 7.3.
=== blocks of code between branches
argv: perf report --stdio --total-cycles -i $DATA/branches/stack.data --symfs $DATA/branches
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
# Sampled Cycles%  Sampled Cycles  Avg Cycles%  Avg Cycles                                                   [Program Block Range]         Shared Object
# ...............  ..............  ...........  ..........  ......................................................................  ....................
#
           27.38%             841        1.29%         210                                                [walk.c:10 -> walk.c:12]                  walk
           13.15%             404        0.82%         134                                                [walk.c:25 -> walk.c:26]                  walk
           13.09%             402        1.23%         201                                                [walk.c:25 -> walk.c:26]                  walk
           13.05%             401        1.23%         200                                                [walk.c:25 -> walk.c:25]                  walk
           13.02%             400        2.45%         400                                                [walk.c:28 -> walk.c:29]                  walk
            1.66%              51        0.07%          12                                                [walk.c:37 -> walk.c:38]                  walk
            1.53%              47        0.09%          15                                                [walk.c:22 -> walk.c:32]                  walk
            1.37%              42        0.09%          14                                                [walk.c:29 -> walk.c:29]                  walk
            1.30%              40        0.25%          40                                                [walk.c:15 -> walk.c:17]                  walk
            0.46%              14        0.02%           4                                                 [walk.c:10 -> walk.c:7]                  walk
            0.29%               9        0.02%           3                                                [walk.c:27 -> walk.c:28]                  walk
            0.26%               8        0.05%           8                                                [walk.c:15 -> walk.c:16]                  walk
            0.07%               2        0.01%           1                                                [walk.c:38 -> walk.c:39]                  walk
            0.03%               1        0.01%           1                                                [walk.c:19 -> walk.c:19]                  walk
            0.03%               1        0.01%           1                                                [walk.c:22 -> walk.c:25]                  walk
#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

#
# Branch Statistics:
#
COND_FWD:  16.1%
COND_BWD:  32.1%
    COND:  48.2%
    CALL:  32.1%
IND_CALL:   3.6%
     RET:  16.1%
\\ no newline at end

=== without source lines, the largest
sh: cp $DATA/branches/walk . && strip -g walk && perf report --stdio --total-cycles --percent-limit 5 -q -i $DATA/branches/stack.data --symfs .
needs: strip
--- stdout
           27.38%             841        1.29%         210                                                     [leaf+0 -> leaf+17]                  walk
           13.15%             404        0.82%         134                                                    [loop+49 -> loop+82]                  walk
           13.09%             402        1.23%         201                                                    [loop+49 -> loop+66]                  walk
           13.05%             401        1.23%         200                                                    [loop+49 -> loop+56]                  walk
           13.02%             400        2.45%         400                                                    [loop+84 -> loop+92]                  walk

#
# Branch Statistics:
#
COND_FWD:  16.1%
COND_BWD:  32.1%
    COND:  48.2%
    CALL:  32.1%
IND_CALL:   3.6%
     RET:  16.1%
\\ no newline at end

=== separated
sh: perf report --stdio --total-cycles -t';' -i $DATA/branches/stack.data --symfs $DATA/branches | grep -A3 '^# Sampled'
--- stdout
# Sampled Cycles%;Sampled Cycles;Avg Cycles%;Avg Cycles;[Program Block Range];Shared Object
27.38%         ;841           ;1.29%      ;210       ;[walk.c:10 -> walk.c:12];walk
13.15%         ;404           ;0.82%      ;134       ;[walk.c:25 -> walk.c:26];walk
13.09%         ;402           ;1.23%      ;201       ;[walk.c:25 -> walk.c:26];walk

=== a recording without branches has rows
sh: perf report --stdio --total-cycles --no-branch-stack -g none -i $DATA/branches/stack.data --symfs $DATA/branches | grep -A3 '^# Children'
--- stdout
# Children      Self  Command  Shared Object  Symbol     
# ........  ........  .......  .............  ...........
#
   100.00%    24.99%  walk     walk           [.] main

=== blocks have no hierarchy
argv: perf report --stdio --total-cycles --hierarchy -i $DATA/branches/stack.data
exit: 255
--- stderr
error: --total-cycles has no --hierarchy: its rows are blocks of code

