# perf diff. (The reference prints the same of two and more recordings; of what begins with --base it knows nothing.)
=== two recordings: shares in points, the largest difference first
sh: cd $DATA/diff && perf diff -f base-1.data new-1.data
threads: 1 2 3
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    34.00%    +32.67%  work           [.] alpha
    62.00%    -28.67%  work           [.] beta
     4.00%             work           [.] delta

=== the growth first
sh: cd $DATA/diff && perf diff -f -c delta base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline    Delta  Shared Object  Symbol   
# ........  .......  .............  .........
#
    34.00%  +32.67%  work           [.] alpha
    62.00%  -28.67%  work           [.] beta
     4.00%           work           [.] delta

=== ratios of periods, with periods
sh: cd $DATA/diff && perf diff -f -c ratio -p base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline     Base period           Ratio          Period  Shared Object  Symbol   
# ........  ..............  ..............  ..............  .............  .........
#
    34.00%        21250000        1.647059        35000000  work           [.] alpha
    62.00%        38750000        0.451613        17500000  work           [.] beta
     4.00%         2500000                                  work           [.] delta

=== weighted differences and how they come about
sh: cd $DATA/diff && perf diff -f -c wdiff:1,2 -F base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline   Weighted diff                                                                 Formula  Shared Object  Symbol   
# ........  ..............  ......................................................................  .............  .........
#
    34.00%        48750000                                         (35000000 * 2) - (21250000 * 1)  work           [.] alpha
    62.00%        -3750000                                         (17500000 * 2) - (38750000 * 1)  work           [.] beta
     4.00%                                                                                          work           [.] delta

=== formulas of shares
sh: cd $DATA/diff && perf diff -f -F base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs                                                                 Formula  Shared Object  Symbol   
# ........  .........  ......................................................................  .............  .........
#
    34.00%    +32.67%               (35000000 * 100 / 52500000) - (21250000 * 100 / 62500000)  work           [.] alpha
    62.00%    -28.67%               (17500000 * 100 / 52500000) - (38750000 * 100 / 62500000)  work           [.] beta
     4.00%                                                                                     work           [.] delta

=== what both have: the base's shares are of that
sh: cd $DATA/diff && perf diff -f -b base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    35.42%    +32.67%  work           [.] alpha
    64.58%    -28.67%  work           [.] beta

=== by the base
sh: cd $DATA/diff && perf diff -f -o 0 base-3.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    48.89%    +17.78%  work           [.] alpha
    44.44%    -11.11%  work           [.] beta
     6.67%             work           [.] delta

=== three recordings, ordered by the last
sh: cd $DATA/diff && perf diff -f -o 2 base-1.data base-3.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Data files:
#  [0] base-1.data (Baseline)
#  [1] base-3.data 
#  [2] new-1.data 
#
# Baseline/0  Delta Abs/1  Delta Abs/2  Shared Object  Symbol   
# ..........  ...........  ...........  .............  .........
#
      34.00%      +14.89%      +32.67%  work           [.] alpha
      62.00%      -17.56%      -28.67%  work           [.] beta
       4.00%       +2.67%               work           [.] delta

=== other keys
sh: cd $DATA/diff && perf diff -f -s comm,dso base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Command  Shared Object
# ........  .........  .......  .............
#
   100.00%     +0.00%  work     work         

=== one symbol: its column goes
sh: cd $DATA/diff && perf diff -f -S alpha base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Shared Object
# ........  .........  .............
#
    34.00%    +32.67%  work         

=== shares of what is left
sh: cd $DATA/diff && perf diff -f -S alpha,beta --percentage relative base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    35.42%    +31.25%  work           [.] alpha
    64.58%    -31.25%  work           [.] beta

=== separated
sh: cd $DATA/diff && perf diff -f -t , -p -c ratio base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline,   Base period,         Ratio,        Period,Shared Object,Symbol   
34.00   ,21250000      ,      1.647059,35000000      ,work         ,[.] alpha
62.00   ,38750000      ,      0.451613,17500000      ,work         ,[.] beta
4.00    ,2500000       ,              ,              ,work         ,[.] delta

