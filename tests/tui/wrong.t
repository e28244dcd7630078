# What goes wrong while the screen is open, and recordings that are not worth showing.
=== the recording is cut while it is shown: rows stay, what reads again tells it
before cp $DATA/perfdata/quipper-perf.data.callgraph-3.8 x.data
$ perf report -i x.data
sh : >x.data
keys + <Down> E C <PgDn> f
has Flame graph
keys q t
has > comm
keys u a
has its address has no symbol
keys r <Enter>
screen
|perf script -f -i x.data
|error: zero-sized data ('x.data'), nothing to do
|
|(exit status 255)
|~
|h: help   Enter: menu   /: search   ESC q: back
keys q V
exit 255
has error: zero-sized data ('x.data'), nothing to do

=== it is replaced by another, by a folder, and removed
before cp $DATA/perfdata/quipper-perf.data.callgraph-3.8 x.data
$ perf report -i x.data
sh cp $DATA/annotate/spin.data y.data; mv y.data x.data
keys V
until spin
sh rm x.data
keys s
has no recording is in this folder
sh mkdir x.data
keys V
exit 255
has error: failed to open 'x.data/data': No such file or directory

=== code whose file is removed, or is another one, when it is asked for
before cp $DATA/annotate/spin.data .; mkdir annotate-test; cp $DATA/annotate/annotate-test/spin annotate-test
$ perf report -f -i spin.data --symfs .
has spin
sh rm annotate-test/spin
keys a
screen
|Samples: 42 of events 'anon group { cpu-clock:u, task-clock:u }', Event co 1-1/1
|          Overhead  Command  Shared Object  Symbol
|   100.00% 100.00%  spin     spin           [.] spin
|~
|no code of 'spin' in '/annotate-test/spin' is known
sh cp /bin/true annotate-test/spin
keys a
screen
|Samples: 42 of events 'anon group { cpu-clock:u, task-clock:u }', Event co 1-1/1
|          Overhead  Command  Shared Object  Symbol
|   100.00% 100.00%  spin     spin           [.] spin
|~
|no code of 'spin' in '/annotate-test/spin' is known
keys q
exit 0

=== a message that the last line has no room for takes lines above it, until the next key
size 40x8
before cp $DATA/annotate/spin.data .
$ perf report -f -i spin.data --symfs .
has spin
keys a
screen
|Samples: 42 of events 'anon group  1-5/7
|          Overhead  Command  Shared Obj
|    42.86%  42.86%  spin     spin
|    23.81%  23.81%  spin     spin
|    14.29%  14.29%  spin     spin
|     4.76%   4.76%  spin     spin
|the line is no function: its address has
|no symbol
keys H
screen
|Samples: 42 of events 'anon group  1-5/7
|          Overhead  Command  Shared Obj
|    42.86%  42.86%  spin     spin
|    23.81%  23.81%  spin     spin
|    14.29%  14.29%  spin     spin
|     4.76%   4.76%  spin     spin
|     4.76%   4.76%  spin     spin
|h: help   Enter: menu   /: search   ESC:
keys q
exit 0

=== the code that is shown is cut, and asked for anew
before cp $DATA/annotate/spin.data .; mkdir annotate-test; cp $DATA/annotate/annotate-test/spin annotate-test
$ perf annotate -f -i spin.data --symfs .
has add
sh : >annotate-test/spin
keys s T <PgDn> P
has written to
keys <Esc> <Enter>
screen
|Functions with samples of 'cpu-clock:u'  1-1/1
|Overhead     Samples  Shared Object         Symbol
| 100.00%          21  spin                  spin
|~
|no code of 'spin': its file has none at this address
keys q q
exit 0

=== diff: a recording is cut while it is shown
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
sh : >new-1.data
keys o <Enter> i <Esc> a
lines 1-3
|> by Baseline | 'cpu-clock:u' of base-1.data and new-1.data                1-3/3
|  Baseline  Delta Abs  Shared Object  Symbol
|    62.00%    -28.67%  work           [.] beta
keys q q
exit 0
