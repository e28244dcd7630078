# The program level: global options, unknown commands, lost output.
=== without arguments the list of commands, exit 1
argv: perf
exit: 1
--- stdout contains

 usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]
 The most commonly used perf commands are:
   version         display the version of perf
 See 'perf help COMMAND' for more information on a specific command.

=== help is the same text, exit 0
sh: diff <(perf) <(perf --help) && diff <(perf) <(perf -h) && diff <(perf) <(perf help)

=== unknown command
argv: perf versoin
exit: 1
--- stderr
perf: 'versoin' is not a perf-command. See 'perf --help'.

Did you mean this?
	version

=== unknown command like no other
argv: perf xyzzy
exit: 1
--- stderr
perf: 'xyzzy' is not a perf-command. See 'perf --help'.

=== a program perf-NAME on the exec path is a command
sh: printf '#!/bin/sh\necho "outside: $*"; exit 3\n' > perf-hello && chmod +x perf-hello && perf --exec-path=$TMP hello a b
exit: 3
--- stdout
outside: a b

=== a program perf-NAME on PATH is a command
sh: printf '#!/bin/sh\necho "$0"\n' > perf-hello && chmod +x perf-hello && PATH=$PATH:$TMP perf hello
--- stdout
$TMP/perf-hello

=== unknown option
argv: perf --bogus
exit: 129
--- stderr
Unknown option: --bogus

 Usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]

=== missing value
argv: perf --buildid-dir
exit: 129
--- stderr
No directory given for --buildid-dir.

 Usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]

=== a dash that an editor made
argv: perf –v
exit: 129
--- stderr
error: '–v' begins with a typographic dash, not with '-'
hint: text copied from a document? type '-v'

=== options before the command
sh: perf --no-pager --buildid-dir /nonexistent --debugfs-dir=/nonexistent --debug verbose=2,perf-event-open version | cut -d. -f1
--- stdout
perf version 7

=== keys of --debug: those that show nothing here, and unknown ones
sh: perf --debug ordered-events=2,stderr version | cut -d. -f1; perf --debug dso version; perf --debug perf-event-open=0,verbose=2 version | cut -d. -f1
--- stdout
perf version 7
perf version 7
--- stderr
warning: --debug ordered-events shows nothing here
hint: keys that do: verbose, perf-event-open, tui-keys
warning: --debug stderr shows nothing here
hint: keys that do: verbose, perf-event-open, tui-keys
error: unknown debug key 'dso'
Keys: verbose, perf-event-open, tui-keys

 Usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]

=== what --debug shows is in the file of --debug-file
needs: perf-events
sh: perf --debug perf-event-open --debug-file d record -q -e dummy:u -o p.data true; grep -c -e ^perf_event_attr: -e ^sys_perf_event_open: d | sed 's/^[1-9].*/there/'
--- stdout
there

=== a level of --debug is a number
sh: perf --debug verbose=x version; echo $?
--- stdout
129
--- stderr
error: --debug verbose: 'x' is not a number
Keys: verbose=N, perf-event-open, tui-keys

 Usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]

=== lists for completion
sh: perf --list-cmds | tr ' ' '\n' | grep -cE '^(version|check|help)$'; perf --list-opts; perf version --list-opts
--- stdout
3
--help --version --exec-path --html-path --paginate --no-pager --debugfs-dir --buildid-dir --list-cmds --list-opts --debug --debug-file 
--build-options --verbose 

=== full disk
sh: perf version > /dev/full
exit: 1
--- stderr
error: cannot write to standard output: No space left on device

=== closed stdout
sh: perf version >&-
exit: 1
--- stderr
error: cannot write to standard output: Bad file descriptor

=== a reader that has gone is no error
sh: perf help | true

=== on a terminal long text goes through the pager
needs: /dev/pts/ptmx
sh: PERF_PAGER='sed -n s/^NAME/paged/p' script -qec 'perf help version' /dev/null </dev/null | tr -d '\r'
--- stdout
paged

=== the table of options goes through the pager
needs: script
sh: export PERF_PAGER='sed -n "s/^ Usage/paged/p"'; script -qec 'perf version -h' /dev/null </dev/null | tr -d '\r'; script -qec 'perf --no-pager version -h' /dev/null </dev/null | grep -c paged; perf version -h 2>&1 | grep -c paged
exit: 1
--- stdout
paged: perf version [<options>]
0
0

=== analysers page what they read of a recording
needs: /dev/pts/ptmx
sh: export PERF_PAGER='sed s/^/paged:/'; for c in "sched latency -i $DATA/sched/switches.data" "sched script -i $DATA/sched/switches.data" "sched stats diff $DATA/sched/stats.1.data $DATA/sched/stats.2.data" "kmem stat -i $DATA/kmem/kmem.data" "kwork report -i $DATA/kwork/kwork.data" "kvm -i $DATA/kvm/exits.data stat report"; do echo "-- ${c%% -*}: $(script -qec "perf $c" /dev/null </dev/null | grep -c paged: | sed 's/[1-9][0-9]*/yes/')"; done
--- stdout
-- sched latency: yes
-- sched script: yes
-- sched stats diff $DATA/sched/stats.1.data $DATA/sched/stats.2.data: yes
-- kmem stat: yes
-- kwork report: yes
-- kvm: yes

=== the pager is for terminals only, and can be turned off
needs: /dev/pts/ptmx
sh: export PERF_PAGER='sed -n s/^NAME/paged/p'; perf help version | grep -c NAME; script -qec 'perf --no-pager help version' /dev/null </dev/null | grep -c NAME
--- stdout
1
1

