=== a flame graph of all, of a frame, of what is zoomed into
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys f
screen flame
|Flame graph of event 'cycles'
|all                                                                            |
|chrome                                     |Compositor     |swapper        |sk
|0       |0x8|0x000000                       0  |00x00       0xfffff|0xfffff|00
|00       0x0x0x00                           0x| 00x00       0xfff|0 0xfffff|00
|         0x  0x                             0x  00          0xff|   0xfffff|0
|                                            0x              0xff|   0xfffff|
|                                            0x              0xff|   0xffff|
|                                            0               0x|0x   0xffff|
|                                            0               0x|0    0xffff|
|                                            0               0x|0    0xffff|
|                                            0               0x|0    0x|0x0
|                                            0               0x|     0x|00
|                                                            0x|     0x|00
|                                                                    0x|00
|                                                                    0x|00
|                                                                    0x|00
|                                                                        0
|                                                                        0
|~
|100.00% of all, 100.00% of what is shown: all
|h: help   Enter: menu   /: search   ESC q: back
keys <Down> <Down> <Right> <Left> <Up> <Down>
screen
|Flame graph of event 'cycles'
|all                                                                            |
|chrome                                     |Compositor     |swapper        |sk
|0       |0x8|0x000000                       0  |00x00       0xfffff|0xfffff|00
|00       0x0x0x00                           0x| 00x00       0xfff|0 0xfffff|00
|         0x  0x                             0x  00          0xff|   0xfffff|0
|                                            0x              0xff|   0xfffff|
|                                            0x              0xff|   0xffff|
|                                            0               0x|0x   0xffff|
|                                            0               0x|0    0xffff|
|                                            0               0x|0    0xffff|
|                                            0               0x|0    0x|0x0
|                                            0               0x|     0x|00
|                                                            0x|     0x|00
|                                                                    0x|00
|                                                                    0x|00
|                                                                    0x|00
|                                                                        0
|                                                                        0
|~
| 10.73% of all,  10.73% of what is shown: 0
|h: help   Enter: menu   /: search   ESC q: back
keys <Enter>
screen
|Flame graph of event 'cycles' > 0
|0                                                                              |
|0x200000|0x7fff6|0x30|0x1|0x0 000000000000000000000
|0000     0x7|0x  000  00  0 0   0
|         0x| 0     0            0
|         0x| 0     0
|         0x| 0     0
|         0x0       0
|         0x        0
|         0x        0
|         0x
|         0x
|         0
|         0
|~
| 10.73% of all, 100.00% of what is shown: 0
|h: help   Enter: menu   /: search   ESC q: back
keys /
type 0xffffffff966
keys <Enter>
has of all are in or below frames with
keys <Esc> u <Esc>
has Samples: 1768
keys f <Down> P <Down> <Enter> P
has written to perf.folded.1
sh perf report --folded -s comm -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 > all; sum() { awk '{ n += $NF } END { printf "%.0f\n", n }' $1; }; test $(sum all) -gt 0 && test $(sum all) = $(sum perf.folded.0)
sh grep -q '^chrome;0x[0-9a-f;x]* [0-9]*$' perf.folded.0 && ! grep -q '^chrome' perf.folded.1 && test $(wc -l < perf.folded.1) -gt 5
keys u <Esc>
keys d f
screen
|Flame graph of event 'cycles' > dso: [kernel.kallsyms]
|all                                                                            |
|swapper                                       |Compositor   |chrome   |kwskkxkp
|0xffffffff96a9e70c     |0xffffffff96eb6389    |0     |0x00x0 0 |00     0x 00 0
|0xffffffff96609c|0xf|00x0xffffffff96eb62ad    |0x20 | 0 00x0 0x 00     0x 00 0
|0xffffffff969a|0x0x0 00x0xffffffff96eb6b29    |0x7fe| 0  0   0         0x  0
|0xffffffff969a|  0 0    0xffffffff96a96ff9    |0xff|  0  0   0         0x  0
|0xffffffff969a|  0 0    0xffffffff96609cda  |0 0xff|  0  0   0         0x
|0xfffffff|0xf|0         0xffffffff969ae71c |0  0xf|          0         0
|0xfffffff|0x000         0xffffffff969ae5fa |   0xf|          0         0
|0xffffff| 0 000         0xffffffff969aea12 |   0x|           0         0
|0xffffff| 0  00         0xfffffff|0xff|0x0x    0x|           0         0
|0xffffff| 0  00         0xfffffff|0x|0x0x0x    0x            0         0
|0xfffff|  0  00         0xffffff| 0x|0x0x0     0x            0         0
|              0         0xffffff| 0x|0x000     0                       0
|                        0xffffff| 0x|0x00      0                       0
|                        0xffffff| 0x|0x0                               0
|                                  00 0x0                               0
|                                     0 0                               0
|                                                                       0
|                                                                       0
|                                                                       0
| 31.91% of all, 100.00% of what is shown: all
|h: help   Enter: menu   /: search   ESC q: back
keys h
has Flame graph
keys <Esc> q q
exit 0

