# perf doctor: errors, the verdict on recordings, the shape of JSON.
=== a recording of another machine: what has no name, what was lost
argv: perf doctor --symfs /nowhere $DATA/perfdata/quipper-perf.data.lost_samples-4.4
exit: 1
--- stdout
note   stacks: no callchains were recorded
       mend: perf record -g ... (perf doctor -- CMD tells which way fits the program)
WRONG  names: 0.0 % of 191 samples have a function's name
note   unresolved: [kernel.kallsyms]: 60.7 % of samples are in it, 0.0 % have callers in it, without a name
       recorded on another machine or kernel: the recorded kernel is not this one, and no copy of its symbols is in the build-id cache
       mend: perf archive $DATA/perfdata/quipper-perf.data.lost_samples-4.4 (on the machine that recorded it)
note   unresolved: /lib64/ld-2.23.so: 29.8 % of samples are in it, 0.0 % have callers in it, without a name
       recorded on another machine or kernel: cannot open '/lib64/ld-2.23.so'
       mend: perf archive $DATA/perfdata/quipper-perf.data.lost_samples-4.4 (on the machine that recorded it)
note   unresolved: /lib64/libc-2.23.so: 6.3 % of samples are in it, 0.0 % have callers in it, without a name
       recorded on another machine or kernel: cannot open '/lib64/libc-2.23.so'
       mend: perf archive $DATA/perfdata/quipper-perf.data.lost_samples-4.4 (on the machine that recorded it)
note   unresolved: /lib64/libpthread-2.23.so: 1.0 % of samples are in it, 0.0 % have callers in it, without a name
       recorded on another machine or kernel: cannot open '/lib64/libpthread-2.23.so'
       mend: perf archive $DATA/perfdata/quipper-perf.data.lost_samples-4.4 (on the machine that recorded it)
WRONG  unmapped: 1.6 % of samples are at addresses in no known mapping
       mappings were lost, or the process had ended when it was looked at
WRONG  lost: 2 events were lost, 1.0 %
       the rings were full before they were read
       mend: perf record -m 1M ...
note   lost: cycles:pp: 1 in 1 records
note   lost: branch-instructions:pp: 1 in 1 records
ok     throttled: sampling was never held back

3 things are wrong.

=== throttled
argv: perf doctor -i $DATA/perfdata/quipper-perf.data.piped.target.throttled-3.4 --symfs /nowhere
exit: 1
--- stdout
note   stacks: no callchains were recorded
       mend: perf record -g ... (perf doctor -- CMD tells which way fits the program)
WRONG  names: 0.0 % of 228 samples have a function's name
note   unresolved: [kernel.kallsyms]: 91.2 % of samples are in it, 0.0 % have callers in it, without a name
       the recorded kernel is not this one, and no copy of its symbols is in the build-id cache
       mend: sudo sysctl kernel.kptr_restrict=0 (then record again)
note   unresolved: /lib/libc-2.15.so: 4.8 % of samples are in it, 0.0 % have callers in it, without a name
       cannot open '/lib/libc-2.15.so'
note   unresolved: /usr/sbin/perf: 3.5 % of samples are in it, 0.0 % have callers in it, without a name
       cannot open '/usr/sbin/perf'
ok     lost: no events were lost
WRONG  throttled: the kernel held sampling back 1 time
       what ran then is missing in the profile
       mend: perf record -F 999 ... (or any lower rate than was asked for)

2 things are wrong.

=== broken chains, and what they end behind
argv: perf doctor -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 --symfs /nowhere
threads: 1 2 3
exit: 1
--- stdout
WRONG  stacks: 25.5 % of 1768 reach their thread's start
note   broken: 74.5 % of stacks end before their thread's start
       frame pointers were followed into code that keeps none
       mend: perf record --call-graph auto ...
note   broken: /opt/google/chrome/chrome: 61.8 % of stacks end behind its code
note   broken: /lib64/libc-2.15.so: 4.9 % of stacks end behind its code
note   broken: /lib64/libpthread-2.15.so: 4.0 % of stacks end behind its code
note   broken: /usr/lib64/libglib-2.0.so.0.3400.3: 1.3 % of stacks end behind its code
WRONG  names: 0.0 % of 1768 samples have a function's name
note   unresolved: /opt/google/chrome/chrome: 56.6 % of samples are in it, 61.8 % have callers in it, without a name
       recorded on another machine or kernel: cannot open '/opt/google/chrome/chrome'
       mend: perf archive $DATA/perfdata/quipper-perf.data.callgraph-3.8 (on the machine that recorded it)
note   unresolved: [kernel.kallsyms]: 36.5 % of samples are in it, 37.2 % have callers in it, without a name
       recorded on another machine or kernel: the recorded kernel is not this one, and no copy of its symbols is in the build-id cache
       mend: perf archive $DATA/perfdata/quipper-perf.data.callgraph-3.8 (on the machine that recorded it)
