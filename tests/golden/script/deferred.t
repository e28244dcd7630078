# User callchains that the kernel (7.3) took on the way back to user space; the same frames as with perf 7.2.
=== put together
argv: perf script -F comm,tid,time,ip -i $DATA/script/deferred.data --symfs $TMP --time 11.8,11.91
threads: 1 2 3
--- stdout
busy   154    11.800837: 
	           69372

busy   154    11.804135: 
	           3384c

busy   154    11.823558: 
	ffffffff8145c3e0
	ffffffff817f550d
	ffffffffc042f544
	ffffffffc042f5ff
	ffffffff817e141d
	ffffffff817e3e95
	ffffffff817e42da
	ffffffff817e5ed4
	ffffffff817d63f4
	ffffffff817d76ae
	ffffffff821b0b54
	ffffffff8100012f
	           5e686
	      797375622f

busy   154    11.824138: 
	ffffffff817893d5
	ffffffff8179027b
	ffffffff816da8ef
	ffffffff816dcfcc
	ffffffff816dd4ec
	ffffffff8134420d
	ffffffff821b9380
	ffffffff810012a6
	ffffffff821abd23
	ffffffff81aad031
	ffffffff8189ea5f
	ffffffff817ea919
	ffffffff817d647b
	ffffffff817d76ae
	ffffffff821b0b54
	ffffffff8100012f
	           5e686
	      797375622f

busy   154    11.840022: 
	           425e9

busy   154    11.840211: 
	ffffffff8140eaf9
	ffffffff813d8dc3
	ffffffff813d9a20
	ffffffff813da217
	ffffffff813dc80b
	ffffffff813712d8
	ffffffff813715e7
	ffffffff821b883d
	ffffffff8100160a
	           425e9

busy   154    11.841238: 
	ffffffff821b9941
	ffffffff8100160a
	           425e9

busy   154    11.860161: 
	           29210

busy   154    11.860412: 
	           29210

busy   154    11.877399: 
	           30503
	            1687
	            1692
	            16db
	            1a24

busy   154    11.904209: 
	ffffffff821ab650
	ffffffff81d420f8
	ffffffff817cc851
	ffffffff817cd871
	ffffffff821b0b54
	ffffffff8100012f
	           30503
	            1687
	            1692
	            16db
	            1a24

busy   154    11.904398: 
	ffffffff821ab650
	ffffffff81d420f8
	ffffffff817cc851
	ffffffff817cd871
	ffffffff821b0b54
	ffffffff8100012f
	           30503
	            1687
	            1692
	            16db
	            1a24


=== apart
sh: perf script -F comm,tid,time,ip,sym,dso --no-merge-callchains -i $DATA/script/deferred.data --symfs $TMP | tail -50
threads: 1 2
--- stdout
	            1687 [unknown] (/usr/bin/busy)
	            1692 [unknown] (/usr/bin/busy)
	            16db [unknown] (/usr/bin/busy)
	            1a24 [unknown] (/usr/bin/busy)

busy   154    12.114564: 
	ffffffff821ab650 [unknown] ([kernel.kallsyms])
	ffffffff81d420f8 [unknown] ([kernel.kallsyms])
	ffffffff817cc851 [unknown] ([kernel.kallsyms])
	ffffffff817cd871 [unknown] ([kernel.kallsyms])
	ffffffff821b0b54 [unknown] ([kernel.kallsyms])
	ffffffff8100012f [unknown] ([kernel.kallsyms])
	      2d00000002 (cookie) ([unknown])

busy   154    12.114606: DEFERRED CALLCHAIN [cookie: 2d00000002]
	           30503 [unknown] (/usr/bin/busy)
	            1687 [unknown] (/usr/bin/busy)
	            1692 [unknown] (/usr/bin/busy)
	            16db [unknown] (/usr/bin/busy)
	            1a24 [unknown] (/usr/bin/busy)

busy   154    12.115565: 
	ffffffff821ab650 [unknown] ([kernel.kallsyms])
	ffffffff81d420f8 [unknown] ([kernel.kallsyms])
	ffffffff817cc851 [unknown] ([kernel.kallsyms])
	ffffffff817cd871 [unknown] ([kernel.kallsyms])
	ffffffff821b0b54 [unknown] ([kernel.kallsyms])
	ffffffff8100012f [unknown] ([kernel.kallsyms])
	      2f00000002 (cookie) ([unknown])

