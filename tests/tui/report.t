=== rows, call graphs that unfold and fold; 80x24
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
screen first
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942      1-21/3689
|  Children      Self  Command         Shared Object         Symbol
|+   15.74%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae7
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae5
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969aea
|+   11.53%     0.00%  chrome          [unknown]             [.] 0000000000000000
|+    9.73%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96a9e7
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96eb63
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96eb62
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96eb6b
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96a96f
|+    7.65%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae9
|+    7.60%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae1
|+    7.20%     0.06%  swapper         [kernel.kallsyms]     [k] 0xffffffff96849f
|+    7.04%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96849c
|+    7.04%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff9661da
|+    6.66%     6.66%  swapper         [kernel.kallsyms]     [k] 0xffffffff9661da
|+    6.14%     0.00%  chrome          [unknown]             [.] 0x8b48078948fb89
|+    5.34%     0.00%  Compositor      [unknown]             [.] 0000000000000000
|+    3.96%     0.00%  chrome          [unknown]             [.] 0x000005f19e7940
|+    3.96%     0.00%  Compositor      [kernel.kallsyms]     [k] 0xffffffff96aab4
|+    3.56%     0.00%  chrome          chrome                [.] 0x00007fe8d056e6
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys + <Down> <Down> +
screen unfolded
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942      1-21/3698
|  Children      Self  Command         Shared Object         Symbol
|-   15.74%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|     - 15.74% 0xffffffff96609cda
|        - 14.48% 0xffffffff969ae71c
|                 0xffffffff969ae5fa
|                 0xffffffff969aea12
|           +  7.65% 0xffffffff969ae9c3
|           +  2.59% 0xffffffff96aabe8a
|           +  2.55% 0xffffffff96aaa9aa
|           +  0.98% 0xffffffff96aac12a
|           0.77% 0xffffffff969ae687
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae7
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae5
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969aea
|+   11.53%     0.00%  chrome          [unknown]             [.] 0000000000000000
|+    9.73%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96a9e7
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96eb63
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96eb62
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96eb6b
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96a96f
|+    7.65%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae9
|+    7.60%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae1
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Up> - <Down>
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942      1-21/3690
|  Children      Self  Command         Shared Object         Symbol
|-   15.74%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|     + 15.74% 0xffffffff96609cda
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae7
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae5
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969aea
|+   11.53%     0.00%  chrome          [unknown]             [.] 0000000000000000
|+    9.73%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96a9e7
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96eb63
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96eb62
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96eb6b
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96a96f
|+    7.65%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae9
|+    7.60%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae1
|+    7.20%     0.06%  swapper         [kernel.kallsyms]     [k] 0xffffffff96849f
|+    7.04%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96849c
|+    7.04%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff9661da
|+    6.66%     6.66%  swapper         [kernel.kallsyms]     [k] 0xffffffff9661da
|+    6.14%     0.00%  chrome          [unknown]             [.] 0x8b48078948fb89
|+    5.34%     0.00%  Compositor      [unknown]             [.] 0000000000000000
|+    3.96%     0.00%  chrome          [unknown]             [.] 0x000005f19e7940
|+    3.96%     0.00%  Compositor      [kernel.kallsyms]     [k] 0xffffffff96aab4
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Home> e <PgDn>
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942      1-21/3726
|  Children      Self  Command         Shared Object         Symbol
|-   15.74%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|     - 15.74% 0xffffffff96609cda
|        - 14.48% 0xffffffff969ae71c
|                 0xffffffff969ae5fa
|                 0xffffffff969aea12
|           -  7.65% 0xffffffff969ae9c3
|              -  7.60% 0xffffffff969ae1c6
|                 -  7.20% 0xffffffff96849fcf
|                    -  6.93% 0xffffffff96849cc5
|                             0xffffffff9661da80
|                          6.55% 0xffffffff9661da49
|           -  2.59% 0xffffffff96aabe8a
|              -  1.51% 0xffffffff96aaca7c
|                 -  1.18% 0xffffffff9665294a
|                    -  1.04% 0xffffffff9665222e
|                       -  0.74% 0xffffffff96651f4b
|                             0.65% 0xffffffff9665cd31
|           -  2.55% 0xffffffff96aaa9aa
|              -  1.48% 0xffffffff96aac9ad
|                 -  1.46% 0xffffffff96603821
|                          0xffffffff96688e6f
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys c <Home> <PgDn> <PgUp> <Space> <End>
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942 3703-3723/3723
|  Children      Self  Command         Shared Object         Symbol
|     0.01%     0.01%  swapper         [kernel.kallsyms]     [k] 0xffffffff9686cf
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966ae9
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966ae4
|     0.01%     0.01%  swapper         [kernel.kallsyms]     [k] 0xffffffff966aea
|     0.01%     0.01%  swapper         [kernel.kallsyms]     [k] 0xffffffff96613a
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff9660ed
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966ad7
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966104
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966225
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966744
|     0.00%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff9660ee
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966745
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966745
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966ab9
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966ae9
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966ae4
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff9660ee
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff96613a
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff9660ed
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966ad7
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966104
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys E
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942 4454-4474/4474
|  Children      Self  Command         Shared Object         Symbol
|     0.01%     0.01%  swapper         [kernel.kallsyms]     [k] 0xffffffff9686cf
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966ae9
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966ae4
|     0.01%     0.01%  swapper         [kernel.kallsyms]     [k] 0xffffffff966aea
|     0.01%     0.01%  swapper         [kernel.kallsyms]     [k] 0xffffffff96613a
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff9660ed
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966ad7
|     0.01%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966104
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966225
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966744
|     0.00%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff9660ee
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966745
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966745
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966ab9
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966ae9
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966ae4
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff9660ee
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff96613a
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff9660ed
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966ad7
|     0.00%     0.00%  perf            [kernel.kallsyms]     [k] 0xffffffff966104
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys C H <Up> m
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942     15-35/3689
|  Children      Self  Command         Shared Object         Symbol
|+    7.04%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff9661da
|+    6.66%     6.66%  swapper         [kernel.kallsyms]     [k] 0xffffffff9661da
|+    6.14%     0.00%  chrome          [unknown]             [.] 0x8b48078948fb89
|+    5.34%     0.00%  Compositor      [unknown]             [.] 0000000000000000
|+    3.96%     0.00%  chrome          [unknown]             [.] 0x000005f19e7940
|+    3.96%     0.0 What next?                                 ] 0xffffffff96aab4
|+    3.56%     0.0  Code of the function, with its samples    ] 0x00007fe8d056e6
|+    2.80%     0.0  Fold or unfold the call graph             ] 0x00000000000000
|+    2.61%     0.0  Zoom into comm: swapper                   ] 0xffffffff96aaa9
|+    2.59%     0.0  Zoom into dso: [kernel.kallsyms]          ] 0xffffffff96aabe
|+    2.58%     0.0  Zoom into symbol: [k] 0xffffffff9661da80  ] 0x00007fe8cdee5a
|+    2.56%     0.0  Write the rows to a file                  ] 0x00007fe8ca4871
|+    2.24%     0.0  Switch to another recording               ] 0xffffffff96aabe
|+    1.89%     0.00%  Compositor      [kernel.kallsyms]     [k] 0xffffffff9671ef
|+    1.80%     0.00%  Compositor      [unknown]             [.] 0x8b4818ec8348f8
|+    1.74%     0.00%  Compositor      chrome                [.] 0x00007fe8d056d9
|+    1.66%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966382
|+    1.66%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966038
|+    1.66%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96aac4
|+    1.66%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff966380
|+    1.63%     0.00%  Compositor      [unknown]             [.] 0x246c8948f0245c
|h: help   Enter: menu   /: search   ESC q: back
keys <Esc> q
exit 0