=== no names where they are not known: one row for an object's code, not a row with one of its addresses
sh: cd $DATA/perfdata && perf diff -f --symfs /nothing quipper-perf.data.singleprocess-3.4 quipper-perf.data.singleprocess-3.4 | head -12
--- stdout
# Event 'cycles'
#
# Baseline  Delta Abs  Shared Object      Symbol                
# ........  .........  .................  ......................
#
   100.00%     +0.00%  [kernel.kallsyms]  [k] [unknown]

# Event 'instructions'
#
# Baseline  Delta Abs  Shared Object      Symbol                
# ........  .........  .................  ......................
#

=== an address where no other was sampled in that object; the same with any number of workers
sh: cd $DATA/perfdata && f=simpleperf-perf_with_two_event_types.data; perf diff -f -q --symfs /nothing -s comm,dso,symbol $f $f
threads: 1 2 3 5
--- stdout
    66.68%     +0.00%  sleep    libc-2.19.so       [.] [unknown]
    31.56%     +0.00%  sleep    [kernel.kallsyms]  [k] [unknown]
     1.77%     +0.00%  simplep  [kernel.kallsyms]  [k] [unknown]
    50.00%     +0.00%  sleep    ld-2.19.so        [.] 0x00000000000113c0
    50.00%     +0.00%  sleep    libc-2.19.so      [.] [unknown]

=== parts of recordings
sh: cd $DATA/diff && perf diff -f --time 0%-50%:50%-100% base-1.data base-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    48.00%    -28.00%  work           [.] alpha
    48.00%    +28.00%  work           [.] beta
     4.00%     +0.00%  work           [.] delta

=== the names of two recordings
sh: cd $DATA/diff && perf diff -f -v -s comm base-1.data new-1.data
--- stdout
# Event 'cpu-clock:u'
#
# Data files:
#  [0] base-1.data (Baseline)
#  [1] new-1.data 
#
# Baseline  Delta Abs  Command
# ........  .........  .......
#
   100.00%     +0.00%  work   

=== only rows
sh: cd $DATA/diff && perf diff -f -q base-1.data new-1.data
--- stdout
    34.00%    +32.67%  work           [.] alpha
    62.00%    -28.67%  work           [.] beta
     4.00%             work           [.] delta

=== no names: perf.data.old and perf.data
sh: cp $DATA/diff/base-1.data perf.data.old; cp $DATA/diff/new-1.data perf.data; perf diff -q; perf diff -q $DATA/diff/base-1.data -f
--- stdout
    34.00%    +32.67%  work           [.] alpha
    62.00%    -28.67%  work           [.] beta
     4.00%             work           [.] delta
    62.00%     +0.00%  work           [.] beta
    34.00%     +0.00%  work           [.] alpha
     4.00%     +0.00%  work           [.] delta

=== several runs a side
sh: cd $DATA/diff && perf diff -f --base base-*.data --new new-*.data -p
threads: 1 2 3
--- stdout
# Event 'cpu-clock:u'
#
# Data files:
#  [0] base-1.data (Baseline)
#  [1] base-2.data (Baseline)
#  [2] base-3.data (Baseline)
#  [3] new-1.data 
#  [4] new-2.data 
#  [5] new-3.data 
#
# Baseline     Base period  Delta Abs    +- 95%          Period  Shared Object  Symbol    
# ........  ..............  .........  ........  ..............  .............  ..........
#
    40.72%        25416666    +20.53%    17.08%        37500000  work           [.] alpha
    55.72%        35416666    -19.06%    25.52%        22500000  work           [.] beta
                         0     +2.09%     5.87%         1250000  work           [.] gamma_
     3.56%         2083333                8.34%                  work           [.] delta

=== options between them, sides in any order
sh: cd $DATA/diff && perf diff --new new-1.data new-2.data -s comm,sym --base base-1.data base-2.data -q -f
--- stdout
    61.36%    -24.92%    40.24%  work     [.] beta
    36.64%    +24.60%    76.69%  work     [.] alpha
               +2.33%    29.55%  work     [.] gamma_
     2.00%               25.41%  work     [.] delta

=== what is certain
sh: cd $DATA/diff && perf diff -f -q --significant --base base-*.data --new new-*.data
--- stdout
    40.72%    +20.53%    17.08%  work           [.] alpha

=== above the noise
sh: cd $DATA/diff && perf diff -f -q --noise 5 base-1.data new-1.data
--- stdout
    34.00%    +32.67%  work           [.] alpha
    62.00%    -28.67%  work           [.] beta