busy   154    12.115607: DEFERRED CALLCHAIN [cookie: 2f00000002]
	           30503 [unknown] (/usr/bin/busy)
	            1687 [unknown] (/usr/bin/busy)
	            1692 [unknown] (/usr/bin/busy)
	            16db [unknown] (/usr/bin/busy)
	            1a24 [unknown] (/usr/bin/busy)

busy   154    12.116676: 
	ffffffff81680a70 [unknown] ([kernel.kallsyms])
	ffffffff816d3c12 [unknown] ([kernel.kallsyms])
	ffffffff816dcf47 [unknown] ([kernel.kallsyms])
	ffffffff816dd4ec [unknown] ([kernel.kallsyms])
	ffffffff8134430d [unknown] ([kernel.kallsyms])
	ffffffff821b9380 [unknown] ([kernel.kallsyms])
	ffffffff810012a6 [unknown] ([kernel.kallsyms])
	      3100000002 (cookie) ([unknown])

busy   154    12.116806: DEFERRED CALLCHAIN [cookie: 3100000002]
	            8a38 [unknown] (/usr/bin/busy)


=== lost ones are told
sh: perf report --stdio --no-children -g none -s comm,dso -n --symfs $TMP -i $DATA/script/deferred-lost.data 2>&1 | grep -v '^#' | grep .
--- stdout
    57.58%            19  busy     [kernel.kallsyms]
    42.42%            14  busy     busy             
warning: 10 of 33 deferred user callchains are missing: lost, or their tasks did not return to user space

=== --stats
sh: perf report --stats -i $DATA/script/deferred-lost.data | tail -3
--- stdout
task-clock:ppp stats:
          SAMPLE events:         33
stacks without the deferred part: 10 of 33  (30.3%)

=== of a stream
sh: perf inject -i $DATA/script/deferred.data -o - | perf script -F comm,time,ip -i - --time 12.11,12.2
--- stdout
busy    12.112946: 
	ffffffff821ab650 [unknown]
	ffffffff81d420f8 [unknown]
	ffffffff817cc851 [unknown]
	ffffffff817cd871 [unknown]
	ffffffff821b0b54 [unknown]
	ffffffff8100012f [unknown]
	           30503 [unknown]
	            1687 [unknown]
	            1692 [unknown]
	            16db [unknown]
	            1a24 [unknown]

busy    12.113567: 
	ffffffff821ab650 [unknown]
	ffffffff81d420f8 [unknown]
	ffffffff817cc851 [unknown]
	ffffffff817cd871 [unknown]
	ffffffff821b0b54 [unknown]
	ffffffff8100012f [unknown]
	           30503 [unknown]
	            1687 [unknown]
	            1692 [unknown]
	            16db [unknown]
	            1a24 [unknown]

busy    12.114564: 
	ffffffff821ab650 [unknown]
	ffffffff81d420f8 [unknown]
	ffffffff817cc851 [unknown]
	ffffffff817cd871 [unknown]
	ffffffff821b0b54 [unknown]
	ffffffff8100012f [unknown]
	           30503 [unknown]
	            1687 [unknown]
	            1692 [unknown]
	            16db [unknown]
	            1a24 [unknown]

busy    12.115565: 
	ffffffff821ab650 [unknown]
	ffffffff81d420f8 [unknown]
	ffffffff817cc851 [unknown]
	ffffffff817cd871 [unknown]
	ffffffff821b0b54 [unknown]
	ffffffff8100012f [unknown]
	           30503 [unknown]
	            1687 [unknown]
	            1692 [unknown]
	            16db [unknown]
	            1a24 [unknown]

busy    12.116676: 
	ffffffff81680a70 [unknown]
	ffffffff816d3c12 [unknown]
	ffffffff816dcf47 [unknown]
	ffffffff816dd4ec [unknown]
	ffffffff8134430d [unknown]
	ffffffff821b9380 [unknown]
	ffffffff810012a6 [unknown]
	            8a38 [unknown]