=== the same in ASCII on a wide terminal
size 200x50
locale C
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942                                                                                                                              1-47/3689
|  Children      Self  Command         Shared Object            Symbol
|+   15.74%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96609cda
|+   14.48%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969ae71c
|+   14.48%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969ae5fa
|+   14.48%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969aea12
|+   11.53%     0.00%  chrome          [unknown]                [.] 0000000000000000
|+    9.73%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96a9e70c
|+    9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96eb6389
|+    9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96eb62ad
|+    9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96eb6b29
|+    9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96a96ff9
|+    7.65%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969ae9c3
|+    7.60%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969ae1c6
|+    7.20%     0.06%  swapper         [kernel.kallsyms]        [k] 0xffffffff96849fcf
|+    7.04%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96849cc5
|+    7.04%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff9661da80
|+    6.66%     6.66%  swapper         [kernel.kallsyms]        [k] 0xffffffff9661da49
|+    6.14%     0.00%  chrome          [unknown]                [.] 0x8b48078948fb8948
|+    5.34%     0.00%  Compositor      [unknown]                [.] 0000000000000000
|+    3.96%     0.00%  chrome          [unknown]                [.] 0x000005f19e794028
|+    3.96%     0.00%  Compositor      [kernel.kallsyms]        [k] 0xffffffff96aab4f9
|+    3.56%     0.00%  chrome          chrome                   [.] 0x00007fe8d056e6a0
|+    2.80%     0.00%  Compositor      [unknown]                [k] 0x0000000000000020
|+    2.61%     0.03%  swapper         [kernel.kallsyms]        [k] 0xffffffff96aaa9aa
|+    2.59%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96aabe8a
|+    2.58%     0.00%  chrome          chrome                   [.] 0x00007fe8cdee5a20
|+    2.56%     0.00%  Compositor      libc-2.15.so             [.] 0x00007fe8ca4871d9
|+    2.24%     0.00%  chrome          [kernel.kallsyms]        [k] 0xffffffff96aabe8a
|+    1.89%     0.00%  Compositor      [kernel.kallsyms]        [k] 0xffffffff9671ef35
|+    1.80%     0.00%  Compositor      [unknown]                [.] 0x8b4818ec8348f824
|+    1.74%     0.00%  Compositor      chrome                   [.] 0x00007fe8d056d960
|+    1.66%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff9663824d
|+    1.66%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96603865
|+    1.66%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96aac48c
|+    1.66%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff9663806d
|+    1.63%     0.00%  Compositor      [unknown]                [.] 0x246c8948f0245c89
|+    1.63%     0.00%  Compositor      chrome                   [.] 0x00007fe8d05e1290
|+    1.54%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96aac9ad
|+    1.51%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96603821
|+    1.51%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96688e6f
|+    1.51%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96aaca7c
|+    1.50%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96609d11
|+    1.47%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff966863d4
|+    1.45%     0.00%  chrome          [unknown]                [k] 0x0064bb53fd894855
|+    1.45%     0.00%  chrome          chrome                   [.] 0x00007fe8cce29e10
|+    1.45%     0.00%  chrome          [unknown]                [.] 0x00007fe8ca076500
|+    1.42%     0.00%  Compositor      [unknown]                [.] 0xffffff0000000002
|+    1.39%     0.00%  Compositor      [kernel.kallsyms]        [k] 0xffffffff9671e25f
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys e
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942                                                                                                                              1-47/3726
|  Children      Self  Command         Shared Object            Symbol
|-   15.74%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96609cda
|     - 15.74% 0xffffffff96609cda
|        - 14.48% 0xffffffff969ae71c
|                 0xffffffff969ae5fa
|                 0xffffffff969aea12
|           -  7.65% 0xffffffff969ae9c3
|              -  7.60% 0xffffffff969ae1c6
|                 -  7.20% 0xffffffff96849fcf
|                    -  6.93% 0xffffffff96849cc5
|                             0xffffffff9661da80
|                          6.55% 0xffffffff9661da49
|           -  2.59% 0xffffffff96aabe8a
|              -  1.51% 0xffffffff96aaca7c
|                 -  1.18% 0xffffffff9665294a
|                    -  1.04% 0xffffffff9665222e
|                       -  0.74% 0xffffffff96651f4b
|                             0.65% 0xffffffff9665cd31
|           -  2.55% 0xffffffff96aaa9aa
|              -  1.48% 0xffffffff96aac9ad
|                 -  1.46% 0xffffffff96603821
|                          0xffffffff96688e6f
|                    -  1.41% 0xffffffff966863d4
|                          1.25% 0xffffffff9668623c
|              -  0.88% 0xffffffff96aac9ee
|                 -  0.78% 0xffffffff9663824d
|                          0xffffffff96603865
|                          0xffffffff96aac48c
|                          0xffffffff9663806d
|                    -  0.75% 0xffffffff96638416
|                          0.68% 0xffffffffc015a331
|           -  0.98% 0xffffffff96aac12a
|                    0xffffffff9661e7cc
|              -  0.78% 0xffffffff9665c372
|                 -  0.51% 0xffffffff9663824d
|                          0xffffffff96603865
|                          0xffffffff96aac48c
|                          0xffffffff9663806d
|           0.77% 0xffffffff969ae687
|+   14.48%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969ae71c
|+   14.48%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969ae5fa
|+   14.48%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff969aea12
|+   11.53%     0.00%  chrome          [unknown]                [.] 0000000000000000
|+    9.73%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96a9e70c
|+    9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96eb6389
|+    9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96eb62ad
|+    9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96eb6b29
|+    9.36%     0.00%  swapper         [kernel.kallsyms]        [k] 0xffffffff96a96ff9
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys q
exit 0

