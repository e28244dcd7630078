# perf diff: what is called differently in both recordings and yet is the same; call paths.
=== clones, hashes, versions: one row, marked and told
sh: cd $DATA/diff && perf diff -f alike-1.data alike-2.data
threads: 1 2 3
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Shared Object     Symbol                 
# ........  .........  ................  .......................
#
     9.59%     -6.77%  work              [.] both.cold
     8.22%     +4.46%  libwork-1.2.so *  [.] gamma_
    53.42%     +2.91%  work              [.] alpha.constprop.0 *
     9.59%     -1.14%  work              [.] work::beta
    19.18%     +0.54%  work              [.] both
#
# * taken for the same, by name:
#   object libwork-1.2.so = libwork-1.3.so
#   alpha.constprop.0 = alpha

=== by full names
sh: cd $DATA/diff && perf diff -f --exact-names alike-1.data alike-2.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Shared Object   Symbol               
# ........  .........  ..............  .....................
#
              +56.34%  work            [.] alpha
              +12.68%  libwork-1.3.so  [.] gamma_
     9.59%     -6.77%  work            [.] both.cold
     9.59%     -1.14%  work            [.] work::beta
    19.18%     +0.54%  work            [.] both
    53.42%             work            [.] alpha.constprop.0
     8.22%             libwork-1.2.so  [.] gamma_

=== the base is the other one; only rows
sh: cd $DATA/diff && perf diff -f -q alike-2.data alike-1.data
--- stdout
     2.82%     +6.77%  work              [.] both.cold
    12.68%     -4.46%  libwork-1.3.so *  [.] gamma_
    56.34%     -2.91%  work              [.] alpha *            
     8.45%     +1.14%  work              [.] work::beta
    19.72%     -0.54%  work              [.] both

=== what both have stays apart
sh: cd $DATA/diff && perf diff -f -S both,both.cold -t, alike-1.data alike-2.data
--- stdout
# Event 'cpu-clock:u'
#
# Baseline,Delta Abs,Shared Object,Symbol       
9.59    ,-6.77%   ,work         ,[.] both.cold
19.18   ,+0.54%   ,work         ,[.] both

=== growth is that of all names
sh: cd $DATA/diff && perf diff -f -q -S alpha,alpha.constprop.0 --fail-above 10 alike-1.data alike-2.data; echo $?; perf diff -f -q -S alpha,alpha.constprop.0 --exact-names --fail-above 10 alike-1.data alike-2.data; echo $?
--- stdout
    53.42%     +2.91%  work           [.] alpha.constprop.0 *
0
              +56.34%  work           [.] alpha
    53.42%             work           [.] alpha.constprop.0
1
--- stderr
error: work alpha grew by 56.34 points, more than 10

=== call paths
sh: cd $DATA/diff && perf diff -f -g alike-1.data alike-2.data
threads: 1 2 3
--- stdout
# Event 'cpu-clock:u'
#
# Baseline  Delta Abs  Shared Object     Symbol                   Call Path                                                                 
# ........  .........  ................  .......................  ..........................................................................
#
    10.96%    +34.11%  work              [.] alpha.constprop.0 *  _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;slow_path
    42.47%    -31.20%  work              [.] alpha.constprop.0 *  _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;fast_path
     9.59%     -6.77%  work              [.] both.cold            _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main          
     8.22%     +4.46%  libwork-1.2.so *  [.] gamma_               _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main          
     9.59%     -1.14%  work              [.] work::beta           _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main          
    19.18%     +0.54%  work              [.] both                 _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main          
#
# * taken for the same, by name:
#   object libwork-1.2.so = libwork-1.3.so
#   alpha.constprop.0 = alpha

=== call paths that lost come first with -c delta; several runs; without chains
sh: cd $DATA/diff && perf diff -f -q -g -c delta -s sym alike-1.data alike-2.data | head -2; perf diff -f -q -g --significant --base alike-1.data alike-1.data --new alike-2.data alike-2.data | head -2; perf diff -f -q -g base-1.data new-1.data
--- stdout
    10.96%  +34.11%  [.] alpha.constprop.0 *  _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;slow_path
     8.22%   +4.46%  [.] gamma_               _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main          
    10.96%    +34.11%     0.00%  work              [.] alpha.constprop.0 *  _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;slow_path
    42.47%    -31.20%     0.00%  work              [.] alpha.constprop.0 *  _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;fast_path
    34.00%    +32.67%  work           [.] alpha           
    62.00%    -28.67%  work           [.] beta            
     4.00%             work           [.] delta           

=== JSON
sh: cd $DATA/diff && perf diff -f --json -g alike-1.data alike-2.data | sed -n '/"matched"/,$p'
threads: 1 2
--- stdout
			"matched": [
				{"kind": "object", "names": ["libwork-1.2.so", "libwork-1.3.so"]},
				{"kind": "symbol", "names": ["alpha.constprop.0", "alpha"]}
			],
			"columns": [
				{"name": "baseline", "header": "Baseline", "unit": "period", "percent": true},
				{"name": "delta", "header": "Delta Abs", "unit": "points"},
				{"name": "dso", "header": "Shared Object", "unit": "text"},
				{"name": "symbol", "header": "Symbol", "unit": "text"},
				{"name": "call_path", "header": "Call Path", "unit": "text"}
			],
			"rows": [
				{"id": 0, "cells": {"baseline": 10000000, "baseline_percent": 10.9589, "delta": 34.111518, "dso": "work", "symbol_level": ".", "symbol": "alpha.constprop.0", "call_path": "_start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;slow_path"}},
				{"id": 1, "cells": {"baseline": 38750000, "baseline_percent": 42.4658, "delta": -31.198148, "dso": "work", "symbol_level": ".", "symbol": "alpha.constprop.0", "call_path": "_start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;fast_path"}},
				{"id": 2, "cells": {"baseline": 8750000, "baseline_percent": 9.5890, "delta": -6.772140, "dso": "work", "symbol_level": ".", "symbol": "both.cold", "call_path": "_start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main"}},
				{"id": 3, "cells": {"baseline": 7500000, "baseline_percent": 8.2192, "delta": 4.456878, "dso": "libwork-1.2.so", "symbol_level": ".", "symbol": "gamma_", "call_path": "_start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main"}},
				{"id": 4, "cells": {"baseline": 8750000, "baseline_percent": 9.5890, "delta": -1.138337, "dso": "work", "symbol_level": ".", "symbol": "work::beta", "call_path": "_start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main"}},
				{"id": 5, "cells": {"baseline": 17500000, "baseline_percent": 19.1781, "delta": 0.540228, "dso": "work", "symbol_level": ".", "symbol": "both", "call_path": "_start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main"}}
			]
		}
	]
}

=== refused
sh: perf diff -g --stream a b 2>&1 | head -1; perf diff -g -c cycles a b 2>&1 | head -1
--- stdout
-g has a row for each call path: not with -c cycles, --stream
-g has a row for each call path: not with -c cycles, --stream

=== only rows: nothing stands between events
sh: cd $DATA/perfdata && perf diff -f -q --symfs /nothing -s comm quipper-perf.data.lost_samples-4.4 quipper-perf.data.lost_samples-4.4
--- stdout
   100.00%     +0.00%  echo   
   100.00%     +0.00%  echo   
   100.00%     +0.00%  echo   
