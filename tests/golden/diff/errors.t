# perf diff: what is refused, and how.
=== a recording that is not there
sh: cd $DATA/diff && perf diff -f base-1.data nothere.data; echo $?
--- stdout
255
--- stderr
error: failed to open 'nothere.data': No such file or directory
hint: try 'perf record' first

=== computations
sh: for c in foo wdiff wdiff:1 wdiff:0,1 delta:2; do perf diff -c $c a b 2>&1 | head -1; done
--- stdout
Failed: 'foo' is not computation method (use 'delta','delta-abs','ratio', 'wdiff' or 'cycles')
Failed: wrong weight data, use 'wdiff:w1,w2'
Failed: wrong weight data, use 'wdiff:w1,w2'
Failed: wrong weight data, use 'wdiff:w1,w2'
Failed: extra option specified '2'

=== a column that there is not
sh: cd $DATA/diff && perf diff -f -o 2 base-1.data new-1.data; echo $?
--- stdout
255
--- stderr
error: Order option out of limit.

=== a separator that names have
sh: perf diff -t . a b; echo $?
--- stdout
255
--- stderr
'.' is the only non valid --field-separator argument

=== nothing to compare is no success
sh: cd $DATA/diff && perf diff -f --fail-above 5 -q base-1.data ../perfdata/made-stat.data; echo $?
--- stdout
255
--- stderr
error: ../perfdata/made-stat.data has no samples: --fail-above cannot tell what grew

=== filters that leave nothing are no success; functions may come and go
sh: cd $DATA/diff && for o in "-C nosuch" "--pid 1" "--tid 1" "--cpu 1000" "--time 0,0.0001" "--time 0,0.0001:" "-S nosuch" "-d nosuch" "-C work -S delta" "-S delta" "-S gamma_"; do perf diff -f -q --fail-above 5 $o base-1.data new-2.data 2>&1; echo $?; done
--- stdout
error: base-1.data has no samples that pass the filters: --fail-above cannot tell what grew
255
error: base-1.data has no samples that pass the filters: --fail-above cannot tell what grew
255
error: base-1.data has no samples that pass the filters: --fail-above cannot tell what grew
255
error: the samples of this file do not say their CPU: --cpu cannot choose
255
error: base-1.data has no samples that pass the filters: --fail-above cannot tell what grew
255
error: base-1.data has no samples that pass the filters: --fail-above cannot tell what grew
255
error: no recording has samples that pass the filters: --fail-above cannot tell what grew
255
error: no recording has samples that pass the filters: --fail-above cannot tell what grew
255
error: new-2.data has no samples that pass the filters: --fail-above cannot tell what grew
255
     4.00%             work         
0
               +4.65%  work         
0

=== recordings of other events are not compared, which is told
sh: cd $DATA/diff && perf diff -f -q --fail-above 5 base-1.data ../branches/stack.data; echo $?; perf diff -f base-1.data ../branches/stack.data >$TMP/o; echo $?; perf diff -f -q --fail-above 5 ../perfdata/simpleperf-perf_with_two_event_types.data ../perfdata/simpleperf-perf_g_fp.data; echo $?
--- stdout
255
0
255
--- stderr
error: ../branches/stack.data has no event 'cpu-clock:u', which base-1.data has: --fail-above cannot tell what grew
warning: ../branches/stack.data has no event 'cpu-clock:u', which base-1.data has
error: ../perfdata/simpleperf-perf_g_fp.data has no event 'cpu-clock:HG', which ../perfdata/simpleperf-perf_with_two_event_types.data has: --fail-above cannot tell what grew

=== an event that one side has no samples of, and one that no side has
sh: cd $DATA/perfdata && f=simpleperf-perf_with_two_event_types.data; t=683802.7775; for o in "--time ,683803:,$t" "--time ,$t:,683803" "-s dso --time ,$t"; do perf diff -f -q --fail-above 5 $o $f $f >$TMP/o; echo $?; done
--- stdout
255
255
0
--- stderr
error: simpleperf-perf_with_two_event_types.data has no samples of event 'cpu-clock:HG', simpleperf-perf_with_two_event_types.data has: --fail-above cannot tell what grew
error: simpleperf-perf_with_two_event_types.data has no samples of event 'cpu-clock:HG', simpleperf-perf_with_two_event_types.data has: --fail-above cannot tell what grew