=== help tells all keys
size 100x48
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys h
screen help
|Keys
|Report
|
|  Enter           menu of a row; unfold a call graph's line
|  m               menu
|  +               unfold or fold one level of the call graph
|  e               unfold with all below
|  - c             fold with all below
|  E               unfold all rows
|  C               fold all rows
|  a               code of the line's function, with its samples
|  f               flame graph of what is zoomed into
|  w               who calls the line's function, and what it calls
|  H               go to the row with the most samples of its own
|  t               zoom into the row's thread (command)
|  d               zoom into the row's object
|  k               zoom into the kernel
|  S               zoom into the row's processor socket (with -s socket)
|  u               undo the last zoom
|  ESC LEFT        end the search, undo the last zoom, go back
|  /               show rows with a text in their names only
|  L               show rows above a percentage only
|  F               percentages of all samples, or of those that are shown
|  o               sort by other keys
|  TAB             next event (with Shift: the one before)
|  v               choose an event
|  P               write the rows as they are to perf.hist.N
|  i               header of the recording
|  V               paths and addresses, or names alone
|  0 1 2 3 4 5 6 7 8 9  order rows by that event of a group
|  T               when there were samples; a time to be read alone
|  s               switch to another recording of this folder
|  r               samples and scripts, by perf script
|
|In all views
|
|  h ? F1          this page (in code ? finds a text)
|  ESC LEFT        back to where you came from
|  q               close what was opened last; leave perf
|  UP DOWN PGUP PGDN HOME END SPACE, mouse: move; a double click is Enter
|  RIGHT           columns and text that have no room; LEFT goes back
|  ^Z              stop, as any program; ^C quits
|~
|h: help   Enter: menu   /: search   ESC q: back
keys <Left> ? <Esc> <F1> q q
exit 0

=== digits order the rows of a group by one of its events
size 100x12
$ perf report --group -i $DATA/perfdata/quipper-perf.data.group_desc-4.14
screen
|Samples: 13 of events 'anon group { cache-references, branch-misses }', Event count (approx.): 1-7/7
|          Overhead  Command  Shared Object      Symbol
|    68.35%   0.00%  echo     ld-2.23.so         [.] 0x000000000001a5f7
|    29.21%   0.00%  echo     [kernel.kallsyms]  [k] 0xffffffffb423f8c4
|     2.32%   0.00%  echo     [kernel.kallsyms]  [k] 0xffffffffb43bf069
|     0.12%   1.21%  perf     [kernel.kallsyms]  [k] 0xffffffffb433b180
|     0.01%   0.07%  perf     [kernel.kallsyms]  [k] 0xffffffffb4343bad
|     0.00%  75.22%  echo     ld-2.23.so         [.] 0x000000000001b6f0
|     0.00%  23.50%  echo     [kernel.kallsyms]  [k] 0xffffffffb4389a66
|
|
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys 1
has rows are in the order of event 1 of the group
screen
|Samples: 13 of events 'anon group { cache-references, branch-misses }', Event count (approx.): 1-7/7
|          Overhead  Command  Shared Object      Symbol
|     0.00%  75.22%  echo     ld-2.23.so         [.] 0x000000000001b6f0
|     0.00%  23.50%  echo     [kernel.kallsyms]  [k] 0xffffffffb4389a66
|     0.12%   1.21%  perf     [kernel.kallsyms]  [k] 0xffffffffb433b180
|     0.01%   0.07%  perf     [kernel.kallsyms]  [k] 0xffffffffb4343bad
|    68.35%   0.00%  echo     ld-2.23.so         [.] 0x000000000001a5f7
|    29.21%   0.00%  echo     [kernel.kallsyms]  [k] 0xffffffffb423f8c4
|     2.32%   0.00%  echo     [kernel.kallsyms]  [k] 0xffffffffb43bf069
|
|
|rows are in the order of event 1 of the group
keys 9
has the group has events 0 to
keys 2 3 4 5 6 7 8 0
screen
|Samples: 13 of events 'anon group { cache-references, branch-misses }', Event count (approx.): 1-7/7
|          Overhead  Command  Shared Object      Symbol
|    68.35%   0.00%  echo     ld-2.23.so         [.] 0x000000000001a5f7
|    29.21%   0.00%  echo     [kernel.kallsyms]  [k] 0xffffffffb423f8c4
|     2.32%   0.00%  echo     [kernel.kallsyms]  [k] 0xffffffffb43bf069
|     0.12%   1.21%  perf     [kernel.kallsyms]  [k] 0xffffffffb433b180
|     0.01%   0.07%  perf     [kernel.kallsyms]  [k] 0xffffffffb4343bad
|     0.00%  75.22%  echo     ld-2.23.so         [.] 0x000000000001b6f0
|     0.00%  23.50%  echo     [kernel.kallsyms]  [k] 0xffffffffb4389a66
|
|
|rows are in the order of event 0 of the group
keys q
exit 0