=== shares of samples, of the base's time, of the base
sh: cd $DATA/diff && for w in samples time base; do perf diff -f --normalize $w -p base-1.data new-1.data; done
--- stdout
# Event 'cpu-clock:u'
#
# Baseline    Base samples  Delta Abs         Samples  Shared Object  Symbol   
# ........  ..............  .........  ..............  .............  .........
#
    34.00%              17    +32.67%              28  work           [.] alpha
    62.00%              31    -28.67%              14  work           [.] beta
     4.00%               2                             work           [.] delta
# Event 'cpu-clock:u'
#
# Baseline     Base period  Delta Abs          Period  Shared Object  Symbol   
# ........  ..............  .........  ..............  .............  .........
#
    34.00%        21250000    +32.94%        35000000  work           [.] alpha
    62.00%        38750000    -28.53%        17500000  work           [.] beta
     4.00%         2500000                             work           [.] delta
# Event 'cpu-clock:u'
#
# Baseline     Base period  Delta Abs          Period  Shared Object  Symbol   
# ........  ..............  .........  ..............  .............  .........
#
    62.00%        38750000    -34.00%        17500000  work           [.] beta
    34.00%        21250000    +22.00%        35000000  work           [.] alpha
     4.00%         2500000                             work           [.] delta

=== an exit status for CI
sh: cd $DATA/diff && perf diff -f -q --fail-above 5 --base base-*.data --new new-*.data; echo $?; perf diff -f -q --fail-above 90 base-1.data new-1.data; echo $?
--- stdout
    40.72%    +20.53%    17.08%  work           [.] alpha
    55.72%    -19.06%    25.52%  work           [.] beta
               +2.09%     5.87%  work           [.] gamma_
     3.56%                8.34%  work           [.] delta
1
    34.00%    +32.67%  work           [.] alpha
    62.00%    -28.67%  work           [.] beta
     4.00%             work           [.] delta
0
--- stderr
error: work alpha grew by 20.53 +- 17.08 points, more than 5

=== growth that its interval doubts does not fail
sh: cd $DATA/diff && perf diff -f -q --fail-above 0 --base base-*.data --new base-3.data base-1.data base-2.data; echo $?
--- stdout
    55.72%     +0.00%    25.42%  work           [.] beta
    40.72%     +0.00%    17.11%  work           [.] alpha
     3.56%     +0.00%     7.61%  work           [.] delta
0

