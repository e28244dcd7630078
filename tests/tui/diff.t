# perf diff on a terminal.
=== rows, their order, objects and limit; help
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
screen
|'cpu-clock:u' of base-1.data and new-1.data                                1-3/3
|  Baseline  Delta Abs  Shared Object  Symbol
|    34.00%    +32.67%  work           [.] alpha
|    62.00%    -28.67%  work           [.] beta
|     4.00%             work           [.] delta
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys h
screen diff-help
|Keys
|Differences
|
|  Enter m         menu of a row
|  +               unfold or fold the call paths of a function (with -g)
|  - c             fold them
|  E               unfold all rows
|  C               fold all rows
|  a               code of the row's function, in one of the recordings
|  d               only rows of the row's object
|  /               show rows with a text in their names only
|  L               show rows that differ by some percentage points only
|  o               order rows by a column
|  ESC LEFT        end the search, show all objects, the usual order; leave perf
|  TAB             next event (with Shift: the one before)
|  v               choose an event
|  P               write the rows as they are to perf.hist.N
|  i               headers of the recordings
|
|In all views
|
|  h ? F1          this page (in code ? finds a text)
|  ESC LEFT        back to where you came from
|h: help   Enter: menu   /: search   ESC q: back
keys <Esc> o <Enter>
has > by Baseline |
screen
|> by Baseline | 'cpu-clock:u' of base-1.data and new-1.data                1-3/3
|  Baseline  Delta Abs  Shared Object  Symbol
|    62.00%    -28.67%  work           [.] beta
|    34.00%    +32.67%  work           [.] alpha
|     4.00%             work           [.] delta
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Esc>
has not > by
keys d
has > work |
keys <Left>
has not > work |
keys / b e t <Enter>
has > /bet
has not alpha
keys <Esc>
has alpha
keys L 3 0 <Enter>
has > 30 points or more
has not beta
keys L x <Enter>
has 'x' are no percentage points from 0 to 100
keys L <Esc>
has > 30 points or more
keys <Tab>
has there are no other events
keys P
has written to perf.hist.0
sh grep -q '+32.67%  work           \[.\] alpha$' perf.hist.0
keys v
has Events
keys <Enter> <Esc>
exit 0

