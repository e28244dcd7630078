# perf script --json: doc/json.md.
=== a line for each sample, behind the line that names the form; a chain is an array
sh: perf script --json --symfs $TMP -i $DATA/script/sched-stacks.data -F trace:comm,pid,tid,cpu,time,event,trace,ip,sym,symoff | head -3
threads: 1 2
--- stdout
{"schema":"perf script","version":1}
{"comm":"bash","pid":4552,"tid":4552,"cpu":1,"time":3089.079504191,"event":"sched:sched_switch","trace":"prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=R+ ==> next_comm=perf next_pid=4551 next_prio=120","args":{"prev_comm":"bash","prev_pid":4552,"prev_prio":120,"prev_state":256,"next_comm":"perf","next_pid":4551,"next_prio":120},"chain":[{"ip":"0xffffffff821f8b58","sym":null},{"ip":"0xffffffff821f96d5","sym":null},{"ip":"0xffffffff815e8d31","sym":null},{"ip":"0xffffffff815f3840","sym":null},{"ip":"0xffffffff81355977","sym":null},{"ip":"0xffffffff81356624","sym":null},{"ip":"0xffffffff813569e5","sym":null},{"ip":"0xffffffff821ed511","sym":null},{"ip":"0xffffffff81000130","sym":null},{"ip":"0x7fc9203d6353","sym":null}]}
{"comm":"bash","pid":4552,"tid":4552,"cpu":1,"time":3089.079668776,"event":"sched:sched_switch","trace":"prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=S ==> next_comm=bash next_pid=4554 next_prio=120","args":{"prev_comm":"bash","prev_pid":4552,"prev_prio":120,"prev_state":1,"next_comm":"bash","next_pid":4554,"next_prio":120},"chain":[{"ip":"0xffffffff821f8b58","sym":null},{"ip":"0xffffffff821f94c3","sym":null},{"ip":"0xffffffff8135e643","sym":null},{"ip":"0xffffffff8135eccc","sym":null},{"ip":"0xffffffff821ed511","sym":null},{"ip":"0xffffffff81000130","sym":null},{"ip":"0x7fc9203d5bd3","sym":null}]}

=== guesses are marked, what is not known is null, a copy that was too short is told
sh: $DATA/../tools/make_names_file.py perf.data comm=7,7,seven map=7,0x10000,0x1000,0,$DATA/elf/tiny64.so stack=7,7,U,0x103bc,0x103c0,U,0x103c0,0x103bd,0x999999 stack=7,7,U,0x103bc,0x103c0,U; perf script --json -F ip,sym,symoff,dso,dsoff | sed "s,$DATA,DATA,g"; for o in "--max-stack 1 -F ip" "-G -F ip,sym --stop-bt al" "-F ip,sym --stop-bt al"; do perf script --json $o; done
needs: feature:demangle
--- stdout
{"schema":"perf script","version":1}
{"chain":[{"ip":"0x103bc","sym":"al","symoff":0,"dso":"DATA/elf/tiny64.so","dsoff":"0x3bc"},{"ip":"0x103c0","sym":"foo","symoff":1,"dso":"DATA/elf/tiny64.so","dsoff":"0x3c0"},{"ip":"0x103c0","sym":"foo","symoff":1,"dso":"DATA/elf/tiny64.so","dsoff":"0x3c0","guess":true},{"ip":"0x103bd","sym":"al","symoff":1,"dso":"DATA/elf/tiny64.so","dsoff":"0x3bd","guess":true},{"ip":"0x999999","sym":null,"dso":null,"guess":true}]}
{"chain":[{"ip":"0x103bc","sym":"al","symoff":0,"dso":"DATA/elf/tiny64.so","dsoff":"0x3bc"},{"ip":"0x103c0","sym":"foo","symoff":1,"dso":"DATA/elf/tiny64.so","dsoff":"0x3c0"}],"cut":true}
{"schema":"perf script","version":1}
{"chain":[{"ip":"0x103bc"}]}
{"chain":[{"ip":"0x103bc"}]}
{"schema":"perf script","version":1}
{"at":{"ip":"0x103bc","sym":"al"}}
{"at":{"ip":"0x103bc","sym":"al"}}
{"schema":"perf script","version":1}
{"chain":[{"ip":"0x103bc","sym":"al"}]}
{"chain":[{"ip":"0x103bc","sym":"al"}]}
--- stderr
warning: 1 of 2 stacks are longer than the 8192 bytes that were copied of each: record --call-graph dwarf,65528 keeps more
warning: 1 of 2 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine
warning: 1 of 2 stacks are longer than the 8192 bytes that were copied of each: record --call-graph dwarf,65528 keeps more
warning: 1 of 2 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine
warning: 1 of 2 stacks are longer than the 8192 bytes that were copied of each: record --call-graph dwarf,65528 keeps more
warning: 1 of 2 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine
warning: 1 of 2 stacks are longer than the 8192 bytes that were copied of each: record --call-graph dwarf,65528 keeps more
warning: 1 of 2 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine

