# perf diff -c cycles, --cycles-hist, --stream: branch records (text as the reference 7.3 has it, but for rows that it leaves out).
=== cycles of blocks
sh: cd $DATA/branches && perf diff -f --symfs . -c cycles stack.data later.data
threads: 1 2 3
--- stdout
# Event 'cycles'
#
# Baseline                                       [Program Block Range] Cycles Diff  Shared Object  Symbol     
# ........  ......................................................................  .............  ...........
#
    41.66%                                           [walk.c:28 -> walk.c:29] -397  walk           [.] loop
    41.66%                                           [walk.c:25 -> walk.c:26] -194  walk           [.] loop
    41.66%                                           [walk.c:22 -> walk.c:25]  146  walk           [.] loop
    41.66%                                           [walk.c:25 -> walk.c:25]  -90  walk           [.] loop
    41.66%                                           [walk.c:27 -> walk.c:28]   72  walk           [.] loop
    41.66%                                           [walk.c:29 -> walk.c:29]  -12  walk           [.] loop
    41.66%                                           [walk.c:32 -> walk.c:32]    0  walk           [.] loop
    41.66%                                           [walk.c:27 -> walk.c:26]    0  walk           [.] loop
    24.99%                                           [walk.c:43 -> walk.c:45]    1  walk           [.] main
    16.68%                                           [walk.c:37 -> walk.c:38]   68  walk           [.] once
    16.68%                                           [walk.c:38 -> walk.c:39]    0  walk           [.] once
     8.34%                                           [walk.c:15 -> walk.c:17]  -32  walk           [.] recurse
     8.34%                                           [walk.c:19 -> walk.c:19]    8  walk           [.] recurse
     8.34%                                           [walk.c:15 -> walk.c:16]   -7  walk           [.] recurse
     8.34%                                           [walk.c:18 -> walk.c:18]    0  walk           [.] recurse
     8.34%                                           [walk.c:18 -> walk.c:18]    0  walk           [.] recurse

=== how much they differ (those of loop have one measurement each, as most others)
sh: cd $DATA/branches && perf diff -f --symfs . -c cycles --cycles-hist -s sym -p stack.data later.data | grep -v 'loop$'
threads: 1 2 3
--- stdout
# Event 'cycles'
#
# Baseline     Base period                                       [Program Block Range] Cycles Diff        stddev/Hist          Period  Symbol     
# ........  ..............  ......................................................................  .................  ..............  ...........
#
    24.99%            3001                                           [walk.c:43 -> walk.c:45]    1  ± 58.4% ▃▁█▂                 1001  [.] main
    16.68%            2003                                           [walk.c:37 -> walk.c:38]   68  ± 86.8% ▁▁▁█                 1001  [.] once
    16.68%            2003                                           [walk.c:38 -> walk.c:39]    0                               1001  [.] once
     8.34%            1002                                           [walk.c:15 -> walk.c:17]  -32                               4002  [.] recurse
     8.34%            1002                                           [walk.c:19 -> walk.c:19]    8                               4002  [.] recurse
     8.34%            1002                                           [walk.c:15 -> walk.c:16]   -7                               4002  [.] recurse
     8.34%            1002                                           [walk.c:18 -> walk.c:18]    0                               4002  [.] recurse
     8.34%            1002                                           [walk.c:18 -> walk.c:18]    0                               4002  [.] recurse

=== both orders, and the same
sh: cd $DATA/branches && perf diff -f --symfs . -q -c cycles later.data stack.data | head -4; perf diff -f --symfs . -q -c cycles --cycles-hist stack.data stack.data | head -3
--- stdout
    50.01%                                           [walk.c:28 -> walk.c:29]  397  walk           [.] loop
    50.01%                                           [walk.c:25 -> walk.c:26]  194  walk           [.] loop
    50.01%                                           [walk.c:22 -> walk.c:25] -146  walk           [.] loop
    50.01%                                           [walk.c:25 -> walk.c:25]   90  walk           [.] loop
    41.66%                                           [walk.c:22 -> walk.c:25]    0                     walk           [.] loop
    41.66%                                           [walk.c:22 -> walk.c:32]    0                     walk           [.] loop
    41.66%                                           [walk.c:25 -> walk.c:25]    0                     walk           [.] loop

=== three recordings: a block is one row
sh: cd $DATA/branches && perf diff -f --symfs . -q -c cycles stack.data later.data stack.data | head -5
--- stdout
      41.66%                                           [walk.c:28 -> walk.c:29] -397                                           [walk.c:28 -> walk.c:29]    0  walk           [.] loop
      41.66%                                           [walk.c:25 -> walk.c:26] -194                                           [walk.c:25 -> walk.c:26]    0  walk           [.] loop
      41.66%                                           [walk.c:22 -> walk.c:25]  146                                           [walk.c:22 -> walk.c:25]    0  walk           [.] loop
      41.66%                                           [walk.c:25 -> walk.c:25]  -90                                           [walk.c:25 -> walk.c:25]    0  walk           [.] loop
      41.66%                                           [walk.c:27 -> walk.c:28]   72                                           [walk.c:27 -> walk.c:28]    0  walk           [.] loop