=== several runs, with intervals; other events
before cp $DATA/diff/*-?.data .
$ perf diff --base base-1.data base-2.data base-3.data --new new-1.data new-2.data new-3.data
screen diff
|'cpu-clock:u' of base-1.data, base-2.data and 4 more                       1-4/4
|  Baseline  Delta Abs    +- 95%  Shared Object  Symbol
|    40.72%    +20.53%    17.08%  work           [.] alpha
|    55.72%    -19.06%    25.52%  work           [.] beta
|               +2.09%     5.87%  work           [.] gamma_
|     3.56%                8.34%  work           [.] delta
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys i
has Headers of the recordings
has base-1.data (base)
keys <Esc> q
exit 0

=== call paths unfold below their functions; 200x50, UTF-8
locale C.UTF-8
size 200x50
before cp $DATA/diff/*-?.data .
$ perf diff -g alike-1.data alike-2.data
lines 1-8
|'cpu-clock:u' of alike-1.data and alike-2.data                                                                                                                                                     1-5/5
|  Baseline  Delta Abs  Shared Object     Symbol                   Call Path
|+    9.59%     -6.77%  work              [.] both.cold
|+    8.22%     +4.46%  libwork-1.2.so *  [.] gamma_
|+   53.42%     +2.91%  work              [.] alpha.constprop.0 *
|+    9.59%     -1.14%  work              [.] work::beta
|+   19.18%     +0.54%  work              [.] both
|
keys <Down> <Down> +
screen diff-paths
|'cpu-clock:u' of alike-1.data and alike-2.data                                                                                                                                                     1-7/7
|  Baseline  Delta Abs  Shared Object     Symbol                   Call Path
|+    9.59%     -6.77%  work              [.] both.cold
|+    8.22%     +4.46%  libwork-1.2.so *  [.] gamma_
|-   53.42%     +2.91%  work              [.] alpha.constprop.0 *
|    10.96%    +34.11%                                             _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;slow_path
|    42.47%    -31.20%                                             _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;fast_path
|+    9.59%     -1.14%  work              [.] work::beta
|+   19.18%     +0.54%  work              [.] both
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys -
has +   53.42%
keys E
lines 1-14
|'cpu-clock:u' of alike-1.data and alike-2.data                                                                                                                                                   1-11/11
|  Baseline  Delta Abs  Shared Object     Symbol                   Call Path
|-    9.59%     -6.77%  work              [.] both.cold
|     9.59%     -6.77%                                             _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main
|-    8.22%     +4.46%  libwork-1.2.so *  [.] gamma_
|     8.22%     +4.46%                                             _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main
|-   53.42%     +2.91%  work              [.] alpha.constprop.0 *
|    10.96%    +34.11%                                             _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;slow_path
|    42.47%    -31.20%                                             _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main;fast_path
|-    9.59%     -1.14%  work              [.] work::beta
|     9.59%     -1.14%                                             _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main
|-   19.18%     +0.54%  work              [.] both
|    19.18%     +0.54%                                             _start;__libc_start_main@@GLIBC_2.34;__libc_start_call_main;main
|
keys C
lines 1-8
|'cpu-clock:u' of alike-1.data and alike-2.data                                                                                                                                                     1-5/5
|  Baseline  Delta Abs  Shared Object     Symbol                   Call Path
|+    9.59%     -6.77%  work              [.] both.cold
|+    8.22%     +4.46%  libwork-1.2.so *  [.] gamma_
|+   53.42%     +2.91%  work              [.] alpha.constprop.0 *
|+    9.59%     -1.14%  work              [.] work::beta
|+   19.18%     +0.54%  work              [.] both
|
keys c o
has rows of a hierarchy have an order of their own
keys /
has rows of a hierarchy are not searched
keys d
has rows of a hierarchy are not searched
keys <Home> m
has Fold or unfold the call paths
keys <Enter>
has -    9.59%
keys q
exit 0

=== the code of a function in one of the recordings
locale C.UTF-8
before cp $DATA/annotate/spin.data other.data
size 120x30
$ perf diff -f --symfs $DATA/annotate $DATA/annotate/spin.data other.data
has 'cpu-clock:u' of
keys a
has Code of spin in other.data
keys <Down> <Enter>
has spin  /annotate-test/spin
has other.data
keys <Esc> <Tab>
has 'task-clock:u'
keys <Enter>
has Only rows of this object
keys <Down> <Down> <Enter>
has > spin |
keys q
exit 0

=== no function, no code; ratio
before cp $DATA/perfdata/quipper-perf.data.callgraph-3.8 x.data
$ perf diff -c ratio x.data x.data
lines 1-4
|'cycles' of x.data and x.data                                            1-16/16
|  Baseline           Ratio  Shared Object         Symbol
|    61.33%        1.000000  chrome                [.] [unknown]
|    31.91%        1.000000  [kernel.kallsyms]     [k] [unknown]
keys a
has the row is no function
keys q
exit 0

=== text with --stdio, for --fail-above, and by tui.diff
before cp $DATA/diff/*-1.data .
before perf config --user tui.diff=false
$ sh -c 'perf diff base-1.data new-1.data; perf config --user tui.diff=true; perf diff --stdio base-1.data new-1.data; perf diff --fail-above 90 base-1.data new-1.data'
has # Event 'cpu-clock:u'
has not 1-3/3
exit 0

=== a window that is too small, and one that changes
size 19x4
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
has too small
keys / x <Esc>
resize 60x10
screen
|'cpu-clock:u' of base-1.data and new-1.data            1-3/3
|  Baseline  Delta Abs  Shared Object  Symbol
|    34.00%    +32.67%  work           [.] alpha
|    62.00%    -28.67%  work           [.] beta
|     4.00%             work           [.] delta
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys q
exit 0

=== wide, in ASCII
size 200x50
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
screen
|'cpu-clock:u' of base-1.data and new-1.data                                                                                                                                                        1-3/3
|  Baseline  Delta Abs  Shared Object  Symbol
|    34.00%    +32.67%  work           [.] alpha
|    62.00%    -28.67%  work           [.] beta
|     4.00%             work           [.] delta
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys q
exit 0