=== names may be anything: controls, quotes, bytes that are no text, turned directions
sh: $DATA/../tools/make_names_file.py perf.data "comm=7,7,$(printf 'a"b\\\033[31m\n\351\377\342\200\256x')" "map=7,0x10000,0x1000,0,$(printf '/x/\033]0;evil\007"}:{"comm":"no"}')" u=7,7,0x10010 u=8,8,0x1; perf script --json -F comm,tid,time,ip,sym,dso | cat -v; perf script --json | python3 -c "import sys, json; print([len(json.loads(l)) for l in sys.stdin])"
--- stdout
{"schema":"perf script","version":1}
{"comm":"a\"b\\\u001b[31m\n\u00e9\u00ff\u202ex","tid":7,"time":0.001003000,"at":{"ip":"0x10010","sym":null,"dso":"/x/\u001b]0;evil\u0007\"}:{\"comm\":\"no\"}"}}
{"comm":":8","tid":8,"time":0.001004000,"at":{"ip":"0x1","sym":null,"dso":null}}
[2, 6, 6]

=== records between the samples
sh: perf script --json -F comm,tid,time --show-switch-events --show-namespace-events --show-task-events -i $DATA/script/namespaces.data | sed -n '1p;3,8p'
--- stdout
{"schema":"perf script","version":1}
{"comm":"perf-exec","tid":0,"time":0.000000000,"record":"NAMESPACES","text":"PERF_RECORD_NAMESPACES 4793/4793 - nr_namespaces: 7\n\u0009\u0009[0/net: 4/0xeffffff9, 1/uts: 4/0xeffffffe, 2/ipc: 4/0xefffffff, 3/pid: 4/0xeffffffc, \n\u0009\u0009 4/user: 4/0xeffffffd, 5/mnt: 4/0xeffffff8, 6/cgroup: 4/0xeffffffb]"}
{"comm":"bash","tid":4793,"time":3101.448126322,"record":"COMM","text":"PERF_RECORD_COMM exec: bash:4793/4793"}
{"comm":"bash","tid":4793,"time":3101.449426471,"record":"FORK","text":"PERF_RECORD_FORK(4795:4795):(4793:4793)"}
{"comm":"bash","tid":4793,"time":3101.449445239,"record":"NAMESPACES","text":"PERF_RECORD_NAMESPACES 4795/4795 - nr_namespaces: 7\n\u0009\u0009[0/net: 4/0xeffffff9, 1/uts: 4/0xeffffffe, 2/ipc: 4/0xefffffff, 3/pid: 4/0xeffffffc, \n\u0009\u0009 4/user: 4/0xeffffffd, 5/mnt: 4/0xeffffff8, 6/cgroup: 4/0xeffffffb]"}
{"comm":"ls","tid":4795,"time":3101.449676865,"record":"COMM","text":"PERF_RECORD_COMM exec: ls:4795/4795"}
{"comm":"ls","tid":4795,"time":3101.450131914}