=== the same in ASCII without colours, wide
size 200x50
term vt100
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys f
screen
|Flame graph of event 'cycles'
|all                                                                                                                                                                                                    |
|chrome                                                                                                        |Compositor                             |swapper                              |sh|kwxskpm
|0                   |0x8b48078948|0x|0x0x0x|0x00x00x000000000000                                               0       |0x8|0x|0x00x0000000            0xffffffff96a9e70c|0xffffffff96eb6389|0x 0x  0
|0x0x|000             0x7fe8d|0x7f|0x|0x0x   0    0    00      0                                                0x20|    0x| 0x|0 00 00 00 0            0xffffffff966|0x0x 0xffffffff96eb62ad|0x 0x  0
|  00                 0x5f19e|0    0x|0 0x   0          0                                                       0x7f|    0x| 00 0  0 0   0              0xffffffff9|0 0 0x 0xffffffff96eb6b29|0x 0x  0
|  0                                                                                                            0xf|            0  0                    0xffffffff9|    0  0xffffffff96a96ff9|0x 0x  0
|  0                                                                                                            0xf|            0  0                    0xffffffff9|    0  0xffffffff96609cd|    0
|  0                                                                                                            0x|                                     0xffff|0xf|        0xffffffff969ae7|     0
|  0                                                                                                            0x|                                     0xffff|0x00        0xffffffff969ae5|     0
|  0                                                                                                            0x                                      0xffff|0x          0xffffffff969aea|
|  0                                                                                                            0x                                      0xffff|0x          0xfffff|0xff|0x0
|  0                                                                                                            0                                       0xffff|0           0xfffff|0x|0x0 0
|  0                                                                                                            0                                       0xfff| 0           0xffff| 0x|0 0 0
|                                                                                                               0                                              0           0xffff| 0x|0 0 0
|                                                                                                               0                                              0           0xffff| 0x|0   0
|                                                                                                                                                              0           0xffff| 0x 0
|                                                                                                                                                              0                   0  0
|                                                                                                                                                              0                      0
|~
|100.00% of all, 100.00% of what is shown: all
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== there is none without callchains
$ perf report -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4
keys <Esc> f
has there are no callchains: record them with -g
keys w
has there are no callchains: record them with -g
keys q
exit 0

=== callers and callees
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys w
screen
|symbol: [k] 0xffffffff9661da49: 6.66% with what it calls, 6.66% of its own
|- Callers: who calls it
|   -  6.66% 0xffffffff9661da49
|            0xffffffff9661da80
|            0xffffffff96849cc5
|      +  6.55% 0xffffffff96849fcf
|      +  0.11% 0xffffffff96849dc4
|- Callees: what it calls
|      6.66% 0xffffffff9661da49
|~
|h: help   Enter: menu   /: search   ESC q: back
keys <Down> e <End> <Enter> + -
screen
|symbol: [k] 0xffffffff9661da49: 6.66% with what it calls, 6.66% of its own
|               0xffffffff969ae9c3
|               0xffffffff969aea12
|               0xffffffff969ae5fa
|               0xffffffff969ae71c
|               0xffffffff96609cda
|         -  3.28% 0xffffffff96a96ff9
|                  0xffffffff96eb6b29
|                  0xffffffff96eb62ad
|                  0xffffffff96eb6389
|            3.28% 0xffffffff96a9e70c
|      -  0.11% 0xffffffff96849dc4
|               0xffffffff969ae1c6
|               0xffffffff969ae9c3
|               0xffffffff969aea12
|               0xffffffff969ae5fa
|               0xffffffff969ae71c
|               0xffffffff96609cda
|               0xffffffff96a96ff9
|               0xffffffff96eb6b29
|               0xffffffff96eb62ad
|               0xffffffff96eb6389
|+ Callees: what it calls
|h: help   Enter: menu   /: search   ESC q: back
keys P
has written to perf.hist.0
sh head -1 perf.hist.0 | grep -q '^symbol: .k. 0xffffffff9661da49: 6.66% with' && grep -q '^         -  3.28% 0xffffffff96a96ff9$' perf.hist.0 && test "$(tail -1 perf.hist.0)" = '+ Callees: what it calls'
keys <Esc>
keys o <CtrlU>
type comm
keys <Enter> w
has rows do not tell their symbol
keys q
exit 0

=== of a function in the middle of chains
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys <Down> <Down> w
screen sandwich
|symbol: [k] 0xffffffff969ae5fa: 14.48% with what it calls, 0.00% of its own
|- Callers: who calls it
|   - 14.48% 0xffffffff969ae5fa
|            0xffffffff969ae71c
|            0xffffffff96609cda
|      +  8.30% 0xffffffff96a96ff9
|         6.17% 0xffffffff96a9e70c
|- Callees: what it calls
|   - 14.48% 0xffffffff969ae5fa
|            0xffffffff969aea12
|      +  7.65% 0xffffffff969ae9c3
|      +  2.59% 0xffffffff96aabe8a
|      +  2.55% 0xffffffff96aaa9aa
|      +  0.98% 0xffffffff96aac12a
|      +  0.17% 0xffffffff969ae9cb
|      +  0.12% 0xffffffff969ae9b3
|      +  0.09% 0xffffffff96aac04a
|         0.06% 0xffffffff96aabffc
|         0.06% 0xffffffff969ae1b4
|         0.05% 0xffffffff96669000
|         0.05% 0xffffffff96aabe20
|         0.05% 0xffffffff969ae9cf
|         0.03% 0xffffffff96aac0c0
|h: help   Enter: menu   /: search   ESC q: back
keys h
has Callers and callees
keys <Esc> q q
exit 0

