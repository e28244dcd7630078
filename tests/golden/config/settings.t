# What the settings do.

=== report: columns, order, limits
sh: printf '[report]\nchildren = no\nsort_order = dso\npercent-limit = 50\n[call-graph]\nthreshold = 90\n' > f; PERF_CONFIG=f perf report --stdio -g none -i $DATA/script/group.data | grep -v '^# *$\|Tip'
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
# Total Lost Samples: 0
# Samples: 18  of events 'anon group { cpu-clock, page-faults }'
# Event count (approx.): 2321909
#         Overhead  Shared Object       
# ................  ....................
    56.50%  60.89%  [kernel.kallsyms]   



=== report: the command line wins
sh: printf '[report]\nchildren = no\nsort_order = dso\n' > f; PERF_CONFIG=f perf report --stdio --children -s comm -g none -i $DATA/script/group.data | grep '^# *[CO]'
--- stdout
#         Overhead  Command

=== report: call graphs
sh: printf '[call-graph]\nprint-type = folded\norder = callee\nprint-limit = 1\nthreshold=0\n' > f; PERF_CONFIG=f perf report --stdio --no-children -s comm --symfs . -i $DATA/script/sched-stacks.data | grep -v '^#' | head -8
--- stdout
    52.00%  bash   
28.00% 0xffffffff821f8b58;0xffffffff821f94c3;0xffffffff8135e643;0xffffffff8135eccc;0xffffffff821ed511;0xffffffff81000130;0x7fc9203d5bd3
    48.00%  gzip   
20.00% 0xffffffff821f8b58;0xffffffff821f94c3;0xffffffff821f39f0;0xffffffff81000e06;0x564dca67a330



=== values that no command accepts
sh: for s in print-type=x order=x sort-key=x threshold=x print-limit=x; do printf "[call-graph]\n$s\n" > f; PERF_CONFIG=f perf report --stdio -i $DATA/script/group.data; echo $?; done
--- stdout
255
255
255
255
255
--- stderr
Invalid callchain mode: x
hint: known are graph, fractal, flat, folded
Error in the given config file: wrong config key-value pair call-graph.print-type=x
Invalid callchain order: x
hint: known are caller, callee
Error in the given config file: wrong config key-value pair call-graph.order=x
Invalid callchain sort key: x
hint: known are function, address, srcline
Error in the given config file: wrong config key-value pair call-graph.sort-key=x
Invalid callchain threshold: x
Error in the given config file: wrong config key-value pair call-graph.threshold=x
Invalid callchain print limit: x
Error in the given config file: wrong config key-value pair call-graph.print-limit=x

=== more of them
sh: for s in record-mode=x dump-size=x dump-size=99999999; do printf "[call-graph]\n$s\n" > f; PERF_CONFIG=f perf record -o o true; echo $?; done; for s in call-graph=x build-id=x; do printf "[record]\n$s\n" > f; PERF_CONFIG=f perf record -o o true; echo $?; done; printf "[hist]\npercentage=x\n" > f; PERF_CONFIG=f perf report --stdio; echo $?
--- stdout
255
255
255
255
255
255
--- stderr
callchain: Unknown --call-graph option value: x
hint: known are fp, dwarf, auto, lbr, no
Error in the given config file: wrong config key-value pair call-graph.record-mode=x
callchain: Incorrect stack dump size (max 65528): x
Error in the given config file: wrong config key-value pair call-graph.dump-size=x
callchain: Incorrect stack dump size (max 65528): 99999999
Error in the given config file: wrong config key-value pair call-graph.dump-size=99999999
callchain: Unknown --call-graph option value: x
hint: known are fp, dwarf, auto, lbr, no
Error in the given config file: wrong config key-value pair record.call-graph=x
hint: known are cache, no-cache, skip, mmap
Error in the given config file: wrong config key-value pair record.build-id=x
'x' is neither relative nor absolute
hint: known are relative, absolute
Error in the given config file: wrong config key-value pair hist.percentage=x

=== a bad yes or no is left out
sh: printf '[report]\nchildren = maybe\n' > f; PERF_CONFIG=f perf report --stdio -s comm -g none -i $DATA/script/sched-stacks.data 2>&1 | grep '^bad\|^# *Ch'
--- stdout
bad config value for 'report.children', ignoring...
# Children      Self  Command

=== record: what -g means
needs: perf-events
sh: printf '[call-graph]\nrecord-mode = dwarf\ndump-size = 4096\n' > f; export PERF_CONFIG=f; perf record -q -g -o o true; perf evlist -v -i o | head -1 | grep -o 'sample_stack_user: [0-9]*'; perf record -q --call-graph fp -o o true; perf evlist -v -i o | grep -c sample_stack_user; printf '[record]\ncall-graph = dwarf,16384\n[call-graph]\nrecord-mode = fp\n' > f; perf record -q -g -o o true; perf evlist -v -i o | head -1 | grep -o 'sample_stack_user: [0-9]*'
--- stdout
sample_stack_user: 4096
0
sample_stack_user: 16384