=== JSON
sh: cd $DATA/diff && perf diff -f --json -p --base base-1.data base-2.data --new new-1.data new-2.data | grep -v '"captured"\|"total_memory_kb"'
threads: 1 2 3
--- stdout
{
	"schema": "perf diff",
	"version": 1,
	"files": [
		{
			"header": {
				"file": "base-1.data",
				"hostname": "box",
				"os_release": "6.18.44-fc-v669",
				"perf_version": "7.0.0.g6a03326dc45b",
				"arch": "x86_64",
				"cpudesc": "AMD EPYC",
				"cpuid": "AuthenticAMD,25,17,1",
				"cpus_online": 2,
				"cpus_available": 2,
				"cmdline": "/usr/bin/perf record -q -B -N -o base-1.data -F 800 -e cpu-clock:u --embed-symbols ./work 101 500 500",
				"first_sample_time": 24970.545018684,
				"last_sample_time": 24970.606259889
			},
			"samples": 50,
			"lost": {"samples": 0, "events": 0, "chunks": 0, "throttled": 0, "bad_samples": 0, "unknown_samples": 0}
		},
		{
			"header": {
				"file": "base-2.data",
				"hostname": "box",
				"os_release": "6.18.44-fc-v669",
				"perf_version": "7.0.0.g6a03326dc45b",
				"arch": "x86_64",
				"cpudesc": "AMD EPYC",
				"cpuid": "AuthenticAMD,25,17,1",
				"cpus_online": 2,
				"cpus_available": 2,
				"cmdline": "/usr/bin/perf record -q -B -N -o base-2.data -F 800 -e cpu-clock:u --embed-symbols ./work 102 500 500",
				"first_sample_time": 24970.631360141,
				"last_sample_time": 24970.700094289
			},
			"samples": 56,
			"lost": {"samples": 0, "events": 0, "chunks": 0, "throttled": 0, "bad_samples": 0, "unknown_samples": 0}
		},
		{
			"header": {
				"file": "new-1.data",
				"hostname": "box",
				"os_release": "6.18.44-fc-v669",
				"perf_version": "7.0.0.g6a03326dc45b",
				"arch": "x86_64",
				"cpudesc": "AMD EPYC",
				"cpuid": "AuthenticAMD,25,17,1",
				"cpus_online": 2,
				"cpus_available": 2,
				"cmdline": "/usr/bin/perf record -q -B -N -o new-1.data -F 800 -e cpu-clock:u --embed-symbols ./work 99 700 300",
				"first_sample_time": 24970.996005622,
				"last_sample_time": 24971.047237243
			},
			"samples": 42,
			"lost": {"samples": 0, "events": 0, "chunks": 0, "throttled": 0, "bad_samples": 0, "unknown_samples": 0}
		},
		{
			"header": {
				"file": "new-2.data",
				"hostname": "box",
				"os_release": "6.18.44-fc-v669",
				"perf_version": "7.0.0.g6a03326dc45b",
				"arch": "x86_64",
				"cpudesc": "AMD EPYC",
				"cpuid": "AuthenticAMD,25,17,1",
				"cpus_online": 2,
				"cpus_available": 2,
				"cmdline": "/usr/bin/perf record -q -B -N -o new-2.data -F 800 -e cpu-clock:u --embed-symbols ./work 98 700 300",
				"first_sample_time": 24971.058224876,
				"last_sample_time": 24971.110724456
			},
			"samples": 43,
			"lost": {"samples": 0, "events": 0, "chunks": 0, "throttled": 0, "bad_samples": 0, "unknown_samples": 0}
		}
	],
	"only": {},
	"sections": [
		{
			"events": [
				{"name": "cpu-clock:u", "samples": 50, "period": 66250000}
			],
			"grouped": false,
			"group": null,
			"base_files": 2,
			"time": null,
			"columns": [
				{"name": "baseline", "header": "Baseline", "unit": "period", "percent": true},
				{"name": "base_period", "header": "Base period", "unit": "period"},
				{"name": "delta", "header": "Delta Abs", "unit": "points"},
				{"name": "interval", "header": "+- 95%", "unit": "points"},
				{"name": "period", "header": "Period", "unit": "period"},
				{"name": "dso", "header": "Shared Object", "unit": "text"},
				{"name": "symbol", "header": "Symbol", "unit": "text"}
			],
			"rows": [
				{"id": 0, "cells": {"baseline": 40625000, "baseline_percent": 61.3571, "base_period": 40625000, "delta": -24.923034, "interval": 40.236257, "period": 19375000, "dso": "work", "symbol_level": ".", "symbol": "beta"}},
				{"id": 1, "cells": {"baseline": 24375000, "baseline_percent": 36.6429, "base_period": 24375000, "delta": 24.597453, "interval": 76.689989, "period": 32500000, "dso": "work", "symbol_level": ".", "symbol": "alpha"}},
				{"id": 2, "cells": {"baseline": null, "baseline_percent": null, "base_period": null, "delta": 2.325581, "interval": 29.548837, "period": 1250000, "dso": "work", "symbol_level": ".", "symbol": "gamma_"}},
				{"id": 3, "cells": {"baseline": 1250000, "baseline_percent": 2.0000, "base_period": 1250000, "delta": null, "interval": 25.412000, "period": null, "dso": "work", "symbol_level": ".", "symbol": "delta"}}
			]
		}
	]
}

=== JSON of ratios
sh: cd $DATA/diff && perf diff -f --json -c ratio base-1.data new-1.data | sed -n '/"rows"/,$p'
--- stdout
			"rows": [
				{"id": 0, "cells": {"baseline": 21250000, "baseline_percent": 34.0000, "ratio": 1.647059, "dso": "work", "symbol_level": ".", "symbol": "alpha"}},
				{"id": 1, "cells": {"baseline": 38750000, "baseline_percent": 62.0000, "ratio": 0.451613, "dso": "work", "symbol_level": ".", "symbol": "beta"}},
				{"id": 2, "cells": {"baseline": 2500000, "baseline_percent": 4.0000, "ratio": null, "dso": "work", "symbol_level": ".", "symbol": "delta"}}
			]
		}
	]
}