=== a range of the time
locale C.UTF-8
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys T
screen
|Samples in time
|█
|█
|█
|█
|█
|█
|█                                           ▅
|█                                       ▇   █
|█                                       █   █
|█▇                                      █   █                      ▃
|██                                      █   █                      █
|██               ▃                      █ ▁ █             ▁ ▅   ▇  █
|██ ▇ ▄ ▂  ▂     ██                  ▄   █ █ █   ▃       ▂ █ █ ▄ █ ▇█▇ ▄   ▂   ▄
|██ █ █ █  █▄▄ ▆ ██  █▁▄ ▆ ▆ █ █  ▁  █ ▆ █ █ █ ▆ █ ▄ █ █ █ █ █ █ █ ███ █ ▆ █ ▁ █
|██▃█ █ █ ▇███▅█ ██▃▅███ █ █ █ █ ▄█▅ █ █ █ █ █ █ █ █ █ █ █ █ █ █ █ ███ █ █ █ █ █
|████ █▄████████▆███████▂█▄█ █ █▂███▆█▂█ █▄█ █▂█ █ █ █ █ █▆█ █▆█ █ ███▄█ █▄█ █ █▂
|█████████████████████████████▅█████████████▅███▅█ █▁█▃█▃███▅███████████▅███▃█▅██
|█████████████████████████████████████████████████▇██████████████████████████████
|████████████████████████████████████████████████████████████████████████████████
|████████████████████████████████████████████████████████████████████████████████
|at: 346832.328720384,346832.351789056 (0.023069 s)
|SPACE marks an end of a range, Enter reads it alone, a all of the recording
|h: help   Enter: menu   /: search   ESC q: back
keys P
has written to perf.timeline.0
sh head -1 perf.timeline.0 | grep -q '^346832.3[0-9]* [1-9]' && test $(awk '{ n += $2 } END { print n }' perf.timeline.0) = 1768
keys <Right> <Right> <Space> <PgDn> <PgDn> <Left>
screen timeline
|Samples in time
|█
|█
|█
|█
|█
|█
|█                                           ▅
|█                                       ▇   █
|█                                       █   █
|█▇                                      █   █                      ▃
|██                                      █   █                      █
|██               ▃                      █ ▁ █             ▁ ▅   ▇  █
|██ ▇ ▄ ▂  ▂     ██                  ▄   █ █ █   ▃       ▂ █ █ ▄ █ ▇█▇ ▄   ▂   ▄
|██ █ █ █  █▄▄ ▆ ██  █▁▄ ▆ ▆ █ █  ▁  █ ▆ █ █ █ ▆ █ ▄ █ █ █ █ █ █ █ ███ █ ▆ █ ▁ █
|██▃█ █ █ ▇███▅█ ██▃▅███ █ █ █ █ ▄█▅ █ █ █ █ █ █ █ █ █ █ █ █ █ █ █ ███ █ █ █ █ █
|████ █▄████████▆███████▂█▄█ █ █▂███▆█▂█ █▄█ █▂█ █ █ █ █ █▆█ █▆█ █ ███▄█ █▄█ █ █▂
|█████████████████████████████▅█████████████▅███▅█ █▁█▃█▃███▅███████████▅███▃█▅██
|█████████████████████████████████████████████████▇██████████████████████████████
|████████████████████████████████████████████████████████████████████████████████
|████████████████████████████████████████████████████████████████████████████████
|range: 346832.376954880,346832.878174208 (0.501219 s)
|SPACE marks an end of a range, Enter reads it alone, a all of the recording
|h: help   Enter: menu   /: search   ESC q: back
keys h
has Timeline
keys <Esc> <Enter>
has > time
screen
|> time 346832.376954880,346832.878174208 | Samples: 444 of event 'cycle 1-21/400
|  Overhead  Command         Shared Object         Symbol
|+    6.43%  swapper         [kernel.kallsyms]     [k] 0xffffffff9661da49
|+    0.79%  chrome          chrome                [.] 0x00000000046109c1
|+    0.78%  chrome          chrome                [.] 0x0000000003b4ed03
|+    0.67%  chrome          chrome                [.] 0x0000000001aa7486
|+    0.56%  chrome          chrome                [.] 0x0000000004d8a33b
|+    0.53%  chrome          chrome                [.] 0x00000000046163f9
|     0.49%  chrome          chrome                [.] 0x0000000001ec5aa3
|     0.44%  Compositor      [kernel.kallsyms]     [k] 0xffffffff966fe74d
|     0.39%  Compositor      chrome                [.] 0x0000000003b7d4a2
|     0.38%  swapper         [kernel.kallsyms]     [k] 0xffffffff9661da34
|     0.30%  swapper         [kernel.kallsyms]     [k] 0xffffffff967e4548
|     0.29%  kworker/2:2     [kernel.kallsyms]     [k] 0xffffffff96668b73
|     0.29%  chrome          chrome                [.] 0x00000000020e48b8
|     0.29%  chrome          chrome                [.] 0x0000000003b39a4d
|     0.29%  chrome          [kernel.kallsyms]     [k] 0xffffffff96600b0e
|     0.29%  chrome          chrome                [.] 0x00000000020e60ba
|     0.29%  chrome          chrome                [.] 0x00000000046bee80
|     0.29%  chrome          chrome                [.] 0x0000000004615cad
|     0.29%  chrome          chrome                [.] 0x000000000487be0a
|     0.29%  chrome          chrome                [.] 0x00000000020d51e5
|     0.29%  chrome          chrome                [.] 0x00000000045f1ed0
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys T
has Samples in time
keys a
has not > time
keys T <Home> <Enter>
has > time
keys u
has not > time
keys q
exit 0