=== functions without names did not grow, nor did they not
sh: cd $DATA/diff && for f in base-1 new-1; do LC_ALL=C sed s/PERFMORE/PERFLESS/ $f.data >$TMP/$f; done; o="-f -q --fail-above 5"; perf diff $o base-1.data $TMP/new-1; echo $?; perf diff $o $TMP/base-1 new-1.data; echo $?; perf diff $o $TMP/base-1 $TMP/new-1; echo $?; perf diff $o -s dso $TMP/base-1 $TMP/new-1; echo $?
--- stdout
             +100.00%  work              [.] [unknown]
    62.00%             work              [.] beta
    34.00%             work              [.] alpha
     4.00%             work              [.] delta
255
              +66.67%  work              [.] alpha
              +33.33%  work              [.] beta
   100.00%             work              [.] [unknown]
255
   100.00%     +0.00%  work              [.] [unknown]
255
   100.00%     +0.00%  work            
0
--- stderr
error: work: functions without names may have grown by more than 5
error: work: functions without names may have grown by more than 5
error: no function has a name: --fail-above cannot tell what grew

=== options that leave out what is to be told
sh: perf diff --fail-above 5 --noise 6 a b 2>&1 | head -1; perf diff --fail-above 5 -b a b 2>&1 | head -1; cd $DATA/diff; perf diff -f -q --fail-above 90 --noise 5 base-1.data new-1.data; echo $?
--- stdout
--noise 6 leaves out what --fail-above 5 is to tell
-b leaves out what is new, which --fail-above is to tell
    34.00%    +32.67%  work           [.] alpha
    62.00%    -28.67%  work           [.] beta
0

=== a key with a slip
sh: cd $DATA/diff && perf diff -f -s symbl base-1.data new-1.data 2>&1 | head -4
--- stdout
Error:
Unknown --sort key: `symbl'
hint: did you mean 'symbol'?
 Usage: perf diff [<options>] [old_file] [new_file]

=== sides that lack recordings
sh: for o in "--base a" "--new a" "--base a --new" "--base --new b" "--base a --new b --new"; do perf diff $o 2>&1 | head -1; done
--- stdout
no recording follows --new
no recording is on the side of the base
no recording follows --new
no recording is on the side of the base
no recording follows --new

=== what needs several runs, and what has no sense for them
sh: cd $DATA/diff && perf diff --significant --base base-1.data base-2.data --new new-1.data 2>&1 | head -1; perf diff -F --base base-1.data base-2.data --new new-1.data 2>&1 | head -1
--- stdout
--significant needs several runs on each side, 'new-1.data' is alone
what differs are means of several runs: there is no formula of one line

=== numbers
sh: perf diff --noise x a b 2>&1 | head -1; perf diff --fail-above 101 a b 2>&1 | head -1; perf diff --normalize tim a b 2>&1 | head -2; perf diff --percentage x a b 2>&1 | head -1
--- stdout
--noise: percentage points from 0 to 100, not 'x'
--fail-above: percentage points from 0 to 100, not '101'
--normalize: period, samples, time or base, not 'tim'
hint: did you mean 'time'? known are period, samples, time, base
'x' is neither relative nor absolute

=== settings
sh: cd $DATA/diff && printf '[diff]\n\torder = 0\n\tcompute = ratio\n' > $TMP/c; PERF_CONFIG=$TMP/c perf diff -f -q base-3.data new-1.data; perf config diff.compute=foo; perf config diff.order=x; echo $?
--- stdout
    48.89%        1.272727  work           [.] alpha
    44.44%        0.700000  work           [.] beta
     6.67%                  work           [.] delta
255
--- stderr
error: diff.compute is not set: Failed: 'foo' is not computation method (use 'delta','delta-abs','ratio', 'wdiff' or 'cycles')

error: diff.order is not set: diff.order is the number of a file, not 'x'

=== what context switches would tell is not made up where there are none
sh: cd $DATA/diff && perf diff -f -s parallelism base-1.data new-1.data; echo $?
--- stdout
255
--- stderr
error: base-1.data: Use of latency profile or parallelism requires --latency flag during record.

=== CPUs of samples that do not say theirs
sh: cd $DATA/diff && perf diff -f --stdio --cpu 0 base-1.data new-1.data; echo $?
--- stdout
255
--- stderr
error: the samples of this file do not say their CPU: --cpu cannot choose
hint: record with -a, -C or --sample-cpu