=== branches: ends as places, with what is known of them
sh: perf script --json -F comm,brstacksym -i $DATA/branches/stack.data | head -2 | cut -c1-400
--- stdout
{"schema":"perf script","version":1}
{"comm":"walk","brstack":[{"from":{"ip":"0x40015c","sym":null},"to":{"ip":"0x400165","sym":null},"predicted":true,"cycles":8,"type":"COND"},{"from":{"ip":"0x400208","sym":null},"to":{"ip":"0x400156","sym":null},"predicted":true,"cycles":1,"type":"IND_CALL"},{"from":{"ip":"0x4001a2","sym":null},"to":{"ip":"0x4001ec","sym":null},"predicted":true,"cycles":2,"type":"RET"},{"from":{"ip":"0x4001e7","sym

=== ratios of a sample's counters are an object behind theirs
argv: perf script --json -F comm,time,period,metric -i $DATA/script/group.data
threads: 1 2
--- stdout
{"schema":"perf script","version":1}
{"comm":"bash","time":3102.541671858,"period":261170}
{"comm":"bash","time":3102.541671858,"period":9}
{"comm":"bash","time":3102.541671858,"metrics":[{"event":"page-faults","value":34.460313,"unit":"K/sec"}]}
{"comm":"bash","time":3102.541919507,"period":248651}
{"comm":"bash","time":3102.541919507,"period":18}
{"comm":"bash","time":3102.541919507,"metrics":[{"event":"page-faults","value":72.390620,"unit":"K/sec"}]}
{"comm":"bash","time":3102.542169160,"period":249642}
{"comm":"bash","time":3102.542169160,"period":32}
{"comm":"bash","time":3102.542169160,"metrics":[{"event":"page-faults","value":128.183559,"unit":"K/sec"}]}
{"comm":"bash","time":3102.542422127,"period":250373}
{"comm":"bash","time":3102.542422127,"period":37}
{"comm":"bash","time":3102.542422127,"metrics":[{"event":"page-faults","value":147.779513,"unit":"K/sec"}]}
{"comm":"bash","time":3102.542669956,"period":250424}
{"comm":"bash","time":3102.542669956,"period":38}
{"comm":"bash","time":3102.542669956,"metrics":[{"event":"page-faults","value":151.742644,"unit":"K/sec"}]}
{"comm":"bash","time":3102.544335861,"period":288521}
{"comm":"bash","time":3102.544335861,"period":23}
{"comm":"bash","time":3102.544335861,"metrics":[{"event":"page-faults","value":79.716901,"unit":"K/sec"}]}
{"comm":"bash","time":3102.545692004,"period":249652}
{"comm":"bash","time":3102.545692004,"period":23}
{"comm":"bash","time":3102.545692004,"metrics":[{"event":"page-faults","value":92.128243,"unit":"K/sec"}]}
{"comm":"bash","time":3102.548176089,"period":264553}
{"comm":"bash","time":3102.548176089,"period":36}
{"comm":"bash","time":3102.548176089,"metrics":[{"event":"page-faults","value":136.078593,"unit":"K/sec"}]}
{"comm":"bash","time":3102.549505222,"period":258675}
{"comm":"bash","time":3102.549505222,"period":32}
{"comm":"bash","time":3102.549505222,"metrics":[{"event":"page-faults","value":123.707355,"unit":"K/sec"}]}

=== the instructions between branches, in blocks; what does not lead to a branch is told
sh: perf script --json -G -F ip,brstackinsn,brstackinsnlen --max-blocks 2 --symfs $DATA/branches -i $DATA/branches/stack.data | head -3; perf script --json -G -F ip,brstackinsn --symfs $TMP -i $DATA/branches/stack.data | head -2 | cut -c1-200; perf script --json -F ip,brstackinsn --symfs $DATA/branches -i $DATA/branches/stack.data | python3 -c "import sys, json; print([[(len(b['insns']), *b.keys() & {'mismatch', 'unreached'}) for b in s['brstackinsn']] for s in map(json.loads, sys.stdin) if 'brstackinsn' in s][2:4])"
--- stdout
{"schema":"perf script","version":1}
{"at":{"ip":"0x400168"},"brstackinsn":[{"insns":[{"at":{"ip":"0x4001a2","sym":"loop","symoff":48},"insn":"c3","insnlen":1}],"predicted":true,"cycles":2,"type":"RET"},{"insns":[{"at":{"ip":"0x4001ec","sym":"once","symoff":21},"insn":"89 c2","insnlen":2},{"at":{"ip":"0x4001ee","sym":"once","symoff":23},"insn":"8b 05 64 10 00 00","insnlen":6},{"at":{"ip":"0x4001f4","sym":"once","symoff":29},"insn":"01 d0","insnlen":2},{"at":{"ip":"0x4001f6","sym":"once","symoff":31},"insn":"89 05 5c 10 00 00","insnlen":6},{"at":{"ip":"0x4001fc","sym":"once","symoff":37},"insn":"48 8b 05 4d 10 00 00","insnlen":7},{"at":{"ip":"0x400203","sym":"once","symoff":44},"insn":"83 e3 07","insnlen":3},{"at":{"ip":"0x400206","sym":"once","symoff":47},"insn":"89 df","insnlen":2},{"at":{"ip":"0x400208","sym":"once","symoff":49},"insn":"ff d0","insnlen":2}],"predicted":true,"cycles":1,"type":"IND_CALL","ipc":8.00},{"insns":[{"at":{"ip":"0x400156","sym":"recurse","symoff":0},"insn":"55","insnlen":1},{"at":{"ip":"0x400157","sym":"recurse","symoff":1},"insn":"48 89 e5","insnlen":3},{"at":{"ip":"0x40015a","sym":"recurse","symoff":4},"insn":"85 ff","insnlen":2},{"at":{"ip":"0x40015c","sym":"recurse","symoff":6},"insn":"75 07","insnlen":2}],"predicted":true,"cycles":8,"type":"COND","ipc":0.50},{"insns":[{"at":{"ip":"0x400165","sym":"recurse","symoff":15},"insn":"83 ef 01","insnlen":3},{"at":{"ip":"0x400168","sym":"recurse","symoff":18},"insn":"e8 e9 ff ff ff","insnlen":5}]}]}
{"at":{"ip":"0x40014e"},"brstackinsn":[{"insns":[{"at":{"ip":"0x4001c4","sym":"loop","symoff":82},"insn":"75 f0","insnlen":2}],"predicted":true,"cycles":40,"type":"COND"},{"insns":[{"at":{"ip":"0x4001b6","sym":"loop","symoff":68},"insn":"8b 15 9c 10 00 00","insnlen":6},{"at":{"ip":"0x4001bc","sym":"loop","symoff":74},"insn":"01 d3","insnlen":2},{"at":{"ip":"0x4001be","sym":"loop","symoff":76},"insn":"83 c0 01","insnlen":3},{"at":{"ip":"0x4001c1","sym":"loop","symoff":79},"insn":"44 39 e0","insnlen":3},{"at":{"ip":"0x4001c4","sym":"loop","symoff":82},"insn":"75 f0","insnlen":2}],"mispredicted":true,"cycles":40,"type":"COND","ipc":0.12},{"insns":[{"at":{"ip":"0x4001b6","sym":"loop","symoff":68},"insn":"8b 15 9c 10 00 00","insnlen":6},{"at":{"ip":"0x4001bc","sym":"loop","symoff":74},"insn":"01 d3","insnlen":2},{"at":{"ip":"0x4001be","sym":"loop","symoff":76},"insn":"83 c0 01","insnlen":3},{"at":{"ip":"0x4001c1","sym":"loop","symoff":79},"insn":"44 39 e0","insnlen":3},{"at":{"ip":"0x4001c4","sym":"loop","symoff":82},"insn":"75 f0","insnlen":2},{"at":{"ip":"0x4001c6","sym":"loop","symoff":84},"insn":"f6 c3 04","insnlen":3},{"at":{"ip":"0x4001c9","sym":"loop","symoff":87},"insn":"74 d8","insnlen":2},{"at":{"ip":"0x4001cb","sym":"loop","symoff":89},"insn":"44 89 ef","insnlen":3},{"at":{"ip":"0x4001ce","sym":"loop","symoff":92},"insn":"e8 71 ff ff ff","insnlen":5}],"predicted":true,"cycles":0,"type":"CALL"},{"insns":[{"at":{"ip":"0x400144","sym":"leaf","symoff":0},"insn":"89 f8","insnlen":2},{"at":{"ip":"0x400146","sym":"leaf","symoff":2},"insn":"d1 e8","insnlen":2},{"at":{"ip":"0x400148","sym":"leaf","symoff":4},"insn":"40 f6 c7 01","insnlen":4},{"at":{"ip":"0x40014c","sym":"leaf","symoff":8},"insn":"74 04","insnlen":2}],"unreached":true}]}
{"schema":"perf script","version":1}
{"at":{"ip":"0x400168"},"brstackinsn":[{"insns":[]},{"insns":[]},{"insns":[]},{"insns":[]},{"insns":[]},{"insns":[]}]}
[[(1,), (7,), (13,)], [(1,), (7,), (13,), (3,), (4,), (4,), (2,), (2,), (3, 'unreached')]]

=== the source line of each sample, whatever the thread showed last
sh: $DATA/../tools/make_jit_file.py . && for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "line $i"; done > first.js && perf script --json -G -F ip,srccode | sed "s,$PWD,PWD,"
--- stdout
{"schema":"perf script","version":1}
{"at":{"ip":"0x10010"},"srccode":{"file":"first.js","line":10,"text":"line 10"}}
{"at":{"ip":"0x10020"}}
{"at":{"ip":"0x10010"}}
{"at":{"ip":"0x10020"}}
{"at":{"ip":"0x12004"}}
{"at":{"ip":"0x13008"}}

=== what objects have no place for is said
sh: for o in -D --header -I -L "-s x.py"; do perf script --json $o -i $DATA/script/group.data; done; python3 $DATA/../tools/make_stat_file.py perf.data; perf script --json
exit: 255
--- stdout
{"schema":"perf script","version":1}
--- stderr
error: --json and -D exclude each other
error: --json and --header exclude each other
error: --json and -I exclude each other
error: --json and -L exclude each other
error: --json and -s exclude each other
error: counts are no samples: perf stat report -j prints them as JSON