=== a function that calls itself is among its callees
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -fno-omit-frame-pointer $TESTS/recursive.c -o recursive
before perf record -q -g -e cpu-clock:u -F 999 -o x.data ./recursive
$ perf report -i x.data -s symbol
keys / a g a i n <Enter> w
has symbol: [.] again
has Callers
keys -
has + Callers
has % again
has             again
has not main

=== a flame graph at 80x24, ASCII
size 80x24
locale C
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys f
screen
|Flame graph of event 'cycles'
|all                                                                            |
|chrome                                     |Compositor     |swapper        |sk
|0       |0x8|0x000000                       0  |00x00       0xfffff|0xfffff|00
|00       0x0x0x00                           0x| 00x00       0xfff|0 0xfffff|00
|         0x  0x                             0x  00          0xff|   0xfffff|0
|                                            0x              0xff|   0xfffff|
|                                            0x              0xff|   0xffff|
|                                            0               0x|0x   0xffff|
|                                            0               0x|0    0xffff|
|                                            0               0x|0    0xffff|
|                                            0               0x|0    0x|0x0
|                                            0               0x|     0x|00
|                                                            0x|     0x|00
|                                                                    0x|00
|                                                                    0x|00
|                                                                    0x|00
|                                                                        0
|                                                                        0
|~
|100.00% of all, 100.00% of what is shown: all
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== a flame graph at 80x24, UTF-8
size 80x24
locale C.UTF-8
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys f
screen
|Flame graph of event 'cycles'
|all                                                                            |
|chrome                                     |Compositor     |swapper        |sk
|0       |0x8|0x000000                       0  |00x00       0xfffff|0xfffff|00
|00       0x0x0x00                           0x| 00x00       0xfff|0 0xfffff|00
|         0x  0x                             0x  00          0xff|   0xfffff|0
|                                            0x              0xff|   0xfffff|
|                                            0x              0xff|   0xffff|
|                                            0               0x|0x   0xffff|
|                                            0               0x|0    0xffff|
|                                            0               0x|0    0xffff|
|                                            0               0x|0    0x|0x0
|                                            0               0x|     0x|00
|                                                            0x|     0x|00
|                                                                    0x|00
|                                                                    0x|00
|                                                                    0x|00
|                                                                        0
|                                                                        0
|~
|100.00% of all, 100.00% of what is shown: all
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== a flame graph at 200x50, ASCII
size 200x50
locale C
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys f
screen
|Flame graph of event 'cycles'
|all                                                                                                                                                                                                    |
|chrome                                                                                                        |Compositor                             |swapper                              |sh|kwxskpm
|0                   |0x8b48078948|0x|0x0x0x|0x00x00x000000000000                                               0       |0x8|0x|0x00x0000000            0xffffffff96a9e70c|0xffffffff96eb6389|0x 0x  0
|0x0x|000             0x7fe8d|0x7f|0x|0x0x   0    0    00      0                                                0x20|    0x| 0x|0 00 00 00 0            0xffffffff966|0x0x 0xffffffff96eb62ad|0x 0x  0
|  00                 0x5f19e|0    0x|0 0x   0          0                                                       0x7f|    0x| 00 0  0 0   0              0xffffffff9|0 0 0x 0xffffffff96eb6b29|0x 0x  0
|  0                                                                                                            0xf|            0  0                    0xffffffff9|    0  0xffffffff96a96ff9|0x 0x  0
|  0                                                                                                            0xf|            0  0                    0xffffffff9|    0  0xffffffff96609cd|    0
|  0                                                                                                            0x|                                     0xffff|0xf|        0xffffffff969ae7|     0
|  0                                                                                                            0x|                                     0xffff|0x00        0xffffffff969ae5|     0
|  0                                                                                                            0x                                      0xffff|0x          0xffffffff969aea|
|  0                                                                                                            0x                                      0xffff|0x          0xfffff|0xff|0x0
|  0                                                                                                            0                                       0xffff|0           0xfffff|0x|0x0 0
|  0                                                                                                            0                                       0xfff| 0           0xffff| 0x|0 0 0
|                                                                                                               0                                              0           0xffff| 0x|0 0 0
|                                                                                                               0                                              0           0xffff| 0x|0   0
|                                                                                                                                                              0           0xffff| 0x 0
|                                                                                                                                                              0                   0  0
|                                                                                                                                                              0                      0
|~
|100.00% of all, 100.00% of what is shown: all
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== a flame graph at 200x50, UTF-8
size 200x50
locale C.UTF-8
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys f
screen
|Flame graph of event 'cycles'
|all                                                                                                                                                                                                    |
|chrome                                                                                                        |Compositor                             |swapper                              |sh|kwxskpm
|0                   |0x8b48078948|0x|0x0x0x|0x00x00x000000000000                                               0       |0x8|0x|0x00x0000000            0xffffffff96a9e70c|0xffffffff96eb6389|0x 0x  0
|0x0x|000             0x7fe8d|0x7f|0x|0x0x   0    0    00      0                                                0x20|    0x| 0x|0 00 00 00 0            0xffffffff966|0x0x 0xffffffff96eb62ad|0x 0x  0
|  00                 0x5f19e|0    0x|0 0x   0          0                                                       0x7f|    0x| 00 0  0 0   0              0xffffffff9|0 0 0x 0xffffffff96eb6b29|0x 0x  0
|  0                                                                                                            0xf|            0  0                    0xffffffff9|    0  0xffffffff96a96ff9|0x 0x  0
|  0                                                                                                            0xf|            0  0                    0xffffffff9|    0  0xffffffff96609cd|    0
|  0                                                                                                            0x|                                     0xffff|0xf|        0xffffffff969ae7|     0
|  0                                                                                                            0x|                                     0xffff|0x00        0xffffffff969ae5|     0
|  0                                                                                                            0x                                      0xffff|0x          0xffffffff969aea|
|  0                                                                                                            0x                                      0xffff|0x          0xfffff|0xff|0x0
|  0                                                                                                            0                                       0xffff|0           0xfffff|0x|0x0 0
|  0                                                                                                            0                                       0xfff| 0           0xffff| 0x|0 0 0
|                                                                                                               0                                              0           0xffff| 0x|0 0 0
|                                                                                                               0                                              0           0xffff| 0x|0   0
|                                                                                                                                                              0           0xffff| 0x 0
|                                                                                                                                                              0                   0  0
|                                                                                                                                                              0                      0
|~
|100.00% of all, 100.00% of what is shown: all
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== callers and callees at 80x24, ASCII
size 80x24
locale C
$ perf report  -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys <Down> w
screen
|symbol: [k] 0xffffffff969ae71c: 14.48% with what it calls, 0.00% of its own
|- Callers: who calls it
|   - 14.48% 0xffffffff969ae71c
|            0xffffffff96609cda
|      +  8.30% 0xffffffff96a96ff9
|         6.17% 0xffffffff96a9e70c
|- Callees: what it calls
|   - 14.48% 0xffffffff969ae71c
|            0xffffffff969ae5fa
|            0xffffffff969aea12
|      +  7.65% 0xffffffff969ae9c3
|      +  2.59% 0xffffffff96aabe8a
|      +  2.55% 0xffffffff96aaa9aa
|      +  0.98% 0xffffffff96aac12a
|      +  0.17% 0xffffffff969ae9cb
|      +  0.12% 0xffffffff969ae9b3
|      +  0.09% 0xffffffff96aac04a
|         0.06% 0xffffffff96aabffc
|         0.06% 0xffffffff969ae1b4
|         0.05% 0xffffffff96669000
|         0.05% 0xffffffff96aabe20
|         0.05% 0xffffffff969ae9cf
|         0.03% 0xffffffff96aac0c0
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== callers and callees at 80x24, UTF-8
size 80x24
locale C.UTF-8
$ perf report  -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys <Down> w
screen
|symbol: [k] 0xffffffff969ae71c: 14.48% with what it calls, 0.00% of its own
|- Callers: who calls it
|   - 14.48% 0xffffffff969ae71c
|            0xffffffff96609cda
|      +  8.30% 0xffffffff96a96ff9
|         6.17% 0xffffffff96a9e70c
|- Callees: what it calls
|   - 14.48% 0xffffffff969ae71c
|            0xffffffff969ae5fa
|            0xffffffff969aea12
|      +  7.65% 0xffffffff969ae9c3
|      +  2.59% 0xffffffff96aabe8a
|      +  2.55% 0xffffffff96aaa9aa
|      +  0.98% 0xffffffff96aac12a
|      +  0.17% 0xffffffff969ae9cb
|      +  0.12% 0xffffffff969ae9b3
|      +  0.09% 0xffffffff96aac04a
|         0.06% 0xffffffff96aabffc
|         0.06% 0xffffffff969ae1b4
|         0.05% 0xffffffff96669000
|         0.05% 0xffffffff96aabe20
|         0.05% 0xffffffff969ae9cf
|         0.03% 0xffffffff96aac0c0
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== callers and callees at 200x50, ASCII
size 200x50
locale C
$ perf report  -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys <Down> w
screen
|symbol: [k] 0xffffffff969ae71c: 14.48% with what it calls, 0.00% of its own
|- Callers: who calls it
|   - 14.48% 0xffffffff969ae71c
|            0xffffffff96609cda
|      +  8.30% 0xffffffff96a96ff9
|         6.17% 0xffffffff96a9e70c
|- Callees: what it calls
|   - 14.48% 0xffffffff969ae71c
|            0xffffffff969ae5fa
|            0xffffffff969aea12
|      +  7.65% 0xffffffff969ae9c3
|      +  2.59% 0xffffffff96aabe8a
|      +  2.55% 0xffffffff96aaa9aa
|      +  0.98% 0xffffffff96aac12a
|      +  0.17% 0xffffffff969ae9cb
|      +  0.12% 0xffffffff969ae9b3
|      +  0.09% 0xffffffff96aac04a
|         0.06% 0xffffffff96aabffc
|         0.06% 0xffffffff969ae1b4
|         0.05% 0xffffffff96669000
|         0.05% 0xffffffff96aabe20
|         0.05% 0xffffffff969ae9cf
|         0.03% 0xffffffff96aac0c0
|         0.03% 0xffffffff96aabbd6
|~
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== callers and callees at 200x50, UTF-8
size 200x50
locale C.UTF-8
$ perf report  -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys <Down> w
screen
|symbol: [k] 0xffffffff969ae71c: 14.48% with what it calls, 0.00% of its own
|- Callers: who calls it
|   - 14.48% 0xffffffff969ae71c
|            0xffffffff96609cda
|      +  8.30% 0xffffffff96a96ff9
|         6.17% 0xffffffff96a9e70c
|- Callees: what it calls
|   - 14.48% 0xffffffff969ae71c
|            0xffffffff969ae5fa
|            0xffffffff969aea12
|      +  7.65% 0xffffffff969ae9c3
|      +  2.59% 0xffffffff96aabe8a
|      +  2.55% 0xffffffff96aaa9aa
|      +  0.98% 0xffffffff96aac12a
|      +  0.17% 0xffffffff969ae9cb
|      +  0.12% 0xffffffff969ae9b3
|      +  0.09% 0xffffffff96aac04a
|         0.06% 0xffffffff96aabffc
|         0.06% 0xffffffff969ae1b4
|         0.05% 0xffffffff96669000
|         0.05% 0xffffffff96aabe20
|         0.05% 0xffffffff969ae9cf
|         0.03% 0xffffffff96aac0c0
|         0.03% 0xffffffff96aabbd6
|~
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== a timeline at 80x24, ASCII
size 80x24
locale C
$ perf report  -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys T
screen
|Samples in time
|#
|#
|#
|#
|#
|#
|#                                           +
|#                                       #   #
|#                                       #   #
|##                                      #   #                      :
|##                                      #   #                      #
|##               :                      # . #             . +   #  #
|## # : .  .     ##                  :   # # #   :       . # # : # ### :   .   :
|## # # #  #:: + ##  #.: + + # #  .  # + # # # + # : # # # # # # # ### # + # . #
|##:# # # ####+# ##:+### # # # # :#+ # # # # # # # # # # # # # # # ### # # # # #
|#### #:########+#######.#:# # #.###+#.# #:# #.# # # # # #+# #+# # ###:# #:# # #.
|#############################+#############+###+# #.#:#:###+###########+###:#+##
|################################################################################
|################################################################################
|################################################################################
|at: 346832.328720384,346832.351789056 (0.023069 s)
|SPACE marks an end of a range, Enter reads it alone, a all of the recording
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== a timeline at 80x24, UTF-8
size 80x24
locale C.UTF-8
$ perf report  -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys T
screen
|Samples in time
|█
|█
|█
|█
|█
|█
|█                                           ▅
|█                                       ▇   █
|█                                       █   █
|█▇                                      █   █                      ▃
|██                                      █   █                      █
|██               ▃                      █ ▁ █             ▁ ▅   ▇  █
|██ ▇ ▄ ▂  ▂     ██                  ▄   █ █ █   ▃       ▂ █ █ ▄ █ ▇█▇ ▄   ▂   ▄
|██ █ █ █  █▄▄ ▆ ██  █▁▄ ▆ ▆ █ █  ▁  █ ▆ █ █ █ ▆ █ ▄ █ █ █ █ █ █ █ ███ █ ▆ █ ▁ █
|██▃█ █ █ ▇███▅█ ██▃▅███ █ █ █ █ ▄█▅ █ █ █ █ █ █ █ █ █ █ █ █ █ █ █ ███ █ █ █ █ █
|████ █▄████████▆███████▂█▄█ █ █▂███▆█▂█ █▄█ █▂█ █ █ █ █ █▆█ █▆█ █ ███▄█ █▄█ █ █▂
|█████████████████████████████▅█████████████▅███▅█ █▁█▃█▃███▅███████████▅███▃█▅██
|█████████████████████████████████████████████████▇██████████████████████████████
|████████████████████████████████████████████████████████████████████████████████
|████████████████████████████████████████████████████████████████████████████████
|at: 346832.328720384,346832.351789056 (0.023069 s)
|SPACE marks an end of a range, Enter reads it alone, a all of the recording
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== a timeline at 200x50, ASCII
size 200x50
locale C
$ perf report  -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys T
screen
|Samples in time
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#
|#                                                                                                               +
|#                                                                                                               #
|#                                                                                                               #
|#                                                                                                               #
|#                                                                                                               #
|#                                                                                                               #
|#                                                                                                               #
|#                                                                                                               #
|#                                                                                                   .           #
|#                                                                                                   #           #
|# +                                                                                                 #           #                                                      +.
|# #                                                                                                 #           #                                                      ##
|# #                                     :                                                           #           #                                                      ##
|# #                                     # + :                                                    :  #           #                             :                        ##
|### :       .                      :    # # #       #                                            #  # :         #                             #         #  :    : .    ##
|### #    :  #                      #    # # #       #    :    :            :                     #  # #         #  :    :                     #         #  #    # #    ##                          :
|### #    #  #    :    :       :    #    # # #       #    #  : #            #    :                #  # # ::      #  #    #                     #         #  #    # #  : ##      : :     :           #
|### #    #  #    # +  #    + +# + +#    # # #     + # ++ #  # #    +       #    #         +      #  # # ##      #  #    #                +    #  +      #+ #    # #  # ##    + # #     #           # +
|### #  . #  #    # #. # ## # ## # ## # .# # ## . .# # ## #  # # .# #  # #  #    # .    #  # # #  # .# # ## #  . #  #    #         . #  . #    #  # #  # ## # .# # #  # ## # .# # ## . +# # #.    . # ##
|### #: # #  # :: # ## # ## # ## # ## # ## # ## # ## # ## # :# # ## #  # #  # :  # #  : # :# # #: # ## # ## #  # #  # :  # :  : :  # #  # #  : #: # #: # ## # ## # #: # ## # ## # ## # ## # ## :  # # ##
|### ## # #  # ## # ## # ## # ## # ## # ## # ## # ## # ## # ## # ## #  # #  # #  # # +# # ## # ## # ## # ## #  # #  # #  # #  # #  # #  # #  # ## # ## # ## # ## # ## # ## # ## # ## # ## # ## # +# # ##
|### ##.# ## # ## # ## # ## # ## # ## # ## # ## # ## # ## # ## # ## # ## # .# # .# # ## # ## # ## # ## # ## # ## ## # ## # #  # #  # #  # #  # ## # ## # ## # ## # ## # ##.# ## # ## # ## # ## # ## # ##
|### #### ## # ## # ## # ##+# ## # ## # ## # ## # ## # ## # ## # ## # ## # ## #:## # ## # ## # ## # ##:# ## # ## ## # ## # #: # # :# # :# #  # ## # ## # ## # ## # ## # #### ## # ## # ## # ## # ## # ##
|### #### ## # ## # ## # #### ## # ## # ##+# ## # ## # ## # ## # ## # ## # ## #### #+## # ## # ## # #### ## # ## ## # ## # ## # # ## #### #++# ##+# ## # ## # ## # ## # #### ## # ## # ## # ## # ## # ##
|### #### ##.# ##.# ## # #### ## # ## # #### ## # ## # ## # ## # ## # ## #.## #### #### # ## # ## # #### ## #.## #### ##.# ## # #### #### #### #### ## # ## # ## # ## # #### #### ## # ## # ## # ## # ##
|### #### #### #### ## # #### ## # ## # #### ## # ## # ## # ## # ## # ## #### #### #### # ## # ## # #### ## #### #### #### #### #### #### #### #### ## # ## # ## # ## # ####:#### ## # ## # ## # ## # ##
|###+#### #### #### ##+# ####+## # ##+# #### ##+# ## # ## # ## # ## #+## #### ####+#### ####+# ## # #### ## ######### #### #### #### ####+#### #######+#### # ## # ## # ######### ## #+## # ## # ## # ##+
|######## #### ######### ####### # #### #### #### #### ## # ## # ## #### ############## ###### ## # ################# #### ######### ######### ################### ############## ## ###### ## ###### ###
|at: 346832.328720384,346832.337108992 (0.008389 s)
|SPACE marks an end of a range, Enter reads it alone, a all of the recording
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== a timeline at 200x50, UTF-8
size 200x50
locale C.UTF-8
$ perf report  -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys T
screen
|Samples in time
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█
|█                                                                                                               ▅
|█                                                                                                               █
|█                                                                                                               █
|█                                                                                                               █
|█                                                                                                               █
|█                                                                                                               █
|█                                                                                                               █
|█                                                                                                               █
|█                                                                                                   ▂           █
|█                                                                                                   █           █
|█ ▆                                                                                                 █           █                                                      ▆▂
|█ █                                                                                                 █           █                                                      ██
|█ █                                     ▃                                                           █           █                                                      ██
|█ █                                     █ ▅ ▃                                                    ▃  █           █                             ▃                        ██
|█▇█ ▄       ▁                      ▄    █ █ █       ▇                                            █  █ ▄         █                             █         ▇  ▄    ▄ ▁    ██
|███ █    ▃  █                      █    █ █ █       █    ▄    ▄            ▄                     █  █ █         █  ▄    ▄                     █         █  █    █ █    ██                          ▄
|███ █    █  █    ▄    ▄       ▄    █    █ █ █       █    █  ▄ █            █    ▄                █  █ █ ▄▄      █  █    █                     █         █  █    █ █  ▄ ██      ▄ ▄     ▄           █
|███ █    █  █    █ ▆  █    ▆ ▆█ ▆ ▆█    █ █ █     ▆ █ ▆▆ █  █ █    ▆       █    █         ▆      █  █ █ ██      █  █    █                ▅    █  ▆      █▆ █    █ █  █ ██    ▅ █ █     █           █ ▆
|███ █  ▂ █  █    █ █▂ █ ██ █ ██ █ ██ █ ▂█ █ ██ ▂ ▂█ █ ██ █  █ █ ▂█ █  █ █  █    █ ▂    █  █ █ █  █ ▂█ █ ██ █  ▂ █  █    █         ▂ █  ▂ █    █  █ █  █ ██ █ ▂█ █ █  █ ██ █ ▂█ █ ██ ▂ ▅█ █ █▂    ▂ █ ██
|███ █▄ █ █  █ ▄▄ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ▄█ █ ██ █  █ █  █ ▄  █ █  ▄ █ ▄█ █ █▄ █ ██ █ ██ █  █ █  █ ▄  █ ▄  ▄ ▄  █ █  █ █  ▄ █▄ █ █▄ █ ██ █ ██ █ █▄ █ ██ █ ██ █ ██ █ ██ █ ██ ▄  █ █ ██
|███ ██ █ █  █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █  █ █  █ █  █ █ ▆█ █ ██ █ ██ █ ██ █ ██ █  █ █  █ █  █ █  █ █  █ █  █ █  █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ▆█ █ ██
|███ ██▂█ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ▂█ █ ▂█ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ ██ █ ██ █ █  █ █  █ █  █ █  █ ██ █ ██ █ ██ █ ██ █ ██ █ ██▂█ ██ █ ██ █ ██ █ ██ █ ██ █ ██
|███ ████ ██ █ ██ █ ██ █ ██▆█ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █▃██ █ ██ █ ██ █ ██ █ ██▃█ ██ █ ██ ██ █ ██ █ █▃ █ █ ▃█ █ ▃█ █  █ ██ █ ██ █ ██ █ ██ █ ██ █ ████ ██ █ ██ █ ██ █ ██ █ ██ █ ██
|███ ████ ██ █ ██ █ ██ █ ████ ██ █ ██ █ ██▅█ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █ ██ ████ █▅██ █ ██ █ ██ █ ████ ██ █ ██ ██ █ ██ █ ██ █ █ ██ █▇██ █▅▅█ ██▅█ ██ █ ██ █ ██ █ ██ █ ████ ██ █ ██ █ ██ █ ██ █ ██ █ ██
|███ ████ ██▁█ ██▁█ ██ █ ████ ██ █ ██ █ ████ ██ █ ██ █ ██ █ ██ █ ██ █ ██ █▁██ ████ ████ █ ██ █ ██ █ ████ ██ █▁██ ██▇█ ██▁█ ██ █ █▇██ ████ ████ ████ ██ █ ██ █ ██ █ ██ █ ████ ██▇█ ██ █ ██ █ ██ █ ██ █ ██
|███ ████ ████ ████ ██ █ ████ ██ █ ██ █ ████ ██ █ ██ █ ██ █ ██ █ ██ █ ██ ████ ████ ████ █ ██ █ ██ █ ████ ██ ████ ████ ████ ██▇█ ████ ████ ████ ████ ██ █ ██ █ ██ █ ██ █ ████▃████ ██ █ ██ █ ██ █ ██ █ ██
|███▅████ ████ ████ ██▅█ ████▅██ █ ██▅█ ████ ██▅█ ██ █ ██ █ ██ █ ██ █▅██ ████ ████▅████ ████▅█ ██ █ ████ ██ █████████ ████ ████ ████ ████▅████ ███████▅████ █ ██ █ ██ █ █████████ ██ █▅██ █ ██ █ ██ █ ██▅
|████████ ████ ████▇████ ███████ █ ████ ████ ████ ██▇█ ██ █ ██ █ ██ ████ ████▇█████████ ██████ ██ █ ████▇████████████ ████ ████▇████ █████████ ████████████▇█▇██▇█ ████▇█████████ ██ ████▇█ ██ ████▇█ ███
|at: 346832.328720384,346832.337108992 (0.008389 s)
|SPACE marks an end of a range, Enter reads it alone, a all of the recording
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0