note   unresolved: /lib64/libc-2.15.so: 0.6 % of samples are in it, 5.0 % have callers in it, without a name
       recorded on another machine or kernel: cannot open '/lib64/libc-2.15.so'
       mend: perf archive $DATA/perfdata/quipper-perf.data.callgraph-3.8 (on the machine that recorded it)
note   unresolved: /lib64/libpthread-2.15.so: 1.5 % of samples are in it, 5.8 % have callers in it, without a name
       recorded on another machine or kernel: cannot open '/lib64/libpthread-2.15.so'
       mend: perf archive $DATA/perfdata/quipper-perf.data.callgraph-3.8 (on the machine that recorded it)
note   unresolved: /usr/lib64/libglib-2.0.so.0.3400.3: 1.2 % of samples are in it, 1.3 % have callers in it, without a name
       recorded on another machine or kernel: cannot open '/usr/lib64/libglib-2.0.so.0.3400.3'
       mend: perf archive $DATA/perfdata/quipper-perf.data.callgraph-3.8 (on the machine that recorded it)
note   unresolved: /lib/modules/3.8.11/kernel/drivers/net/wireless-3.4/ath/ath9k/ath9k.ko: 0.3 % of samples are in it, 2.2 % have callers in it, without a name
note   unresolved: /lib/modules/3.8.11/kernel/drivers/net/wireless-3.4/ath/ath9k/ath9k_hw.ko: 0.1 % of samples are in it, 1.2 % have callers in it, without a name
       recorded on another machine or kernel: the recorded kernel is not this one, and no copy of its symbols is in the build-id cache
       mend: perf archive $DATA/perfdata/quipper-perf.data.callgraph-3.8 (on the machine that recorded it)
ok     lost: no events were lost
ok     throttled: sampling was never held back

2 things are wrong.

=== JSON
argv: perf doctor --json -i $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14 --symfs /nowhere
exit: 1
--- stdout
{
	"version": 1,
	"mode": "capture",
	"subject": "$DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14",
	"wrong": 1,
	"record": null,
	"measures": {
		"samples": 2,
		"stacks": 0,
		"stacks-complete": 0,
		"stacks-truncated": 0,
		"stacks-cut": 0,
		"stacks-broken": 0,
		"stacks-guessed": 0,
		"stacks-asleep": 0,
		"stacks-asleep-complete": 0,
		"samples-unresolved": 2,
		"samples-unmapped": 0,
		"samples-without-time": 0,
		"lost": 0,
		"throttled": 0,
		"out-of-order": 0,
		"stacks-by-copies": 0,
		"stacks-by-copies-complete": 0
	},
	"findings": [
		{"check": "stacks", "state": "note", "about": null, "value": "no callchains were recorded", "means": null, "mend": "perf record -g ... (perf doctor -- CMD tells which way fits the program)"},
		{"check": "names", "state": "wrong", "about": null, "value": "0.0 % of 2 samples have a function's name", "means": null, "mend": null},
		{"check": "unresolved", "state": "note", "about": "[kernel.kallsyms]", "value": "100.0 % of samples are in it, 0.0 % have callers in it, without a name", "means": "recorded on another machine or kernel: the recorded kernel is not this one, and no copy of its symbols is in the build-id cache", "mend": "perf archive $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14 (on the machine that recorded it)"},
		{"check": "lost", "state": "ok", "about": null, "value": "no events were lost", "means": null, "mend": null},
		{"check": "throttled", "state": "ok", "about": null, "value": "sampling was never held back", "means": null, "mend": null}
	]
}

=== the keys of the machine's checks
sh: perf doctor -j | python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["mode"], d["version"], *sorted({f["check"] for f in d["findings"]} - {"counters", "lockdown"}))'
--- stdout
machine 1 bpf capabilities container debuginfod kernel-names max-stack mlock open-files paranoid perf-events pmu sample-rate seccomp tracefs unwinder

=== a program is loaded, not run
sh: perf doctor -- touch made; ls
needs: perf-events
--- stdout contains
object: 
This will work:
-- touch made

=== the exit status follows what is wrong
sh: perf doctor -j >out; s=$?; python3 -c 'import json, sys; d = json.load(open("out")); print((d["wrong"] > 0) == bool(int(sys.argv[1])), int(sys.argv[1]) in (0, 1))' $s
--- stdout
True True

=== an empty file is no recording
sh: : >perf.data; perf doctor -i perf.data
exit: 255
--- stderr
error: zero-sized data ('perf.data'), nothing to do

=== no such program
argv: perf doctor -- ./nosuch
exit: 255
--- stderr
error: cannot run './nosuch': No such file or directory

=== no such process
argv: perf doctor -p 999999999
exit: 255
--- stderr
error: no such process: 999999999

=== both
argv: perf doctor -p 1 -i perf.data
exit: 255
--- stderr
error: -i, -p and a command exclude each other

=== a broken recording
argv: perf doctor -i $DATA/perfdata/malformed/nosuch
exit: 255
--- stderr
error: failed to open '$DATA/perfdata/malformed/nosuch': No such file or directory
hint: try 'perf record' first