=== digits without a group
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys 1
has there is no group of events
keys q
exit 0

=== zooms add up and are undone one by one
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys <Down> t
has comm:
screen
|> comm: shill | Samples: 1768 of event 'cycles', Event count (approx.): 29 1-6/6
|  Overhead  Command  Shared Object         Symbol
|+    1.01%  shill    libglib-2.0.so.0.340  [.] 0x0000000000045c0e
|     0.07%  shill    libglib-2.0.so.0.340  [.] 0x0000000000047a9f
|     0.07%  shill    libglib-2.0.so.0.340  [.] 0x0000000000045be6
|     0.07%  shill    libglib-2.0.so.0.340  [.] 0x0000000000047d44
|     0.06%  shill    shill                 [.] 0x0000000000185a8b
|     0.06%  shill    [kernel.kallsyms]     [k] 0xffffffff96aabe20
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys d
screen
|> comm: shill > dso: libglib-2.0.so.0.3400.3 | Samples: 1768 of event 'cyc 1-4/4
|  Overhead  Command  Shared Object         Symbol
|+    1.01%  shill    libglib-2.0.so.0.340  [.] 0x0000000000045c0e
|     0.07%  shill    libglib-2.0.so.0.340  [.] 0x0000000000047a9f
|     0.07%  shill    libglib-2.0.so.0.340  [.] 0x0000000000045be6
|     0.07%  shill    libglib-2.0.so.0.340  [.] 0x0000000000047d44
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys F
screen
|> comm: shill > dso: libglib-2.0.so.0.3400.3 > percent of what is shown |  1-4/4
|  Overhead  Command  Shared Object         Symbol
|+   83.68%  shill    libglib-2.0.so.0.340  [.] 0x0000000000045c0e
|+    5.46%  shill    libglib-2.0.so.0.340  [.] 0x0000000000047a9f
|+    5.43%  shill    libglib-2.0.so.0.340  [.] 0x0000000000045be6
|+    5.43%  shill    libglib-2.0.so.0.340  [.] 0x0000000000047d44
|~
|percentages are of what is shown
keys u
has not > dso
keys <Left>
has not > comm
keys k
has > kernel
keys <Esc>
has not > kernel
keys S
has rows do not tell their socket: sort by it, too (o)
keys q
exit 0

