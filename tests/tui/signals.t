# Whatever ends perf, and while it is stopped: the terminal is as it was (the runner looks at that in each case).
=== report: ^C
$ perf report -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
has of event
keys <CtrlC>
exit -2

=== report: SIGTERM
$ perf report -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
has of event
signal TERM
exit -15

=== report: SIGHUP
$ perf report -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
has of event
signal HUP
exit -1

=== report: SIGQUIT
$ perf report -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
has of event
signal QUIT
exit -3

=== report: SIGSEGV
env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0
$ perf report -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
has of event
signal SEGV
exit -11

=== report: SIGBUS
env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0
$ perf report -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
has of event
signal BUS
exit -7

=== report: SIGABRT
env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0
$ perf report -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
has of event
signal ABRT
exit -6

=== report: ^Z, and it goes on
$ bash -mc 'perf report -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm; echo stopped; read x; fg'
has of event
keys <CtrlZ>
has stopped
keys <Enter>
has of event
keys q q
exit 0

=== annotate: ^C
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
has samples of
keys <CtrlC>
exit -2

=== annotate: SIGTERM
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
has samples of
signal TERM
exit -15

=== annotate: SIGHUP
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
has samples of
signal HUP
exit -1

=== annotate: SIGQUIT
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
has samples of
signal QUIT
exit -3

=== annotate: SIGSEGV
env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
has samples of
signal SEGV
exit -11

=== annotate: SIGBUS
env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
has samples of
signal BUS
exit -7

=== annotate: SIGABRT
env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
has samples of
signal ABRT
exit -6

=== annotate: ^Z, and it goes on
$ bash -mc 'perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate; echo stopped; read x; fg'
has samples of
keys <CtrlZ>
has stopped
keys <Enter>
has samples of
keys q q
exit 0

=== diff: ^C
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
has Baseline
keys <CtrlC>
exit -2

=== diff: SIGTERM
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
has Baseline
signal TERM
exit -15

=== diff: SIGHUP
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
has Baseline
signal HUP
exit -1

=== diff: SIGQUIT
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
has Baseline
signal QUIT
exit -3

=== diff: SIGSEGV
env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
has Baseline
signal SEGV
exit -11

=== diff: SIGBUS
env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
has Baseline
signal BUS
exit -7

=== diff: SIGABRT
env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0
before cp $DATA/diff/*-1.data .
$ perf diff base-1.data new-1.data
has Baseline
signal ABRT
exit -6

=== diff: ^Z, and it goes on
before cp $DATA/diff/*-1.data .
$ bash -mc 'perf diff base-1.data new-1.data; echo stopped; read x; fg'
has Baseline
keys <CtrlZ>
has stopped
keys <Enter>
has Baseline
keys q q
exit 0