=== functions without lines, separated
sh: cd $DATA/branches && strip -g -o $TMP/walk walk && perf diff -f --symfs $TMP -q -c cycles -t, stack.data later.data | head -5
--- stdout
41.66   ,[loop+84 -> loop+92] -397                                             ,walk         ,[.] loop
41.66   ,[loop+49 -> loop+66] -194                                             ,walk         ,[.] loop
41.66   ,[loop+0 -> loop+34]  146                                              ,walk         ,[.] loop
41.66   ,[loop+49 -> loop+56]  -90                                             ,walk         ,[.] loop
41.66   ,[loop+68 -> loop+87]   72                                             ,walk         ,[.] loop

=== JSON of blocks
sh: cd $DATA/branches && perf diff -f --symfs . --json -c cycles stack.data later.data | sed -n '/"columns"/,/"id": 2/p'
threads: 1 2
--- stdout
			"columns": [
				{"name": "baseline", "header": "Baseline", "unit": "period", "percent": true},
				{"name": "range", "header": "Range", "unit": "text"},
				{"name": "base_cycles", "header": "Base cycles", "unit": "cycles"},
				{"name": "cycles", "header": "Cycles", "unit": "cycles"},
				{"name": "cycles_delta", "header": "Cycles Diff", "unit": "cycles"},
				{"name": "spread", "header": "stddev", "unit": "points"},
				{"name": "dso", "header": "Shared Object", "unit": "text"},
				{"name": "symbol", "header": "Symbol", "unit": "text"}
			],
			"rows": [
				{"id": 0, "cells": {"baseline": 5003, "baseline_percent": 41.6570, "range": "[walk.c:28 -> walk.c:29]", "base_cycles": 400, "cycles": 3, "cycles_delta": -397, "spread": null, "dso": "walk", "symbol_level": ".", "symbol": "loop"}},
				{"id": 1, "cells": {"baseline": 5003, "baseline_percent": 41.6570, "range": "[walk.c:25 -> walk.c:26]", "base_cycles": 201, "cycles": 7, "cycles_delta": -194, "spread": null, "dso": "walk", "symbol_level": ".", "symbol": "loop"}},
				{"id": 2, "cells": {"baseline": 5003, "baseline_percent": 41.6570, "range": "[walk.c:22 -> walk.c:25]", "base_cycles": 1, "cycles": 147, "cycles_delta": 146, "spread": null, "dso": "walk", "symbol_level": ".", "symbol": "loop"}},

=== hot streams
sh: cd $DATA/branches && perf diff -f --symfs . --stream stack.data stack.data
threads: 1 2 3
--- stdout
[ Matched hot streams ]

hot chain pair 1:
          cycles: 222, hits: 16.68%	          cycles: 222, hits: 16.68%
        ---------------------------	         --------------------------
                     loop walk.c:22	                     loop walk.c:22
                     once walk.c:38	                     once walk.c:38
                     once walk.c:37	                     once walk.c:37
                     main walk.c:45	                     main walk.c:45
                     loop walk.c:25	                     loop walk.c:25

hot chain pair 2:
            cycles: 0, hits: 16.66%	            cycles: 0, hits: 16.66%
        ---------------------------	         --------------------------
                     main walk.c:45	                     main walk.c:45

hot chain pair 3:
            cycles: 19, hits: 8.34%	            cycles: 19, hits: 8.34%
        ---------------------------	         --------------------------
                  recurse walk.c:18	                  recurse walk.c:18
                  recurse walk.c:16	                  recurse walk.c:16
                  recurse walk.c:15	                  recurse walk.c:15
                     once walk.c:39	                     once walk.c:39
                     once walk.c:38	                     once walk.c:38
                     loop walk.c:32	                     loop walk.c:32
                     loop walk.c:22	                     loop walk.c:22
                     once walk.c:38	                     once walk.c:38
                     once walk.c:37	                     once walk.c:37
                     main walk.c:45	                     main walk.c:45

hot chain pair 4:
           cycles: 528, hits: 8.34%	           cycles: 528, hits: 8.34%
        ---------------------------	         --------------------------
                     once walk.c:39	                     once walk.c:39
                  recurse walk.c:19	                  recurse walk.c:19
                  recurse walk.c:19	                  recurse walk.c:19
                     leaf walk.c:12	                     leaf walk.c:12
                     leaf walk.c:11	                     leaf walk.c:11
                      leaf walk.c:7	                      leaf walk.c:7
                     leaf walk.c:10	                     leaf walk.c:10
                  recurse walk.c:17	                  recurse walk.c:17
                  recurse walk.c:15	                  recurse walk.c:15
                     once walk.c:39	                     once walk.c:39
                     once walk.c:38	                     once walk.c:38
                     loop walk.c:32	                     loop walk.c:32
                     loop walk.c:32	                     loop walk.c:32
                     loop walk.c:25	                     loop walk.c:25
                     loop walk.c:25	                     loop walk.c:25
                     loop walk.c:29	                     loop walk.c:29

hot chain pair 5:
           cycles: 855, hits: 8.33%	           cycles: 855, hits: 8.33%
        ---------------------------	         --------------------------
                     once walk.c:38	                     once walk.c:38
                     loop walk.c:32	                     loop walk.c:32
                     loop walk.c:32	                     loop walk.c:32
                     loop walk.c:25	                     loop walk.c:25
                     loop walk.c:25	                     loop walk.c:25
                     loop walk.c:28	                     loop walk.c:28
                     loop walk.c:28	                     loop walk.c:28
                     loop walk.c:26	                     loop walk.c:26
                     loop walk.c:25	                     loop walk.c:25
                     loop walk.c:28	                     loop walk.c:28
                     loop walk.c:27	                     loop walk.c:27
                     loop walk.c:26	                     loop walk.c:26
                     loop walk.c:25	                     loop walk.c:25
                     loop walk.c:29	                     loop walk.c:29
                     loop walk.c:29	                     loop walk.c:29
                     leaf walk.c:12	                     leaf walk.c:12
                     leaf walk.c:11	                     leaf walk.c:11
                      leaf walk.c:7	                      leaf walk.c:7

[ Hot streams in old perf data only ]

[ Hot streams in new perf data only ]

=== hot streams of which none is in both: the first of each recording, and the weights of all
sh: cd $DATA/branches && perf diff -f --symfs . --stream stack.data later.data | awk '/^\[/ {shown = 1} /^hot chain [^1]/ {shown = 0} shown || /hits/'
threads: 1 2 3
--- stdout
[ Matched hot streams ]

[ Hot streams in old perf data only ]

hot chain 1:
          cycles: 222, hits: 16.68%
         --------------------------
                     loop walk.c:22
                     once walk.c:38
                     once walk.c:37
                     main walk.c:45
                     loop walk.c:25

            cycles: 0, hits: 16.66%
            cycles: 19, hits: 8.34%
           cycles: 528, hits: 8.34%
           cycles: 855, hits: 8.33%
[ Hot streams in new perf data only ]

hot chain 1:
                                   	            cycles: 63, hits: 8.34%
                                   	         --------------------------
                                   	                     loop walk.c:29
                                   	                     loop walk.c:29
                                   	                     leaf walk.c:12
                                   	                     leaf walk.c:11
                                   	                      leaf walk.c:7
                                   	                     leaf walk.c:10
                                   	                     loop walk.c:29
                                   	                     loop walk.c:28
                                   	                     loop walk.c:26
                                   	                     loop walk.c:26
                                   	                     loop walk.c:25
                                   	                     loop walk.c:22
                                   	                     once walk.c:38
                                   	                     once walk.c:37
                                   	                     main walk.c:45

                                   	           cycles: 848, hits: 8.34%
                                   	           cycles: 806, hits: 8.33%
                                   	           cycles: 404, hits: 8.33%
                                   	            cycles: 52, hits: 8.33%

=== JSON of streams
sh: cd $DATA/branches && perf diff -f --symfs . --json --stream stack.data stack.data | sed -n '/"streams"/,$p' | head -3
--- stdout
			"streams": [
				{"base": {"period": 2003, "percent": 16.6778, "cycles": 222, "frames": ["loop walk.c:22", "once walk.c:38", "once walk.c:37", "main walk.c:45", "loop walk.c:25"]}, "other": {"period": 2003, "percent": 16.6778, "cycles": 222, "frames": ["loop walk.c:22", "once walk.c:38", "once walk.c:37", "main walk.c:45", "loop walk.c:25"]}},
				{"base": {"period": 2001, "percent": 16.6611, "cycles": 0, "frames": ["main walk.c:45"]}, "other": {"period": 2001, "percent": 16.6611, "cycles": 0, "frames": ["main walk.c:45"]}},

=== refused
sh: cd $DATA/branches && perf diff -f --cycles-hist stack.data later.data 2>&1 | head -1; perf diff --stream a b c 2>&1 | head -1; perf diff -c cycles --fail-above 1 a b 2>&1 | head -1; perf diff --stream --fail-above 1 a b 2>&1 | head -1; perf diff -f -c cycles -s dso stack.data later.data 2>&1 | head -1; for o in --stream "-c cycles"; do perf diff -f $o ../diff/base-1.data stack.data; echo $?; done
--- stdout
--cycles-hist is of -c cycles
--stream compares two recordings
--fail-above compares shares: not with -c cycles, --stream
--fail-above compares shares: not with -c cycles, --stream
Error:
255
255
--- stderr
error: ../diff/base-1.data: there are no branch records to compare (record -b)
error: ../diff/base-1.data: there are no branch records to compare (record -b)