=== the menu zooms, too
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys <Enter> <Down> <Down> <Enter>
has > comm:
keys <Enter>
screen
|> comm: swapper | Samples: 1768 of event 'cycles', Event count (approx. 1-21/214
|  Overhead  Command  Shared Object      Symbol
|+    6.66%  swapper  [kernel.kallsyms]  [k] 0xffffffff9661da49
|+    0.83%  swapper  [kernel.kallsyms]  [k] 0xffffffff967e4548
|     0.28%  swapper  [kernel.kallsyms]  [k] 0xffffffff9661ee82
|     0.22%  swapper  [kernel.kallsyms]  [k] 0xffffffff96660bf9
|     0.18%  swapper  [kernel.kallsyms]  [k] 0xffffffff9661da4a
|     0.17%  swappe What next?
|     0.16%  swappe  Code of the function, with its samples
|     0.14%  swappe  Fold or unfold the call graph
|     0.14%  swappe  Zoom into comm: swapper
|     0.14%  swappe  Zoom into dso: [kernel.kallsyms]
|     0.12%  swappe  Zoom into symbol: [k] 0xffffffff9661da49
|     0.12%  swappe  Zoom out of comm: swapper
|     0.11%  swappe  Write the rows to a file
|     0.11%  swappe  Switch to another recording
|     0.11%  swapper  [kernel.kallsyms]  [k] 0xffffffff967da50b
|     0.11%  swapper  [kernel.kallsyms]  [k] 0xffffffff969af937
|     0.10%  swapper  [kernel.kallsyms]  [k] 0xffffffff9665b58b
|     0.10%  swapper  [kernel.kallsyms]  [k] 0xffffffff96660bd9
|     0.10%  swapper  [kernel.kallsyms]  [k] 0xffffffff966381c8
|     0.09%  swapper  [kernel.kallsyms]  [k] 0xffffffff96aaa69a
|     0.09%  swapper  [ath9k]            [k] 0x0000000000013220
|h: help   Enter: menu   /: search   ESC q: back
keys <Esc>
keys q
exit 0

=== search finds while one types
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
keys /
type swap
screen
|> /swap | Samples: 1768 of event 'cycles', Event count (approx.): 29117794 1-1/1
|  Overhead  Command
|+   19.25%  swapper
|~
|Only rows with: swap
keys <Backspace> <CtrlU>
type chro
keys <Enter>
screen
|> /chro | Samples: 1768 of event 'cycles', Event count (approx.): 29117794 1-1/1
|  Overhead  Command
|+   55.44%  chrome
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Esc>
has not > /
keys q
exit 0

=== a limit of percent
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
keys L
type 10
keys <Enter>
screen
|> 10% or more | Samples: 1768 of event 'cycles', Event count (approx.): 29 1-3/3
|  Overhead  Command
|+   55.44%  chrome
|    19.92%  Compositor
|+   19.25%  swapper
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys L
type x
keys <Enter>
has 'x' is not a percentage
keys L <Esc> q
exit 0

=== other keys, and one that is none
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys o
type dso
keys <Enter>
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942        1-16/16
|  Overhead  Shared Object
|+   61.33%  chrome
|+   31.91%  [kernel.kallsyms]
|     1.50%  libpthread-2.15.so
|+    1.30%  libglib-2.0.so.0.3400.3
|     0.91%  libstdc++.so.6.0.17
|     0.83%  [vdso]
|     0.55%  libc-2.15.so
|     0.52%  libm-2.15.so
|     0.37%  librt-2.15.so
|     0.26%  [ath9k]
|     0.21%  x11vnc
|     0.14%  [mac80211]
|     0.06%  libbase-core-180609.so
|     0.06%  shill
|     0.03%  [cfg80211]
|     0.02%  [ath9k_hw]
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys o <CtrlU>
type nokey
keys <Enter>
has Unknown --sort key
keys q
exit 0

=== several events: one is chosen, TAB goes to the next
$ perf report -i $DATA/perfdata/simpleperf-perf_with_two_event_types.data
screen
|Samples: 8 of event 'cycles:HG', Event count (approx.): 3983917            1-4/4
|  Overhead  Command  Shared Object      Symbol
|    66.68%  sleep    libc-2.19.so       [.] 0x000000000002e089
|    31.56%  sleep    [kernel.kallsyms]  [k] 0xffffffff81373618
|     1.69%  simplep  [kernel.kallsyms]  [k] 0xffffffff81144424
|     0.08%  simplep  [kernel.kallsyms]  [k] 0xffffffff8104f45a
|~
|                       Available samples
|                                 8 samples  cycles:HG
|                                 2 samples  cpu-clock:HG
|~
|h: help   Enter: menu   /: search   ESC q: back
keys <Down> <Enter>
has of event 'cpu-clock
keys <Tab>
has not of event 'cpu-clock
keys <ShiftTab>
has of event 'cpu-clock
keys v
has Available samples
keys <Esc> q
exit 0

=== the rows go to a file, as they are on the screen
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
keys + P
has written to perf.hist.0
keys P
has written to perf.hist.1
sh cmp perf.hist.0 perf.hist.1 && grep -q '^-  *[0-9.]*%  *chrome$' perf.hist.0 && grep -q '^     . *[0-9.]*% ' perf.hist.0
keys q
exit 0

=== the header, paths and addresses, another recording
before cp $DATA/perfdata/quipper-perf.data.singleprocess-3.4 two.data; cp $DATA/perfdata/quipper-perf.data.callgraph-3.8 one.data; echo PERFILE >three.data
$ perf report -i one.data
keys i
has # cmdline :
keys <Esc> V
has 0xffffffff
keys s
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942      1-21/3689
|  Children      Self  Command         Shared Object         Symbol
|+   15.74%     0.00%  swapper         [kernel.kallsyms]     0xffffffff96609cda !
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     0xffffffff969ae71c !
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     0xffffffff969ae5fa !
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     0xffffffff969aea12 !
|+   11.53%     0.00%  chrome          [unknown]             0                  !
|+    9.73%     0.00%  swapper         [kernel.kallsyms]     0xffffffff96a9e70c !
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     0xffffffff96eb6389 !
|+    9.36%     0.00%  swapper         [kernel.kallsyms]     0xffffffff96eb62ad !
|+    9.36%     0.00%  swapper     Recordings   allsyms]     0xffffffff96eb6b29 !
|+    9.36%     0.00%  swapper      one.data    allsyms]     0xffffffff96a96ff9 !
|+    7.65%     0.00%  swapper      two.data    allsyms]     0xffffffff969ae9c3 !
|+    7.60%     0.00%  swapper         [kernel.kallsyms]     0xffffffff969ae1c6 !
|+    7.20%     0.06%  swapper         [kernel.kallsyms]     0xffffffff96849fcf !
|+    7.04%     0.00%  swapper         [kernel.kallsyms]     0xffffffff96849cc5 !
|+    7.04%     0.00%  swapper         [kernel.kallsyms]     0xffffffff9661da80 !
|+    6.66%     6.66%  swapper         [kernel.kallsyms]     0xffffffff9661da49 !
|+    6.14%     0.00%  chrome          [unknown]             0x8b48078948fb8948 !
|+    5.34%     0.00%  Compositor      [unknown]             0                  !
|+    3.96%     0.00%  chrome          [unknown]             0x5f19e794028      !
|+    3.96%     0.00%  Compositor      [kernel.kallsyms]     0xffffffff96aab4f9 !
|+    3.56%     0.00%  chrome          /opt/google/chrome/c  0x7fe8d056e6a0     !
|h: help   Enter: menu   /: search   ESC q: back
keys <Down> <Enter>
has Samples:
screen
|Samples: 14 of event 'cycles', Event count (approx.): 2143535              1-5/5
|  Overhead  Command  Shared Object      Symbol
|    72.18%  perf     [kernel.kallsyms]  0xffffffff81024874 ! [k] 0xffffffff81024
|    19.69%  perf     [kernel.kallsyms]  0xffffffff81001f5e ! [k] 0xffffffff81001
|     6.80%  perf     [kernel.kallsyms]  0xffffffff8109954a ! [k] 0xffffffff81099
|     1.04%  perf     [kernel.kallsyms]  0xffffffff8146f93a ! [k] 0xffffffff8146f
|     0.30%  perf     [kernel.kallsyms]  0xffffffff81012af1 ! [k] 0xffffffff81012
|
|                     Available samples
|                              14 samples  cycles
|                              14 samples  instructions
|                              12 samples  cache-references
|                              11 samples  cache-misses
|                              13 samples  branches
|                              13 samples  branch-misses
|~
|h: help   Enter: menu   /: search   ESC q: back
keys q q
exit 0