=== record: build ids
needs: perf-events
sh: export PERF_BUILDID_DIR=$TMP/ids; for v in no-cache cache skip; do printf "[record]\nbuild-id = $v\n" > f; PERF_CONFIG=f perf record -q -e cpu-clock -c 100000 -o o grep -c x $DATA/script/group.data >/dev/null; test -e ids && echo cached; done; perf report --header-only -i o | grep -c 'missing features.* BUILD_ID\b'
--- stdout
cached
cached
1

=== stat: big numbers
needs: perf-events
sh: printf '[stat]\nbig-num = false\n' > f; export LC_ALL=C.UTF-8; PERF_CONFIG=f perf stat -e task-clock true 2>&1 | grep -c ','
exit: 1
--- stdout
0

=== the folder of binaries
needs: perf-events
sh: printf "[buildid]\ndir = ~/ids\n" > f; unset PERF_BUILDID_DIR; PERF_CONFIG=f perf record -q -e cpu-clock -c 100000 -o o grep -c x $DATA/script/group.data >/dev/null; ls ~/ids/.build-id | wc -w | grep -v '^0' >/dev/null; echo $?
--- stdout
0

=== aliases
sh: printf '[alias]\nversions = version\nhot = "evlist -i \\"$DATA/script/group.data\\""\nloop = loop2\nloop2 = loop\nopen = "version \\"x"\nempty = " "\nshow = !echo shell\nargs = "!printf \\"<%%s>\\" \\"$2\\" \\"$1\\"; echo"\nevlist = version\n' > f; sed -i "s#\$DATA#$DATA#" f; export PERF_CONFIG=f; perf versions | cut -c 1-12; perf hot; perf hot -F; perf show a 'b c'; perf args 1 2; for a in loop open empty none; do perf $a; echo $?; done; perf evlist -i $DATA/script/group.data
--- stdout
perf version
cpu-clock
page-faults
cpu-clock: sample_freq=4000
page-faults: sample_period=0
shell a b c
<2><1>
255
255
255
1
cpu-clock
page-faults
--- stderr
error: alias 'loop' leads to itself
error: alias 'open' has an open quote
error: alias 'empty' is empty
perf: 'none' is not a perf-command. See 'perf --help'.

=== the nearest command
sh: printf '[help]\nautocorrect = 1\n' > f; PERF_CONFIG=f perf verzion | cut -c 1-12; printf '[help]\nautocorrect = x\n' > f; PERF_CONFIG=f perf verzion; echo $?
--- stdout
perf version
1
--- stderr
WARNING: You called a perf program named 'verzion', which does not exist.
Continuing under the assumption that you meant 'version'
in 0.1 seconds automatically...
Error in the given config file: wrong config key-value pair help.autocorrect=x
perf: 'verzion' is not a perf-command. See 'perf --help'.

Did you mean this?
	version

=== viewers of manual pages
sh: printf '[man]\nviewer = mine\n[man "mine"]\ncmd = echo shows\n' > f; PERF_CONFIG=f perf help record; printf '[man "man"]\npath = /bin/echo\n[help]\nformat = man\n' > f; PERF_CONFIG=f perf help record; PERF_CONFIG=f perf help nothing; echo $?; printf '[help]\nformat = none\n' > f; PERF_CONFIG=f perf help record; echo $?
--- stdout
shows perf-record
perf-record
1
255
--- stderr
error: no help page for 'nothing'
unrecognized help format 'none'
Error in the given config file: wrong config key-value pair help.format=none

=== a viewer that is not known
needs: man
sh: printf '[man]\nviewer = none\n[man "man"]\npath = /bin/echo\n' > f; PATH=$PATH PERF_CONFIG=f perf help version 2>&1 >/dev/null </dev/null
--- stdout
warning: 'none': unknown man viewer
hint: 'man.none.cmd' in the configuration says how to run it

=== call-graph.sort-key=srcline is the word of -g
sh: printf "[call-graph]\nsort-key=srcline\n" > f; PERF_CONFIG=f perf report --stdio --no-children --no-branch-stack -q -i $DATA/branches/stack.data --symfs $DATA/branches | head -8
--- stdout
    41.66%  walk     walk           [.] loop
            |          
            |--16.68%--loop walk.c:25
            |          once walk.c:38
            |          main walk.c:44
            |          
            |--8.33%--loop walk.c:26
            |          once walk.c:38