=== resizes; a terminal that is too small says so
$ perf report --no-children -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
resize 40x10
screen
|Samples: 1768 of event 'cycles',  1-7/17
|  Overhead  Command
|+   55.44%  chrome
|    19.92%  Compositor
|+   19.25%  swapper
|+    1.33%  shill
|     0.97%  kworker/0:1
|     0.54%  x11vnc
|     0.38%  sleep
|h: help   Enter: menu   /: search   ESC:
resize 15x3
screen
|too small
resize 100x20
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942                            1-17/17
|  Overhead  Command
|+   55.44%  chrome
|    19.92%  Compositor
|+   19.25%  swapper
|+    1.33%  shill
|     0.97%  kworker/0:1
|     0.54%  x11vnc
|     0.38%  sleep
|     0.35%  kworker/3:0
|     0.34%  kworker/2:2
|     0.33%  powerd
|     0.30%  kworker/1:0
|     0.26%  metrics_daemon
|     0.23%  perf
|     0.14%  D-Bus thread
|     0.11%  kworker/u:1
|     0.06%  sshd
|     0.04%  Watchdog
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys q
exit 0

=== names that could drive the terminal are escaped, and such of 64 KiB hide nothing
before python3 $DATA/../tui/hostile_names.py <$DATA/perfdata/quipper-perf.data.callgraph-3.8 >b.data
$ perf report --no-children -i b.data -s dso,comm
screen
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942        1-21/43
|  Overhead  Shared Object         Command
|+   49.06%  \x1b[2J\u202e1650xxx  \x1b[31m\xff
|+   18.80%  [kernel.kallsyms]     swapper
|    12.18%  \x1b[2J\u202e1650xxx  \x1b[31m\xff\x9b\x07or
|+    5.56%  [kernel.kallsyms]     \x1b[31m\xff\x9b\x07or
|+    4.54%  [kernel.kallsyms]     \x1b[31m\xff
|+    1.21%  \x1b[2J\u202e135xxxx  \x1b[31m
|     0.97%  [kernel.kallsyms]     \x1b[31m\xff\x9b\x070:1
|     0.87%  \x1b[2J\u202e1618xxx  \x1b[31m\xff
|     0.63%  \x1b[2J\u202e1617xxx  \x1b[31m\xff\x9b\x07or
|     0.50%  \x1b[2J\u202e1618xxx  \x1b[31m\xff\x9b\x07or
|     0.45%  \x1b[2J\u202e1651xxx  \x1b[31m\xff
|     0.44%  [kernel.kallsyms]     \x1b[31m
|     0.38%  \x1b[2J\u202e1651xxx  \x1b[31m\xff\x9b\x07or
|     0.35%  [kernel.kallsyms]     \x1b[31m\xff\x9b\x073:0
|     0.34%  [kernel.kallsyms]     \x1b[31m\xff\x9b\x072:2
|     0.32%  \x1b[2J\u202e1614xxx  \x1b[31m\xff
|     0.30%  [kernel.kallsyms]     \x1b[31m\xff\x9b\x071:0
|     0.29%  [kernel.kallsyms]     \x1b[31
|     0.29%  \x1b[2J\u202e1616xxx  \x1b[31m\xff\x9b\x07or
|     0.28%  \x1b[2J\u202e1617xxx  \x1b[31m\xff
|     0.26%  [ath9k]               swapper
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys q
exit 0

=== no samples: told behind the screen
$ perf report -i $DATA/perfdata/made-stat.data
exit 255

=== a terminal that cannot be drawn on, --stdio, and what is for text
term dumb
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm --no-children -g none
has     55.44%  chrome
exit 0

=== --stdio
$ perf report --stdio -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm --no-children -g none
has     55.44%  chrome
exit 0

=== an unknown terminal
term nonsense
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm --no-children -g none
exit 0
has     55.44%  chrome

=== many rows: work goes on beside the keys; what is given up leaves things as they were
before python3 $DATA/../tui/many_rows.py 24 <$DATA/perfdata/quipper-perf.data.callgraph-3.8 >b.data
$ perf report --kallsyms /dev/null -i b.data
lines 1-4
|Samples: 42432 of event 'cycles', Event count (approx.): 6988270608   1-21/34836
|  Children      Self  Command         Shared Object         Symbol
|+   15.74%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae7
keys k
lines 1-4
|> kernel | Samples: 42432 of event 'cycles', Event count (approx.): 6 1-21/11194
|  Children      Self  Command         Shared Object         Symbol
|+   15.29%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|+   14.02%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae7
keys F
lines 1-4
|> kernel > percent of what is shown | Samples: 15504 of event 'cycles 1-21/11194
|  Children      Self  Command         Shared Object         Symbol
|+   47.92%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|+   43.95%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae7
keys F u
lines 1-4
|Samples: 42432 of event 'cycles', Event count (approx.): 6988270608   1-21/34836
|  Children      Self  Command         Shared Object         Symbol
|+   15.74%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae7
keys d u <Down> t <Esc>
lines 1-4
|Samples: 42432 of event 'cycles', Event count (approx.): 6988270608   1-21/34836
|  Children      Self  Command         Shared Object         Symbol
|+   15.74%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae7
keys E
lines 1-6
|Samples: 42432 of event 'cycles', Event count (approx.): 6988270608  19-39/35580
|  Children      Self  Command         Shared Object         Symbol
|              -  1.48% 0xffffffff96aac9ad
|                 -  1.46% 0xffffffff96603821
|                          0xffffffff96688e6f
|                    -  1.41% 0xffffffff966863d4
keys C f
lines 1-3
|Flame graph of event 'cycles'
|all                                                                            |
|chrome                                     |Compositor     |swapper        |sk
keys <Esc>
keys w
lines 1-3
|symbol: [k] 0xffffffff969ae71c: 14.48% with what it calls, 0.00% of its own
|- Callers: who calls it
|   - 14.48% 0xffffffff969ae71c
keys <Esc> L
type 5
keys <Enter>
lines 1-4
|> 5% or more | Samples: 42432 of event 'cycles', Event count (approx.):  1-18/18
|  Children      Self  Command         Shared Object         Symbol
|+   15.74%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff96609c
|+   14.48%     0.00%  swapper         [kernel.kallsyms]     [k] 0xffffffff969ae7
keys k q
exit 0

=== a recording on standard input: keys come from the terminal; nothing is read twice
before mkfifo p; cat $DATA/perfdata/quipper-perf.data.piped.target.throttled-3.4 >p &
$ perf report --tui --kallsyms /dev/null -i - <p
lines 1-3
|Samples: 228 of event 'cycles', Event count (approx.): 374982093        1-21/116
|  Overhead  Command  Shared Object      Symbol
|    46.54%  swapper  [kernel.kallsyms]  [k] 0x00000000811d3502
keys <Down> o
type sym
keys <Enter>
has that needs another reading, and standard input is read once
keys V
has that needs another reading, and standard input is read once
keys T <Space> <Right> <Space> <Enter>
has that needs another reading, and standard input is read once
keys <Esc> q
exit 0

=== the function of a line of a call graph
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys + <Down> <Down> w
has symbol: [k] 0xffffffff969ae71c: 14.48% with what it calls, 0.00% of its own
keys <Esc> a
has the line is no function: its address has no symbol
keys q
exit 0

=== --hierarchy: levels that unfold and fold, below the lowest call graphs; zooms of keys that a level tells
$ perf report --hierarchy -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
lines 1-6
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942        1-17/17
|  Overhead  Command         Shared Object         Symbol
|+   55.44%  chrome
|+   19.92%  Compositor
|+   19.25%  swapper
|+    1.33%  shill
keys + <Down> + <Down>
screen hierarchy
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942       1-21/685
|  Overhead  Command         Shared Object         Symbol
|-   55.44%  chrome
|-   49.06%                  chrome
|     0.53%                                        [.] 0x0000000003b4ed03
|     0.35%                                        [.] 0x0000000001d0c19e
|     0.31%                                        [.] 0x00000000050021d5
|     0.26%                                        [.] 0x00000000050026dd
|     0.26%                                        [.] 0x00000000046109c1
|     0.23%                                        [.] 0x00000000050021c8
|     0.20%                                        [.] 0x0000000004d8a33b
|     0.20%                                        [.] 0x0000000001c2e1ea
|     0.20%                                        [.] 0x00000000020ceb45
|     0.20%                                        [.] 0x0000000000fb5ee1
|     0.20%                                        [.] 0x0000000005006fe5
|     0.20%                                        [.] 0x0000000004614f16
|     0.20%                                        [.] 0x00000000045d98a4
|     0.20%                                        [.] 0x0000000001f3bd0f
|     0.19%                                        [.] 0x000000000439e569
|     0.19%                                        [.] 0x0000000001a6d524
|     0.18%                                        [.] 0x00000000048c6f90
|     0.17%                                        [.] 0x0000000001aa7486
|     0.14%                                        [.] 0x0000000001f5e2c8
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys +
lines 1-9
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942       1-21/685
|  Overhead  Command         Shared Object         Symbol
|-   55.44%  chrome
|-   49.06%                  chrome
|     0.53%                                        [.] 0x0000000003b4ed03
|     0.35%                                        [.] 0x0000000001d0c19e
|     0.31%                                        [.] 0x00000000050021d5
|     0.26%                                        [.] 0x00000000050026dd
|     0.26%                                        [.] 0x00000000046109c1
keys <Up> d
lines 1-6
|> dso: chrome | Samples: 1768 of event 'cycles', Event count (approx.): 29 1-3/3
|  Overhead  Command       Shared Object     Symbol
|+   49.06%  chrome
|+   12.18%  Compositor
|+    0.08%  D-Bus thread
|
keys u <Home> d
has rows do not tell their dso: sort by it, too (o)
keys E
lines 1-9
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942      1-21/1462
|  Overhead  Command         Shared Object         Symbol
|-   55.44%  chrome
|-   49.06%                  chrome
|     0.53%                                        [.] 0x0000000003b4ed03
|     0.35%                                        [.] 0x0000000001d0c19e
|     0.31%                                        [.] 0x00000000050021d5
|     0.26%                                        [.] 0x00000000050026dd
|     0.26%                                        [.] 0x00000000046109c1
keys C
lines 1-9
|Samples: 1768 of event 'cycles', Event count (approx.): 291177942        1-17/17
|  Overhead  Command         Shared Object         Symbol
|+   55.44%  chrome
|+   19.92%  Compositor
|+   19.25%  swapper
|+    1.33%  shill
|+    0.97%  kworker/0:1
|+    0.54%  x11vnc
|+    0.38%  sleep
keys <Down> e <Down> - / H F
lines 1-7
|> percent of what is shown | Samples: 1768 of event 'cycles', Event coun 1-17/17
|  Overhead  Command         Shared Object         Symbol
|+   55.44%  chrome
|+   19.92%  Compositor
|+   19.25%  swapper
|+    1.33%  shill
|+    0.97%  kworker/0:1
keys <Enter> <Esc> q
exit 0

=== colours of the configuration; one that there is not
before perf config --user colors.top=white,blue colors.selected=yellow colors.normal=lightgray,default colors.root='gray, green'
$ perf report -s comm --no-children -g none -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
has chrome
keys q
exit 0
sh ! perf config --user colors.addr=reddish,black 2>e
sh grep -q "'reddish' is no colour" e

=== another event where there is none: nothing is made anew
$ perf report -s comm --no-children -g none -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys <Tab>
has there are no other events
keys <ShiftTab>
has there are no other events
has chrome
keys q
exit 0

=== blocks of code by their cycles
size 110x24
before cp $DATA/branches/stack.data .
$ perf report --total-cycles -f -i stack.data --symfs $DATA/branches
screen
|Samples: 56 of event 'cycles', Event count (approx.): 56                                               1-15/15
|  Sampled Cycles%  Sampled Cycles  Avg Cycles%  Avg Cycles  [Program Block Range]        Shared Object
|           27.38%             841        1.29%         210  [walk.c:10 -> walk.c:12]     walk
|           13.15%             404        0.82%         134  [walk.c:25 -> walk.c:26]     walk
|           13.09%             402        1.23%         201  [walk.c:25 -> walk.c:26]     walk
|           13.05%             401        1.23%         200  [walk.c:25 -> walk.c:25]     walk
|           13.02%             400        2.45%         400  [walk.c:28 -> walk.c:29]     walk
|            1.66%              51        0.07%          12  [walk.c:37 -> walk.c:38]     walk
|            1.53%              47        0.09%          15  [walk.c:22 -> walk.c:32]     walk
|            1.37%              42        0.09%          14  [walk.c:29 -> walk.c:29]     walk
|            1.30%              40        0.25%          40  [walk.c:15 -> walk.c:17]     walk
|            0.46%              14        0.02%           4  [walk.c:10 -> walk.c:7]      walk
|            0.29%               9        0.02%           3  [walk.c:27 -> walk.c:28]     walk
|            0.26%               8        0.05%           8  [walk.c:15 -> walk.c:16]     walk
|            0.07%               2        0.01%           1  [walk.c:38 -> walk.c:39]     walk
|            0.03%               1        0.01%           1  [walk.c:19 -> walk.c:19]     walk
|            0.03%               1        0.01%           1  [walk.c:22 -> walk.c:25]     walk
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys a
has rows do not tell their symbol
keys k f
has there are no callchains
keys / : 3 <Enter>
has > /:3
has not walk.c:25
keys <Esc> L 5 <Enter>
has > 5% or more
has 1-5/5
keys P q
sh grep -q '27.38%             841        1.29%         210 *.walk.c:10 -> walk.c:12. *walk$' perf.hist.0
exit 0

=== what each thread counted
needs perf record -q -e cpu-clock:u -o t.data true
before perf record -q -s -e cpu-clock:u -F 2000 -o t.data sh -c '(i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done) & wait'
$ perf report -T -i t.data
keys m
has What each thread counted
keys <Down> <Down> <Down> <Down> <Enter>
has PID
has cpu-clock:u
keys q q
exit 0

=== a narrow terminal: RIGHT takes columns away until the last is seen
size 40x10
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
screen
|Samples: 1768 of event 'cycles' 1-7/3689
|  Children      Self  Command     Shared
|+   15.74%     0.00%  swapper     [kerne
|+   14.48%     0.00%  swapper     [kerne
|+   14.48%     0.00%  swapper     [kerne
|+   14.48%     0.00%  swapper     [kerne
|+   11.53%     0.00%  chrome      [unkno
|+    9.73%     0.00%  swapper     [kerne
|+    9.36%     0.00%  swapper     [kerne
|h: help   Enter: menu   /: search   ESC:
keys <Right> <Right>
screen
|Samples: 1768 of event 'cycles' 1-7/3689
|  Command     Shared Obj  Symbol
|+ swapper     [kernel.ka  [k] 0xffffffff
|+ swapper     [kernel.ka  [k] 0xffffffff
|+ swapper     [kernel.ka  [k] 0xffffffff
|+ swapper     [kernel.ka  [k] 0xffffffff
|+ chrome      [unknown]   [.] 0000000000
|+ swapper     [kernel.ka  [k] 0xffffffff
|+ swapper     [kernel.ka  [k] 0xffffffff
|h: help   Enter: menu   /: search   ESC:
keys <Right> <Right>
lines 1-3
|Samples: 1768 of event 'cycles' 1-7/3689
|  Shared Obj  Symbol
|+ [kernel.ka  ffffff96609cda
keys <Left> <Left> <Left> <Left>
lines 1-3
|Samples: 1768 of event 'cycles' 1-7/3689
|  Children      Self  Command     Shared
|+   15.74%     0.00%  swapper     [kerne
keys <Left>
has q leaves perf
keys L 1 2 <Enter>
has > 12% or more
keys q
exit 0

=== the smallest terminal
size 20x5
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
screen
|Samples: 17 1-2/3689
|  Children      Self
|+   15.74%     0.00%
|+   14.48%     0.00%
|h: help   Enter: men
keys L 5
screen
|Samples: 17 1-2/3689
|  Children      Self
|+   15.74%     0.00%
|+   14.48%     0.00%
|Only rows 5
keys <Esc> h
screen
|Keys
|Report
|
|  Enter           me
|h: help   Enter: men
keys q f
screen
|Flame graph of event
|all                |
|chrome    |Com|swa|
|100.00% of all, 100.
|h: help   Enter: men
keys q w
screen
|symbol: [k] 0xffffff
|- Callers: who calls
|   - 15.74% 0xffffff
|      +  8.81% 0xfff
|h: help   Enter: men
keys q T
screen
|Samples in time
|#+++++++++++::+++++:
|at: 346832.328720384
|SPACE marks an end o
|h: help   Enter: men
keys q m
screen
| What next?
|  Code of the functi
|  Fold or unfold the
|+   14.48%     0.00%
|h: help   Enter: men
keys q q
exit 0
